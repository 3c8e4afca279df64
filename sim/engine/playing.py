"""Helpers that every game's kernels share: starting a playout, asking for decisions, recording, finishing.

They are typed by the names of record fields, so one text serves the records of all games.
"""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.decks import FOR_NOBODY, deal_anew, take_out
from sim.engine.contract import (
    DECISION_EVENT,
    EVENT_WINDOW,
    NOBODY,
    NONE_OPTION,
    RANDOM_POLICY,
    ROTATING_SEAT,
    WHOLE_WIN,
    AfterTape,
    Termination,
)
from sim.jit import cold, hot, lowest_bit, popcount

SET_UP_TURN = 0
EVERY_SEAT = -1  # as a mask


@cold
def begin_playout(state: Any, assignment: Any, playout: int) -> None:
    """Give the playout its key and its seats their policies; the table is blank before."""
    hidden = state.hidden
    hidden.playout_key = rng.playout_key(assignment.seed, assignment.namespace, playout)
    hidden.turn_key = hidden.playout_key
    state.table.luck = rng.luck_key(hidden.playout_key)
    hidden.n_decisions = 0
    hidden.n_events = 0
    hidden.is_pending = 0
    hidden.is_recording = assignment.is_recording
    hidden.tape_size = assignment.tape_size
    hidden.playout = playout
    for purpose in range(len(hidden.occurrence)):
        hidden.occurrence[purpose] = 0
    forget_dice(hidden)
    state.table.n_seats = assignment.n_seats
    hidden.asked = 0
    for seat in range(assignment.n_seats):
        state.table.policy[seat] = assignment.policy[seat]
        if assignment.policy[seat] == RANDOM_POLICY:
            hidden.asked |= 1 << seat
        for number in range(len(state.table.parameter[seat])):
            state.table.parameter[seat, number] = assignment.parameter[seat, number]
    hidden.is_watched = 0
    hidden.new_turn = assignment.new_turn
    if assignment.is_recording + assignment.tape_size + assignment.after_tape > 0:
        hidden.is_watched = 1
        hidden.asked = EVERY_SEAT
        load_tape(state, assignment)
    elif hidden.new_turn > 0:
        load_tape(state, assignment)


@hot
def forget_dice(hidden: Any) -> None:
    """Forget the dice that were rolled ahead, as they have another address from now on."""
    for seat in range(len(hidden.ahead_turn)):
        hidden.ahead_turn[seat] = 0


@cold
def is_granted(state: Any, assignment: Any, number: int, family: int, seat: int) -> bool:
    """Return whether one of the granted cards belongs to a family and goes to a seat."""
    if assignment.grant_family[number] != family:
        return False
    chair = assignment.grant_seat[number]
    if chair == ROTATING_SEAT:
        chair = state.hidden.playout % state.table.n_seats
    return bool(chair == seat)


@cold
def take_out_granted(deck: Any, assignment: Any, family: int) -> None:
    """Take the granted cards of a family out of its deck; the others keep their order."""
    for number in range(assignment.n_grants):
        if assignment.grant_family[number] == family:
            take_out(deck, assignment.grant_card[number])


@cold
def load_tape(state: Any, assignment: Any) -> None:
    """Copy what only replays need: the tape and where recording starts."""
    hidden = state.hidden
    hidden.seed = assignment.seed
    hidden.first_event = assignment.first_event
    hidden.after_tape = assignment.after_tape
    hidden.tape_namespace = assignment.tape_namespace
    assignment.tape_namespace += assignment.tape_step
    for place in range(assignment.tape_size):
        hidden.tape[place] = assignment.tape[place]
    if assignment.tape_size == 0 and assignment.after_tape == AfterTape.STOP:
        hidden.tape_size = -1


@hot
def goes_on(state: Any, turn_limit: int, ending: int, how: int) -> bool:
    """Return whether another turn is played; at the turn limit the playout ends, which `ending` records."""
    table = state.table
    if table.termination != Termination.NOT_PLAYED:
        return False
    if table.length_turns < turn_limit:
        return True
    table.termination = Termination.TURN_LIMIT
    table.standing = 0
    record(state, ending, NOBODY, how, 0, 0)
    return False


@hot
def next_seat(alive: int, seat: int, follower: int) -> int:
    """Return whose turn is next: nearly always the living seat that followed before the turn.

    It is looked at first, so that the next turn does not wait for who lives.
    """
    if alive >> follower & 1:
        return follower
    return next_living(alive, seat) if alive != 0 else seat


@hot
def begin_turn(state: Any, seat: int) -> None:
    """Make a seat active: its draws of this turn get addresses of their own."""
    table = state.table
    table.seat = seat
    table.length_turns += 1
    if table.length_turns == state.hidden.new_turn:
        go_on_elsewhere(state)
    table.own_turn[seat] += 1
    state.hidden.turn_key = rng.turn_key(state.hidden.playout_key, seat, table.own_turn[seat])
    for purpose in range(len(state.hidden.occurrence)):
        state.hidden.occurrence[purpose] = 0


@hot
def next_k(state: Any, purpose: int, seat: int) -> int:
    """Return the k of the next draw of a purpose in this turn, rolled by `seat`."""
    occurrence = state.hidden.occurrence[purpose]
    state.hidden.occurrence[purpose] = occurrence + 1
    return occurrence * rng.SEATS_PER_OCCURRENCE + seat


@hot
def roll(state: Any, purpose: int, faces: int) -> int:
    """Roll a die of the active seat for the active seat: 1 to faces."""
    k = next_k(state, purpose, state.table.seat)
    return rng.die(state.hidden.turn_key, purpose, k, faces)


@hot
def record(state: Any, kind: int, seat: int, first: int, second: int, third: int) -> None:
    """Record an event if this playout is recorded; a run-time flag, so both ways are one kernel."""
    if state.hidden.is_recording != 0:
        write_event(state, kind, seat, first, second, third)


@cold
def write_event(state: Any, kind: int, seat: int, first: int, second: int, third: int) -> None:
    """Write an event into the window that is being recorded; nothing after a pending decision."""
    hidden = state.hidden
    if hidden.is_pending != 0:
        return
    place = hidden.n_events - hidden.first_event
    hidden.n_events += 1
    if 0 <= place < EVENT_WINDOW:
        hidden.event[place, 0] = kind
        hidden.event[place, 1] = seat
        hidden.event[place, 2] = first
        hidden.event[place, 3] = second
        hidden.event[place, 4] = third


@hot
def settle(state: Any, kind: int, seat: int, options: int, wish: int, purpose: int) -> int:
    """Return the option taken: the only one, the tape's, a random one, or the policy's wish.

    `purpose` is the game's purpose of random choices; nothing is asked where one option is legal.
    """
    if options & (options - 1) == 0:
        return lowest_bit(options)
    state.tallies.decisions[kind] += 1
    if state.hidden.asked >> seat & 1:
        return settle_asked(state, kind, seat, options, wish, purpose)
    return wish


@cold
def settle_asked(state: Any, kind: int, seat: int, options: int, wish: int, purpose: int) -> int:
    """Settle a decision of a random seat, or of a playout that is watched."""
    if state.hidden.is_watched != 0:
        return settle_watched(state, kind, seat, options, wish, purpose)
    return random_option(state, seat, options, purpose)


@cold
def settle_watched(state: Any, kind: int, seat: int, options: int, wish: int, purpose: int) -> int:
    """Settle a decision of a playout that is recorded or follows a tape."""
    place = state.hidden.n_decisions
    state.hidden.n_decisions = place + 1
    if state.hidden.tape_size < 0 or state.hidden.is_pending != 0:
        return suspend(state, kind, seat, options)
    if place < state.hidden.tape_size:
        option = state.hidden.tape[place]
        if not is_legal(options, option):
            return suspend(state, kind, seat, options)
        if place + 1 == state.hidden.tape_size:
            end_tape(state)
    elif state.table.policy[seat] == RANDOM_POLICY:
        option = random_option(state, seat, options, purpose)
    else:
        option = wish
    record(state, DECISION_EVENT, seat, kind, option, options)
    return option


@cold
def is_legal(options: int, option: int) -> bool:
    """Tell whether a forced choice is one of the legal options."""
    return 0 <= option <= NONE_OPTION and options >> option & 1 != 0


@cold
def end_tape(state: Any) -> None:
    """Do what comes after the last forced choice: stop at the next decision, or draw from another namespace."""
    hidden = state.hidden
    if hidden.after_tape == AfterTape.STOP:
        hidden.tape_size = -1
        return
    go_on_elsewhere(state)
    hidden.turn_key = rng.turn_key(hidden.playout_key, state.table.seat, state.table.own_turn[state.table.seat])


@cold
def go_on_elsewhere(state: Any) -> None:
    """Draw from another namespace from now on, and deal anew what nobody has seen: else a playout would peek."""
    hidden = state.hidden
    key = rng.playout_key(hidden.seed, hidden.tape_namespace, hidden.playout)
    if key == hidden.playout_key:
        return
    hidden.playout_key = key
    state.table.luck = rng.luck_key(key)
    forget_dice(hidden)
    for deck in range(len(hidden.decks)):
        deal_anew(hidden.decks[deck], rng.deck_key(key, deck, FOR_NOBODY, 0))


@cold
def suspend(state: Any, kind: int, seat: int, options: int) -> int:
    """Note the pending decision; the rest of the turn is played somehow and does not count."""
    hidden = state.hidden
    if hidden.is_pending == 0:
        hidden.is_pending = 1
        hidden.pending[0] = kind
        hidden.pending[1] = seat
        hidden.pending[2] = options
        state.table.termination = Termination.PENDING
        state.table.standing = 0
    return lowest_bit(options)


@cold
def random_option(state: Any, seat: int, options: int, purpose: int) -> int:
    """Draw one of the legal options with equal chances."""
    key = state.hidden.turn_key
    if state.table.length_turns == 0:
        key = rng.turn_key(state.hidden.playout_key, seat, SET_UP_TURN)
    k = next_k(state, purpose, seat)
    skipped = rng.index(key, purpose, k, popcount(options))
    for _option in range(skipped):
        options &= options - 1
    return lowest_bit(options)


@hot
def next_living(alive: int, seat: int) -> int:
    """Return the next seat clockwise whose bit is set in `alive`; some bit must be set."""
    later = alive & (-2 << seat)
    if later == 0:
        return lowest_bit(alive)
    return lowest_bit(later)


@cold
def share_win(row: Any, winners: int) -> None:
    """Split the payoff of a win evenly among the winning seats; nobody gets anything if there are none."""
    n_winners = popcount(winners)
    for seat in range(len(row.payoff)):
        row.payoff[seat] = 0
        if winners >> seat & 1:
            row.payoff[seat] = WHOLE_WIN // n_winners


@cold
def finish_row(state: Any, row: Any) -> None:
    """Write what every playout leaves: termination, length, order and policies."""
    table = state.table
    state.tallies.n_turns += table.length_turns
    row.termination = table.termination
    row.length_turns = table.length_turns
    for seat in range(len(row.order)):
        taken = seat < table.n_seats
        row.order[seat] = table.order[seat] if taken else NOBODY
        row.policy[seat] = table.policy[seat] if taken else NOBODY
