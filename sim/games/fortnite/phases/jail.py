"""Getting out of Jail at the start of a turn (N-R32 to N-R35)."""

from __future__ import annotations

from typing import Any

from sim.engine.playing import settle
from sim.games.fortnite import policies
from sim.games.fortnite.words import (
    Decision,
    JailOption,
    JailSix,
    JailStay,
    Purpose,
    Rule,
)
from sim.jit import cold
from sim.mechanics.jail import may_pay, pay_to_leave, roll_in_jail, set_free
from sim.mechanics.words import Freed


@cold
def leave_jail(state: Any, seat: int, rules: Any) -> None:
    """Pay, roll, or leave free after the last try; the table tells what is left of the turn (N-R32 to N-R35)."""
    table = state.table
    options = 1 << JailOption.ROLL
    if table.jailed[seat] > rules.value[Rule.JAIL_TRIES]:
        options = 1 << JailOption.LEAVE
        if rules.value[Rule.JAIL_STAY] == JailStay.MAY_STAY:
            options |= 1 << JailOption.STAY
    elif may_pay(table, seat, rules):
        options |= 1 << JailOption.PAY
    wish = policies.choose_jail(table, seat, options, rules)
    option = settle(state, Decision.JAIL, seat, options, wish, Purpose.CHOICE)
    if option == JailOption.ROLL:
        try_roll(state, seat, rules)
    elif option == JailOption.LEAVE:
        set_free(state, seat, Freed.LAST_TRY, rules)
    elif option == JailOption.STAY:
        table.turn_over = 1
    else:
        pay_to_leave(state, seat, rules)


@cold
def try_roll(state: Any, seat: int, rules: Any) -> None:
    """Try to roll out: a six frees, anything else ends the turn (N-R33, N-R34)."""
    table = state.table
    number = roll_in_jail(state, seat, rules)
    if number < rules.value[Rule.JAIL_ROLL]:
        table.jailed[seat] += 1
        table.turn_over = 1
        return
    set_free(state, seat, Freed.SIX, rules)
    if rules.value[Rule.JAIL_SIX] == JailSix.MOVE_SIX:
        table.number = number
