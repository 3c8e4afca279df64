"""Less noise from what is known: clusters by seed, blocks of rotations, strata and control variates.

Rows of one seed depend on each other, so a seed's mean is one number (a *cluster*). A *block* is a line-up in all its
rotations on one seed: a cluster, too, whose wins are whole numbers and feed the sequential test of a candidate.
Strata are cells whose chance is known before anything is played (seat by dealt card), never what happened later.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sim.statistics.checks import FEWEST_FOR_VARIANCE, check_level, check_n, check_whole
from sim.statistics.distributions import student_quantile
from sim.statistics.estimate import DEFAULT_LEVEL, Estimate, SampleSums, student_estimate
from sim.statistics.paired import PairedSums

SHARE_SUM_TOLERANCE = 1e-9
FITTED = 2  # numbers that a control variate fits: mean and slope


def cluster_sums(values: NDArray[np.integer], unit: int = 1) -> SampleSums:
    """Return the sums of cluster means, one cluster for each seed.

    Args:
        values: Whole numbers of the rows of each seed, shape (n_seeds, n_rows).
        unit: How many units make 1.

    Returns:
        Sums whose mean is that of all rows and whose standard error has the seed as its unit.

    Raises:
        ValueError: The values are no table of seeds and rows.

    Source: Cochran (1977), Sampling Techniques, 3rd edition, section 9.3.

    """
    table = checked_table(values, "values of clusters")
    return SampleSums.of_sample(table.sum(axis=1), unit * table.shape[1])


def checked_table(values: NDArray[np.integer], name: str) -> NDArray[np.integer]:
    """Return values as a table.

    Raises:
        ValueError: They are no table with at least one column.

    """
    table = np.asarray(values)
    if table.ndim != 2 or table.shape[1] == 0:  # noqa: PLR2004  (seeds and rows)
        message = f"{name} have shape {table.shape}, expected (n_seeds, n_rows) with at least one row"
        raise ValueError(message)
    return table


def block_counts(wins: NDArray[np.integer]) -> tuple[int, ...]:
    """Return how many blocks the candidate won in 0, 1, ... all of their rotations: scores of `score_law`.

    Args:
        wins: 1 where the candidate won, shape (n_blocks, n_rotations).

    Raises:
        ValueError: The wins are no table of blocks and rotations, or not 0 and 1.

    """
    table = checked_table(wins, "wins of blocks")
    if not np.isin(table, (0, 1)).all():
        message = "wins of blocks hold other numbers than 0 and 1; a playout with split points has no winner to count"
        raise ValueError(message)
    return tuple(int(count) for count in np.bincount(table.sum(axis=1), minlength=table.shape[1] + 1))


def refuse_broken_blocks(wins: NDArray[np.integer]) -> None:
    """Stop if a candidate that is the baseline does not win exactly once in every block.

    With the same policy everywhere, the rotations of a block are one and the same playout seen from each seat.

    Args:
        wins: 1 where the candidate won, shape (n_blocks, n_rotations).

    Raises:
        ValueError: Some block has another sum than 1.

    """
    sums = checked_table(wins, "wins of blocks").sum(axis=1)
    if (sums != 1).any():
        place = int(np.argmax(sums != 1))
        message = (
            f"block {place} has {int(sums[place])} wins of a candidate that is the baseline, expected exactly 1; "
            "do all rotations use one seed, and does no draw depend on the policy?"
        )
        raise ValueError(message)


def post_stratified(strata: Sequence[SampleSums], chances: Sequence[float], level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a mean with every cell at its known chance instead of the share that it happened to get.

    Args:
        strata: Sums of the playouts of each cell, such as starting seat by dealt card.
        chances: Chance of each cell, known from the rules; they sum to 1.
        level: Confidence level.

    Returns:
        Mean of the cells weighted by their chances, with Student's interval at Satterthwaite's freedom.

    Raises:
        ValueError: Cells and chances do not fit, a cell has fewer than two playouts, units differ, or the level is
            wrong.

    Source: Holt and Smith (1979), J. R. Stat. Soc. A 142, 33-46; Satterthwaite (1946), Biometrics 2, 110-114.

    """
    check_strata(strata, chances)
    value = math.fsum(chance * cell.mean for cell, chance in zip(strata, chances, strict=True))
    parts = [chance**2 * cell.variance / cell.n for cell, chance in zip(strata, chances, strict=True)]
    squared = math.fsum(parts)
    spread = math.fsum(part**2 / (cell.n - 1) for part, cell in zip(parts, strata, strict=True))
    n = sum(cell.n for cell in strata)
    freedom = squared**2 / spread if spread > 0 else float(n - len(strata))
    return student_estimate(value, math.sqrt(squared), freedom, level, n)


def check_strata(strata: Sequence[SampleSums], chances: Sequence[float]) -> None:
    """Stop if cells and chances do not describe one population.

    Raises:
        ValueError: They do not.

    """
    if len(strata) != len(chances) or not strata:
        message = f"found {len(strata)} cells and {len(chances)} chances, expected one chance for each cell"
        raise ValueError(message)
    if min(chances) < 0 or abs(math.fsum(chances) - 1) > SHARE_SUM_TOLERANCE:
        message = f"chances of cells are {list(chances)}, expected none below 0 and a sum of 1"
        raise ValueError(message)
    if len({cell.unit for cell in strata}) > 1:
        message = f"cells come in units {sorted({cell.unit for cell in strata})}; pass all in one unit"
        raise ValueError(message)
    for place, cell in enumerate(strata):
        if cell.n < FEWEST_FOR_VARIANCE:
            message = f"cell {place} has {cell.n} playouts, expected at least 2; merge cells or play more"
            raise ValueError(message)


def controlled(sums: PairedSums, expected: float, level: float = DEFAULT_LEVEL) -> Estimate:
    """Estimate a mean with what is known of another quantity of the same playouts taken out.

    Args:
        sums: Sums of the quantity (as `variant`) and of the control (as `baseline`), such as the sixes rolled.
        expected: True mean of the control, known from the rules, in the same unit as the sums' mean.
        level: Confidence level.

    Returns:
        The regression estimate, with Student's interval and one degree of freedom spent on the slope.

    Raises:
        ValueError: Fewer than three playouts, a control that does not vary, or a wrong level.

    Source: Lavenberg and Welch (1981), Management Sci. 27, 322-335.

    """
    n = check_n(sums.n, FITTED + 1)
    quantity, control = sums.variant_sums(), sums.baseline_sums()
    if control.variance == 0:
        message = f"the control is {control.mean} in all {n} playouts; a control that does not vary explains nothing"
        raise ValueError(message)
    crossed = (check_whole(sums.product, "product") / sums.unit**2 - n * quantity.mean * control.mean) / (n - 1)
    slope = crossed / control.variance
    gap = control.mean - expected
    rest = max(0.0, (n - 1) * (quantity.variance - slope * crossed)) / (n - FITTED)
    error = math.sqrt(rest * (1 / n + gap**2 / ((n - 1) * control.variance)))
    value = quantity.mean - slope * gap
    reach = student_quantile(check_level(level), n - FITTED) * error
    return Estimate(value, error, value - reach, value + reach, level, n)
