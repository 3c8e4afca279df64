"""Errors of numbers that sum up a whole distribution: largest deviations, entropies, Gini, spread and quantiles.

Each is a function of shares or of a histogram whose errors are known; its error is linearised (the delta method), with
the second order where the first one vanishes, as that of an entropy does in a fair game. Quantiles have the
distribution-free interval between two order statistics.

Source: Lehmann, Elements of large-sample theory (1999), section 5.2 (delta method, both orders); Wilks, Order
statistics, Bulletin of the AMS 54 (1948), for the quantiles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.statistics.balance import SeatSums, effective_seats, entropy_ratio, gini
from sim.statistics.distributions import normal_quantile
from sim.statistics.estimate import DEFAULT_LEVEL, Estimate

FloatArray = NDArray[np.float64]


def _within(
    value: float, error: float, n: int, level: float, limits: tuple[float, float], n_numbers: int = 1
) -> Estimate:
    """Return an estimate with the normal interval of several numbers together, within what is possible."""
    reach = normal_quantile(1 - (1 - level) / n_numbers) * error
    lower, upper = limits
    return Estimate(value, error, max(lower, value - reach), min(upper, value + reach), level, n)


def largest_advantage(seats: SeatSums, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate the largest absolute difference between a win share and the fair share.

    Args:
        seats: Sums of payoffs over finished playouts.
        level: Confidence level; the interval is that of the largest of all places (Bonferroni).

    """
    away = np.abs(seats.shares() - seats.fair_share)
    place = int(away.argmax())
    error = math.sqrt(max(0.0, float(seats.covariance()[place, place])))
    return _within(float(away[place]), error, seats.n, level, (0.0, 1.0), seats.n_seats)


def share_balance(seats: SeatSums, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate Ludii's balance, 1 less the difference between the largest and the smallest share.

    Args:
        seats: Sums of payoffs over finished playouts.
        level: Confidence level; the interval is that of the largest of all differences (Bonferroni).

    """
    shares, covariance = seats.shares(), seats.covariance()
    most, least = int(shares.argmax()), int(shares.argmin())
    variance = covariance[most, most] + covariance[least, least] - 2 * covariance[most, least]
    n_pairs = seats.n_seats * (seats.n_seats - 1) // 2
    value = 1 - float(shares[most] - shares[least])
    return _within(value, math.sqrt(max(0.0, float(variance))), seats.n, level, (0.0, 1.0), n_pairs)


def entropy_error(seats: SeatSums) -> float:
    """Return the error of the entropy of the shares, of first and second order."""
    covariance = seats.covariance()
    shares = np.maximum(seats.shares(), 1 / (2 * seats.n))  # a share of nothing has a slope, too
    slope = -np.log(shares) - 1
    bent = -covariance / shares[:, None]
    variance = float(np.sum(slope[:, None] * covariance * slope) + np.sum(bent * bent.T) / 2)
    return math.sqrt(max(0.0, variance))


def effective_seats_estimate(seats: SeatSums, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate the effective number of seats."""
    value = effective_seats(seats.shares())
    return _within(value, value * entropy_error(seats), seats.n, level, (1.0, float(seats.n_seats)))


def entropy_ratio_estimate(seats: SeatSums, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate the entropy of the shares in units of its largest."""
    error = entropy_error(seats) / math.log(seats.n_seats)
    return _within(entropy_ratio(seats.shares()), error, seats.n, level, (0.0, 1.0))


def gini_estimate(shares: Sequence[Estimate], n: int, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate the Gini coefficient of some shares, as if their errors were independent.

    Args:
        shares: The shares.
        n: Playouts.
        level: Confidence level.

    """
    values = np.array([share.value for share in shares])
    value, total = gini(values), math.fsum(values)
    ranks = np.empty(len(values))
    ranks[np.argsort(values, kind="stable")] = 2 * np.arange(1, len(values) + 1) - len(values) - 1
    slopes = ranks / (len(values) * total) - value / total
    errors = np.array([share.mcse for share in shares])
    error = math.sqrt(math.fsum((slopes * errors) ** 2))
    return _within(value, error, n, level, (0.0, 1.0))


@dataclass(frozen=True)
class Histogram:
    """How many rows had each whole number.

    Attributes:
        counts: Rows by number, shape (largest + 1,).
        n_playouts: Playouts that the rows are of.
        design: Variance of a mean over that of as many rows without anything in common: rotations of a playout share
            its luck.

    """

    counts: FloatArray
    n_playouts: int
    design: float = 1.0

    @property
    def n(self) -> float:
        """Rows without anything in common that would tell as much."""
        return float(self.counts.sum()) / max(self.design, 1e-9)

    def _moment(self, values: FloatArray, power: int) -> float:
        weights = self.counts / self.counts.sum()
        return float(weights @ (values - weights @ values) ** power)

    def standard_deviation(self, level: float = DEFAULT_LEVEL) -> Estimate:
        """Estimate the standard deviation, with the error that the fourth moment gives."""
        numbers = np.arange(len(self.counts), dtype=np.float64)
        square, fourth = self._moment(numbers, 2), self._moment(numbers, 4)
        value = math.sqrt(square)
        error = math.sqrt(max(0.0, fourth - square**2) / self.n) / (2 * value) if value > 0 else 0.0
        return _within(value, error, self.n_playouts, level, (0.0, math.inf))

    def mean_logarithm(self, level: float = DEFAULT_LEVEL) -> Estimate:
        """Estimate the mean of the natural logarithms of numbers from 1 on."""
        logs = np.log(np.maximum(1, np.arange(len(self.counts))))
        value = float(self.counts @ logs / self.counts.sum())
        error = math.sqrt(self._moment(logs, 2) / self.n)
        return _within(value, error, self.n_playouts, level, (0.0, math.inf))

    def quantile(self, share: float, level: float = DEFAULT_LEVEL) -> Estimate:
        """Estimate a quantile, between the order statistics that hold it at the level.

        Args:
            share: Which one, 0 to 1.
            level: Confidence level.

        """
        cumulated = np.cumsum(self.counts) / self.counts.sum()
        width = normal_quantile(level)
        reach = width * math.sqrt(share * (1 - share) / self.n)
        wanted = np.clip([share - reach, share, share + reach], 0.0, 1.0)
        lower, value, upper = (float(one) for one in np.searchsorted(cumulated, wanted - 1e-12))
        return Estimate(value, (upper - lower) / (2 * width), lower, upper, level, self.n_playouts)
