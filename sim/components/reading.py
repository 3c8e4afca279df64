"""Reads the files of a game's `data/` folder; each is checked before anything is made of it."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import json
import tomllib
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from pydantic import ValidationError

from sim.components.faults import ComponentError, Misfit, one_of, told
from sim.components.models import (
    ASSUMED,
    CERTAINTY,
    SOURCE,
    Column,
    Model,
    Number,
    Origin,
    Row,
    Switch,
    Table,
    Value,
    Variant,
)
from sim.components.values import KEY, cell

RULES: Final = "rules.toml"
POLICIES: Final = "policies.toml"
POLICY: Final = "policy"  # what keys of numbers of policies begin with
TABLES: Final = "tables.toml"
VARIANTS: Final = "variants.toml"
SOURCES: Final = "SOURCES.toml"
FIRST_ROW: Final = 2  # line of a CSV file, after its header
PRINTED: Final = "printed"
CERTAINTY_COLUMN: Final = Column(type="name", names=("confirmed", "derived", "partial", "assumed", "silent"))
SOURCE_COLUMN: Final = Column(type="text")
BOUND_COLUMN: Final = Column(type="int", range=(-(2**31), 2**31), optional=True)

Kind = TypeVar("Kind", bound=Model)


class Sheet(NamedTuple):
    """A component table as read: what the things do, and the papers of each."""

    rows: list[Row]
    papers: list[Row]


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        ComponentError: It is missing, unreadable or half-written.

    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise ComponentError([f"{path.name}: found bytes that are no UTF-8 text"]) from error
    except OSError as error:
        raise ComponentError([f"{path.name}: cannot be read: {error.strerror}"]) from error
    except tomllib.TOMLDecodeError as error:
        message = f"{path.name}: is no whole TOML file: {str(error)[0].lower()}{str(error)[1:]}"
        raise ComponentError([message]) from error


def read_rules(path: Path) -> dict[str, Number | Switch]:
    """Read numbers and switches; what has readings is a switch.

    Raises:
        ComponentError: An entry is not as it must be; all faults are told.

    """
    faults: list[str] = []
    rules: dict[str, Number | Switch] = {}
    for key, entry in read_toml(path).items():
        is_switch = isinstance(entry, dict) and "readings" in entry
        found: Number | Switch | None = (
            _entry(Switch, entry, path.name, key, faults)
            if is_switch
            else _entry(Number, entry, path.name, key, faults)
        )
        if found is not None:
            rules[key] = found
    if faults:
        raise ComponentError(faults)
    return rules


def read_policies(path: Path) -> dict[str, Number | Switch]:
    """Read the numbers of policies by their keys, `policy.NAME`; none if there is no such file.

    Raises:
        ComponentError: An entry is not as it must be; all faults are told.

    """
    return {f"{POLICY}.{key}": number for key, number in read_entries(Number, path).items()}


def read_entries(model: type[Kind], path: Path) -> dict[str, Kind]:
    """Read a file that has one entry of a kind per key; none if there is no such file.

    Raises:
        ComponentError: An entry is not as it must be; all faults are told.

    """
    faults: list[str] = []
    entries: dict[str, Kind] = {}
    for key, entry in read_toml(path).items() if path.exists() else ():
        found = _entry(model, entry, path.name, key, faults)
        if found is not None:
            entries[key] = found
    if faults:
        raise ComponentError(faults)
    return entries


def _entry(model: type[Kind], entry: object, where: str, key: str, faults: list[str]) -> Kind | None:
    if not KEY.fullmatch(key):
        faults.append(f"{where}: {key}: expected a name of small letters, digits and underscores")
    try:
        return model.model_validate(entry)
    except ValidationError as error:
        faults.extend(told(error, where, key, model))
        return None


def read_variants(path: Path, rules: dict[str, Number | Switch]) -> dict[str, Variant]:
    """Read named sets of changes; `printed` and one for each other reading need not be written.

    Raises:
        ComponentError: An entry is not as it must be, or has a name that is taken.

    """
    variants = {PRINTED: Variant(says="The rulebook, with the default of every switch.")}
    for key, rule in rules.items():
        if isinstance(rule, Switch):
            for reading in rule.readings[1:]:
                says = rule.reading_means[reading]
                variants[f"{key}_{reading}"] = Variant(says=says, changes={key: reading})
    written = read_entries(Variant, path)
    taken = [f"{path.name}: {name}: is there without being written" for name in written.keys() & variants]
    if taken:
        raise ComponentError(sorted(taken))
    return variants | written


def file_of(table: str, layout: str, spec: Table) -> str:
    """Return the name of a table's file: the first layout's is the table's own."""
    is_first = layout == next(iter(spec.layouts), "")
    return f"{table}.csv" if is_first else f"{table}_{layout}.csv"


def read_sheet(path: Path, spec: Table, origin: Origin | None) -> Sheet:
    """Read a component table and check every cell against its column.

    Raises:
        ComponentError: The file is not the one that was checked, or a cell does not fit.

    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise ComponentError([f"{path.name}: cannot be read: {error.strerror}"]) from error
    faults = _stale(path, text, origin)
    lines = csv.DictReader(io.StringIO(text.decode("utf-8", errors="replace")), strict=True)
    header = list(lines.fieldnames or ())
    wanted = [*spec.columns, *spec.papers()]
    faults += [f"{path.name}: {one_of(name, wanted, 'a column')}" for name in header if name not in wanted]
    faults += [f"{path.name}: lacks the column {name}" for name in wanted if name not in header]
    if faults:
        raise ComponentError(faults)
    sheet = Sheet([], [])
    for line, found in enumerate(lines, start=FIRST_ROW):
        _read_row(found, spec, sheet, f"{path.name}: line {line}", faults)
    if faults:
        raise ComponentError(faults)
    return sheet


def _stale(path: Path, text: bytes, origin: Origin | None) -> list[str]:
    remedy = "check it, then run `python -m sim.components` on the game's folder"
    if origin is None:
        return [f"{path.name}: has no entry [{path.stem}] in {SOURCES}; {remedy}"]
    if origin.sha256 != digest(text):
        return [f"{path.name}: changed since it was checked on {origin.checked_on}; {remedy}"]
    return []


def digest(text: bytes) -> str:
    """Return the hash of a file, the same with either kind of line ends."""
    return hashlib.sha256(text.replace(b"\r\n", b"\n")).hexdigest()


def _read_row(found: Row, spec: Table, sheet: Sheet, where: str, faults: list[str]) -> None:
    """Add a line of the file to the sheet."""
    if None in found or None in found.values():
        faults.append(f"{where}: has more or fewer cells than the header")
        return
    place = f"{where}: {found[spec.key]}"
    row = _cells(found, spec.columns, place, faults)
    bounds = {name: BOUND_COLUMN for pair in spec.ranges.values() for name in pair}
    columns = {CERTAINTY: CERTAINTY_COLUMN, SOURCE: SOURCE_COLUMN, **bounds}
    papers = _cells(found, columns, place, faults)
    sheet.rows.append(row)
    sheet.papers.append(papers)
    faults.extend(f"{place}: {fault}" for fault in _unsure(row, papers, spec))


def _cells(found: Row, columns: dict[str, Column], where: str, faults: list[str]) -> Row:
    row: dict[str, Value | None] = {}
    for name, column in columns.items():
        try:
            row[name] = cell(column, found[name])
        except Misfit as misfit:
            row[name] = None
            faults.append(f"{where}.{name}: {misfit}")
    return row


def _unsure(row: Row, papers: Row, spec: Table) -> list[str]:
    """Return what an assumed row lacks, and ranges that leave their value out."""
    faults, has_range = [], False
    for name, (low, high) in spec.ranges.items():
        bounds = papers[low], papers[high]
        has_range |= None not in bounds
        if None not in bounds and bounds[0] == bounds[1]:
            faults.append(f"found {low} and {high} {bounds[0]}, expected a range of more than one value, or none")
        if bounds != (None, None) and (None in bounds or row[name] is None or not bounds[0] <= row[name] <= bounds[1]):
            faults.append(f"found {low} {bounds[0]}, {high} {bounds[1]}, expected both round {row[name]}")
    if papers[CERTAINTY] == ASSUMED and not has_range and not spec.alternatives:
        faults.append(f"is assumed without a range; fill {', '.join(map('/'.join, spec.ranges.values()))}")
    return faults


def renew_hashes(folder: Path, today: dt.date | None = None) -> list[str]:
    """Write the hashes of the tables that changed into SOURCES.toml, once they have been checked.

    Args:
        folder: A game's folder.
        today: When they were checked.

    Returns:
        The names of the files whose entries were written.

    """
    data = Path(folder) / "data"
    specs = read_entries(Table, data / TABLES)
    origins = read_entries(Origin, data / SOURCES)
    renewed, entries = [], ["# Written by `python -m sim.components`; only the sources are written by hand.\n"]
    for table, spec in specs.items():
        for layout in spec.layouts or ("",):
            path = data / file_of(table, layout, spec)
            known = origins.get(path.stem)
            if known is None or known.sha256 != digest(path.read_bytes()):
                known = _origin(path, known, today)
                renewed.append(path.name)
            entries.append(
                f'[{path.stem}]\nsha256 = "{known.sha256}"\nchecked_on = {known.checked_on}\n'
                f"source = {json.dumps(known.source, ensure_ascii=False)}\n"
            )
    if specs:
        (data / SOURCES).write_text("\n".join(entries), encoding="utf-8", newline="\n")
    return renewed


def _origin(path: Path, known: Origin | None, today: dt.date | None) -> Origin:
    source = known.source if known else "see the column source"
    checked_on = today or dt.datetime.now(tz=dt.UTC).date()
    return Origin(sha256=digest(path.read_bytes()), checked_on=checked_on, source=source)
