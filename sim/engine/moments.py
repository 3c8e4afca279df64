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
MOST_ITEMS: Final = 64
N_PARTS: Final = 9
"""Sums by item of x, y, xx, xy, yy and of x and y times the seats and the payoff of all."""
N_WHOLES: Final = 5
"""Sums of seats and payoff of all, of their squares and of their product."""
N_PAIR_SUMS: Final = 6
"""Sums of A, B, AA, BB and AB over playouts, A of the variant, B of the baseline; and playouts in which they differ."""
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

    Of each playout only the items present are looked at: the others' sums are those of all seats less their own, so
    that their moments follow from nine sums by item and five over all: 33 ns a playout of four seats with two items
    each, 161 ns with all fourteen summed for each item (2026-11-30).

    """
    own = np.zeros((MOST_ITEMS, 2), np.int64)
    parts = np.zeros((MOST_ITEMS, N_PARTS), np.int64)
    whole = np.zeros(2, np.int64)
    wholes = np.zeros(N_WHOLES, np.int64)
    for playout in range(payoff.shape[1]):
        if counts[playout]:
            present = share_out(payoff, masks, playout, needs_other, own, whole)
            add_whole(whole, wholes)
            while present != 0:
                item = lowest_bit(present)
                present &= present - 1
                add_part(own, whole, item, parts)
    for item in range(len(moments)):
        add_moments(parts, wholes, item, moments)


@hot
def share_out(payoff: Any, masks: Any, playout: int, needs_other: int, own: Any, whole: Any) -> int:
    """Write seats and payoff of all seats, add those of each item's holders; return the items present."""
    present = 0
    whole[0] = 0
    whole[1] = 0
    for rotation in range(payoff.shape[0]):
        for seat in range(payoff.shape[2]):
            mask = int(masks[rotation, playout, seat])
            if mask < 0 or (mask == 0 and needs_other != 0):
                continue
            paid = int(payoff[rotation, playout, seat])
            whole[0] += 1
            whole[1] += paid
            present |= mask
            while mask != 0:
                item = lowest_bit(mask)
                mask &= mask - 1
                own[item, 0] += 1
                own[item, 1] += paid
    return present


@hot
def add_whole(whole: Any, wholes: Any) -> None:
    """Add one playout's seats and payoff, their squares and their product."""
    seats, paid = int(whole[0]), int(whole[1])
    added = (seats, paid, seats * seats, seats * paid, paid * paid)
    for place in range(len(added)):
        wholes[place] += added[place]


@hot
def add_part(own: Any, whole: Any, item: int, parts: Any) -> None:
    """Add what one playout's holders of an item have, and its products with the whole; begin the item anew."""
    held, earned = int(own[item, 0]), int(own[item, 1])
    seats, paid = int(whole[0]), int(whole[1])
    added = (
        held, earned, held * held, held * earned, earned * earned,
        held * seats, held * paid, earned * seats, earned * paid,
    )  # fmt: skip
    for place in range(len(added)):
        parts[item, place] += added[place]
    own[item, 0] = 0
    own[item, 1] = 0


@cold
def add_moments(parts: Any, wholes: Any, item: int, moments: Any) -> None:
    """Add an item's moments, with those of the others written as the whole less its own."""
    held, earned, xx, xy, yy, x_seats, x_paid, y_seats, y_paid = parts[item]
    seats, paid, seats_seats, seats_paid, paid_paid = wholes
    added = (
        held, earned, seats - held, paid - earned,
        xx, xy, x_seats - xx, x_paid - xy,
        yy, y_seats - xy, y_paid - yy,
        seats_seats - 2 * x_seats + xx, seats_paid - x_paid - y_seats + xy, paid_paid - 2 * y_paid + yy,
    )  # fmt: skip
    for place in range(len(added)):
        moments[item, place] += added[place]


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
    added = (ours, theirs, ours * ours, theirs * theirs, ours * theirs, int(ours != theirs))
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
