"""Readings of flip that meet: each pair here once came out differently in kernel and referee."""

from __future__ import annotations

import pytest

from sim.games.flip.game import GAME
from sim.games.flip.phases import board, items, tiles
from sim.games.flip.sight import in_sight
from sim.games.flip.words import Event, Loadout
from sim.mechanics import trading
from sim.mechanics.claims import give_location
from tests.flip_referee import FIRST_PLAYOUT, SEAT_COUNTS, compare
from tests.games.flip_support import card_number, interpreted_only, scene, told

BUSH, CHUG, PIZZA, MOVER = (card_number(name) for name in ("bush", "chug_cannon", "pizza_party", "bouncer"))
GO_TO_JAIL, JAIL, WALL, FLIP_OF_WALL_TILE = 24, 8, 7, 6
SANCTUARY, ITS_PARTNER, DEAR, ITS_MATE = 8, 9, 12, 13  # two colour sets


TAKES_ON_LEAVING = {"honey_hitters_loot": "passer_takes", "honey_hitters_pass": "leaving_too"}


@interpreted_only
@pytest.mark.parametrize(("by_die", "hp"), [(True, 13), (False, 15)])
def test_F_R82_only_the_number_die_passes_pawns_on_the_jump_to_jail(by_die: bool, hp: int) -> None:
    s = scene(2, honey_hitters_to_jail="pass")
    s.table.effect[0], s.table.hp[0] = Loadout.HONEY_HITTERS, 5
    s.table.space[0], s.table.space[1] = GO_TO_JAIL - 2, GO_TO_JAIL + 4
    if by_die:
        board.move(s.state, 0, 2, s.rules)
    else:
        items.walk_moved(s.state, 0, 2, s.rules)
    assert s.table.jailed[0] == 1
    assert s.table.hp[1] == hp


@interpreted_only
def test_F_R82_a_passer_takes_what_the_victim_dropped_and_nothing_older() -> None:
    s = scene(3, **TAKES_ON_LEAVING)
    s.table.effect[0], s.table.hp[0], s.table.hp[1] = Loadout.HONEY_HITTERS, 5, 2
    s.table.space[0] = s.table.space[1] = 16
    s.table.hand[1], s.table.dropped[16], s.table.dropped_at = 1 << BUSH, 1 << CHUG, 1 << 16
    s.choose(1)
    board.pass_pawns(s.state, 0, 16, 0, s.rules)
    assert s.table.hand[0] == 1 << BUSH
    assert (s.table.dropped[16], s.table.dropped_at) == (1 << CHUG, 1 << 16)


@interpreted_only
@pytest.mark.parametrize(("has_landed", "victims"), [(0, 0b10), (0b10, 0)])
def test_F_R82_a_wall_protects_from_passing_only_whom_it_protects_from_shots(has_landed: int, victims: int) -> None:
    s = scene(2, honey_hitters_wall="protects", wall_without_landing="open")
    tiles.turn_tile(s.state, 0, 1, s.rules)
    s.table.space[1], s.table.landed = WALL, has_landed
    assert board.pawns_to_pass(s.table, 0, WALL, s.rules) == victims


@interpreted_only
def test_F_R48_a_lander_that_follows_has_landed_on_the_revealed_space() -> None:
    s = scene(2, flip_lander="follows", wall_without_landing="open", board__6__back="wall")
    s.table.space[0] = FLIP_OF_WALL_TILE
    board.land(s.state, 0, s.rules)
    assert s.table.landed == 1


@interpreted_only
@pytest.mark.parametrize(("reading", "targets"), [("own_side", 0b10), ("both_sides", 0)])
def test_F_R52_the_shadow_on_both_sides_hides_the_space_of_its_wall_too(reading: str, targets: int) -> None:
    s = scene(2, wall_corner=reading, wall_without_landing="open")
    tiles.turn_tile(s.state, 0, 1, s.rules)
    s.table.space[0], s.table.space[1] = JAIL, WALL
    assert in_sight(s.table, 0, JAIL, s.rules) == targets


@interpreted_only
@pytest.mark.parametrize(("n_cards", "is_offered"), [(2, True), (3, False)])
def test_F_R21_no_trade_of_sets_leaves_a_hand_beyond_its_limit(n_cards: int, is_offered: bool) -> None:
    s = scene(2, trade="fair_sets")
    for seat, locations in ((0, (SANCTUARY, DEAR)), (1, (ITS_PARTNER, ITS_MATE))):
        for location in locations:
            give_location(s.state, seat, location, s.rules)
    s.table.hand[0] = sum(1 << card for card in (BUSH, CHUG, PIZZA)[:n_cards])
    assert (trading.wanted(s.table, 0, s.rules) != 0) is is_offered


@pytest.mark.bounds
def test_F_R12_a_die_that_nobody_can_win_the_start_with_is_rolled_once() -> None:
    ruleset = GAME.load().resolve({"number_die_faces": 1})
    for n_seats in SEAT_COUNTS:
        assert compare(ruleset, n_seats, range(FIRST_PLAYOUT, FIRST_PLAYOUT + 5)) == ""
    events = told(1000, "leader", 3, number_die_faces=1).events
    assert [event[1:4] for event in events if event[0] == Event.START_ROLL] == [(seat, 1, 0) for seat in range(3)]
    assert next(event[1] for event in events if event[0] == Event.TURN) == 0


@interpreted_only
@pytest.mark.parametrize(("start", "steps", "storm"), [(0, 1, 0), (30, 4, 1)])
def test_F_R17_the_mark_of_a_die_move_is_gone_even_if_the_mover_falls(start: int, steps: int, storm: int) -> None:
    s = scene(3)
    s.table.hp[0], s.table.space[0], s.table.storm = 1, start, storm
    give_location(s.state, 1, 0, s.rules)
    board.move(s.state, 0, steps, s.rules)
    assert not s.table.alive & 1
    assert s.table.is_die_move == 0
