"""Tables: integer totals turned into estimates, each with its error; items have a file of their own."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from sim.engine.blocks import CELL
from sim.engine.contract import WHOLE_WIN
from sim.engine.seating import number_of, numbered
from sim.experiment.advice import advice_rows
from sim.experiment.claims import SAME, claim_rows
from sim.experiment.intervention_tables import intervention_rows
from sim.experiment.item_tables import (
    N_ITEM_ROWS,
    compare_items,
    is_answer,
    item_rows,
    item_shares,
    summarise_items,
)
from sim.experiment.plan import ADVICE, ESTIMANDS
from sim.experiment.quantities import LENGTH, PLACE, POLICY, SEAT, WIN_SHARE, label
from sim.experiment.verdicts import (
    POINTS,
    change_verdict_of,
    is_cut_short,
    limit_that_would_do,
    n_free,
    paired_sums,
    row_of,
    verdict_of,
)
from sim.statistics.bounded import open_mean
from sim.statistics.checks import MOST_TRUNCATED_FOR_VERDICT
from sim.statistics.estimate import (
    Estimate,
    SampleSums,
    binomial_error,
    exact_limits,
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
FEWEST_ALIKE: Final = 40  # playouts, all alike, that tell that two profiles play the same
MARKED: Final = ("seat_advantage", "comparisons", "advice", "item_balance")
"""Tables whose rows are told once more over all profiles."""

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
                n_rows = n_compared(plan, setting)
                farthest = _widest_change(outcome.arms, (variant.name, base))
                rows["comparisons"] += _compare(about, setting, totals, (n_rows, farthest))
                rows["comparisons"] += compare_items(about, setting, totals, n_rows)
        rows["advice"] += advice_rows(plan, setting, outcome)
        rows["item_balance"] += item_rows(plan, setting, outcome)
        rows["item_balance"] += intervention_rows(plan, setting, outcome)
    for name, more in (recorded or {}).items():
        rows[name] += more
    _mark_same_play(rows, same_play(played))
    rows["claims"] = claim_rows(plan, rows)
    rows["item_summary"] = summarise_items(plan, rows["item_balance"])
    return {name: pd.DataFrame(found) for name, found in rows.items() if found and plan.wants(name)}


def same_play(played: Sequence[tuple[Setting, Played]]) -> dict[tuple[int, str], str]:
    """Return who plays the same, by number of seats and profile: the names of all that do, the first one in front.

    Profiles play the same playouts, so those whose totals agree to the last number in every variant (payoffs, lengths,
    items, tallies; all but the names of the policies) differ in no choice that mattered.

    Args:
        played: What was played in each setting.

    """
    groups: dict[tuple[int, str], list[str]] = {}
    for setting, outcome in played:
        if len(set(setting.policies)) == 1 and outcome.n_playouts >= FEWEST_ALIKE:
            groups.setdefault((setting.seats, _print_of(outcome)), []).append(setting.profile.name)
    return {(seats, name): SAME.join(names) for (seats, _), names in groups.items() if len(names) > 1 for name in names}


def _print_of(outcome: Played) -> str:
    """Return a hash of everything that a setting's arms left, but for which policy it was."""
    found = hashlib.sha256()
    for arm, totals in sorted(outcome.arms.items()):
        for name, values in sorted(totals.items()):
            if name != "payoff_by_policy":
                found.update(f"{arm} {name} {values.shape}".encode())
                found.update(np.ascontiguousarray(values, np.int64).tobytes())
    return found.hexdigest()


def _mark_same_play(rows: Mapping[str, Rows], same: Mapping[tuple[int, str], str]) -> None:
    """Add to the rows of profiles that play the same who they are."""
    for name in MARKED if same else ():
        for row in rows[name]:
            row["same_play"] = same.get((row["seats"], row["profile"]), "")


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
            compared = _compare(about, setting, totals, (n_compared(plan, setting), 1.0))
            rows += [row for row in compared if row["unit"] == "points"]
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
    samples, n_arms = share_samples(setting, totals), len(setting.rulesets)
    estimates = setting.intervals.shares(samples, setting.n_rotations, n_arms)
    n_truncated, n = _n_truncated(totals), int(totals["n_playouts"])
    rows = []
    for seat, estimate in enumerate(estimates):
        worst, best = worst_case_bounds(estimate.value, n_truncated, n)
        about = {**labels, "seat": number_of(seat), "policy": setting.policies[seat]}
        cut = {"truncated": n_truncated / n, "worst_case": worst, "best_case": best}
        rows.append({**about, **row_of(estimate, n, setting.intervals.level), **cut})
    return rows


def _policy_share(labels: dict[str, Any], setting: Setting, totals: Totals) -> Rows:
    """Return the share of a seat with each policy of a line-up that mixes them."""
    chosen = list(dict.fromkeys(setting.policies))
    if len(chosen) == 1:
        return []
    game = setting.call.game
    level = setting.intervals.of_several(n_free(len(chosen)) * len(setting.rulesets))
    n, (sums, squares) = int(totals["n_finished"]), totals["payoff_by_policy"]
    rows = []
    for name in chosen:
        code = game.policy(name).code
        n_seats = setting.policies.count(name)
        unit = WHOLE_WIN * setting.n_rotations * n_seats
        sums_of = SampleSums(n, int(sums[code]), int(squares[code]), unit)
        estimate = setting.intervals.share(sums_of, level, setting.n_rotations * n_seats)
        rows.append({**labels, "policy": name, "n_seats": n_seats, **row_of(estimate, n, setting.intervals.level)})
    return rows


def _seat_advantage(labels: dict[str, Any], setting: Setting, totals: Totals) -> Rows:
    """Return how far each place in turn order is from a fair share, in points, all intervals at once."""
    unit = WHOLE_WIN * setting.n_rotations
    samples = _samples(totals, "payoff_by_order", unit, setting.seats)
    shares = setting.intervals.shares(samples, setting.n_rotations, len(setting.rulesets))
    rows = []
    for place, share in numbered(shares):
        estimate = share.shifted(-1 / setting.seats).scaled(POINTS)
        judged = verdict_of(estimate, setting.margin, _n_truncated(totals))
        told = row_of(estimate, estimate.n_playouts, setting.intervals.level)
        rows.append({**labels, "place": place, **told, **judged})
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
    estimate = None
    if not is_cut_short(n_truncated, n):
        each = setting.intervals.of_several(len(setting.rulesets))
        estimate = open_mean(sums, _farthest(totals["length_of"], sums.mean), each, 0.0)
    told = row_of(estimate, n, level)
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


def _farthest(n_of_length: Any, centre: float = 0.0) -> float:
    """Return how far from a centre the lengths of playouts lie, at least one turn."""
    seen = np.flatnonzero(n_of_length)
    return max(1.0, float(seen[-1]) - centre, centre - float(seen[0]))


def _widest_change(arms: Mapping[str, Totals], names: Sequence[str]) -> float:
    """Return by how many turns two playouts of these arms differ at most, by the lengths that were seen."""
    seen = [np.flatnonzero(arms[name]["length_of"]) for name in names if arms.get(name)]
    if not seen:
        return 1.0
    return max(1.0, float(max(lengths[-1] for lengths in seen) - min(lengths[0] for lengths in seen)))


def _counts(labels: dict[str, Any], setting: Setting, totals: Totals) -> Rows:
    """Return how often a counted number is reached; the rotations of a line-up count as one playout."""
    n_rows, n = int(totals["n_rows"]), int(totals["n_playouts"])
    reached_of = {name: np.cumsum(totals[f"count_{name}"][::-1])[::-1] for name in setting.call.game.counted}
    numbers = [(name, int(number)) for name, reached in reached_of.items() for number in np.flatnonzero(reached)]
    level = setting.intervals.of_several(max(1, len(numbers)) * len(setting.rulesets))
    rows = []
    for name, number in numbers:
        part = int(reached_of[name][number]) / n_rows
        estimate = Estimate(part, binomial_error(part, n), *exact_limits(part * n, n, level), level, n)
        row = row_of(estimate, n, setting.intervals.level)
        rows.append({**labels, "count": name, "at_least": number, **row})
    return rows


def _tally_rows(labels: dict[str, Any], setting: Setting, totals: Totals, name: str) -> Rows:
    """Return the mean per playout of each place of a tally, with the error that its cells tell."""
    if f"tally_{name}" not in totals:
        return []
    cells = totals.get(f"cells_{name}")
    found = places(setting, name, labels["variant"])
    level = setting.intervals.of_several(max(1, len(found)) * len(setting.rulesets))
    rows = []
    for place, about in found:
        total = int(np.sum(totals[f"tally_{name}"][place]))
        sums = (0, 0) if cells is None else (int(cells[0][place]), int(cells[1][place]))
        rows.append({**labels, **about, **_per_playout(setting, totals, total, (*sums, level))})
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


def _per_playout(setting: Setting, totals: Totals, total: int, cells: tuple[int, int, float]) -> dict[str, Any]:
    """Return a tally per row with its interval; without two whole cells there is no error to tell.

    Args:
        setting: The setting.
        totals: Totals of the arm.
        total: The tally over all rows.
        cells: Sum and sum of squares of the tally over whole cells, and the level of its interval.

    """
    n_cells, n_rows = int(totals["n_cells"]), int(totals["n_rows"])
    value = total / n_rows
    row = {**row_of(None, int(totals["n_playouts"]), setting.intervals.level), "value": value}
    if n_cells >= FEWEST:
        *sums, level = cells
        whole = SampleSums(n_cells, int(sums[0]), int(sums[1]))
        # the size of one event, as the spread of rare events tells it
        event = max(1.0, whole.variance / abs(whole.mean)) if whole.total else 1.0
        unit = CELL * setting.n_rotations
        spread = open_mean(SampleSums(n_cells, whole.total, whole.total_of_squares, unit), event / unit, level)
        reach = spread.upper - spread.value
        row |= {"mcse": spread.mcse, "lower": value - reach, "upper": value + reach, "level_each": level}
    return row


def _compare(about: dict[str, Any], setting: Setting, totals: Totals, of_table: tuple[int, float]) -> Rows:
    """Return the paired lift of a variant: win shares in points, length in turns.

    `differing` is the share of playouts in which the row's own quantity differs.

    Args:
        about: Columns that say what is compared.
        setting: The setting.
        totals: Totals of the pair.
        of_table: How many rows the table has of this setting, and by how many turns two playouts differ at most.

    """
    n = int(totals["n_both"])
    n_lost = int(totals["n_playouts"]) - n
    n_rows, farthest = of_table
    level = setting.intervals.of_several(n_rows)
    rows = []
    for quantity, sums, unit in _quantities(setting, totals):
        is_length = quantity == "length"
        pair = paired_sums(sums, n, unit)
        estimate, judged = None, {}
        if not is_cut_short(n_lost, n + n_lost):
            found = pair.lift_sums()
            if is_length:
                estimate = open_mean(found, farthest, level)
            else:
                estimate = setting.intervals.lift(found, level).scaled(POINTS)
                judged = change_verdict_of(estimate, setting.margin, n_lost)
        what = {"quantity": quantity, "unit": "turns" if is_length else "points"}
        told = row_of(estimate, n, setting.intervals.level)
        quality = {"differing": int(sums[-1]) / n, "variance_reduction": variance_reduction_factor(pair)}
        rows.append({**about, **what, **told, **quality, **judged})
    return rows


def n_compared(plan: Plan, setting: Setting) -> int:
    """Return how many rows comparisons have of a setting at most: seats, places, policies, length, items."""
    n_policies = max(len(set(profile.policies)) for profile in plan.profiles)
    n_mixed = n_free(n_policies) if n_policies > 1 else 0
    n_rows = 2 * n_free(setting.seats) + n_mixed + 1 + N_ITEM_ROWS * len(setting.items)
    return n_rows * max(1, len(plan.variants) - 1)


def _quantities(setting: Setting, totals: Totals) -> list[tuple[str, Any, int]]:
    """Return name, pair sums and unit of everything that is compared."""
    whole = WHOLE_WIN * setting.n_rotations
    found: list[tuple[str, Any, int]] = []
    for key, name in (("by_seat", SEAT), ("by_order", PLACE)):
        found += [
            (label(WIN_SHARE, name, number_of(index)), totals[key][:, index], whole) for index in range(setting.seats)
        ]
    chosen = list(dict.fromkeys(setting.policies))
    game = setting.call.game
    for name in chosen if len(chosen) > 1 else []:
        unit = whole * setting.policies.count(name)
        found.append((label(WIN_SHARE, POLICY, name), totals["by_policy"][:, game.policy(name).code], unit))
    return [*found, (LENGTH, totals["length"], setting.n_rotations)]
