"""Looking while playing: published ratios and sequences, and error rates over many looks."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from sim.statistics.estimate import Estimate, SampleSums, mean, wilson
from sim.statistics.sequential import (
    Bounds,
    Decision,
    always_valid_p,
    approximate_log_ratio,
    asymptotic_reach,
    asymptotic_sequence,
    bernoulli_log_ratio,
    beta_binomial_log_evidence,
    beta_binomial_sequence,
    empirical_bernstein_sequence,
    expected_playouts,
    fixed_playouts,
    generalised_log_ratio,
    logistic_elo,
    logistic_score,
    mixture_log_ratio,
    narrowed,
    normalised_elo,
    normalised_log_ratio,
    pair_e_value,
    pair_log_e_value,
    score_elo,
    score_law,
    stitched_half_width,
    stopping_bounds,
    tilted,
)

SIX_DIGITS = 5.1e-7
FIVE_DIGITS = 5.1e-6
FOUR_DIGITS = 5.1e-5

# the self-test of Stockfish's testing framework, and two published reports (method 1.8)
WIDE = [10789, 19328, 33806, 19402, 10543]
NARROW = [39, 2226, 31451, 2412, 40]
# blocks of four rotations by how many of them the candidate won
BLOCKS = [70, 775, 152, 3, 0]


def ends(estimate: Estimate) -> tuple[float, float]:
    return estimate.lower, estimate.upper


def looks(share: float, seed: int, n_samples: int = 1000) -> np.ndarray:
    """Return wins after 100, 200, ... 10,000 playouts, shape (n_samples, 100)."""
    return stats.binom.rvs(100, share, size=(n_samples, 100), random_state=seed).cumsum(axis=1)


@pytest.mark.parametrize(
    ("count", "n", "limits", "against_wilson"),
    [
        (28, 100, (0.15340, 0.43607), 1.63),
        (280, 1000, (0.23146, 0.33224), 1.81),
        (2800, 10_000, (0.26286, 0.29758), 1.97),
        (28_000, 100_000, (0.27413, 0.28593), 2.12),
    ],
)
def test_beta_binomial_sequence_has_the_digits_of_the_method(
    count: int, n: int, limits: tuple[float, float], against_wilson: float
) -> None:
    sequence, fixed = beta_binomial_sequence(count, n), wilson(count, n)
    assert ends(sequence) == pytest.approx(limits, abs=FIVE_DIGITS)
    ratio = (sequence.upper - sequence.lower) / (fixed.upper - fixed.lower)
    assert ratio == pytest.approx(against_wilson, abs=0.0051)
    assert (sequence.value, sequence.mcse) == (fixed.value, fixed.mcse)


def test_the_ends_of_the_sequence_carry_evidence_of_one_over_alpha() -> None:
    sequence = beta_binomial_sequence(28, 100, 0.9)
    for end in ends(sequence):
        evidence = beta_binomial_log_evidence(28, 100, end)
        assert evidence == pytest.approx(math.log(10), rel=1e-12)


def test_sequence_of_no_or_only_wins_ends_at_the_end() -> None:
    # evidence against a share p after five losses is (1 / 6) / (1 - p)^5
    largest = 1 - (1 / 120) ** (1 / 5)
    assert ends(beta_binomial_sequence(0, 5)) == pytest.approx((0, largest), rel=1e-12)
    assert ends(beta_binomial_sequence(5, 5)) == pytest.approx((1 - largest, 1), rel=1e-12)


@pytest.mark.parametrize(("share", "naive_misses"), [(0.25, 0.375), (0.5, 0.387)])
def test_over_a_hundred_looks_the_sequence_holds_and_wilson_does_not(share: float, naive_misses: float) -> None:
    n_samples = 1000
    wins = looks(share, seed=51, n_samples=n_samples)
    playouts = 100 * np.arange(1, 101)
    bound = math.log(20)
    missed_naive = missed_sequence = 0
    for row in wins.tolist():
        pairs = list(zip(row, playouts.tolist(), strict=True))
        missed_naive += any(not fixed.lower <= share <= fixed.upper for fixed in (wilson(*pair) for pair in pairs))
        missed_sequence += any(beta_binomial_log_evidence(*pair, share) >= bound for pair in pairs)
    error = math.sqrt(naive_misses * (1 - naive_misses) / n_samples)
    assert abs(missed_naive / n_samples - naive_misses) < 4 * error
    assert missed_naive / n_samples >= 0.30
    assert missed_sequence / n_samples <= 0.006 + 4 * math.sqrt(0.006 * 0.994 / n_samples)


def test_looks_narrow_each_other() -> None:
    first, second = beta_binomial_sequence(40, 100), beta_binomial_sequence(290, 1000)
    both = narrowed(first, second)
    assert ends(both) == (max(first.lower, second.lower), min(first.upper, second.upper))
    assert both.n_playouts == 1000
    assert both.lower <= both.value <= both.upper


@pytest.mark.parametrize(("gained", "lost", "evidence"), [(10, 3, 2.046), (40, 20, 4.509), (69, 34, 49.75)])
def test_pair_e_value_has_the_digits_of_the_method(gained: int, lost: int, evidence: float) -> None:
    assert pair_e_value(gained, lost) == pytest.approx(evidence, rel=2e-4)
    assert pair_e_value(lost, gained) == pytest.approx(pair_e_value(gained, lost), rel=1e-12)
    assert always_valid_p(pair_log_e_value(gained, lost)) == pytest.approx(1 / evidence, rel=2e-4)


def test_pair_e_value_starts_at_one_and_outgrows_doubles_without_error() -> None:
    assert pair_e_value(0, 0) == 1
    assert pair_e_value(1, 0) == pytest.approx(1, rel=1e-14)
    assert pair_e_value(5000, 0) == math.inf
    assert pair_log_e_value(5000, 0) == pytest.approx(5000 * math.log(2) - math.log(5001), rel=1e-12)
    assert always_valid_p(pair_log_e_value(5000, 0)) == 0
    assert always_valid_p(-1.0) == 1


def test_pair_e_value_rarely_reaches_twenty_when_nothing_changed() -> None:
    n_samples, n = 1000, 400
    gained = stats.bernoulli.rvs(0.5, size=(n_samples, n), random_state=53).cumsum(axis=1)
    alarms = sum(
        any(pair_log_e_value(won, n_pairs + 1 - won) >= math.log(20) for n_pairs, won in enumerate(row))
        for row in gained.tolist()
    )
    assert 0 < alarms / n_samples <= 0.05


@pytest.mark.parametrize(
    ("n", "value", "reach"),
    [(100, 0.249210, 0.150579), (1000, 0.249550, 0.052832), (10_000, 0.249828, 0.020467)],
)
def test_empirical_bernstein_has_the_digits_of_the_method(n: int, value: float, reach: float) -> None:
    estimate = empirical_bernstein_sequence([0, 0, 0, 1] * (n // 4))
    assert estimate.value == pytest.approx(value, abs=SIX_DIGITS)
    assert estimate.upper - estimate.value == pytest.approx(reach, abs=SIX_DIGITS)
    assert estimate.value - estimate.lower == pytest.approx(reach, abs=SIX_DIGITS)
    assert estimate.n_playouts == n


def test_empirical_bernstein_never_leaves_the_range() -> None:
    assert ends(empirical_bernstein_sequence([0.0, 1.0])) == (0, 1)


def test_empirical_bernstein_holds_over_many_looks() -> None:
    n_samples, level = 300, 0.9
    quarters = stats.binom.rvs(4, 0.3, size=(n_samples, 400), random_state=57) / 4
    checked_at = (10, 20, 50, 100, 200, 400)
    misses = sum(
        any(
            not sequence.lower <= 0.3 <= sequence.upper
            for sequence in (empirical_bernstein_sequence(row[:n], level) for n in checked_at)
        )
        for row in quarters
    )
    assert misses / n_samples <= 0.1


@pytest.mark.parametrize(("n", "half_width"), [(1000, 0.02773), (10_000, 0.00691), (100_000, 0.00233)])
def test_asymptotic_sequence_has_the_digits_of_the_method(n: int, half_width: float) -> None:
    assert 0.2275 * asymptotic_reach(n, 10_000) == pytest.approx(half_width, abs=FIVE_DIGITS)


def test_asymptotic_sequence_is_narrowest_where_it_was_told() -> None:
    def excess(n: int, tightest_at: int) -> float:
        return asymptotic_reach(n, tightest_at) * math.sqrt(n)

    at_best = excess(10_000, 10_000)
    assert at_best < excess(10_000, 8_000)
    assert at_best < excess(10_000, 12_500)


def test_asymptotic_sequence_holds_the_sample_mean_and_error() -> None:
    sums = SampleSums.of_sample(stats.randint.rvs(-840, 841, size=500, random_state=59), 840)
    sequence = asymptotic_sequence(sums, 1000, 0.9)
    assert (sequence.value, sequence.mcse) == (mean(sums).value, mean(sums).mcse)
    reach = sums.sd * asymptotic_reach(500, 1000, 0.9)
    assert sequence.upper - sequence.value == pytest.approx(reach, rel=1e-12)


def test_asymptotic_sequence_holds_over_many_looks() -> None:
    wins = looks(0.25, seed=61)
    missed = sum(
        any(
            abs(sums.mean - 0.25) > sums.sd * asymptotic_reach(sums.n, 2000)
            for sums in (SampleSums.of_count(count, 100 * (place + 1)) for place, count in enumerate(row))
        )
        for row in wins[:400].tolist()
    )
    assert missed / 400 <= 0.05


@pytest.mark.parametrize(("n", "half_width"), [(1000, 0.06400), (10_000, 0.02079), (100_000, 0.00671)])
def test_stitched_boundary_has_the_digits_of_the_method(n: int, half_width: float) -> None:
    assert stitched_half_width(n) == pytest.approx(half_width, abs=FIVE_DIGITS)


def test_mixture_ratio_has_the_digits_of_the_method() -> None:
    early = mixture_log_ratio(2000, 0.0125, 0.05, 0.01**2)
    assert math.exp(early) == pytest.approx(5.4482, abs=FOUR_DIGITS)
    assert always_valid_p(early) == pytest.approx(0.1835, abs=FOUR_DIGITS)
    late = mixture_log_ratio(4000, 0.0125, 0.05, 0.01**2)
    assert math.exp(late) == pytest.approx(86.22, abs=0.0051)


def test_wald_bounds_of_five_percent_are_ln_19() -> None:
    bounds = stopping_bounds()
    assert (bounds.lower, bounds.upper) == pytest.approx((-2.944439, 2.944439), abs=SIX_DIGITS)
    lopsided = stopping_bounds(alpha=0.01, beta=0.1)
    assert lopsided.upper == pytest.approx(math.log(90), rel=1e-12)
    assert lopsided.lower == pytest.approx(math.log(0.1 / 0.99), rel=1e-12)


def test_a_test_stops_at_its_bounds() -> None:
    bounds = Bounds(-2.0, 3.0)
    expected = {
        -2.0: Decision.ACCEPT_NULL,
        -1.999: Decision.GO_ON,
        2.999: Decision.GO_ON,
        3.0: Decision.ACCEPT_ALTERNATIVE,
    }
    assert {ratio: bounds.decide(ratio) for ratio in expected} == expected


def test_bernoulli_ratio_and_its_expected_playouts_have_the_digits_of_the_method() -> None:
    assert bernoulli_log_ratio(1360, 5000, 0.25, 0.27) == pytest.approx(6.282648, abs=SIX_DIGITS)
    under_null, under_alternative = expected_playouts(0.25, 0.27, stopping_bounds())
    assert round(under_null) == 2570
    assert round(under_alternative) == 2527
    assert fixed_playouts(0.25, 0.27) == 5202


def test_bernoulli_test_keeps_its_error_rates_and_its_expected_playouts() -> None:
    n_samples, most = 400, 20_000
    bounds = stopping_bounds()
    expected = expected_playouts(0.25, 0.27, bounds)
    for share, wrong, playouts in (
        (0.25, Decision.ACCEPT_ALTERNATIVE, expected[0]),
        (0.27, Decision.ACCEPT_NULL, expected[1]),
    ):
        won = stats.bernoulli.rvs(share, size=(n_samples, most), random_state=63)
        win, loss = (bernoulli_log_ratio(count, 1, 0.25, 0.27) for count in (1, 0))
        ratios = np.cumsum(np.where(won, win, loss), axis=1)
        stopped = (ratios <= bounds.lower) | (ratios >= bounds.upper)
        assert stopped.any(axis=1).all()
        places = stopped.argmax(axis=1)
        last = ratios[np.arange(n_samples), places]
        errors = np.mean([bounds.decide(ratio) is wrong for ratio in last])
        assert errors <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / n_samples)
        mean_error = places.std() / math.sqrt(n_samples)
        assert abs((places + 1).mean() - playouts) < 4 * mean_error


def test_generalised_ratio_of_the_wide_self_test_has_the_published_digits() -> None:
    null, alternative = logistic_score(-3), logistic_score(1)
    assert generalised_log_ratio(WIDE, null, alternative) == pytest.approx(2.131068, abs=SIX_DIGITS)
    assert approximate_log_ratio(WIDE, null, alternative) == pytest.approx(2.131245, abs=SIX_DIGITS)


def test_the_narrow_self_test_has_the_published_digits() -> None:
    null, alternative = logistic_score(0.2), logistic_score(0.9)
    assert generalised_log_ratio(NARROW, null, alternative) == pytest.approx(2.162543, abs=SIX_DIGITS)
    assert score_law(NARROW).mean == pytest.approx(0.501299, abs=SIX_DIGITS)
    elo = score_elo(NARROW)
    assert elo.value == pytest.approx(0.9030, abs=FOUR_DIGITS)
    assert elo.mcse == pytest.approx(0.3380, abs=FOUR_DIGITS)
    reach = 1.959964 * elo.mcse
    assert ends(elo) == pytest.approx((elo.value - reach, elo.value + reach), abs=SIX_DIGITS)
    assert normalised_elo(NARROW, 2) == pytest.approx(3.4508, abs=FOUR_DIGITS)
    assert normalised_log_ratio(NARROW, 0.764, 3.439, 2) == pytest.approx(2.162843, abs=SIX_DIGITS)


@pytest.mark.parametrize(
    ("counts", "hypotheses", "reported", "formula"),
    # Stockfish pull request 4912
    [
        ([19, 5498, 15056, 5815, 15], (0, 2), 2.95, 2.9455),
        ([1, 2643, 8243, 2928, 0], (0.5, 2.5), 2.94, 2.9409),
    ],
)
def test_normalised_ratio_has_the_digits_reported_by_stockfish(
    counts: list[int], hypotheses: tuple[float, float], reported: float, formula: float
) -> None:
    ratio = normalised_log_ratio(counts, *hypotheses, 2)
    assert ratio == pytest.approx(formula, abs=FOUR_DIGITS)
    assert ratio == pytest.approx(reported, abs=0.0051)


def test_blocks_of_four_rotations_have_the_digits_of_the_method() -> None:
    law = score_law(BLOCKS)
    assert law.mean == pytest.approx(0.2720, abs=FOUR_DIGITS)
    assert law.variance == pytest.approx(0.014142, abs=SIX_DIGITS)
    assert generalised_log_ratio(BLOCKS, 0.25, 0.26) == pytest.approx(12.0248, abs=FOUR_DIGITS)
    assert approximate_log_ratio(BLOCKS, 0.25, 0.26) == pytest.approx(12.0219, abs=FOUR_DIGITS)
    assert generalised_log_ratio(BLOCKS, 0.25, 0.27) == pytest.approx(17.0495, abs=FOUR_DIGITS)


def test_generalised_ratio_of_two_scores_is_that_of_wins_and_losses() -> None:
    ratio = generalised_log_ratio([3640, 1360], 0.25, 0.27)
    assert ratio == pytest.approx(bernoulli_log_ratio(1360, 5000, 0.25, 0.27), rel=1e-9)


def test_tilted_laws_have_the_wanted_mean_and_are_laws() -> None:
    law = score_law(BLOCKS)
    for wanted in (0.1, 0.25, 0.26, 0.6):
        shares = tilted(law, wanted)
        assert shares @ law.scores == pytest.approx(wanted, rel=1e-9)
        assert shares.sum() == pytest.approx(1, rel=1e-9)
        assert (shares > 0).all()


def test_a_candidate_equal_to_the_baseline_is_accepted_as_no_better() -> None:
    # it wins exactly one of its four rotations in every block
    bounds = stopping_bounds()
    ratio = generalised_log_ratio([0, 1000, 0, 0, 0], 0.25, 0.26)
    assert bounds.decide(ratio) is Decision.ACCEPT_NULL


def test_block_test_keeps_its_error_rates() -> None:
    n_samples, n_looks, n_blocks = 600, 160, 50
    law, bounds = score_law([70, 775, 152, 3, 1]), stopping_bounds()
    for share, wrong in ((0.25, Decision.ACCEPT_ALTERNATIVE), (0.26, Decision.ACCEPT_NULL)):
        batches = stats.multinomial.rvs(n_blocks, tilted(law, share), size=(n_samples, n_looks), random_state=67)
        decisions = [first_decision(sample.cumsum(axis=0), bounds) for sample in batches]
        assert Decision.GO_ON not in decisions
        errors = np.mean([decision is wrong for decision in decisions])
        assert errors <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / n_samples)


def first_decision(counts_by_look: np.ndarray, bounds: Bounds) -> Decision:
    """Return the decision at the first look that stops."""
    for counts in counts_by_look.tolist():
        decision = bounds.decide(approximate_log_ratio(counts, 0.25, 0.26))
        if decision is not Decision.GO_ON:
            return decision
    return Decision.GO_ON


def test_elo_and_score_are_each_others_inverse() -> None:
    assert logistic_score(0) == 0.5
    assert logistic_score(400) == pytest.approx(10 / 11, rel=1e-15)
    assert logistic_elo(logistic_score(-37.5)) == pytest.approx(-37.5, rel=1e-12)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: beta_binomial_sequence(11, 10), r"count is 11 of 10"),
        (lambda: beta_binomial_sequence(1, 0), r"n_playouts is 0"),
        (lambda: beta_binomial_sequence(1, 10, 1), r"level is 1"),
        (lambda: beta_binomial_log_evidence(1, 10, 0), r"share is 0, .*ends excluded"),
        (
            lambda: narrowed(beta_binomial_sequence(5, 20), beta_binomial_sequence(5, 10)),
            r"looks have 20 and 10 playouts .*expected a later look",
        ),
        (
            lambda: narrowed(beta_binomial_sequence(5, 10), beta_binomial_sequence(5, 20, 0.9)),
            r"at levels 0\.95 and 0\.9",
        ),
        (
            lambda: narrowed(beta_binomial_sequence(0, 100), beta_binomial_sequence(999, 1000)),
            r"do not overlap",
        ),
        (lambda: pair_e_value(-1, 2), r"discordant playouts are -1 and 2"),
        (lambda: empirical_bernstein_sequence([0.5]), r"n_playouts is 1, expected at least 2"),
        (lambda: empirical_bernstein_sequence([0.5, 1.5]), r"number 1 is 1\.5, .*rescale"),
        (lambda: empirical_bernstein_sequence([0.5, math.nan]), r"number 1 is nan"),
        (lambda: empirical_bernstein_sequence([[0.5, 0.5]]), r"shape \(1, 2\), expected \(n,\)"),
        (lambda: asymptotic_reach(10, 0), r"tightest_at is 0"),
        (lambda: asymptotic_sequence(SampleSums(1, 1, 1), 10), r"n_playouts is 1"),
        (lambda: stitched_half_width(3), r"n_playouts is 3, expected at least 4"),
        (lambda: mixture_log_ratio(10, 0.1, 0, 0.1), r"variance is 0, expected a positive"),
        (lambda: mixture_log_ratio(10, 0.1, 0.1, -1), r"prior_variance is -1"),
        (lambda: stopping_bounds(alpha=5), r"alpha is 5, .*write 0\.05"),
        (lambda: stopping_bounds(0.5, 0.5), r"alpha and beta are 0\.5 and 0\.5"),
        (lambda: bernoulli_log_ratio(1, 10, 0.25, 0.25), r"null and alternative are both 0\.25"),
        (lambda: bernoulli_log_ratio(1, 10, 0, 0.25), r"null is 0"),
        (lambda: generalised_log_ratio([5], 0.2, 0.3), r"number of scores is 1"),
        (lambda: generalised_log_ratio([5, -1], 0.2, 0.3), r"counts of scores are \[5, -1\]"),
        (lambda: generalised_log_ratio([0, 0], 0.2, 0.3), r"not all 0"),
        (lambda: generalised_log_ratio([5, 5], 0.2, 1), r"alternative is 1"),
        (lambda: normalised_log_ratio([5, 5], 2, 2, 2), r"both 2 Elo"),
        (lambda: normalised_elo([5, 5], 0), r"plays_per_score is 0"),
        (lambda: logistic_elo(1), r"score is 1"),
    ],
)
def test_impossible_inputs_are_refused_with_what_to_do(refused: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        refused()
