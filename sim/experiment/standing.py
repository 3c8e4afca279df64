"""What stands in a results folder, seen from a plan that wants to be there: nothing is replaced that is of another."""

from __future__ import annotations

import contextlib
import json
import warnings
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from sim.experiment.checkpoint import UNFINISHED, key_in, key_of, load_totals
from sim.experiment.files import hash_of_file, read_regular
from sim.experiment.folder import (
    ASSUMED_TABLES,
    FILES,
    MANIFEST,
    MANIFEST_SCHEMA,
    OURS,
    ROWS,
    SAVED,
    ResultsError,
    own_names,
    refuse_foreign,
    refuse_no_place,
    tidy,
)
from sim.experiment.plan import Plan, check_plan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_KEYS_TOLD: Final = 3
MOST_LETTERS: Final = 60
UNREADABLE: Final = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError)
"""What reading a file raises that somebody has damaged or made up."""


class Kind(StrEnum):
    """What stands in a folder."""

    NOTHING = "nothing"
    WHOLE = "whole"  # the finished result of this plan and these sources
    SAME = "same"  # of this plan and these sources, but not finished or not whole
    OTHER = "other"  # of another plan, of other sources, or it cannot be told


@dataclass(frozen=True)
class Standing:
    """What stands in a folder, and what is to be said about it.

    Attributes:
        kind: What it is.
        says: What is wrong with it or different, in words.

    """

    kind: Kind
    says: str = ""


@dataclass(frozen=True)
class Wanted:
    """What wants a folder.

    Attributes:
        plan: The plan.
        fingerprint: Hash of the sources that play it.
        is_assumed: True if it is run over its assumptions.
        key: Key of what an interrupted run of it leaves; that of totals if empty.

    """

    plan: Plan
    fingerprint: str
    is_assumed: bool = False
    key: str = ""

    @property
    def unfinished(self) -> str:
        """Key of what an interrupted run leaves."""
        return self.key or key_of(self.plan, self.fingerprint)

    def decisive(self, plan: Plan) -> Plan:
        """Return what of a plan makes its result."""
        return plan.model_copy(update={"band": []}) if self.is_assumed else plan.without_bands()


def look(folder: Path, wanted: Wanted) -> Standing:
    """Return what stands in a folder.

    Args:
        folder: The folder.
        wanted: What wants to be there.

    Raises:
        ResultsError: No results can stand there, or it holds other things than results.

    """
    refuse_foreign(folder)
    names = own_names(folder)
    if SAVED in names:
        with contextlib.suppress(*UNREADABLE):
            tidy(folder)
    if MANIFEST in names:
        return _of_result(folder, wanted)
    if UNFINISHED in names:
        found = key_in(folder / UNFINISHED)
        if found in (None, wanted.unfinished):
            return Standing(Kind.SAME)
        return Standing(Kind.OTHER, f"what an interrupted run of another plan or of other sources left{_by(folder)}")
    if ROWS in names:
        return Standing(Kind.OTHER, "the rows of an interrupted run")
    return Standing(Kind.NOTHING)


def _by(folder: Path) -> str:
    """Return which command goes on with what an interrupted run has left, if it says so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it may be that of points, which has none
        kept = load_totals(folder / UNFINISHED)
    return f", which {kept.command!r} goes on with" if kept is not None and kept.command else ""


def _of_result(folder: Path, wanted: Wanted) -> Standing:
    """Return what the papers in a folder say, and whether the files are what the papers say."""
    try:
        told = read_manifest(folder)
        plan = check_plan(told["plan"], str(folder / MANIFEST))
        fingerprint, is_partial = str(told["fingerprint"]), bool(told["is_partial"])
    except UNREADABLE as fault:
        return Standing(Kind.OTHER, f"a result that cannot be read ({_short(fault)})")
    if is_assumed(folder, told) != wanted.is_assumed:
        return Standing(Kind.OTHER, f"the result of a run {'without' if wanted.is_assumed else 'with'} --assumed")
    ours, theirs = (wanted.decisive(one).model_dump(by_alias=True) for one in (wanted.plan, plan))
    if ours != theirs:
        return Standing(Kind.OTHER, f"the result of another plan ({', '.join(told_apart(ours, theirs))})")
    if fingerprint != wanted.fingerprint:
        return Standing(Kind.OTHER, f"a result that other sources of sim made ({fingerprint[:MOST_LETTERS]})")
    if is_partial:
        return Standing(Kind.SAME)
    missing = next(faults(folder, told), None)
    return Standing(Kind.WHOLE) if missing is None else Standing(Kind.SAME, missing)


def told_apart(ours: dict[str, Any], theirs: dict[str, Any]) -> Iterator[str]:
    """Yield the keys in which a plan that was played differs from one that wants its place, with its values."""
    differing = [key for key in theirs if ours.get(key) != theirs[key]]
    for key in differing[:MOST_KEYS_TOLD]:
        value = theirs[key]
        is_short = isinstance(value, (int, float, str)) and len(str(value)) <= MOST_LETTERS
        yield f"no {key}" if value is None else f"{key} {value}" if is_short else f"another {key}"
    if len(differing) > MOST_KEYS_TOLD:
        yield f"{len(differing) - MOST_KEYS_TOLD} more"


def faults(folder: Path, told: dict[str, Any], only: str = "") -> Iterator[str]:
    """Yield which files of a result are missing or not what was written.

    Args:
        folder: The results folder.
        told: Its manifest.
        only: How the names of those end that are looked at; all if empty.

    """
    if not isinstance(told.get(FILES), dict):
        yield f"{folder / MANIFEST} has no hashes of its files"
        return
    for name, digest in told[FILES].items():
        if name in OURS and name.endswith(only):
            try:
                if hash_of_file(folder / name) != digest:
                    yield f"{folder / name} is not what was saved"
            except FileNotFoundError:
                yield f"{folder / name} is missing"
            except OSError as fault:
                yield f"{folder / name}: {fault.strerror}"


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the papers of a result.

    Args:
        folder: The results folder.

    Raises:
        OSError: They cannot be read.
        ValueError: They are none.
        RecursionError: They are nested too deep.

    """
    told = json.loads(read_regular(folder / MANIFEST))
    if not isinstance(told, dict):
        message = f"{folder / MANIFEST}: found {type(told).__name__}, expected keys and values"
        raise ValueError(message)  # noqa: TRY004  (a damaged file, no wrong argument)
    if told.get("schema") != MANIFEST_SCHEMA:
        found = told.get("schema")
        expected = f"expected {MANIFEST_SCHEMA}, in which seats and places count from 1; run it again"
        message = f"{folder / MANIFEST}: found schema {found}, {expected}"
        raise ValueError(message)
    return told


def is_assumed(folder: Path, told: dict[str, Any]) -> bool:
    """Tell whether papers are those of a result over assumptions."""
    named = told.get(FILES)
    names = named if isinstance(named, dict) else {path.name for path in folder.glob("*.csv")}
    return f"{ASSUMED_TABLES[0]}.csv" in names


def _short(fault: BaseException) -> str:
    told = str(fault).partition("\n")[0]
    return f"{type(fault).__name__}: {told[:MOST_LETTERS]}" if told else type(fault).__name__


def claim(folder: Path, wanted: Wanted, *, is_replacing: bool, is_numbered: bool) -> tuple[Path, Standing]:
    """Return the folder that a plan gets, with what stands there: never one with the result of another.

    Args:
        folder: The folder that is asked for.
        wanted: What wants to be there.
        is_replacing: True to take the place of whatever is there.
        is_numbered: True to take a numbered folder beside it then, False to refuse.

    Raises:
        ResultsError: Another result, or things of somebody's own, stand there.

    """
    if is_replacing:
        refuse_no_place(folder)
        try:
            return folder, look(folder, wanted)
        except ResultsError:
            return folder, Standing(Kind.OTHER)
    for number in count(1):
        place = folder if number == 1 else folder.with_name(f"{folder.name}-{number}")
        found = look(place, wanted)
        if found.kind is not Kind.OTHER:
            break
        if not is_numbered:
            message = f"{folder}: found {found.says}; --replace puts the new one in its place, or choose another --out"
            raise ResultsError(message)
    return place, found
