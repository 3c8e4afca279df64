"""Dice: both of a turn, and one that everybody rolls and pays."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.engine.playing import next_k, record, roll
from sim.jit import cold, hot
from sim.mechanics.health import fall_together, lose
from sim.mechanics.ring import wrap
from sim.mechanics.table import UNROLLED
from sim.mechanics.words import Common


@hot
def roll_symbol(state: Any, purpose: int, rules: Any) -> int:
    """Roll the action die (F-R2)."""
    return rules.face[roll(state, purpose, len(rules.face)) - 1]


@hot
def roll_ahead(state: Any, seat: int, of_number: int, of_symbol: int, rules: Any) -> None:
    """Roll both dice of the next turn of a seat, whose addresses are known before it comes.

    A turn begins with what its dice show; rolled a turn ahead, nothing waits for their hashes.
    """
    roll_for(state, seat, state.table.own_turn[seat] + 1, of_number, of_symbol, rules)


@hot
def roll_for(state: Any, seat: int, own_turn: int, of_number: int, of_symbol: int, rules: Any) -> None:
    """Roll both dice of one of a seat's turns and keep them for it."""
    hidden = state.hidden
    key = rng.turn_key(hidden.playout_key, seat, own_turn)
    hidden.ahead_turn[seat] = own_turn
    hidden.ahead_number[seat] = rng.die(key, of_number, seat, rules.common[Common.NUMBER_DIE_FACES])
    hidden.ahead_symbol[seat] = rules.face[rng.index(key, of_symbol, seat, len(rules.face))]


@cold
def roll_now(state: Any, seat: int, of_number: int, of_symbol: int, rules: Any) -> None:
    """Roll both dice of the turn that a seat has now."""
    roll_for(state, seat, state.table.own_turn[seat], of_number, of_symbol, rules)


@hot
def roll_dice(state: Any, seat: int, of_number: int, of_symbol: int, rules: Any) -> None:
    """Roll both dice, except what a try in Jail has rolled (F-R15, F-R46, N-R10, N-R33).

    The purposes of the draws are handed in, so that a game's constants are folded into the addresses.
    """
    table = state.table
    if state.hidden.ahead_turn[seat] != table.own_turn[seat]:
        roll_now(state, seat, of_number, of_symbol, rules)  # nobody foresaw the turn
    if table.number == 0:
        table.number = state.hidden.ahead_number[seat]
    if table.symbol == UNROLLED:
        table.symbol = state.hidden.ahead_symbol[seat]
        record(state, rules.common[Common.EVENT_ROLL], seat, table.number, table.symbol, 0)


@cold
def roll_loss(state: Any, seat: int, purpose: int, source: int, rules: Any) -> None:
    """Let every living seat roll, from `seat` on, and pay what it rolled; then they fall together."""
    table = state.table
    first_k = next_k(state, purpose, 0)
    faces = rules.common[Common.NUMBER_DIE_FACES]
    for distance in range(table.n_seats):
        other = wrap(seat + distance, table.n_seats)
        if table.alive >> other & 1:
            number = rng.die(state.hidden.turn_key, purpose, first_k + other, faces)
            record(state, rules.common[Common.EVENT_TABLE_ROLL], other, number, 0, 0)
    for distance in range(table.n_seats):
        other = wrap(table.seat + distance, table.n_seats)
        if table.alive >> other & 1:
            number = rng.die(state.hidden.turn_key, purpose, first_k + other, faces)
            lose(state, other, number, source, rules)
    fall_together(state, rules)
