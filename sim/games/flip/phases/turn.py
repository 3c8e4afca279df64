"""A playout of flip from set-up to the end, and its turns (F-R3 to F-R22)."""

from __future__ import annotations

from typing import Any

from sim.engine.playing import (
    begin_playout,
    begin_turn,
    goes_on,
    next_living,
    next_seat,
    record,
    settle,
)
from sim.games.flip import policies
from sim.games.flip.phases.action import act
from sim.games.flip.phases.board import move
from sim.games.flip.phases.items import open_later_window, open_window
from sim.games.flip.phases.jail import leave_jail
from sim.games.flip.phases.loot import offer_discard
from sim.games.flip.phases.modes import draw_for_go, draw_for_go_at_once, draw_mode
from sim.games.flip.phases.set_up import clear, set_up
from sim.games.flip.words import Decision, Event, Family, JailActionDie, Purpose, Rule, Symbol
from sim.jit import cold, entry, hot, record_of
from sim.mechanics.health import stands
from sim.mechanics.rolls import roll_ahead, roll_dice
from sim.mechanics.rows import leave_row
from sim.mechanics.table import clear_turn
from sim.mechanics.trading import offer_trades
from sim.mechanics.words import BOTH_ORDERS, End, EndCards, JailedBeforeRoll, Movement, OrderOption, Trade


@entry
def play_block(states: Any, rules_records: Any, assignments: Any, rows: Any, playouts: Any) -> None:
    """Play the playouts of the given numbers, one per row."""
    state = record_of(states, 0)
    rules = record_of(rules_records, 0)
    assignment = record_of(assignments, 0)
    for place in range(len(rows)):
        play(state, record_of(rows, place), rules, assignment, int(playouts[place]))


@cold
def play(state: Any, row: Any, rules: Any, assignment: Any, playout: int) -> None:
    """Play from set-up until one player has HP, or the turn limit (F-R1, F-R22, F-R81)."""
    table = state.table
    clear(state, rules)
    begin_playout(state, assignment, playout)
    seat = set_up(state, assignment, rules)
    while goes_on(state, rules.value[Rule.TURN_LIMIT], Event.END, End.TURN_LIMIT):
        follower = next_living(table.alive, seat)
        roll_ahead(state, follower, Purpose.NUMBER_DIE, Purpose.ACTION_DIE, rules)
        take_turn(state, seat, rules)
        seat = next_seat(table.alive, seat, follower)
    finish(state, row)


@cold
def take_turn(state: Any, seat: int, rules: Any) -> None:
    """Play one turn: trade and items, Jail, both dice, cards that are due (F-R15 to F-R22)."""
    table = state.table
    begin_turn(state, seat)
    record(state, Event.TURN, seat, table.own_turn[seat], 0, 0)
    clear_turn(table)
    table.fresh = table.cards_used = table.go_drawn = 0
    if rules.value[Rule.TRADE] != Trade.NEVER:
        offer_trades(state, seat, rules)  # F-R21
    offer_discard(state, seat, rules)
    open_window(state, seat, rules)
    if table.jailed[seat] != 0 and stands(state, seat):
        if table.jailed_now >> seat & 1 and rules.value[Rule.JAILED_BEFORE_ROLL] == JailedBeforeRoll.TURN_OVER:
            table.turn_over = 1
        else:
            leave_jail(state, seat, rules)
    if table.turn_over == 0 and stands(state, seat):
        use_dice(state, seat, rules)
    if table.jail_due + table.go_due > 0:
        draw_what_is_due(state, seat, rules)
    if rules.value[Rule.END_CARDS] == EndCards.TURN_GOES_ON and table.turn_over == 0:
        go_on_after_cards(state, seat, rules)


@cold
def use_dice(state: Any, seat: int, rules: Any) -> None:
    """Use both dice in the order that the seat chooses (F-R16, F-R19, F-R20)."""
    table = state.table
    roll_dice(state, seat, Purpose.NUMBER_DIE, Purpose.ACTION_DIE, rules)
    open_later_window(state, seat, rules)
    if not stands(state, seat):
        return
    order = OrderOption.NUMBER_FIRST + 0
    if table.symbol != Symbol.BLANK:
        wish = policies.choose_order(table, seat, rules)
        order = settle(state, Decision.ORDER, seat, BOTH_ORDERS, wish, Purpose.CHOICE)
    for place in range(2):
        if place == 1:
            open_later_window(state, seat, rules)
        if stands(state, seat):
            if place == order:
                use_number(state, seat, rules)
            else:
                use_action(state, seat, rules)
    open_later_window(state, seat, rules)


@hot
def use_number(state: Any, seat: int, rules: Any) -> None:
    """Move by the number die, unless the pawn is in Jail by now (F-R17)."""
    table = state.table
    if table.jailed[seat] != 0 or rules.value[Rule.MOVEMENT] == Movement.NONE:
        return
    move(state, seat, table.number, rules)
    draw_for_go_at_once(state, rules)


@hot
def use_action(state: Any, seat: int, rules: Any) -> None:
    """Use the action die; after being sent to Jail, without items or not at all (F-R19, F-R41)."""
    table = state.table
    is_lost = rules.value[Rule.JAIL_ACTION_DIE] == JailActionDie.LOST
    if table.jailed[seat] != 0 and is_lost:
        return
    act(state, seat, table.symbol, rules)


@hot
def draw_what_is_due(state: Any, seat: int, rules: Any) -> None:
    """Draw the Game Mode cards due at the end of the turn: Go to Jail's, then GO's (F-R34, F-R39, F-R65)."""
    is_due = state.table.jail_due != 0
    state.table.jail_due = 0
    if is_due and stands(state, seat):
        draw_mode(state, seat, rules)
    draw_for_go(state, rules)


@cold
def go_on_after_cards(state: Any, seat: int, rules: Any) -> None:
    """Let a seat trade and use items after the cards at the end of its turn (`end_cards`)."""
    open_later_window(state, seat, rules)
    draw_what_is_due(state, seat, rules)


@cold
def finish(state: Any, row: Any) -> None:
    """Leave the row of the playout (F-R1)."""
    table = state.table
    leave_row(state, row)
    for seat in range(len(row.final_hp)):
        row.mode_draws[seat] = table.mode_draws[seat]
        row.dealt_loadout[seat] = table.dealt[Family.LOADOUT, seat]
        row.held_loadout[seat] = table.held[Family.LOADOUT, seat]
