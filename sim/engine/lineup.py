"""Line-ups: one policy per seat, and the rotations that move a line-up round the seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.components import nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.engine.contract import Game, Policy

Lineup = tuple["Policy", ...]


def make_lineup(game: Game, names: Sequence[str], n_seats: int) -> Lineup:
    """Return one policy per seat.

    Args:
        game: The game whose policies are named.
        names: One name for all seats, or one per seat.
        n_seats: Seats at the table.

    Raises:
        ValueError: A policy is unknown, or their number fits neither one nor the seats.

    """
    known = [policy.name for policy in game.policies]
    for name in names:
        if name not in known:
            message = f"policies: found '{name}', expected one of {', '.join(known)}{nearest(str(name), known)}"
            raise ValueError(message)
    if len(names) not in (1, n_seats):
        message = f"policies: found {len(names)} names for {n_seats} seats, expected 1 or {n_seats}"
        raise ValueError(message)
    chosen = [game.policy(name) for name in names]
    return tuple(chosen * n_seats if len(chosen) == 1 else chosen)


def rotations(lineup: Lineup) -> list[Lineup]:
    """Return the different rotations of a line-up; rotation r puts the policy of chair 0 into chair r."""
    n_seats = len(lineup)
    rotated = [tuple(lineup[(seat - shift) % n_seats] for seat in range(n_seats)) for shift in range(n_seats)]
    return list(dict.fromkeys(rotated))
