"""Positions of fortnite, each with the choice that any player would make and the policies that must make it."""

from __future__ import annotations

from typing import Any

import pytest

from sim.decks import NO_CARD
from sim.engine.contract import NOBODY, NONE_OPTION
from sim.games.fortnite import policies
from sim.games.fortnite.game import GAME
from sim.games.fortnite.phases.walls import put_up
from sim.games.fortnite.reach import STRIDE_BITS, bounces
from sim.games.fortnite.words import JailOption, Loot, Symbol
from sim.mechanics import trading
from sim.mechanics.claims import give_location, storm_location, storm_space
from sim.mechanics.targets import best_area, danger
from sim.mechanics.words import Answer, OrderOption, StormedBy
from tests.games.fortnite_support import Scene, card_number, interpreted_only, scene

pytestmark = interpreted_only

SCRIPTED = [policy.name for policy in GAME.policies if policy.code]
EVERYWHERE = (1 << 32) - 1
NONE = 1 << NONE_OPTION
JAIL, GO_TO_JAIL = 8, 24
every_policy = pytest.mark.parametrize("name", SCRIPTED)


def table(name: str, *spaces: int, hp: int = 10, **changes: Any) -> Scene:
    """Return a table with a pawn of so many HP on each space, seat 0 first, which plays by a policy."""
    place = scene(len(spaces), **changes)
    for seat, space in enumerate(spaces):
        place.table.space[seat], place.table.hp[seat] = space, hp
        for number, value in enumerate(GAME.policy(name).parameters):
            place.table.parameter[seat, number] = value
    return place


def hand(place: Scene, seat: int, *names: str) -> int:
    """Give a seat cards, and return their mask."""
    cards = sum(1 << card_number(name) for name in names)
    place.table.hand[seat] |= cards
    return cards


def rolled(place: Scene, number: int, symbol: Symbol) -> Scene:
    """Roll both dice."""
    place.table.number, place.table.symbol = number, symbol + 0
    return place


def order(place: Scene) -> int:
    return policies.choose_order(place.table, 0, place.rules)


def target(place: Scene, *seats: int, walls: int = 0, may_pass: bool = False) -> int:
    options = sum(1 << seat for seat in seats) | walls << policies.FIRST_WALL
    return policies.choose_target(place.table, 0, options | (NONE if may_pass else 0), place.rules)


def modifier(place: Scene, *names: str) -> int:
    return policies.choose_modifier(place.table, 0, hand(place, 0, *names), place.rules)


def item(place: Scene, *names: str) -> int:
    return policies.choose_item(place.table, 0, hand(place, 0, *names), place.rules)


def start(place: Scene, seat: int) -> int:
    return policies.choose_start(place.table, seat, (1 << seat) - 1, EVERYWHERE, place.rules)


@every_policy
def test_a_win_in_one_is_taken_before_a_wall(name: str) -> None:
    place = rolled(table(name, 2, 6), 5, Symbol.CROSSHAIRS)
    storm_location(place.state, 2, StormedBy.CARD, NOBODY, place.rules)
    put_up(place.state, 1, 5)
    place.table.hp[1] = 1
    assert target(place, 1, walls=1 << 5) == 1


@every_policy
def test_a_great_weapon_is_not_spent_on_a_wall(name: str) -> None:
    place = rolled(table(name, 2, 6), 5, Symbol.CROSSHAIRS)
    storm_location(place.state, 2, StormedBy.CARD, NOBODY, place.rules)
    put_up(place.state, 1, 5)
    place.table.hp[1] = 4
    assert modifier(place, "legendary_weapon") == card_number("legendary_weapon")


@every_policy
def test_a_kill_comes_before_a_scratch(name: str) -> None:
    place = table(name, 1, 3, 5, 7)
    place.table.hp[1], place.table.hp[2], place.table.hp[3] = 15, 3, 14
    place.table.damage = 3
    hand(place, 1, "legendary_weapon")
    assert target(place, 1, 2, 3) == 2


@every_policy
def test_the_weapon_that_kills_is_used(name: str) -> None:
    place = table(name, 1, 3, 5)
    place.table.hp[1], place.table.hp[2] = 4, 15
    assert modifier(place, "stink_bomb", "legendary_weapon") == card_number("legendary_weapon")


@every_policy
def test_a_weaker_weapon_is_not_used_where_none_adds_anything(name: str) -> None:
    assert modifier(table(name, 1, 20), "rare_weapon") == NO_CARD


@every_policy
def test_the_own_shelter_is_not_shot(name: str) -> None:
    place = table(name, 4, 20, 21)
    put_up(place.state, 0, 4)
    assert target(place, walls=1 << 4, may_pass=True) == NONE_OPTION
    put_up(place.state, 0, 6)
    assert target(place, walls=1 << 4 | 1 << 6) == policies.FIRST_WALL + 6


@every_policy
def test_no_stink_bomb_blows_up_the_own_shelter_for_a_scratch(name: str) -> None:
    place = table(name, 4, 6, hp=15)
    put_up(place.state, 0, 4)
    assert modifier(place, "stink_bomb", "epic_weapon") == card_number("epic_weapon")


@every_policy
def test_a_clinger_goes_where_somebody_falls(name: str) -> None:
    place = table(name, 1, 3, 5)
    place.table.hp[1], place.table.hp[2] = 15, 4
    assert best_area(place.table, 0, 0, 4, place.rules) == 5


@every_policy
def test_no_clinger_hits_a_wall_or_oneself(name: str) -> None:
    place = table(name, 3, 5, 3)
    put_up(place.state, 1, 5)
    assert item(place, "clinger") == NO_CARD


@every_policy
def test_with_nobody_in_sight_the_move_comes_first(name: str) -> None:
    assert order(rolled(table(name, 1, 20), 3, Symbol.CROSSHAIRS)) == OrderOption.NUMBER_FIRST


@every_policy
def test_a_wall_that_is_reached_shelters_nobody_any_more(name: str) -> None:
    place = rolled(table(name, 14, 19, hp=15), 5, Symbol.CROSSHAIRS)
    put_up(place.state, 1, 19)
    assert policies.seen_after_move(place.table, 0, 19, place.rules) == 0b10
    assert order(place) == OrderOption.NUMBER_FIRST


@every_policy
def test_go_to_jail_is_judged_from_where_one_lands(name: str) -> None:
    place = table(name, 21, 26)
    assert not policies.seen_after_move(place.table, 0, GO_TO_JAIL, place.rules) & 0b10


@every_policy
def test_bandages_wait_for_room(name: str) -> None:
    place = rolled(table(name, 5, 20, hp=14), 1, Symbol.BANDAGES)
    assert order(place) == OrderOption.NUMBER_FIRST


@every_policy
def test_a_brick_comes_after_the_move(name: str) -> None:
    assert order(rolled(table(name, 1, 20), 3, Symbol.BRICK)) == OrderOption.NUMBER_FIRST


@every_policy
def test_a_wall_is_built_where_one_stands_in_sight(name: str) -> None:
    place = table(name, 12, 9, 14)
    assert policies.choose_wall(place.table, 0, 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12 | NONE, place.rules) == 12


@every_policy
def test_a_wall_that_helps_nobody_is_not_built(name: str) -> None:
    place = table(name, 20, 1)
    assert policies.choose_wall(place.table, 0, 1 << 14 | NONE, place.rules) == NONE_OPTION


@every_policy
def test_the_own_shelter_is_not_taken_for_a_new_wall(name: str) -> None:
    assert policies.choose_wall_to_take(table(name, 3, 9).table, 0, 1 << 3 | 1 << 9) == 9


@every_policy
def test_nobody_pays_to_walk_into_the_storm(name: str) -> None:
    place = table(name, JAIL, 6, hp=15)
    place.table.hp[1] = 1
    for location in (4, 5, 6):
        storm_location(place.state, location, StormedBy.CARD, NOBODY, place.rules)
    storm_space(place.state, 12, place.rules)
    storm_space(place.state, 14, place.rules)
    expected = JailOption.PAY if name == "storm_blind" else JailOption.ROLL
    assert policies.choose_jail(place.table, 0, 1 << JailOption.PAY | 1 << JailOption.ROLL, place.rules) == expected


@every_policy
def test_a_free_way_out_of_jail_is_taken(name: str) -> None:
    place = table(name, JAIL, 3, hp=2)
    assert policies.choose_jail(place.table, 0, 1 << JailOption.LEAVE | 1 << JailOption.ROLL, place.rules) == (
        JailOption.LEAVE
    )


@every_policy
def test_nobody_pays_the_last_hp_to_leave_jail(name: str) -> None:
    place = table(name, JAIL, 3, hp=3)
    assert policies.choose_jail(place.table, 0, 1 << JailOption.PAY | 1 << JailOption.ROLL, place.rules) == (
        JailOption.ROLL
    )


@every_policy
def test_nobody_starts_on_top_of_another(name: str) -> None:
    place = table(name, *[0] * 7)
    taken = 0
    for seat in range(7):
        space = start(place, seat)
        assert not taken >> space & 1
        place.table.space[seat] = space
        taken |= 1 << space


def test_the_fifth_takes_the_side_with_fewest_others() -> None:
    place = table("leader", 4, 5, 6, 12, 20, 0)
    place.table.space[4] = 28
    assert start(place, 5) // 8 != 0


def test_a_corner_that_nobody_sees_is_found_also_on_go_to_jail() -> None:
    place = table("corner", 4, 12, 0)
    assert start(place, 2) == GO_TO_JAIL


@every_policy
def test_a_refill_is_used_when_nearly_out_and_not_when_full(name: str) -> None:
    assert item(table(name, 1, 20, hp=2), "chug_jug") == card_number("chug_jug")
    assert item(table(name, 1, 20, hp=15), "chug_jug") == NO_CARD


@every_policy
def test_a_bouncer_kills_where_it_can(name: str) -> None:
    place = table(name, 16, 4, 11)
    storm_location(place.state, 2, StormedBy.CARD, NOBODY, place.rules)
    storm_location(place.state, 6, StormedBy.CARD, NOBODY, place.rules)
    place.table.hp[1], place.table.hp[2] = 2, 15
    option = policies.best_bounce(place.table, 0, bounces(place.table, 0, 4, place.rules), place.rules)
    assert option >> STRIDE_BITS == 1
    assert item(place, "bouncer") == card_number("bouncer")


@every_policy
def test_halves_of_one_set_are_not_swapped_to_and_fro(name: str) -> None:
    place = table(name, 1, 3, trade="valued")
    give_location(place.state, 0, 10, place.rules)
    give_location(place.state, 1, 11, place.rules)
    assert trading.trade_gain(place.table, 0, 1 << 10, 1 << 11, place.rules) == 0
    assert trading.choose_answer(place.table, 1, 1 << 11, 1 << 10, place.rules) == Answer.REFUSE


@every_policy
def test_the_storm_does_not_take_half_of_ones_own_set(name: str) -> None:
    place = table(name, 1, 3)
    give_location(place.state, 0, 8, place.rules)
    expected = 17 if name == "breaks_sets" else 21
    assert policies.choose_storm_space(place.table, 0, 1 << 17 | 1 << 21, place.rules) in (expected, 21)


def test_threat_tells_danger_from_healing() -> None:
    place = table("threat", 1, 3, 5)
    hand(place, 1, "chug_jug")
    hand(place, 2, "rare_weapon")
    assert target(place, 1, 2) == 2
    assert danger(place.table, 1, place.rules) == 0


@pytest.mark.parametrize("card", [str(row["card"]) for row in GAME.load().resolve({}).tables["cards"]])
def test_a_blanked_card_is_worth_nothing_and_does_nothing_to_any_policy(card: str) -> None:
    place = table("leader", 1, 3, **{f"cards__{card}__effect": "blank", f"cards__{card}__copies": 1})
    number = card_number(card)
    rules = place.rules
    assert rules.loot_effect[number] == Loot.BLANK
    assert rules.loot_worth[number] == rules.loot_danger[number] == 0
    masks = (rules.guns, rules.refills, rules.heals, rules.sightless, rules.bush, *rules.triggered)
    assert not any(mask >> number & 1 for mask in masks)
