"""Known answers of the random numbers, independence of their addresses, and orders of decks."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chi2

from sim import rng
from tests.support import SEED

SPLITMIX = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)
WORD = 1 << 64
GOLDEN = 0x9E3779B97F4A7C15
ALPHA = 1e-6
FACES = 6
N_PAIRS = 20_000


def plain_mix(word: int) -> int:
    """Return the finaliser in plain integers."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % WORD
    return word ^ (word >> 31)


def key_of(playout: int, namespace: int = 0) -> np.uint64:
    """Return a playout key of the tests' seed."""
    with np.errstate(over="ignore"):
        return np.uint64(rng.playout_key(np.uint64(SEED), namespace, playout))


def roll(key: np.uint64, seat: int, turn: int, purpose: int, k: int) -> int:
    """Roll a die at an address."""
    with np.errstate(over="ignore"):
        return int(rng.die(np.uint64(rng.turn_key(key, seat, turn)), purpose, k, FACES))


@pytest.mark.bounds
def test_mix_gives_the_published_numbers_of_splitmix64() -> None:
    with np.errstate(over="ignore"):
        found = [int(rng.mix(np.uint64((1234567 + GOLDEN * place) % WORD))) for place in range(1, 6)]
    assert tuple(found) == SPLITMIX


@pytest.mark.bounds
def test_an_address_is_the_mix_of_its_sum_in_plain_integers() -> None:
    world = plain_mix((SEED * GOLDEN + 2 * int(rng.NAMESPACE_STEP)) % WORD)
    key = plain_mix((world + 7 * int(rng.PLAYOUT_STEP)) % WORD)
    turn = key + 3 * int(rng.SEAT_STEP) + 5 * int(rng.TURN_STEP)
    word = plain_mix((turn + 4 * int(rng.PURPOSE_STEP) + 11 * GOLDEN) % WORD)
    assert roll(key_of(7, 2), 3, 5, 4, 11) == ((word >> 32) * FACES >> 32) + 1


@pytest.mark.parametrize("other", [(1, 1, 0, 0), (0, 2, 0, 0), (0, 1, 1, 0), (0, 1, 0, 1), (0, 1, 0, 8), (0, 7, 0, 0)])
def test_dice_of_different_addresses_are_independent(other: tuple[int, int, int, int]) -> None:
    table = np.zeros((FACES, FACES))
    for playout in range(N_PAIRS // 10):
        key = key_of(playout)
        for turn in range(10):
            seat, later, purpose, k = other
            table[roll(key, 0, 10 * turn + 1, 0, 0) - 1, roll(key, seat, 10 * turn + later, purpose, k) - 1] += 1
    expected = N_PAIRS / FACES**2
    assert ((table - expected) ** 2 / expected).sum() < chi2.ppf(1 - ALPHA, FACES**2 - 1)


def test_namespaces_share_no_key() -> None:
    keys = {int(key_of(playout, space)) for space in rng.Namespace for playout in range(500)}
    assert len(keys) == 500 * len(rng.Namespace)


def order_of(playout: int, cards: list[int]) -> tuple[int, ...]:
    """Return cards in the order of their hashes."""
    with np.errstate(over="ignore"):
        key = np.uint64(rng.deck_key(key_of(playout), 0, 0, 0))
        return tuple(sorted(cards, key=lambda card: int(rng.card_hash(key, card, 0))))


def test_removing_a_card_leaves_the_order_of_the_others_alone() -> None:
    for playout in range(300):
        whole = order_of(playout, list(range(6)))
        assert tuple(card for card in whole if card != 2) == order_of(playout, [0, 1, 3, 4, 5])


def test_all_orders_of_a_deck_are_equally_likely() -> None:
    n_playouts = 12_000
    counts = dict.fromkeys(permutations(range(4)), 0)
    for playout in range(n_playouts):
        counts[order_of(playout, [0, 1, 2, 3])] += 1
    expected = n_playouts / len(counts)
    statistic = sum((count - expected) ** 2 / expected for count in counts.values())
    assert statistic < chi2.ppf(1 - ALPHA, len(counts) - 1)
