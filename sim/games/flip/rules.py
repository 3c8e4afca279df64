"""The rules record of flip: a resolved ruleset packed once into arrays, so that no kernel sees text."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from sim.components import Components, Ruleset
from sim.decks import PHYSICAL_CARDS
from sim.games.flip.words import (
    READINGS,
    Decision,
    Event,
    Kind,
    Loadout,
    Loot,
    Mode,
    Purpose,
    Rule,
    Source,
    Symbol,
    WallCorner,
    WallOut,
    WallStormed,
    WallWithoutLanding,
)
from sim.jit import make_records, padded
from sim.mechanics.claims import location_fields, pack_locations
from sim.mechanics.loot import loot_fields
from sim.mechanics.packing import pack_action_die, pack_cards, pack_values
from sim.mechanics.ring import pack_paths, pack_sides, ring_fields
from sim.mechanics.weights import Weight, opinion, pack_weights, pack_worth_of_card, rank_starts, weight_fields
from sim.mechanics.words import Common, JailSight, Sight, SightSameSpace, numbers_of, pack_common

FOLDER: Final = Path(__file__).parent
MOST_SPACES: Final = 40
MOST_TILES: Final = 16
MOST_LOCATIONS: Final = 16
MOST_LOOT: Final = 46  # physical cards: with 16 locations they are items 0 to 61
MOST_MODES: Final = 62
ACTION_FACES: Final = 6
MOST_STEPS: Final = 8  # of one move, for the table of paths
FACES: Final = 2  # front and back of a tile
N_TRIGGERS: Final = len(Symbol)
SPACES: Final = (MOST_SPACES,)
CORNERS: Final = frozenset({Kind.GO, Kind.JAIL, Kind.FREE_PARKING, Kind.GO_TO_JAIL})

RULES = padded(
    [
        ("value", np.int64, (len(Rule),)),  # numbers and readings
        ("common", np.int64, (len(Common),)),  # those that shared mechanisms read
        ("n_tiles", np.int64),
        ("kind", np.int64, (FACES, MOST_SPACES)),  # what a space is, by face
        ("amount", np.int64, (FACES, MOST_SPACES)),  # the number printed on it
        ("tile_at", np.int64, SPACES),  # tile under the space, or -1
        ("tile_spaces", np.int64, (MOST_TILES,)),  # mask of a tile's spaces
        ("wall", np.int64, (FACES,)),  # mask of Wall spaces, by face
        ("is_corner", np.int64, SPACES),
        ("corner_shadow", np.int64),  # mask of the corners from which a Wall hides what is as far on either side
        ("sees_own", np.int64),  # 1: pawns on the same space are in sight
        ("storm_hides", np.int64),  # mask of the spaces on which a Storm card leaves no Wall
        ("special_sight", np.int64),  # 1: who sees or is seen depends on more than sides and Walls
        ("landing_worth", np.int64, (FACES, MOST_SPACES)),  # what policies think of landing, Storm and locations apart
        ("storm_price", np.int64, SPACES),  # what landing costs if the space is stormed
        *weight_fields(),
        *ring_fields(MOST_SPACES, MOST_STEPS),
        *loot_fields(MOST_LOOT),
        *location_fields(MOST_LOCATIONS),
        ("tile_locations", np.int64, (MOST_TILES,)),  # mask of the locations on a tile
        ("modifiers", np.int64, (N_TRIGGERS,)),  # mask of cards that modify a face
        ("items", np.int64),  # one-time cards that do something
        ("own_turn_items", np.int64),  # and of these those of the own turn
        ("halve", np.int64),
        ("area", np.int64),  # cards that hit everybody in sight
        ("loadout", PHYSICAL_CARDS),
        ("loadout_effect", np.int64, (MOST_MODES,)),
        ("loadout_amount", np.int64, (MOST_MODES,)),
        ("loadout_worth", np.int64, (MOST_MODES,)),  # what policies think of a loadout
        ("loadout_danger", np.int64, (MOST_MODES,)),  # and of one that another seat has
        ("mode", PHYSICAL_CARDS),
        ("mode_effect", np.int64, (MOST_MODES,)),
        ("mode_amount", np.int64, (MOST_MODES,)),
        ("face", np.int64, (ACTION_FACES,)),  # the action die
    ]
)


def load() -> Components:
    """Read and check the rules and components of flip."""
    return Components.load(FOLDER)


def pack(ruleset: Ruleset) -> Any:
    """Turn a resolved ruleset into a rules record."""
    records = make_records(RULES)
    rules = records.view(np.ndarray)[0, ...]
    values = pack_values(rules, ruleset, Rule, READINGS)
    pack_common(rules, numbers_of(values, event=Event, decision=Decision, purpose=Purpose, source=Source))
    pack_weights(rules, ruleset)
    pack_locations(rules, ruleset.tables["locations"])
    _pack_board(rules, ruleset.tables["board"])
    _pack_loot(rules, ruleset.tables["cards"])
    _pack_loadouts(rules, ruleset.tables["loadouts"])
    pack_cards(rules, "mode", ruleset.tables["modes"], Mode)
    pack_action_die(rules, ruleset.tables["action_die"], Symbol)
    _pack_landings(rules)
    names = [Kind(kind).name for kind in rules["kind"][0, : rules["n_spaces"]]]
    rank_starts(rules, names, int(rules["value"][Rule.NUMBER_DIE_FACES]))
    return records


def _pack_board(rules: Any, rows: list[dict[str, Any]]) -> None:
    """Write kinds, tiles, paths and sides of a ring (F-R6, F-R87)."""
    _refuse_board(rows)
    rules["location_at"] = rules["tile_at"] = -1
    for space, row in enumerate(rows):
        kinds = [Kind[str(row[face]).upper()] for face in ("front", "back")]
        if kinds[1] == Kind.FLIP and READINGS["flip_back"](rules["value"][Rule.FLIP_BACK]).value:
            kinds[1] = Kind.BLANK
        if row["tile"] in (None, -1):  # a Flip space turns the tile that it lies on, and here is none
            kinds = [Kind.BLANK if kind == Kind.FLIP else kind for kind in kinds]
        for face, name in enumerate(("front", "back")):
            rules["kind"][face, space] = kinds[face]
            rules["amount"][face, space] = row[f"{name}_amount"] or 0
            if kinds[face] == Kind.WALL:
                rules["wall"][face] |= 1 << space
        if kinds[0] == Kind.JAIL:
            rules["jail"] = space
        if row["location"] not in (None, -1) and kinds[0] == Kind.LOCATION:
            rules["location_at"][space] = row["location"]
            rules["home"][row["location"]] = space
            if row["tile"] not in (None, -1):
                rules["tile_locations"][row["tile"]] |= 1 << row["location"]
        if row["tile"] not in (None, -1):
            rules["tile_at"][space] = row["tile"]
            rules["tile_spaces"][row["tile"]] |= 1 << space
            rules["n_tiles"] = max(int(rules["n_tiles"]), int(row["tile"]) + 1)
        rules["is_corner"][space] = kinds[0] in CORNERS
    _pack_sight(rules, len(rows))
    pack_paths(rules, len(rows), MOST_STEPS)
    pack_sides(rules, rules["is_corner"][: len(rows)])


def _pack_sight(rules: Any, size: int) -> None:
    """Write what the readings say about sight, which is asked of most spaces (F-R49 to F-R52, F-R59, F-R60, F-R85)."""
    value = rules["value"]
    if value[Rule.WALL_CORNER] == WallCorner.BOTH_SIDES:
        rules["corner_shadow"] = sum(1 << space for space in range(size) if rules["is_corner"][space])
    if value[Rule.WALL_STORMED] == WallStormed.NO_WALL:
        rules["storm_hides"] = (1 << size) - 1
    rules["sees_own"] = value[Rule.SIGHT_SAME_SPACE] == SightSameSpace.VISIBLE
    rules["special_sight"] = (
        value[Rule.SIGHT] == Sight.EVERYBODY
        or value[Rule.WALL_OUT] == WallOut.MAY_NOT
        or value[Rule.JAIL_SIGHT] == JailSight.HIDDEN
        or value[Rule.WALL_WITHOUT_LANDING] == WallWithoutLanding.OPEN
    )


def _refuse_board(rows: list[dict[str, Any]]) -> None:
    """Stop if a corner lies on a tile, or a tile's number is left out.

    Raises:
        ValueError: It does, or is.

    """
    tiles = {row["space"]: int(row["tile"]) for row in rows if row["tile"] not in (None, -1)}
    for row in rows:
        if row["space"] in tiles and Kind[str(row["front"]).upper()] in CORNERS:
            found = f"{row['front']} on tile {tiles[row['space']]}"
            message = f"board.{row['space']}: found {found}, expected a corner on a fixed space"
            raise ValueError(message)
    gaps = set(range(max(tiles.values(), default=-1))) - set(tiles.values())
    if gaps:
        message = f"board: found no space on tile {min(gaps)}, expected tiles numbered from 0 without gaps"
        raise ValueError(message)


def _pack_loot(rules: Any, rows: list[dict[str, Any]]) -> None:
    """Write the loot cards by physical card (F-R73 to F-R75, F-R88)."""
    for card, row in enumerate(pack_cards(rules, "loot", rows, Loot)):
        effect = Loot(rules["loot_effect"][card])
        bit = 1 << card
        pack_worth_of_card(rules, card, effect, row)
        rules["one_time"] |= bit * int(row["one_time"])
        if effect != Loot.BLANK:
            rules["modifiers"][Symbol[str(row["trigger"]).upper()]] |= bit
            rules["items"] |= bit * int(row["one_time"])
            rules["sightless"] |= bit * int(row["ignores_sight"])
            rules["bush"] |= bit * (effect == Loot.BUSH)
            rules["halve"] |= bit * (effect == Loot.HALVE)
            rules["area"] |= bit * (effect == Loot.AREA_DAMAGE)
        rules["stored"] |= bit * int(row["stored"])
    rules["own_turn_items"] = rules["items"] & rules["modifiers"][Symbol.OWN_TURN]


def _pack_loadouts(rules: Any, rows: list[dict[str, Any]]) -> None:
    """Write the loadouts by physical card (F-R7)."""
    for card in range(len(pack_cards(rules, "loadout", rows, Loadout))):
        effect = Loadout(rules["loadout_effect"][card]).name
        rules["loadout_worth"][card] = opinion(rules, f"WORTH_OF_{effect}")
        rules["loadout_danger"][card] = opinion(rules, f"DANGER_OF_{effect}")


def _pack_landings(rules: Any) -> None:
    """Write what policies think of landing on each space."""
    for space in range(int(rules["n_spaces"])):
        location = rules["location_at"][space]
        is_corner = location < 0
        rules["storm_price"][space] = (
            rules["value"][Rule.CORNER_STORM_COST] if is_corner else rules["storm_cost"][location]
        )
        for face in range(FACES):
            worth = {
                Kind.CHEST: rules["weight"][Weight.WORTH_OF_CHEST],
                Kind.CAMPFIRE: rules["value"][Rule.CAMPFIRE_HEAL],
                Kind.TRAP: -rules["amount"][face, space],
                Kind.GO_TO_JAIL: -rules["weight"][Weight.COST_OF_JAIL],
            }
            rules["landing_worth"][face, space] = worth.get(Kind(rules["kind"][face, space]), 0)
    worst = (
        -rules["landing_worth"].min(),
        rules["storm_price"].max(),
        rules["cost"].max(),
        -rules["value"][Rule.SET_BONUS],
    )
    rules["worst_landing"] = max(worst)
