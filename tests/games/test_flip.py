"""Flip as a whole: referee, properties, exact values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from sim import jit
from sim.components import Ruleset
from sim.engine.blocks import Array, Grant
from sim.engine.contract import WHOLE_WIN
from sim.games.flip.game import GAME
from sim.games.flip.state import FAMILIES
from sim.games.flip.words import READINGS, Rule
from tests.flip_referee import FIRST_PLAYOUT, N_BOXES, N_MIXES, SEAT_COUNTS, compare, mix, other_box
from tests.games.exact import Chain, assert_share, check_chain, played
from tests.games.flip_support import LOADOUTLESS, LOOTLESS, MODELESS

COMPONENTS = GAME.load()
VARIANTS = sorted(COMPONENTS.variants)
N_DEFAULT = 5 if jit.INTERPRETED else 500
N_VARIANT = 2 if jit.INTERPRETED else 50
MILLION = 1_000_000
NO_ACTION = {"action_die.med_mist": 0, "action_die.crosshairs": 0, "action_die.boogie_bomb": 0}
NO_ACTION |= {"action_die.storm_surge": 0, "action_die.blank": 6}
BARE = {**LOOTLESS, **LOADOUTLESS, **MODELESS}


def resolved(changes: dict[str, Any] | None = None, variant: str | None = None) -> Ruleset:
    """Return a resolved variant."""
    return COMPONENTS.resolve(changes or {}, variant)


def rows_of(changes: dict[str, Any], policy: str, n_seats: int, n_playouts: int, *grants: Grant) -> Array:
    """Return the rows of self-play under changed rules, shape (n_playouts,)."""
    return played(GAME, changes, policy, n_seats, n_playouts, *grants)[0]


@pytest.mark.bounds
def test_kernel_and_referee_agree_on_the_default() -> None:
    for n_seats in SEAT_COUNTS:
        assert compare(resolved(), n_seats, range(FIRST_PLAYOUT, FIRST_PLAYOUT + N_DEFAULT)) == ""


@pytest.mark.bounds
@pytest.mark.parametrize("variant", VARIANTS)
def test_kernel_and_referee_agree_on_a_variant(variant: str) -> None:
    n_seats = SEAT_COUNTS[VARIANTS.index(variant) % len(SEAT_COUNTS)]
    playouts = range(FIRST_PLAYOUT, FIRST_PLAYOUT + N_VARIANT)
    assert compare(resolved(variant=variant), n_seats, playouts) == ""


@pytest.mark.bounds
@pytest.mark.parametrize("number", range(N_MIXES))
def test_kernel_and_referee_agree_on_a_mix_of_readings(number: int) -> None:
    playouts = range(FIRST_PLAYOUT, FIRST_PLAYOUT + N_VARIANT)
    assert compare(mix(number), SEAT_COUNTS[number % len(SEAT_COUNTS)], playouts) == ""


@pytest.mark.bounds
@pytest.mark.parametrize("number", range(N_BOXES))
def test_kernel_and_referee_agree_on_another_box(number: int) -> None:
    playouts = range(FIRST_PLAYOUT, FIRST_PLAYOUT + N_VARIANT // 2)
    assert compare(other_box(number), SEAT_COUNTS[number % len(SEAT_COUNTS)], playouts) == ""


def test_every_reading_has_a_variant_and_enums_are_the_words_of_the_data() -> None:
    assert [rule.name.lower() for rule in Rule] == [key for key in COMPONENTS.rules if not key.startswith("policy.")]
    for key, readings in READINGS.items():
        assert tuple(reading.name.lower() for reading in readings) == COMPONENTS.rules[key].readings
        for reading in COMPONENTS.rules[key].readings[1:]:
            assert f"{key}_{reading}" in COMPONENTS.variants


def test_blanking_a_card_that_nobody_ever_held_changes_no_playout() -> None:
    printed = rows_of({}, "leader", 4, 400)
    blanked = rows_of({"cards.clinger.effect": "blank"}, "leader", 4, 400)
    clinger = [row["card"] for row in resolved().tables["cards"]].index("clinger")
    never = (printed.held_loot >> clinger & 1).sum(axis=1) == 0
    seen = np.array([printed[place].tobytes() == blanked[place].tobytes() for place in range(len(printed))])
    assert never.any()
    assert seen[never].all()


def test_a_grant_deals_the_card_to_the_seat_and_leaves_the_order_of_the_others() -> None:
    printed = rows_of({}, "leader", 4, 200)
    granted = rows_of({}, "leader", 4, 200, Grant(FAMILIES[0], 0, 2))
    assert (granted.dealt_loot[:, 2] == 1).all()
    untouched = (printed.dealt_loot & 1).sum(axis=1) == 0
    assert (granted.dealt_loot[untouched][:, :2] == printed.dealt_loot[untouched][:, :2]).all()


def test_two_cards_granted_to_a_seat_are_its_deal_and_the_others_are_dealt_the_rest_in_order() -> None:
    grants = Grant(FAMILIES[0], 0, 2), Grant(FAMILIES[0], 5, 2)
    printed, granted = rows_of({}, "leader", 4, 200), rows_of({}, "leader", 4, 200, *grants)
    assert (granted.dealt_loot[:, 2] == 1 + (1 << 5)).all()
    untouched = (printed.dealt_loot & 0b100001).sum(axis=1) == 0
    assert untouched.any()
    assert (granted.dealt_loot[untouched][:, :2] == printed.dealt_loot[untouched][:, :2]).all()
    assert (granted.dealt_loot[untouched][:, 3] == printed.dealt_loot[untouched][:, 2]).all()


def test_a_loadout_and_a_loot_card_are_granted_together_and_to_two_seats() -> None:
    granted = rows_of({}, "leader", 4, 50, Grant(FAMILIES[1], 3, 1), Grant(FAMILIES[0], 4, 1), Grant(FAMILIES[0], 9, 3))
    assert (granted.dealt_loadout[:, 1] == 1 << 3).all()
    assert (granted.dealt_loot[:, 1] == 1 << 4).all()
    assert (granted.dealt_loot[:, 3] == 1 << 9).all()


def test_trades_happen_when_the_switch_allows_them() -> None:
    tallies = played(GAME, {"trade": "valued"}, "random", 4, 200)[1]
    assert tallies.playouts_with_trade >= 200 // 100


@pytest.mark.compiled_only("a million playouts take minutes interpreted")
@pytest.mark.parametrize(("n_seats", "exact"), [(2, Fraction(9, 20)), (3, Fraction(17, 28)), (4, Fraction(265, 364))])
def test_one_of_four_strong_weapons_is_dealt_as_often_as_counted(n_seats: int, exact: Fraction) -> None:
    rows = rows_of({"turn_limit": 1}, "leader", n_seats, MILLION)
    dealt = (rows.dealt_loot[:, :n_seats] & 0b1111).sum(axis=1) > 0
    assert_share(dealt.sum(), MILLION, float(exact))


@pytest.mark.compiled_only("a million playouts take minutes interpreted")
def test_every_seat_starts_equally_often() -> None:
    rows = rows_of({"turn_limit": 1}, "leader", 4, MILLION)
    for seat in range(4):
        assert_share((rows.order[:, seat] == 0).sum(), MILLION, 0.25)


DUEL = {
    **BARE,
    "movement": "none",
    "sight": "everybody",
    "crosshairs_duty": "must_shoot",
    "turn_limit": 1_000_000,
}
DIE_A = {"action_die.med_mist": 2, "action_die.crosshairs": 2, "action_die.boogie_bomb": 1}
DIE_A |= {"action_die.storm_surge": 0, "action_die.blank": 1}
DIE_B = {"action_die.med_mist": 1, "action_die.crosshairs": 2, "action_die.boogie_bomb": 1, "med_mist_heal": 1}
DIE_B |= {"action_die.storm_surge": 0, "action_die.blank": 2}
DUELS = [
    (DIE_A, 2, 1, "next", (2 / 3, 1 / 3)),
    (DIE_A, 2, 2, "next", (96 / 167, 71 / 167)),
    (DIE_A, 2, 3, "next", (207574 / 392013, 184439 / 392013)),
    (DIE_A, 3, 2, "weakest", (0.404779979, 0.300505497, 0.294714524)),
    (DIE_B, 2, 2, "next", (60 / 103, 43 / 103)),
    (DIE_B, 2, 3, "next", (1478 / 2667, 1189 / 2667)),
    (DIE_B, 2, 15, "next", (0.516448717240, 1 - 0.516448717240)),
    (DIE_B, 3, 1, "next", (4 / 9, 2 / 9, 1 / 3)),
    (DIE_B, 3, 2, "weakest", (0.428660677952, 0.286803906588, 0.284535415460)),
    # who kills first, whatever else is preferred, plays this duel as `weakest` does
    (DIE_B, 3, 2, "leader", (0.428660677952, 0.286803906588, 0.284535415460)),
    (DIE_B, 3, 2, "next", (0.428660677952, 0.286803906588, 0.284535415460)),
    (DIE_B, 4, 2, "weakest", (0.333037582964, 0.214398711182, 0.216462724212, 0.236100981642)),
]


@pytest.mark.compiled_only("a million playouts take minutes interpreted")
@pytest.mark.parametrize(("die", "n_seats", "hp", "policy", "shares"), DUELS)
def test_duels_are_won_as_the_absorbing_chain_says(
    die: dict[str, int], n_seats: int, hp: int, policy: str, shares: tuple[float, ...]
) -> None:
    rows = rows_of({**DUEL, **die, "start_hp": hp, "hp_cap": hp}, policy, n_seats, MILLION)
    for order, exact in enumerate(shares):
        won = (rows.payoff[:, :n_seats] * (rows.order[:, :n_seats] == order)).sum() / WHOLE_WIN
        assert_share(won, MILLION, exact)


LONG = {"start_hp": 65_535, "hp_cap": 65_535, "placement": "all_on_go"}
TURNS = 60  # per seat: the second eigenvalue of the chain is far below a tenth of a standard error by then
ROLL_ROW = {
    0: 0.025193013621,
    16: 0.034130629016,
    9: 0.030966845344,
    14: 0.034448612170,
}
PAY_ROW = {0: 0.026672667139, 16: 0.035827332861, 9: 0.032083624598, 14: 0.039179300624}


def walk(pays: bool, turns: int) -> tuple[Array, Any]:
    """Return rows and tallies of two pawns that only move, stopped after a number of turns each."""
    changes = {**BARE, **NO_ACTION, **LONG, "turn_limit": 2 * turns, "jail_cost": 0}
    if not pays:
        changes |= {"jail_pay_last": "needs_more", "jail_cost": 100, "start_hp": 50, "hp_cap": 50}
        changes |= {f"locations.{place}.cost": 0 for place in range(16)}
        changes |= {f"board.{space}.back_amount": 0 for space in range(32)}
    return played(GAME, changes, "leader", 2, MILLION)


@pytest.mark.compiled_only("a million playouts take minutes interpreted")
@pytest.mark.parametrize(
    ("pays", "exact"),
    [
        (False, Chain(ROLL_ROW, 0.024542949729, 0.087152255631, 0.034477815414, 0.086063068527)),
        (True, Chain(PAY_ROW, 0.025984322098, 0.036515677902, 0.036515677902, 0.091117161049)),
    ],
)
def test_positions_follow_the_stationary_chain(pays: bool, exact: Chain) -> None:
    check_chain(walk(pays, TURNS), walk(pays, TURNS - 1), exact)
