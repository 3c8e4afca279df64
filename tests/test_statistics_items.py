"""Items as a set: debiased spread, shrinkage, signs and verdicts over policy profiles."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from sim.statistics.estimate import Estimate
from sim.statistics.items import (
    Power,
    PowerVerdict,
    SignStability,
    claim_strength,
    item_spread,
    population_lift,
    power_verdict,
    reliability,
    shrunk_lifts,
    sign_stability,
    simultaneous_ranks,
    spread_sd,
)

MARGIN = 0.02


def lift(value: float, reach: float = 0.01, n: int = 10_000) -> Estimate:
    return Estimate(value, reach / 2, value - reach, value + reach, 0.95, n)


def test_spread_is_the_mean_square_less_the_noise() -> None:
    lifts = [lift(0.03, 0.02), lift(-0.01, 0.04), lift(-0.02, 0.02)]
    assert item_spread(lifts) == pytest.approx((0.0014 - 0.0006) / 3, rel=1e-12)
    assert spread_sd(item_spread(lifts)) == pytest.approx(math.sqrt(0.0008 / 3), rel=1e-12)


def test_spread_of_pure_noise_may_be_negative_and_then_counts_as_none() -> None:
    lifts = [lift(0.001, 0.02), lift(-0.001, 0.02)]
    assert item_spread(lifts) == pytest.approx(1e-6 - 1e-4, rel=1e-12)
    assert spread_sd(item_spread(lifts)) == 0
    assert shrunk_lifts(lifts).tolist() == [0, 0]


@pytest.mark.parametrize("true_sd", [0.0, 0.02])
def test_spread_is_unbiased(true_sd: float) -> None:
    n_samples, n_items, error = 2000, 16, 0.01
    true = true_sd * stats.norm.ppf((np.arange(n_items) + 0.5) / n_items)
    noise = error * stats.norm.rvs(size=(n_samples, n_items), random_state=3)
    spreads = np.array([item_spread([lift(v, 2 * error) for v in row]) for row in true + noise])
    exact = np.mean(true**2)
    assert abs(spreads.mean() - exact) < 4 * spreads.std() / math.sqrt(n_samples)


def test_shrinkage_trusts_a_precise_lift_more() -> None:
    lifts = [lift(0.05, 0.02), lift(0.05, 0.10), lift(-0.05, 0.02), lift(-0.05, 0.02)]
    tau2 = item_spread(lifts)
    shrunk = shrunk_lifts(lifts)
    assert shrunk[0] == pytest.approx(0.05 * tau2 / (tau2 + 0.01**2), rel=1e-12)
    assert shrunk[1] == pytest.approx(0.05 * tau2 / (tau2 + 0.05**2), rel=1e-12)
    assert 0 < shrunk[1] < shrunk[0] < 0.05
    assert reliability(tau2, 0.0) == 1


def test_shrunk_lifts_are_nearer_to_the_truth() -> None:
    true = 0.02 * stats.norm.rvs(size=(500, 16), random_state=5)
    seen = true + 0.02 * stats.norm.rvs(size=(500, 16), random_state=6)
    shrunk = np.array([shrunk_lifts([lift(value, 0.04) for value in row]) for row in seen])
    plain_error, shrunk_error = ((seen - true) ** 2).mean(), ((shrunk - true) ** 2).mean()
    # the best weight halves the squared error; the estimated one comes within a tenth of that
    assert shrunk_error < 0.6 * plain_error


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((0.05, 0.03, 0.02), SignStability.STABLE),
        ((-0.05, -0.03), SignStability.STABLE),
        # the strongest weapon of the toy under random, leader, weakest and threat: method 2.3
        ((0.215, 0.188, 0.181, -0.046), SignStability.UNSTABLE),
        ((0.05, 0.0, -0.05), SignStability.UNSTABLE),
        ((0.05, 0.005), SignStability.UNDECIDED),
        ((0.0,), SignStability.UNDECIDED),
    ],
)
def test_a_sign_is_stable_only_if_shown_under_every_profile(values: tuple[float, ...], expected: SignStability) -> None:
    assert sign_stability([lift(value) for value in values]) is expected


def test_an_interval_that_touches_zero_shows_no_sign() -> None:
    touching = Estimate(0.01, 0.005, 0.0, 0.02, 0.95, 100)
    assert sign_stability([touching]) is SignStability.UNDECIDED


def test_claim_strength_is_the_smallest_lower_limit() -> None:
    assert claim_strength([lift(0.05), lift(0.03), lift(0.04, 0.03)]) == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((0.031, -0.3, 0.0), Power.OVERPOWERED),  # for any profile
        ((0.029, 0.0, 0.0), Power.UNDECIDED),
        ((-0.031, -0.3), Power.UNDERPOWERED),  # for all profiles
        ((-0.3, -0.3, 0.0), Power.WEAK_UNDER_SOME),  # one profile that can use it is enough
        ((-0.06, -0.06, -0.06, -0.06, -0.005), Power.WEAK_UNDER_SOME),  # the mean is not within the margin
        ((-0.3, -0.029), Power.UNDECIDED),
        ((0.0, 0.005), Power.FAIR),
    ],
)
def test_overpowered_for_any_profile_underpowered_only_for_all(values: tuple[float, ...], expected: Power) -> None:
    judged = power_verdict([lift(value) for value in values], MARGIN)
    assert judged.power is expected
    assert judged.margin == MARGIN
    assert judged.n_more is None or expected is Power.UNDECIDED


@pytest.mark.parametrize("limits", [(-0.02, 0.01), (-0.01, 0.02), (0.02, 0.05), (-0.05, -0.02)])
def test_an_interval_that_touches_the_margin_decides_nothing(limits: tuple[float, float]) -> None:
    touching = Estimate(sum(limits) / 2, 0.01, *limits, 0.95, 100)
    assert power_verdict([touching], MARGIN).power is Power.UNDECIDED


@pytest.mark.parametrize("values", [(0.0285, 0.0), (0.0285, 0.021), (0.0105, 0.0104), (-0.0295, -0.0115)])
def test_the_playouts_that_an_undecided_item_asks_for_settle_it(values: tuple[float, ...]) -> None:
    def judged(n: int) -> PowerVerdict:
        reach = 0.01 * math.sqrt(10_000 / n)
        return power_verdict([Estimate(one, reach / 3, one - reach, one + reach, 0.95, n) for one in values], MARGIN)

    found = judged(10_000)
    assert found.power is Power.UNDECIDED
    assert found.n_more is not None
    assert judged(10_000 + found.n_more.upper).power is not Power.UNDECIDED


def test_ranks_hold_together_and_shrink_with_the_intervals() -> None:
    lifts = [lift(0.05), lift(0.045), lift(0.0), lift(-0.05)]
    assert simultaneous_ranks(lifts) == [(1, 2), (1, 2), (3, 3), (4, 4)]
    assert simultaneous_ranks([lift(0.05, 1.0), lift(0.0, 1.0)]) == [(1, 2), (1, 2)]


@pytest.mark.parametrize("values", [(0.02, 0.0), (-0.02, -0.3), (-0.02,)])
def test_a_lift_on_the_margin_asks_for_no_number(values: tuple[float, ...]) -> None:
    judged = power_verdict([lift(value) for value in values], MARGIN)
    assert (judged.power, judged.n_more) == (Power.UNDECIDED, None)


def test_a_profile_may_have_no_weight() -> None:
    lifts = {"random": lift(0.04), "threat": lift(-0.02)}
    assert population_lift(lifts, {"random": 1.0, "threat": 0.0}).value == 0.04


def test_population_lift_weighs_profiles_and_allows_for_any_dependence() -> None:
    lifts = {"random": lift(0.04, 0.02), "threat": lift(-0.02, 0.04, 4_000)}
    estimate = population_lift(lifts, {"random": 0.75, "threat": 0.25})
    assert estimate.value == pytest.approx(0.025, rel=1e-12)
    assert estimate.mcse == pytest.approx(0.0125, rel=1e-12)
    assert (estimate.lower, estimate.upper) == pytest.approx((0.0, 0.05))  # the weighted means of the ends
    assert estimate.n_playouts == 4_000


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: item_spread([]), r"no lift was given"),
        (lambda: shrunk_lifts([]), r"no lift was given"),
        (lambda: sign_stability([]), r"no lift was given"),
        (lambda: claim_strength([]), r"no lift was given"),
        (lambda: power_verdict([], 0.02), r"no lift was given"),
        (lambda: power_verdict([lift(0)], 0), r"margin is 0"),
        (lambda: population_lift({}, {}), r"number of profiles is 0"),
        (lambda: population_lift({"next": lift(0)}, {"random": 1}), r"name the same profiles"),
        (lambda: population_lift({"next": lift(0)}, {"next": 0.9}), r"sum to 0\.9, expected"),
        (
            lambda: population_lift({"a": lift(0), "b": lift(0)}, {"a": 1.5, "b": -0.5}),
            r"none below 0",
        ),
        (
            lambda: population_lift({"a": lift(0), "b": Estimate(0, 0, 0, 0, 0.9, 5)}, {"a": 0.5, "b": 0.5}),
            r"levels \[0\.9, 0\.95\]; estimate all",
        ),
    ],
)
def test_impossible_inputs_are_refused_with_what_to_do(refused: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        refused()
