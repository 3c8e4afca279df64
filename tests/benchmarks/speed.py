"""Compares flip's kernel with the plain C core of the yardstick in one run: `python -m tests.benchmarks.speed`.

The yardstick is looked for beside the project, in `../shared/yardstick`; a C compiler builds it. Both are timed in
turn, several times, on one core, and the ratio of the fastest times per turn is printed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from sim.engine.blocks import Arm, play_rows
from sim.engine.lineup import make_lineup
from sim.games.flip.game import GAME
from tests.support import SEED

YARDSTICK = Path(__file__).resolve().parents[3] / "shared" / "yardstick" / "flip_core.c"
N_PLAYOUTS = 1_000  # a burst short enough that some find the machine quiet
ROUNDS = 150
NANOSECONDS = 1e9


def build(folder: Path) -> Path | None:
    """Return the built C core, or None without source or compiler."""
    compiler = shutil.which("cc")
    if compiler is None or not YARDSTICK.exists():
        return None
    core = folder / "flip_core"
    command = [compiler, "-O3", "-march=native", "-DRTRULES", "-o", str(core), str(YARDSTICK), "-lpthread"]
    subprocess.run(command, check=True, capture_output=True)
    return core


def time_core(core: Path) -> float:
    """Return nanoseconds per turn of the C core."""
    told = subprocess.run([str(core), str(N_PLAYOUTS), "1", "4", "1"], check=True, capture_output=True, text=True)
    found = re.search(r"ns/turn\s+([0-9.]+)", told.stdout)
    return float(found.group(1)) if found else float("nan")


def time_kernel(arm: Arm) -> float:
    """Return nanoseconds per turn of flip's kernel, tallies and rows on."""
    started = time.perf_counter()
    _, states = play_rows(GAME, arm, SEED, 0, N_PLAYOUTS)
    return (time.perf_counter() - started) * NANOSECONDS / int(states[0].tallies.n_turns)


def main() -> int:
    """Print both times and their ratio."""
    arm = Arm("speed", GAME.pack(GAME.load().resolve({})), make_lineup(GAME, ["leader"], 4), N_PLAYOUTS)
    time_kernel(arm)
    with tempfile.TemporaryDirectory() as folder:
        core = build(Path(folder))
        if core is None:
            print(f"kernel {min(time_kernel(arm) for _ in range(ROUNDS)):.1f} ns per turn; no yardstick here")
            return 0
        times = [(time_kernel(arm), time_core(core)) for _ in range(ROUNDS)]
    ours, theirs = (min(pair[place] for pair in times) for place in (0, 1))
    print(f"kernel {ours:.1f}, yardstick {theirs:.1f} ns per turn: ratio {ours / theirs:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
