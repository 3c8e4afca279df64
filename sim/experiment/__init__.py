"""Experiments: a plan becomes arms, arms become integer totals, totals become tables with errors.

`read_plan` and `check_plan` give a checked `Plan`; `run.run_plan` plays it into a `results.Result`: tidy tables
with their papers, an answer in one sentence, and a folder that can be saved, loaded, resumed and reused.
"""

from sim.experiment.plan import Plan, PlanError, check_plan, plan_schema, read_plan

__all__ = ["Plan", "PlanError", "check_plan", "plan_schema", "read_plan"]
