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

MOST_SEATS: Final = 7
FEWEST_SEATS: Final = 2
SEATS: Final = (MOST_SEATS,)
UNROLLED: Final = -1

FAMILIES = (ItemFamily("loot", "cards", Family.LOOT, "card", ("drawn",), "DEAL", "LOOT"),)

TABLE = table_dtype(
    MOST_SEATS,
    [
        ("alive", np.int64),  # mask of living seats
        ("fell_now", np.int64),  # seats that fell by the effect being resolved (N-R60)
        ("winners", np.int64),  # mask of seats that share the win (N-R1)
        ("n_fallen", np.int64),
        ("eliminated", np.int64, SEATS),  # order of elimination from 1
        ("hp", np.int64, SEATS),  # health points (N-R2)
        ("debt", np.int64, SEATS),  # what the last loss took beyond the HP held
        ("space", np.int64, SEATS),  # where the pawn is
        ("jailed", np.int64, SEATS),  # 0 free, else 1 + tries used (N-R35)
        ("hand", np.int64, SEATS),  # mask of physical loot cards
        ("kit_worth", np.int64, SEATS),  # what policies think of what lies before a seat besides: nothing here
        ("storage", np.int64, SEATS),  # stored cards that a hand may hold; none are stored
        ("own", np.int64, SEATS),  # mask of locations claimed (N-R15)
        ("owner", np.int64, (MOST_LOCATIONS,)),  # seat or NOBODY
        ("claimed", np.int64),  # mask of claimed locations
        ("stormed", np.int64),  # mask of stormed locations (N-R42)
        ("storm", np.int64),  # mask of stormed spaces (N-R45)
        ("dropped_at", np.int64),  # mask of spaces with dropped loot (N-R58)
        ("dropped", np.int64, (MOST_SPACES,)),  # mask of physical loot cards
        ("dropped_in_jail", np.int64),  # loot only for who is sent to Jail
        ("walls", np.int64),  # mask of spaces with a wall (N-R47)
        ("wall_count", np.int64, (MOST_SPACES,)),  # walls on a space
        ("pile", np.int64),  # walls in the pile (N-R9)
        ("stopped_at", np.int64, SEATS),  # space of the wall that stands for who it stopped, or NOBODY
        ("dealt", np.int64, (1, MOST_SEATS)),  # masks of items (rows of the component table)
        ("held", np.int64, (1, MOST_SEATS)),
        ("storm_draws", np.int64, SEATS),  # Storm cards drawn
        ("storm_out", np.int64),  # mask of Storm cards out of the game that do not lie on the board
        ("n_reshuffles", np.int64),  # of the Storm deck
        ("n_trades", np.int64),  # accepted trades
        # of the turn that is being played
        ("number", np.int64),  # the number die
        ("symbol", np.int64),  # the action die's face
        ("turn_over", np.int64),  # 1: nothing more but the cards that are due
        ("walked", np.int64),  # mask of the path of the number die's move (N-R56)
        ("go_due", np.int64),  # mask of seats that draw a Storm card for GO (N-R13)
        ("jail_due", np.int64),  # 1: a Storm card is due for Go to Jail (N-R29)
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
