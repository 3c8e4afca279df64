"""Does an estimate lie between two limits: the same estimate at another level, and a three-valued verdict.

Many verdicts are right together when each of their intervals has the level that Bonferroni asks for. Tables have
intervals of their own levels, so `share_at_level` and `mean_at_level` make the interval anew from what a table keeps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from scipy.optimize import brentq

from sim.statistics.balance import playouts_until_clear
from sim.statistics.checks import check_level
from sim.statistics.distributions import normal_quantile, student_quantile
from sim.statistics.estimate import score_limits

if TYPE_CHECKING:
    from sim.statistics.estimate import Estimate

MOST_DEGREES: Final = 1e9  # beyond, Student's quantile is the normal one to the last digits that a table keeps


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
        n_more: When undecided, how many more playouts would settle it if the estimate stays where it is; None when
            it is decided, or when the estimate sits exactly on a limit.

    """

    place: Place
    n_more: int | None = None


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
    return Judged(Place.UNDECIDED, playouts_until_clear(estimate, limits))


def share_at_level(estimate: Estimate, level: float) -> Estimate:
    """Return a share with the score interval of another level.

    Args:
        estimate: A share with its standard error.
        level: Confidence level wanted.

    Source: the effective sample size is the one at which a yes-or-no quantity has the estimate's standard error.

    """
    widest = estimate.value * (1 - estimate.value)
    spread = estimate.n_playouts * estimate.mcse**2
    effective = estimate.n_playouts if spread == 0 or widest <= 0 else estimate.n_playouts * widest / spread
    lower, upper = score_limits(estimate.value, effective, normal_quantile(check_level(level)))
    return replace(estimate, lower=lower, upper=upper, level=level)


def mean_at_level(estimate: Estimate, level: float) -> Estimate:
    """Return an estimate whose interval is Student's with that of another level, by the same degrees of freedom.

    Args:
        estimate: An estimate with its standard error, and an interval of `estimate.level`.
        level: Confidence level wanted.

    """
    check_level(level)
    if estimate.mcse == 0:
        return replace(estimate, level=level)
    quantile = student_quantile(level, degrees_of(estimate))
    below, above = estimate.value - estimate.lower, estimate.upper - estimate.value
    factor = quantile * estimate.mcse / max(below, above)
    return replace(estimate, lower=estimate.value - factor * below, upper=estimate.value + factor * above, level=level)


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


def degrees_of(estimate: Estimate) -> float:
    """Return the degrees of freedom that an interval was made with."""
    reach = max(estimate.value - estimate.lower, estimate.upper - estimate.value) / estimate.mcse

    def excess(inverse: float) -> float:
        return student_quantile(estimate.level, 1 / inverse) - reach

    if excess(1 / MOST_DEGREES) >= 0:
        return MOST_DEGREES
    if excess(1.0) <= 0:
        return 1.0
    return 1 / float(brentq(excess, 1 / MOST_DEGREES, 1.0))
