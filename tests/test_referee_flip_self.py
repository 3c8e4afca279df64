"""The referee of `flip` alone: it keeps the rules in every reading of every switch.

The rulesets are made by hand from the components' tables where they exist, else from what the
facts say of them; every draw and every choice comes from a generator with a fixed seed.
"""

import random  # noqa: TID251  (a referee stands apart from sim and its draws)
import tomllib
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests import referee_self
from tests.referee_self import GAMES, RandomHands, read_switches, read_table
from tests.referees.flip import Referee, Verdict, referee
from tests.referees.flip_words import Event, Source

GAME = GAMES / "flip"
N_PLAYOUTS = 8
TABLES = ("board", "locations", "cards", "loadouts", "modes", "action_die")
NUMBERS = {
    "start_hp": 15, "hp_cap": 15, "go_bonus": 2, "go_storm_cost": 2, "corner_storm_cost": 2,
    "set_bonus": 2, "campfire_heal": 1, "jail_cost": 2, "jail_roll": 6, "jail_tries": 3,
    "med_mist_heal": 2, "crosshairs_damage": 1, "boogie_bomb_damage": 1, "honey_hitters_take": 2,
    "storage_limit": 2, "number_die_faces": 6, "turn_limit": 2000,
}  # fmt: skip
CORNERS = ("go", "jail", "free_parking", "go_to_jail")
BACKS = (("campfire", 1), ("flip", 0), ("trap", 2), ("trap", 2), ("flip", 0), ("wall", 0))


SWITCHES = read_switches("flip")
RULES = tomllib.loads((GAME / "data" / "rules.toml").read_text(encoding="utf-8"))
pytestmark = pytest.mark.compiled_only("a referee has no kernels: it is the same in both passes")
READINGS = [(key, reading) for key, readings in SWITCHES.items() for reading in readings]


def hand_made_board() -> list[dict[str, Any]]:
    """Return the ring of 32: four corners, two blocks of three and a chest on each side."""
    board: list[dict[str, Any]] = []
    for side, corner in enumerate(CORNERS):
        faces = [(corner, 0, None, None)]
        for block in range(2):
            tile = 2 * side + block
            if block:
                faces.append(("chest", 0, None, None))
            for place, front in enumerate(("location", "flip", "location")):
                faces.append((front, 0, tile, BACKS[3 * block + place]))
        for front, amount, tile_of, back in faces:
            row = {"space": len(board), "tile": tile_of, "front": front, "front_amount": amount}
            row |= {"back": back[0] if back else None, "back_amount": back[1] if back else None}
            board.append(row | {"location": None, "name": front})
    locations = [row for row in board if row["front"] == "location"]
    for number, row in enumerate(locations):
        row["location"] = number
    return board


def hand_made_tables() -> dict[str, list[dict[str, Any]]]:
    """Return components as the facts have them, with their assumed cards."""
    locations = [
        {"location": n, "name": f"Location {n}", "set": n // 2, "cost": 1 + n // 4} | {"storm_cost": 2 + n // 4}
        for n in range(16)
    ]
    loot = [
        ("Slone's Pulse Rifle", 1, "damage", "crosshairs", 4, 1, 0, 1),
        ("MK-Seven", 1, "damage", "crosshairs", 3, 1, 0, 1),
        ("Hop Rock Dualies", 1, "damage", "crosshairs", 2, 1, 0, 1),
        ("Burst Quad Launcher", 1, "damage", "crosshairs", 3, 1, 0, 1),
        ("Chug Cannon", 1, "med_mist", "med_mist", 3, 0, 0, 1),
        ("Bush", 1, "bush", "passive", 0, 0, 0, 0),
        ("Pizza Party", 1, "refill", "own_turn", 0, 0, 1, 1),
        ("Pistol", 1, "damage", "crosshairs", 2, 0, 0, 1),
        ("Rifle", 1, "damage", "crosshairs", 3, 0, 0, 1),
        ("Scope", 1, "damage", "crosshairs", 1, 1, 0, 1),
        ("Medkit", 1, "heal", "own_turn", 5, 0, 1, 1),
        ("Clinger", 1, "bomb", "own_turn", 4, 0, 1, 1),
        ("Bouncer", 1, "mover", "own_turn", 4, 0, 1, 1),
        ("Stink Bomb", 1, "area_damage", "crosshairs", 3, 0, 0, 1),
        ("Big Boogie", 1, "boogie_bomb", "boogie_bomb", 2, 0, 0, 1),
        ("Umbrella", 1, "halve", "passive", 0, 0, 0, 1),
    ]
    loot_columns = ("name", "copies", "effect", "trigger", "amount", "ignores_sight", "one_time")
    columns = ("name", "copies", "effect", "amount")
    return {
        "board": hand_made_board(),
        "locations": locations,
        "cards": [dict(zip((*loot_columns, "stored"), row, strict=True)) for row in loot],
        "loadouts": [
            dict(zip(columns, row, strict=True))
            for row in (
                ("Honey Hitters", 1, "honey_hitters", 2),
                ("Backpack", 1, "extra_storage", 1),
                ("Marksman", 1, "crosshairs_bonus", 1),
                ("Medic", 1, "med_mist_bonus", 1),
            )
        ],
        "modes": [
            dict(zip(columns, row, strict=True))
            for row in (
                ("Storm Rages: GO", 1, "storm_go", 0),
                ("Storm Rages: Jail", 1, "storm_jail", 0),
                ("Storm Rages: lowest", 2, "storm_lowest", 0),
                ("Storm Rages: highest", 2, "storm_highest", 0),
                ("Storm Rages: choice", 1, "storm_choice", 0),
                ("Forced trade", 1, "forced_trade", 0),
                ("Unknown", 8, "blank", 0),
            )
        ],
        "action_die": [
            {"face": "med_mist", "copies": 2},
            {"face": "crosshairs", "copies": 2},
            {"face": "boogie_bomb", "copies": 1},
            {"face": "storm_surge", "copies": 1},
        ],
    }


def default_tables() -> dict[str, list[dict[str, Any]]]:
    """Return the components of the game, hand-made as long as its tables do not all exist."""
    paths = {table: GAME / "data" / f"{table}.csv" for table in TABLES}
    if not all(path.exists() for path in paths.values()):
        return hand_made_tables()
    return {table: read_table(path) for table, path in paths.items()}


def wild_tables() -> dict[str, list[dict[str, Any]]]:
    """Return components with every effect there is, so that rare ones meet."""
    tables = hand_made_tables()
    columns = ("name", "copies", "effect", "amount")
    tables["modes"] = [row for row in tables["modes"] if row["effect"] != "blank"]
    tables["modes"] += [
        dict(zip(columns, row, strict=True))
        for row in (
            ("Everybody heals", 1, "heal_all", 1),
            ("Everybody loses", 1, "lose_all", 1),
            ("Flip a tile", 2, "flip_choice", 0),
            ("Draw loot", 1, "draw_loot", 0),
            ("Move to GO", 2, "move_to_go", 0),
            ("Everybody rolls", 2, "roll_loss", 0),
        )
    ]
    tables["action_die"] = [
        {"face": face, "copies": copies}
        for face, copies in (
            ("med_mist", 1),
            ("crosshairs", 2),
            ("boogie_bomb", 1),
            ("storm_surge", 1),
            ("blank", 1),
        )
    ]
    tables["loadouts"] += [
        dict(zip(columns, row, strict=True))
        for row in (("Bomber", 1, "boogie_bomb_bonus", 1), ("Cape", 1, "storm_discount", 1))
    ]
    return tables


def ruleset(tables: dict[str, list[dict[str, Any]]], **changes: int | str) -> dict[str, Any]:
    """Return a ruleset with some rules changed."""
    defaults = {key: readings[0] for key, readings in SWITCHES.items()}
    unknown = set(changes) - set(NUMBERS) - set(defaults)
    assert not unknown
    return {"rules": NUMBERS | defaults | changes, "tables": deepcopy(tables)}


class CheckedReferee(Referee):
    """A referee that looks at the table after each turn."""

    def take_turn(self, seat: int) -> None:
        """Play a turn of somebody who lives, and look."""
        assert self.living[seat]
        super().take_turn(seat)
        self.check()

    def check(self) -> None:
        """Look whether everything is where it may be."""
        cap = self.number("hp_cap")
        assert sum(self.hp) + self.bank == self.hp_and_bank
        assert all(0 <= hp <= cap for hp in self.hp)
        assert all((hp > 0) == living for hp, living in zip(self.hp, self.living, strict=True))
        piles = [*self.hand, *self.dropped.values(), self.dropped_in_cell, self.loot_deck]
        cards = Counter(card for pile in piles for card in pile)
        assert cards == Counter(range(len(self.components.loot)))
        assert max(Counter(self.mode_deck).values(), default=0) <= 1
        for seat in range(self.n_seats):
            if not self.living[seat]:
                assert not self.hand[seat]
                assert seat not in self.owner
        if self.rules["storm_owner"] == "leaves":
            for location, owner in enumerate(self.owner):
                assert owner < 0 or not self.stormed[self.components.space_of[location]]
        if self.rules["limit_at_pickup"] == "applies" and self.rules["trade"] == "never":
            assert all(self.n_stored(seat) <= self.limit(seat) for seat in range(self.n_seats))

    @property
    def hp_and_bank(self) -> int:
        """All chips there are."""
        return 70


def play(rules: dict[str, Any], n_seats: int, seed: int) -> Verdict:
    """Play one checked playout with random draws and choices."""
    n_cards = {
        deck: sum(row["copies"] for row in rules["tables"][table])
        for deck, table in (("LOOT", "cards"), ("MODE", "modes"), ("LOADOUT", "loadouts"))
    }
    hands = RandomHands(seed, n_cards)
    return CheckedReferee(rules, n_seats, hands.draw, hands.order, hands.choose).play()


def check_verdict(verdict: Verdict, n_seats: int) -> None:
    """Look whether the end is an end."""
    referee_self.check_verdict(verdict, n_seats, Event, {Event.DROP, Event.STORM, Event.END})


def test_switches_of_the_rules_are_all_read() -> None:
    assert {key: rule["readings"] for key, rule in RULES.items() if "readings" in rule} == SWITCHES


@pytest.mark.parametrize(("key", "reading"), READINGS)
def test_every_reading_plays_to_an_end(key: str, reading: str) -> None:
    for seed in range(N_PLAYOUTS):
        tables = default_tables() if seed % 2 else wild_tables()
        n_seats = 2 + seed % 3
        check_verdict(play(ruleset(tables, **{key: reading}), n_seats, seed), n_seats)


@pytest.mark.parametrize("seed", range(60))
def test_readings_mix(seed: int) -> None:
    generator = random.Random(1000 + seed)  # noqa: S311  (nothing is secret)
    changes = {key: generator.choice(readings) for key, readings in SWITCHES.items()}
    if changes["movement"] == "none" or changes["sight"] == "everybody":
        changes |= {"movement": "printed", "sight": "printed"}
    rules = ruleset(wild_tables(), **changes)
    for playout in range(5):
        n_seats = 2 + playout % 3
        check_verdict(play(rules, n_seats, 5 * seed + playout), n_seats)


@pytest.mark.parametrize("path", sorted(GAME.glob("data/board_*.csv")), ids=lambda path: path.stem)
def test_every_layout_plays_to_an_end(path: Path) -> None:
    tables = wild_tables()
    tables["board"] = read_table(path)
    for seed in range(N_PLAYOUTS):
        check_verdict(play(ruleset(tables), 2 + seed % 3, seed), 2 + seed % 3)


def test_turn_limit_is_looked_at_before_a_turn_starts() -> None:
    rules = ruleset(default_tables(), turn_limit=5)
    for seed in range(10):
        verdict = play(rules, 4, seed)
        check_verdict(verdict, 4)
        assert verdict.termination == "turn_limit"
        assert verdict.length_turns == 5
        assert verdict.events[-1] == (Event.END, -1, 2, 0, 0)


def test_the_table_is_looked_at_after_each_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    monkeypatch.setattr(CheckedReferee, "check", lambda table: looks.append(table.length_turns))
    verdict = play(ruleset(default_tables()), 3, 1)
    assert verdict.termination == "won"
    assert looks == list(range(1, verdict.length_turns))  # the last turn breaks off where somebody wins


def test_every_source_and_event_is_met() -> None:
    kinds: set[int] = set()
    sources: set[int] = set()
    for seed in range(60):
        trade = "never" if seed % 10 else "valued"
        rules = ruleset(wild_tables(), jail_try_dice="action_too", trade=trade)
        verdict = play(rules, 4, seed)
        kinds |= {event[0] for event in verdict.events}
        sources |= {event[3] for event in verdict.events if event[0] == Event.HP}
    assert kinds == set(Event)
    assert sources == set(Source)


def test_grant_moves_a_card_to_the_head_of_a_deal() -> None:
    rules = ruleset(hand_made_tables())

    def dealt(*grants: tuple[str, int, int]) -> Iterator[tuple[int, int]]:
        verdict = referee(
            rules, 3, lambda purpose, seat, *_: int(purpose == "SEAT_ROLL" and seat == 1),
            lambda deck: list(range(4 if deck == "LOADOUT" else 16)),
            lambda _kind, _seat, options: options[-1], grants,
        )  # fmt: skip
        wanted = Event.LOADOUT if grants and grants[0][0] == "LOADOUT" else Event.DEAL
        return ((seat, card) for kind, seat, card, *_ in verdict.events if kind == wanted)

    assert list(dealt()) == [(0, 0), (1, 1), (2, 2)]
    assert list(dealt(("LOOT", 9, 1))) == [(0, 0), (1, 9), (2, 1)]
    assert list(dealt(("LOOT", 0, 2))) == [(0, 1), (1, 2), (2, 0)]
    assert list(dealt(("LOADOUT", 1, 0))) == [(0, 1), (1, 0), (2, 2)]
    assert list(dealt(("LOOT", 9, 1), ("LOOT", 0, 1))) == [(0, 1), (1, 9), (1, 0), (2, 2)]
    assert list(dealt(("LOOT", 0, 2), ("LOOT", 2, 0))) == [(0, 2), (1, 1), (2, 0)]
