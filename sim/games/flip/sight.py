"""Who is in sight of whom (F-R49 to F-R52, F-R59, F-R60, F-R85)."""

from __future__ import annotations

from typing import Any

from sim.games.flip.words import Rule, WallOut, WallWithoutLanding
from sim.jit import cold, hot
from sim.mechanics.ring import above_highest, below_lowest, jailed_seats, others, pawns_on, wrap
from sim.mechanics.words import JailSight, Sight, SightSameSpace


@hot
def active_walls(table: Any, rules: Any) -> int:
    """Return the mask of spaces that are Walls now (F-R49)."""
    walls = (rules.wall[0] & ~table.turned) | (rules.wall[1] & table.turned)
    return walls & ~(table.storm & rules.storm_hides)


@hot
def nearest_walls_only(walls: int, space: int, rules: Any) -> int:
    """Return what is seen on both sides up to the nearest Wall of each, Walls excluded (F-R52).

    Without branches, as Walls lie as the dice turned them. The last side ends on GO, whose bit is the lowest: a
    Wall ahead hides it.
    """
    walls_ahead = walls & rules.ahead[space]
    walls_behind = walls & rules.behind[space]
    ahead = below_lowest(walls_ahead) & ~int(walls_ahead != 0)
    return rules.ahead[space] & ahead | rules.behind[space] & above_highest(walls_behind)


@cold
def both_sides_up_to(walls: int, space: int, rules: Any) -> int:
    """Return what a corner sees if a Wall's shadow falls on both its sides (`wall_corner`)."""
    seen = 0
    ahead = space
    behind = space
    while True:
        ahead = wrap(ahead + 1, rules.n_spaces)
        behind = wrap(behind + rules.n_spaces - 1, rules.n_spaces)
        pair = ((1 << ahead) & rules.ahead[space]) | ((1 << behind) & rules.behind[space])
        if pair == 0 or pair & walls != 0:
            return seen
        seen |= pair


@hot
def spaces_in_view(walls: int, space: int, rules: Any) -> int:
    """Return the mask of spaces on which a pawn can be shot from `space`, the space itself included, past Walls."""
    if rules.corner_shadow >> space & 1:
        return both_sides_up_to(walls, space, rules) | rules.sees_own << space
    return nearest_walls_only(walls, space, rules) | rules.sees_own << space


@cold
def spaces_in_sight(table: Any, space: int, rules: Any) -> int:
    """Return the mask of spaces on which a pawn can be shot from `space` as the tiles lie now."""
    return spaces_in_view(active_walls(table, rules), space, rules)


@cold
def in_sight(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return the mask of seats that `seat` could shoot by sight if its pawn stood on `space` (F-R49, F-R58)."""
    if rules.special_sight != 0:
        return in_sight_by_readings(table, seat, space, rules)
    walls = active_walls(table, rules)
    return others(table, seat) & pawns_on(table, spaces_in_view(walls, space, rules) & ~walls)


@cold
def in_sight_by_readings(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return the same by readings of who may look out and who can be seen (`special_sight`)."""
    everybody = others(table, seat)
    if rules.value[Rule.SIGHT] == Sight.EVERYBODY:
        return everybody
    walls = active_walls(table, rules)
    if cannot_look_out(table, seat, walls >> space & 1, rules):
        return 0
    targets = everybody & pawns_on(table, spaces_in_view(walls, space, rules) & ~walls)
    if rules.value[Rule.JAIL_SIGHT] == JailSight.HIDDEN:
        targets &= ~jailed_seats(table)
    if walls != 0 and rules.value[Rule.WALL_WITHOUT_LANDING] == WallWithoutLanding.OPEN:
        targets |= unprotected_on_walls(table, everybody, space, rules)
    return targets


@hot
def cannot_look_out(table: Any, seat: int, on_wall: int, rules: Any) -> bool:
    """Return whether a pawn's own place takes its sight away (`wall_out`, `jail_sight`)."""
    if on_wall != 0 and rules.value[Rule.WALL_OUT] == WallOut.MAY_NOT:
        return True
    return table.jailed[seat] != 0 and rules.value[Rule.JAIL_SIGHT] == JailSight.HIDDEN


@cold
def is_protected(table: Any, target: int, rules: Any) -> bool:
    """Return whether a Wall under a pawn protects it (`wall_without_landing`)."""
    return table.landed >> target & 1 or rules.value[Rule.WALL_WITHOUT_LANDING] == WallWithoutLanding.PROTECTED


@cold
def unprotected_on_walls(table: Any, everybody: int, space: int, rules: Any) -> int:
    """Return the seats that stand on a Wall without having landed there and are in view."""
    walls = active_walls(table, rules)
    targets = 0
    for target in range(table.n_seats):
        place = table.space[target]
        stands = everybody >> target & 1 and walls >> place & 1 and not is_protected(table, target, rules)
        if stands and reaches(walls, space, place, rules):
            targets |= 1 << target
    return targets


@cold
def reaches(walls: int, space: int, place: int, rules: Any) -> bool:
    """Return whether `place`, a Wall, is in view from `space` past the other Walls."""
    if place == space:
        return bool(rules.value[Rule.SIGHT_SAME_SPACE] == SightSameSpace.VISIBLE)
    if rules.corner_shadow >> space & 1:
        return bool(both_sides_up_to(walls, space, rules) >> place & 1)
    return bool(nearest_walls_only(walls & ~(1 << place), space, rules) >> place & 1)
