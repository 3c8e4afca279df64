"""The records of flip: table, hidden, tallies, and the row that a playout leaves."""

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
from sim.games.flip.rules import MOST_LOCATIONS, MOST_SPACES
from sim.games.flip.words import Family, Purpose, Source
from sim.mechanics.table import table_fields

MOST_SEATS: Final = 4
FEWEST_SEATS: Final = 2
SEATS: Final = (MOST_SEATS,)
NO_LOADOUT: Final = -1

FAMILIES = (
    ItemFamily("loot", "cards", Family.LOOT, "card", ("dealt", "drawn"), "DEAL", "LOOT"),
    ItemFamily(
        "loadout",
        "loadouts",
        Family.LOADOUT,
        "loadout",
        ("dealt",),
        "LOADOUT",
        chosen_when=("loadout_pick", "draft"),
        is_single=True,
    ),
)

TABLE = table_dtype(
    MOST_SEATS,
    [
        *table_fields(MOST_SEATS, MOST_SPACES, MOST_LOCATIONS, len(Family)),
        ("landed", np.int64),  # mask of seats that came onto their space by landing
        ("loadout", np.int64, SEATS),  # physical loadout card (F-R7)
        ("effect", np.int64, SEATS),  # its effect
        ("bonus", np.int64, SEATS),  # its amount
        ("turned", np.int64),  # mask of spaces whose tile shows its back (F-R47)
        ("under_tile", np.int64, (MOST_SPACES,)),  # loot that stayed with a hidden face
        ("mode_draws", np.int64, SEATS),  # Game Mode cards drawn
        # of the turn that is being played
        ("is_die_move", np.int64),  # 1 while the active seat moves by the number die
        ("fresh", np.int64),  # mask of cards picked up that cannot be used yet
        ("cards_used", np.int64),  # loot cards used (F-R63)
        ("go_drawn", np.int64),
    ],
)
HIDDEN = hidden_dtype([("loot", DECK), ("mode", DECK), ("loadouts", DECK)], len(Purpose))
TALLIES = tallies_dtype(
    [
        ("flow", np.int64, (1, len(Source), MOST_SEATS)),  # HP by source and seat
        ("uses", np.int64, (64,)),  # by row of the loot table
        ("landings", np.int64, (MOST_SPACES,)),
        ("losses", np.int64, (MOST_SPACES,)),  # HP lost by landing, by space
        ("go_passes", np.int64),  # GO landed on or passed
        ("jailings", np.int64),  # pawns sent to Jail by the space
        ("trades", np.int64),  # accepted free trades
        ("playouts_with_trade", np.int64),
    ]
)
STATE = state_dtype(TABLE, HIDDEN, TALLIES)
ROW = row_dtype(MOST_SEATS, FAMILIES, ("hp",), ("space", "jailed", "mode_draws"))
