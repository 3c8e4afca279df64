"""Answers that survey a whole table: how strong all items are, and how a game of this ruleset goes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sim import games
from sim.experiment.arms import items_of
from sim.experiment.bands import UNCOMPARED
from sim.experiment.estimands import TITLES, Estimand
from sim.experiment.parts import POINTS, SHARE, SIZE_IN_POINTS, TURNS, Fact, Number, Unit, part, spread
from sim.experiment.plan import METRICS_TOLD
from sim.statistics.items import Power, SignStability

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sim.experiment.parts import Book, Part, Piece, Row
    from sim.experiment.plan import Plan

PERCENT: Final = 100
NO_ITEM: Final = "no item was measured often enough to tell"
RELATIVE: Final = (Estimand.DEAL, Estimand.DRAW)
ABSOLUTE: Final = (Estimand.GRANT, Estimand.ABLATION)
AGAINST: Final = {
    Estimand.DEAL: "against the average other card in its place",
    Estimand.DRAW: "against the rest of the deck",
    Estimand.GRANT: "against a blank card, granted at the start to a random seat",
    Estimand.ABLATION: "against a blank card in the hand that was dealt it",
}
MOST_NAMED: Final = 6
RANKS: Final = ("rank_best", "rank_worst")
"""Columns with the best and the worst rank that an item may have; the ranks of all items hold together."""
MINUTES: Final = Unit(" minutes")
TIMES: Final = Unit(" times")
PLAIN: Final = Unit()


def about_items(plan: Plan, book: Book, seats: int) -> Iterator[Part]:
    """Tell how many items are too strong or too weak, the strongest and the weakest, and whose sign is not stable.

    The relative strength leads, against other items; the absolute one, against a blank, stands beside it.

    Args:
        plan: The plan.
        book: Tables of the result, `item_summary` among them.
        seats: Seats at the table.

    """
    found = False
    for estimands in (RELATIVE, ABSOLUTE):
        for estimand in estimands:
            rows = book.rows("item_summary", variant=plan.variants[0].name, seats=seats, estimand=TITLES[estimand][0])
            if rows:
                found = True
                yield from _strengths(plan, book, seats, estimand, rows)
                break
    if not found:
        yield part(NO_ITEM)


def _strengths(plan: Plan, book: Book, seats: int, estimand: Estimand, rows: Sequence[Row]) -> Iterator[Part]:
    """Tell what the rows of one estimand say, strongest and weakest among them."""
    keys = {"variant": plan.variants[0].name, "seats": seats, "estimand": TITLES[estimand][0]}
    at = f"at {seats} seats, " if len(plan.seat_counts) > 1 else ""
    several = len(plan.profiles) > 1
    over, under = (
        book.count("item_summary", **keys, verdict=str(power)) for power in (Power.OVERPOWERED, Power.UNDERPOWERED)
    )
    yield part(
        f"{at}{AGAINST[estimand]}, of ",
        book.count("item_summary", **keys),
        " items ",
        over,
        " are overpowered",
        " in some profile" if several else "",
        " and ",
        under,
        " underpowered",
        " in every profile" if several else "",
        f" (margin {plan.margin:g} points)",
    )
    ranked = sorted(rows, key=lambda row: float(row["value"]))
    yield part(
        "the strongest of them is ", _lift(plan, keys, ranked[-1]), ", the weakest ", _lift(plan, keys, ranked[0])
    )
    unstable = [str(row["item"]) for row in rows if row["sign"] == SignStability.UNSTABLE]
    if unstable:
        more = f" and {len(unstable) - MOST_NAMED} more" if len(unstable) > MOST_NAMED else ""
        names = ", ".join(title_of(plan, name) for name in unstable[:MOST_NAMED])
        yield part(f"whether it helps depends on the policies for {names}{more}")


def _lift(plan: Plan, keys: dict[str, object], row: Row) -> list[Piece]:
    """Return an item and by how much it moves its holder's share."""
    mean = " on average over the profiles" if row["n_profiles"] > 1 else ""
    mine = {**keys, "item": row["item"]}
    pieces: list[Piece] = [f"{title_of(plan, str(row['item']))}, ", Number("item_summary", mine, row, POINTS), mean]
    ends = [
        Fact("item_summary", mine, name, int(row[name])) for name in RANKS if not math.isnan(row.get(name, math.nan))
    ]
    return [*pieces, " (rank ", ends[0], " to ", ends[1], ")"] if len(ends) == len(RANKS) else pieces


def title_of(plan: Plan, name: str) -> str:
    """Return what the component table calls an item."""
    game = games.get(plan.game)
    components = game.load()
    found = items_of(game, components, components.resolve(plan.variants[0].changes), [name])
    return found[0].title if found else name


@dataclass(frozen=True)
class Tale:
    """A metric of the ruleset that a sentence can tell.

    Attributes:
        metric: The metric.
        part: Its part; None for the only one that it has.
        unit: How it is written.
        before: Words before the number.
        after: Words behind it.

    """

    metric: str
    part: str | None
    unit: Unit
    before: str
    after: str = ""


TALES: Final = {
    "length": Tale("length", "mean", TURNS, "a playout takes "),
    "seat fairness": Tale(
        "seat fairness",
        "largest advantage",
        SIZE_IN_POINTS,
        "the place in turn order furthest from a fair share is off it by ",
    ),
    "idle time": Tale("idle time", "who fell first", SHARE, "who falls first sits out ", " of the playout"),
    "lead changes": Tale("lead changes", "of a playout", TIMES, "the lead changes "),
    "comeback": Tale("comeback", "last at half time wins", SHARE, "who is last at half time wins "),
    "interaction": Tale("interaction", "lost by others' doing", SHARE, "others cause ", " of what is lost"),
    "action gap": Tale(
        "action gap",
        "best over random, all decisions",
        POINTS,
        "the best option of a choice is worth ",
        " more than a random one",
    ),
    "skill share": Tale(
        "skill share", None, PLAIN, "the best policy alone among random ones has a skill share (0 luck, 1 skill) of "
    ),
}
FLOOR: Final = Tale(
    "seat fairness", "noise floor, mean", SIZE_IN_POINTS, "by chance alone the furthest place would be off by "
)


def about_metrics(plan: Plan, book: Book, seats: int) -> Iterator[Part]:
    """Tell how a playout goes, between the profiles of the baseline; what nobody asked for is left out.

    Args:
        plan: The plan.
        book: Tables of the result, `ruleset_metrics` among them.
        seats: Seats at the table.

    """
    at = f"at {seats} seats, " if len(plan.seat_counts) > 1 else ""
    for name in plan.answer.metrics or METRICS_TOLD:
        tales = [TALES[name]]
        tales += [FLOOR] if name == "seat fairness" else []
        tales += minutes(plan) if name == "length" else []
        for tale in tales:
            found = _of_metric(plan, book, seats, tale)
            if found:
                yield part(at, tale.before, spread(found), tale.after)


def minutes(plan: Plan) -> list[Tale]:
    """Return the lengths in minutes, by each length of a turn that the plan thinks likely."""
    return [
        Tale("minutes", f"mean at {one:g} minutes a turn (assumed)", MINUTES, f"at {one:g} minutes a turn, that is ")
        for one in plan.minutes_per_turn
    ]


def _of_metric(plan: Plan, book: Book, seats: int, tale: Tale) -> list[Number]:
    """Return the numbers of a metric, one for each profile."""
    keys: dict[str, object] = {"variant": plan.variants[0].name, "seats": seats, "against": UNCOMPARED}
    keys |= {"metric": tale.metric} if tale.part is None else {"metric": tale.metric, "part": tale.part}
    return book.numbers("ruleset_metrics", tale.unit, "profile", **keys)
