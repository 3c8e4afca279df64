"""How seats decide: the built-in policies differ in whom they attack, or from `leader` in one habit.

A policy is a code and a vector of weights. The first three score a seat as a target; the fourth is a set of habits,
each of which changes one choice. Every other choice is the same sensible rule of thumb for all scripted policies, by
what `data/policies.toml` says that things are worth. The policy `random` takes any legal option with equal chances;
the engine draws it, so nothing here is random but the lots among equals. Policies see the table and the rules only.
"""

from __future__ import annotations

from typing import Any, Final

from sim.decks import NO_CARD
from sim.engine.contract import NONE_OPTION, Policy
from sim.games.flip.sight import in_sight, spaces_in_sight
from sim.games.flip.words import HoneyHittersAtCap, JailActionDie, JailOption, Kind, Loadout, Loot, Rule, Symbol
from sim.jit import cold, hot, lowest_bit, popcount
from sim.mechanics.choosing import best_by, best_move_by, card_worth, location_change, would_pay_to_leave
from sim.mechanics.ring import others, pawns_on, spaces_of, wrap
from sim.mechanics.targets import (
    NO_SCORE,
    NOTHING,
    SCORE_OF_HP,
    best_area,
    best_start,
    best_target,
    harm,
    harm_of_all,
    least_crowded,
    order_of_shot,
    prefer,
)
from sim.mechanics.ties import Lot, by_lot
from sim.mechanics.trading import item_worth
from sim.mechanics.weights import Weight
from sim.mechanics.words import FIRST_CARD_ITEM, OrderOption

HABITS: Final = 3  # place of the habits among a policy's parameters, behind the weights of `sim.mechanics.targets`
MOVES_FIRST: Final = 1  # habits, each a bit of the fourth parameter
SPENDS: Final = 2
SAVES: Final = 4
KEEPS_GUNS: Final = 8
KEEPS_HEALING: Final = 16
STAYS_IN_JAIL: Final = 32
GATHERS: Final = 64
MORE_THAN_ANY_CARD: Final = 1 << 20  # worth of what a habit keeps

POLICIES = (
    Policy("random", 0, "takes any legal option with equal chances"),
    Policy("leader", 1, "attacks whoever falls by it, else whoever has most HP", (1, 0, 0, 0)),
    Policy("weakest", 2, "attacks whoever has fewest HP", (-1, 0, 0, 0)),
    Policy("threat", 3, "attacks whoever falls by it, else whoever holds the most dangerous cards", (0, 1, 0, 0)),
    Policy("next", 4, "attacks whoever falls by it, else the next seat clockwise", (0, 0, 1, 0)),
    Policy("moves_first", 5, "as leader, but uses the number die first unless that is fatal", (1, 0, 0, MOVES_FIRST)),
    Policy("spends", 6, "as leader, but uses one-time cards as soon as they do anything", (1, 0, 0, SPENDS)),
    Policy("saves", 7, "as leader, but uses one-time cards only to kill or when nearly out", (1, 0, 0, SAVES)),
    Policy("keeps_guns", 8, "as leader, but gives up any other card before a weapon", (1, 0, 0, KEEPS_GUNS)),
    Policy(
        "keeps_healing", 9, "as leader, but gives up any other card before one that heals", (1, 0, 0, KEEPS_HEALING)
    ),
    Policy("stays_in_jail", 10, "as leader, but never pays to leave Jail", (1, 0, 0, STAYS_IN_JAIL)),
    Policy("gathers", 11, "as leader, but starts where others see it", (1, 0, 0, GATHERS)),
)
USUAL = ("random", "leader", "weakest", "threat", "next")
"""The policies that a plan without profiles plays."""


@hot
def has_habit(table: Any, seat: int, habit: int) -> bool:
    """Return whether a seat's policy has a habit."""
    return table.parameter[seat, HABITS] & habit != 0


@cold
def landing_change(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return about how many HP landing on a space is worth to a seat."""
    if table.storm >> space & 1:
        return -rules.storm_price[space]
    face = table.turned >> space & 1
    kind = rules.kind[face, space]
    if kind == Kind.GO_TO_JAIL and table.storm >> rules.jail & 1:
        return 0
    if kind != Kind.LOCATION:
        return rules.landing_worth[face, space]
    return location_change(table, seat, rules.location_at[space], rules)


@cold
def leads_to_jail(table: Any, space: int, rules: Any) -> bool:
    """Return whether landing on a space sends a pawn to Jail (F-R38, F-R43)."""
    stormed = (table.storm >> space | table.storm >> rules.jail) & 1
    return stormed == 0 and rules.kind[table.turned >> space & 1, space] == Kind.GO_TO_JAIL


@cold
def landing_loss(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return about how many HP a seat loses by landing on a space, what Jail is thought to cost apart."""
    if leads_to_jail(table, space, rules):
        return 0
    return max(0, -landing_change(table, seat, space, rules))


@cold
def choose_order(table: Any, seat: int, rules: Any) -> int:
    """Act first unless moving first gives a better target, room for healing, or a card less."""
    target_space = wrap(table.space[seat] + table.number, rules.n_spaces)
    hp = table.hp[seat]
    if hp <= rules.worst_landing and hp <= landing_loss(table, seat, target_space, rules):
        return OrderOption.ACTION_FIRST
    if has_habit(table, seat, MOVES_FIRST):
        return OrderOption.NUMBER_FIRST
    if table.symbol == Symbol.MED_MIST:
        if rules.value[Rule.HP_CAP] - hp >= rules.value[Rule.MED_MIST_HEAL]:
            return OrderOption.ACTION_FIRST
        change = landing_change(table, seat, target_space, rules)
        return OrderOption.NUMBER_FIRST if change < 0 else OrderOption.ACTION_FIRST
    if table.symbol == Symbol.STORM_SURGE:
        return OrderOption.NUMBER_FIRST
    if table.symbol == Symbol.CROSSHAIRS:
        if table.hand[seat] & rules.sightless & rules.modifiers[Symbol.CROSSHAIRS] & ~table.fresh != 0:
            return OrderOption.ACTION_FIRST
        now = in_sight(table, seat, table.space[seat], rules)
        later = seen_after_move(table, seat, target_space, rules)
        return order_of_shot(table, seat, now, later, best_shot(table, seat, rules), rules)
    return OrderOption.ACTION_FIRST


@cold
def seen_after_move(table: Any, seat: int, target_space: int, rules: Any) -> int:
    """Return whom a seat can shoot by sight after its move, from Jail if that is where it ends (F-R38, F-R41)."""
    face = table.turned >> target_space & 1
    if rules.kind[face, target_space] != Kind.GO_TO_JAIL or table.storm >> target_space & 1:
        return in_sight(table, seat, target_space, rules)
    if rules.value[Rule.JAIL_ACTION_DIE] == JailActionDie.LOST and not table.storm >> rules.jail & 1:
        return 0
    return in_sight(table, seat, rules.jail, rules)


@cold
def best_shot(table: Any, seat: int, rules: Any) -> int:
    """Return the most that a shot by sight can take from one target."""
    amount = rules.value[Rule.CROSSHAIRS_DAMAGE]
    cards = table.hand[seat] & rules.modifiers[Symbol.CROSSHAIRS]
    while cards != 0:
        amount = max(amount, rules.loot_amount[lowest_bit(cards)])
        cards &= cards - 1
    return amount + table.bonus[seat] * int(table.effect[seat] == Loadout.CROSSHAIRS_BONUS)


@hot
def choose_target(table: Any, seat: int, options: int, amount: int, rules: Any) -> int:
    """Attack the preferred target, which loses so many HP."""
    return best_target(table, seat, options & ~(1 << NONE_OPTION), amount, rules)


@cold
def choose_victim(table: Any, seat: int, victims: int, ahead: int, room: int, rules: Any) -> int:
    """Take HP by Honey Hitters from the preferred victim; from none if the room is kept for a kill ahead (F-R82)."""
    target = best_target(table, seat, victims & ~(1 << NONE_OPTION), room, rules)
    if rules.value[Rule.HONEY_HITTERS_AT_CAP] == HoneyHittersAtCap.BANK or table.hp[target] <= room:
        return target
    room_after = rules.value[Rule.HP_CAP] - table.hp[seat] - room
    left = others(table, seat) & pawns_on(table, ahead)
    while left != 0:
        if room_after < table.hp[lowest_bit(left)] <= room:
            return NONE_OPTION
        left &= left - 1
    return target


@cold
def choose_modifier(table: Any, seat: int, cards: int, sees: int, rules: Any) -> int:
    """Take the card that does most, on Crosshairs the one that hurts most, then reaches the better target."""
    if table.symbol != Symbol.CROSSHAIRS:
        return most_of_amount(table, seat, cards, rules)
    bonus = table.bonus[seat] * int(table.effect[seat] == Loadout.CROSSHAIRS_BONUS)
    tied = 0
    least = NO_SCORE
    if sees != 0:
        least = score_of_shot(table, seat, sees, rules.value[Rule.CROSSHAIRS_DAMAGE] + bonus, rules)
    most = least
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        amount = rules.loot_amount[card] + bonus
        if rules.loot_effect[card] == Loot.AREA_DAMAGE:
            worth = harm_of_all(table, sees, amount, rules) * SCORE_OF_HP
        else:
            reach = others(table, seat) if rules.sightless >> card & 1 else sees
            worth = score_of_shot(table, seat, reach, amount, rules)
        if worth > most:
            most = worth
            tied = 0
        if worth == most and most > least:
            tied |= 1 << card
    return NO_CARD if tied == 0 else by_lot(table, seat, Lot.CARD, tied)


@cold
def score_of_shot(table: Any, seat: int, reach: int, amount: int, rules: Any) -> int:
    """Return what a shot at the preferred of some seats is worth."""
    target = best_target(table, seat, reach, amount, rules)
    return harm(table, target, amount, rules) * SCORE_OF_HP + prefer(table, seat, target, amount, rules)


@cold
def amount_of_card(_table: Any, _seat: int, card: int, rules: Any) -> int:
    """Return the amount of a card."""
    return rules.loot_amount[card]


most_of_amount = best_by(amount_of_card, int(Lot.CARD))
"""Return the card of the largest amount."""


@cold
def choose_jail(table: Any, seat: int, rules: Any) -> int:
    """Pay while it leaves a reserve of HP, and what lies ahead does not cost more than Jail."""
    if has_habit(table, seat, STAYS_IN_JAIL) or not would_pay_to_leave(table, seat, rules):
        return JailOption.ROLL
    faces = rules.value[Rule.NUMBER_DIE_FACES]
    change = 0
    for steps in range(1, faces + 1):
        change += landing_change(table, seat, wrap(table.space[seat] + steps, rules.n_spaces), rules)
    return JailOption.PAY if change >= -rules.weight[Weight.JAIL_DREAD] * faces else JailOption.ROLL


@cold
def choose_start(table: Any, seat: int, placed: int, seen: int, options: int, rules: Any) -> int:
    """Take the best ranked space that fewest of the pawns placed before can see, or one that they do."""
    taken = spaces_of(table, placed)
    if options & ~taken != 0:
        options &= ~taken
    if has_habit(table, seat, GATHERS) and options & seen != 0:
        options &= seen
    elif options & ~seen != 0:
        options &= ~seen
    elif placed != 0:
        options = least_seen(table, placed, options, rules)
    return best_start(table, seat, options, rules)


@cold
def least_seen(table: Any, placed: int, options: int, rules: Any) -> int:
    """Return those of some spaces that fewest pawns see."""
    once = twice = four_times = 0
    while placed != 0:
        space = table.space[lowest_bit(placed)]
        placed &= placed - 1
        seen = spaces_in_sight(table, space, rules)
        four_times |= twice & once & seen
        twice ^= once & seen
        once ^= seen
    return least_crowded(options, once, twice, four_times)


@cold
def worth_of_loadout(_table: Any, _seat: int, card: int, rules: Any) -> int:
    """Return what a loadout is worth."""
    return rules.loadout_worth[card]


choose_loadout = best_by(worth_of_loadout, int(Lot.CARD))
"""Take the loadout of most worth."""


@cold
def choose_item(table: Any, seat: int, cards: int, rules: Any) -> int:
    """Use one of the one-time cards that are worth it now, the least valuable of them first."""
    paying = 0
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        if item_pays(table, seat, card, rules):
            paying |= 1 << card
    return NO_CARD if paying == 0 else least_of(table, seat, paying, rules)


@cold
def item_pays(table: Any, seat: int, card: int, rules: Any) -> bool:
    """Return whether a one-time card is worth using now."""
    effect = rules.loot_effect[card]
    amount = rules.loot_amount[card]
    room = rules.value[Rule.HP_CAP] - table.hp[seat]
    spends = has_habit(table, seat, SPENDS)
    saves = has_habit(table, seat, SAVES) and table.hp[seat] > rules.weight[Weight.SAVE_BELOW]
    if effect in (Loot.REFILL, Loot.HEAL):
        if saves or room <= 0:
            return False
        if spends:
            return True
        return table.hp[seat] <= rules.weight[Weight.REFILL_BELOW] if effect == Loot.REFILL else room >= amount
    if effect == Loot.BOMB:
        return bomb_pays(table, seat, amount, saves)
    if effect != Loot.MOVER:
        return False
    options = moves(table, amount)
    if options == 0:
        return False
    gain = mover_score(table, seat, best_mover(table, seat, options, rules), rules)
    least = rules.weight[Weight.WORTH_OF_KILL] if saves else rules.weight[Weight.MOVER_GAIN]
    return gain >= (1 if spends else least)


@cold
def bomb_pays(table: Any, seat: int, amount: int, saves: bool) -> bool:
    """Return whether a bomb can hit somebody else without hitting oneself; for who saves it, kill somebody."""
    targets = others(table, seat) & ~pawns_on(table, 1 << table.space[seat])
    if not saves:
        return targets != 0
    while targets != 0:
        if table.hp[lowest_bit(targets)] <= amount:
            return True
        targets &= targets - 1
    return False


@cold
def choose_bomb_space(table: Any, seat: int, amount: int, rules: Any) -> int:
    """Throw a bomb where it hurts others most and oneself not."""
    return best_area(table, seat, 0, amount, rules)


MOVER_BITS: Final = 3
MOVER_STRIDE: Final = 1 << MOVER_BITS  # option of MOVER = seat x 8 + steps - 1


@cold
def moves(table: Any, steps: int) -> int:
    """Return the options of MOVER: up to so many steps with any living seat that is not jailed."""
    one_seat = (1 << min(steps, MOVER_STRIDE)) - 1
    options = 0
    for target in range(table.n_seats):
        if table.alive >> target & 1 and table.jailed[target] == 0:
            options |= one_seat << target * MOVER_STRIDE
    return options


@cold
def mover_score(table: Any, seat: int, option: int, rules: Any) -> int:
    """Return what moving a pawn is worth: its loss, more if it falls, or one's own gain."""
    target = option >> MOVER_BITS
    space = wrap(table.space[target] + (option & MOVER_STRIDE - 1) + 1, rules.n_spaces)
    change = landing_change(table, target, space, rules)
    if target == seat:
        return change
    loss = landing_loss(table, target, space, rules)
    return harm(table, target, loss, rules) if loss > 0 else -change


best_mover = best_move_by(mover_score, MOVER_BITS)
"""Return the best of the options of MOVER."""


@cold
def spare_worth(table: Any, seat: int, card: int, rules: Any) -> int:
    """Return how gladly a seat gives up a card that it has or was offered: the less it is worth, the more."""
    worth = card_worth(table, seat, card, table.hand[seat], rules)
    kept = 0
    if has_habit(table, seat, KEEPS_GUNS):
        kept = rules.guns
    elif has_habit(table, seat, KEEPS_HEALING):
        kept = rules.heals
    return -worth - MORE_THAN_ANY_CARD * (kept >> card & int(worth > 0))


least_of = best_by(spare_worth, int(Lot.CARD))
"""Return the card of least worth to a seat."""


@cold
def least_worth(table: Any, seat: int, options: int, rules: Any) -> int:
    """Return the loot card item that a seat would rather not have."""
    cards = (options & ~(1 << NONE_OPTION)) >> FIRST_CARD_ITEM
    return FIRST_CARD_ITEM + least_of(table, seat, cards, rules)


most_worth = best_by(item_worth, int(Lot.ITEM))
"""Return the loot card item of most worth to a seat."""


@hot
def choose_discard() -> int:
    """Keep every card."""
    return NO_CARD


@cold
def gain_of_storm(table: Any, seat: int, location: int, rules: Any) -> int:
    """Return how well a stormed location suits a seat: the dearer the better, but not of one's own sets."""
    touches = table.own[seat] & rules.set_mask[location] != 0
    return rules.storm_cost[location] - (rules.weight[Weight.WORTH_OF_SET] if touches else 0)


choose_storm_location = best_by(gain_of_storm)
"""Let the Storm take what hurts oneself least."""


@cold
def gain_of_turning(table: Any, seat: int, tile: int, rules: Any) -> int:
    """Return how well a turned tile suits a seat: the others' locations on it, less its own."""
    claimed = table.claimed & rules.tile_locations[tile]
    own = claimed & table.own[seat]
    return popcount(claimed & ~own) - rules.weight[Weight.WORTH_OF_LOCATION] * popcount(own)


choose_tile = best_by(gain_of_turning)
"""Turn the tile with most of the others' locations and fewest of one's own."""


@cold
def choose_partner(table: Any, seat: int, partners: int, rules: Any) -> int:
    """Swap cards with the seat that one would rather harm."""
    return best_target(table, seat, partners, NOTHING, rules)


@hot
def honey_owner(table: Any, seat: int) -> bool:
    """Return whether a seat's loadout is Honey Hitters."""
    return table.effect[seat] == Loadout.HONEY_HITTERS
