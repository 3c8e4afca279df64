"""Lifts from the same playouts: published paired tables, sums of split points, and refusals."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import confint_proportions_2indep

from sim.statistics.estimate import Estimate, wilson
from sim.statistics.paired import (
    PairedCounts,
    PairedSums,
    bonett_price,
    corrected_correlation,
    discordance_rate,
    lift,
    mcnemar_chi_square,
    mcnemar_exact,
    mcnemar_mid_p,
    newcombe_paired,
    newcombe_unpaired,
    refuse_unpaired,
    variance_reduction_factor,
)

SIX_DIGITS = 5.1e-7
FOUR_DIGITS = 5.1e-5
PAYOFF_UNIT = 840

BENTUR = PairedCounts(1, 1, 7, 12)  # Bentur et al. (2009), airway responses
CAVO = PairedCounts(59, 6, 16, 80)  # Cavo et al. (2012), response to treatment
ALTMAN = PairedCounts(14, 5, 0, 22)  # Altman (1991), in Newcombe (1998)
LARGE = PairedCounts(50_000, 6_900, 3_450, 139_650)  # method 1.4


def ends(estimate: Estimate) -> tuple[float, float]:
    return estimate.lower, estimate.upper


@pytest.mark.parametrize(
    ("counts", "difference", "limits"),
    [
        (BENTUR, -0.285714, (-0.506920, -0.025559)),
        (CAVO, -0.062112, (-0.118621, -0.004625)),
        (ALTMAN, 0.121951, (0.011483, 0.226493)),
    ],
)
def test_newcombe_paired_has_the_published_digits(
    counts: PairedCounts, difference: float, limits: tuple[float, float]
) -> None:
    estimate = newcombe_paired(counts)
    assert estimate.value == pytest.approx(difference, abs=SIX_DIGITS)
    assert ends(estimate) == pytest.approx(limits, abs=SIX_DIGITS)


def test_newcombe_needs_the_corrected_correlation() -> None:
    # method 1.4: the plain correlation gives -0.5017, -0.0361 for Bentur's table
    cross = 1 * 12 - 1 * 7
    assert cross < BENTUR.n / 2
    assert corrected_correlation(BENTUR) == 0
    assert corrected_correlation(PairedCounts(9, 1, 1, 10)) == pytest.approx((89 - 10.5) / 110)
    assert corrected_correlation(PairedCounts(1, 5, 4, 1)) == pytest.approx(-19 / math.sqrt(6 * 5 * 5 * 6))
    assert corrected_correlation(PairedCounts(0, 3, 0, 4)) == 0


@pytest.mark.parametrize(
    ("counts", "limits"),
    [
        (BENTUR, (-0.508359, -0.013380)),
        (CAVO, (-0.119499, -0.003201)),
        (LARGE, (0.016256, 0.018244)),
    ],
)
def test_bonett_price_has_the_published_digits(counts: PairedCounts, limits: tuple[float, float]) -> None:
    assert ends(bonett_price(counts)) == pytest.approx(limits, abs=SIX_DIGITS)


def test_the_large_example_has_the_digits_of_the_method() -> None:
    assert LARGE.lift == 0.01725
    assert LARGE.standard_error == pytest.approx(0.000507, abs=SIX_DIGITS)
    assert mcnemar_chi_square(LARGE)[0] == 1150
    # sums of zeros and ones hold the same lift; n - 1 for n and Student for normal
    estimate = lift(LARGE.sums())
    assert estimate.value == 0.01725
    assert estimate.mcse == pytest.approx(LARGE.standard_error * math.sqrt(200_000 / 199_999), rel=1e-12)
    assert ends(estimate) == pytest.approx((0.016256, 0.018244), abs=SIX_DIGITS)


@pytest.mark.parametrize(
    ("counts", "statistic", "exact", "mid"),
    [(BENTUR, 4.5, 0.070313, 0.039063), (CAVO, 4.545455, 0.052479, 0.034690)],
)
def test_mcnemar_has_the_published_digits(counts: PairedCounts, statistic: float, exact: float, mid: float) -> None:
    assert mcnemar_chi_square(counts)[0] == pytest.approx(statistic, abs=SIX_DIGITS)
    assert mcnemar_exact(counts) == pytest.approx(exact, abs=SIX_DIGITS)
    assert mcnemar_mid_p(counts) == pytest.approx(mid, abs=SIX_DIGITS)


@pytest.mark.parametrize("counts", [BENTUR, CAVO, ALTMAN, LARGE, PairedCounts(3, 4, 4, 2)])
def test_mcnemar_agrees_with_statsmodels(counts: PairedCounts) -> None:
    table = [[counts.both, counts.only_variant], [counts.only_baseline, counts.neither]]
    assert mcnemar_exact(counts) == pytest.approx(mcnemar(table, exact=True).pvalue, rel=1e-9)
    plain = mcnemar(table, exact=False, correction=False)
    assert mcnemar_chi_square(counts) == pytest.approx((plain.statistic, plain.pvalue), rel=1e-9)


def test_mcnemar_without_discordance_finds_nothing() -> None:
    counts = PairedCounts(30, 0, 0, 70)
    assert mcnemar_chi_square(counts) == (0, 1)
    assert mcnemar_exact(counts) == 1
    assert mcnemar_mid_p(counts) == 1


def test_mid_p_of_a_tie_is_one() -> None:
    assert mcnemar_mid_p(PairedCounts(0, 4, 4, 0)) == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize(
    ("wins", "limits"),
    [
        ((56, 70, 48, 80), (0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.1705, 0.8090)),
        ((10, 10, 0, 10), (0.6075, 1.0)),
    ],
)
def test_newcombe_unpaired_has_the_published_digits(
    wins: tuple[int, int, int, int], limits: tuple[float, float]
) -> None:
    estimate = newcombe_unpaired(*wins)
    assert ends(estimate) == pytest.approx(limits, abs=FOUR_DIGITS)
    theirs = confint_proportions_2indep(*wins, method="newcomb", compare="diff")
    assert ends(estimate) == pytest.approx(theirs, abs=1e-12)
    assert estimate.n_playouts == wins[1] + wins[3]


def test_lift_of_split_points_has_the_error_of_the_differences() -> None:
    before = stats.randint.rvs(0, 5, size=400, random_state=1) * (PAYOFF_UNIT // 4)
    noise = stats.randint.rvs(-1, 2, size=400, random_state=2) * (PAYOFF_UNIT // 4)
    after = np.clip(before + noise, 0, PAYOFF_UNIT)
    estimate = lift(PairedSums.of_samples(after, before, PAYOFF_UNIT), 0.9)
    difference = (after - before) / PAYOFF_UNIT
    error = difference.std(ddof=1) / math.sqrt(400)
    assert estimate.value == pytest.approx(difference.mean(), abs=1e-15)
    assert estimate.mcse == pytest.approx(error, rel=1e-12)
    theirs = stats.t.interval(0.9, 399, difference.mean(), error)
    assert ends(estimate) == pytest.approx(theirs, rel=1e-9)


def test_paired_sums_merge_exactly() -> None:
    after = stats.randint.rvs(0, 100, size=60, random_state=3)
    before = stats.randint.rvs(0, 100, size=60, random_state=4)
    parts = PairedSums.of_samples(after[:17], before[:17]) + PairedSums.of_samples(after[17:], before[17:])
    assert parts == PairedSums.of_samples(after, before)


def test_discordance_rate_is_the_share_of_playouts_that_differ() -> None:
    assert discordance_rate(LARGE) == wilson(10_350, 200_000)
    assert discordance_rate(LARGE).value == 0.05175


def test_variance_reduction_factor_compares_with_independent_playouts() -> None:
    after = stats.randint.rvs(0, 100, size=500, random_state=5)
    before = after + stats.randint.rvs(0, 10, size=500, random_state=6)
    factor = variance_reduction_factor(PairedSums.of_samples(after, before))
    independent = after.var(ddof=1) + before.var(ddof=1)
    assert factor == pytest.approx(independent / (after - before).var(ddof=1), rel=1e-12)


def test_variance_reduction_factor_of_identical_playouts_is_infinite() -> None:
    same = np.arange(10)
    assert variance_reduction_factor(PairedSums.of_samples(same, same)) == math.inf


def test_swapping_the_sides_mirrors_every_interval() -> None:
    swapped = PairedCounts(CAVO.both, CAVO.only_baseline, CAVO.only_variant, CAVO.neither)
    for interval in (newcombe_paired, bonett_price):
        there, back = interval(CAVO), interval(swapped)
        assert ends(there) == pytest.approx((-back.upper, -back.lower), abs=1e-14)
    there, back = newcombe_unpaired(56, 70, 48, 80), newcombe_unpaired(48, 80, 56, 70)
    assert ends(there) == pytest.approx((-back.upper, -back.lower), abs=1e-14)


@pytest.mark.parametrize("interval", [newcombe_paired, bonett_price])
def test_paired_intervals_cover_as_often_as_they_say(interval: Callable[..., Any]) -> None:
    n_samples, n, level = 1000, 400, 0.95
    chances = [0.2, 0.10, 0.05, 0.65]
    tables = stats.multinomial.rvs(n, chances, size=n_samples, random_state=13)
    estimates = [interval(PairedCounts(*map(int, table)), level) for table in tables]
    hits = np.mean([estimate.lower <= 0.05 <= estimate.upper for estimate in estimates])
    assert abs(hits - level) < 4 * math.sqrt(level * (1 - level) / n_samples)


@pytest.mark.parametrize("interval", [newcombe_paired, bonett_price])
@pytest.mark.parametrize("table", [(0, 1, 0, 0), (0, 9, 0, 0), (0, 0, 9, 0), (5, 0, 0, 4)])
def test_intervals_of_extreme_tables_hold_the_lift_and_stay_in_range(
    interval: Callable[..., Any], table: tuple[int, int, int, int]
) -> None:
    estimate = interval(PairedCounts(*table))
    assert -1 <= estimate.lower <= estimate.value <= estimate.upper <= 1
    assert estimate.lower < estimate.upper


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: PairedCounts(1, -1, 2, 3), r"only_variant is -1, expected a count"),
        (lambda: PairedCounts(0, 0, 0, 0), r"n_playouts is 0"),
        (lambda: PairedCounts(1.5, 0, 0, 0), r"both is 1\.5, expected a whole number"),
        (lambda: bonett_price(CAVO, 1.0), r"level is 1\.0"),
        (lambda: newcombe_paired(CAVO, 0), r"level is 0"),
        (lambda: newcombe_unpaired(5, 4, 1, 4), r"variant_wins is 5 of 4"),
        (lambda: newcombe_unpaired(1, 4, 1, 0), r"n_baseline is 0"),
        (lambda: PairedSums(2, 2, 2, 2, 2, 3), r"no 2 numbers sum to 0 with squares summing to -2"),
        (lambda: PairedSums.of_samples(np.arange(3), np.arange(4)), r"3 and 4 playouts; expected"),
        (lambda: lift(PairedSums(1, 1, 0, 1, 0, 0)), r"n_playouts is 1, expected at least 2"),
        (lambda: lift(LARGE.sums(), n_truncated=2_001), r"for a mean"),
        (
            lambda: PairedSums(1, 1, 0, 1, 0, 0) + PairedSums(1, 1, 0, 1, 0, 0, 840),
            r"units are 1 and 840",
        ),
        (lambda: refuse_unpaired([1, 2, 3], [1, 2, 4]), r"not the same; run both with one seed"),
        (lambda: refuse_unpaired([1, 2, 3], [1, 2]), r"hold 3 and 2 playouts"),
    ],
)
def test_impossible_inputs_are_refused_with_what_to_do(refused: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        refused()


def test_equal_playout_numbers_are_paired() -> None:
    refuse_unpaired(range(5), np.arange(5))
