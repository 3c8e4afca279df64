"""Seats and places as people count them: from 1. Kernels count both from 0, and this is the one bridge.

A *seat* is a chair at the table, a *place* the place in turn order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.contract import NOBODY

if TYPE_CHECKING:
    from collections.abc import Iterable

FIRST: Final = 1  # what people call the seat and the place that kernels call 0


def number_of(index: int) -> int:
    """Return what people call a seat or place of the kernels; `NOBODY` stays what it is."""
    return index if index == NOBODY else index + FIRST


def index_of(number: int) -> int:
    """Return the seat or place of the kernels that people call by a number from 1."""
    return number - FIRST


def numbers_of(indices: Any) -> np.ndarray[Any, Any]:
    """Return an array of seats or places as people count them; `NOBODY` stays what it is."""
    found = np.asarray(indices)
    return np.where(found == NOBODY, NOBODY, found + FIRST).astype(found.dtype)


def numbered(things: Iterable[Any]) -> Iterable[tuple[int, Any]]:
    """Return things by seat or place, each with its number from 1."""
    return enumerate(things, FIRST)


def numbers(n_seats: int) -> list[int]:
    """Return the numbers of all seats, or of all places, of a table."""
    return list(range(FIRST, n_seats + FIRST))


def seat_name(seat: int) -> str:
    """Return what people call a seat of the kernels."""
    return f"seat {number_of(seat)}"
