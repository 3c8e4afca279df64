"""Jail: being sent there, who may pay, rolling, and being set free."""

from __future__ import annotations

from typing import Any

from sim.engine.playing import record, roll
from sim.jit import cold
from sim.mechanics.health import pay, stands
from sim.mechanics.words import Common, Freed, JailDrawTiming, JailPayLast, JailPayLater


@cold
def put_in_jail(state: Any, seat: int, rules: Any) -> None:
    """Jail a seat; where its pawn is does not matter here."""
    state.table.jailed[seat] = 1
    state.table.jailed_now |= 1 << seat
    record(state, rules.common[Common.EVENT_JAILED], seat, 0, 0, 0)


@cold
def is_drawn_later(table: Any, seat: int, rules: Any) -> bool:
    """Note that the card of Go to Jail is due at the end of the seat's own turn, if that is when (F-R39, N-R29)."""
    is_later = rules.common[Common.JAIL_DRAW_TIMING] == JailDrawTiming.END_OF_TURN
    if is_later and seat == table.seat:
        table.jail_due = 1
        return True
    return False


@cold
def roll_in_jail(state: Any, seat: int, rules: Any) -> int:
    """Roll the number die to get out (F-R45, N-R33)."""
    number = roll(state, rules.common[Common.PURPOSE_JAIL_DIE], rules.common[Common.NUMBER_DIE_FACES])
    record(state, rules.common[Common.EVENT_JAIL_ROLL], seat, number, 0, 0)
    return number


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
def pay_to_leave(state: Any, seat: int, rules: Any) -> None:
    """Pay and be free, if that leaves any HP (F-R44, N-R32)."""
    pay(state, seat, rules.common[Common.JAIL_COST], rules.common[Common.SOURCE_JAIL], rules)
    if stands(state, seat):
        set_free(state, seat, Freed.PAID, rules)


@cold
def free_all(state: Any, rules: Any) -> None:
    """Free everybody in a Jail that the Storm takes, at no cost (F-R43, N-R36)."""
    table = state.table
    for other in range(table.n_seats):
        if table.alive >> other & 1 and table.jailed[other] != 0:
            set_free(state, other, Freed.STORM, rules)
