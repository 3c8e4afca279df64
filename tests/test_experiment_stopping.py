"""Runs that look and stop: at a precision, when verdicts are decided, at a cap; the same bytes however they are run."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import sim
from sim.engine.blocks import CELL
from sim.experiment import Plan, PlanError, check_plan
from sim.experiment.arms import settings
from sim.experiment.run import run_plan
from sim.experiment.stopping import StopError, look_counts
from sim.experiment.verdicts import NO_VERDICT, limit_that_would_do
from tests.support import pig_keys

FAST = [{"name": "five", "changes": {"goal": 5}}, {"name": "six", "changes": {"goal": 6}}]


def plan_of(**keys: Any) -> Plan:
    profile = [{"name": name, "policies": [name]} for name in ("hold_20", "hold_15")]
    return check_plan(pig_keys(profile=profile, variant=FAST) | keys)


def widest(result: sim.Result) -> float:
    """Return the largest half-width of the win shares and of their lifts, in points."""
    shares, lifts = result.win_share(), result.compare("win share")
    reaches = [100 * np.maximum(shares["upper"] - shares["value"], shares["value"] - shares["lower"])]
    reaches.append(np.maximum(lifts["upper"] - lifts["value"], lifts["value"] - lifts["lower"]))
    return float(max(reach.max() for reach in reaches))


def test_a_precision_is_reached_by_every_headline_number_at_the_first_look_that_does() -> None:
    result = run_plan(plan_of(precision=3.0), 1)
    stops = result.table("stops")
    assert widest(result) <= 3.0
    assert (stops["reason"] == "the precision is reached").all()
    assert stops["widest"].max() == pytest.approx(widest(result), rel=0.05)
    counts = list(look_counts(10**6))
    n = int(stops["stopped_at"].max())
    before = counts[counts.index(n) - 1]
    short = run_plan(plan_of(precision=3.0, most_playouts=2 * before), 1).table("stops")
    assert short["widest"].max() > 3.0
    assert "the most playouts were played" in set(short["reason"])
    assert short["n_more"].max() > 0


def test_a_variant_is_played_as_often_as_the_baseline() -> None:
    result = run_plan(plan_of(precision=4.0, paired_playouts=10), 1)
    assert len(set(result.length()["n_playouts"])) == 1


ONE_PROFILE = [{"name": "hold_20", "policies": ["hold_20"]}]


@pytest.mark.parametrize(
    "keys",
    [{"precision": 2.5}, {"until_decided": True, "margin": 3.2, "profile": ONE_PROFILE}],
    ids=lambda keys: next(iter(keys)),
)
def test_threads_interrupts_and_folders_change_no_byte(tmp_path: Path, keys: dict[str, Any]) -> None:
    plan = plan_of(**keys)
    whole = run_plan(plan, 2)
    n_told = 0

    def stop_later(_done: int, _total: int) -> None:
        nonlocal n_told
        n_told += 1
        if n_told == 3:
            raise KeyboardInterrupt

    stopped = run_plan(plan, 1, stop_later, folder=tmp_path / "results")
    assert stopped.is_partial
    resumed = run_plan(plan, 1, folder=tmp_path / "results")
    assert not resumed.is_partial
    assert resumed.result_hash == whole.result_hash
    for name in whole.tables:
        pd.testing.assert_frame_equal(resumed.table(name), whole.table(name))


def test_a_run_interrupted_after_a_finished_setting_does_not_play_it_again(tmp_path: Path) -> None:
    plan = plan_of(precision=4.0)
    first = int(run_plan(plan, 1).table("stops")["stopped_at"].iloc[0])
    n_rows = [0]

    def stop_in_the_second(done: int, _total: int) -> None:
        n_rows.append(done)
        if done > 2 * first:
            raise KeyboardInterrupt

    run_plan(plan, 1, stop_in_the_second, folder=tmp_path)
    again: list[int] = []
    run_plan(plan, 1, lambda done, _total: again.append(done), folder=tmp_path)
    assert again[0] > 2 * first


def test_every_verdict_is_decided_and_the_intervals_hold_at_every_look() -> None:
    result = run_plan(plan_of(until_decided=True, margin=10.0), 1)
    verdicts = [*result.seat_advantage()["verdict"], *result.compare("win share")["verdict"]]
    assert not any(verdict.startswith("undecided") for verdict in verdicts)
    assert set(result.table("stops")["reason"]) == {"every verdict is decided"}
    assert "95 % intervals that hold at every look" in result.answer
    assert "until every verdict is decided" in result.answer
    n = int(result.length()["n_playouts"].iloc[0])
    fixed = run_plan(plan_of(playouts=2 * n, paired_playouts=n, margin=10.0), 1)
    ours, theirs = result.seat_advantage().iloc[0], fixed.seat_advantage().iloc[0]
    assert ours["value"] == theirs["value"]
    assert ours["upper"] - ours["lower"] > 1.2 * (theirs["upper"] - theirs["lower"])


def test_what_stays_undecided_says_how_many_more_it_needs() -> None:
    result = run_plan(plan_of(until_decided=True, margin=2.0, most_playouts=2 * 1500), 1)
    stops = result.table("stops")
    assert set(stops["reason"]) == {"the most playouts were played"}
    assert (stops["stopped_at"] == 1500).all()
    assert (stops["n_undecided"] > 0).all()
    assert "undecided against the margin of 2 points (too close to tell how many more would settle it)" in result.answer


@pytest.mark.compiled_only("100,000 playouts")
def test_the_known_advantage_of_pigs_first_seat_is_decided_on_both_sides() -> None:
    """Who starts wins .534698 when both hold at 20: 3.47 points above a fair share."""
    for margin, word in ((3.0, "unbalanced"), (4.0, "balanced")):
        keys = {"profile": ONE_PROFILE, "variant": [{"name": "printed"}], "until_decided": True, "margin": margin}
        result = run_plan(plan_of(**keys))
        assert set(result.seat_advantage()["verdict"]) == {word}
        assert result.seat_advantage()["lower"].iloc[0] <= 3.4698 <= result.seat_advantage()["upper"].iloc[0]


@pytest.mark.compiled_only("tens of thousands of playouts of flip")
def test_the_item_of_the_answer_is_held_to_the_precision_and_other_items_are_not() -> None:
    result = run_plan(
        plan_of(
            game="flip",
            seats=4,
            precision=1.5,
            paired_playouts=2000,
            items=["slones_pulse_rifle", "bush"],
            answer={"kind": "item", "item": "slones_pulse_rifle"},
            profile=[{"name": "leader", "policies": ["leader"]}],
            variant=[{"name": "printed"}],
        )
    )
    frame = result.item_balance()
    granted = frame[frame["estimand"] == "grant lift"].set_index("item")
    reach = (granted["upper"] - granted["lower"]) / 2
    assert reach["slones_pulse_rifle"] <= 1.5
    assert reach["bush"] > 1.5
    assert granted.loc["bush", "n_playouts"] < 3000


def test_a_turn_limit_that_forbids_every_verdict_is_refused_with_one_that_would_do() -> None:
    cut = [{"name": "cut", "changes": {"goal": 20, "turn_limit": 10}}]
    with pytest.raises(StopError, match=r"cut, profile hold_20: .* hit the turn limit of 10, .* for a verdict") as told:
        run_plan(plan_of(variant=cut, until_decided=True), 1)
    enough = int(str(told.value).split("about ")[1].split()[0])
    freed = [{"name": "cut", "changes": {"goal": 20, "turn_limit": enough}}]
    result = run_plan(plan_of(variant=freed, playouts=3000), 1)
    assert result.length()["truncated"].max() <= 0.002
    shorter = [{"name": "cut", "changes": {"goal": 20, "turn_limit": 7}}]
    with pytest.raises(StopError, match="expected at most 1 % for a mean; a limit of about"):
        run_plan(plan_of(variant=shorter, precision=3.0), 1)


def test_the_limit_that_would_do_follows_the_rate_at_which_playouts_end() -> None:
    """A tenth of what goes on ends on each turn: 100 turns leave 0.9^100 of them."""
    alive = 1e9 * 0.9 ** np.arange(21)
    counts = [0, *np.round(-np.diff(alive)).astype(int)]
    counts[-1] += round(alive[-1])
    limit, enough = limit_that_would_do(counts, 0.9**20, 0.001, 1)
    assert limit == 20
    assert enough == math.ceil(math.log(0.001) / math.log(0.9))
    assert limit_that_would_do([0, 0, 0, 0, 50], 1.0, 0.001, 1) == (4, None)


def test_progress_foretells_and_never_runs_past_its_total() -> None:
    told: list[tuple[int, int]] = []
    result = run_plan(plan_of(precision=3.5), 1, lambda done, total: told.append((done, total)))
    assert all(done <= total for done, total in told)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == told[-1][1] == result.n_rows
    foreseen = sum(one.call.work(plan_of(precision=3.5).playouts_expected(2)) for one in settings(plan_of()))
    assert told[0][1] == pytest.approx(foreseen, rel=0.35)


def test_the_watcher_sees_setting_and_totals_after_every_block() -> None:
    seen: list[tuple[str, int]] = []
    run_plan(
        plan_of(precision=4.0), 1, watch=lambda setting, played: seen.append((setting.profile.name, played.n_playouts))
    )
    assert {name for name, _ in seen} == {"hold_20", "hold_15"}
    assert seen[0] == ("hold_20", CELL)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"precision": 1e-3}, "precision: found 0.001 points, which takes about 3.1e+10 playouts,"),
        ({"precision": 1e-3}, "expected at most 10,000,000,000 of them; 0.0018 points would do"),
        ({"until_decided": True, "margin": 1e-4}, "margin: found 0.0001 points, which takes about 3.1e+12 playouts"),
        ({"margin": 0.0}, "margin: found 0.0, expected 0.0001 or more and less than 100; no sample can show"),
        ({"margin": 1e-320}, "margin: found 1e-320, expected 0.0001 or more and less than 100"),
        ({"precision": 1e-320}, "precision: found 1e-320, expected 0.0001 or more and less than 100"),
        ({"level": 1.0}, "level: found 1.0, expected 0.5 to 0.999999; write 0.95 for 95 %"),
        ({"level": 0.9999999999999999}, "level: found 0.9999999999999999, expected 0.5 to 0.999999"),
        ({"level": 1e-9}, "level: found 1e-09, expected 0.5 to 0.999999"),
        ({"precision": 1.0, "until_decided": True}, "until_decided: found together with precision"),
        ({"precision": 1.0, "playouts": 10}, "playouts: found together with precision, expected one of the two"),
        ({"until_decided": True, "playouts": 10}, "playouts: found together with until_decided"),
        ({"most_playouts": 10}, "most_playouts: found without precision or until_decided"),
        ({"population": {"hold_2": 1.0}}, "population: found 'hold_2', expected one of hold_20, hold_15 (did you"),
        ({"population": {"hold_20": 0.5, "hold_15": 0.6}}, "population: found weights that sum to 1.1"),
        ({"population": {"hold_20": 1.0}}, "population: found no weight for hold_15"),
        ({"population": {"hold_20": 1.5, "hold_15": -0.5}}, "population.hold_15: found -0.5, expected 0 to 1"),
    ],
)
def test_what_cannot_be_is_refused_with_what_would_do(keys: dict[str, Any], told: str) -> None:
    with pytest.raises(PlanError) as caught:
        plan_of(**keys)
    assert told in str(caught.value)


def test_the_number_that_would_do_does() -> None:
    assert plan_of(precision=0.0018).precision == 0.0018


def test_the_face_plays_to_a_precision_and_until_decided() -> None:
    words: dict[str, Any] = {"seats": 2, "changes": {"goal": 5}, "seed": 7}
    assert widest_share(sim.play("pig", precision=3.0, **words)) <= 3.0
    decided = sim.play("pig", until_decided=True, margin=49.0, **words)
    assert set(decided.seat_advantage()["verdict"]) == {"balanced"}
    capped = sim.play("pig", 700, until_decided=True, margin=1.0, **words)
    assert capped.length()["n_playouts"].iloc[0] == 700


def widest_share(result: sim.Result) -> float:
    frame = result.win_share()
    return float(100 * (frame["upper"] - frame["value"]).max())


def test_claims_tell_mean_range_sign_and_verdict_over_the_profiles() -> None:
    population = {"hold_20": 0.25, "hold_15": 0.75}
    result = run_plan(plan_of(playouts=1200, paired_playouts=600, population=population, margin=8.0), 1)
    claims = result.table("claims")
    first = claims[(claims["quantity"] == "seat advantage, place 1") & (claims["variant"] == "five")].iloc[0]
    rows = result.seat_advantage()
    mine = rows[(rows["place"] == 1) & (rows["variant"] == "five")].set_index("profile")
    assert first["value"] == pytest.approx(0.25 * mine.loc["hold_20", "value"] + 0.75 * mine.loc["hold_15", "value"])
    assert first["mcse"] == pytest.approx(0.25 * mine.loc["hold_20", "mcse"] + 0.75 * mine.loc["hold_15", "mcse"])
    assert (first["smallest"], first["largest"]) == (mine["value"].min(), mine["value"].max())
    assert first["smallest_in"] == mine["value"].idxmin()
    assert first["at_least"] == mine["lower"].min()
    assert first["population"] == "hold_20 0.25, hold_15 0.75"
    assert first["baseline"] == "a fair share"
    lifts = claims[claims["quantity"].str.startswith("win share")]
    assert set(lifts["variant"]) == {"six"}
    assert set(lifts["baseline"]) == {"five"}


def test_one_profile_beyond_the_margin_makes_the_claim_and_all_within_unmake_it() -> None:
    profile = [{"name": "both", "policies": ["hold_20", "hold_20"]}, {"name": "one", "policies": ["hold_20", "random"]}]
    wide = run_plan(plan_of(profile=profile, variant=FAST[:1], playouts=6000, margin=45.0), 1).table("claims")
    assert set(wide["verdict"]) == {"balanced"}
    near = run_plan(plan_of(profile=profile, variant=FAST[:1], playouts=600, margin=26.0), 1).table("claims")
    assert set(near["verdict"]) == {"undecided"}
    beyond = run_plan(plan_of(variant=FAST[:1], playouts=600, margin=2.0), 1).table("claims")
    assert set(beyond["verdict"]) == {"unbalanced"}


def test_truncation_takes_the_verdict_from_claims() -> None:
    cut = [{"name": "cut", "changes": {"goal": 20, "turn_limit": 10}}]
    claims = run_plan(plan_of(variant=cut, playouts=600), 1).table("claims")
    assert set(claims["verdict"]) == {NO_VERDICT}


def test_the_place_that_the_answer_names_is_the_one_whose_number_it_tells() -> None:
    result = sim.play("pig", playouts=400, seats=3, seed=5)
    told = re.search(r"place (\d) is furthest from a fair share, by ([+-][\d.]+) points", result.answer)
    assert told is not None
    frame = result.seat_advantage()
    furthest = frame.loc[frame["value"].abs().idxmax()]
    assert (int(told[1]), told[2]) == (furthest["place"], f"{furthest['value']:+.1f}")
