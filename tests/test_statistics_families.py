"""Families of tests and intervals: the published false-discovery example, statsmodels, refusals."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from sim.statistics.estimate import wilson
from sim.statistics.families import (
    benjamini_hochberg,
    bonferroni,
    flags,
    holm,
    simultaneous_level,
    simultaneous_quantile,
)

# Benjamini and Hochberg (1995), section 4: 15 comparisons of two treatments
PUBLISHED = [
    *[0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344],
    *[0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000],
]
STATSMODELS_NAME = {bonferroni: "bonferroni", holm: "holm", benjamini_hochberg: "fdr_bh"}


@pytest.mark.parametrize(("adjust", "n_flags"), [(bonferroni, 3), (holm, 3), (benjamini_hochberg, 4)])
def test_the_published_example_has_as_many_rejections_as_published(adjust: Callable[..., Any], n_flags: int) -> None:
    assert flags(adjust(PUBLISHED), 0.05).sum() == n_flags


@pytest.mark.parametrize("adjust", list(STATSMODELS_NAME))
def test_adjusted_p_values_agree_with_statsmodels_in_any_order(adjust: Callable[..., Any]) -> None:
    drawn = stats.uniform.rvs(size=40, random_state=17) ** 3
    for p_values in (PUBLISHED, drawn, np.round(drawn, 1), [0.04], [0.0, 1.0]):
        theirs = multipletests(p_values, method=STATSMODELS_NAME[adjust])[1]
        assert adjust(p_values) == pytest.approx(theirs, abs=1e-15)


def test_a_p_value_at_the_error_rate_is_flagged() -> None:
    assert flags([0.05, 0.0500001], 0.05).tolist() == [True, False]


def test_sixteen_intervals_reach_as_far_as_the_method_says() -> None:
    assert simultaneous_quantile(16, 0.95) == pytest.approx(2.955167, abs=5.1e-7)
    assert simultaneous_quantile(1, 0.95) == pytest.approx(1.959964, abs=5.1e-7)
    # an estimate at the simultaneous level reaches exactly so far
    estimate = wilson(2500, 10_000, simultaneous_level(16, 0.95))
    assert estimate.level == pytest.approx(1 - 0.05 / 16, rel=1e-15)
    assert (estimate.upper - estimate.lower) / 2 == pytest.approx(2.955 * estimate.mcse, rel=1e-3)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: holm([]), r"shape \(0,\), expected \(n_tests,\)"),
        (lambda: holm([[0.1, 0.2]]), r"shape \(1, 2\)"),
        (lambda: bonferroni([0.1, 1.2]), r"p-value 1 is 1\.2, expected 0 to 1"),
        (lambda: benjamini_hochberg([-0.1]), r"p-value 0 is -0\.1"),
        (lambda: benjamini_hochberg([float("nan")]), r"p-value 0 is nan"),
        (lambda: flags([0.1], 5), r"alpha is 5, .*write 0\.05"),
        (lambda: simultaneous_level(0, 0.95), r"n_intervals is 0"),
        (lambda: simultaneous_quantile(4, 1), r"level is 1"),
    ],
)
def test_impossible_inputs_are_refused_with_what_to_do(refused: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        refused()
