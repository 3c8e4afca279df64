"""Measures what a run may cost, each as a command of its own: `python -m tests.benchmarks.limits`.

Memory and cost per playout of `sim play flip` with all tallies as the number of playouts grows, how much smaller
pairing makes the variance of a lift, and how long people wait for help and for a small question. Numbers are
printed, with what is to be reached; nothing is asserted, since other work on the machine moves times.

    python -m tests.benchmarks.limits            everything but ten million playouts
    python -m tests.benchmarks.limits --largest 10000000
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

import sim

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
LARGEST = 1_000_000
REPEATS = 5
SMALL = 1_000
PAIRED = 20_000
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
        seat, length = lifts["win share, order 0"], lifts["length"]
        print(
            f"Boogie Bomb 1 to 2, {policy}: variance of the first seat's lift {seat:.2f} times smaller, of the "
            f"length's {length:.2f} times (at least 2.5)"
        )


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
    largest = parser.parse_args(arguments).largest
    cost_of("warm", "flip")
    measure_waits()
    measure_growth(largest)
    measure_pairing()
    return 0


if __name__ == "__main__":
    sys.exit(main())
