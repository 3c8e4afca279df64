"""Exemplars of rows about items: who had it, what it decided against a blank, a rival or no card, and in hands of two.

Each arm that a row compares is shown with the command that replays it: blanks and decks as changes, grants as grants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.experiment.estimands import TITLES, Estimand, hands, rivals
from sim.experiment.exemplar_sample import Side, has_item, that_differ, won_and_lost
from sim.experiment.intervention_tables import BANNED, EACH_OTHER, HEAD_TO_HEAD, INTERACTION, MEETING, SHAPLEY, beside
from sim.experiment.interventions import (
    FIRST,
    SECOND,
    WHOLE,
    blanked,
    blanks_of,
    cell,
    duel_deck,
    hand_changes,
    is_dealt_together,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.engine.blocks import Array
    from sim.experiment.arms import Item
    from sim.experiment.exemplar_sample import Rows, Sampled, Sampler

DEALT: Final = "was dealt"
DREW: Final = "drew"
DEALT_ONLY: Final = TITLES[Estimand.DEAL][0]
GRANTED: Final = TITLES[Estimand.GRANT][0]
ABLATED: Final = TITLES[Estimand.ABLATION][0]
HAD: Final = {
    DEALT_ONLY: DEALT,
    TITLES[Estimand.HELD][0]: "ever held",
    TITLES[Estimand.DRAW][0]: DREW,
    TITLES[Estimand.IPW][0]: DREW,
}
"""By estimand, how a seat came by the item that a row is about."""


def of_item(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
    """Tell an item's row by its estimand; the shares of a table without estimands are those of the deal."""
    estimand, item = str(row.get("estimand", DEALT_ONLY)), sampler.item(row["item"], row.get("family"))
    if estimand == ABLATED or (estimand == GRANTED and item.is_replayed):
        return _instead_of_a_blank(sampler, sampler.of_variant(row["variant"]), item)
    if estimand == GRANTED:
        return _granted(sampler, item)
    if estimand in (HEAD_TO_HEAD, MEETING):
        return _against_rivals(sampler, item, estimand, str(row["against"]))
    if estimand == SHAPLEY:
        return _in_hands(sampler, item, str(row["against"]))
    if estimand == INTERACTION:
        return _together(sampler, item, str(row["against"]))
    return _who_had_it(sampler.of_variant(row["variant"]), item, HAD[estimand])


def is_ban(row: Mapping[str, Any]) -> bool:
    """Tell whether a row is about a deck without an item."""
    return row.get("estimand") == BANNED


def banned(sampler: Sampler, row: Mapping[str, Any]) -> Sampled:
    """Return the sample of the baseline without the item of a row."""
    item = sampler.item(row["item"], row.get("family"))
    return sampler.changed(f"{item.name} banned", {cell(item, "copies"): 0})


def _who_had_it(sample: Sampled, item: Item, how: str) -> Rows:
    chairs = has_item(sample, item, "dealt" if how == DEALT else "held")
    if how == DREW:
        chairs = chairs & ~has_item(sample, item, "dealt")
    return won_and_lost(sample, f"a seat that {how} {item.name}", chairs)


def _instead_of_a_blank(sampler: Sampler, sample: Sampled, item: Item) -> Rows:
    chairs = has_item(sample, item, "dealt")
    other = sampler.changed(f"{item.name} blank", blanked(item))
    sides = [Side(sample, chairs), Side(other, chairs, -1)]
    return that_differ(f"{item.name} (instead of a blank) gives its holder", [sides])


def _granted(sampler: Sampler, item: Item) -> Rows:
    given = sampler.changed(f"{item.name} granted", hand_changes([item], []), [item])
    control = sampler.changed(f"{item.name} granted blank", hand_changes([item], [item]), [item])
    chairs = sampler.granted_chairs(given)
    sides = [Side(given, chairs), Side(control, chairs, -1)]
    return that_differ(f"{item.name} (instead of a blank) gives who is granted it", [sides])


def _against_rivals(sampler: Sampler, item: Item, estimand: str, against: str) -> Rows:
    """Tell who won more, the holder of an item or that of its rival; of all rivals together those of any of them."""
    meetings = [pair for pair in rivals([(one.family, one) for one in sampler.items]) if item in pair]
    cases: list[list[Side]] = []
    met: list[Array] = []
    for one, other in meetings:
        rival = other if one == item else one
        if against not in (rival.name, EACH_OTHER):
            continue
        sample = sampler.base
        if estimand == HEAD_TO_HEAD:
            deck = duel_deck(one, other, sampler.setting.seats)
            sample = sampler.changed(f"{one.name} and {other.name} among blanks", deck)
        ours, theirs = (has_item(sample, who, "dealt") for who in (item, rival))
        cases.append([Side(sample, ours), Side(sample, theirs, -1)])
        met.append((ours.sum(axis=-1) == 1) & (theirs.sum(axis=-1) == 1))
    whom = "its rival" if against == EACH_OTHER else against
    return that_differ(f"the holder of {item.name} wins, than that of {whom},", cases, np.stack(met))


def _hands_with(sampler: Sampler, item: Item) -> list[tuple[Item, Item]]:
    """Return the hands of an item with the others that the plan measures."""
    return [pair for pair in hands([(one.family, one) for one in sampler.items]) if item in pair]


def _in_hands(sampler: Sampler, item: Item, against: str) -> Rows:
    """Tell what an item is worth in a hand, twice its Shapley value there, over the hands of one kind."""
    some = [
        (one, other)
        for one, other in _hands_with(sampler, item)
        if against == beside((other if one == item else one).family.name)
    ]
    cases = [_sides(sampler, one, other, FIRST if one == item else SECOND) for one, other in some]
    return that_differ(f"{item.name} in a hand (instead of a blank) gives its holder", cases)


def _together(sampler: Sampler, item: Item, against: str) -> Rows:
    """Tell what both items of a hand are worth together beyond what they are alone."""
    one, other = next(pair for pair in _hands_with(sampler, item) if pair[0] == item and pair[1].name == against)
    what = f"{one.name} and {other.name} together give their holder, than both alone,"
    return that_differ(what, [_sides(sampler, one, other, WHOLE)])


def _sides(sampler: Sampler, one: Item, other: Item, weights: Sequence[int]) -> list[Side]:
    """Return the four arms of a hand: whole, without the other, without the one, without both."""
    is_dealt = is_dealt_together(one, other)
    samples: list[Sampled] = []
    for gone in blanks_of(one, other):
        blank = " and ".join(item.name for item in gone)
        if is_dealt:
            samples.append(sampler.changed(f"{blank} blank" if gone else "", blanked(*gone)))
        else:
            says = f"{one.name} and {other.name} granted" + (f", {blank} blank" if gone else "")
            samples.append(sampler.changed(says, hand_changes([one, other], gone), [one, other]))
    chairs = sampler.granted_chairs(samples[0])
    if is_dealt:
        chairs = has_item(samples[0], one, "dealt") & has_item(samples[0], other, "dealt")
    return [Side(sample, chairs, weight) for sample, weight in zip(samples, weights, strict=True)]
