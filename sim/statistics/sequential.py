"""Looking while playing: intervals that hold at every look, and tests that stop by themselves.

A 95 % interval looked at again and again is wrong far more often than 5 %. Three tools stay right:
confidence sequences (an interval for every n at once, for live displays), e-values (evidence that
may be read at any time, for pairs of variants), and sequential probability ratio tests (stop as
soon as one of two hypotheses is decided). After a test has stopped, its own data exaggerate the
effect: estimate it again on fresh playouts.

Looks happen at playout counts fixed in a plan. Shares and lifts are proportions.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from sim.statistics.bounded import within
from sim.statistics.checks import (
    FEWEST_FOR_VARIANCE,
    check_count,
    check_error_rate,
    check_inner_share,
    check_level,
    check_n,
    check_whole,
)
from sim.statistics.distributions import EVEN_CHANCE, log_beta, normal_quantile
from sim.statistics.estimate import DEFAULT_LEVEL, Estimate, SampleSums, binomial_error, refuse_payoffs_beyond_one

FloatArray = NDArray[np.float64]

# Where the search for the ends of a sequence stops: below the digits of a double.
N_HALVINGS = 200

# Howard et al. (2021), equation 2: a stitched boundary that is simple and near its best.
STITCHED_FACTOR = 1.7
STITCHED_WEIGHT = 0.72
STITCHED_OFFSET = 5.2
LARGEST_VARIANCE = 0.25

# Waudby-Smith and Ramdas (2024), section 3.2: bets never exceed half of the stake.
LARGEST_BET = 0.5
PRIOR_VARIANCE = 0.25

# Fishtest counts a result that never happened as a thousandth of one.
UNSEEN_COUNT = 1e-3
ELO_SCALE = 400.0
ELO_BASE = 10.0
LARGEST_EXPONENT = 700.0


class Decision(StrEnum):
    """What a sequential test says after a look."""

    GO_ON = "go on"
    ACCEPT_NULL = "accept null"
    ACCEPT_ALTERNATIVE = "accept alternative"


def beta_binomial_log_evidence(count: int, n: int, share: float) -> float:
    """Return the log of the evidence against a share, after any number of looks.

    Args:
        count: Playouts won.
        n: Playouts.
        share: Share under test, strictly between 0 and 1.

    Returns:
        Log of an e-value (uniform prior on the share): its chance ever to exceed log(1 / alpha) is
        at most alpha when the share is right.

    Raises:
        ValueError: n below 1, a count outside 0 to n, or a share at or beyond 0 or 1.

    Source: Robbins (1970), Ann. Math. Stat. 41, 1397-1409.

    """
    n_checked = check_n(n)
    won = check_count(count, n_checked)
    inner = check_inner_share(share, "share")
    return log_evidence(won, n_checked, inner)


def log_evidence(count: float, n: int, share: float) -> float:
    """Return the same for checked arguments; infinite where a share at an end is refuted."""
    evidence = log_beta(1 + count, 1 + n - count)
    if count:
        evidence -= count * math.log(share) if share > 0 else -math.inf
    if n - count:
        evidence -= (n - count) * math.log1p(-share) if share < 1 else -math.inf
    return evidence


def beta_binomial_sequence(count: int, n: int, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a win share with an interval that holds at every look, the default for looks.

    The confidence sequence is exact: it rests on no large sample.

    Args:
        count: Playouts won so far.
        n: Playouts so far.
        level: Confidence that all intervals of all looks hold the share.

    Raises:
        ValueError: n below 1, a count outside 0 to n, or a wrong level.

    Source: Robbins (1970), Ann. Math. Stat. 41, 1397-1409; Howard, Ramdas, McAuliffe and Sekhon
        (2021), Ann. Stat. 49, 1055-1080.

    """
    n_checked = check_n(n)
    won = check_count(count, n_checked)
    threshold = -math.log(1 - check_level(level))

    def is_inside(share: float) -> bool:
        return log_evidence(won, n_checked, share) < threshold

    value = won / n_checked
    lower = edge(is_inside, value, 0.0)
    upper = edge(is_inside, value, 1.0)
    return Estimate(value, binomial_error(value, n_checked), lower, upper, level, n_checked)


def share_sequence(sums: SampleSums, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a mean of payoffs from 0 to 1 with an interval that holds at every look, also when ties split the point.

    The evidence of wins and losses is convex in the payoff, so that a split point never carries more of it than a
    win and a loss in its proportions: with payoffs between 0 and 1 it still is an e-value, and the interval is exact,
    if wider than it need be. Without split points it is `beta_binomial_sequence`.

    Args:
        sums: Integer sums of payoffs so far.
        level: Confidence that all intervals of all looks hold the mean.

    Raises:
        ValueError: A payoff below 0 or above 1, or a wrong level.

    Source: Robbins (1970), Ann. Math. Stat. 41, 1397-1409, with Jensen's inequality.

    """
    refuse_payoffs_beyond_one(sums)
    threshold = -math.log(1 - check_level(level))
    value = sums.mean
    won = value * sums.n
    spread = max(0.0, sums.total_of_squares / (sums.n * sums.unit**2) - value**2)

    def is_inside(share: float) -> bool:
        return log_evidence(won, sums.n, share) < threshold

    lower, upper = edge(is_inside, value, 0.0), edge(is_inside, value, 1.0)
    return Estimate(value, math.sqrt(spread / sums.n), lower, upper, level, sums.n)


def edge(is_inside: Callable[[float], bool], inside: float, outside: float) -> float:
    """Return where a set that holds `inside` ends on the way to `outside`."""
    return outside if is_inside(outside) else halved(is_inside, inside, outside)


def halved(is_inside: Callable[[float], bool], inside: float, outside: float) -> float:
    """Return the same by halving, without a look at the two ends."""
    for _ in range(N_HALVINGS):
        middle = (inside + outside) / 2
        if middle in (inside, outside):
            break
        if is_inside(middle):
            inside = middle
        else:
            outside = middle
    return inside


def narrowed(earlier: Estimate, later: Estimate) -> Estimate:
    """Return the later look of a confidence sequence, kept within the earlier one.

    All looks hold the truth together, so their overlap does.

    Args:
        earlier: An earlier look, itself perhaps narrowed.
        later: The look with more playouts.

    Raises:
        ValueError: The looks are out of order, at other levels, or do not overlap.

    """
    if later.n_playouts < earlier.n_playouts or later.level != earlier.level:
        message = (
            f"looks have {earlier.n_playouts} and {later.n_playouts} playouts at levels "
            f"{earlier.level} and {later.level}; expected a later look at one level"
        )
        raise ValueError(message)
    lower, upper = max(earlier.lower, later.lower), min(earlier.upper, later.upper)
    if lower > upper:
        message = (
            f"the looks {earlier.lower} to {earlier.upper} and {later.lower} to {later.upper} do "
            "not overlap; are they of one quantity? (by chance this happens in less than 1 - level)"
        )
        raise ValueError(message)
    value = min(max(later.value, lower), upper)
    return Estimate(value, later.mcse, lower, upper, later.level, later.n_playouts)


def pair_log_e_value(only_variant: int, only_baseline: int) -> float:
    """Return the log of the evidence that a change matters, from discordant playouts alone.

    Args:
        only_variant: Playouts won in the variant alone.
        only_baseline: Playouts won in the baseline alone.

    Raises:
        ValueError: A count is negative or not whole.

    """
    gained = check_whole(only_variant, "only_variant")
    lost = check_whole(only_baseline, "only_baseline")
    if min(gained, lost) < 0:
        message = f"discordant playouts are {gained} and {lost}, expected counts of 0 or more"
        raise ValueError(message)
    if gained + lost == 0:
        return 0.0
    return log_evidence(gained, gained + lost, EVEN_CHANCE)


def pair_e_value(only_variant: int, only_baseline: int) -> float:
    """Return the evidence that a change matters; at 20 or more reject at 5 %, at any look.

    Args:
        only_variant: Playouts won in the variant alone.
        only_baseline: Playouts won in the baseline alone.

    Returns:
        An e-value: 1 says nothing; its expectation is at most 1 when the change does not matter.
        See `pair_log_e_value` where it would overflow to infinity.

    Raises:
        ValueError: A count is negative or not whole.

    Source: Robbins (1970), Ann. Math. Stat. 41, 1397-1409.

    """
    return safe_exp(pair_log_e_value(only_variant, only_baseline))


def always_valid_p(log_e_value: float) -> float:
    """Return the p-value that may be read at any look: 1 over the evidence, at most 1."""
    return min(1.0, safe_exp(-log_e_value))


def safe_exp(exponent: float) -> float:
    """Return exp, infinite where a double ends."""
    return math.inf if exponent > LARGEST_EXPONENT else math.exp(exponent)


def empirical_bernstein_sequence(sample: Sequence[float] | FloatArray, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate the mean of numbers from 0 to 1 with the interval of a confidence sequence.

    It makes no other assumption and fits split points and differences rescaled to 0 to 1. It needs
    the numbers in their order of play, one per playout or per block of equal size.

    Args:
        sample: Numbers from 0 to 1 in order, shape (n,).
        level: Confidence that the intervals of all n hold the mean.

    Returns:
        The mean weighted by the bets, with its interval; `mcse` is that of the plain mean.

    Raises:
        ValueError: Fewer than two numbers, one outside 0 to 1, or a wrong level.

    Source: Waudby-Smith and Ramdas (2024), J. R. Stat. Soc. B 86, 1-27, theorem 2.

    """
    numbers = check_unit_sample(sample)
    log_threshold = math.log(2 / (1 - check_level(level)))
    means, variances = predictions(numbers)
    order = np.arange(1, len(numbers) + 1)
    bets = np.sqrt(2 * log_threshold / (variances * order * np.log1p(order)))
    bets = np.minimum(bets, LARGEST_BET)
    costs = (-np.log1p(-bets) - bets) * (numbers - means) ** 2
    total = math.fsum(bets)
    value = math.fsum(bets * numbers) / total
    reach = (log_threshold + math.fsum(costs)) / total
    error = float(np.std(numbers, ddof=1)) / math.sqrt(len(numbers))
    lower, upper = max(0.0, value - reach), min(1.0, value + reach)
    return Estimate(value, error, lower, upper, level, len(numbers))


def check_unit_sample(sample: Sequence[float] | FloatArray) -> FloatArray:
    """Return the sample as an array.

    Raises:
        ValueError: There are fewer than two numbers, or one is not from 0 to 1.

    """
    numbers = np.asarray(sample, dtype=np.float64)
    if numbers.ndim != 1:
        message = f"sample has shape {numbers.shape}, expected (n,)"
        raise ValueError(message)
    check_n(numbers.size, FEWEST_FOR_VARIANCE)
    wrong = ~((numbers >= 0) & (numbers <= 1))
    if wrong.any():
        place = int(np.argmax(wrong))
        message = f"number {place} is {numbers[place]}, expected 0 to 1; rescale by the known range"
        raise ValueError(message)
    return numbers


def predictions(numbers: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance as guessed before each number, starting from 1/2 and 1/4."""
    order = np.arange(1, len(numbers) + 1)
    means = (EVEN_CHANCE + np.cumsum(numbers)) / (order + 1)
    variances = (PRIOR_VARIANCE + np.cumsum((numbers - means) ** 2)) / (order + 1)
    return before(means, EVEN_CHANCE), before(variances, PRIOR_VARIANCE)


def before(series: FloatArray, first: float) -> FloatArray:
    """Return a series one place later, with its first value put in front."""
    return np.concatenate(([first], series[:-1]))


def asymptotic_sequence(sums: SampleSums, tightest_at: int, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate any mean with the interval of a confidence sequence that holds for large samples.

    Args:
        sums: Integer sums so far (of a lift: `PairedSums.lift_sums()`).
        tightest_at: Playouts at which the interval shall be narrowest; fixed beforehand.
        level: Confidence that the intervals of all looks hold the mean.

    Raises:
        ValueError: Fewer than two playouts, a wrong level, or no playout to be narrowest at.

    Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), Ann. Stat. 52, 2613-2640.

    """
    reach = sums.sd * asymptotic_reach(sums.n, tightest_at, level)
    value, error = sums.mean, sums.standard_error
    return Estimate(value, error, value - reach, value + reach, level, sums.n)


def asymptotic_reach(n: int, tightest_at: int, level: float = DEFAULT_LEVEL) -> float:
    """Return the half-width of the asymptotic confidence sequence, in standard deviations.

    Args:
        n: Playouts so far.
        tightest_at: Playouts at which it is narrowest.
        level: Confidence level over all looks.

    Raises:
        ValueError: A count below 1 or a wrong level.

    """
    n_checked = check_n(n)
    log_alpha = math.log(1 - check_level(level))
    best = (-2 * log_alpha + math.log(1 - 2 * log_alpha)) / check_n(tightest_at, name="tightest_at")
    grown = n_checked * best + 1
    square = 2 * grown / (n_checked**2 * best) * (math.log(grown) / 2 - log_alpha)
    return math.sqrt(square)


def at_every_look(
    estimate: Estimate, tightest_at: int, limits: tuple[float, float] = (-1.0, 1.0), n: float | None = None
) -> Estimate:
    """Return an estimate with an interval that holds at every look, for large samples, instead of its own.

    It serves whatever is a mean of many playouts, nearly: lifts, shares of rotated line-ups, ratios. Playouts at the
    ends of what is possible are mixed into the spread, as many as the boundary squared, so that neither playouts that
    all agree nor a few that differ to one side are taken for certainty.

    Args:
        estimate: The estimate at this look.
        tightest_at: Playouts at which the interval shall be narrowest; fixed beforehand.
        limits: Lowest and highest value that one playout can show, in the estimate's unit.
        n: Playouts that contribute to the estimate; all of them if None.

    Raises:
        ValueError: No playout to be narrowest at.

    Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), Ann. Stat. 52, 2613-2640.

    """
    n_playouts = estimate.n_playouts
    boundary = asymptotic_reach(n_playouts, tightest_at, estimate.level) * math.sqrt(n_playouts)
    return within(estimate, n_playouts if n is None else n, limits, boundary)


def stitched_half_width(n: int, level: float = DEFAULT_LEVEL) -> float:
    """Return the half-width of a sequence for any mean of numbers from 0 to 1, in closed form.

    It assumes the largest variance, so it is loose for shares far from 1/2.

    Args:
        n: Playouts so far, at least 4 (one unit of variance).
        level: Confidence level over all looks.

    Raises:
        ValueError: Too few playouts or a wrong level.

    Source: Howard, Ramdas, McAuliffe and Sekhon (2021), Ann. Stat. 49, 1055-1080, equation 2.

    """
    n_checked = check_n(n, math.ceil(1 / LARGEST_VARIANCE))
    one_sided = (1 - check_level(level)) / 2
    variance = n_checked * LARGEST_VARIANCE
    looks = STITCHED_WEIGHT * math.log(STITCHED_OFFSET / one_sided)
    shape = math.log(math.log(2 * variance)) + looks
    return STITCHED_FACTOR * math.sqrt(variance * shape) / n_checked


def mixture_log_ratio(n: int, mean: float, variance: float, prior_variance: float) -> float:
    """Return the log of the mixture likelihood ratio of a mean against 0.

    Args:
        n: Playouts (pairs of playouts) so far.
        mean: Their mean lift.
        variance: Variance of one lift between playouts.
        prior_variance: Variance of the true lift among changes like this, fixed beforehand.

    Returns:
        Log of the ratio, an e-value for large samples: `always_valid_p` turns it into a p-value.

    Raises:
        ValueError: n below 1 or a variance that is not positive.

    Source: Johari, Koomen, Pekelis and Walsh (2022), Oper. Res. 70, 1806-1821.

    """
    n_checked = check_n(n)
    for name, number in (("variance", variance), ("prior_variance", prior_variance)):
        if not 0 < number < math.inf:
            message = f"{name} is {number}, expected a positive number"
            raise ValueError(message)
    total = variance + n_checked * prior_variance
    gain = n_checked**2 * prior_variance * mean**2 / (2 * variance * total)
    return math.log(variance / total) / 2 + gain


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where a sequential probability ratio test stops.

    Attributes:
        lower: At or below this log-likelihood ratio the null is accepted.
        upper: At or above it the alternative is.

    """

    lower: float
    upper: float

    def decide(self, log_ratio: float) -> Decision:
        """Return the decision at a look."""
        if log_ratio <= self.lower:
            return Decision.ACCEPT_NULL
        if log_ratio >= self.upper:
            return Decision.ACCEPT_ALTERNATIVE
        return Decision.GO_ON


def stopping_bounds(alpha: float = 0.05, beta: float = 0.05) -> Bounds:
    """Return Wald's bounds of a sequential probability ratio test.

    Args:
        alpha: Chance of accepting the alternative when the null is true.
        beta: Chance of accepting the null when the alternative is true.

    Raises:
        ValueError: A chance is not between 0 and 1, or the two leave nothing to test.

    Source: Wald (1945), Ann. Math. Stat. 16, 117-186.

    """
    miss, alarm = check_error_rate(beta, "beta"), check_error_rate(alpha, "alpha")
    if miss + alarm >= 1:
        message = f"alpha and beta are {alarm} and {miss}, expected a sum below 1; write 0.05 for both"
        raise ValueError(message)
    return Bounds(math.log(miss / (1 - alarm)), math.log((1 - miss) / alarm))


def check_hypotheses(null: float, alternative: float) -> tuple[float, float]:
    """Return both shares.

    Raises:
        ValueError: A share is not strictly between 0 and 1, or the two are equal.

    """
    shares = check_inner_share(null, "null"), check_inner_share(alternative, "alternative")
    if null == alternative:
        message = f"null and alternative are both {null}; name two shares to tell apart"
        raise ValueError(message)
    return shares


def bernoulli_log_ratio(count: int, n: int, null: float, alternative: float) -> float:
    """Return the log-likelihood ratio of two win shares.

    Args:
        count: Playouts won.
        n: Playouts.
        null: Share under the null.
        alternative: Share under the alternative.

    Raises:
        ValueError: Impossible counts or shares.

    Source: Wald (1945), Ann. Math. Stat. 16, 117-186.

    """
    n_checked = check_n(n)
    won = check_count(count, n_checked)
    before_it, after_it = check_hypotheses(null, alternative)
    lost_ratio = math.log1p(-after_it) - math.log1p(-before_it)
    return won * math.log(after_it / before_it) + (n_checked - won) * lost_ratio


def expected_playouts(null: float, alternative: float, bounds: Bounds) -> tuple[float, float]:
    """Return how many playouts a test of two win shares takes on average.

    Args:
        null: Share under the null.
        alternative: Share under the alternative.
        bounds: Where the test stops.

    Returns:
        Expected playouts when the null is true and when the alternative is, in Wald's
        approximation, which leaves out the overshoot of the last playout.

    Raises:
        ValueError: Impossible shares.

    """
    before_it, after_it = check_hypotheses(null, alternative)
    win, loss = math.log(after_it / before_it), math.log((1 - after_it) / (1 - before_it))
    alarm = (1 - math.exp(bounds.lower)) / (math.exp(bounds.upper) - math.exp(bounds.lower))
    found = alarm * math.exp(bounds.upper)
    stops = [chance * bounds.upper + (1 - chance) * bounds.lower for chance in (alarm, found)]
    drifts = [share * win + (1 - share) * loss for share in (before_it, after_it)]
    return stops[0] / drifts[0], stops[1] / drifts[1]


def fixed_playouts(null: float, alternative: float, alpha: float = 0.05, beta: float = 0.05) -> int:
    """Return how many playouts a one-sided test of two win shares takes without looking.

    Args:
        null: Share under the null.
        alternative: Share under the alternative.
        alpha: Chance of a false alarm.
        beta: Chance of a miss.

    Raises:
        ValueError: Impossible shares or chances.

    """
    before_it, after_it = check_hypotheses(null, alternative)
    alarm = normal_quantile(1 - 2 * check_error_rate(alpha, "alpha"))
    miss = normal_quantile(1 - 2 * check_error_rate(beta, "beta"))
    spreads = [math.sqrt(share * (1 - share)) for share in (before_it, after_it)]
    reach = alarm * spreads[0] + miss * spreads[1]
    return math.ceil((reach / (after_it - before_it)) ** 2)


@dataclass(frozen=True, slots=True)
class ScoreLaw:
    """How often each of several equally spaced scores came up.

    Attributes:
        n: Scores (blocks of rotations, pairs of games).
        scores: The scores from 0 to 1, shape (n_scores,).
        shares: Share of each, shape (n_scores,), sums to one; none is 0.

    """

    n: float
    scores: FloatArray
    shares: FloatArray

    @property
    def mean(self) -> float:
        """Mean score."""
        return float(self.shares @ self.scores)

    @property
    def variance(self) -> float:
        """Variance of one score."""
        return float(self.shares @ (self.scores - self.mean) ** 2)


def score_law(counts: Sequence[int]) -> ScoreLaw:
    """Return the law of scores 0, 1/k, ... 1 from how often each came up.

    Args:
        counts: How often each score came up, lowest score first, shape (k + 1,). A block of four
            rotations has five scores: wins of the candidate in 0 to 4 of them.

    Returns:
        The law, in which a score that never came up counts as a thousandth of one.

    Raises:
        ValueError: Fewer than two scores, a negative count, or no count at all.

    """
    whole = [check_whole(count, "count") for count in counts]
    n_scores = check_n(len(whole), FEWEST_FOR_VARIANCE, "number of scores")
    if min(whole) < 0 or sum(whole) == 0:
        message = f"counts of scores are {whole}, expected numbers of 0 or more, not all 0"
        raise ValueError(message)
    seen = np.array([count or UNSEEN_COUNT for count in whole], dtype=np.float64)
    total = math.fsum(seen)
    return ScoreLaw(total, np.linspace(0.0, 1.0, n_scores), seen / total)


def tilted(law: ScoreLaw, mean: float) -> FloatArray:
    """Return the most likely shares of the scores among those with a given mean.

    Args:
        law: Observed law.
        mean: Wanted mean, strictly between 0 and 1.

    Returns:
        Shares, shape (n_scores,).

    Source: Owen (1988), Biometrika 75, 237-249; Van den Bergh's notes on the generalised SPRT.

    """
    gaps = law.scores - mean

    def leans_right(weight: float) -> bool:
        return float(law.shares @ (gaps / (1 + weight * gaps))) > 0

    # the balance falls from infinity to minus infinity between the poles of the largest gaps
    weight = halved(leans_right, -1 / gaps[-1], -1 / gaps[0])
    return np.asarray(law.shares / (1 + weight * gaps))


def generalised_log_ratio(counts: Sequence[int], null: float, alternative: float) -> float:
    """Return the log-likelihood ratio of two mean scores, each at its most likely law.

    Args:
        counts: How often each score came up, lowest score first, shape (k + 1,).
        null: Mean score under the null (1/4 when nobody of four is better).
        alternative: Mean score under the alternative.

    Raises:
        ValueError: Impossible counts or means.

    Source: Stockfish's testing framework (LLRcalc), after Van den Bergh.

    """
    law = score_law(counts)
    before_it, after_it = check_hypotheses(null, alternative)
    ratio = np.log(tilted(law, after_it)) - np.log(tilted(law, before_it))
    return law.n * float(law.shares @ ratio)


def approximate_log_ratio(counts: Sequence[int], null: float, alternative: float) -> float:
    """Return the log-likelihood ratio of two mean scores in the normal approximation.

    Args:
        counts: How often each score came up, lowest score first, shape (k + 1,).
        null: Mean score under the null.
        alternative: Mean score under the alternative.

    Raises:
        ValueError: Impossible counts or means.

    """
    law = score_law(counts)
    before_it, after_it = check_hypotheses(null, alternative)
    lean = 2 * law.mean - before_it - after_it
    return law.n * (after_it - before_it) * lean / (2 * law.variance)


def logistic_score(elo: float) -> float:
    """Return the score of two seats that an Elo difference predicts."""
    return 1 / (1 + math.pow(ELO_BASE, -elo / ELO_SCALE))


def logistic_elo(score: float) -> float:
    """Return the Elo difference behind a score of two seats.

    Raises:
        ValueError: The score is not strictly between 0 and 1.

    """
    inner = check_inner_share(score, "score")
    return ELO_SCALE * math.log(inner / (1 - inner), ELO_BASE)


def score_elo(counts: Sequence[int], level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate the Elo difference of two seats from counts of equally spaced scores.

    Args:
        counts: How often each score came up, lowest score first.
        level: Confidence level of the linearised interval.

    Returns:
        Elo points; `n_playouts` counts the scores.

    Raises:
        ValueError: Impossible counts or level.

    """
    law = score_law(counts)
    quantile = normal_quantile(check_level(level))
    slope = ELO_SCALE / math.log(ELO_BASE) / (law.mean * (1 - law.mean))
    value, error = logistic_elo(law.mean), slope * math.sqrt(law.variance / law.n)
    reach = quantile * error
    return Estimate(value, error, value - reach, value + reach, level, sum(counts))


def signal(law: ScoreLaw, plays_per_score: int) -> float:
    """Return the mean score above 1/2 in standard deviations of one play."""
    return (law.mean - EVEN_CHANCE) / math.sqrt(law.variance * plays_per_score)


def normalised_elo(counts: Sequence[int], plays_per_score: int) -> float:
    """Return the Elo difference in a scale that draws do not shrink.

    Args:
        counts: How often each score came up, lowest score first.
        plays_per_score: Plays behind one score: 2 when a score is that of a pair.

    Raises:
        ValueError: Impossible counts.

    Source: Van den Bergh, "Normalized Elo", notes to Stockfish's testing framework.

    """
    plays = check_n(plays_per_score, name="plays_per_score")
    return signal(score_law(counts), plays) * ELO_SCALE * 2 / math.log(ELO_BASE)


def normalised_log_ratio(counts: Sequence[int], null_elo: float, alternative_elo: float, plays_per_score: int) -> float:
    """Return the log-likelihood ratio of two normalised Elo differences.

    Args:
        counts: How often each score came up, lowest score first.
        null_elo: Normalised Elo under the null.
        alternative_elo: Normalised Elo under the alternative.
        plays_per_score: Plays behind one score: 2 when a score is that of a pair.

    Raises:
        ValueError: Impossible counts, or equal hypotheses.

    Source: Van den Bergh, "Normalized Elo", notes to Stockfish's testing framework.

    """
    if null_elo == alternative_elo:
        message = f"null and alternative are both {null_elo} Elo; name two to tell apart"
        raise ValueError(message)
    law, plays = score_law(counts), check_n(plays_per_score, name="plays_per_score")
    seen = signal(law, plays)
    scale = math.log(ELO_BASE) / (2 * ELO_SCALE)
    null_gap, gap = seen - scale * null_elo, seen - scale * alternative_elo
    return law.n * plays / 2 * (math.log1p(null_gap**2) - math.log1p(gap**2))
