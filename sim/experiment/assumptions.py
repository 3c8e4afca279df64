"""The assumptions of a game: every value and reading that no source decides, as one factor each with its levels.

| what | its levels |
| --- | --- |
| a switch that the rules are silent on, or whose reading is assumed | its readings |
| an assumed number with a range, of the rules or of a component table | the whole numbers of the range |
| numbers of one table whose total is fixed (the faces of a die) | together one factor: all combinations that fit |
| a table with assumed rows that have no range | as it is, and each of the table's named alternatives |

A *point* picks a level of each. Where a table's alternative is picked, the numbers of the rows that it changes are its
own (all rows of the table, if it is another layout), so the point's numbers of these rows do not count. What a plan's
variant changes holds whatever a point says.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from sim.components.faults import ComponentError
from sim.components.models import ASSUMED, CERTAINTY, Switch
from sim.components.resolution import LAYOUT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sim.components import Components
    from sim.components.models import Table

SILENT: Final = "silent"
OPEN: Final = (ASSUMED, SILENT)
AS_IT_IS: Final = "as it is"
MOST_LEVELS: Final = 64  # of one factor; a longer range is taken in even steps

Changes = dict[str, Any]


@dataclass(frozen=True)
class Assumption:
    """One factor: something that no source decides.

    Attributes:
        key: A rule, a cell (`cards.bouncer.amount`) or a table, as `sim rules` names it.
        certainty: `assumed`, or `silent` for a question that the text leaves open.
        titles: Its levels in words.
        changes: By level, what it changes.
        default: The level that the game plays if nobody says anything.
        is_ordered: True for numbers, False for readings and alternatives.

    """

    key: str
    certainty: str
    titles: tuple[str, ...]
    changes: tuple[Changes, ...]
    default: int
    is_ordered: bool

    @property
    def n_levels(self) -> int:
        """How many levels there are."""
        return len(self.titles)

    @property
    def n_steps(self) -> int:
        """Steps from the first level to the last, 0 where levels have no order."""
        return self.n_levels - 1 if self.is_ordered else 0


def assumptions_of(components: Components) -> list[Assumption]:
    """Return what no source decides about a game, in the order of its files; what has one level only is left out.

    Args:
        components: The game's rules and components.

    """
    found = [*_of_rules(components)]
    for table, spec in components.specs.items():
        found += [*_alternatives(components, table, spec), *_numbers(components, table, spec)]
    return [one for one in found if one.n_levels > 1]


def _of_rules(components: Components) -> Iterator[Assumption]:
    for key, rule in components.rules.items():
        if rule.certainty not in OPEN:
            continue
        if isinstance(rule, Switch):
            changes = tuple({} if reading == rule.default else {key: reading} for reading in rule.readings)
            yield Assumption(key, rule.certainty, tuple(rule.readings), changes, 0, is_ordered=False)
        elif rule.low is not None and rule.high is not None:
            yield _number(key, rule.certainty, rule.default, (rule.low, rule.high))


def _number(key: str, certainty: str, default: int, bounds: tuple[int, int]) -> Assumption:
    """Return the factor of a number within a range."""
    values = _evenly(list(range(bounds[0], bounds[1] + 1)), default)
    changes = tuple({} if value == default else {key: value} for value in values)
    return Assumption(key, certainty, tuple(map(str, values)), changes, values.index(default), is_ordered=True)


def _evenly(values: list[Any], default: Any) -> list[Any]:
    """Return values, or as many of them as a factor may have, in even steps; the default is always there."""
    if len(values) <= MOST_LEVELS:
        return values
    places = {round(step * (len(values) - 1) / (MOST_LEVELS - 1)) for step in range(MOST_LEVELS)}
    return [value for place, value in enumerate(values) if place in places or value == default]


def _alternatives(components: Components, table: str, spec: Table) -> Iterator[Assumption]:
    """Yield the factor of a table's rows without a range: what else the whole table could be."""
    sheet = components.sheets[table, next(iter(spec.layouts), "")]
    lows = [low for low, _ in spec.ranges.values()]
    is_open = [papers[CERTAINTY] == ASSUMED and all(papers[low] is None for low in lows) for papers in sheet.papers]
    if spec.alternatives and any(is_open):
        changes = [components.resolve({}, variant=name).changes for name in spec.alternatives]
        titles = (AS_IT_IS, *spec.alternatives)
        yield Assumption(table, ASSUMED, titles, ({}, *(dict(one) for one in changes)), 0, is_ordered=False)


def _numbers(components: Components, table: str, spec: Table) -> Iterator[Assumption]:
    """Yield the factors of a table's assumed numbers; those of a column with a fixed total are one factor."""
    sheet = components.sheets[table, next(iter(spec.layouts), "")]
    for column, (low, high) in spec.ranges.items():
        rows = [
            (f"{table}.{row[spec.key]}.{column}", int(row[column] or 0), (papers[low], papers[high]))
            for row, papers in zip(sheet.rows, sheet.papers, strict=True)
            if papers[CERTAINTY] == ASSUMED and papers[low] is not None
        ]
        least, most = spec.totals.get(column, (0, 1))
        if rows and least == most:
            rest = sum(int(row[column] or 0) for row in sheet.rows) - sum(value for _, value, _ in rows)
            yield _combination(f"{table}.{column}", rows, least - rest)
        else:
            yield from (_number(key, ASSUMED, value, bounds) for key, value, bounds in rows)


def _combination(key: str, rows: Sequence[tuple[str, int, tuple[int, int]]], total: int) -> Assumption:
    """Return the factor of several numbers that have one total."""
    default = tuple(value for _, value, _ in rows)
    ranges = [range(low, high + 1) for _, _, (low, high) in rows]
    fitting = _evenly([values for values in product(*ranges) if sum(values) == total], default)
    names = [name for name, _, _ in rows]
    changes = tuple({} if values == default else dict(zip(names, values, strict=True)) for values in fitting)
    titles = tuple("-".join(map(str, values)) for values in fitting)
    return Assumption(key, ASSUMED, titles, changes, fitting.index(default), is_ordered=False)


def changes_at(assumptions: Sequence[Assumption], levels: Sequence[int]) -> Changes:
    """Return what a point changes.

    Args:
        assumptions: The factors.
        levels: The level of each.

    """
    picked = [one.changes[level] for one, level in zip(assumptions, levels, strict=True)]
    undotted = [change for one, change in zip(assumptions, picked, strict=True) if "." not in one.key]
    whole = {key: value for change in undotted for key, value in change.items()}  # rules and alternatives
    fixed = {key.rpartition(".")[0] for key in whole if "." in key}
    laid_out = {one.key for one, change in zip(assumptions, picked, strict=True) if LAYOUT in change}
    found: Changes = {}
    for key, value in (item for change in picked for item in change.items()):
        if key.rpartition(".")[0] not in fixed and key.partition(".")[0] not in laid_out:
            found[key] = value
    return found | whole


def with_variant(components: Components, point: Mapping[str, Any], variant: Mapping[str, Any]) -> Changes:
    """Return a point's changes with those of a variant on top.

    Args:
        components: The game's rules and components.
        point: What `changes_at` returned.
        variant: The variant's changes, as a plan has them.

    Raises:
        ComponentError: The two do not go together, even without the point's changes to tables that the variant
            changes, too.

    """
    own = dict(components.resolve(variant).changes)
    both = {**point, **own}
    try:
        components.resolve(both)
    except ComponentError:
        touched = {key.partition(".")[0] for key in own if "." in key}
        both = {key: value for key, value in point.items() if key.partition(".")[0] not in touched} | own
        components.resolve(both)
    return both
