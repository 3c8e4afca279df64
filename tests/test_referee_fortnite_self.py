"""The referee of `fortnite` alone: it keeps the rules in every reading, and plays the rulebook's examples as told.

Every draw and every choice comes from a generator with a fixed seed, or is written down in the test.
"""

from __future__ import annotations

import random  # noqa: TID251  (a referee stands apart from sim and its draws)
import tomllib
from copy import deepcopy
from typing import Any

import pytest

from tests.referee_self import GAMES, RandomHands, Tables, check_verdict, read_switches, read_table
from tests.referees import fortnite
from tests.referees.fortnite import Table, Verdict, referee, take_turn
from tests.referees.fortnite.action_die import use_action_die
from tests.referees.fortnite.spaces import move_by_numbered_die
from tests.referees.fortnite.table import Turn
from tests.referees.fortnite.words import CLAIM, FIRST_WALL, MOST_PROPOSALS, NONE, Down, Event, Source

DATA = GAMES / "fortnite" / "data"
SWITCHES = read_switches("fortnite")
pytestmark = pytest.mark.compiled_only("a referee has no kernels: it is the same in both passes")
READINGS = [(key, reading) for key, readings in SWITCHES.items() for reading in readings]
RULES = tomllib.loads((DATA / "rules.toml").read_text(encoding="utf-8"))
NUMBERS = {key: rule["default"] for key, rule in RULES.items() if key not in SWITCHES}
TABLES = {table: read_table(DATA / f"{table}.csv") for table in ("board", "locations", "cards", "storm", "action_die")}
AFTER_FALL = {Event.DROP, Event.STORM, Event.WALL_DOWN, Event.END}
N_PLAYOUTS = 6
CAMPFIRE, TOMATO_TOWN, SNOBBY_SHORES = 2, 5, 7
ACTION_FIRST, NUMBER_FIRST = 1, 0
CROSSHAIRS_FACE, BRICK_FACE = 2, 5


def ruleset(tables: Tables = TABLES, **changes: int | str) -> dict[str, Any]:
    """Return a ruleset with some rules changed."""
    defaults = {key: readings[0] for key, readings in SWITCHES.items()}
    assert set(changes) <= set(NUMBERS) | set(defaults)
    return {"rules": NUMBERS | defaults | changes, "tables": deepcopy(tables)}


def wild_tables() -> Tables:
    """Return components with every effect there is, more loot, and Storm cards for every kind of space."""
    tables = deepcopy(TABLES)
    for space in tables["board"]:
        if space["kind"] in {"campfire", "trap"} and space["space"] > SNOBBY_SHORES:
            space["kind"] = "chest"
    for card in tables["cards"]:
        card["copies"] = 3
    more = [{"storm": kind, "copies": 1, "effect": kind} for kind in ("free_parking", "trap", "chest", "blank")]
    tables["storm"] += more
    tables["action_die"] = [{"face": face["face"], "copies": 1} for face in tables["action_die"]]
    return tables


def check(table: Table) -> None:
    """Look whether everything is where it may be."""
    players, most = table.players, table.number("hp_cap")
    assert all(0 <= player.hp <= most and (player.hp > 0) == player.is_in_game for player in players)
    heaps = [*(player.items for player in players), *(square.loot for square in table.board)]
    items = [item.number for heap in (*heaps, table.loot_in_cell, table.loot_deck) for item in heap]
    assert sorted(items) == list(range(len(table.box.items)))
    storm = [*table.storm_deck, *table.storm_out]
    assert len(storm) == len(set(storm)) <= len(table.box.storm_cards)
    walls = [square.walls for square in table.board]
    assert sum(walls) + table.walls_in_pile == table.number("n_walls")
    if table.reads("wall_stack", "one"):
        assert max(walls) <= 1
    if table.reads("jail_in_storm", "not_jailed") and table.jail.in_storm:
        assert not any(player.in_jail for player in players)
    for card in table.box.locations:
        square = table.square_of(card)
        assert card.owner is None or card.owner.is_in_game
        assert card.owner is None or table.reads("storm_claimed", "owner_keeps") or not (square and square.in_storm)
    assert all(player.is_in_game or not player.items for player in players)
    assert table.turn.n_proposals <= MOST_PROPOSALS


def play(rules: dict[str, Any], n_seats: int, seed: int) -> Verdict:
    """Play one playout with random draws and choices, and look at it after each turn and at its end."""
    n_cards = {
        deck: sum(row["copies"] for row in rules["tables"][table])
        for deck, table in (("LOOT", "cards"), ("STORM", "storm"))
    }
    hands = RandomHands(seed, n_cards)
    verdict = fortnite.play(Table(rules, n_seats, hands.draw, hands.order, hands.choose), after_turn=check)
    check_verdict(verdict, n_seats, Event, AFTER_FALL)
    return verdict


def test_switches_of_the_rules_are_those_of_the_data() -> None:
    assert {key: rule["readings"] for key, rule in RULES.items() if "readings" in rule} == SWITCHES


@pytest.mark.parametrize(("key", "reading"), READINGS)
def test_every_reading_plays_to_an_end(key: str, reading: str) -> None:
    for seed in range(N_PLAYOUTS):
        play(ruleset(wild_tables() if seed % 2 else TABLES, **{key: reading}), 2 + seed % 6, seed)


@pytest.mark.parametrize("seed", range(60))
def test_readings_mix(seed: int) -> None:
    generator = random.Random(1000 + seed)  # noqa: S311  (nothing is secret)
    changes: dict[str, Any] = {key: generator.choice(readings) for key, readings in SWITCHES.items()}
    changes |= {"movement": "printed", "sight": "printed", "n_walls": generator.choice([1, 3, 8])}
    for playout in range(6):
        play(ruleset(wild_tables(), **changes), 2 + playout, 5 * seed + playout)


def test_turn_limit_is_looked_at_before_a_turn_starts() -> None:
    for seed in range(10):
        verdict = play(ruleset(turn_limit=5), 7, seed)
        assert verdict.termination == "turn_limit"
        assert verdict.length_turns == 5
        assert verdict.events[-1] == (Event.END, -1, 2, 0, 0)


def test_every_source_and_event_is_met() -> None:
    kinds: set[int] = set()
    sources: set[int] = set()
    for seed in range(60):
        verdict = play(ruleset(wild_tables(), trade="never" if seed % 10 else "valued"), 5, seed)
        kinds |= {event[0] for event in verdict.events}
        sources |= {event[3] for event in verdict.events if event[0] == Event.HP}
    assert kinds == set(Event) - {Event.DEAL}
    assert sources == set(Source)


def test_a_grant_is_in_its_seat_s_hand_and_not_in_the_deck() -> None:
    hands = RandomHands(1, {"LOOT": 16, "STORM": 15})
    verdict = referee(ruleset(), 3, hands.draw, hands.order, hands.choose, [("LOOT", 9, 2)])
    assert verdict.events[0] == (Event.DEAL, 2, 9, 0, 0)
    assert (Event.LOOT, 9) not in {(event[0], event[2]) for event in verdict.events}


def one_turn(n_seats: int, starts: list[int], roll: int, face: int, answers: dict[str, list[int]]) -> Table:
    """Return a table ready for the first turn of seat 0; answers are taken in order, NONE when there are no more."""

    def draw(purpose: str, *_: int) -> int:
        return {"NUMBER_DIE": roll - 1, "ACTION_DIE": face}[purpose]

    def choose(kind: str, _seat: int, options: list[int]) -> int:
        return answers[kind].pop(0) if answers.get(kind) else options[-1]

    table = Table(ruleset(), n_seats, draw, lambda deck, _: list(range(16 if deck == "LOOT" else 15)), choose)
    table.loot_deck, table.storm_deck = list(table.box.items), list(range(15))
    for player, start in zip(table.players, starts, strict=True):
        player.square = table.board[start]
    table.turn = Turn(table.players[0])
    return table


def build_wall(table: Table, space: int) -> None:
    """Put a wall of the pile on a space."""
    table.board[space].walls += 1
    table.walls_in_pile -= 1


SHOOT_FIRST = {"ORDER": [ACTION_FIRST], "TARGET": [FIRST_WALL + TOMATO_TOWN], "CLAIM": [CLAIM]}


def test_N_R51_crosshairs_first_clear_the_wall_as_in_the_example() -> None:
    table = one_turn(2, [CAMPFIRE, 20], 5, CROSSHAIRS_FACE, SHOOT_FIRST)
    build_wall(table, TOMATO_TOWN)
    table.board[TOMATO_TOWN].in_storm = True
    take_turn(table, table.players[0])
    assert table.told == [
        (Event.TURN, 0, 1, 0, 0),
        (Event.ROLL, 0, 5, 1, 0),
        (Event.DECISION, 0, 2, ACTION_FIRST, 0b11),
        (Event.DECISION, 0, 4, FIRST_WALL + TOMATO_TOWN, 1 << (FIRST_WALL + TOMATO_TOWN) | 1 << NONE),
        (Event.WALL_DOWN, 0, TOMATO_TOWN, Down.ATTACKED, 0),
        (Event.MOVE, 0, CAMPFIRE, SNOBBY_SHORES, 0),
        (Event.DECISION, 0, 10, CLAIM, 0b11),
        (Event.CLAIM, 0, 3, 0, 0),
    ]


def test_N_R47_moving_first_stops_at_the_wall_as_in_the_example() -> None:
    answers = {"ORDER": [NUMBER_FIRST], "TARGET": [1]}
    table = one_turn(3, [CAMPFIRE, 8, 6], 5, CROSSHAIRS_FACE, answers)
    build_wall(table, TOMATO_TOWN)
    table.board[TOMATO_TOWN].in_storm = True
    take_turn(table, table.players[0])
    assert table.told[3:] == [
        (Event.MOVE, 0, CAMPFIRE, SNOBBY_SHORES, 0),
        (Event.STOPPED, 0, TOMATO_TOWN, 0, 0),
        (Event.HP, 0, -2, Source.STORM, 0),
        (Event.WALL_DOWN, 0, TOMATO_TOWN, Down.REACHED, 0),
        (Event.DECISION, 0, 4, 1, 0b110),
        (Event.HP, 1, -1, Source.CROSSHAIRS, 0),
    ]
    assert table.walls_in_pile == 8


def test_N_R56_a_wall_may_be_built_on_any_space_of_the_path_with_GO_as_in_the_example() -> None:
    table = one_turn(2, [0, 20], 5, BRICK_FACE, {"CLAIM": [CLAIM], "WALL": [0]})
    take_turn(table, table.players[0])
    mask = sum(1 << option for option in (0, 1, 2, 3, 4, 5, NONE))
    assert (Event.DECISION, 0, 5, 0, mask) in table.told
    assert table.told[-1] == (Event.WALL, 0, 0, 0, 0)


def test_N_R49_a_wall_protects_and_can_be_shot_at() -> None:
    table = one_turn(3, [CAMPFIRE, 3, 6], 1, CROSSHAIRS_FACE, {"ORDER": [ACTION_FIRST], "TARGET": [FIRST_WALL + 3]})
    build_wall(table, 3)
    use_action_die(table, table.players[0], "crosshairs", 1)
    assert table.told[0] == (Event.DECISION, 0, 4, FIRST_WALL + 3, 1 << 2 | 1 << (FIRST_WALL + 3))
    assert [player.hp for player in table.players] == [15, 15, 15]
    assert table.board[3].walls == 0


def test_N_R29_the_card_of_go_to_jail_may_free_at_once() -> None:
    table = one_turn(2, [22, 3], 2, CROSSHAIRS_FACE, {})
    table.storm_deck = [table.box.storm_cards.index("jail")]
    move_by_numbered_die(table, table.players[0], 2)
    told = [event[0] for event in table.told]
    assert told == [Event.MOVE, Event.MOVE, Event.JAILED, Event.STORM_CARD, Event.STORM, Event.FREED]
    assert table.players[0].hp == 15
    assert not table.players[0].in_jail
