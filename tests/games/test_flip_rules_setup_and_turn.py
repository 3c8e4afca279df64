"""One test per rule of flip, F-R1 to F-R40: set-up, turn, locations, GO, corners and the way to Jail."""

from __future__ import annotations

import pytest

from sim.decks import put_under
from sim.engine.blocks import make_assignment
from sim.engine.contract import NOBODY, NONE_OPTION, WHOLE_WIN
from sim.engine.lineup import make_lineup
from sim.engine.playing import begin_playout, begin_turn
from sim.engine.replay import Recording
from sim.games.flip.game import GAME
from sim.games.flip.phases.board import land, move
from sim.games.flip.phases.health import collect, pay, storm_location
from sim.games.flip.phases.set_up import clear, set_up
from sim.games.flip.phases.tiles import turn_tile
from sim.games.flip.phases.turn import roll_dice, take_turn
from sim.games.flip.state import HIDDEN, TABLE, UNROLLED
from sim.games.flip.words import (
    Decision,
    End,
    Event,
    OrderOption,
    Source,
    StormedBy,
    Symbol,
)
from sim.jit import record_of
from tests.games.flip_support import Scene, interpreted_only, scene, told
from tests.support import SEED

N_SPACES = 32
PLAYOUTS = range(1000, 1012)  # ties for the start among them
PRINTED = GAME.load().resolve({}).tables
LOOTLESS = {f"cards.{row['card']}.copies": 0 for row in PRINTED["cards"]}
MODELESS = {f"modes.{row['mode']}.copies": 0 for row in PRINTED["modes"]}
FRONT = [str(row["front"]) for row in PRINTED["board"]]
FACES = ("med_mist", "crosshairs", "boogie_bomb", "storm_surge", "blank")


def only_face(name: str) -> dict[str, int]:
    """Return an action die that shows one face only, and a number die that shows 1 only."""
    return {f"action_die.{face}": 6 * (face == name) for face in FACES} | {"number_die_faces": 1}


def set_table(playout: int) -> Scene:
    """Return a table that was set up by the rules, at the first turn."""
    place = scene()
    assignment = record_of(make_assignment(make_lineup(GAME, ["random"], 4), SEED), 0)
    assignment.is_recording = 1
    begin_playout(place.state, assignment, playout)
    set_up(place.state, assignment, place.rules)
    return place


def deck_of(deck: object) -> list[int]:
    """Return the cards of a deck from the top."""
    return [int(deck.order[deck.top + place]) for place in range(deck.size)]  # type: ignore[attr-defined]


def give(place: Scene, seat: int, *locations: int) -> None:
    """Let a seat own locations."""
    for location in locations:
        place.table.owner[location] = seat
        place.table.own[seat] |= 1 << location
        place.table.claimed |= 1 << location


def land_on(place: Scene, space: int, seat: int = 0) -> None:
    """Let a seat land on a space."""
    place.table.space[seat] = space
    land(place.state, seat, place.rules)


def of_kind(recording: Recording, kind: Event) -> list[tuple[int, ...]]:
    """Return the events of one kind."""
    return [event for event in recording.events if event[0] == kind]


def changes_of(place: Scene) -> list[tuple[int, ...]]:
    """Return seat, change and source of each change of HP."""
    return [event[1:4] for event in place.events(Event.HP)]


def test_F_R1_the_winner_is_the_last_player_with_hp() -> None:
    for playout in PLAYOUTS:
        recording = told(playout)
        hp = recording.row.final_hp.tolist()
        assert sum(number > 0 for number in hp) == 1
        winner = next(seat for seat in range(4) if hp[seat] > 0)
        assert recording.row.payoff.tolist() == [WHOLE_WIN * (seat == winner) for seat in range(4)]
        assert recording.events[-1] == (Event.END, winner, End.WON, 0, 0)


@interpreted_only
def test_F_R2_the_arrangement_of_stickers_does_not_change_how_often_a_face_shows() -> None:
    place = scene()
    printed = [int(symbol) for symbol in place.rules.face]
    stickers_seen = set()
    for _turn in range(40):
        rolled = []
        for shift in range(6):
            for sticker in range(6):
                place.rules.face[sticker] = printed[(sticker + shift) % 6]
            place.table.own_turn[0] -= shift > 0
            begin_turn(place.state, 0)
            place.table.number, place.table.symbol = 0, UNROLLED
            roll_dice(place.state, 0, place.rules)
            rolled.append(int(place.table.symbol))
        assert sorted(rolled) == printed
        stickers_seen.add(tuple(rolled))
    assert len(stickers_seen) == 6


def test_F_R3_every_seat_starts_with_15_hp() -> None:
    for n_seats in (2, 3, 4):
        recording = told(1000, n_seats=n_seats)
        changes = [sum(event[2] for event in of_kind(recording, Event.HP) if event[1] == seat) for seat in range(4)]
        assert [int(recording.row.final_hp[seat]) - changes[seat] for seat in range(n_seats)] == [15] * n_seats


@interpreted_only
def test_F_R4_hp_never_exceed_15() -> None:
    place = scene()
    place.table.hp[0] = 14
    collect(place.state, 0, 2, Source.GO, place.rules)
    collect(place.state, 0, 2, Source.CAMPFIRE, place.rules)
    assert place.table.hp[0] == 15
    assert changes_of(place) == [(0, 1, Source.GO)]


@interpreted_only
def test_F_R5_chips_that_nobody_holds_are_the_bank() -> None:
    place = scene()
    pay(place.state, 0, 6, Source.TRAP, place.rules)
    assert [place.table.hp[seat] for seat in range(4)] == [9, 15, 15, 15]
    collect(place.state, 0, 4, Source.CAMPFIRE, place.rules)
    assert [place.table.hp[seat] for seat in range(4)] == [13, 15, 15, 15]
    flow = place.state.tallies.flow
    assert [flow[0, Source.TRAP, 0], flow[0, Source.CAMPFIRE, 0]] == [-6, 4]
    assert [sum(flow[0, source, seat] for source in Source) for seat in range(4)] == [-2, 0, 0, 0]


@interpreted_only
def test_F_R6_all_8_tiles_start_location_side_up() -> None:
    place = scene()
    for tile in range(8):
        turn_tile(place.state, 0, tile, place.rules)
    assert place.rules.n_tiles == 8
    assert place.table.turned.bit_count() == 24
    clear(place.state, place.rules)
    assert place.table.turned == 0


def test_F_R7_each_player_picks_one_loadout_and_keeps_it() -> None:
    for pick in ("random", "draft"):
        recording = told(1001, loadout_pick=pick)
        loadouts = of_kind(recording, Event.LOADOUT)
        assert [event[1] for event in loadouts] == [0, 1, 2, 3]
        cards = [event[2] for event in loadouts]
        assert len(set(cards)) == 4
        assert [int(card) for card in recording.table.loadout] == cards
        masks = [1 << card for card in cards]
        assert recording.row.dealt_loadout.tolist() == recording.row.held_loadout.tolist() == masks
        picked = [event for event in of_kind(recording, Event.DECISION) if event[2] == Decision.LOADOUT]
        assert [event[3] for event in picked] == (cards[:3] if pick == "draft" else [])


def test_F_R8_each_player_gets_one_card_of_the_shuffled_loot_deck_face_up() -> None:
    deals = set()
    for playout in PLAYOUTS:
        recording = told(playout)
        dealt = of_kind(recording, Event.DEAL)
        assert [event[1] for event in dealt] == [0, 1, 2, 3]
        cards = tuple(event[2] for event in dealt)
        assert recording.row.dealt_loot.tolist() == [1 << card for card in cards]
        assert len(set(cards)) == 4
        deals.add(cards)
    assert len(deals) == len(PLAYOUTS)
    assert "hand" in TABLE.names


@interpreted_only
def test_F_R9_the_remaining_loot_is_a_face_down_deck() -> None:
    place = set_table(1000)
    dealt = [event[2] for event in place.events(Event.DEAL)]
    assert [place.table.hand[seat] for seat in range(4)] == [1 << card for card in dealt]
    assert sorted(deck_of(place.state.hidden.loot) + dealt) == list(range(16))
    assert place.state.hidden.loot.size == 12
    assert "loot" in HIDDEN.names
    assert "loot" not in TABLE.names


@interpreted_only
def test_F_R10_the_game_mode_deck_is_shuffled_face_down() -> None:
    orders = [deck_of(set_table(playout).state.hidden.mode) for playout in (1000, 1001)]
    assert [sorted(order) for order in orders] == [list(range(16))] * 2
    assert orders[0] != orders[1]
    assert list(range(16)) not in orders
    assert "mode" in HIDDEN.names
    assert "mode" not in TABLE.names


@interpreted_only
def test_F_R11_all_16_locations_start_unclaimed_and_normal_side_up_by_their_spaces() -> None:
    place = scene()
    give(place, 1, 3, 5)
    storm_location(place.state, 7, StormedBy.CARD, NOBODY, place.rules)
    clear(place.state, place.rules)
    assert [place.table.owner[location] for location in range(16)] == [NOBODY] * 16
    assert [place.table.own[seat] for seat in range(4)] == [0] * 4
    assert place.table.claimed == place.table.stormed == place.table.storm == 0
    homes = [space for space in range(N_SPACES) if FRONT[space] == "location"]
    assert [place.rules.home[location] for location in range(16)] == homes


def test_F_R12_the_highest_roll_starts_and_order_is_clockwise() -> None:
    n_rounds = set()
    for playout in PLAYOUTS:
        recording = told(playout)
        rolling, this_round = [0, 1, 2, 3], 0
        while len(rolling) > 1:
            rolls = [event[1:3] for event in of_kind(recording, Event.START_ROLL) if event[3] == this_round]
            assert [seat for seat, _number in rolls] == rolling
            assert all(1 <= number <= 6 for _seat, number in rolls)
            highest = max(number for _seat, number in rolls)
            rolling = [seat for seat, number in rolls if number == highest]
            this_round += 1
        n_rounds.add(this_round)
        clockwise = [(rolling[0] + distance) % 4 for distance in range(4)]
        assert [event[1] for event in of_kind(recording, Event.TURN)][:4] == clockwise
        assert [recording.row.order[seat] for seat in clockwise] == [0, 1, 2, 3]
    assert n_rounds == {1, 2}


def test_F_R13_pawns_are_placed_on_any_space_in_turn_order_from_the_first_player() -> None:
    for playout in PLAYOUTS:
        recording = told(playout)
        first = of_kind(recording, Event.TURN)[0][1]
        placed = of_kind(recording, Event.PLACED)
        assert [event[1] for event in placed] == [(first + distance) % 4 for distance in range(4)]
        chosen = [event for event in of_kind(recording, Event.DECISION) if event[2] == Decision.START_SPACE]
        assert [(event[1], event[3]) for event in chosen] == [event[1:3] for event in placed]
        assert {event[4] for event in chosen} == {(1 << N_SPACES) - 1}


def test_F_R14_the_action_of_the_placement_space_is_not_carried_out() -> None:
    spaces = set()
    for playout in range(1000, 1030):
        events = told(playout).events
        kinds = [event[0] for event in events]
        start = kinds.index(Event.PLACED)
        before_the_first_turn = events[start : kinds.index(Event.TURN)]
        assert {event[0] for event in before_the_first_turn} == {Event.PLACED, Event.DECISION}
        spaces |= {FRONT[event[2]] for event in before_the_first_turn if event[0] == Event.PLACED}
    assert spaces >= {"go", "go_to_jail", "location", "flip", "chest"}


def test_F_R15_a_turn_starts_with_a_roll_of_both_dice() -> None:
    numbers, symbols, jailed = set(), set(), set()
    for playout in PLAYOUTS:
        events = told(playout, **LOOTLESS).events
        for place, event in enumerate(events):
            jailed |= {event[1]} if event[0] == Event.JAILED else set()
            jailed -= {event[1]} if event[0] == Event.FREED else set()
            if event[0] == Event.TURN and event[1] not in jailed:
                assert events[place + 1][:2] == (Event.ROLL, event[1])
                numbers.add(events[place + 1][2])
                symbols.add(events[place + 1][3])
        jailed.clear()
    assert numbers == {1, 2, 3, 4, 5, 6}
    assert symbols == {Symbol.MED_MIST, Symbol.CROSSHAIRS, Symbol.BOOGIE_BOMB, Symbol.STORM_SURGE}


@interpreted_only
@pytest.mark.parametrize("order", OrderOption)
def test_F_R16_each_die_gives_one_action_in_the_order_of_the_players_choice(order: OrderOption) -> None:
    place = scene(**only_face("med_mist"))
    place.table.hp[0] = 10
    place.choose(order)
    take_turn(place.state, 0, place.rules)
    done = [event[0] for event in place.events() if event[0] in {Event.MOVE, Event.HP}]
    assert done == ([Event.MOVE, Event.HP] if order == OrderOption.NUMBER_FIRST else [Event.HP, Event.MOVE])
    asked = place.events(Event.DECISION)
    assert [event[1:] for event in asked] == [(0, Decision.ORDER, order, 0b11)]


def test_F_R17_the_number_die_moves_the_pawn_clockwise() -> None:
    n_moves, n_wraps = 0, 0
    for playout in PLAYOUTS:
        number = 0
        for event in told(playout, **LOOTLESS, **MODELESS).events:
            if event[0] == Event.TURN:
                number = 0
            elif event[0] == Event.ROLL:
                number = event[2]
            elif event[0] == Event.MOVE and number > 0:
                assert event[3] == (event[2] + number) % N_SPACES
                n_moves += 1
                n_wraps += event[3] < event[2]
                number = 0
    assert n_moves > n_wraps > 0


@interpreted_only
def test_F_R18_the_action_of_the_landing_space_is_carried_out() -> None:
    place = scene()
    put_under(place.state.hidden.loot, 5)
    move(place.state, 0, 3, place.rules)
    assert place.events() == [(Event.MOVE, 0, 0, 3, 0), (Event.CLAIM, 0, 1, 0, 0)]
    move(place.state, 0, 1, place.rules)
    assert place.events()[2:] == [(Event.MOVE, 0, 3, 4, 0), (Event.LOOT, 0, 5, 0, 0)]


@interpreted_only
@pytest.mark.parametrize(
    ("start", "target", "order"),
    [(7, 12, OrderOption.NUMBER_FIRST), (8, 3, OrderOption.ACTION_FIRST)],
)
def test_F_R19_the_action_may_be_taken_before_or_after_the_move(start: int, target: int, order: OrderOption) -> None:
    for chosen in OrderOption:
        place = scene(2, **only_face("crosshairs"))
        place.table.space[0], place.table.space[1] = start, target
        place.choose(chosen, 1)
        take_turn(place.state, 0, place.rules)
        assert place.table.space[0] == start + 1
        assert changes_of(place) == ([(1, -1, Source.CROSSHAIRS)] if chosen == order else [])


@interpreted_only
def test_F_R20_an_action_not_taken_is_lost_before_the_next_turn() -> None:
    place = scene(2, **only_face("crosshairs"))
    place.choose(OrderOption.ACTION_FIRST, NONE_OPTION)
    take_turn(place.state, 0, place.rules)
    assert [event[2] for event in place.events(Event.DECISION)] == [Decision.ORDER, Decision.TARGET]
    for sticker in range(6):
        place.rules.face[sticker] = Symbol.BLANK
    take_turn(place.state, 1, place.rules)
    take_turn(place.state, 0, place.rules)
    assert len(place.events(Event.DECISION)) == 2
    assert Source.CROSSHAIRS not in [source for _seat, _change, source in changes_of(place)]
