"""The referee of `fortnite` alone: it keeps the rules in every reading, and plays the rulebook's examples as told.

Every draw and every choice comes from a generator with a fixed seed, or is written down in the test.
"""

from __future__ import annotations

import random  # noqa: TID251  (a referee stands apart from sim and its draws)
import tomllib
from copy import deepcopy
from typing import Any

import pytest

from tests.referee_self import GAMES, Checked, RandomHands, Tables, check_verdict, read_switches, read_table
from tests.referees.fortnite import Referee, Verdict, referee
from tests.referees.fortnite.words import CLAIM, FIRST_WALL, NONE, Down, Event, Source

DATA = GAMES / "fortnite" / "data"
SWITCHES = read_switches("fortnite")
READINGS = [(key, reading) for key, readings in SWITCHES.items() for reading in readings]
RULES = tomllib.loads((DATA / "rules.toml").read_text(encoding="utf-8"))
NUMBERS = {key: rule["default"] for key, rule in RULES.items() if key not in SWITCHES}
TABLES = {table: read_table(DATA / f"{table}.csv") for table in ("board", "locations", "cards", "storm", "action_die")}
AFTER_FALL = {Event.DROP, Event.STORM, Event.WALL_DOWN, Event.END}
N_PLAYOUTS = 12
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


class CheckedReferee(Checked, Referee):
    """A referee that looks at the table after each turn."""

    def check(self) -> None:
        """Look whether everything is where it may be."""
        assert all(0 <= hp <= self.number("hp_cap") for hp in self.hp)
        assert all((hp > 0) == living for hp, living in zip(self.hp, self.living, strict=True))
        cards = [card for pile in (*self.hand, *self.dropped, self.dropped_in_cell, self.loot_deck) for card in pile]
        assert sorted(cards) == list(range(len(self.components.loot)))
        storm = [*self.storm_deck, *self.storm_out]
        assert len(storm) == len(set(storm)) <= len(self.components.storm)
        assert sum(self.walls) + self.wall_pile == self.number("n_walls")
        if self.reads("wall_stack", "one"):
            assert max(self.walls) <= 1
        if self.reads("jail_in_storm", "not_jailed") and self.stormed[self.components.jail]:
            assert not any(self.jailed)
        for seat in range(self.n_seats):
            assert self.living[seat] or (not self.hand[seat] and seat not in self.owner)
        if not self.reads("storm_claimed", "owner_keeps"):
            for location, owner in enumerate(self.owner):
                assert owner < 0 or not self.stormed[self.components.space_of[location]]


def play(rules: dict[str, Any], n_seats: int, seed: int) -> Verdict:
    """Play one checked playout with random draws and choices, and look at its end."""
    n_cards = {
        deck: sum(row["copies"] for row in rules["tables"][table])
        for deck, table in (("LOOT", "cards"), ("STORM", "storm"))
    }
    hands = RandomHands(seed, n_cards)
    verdict = CheckedReferee(rules, n_seats, hands.draw, hands.order, hands.choose).play()
    check_verdict(verdict, n_seats, Event, AFTER_FALL)
    return verdict


def test_switches_of_the_rules_are_those_of_the_data() -> None:
    assert {key: rule["readings"] for key, rule in RULES.items() if "readings" in rule} == SWITCHES


@pytest.mark.parametrize(("key", "reading"), READINGS)
@pytest.mark.parametrize("components", ["default", "wild"])
def test_every_reading_plays_to_an_end(components: str, key: str, reading: str) -> None:
    rules = ruleset(TABLES if components == "default" else wild_tables(), **{key: reading})
    for seed in range(N_PLAYOUTS // 2):
        play(rules, 2 + seed % 6, seed)


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
    for seed in range(100):
        verdict = play(ruleset(wild_tables(), trade="valued"), 5, seed)
        kinds |= {event[0] for event in verdict.events}
        sources |= {event[3] for event in verdict.events if event[0] == Event.HP}
    assert kinds == set(Event) - {Event.DEAL}
    assert sources == set(Source)


def test_a_grant_is_in_its_seat_s_hand_and_not_in_the_deck() -> None:
    hands = RandomHands(1, {"LOOT": 16, "STORM": 15})
    verdict = referee(ruleset(), 3, hands.draw, hands.order, hands.choose, [("LOOT", 9, 2)])
    assert verdict.events[0] == (Event.DEAL, 2, 9, 0, 0)
    assert (Event.LOOT, 9) not in {(event[0], event[2]) for event in verdict.events}


def one_turn(n_seats: int, starts: list[int], roll: int, face: int, answers: dict[str, list[int]]) -> Referee:
    """Return a referee ready for the first turn of seat 0; answers are taken in order, NONE when there are no more."""

    def draw(purpose: str, *_: int) -> int:
        return {"NUMBER_DIE": roll - 1, "ACTION_DIE": face}[purpose]

    def choose(kind: str, _seat: int, options: list[int]) -> int:
        return answers[kind].pop(0) if answers.get(kind) else options[-1]

    table = Referee(ruleset(), n_seats, draw, lambda deck, _: list(range(16 if deck == "LOOT" else 15)), choose)
    table.loot_deck, table.storm_deck = list(range(16)), list(range(15))
    table.space = starts
    return table


def build_wall(table: Referee, space: int) -> None:
    """Put a wall of the pile on a space."""
    table.walls[space] += 1
    table.wall_pile -= 1


def test_N_R51_crosshairs_first_clear_the_wall_as_in_the_example() -> None:
    table = one_turn(2, [CAMPFIRE, 20], 5, CROSSHAIRS_FACE, {"ORDER": [ACTION_FIRST], "CLAIM": [CLAIM]})
    build_wall(table, TOMATO_TOWN)
    table.stormed[TOMATO_TOWN] = True
    table.take_turn(0)
    assert table.events == [
        (Event.TURN, 0, 1, 0, 0),
        (Event.ROLL, 0, 5, 1, 0),
        (Event.DECISION, 0, 2, ACTION_FIRST, 0b11),
        (Event.WALL_DOWN, 0, TOMATO_TOWN, Down.ATTACKED, 0),  # the one thing in sight: nothing is asked
        (Event.MOVE, 0, CAMPFIRE, SNOBBY_SHORES, 0),
        (Event.DECISION, 0, 10, CLAIM, 0b11),
        (Event.CLAIM, 0, 3, 0, 0),
    ]


def test_N_R47_moving_first_stops_at_the_wall_as_in_the_example() -> None:
    answers = {"ORDER": [NUMBER_FIRST], "TARGET": [1]}
    table = one_turn(3, [CAMPFIRE, 8, 6], 5, CROSSHAIRS_FACE, answers)
    build_wall(table, TOMATO_TOWN)
    table.stormed[TOMATO_TOWN] = True
    table.take_turn(0)
    assert table.events[3:] == [
        (Event.MOVE, 0, CAMPFIRE, SNOBBY_SHORES, 0),
        (Event.STOPPED, 0, TOMATO_TOWN, 0, 0),
        (Event.HP, 0, -2, Source.STORM, 0),
        (Event.WALL_DOWN, 0, TOMATO_TOWN, Down.REACHED, 0),
        (Event.DECISION, 0, 4, 1, 0b110),
        (Event.HP, 1, -1, Source.CROSSHAIRS, 0),
    ]
    assert table.wall_pile == 8


def test_N_R56_a_wall_may_be_built_on_any_space_of_the_path_with_GO_as_in_the_example() -> None:
    table = one_turn(2, [0, 20], 5, BRICK_FACE, {"CLAIM": [CLAIM], "WALL": [0]})
    table.take_turn(0)
    mask = sum(1 << option for option in (0, 1, 2, 3, 4, 5, NONE))
    assert (Event.DECISION, 0, 5, 0, mask) in table.events
    assert table.events[-1] == (Event.WALL, 0, 0, 0, 0)


def test_N_R49_a_wall_protects_and_can_be_shot_at() -> None:
    table = one_turn(3, [CAMPFIRE, 3, 6], 1, CROSSHAIRS_FACE, {"ORDER": [ACTION_FIRST], "TARGET": [FIRST_WALL + 3]})
    build_wall(table, 3)
    table.use_action_die(0, "crosshairs", 1)
    assert table.events[0] == (Event.DECISION, 0, 4, FIRST_WALL + 3, 1 << 2 | 1 << (FIRST_WALL + 3))
    assert table.hp == [15, 15, 15]
    assert table.walls[3] == 0


def test_N_R29_the_card_of_go_to_jail_may_free_at_once() -> None:
    table = one_turn(2, [22, 3], 2, CROSSHAIRS_FACE, {})
    jail_card = table.components.storm.index("jail")
    table.storm_deck = [jail_card]
    table.active = 0
    table.move_by_die(0, 2)
    told = [event[0] for event in table.events]
    assert told == [Event.MOVE, Event.MOVE, Event.JAILED, Event.STORM_CARD, Event.STORM, Event.FREED]
    assert table.hp[0] == 15
    assert not table.jailed[0]
