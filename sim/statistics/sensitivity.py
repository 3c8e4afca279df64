"""Which unknown inputs move an outcome: Morris' screening and Sobol's shares of variance, with the noise taken out.

A *design* is a list of points in the unit cube, one coordinate per factor. Outcomes come in *parts*: independent
replications of every point (other playouts, the same ones for points that are compared with each other), which tell
how much of an outcome, and of a difference between two points, is noise. Designs, and Sobol's shares of outcomes taken
as exact, come from SALib; it knows no noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from sim.statistics.checks import check_level, check_n
from sim.statistics.distributions import f_noncentrality, student_quantile
from sim.statistics.estimate import DEFAULT_LEVEL

if TYPE_CHECKING:
    from collections.abc import Sequence

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

GRID_LEVELS: Final = 4  # of Morris' grid; every step of it changes a factor, however few levels the factor has
SEEDS: Final = 1 << 32  # SALib's generators take seeds below this
RESAMPLES: Final = 400
FEWEST_PARTS: Final = 2
FEWEST_FACTORS_IN_GROUPS: Final = 2
MOST_RATIO: Final = 1e6  # of variances; above, a share is as good as exact, and scipy fails to tell its interval
FOLDED_NORMAL: Final = math.sqrt(2 / math.pi)  # mean size of a standard normal number


@dataclass(frozen=True, slots=True)
class Effect:
    """How far a factor moves an outcome, whatever the others are (Morris).

    Attributes:
        mu_star: Mean size of the change when the factor moves over its range.
        lower: Lower end of the interval of `mu_star`.
        upper: Upper end.
        sigma: Standard deviation of the change: large if it depends on the other factors, or on how far the factor
            has moved already.
        noise: What `mu_star` would be if the factor did nothing.
        size: Root mean square of the change without noise; 0 where the noise explains all.
        sure: The part of `size`, or of the mean change if that is more, that noise hardly explains; leaders are told
            from it, since of many factors that do nothing some always seem to do something.

    """

    mu_star: float
    lower: float
    upper: float
    sigma: float
    noise: float
    size: float
    sure: float


@dataclass(frozen=True, slots=True)
class VarianceShare:
    """Share of an outcome's variance that a factor, or a group of factors, makes (Sobol).

    Attributes:
        first: Share that would go if the factor were known.
        first_reach: Half-width of its interval.
        total: Share that would stay if all other factors were known.
        total_reach: Half-width of its interval.

    """

    first: float
    first_reach: float
    total: float
    total_reach: float


@dataclass(frozen=True, slots=True)
class KnownShare:
    """Share of an outcome's variance that would go if a factor were known, told from independent draws.

    Attributes:
        value: The share.
        lower: Lower end of its interval.
        upper: Upper end.

    """

    value: float
    lower: float
    upper: float


def trajectories(n_factors: int, n_trajectories: int, seed: int) -> FloatArray:
    """Return Morris' design: from point to point one factor changes.

    Args:
        n_factors: Number of factors.
        n_trajectories: Number of walks, each through all factors.
        seed: Seed of the design.

    Returns:
        Points of shape (n_trajectories * (n_factors + 1), n_factors), walk after walk.

    Source: Morris (1991), Technometrics 33, 161-174.

    """
    from SALib.sample import morris  # noqa: PLC0415  (slow to import)

    problem = _problem(check_n(n_factors, name="n_factors"))
    walks = check_n(n_trajectories, 2, "n_trajectories")
    points = morris.sample(problem, walks, num_levels=GRID_LEVELS, seed=seed % SEEDS)
    return np.asarray(points, np.float64)


def saltelli(groups: Sequence[int], n_base: int, seed: int) -> FloatArray:
    """Return the design of Sobol's first and total shares.

    Args:
        groups: Group of each factor, numbers from 0 on; factors of a group move together.
        n_base: Base points, a power of two.
        seed: Seed of the design.

    Returns:
        Points of shape (n_base * (n_groups + 2), n_factors): for each base point a first draw of all factors, this
        draw with one group at a time from the second, and the second draw.

    Source: Saltelli et al. (2010), Computer Physics Communications 181, 259-270.

    """
    from SALib.sample import sobol  # noqa: PLC0415  (slow to import)

    problem = _problem(len(groups), groups)
    points = sobol.sample(problem, n_base, calc_second_order=False, seed=seed % SEEDS)
    # SALib has its groups in the order in which factors first name them
    found = list(dict.fromkeys(groups))
    order = [0, *(1 + found.index(group) for group in range(len(found))), 1 + len(found)]
    blocks = np.asarray(points, np.float64).reshape(n_base, len(order), len(groups))
    return np.ascontiguousarray(blocks[:, order].reshape(-1, len(groups)))


def _problem(n_factors: int, groups: Sequence[int] | None = None) -> dict[str, Any]:
    """Return what SALib calls a problem."""
    names = [f"factor {number}" for number in range(n_factors)]
    problem: dict[str, Any] = {"num_vars": n_factors, "names": names, "bounds": [[0.0, 1.0]] * n_factors}
    if groups is not None and FEWEST_FACTORS_IN_GROUPS <= len(set(groups)) < n_factors:
        problem["groups"] = [f"group {number}" for number in groups]
    return problem


def levels_of(points: FloatArray, n_levels: Sequence[int]) -> IntArray:
    """Return which level of each factor a point means; all levels of a factor are equally likely.

    Args:
        points: Points of the unit cube, shape (n_points, n_factors).
        n_levels: Levels of each factor.

    """
    counts = np.asarray(n_levels, np.int64)
    nudged = points + np.finfo(np.float64).eps  # a third of three levels is the second one
    return np.minimum((nudged * counts).astype(np.int64), counts - 1)


def screen(
    levels: IntArray, ranges: Sequence[int], parts: FloatArray, level: float = DEFAULT_LEVEL
) -> tuple[Effect, ...]:
    """Return the effect of each factor over a Morris design.

    Args:
        levels: Level of each factor at the points of `trajectories`, shape (n_points, n_factors).
        ranges: By factor, the steps from its first level to its last where levels have an order: a change is then
            told per whole range. 0 where they have none: a change is told as it is.
        parts: Outcome by point and part, shape (n_points, n_parts).
        level: Confidence level of the intervals of `mu_star`.

    Raises:
        ValueError: There are fewer than two parts, or the points are no walks of this many factors.

    Source: Morris (1991), and Campolongo, Cariboni and Saltelli (2007), Environ. Model. Softw. 22, 1509-1518, for mu*.

    """
    quantile_level = check_level(level)
    changes = _changes(levels, ranges, parts)
    n_walks, n_factors, _ = changes.shape
    noise = np.sqrt(_noise_of_mean(changes).mean(axis=0))
    means = changes.mean(axis=2)
    one_sided = float(special.ndtri(quantile_level))
    found = []
    for factor in range(n_factors):
        sizes = np.abs(means[:, factor])
        reach = student_quantile(quantile_level, n_walks - 1) * float(sizes.std(ddof=1)) / math.sqrt(n_walks)
        squared = float((sizes**2).mean()) - float(noise[factor]) ** 2
        allowance = one_sided * math.sqrt(2 / n_walks) * float(noise[factor]) ** 2
        shift = means[:, factor].mean() ** 2 - one_sided**2 * means[:, factor].var(ddof=1) / n_walks
        found.append(
            Effect(
                mu_star=float(sizes.mean()),
                lower=max(0.0, float(sizes.mean()) - reach),
                upper=float(sizes.mean()) + reach,
                sigma=float(means[:, factor].std(ddof=1)),
                noise=FOLDED_NORMAL * float(noise[factor]),
                size=math.sqrt(max(0.0, squared)),
                sure=math.sqrt(max(0.0, squared - allowance, float(shift))),
            )
        )
    return tuple(found)


def _changes(levels: IntArray, ranges: Sequence[int], parts: FloatArray) -> FloatArray:
    """Return the change of the outcome by walk, factor and part.

    Raises:
        ValueError: The shapes do not fit.

    """
    n_points, n_factors = levels.shape
    if parts.shape[0] != n_points or n_points % (n_factors + 1) or parts.shape[1] < FEWEST_PARTS:
        message = (
            f"{n_points} points of {n_factors} factors and outcomes of shape {parts.shape} are no walks in "
            "two parts or more"
        )
        raise ValueError(message)
    walks = levels.reshape(-1, n_factors + 1, n_factors)
    outcomes = parts.reshape(len(walks), n_factors + 1, -1)
    moved, changes = np.diff(walks, axis=1), np.diff(outcomes, axis=1)
    if not ((moved != 0).sum(axis=2) == 1).all():
        message = "a step of a walk moves none or several factors; pass the levels of `trajectories`"
        raise ValueError(message)
    factor = np.argmax(moved != 0, axis=2)
    steps = np.take_along_axis(moved, factor[..., None], axis=2)[..., 0]
    whole = np.asarray(ranges, np.int64)[factor]
    scale = np.where(whole > 0, whole / steps, 1.0)
    ordered = np.zeros_like(changes)
    np.put_along_axis(ordered, factor[..., None], changes * scale[..., None], axis=1)
    return ordered


def _noise_of_mean(parts: FloatArray) -> FloatArray:
    """Return the squared standard error of the mean over the last axis, the parts."""
    return np.asarray(parts.var(axis=-1, ddof=1) / parts.shape[-1])


def noise_of(parts: FloatArray) -> float:
    """Return how much of the variance of outcomes between points is noise, where each point has luck of its own.

    Args:
        parts: Outcome by point and part, shape (n_points, n_parts).

    """
    return float(_noise_of_mean(parts).mean())


def variance_shares(parts: FloatArray, n_groups: int, seed: int) -> tuple[VarianceShare, ...]:
    """Return Sobol's first and total share of each group over the design of `saltelli`.

    From the variance goes the noise of the two draws, each of which has luck of its own, and from a total share that of
    the differences that it is made of, whose two sides share their luck. Where the noise explains all variance, shares
    are not a number.

    Args:
        parts: Outcome by point of the design and part, shape (n_points, n_parts).
        n_groups: Groups of factors.
        seed: Seed of the resampling that the intervals (of 95 %) are made by.

    Source: Saltelli et al. (2010), Computer Physics Communications 181, 259-270; Jansen (1999) for the total share.

    """
    from SALib.analyze import sobol  # noqa: PLC0415  (slow to import)

    outcomes = parts.mean(axis=1)
    draws = base_draws(len(outcomes), n_groups)
    observed = float(outcomes[draws].var())
    true = observed - noise_of(parts[draws])
    if true <= 0:
        nothing = VarianceShare(math.nan, math.nan, math.nan, math.nan)
        return (nothing,) * n_groups
    # SALib takes a seed of 0 for none
    found = sobol.analyze(
        _problem(n_groups), outcomes, calc_second_order=False, num_resamples=RESAMPLES, seed=seed % SEEDS + 1
    )
    scale = observed / true  # SALib divides by the variance of the two draws
    shares = []
    for group in range(n_groups):
        differences = parts[:: n_groups + 2] - parts[1 + group :: n_groups + 2]
        noise = float(_noise_of_mean(differences).mean()) / 2
        shares.append(
            VarianceShare(
                first=float(found["S1"][group]) * scale,
                first_reach=float(found["S1_conf"][group]) * scale,
                total=max(0.0, float(found["ST"][group]) * scale - noise / true),
                total_reach=float(found["ST_conf"][group]) * scale,
            )
        )
    return tuple(shares)


def share_if_known(
    outcomes: FloatArray, levels: IntArray, noise: float = 0.0, level: float = DEFAULT_LEVEL
) -> KnownShare:
    """Return the share of the variance of outcomes that would go if a factor were known, from draws of all factors.

    It needs no design of its own, so that it is told of every factor from the same draws, and each draw counts for
    all of them: where a first share of `variance_shares` is told from n products, this is an analysis of variance.

    Args:
        outcomes: Outcome of each independent draw, without noise, shape (n_draws,).
        levels: Level of the factor in each draw, shape (n_draws,).
        noise: Variance of the noise that was taken out of them (`without_noise`); their spread alone does not tell how
            well means by level are known.
        level: Confidence level of the interval.

    Returns:
        The share, between 0 and 1, with its interval; 0 where there is one level only, not a number where the noise
        explains all variance or no level has two draws.

    Source: Plischke, Borgonovo and Smith (2013), European Journal of Operational Research 226, 536-550, for shares from
    given draws; epsilon squared after Kelley (1935), PNAS 21, 554-559; the interval, by the noncentral distribution of
    F, after Steiger (2004), Psychological Methods 9, 164-182.

    """
    tail = (1 - check_level(level)) / 2
    _, group, counts = np.unique(levels, return_inverse=True, return_counts=True)
    n_draws, n_levels = len(outcomes), len(counts)
    true = float(outcomes.var())
    if true <= 0 or n_draws <= n_levels:
        return KnownShare(math.nan, math.nan, math.nan)
    if n_levels == 1:
        return KnownShare(0.0, 0.0, 0.0)
    centred = outcomes - outcomes.mean()
    between = float((np.bincount(group, centred) ** 2 / counts).sum())
    degrees = n_levels - 1, n_draws - n_levels
    observed = 1 + noise / true  # in units of the variance without noise
    explained = observed * between / (n_draws * true)
    within = (observed - explained) / degrees[1]
    value = min(1.0, max(0.0, explained - degrees[0] * within))
    if explained > MOST_RATIO * degrees[0] * within:
        return KnownShare(value, value, value)
    ratio = explained / degrees[0] / within

    def share_at(chance: float) -> float:
        """Return the share under which a ratio is as large at most with this chance."""
        centrality = f_noncentrality(ratio, chance, degrees)
        return min(1.0, observed * centrality / (centrality + n_draws))

    return KnownShare(value, share_at(1 - tail), share_at(tail))


def base_draws(n_points: int, n_groups: int) -> NDArray[np.intp]:
    """Return which points of a `saltelli` design are independent draws of all factors: the first and the second."""
    starts = np.arange(0, n_points, n_groups + 2)
    return np.sort(np.concatenate([starts, starts + n_groups + 1]))


def without_noise(outcomes: FloatArray, noise: float, level: float | None = None) -> FloatArray:
    """Return outcomes drawn towards their mean, so that their spread is that of the outcomes without noise.

    Args:
        outcomes: One outcome per draw, shape (n_draws,).
        noise: Variance that is noise, of `noise_of`.
        level: To get the largest spread that the outcomes are compatible with at this one-sided confidence level,
            instead of the most likely one; where noise is most of what is seen, the two are far apart.

    Source: Louis (1984), J. Am. Stat. Assoc. 79, 393-398: estimates whose histogram is that of the true values.

    """
    observed = float(outcomes.var())
    largest = observed
    if level is not None:
        degrees = len(outcomes) - 1
        largest *= degrees / float(special.chdtri(degrees, check_level(level)))
    kept = math.sqrt(min(1.0, max(0.0, (largest - noise) / observed))) if observed > 0 else 0.0
    return np.asarray(outcomes.mean() + kept * (outcomes - outcomes.mean()))
