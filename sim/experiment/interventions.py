"""Interventions on the deck and on hands: bans, items head to head, and hands of two items.

* *Ban*: the ruleset without any copy of an item; the other cards keep their order.
* *Head to head*: the deck holds two items once each and blank cards for all other seats, so that in every playout two
  random seats hold them and nothing else is in play. (A blank card that is drawn does nothing either, so that it does
  not matter that nothing is left to draw.)
* *Hand*: playouts in which one seat was dealt both items of a hand, one of each family, played again with the first
  item blank, with the second one blank, and with both. The deal is random, so that seat is a random seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from sim.engine.blocks import Arm, Pair, Selection
from sim.experiment.estimands import Estimand, fits, hands, rivals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sim.experiment.arms import Item

BAN: Final = "ban"
RIVALS: Final = "rivals"
HAND: Final = "hand"
BLANK: Final = "blank"
SIDES: Final = 2  # items that meet

Changes = dict[str, Any]


@dataclass(frozen=True)
class Intervention:
    """A comparison with the arms that it needs besides the baseline.

    Attributes:
        pair: The comparison.
        arms: Of each arm the changes of the rules and what else tells it from the baseline.

    """

    pair: Pair
    arms: tuple[tuple[Changes, dict[str, Any]], ...]


def of(wanted: Iterable[Estimand], items: Sequence[Item], base: Arm, n_paired: int) -> Iterator[Intervention]:
    """Yield the interventions that the estimands of a plan need.

    Args:
        wanted: Estimands of the plan.
        items: Items that are measured.
        base: Arm of the baseline.
        n_paired: Paired playouts of each comparison.

    """
    fitting = {one: [(item.family, item) for item in items if fits(one, item.family)] for one in wanted}
    for _, item in fitting.get(Estimand.BAN, ()):
        yield ban(item, base, n_paired)
    for one, other in rivals(fitting.get(Estimand.HEAD_TO_HEAD, ())):
        yield head_to_head(one, other, base, n_paired)
    for one, other in hands(fitting.get(Estimand.SHAPLEY, ())):
        yield hand(one, other, base, n_paired)


def cell(item: Item, column: str) -> str:
    """Return the key of a column of an item's row."""
    return f"{item.family.table}.{item.name}.{column}"


def blanked(*items: Item) -> Changes:
    """Return the changes that leave items in their places and take their effects away."""
    return {cell(item, "effect"): BLANK for item in items}


def ban(item: Item, base: Arm, n_paired: int) -> Intervention:
    """Return the comparison of the ruleset without an item with the baseline."""
    name = item.label(BAN)
    changes = {cell(item, "copies"): 0}
    return Intervention(Pair(name, name, base.name), ((changes, {"name": name, "n_playouts": n_paired}),))


def head_to_head(one: Item, other: Item, base: Arm, n_paired: int) -> Intervention:
    """Return the comparison of the holders of two items of a family while all else is blank."""
    name = rivals_label(one, other)
    about = {"name": name, "n_playouts": n_paired, "is_described": False}
    changes = duel_deck(one, other, len(base.lineup))
    return Intervention(Pair(name, name, name, holder=one.held, rival=other.held), ((changes, about),))


def rivals_label(one: Item, other: Item) -> str:
    """Return the name of the arm in which two items meet."""
    return one.label(RIVALS, other.name)


def duel_deck(one: Item, other: Item, seats: int) -> Changes:
    """Return the changes that leave two items and blank cards for the other seats.

    Raises:
        ValueError: The table has no third row that could be the blank card.

    """
    table = one.family.table
    changes: Changes = {f"{table}.{name}.copies": 0 for name in one.siblings}
    others = [name for name in one.siblings if name not in {one.name, other.name}]
    if seats > SIDES and not others:
        message = f"item_estimands: head_to_head at {seats} seats needs a third row in {table} to be blank; found two"
        raise ValueError(message)
    for blank in others[:1]:
        changes |= {f"{table}.{blank}.copies": seats - SIDES, f"{table}.{blank}.effect": BLANK}
    return changes | {cell(one, "copies"): 1, cell(other, "copies"): 1}


def hand(one: Item, other: Item, base: Arm, n_paired: int) -> Intervention:
    """Return the comparison of a hand of two items with all that blanks leave of it."""
    seats = len(base.lineup)
    share = one.share_dealt(seats) * other.share_dealt(seats) / seats
    only = Selection(base.name, *one.held, is_dealt=True, share=share, also=(other.held,))
    n_playouts = min(base.n_playouts, ceil(n_paired / share))
    blanks = {hand_label(one, other, *gone): blanked(*gone) for gone in ((other,), (one,), (one, other))}
    arms = tuple(
        (changes, {"name": name, "n_playouts": n_playouts, "only": only, "is_described": False})
        for name, changes in blanks.items()
    )
    first, *rest = blanks
    pair = Pair(hand_label(one, other), base.name, first, hand=(one.held, other.held), others=tuple(rest))
    return Intervention(pair, arms)


def hand_label(one: Item, other: Item, *blank: Item) -> str:
    """Return the name of a hand's comparison, or of its arm in which some of its items are blank."""
    return one.label(HAND, *chain([other.name], (f"without {item.name}" for item in blank)))
