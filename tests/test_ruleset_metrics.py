"""Metrics of whole rulesets: exact values of the duel, paired changes, and what a plan may ask."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from typer.testing import CliRunner

import sim
from sim import plots
from sim.cli.app import app
from sim.engine.blocks import Arm
from sim.engine.lineup import make_lineup
from sim.engine.replay import replay
from sim.engine.totals import order_products
from sim.experiment import PlanError, check_plan, choices, course_metrics, ruleset_metrics
from sim.experiment.bands import UNCOMPARED
from sim.experiment.checking import check
from sim.experiment.results import Result
from sim.experiment.run import run_plan
from sim.experiment.sample import Meter, Sample, features_of, take_sample
from sim.experiment.verdicts import ALIKE
from sim.games.pig.game import GAME as PIG
from sim.statistics import course
from sim.statistics.course import Course
from sim.statistics.sampled import mean_of
from sim.statistics.values import CrossFit, softmax
from tests.odds import duel_odds, pig_odds
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
    twice = [{"name": "one", "changes": {"goal": 20}}, {"name": "other", "changes": {"goal": 20}}]
    found = run_plan(pig_plan(variant=twice, metric_playouts=60), 1).ruleset_metrics()
    changes = found[found["against"] == "one"]
    assert set(changes["metric"]) >= {"drama", "lead changes", "decision density"}
    assert (changes[["value", "mcse"]] == 0).all(axis=None)
    assert set(changes["variant"]) == {"other"}


def test_seat_fairness_of_all_playouts_has_its_noise_floor() -> None:
    found = run_plan(pig_plan(estimands=["ruleset_metrics", "seat_advantage"]), 1)
    fairness = metrics_of(found).loc["seat fairness"]
    advantages = found.seat_advantage()["value"].abs()
    assert fairness.loc["largest advantage", "value"] == pytest.approx(advantages.max(), abs=1e-5)  # told to six digits
    assert fairness.loc["Ludii balance", "value"] == pytest.approx(1 - 2 * advantages.max() / 100)
    assert 0 < fairness.loc["noise floor, mean", "value"] < fairness.loc["noise floor, 95 %", "value"]


def test_recording_tells_how_far_it_is_from_the_first_playouts_to_the_last() -> None:
    told: list[tuple[int, int]] = []
    twice = [{"name": "one", "changes": {"goal": 20}}, {"name": "other", "changes": {"goal": 25}}]
    run_plan(pig_plan(variant=twice, metric_playouts=60), 1, recording=lambda *numbers: told.append(numbers))
    done, totals = zip(*told, strict=True)
    assert set(totals) == {ruleset_metrics.WORK_OF_METRICS * 60 * 2}
    assert list(done) == sorted(done)
    assert (done[0], done[-1]) == (60, totals[0])
    assert len(set(done)) > 2 * 20  # every group that is left out of either variant


def test_recorded_tables_are_made_only_if_they_are_asked_for() -> None:
    assert pig_plan().recorded_playouts == 0
    assert pig_plan(estimands=["calibration"]).recorded_playouts == 60
    assert pig_plan(playouts=10_000, estimands=["calibration"]).recorded_playouts == 2000
    assert pig_plan(playouts=10_000, metric_playouts=500).recorded_playouts == 500
    assert "ruleset_metrics" not in run_plan(pig_plan(), 1).tables


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"metric_playouts": 10}, "metric_playouts: found 10, expected 50 to 100,000"),
        ({"minutes_per_turn": [2.0, 1.0]}, "minutes_per_turn: found [2.0, 1.0], expected two numbers above 0"),
        (
            {"playouts": 20, "estimands": ["ruleset_metrics"]},
            "playouts: found 20 for each profile, expected at least 50",
        ),
    ],
)
def test_what_cannot_be_told_is_refused_before_anything_is_played(keys: dict[str, Any], told: str) -> None:
    with pytest.raises(PlanError) as caught:
        pig_plan(**keys)
    assert told in str(caught.value)


def test_a_game_without_a_story_has_no_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    add_duel(monkeypatch, story=None)
    with pytest.raises(PlanError, match="'ruleset_metrics' is not offered for duel, which tells no story"):
        duel_plan(items="none", estimands=["ruleset_metrics"])


def test_the_best_option_gains_nothing_over_itself_and_never_less() -> None:
    even = np.ones((2, 8))
    assert choices.gain_of(even) == (0, 0)
    better = np.stack([np.zeros(8), np.ones(8)])
    assert choices.gain_of(better) == (1, 0)
    assert choices.gain_of(better[::-1]) == (0, 0)
    none = np.zeros(2)
    gaps = choices.Gaps(none, np.array([0.2, 0.1]), np.array([-0.2, 0.1]), none, none, none, none)
    everything = np.ones(2, bool)
    assert gaps.best_over_random(everything).value == gaps.chosen_over_random(everything).value


def test_options_that_were_not_tried_are_stood_for_by_those_that_were() -> None:
    assert choices.chances_of(2, 2).tolist() == [0.5, 0.5]
    assert choices.chances_of(3, 11) == pytest.approx([1 / 11, 5 / 11, 5 / 11])


@pytest.mark.compiled_only(reason="a hundred thousand rollouts")
def test_what_options_of_pig_are_worth_is_exact() -> None:
    """Two seats that hold at 20: of these 600 decisions the best option is worth 2.3 points over a random one."""
    n_playouts = 600
    arm = Arm("pig", PIG.pack(PIG.load().resolve({})), make_lineup(PIG, ["hold_20"], 2), n_playouts)
    gaps = choices.sample_gaps(PIG, arm, 3, n_playouts)
    worth = pig_odds(100)[1]
    at = dict(zip(gaps.playout.tolist(), gaps.number.tolist(), strict=True))
    exact = np.array([worth_of_decision(arm, playout, number, worth) for playout, number in at.items()])
    best, chosen = gaps.best_over_random(np.ones(len(exact), bool)), gaps.chosen_over_random(np.ones(len(exact), bool))
    assert abs(chosen.value - exact[:, 1].mean()) < FAR * (gaps.policy - exact[:, 1]).std() / np.sqrt(len(exact))
    assert abs(best.value - exact[:, 0].mean()) < FAR * best.mcse
    assert best.value >= chosen.value


def worth_of_decision(arm: Arm, playout: int, number: int, worth: Any) -> tuple[float, float]:
    """Return what the best and what the chosen option of a decision are worth over a random one."""
    scores, total, place = [0, 0], 0, -1
    for kind, seat, _, second, _ in replay(PIG, arm.rules, arm.lineup, 3, playout).events:
        event = PIG.events[kind]
        if event == "ROLL":
            total = second
        if event == "HOLD":
            scores[seat] = second
        place += event == "DECISION"
        if event == "DECISION" and place == number:
            options = worth(scores[seat], scores[1 - seat], total)
            return max(options) - sum(options) / 2, options[second] - sum(options) / 2
    raise AssertionError


@pytest.mark.compiled_only(reason="a million rollouts")
def test_metrics_of_chances_are_exact_by_rollouts_where_the_value_function_is_off() -> None:
    n_playouts, seats, hp = 2000, 4, 3
    sample = duel_sample(n_playouts, seats, start_hp=hp, hit_faces=3, prize_faces=0)
    positions, told, odds = sample.positions, sample.told, duel_odds(seats, hp, 1 / 2)
    chances = [odds[tuple(positions.values[one, :, 0]), positions.next_seat[one]] for one in told]
    exact = course_metrics.numbers_of(replace(sample.course, chances=np.array(chances)))
    values = exact.told(np.ones(n_playouts, bool))
    rolled = course_metrics.roll_course(DUEL, duel_arm(n_playouts, seats, hp), 11, sample, Meter(0), 0)
    found = course_metrics.course_metrics(sample.course, sample.fit, np.arange(n_playouts), rolled)
    metrics = {(one.name, one.part, one.unit): one.estimate() for one in found}
    for key in (*course_metrics.OF_EACH_PLAYOUT, course_metrics.TURNED_RANKS):
        assert abs(metrics[key].value - values[key]) < FAR * metrics[key].mcse, key
    name, part, unit = "drama", "lead over the winner", "chance"
    by_v, less = metrics[name, f"{part}, by V", unit], metrics[name, f"{part}, V less rollouts", unit]
    assert by_v.value < values[name, part, unit] - FAR * by_v.mcse  # what no calibration shows
    assert less.upper < 0
    assert less.value == pytest.approx(by_v.value - metrics[name, part, unit].value)
    assert metrics[name, part, unit].mcse < 0.005


def test_rows_by_v_stand_beside_those_by_rollouts_from_enough_playouts_on() -> None:
    assert course_metrics.n_rolled(249) == 0
    assert course_metrics.n_rolled(250) == 20
    assert course_metrics.n_rolled(2000) == 160
    assert course_metrics.plain_part("dead tail, by V") == "dead tail"
    assert course_metrics.plain_part("of a turn, V less rollouts") == "of a turn"


def test_every_row_has_an_error_or_says_why_not() -> None:
    found = run_plan(pig_plan(metric_playouts=60), 1).ruleset_metrics()
    without = found[found["mcse"].isna()]
    assert set(without["part"]) == {"noise floor, mean", "noise floor, 95 %", "chi-square, p"}
    assert without["note"].str.startswith("no estimate").all()
    assert (found["lower"].fillna(0) <= found["upper"].fillna(0)).all()


@pytest.mark.compiled_only(reason="thousands of rollouts")
def test_the_policy_random_gains_nothing_over_a_random_option_and_a_sensible_one_does() -> None:
    rules = PIG.pack(PIG.load().resolve({"goal": 50}))
    for name, gains in (("random", False), ("hold_20", True)):
        arm = Arm("pig", rules, make_lineup(PIG, [name], 2), 400)
        gaps = choices.sample_gaps(PIG, arm, 7, 400)
        error = gaps.policy.std() / np.sqrt(len(gaps.policy))
        assert bool(gaps.policy.mean() > FAR * error) is gains
        assert abs(gaps.policy.mean()) < FAR * error or gains
        assert set(gaps.kind) == {0}


def test_calibration_has_a_figure_with_the_diagonal(tmp_path: Path) -> None:
    result = run_plan(pig_plan(estimands=["calibration"]), 1)
    figure = result.plot_calibration()
    assert len(figure.axes) == 1
    assert figure.axes[0].get_xlim() == figure.axes[0].get_ylim()
    folder = result.save(tmp_path / "results")
    assert (folder / "figures" / "calibration.svg").exists()
    again = Result.load(folder)
    pd.testing.assert_frame_equal(again.calibration(), result.calibration())
    with pytest.raises(ValueError, match="nothing to draw"):
        plots.calibration(pd.DataFrame())


def test_notebooks_and_the_command_line_ask_by_name() -> None:
    found = sim.play("pig", playouts=60, seats=2, policies="hold_20", changes={"goal": 20}, metrics=True)
    assert found.ruleset_metrics()["value"].notna().all()
    assert not found.calibration().empty
    told = CliRunner().invoke(
        app,
        [
            "play",
            "pig",
            "-n",
            "60",
            "--set",
            "goal=20",
            "--seats",
            "2",
            "--seed",
            "7",
            "--table",
            "ruleset_metrics",
            "--json",
        ],
    )
    assert told.exit_code == 0, told.stderr
    metrics = {row["metric"] for row in json.loads(told.stdout)["tables"]["ruleset_metrics"]}
    assert metrics >= {"drama", "comeback", "action gap", "skill share", "minutes"}


def test_products_of_places_are_those_of_shared_wins_only() -> None:
    order = np.array([[[0, 1], [1, 0], [0, 1]]])
    payoff = np.array([[[840, 0], [420, 420], [0, 0]]])
    products = order_products(payoff, order, np.array([True, True, False]))
    assert products.tolist() == [[0, 420 * 420], [420 * 420, 0]]
    both = np.concatenate([payoff, payoff[:, :, ::-1]])
    assert order_products(both, np.concatenate([order, order]), np.array([True, False, False])).tolist() == [
        [0, 840 * 840],
        [840 * 840, 0],
    ]


def test_rotations_that_share_a_win_count_in_the_fairness_of_seats() -> None:
    profile = [{"name": "mixed", "policies": ["hold_20", "hold_15"]}]
    found = run_plan(pig_plan(profile=profile, estimands=["ruleset_metrics", "seat_advantage"]), 1)
    fairness = metrics_of(found).loc["seat fairness"]
    assert fairness.loc["largest advantage", "value"] == pytest.approx(found.seat_advantage()["value"].abs().max())
    assert fairness.loc["sum of squared advantages", "mcse"] > 0


def test_metrics_may_have_bands_and_changes_are_only_meant_if_they_are_named() -> None:
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
