"""Random numbers with addresses: a draw is a pure function of where and what for, never of what came before.

An address is (seed, namespace, playout, active seat, that seat's own turn number, purpose, k). The first
three are folded into the *playout key*, the next two into the *turn key*, both kept by the engine, so that a
draw costs one mixing. Every word is the SplitMix64 finaliser (Stafford's thirteenth variant) of a sum of
odd multiples, each coordinate with an odd constant of its own.

Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014; the multiply-shift
of `index`: Lemire, Fast random integer generation in an interval, ACM TOMACS 2019 (its bias is below
n / 2**32, and without a loop one draw stays one address).
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np

from sim.jit import typed

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
FIRST_MULTIPLIER: Final = np.uint64(0xBF58476D1CE4E5B9)
SECOND_MULTIPLIER: Final = np.uint64(0x94D049BB133111EB)
FIRST_SHIFT: Final = np.uint64(30)
SECOND_SHIFT: Final = np.uint64(27)
THIRD_SHIFT: Final = np.uint64(31)
HALF_WORD: Final = np.uint64(32)
NAMESPACE_STEP: Final = np.uint64(0xD1342543DE82EF95)
PLAYOUT_STEP: Final = np.uint64(0xA0761D6478BD642F)
SEAT_STEP: Final = np.uint64(0xE7037ED1A0B428DB)
TURN_STEP: Final = np.uint64(0x8EBC6AF09C88C6E3)
PURPOSE_STEP: Final = np.uint64(0x589965CC75374CC3)
K_STEP: Final = GOLDEN
DECK_STEP: Final = np.uint64(0x1D8E4E27C47D124F)
OWNER_STEP: Final = np.uint64(0xEB44ACCAB455D165)
RESHUFFLE_STEP: Final = np.uint64(0xC2B2AE3D27D4EB4F)
CARD_STEP: Final = np.uint64(0x27D4EB2F165667C5)
COPY_STEP: Final = np.uint64(0x85EBCA77C2B2AE63)
LUCK_STEP: Final = np.uint64(0x2545F4914F6CDD1D)
SEATS_PER_OCCURRENCE: Final = 8  # k = occurrence x 8 + the seat that rolls


class Namespace(IntEnum):
    """Disjoint worlds of draws; a seed never changes its namespace."""

    PLAY = 0
    ROLLOUT = 1
    TRAIN = 2
    SEARCH = 3
    SELECT = 4
    VALIDATE = 5


@typed("uint64(uint64)")
def mix(word: np.uint64) -> np.uint64:
    """Scramble a word so that any change of its bits changes half of the result's."""
    word = (word ^ (word >> FIRST_SHIFT)) * FIRST_MULTIPLIER
    word = (word ^ (word >> SECOND_SHIFT)) * SECOND_MULTIPLIER
    return word ^ (word >> THIRD_SHIFT)


@typed("uint64(uint64, int64, int64)")
def playout_key(seed: np.uint64, namespace: int, playout: int) -> np.uint64:
    """Return the root of all addresses of one playout."""
    world = mix(np.uint64(seed) * GOLDEN + np.uint64(namespace) * NAMESPACE_STEP)
    return mix(world + np.uint64(playout) * PLAYOUT_STEP)


@typed("uint64(uint64)")
def luck_key(key: np.uint64) -> np.uint64:
    """Return the root of the lots by which a playout's ties are broken; it tells nothing about any other draw."""
    return mix(key + LUCK_STEP)


@typed("uint64(uint64, int64, int64)")
def turn_key(key: np.uint64, seat: int, turn: int) -> np.uint64:
    """Return the root of the addresses of one seat's own turn; turn 0 is set-up."""
    return key + np.uint64(seat) * SEAT_STEP + np.uint64(turn) * TURN_STEP


@typed("uint64(uint64, int64, int64)")
def uniform_word(key: np.uint64, purpose: int, k: int) -> np.uint64:
    """Draw 64 uniform bits at an address."""
    return mix(key + np.uint64(purpose) * PURPOSE_STEP + np.uint64(k) * K_STEP)


@typed("int64(uint64, int64, int64, int64)")
def index(key: np.uint64, purpose: int, k: int, n: int) -> int:
    """Draw a uniform number from 0 to n - 1 at an address of a turn."""
    high = uniform_word(key, purpose, k) >> HALF_WORD
    return np.int64((high * np.uint64(n)) >> HALF_WORD)  # type: ignore[return-value]  # stands for int in kernels


@typed("int64(uint64, int64, int64, int64)")
def die(key: np.uint64, purpose: int, k: int, faces: int) -> int:
    """Roll a die: a uniform number from 1 to faces."""
    return index(key, purpose, k, faces) + 1


@typed("uint64(uint64, int64, int64, int64)")
def deck_key(key: np.uint64, deck: int, owner: int, reshuffle: int) -> np.uint64:
    """Return the root of the hashes of one order of one deck."""
    word = key + np.uint64(deck + 1) * DECK_STEP + np.uint64(owner) * OWNER_STEP
    return mix(word + np.uint64(reshuffle) * RESHUFFLE_STEP)


@typed("uint64(uint64, int64, int64)")
def card_hash(key: np.uint64, card: int, copy: int) -> np.uint64:
    """Return the hash that places one copy of one card in a deck's order."""
    return mix(key + np.uint64(card) * CARD_STEP + np.uint64(copy) * COPY_STEP)
