"""How seats decide: the built-in policies differ in whom they attack, or from `leader` in one habit.

A policy is a code and a vector of weights. The first three score a seat as a target; the fourth is a set of
habits, each of which changes one choice. Every other choice is the same sensible rule of thumb for all
scripted policies. The policy `random` takes any legal option with equal chances; the engine draws it, so nothing
here is random. Policies see the table and the rules only.
"""

from __future__ import annotations

from typing import Any, Final

from sim.decks import NO_CARD
from sim.engine.contract import NOBODY, NONE_OPTION, Policy
from sim.games.fortnite.reach import STRIDE_BITS, bounced_steps, bounces, end_of_move
from sim.games.fortnite.sight import in_sight, seen_from, unprotected
from sim.games.fortnite.words import (
    BonusOption,
    CrosshairsStack,
    GoStorm,
    GoToJailTurn,
    JailOption,
    Kind,
    Loot,
    Rule,
    Symbol,
    WallStop,
)
from sim.jit import cold, hot, lowest_bit, popcount
from sim.mechanics.choosing import best_by, best_move_by, location_change, would_pay_to_leave
from sim.mechanics.ring import others, pawns_on, turned_to, wrap
from sim.mechanics.targets import (
    SCORE_OF_HP,
    area_score,
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
from sim.mechanics.weights import Weight
from sim.mechanics.words import JailScope, OrderOption

HABITS: Final = 3  # place of the habits among a policy's parameters, behind the weights of `sim.mechanics.targets`
MOVES_FIRST: Final = 1  # habits, each a bit of the fourth parameter
GATHERS: Final = 2
STARTS_ON_CORNER: Final = 4
SPENDS: Final = 8
BREAKS_SETS: Final = 16
IGNORES_STORM: Final = 32
SPACES_PER_HP: Final = 64  # worth first, then the distance
FIRST_WALL: Final = 8  # option of TARGET = 8 + space of a wall

POLICIES = (
    Policy("random", 0, "takes any legal option with equal chances"),
    Policy("leader", 1, "attacks whoever falls by it, else whoever has most HP", (1, 0, 0, 0)),
    Policy("weakest", 2, "attacks whoever has fewest HP", (-1, 0, 0, 0)),
    Policy("threat", 3, "attacks whoever falls by it, else whoever holds the most dangerous cards", (0, 1, 0, 0)),
    Policy("next", 4, "attacks whoever falls by it, else the next seat clockwise", (0, 0, 1, 0)),
    Policy("moves_first", 5, "as leader, but never shoots a wall out of its way", (1, 0, 0, MOVES_FIRST)),
    Policy("gathers", 6, "as leader, but starts where others see it", (1, 0, 0, GATHERS)),
    Policy("corner", 7, "as leader, but starts on a corner", (1, 0, 0, STARTS_ON_CORNER)),
    Policy("spends", 8, "as leader, but uses one-time cards at once", (1, 0, 0, SPENDS)),
    Policy("breaks_sets", 9, "as leader, but lets the Storm take its own sets", (1, 0, 0, BREAKS_SETS)),
    Policy("storm_blind", 10, "as leader, but does not mind stormed spaces", (1, 0, 0, IGNORES_STORM)),
)


@hot
def has_habit(table: Any, seat: int, habit: int) -> bool:
    """Return whether a seat's policy has a habit."""
    return table.parameter[seat, HABITS] & habit != 0


@cold
def storm_change(space: int, rules: Any) -> int:
    """Return what landing on a stormed space changes."""
    location = rules.location_at[space]
    if location >= 0:
        return -rules.storm_cost[location]
    kind = rules.kind[space]
    is_free = kind == Kind.JAIL and rules.value[Rule.JAIL_SCOPE] == JailScope.IN_JAIL_ONLY
    is_free = is_free or (kind == Kind.GO and rules.value[Rule.GO_STORM] == GoStorm.FREE)
    return 0 if is_free else -rules.value[Rule.STORM_LOSS]


@cold
def landing_change(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return about how many HP landing on a space is worth to a seat."""
    if table.storm >> space & 1:
        return storm_change(space, rules)
    kind = rules.kind[space]
    if kind == Kind.LOCATION:
        return location_change(table, seat, rules.location_at[space], rules)
    if kind == Kind.CHEST:
        return rules.weight[Weight.WORTH_OF_CHEST]
    if kind == Kind.CAMPFIRE:
        return rules.value[Rule.CAMPFIRE_HEAL]
    if kind == Kind.TRAP:
        return -rules.amount[space]
    if kind == Kind.GO_TO_JAIL:
        return storm_change(rules.jail, rules) if table.storm >> rules.jail & 1 else -rules.weight[Weight.COST_OF_JAIL]
    return 0


@cold
def landing_loss(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return about how many HP a seat loses by landing on a space, what Jail is thought to cost apart."""
    is_dry = not (table.storm >> space | table.storm >> rules.jail) & 1
    if is_dry and rules.kind[space] == Kind.GO_TO_JAIL:
        return 0
    return max(0, -landing_change(table, seat, space, rules))


@cold
def foreseen_change(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return what a seat expects of a space, the Storm left out where it does not mind it."""
    if table.storm >> space & 1 and has_habit(table, seat, IGNORES_STORM):
        return 0
    return landing_change(table, seat, space, rules)


@cold
def wall_in_the_way(table: Any, seat: int, rules: Any) -> int:
    """Return the space of the wall that will stop the number die's move short, or NOBODY (N-R51)."""
    space = table.space[seat]
    if table.walls & rules.path[space, table.number] == 0 or table.jailed[seat] != 0:
        return NOBODY
    for step in range(1, table.number):
        place = wrap(space + step, rules.n_spaces)
        if table.walls >> place & 1:
            return place
    return NOBODY


@cold
def gain_of_free_way(table: Any, seat: int, rules: Any) -> int:
    """Return what it is worth that no wall stops the move, 0 or less where it is better stopped."""
    if wall_in_the_way(table, seat, rules) == NOBODY:
        return 0
    space = table.space[seat]
    stopped = foreseen_change(table, seat, end_of_move(table, space, table.number, rules), rules)
    return foreseen_change(table, seat, wrap(space + table.number, rules.n_spaces), rules) - stopped


@hot
def shoots_wall(table: Any, seat: int, rules: Any) -> bool:
    """Return whether a seat would rather clear its way than hit somebody (N-R51)."""
    if table.walls == 0 or table.moved != 0 or has_habit(table, seat, MOVES_FIRST):
        return False
    gain = gain_of_free_way(table, seat, rules)
    return gain > 0 and gain > best_harm(table, seat, rules)


@cold
def best_harm(table: Any, seat: int, rules: Any) -> int:
    """Return the most that the shot can do to somebody, in HP and kills, with what the seat holds or has used."""
    sees = in_sight(table, seat, table.space[seat], rules)
    cards = table.hand[seat] & rules.triggered[Symbol.CROSSHAIRS]
    if table.is_sightless != 0 or cards & rules.sightless != 0:
        sees = unprotected(table, seat)
    amount = best_shot(table, seat, rules)
    best = 0
    while sees != 0:
        best = max(best, harm(table, lowest_bit(sees), amount, rules))
        sees &= sees - 1
    return best


@cold
def best_shot(table: Any, seat: int, rules: Any) -> int:
    """Return the most that a shot at one target can take, with what the seat holds or has used."""
    amount = max(rules.value[Rule.CROSSHAIRS_DAMAGE], table.damage)
    cards = table.hand[seat] & rules.triggered[Symbol.CROSSHAIRS]
    while cards != 0:
        amount = max(amount, rules.loot_amount[lowest_bit(cards)])
        cards &= cards - 1
    return amount


@cold
def choose_order(table: Any, seat: int, rules: Any) -> int:
    """Act first unless moving first gives a better target, room for healing, or a wall that is wanted."""
    hp = table.hp[seat]
    if table.symbol == Symbol.BRICK:
        return OrderOption.NUMBER_FIRST
    if table.symbol == Symbol.BANDAGES and rules.value[Rule.HP_CAP] - hp >= rules.value[Rule.BANDAGES_HEAL]:
        return OrderOption.ACTION_FIRST
    if table.symbol == Symbol.BOOGIE_BOMB and table.walls == 0 and not has_habit(table, seat, MOVES_FIRST):
        return OrderOption.ACTION_FIRST
    target_space = end_of_move(table, table.space[seat], table.number, rules)
    if hp <= rules.worst_landing or table.symbol == Symbol.BANDAGES:
        change = foreseen_change(table, seat, target_space, rules)
        if hp + change <= 0 or (table.symbol == Symbol.BANDAGES and change >= 0):
            return OrderOption.ACTION_FIRST
    if table.symbol == Symbol.CROSSHAIRS:
        return order_past_walls(table, seat, target_space, rules)
    if table.symbol == Symbol.BANDAGES or has_habit(table, seat, MOVES_FIRST):
        return OrderOption.NUMBER_FIRST
    return OrderOption.NUMBER_FIRST if gain_of_free_way(table, seat, rules) < 0 else OrderOption.ACTION_FIRST


@cold
def order_past_walls(table: Any, seat: int, target_space: int, rules: Any) -> int:
    """Shoot first to clear the way, or unless the move gives a better target (N-R51)."""
    if shoots_wall(table, seat, rules):
        return OrderOption.ACTION_FIRST
    if table.hand[seat] & rules.sightless != 0:
        return OrderOption.ACTION_FIRST
    now = in_sight(table, seat, table.space[seat], rules)
    later = seen_after_move(table, seat, target_space, rules)
    return order_of_shot(table, seat, now, later, best_shot(table, seat, rules), rules)


@cold
def seen_after_move(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return whom a seat can shoot once it has landed: none from Jail; a wall that it reached is gone (N-R48)."""
    is_dry = not (table.storm >> space | table.storm >> rules.jail) & 1
    if is_dry and rules.kind[space] == Kind.GO_TO_JAIL:
        if rules.value[Rule.GO_TO_JAIL_TURN] == GoToJailTurn.TURN_ENDS:
            return 0
        return in_sight(table, seat, rules.jail, rules)
    seen = in_sight(table, seat, space, rules)
    if table.wall_count[space] == 1 and rules.value[Rule.WALL_STOP] != WallStop.STAYS:
        seen |= others(table, seat) & pawns_on(table, seen_from(table, space, rules) & 1 << space)
    return seen


@cold
def choose_target(table: Any, seat: int, options: int, rules: Any) -> int:
    """Clear the way if that is worth more, else shoot the preferred seat, else a wall that shelters no friend."""
    walls = (options & ~(1 << NONE_OPTION)) >> FIRST_WALL
    if shoots_wall(table, seat, rules):
        in_the_way = wall_in_the_way(table, seat, rules)
        if walls >> in_the_way & 1:
            return FIRST_WALL + in_the_way
    amount = max(rules.value[Rule.CROSSHAIRS_DAMAGE], table.damage)
    target = best_target(table, seat, options & ((1 << FIRST_WALL) - 1), amount, rules)
    if target != NOBODY:
        return target
    foreign = walls & ~(1 << table.space[seat])
    if foreign == 0:
        return NONE_OPTION if options >> NONE_OPTION & 1 else lowest_bit(options)
    sheltering = 0
    for other in range(table.n_seats):
        if others(table, seat) >> other & 1:
            sheltering |= foreign & 1 << table.space[other]
    return FIRST_WALL + nearest_ahead(table, seat, sheltering if sheltering != 0 else foreign, rules)


@cold
def nearest_ahead(table: Any, seat: int, spaces: int, rules: Any) -> int:
    """Return the nearest of some spaces ahead of a pawn, its own the last."""
    space = wrap(table.space[seat] + 1, rules.n_spaces)
    return wrap(space + lowest_bit(turned_to(spaces, space, rules.n_spaces)), rules.n_spaces)


@cold
def choose_wall_to_bomb(table: Any, seat: int, walls: int) -> int:
    """Bomb every wall but one's own shelter."""
    return lowest_bit(walls & ~(1 << table.space[seat]) | 1 << NONE_OPTION)


@cold
def choose_modifier(table: Any, seat: int, cards: int, rules: Any) -> int:
    """Take a card that hurts more, then one that reaches a better target; none against a wall."""
    if shoots_wall(table, seat, rules):
        return NO_CARD
    sees = in_sight(table, seat, table.space[seat], rules)
    now = max(rules.value[Rule.CROSSHAIRS_DAMAGE], table.damage)
    reach = unprotected(table, seat) if table.is_sightless != 0 else sees
    least = score_of_shot(table, seat, reach, now, rules)
    most = least
    tied = 0
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        worth = score_of_card(table, seat, card, reach, rules)
        if worth > most:
            most = worth
            tied = 0
        if worth == most and most > least:
            tied |= 1 << card
    return NO_CARD if tied == 0 else by_lot(table, seat, Lot.CARD, tied)


@cold
def score_of_card(table: Any, seat: int, card: int, reach: int, rules: Any) -> int:
    """Return what the shot is worth with one more card."""
    now = max(rules.value[Rule.CROSSHAIRS_DAMAGE], table.damage)
    amount = rules.loot_amount[card]
    if rules.loot_effect[card] == Loot.AREA_DAMAGE:
        sees = in_sight(table, seat, table.space[seat], rules)
        is_sheltered = table.walls >> table.space[seat] & 1
        return (
            harm_of_all(table, sees, amount, rules) - rules.weight[Weight.WORTH_OF_SHELTER] * is_sheltered
        ) * SCORE_OF_HP
    if rules.value[Rule.CROSSHAIRS_STACK] == CrosshairsStack.SUM:
        amount += table.damage
    if rules.sightless >> card & 1:
        reach = unprotected(table, seat)
    return score_of_shot(table, seat, reach, max(now, amount), rules)


@cold
def score_of_shot(table: Any, seat: int, reach: int, amount: int, rules: Any) -> int:
    """Return what a shot at the preferred of some seats is worth, 0 if there is none."""
    if reach == 0:
        return 0
    target = best_target(table, seat, reach, amount, rules)
    return harm(table, target, amount, rules) * SCORE_OF_HP + prefer(table, seat, target, amount, rules)


@cold
def harm_of_wall(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return what a wall on a space is worth: shelter on one's own, else what it costs others that it stops."""
    if space == table.space[seat]:
        attackers = others(table, seat) & pawns_on(table, seen_from(table, space, rules))
        return rules.weight[Weight.WORTH_OF_SHELTER] * popcount(attackers) + 1
    cost = 0
    for other in range(table.n_seats):
        distance = wrap(space + rules.n_spaces - table.space[other], rules.n_spaces)
        is_near = 1 <= distance <= rules.value[Rule.NUMBER_DIE_FACES]
        if is_near and others(table, seat) >> other & 1:
            cost -= landing_change(table, other, space, rules)
    return cost


@cold
def choose_wall(table: Any, seat: int, options: int, rules: Any) -> int:
    """Build where a wall shelters oneself or costs others most; nowhere if it helps nobody."""
    tied = 0
    most = 0
    spaces = options & ~(1 << NONE_OPTION)
    if spaces == options:
        tied = options
    while spaces != 0:
        space = lowest_bit(spaces)
        spaces &= spaces - 1
        worth = harm_of_wall(table, seat, space, rules)
        if worth > most:
            most = worth
            tied = 0
        if worth == most and most > 0:
            tied |= 1 << space
    return NONE_OPTION if tied == 0 else by_lot(table, seat, Lot.PLACE, tied)


@cold
def choose_wall_to_take(table: Any, seat: int, options: int) -> int:
    """Take a wall that does not shelter oneself."""
    foreign = options & ~(1 << table.space[seat])
    return by_lot(table, seat, Lot.PLACE, foreign if foreign != 0 else options)


@cold
def choose_jail(table: Any, seat: int, options: int, rules: Any) -> int:
    """Leave when it is free; pay while it leaves a reserve of HP."""
    if options >> JailOption.LEAVE & 1:
        return JailOption.LEAVE
    if options >> JailOption.PAY & 1 and would_pay_to_leave(table, seat, rules) and may_go_out(table, seat, rules):
        return JailOption.PAY
    return JailOption.ROLL


@cold
def may_go_out(table: Any, seat: int, rules: Any) -> bool:
    """Return whether what lies ahead does not cost more than a seat dreads."""
    faces = rules.value[Rule.NUMBER_DIE_FACES]
    change = 0
    for steps in range(1, faces + 1):
        change += foreseen_change(table, seat, end_of_move(table, table.space[seat], steps, rules), rules)
    return change >= -rules.weight[Weight.JAIL_DREAD] * faces


@cold
def choose_start(table: Any, seat: int, placed: int, options: int, rules: Any) -> int:
    """Take the best ranked space that no pawn placed before can see, or as one's habit is."""
    once = twice = four_times = taken = 0
    for other in range(table.n_seats):
        if placed >> other & 1:
            sees = seen_from(table, table.space[other], rules)
            four_times |= twice & once & sees
            twice ^= once & sees
            once ^= sees
            taken |= 1 << table.space[other]
    seen = once | twice | four_times
    if options & ~taken != 0:
        options &= ~taken
    if has_habit(table, seat, GATHERS):
        wanted = seen
    elif has_habit(table, seat, STARTS_ON_CORNER):
        wanted = rules.spaces_of[Kind.FREE_PARKING] | rules.spaces_of[Kind.GO] | rules.spaces_of[Kind.JAIL]
        wanted |= rules.spaces_of[Kind.GO_TO_JAIL]  # whose action is skipped (N-R8)
    else:
        wanted = ~0
    if options & wanted != 0:
        options &= wanted
    if not has_habit(table, seat, GATHERS):
        options = least_crowded(options, once, twice, four_times)
    return best_start(table, seat, options, rules)


@cold
def choose_item(table: Any, seat: int, cards: int, rules: Any) -> int:
    """Use a one-time card that is worth it now, or that does anything if one spends them at once; of several by lot."""
    paying = 0
    spends = has_habit(table, seat, SPENDS)
    room = rules.value[Rule.HP_CAP] - table.hp[seat]
    while cards != 0:
        card = lowest_bit(cards)
        cards &= cards - 1
        effect = rules.loot_effect[card]
        amount = rules.loot_amount[card]
        pays = False
        if effect == Loot.REFILL:
            pays = table.hp[seat] <= rules.weight[Weight.REFILL_BELOW] or (spends and room > 0)
        elif effect == Loot.HEAL:
            pays = room >= amount or (spends and room > 0)
        elif effect == Loot.CLINGER:
            space = best_area(table, seat, table.walls, amount, rules)
            pays = not table.walls >> space & 1 and area_score(table, seat, space, amount, NOBODY, rules) > 0
        elif effect == Loot.BOUNCER:
            allowed = bounces(table, seat, amount, rules)
            plan = best_bounce(table, seat, allowed, rules) if allowed != 0 else NOBODY
            least = 1 if spends else rules.weight[Weight.MOVER_GAIN]
            pays = plan != NOBODY and bounce_score(table, seat, plan, rules) >= least
        if pays:
            paying |= 1 << card
    return NO_CARD if paying == 0 else by_lot(table, seat, Lot.CARD, paying)


@cold
def bounce_score(table: Any, seat: int, option: int, rules: Any) -> int:
    """Return what moving a pawn is worth: its loss, or one's own gain."""
    target = option >> STRIDE_BITS
    space = end_of_move(table, table.space[target], bounced_steps(option), rules)
    if target == seat:
        return foreseen_change(table, seat, space, rules)
    loss = landing_loss(table, target, space, rules)
    return harm(table, target, loss, rules) if loss > 0 else -landing_change(table, target, space, rules)


best_bounce = best_move_by(bounce_score, STRIDE_BITS)
"""Return the best of the legal options of BOUNCER."""


@hot
def choose_bonus() -> int:
    """Collect whatever there is."""
    return BonusOption.COLLECT


@cold
def gain_of_storm(table: Any, seat: int, space: int, rules: Any) -> int:
    """Return how well a stormed space suits a seat: what costs most, not of one's own sets, then the farthest ahead."""
    location = rules.location_at[space]
    worth = -storm_change(space, rules)
    touches = location >= 0 and table.own[seat] & rules.set_mask[max(location, 0)] != 0
    if touches and not has_habit(table, seat, BREAKS_SETS):
        worth -= rules.weight[Weight.WORTH_OF_SET]
    return worth * SPACES_PER_HP + wrap(space + rules.n_spaces - table.space[seat], rules.n_spaces)


choose_storm_space = best_by(gain_of_storm)
"""Let the Storm take what costs most, not one's own sets; of equals the one farthest ahead of oneself."""
