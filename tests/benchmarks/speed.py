"""Times kernels per turn in one run: `python -m tests.benchmarks.speed`.

flip is compared with the plain C core of the yardstick, and fortnite with flip: at four seats, at seven, and with
decks in which cards that act on the whole board are frequent. The yardstick is looked for beside the project, in
`../shared/yardstick`; a C compiler builds it. All are timed in turn, many times, on one core, and the fastest time per
turn of each counts. Numbers are printed, with what is to be reached; nothing is asserted, since other work on the
machine moves times.
"""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.engine.blocks import Arm, play_rows
from sim.engine.contract import Game
from sim.engine.lineup import make_lineup
from sim.games.flip.game import GAME as FLIP
from sim.games.fortnite.game import GAME as FORTNITE
from tests.support import SEED

YARDSTICK = Path(__file__).resolve().parents[3] / "shared" / "yardstick" / "flip_core.c"
N_PLAYOUTS = 1_000  # a burst short enough that some find the machine quiet
ROUNDS = 600  # on a busy machine 150 left ratios of 1.6 and 2.1 where 600 gave 1.14 four times (2026-11-30)
NANOSECONDS = 1e9
MOST_OF_YARDSTICK = 1.4
MOST_OF_FLIP = 1.3
FOUR_SEATS = 4
LOOT = ("rare_weapon", "shoot_wherever", "epic_weapon", "legendary_weapon", "bush", "med_kit", "chug_jug")
NO_OTHER_LOOT = {f"cards.{name}.copies": 0 for name in LOOT}
STORMS = ("campfire", "location", "own_location", "highest", "lowest", "go", "jail", "go_to_jail")
NO_OTHER_STORM = {f"storm.{name}.copies": 0 for name in STORMS}


def loot(stink_bomb: int = 0, clinger: int = 0, bouncer: int = 0) -> dict[str, Any]:
    """Return the changes that leave a Loot deck of three kinds of cards that act on the whole board."""
    copies = {"stink_bomb": stink_bomb, "clinger": clinger, "bouncer": bouncer}
    return NO_OTHER_LOOT | {f"cards.{name}.copies": number for name, number in copies.items()}


@dataclass(frozen=True)
class Case:
    """What is timed: a game at a number of seats, with changes of its rules.

    Attributes:
        game: The game.
        seats: Seats at the table.
        changes: Changes by dotted key.
        most: Largest ratio to flip that is asked for, or None.

    """

    game: Game
    seats: int = FOUR_SEATS
    changes: Mapping[str, Any] = field(default_factory=dict)
    most: float | None = None

    def arm(self) -> Arm:
        """Return what is played."""
        rules = self.game.pack(self.game.load().resolve(dict(self.changes)))
        return Arm("speed", rules, make_lineup(self.game, ["leader"], self.seats), N_PLAYOUTS)


CASES: dict[str, Case] = {
    "flip, 4 seats": Case(FLIP),
    "fortnite, 4 seats": Case(FORTNITE, most=MOST_OF_FLIP),
    "fortnite, 7 seats": Case(FORTNITE, seats=7),
    "fortnite, 4 seats, 16 Stink Bombs": Case(FORTNITE, changes=loot(stink_bomb=16)),
    "fortnite, 4 seats, 16 Clingers": Case(FORTNITE, changes=loot(clinger=16)),
    "fortnite, 4 seats, 16 Bouncers": Case(FORTNITE, changes=loot(bouncer=16)),
    "fortnite, 4 seats, 15 Storm cards by which everyone rolls": Case(
        FORTNITE, changes=NO_OTHER_STORM | {"storm.dice.copies": 15}
    ),
    "fortnite, 7 seats, 5 Stink Bombs, 5 Clingers, 6 Bouncers": Case(
        FORTNITE, seats=7, changes=loot(stink_bomb=5, clinger=5, bouncer=6)
    ),
}
BASE = "flip, 4 seats"


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
    return float(found.group(1)) if found else math.inf


def time_kernel(game: Game, arm: Arm) -> tuple[float, float]:
    """Return nanoseconds per turn of a kernel, tallies and rows on, and turns per playout."""
    started = time.perf_counter()
    rows, _ = play_rows(game, arm, SEED, 0, N_PLAYOUTS)
    seconds = time.perf_counter() - started
    n_turns = int(rows["length_turns"].sum())
    return seconds * NANOSECONDS / n_turns, n_turns / N_PLAYOUTS


def measure(core: Path | None) -> tuple[dict[str, tuple[float, float]], float]:
    """Return the fastest time per turn of each case with its turns per playout, and that of the C core."""
    arms = {name: (case.game, case.arm()) for name, case in CASES.items()}
    best = {name: time_kernel(*what) for name, what in arms.items()}  # compiles, or loads what was compiled
    theirs = math.inf
    for _ in range(ROUNDS):
        best = {name: min(best[name], time_kernel(*what)) for name, what in arms.items()}
        if core is not None:
            theirs = min(theirs, time_core(core))
    return best, theirs


def main() -> int:
    """Print all times and their ratios."""
    with tempfile.TemporaryDirectory() as folder:
        core = build(Path(folder))
        best, theirs = measure(core)
    ours = best[BASE][0]
    if core is None:
        print(f"kernel {ours:.1f} ns per turn; no yardstick here")
    else:
        ratio = f"ratio {ours / theirs:.2f} (at most {MOST_OF_YARDSTICK:g} on a quiet machine)"
        print(f"kernel {ours:.1f}, yardstick {theirs:.1f} ns per turn: {ratio}")
    for name, (found, n_turns) in best.items():
        asked = f" (at most {CASES[name].most:g})" if CASES[name].most is not None else ""
        print(f"{name}: {found:.1f} ns per turn, {n_turns:.1f} turns: ratio to flip {found / ours:.2f}{asked}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
