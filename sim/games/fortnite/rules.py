"""The rules record of fortnite: a resolved ruleset packed once into arrays, so that no kernel sees text."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from sim.components import Components, Ruleset
from sim.decks import PHYSICAL_CARDS
from sim.games.fortnite.words import (
    READINGS,
    Decision,
    Event,
    Kind,
    Loot,
    LootVisible,
    Purpose,
    Rule,
    Source,
    StinkType,
    StormClaimed,
    StormEffect,
    Symbol,
)
from sim.jit import make_records, padded
from sim.mechanics.claims import location_fields, pack_locations
from sim.mechanics.loot import loot_fields
from sim.mechanics.packing import pack_action_die, pack_cards, pack_values
from sim.mechanics.ring import pack_paths, pack_sides, ring_fields
from sim.mechanics.weights import Weight, opinion, pack_weights, pack_worth_of_card, rank_starts, weight_fields
from sim.mechanics.words import Common, StormOwner, numbers_of, pack_common

FOLDER: Final = Path(__file__).parent
MOST_SPACES: Final = 40
MOST_LOCATIONS: Final = 16
MOST_LOOT: Final = 46  # physical cards: with 16 locations they are items 0 to 61
MOST_STORM: Final = 62
ACTION_FACES: Final = 6
MOST_STEPS: Final = 8  # of one move, for the table of paths
N_TRIGGERS: Final = len(Symbol)
SPACES: Final = (MOST_SPACES,)

RULES = padded(
    [
        ("value", np.int64, (len(Rule),)),  # numbers and readings
        ("common", np.int64, (len(Common),)),  # those that shared mechanisms read
        ("kind", np.int64, SPACES),  # what is printed on a space
        ("amount", np.int64, SPACES),  # the number printed on it
        ("spaces_of", np.int64, (len(Kind),)),  # mask of the spaces of a kind
        *weight_fields(),
        *ring_fields(MOST_SPACES, MOST_STEPS),
        *loot_fields(MOST_LOOT),
        *location_fields(MOST_LOCATIONS),  # N-R5, N-R19
        ("triggered", np.int64, (N_TRIGGERS,)),  # mask of cards that a symbol or one's own turn sets off
        ("storm", PHYSICAL_CARDS),
        ("storm_effect", np.int64, (MOST_STORM,)),
        ("face", np.int64, (ACTION_FACES,)),  # the action die
    ]
)


def load() -> Components:
    """Read and check the rules and components of fortnite."""
    return Components.load(FOLDER)


def pack(ruleset: Ruleset) -> Any:
    """Turn a resolved ruleset into a rules record."""
    records = make_records(RULES)
    rules = records.view(np.ndarray)[0, ...]
    _pack_common(rules, pack_values(rules, ruleset, Rule, READINGS))
    pack_weights(rules, ruleset)
    pack_locations(rules, ruleset.tables["locations"])
    _pack_board(rules, ruleset.tables["board"])
    _pack_loot(rules, ruleset.tables["cards"])
    pack_cards(rules, "storm", ruleset.tables["storm"], StormEffect)  # N-R42
    pack_action_die(rules, ruleset.tables["action_die"], Symbol)
    names = [Kind(kind).name for kind in rules["kind"][: rules["n_spaces"]]]
    rank_starts(rules, names, int(rules["value"][Rule.NUMBER_DIE_FACES]))
    worst = max(rules["cost"].max(), rules["storm_cost"].max(), rules["amount"].max())
    rules["worst_landing"] = max(worst, rules["value"][Rule.STORM_LOSS], rules["weight"][Weight.COST_OF_JAIL])
    return records


def _pack_common(rules: Any, values: dict[str, int]) -> None:
    """Write what the shared mechanisms read; only `owner_keeps` leaves a stormed card with its owner."""
    numbers = numbers_of(values, event=Event, decision=Decision, purpose=Purpose, source=Source)
    keeps = values["STORM_CLAIMED"] == StormClaimed.OWNER_KEEPS
    numbers[Common.STORM_OWNER.name] = StormOwner.KEEPS if keeps else StormOwner.LEAVES
    pack_common(rules, numbers)


def _pack_board(rules: Any, rows: list[dict[str, Any]]) -> None:
    """Write kinds, paths and sides of the ring (N-R54)."""
    rules["location_at"] = -1
    kinds = [Kind[str(row["kind"]).upper()] for row in rows]
    for space, row in enumerate(rows):
        rules["kind"][space] = kinds[space]
        rules["amount"][space] = row["amount"]
        rules["spaces_of"][kinds[space]] |= 1 << space
        if kinds[space] == Kind.JAIL:
            rules["jail"] = space
        if row["location"] not in (None, -1):
            rules["location_at"][space] = row["location"]
            rules["home"][row["location"]] = space
    pack_paths(rules, len(rows), MOST_STEPS)
    pack_sides(rules, [kind <= Kind.GO_TO_JAIL for kind in kinds])


def _pack_loot(rules: Any, rows: list[dict[str, Any]]) -> None:
    """Write the loot cards by physical card (N-R38)."""
    stinks_once = rules["value"][Rule.STINK_TYPE] == StinkType.ONE_TIME
    for card, row in enumerate(pack_cards(rules, "loot", rows, Loot)):
        effect = Loot(rules["loot_effect"][card])
        bit = 1 << card
        pack_worth_of_card(rules, card, effect, row)
        is_one_time = int(row["one_time"]) or (effect == Loot.AREA_DAMAGE and stinks_once)
        rules["one_time"] |= bit * int(is_one_time)
        if effect != Loot.BLANK:
            rules["triggered"][Symbol[str(row["trigger"]).upper()]] |= bit
            rules["sightless"] |= bit * int(effect == Loot.DAMAGE and row["ignores_sight"])
            rules["bush"] |= bit * int(effect == Loot.BUSH)
        if rules["value"][Rule.LOOT_VISIBLE] != LootVisible.OPEN:
            rules["loot_danger"][card] = opinion(rules, "DANGER_OF_HIDDEN_CARD")
