"""The numbers and words in which a referee of `fortnite` reports: decisions, events, sources."""

from enum import IntEnum

NOBODY = -1
WHOLE_WIN = 840
SEATS_PER_ROLL = 8
"""The last part of a draw's address is occurrence x SEATS_PER_ROLL + the seat that rolls."""
NONE = 62
"""The option that means none of the others, and no item number."""
FIRST_CARD = 16
"""Item numbers: a location is its own number, loot card c is FIRST_CARD + c."""
MOST_ITEMS = 2
MOST_PROPOSALS = 4
"""Bounds of trading: items on each side of a trade, trades that are proposed in a turn."""
FIRST_WALL = 8
"""An option of TARGET is a seat, or FIRST_WALL + the space of a wall."""
STEPS_PER_SEAT = 8
"""An option of BOUNCER is seat x STEPS_PER_SEAT + steps - 1, and BACKWARDS more for a step back."""
BACKWARDS = 4

PAY, ROLL, LEAVE_JAIL, STAY = 0, 1, 2, 3
NUMBER_FIRST, ACTION_FIRST = 0, 1
LEAVE, CLAIM = 0, 1
DECLINE, COLLECT = 0, 1
REFUSE, ACCEPT = 0, 1
LET_LAPSE, TAKE = 0, 1

DECISIONS = (
    "START_SPACE", "JAIL", "ORDER", "MODIFIER", "TARGET", "WALL", "WALL_TAKE", "USE_ITEM",
    "CLINGER_SPACE", "BOUNCER", "CLAIM", "SET_BONUS", "STORM_SPACE", "TRADE_WANT", "TRADE_OFFER",
    "TRADE_ANSWER", "ACTION", "STINK_WALL",
)  # fmt: skip
FACES = ("bandages", "crosshairs", "boogie_bomb", "brick", "blank")


class Event(IntEnum):
    """What can happen."""

    DECISION = 0
    DEAL = 1
    START_ROLL = 2
    PLACED = 3
    TURN = 4
    ROLL = 5
    JAIL_ROLL = 6
    MOVE = 7
    STOPPED = 8
    HP = 9
    CLAIM = 10
    STORM = 11
    LOOT = 12
    UNDER = 13
    PICK_UP = 14
    DROP = 15
    STORM_CARD = 16
    JAILED = 17
    FREED = 18
    USE = 19
    WALL = 20
    WALL_DOWN = 21
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
    BANDAGES = 6
    CROSSHAIRS = 7
    BOOGIE_BOMB = 8
    JAIL = 9
    ITEM = 10
    STORM_CARD = 11


class Freed(IntEnum):
    """How a seat got out of Jail."""

    PAID = 0
    SIX = 1
    LAST_TRY = 2
    STORM = 3
    CARD = 4


class Down(IntEnum):
    """Why a wall went to the pile."""

    REACHED = 0
    ATTACKED = 1
    BOOGIE_BOMB = 2
    LEFT = 3
    TAKEN = 4
    AFTER_STOP = 5


class Ending(IntEnum):
    """How the playout ended."""

    WON = 0
    DRAWN = 1
    TURN_LIMIT = 2
