"""Is a ruleset fair to its seats: debiased scores, a test, and verdicts against a stated margin.

Imbalance measured on a fair game is never 0: the largest of several noisy deviations is positive by
construction. So every score here comes without its bias or beside its noise floor, and a verdict is
three-valued: balanced, unbalanced, or undecided with the playouts that it would take.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sim.statistics.checks import (
    FEWEST_FOR_VARIANCE,
    check_error_rate,
    check_inner_share,
    check_level,
    check_margin,
    check_n,
    check_n_seats,
    check_share,
    check_whole,
    refuse_truncation_for_verdict,
)
from sim.statistics.distributions import (
    chi_square_noncentrality,
    chi_square_tail,
    square_noncentrality,
)
from sim.statistics.estimate import (
    DEFAULT_LEVEL,
    Estimate,
    SampleSums,
    mean,
    simultaneous_shares,
)
from sim.statistics.further import Further, least_of, most_of, playouts_to_clear

FloatArray = NDArray[np.float64]

ELO_SCALE = 400.0
ELO_BASE = 10.0
SHARE_SUM_TOLERANCE = 1e-9

# How finely the law of the largest deviation is computed: to 2e-5 of its mean (2026-11-30).
N_CELLS = 257
N_NODES = 48
N_HALVINGS = 24
LARGEST_STANDARD_DEVIATE = 7.0
NOISE_LEVEL = 0.95


class Balance(StrEnum):
    """What an interval says about a margin."""

    BALANCED = "balanced"
    UNBALANCED = "unbalanced"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict on balance against a stated margin.

    Attributes:
        balance: Balanced, unbalanced or undecided.
        margin: Margin against which it was given, as a proportion.
        n_more: When undecided, how many more playouts would settle it; None when it is decided or nobody can tell.

    """

    balance: Balance
    margin: float
    n_more: Further | None = None

    def __str__(self) -> str:
        """Return the verdict in one word."""
        return str(self.balance)


@dataclass(frozen=True, slots=True)
class SeatSums:
    """Integer sums of payoffs over playouts, with the products between seats.

    Attributes:
        n: Playouts (finished ones: in each the payoffs add up to one win).
        totals: Sum of payoffs by seat, in units, shape (n_seats,).
        products: Sum over playouts of payoff times payoff, shape (n_seats, n_seats); the diagonal
            holds the squares.
        unit: How many units make one win.

    """

    n: int
    totals: tuple[int, ...]
    products: tuple[tuple[int, ...], ...]
    unit: int = 1

    def __post_init__(self) -> None:
        """Make Python integers of the sums and refuse sums that no playouts leave.

        Raises:
            ValueError: Wrong shapes, or payoffs that do not add up to one win per playout.

        """
        totals = tuple(check_whole(total, "total") for total in self.totals)
        products = tuple(tuple(check_whole(cell, "product") for cell in row) for row in self.products)
        object.__setattr__(self, "n", check_n(self.n))
        object.__setattr__(self, "unit", check_n(self.unit, name="unit"))
        object.__setattr__(self, "totals", totals)
        object.__setattr__(self, "products", products)
        self.refuse_wrong_shape()
        self.refuse_wrong_sums()

    def refuse_wrong_shape(self) -> None:
        """Stop if the products are not a square table of the seats.

        Raises:
            ValueError: The shape or the symmetry is wrong.

        """
        n_seats = check_n_seats(len(self.totals))
        square = len(self.products) == n_seats and all(len(row) == n_seats for row in self.products)
        if not square or any(
            self.products[seat][other] != self.products[other][seat] for seat in range(n_seats) for other in range(seat)
        ):
            message = (
                f"products of payoffs are not a symmetric table of {n_seats} by {n_seats} seats; "
                "pass the sum of payoff times payoff for every pair of seats"
            )
            raise ValueError(message)

    def refuse_wrong_sums(self) -> None:
        """Stop if payoffs do not add up to one win in every playout.

        Raises:
            ValueError: The sums differ from one win per playout.

        """
        whole = self.n * self.unit
        rows = [sum(row) for row in self.products]
        expected = [self.unit * total for total in self.totals]
        if sum(self.totals) != whole or rows != expected:
            message = (
                f"payoffs sum to {sum(self.totals)} over {self.n} playouts in units of "
                f"1/{self.unit}, expected {whole} with products to fit; "
                "leave truncated playouts out of the sums"
            )
            raise ValueError(message)

    @classmethod
    def of_wins(cls, wins: Sequence[int]) -> "SeatSums":
        """Return the sums of playouts with one sole winner each, from wins by seat."""
        counts = [check_whole(count, "wins") for count in wins]
        if any(count < 0 for count in counts):
            message = f"wins by seat are {counts}, expected counts of 0 or more"
            raise ValueError(message)
        products = tuple(
            tuple(count if seat == other else 0 for other in range(len(counts))) for seat, count in enumerate(counts)
        )
        return cls(sum(counts), tuple(counts), products)

    @property
    def n_seats(self) -> int:
        """Seats at the table."""
        return len(self.totals)

    @property
    def fair_share(self) -> float:
        """Share of a win that each seat has when all are equal."""
        return 1 / self.n_seats

    @property
    def has_split_points(self) -> bool:
        """Whether some playout was shared between seats."""
        return any(self.products[seat][seat] != self.unit * self.totals[seat] for seat in range(self.n_seats))

    def seat(self, seat: int) -> SampleSums:
        """Return the sums of one seat."""
        return SampleSums(self.n, self.totals[seat], self.products[seat][seat], self.unit)

    def shares(self) -> FloatArray:
        """Return the win share of each seat, shape (n_seats,)."""
        return np.array([self.seat(seat).mean for seat in range(self.n_seats)])

    def covariance(self) -> FloatArray:
        """Return the covariance of the estimated shares, shape (n_seats, n_seats).

        Raises:
            ValueError: There are fewer than two playouts.

        """
        n = check_n(self.n, FEWEST_FOR_VARIANCE)
        spread = [
            [n * cell - self.totals[seat] * self.totals[other] for other, cell in enumerate(row)]
            for seat, row in enumerate(self.products)
        ]
        return np.array(spread, dtype=np.float64) / (float(n) * n * (n - 1) * self.unit**2)


def seat_shares(seats: SeatSums, level: float = DEFAULT_LEVEL) -> tuple[Estimate, ...]:
    """Estimate the win share of every seat, with intervals that hold together at `level`.

    Args:
        seats: Sums of payoffs over finished playouts.
        level: Joint confidence level.

    Returns:
        One share per seat, as proportions that sum to one (Goodman's intervals).

    Raises:
        ValueError: A wrong level.

    """
    return simultaneous_shares([seats.seat(seat) for seat in range(seats.n_seats)], level)


def seat_difference(seats: SeatSums, seat: int, other: int, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate how much more one seat wins than another in the same playouts.

    Args:
        seats: Sums of payoffs over finished playouts.
        seat: The seat.
        other: The seat that is taken away.
        level: Confidence level.

    Returns:
        Difference of the two shares, as a proportion.

    Raises:
        ValueError: There is no such seat, the two are the same, or the level is wrong.

    """
    for place in (seat, other):
        if not 0 <= place < seats.n_seats:
            message = f"seat is {place}, expected 0 to {seats.n_seats - 1}"
            raise ValueError(message)
    if seat == other:
        message = f"seat {seat} is compared with itself; name two seats"
        raise ValueError(message)
    crossed = seats.products[seat][other]
    squares = seats.products[seat][seat] - 2 * crossed + seats.products[other][other]
    total = seats.totals[seat] - seats.totals[other]
    return mean(SampleSums(seats.n, total, squares, seats.unit), level)


def seat_score(seats: SeatSums, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate Q, the sum of squared seat advantages with the noise taken out.

    Args:
        seats: Sums of payoffs over finished playouts.
        level: Confidence level.

    Returns:
        Q in squared proportions. Its expectation is the true sum of squares, so it is negative
        about half the time when the seats are equal; its interval, of what the sum can be, never is. The
        observed sum of squares is taken for a multiple of a noncentral chi-square with the same mean and variance. From
        playouts that are all alike nothing is known, and the interval is all that is possible.

    Raises:
        ValueError: Fewer than two playouts, or a wrong level.

    Source: Satterthwaite (1946), Biometrics Bull. 2, 110-114, for the multiple of a chi-square.

    """
    deviation = seats.shares() - seats.fair_share
    covariance = seats.covariance()
    noise = float(np.trace(covariance))
    observed = math.fsum(deviation**2)
    squared_noise = float(np.sum(covariance**2))
    spread = float(deviation @ covariance @ deviation)
    # the plug-in slope is too large by squared_noise on average; cut at 0, the error errs upwards
    error = math.sqrt(2 * squared_noise + (2 + 2) * max(0.0, spread - squared_noise))
    if noise == 0:
        return Estimate(observed, 0.0, 0.0, 1 - seats.fair_share, level, seats.n)
    # a scale that gives the sum of squares its mean and its variance as a multiple of a noncentral chi-square
    scale = (squared_noise + 2 * spread) / (noise + 2 * observed)
    tail = (1 - check_level(level)) / 2
    lower = square_noncentrality(observed / scale, noise / scale, 1 - tail)
    upper = square_noncentrality(max(observed, noise) / scale, noise / scale, tail)
    return Estimate(observed - noise, error, scale * lower, scale * upper, level, seats.n)


@dataclass(frozen=True, slots=True)
class LargestDeviation:
    """The largest seat advantage to either side, beside what a fair game would show.

    Attributes:
        value: Largest absolute difference between a win share and the fair share, a proportion.
        noise_mean: What it would be on average in a fair game of as many playouts.
        noise_limit: What it would stay below in 95 % of such samples.
        n_playouts: Playouts.

    """

    value: float
    noise_mean: float
    noise_limit: float
    n_playouts: int


def largest_deviation(seats: SeatSums) -> LargestDeviation:
    """Return D_inf, the largest seat advantage, with its noise floor.

    Args:
        seats: Sums of payoffs over finished playouts.

    """
    value = float(np.max(np.abs(seats.shares() - seats.fair_share)))
    noise_mean, noise_limit = noise_floor(seats.n_seats, seats.n)
    return LargestDeviation(value, noise_mean, noise_limit, seats.n)


def noise_floor(n_seats: int, n_playouts: int) -> tuple[float, float]:
    """Return how large the largest seat advantage looks in a fair game with sole winners.

    Args:
        n_seats: Seats at the table.
        n_playouts: Playouts.

    Returns:
        Its mean and its 95 % point, as proportions, in the normal limit (good from about 100
        playouts per seat; with split points it is an upper bound).

    Raises:
        ValueError: Fewer than two seats or no playouts.

    """
    n = check_n(n_playouts)
    average, limit = standard_noise_floor(check_n_seats(n_seats))
    scale = 1 / math.sqrt(n_seats * n)
    return average * scale, limit * scale


@lru_cache
def standard_noise_floor(n_seats: int) -> tuple[float, float]:
    """Return mean and 95 % point of the largest deviation of standard normals from their mean."""
    half = LARGEST_STANDARD_DEVIATE / 2
    nodes, weights = np.polynomial.legendre.leggauss(N_NODES)
    chances = [chance_all_within(half * (1 + float(node)), n_seats) for node in nodes]
    average = half * math.fsum(weights * (1 - np.array(chances)))
    lower, upper = 0.0, LARGEST_STANDARD_DEVIATE
    for _ in range(N_HALVINGS):
        middle = (lower + upper) / 2
        if chance_all_within(middle, n_seats) < NOISE_LEVEL:
            lower = middle
        else:
            upper = middle
    return average, upper


def chance_all_within(limit: float, n_seats: int) -> float:
    """Return the chance that no standard normal lies farther than `limit` from their mean.

    Deviations from the mean have the law of independent normals given that they sum to 0. So the
    chance is the density at 0 of the sum of normals cut off at the limit, over that of uncut ones.

    Args:
        limit: Largest distance, in standard deviations.
        n_seats: How many normals.

    """
    # midpoints of an odd number of cells: their sums meet 0, and no cell is cut at an end
    spacing = 2 * limit / N_CELLS
    points = spacing * (np.arange(N_CELLS) - N_CELLS // 2)
    weights = np.exp(-(points**2) / 2) * spacing / math.sqrt(2 * math.pi)
    length = n_seats * (N_CELLS - 1) + 1
    sum_weights = np.fft.irfft(np.fft.rfft(weights, length) ** n_seats, length)
    uncut = 1 / math.sqrt(2 * math.pi * n_seats)
    return float(sum_weights[length // 2] / spacing / uncut)


@dataclass(frozen=True, slots=True)
class FairnessTest:
    """A chi-square test of equal seats.

    Attributes:
        statistic: Chi-square.
        degrees: Degrees of freedom, n_seats - 1.
        p_value: Chance of at least this statistic in a fair game.
        cramer_v: Size of the deviation, 0 (equal) to 1 (one seat wins always).
        n_playouts: Playouts.

    """

    statistic: float
    degrees: int
    p_value: float
    cramer_v: float
    n_playouts: int


def fairness_test(seats: SeatSums) -> FairnessTest:
    """Test whether all seats win equally often.

    With sole winners this is Pearson's test; with split points the same quadratic form uses the
    covariance of the sample, since shared points vary less.

    Args:
        seats: Sums of payoffs over finished playouts.

    Raises:
        ValueError: The payoffs do not vary, so that there is nothing to test.

    Source: Pearson (1900), Phil. Mag. 50, 157-175; Wald (1943) for split points.

    """
    deviation = seats.shares() - seats.fair_share
    degrees = seats.n_seats - 1
    if seats.has_split_points:
        statistic = wald_statistic(deviation[:-1], seats.covariance()[:-1, :-1])
    else:
        statistic = seats.n * seats.n_seats * math.fsum(deviation**2)
    cramer_v = math.sqrt(seats.n_seats * math.fsum(deviation**2) / degrees)
    return FairnessTest(statistic, degrees, chi_square_tail(statistic, degrees), cramer_v, seats.n)


def wald_statistic(deviation: FloatArray, covariance: FloatArray) -> float:
    """Return the squared length of a deviation in standard errors.

    Raises:
        ValueError: The covariance has no inverse.

    """
    if np.linalg.matrix_rank(covariance, hermitian=True) < len(deviation):
        message = (
            "the payoffs of some seats do not vary over these playouts, so there is no test; "
            "play more playouts, or look at the shares themselves"
        )
        raise ValueError(message)
    return float(deviation @ np.linalg.solve(covariance, deviation))


def playouts_for_fairness_test(deviation: float, n_seats: int, power: float = 0.9, alpha: float = 0.05) -> int:
    """Return how many playouts find one seat that is off by `deviation`.

    Args:
        deviation: Excess of one seat's share, as a proportion; the others share the deficit.
        n_seats: Seats at the table.
        power: Wanted chance of finding it.
        alpha: Error rate of the test.

    Raises:
        ValueError: The deviation is not between 0 and 1, or a rate is wrong.

    """
    n_others = check_n_seats(n_seats) - 1
    size = check_margin(deviation) ** 2 * n_seats * (1 + 1 / n_others)
    wanted = check_error_rate(power, "power")
    return math.ceil(chi_square_noncentrality(wanted, check_error_rate(alpha, "alpha"), n_others) / size)


def check_shares(shares: Sequence[float] | FloatArray) -> FloatArray:
    """Return win shares as an array.

    Raises:
        ValueError: They are fewer than two, outside 0 to 1, or do not sum to one.

    """
    checked = np.asarray(shares, dtype=np.float64)
    check_n_seats(checked.size)
    if not np.all(checked >= 0) or abs(float(checked.sum()) - 1) > SHARE_SUM_TOLERANCE:
        message = (
            f"shares are {checked.tolist()} and sum to {float(checked.sum()):.6f}, "
            "expected numbers of 0 or more that sum to 1"
        )
        raise ValueError(message)
    return checked


def effective_seats(shares: Sequence[float] | FloatArray) -> float:
    """Return how many equal seats would be as uncertain as these: exp of the entropy.

    Args:
        shares: Win share by seat, shape (n_seats,), sums to one.

    Raises:
        ValueError: The shares are not shares.

    """
    checked = check_shares(shares)
    positive = checked[checked > 0]
    return math.exp(-math.fsum(positive * np.log(positive)))


def entropy_ratio(shares: Sequence[float] | FloatArray) -> float:
    """Return the entropy of the winner over its largest value, 1 when all seats are equal.

    Args:
        shares: Win share by seat, shape (n_seats,), sums to one.

    Raises:
        ValueError: The shares are not shares.

    """
    return math.log(effective_seats(shares)) / math.log(len(shares))


def gini(amounts: Sequence[float] | FloatArray) -> float:
    """Return the Gini coefficient: 0 when all amounts are equal, near 1 when one has everything.

    Args:
        amounts: Amounts of 0 or more, shape (n_items,).

    Raises:
        ValueError: There is no amount, one is negative, or all are 0.

    Source: Gini (1912), in the rank form of Sen (1973).

    """
    ascending = np.sort(np.asarray(amounts, dtype=np.float64))
    n_amounts = check_n(ascending.size, name="number of amounts")
    total = math.fsum(ascending)
    if not np.all(ascending >= 0) or not 0 < total < math.inf:
        message = f"amounts are {list(amounts)}, expected finite numbers of 0 or more, not all 0"
        raise ValueError(message)
    ranks = 2 * np.arange(1, n_amounts + 1) - n_amounts - 1
    return math.fsum(ranks * ascending) / (n_amounts * total)


def player_elo(win_share: float, n_seats: int) -> float:
    """Return the rating at which a win share among equals is fair: 0 at 1 / n_seats.

    Args:
        win_share: Win share, a proportion.
        n_seats: Seats at the table.

    Returns:
        Elo points on the logistic scale; infinite at shares of 0 and 1.

    Raises:
        ValueError: The share is not a proportion or there are fewer than two seats.

    """
    others = check_n_seats(n_seats) - 1
    checked = check_share(win_share, "win_share")
    if checked in (0, 1):
        return math.copysign(math.inf, checked - 1 / n_seats)
    return ELO_SCALE * math.log(checked * others / (1 - checked), ELO_BASE)


def player_elo_estimate(win_share: Estimate, n_seats: int) -> Estimate:
    """Return a win share and its interval as ratings.

    Args:
        win_share: Estimated win share, between 0 and 1.
        n_seats: Seats at the table.

    Returns:
        The rating; the ends of the interval are those of the share, the standard error is
        linearised.

    Raises:
        ValueError: The share is 0 or 1, where no rating is finite.

    """
    value = check_inner_share(win_share.value, "win_share")
    slope = ELO_SCALE / math.log(ELO_BASE) / (value * (1 - value))
    return replace(
        win_share,
        value=player_elo(value, n_seats),
        mcse=slope * win_share.mcse,
        lower=player_elo(max(0.0, win_share.lower), n_seats),
        upper=player_elo(min(1.0, win_share.upper), n_seats),
    )


def verdict(advantage: Estimate, margin: float, n_truncated: int = 0) -> Verdict:
    """Judge one deviation from fair against a stated margin.

    Args:
        advantage: The deviation, 0 when fair, as a proportion (a share minus the fair share, a
            lift).
        margin: Largest deviation to either side that still counts as balanced, as a proportion.
        n_truncated: How many of its playouts hit the turn limit.

    Returns:
        Balanced when the whole interval is inside the margin, unbalanced when it is wholly outside,
        else undecided with the playouts that would settle it.

    Raises:
        ValueError: The margin is not between 0 and 1, or more than 0.1 % were truncated.

    Source: Schuirmann (1987) for the two one-sided tests behind "balanced".

    """
    limit = check_margin(margin)
    refuse_truncation_for_verdict(n_truncated, advantage.n_playouts)
    if advantage.lower > -limit and advantage.upper < limit:
        return Verdict(Balance.BALANCED, limit)
    if advantage.lower > limit or advantage.upper < -limit:
        return Verdict(Balance.UNBALANCED, limit)
    return Verdict(Balance.UNDECIDED, limit, playouts_to_clear(advantage, (-limit, limit)))


def seat_verdict(seats: SeatSums, margin: float, level: float = DEFAULT_LEVEL, n_truncated: int = 0) -> Verdict:
    """Judge all seats together against a stated margin.

    Args:
        seats: Sums of payoffs over finished playouts.
        margin: Largest seat advantage that still counts as balanced, as a proportion.
        level: Joint confidence level of the intervals (Goodman).
        n_truncated: Playouts that hit the turn limit, besides the finished ones.

    Returns:
        Unbalanced when one seat is outside, balanced when every seat is inside, else undecided.

    Raises:
        ValueError: A wrong margin or level, or more than 0.1 % truncated.

    """
    refuse_truncation_for_verdict(n_truncated, seats.n + n_truncated)
    return joint_verdict([estimate.shifted(-seats.fair_share) for estimate in seat_shares(seats, level)], margin)


def joint_verdict(deviations: Sequence[Estimate], margin: float) -> Verdict:
    """Judge several deviations from fair as one claim: of all seats, or of one quantity under all policy profiles.

    Args:
        deviations: Each deviation, 0 when fair, as a proportion.
        margin: Largest deviation to either side that still counts as balanced.

    Returns:
        Unbalanced when one is outside, balanced when every one is inside, else undecided.

    Raises:
        ValueError: There is no deviation, or the margin is not between 0 and 1.

    """
    check_n(len(deviations), name="number of deviations")
    each = [verdict(deviation, margin) for deviation in deviations]
    words = {judged.balance for judged in each}
    if Balance.UNBALANCED in words:
        return Verdict(Balance.UNBALANCED, margin)
    if words == {Balance.BALANCED}:
        return Verdict(Balance.BALANCED, margin)
    return Verdict(Balance.UNDECIDED, margin, playouts_for_all(deviations, each, margin))


def playouts_for_all(deviations: Sequence[Estimate], each: Sequence[Verdict], margin: float) -> Further | None:
    """Return how many more playouts settle several deviations: the first to leave, or the last to be inside.

    Args:
        deviations: Deviations from fair.
        each: Verdict on each of them alone.
        margin: Largest deviation that counts as balanced.

    """
    undecided = [
        (deviation, judged.n_more)
        for deviation, judged in zip(deviations, each, strict=True)
        if judged.balance is Balance.UNDECIDED
    ]
    leaving = [more for deviation, more in undecided if abs(deviation.value) > margin]
    return least_of(leaving) if leaving else most_of([more for _, more in undecided])
