"""Compares flip's kernels with its referee, event by event: `python -m tests.flip_referee [playouts] [variant ...]`.

`covering` stands for the default and 40 or more variants that between them use every reading, layout and card.
"""

from __future__ import annotations

import sys
from typing import Any

from sim.games.flip.game import GAME
from sim.games.flip.words import READINGS, Deck, Loadout, Purpose
from tests.comparison import Below, Comparison, OneOf, Tables, other_locations, other_stacks
from tests.referees.flip import referee

SEAT_COUNTS = (2, 3, 4)
N_MIXES = 60
N_BOXES = 40
BACKS = ("flip", "wall", "campfire", "trap", "chest", "blank")
LOADOUTS = tuple(effect.name.lower() for effect in Loadout)
NUMBERS = {
    "start_hp": (1, 15),
    "go_bonus": (0, 4),
    "go_storm_cost": (0, 4),
    "corner_storm_cost": (0, 4),
    "set_bonus": (0, 4),
    "campfire_heal": (0, 3),
    "jail_cost": (0, 4),
    "jail_roll": (1, 7),
    "jail_tries": (1, 4),
    "med_mist_heal": (0, 4),
    "crosshairs_damage": (0, 3),
    "boogie_bomb_damage": (0, 3),
    "honey_hitters_take": (0, 4),
    "storage_limit": (0, 3),
    "number_die_faces": (1, 8),
}
"""Ranges of the numbers in another box."""
LAYOUTS = ("ring32", "ring36", "ring40", "few_flips", "one_way")
ALL_MODES = {
    "modes.heal_all.copies": 2,
    "modes.lose_all.copies": 2,
    "modes.flip_choice.copies": 2,
    "modes.draw_loot.copies": 1,
    "modes.move_to_go.copies": 3,
    "modes.roll_loss.copies": 2,
    "modes.unknown.copies": 0,
}
ONE_MORE_MOVER = {
    "cards.placebo.copies": 1,
    "cards.placebo.effect": "mover",
    "cards.placebo.trigger": "own_turn",
    "cards.placebo.one_time": 1,
    "cards.placebo.amount": 6,
}


def more_changes(one_of: OneOf) -> dict[str, Any]:
    """Draw other components for a mix of readings."""
    changes: dict[str, Any] = one_of([ALL_MODES, {}]) | one_of([ONE_MORE_MOVER, {}])
    changes |= one_of([{"loadouts.crosshairs_plus.effect": "storm_discount"}, {}])
    return changes | {"layout": one_of(LAYOUTS)}


def other_components(below: Below, printed: Tables) -> dict[str, Any]:
    """Draw stacks of cards, spaces, sets and costs for another box."""
    changes = other_stacks(below, printed, {"cards": "card", "loadouts": "loadout", "modes": "mode"})
    for row in printed["cards"]:
        place = f"cards.{row['card']}"
        changes |= {f"{place}.{column}": below(2) for column in ("ignores_sight", "stored") if below(8) == 0}
    for row in printed["loadouts"]:
        if below(4) == 0:
            place = f"loadouts.{row['loadout']}"
            changes |= {f"{place}.effect": LOADOUTS[below(len(LOADOUTS))], f"{place}.amount": below(3)}
    for row in printed["board"]:
        place, is_fixed = f"board.{row['space']}", row["tile"] is None
        if row["front"] not in ("go", "jail", "location") and below(6) == 0:
            fronts = (*BACKS, "free_parking", "go_to_jail") if is_fixed else BACKS
            changes |= {f"{place}.front": fronts[below(len(fronts))], f"{place}.front_amount": below(4)}
        if not is_fixed and below(8) == 0:
            changes |= {f"{place}.back": BACKS[below(len(BACKS))], f"{place}.back_amount": below(6)}
    return changes | other_locations(below, printed)


COMPARISON = Comparison(
    game=GAME,
    referee=referee,
    purposes=Purpose,
    deck_numbers=Deck,
    decks={"LOOT": "loot", "MODE": "mode", "LOADOUT": "loadout"},
    readings=READINGS,
    more_changes=more_changes,
    numbers=NUMBERS,
    other_components=other_components,
    parts={"cards": "card", "loadouts": "effect", "modes": "effect"},
    seat_counts=SEAT_COUNTS,
    policies=("random", "leader", "threat", "weakest", "next"),
    n_mixes=N_MIXES,
    n_boxes=N_BOXES,
)
FIRST_PLAYOUT = COMPARISON.first_playout
compare = COMPARISON.compare
mix = COMPARISON.mix
other_box = COMPARISON.other_box

if __name__ == "__main__":
    sys.exit(COMPARISON.main(sys.argv[1:]))
