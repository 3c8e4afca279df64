"""The numbers of Pig, packed for kernels."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from sim.components import Components, Ruleset
from sim.jit import make_records, padded

FOLDER = Path(__file__).parent


class Rule(IntEnum):
    """Numbers of `data/rules.toml`, in a rules record's `value`."""

    GOAL = 0
    DIE_FACES = 1
    LOSING_ROLL = 2
    TURN_LIMIT = 3


class Purpose(IntEnum):
    """What a draw is for; append only (RULES.md 6)."""

    DIE = 0
    CHOICE = 1


class Decision(IntEnum):
    """Kinds of decisions (RULES.md 5)."""

    ROLL_OR_HOLD = 0


class Option(IntEnum):
    """Options of ROLL_OR_HOLD."""

    ROLL = 0
    HOLD = 1


class Event(IntEnum):
    """Kinds of events (RULES.md 7)."""

    DECISION = 0
    TURN = 1
    ROLL = 2
    HOLD = 3
    END = 4


class End(IntEnum):
    """How a playout ended, in END."""

    WON = 0
    TURN_LIMIT = 2


RULES = padded([("value", np.int64, (len(Rule),))])


def load() -> Components:
    """Read and check the rules of Pig."""
    return Components.load(FOLDER)


def pack(ruleset: Ruleset) -> Any:
    """Turn a resolved ruleset into a rules record."""
    rules = make_records(RULES)
    for rule in Rule:
        rules["value"][0, rule] = ruleset.rules[rule.name.lower()]
    return rules
