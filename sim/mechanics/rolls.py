"""Dice: both of a turn, and one that everybody rolls and pays."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.engine.playing import next_k, record, roll, settle
from sim.jit import cold, hot
from sim.mechanics.health import fall_together, lose
from sim.mechanics.ring import wrap
from sim.mechanics.table import UNROLLED
from sim.mechanics.words import Common, OrderOption


@hot
def roll_symbol(state: Any, rules: Any) -> int:
    """Roll the action die (F-R2)."""
    return rules.face[roll(state, rules.common[Common.PURPOSE_ACTION_DIE], len(rules.face)) - 1]


@hot
def roll_dice(state: Any, seat: int, rules: Any) -> None:
    """Roll both dice, except what a try in Jail has rolled (F-R15, F-R46, N-R10, N-R33)."""
    table = state.table
    if table.number == 0:
        table.number = roll(state, rules.common[Common.PURPOSE_NUMBER_DIE], rules.common[Common.NUMBER_DIE_FACES])
    if table.symbol == UNROLLED:
        table.symbol = roll_symbol(state, rules)
        record(state, rules.common[Common.EVENT_ROLL], seat, table.number, table.symbol, 0)


@cold
def choose_order(state: Any, seat: int, wish: int, rules: Any) -> int:
    """Let a seat choose which die to use first (F-R16, F-R19, N-R10)."""
    both = 1 << OrderOption.NUMBER_FIRST | 1 << OrderOption.ACTION_FIRST
    kind, purpose = rules.common[Common.DECISION_ORDER], rules.common[Common.PURPOSE_CHOICE]
    return settle(state, kind, seat, both, wish, purpose)


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
