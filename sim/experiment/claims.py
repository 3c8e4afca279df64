"""Claims over all policy profiles: each with its mean over a stated population, its range, its sign and a verdict.

What holds under one policy only is no finding. So every seat advantage, every lift and every item's strength is told
once more over the profiles of the plan: the mean over a population of players (equal weights unless the plan states
others), the smallest and largest profile, whether all agree on the sign, and one verdict for all.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from sim.experiment import advice
from sim.experiment.verdicts import BEYOND, NO_VERDICT, POINTS, WITHIN
from sim.statistics.balance import Balance, joint_verdict
from sim.statistics.estimate import COLUMNS_OF_ESTIMATE, Estimate
from sim.statistics.items import claim_strength, population_lift, sign_stability

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.experiment.plan import Plan

ONE_PROFILE: Final = "one profile"
ADVANTAGE: Final = "seat advantage"
FAIR: Final = "a fair share"
EQUAL: Final = "equal weights"
KEYS: Final = ("variant", "baseline", "seats", "quantity")

Rows = list[dict[str, Any]]


def over_profiles(plan: Plan, seats: int, lifts: Mapping[str, Estimate]) -> dict[str, Any]:
    """Return the columns that tell several profiles' estimates of one quantity at once.

    Args:
        plan: The plan, which states the weights of its profiles.
        seats: Seats at the table.
        lifts: The estimate under each profile in points, by its name.

    """
    ranked = sorted(lifts, key=lambda name: lifts[name].value)
    mean = population_lift(lifts, weights_of(plan, lifts))
    whole = plan.intervals(seats).kept(mean.scaled(1 / POINTS)).scaled(POINTS)
    return {
        **whole.as_row(),
        "population": population_in_words(plan),
        "n_profiles": len(lifts),
        "smallest": lifts[ranked[0]].value,
        "smallest_in": ranked[0],
        "largest": lifts[ranked[-1]].value,
        "largest_in": ranked[-1],
        "at_least": claim_strength(list(lifts.values())),
        "sign": sign_over(list(lifts.values())),
    }


def weights_of(plan: Plan, lifts: Mapping[str, Estimate]) -> dict[str, float]:
    """Return the weights of the profiles that have an estimate, so that they sum to 1."""
    stated = {name: plan.weights.get(name, 0.0) for name in lifts}
    total = sum(stated.values())
    if total == 0:
        return dict.fromkeys(lifts, 1 / len(lifts))
    return {name: weight / total for name, weight in stated.items()}


def population_in_words(plan: Plan) -> str:
    """Return whose mean is told: the stated weights, or that they are equal."""
    return ", ".join(f"{name} {weight:g}" for name, weight in plan.population.items()) or EQUAL


def sign_over(lifts: Sequence[Estimate]) -> str:
    """Return whether a quantity has the same sign under all profiles."""
    return str(sign_stability(lifts)) if len(lifts) > 1 else ONE_PROFILE


def claim_rows(plan: Plan, tables: Mapping[str, Rows]) -> Rows:
    """Return a claim for each seat advantage, each lift of a win share and a piece of advice, over all profiles.

    Args:
        plan: The plan.
        tables: Rows of the other tables.

    """
    base = plan.variants[0].name
    found = [
        {**row, "baseline": FAIR, "quantity": f"{ADVANTAGE}, place {row['place']}"} for row in tables["seat_advantage"]
    ]
    found += [{"baseline": base, **row} for row in tables["comparisons"] if "verdict" in row]
    found += [
        {**row, "baseline": advice.GOING_AGAINST, "quantity": advice.QUANTITY}
        for row in tables["advice"]
        if not math.isnan(row["value"])
    ]
    groups: dict[tuple[Any, ...], Rows] = {}
    for row in found:
        groups.setdefault(tuple(row[key] for key in KEYS), []).append(row)
    return [_claim(plan, dict(zip(KEYS, key, strict=True)), group) for key, group in groups.items()]


def _claim(plan: Plan, labels: dict[str, Any], group: Rows) -> dict[str, Any]:
    """Return one claim from its rows, one for each profile."""
    lifts = {row["profile"]: Estimate(*(row[name] for name in COLUMNS_OF_ESTIMATE)) for row in group}
    return {
        **labels,
        **over_profiles(plan, labels["seats"], lifts),
        "verdict": _verdict(plan, group, list(lifts.values())),
    }


def _verdict(plan: Plan, group: Rows, lifts: Sequence[Estimate]) -> str:
    """Return one verdict for all profiles in words; none where one profile has none."""
    if group[0]["quantity"] == advice.QUANTITY:
        return advice.claim_of(plan, group, lifts)
    if any(row["verdict"] == NO_VERDICT for row in group):
        return NO_VERDICT
    judged = joint_verdict([lift.scaled(1 / POINTS) for lift in lifts], plan.margin / POINTS)
    if group[0]["quantity"].startswith(ADVANTAGE) or judged.balance is Balance.UNDECIDED:
        return str(judged)
    return WITHIN if judged.balance is Balance.BALANCED else BEYOND
