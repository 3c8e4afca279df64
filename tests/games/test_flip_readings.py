"""Every reading, layout, ladder and fill of flip changes what happens, or a fixture shows why it cannot.

`python -m tests.games.flip_readings` finds the witnesses anew.
"""

from __future__ import annotations

from typing import Any

import pytest

from sim import jit
from sim.games.flip.game import GAME
from sim.games.flip.words import Kind
from tests.games.flip_readings import SEARCH, UNDER
from tests.games.readings import Witness, packed, rows_of

WITNESSES = SEARCH.read()
DEFAULT = GAME.load().resolve({})
N_ROWS = 20 if jit.INTERPRETED else 2000


def test_every_variant_has_a_witness_but_those_that_are_the_default() -> None:
    SEARCH.check_file()


@pytest.mark.parametrize("witness", WITNESSES, ids=lambda witness: witness.variant)
def test_a_variant_changes_the_events_of_its_witness(witness: Witness) -> None:
    assert witness.matters()


@pytest.mark.parametrize("variant", UNDER)
def test_a_variant_that_cannot_matter_by_default_changes_no_byte(variant: str) -> None:
    assert rows_of("flip", variant, N_ROWS).tobytes() == rows_of("flip", None, N_ROWS).tobytes()


def test_F_R48_behind_every_flip_of_the_default_board_is_a_flip() -> None:
    rules: Any = packed("flip", None, ())
    front, back = rules["kind"][0]
    assert (back[front == Kind.FLIP] == Kind.FLIP).all()


def test_F_R27_both_locations_of_a_set_lie_on_one_tile_of_the_default_board() -> None:
    tile_of = {row["location"]: row["tile"] for row in DEFAULT.tables["board"] if row["front"] == "location"}
    sets: dict[Any, set[Any]] = {}
    for row in DEFAULT.tables["locations"]:
        sets.setdefault(row["set"], set()).add(tile_of[row["location"]])
    assert all(len(tiles) == 1 for tiles in sets.values())


def test_F_R80_storm_owner_needs_a_card_that_takes_claimed_locations() -> None:
    assert DEFAULT.rules["storm_claimed"] == "never"
    assert DEFAULT.rules["storm_none_unclaimed"] == "nothing"
