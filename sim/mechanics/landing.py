"""Landing on a location: claiming it, or paying for it; and who draws the card that is due for GO."""

from __future__ import annotations

from typing import Any

from sim.engine.contract import NOBODY
from sim.engine.playing import next_living, settle
from sim.jit import cold
from sim.mechanics.claims import give_location
from sim.mechanics.health import pay
from sim.mechanics.words import ClaimOption, Common, GoDrawDead, SetOnClaim


@cold
def visit_location(state: Any, seat: int, location: int, is_optional: bool, rules: Any) -> bool:
    """Claim a free location, or pay on another's; return whether it is one's own to collect for a set on.

    Source: F-R23, F-R25, F-R26; N-R15, N-R17, N-R20.
    """
    owner = state.table.owner[location]
    if owner == NOBODY:
        is_claimed = claim(state, seat, location, is_optional, rules)
        return is_claimed and rules.common[Common.SET_ON_CLAIM] == SetOnClaim.BONUS
    if owner != seat:
        pay(state, seat, rules.cost[location], rules.common[Common.SOURCE_TOLL], rules)
        return False
    return True


@cold
def claim(state: Any, seat: int, location: int, is_optional: bool, rules: Any) -> bool:
    """Take the card of an unclaimed location for free, if one likes where one may choose (F-R23, N-R15)."""
    if is_optional:
        options = 1 << ClaimOption.LEAVE | 1 << ClaimOption.CLAIM
        purpose = rules.common[Common.PURPOSE_CHOICE]
        option = settle(state, rules.common[Common.DECISION_CLAIM], seat, options, ClaimOption.CLAIM + 0, purpose)
        if option == ClaimOption.LEAVE:
            return False
    give_location(state, seat, location, rules)
    return True


@cold
def drawer_for_go(table: Any, seat: int, rules: Any) -> int:
    """Return who draws the card due to a seat for GO: for the fallen the next to the left, or NOBODY (F-R34, N-R13)."""
    if table.alive >> seat & 1:
        return seat
    if rules.common[Common.GO_DRAW_DEAD] == GoDrawDead.NO_DRAW:
        return NOBODY + 0
    return next_living(table.alive, seat)
