"""Rows of the item table about bans, items head to head and hands of two items.

* *ban* (I5): what the ruleset becomes without the item: win share of each place in turn order, length, and the spread
  of the other items' deal lifts; a row each.
* *head to head* (I6): share of the item's holder minus share of the rival's, in the same playouts; a row per rival,
  and one for their mean. All other hands are blank; *head to head, ordinary deal* is the same among all other cards.
* *shapley value*: `phi(i) = mean over j of v(i) + 1/2 [v(i, j) - v(i) - v(j)]`, where v(hand) is the share of a seat
  that has the hand minus the share of the same seat with all of its items blank. A row for each kind of hand: j runs
  over the other items of one family, with whom it may be the item's own (a hand of two loot cards, 16 singles and 120
  pairs of sixteen) or another (a loot card and a loadout). Hands that are granted are added up in each playout, since
  they are granted in the same ones; those that are dealt share no playout.
* *interaction*: `v(i, j) - v(i) - v(j)`; the five largest ones of each kind of hand only. Intervals hold for all hands
  at once, flags are Holm's over all of them.

Source: sections 2.1 and 2.4 of the method.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.contract import WHOLE_WIN
from sim.engine.seating import number_of
from sim.experiment.estimands import TITLES, Estimand, fits, hands, rivals
from sim.experiment.interventions import (
    BAN,
    BLANK,
    FIRST,
    SECOND,
    WHOLE,
    hand_label,
    hands_of,
    is_dealt_together,
    meeting_label,
    rivals_label,
    worth_label,
)
from sim.experiment.item_tables import FEWEST, NO_MARGIN, Named, item_row, lift_of
from sim.experiment.quantities import PLACE, WIN_SHARE, label
from sim.experiment.verdicts import LEVEL, paired_sums
from sim.statistics.bounded import open_mean
from sim.statistics.distributions import normal_tail
from sim.statistics.estimate import Estimate, SampleSums
from sim.statistics.families import holm
from sim.statistics.items import item_spread_estimate, population_lift, shapley_main, spread_difference

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sim.engine.blocks import Played
    from sim.engine.contract import ItemFamily
    from sim.engine.moments import Totals
    from sim.experiment.arms import Item, Setting
    from sim.experiment.plan import Plan

(BANNED,) = TITLES[Estimand.BAN]
(HEAD_TO_HEAD,) = TITLES[Estimand.HEAD_TO_HEAD]
(MEETING,) = TITLES[Estimand.HEAD_TO_HEAD_DEALT]
SHAPLEY, INTERACTION = TITLES[Estimand.SHAPLEY]
WITH_IT: Final = "the deck with it"
BEYOND: Final = "win share of the holder, beyond both alone"
EACH_OTHER: Final = "each other item"
BESIDE: Final = "beside each"
MOST_INTERACTIONS: Final = 5
N_OTHER_ROWS: Final = 2  # of a ban, beside a row for each place: length and spread
ALPHA: Final = 1 - LEVEL
DOUBLED: Final = 2

Rows = list[dict[str, Any]]


def intervention_rows(plan: Plan, setting: Setting, outcome: Played) -> Rows:
    """Return the rows of bans, items head to head and hands of one setting; all are of the baseline."""
    makers = {
        Estimand.BAN: _ban_rows,
        Estimand.HEAD_TO_HEAD: _rival_rows,
        Estimand.HEAD_TO_HEAD_DEALT: _meeting_rows,
        Estimand.SHAPLEY: _hand_rows,
    }
    base = plan.variants[0].name
    rows: Rows = []
    for estimand, make in makers.items():
        fitting = [item for item in setting.items if fits(estimand, item.family)]
        if estimand in plan.measured and fitting:
            rows += make(base, setting, fitting, outcome)
    return [row for row in rows if row]


def _ban_rows(base: str, setting: Setting, items: Sequence[Item], outcome: Played) -> Rows:
    """Return what each ban changes, all intervals of a quantity at once."""
    rows: Rows = []
    for item in items:
        totals = outcome.pairs.get(item.label(BAN), {})
        n = int(totals["n_both"]) if totals else 0
        if n < FEWEST:
            continue
        counts = n, int(totals["n_playouts"]) - n
        level = setting.intervals.of_several(len(items) * (setting.seats + N_OTHER_ROWS))
        whole = WHOLE_WIN * setting.n_rotations
        for place in range(setting.seats):
            lift = setting.intervals.lift(paired_sums(totals["by_order"][:, place], n, whole).lift_sums(), level)
            about = Named(BANNED, WITH_IT, label(WIN_SHARE, PLACE, number_of(place)))
            rows.append(item_row(setting, base, item, about, lift, counts))
        arms = outcome.arms[item.label(BAN)], outcome.arms[base]
        longest = max(float(np.flatnonzero(arm["length_of"])[-1]) for arm in arms)
        lift = open_mean(paired_sums(totals["length"], n, setting.n_rotations).lift_sums(), longest, level)
        about = Named(BANNED, WITH_IT, "length", "turns", NO_MARGIN)
        rows.append(item_row(setting, base, item, about, lift, counts))
        if setting.is_dealt(item.family, base):
            change = _change_of_spread(item, *arms, level)
            about = Named(BANNED, WITH_IT, "spread of the other items", verdict=NO_MARGIN)
            rows.append(item_row(setting, base, item, about, change, counts))
    return rows


def _change_of_spread(banned: Item, without: Totals, whole: Totals, level: float) -> Estimate | None:
    """Return how a ban changes the spread of the other items of the family; None where too few were dealt."""
    sides = [deal_lifts(banned.family, totals, without=banned.row) for totals in (without, whole)]
    if min(len(lifts) for lifts in sides) < FEWEST:
        return None
    spread, baseline = (item_spread_estimate(lifts, level) for lifts in sides)
    return spread_difference(spread, baseline)


def deal_lifts(family: ItemFamily, totals: Totals, without: int = -1) -> list[Estimate]:
    """Return the deal lift of every item of a family that was dealt.

    Args:
        family: The family.
        totals: Totals of one arm.
        without: Row of an item to leave out, or -1.

    """
    n = int(totals["n_finished"])
    moments = totals[f"dealt_{family.name}"]
    lifts = [lift_of(moments[row], n, LEVEL) for row in range(len(moments)) if row != without]
    return [lift for lift in lifts if lift is not None]


def _rival_rows(base: str, setting: Setting, items: Sequence[Item], outcome: Played) -> Rows:
    """Return each item's advantage over each rival while all other hands are blank."""
    return _lead_rows((HEAD_TO_HEAD, base), setting, items, outcome, rivals_label)


def _meeting_rows(base: str, setting: Setting, items: Sequence[Item], outcome: Played) -> Rows:
    """Return each item's advantage over each rival in the ordinary deal."""
    return _lead_rows((MEETING, base), setting, items, outcome, meeting_label)


def _lead_rows(
    about: tuple[str, str],
    setting: Setting,
    items: Sequence[Item],
    outcome: Played,
    label_of: Callable[[Item, Item], str],
) -> Rows:
    """Return each item's advantage over each rival, and over all of them together.

    Args:
        about: What the estimand is called, and the variant.
        setting: The setting.
        items: Items that are measured.
        outcome: What was played.
        label_of: Names the comparison of two items.

    """
    estimand, base = about
    meetings = rivals([(item.family, item) for item in items])
    level = setting.intervals.of_several(len(meetings))
    found: dict[Item, dict[str, Estimate]] = {item: {} for item in items}
    n_cut: Counter[Item] = Counter()
    for one, other in meetings:
        totals = outcome.pairs.get(label_of(one, other), {})
        n = int(totals["n_both"]) if totals else 0
        if n >= FEWEST:
            total, square = (int(number) for number in totals["more"])
            lead = setting.intervals.lift(SampleSums(n, total, square, WHOLE_WIN * setting.n_rotations), level)
            found[one][other.name] = lead
            found[other][one.name] = lead.negated()
            n_cut.update(dict.fromkeys((one, other), int(totals["n_playouts"]) - n))
    rows: Rows = []
    for item, leads in found.items():
        whole = {EACH_OTHER: population_lift(leads, dict.fromkeys(leads, 1 / len(leads)))} if len(leads) > 1 else {}
        rows += [
            item_row(setting, base, item, Named(estimand, name), lead, (lead.n_playouts, n_cut[item]))
            for name, lead in (leads | whole).items()
        ]
    return rows


def _contrast(setting: Setting, totals: Totals, weights: Sequence[int], level: float, parts: int = 1) -> Estimate:
    """Return the mean of a weighted sum of a hand's payoffs in its four arms, in that many parts of a win."""
    vector = np.array(weights, np.int64)
    total = int(vector @ totals["hand"])
    square = int(vector @ totals["hand_products"] @ vector)
    unit = parts * WHOLE_WIN * setting.n_rotations
    most = sum(weight for weight in weights if weight > 0) / parts
    return setting.intervals.lift(SampleSums(int(totals["n_holders"]), total, square, unit), level, (-most, most))


def _hand_rows(base: str, setting: Setting, items: Sequence[Item], outcome: Played) -> Rows:
    """Return the Shapley value of each item in each kind of hand, and the largest interactions with Holm's flags."""
    pairs = hands([(item.family, item) for item in items])
    level = setting.intervals.of_several(len(pairs))
    together: list[_Hand] = []
    for one, other in pairs:
        totals = outcome.pairs.get(hand_label(one, other), {})
        if totals and int(totals["n_holders"]) >= FEWEST:
            n_cut = int(totals["n_playouts"]) - int(totals["n_both"])
            together.append(_Hand(one, other, _contrast(setting, totals, WHOLE, level), n_cut))
    rows: Rows = []
    groups = hands_of(pairs)
    level = setting.intervals.of_several(len(groups))
    for (item, family), some in groups.items():
        worth = _worth_dealt if is_dealt_together(*some[0]) else _worth_granted
        value, n_cut = worth(_Mine(item, family, some), setting, outcome, level)
        if value is not None:
            rows.append(item_row(setting, base, item, Named(SHAPLEY, beside(family)), value, (value.n_playouts, n_cut)))
    return rows + _interaction_rows(base, setting, together)


@dataclass(frozen=True)
class _Mine:
    """The hands of one item with those of a family."""

    item: Item
    family: str
    hands: Sequence[tuple[Item, Item]]


def _worth_dealt(mine: _Mine, setting: Setting, outcome: Played, level: float) -> tuple[Estimate | None, int]:
    """Return an item's Shapley value from the playouts that dealt it with one of a family, and those cut off.

    The hands share no playout: who is dealt the item is dealt one of the family.
    """
    pieces: list[Estimate] = []
    n_cut = 0
    for one, other in mine.hands:
        totals = outcome.pairs.get(hand_label(one, other), {})
        if totals and int(totals["n_holders"]) >= FEWEST:
            weights = FIRST if one == mine.item else SECOND
            pieces.append(_contrast(setting, totals, weights, LEVEL, DOUBLED))
            n_cut += int(totals["n_playouts"]) - int(totals["n_both"])
    if not pieces:
        return None, n_cut
    value = shapley_main(pieces, level)
    return setting.intervals.within(value, value.n_playouts), n_cut


def _worth_granted(mine: _Mine, setting: Setting, outcome: Played, level: float) -> tuple[Estimate | None, int]:
    """Return an item's Shapley value from the playouts that grant it with each of a family, and those cut off."""
    totals = outcome.pairs.get(worth_label(mine.item, mine.family), {})
    n = int(totals["n_both"]) if totals else 0
    if n < FEWEST:
        return None, 0
    total, square = (int(number) for number in totals["weighted"])
    unit = DOUBLED * len(mine.hands) * WHOLE_WIN * setting.n_rotations
    return setting.intervals.lift(SampleSums(n, total, square, unit), level), int(totals["n_playouts"]) - n


def beside(family: str) -> str:
    """Return what the Shapley value of hands with another item of a family is against."""
    return f"{BLANK}, {BESIDE} {family}"


@dataclass(frozen=True)
class _Hand:
    """A hand of two items: how much more both are worth together, and in how many playouts nobody knows."""

    one: Item
    other: Item
    interaction: Estimate
    n_cut: int

    @property
    def chance(self) -> float:
        """Chance of so large an interaction if there is none."""
        estimate = self.interaction
        return DOUBLED * normal_tail(abs(estimate.value) / estimate.mcse) if estimate.mcse > 0 else 1.0

    @property
    def kind(self) -> tuple[str, str]:
        """Families of its items."""
        return self.one.family.name, self.other.family.name


def _interaction_rows(base: str, setting: Setting, together: Sequence[_Hand]) -> Rows:
    """Return the largest interactions of each kind of hand; flags and intervals are over all hands at once."""
    if not together:
        return []
    adjusted = holm([found.chance for found in together])
    ranked = sorted(range(len(together)), key=lambda place: -abs(together[place].interaction.value))
    n_told: Counter[tuple[str, str]] = Counter()
    rows: Rows = []
    for place in ranked:
        found = together[place]
        n_told[found.kind] += 1
        if n_told[found.kind] <= MOST_INTERACTIONS:
            rows.append(_interaction_row(base, setting, found, adjusted[place]))
    return rows


def _interaction_row(base: str, setting: Setting, found: _Hand, chance: float) -> dict[str, Any]:
    """Return the row of a hand, its flag from the chance that Holm's procedure gives it."""
    estimate = found.interaction
    sign = "more" if estimate.value > 0 else "less"
    flag = f"worth {sign} together" if chance < ALPHA else "no interaction shown"
    about = Named(INTERACTION, found.other.name, BEYOND, verdict=f"{flag} (Holm p {chance:.3g})")
    return item_row(setting, base, found.one, about, estimate, (estimate.n_playouts, found.n_cut))
