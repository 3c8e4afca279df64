"""Measures what a run may cost, each as a command of its own: `python -m tests.benchmarks.limits`.

Memory and cost per playout of `sim play flip` with all tallies as the number of playouts grows, how much smaller
pairing makes the variance of a lift, what a paired comparison costs beside the plain playouts of its arms, and how long
people wait for help and for a small question. Numbers are printed, with what is to be reached; nothing is asserted,
since other work on the machine moves times.

    python -m tests.benchmarks.limits            everything but ten million playouts
    python -m tests.benchmarks.limits --largest 10000000
    python -m tests.benchmarks.limits --only comparison --compared 1000000
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import sim
from sim import games
from sim.cli.measuring import make_bench
from sim.engine.blocks import count_jobs

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
LARGEST = 1_000_000
REPEATS = 5
SMALL = 1_000
PAIRED = 20_000
COMPARED = 100_000
MOST_OF_PLAIN = 1.15
MEASURES = ("waits", "growth", "pairing", "comparison")
CHANGE = {"honey_hitters_at_cap": "bank"}
POLICIES = ("random", "leader", "weakest", "threat", "next")
SEED = "7"
MEBIBYTE = 1024  # kibibytes, the unit of ru_maxrss on Linux
MOST_MEMORY = 400
MICROSECONDS = 1e6
FLAT = "flat within 5 %"


@dataclass(frozen=True)
class Cost:
    """What one command took.

    Attributes:
        seconds: Wall time.
        processor: Seconds of processors, of all threads together.
        memory: Largest resident memory in MiB.

    """

    seconds: float
    processor: float
    memory: float


def cost_of(*words: str) -> Cost:
    """Run one command and return what it took.

    Raises:
        subprocess.CalledProcessError: It failed.

    """
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "sim", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words)
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / MEBIBYTE)


def fastest(*words: str) -> Cost:
    """Return what the fastest of several runs took."""
    return min((cost_of(*words) for _ in range(REPEATS)), key=lambda cost: cost.seconds)


def measure_growth(largest: int) -> None:
    """Print memory and cost per playout by number of playouts, start-up apart."""
    base = fastest("play", "flip", "-n", "1", "--seed", SEED, "--json")
    print(f"start-up: {base.seconds:.2f} s, {base.memory:.0f} MiB")
    for n_playouts in (size for size in SIZES if size <= largest):
        cost = cost_of("play", "flip", "-n", str(n_playouts), "--seed", SEED, "--json")
        spent = MICROSECONDS * (cost.processor - base.processor) / n_playouts
        print(
            f"{n_playouts:>12,} playouts: {cost.memory:.0f} MiB (under {MOST_MEMORY}), {spent:.2f} microseconds of "
            f"processors a playout ({FLAT}), {cost.seconds:.1f} s"
        )


def measure_pairing() -> None:
    """Print how many times smaller pairing makes the variance of the lift of a doubled Boogie Bomb."""
    for policy in POLICIES:
        result = sim.play("flip", PAIRED, policies=policy, vs={"boogie_bomb_damage": 2}, seed=int(SEED))
        lifts = result.compare().set_index("quantity")["variance_reduction"]
        seat, length = lifts["win share, place 1"], lifts["length"]
        print(
            f"Boogie Bomb 1 to 2, {policy}: variance of the first seat's lift {seat:.2f} times smaller, of the "
            f"length's {length:.2f} times (at least 2.5)"
        )


def times_of(work: Callable[[], object]) -> tuple[float, float]:
    """Do something and return its seconds of processors, of all threads together, and of wall time."""
    spent, started = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - spent, time.perf_counter() - started


def measure_comparison(n_playouts: int) -> None:
    """Print what a paired comparison of two variants under five profiles costs beside the plain playouts of its arms.

    Plain are playouts as `sim bench` plays them, with all tallies and by the kernel alone. Each profile is compared and
    played plainly one right after the other, so that other work on the machine slows both alike.

    Args:
        n_playouts: Playouts of each variant under each profile.

    """
    game, jobs = games.get("flip"), count_jobs(None)
    sim.play("flip", SMALL, vs=CHANGE)  # so that all kernels are loaded
    compared, plain, kernel = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
    for policy in POLICIES:
        compare = partial(sim.play, "flip", n_playouts, policies=policy, vs=CHANGE, seed=int(SEED))
        arms = [make_bench(game, None, policy, changes) for changes in ({}, CHANGE)]
        for total, works in (
            (compared, [compare]),
            (plain, [partial(arm.with_tallies, n_playouts, jobs) for arm in arms]),
            (kernel, [partial(arm.without_tallies, n_playouts, jobs) for arm in arms]),
        ):
            for work in works:
                for place, seconds in enumerate(times_of(work)):
                    total[place] += seconds
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEBIBYTE
    n_all = 2 * len(POLICIES) * n_playouts
    for what, others in (("plain playouts", plain), ("the kernel alone", kernel)):
        by_processor, by_wall = (mine / other for mine, other in zip(compared, others, strict=True))
        print(
            f"comparison, {n_all:,} playouts of two variants under {len(POLICIES)} profiles: {by_processor:.3f} times "
            f"{what} in processor time, {by_wall:.3f} times in wall time (at most {MOST_OF_PLAIN})"
        )
    print(f"comparison: {compared[0]:.1f} s of processors, {compared[1]:.1f} s, {memory:.0f} MiB (under {MOST_MEMORY})")


def measure_waits() -> None:
    """Print how long people wait for help and for a small question."""
    cost = fastest("--help")
    print(f"sim --help: {cost.seconds:.2f} s (under 0.3)")
    cost = fastest("play", "flip", "-n", str(SMALL), "--seed", SEED)
    print(f"sim play flip -n {SMALL}: {cost.seconds:.2f} s warm (under 2)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print everything."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.limits", description=__doc__)
    parser.add_argument("--largest", type=int, default=LARGEST, help="most playouts of one run")
    parser.add_argument("--compared", type=int, default=COMPARED, help="playouts of each arm that is compared")
    parser.add_argument("--only", choices=MEASURES, help="only this one")
    asked = parser.parse_args(arguments)
    growth, comparison = partial(measure_growth, asked.largest), partial(measure_comparison, asked.compared)
    cost_of("warm", "flip")
    for name, measure in zip(MEASURES, (measure_waits, growth, measure_pairing, comparison), strict=True):
        if asked.only in (None, name):
            measure()
    return 0


if __name__ == "__main__":
    sys.exit(main())
