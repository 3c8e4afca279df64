"""Rows kept as Parquet: one folder per setting and arm, one file per few thousand rows, in constant memory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.seating import numbered, numbers_of

if TYPE_CHECKING:
    from pathlib import Path

    from sim.engine.blocks import Arm

ROWS_PER_FILE: Final = 8192


class RowWriter:
    """Writes the rows of one setting, block after block.

    Attributes:
        folder: Folder of the setting.

    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._waiting: dict[str, list[Any]] = {}

    def keep(self, arm: Arm, playouts: np.ndarray[Any, Any], rows: np.ndarray[Any, Any]) -> None:
        """Take the rows of one arm in one block.

        Args:
            arm: The arm.
            playouts: Numbers of the playouts, shape (n_playouts,).
            rows: Rows, shape (n_rotations, n_playouts).

        """
        waiting = self._waiting.setdefault(arm.name, [])
        waiting.append((playouts, rows))
        if sum(part.size for _, part in waiting) >= ROWS_PER_FILE:
            self._write(arm.name)

    def close(self) -> None:
        """Write what still waits."""
        for name in list(self._waiting):
            self._write(name)

    def _write(self, name: str) -> None:
        from pyarrow import parquet, table  # noqa: PLC0415  (an extra, and slow to import)

        waiting = [part for part in self._waiting.pop(name) if len(part[0])]
        if not waiting:
            return
        place = self.folder / re.sub(r"[^\w.=-]+", "_", name)
        place.mkdir(parents=True, exist_ok=True)
        first = int(waiting[0][0][0])
        columns = {key: np.concatenate([_columns(*part)[key] for part in waiting]) for key in _columns(*waiting[0])}
        parquet.write_table(table(columns), place / f"{first:012d}.parquet")


def refuse_missing_parquet() -> None:
    """Stop before anything is played if rows cannot be kept.

    Raises:
        ValueError: pyarrow is not installed.

    """
    try:
        import pyarrow.parquet  # noqa: F401, PLC0415
    except ImportError as fault:
        message = "keeping rows needs pyarrow, which is not installed; install the extra: pip install 'sim[data]'"
        raise ValueError(message) from fault


def _columns(playouts: np.ndarray[Any, Any], rows: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Return the columns of a block of rows, by-seat ones a column per seat from 1."""
    n_rotations = rows.shape[0]
    columns: dict[str, Any] = {
        "playout": np.tile(playouts, n_rotations),
        "rotation": np.repeat(np.arange(n_rotations, dtype=np.int8), len(playouts)),
    }
    for name in rows.dtype.names or ():
        values = np.ascontiguousarray(rows[name])
        if values.ndim == rows.ndim:
            columns[name] = values.ravel()
            continue
        flat = values.reshape(rows.size, -1)
        shown, flat = ("place", numbers_of(flat)) if name == "order" else (name, flat)
        columns |= {f"{shown}_{seat}": np.ascontiguousarray(column) for seat, column in numbered(flat.T)}
    return columns
