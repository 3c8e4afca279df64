"""Tables of items: how strong each one is, by randomised deal, by grant and by ablation, under every profile.

| estimand | what is compared | baseline |
| --- | --- | --- |
| held win rate (I0) | seats that ever held it with seats that never did | confounded: survivors hold more |
| deal lift (I1) | seats dealt it with seats dealt another item | the average other item |
| grant lift (I3) | a seat given it with the same seat given it blank | a blank card |
| ablation lift (I4) | the seat that was dealt it, with the item as it is and blank everywhere | a blank card |

What seats choose (a draft) has no deal and no ablation lift: whoever has it is no random seat.

Bans, items head to head and hands of two have rows of their own (`intervention_tables`), as have draws (`draws`).
The unit is always the playout. Intervals of one estimand hold for all items, variants and profiles at once.

The headline of an item is *relative*: its deal lift, against the average other item in its place. What it is worth
against a blank card (grant, ablation) is *absolute* and stands beside it; against a dud most cards are strong. The
column `benchmark` of the summary says which of the two a row is; `shrunk` draws a relative lift towards 0 by as much as
noise explains, and `rank_best` and `rank_worst` are ranks among the items that hold together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sim.engine.contract import WHOLE_WIN
from sim.experiment.arms import ABLATION, GRANT, Item
from sim.experiment.claims import distinct, over_profiles, sign_over
from sim.experiment.estimands import TITLES, UNSUMMARISED, Estimand, fits
from sim.experiment.interventions import BLANK
from sim.experiment.verdicts import (
    OF_LIFT,
    OF_SHARE,
    POINTS,
    estimate_of,
    is_cut_short,
    objection_to,
    row_of,
    told,
    verdict_of,
)
from sim.statistics.estimate import (
    CrossSums,
    Estimate,
    RatioSums,
    SampleSums,
    ratio,
    ratio_difference,
)
from sim.statistics.items import power_verdict, shrunk_lifts, simultaneous_ranks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sim.engine.blocks import Played
    from sim.engine.moments import Totals
    from sim.experiment.arms import Setting
    from sim.experiment.plan import Plan

HELD: Final = TITLES[Estimand.HELD][0]
DEAL_LIFT: Final = TITLES[Estimand.DEAL][0]
GRANT_LIFT: Final = TITLES[Estimand.GRANT][0]
ABLATION_LIFT: Final = TITLES[Estimand.ABLATION][0]
AGAINST: Final = {
    DEAL_LIFT: "another item",
    GRANT_LIFT: "blank",
    ABLATION_LIFT: "blank",
    HELD: "everybody else",
}
NOT_JUDGED: Final = "confounded"
NO_MARGIN: Final = "not judged"
UNTOLD: Final = frozenset(title for estimand in UNSUMMARISED for title in TITLES[estimand])
FEWEST: Final = 2
SUMMARISED: Final = ("variant", "seats", "family", "item", "estimand", "against", "quantity", "unit")

RELATIVE: Final = "relative"
ABSOLUTE: Final = "absolute"
SHARE_WHEN_DEALT: Final = "share when dealt"
ATTRIBUTION: Final = "attribution"
N_ITEM_ROWS: Final = 2  # of a comparison; an attribution is a share once more, its sign turned
HOLDER: Final = "win share of the holder"
POINTS_UNIT: Final = "points"

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Named:
    """What a row of the item table is about.

    Attributes:
        estimand: What it is called.
        against: What the item is compared with.
        quantity: What is compared.
        unit: Its unit; estimates in points come as proportions.
        verdict: What is said of it; a verdict against the margin if empty.

    """

    estimand: str
    against: str
    quantity: str = HOLDER
    unit: str = POINTS_UNIT
    verdict: str = ""


def item_rows(plan: Plan, setting: Setting, outcome: Played) -> Rows:
    """Return the item balance of one setting, of the baseline and of variants that change one item only."""
    base = plan.variants[0].name
    totals = outcome.arms.get(base, {})
    if not totals or not setting.items or int(totals["n_finished"]) < FEWEST:
        return []
    level = setting.intervals.of_several(len(setting.items))
    rows: Rows = []
    for item in setting.items:
        wanted = {one for one in plan.measured if fits(one, item.family)}
        if Estimand.DEAL in wanted:
            rows.append(_row_of_moments(setting, base, item, DEAL_LIFT, totals, level))
        if Estimand.GRANT in wanted:
            rows.append(_grant_row(setting, base, item, outcome, level))
        if Estimand.ABLATION in wanted:
            rows += _ablation_rows(plan, setting, item, outcome)
        if Estimand.HELD in wanted:
            rows.append(_row_of_moments(setting, base, item, HELD, totals, level))
    return [row for row in rows if row]


def is_answer(plan: Plan, row: dict[str, Any]) -> bool:
    """Tell whether a row of the item table is what the answer is about: its item's deal lift and grant lift.

    The deal lift is the headline, relative to the average other item; the grant lift is what it is worth at all.
    """
    is_mine = (row["item"], row["variant"]) == (plan.answer.item, plan.variants[0].name)
    return is_mine and row["estimand"] in {DEAL_LIFT, GRANT_LIFT}


def _row_of_moments(
    setting: Setting, base: str, item: Item, estimand: str, totals: Totals, level: float
) -> dict[str, Any]:
    """Return the row of an estimand that the baseline alone tells."""
    n, n_cut = int(totals["n_finished"]), int(totals["n_playouts"]) - int(totals["n_finished"])
    moments = totals[f"{'held' if estimand == HELD else 'dealt'}_{item.family.name}"][item.row]
    estimate = _within(setting, moments, lift_of(moments, n, level))
    return item_row(setting, base, item, named(estimand), estimate, (int(moments[0]), n_cut))


def _within(
    setting: Setting, moments: Any, estimate: Estimate | None, limits: tuple[float, float] = OF_LIFT
) -> Estimate | None:
    """Return a lift or share of an item with the interval of a number within limits."""
    if estimate is None:
        return None
    having, lacking, _ = _ratios(moments, estimate.n_playouts)
    n = having.n_contributing if limits == OF_SHARE else min(having.n_contributing, lacking.n_contributing)
    return setting.intervals.within(estimate, n, limits)


def _ablation_rows(plan: Plan, setting: Setting, item: Item, outcome: Played) -> Rows:
    """Return the ablation lift in the baseline, and in variants that change this item only."""
    base, *others = (variant.name for variant in plan.variants)
    labels = {base: item.label(ABLATION)} | {name: item.label(ABLATION, name) for name in others}
    played = {variant: label for variant, label in labels.items() if label in outcome.pairs}
    level = setting.intervals.of_several(len(setting.items) * max(1, len(played)))
    return [_ablation_row(setting, variant, item, outcome, label, level) for variant, label in played.items()]


def named(estimand: str) -> Named:
    """Return what a row is about whose estimand has one baseline."""
    return Named(estimand, AGAINST[estimand], verdict=NOT_JUDGED if estimand == HELD else "")


def item_row(
    setting: Setting,
    variant: str,
    item: Item,
    about: Named,
    estimate: Estimate | None,
    counts: tuple[int, int],
) -> dict[str, Any]:
    """Return a row of the item table, empty if there is nothing to tell; counts are holders and playouts cut off."""
    if estimate is None:
        return {}
    n_with, n_cut = counts
    points = estimate.scaled(POINTS) if about.unit == POINTS_UNIT else estimate
    judged = told(about.verdict) if about.verdict else verdict_of(points, setting.margin, n_cut, n_with)
    told_of = {"family": item.family.name, "item": item.name, "estimand": about.estimand, "against": about.against}
    labels = {"variant": variant, **setting.labels, **told_of, "quantity": about.quantity, "unit": about.unit}
    cut = is_cut_short(n_cut, points.n_playouts + n_cut)
    row = row_of(None if cut else points, points.n_playouts, setting.intervals.level)
    return {**labels, **row, "n_with_item": n_with, **judged}


def _ablation_row(
    setting: Setting, variant: str, item: Item, outcome: Played, label: str, level: float
) -> dict[str, Any]:
    totals = outcome.pairs.get(label, {})
    if not totals or int(totals["holder"][0]) < FEWEST:
        return {}
    n_cut = int(totals["n_playouts"]) - int(totals["n_both"])
    n_with, lost, with_squared, product, lost_squared = (int(number) for number in totals["holder"])
    n = setting.n_reached(outcome, variant, item.label(BLANK)) - n_cut  # those without the item add nothing
    sums = RatioSums(n, lost, n_with, lost_squared, product, with_squared, WHOLE_WIN)
    estimate = setting.intervals.within(ratio(sums, level), sums.n_contributing)
    return item_row(setting, variant, item, named(ABLATION_LIFT), estimate, (n_with, n_cut))


def _grant_row(setting: Setting, variant: str, item: Item, outcome: Played, level: float) -> dict[str, Any]:
    """Return the grant lift: of the granted seats, and where somebody was dealt the only copy, of that seat."""
    granted = outcome.pairs.get(item.label(GRANT), {})
    dealt = outcome.pairs.get(item.label(ABLATION), {}) if item.is_replayed else {}
    if not granted:
        return {}
    ours, theirs, ours_squared, theirs_squared, product, _ = (int(number) for number in granted["granted"])
    n, total = int(granted["n_both"]), ours - theirs
    squares = ours_squared - 2 * product + theirs_squared
    n_cut = int(granted["n_playouts"]) - n
    if dealt:
        n += int(dealt["n_both"])
        n_cut += int(dealt["n_playouts"]) - int(dealt["n_both"])
        total += int(dealt["holder"][1])
        squares += int(dealt["holder"][-1])
    if n < FEWEST:
        return {}
    estimate = setting.intervals.lift(SampleSums(n, total, squares, WHOLE_WIN * setting.n_rotations), level)
    return item_row(setting, variant, item, named(GRANT_LIFT), estimate, (n, n_cut))


def _ratios(moments: Iterable[Any], n: int) -> tuple[RatioSums, RatioSums, CrossSums]:
    """Return the ratios with and without an item, and their products, from its fourteen moments."""
    (
        n_with, payoff, n_rest, rest,
        with_with, with_payoff, with_rest, with_other,
        payoff_payoff, payoff_rest, payoff_other,
        rest_rest, rest_other, other_other,
    ) = (int(number) for number in moments)  # fmt: skip
    having = RatioSums(n, payoff, n_with, payoff_payoff, with_payoff, with_with, WHOLE_WIN)
    lacking = RatioSums(n, rest, n_rest, other_other, rest_other, rest_rest, WHOLE_WIN)
    return having, lacking, CrossSums(payoff_other, payoff_rest, with_other, with_rest)


def lift_of(moments: Any, n: int, level: float) -> Estimate | None:
    """Return payoff with an item minus payoff of the others; None if nobody had it, or everybody."""
    if int(moments[0]) < FEWEST or int(moments[2]) < FEWEST:
        return None
    having, lacking, cross = _ratios(moments, n)
    if min(having.n_contributing, lacking.n_contributing) < FEWEST:
        return None
    return ratio_difference(having, lacking, cross, level)


def share_of(moments: Any, n: int, level: float) -> Estimate | None:
    """Return payoff, or difference of payoffs, per seat with an item; None if nobody had it."""
    having = _ratios(moments, n)[0]
    if having.denominator == 0 or having.n_contributing < FEWEST:
        return None
    return ratio(having, level)


def item_shares(labels: dict[str, Any], setting: Setting, totals: Totals) -> Rows:
    """Return the share of the win of a seat that was dealt each item at random, in one variant."""
    n = int(totals["n_finished"])
    level = setting.intervals.of_several(max(1, len(setting.items)) * len(setting.rulesets))
    rows = []
    for item in setting.items:
        moments = totals[f"dealt_{item.family.name}"]
        is_told = item.row < len(moments) and setting.is_dealt(item.family, labels["variant"])
        found = share_of(moments[item.row], n, level) if is_told else None
        estimate = _within(setting, moments[item.row], found, OF_SHARE) if is_told else None
        if estimate is not None:
            row = row_of(estimate, n, setting.intervals.level)
            rows.append({**labels, "family": item.family.name, "item": item.name, **row})
    return rows


def compare_items(about: dict[str, Any], setting: Setting, totals: Totals, n_rows: int) -> Rows:
    """Return how a variant changes each item where the deal is the same: its holder's share and its deal lift.

    An *attribution* is what the holder loses by the variant, on the same luck: the share with the item as printed minus
    the share in the variant. Of a variant that takes one feature from a card it is what that feature is worth.

    Args:
        about: Columns that say what is compared.
        setting: The setting.
        totals: Totals of the pair.
        n_rows: How many rows the table has of this setting.

    """
    rows: Rows = []
    n_both = int(totals["n_both"])
    if is_cut_short(int(totals["n_playouts"]) - n_both, int(totals["n_playouts"])):
        return rows
    for item in setting.items:
        family = item.family.name
        n = int(totals.get(f"same_{family}", 0))
        if n < FEWEST:
            continue
        level = setting.intervals.of_several(n_rows)
        moments = totals[f"dealt_{family}"][item.row]
        share = _within(setting, moments, share_of(moments, n, level))
        found = {
            SHARE_WHEN_DEALT: share,
            DEAL_LIFT: _within(setting, moments, lift_of(moments, n, level)),
            ATTRIBUTION: None if share is None else share.negated(),
        }
        for name, estimate in found.items():
            if estimate is not None:
                what = {"quantity": f"{name}, {item.name}", "unit": "points"}
                rows.append({**about, **what, **row_of(estimate.scaled(POINTS), n, setting.intervals.level)})
    return rows


def summarise_items(plan: Plan, rows: Rows) -> Rows:
    """Return each item's lifts over all profiles, and note in `rows` whether the sign is the same in all."""
    groups: dict[tuple[Any, ...], Rows] = {}
    for row in rows:
        key = tuple(row[name] for name in SUMMARISED)
        groups.setdefault(key, []).append(row)
    summary: Rows = []
    for group in groups.values():
        lifts = {row["profile"]: estimate_of(row) for row in group if row["mcse"] >= 0}
        sign = sign_over(list(lifts.values()))
        for row in group:
            row["sign"] = sign
        if lifts and group[0]["quantity"] == HOLDER and group[0]["estimand"] not in UNTOLD:
            summary.append(_summary(plan, group, lifts))
    _rank(summary)
    return summary


def _summary(plan: Plan, group: Rows, lifts: dict[str, Estimate]) -> dict[str, Any]:
    """Return the row of one item and estimand over all profiles."""
    labels = {name: group[0][name] for name in SUMMARISED}
    benchmark = ABSOLUTE if BLANK in str(labels["against"]) else RELATIVE
    told_of = over_profiles(plan, labels["seats"], lifts, group)
    return {**labels, "benchmark": benchmark, **told_of, **_power(plan, group, distinct(lifts, group))}


def _rank(summary: Rows) -> None:
    """Add to rows of a summary the ranks among the items of a family, and relative lifts drawn towards 0."""
    families: dict[tuple[Any, ...], Rows] = {}
    for row in summary:
        key = tuple(row[name] for name in SUMMARISED if name != "item")
        families.setdefault(key, []).append(row)
    for rows in families.values():
        lifts = [estimate_of(row) for row in rows]
        shrunk = shrunk_lifts(lifts)
        for row, (best, worst), drawn in zip(rows, simultaneous_ranks(lifts), shrunk, strict=True):
            row["rank_best"], row["rank_worst"], row["n_ranked"] = best, worst, len(rows)
            row["shrunk"] = float(drawn) if row["benchmark"] == RELATIVE and len(rows) > 1 else math.nan


def _power(plan: Plan, group: Rows, lifts: Mapping[str, Estimate]) -> dict[str, Any]:
    """Return the columns of the verdict over all profiles; none where one profile has none."""
    against = objection_to(group)
    if against:
        return told(against)
    judged = power_verdict([lift.scaled(1 / POINTS) for lift in lifts.values()], plan.margin / POINTS)
    return told(judged.power, judged.n_more)
