"""Seat balance: debiased scores, noise floors, the fairness test, ratings and verdicts."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from sim.statistics.balance import (
    Balance,
    SeatSums,
    Verdict,
    chance_all_within,
    effective_seats,
    entropy_ratio,
    fairness_test,
    gini,
    largest_deviation,
    noise_floor,
    player_elo,
    player_elo_estimate,
    playouts_for_fairness_test,
    seat_difference,
    seat_score,
    seat_shares,
    seat_verdict,
    verdict,
)
from sim.statistics.estimate import Estimate, goodman, wilson
from sim.statistics.further import playouts_to_clear

SIX_DIGITS = 5.1e-7
PAYOFF_UNIT = 840
EXAMPLE = SeatSums.of_wins((2615, 2530, 2455, 2400))  # method 1.3


def ends(estimate: Estimate) -> tuple[float, float]:
    return estimate.lower, estimate.upper


def of_payoffs(payoff: np.ndarray, unit: int = PAYOFF_UNIT) -> SeatSums:
    """Return the sums of payoffs in units, shape (n_playouts, n_seats)."""
    products = payoff.T @ payoff
    return SeatSums(len(payoff), tuple(payoff.sum(axis=0)), tuple(map(tuple, products)), unit)


def split_payoffs(n: int, seed: int, n_seats: int = 4) -> np.ndarray:
    """Return payoffs of a fair game in which half of the wins are shared by two seats."""
    order = stats.uniform.rvs(size=(n, n_seats), random_state=seed).argsort(axis=1)
    shared = stats.bernoulli.rvs(0.5, size=n, random_state=seed + 1)
    payoff = np.zeros((n, n_seats), dtype=np.int64)
    rows = np.arange(n)
    payoff[rows, order[:, 0]] = PAYOFF_UNIT - shared * PAYOFF_UNIT // 2
    payoff[rows, order[:, 1]] = shared * PAYOFF_UNIT // 2
    return payoff


def test_the_example_has_the_digits_of_the_method() -> None:
    tested = fairness_test(EXAMPLE)
    assert tested.statistic == pytest.approx(10.46, abs=1e-10)
    assert tested.p_value == pytest.approx(0.015035, abs=SIX_DIGITS)
    assert tested.cramer_v == pytest.approx(0.018673, abs=SIX_DIGITS)
    assert (tested.degrees, tested.n_playouts) == (3, 10_000)
    assert largest_deviation(EXAMPLE).value == pytest.approx(0.0115, abs=1e-15)
    shares = EXAMPLE.shares()
    assert effective_seats(shares) == pytest.approx(3.997912, abs=1e-6)
    assert entropy_ratio(shares) == pytest.approx(0.999624, abs=SIX_DIGITS)
    assert gini(shares) == pytest.approx(0.018, abs=1e-15)


def test_gini_of_one_to_four_is_a_quarter() -> None:
    assert gini([1, 2, 3, 4]) == 0.25
    assert gini([4, 1, 3, 2]) == 0.25
    assert gini([5, 5, 5]) == 0
    assert gini([0, 0, 0, 1]) == 0.75


def test_effective_seats_run_from_one_to_all() -> None:
    assert effective_seats([1, 0, 0, 0]) == 1
    assert effective_seats([0.25] * 4) == pytest.approx(4, rel=1e-15)
    assert effective_seats([0.5, 0.5, 0, 0]) == pytest.approx(2, rel=1e-15)


@pytest.mark.parametrize(
    ("wins", "statistic"),
    # kalbfled/monopoly-monte-carlo, 1,000 games each; method 7.6
    [
        ((520, 480), 1.6),
        ((362, 335, 303), 5.23),
        ((326, 244, 209, 221), 33.3),
        ((217, 231, 193, 188, 171), 11.4),
        ((209, 185, 170, 168, 139, 129), 26.0),
    ],
)
def test_fairness_test_on_the_published_monopoly_tables(wins: tuple[int, ...], statistic: float) -> None:
    tested = fairness_test(SeatSums.of_wins(wins))
    assert tested.statistic == pytest.approx(statistic, abs=0.051)
    theirs = stats.chisquare(wins)
    assert (tested.statistic, tested.p_value) == pytest.approx(tuple(theirs), rel=1e-10)


def test_fairness_test_of_split_points_uses_their_own_variance() -> None:
    payoff = split_payoffs(2000, 3)
    tested = fairness_test(of_payoffs(payoff))
    shares = payoff / PAYOFF_UNIT
    deviation = shares.mean(axis=0)[:3] - 0.25
    covariance = np.cov(shares[:, :3].T) / 2000
    expected = deviation @ np.linalg.inv(covariance) @ deviation
    assert tested.statistic == pytest.approx(expected, rel=1e-10)


def test_fairness_test_rejects_fair_split_points_as_often_as_it_says() -> None:
    n_samples, n = 1000, 500
    payoff = split_payoffs(n_samples * n, 5).reshape(n_samples, n, 4)
    rejected = np.mean([fairness_test(of_payoffs(sample)).p_value < 0.05 for sample in payoff])
    assert abs(rejected - 0.05) < 4 * math.sqrt(0.05 * 0.95 / n_samples)


@pytest.mark.parametrize(("deviation", "n"), [(0.02, 6643), (0.01, 26572), (0.005, 106287), (0.002, 664289)])
def test_playouts_for_the_fairness_test_have_the_digits_of_the_method(deviation: float, n: int) -> None:
    assert playouts_for_fairness_test(deviation, 4) == n


def test_that_many_playouts_have_the_stated_power() -> None:
    n, deviation, n_samples = 6643, 0.02, 1000
    chances = [0.25 + deviation, *[0.25 - deviation / 3] * 3]
    samples = stats.multinomial.rvs(n, chances, size=n_samples, random_state=7)
    found = np.mean([fairness_test(SeatSums.of_wins(sample)).p_value < 0.05 for sample in samples])
    assert abs(found - 0.9) < 4 * math.sqrt(0.9 * 0.1 / n_samples)


@pytest.mark.parametrize(
    ("n", "mean_points", "limit_points"),
    [(10**3, 1.89, 3.40), (10**4, 0.60, 1.07), (10**5, 0.19, 0.34), (10**6, 0.06, 0.11)],
)
def test_noise_floor_has_the_digits_of_the_method(n: int, mean_points: float, limit_points: float) -> None:
    average, limit = noise_floor(4, n)
    lattice_points = 100 / n / 4  # a share moves by 1 / n, and a quarter of n may not be whole
    assert 100 * average == pytest.approx(mean_points, abs=0.0051)
    assert 100 * limit == pytest.approx(limit_points, abs=0.0051 + lattice_points)


@pytest.mark.parametrize("n_seats", [2, 3, 5, 8])
def test_noise_floor_agrees_with_simulated_fair_games(n_seats: int) -> None:
    n, n_samples = 100_000, 20_000
    wins = stats.multinomial.rvs(n, [1 / n_seats] * n_seats, size=n_samples, random_state=n_seats)
    largest = np.abs(wins / n - 1 / n_seats).max(axis=1)
    average, limit = noise_floor(n_seats, n)
    assert abs(largest.mean() - average) < 4 * largest.std() / math.sqrt(n_samples)
    assert abs((largest < limit).mean() - 0.95) < 4 * math.sqrt(0.95 * 0.05 / n_samples)


def test_noise_floor_of_two_seats_is_that_of_half_a_normal() -> None:
    average, limit = noise_floor(2, 10_000)
    assert average == pytest.approx(math.sqrt(2 / math.pi) / 200, rel=2e-5)
    assert limit == pytest.approx(1.959964 / 200, rel=2e-5)
    assert chance_all_within(1.0, 2) == pytest.approx(2 * stats.norm.cdf(math.sqrt(2)) - 1, rel=1e-5)


def test_seat_score_has_the_formula_of_the_method() -> None:
    shares = EXAMPLE.shares()
    expected = sum((shares - 0.25) ** 2 - shares * (1 - shares) / (10_000 - 1))
    assert seat_score(EXAMPLE).value == pytest.approx(expected, rel=1e-12)


def test_seat_score_has_the_error_of_a_quadratic_form() -> None:
    deviation, covariance = EXAMPLE.shares() - 0.25, EXAMPLE.covariance()
    noise = np.trace(covariance @ covariance)
    expected = math.sqrt(2 * noise + 4 * (deviation @ covariance @ deviation - noise))
    score = seat_score(EXAMPLE)
    assert score.mcse == pytest.approx(expected, rel=1e-12)
    assert 0 <= score.lower < score.value < score.upper


@pytest.mark.parametrize(
    ("chances", "n"),
    [
        ([0.27, 0.25, 0.24, 0.24], 2000),  # a normal interval holds the truth in .836 of the samples here
        ([0.27, 0.25, 0.24, 0.24], 500),
        ([0.4, 0.2, 0.2, 0.2], 200),
        ([0.25] * 4, 1000),
        ([0.6, 0.4], 200),
        ([0.7, 0.1, 0.1, 0.1], 100),
    ],
)
def test_the_interval_of_the_seat_score_covers(chances: list[float], n: int) -> None:
    n_runs = 400
    true = math.fsum((chance - 1 / len(chances)) ** 2 for chance in chances)
    samples = stats.multinomial.rvs(n, chances, size=n_runs, random_state=11)
    scores = [seat_score(SeatSums.of_wins(sample)) for sample in samples]
    n_held = sum(score.lower <= true <= score.upper for score in scores)
    assert n_held >= 0.94 * n_runs - 2 * math.sqrt(0.05 * 0.95 * n_runs)
    assert all(0 <= score.lower < score.upper for score in scores)


def test_a_seat_that_always_wins_tells_nothing_of_how_sure_its_score_is() -> None:
    score = seat_score(SeatSums.of_wins([100, 0, 0, 0]))
    assert (score.lower, score.upper) == (0.0, 0.75)


def test_the_naive_seat_score_reads_what_the_method_says_for_a_fair_game() -> None:
    fair = SeatSums.of_wins([2500] * 4)
    assert -seat_score(fair).value == pytest.approx(7.5e-5, rel=2e-4)


@pytest.mark.parametrize("chances", [[0.25] * 4, [0.28, 0.26, 0.24, 0.22]])
def test_seat_score_is_unbiased_and_knows_its_error(chances: list[float]) -> None:
    n, n_samples = 2000, 2000
    samples = stats.multinomial.rvs(n, chances, size=n_samples, random_state=19)
    scores = [seat_score(SeatSums.of_wins(sample)) for sample in samples]
    values = np.array([score.value for score in scores])
    exact = sum((chance - 0.25) ** 2 for chance in chances)
    assert abs(values.mean() - exact) < 4 * values.std() / math.sqrt(n_samples)
    stated, true = np.mean([score.mcse**2 for score in scores]), values.var()
    allowance = 4 * true * math.sqrt(stats.kurtosis(values, fisher=False) / n_samples)
    assert stated > true - allowance
    # among equal seats the error errs to the safe side, elsewhere it is right
    assert stated < (2 if exact == 0 else 1) * true + allowance


def test_seat_score_of_split_points_is_unbiased() -> None:
    n, n_samples = 400, 1000
    payoff = split_payoffs(n_samples * n, 23).reshape(n_samples, n, 4)
    values = np.array([seat_score(of_payoffs(sample)).value for sample in payoff])
    assert abs(values.mean()) < 4 * values.std() / math.sqrt(n_samples)


def test_seat_shares_are_goodmans() -> None:
    assert seat_shares(EXAMPLE) == goodman((2615, 2530, 2455, 2400))
    split = seat_shares(of_payoffs(split_payoffs(400, 29)))
    assert sum(estimate.value for estimate in split) == pytest.approx(1, abs=1e-14)


def test_seat_difference_has_the_error_of_the_method() -> None:
    estimate = seat_difference(EXAMPLE, 0, 3)
    error = math.sqrt((0.2615 + 0.24 - 0.0215**2) / 10_000)
    assert estimate.value == pytest.approx(0.0215, abs=1e-15)
    assert estimate.mcse == pytest.approx(error * math.sqrt(10_000 / 9_999), rel=1e-12)
    payoff = split_payoffs(300, 31)
    difference = (payoff[:, 1] - payoff[:, 2]) / PAYOFF_UNIT
    split = seat_difference(of_payoffs(payoff), 1, 2)
    assert split.value == pytest.approx(difference.mean(), abs=1e-15)
    assert split.mcse == pytest.approx(difference.std(ddof=1) / math.sqrt(300), rel=1e-12)


def test_covariance_is_that_of_the_sample() -> None:
    payoff = split_payoffs(300, 37)
    expected = np.cov((payoff / PAYOFF_UNIT).T) / 300
    assert of_payoffs(payoff).covariance() == pytest.approx(expected, rel=1e-10, abs=1e-18)


@pytest.mark.parametrize(("win_share", "elo"), [(0.25, 0), (0.26, 9.15), (0.27, 18.06), (0.30, 43.66), (0.35, 83.31)])
def test_player_elo_has_the_digits_of_the_method(win_share: float, elo: float) -> None:
    assert player_elo(win_share, 4) == pytest.approx(elo, abs=0.0051)


def test_player_elo_of_two_seats_is_logistic_elo() -> None:
    assert player_elo(10 / 11, 2) == pytest.approx(400, rel=1e-14)
    assert player_elo(0, 4) == -math.inf
    assert player_elo(1, 4) == math.inf


def test_player_elo_carries_the_interval_over() -> None:
    rated = player_elo_estimate(wilson(3000, 10_000), 4)
    assert rated.value == pytest.approx(43.66, abs=0.0051)
    limits = tuple(player_elo(end, 4) for end in ends(wilson(3000, 10_000)))
    assert ends(rated) == limits
    assert rated.upper - rated.value == pytest.approx(1.96 * rated.mcse, rel=0.01)


def interval(value: float, reach: float, n: int = 10_000) -> Estimate:
    return Estimate(value, reach / 1.96, value - reach, value + reach, 0.95, n)


@pytest.mark.parametrize(
    ("value", "reach", "expected"),
    [
        (0.005, 0.014, Verdict(Balance.BALANCED, 0.02)),
        (-0.005, 0.014, Verdict(Balance.BALANCED, 0.02)),
        (0.05, 0.029, Verdict(Balance.UNBALANCED, 0.02)),
        (-0.05, 0.029, Verdict(Balance.UNBALANCED, 0.02)),
        (0.01, 0.02, Verdict(Balance.UNDECIDED, 0.02)),
        (-0.01, 0.02, Verdict(Balance.UNDECIDED, 0.02)),
        (0.03, 0.03, Verdict(Balance.UNDECIDED, 0.02)),
        (0.0, 0.04, Verdict(Balance.UNDECIDED, 0.02)),
        (0.02, 0.04, Verdict(Balance.UNDECIDED, 0.02)),
    ],
)
def test_verdict_compares_the_whole_interval_with_the_margin(value: float, reach: float, expected: Verdict) -> None:
    judged = verdict(interval(value, reach), 0.02)
    assert judged.balance is expected.balance
    assert judged.margin == 0.02
    assert expected.balance is Balance.UNDECIDED or judged.n_more is None


@pytest.mark.parametrize("limits", [(-0.02, 0.01), (-0.01, 0.02), (0.02, 0.05), (-0.05, -0.02)])
def test_an_interval_that_touches_the_margin_decides_nothing(limits: tuple[float, float]) -> None:
    touching = Estimate(sum(limits) / 2, 0.01, *limits, 0.95, 100)
    assert verdict(touching, 0.02).balance is Balance.UNDECIDED


def test_verdict_reads_as_one_word() -> None:
    assert str(verdict(interval(0.03, 0.005), 0.02)) == "unbalanced"
    assert str(verdict(interval(0.005, 0.02), 0.02)) == "undecided"


def test_seat_verdict_needs_every_seat_inside_or_one_outside() -> None:
    assert seat_verdict(SeatSums.of_wins([25_000] * 4), 0.02).balance is Balance.BALANCED
    far = SeatSums.of_wins([30_000, 24_000, 23_000, 23_000])
    assert seat_verdict(far, 0.02).balance is Balance.UNBALANCED
    undecided = seat_verdict(EXAMPLE, 0.02)
    assert undecided.balance is Balance.UNDECIDED
    # the last seat to be inside is the first: 1.15 points off, with the interval up to 2.262
    (first, *_) = seat_shares(EXAMPLE)
    assert undecided.n_more == playouts_to_clear(first.shifted(-0.25), (-0.02, 0.02))


def test_seat_verdict_asks_for_the_first_seat_to_leave() -> None:
    wins = SeatSums.of_wins([290, 240, 235, 235])
    advantage = seat_shares(wins)[0].shifted(-0.25)
    judged = seat_verdict(wins, 0.02)
    assert judged.balance is Balance.UNDECIDED
    assert judged.n_more == playouts_to_clear(advantage, (-0.02, 0.02))


def test_truncation_closes_the_verdict() -> None:
    tenth_of_a_percent = EXAMPLE.n // 999
    assert seat_verdict(EXAMPLE, 0.05, n_truncated=tenth_of_a_percent).balance is Balance.BALANCED
    with pytest.raises(ValueError, match="for a verdict"):
        seat_verdict(EXAMPLE, 0.05, n_truncated=11)
    with pytest.raises(ValueError, match="for a verdict"):
        verdict(interval(0, 0.01), 0.02, n_truncated=11)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: verdict(interval(0, 0.01), 0), r"margin is 0, expected .*2 points"),
        (lambda: verdict(interval(0, 0.01), -0.1), r"margin is -0\.1"),
        (lambda: verdict(interval(0, 0.01), 2), r"margin is 2, .*write 0\.02 for 2 points"),
        (lambda: seat_verdict(EXAMPLE, 0), r"margin is 0"),
        (lambda: seat_verdict(EXAMPLE, 0.02, 1), r"level is 1"),
        (lambda: seat_score(EXAMPLE, 1), r"level is 1"),
        (lambda: SeatSums.of_wins([5]), r"n_seats is 1, expected at least 2"),
        (lambda: SeatSums.of_wins([5, -1]), r"wins by seat are \[5, -1\]"),
        (lambda: SeatSums.of_wins([0, 0]), r"n_playouts is 0"),
        (lambda: SeatSums(2, (1, 1), ((1, 0),)), r"symmetric table of 2 by 2"),
        (lambda: SeatSums(2, (1, 1), ((1, 1), (0, 1))), r"symmetric table of 2 by 2"),
        (lambda: SeatSums(3, (1, 1), ((1, 0), (0, 1))), r"leave truncated playouts out"),
        (lambda: SeatSums(2, (1, 1), ((1, 1), (1, 1))), r"leave truncated playouts out"),
        (
            lambda: fairness_test(SeatSums(9, (9, 9), ((9, 9), (9, 9)), 2)),
            r"do not vary .*no test",
        ),
        (lambda: seat_difference(EXAMPLE, 0, 4), r"seat is 4, expected 0 to 3"),
        (lambda: seat_difference(EXAMPLE, 1, 1), r"compared with itself"),
        (lambda: noise_floor(1, 100), r"n_seats is 1"),
        (lambda: noise_floor(4, 0), r"n_playouts is 0"),
        (lambda: effective_seats([0.5, 0.4]), r"sum to 0\.900000, expected"),
        (lambda: effective_seats([1.5, -0.5]), r"expected numbers of 0 or more"),
        (lambda: entropy_ratio([1.0]), r"n_seats is 1"),
        (lambda: gini([]), r"number of amounts is 0"),
        (lambda: gini([0, 0]), r"not all 0"),
        (lambda: gini([1, -1, 5]), r"0 or more"),
        (lambda: player_elo(1.2, 4), r"win_share is 1\.2"),
        (lambda: player_elo(0.5, 1), r"n_seats is 1"),
        (lambda: player_elo_estimate(wilson(0, 10), 4), r"win_share is 0\.0, .*ends excluded"),
        (lambda: playouts_for_fairness_test(0, 4), r"margin is 0"),
        (lambda: playouts_for_fairness_test(0.01, 4, power=90), r"power is 90"),
        (lambda: playouts_for_fairness_test(0.01, 4, alpha=5), r"alpha is 5"),
    ],
)
def test_impossible_inputs_are_refused_with_what_to_do(refused: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        refused()
