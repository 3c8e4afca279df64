"""Prints a report in one of four forms: tables for people, JSON, CSV or Markdown for programs and pages.

A *report* is what a command has to say: sentences, named tables of rows, and what makes it repeatable. All
forms have the same tables; JSON is one document and nothing else.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import shutil
import sys
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, Literal

from sim.cli.progress import note
from sim.cli.reading import Sheet, sheets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SCHEMA: Final = 2  # 1 counted seats and places from 0
PIPED_WIDTH: Final = 10_000  # columns of a table that nobody's terminal limits
MOST_LINES: Final = 120  # a longer table is named, not shown

Row = dict[str, Any]


class Format(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MD = "md"


class Color(StrEnum):
    """When output is coloured."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


@dataclass
class Report:
    """What a command has to say.

    Attributes:
        command: The command's name.
        tables: Rows by table name.
        sentences: Lines for people, before the tables.
        seed: Seed of all draws, or None where nothing is drawn.
        fingerprint: Hash of all sources and data behind the results, or None.
        more: Further members of the JSON document.

    """

    command: str
    tables: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    sentences: Sequence[str] = ()
    seed: int | None = None
    fingerprint: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """The line that makes the report repeatable; empty where nothing is drawn."""
        parts = [] if self.seed is None else [f"seed {self.seed}"]
        parts += [] if self.fingerprint is None else [f"fingerprint {self.fingerprint}"]
        return ", ".join(parts)


def choose_color(color: Color) -> None:
    """Settle for all output of this process when it is coloured."""
    if color is Color.ALWAYS:
        os.environ.pop("NO_COLOR", None)
        os.environ["FORCE_COLOR"] = "1"
    if color is Color.NEVER:
        os.environ.pop("FORCE_COLOR", None)
        os.environ["NO_COLOR"] = "1"


def is_colored() -> bool:
    """Return whether standard output gets colours: asked for, or a terminal and not asked against."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def show(report: Report, form: Format, wanted: Sequence[str] | None = None) -> None:
    """Print a report on standard output.

    Args:
        report: What to print.
        form: How.
        wanted: Tables that people are shown, all if None; programs always get all.

    """
    if form is Format.JSON:
        sys.stdout.write(as_json(report))
    elif form is Format.CSV:
        sys.stdout.write(as_csv(report))
        if report.origin:
            note(report.origin)
    elif form is Format.MD:
        sys.stdout.write(as_markdown(report, wanted))
    else:
        sys.stdout.write(as_text(report, wanted))


def as_json(report: Report) -> str:
    """Return the report as one JSON document; what is not a finite number is null."""
    document = {
        "schema": SCHEMA,
        "command": report.command,
        "seed": report.seed,
        "fingerprint": report.fingerprint,
        **report.more,
        "tables": report.tables,
    }
    return json.dumps(plain(document), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def plain(value: Any) -> Any:
    """Return a value in the types that JSON has; numbers of numpy become Python's."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | None) else str(value)


def as_csv(report: Report) -> str:
    """Return the tables as comma-separated values; several ones each follow a line with their name."""
    parts = []
    for name, rows in report.tables.items():
        text = io.StringIO()
        if len(report.tables) > 1:
            text.write(f"# {name}\n")
        columns = dict.fromkeys(column for row in rows for column in row)
        writer = csv.DictWriter(text, list(columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        parts.append(text.getvalue())
    return "\n".join(parts)


def as_markdown(report: Report, wanted: Sequence[str] | None) -> str:
    """Return sentences and tables as Markdown."""
    parts = [*report.sentences]
    for sheet in shown_sheets(report, wanted):
        lines = [sheet.head, ["---"] * len(sheet.head), *sheet.lines]
        table = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
        parts.append(f"### {sheet.title}\n\n{table}")
    parts += [report.origin] if report.origin else []
    return "\n\n".join(parts) + "\n"


def as_text(report: Report, wanted: Sequence[str] | None) -> str:
    """Return sentences and tables for a terminal."""
    from rich.console import Console  # noqa: PLC0415  (not needed by the other forms)

    text = io.StringIO()
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPED_WIDTH
    colors: Literal["standard"] | None = "standard" if is_colored() else None
    console = Console(
        file=text, force_terminal=is_colored(), color_system=colors, width=width, highlight=False, markup=False
    )
    for sentence in report.sentences:
        console.print(sentence, soft_wrap=True)
    for place, sheet in enumerate(shown_sheets(report, wanted)):
        if place or report.sentences:
            console.print()
        print_sheet(console, sheet)
    if report.origin:
        console.print()
        console.print(report.origin, style="dim", soft_wrap=True)
    return "".join(line.rstrip(" ") + "\n" for line in text.getvalue().splitlines())


def shown_sheets(report: Report, wanted: Sequence[str] | None) -> list[Sheet]:
    """Return the tables for reading; those not wanted or too long are named on standard error instead."""
    found = {name: sheets(name, rows) for name, rows in report.tables.items()}
    kept = [
        name
        for name, parts in found.items()
        if wanted is None or (name in wanted and sum(len(part.lines) for part in parts) <= MOST_LINES)
    ]
    left = [name for name in found if name not in kept]
    if left:
        note(f"not shown: {', '.join(left)}; --table NAME prints one, --format csv or json has all")
    return [part for name in kept for part in found[name]]


def print_sheet(console: Any, sheet: Sheet) -> None:
    """Print one table under its title."""
    from rich import box  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    console.print(sheet.title, style="bold", soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="cyan")
    for place, title in enumerate(sheet.head):
        table.add_column(title, justify="right" if sheet.is_number(place) else "left", overflow="fold")
    for line in sheet.lines:
        table.add_row(*line)
    console.print(table)
