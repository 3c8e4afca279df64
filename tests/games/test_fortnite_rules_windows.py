"""Rules of fortnite about moments and walls: trades at any time, what may lapse, walls that need not be shot."""

from __future__ import annotations

from typing import Any

import pytest

from sim.engine.contract import NONE_OPTION
from sim.games.fortnite.game import GAME
from sim.games.fortnite.phases.action import FIRST_WALL, act, use_crosshairs
from sim.games.fortnite.phases.items import use_item
from sim.games.fortnite.phases.storm import draw_what_is_due
from sim.games.fortnite.phases.turn import take_turn, use_number
from sim.games.fortnite.phases.walls import put_up
from sim.games.fortnite.reach import BACKWARDS
from sim.games.fortnite.words import Decision, Event, JailOption, Symbol
from sim.mechanics.claims import give_location, storm_space
from sim.mechanics.words import FIRST_CARD_ITEM, ActionOption, OrderOption
from tests.games.fortnite_support import Scene, card_number, interpreted_only, scene

GO, JAIL, GO_TO_JAIL, N_SPACES = 0, 8, 24, 32
STINK, BOUNCER, CHUG = (card_number(name) for name in ("stink_bomb", "bouncer", "chug_jug"))
ALL_FACES = ("bandages", "crosshairs", "boogie_bomb", "brick", "blank")


def table(*spaces: int, **changes: Any) -> Scene:
    """Return a table with a pawn of 10 HP on each space, seat 0 first."""
    place = scene(len(spaces), **changes)
    for seat, space in enumerate(spaces):
        place.table.space[seat], place.table.hp[seat] = space, 10
    return place


def only_face(name: str) -> dict[str, int]:
    """Return an action die that shows one face only, and a number die that shows 1 only."""
    return {f"action_die.{face}": 6 * (face == name) for face in ALL_FACES} | {"number_die_faces": 1}


def only_storm(name: str) -> dict[str, int]:
    """Return a Storm deck with one kind of card only."""
    storms = [str(row["storm"]) for row in GAME.load().resolve({}).tables["storm"]]
    return {f"storm.{storm}.copies": 2 * (storm == name) for storm in storms}


def build(place: Scene, *spaces: int) -> None:
    """Put up walls."""
    for space in spaces:
        put_up(place.state, 0, space)


def decisions_of(place: Scene) -> list[int]:
    """Return the kinds of the decisions asked."""
    return [event[2] for event in place.events(Event.DECISION)]


def options_of(place: Scene, decision: Decision) -> set[int]:
    """Return the legal options of the last decision of a kind."""
    mask = [event[4] for event in place.events(Event.DECISION) if event[2] == decision][-1]
    return {bit for bit in range(NONE_OPTION + 1) if mask >> bit & 1}


@interpreted_only
@pytest.mark.parametrize(
    ("spaces", "options"),
    [
        ((4, 20, 21), {FIRST_WALL + 4, FIRST_WALL + 6, NONE_OPTION}),  # nobody in sight: no wall need be shot
        ((4, 1, 21), {1, FIRST_WALL + 4, FIRST_WALL + 6}),  # somebody: one must shoot, perhaps at a wall
    ],
)
def test_N_R53_one_must_shoot_only_with_a_player_within_reach(spaces: tuple[int, ...], options: set[int]) -> None:
    place = table(*spaces)
    build(place, 4, 6)
    place.choose(max(options))
    use_crosshairs(place.state, 0, place.rules)
    assert options_of(place, Decision.TARGET) == options


@interpreted_only
def test_N_R50_an_own_wall_alone_in_sight_need_not_be_shot() -> None:
    place = table(4, 20, 21)
    build(place, 4)
    place.choose(NONE_OPTION)
    use_crosshairs(place.state, 0, place.rules)
    assert place.table.walls == 1 << 4
    assert place.events(Event.NO_TARGET) == []


@interpreted_only
def test_N_R53_a_shot_that_reaches_nothing_is_told() -> None:
    place = table(4, 20, 21)
    use_crosshairs(place.state, 0, place.rules)
    assert place.events() == [(Event.NO_TARGET, 0, 0, 0, 0)]


@interpreted_only
@pytest.mark.parametrize(
    ("reading", "choices", "left"),
    [
        ("all", (), []),
        ("all_but_own", (), [4]),
        ("chosen", (NONE_OPTION,), [2, 4, 6]),
        ("chosen", (6, NONE_OPTION), [2, 4]),
        ("chosen", (4, 2, 6), []),
    ],
)
def test_N_R50_a_stink_bomb_takes_walls_down_by_the_readings(
    reading: str, choices: tuple[int, ...], left: list[int]
) -> None:
    place = table(4, 1, 21, stink_walls=reading)
    place.table.hand[0] = 1 << STINK
    build(place, 2, 4, 6)
    place.choose(FIRST_CARD_ITEM + STINK, *choices)
    use_crosshairs(place.state, 0, place.rules)
    assert [space for space in range(N_SPACES) if place.table.walls >> space & 1] == left
    assert place.table.hp[1] == 7


@interpreted_only
def test_N_R30_by_the_german_summary_a_stormed_jail_costs_2_and_jails() -> None:
    german = dict(GAME.load().resolve({}, "german").changes)
    place = table(22, 12, **german)
    storm_space(place.state, JAIL, place.rules)
    place.table.number = 2
    use_number(place.state, 0, place.rules)
    assert (place.table.hp[0], place.table.jailed[0], place.table.space[0]) == (8, 1, JAIL)
    assert place.table.turn_over == 1


@interpreted_only
@pytest.mark.parametrize(("reading", "n_asked"), [("turn_start", 1), ("any_time", 4)])
def test_N_R14_trades_are_possible_at_any_time_in_the_own_turn(reading: str, n_asked: int) -> None:
    place = table(1, 12, trade="valued", trade_moments=reading, **only_face("bandages"))
    give_location(place.state, 0, 2, place.rules)
    give_location(place.state, 1, 15, place.rules)
    none = (NONE_OPTION,) * (n_asked - 1)
    place.choose(*none[:2], NONE_OPTION, *none[2:])
    choices = [NONE_OPTION] if n_asked == 1 else [NONE_OPTION, NONE_OPTION]
    place.choose(*choices, OrderOption.NUMBER_FIRST, *([NONE_OPTION] * (n_asked - len(choices))), 0)
    take_turn(place.state, 0, place.rules)
    assert decisions_of(place).count(Decision.TRADE_WANT) == n_asked


@interpreted_only
@pytest.mark.parametrize("symbol", [Symbol.BANDAGES, Symbol.BOOGIE_BOMB])
@pytest.mark.parametrize("option", [ActionOption.LAPSE, ActionOption.TAKE])
def test_N_R12_bandages_and_the_boogie_bomb_may_lapse_by_one_reading(symbol: int, option: int) -> None:
    place = table(1, 12, action_duty="may_lapse")
    build(place, 20)
    place.choose(option)
    act(place.state, 0, symbol, place.rules)
    assert decisions_of(place) == [Decision.ACTION]
    is_taken = option == ActionOption.TAKE
    assert (place.events(Event.HP) != []) is is_taken
    assert (place.table.walls == 0) is (is_taken and symbol == Symbol.BOOGIE_BOMB)


@interpreted_only
@pytest.mark.parametrize(("reading", "is_asked"), [("may_leave", True), ("turn_over", False)])
def test_N_R32_whoever_is_jailed_before_the_roll_leaves_in_that_turn_by_one_reading(
    reading: str, is_asked: bool
) -> None:
    place = table(GO_TO_JAIL - 2, 12, jailed_before_roll=reading, **only_face("bandages"))
    place.table.hand[0] = 1 << BOUNCER
    place.choose(FIRST_CARD_ITEM + BOUNCER, 1, JailOption.PAY)
    take_turn(place.state, 0, place.rules)
    assert place.events(Event.JAILED) == [(Event.JAILED, 0, 0, 0, 0)]
    assert (Decision.JAIL in decisions_of(place)) is is_asked
    assert (place.events(Event.ROLL) != []) is is_asked


@interpreted_only
@pytest.mark.parametrize(("reading", "n_cards"), [("each", 2), ("one", 1)])
def test_N_R13_every_passing_of_go_is_worth_a_card_by_one_reading(reading: str, n_cards: int) -> None:
    place = table(N_SPACES - 1, 12, go_cards=reading, **only_storm("blank"))
    place.rules.storm_effect[0] = place.rules.storm_effect[1] = 0
    place.state.hidden.storm.size = 2
    place.table.number = 1
    use_number(place.state, 0, place.rules)
    place.table.space[0] = 1
    place.table.hand[0] = 1 << BOUNCER
    place.choose(BACKWARDS)
    use_item(place.state, 0, BOUNCER, place.rules)
    assert place.table.space[0] == GO
    draw_what_is_due(place.state, 0, place.rules)
    assert len(place.events(Event.STORM_CARD)) == n_cards


@interpreted_only
@pytest.mark.parametrize(("reading", "is_used"), [("end_turn", False), ("turn_goes_on", True)])
def test_N_R13_items_come_after_the_cards_of_the_turns_end_by_one_reading(reading: str, is_used: bool) -> None:
    place = table(N_SPACES - 1, 12, end_cards=reading, **only_face("blank"), **only_storm("go_to_jail"))
    place.table.hand[0] = 1 << CHUG
    place.state.hidden.storm.size = 1
    place.choose(*(NONE_OPTION for _window in range(4)), FIRST_CARD_ITEM + CHUG)
    take_turn(place.state, 0, place.rules)
    kinds = [event[0] for event in place.events()]
    assert Event.STORM_CARD in kinds
    assert (Event.USE in kinds[kinds.index(Event.STORM_CARD) :]) is is_used
