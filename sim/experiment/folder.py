"""Results folders: what is written there takes its place whole, and nothing of anybody else's with it.

A result is made in a hidden folder within its own, so that mounts, links and parents that may not be written do no
harm. Once it is on the disk, that folder gets the name `.saved`: from then on it counts. Its files are moved to their
places one by one, the manifest last; whoever is stopped amid that leaves the rest to the next one who looks.
Only names that `sim` gave are ever replaced or taken away.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sim.components.influence import INFLUENCE
from sim.experiment.checkpoint import UNFINISHED
from sim.experiment.files import leftovers, read_regular, sync_tree
from sim.experiment.plan import ESTIMANDS

if TYPE_CHECKING:
    from collections.abc import Callable

MANIFEST: Final = "manifest.json"
MANIFEST_SCHEMA: Final = 2  # 1 counted seats and places from 0
ROWS: Final = "rows"
PAGE: Final = "report.html"
FIGURE_FOLDER: Final = "figures"
FIGURES: Final = ("win_share", "seat_advantage", "advice", "item_balance", "length", "calibration")
ASSUMED_TABLES: Final = ("assumed_band", "assumptions")
POINTS: Final = "points.npz"
OF_ASSUMED: Final = (*(f"{name}.csv" for name in ASSUMED_TABLES), POINTS, INFLUENCE)
"""Files that a result over assumptions has and no other."""
SAVED: Final = ".saved"
MAKING: Final = ".saving-"
OURS: Final = (
    *(f"{name}.csv" for name in ESTIMANDS),
    *OF_ASSUMED,
    PAGE,
    *(f"{FIGURE_FOLDER}/{name}.svg" for name in (*FIGURES, "assumptions")),
)
"""Names of files that a result may have; what else is in its folder is somebody's own."""
MARKS: Final = frozenset({MANIFEST, UNFINISHED, ROWS, SAVED})
"""What tells a folder of results from others."""
FILES: Final = "files"
MOST_SHOWN: Final = 3
PART_OF_ROWS: Final = re.compile(r"\d{12}\.parquet")


class ResultsError(ValueError):
    """A results folder cannot be written or read; the message names it and says why."""


def path_of(found: object, key: str) -> Path:
    """Return a path that a notebook hands over.

    Args:
        found: Text or a path.
        key: What to call it in an error.

    Raises:
        ResultsError: It is neither.

    """
    if not isinstance(found, (str, Path)) or "\0" in str(found):
        message = f"{key}: found {found!r}, expected a path"
        raise ResultsError(message)
    return Path(found)


def own_names(folder: Path) -> list[str]:
    """Return what is in a folder, apart from what was left half-made."""
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith(MAKING)) if folder.exists() else []


def refuse_no_place(folder: Path) -> None:
    """Stop if results can never stand there, whatever is replaced.

    Raises:
        ResultsError: The place is a file, a link to nowhere, or the folder that one is in or one above it.

    """
    expected = "expected a new folder, an empty one or that of an earlier result; choose another --out"
    if folder.exists() and not folder.is_dir():
        message = f"{folder}: found a file, {expected}"
        raise ResultsError(message)
    if folder.resolve() in (Path.cwd(), *Path.cwd().parents):
        message = f"{folder}: found the folder that you are in, or one above it, {expected}"
        raise ResultsError(message)


def refuse_foreign(folder: Path) -> None:
    """Stop if the place of a results folder holds other things than a result.

    Raises:
        ResultsError: It does; or results can never stand there.

    """
    refuse_no_place(folder)
    found = own_names(folder)
    if found and not MARKS & set(found):
        more = f" and {len(found) - MOST_SHOWN} more" if len(found) > MOST_SHOWN else ""
        message = (
            f"{folder}: found a folder with other things in it ({', '.join(found[:MOST_SHOWN])}{more}), expected a "
            "new folder, an empty one or that of an earlier result; choose another --out, or --replace writes "
            "among them"
        )
        raise ResultsError(message)


@contextlib.contextmanager
def told_as_results(folder: Path) -> Any:
    """Let a fault of the disk be told as one of the results.

    Raises:
        ResultsError: There is one.

    """
    try:
        yield
    except OSError as fault:
        message = f"{folder}: cannot write the results there: {fault.strerror or fault}"
        raise ResultsError(message) from fault


def open_folder(folder: Path) -> None:
    """Make a results folder, or try the one there, before anything is played; what was left half-done is put right.

    Args:
        folder: The folder.

    Raises:
        ResultsError: It cannot be written.

    """
    refuse_no_place(folder)
    with told_as_results(folder):
        folder.resolve().mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder, prefix=f"{MAKING}{os.getpid()}-"))
        made.rename(made.with_name(f"{made.name}-tried")).rmdir()
        tidy(folder)
        refuse_in_the_way(folder)


def refuse_in_the_way(folder: Path) -> None:
    """Stop if a folder of somebody's own has the name of a file that a result has, or the other way round.

    Raises:
        ResultsError: One has.

    """
    for name in (*OURS, MANIFEST, UNFINISHED):
        if (folder / name).is_dir():
            message = f"{folder / name}: found a folder, expected none where a file of the result goes; move it"
            raise ResultsError(message)
    for name in (FIGURE_FOLDER, ROWS):
        if (folder / name).exists() and not (folder / name).is_dir():
            message = f"{folder / name}: found a file, expected none where a folder of the result goes; move it"
            raise ResultsError(message)


def tidy(folder: Path) -> None:
    """Put right what a process that was stopped has left: a result on its way to its place, and half-made ones.

    Raises:
        OSError: The folder cannot be written.

    """
    if (folder / SAVED).is_dir():
        take_over(folder)
    for path in leftovers(folder, MAKING):
        shutil.rmtree(path, ignore_errors=True)
    for path in leftovers(folder, f".{UNFINISHED}."):
        path.unlink(missing_ok=True)


def save_whole(target: Path, write: Callable[[Path], None], keeps_unfinished: bool = False) -> Path:
    """Write a result into its folder; an earlier one is replaced whole or left alone, other things stay.

    Args:
        target: Where it shall stand.
        write: Writes all files into a folder, the manifest with the hash of each among them.
        keeps_unfinished: True to leave the totals of an unfinished run.

    Raises:
        ResultsError: The place is a file, or cannot be written.

    """
    is_new = not target.exists()
    open_folder(target)
    try:
        with told_as_results(target):
            _make(target, write)
            if not keeps_unfinished:
                (target / UNFINISHED).unlink(missing_ok=True)
            take_over(target)
    except BaseException:
        if is_new:
            remove_if_empty(target)
        raise
    return target


def _make(target: Path, write: Callable[[Path], None]) -> None:
    """Write a result into a hidden folder, which counts once it has its name."""
    made = Path(tempfile.mkdtemp(dir=target, prefix=f"{MAKING}{os.getpid()}-"))
    try:
        write(made)
        sync_tree(made)
        made.rename(target / SAVED)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def take_over(folder: Path) -> None:
    """Move a result that is wholly written to its place, from wherever an earlier attempt was stopped.

    Args:
        folder: Results folder with a `.saved` in it.

    Raises:
        OSError: It cannot be written.

    """
    saved = folder / SAVED
    if (saved / MANIFEST).exists():
        listed = set(json.loads(read_regular(saved / MANIFEST))[FILES]) & set(OURS)
        for name in sorted(listed):
            (folder / name).parent.mkdir(exist_ok=True)
            with contextlib.suppress(FileNotFoundError):  # moved already, by whoever was stopped
                (saved / name).replace(folder / name)
        for name in set(OURS) - listed:
            (folder / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            (folder / FIGURE_FOLDER).rmdir()  # if nothing is in it
        (saved / MANIFEST).replace(folder / MANIFEST)
    shutil.rmtree(saved, ignore_errors=True)


def remove_if_empty(folder: Path) -> None:
    """Take away a results folder in which nothing was left."""
    with contextlib.suppress(OSError):
        folder.rmdir()


def remove_rows(folder: Path) -> None:
    """Take away the rows of an earlier run, and the folders that are empty then; other files stay.

    Args:
        folder: The results folder.

    Raises:
        ResultsError: They cannot be taken away.

    """
    with told_as_results(folder):
        for path in (folder / ROWS).rglob("*.parquet"):
            if PART_OF_ROWS.fullmatch(path.name):
                path.unlink()
        for path in sorted((folder / ROWS).rglob("*"), reverse=True):
            if path.is_dir() and not path.is_symlink():
                remove_if_empty(path)
