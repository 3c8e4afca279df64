"""What every game keeps: records, names, rows, policies, replays."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim import games
from sim.engine.blocks import Arm, Array, play_rows
from sim.engine.contract import (
    N_PARAMETERS,
    NOBODY,
    RANDOM_POLICY,
    WHOLE_WIN,
    Game,
    Termination,
)
from sim.engine.lineup import make_lineup
from sim.jit import RECORD_ALIGNMENT, make_records
from tests.style import kernels
from tests.support import MOST_OPTIONS, SEED, record
from tests.toys.support import toy_outside

OURS = [games.get(name) for name in games.NAMES]
GAMES = [*OURS, toy_outside("race")]  # the last one has no decisions
N_PLAYOUTS = 12
SEEN = {"state", "hidden"}  # what a policy must not see
TABLE_ROW = re.compile(r"^\|\s*(\d+)\s*\|\s*([A-Z_]+)\s*\|", re.MULTILINE)

each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
each_table = pytest.mark.parametrize(
    ("game", "n_seats"),
    [(game, n) for game in GAMES for n in range(game.fewest_seats, game.most_seats + 1)],
    ids=lambda value: value.name if isinstance(value, Game) else str(value),
)


def default_rules(game: Game) -> Any:
    """Return the packed rules of a game's default."""
    return game.pack(game.load().resolve({}))


def rows_of(game: Game, names: list[str], n_seats: int, first: int = 0, n: int = N_PLAYOUTS) -> Array:
    """Return the rows of all rotations of a line-up, shape (n_rotations, n)."""
    arm = Arm("test", default_rules(game), make_lineup(game, names, n_seats), n)
    return play_rows(game, arm, SEED, first, n)[0]


def mixed(game: Game, n_seats: int) -> list[str]:
    """Return as many different policies as there are seats, or all of them again and again."""
    return [game.policies[seat % len(game.policies)].name for seat in range(n_seats)]


def listed(game: Game, heading: str) -> list[str]:
    """Return the names in the numbered table under a heading of RULES.md."""
    text = (Path(game.folder) / "RULES.md").read_text(encoding="utf-8")
    section = re.search(rf"^## \d+\. {heading}.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert section, f"{game.name}/RULES.md has no section {heading}"
    rows = TABLE_ROW.findall(section.group())
    assert [int(number) for number, _ in rows] == list(range(len(rows)))
    return [name for _, name in rows]


def purposes(game: Game) -> list[str]:
    """Return the names of a game's purposes, wherever it keeps them."""
    for place in ("rules", "words", "game"):
        try:
            found = getattr(import_module(f"sim.games.{game.name}.{place}"), "Purpose", None)
        except ModuleNotFoundError:
            continue
        if found is not None:
            assert [member.value for member in found] == list(range(len(found)))
            return [member.name for member in found]
    return []


@pytest.mark.parametrize("game", OURS, ids=lambda game: game.name)
def test_a_game_is_found_by_its_name(game: Game) -> None:
    assert games.get(game.name) is game
    assert (Path(game.folder) / "RULES.md").is_file()
    assert (Path(game.folder) / "data").is_dir()
    assert game.version >= 1
    assert 1 <= game.fewest_seats <= game.most_seats


def test_an_unknown_game_is_told_the_nearest() -> None:
    with pytest.raises(ValueError, match="did you mean 'flip'"):
        games.get("flipp")


@each_game
def test_records_are_padded_apart(game: Game) -> None:
    parts = [game.state, *(game.state[name] for name in ("table", "tallies", "hidden"))]
    for part in (*parts, default_rules(game).dtype):
        assert part.itemsize % RECORD_ALIGNMENT == 0
        assert part.isalignedstruct
    assert all(game.state["tallies"][name].base.kind in "iu" for name in game.state["tallies"].names)


@each_game
def test_the_names_of_a_game_are_those_of_its_rules(game: Game) -> None:
    assert list(game.decisions) == listed(game, "Decisions")
    assert list(game.events) == listed(game, "Events")
    assert purposes(game) == listed(game, "Purposes")
    assert game.events[0] == "DECISION"


@each_game
def test_policies_are_described_and_numbered(game: Game) -> None:
    assert [policy.code for policy in game.policies] == list(range(len(game.policies)))
    assert game.policies[RANDOM_POLICY].name == "random"
    assert len({policy.name for policy in game.policies}) == len(game.policies)
    assert game.policy(game.default_policy).name == game.default_policy
    for policy in game.policies:
        assert len(policy.says.split()) >= 3
        assert len(policy.parameters) <= N_PARAMETERS


@each_game
def test_policies_do_not_see_what_is_hidden(game: Game) -> None:
    folder = Path(game.folder)
    paths = [*folder.glob("policies.py"), *folder.glob("policies/*.py"), *folder.glob("policies_*.py")]
    found = [kernel for path in paths for kernel in kernels(ast.parse(path.read_text(encoding="utf-8")))]
    assert found or not game.decisions
    for kernel in found:
        if kernel.name.endswith("_omniscient"):
            continue
        names = {node.id for node in ast.walk(kernel) if isinstance(node, ast.Name)}
        names |= {node.arg for node in ast.walk(kernel) if isinstance(node, ast.arg)}
        names |= {node.attr for node in ast.walk(kernel) if isinstance(node, ast.Attribute)}
        assert not names & SEEN, f"{kernel.name} sees {names & SEEN}"


@pytest.mark.bounds
@each_table
def test_every_playout_leaves_a_whole_row(game: Game, n_seats: int) -> None:
    for names in ([game.default_policy], ["random"], mixed(game, n_seats)):
        for row in rows_of(game, names, n_seats).ravel():
            assert row["termination"] in (Termination.WON, Termination.DRAWN, Termination.TURN_LIMIT)
            is_over = row["termination"] != Termination.TURN_LIMIT
            assert row["payoff"].sum() == (WHOLE_WIN if is_over else 0)
            assert (row["payoff"] >= 0).all()
            assert row["length_turns"] > 0
            assert sorted(row["order"][:n_seats]) == list(range(n_seats))
            assert (row["order"][n_seats:] == NOBODY).all()
            assert (row["policy"][n_seats:] == NOBODY).all()
            assert (row["payoff"][n_seats:] == 0).all()


@each_table
def test_rows_name_the_policy_in_each_seat(game: Game, n_seats: int) -> None:
    names = mixed(game, n_seats)
    codes = [game.policy(name).code for name in names]
    rows = rows_of(game, names, n_seats, n=2)
    for shift in range(len(rows)):
        turned = [codes[(seat - shift) % n_seats] for seat in range(n_seats)]
        assert (rows["policy"][shift][:, :n_seats] == turned).all()


@each_game
def test_rows_have_the_columns_that_the_game_declares(game: Game) -> None:
    names = set(game.row.names or ())
    declared = [f"final_{resource}" for resource in game.resources] + list(game.counted)
    declared += [f"{how}_{family.name}" for family in game.families for how in ("dealt", "held")]
    assert names >= set(declared)
    ruleset = game.load().resolve({})
    for number, family in enumerate(game.families):
        assert family.number == number
        items = game.items(family, ruleset)
        assert 1 <= len(items) <= 64
        assert all(family.key in item for item in items)


@each_table
def test_a_playout_alone_is_the_same_as_in_a_block(game: Game, n_seats: int) -> None:
    together = rows_of(game, ["random"], n_seats)[0]
    for playout in (N_PLAYOUTS - 1, 3):
        alone = rows_of(game, ["random"], n_seats, first=playout, n=1)[0]
        assert alone.tobytes() == together[playout : playout + 1].tobytes()


@each_game
def test_what_was_played_before_leaves_no_trace(game: Game) -> None:
    states = make_records(game.state)
    arms = {
        n: Arm("test", default_rules(game), make_lineup(game, ["random"], n), N_PLAYOUTS)
        for n in (game.fewest_seats, game.most_seats)
    }
    fresh = {n: play_rows(game, arm, SEED, 0, 4)[0].tobytes() for n, arm in arms.items()}
    for n in (game.most_seats, game.fewest_seats, game.most_seats):
        rows, played = play_rows(game, arms[n], SEED, 0, 4, states)
        assert rows.tobytes() == fresh[n]
        assert played["tallies"]["n_turns"][0] == rows["length_turns"].sum()


@pytest.mark.bounds
@each_table
def test_events_are_of_declared_kinds_and_choices_are_legal(game: Game, n_seats: int) -> None:
    rules = default_rules(game)
    for playout in range(4):
        told = record(game, rules, mixed(game, n_seats), n_seats, playout)
        for kind, seat, first, second, third in told.events:
            assert 0 <= kind < len(game.events)
            assert NOBODY <= seat < n_seats
            if kind == 0:
                assert 0 <= first < len(game.decisions)
                assert third >> second & 1
                assert third.bit_count() > 1
                assert 0 < third < 1 << MOST_OPTIONS


@each_table
def test_a_recorded_playout_leaves_the_row_of_an_unrecorded_one(game: Game, n_seats: int) -> None:
    rows = rows_of(game, ["random"], n_seats, n=4)[0]
    for playout, row in enumerate(rows):
        told = record(game, default_rules(game), ["random"], n_seats, playout)
        assert told.row.tobytes() == row.tobytes()
        assert told.pending is None


@each_table
def test_every_playout_can_be_told(game: Game, n_seats: int) -> None:
    ruleset = game.load().resolve({})
    told = record(game, game.pack(ruleset), ["random"], n_seats, 0)
    lines = game.narrate(ruleset, n_seats, told.events)
    assert len(lines) > told.row.length_turns
    assert all(line.strip() for line in lines)


@each_game
def test_a_seed_decides_everything(game: Game) -> None:
    n_seats = game.most_seats
    arm = Arm("test", default_rules(game), make_lineup(game, ["random"], n_seats), N_PLAYOUTS)
    by_seed = [play_rows(game, arm, seed, 0, N_PLAYOUTS)[0] for seed in (1, 1, 2, 2**64 - 1)]
    for (place, ours), (other, theirs) in product(enumerate(by_seed), repeat=2):
        is_same = ours.tobytes() == theirs.tobytes()
        assert is_same == (place == other or {place, other} == {0, 1})
    assert np.unique([rows["length_turns"].sum() for rows in by_seed]).size > 1
