"""The order in which the rows of a component table stand moves no outcome but by the draws that it numbers.

What is numbered by rows: the hashes that order a deck, and the lots by which policies choose among cards. With these
handed on to the rows' new places, the whole playout comes out the same, event by event, in the names of the cards. One
order is a rule: cards that are picked up together are taken one by one as the table has them, so the playouts are such
where this decides nothing.
"""

from __future__ import annotations

import re
from importlib import import_module
from itertools import accumulate, groupby
from typing import Any

import pytest

from sim import games, rng
from sim.components import Ruleset
from sim.engine.contract import Game
from sim.engine.lineup import make_lineup
from sim.engine.replay import replay
from sim.mechanics import ties
from sim.mechanics.words import FIRST_CARD_ITEM
from tests.games.scenes import interpreted_only
from tests.support import SEED

PLAYOUTS = (0, 2)
AT_ONCE = re.compile(r" drops | picks up ")  # what is told in the order of the table


def story(game: Game, ruleset: Ruleset, policy: str, playout: int) -> list[str]:
    """Return what is told of a playout, cards that are dropped or picked up at once in one order."""
    events = replay(game, game.pack(ruleset), make_lineup(game, [policy], 4), SEED, playout).events
    lines: list[str] = []
    for is_at_once, together in groupby(game.narrate(ruleset, 4, events), key=lambda line: bool(AT_ONCE.search(line))):
        found = list(together)
        lines += sorted(found) if is_at_once else found
    return lines


def physical(copies: list[int], order: list[int]) -> list[int]:
    """Return which physical card of the table each one of the table in another order is."""
    firsts = [0, *accumulate(copies)]
    return [firsts[row] + copy for row in order for copy in range(copies[row])]


def hand_on(name: str, order: list[int], before: list[int], patch: pytest.MonkeyPatch) -> None:
    """Hand the hashes of cards and the lots among them on to the rows' new places."""
    card_hash, deck_key, lot = rng.card_hash, rng.deck_key, ties.lot
    loot = import_module(f"sim.games.{name}.words").Deck.LOOT
    decks: list[int] = []

    def noted_deck_key(key: Any, deck: int, owner: int, reshuffle: int) -> Any:
        decks.append(deck)
        return deck_key(key, deck, owner, reshuffle)

    def moved_hash(key: Any, card: int, copy: int) -> Any:
        return card_hash(key, order[int(card)] if decks[-1] == loot else card, copy)

    def moved_lot(table: Any, seat: int, kind: int, option: int) -> int:
        first = FIRST_CARD_ITEM if kind == ties.Lot.ITEM else 0
        if kind == ties.Lot.PLACE or option < first:
            return lot(table, seat, kind, option)
        return lot(table, seat, kind, before[option - first] + first)

    patch.setattr(rng, "deck_key", noted_deck_key)
    patch.setattr(rng, "card_hash", moved_hash)
    patch.setattr(ties, "lot", moved_lot)


@interpreted_only
@pytest.mark.parametrize("name", ["flip", "fortnite"])
@pytest.mark.parametrize("policy", ["leader", "threat", "spends"])
def test_rows_of_the_cards_may_stand_in_any_order(name: str, policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.get(name)
    ruleset = game.load().resolve({})
    told = [story(game, ruleset, policy, playout) for playout in PLAYOUTS]
    rows = ruleset.tables["cards"]
    order = [*range(1, len(rows), 2), *reversed(range(0, len(rows), 2))]
    hand_on(name, order, physical([int(row["copies"]) for row in rows], order), monkeypatch)
    ruleset.tables["cards"] = [rows[row] for row in order]
    for playout, lines in zip(PLAYOUTS, told, strict=True):
        assert story(game, ruleset, policy, playout) == lines
