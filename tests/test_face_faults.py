"""The door for notebooks: whatever is wrong with what is asked, an error that names it, what was found and expected."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sim


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda: sim.play("pig", 0), "playouts: found 0, expected 1 to 10,000,000,000"),
        (lambda: sim.play("pig", -3), "playouts: found -3, expected 1 to"),
        (lambda: sim.play("pig", 10**12), "playouts: found 1,000,000,000,000, expected 1 to"),
        (lambda: sim.play("pig", "1e3"), "playouts: found '1e3', expected a whole number"),
        (lambda: sim.play("pig", 2.5), "playouts: found 2.5, expected a whole number"),
        (lambda: sim.play("pgi", 10), "did you mean 'pig'?"),
        (lambda: sim.play(None, 10), "game: found 'None', expected one of"),
        (lambda: sim.play("pig", 10, seats=9), "seats: found 9, expected 2 to 4"),
        (lambda: sim.play("pig", 10, seats="3"), "seats: found '3', expected a number of seats"),
        (lambda: sim.play("pig", 10, policies="hold20"), "did you mean 'hold_20'?"),
        (lambda: sim.play("pig", 10, policies=[]), "policies: found [], expected the name of a policy"),
        (lambda: sim.play("pig", 10, policies=["hold_20", 3]), "policies: found ['hold_20', 3], expected the name"),
        (lambda: sim.play("pig", 10, seats=4, policies=["random"] * 3), "found 3 names for 4 seats"),
        (lambda: sim.play("pig", 10, changes={"gaol": 3}), "did you mean 'goal'?"),
        (lambda: sim.play("pig", 10, changes="goal=3"), "changes: found 'goal=3', expected values by key"),
        (lambda: sim.play("pig", 10, vs=["goal"]), "vs: found ['goal'], expected values by key"),
        (lambda: sim.play("pig", 10, vs={}), "changes nothing"),
        (lambda: sim.play("pig", 10, seed=-1), "seed: found -1, expected 0 to"),
        (lambda: sim.play("pig", 10, seed="x"), "seed: found 'x', expected a whole number"),
        (lambda: sim.play("pig", 10, jobs=0), "jobs: found 0, expected a whole number of threads"),
        (lambda: sim.play("pig", 10, jobs="x"), "jobs: found 'x', expected a whole number of threads"),
        (lambda: sim.replay("pig", policies="hold20"), "did you mean 'hold_20'?"),
        (lambda: sim.replay("pig", playout=-1), "playout: found -1, expected a whole number from 0"),
        (lambda: sim.replay("pig", playout=2**70), "expected a whole number from 0 to"),
        (lambda: sim.replay("pig", seed=-1), "seed: found -1, expected a whole number from 0"),
        (lambda: sim.replay("pig", seed=2**70), "expected a whole number from 0 to"),
        (lambda: sim.replay("pig", seats=0), "seats: found 0, expected a whole number from 2 to 4"),
        (lambda: sim.replay("pig", seats="2"), "seats: found '2', expected a whole number from 2 to 4"),
        (lambda: sim.replay("pig", changes=["goal"]), "changes: found ['goal'], expected values by key"),
        (lambda: sim.rules(3), "game: found '3', expected one of"),
        (lambda: sim.run("nowhere.toml"), "nowhere.toml: there is no such plan"),
        (lambda: sim.Result.load("nowhere"), "nowhere: no whole result is there"),
    ],
)
def test_what_is_wrong_is_named(ask: Callable[[], Any], told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        ask()


def test_a_whole_float_is_a_number_of_playouts() -> None:
    assert sim.play("pig", 1e2, seats=2, seed=3).result_hash == sim.play("pig", 100, seats=2, seed=3).result_hash


def test_a_table_or_figure_that_a_result_does_not_have_is_told(tmp_path: Path) -> None:
    result = sim.play("pig", 20, seats=2)
    with pytest.raises(ValueError, match="did you mean 'win_share'"):
        result.table("winshare")
    with pytest.raises(ValueError, match="item_balance: this result has no such table"):
        result.plot_item_balance()
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(ValueError, match="found a file"):
        result.save(tmp_path / "taken")
