"""Says when kernels are about to be compiled, which takes a while: on the command line, in scripts and notebooks."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sim import jit, mechanics

if TYPE_CHECKING:
    from sim.engine.contract import Game

BASE_SECONDS: Final = 4.0
SECONDS_PER_LINE: Final = 0.0085
"""What compiling took on one core: 6 s for the 260 lines of Pig's kernels, 24 to 28 s for the 2,700 of flip's."""
MECHANICS: Final = re.compile(r"^from sim\.mechanics\.(\w+) import", re.MULTILINE)
NEVER_COMPILED: Final = {"packing", "telling", "words"}


def is_cold(game: Game) -> bool:
    """Return whether the game's kernels are still to be compiled on this machine.

    Files of two games can have one name; the folder that numba keeps an entry in is of its source file alone.
    """
    if jit.INTERPRETED:
        return False
    entry: Any = game.entry
    if entry.signatures:
        return False
    source = Path(inspect.getfile(entry.py_func))
    pattern = f"{source.stem}.{entry.__name__}-*.nbi"
    return next(Path(entry.stats.cache_path).glob(pattern), None) is None


def announce(game: Game) -> bool:
    """Say on standard error that a game's kernels are about to be compiled, and return whether they are."""
    if not is_cold(game):
        return False
    sys.stderr.write(f"compiling kernels (once, about {expected_seconds(game)} s)\n")
    sys.stderr.flush()
    return True


def expected_seconds(game: Game) -> int:
    """Return about how long compiling takes, from the size of the game's kernels and of those that it shares."""
    folder = Path(game.folder)
    own = [*folder.glob("phases*.py"), *folder.glob("phases/*.py"), *folder.glob("policies*.py")]
    texts = [path.read_text("utf-8") for path in own]
    shared = set(MECHANICS.findall("\n".join(texts))) - NEVER_COMPILED
    texts += [(Path(mechanics.__file__).parent / f"{name}.py").read_text("utf-8") for name in shared]
    return round(BASE_SECONDS + SECONDS_PER_LINE * sum(len(text.splitlines()) for text in texts))
