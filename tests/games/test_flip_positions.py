"""Positions of flip, each with the choice that any player would make and the policies that must make it."""

from __future__ import annotations

from typing import Any

import pytest

from sim.decks import NO_CARD
from sim.engine.contract import NOBODY, NONE_OPTION
from sim.games.flip import policies
from sim.games.flip.game import GAME
from sim.games.flip.words import JailOption, Loadout, Loot, Symbol
from sim.mechanics import trading
from sim.mechanics.claims import give_location, storm_location, storm_space
from sim.mechanics.targets import danger
from sim.mechanics.words import FIRST_CARD_ITEM, Answer, OrderOption, StormedBy
from tests.games.flip_support import NAMES, Scene, card_number, interpreted_only, scene

pytestmark = interpreted_only

SCRIPTED = [policy.name for policy in GAME.policies if policy.code]
PLAIN = ["leader", "weakest", "threat", "next"]
JAIL, GO_TO_JAIL = 8, 24
FLAT = {f"board.{space}.front": "blank" for space in (4, 12, 20, 28)}
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


def item(place: Scene, *names: str) -> int:
    return policies.choose_item(place.table, 0, hand(place, 0, *names), place.rules)


def given_up(place: Scene, *names: str) -> int:
    """Return which of some cards seat 0 gives up, the last just drawn."""
    options = sum(1 << card_number(name) for name in names) << FIRST_CARD_ITEM
    hand(place, 0, *names[:-1])
    return policies.least_worth(place.table, 0, options, place.rules) - FIRST_CARD_ITEM


@every_policy
def test_a_win_in_one_is_taken(name: str) -> None:
    place = rolled(table(name, 1, 3), 5, Symbol.CROSSHAIRS)
    place.table.hp[1] = 1
    assert order(place) == OrderOption.ACTION_FIRST or name == "moves_first"
    assert policies.choose_target(place.table, 0, 0b10, 1, place.rules) == 1


@every_policy
def test_a_win_by_moving_first_is_taken(name: str) -> None:
    place = rolled(table(name, 7, 9), 3, Symbol.CROSSHAIRS)
    place.table.hp[1] = 1
    assert order(place) == OrderOption.NUMBER_FIRST


@every_policy
def test_a_kill_comes_before_a_scratch(name: str) -> None:
    place = table(name, 1, 3, 5, 7)
    place.table.hp[1], place.table.hp[2], place.table.hp[3] = 15, 3, 14
    hand(place, 1, "slones_pulse_rifle")
    assert policies.choose_target(place.table, 0, 0b1110, 3, place.rules) == 2


@every_policy
def test_the_card_that_kills_is_used(name: str) -> None:
    place = rolled(table(name, 1, 20, 3), 2, Symbol.CROSSHAIRS)
    place.table.hp[1], place.table.hp[2] = 4, 15
    cards = hand(place, 0, "slones_pulse_rifle", "epic_weapon")
    assert policies.choose_modifier(place.table, 0, cards, 0b100, place.rules) == card_number("slones_pulse_rifle")


@every_policy
def test_a_bomb_goes_where_somebody_falls(name: str) -> None:
    place = table(name, 1, 3, 5)
    place.table.hp[1], place.table.hp[2] = 15, 4
    assert policies.choose_bomb_space(place.table, 0, 4, place.rules) == 5


@every_policy
def test_nobody_bombs_oneself_where_another_stands_apart(name: str) -> None:
    place = table(name, 3, 3, 3, 5)
    place.table.hp[1] = place.table.hp[2] = 1
    assert policies.choose_bomb_space(place.table, 0, 4, place.rules) == 5


@every_policy
def test_with_nobody_in_sight_the_move_comes_first(name: str) -> None:
    assert order(rolled(table(name, 1, 20), 3, Symbol.CROSSHAIRS)) == OrderOption.NUMBER_FIRST


@every_policy
def test_a_shot_comes_before_a_fatal_landing(name: str) -> None:
    place = rolled(table(name, 1, 3, hp=2), 4, Symbol.CROSSHAIRS)
    place.table.turned = place.rules.tile_spaces[1]
    assert order(place) == OrderOption.ACTION_FIRST


@every_policy
def test_go_to_jail_is_judged_from_where_one_lands(name: str) -> None:
    place = rolled(table(name, 21, 26, 23), 3, Symbol.CROSSHAIRS)
    place.table.hp[1], place.table.hp[2] = 15, 9
    expected = OrderOption.NUMBER_FIRST if name == "moves_first" else OrderOption.ACTION_FIRST
    assert order(place) == expected
    there = policies.seen_after_move(place.table, 0, GO_TO_JAIL, place.rules)
    assert there == 0


@every_policy
def test_med_mist_waits_for_room(name: str) -> None:
    place = rolled(table(name, 1, 20, hp=15), 2, Symbol.MED_MIST)
    storm_location(place.state, 1, StormedBy.CARD, NOBODY, place.rules)
    assert order(place) == OrderOption.NUMBER_FIRST


@every_policy
def test_healing_is_not_thrown_away_for_a_second_gun(name: str) -> None:
    place = table(name, 1, 3, hp=3)
    assert given_up(place, "slones_pulse_rifle", "mk_seven", "pizza_party") == card_number("mk_seven")


@every_policy
def test_of_two_guns_the_weaker_goes(name: str) -> None:
    place = table(name, 1, 3)
    assert given_up(place, "slones_pulse_rifle", "chug_cannon", "long_shot") == card_number("long_shot")


@every_policy
def test_a_blank_goes_before_anything(name: str) -> None:
    for blank in NAMES["cards"][:3]:
        place = table(name, 1, 3, **{f"cards__{blank}__effect": "blank"})
        assert given_up(place, "bush", "med_kit", blank) == card_number(blank)


@every_policy
def test_a_refill_is_not_used_at_full_hp(name: str) -> None:
    assert item(table(name, 1, 3, hp=15), "pizza_party") == NO_CARD


@every_policy
def test_a_refill_is_used_when_nearly_out(name: str) -> None:
    assert item(table(name, 1, 3, hp=2), "pizza_party") == card_number("pizza_party")


@every_policy
def test_a_small_heal_comes_before_the_refill(name: str) -> None:
    assert item(table(name, 1, 3, hp=4), "pizza_party", "med_kit") == card_number("med_kit")


@every_policy
def test_no_mover_is_wasted_on_a_stormed_jail(name: str) -> None:
    place = table(name, 16, 22, 10)
    storm_space(place.state, JAIL, place.rules)
    option = 1 << policies.MOVER_BITS | 1
    assert policies.mover_score(place.table, 0, option, place.rules) == 0
    assert policies.landing_change(place.table, 1, GO_TO_JAIL, place.rules) == 0


@every_policy
def test_a_mover_kills_where_it_can(name: str) -> None:
    place = table(name, 16, 26, 26)
    place.table.turned = place.rules.tile_spaces[6]
    place.table.hp[1], place.table.hp[2] = 15, 5
    option = policies.best_mover(place.table, 0, policies.moves(place.table, 4), place.rules)
    assert option == 2 << policies.MOVER_BITS
    assert item(place, "bouncer") == card_number("bouncer")


@pytest.mark.parametrize(("name", "target"), [("leader", 3), ("weakest", 1), ("threat", 2), ("next", 1)])
def test_movers_of_equal_worth_go_to_the_preferred_target(name: str, target: int) -> None:
    place = table(name, 16, 26, 26, 26)
    place.table.turned = place.rules.tile_spaces[6]
    place.table.hp[1], place.table.hp[2], place.table.hp[3] = 9, 10, 14
    hand(place, 2, "slones_pulse_rifle")
    option = policies.best_mover(place.table, 0, policies.moves(place.table, 4), place.rules)
    assert option >> policies.MOVER_BITS == target


@every_policy
def test_halves_of_one_set_are_not_swapped_to_and_fro(name: str) -> None:
    place = table(name, 1, 3, trade="valued")
    give_location(place.state, 0, 10, place.rules)
    give_location(place.state, 1, 11, place.rules)
    assert trading.trade_gain(place.table, 0, 1 << 10, 1 << 11, place.rules) == 0
    assert trading.choose_answer(place.table, 1, 1 << 11, 1 << 10, place.rules) == Answer.REFUSE


@every_policy
def test_a_trade_that_completes_both_sets_is_wanted(name: str) -> None:
    place = table(name, 1, 3, trade="valued")
    for seat, location in ((0, 10), (0, 9), (1, 11), (1, 8)):
        give_location(place.state, seat, location, place.rules)
    assert trading.trade_gain(place.table, 0, 1 << 9, 1 << 11, place.rules) > 0
    assert trading.choose_answer(place.table, 1, 1 << 11, 1 << 9, place.rules) == Answer.ACCEPT


@every_policy
def test_the_storm_does_not_take_half_of_ones_own_set(name: str) -> None:
    place = table(name, 1, 3)
    give_location(place.state, 0, 8, place.rules)
    assert policies.choose_storm_location(place.table, 0, 1 << 8 | 1 << 10, place.rules) == 10


@every_policy
def test_nobody_pays_the_last_hp_to_leave_jail(name: str) -> None:
    place = table(name, JAIL, 3, hp=3)
    assert policies.choose_jail(place.table, 0, place.rules) == JailOption.ROLL


@every_policy
def test_nobody_pays_to_walk_into_the_storm(name: str) -> None:
    place = table(name, JAIL, 3, hp=15)
    for location in (4, 5, 6, 7):
        storm_location(place.state, location, StormedBy.CARD, NOBODY, place.rules)
    assert policies.choose_jail(place.table, 0, place.rules) == JailOption.ROLL


@every_policy
def test_who_is_well_leaves_a_jail_with_a_free_way(name: str) -> None:
    expected = JailOption.ROLL if name == "stays_in_jail" else JailOption.PAY
    assert policies.choose_jail(table(name, JAIL, 3, hp=15).table, 0, table(name, JAIL, 3).rules) == expected


@every_policy
def test_nobody_starts_on_top_of_another(name: str) -> None:
    place = table(name, 0, 0, 0, 0, sight="everybody")
    everywhere = (1 << place.rules.n_spaces) - 1
    taken, seen = 0, 0
    for seat in range(4):
        placed = (1 << seat) - 1
        space = policies.choose_start(place.table, seat, placed, seen, everywhere, place.rules)
        assert not taken >> space & 1
        place.table.space[seat] = space
        taken |= 1 << space
        seen = everywhere


@every_policy
def test_the_first_to_place_is_drawn_to_the_dear_side(name: str) -> None:
    place = table(name, 0, 0)
    space = policies.choose_start(place.table, 0, 0, 0, (1 << place.rules.n_spaces) - 1, place.rules)
    assert place.rules.start_class[0] >> space & 1
    assert not place.rules.start_class[0] & 0b1111111110


@every_policy
def test_honey_hitters_keep_room_for_who_falls_by_it(name: str) -> None:
    place = table(name, 1, 2, 3, hp=14)
    place.table.hp[1], place.table.hp[2] = 9, 1
    place.table.effect[0] = Loadout.HONEY_HITTERS + 0
    options = 0b10 | 1 << NONE_OPTION
    assert policies.choose_victim(place.table, 0, options, 1 << 3, 1, place.rules) == NONE_OPTION
    assert policies.choose_victim(place.table, 0, options, 0, 1, place.rules) == 1
    place.table.hp[0] = 8
    assert policies.choose_victim(place.table, 0, options, 1 << 3, 2, place.rules) == 1


def test_threat_tells_danger_from_healing() -> None:
    place = table("threat", 1, 3, 5)
    hand(place, 1, "pizza_party")
    hand(place, 2, "hop_rock_dualies")
    assert policies.choose_target(place.table, 0, 0b110, 1, place.rules) == 2
    assert danger(place.table, 1, place.rules) == 0


def test_threat_minds_a_rifle_as_far_as_the_data_say() -> None:
    for changes, target in (({}, 2), ({"policy__danger_of_sightless": 0, "policy__danger_of_hp": 0}, 1)):
        place = table("threat", 1, 3, 5, **changes)
        hand(place, 2, "slones_pulse_rifle")
        assert policies.choose_target(place.table, 0, 0b110, 1, place.rules) == target


@pytest.mark.parametrize("card", NAMES["cards"])
def test_a_blanked_card_is_worth_nothing_and_does_nothing_to_any_policy(card: str) -> None:
    place = table("leader", 1, 3, **{f"cards__{card}__effect": "blank", f"cards__{card}__copies": 1})
    number = card_number(card)
    rules = place.rules
    assert rules.loot_effect[number] == Loot.BLANK
    assert rules.loot_worth[number] == rules.loot_danger[number] == 0
    masks = (rules.guns, rules.refills, rules.heals, rules.sightless, rules.area, rules.bush, rules.halve, rules.items)
    assert not any(mask >> number & 1 for mask in (*masks, *rules.modifiers))


@pytest.mark.parametrize(
    ("name", "card", "hp", "is_used"),
    [
        ("leader", "pizza_party", 10, False),
        ("spends", "pizza_party", 14, True),
        ("saves", "pizza_party", 6, False),
        ("saves", "med_kit", 5, True),
        ("saves", "clinger", 10, False),
        ("spends", "clinger", 10, True),
    ],
)
def test_some_save_their_items_and_some_use_them_at_once(name: str, card: str, hp: int, is_used: bool) -> None:
    place = table(name, 1, 3, hp=hp)
    assert (item(place, card) != NO_CARD) is is_used


@pytest.mark.parametrize(
    ("name", "kept"), [("keeps_guns", "long_shot"), ("keeps_healing", "med_kit"), ("leader", "med_kit")]
)
def test_some_keep_guns_and_some_keep_healing(name: str, kept: str) -> None:
    place = table(name, 1, 3)
    assert given_up(place, kept, "big_boogie_bomb", "slones_pulse_rifle") != card_number(kept)


def test_who_gathers_starts_in_sight_of_another() -> None:
    place = table("gathers", 3, 3)
    everywhere = (1 << place.rules.n_spaces) - 1
    seen = 0b111110000
    assert seen >> policies.choose_start(place.table, 1, 1, seen, everywhere, place.rules) & 1


def test_of_everything_that_policies_differ_in_no_two_are_alike() -> None:
    assert len({policy.parameters for policy in GAME.policies}) == len(GAME.policies)
    assert list(policies.USUAL) == ["random", *PLAIN]
