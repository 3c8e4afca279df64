"""Tells a playout of fortnite turn by turn, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from sim.engine.contract import NOBODY, NONE_OPTION
from sim.games.fortnite.reach import BACKWARDS, STRIDE
from sim.games.fortnite.words import (
    BonusOption,
    Decision,
    Event,
    JailOption,
    Source,
    Symbol,
    WallDown,
)
from sim.mechanics.telling import ordinal, physical_names
from sim.mechanics.words import (
    FIRST_CARD_ITEM,
    Answer,
    ClaimOption,
    End,
    Freed,
    OrderOption,
    StormedBy,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sim.components import Ruleset

INDENT: Final = "  "
FIRST_WALL: Final = 8  # option of TARGET = 8 + space of a wall

SOURCES: Final = {
    Source.GO: "GO",
    Source.STORM: "the Storm",
    Source.TOLL: "toll",
    Source.SET_BONUS: "complete set",
    Source.CAMPFIRE: "Campfire",
    Source.TRAP: "Spike Trap",
    Source.BANDAGES: "Bandages",
    Source.CROSSHAIRS: "Crosshairs",
    Source.BOOGIE_BOMB: "Boogie Bomb",
    Source.JAIL: "paid to leave Jail",
    Source.ITEM: "one-time card",
    Source.STORM_CARD: "Storm card",
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

WAYS_DOWN: Final = {
    WallDown.REACHED: "having been reached",
    WallDown.ATTACKED: "shot down",
    WallDown.BOOGIE_BOMB: "bombed",
    WallDown.LEFT: "as its space is left",
    WallDown.TAKEN: "to be built elsewhere",
    WallDown.AFTER_STOP: "a turn after it stopped somebody",
}
"""Why a wall went to the pile."""

CHOICES: Final = {
    Decision.START_SPACE: "to start on {}",
    Decision.JAIL: "to {}",
    Decision.ORDER: "to use the {} die first",
    Decision.MODIFIER: "to modify the shot with {}",
    Decision.TARGET: "{} as the target",
    Decision.WALL: "to build on {}",
    Decision.WALL_TAKE: "to take the wall on {}",
    Decision.USE_ITEM: "to use {}",
    Decision.CLINGER_SPACE: "{} for the Clinger",
    Decision.BOUNCER: "to move {}",
    Decision.CLAIM: "to {}",
    Decision.SET_BONUS: "to {}",
    Decision.STORM_SPACE: "{} for the Storm",
    Decision.TRADE_WANT: "to ask for {}",
    Decision.TRADE_OFFER: "to offer {}",
    Decision.TRADE_ANSWER: "to {} the trade",
}
"""What a seat chooses; the option stands in the braces."""

REFUSALS: Final = {
    Decision.MODIFIER: "to modify the shot no further",
    Decision.TARGET: "to let Crosshairs lapse",
    Decision.WALL: "to build no wall",
    Decision.USE_ITEM: "to use no one-time card",
    Decision.TRADE_WANT: "to ask for no trade",
    Decision.TRADE_OFFER: "to withdraw from the trade",
}
"""What a seat chooses that takes none of the options."""

WORDS: Final[dict[Decision, dict[int, str]]] = {
    Decision.JAIL: {
        JailOption.PAY: "pay to leave Jail",
        JailOption.ROLL: "roll to leave Jail",
        JailOption.LEAVE: "leave Jail free",
        JailOption.STAY: "stay in Jail",
    },
    Decision.ORDER: {OrderOption.NUMBER_FIRST: "number", OrderOption.ACTION_FIRST: "action"},
    Decision.CLAIM: {ClaimOption.LEAVE: "leave it unclaimed", ClaimOption.CLAIM: "claim it"},
    Decision.SET_BONUS: {BonusOption.DECLINE: "decline the bonus", BonusOption.COLLECT: "collect the bonus"},
    Decision.TRADE_ANSWER: {Answer.REFUSE: "refuse", Answer.ACCEPT: "accept"},
}
"""Options that are words of their own."""


def narrate(ruleset: Ruleset, n_seats: int, events: Sequence[Sequence[int]]) -> list[str]:
    """Return one line per event of a playout; dice rolled as a turn begins stand in its header."""
    teller = _Teller(ruleset, n_seats)
    for event in events:
        teller.tell(_Row(*event))
    return teller.lines


class _Row(NamedTuple):
    """One event: its kind, its seat and its three numbers."""

    kind: int
    seat: int
    first: int
    second: int
    third: int


class _Teller:
    """Follows HP and turns of a playout and tells its events.

    Attributes:
        lines: What was told so far.

    """

    def __init__(self, ruleset: Ruleset, n_seats: int) -> None:
        tables = ruleset.tables
        start_hp = int(ruleset.rules["start_hp"])
        self.lines = [f"Set-up: {n_seats} seats with {start_hp} HP each"]
        self._hp = [start_hp] * n_seats
        self._n_turns = 0
        self._is_header_open = False
        self._locations = [str(row["name"]) for row in tables["locations"]]
        self._loot = physical_names(tables["cards"])
        self._storms = physical_names(tables["storm"])
        self._spaces = [str(row["name"] or self._locations[int(row["location"])]) for row in tables["board"]]
        self._nouns: dict[Decision, Callable[[int], str]] = {
            Decision.START_SPACE: self._space,
            Decision.MODIFIER: self._item,
            Decision.TARGET: self._target,
            Decision.WALL: self._space,
            Decision.WALL_TAKE: self._space,
            Decision.USE_ITEM: self._item,
            Decision.CLINGER_SPACE: self._space,
            Decision.BOUNCER: _bounce,
            Decision.STORM_SPACE: self._space,
            Decision.TRADE_WANT: self._item,
            Decision.TRADE_OFFER: self._item,
        }

    def tell(self, row: _Row) -> None:
        """Add what one event says to the lines."""
        kind = Event(row.kind)
        tellers: dict[Event, Callable[[_Row], str]] = {
            Event.DECISION: self._decision,
            Event.TURN: self._turn,
            Event.HP: self._change_hp,
            Event.STORM: self._storm,
            Event.END: self._end,
        }
        told = tellers[kind](row) if kind in tellers else self._plain(kind, row)
        if kind == Event.ROLL and self._is_header_open:
            self.lines[-1] += f": {told}"
        elif kind in (Event.TURN, Event.END):
            self.lines.append(told)
        elif kind == Event.ROLL:
            self.lines.append(f"{INDENT}seat {row.seat} {told}")
        else:
            self.lines.append(INDENT + told)
        self._is_header_open = kind == Event.TURN

    def _space(self, space: int) -> str:
        """Return the name and number of a space."""
        return f"{self._spaces[space]} ({space})"

    def _item(self, item: int) -> str:
        """Return the name of a location or a loot card by its item number."""
        is_card = item >= FIRST_CARD_ITEM
        return self._loot[item - FIRST_CARD_ITEM] if is_card else self._locations[item]

    def _target(self, option: int) -> str:
        """Return what is shot at."""
        if option >= FIRST_WALL:
            return f"the wall on {self._space(option - FIRST_WALL)}"
        return f"seat {option}"

    def _plain(self, kind: Event, row: _Row) -> str:
        """Tell an event whose sentence has its numbers as they stand."""
        seat, first, second = f"seat {row.seat}", row.first, row.second
        sentences: dict[Event, Callable[[], str]] = {
            Event.DEAL: lambda: f"{seat} is granted {self._loot[first]}",
            Event.START_ROLL: lambda: f"{seat} rolls {first} for the start{' again' if second > 0 else ''}",
            Event.PLACED: lambda: f"{seat} starts on {self._space(first)}",
            Event.ROLL: lambda: f"rolls {first} and {_face(second)}",
            Event.JAIL_ROLL: lambda: f"{seat} rolls {first} to leave Jail",
            Event.MOVE: lambda: f"{seat} moves from {self._space(first)} to {self._space(second)}",
            Event.STOPPED: lambda: f"{seat} is stopped by the wall on {self._space(first)}",
            Event.CLAIM: lambda: f"{seat} claims {self._locations[first]}",
            Event.LOOT: lambda: f"{seat} draws the loot card {self._loot[first]}",
            Event.UNDER: lambda: f"{seat} puts {self._loot[first]} under the loot deck",
            Event.PICK_UP: lambda: f"{seat} picks up {self._loot[first]} on {self._space(second)}",
            Event.DROP: lambda: f"{seat} drops {self._loot[first]} on {self._space(second)}",
            Event.STORM_CARD: lambda: f"{seat} draws the Storm card '{self._storms[first]}'",
            Event.JAILED: lambda: f"{seat} is in Jail",
            Event.FREED: lambda: f"{seat} is out of Jail, {WAYS_OUT[Freed(first)]}",
            Event.USE: lambda: f"{seat} uses {self._loot[first]}",
            Event.WALL: lambda: f"{seat} builds a wall on {self._space(first)}",
            Event.WALL_DOWN: lambda: f"the wall on {self._space(first)} is removed, {WAYS_DOWN[WallDown(second)]}",
            Event.SWAP: lambda: f"{seat} gives {self._item(first)} to seat {second}",
            Event.FALL: lambda: f"{seat} falls as the {ordinal(first)} on {self._space(second)}",
            Event.TABLE_ROLL: lambda: f"{seat} rolls {first} for the Storm card",
        }
        return sentences[kind]()

    def _decision(self, row: _Row) -> str:
        """Tell what a seat chose."""
        decision, option = Decision(row.first), row.second
        chosen = f"seat {row.seat} chooses "
        if option == NONE_OPTION and decision in REFUSALS:
            return chosen + REFUSALS[decision]
        if decision in WORDS:
            return chosen + CHOICES[decision].format(WORDS[decision][option])
        return chosen + CHOICES[decision].format(self._nouns[decision](option))

    def _turn(self, row: _Row) -> str:
        """Tell whose turn begins."""
        self._n_turns += 1
        return f"Turn {self._n_turns}, seat {row.seat} (its {ordinal(row.first)})"

    def _change_hp(self, row: _Row) -> str:
        """Tell what a seat collects or pays, and what it has left."""
        self._hp[row.seat] += row.first
        does = "collects" if row.first > 0 else "loses"
        by = "" if row.third in (row.seat, NOBODY) else f", by seat {row.third}"
        change = f"seat {row.seat} {does} {abs(row.first)} HP ({SOURCES[Source(row.second)]}{by})"
        return f"{change}: {self._hp[row.seat]} HP left"

    def _storm(self, row: _Row) -> str:
        """Tell which space the Storm takes, whose it was, and why."""
        owner = "" if row.seat == NOBODY else f" of seat {row.seat}"
        cause = "which fell" if row.second == StormedBy.FALL else "by a Storm card"
        return f"the Storm takes {self._space(row.first)}{owner}, {cause}"

    def _end(self, row: _Row) -> str:
        """Tell how the playout ends."""
        if row.first == End.WON:
            return f"Seat {row.seat} wins with {self._hp[row.seat]} HP"
        if row.first == End.DRAWN:
            return "Nobody wins alone: the seats that fell last share the win"
        return "Nobody wins: the turn limit is reached"


def _bounce(option: int) -> str:
    """Return which seat is moved how far, by the option of BOUNCER."""
    steps = option % BACKWARDS + 1
    way = "backwards" if option % STRIDE >= BACKWARDS else "forwards"
    return f"seat {option // STRIDE} by {steps} space{'s' if steps > 1 else ''} {way}"


def _face(symbol: int) -> str:
    """Return what a face of the action die is called."""
    return Symbol(symbol).name.replace("_", " ").title()
