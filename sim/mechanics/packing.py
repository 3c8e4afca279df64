"""Packing a resolved ruleset: what games write alike into their rules records, so that no kernel sees text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sim.decks import pack_physical_cards

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import IntEnum

    from sim.components import Ruleset


def pack_values(
    rules: Any, ruleset: Ruleset, keys: type[IntEnum], readings: Mapping[str, type[IntEnum]]
) -> dict[str, int]:
    """Write numbers and readings, by key, and return them by the names of the keys."""
    for rule in keys:
        found = ruleset.rules[rule.name.lower()]
        switch = readings.get(rule.name.lower())
        rules["value"][rule] = found if switch is None else switch[str(found).upper()]
    return {rule.name: int(rules["value"][rule]) for rule in keys}


def pack_action_die(rules: Any, rows: list[dict[str, Any]], symbols: type[IntEnum]) -> None:
    """Write the faces of the action die, each as often as its table says."""
    faces = [symbols[str(row["face"]).upper()] for row in rows]
    rules["face"] = np.repeat(faces, [int(row["copies"] or 0) for row in rows])


def pack_cards(rules: Any, deck: str, rows: list[dict[str, Any]], effects: type[IntEnum]) -> list[dict[str, Any]]:
    """Write a deck's physical cards, their effects and, where the record has them, their amounts.

    Args:
        rules: The rules record, with the fields `<deck>`, `<deck>_effect` and perhaps `<deck>_amount`.
        deck: What the deck is called.
        rows: Its component table.
        effects: The members that the words of its column `effect` stand for.

    Returns:
        The row of each physical card.

    Raises:
        ValueError: There are more physical cards than the record has room for.

    """
    pack_physical_cards(rules[deck], [int(row["copies"]) for row in rows])
    size, most = int(rules[deck]["size"]), len(rules[f"{deck}_effect"])
    if size > most:
        message = f"{size} {deck} cards are too many; {most} is the most"
        raise ValueError(message)
    found = [rows[row] for row in rules[deck]["card"][:size]]
    rules[f"{deck}_effect"][:size] = [effects[str(row["effect"]).upper()] for row in found]
    if f"{deck}_amount" in rules.dtype.names:
        rules[f"{deck}_amount"][:size] = [row["amount"] for row in found]
    return found
