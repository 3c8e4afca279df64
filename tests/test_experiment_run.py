"""Runs: the same bytes however the work is split, resumed after Ctrl-C, reused when nothing changed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sim
from sim.engine.blocks import CELL, Played, play_call
from sim.experiment import Plan, check_plan, checkpoint
from sim.experiment import run as running
from sim.experiment.arms import settings
from sim.experiment.folder import ResultsError
from sim.experiment.results import Result, find_finished
from sim.experiment.run import run_plan
from sim.notices import Notice
from tests.support import pig_keys

N_PLAYOUTS = 3 * CELL + 100
QUICK = [{"name": "quick", "changes": {"goal": 5}}, {"name": "less so", "changes": {"goal": 6}}]
TWO_PROFILES = [{"name": name, "policies": [name]} for name in ("hold_20", "random")]


def pig_plan(**keys: Any) -> Plan:
    found = pig_keys(
        playouts=N_PLAYOUTS,
        paired_playouts=CELL + 50,
        profile=[{"name": "mixed", "policies": ["hold_20", "hold_15"]}],
        variant=[{"name": "short", "changes": {"goal": 20}}, {"name": "longer", "changes": {"goal": 25}}],
    )
    return check_plan(found | keys)


@pytest.mark.parametrize(("jobs", "block_size"), [(1, None), (2, None), (3, CELL), (2, 2 * CELL)])
def test_threads_and_blocks_change_no_byte(jobs: int, block_size: int | None) -> None:
    call = settings(pig_plan())[0].call
    alone = checkpoint.digest([play_call(replace(call, block_size=4 * CELL), 1)])
    assert checkpoint.digest([play_call(replace(call, block_size=block_size), jobs)]) == alone


def test_a_seed_decides_the_bytes() -> None:
    one, same, other = (run_plan(pig_plan(seed=seed)).result_hash for seed in (7, 7, 8))
    assert one == same != other


def test_progress_ends_at_all_the_work() -> None:
    told: list[tuple[int, int]] = []
    run_plan(pig_plan(), 1, lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1] == 2 * (N_PLAYOUTS + CELL + 50)


class CtrlC:
    """Presses Ctrl-C when the progress is told for the n-th time."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, _done: int, _total: int) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_ctrl_c_keeps_whole_blocks_and_says_so() -> None:
    result = run_plan(pig_plan(), 1, CtrlC(at=2))
    assert result.is_partial
    assert "Interrupted" in result.answer
    assert result.win_share()["n_playouts"].tolist()[:2] == [2 * CELL, 2 * CELL]


def test_ctrl_c_before_the_first_block_gives_no_tables() -> None:
    result = run_plan(pig_plan(), 1, CtrlC(at=1))
    assert result.is_partial
    assert result.n_rows > 0


@pytest.fixture(scope="module")
def whole() -> Result:
    return run_plan(pig_plan(profile=TWO_PROFILES, variant=QUICK), 1)


@pytest.mark.parametrize("at", [1, 2, 3])
def test_an_interrupted_run_goes_on_to_the_same_bytes(tmp_path: Path, whole: Result, at: int) -> None:
    plan = pig_plan(profile=TWO_PROFILES, variant=QUICK)
    stopped = run_plan(plan, 1, CtrlC(at), folder=tmp_path / "results")
    assert stopped.is_partial
    stopped.save(tmp_path / "results")
    assert (tmp_path / "results" / checkpoint.UNFINISHED).exists()
    done: list[int] = []
    resumed = run_plan(plan, 1, lambda done_now, _total: done.append(done_now), folder=tmp_path / "results")
    assert not resumed.is_partial
    assert done[0] > stopped.n_rows
    assert resumed.result_hash == whole.result_hash
    pd.testing.assert_frame_equal(resumed.win_share(), whole.win_share())
    resumed.save(tmp_path / "results")
    assert not (tmp_path / "results" / checkpoint.UNFINISHED).exists()


def test_totals_of_another_plan_are_not_resumed(tmp_path: Path) -> None:
    stopped = run_plan(pig_plan(variant=QUICK), 1, CtrlC(at=2), folder=tmp_path)
    assert stopped.is_partial
    asked = pig_plan(variant=QUICK, seed=8)
    with pytest.raises(ResultsError, match="an interrupted run of another plan"):
        run_plan(asked, 1, folder=tmp_path)
    other = run_plan(asked, 1, folder=tmp_path, is_replacing=True)
    assert other.result_hash == run_plan(asked, 1).result_hash


def test_half_written_totals_are_not_resumed(tmp_path: Path) -> None:
    file = tmp_path / checkpoint.UNFINISHED
    checkpoint.save_totals(file, checkpoint.Kept("key", [Played(n_playouts=5)]))
    kept = checkpoint.load_totals(file, "key")
    assert kept is not None
    assert [one.n_playouts for one in kept.played] == [5]
    assert checkpoint.load_totals(file, "other") is None
    file.write_bytes(file.read_bytes()[:40])
    with pytest.warns(Notice, match="are damaged"):
        assert checkpoint.load_totals(file, "key") is None
    assert checkpoint.load_totals(tmp_path / "missing", "key") is None


def test_totals_come_back_as_they_were(tmp_path: Path) -> None:
    played = play_call(settings(pig_plan())[0].call, 1)
    checkpoint.save_totals(tmp_path / "totals", checkpoint.Kept("key", [played, played]))
    found = checkpoint.load_totals(tmp_path / "totals", "key")
    assert found is not None
    assert checkpoint.digest(found.played) == checkpoint.digest([played, played])


def test_a_finished_result_is_reused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_plan(pig_plan(), 1, folder=tmp_path / "results")
    first.save(tmp_path / "results")
    monkeypatch.setattr(running, "play_call", None)  # playing again would fail
    again = run_plan(pig_plan(), 1, folder=tmp_path / "results")
    assert again.result_hash == first.result_hash
    assert find_finished(pig_plan(seed=9), tmp_path / "results", first.fingerprint) is None
    assert find_finished(pig_plan(), tmp_path / "results", "other sources") is None


def test_a_fault_in_a_kernel_is_raised_and_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    call = settings(pig_plan())[0].call
    idle = replace(call.game, entry=lambda *_arguments: None)
    with pytest.raises(RuntimeError, match="were lost in a kernel"):
        play_call(replace(call, game=idle), 2)


def test_rows_are_kept_as_parquet_in_constant_files(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is an extra")
    result = run_plan(pig_plan(), 2, folder=tmp_path / "results", keep="rows")
    result.save(tmp_path / "results")
    files = sorted((tmp_path / "results" / "rows" / "2_seats" / "mixed" / "short").glob("*.parquet"))
    rows = pd.concat([parquet.read_table(file).to_pandas() for file in files])
    assert len(rows) == 2 * N_PLAYOUTS
    first, second = (rows.loc[rows["rotation"] == turn, f"win_share_{turn + 1}"].sum() for turn in (0, 1))
    share = first + second
    expected = result.win_share()["value"].iloc[0] * 2 * N_PLAYOUTS
    assert set(rows["variant"]) == {"short"}
    assert set(rows["termination"]) == {"won"}
    assert {"seed", "profile", "seats", "policy_1", "place_2"} <= set(rows.columns)
    assert share == pytest.approx(expected)


@pytest.mark.parametrize(("keep", "folder", "told"), [("all", "x", "found 'all'"), ("rows", None, "name one")])
def test_what_cannot_be_kept_is_refused(keep: str, folder: str | None, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        run_plan(pig_plan(), folder=folder, keep=keep)


def test_missing_pyarrow_is_told_with_the_name_of_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(ValueError, match=r"sim\[data\]"):
        run_plan(pig_plan(), folder=tmp_path, keep="rows")


def test_the_face_plays_compares_and_tells() -> None:
    result = sim.play("pig", playouts=600, seats=2, changes={"goal": 20}, vs={"goal": 30}, seed=7)
    assert isinstance(result, Result)
    assert result.win_share()["variant"].unique().tolist() == ["goal=20", "goal=30"]
    assert set(result.compare("length")["quantity"]) == {"length"}
    told = sim.replay("pig", seed=7, playout=3, policies="hold_20", seats=2, changes={"goal": 20})
    assert str(told).startswith("Pig, 2 seats")
    assert "wins" in told.lines[-1]
    assert "goal" in set(sim.rules("pig")["key"])
    assert {row["game"] for row in sim.games()} == set(sim.games.NAMES)
    with pytest.raises(AttributeError, match="no attribute 'plya'"):
        _ = sim.plya


def test_the_face_runs_a_plan_and_saves_it(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(
        'schema = 1\nquestion = "Who?"\ngame = "pig"\nseats = 2\nplayouts = 1200\n'
        'variant = [{ name = "short", changes = { goal = 20 } }]\n'
    )
    result = sim.run(file, jobs=1, folder=tmp_path / "results")
    assert np.isclose(result.win_share().groupby("profile")["value"].sum(), 1).all()
    assert Result.load(tmp_path / "results").result_hash == result.result_hash
