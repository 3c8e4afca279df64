"""Words that narrations of several games need."""

from __future__ import annotations

from typing import Any, Final

TEN: Final = 10
HUNDRED: Final = 100
TEENS: Final = range(11, 14)
ENDINGS: Final = ("th", "st", "nd", "rd")


def physical_names(rows: list[dict[str, Any]]) -> list[str]:
    """Return the names of physical cards: copies of a table's rows, in its order."""
    return [str(row["name"]) for row in rows for _ in range(int(row["copies"]))]


def ordinal(number: int) -> str:
    """Return a number as a place in an order."""
    last = number % TEN
    is_plain = number % HUNDRED in TEENS or last >= len(ENDINGS)
    return f"{number}{ENDINGS[0] if is_plain else ENDINGS[last]}"
