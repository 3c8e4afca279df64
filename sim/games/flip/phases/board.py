"""The board: moving, passing, landing, Jail and flips (F-R17, F-R18, F-R23 to F-R56, F-R82, F-R83)."""

from __future__ import annotations

from typing import Any

from sim.engine.contract import NONE_OPTION
from sim.engine.playing import record, settle
from sim.games.flip import policies
from sim.games.flip.phases import modes
from sim.games.flip.phases.go import GO, enter
from sim.games.flip.phases.health import halved, pay_storm
from sim.games.flip.phases.loot import draw_loot, pick_up, pick_up_cards
from sim.games.flip.phases.tiles import turn_tile
from sim.games.flip.sight import active_walls, is_protected
from sim.games.flip.words import (
    Claim,
    Decision,
    Event,
    FlipLander,
    HoneyHittersAtCap,
    HoneyHittersJailedVictim,
    HoneyHittersLoot,
    HoneyHittersPass,
    HoneyHittersTie,
    HoneyHittersToJail,
    HoneyHittersWall,
    JailJumpGo,
    JailStormCost,
    Kind,
    Purpose,
    Rule,
    SetFlipped,
    Source,
)
from sim.jit import cold, hot, lowest_bit
from sim.mechanics.claims import owns_set
from sim.mechanics.health import collect, fall_alone, lose, pay, stands
from sim.mechanics.jail import is_drawn_later, put_in_jail
from sim.mechanics.landing import visit_location
from sim.mechanics.loot import take_drop_in_jail
from sim.mechanics.ring import others, pawns_on, spaces_of, turned_to, wrap
from sim.mechanics.words import JailScope


@hot
def move(state: Any, seat: int, steps: int, rules: Any) -> None:
    """Move the pawn by the number die and do what the landing space says (F-R17, F-R18)."""
    table = state.table
    start = table.space[seat]
    target = wrap(start + steps, rules.n_spaces)
    record(state, Event.MOVE, seat, start, target, 0)
    table.is_die_move = 1
    passes = policies.honey_owner(table, seat)
    if passes:
        passes = others(table, seat) & pawns_on(table, rules.path[start, steps] | 1 << start) != 0
    if passes or rules.path[start, steps] & (table.dropped_at | 1 << GO) != 0:
        walk(state, seat, steps, passes, rules)
        if not stands(state, seat):
            table.is_die_move = 0
            return
    table.space[seat] = target
    land(state, seat, rules)
    table.is_die_move = 0


@cold
def walk(state: Any, seat: int, steps: int, passes: bool, rules: Any) -> None:
    """Enter the spaces on the way with GO, loot or pawns; Walls stop nobody (F-R33, F-R53, F-R79, F-R82)."""
    table = state.table
    start = table.space[seat]
    reading = rules.value[Rule.HONEY_HITTERS_PASS]
    path = rules.path[start, steps]
    stops = path & (table.dropped_at | 1 << GO)
    if passes:
        stops |= path & spaces_of(table, others(table, seat))
        if reading == HoneyHittersPass.LEAVING_TOO:
            pass_pawns(state, seat, start, path, rules)
    left = turned_to(stops, start, rules.n_spaces)
    while left != 0 and stands(state, seat):
        step = lowest_bit(left)
        left &= left - 1
        space = wrap(start + step, rules.n_spaces)
        enter(state, seat, space, 1, rules)
        if passes and (step < steps or reading != HoneyHittersPass.OVERTAKE) and stands(state, seat):
            ahead = rules.path[space, steps - step]
            if reading == HoneyHittersPass.OVERTAKE:
                ahead &= ~(1 << wrap(start + steps, rules.n_spaces))
            pass_pawns(state, seat, space, ahead, rules)


@cold
def pawns_to_pass(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return the mask of seats on a space, which pawns may share, that Honey Hitters can take from (F-R84)."""
    is_safe = active_walls(table, rules) >> space & 1
    if rules.value[Rule.HONEY_HITTERS_WALL] != HoneyHittersWall.PROTECTS:
        is_safe = 0
    spares_jailed = rules.value[Rule.HONEY_HITTERS_JAILED_VICTIM] == HoneyHittersJailedVictim.SPARED
    there = others(table, seat) & pawns_on(table, 1 << space)
    victims = 0
    while there != 0:
        victim = lowest_bit(there)
        there &= there - 1
        is_spared = table.jailed[victim] != 0 and spares_jailed
        if not is_spared and not (is_safe != 0 and is_protected(table, victim, rules)):
            victims |= 1 << victim
    return victims


@cold
def pass_pawns(state: Any, seat: int, space: int, ahead: int, rules: Any) -> None:
    """Take HP from the pawns on a space passed, as the owner of Honey Hitters likes; others are `ahead` (F-R82)."""
    table = state.table
    victims = pawns_to_pass(table, seat, space, rules)
    while victims != 0 and stands(state, seat) and honey_room(table, seat, rules) > 0:
        offered = victims
        if rules.value[Rule.HONEY_HITTERS_TIE] == HoneyHittersTie.SEAT_ORDER:
            offered = first_in_seat_order(table, seat, victims)
        options = offered | 1 << NONE_OPTION
        room = honey_room(table, seat, rules)
        wish = policies.choose_victim(table, seat, options, ahead, room, rules)
        victim = settle(state, Decision.HONEY_HITTERS, seat, options, wish, Purpose.CHOICE)
        if victim == NONE_OPTION:
            return
        victims &= ~(1 << victim)
        take_from(state, seat, victim, rules)


@cold
def first_in_seat_order(table: Any, seat: int, seats: int) -> int:
    """Return the bit of the first seat of a mask in seat order from `seat`."""
    for distance in range(1, table.n_seats):
        other = wrap(seat + distance, table.n_seats)
        if seats >> other & 1:
            return 1 << other
    return 0


@cold
def honey_room(table: Any, seat: int, rules: Any) -> int:
    """Return the most that a victim can be made to pay now (`honey_hitters_at_cap`)."""
    room = rules.value[Rule.HP_CAP] - table.hp[seat]
    nominal = rules.value[Rule.HONEY_HITTERS_TAKE]
    reading = rules.value[Rule.HONEY_HITTERS_AT_CAP]
    if reading == HoneyHittersAtCap.PARTIAL:
        return min(nominal, room)
    if reading == HoneyHittersAtCap.ALL_OR_NOTHING and room < nominal:
        return 0
    return nominal


@cold
def take_from(state: Any, seat: int, victim: int, rules: Any) -> None:
    """Move HP from the passed player to the owner; what does not fit goes to the Bank (F-R82)."""
    table = state.table
    loot = table.hand[victim]
    amount = min(honey_room(table, seat, rules), table.hp[victim])
    lose(state, victim, amount, Source.HONEY_HITTERS, rules)
    gain = min(amount, rules.value[Rule.HP_CAP] - table.hp[seat])
    collect(state, seat, gain, Source.HONEY_HITTERS, rules)
    if table.hp[victim] > 0:
        return
    fall_alone(state, victim, rules)
    takes = rules.value[Rule.HONEY_HITTERS_LOOT] == HoneyHittersLoot.PASSER_TAKES
    if takes and stands(state, seat):
        take_cards(table, loot, table.space[victim])
        pick_up_cards(state, seat, loot, table.space[victim], rules)


@cold
def take_cards(table: Any, cards: int, space: int) -> None:
    """Take cards from where they were dropped a moment ago; what lay there before stays."""
    table.dropped_in_jail &= ~cards
    table.dropped[space] &= ~cards
    if table.dropped[space] == 0:
        table.dropped_at &= ~(1 << space)


@hot
def land(state: Any, seat: int, rules: Any) -> None:
    """Do what the landing space says, or its Storm card (F-R18, F-R31, F-R83)."""
    table = state.table
    space = table.space[seat]
    table.landed |= 1 << seat
    state.tallies.landings[space] += 1
    before = table.hp[seat]
    if table.storm >> space & 1:
        land_in_storm(state, seat, space, rules)
    else:
        do_space(state, seat, space, rules)
    state.tallies.losses[space] += max(0, before - table.hp[seat])


@cold
def land_in_storm(state: Any, seat: int, space: int, rules: Any) -> None:
    """Pay for a stormed space and ignore what is printed on it (F-R24, F-R29, F-R31, F-R83)."""
    if rules.location_at[space] >= 0:
        pay_storm(state, seat, rules.storm_cost[rules.location_at[space]], Source.STORM, rules)
        return
    kind = rules.kind[0, space]
    is_spared = kind == Kind.JAIL and rules.value[Rule.JAIL_SCOPE] == JailScope.IN_JAIL_ONLY
    if kind != Kind.GO and not is_spared:
        pay_storm(state, seat, rules.value[Rule.CORNER_STORM_COST], Source.STORM, rules)


@hot
def do_space(state: Any, seat: int, space: int, rules: Any) -> None:
    """Do what is printed on the face that shows (F-R28)."""
    kind = rules.kind[state.table.turned >> space & 1, space]
    if kind == Kind.FLIP:
        land_on_flip(state, seat, space, rules)
    elif kind == Kind.GO_TO_JAIL:
        go_to_jail(state, seat, rules)
    else:
        do_simple_space(state, seat, space, rules)


@hot
def do_simple_space(state: Any, seat: int, space: int, rules: Any) -> None:
    """Do what a space says that moves and turns nothing (F-R36, F-R37, F-R54, F-R55, F-R56)."""
    face = state.table.turned >> space & 1
    kind = rules.kind[face, space]
    if kind == Kind.LOCATION:
        land_on_location(state, seat, rules.location_at[space], rules)
    elif kind == Kind.CAMPFIRE:
        collect(state, seat, rules.value[Rule.CAMPFIRE_HEAL], Source.CAMPFIRE, rules)
    elif kind == Kind.TRAP:
        amount = halved(state.table, seat, rules.amount[face, space], rules)
        pay(state, seat, amount, Source.TRAP, rules)
    elif kind == Kind.CHEST:
        draw_loot(state, seat, rules)


@cold
def land_on_location(state: Any, seat: int, location: int, rules: Any) -> None:
    """Claim a free location, pay on another's, collect on a complete set of one's own (F-R23, F-R25, F-R26, F-R27)."""
    if visit_location(state, seat, location, rules.value[Rule.CLAIM] == Claim.OPTIONAL, rules):
        collect_for_set(state, seat, location, rules)


@cold
def collect_for_set(state: Any, seat: int, location: int, rules: Any) -> None:
    """Collect for a colour set owned completely (F-R27)."""
    table = state.table
    partners = rules.set_mask[location]
    if not owns_set(table, seat, location, rules):
        return
    if rules.value[Rule.SET_FLIPPED] == SetFlipped.PARTNER_TOO:
        while partners != 0:
            if table.turned >> rules.home[lowest_bit(partners)] & 1:
                return
            partners &= partners - 1
    collect(state, seat, rules.value[Rule.SET_BONUS], Source.SET_BONUS, rules)


@cold
def land_on_flip(state: Any, seat: int, space: int, rules: Any) -> None:
    """Turn the tile; by default nobody on it does what it shows now (F-R47, F-R48)."""
    turn_tile(state, seat, rules.tile_at[space], rules)
    if rules.value[Rule.FLIP_LANDER] == FlipLander.FOLLOWS:
        state.table.landed |= 1 << seat
        do_simple_space(state, seat, space, rules)


@cold
def go_to_jail(state: Any, seat: int, rules: Any) -> None:
    """Move to Jail at once, without GO's bonus; draw a card unless Jail is stormed (F-R38, F-R39, F-R40, F-R43)."""
    table = state.table
    state.tallies.jailings += 1
    record(state, Event.MOVE, seat, table.space[seat], rules.jail, 0)
    jump_to_jail(state, seat, rules)
    if not stands(state, seat):
        return
    table.space[seat] = rules.jail
    pick_up_in_jail(state, seat, rules)
    if table.storm >> rules.jail & 1:
        if rules.value[Rule.JAIL_STORM_COST] == JailStormCost.PAYS:
            pay_storm(state, seat, rules.value[Rule.CORNER_STORM_COST], Source.STORM, rules)
        return
    put_in_jail(state, seat, rules)
    if not is_drawn_later(table, seat, rules):
        modes.draw_mode(state, seat, rules)


@cold
def jump_to_jail(state: Any, seat: int, rules: Any) -> None:
    """Pass what the readings say is passed on the jump (`honey_hitters_to_jail`, `jail_jump_go`)."""
    table = state.table
    passes = rules.value[Rule.HONEY_HITTERS_TO_JAIL] == HoneyHittersToJail.PASS
    passes = passes and policies.honey_owner(table, seat) and table.is_die_move != 0
    counts = rules.value[Rule.JAIL_JUMP_GO] == JailJumpGo.COUNTS
    if not passes and not counts:
        return
    space = wrap(table.space[seat] + 1, rules.n_spaces)
    while space != rules.jail and stands(state, seat):
        table.space[seat] = space
        if space == GO and counts:
            table.go_due += 1 if seat == table.seat else 0
            if table.storm >> GO & 1:
                pay_storm(state, seat, rules.value[Rule.GO_STORM_COST], Source.GO_STORM, rules)
        if passes and stands(state, seat):
            pass_pawns(state, seat, space, 0, rules)
        space = wrap(space + 1, rules.n_spaces)


@cold
def pick_up_in_jail(state: Any, seat: int, rules: Any) -> None:
    """Pick up the loot on the Jail corner, also what only a jailed pawn gets (F-R79)."""
    table = state.table
    if table.dropped_at >> rules.jail & 1:
        pick_up(state, seat, rules.jail, rules)
    pick_up_cards(state, seat, take_drop_in_jail(table), rules.jail, rules)
