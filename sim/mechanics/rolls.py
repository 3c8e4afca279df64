"""Everybody rolls and pays what was rolled, all at once."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.engine.playing import next_k, record
from sim.jit import cold
from sim.mechanics.health import fall_together, lose
from sim.mechanics.ring import wrap
from sim.mechanics.words import Common


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
