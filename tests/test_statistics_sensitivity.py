"""Screening and shares of variance: known functions, known noise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from sim.rng import Namespace, index, playout_key, turn_key
from sim.statistics.distributions import f_noncentrality
from sim.statistics.sensitivity import (
    FloatArray,
    IntArray,
    base_draws,
    levels_of,
    noise_of,
    saltelli,
    screen,
    share_if_known,
    trajectories,
    variance_shares,
    without_noise,
)

SEED = 7
ISHIGAMI_FIRST = (0.3139, 0.4424, 0.0)
ISHIGAMI_TOTAL = (0.5576, 0.4424, 0.2437)


def ishigami(points: FloatArray) -> FloatArray:
    """Ishigami and Homma (1990), with a = 7 and b = 0.1; its shares are known exactly."""
    first, second, third = (2 * np.pi * points.T) - np.pi
    return np.asarray(np.sin(first) + 7 * np.sin(second) ** 2 + 0.1 * third**4 * np.sin(first))


def noise(shape: tuple[int, int], scale: float) -> FloatArray:
    """Return numbers of mean 0 and standard deviation `scale`, from addressed draws."""
    with np.errstate(over="ignore"):
        root = np.uint64(playout_key(np.uint64(SEED), int(Namespace.PLAY), 0))
        key = np.uint64(turn_key(root, 0, 0))
        drawn = [int(index(key, 1, place, 1 << 20)) for place in range(shape[0] * shape[1])]
    uniform = (np.array(drawn).reshape(shape) + 0.5) / (1 << 20)
    return np.asarray(scale * np.sqrt(12) * (uniform - 0.5))


def exact_parts(outcomes: FloatArray) -> FloatArray:
    return np.stack([outcomes, outcomes], axis=1)


def test_the_shares_of_the_ishigami_function_are_the_published_ones() -> None:
    points = saltelli([0, 1, 2], 2048, SEED)
    found = variance_shares(exact_parts(ishigami(points)), 3, SEED)
    assert [one.first for one in found] == pytest.approx(ISHIGAMI_FIRST, abs=0.02)
    assert [one.total for one in found] == pytest.approx(ISHIGAMI_TOTAL, abs=0.02)
    for one, first, total in zip(found, ISHIGAMI_FIRST, ISHIGAMI_TOTAL, strict=True):
        assert abs(one.first - first) < 2 * one.first_reach
        assert abs(one.total - total) < 2 * one.total_reach


def test_noise_in_the_outcomes_is_taken_out_of_the_shares() -> None:
    points = saltelli([0, 1, 2], 1024, SEED)
    parts = ishigami(points)[:, None] + noise((len(points), 2), 4.0)
    noisy = variance_shares(exact_parts(parts.mean(axis=1)), 3, SEED)
    found = variance_shares(parts, 3, SEED)
    assert noisy[2].total > ISHIGAMI_TOTAL[2] + 0.1
    assert [one.first for one in found] == pytest.approx(ISHIGAMI_FIRST, abs=0.08)
    assert [one.total for one in found] == pytest.approx(ISHIGAMI_TOTAL, abs=0.08)
    assert noise_of(parts) == pytest.approx(4.0**2 / 2, rel=0.05)


def test_luck_that_a_first_draw_shares_with_those_it_is_compared_with_is_no_share_of_a_factor() -> None:
    n = 4096
    points = saltelli([0, 1, 2], n, SEED)
    luck = noise((2 * n, 2), 4.0).reshape(n, 2, 2)  # of each base draw: its first points', its second draw's
    apart = np.concatenate([np.repeat(luck[:, :1], 4, axis=1), luck[:, 1:]], axis=1).reshape(-1, 2)
    everywhere = np.repeat(luck[:, :1], 5, axis=1).reshape(-1, 2)
    felt = 3 * (points[:, 2:] - 0.5)  # the third factor, which alone does nothing, decides how luck is felt
    found = variance_shares(ishigami(points)[:, None] + felt * apart, 3, SEED)
    wrong = variance_shares(ishigami(points)[:, None] + felt * everywhere, 3, SEED)
    assert abs(found[2].first) < 0.1
    assert wrong[2].first > 0.4


def test_groups_of_factors_have_the_share_of_their_factors_together() -> None:
    points = saltelli([1, 0, 1], 2048, SEED)
    assert points.shape == (2048 * 4, 3)
    found = variance_shares(exact_parts(ishigami(points)), 2, SEED)
    assert [one.first for one in found] == pytest.approx([ISHIGAMI_FIRST[1], 1 - ISHIGAMI_FIRST[1]], abs=0.02)


@pytest.mark.parametrize("groups", [[2, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 0], [1, 2, 0]])
def test_the_points_of_a_base_block_change_one_group_at_a_time_in_the_order_of_their_numbers(groups: list[int]) -> None:
    n_groups = len(set(groups))
    blocks = saltelli(groups, 16, SEED).reshape(16, n_groups + 2, 3)
    first, second = blocks[:, :1], blocks[:, -1:]
    for group in range(n_groups):
        mine = np.array(groups) == group
        assert np.array_equal(blocks[:, [1 + group]], np.where(mine, second, first))


def test_a_single_factor_has_all_of_the_variance() -> None:
    points = saltelli([0], 256, SEED)
    (found,) = variance_shares(exact_parts(points[:, 0] ** 2), 1, SEED)
    assert (found.first, found.total) == pytest.approx((1, 1), abs=0.02)


def test_outcomes_that_never_differ_have_no_shares() -> None:
    points = saltelli([0, 1], 16, SEED)
    found = variance_shares(np.ones((len(points), 2)), 2, SEED)
    assert all(np.isnan(one.first) and np.isnan(one.total) for one in found)


def test_base_draws_are_the_two_independent_draws_of_each_base_point() -> None:
    points = saltelli([0, 1], 8, SEED)
    draws = points[base_draws(len(points), 2)]
    assert len(draws) == 16
    assert len(np.unique(draws, axis=0)) == 16


@pytest.mark.parametrize("n_levels", range(2, 12))
def test_every_step_of_a_walk_changes_the_level_of_one_factor(n_levels: int) -> None:
    levels = levels_of(trajectories(5, 30, SEED), [n_levels] * 5).reshape(30, 6, 5)
    assert ((np.diff(levels, axis=1) != 0).sum(axis=2) == 1).all()
    assert levels.min() == 0
    assert levels.max() == n_levels - 1


def test_all_levels_are_equally_likely() -> None:
    levels = levels_of(saltelli([0, 1], 1024, SEED), [3, 5])
    assert np.bincount(levels[:, 0]) / len(levels) == pytest.approx([1 / 3] * 3, abs=0.01)
    assert np.bincount(levels[:, 1]) / len(levels) == pytest.approx([1 / 5] * 5, abs=0.01)


def test_the_effects_of_a_linear_outcome_are_its_slopes_over_the_whole_range() -> None:
    levels = levels_of(trajectories(3, 10, SEED), [2, 5, 9])
    outcomes = 3.0 * levels[:, 0] + 0.5 * levels[:, 1]
    found = screen(levels, [1, 4, 8], exact_parts(outcomes))
    assert [one.mu_star for one in found] == pytest.approx([3.0, 2.0, 0.0])
    assert [one.sigma for one in found] == pytest.approx([0, 0, 0], abs=1e-12)
    assert [one.size for one in found] == pytest.approx([3.0, 2.0, 0.0])


def test_levels_without_order_count_as_they_differ() -> None:
    levels = levels_of(trajectories(2, 40, SEED), [3, 3])
    outcomes = np.array([0.0, 10.0, 0.0])[levels[:, 0]]
    one, other = screen(levels, [0, 0], exact_parts(outcomes))
    assert 0 < one.mu_star < 10
    assert one.sigma > 1
    assert other.mu_star == 0


def test_an_interaction_shows_in_sigma() -> None:
    levels = levels_of(trajectories(2, 40, SEED), [2, 2])
    outcomes = 4.0 * (levels[:, 0] == levels[:, 1])
    one, other = screen(levels, [1, 1], exact_parts(outcomes.astype(float)))
    assert one.mu_star == other.mu_star == 4
    assert one.sigma > 3


def test_a_factor_that_does_nothing_has_the_size_0_whatever_the_noise() -> None:
    levels = levels_of(trajectories(6, 60, SEED), [2] * 6)
    parts = 2.0 * levels[:, :1] + noise((len(levels), 2), 1.0)
    found = screen(levels, [1] * 6, parts)
    assert found[0].size == pytest.approx(2.0, abs=0.15)
    for one in found[1:]:
        assert one.mu_star == pytest.approx(one.noise, rel=0.2)
        assert one.size < 0.45
    assert found[0].sure == pytest.approx(2.0, abs=0.25)
    assert max(one.sure for one in found[1:]) < 0.2


def test_points_that_are_no_walks_are_refused() -> None:
    levels = levels_of(trajectories(2, 4, SEED), [2, 2])
    with pytest.raises(ValueError, match="no walks in two parts"):
        screen(levels, [1, 1], np.zeros((len(levels), 1)))
    with pytest.raises(ValueError, match="no walks in two parts"):
        screen(levels[:-1], [1, 1], np.zeros((len(levels) - 1, 2)))
    with pytest.raises(ValueError, match="moves none or several factors"):
        screen(np.zeros_like(levels), [1, 1], np.zeros((len(levels), 2)))


def test_designs_are_the_same_for_the_same_seed_and_differ_for_others() -> None:
    for one, same, other in (
        (trajectories(4, 5, 7), trajectories(4, 5, 7), trajectories(4, 5, 8)),
        (saltelli([0, 1, 1], 8, 0), saltelli([0, 1, 1], 8, 0), saltelli([0, 1, 1], 8, 1)),
    ):
        assert np.array_equal(one, same)
        assert not np.array_equal(one, other)
    points = saltelli([0, 1], 16, 0)
    assert variance_shares(exact_parts(points[:, 0]), 2, 0) == variance_shares(exact_parts(points[:, 0]), 2, 0)


def test_outcomes_without_noise_have_the_spread_of_the_true_ones() -> None:
    true = np.linspace(-1, 1, 4000)
    observed = true + noise((4000, 1), 1.0)[:, 0]
    found = without_noise(observed, 1.0)
    assert found.mean() == pytest.approx(observed.mean())
    assert found.std() == pytest.approx(true.std(), rel=0.05)
    assert without_noise(np.ones(3), 0.1) == pytest.approx([1, 1, 1])


STEPS = np.array([0.0, 0.3, 0.6, 1.2])


def known_factor(n_levels: int, n_draws: int, seed: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return random levels of a factor, and two columns of normal numbers that have nothing to do with them."""
    levels = stats.randint.rvs(0, n_levels, size=n_draws, random_state=seed)
    rest, noisy = stats.norm.rvs(size=(2, n_draws), random_state=1_000_000 + seed)
    return levels, rest, noisy


def one_experiment(seed: int, scale: float) -> tuple[float, float, float]:
    """Return the share of a factor of four levels beside a normal rest, told through noise, with its 90 % interval."""
    levels, rest, noisy = known_factor(len(STEPS), 400, seed)
    outcomes = STEPS[levels] + rest + scale * noisy
    kept = without_noise(outcomes, scale**2)
    found = share_if_known(kept, levels, float(outcomes.var() - kept.var()), 0.9)
    return found.value, found.lower, found.upper


@pytest.mark.parametrize("scale", [0.0, 0.7])
def test_the_share_of_a_known_factor_is_unbiased_and_its_interval_covers_as_often_as_said(scale: float) -> None:
    true = STEPS.var() / (STEPS.var() + 1)
    values, lower, upper = np.array([one_experiment(seed, scale) for seed in range(1000)]).T
    assert abs(values.mean() - true) < 4 * values.std() / np.sqrt(1000)
    covered = int(((lower <= true) & (true <= upper)).sum())
    assert stats.binom.cdf(covered, 1000, 0.9) > 1e-4
    assert stats.binom.sf(covered - 1, 1000, 0.9) > 1e-4


def test_a_factor_that_does_nothing_has_seldom_a_share_that_is_surely_more_than_0() -> None:
    drawn = [known_factor(10, 200, seed) for seed in range(1000)]
    found = [share_if_known(rest, levels, 0.0, 0.9) for levels, rest, _ in drawn]
    assert stats.binom.sf(sum(one.lower > 0 for one in found) - 1, 1000, 0.05) > 1e-4
    assert all(one.lower <= one.value <= one.upper for one in found if one.value > 0)


def test_an_interval_starts_above_0_just_when_the_analysis_of_variance_says_so() -> None:
    for seed in range(60):
        levels, outcomes, _ = known_factor(3, 60, seed)
        outcomes = outcomes + 0.35 * levels
        p = stats.f_oneway(*(outcomes[levels == level] for level in range(3))).pvalue
        assert (share_if_known(outcomes, levels, 0.0, 0.9).lower > 0) == (p < 0.05)


def test_a_factor_that_explains_everything_or_has_one_level_needs_no_noise() -> None:
    levels = np.arange(12) % 3
    all_of_it = share_if_known(levels.astype(float), levels)
    assert (all_of_it.value, all_of_it.lower, all_of_it.upper) == (1, 1, 1)
    for nearly_nothing in (1e-2, 1e-3, 1e-5, 1e-9):
        nearly_all = share_if_known(levels + nearly_nothing * np.sin(np.arange(12)), levels)
        assert 0.99 < nearly_all.lower <= nearly_all.value <= nearly_all.upper <= 1
    alone = share_if_known(levels.astype(float), np.zeros(12, np.int64))
    assert (alone.value, alone.lower, alone.upper) == (0, 0, 0)
    assert np.isnan(share_if_known(np.ones(12), levels).value)
    assert np.isnan(share_if_known(np.arange(12.0), np.arange(12)).value)


@pytest.mark.parametrize("ratio", [0.3, 2.0, 53.4, 400.0])
@pytest.mark.parametrize("chance", [0.000225, 0.05, 0.5, 0.95, 0.999775])
def test_a_ratio_is_as_large_as_said_under_the_noncentrality_that_is_found(ratio: float, chance: float) -> None:
    found = f_noncentrality(ratio, chance, (9, 1014))
    if found == 0:
        assert stats.f.cdf(ratio, 9, 1014) <= chance
    else:
        assert stats.ncf.cdf(ratio, 9, 1014, found) == pytest.approx(chance, rel=1e-6)
