"""Rows that come from recorded playouts, after everything else was played: draw lifts and ruleset metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.experiment.draws import draw_rows
from sim.experiment.ruleset_metrics import metric_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.engine.blocks import Played
    from sim.experiment.arms import Setting
    from sim.experiment.plan import Plan

Rows = list[dict[str, Any]]


def recorded_rows(plan: Plan, todo: Sequence[Setting], played: Sequence[Played]) -> dict[str, Rows]:
    """Return rows by table.

    Args:
        plan: The plan.
        todo: Its settings.
        played: Totals of each setting.

    """
    rows: dict[str, Rows] = {"item_balance": []}
    for setting, outcome in zip(todo, played, strict=True):
        rows["item_balance"] += draw_rows(plan, setting)
        for name, found in metric_rows(plan, setting, outcome).items():
            rows.setdefault(name, []).extend(found)
    return rows
