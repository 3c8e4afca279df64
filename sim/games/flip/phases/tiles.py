"""Turning tiles over (F-R32, F-R47, F-R48, F-R69, F-R87)."""

from __future__ import annotations

from typing import Any

from sim.engine.playing import record
from sim.games.flip.words import Event, FlipLoot, Rule
from sim.jit import cold, lowest_bit
from sim.mechanics.ring import pawns_on


@cold
def turn_tile(state: Any, seat: int, tile: int, rules: Any) -> None:
    """Turn a tile over; pawns, Storm cards and loot stay on the corresponding spaces (F-R32, F-R47, F-R69)."""
    table = state.table
    spaces = rules.tile_spaces[tile]
    table.turned ^= spaces
    table.landed &= ~pawns_on(table, spaces)
    if rules.value[Rule.FLIP_LOOT] == FlipLoot.STAYS:
        while spaces != 0:
            space = lowest_bit(spaces)
            spaces &= spaces - 1
            swap_loot_under(table, space)
    shows_back = 1 if table.turned & rules.tile_spaces[tile] != 0 else 0
    record(state, Event.FLIP, seat, tile, shows_back, 0)


@cold
def swap_loot_under(table: Any, space: int) -> None:
    """Hide the loot that lies on a face, show the loot of the other (`flip_loot` = `stays`)."""
    hidden = table.under_tile[space]
    table.under_tile[space] = table.dropped[space]
    table.dropped[space] = hidden
    table.dropped_at &= ~(1 << space)
    if hidden != 0:
        table.dropped_at |= 1 << space
