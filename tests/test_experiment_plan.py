"""Plans: what is read, what is refused, and in which words."""

import math
import tomllib
from pathlib import Path
from typing import Any

import pytest

from sim import games
from sim.experiment import Plan, PlanError, check_plan, plan_schema, read_plan
from sim.experiment.arms import settings
from tests.style import ROOT

SMALLEST: dict[str, Any] = {"schema": 1, "question": "Who wins?", "game": "pig"}
GAMES = ", ".join(games.NAMES)
EXPERIMENTS = sorted((ROOT / "experiments").glob("*/*.toml"))


def plan(**keys: Any) -> Plan:
    return check_plan({**SMALLEST, **keys}, "plan.toml")


def fault(**keys: Any) -> str:
    with pytest.raises(PlanError) as caught:
        plan(**keys)
    return str(caught.value)


def test_a_plan_of_three_keys_repeats_self_play_of_every_policy_by_the_printed_rules() -> None:
    smallest = plan()
    assert [one.policies for one in smallest.profiles] == [["random"], ["hold_20"], ["hold_15"], ["hold_25"]]
    assert [one.name for one in smallest.variants] == ["printed"]
    assert smallest.seat_counts == [4]
    assert smallest.baseline_playouts == 250_000


def test_a_precision_foretells_its_playouts_by_the_formula_of_simultaneous_shares() -> None:
    one = [{"name": "one", "policies": ["hold_20"]}]
    alone = plan(seats=4, precision=1.0, profile=one, variant=[{"name": "printed"}])
    assert alone.playouts_expected(4) == math.ceil(2.497705**2 * 0.1875 / 0.01**2)
    two = plan(seats=[2, 4], precision=0.5, profile=one, variant=[{"name": "printed"}])
    assert two.playouts_expected(2) == math.ceil(2.241403**2 * 0.25 / 0.005**2)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"game": "pigg"}, f"plan.toml: game: found 'pigg', expected one of {GAMES} (did you mean 'pig'?)"),
        ({"seats": 9}, "plan.toml: seats: found 9, expected 2 to 4"),
        ({"seats": [2, 2]}, "plan.toml: seats: found 2 2 times, expected numbers that differ"),
        ({"seats": []}, "plan.toml: seats: found an empty list, expected at least one number of seats"),
        ({"playouts": 0}, "plan.toml: playouts: found 0, expected 1 to 10,000,000,000"),
        ({"playouts": -5}, "plan.toml: playouts: found -5, expected 1 to 10,000,000,000"),
        (
            {"playouts": 10**12},
            "plan.toml: playouts: found 1,000,000,000,000, expected 1 to 10,000,000,000",
        ),
        ({"paired_playouts": 0}, "plan.toml: paired_playouts: found 0, expected 1 to 10,000,000,000"),
        ({"playouts": "many"}, "plan.toml: playouts: found 'many', expected a whole number"),
        ({"seed": -1}, "plan.toml: seed: found -1, expected 0 to 18,446,744,073,709,551,615"),
        ({"margin": 0.0}, "plan.toml: margin: found 0.0, expected 0.0001 or more and less than 100"),
        ({"estimands": ["lenght"]}, "(did you mean 'length'?)"),
        ({"items": ["sword"]}, "plan.toml: items: found 'sword', expected none, the game has no items"),
        ({"profile": [{"name": "x", "policies": ["hold_2"]}]}, "profile.0.policies: found 'hold_2'"),
        ({"profile": [{"name": "x", "policies": ["hold_20"] * 3}]}, "profile.0.policies: found 3 names for 4 seats"),
        (
            {"variant": [{"name": "x"}, {"name": "x"}]},
            "plan.toml: variant: found 'x' 2 times, expected names that differ",
        ),
        ({"variant": [{"name": "a:b"}]}, "variant.0.name: found 'a:b', expected a name without ':'"),
        ({"variant": [{"name": "x", "changes": {"gaol": 3}}]}, "variant.0.changes: gaol: found an unknown key"),
        ({"variant": [{"name": "x", "changes": {"goal": 0}}]}, "variant.0.changes: goal: found 0, expected"),
        ({"variant": [{"name": "x", "chnges": {}}]}, "variant.0.chnges: found an unknown key"),
        ({"answer": {"kind": "item", "item": "x"}}, "answer.item: found 'x', expected none"),
        ({"answer": {"kind": "count", "count": "x"}}, "answer.count: found 'x', expected none, nothing is counted"),
        ({"playuots": 5}, "playuots: found an unknown key, expected one of schema, question"),
    ],
)
def test_a_wrong_plan_is_told_with_file_key_found_and_expected(keys: dict[str, Any], told: str) -> None:
    assert told in fault(**keys)


def test_the_nearest_key_is_offered() -> None:
    assert "(did you mean 'playouts'?)" in fault(playuots=5)
    assert "(did you mean 'hold_20'?)" in fault(profile=[{"name": "x", "policies": ["hold20"]}])


def test_all_faults_are_told_at_once() -> None:
    told = fault(seats=9, variant=[{"name": "x", "changes": {"gaol": 3}}], estimands=["what"])
    assert [line.split(": ")[1] for line in told.splitlines()] == ["seats", "estimands", "variant.0.changes"]


def test_a_missing_key_is_told() -> None:
    with pytest.raises(PlanError, match=r"plan: question: found nothing, expected a value"):
        check_plan({"schema": 1, "game": "pig"})


def test_a_newer_schema_is_refused_before_its_keys_are_looked_at() -> None:
    with pytest.raises(PlanError, match=r"p: schema: found 2, expected at most 1; the plan is for a newer sim"):
        check_plan({"schema": 2, "novelty": True}, "p")
    with pytest.raises(PlanError, match=r"p: schema: found 0, expected 1"):
        check_plan({**SMALLEST, "schema": 0}, "p")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'schema = 1\nquestion = "half', "not a whole TOML file"),
        (b"\xff\xfe\x00", "found bytes that are no UTF-8 text"),
        (None, "there is no such plan"),
    ],
)
def test_a_file_that_is_no_plan_is_told(tmp_path: Path, content: bytes | None, told: str) -> None:
    file = tmp_path / "plan.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(PlanError, match=told):
        read_plan(file)


def test_a_folder_is_no_plan(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="cannot be read"):
        read_plan(tmp_path)


def test_a_plan_that_is_read_is_what_was_written(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(
        'schema = 1\nquestion = "Who?"\ngame = "pig"\nseats = 2\n[[variant]]\nname = "short"\nchanges = { goal = 50 }\n'
    )
    read = read_plan(file)
    assert (read.seats, read.variants[0].changes) == (2, {"goal": 50})
    assert check_plan(read.model_dump(by_alias=True)) == read


def test_the_schema_of_plans_names_every_key() -> None:
    assert set(plan_schema()["properties"]) >= {
        "schema",
        "question",
        "game",
        "seats",
        "variant",
        "profile",
        "answer",
        "advice",
    }


def test_the_schema_of_plans_offers_the_names_of_tables_and_estimands() -> None:
    properties = plan_schema()["properties"]
    offered = {key: properties[key]["anyOf"][0]["items"]["enum"] for key in ("estimands", "item_estimands")}
    assert {"ruleset_metrics", "calibration", "win_share"} <= set(offered["estimands"])
    assert set(offered["item_estimands"]) >= {"draw", "ban", "head_to_head", "shapley"}


@pytest.mark.parametrize("file", EXPERIMENTS, ids=lambda file: file.stem)
def test_shipped_plans_are_right(file: Path) -> None:
    read = read_plan(file)
    assert tomllib.loads(file.read_text())["question"].endswith("?")
    assert all(one.says for one in read.variants)
    assert settings(read)


def test_the_pulse_rifle_plan_is_as_large_as_promised_and_no_larger() -> None:
    read = read_plan(ROOT / "experiments" / "flip" / "pulse_rifle.toml")
    assert read.baseline_playouts * len(read.profiles) == 1_000_000
    assert read.paired_playouts >= 50_000
    assert {one.policies[0] for one in read.profiles} == {"random", "leader", "weakest", "threat", "next"}
    rows = sum(setting.call.work(setting.call.n_playouts) for setting in settings(read))
    assert rows < 8_200_000
