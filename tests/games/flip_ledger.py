"""Follows the events of a flip playout with a ledger of its own: where every chip and every card is.

Each event must find what it moves where the ledger has it, so a card that is in two places, or in none, cannot
pass; draws must come from the top of the decks in their addressed order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sim.components import Ruleset
from sim.decks import DECK_CAPACITY
from sim.engine.replay import Event as EventRow
from sim.games.flip.game import GAME
from sim.games.flip.words import Deck, Event, Mode, Source
from sim.mechanics.words import FIRST_CARD_ITEM
from tests.support import SEED, referee_order

N_CHIPS = 70  # in the box
NOBODY = -1
GAINS = {Source.GO, Source.SET_BONUS, Source.CAMPFIRE, Source.MED_MIST}
LOSSES = {Source.STORM, Source.TOLL, Source.TRAP, Source.CROSSHAIRS, Source.BOOGIE_BOMB, Source.JAIL}
ACTS = set(Event) - {Event.STORM, Event.DROP, Event.FALL, Event.END}  # those may speak of a seat that has fallen
CRITERIA = {Mode.STORM_LOWEST, Mode.STORM_HIGHEST, Mode.STORM_CHOICE}


class Ledger:
    """What a playout's events say is where.

    Attributes:
        hp: Chips of each seat.
        bank: Chips of nobody.
        hand: Loot cards of each seat.
        ground: Space of each loot card that was dropped.
        loot, mode, loadout: Decks, top first.
        own: Owner of each claimed location.
        flow: HP by source and seat.

    """

    def __init__(self, ruleset: Ruleset, n_seats: int, playout: int) -> None:
        self.ruleset = ruleset
        rules = GAME.pack(ruleset)
        cards = {"LOOT": rules["loot"][0], "MODE": rules["mode"][0], "LOADOUT": rules["loadout"][0]}
        order = referee_order(Deck, cards, SEED, playout)
        self.loot, self.mode, self.loadout = order("LOOT"), order("MODE"), order("LOADOUT")
        self.mode_effect = rules["mode_effect"][0]
        self.home = [int(space) for space in rules["home"][0]]
        self.all_loot = sorted(self.loot)
        self.hp = [int(ruleset.rules["start_hp"])] * n_seats
        self.bank = N_CHIPS - sum(self.hp)
        self.hand: list[set[int]] = [set() for _ in range(n_seats)]
        self.ground: dict[int, int] = {}
        self.own: dict[int, int] = {}
        self.stormed: set[int] = set()
        self.fallen: list[int] = []
        self.flow: dict[tuple[int, int], int] = {}
        self.has_ended = False

    def follow(self, events: Sequence[EventRow]) -> None:
        """Follow all events."""
        for kind, seat, first, second, third in events:
            assert not self.has_ended
            assert kind not in ACTS or seat not in self.fallen, (Event(kind), seat)
            getattr(self, f"on_{Event(kind).name.lower()}", self.on_other)(seat, first, second, third)
            self.check()

    def check(self) -> None:
        """Check what holds after every event: chips in hands and in the Bank, each loot card once."""
        assert all(0 <= hp <= int(self.ruleset.rules["hp_cap"]) for hp in self.hp)
        assert self.bank >= 0
        assert sum(self.hp) + self.bank == N_CHIPS
        assert sorted([*self.loot, *self.ground, *(card for hand in self.hand for card in hand)]) == self.all_loot

    def on_other(self, *_numbers: int) -> None:
        """Nothing moves."""

    def on_loadout(self, _seat: int, card: int, *_: int) -> None:
        """Take a loadout off its deck."""
        if self.ruleset.rules["loadout_pick"] == "random":
            assert self.loadout[0] == card
        self.loadout.remove(card)

    def on_deal(self, seat: int, card: int, *_: int) -> None:
        """Take the top loot card."""
        assert self.loot.pop(0) == card
        self.hand[seat].add(card)

    on_loot = on_deal

    def on_under(self, seat: int, card: int, *_: int) -> None:
        """Put a card under the loot deck."""
        self.hand[seat].remove(card)
        self.loot.append(card)

    def on_pick_up(self, seat: int, card: int, space: int, _: int) -> None:
        """Take a dropped card from its space."""
        assert self.ground.pop(card) == space
        self.hand[seat].add(card)

    def on_drop(self, seat: int, card: int, space: int, _: int) -> None:
        """Leave a card on a space."""
        assert seat == self.fallen[-1]
        self.hand[seat].remove(card)
        self.ground[card] = space

    def on_use(self, seat: int, card: int, *_: int) -> None:
        """Use a card that one has."""
        assert card in self.hand[seat]

    def on_swap(self, seat: int, item: int, receiver: int, _: int) -> None:
        """Hand an item over."""
        if item >= FIRST_CARD_ITEM:
            self.hand[seat].remove(item - FIRST_CARD_ITEM)
            self.hand[receiver].add(item - FIRST_CARD_ITEM)
        else:
            assert self.own[item] == seat
            assert self.home[item] not in self.stormed
            self.own[item] = receiver

    def on_mode(self, _seat: int, card: int, *_: int) -> None:
        """Turn the top Game Mode card over; it goes under the deck or out of the game."""
        assert self.mode.pop(0) == card
        effect = self.mode_effect[card]
        is_out = effect in CRITERIA and self.ruleset.rules["storm_card_reuse"] == "out_of_game"
        if not is_out and effect not in {Mode.STORM_GO, Mode.STORM_JAIL}:
            self.mode.append(card)

    def on_claim(self, seat: int, location: int, *_: int) -> None:
        """Take a location that nobody has and the Storm has not."""
        assert location not in self.own
        assert self.home[location] not in self.stormed
        self.own[location] = seat

    def on_storm(self, owner: int, space: int, cause: int, _: int) -> None:
        """Let the Storm take a space, once and for good."""
        assert space not in self.stormed
        self.stormed.add(space)
        held = [location for location in self.own if self.home[location] == space]
        assert [self.own[location] for location in held] == ([] if cause or owner == NOBODY else [owner])
        if self.ruleset.rules["storm_owner"] == "leaves":
            for location in held:
                del self.own[location]

    def on_hp(self, seat: int, change: int, source: int, _: int) -> None:
        """Move chips between a seat and the Bank; what is passed on by Honey Hitters rests there in between."""
        assert change != 0
        assert change > 0 or source not in GAINS
        assert change < 0 or source not in LOSSES
        self.hp[seat] += change
        self.bank -= change
        self.flow[source, seat] = self.flow.get((source, seat), 0) + change

    def on_fall(self, seat: int, number: int, *_: int) -> None:
        """Take a seat out whose last chip is gone."""
        assert self.hp[seat] == 0
        self.fallen.append(seat)
        assert number == len(self.fallen)
        self.own = {location: owner for location, owner in self.own.items() if owner != seat}

    def on_end(self, *_: int) -> None:
        """Close the book."""
        self.has_ended = True

    def assert_same_state(self, state: Any) -> None:
        """Compare the ledger with the table and the decks that the kernel has left."""
        table = state.table
        for seat, hand in enumerate(self.hand):
            assert int(table.hp[seat]) == self.hp[seat]
            assert int(table.hand[seat]) == mask(hand)
            assert int(table.own[seat]) == mask(one for one, owner in self.own.items() if owner == seat)
        lying = int(table.dropped_in_jail)
        for space in range(len(table.dropped)):
            lying |= int(table.dropped[space]) | int(table.under_tile[space])
        assert lying == mask(self.ground)
        assert int(table.storm) == mask(self.stormed)
        for name, deck in (("loot", self.loot), ("mode", self.mode)):
            left = state.hidden[name]
            slots = (int(left["top"]) + np.arange(int(left["size"]))) % DECK_CAPACITY
            assert list(left["order"][slots]) == deck

    def assert_same_tallies(self, tallies: Any) -> None:
        """Compare HP by source and seat with what the kernel has counted."""
        flow = tallies.flow[0]
        counted = {(source, seat): int(flow[source, seat]) for source in Source for seat in range(len(self.hp))}
        assert {key: change for key, change in counted.items() if change} == {
            key: change for key, change in self.flow.items() if change
        }


def mask(bits: Any) -> int:
    """Return numbers as the bits of a mask."""
    return sum(1 << int(bit) for bit in bits)
