"""Fortnite as a whole: properties, exact values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import jit
from sim.decks import DECK_CAPACITY
from sim.engine.blocks import Arm, Call, Grant, play_call
from sim.engine.contract import WHOLE_WIN
from sim.engine.lineup import make_lineup
from sim.games.fortnite.game import GAME
from sim.games.fortnite.state import FAMILIES
from sim.games.fortnite.words import READINGS, Event, Rule
from sim.mechanics.words import FIRST_CARD_ITEM
from tests.games.exact import Chain, assert_share, changes_of_rules, check_chain, check_hp, played
from tests.games.fortnite_support import told
from tests.support import SEED

COMPONENTS = GAME.load()
VARIANTS = sorted(COMPONENTS.variants)
SEAT_COUNTS = (2, 3, 4, 5, 6, 7)
MILLION = 1_000_000
FULL = 15
LOOTLESS = {f"cards.{row['card']}.copies": 0 for row in COMPONENTS.resolve({}).tables["cards"]}
STORMLESS = {f"storm.{row['storm']}.copies": 0 for row in COMPONENTS.resolve({}).tables["storm"]}
FACES = ("bandages", "crosshairs", "boogie_bomb", "brick")
NO_ACTION = {**{f"action_die.{face}": 0 for face in FACES}, "action_die.blank": 6}
BARE = {**LOOTLESS, **STORMLESS}


def test_every_reading_has_a_variant_and_enums_are_the_words_of_the_data() -> None:
    assert [rule.name.lower() for rule in Rule] == [key for key in COMPONENTS.rules if not key.startswith("policy.")]
    for key, readings in READINGS.items():
        # in any order: games share enums, and the first reading in the data is a game's own default
        assert {reading.name.lower() for reading in readings} == set(COMPONENTS.rules[key].readings)
        for reading in COMPONENTS.rules[key].readings[1:]:
            assert f"{key}_{reading}" in COMPONENTS.variants
    assert {"rulebook", "german"} <= set(VARIANTS)


@settings(max_examples=30, deadline=None)
@given(changes=changes_of_rules(COMPONENTS, READINGS), n_seats=st.sampled_from(SEAT_COUNTS), seed=st.integers(0, 1000))
def test_hp_stay_within_the_cap_and_somebody_wins(changes: dict[str, Any], n_seats: int, seed: int) -> None:
    check_hp(GAME, told(seed, "random", n_seats, **changes), n_seats, FULL)


@pytest.mark.parametrize("variant", VARIANTS)
def test_cards_walls_and_locations_are_conserved_in_every_variant(variant: str) -> None:
    ruleset = COMPONENTS.resolve({}, variant)
    n_walls = int(ruleset.rules["n_walls"])
    changes = {key.replace(".", "__"): value for key, value in ruleset.changes.items()}
    n_seats = SEAT_COUNTS[VARIANTS.index(variant) % len(SEAT_COUNTS)]
    recording = told(1000, "random", n_seats, **changes)
    standing, stormed, hands = [0] * 32, set[int](), [set[int]() for _ in range(n_seats)]
    dropped: dict[int, int] = {}
    for kind, seat, first, second, _ in recording.events:
        if kind in (Event.WALL, Event.WALL_DOWN):
            standing[first] += 1 if kind == Event.WALL else -1
            assert min(standing) >= 0
            assert sum(standing) <= n_walls
        if kind == Event.STORM:
            assert first not in stormed
            stormed.add(first)
        if kind == Event.LOOT:
            assert all(first not in hand for hand in hands)
            hands[seat].add(first)
        if kind in (Event.UNDER, Event.DROP):
            hands[seat].remove(first)
        if kind == Event.SWAP and first >= FIRST_CARD_ITEM:
            hands[seat].remove(first - FIRST_CARD_ITEM)
            hands[second].add(first - FIRST_CARD_ITEM)
        if kind == Event.DROP:
            dropped[first] = second
        if kind == Event.PICK_UP:
            assert dropped.pop(first) == second
            hands[seat].add(first)
    check_hp(GAME, recording, n_seats, FULL)


def test_blanking_a_placebo_changes_no_byte() -> None:
    changed = {"cards.placebo.copies": 1}
    printed = played(GAME, changed, "random", 4, 200)[0]
    blanked = played(GAME, {**changed, "cards.placebo.amount": 9}, "random", 4, 200)[0]
    assert printed.tobytes() == blanked.tobytes()


def test_a_switch_that_cannot_fire_changes_no_byte() -> None:
    no_walls = {"n_walls": 0}
    printed = played(GAME, no_walls, "random", 4, 200)[0]
    walls = {"wall_boogie": "no_protection", "wall_stop": "stays", "wall_leave": "falls", "wall_sight": "blocks"}
    assert played(GAME, {**no_walls, **walls}, "random", 4, 200)[0].tobytes() == printed.tobytes()


def test_blanking_a_card_that_nobody_ever_held_changes_no_playout() -> None:
    printed = played(GAME, {}, "leader", 4, 200)[0]
    blanked = played(GAME, {"cards.clinger.effect": "blank"}, "leader", 4, 200)[0]
    clinger = [row["card"] for row in COMPONENTS.resolve({}).tables["cards"]].index("clinger")
    never = (printed.held_loot >> clinger & 1).sum(axis=1) == 0
    seen = np.array([printed[place].tobytes() == blanked[place].tobytes() for place in range(len(printed))])
    assert never.any()
    assert seen[never].all()


def test_a_grant_gives_the_card_to_the_seat() -> None:
    granted = played(GAME, {}, "leader", 4, 50, Grant(FAMILIES[0], 3, 2))[0]
    assert (granted.dealt_loot[:, 2] == 1 << 1).all()  # physical card 3 is the second copy of the second card
    assert (granted.dealt_loot[:, :2] == 0).all()
    assert (granted.held_loot[:, 2] >> 1 & 1 == 1).all()


def test_two_granted_cards_are_in_one_hand() -> None:
    grants = Grant(FAMILIES[0], 3, 2), Grant(FAMILIES[0], 9, 2)
    granted = played(GAME, {}, "leader", 4, 50, *grants)[0]
    assert (granted.dealt_loot[:, 2] == (1 << 1) + (1 << 5)).all()  # rows of the cards 3 and 9
    assert (granted.dealt_loot[:, [0, 1, 3]] == 0).all()


def test_threads_and_blocks_change_no_byte() -> None:
    arm = Arm("one", GAME.pack(COMPONENTS.resolve({})), make_lineup(GAME, ["threat"], 7), 40)
    n_items = {family.name: DECK_CAPACITY for family in FAMILIES}
    calls = [play_call(Call(GAME, (arm,), (), SEED, n_items), jobs) for jobs in (1, 3)]
    for name, values in calls[0].arms["one"].items():
        assert (calls[1].arms["one"][name] == values).all()


def test_trades_happen_when_the_switch_allows_them() -> None:
    tallies = played(GAME, {"trade": "valued"}, "random", 4, 100)[1]
    assert tallies.playouts_with_trade > 0


DUEL = {**BARE, "movement": "none", "sight": "everybody", "turn_limit": 1_000_000}
DUELS = [
    (2, 1, "next", (2 / 3, 1 / 3)),
    (2, 2, "next", (96 / 167, 71 / 167)),
    (2, 3, "next", (207574 / 392013, 184439 / 392013)),
    (3, 2, "weakest", (0.404779979, 0.300505497, 0.294714524)),
]


@pytest.mark.compiled_only("a million playouts take minutes interpreted")
@pytest.mark.parametrize(("n_seats", "hp", "policy", "shares"), DUELS)
def test_duels_of_the_printed_die_are_won_as_the_absorbing_chain_says(
    n_seats: int, hp: int, policy: str, shares: tuple[float, ...]
) -> None:
    rows = played(GAME, {**DUEL, "start_hp": hp, "hp_cap": hp}, policy, n_seats, MILLION)[0]
    for order, exact in enumerate(shares):
        won = (rows.payoff[:, :n_seats] * (rows.order[:, :n_seats] == order)).sum() / WHOLE_WIN
        assert_share(won, MILLION, exact)


LONG = {"start_hp": 65_535, "hp_cap": 65_535, "placement": "all_on_go"}
TURNS = 60  # per seat: the second eigenvalue of the chain is far below a tenth of a standard error by then
ROLL_ROW = {0: 0.025263283111, 16: 0.033934216196, 9: 0.030388325518, 14: 0.037109065945}
PAY_ROW = {0: 0.026672667139, 16: 0.035827332861, 9: 0.032083624598, 14: 0.039179300624}
CHESTS = (4, 12, 20, 28)
CAMPFIRES = (2, 10, 18, 26)
TRAPS = (6, 14, 22, 30)


def walk(pays: bool, turns: int) -> tuple[Any, Any]:
    """Return rows and tallies of two pawns that only move, stopped after a number of turns each."""
    changes: dict[str, Any] = {**BARE, **NO_ACTION, **LONG, "turn_limit": 2 * turns, "jail_cost": 0}
    if not pays:
        changes |= {"jail_cost": 100, "start_hp": 50, "hp_cap": 50}
        changes |= {f"locations.{place}.cost": 0 for place in range(16)}
        changes |= {f"board.{space}.amount": 0 for space in TRAPS}
    return played(GAME, changes, "leader", 2, MILLION)


@pytest.mark.compiled_only("a million playouts take minutes interpreted")
@pytest.mark.parametrize(
    ("pays", "exact", "eighth"),
    [
        (
            False,
            Chain(ROLL_ROW, 0.024611310230, 0.087426200165, 0.034586189076, 0.086302529249),
            Fraction(350963615200464, 2964344941166647),
        ),
        (True, Chain(PAY_ROW, 0.025984322098, 0.036515677902, 0.036515677902, 0.091117161049), Fraction(1, 8)),
    ],
)
def test_positions_follow_the_stationary_chain_of_2018(pays: bool, exact: Chain, eighth: Fraction) -> None:
    later = walk(pays, TURNS)
    check_chain(later, walk(pays, TURNS - 1), exact)
    for kind in (CHESTS, CAMPFIRES, TRAPS):
        assert_share(np.isin(later[0].space[:, 0], kind).sum(), MILLION, float(eighth))


@pytest.mark.bounds
def test_random_playouts_of_all_variants_stay_in_bounds() -> None:
    n_playouts = 1 if jit.INTERPRETED else 20
    for place, variant in enumerate(VARIANTS):
        changes = COMPONENTS.resolve({}, variant).changes
        rows = played(GAME, changes, "random", SEAT_COUNTS[place % len(SEAT_COUNTS)], n_playouts)[0]
        assert (rows.length_turns > 0).all()
