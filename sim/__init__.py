"""Monte Carlo balance simulator for tabletop games.

`sim.play`, `sim.run`, `sim.replay`, `sim.games` and `sim.rules` are the face for notebooks, and `sim.Result` is what
the first two give. They import what they need when they are first used, so that `import sim` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sim import games as games
    from sim.experiment.face import replay as replay
    from sim.experiment.face import rules as rules
    from sim.experiment.plan import Plan
    from sim.experiment.results import Result as Result
    from sim.experiment.run import Progress
    from sim.experiment.run import play as play

__version__ = "0.1.0"

_LAZY = {
    "play": "sim.experiment.run",
    "replay": "sim.experiment.face",
    "rules": "sim.experiment.face",
    "Result": "sim.experiment.results",
}
"""Names of this module that are found in another one when they are first asked for."""


def __getattr__(name: str) -> Any:
    """Return a name of the face, or the games, importing them now."""
    if name == "games":
        return import_module("sim.games")
    if name not in _LAZY:
        message = f"module 'sim' has no attribute '{name}'"
        raise AttributeError(message)
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    """Return what the face offers."""
    return ["__version__", "games", "run", *_LAZY]


def run(
    plan: str | Path | Plan | Mapping[str, Any],
    jobs: int | None = None,
    folder: str | Path | None = None,
    *,
    playouts: float | None = None,
    progress: Progress | None = None,
    keep: str | None = None,
    replace: bool = False,
) -> Result:
    """Play a plan and return its tables.

    Args:
        plan: A TOML file, or what would stand in it: a plan, or its keys and values.
        jobs: Threads; one per core if None.
        folder: Folder of the results, or None. A finished result of the same plan and sources there is returned at
            once, an interrupted one goes on where it stopped; a new one is saved there.
        playouts: Playouts of the baseline over all profiles instead of the plan's, such as 1e6; paired arms shrink
            alike.
        progress: Called with rows finished and rows in all.
        keep: `rows` to write every row as Parquet to the folder, too.
        replace: True to take the place of the result of another plan in the folder.

    Raises:
        ValueError: The plan is wrong, or the folder cannot be written or holds another result.

    """
    from sim.experiment.asking import Stopping, sized  # noqa: PLC0415
    from sim.experiment.folder import path_of  # noqa: PLC0415
    from sim.experiment.plan import plan_of  # noqa: PLC0415
    from sim.experiment.run import refuse_no_function, run_plan  # noqa: PLC0415

    refuse_no_function(progress)
    place = None if folder is None else path_of(folder, "folder")
    wanted = sized(plan_of(plan), Stopping(playouts), "plan")
    result = run_plan(wanted, jobs, progress, folder=place, keep=keep, is_replacing=replace)
    if place is not None:
        result.save(place, replace=replace)
    return result
