"""The headlines of a plan: the few numbers that its answer rests on, computed straight from integer totals.

A run over thousands of assumptions needs these numbers thousands of times and nothing else, so they are not made by
way of tables; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.contract import WHOLE_WIN
from sim.engine.seating import number_of
from sim.experiment.advice import ADVISED, QUANTITY, label, rotations_of
from sim.experiment.arms import GRANT
from sim.experiment.item_tables import GRANT_LIFT, SHARE_WHEN_DEALT
from sim.experiment.quantities import ADVANTAGE, PLACE, WIN_SHARE
from sim.experiment.quantities import label as label_of

if TYPE_CHECKING:
    from sim.engine.blocks import Played
    from sim.experiment.arms import Setting
    from sim.experiment.plan import Plan

POINTS: Final = 100
STARTING: Final = 0  # the place in turn order whose advantage is told

Measure = Callable[["Setting", "Played"], float]


@dataclass(frozen=True)
class Headline:
    """One number of a plan's answer.

    Attributes:
        quantity: What it is, as tables name it.
        variant: The variant that it is about.
        unit: `points`, `turns` or `per cent`.
        has_sign: True for lifts and advantages, whose sign is a claim; False for values.
        measure: Computes it from what was played in one setting.

    """

    quantity: str
    variant: str
    unit: str
    has_sign: bool
    measure: Measure


def headlines(plan: Plan) -> list[Headline]:
    """Return the headlines of a plan, its main one first.

    Args:
        plan: The plan; `answer` says what it is about.

    """
    base, *others = [variant.name for variant in plan.variants]
    kind = plan.answer.kind
    if kind == "item":
        item = plan.answer.item
        first = Headline(label_of(GRANT_LIFT, of=item), base, "points", has_sign=True, measure=_grant_lift)
        return [first, *(_lift(label_of(SHARE_WHEN_DEALT, of=item), one, _holder_lift(one)) for one in others)]
    if kind == "count":
        what = f"{plan.answer.count}, {plan.answer.at_least} or more"
        return [
            Headline(
                what, one, "per cent", has_sign=False, measure=_count(one, plan.answer.count, plan.answer.at_least)
            )
            for one in (base, *others)
        ]
    if kind == "advice":
        return [_lift(QUANTITY, one, _advised(one)) for one in (base, *others)]
    if kind == "length":
        first = Headline("length", base, "turns", has_sign=False, measure=_length(base))
        return [first, *(_lift("length", one, _length_lift(one), "turns") for one in others)]
    starts = label_of(WIN_SHARE, PLACE, number_of(STARTING))
    first = Headline(
        label_of(ADVANTAGE, PLACE, number_of(STARTING)), base, "points", has_sign=True, measure=_advantage(base)
    )
    return [first, *(_lift(starts, one, _order_lift(one)) for one in others)]


def _lift(quantity: str, variant: str, measure: Measure, unit: str = "points") -> Headline:
    return Headline(quantity, variant, unit, has_sign=True, measure=measure)


def _part(numerator: float, denominator: float) -> float:
    """Return a ratio, not a number where nothing was counted."""
    return numerator / denominator if denominator else float("nan")


def _advantage(variant: str) -> Measure:
    def measure(setting: Setting, played: Played) -> float:
        totals = played.arms[variant]
        won = int(totals["payoff_by_order"][0][STARTING])
        share = _part(won, int(totals["n_finished"]) * WHOLE_WIN * setting.n_rotations)
        return POINTS * (share - 1 / setting.seats)

    return measure


def _length(variant: str) -> Measure:
    def measure(_setting: Setting, played: Played) -> float:
        totals = played.arms[variant]
        return _part(int(totals["length"][0]), int(totals["n_rows"]))

    return measure


def _count(variant: str, name: str, at_least: int) -> Measure:
    def measure(_setting: Setting, played: Played) -> float:
        totals = played.arms[variant]
        return POINTS * _part(int(np.sum(totals[f"count_{name}"][at_least:])), int(totals["n_rows"]))

    return measure


def _paired(sums: Any) -> int:
    """Return the difference of the two sums of a pair."""
    ours, theirs, *_ = (int(number) for number in sums)
    return ours - theirs


def _order_lift(variant: str) -> Measure:
    def measure(setting: Setting, played: Played) -> float:
        totals = played.pairs[variant]
        whole = int(totals["n_both"]) * WHOLE_WIN * setting.n_rotations
        return POINTS * _part(_paired(totals["by_order"][:, STARTING]), whole)

    return measure


def _length_lift(variant: str) -> Measure:
    def measure(setting: Setting, played: Played) -> float:
        totals = played.pairs[variant]
        return _part(_paired(totals["length"]), int(totals["n_both"]) * setting.n_rotations)

    return measure


def _holder_lift(variant: str) -> Measure:
    def measure(setting: Setting, played: Played) -> float:
        (item,) = setting.items
        moments = played.pairs[variant].get(f"dealt_{item.family.name}")
        if moments is None or item.row >= len(moments):
            return float("nan")  # the variant deals otherwise
        n_with, payoff, *_ = (int(number) for number in moments[item.row])
        return POINTS * _part(payoff, n_with * WHOLE_WIN)

    return measure


def _advised(variant: str) -> Measure:
    def measure(setting: Setting, played: Played) -> float:
        totals = played.pairs[label(variant)]
        whole = int(totals["n_both"]) * WHOLE_WIN * rotations_of(setting, variant, label(variant))
        return POINTS * _part(_paired(totals["by_seat"][:, ADVISED]), whole)

    return measure


def _grant_lift(setting: Setting, played: Played) -> float:
    (item,) = setting.items
    granted = played.pairs[item.label(GRANT)]
    whole = int(granted["n_both"]) * WHOLE_WIN * setting.n_rotations
    return POINTS * _part(_paired(granted["granted"]), whole)
