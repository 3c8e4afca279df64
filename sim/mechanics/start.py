"""Rolling for the start, and what pawns are placed by."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.engine.playing import SET_UP_TURN, record
from sim.jit import cold, lowest_bit, popcount
from sim.mechanics.ring import wrap
from sim.mechanics.words import Common, TieStart


@cold
def roll_for_start(state: Any, rules: Any) -> int:
    """Let everybody roll, the tied highest again, and return who starts (F-R12, N-R6, N-R7).

    One round is all where a die of one face can never break a tie, or where the tied do not roll again; then the
    lowest chair of the highest starts.
    """
    rolling = state.table.alive
    turn_round = 0
    rerolls = rules.common[Common.TIE_START] == TieStart.REROLL and rules.common[Common.NUMBER_DIE_FACES] > 1
    while popcount(rolling) > 1 and (rerolls or turn_round == 0):
        rolling = highest_rollers(state, rolling, turn_round, rules)
        turn_round += 1
    return lowest_bit(rolling)


@cold
def highest_rollers(state: Any, rolling: int, turn_round: int, rules: Any) -> int:
    """Let some chairs roll and return those with the highest number."""
    highest = 0
    best = 0
    for seat in range(state.table.n_seats):
        if rolling >> seat & 1:
            number = roll_at_start(state, seat, turn_round, rules)
            record(state, rules.common[Common.EVENT_START_ROLL], seat, number, turn_round, 0)
            if number > highest:
                highest = number
                best = 0
            if number == highest:
                best |= 1 << seat
    return best


@cold
def roll_at_start(state: Any, seat: int, turn_round: int, rules: Any) -> int:
    """Roll a chair's number die for the start."""
    key = rng.turn_key(state.hidden.playout_key, seat, SET_UP_TURN)
    k = turn_round * rng.SEATS_PER_OCCURRENCE + seat
    return rng.die(key, rules.common[Common.PURPOSE_SEAT_ROLL], k, rules.common[Common.NUMBER_DIE_FACES])


@cold
def seats_before(table: Any, first: int, place: int) -> int:
    """Return the mask of the seats that have placed their pawns before one's own place in turn order (F-R13, N-R6)."""
    seats = 0
    for earlier in range(place):
        seats |= 1 << wrap(first + earlier, table.n_seats)
    return seats


@cold
def space_by_lot(state: Any, seat: int, rules: Any) -> int:
    """Draw the space on which a pawn is placed (`placement`)."""
    key = rng.turn_key(state.hidden.playout_key, seat, SET_UP_TURN)
    return rng.index(key, rules.common[Common.PURPOSE_PLACEMENT], seat, rules.n_spaces)
