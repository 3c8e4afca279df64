"""Kernels and referees agree in a playout that each variant changes, so that both follow every reading."""

from __future__ import annotations

import pytest

from sim import jit
from tests import flip_referee, fortnite_referee
from tests.comparison import PLAYOUTS_PER_GRANT, Comparison
from tests.games import flip_readings, fortnite_readings
from tests.games.readings import Witness

N_GRANTED = 12 if jit.INTERPRETED else 120
CASES = [
    pytest.param(comparison, witness, id=f"{witness.game}-{witness.variant}")
    for comparison, search in (
        (flip_referee.COMPARISON, flip_readings.SEARCH),
        (fortnite_referee.COMPARISON, fortnite_readings.SEARCH),
    )
    for witness in search.read()
]


@pytest.mark.parametrize("comparison", [flip_referee.COMPARISON, fortnite_referee.COMPARISON], ids=["flip", "fortnite"])
def test_kernel_and_referee_agree_where_two_cards_are_granted(comparison: Comparison) -> None:
    ruleset = comparison.game.load().resolve({})
    rules = comparison.game.pack(ruleset)
    shared = set()
    for playout in range(0, N_GRANTED * PLAYOUTS_PER_GRANT, PLAYOUTS_PER_GRANT):
        grants = comparison.grants_of(rules, 3, playout)
        shared |= {len({grant.seat for grant, _ in grants})} if len(grants) > 1 else set()
        assert comparison.compare_one(ruleset, rules, 3, "random", playout, grants) == ""
    assert shared == {1, 2}  # one seat has both, and two seats have one each


@pytest.mark.parametrize(("comparison", "witness"), CASES)
def test_kernel_and_referee_agree_where_a_variant_matters(comparison: Comparison, witness: Witness) -> None:
    ruleset = comparison.game.load().resolve(witness.under, witness.variant)
    rules = comparison.game.pack(ruleset)
    assert comparison.compare_one(ruleset, rules, witness.seats, witness.policy, witness.playout) == ""
