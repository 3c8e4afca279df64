"""Where pawns can be moved to: Bouncers, and moves that a wall may stop (N-R39, N-R47)."""

from __future__ import annotations

from typing import Any, Final

from sim.games.fortnite.words import (
    BouncerDirection,
    BouncerJailed,
    BouncerSelf,
    BouncerWallTarget,
    Rule,
    WallSpace,
)
from sim.jit import cold
from sim.mechanics.ring import moved_on

STRIDE_BITS: Final = 3
STRIDE: Final = 1 << STRIDE_BITS  # option of BOUNCER = seat x 8 + steps - 1 forwards, + 4 more backwards
BACKWARDS: Final = 4


@cold
def movable(table: Any, seat: int, rules: Any) -> int:
    """Return the seats that a Bouncer may move."""
    seats = 0
    for target in range(table.n_seats):
        is_barred = table.jailed[target] != 0 and rules.value[Rule.BOUNCER_JAILED] == BouncerJailed.NOT_MOVABLE
        is_self = target == seat and rules.value[Rule.BOUNCER_SELF] == BouncerSelf.OTHERS_ONLY
        is_immune = rules.value[Rule.BOUNCER_WALL_TARGET] == BouncerWallTarget.IMMUNE
        is_immune = is_immune and table.walls >> table.space[target] & 1 != 0
        if table.alive >> target & 1 and not is_barred and not is_self and not is_immune:
            seats |= 1 << target
    return seats


@cold
def bounces(table: Any, seat: int, amount: int, rules: Any) -> int:
    """Return the moves that a Bouncer of an amount allows a seat, as options of BOUNCER."""
    steps = (1 << amount) - 1
    if rules.value[Rule.BOUNCER_DIRECTION] == BouncerDirection.BOTH:
        steps |= steps << BACKWARDS
    seats = movable(table, seat, rules)
    options = 0
    for target in range(table.n_seats):
        if seats >> target & 1:
            options |= steps << target * STRIDE
    return options


@cold
def bounced_steps(option: int) -> int:
    """Return the steps of an option of BOUNCER, negative backwards."""
    steps = (option & BACKWARDS - 1) + 1
    return -steps if option & BACKWARDS != 0 else steps


@cold
def end_of_move(table: Any, space: int, steps: int, rules: Any) -> int:
    """Return the space that a move ends on, as far as walls let it (N-R47)."""
    direction = 1 if steps > 0 else -1
    if table.walls == 0:
        return moved_on(space, abs(steps), direction, rules.n_spaces)
    for _step in range(abs(steps)):
        ahead = moved_on(space, 1, direction, rules.n_spaces)
        if table.walls >> ahead & 1:
            return ahead if rules.value[Rule.WALL_SPACE] == WallSpace.ON_IT else space
        space = ahead
    return space
