"""Choosing among variants: where the next playouts tell most, and by how much the best-looking one flatters itself."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import special

from sim.statistics.checks import FEWEST_FOR_VARIANCE, check_n, check_whole

N_NODES = 400
LARGEST_DEVIATE = 12.0


def allocation(means: Sequence[float], variances: Sequence[float], used: Sequence[int], budget: int) -> tuple[int, ...]:
    """Return how many more playouts each variant gets, so that the best one is found most surely (OCBA).

    A variant that needs no more than it has used gets none, and the others share what is left.

    Args:
        means: Score of each variant so far; the smallest is the best.
        variances: Variance of one playout's score in each variant.
        used: Playouts that each variant has had.
        budget: Playouts to give.

    Returns:
        Additional playouts by variant; they sum to the budget. What rounding leaves goes to the best.

    Raises:
        ValueError: The lists differ in length, a variance is not positive, two variants tie for the best, or the
            budget is not positive.

    Source: Chen, Lin, Yucesan and Chick (2000), Discrete Event Dyn. Syst. 10, 251-270.

    """
    check_candidates(means, variances, used)
    whole = check_n(budget, name="budget")
    best = int(np.argmin(means))
    ratios = allocation_ratios(means, variances, best)
    open_ones = np.ones(len(means), dtype=bool)
    more = np.zeros(len(means))
    while True:
        total = whole + sum(number for number, is_open in zip(used, open_ones, strict=True) if is_open)
        more = np.where(open_ones, total * ratios / ratios[open_ones].sum() - np.array(used), 0.0)
        if (more >= 0).all():
            break
        open_ones &= more > 0
    given = np.floor(more + 1e-9).astype(int)
    given[best] += whole - int(given.sum())
    return tuple(int(number) for number in given)


def allocation_ratios(means: Sequence[float], variances: Sequence[float], best: int) -> np.ndarray:
    """Return in which ratios all playouts of the variants should stand, shape (n_variants,)."""
    gaps = np.array(means) - means[best]
    spread = np.array(variances, dtype=np.float64)
    others = np.arange(len(means)) != best
    ratios = np.zeros(len(means))
    ratios[others] = spread[others] / gaps[others] ** 2
    ratios[best] = math.sqrt(spread[best] * math.fsum(ratios[others] ** 2 / spread[others]))
    return ratios


def check_candidates(means: Sequence[float], variances: Sequence[float], used: Sequence[int]) -> None:
    """Stop if there is nothing to choose among.

    Raises:
        ValueError: The lists differ in length, a variance is not positive, or two variants tie for the best.

    """
    check_n(len(means), FEWEST_FOR_VARIANCE, "number of variants")
    if not len(means) == len(variances) == len(used):
        message = f"found {len(means)} means, {len(variances)} variances and {len(used)} counts, expected one of each"
        raise ValueError(message)
    if min(variances) <= 0:
        message = f"variances are {list(variances)}, expected positive numbers; play more until every variant varies"
        raise ValueError(message)
    if min(check_whole(number, "used") for number in used) < 0:
        message = f"playouts used are {list(used)}, expected counts of 0 or more"
        raise ValueError(message)
    if sum(score == min(means) for score in means) > 1:
        message = f"two variants tie for the best at {min(means)}; give both the same number of playouts first"
        raise ValueError(message)


def largest_of_equals(n_variants: int) -> float:
    """Return by how many standard errors the best-looking of several equal variants overstates itself.

    Args:
        n_variants: Variants measured with the same standard error.

    Returns:
        Mean of the largest of so many standard normals.

    Raises:
        ValueError: There is no variant.

    Source: Smith and Winkler (2006), Management Sci. 52, 311-322.

    """
    n = check_n(n_variants, name="n_variants")
    nodes, weights = np.polynomial.legendre.leggauss(N_NODES)
    points = LARGEST_DEVIATE * nodes
    # the mean of the largest is the integral of its upper tail less that of its lower one
    below = special.ndtr(points) ** n
    tails = np.where(points > 0, 1 - below, -below)
    return LARGEST_DEVIATE * math.fsum(weights * tails)
