"""What an answer is made of: words, and numbers that each are one row of one table.

A number knows its table and the columns that name its row, and writes itself: value, interval, and the playouts behind
it where these are not what the answer states for all. So no sentence can carry a number that no table has.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd

PERCENT: Final = 100
MOST_DECIMALS: Final = 4
NO_INTERVAL_DECIMALS: Final = 2
WIDE: Final = 10

Row = dict[str, Any]


@dataclass(frozen=True)
class Unit:
    """How a number is written.

    Attributes:
        after: What stands behind it.
        factor: What the table's number is multiplied by.
        is_signed: Whether a plus is written.

    """

    after: str = ""
    factor: float = 1
    is_signed: bool = False

    def write(self, value: float, decimals: int) -> str:
        """Return a value with so many decimals; nothing is ever -0."""
        rounded = round(self.factor * value, decimals)
        return f"{rounded + 0.0:{'+' if self.is_signed and rounded else ''},.{decimals}f}"


POINTS: Final = Unit(" points", is_signed=True)
SIZE_IN_POINTS: Final = Unit(" points")
SHARE: Final = Unit(" %", PERCENT)
TURNS: Final = Unit(" turns")
MORE_TURNS: Final = Unit(" turns", is_signed=True)


@dataclass(frozen=True)
class Number:
    """An estimate: one row of one table.

    Attributes:
        table: Name of the table.
        keys: Columns and values that name the row.
        row: The row.
        unit: How it is written.
        tells_count: Whether the playouts behind it are written, too.

    """

    table: str
    keys: Mapping[str, Any]
    row: Mapping[str, Any]
    unit: Unit
    tells_count: bool = False

    @property
    def n_playouts(self) -> int:
        """Playouts behind it."""
        return int(self.row["n_playouts"])

    @property
    def decimals(self) -> int:
        """How many decimals it deserves: one digit of half of its interval, and a decimal where that is below ten."""
        half = self.unit.factor * (float(self.row["upper"]) - float(self.row["lower"])) / 2
        if not math.isfinite(half) or half <= 0:
            return NO_INTERVAL_DECIMALS
        return max(int(half < WIDE), min(MOST_DECIMALS, -math.floor(math.log10(half))))

    def __str__(self) -> str:
        """Return value and interval."""
        value, *ends = (self.unit.write(float(self.row[name]), self.decimals) for name in ("value", "lower", "upper"))
        count = f"; {self.n_playouts:,} playouts" if self.tells_count else ""
        if any(math.isnan(float(self.row[name])) for name in ("lower", "upper")):
            return f"{value}{self.unit.after} (no interval{count})"
        return f"{value}{self.unit.after} [{', '.join(ends)}{count}]"


@dataclass(frozen=True)
class HowMany:
    """How many rows of a table are so.

    Attributes:
        table: Name of the table.
        keys: Columns and values that the counted rows have.
        n: How many have them.

    """

    table: str
    keys: Mapping[str, Any]
    n: int

    def __str__(self) -> str:
        """Return the count."""
        return f"{self.n:,}"


@dataclass(frozen=True)
class Fact:
    """A count that stands in one row of a table, such as a rank.

    Attributes:
        table: Name of the table.
        keys: Columns and values that name the row.
        column: Where it stands.
        value: The count.

    """

    table: str
    keys: Mapping[str, Any]
    column: str
    value: int

    def __str__(self) -> str:
        """Return the count."""
        return f"{self.value:,}"


Piece = str | Number | HowMany | Fact


@dataclass(frozen=True)
class Part:
    """A sentence of an answer.

    Attributes:
        pieces: Words, and numbers from tables, in order.

    """

    pieces: tuple[Piece, ...]

    @property
    def numbers(self) -> list[Number]:
        """Its estimates."""
        return [piece for piece in self.pieces if isinstance(piece, Number)]

    @property
    def text(self) -> str:
        """The sentence."""
        text = "".join(str(piece) for piece in self.pieces)
        return f"{text[:1].upper()}{text[1:]}."


def part(*pieces: Piece | Iterable[Piece]) -> Part:
    """Return a sentence from words, numbers and lists of them."""
    found: list[Piece] = []
    for piece in pieces:
        found += [piece] if isinstance(piece, str | Number | HowMany | Fact) else list(piece)
    return Part(tuple(found))


def spread(numbers: Sequence[Number]) -> list[Piece]:
    """Return the one number there is, or the least and the most over the profiles."""
    least, most = (choose(numbers, key=lambda one: float(one.row["value"])) for choose in (min, max))
    if len(numbers) == 1:
        return [least]
    return [least, f" under {least.row['profile']} to ", most, f" under {most.row['profile']}"]


def usual_count(parts: Sequence[Part]) -> int | None:
    """Return the playouts behind most of the numbers of an answer."""
    counts = Counter(number.n_playouts for one in parts for number in one.numbers)
    return max(counts, key=lambda count: (counts[count], count)) if counts else None


def with_counts(parts: Sequence[Part]) -> list[Part]:
    """Return sentences in which each number that is not from the usual count of playouts tells its own."""
    usual = usual_count(parts)
    return [
        Part(
            tuple(
                replace(piece, tells_count=piece.n_playouts != usual) if isinstance(piece, Number) else piece
                for piece in one.pieces
            )
        )
        for one in parts
    ]


class Book:
    """The tables of a result, asked for rows by the columns that name them.

    Attributes:
        tables: Rows by name of the table.

    """

    def __init__(self, tables: Mapping[str, pd.DataFrame]) -> None:
        self.tables: dict[str, list[Row]] = {
            name: [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]
            for name, frame in tables.items()
        }

    def rows(self, table: str, **keys: Any) -> list[Row]:
        """Return the rows of a table that have these values; none if there is no such table."""
        return [
            row
            for row in self.tables.get(table, [])
            if all(column in row and row[column] == value for column, value in keys.items())
        ]

    def row(self, table: str, **keys: Any) -> Row | None:
        """Return the one row that has these values; None if there is none or no value in it."""
        found = self.rows(table, **keys)
        if len(found) != 1 or math.isnan(float(found[0]["value"])):
            return None
        return found[0]

    def number(self, table: str, unit: Unit, **keys: Any) -> Number | None:
        """Return a number from the one row that has these values; None if there is none."""
        row = self.row(table, **keys)
        return None if row is None else Number(table, keys, row, unit)

    def numbers(self, table: str, unit: Unit, over: str, **keys: Any) -> list[Number]:
        """Return the numbers of the rows that have these values, told apart by one more column."""
        return [
            Number(table, {**keys, over: row[over]}, row, unit)
            for row in self.rows(table, **keys)
            if not math.isnan(float(row["value"]))
        ]

    def count(self, table: str, **keys: Any) -> HowMany:
        """Return how many rows have these values."""
        return HowMany(table, keys, len(self.rows(table, **keys)))
