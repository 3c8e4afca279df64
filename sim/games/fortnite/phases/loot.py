"""Loot cards: drawing, picking up, using (N-R26, N-R38 to N-R41, N-R58)."""

from __future__ import annotations

from typing import Any

from sim.decks import NO_CARD
from sim.engine.playing import record
from sim.games.fortnite.words import Event, JailItems, LootPickup, Rule
from sim.jit import cold, hot, lowest_bit
from sim.mechanics.loot import draw_loot_card, hold, take_drop, take_drop_in_jail


@cold
def draw_loot(state: Any, seat: int, rules: Any) -> None:
    """Draw the top loot card, if there is one, and keep it (N-R26, N-R41)."""
    card = draw_loot_card(state, seat, rules)
    if card != NO_CARD:
        hold(state.table, seat, card, rules)


@hot
def picks_up(table: Any, seat: int, rules: Any) -> bool:
    """Return whether a move of this seat picks up loot now (N-R58)."""
    return seat == table.seat or rules.value[Rule.LOOT_PICKUP] == LootPickup.ANY_MOVEMENT


@cold
def pick_up(state: Any, seat: int, space: int, rules: Any) -> None:
    """Pick up all loot dropped on a space that the pawn passes or lands on (N-R58)."""
    table = state.table
    if table.dropped_at >> space & 1 and picks_up(table, seat, rules):
        pick_up_cards(state, seat, take_drop(table, space), space, rules)


@cold
def pick_up_in_jail(state: Any, seat: int, rules: Any) -> None:
    """Pick up the loot on the Jail corner, also what only a pawn sent there gets (N-R58)."""
    table = state.table
    pick_up(state, seat, rules.jail, rules)
    if picks_up(table, seat, rules):
        pick_up_cards(state, seat, take_drop_in_jail(table), rules.jail, rules)


@cold
def pick_up_cards(state: Any, seat: int, cards: int, space: int, rules: Any) -> None:
    """Take picked-up cards in ascending order (N-R58)."""
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        record(state, Event.PICK_UP, seat, card, space, 0)
        hold(state.table, seat, card, rules)


@hot
def usable(table: Any, seat: int, trigger: int, rules: Any) -> int:
    """Return the loot cards that a seat may use for a symbol or in its own turn (N-R40)."""
    if table.jailed[seat] != 0 and rules.value[Rule.JAIL_ITEMS] == JailItems.FORBIDDEN:
        return 0
    return table.hand[seat] & rules.triggered[trigger]
