"""Decks: their kernels against plain lists, and what a hash order promises."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from sim import rng
from sim.decks import (
    DECK,
    DECK_CAPACITY,
    NO_CARD,
    PHYSICAL_CARDS,
    deal_anew,
    draw_top,
    pack_physical_cards,
    put_under,
    shuffle,
    take_out,
)
from sim.games.fortnite.words import Loot
from sim.jit import entry, make_records, record_of
from sim.mechanics.packing import pack_cards
from tests.support import SEED

NO_KEY = np.uint64(0)
ALPHA = 1e-6  # of a false alarm; the seeds are fixed, so it cannot happen twice
SHUFFLE, DRAW, PUT, TAKE, DEAL = range(5)


@entry
def work_deck(decks: Any, made_of: Any, steps: Any, drawn: Any, keys: Any) -> None:
    """Carry out steps (what, card) on one deck and note what is drawn."""
    deck = record_of(decks, 0)
    cards = record_of(made_of, 0)
    for place in range(len(steps)):
        what, card = steps[place, 0], steps[place, 1]
        drawn[place] = NO_CARD
        if what == SHUFFLE:
            shuffle(deck, cards, keys[0])
        elif what == DRAW:
            drawn[place] = draw_top(deck)
        elif what == PUT:
            put_under(deck, card)
        elif what == DEAL:
            deal_anew(deck, keys[1])
        else:
            take_out(deck, card)


def deck_key(playout: int, deck: int = 0, owner: int = 0, reshuffle: int = 0) -> np.uint64:
    """Return the root of a deck's hashes."""
    with np.errstate(over="ignore"):
        root = np.uint64(rng.playout_key(np.uint64(SEED), 0, playout))
        return np.uint64(rng.deck_key(root, deck, owner, reshuffle))


def worked(
    steps: list[tuple[int, int]], copies: list[int], key: np.uint64, top: int = 0, other: np.uint64 = NO_KEY
) -> tuple[list[int], list[int]]:
    """Return what was drawn and what the deck holds after the steps, top first."""
    decks, made_of = make_records(DECK), make_records(PHYSICAL_CARDS)
    pack_physical_cards(made_of[0], copies)
    decks["top"] = top
    drawn = np.zeros(len(steps), np.int64)
    work_deck(decks, made_of, np.array(steps, np.int64).reshape(-1, 2), drawn, np.array([key, other]))
    first, size = int(decks["top"][0]), int(decks["size"][0])
    left = [int(decks["order"][0, (first + place) % DECK_CAPACITY]) for place in range(size)]
    return [int(card) for card in drawn], left


def order_of(copies: list[int], key: np.uint64) -> list[int]:
    """Return the physical cards of a shuffled deck."""
    return worked([(SHUFFLE, 0)], copies, key)[1]


def named(order: list[int], copies: list[int]) -> list[tuple[int, int]]:
    """Return a deck as (card, copy) pairs."""
    pairs = [(card, copy) for card, number in enumerate(copies) for copy in range(number)]
    return [pairs[card] for card in order]


@pytest.mark.bounds
@pytest.mark.parametrize(
    ("fewer", "more"),
    [([1, 1, 0, 1, 1], [1, 1, 1, 1, 1]), ([1, 2, 1, 3], [1, 4, 1, 3]), ([2, 2], [2, 2, 1, 5])],
)
def test_adding_or_removing_cards_leaves_the_order_of_the_others_alone(fewer: list[int], more: list[int]) -> None:
    for playout in range(50):
        key = deck_key(playout)
        stay = named(order_of(fewer, key), fewer)
        assert [pair for pair in named(order_of(more, key), more) if pair in stay] == stay


def test_a_deck_is_in_the_order_of_its_hashes() -> None:
    copies = [2, 1, 3]
    for playout in range(50):
        key = deck_key(playout)
        with np.errstate(over="ignore"):
            hashes = [int(rng.card_hash(key, *pair)) for pair in named(order_of(copies, key), copies)]
        assert hashes == sorted(hashes)


def test_decks_owners_and_reshuffles_have_orders_of_their_own() -> None:
    roots = [(deck, owner, turn) for deck in range(3) for owner in range(3) for turn in range(3)]
    orders = {tuple(order_of([1] * 12, deck_key(0, *root))) for root in roots}
    assert len(orders) == len(roots)


def test_all_orders_of_a_deck_are_equally_likely() -> None:
    n_playouts = 4_800
    counts = dict.fromkeys(permutations(range(4)), 0)
    for playout in range(n_playouts):
        counts[tuple(order_of([1] * 4, deck_key(playout)))] += 1
    expected = n_playouts / len(counts)
    statistic = sum((count - expected) ** 2 / expected for count in counts.values())
    assert statistic < chi2.isf(ALPHA, len(counts) - 1)


@pytest.mark.bounds
def test_a_full_deck_goes_round_its_ring() -> None:
    copies = [1] * DECK_CAPACITY
    order = order_of(copies, deck_key(1))
    steps = [(SHUFFLE, 0)]
    for card in order:
        steps += [(DRAW, 0), (PUT, card)]
    drawn, left = worked(steps, copies, deck_key(1))
    assert drawn[1::2] == order
    assert left == order
    assert sorted(order) == list(range(DECK_CAPACITY))


def test_an_empty_deck_gives_no_card_and_takes_one_again() -> None:
    steps = [(DRAW, 0), (DRAW, 0), (PUT, 7), (DRAW, 0), (DRAW, 0)]
    drawn, left = worked(steps, [], deck_key(1), top=DECK_CAPACITY - 1)
    assert drawn == [NO_CARD, NO_CARD, NO_CARD, 7, NO_CARD]
    assert left == []


@pytest.mark.bounds
@settings(max_examples=60)
@given(
    top=st.integers(0, DECK_CAPACITY - 1),
    steps=st.lists(st.tuples(st.sampled_from([DRAW, PUT, TAKE]), st.integers(0, 9)), max_size=DECK_CAPACITY),
)
def test_a_deck_does_what_a_list_does(top: int, steps: list[tuple[int, int]]) -> None:
    plain: list[int] = []
    expected = []
    filled = [(PUT, card) for card in range(10)]
    allowed = []
    for what, card in [*filled, *steps]:
        if what == PUT and card in plain:
            continue  # a card is in one place
        allowed.append((what, card))
        expected.append(plain.pop(0) if what == DRAW and plain else NO_CARD)
        if what == PUT:
            plain.append(card)
        if what == TAKE and card in plain:
            plain.remove(card)
    assert worked(allowed, [], deck_key(0), top) == (expected, plain)


def test_more_cards_than_a_deck_holds_are_refused() -> None:
    made_of = make_records(PHYSICAL_CARDS)
    with pytest.raises(ValueError, match="deck of 65 cards is too large; 64"):
        pack_physical_cards(made_of[0], [60, 5])


def test_more_cards_than_a_rules_record_has_room_for_are_refused() -> None:
    rules = make_records(np.dtype([("loot", PHYSICAL_CARDS), ("loot_effect", np.int64, (46,))]))
    row = {"copies": 47, "effect": "bush"}
    with pytest.raises(ValueError, match="47 loot cards are too many; 46 is the most"):
        pack_cards(rules.view(np.ndarray)[0, ...], "loot", [row], Loot)
