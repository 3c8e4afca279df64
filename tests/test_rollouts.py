"""Rollouts: exact odds of duels and Pig, and nothing known of cards that nobody has seen."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from sim import rng
from sim.decks import FOR_NOBODY
from sim.engine.blocks import Arm, make_assignment, play_rows
from sim.engine.lineup import make_lineup
from sim.engine.rollouts import Position, Worlds, roll_out
from sim.games.pig.game import GAME as PIG
from sim.jit import INTERPRETED, make_records
from tests.odds import duel_odds, pig_odds
from tests.test_decks import ALPHA, DEAL, DRAW, PUT, SHUFFLE, TAKE, deck_key, worked
from tests.toys.duel.game import GAME as DUEL

FAR = 4  # standard errors
SEED = 11
PLAIN = {"cards.sword.effect": "blank", "prize_faces": 0}
N_WORLDS = 100 if INTERPRETED else 4_000


def duel_arm(seats: int = 2, **changes: Any) -> Arm:
    rules = DUEL.pack(DUEL.load().resolve({**PLAIN, **changes}))
    return Arm("duel", rules, make_lineup(DUEL, ["random"], seats), 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_chances_after_set_up_are_the_exact_ones(seats: int) -> None:
    exact = duel_odds(seats, 3, 1 / 2)[(3,) * seats, 0]
    found = roll_out(DUEL, duel_arm(seats, start_hp=3, hit_faces=3), SEED, [Position(5, 0)], N_WORLDS)
    off = np.abs(found.chances()[0] - exact)
    assert (off < FAR * np.sqrt(exact * (1 - exact) / N_WORLDS)).all()
    assert found.standard_errors()[0] == pytest.approx(np.sqrt(exact * (1 - exact) / N_WORLDS), rel=0.3)


def test_chances_of_pig_are_the_exact_ones() -> None:
    goal = 30
    rules = PIG.pack(PIG.load().resolve({"goal": goal}))
    arm = Arm("pig", rules, make_lineup(PIG, ["hold_20"], 2), 1)
    exact = pig_odds(goal)[0][0, 0]
    won = roll_out(PIG, arm, SEED, [Position(0, 0)], N_WORLDS).chances()[0, 0]
    assert abs(won - exact) < FAR * np.sqrt(exact * (1 - exact) / N_WORLDS)


def test_a_rollout_from_the_last_turn_on_changes_nothing_before_it() -> None:
    arm = duel_arm(start_hp=1, hit_faces=6)  # who begins wins at once
    found = roll_out(DUEL, arm, SEED, [Position(number, 0) for number in range(5)], 3)
    assert (found.payoff == play_rows(DUEL, arm, SEED, 0, 5)[0]["payoff"][0][:, None, :2]).all()


def test_worlds_are_the_same_for_all_positions_and_others_for_another_purpose() -> None:
    arm = duel_arm(start_hp=3, hit_faces=3)
    twice = roll_out(DUEL, arm, SEED, [Position(1, 0), Position(1, 0), Position(1, 0, first_world=1)], 40)
    assert (twice.payoff[0] == twice.payoff[1]).all()
    assert (twice.payoff[0, 1:] == twice.payoff[2, :-1]).all()
    other = roll_out(DUEL, arm, SEED, [Position(1, 0)], 40, offset=Worlds.CHECK)
    assert (twice.payoff[0] != other.payoff[0]).any()


def test_threads_change_no_byte() -> None:
    arm = duel_arm(start_hp=2, hit_faces=3)
    positions = [Position(number, 0) for number in range(50)]
    one, three = (roll_out(DUEL, arm, SEED, positions, 20, jobs=jobs).payoff for jobs in (1, 3))
    assert (one == three).all()


def test_a_choice_that_is_not_legal_is_told() -> None:
    arm = Arm("pig", PIG.pack(PIG.load().resolve({})), make_lineup(PIG, ["hold_20"], 2), 1)
    with pytest.raises(RuntimeError, match="playout 3: a choice of the tape is not legal"):
        roll_out(PIG, arm, SEED, [Position(3, tape=(7,))], 2)
    with pytest.raises(ValueError, match="n_worlds: found 0"):
        roll_out(PIG, arm, SEED, [Position(3, 0)], 0)


PRIZES = {
    **PLAIN,
    "start_hp": 40,
    "hit_faces": 0,
    "prize_faces": 6,
    "turn_limit": 2,
    "prizes_return": 0,
    "prizes.trophy.copies": 6,
}


def prizes(new_turn: int, world: int) -> tuple[int, ...]:
    """Return the prize deck after two draws, if from a turn on they come from another world."""
    assignment = make_assignment(make_lineup(DUEL, ["random"], 2), SEED)
    assignment["new_turn"], assignment["tape_namespace"] = new_turn, world
    states, row = make_records(DUEL.state), np.zeros(1, DUEL.row).view(np.recarray)
    rules = DUEL.pack(DUEL.load().resolve(PRIZES))
    DUEL.entry(states, rules, assignment, row, np.array([7], np.int64))
    deck = states["hidden"]["prize"][0]
    return tuple(int(card) for card in deck["order"][: int(deck["top"] + deck["size"])])


def test_unseen_cards_come_in_any_order_in_other_worlds_and_seen_ones_stay() -> None:
    n_worlds = 600
    plain = prizes(0, 0)
    orders = [prizes(2, 1024 + world) for world in range(n_worlds)]  # behind the first draw
    assert {order[0] for order in orders} == {plain[0]}
    assert {tuple(sorted(order)) for order in orders} == {tuple(sorted(plain))}
    unseen = len(plain) - 1
    counts = Counter(order[1] for order in orders)
    expected = n_worlds / unseen
    assert sum((counts[card] - expected) ** 2 / expected for card in plain[1:]) < chi2.isf(ALPHA, unseen - 1)


def test_no_rollout_depends_on_how_unseen_cards_lie() -> None:
    """Cards are dealt anew from what they are, not from where they lay."""
    key, other = deck_key(1), deck_key(2, owner=FOR_NOBODY)
    steps = [(SHUFFLE, 0), (DRAW, 0), (DRAW, 0)]
    order = worked(steps, [1] * 6, key)[1]
    swapped = worked([*steps, (TAKE, order[0]), (PUT, order[0])], [1] * 6, key)[1]
    assert sorted(order) == sorted(swapped)
    dealt = worked([*steps, (DEAL, 0)], [1] * 6, key, other=other)[1]
    assert sorted(dealt) == sorted(order)
    with np.errstate(over="ignore"):
        names = {card: int(rng.mix(other + np.uint64(rng.card_hash(key, card, 0)))) for card in order}
    assert dealt == sorted(order, key=names.__getitem__)


def test_a_card_put_under_the_deck_is_known_and_stays_there() -> None:
    key, other = deck_key(3), deck_key(4, owner=FOR_NOBODY)
    steps = [(SHUFFLE, 0), (DRAW, 0), (PUT, 0), (DRAW, 0)]
    drawn, _ = worked(steps, [1] * 8, key)
    steps = [(SHUFFLE, 0), (DRAW, 0), (PUT, drawn[1]), (DRAW, 0)]
    before, after = (worked(steps + more, [1] * 8, key, other=other)[1] for more in ([], [(DEAL, 0)]))
    assert before[-1] == after[-1] == drawn[1]
    assert before != after
    assert sorted(before) == sorted(after)
    everything = [(SHUFFLE, 0), *[(DRAW, 0)] * 8, (PUT, 2), (PUT, 5), (PUT, 1), (DEAL, 0)]
    assert worked(everything, [1] * 8, key, other=other)[1] == [2, 5, 1]


def test_a_card_taken_out_of_the_unseen_ones_leaves_one_less() -> None:
    key, other = deck_key(5), deck_key(6, owner=FOR_NOBODY)
    order = worked([(SHUFFLE, 0)], [1] * 4, key)[1]
    steps = [(SHUFFLE, 0), (TAKE, order[3]), (PUT, order[3]), (DEAL, 0)]
    assert worked(steps, [1] * 4, key, other=other)[1][-1] == order[3]
