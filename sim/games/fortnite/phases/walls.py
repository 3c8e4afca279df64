"""Walls: the pile, building, taking down (N-R9, N-R47 to N-R50, N-R56)."""

from __future__ import annotations

from typing import Any

from sim.engine.contract import NOBODY, NONE_OPTION
from sim.engine.playing import record, settle
from sim.games.fortnite import policies
from sim.games.fortnite.words import (
    Decision,
    Event,
    Purpose,
    Rule,
    WallDown,
    WallDuty,
    WallLanding,
    WallLeave,
    WallStack,
    WallStop,
    WallSupply,
)
from sim.jit import cold, hot, lowest_bit
from sim.mechanics.health import is_over, stands
from sim.mechanics.ring import wrap
from sim.mechanics.words import Movement


@cold
def take_down(state: Any, space: int, cause: int) -> None:
    """Return one wall from a space to the pile, if one stands there (N-R48, N-R50)."""
    table = state.table
    if table.wall_count[space] == 0 or is_over(state):
        return
    table.wall_count[space] -= 1
    table.pile += 1
    if table.wall_count[space] == 0:
        table.walls &= ~(1 << space)
    record(state, Event.WALL_DOWN, table.seat, space, cause, 0)


@cold
def put_up(state: Any, seat: int, space: int) -> None:
    """Build a wall from the pile (N-R9, N-R56)."""
    table = state.table
    table.pile -= 1
    table.wall_count[space] += 1
    table.walls |= 1 << space
    state.tallies.walls_built += 1
    record(state, Event.WALL, seat, space, 0, 0)


@cold
def reach_wall(state: Any, seat: int, space: int, rules: Any) -> None:
    """Take down the wall that a pawn has reached, or let it stand until its next turn (N-R48)."""
    if rules.value[Rule.WALL_STOP] == WallStop.STAYS:
        state.table.stopped_at[seat] = space
    else:
        take_down(state, space, WallDown.REACHED)


@cold
def clear_last_stop(state: Any, seat: int) -> None:
    """Take down the wall that has stood since it stopped this seat (`wall_stop`)."""
    table = state.table
    if table.stopped_at[seat] != NOBODY:
        take_down(state, table.stopped_at[seat], WallDown.AFTER_STOP)
        table.stopped_at[seat] = NOBODY


@hot
def leave_space(state: Any, seat: int, rules: Any) -> None:
    """Let a wall fall whose space a pawn leaves, by one reading (`wall_leave`)."""
    if rules.value[Rule.WALL_LEAVE] == WallLeave.FALLS:
        take_down(state, state.table.space[seat], WallDown.LEFT)


@cold
def path_to_come(table: Any, seat: int, rules: Any) -> int:
    """Return the path that the number die will lead along, for a Brick used first (`brick_order`)."""
    if table.jailed[seat] != 0 or rules.value[Rule.MOVEMENT] == Movement.NONE:
        return 0
    space = table.space[seat]
    path = 1 << space
    has_landing = rules.value[Rule.WALL_LANDING] == WallLanding.LANDING_ALLOWED
    for step in range(1, table.number + 1):
        space = wrap(space + 1, rules.n_spaces)
        is_last = step == table.number or table.walls >> space & 1
        if not is_last or has_landing:
            path |= 1 << space
        if is_last:
            return path
    return path


@cold
def places_for_a_wall(table: Any, path: int, rules: Any) -> int:
    """Return the spaces of a path on which a wall may be built (N-R56)."""
    places = path
    if rules.value[Rule.WALL_STACK] == WallStack.ONE:
        places &= ~table.walls
    if table.pile > 0:
        return places
    if rules.value[Rule.WALL_SUPPLY] == WallSupply.NO_BUILD or table.walls == 0:
        return 0
    if table.walls & (table.walls - 1) == 0:  # a single space holds all walls; none can come from elsewhere
        places &= ~table.walls
    return places


@cold
def use_brick(state: Any, seat: int, rules: Any) -> None:
    """Place one wall on a space of the path, or let the Brick lapse (N-R12, N-R56)."""
    table = state.table
    path = table.walked if table.moved != 0 else path_to_come(table, seat, rules)
    options = places_for_a_wall(table, path, rules)
    if options == 0 or not stands(state, seat):
        return
    if rules.value[Rule.WALL_DUTY] == WallDuty.MAY_BUILD:
        options |= 1 << NONE_OPTION
    wish = policies.choose_wall(table, seat, options, rules)
    space = settle(state, Decision.WALL, seat, options, wish, Purpose.CHOICE)
    if space == NONE_OPTION:
        return
    if table.pile == 0:
        standing = table.walls & ~(1 << space)
        wish = policies.choose_wall_to_take(table, seat, standing)
        taken = settle(state, Decision.WALL_TAKE, seat, standing, wish, Purpose.CHOICE)
        take_down(state, taken, WallDown.TAKEN)
    put_up(state, seat, space)


@cold
def bomb_walls(state: Any, kept: int) -> None:
    """Return all walls to the pile but those on the spaces kept (N-R55)."""
    table = state.table
    spaces = table.walls & ~kept
    while spaces != 0:
        space = lowest_bit(spaces)
        spaces &= spaces - 1
        for _wall in range(table.wall_count[space]):
            take_down(state, space, WallDown.BOOGIE_BOMB)


@cold
def attack_walls(state: Any, spaces: int) -> None:
    """Return one wall from each of some spaces to the pile (N-R50)."""
    spaces &= state.table.walls
    while spaces != 0:
        take_down(state, lowest_bit(spaces), WallDown.ATTACKED)
        spaces &= spaces - 1
