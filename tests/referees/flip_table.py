"""The table of `flip` in the middle of a playout: who has what, who sees whom, who falls."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.referees.flip_components import Components
from tests.referees.flip_words import (
    DECISION_NUMBER,
    FIRST_CARD,
    N_CHIPS,
    NOBODY,
    SEATS_PER_OCCURRENCE,
    TERMINATIONS,
    WHOLE_WIN,
    Choose,
    Draw,
    Ending,
    Event,
    EventRow,
    Grant,
    Order,
    Source,
)


class PlayoutOver(Exception):  # noqa: N818  (it is no error: nothing more may happen)
    """The playout has ended in the middle of whatever was going on."""


class Table:
    """What lies on the table, and the small rules that every larger one stands on."""

    def __init__(
        self,
        ruleset: Mapping[str, Any],
        n_seats: int,
        draw: Draw,
        order: Order,
        choose: Choose,
        grants: Sequence[Grant] = (),
    ) -> None:
        self.rules: Mapping[str, Any] = ruleset["rules"]
        self.components = Components(ruleset)
        self.n_seats = n_seats
        self.draw = draw
        self.order = order
        self.choose = choose
        self.grants = grants

        self.events: list[EventRow] = []
        self.payoff = [0] * n_seats
        self.termination = ""
        self.length_turns = 0

        self.hp = [self.number("start_hp")] * n_seats
        self.living = [True] * n_seats
        self.n_fallen = 0
        self.turns = [0] * n_seats
        self.active = NOBODY

        n_spaces = len(self.components.board)
        n_locations = len(self.components.locations)
        self.bank = N_CHIPS - sum(self.hp)  # F-R5
        self.space = [NOBODY] * n_seats
        self.landed = [False] * n_seats
        self.jailed = [False] * n_seats
        self.tries = [0] * n_seats
        self.loadout = [NOBODY] * n_seats
        self.hand: list[list[int]] = [[] for _ in range(n_seats)]
        self.owner = [NOBODY] * n_locations  # F-R11
        self.stormed = [False] * n_spaces
        self.flipped = dict.fromkeys(self.components.tiles, False)  # F-R6
        self.dropped: dict[tuple[int, bool], list[int]] = {}
        self.dropped_in_cell: list[int] = []
        self.loot_deck: list[int] = []
        self.mode_deck: list[int] = []

        self.used: set[int] = set()
        self.picked_up: set[int] = set()
        self.n_go_cards_due = 0
        self.n_go_cards_drawn = 0
        self.is_jail_card_due = False
        self.is_turn_cut_short = False
        self.n_proposed = 0
        self.n_roll_loss = 0
        self.first_seat = NOBODY

    def number(self, key: str) -> int:
        """Return a number of the rules."""
        return int(self.rules[key])

    def reads(self, switch: str, *readings: str) -> bool:
        """Tell whether a switch stands on one of these readings."""
        return self.rules[switch] in readings

    def record(self, event: int, seat: int, *details: int) -> None:
        """Write an event down."""
        first, second, third = (*details, 0, 0, 0)[:3]
        self.events.append((int(event), seat, int(first), int(second), int(third)))

    def ask(self, kind: str, seat: int, options: list[int]) -> int:
        """Have a seat decide, unless one option only is legal."""
        if len(options) == 1:
            return options[0]
        option = self.choose(kind, seat, options)
        if option not in options:
            message = f"{kind} of seat {seat} was answered {option}; legal are {options}"
            raise ValueError(message)
        mask = sum(1 << legal for legal in options)
        self.record(Event.DECISION, seat, DECISION_NUMBER[kind], option, mask)
        return option

    def roll(self, purpose: str, seat: int, occurrence: int = 0) -> int:
        """Roll the number die for a seat in the active seat's turn."""
        address = occurrence * SEATS_PER_OCCURRENCE + seat
        turn = self.turns[self.active]
        return 1 + self.draw(purpose, self.active, turn, address, self.number("number_die_faces"))

    def seats_from(self, first: int) -> list[int]:
        """Return the living seats in seat order from one of them, or from where it sat."""
        seats = [(first + step) % self.n_seats for step in range(self.n_seats)]
        return [seat for seat in seats if self.living[seat]]

    def others_from(self, seat: int) -> list[int]:
        """Return the other living seats in seat order from this one."""
        return [other for other in self.seats_from(seat) if other != seat]

    def next_living(self, seat: int) -> int:
        """Return the next living seat to the left."""
        return self.others_from(seat)[0]

    def room_for_hp(self, seat: int) -> int:
        """Return how much fits under the cap."""
        return max(0, self.number("hp_cap") - self.hp[seat])

    def change_hp(self, seat: int, change: int, source: int) -> None:
        """Move chips between a seat and the Bank (F-R5)."""
        if change == 0:
            return
        self.hp[seat] += change
        self.bank -= change
        self.record(Event.HP, seat, change, source, self.active)

    def collect(self, seat: int, amount: int, source: int) -> None:
        """Collect from the Bank, never above the cap (F-R4)."""
        room = self.room_for_hp(seat)
        if amount > room and self.reads("cap", "all_or_nothing"):
            return
        self.change_hp(seat, min(amount, room), source)

    def lose_hp(self, seat: int, amount: int, source: int) -> None:
        """Pay the Bank as far as the HP goes."""
        self.change_hp(seat, -min(amount, self.hp[seat]), source)

    def corner(self, kind: str) -> int:
        """Return the space of a corner, or nobody if the board has none."""
        return self.components.corner.get(kind, NOBODY)

    def kind(self, space: int) -> str:
        """Return what the face of a space says, whatever lies on it."""
        row = self.components.board[space]
        return row.back if self.shows_back(space) else row.front

    def shows_back(self, space: int) -> bool:
        """Tell whether the other side of the space's tile shows."""
        tile = self.components.board[space].tile
        return tile != NOBODY and self.flipped[tile]

    def flip_tile(self, seat: int, tile: int) -> None:
        """Turn a tile over with all pawns and cards on it (F-R32, F-R47, F-R69, F-R87)."""
        if tile == NOBODY:
            return
        self.flipped[tile] = not self.flipped[tile]
        self.record(Event.FLIP, seat, tile, self.flipped[tile])
        for other in self.seats_from(0):
            if self.components.board[self.space[other]].tile == tile:
                self.landed[other] = False

    def is_wall(self, space: int) -> bool:
        """Tell whether a space is a Wall; the Storm on it hides what is printed (F-R83)."""
        is_hidden = self.stormed[space] and self.reads("wall_stormed", "no_wall")
        return self.kind(space) == "wall" and not is_hidden

    def is_protected_by_wall(self, seat: int) -> bool:
        """Tell whether a seat stands on a Wall and cannot be targeted (F-R49)."""
        counts = self.landed[seat] or self.reads("wall_without_landing", "protected")
        return counts and self.is_wall(self.space[seat])

    def seats_in_sight(self, seat: int) -> list[int]:
        """Return the other living seats that a seat sees, in seat order from it (F-R59)."""
        return [other for other in self.others_from(seat) if self.sees(seat, other)]

    def sees(self, shooter: int, target: int) -> bool:
        """Tell whether the target is in the shooter's line of sight (F-R49, F-R59, F-R85)."""
        if self.reads("sight", "everybody"):
            return True
        if self.reads("jail_sight", "hidden") and (self.jailed[shooter] or self.jailed[target]):
            return False
        here, there = self.space[shooter], self.space[target]
        if self.is_wall(here) and self.reads("wall_out", "may_not"):
            return False
        if self.is_protected_by_wall(target):
            return False
        if here == there:
            return self.reads("sight_same_space", "visible")
        return any(
            self.has_clear_line(side, here, there) for side in self.components.sides if here in side and there in side
        )

    def has_clear_line(self, side: list[int], here: int, there: int) -> bool:
        """Tell whether no Wall stands between two spaces of a side (F-R52, F-R60)."""
        start, goal = side.index(here), side.index(there)
        between = side[min(start, goal) + 1 : max(start, goal)]
        if any(self.is_wall(space) for space in between):
            return False
        is_from_corner = here in self.components.corners
        if is_from_corner and self.reads("wall_corner", "both_sides"):
            return abs(goal - start) < self.distance_of_nearest_wall(here)
        return True

    def distance_of_nearest_wall(self, corner: int) -> int:
        """Return how far from a corner the first Wall stands on either side."""
        distances = [
            abs(side.index(space) - side.index(corner))
            for side in self.components.sides
            if corner in side
            for space in side
            if self.is_wall(space)
        ]
        return min(distances, default=len(self.components.board))

    def pay(self, seat: int, amount: int, source: Source) -> None:
        """Pay the Bank as far as the HP goes; who has none left falls (F-R25, F-R77)."""
        self.lose_hp(seat, amount, source)
        if self.hp[seat] == 0:
            self.fall(seat)
            self.look_for_end([seat])

    def pay_all_at_once(self, amounts: Mapping[int, int], source: Source) -> None:
        """Strike several seats at once: all changes, then all falls, then the end."""
        struck = [seat for seat in self.seats_from(self.active) if seat in amounts]
        for seat in struck:
            self.lose_hp(seat, amounts[seat], source)
        fallen = [seat for seat in struck if self.hp[seat] == 0]
        for seat in fallen:
            self.fall(seat)
        self.look_for_end(fallen)

    def pay_storm(self, seat: int, cost: int, source: Source = Source.STORM) -> None:
        """Pay for a stormed space, less by what the seat's items save (F-R31)."""
        cost = max(0, cost - self.loadout_amount(seat, "storm_discount"))
        self.pay(seat, self.halved(seat, cost), source)

    def halved(self, seat: int, cost: int) -> int:
        """Halve a cost, rounded up, for the holder of such a card (F-R41)."""
        if self.jailed[seat] or not self.holds(seat, "halve"):
            return cost
        return (cost + 1) // 2

    def loadout_amount(self, seat: int, effect: str) -> int:
        """Return the amount of a permanent item that a seat may use now, or 0 (F-R41)."""
        if self.jailed[seat] or not self.has_loadout(seat, effect):
            return 0
        return self.components.loadouts[self.loadout[seat]].amount

    def has_loadout(self, seat: int, effect: str) -> bool:
        """Tell whether a seat has this permanent item."""
        card = self.loadout[seat]
        return card != NOBODY and self.components.loadouts[card].effect == effect

    def holds(self, seat: int, effect: str) -> bool:
        """Tell whether a seat holds a loot card that works by itself, unless it was picked up just now (F-R73)."""
        sleeps = self.reads("pickup_use", "next_turn") and self.reads("pickup_passive", "next_turn")
        working = [card for card in self.hand[seat] if not (sleeps and card in self.picked_up)]
        return any(self.components.loot[card].effect == effect for card in working)

    def holder(self, item: int) -> int:
        """Return who has an item."""
        if item < FIRST_CARD:
            return self.owner[item]
        return next(seat for seat, hand in enumerate(self.hand) if item - FIRST_CARD in hand)

    def put_under_loot_deck(self, seat: int, card: int) -> None:
        """Put a loot card under its deck (F-R73, F-R74, F-R76)."""
        self.loot_deck.append(card)
        self.record(Event.UNDER, seat, card)

    def draw_loot(self, seat: int) -> None:
        """Draw the top loot card, if there is one (F-R56)."""
        if not self.loot_deck:
            return
        card = self.loot_deck.pop(0)
        self.record(Event.LOOT, seat, card)
        self.take_loot(seat, card)

    def take_loot(self, seat: int, card: int) -> None:
        """Take a card; at the limit exchange one for it or decline it (F-R75, F-R76)."""
        if not self.components.loot[card].stored or self.n_stored(seat) < self.limit(seat):
            self.hand[seat].append(card)
            return
        stored = [held for held in self.hand[seat] if self.components.loot[held].stored]
        given_up = self.ask("KEEP", seat, items([*stored, card])) - FIRST_CARD
        if given_up != card:
            self.hand[seat].remove(given_up)
            self.hand[seat].append(card)
        self.put_under_loot_deck(seat, given_up)

    def n_stored(self, seat: int) -> int:
        """Count the cards that lie on a seat's Loadout."""
        return sum(self.components.loot[card].stored for card in self.hand[seat])

    def limit(self, seat: int) -> int:
        """Return how many loot cards a seat may store, in Jail too (F-R75)."""
        limit = self.number("storage_limit")
        if self.has_loadout(seat, "extra_storage"):
            limit += self.components.loadouts[self.loadout[seat]].amount
        return limit

    def pile(self, space: int) -> list[int]:
        """Return the dropped loot on a space's face; with `moves` it lies on both."""
        is_on_back = self.reads("flip_loot", "stays") and self.shows_back(space)
        return self.dropped.setdefault((space, is_on_back), [])

    def pick_up_loot(self, seat: int, *, sent_to_jail: bool = False) -> None:
        """Take all loot that lies on the space (F-R79)."""
        pile = self.pile(self.space[seat])
        cards = list(pile)
        pile.clear()
        if sent_to_jail:
            cards += self.dropped_in_cell
            self.dropped_in_cell.clear()
        self.take_dropped(seat, cards, self.space[seat])

    def take_dropped(self, seat: int, cards: Iterable[int], space: int) -> None:
        """Take dropped cards one by one, ascending (F-R79)."""
        for card in sorted(cards):
            self.picked_up.add(card)
            self.record(Event.PICK_UP, seat, card, space)
            if self.reads("limit_at_pickup", "waived"):
                self.hand[seat].append(card)
            else:
                self.take_loot(seat, card)

    def fall(self, seat: int) -> None:
        """Eliminate who has lost the last HP (F-R77, F-R78, F-R80)."""
        space = self.space[seat]
        self.n_fallen += 1
        self.living[seat] = False
        self.record(Event.FALL, seat, self.n_fallen, space)
        self.drop_loot(seat, space)
        self.space[seat] = NOBODY
        self.jailed[seat] = False
        self.leave_locations_to_storm(seat)

    def drop_loot(self, seat: int, space: int) -> None:
        """Drop all loot where the seat fell (F-R78)."""
        is_in_cell = self.jailed[seat] and self.reads("drop_in_jail", "jailed_only")
        pile = self.dropped_in_cell if is_in_cell else self.pile(space)
        for card in sorted(self.hand[seat]):
            self.record(Event.DROP, seat, card, space)
            pile.append(card)
        self.hand[seat].clear()

    def leave_locations_to_storm(self, seat: int) -> None:
        """Turn all locations of a fallen seat to their Storm side (F-R70, F-R80)."""
        for location, owner in enumerate(self.owner):
            if owner != seat:
                continue
            self.owner[location] = NOBODY
            space = self.components.space_of[location]
            if not self.stormed[space]:
                self.stormed[space] = True
                self.record(Event.STORM, seat, space, 1)

    def look_for_end(self, fallen: list[int]) -> None:
        """End the playout if at most one seat lives (F-R1, F-R81)."""
        living = [seat for seat in range(self.n_seats) if self.living[seat]]
        if len(living) > 1:
            return
        winners = living or fallen
        if not living and self.reads("double_knock_out", "turn_player_loses"):
            winners = [seat for seat in fallen if seat != self.active] or fallen
        for seat in winners:
            self.payoff[seat] = WHOLE_WIN // len(winners)
        if len(winners) == 1:
            self.end(winners[0], Ending.WON)
        self.end(NOBODY, Ending.DRAWN)

    def end(self, winner: int, ending: Ending) -> None:
        """End the playout at once."""
        self.termination = TERMINATIONS[ending]
        self.record(Event.END, winner, ending)
        raise PlayoutOver


def items(cards: Iterable[int]) -> list[int]:
    """Return the item numbers of loot cards, ascending."""
    return sorted(FIRST_CARD + card for card in cards)
