"""Turns the rows of a block into integer totals: of one arm, and of two arms over the same playouts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.contract import NOBODY, WHOLE_WIN, Game, ItemFamily, Termination
from sim.engine.moments import (
    N_HOLDER_SUMS,
    N_MOMENTS,
    N_PAIR_SUMS,
    NO_SLOT,
    Totals,
    holder_sums,
    item_moments,
    power_sums,
    slot_pair_sums,
    slot_sums,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_COUNTED: Final = 64  # the last class of a count holds all larger ones
HOW_ACQUIRED: Final = ("dealt", "held")
PADDING: Final = "padding"
FLOW: Final = "flow"  # the tally by resource, source and seat

Array = np.ndarray[Any, Any]
Held = tuple[ItemFamily, int]
"""A family and the row of one of its items."""


@dataclass(frozen=True)
class Pair:
    """A comparison of two arms over the same playouts.

    Attributes:
        name: Unique in a call.
        arm: The arm of the variant.
        baseline: The arm it is compared with.
        families: Item families whose lifts are compared; their deals must be the same on both sides.
        granted: True if only the granted seat's payoff counts.
        holder: Family and row of an item, if only the payoffs of those who were dealt it count.
        rival: Family and row of another item, if its holder's payoff is taken from that of the holder's in the
            same playout; the two arms are then the same.
        hand: Families and rows of items, if only the payoff of a seat that was dealt them all counts.
        others: Further arms of which the hand's payoff counts, or the granted seat's.
        weights: Of each arm, from `arm` and `baseline` on, what the granted seat's payoff counts, if these are added up
            in each playout; the grants are to one seat in all arms.

    """

    name: str
    arm: str
    baseline: str
    families: tuple[ItemFamily, ...] = ()
    granted: bool = False
    holder: Held | None = None
    rival: Held | None = None
    hand: tuple[Held, ...] = ()
    others: tuple[str, ...] = ()
    weights: tuple[int, ...] = ()


def finished(rows: Array) -> Array:
    """Return which playouts ended by the rules in every rotation, shape (n_playouts,)."""
    return np.asarray((rows["termination"] != Termination.TURN_LIMIT).all(axis=0))


def masks_of(rows: Array, family: ItemFamily, how: str) -> Array:
    """Return the items of each seat; -1 marks a seat that does not play."""
    masks = np.array(rows[f"{how}_{family.name}"], np.int64)
    masks[..., seats_at(rows) :] = NOBODY
    return masks


def seats_at(rows: Array) -> int:
    """Return how many seats play: the first ones, the same in all rows."""
    return int((rows["order"][0, 0] != NOBODY).sum()) if rows.size else 1


def summarise(game: Game, rows: Array, tallies: Any, n_items: dict[str, int]) -> Totals:
    """Return the totals of one arm's rows in a block.

    Args:
        game: The game.
        rows: Rows of shape (n_rotations, n_playouts).
        tallies: The block's tallies.
        n_items: Items of each family by its name.

    """
    counts = finished(rows)
    payoff = _wide(rows["payoff"])
    length = rows["length_turns"]
    totals: Totals = {
        **count_rows(rows),
        "terminations": np.bincount(rows["termination"].ravel(), minlength=len(Termination)),
        "payoff_by_seat": _by_slot(payoff, _lineup_seats(rows), counts, payoff.shape[-1]),
        "payoff_by_order": _by_slot(payoff, rows["order"], counts, payoff.shape[-1]),
        "order_products": order_products(payoff, rows["order"], counts),
        "payoff_by_policy": _by_slot(payoff, rows["policy"], counts, len(game.policies)),
        "length": power_sums(length.sum(axis=0)),
        "length_of": np.bincount(length.ravel()),
    }
    for name in game.counted:
        sums = np.minimum(rows[name].sum(axis=-1).ravel(), MOST_COUNTED - 1)
        totals[f"count_{name}"] = np.bincount(sums, minlength=MOST_COUNTED)
    for family in game.families:
        for how in HOW_ACQUIRED:
            moments = np.zeros((n_items[family.name], N_MOMENTS), np.int64)
            item_moments(payoff, masks_of(rows, family, how), counts, int(how == "dealt"), moments)
            totals[f"{how}_{family.name}"] = moments
    for name in tally_names(game):
        totals[f"tally_{name}"] = np.array(tallies[name])
    return totals


def count_rows(rows: Array) -> Totals:
    """Return how many playouts and rows there are, and how many playouts were finished."""
    return {
        "n_playouts": np.array(rows.shape[1]),
        "n_rows": np.array(rows.size),
        "n_finished": np.array(int(finished(rows).sum())),
    }


def tally_names(game: Game) -> list[str]:
    """Return the names of a game's tallies."""
    return [name for name in game.state["tallies"].names or () if name != PADDING]


def cell_totals(game: Game, cells: Array) -> Totals:
    """Return sums and sums of squares of the tallies of cells, from which their error is told.

    Args:
        game: The game.
        cells: Tallies of whole cells, each of the same number of consecutive playouts, shape (n_cells,).

    """
    totals: Totals = {"n_cells": np.array(len(cells))}
    for name in tally_names(game) if len(cells) else ():
        values = cells[name]
        whole = values.sum(axis=-1) if name == FLOW else values  # all seats together
        totals[f"cells_{name}"] = power_sums(whole)
    return totals


def turned_alike(*sides: Array) -> list[Array]:
    """Return the rows of several line-ups with as many rotations each.

    A line-up that looks the same after some rotations is played in those only; their rows stand for the others, too.
    """
    n_rotations = math.lcm(*(len(rows) for rows in sides))
    return [rows if len(rows) == n_rotations else rows[np.arange(n_rotations) % len(rows)] for rows in sides]


def compare(game: Game, pair: Pair, rows: Array, base: Array, n_items: dict[str, int]) -> Totals:
    """Return the totals of a comparison of two variants or line-ups over the playouts that both finished."""
    rows, base = turned_alike(rows, base)
    both = finished(rows) & finished(base)
    ours, theirs = _wide(rows["payoff"]), _wide(base["payoff"])
    n_seats = ours.shape[-1]
    seats = _lineup_seats(rows)
    length, other_length = rows["length_turns"][..., None], base["length_turns"][..., None]
    first_slot = np.zeros_like(length)
    differs = (ours != theirs).any(axis=(0, 2)) & both
    totals: Totals = {
        **_count_pair(both),
        "n_discordant": np.array(int(differs.sum())),
        "by_seat": _by_slots((ours, seats), (theirs, seats), both, n_seats),
        "by_order": _by_slots((ours, rows["order"]), (theirs, base["order"]), both, n_seats),
        "by_policy": _by_slots((ours, rows["policy"]), (theirs, base["policy"]), both, len(game.policies)),
        "length": _by_slots((length, first_slot), (other_length, first_slot), both, 1)[:, 0],
    }
    for family in pair.families:
        masks = masks_of(rows, family, "dealt")
        same = (masks == masks_of(base, family, "dealt")).all(axis=(0, 2)) & both
        moments = np.zeros((n_items[family.name], N_MOMENTS), np.int64)
        item_moments(ours - theirs, masks, same, 1, moments)
        totals[f"dealt_{family.name}"] = moments
        totals[f"same_{family.name}"] = np.array(int(same.sum()))
    return totals


def compare_holders(pair: Pair, rows: Array, base: Array) -> Totals:
    """Return how much more those who were dealt an item win, over the playouts that both arms finished.

    The deals must be the same on both sides.
    """
    both = finished(rows) & finished(base)
    if pair.holder is None:
        return _count_pair(both)
    family, item = pair.holder
    sums = np.zeros(N_HOLDER_SUMS, np.int64)
    masks = masks_of(base, family, "dealt")
    holder_sums(_wide(rows["payoff"]), _wide(base["payoff"]), masks, both, item, sums)
    return {**_count_pair(both), "holder": sums}


def compare_rivals(pair: Pair, rows: Array) -> Totals:
    """Return sum and sum of squares of how much more the holder of an item wins than the holder of its rival.

    Only playouts count in which each of the two was dealt to just one seat.
    """
    held = [has_all(rows, (one,)) for one in (pair.holder, pair.rival) if one is not None]
    meet = np.all([(seats.sum(axis=2) == 1).all(axis=0) for seats in held], axis=0)
    counts = finished(rows) & meet
    ours, theirs = ((_wide(rows["payoff"]) * seats).sum(axis=(0, 2)) for seats in held)
    return {**_count_pair(counts[meet]), "more": power_sums((ours - theirs)[counts])}


def compare_hands(pair: Pair, arms: Sequence[Array]) -> Totals:
    """Return sums of a hand's payoff in each arm, and of their products.

    Args:
        pair: The comparison; its hand was dealt alike in all arms.
        arms: Rows of each arm over the same playouts, first those of `arm` and `baseline`.

    """
    holds = has_all(arms[0], pair.hand)
    both = np.all([finished(rows) for rows in arms], axis=0)
    counts = both & holds.any(axis=(0, 2))
    payoffs = np.stack([(_wide(rows["payoff"]) * holds).sum(axis=(0, 2))[counts] for rows in arms])
    found = {"hand": payoffs.sum(axis=1), "hand_products": payoffs @ payoffs.T}
    return {**_count_pair(both), "n_holders": np.array(int(counts.sum())), **found}


def compare_weighted(pair: Pair, arms: Sequence[Array], seats: Array) -> Totals:
    """Return sum and sum of squares of the weighted sum of the granted seat's payoffs over the arms.

    Args:
        pair: The comparison.
        arms: Rows of each arm over the same playouts.
        seats: The granted seat of each playout.

    """
    both = np.all([finished(rows) for rows in arms], axis=0)
    total = np.zeros(len(seats), np.int64)
    for rows, weight in zip(arms, pair.weights, strict=True):
        total += weight * rows["payoff"][:, np.arange(len(seats)), seats].sum(axis=0)
    return {**_count_pair(both), "weighted": power_sums(total[both])}


def has_all(rows: Array, items: Sequence[Held]) -> Array:
    """Return which seats were dealt all of these items, shape (n_rotations, n_playouts, n_seats)."""
    has = np.ones(rows["order"].shape, bool)
    for family, item in items:
        masks = masks_of(rows, family, "dealt")
        has &= (masks >= 0) & (masks >> item & 1 == 1)
    return has


def compare_granted(rows: Array, base: Array, seats: Array) -> Totals:
    """Return the pair sums of the granted seats' payoffs.

    Args:
        rows: Rows of the arm with the item granted.
        base: Rows of its control arm.
        seats: The granted seat of each playout.

    """
    both = finished(rows) & finished(base)
    slots = np.full(rows["payoff"].shape, NO_SLOT, np.int64)
    slots[:, np.arange(len(seats)), seats] = 0
    ours, theirs = (rows["payoff"], slots), (base["payoff"], slots)
    return {**_count_pair(both), "granted": _by_slots(ours, theirs, both, 1)[:, 0]}


def _count_pair(both: Array) -> Totals:
    return {"n_playouts": np.array(len(both)), "n_both": np.array(int(both.sum()))}


def _wide(values: Array) -> Array:
    """Return a column of rows as 64-bit numbers side by side."""
    return np.ascontiguousarray(values, np.int64)


def _lineup_seats(rows: Array) -> Array:
    """Return which seat of the line-up sits in each chair: rotation r moves the line-up by r chairs."""
    return _turned_seats(*rows["order"].shape, seats_at(rows))


@lru_cache(maxsize=8)
def _turned_seats(n_rotations: int, n_playouts: int, n_chairs: int, n_seats: int) -> Array:
    """Return the same for as many rotations, playouts, chairs and seats; blocks of one size share it."""
    chairs = np.arange(n_chairs)
    turned = (chairs[None, :] - np.arange(n_rotations)[:, None]) % n_seats
    turned[:, n_seats:] = NO_SLOT
    return np.ascontiguousarray(np.broadcast_to(turned[:, None, :], (n_rotations, n_playouts, n_chairs)))


def order_products(payoff: Array, order: Array, counts: Array) -> Array:
    """Return sums of payoff times payoff of every two places in turn order, shape (n_seats, n_seats).

    A place's own squares stand elsewhere, so that playouts with a sole winner add nothing and are not looked at.
    """
    shared = counts if len(payoff) > 1 else counts & (payoff[0].max(axis=-1) < WHOLE_WIN)
    some, orders = payoff[:, shared], order[:, shared]
    places = range(payoff.shape[-1])
    by_place = np.stack([np.where(orders == place, some, 0).sum(axis=(0, 2)) for place in places])
    products = by_place @ by_place.T
    np.fill_diagonal(products, 0)
    return np.asarray(products)


def _by_slot(values: Array, slots: Array, counts: Array, n_slots: int) -> Array:
    """Return sums and sums of squares by slot, shape (2, n_slots)."""
    sums = np.zeros((2, n_slots), np.int64)
    slot_sums(values, _wide(slots), counts, sums)
    return sums


def _by_slots(ours: tuple[Array, Array], theirs: tuple[Array, Array], counts: Array, n_slots: int) -> Array:
    """Return the pair sums by slot of two sides' values and slots, shape (N_PAIR_SUMS, n_slots)."""
    sums = np.zeros((N_PAIR_SUMS, n_slots), np.int64)
    (values, slots), (other_values, other_slots) = ours, theirs
    slot_pair_sums(_wide(values), _wide(slots), _wide(other_values), _wide(other_slots), counts, sums)
    return sums
