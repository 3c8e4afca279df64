"""Getting out of Jail at the start of a turn (F-R43 to F-R46)."""

from __future__ import annotations

from typing import Any

from sim.engine.playing import record, settle
from sim.games.flip import policies
from sim.games.flip.phases.action import act
from sim.games.flip.words import Decision, Event, JailOption, JailSix, JailTryDice, Purpose, Rule, Symbol
from sim.jit import cold
from sim.mechanics.jail import may_pay, pay_to_leave, roll_in_jail, set_free
from sim.mechanics.rolls import roll_symbol
from sim.mechanics.table import UNROLLED
from sim.mechanics.words import Freed


@cold
def leave_jail(state: Any, seat: int, rules: Any) -> None:
    """Pay or try a roll; the table's number, symbol and `turn_over` say what is left of the turn (F-R44, F-R45)."""
    table = state.table
    options = 1 << JailOption.ROLL
    if may_pay(table, seat, rules):
        options |= 1 << JailOption.PAY
    wish = policies.choose_jail(table, seat, rules)
    if settle(state, Decision.JAIL, seat, options, wish, Purpose.CHOICE) == JailOption.ROLL:
        try_roll(state, seat, rules)
        return
    pay_to_leave(state, seat, rules)


@cold
def try_roll(state: Any, seat: int, rules: Any) -> None:
    """Try to roll out: a six frees, the last try too, and then moves by that roll (F-R45, F-R46)."""
    table = state.table
    number = roll_in_jail(state, seat, rules)
    has_action = rules.value[Rule.JAIL_TRY_DICE] == JailTryDice.ACTION_TOO
    if number >= rules.value[Rule.JAIL_ROLL]:
        set_free(state, seat, Freed.SIX, rules)
        if rules.value[Rule.JAIL_SIX] == JailSix.MOVE_SIX:
            table.number = number
    elif table.jailed[seat] >= rules.value[Rule.JAIL_TRIES]:
        set_free(state, seat, Freed.LAST_TRY, rules)
        table.number = number
        table.symbol = UNROLLED if has_action else Symbol.BLANK + 0
    else:
        table.jailed[seat] += 1
        table.turn_over = 1
        if has_action:
            act_in_jail(state, seat, rules)


@cold
def act_in_jail(state: Any, seat: int, rules: Any) -> None:
    """Use the action die of a failed try, without items (`jail_try_dice`)."""
    symbol = roll_symbol(state, Purpose.ACTION_DIE, rules)
    record(state, Event.TRY_ROLL, seat, symbol, 0, 0)
    act(state, seat, symbol, rules)
