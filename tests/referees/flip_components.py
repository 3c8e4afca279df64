"""The components of `flip` as they lie on the table: board, cards, dice; every copy by itself."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from tests.referees.flip_words import NOBODY

Row = Mapping[str, Any]
Card = TypeVar("Card")
CORNER_KINDS = ("go", "jail", "free_parking", "go_to_jail")


@dataclass(frozen=True)
class Space:
    """One space of the board with both its faces; `tile` and `location` may be NOBODY."""

    number: int
    name: str
    tile: int
    location: int
    front: str
    front_amount: int
    back: str
    back_amount: int


@dataclass(frozen=True)
class Location:
    """One Location card."""

    name: str
    colour: str
    cost: int
    storm_cost: int


@dataclass(frozen=True)
class LootCard:
    """One physical Loot Chest card."""

    name: str
    effect: str
    trigger: str
    amount: int
    ignores_sight: bool
    one_time: bool
    stored: bool


@dataclass(frozen=True)
class PlainCard:
    """One physical Loadout or Game Mode card."""

    name: str
    effect: str
    amount: int


class Components:
    """Everything in the box."""

    def __init__(self, ruleset: Mapping[str, Any]) -> None:
        tables = ruleset["tables"]
        self.board = [_space(row) for row in sorted(tables["board"], key=lambda row: row["space"])]
        self.locations = [_location(row) for row in sorted(tables["locations"], key=lambda row: row["location"])]
        self.loot = [card for row in tables["cards"] for card in copies_of(row, _loot_card(row))]
        self.loadouts = [card for row in tables["loadouts"] for card in copies_of(row, _plain_card(row))]
        self.modes = [card for row in tables["modes"] for card in copies_of(row, _plain_card(row))]
        self.die_faces = [str(row["face"]) for row in tables["action_die"] for _ in range(int(row["copies"]))]
        self.space_of = {space.location: space.number for space in self.board if space.location != NOBODY}
        self.tiles = sorted({space.tile for space in self.board if space.tile != NOBODY})
        self.corner = {space.front: space.number for space in self.board if space.front in CORNER_KINDS}
        self.sets = colour_sets(location.colour for location in self.locations)
        self.corners = [space.number for space in self.board if space.front in CORNER_KINDS]
        self.sides = sides_of(self.corners, len(self.board))


def _space(row: Row) -> Space:
    return Space(
        number=int(row["space"]),
        name=str(row.get("name") or ""),
        tile=number_of(row.get("tile")),
        location=number_of(row.get("location")),
        front=str(row["front"]),
        front_amount=number_of(row.get("front_amount")),
        back=str(row.get("back") or ""),
        back_amount=number_of(row.get("back_amount")),
    )


def _location(row: Row) -> Location:
    return Location(str(row["name"]), str(row["set"]), int(row["cost"]), int(row["storm_cost"]))


def _loot_card(row: Row) -> LootCard:
    return LootCard(
        name=str(row["name"]),
        effect=str(row["effect"]),
        trigger=str(row.get("trigger") or ""),
        amount=number_of(row.get("amount")),
        ignores_sight=number_of(row.get("ignores_sight")) == 1,
        one_time=number_of(row.get("one_time")) == 1,
        stored=number_of(row.get("stored")) != 0,
    )


def _plain_card(row: Row) -> PlainCard:
    return PlainCard(str(row["name"]), str(row["effect"]), number_of(row.get("amount")))


def number_of(value: object) -> int:
    """Read a number that may be left out."""
    return NOBODY if value is None or value == "" else int(str(value))


def copies_of(row: Row, card: Card) -> list[Card]:
    """Return the physical cards that a row of a table stands for."""
    return [card] * int(row["copies"])


def colour_sets(colours: Iterable[Hashable]) -> list[list[int]]:
    """Return the colour sets, each as the numbers of its locations, given each location's colour."""
    sets: dict[Hashable, list[int]] = {}
    for number, colour in enumerate(colours):
        sets.setdefault(colour, []).append(number)
    return list(sets.values())


def sides_of(corners: list[int], n_spaces: int) -> list[list[int]]:
    """Return the sides of the board clockwise, each with both its corners (F-R85)."""
    sides = []
    for place, corner in enumerate(corners):
        following = corners[(place + 1) % len(corners)]
        n_steps = (following - corner) % n_spaces or n_spaces
        sides.append([(corner + step) % n_spaces for step in range(n_steps + 1)])
    return sides
