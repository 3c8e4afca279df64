"""Loot cards: dealing, drawing, holding and using them, and putting them under the deck."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.decks import NO_CARD, PHYSICAL_CARDS, draw_top, put_under
from sim.engine.contract import NONE_OPTION
from sim.engine.playing import is_granted, record, settle
from sim.jit import cold, hot
from sim.mechanics.words import FIRST_CARD_ITEM, Common

LOOT_FAMILY = 0  # number of the item family


def loot_fields(most: int) -> list[tuple[Any, ...]]:
    """Return the fields of a rules record that tell of at most so many physical loot cards."""
    return [
        ("loot", PHYSICAL_CARDS),
        ("loot_effect", np.int64, (most,)),
        ("loot_amount", np.int64, (most,)),
        ("loot_worth", np.int64, (most,)),  # what policies think of a card
        ("loot_danger", np.int64, (most,)),  # and of one that another seat holds
        ("guns", np.int64),  # masks of physical cards by what they do: a shot of so much damage
        ("refills", np.int64),
        ("heals", np.int64),  # refills and others that give HP once
        ("one_time", np.int64),  # masks of physical cards
        ("stored", np.int64),  # those that a hand limit counts
        ("sightless", np.int64),
        ("bush", np.int64),
    ]


@cold
def draw_loot_card(state: Any, seat: int, rules: Any) -> int:
    """Draw the top loot card and return it, or NO_CARD from an empty deck (F-R56, N-R26)."""
    card = draw_top(state.hidden.loot)
    if card != NO_CARD:
        record(state, rules.common[Common.EVENT_LOOT], seat, card, 0, 0)
    return card


@hot
def choose_card(state: Any, decision: int, seat: int, cards: int, wish: int, rules: Any) -> int:
    """Let a seat choose one of some loot cards; the wish and what is returned are a card, or NO_CARD for none."""
    if state.hidden.asked >> seat & 1:
        return choose_card_asked(state, decision, seat, cards, wish, rules)
    state.tallies.decisions[decision] += 1
    return wish


@cold
def choose_card_asked(state: Any, decision: int, seat: int, cards: int, wish: int, rules: Any) -> int:
    """Let a seat choose whose wish is not simply done."""
    wished = NONE_OPTION if wish == NO_CARD else FIRST_CARD_ITEM + wish
    options = cards << FIRST_CARD_ITEM | 1 << NONE_OPTION
    item = settle(state, decision, seat, options, wished, rules.common[Common.PURPOSE_CHOICE])
    return NO_CARD if item == NONE_OPTION else item - FIRST_CARD_ITEM


@hot
def use_card(state: Any, seat: int, card: int, rules: Any) -> None:
    """Note the use of a loot card; a one-time card goes under the deck (F-R73, F-R74, N-R38, N-R40)."""
    record(state, rules.common[Common.EVENT_USE], seat, card, 0, 0)
    state.tallies.uses[rules.loot.card[card]] += 1
    if rules.one_time >> card & 1:
        give_up(state, seat, card, rules)


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


@cold
def take_drop_in_jail(table: Any) -> int:
    """Take all cards that only who is sent to Jail gets, and return them (F-R79, N-R58)."""
    cards = table.dropped_in_jail
    table.dropped_in_jail = 0
    return cards
