"""The components of `fortnite` as they lie on the table: board, cards, die; every copy by itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.referees.components import CORNER_KINDS, Row, colour_sets, copies_of, number_of, sides_of
from tests.referees.table import NOBODY


@dataclass(frozen=True)
class Space:
    """One space of the board; `location` may be NOBODY."""

    kind: str
    amount: int
    location: int


@dataclass(frozen=True)
class Location:
    """One Location card, both sides."""

    colour: int
    cost: int
    storm_cost: int


@dataclass(frozen=True)
class LootCard:
    """One physical Loot Chest card."""

    effect: str
    trigger: str
    amount: int
    ignores_sight: bool
    one_time: bool


class Components:
    """Everything in the box."""

    def __init__(self, ruleset: Mapping[str, Any]) -> None:
        tables = ruleset["tables"]
        is_stink_bomb_thrown_away = ruleset["rules"]["stink_type"] == "one_time"
        self.board = [_space(row) for row in sorted(tables["board"], key=lambda row: int(row["space"]))]
        self.locations = [_location(row) for row in sorted(tables["locations"], key=lambda row: int(row["location"]))]
        self.loot = [
            card for row in tables["cards"] for card in copies_of(row, _loot_card(row, is_stink_bomb_thrown_away))
        ]
        self.storm = [effect for row in tables["storm"] for effect in copies_of(row, str(row["effect"]))]
        self.die_faces = [face for row in tables["action_die"] for face in copies_of(row, str(row["face"]))]
        self.space_of = {space.location: number for number, space in enumerate(self.board) if space.location != NOBODY}
        kinds = [space.kind for space in self.board]
        self.go, self.jail = kinds.index("go"), kinds.index("jail")
        self.sets = colour_sets(location.colour for location in self.locations)
        self.sides = sides_of([n for n, kind in enumerate(kinds) if kind in CORNER_KINDS], len(self.board))


def _space(row: Row) -> Space:
    return Space(kind=str(row["kind"]), amount=number_of(row["amount"]), location=number_of(row["location"]))


def _location(row: Row) -> Location:
    return Location(int(row["set"]), int(row["cost"]), int(row["storm_cost"]))


def _loot_card(row: Row, is_stink_bomb_thrown_away: bool) -> LootCard:
    """Read a card; a Stink Bomb may be for one use (N-STINK-TYPE)."""
    effect = str(row["effect"])
    return LootCard(
        effect=effect,
        trigger=str(row["trigger"]),
        amount=number_of(row["amount"]),
        ignores_sight=number_of(row["ignores_sight"]) == 1,
        one_time=number_of(row["one_time"]) == 1 or (effect == "area_damage" and is_stink_bomb_thrown_away),
    )
