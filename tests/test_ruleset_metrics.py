"""Metrics of whole rulesets: exact values of the duel, paired changes, and what a plan may ask."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sim.engine.blocks import Arm
from sim.engine.lineup import make_lineup
from sim.engine.replay import replay
from sim.experiment import check_plan, course_metrics
from sim.experiment.bands import UNCOMPARED
from sim.experiment.checking import check
from sim.experiment.results import Result
from sim.experiment.run import run_plan
from sim.experiment.sample import Sample, features_of, take_sample
from sim.experiment.verdicts import ALIKE
from sim.statistics import course
from sim.statistics.course import Course
from sim.statistics.sampled import mean_of
from sim.statistics.values import CrossFit, softmax
from tests.toys.duel.game import GAME as DUEL
from tests.toys.support import add_duel, duel_plan

FAR = 4  # standard errors
PLAIN = {"cards.sword.effect": "blank"}


def pig_plan(**keys: Any) -> Any:
    found: dict[str, Any] = {
        "schema": 1,
        "question": "How does it go?",
        "game": "pig",
        "seats": 2,
        "seed": 7,
        "playouts": 60,
        "profile": [{"name": "hold", "policies": ["hold_20"]}],
        "variant": [{"name": "short", "changes": {"goal": 20}}],
    }
    return check_plan(found | keys)


def duel_sample(n_playouts: int, seats: int = 2, **changes: Any) -> Sample:
    ruleset = DUEL.load().resolve({**PLAIN, **changes})
    arm = Arm("duel", DUEL.pack(ruleset), make_lineup(DUEL, ["random"], seats), n_playouts)
    return take_sample(DUEL, arm, ruleset, 11, n_playouts)


def duel_arm(n_playouts: int, seats: int, start_hp: int) -> Arm:
    changes = {**PLAIN, "start_hp": start_hp, "hit_faces": 3, "prize_faces": 0}
    return Arm("duel", DUEL.pack(DUEL.load().resolve(changes)), make_lineup(DUEL, ["random"], seats), n_playouts)


def metrics_of(result: Result) -> pd.DataFrame:
    frame = result.ruleset_metrics()
    return frame[frame["against"] == UNCOMPARED].set_index(["metric", "part"])


def test_positions_are_what_the_events_tell() -> None:
    sample = duel_sample(3, seats=3)
    positions = sample.positions
    for number in range(3):
        arm = make_lineup(DUEL, ["random"], 3)
        recording = replay(DUEL, DUEL.pack(DUEL.load().resolve(PLAIN)), arm, 11, number)
        hp, alive, turns = [2, 2, 2], [True] * 3, [([2, 2, 2], [True] * 3)]
        movers = []
        for kind, seat, first, *_ in recording.events:
            if DUEL.events[kind] == "TURN":
                turns.append((hp, alive))
                movers.append(seat)
            if DUEL.events[kind] == "HP":
                hp = [value + first * (place == seat) for place, value in enumerate(hp)]
            if DUEL.events[kind] == "FALL":
                alive = [value and place != seat for place, value in enumerate(alive)]
            turns[-1] = (hp, alive)
        here = positions.playout == number
        assert positions.values[here, :, 0].tolist() == [one for one, _ in turns]
        assert positions.alive[here].tolist() == [one for _, one in turns]
        assert positions.next_seat[here].tolist() == [*movers, -1]
        assert positions.length[number] == len(movers)


def test_happened_adds_up_to_the_final_hp() -> None:
    sample = duel_sample(20, seats=3)
    happened, last = sample.happened, np.flatnonzero(~sample.positions.is_open)
    left = sample.positions.values[last, :, 0].sum(axis=1)
    assert (happened.lost == 6 - left).all()
    assert (happened.drift.sum(axis=(1, 2)) == left - 6).all()
    assert (happened.lost_to_others == happened.lost).all()
    assert (happened.turns.sum(axis=1) == sample.positions.length).all()
    assert (happened.decisions == 0).all()


def test_features_tell_who_moves_next_among_those_still_in() -> None:
    sample = duel_sample(5, seats=3)
    features = features_of(sample.positions, sample.told)
    before = features[:, :, 1]  # behind hp
    is_next = before == 0
    seats = np.arange(3)
    assert (is_next[np.arange(len(before)), sample.positions.next_seat[sample.told]]).all()
    assert before.max() <= 2
    assert ((before < 3) & (seats < 3)).all()


def exact_chances() -> dict[tuple[int, int], float]:
    """Return the chance of who moves next in the plain duel of two, by own HP and the other's."""
    hit = 2 / 6
    wins = {(mine, theirs): 0.5 for mine in (1, 2) for theirs in (1, 2)}
    for _ in range(500):
        wins = {
            (mine, theirs): (1 - hit) * (1 - wins[theirs, mine])
            + hit * (1.0 if theirs == 1 else 1 - wins[theirs - 1, mine])
            for mine, theirs in wins
        }
    return wins


@pytest.mark.compiled_only(reason="4,000 recorded playouts")
def test_chances_of_the_duel_are_the_exact_ones() -> None:
    sample = duel_sample(4000)
    wins = exact_chances()
    hp, mover = sample.positions.values[sample.told, :, 0], sample.positions.next_seat[sample.told]
    exact = np.array([wins[int(own[seat]), int(own[1 - seat])] for own, seat in zip(hp, mover, strict=True)])
    told = sample.fit.chances[np.arange(len(mover)), mover]
    assert np.abs(told - exact).max() < 0.03
    assert np.abs(told - exact).mean() < 0.015


@pytest.mark.compiled_only(reason="thousands of recorded playouts")
def test_metrics_of_the_duel_are_the_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    add_duel(monkeypatch)
    variant = [{"name": "duel", "changes": {**PLAIN, "start_hp": 3}}]
    keys = {"items": "none", "estimands": ["ruleset_metrics", "calibration"], "metric_playouts": 4000}
    found = run_plan(duel_plan(seats=3, playouts=4000, variant=variant, **keys), 2)
    metrics = metrics_of(found)
    exact = {
        ("interaction", "attacks"): 2 / 6,
        ("hp drift", "all sources, 3 alive"): -3 * 2 / 6,
        ("hp drift", "hit, 2 alive"): -2 * 2 / 6,
    }
    for key, value in exact.items():
        assert abs(metrics.loc[key, "value"] - value) < FAR * metrics.loc[key, "mcse"], key
    assert metrics.loc[("interaction", "lost by others' doing"), "value"] == 1
    assert metrics.loc[("completion", "ended by the rules"), "value"] == 1
    assert metrics.loc[("decision density", "turns with a choice"), "value"] == 0
    assert 0 < metrics.loc[("idle time", "mean of all seats"), "value"] < 1 / 3
    assert metrics.loc[("idle time", "who fell first"), "value"] == pytest.approx(
        3 * metrics.loc[("idle time", "mean of all seats"), "value"]
    )
    length = metrics.loc[("length", "mean"), "value"]
    minutes = metrics.loc[("minutes", "mean at 1.5 minutes a turn (assumed)"), "value"]
    assert minutes == pytest.approx(1.5 * length)
    bins = found.calibration()
    assert ((bins["lower"] <= bins["predicted"]) & (bins["predicted"] <= bins["upper"])).mean() >= 0.7


def test_metrics_need_no_playouts_but_the_plans_own_and_are_the_same_every_time() -> None:
    plan = pig_plan(estimands=["length", "ruleset_metrics", "calibration"], metric_playouts=60)
    one, other = run_plan(plan, 1), run_plan(plan, 2)
    assert list(one.tables) == ["length", "ruleset_metrics", "calibration"]
    pd.testing.assert_frame_equal(one.ruleset_metrics(), other.ruleset_metrics())
    pd.testing.assert_frame_equal(one.calibration(), other.calibration())
    assert one.result_hash == run_plan(pig_plan(estimands=["length"]), 1).result_hash
    assert set(one.ruleset_metrics("drama")["metric"]) == {"drama"}


def test_a_change_is_paired_with_the_baseline_and_that_of_equal_rules_is_nothing() -> None:
    goals = {"one": 20, "twin": 20, "longer": 22}
    variants = [{"name": name, "changes": {"goal": goal}} for name, goal in goals.items()]
    about = {"table": "ruleset_metrics", "metric": "lead changes", "part": "of a playout"}
    bands = [
        {"name": "exciting", **about, "lower": 0.1},
        {"name": "twin", **about, "against": "one", "variant": "twin", "lower": -0.5, "upper": 0.5},
        {"name": "longer", **about, "against": "one", "variant": "longer", "lower": -5, "upper": 5},
    ]
    checks = check(run_plan(pig_plan(variant=variants, metric_playouts=60, band=bands), 1))
    assert [str(one.place) for one in checks] == ["pass", "undecided", "pass"]
    assert [len(one.rows) for one in checks] == [3, 1, 1]
    assert checks[1].rows[0].reason == ALIKE


SHIFT, N_TURNS, N_IDLE = 1.0, 4, 5


def drawn_course(n: int, seed: int) -> tuple[np.ndarray, Course]:
    """Return features of positions of three seats, and the course of the playouts in chances that are true.

    Who is to win has more of the first feature. Of normal features that differ by `SHIFT` between who wins and who does
    not, the conditional logit with the weight `SHIFT` is the truth (Bayes); the other features tell nothing.
    """
    payoff = np.eye(3)[stats.randint.rvs(0, 3, size=n, random_state=seed)]
    features = stats.norm.rvs(size=(n * N_TURNS, 3, N_IDLE + 1), random_state=seed)
    features[:, :, 0] += SHIFT * payoff.repeat(N_TURNS, axis=0)
    is_in = np.ones((n * N_TURNS, 3), bool)
    chances = softmax(SHIFT * features[:, :, 0], is_in)
    return features, Course(chances, is_in, N_TURNS * np.arange(n), np.full(n, N_TURNS), payoff, np.zeros((n, 3)))


@pytest.mark.compiled_only("a thousand fits of value functions; no kernel is run")
def test_intervals_of_metrics_by_fitted_chances_cover_what_the_true_chances_tell() -> None:
    _, true = drawn_course(100_000, 1)
    truth = course_metrics.numbers_of(true).told(np.ones(100_000, bool))
    n_sets, n = 120, 500
    inside = dict.fromkeys(truth, 0)
    as_fitted = 0
    for seed in range(n_sets):
        features, played = drawn_course(n, seed + 2)
        fit = CrossFit(features, played.is_in, played.payoff[played.playout], played.playout)
        for one in course_metrics.course_metrics(replace(played, chances=fit.chances), fit, np.arange(n)):
            found = one.estimate()
            inside[one.name, one.part, one.unit] += found.lower <= truth[one.name, one.part, one.unit] <= found.upper
        alone = mean_of(course.uncertainty(replace(played, chances=fit.chances)))
        as_fitted += alone.lower <= truth["uncertainty", "entropy of the chances", "1 open"] <= alone.upper
    least = 0.95 - 3 * math.sqrt(0.95 * 0.05 / n_sets)
    assert {key: count / n_sets for key, count in inside.items() if count / n_sets < least} == {}
    assert as_fitted / n_sets < 0.7
