"""The games; a new one adds its name to `NAMES` and is found by its folder."""

from __future__ import annotations

import difflib
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.engine.contract import Game

NAMES = ("flip", "fortnite", "pig")


def get(name: str) -> Game:
    """Return a game by name, importing no other.

    Raises:
        ValueError: There is no such game; the nearest name is offered.

    """
    if name not in NAMES:
        near = difflib.get_close_matches(str(name), NAMES, n=1, cutoff=0.3)
        hint = f" (did you mean '{near[0]}'?)" if near else ""
        message = f"game: found '{name}', expected one of {', '.join(NAMES)}{hint}"
        raise ValueError(message)
    game: Game = import_module(f"sim.games.{name}.game").GAME
    return game


class _Games(ModuleType):
    """This module, which can also be called: `sim.games()` lists the games."""

    def __call__(self) -> list[dict[str, Any]]:
        """Return one row per game: its name, title, seats and policies."""
        found = [get(name) for name in NAMES]
        return [
            {
                "game": game.name,
                "title": game.title,
                "seats": f"{game.fewest_seats}-{game.most_seats}",
                "policies": [policy.name for policy in game.policies],
            }
            for game in found
        ]


sys.modules[__name__].__class__ = _Games
