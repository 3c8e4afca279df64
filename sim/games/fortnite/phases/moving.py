"""Moving round the ring: GO, loot and walls on the way (N-R11, N-R21, N-R22, N-R47, N-R48, N-R58)."""

from __future__ import annotations

from typing import Any

from sim.engine.contract import NOBODY
from sim.engine.playing import record
from sim.games.fortnite.phases.landing import land
from sim.games.fortnite.phases.loot import pick_up
from sim.games.fortnite.phases.walls import leave_space, reach_wall, take_down
from sim.games.fortnite.words import (
    BouncerGo,
    BouncerWallStop,
    BrickJail,
    Event,
    Rule,
    Source,
    WallDown,
    WallLanding,
    WallSpace,
    WallStop,
    WallTurn,
)
from sim.jit import cold
from sim.mechanics.health import collect, stands
from sim.mechanics.ring import moved_on

GO = 0  # GO is space 0


@cold
def move(state: Any, seat: int, rules: Any) -> None:
    """Move the pawn by the number die and do what the landing space says (N-R11)."""
    table = state.table
    start = table.space[seat]
    table.jumped = 0
    travel(state, seat, table.number, 1, 0, rules)
    table.walked = 1 << start | table.entered
    if rules.value[Rule.WALL_LANDING] == WallLanding.NOT_ON_LANDING and table.entered != 0:
        table.walked &= ~(1 << table.space[seat])
    finish_move(state, seat, rules)
    if table.jumped != 0:
        if rules.value[Rule.BRICK_JAIL] == BrickJail.JAIL_TOO:
            table.walked |= 1 << rules.jail
        elif rules.value[Rule.BRICK_JAIL] == BrickJail.NONE:
            table.walked = 0
    if table.wall_hit != NOBODY and rules.value[Rule.WALL_TURN] == WallTurn.WHOLE_TURN:
        table.turn_over = 1


@cold
def travel(state: Any, seat: int, steps: int, direction: int, is_bounced: int, rules: Any) -> None:
    """Move a pawn as far as walls let it, collecting at GO and picking up loot (N-R21, N-R47, N-R58)."""
    table = state.table
    start = table.space[seat]
    target = moved_on(start, steps, direction, rules.n_spaces)
    record(state, Event.MOVE, seat, start, target, 0)
    leave_space(state, seat, rules)
    table.wall_hit = NOBODY
    table.entered = 0
    if is_bounced == 0 and rules.path[start, steps] & (table.walls | table.dropped_at | 1 << GO) == 0:
        table.entered = rules.path[start, steps]
        table.space[seat] = target
        return
    stops = is_bounced == 0 or rules.value[Rule.BOUNCER_WALL_STOP] == BouncerWallStop.STOPS
    for step in range(1, steps + 1):
        space = moved_on(table.space[seat], 1, direction, rules.n_spaces)
        is_wall = stops and table.walls >> space & 1 != 0
        if is_wall:
            state.tallies.wall_stops += 1
            table.wall_hit = space
            if rules.value[Rule.WALL_SPACE] == WallSpace.BEFORE_IT:
                record(state, Event.STOPPED, seat, space, 0, 0)
                reach_wall(state, seat, space, rules)
                return
        table.space[seat] = space
        table.entered |= 1 << space
        if space == GO and (direction > 0 or is_wall or step == steps or ends_before_wall(table, stops, rules)):
            reach_go(state, seat, is_bounced, rules)
        pick_up(state, seat, space, rules)
        if is_wall:
            record(state, Event.STOPPED, seat, space, 0, 0)
            if rules.value[Rule.WALL_STOP] == WallStop.STAYS:
                table.stopped_at[seat] = space
            return


@cold
def ends_before_wall(table: Any, stops: bool, rules: Any) -> bool:
    """Tell whether a move backwards ends on GO, since a wall stands on the last space of the ring (N-R21, N-R47)."""
    before_it = rules.value[Rule.WALL_SPACE] == WallSpace.BEFORE_IT
    return stops and before_it and table.walls >> (rules.n_spaces - 1) & 1 != 0


@cold
def reach_go(state: Any, seat: int, is_bounced: int, rules: Any) -> None:
    """Land on or pass GO: collect unless it is stormed; a Storm card is due (N-R13, N-R21, N-R22)."""
    table = state.table
    reading = rules.value[Rule.BOUNCER_GO]
    if is_bounced != 0 and reading == BouncerGo.NOTHING:
        return
    state.tallies.go_passes += 1
    if is_bounced == 0 or seat == table.seat or reading == BouncerGo.BONUS_AND_CARD:
        table.go_passes[seat] = table.go_passes[seat] + 1 if table.go_due >> seat & 1 else 1
        table.go_due |= 1 << seat
    if not table.storm >> GO & 1:
        collect(state, seat, rules.value[Rule.GO_BONUS], Source.GO, rules)


@cold
def finish_move(state: Any, seat: int, rules: Any) -> None:
    """Do what the landing space says, then take down the wall that ended the move there (N-R11, N-R48)."""
    table = state.table
    wall = table.wall_hit
    if table.entered != 0 and stands(state, seat):
        land(state, seat, rules)
    on_it = rules.value[Rule.WALL_SPACE] == WallSpace.ON_IT
    if wall != NOBODY and on_it and rules.value[Rule.WALL_STOP] == WallStop.REMOVED:
        take_down(state, wall, WallDown.REACHED)
    table.wall_hit = wall
