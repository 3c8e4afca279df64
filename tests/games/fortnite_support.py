"""Hand-made tables of fortnite for rule tests: one phase kernel is run on them, interpreted."""

from __future__ import annotations

from functools import partial

from sim.games.fortnite.game import GAME
from sim.games.fortnite.phases.set_up import clear
from tests.games.scenes import LEADER, Scene, interpreted_only, make_scene, physical_number, told_of

__all__ = ["LEADER", "Scene", "card_number", "interpreted_only", "scene", "storm_number", "told"]


scene = partial(make_scene, GAME, clear)
card_number = partial(physical_number, GAME, "cards", "card")
told = partial(told_of, GAME)
storm_number = partial(physical_number, GAME, "storm", "storm")
