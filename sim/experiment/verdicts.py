"""What tables of estimates share: levels, the gates on what is judged, and verdicts, each one word and two numbers.

A row that is judged has three columns, and no other module parses words out of a sentence:

* `verdict`: one of the words below;
* `n_more_lower`, `n_more_upper`: of an undecided row, between how many further playouts (of each profile) would settle
  it, in round numbers; not a number where it is decided or nobody can tell.

| word | constant | said of | means |
| --- | --- | --- | --- |
| balanced, unbalanced | `Balance` | `seat_advantage`, claims on it, `item_balance` | shown within; shown beyond |
| within margin, beyond margin | `WITHIN`, `BEYOND` | `comparisons`, claims on them | shown within; shown beyond |
| holds, does not | `Held` | `advice`, claims on it | the gain is shown to exceed the margin; shown not to |
| overpowered | `Power` | `item_summary` | shown above the margin under a profile |
| underpowered | `Power` | `item_summary` | shown below it under every profile |
| fair | `Power` | `item_summary` | shown within it under every profile |
| underpowered under some profiles | `Power` | `item_summary` | so under one, not under another, above in none |
| undecided | `UNDECIDED` | all of these | an interval holds an end of the margin |
| no verdict: ... | `NO_VERDICT`, `TOO_FEW`, `ALIKE` | all of these | what stands against one; they begin with `NONE` |

*Levels.* `level` of a row is what its table promises: all of its intervals together hold with that probability, over
variants, seats, places, policies, items and profiles. `level_each` is the level of the interval alone, by which that is
reached (Bonferroni, as in Goodman's intervals). Measured on 400 tables of Pig at two seats (three variants, three
profiles, all known exactly; 20 tables with a miss are allowed): of shares and places 17 tables miss at 3,000 playouts
and 4 at 200, of changes 6 and 1, of claims 0 and 0. Shares that go with each other by their common luck (correlations
of .3 to .7) would make intervals 1 to 6 % narrower if that were known; counting seats and places that are the same
only once, 4 %. At 200 playouts the allowance for what was not seen (`bounded`) adds another 13 % to changes.

*Counts.* `n_playouts` is the same everywhere in tables: playout numbers, where all rotations of a line-up at one number
count as one, since they share their luck. What is played, rotations and arms counted, is `n_rows`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sim.statistics.balance import Balance, verdict
from sim.statistics.bounded import FEWEST_JUDGED, bounded_mean, exact_share, within
from sim.statistics.checks import MOST_TRUNCATED_FOR_MEAN, MOST_TRUNCATED_FOR_VERDICT
from sim.statistics.estimate import DEFAULT_LEVEL, Estimate
from sim.statistics.families import simultaneous_level
from sim.statistics.further import Further, in_words
from sim.statistics.paired import PairedSums
from sim.statistics.sequential import at_every_look, share_sequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from enum import StrEnum

    from sim.statistics.estimate import SampleSums
LEVEL: Final = DEFAULT_LEVEL
POINTS: Final = 100
NONE: Final = "no verdict"
NO_VERDICT: Final = f"{NONE}: too many playouts were truncated"
TOO_FEW: Final = f"{NONE}: fewer than {FEWEST_JUDGED} playouts tell of it"
ALIKE: Final = f"{NONE}: every playout ended alike"
UNDECIDED: Final = str(Balance.UNDECIDED)
WITHIN: Final = "within margin"
BEYOND: Final = "beyond margin"
CHANGE_WORDS: Final = {str(Balance.BALANCED): WITHIN, str(Balance.UNBALANCED): BEYOND}
LAST_PART: Final = 0.5  # of the lengths up to the limit: the tail that tells how fast the rest would end
OF_SHARE: Final = (0.0, 1.0)
OF_LIFT: Final = (-1.0, 1.0)
PAIR: Final = 2
N_MORE: Final = ("n_more_lower", "n_more_upper")


def n_free(n_shares: int) -> int:
    """Return how many of several shares that sum to one are numbers of their own: of two it is one."""
    return n_shares if n_shares > PAIR else n_shares - 1


@dataclass(frozen=True)
class Intervals:
    """Which intervals a run tells: for a number of playouts fixed beforehand, or right at every look.

    Attributes:
        level: Joint confidence level of the intervals of a table.
        tightest_at: Playouts at which a sequence for every look is narrowest; None if nobody looks and stops.
        n_settings: Settings (profiles, numbers of seats) whose rows stand in one table.

    """

    level: float = LEVEL
    tightest_at: int | None = None
    n_settings: int = 1

    def of_several(self, n_intervals: int) -> float:
        """Return the level that each of a setting's intervals in a table needs so that the whole table holds."""
        return simultaneous_level(n_intervals * self.n_settings, self.level)

    def within(self, estimate: Estimate, n: float, limits: tuple[float, float] = OF_LIFT) -> Estimate:
        """Return a number within limits with the interval that this run tells.

        Args:
            estimate: The number, with its standard error.
            n: Playouts that contribute to it.
            limits: Lowest and highest value that is possible; those of a lift if not given.

        """
        if self.tightest_at is None:
            return within(estimate, n, limits)
        return at_every_look(estimate, self.tightest_at, limits, n)

    def lift(self, sums: SampleSums, level: float, limits: tuple[float, float] = OF_LIFT) -> Estimate:
        """Return the mean of a number within limits from its sums, at the level of each interval."""
        found = bounded_mean(sums, limits, level)
        return found if self.tightest_at is None else self.within(found, found.n_playouts, limits)

    def share(self, sums: SampleSums, level: float, n_rotations: int = 1) -> Estimate:
        """Return a share at the level of each interval.

        The sequence of a share is exact; of rotated line-ups, which vary less, it is that for large samples.
        """
        fixed = exact_share(sums, level)
        if self.tightest_at is None:
            return fixed
        if n_rotations == 1:
            return share_sequence(sums, level)
        return self.within(fixed, fixed.n_playouts, OF_SHARE)

    def shares(self, samples: Sequence[SampleSums], n_rotations: int, n_arms: int = 1) -> tuple[Estimate, ...]:
        """Return the win shares of all seats, with intervals that hold together over `n_arms` variants."""
        level = self.of_several(n_free(len(samples)) * n_arms)
        return tuple(self.share(sums, level, n_rotations) for sums in samples)


def row_of(estimate: Estimate | None, n_playouts: int, level: float = LEVEL) -> dict[str, Any]:
    """Return the columns of an estimate; without one, all but the playouts are not a number.

    Args:
        estimate: The estimate, whose level is that of its interval alone.
        n_playouts: Playouts, if there is no estimate.
        level: Level that the table promises.

    """
    if estimate is not None:
        return {**estimate.as_row(), "level": level, "level_each": estimate.level}
    missing = dict.fromkeys(("value", "mcse", "lower", "upper"), math.nan)
    return {**missing, "level": level, "n_playouts": n_playouts, "level_each": math.nan}


def estimate_of(row: Mapping[str, Any]) -> Estimate:
    """Return the estimate of a row of a table, at the level of its interval alone."""
    each = row.get("level_each", row["level"])
    level = row["level"] if each is None or math.isnan(each) else each
    value, error, lower, upper = (float(row[name]) for name in ("value", "mcse", "lower", "upper"))
    return Estimate(value, error, lower, upper, float(level), int(row["n_playouts"]))


def is_cut_short(n_truncated: int, n_playouts: int) -> bool:
    """Tell whether too many playouts were truncated for a mean to have a meaning."""
    return n_truncated > MOST_TRUNCATED_FOR_MEAN * n_playouts


def paired_sums(sums: Iterable[Any], n: int, unit: int) -> PairedSums:
    """Return pair sums of the engine as those of the statistics floor."""
    ours, theirs, ours_squared, theirs_squared, product, *_ = (int(number) for number in sums)
    return PairedSums(n, ours, theirs, ours_squared, theirs_squared, product, unit)


def told(word: StrEnum | str, n_more: Further | None = None) -> dict[str, Any]:
    """Return the columns of a verdict."""
    ends = (math.nan, math.nan) if n_more is None or n_more.upper == 0 else (float(n_more.lower), float(n_more.upper))
    return {"verdict": str(word), **dict(zip(N_MORE, ends, strict=True))}


def objection(estimate: Estimate, n_truncated: int, n: float | None = None) -> str:
    """Return what stands against any verdict on an estimate, empty if nothing does.

    Args:
        estimate: The estimate.
        n_truncated: Playouts that hit the turn limit, besides those of the estimate.
        n: Playouts that contribute to it; all of them if None.

    """
    if n_truncated > MOST_TRUNCATED_FOR_VERDICT * (estimate.n_playouts + n_truncated):
        return NO_VERDICT
    if (estimate.n_playouts if n is None else n) < FEWEST_JUDGED:
        return TOO_FEW
    return ALIKE if estimate.mcse == 0 else ""


def verdict_of(points: Estimate, margin: float, n_truncated: int, n: float | None = None) -> dict[str, Any]:
    """Return the columns of a verdict on an advantage in points against a margin in points.

    Args:
        points: The estimate, 0 when fair.
        margin: Half-width of what counts as balanced.
        n_truncated: Playouts that hit the turn limit, besides those of the estimate.
        n: Playouts that contribute to it; all of them if None.

    """
    against = objection(points, n_truncated, n)
    if against:
        return told(against)
    judged = verdict(points.scaled(1 / POINTS), margin / POINTS)
    return told(judged.balance, judged.n_more)


def change_verdict_of(points: Estimate, margin: float, n_truncated: int, n: float | None = None) -> dict[str, Any]:
    """Return the columns of a verdict on a change: within the margin, beyond it, or undecided."""
    found = verdict_of(points, margin, n_truncated, n)
    return {**found, "verdict": CHANGE_WORDS.get(found["verdict"], found["verdict"])}


def objection_to(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return what stands against a verdict on several rows at once, empty if nothing does.

    Rows without spread are judged by their intervals, unless all are such.
    """
    words = {str(row["verdict"]) for row in rows}
    for word in (NO_VERDICT, TOO_FEW):
        if word in words:
            return word
    return ALIKE if words == {ALIKE} else ""


def hint_of(row: Mapping[str, Any]) -> str:
    """Return in words what would settle an undecided row."""
    found = n_more_of(row)
    return "too close to tell how many more would settle it" if found is None else f"{in_words(Further(*found))} more"


def n_more_of(row: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return between how many further playouts would settle a row; None if it is decided or nobody can tell."""
    lower, upper = (row.get(name) for name in N_MORE)
    if lower is None or upper is None or math.isnan(lower) or math.isnan(upper):
        return None
    return int(lower), int(upper)


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
