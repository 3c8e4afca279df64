"""Answers that survey a whole table in one sentence: how strong all items are, and how a game of this ruleset goes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sim import games
from sim.experiment.arms import items_of
from sim.experiment.bands import UNCOMPARED
from sim.experiment.estimands import TITLES, Estimand
from sim.experiment.plan import METRICS_TOLD
from sim.statistics.items import Power, SignStability

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from sim.experiment.plan import Plan

PERCENT: Final = 100
NO_ITEM: Final = "no item was measured often enough to tell"
TOLD_FROM: Final = (Estimand.GRANT, Estimand.ABLATION, Estimand.DEAL, Estimand.DRAW)
AGAINST: Final = {
    Estimand.GRANT: "instead of a blank card",
    Estimand.ABLATION: "instead of a blank card",
    Estimand.DEAL: "instead of another item",
    Estimand.DRAW: "instead of the rest of the deck",
}
MOST_NAMED: Final = 6


def about_items(plan: Plan, tables: Mapping[str, pd.DataFrame]) -> str:
    """Tell how many items are too strong or too weak, the strongest and the weakest, and whose sign is not stable.

    Args:
        plan: The plan.
        tables: Tables of the result, `item_summary` among them.

    """
    summary = tables["item_summary"]
    parts = []
    for seats in plan.seat_counts:
        for estimand in TOLD_FROM:
            is_mine = (summary["estimand"] == TITLES[estimand][0]) & (summary["variant"] == plan.variants[0].name)
            mine = summary[is_mine & (summary["seats"] == seats)].sort_values("value")
            if not mine.empty:
                at = f"at {seats} seats " if len(plan.seat_counts) > 1 else ""
                parts.append(f"{at}{_told_of(plan, mine, AGAINST[estimand])}")
                break
    return "; ".join(parts) or NO_ITEM


def _told_of(plan: Plan, mine: pd.DataFrame, against: str) -> str:
    """Return what the rows of one estimand say, the weakest item first among them."""
    n_over = int((mine["verdict"] == Power.OVERPOWERED).sum())
    n_under = int((mine["verdict"] == Power.UNDERPOWERED).sum())
    profiles = "in some profile" if len(plan.profiles) > 1 else "against the margin"
    in_all = " in all" if len(plan.profiles) > 1 else ""
    told = f"of {len(mine)} items {n_over} are overpowered {profiles} and {n_under} underpowered{in_all}"
    strongest, weakest = mine.iloc[-1], mine.iloc[0]
    told += f" (margin {plan.margin:g} points); {against} {_moves(plan, strongest)} most, {_moves(plan, weakest)} least"
    unstable = mine.loc[mine["sign"] == SignStability.UNSTABLE, "item"].tolist()
    if unstable:
        more = f" and {len(unstable) - MOST_NAMED} more" if len(unstable) > MOST_NAMED else ""
        names = ", ".join(title_of(plan, name) for name in unstable[:MOST_NAMED])
        told += f"; whether it helps depends on the policies for {names}{more}"
    return told


def _moves(plan: Plan, row: pd.Series) -> str:
    """Return by how much an item moves its holder's share, with its range over profiles."""
    span = f"{row['smallest']:+.1f} to {row['largest']:+.1f} over the profiles, " if row["n_profiles"] > 1 else ""
    interval = f"[{row['lower']:+.1f}, {row['upper']:+.1f}]"
    title = title_of(plan, str(row["item"]))
    return f"{title} moves its holder's win share by {row['value']:+.1f} points ({span}{interval})"


def title_of(plan: Plan, name: str) -> str:
    """Return what the component table calls an item."""
    game = games.get(plan.game)
    components = game.load()
    found = items_of(game, components, components.resolve(plan.variants[0].changes), [name])
    return found[0].title if found else name


def about_metrics(plan: Plan, tables: Mapping[str, pd.DataFrame]) -> str:
    """Tell how a playout goes, as ranges over the profiles of the baseline.

    Args:
        plan: The plan.
        tables: Tables of the result, `ruleset_metrics` among them.

    """
    frame = tables["ruleset_metrics"]
    base = frame[(frame["variant"] == plan.variants[0].name) & (frame["against"] == UNCOMPARED)]
    parts = []
    for seats in plan.seat_counts:
        told = _Told(base[base["seats"] == seats])
        at = f"at {seats} seats " if len(plan.seat_counts) > 1 else ""
        parts.append(f"{at}{_course(told, plan, seats)}")
    return "; ".join(parts)


def _course(told: _Told, plan: Plan, seats: int) -> str:
    """Return the sentence of one number of seats; what the game does not have or nobody asked for is left out."""
    shortest, longest = (told.range("minutes", f"mean at {one:g} ", "{:.0f}") for one in plan.minutes_per_turn)
    by_chance = told.range("seat fairness", "noise floor, mean", "{:.1f}")
    pieces = {
        "length": (
            "a playout takes {} turns"
            + (f", {shortest} or {longest} minutes by the assumed length of a turn" if shortest and longest else ""),
            told.range("length", "mean", "{:.0f}"),
        ),
        "seat fairness": (
            f"the place in turn order furthest from a fair share is {{}} off it ({by_chance} by chance alone)",
            told.range("seat fairness", "largest advantage", "{:.1f} points"),
        ),
        "idle time": (
            "who falls first sits out {} of it",
            told.range("idle time", "who fell first", "{:.0f} %", PERCENT),
        ),
        "lead changes": ("the lead changes {} times", told.range("lead changes", "of a playout", "{:.1f}")),
        "comeback": (
            f"who is last at half time wins {{}} (a fair share is {PERCENT / seats:.0f} %)",
            told.range("comeback", "last at half time wins", "{:.0f} %", PERCENT),
        ),
        "interaction": ("others cause {} of what is lost", told.range("interaction", "lost", "{:.0f} %", PERCENT)),
        "action gap": (
            "the best option of a choice is worth {} more than a random one",
            told.range("action gap", "best over random, all", "{:+.1f} points"),
        ),
        "skill share": (
            "the best policy alone among random ones has a skill share of {}",
            told.range("skill share", "", "{:.2f}"),
        ),
    }
    wanted = plan.answer.metrics or METRICS_TOLD
    return ", ".join(pieces[name][0].format(pieces[name][1]) for name in wanted if pieces[name][1])


class _Told:
    """Rows of the metrics of one number of seats.

    Attributes:
        frame: The rows, one for each profile.

    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self.frame = frame

    def range(self, metric: str, part: str, form: str, factor: float = 1) -> str:
        """Return the range of a metric over the profiles in words, empty where it was not told.

        Args:
            metric: The metric.
            part: Its part, or how that begins.
            form: How a number is written.
            factor: What a number is multiplied by.

        """
        mine = self.frame[self.frame["metric"] == metric]
        is_part = mine["part"] == part
        found: Any = mine.loc[is_part if is_part.any() else mine["part"].str.startswith(part), "value"]
        if found.empty:
            return ""
        ends = [form.format(factor * float(one)) for one in (found.min(), found.max())]
        if ends[0] == ends[1]:
            return ends[0]
        first = ends[0].removesuffix(form.partition("}")[2])  # a unit stands once, behind both
        return f"{first} to {ends[1]}"
