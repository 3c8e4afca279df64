"""The components of `flip` as they lie on the table: board, cards, dice; every copy by itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from tests.referees.flip_words import NOBODY

CORNER_KINDS = ("go", "jail", "free_parking", "go_to_jail")

Row = Mapping[str, Any]
Card = TypeVar("Card")


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
        self.loot = [card for row in tables["cards"] for card in _copies(row, _loot_card(row))]
        self.loadouts = [card for row in tables["loadouts"] for card in _copies(row, _plain_card(row))]
        self.modes = [card for row in tables["modes"] for card in _copies(row, _plain_card(row))]
        self.die_faces = [str(row["face"]) for row in tables["action_die"] for _ in range(int(row["copies"]))]
        self.space_of = {space.location: space.number for space in self.board if space.location != NOBODY}
        self.tiles = sorted({space.tile for space in self.board if space.tile != NOBODY})
        self.corner = {space.front: space.number for space in self.board if space.front in CORNER_KINDS}
        self.sets = _colour_sets(self.locations)
        self.corners = [space.number for space in self.board if space.front in CORNER_KINDS]
        self.sides = _sides(self.corners, len(self.board))


def _number(value: object) -> int:
    """Read a number that may be left out."""
    return NOBODY if value is None or value == "" else int(str(value))


def _space(row: Row) -> Space:
    return Space(
        number=int(row["space"]),
        name=str(row.get("name") or ""),
        tile=_number(row.get("tile")),
        location=_number(row.get("location")),
        front=str(row["front"]),
        front_amount=_number(row.get("front_amount")),
        back=str(row.get("back") or ""),
        back_amount=_number(row.get("back_amount")),
    )


def _location(row: Row) -> Location:
    return Location(str(row["name"]), str(row["set"]), int(row["cost"]), int(row["storm_cost"]))


def _loot_card(row: Row) -> LootCard:
    return LootCard(
        name=str(row["name"]),
        effect=str(row["effect"]),
        trigger=str(row.get("trigger") or ""),
        amount=_number(row.get("amount")),
        ignores_sight=_number(row.get("ignores_sight")) == 1,
        one_time=_number(row.get("one_time")) == 1,
        stored=_number(row.get("stored")) != 0,
    )


def _plain_card(row: Row) -> PlainCard:
    return PlainCard(str(row["name"]), str(row["effect"]), _number(row.get("amount")))


def _copies(row: Row, card: Card) -> list[Card]:
    return [card] * int(row["copies"])


def _colour_sets(locations: list[Location]) -> list[list[int]]:
    """Return the colour sets, each as the numbers of its locations."""
    sets: dict[str, list[int]] = {}
    for number, location in enumerate(locations):
        sets.setdefault(location.colour, []).append(number)
    return list(sets.values())


def _sides(corners: list[int], n_spaces: int) -> list[list[int]]:
    """Return the sides of the board clockwise, each with both its corners (F-R85)."""
    sides = []
    for place, corner in enumerate(corners):
        following = corners[(place + 1) % len(corners)]
        n_steps = (following - corner) % n_spaces or n_spaces
        sides.append([(corner + step) % n_spaces for step in range(n_steps + 1)])
    return sides
