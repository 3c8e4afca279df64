"""What is compiled when, and that it is told: on the command line, in scripts and in notebooks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sim import jit
from sim.experiment.kernels import is_cold
from sim.games.flip.game import GAME as FLIP
from sim.games.fortnite.game import GAME as FORTNITE

PLAY = "import sim; sim.play('pig', 100)"


def told_by(*command: str, cache: Path) -> str:
    """Return what a command says on standard error, with kernels kept in a folder."""
    known = {**os.environ, "SIM_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, *command], env=known, capture_output=True, text=True, check=True)
    return done.stderr


@pytest.mark.compiled_only("interpreted kernels are never compiled")
def test_compiling_is_told_once_to_python_and_to_the_command_line(tmp_path: Path) -> None:
    assert "compiling kernels (once, about " in told_by("-c", PLAY, cache=tmp_path)
    assert told_by("-c", PLAY, cache=tmp_path) == ""
    assert "pig: was compiled before" in told_by("-m", "sim", "warm", "pig", cache=tmp_path)


@pytest.mark.compiled_only("interpreted kernels are never compiled")
def test_the_kernels_of_one_game_are_not_taken_for_those_of_another(tmp_path: Path) -> None:
    kept = {game.name: Path(game.entry.stats.cache_path) for game in (FLIP, FORTNITE)}  # type: ignore[attr-defined]
    assert len(set(kept.values())) == len(kept)

    def game_with(folder: Path) -> Any:
        plain: Any = FORTNITE.entry
        stats = SimpleNamespace(cache_path=str(folder))
        entry = SimpleNamespace(signatures=[], py_func=plain.py_func, __name__=plain.__name__, stats=stats)
        return SimpleNamespace(entry=entry)

    own, other = tmp_path / "phases_of_one", tmp_path / "phases_of_another"
    for folder in (own, other):
        folder.mkdir()
    (other / "turn.play_block-41.py311.nbi").touch()
    assert is_cold(game_with(own))
    assert not is_cold(game_with(other))


def test_an_edit_of_what_kernels_are_made_of_names_another_folder_and_no_other_edit_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "sim"
    shutil.copytree(jit.PACKAGE_FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(jit, "PACKAGE_FOLDER", copy)

    def hashed() -> tuple[str, str]:
        return jit.kernel_hash.__wrapped__(), jit.source_hash.__wrapped__()

    before = hashed()
    for name in ("experiment/run.py", "cli/app.py", "statistics/paired.py", "games/pig/data/rules.toml"):
        with (copy / name).open("a") as file:
            file.write("\n# edited\n")
        kernels, sources = hashed()
        assert kernels == before[0]
        assert sources != before[1]
    for name in ("jit.py", "rng.py", "decks.py", "engine/playing.py", "mechanics/ring.py", "games/flip/policies.py"):
        was = hashed()[0]
        with (copy / name).open("a") as file:
            file.write("\n# edited\n")
        assert hashed()[0] != was
