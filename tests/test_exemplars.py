"""From cell to game: the playouts behind a row, and that the command of each tells that very playout."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from sim.cli import main
from sim.cli.guard import ExitCode
from sim.experiment.exemplars import RowError, exemplars, find_row
from sim.experiment.plan import Plan, check_plan
from sim.experiment.results import Result
from sim.experiment.run import run_plan
from tests.conftest import INTERPRETED

FLIP_SAMPLE = 16 if INTERPRETED else 300
PIG = {
    "schema": 1,
    "question": "Who wins?",
    "game": "pig",
    "seats": 3,
    "playouts": 120,
    "seed": 11,
    "profile": [{"name": "mixed", "policies": ["hold_15", "hold_20", "hold_25"]}],
    "variant": [{"name": "printed"}, {"name": "short", "changes": {"goal": 40, "turn_limit": 16}}],
}
ADVISED = PIG | {
    "advice": {"says": "hold at 15", "follows": "hold_15", "against": "hold_25"},
    "profile": [
        {"name": "mixed", "policies": ["hold_15", "hold_20", "hold_25"]},
        {"name": "alike", "policies": ["hold_15"]},
    ],
}
FLIP = {
    "schema": 1,
    "question": "Who wins?",
    "game": "flip",
    "seats": 4,
    "playouts": FLIP_SAMPLE,
    "seed": 7,
    "items": ["slones_pulse_rifle"],
    "profile": [{"name": "mixed", "policies": ["leader", "weakest", "threat", "next"]}],
    "variant": [{"name": "printed"}, {"name": "weak", "changes": {"cards.slones_pulse_rifle.damage": 1}}],
}
ROWS: list[dict[str, Any]] = [
    {"table": "win_share", "variant": "short", "seat": 1},
    {"table": "policy_share", "variant": "printed", "policy": "hold_25"},
    {"table": "seat_advantage", "variant": "printed", "order": 2},
    {"table": "length", "variant": "short"},
    {"table": "claims", "variant": "short", "baseline": "printed", "quantity": "win share, order 1"},
    {"table": "claims", "variant": "short", "baseline": "a fair share", "quantity": "seat advantage, order 0"},
    {"table": "comparisons", "variant": "short", "baseline": "printed", "quantity": "win share, order 0"},
    {"table": "comparisons", "variant": "short", "baseline": "printed", "quantity": "win share, seat 1"},
    {"table": "comparisons", "variant": "short", "baseline": "printed", "quantity": "win share, policy hold_15"},
    {"table": "comparisons", "variant": "short", "baseline": "printed", "quantity": "length"},
    {"table": "decisions", "variant": "printed", "decision": "ROLL_OR_HOLD"},
]
FLIP_ROWS: list[dict[str, Any]] = [
    {"table": "item_balance", "variant": "printed", "item": "slones_pulse_rifle", "estimand": "ablation lift"},
    {"table": "item_balance", "variant": "weak", "item": "slones_pulse_rifle", "estimand": "deal lift"},
    {"table": "item_balance", "variant": "printed", "item": "slones_pulse_rifle", "estimand": "draw lift"},
    {
        "table": "item_balance",
        "variant": "printed",
        "item": "slones_pulse_rifle",
        "estimand": "ban",
        "quantity": "win share, order 0",
    },
    {"table": "item_share", "variant": "weak", "item": "slones_pulse_rifle"},
    {
        "table": "comparisons",
        "variant": "weak",
        "baseline": "printed",
        "quantity": "share when dealt, slones_pulse_rifle",
    },
]


def told(command: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Return the outcome that an exemplar's command tells, a row per chair."""
    program, *words = shlex.split(command)
    assert program == "sim"
    assert main([*words, "--json"]) == ExitCode.FINE
    outcome: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["tables"]["outcome"]
    return outcome


def assert_told(rows: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    assert rows
    for row in rows:
        outcome = told(row["command"], capsys)
        assert [chair["win_share"] for chair in outcome] == row["win_share"]
        assert {chair["length_turns"] for chair in outcome} == {row["length_turns"]}


@pytest.fixture(scope="module")
def plan() -> Plan:
    return check_plan(PIG)


@pytest.fixture(scope="module")
def result(plan: Plan) -> Result:
    return run_plan(plan)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['table']} {list(row.values())[-1]}")
def test_every_exemplar_is_the_playout_that_its_command_tells(
    plan: Plan, row: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    table, labels = row["table"], {"profile": "mixed", "seats": 3, **row}
    assert_told(exemplars(plan, table, labels, 60), capsys)


@pytest.mark.parametrize("profile", ["mixed", "alike"])
def test_exemplars_of_advice_are_pairs_of_one_playout_that_the_seat_ends_otherwise(
    profile: str, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = {"profile": profile, "seats": 3, "variant": "short"}
    rows = exemplars(check_plan(ADVISED), "advice", labels, 60)
    assert_told(rows, capsys)
    for follows, against in zip(rows[::2], rows[1::2], strict=True):
        assert follows["seats_meant"] == against["seats_meant"] == [follows["rotation"]]
        share, other = (one["win_share"][follows["rotation"]] for one in (follows, against))
        assert share > other if "more" in follows["shows"] else share < other
        assert (follows["variant"], against["variant"]) == ("short", "short, going against it")
        assert (follows["playout"], follows["rotation"]) == (against["playout"], against["rotation"])
    assert (
        rows[0]
        == exemplars(check_plan(ADVISED), "claims", labels | {"quantity": "gain by advice", "largest_in": profile}, 60)[
            0
        ]
    )


def test_a_plan_without_advice_has_no_playouts_that_follow_it(plan: Plan) -> None:
    with pytest.raises(RowError, match="the plan gives no advice"):
        exemplars(plan, "advice", {"profile": "mixed", "seats": 3, "variant": "short"}, 10)


@pytest.mark.parametrize("row", FLIP_ROWS, ids=lambda row: f"{row['table']} {list(row.values())[-1]}")
def test_every_exemplar_of_an_item_is_the_playout_that_its_command_tells(
    row: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    labels = {"profile": "mixed", "seats": 4, **row}
    assert_told(exemplars(check_plan(FLIP), row["table"], labels, FLIP_SAMPLE)[:4], capsys)


def test_a_place_of_the_line_up_wins_where_the_row_is_about_it(plan: Plan, capsys: pytest.CaptureFixture[str]) -> None:
    labels = {"profile": "mixed", "seats": 3, "variant": "printed", "seat": 1}
    rows = exemplars(plan, "win_share", labels, 60)
    wins = [row for row in rows if "wins" in row["shows"]]
    assert [row["shows"].rpartition(", ")[2] for row in wins] == ["typical", "shortest", "longest"]
    assert wins[1]["length_turns"] <= wins[0]["length_turns"] <= wins[2]["length_turns"]
    for row in rows:
        chair = row["seats_meant"][0]
        outcome = told(row["command"], capsys)
        assert outcome[chair]["policy"] == "hold_20"
        assert outcome[chair]["win_share"] == float("wins" in row["shows"])


def test_a_comparison_shows_both_variants_of_a_playout_that_ends_differently(
    plan: Plan, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = {"profile": "mixed", "seats": 3, **ROWS[6]}
    rows = exemplars(plan, "comparisons", labels, 60)
    for ours, theirs in zip(rows[::2], rows[1::2], strict=True):
        assert (ours["playout"], ours["rotation"]) == (theirs["playout"], theirs["rotation"])
        assert (ours["variant"], theirs["variant"]) == ("short", "printed")
        first = [
            next(chair["win_share"] for chair in told(row["command"], capsys) if chair["order"] == 0)
            for row in (ours, theirs)
        ]
        assert (first[0] > first[1]) is ("more" in ours["shows"])


def test_the_least_and_the_most_of_a_tally_are_those_that_the_rows_of_single_playouts_have(plan: Plan) -> None:
    labels = {"profile": "mixed", "seats": 3, "variant": "printed", "decision": "ROLL_OR_HOLD"}
    rows = exemplars(plan, "decisions", labels, 40)
    amounts = {row["shows"]: row["amount"] for row in rows}
    assert amounts["the least"] < amounts["the middle amount"] < amounts["the most"]


def test_playouts_that_hit_the_turn_limit_are_shown_with_the_length(plan: Plan) -> None:
    labels = {"profile": "mixed", "seats": 3, "variant": "short"}
    rows = exemplars(plan, "length", labels, 60)
    assert rows[-1]["shows"] == "stopped by the turn limit"
    assert rows[-1]["length_turns"] == 16


def test_the_same_row_gives_the_same_playouts(plan: Plan) -> None:
    labels = {"profile": "mixed", "seats": 3, **ROWS[0]}
    assert exemplars(plan, "win_share", labels, 60) == exemplars(plan, "win_share", labels, 60)


def test_a_row_is_found_by_its_columns(result: Result) -> None:
    row = find_row(result.win_share(), "win_share", {"variant": "short", "seat": "2"})
    assert (row["variant"], row["seat"], row["policy"]) == ("short", 2, "hold_25")


@pytest.mark.parametrize(
    ("wanted", "fault"),
    [
        ({"varient": "short"}, r"found no column 'varient'.*did you mean 'variant'\?"),
        ({"variant": "shrot"}, r"variant: found 'shrot', expected one of printed, short \(did you mean 'short'\?\)"),
        ({"variant": "short"}, r"3 rows of win_share fit, expected one; tell them apart by seat: 0, 1, 2; policy:"),
        ({"variant": "short", "seat": "3"}, r"seat: found '3', expected one of 0, 1, 2"),
    ],
)
def test_no_row_or_several_are_told_with_what_there_is(result: Result, wanted: dict[str, str], fault: str) -> None:
    with pytest.raises(RowError, match=fault):
        find_row(result.win_share(), "win_share", wanted)


def test_a_table_whose_rows_are_not_about_playouts_is_refused(plan: Plan) -> None:
    with pytest.raises(RowError, match=r"found 'win_shares', expected one whose rows are about playouts.*'win_share'"):
        exemplars(plan, "win_shares", {}, 10)


def test_an_estimand_with_decks_of_its_own_has_no_playouts_to_show() -> None:
    labels = {"profile": "mixed", "seats": 4, **FLIP_ROWS[0], "estimand": "head to head"}
    with pytest.raises(
        RowError, match="'head to head' compares playouts with decks of their own, expected one of deal"
    ):
        exemplars(check_plan(FLIP), "item_balance", labels, 4)


def test_show_prints_a_result_a_table_and_the_playouts_of_a_row(
    result: Result, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(result.save(tmp_path / "out"))
    assert main(["show", folder, "--json"]) == ExitCode.FINE
    assert set(json.loads(capsys.readouterr().out)["tables"]) == set(result.tables)
    assert main(["show", folder, "--table", "length", "--json"]) == ExitCode.FINE
    assert list(json.loads(capsys.readouterr().out)["tables"]) == ["length"]
    words = ["show", folder, "--table", "length", "--row", "variant=short", "--sample", "60", "--json"]
    assert main(words) == ExitCode.FINE
    found = json.loads(capsys.readouterr().out)["tables"]
    assert found["length"][0]["variant"] == "short"
    assert_told(found["exemplars"], capsys)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--row", "seat=0"], "--table: found nothing, expected one of win_share"),
        (["--table", "lenght"], "did you mean 'length'?"),
        (["--table", "length", "--row", "short"], "--row: found 'short', expected COLUMN=VALUE"),
    ],
)
def test_a_wrong_word_of_show_is_told(
    result: Result, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], fault: str
) -> None:
    folder = str(result.save(tmp_path / "out"))
    assert main(["show", folder, *words]) == ExitCode.USAGE
    assert fault in capsys.readouterr().err


def test_a_folder_without_a_result_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(tmp_path)]) == ExitCode.USAGE
    assert "no whole result is there" in capsys.readouterr().err
