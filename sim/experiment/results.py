"""Results: tables with their papers, saved whole or not at all, and the answer in one sentence."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pandas as pd

from sim import __version__
from sim.experiment import answers
from sim.experiment.plan import Plan, check_plan

SCHEMA: Final = 1
MANIFEST: Final = "manifest.json"
FIGURES: Final = ("win_share", "item_balance", "length")


def _plots() -> Any:
    """Return the module of figures when one is asked for: it stands above this floor, and matplotlib is slow."""
    return import_module("sim.plots")


class ResultsError(ValueError):
    """A results folder cannot be written or read; the message names it and says why."""


@dataclass(frozen=True)
class Result:
    """What a plan has found.

    Attributes:
        plan: The plan.
        tables: Tidy tables by name; estimates have value, mcse, lower, upper, level and n_playouts.
        result_hash: Hash of all integer totals; equal on any machine for the same plan and fingerprint.
        fingerprint: Hash of all sources and data that made it.
        seconds: How long it took.
        n_playouts: Playouts of all arms together.
        is_partial: True if it was interrupted; what is here is whole blocks.

    """

    plan: Plan
    tables: dict[str, pd.DataFrame]
    result_hash: str
    fingerprint: str
    seconds: float
    n_playouts: int
    is_partial: bool = False

    def table(self, name: str) -> pd.DataFrame:
        """Return a table by name, empty if the plan does not make it."""
        return self.tables.get(name, pd.DataFrame())

    def win_share(self) -> pd.DataFrame:
        """Return the share of the win by variant, profile and chair; shares sum to one."""
        return self.table("win_share")

    def seat_advantage(self) -> pd.DataFrame:
        """Return points above a fair share by place in turn order, intervals simultaneous."""
        return self.table("seat_advantage")

    def length(self) -> pd.DataFrame:
        """Return the mean length in turns with quantiles and the share of truncated playouts."""
        return self.table("length")

    def item_balance(self) -> pd.DataFrame:
        """Return deal, grant and ablation lift of each item in points, simultaneous; the held rate is confounded."""
        return self.table("item_balance")

    def compare(self, quantity: str | None = None) -> pd.DataFrame:
        """Return paired lifts over the baseline.

        Args:
            quantity: Only rows whose quantity begins so, such as `length` or `deal lift`; all if None.

        """
        frame = self.table("comparisons")
        if quantity is None or frame.empty:
            return frame
        return frame[frame["quantity"].str.startswith(quantity)].reset_index(drop=True)

    @property
    def answer(self) -> str:
        """The answer in one sentence, composed from the tables."""
        told = answers.answer(self.plan, self.tables)
        return f"{told} (Interrupted: from the playouts finished so far.)" if self.is_partial else told

    def plot_win_share(self) -> Any:
        """Return a figure of the win shares."""
        return _plots().win_share(self.win_share())

    def plot_item_balance(self) -> Any:
        """Return a figure of the item balance."""
        return _plots().item_balance(self.item_balance())

    def plot_length(self) -> Any:
        """Return a figure of the lengths."""
        return _plots().length(self.length())

    def as_rows(self) -> dict[str, list[dict[str, Any]]]:
        """Return all tables as plain rows."""
        return {name: frame.to_dict("records") for name, frame in self.tables.items()}

    def manifest(self) -> dict[str, Any]:
        """Return what is needed to repeat and to trust the result."""
        return {
            "schema": SCHEMA,
            "plan": self.plan.model_dump(by_alias=True),
            "seed": self.plan.seed,
            "version": __version__,
            "fingerprint": self.fingerprint,
            "result_hash": self.result_hash,
            "n_playouts": self.n_playouts,
            "seconds": round(self.seconds, 1),
            "is_partial": self.is_partial,
            "answer": self.answer,
        }

    def save(self, folder: str | Path) -> Path:
        """Write manifest, tables and figures; the folder is replaced whole or left alone.

        Args:
            folder: Where the result shall stand.

        Raises:
            ResultsError: The place is a file, or cannot be written.

        """
        target = Path(folder)
        if target.exists() and not target.is_dir():
            message = f"{target}: found a file, expected a folder for the results; choose another --out"
            raise ResultsError(message)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as made:
                self._write(Path(made))
                _replace(Path(made), target)
        except OSError as fault:
            message = f"{target}: cannot write the results there: {fault.strerror or fault}"
            raise ResultsError(message) from fault
        return target

    def _write(self, folder: Path) -> None:
        for name, frame in self.tables.items():
            frame.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")
        (folder / "figures").mkdir()
        for name in FIGURES:
            if name in self.tables:
                figure = getattr(self, f"plot_{name}")()
                _plots().save(figure, folder / "figures" / f"{name}.svg")
        (folder / MANIFEST).write_text(json.dumps(self.manifest(), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: str | Path) -> Result:
        """Read a result back.

        Args:
            folder: What `save` wrote.

        Raises:
            ResultsError: There is no whole result there.

        """
        place = Path(folder)
        try:
            told = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
            tables = {path.stem: read_table(path) for path in sorted(place.glob("*.csv"))}
        except (OSError, ValueError) as fault:
            message = f"{place}: no whole result is there: {fault}"
            raise ResultsError(message) from fault
        plan = check_plan(told["plan"], str(place / MANIFEST))
        kept = (told[name] for name in ("result_hash", "fingerprint", "seconds", "n_playouts", "is_partial"))
        return cls(plan, tables, *kept)


def read_table(path: Path) -> pd.DataFrame:
    """Read a table back; nothing is missing but what was written as nothing (a name may be "none")."""
    return pd.read_csv(path, keep_default_na=False, na_values=[""])


def _replace(made: Path, target: Path) -> None:
    """Move a finished folder to its place; an older one is moved away first and then removed."""
    old = target.with_name(f".{target.name}-old-{os.getpid()}")
    if target.exists():
        target.rename(old)
    finished = made / ".." / f".{target.name}-new-{os.getpid()}"
    shutil.copytree(made, finished)
    finished.resolve().rename(target)
    shutil.rmtree(old, ignore_errors=True)


def find_finished(plan: Plan, folder: str | Path, fingerprint: str) -> Result | None:
    """Return the result that stands in a folder if it is whole and of the same plan and sources."""
    try:
        found = Result.load(folder)
    except (ResultsError, KeyError):
        return None
    same = found.plan == plan and found.fingerprint == fingerprint and not found.is_partial
    return found if same else None
