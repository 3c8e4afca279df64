"""Loot cards: dealing and holding them, and putting them under the deck."""

from __future__ import annotations

from typing import Any

from sim.decks import put_under
from sim.engine.playing import is_granted, record
from sim.jit import cold
from sim.mechanics.words import Common

LOOT_FAMILY = 0  # number of the item family


@cold
def give_up(state: Any, seat: int, card: int, rules: Any) -> None:
    """Put a card under the loot deck (F-R73, F-R76, N-R40)."""
    state.table.hand[seat] &= ~(1 << card)
    record(state, rules.common[Common.EVENT_UNDER], seat, card, 0, 0)
    put_under(state.hidden.loot, card)


@cold
def hold(table: Any, seat: int, card: int, rules: Any) -> None:
    """Put a card into a seat's hand."""
    table.hand[seat] |= 1 << card
    table.held[LOOT_FAMILY, seat] |= 1 << rules.loot.card[card]


@cold
def deal(state: Any, seat: int, card: int, rules: Any) -> None:
    """Deal a card to a seat (F-R8)."""
    hold(state.table, seat, card, rules)
    state.table.dealt[LOOT_FAMILY, seat] |= 1 << rules.loot.card[card]
    record(state, rules.common[Common.EVENT_DEAL], seat, card, 0, 0)


@cold
def deal_granted(state: Any, assignment: Any, seat: int, rules: Any) -> None:
    """Deal a seat the cards that an experiment grants it."""
    for number in range(assignment.n_grants):
        if is_granted(state, assignment, number, LOOT_FAMILY, seat):
            deal(state, seat, assignment.grant_card[number], rules)


@cold
def take_drop(table: Any, space: int) -> int:
    """Take all cards dropped on a space off the board and return them."""
    cards = table.dropped[space]
    table.dropped[space] = 0
    table.dropped_at &= ~(1 << space)
    return cards
