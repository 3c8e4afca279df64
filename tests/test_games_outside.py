"""A game in a folder of somebody's own: played, replayed and told by the same commands as those of the tree."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from sim import games, jit
from sim.cli import main
from sim.cli.guard import ExitCode

PIG = Path(games.__file__).parent / "pig"


@pytest.fixture
def sprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a copy of Pig that is called sprint; nothing of it is known after the test."""
    folder = tmp_path / "sprint"
    shutil.copytree(PIG, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in folder.glob("*.py"):
        text = path.read_text("utf-8").replace("sim.games.pig", "sim.games.sprint")
        path.write_text(text.replace('name="pig"', 'name="sprint"'), "utf-8")
    monkeypatch.setattr(games, "_outside", {})
    monkeypatch.setattr(jit, "_outside", [])
    forget()
    yield folder
    forget()


def forget() -> None:
    """Let the sources be hashed anew, and the game be imported anew."""
    jit.source_hash.cache_clear()
    jit.kernel_hash.cache_clear()
    inside = tuple(f"sim.games.{name}" for name in games.NAMES)
    for name in [name for name in sys.modules if name.startswith("sim.games.") and not name.startswith(inside)]:
        del sys.modules[name]


def played(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    """Return what a command prints as JSON."""
    assert main([*words, "--json"]) == ExitCode.FINE
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_a_game_outside_is_played_as_it_would_be_inside(sprint: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("-n", "200", "--seed", "1", "--policy", "hold_20,hold_25")
    inside = played(capsys, "play", "pig", *words)
    outside = played(capsys, "--game", str(sprint), "play", "sprint", *words)
    assert outside["tables"] == inside["tables"]
    assert outside["fingerprint"] != inside["fingerprint"]
    told = played(capsys, "--game", str(sprint), "replay", "sprint", "--seed", "1", "--playout", "3")
    assert told["tables"] == played(capsys, "replay", "pig", "--seed", "1", "--playout", "3")["tables"]


def test_an_edited_source_outside_is_another_fingerprint(sprint: Path) -> None:
    games.add(sprint)
    before = jit.source_hash(), jit.kernel_hash()
    games.get("sprint")
    assert jit.source_hash() != before[0]
    assert jit.kernel_hash() != before[1]
    known = jit.source_hash(), jit.kernel_hash()
    rules = sprint / "data" / "rules.toml"
    rules.write_text(rules.read_text("utf-8").replace("the usual goal", "a goal"), "utf-8")
    jit.source_hash.cache_clear()
    jit.kernel_hash.cache_clear()
    assert jit.source_hash() != known[0]
    assert jit.kernel_hash() == known[1], "data compile nothing"


def test_games_of_the_environment_are_listed_too(sprint: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_GAMES", str(sprint))
    assert games.names() == (*games.NAMES, "sprint")
    assert games()[-1]["game"] == "sprint"


@pytest.mark.parametrize(
    ("name", "broken", "says"),
    [
        ("missing", "", "--game: found {folder}, expected the folder of a game, with a file game.py"),
        ("Sprint", "", "--game: found a folder named 'Sprint', expected a name of small letters"),
        ("pig", "", "--game: found another game 'pig' in {folder}, expected a name that is not taken"),
        ("dash", "GAME = None", "has no GAME named 'dash', expected the folder's name"),
        ("sprint", "import nothing_of_that_name", "cannot be imported: ModuleNotFoundError"),
    ],
)
def test_a_folder_that_is_no_game_is_told(
    sprint: Path, capsys: pytest.CaptureFixture[str], name: str, broken: str, says: str
) -> None:
    folder = sprint.with_name(name)
    if name != "missing" and folder != sprint:
        sprint.rename(folder)
    if broken:
        (folder / "game.py").write_text(broken, "utf-8")
    assert main(["--game", str(folder), "play", name, "-n", "10"]) == ExitCode.USAGE
    assert says.format(folder=folder) in capsys.readouterr().err
