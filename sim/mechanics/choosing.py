"""Rules of thumb that both games follow: the best option, what a location is worth, whether to pay in Jail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sim.engine.contract import NOBODY
from sim.jit import cold, lowest_bit
from sim.mechanics.claims import owns_set
from sim.mechanics.targets import NO_SCORE
from sim.mechanics.words import Common

if TYPE_CHECKING:
    from collections.abc import Callable

JAIL_RESERVE: Final = 8  # HP below which a seat rolls rather than pays
REFILL_BELOW: Final = 8  # HP at which a refill is worth its card
WORTH_OF_CLAIM: Final = 1


def best_by(score: Callable[[Any, int, int, Any], int]) -> Callable[[Any, int, int, Any], int]:
    """Return a kernel that takes the option of highest score, the first of equals.

    Args:
        score: A kernel that scores an option: `score(table, seat, option, rules)`, higher is better.

    Returns:
        A kernel `best(table, seat, options, rules)`; `options` is a mask and not 0.

    """

    @cold
    def best(table: Any, seat: int, options: int, rules: Any) -> int:
        """Return the option of highest score."""
        found = lowest_bit(options)
        most = NO_SCORE
        while options != 0:
            option = lowest_bit(options)
            options &= options - 1
            worth = score(table, seat, option, rules)
            if worth > most:
                most = worth
                found = option
        return found

    return best


@cold
def location_change(table: Any, seat: int, location: int, rules: Any) -> int:
    """Return about how many HP landing on a location that is not stormed is worth to a seat."""
    owner = table.owner[location]
    if owner == NOBODY:
        return WORTH_OF_CLAIM
    if owner != seat:
        return -rules.cost[location]
    return rules.common[Common.SET_BONUS] if owns_set(table, seat, location, rules) else 0


@cold
def would_pay_to_leave(table: Any, seat: int, rules: Any) -> bool:
    """Return whether paying in Jail leaves a reserve of HP."""
    return table.hp[seat] >= JAIL_RESERVE + rules.common[Common.JAIL_COST]
