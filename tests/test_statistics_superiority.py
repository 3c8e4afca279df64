"""Claims of a gain: on which side of the margin the whole interval lies, and over all profiles."""

import pytest

from sim.statistics.estimate import Estimate
from sim.statistics.superiority import Held, joint_superiority, superiority

MARGIN = 0.01


def gain(value: float, half: float = 0.005, n: int = 1000) -> Estimate:
    return Estimate(value, half / 2, value - half, value + half, 0.95, n)


@pytest.mark.parametrize(
    ("value", "held", "n_more"),
    [
        (0.016, Held.HOLDS, None),
        (0.004, Held.DOES_NOT, None),  # a gain that is too small to matter
        (-0.03, Held.DOES_NOT, None),  # a loss
        (0.012, Held.UNDECIDED, 5251),
        (0.0075, Held.UNDECIDED, 3001),
        (MARGIN, Held.UNDECIDED, None),
    ],
)
def test_a_claim_holds_beyond_the_margin_and_does_not_below_it(value: float, held: Held, n_more: int | None) -> None:
    judged = superiority(gain(value), MARGIN)
    assert (judged.held, judged.n_more, judged.margin) == (held, n_more, MARGIN)


@pytest.mark.parametrize("value", [MARGIN - 0.005, MARGIN + 0.005])
def test_an_interval_that_ends_on_the_margin_decides_nothing(value: float) -> None:
    assert superiority(Estimate(value, 0.0025, min(value, MARGIN), max(value, MARGIN), 0.95, 10), MARGIN).held is (
        Held.UNDECIDED
    )


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([0.02, 0.03], "holds"),
        ([0.02, 0.004], "does not"),
        ([0.012, 0.004], "does not"),
        ([0.02, 0.012], "undecided (needs 5,251 more)"),  # the last to leave makes it
        ([0.012, 0.014], "undecided (needs 5,251 more)"),
        ([0.012, 0.0075], "undecided (needs 3,001 more)"),  # the first to leave below unmakes it
        ([0.012, MARGIN], "undecided"),
    ],
)
def test_a_claim_holds_under_every_profile_or_not_at_all(values: list[float], told: str) -> None:
    assert str(joint_superiority([gain(value) for value in values], MARGIN)) == told


def test_no_gain_and_no_margin_are_refused() -> None:
    with pytest.raises(ValueError, match="number of gains"):
        joint_superiority([], MARGIN)
    with pytest.raises(ValueError, match="margin"):
        superiority(gain(0.0), 0.0)
