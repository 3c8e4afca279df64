"""Tables of components as a referee reads them: numbers that may be left out, copies, colour sets, sides."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, TypeVar

from tests.referees.table import NOBODY

Row = Mapping[str, Any]
Card = TypeVar("Card")
CORNER_KINDS = ("go", "jail", "free_parking", "go_to_jail")


def number_of(value: object) -> int:
    """Read a number that may be left out."""
    return NOBODY if value is None or value == "" else int(str(value))


def copies_of(row: Row, card: Card) -> list[Card]:
    """Return the physical cards that a row of a table stands for."""
    return [card] * int(row["copies"])


def colour_sets(colours: Iterable[Hashable]) -> list[list[int]]:
    """Return the colour sets, each as the numbers of its locations, given each location's colour."""
    sets: dict[Hashable, list[int]] = {}
    for number, colour in enumerate(colours):
        sets.setdefault(colour, []).append(number)
    return list(sets.values())


def sides_of(corners: list[int], n_spaces: int) -> list[list[int]]:
    """Return the sides of the board clockwise, each with both its corners (F-R85, N-R54)."""
    sides = []
    for place, corner in enumerate(corners):
        following = corners[(place + 1) % len(corners)]
        n_steps = (following - corner) % n_spaces or n_spaces
        sides.append([(corner + step) % n_spaces for step in range(n_steps + 1)])
    return sides
