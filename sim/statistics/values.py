"""Value functions: who is going to win, told from a position, fitted to playouts and shown to be calibrated or not.

The model is the conditional logit: a seat that is still in has the chance `exp(w x_i) / sum_j exp(w x_j)` over the
seats that are, with weights `w` of their own for each number of seats still in. It sums to one by construction; two
seats make it the ordinary logistic regression. Chances of a playout are always told by a fit to *other* playouts
(cross-fitting), so that a fit cannot flatter itself; the calibration table shows what is left of the truth.

What is told from such chances has two errors: that of the playouts that it is told of, and that of the playouts that
the fits were made of. A jackknife that leaves a group of playouts out of both has both, and what they have in common
(Newey and McFadden: estimates in two steps). `CrossFit.without` gives the chances that it needs; each fit takes one
of Newton's steps from the weights of the whole fit, which for a group of a twentieth is as good as fitting anew.

Source: McFadden, Conditional logit analysis of qualitative choice behavior (1974); cross-fitting after Chernozhukov
and others (2018); Newey and McFadden, Large sample estimation and hypothesis testing, Handbook of Econometrics 4
(1994), section 6; the one step after Pregibon, Logistic regression diagnostics, Annals of Statistics 9 (1981).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim.statistics.estimate import DEFAULT_LEVEL, Estimate
from sim.statistics.sampled import ratio_of_sums

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

N_FOLDS: Final = 5
N_LEFT_OUT: Final = 20  # groups of playouts that are left out one at a time, each within one fold
N_BINS: Final = 10
RIDGE: Final = 10.0  # keeps weights finite where a feature settles everything; a few dozen positions outweigh it
MOST_FITTED: Final = 15_000  # positions of one fit; of more, every second, third ... is taken
ROWS_AT_ONCE: Final = 128
ROWS_SCORED_AT_ONCE: Final = 256 * ROWS_AT_ONCE  # of features as real numbers of full length: some 16 MB
MOST_STEPS: Final = 50
CONVERGED: Final = 1e-8
FEWEST_SEATS: Final = 2


@dataclass(frozen=True)
class ValueFunction:
    """Weights of features by number of seats still in.

    Attributes:
        scale: What each feature is divided by, shape (n_features,).
        weights: By number of seats still in, shape (n_features,) each.

    """

    scale: FloatArray
    weights: Mapping[int, FloatArray]

    def chances(self, features: FloatArray, is_in: BoolArray) -> FloatArray:
        """Return each seat's chance to win.

        Args:
            features: Shape (n_positions, n_seats, n_features).
            is_in: Who is still in, shape (n_positions, n_seats).

        Returns:
            Chances that sum to one, 0 for who is out, shape (n_positions, n_seats). For a number of seats that was
            never fitted, and for one, all who are in have the same.

        """
        counts = is_in.sum(axis=1)
        chances = is_in / np.maximum(1, counts)[:, None]
        for n_in, weights in self.weights.items():
            some = counts == n_in
            chances[some] = softmax(scores_of(features[some], weights / self.scale), is_in[some])
        return np.asarray(chances)


def in_blocks(matrix: FloatArray) -> FloatArray:
    """Return a matrix cut into blocks of rows, the last one filled up with zeros, shape (n_blocks, rows, n_columns).

    Products of small blocks stay below what libraries of linear algebra share out to threads: on two busy cores the
    threads wait for each other, and a fit takes 15 s instead of 1 s (2026-11-30). Sums also come out the same whatever
    the number of threads.
    """
    n_blocks = math.ceil(len(matrix) / ROWS_AT_ONCE)
    filled = np.zeros((n_blocks * ROWS_AT_ONCE, matrix.shape[1]), matrix.dtype)
    filled[: len(matrix)] = matrix
    return filled.reshape(n_blocks, ROWS_AT_ONCE, matrix.shape[1])


def gram(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the sums over rows of the products of two matrices' columns."""
    return np.asarray((np.swapaxes(in_blocks(first), 1, 2) @ in_blocks(second)).sum(axis=0))


def scores_of(features: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the score of each seat, shape (n_positions, n_seats), in real numbers of full length.

    What different processors make of the same sums then differs in the last digits only, far below what tables show.
    """
    flat = features.reshape(-1, features.shape[2])
    scores = np.empty(len(flat))
    for start in range(0, len(flat), ROWS_SCORED_AT_ONCE):
        some = flat[start : start + ROWS_SCORED_AT_ONCE].astype(np.float64)
        scores[start : start + len(some)] = (in_blocks(some) @ weights).reshape(-1)[: len(some)]
    return scores.reshape(features.shape[:2])


def softmax(scores: FloatArray, is_in: BoolArray) -> FloatArray:
    """Return chances in proportion to the exponentials of scores, over those who are in."""
    open_scores = np.where(is_in, scores, -np.inf)
    raised = np.exp(open_scores - open_scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def fit_values(features: FloatArray, is_in: BoolArray, payoff: FloatArray) -> ValueFunction:
    """Fit a value function to positions whose outcome is known.

    Args:
        features: What each seat has, shape (n_positions, n_seats, n_features).
        is_in: Who is still in, shape (n_positions, n_seats).
        payoff: Share of the win that each seat got in the end, shape (n_positions, n_seats).

    """
    spread = features[is_in].std(axis=0, dtype=np.float64)
    scale = np.where(spread > 0, spread, 1.0)
    scaled = features / scale  # real numbers of full length, whatever the features are
    counts = is_in.sum(axis=1)
    weights: dict[int, FloatArray] = {}
    for n_in in np.unique(counts[counts >= FEWEST_SEATS]):
        some = counts == n_in
        weights[int(n_in)] = newton(scaled[some], is_in[some], payoff[some])
    return ValueFunction(scale, weights)


def newton(features: FloatArray, is_in: BoolArray, payoff: FloatArray) -> FloatArray:
    """Return the weights of features that make the payoffs likeliest, by Newton's steps with a ridge.

    Args:
        features: Shape (n_positions, n_seats, n_features).
        is_in: Shape (n_positions, n_seats).
        payoff: Shape (n_positions, n_seats).

    """
    n_features = features.shape[2]
    found = np.zeros(n_features)
    for _ in range(MOST_STEPS):
        slope, bend = slope_and_bend(features, is_in, payoff, found)
        step = np.linalg.solve(bend + RIDGE * np.eye(n_features), slope - RIDGE * found)
        found = found + step
        if float(np.abs(step).max(initial=0.0)) < CONVERGED:
            break
    return found


def slope_and_bend(
    features: FloatArray, is_in: BoolArray, payoff: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the first and minus the second derivatives of the log likelihood of payoffs by the weights.

    Args:
        features: Shape (n_positions, n_seats, n_features).
        is_in: Shape (n_positions, n_seats).
        payoff: Shape (n_positions, n_seats).
        weights: Shape (n_features,).

    """
    n_features = features.shape[2]
    open_features = np.where(is_in[:, :, None], features, 0.0)
    flat = open_features.reshape(-1, n_features)
    chances = softmax(scores_of(open_features, weights), is_in)
    weighted = chances.reshape(-1, 1) * flat
    mean = weighted.reshape(*is_in.shape, n_features).sum(axis=1)
    return gram(flat, (payoff - chances).reshape(-1, 1))[:, 0], gram(flat, weighted) - gram(mean, mean)


@dataclass(frozen=True)
class CrossFit:
    """Value functions of every fold, each fitted to the playouts of the other folds.

    Attributes:
        features: What each seat has, shape (n_positions, n_seats, n_features).
        is_in: Who is still in, shape (n_positions, n_seats).
        payoff: Share of the win in the end, shape (n_positions, n_seats).
        playout: Playout of each position, shape (n_positions,); folds and groups are its remainders.

    Raises:
        ValueError: There are fewer playouts than folds.

    """

    features: FloatArray
    is_in: BoolArray
    payoff: FloatArray
    playout: IntArray

    def __post_init__(self) -> None:
        """Refuse too few playouts."""
        n_folds = len(np.unique(self.folds))
        if n_folds < N_FOLDS:
            message = f"found playouts in {n_folds} of {N_FOLDS} folds; record at least {N_FOLDS} playouts"
            raise ValueError(message)

    @cached_property
    def folds(self) -> IntArray:
        """Fold of each position, shape (n_positions,)."""
        return np.asarray(self.playout % N_FOLDS)

    def fitted_to(self, fold: int) -> IntArray:
        """Return the positions that the function of a fold is fitted to."""
        rest = np.flatnonzero(self.folds != fold)
        return rest[:: math.ceil(len(rest) / MOST_FITTED)]

    @cached_property
    def fits(self) -> tuple[ValueFunction, ...]:
        """The value function of each fold."""
        chosen = [self.fitted_to(fold) for fold in range(N_FOLDS)]
        return tuple(fit_values(self.features[some], self.is_in[some], self.payoff[some]) for some in chosen)

    @cached_property
    def chances(self) -> FloatArray:
        """Chances of each position by the function of its fold, shape (n_positions, n_seats)."""
        return self._told(self.fits)

    def without(self, group: int) -> FloatArray:
        """Return the chances of all positions, told without the playouts of a group.

        Args:
            group: Remainder of the playouts that are left out of all fits, below `N_LEFT_OUT`.

        """
        return self._told([self._fit_without(fold, group) for fold in range(N_FOLDS)])

    def _told(self, fits: Sequence[ValueFunction]) -> FloatArray:
        chances = np.zeros(self.is_in.shape)
        for fold, fit in enumerate(fits):
            here = self.folds == fold
            chances[here] = fit.chances(self.features[here], self.is_in[here])
        return chances

    def _fit_without(self, fold: int, group: int) -> ValueFunction:
        """Return the function of a fold after one of Newton's steps without the playouts of a group."""
        fit = self.fits[fold]
        weights = {}
        for n_in, (slopes, bends) in self._derivatives[fold].items():
            ridge, before = RIDGE * np.eye(len(fit.scale)), fit.weights[n_in]
            slope = slopes.sum(axis=0) - slopes[group] - RIDGE * before
            weights[n_in] = before + np.linalg.solve(bends.sum(axis=0) - bends[group] + ridge, slope)
        return ValueFunction(fit.scale, weights)

    @cached_property
    def _derivatives(self) -> list[dict[int, tuple[FloatArray, FloatArray]]]:
        """By fold and number of seats still in: derivatives of each group's positions at the weights of the fit."""
        found = []
        for fold, fit in enumerate(self.fits):
            some = self.fitted_to(fold)
            counts, groups = self.is_in[some].sum(axis=1), self.playout[some] % N_LEFT_OUT
            by_count = {}
            for n_in, weights in fit.weights.items():
                places = [some[(counts == n_in) & (groups == group)] for group in range(N_LEFT_OUT)]
                told = [
                    slope_and_bend(self.features[at] / fit.scale, self.is_in[at], self.payoff[at], weights)
                    for at in places
                ]
                by_count[n_in] = (np.stack([slope for slope, _ in told]), np.stack([bend for _, bend in told]))
            found.append(by_count)
        return found


@dataclass(frozen=True)
class Bin:
    """Positions in which a seat was given about the same chance.

    Attributes:
        lower: Smallest chance of the bin.
        upper: Largest.
        predicted: Mean chance that was told.
        observed: Share of the win that came of it; the playout is the unit.
        n_chances: Chances in the bin.

    """

    lower: float
    upper: float
    predicted: float
    observed: Estimate
    n_chances: int


def calibration(
    chances: FloatArray, is_in: BoolArray, payoff: FloatArray, playout: IntArray, level: float = DEFAULT_LEVEL
) -> list[Bin]:
    """Return what came of the chances that were told, bin by bin of equal width.

    Args:
        chances: Shape (n_positions, n_seats).
        is_in: Who counts, shape (n_positions, n_seats).
        payoff: Share of the win, shape (n_positions, n_seats).
        playout: Playout of each position, shape (n_positions,).
        level: Confidence level.

    """
    told, got = chances[is_in], payoff[is_in]
    where = np.broadcast_to(playout[:, None], is_in.shape)[is_in]
    n_playouts = int(playout.max(initial=-1)) + 1
    number = np.minimum((told * N_BINS).astype(int), N_BINS - 1)
    bins = []
    for place in range(N_BINS):
        some = number == place
        below = np.bincount(where[some], minlength=n_playouts).astype(np.float64)
        if np.count_nonzero(below) > 1:
            above = np.bincount(where[some], got[some], n_playouts)
            observed = ratio_of_sums(above, below, level)
            lower, upper = place / N_BINS, (place + 1) / N_BINS
            bins.append(Bin(lower, upper, float(told[some].mean()), observed, int(some.sum())))
    return bins


def calibration_error(bins: list[Bin]) -> float:
    """Return the mean distance between told chances and what came of them, over all chances."""
    total = sum(one.n_chances for one in bins)
    return math.fsum(one.n_chances * abs(one.observed.value - one.predicted) for one in bins) / total


def log_scores(
    chances: FloatArray, is_in: BoolArray, payoff: FloatArray, playout: IntArray, n_playouts: int
) -> tuple[FloatArray, FloatArray]:
    """Return the sum of the log scores of each playout's positions, and of equal chances for all who are in.

    Args:
        chances: Shape (n_positions, n_seats).
        is_in: Shape (n_positions, n_seats).
        payoff: Shape (n_positions, n_seats).
        playout: Shape (n_positions,).
        n_playouts: Playouts.

    """
    safe = np.where(payoff > 0, np.maximum(chances, np.finfo(float).tiny), 1.0)
    score = -(payoff * np.log(safe)).sum(axis=1)
    equal = np.log(is_in.sum(axis=1))
    told, known = (np.bincount(playout, one, n_playouts).astype(np.float64) for one in (score, equal))
    return told, known
