"""Pig: its five rules, its referee, its exact values."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import jit
from sim.components import Ruleset
from sim.engine.blocks import Arm, play_rows
from sim.engine.contract import WHOLE_WIN, AfterTape, Policy, Termination
from sim.engine.lineup import make_lineup
from sim.engine.replay import Recording, replay
from sim.games.pig.game import GAME
from sim.games.pig.rules import Event, Purpose
from tests.referees.pig import referee
from tests.support import SEED, first_difference, record, referee_draw, stream_choose

MILLION = 1_000_000
N_PLAYOUTS = 20 if jit.INTERPRETED else 200
ERRORS = 4
FIRST_PLAYER_SHARE = 0.534698  # both hold at 20, or when holding wins
LOST_TURN_SHARE = 9440899 / 15116544  # of turns that hold at 20 and cannot win


def resolved(**changes: int) -> Ruleset:
    """Return Pig with changed numbers."""
    return GAME.load().resolve(changes)


def recorded(policies: Sequence[str], n_seats: int, playout: int, **changes: int) -> Recording:
    """Record one playout."""
    return record(GAME, GAME.pack(resolved(**changes)), policies, n_seats, playout)


LINEUPS = {
    "hold_20": ["hold_20"] * 4,
    "random": ["random"] * 4,
    "mixed": ["random", "hold_20", "hold_25", "hold_15"],
}


@pytest.mark.bounds
@pytest.mark.parametrize("n_seats", [2, 3, 4])
@pytest.mark.parametrize("lineup", LINEUPS)
def test_referee_agrees_on_every_event(n_seats: int, lineup: str) -> None:
    for playout in range(N_PLAYOUTS):
        told = recorded(LINEUPS[lineup][:n_seats], n_seats, playout)
        draw = referee_draw(Purpose, SEED, playout)
        numbers = {key: int(value) for key, value in resolved().rules.items()}
        verdict = referee(numbers, n_seats, draw, stream_choose(GAME, told.events))
        assert first_difference(told.events, verdict.events) == ""
        assert list(told.row.payoff[:n_seats]) == verdict.payoff


def test_P_R1_seats_take_turns_clockwise_from_chair_0() -> None:
    turns = [event[1] for event in recorded(["hold_20"], 3, 5).events if event[0] == Event.TURN]
    assert turns == [place % 3 for place in range(len(turns))]


def test_P_R2_numbers_other_than_the_losing_one_are_added() -> None:
    total = 0
    for kind, _seat, number, after, _ in recorded(["hold_25"], 2, 5).events:
        if kind == Event.TURN:
            total = 0
        if kind == Event.ROLL:
            total = total + number if number != 1 else 0
            assert after == total


def test_P_R3_a_losing_roll_ends_the_turn_without_points() -> None:
    events = recorded(["hold_20"], 2, 5).events
    lost = [place for place, event in enumerate(events) if event[0] == Event.ROLL and event[2] == 1]
    assert lost
    assert all(events[place + 1][0] == Event.TURN for place in lost)


def test_P_R4_holding_keeps_the_total() -> None:
    score = [0, 0]
    for kind, seat, total, after, _ in recorded(["hold_15"], 2, 6).events:
        if kind == Event.HOLD:
            score[seat] += total
            assert after == score[seat]


def test_P_R5_the_goal_wins_at_once() -> None:
    told = recorded(["hold_20"], 2, 7, goal=30)
    winner = told.events[-1][1]
    assert told.row.final_score[winner] >= 30
    assert told.row.payoff[winner] == WHOLE_WIN
    assert told.row.final_score[1 - winner] < 30


def test_the_turn_limit_is_a_recorded_outcome() -> None:
    told = recorded(["hold_20"], 2, 7, turn_limit=3)
    assert told.row.termination == Termination.TURN_LIMIT
    assert told.row.length_turns == 3
    assert told.row.payoff.sum() == 0


def test_a_tape_is_obeyed_and_then_the_next_decision_is_reported() -> None:
    rules = GAME.pack(resolved(losing_roll=0))
    told = replay(GAME, rules, make_lineup(GAME, ["random"], 2), SEED, 0, tape=[0, 1], after_tape=AfterTape.STOP)
    assert told.pending == (0, 1, 3)
    assert [event[3] for event in told.events if event[0] == Event.DECISION] == [0, 1]


def test_a_tape_of_all_choices_gives_the_same_events() -> None:
    told = recorded(["random"], 2, 11)
    tape = [event[3] for event in told.events if event[0] == Event.DECISION]
    again = replay(GAME, GAME.pack(resolved()), make_lineup(GAME, ["hold_20"], 2), SEED, 11, tape=tape)
    assert again.events == told.events


@pytest.mark.bounds
@settings(max_examples=15 if jit.INTERPRETED else 100)
@given(
    changes=st.fixed_dictionaries(
        {
            "goal": st.integers(1, 80),
            "die_faces": st.integers(2, 20),
            "losing_roll": st.integers(0, 20),
            "turn_limit": st.integers(1, 60),
        }
    ),
    names=st.lists(st.sampled_from([policy.name for policy in GAME.policies]), min_size=2, max_size=4),
    seed=st.integers(0, 2**64 - 1),
)
def test_one_seat_reaches_the_goal_or_the_limit_is_reached(
    changes: dict[str, int], names: list[str], seed: int
) -> None:
    arm = Arm("pig", GAME.pack(resolved(**changes)), make_lineup(GAME, names, len(names)), 5)
    for row in play_rows(GAME, arm, seed, 0, 5)[0].ravel():
        reached = [int(score) >= changes["goal"] for score in row["final_score"]]
        assert row["length_turns"] <= changes["turn_limit"]
        if row["termination"] == Termination.WON:
            assert reached.count(True) == 1
            assert [WHOLE_WIN * won for won in reached] == row["payoff"].tolist()
        else:
            assert row["termination"] == Termination.TURN_LIMIT
            assert row["length_turns"] == changes["turn_limit"]
            assert not any(reached)
            assert row["payoff"].sum() == 0


def test_a_candidate_that_is_the_baseline_wins_one_game_of_each_block() -> None:
    candidate = Policy("candidate", 1, "does what the baseline does", (20,))
    arm = Arm("pig", GAME.pack(resolved()), (candidate, GAME.policy("hold_20")), N_PLAYOUTS)
    rows, _ = play_rows(GAME, arm, SEED, 0, N_PLAYOUTS)
    assert (rows["payoff"][0, :, 0] + rows["payoff"][1, :, 1] == WHOLE_WIN).all()


@pytest.mark.compiled_only("a million playouts take minutes interpreted")
def test_the_first_player_wins_as_often_as_published() -> None:
    arm = Arm("pig", GAME.pack(resolved()), make_lineup(GAME, ["hold_20"], 2), MILLION)
    rows = play_rows(GAME, arm, SEED, 0, MILLION)[0][0]
    found = rows.payoff[:, 0].sum() / WHOLE_WIN / MILLION
    error = math.sqrt(FIRST_PLAYER_SHARE * (1 - FIRST_PLAYER_SHARE) / MILLION)
    assert abs(found - FIRST_PLAYER_SHARE) < ERRORS * error


@pytest.mark.compiled_only("a million playouts take minutes interpreted")
def test_a_turn_that_holds_at_20_is_lost_as_often_as_the_recursion_says() -> None:
    rules = GAME.pack(resolved(goal=10_000, turn_limit=1))
    arm = Arm("pig", rules, make_lineup(GAME, ["hold_20"], 2), MILLION)
    tallies = play_rows(GAME, arm, SEED, 0, MILLION)[1][0].tallies
    error = math.sqrt(LOST_TURN_SHARE * (1 - LOST_TURN_SHARE) / MILLION)
    assert abs(tallies.n_lost_turns / MILLION - LOST_TURN_SHARE) < ERRORS * error
