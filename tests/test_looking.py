"""Looking and stopping, simulated: intervals cover as often as they say, also where looks decide when to stop."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import special, stats

from sim.engine.blocks import Arm, play_rows
from sim.engine.contract import WHOLE_WIN
from sim.engine.lineup import make_lineup
from sim.experiment.stopping import look_counts
from sim.experiment.verdicts import Intervals
from sim.games import get
from sim.statistics.balance import Balance, verdict
from sim.statistics.estimate import Estimate, SampleSums, mean, share
from sim.statistics.paired import PairedSums, lift
from sim.statistics.sequential import asymptotic_reach, at_every_look, beta_binomial_sequence, share_sequence

N_RUNS = 1000
LOOK_EVERY = 100
N_LOOKS = 100


def within_binomial_error(n_hits: int, n: int, chance: float) -> bool:
    """Tell whether a count is as likely as not to be this far from its mean: four standard errors."""
    return abs(n_hits - n * chance) <= 4 * math.sqrt(n * chance * (1 - chance))


def looked_at(share_of_wins: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return wins of 1,000 runs at each of 100 looks, and the playouts there."""
    wins = stats.binom.rvs(LOOK_EVERY, share_of_wins, size=(N_RUNS, N_LOOKS), random_state=seed).cumsum(axis=1)
    return wins, LOOK_EVERY * np.arange(1, N_LOOKS + 1)


def ever_missed(wins: np.ndarray, n: np.ndarray, true: float, level: float) -> tuple[int, int]:
    """Return in how many runs some look misses the truth: by the sequence, and by the naive interval."""
    evidence = special.betaln(1 + wins, 1 + n - wins) - special.xlogy(wins, true) - special.xlog1py(n - wins, -true)
    is_outside = evidence >= -math.log(1 - level)
    naive = np.abs(wins / n - true) > special.ndtri(1 - (1 - level) / 2) * np.sqrt(true * (1 - true) / n)
    return int(is_outside.any(axis=1).sum()), int(naive.any(axis=1).sum())


@pytest.mark.parametrize(("true", "seed"), [(0.25, 71), (0.5, 72)])
def test_peeking_every_100_playouts_leaves_the_99_percent_sequence_right_and_the_naive_interval_wrong(
    true: float, seed: int
) -> None:
    wins, n = looked_at(true, seed)
    assert ever_missed(wins, n, true, 0.99)[0] <= 0.01 * N_RUNS
    assert ever_missed(wins, n, true, 0.95)[1] >= 0.30 * N_RUNS


def test_the_evidence_of_the_test_is_that_of_the_sequence() -> None:
    sequence = beta_binomial_sequence(28, 100, 0.99)
    wins, n = np.array([[28]]), np.array([100])
    inside, outside = sequence.upper - 1e-6, sequence.upper + 1e-6
    assert ever_missed(wins, n, inside, 0.99)[0] == 0
    assert ever_missed(wins, n, outside, 0.99)[0] == 1


def test_the_sequence_for_large_samples_holds_over_the_looks_of_a_plan() -> None:
    counts = np.array(list(look_counts(100_000)))
    true, level = 0.03, 0.95
    steps = np.diff(counts, prepend=0)
    size = N_RUNS, len(counts)
    gained = stats.binom.rvs(steps, 0.15 / 2 + true / 2, size=size, random_state=73).cumsum(axis=1)
    lost = stats.binom.rvs(steps, 0.15 / 2 - true / 2, size=size, random_state=74).cumsum(axis=1)
    value = (gained - lost) / counts
    sd = np.sqrt((gained + lost) / counts - value**2)
    reach = sd * [asymptotic_reach(int(count), 2401, level) for count in counts]
    n_missed = int((np.abs(value - true) > reach).any(axis=1).sum())
    naive = 1.96 * sd / np.sqrt(counts)
    assert n_missed <= 0.05 * N_RUNS
    assert (np.abs(value - true) > naive).any(axis=1).sum() > 0.15 * N_RUNS


def test_verdicts_at_every_look_are_wrong_for_less_than_one_run_in_twenty() -> None:
    """The true advantage sits on the margin, where both verdicts are wrong."""
    margin, n_wrong, n_runs = 0.02, 0, 300
    intervals = Intervals(0.95, tightest_at=2401)
    counts = list(look_counts(20_000))
    steps = np.diff(counts, prepend=0)
    wins = stats.binom.rvs(steps, 0.25 + margin, size=(n_runs, len(counts)), random_state=75).cumsum(axis=1)
    for won in wins.tolist():
        for count, n in zip(won, counts, strict=True):
            advantage = intervals.within(mean(SampleSums.of_count(count, n), 0.95), n, (0.0, 1.0)).shifted(-0.25)
            if verdict(advantage, margin).balance is not Balance.UNDECIDED:
                n_wrong += 1
                break
    assert n_wrong <= 0.05 * n_runs


def test_a_stop_at_a_precision_leaves_ordinary_intervals_right() -> None:
    counts, true, wanted = np.array(list(look_counts(40_000))), 0.25, 0.01
    steps = np.diff(counts, prepend=0)
    won = stats.binom.rvs(steps, true, size=(N_RUNS, len(counts)), random_state=76).cumsum(axis=1)
    reach = 1.959964 * np.sqrt(won / counts * (1 - won / counts) / counts)
    at = (reach <= wanted).argmax(axis=1)
    stopped = [share(SampleSums.of_count(int(won[run, k]), int(counts[k]))) for run, k in enumerate(at)]
    n_covered = sum(estimate.lower <= true <= estimate.upper for estimate in stopped)
    assert within_binomial_error(n_covered, N_RUNS, 0.95)


@pytest.mark.compiled_only("10^6 playouts")
def test_a_thousand_runs_of_pig_cover_the_known_share_of_who_starts() -> None:
    """Both hold at 20: who starts wins .534698 (method 7.3)."""
    game, true, n = get("pig"), 0.534698, 1000
    arm = Arm("printed", game.pack(game.load().resolve({})), make_lineup(game, ["hold_20"], 2), n)
    covered = {"share": 0, "mean": 0, "sequence": 0}
    for run in range(N_RUNS):
        rows, _ = play_rows(game, arm, 76, run * n, n)
        payoff = rows["payoff"][0][rows["order"][0] == 0].astype(np.int64)
        sums = SampleSums(n, int(payoff.sum()), int((payoff**2).sum()), WHOLE_WIN)
        for name, estimate in (("share", share(sums)), ("mean", mean(sums)), ("sequence", share_sequence(sums))):
            covered[name] += estimate.lower <= true <= estimate.upper
    assert within_binomial_error(covered["share"], N_RUNS, 0.95)
    assert within_binomial_error(covered["mean"], N_RUNS, 0.95)
    assert covered["sequence"] >= 0.99 * N_RUNS


def test_a_sequence_of_whole_wins_is_the_beta_binomial_one() -> None:
    expected = beta_binomial_sequence(280, 1000, 0.95)
    found = share_sequence(SampleSums(1000, 280 * WHOLE_WIN, 280 * WHOLE_WIN**2, WHOLE_WIN), 0.95)
    assert (found.value, found.n_playouts) == (expected.value, expected.n_playouts)
    assert (found.lower, found.upper, found.mcse) == pytest.approx((expected.lower, expected.upper, expected.mcse))


def test_a_sequence_of_split_points_holds_and_is_not_narrower_than_that_of_wins() -> None:
    halves = share_sequence(SampleSums(1000, 560, 560, 2), 0.95)
    wins = share_sequence(SampleSums.of_count(280, 1000), 0.95)
    assert (halves.lower, halves.upper) == pytest.approx((wins.lower, wins.upper))
    n = LOOK_EVERY * np.arange(1, N_LOOKS + 1)
    law = stats.multinomial(LOOK_EVERY, [0.6, 0.3, 0.1])
    points = law.rvs(size=(N_RUNS, N_LOOKS), random_state=77) @ [0, 1, 2] / 2
    assert ever_missed(np.cumsum(points, axis=1), n, 0.25, 0.95)[0] <= 0.05 * N_RUNS


def test_payoffs_beyond_one_have_no_sequence() -> None:
    with pytest.raises(ValueError, match="not those of payoffs from 0 to 1"):
        share_sequence(SampleSums(10, 15, 40))


def test_an_estimate_at_every_look_reaches_as_far_as_the_formula_says() -> None:
    sums = PairedSums(10_000, 2700, 2500, 2700, 2500, 2000)
    found = at_every_look(lift(sums), 5000)
    boundary = asymptotic_reach(10_000, 5000) * 100
    farthest = 1 + found.value
    assert found.upper - found.value == pytest.approx(boundary * math.hypot(found.mcse, boundary * farthest / 10_000))
    assert (found.value, found.mcse, found.level) == (0.02, lift(sums).mcse, 0.95)


def test_playouts_that_all_agree_are_not_taken_for_certainty() -> None:
    found = at_every_look(lift(PairedSums(1024, 200, 200, 200, 200, 200)), 5000)
    boundary = asymptotic_reach(1024, 5000) * 32
    assert found.upper == -found.lower == pytest.approx(boundary**2 / 1024)


@pytest.mark.parametrize("level", [0.95, 0.9875])
def test_the_sequence_of_a_lift_holds_where_few_playouts_differ_and_all_to_one_side(level: float) -> None:
    """One pair in a thousand differs: with one playout mixed in, .042 of the runs miss at a level of .9875."""
    counts = np.array(list(look_counts(1_000_000)))
    steps = np.diff(counts, prepend=0)
    n_runs = 4 * N_RUNS
    for rate in (0.001, 0.0002):
        gained = stats.binom.rvs(steps, rate, size=(n_runs, len(counts)), random_state=79).cumsum(axis=1)
        value = gained / counts
        boundary = np.array([asymptotic_reach(int(n), 2401, level) * math.sqrt(n) for n in counts])
        error = np.sqrt((value - value**2) / counts)
        reach = boundary * np.hypot(error, boundary * (1 + value) / counts)
        n_missed = int((np.abs(value - rate) > reach).any(axis=1).sum())
        assert n_missed <= (1 - level) * n_runs
    found = at_every_look(Estimate(0.001, 0.0001, 0.0, 0.01, level, 100_000), 2401)
    boundary = asymptotic_reach(100_000, 2401, level) * math.sqrt(100_000)
    assert found.upper - found.value == pytest.approx(boundary * math.hypot(0.0001, boundary * 1.001 / 100_000))


def test_looks_are_at_counts_that_no_plan_moves() -> None:
    short, long = list(look_counts(9000)), list(look_counts(10**6))
    assert short[:-1] == long[: len(short) - 1]
    assert short[-1] == 9000
    assert all(count % 512 == 0 for count in long[:-1])
    assert short == sorted(set(short))
    ratios = [after / before for before, after in pairwise(long[8:])]
    assert max(ratios) < 1.26
