"""The assumptions of a game: every value and reading that no source decides, as one factor each with its levels.

| what | its levels |
| --- | --- |
| a switch that the rules are silent on, or whose reading is assumed or has partial support | its readings |
| an assumed number with a range, of the rules or of a component table | the whole numbers of the range |
| numbers that a source bounds together (the faces of a die, a deck) | together one factor: combinations that fit |
| a table with assumed rows | as it is, and each of the table's named alternatives |

A *point* picks a level of each. Where a table's alternative is picked, the numbers of the rows that it changes are its
own (all rows of the table, if it is another layout), so the point's numbers of these rows do not count; numbers that
are bounded together stay, since what a source says of them holds for every alternative but another layout. What a
plan's variant changes holds whatever a point says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sim.components.faults import ComponentError
from sim.components.known import cells_known, keys_of
from sim.components.models import ASSUMED, CERTAINTY, PARTIAL, Known, Switch
from sim.components.resolution import LAYOUT
from sim.components.values import flat
from sim.experiment.combinations import Combinations, Condition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sim.components import Components
    from sim.components.models import Row, Table
    from sim.components.reading import Sheet

SILENT: Final = "silent"
OPEN: Final = (ASSUMED, SILENT, PARTIAL)  # of a switch; a number is open only if it is assumed
AS_IT_IS: Final = "as it is"
MOST_LEVELS: Final = 64  # of one factor; a longer range is taken in even steps

Changes = dict[str, Any]


@dataclass(frozen=True)
class Assumption:
    """One factor: something that no source decides.

    Attributes:
        key: A rule, a cell (`cards.bouncer.amount`) or a table, as `sim rules` names it.
        certainty: `assumed`, `partial`, or `silent` for a question that the text leaves open.
        titles: Its levels in words.
        changes: By level, what it changes.
        default: The level that the game plays if nobody says anything.
        is_ordered: True for numbers, False for readings, alternatives and combinations.
        is_bounded: True for numbers that a source bounds together.

    """

    key: str
    certainty: str
    titles: tuple[str, ...]
    changes: tuple[Changes, ...]
    default: int
    is_ordered: bool
    is_bounded: bool = False

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
    bounded = _bounded_cells(components)
    for key, rule in components.rules.items():
        if isinstance(rule, Switch):
            if rule.certainty in OPEN and not _is_told_by_numbers(rule, bounded):
                changes = tuple({} if reading == rule.default else {key: reading} for reading in rule.readings)
                yield Assumption(key, rule.certainty, tuple(rule.readings), changes, 0, is_ordered=False)
        elif rule.certainty == ASSUMED and rule.low is not None and rule.high is not None:
            yield _number(key, rule.certainty, rule.default, (rule.low, rule.high))


def _bounded_cells(components: Components) -> set[str]:
    """Return the cells of all tables that a source bounds together with others."""
    return {
        cell
        for table, spec in components.specs.items()
        for cell in cells_known(table, spec, components.sheets[table, next(iter(spec.layouts), "")])
    }


def _is_told_by_numbers(rule: Switch, bounded: set[str]) -> bool:
    """Return whether a switch does nothing but set numbers that are varied together anyway."""
    cells = [cell for changes in rule.changes.values() for cell, _ in flat(changes)]
    return bool(cells) and bounded.issuperset(cells)


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
    """Yield the factor of a table with assumed rows: what else the whole table could be."""
    sheet = components.sheets[table, next(iter(spec.layouts), "")]
    if spec.alternatives and any(papers[CERTAINTY] == ASSUMED for papers in sheet.papers):
        changes = [components.resolve({}, variant=name).changes for name in spec.alternatives]
        titles = (AS_IT_IS, *spec.alternatives)
        yield Assumption(table, ASSUMED, titles, ({}, *(dict(one) for one in changes)), 0, is_ordered=False)


@dataclass(frozen=True)
class _OpenNumber:
    """An assumed number of a table: its key, its value, and where the truth may lie."""

    key: str
    default: int
    bounds: tuple[int, int]


def _numbers(components: Components, table: str, spec: Table) -> Iterator[Assumption]:
    """Yield the factors of a table's assumed numbers; those that are bounded together are one factor."""
    sheet = components.sheets[table, next(iter(spec.layouts), "")]
    for column, (low, high) in spec.ranges.items():
        numbers = {
            row[spec.key]: _OpenNumber(
                f"{table}.{row[spec.key]}.{column}", int(row[column] or 0), (papers[low], papers[high])
            )
            for row, papers in zip(sheet.rows, sheet.papers, strict=True)
            if papers[CERTAINTY] == ASSUMED and papers[low] is not None
        }
        bounds = [*_totals_of_all(spec, column, sheet.rows), *(one for one in spec.known if one.column == column)]
        groups = _bounded_together([set(keys_of(spec, one, *sheet)) & numbers.keys() for one in bounds])
        for group in groups:
            members = {key: number for key, number in numbers.items() if key in group}
            conditions = [found for one in bounds for found in _conditions(spec, one, sheet, list(members))]
            says = next(one.says for one in bounds if group & set(keys_of(spec, one, *sheet)))
            key = f"{table}.{column} of {says}" if says else f"{table}.{column}"
            yield _combination(key, list(members.values()), conditions)
        free = numbers.keys() - set().union(*groups)
        yield from (_number(one.key, ASSUMED, one.default, one.bounds) for key, one in numbers.items() if key in free)


def _totals_of_all(spec: Table, column: str, rows: Sequence[Row]) -> list[Known]:
    """Return the total that no variant may leave, as a source's word."""
    least, most = spec.totals.get(column, (0, 1))
    if least != most:
        return []
    return [Known(column=column, rows=tuple(row[spec.key] for row in rows), totals=(least,), source="the table")]


def _bounded_together(sets: Iterable[set[Any]]) -> list[set[Any]]:
    """Return sets of which no two share a member, each the union of some that do."""
    groups: list[set[Any]] = []
    for one in sets:
        if one:
            meeting = [group for group in groups if group & one]
            groups = [*(group for group in groups if not group & one), one.union(*meeting)]
    return groups


def _conditions(spec: Table, known: Known, sheet: Sheet, members: Sequence[Any]) -> Iterator[Condition]:
    """Yield what an entry asks of the numbers of some rows, given what the other rows have."""
    keys = keys_of(spec, known, *sheet)
    places = frozenset(place for place, key in enumerate(members) if key in keys)
    rest = [int(row[known.column] or 0) for row in sheet.rows if row[spec.key] in set(keys) - set(members)]
    if places and known.totals:
        yield Condition(places, totals=tuple(total - sum(rest) for total in known.totals))
    if places and known.holds is not None and known.holds not in rest:
        yield Condition(places, holds=known.holds)


def _combination(key: str, numbers: Sequence[_OpenNumber], conditions: Sequence[Condition]) -> Assumption:
    """Return the factor of numbers that are bounded together."""
    default = tuple(number.default for number in numbers)
    fitting = Combinations([number.bounds for number in numbers], conditions).spread(MOST_LEVELS)
    if default not in fitting:
        fitting = sorted([*fitting, default])
    names = [number.key for number in numbers]
    changes = tuple({} if values == default else dict(zip(names, values, strict=True)) for values in fitting)
    titles = tuple("-".join(map(str, values)) for values in fitting)
    return Assumption(key, ASSUMED, titles, changes, fitting.index(default), is_ordered=False, is_bounded=True)


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
    for one, change in zip(assumptions, picked, strict=True):
        for key, value in change.items():
            is_own = key.rpartition(".")[0] in fixed and not one.is_bounded
            if not is_own and key.partition(".")[0] not in laid_out:
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
