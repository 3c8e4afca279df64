"""Typed doors to the few functions of scipy.special that this floor needs.

`scipy.stats` would cost half a second at start-up, so quantiles and tails come from
`scipy.special`.
"""

import math

from scipy import special

EVEN_CHANCE = 0.5


def normal_quantile(level: float) -> float:
    """Return how many standard errors an interval of `level` reaches to each side."""
    return float(special.ndtri(upper_point(level)))


def student_quantile(level: float, degrees: float) -> float:
    """Return the same for Student's t with `degrees` of freedom."""
    return float(special.stdtrit(degrees, upper_point(level)))


def upper_point(level: float) -> float:
    """Return the probability below the upper end of a two-sided interval of `level`."""
    return 1 - (1 - level) / 2


def normal_tail(deviation: float) -> float:
    """Return the chance that a standard normal lies above `deviation`."""
    return float(special.ndtr(-deviation))


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return the chance that a chi-square with `degrees` of freedom exceeds `statistic`."""
    return float(special.chdtrc(degrees, statistic))


def chi_square_noncentrality(power: float, alpha: float, degrees: int) -> float:
    """Return the noncentrality at which a chi-square test at `alpha` has this `power`."""
    critical = special.chdtri(degrees, alpha)
    return float(special.chndtrinc(critical, degrees, 1 - power))


def square_noncentrality(square: float, degrees: float, chance: float) -> float:
    """Return the noncentrality under which a chi-square is at most this large with a given chance.

    Args:
        square: The chi-square.
        degrees: Degrees of freedom, which need not be whole.
        chance: Chance of a chi-square that is as large at most.

    Returns:
        The noncentrality; 0 where the chance is smaller even without one.

    """
    from scipy.optimize import brentq  # noqa: PLC0415  (slow to import)

    def excess(noncentrality: float) -> float:
        return float(special.chndtr(square, degrees, noncentrality)) - chance

    if float(special.chdtr(degrees, square)) <= chance:
        return 0.0
    most = 1 + square
    while excess(most) > 0:
        most *= 2
    return float(brentq(excess, 0.0, most))


def f_noncentrality(ratio: float, chance: float, degrees: tuple[int, int]) -> float:
    """Return the noncentrality under which a ratio of variances is at most this large with a given chance.

    It is sought by the distribution itself: the inverse of scipy, `ncfdtrinc`, is far off in the tails (154 instead of
    317 for a ratio of 53.4, 9 and 1014 degrees and a chance of .99977).

    Args:
        ratio: Ratio of the mean squares between and within groups.
        chance: Chance of a ratio that is as large at most.
        degrees: Degrees of freedom between and within groups.

    Returns:
        The noncentrality; 0 where the chance is smaller even without one.

    """
    from scipy.optimize import brentq  # noqa: PLC0415  (slow to import)

    def excess(noncentrality: float) -> float:
        return float(special.ncfdtr(*degrees, noncentrality, ratio)) - chance

    if float(special.fdtr(*degrees, ratio)) <= chance:
        return 0.0
    most = 1 + degrees[0] * ratio
    while excess(most) > 0:
        most *= 2
    return float(brentq(excess, 0.0, most))


def beta_quantile(probability: float, first: float, second: float) -> float:
    """Return the point of a Beta(first, second) with `probability` below it."""
    return float(special.betaincinv(first, second, probability))


def fair_coin_lower_tail(heads: int, tosses: int) -> float:
    """Return the chance of at most `heads` heads in `tosses` of a fair coin."""
    return float(special.bdtr(heads, tosses, EVEN_CHANCE))


def fair_coin_chance(heads: int, tosses: int) -> float:
    """Return the chance of exactly `heads` heads in `tosses` of a fair coin."""
    log_orders = math.lgamma(tosses + 1) - math.lgamma(heads + 1) - math.lgamma(tosses - heads + 1)
    return math.exp(log_orders - tosses * math.log(2))


def log_beta(first: float, second: float) -> float:
    """Return the logarithm of the beta function."""
    return float(special.betaln(first, second))
