"""Tables: their columns, their identities, and exact values through the whole way from plan to table."""

import math
from typing import Any

import numpy as np
import pytest

from sim.engine.blocks import CELL
from sim.experiment import check_plan
from sim.experiment.arms import settings
from sim.experiment.results import Result
from sim.experiment.run import run_plan
from sim.experiment.verdicts import ALIKE, NO_VERDICT
from tests.support import pig_keys

ESTIMATE = ["value", "mcse", "lower", "upper", "level", "n_playouts"]
KEYS = {
    "win_share": ["variant", "seats", "profile", "seat", "policy"],
    "policy_share": ["variant", "seats", "profile", "policy", "n_seats"],
    "seat_advantage": ["variant", "seats", "profile", "place", "verdict"],
    "length": [
        "variant",
        "seats",
        "profile",
        "sd",
        "quantile_5",
        "quantile_50",
        "quantile_95",
        "truncated",
        "limit_needed",
    ],
    "comparisons": ["variant", "baseline", "seats", "profile", "quantity", "unit", "differing"],
    "decisions": ["variant", "seats", "profile", "decision"],
}
SWORD = {
    "start_hp": 3,
    "hp_cap": 15,
    "movement": "none",
    "sight": "everybody",
    "placement": "all_on_go",
    "action_die": {"med_mist": 0, "crosshairs": 3, "boogie_bomb": 0, "storm_surge": 0, "blank": 3},
}


def pig_result(**keys: Any) -> Result:
    found = pig_keys(
        playouts=2 * CELL + 76,
        profile=[{"name": "mixed", "policies": ["hold_20", "hold_15"]}],
        variant=[{"name": "short", "changes": {"goal": 20}}, {"name": "longer", "changes": {"goal": 25}}],
    )
    return run_plan(check_plan(found | keys), 1)


@pytest.fixture(scope="module")
def result() -> Result:
    return pig_result()


@pytest.mark.parametrize("name", KEYS)
def test_every_estimate_has_its_six_columns_and_its_names(result: Result, name: str) -> None:
    frame = result.tables[name]
    assert set(frame.columns) >= {*KEYS[name], *ESTIMATE}
    told = frame.dropna(subset=["value", "lower"])
    assert len(told) == len(frame)
    assert ((told["lower"] <= told["value"]) & (told["value"] <= told["upper"])).all()


def test_shares_sum_to_one_over_the_seats_of_a_variant_and_profile(result: Result) -> None:
    sums = result.win_share().groupby(["variant", "profile"])["value"].sum()
    assert np.allclose(sums, 1)
    advantages = result.seat_advantage().groupby(["variant", "profile"])["value"].sum()
    assert np.allclose(advantages, 0)


def test_the_seat_of_a_mixed_line_up_is_its_policy_whatever_the_rotation(result: Result) -> None:
    by_seat = result.win_share().set_index(["variant", "policy"])["value"]
    by_policy = result.policy_share().set_index(["variant", "policy"])["value"]
    assert by_seat.to_dict() == by_policy.to_dict()


def test_a_line_up_in_rotation_gives_one_policy_the_same_share_in_every_seat() -> None:
    profile = [{"name": "two", "policies": ["hold_20", "random", "hold_20"]}]
    frame = pig_result(seats=3, profile=profile, playouts=300).policy_share()
    assert frame["n_seats"].tolist() == [2, 1] * 2
    assert (frame["value"] * frame["n_seats"]).groupby(frame["variant"]).sum().tolist() == pytest.approx([1, 1])


def test_lift_of_the_length_is_the_difference_of_the_lengths(result: Result) -> None:
    means = result.length().set_index("variant")["value"]
    lift = result.compare("length").iloc[0]
    assert lift["value"] == pytest.approx(means["longer"] - means["short"])
    assert lift["variance_reduction"] > 1


def test_equal_variants_have_no_lift_and_no_discordant_playout() -> None:
    twice = [{"name": "one", "changes": {"goal": 20}}, {"name": "other", "changes": {"goal": 20}}]
    frame = pig_result(variant=twice, playouts=600).compare()
    assert (frame[["value", "mcse", "differing"]] == 0).all(axis=None)
    assert (frame["lower"] < 0).all()
    assert (frame["upper"] > 0).all()
    assert set(frame["verdict"].dropna()) == {ALIKE}


def test_a_tally_has_an_error_once_there_are_two_cells(result: Result) -> None:
    frame = result.decisions()
    assert (frame["mcse"] > 0).all()
    few = pig_result(playouts=CELL, variant=[{"name": "short", "changes": {"goal": 20}}]).decisions()
    assert few["value"].gt(0).all()
    assert few["mcse"].isna().all()


def test_truncated_playouts_forbid_verdict_and_mean() -> None:
    cut = [{"name": "cut", "changes": {"goal": 100, "turn_limit": 18}}]
    some = pig_result(variant=cut, playouts=600)
    shares = some.win_share()
    assert shares["truncated"].iloc[0] > 0.01
    assert np.allclose(shares["best_case"] - shares["worst_case"], shares["truncated"])
    assert np.allclose(shares["value"].sum(), 1)
    assert (some.seat_advantage()["verdict"] == NO_VERDICT).all()
    assert math.isnan(some.length()["value"].iloc[0])
    assert "nan" not in some.answer
    needed = some.length()["limit_needed"].iloc[0]
    assert some.answer.endswith(f"for a verdict; a limit of about {needed:,.0f} turns would do.")
    freed = pig_result(variant=[{"name": "cut", "changes": {"goal": 100, "turn_limit": int(needed)}}], playouts=600)
    assert freed.length()["truncated"].iloc[0] < 0.005
    assert "turn limit" not in pig_result(playouts=600).answer


def test_playouts_that_are_all_truncated_are_told_with_the_reason() -> None:
    cut = [{"name": "cut", "changes": {"goal": 100, "turn_limit": 2}}]
    told = "100 % of the playouts of cut under mixed hit the turn limit, expected at most 0.1 % for a verdict; "
    assert pig_result(variant=cut, playouts=60).answer.startswith(told)
    asked = pig_result(variant=cut, playouts=60, answer={"kind": "length"}).answer
    assert asked.startswith("Too many playouts were truncated for a mean length. (")
    assert told in asked


def test_estimands_choose_the_tables() -> None:
    assert list(pig_result(playouts=100, estimands=["length", "win_share"]).tables) == ["win_share", "length"]


def test_quantiles_and_spread_come_from_the_playouts_themselves(result: Result) -> None:
    row = result.length().iloc[0]
    assert row["quantile_5"] <= row["quantile_50"] <= row["quantile_95"]
    assert row["sd"] > 0


@pytest.mark.compiled_only(reason="100,000 playouts")
def test_the_first_player_of_pig_wins_as_often_as_the_recursion_says() -> None:
    found = pig_result(
        seats=2,
        playouts=100_000,
        variant=[{"name": "printed"}],
        profile=[{"name": "hold", "policies": ["hold_20"]}],
    )
    first = found.win_share().iloc[0]
    assert abs(first["value"] - 0.534698) < 4 * first["mcse"]


def flip_plan(**keys: Any) -> Any:
    found: dict[str, Any] = {
        "schema": 1,
        "question": "How strong is it?",
        "game": "flip",
        "seats": 2,
        "seed": 7,
        "profile": [{"name": "leader", "policies": ["leader"]}],
        "items": "all",
    }
    return check_plan(found | keys)


def sword_changes() -> dict[str, Any]:
    """Return rules of a duel with 3 HP: half of the rolls hit for 1, the Sword for 2; three cards are blank."""
    components = settings(flip_plan())[0].rulesets["printed"]
    changes: dict[str, Any] = dict(SWORD)
    changes["cards"] = {row["card"]: {"copies": 0} for row in components.tables["cards"]}
    changes["cards"]["slones_pulse_rifle"] = {"copies": 1, "amount": 2}
    changes["cards"]["placebo"] = {"copies": 3}
    changes["loadouts"] = {row["loadout"]: {"copies": 0} for row in components.tables["loadouts"]}
    return changes


@pytest.mark.compiled_only(reason="60,000 playouts")
def test_deal_grant_and_ablation_lift_of_the_sword_are_exact() -> None:
    """Method.md 2.1: deal lift 28/81, ablation lift 7/27; a grant against a blank is the latter."""
    variant = [{"name": "duel", "changes": sword_changes()}]
    found = run_plan(flip_plan(variant=variant, playouts=30_000, items=["slones_pulse_rifle"]))
    lifts = found.item_balance().set_index("estimand")
    for name, exact in (("deal lift", 28 / 81), ("grant lift", 7 / 27), ("ablation lift", 7 / 27)):
        assert abs(lifts.loc[name, "value"] - 100 * exact) < 4 * lifts.loc[name, "mcse"], name
    shares = found.table("item_share").iloc[0]
    assert abs(shares["value"] - 41 / 54) < 4 * shares["mcse"]


@pytest.mark.compiled_only(reason="thousands of playouts in each of a dozen arms")
def test_an_item_that_does_nothing_has_exactly_no_grant_and_no_ablation_lift() -> None:
    changes = {"cards": {"placebo": {"copies": 1}}}
    variant = [{"name": "with", "changes": changes}]
    found = run_plan(flip_plan(variant=variant, seats=4, playouts=4000, items=["placebo", "bush"]))
    frame = found.item_balance().set_index(["item", "estimand"])
    for estimand in ("grant lift", "ablation lift"):
        assert (frame.loc[("placebo", estimand), ["value", "mcse"]] == 0).all()
        assert frame.loc[("bush", estimand), "mcse"] > 0
    assert set(found.item_summary()["sign"]) == {"one profile"}


@pytest.mark.compiled_only(reason="thousands of playouts in each arm")
def test_grants_take_the_playouts_that_were_dealt_the_item_from_the_other_arms() -> None:
    plan = flip_plan(seats=4, playouts=4000, paired_playouts=4000, items=["bush", "honey_hitters"])
    found = run_plan(plan)
    frame = found.item_balance().set_index(["item", "estimand"])
    assert frame.loc[("bush", "grant lift"), "n_playouts"] == 4000
    assert frame.loc[("bush", "ablation lift"), "n_playouts"] == 4000
    assert 800 < frame.loc[("bush", "ablation lift"), "n_with_item"] < 1200
    dealt_always = frame.loc["honey_hitters"]
    assert dealt_always.loc["grant lift", "value"] == pytest.approx(dealt_always.loc["ablation lift", "value"])


@pytest.mark.compiled_only(reason="thousands of playouts in each arm")
def test_a_variant_of_one_item_has_its_own_ablation_lift_paired_with_the_same_blanks() -> None:
    weaker = {"variant": "pulse_rifle_damage_2"}
    variants = [{"name": "printed"}, {"name": "weaker", "changes": weaker}]
    found = run_plan(flip_plan(seats=4, playouts=2000, variant=variants, items=["slones_pulse_rifle"]))
    ablation = found.item_balance().query("estimand == 'ablation lift'").set_index("variant")["value"]
    moved = found.compare("share when dealt, slones_pulse_rifle")["value"].iloc[0]
    assert ablation["weaker"] - ablation["printed"] == pytest.approx(moved)


@pytest.mark.compiled_only(reason="thousands of playouts")
def test_flip_tells_flows_landings_uses_and_counts() -> None:
    found = run_plan(flip_plan(seats=4, playouts=3000, items="none"))
    flows = found.flows().set_index("source")["value"]
    assert flows["crosshairs"] < 0 < flows["med_mist"]
    assert abs(flows["honey_hitters"]) < abs(flows["toll"])
    assert set(found.spaces()["quantity"]) == {"landings", "losses"}
    assert (found.spaces().query("quantity == 'landings'")["value"] > 0).all()
    assert found.uses().set_index("item")["value"]["slones_pulse_rifle"] > 0
    counts = found.table("counts")
    assert counts["value"].is_monotonic_decreasing
    assert counts["value"].iloc[0] == 1


@pytest.mark.compiled_only(reason="thousands of playouts in each arm")
def test_a_grant_lift_has_the_pairs_asked_for_and_most_of_them_from_the_deal() -> None:
    found = run_plan(flip_plan(seats=4, playouts=16_000, paired_playouts=2000, items=["bush"]))
    frame = found.item_balance().set_index("estimand")
    assert 2000 <= frame.loc["grant lift", "n_playouts"] < 2300
    assert frame.loc["ablation lift", "n_playouts"] == 7200
    assert 0.82 < frame.loc["ablation lift", "n_with_item"] / frame.loc["grant lift", "n_playouts"] < 0.9
