"""Shapes tables for people: estimates with their interval, profiles side by side, what is the same in the title.

Programs get the rows as they are (JSON, CSV); people get one line per thing, as many digits as the error allows,
and no column that says the same on every line.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Rows = "Sequence[Mapping[str, Any]]"
SIGNIFICANT: Final = 2  # digits of a standard error that are shown
MOST_DECIMALS: Final = 6
PERCENT: Final = 100
WIDTHS_OF_95: Final = 4  # an interval is about so many standard errors wide
PROFILE: Final = "profile"
SHARE_TABLES: Final = frozenset({"win_share", "policy_share", "item_share", "counts"})  # proportions, shown in per cent
POINT_TABLES: Final = frozenset({"seat_advantage", "item_balance", "advice"})
ESTIMATE: Final = ("value", "mcse", "lower", "upper", "level", "n_playouts")
OF_A_PROFILE: Final = (  # columns that go with the profile
    "policy",
    "truncated",
    "worst_case",
    "best_case",
    "differing",
    "variance_reduction",
    "n_with_item",
    "verdict",
)
CUT: Final = frozenset({"truncated", "worst_case", "best_case", "limit_needed"})  # of truncated playouts
TITLE_COLUMNS: Final = ("variant", "seats", PROFILE, "baseline", "estimand", "unit")
TOLD_OTHERWISE: Final = frozenset({"level_each", "n_more_lower", "n_more_upper"})
"""Columns for programs, or told beside the verdict."""
PARTS: Final = frozenset({"truncated", "worst_case", "best_case", "differing"})  # proportions, shown in per cent
RAW_COLUMNS: Final = frozenset({"a", "b", "c"})  # the numbers of an event
SPLIT_BY: Final = {"item_balance": "estimand"}


@dataclass(frozen=True)
class Sheet:
    """A table as people read it.

    Attributes:
        title: What it shows and what all its lines share.
        head: Titles of the columns.
        lines: Cells, line by line.

    """

    title: str
    head: Sequence[str]
    lines: Sequence[Sequence[str]]

    def is_number(self, column: int) -> bool:
        """Return whether a column holds nothing but numbers and intervals."""
        return bool(self.lines) and all(looks_numeric(line[column]) for line in self.lines)


def sheets(name: str, rows: Sequence[Mapping[str, Any]]) -> list[Sheet]:
    """Return a table for reading, in parts where one column parts it."""
    splitting = SPLIT_BY.get(name)
    if splitting is None:
        return [sheet(name, rows)]
    values = dict.fromkeys(row[splitting] for row in rows)
    return [sheet(name, [row for row in rows if row[splitting] == value]) for value in values]


def sheet(name: str, rows: Sequence[Mapping[str, Any]]) -> Sheet:
    """Return one table for reading."""
    if not rows:
        return Sheet(name.replace("_", " "), ["(none)"], [])
    columns = list(dict.fromkeys(column for row in rows for column in row))
    if not set(ESTIMATE) <= set(columns):
        return Sheet(name.replace("_", " "), columns, [[cell(row, column) for column in columns] for row in rows])
    factor = PERCENT if name in SHARE_TABLES else 1
    same = {column for column in TITLE_COLUMNS if column in columns and len({row[column] for row in rows}) == 1}
    title = ", ".join([title_of(name, rows), *(named(column, rows[0]) for column in TITLE_COLUMNS if column in same)])
    kept = [
        column for column in columns if column not in {*same, *ESTIMATE, *TOLD_OTHERWISE} and not is_quiet(column, rows)
    ]
    if PROFILE in kept and not any(column.startswith("quantile") for column in columns):
        return beside(title, rows, [column for column in kept if column not in {PROFILE, *OF_A_PROFILE}], factor)
    varies = [] if len({row["n_playouts"] for row in rows}) == 1 else ["n_playouts"]
    places = kept.index("truncated") if "truncated" in kept else len(kept)
    labels, tail = kept[:places], [*kept[places:], *varies]
    lines = [
        [
            *(cell(row, column) for column in labels),
            estimate(row, factor),
            interval(row, factor),
            *(cell(row, column) for column in tail),
        ]
        for row in rows
    ]
    return Sheet(title, [*labels, "value", "interval", *tail], lines)


def beside(title: str, rows: Sequence[Mapping[str, Any]], keys: Sequence[str], factor: float) -> Sheet:
    """Return a table with a column for each profile."""
    profiles = list(dict.fromkeys(str(row[PROFILE]) for row in rows))
    lines: dict[tuple[str, ...], dict[str, str]] = {}
    for row in rows:
        place = tuple(cell(row, key) for key in keys)
        lines.setdefault(place, {})[str(row[PROFILE])] = " ".join(filter(None, of_profile(row, factor)))
    return Sheet(
        title,
        [*keys, *profiles],
        [[*place, *(found.get(profile, "") for profile in profiles)] for place, found in lines.items()],
    )


def of_profile(row: Mapping[str, Any], factor: float) -> list[str]:
    """Return what stands in the cell of a profile: its estimate, its verdict, and what was truncated of it."""
    cut = f"({cell(row, 'truncated')} truncated)" if row.get("truncated") else ""
    return [estimate(row, factor), interval(row, factor), cell(row, "verdict"), cut]


def is_quiet(column: str, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a column says nothing: no truncated playout anywhere, nothing on any line."""
    return column in CUT and not any(row.get("truncated") for row in rows)


def title_of(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return what a table of estimates shows, with the level of its intervals."""
    unit = ", per cent" if name in SHARE_TABLES else ", percentage points" if name in POINT_TABLES else ""
    levels = {row["level"] for row in rows if isinstance(row["level"], float) and not math.isnan(row["level"])}
    counts = {row["n_playouts"] for row in rows}
    title = name.replace("_", " ") + unit
    if len(levels) == 1:
        title += f", {PERCENT * levels.pop():.4g} % intervals"
    if len(counts) == 1 and isinstance(n := counts.pop(), int):
        title += f", {n:,} playouts"
    return title


def named(column: str, row: Mapping[str, Any]) -> str:
    """Return what all lines share, in words."""
    value = row[column]
    if column == "seats":
        return f"{value} seats"
    return f"over {value}" if column == "baseline" else str(value)


def estimate(row: Mapping[str, Any], factor: float) -> str:
    """Return a value with as many decimals as its error allows."""
    return number(float_of(row["value"]) * factor, decimals(row, factor))


def interval(row: Mapping[str, Any], factor: float) -> str:
    """Return an interval, or nothing where there is none."""
    ends = [float_of(row[name]) * factor for name in ("lower", "upper")]
    if any(math.isnan(end) for end in ends):
        return ""
    return f"[{', '.join(number(end, decimals(row, factor)) for end in ends)}]"


def cell(row: Mapping[str, Any], column: str) -> str:
    """Return one cell that is no estimate."""
    value = row.get(column)
    if column == "verdict" and float_of(row.get("n_more_upper")) > 0:
        return f"{value} ({row['n_more_lower']:,.0f} to {row['n_more_upper']:,.0f} more)"
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value)
    if isinstance(value, float):
        return f"{PERCENT * value:,.4g} %" if column in PARTS else f"{value:,.4g}"
    is_count = isinstance(value, int) and not isinstance(value, bool) and column not in RAW_COLUMNS
    return f"{value:,}" if is_count else str(value)


def float_of(value: Any) -> float:
    """Return a number that may be missing; what is missing is no number."""
    return math.nan if value is None else float(value)


def decimals(row: Mapping[str, Any], factor: float) -> int:
    """Return how many decimals an estimate deserves: its error's first two digits."""
    width = float_of(row["upper"]) - float_of(row["lower"])
    error = factor * (float_of(row["mcse"] or 0.0) or width / WIDTHS_OF_95)
    if not error or not math.isfinite(error):
        return SIGNIFICANT
    return max(0, min(MOST_DECIMALS, SIGNIFICANT - 1 - math.floor(math.log10(abs(error)))))


def number(value: float, places: int) -> str:
    """Return a number with thousands set apart."""
    return "" if math.isnan(value) else f"{value:,.{places}f}"


def looks_numeric(text: str) -> bool:
    """Return whether a cell holds a number, an interval or nothing."""
    return not text.strip("0123456789.,+-e[]% ")
