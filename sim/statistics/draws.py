"""What drawing an item does for who draws it: the draw lift, and a check of it by known chances alone.

At a random draw every item that may come has a known chance, so who draws item i and who draws something else at such
a moment differ by luck only. Each draw counts with the inverse of the chance of what it brought (Horvitz-Thompson's
weights). A *draw* is one of those moments; its unit stays the playout.

Source: Horvitz and Thompson (1952); Hájek (1971) for weights that are divided by their sum; estimand I2 of table 2.1
and section 2.4 of method.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.statistics.estimate import DEFAULT_LEVEL, Estimate
from sim.statistics.sampled import difference_of_ratios, from_influence, influence, ratio_of_sums

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Draws:
    """Random draws and what became of who drew.

    Attributes:
        n_playouts: Playouts from which they come, those without a draw too.
        playout: To which of them each draw belongs, shape (n_draws,).
        item: Item drawn, shape (n_draws,).
        payoff: Share of the win of who drew, shape (n_draws,).
        chance: Chance of each item just before, shape (n_draws, n_items); rows sum to one.

    """

    n_playouts: int
    playout: IntArray
    item: IntArray
    payoff: FloatArray
    chance: FloatArray

    def __post_init__(self) -> None:
        """Refuse draws that had no chance to happen.

        Raises:
            ValueError: An item was drawn that had no chance, or chances do not sum to one.

        """
        drawn = self.chance[np.arange(len(self.item)), self.item]
        if (drawn <= 0).any() or not np.allclose(self.chance.sum(axis=1), 1):
            message = "found a draw of an item without a chance, or chances that do not sum to 1"
            raise ValueError(message)

    def by_playout(self, values: FloatArray) -> FloatArray:
        """Return the sums of a number over the draws of each playout, shape (n_playouts,)."""
        return np.bincount(self.playout, values, self.n_playouts).astype(np.float64)


@dataclass(frozen=True)
class DrawLift:
    """The lift of one item at its draws.

    Attributes:
        lift: Payoff with it minus payoff with something else, weights divided by their sum.
        check: The same from known chances alone.
        gap: The check minus the lift, with its own error: what is more than luck if the chances are not as known.
        n_drawn: How often it was drawn when something else could have come.

    """

    lift: Estimate
    check: Estimate
    gap: Estimate
    n_drawn: int

    @property
    def agree(self) -> bool:
        """Whether lift and check differ by no more than luck."""
        return self.gap.lower <= 0 <= self.gap.upper


def draw_lift(draws: Draws, item: int, fair_share: float, level: float = DEFAULT_LEVEL) -> DrawLift | None:
    """Estimate what drawing an item adds to the win share of who draws it, at draws where something else could come.

    Args:
        draws: Random draws.
        item: The item.
        fair_share: What payoffs lie round; the check is surer for it and no less right.
        level: Confidence level.

    Returns:
        `sum(y 1[A=i]/p) / sum(1[A=i]/p) - sum(y 1[A!=i]/(1-p)) / sum(1[A!=i]/(1-p))` over draws with 0 < p < 1, and as
        its check `sum((y - fair) (1[A=i]/p - 1[A!=i]/(1-p))) / n_draws`; None if fewer than two playouts have either.

    """
    chance = draws.chance[:, item]
    is_open = (chance > 0) & (chance < 1)
    chance = np.where(is_open, chance, 1 / 2)
    is_item = draws.item == item
    weight, other_weight = is_open * is_item / chance, is_open * ~is_item / (1 - chance)
    sides = [(draws.by_playout(each * draws.payoff), draws.by_playout(each)) for each in (weight, other_weight)]
    if any(np.count_nonzero(below) <= 1 for _, below in sides):
        return None
    lift = difference_of_ratios(sides[0], sides[1], level)
    signed = draws.by_playout((weight - other_weight) * (draws.payoff - fair_share))
    n_open = draws.by_playout(is_open.astype(np.float64))
    check = ratio_of_sums(signed, n_open, level)
    gap = _gap(sides, (signed, n_open), level)
    return DrawLift(lift, check, gap, int((is_open & is_item).sum()))


def _gap(sides: list[tuple[Any, Any]], known: tuple[Any, Any], level: float) -> Estimate:
    """Return the check minus the lift; both come from the same playouts."""
    (first, moved_first), (second, moved_second), (check, moved) = (influence(*pair) for pair in (*sides, known))
    n_contributing = min(int(np.count_nonzero(below)) for _, below in sides)
    return from_influence(check - (first - second), moved - (moved_first - moved_second), n_contributing, level)
