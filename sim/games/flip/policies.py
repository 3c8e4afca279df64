"""How seats decide: the built-in policies differ in whom they attack and are alike in everything else.

A policy is a code and a vector of weights, by which `sim.mechanics.targets` scores a seat as a target; every other
choice is the same sensible rule of thumb for all scripted policies. The policy `random` takes any legal option with
equal chances; the engine draws it, so nothing here is random. Policies see the table and the rules only.
"""

from __future__ import annotations

from typing import Any, Final

from sim.decks import NO_CARD
from sim.engine.contract import NONE_OPTION, Policy
from sim.games.flip.sight import in_sight
from sim.games.flip.words import JailOption, Kind, Loadout, Loot, Rule, Symbol
from sim.jit import cold, hot, lowest_bit, popcount
from sim.mechanics.choosing import REFILL_BELOW, best_by, location_change, would_pay_to_leave
from sim.mechanics.ring import others, pawns_on, wrap
from sim.mechanics.targets import (
    NO_SCORE,
    SCORE_OF_DAMAGE,
    best_score,
    best_start,
    best_target,
    order_of_shot,
)
from sim.mechanics.trading import WORTH_OF_LOCATION, WORTH_OF_SET, item_worth
from sim.mechanics.words import FIRST_CARD_ITEM, OrderOption

MOVER_GAIN: Final = 3  # HP that a mover must be worth

POLICIES = (
    Policy("random", 0, "takes any legal option with equal chances"),
    Policy("leader", 1, "attacks whoever has most HP", (1, 0, 0)),
    Policy("weakest", 2, "attacks whoever has fewest HP", (-1, 0, 0)),
    Policy("threat", 3, "attacks whoever holds the most dangerous cards", (0, 1, 0)),
    Policy("next", 4, "attacks the next seat clockwise", (0, 0, 1)),
)


@cold
def landing_change(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return about how many HP landing on a space is worth to a seat."""
    if table.storm >> space & 1:
        return -rules.storm_price[space]
    face = table.turned >> space & 1
    if rules.kind[face, space] != Kind.LOCATION:
        return rules.landing_worth[face, space]
    return location_change(table, seat, rules.location_at[space], rules)


@cold
def choose_order(table: Any, seat: int, rules: Any) -> int:
    """Act first unless moving first gives a better target, room for healing, or a card less."""
    if table.symbol == Symbol.BOOGIE_BOMB:
        return OrderOption.ACTION_FIRST
    target_space = wrap(table.space[seat] + table.number, rules.n_spaces)
    hp = table.hp[seat]
    if table.symbol == Symbol.MED_MIST:
        if rules.value[Rule.HP_CAP] - hp >= rules.value[Rule.MED_MIST_HEAL]:
            return OrderOption.ACTION_FIRST
        change = landing_change(table, seat, target_space, rules)
        return OrderOption.NUMBER_FIRST if -hp < change < 0 else OrderOption.ACTION_FIRST
    if hp <= rules.worst_landing and hp + landing_change(table, seat, target_space, rules) <= 0:
        return OrderOption.ACTION_FIRST
    if table.symbol == Symbol.STORM_SURGE:
        return OrderOption.NUMBER_FIRST
    if table.symbol == Symbol.CROSSHAIRS:
        if table.hand[seat] & rules.sightless & rules.modifiers[Symbol.CROSSHAIRS] != 0:
            return OrderOption.ACTION_FIRST
        now = in_sight(table, seat, table.space[seat], rules)
        later = in_sight(table, seat, target_space, rules)
        return order_of_shot(table, seat, now, later, rules)
    return OrderOption.ACTION_FIRST


@hot
def choose_target(table: Any, seat: int, options: int, rules: Any) -> int:
    """Shoot the preferred target."""
    return best_target(table, seat, options & ~(1 << NONE_OPTION), rules)


@cold
def choose_modifier(table: Any, seat: int, cards: int, sees: int, rules: Any) -> int:
    """Take the card that does most, on Crosshairs then the one that reaches the better target."""
    best = NO_CARD + 0
    score = NO_SCORE
    if table.symbol == Symbol.CROSSHAIRS and sees != 0:
        score = rules.value[Rule.CROSSHAIRS_DAMAGE] * SCORE_OF_DAMAGE + best_score(table, seat, sees, rules)
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        worth = rules.loot_amount[card] * SCORE_OF_DAMAGE
        if rules.loot_effect[card] == Loot.AREA_DAMAGE:
            worth *= popcount(sees)
        elif table.symbol == Symbol.CROSSHAIRS:
            reach = others(table, seat) if rules.sightless >> card & 1 else sees
            worth += best_score(table, seat, reach, rules)
        if worth > score:
            score = worth
            best = card
    return best


@cold
def choose_jail(table: Any, seat: int, rules: Any) -> int:
    """Pay while it leaves a reserve of HP."""
    return JailOption.PAY if would_pay_to_leave(table, seat, rules) else JailOption.ROLL


@cold
def choose_start(seen: int, options: int, rules: Any) -> int:
    """Take the best ranked space that no pawn placed before can see."""
    if options & ~seen != 0:
        options &= ~seen
    return best_start(options, rules)


@cold
def worth_of_loadout(_table: Any, _seat: int, card: int, rules: Any) -> int:
    """Return what a loadout is worth."""
    return rules.loadout_worth[card]


choose_loadout = best_by(worth_of_loadout)
"""Take the loadout of most worth, the first of equals."""


@cold
def choose_item(table: Any, seat: int, cards: int, rules: Any) -> int:
    """Use the first one-time card that is worth it now."""
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        effect = rules.loot_effect[card]
        if effect == Loot.REFILL:
            pays = table.hp[seat] <= REFILL_BELOW
        elif effect == Loot.HEAL:
            pays = table.hp[seat] + rules.loot_amount[card] <= rules.value[Rule.HP_CAP]
        elif effect == Loot.BOMB:
            pays = bomb_pays(table, seat)
        else:
            pays = effect == Loot.MOVER and mover_pays(table, seat, rules.loot_amount[card], rules)
        if pays:
            return card
    return NO_CARD


@hot
def bomb_pays(table: Any, seat: int) -> bool:
    """Return whether a bomb can hit somebody else without hitting oneself."""
    return others(table, seat) & ~pawns_on(table, 1 << table.space[seat]) != 0


@cold
def mover_pays(table: Any, seat: int, amount: int, rules: Any) -> bool:
    """Return whether the best move of somebody is worth the card."""
    options = moves(table, amount)
    return options != 0 and mover_score(table, seat, best_mover(table, seat, options, rules), rules) >= MOVER_GAIN


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
    """Return what moving a pawn is worth: its loss, or one's own gain."""
    target = option >> MOVER_BITS
    space = wrap(table.space[target] + (option & MOVER_STRIDE - 1) + 1, rules.n_spaces)
    change = landing_change(table, target, space, rules)
    return change if target == seat else -change


best_mover = best_by(mover_score)
"""Return the best of the options of MOVER."""


@cold
def least_worth(options: int, rules: Any) -> int:
    """Return the loot card item of least worth, the last of equals."""
    cards = (options & ~(1 << NONE_OPTION)) >> FIRST_CARD_ITEM
    worst = lowest_bit(cards)
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        if rules.loot_worth[card] <= rules.loot_worth[worst]:
            worst = card
    return FIRST_CARD_ITEM + worst


most_worth = best_by(item_worth)
"""Return the loot card item of most worth, the first of equals."""


@hot
def choose_discard() -> int:
    """Keep every card."""
    return NO_CARD


@cold
def gain_of_storm(table: Any, seat: int, location: int, rules: Any) -> int:
    """Return how well a stormed location suits a seat: the dearer the better, but not of one's own sets."""
    touches = table.own[seat] & rules.set_mask[location] != 0
    return rules.storm_cost[location] - (WORTH_OF_SET if touches else 0)


choose_storm_location = best_by(gain_of_storm)
"""Let the Storm take what hurts oneself least."""


@cold
def gain_of_turning(table: Any, seat: int, tile: int, rules: Any) -> int:
    """Return how well a turned tile suits a seat: the others' locations on it, less its own."""
    claimed = table.claimed & rules.tile_locations[tile]
    own = claimed & table.own[seat]
    return popcount(claimed & ~own) - WORTH_OF_LOCATION * popcount(own)


choose_tile = best_by(gain_of_turning)
"""Turn the tile with most of the others' locations and fewest of one's own."""


@hot
def honey_owner(table: Any, seat: int) -> bool:
    """Return whether a seat's loadout is Honey Hitters."""
    return table.effect[seat] == Loadout.HONEY_HITTERS
