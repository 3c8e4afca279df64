"""Plays blocks of playouts on a thread pool and merges their integer totals in block order.

An *arm* is one variant with one line-up and perhaps one intervention. All arms of a call play the same playout
numbers in the same block, so paired counts are taken on the spot and no row outlives its block unless it is
asked for. Totals are integers: the split into blocks and threads changes no byte of them. A *cell* is a fixed
number of consecutive playouts whose tallies are squared, too, so that a tally has an error; blocks are whole
cells, so that the cells do not depend on the split either.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Final

import numpy as np

from sim.engine.contract import ASSIGNMENT, MOST_GRANTS, ROTATING_SEAT, Game, ItemFamily, Termination
from sim.engine.lineup import Lineup, rotations
from sim.engine.moments import Totals, added_totals
from sim.engine.totals import (
    Array,
    Held,
    Pair,
    cell_totals,
    compare,
    compare_granted,
    compare_hands,
    compare_holders,
    compare_rivals,
    compare_weighted,
    count_rows,
    has_all,
    summarise,
)
from sim.jit import make_records
from sim.rng import Namespace

__all__ = [
    "Arm",
    "Array",
    "Call",
    "Grant",
    "Held",
    "Pair",
    "Played",
    "Selection",
    "make_assignment",
    "play_call",
    "play_here",
    "play_numbers",
    "play_rows",
    "summarise",
]

CELL: Final = 512
LARGEST_BLOCK: Final = 8 * CELL
BLOCK_WORK: Final = 16384  # rows of all arms in a block: about 0.2 s, so that Ctrl-C is answered
FEWEST_BLOCKS: Final = 16
MOST_JOBS: Final = 1024
BLOCKS_AHEAD: Final = 4  # per thread: enough to keep threads busy, few enough to stop soon


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
class Selection:
    """Playouts in which another arm dealt an item to somebody, or those in which it did not.

    Attributes:
        arm: Name of the other arm, which stands before in the call.
        family: Family of the item.
        item: Its row in the component table.
        is_dealt: True for the playouts with the item.
        share: About how large a part of all playouts that is, to foretell the work.
        also: Families and rows of further items that the same seat was dealt.

    """

    arm: str
    family: ItemFamily
    item: int
    is_dealt: bool
    share: float
    also: tuple[Held, ...] = ()


@dataclass(frozen=True)
class Arm:
    """One thing to play: rules, line-up, intervention.

    Attributes:
        name: Unique in a call.
        rules: Packed rules records.
        lineup: One policy per seat; all its rotations are played.
        n_playouts: Playouts of this arm, from the first of the call on.
        grants: Interventions on the deal.
        only: Which of the playouts are played, or None for all.
        is_described: False if only its pairs are wanted, not totals of its own.

    """

    name: str
    rules: Any
    lineup: Lineup
    n_playouts: int
    grants: tuple[Grant, ...] = ()
    only: Selection | None = None
    is_described: bool = True

    def work(self, n_playouts: int) -> float:
        """Return about how many rows this arm plays in the first `n_playouts` of a call."""
        share = 1.0 if self.only is None else self.only.share
        return min(n_playouts, self.n_playouts) * len(rotations(self.lineup)) * share


@dataclass(frozen=True)
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


def make_assignment(lineup: Lineup, seed: int, namespace: int = Namespace.PLAY, grants: Sequence[Grant] = ()) -> Any:
    """Return the assignment records of one line-up (as it sits, not rotated).

    Raises:
        ValueError: There are more grants than one playout may have.

    """
    if len(grants) > MOST_GRANTS:
        message = f"grant: found {len(grants)} cards, expected at most {MOST_GRANTS}"
        raise ValueError(message)
    assignment = make_records(ASSIGNMENT)
    assignment["seed"] = np.uint64(seed)
    assignment["namespace"] = namespace
    assignment["n_seats"] = len(lineup)
    for seat, policy in enumerate(lineup):
        assignment["policy"][0, seat] = policy.code
        assignment["parameter"][0, seat, : len(policy.parameters)] = policy.parameters
    assignment["n_grants"] = len(grants)
    for number, grant in enumerate(grants):
        assignment["grant_family"][0, number] = grant.family.number
        assignment["grant_card"][0, number] = grant.card
        assignment["grant_seat"][0, number] = grant.seat
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
    rows, cells = play_numbers(game, arm, seed, first + np.arange(n_playouts), states)
    states["tallies"] = cells[0]
    return rows, states


def play_numbers(
    game: Game, arm: Arm, seed: int, playouts: Array, states: Any, cell: int | None = None
) -> tuple[Array, Array]:
    """Play given playouts of one arm, whatever its selection says.

    Args:
        game: The game.
        arm: What to play.
        seed: Seed of all draws.
        playouts: Numbers of the playouts.
        states: State records to work in.
        cell: Playouts whose tallies are returned together; all if None.

    Returns:
        Rows of shape (n_rotations, n_playouts), and the tallies of each cell, shape (n_cells,).

    Raises:
        RuntimeError: A kernel left playouts unplayed.

    """
    turned = rotations(arm.lineup)
    size = cell or max(1, len(playouts))
    rows = np.zeros((len(turned), len(playouts)), game.row).view(np.recarray)
    assignments = [make_assignment(lineup, seed, grants=arm.grants) for lineup in turned]
    starts = range(0, max(1, len(playouts)), size)
    cells = np.zeros(len(starts), game.state["tallies"])
    kept, tallies = _bytes_of(cells), _bytes_of_tallies(game, states)
    for place, start in enumerate(starts):
        tallies[:] = 0
        numbers = np.ascontiguousarray(playouts[start : start + size], np.int64)
        for rotation, assignment in enumerate(assignments):
            some = rows[rotation, start : start + size]
            game.entry(states, arm.rules, assignment, some, numbers)
        kept[place] = tallies
    refuse_lost_rows(rows["termination"])
    return rows, cells


def _bytes_of(records: Array) -> Array:
    """Return the memory of records, shape (n_records, n_bytes): fields that are copied one by one take 50 times."""
    return records.view(np.ndarray).view(np.uint8).reshape(len(records), -1)


def _bytes_of_tallies(game: Game, states: Array) -> Array:
    """Return the memory of the tallies in the first of the state records."""
    dtype, start = dict(game.state.fields or {})["tallies"][:2]
    return _bytes_of(states)[0, start : start + dtype.itemsize]


def refuse_lost_rows(termination: Array) -> None:
    """Stop if a kernel left playouts unplayed.

    Raises:
        RuntimeError: Some rows were never written.

    """
    unplayed = int((termination == Termination.NOT_PLAYED).sum())
    if unplayed:
        message = f"{unplayed} of {termination.size} playouts were lost in a kernel"
        raise RuntimeError(message)


@dataclass(frozen=True)
class Call:
    """Everything that one call plays; the same call gives the same bytes on any machine.

    Attributes:
        game: The game.
        arms: What to play; arms with fewer playouts stop earlier.
        pairs: What to compare.
        seed: Seed of all draws.
        n_items: Items of each family by its name.
        first: Number of the first playout.
        keep: Called with (arm, playout numbers, rows) in block order, or None.
        block_size: Playouts of a block, whole cells; chosen by the work of the arms if None.

    """

    game: Game
    arms: tuple[Arm, ...]
    pairs: tuple[Pair, ...]
    seed: int
    n_items: dict[str, int]
    first: int = 0
    keep: Callable[[Arm, Array, Array], None] | None = None
    block_size: int | None = None

    @property
    def n_playouts(self) -> int:
        """Playouts of the longest arm."""
        return max(arm.n_playouts for arm in self.arms)

    def work(self, n_playouts: int) -> float:
        """Return about how many rows the arms play in the first `n_playouts`."""
        return sum(arm.work(n_playouts) for arm in self.arms)

    def blocks(self, start: int = 0) -> Iterator[tuple[int, int]]:
        """Yield start and size of each block from `start` on: small ones while many arms are played."""
        most = (self.n_playouts - start) / FEWEST_BLOCKS
        while start < self.n_playouts:
            size = min(self.block_size or self._size_at(start, most), self.n_playouts - start)
            yield start, size
            start += size

    def _size_at(self, start: int, most: float) -> int:
        one_cell = max(1.0, self.work(start + CELL) - self.work(start))
        n_cells = min(BLOCK_WORK / one_cell, most / CELL)
        return min(max(1, int(n_cells)) * CELL, LARGEST_BLOCK)


@dataclass(frozen=True)
class _Part:
    """One arm's share of a block: its rows and their places in the block."""

    places: Array
    rows: Array


@dataclass(frozen=True)
class _Block:
    """One finished block: its totals, and its rows where they are kept."""

    start: int
    size: int
    arms: dict[str, Totals]
    pairs: dict[str, Totals]
    parts: dict[str, _Part]


def _places(arm: Arm, count: int, parts: dict[str, _Part]) -> Array:
    """Return which of the first `count` playouts of a block an arm plays."""
    if arm.only is None:
        return np.arange(count)
    base = parts[arm.only.arm]
    wanted = ((arm.only.family, arm.only.item), *arm.only.also)
    is_dealt = has_all(base.rows, wanted).any(axis=(0, 2))
    places = base.places[is_dealt == arm.only.is_dealt]
    return np.asarray(places[places < count])


def _play_block(call: Call, start: int, size: int, stop: threading.Event, states: Any) -> _Block | None:
    """Play one block of every arm that reaches so far; None if it was told to stop."""
    parts: dict[str, _Part] = {}
    arms: dict[str, Totals] = {}
    for arm in call.arms:
        count = min(size, arm.n_playouts - start)
        if count <= 0:
            continue
        if stop.is_set():
            return None
        places = _places(arm, count, parts)
        numbers = call.first + start + places
        cell = CELL if arm.is_described else None
        rows, cells = play_numbers(call.game, arm, call.seed, numbers, states, cell)
        plain = rows.view(np.ndarray)  # fields of a record array are looked up in Python, ten times slower
        parts[arm.name] = _Part(places, plain)
        arms[arm.name] = _totals_of(call, arm, plain, cells)
    return _Block(start, size, arms, _compare_parts(call, start, parts), parts if call.keep else {})


def _totals_of(call: Call, arm: Arm, rows: Array, cells: Array) -> Totals:
    if not arm.is_described:
        return count_rows(rows)
    whole = cells if rows.shape[1] % CELL == 0 else cells[:-1]
    total = np.zeros((), call.game.state["tallies"])
    for name in total.dtype.names or ():
        total[name] = cells[name].sum(axis=0)
    described = summarise(call.game, rows, total, call.n_items)
    return {**described, **cell_totals(call.game, whole)}


def _compare_parts(call: Call, start: int, parts: dict[str, _Part]) -> dict[str, Totals]:
    """Return the totals of each pair whose arms have both reached this block."""
    by_name = {arm.name: arm for arm in call.arms}
    pairs: dict[str, Totals] = {}
    for pair in call.pairs:
        names = (pair.arm, pair.baseline, *pair.others)
        if any(name not in parts for name in names):
            continue
        places, (rows, base, *_) = aligned = _aligned([parts[name] for name in names])
        if pair.rival is not None:
            pairs[pair.name] = compare_rivals(pair, rows)
        elif pair.hand:
            pairs[pair.name] = compare_hands(pair, aligned[1])
        elif pair.weights:
            seats = granted_seats(by_name[pair.arm], call.first + start + places)
            pairs[pair.name] = compare_weighted(pair, aligned[1], seats)
        elif pair.holder is not None:
            pairs[pair.name] = compare_holders(pair, rows, base)
        elif pair.granted:
            seats = granted_seats(by_name[pair.arm], call.first + start + places)
            pairs[pair.name] = compare_granted(rows, base, seats)
        else:
            pairs[pair.name] = compare(call.game, pair, rows, base, call.n_items)
    return pairs


def _aligned(parts: Sequence[_Part]) -> tuple[Array, list[Array]]:
    """Return the places that all parts share, and the rows of each there."""
    first, *others = parts
    if all(np.array_equal(first.places, other.places) for other in others):
        return first.places, [part.rows for part in parts]
    places = reduce(np.intersect1d, [part.places for part in parts])
    return places, [part.rows[:, np.searchsorted(part.places, places)] for part in parts]


def granted_seats(arm: Arm, playouts: Array) -> Array:
    """Return the seat that an arm's first grant goes to in each playout."""
    if not arm.grants or arm.grants[0].seat == ROTATING_SEAT:
        return np.asarray(playouts % len(arm.lineup))
    return np.full(len(playouts), arm.grants[0].seat)


def count_jobs(jobs: int | None) -> int:
    """Return how many threads to use: as asked, or one per core that this process may use.

    Raises:
        ValueError: It is no whole number, or too large a one.

    """
    found: object = jobs  # a notebook may hand over anything
    if isinstance(found, int) and not isinstance(found, bool) and 1 <= found <= MOST_JOBS:
        return found
    if found is not None:
        message = f"jobs: found {found!r}, expected a whole number of threads from 1 to {MOST_JOBS}"
        raise ValueError(message)
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


@dataclass
class _Ledger:
    """What was merged so far; it is replaced whole, so that Ctrl-C never finds half a block in it."""

    played: Played


def play_call(
    call: Call,
    jobs: int | None = None,
    progress: Callable[[Played], None] | None = None,
    done: Played | None = None,
) -> Played:
    """Play all blocks of a call on threads.

    Args:
        call: What to play.
        jobs: Threads; one per core if None.
        progress: Called in the main thread after each block with all that was played so far.
        done: What an interrupted call of the same kind has played already.

    Returns:
        The totals; partial ones, of whole blocks from the first on, after Ctrl-C.

    """
    ledger = _Ledger(replace(done or Played(), is_partial=False))
    n_jobs = count_jobs(jobs)
    stop = threading.Event()
    local = threading.local()

    def work(start: int, size: int) -> _Block | None:
        if not hasattr(local, "states"):
            local.states = make_records(call.game.state)
        return _play_block(call, start, size, stop, local.states)

    pool = ThreadPoolExecutor(n_jobs)
    pending: deque[Future[_Block | None]] = deque()
    try:
        for start, size in call.blocks(ledger.played.n_playouts):
            pending.append(pool.submit(work, start, size))
            while pending and (len(pending) >= n_jobs * BLOCKS_AHEAD or pending[0].done()):
                _merge(call, ledger, pending.popleft().result(), progress)
        while pending:
            _merge(call, ledger, pending.popleft().result(), progress)
    except BaseException as stopped:
        stop.set()
        if not isinstance(stopped, KeyboardInterrupt):
            raise
        return replace(ledger.played, is_partial=True)
    finally:  # blocks in play end by themselves: to wait for one of long playouts would take minutes
        pool.shutdown(wait=not stop.is_set(), cancel_futures=True)
    return ledger.played


def play_here(call: Call) -> Played:
    """Play all blocks of a small call in this thread, and return the same totals as `play_call`.

    Args:
        call: What to play.

    """
    ledger = _Ledger(Played())
    states = make_records(call.game.state)
    for start, size in call.blocks():
        _merge(call, ledger, _play_block(call, start, size, threading.Event(), states), None)
    return ledger.played


def _merge(call: Call, ledger: _Ledger, block: _Block | None, progress: Callable[[Played], None] | None) -> None:
    """Add a block to what was played."""
    if block is None:
        return
    played = ledger.played
    if call.keep is not None:
        for arm in call.arms:
            if arm.name in block.parts:
                part = block.parts[arm.name]
                call.keep(arm, call.first + block.start + part.places, part.rows)
    arms, pairs = _added(played.arms, block.arms), _added(played.pairs, block.pairs)
    ledger.played = Played(arms, pairs, block.start + block.size)
    if progress is not None:
        progress(ledger.played)


def _added(total: dict[str, Totals], more: dict[str, Totals]) -> dict[str, Totals]:
    return total | {name: added_totals(total.get(name, {}), found) for name, found in more.items()}
