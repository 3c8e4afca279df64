"""Does an estimate lie between two limits: the same estimate at another level, and a three-valued verdict.

Many verdicts are right together when each of their intervals has the level that Bonferroni asks for. Tables have
intervals of their own levels, so `share_at_level` and `mean_at_level` make the interval anew from what a table keeps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from sim.statistics.bounded import at_level, bounded, quantile_of
from sim.statistics.checks import check_level
from sim.statistics.distributions import normal_quantile
from sim.statistics.estimate import exact_limits
from sim.statistics.further import Further, playouts_to_clear

if TYPE_CHECKING:
    from sim.statistics.estimate import Estimate

WHOLE_WINS: Final = 1e-6  # of the variance: what a table's digits may hide of it


class Place(StrEnum):
    """Where an interval lies with regard to two limits."""

    PASS = "pass"  # noqa: S105  (no password)
    FAIL = "fail"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict on one estimate against two limits.

    Attributes:
        place: Pass when the interval is wholly inside, fail when it is wholly outside, else undecided.
        n_more: When undecided, how many more playouts would settle it; None when it is decided or nobody can tell.

    """

    place: Place
    n_more: Further | None = None


def judge(estimate: Estimate, lower: float | None, upper: float | None) -> Judged:
    """Judge an estimate by its interval.

    Args:
        estimate: The estimate.
        lower: Lowest value that is in order; no limit if None.
        upper: Highest value that is in order; no limit if None.

    Raises:
        ValueError: There is no limit, or they leave nothing between them.

    Source: Schuirmann (1987), J. Pharmacokinet. Biopharm. 15, 657-680, for the two one-sided tests behind "pass".

    """
    least = -math.inf if lower is None else lower
    most = math.inf if upper is None else upper
    limits = tuple(limit for limit in (least, most) if math.isfinite(limit))
    if not limits or least >= most:
        message = f"limits are {lower} and {upper}, expected one at least, and lower below upper"
        raise ValueError(message)
    if estimate.lower >= least and estimate.upper <= most:
        return Judged(Place.PASS)
    if estimate.upper < least or estimate.lower > most:
        return Judged(Place.FAIL)
    return Judged(Place.UNDECIDED, playouts_to_clear(estimate, limits))


def share_at_level(estimate: Estimate, level: float) -> Estimate:
    """Return a share with the interval of another level: the exact one for whole wins, else that of a mean from 0 to 1.

    Args:
        estimate: A share with its standard error.
        level: Confidence level wanted.

    """
    n, value = estimate.n_playouts, estimate.value
    if n * estimate.mcse**2 >= (1 - WHOLE_WINS) * value * (1 - value):
        lower, upper = exact_limits(value * n, n, check_level(level))
    else:
        lower, upper = bounded(value, estimate.mcse, n, (0.0, 1.0), quantile_of(level, n))
    return replace(estimate, lower=lower, upper=upper, level=level)


def mean_at_level(estimate: Estimate, level: float, limits: tuple[float, float] | None = None) -> Estimate:
    """Return a mean, a lift or a ratio with the interval of another level.

    Args:
        estimate: An estimate with its standard error, and an interval of `estimate.level`.
        level: Confidence level wanted.
        limits: Lowest and highest value that is possible; none if None.

    """
    found = at_level(estimate, level)
    if limits is None:
        return found
    low, high = limits
    return replace(found, lower=min(found.value, max(low, found.lower)), upper=max(found.value, min(high, found.upper)))


def widened(estimate: Estimate, level: float) -> Estimate:
    """Return an estimate with an interval that holds at every look, at another level.

    Its reach grows by the ratio of normal quantiles, which is more than the boundary of a confidence sequence grows.

    Args:
        estimate: An estimate whose interval is part of a confidence sequence.
        level: Confidence level wanted.

    """
    factor = normal_quantile(check_level(level)) / normal_quantile(estimate.level)
    lower, upper = estimate.value - factor * (estimate.value - estimate.lower), estimate.upper - estimate.value
    return replace(estimate, lower=lower, upper=estimate.value + factor * upper, level=level)
