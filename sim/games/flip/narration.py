"""Tells a playout of flip turn by turn, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sim.engine.seating import seat_name
from sim.games.flip.policies import MOVER_STRIDE
from sim.games.flip.words import Decision, Event, FlipBack, JailOption, Kind, Source, Symbol
from sim.mechanics.telling import Row, Teller, Vocabulary, name_space, physical_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sim.components import Ruleset


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

VOCABULARY: Final = Vocabulary(
    events=Event,
    decisions=Decision,
    faces=Symbol,
    hp_sources=Source,
    deck="Game Mode",
    sources={
        "CAMPFIRE": "Cozy Campfire",
        "TRAP": "Damage Trap",
        "MED_MIST": "Med Mist",
        "HONEY_HITTERS": "Honey Hitters",
        "GAME_MODE": "Game Mode card",
        "GO_STORM": "the Storm on GO",
    },
    choices={
        "LOADOUT": "the loadout {}",
        "MODIFIER": "to modify the action with {}",
        "BOMB_SPACE": "{} for the bomb",
        "MOVER": "to move {}",
        "KEEP": "to do without {}",
        "DISCARD": "to discard {}",
        "STORM_LOCATION": "{} for the Storm",
        "FLIP_TILE": "to flip tile {}",
        "HONEY_HITTERS": "to take HP from {}",
        "PARTNER": "to trade with {}",
        "TAKE": "{} as the card to be taken",
        "GIVE": "{} as the card to be given",
    },
    refusals={
        "MODIFIER": "to modify the action with no card",
        "DISCARD": "to discard nothing",
        "HONEY_HITTERS": "to take HP from nobody",
    },
    words={"JAIL": {JailOption.PAY: "pay to leave Jail", JailOption.ROLL: "roll to leave Jail"}},
)


def narrate(ruleset: Ruleset, n_seats: int, events: Sequence[Sequence[int]]) -> list[str]:
    """Return one line per event of a playout; dice rolled as a turn begins stand in its header."""
    return _Teller(ruleset, n_seats).tell_all(events)


class _Teller(Teller):
    """Follows the tiles of a playout and tells what flip has of its own: tiles, loadouts, Game Mode cards, movers."""

    def __init__(self, ruleset: Ruleset, n_seats: int) -> None:
        tables = ruleset.tables
        self._loadouts = physical_names(tables["loadouts"])
        self._modes = physical_names(tables["modes"])
        super().__init__(VOCABULARY, ruleset, n_seats)
        self._board = tables["board"]
        self._fronts = [self._front_name(row) for row in self._board]
        has_flips = str(ruleset.rules["flip_back"]).upper() == FlipBack.BOTH_SIDES.name
        self._backs = [_back_name(row, has_flips=has_flips) for row in self._board]
        self._turned: set[int] = set()

    def space(self, space: int) -> str:
        """Return the name and number of a space, by the side that shows."""
        front, back = self._fronts[space], self._backs[space]
        if space not in self._turned or front == back:
            return f"{front} ({space})"
        return f"{back} ({space}, back of {front})"

    def sentences(self) -> dict[str, Callable[[Row], str]]:
        """Return what tells each kind of event of the game's own, by its name."""
        return {
            "LOADOUT": lambda row: f"{seat_name(row.seat)} has the loadout {self._loadouts[row.first]}",
            "DEAL": lambda row: f"{seat_name(row.seat)} is dealt {self.loot[row.first]}",
            "TRY_ROLL": lambda row: f"{seat_name(row.seat)} rolls {self.face(row.first)} in Jail",
            "FLIP": self._flip,
            "MODE": lambda row: f"{seat_name(row.seat)} draws the Game Mode card '{self._modes[row.first]}'",
        }

    def nouns(self) -> dict[str, Callable[[int], str]]:
        """Return what names the options of each kind of decision of the game's own, by its name."""
        return {
            "LOADOUT": self._loadouts.__getitem__,
            "TARGET": seat_name,
            "BOMB_SPACE": self.space,
            "MOVER": _mover,
            "KEEP": self.item,
            "DISCARD": self.item,
            "STORM_LOCATION": self.locations.__getitem__,
            "FLIP_TILE": str,
            "HONEY_HITTERS": seat_name,
            "PARTNER": seat_name,
            "TAKE": self.item,
            "GIVE": self.item,
        }

    def _front_name(self, row: dict[str, Any]) -> str:
        """Return the name of a space as it lies at the start."""
        front = str(row["front"])
        own = "" if row["name"] in SPACES.values() else row["name"]  # what it was before a variant made it another
        return name_space({**row, "name": own or SPACES[Kind[front.upper()]]}, front, self.locations)

    def _flip(self, row: Row) -> str:
        """Tell which tile is flipped and what its spaces are now."""
        spaces = [space for space, found in enumerate(self._board) if found["tile"] == row.first]
        if row.second:
            self._turned.update(spaces)
        else:
            self._turned.difference_update(spaces)
        shown = ", ".join(self.space(space) for space in spaces)
        return f"{seat_name(row.seat)} flips tile {row.first}, which now shows {shown}"


def _back_name(row: dict[str, Any], *, has_flips: bool) -> str:
    """Return the name of the back of a space, where a Flip may be blank."""
    kind = Kind[str(row["back"]).upper()]
    return SPACES[Kind.BLANK if kind == Kind.FLIP and not has_flips else kind]


def _mover(option: int) -> str:
    """Return which seat is moved how far, by the option of MOVER."""
    seat, before_last = divmod(option, MOVER_STRIDE)
    steps = before_last + 1
    return f"{seat_name(seat)} by {steps} space{'s' if steps > 1 else ''}"
