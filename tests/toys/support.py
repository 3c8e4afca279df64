"""Makes a toy known to the floors above the games while a test runs."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sim import games
from sim.engine.contract import Game
from sim.experiment import check_plan
from tests.toys.duel.game import GAME


def add_duel(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """Let plans name the duel, with changes of what the engine sees of it."""
    monkeypatch.setattr(games, "NAMES", (*games.NAMES, GAME.name))
    module = SimpleNamespace(GAME=replace(GAME, **changes))
    monkeypatch.setitem(sys.modules, f"sim.games.{GAME.name}.game", module)


def duel_plan(**keys: Any) -> Any:
    """Return a plan of the duel under its one policy."""
    found: dict[str, Any] = {
        "schema": 1,
        "question": "What is known exactly?",
        "game": GAME.name,
        "seats": 2,
        "seed": 11,
        "profile": [{"name": "random", "policies": ["random"]}],
        "items": "all",
    }
    return check_plan(found | keys)


def toy_outside(name: str) -> Game:
    """Return a toy as a game from outside of the tree, which no other test hears of."""
    games.add(Path(__file__).parent / name)
    game = games.get(name)
    games._outside.pop(name)
    return game
