"""Hand-made tables of flip for rule tests: one phase kernel is run on them, interpreted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from sim import jit
from sim.engine.lineup import make_lineup
from sim.engine.replay import Recording, replay
from sim.games.flip.game import GAME
from sim.games.flip.phases.set_up import clear
from sim.games.flip.words import Event, Rule
from sim.jit import make_records, record_of
from tests.support import SEED

interpreted_only = pytest.mark.skipif(
    not jit.INTERPRETED,
    reason="phase kernels can be called one by one only in the interpreted pass",
)
LEADER = 1
NAMES = {
    table: [str(row[key]) for row in GAME.load().resolve({}).tables[table]]
    for table, key in (("cards", "card"), ("loadouts", "loadout"), ("modes", "mode"))
}
"""Keys of the cards, table by table."""
LOOTLESS, LOADOUTLESS, MODELESS = ({f"{table}.{name}.copies": 0 for name in names} for table, names in NAMES.items())


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

    def events(self, kind: Event | None = None) -> list[tuple[int, ...]]:
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


def scene(n_seats: int = 4, **changes: Any) -> Scene:
    """Return an empty table under changed rules: all seats alive with full HP on space 0, seat 0 active.

    Changes with dots are written with double underscores: `cards__bush__copies=0`.
    """
    plain = {key.replace("__", "."): value for key, value in changes.items()}
    rules = record_of(GAME.pack(GAME.load().resolve(plain)), 0)
    state = record_of(make_records(GAME.state), 0)
    clear(state, rules)
    state.table.n_seats = n_seats
    state.table.alive = (1 << n_seats) - 1
    state.hidden.is_recording = 1
    for seat in range(n_seats):
        state.table.hp[seat] = rules.value[Rule.START_HP]
        state.table.policy[seat] = LEADER
        state.table.parameter[seat, 0] = 1
    state.table.length_turns = 1
    return Scene(state, rules)


def card_number(name: str) -> int:
    """Return the physical number of a loot card in the default deck."""
    cards = GAME.load().resolve({}).tables["cards"]
    return sum(int(row["copies"]) for row in cards[: [row["card"] for row in cards].index(name)])


def told(playout: int = 1000, policy: str = "random", n_seats: int = 4, **changes: Any) -> Recording:
    """Return one recorded playout under changed rules; works compiled too."""
    plain = {key.replace("__", "."): value for key, value in changes.items()}
    rules = GAME.pack(GAME.load().resolve(plain))
    return replay(GAME, rules, make_lineup(GAME, [policy], n_seats), SEED, playout)
