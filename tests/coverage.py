"""How often the intervals of the product hold the truth, by exact enumeration over every sample that can come.

A *law* is three values that a playout can show and their chances; a sample is told by how often each came, so that all
samples of a size are the cells of a trinomial. Of each cell the product's own interval is made (in arrays), and the
chances of the cells whose interval holds the truth are added up. Laws cover whole wins, split points, rotations that
count as one playout, lifts of whole and of split points, and lifts against the rest of the deal.

`python -m tests.coverage` goes over the finer grid and prints the worst cells; the tests take a coarse one.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import special, stats

from sim.statistics.bounded import FEWEST_JUDGED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TAIL = 6.5  # standard deviations of a count that are enumerated; what lies beyond counts as covered
SLACK = 12
TINY = 1e-12
SIZES = (2, 3, 5, 10, 20, 40, 50, 64, 100, 200, 340, 512, 1000, 2048)
RATES = (0.0, 0.0005, 0.002, 0.005, 0.01, 0.03, 0.1, 0.25, 0.5)
FINE_SIZES = (*SIZES, 45, 80, 140, 280, 400, 700, 1400)
FINE_RATES = (*RATES, 0.001, 0.003, 0.007, 0.02, 0.05, 0.07, 0.15, 0.2, 0.3, 0.4)
LEVELS = (0.95, 0.9875, 0.9975, 0.9995)


@dataclass(frozen=True)
class Kind:
    """A kind of interval that the product tells.

    Attributes:
        name: What it is called.
        values: What a playout can show; the chances of the first and the last one are varied.
        limits: Lowest and highest value that the product knows to be possible.

    """

    name: str
    values: tuple[float, float, float]
    limits: tuple[float, float]


KINDS = (
    Kind("lift of whole wins", (-1, 0, 1), (-1, 1)),
    Kind("lift of split points", (-0.5, 0, 0.5), (-1, 1)),
    Kind("lift of whole and split points", (-1, 0, 0.5), (-1, 1)),
    Kind("lift over four rotations", (-0.25, 0, 0.25), (-1, 1)),
    Kind("interaction", (-2, 0, 1), (-2, 2)),
    Kind("deal lift, four seats", (-1 / 3, -1 / 3, 1), (-1, 1)),
    Kind("share with split points", (1, 0, 0.5), (0, 1)),
    Kind("share over rotations, near a half", (0, 0.25, 0.5), (0, 1)),
    Kind("share over rotations, rarely lost", (1, 0.25, 0), (0, 1)),
    Kind("share of whole wins, as a mean", (0, 0, 1), (0, 1)),
)


@dataclass(frozen=True)
class Cell:
    """One law and sample size.

    Attributes:
        coverage: Chance that the interval holds the truth.
        n: Playouts.
        first, last: Chances of the first and the last value.

    """

    coverage: float
    n: int
    first: float
    last: float


def counts_near(n: int, chance: float) -> np.ndarray:
    """Return the counts that a binomial can plausibly show."""
    reach = TAIL * np.sqrt(n * chance * (1 - chance)) + SLACK
    return np.arange(int(max(0, n * chance - reach)), int(min(n, n * chance + reach)) + 1)


def bounded_in_arrays(
    mean: np.ndarray, variance: np.ndarray, n: int, limits: tuple[float, float], level: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of `sim.statistics.bounded.bounded` for arrays of samples; a test compares the two."""
    quantile = special.stdtrit(n - 1, 1 - (1 - level) / 2)
    low, high = limits
    farthest = np.maximum(mean - low, high - mean)
    reach = quantile * np.hypot(np.sqrt(variance / n), quantile * farthest / n)
    return np.minimum(mean, np.maximum(low, mean - reach)), np.maximum(mean, np.minimum(high, mean + reach))


def coverage_of(kind: Kind, n: int, first: float, last: float, level: float) -> float:
    """Return how often the interval of a bounded mean holds the truth."""
    one, middle, other = kind.values
    n_first, n_last = counts_near(n, first)[:, None], counts_near(n, last)[None, :]
    n_middle = n - n_first - n_last
    left = last / (1 - first) if first < 1 else 0.0
    chance = stats.binom.pmf(n_first, n, first) * stats.binom.pmf(n_last, np.maximum(n - n_first, 0), min(1.0, left))
    chance = np.where(n_middle >= 0, chance, 0.0)
    mean = (one * n_first + middle * n_middle + other * n_last) / n
    squares = (one**2 * n_first + middle**2 * n_middle + other**2 * n_last) / n
    variance = np.maximum(squares - mean**2, 0.0) * n / (n - 1)
    lower, upper = bounded_in_arrays(mean, variance, n, kind.limits, level)
    truth = one * first + middle * (1 - first - last) + other * last
    holds = (lower <= truth + TINY) & (truth - TINY <= upper)
    return float(1 - (chance * ~holds).sum())


def cells(kind: Kind, sizes: Sequence[int], rates: Sequence[float], level: float) -> Iterator[Cell]:
    """Yield the coverage of every law and size of a grid."""
    for n in sizes:
        for first in rates:
            for last in rates:
                if first + last <= 1:
                    yield Cell(coverage_of(kind, n, first, last, level), n, first, last)


def exact_cells(sizes: Sequence[int], rates: Sequence[float], level: float) -> Iterator[Cell]:
    """Yield the coverage of the exact interval of a share of whole wins."""
    tail = (1 - level) / 2
    for n in sizes:
        wins = np.arange(n + 1)
        lower = np.where(wins > 0, special.betaincinv(np.maximum(wins, 1), n - wins + 1, tail), 0.0)
        upper = np.where(wins < n, special.betaincinv(wins + 1, np.maximum(n - wins, 1), 1 - tail), 1.0)
        for rate in (*rates, *(1 - rate for rate in rates)):
            holds = (lower <= rate + TINY) & (rate - TINY <= upper)
            yield Cell(float(1 - (stats.binom.pmf(wins, n, rate) * ~holds).sum()), n, 0.0, rate)


def worst(found: Iterator[Cell], n_cells: int = 3) -> list[Cell]:
    """Return the cells with the smallest coverage among those that are judged."""
    return sorted((one for one in found if one.n >= FEWEST_JUDGED), key=lambda one: one.coverage)[:n_cells]


def main(levels: Sequence[float]) -> None:
    """Print the worst cells of every kind of interval."""
    for level in levels:
        grids = {kind.name: cells(kind, FINE_SIZES, FINE_RATES, level) for kind in KINDS}
        grids["share of whole wins, exact"] = exact_cells(FINE_SIZES, FINE_RATES, level)
        for name, grid in grids.items():
            told = "; ".join(f"{one.coverage:.4f} at n={one.n}, {one.first:g}, {one.last:g}" for one in worst(grid))
            sys.stdout.write(f"{level:g} {name}: {told}\n")


if __name__ == "__main__":
    main([float(level) for level in sys.argv[1:]] or LEVELS)
