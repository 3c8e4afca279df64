"""Every kind of interval of the product holds the truth as often as it says, enumerated over all samples of a size."""

import math

import numpy as np
import pytest
from scipy import stats

from sim.experiment.verdicts import ALIKE, NONE, TOO_FEW, Intervals, change_verdict_of, verdict_of
from sim.statistics.bounded import FEWEST_JUDGED, bounded, bounded_mean, exact_share, quantile_of
from sim.statistics.estimate import SampleSums
from tests.coverage import (
    KINDS,
    LEVELS,
    SIZES,
    Kind,
    bounded_in_arrays,
    cells,
    exact_cells,
    worst,
)

pytestmark = pytest.mark.compiled_only("arrays and scipy alone; the other pass adds nothing")

JUDGED_SIZES = (40, 64, 100, 340, 2048)
COARSE = (0.0, 0.0005, 0.005, 0.03, 0.1, 0.25, 0.5)
MOST_MISSED = 1.2  # times what a level promises
PROMISED = 0.94
MARGIN_POINTS = 2.0


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_bounded_mean_covers_at_a_level_of_95(kind: Kind) -> None:
    found = worst(cells(kind, JUDGED_SIZES, COARSE, 0.95))
    assert found[0].coverage >= PROMISED, found


@pytest.mark.parametrize("level", LEVELS[1:])
def test_a_lift_covers_at_the_levels_of_many_rows(level: float) -> None:
    for kind in KINDS[:2]:
        found = worst(cells(kind, JUDGED_SIZES, COARSE, level))
        assert 1 - found[0].coverage <= MOST_MISSED * (1 - level), (kind, found)


@pytest.mark.parametrize("level", LEVELS)
def test_a_share_of_whole_wins_is_exact_at_every_size(level: float) -> None:
    assert min(cell.coverage for cell in exact_cells(SIZES, COARSE, level)) >= level - 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_the_arrays_tell_the_intervals_of_the_product(seed: int) -> None:
    for limits, unit in (((0.0, 1.0), 840), ((-1.0, 1.0), 840)):
        sample = stats.randint.rvs(int(limits[0] * unit), int(limits[1] * unit) + 1, size=50, random_state=seed)
        sums = SampleSums.of_sample(sample, unit)
        ours = bounded_mean(sums, limits, 0.99)
        theirs = bounded_in_arrays(np.array(sums.mean), np.array(sums.variance), sums.n, limits, 0.99)
        assert (ours.lower, ours.upper) == pytest.approx([float(end) for end in theirs], abs=1e-12)


@pytest.mark.parametrize("n", SIZES)
def test_no_interval_has_width_nothing_or_leaves_the_possible(n: int) -> None:
    for count in {0, 1, n // 2, n - 1, n}:
        share = exact_share(SampleSums.of_count(count, n), 0.9875)
        assert 0 <= share.lower < share.upper <= 1
        for sums in (SampleSums.of_count(count, n), SampleSums(n, -count, count)):
            lift = bounded_mean(sums, (-1.0, 1.0), 0.9875)
            assert -1 <= lift.lower < lift.upper <= 1
    constant = SampleSums(n, 210 * n, 210 * 210 * n, 840)
    share = exact_share(constant, 0.95)
    assert 0 <= share.lower < 0.25 < share.upper <= 1


def test_a_quarter_in_every_rotation_is_not_taken_for_certainty() -> None:
    """One playout in a hundred is won in all rotations; forty that are not seen leave room for that."""
    share = exact_share(SampleSums(40, 210 * 40, 210 * 210 * 40, 840), 0.95)
    assert share.upper > 0.25 + 0.75 * 0.01


@pytest.mark.parametrize("n", SIZES)
def test_there_is_no_verdict_from_a_sample_without_spread_or_from_a_few(n: int) -> None:
    for count in (0, n):
        lift = bounded_mean(SampleSums.of_count(count, n), (-1.0, 1.0), 0.95).scaled(100)
        share = exact_share(SampleSums.of_count(count, n), 0.95).shifted(-0.25).scaled(100)
        words = {change_verdict_of(lift, MARGIN_POINTS, 0)["verdict"], verdict_of(share, MARGIN_POINTS, 0)["verdict"]}
        assert words == {TOO_FEW if n < FEWEST_JUDGED else ALIKE}
    spread = bounded_mean(SampleSums.of_count(1, n), (-1.0, 1.0), 0.95).scaled(100)
    assert verdict_of(spread, MARGIN_POINTS, 0)["verdict"].startswith(NONE) is (n < FEWEST_JUDGED)


def test_a_fair_game_is_called_unbalanced_no_more_often_than_the_level_allows() -> None:
    """Four seats, whole wins, on the product's path; from few playouts there is no verdict at all."""
    intervals = Intervals()
    for n in (2, 5, 20, 40, 100):
        wrong = 0
        runs = 400
        for wins in stats.multinomial.rvs(n, [0.25] * 4, runs, random_state=n):
            shares = intervals.shares([SampleSums.of_count(int(count), n) for count in wins], 1)
            words = {verdict_of(one.shifted(-0.25).scaled(100), MARGIN_POINTS, 0)["verdict"] for one in shares}
            wrong += "unbalanced" in words
        assert wrong == 0 if n < FEWEST_JUDGED else wrong <= 0.05 * runs


def test_one_sided_rare_discordance_is_covered_where_students_mean_is_not() -> None:
    """Of 2,048 pairs .05 % differ, all to one side: Student's interval holds the truth in .64 of the samples."""
    lift = KINDS[0]
    (cell,) = [one for one in cells(lift, (2048,), (0.0, 0.0005), 0.95) if (one.first, one.last) == (0.0, 0.0005)]
    assert cell.coverage >= 0.95
    nothing_seen = bounded(0.0, 0.0, 2048, (-1.0, 1.0), quantile_of(0.95, 2048))
    assert nothing_seen[0] < -0.0005 < 0.0005 < nothing_seen[1]
    assert math.isclose(-nothing_seen[0], nothing_seen[1])
