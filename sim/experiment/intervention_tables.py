"""Rows of the item table about bans, items head to head and hands of two items.

* *ban* (I5): what the ruleset becomes without the item: win share of each place in turn order, length, and the spread
  of the other items' deal lifts; a row each.
* *head to head* (I6): share of the item's holder minus share of the rival's, in the same playouts; a row per rival,
  and one for their mean.
* *shapley value*: `phi(i) = mean over j of v(i) + 1/2 [v(i, j) - v(i) - v(j)]`, where v(hand) is the share of a seat
  that was dealt the hand minus the share of the same seat with all of its items blank, and j runs over the items of
  the other family.
* *interaction*: `v(i, j) - v(i) - v(j)`; the largest ones only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.contract import WHOLE_WIN
from sim.experiment.estimands import TITLES, Estimand, fits, hands, rivals
from sim.experiment.interventions import BAN, BLANK, hand_label, rivals_label
from sim.experiment.item_tables import FEWEST, NO_MARGIN, Named, item_row, lift_of
from sim.experiment.verdicts import LEVEL, paired
from sim.statistics.distributions import normal_tail
from sim.statistics.estimate import Estimate, SampleSums, mean
from sim.statistics.families import holm
from sim.statistics.items import item_spread_estimate, population_lift, shapley_main, spread_difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.engine.blocks import Played
    from sim.engine.contract import ItemFamily
    from sim.engine.moments import Totals
    from sim.experiment.arms import Item, Setting
    from sim.experiment.plan import Plan

(BANNED,) = TITLES[Estimand.BAN]
(HEAD_TO_HEAD,) = TITLES[Estimand.HEAD_TO_HEAD]
SHAPLEY, INTERACTION = TITLES[Estimand.SHAPLEY]
WITH_IT: Final = "the deck with it"
BEYOND: Final = "win share of the holder, beyond both alone"
EACH_OTHER: Final = "each other item"
MOST_INTERACTIONS: Final = 5
ALPHA: Final = 1 - LEVEL
WHOLE: Final = (1, -1, -1, 1)  # both items, one, the other, none
FIRST: Final = (1, 1, -1, -1)  # twice the Shapley value of the first item in its hand
SECOND: Final = (1, -1, 1, -1)
DOUBLED: Final = 2

Rows = list[dict[str, Any]]


def intervention_rows(plan: Plan, setting: Setting, outcome: Played) -> Rows:
    """Return the rows of bans, items head to head and hands of one setting; all are of the baseline."""
    makers = {Estimand.BAN: _ban_rows, Estimand.HEAD_TO_HEAD: _rival_rows, Estimand.SHAPLEY: _hand_rows}
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
        level = setting.intervals.of_several(len(items) * setting.seats)
        whole = WHOLE_WIN * setting.n_rotations
        for order in range(setting.seats):
            lift = paired(totals["by_order"][:, order], n, whole, level)
            about = Named(BANNED, WITH_IT, f"win share, order {order}")
            rows.append(item_row(setting, base, item, about, lift, counts))
        level = setting.intervals.of_several(len(items))
        lift = paired(totals["length"], n, setting.n_rotations, level)
        about = Named(BANNED, WITH_IT, "length", "turns", NO_MARGIN)
        rows.append(item_row(setting, base, item, about, lift, counts))
        if setting.is_dealt(item.family, base):
            change = _change_of_spread(item, outcome.arms[item.label(BAN)], outcome.arms[base], level)
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
    """Return each item's advantage over each rival, and over all of them together."""
    meetings = rivals([(item.family, item) for item in items])
    level = setting.intervals.of_several(len(meetings))
    found: dict[str, dict[str, Estimate]] = {item.name: {} for item in items}
    counts: dict[str, int] = {}
    for one, other in meetings:
        label = rivals_label(one, other)
        totals = outcome.pairs.get(label, {})
        n = int(totals["n_both"]) if totals else 0
        if n >= FEWEST:
            total, square = (int(number) for number in totals["more"])
            lead = mean(SampleSums(n, total, square, WHOLE_WIN * setting.n_rotations), level)
            found[one.name][other.name] = lead
            found[other.name][one.name] = lead.negated()
            counts[label] = int(totals["n_playouts"]) - n
    n_cut = sum(counts.values())
    rows: Rows = []
    for item in items:
        leads = found[item.name]
        rows += [
            item_row(setting, base, item, Named(HEAD_TO_HEAD, name), lead, (lead.n_playouts, n_cut))
            for name, lead in leads.items()
        ]
        if len(leads) > 1:
            whole = population_lift(leads, dict.fromkeys(leads, 1 / len(leads)))
            rows.append(
                item_row(setting, base, item, Named(HEAD_TO_HEAD, EACH_OTHER), whole, (whole.n_playouts, n_cut))
            )
    return rows


def _contrast(totals: Totals, weights: Sequence[int], unit: int, level: float) -> Estimate:
    """Return the mean of a weighted sum of a hand's payoffs in its four arms."""
    vector = np.array(weights, np.int64)
    total = int(vector @ totals["hand"])
    square = int(vector @ totals["hand_products"] @ vector)
    return mean(SampleSums(int(totals["n_holders"]), total, square, unit), level)


def _hand_rows(base: str, setting: Setting, items: Sequence[Item], outcome: Played) -> Rows:
    """Return the Shapley value of each item, and the largest interactions with Holm's flags."""
    pairs = hands([(item.family, item) for item in items])
    whole = WHOLE_WIN * setting.n_rotations
    pieces: dict[str, list[Estimate]] = {item.name: [] for item in items}
    together: list[tuple[Item, Item, Estimate]] = []
    n_cut = 0
    for one, other in pairs:
        totals = outcome.pairs.get(hand_label(one, other), {})
        if not totals or int(totals["n_holders"]) < FEWEST:
            continue
        n_cut += int(totals["n_playouts"]) - int(totals["n_both"])
        for item, weights in ((one, FIRST), (other, SECOND)):
            pieces[item.name].append(_contrast(totals, weights, DOUBLED * whole, LEVEL))
        level = setting.intervals.of_several(len(pairs))
        together.append((one, other, _contrast(totals, WHOLE, whole, level)))
    rows: Rows = []
    level = setting.intervals.of_several(len(items))
    for item in items:
        if pieces[item.name]:
            value = shapley_main(pieces[item.name], level)
            rows.append(item_row(setting, base, item, Named(SHAPLEY, BLANK), value, (value.n_playouts, n_cut)))
    return rows + _interaction_rows(base, setting, together, n_cut)


def _interaction_rows(base: str, setting: Setting, together: Sequence[tuple[Item, Item, Estimate]], n_cut: int) -> Rows:
    """Return the largest interactions; flags are Holm's over all hands, intervals hold for all at once."""
    if not together:
        return []
    chances = [DOUBLED * normal_tail(abs(one.value) / one.mcse) if one.mcse > 0 else 1.0 for _, _, one in together]
    adjusted = holm(chances)
    ranked = sorted(range(len(together)), key=lambda place: -abs(together[place][2].value))
    rows: Rows = []
    for place in ranked[:MOST_INTERACTIONS]:
        one, other, estimate = together[place]
        sign = "more" if estimate.value > 0 else "less"
        flag = f"worth {sign} together" if adjusted[place] < ALPHA else "no interaction shown"
        about = Named(INTERACTION, other.name, BEYOND, verdict=f"{flag} (Holm p {adjusted[place]:.3g})")
        rows.append(item_row(setting, base, one, about, estimate, (estimate.n_playouts, n_cut)))
    return rows
