"""One number with its error: published intervals, exact ratios, and refusals."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import multinomial_proportions_confint, proportion_confint

from sim.statistics.checks import refuse_truncation_for_mean, refuse_truncation_for_verdict
from sim.statistics.estimate import (
    CrossSums,
    Estimate,
    RatioSums,
    SampleSums,
    agresti_coull,
    clopper_pearson,
    goodman,
    mean,
    playouts_for_half_width,
    ratio,
    ratio_against_rest,
    ratio_difference,
    share,
    simultaneous_shares,
    wilson,
    worst_case_bounds,
)

SIX_DIGITS = 5.1e-7
FIVE_DIGITS = 5.1e-6
PAYOFF_UNIT = 840

# The first four are the cases of Newcombe (1998), Stat. Med. 17, 857-872.
ONE_SHARE = [
    # count, n, Wilson, Clopper-Pearson, Agresti-Coull
    (81, 263, (0.255289, 0.366210), (0.252737, 0.367622), (0.255221, 0.366277)),
    (15, 148, (0.062386, 0.160487), (0.057844, 0.161650), (0.061386, 0.161488)),
    (0, 20, (0, 0.161125), (0, 0.168433), (-0.028684, 0.189810)),
    (1, 29, (0.006113, 0.171755), (0.000873, 0.177644), (-0.008418, 0.186287)),
    (2615, 10000, (0.252980, 0.270204), (0.252907, 0.270232), (0.252979, 0.270204)),
]
STATSMODELS_NAME = {wilson: "wilson", clopper_pearson: "beta", agresti_coull: "agresti_coull"}


def ends(estimate: Estimate) -> tuple[float, float]:
    return estimate.lower, estimate.upper


@pytest.mark.parametrize(("count", "n", "of_wilson", "of_clopper", "of_agresti"), ONE_SHARE)
def test_intervals_of_one_share_have_the_published_digits(
    count: int,
    n: int,
    of_wilson: tuple[float, float],
    of_clopper: tuple[float, float],
    of_agresti: tuple[float, float],
) -> None:
    assert ends(wilson(count, n)) == pytest.approx(of_wilson, abs=SIX_DIGITS)
    assert ends(clopper_pearson(count, n)) == pytest.approx(of_clopper, abs=SIX_DIGITS)
    assert ends(agresti_coull(count, n)) == pytest.approx(of_agresti, abs=SIX_DIGITS)


@pytest.mark.parametrize("interval", list(STATSMODELS_NAME))
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize(("count", "n"), [(0, 1), (1, 1), (3, 7), (81, 263), (999_900, 1_000_000)])
def test_intervals_of_one_share_agree_with_statsmodels(
    interval: Callable[..., Any], level: float, count: int, n: int
) -> None:
    theirs = proportion_confint(count, n, alpha=1 - level, method=STATSMODELS_NAME[interval])
    if interval is agresti_coull:  # theirs is cut off at 0 and 1
        ours = tuple(min(1.0, max(0.0, end)) for end in ends(interval(count, n, level)))
        theirs = tuple(min(1.0, max(0.0, end)) for end in theirs)
    else:
        ours = ends(interval(count, n, level))
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_an_estimate_holds_value_error_level_and_playouts() -> None:
    estimate = wilson(2615, 10_000, 0.9)
    assert estimate.value == 0.2615
    assert estimate.mcse == pytest.approx(math.sqrt(0.2615 * 0.7385 / 10_000), rel=1e-14)
    assert (estimate.level, estimate.n_playouts) == (0.9, 10_000)
    columns = ["value", "mcse", "lower", "upper", "level", "n_playouts"]
    assert list(estimate.as_row()) == columns


def test_scaling_to_points_scales_all_but_level_and_playouts() -> None:
    estimate = Estimate(0.01, 0.002, 0.006, 0.014, 0.95, 500)
    points = estimate.scaled(100)
    assert tuple(points.as_row().values()) == pytest.approx((1, 0.2, 0.6, 1.4, 0.95, 500))
    assert estimate.scaled(0.5).value == 0.005
    moved = estimate.shifted(-0.25)
    assert tuple(moved.as_row().values()) == pytest.approx((-0.24, 0.002, -0.244, -0.236, 0.95, 500))


def test_wilson_covers_as_often_as_it_says() -> None:
    proportion, n, n_samples, level = 0.25, 400, 1000, 0.95
    counts = stats.binom.rvs(n, proportion, size=n_samples, random_state=11)
    hits = sum(
        interval.lower <= proportion <= interval.upper
        for interval in (wilson(int(count), n, level) for count in counts)
    )
    exact = sum(
        stats.binom.pmf(count, n, proportion)
        for count in range(n + 1)
        if wilson(count, n, level).lower <= proportion <= wilson(count, n, level).upper
    )
    assert abs(exact - level) < 0.01  # the lattice lets it swing by this much at n = 400
    assert abs(hits / n_samples - exact) < 4 * math.sqrt(exact * (1 - exact) / n_samples)


def test_clopper_pearson_never_covers_less_than_its_level() -> None:
    n, level = 30, 0.9
    intervals = [clopper_pearson(count, n, level) for count in range(n + 1)]
    for proportion in np.linspace(0.01, 0.99, 99):
        covered = sum(
            stats.binom.pmf(count, n, proportion)
            for count, interval in enumerate(intervals)
            if interval.lower <= proportion <= interval.upper
        )
        assert covered >= level


def test_goodman_has_the_digits_of_the_method_and_of_statsmodels() -> None:
    wins = (2615, 2530, 2455, 2400)
    expected = [(0.25067, 0.27262), (0.24230, 0.26401), (0.23491, 0.25641), (0.22950, 0.25083)]
    estimates = goodman(wins)
    for estimate, digits in zip(estimates, expected, strict=True):
        assert ends(estimate) == pytest.approx(digits, abs=FIVE_DIGITS)
    theirs = multinomial_proportions_confint(np.array(wins), method="goodman")
    assert [ends(estimate) for estimate in estimates] == [pytest.approx(tuple(row), abs=1e-12) for row in theirs]
    assert sum(estimate.value for estimate in estimates) == pytest.approx(1, abs=1e-15)


def test_goodman_agrees_with_statsmodels_on_the_seven_cells_of_sison_and_glaz() -> None:
    counts = np.array([56, 72, 73, 59, 62, 87, 58])
    theirs = multinomial_proportions_confint(counts, 0.1, method="goodman")
    ours = [ends(estimate) for estimate in goodman(counts.tolist(), 0.9)]
    assert ours == [pytest.approx(tuple(row), abs=1e-12) for row in theirs]


def test_mean_has_the_error_and_interval_of_the_sample() -> None:
    lengths = np.array([31, 44, 28, 97, 52, 38, 61, 40])
    estimate = mean(SampleSums.of_sample(lengths), 0.9)
    error = lengths.std(ddof=1) / math.sqrt(len(lengths))
    assert estimate.value == lengths.mean()
    assert estimate.mcse == pytest.approx(error, rel=1e-14)
    theirs = stats.t.interval(0.9, len(lengths) - 1, lengths.mean(), error)
    assert ends(estimate) == pytest.approx(theirs, rel=1e-12)


def test_mean_loses_no_digit_where_floats_would() -> None:
    offset = 10**15
    sums = SampleSums.of_sample([offset, offset + 1, offset + 2])
    assert sums.variance == 1
    assert mean(sums).mcse == pytest.approx(math.sqrt(1 / 3), rel=1e-15)


def test_sums_merge_exactly_and_take_numpy_tallies() -> None:
    sample = np.array([840, 0, 420, 280, 0, 840], dtype=np.int64)
    whole = SampleSums.of_sample(sample, PAYOFF_UNIT)
    parts = SampleSums.of_sample(sample[:2], PAYOFF_UNIT) + SampleSums.of_sample(sample[2:], PAYOFF_UNIT)
    assert parts == whole
    tallies = SampleSums(np.int64(6), sample.sum(), (sample**2).sum(), PAYOFF_UNIT)
    assert tallies == whole
    assert type(tallies.total) is int
    assert whole.mean == pytest.approx(17 / 36, rel=1e-15)


def test_mean_covers_as_often_as_it_says() -> None:
    n_samples, n, level = 1000, 25, 0.9
    samples = stats.poisson.rvs(40, size=(n_samples, n), random_state=3)
    intervals = [mean(SampleSums.of_sample(sample), level) for sample in samples]
    hits = np.mean([interval.lower <= 40 <= interval.upper for interval in intervals])
    assert abs(hits - level) < 4 * math.sqrt(level * (1 - level) / n_samples)


def test_share_without_split_points_is_wilson() -> None:
    for count in (0, 1, 137, 400):
        ours = share(SampleSums(400, count * PAYOFF_UNIT, count * PAYOFF_UNIT**2, PAYOFF_UNIT))
        assert tuple(ours.as_row().values()) == pytest.approx(tuple(wilson(count, 400).as_row().values()), abs=1e-14)


def test_share_with_split_points_uses_their_smaller_variance() -> None:
    # half of the playouts are shared by two seats, the rest won or lost outright
    sample = np.array([420, 840, 420, 0] * 2500)
    sums = SampleSums.of_sample(sample, PAYOFF_UNIT)
    estimate = share(sums)
    assert estimate.mcse == pytest.approx(math.sqrt(0.125 / 10_000), rel=1e-12)
    reach = (estimate.upper - estimate.lower) / 2
    assert reach == pytest.approx(1.959964 * estimate.mcse, rel=1e-3)


def test_share_of_a_few_equal_payoffs_is_not_taken_for_certain() -> None:
    few = share(SampleSums.of_sample([420] * 5, PAYOFF_UNIT))
    # one playout of variance 1/4 among six: Wilson's interval of 15 out of 30
    assert ends(few) == pytest.approx(ends(wilson(15, 30)), abs=1e-14)


def test_share_with_split_points_covers_as_often_as_it_says() -> None:
    n_samples, n, level = 1000, 300, 0.95
    thirds = stats.binom.rvs(3, 0.2, size=(n_samples, n), random_state=5)
    hits = np.mean(
        [
            interval.lower <= 0.2 <= interval.upper
            for interval in (share(SampleSums.of_sample(row, 3), level) for row in thirds)
        ]
    )
    assert abs(hits - level) < 4 * math.sqrt(level * (1 - level) / n_samples)


def test_simultaneous_shares_cover_together() -> None:
    n_samples, n, level = 1000, 400, 0.9
    proportions = np.array([0.3, 0.25, 0.25, 0.2])
    samples = stats.multinomial.rvs(n, proportions, size=n_samples, random_state=8)
    hits = np.mean(
        [
            all(
                estimate.lower <= proportion <= estimate.upper
                for estimate, proportion in zip(goodman(row.tolist(), level), proportions, strict=True)
            )
            for row in samples
        ]
    )
    allowance = 4 * math.sqrt(level * (1 - level) / n_samples)
    assert level - allowance < hits < level + 0.02 + allowance  # Bonferroni errs to the safe side


def sword_sums(health: int) -> tuple[RatioSums, RatioSums]:
    """Return exact sums of the Sword duel, all deals in their proportions, one win in units of 1.

    Method 2.1: two seats are dealt one card each of Sword, Blank, Blank, Blank; half of the faces
    hit for 1, or for 2 with the Sword; the seats start alternately. Every outcome comes as often as
    its probability times a common denominator.
    """
    deals = [("sword", "blank"), ("blank", "sword"), ("blank", "blank"), ("blank", "blank")]
    weights: dict[tuple[int, int], Fraction] = {}
    for cards in deals:  # of equal chance: 3 of the 12 ordered deals each
        for first in range(2):
            wins = first_wins(health, health, cards[first], cards[1 - first])
            chance = {first: wins, 1 - first: 1 - wins}
            swords = cards.count("sword")
            for winner in range(2):
                with_sword = int(cards[winner] == "sword")
                cell = (with_sword, swords)
                weights[cell] = weights.get(cell, Fraction(0)) + chance[winner]
    scale = math.lcm(*(weight.denominator for weight in weights.values()))
    table = [(int(weight * scale), cell) for cell, weight in weights.items()]
    payoffs = np.repeat([cell[0] for _, cell in table], [times for times, _ in table])
    dealt = np.repeat([cell[1] for _, cell in table], [times for times, _ in table])
    return RatioSums.of_samples(payoffs, dealt), RatioSums.of_samples(1 - payoffs, 2 - dealt)


def first_wins(mine: int, other: int, my_card: str, other_card: str) -> Fraction:
    """Return the exact chance that the seat that rolls wins the duel."""
    if mine <= 0:
        return Fraction(0)
    my_damage, other_damage = (2 if card == "sword" else 1 for card in (my_card, other_card))
    after_hit = other - my_damage
    hit_wins = 1 - first_wins(after_hit, mine, other_card, my_card)
    miss_hit_wins = first_wins(mine - other_damage, other, my_card, other_card)
    # hit 1/2, miss and be hit 1/4, both miss 1/4 and start again
    return (hit_wins / 2 + miss_hit_wins / 4) * Fraction(4, 3)


@pytest.mark.parametrize(
    ("health", "dealt", "other", "difference"),
    [
        (3, Fraction(41, 54), Fraction(67, 162), Fraction(28, 81)),
        (4, Fraction(145, 162), Fraction(179, 486), Fraction(128, 243)),
    ],
)
def test_ratios_give_the_exact_deal_lift_of_the_sword(
    health: int, dealt: Fraction, other: Fraction, difference: Fraction
) -> None:
    with_sword, rest = sword_sums(health)
    assert with_sword.ratio == dealt
    assert rest.ratio == other
    lift = ratio_against_rest(with_sword, 1, 2)
    assert lift.value == float(difference)
    assert ratio(with_sword).value == float(dealt)


def dealt_sample() -> tuple[np.ndarray, np.ndarray]:
    """Return payoffs and a dealt mark by playout and seat: 4 seats, some wins shared by two."""
    n, n_seats = 900, 4
    uniform = stats.uniform.rvs(size=(n, n_seats + 2), random_state=21)
    order = uniform[:, :n_seats].argsort(axis=1)
    dealt = uniform[:, :n_seats] < 0.3
    payoff = np.zeros((n, n_seats), dtype=np.int64)
    rows = np.arange(n)
    shared = uniform[:, n_seats] < 0.2
    payoff[rows, order[:, 0]] = np.where(shared, PAYOFF_UNIT // 2, PAYOFF_UNIT)
    payoff[rows, order[:, 1]] += np.where(shared, PAYOFF_UNIT // 2, 0)
    return payoff, dealt.astype(np.int64)


def dealt_sums() -> RatioSums:
    payoff, dealt = dealt_sample()
    return RatioSums.of_samples((payoff * dealt).sum(axis=1), dealt.sum(axis=1), PAYOFF_UNIT)


def test_ratio_has_the_linearised_error_of_its_playouts() -> None:
    payoff, dealt = dealt_sample()
    received, times = (payoff * dealt).sum(axis=1) / PAYOFF_UNIT, dealt.sum(axis=1)
    value = received.sum() / times.sum()
    residual = (received - value * times) / times.mean()
    error = residual.std(ddof=1) / math.sqrt(len(times))
    estimate = ratio(dealt_sums())
    assert estimate.value == pytest.approx(value, rel=1e-14)
    assert estimate.mcse == pytest.approx(error, rel=1e-12)


def test_ratios_of_few_playouts_have_students_interval() -> None:
    # three playouts contribute to the first ratio and five to the second
    first = RatioSums.of_samples(np.array([1, 0, 1, 0, 0, 0, 0, 0]), np.array([1, 1, 1, *[0] * 5]))
    second = RatioSums.of_samples(np.array([0, 0, 0, 1, 0, 1, 1, 0]), np.array([*[0] * 3, *[1] * 5]))
    for estimate, freedom in (
        (ratio(first), 2),
        (ratio(second), 4),
        (ratio_difference(first, second, CrossSums()), 2),
    ):
        reach = stats.t.ppf(0.975, freedom) * estimate.mcse
        assert ends(estimate) == pytest.approx((estimate.value - reach, estimate.value + reach))


def test_lift_against_the_rest_has_the_cluster_error_of_statsmodels() -> None:
    payoff, dealt = dealt_sample()
    n, n_seats = payoff.shape
    design = np.column_stack([np.ones(n * n_seats), dealt.ravel()])
    fit = OLS(payoff.ravel() / PAYOFF_UNIT, design).fit(
        cov_type="cluster",
        cov_kwds={"groups": np.repeat(np.arange(n), n_seats), "use_correction": False},
    )
    estimate = ratio_against_rest(dealt_sums(), PAYOFF_UNIT, n_seats)
    assert estimate.value == pytest.approx(fit.params[1], rel=1e-12)
    assert estimate.mcse == pytest.approx(fit.bse[1] * math.sqrt(n / (n - 1)), rel=1e-10)


def test_lift_of_one_seat_needs_no_cross_sums() -> None:
    payoff, dealt = dealt_sample()
    mine, marked = payoff[:, 0], dealt[:, 0]
    given = RatioSums.of_samples(mine * marked, marked, PAYOFF_UNIT)
    not_given = RatioSums.of_samples(mine * (1 - marked), 1 - marked, PAYOFF_UNIT)
    estimate = ratio_difference(given, not_given, CrossSums())
    fit = OLS(mine / PAYOFF_UNIT, np.column_stack([np.ones(len(mine)), marked])).fit(cov_type="HC0")
    assert estimate.value == pytest.approx(fit.params[1], rel=1e-12)
    assert estimate.mcse == pytest.approx(fit.bse[1] * math.sqrt(len(mine) / (len(mine) - 1)), rel=1e-10)


def test_lift_against_the_rest_covers_as_often_as_it_says() -> None:
    # two seats; in 2 of 3 deals one of them gets the marked card, which wins with chance 0.6
    n_samples, n, level = 1000, 200, 0.9
    marked = stats.bernoulli.rvs(2 / 3, size=(n_samples, n), random_state=31)
    won = stats.bernoulli.rvs(0.6, size=(n_samples, n), random_state=32)
    # per playout the rest wins 0.4 with one seat, or 1 with two seats
    rest = (2 / 3 * 0.4 + 1 / 3 * 1) / (2 / 3 * 1 + 1 / 3 * 2)
    intervals = [
        ratio_against_rest(RatioSums.of_samples(marks * wins, marks), 1, 2, level)
        for marks, wins in zip(marked, won, strict=True)
    ]
    hits = np.mean([interval.lower <= 0.6 - rest <= interval.upper for interval in intervals])
    assert abs(hits - level) < 4 * math.sqrt(level * (1 - level) / n_samples)


def test_deal_lifts_of_a_whole_deck_cancel() -> None:
    # every seat is dealt one of four cards: the weighted excesses over 1/4 sum to exactly 0
    n, n_seats = 500, 4
    order = stats.uniform.rvs(size=(n, n_seats, 1), random_state=41).argsort(axis=1)[:, :, 0]
    card = stats.randint.rvs(0, 4, size=(n, n_seats), random_state=42)
    payoff = (order == 0).astype(np.int64)
    excess = Fraction(0)
    for kind in range(4):
        held = (card == kind).astype(np.int64)
        sums = RatioSums.of_samples((payoff * held).sum(axis=1), held.sum(axis=1))
        excess += sums.denominator * (sums.ratio - Fraction(1, n_seats))
    assert excess == 0


def test_worst_case_bounds_let_truncated_playouts_go_either_way() -> None:
    assert worst_case_bounds(0.3, 50, 1000) == pytest.approx((0.285, 0.335), abs=1e-15)
    assert worst_case_bounds(0.3, 0, 1000) == (0.3, 0.3)


@pytest.mark.parametrize(("half_width", "n"), [(0.01, 7203), (0.005, 28811), (0.002, 180069), (0.001, 720274)])
def test_playouts_for_a_half_width_have_the_digits_of_the_method(half_width: float, n: int) -> None:
    assert playouts_for_half_width(half_width, 0.25) == n


def test_the_gates_let_the_limit_itself_pass() -> None:
    refuse_truncation_for_verdict(10, 10_000)
    refuse_truncation_for_mean(100, 10_000)
    with pytest.raises(ValueError, match=r"0\.110% .*at most 0\.1% for a verdict; raise"):
        refuse_truncation_for_verdict(11, 10_000)
    with pytest.raises(ValueError, match=r"1\.010% .*at most 1\.0% for a mean; raise"):
        refuse_truncation_for_mean(101, 10_000)
    with pytest.raises(ValueError, match="for a mean"):
        mean(SampleSums(100, 400, 2000), n_truncated=2)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: wilson(1, 0), r"n_playouts is 0, expected at least 1; play more"),
        (lambda: wilson(11, 10), r"count is 11 of 10, expected 0 to 10"),
        (lambda: wilson(-1, 10), r"count is -1 of 10"),
        (lambda: wilson(1.5, 10), r"count is 1\.5, expected a whole number"),
        (lambda: wilson(1, 10, 1), r"level is 1, expected a number between 0 and 1"),
        (lambda: wilson(1, 10, 95), r"level is 95, .*write 0\.95"),
        (lambda: wilson(1, 10, math.nan), r"level is nan"),
        (lambda: clopper_pearson(11, 10), r"count is 11 of 10"),
        (lambda: agresti_coull(1, 0), r"n_playouts is 0"),
        (lambda: goodman([10]), r"number of shares is 1"),
        (lambda: goodman([0, 0]), r"n_playouts is 0"),
        (lambda: goodman([-1, 4]), r"count is -1 of 3"),
        (lambda: simultaneous_shares([]), r"number of shares is 0"),
        (lambda: mean(SampleSums(1, 5, 25)), r"n_playouts is 1, expected at least 2"),
        (lambda: SampleSums(2, 10, 49), r"no 2 numbers sum to 10 with squares summing to 49"),
        (lambda: SampleSums(2, 10, 50, 0), r"unit is 0"),
        (lambda: SampleSums(2, 1, 1) + SampleSums(2, 1, 1, 840), r"units are 1 and 840"),
        (lambda: SampleSums.of_sample(np.array([0.5])), r"sample is .*expected a whole number"),
        (lambda: share(SampleSums(2, 3, 5)), r"not those of payoffs from 0 to 1"),
        (lambda: share(SampleSums(9, -1, 1)), r"not those of payoffs from 0 to 1"),
        (lambda: share(SampleSums(1, 2, 4)), r"not those of payoffs from 0 to 1"),
        (lambda: ratio(RatioSums(5, 0, 0, 0, 0, 0)), r"the event never happened"),
        (lambda: ratio(RatioSums(5, 1, 1, 1, 1, 1)), r"only 1\.0 of 5 playouts contribute"),
        (lambda: RatioSums(5, 2, 2, 2, 3, 2), r"sum of products 3 is too large"),
        (
            lambda: ratio_difference(RatioSums(5, 2, 3, 2, 2, 3), RatioSums(6, 2, 3, 2, 2, 3), CrossSums()),
            r"5 and 6 playouts .*same playouts and unit",
        ),
        (
            lambda: ratio_difference(
                RatioSums(9, 2, 3, 2, 2, 3), RatioSums(9, 2, 3, 2, 2, 3), CrossSums(numerators=99)
            ),
            r"cross sums are too large",
        ),
        (lambda: RatioSums.of_samples(np.array([1]), np.array([1, 2])), r"1 and 2 playouts"),
        (lambda: worst_case_bounds(1.2, 0, 10), r"finished_share is 1\.2"),
        (lambda: worst_case_bounds(0.2, 11, 10), r"n_truncated is 11 of 10"),
        (lambda: playouts_for_half_width(0, 0.25), r"half-width is 0, expected a positive"),
        (lambda: Estimate(0, 0, 1, 0, 0.95, 5), r"runs from 1 to 0"),
        (lambda: Estimate(0, 0, 0, 1, 0.95, 5).scaled(0), r"factor is 0"),
    ],
)
def test_impossible_inputs_are_refused_with_what_to_do(refused: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        refused()
