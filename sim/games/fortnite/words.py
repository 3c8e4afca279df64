"""Rules and components of fortnite as kernels see them: enums of keys, readings and kinds.

The members are the words of RULES.md and of the data files in capitals; a test compares them.
"""

from __future__ import annotations

from enum import IntEnum

from sim.mechanics.words import (
    ActionDuty,
    Cap,
    DoubleKnockOut,
    DropInJail,
    EndCards,
    GoCards,
    GoDrawDead,
    JailDrawTiming,
    JailedBeforeRoll,
    JailPayLast,
    JailPayLater,
    JailScope,
    JailSight,
    Movement,
    SetOnClaim,
    Sight,
    SightSameSpace,
    TieStart,
    Trade,
    TradeCount,
    TradeItems,
    TradeMoments,
    ValueTie,
)


class Rule(IntEnum):
    """Numbers and switches of `data/rules.toml`, in a rules record's `value` (RULES.md 2 and 3)."""

    START_HP = 0
    HP_CAP = 1
    GO_BONUS = 2
    STORM_LOSS = 3
    SET_BONUS = 4
    CAMPFIRE_HEAL = 5
    JAIL_COST = 6
    JAIL_ROLL = 7
    JAIL_TRIES = 8
    BANDAGES_HEAL = 9
    CROSSHAIRS_DAMAGE = 10
    BOOGIE_BOMB_DAMAGE = 11
    N_WALLS = 12
    NUMBER_DIE_FACES = 13
    TURN_LIMIT = 14
    CLAIM = 15
    SET_BONUS_DUTY = 16
    JAIL_STORM_SPACE = 17
    JAIL_STORM_MOVE = 18
    JAIL_STORM_DRAW = 19
    JAIL_IN_STORM = 20
    GO_TO_JAIL_TURN = 21
    WALL_LANDING = 22
    WALL_TURN = 23
    CAP = 24
    WALL_BOOGIE = 25
    WALL_STOP = 26
    WALL_SPACE = 27
    WALL_SUPPLY = 28
    WALL_STACK = 29
    WALL_DUTY = 30
    WALL_SIGHT = 31
    WALL_LEAVE = 32
    BRICK_ORDER = 33
    BRICK_JAIL = 34
    GO_STORM = 35
    STORM_CLAIMED = 36
    STORM_COST = 37
    STORM_DICE = 38
    STORM_EMPTY = 39
    STORM_NONE = 40
    VALUE_TIE = 41
    JAIL_DRAW_TIMING = 42
    JAIL_SCOPE = 43
    JAIL_ITEMS = 44
    JAIL_SIGHT = 45
    JAIL_SIX = 46
    CROSSHAIRS_DUTY = 47
    CROSSHAIRS_STACK = 48
    STINK_TYPE = 49
    STINK_ADD = 50
    CLINGER_SELF = 51
    CLINGER_WALL = 52
    BOUNCER_DIRECTION = 53
    BOUNCER_SELF = 54
    BOUNCER_GO = 55
    BOUNCER_WALL_STOP = 56
    BOUNCER_WALL_TARGET = 57
    BOUNCER_JAILED = 58
    BUSH = 59
    LOOT_PICKUP = 60
    LOOT_VISIBLE = 61
    TRADE = 62
    TIE_START = 63
    DOUBLE_KNOCK_OUT = 64
    PLACEMENT = 65
    JAIL_STAY = 66
    JAIL_PAY_LATER = 67
    JAIL_PAY_LAST = 68
    SIGHT_SAME_SPACE = 69
    SET_ON_CLAIM = 70
    GO_DRAW_DEAD = 71
    DROP_IN_JAIL = 72
    MOVEMENT = 73
    SIGHT = 74
    TRADE_MOMENTS = 75
    TRADE_COUNT = 76
    TRADE_ITEMS = 77
    ACTION_DUTY = 78
    JAILED_BEFORE_ROLL = 79
    GO_CARDS = 80
    END_CARDS = 81
    STINK_WALLS = 82


class Claim(IntEnum):
    """Readings of `claim` (N-CLAIM)."""

    OPTIONAL = 0
    MANDATORY = 1


class SetBonusDuty(IntEnum):
    """Readings of `set_bonus_duty` (N-SET-BONUS)."""

    MANDATORY = 0
    OPTIONAL = 1


class JailStormSpace(IntEnum):
    """Readings of `jail_storm_space` (N-JAIL-STORM-SPACE)."""

    JAIL_SPACE = 0
    GO_TO_JAIL_SPACE = 1


class JailStormMove(IntEnum):
    """Readings of `jail_storm_move` (N-JAIL-STORM-MOVE)."""

    BY_SPACE = 0
    MOVES = 1
    STAYS = 2


class JailStormDraw(IntEnum):
    """Readings of `jail_storm_draw` (N-JAIL-STORM-DRAW)."""

    BY_SPACE = 0
    DRAW = 1
    NO_DRAW = 2


class JailInStorm(IntEnum):
    """Readings of `jail_in_storm` (N-JAIL-STORM-CONTRA)."""

    NOT_JAILED = 0
    JAILED_ONCE = 1


class GoToJailTurn(IntEnum):
    """Readings of `go_to_jail_turn` (N-GTJ-ENDS-TURN)."""

    ACTION_USABLE = 0
    TURN_ENDS = 1


class WallLanding(IntEnum):
    """Readings of `wall_landing` (N-WALL-LANDING)."""

    LANDING_ALLOWED = 0
    NOT_ON_LANDING = 1


class WallTurn(IntEnum):
    """Readings of `wall_turn` (N-WALL-ENDS-TURN)."""

    MOVEMENT_ONLY = 0
    WHOLE_TURN = 1


class WallBoogie(IntEnum):
    """Readings of `wall_boogie` (N-WALL-VS-BOOGIE)."""

    PROTECTS = 0
    NO_PROTECTION = 1


class WallStop(IntEnum):
    """Readings of `wall_stop` (N-WALL-STOP-PROTECT)."""

    REMOVED = 0
    STAYS = 1


class WallSpace(IntEnum):
    """Readings of `wall_space` (N-WALL-SPACE-VS-BEFORE)."""

    ON_IT = 0
    BEFORE_IT = 1


class WallSupply(IntEnum):
    """Readings of `wall_supply` (N-WALL-SUPPLY)."""

    NO_BUILD = 0
    MOVE_OLD = 1


class WallStack(IntEnum):
    """Readings of `wall_stack` (N-WALL-STACK)."""

    ONE = 0
    SEVERAL = 1


class WallDuty(IntEnum):
    """Readings of `wall_duty` (N-WALL-MANDATORY)."""

    MAY_BUILD = 0
    MUST_BUILD = 1


class WallSight(IntEnum):
    """Readings of `wall_sight` (N-WALL-BLOCKS-SIGHT)."""

    SEE_THROUGH = 0
    BLOCKS = 1


class WallLeave(IntEnum):
    """Readings of `wall_leave` (N-WALL-LEAVE)."""

    STAYS = 0
    FALLS = 1


class BrickOrder(IntEnum):
    """Readings of `brick_order` (N-BRICK-ORDER)."""

    MOVE_FIRST = 0
    FREE = 1


class BrickJail(IntEnum):
    """Readings of `brick_jail` (N-BRICK-JAIL)."""

    WALKED = 0
    JAIL_TOO = 1
    NONE = 2


class GoStorm(IntEnum):
    """Readings of `go_storm` (N-GO-STORM)."""

    LANDING_PAYS = 0
    FREE = 1


class StormClaimed(IntEnum):
    """Readings of `storm_claimed` (N-STORM-CLAIMED)."""

    OWNER_LOSES = 0
    OWNER_KEEPS = 1
    UNCLAIMED_ONLY = 2


class StormCost(IntEnum):
    """Readings of `storm_cost` (N-STORM-COST)."""

    PLUS1 = 0
    TIMES2 = 1


class StormDice(IntEnum):
    """Readings of `storm_dice` (N-STORM-DICE)."""

    UNDER_DECK = 0
    BLANK = 1
    RESHUFFLE = 2


class StormEmpty(IntEnum):
    """Readings of `storm_empty` (N-STORM-EMPTY)."""

    NOTHING = 0
    RESHUFFLE = 1


class StormNone(IntEnum):
    """Readings of `storm_none` (N-STORM-CHOICE-NONE)."""

    SKIP = 0
    NEXT_CARD = 1


class JailItems(IntEnum):
    """Readings of `jail_items` (N-JAIL-ITEMS)."""

    ALLOWED = 0
    FORBIDDEN = 1


class JailSix(IntEnum):
    """Readings of `jail_six` (N-JAIL-6-REROLL)."""

    ROLL_BOTH = 0
    MOVE_SIX = 1


class CrosshairsDuty(IntEnum):
    """Readings of `crosshairs_duty` (N-XHAIR-OPTIONAL)."""

    MUST_SHOOT = 0
    MAY_PASS = 1


class CrosshairsStack(IntEnum):
    """Readings of `crosshairs_stack` (N-XHAIR-STACK)."""

    MAX = 0
    SUM = 1


class StinkType(IntEnum):
    """Readings of `stink_type` (N-STINK-TYPE)."""

    KEPT = 0
    ONE_TIME = 1


class StinkAdd(IntEnum):
    """Readings of `stink_add` (N-STINK-ADD)."""

    INSTEAD = 0
    IN_ADDITION = 1


class StinkWalls(IntEnum):
    """Readings of `stink_walls`."""

    CHOSEN = 0
    ALL_BUT_OWN = 1
    ALL = 2


class ClingerSelf(IntEnum):
    """Readings of `clinger_self` (N-CLINGER-SELF)."""

    HIT = 0
    SPARED = 1


class ClingerWall(IntEnum):
    """Readings of `clinger_wall` (N-CLINGER-WALL)."""

    PROTECTS = 0
    NO_PROTECTION = 1


class BouncerDirection(IntEnum):
    """Readings of `bouncer_direction` (N-BOUNCER-DIR)."""

    BOTH = 0
    FORWARD = 1


class BouncerSelf(IntEnum):
    """Readings of `bouncer_self` (N-BOUNCER-SELF)."""

    ANYONE = 0
    OTHERS_ONLY = 1


class BouncerGo(IntEnum):
    """Readings of `bouncer_go` (N-BOUNCER-GO)."""

    BONUS_ONLY = 0
    BONUS_AND_CARD = 1
    NOTHING = 2


class BouncerWallStop(IntEnum):
    """Readings of `bouncer_wall_stop` (N-BOUNCER-WALL)."""

    STOPS = 0
    PASSES = 1


class BouncerWallTarget(IntEnum):
    """Readings of `bouncer_wall_target` (N-BOUNCER-WALL)."""

    NOT_IMMUNE = 0
    IMMUNE = 1


class BouncerJailed(IntEnum):
    """Readings of `bouncer_jailed` (N-BOUNCER-JAILED)."""

    NOT_MOVABLE = 0
    MOVABLE = 1


class Bush(IntEnum):
    """Readings of `bush` (N-BUSH)."""

    HP_ONLY = 0
    KEEPS_WALLS = 1


class LootPickup(IntEnum):
    """Readings of `loot_pickup` (N-LOOT-PICKUP)."""

    ANY_MOVEMENT = 0
    OWN_TURN = 1


class LootVisible(IntEnum):
    """Readings of `loot_visible` (N-LOOT-VISIBLE)."""

    OPEN = 0
    HIDDEN = 1


class Placement(IntEnum):
    """Readings of `placement` (N-START-SPACE)."""

    CHOOSE = 0
    LOCATIONS_ONLY = 1
    ALL_ON_GO = 2
    RANDOM = 3


class JailStay(IntEnum):
    """Readings of `jail_stay` (N-JAIL-STAY)."""

    LEAVES = 0
    MAY_STAY = 1


READINGS: dict[str, type[IntEnum]] = {
    "claim": Claim,
    "set_bonus_duty": SetBonusDuty,
    "jail_storm_space": JailStormSpace,
    "jail_storm_move": JailStormMove,
    "jail_storm_draw": JailStormDraw,
    "jail_in_storm": JailInStorm,
    "go_to_jail_turn": GoToJailTurn,
    "wall_landing": WallLanding,
    "wall_turn": WallTurn,
    "cap": Cap,
    "wall_boogie": WallBoogie,
    "wall_stop": WallStop,
    "wall_space": WallSpace,
    "wall_supply": WallSupply,
    "wall_stack": WallStack,
    "wall_duty": WallDuty,
    "wall_sight": WallSight,
    "wall_leave": WallLeave,
    "brick_order": BrickOrder,
    "brick_jail": BrickJail,
    "go_storm": GoStorm,
    "storm_claimed": StormClaimed,
    "storm_cost": StormCost,
    "storm_dice": StormDice,
    "storm_empty": StormEmpty,
    "storm_none": StormNone,
    "value_tie": ValueTie,
    "jail_draw_timing": JailDrawTiming,
    "jail_scope": JailScope,
    "jail_items": JailItems,
    "jail_sight": JailSight,
    "jail_six": JailSix,
    "crosshairs_duty": CrosshairsDuty,
    "crosshairs_stack": CrosshairsStack,
    "stink_type": StinkType,
    "stink_add": StinkAdd,
    "clinger_self": ClingerSelf,
    "clinger_wall": ClingerWall,
    "bouncer_direction": BouncerDirection,
    "bouncer_self": BouncerSelf,
    "bouncer_go": BouncerGo,
    "bouncer_wall_stop": BouncerWallStop,
    "bouncer_wall_target": BouncerWallTarget,
    "bouncer_jailed": BouncerJailed,
    "bush": Bush,
    "loot_pickup": LootPickup,
    "loot_visible": LootVisible,
    "trade": Trade,
    "stink_walls": StinkWalls,
    "trade_moments": TradeMoments,
    "trade_count": TradeCount,
    "trade_items": TradeItems,
    "action_duty": ActionDuty,
    "jailed_before_roll": JailedBeforeRoll,
    "go_cards": GoCards,
    "end_cards": EndCards,
    "tie_start": TieStart,
    "double_knock_out": DoubleKnockOut,
    "placement": Placement,
    "jail_stay": JailStay,
    "jail_pay_later": JailPayLater,
    "jail_pay_last": JailPayLast,
    "sight_same_space": SightSameSpace,
    "set_on_claim": SetOnClaim,
    "go_draw_dead": GoDrawDead,
    "drop_in_jail": DropInJail,
    "movement": Movement,
    "sight": Sight,
}
"""The enum of each switch's readings, by its key."""


class Kind(IntEnum):
    """What is printed on a space; Storm cards that take a kind of space have the same numbers."""

    GO = 0
    JAIL = 1
    FREE_PARKING = 2
    GO_TO_JAIL = 3
    LOCATION = 4
    CAMPFIRE = 5
    TRAP = 6
    CHEST = 7
    BLANK = 8


class StormEffect(IntEnum):
    """What a Storm card says; up to CHEST it takes a space of that kind (RULES.md 3)."""

    GO = 0
    JAIL = 1
    FREE_PARKING = 2
    GO_TO_JAIL = 3
    LOCATION = 4
    CAMPFIRE = 5
    TRAP = 6
    CHEST = 7
    OWN_LOCATION = 8
    HIGHEST = 9
    LOWEST = 10
    DICE = 11
    BLANK = 12


class Loot(IntEnum):
    """Effects of loot cards (RULES.md 3)."""

    BLANK = 0
    DAMAGE = 1
    AREA_DAMAGE = 2
    BUSH = 3
    REFILL = 4
    HEAL = 5
    CLINGER = 6
    BOUNCER = 7


class Symbol(IntEnum):
    """Faces of the action die, then the other triggers of loot cards."""

    BANDAGES = 0
    CROSSHAIRS = 1
    BOOGIE_BOMB = 2
    BRICK = 3
    BLANK = 4
    OWN_TURN = 5
    PASSIVE = 6


class Decision(IntEnum):
    """Kinds of decisions (RULES.md 5)."""

    START_SPACE = 0
    JAIL = 1
    ORDER = 2
    MODIFIER = 3
    TARGET = 4
    WALL = 5
    WALL_TAKE = 6
    USE_ITEM = 7
    CLINGER_SPACE = 8
    BOUNCER = 9
    CLAIM = 10
    SET_BONUS = 11
    STORM_SPACE = 12
    TRADE_WANT = 13
    TRADE_OFFER = 14
    TRADE_ANSWER = 15
    ACTION = 16
    STINK_WALL = 17


class JailOption(IntEnum):
    """Options of JAIL."""

    PAY = 0
    ROLL = 1
    LEAVE = 2
    STAY = 3


class BonusOption(IntEnum):
    """Options of SET_BONUS."""

    DECLINE = 0
    COLLECT = 1


class Purpose(IntEnum):
    """What a draw is for; append only (RULES.md 6)."""

    SEAT_ROLL = 0
    NUMBER_DIE = 1
    ACTION_DIE = 2
    JAIL_DIE = 3
    STORM_DIE = 4
    PLACEMENT = 5
    CHOICE = 6


class Deck(IntEnum):
    """Decks, as parts of addresses (RULES.md 6)."""

    LOOT = 0
    STORM = 1


class Event(IntEnum):
    """Kinds of events (RULES.md 7)."""

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
    """Sources of HP (RULES.md 7)."""

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


class WallDown(IntEnum):
    """Why a wall went to the pile, in WALL_DOWN."""

    REACHED = 0
    ATTACKED = 1
    BOOGIE_BOMB = 2
    LEFT = 3
    TAKEN = 4
    AFTER_STOP = 5


class Family(IntEnum):
    """Item families, as numbers of a grant."""

    LOOT = 0
