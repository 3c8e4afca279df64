"""Whatever is wrong with the words, the plan or the place of the results: one line, the exit code, nothing else."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sim import plots
from sim.cli import main
from sim.cli.exits import ExitCode
from sim.experiment.checkpoint import UNFINISHED

PLAN = 'schema = 1\nquestion = "Who wins?"\ngame = "pig"\nseats = 2\nplayouts = 60\n'
Fault = Callable[..., str]


@pytest.fixture
def fault(capsys: pytest.CaptureFixture[str]) -> Fault:
    """Run a command that must fail; return its one line after checking that there is nothing else."""

    def run(*words: str, code: int = ExitCode.USAGE) -> str:
        assert main(words) == code
        told = capsys.readouterr()
        lines = [line for line in told.err.splitlines() if not line.startswith("compiling")]
        assert told.out == ""
        assert len(lines) == 1
        assert lines[0].startswith("sim: ")
        assert "Traceback" not in told.err
        return lines[0]

    return run


def write(folder: Path, text: str) -> str:
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["plya"], "Did you mean 'play'"),
        (["play"], "Missing argument 'GAME'"),
        (["play", "pig", "--sed", "7"], "--seed"),
        (["play", "flap"], "did you mean 'flip'?"),
        (["rules", "pgi"], "did you mean 'pig'?"),
        (["warm", "pgi"], "did you mean 'pig'?"),
        (["schema", "pgi"], "did you mean 'pig'?"),
        (["play", "pig", "-S", "gaol=50"], "did you mean 'goal'?"),
        (["play", "pig", "-S", "goal=0"], "from 1 to 10000"),
        (["play", "pig", "-S", "goal=many"], "from 1 to 10000"),
        (["play", "pig", "-S", "goal"], "expected key=value"),
        (["play", "pig", "--vs", "goal=0"], "from 1 to 10000"),
        (["play", "pig", "--margin", "0"], "no sample can show a margin of exactly 0"),
        (["play", "pig", "--level", "1"], "write 0.95 for 95 %"),
        (["play", "pig", "--precision", "0.000001"], "expected 0.0001 or more"),
        (["play", "pig", "--until-decided", "--precision", "1"], "expected one of the two"),
        (["play", "pig", "--until-decided", "-S", "turn_limit=9"], "raise the limit"),
        (["play", "pig", "-S", "goal=50", "--vs", "goal=50"], "changes nothing"),
        (["play", "pig", "--seats", "9"], "found 9, expected 2 to 4"),
        (["replay", "pig", "--seats", "1"], "found 1, expected 2 to 4"),
        (["play", "pig", "--policy", "hold_2"], "hold_20"),
        (["play", "pig", "--seats", "3", "--policy", "hold_20,random"], "found 2 names for 3 seats"),
        (["play", "pig", "-n", "0"], "expected 1 to 10,000,000,000"),
        (["play", "pig", "-n", "-5"], "expected 1 to 10,000,000,000"),
        (["play", "pig", "-n", "1000000000000"], "expected 1 to 10,000,000,000"),
        (["play", "pig", "-n", "1e12"], "expected 1 to 10,000,000,000"),
        (["play", "pig", "-n", "2.5"], "expected 1 to 10,000,000,000"),
        (["play", "pig", "-n", "ten"], "expected 1 to 10,000,000,000"),
        (["bench", "pig", "-n", "0"], "expected 1 to 10,000,000,000"),
        (["play", "pig", "--seed", "-1"], "--seed"),
        (["play", "pig", "--seed", "18446744073709551616"], "--seed"),
        (["replay", "pig", "--playout", "99999999999999999999"], "--playout"),
        (["play", "pig", "--jobs", "0"], "--jobs"),
        (["play", "pig", "--format", "xml"], "'table', 'json', 'csv', 'md'"),
        (["--color", "sometimes", "games"], "--color"),
        (["play", "pig", "-n", "1e10", "--table", "winshare"], "did you mean 'win_share'?"),
        (
            ["play", "pig", "-n", "20", "--table", "item_balance"],
            "would not have; a plan asks for it with items",
        ),
        (["play", "pig", "--policy", "hold20"], "--policy: found 'hold20'"),
        (["replay", "pig", "--policy", "hold20"], "did you mean 'hold_20'?"),
        (["bench", "pig", "--policy", "hold20"], "did you mean 'hold_20'?"),
        (["play", "pig", "--policy", ""], "--policy: found '', expected a name"),
        (["play", "pig", "--policy", "random,"], "--policy: found 'random,', expected a name"),
        (["replay", "pig", "--seats", "0"], "found 0, expected 2 to 4"),
        (["bench", "pig", "--seats", "0"], "found 0, expected 2 to 4"),
        (["play", "pig", "--seats", "two"], "'--seats': found 'two', expected a whole number"),
        (["replay", "pig", "--playout", "-1"], "'--playout': found '-1', expected at least 0"),
        (["play", "pig", "-S", "goal=0", "--vs", "die_faces=4"], "sim: --set: goal: found 0, expected"),
        (["play", "pig", "-S", "die_faces=4", "--vs", "goal=0"], "sim: --vs: goal: found 0, expected"),
        (["play", "pig", "-n", "nan"], "found 'nan', expected 1 to 10,000,000,000"),
        (["run", "plan.toml", "-n", "1e6x"], "found '1e6x', expected 1 to 10,000,000,000"),
    ],
)
def test_a_wrong_word_is_told_in_one_line(fault: Fault, words: list[str], told: str) -> None:
    assert told in fault(*words)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-S", "honey_hitters_at_cap=banker"], "did you mean 'bank'?"),
        (["-S", "cards.slones_pulse_rifel.amount=3"], "did you mean 'slones_pulse_rifle'?"),
        (["-S", "cards.slone.amount=3"], "did you mean 'slones_pulse_rifle'?"),
        (["-S", "cards.bush.amont=3"], "did you mean 'amount'?"),
        (["-S", "board.5.front=chset"], "did you mean 'chest'?"),
        (["-S", "board.99.front=chest"], "a whole number from 0 to 39"),
        (["-S", "layout=ring33"], "did you mean 'ring36'?"),
        (["-S", "variant=ring33"], "did you mean 'ring36'?"),
        (["-S", "action_die.crosshair=3"], "did you mean 'crosshairs'?"),
        (["-S", "action_die.crosshairs=3"], "found 7 copies in all"),
        (["-S", "start_hp=16"], "expected at most hp_cap, which is 15"),
        (["-S", "cards.bush.copies=99"], "a whole number from 0 to 46"),
        (["--policy", "leader,leeder,random,next"], "did you mean 'leader'?"),
    ],
)
def test_the_nearest_reading_and_card_are_offered(fault: Fault, words: list[str], told: str) -> None:
    assert told in fault("play", "flip", *words)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (PLAN + "playout = 7\n", "did you mean 'playouts'?"),
        (PLAN.replace("60", "0"), "expected 1 to 10,000,000,000"),
        (PLAN.replace("60", "2.5"), "playouts: found 2.5, expected a whole number"),
        (PLAN.replace("60", '"1e6"'), "playouts: found '1e6', expected a whole number"),
        (PLAN.replace("60", "-5"), "playouts: found -5, expected 1 to"),
        (PLAN.replace("seats = 2", 'seats = "2"'), "seats: found '2', expected a number of seats, or a list of them"),
        (PLAN.replace("schema = 1", 'schema = "1"'), "schema: found '1', expected a whole number"),
        (PLAN.replace("Who wins?", ""), "question: found '', expected at least one character"),
        (PLAN + 'items = ["sword"]\n', "the game has no items"),
        (PLAN + 'estimands = ["winshare"]\n', "did you mean 'win_share'?"),
        (PLAN + '[answer]\nkind = "itm"\n', "answer.kind: found 'itm'"),
        (PLAN + '[[profile]]\nname = "x"\npolicies = ["hold20"]\n', "did you mean 'hold_20'?"),
        (PLAN + '[[profile]]\nname = "x"\npol', "not a whole TOML file"),
        (PLAN + '[[variant]]\nname = "x"\nchanges = { gaol = 3 }\n', "did you mean 'goal'?"),
        (PLAN.replace("seats = 2", "seats = 5"), "expected 2 to 4"),
        (PLAN.replace("pig", "pgi"), "did you mean 'pig'?"),
        (PLAN.replace("schema = 1", "schema = 2"), "update sim"),
        (PLAN[:40], "plan.toml"),
        ("\0\0", "plan.toml"),
        ("", "plan.toml"),
    ],
)
def test_a_wrong_plan_is_told_in_one_line(fault: Fault, tmp_path: Path, text: str, told: str) -> None:
    assert told in fault("run", write(tmp_path, text), "--out", str(tmp_path / "results"))
    assert not (tmp_path / "results").exists()


def test_a_plan_that_is_not_there_or_is_no_text_is_named(fault: Fault, tmp_path: Path) -> None:
    assert "no such plan" in fault("run", str(tmp_path / "nowhere.toml"))
    assert str(tmp_path) in fault("run", str(tmp_path))
    (tmp_path / "plan.toml").write_bytes(b"\xff\xfe\x00")
    assert "plan.toml" in fault("run", str(tmp_path / "plan.toml"))


@pytest.mark.parametrize("change", ["margn=3", "margin=-3", "answer.kid=1", "question.more=1"])
def test_a_wrong_change_of_a_plan_is_told(fault: Fault, tmp_path: Path, change: str) -> None:
    assert change[:5] in fault("run", write(tmp_path, PLAN), "-S", change)


@pytest.mark.parametrize("place", ["taken", "taken/below"])
def test_results_never_replace_a_file(fault: Fault, tmp_path: Path, place: str) -> None:
    (tmp_path / "taken").write_text("mine")
    assert "is a file" in fault("run", write(tmp_path, PLAN), "--out", str(tmp_path / place))
    assert "is a file" in fault("play", "pig", "-n", "20", "--out", str(tmp_path / place))
    assert (tmp_path / "taken").read_text() == "mine"


def test_results_never_replace_a_folder_with_other_things_in_it(fault: Fault, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "notes.txt").write_text("mine")
    assert "other things in it (notes.txt)" in fault("play", "pig", "-n", "20", "--out", str(mine))
    assert [path.name for path in mine.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("place", ["", ".", ".."])
def test_results_never_replace_the_folder_that_one_is_in(
    fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert "the folder that you are in" in fault("play", "pig", "-n", "20", "--out", place)


def test_what_people_keep_beside_a_result_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "results"
    assert main(("play", "pig", "-n", "20", "--seed", "1", "--out", str(results))) == 0
    (results / "notes.txt").write_text("mine")
    before = (results / "win_share.csv").read_text()
    again = ("play", "pig", "-n", "20", "--seed", "2", "--out", str(results))
    assert main(again) == ExitCode.USAGE
    assert (results / "win_share.csv").read_text() == before
    assert main((*again, "--replace")) == ExitCode.FINE
    assert (results / "notes.txt").read_text() == "mine"
    assert (results / "win_share.csv").read_text() != before
    assert "files:" in capsys.readouterr().err


def test_a_whole_number_that_toml_reads_as_a_float_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = write(tmp_path, PLAN.replace("60", "6e1"))
    assert main(("run", plan, "--dry-run")) == 0
    assert "would play" in capsys.readouterr().out


def test_a_folder_without_permission_is_refused_before_anything_is_played(
    fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda _path, mode: mode != os.W_OK)  # root may write anywhere
    assert "no permission" in fault("run", write(tmp_path, PLAN), "--out", str(tmp_path / "results"))


def test_a_full_disk_leaves_nothing_half_written_and_the_result_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fill(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(plots, "save", fill)
    words = ("run", write(tmp_path, PLAN), "--out", str(tmp_path / "results"))
    assert main(words) == ExitCode.USAGE
    told = capsys.readouterr()
    assert "No space left" in told.err
    assert "Who wins?" in told.out
    assert [path.name for path in (tmp_path / "results").iterdir()] == [UNFINISHED]


def test_a_fault_of_ours_is_called_one_and_has_its_own_code(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_name: str) -> None:
        raise KeyError

    monkeypatch.setattr("sim.games.get", fail)
    assert "internal error, KeyError" in fault("rules", "pig", code=ExitCode.INTERNAL)


def test_an_interrupted_run_writes_nothing(fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sim.engine.blocks._merge", interrupt)
    plan = write(tmp_path, PLAN)
    assert "interrupted" in fault("run", plan, "--out", str(tmp_path / "results"), code=ExitCode.INTERRUPTED)
    assert [path.name for path in tmp_path.iterdir()] == ["plan.toml"]
