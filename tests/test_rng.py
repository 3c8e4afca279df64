"""Addressed draws: published answers, frozen answers, a plain twin, and independence of addresses.

The tests of independence look at fixed seeds and at level `ALPHA` each: a failure is no accident.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, norm

from sim import rng
from tests.support import SEED

SPLITMIX = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)  # of seed 1234567, as published
WORD = 1 << 64
HALF = 1 << 32
GOLDEN = 0x9E3779B97F4A7C15
NAMESPACE_STEP = 0xD1342543DE82EF95
PLAYOUT_STEP = 0xA0761D6478BD642F
SEAT_STEP = 0xE7037ED1A0B428DB
TURN_STEP = 0x8EBC6AF09C88C6E3
PURPOSE_STEP = 0x589965CC75374CC3
DECK_STEP = 0x1D8E4E27C47D124F
OWNER_STEP = 0xEB44ACCAB455D165
RESHUFFLE_STEP = 0xC2B2AE3D27D4EB4F
CARD_STEP = 0x27D4EB2F165667C5
COPY_STEP = 0x85EBCA77C2B2AE63
ALPHA = 1e-6
FACES = 6
N_TURNS = 12_000
Address = tuple[int, int, int, int, int, int]
"""Namespace, playout, seat, own turn, purpose, k."""


def plain_mix(word: int) -> int:
    """Return the finaliser in plain integers."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % WORD
    return word ^ (word >> 31)


def plain_playout_key(seed: int, namespace: int, playout: int) -> int:
    """Return a playout key in plain integers."""
    world = plain_mix((seed * GOLDEN + namespace * NAMESPACE_STEP) % WORD)
    return plain_mix((world + playout * PLAYOUT_STEP) % WORD)


def plain_word(seed: int, address: Address) -> int:
    """Return the 64 bits at an address in plain integers."""
    namespace, playout, seat, turn, purpose, k = address
    key = plain_playout_key(seed, namespace, playout) + seat * SEAT_STEP + turn * TURN_STEP
    return plain_mix((key + purpose * PURPOSE_STEP + k * GOLDEN) % WORD)


def plain_card_word(seed: int, playout: int, deck: tuple[int, int, int], card: tuple[int, int]) -> int:
    """Return the hash of one copy of a card in plain integers."""
    word = plain_playout_key(seed, 0, playout) + (deck[0] + 1) * DECK_STEP + deck[1] * OWNER_STEP
    key = plain_mix((word + deck[2] * RESHUFFLE_STEP) % WORD)
    return plain_mix((key + card[0] * CARD_STEP + card[1] * COPY_STEP) % WORD)


def turn_key(seed: int, address: Address) -> np.uint64:
    """Return the turn key of an address from the kernels."""
    namespace, playout, seat, turn, _, _ = address
    with np.errstate(over="ignore"):
        key = np.uint64(rng.playout_key(np.uint64(seed), namespace, playout))
        return np.uint64(rng.turn_key(key, seat, turn))


def word_at(seed: int, address: Address) -> int:
    """Return the 64 bits at an address from the kernels."""
    with np.errstate(over="ignore"):
        return int(rng.uniform_word(turn_key(seed, address), address[4], address[5]))


def card_word(seed: int, playout: int, deck: tuple[int, int, int], card: tuple[int, int]) -> int:
    """Return the hash of one copy of a card from the kernels."""
    with np.errstate(over="ignore"):
        key = np.uint64(rng.playout_key(np.uint64(seed), 0, playout))
        return int(rng.card_hash(np.uint64(rng.deck_key(key, *deck)), *card))


def dice(addresses: list[Address]) -> np.ndarray:
    """Roll a die at each address."""
    rolled = []
    for address in addresses:
        key = turn_key(SEED, address)
        with np.errstate(over="ignore"):
            rolled.append(int(rng.die(key, address[4], address[5], FACES)))
    return np.array(rolled)


@pytest.mark.bounds
def test_mix_gives_the_published_numbers_of_splitmix64() -> None:
    with np.errstate(over="ignore"):
        found = [int(rng.mix(np.uint64((1234567 + GOLDEN * n) % WORD))) for n in range(1, 6)]
    assert tuple(found) == SPLITMIX


FROZEN: dict[tuple[int, Address], int] = {
    (0, (0, 0, 0, 0, 0, 0)): 0,
    (0, (0, 0, 0, 1, 0, 0)): 4241303370540977209,
    (7, (0, 1234, 0, 1, 1, 0)): 13404502861073370728,
    (7, (0, 1234, 3, 12, 2, 11)): 15074515909041664361,
    (20261130, (0, 0, 0, 1, 0, 0)): 2624332094788330994,
    (20261130, (1, 0, 0, 1, 0, 0)): 13965090094574164217,
    (20261130, (5, 999999, 7, 40, 6, 63)): 11995343420701435828,
    (18446744073709551615, (0, 1000000000000, 1, 2, 3, 4)): 11053349978166713300,
}


def test_no_draw_has_moved() -> None:
    assert {(seed, address): word_at(seed, address) for seed, address in FROZEN} == FROZEN


FROZEN_CARDS = {
    (0, (0, 0, 0), (0, 0)): 14997484932722829905,
    (0, (0, 0, 0), (1, 0)): 7416330765962668081,
    (0, (2, 3, 1), (15, 2)): 332572150748239458,
    (1234, (1, 0, 0), (5, 1)): 10427646089772317960,
}


def test_no_order_of_a_deck_has_moved() -> None:
    assert {where: card_word(SEED, *where) for where in FROZEN_CARDS} == FROZEN_CARDS


@pytest.mark.bounds
@given(
    seed=st.integers(0, WORD - 1),
    address=st.tuples(
        st.sampled_from(list(rng.Namespace)).map(int),
        st.integers(0, 10**12),
        st.integers(0, 7),
        st.integers(0, 10**6),
        st.integers(0, 200),
        st.integers(0, 10**4),
    ),
    n=st.integers(1, HALF - 1),
)
def test_a_draw_is_what_plain_integers_give(seed: int, address: Address, n: int) -> None:
    word = plain_word(seed, address)
    assert word_at(seed, address) == word
    with np.errstate(over="ignore"):
        found = int(rng.index(turn_key(seed, address), address[4], address[5], n))
    assert found == (word >> 32) * n >> 32
    assert 0 <= found < n


@given(
    seed=st.integers(0, WORD - 1),
    playout=st.integers(0, 10**12),
    deck=st.tuples(st.integers(0, 20), st.integers(0, 7), st.integers(0, 50)),
    card=st.tuples(st.integers(0, 63), st.integers(0, 63)),
)
def test_a_card_hash_is_what_plain_integers_give(
    seed: int, playout: int, deck: tuple[int, int, int], card: tuple[int, int]
) -> None:
    assert card_word(seed, playout, deck, card) == plain_card_word(seed, playout, deck, card)


@pytest.mark.bounds
def test_an_index_reaches_its_ends_and_passes_neither() -> None:
    for n in (1, 2, 3, 7, 40):
        with np.errstate(over="ignore"):
            found = {int(rng.index(turn_key(SEED, (0, 0, 0, turn, 0, 0)), 0, 0, n)) for turn in range(60 * n)}
        assert found == set(range(n))


def base(turn: int) -> Address:
    """Return the address that others are compared with; turns come in playouts of ten."""
    return (0, turn // 10, 0, 10 * (turn % 10) + 1, 0, 0)


BESIDE = {
    "another seat": (0, 0, 1, 0, 0, 0),
    "the last seat": (0, 0, 7, 0, 0, 0),
    "the next turn": (0, 0, 0, 1, 0, 0),
    "another purpose": (0, 0, 0, 0, 1, 0),
    "a purpose further on": (0, 0, 0, 0, 6, 0),
    "the roll of another seat": (0, 0, 0, 0, 0, 1),
    "the next occurrence": (0, 0, 0, 0, 0, 8),
    "the next playout": (0, 1, 0, 0, 0, 0),
    "a playout far away": (0, 10**9, 0, 0, 0, 0),
    "another namespace": (1, 0, 0, 0, 0, 0),
    "seat and purpose crossed": (0, 0, 1, 0, 1, 0),
    "turn and purpose crossed": (0, 0, 0, 1, 1, 0),
}


@pytest.mark.parametrize("beside", BESIDE)
def test_dice_at_two_addresses_are_independent(beside: str) -> None:
    step = BESIDE[beside]
    ours = [base(turn) for turn in range(N_TURNS)]
    theirs = [tuple(map(sum, zip(address, step, strict=True))) for address in ours]
    table = np.zeros((FACES, FACES))
    np.add.at(table, (dice(ours) - 1, dice(theirs) - 1), 1)
    expected = N_TURNS / FACES**2
    assert ((table - expected) ** 2 / expected).sum() < chi2.isf(ALPHA, FACES**2 - 1)


SERIES = {
    "turns of a seat": [(0, 0, 0, turn, 0, 0) for turn in range(N_TURNS)],
    "playouts": [(0, playout, 0, 1, 0, 0) for playout in range(N_TURNS)],
    "purposes and k of a turn": [(0, 0, 0, 1, number % 100, number // 100) for number in range(N_TURNS)],
}


@pytest.mark.parametrize("series", SERIES)
def test_dice_in_a_row_have_no_serial_correlation(series: str) -> None:
    rolled = dice(SERIES[series])
    centred = (rolled - (FACES + 1) / 2) / np.sqrt((FACES**2 - 1) / 12)
    lags = [abs((centred[:-lag] * centred[lag:]).sum()) / np.sqrt(N_TURNS - lag) for lag in range(1, 7)]
    assert max(lags) < norm.isf(ALPHA / 2)


def test_two_seeds_in_a_row_share_no_dice() -> None:
    rolled = [[word_at(seed, base(turn)) >> 61 for turn in range(3_000)] for seed in range(4)]
    for ours, theirs in pairwise(rolled):
        table = np.zeros((8, 8))
        np.add.at(table, (ours, theirs), 1)
        expected = 3_000 / 64
        assert ((table - expected) ** 2 / expected).sum() < chi2.isf(ALPHA, 63)


def test_namespaces_and_seeds_share_no_key_nor_draw() -> None:
    where = [(seed, space, playout) for seed in (0, 1, 7) for space in rng.Namespace for playout in range(300)]
    keys = {plain_playout_key(seed, int(space), playout) for seed, space, playout in where}
    words = {word_at(seed, (int(space), playout, 0, 1, 0, 0)) for seed, space, playout in where}
    assert len(keys) == len(words) == len(where)
