"""Rules and components of flip as kernels see them: enums of keys, readings and kinds.

The members are the words of RULES.md and of the data files in capitals; a test compares them.
"""

from __future__ import annotations

from enum import IntEnum

from sim.mechanics.words import (
    ActionDuty,
    Cap,
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
    StormOwner,
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
    GO_STORM_COST = 3
    CORNER_STORM_COST = 4
    SET_BONUS = 5
    CAMPFIRE_HEAL = 6
    JAIL_COST = 7
    JAIL_ROLL = 8
    JAIL_TRIES = 9
    MED_MIST_HEAL = 10
    CROSSHAIRS_DAMAGE = 11
    BOOGIE_BOMB_DAMAGE = 12
    HONEY_HITTERS_TAKE = 13
    STORAGE_LIMIT = 14
    NUMBER_DIE_FACES = 15
    TURN_LIMIT = 16
    CLAIM = 17
    HONEY_HITTERS_AT_CAP = 18
    HONEY_HITTERS_PASS = 19
    HONEY_HITTERS_WALL = 20
    HONEY_HITTERS_TO_JAIL = 21
    HONEY_HITTERS_JAILED_VICTIM = 22
    HONEY_HITTERS_TIE = 23
    HONEY_HITTERS_LOOT = 24
    STORM_CARD_REUSE = 25
    STORM_CARDS = 26
    STORM_NONE_UNCLAIMED = 27
    STORM_CLAIMED = 28
    STORM_FLIPPED = 29
    STORM_OWNER = 30
    VALUE_TIE = 31
    JAIL_STORM_COST = 32
    JAIL_DRAW_TIMING = 33
    JAIL_ACTION_DIE = 34
    JAIL_PASSIVE = 35
    JAIL_TRY_DICE = 36
    JAIL_SIX = 37
    JAIL_PAY_LATER = 38
    JAIL_PAY_LAST = 39
    FLIP_BACK = 40
    FLIP_LOOT = 41
    FLIP_LANDER = 42
    SET_FLIPPED = 43
    SET_ON_CLAIM = 44
    WALL_OUT = 45
    WALL_CORNER = 46
    WALL_STORMED = 47
    WALL_WITHOUT_LANDING = 48
    SIGHT_SAME_SPACE = 49
    CROSSHAIRS_DUTY = 50
    ONE_TIME_LIMIT = 51
    LOADOUT_PICK = 52
    LIMIT_AT_PICKUP = 53
    CAP = 54
    GO_DRAW_DEAD = 55
    GO_DRAW_TIMING = 56
    JAIL_SCOPE = 57
    JAIL_SIGHT = 58
    DROP_IN_JAIL = 59
    FORCED_TRADE_CHOICE = 60
    PERMANENT_STACK = 61
    PICKUP_USE = 62
    JAIL_JUMP_GO = 63
    START_IN_JAIL = 64
    DOUBLE_KNOCK_OUT = 65
    TRADE = 66
    PLACEMENT = 67
    MOVEMENT = 68
    SIGHT = 69
    TRADE_MOMENTS = 70
    TRADE_COUNT = 71
    TRADE_ITEMS = 72
    ACTION_DUTY = 73
    JAILED_BEFORE_ROLL = 74
    GO_CARDS = 75
    END_CARDS = 76
    PICKUP_PASSIVE = 77
    DISCARD = 78
    FORCED_TRADE_NONE = 79
    TIE_START = 80


class Claim(IntEnum):
    """Readings of `claim` (F-CLAIM)."""

    MANDATORY = 0
    OPTIONAL = 1


class HoneyHittersAtCap(IntEnum):
    """Readings of `honey_hitters_at_cap` (F-HONEY-CAP)."""

    PARTIAL = 0
    BANK = 1
    ALL_OR_NOTHING = 2


class HoneyHittersPass(IntEnum):
    """Readings of `honey_hitters_pass` (F-HONEY-PASS)."""

    OVERTAKE = 0
    LANDING_TOO = 1
    LEAVING_TOO = 2


class HoneyHittersWall(IntEnum):
    """Readings of `honey_hitters_wall` (F-HONEY-WALL)."""

    NO_PROTECTION = 0
    PROTECTS = 1


class HoneyHittersToJail(IntEnum):
    """Readings of `honey_hitters_to_jail` (F-HONEY-JAIL-MOVE)."""

    NO_PASS = 0
    PASS = 1


class HoneyHittersJailedVictim(IntEnum):
    """Readings of `honey_hitters_jailed_victim` (F-HONEY-JAILED-VICTIM)."""

    CAN_BE_PASSED = 0
    SPARED = 1


class HoneyHittersTie(IntEnum):
    """Readings of `honey_hitters_tie` (F-HONEY-TIE)."""

    OWNER_CHOOSES = 0
    SEAT_ORDER = 1


class HoneyHittersLoot(IntEnum):
    """Readings of `honey_hitters_loot` (F-HONEY-LOOT)."""

    STAYS = 0
    PASSER_TAKES = 1


class StormCardReuse(IntEnum):
    """Readings of `storm_card_reuse` (F-STORMCARD-REUSE)."""

    UNDER_DECK = 0
    OUT_OF_GAME = 1


class StormCards(IntEnum):
    """Readings of `storm_cards` (F-STORM-N)."""

    SEVEN = 0
    FIVE = 1


class StormNoneUnclaimed(IntEnum):
    """Readings of `storm_none_unclaimed` (F-STORM-NO-UNCLAIMED)."""

    NOTHING = 0
    TAKE_CLAIMED = 1


class StormClaimed(IntEnum):
    """Readings of `storm_claimed` (F-STORM-CLAIMED)."""

    NEVER = 0
    ANY = 1


class StormFlipped(IntEnum):
    """Readings of `storm_flipped` (F-STORM-ON-FLIPPED)."""

    MAY = 0
    MAY_NOT = 1


class JailStormCost(IntEnum):
    """Readings of `jail_storm_cost` (F-JAIL-STORM-COST)."""

    FREE = 0
    PAYS = 1


class JailActionDie(IntEnum):
    """Readings of `jail_action_die` (F-JAIL-ACTION-DIE)."""

    USABLE = 0
    LOST = 1


class JailPassive(IntEnum):
    """Readings of `jail_passive` (F-JAIL-PASSIVE)."""

    STOPS = 0
    WORKS = 1


class JailTryDice(IntEnum):
    """Readings of `jail_try_dice` (F-JAIL-TRY-DICE)."""

    NUMBER_ONLY = 0
    ACTION_TOO = 1


class JailSix(IntEnum):
    """Readings of `jail_six` (F-JAIL-6)."""

    ROLL_AFRESH = 0
    MOVE_SIX = 1


class FlipBack(IntEnum):
    """Readings of `flip_back` (F-FLIP-BACK)."""

    BOTH_SIDES = 0
    LOCATION_SIDE_ONLY = 1


class FlipLoot(IntEnum):
    """Readings of `flip_loot` (F-FLIP-LOOT)."""

    MOVES = 0
    STAYS = 1


class FlipLander(IntEnum):
    """Readings of `flip_lander` (F-FLIP-SELF)."""

    IGNORES = 0
    FOLLOWS = 1


class SetFlipped(IntEnum):
    """Readings of `set_flipped` (F-SET-FLIPPED)."""

    LANDED_ONLY = 0
    PARTNER_TOO = 1


class WallOut(IntEnum):
    """Readings of `wall_out` (F-WALL-OUT)."""

    MAY_SHOOT = 0
    MAY_NOT = 1


class WallCorner(IntEnum):
    """Readings of `wall_corner` (F-WALL-CORNER)."""

    OWN_SIDE = 0
    BOTH_SIDES = 1


class WallStormed(IntEnum):
    """Readings of `wall_stormed` (F-WALL-STORMED)."""

    NO_WALL = 0
    WALL = 1


class WallWithoutLanding(IntEnum):
    """Readings of `wall_without_landing` (F-WALL-NOT-LANDED)."""

    PROTECTED = 0
    OPEN = 1


class CrosshairsDuty(IntEnum):
    """Readings of `crosshairs_duty` (F-XHAIR-OPTIONAL)."""

    MAY_PASS = 0
    MUST_SHOOT = 1


class OneTimeLimit(IntEnum):
    """Readings of `one_time_limit` (F-ITEM-ONETIME-LIMIT)."""

    FREE = 0
    COUNTS = 1


class LoadoutPick(IntEnum):
    """Readings of `loadout_pick` (F-LOADOUT-PICK)."""

    RANDOM = 0
    DRAFT = 1


class LimitAtPickup(IntEnum):
    """Readings of `limit_at_pickup` (F-LIMIT-AT-PICKUP)."""

    APPLIES = 0
    WAIVED = 1


class GoDrawTiming(IntEnum):
    """Readings of `go_draw_timing` (F-GO-DRAW-TIMING)."""

    END_OF_TURN = 0
    AT_ONCE = 1


class ForcedTradeChoice(IntEnum):
    """Readings of `forced_trade_choice` (F-GM-TRADE-CHOICE)."""

    DRAWER_PICKS = 0
    PARTNER_PICKS = 1


class PermanentStack(IntEnum):
    """Readings of `permanent_stack` (F-PERM-STACK)."""

    ADDED = 0
    CARD_STANDS = 1


class PickupUse(IntEnum):
    """Readings of `pickup_use` (F-PICKUP-USE)."""

    SAME_TURN = 0
    NEXT_TURN = 1


class JailJumpGo(IntEnum):
    """Readings of `jail_jump_go` (F-GTJ-GO)."""

    NOTHING = 0
    COUNTS = 1


class StartInJail(IntEnum):
    """Readings of `start_in_jail` (F-START-JAIL)."""

    VISITING = 0
    IN_JAIL = 1


class DoubleKnockOut(IntEnum):
    """Readings of `double_knock_out` (F-DOUBLE-KO)."""

    DRAW = 0
    TURN_PLAYER_LOSES = 1


class Placement(IntEnum):
    """Readings of `placement` (first_player experiment)."""

    CHOOSE = 0
    ALL_ON_GO = 1
    RANDOM = 2


class PickupPassive(IntEnum):
    """Readings of `pickup_passive`."""

    NEXT_TURN = 0
    AT_ONCE = 1


class Discard(IntEnum):
    """Readings of `discard`."""

    ONE_REUSABLE = 0
    ANY = 1


class ForcedTradeNone(IntEnum):
    """Readings of `forced_trade_none` (F-GM-FORCED-TRADE-NONE)."""

    SKIP = 0
    NEXT_CARD = 1


READINGS: dict[str, type[IntEnum]] = {
    "claim": Claim,
    "honey_hitters_at_cap": HoneyHittersAtCap,
    "honey_hitters_pass": HoneyHittersPass,
    "honey_hitters_wall": HoneyHittersWall,
    "honey_hitters_to_jail": HoneyHittersToJail,
    "honey_hitters_jailed_victim": HoneyHittersJailedVictim,
    "honey_hitters_tie": HoneyHittersTie,
    "honey_hitters_loot": HoneyHittersLoot,
    "storm_card_reuse": StormCardReuse,
    "storm_cards": StormCards,
    "storm_none_unclaimed": StormNoneUnclaimed,
    "storm_claimed": StormClaimed,
    "storm_flipped": StormFlipped,
    "storm_owner": StormOwner,
    "value_tie": ValueTie,
    "jail_storm_cost": JailStormCost,
    "jail_draw_timing": JailDrawTiming,
    "jail_action_die": JailActionDie,
    "jail_passive": JailPassive,
    "jail_try_dice": JailTryDice,
    "jail_six": JailSix,
    "jail_pay_later": JailPayLater,
    "jail_pay_last": JailPayLast,
    "flip_back": FlipBack,
    "flip_loot": FlipLoot,
    "flip_lander": FlipLander,
    "set_flipped": SetFlipped,
    "set_on_claim": SetOnClaim,
    "wall_out": WallOut,
    "wall_corner": WallCorner,
    "wall_stormed": WallStormed,
    "wall_without_landing": WallWithoutLanding,
    "sight_same_space": SightSameSpace,
    "crosshairs_duty": CrosshairsDuty,
    "one_time_limit": OneTimeLimit,
    "loadout_pick": LoadoutPick,
    "limit_at_pickup": LimitAtPickup,
    "cap": Cap,
    "go_draw_dead": GoDrawDead,
    "go_draw_timing": GoDrawTiming,
    "jail_scope": JailScope,
    "jail_sight": JailSight,
    "drop_in_jail": DropInJail,
    "forced_trade_choice": ForcedTradeChoice,
    "permanent_stack": PermanentStack,
    "pickup_use": PickupUse,
    "jail_jump_go": JailJumpGo,
    "start_in_jail": StartInJail,
    "double_knock_out": DoubleKnockOut,
    "trade": Trade,
    "pickup_passive": PickupPassive,
    "trade_moments": TradeMoments,
    "trade_count": TradeCount,
    "trade_items": TradeItems,
    "action_duty": ActionDuty,
    "jailed_before_roll": JailedBeforeRoll,
    "go_cards": GoCards,
    "discard": Discard,
    "forced_trade_none": ForcedTradeNone,
    "end_cards": EndCards,
    "tie_start": TieStart,
    "placement": Placement,
    "movement": Movement,
    "sight": Sight,
}
"""The readings of each switch."""


class Kind(IntEnum):
    """Kinds of spaces (RULES.md 3)."""

    GO = 0
    JAIL = 1
    FREE_PARKING = 2
    GO_TO_JAIL = 3
    LOCATION = 4
    FLIP = 5
    WALL = 6
    CAMPFIRE = 7
    TRAP = 8
    CHEST = 9
    BLANK = 10


class Symbol(IntEnum):
    """Faces of the action die, and what triggers a card that no face does."""

    MED_MIST = 0
    CROSSHAIRS = 1
    BOOGIE_BOMB = 2
    STORM_SURGE = 3
    BLANK = 4
    PASSIVE = 5
    OWN_TURN = 6


class Loot(IntEnum):
    """Effects of loot cards."""

    BLANK = 0
    DAMAGE = 1
    AREA_DAMAGE = 2
    MED_MIST = 3
    BOOGIE_BOMB = 4
    BUSH = 5
    HALVE = 6
    REFILL = 7
    HEAL = 8
    BOMB = 9
    MOVER = 10


class Loadout(IntEnum):
    """Effects of loadouts."""

    BLANK = 0
    HONEY_HITTERS = 1
    EXTRA_STORAGE = 2
    CROSSHAIRS_BONUS = 3
    MED_MIST_BONUS = 4
    BOOGIE_BOMB_BONUS = 5
    STORM_DISCOUNT = 6


class Mode(IntEnum):
    """Effects of Game Mode cards."""

    BLANK = 0
    STORM_LOWEST = 1
    STORM_HIGHEST = 2
    STORM_CHOICE = 3
    STORM_GO = 4
    STORM_JAIL = 5
    FORCED_TRADE = 6
    HEAL_ALL = 7
    LOSE_ALL = 8
    FLIP_CHOICE = 9
    DRAW_LOOT = 10
    MOVE_TO_GO = 11
    ROLL_LOSS = 12


class Decision(IntEnum):
    """Kinds of decisions (RULES.md 5)."""

    LOADOUT = 0
    START_SPACE = 1
    JAIL = 2
    ORDER = 3
    MODIFIER = 4
    TARGET = 5
    USE_ITEM = 6
    BOMB_SPACE = 7
    MOVER = 8
    KEEP = 9
    DISCARD = 10
    CLAIM = 11
    STORM_LOCATION = 12
    FLIP_TILE = 13
    HONEY_HITTERS = 14
    PARTNER = 15
    TAKE = 16
    GIVE = 17
    TRADE_WANT = 18
    TRADE_OFFER = 19
    TRADE_ANSWER = 20
    ACTION = 21


class JailOption(IntEnum):
    """Options of JAIL."""

    PAY = 0
    ROLL = 1


class Purpose(IntEnum):
    """What a draw is for; append only (RULES.md 6)."""

    SEAT_ROLL = 0
    NUMBER_DIE = 1
    ACTION_DIE = 2
    JAIL_DIE = 3
    GAME_MODE_DIE = 4
    PLACEMENT = 5
    CHOICE = 6


class Deck(IntEnum):
    """Decks, as parts of addresses (RULES.md 6)."""

    LOOT = 0
    MODE = 1
    LOADOUT = 2


class Event(IntEnum):
    """Kinds of events (RULES.md 7)."""

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
    """Sources of HP (RULES.md 7)."""

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


class Family(IntEnum):
    """Item families, as numbers of a grant."""

    LOOT = 0
    LOADOUT = 1
