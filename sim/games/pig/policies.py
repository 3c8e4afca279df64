"""Policies of Pig: when to hold."""

from __future__ import annotations

from typing import Any

from sim.engine.contract import Policy
from sim.games.pig.rules import Option, Rule
from sim.jit import hot

HOLD_AT = 0  # place of the threshold among a policy's parameters

POLICIES = (
    Policy("random", 0, "rolls or holds with equal chances"),
    Policy("hold_20", 1, "holds at a turn total of 20, or when it wins by holding", (20,)),
    Policy("hold_15", 2, "holds at a turn total of 15, or when it wins by holding", (15,)),
    Policy("hold_25", 3, "holds at a turn total of 25, or when it wins by holding", (25,)),
)


@hot
def wants(table: Any, seat: int, rules: Any) -> int:
    """Hold once the turn total reaches the threshold or the goal."""
    wins = table.score[seat] + table.turn_total >= rules.value[Rule.GOAL]
    if wins or table.turn_total >= table.parameter[seat, HOLD_AT]:
        return Option.HOLD
    return Option.ROLL
