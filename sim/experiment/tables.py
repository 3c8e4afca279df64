"""Tables: integer totals turned into estimates, each with its error; items have a file of their own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from sim.engine.blocks import CELL
from sim.engine.contract import WHOLE_WIN
from sim.engine.seating import number_of, numbered
from sim.experiment.advice import advice_rows
from sim.experiment.claims import claim_rows
from sim.experiment.intervention_tables import intervention_rows
from sim.experiment.item_tables import compare_items, is_answer, item_rows, item_shares, summarise_items
from sim.experiment.plan import ADVICE, ESTIMANDS
from sim.experiment.verdicts import (
    POINTS,
    change_verdict_of,
    is_cut_short,
    limit_that_would_do,
    paired,
    paired_sums,
    row_of,
    verdict_of,
)
from sim.statistics.checks import MOST_TRUNCATED_FOR_VERDICT
from sim.statistics.estimate import (
    SampleSums,
    mean,
    share,
    wilson,
    worst_case_bounds,
)
from sim.statistics.paired import variance_reduction_factor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.engine.blocks import Played
    from sim.engine.moments import Totals
    from sim.experiment.arms import Setting
    from sim.experiment.plan import Plan

QUANTILES: Final = (0.05, 0.5, 0.95)
FEWEST: Final = 2  # playouts or cells that a spread needs

Rows = list[dict[str, Any]]


def make_tables(
    plan: Plan, played: Sequence[tuple[Setting, Played]], recorded: Mapping[str, Rows] | None = None
) -> dict[str, pd.DataFrame]:
    """Return all tables of a plan by name.

    Args:
        plan: The plan.
        played: What was played in each setting.
        recorded: Rows by table that come from recorded playouts.

    """
    rows: dict[str, Rows] = {name: [] for name in ESTIMANDS}
    base = plan.variants[0].name
    for setting, outcome in played:
        for variant in plan.variants:
            totals = outcome.arms.get(variant.name, {})
            if totals and int(totals["n_playouts"]) >= FEWEST:
                _describe_arm(rows, {"variant": variant.name, **setting.labels}, setting, totals)
        for variant in plan.variants[1:]:
            totals = outcome.pairs.get(variant.name, {})
            if totals and int(totals["n_both"]) >= FEWEST:
                about = {"variant": variant.name, "baseline": base, **setting.labels}
                rows["comparisons"] += [*_compare(about, setting, totals), *compare_items(about, setting, totals)]
        rows["advice"] += advice_rows(plan, setting, outcome)
        rows["item_balance"] += item_rows(plan, setting, outcome)
        rows["item_balance"] += intervention_rows(plan, setting, outcome)
    for name, more in (recorded or {}).items():
        rows[name] += more
    rows["claims"] = claim_rows(plan, rows)
    rows["item_summary"] = summarise_items(plan, rows["item_balance"])
    return {name: pd.DataFrame(found) for name, found in rows.items() if found and plan.wants(name)}


def headline_rows(plan: Plan, setting: Setting, outcome: Played) -> Rows:
    """Return the headline numbers of one setting, all in points: what a precision or a verdict is asked of.

    They are the win shares of every variant, the advantage of each place in turn order, the lifts of win shares, and
    the grant lift of the item that the answer is about. If the answer is about a piece of advice, they are its gains.

    Args:
        plan: The plan.
        setting: The setting.
        outcome: What was played of it so far.

    """
    if plan.answer.kind == ADVICE:
        return advice_rows(plan, setting, outcome)
    rows: Rows = []
    for variant in plan.variants:
        totals = outcome.arms.get(variant.name, {})
        if totals and int(totals["n_finished"]) >= FEWEST:
            labels = {"variant": variant.name, **setting.labels}
            rows += [_in_points(row) for row in _win_share(labels, setting, totals)]
            rows += _seat_advantage(labels, setting, totals)
    for variant in plan.variants[1:]:
        totals = outcome.pairs.get(variant.name, {})
        if totals and int(totals["n_both"]) >= FEWEST:
            about = {"variant": variant.name, **setting.labels}
            rows += [row for row in _compare(about, setting, totals) if row["unit"] == "points"]
    if plan.answer.kind == "item":
        rows += [row for row in item_rows(plan, setting, outcome) if is_answer(plan, row)]
    return rows


def _in_points(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of shares in points."""
    return {**row, **{name: POINTS * row[name] for name in ("value", "mcse", "lower", "upper")}}


def _describe_arm(rows: dict[str, Rows], labels: dict[str, Any], setting: Setting, totals: Totals) -> None:
    """Add what one variant alone tells."""
    if int(totals["n_finished"]) >= FEWEST:
        rows["win_share"] += _win_share(labels, setting, totals)
        rows["policy_share"] += _policy_share(labels, setting, totals)
        rows["seat_advantage"] += _seat_advantage(labels, setting, totals)
        rows["item_share"] += item_shares(labels, setting, totals)
    rows["length"].append(_length(labels, setting, totals))
    rows["counts"] += _counts(labels, setting, totals)
    for name, quantity in (("flows", "flow"), ("uses", "uses"), ("decisions", "decisions")):
        rows[name] += _tally_rows(labels, setting, totals, quantity)
    rows["spaces"] += _tally_rows(labels, setting, totals, "landings")
    rows["spaces"] += _tally_rows(labels, setting, totals, "losses")


def _samples(totals: Totals, key: str, unit: int, n_slots: int) -> list[SampleSums]:
    n = int(totals["n_finished"])
    sums, squares = totals[key]
    pairs = list(zip(sums, squares, strict=True))[:n_slots]
    return [SampleSums(n, int(total), int(square), unit) for total, square in pairs]


def _n_truncated(totals: Totals) -> int:
    return int(totals["n_playouts"]) - int(totals["n_finished"])


def share_samples(setting: Setting, totals: Totals) -> list[SampleSums]:
    """Return the sums behind the win share of each seat of the line-up."""
    return _samples(totals, "payoff_by_seat", WHOLE_WIN * setting.n_rotations, setting.seats)


def _win_share(labels: dict[str, Any], setting: Setting, totals: Totals) -> Rows:
    """Return the share of the win by seat of the line-up, all intervals at once; rotations count as one playout."""
    estimates = setting.intervals.shares(share_samples(setting, totals), setting.n_rotations)
    n_truncated, n = _n_truncated(totals), int(totals["n_playouts"])
    rows = []
    for seat, estimate in enumerate(estimates):
        worst, best = worst_case_bounds(estimate.value, n_truncated, n)
        about = {**labels, "seat": number_of(seat), "policy": setting.policies[seat]}
        cut = {"truncated": n_truncated / n, "worst_case": worst, "best_case": best}
        rows.append({**about, **estimate.as_row(), **cut})
    return rows


def _policy_share(labels: dict[str, Any], setting: Setting, totals: Totals) -> Rows:
    """Return the share of a seat with each policy of a line-up that mixes them."""
    chosen = list(dict.fromkeys(setting.policies))
    if len(chosen) == 1:
        return []
    game = setting.call.game
    level = setting.intervals.of_several(len(chosen))
    n, (sums, squares) = int(totals["n_finished"]), totals["payoff_by_policy"]
    rows = []
    for name in chosen:
        code = game.policy(name).code
        n_seats = setting.policies.count(name)
        unit = WHOLE_WIN * setting.n_rotations * n_seats
        sums_of = SampleSums(n, int(sums[code]), int(squares[code]), unit)
        estimate = setting.intervals.kept(share(sums_of, level))
        rows.append({**labels, "policy": name, "n_seats": n_seats, **estimate.as_row()})
    return rows


def _seat_advantage(labels: dict[str, Any], setting: Setting, totals: Totals) -> Rows:
    """Return how far each place in turn order is from a fair share, in points, all intervals at once."""
    unit = WHOLE_WIN * setting.n_rotations
    level = setting.intervals.of_several(setting.seats)
    rows = []
    for place, sums in numbered(_samples(totals, "payoff_by_order", unit, setting.seats)):
        estimate = setting.intervals.kept(mean(sums, level)).shifted(-1 / setting.seats).scaled(POINTS)
        verdict = verdict_of(estimate, setting.margin, _n_truncated(totals))
        rows.append({**labels, "place": place, **estimate.as_row(), "verdict": verdict})
    return rows


def _length(labels: dict[str, Any], setting: Setting, totals: Totals) -> dict[str, Any]:
    """Return the mean length in turns with quantiles; no mean where too many playouts were truncated.

    Where they are too many for a verdict, `limit_needed` is the turn limit that would do, if one can be foreseen.
    """
    total, square = totals["length"]
    n, n_truncated = int(totals["n_playouts"]), _n_truncated(totals)
    sums = SampleSums(n, int(total), int(square), setting.n_rotations)
    cumulated = np.cumsum(totals["length_of"])
    quantiles = {
        f"quantile_{round(part * POINTS)}": int(np.searchsorted(cumulated, part * cumulated[-1])) for part in QUANTILES
    }
    level = setting.intervals.level
    told = row_of(None if is_cut_short(n_truncated, n) else mean(sums, level), n, level)
    cut = {"truncated": n_truncated / n, "limit_needed": math.nan}
    if n_truncated > MOST_TRUNCATED_FOR_VERDICT * n:
        _, enough = limit_that_would_do(
            totals["length_of"], n_truncated / n, MOST_TRUNCATED_FOR_VERDICT, setting.n_rotations
        )
        cut["limit_needed"] = math.nan if enough is None else float(enough)
    return {**labels, **told, "sd": _spread(totals["length_of"]), **quantiles, **cut}


def _spread(n_of_length: Any) -> float:
    """Return the standard deviation of the length of a playout, from how many have each length."""
    lengths = np.arange(len(n_of_length))
    centre = np.average(lengths, weights=n_of_length)
    return float(np.sqrt(np.average((lengths - centre) ** 2, weights=n_of_length)))


def _counts(labels: dict[str, Any], setting: Setting, totals: Totals) -> Rows:
    """Return how often a counted number is reached; the rotations of a line-up count as one playout."""
    n_rows, n = int(totals["n_rows"]), int(totals["n_playouts"])
    rows = []
    for name in setting.call.game.counted:
        reached = np.cumsum(totals[f"count_{name}"][::-1])[::-1]
        for number in np.flatnonzero(reached):
            part = int(reached[number]) / n_rows
            estimate = wilson(round(part * n), n, setting.intervals.level)
            row = {**estimate.as_row(), "value": part}
            rows.append({**labels, "count": name, "at_least": int(number), **row})
    return rows


def _tally_rows(labels: dict[str, Any], setting: Setting, totals: Totals, name: str) -> Rows:
    """Return the mean per playout of each place of a tally, with the error that its cells tell."""
    if f"tally_{name}" not in totals:
        return []
    cells = totals.get(f"cells_{name}")
    rows = []
    for place, about in places(setting, name, labels["variant"]):
        total = int(np.sum(totals[f"tally_{name}"][place]))
        sums = (0, 0) if cells is None else (int(cells[0][place]), int(cells[1][place]))
        rows.append({**labels, **about, **_per_playout(setting, totals, total, sums)})
    return rows


def places(setting: Setting, name: str, variant: str) -> list[tuple[Any, dict[str, Any]]]:
    """Return the places of a tally that have a meaning, and the columns that name them."""
    game, ruleset = setting.call.game, setting.rulesets[variant]
    if name == "flow":
        return [
            ((resource, source), {"resource": what, "source": why})
            for resource, what in enumerate(game.resources)
            for source, why in enumerate(game.sources)
        ]
    if name == "decisions":
        return [(kind, {"decision": what}) for kind, what in enumerate(game.decisions)]
    if name == "uses":
        family = game.families[0]  # uses are counted by row of the first family's table
        key = setting.keys[family.table]
        return [(row, {"item": str(values[key])}) for row, values in enumerate(game.items(family, ruleset))]
    spaces = enumerate(game.spaces(ruleset))
    return [(space, {"space": space, "name": title, "quantity": name}) for space, title in spaces]


def _per_playout(setting: Setting, totals: Totals, total: int, cell_sums: tuple[int, int]) -> dict[str, Any]:
    """Return a tally per row with its interval; without two whole cells there is no error to tell."""
    n_cells, n_rows = int(totals["n_cells"]), int(totals["n_rows"])
    value = total / n_rows
    level = setting.intervals.level
    row = {**row_of(None, int(totals["n_playouts"]), level), "value": value}
    if n_cells >= FEWEST:
        sums = SampleSums(n_cells, *cell_sums, CELL * setting.n_rotations)
        spread = mean(sums, level)
        row |= {"mcse": spread.mcse}
        row |= {"lower": value - (spread.value - spread.lower), "upper": value + (spread.upper - spread.value)}
    return row


def _compare(about: dict[str, Any], setting: Setting, totals: Totals) -> Rows:
    """Return the paired lift of a variant: win shares in points, length in turns."""
    n = int(totals["n_both"])
    n_lost = int(totals["n_playouts"]) - n
    quality = {"discordant": int(totals["n_discordant"]) / n}
    rows = []
    for quantity, sums, unit in _quantities(setting, totals):
        is_length = quantity == "length"
        level = setting.intervals.level if is_length else setting.intervals.of_several(setting.seats)
        estimate = None if is_cut_short(n_lost, n + n_lost) else paired(sums, n, unit, level)
        judged = {}
        if estimate is not None and not is_length:
            estimate = setting.intervals.kept(estimate).scaled(POINTS)
            judged = {"verdict": change_verdict_of(estimate, setting.margin, n_lost)}
        ratio = variance_reduction_factor(paired_sums(sums, n, unit))
        what = {"quantity": quantity, "unit": "turns" if is_length else "points"}
        told = row_of(estimate, n, level)
        rows.append({**about, **what, **told, **quality, "variance_reduction": ratio, **judged})
    return rows


def _quantities(setting: Setting, totals: Totals) -> list[tuple[str, Any, int]]:
    """Return name, pair sums and unit of everything that is compared."""
    whole = WHOLE_WIN * setting.n_rotations
    found: list[tuple[str, Any, int]] = []
    for key, name in (("by_seat", "seat"), ("by_order", "place")):
        found += [
            (f"win share, {name} {number_of(index)}", totals[key][:, index], whole) for index in range(setting.seats)
        ]
    chosen = list(dict.fromkeys(setting.policies))
    game = setting.call.game
    for name in chosen if len(chosen) > 1 else []:
        unit = whole * setting.policies.count(name)
        found.append((f"win share, policy {name}", totals["by_policy"][:, game.policy(name).code], unit))
    return [*found, ("length", totals["length"], setting.n_rotations)]
