"""Rows kept as Parquet: one folder per setting and arm, one file per few thousand rows, in constant memory.

Every row says what it is of, so that all files of a result can be read as one table.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.contract import WHOLE_WIN, Termination
from sim.engine.lineup import rotations
from sim.engine.seating import numbered, numbers_of

if TYPE_CHECKING:
    from pathlib import Path

    from sim.engine.blocks import Arm
    from sim.experiment.arms import Setting

ROWS_PER_FILE: Final = 8192
MOST_LETTERS: Final = 60  # of a folder's name
HASH_LETTERS: Final = 8
TERMINATIONS: Final = tuple(one.name.lower() for one in Termination)


class RowWriter:
    """Writes the rows of one setting, block after block.

    Attributes:
        folder: Folder of the setting.
        setting: Number of seats and profile, which every row tells.

    """

    def __init__(self, folder: Path, setting: Setting) -> None:
        self.folder = folder / f"{setting.seats}_seats" / folder_name(setting.profile.name)
        self.setting = setting
        self._waiting: dict[str, list[Any]] = {}

    def keep(self, arm: Arm, playouts: np.ndarray[Any, Any], rows: np.ndarray[Any, Any]) -> None:
        """Take the rows of one arm in one block.

        Args:
            arm: The arm.
            playouts: Numbers of the playouts, shape (n_playouts,).
            rows: Rows, shape (n_rotations, n_playouts).

        """
        waiting = self._waiting.setdefault(arm.name, [])
        waiting.append((arm, playouts, rows))
        if sum(part.size for _, _, part in waiting) >= ROWS_PER_FILE:
            self._write(arm.name)

    def close(self) -> None:
        """Write what still waits."""
        for name in list(self._waiting):
            self._write(name)

    def _write(self, name: str) -> None:
        from pyarrow import Table, parquet  # noqa: PLC0415  (an extra, and slow to import)

        waiting = [part for part in self._waiting[name] if len(part[1])]
        if waiting:
            place = self.folder / folder_name(name)
            place.mkdir(parents=True, exist_ok=True)
            first = int(waiting[0][1][0])
            parts = [self._columns(*part) for part in waiting]
            columns = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
            parquet.write_table(Table.from_pydict(self._told(name, columns)), place / f"{first:012d}.parquet")
        del self._waiting[name]

    def _told(self, name: str, columns: dict[str, Any]) -> dict[str, Any]:
        """Return columns for a file: what the rows are of first, numbers that stand for names as names."""
        n_rows = len(columns["playout"])
        about = {"variant": name, "profile": self.setting.profile.name}
        told = {key: coded(np.zeros(n_rows, np.int8), [value]) for key, value in about.items()}
        told["seats"] = np.full(n_rows, self.setting.seats, np.int8)
        told["seed"] = np.full(n_rows, self.setting.call.seed, np.uint64)
        names = {policy.code: policy.name for policy in self.setting.call.game.policies}
        known = [names.get(code, "") for code in range(max(names) + 1)]
        for key, values in columns.items():
            kind = key.rpartition("_")[0]
            told[key] = coded(values, known) if kind == "policy" else values
        told["termination"] = coded(columns["termination"], TERMINATIONS)
        return told

    def _columns(self, arm: Arm, playouts: np.ndarray[Any, Any], rows: np.ndarray[Any, Any]) -> dict[str, Any]:
        """Return the columns of a block of rows, by-seat ones a column for each seat, counted from 1."""
        columns: dict[str, Any] = {
            "playout": np.tile(playouts, rows.shape[0]),
            "rotation": np.repeat(np.arange(len(rotations(arm.lineup)), dtype=np.int8), len(playouts)),
        }
        for name in rows.dtype.names or ():
            values = np.ascontiguousarray(rows[name])
            if values.ndim == rows.ndim:
                columns[name] = values.ravel()
            else:
                flat = values.reshape(rows.size, -1)
                columns |= by_seat(name, flat[:, : self.setting.seats])
        return columns


def by_seat(name: str, values: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Return a column for each seat: the place in turn order counted from 1, payoffs as shares of the win.

    Args:
        name: Name of the field.
        values: Shape (n_rows, n_seats).

    """
    if name == "order":
        name, values = "place", numbers_of(values)
    elif name == "payoff":
        name, values = "win_share", values / WHOLE_WIN
    return {f"{name}_{seat}": np.ascontiguousarray(column) for seat, column in numbered(values.T)}


def coded(values: Any, names: Any) -> Any:
    """Return numbers as the names that they stand for, each name stored once."""
    from pyarrow import DictionaryArray, array  # noqa: PLC0415

    return DictionaryArray.from_arrays(array(np.asarray(values, np.int32)), array(list(names)))


def folder_name(name: str) -> str:
    """Return a name for a folder: letters of the name, and a hash where those are not all of it, so that names differ.

    Args:
        name: Any name that a plan gives.

    """
    plain = re.sub(r"[^A-Za-z0-9_=+-]+", "_", name)[:MOST_LETTERS]
    return plain if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:HASH_LETTERS]}"


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
