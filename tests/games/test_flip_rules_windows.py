"""Rules of flip about moments: windows for items and trades, what may lapse, what is drawn when, what is open."""

from __future__ import annotations

from typing import Any

import pytest

from sim.decks import put_under
from sim.engine.contract import NONE_OPTION
from sim.games.flip.phases.action import act, immune_seats
from sim.games.flip.phases.board import land, move
from sim.games.flip.phases.items import use_item
from sim.games.flip.phases.loot import offer_discard, pick_up
from sim.games.flip.phases.modes import draw_mode
from sim.games.flip.phases.turn import draw_what_is_due, take_turn
from sim.games.flip.words import Decision, Event, JailOption, Kind, Mode, Source, Symbol
from sim.mechanics.claims import give_location
from sim.mechanics.jail import put_in_jail
from sim.mechanics.start import roll_for_start
from sim.mechanics.trading import offer_trades, offered, trade_gain, wanted, wanted_besides
from sim.mechanics.words import FIRST_CARD_ITEM, ActionOption, Answer, Freed, OrderOption
from tests.games.flip_support import MODELESS, Scene, card_number, interpreted_only, scene

GO, JAIL, GO_TO_JAIL, N_SPACES = 0, 8, 24, 32
BUSH, PIZZA, MOVER, RIFLE, SHIELD = (
    card_number(name) for name in ("bush", "pizza_party", "bouncer", "slones_pulse_rifle", "storm_shield")
)
FACES = ("med_mist", "crosshairs", "boogie_bomb", "storm_surge", "blank")
FIRST_SET, SECOND_SET = (0, 1), (2, 3)


def item(card: int) -> int:
    """Return the item number of a loot card."""
    return FIRST_CARD_ITEM + card


def only_face(name: str) -> dict[str, int]:
    """Return an action die that shows one face only, and a number die that shows 1 only."""
    return {f"action_die.{face}": 6 * (face == name) for face in FACES} | {"number_die_faces": 1}


def decisions_of(place: Scene) -> list[int]:
    """Return the kinds of the decisions asked."""
    return [event[2] for event in place.events(Event.DECISION)]


def owners(place: Scene, *sets: tuple[int, ...]) -> None:
    """Let seats 0, 1, ... own locations."""
    for seat, locations in enumerate(sets):
        for location in locations:
            give_location(place.state, seat, location, place.rules)


@interpreted_only
def test_F_R74_freed_by_the_last_try_one_heals_before_the_move_onto_a_trap() -> None:
    place = scene(2, jail_tries=1, jail_roll=7, **only_face("blank"))
    place.rules.kind[0, JAIL + 1], place.rules.amount[0, JAIL + 1] = Kind.TRAP, 3
    put_in_jail(place.state, 0, place.rules)
    place.table.space[0], place.table.hp[0], place.table.hand[0] = JAIL, 2, 1 << PIZZA
    place.choose(item(PIZZA))
    take_turn(place.state, 0, place.rules)
    told_kinds = [event[0] for event in place.events()]
    assert told_kinds.index(Event.FREED) < told_kinds.index(Event.USE) < told_kinds.index(Event.MOVE)
    assert place.table.hp[0] == 15 - 3


@interpreted_only
def test_F_R74_one_time_items_may_be_used_after_the_roll_and_before_the_first_die() -> None:
    place = scene(2, **only_face("crosshairs"))
    place.table.hp[0], place.table.hand[0] = 3, 1 << PIZZA
    place.choose(NONE_OPTION, item(PIZZA), OrderOption.NUMBER_FIRST)
    take_turn(place.state, 0, place.rules)
    kinds = [event[0] for event in place.events()]
    assert kinds.index(Event.ROLL) < kinds.index(Event.USE) < kinds.index(Event.MOVE)
    assert decisions_of(place)[:3] == [Decision.USE_ITEM, Decision.USE_ITEM, Decision.ORDER]


@interpreted_only
def test_F_R74_a_window_costs_no_question_where_nobody_holds_a_one_time_item() -> None:
    place = scene(2, **only_face("blank"))
    place.table.hand[0] = 1 << BUSH
    take_turn(place.state, 0, place.rules)
    assert decisions_of(place) == [Decision.DISCARD]


@interpreted_only
@pytest.mark.parametrize(("reading", "n_asked"), [("turn_start", 1), ("any_time", 4)])
def test_F_R21_trades_are_possible_at_any_time_in_the_own_turn(reading: str, n_asked: int) -> None:
    place = scene(2, trade="valued", trade_moments=reading, **only_face("med_mist"))
    owners(place, (0,), (15,))
    place.choose(NONE_OPTION, NONE_OPTION, OrderOption.NUMBER_FIRST, NONE_OPTION, NONE_OPTION, NONE_OPTION)
    if reading == "turn_start":
        place.choose(NONE_OPTION, OrderOption.NUMBER_FIRST, NONE_OPTION)
    take_turn(place.state, 0, place.rules)
    assert decisions_of(place).count(Decision.TRADE_WANT) == n_asked


@interpreted_only
@pytest.mark.parametrize(("reading", "n_answers"), [("one", 1), ("several", 4)])
def test_F_R21_one_or_four_trades_are_proposed_in_a_turn(reading: str, n_answers: int) -> None:
    place = scene(2, trade="valued", trade_count=reading, trade_items="one")
    owners(place, (0,), (15,))
    place.choose(*(option for _ in range(6) for option in (15, 0, Answer.REFUSE)))
    offer_trades(place.state, 0, place.rules)
    assert decisions_of(place).count(Decision.TRADE_ANSWER) == n_answers
    assert place.events(Event.SWAP) == []


@interpreted_only
def test_F_R21_each_side_gives_up_to_two_items() -> None:
    place = scene(2, trade="valued")
    owners(place, (0, 4), (15,))
    place.table.hand[1] = 1 << RIFLE
    place.choose(15, item(RIFLE), 0, 4, Answer.ACCEPT)
    offer_trades(place.state, 0, place.rules)
    swaps = [event[1:4] for event in place.events(Event.SWAP)]
    assert swaps == [(0, 0, 1), (0, 4, 1), (1, 15, 0), (1, item(RIFLE), 0)]
    assert (place.table.own[0], place.table.own[1]) == (1 << 15, 1 << 0 | 1 << 4)
    assert (place.table.hand[0], place.table.hand[1]) == (1 << RIFLE, 0)


@interpreted_only
@pytest.mark.parametrize(("reading", "legal"), [("one", 0), ("up_to_two", 0b11)])
def test_F_R21_whole_sets_are_swapped_only_where_a_side_gives_two_items(reading: str, legal: int) -> None:
    place = scene(2, trade="fair_sets", trade_items=reading)
    owners(place, SECOND_SET, FIRST_SET)
    assert wanted(place.table, 0, place.rules) == legal
    if legal:
        assert wanted_besides(place.table, 0, 1 << 0, place.rules) == 1 << 1
        assert offered(place.table, 0, 0b11, place.rules) == 0b1100


@interpreted_only
def test_F_R21_a_trade_of_two_for_one_keeps_to_the_storage_limit() -> None:
    place = scene(2, trade="valued")
    owners(place, (0,), ())
    place.table.hand[0], place.table.hand[1] = 1 << PIZZA, 1 << BUSH | 1 << RIFLE
    place.table.storage[0], place.table.storage[1] = 2, 2
    besides = wanted_besides(place.table, 0, 1 << item(BUSH), place.rules)
    assert besides >> item(RIFLE) & 1  # with Pizza given two cards are held
    place.table.storage[0] = 1
    assert not wanted_besides(place.table, 0, 1 << item(BUSH), place.rules) >> item(RIFLE) & 1


@interpreted_only
def test_F_R21_no_half_of_a_set_is_worth_its_other_half() -> None:
    place = scene(2, trade="valued")
    owners(place, FIRST_SET[:1], FIRST_SET[1:])
    assert trade_gain(place.table, 0, 1 << 0, 1 << 1, place.rules) == 0


@interpreted_only
@pytest.mark.parametrize("symbol", [Symbol.MED_MIST, Symbol.BOOGIE_BOMB])
@pytest.mark.parametrize("option", [ActionOption.LAPSE, ActionOption.TAKE])
def test_F_R20_med_mist_and_the_boogie_bomb_may_lapse_by_one_reading(symbol: int, option: int) -> None:
    place = scene(2, action_duty="may_lapse")
    place.table.hp[0] = 5
    place.choose(option)
    act(place.state, 0, symbol, place.rules)
    assert decisions_of(place) == [Decision.ACTION]
    assert (place.events(Event.HP) != []) is (option == ActionOption.TAKE)


@interpreted_only
def test_F_R20_by_default_med_mist_and_the_boogie_bomb_are_taken() -> None:
    place = scene(2)
    act(place.state, 0, Symbol.BOOGIE_BOMB, place.rules)
    assert decisions_of(place) == []
    assert place.table.hp[1] == 14


@interpreted_only
@pytest.mark.parametrize(("spaces", "is_told"), [((1, 12), True), ((1, 3), False)])
def test_F_R58_a_shot_that_reaches_nobody_is_told(spaces: tuple[int, int], is_told: bool) -> None:
    place = scene(2)
    place.table.space[0], place.table.space[1] = spaces
    act(place.state, 0, Symbol.CROSSHAIRS, place.rules)
    assert (place.events(Event.NO_TARGET) == [(Event.NO_TARGET, 0, 0, 0, 0)]) is is_told


@interpreted_only
@pytest.mark.parametrize(
    ("use", "passive", "loss"),
    [("same_turn", "next_turn", 1), ("next_turn", "next_turn", 2), ("next_turn", "at_once", 1)],
)
def test_F_R73_a_card_just_picked_up_halves_the_storm_by_the_readings(use: str, passive: str, loss: int) -> None:
    place = scene(2, pickup_use=use, pickup_passive=passive)
    place.table.space[0], place.table.dropped[1], place.table.dropped_at = 0, 1 << SHIELD, 1 << 1
    place.table.storm, place.table.stormed = 1 << 3, 1 << 1
    move(place.state, 0, 3, place.rules)
    assert [event[2] for event in place.events(Event.HP)] == [-loss]


@interpreted_only
@pytest.mark.parametrize(("passive", "immune"), [("next_turn", 0), ("at_once", 0b10)])
def test_F_R73_a_bush_just_picked_up_protects_by_one_reading(passive: str, immune: int) -> None:
    place = scene(2, pickup_use="next_turn", pickup_passive=passive)
    place.table.dropped[1], place.table.dropped_at = 1 << BUSH, 1 << 1
    pick_up(place.state, 1, 1, place.rules)
    assert immune_seats(place.table, place.rules) == immune


@interpreted_only
@pytest.mark.parametrize(("reading", "is_asked"), [("may_leave", True), ("turn_over", False)])
def test_F_R44_whoever_is_jailed_before_the_roll_leaves_in_that_turn_by_one_reading(
    reading: str, is_asked: bool
) -> None:
    place = scene(2, jailed_before_roll=reading, **MODELESS, **only_face("blank"))
    place.table.space[0], place.table.hand[0] = GO_TO_JAIL - 2, 1 << MOVER
    place.choose(item(MOVER), 1, JailOption.PAY)
    take_turn(place.state, 0, place.rules)
    assert place.events(Event.JAILED) == [(Event.JAILED, 0, 0, 0, 0)]
    assert (Decision.JAIL in decisions_of(place)) is is_asked
    assert (place.events(Event.ROLL) != []) is is_asked


@interpreted_only
def test_F_R44_whoever_was_jailed_in_an_earlier_turn_leaves_by_every_reading() -> None:
    place = scene(2, jailed_before_roll="turn_over", **only_face("blank"))
    put_in_jail(place.state, 0, place.rules)
    place.table.space[0] = JAIL
    place.choose(JailOption.PAY)
    take_turn(place.state, 0, place.rules)
    assert place.events(Event.FREED) == [(Event.FREED, 0, Freed.PAID, 0, 0)]


@interpreted_only
@pytest.mark.parametrize(("reading", "n_cards"), [("one", 1), ("each", 2)])
@pytest.mark.parametrize("timing", ["end_of_turn", "at_once"])
def test_F_R34_go_passed_twice_gives_one_card_or_two(reading: str, n_cards: int, timing: str) -> None:
    place = scene(2, go_cards=reading, go_draw_timing=timing, **MODELESS)
    for card in (0, 1):
        put_under(place.state.hidden.mode, card)
    place.rules.mode_effect[0] = place.rules.mode_effect[1] = Mode.BLANK
    for _passage in range(2):
        place.table.space[0] = N_SPACES - 1
        place.table.number = 1
        place.choose(0)
        use_item_on_self(place)
    draw_what_is_due(place.state, 0, place.rules)
    assert len(place.events(Event.MODE)) == n_cards


def use_item_on_self(place: Scene) -> None:
    """Let seat 0 move its own pawn by one with a mover."""
    place.table.hand[0] |= 1 << MOVER
    use_item(place.state, 0, MOVER, place.rules)


@interpreted_only
@pytest.mark.parametrize(("reading", "n_discarded"), [("one_reusable", 1), ("any", 3)])
def test_F_R76_any_items_may_be_put_under_the_deck_by_one_reading(reading: str, n_discarded: int) -> None:
    place = scene(2, discard=reading)
    place.table.hand[0] = 1 << BUSH | 1 << RIFLE | 1 << PIZZA
    place.choose(item(BUSH), item(PIZZA), item(RIFLE))
    offer_discard(place.state, 0, place.rules)
    assert len(place.events(Event.UNDER)) == n_discarded


@interpreted_only
@pytest.mark.parametrize(("reading", "n_cards"), [("skip", 1), ("next_card", 2)])
@pytest.mark.parametrize("is_possible", [False, True])
def test_F_R72_a_forced_trade_that_nobody_can_carry_out(reading: str, n_cards: int, is_possible: bool) -> None:
    place = scene(2, forced_trade_none=reading, **MODELESS)
    place.rules.mode_effect[0], place.rules.mode_effect[1] = Mode.FORCED_TRADE, Mode.BLANK
    for card in (0, 1):
        put_under(place.state.hidden.mode, card)
    place.table.hand[0] = 1 << BUSH
    place.table.hand[1] = 1 << RIFLE if is_possible else 0
    draw_mode(place.state, 0, place.rules)
    assert len(place.events(Event.MODE)) == (1 if is_possible else n_cards)
    assert (place.events(Event.SWAP) != []) is is_possible


@interpreted_only
@pytest.mark.parametrize(("reading", "is_used"), [("end_turn", False), ("turn_goes_on", True)])
def test_F_R22_items_come_after_the_cards_of_the_turns_end_by_one_reading(reading: str, is_used: bool) -> None:
    place = scene(2, end_cards=reading, **only_face("blank"))
    place.table.space[0], place.table.hp[0], place.table.hand[0] = 31, 1, 1 << PIZZA
    put_under(place.state.hidden.mode, 0)
    place.rules.mode_effect[0] = Mode.BLANK
    place.choose(*(NONE_OPTION for _window in range(4)), item(PIZZA))
    take_turn(place.state, 0, place.rules)
    kinds = [event[0] for event in place.events()]
    assert Event.MODE in kinds
    assert (Event.USE in kinds[kinds.index(Event.MODE) :]) is is_used


@interpreted_only
def test_F_R12_the_tied_roll_again_or_the_lowest_chair_starts() -> None:
    rounds: dict[str, Any] = {}
    for reading in ("reroll", "seat_order"):
        place = scene(4, tie_start=reading, number_die_faces=2)
        starter = roll_for_start(place.state, place.rules)
        rolls = [event[1:4] for event in place.events(Event.START_ROLL)]
        rounds[reading] = max(turn_round for _seat, _number, turn_round in rolls)
        if reading == "seat_order":
            most = max(number for _seat, number, _round in rolls)
            assert starter == min(seat for seat, number, _round in rolls if number == most)
    assert rounds["seat_order"] == 0 < rounds["reroll"]


@interpreted_only
def test_F_R35_a_stormed_go_is_told_apart_from_the_space_landed_on() -> None:
    place = scene(2)
    place.table.space[0], place.table.storm, place.table.stormed = 31, 1 << GO | 1 << 1, 1
    move(place.state, 0, 2, place.rules)
    assert [event[3] for event in place.events(Event.HP)][:1] == [Source.GO_STORM]
    place.table.space[0] = 1
    land(place.state, 0, place.rules)
    assert place.events(Event.HP)[-1][3] == Source.STORM
