"""The course of a playout in chances to win: lead changes, drama, comebacks, decisive turns, and who runs away.

`V_i(t)` is the chance of seat i after turn t, for t = 0 (before the first turn) to L - 1; after turn L the payoff is
known. Every function gives one number per playout, or sums from which a number over all playouts is worked out; what
a number means stands in its docstring. Definitions are those of section 3 of method.md, which takes lead change,
drama, decisiveness threshold and stability from Ludii (Browne and Maire 2010; Ludii, evaluation metrics).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

SAME_CHANCE: Final = 1e-9
DECIDED_AT: Final = 0.8
SMALLEST_CHANCE: Final = 1e-6  # so that a logit is finite


@dataclass(frozen=True)
class Course:
    """Chances over the turns of finished playouts.

    Attributes:
        chances: `V_i(t)` of positions before the end, playout after playout, shape (n_positions, n_seats).
        is_in: Who is still in, shape (n_positions, n_seats).
        first: Number of the first position of each playout, shape (n_playouts,).
        length: Positions of each playout, which is its turns L, shape (n_playouts,).
        payoff: Share of the win in the end, shape (n_playouts, n_seats); rows sum to one.
        eliminated: Order of elimination, 0 for who stayed, shape (n_playouts, n_seats).

    """

    chances: FloatArray
    is_in: BoolArray
    first: IntArray
    length: IntArray
    payoff: FloatArray
    eliminated: IntArray

    @property
    def playout(self) -> IntArray:
        """Playout of each position, shape (n_positions,)."""
        return np.repeat(np.arange(len(self.length)), self.length)

    @property
    def turn(self) -> IntArray:
        """Turns before each position, shape (n_positions,)."""
        return np.asarray(np.arange(len(self.chances)) - self.first[self.playout])

    def of_first(self, n_playouts: int) -> Course:
        """Return the course of the first playouts."""
        n_positions = int(self.length[:n_playouts].sum())
        return Course(
            self.chances[:n_positions],
            self.is_in[:n_positions],
            self.first[:n_playouts],
            self.length[:n_playouts],
            self.payoff[:n_playouts],
            self.eliminated[:n_playouts],
        )

    def mean_over_turns(self, values: FloatArray) -> FloatArray:
        """Return the mean over the positions of each playout, over the first axis."""
        sums = np.add.reduceat(values, self.first, axis=0)
        return np.asarray((sums.T / self.length).T)

    def winner_chance(self) -> FloatArray:
        """Return the chance of who was to win, the mean of those who shared it, shape (n_positions,)."""
        return np.asarray((self.chances * self.payoff[self.playout]).sum(axis=1))

    def half_time(self) -> IntArray:
        """Return the position after half of the turns (rounded down) of each playout."""
        return np.asarray(self.first + self.length // 2)


def lead_changes(course: Course) -> FloatArray:
    """Count how often the set of leaders (largest V) changes from turn to turn, the winners at the end included."""
    chances = course.chances
    leads = chances >= chances.max(axis=1, keepdims=True) - SAME_CHANCE
    changed = np.zeros(len(chances))
    changed[1:] = (leads[1:] != leads[:-1]).any(axis=1)
    changed[course.first] = 0
    last = course.first + course.length - 1
    ending = (leads[last] != (course.payoff > 0)).any(axis=1)
    return np.asarray(np.add.reduceat(changed, course.first) + ending)


def drama(course: Course) -> FloatArray:
    """Return the mean over turns of `max_j V_j - V_winner`: 0 if the winner always led."""
    return course.mean_over_turns(course.chances.max(axis=1) - course.winner_chance())


def comeback(course: Course) -> FloatArray:
    """Return the share of the win of who, still in, has the lowest V at half time; the mean share of several."""
    half = course.half_time()
    chances = np.where(course.is_in[half], course.chances[half], np.inf)
    is_last = chances <= chances.min(axis=1, keepdims=True) + SAME_CHANCE
    return np.asarray((course.payoff * is_last).sum(axis=1) / is_last.sum(axis=1))


def rank_pairs(course: Course) -> tuple[FloatArray, FloatArray]:
    """Return each seat's rank by V at half time and its final rank (by payoff, then by who stayed longest).

    Returns:
        Two arrays of ranks from 1, ties in the middle, shape (n_playouts, n_seats).

    """
    from scipy.stats import rankdata  # noqa: PLC0415  (half a second of every command that needs no ranks)

    at_half = rankdata(-course.chances[course.half_time()], axis=1)
    n_seats = course.payoff.shape[1]
    stayed = np.where(course.eliminated == 0, n_seats + 1, course.eliminated)
    final = rankdata(-(course.payoff * (n_seats + 2) + stayed), axis=1)
    return np.asarray(at_half), np.asarray(final)


def decisiveness_threshold(course: Course) -> FloatArray:
    """Return the largest V that somebody reached who did not win."""
    losing = np.where(course.payoff[course.playout] > 0, 0.0, course.chances)
    return np.asarray(np.maximum.reduceat(losing.max(axis=1), course.first))


def dead_tail(course: Course) -> FloatArray:
    """Return `(L - t) / L`, what is only played out: t is the first turn from which V of the winner stays at .8."""
    below = course.winner_chance() < DECIDED_AT
    last_below = np.maximum.reduceat(np.where(below, course.turn, -1), course.first)
    return np.asarray((course.length - (last_below + 1)) / course.length)


def stability(course: Course) -> FloatArray:
    """Return the variance of V over the turns of a playout, the mean over seats: high is swingy."""
    mean = course.mean_over_turns(course.chances)
    return np.asarray(course.mean_over_turns((course.chances - mean[course.playout]) ** 2).mean(axis=1))


def uncertainty(course: Course) -> FloatArray:
    """Return the mean over turns of the entropy of V in units of its largest, ln P: 1 while all is open."""
    safe = np.maximum(course.chances, np.finfo(float).tiny)
    entropy = -(course.chances * np.log(safe)).sum(axis=1) / np.log(course.chances.shape[1])
    return course.mean_over_turns(entropy)


def logit_sums(course: Course, lag: int) -> FloatArray:
    """Return sums for the slope of logit V(t + lag) on logit V(t), over seats that are in at both.

    Args:
        course: The course.
        lag: Turns between the two.

    Returns:
        Number, sums of x, y, xx and xy of each playout, shape (n_playouts, 5).

    """
    later = np.arange(len(course.chances)) + lag
    ends = course.first + course.length
    is_there = later < ends[course.playout]
    before, after = np.flatnonzero(is_there), later[is_there]
    both = course.is_in[before] & course.is_in[after]
    clipped = np.clip(course.chances, SMALLEST_CHANCE, 1 - SMALLEST_CHANCE)
    logit = np.log(clipped / (1 - clipped))
    old, new = (np.where(both, logit[places], 0.0) for places in (before, after))
    parts = (both, old, new, old * old, old * new)
    where = course.playout[before]
    return np.stack([np.bincount(where, part.sum(axis=1), len(course.length)) for part in parts], axis=1)


def slope_of(sums: FloatArray) -> float:
    """Return the least-squares slope from summed `logit_sums`, or 0 where all x are the same."""
    n, total, other, square, product = sums
    spread = n * square - total * total
    return float((n * product - total * other) / spread) if spread > 0 else 0.0


def correlation_of(first: FloatArray, second: FloatArray) -> float:
    """Return the correlation of two arrays of ranks, or 0 where one of them does not vary."""
    if first.std() == 0 or second.std() == 0:
        return 0.0
    return float(np.corrcoef(first.ravel(), second.ravel())[0, 1])
