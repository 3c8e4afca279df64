"""The games; a new one adds its name to `NAMES` and is found by its folder, or stays outside of the tree (`add`)."""

from __future__ import annotations

import difflib
import os
import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sim.engine.contract import Game

NAMES = ("flip", "fortnite", "pig")
OUTSIDE_VARIABLE: Final = "SIM_GAMES"  # folders of games outside of the tree, parted as PATH is
NAME: Final = re.compile(r"[a-z][a-z0-9_]*")

_outside: dict[str, Path] = {}


def names() -> tuple[str, ...]:
    """Return the names of all games: those of the tree, then those that were added."""
    for folder in filter(None, os.environ.get(OUTSIDE_VARIABLE, "").split(os.pathsep)):
        add(folder, OUTSIDE_VARIABLE)
    return (*NAMES, *_outside)


def get(name: str) -> Game:
    """Return a game by name, importing no other.

    Raises:
        ValueError: There is no such game, and the nearest name is offered; or its folder does not hold a game.

    """
    known = names()
    if name not in known:
        near = difflib.get_close_matches(str(name), known, n=1, cutoff=0.3)
        hint = f" (did you mean '{near[0]}'?)" if near else ""
        message = f"game: found '{name}', expected one of {', '.join(known)}{hint}"
        raise ValueError(message)
    module = f"sim.games.{name}.game"
    game: Game = (import_module(module) if name in NAMES else _import_outside(name, module)).GAME
    return game


def add(folder: str | Path, what: str = "--game") -> str:
    """Take in a game whose folder lies outside of the tree.

    The folder holds what the folder of a game in the tree holds, `game.py` with its `GAME` among it; its modules are
    imported as `sim.games.<name of the folder>`, so that it can move into the tree as it is.

    Args:
        folder: The game's folder; its name is the game's.
        what: What an error calls the place where the folder was named.

    Returns:
        The name of the game.

    Raises:
        ValueError: The folder is not a game's, or a game of that name is there already.

    """
    path = Path(folder).expanduser().resolve()
    name = path.name
    if not (path / "game.py").is_file():
        message = f"{what}: found {folder}, expected the folder of a game, with a file game.py"
        raise ValueError(message)
    if not NAME.fullmatch(name):
        message = f"{what}: found a folder named '{name}', expected a name of small letters, digits and underscores"
        raise ValueError(message)
    if name in NAMES or _outside.get(name, path) != path:
        message = f"{what}: found another game '{name}' in {folder}, expected a name that is not taken"
        raise ValueError(message)
    _outside[name] = path
    return name


def _import_outside(name: str, module: str) -> ModuleType:
    """Import a game of another folder; what it compiles is filed under a hash of its own sources, too.

    Raises:
        ValueError: It cannot be imported, or is no game of that name.

    """
    from sim import jit  # noqa: PLC0415

    folder, package = _outside[name], f"sim.games.{name}"
    if package not in sys.modules:
        sys.modules[package] = ModuleType(package)
        sys.modules[package].__path__ = [str(folder)]
    try:
        with jit.outside_sources(folder):
            found = import_module(module)
    except Exception as error:
        message = f"--game: {folder} cannot be imported: {type(error).__name__}: {error}"
        raise ValueError(message) from error
    if getattr(getattr(found, "GAME", None), "name", None) != name:
        message = f"--game: {folder / 'game.py'} has no GAME named '{name}', expected the folder's name"
        raise ValueError(message)
    return found


class _Games(ModuleType):
    """This module, which can also be called: `sim.games()` lists the games."""

    def __call__(self) -> list[dict[str, Any]]:
        """Return one row per game: its name, title, seats and policies."""
        found = [get(name) for name in names()]
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
