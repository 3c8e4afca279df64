"""Rules F-R41 to F-R88 of flip: hand-made tables, one phase kernel each."""

from __future__ import annotations

from sim.decks import put_under
from sim.engine.contract import NOBODY, Termination
from sim.games.flip.phases import action, board, items, jail, loot, modes, set_up, tiles, trade
from sim.games.flip.sight import in_sight
from sim.games.flip.words import Event, Loadout, Mode, Source, Symbol
from sim.mechanics import claims, health
from tests.games.flip_support import Scene, card_number, interpreted_only, scene, told

EXTRA_STORAGE = 1  # physical loadout
RIFLE = card_number("slones_pulse_rifle")
CHUG = card_number("chug_cannon")
BUSH = card_number("bush")
PIZZA = card_number("pizza_party")
NONE = 62
WALL = 7  # back of tile 1
JAIL = 8
pytestmark = interpreted_only


def mode_card(table: Scene, effect: Mode) -> int:
    """Return the first physical Game Mode card with an effect."""
    return next(card for card in range(table.rules.mode.size) if table.rules.mode_effect[card] == effect)


def draw(table: Scene, seat: int, effect: Mode) -> None:
    """Let a seat draw a Game Mode card of a kind from an otherwise empty deck."""
    table.state.hidden.mode.size = 0
    put_under(table.state.hidden.mode, mode_card(table, effect))
    modes.draw_mode(table.state, seat, table.rules)


def turn_to_wall(table: Scene) -> None:
    """Turn the tile whose back has a Wall on space 7."""
    tiles.turn_tile(table.state, 0, 1, table.rules)


def test_F_R41_a_jailed_seat_uses_no_items() -> None:
    s = scene()
    s.table.hp[0], s.table.hand[0], s.table.jailed[0] = 5, 1 << CHUG | 1 << PIZZA, 1
    action.use_med_mist(s.state, 0, s.rules)
    items.open_window(s.state, 0, s.rules)
    assert s.table.hp[0] == 7


def test_F_R42_a_jailed_seat_can_be_shot() -> None:
    s = scene(2)
    s.table.space[0], s.table.space[1], s.table.jailed[1] = 6, JAIL, 1
    action.use_crosshairs(s.state, 0, s.rules)
    assert s.table.hp[1] == 14


def test_F_R43_the_storm_on_jail_frees_everybody() -> None:
    s = scene()
    s.table.jailed[2] = 2
    draw(s, 0, Mode.STORM_JAIL)
    assert s.table.jailed[2] == 0
    assert s.table.hp[2] == 15


def test_F_R44_a_jailed_seat_may_pay_two() -> None:
    s = scene()
    s.table.jailed[0] = 1
    s.choose(0)
    jail.leave_jail(s.state, 0, s.rules)
    assert (s.table.hp[0], s.table.jailed[0], s.table.turn_over) == (13, 0, 0)


def test_F_R45_a_six_leaves_jail_free() -> None:
    numbers = set()
    for needed in range(1, 8):
        s = scene(jail_roll=needed)
        s.table.jailed[0] = 1
        jail.try_roll(s.state, 0, s.rules)
        number = s.events(Event.JAIL_ROLL)[-1][2]
        numbers.add(number)
        assert (s.table.hp[0], s.table.number) == (15, 0)
        assert s.table.jailed[0] == (0 if number >= needed else 2)
    assert len(numbers) == 1  # the same luck, so one of them needs just what is rolled


def test_F_R46_the_third_failed_try_moves_by_its_roll() -> None:
    s = scene(jail_roll=7)
    s.table.jailed[0], s.table.number = 1, 0
    for tries in (2, 3):
        jail.try_roll(s.state, 0, s.rules)
        assert (s.table.jailed[0], s.table.turn_over) == (tries, 1)
    s.table.turn_over = 0
    jail.try_roll(s.state, 0, s.rules)
    assert (s.table.jailed[0], s.table.turn_over) == (0, 0)
    assert s.table.number == s.events(Event.JAIL_ROLL)[-1][2]


def test_F_R47_landing_on_flip_turns_the_tile() -> None:
    s = scene()
    s.table.space[0] = 2
    board.land(s.state, 0, s.rules)
    assert s.table.turned == 0b1110


def test_F_R48_flipped_pawns_ignore_the_revealed_spaces() -> None:
    s = scene(board__2__back="trap", board__2__back_amount=2)
    s.table.space[1], s.table.space[0] = 3, 2  # both spaces turn into traps
    board.land(s.state, 0, s.rules)
    assert [s.table.hp[seat] for seat in range(4)] == [15] * 4


def test_F_R49_a_wall_protects_even_on_the_same_space() -> None:
    s = scene(2)
    turn_to_wall(s)
    s.table.space[0] = s.table.space[1] = WALL
    assert in_sight(s.table, 0, WALL, s.rules) == 0


def test_F_R50_an_ignore_sight_card_reaches_a_wall() -> None:
    s = scene(2)
    turn_to_wall(s)
    s.table.space[0], s.table.space[1], s.table.hand[0] = 20, WALL, 1 << RIFLE
    s.choose(16 + RIFLE, 1)
    action.use_crosshairs(s.state, 0, s.rules)
    assert s.table.hp[1] == 11


def test_F_R51_walls_do_not_stop_boogie_bombs() -> None:
    s = scene(2)
    turn_to_wall(s)
    s.table.space[1] = WALL
    action.use_boogie_bomb(s.state, 0, s.rules)
    assert s.table.hp[1] == 14


def test_F_R52_a_wall_between_blocks_the_shot() -> None:
    s = scene(2)
    s.table.space[0], s.table.space[1] = 6, JAIL
    assert in_sight(s.table, 0, 6, s.rules) == 0b10
    turn_to_wall(s)
    assert in_sight(s.table, 0, 6, s.rules) == 0


def test_F_R53_a_wall_does_not_stop_movement() -> None:
    s = scene()
    turn_to_wall(s)
    s.table.space[0] = 5
    board.move(s.state, 0, 4, s.rules)
    assert s.table.space[0] == 9


def test_F_R54_a_campfire_gives_one() -> None:
    s = scene()
    tiles.turn_tile(s.state, 0, 0, s.rules)
    s.table.space[0], s.table.hp[0] = 1, 10
    board.land(s.state, 0, s.rules)
    assert s.table.hp[0] == 11


def test_F_R55_a_trap_costs_its_number() -> None:
    s = scene(board__3__back_amount=5)
    tiles.turn_tile(s.state, 0, 0, s.rules)
    s.table.space[0] = 3
    board.land(s.state, 0, s.rules)
    assert s.table.hp[0] == 10


def test_F_R56_a_chest_gives_a_loot_card() -> None:
    s = scene()
    put_under(s.state.hidden.loot, BUSH)
    s.table.space[0] = 4
    board.land(s.state, 0, s.rules)
    assert s.table.hand[0] == 1 << BUSH


def test_F_R57_med_mist_collects_two_up_to_the_cap() -> None:
    s = scene()
    s.table.hp[0], s.table.hp[1] = 10, 14
    action.use_med_mist(s.state, 0, s.rules)
    action.use_med_mist(s.state, 1, s.rules)
    assert (s.table.hp[0], s.table.hp[1]) == (12, 15)


def test_F_R58_crosshairs_cost_the_chosen_target_one() -> None:
    s = scene(3)
    s.choose(2)
    action.use_crosshairs(s.state, 0, s.rules)
    assert [s.table.hp[seat] for seat in range(3)] == [15, 15, 14]


def test_F_R59_only_the_same_side_is_in_sight() -> None:
    s = scene(3)
    s.table.space[0], s.table.space[1], s.table.space[2] = 3, 6, 10
    assert in_sight(s.table, 0, 3, s.rules) == 0b10


def test_F_R60_a_corner_sees_both_sides() -> None:
    s = scene(4)
    s.table.space[1], s.table.space[2], s.table.space[3] = 3, 12, 20
    assert in_sight(s.table, 0, JAIL, s.rules) == 0b110


def test_F_R61_a_boogie_bomb_costs_all_others_one() -> None:
    s = scene()
    action.use_boogie_bomb(s.state, 1, s.rules)
    assert [s.table.hp[seat] for seat in range(4)] == [14, 15, 14, 14]


def test_F_R62_storm_surge_draws_a_card() -> None:
    s = scene()
    put_under(s.state.hidden.mode, mode_card(s, Mode.STORM_GO))
    action.act(s.state, 0, Symbol.STORM_SURGE, s.rules)
    assert s.table.storm == 1
    assert s.table.mode_draws[0] == 1


def test_F_R63_one_card_modifies_an_action() -> None:
    s = scene(cards__placebo__copies=1, cards__placebo__effect="med_mist", cards__placebo__trigger="med_mist")
    s.table.hp[0], s.table.hand[0] = 5, 1 << CHUG | 1 << card_number("placebo")
    s.choose(16 + CHUG)
    action.use_med_mist(s.state, 0, s.rules)
    assert s.table.hp[0] == 8
    assert len(s.events(Event.USE)) == 1


def test_F_R64_the_loadout_adds_to_the_card() -> None:
    s = scene()
    s.table.hp[0], s.table.hand[0] = 5, 1 << CHUG
    s.table.effect[0], s.table.bonus[0] = Loadout.MED_MIST_BONUS, 1
    s.choose(16 + CHUG)
    action.use_med_mist(s.state, 0, s.rules)
    assert s.table.hp[0] == 9


def test_F_R65_surge_and_go_draw_two_cards() -> None:
    s = scene()
    for effect in (Mode.STORM_GO, Mode.STORM_JAIL):
        put_under(s.state.hidden.mode, mode_card(s, effect))
    s.table.go_due = 1
    action.act(s.state, 0, Symbol.STORM_SURGE, s.rules)
    modes.draw_for_go(s.state, s.rules)
    assert s.table.mode_draws[0] == 2


def test_F_R66_the_lowest_unclaimed_location_is_stormed() -> None:
    s = scene()
    s.table.claimed, s.table.owner[0], s.table.own[1] = 1, 1, 1
    draw(s, 0, Mode.STORM_LOWEST)
    assert s.table.stormed == 0b10


def test_F_R67_a_corner_card_stays_on_the_corner() -> None:
    s = scene()
    draw(s, 0, Mode.STORM_GO)
    assert s.table.storm == 1
    assert s.state.hidden.mode.size == 0


def test_F_R68_the_storm_never_leaves() -> None:
    storm = 0
    for kind, _seat, space, _cause, _ in told().events:
        if kind == Event.STORM:
            assert not storm >> space & 1
            storm |= 1 << space
    assert storm


def test_F_R69_a_storm_card_stays_when_its_tile_turns() -> None:
    s = scene()
    claims.storm_location(s.state, 0, 0, NOBODY, s.rules)
    tiles.turn_tile(s.state, 0, 0, s.rules)
    s.table.space[0] = 1
    board.land(s.state, 0, s.rules)
    assert s.table.hp[0] == 13


def test_F_R70_who_stands_on_a_taken_space_loses_nothing() -> None:
    s = scene()
    s.table.space[1] = 1
    draw(s, 0, Mode.STORM_LOWEST)
    assert s.table.storm == 0b10
    assert s.table.hp[1] == 15


def test_F_R71_other_cards_go_under_the_deck() -> None:
    s = scene()
    draw(s, 0, Mode.FORCED_TRADE)
    assert s.state.hidden.mode.size == 1


def test_F_R72_the_forced_trade_swaps_two_loot_cards() -> None:
    s = scene(2)
    s.table.hand[0], s.table.hand[1] = 1 << BUSH, 1 << RIFLE
    trade.forced_trade(s.state, 0, s.rules)
    assert (s.table.hand[0], s.table.hand[1]) == (1 << RIFLE, 1 << BUSH)


def test_F_R73_a_reusable_card_is_kept_and_may_be_discarded() -> None:
    s = scene()
    s.table.hp[0], s.table.hand[0] = 5, 1 << CHUG
    s.choose(16 + CHUG, 16 + CHUG)
    action.use_med_mist(s.state, 0, s.rules)
    assert s.table.hand[0] == 1 << CHUG
    loot.offer_discard(s.state, 0, s.rules)
    assert (s.table.hand[0], s.state.hidden.loot.size) == (0, 1)


def test_F_R74_a_one_time_card_goes_under_the_deck() -> None:
    s = scene()
    s.table.hp[0], s.table.hand[0] = 5, 1 << PIZZA
    s.choose(16 + PIZZA)
    items.open_window(s.state, 0, s.rules)
    assert (s.table.hp[0], s.table.hand[0], s.state.hidden.loot.size) == (15, 0, 1)


def test_F_R75_two_cards_are_stored_and_three_with_the_loadout() -> None:
    s = scene()
    assert loot.storage_limit(s.table, 0, s.rules) == 2
    set_up.receive_loadout(s.state, 0, EXTRA_STORAGE, s.rules)
    assert loot.storage_limit(s.table, 0, s.rules) == s.table.storage[0] == 3


def test_F_R76_at_the_limit_a_card_is_exchanged_or_declined() -> None:
    s = scene()
    s.table.hand[0] = 1 << BUSH | 1 << CHUG
    s.choose(16 + CHUG, 16 + PIZZA)
    loot.take(s.state, 0, RIFLE, 0, s.rules)
    assert s.table.hand[0] == 1 << BUSH | 1 << RIFLE
    loot.take(s.state, 0, PIZZA, 0, s.rules)
    assert s.table.hand[0] == 1 << BUSH | 1 << RIFLE


def test_F_R77_the_last_hp_eliminates_at_once() -> None:
    s = scene()
    health.pay(s.state, 2, 20, Source.TRAP, s.rules)
    assert (s.table.hp[2], s.table.alive, s.table.eliminated[2]) == (0, 0b1011, 1)


def test_F_R78_loot_drops_on_the_space_of_death() -> None:
    s = scene()
    s.table.space[2], s.table.hand[2] = 12, 1 << BUSH
    health.pay(s.state, 2, 15, Source.TRAP, s.rules)
    assert (s.table.hand[2], s.table.dropped[12], s.table.dropped_at) == (0, 1 << BUSH, 1 << 12)


def test_F_R79_the_next_to_pass_picks_the_loot_up() -> None:
    s = scene()
    s.table.dropped[10], s.table.dropped_at, s.table.space[0] = 1 << BUSH, 1 << 10, 9
    board.move(s.state, 0, 3, s.rules)
    assert s.table.hand[0] >> BUSH & 1
    assert s.table.dropped_at == 0


def test_F_R80_the_locations_of_the_fallen_are_stormed() -> None:
    s = scene()
    claims.give_location(s.state, 2, 5, s.rules)
    health.pay(s.state, 2, 15, Source.TRAP, s.rules)
    assert (s.table.stormed, s.table.own[2], s.table.owner[5]) == (1 << 5, 0, NOBODY)


def test_F_R81_the_playout_ends_with_one_left() -> None:
    s = scene(2)
    health.pay(s.state, 1, 15, Source.TRAP, s.rules)
    assert (s.table.termination, s.table.winners) == (Termination.WON, 1)


def test_F_R82_honey_hitters_take_two_from_a_passed_player() -> None:
    s = scene(2)
    s.table.effect[0], s.table.hp[0], s.table.space[1] = Loadout.HONEY_HITTERS, 10, 17
    s.table.space[0] = 16
    s.choose(1)
    board.move(s.state, 0, 4, s.rules)
    assert (s.table.hp[0], s.table.hp[1]) == (12, 13)


def test_F_R83_any_stormed_space_follows_its_card() -> None:
    s = scene()
    s.table.storm = 1 << 16
    s.table.space[0] = 16
    board.land(s.state, 0, s.rules)
    assert s.table.hp[0] == 13


def test_F_R84_pawns_share_a_space() -> None:
    s = scene(3)
    s.table.space[1] = s.table.space[2] = 5
    assert board.pawns_to_pass(s.table, 0, 5, s.rules) == 0b110


def test_F_R85_a_pawn_on_a_corner_is_seen_from_both_sides() -> None:
    s = scene(3)
    s.table.space[2] = JAIL
    assert in_sight(s.table, 0, 3, s.rules) >> 2 & 1
    assert in_sight(s.table, 0, 12, s.rules) >> 2 & 1


def test_F_R86_set_up_is_loadouts_loot_start_roll_placement() -> None:
    kinds = [event[0] for event in told().events if event[0] != Event.DECISION]
    first = [kinds.index(kind) for kind in (Event.LOADOUT, Event.DEAL, Event.START_ROLL, Event.PLACED)]
    assert first == sorted(first)


def test_F_R87_corresponding_spaces_have_one_number() -> None:
    s = scene()
    s.table.space[1] = 3
    tiles.turn_tile(s.state, 0, 0, s.rules)
    assert s.table.turned == 0b1110
    assert s.table.space[1] == 3


def test_F_R88_known_cards_do_what_they_say() -> None:
    s = scene(2)
    s.table.hand[1] = 1 << BUSH
    action.use_boogie_bomb(s.state, 0, s.rules)
    assert s.table.hp[1] == 15
    assert (s.rules.loot_amount[RIFLE], s.rules.loot_amount[CHUG]) == (4, 3)
    assert s.rules.sightless >> RIFLE & 1
