"""One number with its error: means, shares and ratios from integer sums.

The engine leaves integer tallies (counts, sums, sums of squares and of products), which merge
exactly in any order. Everything here starts from them, in Python integers and fractions until the
last division, so that no digit is lost to cancellation and no sum overflows. Payoffs come as whole
numbers of a `unit` (840 units make one win), which the sums carry along.
"""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from sim.statistics.checks import (
    FEWEST_FOR_VARIANCE,
    check_count,
    check_half_width,
    check_level,
    check_n,
    check_share,
    check_whole,
    refuse_truncation_for_mean,
)
from sim.statistics.distributions import beta_quantile, normal_quantile, student_quantile

DEFAULT_LEVEL = 0.95
PRIOR_COUNT = 0.5


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate that never travels without its error.

    Attributes:
        value: The estimate itself; shares and lifts are proportions.
        mcse: Standard error of the estimate, in the unit of `value`. It is 0 where a sample shows
            no spread (0 of n), and then only the interval tells what is known.
        lower: Lower end of the interval.
        upper: Upper end of the interval.
        level: Confidence level of the interval, such as 0.95.
        n_playouts: Playouts behind the estimate.

    """

    value: float
    mcse: float
    lower: float
    upper: float
    level: float
    n_playouts: int

    def __post_init__(self) -> None:
        """Refuse an interval that runs backwards.

        Raises:
            ValueError: An end is not a number, the interval runs backwards, or the level is wrong.

        """
        check_level(self.level)
        if not self.lower <= self.upper:
            message = f"interval runs from {self.lower} to {self.upper}; expected lower <= upper"
            raise ValueError(message)

    def scaled(self, factor: float) -> "Estimate":
        """Return the estimate in another unit: all but level and playouts times `factor`.

        Raises:
            ValueError: The factor is not positive.

        """
        if not factor > 0:
            message = f"factor is {factor}, expected a positive number, such as 100 for points"
            raise ValueError(message)
        return replace(
            self,
            value=factor * self.value,
            mcse=factor * self.mcse,
            lower=factor * self.lower,
            upper=factor * self.upper,
        )

    def shifted(self, offset: float) -> "Estimate":
        """Return the estimate counted from another zero: value and interval plus `offset`."""
        return replace(
            self,
            value=self.value + offset,
            lower=self.lower + offset,
            upper=self.upper + offset,
        )

    def negated(self) -> "Estimate":
        """Return the estimate of the opposite difference."""
        return replace(self, value=-self.value, lower=-self.upper, upper=-self.lower)

    def as_row(self) -> dict[str, float | int]:
        """Return the six columns that every table of estimates has."""
        return asdict(self)


COLUMNS_OF_ESTIMATE = tuple(field.name for field in fields(Estimate))
"""The columns that every table of estimates has."""


@dataclass(frozen=True, slots=True)
class SampleSums:
    """Integer sums of one quantity over playouts.

    Attributes:
        n: Playouts.
        total: Sum of the quantity over playouts, in units.
        total_of_squares: Sum of its square over playouts, in squared units.
        unit: How many units make 1; 1 for counts and turns, 840 for payoffs.

    """

    n: int
    total: int
    total_of_squares: int
    unit: int = 1

    def __post_init__(self) -> None:
        """Make Python integers of the sums and refuse sums that no sample has.

        Raises:
            ValueError: n or unit is below 1, a sum is not whole, or the squares are too small.

        """
        n = check_n(self.n)
        total = check_whole(self.total, "total")
        squares = check_whole(self.total_of_squares, "total_of_squares")
        unit = check_n(self.unit, name="unit")
        if total * total > n * squares:
            message = (
                f"no {n} numbers sum to {total} with squares summing to {squares}; "
                "pass sum and sum of squares of the same playouts"
            )
            raise ValueError(message)
        for name, number in (
            ("n", n),
            ("total", total),
            ("total_of_squares", squares),
            ("unit", unit),
        ):
            object.__setattr__(self, name, number)

    @classmethod
    def of_count(cls, count: int, n: int) -> "SampleSums":
        """Return the sums of a yes-or-no quantity that held in `count` of `n` playouts."""
        checked = check_count(count, check_n(n))
        return cls(n, checked, checked)

    @classmethod
    def of_sample(cls, sample: Sequence[int] | NDArray[np.integer], unit: int = 1) -> "SampleSums":
        """Return the sums of whole numbers, one per playout, shape (n_playouts,)."""
        whole = [check_whole(number, "sample") for number in sample]
        return cls(len(whole), sum(whole), sum(number * number for number in whole), unit)

    def __add__(self, other: "SampleSums") -> "SampleSums":
        """Merge the sums of two disjoint sets of playouts.

        Raises:
            ValueError: The two are in different units.

        """
        if self.unit != other.unit:
            message = f"units are {self.unit} and {other.unit}; merge sums in one unit"
            raise ValueError(message)
        squares = self.total_of_squares + other.total_of_squares
        return SampleSums(self.n + other.n, self.total + other.total, squares, self.unit)

    @property
    def mean(self) -> float:
        """Mean over playouts."""
        return float(Fraction(self.total, self.n * self.unit))

    @property
    def variance(self) -> float:
        """Variance between playouts, a fact of the quantity (n - 1 in the denominator).

        Raises:
            ValueError: There is only one playout.

        """
        n = check_n(self.n, FEWEST_FOR_VARIANCE)
        spread = n * self.total_of_squares - self.total * self.total
        return float(Fraction(spread, n * (n - 1) * self.unit * self.unit))

    @property
    def sd(self) -> float:
        """Standard deviation between playouts."""
        return math.sqrt(self.variance)

    @property
    def standard_error(self) -> float:
        """Standard error of the mean."""
        return math.sqrt(self.variance / self.n)


def mean(sums: SampleSums, level: float = DEFAULT_LEVEL, n_truncated: int = 0) -> Estimate:
    """Estimate a mean with its Student interval.

    Args:
        sums: Integer sums over playouts.
        level: Confidence level.
        n_truncated: How many of these playouts hit the turn limit.

    Returns:
        The mean in the quantity's own unit (turns stay turns, payoffs are shares of a win).

    Raises:
        ValueError: Fewer than two playouts, a wrong level, or more than 1 % truncated.

    """
    refuse_truncation_for_mean(n_truncated, sums.n)
    error = sums.standard_error
    reach = student_quantile(check_level(level), sums.n - 1) * error
    return Estimate(sums.mean, error, sums.mean - reach, sums.mean + reach, level, sums.n)


def wilson(count: int, n: int, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a proportion with Wilson's score interval, the default for one share.

    Args:
        count: Playouts in which it happened.
        n: All playouts.
        level: Confidence level.

    Raises:
        ValueError: n below 1, count outside 0 to n, or a wrong level.

    Source: Wilson (1927), J. Am. Stat. Assoc. 22, 209-212.

    """
    n_checked = check_n(n)
    proportion = check_count(count, n_checked) / n_checked
    lower, upper = score_limits(proportion, n_checked, normal_quantile(check_level(level)))
    return Estimate(proportion, binomial_error(proportion, n_checked), lower, upper, level, n_checked)


def score_limits(proportion: float, n: float, quantile: float) -> tuple[float, float]:
    """Return both ends of the score interval of a proportion, given the normal quantile.

    Args:
        proportion: Observed share, 0 to 1.
        n: Sample size; need not be whole (an effective sample size).
        quantile: Normal deviate that the interval reaches.

    """
    shrink = 1 + quantile**2 / n
    centre = (proportion + quantile**2 / (2 * n)) / shrink
    reach = quantile / shrink * math.sqrt(proportion * (1 - proportion) / n + (quantile / (2 * n)) ** 2)
    lower = 0.0 if proportion == 0 else max(0.0, centre - reach)
    upper = 1.0 if proportion == 1 else min(1.0, centre + reach)
    return min(lower, proportion), max(upper, proportion)


def binomial_error(proportion: float, n: int) -> float:
    """Return the standard error of a proportion of `n` independent playouts."""
    return math.sqrt(proportion * (1 - proportion) / n)


def clopper_pearson(count: int, n: int, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a proportion with the interval that covers at least at `level` for every n.

    Args:
        count: Playouts in which it happened.
        n: All playouts.
        level: Confidence level.

    Raises:
        ValueError: n below 1, count outside 0 to n, or a wrong level.

    Source: Clopper and Pearson (1934), Biometrika 26, 404-413.

    """
    n_checked = check_n(n)
    hits = check_count(count, n_checked)
    lower, upper = exact_limits(hits, n_checked, level)
    proportion = hits / n_checked
    return Estimate(proportion, binomial_error(proportion, n_checked), lower, upper, level, n_checked)


def exact_limits(hits: float, n: int, level: float) -> tuple[float, float]:
    """Return both ends of Clopper and Pearson's interval.

    Args:
        hits: Playouts in which it happened; need not be whole, as the mean over rotations of a line-up is not.
        n: All playouts.
        level: Confidence level.

    """
    tail = (1 - check_level(level)) / 2
    lower = beta_quantile(tail, hits, n - hits + 1) if hits > 0 else 0.0
    upper = beta_quantile(1 - tail, hits + 1, n - hits) if hits < n else 1.0
    return min(lower, hits / n), max(upper, hits / n)


def is_whole_wins(sums: "SampleSums") -> bool:
    """Tell whether every payoff was a whole win or nothing."""
    return sums.total_of_squares == sums.unit * sums.total


def jeffreys(count: int, n: int, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a proportion with Jeffreys' interval: the middle of a posterior from a prior that favours no scale.

    Args:
        count: Playouts in which it happened.
        n: All playouts.
        level: Confidence level.

    Raises:
        ValueError: n below 1, count outside 0 to n, or a wrong level.

    Source: Brown, Cai and DasGupta (2001), Stat. Sci. 16, 101-133.

    """
    n_checked = check_n(n)
    hits = check_count(count, n_checked)
    tail = (1 - check_level(level)) / 2
    first, second = hits + PRIOR_COUNT, n_checked - hits + PRIOR_COUNT
    lower = beta_quantile(tail, first, second) if hits else 0.0
    upper = beta_quantile(1 - tail, first, second) if hits < n_checked else 1.0
    proportion = hits / n_checked
    return Estimate(proportion, binomial_error(proportion, n_checked), lower, upper, level, n_checked)


def agresti_coull(count: int, n: int, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a proportion with the interval that is easy to check by hand.

    It has Wilson's centre, is never narrower, and may reach past 0 or 1.

    Args:
        count: Playouts in which it happened.
        n: All playouts.
        level: Confidence level.

    Raises:
        ValueError: n below 1, count outside 0 to n, or a wrong level.

    Source: Agresti and Coull (1998), Am. Stat. 52, 119-126.

    """
    n_checked = check_n(n)
    hits = check_count(count, n_checked)
    quantile = normal_quantile(check_level(level))
    enlarged = n_checked + quantile**2
    centre = (hits + quantile**2 / 2) / enlarged
    reach = quantile * math.sqrt(centre * (1 - centre) / enlarged)
    proportion = hits / n_checked
    error = binomial_error(proportion, n_checked)
    return Estimate(proportion, error, centre - reach, centre + reach, level, n_checked)


def goodman(counts: Sequence[int], level: float = DEFAULT_LEVEL) -> tuple[Estimate, ...]:
    """Estimate the shares of all cells of a multinomial, right together at `level`.

    Args:
        counts: Playouts per cell (wins per seat), shape (n_cells,); they add up to the playouts.
        level: Confidence level of all intervals jointly.

    Raises:
        ValueError: Fewer than two cells, no playouts, a negative count, or a wrong level.

    Source: Goodman (1965), Technometrics 7, 247-254.

    """
    whole = [check_whole(count, "count") for count in counts]
    n = check_n(sum(whole))
    return simultaneous_shares([SampleSums.of_count(count, n) for count in whole], level)


def share(sums: SampleSums, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a mean of payoffs from 0 to 1: Wilson's interval, also when ties split the point.

    Split points vary less than wins and losses of the same mean. The score interval then runs with
    the sample size at which a yes-or-no quantity would have the sample's variance; one playout of
    the largest possible variance is mixed in, so that a short sample of equal payoffs is not taken
    for certainty. Without split points this is Wilson's interval to the last digit.

    Args:
        sums: Integer sums of payoffs.
        level: Confidence level.

    Raises:
        ValueError: A payoff below 0 or above 1, or a wrong level.

    Source: effective sample size as in Korn and Graubard (1998), Survey Methodology 24, 193-201.

    """
    return share_with_quantile(sums, normal_quantile(check_level(level)), level)


def share_with_quantile(sums: SampleSums, quantile: float, level: float) -> Estimate:
    """Estimate a share with a given normal quantile; see `share`."""
    refuse_payoffs_beyond_one(sums)
    proportion = sums.mean
    widest = proportion * (1 - proportion)
    spread = float(Fraction(sums.n * sums.total_of_squares - sums.total**2, (sums.n * sums.unit) ** 2))
    if widest == 0:
        effective = float(sums.n)
    else:
        effective = sums.n * widest / ((sums.n * spread + widest) / (sums.n + 1))
    lower, upper = score_limits(proportion, effective, quantile)
    return Estimate(proportion, math.sqrt(spread / sums.n), lower, upper, level, sums.n)


def refuse_payoffs_beyond_one(sums: SampleSums) -> None:
    """Stop if the sums cannot come from payoffs between 0 and 1.

    Raises:
        ValueError: The mean lies outside 0 to 1 or the squares are too large.

    """
    if sums.total_of_squares > sums.unit * sums.total:
        message = (
            f"sums {sums.total} and {sums.total_of_squares} over {sums.n} playouts in units of "
            f"1/{sums.unit} are not those of payoffs from 0 to 1; check the unit, or use mean"
        )
        raise ValueError(message)


def simultaneous_shares(samples: Sequence[SampleSums], level: float = DEFAULT_LEVEL) -> tuple[Estimate, ...]:
    """Estimate several shares with intervals that are right together at `level`.

    Args:
        samples: Integer sums of payoffs, one per seat.
        level: Confidence level of all intervals jointly.

    Returns:
        One estimate per seat; `level` of each is the joint level.

    Raises:
        ValueError: Fewer than two samples, payoffs beyond 0 to 1, or a wrong level.

    Source: Goodman (1965), Technometrics 7, 247-254; his interval is the score interval at 1 -
        alpha/k.

    """
    n_shares = check_n(len(samples), FEWEST_FOR_VARIANCE, "number of shares")
    quantile = normal_quantile(1 - (1 - check_level(level)) / n_shares)
    return tuple(share_with_quantile(sums, quantile, level) for sums in samples)


@dataclass(frozen=True, slots=True)
class RatioSums:
    """Integer sums for a ratio of two totals, such as payoff received per time dealt.

    Per playout there is a numerator (payoffs of the seats that were dealt the card) and a
    denominator (how many seats were dealt it).

    Attributes:
        n: Playouts, also those whose denominator is 0.
        numerator: Sum of the numerators, in units.
        denominator: Sum of the denominators.
        numerator_squared: Sum of the squared numerators.
        product: Sum of numerator times denominator.
        denominator_squared: Sum of the squared denominators.
        unit: How many units of the numerator make 1.

    """

    n: int
    numerator: int
    denominator: int
    numerator_squared: int
    product: int
    denominator_squared: int
    unit: int = 1

    def __post_init__(self) -> None:
        """Make Python integers of the sums and refuse sums that no sample has.

        Raises:
            ValueError: n or unit is below 1, a sum is not whole, or the sums contradict each other.

        """
        for name in (
            "numerator",
            "denominator",
            "numerator_squared",
            "product",
            "denominator_squared",
        ):
            object.__setattr__(self, name, check_whole(getattr(self, name), name))
        object.__setattr__(self, "n", check_n(self.n))
        object.__setattr__(self, "unit", check_n(self.unit, name="unit"))
        SampleSums(self.n, self.numerator, self.numerator_squared)
        SampleSums(self.n, self.denominator, self.denominator_squared)
        if self.product**2 > self.numerator_squared * self.denominator_squared:
            message = (
                f"sum of products {self.product} is too large for the sums of squares "
                f"{self.numerator_squared} and {self.denominator_squared}; "
                "pass sums over the same playouts"
            )
            raise ValueError(message)

    @classmethod
    def of_samples(cls, numerator: NDArray[np.integer], denominator: NDArray[np.integer], unit: int = 1) -> "RatioSums":
        """Return the sums of two whole-number samples over the same playouts, shape (n_playouts,).

        Raises:
            ValueError: The samples differ in length.

        """
        above, below = paired_whole_numbers(numerator, denominator)
        return cls(
            n=len(above),
            numerator=sum(above),
            denominator=sum(below),
            numerator_squared=dot(above, above),
            product=dot(above, below),
            denominator_squared=dot(below, below),
            unit=unit,
        )

    def refuse_empty(self) -> None:
        """Stop if there is nothing to divide by.

        Raises:
            ValueError: The denominator's total is not positive.

        """
        if self.denominator <= 0:
            message = (
                f"the denominator sums to {self.denominator} over {self.n} playouts, expected more "
                "than 0; the event never happened, so play more playouts or leave the row out"
            )
            raise ValueError(message)

    @property
    def ratio(self) -> Fraction:
        """Exact ratio of the two totals, in units."""
        self.refuse_empty()
        return Fraction(self.numerator, self.denominator)

    @property
    def n_contributing(self) -> float:
        """Effective playouts with a denominator: their number when it is 0 or 1."""
        self.refuse_empty()
        return self.denominator**2 / self.denominator_squared

    @property
    def squared_residuals(self) -> Fraction:
        """Sum over playouts of (numerator - ratio x denominator) squared, in squared units."""
        ratio = self.ratio
        cross = 2 * ratio * self.product
        return self.numerator_squared - cross + ratio**2 * self.denominator_squared


@dataclass(frozen=True, slots=True)
class CrossSums:
    """Sums of products between two ratios over the same playouts.

    All are 0, the default, when no playout contributes to both ratios.

    Attributes:
        numerators: Sum of first numerator times second numerator.
        numerator_denominator: Sum of first numerator times second denominator.
        denominator_numerator: Sum of first denominator times second numerator.
        denominators: Sum of first denominator times second denominator.

    """

    numerators: int = 0
    numerator_denominator: int = 0
    denominator_numerator: int = 0
    denominators: int = 0

    def residual_product(self, first: Fraction, second: Fraction) -> Fraction:
        """Sum over playouts of the product of the two ratios' residuals, given both ratios."""
        mixed = second * check_whole(self.numerator_denominator, "numerator_denominator")
        mixed += first * check_whole(self.denominator_numerator, "denominator_numerator")
        both = first * second * check_whole(self.denominators, "denominators")
        return check_whole(self.numerators, "numerators") - mixed + both


def ratio(sums: RatioSums, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a ratio of sums with the playout as the unit, such as mean payoff given dealt.

    The standard error is the linearised one: seats of the same playout may depend on each other.

    Args:
        sums: Integer sums over all playouts.
        level: Confidence level.

    Raises:
        ValueError: The denominator is 0, or fewer than two playouts contribute.

    Source: Cochran (1977), Sampling Techniques, 3rd edition, section 6.4.

    """
    freedom = ratio_freedom(sums)
    squared = sums.squared_residuals / sums.denominator**2
    error = linearised_error(squared, sums.n, sums.unit)
    value = float(sums.ratio / sums.unit)
    return student_estimate(value, error, freedom, level, sums.n)


def ratio_freedom(sums: RatioSums) -> float:
    """Return the degrees of freedom of a ratio.

    Raises:
        ValueError: Fewer than two playouts contribute to the ratio.

    """
    if sums.n_contributing < FEWEST_FOR_VARIANCE:
        message = (
            f"only {sums.n_contributing:.1f} of {sums.n} playouts contribute to the ratio, "
            f"expected at least {FEWEST_FOR_VARIANCE}; play more playouts"
        )
        raise ValueError(message)
    return sums.n_contributing - 1


def linearised_error(squared_residuals: Fraction, n: int, unit: int) -> float:
    """Return the standard error from the sum of squared relative residuals of n playouts."""
    return math.sqrt(Fraction(n, n - 1) * squared_residuals) / unit


def student_estimate(value: float, error: float, freedom: float, level: float, n_playouts: int) -> Estimate:
    """Return a value with its Student interval."""
    reach = student_quantile(check_level(level), freedom) * error
    return Estimate(value, error, value - reach, value + reach, level, n_playouts)


def ratio_difference(first: RatioSums, second: RatioSums, cross: CrossSums, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate the first ratio minus the second when both come from the same playouts.

    Args:
        first: Sums of the first ratio.
        second: Sums of the second ratio over the same playouts, in the same unit.
        cross: Sums of products between the two; `CrossSums()` when no playout is in both.
        level: Confidence level.

    Returns:
        The difference, with the playout as the unit of the standard error.

    Raises:
        ValueError: Different playouts or units, an empty ratio, or impossible cross sums.

    Source: Cochran (1977), Sampling Techniques, 3rd edition, section 6.19.

    """
    if (first.n, first.unit) != (second.n, second.unit):
        message = (
            f"the ratios have {first.n} and {second.n} playouts in units of 1/{first.unit} and "
            f"1/{second.unit}; expected the same playouts and unit on both sides"
        )
        raise ValueError(message)
    freedom = min(ratio_freedom(first), ratio_freedom(second))
    squared = first.squared_residuals / first.denominator**2
    squared += second.squared_residuals / second.denominator**2
    shared = cross.residual_product(first.ratio, second.ratio)
    squared -= 2 * shared / (first.denominator * second.denominator)
    if squared < 0:
        message = "the cross sums are too large for the two ratios; pass sums over the same playouts"
        raise ValueError(message)
    error = linearised_error(squared, first.n, first.unit)
    value = float((first.ratio - second.ratio) / first.unit)
    return student_estimate(value, error, freedom, level, first.n)


def ratio_against_rest(
    sums: RatioSums, whole_numerator: int, whole_denominator: int, level: float = DEFAULT_LEVEL
) -> Estimate:
    """Estimate a ratio minus the same ratio of everybody else, such as the lift of a dealt card.

    Every playout must hold the same whole: payoffs that add up to one win, and one deal per seat.
    Drop truncated playouts from the sums first, since their payoffs do not add up.

    Args:
        sums: Sums of the part (payoff of the seats dealt the card; how many were dealt it).
        whole_numerator: Numerator of part and rest together in every playout, in units.
        whole_denominator: Denominator of both together in every playout (the seats).
        level: Confidence level.

    Returns:
        mean payoff given dealt minus mean payoff given not dealt, as a proportion.

    Raises:
        ValueError: One of the two is empty, or the sums do not fit the whole.

    """
    rest, cross = rest_of(sums, whole_numerator, whole_denominator)
    return ratio_difference(sums, rest, cross, level)


def rest_of(sums: RatioSums, whole_numerator: int, whole_denominator: int) -> tuple[RatioSums, CrossSums]:
    """Return the sums of what is left of a constant whole, and the products with the part.

    Args:
        sums: Sums of the part.
        whole_numerator: Numerator of part and rest together in every playout, in units.
        whole_denominator: Denominator of both together in every playout.

    """
    above = check_whole(whole_numerator, "whole_numerator")
    below = check_whole(whole_denominator, "whole_denominator")
    rest = RatioSums(
        n=sums.n,
        numerator=sums.n * above - sums.numerator,
        denominator=sums.n * below - sums.denominator,
        numerator_squared=sums.n * above**2 - 2 * above * sums.numerator + sums.numerator_squared,
        product=sums.n * above * below - above * sums.denominator - below * sums.numerator + sums.product,
        denominator_squared=sums.n * below**2 - 2 * below * sums.denominator + sums.denominator_squared,
        unit=sums.unit,
    )
    cross = CrossSums(
        numerators=above * sums.numerator - sums.numerator_squared,
        numerator_denominator=below * sums.numerator - sums.product,
        denominator_numerator=above * sums.denominator - sums.product,
        denominators=below * sums.denominator - sums.denominator_squared,
    )
    return rest, cross


def paired_whole_numbers(first: NDArray[np.integer], second: NDArray[np.integer]) -> tuple[list[int], list[int]]:
    """Return two samples as lists of Python integers.

    Raises:
        ValueError: The samples differ in length or hold numbers that are not whole.

    """
    if len(first) != len(second):
        message = f"the samples hold {len(first)} and {len(second)} playouts; expected the same playouts on both sides"
        raise ValueError(message)
    whole_first = [check_whole(number, "sample") for number in first]
    return whole_first, [check_whole(number, "sample") for number in second]


def dot(first: Sequence[int], second: Sequence[int]) -> int:
    """Return the exact sum of products."""
    return sum(left * right for left, right in zip(first, second, strict=True))


def worst_case_bounds(finished_share: float, n_truncated: int, n_playouts: int) -> tuple[float, float]:
    """Return how small and how large a share could be, whatever the truncated playouts held.

    Args:
        finished_share: Share among the finished playouts.
        n_truncated: Playouts stopped by the turn limit.
        n_playouts: All playouts, finished and truncated.

    Returns:
        Lower and upper bound of the share among all playouts. They allow for truncation alone, not
        for sampling error.

    Raises:
        ValueError: The share lies outside 0 to 1 or the counts are impossible.

    Source: Manski (1989), J. Human Resources 24, 343-360.

    """
    n = check_n(n_playouts)
    truncated = check_count(n_truncated, n, "n_truncated") / n
    lowest = check_share(finished_share, "finished_share") * (1 - truncated)
    return lowest, lowest + truncated


def playouts_for_half_width(half_width: float, proportion: float, level: float = DEFAULT_LEVEL) -> int:
    """Return how many playouts make the interval of a share this narrow.

    Args:
        half_width: Wanted half-width, as a proportion.
        proportion: Share that is expected (1 / n_seats for a fair seat).
        level: Confidence level.

    Raises:
        ValueError: The half-width is not positive, the share or level is wrong.

    """
    wanted = check_half_width(half_width)
    variance = check_share(proportion, "proportion") * (1 - proportion)
    return math.ceil((normal_quantile(check_level(level)) / wanted) ** 2 * variance)
