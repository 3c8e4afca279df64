"""Results: saved whole or not at all, read back, printed as JSON, and answered in one sentence."""

import errno
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from sim import jit
from sim.experiment import check_plan
from sim.experiment.files import hash_of_file
from sim.experiment.folder import OF_ASSUMED, ResultsError
from sim.experiment.results import Result, find_finished
from sim.experiment.run import run_plan
from tests.support import pig_keys


def small_result(**keys: Any) -> Result:
    found = pig_keys(
        playouts=1200,
        profile=[{"name": "fast", "policies": ["hold_20"]}, {"name": "slow", "policies": ["hold_25"]}],
        variant=[
            {"name": "short", "says": "up to 20", "changes": {"goal": 20}},
            {"name": "longer", "says": "up to 25", "changes": {"goal": 25}},
        ],
    )
    return run_plan(check_plan(found | keys), 1, command="sim run plan.toml")


@pytest.fixture(scope="module")
def result() -> Result:
    return small_result()


def test_a_result_that_is_saved_is_read_back(result: Result, tmp_path: Path) -> None:
    folder = result.save(tmp_path / "deep" / "results")
    back = Result.load(folder)
    assert back.plan == result.plan
    assert list(back.tables) == list(result.tables)
    for name, frame in result.tables.items():
        pd.testing.assert_frame_equal(back.tables[name], frame, check_dtype=False)
    assert back.answer == result.answer
    assert sorted(path.name for path in folder.parent.iterdir()) == ["results"]


def test_a_folder_of_results_has_its_papers(result: Result, tmp_path: Path) -> None:
    folder = result.save(tmp_path / "results")
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["schema"] == 2
    assert manifest["command"] == "sim run plan.toml"
    assert manifest["fingerprint"] == jit.source_hash()
    assert manifest["result_hash"] == result.result_hash
    assert manifest["seed"] == manifest["plan"]["seed"] == 7
    assert {"sim", "python", "numpy", "numba"} <= set(manifest["versions"])
    figures = sorted(path.name for path in (folder / "figures").iterdir())
    assert figures == ["length.svg", "seat_advantage.svg", "win_share.svg"]
    assert (folder / "win_share.csv").read_text().splitlines()[0].startswith("variant,seats,profile,seat,policy,value")


def test_saving_again_takes_an_earlier_result_away_and_nothing_else(result: Result, tmp_path: Path) -> None:
    folder = result.save(tmp_path / "results")
    (folder / "item_share.csv").write_text("of an earlier plan")
    (folder / "notes.txt").write_text("mine")
    result.save(folder)
    assert not (folder / "item_share.csv").exists()
    assert (folder / "notes.txt").read_text() == "mine"


def test_a_result_over_assumptions_is_none_of_a_plain_run_and_is_taken_away_by_one(
    result: Result, tmp_path: Path
) -> None:
    folder = result.save(tmp_path / "results")
    for name in OF_ASSUMED:
        (folder / name).write_text("of --assumed band")
    papers = json.loads((folder / "manifest.json").read_text())
    papers["files"] |= {name: hash_of_file(folder / name) for name in OF_ASSUMED}
    (folder / "manifest.json").write_text(json.dumps(papers))
    with pytest.raises(ResultsError, match="found the result of --assumed band, expected that of a plain run"):
        Result.load(folder)
    assert find_finished(result.plan, folder, result.fingerprint) is None
    with pytest.raises(ResultsError, match="found the result of a run with --assumed; --replace"):
        result.save(folder)
    result.save(folder, replace=True)
    assert not any((folder / name).exists() for name in OF_ASSUMED)
    assert find_finished(result.plan, folder, result.fingerprint) is not None


def test_a_result_without_lengths_is_not_judged_by_bands_that_were_added_later(tmp_path: Path) -> None:
    shares = small_result(estimands=["win_share"])
    folder = shares.save(tmp_path / "results")
    band = {"name": "fair", "table": "win_share", "lower": 0.2}
    judged = check_plan({**shares.plan.model_dump(by_alias=True), "band": [band]})
    assert find_finished(shares.plan, folder, shares.fingerprint) is not None
    assert find_finished(judged, folder, shares.fingerprint) is None


def test_a_quantity_and_a_metric_that_are_not_there_are_told_with_the_nearest(result: Result) -> None:
    with pytest.raises(
        ValueError, match=r"quantity: found 'lenght', expected one of 'win share, seat 1', .*did you mean 'length'"
    ):
        result.compare("lenght")
    told = {"ruleset_metrics": pd.DataFrame({"metric": ["drama", "length"], "value": [0.1, 50.0]})}
    with pytest.raises(ValueError, match=r"metric: found 'drame', expected one of 'drama', 'length' .*'drama'"):
        replace(result, tables=told).ruleset_metrics("drame")
    assert len(replace(result, tables=told).ruleset_metrics("drama")) == 1


def test_a_folder_that_is_a_file_is_told(result: Result, tmp_path: Path) -> None:
    (tmp_path / "results").write_text("mine")
    with pytest.raises(ResultsError, match="found a file, expected a new folder"):
        result.save(tmp_path / "results")
    with pytest.raises(ResultsError, match="found a file, expected a new folder"):
        run_plan(result.plan, folder=tmp_path / "results")
    with pytest.raises(ResultsError, match="cannot write the results there"):
        result.save(tmp_path / "results" / "deeper")
    assert (tmp_path / "results").read_text() == "mine"


def test_a_full_disk_leaves_what_was_there(result: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = result.save(tmp_path / "results")
    before = sorted(path.name for path in folder.iterdir())

    def no_space(*_arguments: object, **_options: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(pd.DataFrame, "to_csv", no_space)
    with pytest.raises(ResultsError, match="No space left on device"):
        result.save(folder)
    assert sorted(path.name for path in folder.iterdir()) == before
    assert [path.name for path in tmp_path.iterdir()] == ["results"]


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root may write anywhere")
def test_a_folder_without_permission_is_told_before_anything_is_played(result: Result, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(ResultsError, match="cannot write the results there"):
        run_plan(result.plan, folder=tmp_path / "results")
    tmp_path.chmod(0o700)


@pytest.mark.parametrize("content", [None, "{", "{}"])
def test_what_is_no_result_is_told(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(ResultsError, match="no whole result is there"):
        Result.load(tmp_path)


def test_the_json_document_has_the_rows_of_the_tables(result: Result) -> None:
    document = json.loads(json.dumps(result.as_json("run"), allow_nan=False))
    assert {"schema", "command", "seed", "fingerprint", "tables"} <= set(document)
    row = document["tables"]["win_share"][0]
    assert {"variant", "profile", "seat", "policy", "value", "mcse"} <= set(row)
    assert row["value"] == result.win_share()["value"].iloc[0]
    assert len(document["tables"]["comparisons"]) == len(result.compare())


def test_a_number_that_is_none_is_null_in_json() -> None:
    cut = small_result(variant=[{"name": "cut", "changes": {"turn_limit": 5}}])
    assert cut.as_json()["tables"]["length"][0]["value"] is None


def test_figures_are_made_of_the_tables(result: Result) -> None:
    for figure in (result.plot_win_share(), result.plot_length(), result.plot_seat_advantage()):
        assert figure.axes


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("win_share", "is furthest from a fair share, by "),
        ("order", "place 1 in turn order wins "),
        ("length", "A playout takes"),
        ("length", "On the same luck 'up to 25' changes it most, by +"),
    ],
)
def test_the_answer_says_what_how_much_how_sure_and_under_which_policies(kind: str, told: str) -> None:
    result = small_result(answer={"kind": kind})
    answer = result.answer
    assert answer.startswith(told) or told in answer
    assert "600 playouts behind each number unless told otherwise" in answer
    assert "policy profiles fast, slow; " in answer
    assert "seed 7" in answer
    assert answer.endswith("expert players may fare differently.")
    assert "'up to 25'" in answer
    assert "\n" not in answer


def test_the_answer_moves_with_the_tables(result: Result) -> None:
    changed = {name: frame.copy() for name, frame in result.tables.items()}
    changed["length"].loc[0, ["value", "lower", "upper"]] = 91.0, 90.5, 91.5
    assert "91.0 turns [90.5, 91.5]" in Result(result.plan, changed, "", "", 0, 0).answer


def test_nothing_finished_and_nothing_asked_are_told(result: Result) -> None:
    assert "no answer" in Result(result.plan, {}, "", "", 0, 0).answer
    only = small_result(estimands=["win_share"], answer={"kind": "length"})
    assert "no table" in only.answer


@pytest.mark.compiled_only(reason="thousands of playouts in each arm")
def test_the_answer_about_an_item_tells_strength_verdict_and_what_variants_leave() -> None:
    found = {
        "schema": 1,
        "question": "Is it too strong?",
        "game": "flip",
        "seats": [2, 4],
        "seed": 7,
        "playouts": 4000,
        "paired_playouts": 2000,
        "items": ["slones_pulse_rifle"],
        "answer": {"kind": "item", "item": "slones_pulse_rifle"},
        "profile": [{"name": "leader", "policies": ["leader"]}, {"name": "next", "policies": ["next"]}],
        "variant": [
            {"name": "printed"},
            {"name": "weaker", "says": "2 damage", "changes": {"variant": "pulse_rifle_damage_2"}},
            {"name": "five", "says": "five Storm Rages cards", "changes": {"storm_cards": "five"}},
        ],
    }
    answer = run_plan(check_plan(found)).answer
    assert answer.startswith("At 2 seats, Slone's Pulse Rifle is ")
    assert "against the average other card in its place (margin 2 points" in answer
    assert "At 4 seats, '2 damage' costs whoever was dealt it " in answer
    assert " leaves it worth " in answer
    assert "At 4 seats, 'five Storm Rages cards' costs whoever was dealt it " in answer


@pytest.mark.compiled_only(reason="hundreds of playouts of flip")
def test_the_answer_about_a_count_tells_the_share_that_reaches_it() -> None:
    found = {
        "schema": 1,
        "question": "Does the deck run out?",
        "game": "flip",
        "seats": 4,
        "playouts": 600,
        "answer": {"kind": "count", "count": "mode_draws", "at_least": 16},
        "profile": [{"name": "leader", "policies": ["leader"]}],
    }
    result = run_plan(check_plan(found))
    assert "with 16 mode draws or more is" in result.answer
    never = run_plan(check_plan(found | {"answer": {"kind": "count", "count": "mode_draws", "at_least": 9999}}))
    assert never.answer.startswith("No playout has 9999 mode draws")
