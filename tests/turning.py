"""Seats a table some chairs further, every draw handed on likewise, with kernels that run interpreted.

Whatever a seat draws is drawn by the seat that sits so many chairs further: dice and lots by their address, the deal by
the order in which the cards lie on the deck. What is told of both playouts must then differ by the names of the seats
only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import groupby
from typing import Any

import pytest

from sim import rng
from sim.decks import shuffle
from sim.engine.contract import DECISION_EVENT, RANDOM_POLICY, Game
from sim.engine.lineup import Lineup
from sim.engine.replay import Event, Recording, replay
from tests.support import SEED

SEAT = re.compile(r"\b([Ss]eat) (\d+)")
AT_ONCE = frozenset({"START_ROLL", "DEAL", "LOADOUT", "FREED"})
"""Events that are told in the order of chairs where they are of several seats at once."""
OF_SEATS = {"TARGET": 8, "HONEY_HITTERS": 8, "PARTNER": 8, "MOVER": 32, "BOUNCER": 56}
"""Decisions with seats among their options: options below the number are seats, or a seat and one of eight moves."""
STRIDE = 8
DEALT = frozenset({"LOOT", "LOADOUT"})


@contextmanager
def turned(game: Game, n_seats: int, shift: int) -> Iterator[None]:
    """Hand every draw on to the seat so many chairs further.

    Args:
        game: The game whose draws are handed on.
        n_seats: Seats at the table.
        shift: How many chairs further.

    """
    turn_key, index, deck_key = rng.turn_key, rng.index, rng.deck_key
    eight = rng.SEATS_PER_OCCURRENCE
    decks: list[int] = []

    def turned_key(key: Any, seat: int, turn: int) -> Any:
        return turn_key(key, (seat - shift) % n_seats, turn)

    def turned_index(key: Any, purpose: int, k: int, n: int) -> Any:
        return index(key, purpose, int(k) // eight * eight + (int(k) % eight - shift) % n_seats, n)

    def noted_deck_key(key: Any, deck: int, owner: int, reshuffle: int) -> Any:
        decks.append(deck)
        return deck_key(key, deck, owner, reshuffle)

    def turned_shuffle(deck: Any, cards: Any, key: Any) -> None:
        shuffle(deck, cards, key)
        if decks[-1] in dealt and deck.size >= n_seats:
            top = [int(card) for card in deck.order[:n_seats]]
            for seat, card in enumerate(top):
                deck.order[(seat + shift) % n_seats] = card

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rng, "turn_key", turned_key)
        patch.setattr(rng, "index", turned_index)
        patch.setattr(rng, "deck_key", noted_deck_key)
        if game.families and "dealt" in {how for family in game.families for how in family.acquired}:
            phase = import_module(f"sim.games.{game.name}.phases.set_up")
            dealt = {int(deck) for deck in phase.Deck if deck.name in DEALT}
            patch.setattr(phase, "shuffle", turned_shuffle)
        yield


def turned_option(kind: str, option: int, n_seats: int, shift: int) -> int:
    """Return the option that means the same once everybody sits so many chairs further."""
    if option >= OF_SEATS.get(kind, 0):
        return option
    seat, move = (option, None) if OF_SEATS[kind] == STRIDE else divmod(option, STRIDE)
    seat = (seat + shift) % n_seats
    return seat if move is None else seat * STRIDE + move


def in_one_order(game: Game, events: Sequence[Event], n_seats: int, shift: int) -> list[Event]:
    """Return events with those of all seats at once in the order of the chairs before everybody moved."""

    def place(event: Event) -> tuple[int, int]:
        round_of_rolls = event[3] if game.events[event[0]] == "START_ROLL" else 0
        return round_of_rolls, (event[1] - shift) % n_seats

    ordered: list[Event] = []
    for kind, together in groupby(events, key=lambda event: event[0]):
        found = list(together)
        ordered += sorted(found, key=place) if game.events[kind] in AT_ONCE else found
    return ordered


def told(game: Game, ruleset: Any, recording: Recording, n_seats: int, shift: int) -> list[str]:
    """Return what is told of a playout, with everybody's name from before everybody moved so many chairs."""
    lines = game.narrate(ruleset, n_seats, in_one_order(game, recording.events, n_seats, shift))
    first = min(int(number) for line in lines for _, number in SEAT.findall(line))

    def name(found: re.Match[str]) -> str:
        return f"{found[1]} {(int(found[2]) - first - shift) % n_seats + first}"

    return [SEAT.sub(name, line) for line in lines]


def difference_of_turned(game: Game, changes: dict[str, Any], lineup: Lineup, playout: int, shift: int = 1) -> str:
    """Return where a playout and the same one some chairs further part, or nothing."""
    n_seats = len(lineup)
    ruleset = game.load().resolve(changes)
    rules = game.pack(ruleset)
    before = replay(game, rules, lineup, SEED, playout)
    moved = tuple(lineup[(seat - shift) % n_seats] for seat in range(n_seats))
    is_random = any(policy.code == RANDOM_POLICY for policy in lineup)
    choices = [event for event in before.events if event[0] == DECISION_EVENT] if is_random else []
    tape = [turned_option(game.decisions[event[2]], event[3], n_seats, shift) for event in choices]
    with turned(game, n_seats, shift):
        after = replay(game, rules, moved, SEED, playout, tape=tape)
    pairs = zip(told(game, ruleset, before, n_seats, 0), told(game, ruleset, after, n_seats, shift), strict=False)
    for place, (mine, theirs) in enumerate(pairs):
        if mine != theirs:
            return f"line {place}: {mine!r}, and {shift} chairs further {theirs!r}"
    return "" if len(before.events) == len(after.events) else "one is longer"
