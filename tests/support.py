"""Feeds referees with sim's addressed draws, deck orders and recorded decisions, and compares event streams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from sim import rng
from sim.engine.blocks import Grant
from sim.engine.contract import NONE_OPTION, Game
from sim.engine.lineup import make_lineup
from sim.engine.replay import Event, Recording, replay

SEED = 20261130
MOST_OPTIONS = NONE_OPTION + 1


def referee_draw(
    purposes: Any, seed: int, playout: int, namespace: int = rng.Namespace.PLAY
) -> Callable[[str, int, int, int, int], int]:
    """Return draw(purpose, active seat, turn, k, n), uniform from 0 to n - 1."""
    with np.errstate(over="ignore"):
        root = rng.playout_key(np.uint64(seed), int(namespace), playout)

    def draw(purpose: str, seat: int, turn: int, k: int, n: int) -> int:
        with np.errstate(over="ignore"):
            key = rng.turn_key(np.uint64(root), seat, turn)
            return int(rng.index(np.uint64(key), int(purposes[purpose]), k, n))

    return draw


def referee_order(
    decks: Any, cards: dict[str, Any], seed: int, playout: int, namespace: int = rng.Namespace.PLAY
) -> Callable[..., list[int]]:
    """Return order(deck, reshuffle=0): the physical cards of a deck, given its packed physical cards, in hash order."""

    def order(deck: str, reshuffle: int = 0) -> list[int]:
        with np.errstate(over="ignore"):
            root = rng.playout_key(np.uint64(seed), int(namespace), playout)
            key = np.uint64(rng.deck_key(np.uint64(root), int(decks[deck]), 0, reshuffle))
            made_of = cards[deck]
            hashes = [
                int(rng.card_hash(key, int(made_of["card"][card]), int(made_of["copy"][card])))
                for card in range(int(made_of["size"]))
            ]
        return sorted(range(len(hashes)), key=hashes.__getitem__)

    return order


def stream_choose(game: Game, events: Sequence[Event]) -> Callable[[str, int, list[int]], int]:
    """Return choose(kind, seat, options), served from recorded decisions; a mismatch is an AssertionError."""
    stream = iter([event for event in events if event[0] == 0])

    def choose(kind: str, seat: int, options: list[int]) -> int:
        found = next(stream, None)
        assert found is not None, f"the kernel asked nothing more, the referee asks {kind} of {seat}: {options}"
        _, who, number, option, mask = found
        asked = game.decisions[number], who, options_of(mask)
        assert asked == (kind, seat, options), f"kernel asked {asked}, referee {(kind, seat, options)}"
        return option

    return choose


@lru_cache(maxsize=1 << 16)
def options_of(mask: int) -> list[int]:
    """Return the options of a mask, in ascending order; they are only to be read."""
    return [bit for bit in range(MOST_OPTIONS) if mask >> bit & 1]


def pig_keys(**keys: Any) -> dict[str, Any]:
    """Return the keys of a plan about two seats of pig, with more keys or others."""
    return {"schema": 1, "question": "Who wins?", "game": "pig", "seats": 2, "seed": 7, **keys}


def first_difference(ours: Sequence[Event], theirs: Sequence[Sequence[int]]) -> str:
    """Return where two event streams part, with what came before, or nothing."""
    for place in range(max(len(ours), len(theirs))):
        mine = tuple(ours[place]) if place < len(ours) else None
        other = tuple(theirs[place]) if place < len(theirs) else None
        if mine != other:
            return f"event {place}: kernel {mine}, referee {other}; before: {list(ours[max(0, place - 8) : place])}"
    return ""


def record(
    game: Game, rules: Any, policies: Sequence[str], n_seats: int, playout: int, grants: Sequence[Grant] = ()
) -> Recording:
    """Record one playout with the tests' seed."""
    return replay(game, rules, make_lineup(game, policies, n_seats), SEED, playout, grants=grants)
