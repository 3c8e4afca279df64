"""Integer moments of rows: sums, squares and products that merge exactly in any order.

The unit is one playout: what the rotations of a line-up and several seats give in it is added up first and
then squared. Rotations and seats are the first and last axis of every array.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any, Final

import numpy as np

from sim.jit import cold, entry, hot, lowest_bit

N_SUMS: Final = 4
PAIRS: Final = tuple(combinations_with_replacement(range(N_SUMS), 2))
N_MOMENTS: Final = N_SUMS + len(PAIRS)
"""Sums x, y, u, v and their ten products: x seats with the item, y their payoff, u other seats, v theirs."""
N_PAIR_SUMS: Final = 5
"""Sums of A, B, AA, BB and AB over playouts: A of the variant, B of the baseline."""
N_HOLDER_SUMS: Final = 5
"""Sums of x, d, xx, xd and dd: x seats with the item, d how much more they win in the variant."""
NO_SLOT: Final = -1


@entry
def item_moments(payoff: Any, masks: Any, counts: Any, needs_other: int, moments: Any) -> None:
    """Add the moments of each item to `moments`.

    Args:
        payoff: Payoffs, or paired differences of payoffs, shape (n_rotations, n_playouts, n_seats).
        masks: Items of each seat, same shape; -1 marks a seat that does not play.
        counts: Whether a playout counts (finished), shape (n_playouts,).
        needs_other: 1 if a seat without any item is left out of the others.
        moments: Sums to add to, shape (n_items, N_MOMENTS).

    What an item that nobody has adds is the same for all of them; it is summed once.

    """
    whole = np.zeros(N_SUMS, np.int64)
    part = np.zeros(N_SUMS, np.int64)
    absent = np.zeros((1, N_MOMENTS), np.int64)
    for playout in range(payoff.shape[1]):
        if not counts[playout]:
            continue
        present = sum_seats(payoff, masks, playout, needs_other, whole)
        add_products(whole, 1, absent, 0)
        while present != 0:
            item = lowest_bit(present)
            present &= present - 1
            if item < len(moments):
                sum_holders(payoff, masks, playout, item, part)
                part[2] = whole[2] - part[0]
                part[-1] = whole[-1] - part[1]
                add_products(whole, -1, moments, item)
                add_products(part, 1, moments, item)
    for item in range(len(moments)):
        for place in range(moments.shape[1]):
            moments[item, place] += absent[0, place]


@hot
def sum_seats(payoff: Any, masks: Any, playout: int, needs_other: int, whole: Any) -> int:
    """Write seats and payoff of the others of an item that nobody has; return the items present."""
    present = 0
    whole[2] = 0
    whole[-1] = 0
    for rotation in range(payoff.shape[0]):
        for seat in range(payoff.shape[2]):
            mask = int(masks[rotation, playout, seat])
            if mask < 0 or (mask == 0 and needs_other != 0):
                continue
            present |= mask
            whole[2] += 1
            whole[-1] += int(payoff[rotation, playout, seat])
    return present


@hot
def sum_holders(payoff: Any, masks: Any, playout: int, item: int, part: Any) -> None:
    """Write seats and payoff of those who have an item."""
    part[0] = 0
    part[1] = 0
    for rotation in range(payoff.shape[0]):
        for seat in range(payoff.shape[2]):
            mask = int(masks[rotation, playout, seat])
            if mask > 0 and (mask >> item) & 1:
                part[0] += 1
                part[1] += int(payoff[rotation, playout, seat])


@hot
def add_products(sums: Any, sign: int, moments: Any, item: int) -> None:
    """Add sums and their products to an item's moments, or take them away."""
    place = len(sums)
    for first in range(len(sums)):
        moments[item, first] += sign * sums[first]
        for second in range(first, len(sums)):
            moments[item, place] += sign * sums[first] * sums[second]
            place += 1


@entry
def slot_sums(values: Any, slots: Any, counts: Any, sums: Any) -> None:
    """Add up values by slot, and the squares of each playout's sum.

    Args:
        values: Numbers by seat, shape (n_rotations, n_playouts, n_seats).
        slots: Where each goes, same shape; NO_SLOT for nowhere.
        counts: Whether a playout counts, shape (n_playouts,).
        sums: Sums and sums of squares to add to, shape (2, n_slots).

    """
    own = np.zeros(sums.shape[1], np.int64)
    for playout in range(values.shape[1]):
        if counts[playout]:
            gather(values, slots, playout, own)
            for slot in range(len(own)):
                sums[0, slot] += own[slot]
                sums[1, slot] += own[slot] * own[slot]


@entry
def slot_pair_sums(ours: Any, our_slots: Any, theirs: Any, their_slots: Any, counts: Any, sums: Any) -> None:
    """Add up two arms' values by slot, their squares and products, over the same playouts.

    Args:
        ours: Numbers of the variant, shape (n_rotations, n_playouts, n_seats).
        our_slots: Where each goes, same shape; NO_SLOT for nowhere.
        theirs: Numbers of the baseline.
        their_slots: Where those go.
        counts: Whether a playout counts, shape (n_playouts,).
        sums: Pair sums to add to, shape (N_PAIR_SUMS, n_slots).

    """
    after = np.zeros(sums.shape[1], np.int64)
    before = np.zeros(sums.shape[1], np.int64)
    for playout in range(ours.shape[1]):
        if counts[playout]:
            gather(ours, our_slots, playout, after)
            gather(theirs, their_slots, playout, before)
            for slot in range(len(after)):
                add_pair(after[slot], before[slot], sums, slot)


@cold
def gather(values: Any, slots: Any, playout: int, sums: Any) -> None:
    """Write the sums by slot of one playout."""
    for slot in range(len(sums)):
        sums[slot] = 0
    for rotation in range(values.shape[0]):
        for seat in range(values.shape[2]):
            slot = int(slots[rotation, playout, seat])
            if slot != NO_SLOT:
                sums[slot] += int(values[rotation, playout, seat])


@cold
def add_pair(ours: int, theirs: int, sums: Any, slot: int) -> None:
    """Add one playout's two values to the sums of a pair."""
    added = (ours, theirs, ours * ours, theirs * theirs, ours * theirs)
    for place in range(len(added)):
        sums[place, slot] += added[place]


@entry
def holder_sums(ours: Any, theirs: Any, masks: Any, counts: Any, item: int, sums: Any) -> None:
    """Add up how much more the holders of one item win in the variant.

    Args:
        ours: Payoffs of the variant, shape (n_rotations, n_playouts, n_seats).
        theirs: Payoffs of the baseline.
        masks: Items of each seat, same shape; -1 marks a seat that does not play.
        counts: Whether a playout counts, shape (n_playouts,).
        item: Row of the item.
        sums: Sums to add to, shape (N_HOLDER_SUMS,).

    """
    part = np.zeros((2, 2), np.int64)
    for playout in range(ours.shape[1]):
        if counts[playout]:
            sum_holders(ours, masks, playout, item, part[0])
            sum_holders(theirs, masks, playout, item, part[1])
            n_holders = part[0, 0]
            gained = part[0, 1] - part[1, 1]
            added = (n_holders, gained, n_holders * n_holders, n_holders * gained, gained * gained)
            for place in range(len(added)):
                sums[place] += added[place]


Totals = dict[str, np.ndarray[Any, Any]]
"""Integer arrays by name; those of two blocks add up."""


def added_totals(total: Totals, more: Totals) -> Totals:
    """Return the sum of two blocks' totals; what one side lacks counts as zero, also at an axis' end."""
    merged = dict(total)
    for name, values in more.items():
        merged[name] = _added(total[name], values) if name in total else values
    return merged


def _added(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if one.shape == other.shape:
        return np.asarray(one + other)
    longest = max(len(one), len(other))
    padded = [np.pad(some, (0, longest - len(some))) for some in (one, other)]
    return np.asarray(padded[0] + padded[1])


def power_sums(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return sums and sums of squares over the first axis, stacked: shape (2, ...)."""
    wide = values.astype(np.int64)
    return np.stack([wide.sum(axis=0), (wide * wide).sum(axis=0)])
