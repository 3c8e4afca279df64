"""Every reading, layout, ladder and fill of flip changes what happens, or a fixture shows why it cannot.

`python -m tests.games.flip_readings` finds the witnesses anew.
"""

from __future__ import annotations

from typing import Any

import pytest

from sim import jit
from sim.engine.blocks import Arm, Array, play_rows
from sim.engine.lineup import make_lineup
from sim.games.flip.game import GAME
from sim.games.flip.words import Kind
from tests.games.flip_readings import COMPONENTS, SAME, UNDER, Witness, packed, read, variants
from tests.support import SEED

WITNESSES = read()
DEFAULT = COMPONENTS.resolve({})
N_ROWS = 20 if jit.INTERPRETED else 2000


def test_every_variant_has_a_witness_but_those_that_are_the_default() -> None:
    assert [witness.variant for witness in WITNESSES] == variants()
    assert {witness.variant: (witness.under, witness.why) for witness in WITNESSES if witness.under} == UNDER
    for name in SAME:
        same = COMPONENTS.resolve({}, name)
        assert (same.rules, same.tables) == (DEFAULT.rules, DEFAULT.tables)
    assert all(COMPONENTS.resolve({}, name).changes for name in variants())


@pytest.mark.parametrize("witness", WITNESSES, ids=lambda witness: witness.variant)
def test_a_variant_changes_the_events_of_its_witness(witness: Witness) -> None:
    assert witness.matters()


def rows_of(variant: str | None) -> Array:
    """Return rows of four random seats by the default but for the variant."""
    lineup = make_lineup(GAME, ["random"], 4)
    return play_rows(GAME, Arm("one", packed(variant, ()), lineup, N_ROWS), SEED, 0, N_ROWS)[0][0]


@pytest.mark.parametrize("variant", UNDER)
def test_a_variant_that_cannot_matter_by_default_changes_no_byte(variant: str) -> None:
    assert rows_of(variant).tobytes() == rows_of(None).tobytes()


def test_F_R48_behind_every_flip_of_the_default_board_is_a_flip() -> None:
    rules: Any = packed(None, ())
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
