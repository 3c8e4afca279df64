"""Estimands of items: what "how strong is it" can mean, and which of them fit an item.

| name | what is compared | baseline | told by |
| --- | --- | --- | --- |
| held (I0) | seats that ever held it with seats that never did | everybody else; confounded | the deal as it falls |
| deal (I1) | seats dealt it with seats dealt another item | the average other item | the deal as it falls |
| draw (I2) | who draws it with who draws another card then | the rest of the deck then | recorded draws |
| ipw (I2) | the same by known chances alone, to check the former | the rest of the deck then | recorded draws |
| grant (I3) | a seat given it with the same seat given it blank | a blank card | two arms on the same luck |
| ablation (I4) | the seat dealt it, with it as it is and blank | a blank card | an arm on the same luck |
| ban (I5) | the ruleset with it and without it | the ruleset without it | an arm on the same luck |
| head_to_head (I6) | its holder with the holder of another item | the other item | an arm where all else is blank |
| head_to_head_dealt (I6) | the same among all other cards | the other item | the deal as it falls |
| shapley | its mean worth in hands of one and of two items | blank cards | arms per hand on the same luck |

I6 has two readings. The method has all other hands blank: how strong two items are face to face, whatever else there
is. In the ordinary deal the others hold what they were dealt: how the two fare in the game as it is played.

All but the first are causal: the deal and the deck are random, and arms differ in nothing but the item. Where seats
choose an item instead of being dealt it, whoever has it is no random seat: then only the grant is causal among those
told of a holder, since it gives the item to a seat whether it would have chosen it or not.
Names and definitions follow table 2.1 and section 2.4 of the method.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING, Final, TypeVar

from sim.components import nearest
from sim.engine.contract import DEALT, DRAWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sim.engine.contract import ItemFamily

MOST_RIVALS: Final = 28  # pairs of items that meet head to head: all of eight items
MOST_HANDS: Final = 200  # hands of two items: those of sixteen cards, and sixteen cards with four loadouts
FEWEST_RIVALS: Final = 2
Named = TypeVar("Named")


class Estimand(StrEnum):
    """Names of estimands in a plan."""

    HELD = "held"
    DEAL = "deal"
    DRAW = "draw"
    IPW = "ipw"
    GRANT = "grant"
    ABLATION = "ablation"
    BAN = "ban"
    HEAD_TO_HEAD = "head_to_head"
    HEAD_TO_HEAD_DEALT = "head_to_head_dealt"
    SHAPLEY = "shapley"


TITLES: Final[dict[Estimand, tuple[str, ...]]] = {
    Estimand.HELD: ("held win rate (confounded)",),
    Estimand.DEAL: ("deal lift",),
    Estimand.DRAW: ("draw lift",),
    Estimand.IPW: ("draw lift by known chances",),
    Estimand.GRANT: ("grant lift",),
    Estimand.ABLATION: ("ablation lift",),
    Estimand.BAN: ("ban",),
    Estimand.HEAD_TO_HEAD: ("head to head",),
    Estimand.HEAD_TO_HEAD_DEALT: ("head to head, ordinary deal",),
    Estimand.SHAPLEY: ("shapley value", "interaction"),
}
"""What tables call the estimands."""
UNSUMMARISED: Final = frozenset({Estimand.HELD, Estimand.BAN, Estimand.IPW})
DEFAULT_ESTIMANDS: Final = (Estimand.HELD, Estimand.DEAL, Estimand.GRANT, Estimand.ABLATION)
FROM_DRAWS: Final = frozenset({Estimand.DRAW, Estimand.IPW})
FROM_BLANKS: Final = frozenset({Estimand.GRANT, Estimand.ABLATION})
FROM_GRANTS: Final = frozenset({Estimand.GRANT, Estimand.SHAPLEY})
FROM_THE_DEAL: Final = FROM_DRAWS | {Estimand.HELD, Estimand.DEAL, Estimand.HEAD_TO_HEAD_DEALT}
"""What the baseline alone tells; all others are played in arms of their own."""
BETWEEN_RIVALS: Final = frozenset({Estimand.HEAD_TO_HEAD, Estimand.HEAD_TO_HEAD_DEALT})


def fits(estimand: Estimand, family: ItemFamily) -> bool:
    """Tell whether an estimand has a meaning for the items of a family."""
    if estimand in FROM_DRAWS:
        return DRAWN in family.acquired and bool(family.draw_event)
    if estimand in FROM_GRANTS:
        return bool(family.deal_event)
    return estimand in {Estimand.HELD, Estimand.BAN} or DEALT in family.acquired


def faults(
    wanted: Sequence[str], asked: Sequence[tuple[ItemFamily, str]], listed: Sequence[str], key: str
) -> Iterator[str]:
    """Yield what is wrong with the estimands of a plan.

    Args:
        wanted: Names of estimands.
        asked: Family and name of each item that is asked for.
        listed: Names of the items that the plan lists one by one; none if it asks for all.
        key: The plan's key, for the error.

    """
    known = [str(one) for one in Estimand]
    for name in wanted:
        if name not in known:
            yield f"{key}: found '{name}', expected one of {', '.join(known)}{nearest(name, known)}"
    estimands = [Estimand(name) for name in wanted if name in known]
    for estimand in estimands if asked else ():
        yield from _misfits(estimand, asked, listed, key)
    for estimand in estimands if asked else ():
        if estimand in BETWEEN_RIVALS:
            yield from _rival_faults(estimand, asked, key)
    if Estimand.SHAPLEY in estimands and asked:
        yield from _hand_faults(asked, key)


def _misfits(
    estimand: Estimand, asked: Sequence[tuple[ItemFamily, str]], listed: Sequence[str], key: str
) -> Iterator[str]:
    """Yield items named one by one that an estimand does not fit, or the estimand if it fits none."""
    unfit = [(family, name) for family, name in asked if not fits(estimand, family)]
    if len(unfit) == len(asked) or listed:
        for family, name in unfit if listed else unfit[:1]:
            fitting = ", ".join(one for one in Estimand if fits(one, family))
            how = "never drawn" if estimand in FROM_DRAWS else "never dealt at random"
            whose = f"'{name}', a {family.name} that is {how}"
            yield f"{key}: found '{estimand}' for {whose}; expected one of {fitting}"


def rivals(asked: Sequence[tuple[ItemFamily, Named]]) -> list[tuple[Named, Named]]:
    """Return the pairs of items of one family."""
    return [(one, other) for (family, one), (whose, other) in combinations(asked, 2) if family.name == whose.name]


def hands(asked: Sequence[tuple[ItemFamily, Named]]) -> list[tuple[Named, Named]]:
    """Return the pairs of items that a seat can have together."""
    return [
        (one, other)
        for (family, one), (whose, other) in combinations(asked, 2)
        if family.name != whose.name or not family.is_single
    ]


def _rival_faults(estimand: Estimand, asked: Sequence[tuple[ItemFamily, str]], key: str) -> Iterator[str]:
    n_pairs = len(rivals(asked))
    told = f"{key}: found '{estimand}' with {len(asked)} items that make {n_pairs} pairs of a family"
    if n_pairs == 0:
        yield f"{told}, expected at least {FEWEST_RIVALS} items of one family"
    elif estimand == Estimand.HEAD_TO_HEAD and n_pairs > MOST_RIVALS:
        yield f"{told}, expected at most {MOST_RIVALS}, since each pair is played; name fewer items"


def _hand_faults(asked: Sequence[tuple[ItemFamily, str]], key: str) -> Iterator[str]:
    n_hands = len(hands(asked))
    told = f"{key}: found '{Estimand.SHAPLEY}' with {len(asked)} items that make {n_hands} hands of two"
    if n_hands == 0:
        yield f"{told}, expected two items that a seat can have together"
    elif n_hands > MOST_HANDS:
        yield f"{told}, expected at most {MOST_HANDS}, since each hand is played; name fewer items"
