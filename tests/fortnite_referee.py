"""Compares fortnite's kernels with its referee: `python -m tests.fortnite_referee [playouts] [variant ...]`.

`covering` stands for the default and 40 or more variants that between them use every reading, card and space.
"""

from __future__ import annotations

import sys
from typing import Any

from sim.games.fortnite.game import GAME
from sim.games.fortnite.words import READINGS, Deck, Purpose, StormEffect
from tests.comparison import Below, Comparison, OneOf, Tables, other_locations, other_stacks
from tests.referees.fortnite import referee

KINDS = ("campfire", "trap", "chest", "blank", "free_parking", "go_to_jail")
STORM_EFFECTS = tuple(effect.name.lower() for effect in StormEffect)
FACES = ("bandages", "crosshairs", "boogie_bomb", "brick", "blank")
NUMBERS = {
    "start_hp": (1, 15),
    "go_bonus": (0, 4),
    "storm_loss": (0, 4),
    "set_bonus": (0, 4),
    "campfire_heal": (0, 3),
    "jail_cost": (0, 4),
    "jail_roll": (1, 7),
    "jail_tries": (1, 4),
    "bandages_heal": (0, 4),
    "crosshairs_damage": (0, 3),
    "boogie_bomb_damage": (0, 3),
    "n_walls": (0, 9),
    "number_die_faces": (1, 8),
}
"""Ranges of the numbers in another box."""
OTHER_STORM = {
    "storm.campfire.effect": "chest",
    "storm.own_location.copies": 3,
    "storm.highest.effect": "trap",
    "storm.go.effect": "free_parking",
    "storm.dice.copies": 4,
    "storm.placebo.copies": 2,
}
FEW_STORM = {"storm.location.copies": 0, "storm.campfire.copies": 0, "storm.highest.copies": 1}
ONLY_CORNERS = FEW_STORM | {"storm.jail.copies": 3, "storm.go_to_jail.copies": 3, "storm.own_location.copies": 0}
RICH_LOOT = {
    "cards.stink_bomb.copies": 3,
    "cards.bush.copies": 3,
    "cards.clinger.copies": 4,
    "cards.bouncer.copies": 6,
    "cards.placebo.copies": 2,
    "cards.shoot_wherever.amount": 2,
}
SHORT_BOUNCES = {"cards.bouncer.amount": 2, "cards.placebo.copies": 1, "cards.placebo.trigger": "own_turn"}
MORE_CHESTS = {f"board.{space}.kind": "chest" for space in (2, 6, 10, 14, 18, 22)}
BRICKS = {"action_die.bandages": 1, "action_die.crosshairs": 1, "action_die.brick": 3}
BLANK_FACES = {"action_die.bandages": 0, "action_die.crosshairs": 3, "action_die.blank": 1}


def more_changes(one_of: OneOf) -> dict[str, Any]:
    """Draw other components and numbers, in which rare cards and full or empty piles meet."""
    changes: dict[str, Any] = {}
    for choices in (
        (OTHER_STORM, FEW_STORM, ONLY_CORNERS, {}),
        (RICH_LOOT, SHORT_BOUNCES, {}),
        (MORE_CHESTS, {}),
        (BRICKS, BLANK_FACES, {}),
        ({"n_walls": 1}, {"n_walls": 2}, {"n_walls": 3}, {}),
        ({"jail_roll": 4}, {"jail_tries": 1}, {"jail_tries": 3}, {"jail_cost": 1}, {}),
        ({"start_hp": 6}, {"start_hp": 12, "hp_cap": 12}, {"start_hp": 30, "hp_cap": 30}, {}, {}),
        ({"number_die_faces": 8}, {"number_die_faces": 3}, {}, {}),
        ({"boogie_bomb_damage": 2, "crosshairs_damage": 3}, {"storm_loss": 3, "go_bonus": 1}, {}, {}),
    ):
        changes |= one_of(choices)
    return changes


def other_components(below: Below, printed: Tables) -> dict[str, Any]:
    """Draw a die, stacks of cards, spaces, sets and costs for another box."""
    faces = [FACES[below(len(FACES))] for _ in range(6)]
    changes: dict[str, Any] = {f"action_die.{face}": faces.count(face) for face in FACES}
    changes |= other_stacks(below, printed, {"cards": "card", "storm": "storm"})
    for row in printed["storm"]:
        if below(4) == 0:
            changes[f"storm.{row['storm']}.effect"] = STORM_EFFECTS[below(len(STORM_EFFECTS))]
    for row in printed["cards"]:
        place = f"cards.{row['card']}"
        if row["effect"] != "bouncer" and below(4) == 0:
            changes[f"{place}.amount"] = below(6)
        if row["trigger"] == "crosshairs" and below(4) == 0:
            changes[f"{place}.ignores_sight"] = below(2)
    for row in printed["board"]:
        if row["kind"] not in ("go", "jail", "location") and below(5) == 0:
            place = f"board.{row['space']}"
            changes |= {f"{place}.kind": KINDS[below(len(KINDS))], f"{place}.amount": below(4)}
    return changes | other_locations(below, printed)


COMPARISON = Comparison(
    game=GAME,
    referee=referee,
    purposes=Purpose,
    deck_numbers=Deck,
    decks={"LOOT": "loot", "STORM": "storm"},
    readings=READINGS,
    more_changes=more_changes,
    numbers=NUMBERS,
    other_components=other_components,
    parts={"cards": "card", "storm": "effect", "action_die": "face", "board": "kind"},
    seat_counts=(2, 3, 4, 5, 6, 7),
    policies=[policy.name for policy in GAME.policies],
    n_mixes=100,
    n_boxes=60,
)

if __name__ == "__main__":
    sys.exit(COMPARISON.main(sys.argv[1:]))
