"""Words and columns that mean what they say: who plays the same, what differs, attributions, levels, verdicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sim
from sim.experiment.plan import check_plan
from sim.experiment.results import Result
from sim.experiment.run import run_plan

HOLDING: dict[str, Any] = {
    "schema": 1,
    "question": "Who plays the same?",
    "game": "pig",
    "seats": 2,
    "seed": 4,
    "playouts": 3 * 400,
    "paired_playouts": 400,
    "profile": [
        {"name": "twenty", "policies": ["hold_20"]},
        {"name": "again", "policies": ["hold_20"]},
        {"name": "fifteen", "policies": ["hold_15"]},
    ],
    "variant": [{"name": "sixty", "changes": {"goal": 60}}, {"name": "fifty", "changes": {"goal": 50}}],
}


@pytest.fixture(scope="module")
def holding() -> Result:
    return run_plan(check_plan(HOLDING), 1)


def test_profiles_that_play_the_same_are_named_and_counted_once(holding: Result) -> None:
    rows = holding.seat_advantage().set_index("profile")
    assert set(rows.loc[["twenty", "again"], "same_play"]) == {"twenty = again"}
    assert set(rows.loc[["fifteen"], "same_play"]) == {""}
    claim = holding.table("claims").iloc[0]
    assert claim["n_profiles"] == 2
    assert claim["same_play"] == "twenty = again"
    mine = rows[(rows["place"] == 1) & (rows["variant"] == claim["variant"])]["value"]
    assert claim["value"] == pytest.approx((mine["twenty"] + mine["fifteen"]) / 2)


def test_weights_that_are_stated_go_to_the_profile_that_is_counted() -> None:
    weights = {"twenty": 0.2, "again": 0.3, "fifteen": 0.5}
    found = run_plan(check_plan({**HOLDING, "population": weights}), 1)
    rows = found.seat_advantage().set_index("profile")
    claim = found.table("claims").iloc[0]
    mine = rows[(rows["place"] == 1) & (rows["variant"] == claim["variant"])]["value"]
    assert claim["value"] == pytest.approx(0.5 * mine["twenty"] + 0.5 * mine["fifteen"])


def test_profiles_that_play_otherwise_have_no_such_column() -> None:
    found = run_plan(check_plan({**HOLDING, "profile": HOLDING["profile"][1:]}), 1)
    assert "same_play" not in found.seat_advantage().columns


def test_what_differs_is_told_of_each_row(holding: Result) -> None:
    """The share of playouts in which this row's own number differs: a place wins or not, the length is another."""
    frame = holding.compare()
    mine = frame[frame["profile"] == "fifteen"].set_index("quantity")["differing"]
    assert mine["win share, place 1"] == mine["win share, place 2"] < mine["length"] <= 1
    lifts = frame[frame["unit"] == "points"]
    n, value = lifts["n_playouts"], lifts["value"] / 100
    assert (np.abs(value) <= lifts["differing"] + 1e-12).all()
    variance = (lifts["mcse"] / 100) ** 2 * (n - 1)  # whole wins: a pair that differs counts one
    assert np.allclose(variance + value**2, lifts["differing"])


def test_the_head_tells_what_was_played_and_a_row_what_tells_of_it() -> None:
    found = sim.play("pig", 200, policies=["hold_20", "hold_25"], seed=1)
    assert found.n_rows == 400  # two rotations
    assert set(found.win_share()["n_playouts"]) == {200}


def test_level_of_a_row_is_what_its_table_promises(holding: Result) -> None:
    for name in ("win_share", "seat_advantage", "comparisons", "length", "claims"):
        frame = holding.tables[name]
        assert set(frame["level"]) == {0.95}
        assert (frame["level_each"] > 0.95).all()


def test_a_plan_without_other_arms_does_not_speak_of_pairs() -> None:
    keys: dict[str, Any] = {"schema": 1, "question": "?", "game": "flip", "seats": 2, "playouts": 100}
    assert not check_plan({**keys, "items": "all", "item_estimands": ["deal", "held"]}).plays_other_arms
    assert check_plan({**keys, "items": "all", "item_estimands": ["deal", "grant"]}).plays_other_arms
    assert not check_plan(keys).plays_other_arms


def test_a_few_playouts_give_an_interval_that_is_possible_and_no_verdict() -> None:
    found = sim.play("pig", 2, vs={"goal": 90}, seats=4, seed=11)
    for name, low, high in (("seat_advantage", -25, 75), ("comparisons", -100, 100)):
        frame = found.tables[name]
        mine = frame[frame["verdict"].notna()]
        assert (mine["lower"] < mine["upper"]).all()
        assert (mine["lower"] >= low).all()
        assert (mine["upper"] <= high).all()
        assert mine["verdict"].str.startswith("no verdict").all()


@pytest.mark.compiled_only("6,000 playouts of flip")
def test_the_headline_of_an_item_is_relative_and_its_worth_stands_beside_it() -> None:
    keys: dict[str, Any] = {
        "schema": 1,
        "question": "How strong?",
        "game": "flip",
        "seats": 2,
        "seed": 2,
        "playouts": 1000,
        "paired_playouts": 1000,
        "profile": [{"name": "leader", "policies": ["leader"]}],
        "items": ["slones_pulse_rifle", "bush"],
        "item_estimands": ["deal", "ablation"],
        "variant": [{"name": "printed"}, {"name": "weak", "changes": {"cards.slones_pulse_rifle.amount": 1}}],
    }
    found = run_plan(check_plan(keys), 1)
    summary = found.table("item_summary").set_index(["variant", "item", "estimand"])
    deal = summary.loc[("printed", "slones_pulse_rifle", "deal lift")]
    assert (deal["benchmark"], deal["n_ranked"]) == ("relative", 2)
    assert abs(deal["shrunk"]) <= abs(deal["value"])
    assert 1 <= deal["rank_best"] <= deal["rank_worst"] <= 2
    worth = summary.loc[("printed", "slones_pulse_rifle", "ablation lift")]
    assert worth["benchmark"] == "absolute"
    compared = found.compare().set_index("quantity")
    share = compared.loc["share when dealt, slones_pulse_rifle"]
    attribution = compared.loc["attribution, slones_pulse_rifle"]
    assert attribution["value"] == -share["value"]
    assert (attribution["lower"], attribution["upper"]) == (-share["upper"], -share["lower"])
    assert attribution["lower"] < attribution["upper"]
