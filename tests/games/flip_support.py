"""Hand-made tables of flip for rule tests: one phase kernel is run on them, interpreted."""

from __future__ import annotations

from typing import Any

from sim.engine.replay import Recording
from sim.games.flip.game import GAME
from sim.games.flip.phases.set_up import clear
from tests.games.scenes import LEADER, Scene, interpreted_only, make_scene, physical_number, told_of

__all__ = [
    "LEADER",
    "LOADOUTLESS",
    "LOOTLESS",
    "MODELESS",
    "NAMES",
    "Scene",
    "card_number",
    "interpreted_only",
    "scene",
    "told",
]

NAMES = {
    table: [str(row[key]) for row in GAME.load().resolve({}).tables[table]]
    for table, key in (("cards", "card"), ("loadouts", "loadout"), ("modes", "mode"))
}
"""Keys of the cards, table by table."""
LOOTLESS, LOADOUTLESS, MODELESS = ({f"{table}.{name}.copies": 0 for name in names} for table, names in NAMES.items())


def scene(n_seats: int = 4, **changes: Any) -> Scene:
    """Return an empty table under changed rules: all seats alive with full HP on space 0, seat 0 active.

    Changes with dots are written with double underscores: `cards__bush__copies=0`.
    """
    return make_scene(GAME, clear, n_seats, changes)


def card_number(name: str) -> int:
    """Return the physical number of a loot card in the default deck."""
    return physical_number(GAME, "cards", "card", name)


def told(playout: int = 1000, policy: str = "random", n_seats: int = 4, **changes: Any) -> Recording:
    """Return one recorded playout under changed rules; works compiled too."""
    return told_of(GAME, playout, policy, n_seats, changes)
