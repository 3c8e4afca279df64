"""Balance as a test: bands of a plan, their verdicts and exit codes, and the report for build servers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pandas as pd
import pytest

from sim.cli import main
from sim.cli.guard import ExitCode
from sim.experiment import checking
from sim.experiment.bands import COLUMNS
from sim.experiment.plan import ESTIMANDS, PlanError, check_plan, plan_schema
from sim.experiment.results import Result
from sim.experiment.run import run_plan
from sim.statistics.bounded import exact_share
from sim.statistics.estimate import SampleSums
from sim.statistics.families import simultaneous_level

BASE: dict[str, Any] = {
    "schema": 1,
    "question": "Is it worth much to start?",
    "game": "pig",
    "seats": 2,
    "playouts": 300,
    "seed": 3,
    "profile": [{"name": "steady", "policies": ["hold_20"]}],
    "variant": [{"name": "printed"}, {"name": "short", "changes": {"goal": 50}}],
}
TEXT = """schema = 1
question = "Is it worth much to start?"
game = "pig"
seats = 2
playouts = 300
seed = 3
profile = [{ name = "steady", policies = ["hold_20"] }]
"""
ALL_OF_IT = {"name": "whole", "table": "win_share", "lower": 0.0, "upper": 1.0}
NONE_OF_IT = {"name": "none", "table": "win_share", "lower": 0.9}
HALF_OF_IT = {"name": "half", "table": "win_share", "seat": 1, "lower": 0.5}
Check = Callable[..., tuple[int, dict[str, Any]]]


def plan_with(*bands: dict[str, Any], **more: Any) -> Any:
    return check_plan({**BASE, **more, "band": list(bands)})


def read(file: Path) -> ET.Element:
    return ET.fromstring(file.read_text("utf-8"))  # noqa: S314  (our own file)


def band_text(**keys: Any) -> str:
    return "\n[[band]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """Check a plan with some bands; return exit code and JSON document."""

    def run(*bands: dict[str, Any], words: tuple[str, ...] = ()) -> tuple[int, dict[str, Any]]:
        file = tmp_path / "plan.toml"
        file.write_text(TEXT + "".join(band_text(**band) for band in bands), encoding="utf-8")
        code = main(["check", str(file), "--out", str(tmp_path / "out"), "--json", *words])
        told = capsys.readouterr()
        return code, json.loads(told.out) if told.out else {"error": told.err}

    return run


@pytest.fixture(scope="module")
def result() -> Result:
    return run_plan(plan_with(ALL_OF_IT, NONE_OF_IT, HALF_OF_IT))


def test_exit_code_0_when_all_bands_hold(check: Check) -> None:
    code, found = check(ALL_OF_IT)
    assert (code, found["verdict"]) == (ExitCode.FINE, "pass")
    assert [row["verdict"] for row in found["tables"]["band_rows"]] == ["pass", "pass"]


def test_exit_code_1_when_one_is_broken_whatever_the_others_are(check: Check) -> None:
    code, found = check(ALL_OF_IT, HALF_OF_IT, NONE_OF_IT)
    assert (code, found["verdict"]) == (ExitCode.CHECK_FAILED, "fail")
    assert [row["verdict"] for row in found["tables"]["bands"]] == ["pass", "undecided", "fail"]


def test_exit_code_4_when_one_is_undecided_with_the_playouts_that_it_needs(check: Check) -> None:
    code, found = check(ALL_OF_IT, HALF_OF_IT)
    assert (code, found["verdict"]) == (ExitCode.PARTIAL, "undecided")
    assert {"n_more_lower", "n_more_upper"} <= set(found["tables"]["bands"][1])


def test_a_result_that_is_there_is_judged_by_new_bands_without_playing(
    check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check(ALL_OF_IT)[0] == ExitCode.FINE
    monkeypatch.setattr("sim.experiment.run.play_call", None)
    assert check(NONE_OF_IT)[0] == ExitCode.CHECK_FAILED


def test_the_same_check_prints_the_same_bytes(check: Check) -> None:
    first = check(ALL_OF_IT, HALF_OF_IT, words=("--fresh", "--jobs", "1"))
    assert check(ALL_OF_IT, HALF_OF_IT, words=("--fresh", "--jobs", "2")) == first


def test_every_row_is_judged_at_the_level_that_all_rows_together_ask_for(result: Result) -> None:
    checks = checking.check(result)
    assert [len(one.rows) for one in checks] == [4, 4, 2]
    levels = {row.estimate.level for one in checks for row in one.rows if row.estimate}
    assert levels == {simultaneous_level(10, 0.95)}


def test_an_interval_is_that_of_the_integer_sums_at_the_simultaneous_level() -> None:
    band = {"name": "start", "table": "seat_advantage", "place": 1, "variant": "printed", "upper": 9.0, "level": 0.9}
    found = run_plan(plan_with(band, {**band, "name": "again"}))
    advantage = found.seat_advantage().iloc[0]
    n = 300
    won = round((advantage["value"] / 100 + 0.5) * n)
    wanted = exact_share(SampleSums.of_count(won, n), 0.95).shifted(-0.5).scaled(100)
    row = checking.check(found)[0].rows[0].estimate
    assert row is not None
    assert row.as_row() == pytest.approx(wanted.as_row(), rel=2e-2)


def test_a_run_that_looks_and_stops_is_judged_by_its_intervals_that_hold_at_every_look() -> None:
    found = run_plan(plan_with(ALL_OF_IT, HALF_OF_IT, playouts=None, most_playouts=300, precision=2.0))
    row = checking.check(found)[0].rows[0].estimate
    table = found.win_share().iloc[0]
    assert row is not None
    assert row.upper - row.value > table["upper"] - table["value"]
    assert (row.upper - row.value) / (row.value - row.lower) == pytest.approx(
        (table["upper"] - table["value"]) / (table["value"] - table["lower"])
    )


def test_a_band_without_selection_is_about_every_row(result: Result) -> None:
    rows = checking.check(result)[0].rows
    assert [row.name for row in rows] == [
        f"variant {variant}, seat {seat}" for variant in ("printed", "short") for seat in (1, 2)
    ]


def test_more_truncated_playouts_than_a_verdict_allows_leave_it_undecided() -> None:
    limit = {"name": "cut", "changes": {"turn_limit": 16}}
    plan = plan_with(ALL_OF_IT, variant=[{"name": "printed"}, limit])
    found = run_plan(plan)
    assert 0.001 < found.length()["truncated"].iloc[1] < 1
    rows = checking.check(found)[0].rows
    assert [str(row.judged.place) for row in rows] == ["pass", "pass", "undecided", "undecided"]
    assert "truncated" in rows[2].told


def test_a_row_that_is_not_there_is_undecided_and_says_so() -> None:
    empty = Result(plan_with(ALL_OF_IT), {"win_share": pd.DataFrame()}, "", "", 0.0, 0)
    (one,) = checking.check(empty)
    assert one.place == "undecided"
    assert one.rows[0].told.endswith("the table has no such row")


@pytest.mark.parametrize(
    ("band", "told"),
    [
        ({"table": "win_shares", "lower": 0.1}, r"band\.0\.table: found 'win_shares'.*did you mean 'win_share'\?"),
        ({"table": "length", "place": 1, "lower": 1.0}, r"band\.0\.place: 'length' has no such column, expected var"),
        ({"table": "win_share", "variant": "printd", "lower": 0.1}, r"band\.0\.variant: .*did you mean 'printed'\?"),
        ({"table": "win_share", "profile": ["steadi"], "lower": 0.1}, r"band\.0\.profile: .*did you mean 'steady'\?"),
        ({"table": "win_share", "seat": 0, "lower": 0.1}, r"band\.0\.seat: found 0, expected one of 1, 2$"),
        ({"table": "win_share", "seats": 3, "lower": 0.1}, r"band\.0\.seats: found 3, expected one of 2$"),
        ({"table": "comparisons", "variant": "printed", "lower": 0.1}, r"band\.0\.variant: .* expected one of short"),
        ({"table": "comparisons", "quantity": "lenght", "lower": 0.1}, r"quantity: .*did you mean 'length'\?"),
        ({"table": "item_balance", "lower": 0.1}, r"band\.0\.table: 'item_balance' needs items"),
        ({"table": "length"}, r"band\.0\.lower: found no limit, expected lower, upper or both"),
        ({"table": "length", "lower": 3.0, "upper": 2.0}, r"band\.0\.upper: found 2, expected more than lower, whi"),
        ({"table": "length", "uper": 3.0}, r"band\.0\.uper: found an unknown key.*did you mean 'upper'\?"),
        (
            {"table": "length", "lower": 3.0, "level": 0.2},
            r"band\.0\.level: found 0\.2, expected greater than or equal to 0\.5",
        ),
    ],
)
def test_a_wrong_band_is_told_before_anything_is_played(band: dict[str, Any], told: str) -> None:
    with pytest.raises(PlanError, match=told):
        plan_with({"name": "wrong", **band})


def test_bands_of_one_name_and_bands_of_tables_not_made_are_refused() -> None:
    with pytest.raises(PlanError, match="band: found 'whole' 2 times"):
        plan_with(ALL_OF_IT, ALL_OF_IT)
    with pytest.raises(PlanError, match="'win_share' is not among the plan's estimands"):
        plan_with(ALL_OF_IT, estimands=["length"])


def test_a_plan_without_bands_cannot_be_checked(check: Check) -> None:
    code, found = check()
    assert code == ExitCode.USAGE
    assert "found no [[band]]" in found["error"]


@pytest.mark.parametrize("table", [name for name in ESTIMANDS if name not in {"stops", "calibration"}])
def test_every_table_of_estimates_may_have_a_band(table: str) -> None:
    assert table in COLUMNS


def test_the_schema_of_plans_has_bands_with_their_tables_columns() -> None:
    schema = plan_schema()
    assert "band" in schema["properties"]
    known = set(schema["$defs"]["Band"]["properties"])
    assert {column for columns in COLUMNS.values() for column in columns} <= known


def test_the_junit_report_has_a_suite_per_band_and_counts_that_add_up(check: Check, tmp_path: Path) -> None:
    file = tmp_path / "bands.xml"
    code, _ = check(ALL_OF_IT, HALF_OF_IT, NONE_OF_IT, words=("--junit", str(file)))
    assert code == ExitCode.CHECK_FAILED
    root = read(file)
    assert root.tag == "testsuites"
    suites = root.findall("testsuite")
    assert [suite.get("name") for suite in suites] == ["plan.whole", "plan.half", "plan.none"]
    counted = [(suite.get("tests"), suite.get("failures"), suite.get("skipped")) for suite in suites]
    assert counted == [("2", "0", "0"), ("1", "0", "1"), ("2", "2", "0")]
    assert [root.get(key) for key in ("tests", "failures", "errors", "skipped")] == ["5", "2", "0", "1"]
    for suite in suites:
        cases = suite.findall("testcase")
        assert len(cases) == int(suite.get("tests", ""))
        assert len(suite.findall("testcase/failure")) == int(suite.get("failures", ""))
        assert len(suite.findall("testcase/skipped")) == int(suite.get("skipped", ""))
        assert [child.tag for child in suite] == ["properties", *["testcase"] * len(cases)]


def test_the_junit_report_keeps_to_the_attributes_of_the_common_schema(check: Check, tmp_path: Path) -> None:
    allowed = {
        "testsuites": {"name", "tests", "failures", "errors", "skipped", "time"},
        "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"},
        "properties": set(),
        "property": {"name", "value"},
        "testcase": {"name", "classname", "time"},
        "failure": {"message", "type"},
        "skipped": {"message"},
        "system-out": set(),
    }
    file = tmp_path / "bands.xml"
    check({**ALL_OF_IT, "name": 'of <three> & "more"'}, HALF_OF_IT, NONE_OF_IT, words=("--junit", str(file)))
    for element in read(file).iter():
        assert set(element.keys()) <= allowed[element.tag]
    assert "of <three>" in read(file)[0].get("name", "")


def test_a_report_that_cannot_be_written_leaves_the_older_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "bands.xml"
    file.write_text("older", encoding="utf-8")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        checking.write_junit(file, ET.ElementTree(ET.Element("testsuites")))
    assert [path.name for path in tmp_path.iterdir()] == ["bands.xml"]
    assert file.read_text("utf-8") == "older"


def test_a_report_without_a_folder_is_refused_before_anything_is_played(check: Check, tmp_path: Path) -> None:
    code, found = check(ALL_OF_IT, words=("--junit", str(tmp_path / "none" / "bands.xml")))
    assert code == ExitCode.USAGE
    assert "--junit: found no folder" in found["error"]
    assert not (tmp_path / "out").exists()
