"""Claims of a gain: on which side of the margin the whole interval lies, and over all profiles."""

import pytest

from sim.statistics.estimate import Estimate
from sim.statistics.further import playouts_to_clear
from sim.statistics.superiority import Held, joint_superiority, superiority

MARGIN = 0.01


def gain(value: float, half: float = 0.005, n: int = 1000) -> Estimate:
    return Estimate(value, half / 2, value - half, value + half, 0.95, n)


@pytest.mark.parametrize(
    ("value", "held"),
    [
        (0.016, Held.HOLDS),
        (0.004, Held.DOES_NOT),  # a gain that is too small to matter
        (-0.03, Held.DOES_NOT),  # a loss
        (0.012, Held.UNDECIDED),
        (0.0075, Held.UNDECIDED),
        (MARGIN, Held.UNDECIDED),
    ],
)
def test_a_claim_holds_beyond_the_margin_and_does_not_below_it(value: float, held: Held) -> None:
    judged = superiority(gain(value), MARGIN)
    assert (judged.held, judged.margin) == (held, MARGIN)


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
        ([0.02, 0.012], "undecided"),
        ([0.012, 0.0075], "undecided"),
    ],
)
def test_a_claim_holds_under_every_profile_or_not_at_all(values: list[float], told: str) -> None:
    assert str(joint_superiority([gain(value) for value in values], MARGIN)) == told


def test_a_claim_asks_for_the_first_to_unmake_it_or_the_last_to_make_it() -> None:
    def sure(value: float) -> Estimate:
        return Estimate(value, 0.005 / 3, value - 0.005, value + 0.005, 0.95, 1000)

    def more(*values: float) -> object:
        return joint_superiority([sure(value) for value in values], MARGIN).n_more

    near, far = playouts_to_clear(sure(0.0140), (MARGIN,)), playouts_to_clear(sure(0.0149), (MARGIN,))
    assert more(0.0140, 0.0149) == near != far  # the last to leave makes it
    assert more(0.0140, 0.0055) == playouts_to_clear(sure(0.0055), (MARGIN,))  # the first to leave below unmakes it
    assert more(0.0140, MARGIN) is None


def test_no_gain_and_no_margin_are_refused() -> None:
    with pytest.raises(ValueError, match="number of gains"):
        joint_superiority([], MARGIN)
    with pytest.raises(ValueError, match="margin"):
        superiority(gain(0.0), 0.0)
