"""Tells a playout turn by turn, in sentences: the frame of a narration, and what games tell alike.

A game's `Teller` adds its own words, by the names of the members of its enums, and the sentences of its own events.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sim.engine.contract import NOBODY, NONE_OPTION, Counter, Story
from sim.engine.seating import seat_name
from sim.mechanics.words import (
    FIRST_CARD_ITEM,
    ActionOption,
    Answer,
    ClaimOption,
    End,
    Freed,
    OrderOption,
    StormedBy,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from enum import IntEnum

    from sim.components import Ruleset

LOCATION: Final = "location"  # the kind of a space that has a card
TEN: Final = 10
HUNDRED: Final = 100
TEENS: Final = range(11, 14)
ENDINGS: Final = ("th", "st", "nd", "rd")
INDENT: Final = "  "

SOURCES: Final = {
    "GO": "GO",
    "STORM": "the Storm",
    "TOLL": "toll",
    "SET_BONUS": "complete set",
    "CROSSHAIRS": "Crosshairs",
    "BOOGIE_BOMB": "Boogie Bomb",
    "JAIL": "paid to leave Jail",
    "ITEM": "one-time card",
}
"""What a source of HP is called."""

WAYS_OUT: Final = {
    Freed.PAID: "having paid",
    Freed.SIX: "by the roll",
    Freed.LAST_TRY: "after the last try",
    Freed.STORM: "as the Storm takes it",
    Freed.CARD: "moved by a card",
}
"""How a seat left Jail."""

CHOICES: Final = {
    "START_SPACE": "to start on {}",
    "JAIL": "to {}",
    "ORDER": "to use the {} die first",
    "TARGET": "{} as the target",
    "USE_ITEM": "to use {}",
    "CLAIM": "to {}",
    "TRADE_WANT": "to ask for {}",
    "TRADE_OFFER": "to offer {}",
    "TRADE_ANSWER": "to {} the trade",
    "ACTION": "to {} the action die",
}
"""What a seat chooses; the option stands in the braces."""

REFUSALS: Final = {
    "TARGET": "to let Crosshairs lapse",
    "USE_ITEM": "to use no one-time card",
    "TRADE_WANT": "to ask for no trade",
    "TRADE_OFFER": "to withdraw from the trade",
}
"""What a seat chooses that takes none of the options."""

MORE: Final = {
    "TRADE_WANT": ("to ask for {} too", "to ask for nothing more"),
    "TRADE_OFFER": ("to offer {} too", "to offer nothing more"),
}
"""What a seat chooses that is asked again after it named an item: another one, or none."""

WORDS: Final[dict[str, dict[int, str]]] = {
    "ORDER": {OrderOption.NUMBER_FIRST: "number", OrderOption.ACTION_FIRST: "action"},
    "CLAIM": {ClaimOption.LEAVE: "leave it unclaimed", ClaimOption.CLAIM: "claim it"},
    "TRADE_ANSWER": {Answer.REFUSE: "refuse", Answer.ACCEPT: "accept"},
    "ACTION": {ActionOption.LAPSE: "let lapse", ActionOption.TAKE: "use"},
}
"""Options that are words of their own."""


STORY: Final = Story(
    turn="TURN",
    fall="FALL",
    change="HP",
    counters=(
        Counter("hp", {"HP": "first"}, "start_hp"),
        Counter("locations", {"CLAIM": 1, "STORM": -1}),  # a stormed one is no longer its owner's, or worth nothing
        Counter("cards", {"DEAL": 1, "LOOT": 1, "PICK_UP": 1, "UNDER": -1, "DROP": -1}),
        Counter("in_jail", {"JAILED": 1, "FREED": -1}),
    ),
    other_seats={"HP": "third", "SWAP": "second"},
)
"""How a playout goes, for metrics; loot cards swapped one for one leave the count alone."""


class Row(NamedTuple):
    """One event: its kind, its seat and its three numbers."""

    kind: int
    seat: int
    first: int
    second: int
    third: int


class Vocabulary(NamedTuple):
    """What a game calls things: its enums, and its own words by the names of their members."""

    events: type[IntEnum]
    decisions: type[IntEnum]
    faces: type[IntEnum]
    hp_sources: type[IntEnum]
    deck: str  # what the cards that let the Storm take a space are called
    sources: Mapping[str, str]
    choices: Mapping[str, str]
    refusals: Mapping[str, str]
    words: Mapping[str, Mapping[int, str]]


class Teller(ABC):
    """Follows HP and turns of a playout and tells its events.

    Attributes:
        lines: What was told so far.

    """

    def __init__(self, vocabulary: Vocabulary, ruleset: Ruleset, n_seats: int) -> None:
        tables = ruleset.tables
        start_hp = int(ruleset.rules["start_hp"])
        self.lines = [f"Set-up: {n_seats} seats with {start_hp} HP each"]
        self.locations = [str(row["name"]) for row in tables["locations"]]
        self.loot = physical_names(tables["cards"])
        self._vocabulary = vocabulary
        self._sources = SOURCES | dict(vocabulary.sources)
        self._choices = CHOICES | dict(vocabulary.choices)
        self._refusals = REFUSALS | dict(vocabulary.refusals)
        self._words = WORDS | dict(vocabulary.words)
        self._hp = [start_hp] * n_seats
        self._n_turns = 0
        self._at = [NOBODY] * n_seats  # the space on which a pawn landed
        self._named = (NOBODY, NOBODY)  # the seat that named an item, and in which decision
        self._is_header_open = False
        self._sentences = self._shared_sentences() | self.sentences()
        self._nouns = self._shared_nouns() | self.nouns()

    def tell_all(self, events: Sequence[Sequence[int]]) -> list[str]:
        """Return one line per event of a playout; dice rolled as a turn begins stand in its header."""
        for event in events:
            self._tell(Row(*event))
        return self.lines

    @abstractmethod
    def space(self, space: int) -> str:
        """Return the name and number of a space."""

    @abstractmethod
    def sentences(self) -> dict[str, Callable[[Row], str]]:
        """Return what tells each kind of event of the game's own, by its name."""

    @abstractmethod
    def nouns(self) -> dict[str, Callable[[int], str]]:
        """Return what names the options of each kind of decision of the game's own, by its name."""

    def item(self, item: int) -> str:
        """Return the name of a location or a loot card by its item number."""
        is_card = item >= FIRST_CARD_ITEM
        return self.loot[item - FIRST_CARD_ITEM] if is_card else self.locations[item]

    def face(self, symbol: int) -> str:
        """Return what a face of the action die is called."""
        return self._vocabulary.faces(symbol).name.replace("_", " ").title()

    def follow(self, kind: str, row: Row) -> None:
        """Note where a pawn comes to stand."""
        if kind in ("PLACED", "MOVE"):
            self._at[row.seat] = row.first if kind == "PLACED" else row.second

    def _tell(self, row: Row) -> None:
        """Add what one event says to the lines."""
        kind = self._vocabulary.events(row.kind).name
        self.follow(kind, row)
        told = self._sentences[kind](row)
        if kind == "ROLL" and self._is_header_open:
            self.lines[-1] += f": {told}"
        elif kind in ("TURN", "END"):
            self.lines.append(told)
        elif kind == "ROLL":
            self.lines.append(f"{INDENT}{seat_name(row.seat)} {told}")
        else:
            self.lines.append(INDENT + told)
        self._is_header_open = kind == "TURN"

    def _shared_sentences(self) -> dict[str, Callable[[Row], str]]:
        """Return what tells the kinds of events that games share, by their names."""
        loot, locations, space = self.loot, self.locations, self.space
        return {
            "DECISION": self._decision,
            "START_ROLL": lambda row: (
                f"{seat_name(row.seat)} rolls {row.first} for the start{' again' * (row.second > 0)}"
            ),
            "PLACED": lambda row: f"{seat_name(row.seat)} starts on {space(row.first)}",
            "TURN": self._turn,
            "ROLL": lambda row: f"rolls {row.first} and {self.face(row.second)}",
            "JAIL_ROLL": lambda row: f"{seat_name(row.seat)} rolls {row.first} to leave Jail",
            "MOVE": lambda row: f"{seat_name(row.seat)} moves from {space(row.first)} to {space(row.second)}",
            "HP": self._change_hp,
            "CLAIM": lambda row: f"{seat_name(row.seat)} claims {locations[row.first]}",
            "STORM": self._storm,
            "LOOT": lambda row: f"{seat_name(row.seat)} draws the loot card {loot[row.first]}",
            "UNDER": lambda row: f"{seat_name(row.seat)} puts {loot[row.first]} under the loot deck",
            "PICK_UP": lambda row: f"{seat_name(row.seat)} picks up {loot[row.first]} on {space(row.second)}",
            "DROP": lambda row: f"{seat_name(row.seat)} drops {loot[row.first]} on {space(row.second)}",
            "JAILED": lambda row: f"{seat_name(row.seat)} is in Jail",
            "FREED": lambda row: f"{seat_name(row.seat)} is out of Jail, {WAYS_OUT[Freed(row.first)]}",
            "USE": lambda row: f"{seat_name(row.seat)} uses {loot[row.first]}",
            "SWAP": lambda row: f"{seat_name(row.seat)} gives {self.item(row.first)} to {seat_name(row.second)}",
            "FALL": lambda row: f"{seat_name(row.seat)} falls as the {ordinal(row.first)} on {space(row.second)}",
            "TABLE_ROLL": lambda row: f"{seat_name(row.seat)} rolls {row.first} for the {self._vocabulary.deck} card",
            "END": self._end,
            "NO_TARGET": lambda row: f"{seat_name(row.seat)} has no target for Crosshairs",
        }

    def _shared_nouns(self) -> dict[str, Callable[[int], str]]:
        """Return what names the options of the kinds of decisions that games share, by their names."""
        return {
            "START_SPACE": self.space,
            "MODIFIER": self.item,
            "USE_ITEM": self.item,
            "TRADE_WANT": self.item,
            "TRADE_OFFER": self.item,
        }

    def _decision(self, row: Row) -> str:
        """Tell what a seat chose."""
        decision, option = self._vocabulary.decisions(row.first).name, row.second
        chosen = f"{seat_name(row.seat)} chooses "
        is_more = self._named == (row.seat, row.first)
        self._named = (NOBODY, NOBODY) if option == NONE_OPTION else (row.seat, row.first)
        if is_more and decision in MORE:
            another, enough = MORE[decision]
            return chosen + (enough if option == NONE_OPTION else another.format(self._nouns[decision](option)))
        if option == NONE_OPTION and decision in self._refusals:
            return chosen + self._refusals[decision]
        if decision in self._words:
            return chosen + self._choices[decision].format(self._words[decision][option])
        return chosen + self._choices[decision].format(self._nouns[decision](option))

    def _start_roll(self, row: Row) -> str:
        """Tell what a seat rolls for the start."""
        again = " again" * (row.second > 0)
        return f"{seat_name(row.seat)} rolls {row.first} for the start{again}"

    def _turn(self, row: Row) -> str:
        """Tell whose turn begins."""
        self._n_turns += 1
        return f"Turn {self._n_turns}, {seat_name(row.seat)} (its {ordinal(row.first)})"

    def _change_hp(self, row: Row) -> str:
        """Tell what a seat collects or pays, and what it has left."""
        self._hp[row.seat] += row.first
        does = "collects" if row.first > 0 else "loses"
        by = "" if row.third in (row.seat, NOBODY) else f", by {seat_name(row.third)}"
        name = self._vocabulary.hp_sources(row.second).name
        source = self._sources[name]
        if name == "STORM" and self._at[row.seat] != NOBODY:
            source += f" on {self.space(self._at[row.seat])}"
        return f"{seat_name(row.seat)} {does} {abs(row.first)} HP ({source}{by}): {self._hp[row.seat]} HP left"

    def _storm(self, row: Row) -> str:
        """Tell which space the Storm takes, whose it was, and why."""
        owner = "" if row.seat == NOBODY else f" of {seat_name(row.seat)}"
        cause = "which fell" if row.second == StormedBy.FALL else f"by a {self._vocabulary.deck} card"
        return f"the Storm takes {self.space(row.first)}{owner}, {cause}"

    def _end(self, row: Row) -> str:
        """Tell how the playout ends."""
        if row.first == End.WON:
            return f"{seat_name(row.seat).capitalize()} wins with {self._hp[row.seat]} HP"
        if row.first == End.DRAWN:
            return "Nobody wins alone: the seats that fell last share the win"
        return "Nobody wins: the turn limit is reached"


def name_spaces(ruleset: Ruleset) -> list[str]:
    """Return the names of the spaces, a location's being its card's, and a kind where a variant left no other."""
    locations = [str(row["name"]) for row in ruleset.tables["locations"]]
    return [name_space(row, str(row.get("front", row.get("kind"))), locations) for row in ruleset.tables["board"]]


def name_space(row: dict[str, Any], kind: str, locations: Sequence[str]) -> str:
    """Return the name of a space.

    Args:
        row: Its row.
        kind: Its kind.
        locations: Names of the locations.

    """
    location = row["location"]
    if kind == LOCATION and location not in (None, "", NOBODY):
        return locations[int(location)]
    return str(row["name"] or kind.replace("_", " "))


def physical_names(rows: list[dict[str, Any]]) -> list[str]:
    """Return the names of physical cards: copies of a table's rows, in its order."""
    return [str(row["name"]) for row in rows for _ in range(int(row["copies"]))]


def ordinal(number: int) -> str:
    """Return a number as a place in an order."""
    last = number % TEN
    is_plain = number % HUNDRED in TEENS or last >= len(ENDINGS)
    return f"{number}{ENDINGS[0] if is_plain else ENDINGS[last]}"
