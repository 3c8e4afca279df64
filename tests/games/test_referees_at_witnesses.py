"""Kernels and referees agree in a playout that each variant changes, so that both follow every reading."""

from __future__ import annotations

import pytest

from tests import flip_referee, fortnite_referee
from tests.comparison import Comparison
from tests.games import flip_readings, fortnite_readings
from tests.games.readings import Witness

CASES = [
    pytest.param(comparison, witness, id=f"{witness.game}-{witness.variant}")
    for comparison, search in (
        (flip_referee.COMPARISON, flip_readings.SEARCH),
        (fortnite_referee.COMPARISON, fortnite_readings.SEARCH),
    )
    for witness in search.read()
]


@pytest.mark.parametrize(("comparison", "witness"), CASES)
def test_kernel_and_referee_agree_where_a_variant_matters(comparison: Comparison, witness: Witness) -> None:
    ruleset = comparison.game.load().resolve(witness.under, witness.variant)
    rules = comparison.game.pack(ruleset)
    assert comparison.compare_one(ruleset, rules, witness.seats, witness.policy, witness.playout) == ""
