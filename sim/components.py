"""The one checked door for rules and component data: what a variant may change, and every error told in words.

A game's `data/` folder holds `rules.toml` (a table per number and per switch), component tables as CSV files
described by `tables.toml`, and `variants.toml` (named sets of changes). A *change* is a dotted key with a value:
`start_hp = 20`, `claim = "optional"`, `cards.bush.copies = 0`, `layout = "ring36"`, `variant = "few_flips"`.
"""

from __future__ import annotations

import csv
import difflib
import tomllib
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

Value = int | str
Row = dict[str, Any]
DEFAULT_LAYOUT: Final = 0  # place of the layout whose table has the plain file name
PRINTED: Final = "printed"
CERTAINTIES = Literal["confirmed", "derived", "partial", "assumed", "silent"]
PAPERS: Final = ("certainty", "source", "low", "high", "storm_low", "storm_high")
"""Columns of a component table that say how sure a row is, not what it does."""


class ComponentError(ValueError):
    """Something in a change or a data file is wrong; the message names key, value and what was expected."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RuleEntry(_Model):
    """A number or switch of `rules.toml` with its papers."""

    default: Value
    range: tuple[int, int] | None = None
    readings: tuple[str, ...] = ()
    changes: dict[str, dict[str, Value]] = {}
    unit: str = ""
    rules: tuple[str, ...] = ()
    fact: str = ""
    certainty: CERTAINTIES
    source: str
    why: str


class Column(_Model):
    """A column of a component table."""

    type: Literal["int", "name", "text", "key"]
    range: tuple[int, int] | None = None
    names: tuple[str, ...] = ()
    optional: bool = False
    default: Value | None = None


class Link(_Model):
    """A column that is reached through another table's row."""

    table: str
    column: str
    through: str


class TableEntry(_Model):
    """What a component table must look like."""

    key: str
    columns: dict[str, Column]
    layouts: tuple[str, ...] = ()
    short: str | None = None
    aliases: dict[str, str] = {}
    links: dict[str, Link] = {}
    most_rows: int | None = None
    most_copies: int | None = None
    exact_copies: int | None = None


class VariantEntry(_Model):
    """A named set of changes."""

    says: str
    changes: dict[str, Value] = {}


@dataclass(frozen=True)
class Ruleset:
    """One variant, resolved: every number, every reading, every component row.

    Attributes:
        rules: Number or reading by key.
        tables: Rows by table name.
        changes: The changes that made it from the default.

    """

    rules: dict[str, Value]
    tables: dict[str, list[Row]]
    changes: dict[str, Value] = field(default_factory=dict)

    def as_plain(self) -> dict[str, Any]:
        """Return rules and tables as plain data."""
        return {"rules": self.rules, "tables": self.tables}


def nearest(name: str, known: Iterator[str] | list[str]) -> str:
    """Return a hint with the nearest valid name, or nothing."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.4)
    return f" (did you mean '{found[0]}'?)" if found else ""


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        ComponentError: It cannot be read or parsed.

    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        message = f"{path.name}: {fault}"
        raise ComponentError(message) from fault


def _checked(model: type[Any], name: str, where: str, found: Any) -> Any:
    try:
        return model.model_validate(found)
    except ValidationError as fault:
        told = "; ".join(
            f"{where}: {name}.{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in fault.errors()
        )
        raise ComponentError(told) from fault


class Components:
    """All rules and components of one game, checked when read.

    Attributes:
        rules: Entries of `rules.toml`.
        specs: Entries of `tables.toml`.
        tables: Rows of each table (and of each layout's table, as `board:ring36`).
        variants: Named sets of changes, `printed` among them.

    """

    def __init__(
        self,
        rules: dict[str, RuleEntry],
        specs: dict[str, TableEntry],
        tables: dict[str, list[Row]],
        variants: dict[str, VariantEntry],
    ) -> None:
        self.rules = rules
        self.specs = specs
        self.tables = tables
        self.variants = variants

    @classmethod
    def load(cls, folder: Path) -> Components:
        """Read and check a game's data folder.

        Args:
            folder: The game's folder; its data lies in `data/`.

        Raises:
            ComponentError: A file is missing, half-written or breaks its description.

        """
        data = folder / "data"
        rules = {
            key: _checked(RuleEntry, key, "rules.toml", entry) for key, entry in read_toml(data / "rules.toml").items()
        }
        specs: dict[str, TableEntry] = {}
        if (data / "tables.toml").exists():
            found = read_toml(data / "tables.toml")
            specs = {key: _checked(TableEntry, key, "tables.toml", entry) for key, entry in found.items()}
        variants = {PRINTED: VariantEntry(says="the rules as printed, with the default of every switch")}
        if (data / "variants.toml").exists():
            named = read_toml(data / "variants.toml")
            variants |= {key: _checked(VariantEntry, key, "variants.toml", entry) for key, entry in named.items()}
        tables: dict[str, list[Row]] = {}
        for name, spec in specs.items():
            tables[name] = _read_table(data / f"{name}.csv", spec)
            for layout in spec.layouts[DEFAULT_LAYOUT + 1 :]:
                tables[f"{name}:{layout}"] = _read_table(data / f"{name}_{layout}.csv", spec)
        components = cls(rules, specs, tables, variants)
        components.resolve({})
        return components

    def layouts(self) -> dict[str, str]:
        """Return which table each layout picks."""
        return {
            layout: name if place == DEFAULT_LAYOUT else f"{name}:{layout}"
            for name, spec in self.specs.items()
            for place, layout in enumerate(spec.layouts)
        }

    def resolve(
        self,
        changes: Mapping[str, object] | None = None,
        variant: str | None = None,
        where: str = "changes",
    ) -> Ruleset:
        """Return the default with changes applied.

        Args:
            changes: Values by dotted key; text is read as a number where one is wanted.
            variant: A named variant to start from.
            where: What to call the place of the changes in an error: a file or flag.

        Raises:
            ComponentError: Anything is wrong; all faults are told at once.

        """
        wanted = _flatten(changes or {})
        faults: list[str] = []
        named = wanted.pop("variant", variant)
        merged: dict[str, Any] = {}
        if named is not None:
            if str(named) in self.variants:
                merged |= self.variants[str(named)].changes
            else:
                hint = nearest(str(named), list(self.variants))
                faults.append(f"{where}: variant: found '{named}', expected a named variant{hint}")
        merged |= wanted
        merged = self._with_readings(merged)
        resolution = _Resolution(self, where, faults)
        ruleset = resolution.apply(merged)
        if faults:
            raise ComponentError("\n".join(faults))
        return ruleset

    def _with_readings(self, merged: dict[str, Any]) -> dict[str, Any]:
        """Put in front what a reading changes among the components."""
        first: dict[str, Any] = {}
        for key, value in merged.items():
            if key in self.rules:
                first |= self.rules[key].changes.get(str(value), {})
        return first | merged

    def describe(self) -> list[dict[str, Any]]:
        """Return one row per number and switch, with range or readings, certainty, source and reason."""
        return [
            {
                "key": key,
                "default": entry.default,
                "expected": _expected(entry),
                "unit": entry.unit,
                "rules": " ".join(entry.rules) or entry.fact,
                "certainty": entry.certainty,
                "source": entry.source,
                "why": entry.why,
                "is_switch": bool(entry.readings),
            }
            for key, entry in self.rules.items()
        ]

    def describe_components(self) -> list[dict[str, Any]]:
        """Return one row per row of each component table."""
        rows = []
        for table, spec in self.specs.items():
            for row in self.tables[table]:
                shown = {name: row[name] for name in spec.columns if row[name] is not None}
                papers = {name: row.get(name) for name in PAPERS if row.get(name) not in (None, "")}
                rows.append({"table": table, "key": row[spec.key], "values": shown, **papers})
        return rows

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of a set of changes, for editors."""
        properties: dict[str, Any] = {
            "variant": {"enum": sorted(self.variants)},
            "layout": {"enum": sorted(self.layouts())},
        }
        for key, entry in self.rules.items():
            properties[key] = {"description": entry.why, **_schema_of(entry.range, entry.readings)}
        for table, spec in self.specs.items():
            for row in self.tables[table]:
                for name, column in spec.columns.items():
                    properties[f"{table}.{row[spec.key]}.{name}"] = _schema_of(column.range, column.names)
        return {"type": "object", "properties": properties}


def _schema_of(limits: tuple[int, int] | None, names: tuple[str, ...]) -> dict[str, Any]:
    if names:
        return {"enum": list(names)}
    if limits is not None:
        return {"type": "integer", "minimum": limits[0], "maximum": limits[1]}
    return {"type": "string"}


def _expected(entry: RuleEntry) -> str:
    if entry.readings:
        return ", ".join(entry.readings)
    return "any" if entry.range is None else f"{entry.range[0]} to {entry.range[1]}"


def _flatten(changes: Mapping[str, object], prefix: str = "") -> dict[str, Any]:
    """Return changes by dotted key; nested tables of TOML are the same thing."""
    flat: dict[str, Any] = {}
    for key, value in changes.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            flat |= _flatten(value, f"{name}.")
        else:
            flat[name] = value
    return flat


def _read_table(path: Path, spec: TableEntry) -> list[Row]:
    """Read a component table and check every value against its column.

    Raises:
        ComponentError: A column is missing or a value does not fit.

    """
    try:
        with path.open(newline="", encoding="utf-8") as file:
            found = list(csv.DictReader(file))
    except OSError as fault:
        message = f"{path.name}: {fault}"
        raise ComponentError(message) from fault
    rows, faults = [], []
    for number, row in enumerate(found):
        checked: Row = {name: row.get(name) for name in PAPERS if row.get(name) is not None}
        for name, column in spec.columns.items():
            try:
                checked[name] = _value_of(column, row.get(name))
            except ComponentError as fault:
                faults.append(f"{path.name}: row {number + 1}: {name}: {fault}")
        rows.append(checked)
    if faults:
        raise ComponentError("\n".join(faults))
    return rows


def _value_of(column: Column, found: object) -> Value | None:
    """Return a value as its column wants it.

    Raises:
        ComponentError: It does not fit; the text says what was found and expected.

    """
    if found is None or found == "":
        if column.optional:
            return None
        if column.default is not None:
            return column.default
        message = "found nothing, expected a value"
        raise ComponentError(message)
    if column.type == "int":
        return _number_of(found, column.range)
    text = str(found)
    if column.names and text not in column.names:
        message = f"found '{text}', expected one of {', '.join(column.names)}{nearest(text, list(column.names))}"
        raise ComponentError(message)
    return text


def _number_of(found: object, limits: tuple[int, int] | None) -> int:
    """Return a whole number within limits.

    Raises:
        ComponentError: It is none, or outside.

    """
    wanted = "a whole number" if limits is None else f"a whole number from {limits[0]} to {limits[1]}"
    message = f"found {found!r}, expected {wanted}"
    if isinstance(found, bool | float) or not isinstance(found, int | str):
        raise ComponentError(message)
    try:
        number = int(found)
    except ValueError as fault:
        raise ComponentError(message) from fault
    if limits is not None and not limits[0] <= number <= limits[1]:
        raise ComponentError(message)
    return number


class _Resolution:
    """Applies changes to a copy of the defaults and collects the faults."""

    def __init__(self, components: Components, where: str, faults: list[str]) -> None:
        self.components = components
        self.where = where
        self.faults = faults
        self.rules: dict[str, Value] = {key: entry.default for key, entry in components.rules.items()}
        self.tables = {name: deepcopy(components.tables[name]) for name in components.specs}
        self.new_rows: dict[tuple[str, str], dict[str, Any]] = {}

    def apply(self, changes: dict[str, Any]) -> Ruleset:
        """Apply layout first, then rules and rows, then new rows; check the totals."""
        layout = changes.get("layout")
        if layout is not None:
            self._pick_layout(str(layout))
        for key, value in changes.items():
            if key != "layout":
                self._change(key, value)
        for (table, name), values in self.new_rows.items():
            self._add_row(table, name, values)
        self._check_totals()
        return Ruleset(self.rules, self.tables, dict(changes))

    def _fault(self, key: str, told: str) -> None:
        self.faults.append(f"{self.where}: {key}: {told}")

    def _pick_layout(self, layout: str) -> None:
        known = self.components.layouts()
        if layout not in known:
            told = f"found '{layout}', expected one of {', '.join(known) or 'none'}{nearest(layout, list(known))}"
            self._fault("layout", told)
            return
        table = known[layout]
        self.tables[table.partition(":")[0]] = deepcopy(self.components.tables[table])

    def _change(self, key: str, value: Any) -> None:
        if key in self.rules:
            self._change_rule(key, value)
            return
        table, _, rest = key.partition(".")
        if table not in self.tables:
            known = [*self.rules, *self.tables, "variant", "layout"]
            self._fault(key, f"found an unknown key, expected a rule, switch or table{nearest(key, known)}")
            return
        name, _, column = rest.partition(".")
        self._change_row(key, table, name, column, value)

    def _change_rule(self, key: str, value: Any) -> None:
        entry = self.components.rules[key]
        try:
            if entry.readings:
                self.rules[key] = _value_of(Column(type="name", names=entry.readings), value) or ""
            else:
                self.rules[key] = _number_of(value, entry.range)
        except ComponentError as fault:
            self._fault(key, str(fault))

    def _change_row(self, key: str, table: str, name: str, column: str, value: Any) -> None:
        spec = self.components.specs[table]
        column = spec.aliases.get(column, column) or (spec.short or "")
        row = next((row for row in self.tables[table] if str(row[spec.key]) == name), None)
        if column in spec.links and row is not None:
            link = spec.links[column]
            if row[link.through] is None:
                self._fault(key, f"space {name} has no {link.through}, so it has no {column}")
                return
            self._change(f"{link.table}.{row[link.through]}.{link.column}", value)
            return
        if column not in spec.columns:
            known = [*spec.columns, *spec.aliases, *spec.links]
            told = f"found column '{column}', expected one of {', '.join(known)}{nearest(column, known)}"
            self._fault(key, told)
            return
        try:
            checked = _value_of(spec.columns[column], value)
        except ComponentError as fault:
            self._fault(key, str(fault))
            return
        if row is not None:
            row[column] = checked
        else:
            self.new_rows.setdefault((table, name), {})[column] = checked

    def _add_row(self, table: str, name: str, values: dict[str, Any]) -> None:
        """Add a new row at the end, or say which known row was perhaps meant."""
        spec = self.components.specs[table]
        row: Row = {}
        for column, description in spec.columns.items():
            if column == spec.key:
                row[column] = name
            elif column in values:
                row[column] = values[column]
            elif description.default is not None or description.optional:
                row[column] = description.default
            else:
                known = [str(other[spec.key]) for other in self.tables[table]]
                told = f"found no such row; a new one also needs {column}{nearest(name, known)}"
                self._fault(f"{table}.{name}", told)
                return
        self.tables[table].append(row)

    def _check_totals(self) -> None:
        for table, spec in self.components.specs.items():
            rows = self.tables[table]
            if spec.most_rows is not None and len(rows) > spec.most_rows:
                self._fault(table, f"found {len(rows)} rows, expected at most {spec.most_rows}")
            if "copies" not in spec.columns:
                continue
            total = sum(int(row["copies"] or 0) for row in rows)
            if spec.most_copies is not None and total > spec.most_copies:
                self._fault(table, f"found {total} copies in all, expected at most {spec.most_copies}")
            if spec.exact_copies is not None and total != spec.exact_copies:
                self._fault(table, f"found {total} copies in all, expected exactly {spec.exact_copies}")
