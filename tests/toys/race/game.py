"""The smallest game: seats roll and run, the first to reach the goal wins; nobody decides anything."""

from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from sim.components import Components, Ruleset
from sim.engine.contract import (
    Game,
    Policy,
    Termination,
    hidden_dtype,
    row_dtype,
    state_dtype,
    table_dtype,
    tallies_dtype,
)
from sim.engine.playing import begin_playout, begin_turn, finish_row, goes_on, record, roll, share_win
from sim.jit import entry, hot, make_records, padded, record_of
from sim.mechanics.ring import wrap

FOLDER = Path(__file__).parent
SEATS = 4
Rule = IntEnum("Rule", "GOAL DIE_FACES TURN_LIMIT", start=0)
Purpose = IntEnum("Purpose", "DIE", start=0)
Event = IntEnum("Event", "DECISION TURN RUN END", start=0)
TABLE = table_dtype(SEATS, [("run", np.int64, (SEATS,))])
STATE = state_dtype(TABLE, hidden_dtype([], len(Purpose)), tallies_dtype([]))


def pack(ruleset: Ruleset) -> Any:
    """Turn a resolved ruleset into a rules record."""
    rules = make_records(padded([("value", np.int64, (len(Rule),))]))
    rules["value"][0] = [ruleset.rules[rule.name.lower()] for rule in Rule]
    return rules


@entry
def play_block(states: Any, rules_records: Any, assignments: Any, rows: Any, playouts: Any) -> None:
    """Play the playouts of the given numbers, one per row."""
    state, rules = record_of(states, 0), record_of(rules_records, 0)
    for number in range(len(rows)):
        play(state, record_of(rows, number), rules, record_of(assignments, 0), int(playouts[number]))


@hot
def play(state: Any, row: Any, rules: Any, assignment: Any, playout: int) -> None:
    """Run in turn until one seat is there (R-R1)."""
    table = state.table
    table.termination, table.length_turns = Termination.NOT_PLAYED, 0
    for seat in range(len(table.run)):
        table.run[seat], table.own_turn[seat], table.order[seat] = 0, 0, seat
    begin_playout(state, assignment, playout)
    seat = -1
    while goes_on(state, rules.value[Rule.TURN_LIMIT], Event.END, 0):
        seat = wrap(seat + 1, table.n_seats)
        begin_turn(state, seat)
        record(state, Event.TURN, seat, table.own_turn[seat], 0, 0)
        table.run[seat] += roll(state, Purpose.DIE, rules.value[Rule.DIE_FACES])
        record(state, Event.RUN, seat, table.run[seat], 0, 0)
        if table.run[seat] >= rules.value[Rule.GOAL]:
            table.termination = Termination.WON
    finish_row(state, row)
    for chair in range(len(row.final_run)):
        row.final_run[chair] = table.run[chair]
    share_win(row, 1 << seat if table.termination == Termination.WON else 0)


GAME = Game(
    name="race",
    title="Race",
    version=1,
    fewest_seats=2,
    most_seats=SEATS,
    folder=FOLDER,
    load=lambda: Components.load(FOLDER),
    pack=pack,
    state=STATE,
    row=row_dtype(SEATS, (), ("run",), ()),
    entry=play_block,
    policies=(Policy("random", 0, "has nothing to choose"),),
    narrate=lambda _ruleset, _n_seats, events: [f"{Event(one[0]).name} {one[1]} {one[2]}" for one in events],
    resources=("run",),
    events=tuple(Event.__members__),
)
