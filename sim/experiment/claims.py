"""Claims over all policy profiles: each with its mean over a stated population, its range, its sign and a verdict.

What holds under one policy only is no finding. So every seat advantage, every lift and every item's strength is told
once more over the profiles of the plan: the mean over a population of players (equal weights unless the plan states
others), the smallest and largest profile, whether all agree on the sign, and one verdict for all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from sim.experiment import advice
from sim.experiment.quantities import ADVANTAGE, PLACE, label, read
from sim.experiment.verdicts import CHANGE_WORDS, POINTS, estimate_of, objection_to, row_of, told
from sim.statistics.balance import joint_verdict
from sim.statistics.items import claim_strength, population_lift, sign_stability

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sim.experiment.plan import Plan
    from sim.statistics.estimate import Estimate

ONE_PROFILE: Final = "one profile"
FAIR: Final = "a fair share"
EQUAL: Final = "equal weights"
KEYS: Final = ("variant", "baseline", "seats", "quantity")

SAME: Final = " = "
"""Stands between the names of profiles that play the same, the first one counted for all."""

Rows = Sequence[dict[str, Any]]


def over_profiles(plan: Plan, seats: int, lifts: Mapping[str, Estimate], rows: Rows) -> dict[str, Any]:
    """Return the columns that tell several profiles' estimates of one quantity at once; those that play the same once.

    Args:
        plan: The plan, which states the weights of its profiles.
        seats: Seats at the table.
        lifts: The estimate under each profile in points, by its name.
        rows: The rows of the profiles, which say who plays the same.

    """
    counted = distinct(lifts, rows)
    ranked = sorted(counted, key=lambda name: counted[name].value)
    mean = population_lift(counted, weights_of(plan, counted, rows))
    return {
        **row_of(mean, mean.n_playouts, plan.intervals(seats).level),
        "population": population_in_words(plan),
        "n_profiles": len(counted),
        **_same(rows),
        "smallest": counted[ranked[0]].value,
        "smallest_in": ranked[0],
        "largest": counted[ranked[-1]].value,
        "largest_in": ranked[-1],
        "at_least": claim_strength(list(counted.values())),
        "sign": sign_over(list(counted.values())),
    }


def _same(rows: Rows) -> dict[str, str]:
    """Return the column that tells which profiles play the same, if some do."""
    found = dict.fromkeys(row["same_play"] for row in rows if row.get("same_play"))
    return {"same_play": "; ".join(found)} if any("same_play" in row for row in rows) else {}


def distinct(lifts: Mapping[str, Estimate], rows: Rows) -> dict[str, Estimate]:
    """Return the estimates without those of profiles that play the same as an earlier one."""
    first = {row["profile"]: _first_of(row) for row in rows}
    return {name: lift for name, lift in lifts.items() if first.get(name, name) == name}


def _first_of(row: Mapping[str, Any]) -> str:
    """Return the first profile that plays the same as that of a row."""
    return str(row.get("same_play") or row["profile"]).partition(SAME)[0]


def weights_of(plan: Plan, lifts: Mapping[str, Estimate], rows: Rows = ()) -> dict[str, float]:
    """Return the weights of the profiles that have an estimate, so that they sum to 1.

    Equal weights are those of the different ways to play; weights that are stated go to the profile that is counted.
    """
    first = {row["profile"]: _first_of(row) for row in rows}
    stated = dict.fromkeys(lifts, 0.0)
    for name, weight in plan.weights.items():
        counted = first.get(name, name)
        if counted in stated:
            stated[counted] += weight
    total = sum(stated.values())
    if total == 0 or not plan.population:
        return dict.fromkeys(lifts, 1 / len(lifts))
    return {name: weight / total for name, weight in stated.items()}


def population_in_words(plan: Plan) -> str:
    """Return whose mean is told: the stated weights, or that they are equal."""
    return ", ".join(f"{name} {weight:g}" for name, weight in plan.population.items()) or EQUAL


def sign_over(lifts: Sequence[Estimate]) -> str:
    """Return whether a quantity has the same sign under all profiles."""
    return str(sign_stability(lifts)) if len(lifts) > 1 else ONE_PROFILE


def claim_rows(plan: Plan, tables: Mapping[str, Rows]) -> list[dict[str, Any]]:
    """Return a claim for each seat advantage, each lift of a win share and a piece of advice, over all profiles.

    Args:
        plan: The plan.
        tables: Rows of the other tables.

    """
    base = plan.variants[0].name
    found = [
        {**row, "baseline": FAIR, "quantity": label(ADVANTAGE, PLACE, row["place"])} for row in tables["seat_advantage"]
    ]
    found += [{"baseline": base, **row} for row in tables["comparisons"] if "verdict" in row]
    found += [
        {**row, "baseline": advice.GOING_AGAINST, "quantity": advice.QUANTITY}
        for row in tables["advice"]
        if not math.isnan(row["value"])
    ]
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in found:
        groups.setdefault(tuple(row[key] for key in KEYS), []).append(row)
    return [_claim(plan, dict(zip(KEYS, key, strict=True)), group) for key, group in groups.items()]


def _claim(plan: Plan, labels: dict[str, Any], group: Rows) -> dict[str, Any]:
    """Return one claim from its rows, one for each profile."""
    lifts = {row["profile"]: estimate_of(row) for row in group}
    told_of = over_profiles(plan, labels["seats"], lifts, group)
    return {**labels, **told_of, **_verdict(plan, group, list(distinct(lifts, group).values()))}


def _verdict(plan: Plan, group: Rows, lifts: Sequence[Estimate]) -> dict[str, Any]:
    """Return the columns of one verdict for all profiles; none where one profile has none."""
    if group[0]["quantity"] == advice.QUANTITY:
        return advice.claim_of(plan, group, lifts)
    against = objection_to(group)
    if against:
        return told(against)
    judged = joint_verdict([lift.scaled(1 / POINTS) for lift in lifts], plan.margin / POINTS)
    word = str(judged.balance)
    return told(word if read(group[0]["quantity"]).what == ADVANTAGE else CHANGE_WORDS.get(word, word), judged.n_more)
