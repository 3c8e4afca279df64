"""Ties: no seat, card or space is favoured because it comes first.

Of options that are as good as each other the one with the highest *lot* is taken. A lot is drawn at an address of its
own: (playout, the seat that decides, its own turn number, what is drawn among, the
option), in a world apart from all other draws. Seats
are not drawn among: they are taken clockwise from the seat that decides.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

import numpy as np

from sim import rng
from sim.jit import cold, lowest_bit

SIGN_BIT: Final = np.uint64(1)


class Lot(IntEnum):
    """What is drawn among, the purposes of this world; append only."""

    PLACE = 0  # spaces, locations, tiles, moves: what the board numbers
    CARD = 1  # physical cards of a table
    ITEM = 2  # items of a trade


@cold
def lot(table: Any, seat: int, kind: int, option: int) -> int:
    """Draw the lot of an option, the same for all of a seat's turn."""
    key = rng.turn_key(table.luck, seat, table.own_turn[seat])
    return np.int64(rng.uniform_word(key, kind, option) >> SIGN_BIT)  # type: ignore[return-value]  # int in kernels


@cold
def by_lot(table: Any, seat: int, kind: int, options: int) -> int:
    """Return the option of the highest lot; `options` is a mask and not 0."""
    best = lowest_bit(options)
    left = options & (options - 1)
    if left == 0:
        return best
    most = lot(table, seat, kind, best)
    while left != 0:
        option = lowest_bit(left)
        left &= left - 1
        found = lot(table, seat, kind, option)
        if found > most:
            most = found
            best = option
    return best
