"""`sim run` and `sim play`: an experiment from its plan, or one question from the command line."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from sim.cli import assuming, options, output
from sim.cli.guard import NOTHING_LEFT
from sim.cli.live import live
from sim.cli.progress import note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sim.experiment.asking import Stopping
    from sim.experiment.plan import Plan
    from sim.experiment.results import Result

RESULTS: Final = Path("results")
OPTION_OF: Final = {
    "play: profile.0.policies": "--policy",
    "play: variant.0.changes": "--set",
    "play: variant.1.changes": "--vs",
    "play: seats": "--seats",
    "play: margin": "--margin",
    "play: level": "--level",
    "play: precision": "--precision",
}
"""The option behind each key of the plan that a question becomes."""
MAIN_TABLES: Final = (
    "win_share",
    "seat_advantage",
    "length",
    "item_balance",
    "comparisons",
    "advice",
    "stops",
    "ruleset_metrics",
)
"""What people are shown unless they ask for others; programs get all."""

PlanFile = Annotated[Path, typer.Argument(metavar="PLAN", help="A plan in TOML.", show_default=False)]
PlanPlayouts = Annotated[
    int | None,
    typer.Option(
        "-n",
        "--playouts",
        parser=options.count_of_playouts,
        metavar="N",
        help="Playouts of the baseline over all profiles, instead of the plan's; paired arms shrink alike. With "
        "--precision or --until-decided the most of them.",
        show_default=False,
    ),
]
PlanChanges = Annotated[
    list[str] | None,
    typer.Option(
        "--set", "-S", metavar="KEY=VALUE", help="Change a key of the plan; may be repeated.", show_default=False
    ),
]
Versus = Annotated[
    list[str] | None,
    typer.Option(
        "--vs",
        metavar="KEY=VALUE",
        help="Also play with this change on top, on the same luck, and show the lift; may be repeated.",
        show_default=False,
    ),
]
Keep = Annotated[
    str | None,
    typer.Option("--keep", metavar="rows", help="Also write every row as Parquet; needs pyarrow.", show_default=False),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Play again even if the same result is there.")]
Tables = Annotated[
    list[str] | None,
    typer.Option("--table", metavar="NAME", help="Print only this table; may be repeated.", show_default=False),
]


@dataclass(frozen=True)
class Printing:
    """How a result is printed.

    Attributes:
        command: Name of the command.
        form: Table, JSON, CSV or Markdown.
        tables: Names of the tables to print; all if empty.

    """

    command: str
    form: output.Format
    tables: list[str]


@dataclass(frozen=True)
class Keeping:
    """What of a run is kept, and where.

    Attributes:
        folder: Results folder, or None where nothing is kept.
        keep: `rows` to keep every row, or None.
        is_fresh: True to play all anew, whatever the folder holds.

    """

    folder: Path | None = None
    keep: str | None = None
    is_fresh: bool = False


def run(
    plan_file: PlanFile,
    *,
    n_playouts: PlanPlayouts = None,
    precision: options.Precision = None,
    until_decided: options.UntilDecided = False,
    margin: options.Margin = None,
    level: options.Level = None,
    seed: options.Seed = None,
    changes: PlanChanges = None,
    out: options.Out = None,
    keep: Keep = None,
    fresh: Fresh = False,
    assumed: assuming.AssumedOption = None,
    jobs: options.Jobs = None,
    dry_run: options.DryRun = False,
    tables: Tables = None,
    form: options.Form = output.Format.TABLE,
    as_json: options.AsJson = False,
) -> None:
    """Run a plan: the answer, its tables, and files in results/ (or --out)."""
    from sim import jit  # noqa: PLC0415
    from sim.experiment.asking import Stopping  # noqa: PLC0415
    from sim.experiment.plan import read_plan  # noqa: PLC0415
    from sim.experiment.results import find_finished  # noqa: PLC0415

    plan = read_plan(plan_file)
    if assumed is not None:
        unused = {"--precision": precision, "--until-decided": until_decided, "--level": level, "--keep": keep}
        assuming.refuse_meaningless(unused)
        budget = assuming.changes_of_budget(options.read_changes(changes), n_playouts)
        plan = changed_plan(plan, budget, Stopping(margin=margin), seed, str(plan_file))
        place = RESULTS / f"{plan_file.stem}_assumed" if out is None else out
        refuse_place(place)
        shown = options.form_of(form, as_json)
        assuming.run_band(plan, place, shown, jobs=jobs, is_fresh=fresh, dry_run=dry_run, tables=tables)
        return
    stopping = Stopping(n_playouts, precision, until_decided, margin, level)
    plan = changed_plan(plan, options.read_changes(changes), stopping, seed, str(plan_file))
    folder = RESULTS / plan_file.stem if out is None else out
    refuse_place(folder)
    printing = Printing("run", options.form_of(form, as_json), tables or [])
    refuse_tables(printing.tables)
    if dry_run:
        show_intent(plan, printing, folder)
        return
    result = None if fresh or keep else find_finished(plan, folder, jit.source_hash())
    if result is not None:
        note("the same result is there already, from the same plan and sources; --fresh plays again")
    else:
        result = played(plan, jobs, Keeping(folder, keep, fresh))
        result.save(folder)
    show_result(result, printing)
    note(f"files: {folder}")


def play(
    game: options.GameName,
    *,
    n_playouts: options.Count = None,
    precision: options.Precision = None,
    until_decided: options.UntilDecided = False,
    margin: options.Margin = None,
    level: options.Level = None,
    seats: options.Seats = None,
    policy: options.Policies = None,
    changes: options.Changes = None,
    versus: Versus = None,
    seed: options.Seed = None,
    out: options.Out = None,
    jobs: options.Jobs = None,
    dry_run: options.DryRun = False,
    tables: Tables = None,
    form: options.Form = output.Format.TABLE,
    as_json: options.AsJson = False,
) -> None:
    """Play a game many times: win shares and length, and the lift of a change."""
    from sim.experiment.asking import Stopping, asked_plan  # noqa: PLC0415

    seed = options.drawn_seed(seed)
    variants = [options.read_changes(changes)]
    if versus:
        variants.append({**variants[0], **options.read_changes(versus)})
    stopping = Stopping(n_playouts, precision, until_decided, margin, level)
    with named_by_options():
        plan = asked_plan(game, variants, seats, options.read_names(policy), seed, stopping).telling(tables or [])
    printing = Printing("play", options.form_of(form, as_json), tables or [])
    refuse_tables(printing.tables)
    if out is not None:
        refuse_place(out)
    if dry_run:
        show_intent(plan, printing, out)
        return
    result = played(plan, jobs, Keeping(out))
    if out is not None:
        result.save(out)
    show_result(result, printing)
    if out is not None:
        note(f"files: {out}")


@contextlib.contextmanager
def named_by_options() -> Iterator[None]:
    """Let faults in a question name the options that it was asked by, not the keys of a plan.

    Raises:
        ValueError: There is a fault.

    """
    from sim.experiment.asking import renamed  # noqa: PLC0415
    from sim.experiment.plan import PlanError  # noqa: PLC0415

    try:
        yield
    except PlanError as fault:
        raise ValueError(renamed(fault, OPTION_OF)) from fault


def changed_plan(plan: Plan, changes: dict[str, Any], stopping: Stopping, seed: int | None, where: str) -> Plan:
    """Return a plan with some of its keys changed from the command line.

    Raises:
        ValueError: A key or value is wrong.

    """
    from sim.experiment.plan import check_plan  # noqa: PLC0415

    found = plan.model_dump(by_alias=True)
    for key, value in changes.items():
        *path, last = key.split(".")
        inner = found
        for name in path:
            inner = inner.setdefault(name, {})
            if not isinstance(inner, dict):
                message = f"{where}: {key}: found no table '{name}' in the plan"
                raise ValueError(message)  # noqa: TRY004  (a wrong word of the user's)
        inner[last] = value
    found = stopping.changed(found)
    if stopping.n_playouts is not None and "playouts" in found:
        before = plan.baseline_playouts * len(plan.profiles)
        fewer = plan.paired_playouts * stopping.n_playouts // before
        found["paired_playouts"] = min(plan.paired_playouts, max(1, fewer))
    if seed is not None:
        found["seed"] = seed
    return check_plan(found, where)


def refuse_tables(names: list[str]) -> None:
    """Stop before anything is played if a table is asked for that no result has.

    Raises:
        ValueError: There is no such table; the nearest is offered.

    """
    from sim.components import nearest  # noqa: PLC0415
    from sim.experiment.plan import ESTIMANDS  # noqa: PLC0415

    for name in names:
        if name not in ESTIMANDS:
            known = list(ESTIMANDS)
            message = f"--table: found '{name}', expected one of {', '.join(known)}{nearest(name, known)}"
            raise ValueError(message)


def refuse_place(folder: Path) -> None:
    """Stop before anything is played if results cannot be written there.

    Raises:
        ValueError: The place, or one above it, is a file or may not be written.

    """
    place = folder.absolute()
    while not place.exists() and place != place.parent:
        place = place.parent
    if not place.is_dir():
        message = f"{folder}: cannot hold results, '{place.name}' is a file; choose another folder with --out"
        raise ValueError(message)
    if not os.access(place, os.W_OK):
        message = f"{folder}: no permission to write there; choose another folder with --out"
        raise ValueError(message)


def played(plan: Plan, jobs: int | None, keeping: Keeping) -> Result:
    """Play a plan with progress on standard error; Ctrl-C keeps the blocks that were finished, and says where.

    Raises:
        KeyboardInterrupt: It was pressed; what was finished is in the folder, if there is one.

    """
    from sim import games  # noqa: PLC0415
    from sim.cli.kernels import prepare  # noqa: PLC0415
    from sim.experiment.run import run_plan  # noqa: PLC0415

    prepare(games.get(plan.game))
    command = shlex.join(["sim", *sys.argv[1:]])
    with live(plan) as telling:
        result = run_plan(
            plan,
            jobs,
            telling.progress,
            watch=telling.watch,
            recording=telling.recording,
            folder=keeping.folder,
            keep=keeping.keep,
            command=command,
            is_fresh=keeping.is_fresh,
        )
    if result.is_partial:
        raise KeyboardInterrupt(what_is_kept(result, keeping))
    return result


def what_is_kept(result: Result, keeping: Keeping) -> str:
    """Return how far an interrupted run came and how to go on."""
    done = f"{result.n_rows:,} playouts"
    if result.n_rows == 0:
        return NOTHING_LEFT
    if keeping.folder is None:
        return f"{done} were finished, and would have been kept with --out FOLDER"
    if keeping.keep is None:
        return f"{done} are kept in {keeping.folder}; the same command goes on from there"
    return f"the rows of {done} are in {keeping.folder}; a new run starts again"


def show_intent(plan: Plan, printing: Printing, folder: Path | None) -> None:
    """Print what would be played: every arm with about its playouts, rotations counted, and where files would go."""
    from sim import jit  # noqa: PLC0415
    from sim.experiment.run import settings  # noqa: PLC0415

    rows: list[output.Row] = [
        {
            "arm": arm.name,
            "seats": setting.seats,
            "profile": setting.profile.name,
            "policies": [policy.name for policy in arm.lineup],
            "n_rows": round(arm.work(plan.playouts_expected(setting.seats))),
        }
        for setting in settings(plan)
        for arm in setting.call.arms
    ]
    total = sum(row["n_rows"] for row in rows)
    about = "about " if plan.is_stopped else ""
    limit = f", at most {plan.most_of_all:,} of the baseline" if plan.is_stopped else ""
    place = "no files" if folder is None else f"files in {folder}"
    report = output.Report(
        printing.command,
        {"arms": rows},
        [plan.question, f"would play {about}{total:,} playouts in {len(rows)} arms{limit}; {place}"],
        plan.seed,
        jit.source_hash(),
        {"plan": plan.model_dump(by_alias=True), "n_rows": total, "dry_run": True},
    )
    output.show(report, printing.form)


def show_result(result: Result, printing: Printing) -> None:
    """Print a result's answer and tables.

    Raises:
        ValueError: A table was asked for that the result does not have.

    """
    found = result.as_rows()
    order = [name for name in MAIN_TABLES if name in found] + sorted(set(found) - set(MAIN_TABLES))
    tables = {name: found[name] for name in order}
    for name in printing.tables:
        if name not in tables:
            message = f"--table: found '{name}', which this result does not have; it has {', '.join(tables)}"
            raise ValueError(message)
    report = output.Report(
        printing.command,
        {name: rows for name, rows in tables.items() if not printing.tables or name in printing.tables},
        [result.plan.question, result.answer],
        result.plan.seed,
        result.fingerprint,
        {
            "question": result.plan.question,
            "answer": result.answer,
            "game": result.plan.game,
            "result_hash": result.result_hash,
            "n_rows": result.n_rows,
        },
    )
    output.show(report, printing.form, printing.tables or MAIN_TABLES)
