"""Applies one set of changes to the defaults and collects everything that is wrong with it.

In the order in which they give way to each other: what the chosen readings change among the components,
then the named variants, then the changes themselves. A key has one plain form (`cards.bush.amount`), in which
aliases (`cards.bush.damage`), short forms (`action_die.blank`) and links to other tables (`board.17.cost`) end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sim.components.checks import faults_of_table
from sim.components.faults import ComponentError, Misfit, listed, nearest, one_of
from sim.components.models import Number, Row, Switch, Table, Value
from sim.components.reading import POLICY, VARIANTS
from sim.components.values import EMPTY, cell, flat, rule_value

if TYPE_CHECKING:
    from sim.components.catalogue import Components

LAYOUT: Final = "layout"
VARIANT: Final = "variant"


@dataclass(frozen=True)
class Ruleset:
    """One variant, resolved: every number, every reading, every component.

    Attributes:
        rules: Number or reading by key.
        tables: Rows by table name.
        changes: What makes it from the defaults, in plain keys; resolving it gives the same again.

    """

    rules: dict[str, Value]
    tables: dict[str, list[Row]]
    changes: dict[str, Value] = field(default_factory=dict)

    def as_plain(self) -> dict[str, Any]:
        """Return rules and tables as plain data of one's own."""
        tables = {name: [dict(row) for row in rows] for name, rows in self.tables.items()}
        return {"rules": dict(self.rules), "tables": tables}


class Resolution:
    """One set of changes on its way to a ruleset."""

    def __init__(self, components: Components, where: str) -> None:
        self.components = components
        self.where = where
        self.faults: list[str] = []
        self.faulty: set[str] = set()  # tables that are not worth checking as a whole
        self.cells: dict[str, object] = {}  # what was given so far, for links
        self.rules: dict[str, Value] = {key: rule.default for key, rule in components.rules.items()}
        self.tables: dict[str, list[Row]] = {}

    def run(self, changes: Mapping[str, object], variant: str | None) -> Ruleset:
        """Return the ruleset.

        Raises:
            ComponentError: Anything is wrong; all faults are told.

        """
        wanted = list(flat(changes))
        names = [variant, *(value for key, value in wanted if key == VARIANT)]
        layers = [self._named(str(name)) for name in names if name is not None]
        layers.append((self.where, [change for change in wanted if change[0] != VARIANT]))
        layout = self._pick_layouts(layers)
        plain: dict[str, Value] = {}
        for where, layer in layers:
            plain |= self._plain(where, layer)
        before = self._changes_of_readings(plain)
        for key, value in (before | plain).items():
            self._apply(key, value)
        self._check()
        if self.faults:
            raise ComponentError(dict.fromkeys(self.faults))
        return Ruleset(self.rules, self.tables, layout | plain)

    def _fault(self, where: str, key: str, what: str) -> None:
        self.faults.append(f"{where}: {key}: {what}")
        self.faulty.add(key.partition(".")[0])

    def _named(self, name: str) -> tuple[str, list[tuple[str, object]]]:
        """Return where a variant is written and what it changes."""
        known = self.components.variants
        if name not in known:
            self._fault(self.where, VARIANT, one_of(name, known))
            return self.where, []
        return f"{VARIANTS}: {name}", list(flat(known[name].changes))

    def _pick_layouts(self, layers: Iterable[tuple[str, list[tuple[str, object]]]]) -> dict[str, Value]:
        """Copy the tables to change, of the layout that is asked for last; return what was picked."""
        picked = {name: next(iter(spec.layouts), "") for name, spec in self.components.specs.items()}
        owners = self.components.layouts()
        chosen: dict[str, Value] = {}
        for where, layer in layers:
            for key, layout in layer:
                if key == LAYOUT and str(layout) in owners:
                    picked[owners[str(layout)]] = chosen[LAYOUT] = str(layout)
                elif key == LAYOUT:
                    self._fault(where, LAYOUT, one_of(layout, owners))
        for name, layout in picked.items():
            self.tables[name] = [copy(row) for row in self.components.sheets[name, layout].rows]
        return chosen

    def _changes_of_readings(self, plain: Mapping[str, Value]) -> dict[str, Value]:
        """Return what the chosen readings change among the components."""
        before: dict[str, Value] = {}
        for key, rule in self.components.rules.items():
            if isinstance(rule, Switch):
                changes = rule.changes.get(str(plain.get(key, rule.default)), {})
                before |= self._plain(f"rules.toml: {key}", list(flat(changes)))
        return before

    def _plain(self, where: str, layer: Iterable[tuple[str, object]]) -> dict[str, Value]:
        """Return the changes of a layer in plain keys, with values as rules and columns want them."""
        plain: dict[str, Value] = {}
        self.cells |= dict(layer)
        for key, value in layer:
            if key == LAYOUT:
                continue
            try:
                name, fitting = self._plain_change(key, value)
            except Misfit as misfit:
                self._fault(where, key, str(misfit))
                continue
            if plain.setdefault(name, fitting) != fitting:
                self._fault(where, key, f"found {fitting!r}, but {name} is also {plain[name]!r}")
        return plain

    def _plain_change(self, key: str, value: object) -> tuple[str, Value]:
        """Return the plain key and the fitting value of one change.

        Raises:
            Misfit: There is no such key, or the value does not fit.

        """
        rules, specs = self.components.rules, self.components.specs
        if key in rules:
            return key, rule_value(rules[key], value)
        table, _, rest = key.partition(".")
        if table not in specs:
            known = [*rules, *specs, VARIANT, *([LAYOUT] if self.components.layouts() else [])]
            hint = nearest(key if table == POLICY else table, known)
            message = f"found an unknown key, expected a rule, switch or table{hint}"
            raise Misfit(message)
        thing, _, column = rest.partition(".")
        return self._plain_cell(table, thing, column, value)

    def _plain_cell(self, table: str, thing: str, column: str, value: object) -> tuple[str, Value]:
        spec = self.components.specs[table]
        column = spec.aliases.get(column, column) or spec.short or ""
        if not thing or not column:
            message = f"found no column, expected {table}.{spec.key.upper()}.COLUMN"
            raise Misfit(message)
        key = str(self._key_of(table, thing))
        if column in spec.links:
            link = spec.links[column]
            return self._plain_cell(link.table, self._through(table, key, link.through), link.column, value)
        if column not in spec.columns or column == spec.key:
            known = [name for name in (*spec.columns, *spec.aliases, *spec.links) if name != spec.key]
            raise Misfit(one_of(column, known, "a column"))
        found = cell(spec.columns[column], value)
        return f"{table}.{key}.{column}", EMPTY if found is None else found

    def _key_of(self, table: str, thing: str) -> Value:
        """Return a row's key as its column wants it.

        Raises:
            Misfit: No row could be called so.

        """
        spec = self.components.specs[table]
        try:
            return cell(spec.columns[spec.key], thing) or 0
        except Misfit as misfit:
            known = [str(row[spec.key]) for row in self.tables[table]]
            hint = nearest(thing, known) if spec.columns[spec.key].type == "key" else ""
            message = f"{misfit}{hint}"
            raise Misfit(message) from misfit

    def _through(self, table: str, thing: str, column: str) -> str:
        """Return the key in the other table that a row leads to.

        Raises:
            Misfit: It leads nowhere.

        """
        spec = self.components.specs[table]
        row: Row = next((row for row in self.tables[table] if str(row[spec.key]) == thing), {})
        there = self.cells.get(f"{table}.{thing}.{column}", row.get(column))
        if there is None or there == EMPTY:
            known = [str(row[spec.key]) for row in self.tables[table] if row[column] is not None]
            message = f"found no {column} there, expected a {spec.thing} with one: {', '.join(known)}"
            raise Misfit(message)
        return str(there)

    def _apply(self, key: str, value: Value) -> None:
        """Write a change in plain form; an unknown row waits for `_check` to say what it lacks."""
        if key in self.rules:
            self.rules[key] = value
            return
        table, thing, column = key.split(".")
        spec = self.components.specs[table]
        rows = self.tables[table]
        row = next((row for row in rows if str(row[spec.key]) == thing), None)
        if row is None:
            row = {spec.key: self._key_of(table, thing)}
            rows.append(row)
        is_none = value == EMPTY and spec.columns[column].type != "text"
        row[column] = None if is_none else value

    def _check(self) -> None:
        """Complete new rows and look at numbers and tables as a whole."""
        specs = self.components.specs
        for key, rule in self.components.rules.items():
            most = rule.at_most if isinstance(rule, Number) else ""
            if most and int(self.rules[key]) > int(self.rules[most]):
                what = f"found {self.rules[key]}, expected at most {most}, which is {self.rules[most]}"
                self._fault(self.where, key, what)
        for name, spec in specs.items():
            known = [str(row[spec.key]) for row in self.tables[name] if len(row) == len(spec.columns)]
            for row in self.tables[name]:
                self._complete(name, spec, row, known)
        for name, spec in specs.items():
            if name not in self.faulty:
                for fault in faults_of_table(name, spec, self.tables[name], self.tables, specs):
                    self.faults.append(f"{self.where}: {fault}")

    def _complete(self, name: str, spec: Table, row: Row, known: list[str]) -> None:
        """Give a new row the defaults of columns that it was not given, or say what it lacks."""
        if len(row) == len(spec.columns):
            return
        given = dict(row)
        row.clear()
        for column, description in spec.columns.items():
            if column in given or description.optional or description.default is not None:
                row[column] = given.get(column, description.when_new())
        lacking = [column for column in spec.columns if column not in row]
        if lacking:
            thing = str(given[spec.key])
            hint = nearest(thing, known) or f", expected {listed(known)}"
            what = f"found no such {spec.thing}{hint}; a new one needs {', '.join(lacking)}"
            self._fault(self.where, f"{name}.{thing}", what)
