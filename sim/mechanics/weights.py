"""What policies think of things, in HP: the numbers of `data/policies.toml`, which a variant may change like any other.

They are opinions, not rules. Kernels read them from a rules record's `weight`; what a game's file does not have is 0.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.components.reading import POLICY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.components import Ruleset

HARMFUL: Final = frozenset({"DAMAGE", "AREA_DAMAGE", "BOOGIE_BOMB", "BOMB", "CLINGER"})
"""Effects whose amount is HP that others lose."""


class Weight(IntEnum):
    """Places of a rules record's `weight`."""

    JAIL_RESERVE = 0
    JAIL_DREAD = 1
    REFILL_BELOW = 2
    SAVE_BELOW = 3
    MOVER_GAIN = 4
    WORTH_OF_KILL = 5
    WORTH_OF_CLAIM = 6
    WORTH_OF_LOCATION = 7
    WORTH_OF_SET = 8
    WORTH_OF_CHEST = 9
    COST_OF_JAIL = 10
    WORTH_OF_SHELTER = 11
    WORTH_OF_SIGHTLESS = 12
    WORTH_OF_DAMAGE = 13
    WORTH_OF_AREA_DAMAGE = 14
    WORTH_OF_MED_MIST = 15
    WORTH_OF_BOOGIE_BOMB = 16
    WORTH_OF_BUSH = 17
    WORTH_OF_HALVE = 18
    WORTH_OF_REFILL = 19
    WORTH_OF_HEAL = 20
    WORTH_OF_BOMB = 21
    WORTH_OF_MOVER = 22
    WORTH_OF_CLINGER = 23
    WORTH_OF_BOUNCER = 24
    DANGER_OF_HP = 25
    DANGER_OF_SIGHTLESS = 26
    DANGER_OF_DAMAGE = 27
    DANGER_OF_AREA_DAMAGE = 28
    DANGER_OF_BOOGIE_BOMB = 29
    DANGER_OF_BOMB = 30
    DANGER_OF_MOVER = 31
    DANGER_OF_CLINGER = 32
    DANGER_OF_BOUNCER = 33
    DANGER_OF_HIDDEN_CARD = 34
    WORTH_OF_HONEY_HITTERS = 35
    WORTH_OF_EXTRA_STORAGE = 36
    WORTH_OF_CROSSHAIRS_BONUS = 37
    WORTH_OF_MED_MIST_BONUS = 38
    WORTH_OF_BOOGIE_BOMB_BONUS = 39
    WORTH_OF_STORM_DISCOUNT = 40
    DANGER_OF_HONEY_HITTERS = 41
    DANGER_OF_CROSSHAIRS_BONUS = 42
    DANGER_OF_BOOGIE_BOMB_BONUS = 43
    START_GO = 44
    START_GO_TO_JAIL = 45
    START_LOCATION = 46
    START_TOLL = 47
    START_WALL = 48
    START_CAMPFIRE = 49
    START_TRAP = 50
    START_CHEST = 51


def weight_fields() -> list[tuple[Any, ...]]:
    """Return the fields of a rules record that hold what policies think."""
    return [("weight", np.int64, (len(Weight),))]


def pack_weights(rules: Any, ruleset: Ruleset) -> None:
    """Write what policies think into a rules record, by name."""
    for weight in Weight:
        rules["weight"][weight] = ruleset.rules.get(f"{POLICY}.{weight.name.lower()}", 0)


def opinion(rules: Any, name: str) -> int:
    """Return a weight by name, 0 for what policies have no opinion of."""
    return int(rules["weight"][Weight[name]]) if name in Weight.__members__ else 0


def pack_worth_of_card(rules: Any, card: int, effect: IntEnum, row: Mapping[str, Any]) -> None:
    """Write what a loot card is worth to who has it, and how dangerous it looks to others; a blank is nothing.

    Both are read from what the card does now, never from which card it is.
    """
    if effect.name == "BLANK":
        rules["loot_worth"][card] = rules["loot_danger"][card] = 0
        return
    amount, sees_all = int(row["amount"]), int(row["ignores_sight"])
    rules["loot_worth"][card] = opinion(rules, f"WORTH_OF_{effect.name}") + amount
    rules["loot_worth"][card] += opinion(rules, "WORTH_OF_SIGHTLESS") * sees_all
    danger = opinion(rules, f"DANGER_OF_{effect.name}")
    if effect.name in HARMFUL:
        danger += opinion(rules, "DANGER_OF_HP") * amount + opinion(rules, "DANGER_OF_SIGHTLESS") * sees_all
    rules["loot_danger"][card] = danger
    rules["guns"] |= (effect.name == "DAMAGE") << card
    rules["refills"] |= (effect.name == "REFILL") << card
    rules["heals"] |= (effect.name in {"REFILL", "HEAL"}) << card


def rank_starts(rules: Any, names: Sequence[str], reach: int) -> None:
    """Rank the spaces by what a first roll of up to `reach` brings on average: classes of equals, the best first."""
    size = len(names)
    worth = [opinion(rules, f"START_{name}") for name in names]
    for space in range(size):
        location = int(rules["location_at"][space])
        if location >= 0:
            worth[space] += opinion(rules, "START_TOLL") * int(rules["cost"][location])
    sums = [sum(worth[(space + steps + 1) % size] for steps in range(reach)) for space in range(size)]
    for rank, best in enumerate(sorted(set(sums), reverse=True)):
        rules["start_class"][rank] = sum(1 << space for space in range(size) if sums[space] == best)
