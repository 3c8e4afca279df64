"""Finds playouts in which each variant of a game matters: `python -m tests.games.flip_readings` writes them anew.

A *witness* is a playout whose events differ from those of the default rules. Where the default board and cards
leave a reading nothing to do, both sides are played under changes that do, and `why` says what is missing.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim import games
from sim.engine.blocks import Arm, Array, play_rows
from sim.engine.lineup import make_lineup
from sim.engine.replay import Event, replay
from tests.support import SEED

FEW = 40  # playouts looked through for the shortest witness
MANY = 100_000  # playouts looked through for any


@dataclass(frozen=True)
class Witness:
    """Where a variant of a game plays differently from the default.

    Attributes:
        game: Name of the game.
        variant: Name of the variant.
        seats: Seats at the table.
        policy: Policy in every seat.
        playout: Number of the playout.
        under: Changes that both sides are played under.
        why: Why the variant cannot matter without them.

    """

    game: str
    variant: str
    seats: int
    policy: str
    playout: int
    under: dict[str, Any] = field(default_factory=dict)
    why: str = ""

    def sides(self) -> tuple[list[Event], list[Event]]:
        """Return the events without the variant and with it."""
        game = games.get(self.game)
        lineup = make_lineup(game, [self.policy], self.seats)
        changes = tuple(self.under.items())
        without, given = (
            replay(game, packed(self.game, variant, changes), lineup, SEED, self.playout).events
            for variant in (None, self.variant)
        )
        return without, given

    def matters(self) -> bool:
        """Tell whether the events differ."""
        without, given = self.sides()
        return without != given

    def as_toml(self) -> str:
        """Return the entry in the file of witnesses."""
        lines = ["[[witness]]", f'variant = "{self.variant}"', f"seats = {self.seats}", f'policy = "{self.policy}"']
        lines.append(f"playout = {self.playout}")
        if self.under:
            changes = ", ".join(f'"{key}" = {quoted(value)}' for key, value in self.under.items())
            lines += [f"under = {{ {changes} }}", f'why = "{self.why}"']
        return "\n".join(lines) + "\n"


def quoted(value: Any) -> str:
    """Return a value as TOML has it."""
    return f'"{value}"' if isinstance(value, str) else str(value)


@cache
def packed(game: str, variant: str | None, under: tuple[tuple[str, Any], ...]) -> Any:
    """Return the rules of a variant under further changes."""
    found = games.get(game)
    return found.pack(found.load().resolve(dict(under), variant))


def rows_of(game: str, variant: str | None, n_playouts: int) -> Array:
    """Return rows of four random seats by the default but for the variant."""
    found = games.get(game)
    arm = Arm("one", packed(game, variant, ()), make_lineup(found, ["random"], 4), n_playouts)
    return play_rows(found, arm, SEED, 0, n_playouts)[0][0]


@dataclass(frozen=True)
class Search:
    """What is looked through for witnesses of a game's variants.

    Attributes:
        game: Name of the game.
        module: Name of the module that holds this search, whose file of witnesses stands beside it.
        same: Variants that are the default under another name.
        under: Changes under which a variant can matter at all, and why it cannot without them.
        seat_counts: Numbers of seats tried.
        policies: Policies tried.

    """

    game: str
    module: str
    same: tuple[str, ...]
    under: Mapping[str, tuple[dict[str, Any], str]]
    seat_counts: tuple[int, ...]
    policies: tuple[str, ...] = ("random", "leader", "threat")

    @property
    def file(self) -> Path:
        """Return the file of witnesses."""
        return Path(__file__).with_name(f"{self.game}_readings.toml")

    def variants(self) -> list[str]:
        """Return every variant that changes something: all readings, layouts, ladders and fills."""
        return [name for name in games.get(self.game).load().variants if name not in self.same]

    def read(self) -> list[Witness]:
        """Return the witnesses on file."""
        listed = tomllib.loads(self.file.read_text(encoding="utf-8"))["witness"]
        return [Witness(self.game, **entry) for entry in listed]

    def candidates(self, variant: str) -> Iterator[Witness]:
        """Yield the witnesses among the first playouts."""
        under, why = self.under.get(variant, ({}, ""))
        for seats, policy in itertools.product(self.seat_counts, self.policies):
            for playout in range(FEW):
                found = Witness(self.game, variant, seats, policy, playout, under, why)
                if found.matters():
                    yield found

    def witness(self, variant: str) -> Witness | None:
        """Return a witness of few events, or a rare one, None if there is none."""
        found = min(self.candidates(variant), key=lambda one: sum(map(len, one.sides())), default=None)
        return found or next(self.rare(variant), None)

    def rare(self, variant: str) -> Iterator[Witness]:
        """Yield the witnesses among many playouts whose rows differ."""
        game = games.get(self.game)
        under, why = self.under.get(variant, ({}, ""))
        for seats, policy in itertools.product(self.seat_counts, self.policies):
            without, given = (
                play_rows(game, Arm("one", rules, make_lineup(game, [policy], seats), MANY), SEED, 0, MANY)[0][0]
                for rules in (packed(self.game, name, tuple(under.items())) for name in (None, variant))
            )
            for playout in np.flatnonzero(without != given):
                yield Witness(self.game, variant, seats, policy, int(playout), under, why)

    def write(self) -> int:
        """Search witnesses of all variants and write them; exit code 1 if a variant has none."""
        found = {variant: self.witness(variant) for variant in self.variants()}
        missing = [variant for variant, witness in found.items() if witness is None]
        entries = [witness.as_toml() for witness in found.values() if witness is not None]
        head = f"# Written by `python -m {self.module}`.\n\n"
        self.file.write_text(head + "\n".join(entries), encoding="utf-8")
        print(f"{len(entries)} witnesses; none for {', '.join(missing) or 'nobody'}")
        return 1 if missing else 0

    def check_file(self) -> None:
        """Compare the file of witnesses with the variants there are."""
        components = games.get(self.game).load()
        default = components.resolve({})
        witnesses = self.read()
        assert [witness.variant for witness in witnesses] == self.variants()
        assert {one.variant: (one.under, one.why) for one in witnesses if one.under} == dict(self.under)
        for name in self.same:
            same = components.resolve({}, name)
            assert (same.rules, same.tables) == (default.rules, default.tables)
        assert all(components.resolve({}, name).changes for name in self.variants())
