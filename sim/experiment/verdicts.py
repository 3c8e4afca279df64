"""What tables of estimates share: levels, the gates on truncated playouts, and verdicts in words."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from sim.statistics.balance import Balance, Verdict, verdict
from sim.statistics.checks import MOST_TRUNCATED_FOR_MEAN, MOST_TRUNCATED_FOR_VERDICT
from sim.statistics.estimate import DEFAULT_LEVEL, simultaneous_shares
from sim.statistics.families import simultaneous_level
from sim.statistics.paired import PairedSums, lift
from sim.statistics.sequential import at_every_look, share_sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sim.statistics.estimate import Estimate, SampleSums

LEVEL: Final = DEFAULT_LEVEL
POINTS: Final = 100
NO_VERDICT: Final = "no verdict: too many playouts were truncated"
UNDECIDED: Final = str(Balance.UNDECIDED)
WITHIN: Final = "within margin"
BEYOND: Final = "beyond margin"
NEEDED: Final = re.compile(r"needs ([\d,]+) more")
CHANGE_WORDS: Final = {str(Balance.BALANCED): WITHIN, str(Balance.UNBALANCED): BEYOND}
LAST_PART: Final = 0.5  # of the lengths up to the limit: the tail that tells how fast the rest would end


@dataclass(frozen=True)
class Intervals:
    """Which intervals a run tells: for a number of playouts fixed beforehand, or right at every look.

    Attributes:
        level: Joint confidence level of the intervals of a table.
        tightest_at: Playouts at which a sequence for every look is narrowest; None if nobody looks and stops.

    """

    level: float = LEVEL
    tightest_at: int | None = None

    def of_several(self, n_intervals: int) -> float:
        """Return the level that each of several intervals needs so that all hold together."""
        return simultaneous_level(n_intervals, self.level)

    def kept(self, estimate: Estimate) -> Estimate:
        """Return a share or lift, a proportion, with the interval that this run tells."""
        return estimate if self.tightest_at is None else at_every_look(estimate, self.tightest_at)

    def shares(self, samples: Sequence[SampleSums], n_rotations: int) -> tuple[Estimate, ...]:
        """Return the win shares of all seats, with intervals that hold together.

        The sequence of a share is exact; of rotated line-ups, which vary less, it is that for large samples.
        """
        fixed = simultaneous_shares(samples, self.level)
        if self.tightest_at is None:
            return fixed
        each = self.of_several(len(samples))
        if n_rotations == 1:
            looked = [share_sequence(sums, each) for sums in samples]
        else:
            looked = [self.kept(replace(one, level=each)) for one in fixed]
        return tuple(
            replace(one, lower=max(0.0, one.lower), upper=min(1.0, one.upper), level=self.level) for one in looked
        )


def row_of(estimate: Estimate | None, n_playouts: int, level: float = LEVEL) -> dict[str, Any]:
    """Return the six columns of an estimate; without one, all but the playouts are not a number."""
    if estimate is not None:
        return dict(estimate.as_row())
    missing = dict.fromkeys(("value", "mcse", "lower", "upper"), math.nan)
    return {**missing, "level": level, "n_playouts": n_playouts}


def is_cut_short(n_truncated: int, n_playouts: int) -> bool:
    """Tell whether too many playouts were truncated for a mean to have a meaning."""
    return n_truncated > MOST_TRUNCATED_FOR_MEAN * n_playouts


def paired_sums(sums: Iterable[Any], n: int, unit: int) -> PairedSums:
    """Return pair sums of the engine as those of the statistics floor."""
    ours, theirs, ours_squared, theirs_squared, product = (int(number) for number in sums)
    return PairedSums(n, ours, theirs, ours_squared, theirs_squared, product, unit)


def paired(sums: Iterable[Any], n: int, unit: int, level: float = LEVEL) -> Estimate:
    """Return the paired lift from pair sums."""
    return lift(paired_sums(sums, n, unit), level)


def verdict_of(points: Estimate, margin: float, n_truncated: int) -> str:
    """Return a verdict in words on an advantage or lift in points against a margin in points.

    Args:
        points: The estimate, 0 when fair.
        margin: Half-width of what counts as balanced.
        n_truncated: Playouts that hit the turn limit, besides those of the estimate.

    """
    n = points.n_playouts + n_truncated
    if n_truncated > MOST_TRUNCATED_FOR_VERDICT * n:
        return NO_VERDICT
    judged: Verdict = verdict(points.scaled(1 / POINTS), margin / POINTS)
    return str(judged)


def change_verdict_of(points: Estimate, margin: float, n_truncated: int) -> str:
    """Return the verdict on a change in words: within the margin, beyond it, or undecided."""
    told = verdict_of(points, margin, n_truncated)
    return CHANGE_WORDS.get(told, told)


def n_more_of(verdict: str) -> int | None:
    """Return how many more playouts a verdict in words asks for; None if it names no number."""
    found = NEEDED.search(verdict)
    return None if found is None else int(found.group(1).replace(",", ""))


def limit_that_would_do(n_of_length: Any, truncated: float, most: float, n_rotations: int) -> tuple[int, int | None]:
    """Return the turn limit that was played with, and one that would truncate few enough playouts.

    Playouts are taken to go on ending at the rate at which they ended in the second half of the limit.

    Args:
        n_of_length: Rows by length, shape (longest + 1,).
        truncated: Share of playouts that hit the limit in some rotation.
        most: Largest share that is let through.
        n_rotations: Rotations that count as one playout.

    Returns:
        The limit, and the one that would do; None for that if no playout ends there at all.

    """
    counts = [int(count) for count in n_of_length]
    limit = len(counts) - 1
    n_cut = truncated * sum(counts) / n_rotations
    start = round(LAST_PART * limit)
    n_ended = max(0.0, sum(counts[start:]) - n_cut)
    if n_ended == 0:
        return limit, None
    rate = math.log1p(n_ended / n_cut) / (limit - start + 1)
    return limit, limit + math.ceil(math.log(truncated / most) / rate)
