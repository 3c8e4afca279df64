"""What public data decide: a plan over the assumed values and silent readings of its game.

Every *point* is a full set of assumptions under which the whole plan is played. Points that are compared with each
other meet the same *luck*, the same playout numbers, so that they differ by their assumptions alone: those of one walk,
and those of one base draw. Others meet other luck, so that luck averages out over walks and draws; were it shared by
all points, no number of them would make it less. Two designs follow each other:

1. **Screening** (Morris): walks on which one assumption changes at a time tell how far each one moves a headline.
2. **Shares** (Sobol, by Saltelli's design): the leaders of the screening each on their own, and all others together as
   one group. Its two independent draws of all assumptions, each with luck of its own, are the sample that bands and
   verdicts are told from.

Every point is played in four parts of playouts. How the parts differ tells the noise, which is taken out of effects,
shares of variance and bands (method.md 5.3).
"""

from __future__ import annotations

import hashlib
import io
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sim import games
from sim.engine.blocks import Call, Played, count_jobs, play_here
from sim.experiment.arms import CONTROL, GRANT, Setting, settings
from sim.experiment.assumptions import Assumption, assumptions_of, changes_at, with_variant
from sim.experiment.checkpoint import UNFINISHED, key_of
from sim.experiment.estimands import Estimand
from sim.experiment.files import MOST_TOTALS_BYTES, read_regular, written_whole
from sim.experiment.folder import open_folder, remove_if_empty
from sim.experiment.headlines import Headline, headlines
from sim.experiment.plan import NONE, Plan
from sim.jit import source_hash
from sim.notices import tell
from sim.statistics.sensitivity import Effect, VarianceShare, levels_of, saltelli, screen, trajectories, variance_shares

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Progress = Callable[[int, int], None]

N_PARTS: Final = 4
N_AT_DEFAULT: Final = 16  # how often the defaults are played, each time with other luck
FEWEST_IN_A_PART: Final = 20  # playouts; with fewer an item may be dealt to nobody
POINTS_AHEAD: Final = 4  # per thread
SECONDS_BETWEEN_SAVES: Final = 10.0


class AssumedError(ValueError):
    """The assumptions of a plan cannot be varied; the message says why."""


@dataclass(frozen=True)
class Design:
    """What is varied, and how many points it takes.

    Attributes:
        assumptions: The factors.
        n_walks: Walks of the screening.
        n_base: Base points of the shares.
        n_leaders: Assumptions that get shares of their own.
        seed: Seed of both designs.

    """

    assumptions: tuple[Assumption, ...]
    n_walks: int
    n_base: int
    n_leaders: int
    seed: int

    @property
    def n_levels(self) -> list[int]:
        """Levels of each assumption."""
        return [one.n_levels for one in self.assumptions]

    @property
    def n_groups(self) -> int:
        """Groups of the second design: the leaders, and all others together if there are any."""
        return min(self.n_leaders + 1, len(self.assumptions))

    @property
    def n_points(self) -> tuple[int, int]:
        """Points of the two designs."""
        return self.n_walks * (len(self.assumptions) + 1), self.n_base * (self.n_groups + 2)

    def default(self) -> IntArray:
        """Return the points at which every assumption is as the game has it, with as many lucks."""
        levels = np.array([one.default for one in self.assumptions], np.int64)
        return with_luck(np.arange(N_AT_DEFAULT), np.tile(levels, (N_AT_DEFAULT, 1)))

    def screening(self) -> IntArray:
        """Return the points of the screening; each walk has its luck."""
        points = trajectories(len(self.assumptions), self.n_walks, self.seed)
        walk = np.arange(len(points)) // (len(self.assumptions) + 1)
        return with_luck(N_AT_DEFAULT + walk, levels_of(points, self.n_levels))

    def shares(self, leaders: Sequence[int]) -> IntArray:
        """Return the points of the second design.

        The first draw and the points that it is compared with share their luck. The second draw has its own: a first
        share is told from its product with their difference, into which luck that all of them share would come.
        """
        points = saltelli(self.groups(leaders), self.n_base, self.seed)
        base, place = np.divmod(np.arange(len(points)), self.n_groups + 2)
        is_second = place == self.n_groups + 1
        luck = N_AT_DEFAULT + self.n_walks + 2 * base + is_second
        return with_luck(luck, levels_of(points, self.n_levels))

    def groups(self, leaders: Sequence[int]) -> list[int]:
        """Return the group of each assumption: leaders first, all others last."""
        place = {factor: group for group, factor in enumerate(leaders)}
        return [place.get(factor, len(place)) for factor in range(len(self.assumptions))]


def with_luck(luck: IntArray, levels: IntArray) -> IntArray:
    """Return points: the number of the luck of each, then the level of each assumption."""
    return np.column_stack([luck, levels])


def design_of(plan: Plan) -> Design:
    """Return the design of a plan.

    Raises:
        AssumedError: The game has nothing to vary, or a point has too few playouts.

    """
    found = tuple(assumptions_of(games.get(plan.game).load()))
    if not found:
        message = f"{plan.game}: found no assumed or silent value, so there is nothing to vary"
        raise AssumedError(message)
    n = _playouts_of_part(plan)
    if n < FEWEST_IN_A_PART:
        least = FEWEST_IN_A_PART * N_PARTS * len(plan.profiles)
        message = (
            f"assumed.playouts: found {plan.assumed.playouts}, which is {n} for each of {N_PARTS} parts of "
            f"{len(plan.profiles)} profiles, expected at least {least}"
        )
        raise AssumedError(message)
    wanted = plan.assumed
    leaders = min(wanted.leaders, len(found))
    return Design(found, wanted.trajectories, wanted.base, leaders, plan.seed)


def _playouts_of_part(plan: Plan) -> int:
    return plan.assumed.playouts // (N_PARTS * len(plan.profiles))


@dataclass(frozen=True)
class Player:
    """Plays one point: the whole plan under one set of assumptions.

    Attributes:
        plan: The plan.
        design: What is varied.
        headlines: What is measured.

    """

    plan: Plan
    design: Design
    headlines: tuple[Headline, ...]

    @property
    def columns(self) -> list[tuple[Headline, int, str]]:
        """Headline, number of seats and profile of each number that a point gives."""
        return [
            (headline, seats, profile.name)
            for headline in self.headlines
            for seats in self.plan.seat_counts
            for profile in self.plan.profiles
        ]

    def plan_at(self, levels: Sequence[int]) -> Plan:
        """Return the plan under the assumptions of a point."""
        components = games.get(self.plan.game).load()
        point = changes_at(self.design.assumptions, levels)
        variants = [
            one.model_copy(update={"changes": with_variant(components, point, one.changes)})
            for one in self.plan.variants
        ]
        n = _playouts_of_part(self.plan)
        items = [self.plan.answer.item] if self.plan.answer.kind == "item" else NONE
        counts = {"playouts": n * len(self.plan.profiles), "paired_playouts": n}
        unstopped = {"precision": None, "until_decided": False, "most_playouts": None}
        wanted = {"items": items, "item_estimands": [Estimand.GRANT.value], "estimands": None}
        return self.plan.model_copy(update={"variant": variants, **counts, **unstopped, **wanted})

    def calls(self, levels: Sequence[int]) -> list[tuple[Setting, Call]]:
        """Return setting and call of a point's first part; parts and lucks differ by their first playout."""
        n = _playouts_of_part(self.plan)
        return [(setting, lean(setting, n)) for setting in settings(self.plan_at(levels))]

    def rows_of_point(self) -> int:
        """Return about how many rows a point plays."""
        calls = self.calls(self.design.default()[0, 1:].tolist())
        return round(sum(N_PARTS * call.work(call.n_playouts) for _, call in calls))

    def play(self, point: Sequence[int]) -> FloatArray:
        """Return what a point gives, in one thread.

        Args:
            point: Number of its luck, then the level of each assumption.

        Returns:
            Shape (n_columns + 1, n_parts): every headline by seats and profile; last the share of truncated playouts.

        """
        luck, *levels = point
        settled = self.calls(levels)
        n = _playouts_of_part(self.plan)
        found = np.zeros((len(self.columns) + 1, N_PARTS))
        n_settings = len(settled)
        for part in range(N_PARTS):
            for place, (setting, call) in enumerate(settled):
                played = play_here(replace(call, first=(luck * N_PARTS + part) * n))
                found[-1, part] += share_truncated(played) / n_settings
                for number, headline in enumerate(self.headlines):
                    found[number * n_settings + place, part] = headline.measure(setting, played)
        return found


def lean(setting: Setting, n_playouts: int) -> Call:
    """Return the call of a setting with no more arms than its headlines need.

    An item's grant lift is told from grants in every playout: two rows a pair. (A plan's own run finds most pairs where
    the baseline dealt the item, because it plays the baseline anyway.) The baseline is played if variants are.

    Args:
        setting: Number of seats and profile.
        n_playouts: Playouts of each arm.

    """
    call = setting.call
    if not setting.items:
        return call
    (item,) = setting.items
    names = list(setting.rulesets) if len(setting.rulesets) > 1 else []
    wanted = {*names, item.label(GRANT), item.label(CONTROL)}
    arms = [
        replace(arm, only=None, n_playouts=n_playouts, is_described=False) for arm in call.arms if arm.name in wanted
    ]
    pairs = [pair for pair in call.pairs if {pair.arm, pair.baseline} <= wanted]
    return replace(call, arms=tuple(arms), pairs=tuple(pairs))


def share_truncated(played: Played) -> float:
    """Return the share of playouts of all arms that hit the turn limit."""
    n_rows = sum(int(totals["n_playouts"]) for totals in played.arms.values())
    return 1 - sum(int(totals["n_finished"]) for totals in played.arms.values()) / max(1, n_rows)


@dataclass
class Explored:
    """Points played so far.

    Attributes:
        values: What each point gave, by luck and levels.

    """

    values: dict[tuple[int, ...], FloatArray] = field(default_factory=dict)

    def parts(self, points: IntArray, column: slice | int) -> FloatArray:
        """Return the mean of some columns by point and part."""
        wanted = np.stack([np.atleast_2d(self.values[tuple(map(int, point))][column]) for point in points])
        return np.asarray(wanted.mean(axis=1))

    def save(self, path: Path, key: str) -> None:
        """Write all points; an older file is replaced whole or left alone."""
        points = np.array(list(self.values), np.int16)
        with written_whole(path) as file:
            values = np.stack(list(self.values.values()))
            np.savez(file, key=np.array(key), hash=np.array(hash_of(self)), points=points, values=values)

    @classmethod
    def load(cls, path: Path, key: str) -> Explored:
        """Return the points that an interrupted run of the same plan and sources has left, or none."""
        try:
            with np.load(io.BytesIO(read_regular(path, MOST_TOTALS_BYTES)), allow_pickle=False) as found:
                if str(found["key"]) != key:
                    return cls()
                pairs = zip(found["points"], found["values"], strict=True)
                kept = cls({tuple(map(int, point)): values for point, values in pairs})
                is_whole = hash_of(kept) == str(found["hash"])
        except FileNotFoundError:
            return cls()
        except Exception:  # noqa: BLE001  (whatever a damaged archive makes zipfile and numpy raise)
            is_whole = False
        if not is_whole:
            tell(f"{path}: the points of an interrupted run are damaged; all are played anew")
            return cls()
        return kept


def key_of_points(plan: Plan, fingerprint: str) -> str:
    """Return the hash of what is played of a plan over its assumptions: plan, budget and sources."""
    told = json.dumps([key_of(plan, fingerprint), plan.assumed.model_dump()])
    return hashlib.sha256(told.encode()).hexdigest()


@dataclass
class _Run:
    """A run over points: where they are kept, and how far it is.

    Attributes:
        player: Plays a point.
        explored: Points played so far.
        total: Points of both designs.
        progress: Called with rows finished and rows in all.
        path: Where points are kept meanwhile, or None.

    """

    player: Player
    explored: Explored
    total: int
    progress: Progress | None
    path: Path | None
    rows_of_point: int
    done: int = 0
    saved: float = field(default_factory=time.monotonic)

    def key(self) -> str:
        """Return the hash of what is played: plan, budget and sources."""
        return key_of_points(self.player.plan, source_hash())

    def save(self) -> None:
        """Keep the points that are finished."""
        if self.path is not None and self.explored.values:
            self.explored.save(self.path, self.key())
            self.saved = time.monotonic()

    def _note(self, n_points: int = 1) -> None:
        self.done += n_points
        if self.progress is not None:
            self.progress(self.done * self.rows_of_point, self.total * self.rows_of_point)
        if time.monotonic() - self.saved > SECONDS_BETWEEN_SAVES:
            self.save()

    def play(self, wanted: IntArray, jobs: int) -> None:
        """Play all points that were not played yet, on threads; they are kept in the order of the design."""
        known = self.explored.values
        points = [tuple(map(int, point)) for point in wanted]
        todo = [point for point in dict.fromkeys(points) if point not in known]
        if len(todo) < len(points):
            self._note(len(points) - len(todo))
        with ThreadPoolExecutor(jobs) as pool:
            pending: list[tuple[tuple[int, ...], Future[FloatArray]]] = []
            try:
                for point in todo:
                    pending.append((point, pool.submit(self.player.play, point)))
                    if len(pending) >= jobs * POINTS_AHEAD:
                        self._take(pending)
                while pending:
                    self._take(pending)
            except BaseException:
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def _take(self, pending: list[tuple[tuple[int, ...], Future[FloatArray]]]) -> None:
        """Wait for the oldest point and keep it."""
        point, future = pending.pop(0)
        values = future.result()
        if not np.isfinite(values).all():
            message = (
                "assumed.playouts: a point has too few playouts for one of the headlines, expected more than "
                f"{self.player.plan.assumed.playouts}"
            )
            raise AssumedError(message)
        self.explored.values[point] = values
        self._note()


@dataclass(frozen=True)
class Findings:
    """All that was played, and what the two designs say about each headline.

    Attributes:
        plan: The plan.
        design: What was varied.
        player: Names the columns of what was played.
        explored: Every point.
        screened: Points of the screening.
        shared: Points of the second design.
        leaders: Assumptions with shares of their own, most important first.
        rows_of_point: Rows that a point plays.

    """

    plan: Plan
    design: Design
    player: Player
    explored: Explored
    screened: IntArray
    shared: IntArray
    leaders: tuple[int, ...]
    rows_of_point: int

    def columns_of(self, headline: int, seats: int) -> slice:
        """Return the columns of a headline at a number of seats: one for each profile."""
        n_profiles = len(self.plan.profiles)
        first = (headline * len(self.plan.seat_counts) + self.plan.seat_counts.index(seats)) * n_profiles
        return slice(first, first + n_profiles)

    def effects(self, columns: slice) -> tuple[Effect, ...]:
        """Return the effect of each assumption on the mean over some columns."""
        return _effects(self.design, self.explored, self.screened, columns)

    def shares(self, columns: slice) -> tuple[VarianceShare, ...]:
        """Return the share of variance of each group, on the mean over some columns."""
        return variance_shares(self.explored.parts(self.shared, columns), self.design.n_groups, self.plan.seed)


def _effects(design: Design, explored: Explored, screened: IntArray, columns: slice) -> tuple[Effect, ...]:
    steps = [one.n_steps for one in design.assumptions]
    return screen(screened[:, 1:], steps, explored.parts(screened, columns))


def explore(
    plan: Plan,
    jobs: int | None = None,
    progress: Progress | None = None,
    folder: Path | None = None,
    is_fresh: bool = False,
) -> Findings:
    """Play a plan over the designed sample of its game's assumptions.

    Args:
        plan: A checked plan.
        jobs: Threads; one per core if None.
        progress: Called with rows finished and about how many there are in all.
        folder: Where points are kept while it runs; the same plan goes on from there. None to keep nothing.
        is_fresh: True to play all anew.

    Raises:
        AssumedError: There is nothing to vary, or a point has too few playouts.
        KeyboardInterrupt: It was interrupted; the finished points are in the folder.

    """
    design = design_of(plan)
    player = player_of(plan, design)
    path = None if folder is None else folder / UNFINISHED
    run = _Run(player, Explored(), sum(design.n_points) + N_AT_DEFAULT, progress, path, player.rows_of_point())
    if folder is not None:
        open_folder(folder)
    if path is not None and not is_fresh:
        run.explored = Explored.load(path, run.key())
    try:
        run.play(design.default(), count_jobs(jobs))
        screened = design.screening()
        run.play(screened, count_jobs(jobs))
        leaders = choose_leaders(plan, design, player, run.explored, screened)
        shared = design.shares(leaders)
        run.play(shared, count_jobs(jobs))
    except BaseException:
        run.save()
        if folder is not None:
            remove_if_empty(folder)
        raise
    return Findings(plan, design, player, run.explored, screened, shared, leaders, run.rows_of_point)


def player_of(plan: Plan, design: Design) -> Player:
    """Return what plays points: its headlines are those that the plan as it stands gives a number for."""
    whole = Player(plan, design, tuple(headlines(plan)))
    default = design.default()[0].tolist()
    with ThreadPoolExecutor(1) as pool:  # Ctrl-C reaches the main thread only, never a kernel on its way in or out
        found = pool.submit(whole.play, default).result()[:-1].reshape(len(whole.headlines), -1)
    told = tuple(one for one, values in zip(whole.headlines, found, strict=True) if np.isfinite(values).all())
    if not told:
        message = f"answer: '{plan.answer.kind}' gives no headline; give each point more playouts (assumed.playouts)"
        raise AssumedError(message)
    return replace(whole, headlines=told)


def choose_leaders(
    plan: Plan, design: Design, player: Player, explored: Explored, screened: IntArray
) -> tuple[int, ...]:
    """Return the assumptions that get shares of their own: those with the largest sure effect on any headline.

    An effect counts as part of the largest one on that headline, so that headlines in other units, or that move
    little, have their say. What is equally sure is ranked by size.
    """
    importance = np.zeros(len(design.assumptions))
    largest = np.zeros(len(design.assumptions))
    whole = Findings(plan, design, player, explored, screened, screened, (), 0)
    for number in range(len(player.headlines)):
        for seats in plan.seat_counts:
            effects = whole.effects(whole.columns_of(number, seats))
            importance = np.maximum(importance, _as_part([one.sure for one in effects]))
            largest = np.maximum(largest, _as_part([one.size for one in effects]))
    ranked = np.lexsort((np.arange(len(importance)), -largest, -importance))
    return tuple(int(factor) for factor in ranked[: design.n_leaders])


def _as_part(effects: Sequence[float]) -> FloatArray:
    """Return effects as parts of the largest of them."""
    found = np.array(effects)
    return found / found.max() if found.max() > 0 else found


def now() -> str:
    """Return the time in UTC, as manifests have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def hash_of(explored: Explored) -> str:
    """Return the hash of what all points gave; the same for any number of threads."""
    found = hashlib.sha256()
    for point, values in sorted(explored.values.items()):
        found.update(np.array(point, "<i2").tobytes())
        found.update(np.ascontiguousarray(values, "<f8").tobytes())
    return found.hexdigest()
