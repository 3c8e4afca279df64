"""Seats and places count from 1 wherever people or their scripts look, and from 0 in kernels."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sim
from sim.cli import main
from sim.cli.guard import ExitCode
from sim.engine import seating
from sim.engine.contract import NOBODY
from sim.experiment.plan import PlanError, check_plan
from sim.experiment.results import Result, ResultsError
from sim.experiment.run import run_plan
from sim.games import NAMES

ZERO = re.compile(r"\b(seat|place|chair|order) 0\b")
N_SEATS = 3
MIXED: dict[str, Any] = {
    "schema": 1,
    "question": "Do seats and places count from 1?",
    "game": "pig",
    "seats": N_SEATS,
    "playouts": 60,
    "seed": 3,
    "profile": [{"name": "mixed", "policies": ["hold_20", "hold_25", "random"]}],
    "variant": [{"name": "printed"}, {"name": "short", "changes": {"goal": 20}}],
}


@pytest.fixture(scope="module")
def result() -> Result:
    return run_plan(check_plan(MIXED), 1)


def test_numbers_and_indices_are_each_others_inverse_and_nobody_stays_nobody() -> None:
    assert [seating.index_of(number) for number in seating.numbers(N_SEATS)] == list(range(N_SEATS))
    assert [seating.number_of(index) for index in (NOBODY, 0, 2)] == [NOBODY, 1, 3]
    assert seating.numbers_of(np.array([NOBODY, 0, 2], np.int8)).tolist() == [NOBODY, 1, 3]


def test_every_table_counts_seats_and_places_from_1(result: Result) -> None:
    for name, frame in result.tables.items():
        for column in {"seat", "place"} & set(frame.columns):
            assert sorted(set(frame[column])) == [1, 2, 3], name
        assert "order" not in frame.columns
        assert not ZERO.search(frame.to_csv())
    assert not ZERO.search(result.answer)
    assert set(result.compare("win share, place")["quantity"]) == {f"win share, place {place}" for place in (1, 2, 3)}


@pytest.mark.parametrize("name", NAMES)
def test_every_story_counts_seats_from_1(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", name, "--seed", "5", "--playout", "2", "--policy", "random", "--json"]) == ExitCode.FINE
    found = json.loads(capsys.readouterr().out)
    told = "\n".join(found["narration"])
    assert not ZERO.search(told)
    n_seats = len(found["tables"]["outcome"])
    assert [row["seat"] for row in found["tables"]["outcome"]] == list(range(1, n_seats + 1))
    assert sorted(row["place"] for row in found["tables"]["outcome"]) == list(range(1, n_seats + 1))
    assert {row["seat"] for row in found["tables"]["events"]} <= {NOBODY, *range(1, n_seats + 1)}
    causes = {row["c"] for row in found["tables"]["events"] if row["event"] == "HP"}
    assert 0 not in causes


def test_kept_rows_count_from_1(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is an extra")
    run_plan(check_plan({**MIXED, "playouts": 4}), 1, folder=tmp_path / "r", keep="rows")
    file = next((tmp_path / "r" / "rows").rglob("*.parquet"))
    rows: pd.DataFrame = parquet.read_table(file).to_pandas()
    assert {"win_share_1", "win_share_3", "place_1", "place_3"} <= set(rows)
    assert not [column for column in rows if column.endswith(("_0", "_4")) or column.startswith("order")]
    assert set(rows["place_1"]) <= {1, 2, 3}


@pytest.mark.parametrize("column", ["seat", "place"])
def test_a_band_about_seat_or_place_0_is_refused(column: str) -> None:
    table = {"seat": "win_share", "place": "seat_advantage"}[column]
    band = {"name": "first", "table": table, column: 0, "upper": 9.0}
    with pytest.raises(PlanError, match=rf"band\.0\.{column}: found 0, expected one of 1, 2, 3"):
        check_plan({**MIXED, "band": [band]})


def test_a_grant_to_seat_0_is_refused() -> None:
    with pytest.raises(
        ValueError, match="found seat '0' in 'bush@0', expected 1 to 4 behind the @; seats count from 1"
    ):
        sim.replay("flip", grants="bush@0")


def test_a_result_that_counted_from_0_is_refused(result: Result, tmp_path: Path) -> None:
    folder = result.save(tmp_path / "old")
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "schema": 1}))
    with pytest.raises(ResultsError, match="found schema 1, expected 2, in which seats and places count from 1"):
        Result.load(folder)
