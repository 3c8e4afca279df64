"""The pieces of `fortnite`: what its box holds, and where each piece lies or stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]
CORNERS = {"go", "jail", "free_parking", "go_to_jail"}


@dataclass(eq=False)
class LocationCard:
    """A location card: its normal side, its Storm side, and who has claimed it."""

    number: int
    colour: int
    cost: int
    storm_cost: int
    owner: Player | None = None


@dataclass(eq=False)
class Item:
    """A loot chest item."""

    number: int
    effect: str
    trigger: str
    amount: int
    ignores_sight: bool
    one_time: bool

    @property
    def is_weapon(self) -> bool:
        """Tell whether it changes a Crosshairs action."""
        return self.trigger == "crosshairs" and self.effect != "blank"

    @property
    def is_played(self) -> bool:
        """Tell whether it is played by itself in one's own turn."""
        return self.trigger == "own_turn" and self.effect != "blank"

    @property
    def shoots_anywhere(self) -> bool:
        """Tell whether a shot with it needs no line of sight."""
        return self.effect == "damage" and self.ignores_sight


@dataclass(eq=False)
class Square:
    """A space of the board, with the walls and the loot that lie on it."""

    number: int
    kind: str
    amount: int
    location: LocationCard | None
    in_storm: bool = False
    walls: int = 0
    loot: list[Item] = field(default_factory=list)

    @property
    def is_corner(self) -> bool:
        """Tell whether two sides of the board meet here."""
        return self.kind in CORNERS


@dataclass(eq=False)
class Player:
    """A player with HP, a character on the board, and items."""

    chair: int
    hp: int
    square: Square | None = None
    is_in_game: bool = True
    in_jail: bool = False
    failed_rolls: int = 0
    n_turns: int = 0
    times_at_go: int = 0
    stopped_on: Square | None = None
    items: list[Item] = field(default_factory=list)

    @property
    def at(self) -> Square:
        """Return the space of the player's character."""
        assert self.square is not None
        return self.square

    def has(self, effect: str) -> bool:
        """Tell whether one of the player's items does this."""
        return any(item.effect == effect for item in self.items)


class Box:
    """The pieces as the tables of a ruleset list them."""

    def __init__(self, tables: Mapping[str, list[Row]], *, is_stink_bomb_kept: bool) -> None:
        cards = [_location(row) for row in tables["locations"]]
        self.locations = sorted(cards, key=lambda card: card.number)
        squares = [self._square(row) for row in tables["board"]]
        self.board = sorted(squares, key=lambda square: square.number)
        self.items: list[Item] = []
        for row in tables["cards"]:
            for _ in range(row["copies"]):
                self.items.append(_item(row, len(self.items), is_stink_bomb_kept=is_stink_bomb_kept))
        self.storm_cards = [str(row["effect"]) for row in tables["storm"] for _ in range(row["copies"])]
        self.action_die = [str(row["face"]) for row in tables["action_die"] for _ in range(row["copies"])]

    def _square(self, row: Row) -> Square:
        card = None if row["location"] in {None, ""} else self.locations[int(row["location"])]
        return Square(int(row["space"]), str(row["kind"]), int(row["amount"] or 0), card)

    def only(self, kind: str) -> Square:
        """Return the first space of a kind."""
        return next(square for square in self.board if square.kind == kind)


def _location(row: Row) -> LocationCard:
    return LocationCard(int(row["location"]), int(row["set"]), int(row["cost"]), int(row["storm_cost"]))


def _item(row: Row, number: int, *, is_stink_bomb_kept: bool) -> Item:
    """Read an item; whether a Stink Bomb is for one-time use is open (N-STINK-TYPE)."""
    effect = str(row["effect"])
    is_thrown_away = effect == "area_damage" and not is_stink_bomb_kept
    return Item(
        number,
        effect,
        str(row["trigger"]),
        int(row["amount"] or 0),
        ignores_sight=row["ignores_sight"] == 1,
        one_time=row["one_time"] == 1 or is_thrown_away,
    )
