"""Advice as a hypothesis: one seat follows it, or goes against it, on the same luck and among the same others.

A piece of advice is a pair of policies that differ in one choice. In every profile the first seat of the line-up plays
the one that follows it in one arm and the one that goes against it in the other; who sits in the other seats, the
rotations and all draws are the same. The gain is the win share of that seat when it follows minus that when it does
not, in points. The advice *holds* where the gain is shown to exceed the margin, it *does not* where it is shown not to,
and as advice is given without a word about the others, it holds on the whole only if it does under every profile.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from sim.engine.blocks import Arm, Pair
from sim.engine.contract import WHOLE_WIN
from sim.engine.lineup import rotations
from sim.experiment.verdicts import (
    NO_VERDICT,
    NONE,
    POINTS,
    is_cut_short,
    objection,
    objection_to,
    paired_sums,
    row_of,
    told,
)
from sim.statistics.superiority import joint_superiority, superiority

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sim.engine.blocks import Played
    from sim.engine.contract import Game
    from sim.engine.lineup import Lineup
    from sim.engine.moments import Totals
    from sim.experiment.arms import Setting
    from sim.experiment.plan import Advice, Plan
    from sim.statistics.estimate import Estimate

ADVISED: Final = 0  # the place of the line-up that the advice is given to
AGAINST: Final = "against"
QUANTITY: Final = "gain by advice"
GOING_AGAINST: Final = "going against it"
FEWEST: Final = 2  # playouts that a spread needs
HELPS: Final = "helps"
MAY_HELP: Final = "may help"
HURTS: Final = "hurts"
TOO_LITTLE: Final = "helps too little to matter"
NOTHING: Final = "makes no difference that matters"
UNKNOWN: Final = "has no verdict"
NO_HELP: Final = "is no help that matters"

Rows = list[dict[str, Any]]


def label(variant: str) -> str:
    """Return the name of the arm that goes against the advice in a variant, and of its pair; no variant has a colon."""
    return f"{AGAINST}:{variant}"


def seated(game: Game, lineup: Lineup, policy: str) -> Lineup:
    """Return a line-up with a policy in the advised seat."""
    return (*lineup[:ADVISED], game.policy(policy), *lineup[ADVISED + 1 :])


def arms_against(game: Game, advice: Advice, following: Iterable[Arm], n_paired: int) -> tuple[list[Arm], list[Pair]]:
    """Return an arm that goes against the advice for each that follows it, and their pairs.

    Args:
        game: The game.
        advice: The advice.
        following: The arm of each variant.
        n_paired: Paired playouts of each.

    """
    arms = [
        Arm(label(one.name), one.rules, seated(game, one.lineup, advice.against), n_paired, is_described=False)
        for one in following
    ]
    return arms, [Pair(label(one.name), one.name, label(one.name)) for one in following]


def advice_rows(plan: Plan, setting: Setting, outcome: Played) -> Rows:
    """Return the gain of the seat that follows the advice, by variant.

    Args:
        plan: The plan.
        setting: The setting.
        outcome: What was played of it.

    """
    if plan.advice is None:
        return []
    pairs = {one.name: outcome.pairs.get(label(one.name), {}) for one in plan.variants}
    return [
        _row(plan, setting, name, totals)
        for name, totals in pairs.items()
        if totals and int(totals["n_both"]) >= FEWEST
    ]


def _row(plan: Plan, setting: Setting, variant: str, totals: Totals) -> dict[str, Any]:
    """Return one row of the table; intervals hold under all profiles and of all variants at once."""
    advice, n = plan.advice, int(totals["n_both"])
    n_lost = int(totals["n_playouts"]) - n
    gain = None
    judged = told(NO_VERDICT)
    if not is_cut_short(n_lost, n + n_lost):
        level = setting.intervals.of_several(len(plan.variants))
        gain = gain_of(setting, variant, totals, level).scaled(POINTS)
        against = objection(gain, n_lost)
        found = superiority(gain.scaled(1 / POINTS), plan.margin / POINTS)
        judged = told(against) if against else told(found.held, found.n_more)
    sides = {} if advice is None else {"follows": advice.follows, "against": advice.against}
    about = {"variant": variant, **setting.labels, **sides}
    differing = {"differing": int(totals["by_seat"][-1, ADVISED]) / n}
    return {**about, **row_of(gain, n, setting.intervals.level), **differing, **judged}


def gain_of(setting: Setting, variant: str, totals: Totals, level: float) -> Estimate:
    """Return the paired gain of the advised seat in a variant, as a proportion."""
    n_rotations = rotations_of(setting, variant, label(variant))
    pair = paired_sums(totals["by_seat"][:, ADVISED], int(totals["n_both"]), WHOLE_WIN * n_rotations)
    return setting.intervals.lift(pair.lift_sums(), level)


def rotations_of(setting: Setting, *names: str) -> int:
    """Return the rotations that count as one playout of arms that are compared."""
    return math.lcm(*(len(rotations(arm.lineup)) for arm in setting.call.arms if arm.name in names))


def effect_of(row: Mapping[str, Any], margin: float) -> str:
    """Return what following the advice does, in words.

    Args:
        row: A row of the table.
        margin: Smallest gain that matters, in points.

    """
    if str(row["verdict"]).startswith(NONE):
        return UNKNOWN
    if row["upper"] >= margin:
        return HELPS if row["lower"] > margin else MAY_HELP
    if row["upper"] < 0:
        return HURTS
    if row["lower"] > 0:
        return TOO_LITTLE
    return NOTHING if row["lower"] > -margin else NO_HELP


def claim_of(plan: Plan, rows: Sequence[Mapping[str, Any]], gains: Sequence[Estimate]) -> dict[str, Any]:
    """Return the columns of the verdict over all profiles; none where one profile has none.

    Args:
        plan: The plan.
        rows: Rows of the table about one variant and number of seats.
        gains: The gain of each in points.

    """
    against = NO_VERDICT if len(rows) < len(plan.profiles) else objection_to(rows)
    if against:
        return told(against)
    judged = joint_superiority([gain.scaled(1 / POINTS) for gain in gains], plan.margin / POINTS)
    return told(judged.held, judged.n_more)
