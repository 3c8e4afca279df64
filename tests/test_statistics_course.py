"""The course of a playout: every metric on courses small enough to be worked out by hand."""

import math

import numpy as np
import pytest
from scipy import stats

from sim.statistics import course
from sim.statistics.course import Course

TWO = Course(
    chances=np.array([[0.5, 0.5], [0.6, 0.4], [0.3, 0.7], [0.2, 0.8], [0.5, 0.5], [0.9, 0.1]]),
    is_in=np.ones((6, 2), bool),
    first=np.array([0, 4]),
    length=np.array([4, 2]),
    payoff=np.array([[0.0, 1.0], [1.0, 0.0]]),
    eliminated=np.array([[1, 0], [0, 1]]),
)


def test_lead_changes_are_counted_to_the_end() -> None:
    assert course.lead_changes(TWO).tolist() == [2, 1]  # both, 0, 1, 1 and 1 wins; both, 0 and 0 wins


def test_a_leader_who_loses_at_last_is_a_lead_change() -> None:
    lost = Course(
        TWO.chances[4:], TWO.is_in[4:], np.array([0]), np.array([2]), np.array([[0.0, 1.0]]), np.array([[1, 0]])
    )
    assert course.lead_changes(lost).tolist() == [2]


def test_drama_is_how_far_the_winner_is_behind() -> None:
    assert course.drama(TWO) == pytest.approx([0.2 / 4, 0])


def test_a_comeback_is_a_win_of_the_last_at_half_time() -> None:
    assert course.comeback(TWO).tolist() == [0, 0]
    early = Course(
        TWO.chances[:4], TWO.is_in[:4], np.array([0]), np.array([3]), np.array([[0.0, 1.0]]), np.array([[1, 0]])
    )
    assert course.comeback(early).tolist() == [1]  # after one of three turns seat 1 has .4


def test_who_is_out_is_not_the_last_at_half_time() -> None:
    chances, is_in = np.array([[0.0, 0.3, 0.7]]), np.array([[False, True, True]])
    one = Course(chances, is_in, np.array([0]), np.array([1]), np.array([[0.0, 1.0, 0.0]]), np.array([[1, 0, 2]]))
    assert course.comeback(one).tolist() == [1]
    half, final = course.rank_pairs(one)
    assert half.tolist() == [[3, 2, 1]]
    assert final.tolist() == [[3, 1, 2]]


def test_decisiveness_is_the_best_chance_of_a_loser_and_what_is_only_played_out() -> None:
    assert course.decisiveness_threshold(TWO).tolist() == [0.6, 0.5]
    assert course.dead_tail(TWO).tolist() == [0.25, 0.5]


def test_stability_is_the_variance_over_turns() -> None:
    expected = [np.var([0.5, 0.6, 0.3, 0.2]), np.var([0.5, 0.9])]
    assert course.stability(TWO) == pytest.approx(expected)


def test_uncertainty_is_one_while_all_is_open() -> None:
    expected = stats.entropy(TWO.chances, base=2, axis=1)
    assert course.uncertainty(TWO) == pytest.approx([expected[:4].mean(), expected[4:].mean()])
    assert course.uncertainty(TWO)[0] < 1


def test_the_slope_of_a_runaway_leader_is_least_squares_within_playouts() -> None:
    logit = np.log(TWO.chances / (1 - TWO.chances))
    old = np.concatenate([logit[:3].ravel(), logit[4:5].ravel()])
    new = np.concatenate([logit[1:4].ravel(), logit[5:].ravel()])
    sums = course.logit_sums(TWO, 1)
    assert sums[:, 0].tolist() == [6, 2]
    assert course.slope_of(sums.sum(axis=0)) == pytest.approx(stats.linregress(old, new).slope)
    assert course.logit_sums(TWO, 4).tolist() == [[0] * 5] * 2
    assert course.slope_of(np.zeros(5)) == 0


def test_shared_wins_have_the_mean_chance_of_who_shared() -> None:
    one = Course(
        np.array([[0.5, 0.3, 0.2]]), np.ones((1, 3), bool), np.array([0]), np.array([1]),
        np.array([[0.0, 0.5, 0.5]]), np.array([[1, 2, 3]]),
    )  # fmt: skip
    assert course.drama(one) == pytest.approx([0.5 - 0.25])
    assert course.decisiveness_threshold(one).tolist() == [0.5]


def test_ranks_that_do_not_vary_have_no_correlation() -> None:
    assert course.correlation_of(np.ones((2, 2)), np.array([[1.0, 2.0], [2.0, 1.0]])) == 0
    assert math.isclose(course.correlation_of(np.array([1.0, 2.0]), np.array([2.0, 4.0])), 1)
