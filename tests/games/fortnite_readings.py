"""Which variants of fortnite matter where: `python -m tests.games.fortnite_readings` writes the witnesses anew."""

from __future__ import annotations

import sys
from typing import Any

from tests.games.readings import Search

OTHER_SPACE = {"jail_storm_space": "go_to_jail_space"}
UNDER: dict[str, tuple[dict[str, Any], str]] = {
    "jail_storm_space_go_to_jail_space": (
        {"jail_storm_move": "stays"},
        "by default pawn and card do what the stormed space suggests, whichever space the sentence speaks of",
    ),
    "jail_storm_move_moves": (
        OTHER_SPACE,
        "by default the sentence is about a stormed Jail, where the pawn moves by either reading",
    ),
    "jail_storm_draw_draw": (
        OTHER_SPACE,
        "by default the sentence is about a stormed Jail, where a card is drawn by either reading",
    ),
    "wall_supply_move_old": (
        {"n_walls": 2},
        "stops, shots and Boogie Bombs clear walls so fast that eight never stood at once in 270,000 playouts",
    ),
    "storm_empty_reshuffle": (
        {"storm.dice.copies": 0},
        "the cards that make everyone roll go under the deck, so it is never empty",
    ),
    **{
        f"trade_{key}": ({"trade": "valued"}, "by default nobody trades of their own accord")
        for key in ("moments_turn_start", "count_one", "items_one")
    },
}
SEARCH = Search(
    game="fortnite",
    module="tests.games.fortnite_readings",
    same=("printed",),
    under=UNDER,
    seat_counts=(2, 4, 7),
)

if __name__ == "__main__":
    sys.exit(SEARCH.write())
