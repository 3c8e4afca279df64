"""Rings: seats around a table, spaces around a board, its sides, and what is seen along them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.jit import cold, hot
from sim.mechanics.words import Common, JailSight, Sight, SightSameSpace

if TYPE_CHECKING:
    from collections.abc import Sequence


def pack_sides(rules: Any, is_corner: Sequence[bool]) -> None:
    """Write what is seen from each space: the rest of its side, or of both at a corner (F-R59, F-R60, F-R85, N-R54)."""
    size = len(is_corner)
    for space in range(size):
        for name, step in (("ahead", 1), ("behind", -1)):
            seen = space
            for _ in range(size):
                seen = (seen + step) % size
                rules[name][space] |= 1 << seen
                if is_corner[seen]:
                    break


def pack_paths(rules: Any, size: int, most_steps: int) -> None:
    """Write the spaces that a move enters, by its start and its steps."""
    rules["n_spaces"] = size
    for space in range(size):
        for steps in range(1, most_steps + 1):
            entered = 1 << (space + steps) % size
            rules["path"][space, steps] = rules["path"][space, steps - 1] | entered


@hot
def wrap(place: int, size: int) -> int:
    """Return the place on a ring that a count of less than twice its size stands for; a division costs more."""
    if place >= size:
        return place - size
    return place


@hot
def seen_from(places: int, first: int, size: int) -> int:
    """Return a mask of places turned so that bit d stands for the place d steps on from `first`."""
    return (places >> first | places << (size - first)) & ((1 << size) - 1)


@cold
def others(table: Any, seat: int) -> int:
    """Return the mask of the other living seats."""
    return table.alive & ~(1 << seat)


@cold
def along(space: int, seen: int, walls: int, step: int, rules: Any) -> int:
    """Return what is seen in one direction up to and with the nearest wall."""
    found = 0
    place = space
    while True:
        place = (place + step) % rules.n_spaces
        if not seen >> place & 1 or found >> place & 1:
            return found
        found |= 1 << place
        if walls >> place & 1:
            return found


@cold
def spaces_in_sight(space: int, walls: int, rules: Any) -> int:
    """Return the mask of spaces in sight of a space, as far as the walls that hide something."""
    if rules.common[Common.SIGHT] == Sight.EVERYBODY:
        return (1 << rules.n_spaces) - 1
    seen = rules.ahead[space] | rules.behind[space]
    if walls & seen != 0:
        ahead = along(space, rules.ahead[space], walls, 1, rules)
        seen = ahead | along(space, rules.behind[space], walls, -1, rules)
    if rules.common[Common.SIGHT_SAME_SPACE] == SightSameSpace.VISIBLE:
        return seen | 1 << space
    return seen & ~(1 << space)


@cold
def is_hidden(table: Any, seat: int, rules: Any) -> bool:
    """Return whether a seat sits in a cell that hides it and from which it sees nobody (`jail_sight`)."""
    if table.jailed[seat] == 0 or rules.common[Common.JAIL_SIGHT] == JailSight.CORNER:
        return False
    return rules.common[Common.SIGHT] != Sight.EVERYBODY


@cold
def seats_on(table: Any, seats: int, spaces: int) -> int:
    """Return which of some seats stand on some spaces."""
    found = 0
    for seat in range(table.n_seats):
        if seats >> seat & 1 and spaces >> table.space[seat] & 1:
            found |= 1 << seat
    return found
