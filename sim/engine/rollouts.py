"""Rollouts: what a position is worth, found by playing on from it many times in other worlds.

A position is where a playout is left: after some turns, or after some choices (a tape). Up to there it is the playout
itself; from there on draws come from namespaces of their own, a *world* each, and what nobody has seen (the cards that
nobody has drawn) is dealt anew, so that a rollout knows no more than the table does. Policies play on. World number k
is the same luck for every position of a playout, for every option of a choice and for every variant: what is compared
is compared on the same luck. Worlds of different `offset` share nothing, nor do they with playouts.

The share of the win over the worlds is a chance to win under these policies, with a binomial error.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.blocks import count_jobs, make_assignment, refuse_lost_rows
from sim.engine.contract import TAPE_LENGTH, WHOLE_WIN, AfterTape, Termination
from sim.engine.lineup import rotations
from sim.engine.recording import plain
from sim.jit import make_records
from sim.rng import Namespace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sim.engine.blocks import Arm
    from sim.engine.contract import Game

WORLD_STRIDE: Final = 1024  # namespaces of worlds, apart from all that have a name
MOST_WORLDS: Final = 1 << 20  # of one purpose
ROLLED_AT_ONCE: Final = 8_000  # rollouts between two looks at whether to stop: about 0.1 s

Array = np.ndarray[Any, Any]


class Worlds(IntEnum):
    """What rollouts are for: each has worlds of its own."""

    COURSE = 0  # chances after the turns of playouts
    CHECK = 1  # the same once more, for playouts that were chosen by the first ones
    TRIAL = 2  # which options of a choice are worth another look
    JUDGE = 3  # what those are worth


@dataclass(frozen=True)
class Position:
    """Where a playout is left.

    Attributes:
        playout: Number of the playout.
        turn: Turns played before, 0 right after set-up; None if the tape says where.
        tape: Choices up to there, the last one of them what is tried; worlds begin behind it.
        rotation: Rotation of the line-up.
        first_world: Number of its first world. Positions of a playout with the same worlds are compared on the same
            luck; where their errors are to be independent, each has worlds of its own.

    """

    playout: int
    turn: int | None = None
    tape: tuple[int, ...] = ()
    rotation: int = 0
    first_world: int = 0


@dataclass(frozen=True)
class Rollouts:
    """What came of some positions.

    Attributes:
        payoff: Payoff in units of 1/840 of a win, shape (n_positions, n_worlds, n_seats).
        is_finished: Whether a rollout ended by the rules, shape (n_positions, n_worlds).

    """

    payoff: Array
    is_finished: Array

    def chances(self, worlds: slice = slice(None)) -> Array:
        """Return each seat's share of the win among the finished rollouts, shape (n_positions, n_seats).

        Args:
            worlds: Which of them count.

        A position without a finished rollout gives everybody the same.

        """
        n_finished = self.is_finished[:, worlds].sum(axis=1)[:, None]
        won = self.payoff[:, worlds].sum(axis=1) / WHOLE_WIN
        n_seats = self.payoff.shape[2]
        return np.asarray(np.where(n_finished > 0, won / np.maximum(1, n_finished), 1 / n_seats))

    def standard_errors(self) -> Array:
        """Return the standard errors of the chances, shape (n_positions, n_seats)."""
        shares = np.where(self.is_finished[:, :, None], self.payoff / WHOLE_WIN, np.nan)
        n_finished = self.is_finished.sum(axis=1)[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            spread = np.nanmean(shares**2, axis=1) - np.nanmean(shares, axis=1) ** 2
            return np.asarray(np.sqrt(np.maximum(0.0, spread) / (n_finished - 1)))


def roll_out(
    game: Game,
    arm: Arm,
    seed: int,
    positions: Sequence[Position],
    n_worlds: int,
    *,
    offset: int = Worlds.COURSE,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Rollouts:
    """Play on from positions, each in the same number of worlds.

    Args:
        game: The game.
        arm: Rules, line-up and grants; its number of playouts and its selection are not looked at.
        seed: Seed of all draws, that of the playouts.
        positions: Where to play on from.
        n_worlds: Rollouts of each position.
        offset: What they are for: worlds of another offset are other worlds.
        jobs: Threads; one per core if None. They change no byte.
        progress: Called in the main thread with the number of further positions done, often enough for Ctrl-C.

    Returns:
        The rollouts, in the order of the positions.

    Raises:
        ValueError: A tape is too long, or there are more worlds than a purpose has.
        RuntimeError: A kernel left rollouts unplayed, or a tape forces a choice that is not legal.

    """
    most = MOST_WORLDS - max((one.first_world for one in positions), default=0)
    if not 1 <= n_worlds <= most:
        message = f"n_worlds: found {n_worlds}, expected 1 to {most:,}"
        raise ValueError(message)
    longest = max((len(one.tape) for one in positions), default=0)
    if longest > TAPE_LENGTH:
        message = f"a tape of {longest} choices is too long; {TAPE_LENGTH} is the most"
        raise ValueError(message)
    roller = _Roller(game, arm, seed, n_worlds, offset)
    payoff = np.zeros((len(positions), n_worlds, len(arm.lineup)), np.int16)
    is_finished = np.zeros(payoff.shape[:2], bool)
    at_once = max(1, ROLLED_AT_ONCE // n_worlds)
    stop = threading.Event()

    def work(start: int) -> int:
        for place in range(start, min(start + at_once, len(positions))):
            if stop.is_set():
                break
            payoff[place], is_finished[place] = roller.roll(positions[place])
        return min(at_once, len(positions) - start)

    for n_done in _on_threads(work, range(0, len(positions), at_once), stop, jobs):
        if progress is not None:
            progress(n_done)
    return Rollouts(payoff, is_finished)


def _on_threads(
    work: Callable[[int], int], starts: Sequence[int], stop: threading.Event, jobs: int | None
) -> Iterator[int]:
    """Yield what pieces of work return, in order; an error or Ctrl-C ends all of them at the next position."""
    with ThreadPoolExecutor(min(count_jobs(jobs), max(1, len(starts)))) as pool:
        try:
            for piece in [pool.submit(work, start) for start in starts]:
                yield piece.result()
        finally:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)


class _Roller:
    """Plays positions of one arm, on any thread."""

    def __init__(self, game: Game, arm: Arm, seed: int, n_worlds: int, offset: int) -> None:
        self.game = game
        self.rules = plain(arm.rules)
        self.n_worlds = n_worlds
        self.n_seats = len(arm.lineup)
        self.first_namespace = Namespace.ROLLOUT + WORLD_STRIDE * (1 + offset * MOST_WORLDS)
        self.assignments = [make_assignment(lineup, seed, grants=arm.grants) for lineup in rotations(arm.lineup)]
        self.local = threading.local()

    def roll(self, position: Position) -> tuple[Array, Array]:
        """Return the payoff by world and seat, and which rollouts ended by the rules."""
        if not hasattr(self.local, "states"):
            self.local.states = plain(make_records(self.game.state))
            self.local.assignments = [plain(one.copy()) for one in self.assignments]
            self.local.rows = plain(np.zeros(self.n_worlds, self.game.row).view(np.recarray))
        assignment, rows = self.local.assignments[position.rotation], self.local.rows
        assignment["tape_namespace"] = self.first_namespace + WORLD_STRIDE * position.first_world
        assignment["tape_step"] = WORLD_STRIDE
        assignment["new_turn"] = 0 if position.turn is None else position.turn + 1
        assignment["tape_size"] = len(position.tape)
        assignment["after_tape"] = AfterTape.POLICIES
        assignment["tape"][0, : len(position.tape)] = position.tape
        rows["termination"] = Termination.NOT_PLAYED
        numbers = np.full(self.n_worlds, position.playout, np.int64)
        self.game.entry(self.local.states, self.rules, assignment, rows, numbers)
        refuse_lost_rows(rows["termination"])
        if (rows["termination"] == Termination.PENDING).any():
            message = f"playout {position.playout}: a choice of the tape is not legal"
            raise RuntimeError(message)
        payoff = rows["payoff"][:, : self.n_seats].astype(np.int16)
        return payoff, rows["termination"] != Termination.TURN_LIMIT
