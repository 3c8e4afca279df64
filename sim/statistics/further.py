"""How many more playouts would settle what is undecided: an honest range, or nothing where nobody can tell.

An interval shrinks with the square root of the playouts round a true value that is known by its standard error only. So
what it takes is a range: its lower end if the truth lies as far from the limit as it plausibly may, its upper end if it
lies as near, with room for the luck of the playouts to come. Near a limit the range has no end, and is not told.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from sim.statistics.estimate import Estimate

LIKELY = 1.2815515655446004
"""Standard errors to either side that hold the truth four times in five."""
LUCK = 0.8416212335729143
"""Standard errors that the playouts to come stay within to the bad side, four times in five."""
WIDEST_SPAN = 30
"""A range whose ends differ by more than this factor is not worth telling."""
LEAST_PART = 0.3
"""Three tenths of what was played are the least that is told: what takes fewer is played soon enough."""
TEN = 10


class Further(NamedTuple):
    """A range of further playouts, in round numbers."""

    lower: int
    upper: int


def playouts_to_clear(estimate: Estimate, limits: Sequence[float]) -> Further | None:
    """Return how many more playouts free an interval of all limits, four times in five.

    Args:
        estimate: The estimate so far.
        limits: Points that the interval shall not hold.

    Returns:
        The range in numbers of one digit that matters; 0 to 0 if the interval is clear; None if the sample has no
        spread to tell from, or if the ends differ by more than a factor of 30, as they do near a limit.

    """
    n = estimate.n_playouts
    needed = [_needed(estimate, limit) for limit in limits if estimate.lower <= limit <= estimate.upper]
    if not needed:
        return Further(0, 0)
    if any(span is None for span in needed):
        return None
    lower, upper = (max(ends) for ends in zip(*(span for span in needed if span is not None), strict=True))
    least = max(lower - 1, LEAST_PART)
    most = max(upper - 1, least)
    return None if most > WIDEST_SPAN * least else Further(rounded_down(n * least), rounded_up(n * most))


def _needed(estimate: Estimate, limit: float) -> tuple[float, float] | None:
    """Return how many times the playouts so far free an interval of one limit, at least and at most."""
    gap = abs(limit - estimate.value)
    error = estimate.mcse
    reach = estimate.upper - estimate.value if limit > estimate.value else estimate.value - estimate.lower
    if gap <= LIKELY * error or error <= 0:
        return None
    return (reach / (gap + LIKELY * error)) ** 2, ((reach + LUCK * error) / (gap - LIKELY * error)) ** 2


def rounded_down(number: float) -> int:
    """Return a number of one digit that matters, not above this one; at least 1."""
    scale = scale_of(number)
    return max(1, math.floor(number / scale) * scale)


def rounded_up(number: float) -> int:
    """Return a number of one digit that matters, not below this one."""
    scale = scale_of(number)
    return math.ceil(number / scale) * scale


def scale_of(number: float) -> int:
    """Return the power of ten of a number's first digit; 1 below ten."""
    return int(TEN ** math.floor(math.log10(max(1.0, number))))


def least_of(ranges: Sequence[Further | None]) -> Further | None:
    """Return the range of whichever comes first, or None if all are missing."""
    known = [one for one in ranges if one is not None]
    return Further(min(one.lower for one in known), min(one.upper for one in known)) if known else None


def most_of(ranges: Sequence[Further | None]) -> Further | None:
    """Return the range of whichever comes last, or None if one is missing."""
    known = [one for one in ranges if one is not None]
    if len(known) < len(ranges) or not known:
        return None
    return Further(max(one.lower for one in known), max(one.upper for one in known))


def in_words(further: Further) -> str:
    """Return a range in words."""
    return f"{further.lower:,}" if further.lower == further.upper else f"{further.lower:,} to {further.upper:,}"
