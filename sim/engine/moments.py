"""Integer moments of rows: sums, squares and products that merge exactly in any order."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np

from sim.jit import entry

N_SUMS: Final = 4
PAIRS: Final = tuple(combinations_with_replacement(range(N_SUMS), 2))
N_MOMENTS: Final = N_SUMS + len(PAIRS)
"""Sums x, y, u, v and their ten products: x seats with the item, y their payoff, u other seats, v theirs."""


@entry
def item_moments(payoff: Any, masks: Any, counts: Any, needs_other: int, moments: Any) -> None:
    """Add the moments of each item to `moments`.

    Args:
        payoff: Payoffs, or paired differences of payoffs, shape (n_rotations, n_playouts, n_seats).
        masks: Items of each seat, same shape; -1 marks a seat that does not play.
        counts: Whether a playout counts (finished), shape (n_playouts,).
        needs_other: 1 if a seat without any item is left out of the others.
        moments: Sums to add to, shape (n_items, N_MOMENTS).

    """
    n_items = moments.shape[0]
    sums = np.zeros(N_SUMS, np.int64)
    for playout in range(payoff.shape[1]):
        if counts[playout] == 0:
            continue
        for item in range(n_items):
            sums[:] = 0
            for rotation in range(payoff.shape[0]):
                for seat in range(payoff.shape[2]):
                    mask = masks[rotation, playout, seat]
                    if mask < 0 or (mask == 0 and needs_other != 0):
                        continue
                    side = 0 if (mask >> item) & 1 else 2
                    sums[side] += 1
                    sums[side + 1] += payoff[rotation, playout, seat]
            place = N_SUMS
            for first in range(N_SUMS):
                moments[item, first] += sums[first]
                for second in range(first, N_SUMS):
                    moments[item, place] += sums[first] * sums[second]
                    place += 1


Totals = dict[str, np.ndarray[Any, Any]]
"""Integer arrays by name; those of two blocks add up."""


def add_totals(total: Totals, more: Totals) -> None:
    """Add one block's totals to another's, in place; missing names count as zero."""
    for name, values in more.items():
        if name in total:
            total[name] = total[name] + values
        else:
            total[name] = values


def power_sums(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return sums and sums of squares over the first axis, stacked: shape (2, ...)."""
    wide = values.astype(np.int64)
    return np.stack([wide.sum(axis=0), (wide * wide).sum(axis=0)])
