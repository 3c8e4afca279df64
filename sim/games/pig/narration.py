"""Tells a playout of Pig in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim.engine.seating import seat_name
from sim.games.pig.rules import End, Event, Option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.components import Ruleset


def narrate(_ruleset: Ruleset, n_seats: int, events: Sequence[Sequence[int]]) -> list[str]:
    """Return one line per event of a playout."""
    return [f"Pig, {n_seats} seats", *(_tell(event) for event in events)]


def _tell(event: Sequence[int]) -> str:
    kind, seat, first, second, _third = event
    if kind == Event.DECISION:
        return f"  {seat_name(seat)} chooses to {Option(second).name.lower()}"
    if kind == Event.TURN:
        return f"{seat_name(seat).capitalize()} takes its turn {first}"
    if kind == Event.ROLL:
        return f"  rolls {first}: the turn's total is {second}"
    if kind == Event.HOLD:
        return f"  keeps {first}: its score is {second}"
    return f"{seat_name(seat).capitalize()} wins" if first == End.WON else "Nobody wins: the turn limit is reached"
