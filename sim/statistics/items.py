"""Items as a set: the spread of their lifts beyond noise, and what holds under every profile.

A lift is relative to a named baseline and belongs to one policy profile; a table of one profile is
not a finding. The rules here follow the asymmetry of section 2.6 of method.md: an item is
overpowered if it is so for any profile, underpowered only if it is so for all.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from sim.statistics.checks import check_level, check_margin, check_n
from sim.statistics.distributions import normal_quantile
from sim.statistics.estimate import DEFAULT_LEVEL, Estimate
from sim.statistics.further import Further, least_of, most_of, playouts_to_clear

FloatArray = NDArray[np.float64]

WEIGHT_TOLERANCE = 1e-9


class SignStability(StrEnum):
    """Whether a lift has the same sign under all policy profiles."""

    STABLE = "stable"
    UNSTABLE = "unstable"
    UNDECIDED = "undecided"


class Power(StrEnum):
    """What the profiles together say about an item.

    An item that is overpowered under one profile is overpowered. One that is not, and is shown to lie below the margin
    under some profiles and above its lower end under others, is weak under some; *fair* is said only of an item that is
    shown to lie within the margin under every profile.
    """

    OVERPOWERED = "overpowered"
    UNDERPOWERED = "underpowered"
    FAIR = "fair"
    WEAK_UNDER_SOME = "underpowered under some profiles"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class PowerVerdict:
    """A verdict on one item over all policy profiles.

    Attributes:
        power: The verdict.
        margin: Margin against which it was given, as a proportion.
        n_more: When undecided, how many more playouts would settle it; None when it is decided or nobody can tell.

    """

    power: Power
    margin: float
    n_more: Further | None = None

    def __str__(self) -> str:
        """Return the verdict in words."""
        return str(self.power)


def check_lifts(lifts: Sequence[Estimate]) -> tuple[Estimate, ...]:
    """Return the lifts.

    Raises:
        ValueError: There is none.

    """
    if not lifts:
        message = "no lift was given, expected one per item or per policy profile"
        raise ValueError(message)
    return tuple(lifts)


def item_spread(lifts: Sequence[Estimate]) -> float:
    """Return tau2, the spread of the true lifts with the noise of their estimates taken out.

    Args:
        lifts: One lift per item, relative to a baseline at 0.

    Returns:
        Mean squared lift minus mean squared standard error, in squared proportions. It is unbiased,
        so it may be negative when there is no spread.

    Raises:
        ValueError: There is no lift.

    """
    checked = check_lifts(lifts)
    squares = math.fsum(lift.value**2 - lift.mcse**2 for lift in checked)
    return squares / len(checked)


def item_spread_estimate(lifts: Sequence[Estimate], level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate tau, the standard deviation of the true lifts, with its error.

    Args:
        lifts: One lift per item, relative to a baseline at 0.
        level: Confidence level.

    Returns:
        Square root of tau2 (0 when it is negative), as a proportion. The interval is that of tau2 with the errors of
        the lifts taken as independent (those of a uniform deal lean against each other, which makes it too wide, not
        too narrow), its ends cut at 0 and drawn to roots; `mcse` is half of what one standard error of tau2 to
        either side spans.

    Raises:
        ValueError: There is no lift, or the level is wrong.

    """
    checked = check_lifts(lifts)
    tau2 = item_spread(checked)
    squares = [lift.mcse**2 for lift in checked]
    # the plug-in slope is too large by the noise on average; cut at 0, the error errs upwards
    slopes = [max(0.0, lift.value**2 - square) for lift, square in zip(checked, squares, strict=True)]
    variance = math.fsum(4 * slope * square + 2 * square**2 for slope, square in zip(slopes, squares, strict=True))
    error = math.sqrt(variance) / len(checked)
    reach = normal_quantile(check_level(level)) * error
    mcse = (spread_sd(tau2 + error) - spread_sd(tau2 - error)) / 2
    n_playouts = min(lift.n_playouts for lift in checked)
    return Estimate(spread_sd(tau2), mcse, spread_sd(tau2 - reach), spread_sd(tau2 + reach), level, n_playouts)


def spread_difference(spread: Estimate, baseline: Estimate) -> Estimate:
    """Return how much wider one spread is than another, their errors taken as independent.

    Args:
        spread: One spread.
        baseline: The other, at the same level; on common luck the difference is surer than told here.

    Returns:
        Difference, as a proportion, with a normal interval.

    """
    error = math.hypot(spread.mcse, baseline.mcse)
    reach = normal_quantile(spread.level) * error
    value = spread.value - baseline.value
    n_playouts = min(spread.n_playouts, baseline.n_playouts)
    return Estimate(value, error, value - reach, value + reach, spread.level, n_playouts)


def shapley_main(pieces: Sequence[Estimate], level: float = DEFAULT_LEVEL) -> Estimate:
    """Return an item's mean worth over hands that do not share a playout.

    Args:
        pieces: The item's Shapley value in the hand with each partner: its worth alone plus half of the interaction.
        level: Confidence level.

    Returns:
        Mean over partners, each as likely as the other, with a normal interval.

    Raises:
        ValueError: There is no hand, or the level is wrong.

    Source: Shapley (1953) for hands of one and of two items; section 2.4 of method.md.

    """
    checked = check_lifts(pieces)
    value = math.fsum(piece.value for piece in checked) / len(checked)
    error = math.sqrt(math.fsum(piece.mcse**2 for piece in checked)) / len(checked)
    reach = normal_quantile(check_level(level)) * error
    n_playouts = sum(piece.n_playouts for piece in checked)
    return Estimate(value, error, value - reach, value + reach, level, n_playouts)


def spread_sd(tau2: float) -> float:
    """Return tau, the standard deviation of the true lifts; 0 when `tau2` is negative."""
    return math.sqrt(max(0.0, tau2))


def shrunk_lifts(lifts: Sequence[Estimate]) -> FloatArray:
    """Return the lifts drawn towards 0 by as much as noise explains, for ranking.

    Args:
        lifts: One lift per item, relative to a baseline at 0.

    Returns:
        Shrunk lifts, shape (n_items,), as proportions. All are 0 when no spread is left.

    Raises:
        ValueError: There is no lift.

    Source: James and Stein (1961), in the empirical Bayes form of Efron and Morris (1975).

    """
    checked = check_lifts(lifts)
    tau2 = max(0.0, item_spread(checked))
    return np.array([lift.value * reliability(tau2, lift.mcse) for lift in checked])


def simultaneous_ranks(lifts: Sequence[Estimate]) -> list[tuple[int, int]]:
    """Return between which ranks each item lies, 1 for the largest lift, by intervals that hold together.

    Args:
        lifts: One lift per item, with intervals that hold together.

    Returns:
        Best and worst rank of each: an item is surely beaten by those whose whole interval lies above its own.

    Raises:
        ValueError: There is no lift.

    Source: Klein, Wright and Wieczorek (2020), J. R. Stat. Soc. A 183, 589-606.

    """
    checked = check_lifts(lifts)
    ranks = []
    for lift in checked:
        n_above = sum(other.lower > lift.upper for other in checked)
        n_below = sum(other.upper < lift.lower for other in checked)
        ranks.append((1 + n_above, len(checked) - n_below))
    return ranks


def reliability(tau2: float, standard_error: float) -> float:
    """Return which part of an observed lift's variance is true spread, 0 to 1."""
    if tau2 == 0:
        return 0.0
    return tau2 / (tau2 + standard_error**2)


def sign_of(lift: Estimate) -> int:
    """Return 1 or -1 when the whole interval is on one side of 0, else 0."""
    return int(lift.lower > 0) - int(lift.upper < 0)


def sign_stability(lifts: Sequence[Estimate]) -> SignStability:
    """Tell whether a lift keeps its sign under all policy profiles.

    Args:
        lifts: The same lift under each profile, with intervals at the family's level.

    Returns:
        Stable when every interval lies on the same side of 0, unstable when two lie on opposite
        sides, undecided when some interval contains 0 and none of the others disagree.

    Raises:
        ValueError: There is no lift.

    """
    signs = {sign_of(lift) for lift in check_lifts(lifts)}
    if {1, -1} <= signs:
        return SignStability.UNSTABLE
    return SignStability.UNDECIDED if 0 in signs else SignStability.STABLE


def claim_strength(lifts: Sequence[Estimate]) -> float:
    """Return the smallest lower limit over the profiles: what "at least this strong" can claim.

    Args:
        lifts: The same lift under each profile.

    Raises:
        ValueError: There is no lift.

    """
    return min(lift.lower for lift in check_lifts(lifts))


def power_verdict(lifts: Sequence[Estimate], margin: float) -> PowerVerdict:
    """Judge an item over all policy profiles against a stated margin.

    Args:
        lifts: The item's lift under each profile, with intervals that hold together.
        margin: Largest lift to either side that still counts as balanced, as a proportion.

    Returns:
        Overpowered if the whole interval is above the margin for any profile; underpowered if it is
        below minus the margin for all; fair if every interval is inside the margin; underpowered under
        some if no interval reaches above the margin, one lies wholly below minus the margin and one
        wholly above that; else undecided.

    Raises:
        ValueError: There is no lift, or the margin is not between 0 and 1.

    """
    checked, limit = check_lifts(lifts), check_margin(margin)
    if any(lift.lower > limit for lift in checked):
        return PowerVerdict(Power.OVERPOWERED, limit)
    n_below = sum(lift.upper < -limit for lift in checked)
    n_above = sum(lift.lower > -limit for lift in checked)
    if n_below == len(checked):
        return PowerVerdict(Power.UNDERPOWERED, limit)
    if all(lift.upper < limit for lift in checked):
        if n_above == len(checked):
            return PowerVerdict(Power.FAIR, limit)
        if n_below and n_above:
            return PowerVerdict(Power.WEAK_UNDER_SOME, limit)
    return PowerVerdict(Power.UNDECIDED, limit, playouts_for_power_verdict(checked, limit))


def playouts_for_power_verdict(lifts: Sequence[Estimate], margin: float) -> Further | None:
    """Return how many more playouts per profile decide an item.

    Args:
        lifts: The item's lift under each profile.
        margin: Largest lift that counts as balanced.

    Returns:
        What the first profile takes to leave the margin upwards, if one lies above it; else what the last one takes to
        show on which side of both ends it lies. None when nobody can tell.

    """
    over = least_of([playouts_to_clear(lift, (margin,)) for lift in lifts if lift.value > margin])
    if over is not None:
        return over
    return most_of([playouts_to_clear(lift, (-margin, margin)) for lift in lifts])


def population_lift(lifts: Mapping[str, Estimate], weights: Mapping[str, float]) -> Estimate:
    """Return the mean lift over a stated population of policy profiles.

    Profiles play the same playouts, so their errors are not independent; the standard error here is
    the largest that any dependence allows (the weighted mean of the profiles' own).

    Args:
        lifts: The item's lift by profile name, all at one level.
        weights: Share of each profile in the population, by the same names; they sum to 1.

    Returns:
        Weighted mean; its interval runs between the weighted means of the ends, so that it holds whenever those of all
        profiles do. `n_playouts` is the smallest.

    Raises:
        ValueError: Names differ, weights do not sum to 1 or are negative, or levels differ.

    """
    check_population(lifts, weights)
    value = math.fsum(weights[name] * lift.value for name, lift in lifts.items())
    error = math.fsum(weights[name] * lift.mcse for name, lift in lifts.items())
    level = next(iter(lifts.values())).level
    lower = math.fsum(weights[name] * lift.lower for name, lift in lifts.items())
    upper = math.fsum(weights[name] * lift.upper for name, lift in lifts.items())
    n_playouts = min(lift.n_playouts for lift in lifts.values())
    return Estimate(value, error, min(lower, value), max(upper, value), level, n_playouts)


def check_population(lifts: Mapping[str, Estimate], weights: Mapping[str, float]) -> None:
    """Stop if weights and lifts do not describe one population.

    Raises:
        ValueError: Names differ, weights do not sum to 1 or are negative, or levels differ.

    """
    check_n(len(lifts), name="number of profiles")
    if set(lifts) != set(weights):
        message = f"lifts are for {sorted(lifts)}, weights for {sorted(weights)}; name the same profiles"
        raise ValueError(message)
    total = math.fsum(weights.values())
    if min(weights.values()) < 0 or abs(total - 1) > WEIGHT_TOLERANCE:
        message = f"weights are {dict(weights)} and sum to {total}, expected none below 0 and a sum of 1"
        raise ValueError(message)
    levels = sorted({lift.level for lift in lifts.values()})
    if len(levels) > 1:
        message = f"lifts come at levels {levels}; estimate all profiles at one level"
        raise ValueError(message)
