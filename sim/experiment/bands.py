"""Bands of a plan: between which limits an estimate has to lie, so that balance becomes a test.

A band names a table and, by the table's own columns, which of its rows it is about; what it does not name, it takes
all of. This module says what a band may be and what is wrong with one before anything is played; `checking` judges.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, ConfigDict, Field

from sim.components import nearest
from sim.engine.seating import numbers
from sim.experiment.advice import QUANTITY
from sim.experiment.estimands import TITLES, UNSUMMARISED, Estimand
from sim.experiment.quantities import PLACE, POLICY, SEAT, WIN_SHARE, label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sim.components import Components
    from sim.engine.contract import Game
    from sim.experiment.plan import Plan

EVERY_TABLE: Final = ("variant", "seats", "profile")
COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "win_share": (*EVERY_TABLE, "seat", "policy"),
    "policy_share": (*EVERY_TABLE, "policy"),
    "seat_advantage": (*EVERY_TABLE, "place"),
    "length": EVERY_TABLE,
    "comparisons": (*EVERY_TABLE, "quantity"),
    "advice": EVERY_TABLE,
    "claims": ("variant", "seats", "quantity"),
    "item_balance": (*EVERY_TABLE, "item", "estimand", "against", "quantity"),
    "item_summary": ("variant", "seats", "item", "estimand"),
    "item_share": (*EVERY_TABLE, "item"),
    "counts": (*EVERY_TABLE, "count", "at_least"),
    "flows": (*EVERY_TABLE, "resource", "source"),
    "spaces": (*EVERY_TABLE, "space", "quantity"),
    "uses": (*EVERY_TABLE, "item"),
    "decisions": (*EVERY_TABLE, "decision"),
    "ruleset_metrics": (*EVERY_TABLE, "metric", "part", "against"),
}
"""Tables of estimates, with the columns by which their rows are told apart."""
UNCOMPARED: Final = "nothing"
"""What rows of `ruleset_metrics` are against that are no change; a band is about these if it does not say."""
UNTOLD: Final = {("item_summary", estimand) for estimand in UNSUMMARISED}
OF_ITEMS: Final = ("item_balance", "item_summary", "item_share")
DEFAULT_LEVEL: Final = 0.95
LEAST_LEVEL: Final = 0.5
MOST_LEVEL: Final = 0.999999  # beyond, an interval is a matter of digits, not of playouts

Names = str | list[str] | None
Numbers = int | list[int] | None


class Band(BaseModel):
    """Limits for the rows of one table.

    Attributes:
        name: What reports call it.
        table: Name of the table.
        variant, profile, policy, item, estimand, against, quantity, count, resource, source, decision, metric, part:
            Rows with this name in the column, or one of these; all rows if None.
        seats, seat, place, at_least, space: The same for columns of numbers.
        lower: Lowest value that is in order, in the unit of the table (shares are proportions, lifts and advantages
            points, lengths turns); no limit if None.
        upper: Highest value that is in order.
        level: Confidence level at which the verdicts on all rows of all bands are right together.

    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    name: str = Field(min_length=1)
    table: str
    variant: Names = None
    profile: Names = None
    seats: Numbers = None
    seat: Numbers = None
    place: Numbers = None
    policy: Names = None
    item: Names = None
    estimand: Names = None
    quantity: Names = None
    count: Names = None
    at_least: Numbers = None
    resource: Names = None
    source: Names = None
    space: Numbers = None
    decision: Names = None
    metric: Names = None
    part: Names = None
    against: Names = None
    lower: float | None = None
    upper: float | None = None
    level: float = Field(default=DEFAULT_LEVEL, ge=LEAST_LEVEL, le=MOST_LEVEL)

    def selection(self) -> dict[str, list[Any]]:
        """Return the wanted values by column; columns that the band leaves open are not there."""
        columns = dict.fromkeys(column for columns in COLUMNS.values() for column in columns)
        wanted = {column: getattr(self, column) for column in columns}
        if self.table == "ruleset_metrics" and self.against is None:
            wanted["against"] = UNCOMPARED
        return {
            column: value if isinstance(value, list) else [value]
            for column, value in wanted.items()
            if value is not None
        }


def band_faults(plan: Plan, game: Game, components: Components) -> Iterator[str]:
    """Yield what is wrong with the bands of a plan that is otherwise in order.

    Args:
        plan: The plan.
        game: Its game.
        components: The game's rules and components.

    """
    for name, count in Counter(band.name for band in plan.band).items():
        if count > 1:
            yield f"band: found '{name}' {count} times, expected names that differ"
    for number, band in enumerate(plan.band):
        where = f"band.{number}"
        if band.table not in COLUMNS:
            yield f"{where}.table: {_misses(band.table, list(COLUMNS))}"
            continue
        yield from (f"{where}.{told}" for told in _limit_faults(band))
        yield from (f"{where}.table: {told}" for told in _table_faults(plan, band))
        yield from (f"{where}.{told}" for told in _selection_faults(plan, game, components, band))


def _misses(found: object, known: Sequence[Any]) -> str:
    """Return a fault: what was found, what there is, and the nearest of it."""
    hint = nearest(str(found), [str(one) for one in known])
    shown = f"'{found}'" if isinstance(found, str) else f"{found}"
    expected = f"one of {', '.join(str(one) for one in known)}" if known else "none, there are none"
    return f"found {shown}, expected {expected}{hint}"


def _limit_faults(band: Band) -> Iterator[str]:
    if band.lower is None and band.upper is None:
        yield "lower: found no limit, expected lower, upper or both"
    elif band.lower is not None and band.upper is not None and band.lower >= band.upper:
        yield f"upper: found {band.upper:g}, expected more than lower, which is {band.lower:g}"


def _table_faults(plan: Plan, band: Band) -> Iterator[str]:
    """Yield why the plan does not make the table of a band."""
    if not plan.wants(band.table):
        yield f"'{band.table}' is not among the plan's estimands; add it there"
    if band.table in OF_ITEMS and plan.items == "none":
        yield f"'{band.table}' needs items; set items = 'all' or name some"
    if band.table == "advice" and plan.advice is None:
        yield "'advice' needs a piece of advice; the plan has none"
    if band.table == "comparisons" and len(plan.variants) == 1:
        yield "'comparisons' needs a second variant; the plan has one"


def _selection_faults(plan: Plan, game: Game, components: Components, band: Band) -> Iterator[str]:
    """Yield columns that the table lacks, and values that its columns do not have."""
    columns = COLUMNS[band.table]
    for column, wanted in band.selection().items():
        if column not in columns:
            hint = nearest(column, columns)
            yield f"{column}: '{band.table}' has no such column, expected {', '.join(columns)}{hint}"
            continue
        known = _known(plan, game, components, band.table, column)
        for value in wanted:
            if known is not None and value not in known:
                yield f"{column}: {_misses(value, known)}"


def _known(plan: Plan, game: Game, components: Components, table: str, column: str) -> list[Any] | None:
    """Return the values that a column of a table can have, or None if they are not known before playing."""
    most = max(plan.seat_counts)
    first = 1 if table == "comparisons" else 0
    followed = [] if plan.advice is None else [plan.advice.follows]
    by_column: dict[str, list[Any]] = {
        "variant": [variant.name for variant in plan.variants][first:],
        "profile": [profile.name for profile in plan.profiles],
        "seats": plan.seat_counts,
        "seat": numbers(most),
        "place": numbers(most),
        "policy": list(dict.fromkeys([*followed, *(name for one in plan.profiles for name in one.policies)])),
        "count": list(game.counted),
        "resource": list(game.resources),
        "source": list(game.sources),
        "decision": list(game.decisions),
    }
    if column in by_column:
        return by_column[column]
    if column in {"item", "space"} or (column, table) == ("quantity", "spaces"):
        return _known_things(plan, game, components, table, column)
    if column == "estimand":
        found = [one for one in Estimand if one in plan.measured and (table, one) not in UNTOLD]
        n_titles = 1 if table == "item_summary" else None  # interactions are not summarised
        return [title for one in found for title in TITLES[one][:n_titles]]
    if (column, table) == ("quantity", "item_balance"):
        return None
    if column == "quantity":
        places = [label(WIN_SHARE, kind, place) for kind in (SEAT, PLACE) for place in numbers(most)]
        policies = [label(WIN_SHARE, POLICY, name) for name in by_column["policy"]]
        items = _known_things(plan, game, components, "item_balance", "item")
        dealt = [f"{what}, {item}" for what in ("share when dealt", "deal lift", "attribution") for item in items]
        advised = [QUANTITY] if table == "claims" and plan.advice is not None else []
        return ["length", *places, *policies, *dealt, *advised]
    return None


def _known_things(plan: Plan, game: Game, components: Components, table: str, column: str) -> list[Any]:
    """Return the items or spaces of the baseline that a table has rows of."""
    ruleset = components.resolve(plan.variants[0].changes)
    if column == "space":
        return list(range(len(game.spaces(ruleset))))
    if column == "quantity":
        return ["landings", "losses"]
    families = game.families[:1] if table == "uses" else game.families
    found = [str(row[components.specs[one.table].key]) for one in families for row in game.items(one, ruleset)]
    listed = plan.items if table in OF_ITEMS and isinstance(plan.items, list) else found
    return [name for name in found if name in listed]
