"""The records of Pig."""

from __future__ import annotations

import numpy as np

from sim.engine.contract import hidden_dtype, row_dtype, state_dtype, table_dtype, tallies_dtype
from sim.games.pig.rules import Purpose

MOST_SEATS = 4
FEWEST_SEATS = 2

TABLE = table_dtype(
    MOST_SEATS,
    [
        ("score", np.int64, (MOST_SEATS,)),  # points kept (P-R4)
        ("turn_total", np.int64),  # points of this turn so far (P-R2)
    ],
)
HIDDEN = hidden_dtype([], len(Purpose))
TALLIES = tallies_dtype([("n_lost_turns", np.int64)])  # turns that ended with a losing roll (P-R3)
STATE = state_dtype(TABLE, HIDDEN, TALLIES)
ROW = row_dtype(MOST_SEATS, (), ("score",), ())
