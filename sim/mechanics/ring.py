"""Rings: seats around a table, spaces around a board, its sides, and what is seen along them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.jit import cold, highest_bit, hot
from sim.mechanics.words import Common, JailSight, Sight, SightSameSpace

if TYPE_CHECKING:
    from collections.abc import Sequence


def ring_fields(most_spaces: int, most_steps: int) -> list[tuple[Any, ...]]:
    """Return the fields of a rules record that tell of a ring of at most so many spaces, and of moves along it."""
    spaces = (most_spaces,)
    return [
        ("n_spaces", np.int64),
        ("jail", np.int64),  # space of the Jail corner
        ("location_at", np.int64, spaces),  # location, on the front of a tile, or -1
        ("ahead", np.int64, spaces),  # mask of the spaces seen clockwise, to the corner
        ("behind", np.int64, spaces),  # mask of the spaces seen counterclockwise
        ("path", np.int64, (most_spaces, most_steps + 1)),  # mask of spaces entered by a move
        ("worst_landing", np.int64),  # the most that policies think a landing can cost
        ("start_class", np.int64, spaces),  # masks of spaces that are as good a start as each other, the best first
    ]


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
def moved_on(place: int, steps: int, direction: int, size: int) -> int:
    """Return the place some steps on in a direction, 1 or -1; less than a whole round."""
    return wrap(place + (steps if direction > 0 else size - steps), size)


@hot
def turned_to(places: int, first: int, size: int) -> int:
    """Return a mask of places turned so that bit d stands for the place d steps on from `first`."""
    return (places >> first | places << (size - first)) & ((1 << size) - 1)


@hot
def below_lowest(places: int) -> int:
    """Return the places below the lowest of a mask; all of them if it is empty."""
    return (places & -places) - 1


@hot
def above_highest(places: int) -> int:
    """Return the places above the highest of a mask; all of them if it is empty."""
    return -2 << highest_bit(places | 1) | int(places == 0)


@hot
def others(table: Any, seat: int) -> int:
    """Return the mask of the other living seats."""
    return table.alive & ~(1 << seat)


@cold
def up_to_walls(walls: int, space: int, rules: Any) -> int:
    """Return what is seen from a space along its sides, on each up to and with the nearest wall (F-R52, N-R54)."""
    hits = turned_to(walls, space, rules.n_spaces)
    ahead = turned_to(rules.ahead[space], space, rules.n_spaces)
    behind = turned_to(rules.behind[space], space, rules.n_spaces)
    if hits & ahead != 0:
        ahead &= (hits & ahead) ^ ((hits & ahead) - 1)
    if hits & behind != 0:
        behind &= -1 << highest_bit(hits & behind)
    return turned_to(ahead | behind, rules.n_spaces - space, rules.n_spaces)


@cold
def spaces_in_sight(space: int, walls: int, rules: Any) -> int:
    """Return the mask of spaces in sight of a space, as far as the walls that hide something."""
    if rules.common[Common.SIGHT] == Sight.EVERYBODY:
        return (1 << rules.n_spaces) - 1
    seen = rules.ahead[space] | rules.behind[space]
    if walls & seen != 0:
        seen = up_to_walls(walls, space, rules)
    if rules.common[Common.SIGHT_SAME_SPACE] == SightSameSpace.VISIBLE:
        return seen | 1 << space
    return seen & ~(1 << space)


@hot
def is_hidden(table: Any, seat: int, rules: Any) -> bool:
    """Return whether a seat sits in a cell that hides it and from which it sees nobody (`jail_sight`)."""
    if table.jailed[seat] == 0 or rules.common[Common.JAIL_SIGHT] == JailSight.CORNER:
        return False
    return rules.common[Common.SIGHT] != Sight.EVERYBODY


@hot
def pawns_on(table: Any, spaces: int) -> int:
    """Return the mask of seats whose pawn stands on one of the spaces, fallen ones too."""
    seats = 0
    for seat in range(len(table.space)):  # as many as there can be, so that the loop is unrolled
        seats |= (spaces >> table.space[seat] & 1) << seat
    return seats


@hot
def spaces_of(table: Any, seats: int) -> int:
    """Return the mask of spaces on which the pawns of some seats stand."""
    spaces = 0
    for seat in range(len(table.space)):
        spaces |= (seats >> seat & 1) << table.space[seat]
    return spaces


@cold
def jailed_seats(table: Any) -> int:
    """Return the mask of seats in Jail."""
    seats = 0
    for seat in range(table.n_seats):
        if table.jailed[seat] != 0:
            seats |= 1 << seat
    return seats
