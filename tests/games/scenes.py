"""Hand-made tables of the games with locations and loot: one phase kernel is run on them, interpreted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from sim import jit
from sim.engine.contract import Game
from sim.engine.lineup import make_lineup
from sim.engine.playing import EVERY_SEAT
from sim.engine.replay import Recording, replay
from sim.jit import make_records, record_of
from tests.support import SEED

interpreted_only = pytest.mark.skipif(
    not jit.INTERPRETED,
    reason="phase kernels can be called one by one only in the interpreted pass",
)
LEADER = 1


@dataclass
class Scene:
    """A table with everything free to set, and what happened on it.

    Attributes:
        state: The state record: `.table`, `.hidden`, `.tallies`.
        rules: The rules record.

    """

    state: Any
    rules: Any

    @property
    def table(self) -> Any:
        """The table record."""
        return self.state.table

    def events(self, kind: int | None = None) -> list[tuple[int, ...]]:
        """Return the events so far (kind, seat, three numbers), or those of one kind."""
        rows = np.asarray(
            [
                [self.state.hidden.event[place, column] for column in range(5)]
                for place in range(self.state.hidden.n_events)
            ]
        ).reshape(-1, 5)
        told = [tuple(int(number) for number in row) for row in rows]
        return [event for event in told if kind is None or event[0] == kind]

    def choose(self, *options: int) -> None:
        """Force the next choices."""
        for place, option in enumerate(options):
            self.state.hidden.tape[place] = option
        self.state.hidden.n_decisions = 0
        self.state.hidden.tape_size = len(options)


def plain(changes: dict[str, Any]) -> dict[str, Any]:
    """Return changes with dots for the double underscores of keyword arguments."""
    return {key.replace("__", "."): value for key, value in changes.items()}


def make_scene(game: Game, clear: Callable[[Any, Any], None], n_seats: int = 4, **changes: Any) -> Scene:
    """Return an empty table under changed rules: all seats alive with full HP on space 0, seat 0 active.

    Changes with dots are written with double underscores: `cards__bush__copies=0`.
    """
    ruleset = game.load().resolve(plain(changes))
    rules = record_of(game.pack(ruleset), 0)
    state = record_of(make_records(game.state), 0)
    clear(state, rules)
    state.table.n_seats = n_seats
    state.table.alive = state.table.standing = (1 << n_seats) - 1
    state.hidden.is_watched = state.hidden.is_recording = 1
    state.hidden.asked = EVERY_SEAT
    for seat in range(n_seats):
        state.table.hp[seat] = int(ruleset.rules["start_hp"])
        state.table.policy[seat] = LEADER
        state.table.parameter[seat, 0] = 1
    state.table.length_turns = 1
    return Scene(state, rules)


def physical_number(game: Game, table: str, key: str, name: str) -> int:
    """Return the physical number of the first copy of a card in the default deck."""
    cards = game.load().resolve({}).tables[table]
    return sum(int(row["copies"]) for row in cards[: [row[key] for row in cards].index(name)])


def told_of(game: Game, playout: int = 1000, policy: str = "random", n_seats: int = 4, **changes: Any) -> Recording:
    """Return one recorded playout under changed rules; works compiled too."""
    rules = game.pack(game.load().resolve(plain(changes)))
    return replay(game, rules, make_lineup(game, [policy], n_seats), SEED, playout)
