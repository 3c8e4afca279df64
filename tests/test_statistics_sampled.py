"""Estimates from samples kept playout by playout: against textbook formulas, simulation and each other."""

import math

import numpy as np
import pytest
from scipy import stats

from sim.statistics.draws import Draws, draw_lift
from sim.statistics.estimate import RatioSums, ratio
from sim.statistics.sampled import difference_of_ratios, groups_of, jackknife, mean_of, ratio_of_sums

SAMPLE = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0])
COUNTS = np.array([2.0, 1.0, 3.0, 1.0, 2.0, 4.0, 1.0, 3.0])


def test_a_mean_is_the_textbook_one_with_students_interval() -> None:
    estimate = mean_of(SAMPLE, 0.9)
    error = SAMPLE.std(ddof=1) / math.sqrt(len(SAMPLE))
    assert estimate.value == pytest.approx(SAMPLE.mean())
    assert estimate.mcse == pytest.approx(error)
    assert (estimate.lower, estimate.upper) == pytest.approx(stats.t.interval(0.9, 7, SAMPLE.mean(), error))


def test_a_ratio_is_that_of_whole_numbers() -> None:
    real = ratio_of_sums(SAMPLE, COUNTS)
    whole = ratio(RatioSums.of_samples(SAMPLE.astype(int), COUNTS.astype(int)))
    assert real.value == pytest.approx(whole.value)
    assert real.mcse == pytest.approx(whole.mcse)


def test_a_difference_knows_that_both_sides_share_playouts() -> None:
    same = difference_of_ratios((SAMPLE, COUNTS), (SAMPLE, COUNTS))
    assert (same.value, same.mcse) == (0, 0)
    more = difference_of_ratios((SAMPLE + 1, np.ones(8)), (SAMPLE, np.ones(8)))
    assert (more.value, more.mcse) == (pytest.approx(1), pytest.approx(0, abs=1e-12))


def test_a_jackknife_of_a_mean_is_the_mean() -> None:
    estimate = jackknife(lambda kept: float(SAMPLE[kept].mean()), len(SAMPLE))
    assert estimate.value == pytest.approx(SAMPLE.mean())
    assert estimate.mcse == pytest.approx(SAMPLE.std(ddof=1) / math.sqrt(len(SAMPLE)))
    assert groups_of(120).max() == 49


def test_a_jackknife_of_a_correlation_covers_it() -> None:
    inside = 0
    for first, noise in stats.norm.rvs(size=(300, 2, 400), random_state=3):
        second = 0.6 * first + 0.8 * noise
        estimate = jackknife(lambda kept: float(np.corrcoef(first[kept], second[kept])[0, 1]), 400)  # noqa: B023
        inside += estimate.lower <= 0.6 <= estimate.upper
    assert 0.92 <= inside / 300 <= 0.975


@pytest.mark.parametrize(
    ("numerator", "denominator", "told"),
    [
        ([1.0, 2.0], [1.0], "expected one number per playout each"),
        ([1.0, math.nan], [1.0, 1.0], "not finite"),
        ([1.0, 2.0], [1.0, 0.0], "1 playouts contribute"),
    ],
)
def test_samples_that_tell_nothing_are_refused(numerator: list[float], denominator: list[float], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        ratio_of_sums(numerator, denominator)
    with pytest.raises(ValueError, match="expected at least 2"):
        jackknife(lambda kept: float(kept.sum()), 1)


def random_draws(n: int, seed: int, lift: float) -> Draws:
    """Return one draw a playout from two to six items, with unequal chances; item 0 adds `lift` to a share of .25."""
    uniform = stats.uniform.rvs(size=(n, 8), random_state=seed)
    left = (3 * uniform[:, :6]).astype(int)
    left[:, 0] = uniform[:, 0] < 1 / 2
    left[:, 5] = 1
    chance = left / left.sum(axis=1, keepdims=True)
    item = (uniform[:, 6:7] > chance.cumsum(axis=1)).sum(axis=1)
    base = 0.25 + 0.1 * (left.sum(axis=1) > 6)  # playouts with many cards left are better, whatever is drawn
    payoff = (uniform[:, 7] < base + lift * (item == 0)).astype(float)
    return Draws(n, np.arange(n), item, payoff, chance)


def test_a_draw_lift_is_unbiased_and_covers_though_chances_and_shares_go_together() -> None:
    found = [draw_lift(random_draws(1500, seed, 0.2), 0, 0.25) for seed in range(300)]
    lifts = [one.lift for one in found if one is not None]
    values = np.array([one.value for one in lifts])
    assert abs(values.mean() - 0.2) < 4 * values.std() / math.sqrt(len(values))
    assert values.std() == pytest.approx(np.mean([one.mcse for one in lifts]), rel=0.12)
    assert 0.92 <= np.mean([one.lower <= 0.2 <= one.upper for one in lifts]) <= 0.975
    checks = [one.check for one in found if one is not None]
    assert 0.92 <= np.mean([one.lower <= 0.2 <= one.upper for one in checks]) <= 0.975
    assert np.mean([one.agree for one in found if one is not None]) > 0.92


def test_the_check_tells_when_chances_are_not_what_they_are_said_to_be() -> None:
    true = random_draws(4000, 1, 0.3)
    wrong = np.full_like(true.chance, 1 / 6)
    lift = draw_lift(Draws(true.n_playouts, true.playout, true.item, true.payoff, wrong), 0, 0.25)
    assert lift is not None
    assert not lift.agree


def test_draws_without_a_choice_do_not_count() -> None:
    chance = np.array([[1.0, 0.0], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5]])
    item = np.array([0, 0, 0, 1, 1])
    draws = Draws(5, np.arange(5), item, np.array([1.0, 1.0, 0.0, 0.0, 0.0]), chance)
    found = draw_lift(draws, 0, 0.25)
    assert found is not None
    assert (found.lift.value, found.n_drawn) == (0.5, 2)
    assert draw_lift(Draws(5, np.arange(5), np.zeros(5, int), np.zeros(5), np.tile([1.0, 0.0], (5, 1))), 1, 0.5) is None
    with pytest.raises(ValueError, match="without a chance"):
        Draws(1, np.array([0]), np.array([1]), np.array([0.0]), np.array([[1.0, 0.0]]))
