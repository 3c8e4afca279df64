"""Plays blocks of playouts on a thread pool and merges their integer totals in block order.

An *arm* is one variant with one line-up and perhaps one intervention. All arms of a call play the same playout
numbers in the same block, so paired counts are taken on the spot and no row outlives its block unless it is
asked for. Totals are integers: the split into blocks and threads changes no byte of them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from sim.engine.contract import (
    ASSIGNMENT,
    NO_GRANT,
    NOBODY,
    ROTATING_SEAT,
    Game,
    ItemFamily,
    Termination,
)
from sim.engine.lineup import Lineup, rotations
from sim.engine.moments import N_MOMENTS, Totals, add_totals, item_moments, power_sums
from sim.jit import make_records
from sim.rng import Namespace

LARGEST_BLOCK: Final = 4096
FEWEST_BLOCKS: Final = 16
BLOCKS_AHEAD: Final = 4  # per thread: enough to keep threads busy, few enough to stop soon
MOST_COUNTED: Final = 64  # the last class of a count holds all larger ones
HOW_ACQUIRED: Final = ("dealt", "held")

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Grant:
    """An intervention on a deal: a card moves to the head of one seat's deal.

    Attributes:
        family: Item family whose deal is changed.
        card: Physical card.
        seat: Chair, or `ROTATING_SEAT` for playout number modulo seats.

    """

    family: ItemFamily
    card: int
    seat: int = ROTATING_SEAT


@dataclass(frozen=True)
class Arm:
    """One thing to play: rules, line-up, intervention.

    Attributes:
        name: Unique in a call.
        rules: Packed rules records.
        lineup: One policy per seat; all its rotations are played.
        n_playouts: Playouts of this arm, from the first of the call on.
        grant: Intervention on the deal, or None.

    """

    name: str
    rules: Any
    lineup: Lineup
    n_playouts: int
    grant: Grant | None = None


@dataclass(frozen=True)
class Pair:
    """A comparison of two arms over the same playouts.

    Attributes:
        name: Unique in a call.
        arm: The arm of the variant.
        baseline: The arm it is compared with.
        families: Item families whose lifts are compared; their deals must be the same on both sides.
        granted: True if only the granted seat's payoff counts.

    """

    name: str
    arm: str
    baseline: str
    families: tuple[ItemFamily, ...] = ()
    granted: bool = False


@dataclass
class Played:
    """What a call has played: integer totals by arm and by pair.

    Attributes:
        arms: Totals by arm name.
        pairs: Totals by pair name.
        n_playouts: Playout numbers finished, of the longest arm.
        is_partial: True if it was interrupted; what is here is whole blocks from the first on.

    """

    arms: dict[str, Totals] = field(default_factory=dict)
    pairs: dict[str, Totals] = field(default_factory=dict)
    n_playouts: int = 0
    is_partial: bool = False


def make_assignment(lineup: Lineup, seed: int, namespace: int = Namespace.PLAY, grant: Grant | None = None) -> Any:
    """Return the assignment records of one line-up (as it sits, not rotated)."""
    assignment = make_records(ASSIGNMENT)
    assignment["seed"] = np.uint64(seed)
    assignment["namespace"] = namespace
    assignment["n_seats"] = len(lineup)
    for seat, policy in enumerate(lineup):
        assignment["policy"][0, seat] = policy.code
        assignment["parameter"][0, seat, : len(policy.parameters)] = policy.parameters
    assignment["grant_family"] = NO_GRANT if grant is None else grant.family.number
    if grant is not None:
        assignment["grant_card"] = grant.card
        assignment["grant_seat"] = grant.seat
    return assignment


def play_rows(game: Game, arm: Arm, seed: int, first: int, n_playouts: int, states: Any = None) -> tuple[Array, Any]:
    """Play consecutive playouts of one arm.

    Args:
        game: The game.
        arm: What to play.
        seed: Seed of all draws.
        first: Number of the first playout.
        n_playouts: How many.
        states: State records to reuse, or None.

    Returns:
        Rows of shape (n_rotations, n_playouts), and the state records with their tallies.

    Raises:
        RuntimeError: A kernel left playouts unplayed.

    """
    states = make_records(game.state) if states is None else states
    states["tallies"] = np.zeros((), game.state["tallies"])
    turned = rotations(arm.lineup)
    rows = np.zeros((len(turned), n_playouts), game.row).view(np.recarray)
    for rotation, lineup in enumerate(turned):
        assignment = make_assignment(lineup, seed, grant=arm.grant)
        game.entry(states, arm.rules, assignment, rows[rotation], first)
    refuse_lost_rows(rows["termination"])
    return rows, states


def refuse_lost_rows(termination: Array) -> None:
    """Stop if a kernel left playouts unplayed.

    Raises:
        RuntimeError: Some rows were never written.

    """
    unplayed = int((termination == Termination.NOT_PLAYED).sum())
    if unplayed:
        message = f"{unplayed} of {termination.size} playouts were lost in a kernel"
        raise RuntimeError(message)


def _finished(rows: Array) -> Array:
    """Return which playouts ended by the rules in every rotation, shape (n_playouts,)."""
    return np.asarray((rows["termination"] != Termination.TURN_LIMIT).all(axis=0))


def _by_order(rows: Array, values: Array) -> Array:
    """Return by-seat values rearranged by place in turn order; places nobody has stay 0."""
    arranged = np.zeros(values.shape, np.int64)
    order = rows["order"]
    for seat in range(values.shape[-1]):
        taken = order[..., seat] != NOBODY
        rotation, playout = np.nonzero(taken)
        arranged[rotation, playout, order[rotation, playout, seat]] = values[rotation, playout, seat]
    return arranged


def _by_policy(rows: Array, values: Array, n_policies: int) -> Array:
    """Return values summed by policy code over rotations and seats, shape (n_playouts, n_policies)."""
    policy = rows["policy"][:, :1, :]
    sums = [((policy == code) * values).sum(axis=(0, 2)) for code in range(n_policies)]
    return np.stack(sums, axis=-1)


def _masks(rows: Array, family: ItemFamily, how: str) -> Array:
    return np.where(rows["order"] == NOBODY, -1, rows[f"{how}_{family.name}"])


def summarise(game: Game, rows: Array, tallies: Any, n_items: dict[str, int]) -> Totals:
    """Return the totals of one arm's rows in a block; sums over rotations are one playout's value."""
    finished = _finished(rows)
    payoff = rows["payoff"].astype(np.int64) * finished[None, :, None]
    length = rows["length_turns"]
    totals: Totals = {
        "n_playouts": np.array(rows.shape[1]),
        "n_rows": np.array(rows.size),
        "n_finished": np.array(int(finished.sum())),
        "terminations": np.bincount(rows["termination"].ravel(), minlength=len(Termination)),
        "payoff_by_seat": power_sums(payoff.sum(axis=0)),
        "payoff_by_order": power_sums(_by_order(rows, payoff).sum(axis=0)),
        "payoff_by_policy": power_sums(_by_policy(rows, payoff, len(game.policies))),
        "length": power_sums(length.sum(axis=0)),
        "length_of": _histogram(length),
    }
    for name in game.counted:
        sums = np.minimum(rows[name].sum(axis=-1).ravel(), MOST_COUNTED - 1)
        totals[f"count_{name}"] = np.bincount(sums, minlength=MOST_COUNTED)
    for family in game.families:
        for how in HOW_ACQUIRED:
            moments = np.zeros((n_items[family.name], N_MOMENTS), np.int64)
            needs_other = int(how == "dealt")
            item_moments(payoff, _masks(rows, family, how), finished.astype(np.int64), needs_other, moments)
            totals[f"{how}_{family.name}"] = moments
    for name in game.state["tallies"].names or ():
        if name != "padding":
            totals[f"tally_{name}"] = np.array(tallies[name])
    return totals


def _histogram(length: Array) -> Array:
    """Return how many rows have each length, as long as the longest power of two needed."""
    longest = int(length.max(initial=0)) + 1
    return np.bincount(length.ravel(), minlength=1 << (longest - 1).bit_length() if longest > 1 else 1)


def compare(
    game: Game,
    pair: Pair,
    rows: Array,
    base: Array,
    grant_seats: Array | None,
    n_items: dict[str, int],
) -> Totals:
    """Return the totals of a comparison over the playouts that both arms finished."""
    both = _finished(rows) & _finished(base)
    ours = rows["payoff"].astype(np.int64) * both[None, :, None]
    theirs = base["payoff"].astype(np.int64) * both[None, :, None]
    if pair.granted and grant_seats is not None:
        chosen = np.arange(rows.shape[1]), grant_seats
        return {
            "n_both": np.array(int(both.sum())),
            "granted": _pair_sums(ours.sum(0)[chosen], theirs.sum(0)[chosen]),
        }
    totals: Totals = {
        "n_playouts": np.array(rows.shape[1]),
        "n_both": np.array(int(both.sum())),
        "n_discordant": np.array(int((ours != theirs).any(axis=(0, 2)).sum())),
        "by_seat": _pair_sums(ours.sum(axis=0), theirs.sum(axis=0)),
        "by_order": _pair_sums(_by_order(rows, ours).sum(axis=0), _by_order(base, theirs).sum(axis=0)),
        "by_policy": _pair_sums(
            *(_by_policy(some, values, len(game.policies)) for some, values in ((rows, ours), (base, theirs)))
        ),
        "length": _pair_sums(rows["length_turns"].sum(axis=0) * both, base["length_turns"].sum(axis=0) * both),
    }
    for family in pair.families:
        masks = _masks(rows, family, "dealt")
        same = (masks == _masks(base, family, "dealt")).all(axis=(0, 2)) & both
        moments = np.zeros((n_items[family.name], N_MOMENTS), np.int64)
        item_moments(ours - theirs, masks, same.astype(np.int64), 1, moments)
        totals[f"dealt_{family.name}"] = moments
        totals[f"same_{family.name}"] = np.array(int(same.sum()))
    return totals


def _pair_sums(ours: Array, theirs: Array) -> Array:
    """Return sums of A, B, AA, BB and AB over playouts, stacked: shape (5, ...)."""
    ours, theirs = ours.astype(np.int64), theirs.astype(np.int64)
    products = (ours, theirs, ours * ours, theirs * theirs, ours * theirs)
    return np.stack([values.sum(axis=0) for values in products])


@dataclass(frozen=True)
class Call:
    """Everything that one call plays; the same call gives the same bytes on any machine.

    Attributes:
        game: The game.
        arms: What to play; arms with fewer playouts stop earlier.
        pairs: What to compare.
        seed: Seed of all draws.
        first: Number of the first playout.
        n_items: Items of each family by its name.
        keep: Called with (arm, first playout of the block, rows) in block order, or None.

    """

    game: Game
    arms: tuple[Arm, ...]
    pairs: tuple[Pair, ...]
    seed: int
    n_items: dict[str, int]
    first: int = 0
    keep: Callable[[Arm, int, Array], None] | None = None

    @property
    def n_playouts(self) -> int:
        """Playouts of the longest arm."""
        return max(arm.n_playouts for arm in self.arms)

    @property
    def block_size(self) -> int:
        """Playouts of a block: many blocks for the threads, small enough to answer Ctrl-C."""
        return max(1, min(LARGEST_BLOCK, -(-self.n_playouts // FEWEST_BLOCKS)))


@dataclass
class _Block:
    """One finished block: its totals, and its rows where they are kept."""

    n_playouts: int
    arms: dict[str, Totals]
    pairs: dict[str, Totals]
    rows: dict[str, Array]


def _grant_seats(arm: Arm, first: int, n_playouts: int) -> Array | None:
    if arm.grant is None:
        return None
    numbers = np.arange(first, first + n_playouts)
    fixed = arm.grant.seat
    return numbers % len(arm.lineup) if fixed == ROTATING_SEAT else np.full(n_playouts, fixed)


def _play_block(call: Call, start: int, size: int, stop: threading.Event, states: Any) -> _Block | None:
    """Play one block of every arm that reaches so far; None if it was told to stop."""
    rows: dict[str, Array] = {}
    arms: dict[str, Totals] = {}
    for arm in call.arms:
        count = min(size, arm.n_playouts - start)
        if count <= 0:
            continue
        if stop.is_set():
            return None
        rows[arm.name], played = play_rows(call.game, arm, call.seed, call.first + start, count, states)
        arms[arm.name] = summarise(call.game, rows[arm.name], played["tallies"][0], call.n_items)
    pairs: dict[str, Totals] = {}
    by_name = {arm.name: arm for arm in call.arms}
    for pair in call.pairs:
        if pair.arm in rows and pair.baseline in rows:
            count = min(rows[pair.arm].shape[1], rows[pair.baseline].shape[1])
            seats = _grant_seats(by_name[pair.arm], call.first + start, count)
            ours, theirs = rows[pair.arm][:, :count], rows[pair.baseline][:, :count]
            pairs[pair.name] = compare(call.game, pair, ours, theirs, seats, call.n_items)
    return _Block(size, arms, pairs, rows if call.keep is not None else {})


def _blocks(call: Call) -> Iterator[tuple[int, int]]:
    size = call.block_size
    for start in range(0, call.n_playouts, size):
        yield start, min(size, call.n_playouts - start)


def count_jobs(jobs: int | None) -> int:
    """Return how many threads to use: as asked, or one per core that this process may use."""
    if jobs is not None:
        return max(1, jobs)
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


def play_call(call: Call, jobs: int | None = None, progress: Callable[[int], None] | None = None) -> Played:
    """Play all blocks of a call on threads.

    Args:
        call: What to play.
        jobs: Threads; one per core if None.
        progress: Called in the main thread with the playout numbers finished so far.

    Returns:
        The totals; partial ones, of whole blocks from the first on, after Ctrl-C.

    """
    played = Played(arms={arm.name: {} for arm in call.arms}, pairs={pair.name: {} for pair in call.pairs})
    n_jobs = count_jobs(jobs)
    stop = threading.Event()
    local = threading.local()

    def work(start: int, size: int) -> _Block | None:
        if not hasattr(local, "states"):
            local.states = make_records(call.game.state)
        return _play_block(call, start, size, stop, local.states)

    with ThreadPoolExecutor(n_jobs) as pool:
        try:
            for whole in _merge_in_order(call, pool, work, played, n_jobs):
                played = whole
                if progress is not None:
                    progress(played.n_playouts)
        except KeyboardInterrupt:
            stop.set()
            played.is_partial = True
            pool.shutdown(wait=True, cancel_futures=True)
    return played


def _merge_in_order(
    call: Call,
    pool: ThreadPoolExecutor,
    work: Callable[[int, int], _Block | None],
    played: Played,
    n_jobs: int,
) -> Iterator[Played]:
    """Hand out blocks, a few ahead, and yield what is played each time one is merged, in block order."""
    pending: list[Future[_Block | None]] = []
    plan = _blocks(call)
    exhausted = False
    while pending or not exhausted:
        while not exhausted and len(pending) < n_jobs * BLOCKS_AHEAD:
            block = next(plan, None)
            exhausted = block is None
            if block is not None:
                pending.append(pool.submit(work, *block))
        if pending:
            played = _merge(call, played, pending.pop(0).result())
            yield played


def _merge(call: Call, played: Played, block: _Block | None) -> Played:
    """Return the totals with one block more; the old ones stay as they are, for Ctrl-C may come at any moment."""
    if block is None:
        return played
    arms = {name: dict(totals) for name, totals in played.arms.items()}
    pairs = {name: dict(totals) for name, totals in played.pairs.items()}
    for name, totals in block.arms.items():
        add_totals_padded(arms[name], totals)
    for name, totals in block.pairs.items():
        add_totals(pairs[name], totals)
    if call.keep is not None:
        for arm in call.arms:
            if arm.name in block.rows:
                call.keep(arm, call.first + played.n_playouts, block.rows[arm.name])
    return Played(arms, pairs, played.n_playouts + block.n_playouts)


def add_totals_padded(total: Totals, more: Totals) -> None:
    """Add totals in which the histogram of lengths may be longer on one side."""
    longest = max((len(some["length_of"]) for some in (total, more) if "length_of" in some), default=0)
    for some in (total, more):
        if "length_of" in some:
            some["length_of"] = np.pad(some["length_of"], (0, longest - len(some["length_of"])))
    add_totals(total, more)


def arm_sizes(arms: Sequence[Arm]) -> int:
    """Return how many playouts the arms play in all, rotations counted."""
    return sum(arm.n_playouts * len(rotations(arm.lineup)) for arm in arms)
