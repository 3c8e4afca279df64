"""Rows that come from recorded playouts, after everything else was played: draw lifts and ruleset metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.experiment.draws import draw_rows, n_recorded_for_draws
from sim.experiment.ruleset_metrics import WORK_OF_METRICS, metric_rows
from sim.experiment.sample import Meter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sim.engine.blocks import Played
    from sim.experiment.arms import Setting
    from sim.experiment.plan import Plan

Rows = list[dict[str, Any]]


def recorded_rows(
    plan: Plan,
    todo: Sequence[Setting],
    played: Sequence[Played],
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Rows]:
    """Return rows by table.

    Args:
        plan: The plan.
        todo: Its settings.
        played: Totals of each setting.
        progress: Called with the playouts recorded and in all; fits and rollouts count as the playouts that could be
            recorded meanwhile.

    """
    meter = Meter(sum(work_of(plan, setting) for setting in todo), progress)
    rows: dict[str, Rows] = {"item_balance": []}
    for setting, outcome in zip(todo, played, strict=True):
        rows["item_balance"] += draw_rows(plan, setting, meter)
        for name, found in metric_rows(plan, setting, outcome, meter).items():
            rows.setdefault(name, []).extend(found)
    return rows


def work_of(plan: Plan, setting: Setting) -> int:
    """Return about how many playouts are recorded for a setting, other work counted as playouts.

    Args:
        plan: The plan.
        setting: The setting.

    """
    return n_recorded_for_draws(plan, setting) + WORK_OF_METRICS * plan.recorded_playouts * len(plan.variants)
