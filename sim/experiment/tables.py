"""Tables: integer totals turned into estimates, each with its error."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from sim.engine.contract import WHOLE_WIN, Termination
from sim.engine.lineup import rotations
from sim.statistics.estimate import (
    CrossSums,
    Estimate,
    RatioSums,
    SampleSums,
    mean,
    ratio,
    ratio_difference,
    share,
)
from sim.statistics.families import simultaneous_level
from sim.statistics.items import sign_stability
from sim.statistics.paired import PairedSums, lift

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.engine.blocks import Played
    from sim.engine.moments import Totals
    from sim.experiment.plan import Plan
    from sim.experiment.run import Item, Setting

LEVEL: Final = 0.95
POINTS: Final = 100
FEWEST: Final = 2  # playouts that a standard error needs
QUANTILES: Final = (0.05, 0.5, 0.95)
CONFOUNDED: Final = "held win rate (confounded)"
Rows = list[dict[str, Any]]


def digest(played: Sequence[tuple[Setting, Played]]) -> str:
    """Return the hash of all integer totals; the same on any machine, for any threads and blocks."""
    found = hashlib.sha256()
    for _, outcome in played:
        for group in (outcome.arms, outcome.pairs):
            for name in sorted(group):
                for key in sorted(group[name]):
                    found.update(f"{name}/{key}".encode())
                    found.update(np.ascontiguousarray(group[name][key], dtype="<i8").tobytes())
    return found.hexdigest()


def make_tables(plan: Plan, played: Sequence[tuple[Setting, Played]]) -> dict[str, pd.DataFrame]:
    """Return all tables of a plan by name."""
    rows: dict[str, Rows] = {
        name: []
        for name in (
            "win_share",
            "seat_advantage",
            "length",
            "item_balance",
            "comparisons",
            "counts",
            "flows",
            "spaces",
            "decisions",
        )
    }
    for setting, outcome in played:
        labels = {"seats": setting.seats, "profile": setting.profile.name}
        for variant in plan.variants:
            totals = outcome.arms.get(variant.name, {})
            if totals and int(totals["n_finished"]) > 1:
                _describe_arm(rows, {"variant": variant.name, **labels}, setting, totals)
        _compare_variants(rows, plan, labels, setting, outcome)
        base = plan.variants[0].name
        rows["item_balance"] += _item_rows({"variant": base, **labels}, setting, outcome, base)
    frames = {name: pd.DataFrame(found) for name, found in rows.items() if found}
    if "item_balance" in frames:
        frames["item_balance"] = _with_signs(frames["item_balance"])
    return frames


def _describe_arm(rows: dict[str, Rows], labels: dict[str, Any], setting: Setting, totals: Totals) -> None:
    rows["win_share"] += _win_share(labels, setting, totals)
    rows["seat_advantage"] += _seat_advantage(labels, setting, totals)
    rows["length"] += _length(labels, setting, totals)
    game = setting.call.game
    for name in game.counted:
        for number in np.flatnonzero(totals[f"count_{name}"]):
            n_rows, count = int(totals["n_rows"]), int(totals[f"count_{name}"][number:].sum())
            estimate = share(SampleSums.of_count(count, n_rows), LEVEL)
            rows["counts"].append({**labels, "count": name, "at_least": int(number), **estimate.as_row()})
    _count_tallies(rows, labels, setting, totals)


def _count_tallies(rows: dict[str, Rows], labels: dict[str, Any], setting: Setting, totals: Totals) -> None:
    """Add exact counts over all playouts played: flows, landings, decisions."""
    game, n_rows = setting.call.game, int(totals["n_rows"])
    counted = {"n_rows": n_rows}
    if "tally_flow" in totals:
        for resource, name in enumerate(game.resources):
            for source, label in enumerate(game.sources):
                amount = int(totals["tally_flow"][resource, source].sum())
                rows["flows"].append({**labels, "resource": name, "source": label, "total": amount, **counted})
    if "tally_landings" in totals:
        for space, landings in enumerate(totals["tally_landings"]):
            lost = int(totals["tally_losses"][space])
            if landings:
                rows["spaces"].append({**labels, "space": space, "landings": int(landings), "lost": lost, **counted})
    for kind, name in enumerate(game.decisions):
        asked = int(totals["tally_decisions"][kind])
        rows["decisions"].append({**labels, "decision": name, "asked": asked, **counted})


def _samples(totals: Totals, key: str, unit: int) -> list[SampleSums]:
    n = int(totals["n_finished"])
    sums, squares = totals[key]
    return [SampleSums(n, int(total), int(square), unit) for total, square in zip(sums, squares, strict=True)]


def _truncated(totals: Totals) -> dict[str, Any]:
    """Return the share of truncated playouts; win shares lie within it of the worst case."""
    truncated = int(totals["terminations"][Termination.TURN_LIMIT])
    return {"truncated": truncated / int(totals["n_rows"])}


def _win_share(labels: dict[str, Any], setting: Setting, totals: Totals) -> Rows:
    """Return the share of the win by chair; rotations of a line-up count as one playout."""
    unit = WHOLE_WIN * len(rotations(setting.call.arms[0].lineup))
    samples = _samples(totals, "payoff_by_seat", unit)[: setting.seats]
    policies = [policy.name for policy in setting.call.arms[0].lineup]
    return [
        {
            **labels,
            "seat": seat,
            "policy": policies[seat],
            **share(sums, LEVEL).as_row(),
            **_truncated(totals),
        }
        for seat, sums in enumerate(samples)
    ]


def _seat_advantage(labels: dict[str, Any], setting: Setting, totals: Totals) -> Rows:
    """Return how far each place in turn order is from a fair share, in points, all intervals at once."""
    unit = WHOLE_WIN * len(rotations(setting.call.arms[0].lineup))
    samples = _samples(totals, "payoff_by_order", unit)[: setting.seats]
    level = simultaneous_level(setting.seats, LEVEL)
    return [
        {
            **labels,
            "order": order,
            **mean(sums, level).shifted(-1 / setting.seats).scaled(POINTS).as_row(),
        }
        for order, sums in enumerate(samples)
    ]


def _length(labels: dict[str, Any], setting: Setting, totals: Totals) -> Rows:
    n_turned = len(rotations(setting.call.arms[0].lineup))
    total, square = totals["length"]
    n_truncated = int(totals["terminations"][Termination.TURN_LIMIT])
    sums = SampleSums(int(totals["n_playouts"]), int(total), int(square), n_turned)
    cumulated = np.cumsum(totals["length_of"])
    quantiles = {
        f"quantile_{int(part * POINTS)}": int(np.searchsorted(cumulated, part * cumulated[-1])) for part in QUANTILES
    }
    limit = sums.n // POINTS
    told = mean(sums, LEVEL).as_row() if n_truncated <= limit else {"value": float("nan"), "n_playouts": sums.n}
    return [{**labels, **told, **quantiles, **_truncated(totals)}]


def _paired(sums: Any, n: int, unit: int, level: float = LEVEL) -> Estimate:
    variant, baseline, variant_squared, baseline_squared, product = (int(number) for number in sums)
    return lift(PairedSums(n, variant, baseline, variant_squared, baseline_squared, product, unit), level)


def _compare_variants(
    rows: dict[str, Rows], plan: Plan, labels: dict[str, Any], setting: Setting, outcome: Played
) -> None:
    """Add the paired lift of every variant over the baseline."""
    unit = WHOLE_WIN * len(rotations(setting.call.arms[0].lineup))
    for variant in plan.variants[1:]:
        totals = outcome.pairs.get(variant.name, {})
        if not totals or int(totals["n_both"]) < FEWEST:
            continue
        n = int(totals["n_both"])
        about = {"variant": variant.name, "baseline": plan.variants[0].name, **labels}
        quality = {"discordant": int(totals["n_discordant"]) / n}
        for key, name in (("by_seat", "seat"), ("by_order", "order")):
            for place in range(setting.seats):
                estimate = _paired(totals[key][:, place], n, unit).scaled(POINTS)
                rows["comparisons"].append(
                    {
                        **about,
                        "quantity": f"win share, {name} {place}",
                        "unit": "points",
                        **estimate.as_row(),
                        **quality,
                    }
                )
        length = _paired(totals["length"], n, len(rotations(setting.call.arms[0].lineup)))
        rows["comparisons"].append({**about, "quantity": "length", "unit": "turns", **length.as_row(), **quality})
        rows["comparisons"] += _compare_items(about, setting, totals, quality)


def _compare_items(about: dict[str, Any], setting: Setting, totals: Totals, quality: dict[str, Any]) -> Rows:
    """Return how the deal lift of each item changes, where the deal is the same on both sides."""
    rows: Rows = []
    for item in setting.items:
        key = f"dealt_{item.family.name}"
        if key in totals and int(totals[f"same_{item.family.name}"]) > 1:
            estimate = _lift_of(totals[key][item.row], int(totals[f"same_{item.family.name}"]), LEVEL)
            if estimate is not None:
                quantity = f"deal lift, {item.name}"
                rows.append(
                    {
                        **about,
                        "quantity": quantity,
                        "unit": "points",
                        **estimate.as_row(),
                        **quality,
                    }
                )
    return rows


def _ratios(moments: Any, n: int) -> tuple[RatioSums, RatioSums, CrossSums]:
    """Return the ratios with and without an item, and their products, from fourteen moments."""
    had, won, lacked, won_without, *products = (int(number) for number in moments)
    had_had, had_won, had_lacked, had_without, won_won, won_lacked, won_other, *rest = products
    lacked_lacked, lacked_without, without_without = rest
    with_it = RatioSums(n, won, had, won_won, had_won, had_had, WHOLE_WIN)
    without = RatioSums(n, won_without, lacked, without_without, lacked_without, lacked_lacked, WHOLE_WIN)
    return with_it, without, CrossSums(won_other, won_lacked, had_without, had_lacked)


def _lift_of(moments: Any, n: int, level: float) -> Estimate | None:
    """Return payoff with the item minus payoff of the others, in points; None if nobody had it."""
    if int(moments[0]) < FEWEST or int(moments[2]) < FEWEST:
        return None
    with_it, without, cross = _ratios(moments, n)
    return ratio_difference(with_it, without, cross, level).scaled(POINTS)


def _item_rows(labels: dict[str, Any], setting: Setting, outcome: Played, base: str) -> Rows:
    """Return the item balance of one setting: deal, grant and ablation lift, and the confounded held rate."""
    totals = outcome.arms.get(base, {})
    if not totals or not setting.items:
        return []
    level = simultaneous_level(len(setting.items), LEVEL)
    n = int(totals["n_finished"])
    rows: Rows = []
    for item in setting.items:
        about = {**labels, "family": item.family.name, "item": item.name}
        found = {
            "deal lift": _lift_of(totals[f"dealt_{item.family.name}"][item.row], n, level),
            "grant lift": _grant(item, outcome, level),
            "ablation lift": _ablation(item, outcome, level),
            CONFOUNDED: _lift_of(totals[f"held_{item.family.name}"][item.row], n, level),
        }
        rows += [{**about, "estimand": name, **one.as_row()} for name, one in found.items() if one is not None]
    return rows


def _grant(item: Item, outcome: Played, level: float) -> Estimate | None:
    totals = outcome.pairs.get(f"grant:{item.family.name}:{item.name}", {})
    if not totals or int(totals["n_both"]) < FEWEST:
        return None
    return _paired(totals["granted"], int(totals["n_both"]), WHOLE_WIN, level).scaled(POINTS)


def _ablation(item: Item, outcome: Played, level: float) -> Estimate | None:
    totals = outcome.pairs.get(f"ablation:{item.family.name}:{item.name}", {})
    if not totals:
        return None
    moments, n = (
        totals[f"dealt_{item.family.name}"][item.row],
        int(totals[f"same_{item.family.name}"]),
    )
    if int(moments[0]) < FEWEST:
        return None
    return ratio(_ratios(moments, n)[0], level).scaled(POINTS)


def _with_signs(frame: pd.DataFrame) -> pd.DataFrame:
    """Add whether the sign of each item's lift is the same under all profiles."""
    keys = ["variant", "seats", "family", "item", "estimand"]
    signs = {}
    for key, group in frame.groupby(keys):
        lifts = [
            Estimate(*row)
            for row in group[["value", "mcse", "lower", "upper", "level", "n_playouts"]].itertuples(index=False)
        ]
        signs[key] = str(sign_stability(lifts)) if len(lifts) > 1 else "one profile"
    frame["sign"] = [signs[tuple(row)] for row in frame[keys].itertuples(index=False)]
    return frame
