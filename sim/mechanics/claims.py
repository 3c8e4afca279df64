"""Locations: claims, colour sets, and the Storm that takes them."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.engine.contract import NOBODY
from sim.engine.playing import record
from sim.jit import cold, highest_bit, hot, lowest_bit
from sim.mechanics.words import Common, StormedBy, StormOwner, ValueTie


def location_fields(most: int) -> list[tuple[Any, ...]]:
    """Return the fields of a rules record that tell of at most so many locations."""
    return [
        ("n_locations", np.int64),
        ("home", np.int64, (most,)),  # space of a location
        ("cost", np.int64, (most,)),
        ("storm_cost", np.int64, (most,)),
        ("set_mask", np.int64, (most,)),  # all locations of the same set
        ("n_costs", np.int64),  # how many different costs there are
        ("of_cost", np.int64, (most,)),  # masks of the locations of one cost, the cheapest first
    ]


def pack_locations(rules: Any, rows: list[dict[str, Any]]) -> None:
    """Write costs, colour sets and classes of costs, by location (F-R27, F-R66, N-R5, N-R16, N-R19)."""
    rules["n_locations"] = len(rows)
    for location, row in enumerate(rows):
        rules["cost"][location] = row["cost"]
        rules["storm_cost"][location] = row["storm_cost"]
        rules["set_mask"][location] = sum(
            1 << other for other, partner in enumerate(rows) if partner["set"] == row["set"]
        )
    costs = sorted({row["cost"] for row in rows})
    rules["n_costs"] = len(costs)
    for place, cost in enumerate(costs):
        rules["of_cost"][place] = sum(1 << location for location, row in enumerate(rows) if row["cost"] == cost)


@cold
def give_location(state: Any, seat: int, location: int, rules: Any) -> None:
    """Give an unclaimed location card to a seat (F-R23, N-R15)."""
    table = state.table
    table.owner[location] = seat
    table.own[seat] |= 1 << location
    table.claimed |= 1 << location
    record(state, rules.common[Common.EVENT_CLAIM], seat, location, 0, 0)


@hot
def owns_set(table: Any, seat: int, location: int, rules: Any) -> bool:
    """Return whether a seat owns every location of a location's set (F-R27, N-R16)."""
    partners = rules.set_mask[location]
    return table.own[seat] & partners == partners


@cold
def release(table: Any, location: int) -> None:
    """Take a location card from its owner."""
    table.own[table.owner[location]] &= ~(1 << location)
    table.owner[location] = NOBODY
    table.claimed &= ~(1 << location)


@cold
def storm_location(state: Any, location: int, cause: int, owner: int, rules: Any) -> None:
    """Lay a location card Storm side up, for good; who stands there pays nothing.

    Source: F-R30, F-R66, F-R68, F-R70; N-R42, N-R45, N-R46.
    """
    table = state.table
    if table.claimed >> location & 1:
        owner = table.owner[location]
        if rules.common[Common.STORM_OWNER] == StormOwner.LEAVES:
            release(table, location)
    table.stormed |= 1 << location
    table.storm |= 1 << rules.home[location]
    record(state, rules.common[Common.EVENT_STORM], owner, rules.home[location], cause, 0)


@cold
def storm_space(state: Any, space: int, rules: Any) -> None:
    """Lay a Storm card on a space that is no location, for good and only once (F-R67, F-R68, N-R42, N-R45)."""
    if state.table.storm >> space & 1:
        return
    state.table.storm |= 1 << space
    record(state, rules.common[Common.EVENT_STORM], NOBODY, space, StormedBy.CARD, 0)


@cold
def of_extreme_cost(locations: int, is_lowest: bool, rules: Any) -> int:
    """Return the locations of lowest or highest printed cost, or one of them by `value_tie` (F-R66, N-R42)."""
    tied = 0
    for place in range(rules.n_costs):
        tied = locations & rules.of_cost[place if is_lowest else rules.n_costs - 1 - place]
        if tied != 0:
            break
    if tied == 0 or rules.common[Common.VALUE_TIE] == ValueTie.DRAWER:
        return tied
    return 1 << (lowest_bit(tied) if is_lowest else highest_bit(tied))
