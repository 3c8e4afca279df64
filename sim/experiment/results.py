"""Results: tables with their papers, saved whole or not at all, and the answer in one sentence."""

from __future__ import annotations

import contextlib
import html
import json
import math
import os
import platform
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import import_module, metadata
from pathlib import Path
from typing import Any, Final

import pandas as pd

from sim import __version__
from sim.components import nearest
from sim.components.influence import INFLUENCE
from sim.experiment import answers
from sim.experiment.checkpoint import UNFINISHED
from sim.experiment.plan import ESTIMANDS, Plan, check_plan

SCHEMA: Final = 2  # 1 counted seats and places from 0
MANIFEST: Final = "manifest.json"
ROWS: Final = "rows"
PAGE: Final = "report.html"
FIGURE_FOLDER: Final = "figures"
FIGURES: Final = ("win_share", "seat_advantage", "advice", "item_balance", "length", "calibration")
PACKAGES: Final = ("numpy", "numba", "pandas", "scipy")
ASSUMED_TABLES: Final = ("assumed_band", "assumptions")
POINTS: Final = "points.npz"
OF_ASSUMED: Final = (*(f"{name}.csv" for name in ASSUMED_TABLES), POINTS, INFLUENCE)
"""Files that a result over assumptions has and no other."""
WHEN_THERE: Final = {
    "policy_share": "line-ups that mix policies have it",
    "comparisons": "it takes two variants: vs=... in sim.play, a second [[variant]] in a plan",
    "stops": "runs with precision or until_decided have it",
    "ruleset_metrics": "metrics=True in sim.play asks for it, metric_playouts in a plan",
    "calibration": "metrics=True in sim.play asks for it, metric_playouts in a plan",
    "item_balance": 'a plan asks for it with items = "all" or their names',
    "item_summary": "a plan asks for it with items and a lift of them, such as the estimand 'grant'",
}
"""What a result needs to have a table that not every result has."""
KEPT_OF_MANIFEST: Final = ("result_hash", "fingerprint", "seconds", "n_playouts", "is_partial", "started", "command")


class ResultsError(ValueError):
    """A results folder cannot be written or read; the message names it and says why."""


@dataclass(frozen=True, repr=False)
class Result:
    """What a plan has found.

    Attributes:
        plan: The plan.
        tables: Tidy tables by name; estimates have value, mcse, lower, upper, level and n_playouts.
        result_hash: Hash of all integer totals; equal on any machine for the same plan and fingerprint.
        fingerprint: Hash of all sources and data that made it.
        seconds: How long it took.
        n_playouts: Rows of all arms together: playouts, rotations counted.
        is_partial: True if it was interrupted; what is here is whole blocks.
        started: When it was started, in UTC.
        command: The command line that asked for it, if there was one.

    """

    plan: Plan
    tables: dict[str, pd.DataFrame] = field(repr=False)
    result_hash: str
    fingerprint: str
    seconds: float
    n_playouts: int
    is_partial: bool = False
    started: str = ""
    command: str = ""

    def __repr__(self) -> str:
        """Return what was asked, the answer, and which tables there are."""
        return "\n".join(self._told())

    def _repr_html_(self) -> str:
        """Return the same for notebooks."""
        question, answer, papers = map(html.escape, self._told())
        return f"<p><b>{question}</b></p><p>{answer}</p><p><small>{papers}</small></p>"

    def _told(self) -> tuple[str, str, str]:
        """Return question, answer, and a line about tables and papers."""
        tables = ", ".join(self.tables) or "none"
        papers = f"{self.plan.game}, {self.n_playouts:,} playouts of all arms, seed {self.plan.seed}; tables: {tables}"
        return self.plan.question, self.answer, papers

    def table(self, name: str) -> pd.DataFrame:
        """Return a table by name.

        Raises:
            ValueError: No plan makes such a table, the nearest is offered; or this result does not have it.

        """
        if name in self.tables:
            return self.tables[name]
        has = ", ".join(self.tables) or "none"
        if name not in ESTIMANDS:
            known = [*self.tables, *(one for one in ESTIMANDS if one not in self.tables)]
            message = f"table: found {name!r}, expected one of {', '.join(known)}{nearest(str(name), known)}"
            raise ValueError(message)
        why = WHEN_THERE.get(name, "its plan does not ask for it, or the game has nothing of the kind")
        message = f"{name}: this result has no such table; {why} (tables here: {has})"
        raise ValueError(message)

    def win_share(self) -> pd.DataFrame:
        """Return the share of the win by variant, profile and seat of the line-up; shares sum to one."""
        return self.table("win_share")

    def policy_share(self) -> pd.DataFrame:
        """Return the share of the win of a seat with each policy, in line-ups that mix them."""
        return self.table("policy_share")

    def seat_advantage(self) -> pd.DataFrame:
        """Return points above a fair share by place in turn order, intervals simultaneous."""
        return self.table("seat_advantage")

    def advice(self) -> pd.DataFrame:
        """Return what a piece of advice is worth to the one seat that follows it, in points, with verdicts."""
        return self.table("advice")

    def length(self) -> pd.DataFrame:
        """Return the mean length in turns with quantiles and the share of truncated playouts."""
        return self.table("length")

    def item_balance(self) -> pd.DataFrame:
        """Return each item's strength by the estimands of the plan, in points; the held rate is confounded."""
        return self.table("item_balance")

    def item_summary(self) -> pd.DataFrame:
        """Return each item's lifts over all profiles: mean, range, stability of the sign, verdict."""
        return self.table("item_summary")

    def ruleset_metrics(self, metric: str | None = None) -> pd.DataFrame:
        """Return metrics of the whole ruleset, with paired changes of those that come from recorded playouts.

        Args:
            metric: Only rows of this metric, such as `drama`; all if None.

        Raises:
            ValueError: There is no such metric, the nearest is offered; or no table of metrics.

        """
        frame = self.table("ruleset_metrics")
        return frame if metric is None else _rows_with(frame, "metric", metric, frame["metric"] == metric)

    def calibration(self) -> pd.DataFrame:
        """Return what came of the chances that value functions told, bin by bin: whether the metrics can be trusted."""
        return self.table("calibration")

    def compare(self, quantity: str | None = None) -> pd.DataFrame:
        """Return paired lifts over the baseline.

        Args:
            quantity: Only rows whose quantity begins so, such as `length` or `deal lift`; all if None.

        Raises:
            ValueError: No quantity begins so, the nearest is offered; or there is only one variant.

        """
        frame = self.table("comparisons")
        if quantity is None:
            return frame
        return _rows_with(frame, "quantity", quantity, frame["quantity"].str.startswith(str(quantity)))

    def claims(self) -> pd.DataFrame:
        """Return each seat advantage and lift over all policy profiles: mean, range, sign, verdict."""
        return self.table("claims")

    def stops(self) -> pd.DataFrame:
        """Return where each setting stopped and why, of runs with a precision or until verdicts are decided."""
        return self.table("stops")

    def item_share(self) -> pd.DataFrame:
        """Return the share of the win of who was dealt each item, and in which part of playouts somebody was."""
        return self.table("item_share")

    def counts(self) -> pd.DataFrame:
        """Return how often what the game counts reaches each number."""
        return self.table("counts")

    def spaces(self) -> pd.DataFrame:
        """Return landings and losses per playout by space."""
        return self.table("spaces")

    def flows(self) -> pd.DataFrame:
        """Return how much of each resource comes and goes per playout, by source."""
        return self.table("flows")

    def decisions(self) -> pd.DataFrame:
        """Return how many decisions of each kind are asked per playout."""
        return self.table("decisions")

    def uses(self) -> pd.DataFrame:
        """Return how often each item is used per playout."""
        return self.table("uses")

    @property
    def answer(self) -> str:
        """The answer in one sentence, composed from the tables."""
        told = answers.answer(self.plan, self.tables)
        return f"{told} (Interrupted: from the playouts finished so far.)" if self.is_partial else told

    def plot_win_share(self) -> Any:
        """Return a figure of the win shares."""
        return _plots().win_share(self.table("win_share"))

    def plot_seat_advantage(self) -> Any:
        """Return a figure of the advantage of each place in turn order."""
        return _plots().seat_advantage(self.table("seat_advantage"))

    def plot_advice(self) -> Any:
        """Return a figure of what a piece of advice is worth under each profile."""
        return _plots().advice(self.table("advice"))

    def plot_item_balance(self) -> Any:
        """Return a figure of the item balance of the baseline."""
        frame = self.table("item_balance")
        return _plots().item_balance(frame[frame["variant"] == self.plan.variants[0].name])

    def plot_length(self) -> Any:
        """Return a figure of the lengths."""
        return _plots().length(self.table("length"))

    def plot_comparisons(self, quantity: str = "win share") -> Any:
        """Return a figure of paired lifts over the baseline.

        Args:
            quantity: How the names of the quantities begin that are drawn; all of them in one unit.

        """
        return _plots().comparisons(self.compare(quantity))

    def plot_calibration(self) -> Any:
        """Return a figure of told chances and what came of them."""
        return _plots().calibration(self.table("calibration"))

    def as_rows(self) -> dict[str, list[dict[str, Any]]]:
        """Return all tables as plain rows."""
        return {name: frame.to_dict("records") for name, frame in self.tables.items()}

    def as_json(self, command: str = "run") -> dict[str, Any]:
        """Return the document that `--json` prints; what is not a finite number is None.

        Args:
            command: Name of the command that prints it.

        """
        return {
            "schema": SCHEMA,
            "command": command,
            "seed": self.plan.seed,
            "fingerprint": self.fingerprint,
            "question": self.plan.question,
            "answer": self.answer,
            "game": self.plan.game,
            "result_hash": self.result_hash,
            "n_playouts": self.n_playouts,
            "is_partial": self.is_partial,
            "tables": {name: [_plain(row) for row in rows] for name, rows in self.as_rows().items()},
        }

    def manifest(self) -> dict[str, Any]:
        """Return what is needed to repeat and to trust the result."""
        versions = {name: metadata.version(name) for name in PACKAGES}
        return {
            "schema": SCHEMA,
            "command": self.command,
            "plan": self.plan.model_dump(by_alias=True),
            "seed": self.plan.seed,
            "versions": {"sim": __version__, "python": platform.python_version(), **versions},
            "fingerprint": self.fingerprint,
            "result_hash": self.result_hash,
            "n_playouts": self.n_playouts,
            "started": self.started,
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
        return save_whole(path_of(folder, "folder"), self._write, self.is_partial)

    def _write(self, folder: Path) -> None:
        folder.chmod(0o755)
        for name, frame in self.tables.items():
            frame.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")
        (folder / FIGURE_FOLDER).mkdir()
        for name in FIGURES:
            if name in self.tables:
                with contextlib.suppress(_plots().NothingToDraw):
                    _plots().save(getattr(self, f"plot_{name}")(), folder / FIGURE_FOLDER / f"{name}.svg")
        (folder / MANIFEST).write_text(json.dumps(self.manifest(), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: str | Path) -> Result:
        """Read a result back.

        Args:
            folder: What `save` wrote.

        Raises:
            ResultsError: There is no whole result there, or one over assumptions.

        """
        place = path_of(folder, "folder")
        try:
            told = read_manifest(place)
            tables = {path.stem: read_table(path) for path in place.glob("*.csv")}
            plan = check_plan(told["plan"], str(place / MANIFEST))
            kept = {name: told[name] for name in KEPT_OF_MANIFEST}
        except (OSError, ValueError, KeyError, TypeError) as fault:
            message = f"{place}: no whole result is there: {fault}"
            raise ResultsError(message) from fault
        if is_assumed(place):
            message = f"{place}: found the result of --assumed band, expected that of a plain run"
            raise ResultsError(message)
        order = [name for name in ESTIMANDS if name in tables]
        return cls(plan, {name: tables[name] for name in order}, **kept)


def _rows_with(frame: pd.DataFrame, column: str, wanted: str, is_wanted: pd.Series) -> pd.DataFrame:
    """Return the wanted rows of a table.

    Raises:
        ValueError: There are none; the nearest value of the column is offered.

    """
    if not is_wanted.any():
        known = [str(one) for one in frame[column].unique()]
        message = (
            f"{column}: found {wanted!r}, expected one of {', '.join(map(repr, known))}{nearest(str(wanted), known)}"
        )
        raise ValueError(message)
    return frame[is_wanted].reset_index(drop=True)


def path_of(found: object, key: str) -> Path:
    """Return a path that a notebook hands over.

    Args:
        found: Text or a path.
        key: What to call it in an error.

    Raises:
        ResultsError: It is neither.

    """
    if not isinstance(found, (str, Path)):
        message = f"{key}: found {found!r}, expected a path"
        raise ResultsError(message)
    return Path(found)


def _plots() -> Any:
    """Return the floor above that draws, when a picture is first wanted: matplotlib is slow to import."""
    return import_module("sim.plots")


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row in the types that JSON has."""
    plain = {key: value.item() if hasattr(value, "item") else value for key, value in row.items()}
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in plain.items()
    }


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a result.

    Raises:
        OSError: There is none.
        ValueError: It is none, or one of another format.

    """
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    found = manifest["schema"] if isinstance(manifest, dict) else None
    if found != SCHEMA:
        message = (
            f"{MANIFEST}: found schema {found}, expected {SCHEMA}, in which seats and places count from 1; run it again"
        )
        raise ValueError(message)
    return dict(manifest)


def read_table(path: Path) -> pd.DataFrame:
    """Return a table that was saved; `None` and the like are words, only what is empty is missing."""
    return pd.read_csv(path, keep_default_na=False, na_values=[""])


def is_assumed(folder: Path) -> bool:
    """Tell whether a folder holds a result over assumptions."""
    return (folder / OF_ASSUMED[0]).exists()


def refuse_foreign(folder: Path) -> None:
    """Stop if the place of a results folder is a file, or a folder that holds other things than a result.

    Raises:
        ResultsError: It is.

    """
    expected = "expected a new folder, an empty one or that of an earlier result; choose another --out"
    if folder.exists() and not folder.is_dir():
        message = f"{folder}: found a file, {expected}"
        raise ResultsError(message)
    if folder.resolve() in (Path.cwd(), *Path.cwd().parents):
        message = f"{folder}: found the folder that you are in, or one above it, {expected}"
        raise ResultsError(message)
    found = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    if found and not {MANIFEST, UNFINISHED, ROWS} & set(found):
        message = f"{folder}: found a folder with other things in it ({found[0]}), {expected}"
        raise ResultsError(message)


def open_folder(folder: Path, is_fresh: bool = False) -> None:
    """Make a results folder, or check that the one there can be written, before anything is played.

    Args:
        folder: The folder.
        is_fresh: True if rows of an earlier run in it are to go.

    Raises:
        ResultsError: It is a file, or cannot be written.

    """
    refuse_foreign(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        if is_fresh and (folder / ROWS).exists():
            shutil.rmtree(folder / ROWS)
    except OSError as fault:
        message = f"{folder}: cannot write the results there: {fault.strerror or fault}"
        raise ResultsError(message) from fault


def save_whole(target: Path, write: Callable[[Path], None], is_partial: bool = False) -> Path:
    """Write a results folder; the one there is replaced whole or left alone.

    Args:
        target: Where it shall stand.
        write: Writes all files into a folder.
        is_partial: True to take over the totals of an unfinished run.

    Raises:
        ResultsError: The place is a file, or cannot be written.

    """
    refuse_foreign(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}-"))
        try:
            write(made)
            _move_kept(target, made, is_partial)
            _replace(made, target)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as fault:
        remove_if_empty(target)
        message = f"{target}: cannot write the results there: {fault.strerror or fault}"
        raise ResultsError(message) from fault
    return target


def remove_if_empty(folder: Path) -> None:
    """Take away a results folder in which nothing was left."""
    with contextlib.suppress(OSError):
        folder.rmdir()


def _move_kept(target: Path, made: Path, is_partial: bool) -> None:
    """Take over what is no part of an earlier result: rows, totals of an unfinished run, whatever else people keep."""
    replaced = {MANIFEST, PAGE, FIGURE_FOLDER, *(f"{name}.csv" for name in ESTIMANDS), *OF_ASSUMED}
    replaced |= set() if is_partial else {UNFINISHED}
    for path in target.iterdir() if target.exists() else []:
        if path.name not in replaced and not (made / path.name).exists():
            path.rename(made / path.name)


def _replace(made: Path, target: Path) -> None:
    """Move a finished folder to its place; an older one is moved away first and then removed."""
    old = target.with_name(f".{target.name}-old-{os.getpid()}")
    if target.exists():
        target.rename(old)
    try:
        made.rename(target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def find_finished(plan: Plan, folder: str | Path, fingerprint: str) -> Result | None:
    """Return the result that stands in a folder if it is whole and of the same plan and sources.

    Args:
        plan: The plan that is to be played.
        folder: The results folder.
        fingerprint: Hash of the sources that would play it.

    """
    try:
        found = Result.load(folder)
    except ResultsError:
        return None
    is_same = found.plan.without_bands() == plan.without_bands() and found.fingerprint == fingerprint
    tells_truncation = "length" in found.tables or not plan.wants("length")  # bands ask for it, whatever the plan wants
    return replace(found, plan=plan) if is_same and tells_truncation and not found.is_partial else None
