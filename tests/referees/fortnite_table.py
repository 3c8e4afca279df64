"""The table of `fortnite` in the middle of a playout: who has what, walls, sight, falls and the end."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from tests.referees.fortnite_components import Components
from tests.referees.fortnite_words import DECISIONS, FIRST_CARD, Down, Ending, Event, Source
from tests.referees.table import NOBODY, WHOLE_WIN, Choose, Draw, HpTable, PlayoutOver

Order = Callable[[str, int], list[int]]
Grant = tuple[str, int, int]


class Table(HpTable):
    """What lies on the table, and the small rules that every larger one stands on."""

    decision_event: ClassVar[int] = Event.DECISION
    hp_event: ClassVar[int] = Event.HP
    decision_numbers: ClassVar[Mapping[str, int]] = {kind: number for number, kind in enumerate(DECISIONS)}

    def __init__(
        self,
        ruleset: Mapping[str, Any],
        n_seats: int,
        draw: Draw,
        order: Order,
        choose: Choose,
        grants: Sequence[Grant] = (),
    ) -> None:
        super().__init__(ruleset["rules"], n_seats, draw, choose)
        self.components = Components(ruleset)
        self.order = order
        self.grants = grants

        n_spaces = len(self.components.board)
        self.space = [NOBODY] * n_seats
        self.jailed = [False] * n_seats
        self.tries = [0] * n_seats
        self.stopped_at = [NOBODY] * n_seats
        self.hand: list[set[int]] = [set() for _ in range(n_seats)]
        self.owner = [NOBODY] * len(self.components.locations)
        self.stormed = [False] * n_spaces
        self.walls = [0] * n_spaces
        self.wall_pile = self.number("n_walls")  # N-R9
        self.dropped: list[set[int]] = [set() for _ in range(n_spaces)]
        self.dropped_in_cell: set[int] = set()
        self.loot_deck: list[int] = []
        self.storm_deck: list[int] = []
        self.storm_out: set[int] = set()
        self.n_reshuffles = 0

        self.is_turn_over = False
        self.is_go_card_due = [False] * n_seats
        self.n_jail_cards_due = 0
        self.n_dice_cards = 0
        self.is_number_die_used = False
        self.move_start = NOBODY
        self.move_entered: list[int] = []
        self.has_jumped_in_move = False

    def may_go_on(self, seat: int) -> bool:
        """Tell whether the active seat may do more in its turn."""
        return self.living[seat] and not self.is_turn_over

    def kind(self, space: int) -> str:
        """Return what is printed on a space."""
        return self.components.board[space].kind

    # N-R57 to N-R60

    def pay(self, seat: int, amount: int, source: Source) -> None:
        """Pay the Bank; who has no HP left is eliminated at once (N-R57)."""
        debt = amount - self.hp[seat]
        self.lose_hp(seat, amount, source)
        if self.hp[seat] == 0:
            self.fall(seat)
            self.look_for_end({seat: debt})

    def pay_all_at_once(self, amounts: Mapping[int, int], source: Source) -> None:
        """Strike several seats at once: all changes, then all falls, then the end (4)."""
        struck = [seat for seat in self.seats_from(self.active) if seat in amounts]
        debts = {seat: amounts[seat] - self.hp[seat] for seat in struck}
        for seat in struck:
            self.lose_hp(seat, amounts[seat], source)
        fallen = [seat for seat in struck if self.hp[seat] == 0]
        for seat in fallen:
            self.fall(seat)
        self.look_for_end({seat: debts[seat] for seat in fallen})

    def fall(self, seat: int) -> None:
        """Take a seat's pawn off; loot stays on the space, its locations are the Storm's (N-R57 to N-R59)."""
        space = self.space[seat]
        self.n_fallen += 1
        self.living[seat] = False
        self.record(Event.FALL, seat, self.n_fallen, space)
        is_in_cell = self.jailed[seat] and self.reads("drop_in_jail", "jailed_only")
        pile = self.dropped_in_cell if is_in_cell else self.dropped[space]
        for card in sorted(self.hand[seat]):
            self.record(Event.DROP, seat, card, space)
            pile.add(card)
        self.hand[seat].clear()
        for location, owner in enumerate(self.owner):
            if owner != seat:
                continue
            self.owner[location] = NOBODY
            its_space = self.components.space_of[location]
            if not self.stormed[its_space]:
                self.stormed[its_space] = True
                self.record(Event.STORM, seat, its_space, 1)
        self.space[seat] = NOBODY
        self.jailed[seat] = False

    def look_for_end(self, debts: Mapping[int, int]) -> None:
        """End the playout if at most one seat lives (N-R1, N-R60).

        Args:
            debts: For those who fell just now, what each was to pay beyond its HP.

        """
        living = self.seats_from(0)
        if len(living) > 1:
            return
        winners = living or self.winners_among_fallen(debts)
        for seat in winners:
            self.payoff[seat] = WHOLE_WIN // len(winners)
        if len(winners) == 1:
            self.end(winners[0], Ending.WON)
        self.end(NOBODY, Ending.DRAWN)

    def winners_among_fallen(self, debts: Mapping[int, int]) -> list[int]:
        """Return who wins if the last seats fell by one effect (N-DOUBLE-KO)."""
        if self.reads("double_knock_out", "turn_player_loses"):
            return [seat for seat in debts if seat != self.active] or list(debts)
        if self.reads("double_knock_out", "lowest_debt"):
            return [seat for seat in debts if debts[seat] == min(debts.values())]
        return list(debts)

    def end(self, winner: int, ending: Ending) -> None:
        """End the playout at once."""
        self.termination = ending.name.lower()
        self.record(Event.END, winner, ending)
        raise PlayoutOver

    # N-R47 to N-R50

    def take_wall_down(self, space: int, cause: Down) -> None:
        """Put one wall of a space back into the pile, if there is one."""
        if self.walls[space]:
            self.walls[space] -= 1
            self.wall_pile += 1
            self.record(Event.WALL_DOWN, self.active, space, cause)

    def is_protected(self, seat: int) -> bool:
        """Tell whether a seat stands on a space with a wall and cannot be harmed (N-R49)."""
        return self.walls[self.space[seat]] > 0

    def remember_stop(self, seat: int, space: int) -> None:
        """Remember a wall that stopped a seat and stays until its next turn (N-WALL-STOP-PROTECT)."""
        self.stopped_at[seat] = space

    # N-R54

    def spaces_in_sight(self, seat: int) -> set[int]:
        """Return the spaces that a seat sees from its own."""
        if self.reads("sight", "everybody"):
            return set(range(len(self.components.board)))
        if self.jailed[seat] and self.reads("jail_sight", "hidden"):
            return set()
        here = self.space[seat]
        seen = {here} if self.reads("sight_same_space", "visible") else set()
        for side in self.components.sides:
            if here in side:
                place = side.index(here)
                seen.update(self.look_along(side[place + 1 :]))
                seen.update(self.look_along(reversed(side[:place])))
        return seen

    def look_along(self, spaces: Iterable[int]) -> Iterable[int]:
        """Yield spaces as far as one sees (N-WALL-BLOCKS-SIGHT)."""
        for space in spaces:
            yield space
            if self.walls[space] and self.reads("wall_sight", "blocks"):
                return

    def seats_in_sight(self, seat: int) -> list[int]:
        """Return the other living seats that a seat sees and may harm, in seat order from it."""
        spaces = self.spaces_in_sight(seat)
        hides_cell = self.reads("jail_sight", "hidden") and not self.reads("sight", "everybody")
        return [
            other
            for other in self.others_from(seat)
            if self.space[other] in spaces and not (self.jailed[other] and hides_cell) and not self.is_protected(other)
        ]

    def walls_in(self, spaces: Iterable[int]) -> list[int]:
        """Return those of the spaces that hold a wall, ascending."""
        return sorted(space for space in spaces if self.walls[space])

    # loot

    def holds(self, seat: int, effect: str) -> bool:
        """Tell whether a seat holds a loot card with this effect."""
        return any(self.components.loot[card].effect == effect for card in self.hand[seat])

    def draw_loot(self, seat: int) -> None:
        """Draw the top loot card, if there is one (N-R26)."""
        if self.loot_deck:
            card = self.loot_deck.pop(0)
            self.record(Event.LOOT, seat, card)
            self.hand[seat].add(card)

    def pick_up_loot(self, seat: int, piles: Iterable[set[int]]) -> None:
        """Take all loot that lies in some piles on the space (N-R58)."""
        if seat != self.active and self.reads("loot_pickup", "own_turn"):
            return
        for pile in piles:
            for card in sorted(pile):
                self.record(Event.PICK_UP, seat, card, self.space[seat])
                self.hand[seat].add(card)
            pile.clear()

    def use_card(self, seat: int, card: int) -> None:
        """Use a loot card; one for one use goes under the deck (N-R38, N-R40)."""
        self.record(Event.USE, seat, card)
        if self.components.loot[card].one_time:
            self.hand[seat].remove(card)
            self.loot_deck.append(card)
            self.record(Event.UNDER, seat, card)

    def may_use_loot(self, seat: int) -> bool:
        """Tell whether a seat may use loot cards where it is (N-JAIL-ITEMS)."""
        return not self.jailed[seat] or self.reads("jail_items", "allowed")

    def set_of(self, location: int) -> list[int]:
        """Return the locations of a location's colour set."""
        return next(locations for locations in self.components.sets if location in locations)

    def has_set(self, seat: int, locations: Iterable[int]) -> bool:
        """Tell whether a seat owns all of these locations."""
        return all(self.owner[location] == seat for location in locations)


def items(cards: Iterable[int]) -> list[int]:
    """Return the item numbers of loot cards, ascending."""
    return sorted(FIRST_CARD + card for card in cards)
