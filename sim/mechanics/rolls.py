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
def roll_dice(state: Any, seat: int, of_number: int, of_symbol: int, rules: Any) -> None:
    """Roll both dice, except what a try in Jail has rolled (F-R15, F-R46, N-R10, N-R33).

    The purposes of the draws are handed in, so that a game's constants are folded into the addresses.
    """
    table = state.table
    if table.number == 0:
        table.number = roll(state, of_number, rules.common[Common.NUMBER_DIE_FACES])
    if table.symbol == UNROLLED:
        table.symbol = roll_symbol(state, of_symbol, rules)
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
