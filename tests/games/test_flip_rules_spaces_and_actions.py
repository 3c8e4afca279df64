"""Clauses of rules F-R41 to F-R88 of flip that `test_flip_rules_play.py` leaves open: hand-made tables."""

from __future__ import annotations

from typing import Any

import pytest

from sim.decks import put_under
from sim.engine.contract import NOBODY
from sim.games.flip.game import GAME
from sim.games.flip.phases import action, board, go, items, loot, modes
from sim.games.flip.words import Event, Loadout, Mode, Source
from sim.mechanics import claims, health
from tests.games.flip_support import Scene, card_number, interpreted_only, scene

RIFLE = card_number("slones_pulse_rifle")
CHUG = card_number("chug_cannon")
BUSH = card_number("bush")
PIZZA = card_number("pizza_party")
NONE = 62
JAIL = 8
FREE_PARKING = 16
GO_TO_JAIL = 24
pytestmark = interpreted_only


def mode_cards(table: Scene, effect: Mode) -> list[int]:
    """Return the physical Game Mode cards with an effect."""
    return [card for card in range(table.rules.mode.size) if table.rules.mode_effect[card] == effect]


def draw(table: Scene, seat: int, effect: Mode) -> None:
    """Let a seat draw a Game Mode card of a kind from an otherwise empty deck."""
    table.state.hidden.mode.size = 0
    put_under(table.state.hidden.mode, mode_cards(table, effect)[0])
    modes.draw_mode(table.state, seat, table.rules)


def hit_points(table: Scene) -> list[int]:
    """Return the HP of all seats."""
    return [int(table.table.hp[seat]) for seat in range(table.table.n_seats)]


def test_F_R41_in_jail_the_permanent_item_adds_nothing() -> None:
    s = scene()
    s.table.hp[0], s.table.effect[0], s.table.bonus[0] = 5, Loadout.MED_MIST_BONUS, 1
    s.table.jailed[0] = 1
    action.use_med_mist(s.state, 0, s.rules)
    assert s.table.hp[0] == 7


def test_F_R41_in_jail_a_bush_does_not_protect() -> None:
    s = scene(2)
    s.table.hand[1], s.table.jailed[1] = 1 << BUSH, 1
    action.use_boogie_bomb(s.state, 0, s.rules)
    assert s.table.hp[1] == 14


def test_F_R43_who_is_sent_to_a_stormed_jail_is_free() -> None:
    s = scene()
    s.table.storm, s.table.space[0] = 1 << JAIL, GO_TO_JAIL
    board.land(s.state, 0, s.rules)
    assert (s.table.space[0], s.table.jailed[0], s.table.hp[0]) == (JAIL, 0, 15)


def test_F_R50_holding_an_ignore_sight_card_is_not_enough() -> None:
    s = scene(3)
    s.table.space[0], s.table.space[1], s.table.space[2] = 3, 5, 20
    s.table.hand[0] = 1 << RIFLE
    s.choose(NONE, NONE)
    action.use_crosshairs(s.state, 0, s.rules)
    offered = [event[4] for event in s.events(Event.DECISION)]
    assert offered == [1 << 16 + RIFLE | 1 << NONE, 1 << 1 | 1 << NONE]


def test_F_R52_a_wall_behind_the_shooter_blocks_the_shot() -> None:
    s = scene(3)
    s.table.turned = 1 << 7
    s.table.space[0], s.table.space[1], s.table.space[2] = JAIL, 5, 9
    s.choose(NONE)
    action.use_crosshairs(s.state, 0, s.rules)
    assert [event[4] for event in s.events(Event.DECISION)] == [1 << 2 | 1 << NONE]


def test_F_R58_the_hp_of_crosshairs_go_to_the_bank() -> None:
    s = scene(2)
    s.table.hp[0], s.table.hp[1] = 5, 9
    s.choose(1)
    action.use_crosshairs(s.state, 0, s.rules)
    assert hit_points(s) == [5, 8]


def test_F_R61_the_hp_of_a_boogie_bomb_go_to_the_bank() -> None:
    s = scene(3)
    s.table.hp[0] = 5
    action.use_boogie_bomb(s.state, 0, s.rules)
    assert hit_points(s) == [5, 14, 14]


def test_F_R66_the_highest_unclaimed_location_is_stormed() -> None:
    s = scene()
    claims.give_location(s.state, 1, 15, s.rules)
    draw(s, 0, Mode.STORM_HIGHEST)
    assert (s.table.stormed, s.table.storm) == (1 << 14, 1 << 29)


def test_F_R66_a_location_of_choice_is_stormed() -> None:
    s = scene()
    s.choose(6)
    draw(s, 0, Mode.STORM_CHOICE)
    assert (s.table.stormed, s.table.storm) == (1 << 6, 1 << 13)


def test_F_R67_the_jail_card_stays_on_jail() -> None:
    s = scene()
    draw(s, 0, Mode.STORM_JAIL)
    assert (s.table.storm, s.state.hidden.mode.size) == (1 << JAIL, 0)


def test_F_R68_the_storm_stays_on_go_and_on_a_location_that_was_paid_for() -> None:
    s = scene()
    draw(s, 0, Mode.STORM_GO)
    draw(s, 0, Mode.STORM_LOWEST)
    for space in (0, 1):
        go.enter(s.state, 0, space, 1, s.rules)
        board.land(s.state, 0, s.rules)
    assert s.table.hp[0] == 11
    board.land_on_flip(s.state, 0, 2, s.rules)
    assert s.table.storm == 0b11


def test_F_R70_who_stands_on_a_taken_corner_loses_nothing() -> None:
    s = scene()
    s.table.space[1] = JAIL
    draw(s, 0, Mode.STORM_GO)
    draw(s, 0, Mode.STORM_JAIL)
    assert hit_points(s) == [15] * 4


def test_F_R71_a_card_is_resolved_and_goes_below_the_others() -> None:
    s = scene(modes__heal_all__copies=1)
    healing, unknown = mode_cards(s, Mode.HEAL_ALL)[0], mode_cards(s, Mode.BLANK)[0]
    deck = s.state.hidden.mode
    deck.size = deck.top = 0
    put_under(deck, healing)
    put_under(deck, unknown)
    s.table.hp[1] = 9
    modes.draw_mode(s.state, 0, s.rules)
    modes.draw_mode(s.state, 0, s.rules)
    assert hit_points(s) == [15, 10, 15, 15]
    assert [event[2] for event in s.events(Event.MODE)] == [healing, unknown]


def test_F_R75_a_third_card_does_not_fit_but_a_card_off_the_loadout_does() -> None:
    s = scene()
    s.table.hand[0] = 1 << BUSH | 1 << CHUG
    s.choose(16 + RIFLE)
    assert not loot.take(s.state, 0, RIFLE, 0, s.rules)
    s = scene(cards__slones_pulse_rifle__stored=0)
    s.table.hand[0] = 1 << BUSH | 1 << CHUG
    s.choose(16 + RIFLE)
    assert loot.take(s.state, 0, RIFLE, 0, s.rules)
    assert s.table.hand[0] == 1 << BUSH | 1 << CHUG | 1 << RIFLE


def test_F_R76_rejected_cards_go_under_the_loot_deck() -> None:
    s = scene()
    s.table.hand[0] = 1 << BUSH | 1 << CHUG
    s.choose(16 + CHUG, 16 + PIZZA)
    loot.take(s.state, 0, RIFLE, 0, s.rules)
    loot.take(s.state, 0, PIZZA, 0, s.rules)
    deck = s.state.hidden.loot
    assert [int(deck.order[deck.top + place]) for place in range(deck.size)] == [CHUG, PIZZA]


def test_F_R79_who_lands_takes_all_and_the_rest_goes_under_the_deck() -> None:
    s = scene()
    s.table.hand[0], s.table.space[0] = 1 << CHUG, 15
    s.table.dropped[FREE_PARKING], s.table.dropped_at = 1 << RIFLE | 1 << BUSH, 1 << FREE_PARKING
    s.choose(16 + CHUG)
    board.move(s.state, 0, 1, s.rules)
    assert [event[2] for event in s.events(Event.PICK_UP)] == [RIFLE, BUSH]
    assert s.table.hand[0] == 1 << RIFLE | 1 << BUSH
    assert [event[2] for event in s.events(Event.UNDER)] == [CHUG]


def test_F_R80_all_locations_of_the_fallen_lie_on_their_spaces() -> None:
    s = scene()
    for location in (0, 5, 15):
        claims.give_location(s.state, 2, location, s.rules)
    health.pay(s.state, 2, 15, Source.TRAP, s.rules)
    assert s.table.storm == 1 << 1 | 1 << 11 | 1 << 31
    assert s.table.own[2] == 0


def test_F_R81_the_playout_goes_on_with_two_left() -> None:
    s = scene(3)
    health.pay(s.state, 1, 15, Source.TRAP, s.rules)
    assert s.events(Event.END) == []
    health.pay(s.state, 2, 15, Source.TRAP, s.rules)
    assert [event[1] for event in s.events(Event.END)] == [0]


def test_F_R82_the_owner_may_take_from_passed_players_only() -> None:
    s = scene(3)
    s.table.effect[0], s.table.hp[0], s.table.space[0] = Loadout.HONEY_HITTERS, 10, 12
    s.table.space[1], s.table.space[2] = 14, FREE_PARKING
    s.choose(NONE, 2)
    board.move(s.state, 0, 4, s.rules)
    assert [event[4] for event in s.events(Event.DECISION)] == [1 << 1 | 1 << NONE]
    assert hit_points(s) == [10, 15, 15]


def test_F_R83_a_storm_card_replaces_the_printed_space_on_both_faces() -> None:
    s = scene()
    claims.storm_location(s.state, 0, 0, -1, s.rules)
    s.table.space[0] = s.table.space[1] = 1
    board.land(s.state, 0, s.rules)
    s.table.turned = 0b1110
    board.land(s.state, 1, s.rules)
    assert hit_points(s) == [13, 13, 15, 15]
    assert s.events(Event.CLAIM) == []


def test_F_R84_a_move_may_end_on_an_occupied_space() -> None:
    s = scene()
    s.table.space[0], s.table.space[1] = 12, FREE_PARKING
    board.move(s.state, 0, 4, s.rules)
    assert (s.table.space[0], s.table.space[1]) == (FREE_PARKING, FREE_PARKING)


def test_F_R88_the_rifle_takes_four_the_chug_cannon_gives_three_and_the_pizza_fills_up() -> None:
    s = scene(2)
    s.table.space[1], s.table.hand[0], s.table.hp[0] = 20, 1 << RIFLE | 1 << CHUG | 1 << PIZZA, 4
    s.choose(16 + RIFLE, 1, 16 + CHUG, 16 + PIZZA)
    action.use_crosshairs(s.state, 0, s.rules)
    assert hit_points(s) == [4, 11]
    action.use_med_mist(s.state, 0, s.rules)
    assert hit_points(s) == [7, 11]
    items.open_window(s.state, 0, s.rules)
    assert hit_points(s) == [15, 11]


def test_F_R67_a_second_storm_on_a_corner_changes_nothing() -> None:
    s = scene()
    for _ in range(2):
        claims.storm_space(s.state, 0, s.rules)
    assert s.events(Event.STORM) == [(Event.STORM, NOBODY, 0, 0, 0)]


def test_F_R47_a_flip_on_a_fixed_space_does_nothing() -> None:
    s = scene(board__12__front="flip")
    s.table.space[0] = 12
    board.land(s.state, 0, s.rules)
    assert s.events(Event.FLIP) == []
    assert s.table.turned == 0


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"board.6.front": "free_parking"},
            "board.6: found free_parking on tile 1, expected a corner on",
        ),
        ({"board.12.tile": 9}, "board: found no space on tile 8, expected tiles numbered from 0 without gaps"),
    ],
)
def test_F_R87_corners_are_fixed_and_tiles_are_numbered_without_gaps(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        GAME.pack(GAME.load().resolve(changes))
