"""How the built-in policies of fortnite decide, on hand-made tables."""

from __future__ import annotations

from typing import Any

import pytest

from sim.decks import NO_CARD
from sim.engine.contract import NOBODY, NONE_OPTION
from sim.games.fortnite import policies
from sim.games.fortnite.game import GAME
from sim.games.fortnite.phases.walls import put_up
from sim.games.fortnite.reach import BACKWARDS, STRIDE
from sim.games.fortnite.words import JailOption, Symbol
from sim.mechanics.claims import give_location, storm_location
from sim.mechanics.targets import best_area
from sim.mechanics.words import OrderOption, StormedBy
from tests.games.fortnite_support import Scene, card_number, interpreted_only, scene

CAMPFIRE, CHEST, TOMATO, SNOBBY, FREE_PARKING = 2, 4, 5, 7, 16
EVERYWHERE = (1 << 32) - 1
NONE = 1 << NONE_OPTION


def table(*spaces: int, **changes: Any) -> Scene:
    """Return a table with a pawn of 10 HP on each space, seat 0 first, which plays as leader."""
    place = scene(len(spaces), **changes)
    for seat, space in enumerate(spaces):
        place.table.space[seat], place.table.hp[seat] = space, 10
    return place


def habit(place: Scene, name: str) -> Scene:
    """Give seat 0 the parameters of a policy."""
    for number, value in enumerate(GAME.policy(name).parameters):
        place.table.parameter[0, number] = value
    return place


@interpreted_only
@pytest.mark.parametrize(("name", "target"), [("leader", 3), ("weakest", 2), ("threat", 1), ("next", 1)])
def test_policies_differ_in_whom_they_attack(name: str, target: int) -> None:
    place = habit(table(1, 3, 5, 7), name)
    place.table.hp[2], place.table.hp[3] = 5, 14
    place.table.hand[1] = 1 << card_number("legendary_weapon")
    assert policies.choose_target(place.table, 0, 0b1110, place.rules) == target


@interpreted_only
def test_hidden_loot_counts_by_the_number_of_cards() -> None:
    for reading, target in (("open", 1), ("hidden", 2)):
        place = habit(table(1, 3, 5, loot_visible=reading), "threat")
        place.table.hand[1] = 1 << card_number("legendary_weapon")
        place.table.hand[2] = 1 << card_number("bush") | 1 << card_number("med_kit")
        assert policies.choose_target(place.table, 0, 0b110, place.rules) == target


def blocked(name: str) -> Scene:
    """Return the rulebook's example with a policy in seat 0, both dice rolled."""
    place = habit(table(CAMPFIRE, SNOBBY - 1), name)
    storm_location(place.state, 2, StormedBy.CARD, NOBODY, place.rules)
    put_up(place.state, 1, TOMATO)
    place.table.number, place.table.symbol = 5, Symbol.CROSSHAIRS + 0
    return place


@interpreted_only
def test_a_wall_in_the_way_is_shot_first_where_the_way_is_worth_it() -> None:
    for name, order, target in (
        ("leader", OrderOption.ACTION_FIRST, policies.FIRST_WALL + TOMATO),
        ("moves_first", OrderOption.ACTION_FIRST, 1),
    ):
        place = blocked(name)
        assert policies.choose_order(place.table, 0, place.rules) == order
        options = 0b10 | 1 << policies.FIRST_WALL + TOMATO
        assert policies.choose_target(place.table, 0, options, place.rules) == target
        place.table.moved = 1
        assert policies.choose_target(place.table, 0, options, place.rules) == 1


@interpreted_only
def test_a_bomb_clears_the_way_or_is_kept_until_after_a_welcome_stop() -> None:
    place = blocked("leader")
    place.table.symbol = Symbol.BOOGIE_BOMB + 0
    assert policies.choose_order(place.table, 0, place.rules) == OrderOption.ACTION_FIRST
    place = table(CAMPFIRE, 20)
    put_up(place.state, 1, CHEST)
    place.table.number, place.table.symbol = 4, Symbol.BOOGIE_BOMB + 0
    assert policies.choose_order(place.table, 0, place.rules) == OrderOption.NUMBER_FIRST


@interpreted_only
def test_order_of_bandages_and_of_shots() -> None:
    place = table(CHEST, 20)
    place.table.number, place.table.symbol = 2, Symbol.BANDAGES + 0
    assert policies.choose_order(place.table, 0, place.rules) == OrderOption.ACTION_FIRST
    place.table.hp[0] = 14
    assert policies.choose_order(place.table, 0, place.rules) == OrderOption.NUMBER_FIRST
    place.table.hp[0] = 1
    assert policies.choose_order(place.table, 0, place.rules) == OrderOption.ACTION_FIRST
    place = table(14, 20)
    place.table.number, place.table.symbol = 4, Symbol.CROSSHAIRS + 0
    assert policies.choose_order(place.table, 0, place.rules) == OrderOption.NUMBER_FIRST
    place.table.hand[0] = 1 << card_number("shoot_wherever")
    assert policies.choose_order(place.table, 0, place.rules) == OrderOption.ACTION_FIRST
    place.table.symbol = Symbol.BRICK + 0
    assert policies.choose_order(place.table, 0, place.rules) == OrderOption.NUMBER_FIRST


@interpreted_only
def test_walls_only_are_shot_where_they_shelter_others() -> None:
    place = table(1, 3)
    options = 1 << policies.FIRST_WALL + 1 | 1 << policies.FIRST_WALL + 3 | 1 << policies.FIRST_WALL + 6
    assert policies.choose_target(place.table, 0, options, place.rules) == policies.FIRST_WALL + 3
    own = 1 << policies.FIRST_WALL + 1
    assert policies.choose_target(place.table, 0, own | NONE, place.rules) == NONE_OPTION
    assert policies.choose_target(place.table, 0, own, place.rules) == policies.FIRST_WALL + 1


def modifier(place: Scene, *names: str) -> int:
    """Return the card that seat 0 would use of some, or NO_CARD."""
    cards = sum(1 << card_number(name) for name in names)
    return policies.choose_modifier(place.table, 0, cards, place.rules)


@interpreted_only
def test_modifiers_hit_more_or_a_better_target() -> None:
    place = table(1, 3, 5)
    assert modifier(place, "rare_weapon", "epic_weapon") == card_number("epic_weapon")
    assert modifier(place, "stink_bomb", "legendary_weapon") == card_number("stink_bomb")
    assert modifier(place, "shoot_wherever") == NO_CARD
    place = table(1, 3, 20)
    place.table.hp[2] = 14
    assert modifier(place, "shoot_wherever") == card_number("shoot_wherever")
    place.table.is_sightless = 1
    assert modifier(place, "shoot_wherever") == NO_CARD
    place.table.damage = 4
    assert modifier(place, "rare_weapon") == NO_CARD
    place = table(1, 3, crosshairs_stack="sum")
    place.table.damage = 4
    assert modifier(place, "rare_weapon") == card_number("rare_weapon")
    assert modifier(blocked("leader"), "legendary_weapon") == NO_CARD


@interpreted_only
def test_a_wall_is_built_for_shelter_or_where_it_costs_others() -> None:
    place = table(CHEST, 3)
    assert policies.choose_wall(place.table, 0, 1 << CHEST | 1 << 3 | NONE, place.rules) == CHEST
    place = table(8, 2)
    assert policies.choose_wall(place.table, 0, 1 << 4 | 1 << 6 | NONE, place.rules) == 6
    assert policies.choose_wall(place.table, 0, 1 << CHEST | NONE, place.rules) == NONE_OPTION
    assert policies.choose_wall_to_take(place.table, 0, 1 << 8 | 1 << 9) == 9
    assert policies.choose_wall_to_take(place.table, 0, 1 << 8) == 8


@interpreted_only
def test_jail_is_left_free_or_paid_for_from_a_reserve() -> None:
    place = table(8, 3)
    both = 1 << JailOption.PAY | 1 << JailOption.ROLL
    for hp, option in ((10, JailOption.PAY), (9, JailOption.ROLL)):
        place.table.hp[0] = hp
        assert policies.choose_jail(place.table, 0, both, place.rules) == option
    stay = 1 << JailOption.LEAVE | 1 << JailOption.STAY
    assert policies.choose_jail(place.table, 0, stay, place.rules) == JailOption.LEAVE


@interpreted_only
def test_starts_keep_apart_but_for_habits() -> None:
    starts = {}
    for name in ("leader", "gathers", "corner"):
        place = habit(table(10, 3, 10, 30), name)
        starts[name] = policies.choose_start(place.table, 0, 0b0100, EVERYWHERE, place.rules)
    assert not 8 <= starts["leader"] <= 16
    assert 8 <= starts["gathers"] <= 16
    assert starts["corner"] in (0, 24)
    place = table(10, 3)
    assert policies.choose_start(place.table, 0, 0b10, 0b11, place.rules) in (0, 1)


def item_used(place: Scene, *names: str) -> bool:
    """Return whether seat 0 would use one of some one-time cards now."""
    cards = sum(1 << card_number(name) for name in names)
    return policies.choose_item(place.table, 0, cards, place.rules) != NO_CARD


@interpreted_only
def test_one_time_cards_are_saved_but_for_a_habit() -> None:
    for name, uses in (("leader", False), ("spends", True)):
        place = habit(table(FREE_PARKING, 20), name)
        place.table.hp[0] = 12
        assert item_used(place, "med_kit") == item_used(place, "chug_jug") == uses
        place.table.hp[0] = 8
        assert item_used(place, "med_kit")
        assert item_used(place, "chug_jug")
        place.table.hp[0] = 15
        assert not item_used(place, "chug_jug")


@interpreted_only
def test_clingers_and_bouncers_wait_for_a_chance() -> None:
    place = table(1, 3)
    assert item_used(place, "clinger")
    assert best_area(place.table, 0, place.table.walls, 4, place.rules) == 3
    put_up(place.state, 1, 3)
    assert not item_used(place, "clinger")
    assert not item_used(table(1, 1), "clinger")
    assert not item_used(table(1, 1, 1, 1, 1, 1, 1), "clinger")
    alone = table(1, 1, 1, 1, 1, 1, 3)
    assert best_area(alone.table, 0, 0, 4, alone.rules) == 3
    place = table(FREE_PARKING, 20)
    assert item_used(place, "bouncer")
    best = policies.best_bounce(place.table, 0, 0b11111111 << STRIDE, place.rules)
    assert best == STRIDE + BACKWARDS - 1
    assert not item_used(table(FREE_PARKING, 26, bouncer_direction="forward"), "bouncer")
    place = habit(table(FREE_PARKING, 28, bouncer_direction="forward"), "spends")
    assert item_used(place, "bouncer")


@interpreted_only
def test_a_stormed_landing_is_minded_but_for_a_habit() -> None:
    for name, change in (("leader", -2), ("storm_blind", 0)):
        place = habit(table(1, 20), name)
        storm_location(place.state, 2, StormedBy.CARD, NOBODY, place.rules)
        assert policies.foreseen_change(place.table, 0, TOMATO, place.rules) == change


@interpreted_only
def test_what_landing_is_worth() -> None:
    place = table(1, 20)
    give_location(place.state, 0, 2, place.rules)
    give_location(place.state, 1, 15, place.rules)
    worth = {1: 1, 31: -4, TOMATO: 0, CHEST: 2, CAMPFIRE: 1, 6: -1, 24: -3, 0: 0}
    for space, change in worth.items():
        assert policies.landing_change(place.table, 0, space, place.rules) == change
    give_location(place.state, 0, 3, place.rules)
    assert policies.landing_change(place.table, 0, TOMATO, place.rules) == 2
    place.table.storm = EVERYWHERE
    stormed = {0: -2, 8: 0, 31: -5, FREE_PARKING: -2}
    for space, change in stormed.items():
        assert policies.landing_change(place.table, 0, space, place.rules) == change


@interpreted_only
def test_the_storm_is_sent_to_the_dearest_space_but_not_to_ones_own_sets() -> None:
    options = 1 << 29 | 1 << 31 | 1 << 1
    for name, space in (("leader", 1), ("breaks_sets", 31)):
        place = habit(table(1, 20), name)
        give_location(place.state, 0, 15, place.rules)
        assert policies.choose_storm_space(place.table, 0, options, place.rules) == space
