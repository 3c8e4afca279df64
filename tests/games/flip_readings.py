"""Finds playouts in which each variant of flip matters: `python -m tests.games.flip_readings` writes them anew.

A *witness* is a playout whose events differ from those of the default rules. Where the default board and cards
leave a reading nothing to do, both sides are played under changes that do, and `why` says what is missing.
"""

from __future__ import annotations

import itertools
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.blocks import Arm, play_rows
from sim.engine.lineup import make_lineup
from sim.engine.replay import Event, replay
from sim.games.flip.game import GAME
from tests.support import SEED

FILE = Path(__file__).with_suffix(".toml")
COMPONENTS = GAME.load()
SAME = ("printed", "die_2211")  # what the default is, by name
SEAT_COUNTS = (2, 3, 4)
POLICIES = ("random", "leader", "threat")
FEW = 40  # playouts looked through for the shortest witness
MANY = 100_000  # playouts looked through for any
UNDER: dict[str, tuple[dict[str, Any], str]] = {
    "flip_lander_follows": (
        {"board.2.back": "chest"},
        "a Flip space of the default board has a Flip space behind it, and a revealed Flip does not flip back",
    ),
    "set_flipped_partner_too": (
        {"locations.1.set": 2, "locations.2.set": 1},
        "both locations of a set lie on one tile of the default board, so they turn together",
    ),
    "storm_owner_keeps": (
        {"storm_claimed": "any"},
        "by default no card takes a claimed location, and who falls loses every location anyway",
    ),
}
"""Changes under which a variant can matter at all, and why it cannot without them."""


@dataclass(frozen=True)
class Witness:
    """Where a variant of flip plays differently from the default.

    Attributes:
        variant: Name of the variant.
        seats: Seats at the table.
        policy: Policy in every seat.
        playout: Number of the playout.
        under: Changes that both sides are played under.
        why: Why the variant cannot matter without them.

    """

    variant: str
    seats: int
    policy: str
    playout: int
    under: dict[str, Any] = field(default_factory=dict)
    why: str = ""

    def sides(self) -> tuple[list[Event], list[Event]]:
        """Return the events without the variant and with it."""
        lineup = make_lineup(GAME, [self.policy], self.seats)
        changes = tuple(self.under.items())
        without, given = (
            replay(GAME, packed(variant, changes), lineup, SEED, self.playout).events
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
def packed(variant: str | None, under: tuple[tuple[str, Any], ...]) -> Any:
    """Return the rules of a variant under further changes."""
    return GAME.pack(COMPONENTS.resolve(dict(under), variant))


def variants() -> list[str]:
    """Return every variant that changes something: all readings, layouts, ladders and fills."""
    return [name for name in COMPONENTS.variants if name not in SAME]


def read() -> list[Witness]:
    """Return the witnesses on file."""
    listed = tomllib.loads(FILE.read_text(encoding="utf-8"))["witness"]
    return [Witness(**entry) for entry in listed]


def candidates(variant: str) -> Iterator[Witness]:
    """Yield the witnesses among the first playouts."""
    under, why = UNDER.get(variant, ({}, ""))
    for seats, policy in itertools.product(SEAT_COUNTS, POLICIES):
        for playout in range(FEW):
            found = Witness(variant, seats, policy, playout, under, why)
            if found.matters():
                yield found


def search(variant: str) -> Witness | None:
    """Return a witness of few events, or a rare one, None if there is none."""
    found = min(candidates(variant), key=lambda one: sum(map(len, one.sides())), default=None)
    return found or next(rare(variant), None)


def rare(variant: str) -> Iterator[Witness]:
    """Yield the witnesses among many playouts whose rows differ."""
    under, why = UNDER.get(variant, ({}, ""))
    for seats, policy in itertools.product(SEAT_COUNTS, POLICIES):
        without, given = (
            play_rows(GAME, Arm("one", packed(name, tuple(under.items())), lineup, MANY), SEED, 0, MANY)[0][0]
            for name in (None, variant)
            for lineup in [make_lineup(GAME, [policy], seats)]
        )
        for playout in np.flatnonzero(without != given):
            yield Witness(variant, seats, policy, int(playout), under, why)


def main() -> int:
    """Search witnesses of all variants and write them; exit code 1 if a variant has none."""
    found = {variant: search(variant) for variant in variants()}
    missing = [variant for variant, witness in found.items() if witness is None]
    entries = [witness.as_toml() for witness in found.values() if witness is not None]
    head = "# Written by `python -m tests.games.flip_readings`.\n\n"
    FILE.write_text(head + "\n".join(entries), encoding="utf-8")
    print(f"{len(entries)} witnesses; none for {', '.join(missing) or 'nobody'}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
