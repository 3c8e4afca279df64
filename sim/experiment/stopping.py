"""When a run that looks at what it has played may stop: at a precision, or when every verdict is decided.

Looks happen at playout counts of one fixed schedule, the same on any machine and for any number of threads, so that
where a run stops depends on its plan alone. A stop at a half-width leaves ordinary intervals right, since the spread
of a share hardly depends on its luck. A stop at a verdict does not: there all intervals are those of confidence
sequences, which hold at every look (`Intervals` in verdicts.py).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sim.engine.blocks import CELL
from sim.experiment.tables import headline_rows
from sim.experiment.verdicts import ALIKE, NO_VERDICT, POINTS, TOO_FEW, UNDECIDED, limit_that_would_do, n_more_of
from sim.statistics.checks import MOST_TRUNCATED_FOR_MEAN, MOST_TRUNCATED_FOR_VERDICT
from sim.statistics.estimate import clopper_pearson

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sim.engine.blocks import Played
    from sim.experiment.arms import Setting
    from sim.experiment.plan import Plan

FIRST_LOOK: Final = 2  # cells
LOOKS_PER_DOUBLING: Final = 4
SURELY: Final = 0.999  # level at which too many playouts are taken to be truncated


class StopError(ValueError):
    """A run can never reach what would stop it; the message says why and what would do."""


def look_counts(most: int) -> Iterator[int]:
    """Yield the playout counts at which a run looks: whole cells, about a fifth more each time, `most` at last.

    Args:
        most: Playouts at which it gives up.

    """
    place, last = 0, 0
    while last < most:
        n_cells = math.ceil(FIRST_LOOK * 2 ** (place / LOOKS_PER_DOUBLING))
        count = min(most, CELL * n_cells)
        if count > last:
            yield count
        place, last = place + 1, count


@dataclass(frozen=True)
class Look:
    """What one setting shows at a look.

    Attributes:
        n_playouts: Playouts of the baseline.
        widest: Largest half-width of a headline number, in points; not a number if one has no estimate.
        n_undecided: Verdicts that are undecided.
        n_more: About how many more playouts would reach what is wanted; None if nobody can tell.
        is_reached: True if it is reached.

    """

    n_playouts: int
    widest: float
    n_undecided: int
    n_more: int | None
    is_reached: bool


def look(plan: Plan, setting: Setting, outcome: Played) -> Look:
    """Look at a setting: how wide its headline numbers are, and how many verdicts are open.

    Args:
        plan: The plan, which says what is wanted.
        setting: The setting.
        outcome: What was played of it.

    """
    rows = headline_rows(plan, setting, outcome)
    reaches = [max(row["upper"] - row["value"], row["value"] - row["lower"]) for row in rows]
    widest = math.nan if not rows or any(math.isnan(reach) for reach in reaches) else max(reaches)
    judged = [row for row in rows if "verdict" in row]
    n = outcome.n_playouts
    open_ones = [row for row in judged if is_open(row, plan.margin)]
    if plan.precision is None:
        return Look(n, widest, len(open_ones), _more_to_decide(open_ones), bool(judged) and not open_ones)
    is_reached = widest <= plan.precision
    more = None if math.isnan(widest) else max(0, math.ceil(n * ((widest / plan.precision) ** 2 - 1)))
    return Look(n, widest, len(open_ones), more, is_reached)


def is_open(row: Mapping[str, Any], margin: float) -> bool:
    """Tell whether more playouts could still settle a row.

    A change that never made a difference has no verdict, but its interval shrinks: it is settled once that is inside
    the margin.

    Args:
        row: A row with a verdict, in points.
        margin: Half-width of what counts as balanced, in points.

    """
    if row["verdict"] == ALIKE:
        return bool(row["lower"] <= -margin or row["upper"] >= margin)
    return row["verdict"] in {UNDECIDED, NO_VERDICT, TOO_FEW}


def _more_to_decide(open_ones: Sequence[Mapping[str, Any]]) -> int | None:
    """Return the most playouts that an undecided row asks for; None if one cannot tell."""
    needed = [n_more_of(row) for row in open_ones]
    known = [span[1] for span in needed if span is not None]
    return max(known, default=0) if len(known) == len(needed) else None


def refuse_hopeless(plan: Plan, setting: Setting, outcome: Played) -> None:
    """Stop with an error if too many playouts hit the turn limit for the run ever to reach what is wanted.

    Raises:
        StopError: They do, beyond the doubt that their number leaves.

    """
    for variant in plan.variants:
        totals = outcome.arms.get(variant.name, {})
        n = int(totals["n_playouts"]) if totals else 0
        if n == 0:
            continue
        n_cut = n - int(totals["n_finished"])
        most = MOST_TRUNCATED_FOR_VERDICT if plan.until_decided else MOST_TRUNCATED_FOR_MEAN
        if clopper_pearson(n_cut, n, SURELY).lower <= most:
            continue
        what = "a verdict" if plan.until_decided else "a mean"
        limit, enough = limit_that_would_do(totals["length_of"], n_cut / n, most, setting.n_rotations)
        hint = "raise the limit" if enough is None else f"a limit of about {enough:,} turns would do"
        message = (
            f"{variant.name}, profile {setting.profile.name}: {POINTS * n_cut / n:.3g} % of the playouts hit the turn "
            f"limit of {limit:,}, expected at most {POINTS * most:g} % for {what}; {hint}"
        )
        raise StopError(message)


@dataclass
class Rule:
    """Decides after each look whether a setting is played on, and foretells how long it will take.

    Attributes:
        plan: The plan.
        looked: The last look at each setting, by its place.

    """

    plan: Plan
    looked: dict[int, Look] = field(default_factory=dict)

    def counts(self, setting: Setting, done: int) -> list[int]:
        """Return the playout counts at which a setting is looked at, from what is done of it on."""
        most = setting.call.n_playouts
        return [count for count in look_counts(most) if count >= done] if self.plan.is_stopped else [most]

    def may_stop(self, place: int, setting: Setting, outcome: Played) -> bool:
        """Look at a setting and tell whether it is done.

        Raises:
            StopError: It can never be.

        """
        if not self.plan.is_stopped:
            return True
        seen = look(self.plan, setting, outcome)
        self.looked[place] = seen
        refuse_hopeless(self.plan, setting, outcome)
        return seen.is_reached

    def expected(self, place: int, setting: Setting, is_finished: bool) -> int:
        """Return about how many playouts a setting takes: from its last look, else from those before it."""
        if is_finished or not self.plan.is_stopped:
            return setting.call.n_playouts
        seen = self.looked.get(place)
        if seen is None:
            known = [self.expected(other, setting, is_finished=False) for other in self.looked if other < place]
            foreseen = self.plan.playouts_expected(setting.seats)
            return known[-1] if known else foreseen
        wanted = self.plan.baseline_playouts if seen.n_more is None else seen.n_playouts + seen.n_more
        if seen.is_reached:
            return seen.n_playouts
        later = (count for count in look_counts(self.plan.baseline_playouts) if count >= wanted)
        return next(later, self.plan.baseline_playouts)


def stop_rows(plan: Plan, setting: Setting, outcome: Played) -> list[dict[str, Any]]:
    """Return the row that says where a setting stopped and why, if looks decide that.

    Args:
        plan: The plan.
        setting: The setting.
        outcome: What was played of it.

    """
    if not plan.is_stopped:
        return []
    seen = look(plan, setting, outcome)
    if seen.is_reached:
        reason = "every verdict is decided" if plan.until_decided else "the precision is reached"
    else:
        reason = "the most playouts were played" if outcome.n_playouts >= plan.baseline_playouts else "interrupted"
    told = {
        "stopped_at": seen.n_playouts,
        "reason": reason,
        "wanted": plan.margin if plan.precision is None else plan.precision,
        "widest": seen.widest,
        "n_undecided": seen.n_undecided,
        "n_more": 0 if seen.is_reached else seen.n_more,
    }
    return [{**setting.labels, **told}]
