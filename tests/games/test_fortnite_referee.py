"""Fortnite's kernels and its referee agree event by event."""

from __future__ import annotations

import pytest

from sim import jit
from sim.games.fortnite.game import GAME
from tests.fortnite_referee import COMPARISON

COMPONENTS = GAME.load()
VARIANTS = sorted(COMPONENTS.variants)
SEAT_COUNTS = COMPARISON.seat_counts
N_DEFAULT = 1 if jit.INTERPRETED else 84  # for each of six counts of seats
N_VARIANT = 1 if jit.INTERPRETED else 50
N_MIX = 1 if jit.INTERPRETED else 10


def playouts(number: int) -> range:
    """Return the first playouts of this version of the game."""
    return range(COMPARISON.first_playout, COMPARISON.first_playout + number)


def test_N_R19_the_storm_side_costs_one_more_or_twice_as_much() -> None:
    for reading, storm_side in (("plus1", lambda cost: cost + 1), ("times2", lambda cost: 2 * cost)):
        locations = COMPONENTS.resolve({"storm_cost": reading}).tables["locations"]
        assert [row["storm_cost"] for row in locations] == [storm_side(row["cost"]) for row in locations]


@pytest.mark.bounds
@pytest.mark.parametrize("n_seats", SEAT_COUNTS)
def test_kernel_and_referee_agree_on_the_default(n_seats: int) -> None:
    assert COMPARISON.compare(COMPONENTS.resolve({}), n_seats, playouts(N_DEFAULT)) == ""


@pytest.mark.bounds
@pytest.mark.parametrize("variant", VARIANTS)
def test_kernel_and_referee_agree_on_a_variant(variant: str) -> None:
    n_seats = SEAT_COUNTS[VARIANTS.index(variant) % len(SEAT_COUNTS)]
    assert COMPARISON.compare(COMPONENTS.resolve({}, variant), n_seats, playouts(N_VARIANT)) == ""


@pytest.mark.bounds
@pytest.mark.parametrize("number", range(COMPARISON.n_mixes))
def test_kernel_and_referee_agree_on_a_mix_of_readings(number: int) -> None:
    n_seats = SEAT_COUNTS[number % len(SEAT_COUNTS)]
    assert COMPARISON.compare(COMPARISON.mix(number), n_seats, playouts(N_MIX)) == ""


@pytest.mark.bounds
@pytest.mark.parametrize("number", range(COMPARISON.n_boxes))
def test_kernel_and_referee_agree_on_another_box(number: int) -> None:
    n_seats = SEAT_COUNTS[number % len(SEAT_COUNTS)]
    assert COMPARISON.compare(COMPARISON.other_box(number), n_seats, playouts(N_MIX)) == ""
