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
from sim.cli.exits import NOTHING_LEFT
from sim.cli.live import live
from sim.cli.progress import note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
        is_fresh: True to play all anew, even if the same result is there.
        is_replacing: True to take the place of another result.

    """

    folder: Path | None = None
    keep: str | None = None
    is_fresh: bool = False
    is_replacing: bool = False


def run(
    plan_file: PlanFile,
    *,
    n_playouts: PlanPlayouts = None,
    precision: options.Precision = None,
    until_decided: options.UntilDecided = False,
    margin: options.Margin = None,
    level: options.Level = None,
    seed: options.PlanSeed = None,
    changes: PlanChanges = None,
    out: options.Out = None,
    replace: options.Replace = False,
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
    from sim.experiment.asking import Stopping  # noqa: PLC0415
    from sim.experiment.plan import read_plan  # noqa: PLC0415

    plan = read_plan(plan_file)
    printing = Printing("run", options.form_of(form, as_json), tables or [])
    if assumed is not None:
        unused = {"--precision": precision, "--until-decided": until_decided, "--level": level, "--keep": keep}
        assuming.refuse_meaningless(unused)
        budget = assuming.changes_of_budget(options.read_changes(changes), n_playouts)
        plan = changed_plan(plan, budget, Stopping(margin=margin), seed, str(plan_file))
        place = settled(plan, out, f"{plan_file.stem}_assumed", is_replacing=replace, is_assumed=True)
        keeping = Keeping(place, None, fresh, replace)
        assuming.run_band(plan, keeping, printing.form, jobs=jobs, dry_run=dry_run, tables=tables)
        return
    stopping = Stopping(n_playouts, precision, until_decided, margin, level)
    plan = changed_plan(plan, options.read_changes(changes), stopping, seed, str(plan_file))
    refuse_tables(printing.tables, plan)
    keeping = Keeping(settled(plan, out, plan_file.stem, is_replacing=replace), keep, fresh, replace)
    if dry_run:
        show_intent(plan, printing, keeping.folder)
        return
    result, is_new = result_of(plan, jobs, keeping)
    with saved(result if is_new else None, keeping):
        show_result(result, printing)
    note(f"files: {keeping.folder}")


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
    replace: options.Replace = False,
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
        variants.append({**variants[0], **options.read_changes(versus, "--vs")})
    stopping = Stopping(n_playouts, precision, until_decided, margin, level)
    with named_by_options():
        plan = asked_plan(game, variants, seats, options.read_names(policy), seed, stopping).telling(tables or [])
    printing = Printing("play", options.form_of(form, as_json), tables or [])
    refuse_tables(printing.tables, plan)
    place = None if out is None else settled(plan, out, "", is_replacing=replace)
    keeping = Keeping(place, is_replacing=replace)
    if seats is None and policy is not None and "," in policy:
        note(f"{plan.seat_counts[0]} seats, as many as policies are named")
    if dry_run:
        show_intent(plan, printing, place)
        return
    result, is_new = result_of(plan, jobs, keeping, lambda found: show_result(found, printing))
    with saved(result if is_new else None, keeping):
        show_result(result, printing)
    if place is not None:
        note(f"files: {place}")


def settled(plan: Plan, out: Path | None, name: str, *, is_replacing: bool, is_assumed: bool = False) -> Path:
    """Return the folder that a plan gets, before anything is played; what is there of another plan stays there.

    Args:
        plan: The plan.
        out: What `--out` says; if it says nothing, a folder in `results`, or a numbered one beside it.
        name: Name of that folder.
        is_replacing: True to take the place of what is in `out`.
        is_assumed: True if the plan is run over its assumptions.

    Raises:
        ValueError: Another result, or something of somebody's own, is in `out`, or it cannot be written.

    """
    from sim.experiment.assumed_result import wanted_by  # noqa: PLC0415
    from sim.experiment.standing import Wanted, claim  # noqa: PLC0415
    from sim.jit import source_hash  # noqa: PLC0415

    folder = RESULTS / name if out is None else out
    refuse_place(folder)
    wanted = wanted_by(plan, source_hash()) if is_assumed else Wanted(plan, source_hash())
    place, _ = claim(folder, wanted, is_replacing=is_replacing, is_numbered=out is None)
    if place != folder:
        note(f"{folder} keeps an earlier result, of other keys or sources; this one goes to {place}")
    return place


def result_of(
    plan: Plan, jobs: int | None, keeping: Keeping, show: Callable[[Result], None] | None = None
) -> tuple[Result, bool]:
    """Return the result that stands in the folder already, or play; and whether it is a new one.

    Args:
        plan: The plan.
        jobs: Threads.
        keeping: What is kept, and where.
        show: Prints what was finished if Ctrl-C comes and nothing is kept; None to print nothing then.

    Raises:
        KeyboardInterrupt: It was pressed; what was finished is in the folder, if there is one.

    """
    from sim.experiment.results import find_finished  # noqa: PLC0415
    from sim.jit import source_hash  # noqa: PLC0415

    if keeping.folder is not None and not keeping.is_fresh and keeping.keep is None:
        found = find_finished(plan, keeping.folder, source_hash())
        if found is not None:
            note("using the result that is there already (same plan, same sources); --fresh plays again")
            return found, False
    result = played(plan, jobs, keeping)
    if result.is_partial:
        if show is not None and result.tables and keeping.folder is None:
            show(result)
        raise KeyboardInterrupt(what_is_kept(result, keeping))
    return result, True


@contextlib.contextmanager
def saved(result: Result | None, keeping: Keeping) -> Iterator[None]:
    """Save a new result, and let it be printed even if it cannot be saved.

    Args:
        result: The result, or None if it is there already.
        keeping: Where.

    Raises:
        ResultsError: It cannot be saved; it was printed before.
        KeyboardInterrupt: It was pressed.

    """
    from sim.experiment.folder import ResultsError  # noqa: PLC0415

    told: ResultsError | None = None
    if result is not None and keeping.folder is not None:
        try:
            result.save(keeping.folder, replace=keeping.is_replacing)
        except ResultsError as fault:
            told = fault
        except KeyboardInterrupt:
            where = f"what was played is kept in {keeping.folder}; the same command goes on from there"
            raise KeyboardInterrupt(where) from None
    yield
    if told is not None:
        raise told


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
    from sim.experiment.asking import sized  # noqa: PLC0415

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
    if seed is not None:
        found["seed"] = seed
    return sized(plan, stopping, where, found)


def refuse_tables(names: list[str], plan: Plan) -> None:
    """Stop before anything is played if a table is asked for that no result has, or that this one will not have.

    Raises:
        ValueError: There is no such table, the nearest is offered; or the plan does not make it.

    """
    from sim.components import nearest  # noqa: PLC0415
    from sim.experiment.plan import ESTIMANDS  # noqa: PLC0415
    from sim.experiment.results import WHEN_THERE  # noqa: PLC0415

    for name in names:
        if name not in ESTIMANDS:
            known = list(ESTIMANDS)
            message = f"--table: found '{name}', expected one of {', '.join(known)}{nearest(name, known)}"
            raise ValueError(message)
        if not can_have(plan, name):
            why = WHEN_THERE.get(name, "its plan does not ask for it, or the game has nothing of the kind")
            message = f"--table: found '{name}', which the result would not have; {why}"
            raise ValueError(message)


def can_have(plan: Plan, table: str) -> bool:
    """Tell whether the result of a plan can have a table."""
    from sim import games  # noqa: PLC0415
    from sim.experiment.plan import NONE  # noqa: PLC0415

    game = games.get(plan.game)
    asked = {
        "policy_share": any(len(set(one.policies)) > 1 for one in plan.profiles),
        "comparisons": len(plan.variants) > 1,
        "stops": plan.is_stopped,
        "advice": plan.advice is not None,
        "item_balance": plan.items != NONE,
        "item_summary": plan.items != NONE,
        "item_share": bool(game.families),
        "uses": bool(game.families),
        "counts": bool(game.counted),
    }
    return plan.wants(table) and asked.get(table, True)


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
    """Play a plan with progress on standard error; after Ctrl-C the result is partial, and its totals are kept."""
    from sim import games  # noqa: PLC0415
    from sim.cli.kernels import prepare  # noqa: PLC0415
    from sim.experiment.run import run_plan  # noqa: PLC0415

    prepare(games.get(plan.game))
    command = shlex.join(["sim", *sys.argv[1:]])
    with live(plan) as telling:
        return run_plan(
            plan,
            jobs,
            telling.progress,
            watch=telling.watch,
            recording=telling.recording,
            folder=keeping.folder,
            keep=keeping.keep,
            command=command,
            is_fresh=keeping.is_fresh,
            is_replacing=keeping.is_replacing,
        )


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
            "is_partial": result.is_partial,
        },
    )
    output.show(report, printing.form, printing.tables or MAIN_TABLES, is_named=bool(printing.tables))
