"""Whom a policy would like to harm: by HP, by dangerous cards, or by nearness, as its weights say."""

from __future__ import annotations

from typing import Any, Final

from sim.engine.contract import NOBODY
from sim.jit import cold, hot, lowest_bit, popcount
from sim.mechanics.ring import others, pawns_on, spaces_of, turned_to, wrap
from sim.mechanics.words import OrderOption

BY_HP: Final = 0  # places of the weights among a policy's parameters
BY_DANGER: Final = 1
BY_NEARNESS: Final = 2
NO_SCORE: Final = -(1 << 40)
SCORE_OF_DAMAGE: Final = 1 << 20  # damage first, then the better target; also what hitting oneself weighs
SCORE_OF_TARGET: Final = 1 << 17  # of a space; the seven others of a full table weigh less than oneself


@cold
def danger(table: Any, seat: int, rules: Any) -> int:
    """Return what a seat's loot is worth as others see it, and what lies before it besides."""
    worth = table.kit_worth[seat]
    hand = table.hand[seat]
    while hand != 0:
        worth += rules.loot_danger[lowest_bit(hand)]
        hand &= hand - 1
    return worth


@hot
def prefer(table: Any, seat: int, target: int, rules: Any) -> int:
    """Return how much `seat` would like to harm `target`."""
    distance = wrap(target + table.n_seats - seat, table.n_seats)
    score = table.parameter[seat, BY_HP] * table.hp[target]
    score -= table.parameter[seat, BY_NEARNESS] * distance
    if table.parameter[seat, BY_DANGER] != 0:
        score += table.parameter[seat, BY_DANGER] * danger(table, target, rules)
    return score


@cold
def best_target(table: Any, seat: int, targets: int, rules: Any) -> int:
    """Return the preferred one of a mask of seats; ties go to the next clockwise; NOBODY if there is none."""
    best = NOBODY
    best_score = NO_SCORE
    left = turned_to(targets, seat, table.n_seats)
    while left != 0:
        target = wrap(seat + lowest_bit(left), table.n_seats)
        left &= left - 1
        score = prefer(table, seat, target, rules)
        if score > best_score:
            best = target
            best_score = score
    return best


@cold
def best_score(table: Any, seat: int, targets: int, rules: Any) -> int:
    """Return the preference of the preferred target, NO_SCORE if there is none."""
    score = NO_SCORE
    while targets != 0:
        score = max(score, prefer(table, seat, lowest_bit(targets), rules))
        targets &= targets - 1
    return score


@cold
def order_of_shot(table: Any, seat: int, now: int, later: int, rules: Any) -> int:
    """Shoot first, unless the move brings a better target into sight than those in sight now."""
    if later & ~now == 0:
        return OrderOption.ACTION_FIRST
    is_better = best_score(table, seat, later, rules) > best_score(table, seat, now, rules)
    return OrderOption.NUMBER_FIRST if is_better else OrderOption.ACTION_FIRST


@cold
def area_score(table: Any, seat: int, space: int, favourite: int) -> int:
    """Return how good it is to hit all on a space: targets hit, the preferred one first, never oneself."""
    hit = table.alive & pawns_on(table, 1 << space)
    score = popcount(hit & ~(1 << seat)) * SCORE_OF_TARGET - (hit >> seat & 1) * SCORE_OF_DAMAGE
    if favourite != NOBODY:
        score += hit >> favourite & 1
    return score


@cold
def best_area(table: Any, seat: int, sheltered: int, rules: Any) -> int:
    """Return the space where most others can be hit and oneself cannot; of empty ones only the first is looked at."""
    favourite = best_target(table, seat, others(table, seat), rules)
    spaces = spaces_of(table, table.alive)
    spaces |= ~spaces & (spaces + 1)
    best = 0
    score = NO_SCORE
    while spaces != 0:
        space = lowest_bit(spaces)
        spaces &= spaces - 1
        found = 0 if sheltered >> space & 1 else area_score(table, seat, space, favourite)
        if found > score:
            score = found
            best = space
    return best


@cold
def best_start(options: int, rules: Any) -> int:
    """Return the best ranked of some spaces."""
    for rank in range(rules.n_spaces):
        if options >> rules.start_order[rank] & 1:
            return rules.start_order[rank]
    return lowest_bit(options)
