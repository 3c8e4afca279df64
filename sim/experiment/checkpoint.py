"""Integer totals on disk: a run that was interrupted goes on where it stopped; and the hash of a result."""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.blocks import Played
from sim.experiment.files import MOST_TOTALS_BYTES, read_regular, written_whole
from sim.notices import tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sim.engine.moments import Totals
    from sim.experiment.plan import Plan

    Groups = dict[str, Totals]
    Address = tuple[int, str, str, str]

UNFINISHED: Final = "unfinished.npz"
ABOUT: Final = "about"
HASH: Final = "hash"
KINDS: Final = ("arms", "pairs")


@dataclass(frozen=True)
class Kept:
    """What an interrupted run has left.

    Attributes:
        key: Hash of its plan and sources.
        played: Totals of each setting so far.
        seconds: How long it took.
        command: The command line that goes on with it, if there was one.
        has_rows: True if it kept rows, and so starts again.

    """

    key: str = ""
    played: list[Played] = field(default_factory=list)
    seconds: float = 0.0
    command: str = ""
    has_rows: bool = False

    @property
    def n_rows(self) -> int:
        """Rows of all arms together."""
        return sum(int(totals["n_rows"]) for done in self.played for totals in done.arms.values())


def key_of(plan: Plan, fingerprint: str) -> str:
    """Return the hash of a plan and of the sources that play it."""
    told = json.dumps([plan.without_bands().model_dump(by_alias=True), fingerprint], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def digest(played: Sequence[Played]) -> str:
    """Return the hash of all integer totals; the same on any machine, for any threads and blocks."""
    found = hashlib.sha256()
    for address, values in _arrays(played):
        found.update(f"{'|'.join(map(str, address))}{values.shape}".encode())
        found.update(np.ascontiguousarray(values, dtype="<i8").tobytes())
    return found.hexdigest()


def _arrays(played: Sequence[Played]) -> Iterator[tuple[Address, np.ndarray[Any, Any]]]:
    """Yield every array of totals with what it is of, in a fixed order."""
    for number, one in enumerate(played):
        for kind, group in zip(KINDS, (one.arms, one.pairs), strict=True):
            for name in sorted(group):
                for key in sorted(group[name]):
                    yield (number, kind, name, key), group[name][key]


def save_totals(path: Path, kept: Kept) -> None:
    """Write totals; an older file is replaced whole or left alone.

    Args:
        path: File to write.
        kept: The totals and what they are of; only a run of the same plan and sources goes on from them.

    Raises:
        OSError: They cannot be written.

    """
    found = list(_arrays(kept.played))
    about = {
        "key": kept.key,
        "seconds": kept.seconds,
        "command": kept.command,
        "has_rows": kept.has_rows,
        "n_playouts": [one.n_playouts for one in kept.played],
        "addresses": [address for address, _ in found],
        HASH: digest(kept.played),
    }
    arrays: dict[str, Any] = {ABOUT: np.array(json.dumps(about)), **{str(n): one for n, (_, one) in enumerate(found)}}
    with written_whole(path) as file:
        np.savez(file, **arrays)


def load_totals(path: Path, key: str | None = None) -> Kept | None:
    """Return what an interrupted run has left; None, and a notice, if it is damaged.

    Args:
        path: File to read.
        key: What `key_of` returned, to take up a run of the same plan and sources only; any if None.

    """
    try:
        raw = read_regular(path, MOST_TOTALS_BYTES)
    except FileNotFoundError:
        return None
    except OSError as fault:
        _tell_damaged(path, fault)
        return None
    try:
        return _read(raw, key)
    except Exception as fault:  # noqa: BLE001  (whatever a damaged archive makes zipfile, numpy and json raise)
        _tell_damaged(path, fault)
        return None


def key_in(path: Path) -> str | None:
    """Return the key of what an interrupted run has left, of totals or of points; None if it is damaged.

    Args:
        path: File to read.

    """
    try:
        with np.load(io.BytesIO(read_regular(path, MOST_TOTALS_BYTES)), allow_pickle=False) as found:
            return str(json.loads(str(found[ABOUT]))["key"] if ABOUT in found else found["key"])
    except Exception:  # noqa: BLE001  (whatever a damaged archive makes zipfile, numpy and json raise)
        return None


def _tell_damaged(path: Path, fault: Exception) -> None:
    told = str(fault).partition("\n")[0] or type(fault).__name__
    tell(f"{path}: the totals of an interrupted run are damaged ({told}); all is played anew")


def _read(raw: bytes, key: str | None) -> Kept | None:
    """Return what a file of totals holds, None if it is of another plan.

    Raises:
        ValueError: It is not what was written.

    """
    with np.load(io.BytesIO(raw), allow_pickle=False) as found:
        about = json.loads(str(found[ABOUT]))
        if key not in (None, about["key"]):
            return None
        groups: list[tuple[Groups, Groups]] = [({}, {}) for _ in about["n_playouts"]]
        for number, (setting, kind, name, part) in enumerate(about["addresses"]):
            groups[setting][KINDS.index(kind)].setdefault(name, {})[part] = found[str(number)]
    pairs = zip(groups, about["n_playouts"], strict=True)
    played = [Played(arms, compared, int(n)) for (arms, compared), n in pairs]
    if digest(played) != about[HASH]:
        message = "they are not what was written"
        raise ValueError(message)
    return Kept(about["key"], played, float(about["seconds"]), str(about["command"]), bool(about["has_rows"]))
