"""Jail: who may pay, and being set free."""

from __future__ import annotations

from typing import Any

from sim.engine.playing import record
from sim.jit import cold
from sim.mechanics.words import Common, Freed, JailPayLast, JailPayLater


@cold
def may_pay(table: Any, seat: int, rules: Any) -> bool:
    """Return whether a jailed seat may pay now (F-R44, N-R32)."""
    cost = rules.common[Common.JAIL_COST]
    is_late = table.jailed[seat] > 1
    if is_late and rules.common[Common.JAIL_PAY_LATER] == JailPayLater.FIRST_TURN_ONLY:
        return False
    if rules.common[Common.JAIL_PAY_LAST] == JailPayLast.FATAL_ALLOWED:
        return table.hp[seat] >= cost
    return table.hp[seat] > cost


@cold
def set_free(state: Any, seat: int, how: int, rules: Any) -> None:
    """Free a seat."""
    state.table.jailed[seat] = 0
    record(state, rules.common[Common.EVENT_FREED], seat, how, 0, 0)


@cold
def free_all(state: Any, rules: Any) -> None:
    """Free everybody in a Jail that the Storm takes, at no cost (F-R43, N-R36)."""
    table = state.table
    for other in range(table.n_seats):
        if table.alive >> other & 1 and table.jailed[other] != 0:
            set_free(state, other, Freed.STORM, rules)
