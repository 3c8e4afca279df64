"""Decks of cards: ordered by a hash per card, drawn from the top, added to underneath.

A deck's order is by the hash of (playout, deck, owner, reshuffle number, card, copy), so adding, removing or
blanking a card leaves the order of the others alone. A *physical card* is one copy of one card of a component
table, numbered in table order with the copies in a row.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sim import rng
from sim.jit import LANES, cold, count_below, hot

DECK_CAPACITY: Final = 64
LAST_SLOT: Final = DECK_CAPACITY - 1
NO_CARD: Final = -1
LAST_WORD: Final = np.uint64(2**64 - 1)  # stands behind every card, where lanes are left
FOR_NOBODY: Final = 64  # owner of the orders in which unseen cards are dealt anew, apart from all seats

DECK = np.dtype(
    [
        ("order", np.int64, (DECK_CAPACITY,)),  # physical cards in a ring of slots
        ("top", np.int64),  # slot of the top card
        ("size", np.int64),  # cards in the deck
        ("unseen", np.int64),  # cards from the top on that nobody has seen; those below were put there openly
        ("hash", np.uint64, (DECK_CAPACITY,)),  # of each physical card, which the last `shuffle` ordered them by
    ],
    align=True,
)
"""What a deck is in a hidden record."""

PHYSICAL_CARDS = np.dtype(
    [
        ("card", np.int64, (DECK_CAPACITY,)),  # row of the component table
        ("copy", np.int64, (DECK_CAPACITY,)),
        ("size", np.int64),
    ],
    align=True,
)
"""What a deck is made of in a rules record."""


def pack_physical_cards(cards: Any, copies: list[int]) -> None:
    """Write the physical cards of a component table into a rules record.

    Args:
        cards: The record of dtype `PHYSICAL_CARDS` to fill.
        copies: Copies of each card, in table order.

    Raises:
        ValueError: There are more physical cards than a deck holds.

    """
    total = sum(copies)
    if total > DECK_CAPACITY:
        message = f"a deck of {total} cards is too large; {DECK_CAPACITY} is the most"
        raise ValueError(message)
    cards["size"] = total
    cards["card"][:total] = np.repeat(np.arange(len(copies)), copies)
    cards["copy"][:total] = [copy for number in copies for copy in range(number)]


@hot
def place_of(deck: Any, card: int, end: int) -> int:
    """Return how many hashes are less than a card's: counting has no branch to guess, as sorting has."""
    place = 0
    for first in range(0, end, LANES):
        place += count_below(deck.hash, first, deck.hash[card])
    return place


@cold
def shuffle(deck: Any, cards: Any, key: np.uint64) -> None:
    """Put all physical cards into the order of their hashes, no two of which are equal; `key` is a `rng.deck_key`."""
    for card in range(cards.size):
        deck.hash[card] = rng.card_hash(key, cards.card[card], cards.copy[card])
    end = cards.size + LANES - 1 & -LANES  # whole groups of lanes
    for card in range(cards.size, end):
        deck.hash[card] = LAST_WORD
    for card in range(cards.size):
        deck.order[place_of(deck, card, end)] = card
    deck.top = 0
    deck.size = deck.unseen = cards.size


@hot
def draw_top(deck: Any) -> int:
    """Take the top card, or NO_CARD from an empty deck."""
    if deck.size == 0:
        return NO_CARD
    card = deck.order[deck.top]
    deck.top = (deck.top + 1) & LAST_SLOT
    deck.size -= 1
    deck.unseen -= deck.unseen > 0
    return card


@hot
def put_under(deck: Any, card: int) -> None:
    """Put a card under the deck, where everybody knows it to be."""
    deck.order[(deck.top + deck.size) & LAST_SLOT] = card
    deck.size += 1


@cold
def take_out(deck: Any, card: int) -> None:
    """Take a card out of the deck wherever it lies; the others keep their order."""
    found = 0
    for place in range(deck.size):
        slot = (deck.top + place) & LAST_SLOT
        if deck.order[slot] == card:
            found = 1
            if place < deck.unseen:
                deck.unseen -= 1
        elif found > 0:
            deck.order[(slot - 1) & LAST_SLOT] = deck.order[slot]
    deck.size -= found


@cold
def deal_anew(deck: Any, key: np.uint64) -> None:
    """Order the cards that nobody has seen by other hashes; what is known to lie below them stays there.

    Each card keeps an address of its own: its old hash is its name. `key` is a `rng.deck_key`.
    """
    for place in range(1, deck.unseen):
        card = deck.order[(deck.top + place) & LAST_SLOT]
        word = rng.mix(key + deck.hash[card])
        hole = place
        while hole > 0:
            above = deck.order[(deck.top + hole - 1) & LAST_SLOT]
            if rng.mix(key + deck.hash[above]) <= word:
                break
            deck.order[(deck.top + hole) & LAST_SLOT] = above
            hole -= 1
        deck.order[(deck.top + hole) & LAST_SLOT] = card
