"""One test per rule of fortnite, N-R1 to N-R37: set-up, turn, locations, spaces and Jail."""

from __future__ import annotations

import pytest

from sim.engine.blocks import make_assignment
from sim.engine.contract import NOBODY, WHOLE_WIN
from sim.engine.lineup import make_lineup
from sim.engine.playing import begin_playout, begin_turn
from sim.games.fortnite.game import GAME
from sim.games.fortnite.phases.jail import leave_jail
from sim.games.fortnite.phases.landing import land
from sim.games.fortnite.phases.moving import move
from sim.games.fortnite.phases.set_up import set_up
from sim.games.fortnite.phases.storm import draw_storm, draw_what_is_due
from sim.games.fortnite.phases.turn import take_turn, use_dice
from sim.games.fortnite.words import Decision, Event, JailOption, Purpose, Source
from sim.jit import record_of
from sim.mechanics.claims import give_location, storm_location, storm_space
from sim.mechanics.health import collect, pay
from sim.mechanics.words import Answer, ClaimOption, Freed, OrderOption, StormedBy
from tests.games.fortnite_support import Scene, interpreted_only, scene, told
from tests.support import SEED, referee_draw

N_SPACES = 32
N_SEATS = 4
GO, JAIL, FREE_PARKING, GO_TO_JAIL = 0, 8, 16, 24
CAMPFIRE, CHEST, TRAP = 2, 4, 6
PARADISE, DIVOT, TOMATO, SNOBBY = 1, 3, 5, 7  # spaces of locations 0 to 3
FULL = 15
PLAYOUTS = range(1000, 1012)  # ties for the start among them


def put(place: Scene, seat: int, space: int, hp: int = 10) -> None:
    """Put a pawn somewhere with some HP."""
    place.table.space[seat] = space
    place.table.hp[seat] = hp


def land_on(space: int, hp: int = 10, **changes: object) -> Scene:
    """Return a table on which seat 0 has landed on a space."""
    place = scene(N_SEATS, **changes)
    put(place, 0, space, hp)
    land(place.state, 0, place.rules)
    return place


def moved(start: int, steps: int, place: Scene | None = None) -> Scene:
    """Return a table on which seat 0 has moved by the number die."""
    place = place or scene(N_SEATS)
    put(place, 0, start, place.table.hp[0] if place.table.hp[0] < FULL else 10)
    place.table.number = steps
    move(place.state, 0, place.rules)
    return place


def only_storm(name: str) -> dict[str, int]:
    """Return a Storm deck with one kind of card only."""
    storms = [str(row["storm"]) for row in GAME.load().resolve({}).tables["storm"]]
    return {f"storm__{storm}__copies": int(storm == name) for storm in storms}


def set_table(playout: int, **changes: object) -> Scene:
    """Return a table that was set up by the rules, at the first turn."""
    place = scene(N_SEATS, **changes)
    assignment = record_of(make_assignment(make_lineup(GAME, ["random"], N_SEATS), SEED), 0)
    assignment.is_recording = 1
    begin_playout(place.state, assignment, playout)
    set_up(place.state, assignment, place.rules)
    return place


def test_N_R1_the_last_standing_wins_however_many_locations_the_others_owned() -> None:
    for playout in PLAYOUTS:
        recording = told(playout)
        kind, winner, *_ = recording.events[-1]
        assert kind == Event.END
        assert recording.row.payoff[winner] == WHOLE_WIN
        assert [seat for seat in range(N_SEATS) if recording.row.final_hp[seat] > 0] == [winner]


@interpreted_only
def test_N_R2_everybody_starts_with_15_hp_and_nobody_has_more() -> None:
    place = set_table(1000)
    assert [place.table.hp[seat] for seat in range(N_SEATS)] == [FULL] * N_SEATS
    place.table.hp[0] = 14
    collect(place.state, 0, 5, Source.ITEM, place.rules)
    assert place.table.hp[0] == FULL


@interpreted_only
def test_N_R3_at_15_hp_nothing_is_collected() -> None:
    place = land_on(CAMPFIRE, hp=FULL)
    assert place.table.hp[0] == FULL
    assert place.events(Event.HP) == []


@interpreted_only
def test_N_R3_a_gain_that_does_not_fit_is_cut_or_lost_whole() -> None:
    for reading, left in (("clip", 15), ("all_or_nothing", 14)):
        place = scene(cap=reading)
        place.table.hp[0] = 14
        collect(place.state, 0, 2, Source.GO, place.rules)
        assert place.table.hp[0] == left


@interpreted_only
def test_N_R4_both_decks_are_shuffled_anew_in_every_playout() -> None:
    orders = set()
    for playout in PLAYOUTS:
        place = set_table(playout)
        for deck, size in ((place.state.hidden.loot, 16), (place.state.hidden.storm, 15)):
            cards = [deck.order[deck.top + slot] for slot in range(deck.size)]
            assert sorted(cards) == list(range(size))
            orders.add(tuple(cards))
    assert len(orders) == 2 * len(PLAYOUTS)


@interpreted_only
def test_N_R5_no_location_is_claimed_at_the_start() -> None:
    place = set_table(1000)
    assert all(place.table.owner[location] == NOBODY for location in range(16))


@interpreted_only
def test_N_R6_the_highest_roller_places_first_and_ties_roll_again() -> None:
    n_rounds = set()
    for playout in PLAYOUTS:
        place = set_table(playout)
        rolls = place.events(Event.START_ROLL)
        last = max(event[3] for event in rolls)
        final = {event[1]: event[2] for event in rolls if event[3] == last}
        (best,) = [seat for seat, number in final.items() if number == max(final.values())]
        placed = [event[1] for event in place.events(Event.PLACED)]
        assert placed == [(best + step) % N_SEATS for step in range(N_SEATS)]
        n_rounds.add(last)
    assert n_rounds >= {0, 1}


@interpreted_only
def test_N_R6_the_lowest_chair_of_the_tied_starts_by_one_reading() -> None:
    tied = 0
    for playout in PLAYOUTS:
        place = set_table(playout, tie_start="seat_order")
        rolls = {event[1]: event[2] for event in place.events(Event.START_ROLL)}
        best = [seat for seat, number in rolls.items() if number == max(rolls.values())]
        assert place.events(Event.PLACED)[0][1] == min(best)
        tied += len(best) > 1
    assert tied > 0


@interpreted_only
def test_N_R6_pawns_may_be_placed_anywhere_or_as_the_readings_say() -> None:
    homes = {space for space in range(N_SPACES) if space % 2 == 1}
    for reading, allowed in (
        ("choose", set(range(N_SPACES))),
        ("locations_only", homes),
        ("all_on_go", {GO}),
        ("random", set(range(N_SPACES))),
    ):
        spaces = {event[2] for playout in PLAYOUTS for event in set_table(playout, placement=reading).events(3)}
        assert spaces <= allowed
        assert len(spaces) > 1 or reading == "all_on_go"


def test_N_R7_the_first_to_place_takes_the_first_turn_and_play_goes_left() -> None:
    for playout in PLAYOUTS:
        events = told(playout).events
        placed = [event[1] for event in events if event[0] == Event.PLACED]
        turns = [event[1] for event in events if event[0] == Event.TURN][:N_SEATS]
        assert placed == turns


@interpreted_only
def test_N_R8_the_starting_space_does_nothing() -> None:
    for playout in PLAYOUTS:
        place = set_table(playout)
        assert {event[0] for event in place.events()} <= {Event.DECISION, Event.START_ROLL, Event.PLACED}
        table = place.table
        assert [table.hp[seat] for seat in range(N_SEATS)] == [FULL] * N_SEATS
        assert not any(table.hand[seat] or table.own[seat] or table.jailed[seat] for seat in range(N_SEATS))
        assert table.go_due == 0


@interpreted_only
def test_N_R9_all_eight_walls_start_in_the_pile() -> None:
    place = set_table(1000)
    assert place.table.pile == 8
    assert place.table.walls == 0


@interpreted_only
def test_N_R10_move_and_action_in_any_order() -> None:
    for option in (OrderOption.NUMBER_FIRST, OrderOption.ACTION_FIRST):
        place = scene(action_die__bandages=6, action_die__crosshairs=0, action_die__boogie_bomb=0, action_die__brick=0)
        put(place, 0, FREE_PARKING)
        begin_turn(place.state, 0)
        place.choose(option, ClaimOption.CLAIM)
        use_dice(place.state, 0, place.rules)
        kinds = [event[0] for event in place.events() if event[0] in (Event.MOVE, Event.HP)]
        assert kinds.index(Event.MOVE) == (0 if option == OrderOption.NUMBER_FIRST else 1)


@interpreted_only
def test_N_R11_the_number_die_moves_forward_and_the_landing_space_is_carried_out() -> None:
    place = moved(30, 4)
    assert place.table.space[0] == CAMPFIRE
    assert place.table.hp[0] == 10 + 2 + 1


def test_N_R12_an_action_not_taken_is_lost_with_the_turn() -> None:
    passed = 0
    for playout in PLAYOUTS:
        events = told(playout, crosshairs_duty="may_pass").events
        for place, event in enumerate(events):
            if event[0] == Event.DECISION and event[2:4] == (Decision.TARGET, 62):
                passed += 1
                until = next(later for later in events[place:] if later[0] in (Event.TURN, Event.END))
                between = events[place : events.index(until, place)]
                assert all(later[3] != Source.CROSSHAIRS for later in between if later[0] == Event.HP)
    assert passed > 0


@interpreted_only
def test_N_R13_the_storm_card_of_go_comes_at_the_end_of_the_turn() -> None:
    place = scene(**only_storm("go_to_jail"))
    place.state.hidden.storm.size = 1
    moved(30, 4, place)
    assert place.events(Event.STORM_CARD) == []
    draw_what_is_due(place.state, 0, place.rules)
    assert len(place.events(Event.STORM_CARD)) == 1


@interpreted_only
def test_N_R13_the_next_to_the_left_draws_for_the_fallen_by_one_reading() -> None:
    for reading, drawers in (("no_draw", []), ("draw", [1])):
        place = scene(go_draw_dead=reading, **only_storm("go_to_jail"))
        place.state.hidden.storm.size = 1
        place.table.go_due = place.table.go_passes[0] = 1
        pay(place.state, 0, FULL, Source.TOLL, place.rules)
        draw_what_is_due(place.state, 0, place.rules)
        assert [event[1] for event in place.events(Event.STORM_CARD)] == drawers


def test_N_R14_locations_and_loot_are_traded_in_ones_own_turn() -> None:
    swaps = 0
    for playout in PLAYOUTS:
        active = NOBODY
        for kind, seat, first, second, _ in told(playout, trade="valued").events:
            active = seat if kind == Event.TURN else active
            if kind == Event.DECISION and first == Decision.TRADE_ANSWER:
                assert seat != active
                swaps += second == Answer.ACCEPT
            if kind == Event.SWAP:
                assert active in (seat, second)
    assert swaps > 0
    assert all(event[0] != Event.SWAP for event in told().events)


@interpreted_only
def test_N_R15_an_unclaimed_location_may_be_claimed_free() -> None:
    for option, owner in ((ClaimOption.CLAIM, 0), (ClaimOption.LEAVE, NOBODY)):
        place = scene()
        put(place, 0, TOMATO)
        place.choose(option)
        land(place.state, 0, place.rules)
        assert place.table.owner[2] == owner
        assert place.table.hp[0] == 10


@interpreted_only
def test_N_R15_it_must_be_claimed_by_one_reading() -> None:
    place = land_on(TOMATO, claim="mandatory")
    assert place.table.owner[2] == 0
    assert place.events(Event.DECISION) == []


@interpreted_only
def test_N_R16_the_owner_of_both_collects_2_on_either() -> None:
    for space in (TOMATO, SNOBBY):
        place = scene()
        give_location(place.state, 0, 2, place.rules)
        give_location(place.state, 0, 3, place.rules)
        put(place, 0, space)
        land(place.state, 0, place.rules)
        assert place.table.hp[0] == 12


@interpreted_only
def test_N_R16_the_bonus_may_be_declined_and_the_claim_may_collect_by_readings() -> None:
    for option, hp in ((0, 10), (1, 12)):
        place = scene(set_bonus_duty="optional", set_on_claim="bonus", claim="mandatory")
        give_location(place.state, 0, 2, place.rules)
        put(place, 0, SNOBBY)
        place.choose(option)
        land(place.state, 0, place.rules)
        assert place.table.hp[0] == hp


@interpreted_only
def test_N_R17_anothers_location_costs_what_is_printed() -> None:
    place = scene()
    give_location(place.state, 1, 15, place.rules)
    put(place, 0, 31)
    land(place.state, 0, place.rules)
    assert place.table.hp[0] == 10 - 4
    assert place.table.hp[1] == FULL


@interpreted_only
def test_N_R18_a_stormed_location_costs_its_storm_side() -> None:
    for reading, cost in (("plus1", 5), ("times2", 8)):
        place = scene(storm_cost=reading)
        storm_location(place.state, 15, StormedBy.CARD, NOBODY, place.rules)
        put(place, 0, 31)
        land(place.state, 0, place.rules)
        assert place.table.hp[0] == 10 - cost
        assert place.table.owner[15] == NOBODY


def test_N_R19_every_storm_side_costs_more_than_is_printed() -> None:
    for reading in ("plus1", "times2"):
        for row in GAME.load().resolve({"storm_cost": reading}).tables["locations"]:
            assert row["storm_cost"] > row["cost"]


@interpreted_only
def test_N_R20_ones_own_location_alone_does_nothing() -> None:
    place = scene()
    give_location(place.state, 0, 2, place.rules)
    put(place, 0, TOMATO)
    land(place.state, 0, place.rules)
    assert place.table.hp[0] == 10


@interpreted_only
@pytest.mark.parametrize(("start", "steps"), [(30, 2), (30, 3)])
def test_N_R21_go_gives_2_on_landing_and_on_passing(start: int, steps: int) -> None:
    place = moved(start, steps)
    assert [event[2] for event in place.events(Event.HP) if event[3] == Source.GO] == [2]
    assert place.table.go_due == 1


@interpreted_only
@pytest.mark.parametrize(("steps", "reading", "loss"), [(3, "landing_pays", 0), (2, "landing_pays", 2), (2, "free", 0)])
def test_N_R22_a_stormed_go_gives_nothing_and_its_card_is_still_due(steps: int, reading: str, loss: int) -> None:
    place = scene(go_storm=reading)
    storm_space(place.state, GO, place.rules)
    moved(30, steps, place)
    assert place.table.hp[0] == 10 - loss
    assert place.table.go_due == 1


@interpreted_only
def test_N_R23_free_parking_does_nothing() -> None:
    place = set_table(1000)
    put(place, 0, FREE_PARKING)
    before = place.events()
    land(place.state, 0, place.rules)
    assert place.events() == before
    assert place.table.hp[0] == 10


@interpreted_only
def test_N_R24_a_campfire_gives_1() -> None:
    assert land_on(CAMPFIRE).table.hp[0] == 11


@interpreted_only
def test_N_R25_a_spike_trap_costs_1() -> None:
    assert land_on(TRAP).table.hp[0] == 9


@interpreted_only
def test_N_R26_a_loot_chest_gives_the_top_card_until_there_is_none() -> None:
    place = set_table(1000)
    top = place.state.hidden.loot.order[0]
    put(place, 0, CHEST)
    for _card in range(17):
        land(place.state, 0, place.rules)
    assert place.events(Event.LOOT)[0][1:3] == (0, top)
    assert len(place.events(Event.LOOT)) == 16


@interpreted_only
def test_N_R27_just_visiting_does_nothing() -> None:
    assert land_on(JAIL).events() == []
    for reading, left in (("in_jail_only", 10), ("visiting_too", 8)):
        place = scene(jail_scope=reading)
        storm_space(place.state, JAIL, place.rules)
        put(place, 0, JAIL)
        land(place.state, 0, place.rules)
        assert place.table.hp[0] == left


@interpreted_only
def test_N_R28_go_to_jail_moves_to_jail_without_go() -> None:
    place = land_on(GO_TO_JAIL)
    assert place.table.space[0] == JAIL
    assert place.table.jailed[0] == 1
    assert place.table.hp[0] == 10
    assert place.table.go_due == 0


@interpreted_only
def test_N_R28_the_turn_ends_there_by_one_reading() -> None:
    for reading, is_over in (("action_usable", 0), ("turn_ends", 1)):
        assert land_on(GO_TO_JAIL, go_to_jail_turn=reading).table.turn_over == is_over


@interpreted_only
def test_N_R29_go_to_jail_draws_a_storm_card_at_once_or_at_the_end() -> None:
    for reading, at_once in (("at_once", 1), ("end_of_turn", 0)):
        place = scene(jail_draw_timing=reading, **only_storm("go"))
        place.state.hidden.storm.size = 1
        put(place, 0, GO_TO_JAIL)
        land(place.state, 0, place.rules)
        assert len(place.events(Event.STORM)) == at_once
        draw_what_is_due(place.state, 0, place.rules)
        assert place.table.storm == 1 << GO


@interpreted_only
@pytest.mark.parametrize(
    ("stormed", "changes", "space", "draws"),
    [
        (JAIL, {}, JAIL, 1),
        (JAIL, {"jail_storm_move": "moves", "jail_storm_draw": "draw"}, JAIL, 1),
        (JAIL, {"jail_storm_move": "stays", "jail_storm_draw": "no_draw"}, GO_TO_JAIL, 0),
        (JAIL, {"jail_storm_space": "go_to_jail_space", "jail_storm_move": "stays"}, JAIL, 1),
        (GO_TO_JAIL, {}, GO_TO_JAIL, 0),
        (GO_TO_JAIL, {"jail_storm_move": "moves"}, GO_TO_JAIL, 0),
        (GO_TO_JAIL, {"jail_storm_space": "go_to_jail_space"}, GO_TO_JAIL, 0),
        (GO_TO_JAIL, {"jail_storm_space": "go_to_jail_space", "jail_storm_move": "moves"}, JAIL, 0),
        (GO_TO_JAIL, {"jail_storm_space": "go_to_jail_space", "jail_storm_draw": "draw"}, GO_TO_JAIL, 1),
    ],
)
def test_N_R30_in_the_storm_one_loses_2_and_is_not_jailed(
    stormed: int, changes: dict[str, str], space: int, draws: int
) -> None:
    place = scene(**changes, **only_storm("campfire"))
    place.state.hidden.storm.size = 1
    storm_space(place.state, stormed, place.rules)
    put(place, 0, GO_TO_JAIL)
    land(place.state, 0, place.rules)
    assert place.table.hp[0] == 8
    assert place.table.jailed[0] == 0
    assert place.table.space[0] == space
    assert len(place.events(Event.STORM_CARD)) == draws


@interpreted_only
def test_N_R32_paying_2_before_the_roll_frees() -> None:
    place = scene()
    put(place, 0, JAIL)
    place.table.jailed[0] = 1
    place.choose(JailOption.PAY)
    leave_jail(place.state, 0, place.rules)
    assert place.table.hp[0] == 8
    assert place.table.jailed[0] == 0
    assert place.table.turn_over == 0


@interpreted_only
@pytest.mark.parametrize(
    ("changes", "jailed", "hp", "may"),
    [
        ({}, 2, 10, True),
        ({"jail_pay_later": "first_turn_only"}, 2, 10, False),
        ({"jail_pay_later": "first_turn_only"}, 1, 10, True),
        ({}, 1, 2, False),
        ({"jail_pay_last": "fatal_allowed"}, 1, 2, True),
    ],
)
def test_N_R32_who_may_pay(changes: dict[str, str], jailed: int, hp: int, may: bool) -> None:
    place = scene(**changes)
    put(place, 0, JAIL, hp)
    place.table.jailed[0] = jailed
    place.choose(JailOption.ROLL)
    leave_jail(place.state, 0, place.rules)
    assert (place.events(Event.DECISION) != []) == may


def turn_in_jail(number: int) -> int:
    """Return the own turn number before the turn in which seat 0 rolls a number in Jail."""
    draw = referee_draw(Purpose, SEED, 0)
    return next(turn for turn in range(1, 100) if draw("JAIL_DIE", 0, turn, 0, 6) + 1 == number) - 1


def jailed_turn(number: int, tries: int = 0, **changes: object) -> Scene:
    """Return a table after a turn in which seat 0 rolled a number in Jail."""
    place = scene(**changes)
    assignment = record_of(make_assignment(make_lineup(GAME, ["leader"], N_SEATS), SEED), 0)
    assignment.is_recording = 1
    begin_playout(place.state, assignment, 0)
    put(place, 0, JAIL, 5)
    place.table.jailed[0] = 1 + tries
    place.table.own_turn[0] = turn_in_jail(number)
    take_turn(place.state, 0, place.rules)
    return place


@interpreted_only
def test_N_R33_a_six_frees_and_both_dice_are_rolled() -> None:
    place = jailed_turn(6)
    assert place.events(Event.FREED) == [(Event.FREED, 0, Freed.SIX, 0, 0)]
    assert len(place.events(Event.ROLL)) == 1
    assert jailed_turn(6, jail_six="move_six").events(Event.ROLL)[0][2] == 6


@interpreted_only
@pytest.mark.parametrize("number", range(1, 6))
def test_N_R34_no_six_ends_the_turn(number: int) -> None:
    place = jailed_turn(number)
    assert place.events(Event.ROLL) == []
    assert place.table.jailed[0] == 2


@interpreted_only
def test_N_R35_after_two_failed_tries_one_leaves_free_with_both_dice() -> None:
    place = jailed_turn(1, tries=2)
    assert place.events(Event.JAIL_ROLL) == []
    assert place.events(Event.FREED) == [(Event.FREED, 0, Freed.LAST_TRY, 0, 0)]
    assert len(place.events(Event.ROLL)) == 1


@interpreted_only
def test_N_R35_one_may_stay_by_one_reading() -> None:
    for option, is_free in ((JailOption.LEAVE, True), (JailOption.STAY, False)):
        place = scene(jail_stay="may_stay")
        put(place, 0, JAIL)
        place.table.jailed[0] = 3
        place.choose(option)
        leave_jail(place.state, 0, place.rules)
        assert (place.table.jailed[0] == 0) == is_free
        assert place.table.turn_over == (not is_free)


@interpreted_only
def test_N_R36_the_storm_on_jail_frees_all_at_no_cost() -> None:
    place = scene(**only_storm("jail"))
    place.state.hidden.storm.size = 1
    for seat in (1, 3):
        put(place, seat, JAIL)
        place.table.jailed[seat] = 2
    draw_storm(place.state, 0, place.rules)
    assert [event[1] for event in place.events(Event.FREED)] == [1, 3]
    assert place.table.hp[1] == place.table.hp[3] == 10


@interpreted_only
def test_N_R37_a_stormed_jail_costs_2_once() -> None:
    place = scene(jail_in_storm="jailed_once")
    storm_space(place.state, JAIL, place.rules)
    put(place, 0, GO_TO_JAIL)
    land(place.state, 0, place.rules)
    assert place.table.jailed[0] == 1
    leave_jail(place.state, 0, place.rules)
    assert [event[2] for event in place.events(Event.HP) if event[3] == Source.STORM] == [-2]


def test_N_R31_a_jailed_player_can_be_attacked() -> None:
    hit = 0
    for playout in PLAYOUTS:
        jailed: set[int] = set()
        for kind, seat, first, second, cause in told(playout).events:
            if kind == Event.JAILED:
                jailed.add(seat)
            if kind == Event.FREED:
                jailed.discard(seat)
            if kind == Event.HP and first < 0 and cause != seat and second == Source.BOOGIE_BOMB:
                hit += seat in jailed
    assert hit > 0
