"""Interventions on the deck and on hands: bans, items head to head, grants, and hands of two items.

* *Ban*: the ruleset without any copy of an item; the other cards keep their order.
* *Head to head*: the deck holds two items once each and blank cards for all other seats, so that in every playout two
  random seats hold them and nothing else is in play. (A blank card that is drawn does nothing either, so that it does
  not matter that nothing is left to draw.)
* *Meeting*: head to head in the ordinary deal. It takes the playouts of the baseline in which two seats were dealt the
  two items; the deal is random, so both are random seats.
* *Hand*: the playouts of one seat with both items of a hand, with the first one blank, with the second one blank, and
  with both. Of two families that are dealt, these are playouts in which the deal gave both to one seat (a random seat,
  since the deal is random); they are played again with the blanks. Else both items are granted to a seat in place of
  its deal, in every playout. Of an item with several copies one is granted, which has a row of its own in the table,
  a *twin* at its end, so that this copy alone is blank and the others stay what they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from sim.engine.blocks import Arm, Grant, Pair, Selection
from sim.engine.contract import DEALT
from sim.experiment.estimands import Estimand, fits, hands, rivals

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sim.experiment.arms import Item

BAN: Final = "ban"
RIVALS: Final = "rivals"
MEETING: Final = "meeting"
HAND: Final = "hand"
BLANK: Final = "blank"
WORTH: Final = "worth"
TWIN: Final = "twin"
SIDES: Final = 2  # items that meet
WHOLE: Final = (1, -1, -1, 1)  # the interaction from the arms of a hand: nothing blank, the other, the one, both
FIRST: Final = (1, 1, -1, -1)  # twice the Shapley value of the first item in its hand
SECOND: Final = (1, -1, 1, -1)

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
    for one, other in rivals(fitting.get(Estimand.HEAD_TO_HEAD_DEALT, ())):
        yield Intervention(Pair(meeting_label(one, other), base.name, base.name, holder=one.held, rival=other.held), ())
    found = hands(fitting.get(Estimand.SHAPLEY, ()))
    for one, other in found:
        yield hand(one, other, base, n_paired)
    for (item, family), some in hands_of(found).items():
        if not is_dealt_together(*some[0]):
            yield Intervention(granted_hands(item, family, some), ())


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


def meeting_label(one: Item, other: Item) -> str:
    """Return the name of the comparison of two items' holders in the ordinary deal."""
    return one.label(MEETING, other.name)


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


def blanks_of(one: Item, other: Item) -> tuple[tuple[Item, ...], ...]:
    """Return which items are blank in each of the four arms of a hand: none, the other, the one, both."""
    return (), (other,), (one,), (one, other)


def hand(one: Item, other: Item, base: Arm, n_paired: int) -> Intervention:
    """Return the comparison of a hand of two items with all that blanks leave of it."""
    whole, *blanks = blanks_of(one, other)
    if is_dealt_together(one, other):
        seats = len(base.lineup)
        share = one.share_dealt(seats) * other.share_dealt(seats) / seats
        only = Selection(base.name, *one.held, is_dealt=True, share=share, also=(other.held,))
        n_playouts = min(base.n_playouts, ceil(n_paired / share))
        about: dict[str, Any] = {"n_playouts": n_playouts, "only": only}
        changes = {gone: blanked(*gone) for gone in blanks}
        first, rows = base.name, (one.row, other.row)
    else:
        about = {"n_playouts": n_paired, "grants": grants_of(one, other)}
        changes = {gone: hand_changes((one, other), gone) for gone in (whole, *blanks)}
        first, rows = hand_label(one, other), (granted_row(one, one, other), granted_row(other, one, other))
    arms = tuple(
        (found, {"name": hand_label(one, other, *gone), "is_described": False, **about})
        for gone, found in changes.items()
    )
    second, *rest = (hand_label(one, other, *gone) for gone in blanks)
    held = (one.family, rows[0]), (other.family, rows[1])
    return Intervention(Pair(hand_label(one, other), first, second, hand=held, others=tuple(rest)), arms)


def hands_of(found: Sequence[tuple[Item, Item]]) -> dict[tuple[Item, str], list[tuple[Item, Item]]]:
    """Return the hands of each item with those of each family."""
    groups: dict[tuple[Item, str], list[tuple[Item, Item]]] = {}
    for one, other in found:
        groups.setdefault((one, other.family.name), []).append((one, other))
        groups.setdefault((other, one.family.name), []).append((one, other))
    return groups


def granted_hands(item: Item, family: str, some: Sequence[tuple[Item, Item]]) -> Pair:
    """Return what an item is worth over all granted hands with those of a family, added up in each playout.

    These hands are granted in the same playouts, so that they have luck in common.
    """
    names = [hand_label(*pair, *gone) for pair in some for gone in blanks_of(*pair)]
    weights = [weight for pair in some for weight in (FIRST if pair[0] == item else SECOND)]
    first, second, *rest = names
    return Pair(worth_label(item, family), first, second, others=tuple(rest), weights=tuple(weights))


def worth_label(item: Item, family: str) -> str:
    """Return the name of the comparison of an item's hands with those of a family."""
    return item.label(WORTH, family)


def is_dealt_together(one: Item, other: Item) -> bool:
    """Tell whether the deal gives a seat both items now and then, so that a hand of them needs no grant."""
    return one.family.name != other.family.name and all(DEALT in item.family.acquired for item in (one, other))


def hand_label(one: Item, other: Item, *blank: Item) -> str:
    """Return the name of a hand's comparison, or of its arm in which some of its items are blank."""
    gone = (f"without {item.family.name} {item.name}" for item in blank)
    return one.label(HAND, *chain([other.family.name, other.name], gone))


def grants_of(*hand: Item) -> tuple[Grant, ...]:
    """Return the grants of a hand to one seat: of each item one card."""
    return tuple(Grant(item.family, granted_card(item, *hand)) for item in hand)


def hand_changes(hand: Sequence[Item], gone: Sequence[Item]) -> Changes:
    """Return the changes under which a hand is granted while some of its items are blank.

    Args:
        hand: The items that are granted.
        gone: Those of them that do nothing.

    """
    changes: Changes = {}
    for item in hand:
        if item.copies > 1:
            changes |= twin(item, is_blank=item in gone)
        elif item in gone:
            changes |= blanked(item)
    return changes


def twin(item: Item, *, is_blank: bool) -> Changes:
    """Return the changes that give one copy of an item a row of its own at the end of the table.

    Args:
        item: An item with several copies.
        is_blank: True if this copy does nothing.

    """
    place = f"{item.family.table}.{TWIN}_of_{item.name}"
    changes = {f"{place}.{column}": value for column, value in item.cells}
    changes |= {f"{place}.copies": 1, cell(item, "copies"): item.copies - 1}
    return changes | ({f"{place}.effect": BLANK} if is_blank else {})


def granted_card(item: Item, *hand: Item) -> int:
    """Return the physical card of an item of a hand: its first one, or its twin at the end of the deck."""
    twins = _twins(item, hand)
    if item in twins:
        return item.n_cards - len(twins) + twins.index(item)
    return item.card - sum(one.row < item.row for one in twins)


def granted_row(item: Item, *hand: Item) -> int:
    """Return the row of the table from which an item of a hand is granted: its own, or its twin's."""
    twins = _twins(item, hand)
    return len(item.siblings) + twins.index(item) if item in twins else item.row


def _twins(item: Item, hand: Sequence[Item]) -> list[Item]:
    """Return the items of a hand that have twins in the same table as an item."""
    return [one for one in hand if one.copies > 1 and one.family.name == item.family.name]
