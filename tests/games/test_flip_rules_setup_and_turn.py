"""One test per rule of flip, F-R1 to F-R40: set-up, turn, locations, GO, corners and the way to Jail."""

from __future__ import annotations

import pytest

from sim.decks import put_under
from sim.engine.blocks import make_assignment
from sim.engine.contract import NOBODY, NONE_OPTION, WHOLE_WIN
from sim.engine.lineup import make_lineup
from sim.engine.playing import begin_playout, begin_turn, forget_dice
from sim.engine.replay import Recording
from sim.games.flip.game import GAME
from sim.games.flip.phases.board import land, move
from sim.games.flip.phases.modes import draw_mode
from sim.games.flip.phases.set_up import clear, set_up
from sim.games.flip.phases.tiles import turn_tile
from sim.games.flip.phases.turn import draw_what_is_due, take_turn
from sim.games.flip.state import HIDDEN, TABLE
from sim.games.flip.words import Decision, Deck, Event, Purpose, Source, Symbol
from sim.jit import record_of
from sim.mechanics.claims import storm_location
from sim.mechanics.health import collect, pay
from sim.mechanics.rolls import roll_dice
from sim.mechanics.table import UNROLLED
from sim.mechanics.words import Answer, End, OrderOption, StormedBy
from tests.games.flip_support import Scene, card_number, interpreted_only, scene, told
from tests.support import SEED, referee_order

N_SPACES = 32
GO, JAIL, FREE_PARKING, GO_TO_JAIL = 0, 8, 16, 24
PLAYOUTS = range(1000, 1012)  # ties for the start among them
PRINTED = GAME.load().resolve({}).tables
LOOTLESS = {f"cards.{row['card']}.copies": 0 for row in PRINTED["cards"]}
MODELESS = {f"modes.{row['mode']}.copies": 0 for row in PRINTED["modes"]}
FRONT = [str(row["front"]) for row in PRINTED["board"]]
STORM_LOWEST, BLANK_MODE = 0, 8  # physical Game Mode cards
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


def turn_that_rolls(number: int) -> int:
    """Return the own turn number before the first turn in which seat 0 of a scene rolls a number."""
    for turn in range(100):
        place = scene()
        place.table.own_turn[0] = turn
        begin_turn(place.state, 0)
        place.table.number, place.table.symbol = 0, UNROLLED
        roll_dice(place.state, 0, Purpose.NUMBER_DIE, Purpose.ACTION_DIE, place.rules)
        if place.table.number == number:
            return turn
    return NOBODY


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
            forget_dice(place.state.hidden)
            place.table.number, place.table.symbol = 0, UNROLLED
            roll_dice(place.state, 0, Purpose.NUMBER_DIE, Purpose.ACTION_DIE, place.rules)
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
        order = referee_order(Deck, {"LOOT": GAME.pack(GAME.load().resolve({}))["loot"][0]}, SEED, playout)
        assert list(cards) == order("LOOT")[:4]
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


@interpreted_only
@pytest.mark.parametrize("is_loot", [False, True])
def test_F_R21_in_the_own_turn_locations_and_loot_are_traded_with_another_player(is_loot: bool) -> None:
    place = scene(trade="valued", trade_items="one", trade_count="one", **only_face("blank"))
    bush = card_number("bush")
    wanted = 16 + bush if is_loot else 9
    give(place, 1, 4)
    give(place, 2, 9)
    place.table.hand[2] = 1 << bush
    place.choose(wanted, 4, Answer.ACCEPT)
    take_turn(place.state, 1, place.rules)
    assert [event[1:4] for event in place.events(Event.DECISION)[:3]] == [
        (1, Decision.TRADE_WANT, wanted),
        (1, Decision.TRADE_OFFER, 4),
        (2, Decision.TRADE_ANSWER, Answer.ACCEPT),
    ]
    assert [event[1:4] for event in place.events(Event.SWAP)] == [(1, 4, 2), (2, wanted, 1)]
    assert place.table.owner[4] == 2
    assert place.table.owner[9] == (2 if is_loot else 1)
    assert [place.table.hand[seat] for seat in (1, 2)] == ([1 << bush, 0] if is_loot else [0, 1 << bush])


def test_F_R22_after_all_actions_play_passes_to_the_left() -> None:
    n_falls = 0
    for playout in PLAYOUTS:
        recording = told(playout)
        living, active = [0, 1, 2, 3], -1
        for event in recording.events:
            if event[0] == Event.FALL:
                living.remove(event[1])
                n_falls += 1
            if event[0] == Event.TURN:
                left = [(active + distance) % 4 for distance in range(1, 5)]
                assert active < 0 or event[1] == next(seat for seat in left if seat in living)
                active = event[1]
        assert len(of_kind(recording, Event.TURN)) == recording.row.length_turns
    assert n_falls == 3 * len(PLAYOUTS)


@interpreted_only
def test_F_R23_landing_on_an_unclaimed_location_claims_it_free() -> None:
    for location in range(16):
        place = scene()
        land_on(place, place.rules.home[location], 2)
        assert place.events() == [(Event.CLAIM, 2, location, 0, 0)]
        assert place.table.owner[location] == 2
        assert place.table.own[2] == 1 << location
        assert place.table.hp[2] == 15


@interpreted_only
@pytest.mark.parametrize("claim", ["mandatory", "optional"])
def test_F_R24_a_face_down_location_cannot_be_claimed(claim: str) -> None:
    place = scene(claim=claim)
    give(place, 3, 8)
    pay(place.state, 3, 15, Source.TRAP, place.rules)
    assert place.events(Event.STORM) == [(Event.STORM, 3, 17, StormedBy.FALL, 0)]
    land_on(place, 17)
    assert place.events(Event.CLAIM) == place.events(Event.DECISION) == []
    assert place.table.owner[8] == NOBODY
    assert place.table.own[0] == place.table.claimed == 0


@interpreted_only
def test_F_R25_landing_on_anothers_location_pays_up_to_the_printed_hp_to_the_bank() -> None:
    for hp, location, paid in ((15, 12, 4), (15, 8, 3), (15, 4, 2), (15, 0, 1), (4, 12, 4), (3, 12, 3)):
        place = scene()
        give(place, 1, location)
        place.table.hp[0], place.table.hp[1] = hp, 10
        land_on(place, place.rules.home[location])
        assert changes_of(place) == [(0, -paid, Source.TOLL)]
        assert [place.table.hp[seat] for seat in range(4)] == [hp - paid, 10, 15, 15]
        assert place.table.owner[location] == 1


@interpreted_only
def test_F_R26_landing_on_the_own_location_does_nothing() -> None:
    place = scene()
    give(place, 0, 1)
    give(place, 1, 0)
    place.table.hp[0] = 10
    land_on(place, 3)
    assert place.events() == []
    assert place.table.hp[0] == 10
    assert place.table.owner[1] == 0


@interpreted_only
def test_F_R27_landing_on_a_location_of_a_complete_own_set_collects_2() -> None:
    place = scene()
    give(place, 0, 0, 1, 2, 4)
    give(place, 1, 3, 5)
    place.table.hp[0] = place.table.hp[1] = 10
    for space in (1, 3):
        land_on(place, space)
    assert changes_of(place) == [(0, 2, Source.SET_BONUS)] * 2
    land_on(place, 5)
    land_on(place, 9)
    assert len(place.events()) == 2
    assert [place.table.hp[seat] for seat in (0, 1)] == [14, 10]


@interpreted_only
def test_F_R28_on_a_flipped_tile_the_revealed_space_is_followed() -> None:
    place = scene()
    give(place, 1, 1)
    place.table.hp[0] = 10
    turn_tile(place.state, 1, 0, place.rules)
    land_on(place, 3)
    land_on(place, 1)
    assert changes_of(place) == [(0, -2, Source.TRAP), (0, 1, Source.CAMPFIRE)]
    assert place.events(Event.CLAIM) == []
    assert place.table.owner[0] == NOBODY
    turn_tile(place.state, 1, 0, place.rules)
    land_on(place, 3)
    land_on(place, 1)
    assert changes_of(place)[2:] == [(0, -1, Source.TOLL)]
    assert place.table.owner[0] == 0


@interpreted_only
def test_F_R29_a_location_in_the_storm_cannot_be_claimed_even_if_nobody_controls_it() -> None:
    place = scene()
    put_under(place.state.hidden.mode, STORM_LOWEST)
    draw_mode(place.state, 1, place.rules)
    assert place.events(Event.STORM) == [(Event.STORM, NOBODY, 1, StormedBy.CARD, 0)]
    for seat in (0, 1):
        land_on(place, 1, seat)
    land_on(place, 3)
    assert place.events(Event.CLAIM) == [(Event.CLAIM, 0, 1, 0, 0)]
    assert place.table.owner[0] == NOBODY
    assert [place.table.own[seat] for seat in (0, 1)] == [1 << 1, 0]


@interpreted_only
def test_F_R30_a_location_is_in_the_storm_when_its_card_lies_storm_side_up_on_its_space() -> None:
    place = scene()
    stormed_spaces = 0
    for location in range(16):
        space = place.rules.home[location]
        assert place.table.storm >> space & 1 == 0
        storm_location(place.state, location, StormedBy.CARD, NOBODY, place.rules)
        stormed_spaces |= 1 << space
        assert place.table.storm == stormed_spaces
        assert place.table.stormed == (2 << location) - 1
        assert place.events()[-1] == (Event.STORM, NOBODY, space, StormedBy.CARD, 0)
    assert [space for space in range(N_SPACES) if stormed_spaces >> space & 1] == [
        space for space in range(N_SPACES) if FRONT[space] == "location"
    ]


@interpreted_only
@pytest.mark.parametrize(("location", "cost"), [(0, 2), (4, 3), (8, 4), (12, 5)])
def test_F_R31_in_the_storm_the_storm_cost_is_paid_and_the_printed_space_ignored(location: int, cost: int) -> None:
    for turned in (False, True):
        place = scene(storm_owner="keeps")
        give(place, 1, location)
        space = place.rules.home[location]
        storm_location(place.state, location, StormedBy.CARD, NOBODY, place.rules)
        if turned:  # a Campfire shows
            turn_tile(place.state, 1, place.rules.tile_at[space], place.rules)
        place.table.hp[0] = place.table.hp[1] = 10
        land_on(place, space)
        assert changes_of(place) == [(0, -cost, Source.STORM)]
        assert [place.table.hp[seat] for seat in (0, 1)] == [10 - cost, 10]


@interpreted_only
def test_F_R32_a_storm_card_moves_to_the_corresponding_space_when_its_tile_flips() -> None:
    place = scene()
    storm_location(place.state, 1, StormedBy.CARD, NOBODY, place.rules)
    for turned in (place.rules.tile_spaces[0], 0):
        turn_tile(place.state, 2, 0, place.rules)
        assert place.table.turned == turned  # the stormed space among them
        assert place.table.storm == 1 << 3
        assert place.table.stormed == 1 << 1
        land_on(place, 3)
    assert place.events(Event.FLIP) == [(Event.FLIP, 2, 0, 1, 0), (Event.FLIP, 2, 0, 0, 0)]
    assert changes_of(place) == [(0, -2, Source.STORM)] * 2
    place.table.turned = place.rules.tile_spaces[0]
    land_on(place, 1)
    assert changes_of(place)[2:] == [(0, 1, Source.CAMPFIRE)]


@interpreted_only
@pytest.mark.parametrize(("start", "steps", "gain"), [(31, 1, 2), (28, 4, 2), (28, 6, 2), (30, 3, 2), (26, 4, 0)])
def test_F_R33_landing_on_or_passing_go_collects_2(start: int, steps: int, gain: int) -> None:
    place = scene()
    place.table.hp[0], place.table.space[0] = 10, start
    move(place.state, 0, steps, place.rules)
    assert changes_of(place) == ([(0, 2, Source.GO)] if gain else [])
    assert place.table.hp[0] == 10 + gain
    assert place.table.space[0] == (start + steps) % N_SPACES


@interpreted_only
@pytest.mark.parametrize(("start", "steps", "is_drawn"), [(31, 1, True), (28, 6, True), (26, 4, False), (0, 2, False)])
def test_F_R34_for_go_one_game_mode_card_is_drawn_at_the_end_of_the_turn(
    start: int, steps: int, is_drawn: bool
) -> None:
    place = scene(**only_face("med_mist") | {"number_die_faces": 6})
    for card in (BLANK_MODE, BLANK_MODE + 1):
        put_under(place.state.hidden.mode, card)
    place.table.hp[0], place.table.space[0] = 5, start
    place.table.own_turn[0] = turn_that_rolls(steps)
    place.choose(OrderOption.NUMBER_FIRST)
    take_turn(place.state, 0, place.rules)
    assert place.events(Event.ROLL)[0][2] == steps
    assert place.events(Event.MODE) == [(Event.MODE, 0, BLANK_MODE, 0, 0)] * is_drawn
    assert (place.events()[-1][0] == Event.MODE) == is_drawn
    assert changes_of(place)[-1] == (0, 2, Source.MED_MIST)


@interpreted_only
@pytest.mark.parametrize(("start", "steps"), [(31, 1), (28, 6)])
def test_F_R35_in_the_storm_go_costs_2_and_the_card_is_still_drawn(start: int, steps: int) -> None:
    place = scene()
    put_under(place.state.hidden.mode, BLANK_MODE)
    place.table.storm |= 1 << GO
    place.table.hp[0], place.table.space[0] = 10, start
    move(place.state, 0, steps, place.rules)
    assert changes_of(place) == [(0, -2, Source.GO_STORM)]
    assert place.events(Event.MODE) == []
    draw_what_is_due(place.state, 0, place.rules)
    assert place.events()[-1] == (Event.MODE, 0, BLANK_MODE, 0, 0)


@interpreted_only
def test_F_R36_free_parking_does_nothing() -> None:
    place = scene()
    put_under(place.state.hidden.loot, 5)
    put_under(place.state.hidden.mode, BLANK_MODE)
    place.table.hp[0], place.table.space[0] = 10, FREE_PARKING - 3
    move(place.state, 0, 3, place.rules)
    draw_what_is_due(place.state, 0, place.rules)
    assert place.events() == [(Event.MOVE, 0, FREE_PARKING - 3, FREE_PARKING, 0)]
    assert (place.table.hp[0], place.table.space[0], place.table.jailed[0]) == (10, FREE_PARKING, 0)


@interpreted_only
def test_F_R37_just_visiting_does_nothing_and_the_pawn_is_not_jailed() -> None:
    place = scene()
    put_under(place.state.hidden.mode, BLANK_MODE)
    place.table.hp[0], place.table.space[0] = 10, JAIL - 3
    move(place.state, 0, 3, place.rules)
    draw_what_is_due(place.state, 0, place.rules)
    assert place.events() == [(Event.MOVE, 0, JAIL - 3, JAIL, 0)]
    assert (place.table.hp[0], place.table.space[0], place.table.jailed[0]) == (10, JAIL, 0)


@interpreted_only
def test_F_R38_go_to_jail_moves_to_jail_at_once_without_the_bonus_of_go() -> None:
    place = scene()
    place.table.hp[0] = 10
    land_on(place, GO_TO_JAIL)
    assert place.events() == [(Event.MOVE, 0, GO_TO_JAIL, JAIL, 0), (Event.JAILED, 0, 0, 0, 0)]
    assert (place.table.hp[0], place.table.space[0], place.table.jailed[0]) == (10, JAIL, 1)
    assert place.table.go_due == 0


@interpreted_only
def test_F_R39_go_to_jail_draws_and_resolves_a_game_mode_card() -> None:
    place = scene()
    for card in (STORM_LOWEST, BLANK_MODE):
        put_under(place.state.hidden.mode, card)
    land_on(place, GO_TO_JAIL)
    assert place.events(Event.MODE) == [(Event.MODE, 0, STORM_LOWEST, 0, 0)]
    assert place.table.storm == 1 << 1
    assert place.table.jailed[0] == 1
    draw_what_is_due(place.state, 0, place.rules)
    assert len(place.events(Event.MODE)) == 1


@interpreted_only
@pytest.mark.parametrize("timing", ["at_once", "end_of_turn"])
def test_F_R40_no_card_is_drawn_if_jail_is_already_in_the_storm(timing: str) -> None:
    place = scene(jail_draw_timing=timing)
    put_under(place.state.hidden.mode, BLANK_MODE)
    place.table.storm |= 1 << JAIL
    land_on(place, GO_TO_JAIL)
    draw_what_is_due(place.state, 0, place.rules)
    assert place.events() == [(Event.MOVE, 0, GO_TO_JAIL, JAIL, 0)]
    assert place.table.space[0] == JAIL
    assert place.state.hidden.mode.size == 1
