"""An estimate between two limits: the interval of another level is the one made directly, and three verdicts."""

from __future__ import annotations

import math

import pytest

from sim.statistics.bounded import bounded_mean, exact_share
from sim.statistics.estimate import Estimate, SampleSums
from sim.statistics.further import playouts_to_clear
from sim.statistics.limits import Judged, Place, judge, mean_at_level, share_at_level, widened

LEVEL = 0.999


def estimate(lower: float, value: float, upper: float, n: int = 100) -> Estimate:
    return Estimate(value, (upper - lower) / 4, lower, upper, 0.95, n)


@pytest.mark.parametrize("n", [500, 200_000])
def test_a_lift_at_another_level_is_the_lift_made_at_that_level(n: int) -> None:
    sums = SampleSums(n, n // 7 + 3, n // 3 + 11, 1)
    directly = bounded_mean(sums, level=LEVEL)
    assert mean_at_level(bounded_mean(sums), LEVEL).as_row() == pytest.approx(directly.as_row(), rel=6e-3)
    assert mean_at_level(directly, 0.95).as_row() == pytest.approx(bounded_mean(sums).as_row(), rel=6e-3)


def test_a_lift_of_a_few_playouts_widens_more_than_it_should_and_stays_possible() -> None:
    sums = SampleSums(12, 3, 5, 1)
    wider = mean_at_level(bounded_mean(sums), LEVEL, (-1.0, 1.0))
    assert wider.lower <= bounded_mean(sums, level=LEVEL).lower + 0.02
    assert -1 <= wider.lower < wider.upper <= 1


@pytest.mark.parametrize("count", [0, 1, 3000, 9999, 10_000])
def test_a_share_at_another_level_is_the_share_made_at_that_level(count: int) -> None:
    sums = SampleSums.of_count(count, 10_000)
    directly = exact_share(sums, LEVEL)
    assert share_at_level(exact_share(sums, 0.95), LEVEL).as_row() == pytest.approx(directly.as_row(), abs=1e-9)


def test_a_share_with_split_points_at_another_level_is_the_share_made_at_that_level() -> None:
    sums = SampleSums(1000, 300 * 840 + 100 * 420, 300 * 840**2 + 100 * 420**2, 840)
    found = share_at_level(exact_share(sums, 0.95), LEVEL)
    assert found.as_row() == pytest.approx(exact_share(sums, LEVEL).as_row(), abs=1e-9)


def test_an_interval_that_holds_at_every_look_keeps_its_shape_at_another_level() -> None:
    found = widened(Estimate(0.5, 0.1, 0.2, 0.6, 0.95, 100), LEVEL)
    assert (found.upper - 0.5) / (0.5 - found.lower) == pytest.approx(1 / 3)
    assert found.upper - 0.5 == pytest.approx(0.1 * 3.290526731 / 1.959963985)


@pytest.mark.parametrize(
    ("lower", "upper", "place"),
    [
        (0.0, 1.0, Place.PASS),
        (0.4, 0.6, Place.PASS),
        (None, 0.6, Place.PASS),
        (0.4, None, Place.PASS),
        (0.61, 1.0, Place.FAIL),
        (0.0, 0.39, Place.FAIL),
        (None, 0.39, Place.FAIL),
        (0.61, None, Place.FAIL),
        (0.45, 1.0, Place.UNDECIDED),
        (0.45, 0.55, Place.UNDECIDED),
        (None, 0.59, Place.UNDECIDED),
    ],
)
def test_a_verdict_is_given_only_by_a_whole_interval(lower: float | None, upper: float | None, place: Place) -> None:
    assert judge(estimate(0.4, 0.5, 0.6), lower, upper).place is place


def test_undecided_tells_the_playouts_that_would_free_the_interval_of_its_limits() -> None:
    found = Estimate(0.5, 0.1 / 3, 0.4, 0.6, 0.95, 100)
    assert judge(found, 0.405, None) == Judged(Place.UNDECIDED, playouts_to_clear(found, (0.405,)))
    assert judge(found, 0.405, None).n_more is not None
    assert judge(found, 0.5, None) == Judged(Place.UNDECIDED, None)


@pytest.mark.parametrize(("lower", "upper"), [(None, None), (1.0, 1.0), (2.0, 1.0), (math.inf, None)])
def test_limits_that_leave_nothing_are_refused(lower: float | None, upper: float | None) -> None:
    with pytest.raises(ValueError, match="limits are"):
        judge(estimate(0.4, 0.5, 0.6), lower, upper)
