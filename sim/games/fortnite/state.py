"""The records of fortnite: table, hidden, tallies, and the row that a playout leaves."""

from __future__ import annotations

from typing import Final

import numpy as np

from sim.decks import DECK
from sim.engine.contract import (
    ItemFamily,
    hidden_dtype,
    row_dtype,
    state_dtype,
    table_dtype,
    tallies_dtype,
)
from sim.games.fortnite.rules import MOST_LOCATIONS, MOST_SPACES
from sim.games.fortnite.words import Family, Purpose, Source
from sim.mechanics.table import table_fields

MOST_SEATS: Final = 7
FEWEST_SEATS: Final = 2
SEATS: Final = (MOST_SEATS,)

FAMILIES = (ItemFamily("loot", "cards", Family.LOOT, "card", ("drawn",), "DEAL", "LOOT"),)

TABLE = table_dtype(
    MOST_SEATS,
    [
        *table_fields(MOST_SEATS, MOST_SPACES, MOST_LOCATIONS, len(Family)),
        ("walls", np.int64),  # mask of spaces with a wall (N-R47)
        ("wall_count", np.int64, (MOST_SPACES,)),  # walls on a space
        ("pile", np.int64),  # walls in the pile (N-R9)
        ("stopped_at", np.int64, SEATS),  # space of the wall that stands for who it stopped, or NOBODY
        ("storm_draws", np.int64, SEATS),  # Storm cards drawn
        ("storm_out", np.int64),  # mask of Storm cards out of the game that do not lie on the board
        ("n_reshuffles", np.int64),  # of the Storm deck
        # of the turn that is being played
        ("go_passes", np.int64, SEATS),  # Storm cards due to those of `go_due` (N-R13)
        ("walked", np.int64),  # mask of the path of the number die's move (N-R56)
        ("moved", np.int64),  # 1: the number die is used
        # of the move that is being made
        ("entered", np.int64),  # mask of spaces entered
        ("wall_hit", np.int64),  # space of the wall that ended it, or NOBODY
        ("jumped", np.int64),  # 1: Go to Jail sent the pawn away
        # of the shot that is being taken
        ("damage", np.int64),  # what its target pays by the cards used, 0 without any
        ("is_sightless", np.int64),  # 1: it ignores sight
    ],
)
HIDDEN = hidden_dtype([("loot", DECK), ("storm", DECK)], len(Purpose))
TALLIES = tallies_dtype(
    [
        ("flow", np.int64, (1, len(Source), MOST_SEATS)),  # HP by source and seat
        ("uses", np.int64, (64,)),  # by row of the loot table
        ("landings", np.int64, (MOST_SPACES,)),
        ("losses", np.int64, (MOST_SPACES,)),  # HP lost by landing, by space
        ("go_passes", np.int64),  # GO landed on or passed
        ("jailings", np.int64),  # pawns sent from Go to Jail
        ("walls_built", np.int64),
        ("wall_stops", np.int64),  # moves ended by a wall
        ("trades", np.int64),  # accepted trades
        ("playouts_with_trade", np.int64),
    ]
)
STATE = state_dtype(TABLE, HIDDEN, TALLIES)
ROW = row_dtype(MOST_SEATS, FAMILIES, ("hp",), ("space", "jailed", "storm_draws"))
