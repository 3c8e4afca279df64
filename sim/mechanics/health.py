"""Health points with a cap: collecting, paying, falling, and the end of the playout."""

from __future__ import annotations

from typing import Any

from sim.engine.contract import NOBODY, Termination
from sim.engine.playing import record
from sim.jit import cold, hot, lowest_bit, popcount
from sim.mechanics.claims import release, storm_location
from sim.mechanics.ring import wrap
from sim.mechanics.words import Cap, Common, DoubleKnockOut, DropInJail, End, StormedBy


@hot
def is_over(state: Any) -> bool:
    """Return whether the playout has ended."""
    return state.table.termination != Termination.NOT_PLAYED


@hot
def stands(state: Any, seat: int) -> bool:
    """Return whether a seat lives in a playout that goes on; nobody acts otherwise."""
    return bool(state.table.standing >> seat & 1)


@hot
def change_hp(state: Any, seat: int, change: int, source: int, rules: Any) -> None:
    """Move HP between a seat and the Bank, counted by source (F-R5)."""
    state.table.hp[seat] += change
    state.tallies.flow[0, source, seat] += change
    if state.hidden.is_recording != 0 and change != 0:
        record(state, rules.common[Common.EVENT_HP], seat, change, source, state.table.seat)


@hot
def collect(state: Any, seat: int, amount: int, source: int, rules: Any) -> None:
    """Collect HP, never above the cap (F-R4, N-R2, N-R3)."""
    room = rules.common[Common.HP_CAP] - state.table.hp[seat]
    gain = min(amount, room)
    if rules.common[Common.CAP] != Cap.CLIP and amount > room:
        gain = 0
    change_hp(state, seat, gain, source, rules)


@cold
def refill(state: Any, seat: int, source: int, rules: Any) -> None:
    """Collect whatever is missing to the cap."""
    missing = rules.common[Common.HP_CAP] - state.table.hp[seat]
    change_hp(state, seat, max(0, missing), source, rules)


@hot
def lose(state: Any, seat: int, amount: int, source: int, rules: Any) -> None:
    """Pay HP to the Bank as far as they go, without falling yet."""
    paid = min(amount, state.table.hp[seat])
    state.table.debt[seat] = amount - paid
    change_hp(state, seat, -paid, source, rules)


@hot
def pay(state: Any, seat: int, amount: int, source: int, rules: Any) -> None:
    """Pay HP to the Bank; whoever has none left falls at once (F-R77, N-R57)."""
    lose(state, seat, amount, source, rules)
    if state.table.hp[seat] == 0:
        fall_alone(state, seat, rules)


@cold
def fall_alone(state: Any, seat: int, rules: Any) -> None:
    """Let one seat fall and look for the end (F-R77, F-R81, N-R57, N-R60)."""
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
def lose_together(state: Any, seats: int, amount: int, source: int, rules: Any) -> None:
    """Make some seats pay at once, in seat order from the active seat; then those without HP fall together."""
    table = state.table
    for distance in range(table.n_seats):
        seat = wrap(table.seat + distance, table.n_seats)
        if seats >> seat & 1:
            lose(state, seat, amount, source, rules)
    fall_together(state, rules)


@cold
def fall(state: Any, seat: int, rules: Any) -> None:
    """Remove the pawn, drop the loot, storm the locations (F-R77, F-R78, F-R80, N-R57, N-R58, N-R59)."""
    table = state.table
    table.alive &= ~(1 << seat)
    table.standing &= table.alive
    table.fell_now |= 1 << seat
    table.n_fallen += 1
    table.eliminated[seat] = table.n_fallen
    record(state, rules.common[Common.EVENT_FALL], seat, table.n_fallen, table.space[seat], 0)
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
    """Leave all loot cards where the seat fell (F-R78, N-R58)."""
    table = state.table
    hand = table.hand[seat]
    table.hand[seat] = 0
    space = table.space[seat]
    if table.jailed[seat] != 0 and rules.common[Common.DROP_IN_JAIL] == DropInJail.JAILED_ONLY:
        table.dropped_in_jail |= hand
    elif hand != 0:
        table.dropped[space] |= hand
        table.dropped_at |= 1 << space
    while hand != 0:
        record(state, rules.common[Common.EVENT_DROP], seat, lowest_bit(hand), space, 0)
        hand &= hand - 1


@cold
def look_for_end(state: Any, rules: Any) -> None:
    """End the playout once at most one seat has HP (F-R1, F-R81, N-R1, N-R60)."""
    table = state.table
    if is_over(state) or popcount(table.alive) > 1:
        return
    table.standing = 0
    table.winners = table.alive
    if table.alive == 0:
        table.winners = last_of_all(table, rules)
    ending = rules.common[Common.EVENT_END]
    if popcount(table.winners) > 1:
        table.termination = Termination.DRAWN
        record(state, ending, NOBODY, End.DRAWN, 0, 0)
    else:
        table.termination = Termination.WON
        record(state, ending, lowest_bit(table.winners), End.WON, 0, 0)


@cold
def last_of_all(table: Any, rules: Any) -> int:
    """Return who wins of those that fell by one effect and left nobody (`double_knock_out`)."""
    fallen = table.fell_now
    reading = rules.common[Common.DOUBLE_KNOCK_OUT]
    if reading == DoubleKnockOut.TURN_PLAYER_LOSES:
        others = fallen & ~(1 << table.seat)
        return others if others != 0 else fallen
    if reading != DoubleKnockOut.LOWEST_DEBT:
        return fallen
    winners = 0
    least = 0
    for seat in range(table.n_seats):
        if fallen >> seat & 1:
            if winners == 0 or table.debt[seat] < least:
                winners = 0
                least = table.debt[seat]
            if table.debt[seat] == least:
                winners |= 1 << seat
    return winners
