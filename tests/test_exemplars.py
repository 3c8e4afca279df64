"""From cell to game: the playouts behind a row, and that the command of each tells that very playout."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.cli import main
from sim.cli.exits import ExitCode
from sim.experiment import exemplars as exemplars_of
from sim.experiment.exemplars import RowError, exemplars, find_row
from sim.experiment.plan import ESTIMANDS, Plan, check_plan
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
    "items": ["slones_pulse_rifle", "bush", "honey_hitters"],
    "profile": [{"name": "mixed", "policies": ["leader", "weakest", "threat", "next"]}],
    "variant": [{"name": "printed"}, {"name": "weak", "changes": {"cards.slones_pulse_rifle.damage": 1}}],
}
ROWS: list[dict[str, Any]] = [
    {"table": "win_share", "variant": "short", "seat": 2},
    {"table": "policy_share", "variant": "printed", "policy": "hold_25"},
    {"table": "seat_advantage", "variant": "printed", "place": 3},
    {"table": "length", "variant": "short"},
    {"table": "claims", "variant": "short", "baseline": "printed", "quantity": "win share, place 2"},
    {"table": "claims", "variant": "short", "baseline": "a fair share", "quantity": "seat advantage, place 1"},
    {"table": "comparisons", "variant": "short", "baseline": "printed", "quantity": "win share, place 1"},
    {"table": "comparisons", "variant": "short", "baseline": "printed", "quantity": "win share, seat 2"},
    {"table": "comparisons", "variant": "short", "baseline": "printed", "quantity": "win share, policy hold_15"},
    {"table": "comparisons", "variant": "short", "baseline": "printed", "quantity": "length"},
    {"table": "decisions", "variant": "printed", "decision": "ROLL_OR_HOLD"},
    {"table": "stops", "stopped_at": 77},
    {"table": "calibration", "variant": "printed", "chance_from": 0.3, "chance_to": 0.4},
    *(
        {"table": "ruleset_metrics", "variant": "short", "against": against, "metric": metric, "part": part}
        for against, metric, part in (
            ("nothing", "completion", "ended by the rules"),
            ("nothing", "length", "standard deviation"),
            ("nothing", "minutes", "mean at 0.5 minutes a turn (assumed)"),
            ("nothing", "decision density", "decisions"),
            ("printed", "decision density", "options"),
            ("nothing", "lead changes", "of a playout"),
            ("nothing", "comeback", "1 - correlation of ranks"),
            ("nothing", "runaway leader", "slope over 3 turns"),
            ("printed", "drama", "lead over the winner"),
            ("nothing", "value function", "log score gained over equal chances"),
            ("nothing", "action gap", "best over random, all decisions"),
        )
    ),
]
PULSE_AND_BUSH = {"table": "item_balance", "variant": "printed", "family": "loot", "item": "slones_pulse_rifle"}
FLIP_ROWS: list[dict[str, Any]] = [
    {"table": "item_balance", "variant": "printed", "item": "slones_pulse_rifle", "estimand": "ablation lift"},
    {"table": "item_balance", "variant": "weak", "item": "slones_pulse_rifle", "estimand": "deal lift"},
    {"table": "item_balance", "variant": "printed", "item": "slones_pulse_rifle", "estimand": "draw lift"},
    {
        "table": "item_balance",
        "variant": "printed",
        "item": "slones_pulse_rifle",
        "estimand": "ban",
        "quantity": "win share, place 1",
    },
    {"table": "item_share", "variant": "weak", "item": "slones_pulse_rifle"},
    {**PULSE_AND_BUSH, "estimand": "head to head", "against": "bush"},
    {
        "table": "comparisons",
        "variant": "weak",
        "baseline": "printed",
        "quantity": "share when dealt, slones_pulse_rifle",
    },
]


RARE_ROWS: list[dict[str, Any]] = [
    {**PULSE_AND_BUSH, "estimand": "head to head, ordinary deal", "against": "each other item"},
    {**PULSE_AND_BUSH, "estimand": "shapley value", "against": "blank, beside each loot"},
    {**PULSE_AND_BUSH, "estimand": "shapley value", "against": "blank, beside each loadout"},
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
    return check_plan({**PIG, "metric_playouts": 60})


@pytest.fixture(scope="module")
def result() -> Result:
    return run_plan(check_plan(PIG))


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
        assert follows["seats_meant"] == against["seats_meant"] == [follows["rotation"] + 1]
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


@pytest.mark.parametrize("row", FLIP_ROWS, ids=lambda row: f"{row['table']} {' '.join(list(row.values())[4:])}")
def test_every_exemplar_of_an_item_is_the_playout_that_its_command_tells(
    row: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    labels = {"profile": "mixed", "seats": 4, **row}
    assert_told(exemplars(check_plan(FLIP), row["table"], labels, FLIP_SAMPLE)[:4], capsys)


@pytest.mark.compiled_only("hundreds of playouts in each arm of what is seldom dealt")
@pytest.mark.parametrize("row", RARE_ROWS, ids=lambda row: f"{row['estimand']} {row['against']}")
def test_every_exemplar_of_what_is_seldom_dealt_is_the_playout_that_its_command_tells(
    row: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert_told(exemplars(check_plan(FLIP), row["table"], {"profile": "mixed", "seats": 4, **row}, 300), capsys)


def test_a_place_of_the_line_up_wins_where_the_row_is_about_it(plan: Plan, capsys: pytest.CaptureFixture[str]) -> None:
    labels = {"profile": "mixed", "seats": 3, "variant": "printed", "seat": 2}
    rows = exemplars(plan, "win_share", labels, 60)
    wins = [row for row in rows if "wins" in row["shows"]]
    assert [row["shows"].rpartition(", ")[2] for row in wins] == ["typical", "shortest", "longest"]
    assert wins[1]["length_turns"] <= wins[0]["length_turns"] <= wins[2]["length_turns"]
    for row in rows:
        chair = row["seats_meant"][0] - 1
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
            next(chair["win_share"] for chair in told(row["command"], capsys) if chair["place"] == 1)
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
    row = find_row(result.win_share(), "win_share", {"variant": "short", "seat": "3"})
    assert (row["variant"], row["seat"], row["policy"]) == ("short", 3, "hold_25")


@pytest.mark.parametrize(
    ("wanted", "fault"),
    [
        ({"varient": "short"}, r"found no column 'varient'.*did you mean 'variant'\?"),
        ({"variant": "shrot"}, r"variant: found 'shrot', expected one of printed, short \(did you mean 'short'\?\)"),
        ({"variant": "short"}, r"3 rows of win_share fit, expected one; tell them apart by seat: 1, 2, 3; policy:"),
        ({"variant": "short", "seat": "4"}, r"seat: found '4', expected one of 1, 2, 3"),
    ],
)
def test_no_row_or_several_are_told_with_what_there_is(result: Result, wanted: dict[str, str], fault: str) -> None:
    with pytest.raises(RowError, match=fault):
        find_row(result.win_share(), "win_share", wanted)


def test_a_table_whose_rows_are_not_about_playouts_is_refused(plan: Plan) -> None:
    with pytest.raises(RowError, match=r"found 'win_shares', expected one whose rows are about playouts.*'win_share'"):
        exemplars(plan, "win_shares", {}, 10)


@pytest.mark.parametrize(
    ("table", "labels", "told"),
    [
        ("ruleset_metrics", {"metric": "seat fairness", "part": "noise floor, mean"}, "a row of seat_advantage has"),
        ("ruleset_metrics", {"metric": "item spread", "part": "tau of loot"}, "a row of item_balance has playouts"),
        ("ruleset_metrics", {"metric": "value function", "part": "calibration error"}, "a row of calibration has"),
        (
            "item_balance",
            {"item": "bush", "estimand": "ban", "quantity": "spread of the other items"},
            "rows about a win share, a length or an item's share have playouts",
        ),
    ],
)
def test_a_row_about_all_playouts_together_says_whose_rows_have_some(
    table: str, labels: dict[str, Any], told: str
) -> None:
    row = {"profile": "mixed", "seats": 4, "variant": "printed", "against": "nothing", **labels}
    with pytest.raises(RowError, match=f"is about all playouts together and none is its own; {told}"):
        exemplars(check_plan(FLIP), table, row, 4)


def shares_of(rows: list[dict[str, Any]]) -> list[float]:
    """Return what the chairs that exemplars are about win in each."""
    return [sum(row["win_share"][seat - 1] for seat in row["seats_meant"]) for row in rows]


@pytest.mark.compiled_only("600 playouts in each of four arms")
def test_two_granted_cards_and_their_blanks_are_four_playouts_of_one_number_that_differ_as_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    labels = {"profile": "mixed", "seats": 4, **PULSE_AND_BUSH, "estimand": "interaction", "against": "bush"}
    rows = exemplars(check_plan(FLIP), "item_balance", labels, 600)
    groups = [rows[place : place + 4] for place in range(0, len(rows), 4)]
    assert {group[0]["shows"].split()[-2] for group in groups} == {"more,", "less,"}
    for group in groups:
        assert len({(row["playout"], row["rotation"], tuple(row["seats_meant"])) for row in group}) == 1
        assert group[0]["seats_meant"] == [group[0]["playout"] % 4 + 1]
        both, first, second, none = shares_of(group)
        assert (both - first - second + none > 0) is ("more," in group[0]["shows"])
        assert [row["command"].count("--grant cards.") for row in group] == [2, 2, 2, 2]
        assert [row["command"].count("effect=blank") for row in group] == [0, 1, 1, 2]
    assert_told(groups[0], capsys)


@pytest.mark.compiled_only("600 playouts of a hand that one deal in sixteen gives")
def test_the_holder_of_a_dealt_hand_has_both_items(capsys: pytest.CaptureFixture[str]) -> None:
    against = "honey_hitters"
    labels = {"profile": "mixed", "seats": 4, **PULSE_AND_BUSH, "estimand": "interaction", "against": against}
    for row in exemplars(check_plan(FLIP), "item_balance", labels, 600):
        assert "--grant" not in row["command"]
        _, *words = shlex.split(row["command"])
        assert main(words) == ExitCode.FINE
        story = capsys.readouterr().out
        assert f"seat {row['seats_meant'][0]} has the loadout Honey Hitters" in story
        assert f"seat {row['seats_meant'][0]} is dealt Slone's Pulse Rifle" in story


@pytest.mark.compiled_only("300 playouts against each rival")
@pytest.mark.parametrize("estimand", ["head to head", "head to head, ordinary deal"])
def test_head_to_head_shows_one_playout_in_which_the_holder_beats_the_rival_s(estimand: str) -> None:
    labels = {"profile": "mixed", "seats": 4, **PULSE_AND_BUSH, "estimand": estimand, "against": "bush"}
    rows = exemplars(check_plan(FLIP), "item_balance", labels, 300)
    assert len(rows) == 6
    for row, share in zip(rows, shares_of(rows), strict=True):
        assert (share > 0) is ("more" in row["shows"])
        assert row["command"].count("copies=0") == (14 if estimand == "head to head" else 0)


def test_an_item_with_several_copies_is_granted_as_a_twin_and_replayed_so(capsys: pytest.CaptureFixture[str]) -> None:
    variant = [{"name": "more", "changes": {"cards.bush.copies": 2}}]
    labels = {"profile": "mixed", "seats": 4, "variant": "more", "item": "bush", "family": "loot"}
    plan = check_plan({**FLIP, "variant": variant})
    rows = exemplars(plan, "item_balance", {**labels, "estimand": "grant lift", "against": "blank"}, FLIP_SAMPLE)
    assert all("--grant cards.twin_of_bush" in row["command"] for row in rows)
    assert_told(rows[:2], capsys)


def test_the_least_and_the_most_of_a_metric_are_shown_with_their_amounts(plan: Plan) -> None:
    labels = {"profile": "mixed", "seats": 3, "variant": "printed", "against": "nothing", "metric": "decision density"}
    rows = exemplars(plan, "ruleset_metrics", {**labels, "part": "decisions"}, 60)
    amounts = [row["amount"] for row in rows]
    assert amounts[1] < amounts[0] < amounts[2]
    assert all(row["rotation"] == row["playout"] % 3 for row in rows)  # what was recorded


def test_a_decision_is_shown_with_its_place_and_who_decides(plan: Plan, capsys: pytest.CaptureFixture[str]) -> None:
    labels = {"profile": "mixed", "seats": 3, "variant": "printed", "against": "nothing", "metric": "action gap"}
    for row in exemplars(plan, "ruleset_metrics", {**labels, "part": "chosen over random, all decisions"}, 30):
        number = int(row["shows"].partition("decision ")[2].partition(":")[0])
        assert main([*shlex.split(row["command"])[1:], "--json"]) == ExitCode.FINE
        events = json.loads(capsys.readouterr().out)["tables"]["events"]
        decision = [event for event in events if event["event"] == "DECISION"][number]
        assert [decision["seat"]] == row["seats_meant"]


def test_the_best_policy_alone_is_shown_among_random_ones(plan: Plan, capsys: pytest.CaptureFixture[str]) -> None:
    labels = {
        "profile": "one against random",
        "seats": 3,
        "variant": "printed",
        "against": "nothing",
        "metric": "skill share",
    }
    rows = exemplars(plan, "ruleset_metrics", {**labels, "part": "hold_20"}, 60)
    assert_told(rows, capsys)
    for row in rows:
        policies = [chair["policy"] for chair in told(row["command"], capsys)]
        assert sorted(policies) == ["hold_20", "random", "random"]
        assert [policies.index("hold_20") + 1] == row["seats_meant"]


def test_a_stop_shows_the_last_playout_before_it(plan: Plan) -> None:
    rows = exemplars(plan, "stops", {"profile": "mixed", "seats": 3, "stopped_at": 77}, 60)
    assert (rows[-1]["shows"], rows[-1]["playout"]) == ("the last playout before it stopped", 76)


def test_every_table_that_a_plan_can_ask_for_has_playouts_to_show() -> None:
    assert set(exemplars_of.TELLERS) == set(ESTIMANDS)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["bsuh"], "grant: found 'bsuh', expected one of cards.slones_pulse_rifle"),
        (["bsuh"], "(did you mean 'bush'?)"),
        (["bush@5"], "grant: found seat '5' in 'bush@5', expected 1 to 4"),
        (["bush@0"], "grant: found seat '0' in 'bush@0', expected 1 to 4 behind the @; seats count from 1"),
        (["bush", "bush"], "grant: found 'bush' 2 times, expected at most 1, as many as there are"),
        (["honey_hitters@1", "extra_storage@1"], "grant: found two of loadouts for one seat, of which it has one"),
        (["placebo"], "grant: found 'placebo', expected one of cards.placebo or loadouts.placebo"),
        (["bush"] * 9, "grant: found 9 cards, expected at most 8"),
    ],
)
def test_a_wrong_grant_is_told(capsys: pytest.CaptureFixture[str], words: list[str], fault: str) -> None:
    placebos = ["-S", "cards.placebo.copies=1", "-S", "loadouts.placebo.copies=1"]
    granted = [part for word in words for part in ("--grant", word)]
    assert main(["replay", "flip", "--seed", "7", *placebos, *granted]) == ExitCode.USAGE
    assert fault in " ".join(capsys.readouterr().err.split())


def test_pig_has_no_cards_to_grant(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "pig", "--grant", "bush"]) == ExitCode.USAGE
    assert "grant: found 'bush', expected none, pig has no cards to grant" in capsys.readouterr().err


def test_a_replay_tells_the_cards_that_it_was_granted(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["replay", "flip", "--seed", "7", "--playout", "6", "--grant", "bush", "--grant", "cards.med_kit@3"]
    assert main(words) == ExitCode.FINE
    printed = capsys.readouterr().out
    for line in ("seat 3 is dealt Bush", "seat 3 is dealt Med Kit (placeholder)"):  # six modulo four seats
        assert printed.count(line) == 1
    told_again = str(sim.replay("flip", 7, 6, grants=["bush@3", "med_kit@3"]))
    assert told_again in printed


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
        (["--row", "variant=base"], "--table: found nothing, expected one of win_share"),
        (["--row", "seat=0"], "row: seat: found '0', expected one of 1, 2, 3"),
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
