"""How Pig is played: turns of rolls until somebody holds with the goal reached."""

from __future__ import annotations

from typing import Any

from sim.engine.contract import Termination
from sim.engine.playing import (
    begin_playout,
    begin_turn,
    finish_row,
    goes_on,
    record,
    roll,
    settle,
    share_win,
)
from sim.games.pig.policies import wants
from sim.games.pig.rules import Decision, End, Event, Option, Purpose, Rule
from sim.jit import entry, hot, record_of
from sim.mechanics.ring import wrap

BOTH_OPTIONS = 3  # mask of ROLL and HOLD


@entry
def play_block(states: Any, rules_records: Any, assignments: Any, rows: Any, playouts: Any) -> None:
    """Play the playouts of the given numbers, one per row."""
    state = record_of(states, 0)
    rules = record_of(rules_records, 0)
    assignment = record_of(assignments, 0)
    for place in range(len(rows)):
        play(state, record_of(rows, place), rules, assignment, int(playouts[place]))


@hot
def play(state: Any, row: Any, rules: Any, assignment: Any, playout: int) -> None:
    """Play from set-up to the end (P-R1)."""
    set_up(state)
    begin_playout(state, assignment, playout)
    seat = 0
    while goes_on(state, rules.value[Rule.TURN_LIMIT], Event.END, End.TURN_LIMIT):
        take_turn(state, seat, rules)
        seat = wrap(seat + 1, state.table.n_seats)
    finish(state, row)


@hot
def set_up(state: Any) -> None:
    """Clear the table; chair 0 starts (P-R1)."""
    table = state.table
    table.termination = Termination.NOT_PLAYED
    table.length_turns = 0
    for seat in range(len(table.score)):
        table.score[seat] = 0
        table.own_turn[seat] = 0
        table.order[seat] = seat


@hot
def take_turn(state: Any, seat: int, rules: Any) -> None:
    """Roll until the seat holds or loses the turn (P-R2)."""
    table = state.table
    begin_turn(state, seat)
    record(state, Event.TURN, seat, table.own_turn[seat], 0, 0)
    table.turn_total = 0
    while table.termination == Termination.NOT_PLAYED and is_added(state, seat, rules):
        wish = wants(table, seat, rules)
        kind = Decision.ROLL_OR_HOLD
        if settle(state, kind, seat, BOTH_OPTIONS, wish, Purpose.CHOICE) == Option.HOLD:
            hold(state, seat, rules)
            return


@hot
def is_added(state: Any, seat: int, rules: Any) -> bool:
    """Roll once; a losing roll loses the turn's total, any other is added (P-R2, P-R3)."""
    table = state.table
    number = roll(state, Purpose.DIE, rules.value[Rule.DIE_FACES])
    is_kept = number != rules.value[Rule.LOSING_ROLL]
    table.turn_total = table.turn_total + number if is_kept else 0
    record(state, Event.ROLL, seat, number, table.turn_total, 0)
    state.tallies.n_lost_turns += 0 if is_kept else 1
    return is_kept


@hot
def hold(state: Any, seat: int, rules: Any) -> None:
    """Keep the turn's total; with the goal reached the seat has won (P-R4, P-R5)."""
    table = state.table
    if table.termination != Termination.NOT_PLAYED:
        return
    table.score[seat] += table.turn_total
    record(state, Event.HOLD, seat, table.turn_total, table.score[seat], 0)
    if table.score[seat] >= rules.value[Rule.GOAL]:
        table.termination = Termination.WON
        record(state, Event.END, seat, End.WON, 0, 0)


@hot
def finish(state: Any, row: Any) -> None:
    """Leave the row: the seat with the goal reached has won (P-R5)."""
    finish_row(state, row)
    won = state.table.termination == Termination.WON
    share_win(row, 1 << state.table.seat if won else 0)
    for seat in range(len(row.final_score)):
        row.final_score[seat] = state.table.score[seat]
