"""Chances to win that come from rollouts: how their noise is kept out of what is told from them.

A chance from R rollouts has a noise of about `sqrt(p (1 - p) / R)`. Numbers that bend with the chances (who leads by
how much, entropy, variance over the turns) are off by the mean of what the noise does to them, however many positions
there are. Two remedies, each for what it fits:

* *Numbers that move smoothly*: what is told from all worlds, from each half and from each quarter of them differs by
  that bias, which falls as 1/R; the line through the first two meets 1/R = 0 at twice the first less the second
  (Richardson 1911; the split halves are those of the jackknife of Quenouille 1956).
* *Numbers that move in steps* (who leads, who is last, is it .8): one step is one step however small the noise, so that
  the rollouts lean on the fitted value function as far as they are noisy: `V + w (rollouts - V)` with
  `w = s / (s + noise)` and s the mean square of what the value function misses, estimated from the same positions
  (James and Stein 1961; Efron and Morris 1973).

What either may leave is told by the same number from half of the worlds: a bias that falls as 1/R has as much left as
it has just fallen by; that of lead changes falls as slowly as 1/sqrt(R) where the lead is close. It goes into the
error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

QUARTERS: Final = 4
HALVES: Final = 2
SLOWEST: Final = 1 / (2**0.5 - 1)
"""How much of a bias is left that falls as slowly as 1/sqrt(R), in what it has fallen by when R was doubled last."""


@dataclass(frozen=True)
class Levels:
    """The same chances from all worlds, and from each half and each quarter of them.

    Attributes:
        quarters: Chances from each quarter, shape (4, n_positions, n_seats).
        n_worlds: Worlds in all.

    """

    quarters: FloatArray
    n_worlds: int

    @property
    def whole(self) -> FloatArray:
        """Chances from all worlds, shape (n_positions, n_seats)."""
        return np.asarray(self.quarters.mean(axis=0))

    @property
    def halves(self) -> FloatArray:
        """Chances from each half, shape (2, n_positions, n_seats)."""
        n_positions, n_seats = self.quarters.shape[1:]
        return np.asarray(self.quarters.reshape(HALVES, HALVES, n_positions, n_seats).mean(axis=1))


def extrapolate(whole: FloatArray, halves: FloatArray, quarters: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a number without the bias of finitely many worlds, and how much doubling them last moved that.

    Args:
        whole: The number told from all worlds.
        halves: Its mean over the halves.
        quarters: Its mean over the quarters.

    """
    found, before = 2 * whole - halves, 2 * halves - quarters
    return found, found - before


def lean(rolled: FloatArray, fitted: FloatArray, is_in: BoolArray, n_worlds: int) -> FloatArray:
    """Return chances from rollouts that lean on fitted ones as far as they are noisy.

    Args:
        rolled: Chances from rollouts, shape (n_positions, n_seats).
        fitted: Chances told by a value function that was fitted to other playouts, the same shape.
        is_in: Who is still in, the same shape.
        n_worlds: Rollouts of each position.

    """
    counted = is_in & (is_in.sum(axis=1) > 1)[:, None]
    noise = float((rolled * (1 - rolled))[counted].mean()) / max(1, n_worlds - 1)
    missed = max(0.0, float(((rolled - fitted) ** 2)[counted].mean()) - noise)
    weight = missed / (missed + noise) if missed > 0 else 0.0
    return np.asarray(fitted + weight * (rolled - fitted))


def join_means(parts: Sequence[FloatArray]) -> FloatArray:
    """Return the mean of a number over several parts of the worlds."""
    return np.asarray(np.mean(np.stack(parts), axis=0))
