"""What tables call the quantities that are compared: written here, and read back here alone.

A label says what is measured and of whom: `win share, place 1`, `win share, policy leader`, `share when dealt, bush`,
or only what, as `length`. Whoever wants the row of a place asks for its label; nobody takes labels apart.
"""

from __future__ import annotations

from typing import Final, NamedTuple

WIN_SHARE: Final = "win share"
ADVANTAGE: Final = "seat advantage"
LENGTH: Final = "length"
SEAT: Final = "seat"
PLACE: Final = "place"
POLICY: Final = "policy"
BY: Final = (SEAT, PLACE, POLICY)


class Quantity(NamedTuple):
    """What is measured, and of whom.

    Attributes:
        what: What is measured, such as `win share`.
        by: What it is told of: `seat`, `place` or `policy`; empty for an item, or for the whole playout.
        of: Number of the seat or place from 1, name of the policy or item; empty for the whole playout.

    """

    what: str
    by: str = ""
    of: str = ""


def label(what: str, by: str = "", of: object = "") -> str:
    """Return what tables call a quantity.

    Args:
        what: What is measured.
        by: `seat`, `place` or `policy`, if it is told of one.
        of: Which one, or which item.

    """
    whom = " ".join(str(part) for part in (by, of) if part != "")
    return f"{what}, {whom}" if whom else what


def read(text: str) -> Quantity:
    """Return what a label of `label` says."""
    what, _, whom = text.partition(", ")
    by, gap, of = whom.partition(" ")
    return Quantity(what, by, of) if gap and by in BY else Quantity(what, "", whom)
