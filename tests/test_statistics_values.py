"""Value functions: known weights are found, nothing is told by itself, and calibration tells what is wrong."""

import math

import numpy as np
import pytest
import statsmodels.api
from scipy import stats

from sim.statistics import values
from sim.statistics.values import (
    N_FOLDS,
    N_LEFT_OUT,
    CrossFit,
    calibration,
    calibration_error,
    fit_values,
    log_scores,
    softmax,
)


def race(n: int, n_seats: int, weights: list[float], seed: int) -> tuple[np.ndarray, ...]:
    """Return features, who is in, and payoffs of positions in which the conditional logit is true."""
    features = stats.norm.rvs(size=(n, n_seats, len(weights)), random_state=seed)
    is_in = stats.uniform.rvs(size=(n, n_seats), random_state=seed + 1) < 0.8
    is_in[:, :2] = True
    chances = softmax(features @ np.array(weights), is_in)
    winner = (stats.uniform.rvs(size=(n, 1), random_state=seed + 2) > chances.cumsum(axis=1)).sum(axis=1)
    return features, is_in, np.eye(n_seats)[winner], chances


def test_chances_sum_to_one_over_those_who_are_in() -> None:
    features, is_in, payoff, _ = race(2000, 4, [1.0, -0.5], 3)
    chances = fit_values(features, is_in, payoff).chances(features, is_in)
    assert np.allclose(chances.sum(axis=1), 1)
    assert (chances[~is_in] == 0).all()
    assert (chances[is_in] > 0).all()


def test_who_is_left_alone_wins_and_what_was_never_fitted_is_even() -> None:
    features, is_in, payoff, _ = race(500, 3, [1.0], 3)
    fitted = fit_values(features[is_in.all(axis=1)], is_in[is_in.all(axis=1)], payoff[is_in.all(axis=1)])
    alone = np.array([[True, False, False], [True, True, False]])
    assert fitted.chances(features[:2], alone).tolist() == [[1, 0, 0], [0.5, 0.5, 0]]


def test_true_chances_are_found() -> None:
    features, is_in, payoff, chances = race(20_000, 3, [0.8, -0.4], 5)
    told = fit_values(features, is_in, payoff).chances(features, is_in)
    assert np.abs(told - chances).max() < 0.03


def test_two_seats_are_the_logistic_regression_of_statsmodels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "RIDGE", 1e-9)
    features, _, payoff, _ = race(3000, 2, [0.8, -0.4], 7)
    fitted = fit_values(features, np.ones((3000, 2), bool), payoff)
    other = statsmodels.api.Logit(payoff[:, 0], features[:, 0] - features[:, 1]).fit(disp=0)
    assert fitted.weights[2] / fitted.scale == pytest.approx(other.params, rel=1e-6)


def test_a_feature_that_settles_everything_has_a_finite_weight() -> None:
    features = np.tile([[1.0], [0.0]], (200, 1, 1))
    payoff = np.tile([1.0, 0.0], (200, 1))
    chances = fit_values(features, np.ones((200, 2), bool), payoff).chances(features, np.ones((200, 2), bool))
    assert 0.9 < chances[0, 0] < 1


def test_no_playout_is_told_by_itself() -> None:
    features, is_in, payoff, _ = race(1000, 3, [1.0], 11)
    playout = np.arange(1000) // 4
    told = CrossFit(features, is_in, payoff, playout).chances
    here = playout % N_FOLDS == 0
    turned = np.where(here[:, None], payoff[:, ::-1], payoff)
    assert (CrossFit(features, is_in, turned, playout).chances[here] == told[here]).all()
    assert (CrossFit(features, is_in, turned, playout).chances[~here] != told[~here]).any()
    with pytest.raises(ValueError, match="record at least 5 playouts"):
        CrossFit(features, is_in, payoff, playout % 3)


def test_calibration_holds_true_chances_to_be_right_and_others_not() -> None:
    features, is_in, payoff, chances = race(20_000, 3, [1.5], 13)
    playout = np.arange(20_000)
    bins = calibration(chances, is_in, payoff, playout)
    assert sum(one.observed.lower <= one.predicted <= one.observed.upper for one in bins) >= len(bins) - 2
    assert calibration_error(bins) < 0.01
    sharp = softmax(features @ np.array([4.0]), is_in)
    wrong = calibration(sharp, is_in, payoff, playout)
    assert wrong[-1].observed.upper < wrong[-1].predicted
    assert calibration_error(wrong) > 0.05
    assert sum(one.n_chances for one in bins) == is_in.sum()


def test_log_scores_are_sums_of_logarithms_by_playout() -> None:
    chances = np.array([[0.5, 0.5], [0.9, 0.1], [0.2, 0.8]])
    payoff = np.array([[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]])
    score, equal = log_scores(chances, np.ones((3, 2), bool), payoff, np.array([0, 0, 1]), 2)
    assert score == pytest.approx([-math.log(0.45), -math.log(0.4)])
    assert equal == pytest.approx([2 * math.log(2), math.log(2)])


def test_leaving_playouts_out_of_a_fit_is_fitting_to_the_others() -> None:
    features, is_in, payoff, _ = race(800, 3, [1.0, 0.0], 17)
    playout = np.arange(800) // 4
    fit = CrossFit(features, is_in, payoff, playout)
    rest = (playout % N_FOLDS != 0) & (playout % N_LEFT_OUT != 3)
    anew = fit_values(features[rest], is_in[rest], payoff[rest])
    here = playout % N_FOLDS == 0
    found, whole = fit.without(3)[here], fit.chances[here]
    assert np.abs(found - anew.chances(features[here], is_in[here])).max() < 0.002
    assert np.abs(found - whole).max() > 0.01
