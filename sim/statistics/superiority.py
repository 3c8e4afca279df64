"""Does a claim of a gain hold: is it larger than a stated margin, under every policy profile?

A claim that something helps is one-sided. It holds when the whole interval of the gain lies above the margin, and it
does not when the whole interval lies below, be it that the gain is too small to matter or that it is a loss; else it
is undecided, with the playouts that it would take. A claim is made of all profiles: one in which it does not hold is
enough to unmake it. Gains are proportions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sim.statistics.checks import check_margin, check_n
from sim.statistics.estimate import Estimate
from sim.statistics.further import Further, least_of, most_of, playouts_to_clear


class Held(StrEnum):
    """What intervals say about a claim."""

    HOLDS = "holds"
    DOES_NOT = "does not"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """A verdict on a claim of a gain.

    Attributes:
        held: Holds, does not, or undecided.
        margin: Gain that it has to exceed, as a proportion.
        n_more: When undecided, how many more playouts would settle it; None when it is decided or nobody can tell.

    """

    held: Held
    margin: float
    n_more: Further | None = None

    def __str__(self) -> str:
        """Return the verdict in words."""
        return str(self.held)


def superiority(gain: Estimate, margin: float) -> ClaimVerdict:
    """Judge whether a gain is larger than a margin.

    Args:
        gain: The gain, as a proportion.
        margin: Smallest gain that matters, as a proportion.

    Raises:
        ValueError: The margin is not between 0 and 1.

    Source: Committee for Proprietary Medicinal Products (2001), Br. J. Clin. Pharmacol. 52, 223-228, on superiority.

    """
    limit = check_margin(margin)
    if gain.lower > limit:
        return ClaimVerdict(Held.HOLDS, limit)
    if gain.upper < limit:
        return ClaimVerdict(Held.DOES_NOT, limit)
    return ClaimVerdict(Held.UNDECIDED, limit, playouts_to_clear(gain, (limit,)))


def joint_superiority(gains: Sequence[Estimate], margin: float) -> ClaimVerdict:
    """Judge a claim under several policy profiles at once.

    Args:
        gains: The gain under each profile, with intervals that hold together.
        margin: Smallest gain that matters, as a proportion.

    Returns:
        Holds when it does under every profile, does not when there is one under which it does not.

    Raises:
        ValueError: There is no gain, or the margin is not between 0 and 1.

    Source: Berger (1982), Technometrics 24, 295-300, on tests of all of several hypotheses at once.

    """
    check_n(len(gains), name="number of gains")
    each = [superiority(gain, margin) for gain in gains]
    found = {one.held for one in each}
    if Held.DOES_NOT in found:
        return ClaimVerdict(Held.DOES_NOT, margin)
    if found == {Held.HOLDS}:
        return ClaimVerdict(Held.HOLDS, margin)
    open_ones = [(gain, one.n_more) for gain, one in zip(gains, each, strict=True) if one.held is Held.UNDECIDED]
    unmaking = least_of([more for gain, more in open_ones if gain.value < margin])
    if unmaking is not None:
        return ClaimVerdict(Held.UNDECIDED, margin, unmaking)
    return ClaimVerdict(Held.UNDECIDED, margin, most_of([more for _, more in open_ones]))
