"""Less noise and better choices: clusters, blocks, strata, controls, OCBA and the winner's curse."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from sim.statistics.estimate import SampleSums, jeffreys, mean
from sim.statistics.paired import PairedSums, odds_ratio
from sim.statistics.reduction import block_counts, cluster_sums, controlled, post_stratified, refuse_broken_blocks
from sim.statistics.selection import allocation, largest_of_equals
from sim.statistics.sequential import generalised_log_ratio, score_law

N_SAMPLES = 400


def test_the_error_of_clusters_is_that_of_their_means() -> None:
    values = np.array([[3, 1, 2], [0, 0, 1], [5, 4, 3], [2, 2, 2]])
    found = mean(cluster_sums(values))
    means = values.mean(axis=1)
    assert found.value == pytest.approx(means.mean())
    assert found.mcse == pytest.approx(math.sqrt(((means - means.mean()) ** 2).sum() / (4 * 3)))
    assert found.n_playouts == 4


def test_pooled_rows_of_one_seed_cover_too_rarely_and_clusters_as_often_as_they_say() -> None:
    luck = stats.binom.rvs(1, 0.3, size=(N_SAMPLES, 100, 1), random_state=81)
    own = stats.binom.rvs(1, 0.3, size=(N_SAMPLES, 100, 4), random_state=82)
    rows = luck + own
    clustered = [mean(cluster_sums(sample)) for sample in rows]
    pooled = [mean(SampleSums.of_sample(sample.ravel())) for sample in rows]
    covered = [sum(one.lower <= 0.6 <= one.upper for one in kind) for kind in (clustered, pooled)]
    assert abs(covered[0] - 0.95 * N_SAMPLES) <= 4 * math.sqrt(N_SAMPLES * 0.95 * 0.05)
    assert covered[1] < 0.9 * N_SAMPLES


def test_blocks_of_rotations_become_scores() -> None:
    wins = np.array([[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 1]])
    assert block_counts(wins) == (1, 2, 0, 1, 0)
    assert score_law(block_counts(wins)).mean == pytest.approx(wins.mean(), abs=1e-3)


def test_blocks_of_the_method_have_its_log_ratio() -> None:
    wins = np.zeros((1000, 4), np.int64)
    for block, n_won in enumerate([1] * 775 + [2] * 152 + [3] * 3):
        wins[block, :n_won] = 1
    assert generalised_log_ratio(block_counts(wins), 0.25, 0.26) == pytest.approx(12.0248, abs=5.1e-5)


def test_a_candidate_that_is_the_baseline_wins_once_in_every_block() -> None:
    refuse_broken_blocks(np.eye(4, dtype=np.int64))
    with pytest.raises(ValueError, match="block 2 has 2 wins of a candidate that is the baseline, expected exactly 1"):
        refuse_broken_blocks(np.array([[1, 0], [0, 1], [1, 1]]))


def test_strata_weigh_by_their_chance_and_not_by_their_luck() -> None:
    cells = [SampleSums.of_count(30, 100), SampleSums.of_count(60, 300)]
    found = post_stratified(cells, [0.5, 0.5])
    assert found.value == pytest.approx(0.25)
    squared = 0.25 * (0.21 / 99 + 0.16 / 299)
    assert found.mcse == pytest.approx(math.sqrt(squared))
    assert found.n_playouts == 400


def test_post_stratification_covers_and_is_narrower_where_cells_differ() -> None:
    chances, shares, n = [0.25, 0.75], [0.8, 0.1], 300
    true = 0.25 * 0.8 + 0.75 * 0.1
    n_first = stats.binom.rvs(n, chances[0], size=N_SAMPLES, random_state=83)
    won = stats.binom.rvs(n_first, shares[0], random_state=84), stats.binom.rvs(n - n_first, shares[1], random_state=87)
    n_covered, narrower = 0, 0
    for first, ours, theirs in zip(n_first.tolist(), won[0].tolist(), won[1].tolist(), strict=True):
        found = post_stratified([SampleSums.of_count(ours, first), SampleSums.of_count(theirs, n - first)], chances)
        plain = mean(SampleSums.of_count(ours + theirs, n))
        n_covered += found.lower <= true <= found.upper
        narrower += found.mcse < plain.mcse
    assert abs(n_covered - 0.95 * N_SAMPLES) <= 4 * math.sqrt(N_SAMPLES * 0.95 * 0.05)
    assert narrower == N_SAMPLES


def test_a_control_takes_out_what_is_known_and_covers() -> None:
    sixes = stats.binom.rvs(20, 1 / 6, size=(N_SAMPLES, 200), random_state=85)
    rest = stats.binom.rvs(20, 0.5, size=(N_SAMPLES, 200), random_state=86)
    n_covered, gain = 0, []
    for control, noise in zip(sixes, rest, strict=True):
        sums = PairedSums.of_samples(3 * control + noise, control)
        found = controlled(sums, 20 / 6)
        n_covered += found.lower <= 20 <= found.upper
        gain.append((mean(sums.variant_sums()).mcse / found.mcse) ** 2)
    assert abs(n_covered - 0.95 * N_SAMPLES) <= 4 * math.sqrt(N_SAMPLES * 0.95 * 0.05)
    explained = 9 * (20 * 5 / 36) / (9 * (20 * 5 / 36) + 5)
    assert np.mean(gain) == pytest.approx(1 / (1 - explained), rel=0.03)


def test_a_control_is_least_squares() -> None:
    quantity, control = np.array([3, 5, 4, 8, 9]), np.array([1, 2, 2, 4, 4])
    fit = stats.linregress(control, quantity)
    found = controlled(PairedSums.of_samples(quantity, control), 3.0)
    assert found.value == pytest.approx(fit.intercept + 3 * fit.slope)
    left = ((quantity - fit.intercept - fit.slope * control) ** 2).sum() / 3
    around = ((control - control.mean()) ** 2).sum()
    assert found.mcse == pytest.approx(math.sqrt(left * (1 / 5 + (3 - control.mean()) ** 2 / around)))


def test_ocba_has_the_published_allocation() -> None:
    """The example of the R package SPOT (method 5.2)."""
    means, variances = (1.2, 2.1, 3.4, 4.87, 6.05), (3.3, 2, 4.5, 5.3, 6.9)
    assert allocation(means, variances, (12, 6, 5, 5, 4), 100) == (48, 38, 11, 2, 1)


def test_ocba_gives_nothing_to_who_has_enough_and_all_of_the_budget() -> None:
    given = allocation((0.0, 1.0, 10.0), (1.0, 1.0, 1.0), (5, 5, 500), 50)
    assert given[2] == 0
    assert sum(given) == 50


@pytest.mark.parametrize(
    ("k", "largest"), [(1, 0), (2, 0.5642), (3, 0.8463), (10, 1.5388), (50, 2.2491), (100, 2.5076), (1000, 3.2414)]
)
def test_the_winners_curse_has_the_digits_of_the_method(k: int, largest: float) -> None:
    assert largest_of_equals(k) == pytest.approx(largest, abs=5.1e-5)


@pytest.mark.parametrize(
    ("count", "n", "limits"),
    [
        (81, 263, (0.254522, 0.365647)),
        (15, 148, (0.060449, 0.157643)),
        (0, 20, (0, 0.116639)),
        (1, 29, (0.003746, 0.150078)),
        (2615, 10_000, (0.252957, 0.270181)),
    ],
)
def test_jeffreys_has_the_digits_of_the_method(count: int, n: int, limits: tuple[float, float]) -> None:
    found = jeffreys(count, n)
    assert (found.lower, found.upper) == pytest.approx(limits, abs=5.1e-7)
    mirrored = jeffreys(n - count, n)
    assert (mirrored.lower, mirrored.upper) == pytest.approx((1 - found.upper, 1 - found.lower))


def test_odds_ratio_is_that_of_the_table_with_half_a_playout_more() -> None:
    found = odds_ratio(30, 100, 20, 100)
    table = np.array([[30.5, 70.5], [20.5, 80.5]])
    expected = table[0, 0] * table[1, 1] / (table[0, 1] * table[1, 0])
    assert found.value == pytest.approx(expected)
    error = math.sqrt((1 / table).sum())
    assert math.log(found.upper / found.value) == pytest.approx(1.959964 * error, rel=1e-6)
    assert odds_ratio(20, 100, 30, 100).value == pytest.approx(1 / expected)
    assert odds_ratio(0, 10, 10, 10).lower > 0


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: cluster_sums(np.array([1, 2])), r"shape \(2,\), expected \(n_seeds, n_rows\)"),
        (lambda: block_counts(np.array([[0, 2]])), "other numbers than 0 and 1"),
        (lambda: post_stratified([SampleSums.of_count(1, 3)], [0.5, 0.5]), "1 cells and 2 chances"),
        (lambda: post_stratified([SampleSums.of_count(1, 3)], [0.5]), "expected none below 0 and a sum of 1"),
        (lambda: post_stratified([SampleSums.of_count(1, 1)], [1.0]), "cell 0 has 1 playouts, .* merge cells"),
        (lambda: controlled(PairedSums(5, 3, 5, 3, 5, 3), 1.0), "the control is 1.0 in all 5 playouts"),
        (lambda: allocation((1, 1), (1, 1), (1, 1), 5), "two variants tie for the best"),
        (lambda: allocation((1, 2), (1, 0), (1, 1), 5), "expected positive numbers"),
        (lambda: allocation((1, 2), (1, 1), (1,), 5), "2 means, 2 variances and 1 counts"),
        (lambda: largest_of_equals(0), "n_variants is 0"),
    ],
)
def test_impossible_inputs_are_refused_with_what_to_do(refused: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        refused()
