"""Faster forms of kernels beside the plain ones that they stand for."""

from __future__ import annotations

import itertools
import sys
from typing import Any

import numpy as np
import pytest

from sim.decks import DECK, DECK_CAPACITY, NO_CARD
from sim.engine.contract import NOBODY, RANDOM_POLICY, TAPE_LENGTH, AfterTape, Game, Termination
from sim.engine.lineup import make_lineup
from sim.engine.replay import replay
from sim.games.flip.game import GAME as FLIP
from sim.games.flip.phases.action import bonus_of, immune_seats, usable_modifiers
from sim.games.flip.phases.health import halved, storm_price
from sim.games.flip.phases.items import usable_items
from sim.games.flip.policies import bomb_pays
from sim.games.flip.sight import active_walls, in_sight, in_sight_by_readings, nearest_walls_only
from sim.games.flip.words import Decision as FlipDecision
from sim.games.flip.words import Event as FlipEvent
from sim.games.flip.words import Loadout, Symbol, WallStormed
from sim.games.fortnite.game import GAME as FORTNITE
from sim.games.fortnite.words import Decision as FortniteDecision
from sim.games.fortnite.words import Event as FortniteEvent
from sim.jit import LANES, PAGE, count_below, entry, make_records, record_of
from sim.mechanics.ring import above_highest, below_lowest
from sim.mechanics.targets import area_score, best_area
from tests.games.flip_support import interpreted_only, scene
from tests.support import SEED, referee_draw

GAMES = [FLIP, FORTNITE]
N_TABLES = 200
FEWEST_QUESTIONS = 100
EVENTS = {"flip": FlipEvent, "fortnite": FortniteEvent}
ORDERS = {"flip": FlipDecision.ORDER, "fortnite": FortniteDecision.ORDER}


@entry
def count_from(decks: Any, firsts: Any, words: Any, found: Any) -> None:
    """Count the words of a deck that are less than given ones, from given places on."""
    deck = record_of(decks, 0)
    for place in range(len(firsts)):
        found[place] = count_below(deck.hash, firsts[place], words[place])


class Drawn:
    """Numbers that tests try, one after the other."""

    def __init__(self) -> None:
        self._draw, self._places = referee_draw({"CHOICE": 0}, SEED, 0), itertools.count()

    def below(self, n: int) -> int:
        """Return a number below n."""
        return self._draw("CHOICE", 0, 0, next(self._places), n)

    def mask(self, n_bits: int) -> int:
        """Return a mask of so many bits, half of them set."""
        return sum(self.below(2) << bit for bit in range(n_bits))


def test_counting_in_lanes_is_counting_one_by_one() -> None:
    draw, decks = Drawn(), make_records(DECK)
    most = (1 << 64) - 1
    extremes = [0, most, 1 << 63, (1 << 63) - 1]  # a signed comparison would order them otherwise
    numbers = np.array([*extremes, *(draw.mask(64) for _ in range(DECK_CAPACITY - len(extremes)))], np.uint64)
    decks["hash"][0] = numbers
    words = np.concatenate([numbers, numbers[::-1]])
    firsts = np.array([draw.below(len(numbers) - LANES + 1) for _ in words])
    found = np.zeros(len(words), np.int64)
    count_from(decks, firsts, words, found)
    plain = [int((numbers[first : first + LANES] < word).sum()) for first, word in zip(firsts, words, strict=True)]
    assert found.tolist() == plain


def test_records_start_on_a_page() -> None:
    for n_records in (1, 3):
        assert make_records(FLIP.state, n_records).ctypes.data % PAGE == 0


@interpreted_only
def test_masks_below_and_above_a_mask_are_those_of_a_scan() -> None:
    places, draw = range(40), Drawn()
    for mask in [0, *(draw.mask(40) & draw.mask(40) for _ in range(N_TABLES))]:
        held = [place for place in places if mask >> place & 1]
        below = [place for place in places if not held or place < held[0]]
        above = [place for place in places if not held or place > held[-1]]
        assert [place for place in places if below_lowest(mask) >> place & 1] == below
        assert [place for place in places if above_highest(mask) >> place & 1] == above


def seen_by_walking(walls: int, space: int, rules: Any) -> int:
    """Return what is seen on both sides of a space, found step by step."""
    seen = 0
    for step, side in ((1, rules.ahead[space]), (-1, rules.behind[space])):
        place = (space + step) % rules.n_spaces
        while side >> place & 1 and not walls >> place & 1:
            seen |= 1 << place
            place = (place + step) % rules.n_spaces
    return seen


@interpreted_only
@pytest.mark.parametrize("layout", sorted(FLIP.load().layouts()))
def test_sight_up_to_walls_is_that_of_walking_along_the_sides(layout: str) -> None:
    draw = Drawn()
    rules = record_of(FLIP.pack(FLIP.load().resolve({"layout": layout})), 0)
    corners = sum(1 << space for space in range(rules.n_spaces) if rules.is_corner[space])
    for space in range(rules.n_spaces):
        for few in (1, 2, 3, 4):  # the more masks are laid over one another, the fewer Walls
            walls = ~corners & (1 << rules.n_spaces) - 1
            for _ in range(few):
                walls &= draw.mask(rules.n_spaces)
            assert nearest_walls_only(walls, space, rules) == seen_by_walking(walls, space, rules)


def some_table(draw: Drawn, **changes: Any) -> Any:
    """Return a scene of flip on which everything that the tests ask for is drawn."""
    place = scene(**changes)
    table, rules = place.table, place.rules
    table.turned = draw.mask(rules.n_spaces)
    table.storm = draw.mask(rules.n_spaces)
    table.landed = draw.mask(4)
    table.alive = 1 + draw.below(15)
    table.fresh = 1 << draw.below(rules.loot.size)
    for seat in range(table.n_seats):
        table.space[seat] = draw.below(rules.n_spaces)
        table.jailed[seat] = draw.below(2)
        table.hand[seat] = draw.mask(rules.loot.size)
        table.effect[seat] = draw.below(len(Loadout))
        table.bonus[seat] = draw.below(4)
    return place


@interpreted_only
@pytest.mark.parametrize("stormed", [reading.name.lower() for reading in WallStormed])
def test_walls_in_the_storm_are_those_of_the_reading(stormed: str) -> None:
    draw = Drawn()
    for _ in range(10):
        place = some_table(draw, wall_stormed=stormed)
        table, rules = place.table, place.rules
        for space in range(rules.n_spaces):
            is_wall = rules.wall[table.turned >> space & 1] >> space & 1
            is_gone = stormed == "no_wall" and table.storm >> space & 1
            assert active_walls(table, rules) >> space & 1 == (is_wall and not is_gone)


@interpreted_only
@pytest.mark.parametrize("same_space", ["visible", "hidden"])
@pytest.mark.parametrize("corner", ["own_side", "both_sides"])
def test_the_short_way_to_who_is_in_sight_is_the_long_one(same_space: str, corner: str) -> None:
    draw = Drawn()
    for _ in range(10):
        place = some_table(draw, sight_same_space=same_space, wall_corner=corner)
        assert place.rules.special_sight == 0
        for space in range(place.rules.n_spaces):
            plain = in_sight_by_readings(place.table, 0, space, place.rules)
            assert in_sight(place.table, 0, space, place.rules) == plain


@interpreted_only
@pytest.mark.parametrize("in_jail", ["works", "stops"])
def test_choices_as_arithmetic_are_those_of_branches(in_jail: str) -> None:
    draw = Drawn()
    for _ in range(N_TABLES // 4):
        place = some_table(draw, jail_passive=in_jail)
        table, rules = place.table, place.rules
        for seat in range(table.n_seats):
            amount, is_free = draw.below(6), table.jailed[seat] == 0
            cheaper = amount
            if table.effect[seat] == Loadout.STORM_DISCOUNT and is_free:
                cheaper = max(0, amount - table.bonus[seat])
            halves = table.hand[seat] & rules.halve & ~table.fresh != 0 and is_free
            assert halved(table, seat, amount, rules) == (-(-amount // 2) if halves else amount)
            assert storm_price(table, seat, amount, rules) == halved(table, seat, cheaper, rules)
            effect = int(Loadout.CROSSHAIRS_BONUS) if draw.below(2) else table.effect[seat]
            adds = table.bonus[seat] if table.effect[seat] == effect and is_free else 0
            assert bonus_of(table, seat, NO_CARD, effect, rules) == adds
            ripe = table.hand[seat] & ~table.fresh if is_free else 0
            assert usable_modifiers(table, seat, Symbol.CROSSHAIRS, rules) == ripe & rules.modifiers[Symbol.CROSSHAIRS]
            assert usable_items(table, seat, rules) == ripe & rules.items & rules.modifiers[Symbol.OWN_TURN]
            has_bush = table.hand[seat] & rules.bush & ~table.fresh != 0 and (is_free or in_jail == "works")
            assert immune_seats(table, rules) >> seat & 1 == has_bush


@interpreted_only
def test_a_bomb_pays_where_the_best_space_hits_somebody() -> None:
    draw = Drawn()
    for _ in range(N_TABLES):
        place = some_table(draw)
        for seat in range(place.table.n_seats):
            space = draw.below(place.rules.n_spaces)
            place.table.space[seat] = space if draw.below(2) else place.table.space[0]
        place.table.alive |= 1
        amount = 1 + draw.below(4)
        space = best_area(place.table, 0, 0, amount, place.rules)
        assert bomb_pays(place.table, 0, amount, False) == (
            area_score(place.table, 0, space, amount, NOBODY, place.rules) > 0
        )


def told(game: Game, policies: list[str], playout: int, tape: list[int], **changes: Any) -> Any:
    """Return a recorded playout of three seats."""
    rules = game.pack(game.load().resolve(changes))
    return replay(game, rules, make_lineup(game, policies, 3), SEED, playout, tape=tape)


@interpreted_only
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_dice_rolled_ahead_are_those_rolled_now(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = sys.modules[f"sim.games.{game.name}.phases.turn"]
    ahead = [told(game, ["random"], playout, []).events for playout in range(4)]
    monkeypatch.setattr(turn, "roll_ahead", lambda *_arguments: None)
    assert [told(game, ["random"], playout, []).events for playout in range(4)] == ahead


@interpreted_only
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_who_stands_and_who_is_asked_is_what_the_table_and_the_line_up_say(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sim.mechanics import health  # noqa: PLC0415

    plain, n_asked = health.stands, 0

    def look(state: Any, seat: int) -> bool:
        nonlocal n_asked
        n_asked += 1
        goes_on = state.table.termination == Termination.NOT_PLAYED
        assert plain(state, seat) == bool(state.table.alive >> seat & 1 and goes_on)
        is_random = state.table.policy[seat] == RANDOM_POLICY
        assert state.hidden.asked >> seat & 1 == (state.hidden.is_watched != 0 or is_random)
        return plain(state, seat)

    for name, module in list(sys.modules.items()):
        if name.startswith(("sim.mechanics.", f"sim.games.{game.name}.")) and getattr(module, "stands", None) is plain:
            monkeypatch.setattr(module, "stands", look)
    told(game, ["leader", "random", "threat"], 0, [])
    assert n_asked > FEWEST_QUESTIONS


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_while_the_order_of_the_dice_is_open_no_pawn_has_moved(game: Game) -> None:
    rules, event = game.pack(game.load().resolve({})), EVENTS[game.name]
    lineup, start = make_lineup(game, ["random"], 3), int(game.load().resolve({}).rules["start_hp"])
    choices = [one for one in told(game, ["random"], 0, []).events if one[0] == event.DECISION]
    orders = [place for place, one in enumerate(choices[:TAPE_LENGTH]) if one[2] == ORDERS[game.name]]
    assert orders
    for n_forced in orders:
        tape = [one[3] for one in choices[:n_forced]]
        part = replay(game, rules, lineup, SEED, 0, tape=tape, after_tape=AfterTape.STOP)
        seat = int(part.table.seat)
        hp = [start] * 3
        for happened, other, change, _, _ in part.events:
            hp[other] += change if happened == event.HP else 0
        assert [int(number) for number in part.table.hp[:3]] == hp
        moves = [one for one in part.events if one[0] == event.MOVE and one[1] == seat]
        assert not moves or part.table.space[seat] == moves[-1][3]
