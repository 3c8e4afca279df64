"""Monte Carlo balance simulator for tabletop games.

`sim.play`, `sim.run`, `sim.replay`, `sim.games` and `sim.rules` are the face for notebooks; they import what they
need when they are first used, so that `import sim` is quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.experiment.results import Result

__version__ = "0.1.0"


def play(game: str, **asked: Any) -> Result:
    """Play a game and return its tables.

    Args:
        game: Name of the game.
        asked: `playouts`, `seats`, `policies`, `changes`, `vs`, `seed`, `jobs`, as in `sim.experiment.run.play`.

    """
    from sim.experiment import run  # noqa: PLC0415

    return run.play(game, **asked)


def run(plan: str, jobs: int | None = None) -> Result:
    """Play a plan and return its tables.

    Args:
        plan: A TOML file.
        jobs: Threads; one per core if None.

    """
    from sim.experiment.plan import read_plan  # noqa: PLC0415
    from sim.experiment.run import run_plan  # noqa: PLC0415

    return run_plan(read_plan(plan), jobs)
