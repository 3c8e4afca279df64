"""A table at which seats play with HP: what the referees of such games share, whatever their rules."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

NOBODY = -1
SEATS_PER_OCCURRENCE = 8
"""The last part of a draw's address: occurrence x SEATS_PER_OCCURRENCE + the seat that rolls."""
WHOLE_WIN = 840

Draw = Callable[[str, int, int, int, int], int]
Choose = Callable[[str, int, list[int]], int]
EventRow = tuple[int, int, int, int, int]


class PlayoutOver(Exception):  # noqa: N818  (it is no error: nothing more may happen)
    """The playout has ended in the middle of whatever was going on."""


class HpTable:
    """Seats, their HP and turns, and how a referee of them rolls, asks and writes down."""

    decision_event: ClassVar[int]
    hp_event: ClassVar[int]
    decision_numbers: ClassVar[Mapping[str, int]]

    def __init__(self, rules: Mapping[str, Any], n_seats: int, draw: Draw, choose: Choose) -> None:
        self.rules = rules
        self.n_seats = n_seats
        self.draw = draw
        self.choose = choose

        self.events: list[EventRow] = []
        self.payoff = [0] * n_seats
        self.termination = ""
        self.length_turns = 0

        self.hp = [self.number("start_hp")] * n_seats
        self.living = [True] * n_seats
        self.n_fallen = 0
        self.turns = [0] * n_seats
        self.active = NOBODY

    def take_turn(self, seat: int) -> None:
        """Play one turn, as the rules of a game have it."""
        raise NotImplementedError

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
        self.record(self.decision_event, seat, self.decision_numbers[kind], option, mask)
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
        """Move chips between a seat and the Bank."""
        if change == 0:
            return
        self.hp[seat] += change
        self.record(self.hp_event, seat, change, source, self.active)

    def collect(self, seat: int, amount: int, source: int) -> None:
        """Collect from the Bank, never above the cap."""
        room = self.room_for_hp(seat)
        if amount > room and self.reads("cap", "all_or_nothing"):
            return
        self.change_hp(seat, min(amount, room), source)

    def lose_hp(self, seat: int, amount: int, source: int) -> None:
        """Pay the Bank as far as the HP goes."""
        self.change_hp(seat, -min(amount, self.hp[seat]), source)
