"""Compiles a game's kernels ahead, where Ctrl-C does not come into it, and says so when that takes a while."""

from __future__ import annotations

import inspect
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sim import mechanics
from sim.cli import interrupts
from sim.cli.progress import note

if TYPE_CHECKING:
    from sim.engine.contract import Game

BASE_SECONDS: Final = 4.0
SECONDS_PER_LINE: Final = 0.0085
"""What compiling took on one core: 6 s for the 260 lines of Pig's kernels, 24 to 28 s for the 2,700 of flip's."""
MECHANICS: Final = re.compile(r"^from sim\.mechanics\.(\w+) import", re.MULTILINE)
NEVER_COMPILED: Final = {"packing", "telling", "words"}


def is_cold(game: Game) -> bool:
    """Return whether the game's kernels are still to be compiled on this machine."""
    from sim import jit  # noqa: PLC0415

    if jit.INTERPRETED:
        return False
    source = Path(inspect.getfile(getattr(game.entry, "py_func", game.entry)))
    pattern = f"{source.parent.name}_*/{source.stem}.{game.entry.__name__}-*.nbi"
    return next(jit.cache_folder().glob(pattern), None) is None


def expected_seconds(game: Game) -> int:
    """Return about how long compiling takes, from the size of the game's kernels and of those that it shares."""
    folder = Path(game.folder)
    own = [*folder.glob("phases*.py"), *folder.glob("phases/*.py"), *folder.glob("policies*.py")]
    texts = [path.read_text("utf-8") for path in own]
    shared = set(MECHANICS.findall("\n".join(texts))) - NEVER_COMPILED
    texts += [(Path(mechanics.__file__).parent / f"{name}.py").read_text("utf-8") for name in shared]
    return round(BASE_SECONDS + SECONDS_PER_LINE * sum(len(text.splitlines()) for text in texts))


def prepare(game: Game) -> float:
    """Compile the game's kernels, or load them; a line on standard error says when they are compiled.

    Returns:
        Seconds that it took.

    """
    started = time.perf_counter()
    if is_cold(game):
        note(f"compiling kernels (once, about {expected_seconds(game)} s)")
        interrupts.out_of_reach(draw_one)
    interrupts.out_of_reach(lambda: play_one(game))
    interrupts.check()
    return time.perf_counter() - started


def draw_one() -> None:
    """Draw a number outside of kernels, as some metrics do, so that what it takes is compiled."""
    import numpy as np  # noqa: PLC0415

    from sim import rng  # noqa: PLC0415

    rng.index(rng.turn_key(rng.playout_key(np.uint64(0), 0, 0), 0, 0), 0, 0, 1)


def play_one(game: Game) -> None:
    """Play one playout with all that compiled code serves for: play, tallies, items."""
    from sim.engine.blocks import Arm, play_rows, summarise  # noqa: PLC0415
    from sim.engine.lineup import make_lineup  # noqa: PLC0415

    ruleset = game.load().resolve({})
    lineup = make_lineup(game, [game.default_policy], game.fewest_seats)
    arm = Arm("one", game.pack(ruleset), lineup, 1)
    rows, states = play_rows(game, arm, 0, 0, 1)
    summarise(game, rows, states["tallies"][0], count_items(game, ruleset))


def count_items(game: Game, ruleset: Any) -> dict[str, int]:
    """Return how many items each family has."""
    return {family.name: len(game.items(family, ruleset)) for family in game.families}
