"""One test per rule of fortnite, N-R38 to N-R60: loot, Storm, walls, the action die, elimination and the end."""

from __future__ import annotations

from typing import Any

import pytest

from sim.engine.contract import NOBODY, NONE_OPTION, WHOLE_WIN
from sim.engine.playing import begin_turn
from sim.games.fortnite.game import GAME
from sim.games.fortnite.phases.action import FIRST_WALL, act, use_crosshairs
from sim.games.fortnite.phases.items import open_window, use_item
from sim.games.fortnite.phases.landing import land
from sim.games.fortnite.phases.storm import draw_storm
from sim.games.fortnite.phases.turn import use_dice, use_number
from sim.games.fortnite.phases.walls import clear_last_stop, put_up, take_down, use_brick
from sim.games.fortnite.reach import BACKWARDS, STRIDE
from sim.games.fortnite.sight import in_sight, seen_from
from sim.games.fortnite.words import Decision, Event, Source, Symbol, WallDown
from sim.mechanics.claims import give_location, storm_location, storm_space
from sim.mechanics.health import fall_together, lose, pay
from sim.mechanics.words import FIRST_CARD_ITEM, ClaimOption, End, OrderOption, StormedBy
from tests.games.fortnite_support import Scene, card_number, interpreted_only, scene, storm_number, told

GO, JAIL, FREE_PARKING, GO_TO_JAIL = 0, 8, 16, 24
CAMPFIRE, CHEST, TOMATO, SNOBBY, TILTED = 2, 4, 5, 7, 31
FULL = 15
ALL_FACES = ("bandages", "crosshairs", "boogie_bomb", "brick")


def put(place: Scene, seat: int, space: int, hp: int = 10) -> None:
    """Put a pawn somewhere with some HP."""
    place.table.space[seat] = space
    place.table.hp[seat] = hp


def table(*spaces: int, **changes: Any) -> Scene:
    """Return a table with a pawn of 10 HP on each space, seat 0 first."""
    place = scene(len(spaces), **changes)
    for seat, space in enumerate(spaces):
        put(place, seat, space)
    return place


def give(place: Scene, seat: int, *names: str) -> list[int]:
    """Give a seat loot cards and return their physical numbers."""
    cards = [card_number(name) for name in names]
    for card in cards:
        place.table.hand[seat] |= 1 << card
    return cards


def item(name: str) -> int:
    """Return the item number of a loot card."""
    return FIRST_CARD_ITEM + card_number(name)


def go(place: Scene, steps: int) -> None:
    """Move seat 0 by the number die."""
    place.table.number = steps
    use_number(place.state, 0, place.rules)


def lost(place: Scene, seat: int) -> int:
    """Return how many HP a seat of 10 HP has lost."""
    return 10 - int(place.table.hp[seat])


def options_of(place: Scene, decision: Decision) -> set[int]:
    """Return the legal options of the last decision of a kind."""
    masks = [event[4] for event in place.events(Event.DECISION) if event[2] == decision]
    return {bit for bit in range(NONE_OPTION + 1) if masks[-1] >> bit & 1} if masks else set()


@interpreted_only
def test_N_R38_one_time_cards_go_under_the_deck_and_the_others_are_kept() -> None:
    for reading, kept in (("kept", True), ("one_time", False)):
        place = table(1, 3, stink_type=reading)
        (stink,) = give(place, 0, "stink_bomb")
        place.choose(FIRST_CARD_ITEM + stink)
        use_crosshairs(place.state, 0, place.rules)
        assert (place.table.hand[0] != 0) == kept
        assert place.state.hidden.loot.size == (not kept)


@interpreted_only
def test_N_R39_several_items_in_one_turn_are_combined() -> None:
    for reading, amount in (("max", 4), ("sum", 7)):
        place = table(1, 20, crosshairs_stack=reading)
        give(place, 0, "shoot_wherever", "epic_weapon", "legendary_weapon")
        place.choose(item("shoot_wherever"), item("epic_weapon"), item("legendary_weapon"))
        use_crosshairs(place.state, 0, place.rules)
        assert lost(place, 1) == amount


@interpreted_only
def test_N_R39_a_stink_bomb_hits_all_in_sight_instead_of_the_shot_or_besides() -> None:
    for reading, losses in (("instead", [3, 3, 0]), ("in_addition", [4, 3, 0])):
        place = table(1, 3, 5, 12, stink_add=reading)
        give(place, 0, "stink_bomb")
        place.choose(item("stink_bomb"), 1)
        use_crosshairs(place.state, 0, place.rules)
        assert [lost(place, seat) for seat in (1, 2, 3)] == losses


@interpreted_only
def test_N_R39_a_clinger_hits_all_on_a_space_and_the_thrower_by_one_reading() -> None:
    for reading, loss in (("hit", 4), ("spared", 0)):
        place = table(CHEST, CHEST, 5, clinger_self=reading)
        (card,) = give(place, 0, "clinger")
        place.choose(CHEST)
        use_item(place.state, 0, card, place.rules)
        assert [lost(place, seat) for seat in range(3)] == [loss, 4, 0]


@interpreted_only
def test_N_R39_a_bouncer_moves_a_pawn_which_lands_there() -> None:
    place = table(1, 18)
    (card,) = give(place, 0, "bouncer")
    place.choose(STRIDE + BACKWARDS + 1 - 1, ClaimOption.CLAIM)
    use_item(place.state, 0, card, place.rules)
    assert place.table.space[1] == 17
    assert place.table.owner[8] == 1
    assert options_of(place, Decision.BOUNCER) == set(range(16))


@interpreted_only
@pytest.mark.parametrize(
    ("changes", "options"),
    [
        ({}, {*range(8), *range(8, 16)}),
        ({"bouncer_direction": "forward"}, {*range(4), *range(8, 12)}),
        ({"bouncer_self": "others_only"}, set(range(8, 16))),
        ({"bouncer_wall_target": "immune"}, set(range(8))),
        ({"bouncer_jailed": "movable"}, set(range(24))),
    ],
)
def test_N_R39_whom_a_bouncer_may_move_and_where(changes: dict[str, str], options: set[int]) -> None:
    place = table(1, 18, JAIL, **changes)
    place.table.jailed[2] = 1
    put_up(place.state, 0, 18)
    (card,) = give(place, 0, "bouncer")
    place.choose(min(options))
    use_item(place.state, 0, card, place.rules)
    assert options_of(place, Decision.BOUNCER) == options


@interpreted_only
@pytest.mark.parametrize(
    ("reading", "moved", "gain", "due"),
    [
        ("bonus_only", 0, 2, 0b01),
        ("bonus_only", 1, 2, 0),
        ("bonus_and_card", 1, 2, 0b10),
        ("nothing", 0, 0, 0),
        ("nothing", 1, 0, 0),
    ],
)
def test_N_R39_a_bouncer_over_go(reading: str, moved: int, gain: int, due: int) -> None:
    place = table(30, 30, bouncer_go=reading)
    (card,) = give(place, 0, "bouncer")
    place.choose(moved * STRIDE + 2 - 1)
    use_item(place.state, 0, card, place.rules)
    assert place.table.space[moved] == GO
    assert place.table.hp[moved] == 10 + gain
    assert place.table.go_due == due


@interpreted_only
def test_N_R39_a_bouncer_sends_to_jail_with_all_that_follows() -> None:
    place = table(1, 22)
    place.state.hidden.storm.size = 1
    place.state.hidden.storm.order[0] = storm_number("go")
    (card,) = give(place, 0, "bouncer")
    place.choose(STRIDE + 2 - 1)
    use_item(place.state, 0, card, place.rules)
    assert place.table.space[1] == JAIL
    assert place.table.jailed[1] == 1
    assert place.events(Event.STORM_CARD)[0][1] == 1
    assert place.table.storm == 1 << GO


@interpreted_only
def test_N_R40_items_are_saved_until_wanted_and_used_in_ones_own_turn() -> None:
    place = table(1, 3)
    (card,) = give(place, 0, "med_kit")
    place.choose(NONE_OPTION)
    open_window(place.state, 0, place.rules)
    assert place.table.hand[0] == 1 << card
    place.choose(item("med_kit"))
    open_window(place.state, 0, place.rules)
    assert place.table.hp[0] == FULL
    assert place.table.hand[0] == 0
    assert place.state.hidden.loot.order[0] == card
    active = NOBODY
    for kind, seat, *_ in told(trade="never").events:
        active = seat if kind == Event.TURN else active
        assert kind != Event.USE or seat == active


@interpreted_only
def test_N_R40_items_in_jail_by_one_reading() -> None:
    for reading, asks in (("allowed", True), ("forbidden", False)):
        place = table(JAIL, 3, jail_items=reading)
        place.table.jailed[0] = 1
        give(place, 0, "med_kit")
        open_window(place.state, 0, place.rules)
        assert bool(place.events(Event.DECISION)) == asks


@interpreted_only
def test_N_R41_a_health_item_drawn_at_15_hp_is_kept() -> None:
    place = table(CHEST, 3)
    place.table.hp[0] = FULL
    place.state.hidden.loot.size = 1
    place.state.hidden.loot.order[0] = card_number("chug_jug")
    land(place.state, 0, place.rules)
    open_window(place.state, 0, place.rules)
    assert place.table.hand[0] == 1 << card_number("chug_jug")
    place.table.hp[0] = 3
    open_window(place.state, 0, place.rules)
    assert place.table.hp[0] == FULL


def storm_card(place: Scene, name: str, *choices: int) -> None:
    """Let seat 0 draw a certain Storm card."""
    place.state.hidden.storm.size = 1
    place.state.hidden.storm.order[place.state.hidden.storm.top] = storm_number(name)
    place.choose(*choices)
    draw_storm(place.state, 0, place.rules)


@interpreted_only
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("campfire", {2, 10, 18, 26}),
        ("location", {*range(1, 32, 2)} - {1}),
        ("own_location", {5}),
    ],
)
def test_N_R42_the_drawer_chooses_a_space_of_the_cards_kind(name: str, options: set[int]) -> None:
    place = table(0, 0)
    storm_location(place.state, 0, StormedBy.CARD, NOBODY, place.rules)
    give_location(place.state, 0, 2, place.rules)
    storm_card(place, name, max(options))
    assert place.table.storm >> max(options) & 1
    if len(options) > 1:
        assert options_of(place, Decision.STORM_SPACE) == options
    assert place.table.owner[2] == (NOBODY if name == "own_location" else 0)


@interpreted_only
def test_N_R42_the_highest_and_the_lowest_value_by_board_order_or_the_drawer() -> None:
    for name, space, tied in (("highest", 31, {25, 27, 29, 31}), ("lowest", 1, {1, 3, 5, 7})):
        place = table(0, 0)
        storm_card(place, name)
        assert place.table.storm == 1 << space
        place = table(0, 0, value_tie="drawer")
        storm_card(place, name, min(tied))
        assert options_of(place, Decision.STORM_SPACE) == tied


@interpreted_only
@pytest.mark.parametrize(
    ("reading", "owner", "storm"),
    [("owner_loses", NOBODY, 1 << 31), ("owner_keeps", 1, 1 << 31), ("unclaimed_only", 1, 1 << 29)],
)
def test_N_R42_the_storm_and_claimed_locations(reading: str, owner: int, storm: int) -> None:
    place = table(0, 0, storm_claimed=reading)
    give_location(place.state, 1, 15, place.rules)
    storm_card(place, "highest")
    assert place.table.owner[15] == owner
    assert place.table.storm == storm


@interpreted_only
def test_N_R42_everyone_rolls_and_the_card_stays_in_play_by_readings() -> None:
    for reading, rolls, size in (("under_deck", 3, 1), ("blank", 0, 0), ("reshuffle", 3, 1)):
        place = table(0, 0, 0, storm_dice=reading)
        storm_card(place, "dice")
        assert len(place.events(Event.TABLE_ROLL)) == rolls
        for _, seat, number, *_ in place.events(Event.TABLE_ROLL):
            assert lost(place, seat) == number
        assert place.state.hidden.storm.size == size


@interpreted_only
def test_N_R42_a_card_without_a_space_to_take_is_skipped_or_followed_by_the_next() -> None:
    for reading, drawn in (("skip", 1), ("next_card", 2)):
        place = table(0, 0, storm_none=reading)
        for space in (2, 10, 18, 26):
            storm_space(place.state, space, place.rules)
        place.state.hidden.storm.size = 2
        place.state.hidden.storm.order[0] = storm_number("campfire")
        place.state.hidden.storm.order[1] = storm_number("go")
        draw_storm(place.state, 0, place.rules)
        assert len(place.events(Event.STORM_CARD)) == drawn


@interpreted_only
def test_N_R42_an_empty_deck_gives_nothing_or_is_made_of_the_cards_that_are_out() -> None:
    for reading, drawn in (("nothing", 1), ("reshuffle", 2)):
        place = table(0, 0, storm_empty=reading)
        storm_card(place, "highest")
        draw_storm(place.state, 0, place.rules)
        assert len(place.events(Event.STORM_CARD)) == drawn
        assert place.state.hidden.storm.size == 0


@interpreted_only
def test_N_R43_a_stormed_space_that_is_no_location_costs_2() -> None:
    for space in (CAMPFIRE, CHEST, 6, FREE_PARKING, GO_TO_JAIL):
        place = table(space, 0)
        storm_space(place.state, space, place.rules)
        land(place.state, 0, place.rules)
        assert lost(place, 0) == 2


@interpreted_only
def test_N_R44_the_action_of_a_stormed_space_is_not_carried_out() -> None:
    for space in (CHEST, GO_TO_JAIL, TOMATO):
        place = table(space, 0)
        place.state.hidden.loot.size = 1
        place.table.storm |= 1 << space
        land(place.state, 0, place.rules)
        assert {event[0] for event in place.events()} == {Event.HP}


def test_N_R45_what_is_stormed_stays_stormed_and_is_not_stormed_again() -> None:
    for playout in range(1000, 1010):
        spaces = [event[2] for event in told(playout).events if event[0] == Event.STORM]
        assert len(spaces) == len(set(spaces))


@interpreted_only
def test_N_R46_who_stands_on_a_space_that_the_storm_takes_loses_nothing() -> None:
    place = table(TILTED, TILTED)
    storm_card(place, "highest")
    assert place.table.storm == 1 << TILTED
    assert place.events(Event.HP) == []
    assert lost(place, 0) == lost(place, 1) == 0


def walled(*spaces: int, **changes: Any) -> Scene:
    """Return a table with seat 0 on a campfire and walls on some spaces."""
    place = table(CAMPFIRE, 20, **changes)
    for space in spaces:
        put_up(place.state, 1, space)
    place.state.hidden.n_events = 0
    return place


@interpreted_only
def test_N_R47_a_wall_ends_the_movement_whoever_built_it() -> None:
    place = walled(TOMATO, claim="mandatory")
    go(place, 5)
    assert place.table.space[0] == TOMATO
    assert place.events(Event.STOPPED) == [(Event.STOPPED, 0, TOMATO, 0, 0)]


@interpreted_only
def test_N_R47_the_turn_ends_or_the_pawn_stops_before_the_wall_by_readings() -> None:
    place = walled(TOMATO, wall_turn="whole_turn")
    go(place, 5)
    assert place.table.turn_over == 1
    place = walled(TOMATO, wall_space="before_it")
    go(place, 5)
    assert place.table.space[0] == TOMATO - 1
    assert place.table.walls == 0
    place = walled(CAMPFIRE + 1, wall_space="before_it")
    go(place, 5)
    assert place.table.space[0] == CAMPFIRE
    assert {event[0] for event in place.events()} == {Event.MOVE, Event.STOPPED, Event.WALL_DOWN}


@interpreted_only
def test_N_R47_a_bouncer_is_stopped_or_not() -> None:
    for reading, space in (("stops", 19), ("passes", 18)):
        place = walled(19, bouncer_wall_stop=reading)
        (card,) = give(place, 0, "bouncer")
        place.choose(STRIDE + BACKWARDS + 2 - 1, ClaimOption.CLAIM)
        use_item(place.state, 0, card, place.rules)
        assert place.table.space[1] == space
        assert (place.table.walls == 0) == (reading == "stops")


@interpreted_only
def test_N_R48_the_space_is_carried_out_and_then_the_wall_returns_to_the_pile() -> None:
    place = walled(TOMATO, claim="mandatory")
    go(place, 5)
    kinds = [event[0] for event in place.events()]
    assert kinds == [Event.MOVE, Event.STOPPED, Event.CLAIM, Event.WALL_DOWN]
    assert place.table.walls == 0
    assert place.table.pile == 8


@interpreted_only
def test_N_R48_the_wall_stays_until_the_next_turn_by_one_reading() -> None:
    place = walled(TOMATO, wall_stop="stays")
    go(place, 5)
    assert place.table.walls == 1 << TOMATO
    clear_last_stop(place.state, 0)
    assert place.events(Event.WALL_DOWN)[0][2:4] == (TOMATO, WallDown.AFTER_STOP)
    assert place.table.walls == 0


@interpreted_only
def test_N_R48_a_wall_stands_when_its_space_is_left_or_falls() -> None:
    for reading, left in (("stays", 1 << CAMPFIRE), ("falls", 0)):
        place = walled(CAMPFIRE, wall_leave=reading)
        go(place, 2)
        assert place.table.walls == left


@interpreted_only
def test_N_R49_a_wall_protects_from_action_die_and_loot() -> None:
    place = table(1, 3, 5)
    put_up(place.state, 1, 3)
    assert in_sight(place.table, 0, 1, place.rules) == 0b100
    act(place.state, 0, Symbol.BOOGIE_BOMB, place.rules)
    assert [lost(place, seat) for seat in (1, 2)] == [0, 1]
    for symbol, name in ((Symbol.CROSSHAIRS, "stink_bomb"), (None, "clinger")):
        place = table(1, 3, 5)
        put_up(place.state, 1, 3)
        (card,) = give(place, 0, name)
        if symbol is None:
            place.choose(3)
            use_item(place.state, 0, card, place.rules)
        else:
            place.choose(FIRST_CARD_ITEM + card)
            act(place.state, 0, symbol, place.rules)
        assert lost(place, 1) == 0
        assert place.table.walls == 0


@interpreted_only
def test_N_R49_a_wall_does_not_protect_by_other_readings() -> None:
    place = table(1, 3, wall_boogie="no_protection", clinger_wall="no_protection")
    put_up(place.state, 1, 3)
    act(place.state, 0, Symbol.BOOGIE_BOMB, place.rules)
    put_up(place.state, 1, 3)
    (card,) = give(place, 0, "clinger")
    place.choose(3)
    use_item(place.state, 0, card, place.rules)
    assert lost(place, 1) == 1 + 4
    assert place.table.walls == 0


@interpreted_only
def test_N_R50_a_wall_in_reach_may_be_shot_like_a_player() -> None:
    place = table(1, 3)
    put_up(place.state, 1, 6)
    put_up(place.state, 1, 20)
    place.choose(FIRST_WALL + 6)
    use_crosshairs(place.state, 0, place.rules)
    assert options_of(place, Decision.TARGET) == {1, FIRST_WALL + 6}
    assert place.table.walls == 1 << 20
    assert lost(place, 1) == 0
    give(place, 0, "shoot_wherever")
    place.choose(item("shoot_wherever"), FIRST_WALL + 20)
    use_crosshairs(place.state, 0, place.rules)
    assert place.table.walls == 0
    assert place.events(Event.WALL_DOWN)[-1][2:4] == (20, WallDown.ATTACKED)


@interpreted_only
def test_N_R50_several_walls_are_taken_down_one_by_one() -> None:
    place = table(1, 3, wall_stack="several")
    put_up(place.state, 1, 6)
    put_up(place.state, 1, 6)
    take_down(place.state, 6, WallDown.ATTACKED)
    assert place.table.walls == 1 << 6
    act(place.state, 0, Symbol.BOOGIE_BOMB, place.rules)
    assert place.table.walls == 0


@interpreted_only
def test_N_R51_the_worked_example_of_the_wall_moving_first() -> None:
    place = table(CAMPFIRE, SNOBBY - 1, claim="mandatory")
    storm_location(place.state, 2, StormedBy.CARD, NOBODY, place.rules)
    put_up(place.state, 1, TOMATO)
    go(place, 5)
    assert place.table.space[0] == TOMATO
    assert lost(place, 0) == 2
    assert place.table.walls == 0
    use_crosshairs(place.state, 0, place.rules)
    assert lost(place, 1) == 1


@interpreted_only
def test_N_R51_the_worked_example_of_the_wall_shooting_first() -> None:
    place = table(CAMPFIRE, SNOBBY - 1, claim="mandatory")
    storm_location(place.state, 2, StormedBy.CARD, NOBODY, place.rules)
    put_up(place.state, 1, TOMATO)
    place.choose(FIRST_WALL + TOMATO)
    use_crosshairs(place.state, 0, place.rules)
    go(place, 5)
    assert place.table.space[0] == SNOBBY
    assert lost(place, 0) == lost(place, 1) == 0
    assert place.table.owner[3] == 0


@interpreted_only
def test_N_R51_the_leader_shoots_the_wall_of_the_example_and_moves_first_does_not() -> None:
    for habit, owner in ((0, 0), (1, NOBODY)):
        faces = {f"action_die__{face}": 6 * (face == "crosshairs") for face in ALL_FACES}
        place = table(CAMPFIRE, SNOBBY - 1, claim="mandatory", **faces)
        place.table.parameter[0, 3] = habit
        storm_location(place.state, 2, StormedBy.CARD, NOBODY, place.rules)
        put_up(place.state, 1, TOMATO)
        begin_turn(place.state, 0)
        place.table.number = 5
        use_dice(place.state, 0, place.rules)
        assert place.table.owner[3] == owner


@interpreted_only
def test_N_R52_bandages_give_2_up_to_15() -> None:
    for hp, left in ((10, 12), (14, 15)):
        place = table(1, 3)
        place.table.hp[0] = hp
        act(place.state, 0, Symbol.BANDAGES, place.rules)
        assert place.table.hp[0] == left


@interpreted_only
def test_N_R53_crosshairs_cost_one_chosen_player_in_sight_1() -> None:
    for names, amount in (((), 1), (("rare_weapon",), 2), (("epic_weapon",), 3), (("legendary_weapon",), 4)):
        place = table(1, 3, 5, 20)
        give(place, 0, *names)
        place.choose(*(item(name) for name in names), 2)
        use_crosshairs(place.state, 0, place.rules)
        assert options_of(place, Decision.TARGET) == {1, 2}
        assert [lost(place, seat) for seat in (1, 2, 3)] == [0, amount, 0]


@interpreted_only
def test_N_R53_a_shot_may_be_let_lapse_by_one_reading() -> None:
    for reading, options in (("must_shoot", {1, 2}), ("may_pass", {1, 2, NONE_OPTION})):
        place = table(1, 3, 5, crosshairs_duty=reading)
        use_crosshairs(place.state, 0, place.rules)
        assert options_of(place, Decision.TARGET) == options


@interpreted_only
def test_N_R54_one_sees_ones_side_and_from_a_corner_two() -> None:
    place = table(1, 3)
    assert {space for space in range(32) if seen_from(place.table, 10, place.rules) >> space & 1} == set(range(8, 17))
    assert {space for space in range(32) if seen_from(place.table, 8, place.rules) >> space & 1} == set(range(17))
    pairs = sum(int(seen_from(place.table, space, place.rules)).bit_count() for space in range(32))
    assert pairs * 16 == 5 * 32 * 32


@interpreted_only
def test_N_R54_sight_by_other_readings() -> None:
    place = table(1, 3, wall_sight="blocks", sight_same_space="hidden")
    put_up(place.state, 1, GO)
    put_up(place.state, 1, 30)
    put_up(place.state, 1, 4)
    assert {space for space in range(32) if seen_from(place.table, 2, place.rules) >> space & 1} == {0, 1, 3, 4}
    assert {space for space in range(32) if seen_from(place.table, 31, place.rules) >> space & 1} == {30, 0}
    place = table(JAIL, JAIL, 10, jail_sight="hidden")
    place.table.jailed[1] = 1
    assert in_sight(place.table, 0, JAIL, place.rules) == 0b100
    assert in_sight(place.table, 1, JAIL, place.rules) == 0


@interpreted_only
def test_N_R55_a_boogie_bomb_costs_all_others_1_and_clears_all_walls() -> None:
    place = table(1, 10, 20)
    for space in (5, 12, 30):
        put_up(place.state, 1, space)
    act(place.state, 0, Symbol.BOOGIE_BOMB, place.rules)
    assert [lost(place, seat) for seat in range(3)] == [0, 1, 1]
    assert place.table.walls == 0
    assert place.table.pile == 8


@interpreted_only
def test_N_R55_a_bush_saves_its_holder_and_by_one_reading_its_wall() -> None:
    for reading, left in (("hp_only", 0), ("keeps_walls", 1 << 10)):
        place = table(1, 10, 20, bush=reading, wall_boogie="no_protection")
        give(place, 1, "bush")
        for space in (10, 20):
            put_up(place.state, 1, space)
        act(place.state, 0, Symbol.BOOGIE_BOMB, place.rules)
        assert [lost(place, seat) for seat in (1, 2)] == [0, 1]
        assert place.table.walls == left


@interpreted_only
@pytest.mark.parametrize(
    ("changes", "spaces"),
    [
        ({}, {*range(6), NONE_OPTION}),
        ({"wall_landing": "not_on_landing"}, {*range(5), NONE_OPTION}),
        ({"wall_duty": "must_build"}, set(range(6))),
    ],
)
def test_N_R56_the_worked_example_of_the_brick(changes: dict[str, str], spaces: set[int]) -> None:
    place = table(GO, 20, claim="mandatory", **changes)
    go(place, 5)
    place.choose(GO)
    use_brick(place.state, 0, place.rules)
    assert options_of(place, Decision.WALL) == spaces
    assert place.table.walls == 1 << GO
    assert place.table.pile == 7


@interpreted_only
def test_N_R56_a_brick_comes_after_the_move_or_before_it_by_one_reading() -> None:
    faces = {f"action_die__{face}": 6 * (face == "brick") for face in ALL_FACES}
    place = table(GO, 20, claim="mandatory", **faces)
    begin_turn(place.state, 0)
    use_dice(place.state, 0, place.rules)
    assert options_of(place, Decision.ORDER) == set()
    place = table(GO, 20, claim="mandatory", brick_order="free", **faces)
    begin_turn(place.state, 0)
    place.table.number = 3
    place.choose(OrderOption.ACTION_FIRST, 1)
    use_dice(place.state, 0, place.rules)
    assert options_of(place, Decision.WALL) == {0, 1, 2, 3, NONE_OPTION}
    assert place.table.space[0] == 1


@interpreted_only
@pytest.mark.parametrize(
    ("reading", "spaces"),
    [("walked", {22, 23, 24, 62}), ("jail_too", {8, 22, 23, 24, 62}), ("none", set())],
)
def test_N_R56_the_path_of_a_pawn_sent_to_jail(reading: str, spaces: set[int]) -> None:
    place = table(22, 3, brick_jail=reading)
    go(place, 2)
    use_brick(place.state, 0, place.rules)
    assert options_of(place, Decision.WALL) == spaces


@interpreted_only
def test_N_R56_one_wall_a_space_and_eight_in_all_unless_readings_differ() -> None:
    for stack, options in (("one", {2, 62}), ("several", {1, 2, 62})):
        place = table(1, 20, wall_stack=stack)
        put_up(place.state, 0, 1)
        go(place, 1)
        use_brick(place.state, 0, place.rules)
        assert options_of(place, Decision.WALL) == options
    for supply, built in (("no_build", False), ("move_old", True)):
        place = table(1, 20, wall_supply=supply)
        for space in range(10, 18):
            put_up(place.state, 0, space)
        go(place, 1)
        place.choose(2, 12)
        use_brick(place.state, 0, place.rules)
        assert (place.table.walls >> 2 & 1 == 1) == built
        assert (place.table.walls >> 12 & 1 == 0) == built


@interpreted_only
def test_N_R57_losing_the_last_hp_eliminates_at_once() -> None:
    place = table(1, 3, 5)
    pay(place.state, 1, 12, Source.TOLL, place.rules)
    assert place.table.alive == 0b101
    assert place.table.hp[1] == 0
    assert place.events(Event.FALL) == [(Event.FALL, 1, 1, 3, 0)]


@interpreted_only
def test_N_R58_the_next_to_pass_or_land_takes_the_loot() -> None:
    place = table(1, 3, 20, claim="mandatory")
    (card,) = give(place, 1, "bush")
    pay(place.state, 1, 10, Source.TOLL, place.rules)
    assert place.table.dropped[3] == 1 << card
    go(place, 5)
    assert place.events(Event.PICK_UP) == [(Event.PICK_UP, 0, card, 3, 0)]
    assert place.table.hand[0] == 1 << card


@interpreted_only
def test_N_R58_a_pawn_moved_in_anothers_turn_picks_up_or_not() -> None:
    for reading, taken in (("any_movement", True), ("own_turn", False)):
        place = table(1, 18, loot_pickup=reading, claim="mandatory")
        place.table.dropped[19] = 1
        place.table.dropped_at = 1 << 19
        (card,) = give(place, 0, "bouncer")
        place.choose(STRIDE + 2 - 1)
        use_item(place.state, 0, card, place.rules)
        assert (place.table.hand[1] & 1 == 1) == taken


@interpreted_only
def test_N_R58_loot_dropped_in_jail_is_for_anyone_or_the_jailed() -> None:
    for reading, taken in (("anyone", True), ("jailed_only", False)):
        place = table(7, JAIL, 20, drop_in_jail=reading)
        place.table.jailed[1] = 1
        (card,) = give(place, 1, "bush")
        pay(place.state, 1, 10, Source.TOLL, place.rules)
        go(place, 1)
        assert (place.table.hand[0] == 1 << card) == taken
        put(place, 0, GO_TO_JAIL)
        land(place.state, 0, place.rules)
        assert place.table.hand[0] == 1 << card


@interpreted_only
def test_N_R59_the_locations_of_the_eliminated_go_to_the_storm() -> None:
    place = table(1, 3, 5)
    for location in (2, 15):
        give_location(place.state, 1, location, place.rules)
    pay(place.state, 1, 10, Source.TOLL, place.rules)
    assert place.table.storm == 1 << TOMATO | 1 << TILTED
    assert place.table.owner[2] == place.table.owner[15] == NOBODY
    assert lost(place, 2) == 0


@interpreted_only
def test_N_R60_the_game_ends_with_one_player_left() -> None:
    place = table(1, 3, 5)
    pay(place.state, 1, 10, Source.TOLL, place.rules)
    assert place.events(Event.END) == []
    pay(place.state, 0, 10, Source.TOLL, place.rules)
    assert place.events(Event.END) == [(Event.END, 2, End.WON, 0, 0)]


@interpreted_only
@pytest.mark.parametrize(
    ("reading", "winners"), [("draw", 0b011), ("turn_player_loses", 0b010), ("lowest_debt", 0b001)]
)
def test_N_R60_the_last_two_fall_together(reading: str, winners: int) -> None:
    place = table(1, 3, double_knock_out=reading)
    lose(place.state, 0, 11, Source.STORM_CARD, place.rules)
    lose(place.state, 1, 13, Source.STORM_CARD, place.rules)
    fall_together(place.state, place.rules)
    assert place.table.winners == winners


def test_N_R60_payoffs_of_a_won_playout_are_one_win() -> None:
    recording = told(n_seats=7)
    assert recording.row.payoff.sum() == WHOLE_WIN
    assert recording.events[-1][0] == Event.END


def test_the_board_and_the_decks_are_those_of_the_box() -> None:
    tables = GAME.load().resolve({}).tables
    kinds = [str(row["kind"]) for row in tables["board"]]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "location": 16,
        "campfire": 4,
        "chest": 4,
        "trap": 4,
        "go": 1,
        "jail": 1,
        "free_parking": 1,
        "go_to_jail": 1,
    }
    assert [kinds[side + step] for side in (0, 8, 16, 24) for step in range(1, 8)] == [
        "location",
        "campfire",
        "location",
        "chest",
        "location",
        "trap",
        "location",
    ] * 4
    for name, size in (("cards", 16), ("storm", 15), ("action_die", 6)):
        assert sum(int(row["copies"]) for row in tables[name]) == size
