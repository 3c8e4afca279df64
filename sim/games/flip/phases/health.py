"""Health points: collecting, paying, falling, and the end of the playout."""

from __future__ import annotations

from typing import Any

from sim.engine.contract import NOBODY, Termination
from sim.engine.playing import record
from sim.games.flip.words import (
    Cap,
    DoubleKnockOut,
    DropInJail,
    End,
    Event,
    Loadout,
    Rule,
    Source,
    StormedBy,
    StormOwner,
)
from sim.jit import cold, hot, lowest_bit, popcount
from sim.mechanics.ring import wrap


@hot
def is_over(state: Any) -> bool:
    """Return whether the playout has ended."""
    return state.table.termination != Termination.NOT_PLAYED


@hot
def stands(state: Any, seat: int) -> bool:
    """Return whether a seat lives in a playout that goes on; nobody acts otherwise."""
    return state.table.alive >> seat & 1 and state.table.termination == Termination.NOT_PLAYED


@hot
def change_hp(state: Any, seat: int, change: int, source: int) -> None:
    """Move HP between a seat and the Bank (F-R5), counted by source."""
    state.table.hp[seat] += change
    state.tallies.flow[0, source, seat] += change
    if state.hidden.is_recording != 0 and change != 0:
        record(state, Event.HP, seat, change, source, state.table.seat)


@hot
def collect(state: Any, seat: int, amount: int, source: int, rules: Any) -> None:
    """Collect HP, never above the cap (F-R4)."""
    room = rules.value[Rule.HP_CAP] - state.table.hp[seat]
    gain = min(amount, room)
    if rules.value[Rule.CAP] != Cap.CLIP and amount > room:
        gain = 0
    change_hp(state, seat, gain, source)


@hot
def lose(state: Any, seat: int, amount: int, source: int) -> None:
    """Pay HP to the Bank as far as they go, without falling yet."""
    change_hp(state, seat, -min(amount, state.table.hp[seat]), source)


@hot
def pay(state: Any, seat: int, amount: int, source: int, rules: Any) -> None:
    """Pay HP to the Bank; whoever has none left falls at once (F-R77)."""
    lose(state, seat, amount, source)
    if state.table.hp[seat] == 0:
        fall_alone(state, seat, rules)


@cold
def fall_alone(state: Any, seat: int, rules: Any) -> None:
    """Let one seat fall and look for the end (F-R77, F-R81)."""
    if state.table.alive >> seat & 1:
        state.table.fell_now = 0
        fall(state, seat, rules)
        look_for_end(state, rules)


@cold
def fall_together(state: Any, rules: Any) -> None:
    """Let all fall who have no HP left after a whole-table effect, in seat order from the active seat."""
    table = state.table
    table.fell_now = 0
    for distance in range(table.n_seats):
        seat = wrap(table.seat + distance, table.n_seats)
        if table.alive >> seat & 1 and table.hp[seat] == 0:
            fall(state, seat, rules)
    look_for_end(state, rules)


@cold
def fall(state: Any, seat: int, rules: Any) -> None:
    """Remove the pawn, drop the loot, storm the locations (F-R77, F-R78, F-R80)."""
    table = state.table
    table.alive &= ~(1 << seat)
    table.fell_now |= 1 << seat
    table.n_fallen += 1
    table.eliminated[seat] = table.n_fallen
    record(state, Event.FALL, seat, table.n_fallen, table.space[seat], 0)
    drop_loot(state, seat, rules)
    table.jailed[seat] = 0
    locations = table.own[seat]
    while locations != 0:
        location = lowest_bit(locations)
        locations &= locations - 1
        release(table, location)
        if not table.stormed >> location & 1:
            storm_location(state, location, StormedBy.FALL, seat, rules)


@cold
def drop_loot(state: Any, seat: int, rules: Any) -> None:
    """Leave all loot cards where the seat fell (F-R78)."""
    table = state.table
    hand = table.hand[seat]
    table.hand[seat] = 0
    space = table.space[seat]
    if table.jailed[seat] != 0 and rules.value[Rule.DROP_IN_JAIL] == DropInJail.JAILED_ONLY:
        table.dropped_in_jail |= hand
    elif hand != 0:
        table.dropped[space] |= hand
        table.dropped_at |= 1 << space
    while hand != 0:
        record(state, Event.DROP, seat, lowest_bit(hand), space, 0)
        hand &= hand - 1


@cold
def release(table: Any, location: int) -> None:
    """Take a location card from its owner."""
    table.own[table.owner[location]] &= ~(1 << location)
    table.owner[location] = NOBODY
    table.claimed &= ~(1 << location)


@cold
def storm_location(state: Any, location: int, cause: int, owner: int, rules: Any) -> None:
    """Lay a location card Storm side up, for good; who stands there pays nothing (F-R30, F-R66, F-R68, F-R70)."""
    table = state.table
    if table.claimed >> location & 1:
        owner = table.owner[location]
        if rules.value[Rule.STORM_OWNER] == StormOwner.LEAVES:
            release(table, location)
    table.stormed |= 1 << location
    table.storm |= 1 << rules.home[location]
    record(state, Event.STORM, owner, rules.home[location], cause, 0)


@cold
def look_for_end(state: Any, rules: Any) -> None:
    """End the playout once at most one seat has HP (F-R1, F-R81)."""
    table = state.table
    if is_over(state) or popcount(table.alive) > 1:
        return
    table.winners = table.alive
    if table.alive == 0:
        table.winners = table.fell_now
        others = table.fell_now & ~(1 << table.seat)
        if rules.value[Rule.DOUBLE_KNOCK_OUT] == DoubleKnockOut.TURN_PLAYER_LOSES and others != 0:
            table.winners = others
    if popcount(table.winners) > 1:
        table.termination = Termination.DRAWN
        record(state, Event.END, NOBODY, End.DRAWN, 0, 0)
    else:
        table.termination = Termination.WON
        record(state, Event.END, lowest_bit(table.winners), End.WON, 0, 0)


@hot
def storm_price(table: Any, seat: int, amount: int, rules: Any) -> int:
    """Return what a stormed space costs a seat: less by a loadout, then halved by a card (F-R41)."""
    if table.effect[seat] == Loadout.STORM_DISCOUNT and table.jailed[seat] == 0:
        amount = max(0, amount - table.bonus[seat])
    return halved(table, seat, amount, rules)


@hot
def halved(table: Any, seat: int, amount: int, rules: Any) -> int:
    """Return what a stormed space or trap costs a seat that may hold a card that halves it, rounded up."""
    if table.hand[seat] & rules.halve != 0 and table.jailed[seat] == 0:
        return (amount + 1) >> 1
    return amount


@cold
def pay_storm(state: Any, seat: int, amount: int, rules: Any) -> None:
    """Pay for a stormed space (F-R31, F-R35, F-R83)."""
    pay(state, seat, storm_price(state.table, seat, amount, rules), Source.STORM, rules)
