"""All rules and components of one game: read once, asked often, never changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from sim.components.checks import faults_of_table
from sim.components.faults import ComponentError, one_of, span
from sim.components.known import faults_of_known
from sim.components.models import ASSUMED, CERTAINTY, SOURCE, Number, Origin, Row, Switch, Table, Value, Variant
from sim.components.reading import (
    POLICIES,
    RULES,
    SOURCES,
    TABLES,
    VARIANTS,
    Sheet,
    file_of,
    read_entries,
    read_policies,
    read_rules,
    read_sheet,
    read_variants,
)
from sim.components.resolution import Resolution, Ruleset
from sim.components.schema import schema_of_changes, schemas_of_files

KEPT: Final = 8  # folders


class Components:
    """All rules and components of one game.

    Attributes:
        rules: Numbers and switches of `rules.toml` by key, and numbers of `policies.toml` as `policy.KEY`.
        specs: What each component table looks like, by name.
        sheets: Rows and papers of each table, by its name and layout ("" where it has one file).
        variants: Named sets of changes; `printed` and one for each other reading are always there.

    """

    def __init__(
        self,
        rules: dict[str, Number | Switch],
        specs: dict[str, Table],
        sheets: dict[tuple[str, str], Sheet],
        variants: dict[str, Variant],
    ) -> None:
        self.rules = rules
        self.specs = specs
        self.sheets = sheets
        self.variants = variants

    @classmethod
    def load(cls, folder: Path) -> Components:
        """Read and check what a game is made of.

        Args:
            folder: The game's folder; the files lie in its `data/`.

        Raises:
            ComponentError: A file is missing, half-written, not the one that was checked, or
                breaks its description; all faults of all files are told.

        """
        data = Path(folder) / "data"
        stamp = tuple((path.name, path.stat().st_mtime_ns) for path in sorted(data.glob("*")))
        return cls._read(data, stamp)

    @classmethod
    @lru_cache(maxsize=KEPT)
    def _read(cls, data: Path, _stamp: tuple[tuple[str, int], ...]) -> Components:
        """Read a folder; what was read is kept, since games ask for it often and nobody changes it."""
        rules = read_rules(data / RULES) | read_policies(data / POLICIES)
        specs = read_entries(Table, data / TABLES)
        origins = read_entries(Origin, data / SOURCES)
        sheets: dict[tuple[str, str], Sheet] = {}
        faults: list[str] = []
        for table, spec in specs.items():
            for layout in spec.layouts or ("",):
                path = data / file_of(table, layout, spec)
                try:
                    sheets[table, layout] = read_sheet(path, spec, origins.get(path.stem))
                except ComponentError as error:
                    faults.extend(error.faults)
        if faults:
            raise ComponentError(faults)
        components = cls(rules, specs, sheets, read_variants(data / VARIANTS, rules))
        components.check()
        return components

    def check(self) -> None:
        """Look at each table as a whole, in each of its layouts, and at what files say of each other.

        Raises:
            ComponentError: A table does not hold together.

        """
        faults = []
        firsts = {name: self.sheets[name, next(iter(spec.layouts), "")] for name, spec in self.specs.items()}
        tables = {name: sheet.rows for name, sheet in firsts.items()}
        for (name, layout), sheet in self.sheets.items():
            spec = self.specs[name]
            rest = faults_of_table(name, spec, sheet.rows, {**tables, name: sheet.rows}, self.specs)
            faults += [f"{file_of(name, layout, spec)}: {fault}" for fault in rest]
        for key, rule in self.rules.items():
            if isinstance(rule, Number) and rule.at_most and not isinstance(self.rules.get(rule.at_most), Number):
                faults.append(f"{RULES}: {key}.at_most: {one_of(rule.at_most, self.rules, 'a number')}")
        for name, spec in self.specs.items():
            first = self.sheets[name, next(iter(spec.layouts), "")]
            faults += [f"{TABLES}: {name}.{fault}" for fault in faults_of_known(spec, first.rows, first.papers)]
            strange = [variant for variant in spec.alternatives if variant not in self.variants]
            faults += [f"{TABLES}: {name}.alternatives: found no variant {variant}" for variant in strange]
        if faults:
            raise ComponentError(faults)

    def layouts(self) -> dict[str, str]:
        """Return which table each layout belongs to."""
        return {layout: name for name, spec in self.specs.items() for layout in spec.layouts}

    def resolve(
        self,
        changes: Mapping[str, object] | None = None,
        variant: str | None = None,
        where: str = "changes",
    ) -> Ruleset:
        """Return the defaults with changes applied.

        Args:
            changes: Values by dotted key, nested or flat; `variant` and `layout` are keys too. Text
                is read as a number where one is wanted; an empty text empties an optional cell.
            variant: A named variant that is applied first.
            where: What an error calls the place of the changes: a file or a flag.

        Raises:
            ComponentError: Anything is wrong; all faults are told.

        """
        return Resolution(self, where).run(changes or {}, variant)

    def describe(self) -> list[dict[str, Any]]:
        """Return a row per number and switch: what is expected, and its papers."""
        return [_describe(key, rule) for key, rule in self.rules.items()]

    def describe_components(self) -> list[dict[str, Any]]:
        """Return a row per thing of each table's default file: what it does, and its papers."""
        return [
            {"table": name, "key": row[spec.key], **_describe_row(row, papers, spec)}
            for name, spec in self.specs.items()
            for row, papers in zip(*self.sheets[name, next(iter(spec.layouts), "")], strict=True)
        ]

    def assumed(self) -> list[dict[str, Any]]:
        """Return a row per assumed value: the key to change, its default, and where the truth may lie.

        A number has `low` and `high`; a switch, and a thing without a range, has `alternatives`, the
        names of variants to compare.
        """
        found = []
        for key, rule in self.rules.items():
            if rule.certainty == ASSUMED and isinstance(rule, Switch):
                found.append(_assumption(key, rule.default, alternatives=[f"{key}_{one}" for one in rule.readings[1:]]))
            elif rule.certainty == ASSUMED and isinstance(rule, Number):
                found.append(_assumption(key, rule.default, (rule.low, rule.high)))
        for row in self.describe_components():
            if row["certainty"] == ASSUMED:
                key, ranges = f"{row['table']}.{row['key']}", row["ranges"]
                for column, bounds in ranges.items():
                    found.append(_assumption(f"{key}.{column}", row["values"][column], bounds))
                if not ranges:
                    found.append(_assumption(key, None, alternatives=list(self.specs[row["table"]].alternatives)))
        return found

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of a set of changes, with which editors complete keys."""
        return schema_of_changes(self)

    def schemas(self) -> dict[str, dict[str, Any]]:
        """Return the JSON schemas of `changes` and of each file of the data folder."""
        return schemas_of_files(self)


def _describe(key: str, rule: Number | Switch) -> dict[str, Any]:
    described = {
        "key": key,
        "default": rule.default,
        "rules": " ".join(rule.rules),
        "fact": rule.fact,
        "certainty": rule.certainty,
        "source": rule.source,
        "why": rule.why,
    }
    if isinstance(rule, Switch):
        expected = {"expected": ", ".join(rule.readings), "unit": "reading", "is_switch": True}
        return {**described, **expected, "means": dict(rule.reading_means), "low": None, "high": None}
    allowed = span(rule.range)
    if rule.low is not None and rule.high is not None:
        allowed = f"{allowed}; the truth in {span((rule.low, rule.high))}"
    expected = {"expected": allowed, "unit": rule.unit, "is_switch": False}
    return {**described, **expected, "means": {}, "low": rule.low, "high": rule.high}


def _describe_row(row: Row, papers: Row, spec: Table) -> dict[str, Any]:
    ranges = {
        column: (papers[low], papers[high]) for column, (low, high) in spec.ranges.items() if papers[low] is not None
    }
    low, high = next(iter(ranges.values()), (None, None))
    values = {column: value for column, value in row.items() if value is not None}
    about = {"certainty": papers[CERTAINTY], "source": papers[SOURCE]}
    return {"values": values, **about, "ranges": ranges, "low": low, "high": high}


def _assumption(
    key: str,
    default: Value | None,
    bounds: tuple[int | None, int | None] = (None, None),
    alternatives: Sequence[str] = (),
) -> dict[str, Any]:
    low, high = bounds
    return {"key": key, "default": default, "low": low, "high": high, "alternatives": list(alternatives)}
