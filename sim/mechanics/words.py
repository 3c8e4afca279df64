"""What games that share mechanisms call alike: numbers, readings, events, decisions, by name.

A shared kernel reads them from the rules record's `common`, which `pack_common` fills from the game's own enums by
name, so that each game keeps its own numbers. What a game does not have is 0, the default reading.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FIRST_CARD_ITEM = 16  # item number of physical loot card 0; lower ones are locations


class Common(IntEnum):
    """Places of a rules record's `common`."""

    HP_CAP = 0
    CAP = 1
    NUMBER_DIE_FACES = 2
    TIE_START = 3
    DROP_IN_JAIL = 4
    DOUBLE_KNOCK_OUT = 5
    STORM_OWNER = 6
    JAIL_COST = 7
    JAIL_PAY_LATER = 8
    JAIL_PAY_LAST = 9
    JAIL_SIGHT = 10
    SIGHT = 11
    SIGHT_SAME_SPACE = 12
    TRADE = 13
    VALUE_TIE = 14
    SET_ON_CLAIM = 15
    SET_BONUS = 16
    JAIL_DRAW_TIMING = 17
    GO_DRAW_DEAD = 18
    EVENT_START_ROLL = 19
    EVENT_ROLL = 20
    EVENT_HP = 21
    EVENT_CLAIM = 22
    EVENT_STORM = 23
    EVENT_DEAL = 24
    EVENT_LOOT = 25
    EVENT_USE = 26
    EVENT_UNDER = 27
    EVENT_DROP = 28
    EVENT_JAILED = 29
    EVENT_JAIL_ROLL = 30
    EVENT_FREED = 31
    EVENT_SWAP = 32
    EVENT_FALL = 33
    EVENT_TABLE_ROLL = 34
    EVENT_END = 35
    DECISION_CLAIM = 36
    DECISION_TRADE_WANT = 37
    DECISION_TRADE_OFFER = 38
    DECISION_TRADE_ANSWER = 39
    PURPOSE_SEAT_ROLL = 40
    PURPOSE_JAIL_DIE = 41
    PURPOSE_PLACEMENT = 42
    PURPOSE_CHOICE = 43
    SOURCE_TOLL = 44
    SOURCE_JAIL = 45
    TRADE_MOMENTS = 46
    TRADE_COUNT = 47
    TRADE_ITEMS = 48
    ACTION_DUTY = 49
    END_CARDS = 50
    EVENT_NO_TARGET = 51
    DECISION_USE_ITEM = 52
    DECISION_ACTION = 53


def numbers_of(rules: Mapping[str, int], **enums: Iterable[Any]) -> dict[str, int]:
    """Return rule values and the members of enums by name, those of `event` as `EVENT_...` and so on."""
    found = {key.upper(): int(value) for key, value in rules.items()}
    for word, members in enums.items():
        found |= {f"{word}_{member.name}".upper(): int(member) for member in members}
    return found


def pack_common(rules: Any, numbers: Mapping[str, int]) -> None:
    """Write what shared kernels read into a rules record, by name."""
    for member in Common:
        rules["common"][member] = numbers.get(member.name, 0)


class Cap(IntEnum):
    """Readings of `cap`."""

    CLIP = 0
    ALL_OR_NOTHING = 1


class TieStart(IntEnum):
    """Readings of `tie_start`."""

    REROLL = 0
    SEAT_ORDER = 1


class DropInJail(IntEnum):
    """Readings of `drop_in_jail`."""

    ANYONE = 0
    JAILED_ONLY = 1


class DoubleKnockOut(IntEnum):
    """Readings of `double_knock_out`."""

    DRAW = 0
    TURN_PLAYER_LOSES = 1
    LOWEST_DEBT = 2


class StormOwner(IntEnum):
    """Whether a stormed claimed card leaves its owner."""

    LEAVES = 0
    KEEPS = 1


class JailPayLater(IntEnum):
    """Readings of `jail_pay_later`."""

    ALLOWED = 0
    FIRST_TURN_ONLY = 1


class JailPayLast(IntEnum):
    """Readings of `jail_pay_last`."""

    NEEDS_MORE = 0
    FATAL_ALLOWED = 1


class JailScope(IntEnum):
    """Readings of `jail_scope`."""

    IN_JAIL_ONLY = 0
    VISITING_TOO = 1


class JailSight(IntEnum):
    """Readings of `jail_sight`."""

    CORNER = 0
    HIDDEN = 1


class JailDrawTiming(IntEnum):
    """Readings of `jail_draw_timing`."""

    AT_ONCE = 0
    END_OF_TURN = 1


class Sight(IntEnum):
    """Readings of `sight`."""

    PRINTED = 0
    EVERYBODY = 1


class SightSameSpace(IntEnum):
    """Readings of `sight_same_space`."""

    VISIBLE = 0
    HIDDEN = 1


class SetOnClaim(IntEnum):
    """Readings of `set_on_claim`."""

    NO_BONUS = 0
    BONUS = 1


class GoDrawDead(IntEnum):
    """Readings of `go_draw_dead`."""

    NO_DRAW = 0
    DRAW = 1


class ValueTie(IntEnum):
    """Readings of `value_tie`."""

    BOARD_ORDER = 0
    DRAWER = 1


class Movement(IntEnum):
    """Readings of `movement`."""

    PRINTED = 0
    NONE = 1


class Trade(IntEnum):
    """Readings of `trade`."""

    NEVER = 0
    FAIR_SETS = 1
    VALUED = 2


class TradeMoments(IntEnum):
    """Readings of `trade_moments`."""

    ANY_TIME = 0
    TURN_START = 1


class TradeCount(IntEnum):
    """Readings of `trade_count`."""

    SEVERAL = 0
    ONE = 1


class TradeItems(IntEnum):
    """Readings of `trade_items`."""

    UP_TO_TWO = 0
    ONE = 1


class ActionDuty(IntEnum):
    """Readings of `action_duty`."""

    MUST_TAKE = 0
    MAY_LAPSE = 1


class JailedBeforeRoll(IntEnum):
    """Readings of `jailed_before_roll`."""

    MAY_LEAVE = 0
    TURN_OVER = 1


class GoCards(IntEnum):
    """Readings of `go_cards`."""

    ONE = 0
    EACH = 1


class EndCards(IntEnum):
    """Readings of `end_cards`."""

    END_TURN = 0
    TURN_GOES_ON = 1


class ActionOption(IntEnum):
    """Options of ACTION."""

    LAPSE = 0
    TAKE = 1


BOTH_ACTIONS = 1 << ActionOption.LAPSE | 1 << ActionOption.TAKE


class OrderOption(IntEnum):
    """Options of ORDER."""

    NUMBER_FIRST = 0
    ACTION_FIRST = 1


BOTH_ORDERS = 1 << OrderOption.NUMBER_FIRST | 1 << OrderOption.ACTION_FIRST


class ClaimOption(IntEnum):
    """Options of CLAIM."""

    LEAVE = 0
    CLAIM = 1


class Answer(IntEnum):
    """Options of TRADE_ANSWER."""

    REFUSE = 0
    ACCEPT = 1


class Freed(IntEnum):
    """Why a seat left Jail, in FREED."""

    PAID = 0
    SIX = 1
    LAST_TRY = 2
    STORM = 3
    CARD = 4


class StormedBy(IntEnum):
    """What stormed a space, in STORM."""

    CARD = 0
    FALL = 1


class End(IntEnum):
    """How a playout ended, in END."""

    WON = 0
    DRAWN = 1
    TURN_LIMIT = 2
