"""Landing on a space (N-R15 to N-R20, N-R23 to N-R30, N-R37, N-R43, N-R44)."""

from __future__ import annotations

from typing import Any

from sim.engine.playing import record, settle
from sim.games.fortnite import policies
from sim.games.fortnite.phases.loot import draw_loot, pick_up_in_jail
from sim.games.fortnite.phases.storm import draw_storm
from sim.games.fortnite.phases.walls import leave_space, reach_wall
from sim.games.fortnite.words import (
    BonusOption,
    Claim,
    Decision,
    Event,
    GoStorm,
    GoToJailTurn,
    JailInStorm,
    JailStormDraw,
    JailStormMove,
    JailStormSpace,
    Kind,
    Purpose,
    Rule,
    SetBonusDuty,
    Source,
)
from sim.jit import cold
from sim.mechanics.claims import owns_set
from sim.mechanics.health import collect, pay, stands
from sim.mechanics.jail import is_drawn_later, put_in_jail
from sim.mechanics.landing import visit_location
from sim.mechanics.words import JailScope


@cold
def land(state: Any, seat: int, rules: Any) -> None:
    """Do what the landing space says, or pay in the Storm (N-R11, N-R44)."""
    table = state.table
    space = table.space[seat]
    state.tallies.landings[space] += 1
    before = table.hp[seat]
    if table.storm >> space & 1:
        land_in_storm(state, seat, space, rules)
    else:
        do_space(state, seat, space, rules)
    if table.hp[seat] < before:
        state.tallies.losses[space] += before - table.hp[seat]


@cold
def land_in_storm(state: Any, seat: int, space: int, rules: Any) -> None:
    """Pay for a stormed space, whose action is not carried out (N-R18, N-R22, N-R27, N-R43, N-R44)."""
    if rules.location_at[space] >= 0:
        pay(state, seat, rules.storm_cost[rules.location_at[space]], Source.STORM, rules)
        return
    kind = rules.kind[space]
    is_spared = kind == Kind.JAIL and rules.value[Rule.JAIL_SCOPE] == JailScope.IN_JAIL_ONLY
    is_spared = is_spared or (kind == Kind.GO and rules.value[Rule.GO_STORM] == GoStorm.FREE)
    if kind == Kind.GO_TO_JAIL and rules.value[Rule.JAIL_STORM_SPACE] == JailStormSpace.GO_TO_JAIL_SPACE:
        go_to_jail_in_storm(state, seat, kind, rules)
    elif not is_spared:
        pay(state, seat, rules.value[Rule.STORM_LOSS], Source.STORM, rules)


@cold
def do_space(state: Any, seat: int, space: int, rules: Any) -> None:
    """Do what is printed on a space (N-R23, N-R24, N-R25, N-R26, N-R27, N-R28)."""
    kind = rules.kind[space]
    if kind == Kind.LOCATION:
        land_on_location(state, seat, rules.location_at[space], rules)
    elif kind == Kind.CAMPFIRE:
        collect(state, seat, rules.value[Rule.CAMPFIRE_HEAL], Source.CAMPFIRE, rules)
    elif kind == Kind.TRAP:
        pay(state, seat, rules.amount[space], Source.TRAP, rules)
    elif kind == Kind.CHEST:
        draw_loot(state, seat, rules)
    elif kind == Kind.GO_TO_JAIL:
        state.tallies.jailings += 1
        go_to_jail(state, seat, rules)


@cold
def land_on_location(state: Any, seat: int, location: int, rules: Any) -> None:
    """Claim a free location, pay on another's, collect on a complete set of one's own (N-R15, N-R16, N-R17, N-R20)."""
    if visit_location(state, seat, location, rules.value[Rule.CLAIM] == Claim.OPTIONAL, rules):
        collect_for_set(state, seat, location, rules)


@cold
def collect_for_set(state: Any, seat: int, location: int, rules: Any) -> None:
    """Collect for a colour set owned completely (N-R16)."""
    if not owns_set(state.table, seat, location, rules):
        return
    if rules.value[Rule.SET_BONUS_DUTY] == SetBonusDuty.OPTIONAL:
        options = 1 << BonusOption.DECLINE | 1 << BonusOption.COLLECT
        wish = policies.choose_bonus()
        if settle(state, Decision.SET_BONUS, seat, options, wish, Purpose.CHOICE) == BonusOption.DECLINE:
            return
    collect(state, seat, rules.value[Rule.SET_BONUS], Source.SET_BONUS, rules)


@cold
def go_to_jail(state: Any, seat: int, rules: Any) -> None:
    """Move to Jail at once, without GO's bonus, and draw a Storm card (N-R28, N-R29)."""
    table = state.table
    if table.storm >> rules.jail & 1:
        go_to_jail_in_storm(state, seat, Kind.JAIL, rules)
        return
    jump_to_jail(state, seat, rules)
    stay_in_jail(state, seat, rules)
    draw_for_jail(state, seat, rules)


@cold
def go_to_jail_in_storm(state: Any, seat: int, stormed: int, rules: Any) -> None:
    """Lose HP instead of Jail, or by the general rule, as the readings tell for the stormed space (N-R30, N-R37)."""
    is_jail = stormed == Kind.JAIL
    by_space = is_jail
    move = JailStormMove.BY_SPACE + 0
    draw = JailStormDraw.BY_SPACE + 0
    if is_jail == (rules.value[Rule.JAIL_STORM_SPACE] == JailStormSpace.JAIL_SPACE):
        move = rules.value[Rule.JAIL_STORM_MOVE]
        draw = rules.value[Rule.JAIL_STORM_DRAW]
    moves = move == JailStormMove.MOVES or (move == JailStormMove.BY_SPACE and by_space)
    draws = draw == JailStormDraw.DRAW or (draw == JailStormDraw.BY_SPACE and by_space)
    if moves:
        jump_to_jail(state, seat, rules)
    pay(state, seat, rules.value[Rule.STORM_LOSS], Source.STORM, rules)
    if moves and is_jail and stands(state, seat) and rules.value[Rule.JAIL_IN_STORM] == JailInStorm.JAILED_ONCE:
        stay_in_jail(state, seat, rules)
    if draws and stands(state, seat):
        draw_for_jail(state, seat, rules)


@cold
def jump_to_jail(state: Any, seat: int, rules: Any) -> None:
    """Put the pawn on the Jail corner: it picks up loot there and reaches a wall there (N-R28, N-R48, N-R58)."""
    table = state.table
    table.jumped = 1
    record(state, Event.MOVE, seat, table.space[seat], rules.jail, 0)
    leave_space(state, seat, rules)
    table.space[seat] = rules.jail
    pick_up_in_jail(state, seat, rules)
    if table.walls >> rules.jail & 1:
        reach_wall(state, seat, rules.jail, rules)


@cold
def stay_in_jail(state: Any, seat: int, rules: Any) -> None:
    """Jail a seat; by one reading the turn of the active seat is over (N-R28)."""
    table = state.table
    put_in_jail(state, seat, rules)
    if seat == table.seat and rules.value[Rule.GO_TO_JAIL_TURN] == GoToJailTurn.TURN_ENDS:
        table.turn_over = 1


@cold
def draw_for_jail(state: Any, seat: int, rules: Any) -> None:
    """Draw the Storm card of Go to Jail, at once or at the end of the turn (N-R29)."""
    if not is_drawn_later(state.table, seat, rules):
        draw_storm(state, seat, rules)
