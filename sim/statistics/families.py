"""Many questions at once: p-values and interval widths that hold for the whole family.

Holm decides which items are flagged (confirmation); Benjamini-Hochberg is for exploration, where a
stated share of the flags may be false; a Bonferroni quantile makes several intervals right
together.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim.statistics.checks import check_error_rate, check_level, check_n
from sim.statistics.distributions import normal_quantile

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]


def check_p_values(p_values: Sequence[float] | FloatArray) -> FloatArray:
    """Return the p-values as an array.

    Raises:
        ValueError: There is none, the array has more than one axis, or one is not from 0 to 1.

    """
    checked = np.asarray(p_values, dtype=np.float64)
    if checked.ndim != 1 or checked.size == 0:
        message = f"p-values have shape {checked.shape}, expected (n_tests,) with at least one test"
        raise ValueError(message)
    wrong = ~((checked >= 0) & (checked <= 1))
    if wrong.any():
        place = int(np.argmax(wrong))
        message = f"p-value {place} is {checked[place]}, expected 0 to 1; pass p-values, not statistics"
        raise ValueError(message)
    return checked


def bonferroni(p_values: Sequence[float] | FloatArray) -> FloatArray:
    """Return Bonferroni-adjusted p-values, shape (n_tests,).

    Raises:
        ValueError: The p-values are not a list of numbers from 0 to 1.

    """
    checked = check_p_values(p_values)
    return np.minimum(1.0, checked.size * checked)


def holm(p_values: Sequence[float] | FloatArray) -> FloatArray:
    """Return Holm-adjusted p-values: the chance of any false flag stays below the level used.

    Args:
        p_values: One p-value per test, shape (n_tests,).

    Returns:
        Adjusted p-values in the same order; flag those at or below the level (see `flags`).

    Raises:
        ValueError: The p-values are not a list of numbers from 0 to 1.

    Source: Holm (1979), Scand. J. Stat. 6, 65-70.

    """
    checked = check_p_values(p_values)
    ascending = np.argsort(checked, kind="stable")
    n_left = checked.size - np.arange(checked.size)
    stepped = np.maximum.accumulate(n_left * checked[ascending])
    return in_given_order(stepped, ascending)


def benjamini_hochberg(p_values: Sequence[float] | FloatArray) -> FloatArray:
    """Return Benjamini-Hochberg-adjusted p-values: the expected share of false flags is bounded.

    Args:
        p_values: One p-value per test, shape (n_tests,); independent or positively dependent.

    Returns:
        Adjusted p-values in the same order.

    Raises:
        ValueError: The p-values are not a list of numbers from 0 to 1.

    Source: Benjamini and Hochberg (1995), J. R. Stat. Soc. B 57, 289-300.

    """
    checked = check_p_values(p_values)
    ascending = np.argsort(checked, kind="stable")
    rank = np.arange(checked.size) + 1
    scaled = checked.size * checked[ascending] / rank
    stepped = np.minimum.accumulate(scaled[::-1])[::-1]
    return in_given_order(stepped, ascending)


def in_given_order(ascending_values: FloatArray, ascending: NDArray[np.intp]) -> FloatArray:
    """Return sorted adjusted p-values in the order in which the tests were given, at most 1."""
    adjusted = np.empty_like(ascending_values)
    adjusted[ascending] = np.minimum(1.0, ascending_values)
    return adjusted


def flags(adjusted: Sequence[float] | FloatArray, alpha: float) -> BoolArray:
    """Return which tests are flagged at `alpha`, shape (n_tests,).

    Args:
        adjusted: Adjusted p-values of a family.
        alpha: Error rate of the family, such as 0.05.

    Raises:
        ValueError: The p-values or the error rate are not chances.

    """
    return check_p_values(adjusted) <= check_error_rate(alpha, "alpha")


def simultaneous_level(n_intervals: int, level: float) -> float:
    """Return the level that each of several intervals needs so that all hold at `level`.

    Args:
        n_intervals: Intervals in the family.
        level: Wanted joint confidence level.

    Raises:
        ValueError: There is no interval, or the level is wrong.

    """
    return 1 - (1 - check_level(level)) / check_n(n_intervals, name="n_intervals")


def simultaneous_quantile(n_intervals: int, level: float) -> float:
    """Return how many standard errors each of several intervals must reach (Bonferroni).

    Args:
        n_intervals: Intervals in the family.
        level: Joint confidence level.

    Raises:
        ValueError: There is no interval, or the level is wrong.

    """
    return normal_quantile(simultaneous_level(n_intervals, level))
