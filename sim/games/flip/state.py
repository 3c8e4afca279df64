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

MOST_SEATS: Final = 4
FEWEST_SEATS: Final = 2
SEATS: Final = (MOST_SEATS,)
N_FAMILIES: Final = len(Family)
NO_LOADOUT: Final = -1
UNROLLED: Final = -1

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
        ("alive", np.int64),  # mask of living seats
        ("fell_now", np.int64),  # seats that fell by the effect being resolved (F-R81)
        ("winners", np.int64),  # mask of seats that share the win (F-R1)
        ("n_fallen", np.int64),
        ("eliminated", np.int64, SEATS),  # order of elimination from 1
        ("hp", np.int64, SEATS),  # health points (F-R3, F-R4)
        ("debt", np.int64, SEATS),  # what the last loss took beyond the HP held
        ("space", np.int64, SEATS),  # where the pawn is
        ("landed", np.int64),  # mask of seats that came onto their space by landing
        ("jailed", np.int64, SEATS),  # 0 free, else 1 + tries used (F-R46)
        ("loadout", np.int64, SEATS),  # physical loadout card (F-R7)
        ("effect", np.int64, SEATS),  # its effect
        ("bonus", np.int64, SEATS),  # its amount
        ("kit_worth", np.int64, SEATS),  # what policies think of the loadout
        ("storage", np.int64, SEATS),  # stored cards that the hand may hold (F-R75)
        ("hand", np.int64, SEATS),  # mask of physical loot cards (F-R8)
        ("own", np.int64, SEATS),  # mask of locations claimed (F-R23)
        ("owner", np.int64, (MOST_LOCATIONS,)),  # seat or NOBODY
        ("claimed", np.int64),  # mask of claimed locations
        ("stormed", np.int64),  # mask of stormed locations (F-R30)
        ("storm", np.int64),  # mask of stormed spaces (F-R68)
        ("turned", np.int64),  # mask of spaces whose tile shows its back (F-R47)
        ("dropped_at", np.int64),  # mask of spaces with dropped loot (F-R78)
        ("dropped", np.int64, (MOST_SPACES,)),  # mask of physical loot cards
        ("under_tile", np.int64, (MOST_SPACES,)),  # loot that stayed with a hidden face
        ("dropped_in_jail", np.int64),  # loot only for who is sent to Jail
        (
            "dealt",
            np.int64,
            (N_FAMILIES, MOST_SEATS),
        ),  # masks of items (rows of the component table)
        ("held", np.int64, (N_FAMILIES, MOST_SEATS)),
        ("mode_draws", np.int64, SEATS),  # Game Mode cards drawn
        ("n_trades", np.int64),  # accepted free trades
        # of the turn that is being played
        ("number", np.int64),  # the number die
        ("symbol", np.int64),  # the action die's face
        ("turn_over", np.int64),  # 1: a failed try in Jail ended the dice of this turn
        ("is_die_move", np.int64),  # 1 while the active seat moves by the number die
        ("fresh", np.int64),  # mask of cards picked up that cannot be used yet
        ("cards_used", np.int64),  # loot cards used (F-R63)
        ("go_due", np.int64),  # a Game Mode card is due for GO (F-R34)
        ("go_drawn", np.int64),
        ("jail_due", np.int64),  # one is due for Go to Jail (F-R39)
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
