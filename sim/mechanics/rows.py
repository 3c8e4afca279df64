"""The row that a playout leaves, as far as games share it."""

from __future__ import annotations

from typing import Any

from sim.engine.playing import finish_row, share_win
from sim.jit import cold
from sim.mechanics.loot import LOOT_FAMILY


@cold
def leave_row(state: Any, row: Any) -> None:
    """Write who won, who fell when, and what each seat has at the end (F-R1, N-R1)."""
    table = state.table
    finish_row(state, row)
    share_win(row, table.winners)
    state.tallies.playouts_with_trade += 1 if table.n_trades > 0 else 0
    for seat in range(len(row.final_hp)):
        row.eliminated[seat] = table.eliminated[seat]
        row.final_hp[seat] = table.hp[seat]
        row.space[seat] = table.space[seat]
        row.jailed[seat] = table.jailed[seat]
        row.dealt_loot[seat] = table.dealt[LOOT_FAMILY, seat]
        row.held_loot[seat] = table.held[LOOT_FAMILY, seat]
