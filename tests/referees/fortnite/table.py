"""The table at which `fortnite` is played: its pieces, whose turn it is, and what has been told of the playout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.referees.fortnite.pieces import Box, Item, LocationCard, Player, Square
from tests.referees.fortnite.words import DECISIONS, FIRST_CARD, NOBODY, SEATS_PER_ROLL, Event

Draw = Callable[[str, int, int, int, int], int]
Choose = Callable[[str, int, list[int]], int]
Order = Callable[[str, int], list[int]]
Told = tuple[int, int, int, int, int]


class PlayoutOver(Exception):  # noqa: N818  (it is no error: nothing more may happen)
    """The playout has ended in the middle of whatever was going on."""


@dataclass
class Walk:
    """The number die's move of a turn, from its first space on."""

    start: Square
    entered: list[Square] = field(default_factory=list)
    led_to_jail: bool = False


@dataclass
class Turn:
    """What is to be remembered until the turn ends."""

    player: Player
    is_over: bool = False
    was_sent_to_jail: bool = False
    is_number_die_used: bool = False
    walk: Walk | None = None
    n_jail_cards_due: int = 0
    n_dice_cards: int = 0
    n_proposals: int = 0


class Table:
    """Players round a board, and the log of what they do."""

    def __init__(self, ruleset: Mapping[str, Any], n_seats: int, draw: Draw, order: Order, choose: Choose) -> None:
        self.rules: Mapping[str, Any] = ruleset["rules"]
        self.draw, self.order, self.choose = draw, order, choose
        box = Box(ruleset["tables"], is_stink_bomb_kept=self.reads("stink_type", "kept"))
        self.box = box
        self.board = box.board
        self.home = {square.location: square for square in self.board if square.location is not None}
        self.go, self.jail = box.only("go"), box.only("jail")
        self.players = [Player(chair, self.number("start_hp")) for chair in range(n_seats)]
        self.turn = Turn(self.players[0])
        self.n_turns = 0
        self.n_fallen = 0

        self.loot_deck: list[Item] = []
        self.storm_deck: list[int] = []
        self.storm_out: set[int] = set()
        self.n_reshuffles = 0
        self.walls_in_pile = self.number("n_walls")  # N-R9
        self.loot_in_cell: list[Item] = []

        self.told: list[Told] = []
        self.payoff = [0] * n_seats
        self.termination = ""

    # The ruleset

    def number(self, key: str) -> int:
        """Return a number of the rules."""
        return int(self.rules[key])

    def reads(self, switch: str, *readings: str) -> bool:
        """Tell whether a switch has one of these readings."""
        return self.rules[switch] in readings

    # The log, the decisions and the dice

    def tell(self, event: Event, who: Player | None, *details: int) -> None:
        """Write down what happens."""
        one, two, three = [*map(int, details), 0, 0, 0][:3]
        self.told.append((int(event), NOBODY if who is None else who.chair, one, two, three))

    def ask(self, kind: str, player: Player, options: Iterable[int]) -> int:
        """Have a player decide among what is legal; nobody is asked about a single option."""
        legal = sorted(options)
        if len(legal) == 1:
            return legal[0]
        answer = self.choose(kind, player.chair, legal)
        if answer not in legal:
            message = f"{kind} of seat {player.chair} was answered {answer}; legal are {legal}"
            raise ValueError(message)
        self.tell(Event.DECISION, player, DECISIONS.index(kind), answer, sum(1 << option for option in legal))
        return answer

    def ask_square(self, kind: str, player: Player, squares: Iterable[Square]) -> Square:
        """Have a player choose a space."""
        return self.board[self.ask(kind, player, [square.number for square in squares])]

    def roll_numbered_die(self, purpose: str, player: Player, occurrence: int = 0) -> int:
        """Have a player roll the numbered die."""
        roller, address = self.turn.player, occurrence * SEATS_PER_ROLL + player.chair
        return 1 + self.draw(purpose, roller.chair, roller.n_turns, address, self.number("number_die_faces"))

    # Who and where

    def players_from(self, player: Player) -> list[Player]:
        """Return who is in the game, from this player to the left."""
        chairs = [*range(player.chair, len(self.players)), *range(player.chair)]
        return [self.players[chair] for chair in chairs if self.players[chair].is_in_game]

    def others(self, player: Player) -> list[Player]:
        """Return the other players in the game, from this player to the left."""
        return [other for other in self.players_from(player) if other is not player]

    def ahead(self, square: Square, steps: int) -> Square:
        """Return the space that lies so many steps forward, or back."""
        return self.board[(square.number + steps) % len(self.board)]

    def square_of(self, card: LocationCard) -> Square | None:
        """Return the space to which a location card belongs."""
        return self.home.get(card)

    def squares_with_walls(self) -> list[Square]:
        """Return the spaces on which a wall stands."""
        return [square for square in self.board if square.walls]

    def owns_set(self, player: Player, colour: int) -> bool:
        """Tell whether a player has claimed all locations of a colour."""
        return all(card.owner is player for card in self.box.locations if card.colour == colour)


def item_numbers(items: Iterable[Item]) -> list[int]:
    """Return the options that stand for items."""
    return [FIRST_CARD + item.number for item in items]
