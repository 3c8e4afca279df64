"""Checks of arguments that all of this floor shares, and the gates on truncated playouts."""

import math
import operator
from typing import SupportsIndex

MOST_TRUNCATED_FOR_VERDICT = 0.001
MOST_TRUNCATED_FOR_MEAN = 0.01
FEWEST_FOR_VARIANCE = 2
FEWEST_SEATS = 2


def check_level(level: float) -> float:
    """Return `level`, a confidence level strictly between 0 and 1.

    Raises:
        ValueError: The level is not strictly between 0 and 1.

    """
    if not 0 < level < 1:
        message = f"level is {level}, expected a number between 0 and 1; write 0.95 for 95 %"
        raise ValueError(message)
    return float(level)


def check_error_rate(rate: float, name: str) -> float:
    """Return `rate`, the chance of a wrong decision, strictly between 0 and 1.

    Raises:
        ValueError: The rate is not strictly between 0 and 1.

    """
    if not 0 < rate < 1:
        message = f"{name} is {rate}, expected a chance between 0 and 1; write 0.05 for 5 %"
        raise ValueError(message)
    return float(rate)


def check_margin(margin: float) -> float:
    """Return `margin`, the largest deviation that still counts as balanced, as a proportion.

    Raises:
        ValueError: The margin is not a positive proportion below 1.

    """
    if not 0 < margin < 1:
        message = (
            f"margin is {margin}, expected a proportion above 0 and below 1; "
            "write 0.02 for 2 points (no sample can show a margin of exactly 0)"
        )
        raise ValueError(message)
    return float(margin)


def check_half_width(half_width: float) -> float:
    """Return `half_width`, the wanted precision of an interval.

    Raises:
        ValueError: The half-width is not positive and finite.

    """
    if not 0 < half_width < math.inf:
        message = f"half-width is {half_width}, expected a positive number; write 0.005 for half a point"
        raise ValueError(message)
    return float(half_width)


def check_share(share: float, name: str) -> float:
    """Return `share`, a proportion from 0 to 1.

    Raises:
        ValueError: The share lies outside 0 to 1.

    """
    if not 0 <= share <= 1:
        message = f"{name} is {share}, expected a proportion from 0 to 1; divide percentages by 100"
        raise ValueError(message)
    return float(share)


def check_inner_share(share: float, name: str) -> float:
    """Return `share`, a proportion strictly between 0 and 1.

    Raises:
        ValueError: The share is not strictly between 0 and 1.

    """
    if not 0 < share < 1:
        message = f"{name} is {share}, expected a proportion between 0 and 1, ends excluded"
        raise ValueError(message)
    return float(share)


def check_whole(number: SupportsIndex, name: str) -> int:
    """Return `number` as a Python integer, which cannot overflow.

    Raises:
        ValueError: The number is not whole.

    """
    try:
        return operator.index(number)
    except TypeError:
        message = f"{name} is {number!r}, expected a whole number; pass the integer tally itself"
        raise ValueError(message) from None


def check_n(n: SupportsIndex, at_least: int = 1, name: str = "n_playouts") -> int:
    """Return `n` as a Python integer that is large enough.

    Raises:
        ValueError: There are fewer than `at_least`, or the number is not whole.

    """
    whole = check_whole(n, name)
    if whole < at_least:
        message = f"{name} is {whole}, expected at least {at_least}; play more playouts"
        raise ValueError(message)
    return whole


def check_count(count: SupportsIndex, n: int, name: str = "count") -> int:
    """Return `count` as a Python integer from 0 to `n`.

    Raises:
        ValueError: The count is negative, above `n`, or not whole.

    """
    whole = check_whole(count, name)
    if not 0 <= whole <= n:
        message = f"{name} is {whole} of {n}, expected 0 to {n}; are both from the same playouts?"
        raise ValueError(message)
    return whole


def check_n_seats(n_seats: SupportsIndex) -> int:
    """Return `n_seats` as a Python integer.

    Raises:
        ValueError: There are fewer than two seats.

    """
    whole = check_whole(n_seats, "n_seats")
    if whole < FEWEST_SEATS:
        message = f"n_seats is {whole}, expected at least {FEWEST_SEATS}; one seat has nobody to beat"
        raise ValueError(message)
    return whole


def refuse_truncation(n_truncated: int, n_playouts: int, most: float, purpose: str) -> None:
    """Stop if too many playouts were cut off at the turn limit for `purpose` to mean anything.

    Args:
        n_truncated: Playouts stopped by the turn limit.
        n_playouts: All playouts, finished and truncated.
        most: Largest share of truncated playouts that is let through.
        purpose: What is refused, for the message ("a verdict", "a mean").

    Raises:
        ValueError: The truncated share is above `most`, or the counts are impossible.

    """
    n = check_n(n_playouts)
    truncated = check_count(n_truncated, n, "n_truncated") / n
    if truncated > most:
        message = (
            f"{truncated:.3%} of the playouts hit the turn limit, expected at most {most:.1%} for "
            f"{purpose}; raise the turn limit, or report the worst-case bounds and quantiles"
        )
        raise ValueError(message)


def refuse_truncation_for_verdict(n_truncated: int, n_playouts: int) -> None:
    """Stop if more than 0.1 % of the playouts were truncated: no verdict is given.

    Raises:
        ValueError: The gate is passed.

    """
    refuse_truncation(n_truncated, n_playouts, MOST_TRUNCATED_FOR_VERDICT, "a verdict")


def refuse_truncation_for_mean(n_truncated: int, n_playouts: int) -> None:
    """Stop if more than 1 % of the playouts were truncated: a mean has no meaning.

    Raises:
        ValueError: The gate is passed.

    """
    refuse_truncation(n_truncated, n_playouts, MOST_TRUNCATED_FOR_MEAN, "a mean")
