"""`sim check`: balance as a test, with an exit code for scripts and a report for build servers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from sim.cli import options, output, playing
from sim.cli.guard import ExitCode
from sim.cli.progress import note

if TYPE_CHECKING:
    from sim.experiment.plan import Plan
    from sim.experiment.results import Result

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
    seed: options.Seed = None,
    changes: playing.PlanChanges = None,
    out: options.Out = None,
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
    folder = playing.RESULTS / plan_file.stem if out is None else out
    refuse_unfit(plan, plan_file, folder, junit)
    chosen = options.form_of(form, as_json)
    if dry_run:
        playing.show_intent(plan, playing.Printing("check", chosen, []), folder)
        return
    result = result_of(plan, folder, jobs, fresh)
    checks = checking.check(result)
    place = checking.overall(checks)
    if junit is not None:
        checking.write_junit(junit, checking.junit(result, checks, plan_file.stem))
    report = output.Report(
        "check",
        checking.tables_of(checks),
        [plan.question, checking.sentence(checks)],
        plan.seed,
        result.fingerprint,
        {"question": plan.question, "verdict": str(place), "game": plan.game, "result_hash": result.result_hash},
    )
    output.show(report, chosen)
    note(f"files: {folder}" + (f", {junit}" if junit is not None else ""))
    if CODES[place]:
        raise typer.Exit(CODES[place])


def refuse_unfit(plan: Plan, plan_file: Path, folder: Path, junit: Path | None) -> None:
    """Stop before anything is played if there is nothing to judge or nowhere to write.

    Raises:
        ValueError: The plan has no band, or a place cannot be written.

    """
    if not plan.band:
        message = f"{plan_file}: found no [[band]], expected one at least: a table and its limits (README.md)"
        raise ValueError(message)
    playing.refuse_place(folder)
    if junit is not None and not junit.absolute().parent.is_dir():
        message = f"--junit: found no folder '{junit.parent}', expected one that exists"
        raise ValueError(message)
    if junit is not None and junit.is_dir():
        message = f"--junit: found the folder '{junit}', expected the name of a file"
        raise ValueError(message)


def result_of(plan: Plan, folder: Path, jobs: int | None, is_fresh: bool) -> Result:
    """Return the result of a plan: the one that stands in its folder if it is the same, or a new one, saved there."""
    from sim import jit  # noqa: PLC0415
    from sim.experiment.results import find_finished  # noqa: PLC0415

    found = None if is_fresh else find_finished(plan, folder, jit.source_hash())
    if found is not None:
        note("judged by the result that is there already, from the same plan and sources; --fresh plays again")
        return found
    result = playing.played(plan, jobs, playing.Keeping(folder, None, is_fresh))
    result.save(folder)
    return result
