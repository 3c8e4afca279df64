"""Ends runs and saves at random moments and goes on with them: `python -m tests.killer -n 30`.

Whatever the moment, the same command then ends with the very files of a run that nobody stopped, and what else is in
the folder stays. Processes are really ended, by SIGKILL, SIGTERM or Ctrl-C. `stopped_at` does the like within a
process, at a given operation on the disk, after which nothing more is done there, as if it had been killed.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random  # noqa: TID251  (when it ends comes from a seed, no playout does)
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

SIM = (sys.executable, "-m", "sim")
PLAN = """schema = 1
question = "Who wins?"
game = "pig"
seats = [2, 3]
playouts = 400_000
estimands = ["win_share", "length", "comparisons", "flows"]
[[profile]]
name = "calm"
policies = ["hold_20"]
[[profile]]
name = "pri|nted"
policies = ["random"]
[[variant]]
name = "printed"
[[variant]]
name = "short"
changes = { goal = 40 }
"""
OPERATIONS = ("replace", "unlink", "mkdir", "rename", "rmdir", "fsync", "open")
TIMES = ("started", "seconds", "command")


class Killed(BaseException):
    """The process is no more."""


@contextlib.contextmanager
def stopped_at(moment: int) -> Iterator[list[int]]:
    """Let all operations on the disk fail from one on, as if the process had been killed then.

    Args:
        moment: How many are carried out.

    Yields:
        A list with how many were asked for.

    """
    asked = [0]

    def counted(real: Any) -> Any:
        def operate(*given: Any, **named: Any) -> Any:
            asked[0] += 1
            if asked[0] > moment:
                raise Killed
            return real(*given, **named)

        return operate

    with contextlib.ExitStack() as stack:
        for name in OPERATIONS:
            stack.enter_context(mock.patch.object(os, name, counted(getattr(os, name))))
        with contextlib.suppress(Killed):
            yield asked


def files_of(folder: Path) -> dict[str, str]:
    """Return the hash of each file of a result; of the manifest without times."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            raw = path.read_bytes()
            if path.name == "manifest.json":
                papers = json.loads(raw)
                raw = json.dumps({key: value for key, value in papers.items() if key not in TIMES}).encode()
            found[str(path.relative_to(folder))] = hashlib.sha256(raw).hexdigest()
    return found


def command(place: Path) -> list[str]:
    """Return the command that is ended and gone on with."""
    return [*SIM, "run", str(place / "plan.toml"), "--out", str(place / "out"), "--json"]


def fault_of(luck: random.Random, place: Path, whole: dict[str, str], longest: float) -> str:
    """End a run up to three times, go on with it, and return what is wrong then, or nothing."""
    (place / "plan.toml").write_text(PLAN)
    told = []
    for _ in range(luck.randrange(1, 4)):
        number = luck.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
        process = subprocess.Popen(command(place), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(luck.uniform(0.2, 1.1) * longest)
        process.send_signal(number)
        told.append(f"{number.name} {process.wait()}")
        if (place / "out").is_dir():
            (place / "out" / "notes.txt").write_text("mine")
    done = subprocess.run(command(place), capture_output=True, text=True, check=False)
    found = files_of(place / "out")
    mine = found.pop("notes.txt", None)
    if done.returncode or found != whole:
        differing = sorted(name for name in {*found, *whole} if found.get(name) != whole.get(name))
        return f"{told}: exit code {done.returncode}, {done.stderr[-200:]}, differing: {differing}"
    return "" if mine is None or (place / "out" / "notes.txt").read_text() == "mine" else "notes are gone"


def start() -> int:
    """End as many runs as are asked for and tell the faults."""
    reader = argparse.ArgumentParser(prog="python -m tests.killer", description=__doc__.splitlines()[0])
    reader.add_argument("-n", type=int, default=30, help="runs to end")
    reader.add_argument("--seed", type=int, default=1)
    asked = reader.parse_args()
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "plan.toml").write_text(PLAN)
        subprocess.run([*SIM, "warm", "pig"], check=True)
        started = time.monotonic()
        subprocess.run(command(Path(place)), check=True, capture_output=True)
        longest = time.monotonic() - started
        whole = files_of(Path(place) / "out")
    n_faults = 0
    for number in range(asked.n):
        luck = random.Random(f"{asked.seed} {number}")  # noqa: S311  (no secret)
        with tempfile.TemporaryDirectory() as place:
            fault = fault_of(luck, Path(place), whole, longest)
        n_faults += bool(fault)
        if fault:
            sys.stdout.write(f"{number}: {fault}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{asked.n} runs of seed {asked.seed}, {n_faults} faults\n")
    return min(n_faults, 1)


if __name__ == "__main__":
    sys.exit(start())
