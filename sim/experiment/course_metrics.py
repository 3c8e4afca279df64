"""Metrics that take chances to win: from rollouts where there are enough playouts, and from fitted value functions.

Each metric has one row by the best source that there is. Where positions of some playouts were rolled out, that is

    `rollouts of these playouts + (by V of all recorded playouts - by V of these playouts)`,

what rollouts say, with the luck of few playouts taken out by what the cheap value function V says of many (a
difference estimator: Cochran, Sampling techniques, 1977, section 7.3). Beside it stand the same metric by V alone
(`..., by V`) and what V is off by (`..., V less rollouts`). Errors leave out a twentieth of the playouts at a time from
fits, rollouts and metrics alike, and hold what finitely many rollouts may be off by (`sim.statistics.rolled`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.rollouts import Position, Worlds, roll_out
from sim.statistics import course
from sim.statistics.estimate import Estimate
from sim.statistics.rolled import SLOWEST, Levels, extrapolate, join_means, lean
from sim.statistics.sampled import from_parts, widened, without_bias
from sim.statistics.values import N_LEFT_OUT, CrossFit, log_scores

if TYPE_CHECKING:
    from sim.engine.blocks import Arm
    from sim.engine.contract import Game
    from sim.experiment.sample import Meter, Sample
    from sim.statistics.course import Course

Array = np.ndarray[Any, Any]
Key = tuple[str, str, str]

N_WORLDS: Final = 128
ROLLED_OF_100: Final = 8  # playouts of a hundred recorded ones that are rolled out
MOST_ROLLED: Final = 400
FEWEST_ROLLED: Final = N_LEFT_OUT
BY_V: Final = "by V"
LESS: Final = "V less rollouts"
NOT_COVERED: Final = "by V: error without misfit of V"
NOT_COVERED_IN_STEPS: Final = "by V: error without misfit and bias of V"
ROLLED: Final = "by rollouts: error holds what {n_worlds} rollouts of a position may be off by"
MISSED: Final = "what V is off by"
VALUE_FUNCTION: Final = ("value function", "log score gained over equal chances", "1 perfect")
SMOOTH: Final[dict[Key, Callable[[Course], Array]]] = {
    ("drama", "lead over the winner", "chance"): course.drama,
    ("stability", "variance of the chances", "squared chance"): course.stability,
    ("uncertainty", "entropy of the chances", "1 open"): course.uncertainty,
}
IN_STEPS: Final[dict[Key, Callable[[Course], Array]]] = {
    ("lead changes", "of a playout", "changes"): course.lead_changes,
    ("comeback", "last at half time wins", "win share"): course.comeback,
    ("decisiveness", "largest chance of a loser", "chance"): course.decisiveness_threshold,
    ("decisiveness", "dead tail", "share of the playout"): course.dead_tail,
}
CHANGES_OF_A_TURN: Final = ("lead changes", "of a turn", "per turn")
TURNED_RANKS: Final = ("comeback", "1 - correlation of ranks", "0 as at half time")
OF_EACH_PLAYOUT: Final = {**IN_STEPS, **SMOOTH}
"""Metrics that are the mean of a number of each playout, told from its chances, by metric, part and unit."""
STEPS_OF_V: Final = ("lead changes", "comeback", "dead tail")
"""What has a bias that leaving playouts out does not find: it moves in steps as fitted chances move (Miller 1974)."""


@dataclass(frozen=True)
class CourseMetric:
    """A metric that is told from chances, with those without each group of playouts.

    Attributes:
        name: What it measures.
        part: Which of several forms it is.
        unit: Its unit.
        value: The metric.
        parts: The metric where a group of playouts is left out, of fits and rollouts too, shape (n_groups,).
        n_playouts: Finished playouts.
        note: Where it is from, and what its error does not hold.
        moved: How much more rollouts last moved it: what finitely many of them may be off by.
        takes_bias_out: Whether the bias of a fit to few playouts is taken out.
        is_change: Whether it has a change against the baseline.
        is_told: Always; a jackknife needs no more than its groups.

    """

    name: str
    part: str
    unit: str
    value: float
    parts: Array
    n_playouts: int
    note: str
    moved: float = 0.0
    takes_bias_out: bool = False
    is_change: bool = True
    is_told: bool = True

    def goes_with(self, other: Any) -> bool:
        """Tell whether another metric left out the same groups of playouts, of the same source."""
        return isinstance(other, CourseMetric) and self.is_change and other.note == self.note

    def estimate(self) -> Estimate:
        """Return the metric with its error, that of the chances included."""
        return self._told(self.value, self.parts, self.moved)

    def change_from(self, other: Any) -> Estimate:
        """Return the paired change from the same metric of other rules over the same playouts."""
        return self._told(self.value - other.value, self.parts - other.parts, self.moved - other.moved)

    def _told(self, value: float, parts: Array, moved: float) -> Estimate:
        found = from_parts(value, parts, self.n_playouts, takes_bias_out=self.takes_bias_out)
        return widened(found, abs(moved)) if moved else found


@dataclass(frozen=True)
class Numbers:
    """What the metrics are worked out from: numbers of each playout, so that any of them can be left out.

    Attributes:
        each: Numbers of each playout, by metric, part and unit, shape (n_playouts,) each.
        ranks: Ranks at half time and in the end, shape (2, n_playouts, n_seats).
        logits: Sums for the slope of logits, shape (n_playouts, 5).
        scores: Log scores, and those of equal chances, shape (2, n_playouts).
        length: Turns, shape (n_playouts,).
        lag: Turns between the logits of the slope.

    """

    each: dict[Key, Array]
    ranks: Array
    logits: Array
    scores: Array
    length: Array
    lag: int

    def told(self, kept: Array) -> dict[Key, float]:
        """Return the metrics of the playouts that are kept.

        Args:
            kept: Which of them count, shape (n_playouts,).

        """
        half, final = self.ranks[:, kept]
        changes = next(one for key, one in self.each.items() if key[:2] == ("lead changes", "of a playout"))
        score, equal = self.scores[:, kept].sum(axis=1)
        return {
            **{key: float(one[kept].mean()) for key, one in self.each.items()},
            CHANGES_OF_A_TURN: float(changes[kept].sum() / self.length[kept].sum()),
            TURNED_RANKS: 1 - course.correlation_of(half, final),
            ("runaway leader", f"slope over {self.lag} turns", "logit per logit"): course.slope_of(
                self.logits[kept].sum(axis=0)
            ),
            VALUE_FUNCTION: float(1 - score / equal) if equal else 0.0,
        }


def numbers_of(played: Course) -> Numbers:
    """Return the numbers of each playout of a course."""
    lag = played.chances.shape[1]
    scores = log_scores(played.chances, played.is_in, played.payoff[played.playout], played.playout, len(played.length))
    return Numbers(
        {key: tell(played) for key, tell in OF_EACH_PLAYOUT.items()},
        np.stack(course.rank_pairs(played)),
        course.logit_sums(played, lag),
        np.stack(scores),
        played.length,
        lag,
    )


@dataclass(frozen=True)
class RolledCourse:
    """The course of the first finished playouts of a sample, in chances from rollouts.

    Attributes:
        played: Their course, in fitted chances.
        levels: Chances from rollouts of the same positions.

    """

    played: Course
    levels: Levels

    def leaning(self, fitted: Array, place: int | None = None) -> Course:
        """Return the course in chances from rollouts that lean on fitted ones, from all worlds or from one half."""
        levels = self.levels
        rolled = levels.whole if place is None else levels.halves[place]
        n_worlds = levels.n_worlds if place is None else levels.n_worlds // 2
        return replace(self.played, chances=lean(rolled, fitted, self.played.is_in, n_worlds))

    @cached_property
    def smooth(self) -> dict[Key, tuple[Array, Array]]:
        """Each smooth number of each playout, and how much it was moved by the last doubling of worlds."""
        found = {}
        levels = self.levels
        for key, tell in SMOOTH.items():
            whole, halves, quarters = (
                join_means([tell(replace(self.played, chances=chances)) for chances in some])
                for some in (levels.whole[None], levels.halves, levels.quarters)
            )
            found[key] = extrapolate(whole, halves, quarters)
        return found

    def told(self, fitted: Array, kept: Array) -> dict[Key, tuple[float, float]]:
        """Return each metric of the playouts that are kept, and what finitely many worlds may move it by."""
        whole = numbers_of(self.leaning(fitted)).told(kept)
        halves = [numbers_of(self.leaning(fitted, place)).told(kept) for place in range(2)]
        in_steps = (*IN_STEPS, CHANGES_OF_A_TURN, TURNED_RANKS)
        found = {}
        for key in in_steps:
            moved = whole[key] - (halves[0][key] + halves[1][key]) / 2
            found[key] = whole[key], moved * (SLOWEST if key[0] == "lead changes" else 1)
        for key, (value, change) in self.smooth.items():
            found[key] = (float(value[kept].mean()), float(change[kept].mean()))
        return found


def n_rolled(n_playouts: int) -> int:
    """Return how many of some recorded playouts are rolled out; none if there are too few for an error."""
    some = min(MOST_ROLLED, n_playouts * ROLLED_OF_100 // 100)
    return some if some >= FEWEST_ROLLED else 0


def roll_course(game: Game, arm: Arm, seed: int, sample: Sample, meter: Meter, work: float) -> RolledCourse | None:
    """Roll out every position of the first finished playouts of a sample; None if there are too few.

    Args:
        game: The game.
        arm: What was recorded.
        seed: Its seed.
        sample: The recorded playouts.
        meter: Takes note of how far it is.
        work: How much that is in the meter.

    """
    n_some = n_rolled(int(sample.is_finished.sum()))
    if not n_some:
        return None
    played = sample.course.of_first(n_some)
    positions = course_positions(sample, np.flatnonzero(sample.is_finished)[:n_some], N_WORLDS)
    each = work / len(positions)
    found = roll_out(game, arm, seed, positions, N_WORLDS, offset=Worlds.COURSE, progress=lambda n: meter.add(n * each))
    return RolledCourse(played, Levels(quarters_of(found.chances, N_WORLDS), N_WORLDS))


def quarters_of(chances: Callable[[slice], Array], n_worlds: int) -> Array:
    """Return the chances from each quarter of the worlds."""
    some = n_worlds // 4
    return np.stack([chances(slice(start, start + some)) for start in range(0, 4 * some, some)])


def course_positions(sample: Sample, playouts: Array, n_worlds: int) -> list[Position]:
    """Return the positions of some recorded playouts before their end, each with worlds of its own.

    Args:
        sample: The recorded playouts.
        playouts: Which of them.
        n_worlds: Worlds of each position.

    """
    positions = sample.positions
    some = np.flatnonzero(np.isin(positions.playout, playouts) & positions.is_open)
    return [
        Position(playout, turn, rotation=playout % sample.n_rotations, first_world=turn * n_worlds)
        for playout, turn in zip(positions.playout[some].tolist(), positions.turn[some].tolist(), strict=True)
    ]


def course_metrics(
    played: Course,
    fit: CrossFit,
    playout: Array,
    rolled: RolledCourse | None = None,
    left_out_one: Callable[[], None] = lambda: None,
) -> Iterator[CourseMetric]:
    """Yield what is told from the chances after every turn, of finished playouts.

    Args:
        played: The course of finished playouts, in fitted chances.
        fit: The value functions that told them.
        playout: Number of each finished playout as the fit knows it, shape (n_playouts,).
        rolled: The first of them in chances from rollouts, or None.
        left_out_one: Called whenever a group of playouts was left out.

    """
    teller = _Teller(played, playout % N_LEFT_OUT, rolled)
    whole = teller.told(None, played.chances)
    parts = []
    for group in range(N_LEFT_OUT):
        parts.append(teller.told(group, fit.without(group)))
        left_out_one()
    for source in whole:
        for key, (value, moved) in whole[source].items():
            about = np.array([part[source][key][0] for part in parts])
            bias = 0.0
            if source == LESS and not is_in_steps(key):  # that of the row by V, which is taken out there
                by_v = whole[BY_V][key][0]
                bias = by_v - without_bias(by_v, np.array([part[BY_V][key][0] for part in parts]))
            yield _metric(source, key, (value - bias, moved), about, len(playout), is_rolled=rolled is not None)


def is_in_steps(key: Key) -> bool:
    """Tell whether a metric moves in steps as fitted chances move: a jackknife finds its error but no bias."""
    return key[0] in STEPS_OF_V or key[1] in STEPS_OF_V


def _metric(
    source: str, key: Key, found: tuple[float, float], parts: Array, n_playouts: int, *, is_rolled: bool
) -> CourseMetric:
    """Return a metric under the name that its source gives it."""
    name, part, unit = key
    in_steps = is_in_steps(key)
    note = {
        "": ROLLED.format(n_worlds=N_WORLDS),
        BY_V: NOT_COVERED_IN_STEPS if in_steps else NOT_COVERED,
        LESS: MISSED,
    }[source]
    has_rolled = key in OF_EACH_PLAYOUT or key in (CHANGES_OF_A_TURN, TURNED_RANKS)
    suffix = source if source == LESS or (is_rolled and has_rolled) else ""
    return CourseMetric(
        name,
        f"{part}, {suffix}" if suffix else part,
        unit,
        found[0],
        parts,
        n_playouts,
        note,
        found[1],
        takes_bias_out=source == BY_V and not in_steps,
        is_change=source != LESS,
    )


@dataclass(frozen=True)
class _Teller:
    """Tells metrics from chances, with or without a group of playouts.

    Attributes:
        played: The course of finished playouts.
        group: Group of each, shape (n_playouts,).
        rolled: The first of them in chances from rollouts, or None.

    """

    played: Course
    group: Array
    rolled: RolledCourse | None

    def told(self, left_out: int | None, fitted: Array) -> dict[str, dict[Key, tuple[float, float]]]:
        """Return by source each metric, and what finitely many rollouts may move it by.

        Args:
            left_out: Group of playouts that does not count, or None.
            fitted: Fitted chances of all positions, shape (n_positions, n_seats).

        """
        kept = self.group != left_out
        numbers = numbers_of(replace(self.played, chances=fitted))
        by_v = numbers.told(kept)
        plain = {key: (value, 0.0) for key, value in by_v.items()}
        if self.rolled is None:
            return {BY_V: plain}
        some = np.zeros(len(kept), bool)
        some[: len(self.rolled.played.length)] = True
        less = numbers.told(kept & some)
        told = self.rolled.told(fitted[: len(self.rolled.played.chances)], kept[some])
        both = {key: (value + by_v[key] - less[key], moved) for key, (value, moved) in told.items()}
        missed = {key: (by_v[key] - value, -moved) for key, (value, moved) in both.items()}
        return {"": both, BY_V: plain, LESS: missed}


def turned_ranks(played: Course) -> Array:
    """Return 1 less the correlation of ranks of each playout."""
    half, final = course.rank_pairs(played)
    return np.array([1 - course.correlation_of(*ranks) for ranks in zip(half, final, strict=True)])


def slopes(played: Course) -> Array:
    """Return the slope of logits of each playout."""
    return np.array([course.slope_of(sums) for sums in course.logit_sums(played, played.chances.shape[1])])


def score_gained(played: Course) -> Array:
    """Return the log score gained over equal chances in each playout."""
    payoff = played.payoff[played.playout]
    score, equal = log_scores(played.chances, played.is_in, payoff, played.playout, len(played.length))
    return np.asarray(1 - score / np.where(equal == 0, 1, equal))


def by_chances(played: Course, key: tuple[str, str]) -> Array:
    """Return a metric that is told from chances in each finished playout.

    Args:
        played: Chances over the turns of finished playouts.
        key: Metric and part; which source the part names is not looked at.

    """
    name, part = key[0], plain_part(key[1])
    forms: dict[tuple[str, str], Callable[[Course], Array]] = {
        **{one[:2]: tell for one, tell in OF_EACH_PLAYOUT.items()},
        CHANGES_OF_A_TURN[:2]: lambda one: course.lead_changes(one) / one.length,
        TURNED_RANKS[:2]: turned_ranks,
        VALUE_FUNCTION[:2]: score_gained,
    }
    return slopes(played) if name == "runaway leader" else forms[name, part](played)


def is_rolled(key: tuple[str, str]) -> bool:
    """Tell whether rollouts tell a metric, by metric and part."""
    return (key[0], plain_part(key[1])) in {one[:2] for one in (*OF_EACH_PLAYOUT, CHANGES_OF_A_TURN, TURNED_RANKS)}


def plain_part(part: str) -> str:
    """Return the part that a row is about, whatever source it names."""
    for source in (BY_V, LESS):
        part = part.removesuffix(f", {source}")
    return part
