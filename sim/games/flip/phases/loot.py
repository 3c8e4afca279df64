"""Loot cards: taking, keeping, discarding, picking up (F-R73 to F-R76, F-R79)."""

from __future__ import annotations

from typing import Any

from sim.decks import NO_CARD
from sim.engine.playing import record, settle
from sim.games.flip import policies
from sim.games.flip.words import (
    Decision,
    Discard,
    Event,
    LimitAtPickup,
    Loadout,
    PickupPassive,
    PickupUse,
    Purpose,
    Rule,
)
from sim.jit import cold, hot, lowest_bit, popcount
from sim.mechanics.loot import choose_card, draw_loot_card, give_up, hold, take_drop
from sim.mechanics.words import FIRST_CARD_ITEM


@cold
def storage_limit(table: Any, seat: int, rules: Any) -> int:
    """Return how many stored cards a seat may hold (F-R75)."""
    limit = rules.value[Rule.STORAGE_LIMIT]
    if table.effect[seat] == Loadout.EXTRA_STORAGE:
        limit += table.bonus[seat]
    return limit


@cold
def take(state: Any, seat: int, card: int, is_waived: int, rules: Any) -> bool:
    """Take a card if there is room, or exchange or decline it (F-R75, F-R76); return whether it is kept."""
    table = state.table
    stored = table.hand[seat] & rules.stored
    has_room = popcount(stored) < table.storage[seat]
    if has_room or is_waived != 0 or not rules.stored >> card & 1:
        hold(table, seat, card, rules)
        return True
    options = (stored | 1 << card) << FIRST_CARD_ITEM
    wish = policies.least_worth(table, seat, options, rules)
    given = settle(state, Decision.KEEP, seat, options, wish, Purpose.CHOICE) - FIRST_CARD_ITEM
    give_up(state, seat, given, rules)
    if given == card:
        return False
    hold(table, seat, card, rules)
    return True


@cold
def draw_loot(state: Any, seat: int, rules: Any) -> None:
    """Draw the top loot card, if there is one (F-R56)."""
    card = draw_loot_card(state, seat, rules)
    if card != NO_CARD:
        take(state, seat, card, 0, rules)


@cold
def pick_up(state: Any, seat: int, space: int, rules: Any) -> None:
    """Pick up all loot dropped on a space, keeping what is wanted (F-R79)."""
    table = state.table
    pick_up_cards(state, seat, take_drop(table, space), space, rules)


@cold
def pick_up_cards(state: Any, seat: int, cards: int, space: int, rules: Any) -> None:
    """Take picked-up cards in ascending order."""
    is_waived = 1 if rules.value[Rule.LIMIT_AT_PICKUP] == LimitAtPickup.WAIVED else 0
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        record(state, Event.PICK_UP, seat, card, space, 0)
        is_kept = take(state, seat, card, is_waived, rules)
        if is_kept and rules.value[Rule.PICKUP_USE] == PickupUse.NEXT_TURN:
            state.table.fresh |= 1 << card & ~working_at_once(rules)


@cold
def working_at_once(rules: Any) -> int:
    """Return the cards that work as soon as they are picked up, since nobody uses them (`pickup_passive`)."""
    if rules.value[Rule.PICKUP_PASSIVE] == PickupPassive.NEXT_TURN:
        return 0
    return rules.bush | rules.halve


@hot
def offer_discard(state: Any, seat: int, rules: Any) -> None:
    """Let a seat put a reusable card, or by one reading any cards, under the deck (F-R73, F-R76)."""
    table = state.table
    offered = ~rules.one_time if rules.value[Rule.DISCARD] == Discard.ONE_REUSABLE else ~0
    while table.jailed[seat] == 0 and table.hand[seat] & offered != 0:
        cards = table.hand[seat] & offered
        card = choose_card(state, Decision.DISCARD, seat, cards, policies.choose_discard(), rules)
        if card == NO_CARD:
            return
        give_up(state, seat, card, rules)
        if rules.value[Rule.DISCARD] == Discard.ONE_REUSABLE:
            return
