"""Rules of thumb that both games follow: the best option, what things are worth, whether to pay in Jail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.engine.contract import NOBODY
from sim.jit import cold, lowest_bit
from sim.mechanics.claims import owns_set
from sim.mechanics.targets import NO_SCORE, NOTHING, best_target
from sim.mechanics.ties import Lot, by_lot
from sim.mechanics.weights import Weight
from sim.mechanics.words import Common

if TYPE_CHECKING:
    from collections.abc import Callable


def ties_by(score: Callable[[Any, int, int, Any], int]) -> Callable[[Any, int, int, Any], int]:
    """Return a kernel that finds the options of highest score.

    Args:
        score: A kernel that scores an option: `score(table, seat, option, rules)`, higher is better.

    Returns:
        A kernel `ties(table, seat, options, rules)`; `options` and what it returns are masks and not 0.

    """

    @cold
    def ties(table: Any, seat: int, options: int, rules: Any) -> int:
        """Return the options of highest score."""
        tied = 0
        most = NO_SCORE
        while options != 0:
            option = lowest_bit(options)
            options &= options - 1
            worth = score(table, seat, option, rules)
            if worth > most:
                most = worth
                tied = 0
            if worth == most:
                tied |= 1 << option
        return tied

    return ties


def best_by(score: Callable[[Any, int, int, Any], int], kind: int = 0) -> Callable[[Any, int, int, Any], int]:
    """Return a kernel that takes the option of highest score, of equals one by lot.

    Args:
        score: As for `ties_by`.
        kind: What lots are drawn among, a `Lot`.

    Returns:
        A kernel `best(table, seat, options, rules)`; `options` is a mask and not 0.

    """
    ties = ties_by(score)

    @cold
    def best(table: Any, seat: int, options: int, rules: Any) -> int:
        """Return the option of highest score."""
        return by_lot(table, seat, kind, ties(table, seat, options, rules))

    return best


def best_move_by(score: Callable[[Any, int, int, Any], int], stride_bits: int) -> Callable[[Any, int, int, Any], int]:
    """Return a kernel that takes the best move of a pawn: of equals the preferred target's, then one by lot.

    Args:
        score: As for `ties_by`.
        stride_bits: An option is a seat shifted by so many bits, and how it is moved.

    Returns:
        A kernel as of `best_by`.

    """
    ties = ties_by(score)
    one_seat = (1 << (1 << stride_bits)) - 1

    @cold
    def best(table: Any, seat: int, options: int, rules: Any) -> int:
        """Return the move of highest score."""
        tied = ties(table, seat, options, rules)
        seats = 0
        for target in range(table.n_seats):
            if tied >> (target << stride_bits) & one_seat != 0:
                seats |= 1 << target
        if seats & ~(1 << seat) != 0:
            seats &= ~(1 << seat)
        first = best_target(table, seat, seats, NOTHING, rules) << stride_bits
        return first + by_lot(table, seat, Lot.PLACE, tied >> first & one_seat)

    return best


@cold
def location_change(table: Any, seat: int, location: int, rules: Any) -> int:
    """Return about how many HP landing on a location that is not stormed is worth to a seat."""
    owner = table.owner[location]
    if owner == NOBODY:
        return rules.weight[Weight.WORTH_OF_CLAIM]
    if owner != seat:
        return -rules.cost[location]
    return rules.common[Common.SET_BONUS] if owns_set(table, seat, location, rules) else 0


@cold
def would_pay_to_leave(table: Any, seat: int, rules: Any) -> bool:
    """Return whether paying in Jail leaves a reserve of HP."""
    return table.hp[seat] >= rules.weight[Weight.JAIL_RESERVE] + rules.common[Common.JAIL_COST]


@cold
def card_worth(table: Any, seat: int, card: int, cards: int, rules: Any) -> int:
    """Return what a loot card is worth to a seat now, which has it or could have it among some cards."""
    bit = 1 << card
    if rules.guns & bit != 0 and is_outdone(card, cards, rules):
        return 0
    worth = rules.loot_worth[card]
    if rules.refills & bit != 0:
        worth = max(worth, rules.common[Common.HP_CAP] - table.hp[seat])
    return worth


@cold
def is_outdone(card: int, cards: int, rules: Any) -> bool:
    """Return whether another gun among some cards does all that this one does; only one is used for a shot."""
    rivals = cards & rules.guns & ~(1 << card) & ~rules.one_time
    if rules.sightless >> card & 1:
        rivals &= rules.sightless
    while rivals != 0:
        if rules.loot_amount[lowest_bit(rivals)] >= rules.loot_amount[card]:
            return True
        rivals &= rivals - 1
    return False
