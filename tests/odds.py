"""Exact odds of the duel without cards and of Pig under a policy that holds, by solving their recursions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

Odds = dict[tuple[tuple[int, ...], int], np.ndarray]


def duel_odds(n_seats: int, start_hp: int, hit: float) -> Odds:
    """Return each seat's chance by HP and who moves; a hit takes 1 HP of the next seat that is left."""
    found: Odds = {}
    for hp in sorted(product(range(start_hp + 1), repeat=n_seats), key=sum):
        alive = [seat for seat in range(n_seats) if hp[seat] > 0]
        if len(alive) > 1:
            known, unknown = np.zeros((len(alive), n_seats)), np.eye(len(alive))
            for place, seat in enumerate(alive):
                target = alive[(place + 1) % len(alive)]
                left = tuple(number - (other == target) for other, number in enumerate(hp))
                follower = next_seat(left, seat)
                known[place] = hit * found[left, follower]
                unknown[place, (place + 1) % len(alive)] -= 1 - hit
            solved = np.linalg.solve(unknown, known)
            found.update({(hp, seat): solved[place] for place, seat in enumerate(alive)})
        for seat in alive[: len(alive) == 1]:
            found[hp, seat] = np.eye(n_seats)[seat]
    return found


def next_seat(hp: tuple[int, ...], seat: int) -> int:
    """Return the next seat clockwise that has HP left, itself last."""
    ring = [(seat + step) % len(hp) for step in range(1, len(hp) + 1)]
    return next(other for other in ring if hp[other] > 0)


def pig_odds(goal: int, hold_at: int = 20) -> tuple[np.ndarray, Callable[[int, int, int], tuple[float, float]]]:
    """Return the chance of who moves by both scores, and what rolling and holding are worth by those and the total.

    Args:
        goal: Score that wins.
        hold_at: Total of a turn at which both hold.

    """
    added = {need: _added(need, hold_at) for need in range(1, goal + 1)}
    wins = np.zeros((goal, goal))

    def once(mine: int, other: int) -> tuple[float, float]:
        """Return the chance of winning by a turn that adds something, and that of a turn that adds nothing."""
        chances = added[goal - mine][0]
        won = sum(
            chance * (1.0 if mine + more >= goal else 1 - wins[other, mine + more])
            for more, chance in chances.items()
            if more > 0
        )
        return won, chances[0]

    for total in range(2 * goal - 2, -1, -1):
        for mine in range(max(0, total - goal + 1), total // 2 + 1):
            other = total - mine
            (first, none), (second, nothing) = once(mine, other), once(other, mine)
            wins[mine, other] = (first + none * (1 - second - nothing)) / (1 - none * nothing)
            wins[other, mine] = second + nothing * (1 - wins[mine, other])

    def worth(mine: int, other: int, total: int) -> tuple[float, float]:
        """Return what rolling and holding are worth."""
        chances = added[goal - mine][total]
        ends = {more: 1.0 if mine + more >= goal else 1 - wins[other, mine + more] for more in {*chances, total}}
        return sum(chance * ends[more] for more, chance in chances.items()), ends[total]

    return wins, worth


def _added(need: int, hold_at: int) -> list[dict[int, float]]:
    """Return by a turn's total how likely another roll, and those that follow it, end with what added."""
    ends = min(need, hold_at)
    found: list[dict[int, float]] = [{} for _ in range(ends + 6)]
    for total in range(ends + 5, -1, -1):
        chances = {0: 1 / 6}
        for face in range(2, 7):
            then = {total + face: 1.0} if total + face >= ends else found[total + face]
            for more, chance in then.items():
                chances[more] = chances.get(more, 0.0) + chance / 6
        found[total] = chances
    return found
