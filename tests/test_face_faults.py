"""The door for notebooks: whatever is wrong with what is asked, an error that names it, what was found and expected."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sim
from sim.experiment import check_plan
from sim.experiment.plan import ESTIMANDS


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
        (lambda: sim.play("pig", 10, jobs=True), "jobs: found True, expected a whole number of threads"),
        (lambda: sim.play("pig", True), "playouts: found True, expected a whole number"),
        (lambda: sim.play("pig", 10, progress=3), "progress: found 3, expected a function of rows finished"),
        (lambda: sim.play("pig", 10, changes={3: 4}), "changes: found the key 3, expected the name of a rule"),
        (lambda: sim.play("pig", 10, vs={"goal": 1.5}), "vs: goal: found 1.5, expected a whole number from 1"),
        (lambda: sim.play("pig", 10, margin=0), "margin: found 0, expected 0.0001 or more and less than 100"),
        (lambda: sim.play("pig", 10, level=1), "level: found 1, expected 0.5 to 0.999999; write 0.95"),
        (lambda: sim.play("pig", precision=1e-6), "precision: found 1e-06, expected 0.0001 or more and less than 100"),
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
        (lambda: sim.run(None), "plan: found None, expected the path of a TOML file, a plan, or keys and values"),
        (lambda: sim.run({"schema": 1, "question": "?", "game": "pgi"}), "did you mean 'pig'?"),
        (lambda: sim.Result.load("nowhere"), "nowhere: no whole result is there"),
        (lambda: sim.Result.load(None), "folder: found None, expected a path"),
    ],
)
def test_what_is_wrong_is_named(ask: Callable[[], Any], told: str) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        ask()


def test_a_whole_float_is_a_number_of_playouts() -> None:
    assert sim.play("pig", 1e2, seats=2, seed=3).result_hash == sim.play("pig", 100, seats=2, seed=3).result_hash


@pytest.fixture(scope="module")
def plain() -> sim.Result:
    return sim.play("pig", 20, seats=2, seed=7)


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda found: found.table("winshare"), "did you mean 'win_share'"),
        (lambda found: found.table(3), "table: found 3, expected one of win_share"),
        (
            lambda found: found.item_balance(),
            'item_balance: this result has no such table; a plan asks for it with items = "all"',
        ),
        (lambda found: found.plot_item_balance(), "item_balance: this result has no such table"),
        (lambda found: found.compare("unknown"), "comparisons: this result has no such table; it takes two variants"),
        (lambda found: found.plot_comparisons(), "comparisons: this result has no such table"),
        (lambda found: found.ruleset_metrics("drama"), "ruleset_metrics: this result has no such table; metrics=True"),
        (lambda found: found.spaces(), "(tables here: win_share, seat_advantage, length, claims, decisions)"),
        (lambda found: found.save(None), "folder: found None, expected a path"),
    ],
)
def test_what_a_result_does_not_have_is_told_with_what_it_has(
    plain: sim.Result, ask: Callable[[sim.Result], Any], told: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        ask(plain)


def test_results_are_not_saved_in_the_place_of_a_file(plain: sim.Result, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(ValueError, match="found a file"):
        plain.save(tmp_path / "taken")


def test_every_table_has_a_method_of_its_name() -> None:
    assert [name for name in ESTIMANDS if not hasattr(sim.Result, name)] == ["comparisons"]  # which is `compare`


def test_a_result_shows_its_question_answer_and_tables(plain: sim.Result) -> None:
    question, answer, papers = repr(plain).splitlines()
    assert (question, answer) == ("How does Pig play?", plain.answer)
    assert (
        papers == "pig, 20 playouts of all arms, seed 7; tables: win_share, seat_advantage, length, claims, decisions"
    )
    shown = replace(plain, plan=plain.plan.model_copy(update={"question": "2 < 3?"}))._repr_html_()
    assert "<b>2 &lt; 3?</b>" in shown


def test_a_plan_is_a_file_a_plan_or_what_stands_in_it(tmp_path: Path) -> None:
    keys = {"schema": 1, "question": "Is it fair?", "game": "pig", "seats": 2, "playouts": 40}
    (tmp_path / "plan.toml").write_text("\n".join(f"{key} = {json.dumps(value)}" for key, value in keys.items()))
    found = [sim.run(one).result_hash for one in (keys, check_plan(keys), tmp_path / "plan.toml")]
    assert len(set(found)) == 1
    with pytest.raises(ValueError, match="seed: found -1"):
        sim.run(check_plan(keys).model_copy(update={"seed": -1}))


def test_a_level_of_the_intervals_may_be_asked_for() -> None:
    assert set(sim.play("pig", 50, seats=2, level=0.9).win_share()["level"]) == {0.9}


def test_figures_show_themselves_in_notebooks(plain: sim.Result) -> None:
    picture, size = plain.plot_length()._repr_png_()
    assert picture.startswith(b"\x89PNG")
    assert 0 < size["height"] < size["width"] < 1000
