"""Hand-made tables of flip for rule tests: one phase kernel is run on them, interpreted."""

from __future__ import annotations

from functools import partial

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


scene = partial(make_scene, GAME, clear)
card_number = partial(physical_number, GAME, "cards", "card")
told = partial(told_of, GAME)
