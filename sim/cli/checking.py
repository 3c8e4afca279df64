"""`sim check`: balance as a test, with an exit code for scripts and a report for build servers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from sim.cli import options, output, playing
from sim.cli.exits import ExitCode
from sim.cli.progress import note

if TYPE_CHECKING:
    from sim.experiment.plan import Plan

JunitFile = Annotated[
    Path | None,
    typer.Option("--junit", metavar="FILE", help="Also write the verdicts as JUnit XML.", show_default=False),
]
CODES: Final = {"pass": ExitCode.FINE, "fail": ExitCode.CHECK_FAILED, "undecided": ExitCode.PARTIAL}


def check(
    plan_file: playing.PlanFile,
    *,
    junit: JunitFile = None,
    n_playouts: playing.PlanPlayouts = None,
    seed: options.PlanSeed = None,
    changes: playing.PlanChanges = None,
    out: options.Out = None,
    replace: options.Replace = False,
    fresh: playing.Fresh = False,
    jobs: options.Jobs = None,
    dry_run: options.DryRun = False,
    form: options.Form = output.Format.TABLE,
    as_json: options.AsJson = False,
) -> None:
    """Run a plan and judge it by its bands: exit code 0 if all hold, 1 if one is broken, 4 if one is undecided."""
    from sim.experiment import checking  # noqa: PLC0415
    from sim.experiment.asking import Stopping  # noqa: PLC0415
    from sim.experiment.plan import read_plan  # noqa: PLC0415

    stopping = Stopping(n_playouts)
    plan = playing.changed_plan(read_plan(plan_file), options.read_changes(changes), stopping, seed, str(plan_file))
    refuse_unfit(plan, plan_file, junit)
    keeping = playing.Keeping(playing.settled(plan, out, plan_file.stem, is_replacing=replace), None, fresh, replace)
    chosen = options.form_of(form, as_json)
    if dry_run:
        playing.show_intent(plan, playing.Printing("check", chosen, []), keeping.folder)
        return
    result, is_new = playing.result_of(plan, jobs, keeping)
    checks = checking.check(result)
    place = checking.overall(checks)
    report = output.Report(
        "check",
        checking.tables_of(checks),
        [plan.question, checking.sentence(checks)],
        plan.seed,
        result.fingerprint,
        {"question": plan.question, "verdict": str(place), "game": plan.game, "result_hash": result.result_hash},
    )
    with playing.saved(result if is_new else None, keeping):
        output.show(report, chosen)
    if junit is not None:
        checking.write_junit(junit, checking.junit(result, checks, plan_file.stem))
    note(f"files: {keeping.folder}" + (f", {junit}" if junit is not None else ""))
    if CODES[place]:
        raise typer.Exit(CODES[place])


def refuse_unfit(plan: Plan, plan_file: Path, junit: Path | None) -> None:
    """Stop before anything is played if there is nothing to judge or nowhere to write.

    Raises:
        ValueError: The plan has no band, or a place cannot be written.

    """
    if not plan.band:
        message = f"{plan_file}: found no [[band]], expected one at least: a table and its limits (README.md)"
        raise ValueError(message)
    if junit is not None and not junit.absolute().parent.is_dir():
        message = f"--junit: found no folder '{junit.parent}', expected one that exists"
        raise ValueError(message)
    if junit is not None and junit.is_dir():
        message = f"--junit: found the folder '{junit}', expected the name of a file"
        raise ValueError(message)
