"""Entering spaces, and GO (F-R33 to F-R35, F-R79)."""

from __future__ import annotations

from typing import Any

from sim.games.flip.phases.health import pay_storm
from sim.games.flip.phases.loot import pick_up
from sim.games.flip.words import Rule, Source
from sim.jit import cold
from sim.mechanics.health import collect, stands

GO = 0  # GO is space 0 of every layout


@cold
def enter(state: Any, seat: int, space: int, is_active: int, rules: Any) -> None:
    """Enter a space: collect or pay at GO, pick up loot (F-R33 to F-R35, F-R79)."""
    table = state.table
    table.space[seat] = space
    if space == GO:
        pass_go(state, seat, is_active, rules)
    if stands(state, seat) and table.dropped_at >> space & 1:
        pick_up(state, seat, space, rules)


@cold
def pass_go(state: Any, seat: int, is_active: int, rules: Any) -> None:
    """Land on or pass GO: collect, or pay in the Storm; a card is due for the active seat (F-R33, F-R34, F-R35)."""
    table = state.table
    state.tallies.go_passes += 1
    table.go_due += is_active
    if table.storm >> GO & 1:
        pay_storm(state, seat, rules.value[Rule.GO_STORM_COST], Source.GO_STORM, rules)
    else:
        collect(state, seat, rules.value[Rule.GO_BONUS], Source.GO, rules)
