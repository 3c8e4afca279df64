"""Tells a playout of fortnite turn by turn, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sim.engine.seating import seat_name
from sim.games.fortnite.policies import FIRST_WALL
from sim.games.fortnite.reach import BACKWARDS, STRIDE
from sim.games.fortnite.words import (
    BonusOption,
    Decision,
    Event,
    JailOption,
    Source,
    Symbol,
    WallDown,
    WallSpace,
)
from sim.mechanics.telling import Row, Teller, Vocabulary, name_spaces, physical_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sim.components import Ruleset

VOCABULARY: Final = Vocabulary(
    events=Event,
    decisions=Decision,
    faces=Symbol,
    hp_sources=Source,
    deck="Storm",
    sources={
        "CAMPFIRE": "Campfire",
        "TRAP": "Spike Trap",
        "BANDAGES": "Bandages",
        "STORM_CARD": "Storm card",
    },
    choices={
        "MODIFIER": "to modify the shot with {}",
        "WALL": "to build on {}",
        "WALL_TAKE": "to take the wall on {}",
        "CLINGER_SPACE": "{} for the Clinger",
        "BOUNCER": "to move {}",
        "SET_BONUS": "to {}",
        "STORM_SPACE": "{} for the Storm",
        "STINK_WALL": "to bomb the wall on {}",
    },
    refusals={
        "MODIFIER": "to modify the shot no further",
        "WALL": "to build no wall",
        "STINK_WALL": "to bomb no further wall",
    },
    words={
        "JAIL": {
            JailOption.PAY: "pay to leave Jail",
            JailOption.ROLL: "roll to leave Jail",
            JailOption.LEAVE: "leave Jail free",
            JailOption.STAY: "stay in Jail",
        },
        "SET_BONUS": {BonusOption.DECLINE: "decline the bonus", BonusOption.COLLECT: "collect the bonus"},
    },
)

WAYS_DOWN: Final = {
    WallDown.REACHED: "having been reached",
    WallDown.ATTACKED: "shot down",
    WallDown.BOOGIE_BOMB: "bombed",
    WallDown.LEFT: "as its space is left",
    WallDown.TAKEN: "to be built elsewhere",
    WallDown.AFTER_STOP: "a turn after it stopped somebody",
}
"""Why a wall went to the pile."""


def narrate(ruleset: Ruleset, n_seats: int, events: Sequence[Sequence[int]]) -> list[str]:
    """Return one line per event of a playout; dice rolled as a turn begins stand in its header."""
    return _Teller(ruleset, n_seats).tell_all(events)


class _Teller(Teller):
    """Tells what fortnite has of its own: walls, Storm cards, Clingers and Bouncers."""

    def __init__(self, ruleset: Ruleset, n_seats: int) -> None:
        super().__init__(VOCABULARY, ruleset, n_seats)
        self._storms = physical_names(ruleset.tables["storm"])
        self._spaces = name_spaces(ruleset)
        self._stops_before = str(ruleset.rules["wall_space"]).upper() == WallSpace.BEFORE_IT.name
        self._step = 1  # of the last move: 1 forwards, -1 backwards

    def space(self, space: int) -> str:
        """Return the name and number of a space."""
        return f"{self._spaces[space]} ({space})"

    def sentences(self) -> dict[str, Callable[[Row], str]]:
        """Return what tells each kind of event of the game's own, by its name."""
        return {
            "DEAL": lambda row: f"{seat_name(row.seat)} is granted {self.loot[row.first]}",
            "STOPPED": lambda row: f"{seat_name(row.seat)} is stopped by the wall on {self.space(row.first)}",
            "STORM_CARD": lambda row: f"{seat_name(row.seat)} draws the Storm card '{self._storms[row.first]}'",
            "WALL": lambda row: f"{seat_name(row.seat)} builds a wall on {self.space(row.first)}",
            "WALL_DOWN": self._wall_down,
        }

    def nouns(self) -> dict[str, Callable[[int], str]]:
        """Return what names the options of each kind of decision of the game's own, by its name."""
        return {
            "TARGET": self._target,
            "WALL": self.space,
            "WALL_TAKE": self.space,
            "CLINGER_SPACE": self.space,
            "BOUNCER": _bounce,
            "STORM_SPACE": self.space,
            "STINK_WALL": self.space,
        }

    def follow(self, kind: str, row: Row) -> None:
        """Note where a pawn comes to stand, also where a wall stops it: on the wall's space, or before it."""
        super().follow(kind, row)
        if kind == "MOVE":
            forwards = (row.second - row.first) % len(self._spaces)
            self._step = 1 if forwards <= len(self._spaces) // 2 else -1
        elif kind == "STOPPED":
            back = self._step if self._stops_before else 0
            self._at[row.seat] = (row.first - back) % len(self._spaces)

    def _target(self, option: int) -> str:
        """Return what is shot at."""
        if option >= FIRST_WALL:
            return f"the wall on {self.space(option - FIRST_WALL)}"
        return seat_name(option)

    def _wall_down(self, row: Row) -> str:
        """Tell which wall goes to the pile, and why."""
        return f"the wall on {self.space(row.first)} is removed, {WAYS_DOWN[WallDown(row.second)]}"


def _bounce(option: int) -> str:
    """Return which seat is moved how far, by the option of BOUNCER."""
    steps = option % BACKWARDS + 1
    way = "backwards" if option % STRIDE >= BACKWARDS else "forwards"
    return f"{seat_name(option // STRIDE)} by {steps} space{'s' if steps > 1 else ''} {way}"
