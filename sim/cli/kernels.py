"""Compiles a game's kernels ahead, where Ctrl-C does not come into it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from sim.cli import interrupts

if TYPE_CHECKING:
    from sim.engine.contract import Game


def prepare(game: Game) -> float:
    """Compile the game's kernels, or load them; a line on standard error says when they are compiled.

    Returns:
        Seconds that it took.

    """
    from sim.experiment.kernels import announce  # noqa: PLC0415

    started = time.perf_counter()
    if announce(game):
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
