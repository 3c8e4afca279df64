"""A playout of fortnite from set-up to the end, and its turns (N-R1, N-R7, N-R10 to N-R14, N-R60)."""

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
from sim.games.fortnite import policies
from sim.games.fortnite.phases.action import act
from sim.games.fortnite.phases.items import open_later_window, open_window
from sim.games.fortnite.phases.jail import leave_jail
from sim.games.fortnite.phases.moving import move
from sim.games.fortnite.phases.set_up import clear, clear_moves, set_up
from sim.games.fortnite.phases.storm import draw_what_is_due
from sim.games.fortnite.phases.walls import clear_last_stop
from sim.games.fortnite.words import (
    BrickOrder,
    Decision,
    Event,
    Purpose,
    Rule,
    Symbol,
)
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
    """Play from set-up until one player is left, or the turn limit (N-R1, N-R7, N-R60)."""
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
    """Play one turn: trade and items, Jail, both dice, Storm cards that are due (N-R10 to N-R14)."""
    table = state.table
    begin_turn(state, seat)
    record(state, Event.TURN, seat, table.own_turn[seat], 0, 0)
    clear_turn(table)
    clear_moves(table)
    clear_last_stop(state, seat)
    if rules.value[Rule.TRADE] != Trade.NEVER:
        offer_trades(state, seat, rules)  # N-R14
    open_window(state, seat, rules)
    if table.jailed[seat] != 0 and table.turn_over == 0 and stands(state, seat):
        if table.jailed_now >> seat & 1 and rules.value[Rule.JAILED_BEFORE_ROLL] == JailedBeforeRoll.TURN_OVER:
            table.turn_over = 1
        else:
            leave_jail(state, seat, rules)
    if table.turn_over == 0 and stands(state, seat):
        use_dice(state, seat, rules)
    if table.jail_due | table.go_due != 0:
        draw_what_is_due(state, seat, rules)
    if rules.value[Rule.END_CARDS] == EndCards.TURN_GOES_ON and table.turn_over == 0:
        go_on_after_cards(state, seat, rules)


@cold
def go_on_after_cards(state: Any, seat: int, rules: Any) -> None:
    """Let a seat trade and use items after the cards at the end of its turn (`end_cards`)."""
    open_later_window(state, seat, rules)
    draw_what_is_due(state, seat, rules)


@cold
def order_of_dice(state: Any, seat: int, rules: Any) -> int:
    """Let the seat choose which die to use first; a Brick comes after the move (N-R10, N-R56)."""
    symbol = state.table.symbol
    is_bound = symbol == Symbol.BRICK and rules.value[Rule.BRICK_ORDER] == BrickOrder.MOVE_FIRST
    if symbol == Symbol.BLANK or is_bound:
        return OrderOption.NUMBER_FIRST
    wish = policies.choose_order(state.table, seat, rules)
    return settle(state, Decision.ORDER, seat, BOTH_ORDERS, wish, Purpose.CHOICE)


@cold
def use_dice(state: Any, seat: int, rules: Any) -> None:
    """Use both dice in the order that the seat chooses, with items in between; what is left lapses (N-R10, N-R12)."""
    table = state.table
    roll_dice(state, seat, Purpose.NUMBER_DIE, Purpose.ACTION_DIE, rules)
    open_later_window(state, seat, rules)
    if table.turn_over != 0 or not stands(state, seat):
        return
    order = order_of_dice(state, seat, rules)
    for place in range(2):
        if table.turn_over == 0 and stands(state, seat):
            if place == order:
                use_number(state, seat, rules)
            else:
                act(state, seat, table.symbol, rules)
            open_later_window(state, seat, rules)


@hot
def use_number(state: Any, seat: int, rules: Any) -> None:
    """Move by the number die, unless the pawn is in Jail by now (N-R11)."""
    table = state.table
    table.moved = 1
    if table.jailed[seat] == 0 and rules.value[Rule.MOVEMENT] == Movement.PRINTED:
        move(state, seat, rules)


@cold
def finish(state: Any, row: Any) -> None:
    """Leave the row of the playout (N-R1)."""
    table = state.table
    leave_row(state, row)
    for seat in range(len(row.final_hp)):
        row.storm_draws[seat] = table.storm_draws[seat]
