"""Integer totals on disk: a run that was interrupted goes on where it stopped; and the hash of a result."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import zipfile
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.blocks import Played

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sim.engine.moments import Totals
    from sim.experiment.plan import Plan

    Groups = dict[str, Totals]

UNFINISHED: Final = "unfinished.npz"
KEY: Final = "key"
NUMBERS: Final = "n_playouts"
MARK: Final = "|"  # no name of an arm or total has it


def key_of(plan: Plan, fingerprint: str) -> str:
    """Return the hash of a plan and of the sources that play it."""
    told = json.dumps([plan.without_bands().model_dump(by_alias=True), fingerprint], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def digest(played: Sequence[Played]) -> str:
    """Return the hash of all integer totals; the same on any machine, for any threads and blocks."""
    found = hashlib.sha256()
    for name, values in _arrays(played):
        found.update(f"{name}{values.shape}".encode())
        found.update(np.ascontiguousarray(values, dtype="<i8").tobytes())
    return found.hexdigest()


def _arrays(played: Sequence[Played]) -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """Yield every array of totals with its full name, in a fixed order."""
    for number, one in enumerate(played):
        for kind, group in (("arms", one.arms), ("pairs", one.pairs)):
            for name in sorted(group):
                for key in sorted(group[name]):
                    yield MARK.join((str(number), kind, name, key)), group[name][key]


def save_totals(path: Path, key: str, played: Sequence[Played]) -> None:
    """Write totals; an older file is replaced whole or left alone.

    Args:
        path: File to write.
        key: What `key_of` returned; only a run of the same plan and sources goes on from it.
        played: Totals of each setting so far.

    """
    numbers = np.array([one.n_playouts for one in played], np.int64)
    arrays: dict[str, Any] = {KEY: np.array(key), NUMBERS: numbers, **dict(_arrays(played))}
    with written_whole(path) as file:
        np.savez(file, **arrays)


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write that takes its place when all is written; an older one is replaced whole or left alone.

    Args:
        path: Where it shall stand.

    Raises:
        OSError: It cannot be written there.

    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            yield file
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def load_totals(path: Path, key: str) -> list[Played]:
    """Return the totals of an interrupted run of the same plan and sources, or none.

    Args:
        path: File to read.
        key: What `key_of` returned.

    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            if str(found[KEY]) != key:
                return []
            played: list[tuple[Groups, Groups]] = [({}, {}) for _ in found[NUMBERS]]
            for full in found.files:
                if MARK in full:
                    number, kind, name, part = full.split(MARK)
                    group = played[int(number)][int(kind == "pairs")]
                    group.setdefault(name, {})[part] = found[full]
            numbers = [int(number) for number in found[NUMBERS]]
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return []
    return [Played(arms, pairs, n) for (arms, pairs), n in zip(played, numbers, strict=True)]
