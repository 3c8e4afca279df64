"""How many more playouts would settle what is undecided: a range that holds the right number, or nothing."""

import math

import pytest
from scipy import stats

from sim.statistics.estimate import Estimate
from sim.statistics.further import (
    WIDEST_SPAN,
    Further,
    in_words,
    least_of,
    most_of,
    playouts_to_clear,
    rounded_down,
    rounded_up,
)

MARGIN = 0.02
Z = 2.5


def estimate(value: float, error: float, n: int) -> Estimate:
    return Estimate(value, error, value - Z * error, value + Z * error, 0.95, n)


def test_a_clear_interval_needs_nothing_and_one_on_the_limit_nobody_knows_what() -> None:
    assert playouts_to_clear(estimate(0.05, 0.01, 1000), (MARGIN,)) == Further(0, 0)
    assert playouts_to_clear(estimate(MARGIN, 0.01, 1000), (MARGIN,)) is None
    assert playouts_to_clear(Estimate(0.0, 0.0, -0.1, 0.1, 0.95, 40), (MARGIN,)) is None


def test_numbers_are_round() -> None:
    assert (rounded_down(83_902), rounded_up(83_902)) == (80_000, 90_000)
    assert (rounded_down(0.3), rounded_up(7.0), rounded_up(9.1)) == (1, 7, 10)
    assert in_words(Further(80_000, 300_000)) == "80,000 to 300,000"
    assert in_words(Further(7, 7)) == "7"


def test_the_first_and_the_last_of_several() -> None:
    some = [Further(1, 9), None, Further(3, 5)]
    assert least_of(some) == Further(1, 5)
    assert most_of(some) is None
    assert most_of([Further(1, 9), Further(3, 5)]) == Further(3, 9)
    assert least_of([None]) is None


@pytest.mark.parametrize(("truth", "n"), [(-0.022, 50_000), (-0.022, 10_000), (-0.03, 2_000), (0.0, 1_500)])
def test_the_range_holds_what_it_really_takes_four_times_in_five(truth: float, n: int) -> None:
    """The truth lies .2 points from the margin and further; a point prediction is off by a factor of 3,000 there."""
    sd = 0.4
    error = sd / math.sqrt(n)
    gap = MARGIN - abs(truth)
    takes = (Z * sd / gap) ** 2
    told = wrong = 0
    for value in stats.norm.rvs(truth, error, size=1000, random_state=5):
        found = playouts_to_clear(estimate(float(value), error, n), (-MARGIN, MARGIN))
        if found is not None and found.upper > 0:
            told += 1
            wrong += not found.lower <= max(takes - n, found.lower) <= found.upper
            assert found.upper + n <= 2 * WIDEST_SPAN * (found.lower + n)
    assert wrong <= 0.2 * 1000
