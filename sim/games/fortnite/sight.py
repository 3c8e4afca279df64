"""Who and what is in sight, and what walls protect (N-R49, N-R53, N-R54)."""

from __future__ import annotations

from typing import Any

from sim.games.fortnite.words import Rule, WallSight
from sim.jit import cold, hot
from sim.mechanics.ring import is_hidden, jailed_seats, others, pawns_on, spaces_in_sight
from sim.mechanics.words import Common, JailSight, Sight


@cold
def seen_from(table: Any, space: int, rules: Any) -> int:
    """Return the spaces in sight of a space; walls hide what lies beyond them by one reading (N-R54)."""
    walls = table.walls if rules.value[Rule.WALL_SIGHT] == WallSight.BLOCKS else 0
    return spaces_in_sight(space, walls, rules)


@cold
def seen_by(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return the spaces that a seat sees if its pawn stands on a space (N-R54)."""
    if is_hidden(table, seat, rules):
        return 0
    return seen_from(table, space, rules)


@hot
def is_protected(table: Any, seat: int) -> bool:
    """Return whether a pawn stands on a space with a wall (N-R49)."""
    return table.walls >> table.space[seat] & 1


@cold
def in_sight(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return the other seats that `seat` could shoot by sight if its pawn stood on `space` (N-R31, N-R49, N-R53)."""
    targets = others(table, seat) & pawns_on(table, seen_by(table, seat, space, rules) & ~table.walls)
    if rules.common[Common.JAIL_SIGHT] == JailSight.HIDDEN and rules.common[Common.SIGHT] != Sight.EVERYBODY:
        targets &= ~jailed_seats(table)
    return targets


@hot
def unprotected(table: Any, seat: int) -> int:
    """Return the other living seats that no wall protects (N-R49)."""
    return others(table, seat) & ~pawns_on(table, table.walls)
