"""`sim bench` and `sim warm`: how fast a game plays on this machine, and its kernels compiled ahead."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from sim.cli import options, output
from sim.cli.progress import note, progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from sim.engine.blocks import Arm
    from sim.engine.contract import Game

THREADS: Final = (1, 2)
FIRST_PLAYOUTS: Final = 2000
SECONDS: Final = 1.0
REPEATS: Final = 3
NANOSECONDS: Final = 1e9
BENCH_SEED: Final = 7

WarmGames = Annotated[
    list[str] | None,
    typer.Argument(metavar="[GAME]...", help="Games; all if not given.", show_default=False),
]
BenchPlayouts = Annotated[
    int | None,
    typer.Option(
        "-n",
        "--playouts",
        parser=options.count_of_playouts,
        metavar="N",
        help="Playouts of one measurement; as many as take a second if not given.",
        show_default=False,
    ),
]
Repeats = Annotated[int, typer.Option("--repeats", min=1, help="Measurements; the best counts.")]


@dataclass(frozen=True)
class Bench:
    """What is measured: one arm of a game, over a number of playouts.

    Attributes:
        game: The game.
        arm: Rules and line-up.
        n_items: Items of each family by its name.

    """

    game: Game
    arm: Arm
    n_items: dict[str, int]

    def with_tallies(self, n_playouts: int, threads: int) -> int:
        """Play with everything that a run does; return the turns played."""
        from sim.engine.blocks import Call, play_call  # noqa: PLC0415

        arm = self.sized(n_playouts)
        played = play_call(Call(self.game, (arm,), (), BENCH_SEED, self.n_items), threads)
        if played.is_partial:
            raise KeyboardInterrupt
        return int(played.arms[arm.name]["length"][0].sum())

    def without_tallies(self, n_playouts: int, threads: int) -> int:
        """Play by the compiled kernel alone, block after block; return the turns played."""
        from sim.engine.blocks import LARGEST_BLOCK, make_assignment  # noqa: PLC0415

        assignment = make_assignment(self.arm.lineup, BENCH_SEED)
        shares = [
            range(first, n_playouts, threads * LARGEST_BLOCK)
            for first in range(0, threads * LARGEST_BLOCK, LARGEST_BLOCK)
        ]
        with ThreadPoolExecutor(threads) as pool:
            turns = pool.map(lambda firsts: self._play_blocks(assignment, firsts, n_playouts), shares)
            return sum(turns)

    def _play_blocks(self, assignment: Any, firsts: range, n_playouts: int) -> int:
        import numpy as np  # noqa: PLC0415

        from sim.engine.blocks import LARGEST_BLOCK  # noqa: PLC0415
        from sim.jit import make_records  # noqa: PLC0415

        states = make_records(self.game.state)
        rows = np.zeros(LARGEST_BLOCK, self.game.row).view(np.recarray)
        turns = 0
        for first in firsts:
            some = rows[: min(LARGEST_BLOCK, n_playouts - first)]
            numbers = np.arange(first, first + len(some))
            self.game.entry(states, self.arm.rules, assignment, some, numbers)
            turns += int(some["length_turns"].sum())
        return turns

    def sized(self, n_playouts: int) -> Arm:
        """Return the arm with another number of playouts."""
        from dataclasses import replace  # noqa: PLC0415

        return replace(self.arm, n_playouts=n_playouts)


def bench(
    game_name: options.GameName,
    n_playouts: BenchPlayouts = None,
    seats: options.Seats = None,
    policy: options.Policies = None,
    changes: options.Changes = None,
    repeats: Repeats = REPEATS,
    form: options.Form = output.Format.TABLE,
    as_json: options.AsJson = False,
) -> None:
    """Measure how fast a game plays here: one and two threads, with and without tallies."""
    from sim import games, jit  # noqa: PLC0415
    from sim.cli.kernels import prepare  # noqa: PLC0415

    game = games.get(game_name)
    subject = make_bench(game, seats, policy, options.read_changes(changes))
    prepare(game)
    rows = measure(subject, n_playouts, repeats)
    report = output.Report("bench", {"bench": rows}, seed=BENCH_SEED, fingerprint=jit.source_hash())
    output.show(report, options.form_of(form, as_json))


def make_bench(game: Game, seats: int | None, policy: str | None, changes: dict[str, Any]) -> Bench:
    """Return what to measure; one policy in all seats, as a mixed line-up would play its rotations."""
    from sim.cli.kernels import count_items  # noqa: PLC0415
    from sim.engine.blocks import Arm  # noqa: PLC0415

    with options.named_by(options.OPTION_OF_KEY):
        ruleset = game.load().resolve(changes)
        lineup = options.lineup_of(game, seats, policy)
    return Bench(game, Arm("bench", game.pack(ruleset), lineup, 1), count_items(game, ruleset))


def measure(subject: Bench, n_playouts: int | None, repeats: int) -> list[output.Row]:
    """Measure every configuration `repeats` times in turn and keep the best of each."""
    kinds = {"with": subject.with_tallies, "without": subject.without_tallies}
    plan = [(tallies, threads) for tallies in kinds for threads in THREADS]
    n_playouts = playouts_of_a_second(subject) if n_playouts is None else n_playouts
    best: dict[tuple[str, int], tuple[float, int]] = {}
    with progress("measuring") as tell:
        for done in range(repeats * len(plan)):
            tallies, threads = plan[done % len(plan)]
            seen = timed(kinds[tallies], n_playouts, threads)
            best[tallies, threads] = min(seen, best.get((tallies, threads), seen))
            if tell is not None:
                tell(done + 1, repeats * len(plan))
    return [bench_row(key, best[key], n_playouts) for key in plan]


def bench_row(key: tuple[str, int], best: tuple[float, int], n_playouts: int) -> output.Row:
    """Return one configuration's row."""
    seconds, turns = best
    return {
        "tallies": key[0],
        "threads": key[1],
        "playouts_per_second": round(n_playouts / seconds),
        "ns_per_turn": NANOSECONDS * seconds / turns,
        "turns_per_playout": turns / n_playouts,
        "n_playouts": n_playouts,
        "seconds": seconds,
    }


def timed(play: Callable[[int, int], int], n_playouts: int, threads: int) -> tuple[float, int]:
    """Return the seconds of one measurement and the turns played."""
    started = time.perf_counter()
    turns = play(n_playouts, threads)
    return time.perf_counter() - started, turns


def playouts_of_a_second(subject: Bench) -> int:
    """Return about how many playouts one thread plays in a second with all tallies."""
    timed(subject.with_tallies, FIRST_PLAYOUTS, 1)
    seconds, _turns = timed(subject.with_tallies, FIRST_PLAYOUTS, 1)
    return max(FIRST_PLAYOUTS, round(FIRST_PLAYOUTS * SECONDS / seconds))


def warm(game_names: WarmGames = None) -> None:
    """Compile the kernels of games ahead, so that no later command waits for it."""
    from sim import games  # noqa: PLC0415
    from sim.cli.kernels import prepare  # noqa: PLC0415
    from sim.experiment.kernels import is_cold  # noqa: PLC0415

    for name in game_names or games.names():
        game = games.get(name)
        was_cold = is_cold(game)
        seconds = prepare(game)
        note(f"{name}: {'compiled' if was_cold else 'was compiled before, loaded'} in {seconds:.1f} s")
