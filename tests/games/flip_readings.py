"""Which variants of flip matter where: `python -m tests.games.flip_readings` writes the witnesses anew."""

from __future__ import annotations

import sys
from typing import Any

from tests.games.readings import Search

UNDER: dict[str, tuple[dict[str, Any], str]] = {
    "flip_lander_follows": (
        {"board.2.back": "chest"},
        "a Flip space of the default board has a Flip space behind it, and a revealed Flip does not flip back",
    ),
    "set_flipped_partner_too": (
        {"locations.1.set": 2, "locations.2.set": 1},
        "both locations of a set lie on one tile of the default board, so they turn together",
    ),
    "storm_owner_keeps": (
        {"storm_claimed": "any"},
        "by default no card takes a claimed location, and who falls loses every location anyway",
    ),
    **{
        f"trade_{key}": ({"trade": "valued"}, "by default nobody trades of their own accord")
        for key in ("moments_turn_start", "count_one", "items_one")
    },
    "go_cards_each": (
        {"modes.move_to_go.copies": 4},
        "by default no card moves a pawn to GO, and dice and movers lead no pawn round the board in one turn",
    ),
    "pickup_passive_at_once": (
        {"pickup_use": "next_turn"},
        "by default all picked-up loot works at once",
    ),
}
SEARCH = Search(
    game="flip",
    module="tests.games.flip_readings",
    same=("printed", "die_2211"),  # what the default is, by name
    under=UNDER,
    seat_counts=(2, 3, 4),
)

if __name__ == "__main__":
    sys.exit(SEARCH.write())
