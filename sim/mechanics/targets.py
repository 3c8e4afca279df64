"""Whom a policy would like to harm: by HP, by dangerous cards, or by nearness, as its weights say; a kill first."""

from __future__ import annotations

from typing import Any, Final

from sim.engine.contract import NOBODY
from sim.jit import cold, hot, lowest_bit
from sim.mechanics.ring import others, pawns_on, spaces_of, turned_to, wrap
from sim.mechanics.ties import Lot, by_lot
from sim.mechanics.weights import Weight
from sim.mechanics.words import OrderOption

BY_HP: Final = 0  # places of the weights among a policy's parameters
BY_DANGER: Final = 1
BY_NEARNESS: Final = 2
NO_SCORE: Final = -(1 << 40)
SCORE_OF_HP: Final = 1 << 20  # harm in HP first, then the better target
SCORE_OF_KILL: Final = 1 << 19  # of targets that lose the same, whoever falls by it; more than any preference
NOTHING: Final = 0  # amount of an attack that nobody falls by


@cold
def danger(table: Any, seat: int, rules: Any) -> int:
    """Return how dangerous a seat's loot and what lies before it look to the others."""
    worth = table.kit_danger[seat]
    hand = table.hand[seat]
    while hand != 0:
        worth += rules.loot_danger[lowest_bit(hand)]
        hand &= hand - 1
    return worth


@hot
def prefer(table: Any, seat: int, target: int, amount: int, rules: Any) -> int:
    """Return how much `seat` would like to harm `target` by so many HP."""
    distance = wrap(target + table.n_seats - seat, table.n_seats)
    score = table.parameter[seat, BY_HP] * table.hp[target]
    score -= table.parameter[seat, BY_NEARNESS] * distance
    if table.parameter[seat, BY_DANGER] != 0:
        score += table.parameter[seat, BY_DANGER] * danger(table, target, rules)
    return score + SCORE_OF_KILL * int(table.hp[target] <= amount)


@cold
def best_target(table: Any, seat: int, targets: int, amount: int, rules: Any) -> int:
    """Return the preferred one of a mask of seats; ties go to the next clockwise; NOBODY if there is none."""
    best = NOBODY
    best_score = NO_SCORE
    left = turned_to(targets, seat, table.n_seats)
    while left != 0:
        target = wrap(seat + lowest_bit(left), table.n_seats)
        left &= left - 1
        score = prefer(table, seat, target, amount, rules)
        if score > best_score:
            best = target
            best_score = score
    return best


@cold
def best_score(table: Any, seat: int, targets: int, amount: int, rules: Any) -> int:
    """Return the preference of the preferred target, NO_SCORE if there is none."""
    score = NO_SCORE
    while targets != 0:
        score = max(score, prefer(table, seat, lowest_bit(targets), amount, rules))
        targets &= targets - 1
    return score


@cold
def order_of_shot(table: Any, seat: int, now: int, later: int, amount: int, rules: Any) -> int:
    """Shoot first, unless nobody is in sight now, or the move brings a better target into sight."""
    if now == 0:
        return OrderOption.NUMBER_FIRST
    if later & ~now == 0:
        return OrderOption.ACTION_FIRST
    is_better = best_score(table, seat, later, amount, rules) > best_score(table, seat, now, amount, rules)
    return OrderOption.NUMBER_FIRST if is_better else OrderOption.ACTION_FIRST


@hot
def harm(table: Any, target: int, amount: int, rules: Any) -> int:
    """Return what it is worth, in HP, that a seat loses so many: what it has, and more if it falls."""
    if table.hp[target] <= amount:
        return table.hp[target] + rules.weight[Weight.WORTH_OF_KILL]
    return amount


@cold
def harm_of_all(table: Any, targets: int, amount: int, rules: Any) -> int:
    """Return what it is worth, in HP, that all of some seats lose so many."""
    worth = 0
    while targets != 0:
        worth += harm(table, lowest_bit(targets), amount, rules)
        targets &= targets - 1
    return worth


@cold
def area_score(table: Any, seat: int, space: int, amount: int, favourite: int, rules: Any) -> int:
    """Return how good it is to hit all on a space: what they lose, the preferred target first, never oneself."""
    hit = table.alive & pawns_on(table, 1 << space)
    if hit >> seat & 1:
        return -SCORE_OF_HP
    score = harm_of_all(table, hit, amount, rules) * SCORE_OF_HP
    if favourite != NOBODY:
        score += hit >> favourite & 1
    return score


@cold
def best_area(table: Any, seat: int, sheltered: int, amount: int, rules: Any) -> int:
    """Return the space where others lose most and oneself nothing; of empty ones only the nearest ahead counts."""
    favourite = best_target(table, seat, others(table, seat), amount, rules)
    spaces = spaces_of(table, table.alive)
    empty = turned_to(~spaces & ((1 << rules.n_spaces) - 1), table.space[seat], rules.n_spaces)
    if empty != 0:
        spaces |= 1 << wrap(table.space[seat] + lowest_bit(empty), rules.n_spaces)
    tied = 0
    score = NO_SCORE
    while spaces != 0:
        space = lowest_bit(spaces)
        spaces &= spaces - 1
        found = 0
        if not sheltered >> space & 1:
            found = area_score(table, seat, space, amount, favourite, rules)
        if found > score:
            score = found
            tied = 0
        if found == score:
            tied |= 1 << space
    return by_lot(table, seat, Lot.PLACE, tied)


@cold
def best_start(table: Any, seat: int, options: int, rules: Any) -> int:
    """Return the best ranked of some spaces."""
    for rank in range(rules.n_spaces):
        best = options & rules.start_class[rank]
        if best != 0:
            return by_lot(table, seat, Lot.PLACE, best)
    return lowest_bit(options)


@cold
def least_crowded(options: int, once: int, twice: int, four_times: int) -> int:
    """Return those of some spaces that fewest pawns see, given by how many do as the three bits of a number."""
    for some in (four_times, twice, once):
        if options & ~some != 0:
            options &= ~some
    return options
