"""Lifts: how much a variant changes a share or a mean, from the same playouts on both sides.

Two variants that play the same playout numbers with common random numbers differ only where the
change matters. With whole wins, four counts tell everything (`PairedCounts`); with split points or
lengths, sums and the sum of products do (`PairedSums`). A lift is variant minus baseline, as a
proportion (or in the quantity's own unit); a caller scales it to percentage points.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.statistics.checks import (
    FEWEST_FOR_VARIANCE,
    check_count,
    check_level,
    check_n,
    check_whole,
    refuse_truncation_for_mean,
)
from sim.statistics.distributions import (
    chi_square_tail,
    fair_coin_chance,
    fair_coin_lower_tail,
    normal_quantile,
)
from sim.statistics.estimate import (
    DEFAULT_LEVEL,
    PRIOR_COUNT,
    Estimate,
    SampleSums,
    binomial_error,
    dot,
    mean,
    paired_whole_numbers,
    score_limits,
    wilson,
)


@dataclass(frozen=True, slots=True)
class PairedCounts:
    """In how many playouts each side won, over the same playouts.

    Attributes:
        both: Playouts won in the variant and in the baseline.
        only_variant: Playouts won in the variant alone.
        only_baseline: Playouts won in the baseline alone.
        neither: Playouts won in neither.

    """

    both: int
    only_variant: int
    only_baseline: int
    neither: int

    def __post_init__(self) -> None:
        """Make Python integers of the counts and refuse a table that cannot be.

        Raises:
            ValueError: A count is negative or not whole, or there are no playouts.

        """
        counts = {name: getattr(self, name) for name in self.__slots__}
        for name, count in counts.items():
            whole = check_whole(count, name)
            if whole < 0:
                message = f"{name} is {whole}, expected a count of playouts, 0 or more"
                raise ValueError(message)
            object.__setattr__(self, name, whole)
        check_n(self.n)

    @property
    def n(self) -> int:
        """Playouts."""
        return self.both + self.only_variant + self.only_baseline + self.neither

    @property
    def variant_wins(self) -> int:
        """Playouts won in the variant."""
        return self.both + self.only_variant

    @property
    def baseline_wins(self) -> int:
        """Playouts won in the baseline."""
        return self.both + self.only_baseline

    @property
    def n_discordant(self) -> int:
        """Playouts in which the two sides differ."""
        return self.only_variant + self.only_baseline

    @property
    def lift(self) -> float:
        """Share won in the variant minus share won in the baseline."""
        return (self.only_variant - self.only_baseline) / self.n

    @property
    def standard_error(self) -> float:
        """Large-sample standard error of the lift."""
        excess = self.only_variant - self.only_baseline
        return math.sqrt(self.n_discordant - excess**2 / self.n) / self.n

    def sums(self) -> "PairedSums":
        """Return the same playouts as sums of zeros and ones."""
        won, won_before = self.variant_wins, self.baseline_wins
        return PairedSums(self.n, won, won_before, won, won_before, self.both)


@dataclass(frozen=True, slots=True)
class PairedSums:
    """Integer sums of one quantity in variant and baseline, over the same playouts.

    Attributes:
        n: Playouts.
        variant: Sum in the variant, in units.
        baseline: Sum in the baseline.
        variant_squared: Sum of squares in the variant.
        baseline_squared: Sum of squares in the baseline.
        product: Sum over playouts of variant times baseline.
        unit: How many units make 1; 840 for payoffs, 1 for turns.

    """

    n: int
    variant: int
    baseline: int
    variant_squared: int
    baseline_squared: int
    product: int
    unit: int = 1

    def __post_init__(self) -> None:
        """Make Python integers of the sums and refuse sums that no paired sample has.

        Raises:
            ValueError: A sum is not whole or the sums contradict each other.

        """
        for name in ("variant", "baseline", "variant_squared", "baseline_squared", "product"):
            object.__setattr__(self, name, check_whole(getattr(self, name), name))
        object.__setattr__(self, "n", check_n(self.n))
        object.__setattr__(self, "unit", check_n(self.unit, name="unit"))
        self.variant_sums()
        self.baseline_sums()
        self.lift_sums()

    @classmethod
    def of_samples(cls, variant: NDArray[np.integer], baseline: NDArray[np.integer], unit: int = 1) -> "PairedSums":
        """Return the sums of two whole-number samples over the same playouts, shape (n_playouts,).

        Raises:
            ValueError: The samples differ in length.

        """
        after, before = paired_whole_numbers(variant, baseline)
        return cls(
            n=len(after),
            variant=sum(after),
            baseline=sum(before),
            variant_squared=dot(after, after),
            baseline_squared=dot(before, before),
            product=dot(after, before),
            unit=unit,
        )

    def variant_sums(self) -> SampleSums:
        """Return the sums of the variant alone."""
        return SampleSums(self.n, self.variant, self.variant_squared, self.unit)

    def baseline_sums(self) -> SampleSums:
        """Return the sums of the baseline alone."""
        return SampleSums(self.n, self.baseline, self.baseline_squared, self.unit)

    def lift_sums(self) -> SampleSums:
        """Return the sums of variant minus baseline per playout."""
        squares = self.variant_squared - 2 * self.product + self.baseline_squared
        return SampleSums(self.n, self.variant - self.baseline, squares, self.unit)

    def __add__(self, other: "PairedSums") -> "PairedSums":
        """Merge the sums of two disjoint sets of playouts.

        Raises:
            ValueError: The two are in different units.

        """
        if self.unit != other.unit:
            message = f"units are {self.unit} and {other.unit}; merge sums in one unit"
            raise ValueError(message)
        return PairedSums(
            n=self.n + other.n,
            variant=self.variant + other.variant,
            baseline=self.baseline + other.baseline,
            variant_squared=self.variant_squared + other.variant_squared,
            baseline_squared=self.baseline_squared + other.baseline_squared,
            product=self.product + other.product,
            unit=self.unit,
        )


def refuse_unpaired(variant_playouts: Sequence[int], baseline_playouts: Sequence[int]) -> None:
    """Stop if two samples do not hold the same playouts in the same order.

    Args:
        variant_playouts: Playout numbers of the variant, shape (n_playouts,).
        baseline_playouts: Playout numbers of the baseline.

    Raises:
        ValueError: The numbers differ.

    """
    if not np.array_equal(np.asarray(variant_playouts), np.asarray(baseline_playouts)):
        message = (
            f"variant and baseline hold {len(variant_playouts)} and {len(baseline_playouts)} "
            "playouts that are not the same; run both with one seed and the same playout numbers"
        )
        raise ValueError(message)


def lift(sums: PairedSums, level: float = DEFAULT_LEVEL, n_truncated: int = 0) -> Estimate:
    """Estimate the mean change from baseline to variant over paired playouts.

    It also serves split points, which are not wins or losses.

    Args:
        sums: Sums over the same playouts on both sides.
        level: Confidence level.
        n_truncated: Playouts that hit the turn limit on either side.

    Returns:
        Variant minus baseline: a proportion for payoffs, turns for lengths.

    Raises:
        ValueError: Fewer than two playouts, a wrong level, or more than 1 % truncated.

    """
    refuse_truncation_for_mean(n_truncated, sums.n)
    return mean(sums.lift_sums(), level)


def bonett_price(counts: PairedCounts, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a paired lift of whole wins with the adjusted Wald interval.

    Args:
        counts: Playouts by who won.
        level: Confidence level.

    Raises:
        ValueError: A wrong level.

    Source: Bonett and Price (2012), J. Educ. Behav. Stat. 37, 479-488.

    """
    enlarged = counts.n + 2
    gained = (counts.only_variant + 1) / enlarged
    lost = (counts.only_baseline + 1) / enlarged
    centre = gained - lost
    reach = normal_quantile(check_level(level)) * math.sqrt((gained + lost - centre**2) / enlarged)
    lower, upper = max(-1.0, centre - reach), min(1.0, centre + reach)
    return Estimate(counts.lift, counts.standard_error, lower, upper, level, counts.n)


def newcombe_paired(counts: PairedCounts, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a paired lift of whole wins with Newcombe's square-and-add interval.

    Args:
        counts: Playouts by who won.
        level: Confidence level.

    Raises:
        ValueError: A wrong level.

    Source: Newcombe (1998), Stat. Med. 17, 2635-2650, method 10.

    """
    quantile = normal_quantile(check_level(level))
    variant = score_reach(counts.variant_wins, counts.n, quantile)
    baseline = score_reach(counts.baseline_wins, counts.n, quantile)
    correlation = corrected_correlation(counts)
    below = square_and_add(variant[0], baseline[1], correlation)
    above = square_and_add(baseline[0], variant[1], correlation)
    lower, upper = counts.lift - below, counts.lift + above
    return Estimate(counts.lift, counts.standard_error, lower, upper, level, counts.n)


def score_reach(count: int, n: int, quantile: float) -> tuple[float, float]:
    """Return how far the score interval reaches below and above a proportion."""
    proportion = count / n
    lower, upper = score_limits(proportion, n, quantile)
    return proportion - lower, upper - proportion


def square_and_add(first: float, second: float, correlation: float) -> float:
    """Return the joint reach of two correlated ones."""
    return math.sqrt(max(0.0, first**2 - 2 * correlation * first * second + second**2))


def corrected_correlation(counts: PairedCounts) -> float:
    """Return Newcombe's correlation of the two sides, shrunk towards 0 when it is positive.

    A positive cross product loses half the sample size, down to 0. With an empty margin it is 0.
    """
    lost, lost_before = counts.n - counts.variant_wins, counts.n - counts.baseline_wins
    margins = counts.variant_wins * lost * counts.baseline_wins * lost_before
    if margins == 0:
        return 0.0
    cross = float(counts.both * counts.neither - counts.only_variant * counts.only_baseline)
    if cross > 0:
        cross = max(0.0, cross - counts.n / 2)
    return cross / math.sqrt(margins)


def newcombe_unpaired(
    variant_wins: int,
    n_variant: int,
    baseline_wins: int,
    n_baseline: int,
    level: float = DEFAULT_LEVEL,
) -> Estimate:
    """Estimate the difference of two shares from separate playouts (hybrid score interval).

    Args:
        variant_wins: Playouts won in the variant.
        n_variant: Playouts of the variant.
        baseline_wins: Playouts won in the baseline.
        n_baseline: Playouts of the baseline.
        level: Confidence level.

    Returns:
        Variant minus baseline; `n_playouts` counts both sides.

    Raises:
        ValueError: A sample is empty, a count is impossible, or the level is wrong.

    Source: Newcombe (1998), Stat. Med. 17, 873-890, method 10.

    """
    n_after, n_before = check_n(n_variant, name="n_variant"), check_n(n_baseline, name="n_baseline")
    after = check_count(variant_wins, n_after, "variant_wins")
    before = check_count(baseline_wins, n_before, "baseline_wins")
    quantile = normal_quantile(check_level(level))
    variant = score_reach(after, n_after, quantile)
    baseline = score_reach(before, n_before, quantile)
    difference = after / n_after - before / n_before
    error = math.hypot(binomial_error(after / n_after, n_after), binomial_error(before / n_before, n_before))
    lower = difference - math.hypot(variant[0], baseline[1])
    upper = difference + math.hypot(baseline[0], variant[1])
    return Estimate(difference, error, lower, upper, level, n_after + n_before)


def odds_ratio(
    variant_wins: int,
    n_variant: int,
    baseline_wins: int,
    n_baseline: int,
    level: float = DEFAULT_LEVEL,
) -> Estimate:
    """Estimate the odds of winning in the variant over those in the baseline, from separate playouts.

    Half a playout is added to every cell, so that no odds are infinite.

    Args:
        variant_wins: Playouts won in the variant.
        n_variant: Playouts of the variant.
        baseline_wins: Playouts won in the baseline.
        n_baseline: Playouts of the baseline.
        level: Confidence level; the interval is symmetric in the logarithm.

    Returns:
        The ratio, 1 without a difference; `mcse` is linearised, `n_playouts` counts both sides.

    Raises:
        ValueError: A sample is empty, a count is impossible, or the level is wrong.

    Source: Woolf (1955), Ann. Hum. Genet. 19, 251-253; Haldane (1956) for the half playouts.

    """
    n_after, n_before = check_n(n_variant, name="n_variant"), check_n(n_baseline, name="n_baseline")
    after = check_count(variant_wins, n_after, "variant_wins")
    before = check_count(baseline_wins, n_before, "baseline_wins")
    won, lost, won_before, lost_before = (
        cell + PRIOR_COUNT for cell in (after, n_after - after, before, n_before - before)
    )
    value = won * lost_before / (lost * won_before)
    error = math.sqrt(1 / won + 1 / lost + 1 / won_before + 1 / lost_before)
    factor = math.exp(normal_quantile(check_level(level)) * error)
    return Estimate(value, value * error, value / factor, value * factor, level, n_after + n_before)


def mcnemar_chi_square(counts: PairedCounts) -> tuple[float, float]:
    """Return McNemar's chi-square (1 degree of freedom, uncorrected) and its p-value.

    With no discordant playout there is nothing to test: 0 and 1.

    Source: McNemar (1947), Psychometrika 12, 153-157.

    """
    if counts.n_discordant == 0:
        return 0.0, 1.0
    statistic = (counts.only_variant - counts.only_baseline) ** 2 / counts.n_discordant
    return statistic, chi_square_tail(statistic, 1)


def mcnemar_exact(counts: PairedCounts) -> float:
    """Return the two-sided exact p-value: are discordant playouts a fair coin?

    Source: Fagerland, Lydersen and Laake (2013), BMC Med. Res. Methodol. 13, 91.

    """
    fewer = min(counts.only_variant, counts.only_baseline)
    return min(1.0, 2 * fair_coin_lower_tail(fewer, counts.n_discordant))


def mcnemar_mid_p(counts: PairedCounts) -> float:
    """Return the mid-p value, the exact test without its caution: the one to use.

    Source: Fagerland, Lydersen and Laake (2013), BMC Med. Res. Methodol. 13, 91.

    """
    fewer = min(counts.only_variant, counts.only_baseline)
    both_tails = 2 * fair_coin_lower_tail(fewer, counts.n_discordant)
    return min(1.0, both_tails - fair_coin_chance(fewer, counts.n_discordant))


def discordance_rate(counts: PairedCounts, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate the share of playouts that the change decides otherwise.

    Only these carry information about the lift: it tells how well common random numbers work.

    Args:
        counts: Playouts by who won.
        level: Confidence level of Wilson's interval.

    Raises:
        ValueError: A wrong level.

    """
    return wilson(counts.n_discordant, counts.n, level)


def variance_reduction_factor(sums: PairedSums) -> float:
    """Return how many times more playouts an unpaired comparison would need.

    Args:
        sums: Sums over the same playouts on both sides.

    Returns:
        Variance of the lift from independent playouts over its variance from these; infinite when
        the two sides agree in every playout (or differ by a constant).

    Raises:
        ValueError: There are fewer than two playouts.

    """
    check_n(sums.n, FEWEST_FOR_VARIANCE)
    paired = sums.lift_sums().variance
    if paired == 0:
        return math.inf
    return (sums.variant_sums().variance + sums.baseline_sums().variance) / paired
