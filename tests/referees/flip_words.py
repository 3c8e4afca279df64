"""The numbers and words in which a referee of `flip` reports: decisions, events, sources."""

from collections.abc import Callable
from enum import IntEnum

NOBODY = -1
WHOLE_WIN = 840
SEATS_PER_OCCURRENCE = 8
"""The last part of a draw's address: occurrence x SEATS_PER_OCCURRENCE + the seat that rolls."""
NONE = 62
"""The option that means none of the others, and no item number."""
FIRST_CARD = 16
"""Item numbers: a location is its own number, loot card c is FIRST_CARD + c."""
STEPS_PER_SEAT = 8
"""An option of MOVER is seat x STEPS_PER_SEAT + steps - 1."""
MOST_ITEMS = 2
MOST_PROPOSALS = 4
"""Bounds of trading: items on each side of a trade, trades that are proposed in a turn."""
N_CHIPS = 70

PAY, ROLL = 0, 1
NUMBER_FIRST, ACTION_FIRST = 0, 1
LEAVE, CLAIM = 0, 1
REFUSE, ACCEPT = 0, 1
LET_LAPSE, TAKE = 0, 1

Draw = Callable[[str, int, int, int, int], int]
Choose = Callable[[str, int, list[int]], int]
Order = Callable[[str], list[int]]
EventRow = tuple[int, int, int, int, int]
Grant = tuple[str, int, int]

DECISIONS = (
    "LOADOUT", "START_SPACE", "JAIL", "ORDER", "MODIFIER", "TARGET", "USE_ITEM", "BOMB_SPACE",
    "MOVER", "KEEP", "DISCARD", "CLAIM", "STORM_LOCATION", "FLIP_TILE", "HONEY_HITTERS", "PARTNER",
    "TAKE", "GIVE", "TRADE_WANT", "TRADE_OFFER", "TRADE_ANSWER", "ACTION",
)  # fmt: skip
DECISION_NUMBER = {kind: number for number, kind in enumerate(DECISIONS)}
SYMBOLS = ("med_mist", "crosshairs", "boogie_bomb", "storm_surge", "blank")
NO_ACTION = "blank"
MODIFYING_EFFECTS = {
    "med_mist": ("med_mist",),
    "crosshairs": ("damage", "area_damage"),
    "boogie_bomb": ("boogie_bomb",),
    "storm_surge": (),
    "blank": (),
}
WINDOW_EFFECTS = ("refill", "heal", "bomb", "mover")


class Event(IntEnum):
    """What can happen."""

    DECISION = 0
    LOADOUT = 1
    DEAL = 2
    START_ROLL = 3
    PLACED = 4
    TURN = 5
    ROLL = 6
    JAIL_ROLL = 7
    TRY_ROLL = 8
    MOVE = 9
    HP = 10
    CLAIM = 11
    STORM = 12
    FLIP = 13
    LOOT = 14
    UNDER = 15
    PICK_UP = 16
    DROP = 17
    MODE = 18
    JAILED = 19
    FREED = 20
    USE = 21
    SWAP = 22
    FALL = 23
    TABLE_ROLL = 24
    END = 25
    NO_TARGET = 26


class Source(IntEnum):
    """Why HP changed."""

    GO = 0
    STORM = 1
    TOLL = 2
    SET_BONUS = 3
    CAMPFIRE = 4
    TRAP = 5
    MED_MIST = 6
    CROSSHAIRS = 7
    BOOGIE_BOMB = 8
    HONEY_HITTERS = 9
    JAIL = 10
    ITEM = 11
    GAME_MODE = 12
    GO_STORM = 13


class Freed(IntEnum):
    """How a seat got out of Jail."""

    PAID = 0
    SIX = 1
    LAST_TRY = 2
    STORM = 3
    CARD = 4


class Ending(IntEnum):
    """How the playout ended."""

    WON = 0
    DRAWN = 1
    TURN_LIMIT = 2


TERMINATIONS = {Ending.WON: "won", Ending.DRAWN: "drawn", Ending.TURN_LIMIT: "turn_limit"}
