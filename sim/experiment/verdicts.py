"""What tables of estimates share: levels, the gates on truncated playouts, and verdicts in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from sim.statistics.balance import Verdict, verdict
from sim.statistics.checks import MOST_TRUNCATED_FOR_MEAN, MOST_TRUNCATED_FOR_VERDICT
from sim.statistics.paired import PairedSums, lift

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sim.statistics.estimate import Estimate

LEVEL: Final = 0.95
POINTS: Final = 100
NO_VERDICT: Final = "no verdict: too many playouts were truncated"


def row_of(estimate: Estimate | None, n_playouts: int) -> dict[str, Any]:
    """Return the six columns of an estimate; without one, all but the playouts are not a number."""
    if estimate is not None:
        return dict(estimate.as_row())
    missing = dict.fromkeys(("value", "mcse", "lower", "upper"), math.nan)
    return {**missing, "level": LEVEL, "n_playouts": n_playouts}


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
