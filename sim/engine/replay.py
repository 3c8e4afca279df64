"""Plays one playout with events, under a tape of forced choices: replay, golden transcripts, pending decisions.

A playout is a pure function of its addresses and its choices, and costs microseconds, so to resume is to play
again from the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.engine.blocks import Grant, make_assignment
from sim.engine.contract import (
    DECISION_EVENT,
    EVENT_WINDOW,
    NONE_OPTION,
    TAPE_LENGTH,
    AfterTape,
    Game,
    Termination,
)
from sim.engine.lineup import Lineup
from sim.engine.seating import seat_name
from sim.jit import make_records
from sim.rng import Namespace

Event = tuple[int, int, int, int, int]
Pending = tuple[int, int, int]


@dataclass(frozen=True)
class Recording:
    """One playout, told.

    Attributes:
        events: All events in order: kind, seat and three numbers.
        row: The row that the playout left.
        pending: Kind, seat and mask of legal options of the decision at which the tape ended, or None.
        table: The table record at the end.

    """

    events: list[Event]
    row: Any
    pending: Pending | None
    table: Any


def replay(
    game: Game,
    rules: Any,
    lineup: Lineup,
    seed: int,
    playout: int,
    *,
    tape: Sequence[int] = (),
    after_tape: AfterTape = AfterTape.POLICIES,
    tape_namespace: int = Namespace.PLAY,
    grants: Sequence[Grant] = (),
) -> Recording:
    """Play one playout and record its events.

    Args:
        game: The game.
        rules: Packed rules records.
        lineup: One policy per seat.
        seed: Seed of all draws.
        playout: Number of the playout.
        tape: Choices to force, in order, one per decision asked.
        after_tape: Whether policies go on after the tape, or the next decision is reported.
        tape_namespace: Namespace of the draws after the tape.
        grants: Interventions on the deal.

    Raises:
        ValueError: The tape is longer than a tape may be, or forces a choice that is not legal.

    """
    if len(tape) > TAPE_LENGTH:
        message = f"a tape of {len(tape)} choices is too long; {TAPE_LENGTH} is the most"
        raise ValueError(message)
    assignment = make_assignment(lineup, seed, grants=grants)
    assignment["is_recording"] = 1
    assignment["tape_size"] = len(tape)
    assignment["tape"][0, : len(tape)] = tape
    assignment["after_tape"] = after_tape
    assignment["tape_namespace"] = tape_namespace
    states = make_records(game.state)
    rows = np.zeros(1, game.row).view(np.recarray)
    events: list[Event] = []
    n_events = 1
    while len(events) < n_events:
        assignment["first_event"] = len(events)
        game.entry(states, rules, assignment, rows, np.array([playout], np.int64))
        n_events = int(states[0].hidden.n_events)
        window = states["hidden"]["event"][0, : min(EVENT_WINDOW, n_events - len(events))]
        events += [(kind, seat, first, second, third) for kind, seat, first, second, third in window.tolist()]
    hidden = states[0].hidden
    is_pending = rows[0].termination == Termination.PENDING
    pending: Pending | None = None
    if is_pending:
        kind, seat, mask = (int(number) for number in hidden.pending)
        pending = kind, seat, mask
        refuse_illegal_choice(game, events, tape, pending)
    return Recording(events, rows[0], pending, states[0].table)


def refuse_illegal_choice(game: Game, events: Sequence[Event], tape: Sequence[int], pending: Pending) -> None:
    """Stop if a playout is pending because the tape's next choice was not legal.

    Raises:
        ValueError: A choice of the tape was not legal.

    """
    n_obeyed = sum(event[0] == DECISION_EVENT for event in events)
    if n_obeyed == len(tape):
        return
    kind, seat, mask = pending
    legal = ", ".join(str(option) for option in range(NONE_OPTION + 1) if mask >> option & 1)
    message = (
        f"choice {n_obeyed} of the tape is {tape[n_obeyed]}, but for {game.decisions[kind]} of {seat_name(seat)} "
        f"the legal options are {legal}"
    )
    raise ValueError(message)
