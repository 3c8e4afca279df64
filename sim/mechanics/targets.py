"""Whom a policy would like to harm: by HP, by dangerous cards, or by nearness, as its weights say."""

from __future__ import annotations

from typing import Any, Final

from sim.engine.contract import NOBODY
from sim.jit import cold, hot, lowest_bit
from sim.mechanics.ring import turned_to, wrap

BY_HP: Final = 0  # places of the weights among a policy's parameters
BY_DANGER: Final = 1
BY_NEARNESS: Final = 2
NO_SCORE: Final = -(1 << 40)


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
