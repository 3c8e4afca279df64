"""Locations: claims, colour sets, and the Storm that takes them."""

from __future__ import annotations

from typing import Any

from sim.engine.contract import NOBODY
from sim.engine.playing import record
from sim.jit import cold, highest_bit, lowest_bit
from sim.mechanics.words import Common, StormedBy, StormOwner, ValueTie

MORE_THAN_ANY_COST = 1 << 40


@cold
def give_location(state: Any, seat: int, location: int, rules: Any) -> None:
    """Give an unclaimed location card to a seat (F-R23, N-R15)."""
    table = state.table
    table.owner[location] = seat
    table.own[seat] |= 1 << location
    table.claimed |= 1 << location
    record(state, rules.common[Common.EVENT_CLAIM], seat, location, 0, 0)


@cold
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
    """Lay a Storm card on a space that is no location, for good (F-R67, F-R68, N-R42, N-R45)."""
    state.table.storm |= 1 << space
    record(state, rules.common[Common.EVENT_STORM], NOBODY, space, StormedBy.CARD, 0)


@cold
def of_extreme_cost(locations: int, sign: int, rules: Any) -> int:
    """Return the locations of lowest (sign 1) or highest (sign -1) printed cost, or one of them by `value_tie`.

    Source: F-R66; N-R42.
    """
    tied = 0
    least = MORE_THAN_ANY_COST
    for location in range(rules.n_locations):
        if locations >> location & 1:
            cost = sign * rules.cost[location]
            if cost < least:
                least = cost
                tied = 0
            if cost == least:
                tied |= 1 << location
    if tied == 0 or rules.common[Common.VALUE_TIE] == ValueTie.DRAWER:
        return tied
    return 1 << (lowest_bit(tied) if sign > 0 else highest_bit(tied))
