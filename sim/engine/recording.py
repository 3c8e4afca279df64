"""Records the events of many playouts, for what rows and tallies do not tell.

A recorded playout is the playout of the same number in any run: recording is a flag of the same kernel. Line-ups that
mix policies sit in the rotation `playout modulo rotations`, so that every rotation is there alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.blocks import make_assignment, refuse_lost_rows
from sim.engine.contract import EVENT_WINDOW, Game
from sim.engine.lineup import rotations
from sim.jit import make_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sim.engine.blocks import Arm

KIND: Final = 0
SEAT: Final = 1
FIRST: Final = 2
SECOND: Final = 3
THIRD: Final = 4
RECORDED_AT_ONCE: Final = 500  # playouts: a few megabytes of events

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Recorded:
    """Events of consecutive playouts.

    Attributes:
        game: The game.
        n_seats: Seats at the table.
        playouts: Numbers of the playouts, shape (n_playouts,).
        rotation: Rotation of the line-up in each playout, shape (n_playouts,).
        rows: Rows, shape (n_playouts,).
        events: Kind, seat and three numbers of each event in order, shape (n_events, 5).
        place: To which of the playouts here each event belongs, shape (n_events,).

    """

    game: Game
    n_seats: int
    playouts: Array
    rotation: Array
    rows: Any
    events: Array
    place: Array

    def of_kind(self, *names: str) -> Array:
        """Return which events are of the named kinds, shape (n_events,)."""
        kinds = [self.game.events.index(name) for name in names if name]
        return np.isin(self.events[:, KIND], kinds)


def record_playouts(game: Game, arm: Arm, seed: int, first: int, n_playouts: int) -> Iterator[Recorded]:
    """Yield consecutive playouts of one arm with their events, some hundreds at once.

    Args:
        game: The game.
        arm: What to play; its selection is not looked at.
        seed: Seed of all draws.
        first: Number of the first playout.
        n_playouts: How many.

    Raises:
        RuntimeError: A kernel left playouts unplayed.

    """
    for start in range(first, first + n_playouts, RECORDED_AT_ONCE):
        stop = min(start + RECORDED_AT_ONCE, first + n_playouts)
        yield _record(game, arm, seed, np.arange(start, stop))


def _record(game: Game, arm: Arm, seed: int, playouts: Array) -> Recorded:
    """Play some playouts one by one and keep their events."""
    assignments = [make_assignment(lineup, seed, grants=arm.grants) for lineup in rotations(arm.lineup)]
    for assignment in assignments:
        assignment["is_recording"] = 1
    rotation = playouts % len(assignments)
    states = make_records(game.state)
    rows = np.zeros(len(playouts), game.row).view(np.recarray)
    found = [
        _events(game, (states, arm.rules, assignments[rotation[place]]), rows[place : place + 1], number)
        for place, number in enumerate(playouts)
    ]
    refuse_lost_rows(rows["termination"])
    place = np.repeat(np.arange(len(playouts)), [len(events) for events in found])
    return Recorded(game, len(arm.lineup), playouts, rotation, rows, np.concatenate(found), place)


def plain(records: Any) -> Any:
    """Return records as a plain array: numba looks at record arrays in Python, where Ctrl-C gets lost."""
    return records.view(np.ndarray)


def _events(game: Game, records: Sequence[Any], rows: Any, playout: int) -> Array:
    """Return the events of one playout; those beyond a window take another play of the same playout."""
    states, rules, assignment = records
    hidden = states["hidden"]
    parts: list[Array] = []
    n_found, n_events = 0, 1
    while n_found < n_events:
        assignment["first_event"] = n_found
        game.entry(plain(states), plain(rules), plain(assignment), plain(rows), np.array([playout], np.int64))
        n_events = int(hidden["n_events"][0])
        parts.append(hidden["event"][0, : min(EVENT_WINDOW, n_events - n_found)].copy())
        n_found += len(parts[-1])
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
