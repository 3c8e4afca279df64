"""Tells a playout of flip turn by turn, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sim.engine.contract import NOBODY, NONE_OPTION
from sim.games.flip.words import Decision, Event, FlipBack, JailOption, Kind, Source, Symbol
from sim.mechanics.telling import ordinal, physical_names
from sim.mechanics.words import FIRST_CARD_ITEM, Answer, ClaimOption, End, Freed, OrderOption, StormedBy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sim.components import Ruleset

MOVER_STRIDE: Final = 8  # option of MOVER = seat x 8 + steps - 1
INDENT: Final = "  "

SPACES: Final = {
    Kind.GO: "GO",
    Kind.JAIL: "Jail / Just Visiting",
    Kind.FREE_PARKING: "Free Parking",
    Kind.GO_TO_JAIL: "Go to Jail",
    Kind.LOCATION: "Location",
    Kind.FLIP: "Flip",
    Kind.WALL: "Wall",
    Kind.CAMPFIRE: "Cozy Campfire",
    Kind.TRAP: "Damage Trap",
    Kind.CHEST: "Loot Chest",
    Kind.BLANK: "Blank",
}
"""What a space is called by its kind, where the board gives it no name."""

SOURCES: Final = {
    Source.GO: "GO",
    Source.STORM: "the Storm",
    Source.TOLL: "toll",
    Source.SET_BONUS: "complete set",
    Source.CAMPFIRE: "Cozy Campfire",
    Source.TRAP: "Damage Trap",
    Source.MED_MIST: "Med Mist",
    Source.CROSSHAIRS: "Crosshairs",
    Source.BOOGIE_BOMB: "Boogie Bomb",
    Source.HONEY_HITTERS: "Honey Hitters",
    Source.JAIL: "paid to leave Jail",
    Source.ITEM: "one-time card",
    Source.GAME_MODE: "Game Mode card",
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
    Decision.LOADOUT: "the loadout {}",
    Decision.START_SPACE: "to start on {}",
    Decision.JAIL: "to {}",
    Decision.ORDER: "to use the {} die first",
    Decision.MODIFIER: "to modify the action with {}",
    Decision.TARGET: "{} as the target",
    Decision.USE_ITEM: "to use {}",
    Decision.BOMB_SPACE: "{} for the bomb",
    Decision.MOVER: "to move {}",
    Decision.KEEP: "to do without {}",
    Decision.DISCARD: "to discard {}",
    Decision.CLAIM: "to {}",
    Decision.STORM_LOCATION: "{} for the Storm",
    Decision.FLIP_TILE: "to flip tile {}",
    Decision.HONEY_HITTERS: "to take HP from {}",
    Decision.PARTNER: "to trade with {}",
    Decision.TAKE: "{} as the card to be taken",
    Decision.GIVE: "{} as the card to be given",
    Decision.TRADE_WANT: "to ask for {}",
    Decision.TRADE_OFFER: "to offer {}",
    Decision.TRADE_ANSWER: "to {} the trade",
}
"""What a seat chooses; the option stands in the braces."""

REFUSALS: Final = {
    Decision.MODIFIER: "to modify the action with no card",
    Decision.TARGET: "to let Crosshairs lapse",
    Decision.USE_ITEM: "to use no one-time card",
    Decision.DISCARD: "to discard nothing",
    Decision.HONEY_HITTERS: "to take HP from nobody",
    Decision.TRADE_WANT: "to ask for no trade",
    Decision.TRADE_OFFER: "to withdraw from the trade",
}
"""What a seat chooses that takes none of the options."""

WORDS: Final[dict[Decision, dict[int, str]]] = {
    Decision.JAIL: {JailOption.PAY: "pay to leave Jail", JailOption.ROLL: "roll to leave Jail"},
    Decision.ORDER: {OrderOption.NUMBER_FIRST: "number", OrderOption.ACTION_FIRST: "action"},
    Decision.CLAIM: {ClaimOption.LEAVE: "leave it unclaimed", ClaimOption.CLAIM: "claim it"},
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
    """Follows HP, turns and tiles of a playout and tells its events.

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
        self._loadouts = physical_names(tables["loadouts"])
        self._modes = physical_names(tables["modes"])
        self._board = tables["board"]
        self._fronts = [self._front_name(row) for row in self._board]
        has_flips = str(ruleset.rules["flip_back"]).upper() == FlipBack.BOTH_SIDES.name
        self._backs = [_back_name(row, has_flips=has_flips) for row in self._board]
        self._turned: set[int] = set()
        self._tellers = self._tellers_of_events()
        self._nouns = self._nouns_of_options()

    def tell(self, row: _Row) -> None:
        """Add what one event says to the lines."""
        kind = Event(row.kind)
        told = self._tellers[kind](row)
        if kind == Event.ROLL and self._is_header_open:
            self.lines[-1] += f": {told}"
        elif kind in (Event.TURN, Event.END):
            self.lines.append(told)
        elif kind == Event.ROLL:
            self.lines.append(f"{INDENT}seat {row.seat} {told}")
        else:
            self.lines.append(INDENT + told)
        self._is_header_open = kind == Event.TURN

    def _tellers_of_events(self) -> dict[Event, Callable[[_Row], str]]:
        """Return the method that tells each kind of event."""
        return {
            Event.DECISION: self._decision,
            Event.LOADOUT: self._loadout,
            Event.DEAL: self._deal,
            Event.START_ROLL: self._start_roll,
            Event.PLACED: self._placed,
            Event.TURN: self._turn,
            Event.ROLL: self._roll,
            Event.JAIL_ROLL: self._jail_roll,
            Event.TRY_ROLL: self._try_roll,
            Event.MOVE: self._move,
            Event.HP: self._change_hp,
            Event.CLAIM: self._claim,
            Event.STORM: self._storm,
            Event.FLIP: self._flip,
            Event.LOOT: self._draw_loot,
            Event.UNDER: self._under,
            Event.PICK_UP: self._pick_up,
            Event.DROP: self._drop,
            Event.MODE: self._mode,
            Event.JAILED: self._jailed,
            Event.FREED: self._freed,
            Event.USE: self._use,
            Event.SWAP: self._swap,
            Event.FALL: self._fall,
            Event.TABLE_ROLL: self._table_roll,
            Event.END: self._end,
        }

    def _nouns_of_options(self) -> dict[Decision, Callable[[int], str]]:
        """Return what names the options of each kind of decision that has no words of its own."""
        return {
            Decision.LOADOUT: self._loadouts.__getitem__,
            Decision.START_SPACE: self._space,
            Decision.MODIFIER: self._item,
            Decision.TARGET: _seat,
            Decision.USE_ITEM: self._item,
            Decision.BOMB_SPACE: self._space,
            Decision.MOVER: _mover,
            Decision.KEEP: self._item,
            Decision.DISCARD: self._item,
            Decision.STORM_LOCATION: self._locations.__getitem__,
            Decision.FLIP_TILE: str,
            Decision.HONEY_HITTERS: _seat,
            Decision.PARTNER: _seat,
            Decision.TAKE: self._item,
            Decision.GIVE: self._item,
            Decision.TRADE_WANT: self._item,
            Decision.TRADE_OFFER: self._item,
        }

    def _front_name(self, row: dict[str, Any]) -> str:
        """Return the name of a space as it lies at the start."""
        if row["name"]:
            return str(row["name"])
        kind = Kind[str(row["front"]).upper()]
        has_card = kind == Kind.LOCATION and row["location"] not in (None, NOBODY)
        return self._locations[int(row["location"])] if has_card else SPACES[kind]

    def _space(self, space: int) -> str:
        """Return the name and number of a space, by the side that shows."""
        front, back = self._fronts[space], self._backs[space]
        if space not in self._turned or front == back:
            return f"{front} ({space})"
        return f"{back} ({space}, back of {front})"

    def _item(self, item: int) -> str:
        """Return the name of a location or a loot card by its item number."""
        is_card = item >= FIRST_CARD_ITEM
        return self._loot[item - FIRST_CARD_ITEM] if is_card else self._locations[item]

    def _decision(self, row: _Row) -> str:
        """Tell what a seat chose."""
        decision, option = Decision(row.first), row.second
        chosen = f"seat {row.seat} chooses "
        if option == NONE_OPTION and decision in REFUSALS:
            return chosen + REFUSALS[decision]
        if decision in WORDS:
            return chosen + CHOICES[decision].format(WORDS[decision][option])
        return chosen + CHOICES[decision].format(self._nouns[decision](option))

    def _loadout(self, row: _Row) -> str:
        """Tell which loadout a seat has."""
        return f"seat {row.seat} has the loadout {self._loadouts[row.first]}"

    def _deal(self, row: _Row) -> str:
        """Tell which loot card a seat is dealt."""
        return f"seat {row.seat} is dealt {self._loot[row.first]}"

    def _start_roll(self, row: _Row) -> str:
        """Tell a roll for the start."""
        again = " again" if row.second > 0 else ""
        return f"seat {row.seat} rolls {row.first} for the start{again}"

    def _placed(self, row: _Row) -> str:
        """Tell where a pawn starts."""
        return f"seat {row.seat} starts on {self._space(row.first)}"

    def _turn(self, row: _Row) -> str:
        """Tell whose turn begins."""
        self._n_turns += 1
        return f"Turn {self._n_turns}, seat {row.seat} (its {ordinal(row.first)})"

    def _roll(self, row: _Row) -> str:
        """Tell a roll of both dice."""
        return f"rolls {row.first} and {_face(row.second)}"

    def _jail_roll(self, row: _Row) -> str:
        """Tell a roll to leave Jail."""
        return f"seat {row.seat} rolls {row.first} to leave Jail"

    def _try_roll(self, row: _Row) -> str:
        """Tell a roll of the action die in Jail."""
        return f"seat {row.seat} rolls {_face(row.first)} in Jail"

    def _move(self, row: _Row) -> str:
        """Tell from where to where a pawn goes."""
        start, target = self._space(row.first), self._space(row.second)
        return f"seat {row.seat} moves from {start} to {target}"

    def _change_hp(self, row: _Row) -> str:
        """Tell what a seat collects or pays, and what it has left."""
        self._hp[row.seat] += row.first
        does = "collects" if row.first > 0 else "loses"
        by = "" if row.third in (row.seat, NOBODY) else f", by seat {row.third}"
        change = f"seat {row.seat} {does} {abs(row.first)} HP ({SOURCES[Source(row.second)]}{by})"
        return f"{change}: {self._hp[row.seat]} HP left"

    def _claim(self, row: _Row) -> str:
        """Tell who claims which location."""
        return f"seat {row.seat} claims {self._locations[row.first]}"

    def _storm(self, row: _Row) -> str:
        """Tell which space the Storm takes, whose it was, and why."""
        owner = "" if row.seat == NOBODY else f" of seat {row.seat}"
        cause = "which fell" if row.second == StormedBy.FALL else "by a Game Mode card"
        return f"the Storm takes {self._space(row.first)}{owner}, {cause}"

    def _flip(self, row: _Row) -> str:
        """Tell which tile is flipped and what its spaces are now."""
        spaces = [space for space, found in enumerate(self._board) if found["tile"] == row.first]
        if row.second:
            self._turned.update(spaces)
        else:
            self._turned.difference_update(spaces)
        shown = ", ".join(self._space(space) for space in spaces)
        return f"seat {row.seat} flips tile {row.first}, which now shows {shown}"

    def _draw_loot(self, row: _Row) -> str:
        """Tell which loot card is drawn."""
        return f"seat {row.seat} draws the loot card {self._loot[row.first]}"

    def _under(self, row: _Row) -> str:
        """Tell which card goes under the loot deck."""
        return f"seat {row.seat} puts {self._loot[row.first]} under the loot deck"

    def _pick_up(self, row: _Row) -> str:
        """Tell which dropped card is picked up, and where."""
        return f"seat {row.seat} picks up {self._loot[row.first]} on {self._space(row.second)}"

    def _drop(self, row: _Row) -> str:
        """Tell which card a fallen seat drops, and where."""
        return f"seat {row.seat} drops {self._loot[row.first]} on {self._space(row.second)}"

    def _mode(self, row: _Row) -> str:
        """Tell which Game Mode card is drawn."""
        return f"seat {row.seat} draws the Game Mode card '{self._modes[row.first]}'"

    def _jailed(self, row: _Row) -> str:
        """Tell who is jailed."""
        return f"seat {row.seat} is in Jail"

    def _freed(self, row: _Row) -> str:
        """Tell who leaves Jail, and how."""
        return f"seat {row.seat} is out of Jail, {WAYS_OUT[Freed(row.first)]}"

    def _use(self, row: _Row) -> str:
        """Tell which loot card is used."""
        return f"seat {row.seat} uses {self._loot[row.first]}"

    def _swap(self, row: _Row) -> str:
        """Tell what one seat hands to another."""
        return f"seat {row.seat} gives {self._item(row.first)} to seat {row.second}"

    def _fall(self, row: _Row) -> str:
        """Tell who falls, and where."""
        return f"seat {row.seat} falls as the {ordinal(row.first)} on {self._space(row.second)}"

    def _table_roll(self, row: _Row) -> str:
        """Tell a roll that a Game Mode card asks of everybody."""
        return f"seat {row.seat} rolls {row.first} for the Game Mode card"

    def _end(self, row: _Row) -> str:
        """Tell how the playout ends."""
        if row.first == End.WON:
            return f"Seat {row.seat} wins with {self._hp[row.seat]} HP"
        if row.first == End.DRAWN:
            return "Nobody wins alone: the seats that fell last share the win"
        return "Nobody wins: the turn limit is reached"


def _back_name(row: dict[str, Any], *, has_flips: bool) -> str:
    """Return the name of the back of a space, where a Flip may be blank."""
    kind = Kind[str(row["back"]).upper()]
    return SPACES[Kind.BLANK if kind == Kind.FLIP and not has_flips else kind]


def _seat(seat: int) -> str:
    """Return what a seat is called."""
    return f"seat {seat}"


def _mover(option: int) -> str:
    """Return which seat is moved how far, by the option of MOVER."""
    seat, before_last = divmod(option, MOVER_STRIDE)
    steps = before_last + 1
    return f"seat {seat} by {steps} space{'s' if steps > 1 else ''}"


def _face(symbol: int) -> str:
    """Return what a face of the action die is called."""
    return Symbol(symbol).name.replace("_", " ").title()
