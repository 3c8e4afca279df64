"""Hand-made tables of fortnite for rule tests: one phase kernel is run on them, interpreted."""

from __future__ import annotations

from typing import Any

from sim.engine.replay import Recording
from sim.games.fortnite.game import GAME
from sim.games.fortnite.phases.set_up import clear
from tests.games.scenes import LEADER, Scene, interpreted_only, make_scene, physical_number, told_of

__all__ = ["LEADER", "Scene", "card_number", "interpreted_only", "scene", "storm_number", "told"]


def scene(n_seats: int = 4, **changes: Any) -> Scene:
    """Return an empty table under changed rules: all seats alive with full HP on space 0, seat 0 active.

    Changes with dots are written with double underscores: `storm__dice__copies=0`.
    """
    return make_scene(GAME, clear, n_seats, changes)


def card_number(name: str) -> int:
    """Return the physical number of a loot card in the default deck."""
    return physical_number(GAME, "cards", "card", name)


def told(playout: int = 1000, policy: str = "random", n_seats: int = 4, **changes: Any) -> Recording:
    """Return one recorded playout under changed rules; works compiled too."""
    return told_of(GAME, playout, policy, n_seats, changes)


def storm_number(name: str) -> int:
    """Return the physical number of the first copy of a Storm card in the default deck."""
    return physical_number(GAME, "storm", "storm", name)
