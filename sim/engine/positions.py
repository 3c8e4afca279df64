"""Positions of recorded playouts: what each seat had after set-up and after every turn, read from the events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.contract import DECISION_EVENT, NOBODY
from sim.engine.recording import FIRST, KIND, SEAT, SECOND, THIRD
from sim.engine.totals import finished

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.engine.contract import Counter, Story
    from sim.engine.recording import Recorded

NUMBERS: Final = {"first": FIRST, "second": SECOND, "third": THIRD}

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Positions:
    """Positions of some playouts, one after the other: of each the one after set-up, then one after every turn.

    Attributes:
        n_playouts: Playouts.
        playout: To which of them a position belongs, shape (n_positions,).
        turn: Turns played before it, shape (n_positions,).
        length: Turns of each playout, shape (n_playouts,).
        is_finished: Whether a playout ended by the rules, shape (n_playouts,).
        payoff: Payoff of each seat in units of the engine, shape (n_playouts, n_seats).
        eliminated: Order of elimination, 0 for who stayed, shape (n_playouts, n_seats).
        policy: Code of the policy in each seat, shape (n_playouts, n_seats).
        dealt: Mask of the items of each family that a seat was dealt, shape (n_playouts, n_seats, n_families).
        next_seat: Who moves next, NOBODY at the end, shape (n_positions,).
        alive: Who is still in, shape (n_positions, n_seats).
        values: What each seat has, shape (n_positions, n_seats, n_counters).

    """

    n_playouts: int
    playout: Array
    turn: Array
    length: Array
    is_finished: Array
    payoff: Array
    eliminated: Array
    policy: Array
    dealt: Array
    next_seat: Array
    alive: Array
    values: Array

    @property
    def is_open(self) -> Array:
        """Whether a position lies before the end of its playout, shape (n_positions,)."""
        return np.asarray(self.turn < self.length[self.playout])


@dataclass(frozen=True)
class Happened:
    """What happened in the turns of some playouts, added up by playout.

    Attributes:
        lost: What seats lost of the first resource, shape (n_playouts,).
        lost_to_others: What they lost in a turn of somebody else's doing, shape (n_playouts,).
        attacks: How often that was, shape (n_playouts,).
        drift: Change of the resource by source and seats alive as the turn began, shape (n_playouts, n_sources,
            n_seats + 1).
        turns: Turns by seats alive as they began, shape (n_playouts, n_seats + 1).
        decisions: Decisions with a choice, in turns, shape (n_playouts,).
        log_options: Sum of the logarithms of the numbers of their options, shape (n_playouts,).
        turns_with_choice: Turns in which anybody had a choice, shape (n_playouts,).

    """

    lost: Array
    lost_to_others: Array
    attacks: Array
    drift: Array
    turns: Array
    decisions: Array
    log_options: Array
    turns_with_choice: Array


def positions_of(recorded: Recorded, story: Story, starts: Sequence[int]) -> tuple[Positions, Happened]:
    """Return the positions of recorded playouts and what happened between them.

    Args:
        recorded: The playouts.
        story: Which events tell it.
        starts: What every seat starts with, by counter.

    """
    n_seats, rows = recorded.n_seats, recorded.rows
    length = np.asarray(rows["length_turns"], np.int64)
    first = np.concatenate([[0], np.cumsum(length + 1)])
    n_positions, first = int(first[-1]), first[:-1]
    playout = np.repeat(np.arange(len(length)), length + 1)
    turn = np.arange(n_positions) - first[playout]
    is_turn = recorded.of_kind(story.turn)
    n_turns = np.cumsum(is_turn)
    before = np.concatenate([[0], np.cumsum(length)])[recorded.place]
    at = first[recorded.place] + n_turns - before  # position that an event leads to
    next_seat = np.full(n_positions, NOBODY, np.int64)
    next_seat[at[is_turn] - 1] = recorded.events[is_turn, SEAT]
    alive = _alive(recorded, story, at, (n_positions, n_seats), first[playout])
    values = np.stack(
        [_counted(recorded, one, at, (n_positions, n_seats), first[playout]) for one in story.counters], axis=2
    ) + np.array(starts)
    found = Positions(
        len(length),
        playout,
        turn,
        length,
        finished(rows[None, :]),
        np.asarray(rows["payoff"][:, :n_seats], np.int64),
        np.asarray(rows["eliminated"][:, :n_seats], np.int64),
        np.asarray(rows["policy"][:, :n_seats], np.int64),
        _dealt(recorded),
        next_seat,
        alive,
        values,
    )
    return found, _happened(recorded, story, at, found)


def _dealt(recorded: Recorded) -> Array:
    """Return the masks of items dealt, of the families that are."""
    names = [family.name for family in recorded.game.families if family.deal_event]
    masks = [recorded.rows[f"dealt_{name}"][:, : recorded.n_seats] for name in names]
    return np.stack(masks, axis=2) if masks else np.zeros((len(recorded.playouts), recorded.n_seats, 0), np.int64)


def _within(moves: Array, first: Array) -> Array:
    """Return running sums that begin anew in each playout, over the first axis."""
    sums = np.cumsum(moves, axis=0)
    return np.asarray(sums - np.where((first > 0)[:, None], sums[first - 1], 0))


def _counted(recorded: Recorded, counter: Counter, at: Array, shape: tuple[int, int], first: Array) -> Array:
    """Return how far the events have moved a counter in each position."""
    moves = np.zeros(shape, np.int64)
    for kind, amount in counter.moves.items():
        some = recorded.of_kind(kind) & (recorded.events[:, SEAT] != NOBODY)
        by = recorded.events[some, NUMBERS[amount]] if isinstance(amount, str) else amount
        np.add.at(moves, (at[some], recorded.events[some, SEAT]), by)
    return _within(moves, first)


def _alive(recorded: Recorded, story: Story, at: Array, shape: tuple[int, int], first: Array) -> Array:
    """Return who is still in."""
    fallen = np.zeros(shape, np.int64)
    if story.fall:
        some = recorded.of_kind(story.fall)
        np.add.at(fallen, (at[some], recorded.events[some, SEAT]), 1)
    return _within(fallen, first) == 0


def _happened(recorded: Recorded, story: Story, at: Array, positions: Positions) -> Happened:
    """Add up by playout what happened in turns."""
    n_playouts, n_seats = positions.n_playouts, recorded.n_seats
    n_alive = positions.alive.sum(axis=1)
    in_turn = positions.turn[at] > 0
    began_with = n_alive[np.maximum(at - 1, 0)]
    change = recorded.of_kind(story.change) & in_turn
    events, place = recorded.events[change], recorded.place[change]
    amount, source = events[:, FIRST], events[:, SECOND]
    lost = np.maximum(0, -amount)
    by_other = (amount < 0) & (events[:, THIRD] != events[:, SEAT]) & (events[:, THIRD] != NOBODY)
    n_sources = max(1, len(recorded.game.sources))
    drift = np.zeros((n_playouts, n_sources, n_seats + 1))
    np.add.at(drift, (place, source, began_with[change]), amount)
    turns = np.zeros((n_playouts, n_seats + 1))
    played = np.flatnonzero(positions.turn > 0)
    np.add.at(turns, (positions.playout[played], n_alive[played - 1]), 1)
    choice = (recorded.events[:, KIND] == DECISION_EVENT) & in_turn
    options = np.array([int(mask).bit_count() for mask in recorded.events[choice, THIRD]], np.float64)
    chosen_in = np.unique(at[choice])

    def total(where: Array, weights: Array | None = None) -> Array:
        return np.bincount(where, weights, n_playouts).astype(np.float64)

    return Happened(
        lost=total(place, lost),
        lost_to_others=total(place, lost * by_other),
        attacks=total(place, by_other),
        drift=drift,
        turns=turns,
        decisions=total(recorded.place[choice]),
        log_options=total(recorded.place[choice], np.log(options)),
        turns_with_choice=total(positions.playout[chosen_in]),
    )
