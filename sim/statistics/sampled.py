"""Estimates from samples kept playout by playout: ratios of sums, their paired lifts, and a jackknife for the rest.

The unit is one playout: what several turns, seats or draws give within it is added up first. Each estimator works
with real numbers, unlike those of `estimate`, whose integer sums merge over blocks.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sim.statistics.checks import check_level
from sim.statistics.distributions import student_quantile
from sim.statistics.estimate import DEFAULT_LEVEL, Estimate

FloatArray = NDArray[np.float64]

FEWEST_CONTRIBUTING: Final = 2
N_GROUPS: Final = 50
NORMAL: Final = 1.96  # for an error that comes from no sample


def check_pair(numerator: Any, denominator: Any) -> tuple[FloatArray, FloatArray]:
    """Return numerator and denominator of each playout as real numbers.

    Raises:
        ValueError: Lengths differ, fewer than two playouts contribute, or a number is not finite.

    """
    above, below = np.asarray(numerator, np.float64), np.asarray(denominator, np.float64)
    if above.shape != below.shape or above.ndim != 1:
        message = f"numerator has shape {above.shape}, denominator {below.shape}; expected one number per playout each"
        raise ValueError(message)
    if not (np.isfinite(above).all() and np.isfinite(below).all()):
        message = "found a number that is not finite, expected what each playout adds to numerator and denominator"
        raise ValueError(message)
    n_contributing = int(np.count_nonzero(below))
    if n_contributing < FEWEST_CONTRIBUTING:
        message = f"{n_contributing} playouts contribute to the denominator, expected at least {FEWEST_CONTRIBUTING}"
        raise ValueError(message)
    return above, below


def influence(numerator: FloatArray, denominator: FloatArray) -> tuple[float, FloatArray]:
    """Return the ratio of the sums and how much each playout moves it, linearised."""
    total = math.fsum(denominator)
    value = math.fsum(numerator) / total
    return value, (numerator - value * denominator) / total


def from_influence(value: float, moved: FloatArray, n_contributing: int, level: float) -> Estimate:
    """Return an estimate whose error is the spread of the playouts' influence, with Student's interval."""
    n = len(moved)
    error = math.sqrt(math.fsum(moved**2) * n / (n - 1))
    reach = student_quantile(check_level(level), n_contributing - 1) * error
    return Estimate(value, error, value - reach, value + reach, level, n)


def ratio_of_sums(numerator: Any, denominator: Any, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a ratio of means, such as something per turn.

    Args:
        numerator: What each playout adds above the line, shape (n_playouts,).
        denominator: What it adds below the line; ones for a plain mean.
        level: Confidence level.

    Returns:
        The ratio of the sums, with the linearised error of one playout as the unit.

    Raises:
        ValueError: Lengths differ, or fewer than two playouts contribute.

    Source: Cochran, Sampling techniques (1977), section 6.3.

    """
    above, below = check_pair(numerator, denominator)
    value, moved = influence(above, below)
    return from_influence(value, moved, int(np.count_nonzero(below)), level)


def mean_of(sample: Any, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a mean of real numbers, one per playout.

    Args:
        sample: Shape (n_playouts,).
        level: Confidence level.

    """
    return ratio_of_sums(sample, np.ones(len(sample)), level)


def difference_of_ratios(first: tuple[Any, Any], second: tuple[Any, Any], level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate how much one ratio of means exceeds another over the same playouts.

    Args:
        first: Numerator and denominator of the one.
        second: Numerator and denominator of the other, of the same playouts in the same order.
        level: Confidence level.

    Returns:
        Difference of the ratios; what the two have in common is taken out of the error.

    Raises:
        ValueError: The playouts differ in number, or fewer than two contribute to one of them.

    """
    pairs = [check_pair(*pair) for pair in (first, second)]
    if len(pairs[0][0]) != len(pairs[1][0]):
        message = f"one ratio has {len(pairs[0][0])} playouts, the other {len(pairs[1][0])}; expected the same ones"
        raise ValueError(message)
    (value, moved), (other, other_moved) = (influence(*pair) for pair in pairs)
    n_contributing = min(int(np.count_nonzero(below)) for _, below in pairs)
    return from_influence(value - other, moved - other_moved, n_contributing, level)


def groups_of(n: int, n_groups: int = N_GROUPS) -> NDArray[np.int64]:
    """Return the group of each of `n` playouts, every group with as many of them, drawn through all."""
    return np.arange(n) % min(n_groups, n)


def jackknife(
    value_without: Callable[[NDArray[np.bool_]], float],
    n: int,
    level: float = DEFAULT_LEVEL,
    n_groups: int = N_GROUPS,
) -> Estimate:
    """Estimate anything that can be worked out of a part of the playouts, by leaving out a group of them at a time.

    Args:
        value_without: Works out the quantity from the playouts that are marked, shape (n_playouts,).
        n: Playouts.
        level: Confidence level.
        n_groups: Groups.

    Returns:
        The quantity of all playouts, with the delete-a-group error.

    Raises:
        ValueError: There are fewer than two playouts.

    Source: Kott, The delete-a-group jackknife, Journal of Official Statistics 17 (2001).

    """
    groups = groups_of(n, n_groups)
    count = int(groups.max(initial=0)) + 1
    if count < FEWEST_CONTRIBUTING:
        message = f"found {n} playouts, expected at least {FEWEST_CONTRIBUTING} to leave some out"
        raise ValueError(message)
    value = value_without(np.ones(n, bool))
    return from_parts(value, [value_without(groups != group) for group in range(count)], n, level)


def from_parts(
    value: float, parts: Any, n: int, level: float = DEFAULT_LEVEL, *, takes_bias_out: bool = False
) -> Estimate:
    """Return an estimate whose error is told by what the quantity is without each of several groups of playouts.

    Args:
        value: The quantity of all playouts.
        parts: The quantity without each group, shape (n_groups,); all groups have about as many playouts.
        n: Playouts.
        level: Confidence level.
        takes_bias_out: True to take out the part of the bias that shrinks as 1 / n, as that of fitted numbers does.

    Returns:
        The quantity with the delete-a-group error, and Student's interval with one degree of freedom less than groups.

    Source: Kott, The delete-a-group jackknife, Journal of Official Statistics 17 (2001); the bias after Quenouille,
    Notes on bias in estimation, Biometrika 43 (1956).

    """
    found = np.asarray(parts, np.float64)
    count = len(found)
    value = without_bias(value, found) if takes_bias_out else value
    error = math.sqrt((count - 1) / count * math.fsum((found - found.mean()) ** 2))
    reach = student_quantile(check_level(level), count - 1) * error
    return Estimate(value, error, value - reach, value + reach, level, n)


def without_bias(value: float, parts: FloatArray) -> float:
    """Return a quantity less the part of its bias that shrinks as 1 / n, told by what it is without each group."""
    return value - (len(parts) - 1) * (float(parts.mean()) - value)


def widened(found: Estimate, more: float) -> Estimate:
    """Return an estimate whose error holds a further one, such as what a bias may be.

    Args:
        found: The estimate, with an interval that lies evenly around it.
        more: The further error, which is independent of its own.

    """
    error = math.hypot(found.mcse, more)
    reach = (found.upper - found.value) * error / found.mcse if found.mcse > 0 else NORMAL * error
    return Estimate(found.value, error, found.value - reach, found.value + reach, found.level, found.n_playouts)
