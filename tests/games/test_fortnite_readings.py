"""Every reading and variant of fortnite changes what happens, or a fixture shows why it cannot.

`python -m tests.games.fortnite_readings` finds the witnesses anew.
"""

from __future__ import annotations

import pytest

from sim import jit
from tests.games.fortnite_readings import SEARCH, UNDER
from tests.games.readings import Witness, rows_of

N_ROWS = 10 if jit.INTERPRETED else 2000


def test_every_variant_has_a_witness_but_those_that_are_the_default() -> None:
    SEARCH.check_file()


@pytest.mark.parametrize("witness", SEARCH.read(), ids=lambda witness: witness.variant)
def test_a_variant_changes_the_events_of_its_witness(witness: Witness) -> None:
    assert witness.matters()


@pytest.mark.parametrize("variant", UNDER)
def test_a_variant_that_cannot_matter_by_default_changes_no_byte(variant: str) -> None:
    assert rows_of("fortnite", variant, N_ROWS).tobytes() == rows_of("fortnite", None, N_ROWS).tobytes()
