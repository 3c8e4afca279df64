"""`sim show`: a result once more, one row of it, and the playouts behind that row."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from sim.cli import assuming, interrupts, options, output, playing
from sim.cli.progress import note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sim.experiment.results import Result

MOST_SAMPLE: Final = 200_000  # which takes some 100 MB
STATES: Final = {True: "interrupted", False: "finished"}
NUMBERED: Final = re.compile(r"-\d+$")

Folder = Annotated[
    Path | None,
    typer.Argument(metavar="[FOLDER]", help="Results of `sim run`; all in results/ if not given.", show_default=False),
]
Table = Annotated[
    str | None,
    typer.Option("--table", metavar="NAME", help="Only this table, or the table of --row.", show_default=False),
]
RowWanted = Annotated[
    list[str] | None,
    typer.Option(
        "--row",
        metavar="COLUMN=VALUE",
        help="The row with this value; repeat until one row is left. Prints playouts that show what it is about.",
        show_default=False,
    ),
]
Sample = Annotated[
    int | None,
    typer.Option(
        "--sample",
        parser=options.count_of_playouts,
        metavar="N",
        help=f"Playouts that are played again to choose from, at most {MOST_SAMPLE:,}; 2,000 if not given.",
        show_default=False,
    ),
]


def show(
    folder: Folder = None,
    table: Table = None,
    row: RowWanted = None,
    sample: Sample = None,
    form: options.Form = output.Format.TABLE,
    as_json: options.AsJson = False,
) -> None:
    """Print a result again; with --row, playouts behind one row, each with the command that replays it."""
    from sim.experiment.folder import ResultsError  # noqa: PLC0415
    from sim.experiment.standing import UNREADABLE  # noqa: PLC0415

    chosen = options.form_of(form, as_json)
    if folder is None:
        output.show(output.Report("show", {"results": list_results(playing.RESULTS)}), chosen)
        return
    result = load(folder)
    try:
        show_loaded(result, table, row, sample, chosen)
    except ValueError:
        raise
    except UNREADABLE as fault:  # somebody has written the tables, and the hashes that fit them
        message = f"{folder}: no result of sim is there: {type(fault).__name__}: {fault}"
        raise ResultsError(message) from fault
    beside = [path for path in numbered(folder) if path != folder]
    if beside:
        note(
            f"beside it: {', '.join(map(str, beside))}; 'sim show' without a folder lists what is in {playing.RESULTS}"
        )


def load(folder: Path) -> Result:
    """Return the result in a folder, a plain one or one over assumptions.

    Raises:
        ResultsError: There is no whole result.

    """
    from sim.experiment.assumed_result import AssumedResult  # noqa: PLC0415
    from sim.experiment.results import Result, read_papers  # noqa: PLC0415
    from sim.experiment.standing import is_assumed  # noqa: PLC0415

    told, _, _ = read_papers(folder)
    return AssumedResult.load(folder) if is_assumed(folder, told) else Result.load(folder)


def show_loaded(
    result: Result, table: str | None, row: list[str] | None, sample: int | None, form: output.Format
) -> None:
    """Print a result, one table of it, or the playouts behind one row."""
    from sim.experiment.assumed_result import AssumedResult  # noqa: PLC0415

    if isinstance(result, AssumedResult):
        refuse_rows_of_points(row)
        assuming.show(result, form, [table] if table else [])
        return
    if row:
        wanted = read_row(row)
        named = named_table(result, table or only_table_with(result, wanted))
        show_exemplars(result, named, wanted, sample, form)
        return
    playing.show_result(result, playing.Printing("show", form, [named_table(result, table)] if table else []))


def numbered(folder: Path) -> list[Path]:
    """Return a results folder and the numbered ones beside it, which hold earlier or later forms of its plan."""
    first = NUMBERED.sub("", folder.name)
    near = [path for path in folder.parent.glob("*") if NUMBERED.sub("", path.name) == first and path.is_dir()]
    return sorted(near, key=lambda path: (len(path.name), path.name))


def list_results(place: Path) -> list[output.Row]:
    """Return a row for each result in a folder: what it is about, how large, how far."""
    found = []
    for folder in sorted(path for path in place.glob("*") if path.is_dir()) if place.is_dir() else []:
        about = about_result(folder)
        if about is not None:
            found.append({"folder": str(folder), **about})
    return found


def about_result(folder: Path) -> output.Row | None:
    """Return what a folder holds in short; None if it holds no result."""
    from sim.experiment.folder import MANIFEST, MARKS  # noqa: PLC0415
    from sim.experiment.standing import UNREADABLE, read_manifest  # noqa: PLC0415

    if not (folder / MANIFEST).exists():
        is_ours = any((folder / name).exists() for name in MARKS)
        return {"question": "", "state": "interrupted"} if is_ours else None
    try:
        told = read_manifest(folder)
        plan: dict[str, Any] = told["plan"]
        keys = {"question": plan["question"], "game": plan["game"], "seed": plan["seed"]}
        return {
            **keys,
            "n_rows": told["n_rows"],
            "started": told["started"],
            "state": STATES[told["is_partial"]],
        }
    except UNREADABLE:
        return {"question": "", "state": "damaged"}


def refuse_rows_of_points(row: list[str] | None) -> None:
    """Stop if playouts of a row are asked for that is about thousands of rulesets.

    Raises:
        ValueError: They are.

    """
    if row:
        message = (
            "--row: found the result of --assumed band, whose rows are about many rulesets; show one of a plain run"
        )
        raise ValueError(message)


def named_table(result: Result, table: str | None) -> str:
    """Return the name of a table that the result has.

    Raises:
        ValueError: None was named, or there is none of that name.

    """
    from sim.components import nearest  # noqa: PLC0415

    if table not in result.tables:
        known = list(result.tables)
        found = "nothing" if table is None else f"'{table}'"
        message = f"--table: found {found}, expected one of {', '.join(known)}{nearest(table or '', known)}"
        raise ValueError(message)
    return str(table)


def read_row(texts: list[str]) -> dict[str, str]:
    """Return values by column of `column=value` words.

    Raises:
        ValueError: A column is there twice.

    """
    pairs = [read_wanted(text) for text in texts]
    found = dict(pairs)
    if len(found) < len(pairs):
        message = f"--row: found one column twice in {', '.join(texts)}, expected each once"
        raise ValueError(message)
    return found


def only_table_with(result: Result, wanted: Mapping[str, str]) -> str | None:
    """Return the one table that has all the columns of a row, or None if there is no such table or several."""
    found = [name for name, frame in result.tables.items() if set(wanted) <= set(frame.columns)]
    return found[0] if len(found) == 1 else None


def read_wanted(text: str) -> tuple[str, str]:
    """Return column and value of `column=value`.

    Raises:
        ValueError: There is no `=`, or nothing before it.

    """
    return options.split_pair(text, "--row", "COLUMN=VALUE, such as 'profile=leader'")


def show_exemplars(
    result: Result, table: str, wanted: dict[str, str], n_sample: int | None, form: output.Format
) -> None:
    """Print one row and the playouts behind it."""
    from sim import games, jit  # noqa: PLC0415
    from sim.cli.kernels import prepare  # noqa: PLC0415
    from sim.experiment.exemplars import SAMPLE, exemplars, find_row  # noqa: PLC0415

    if n_sample is not None and n_sample > MOST_SAMPLE:
        message = f"--sample: found {n_sample:,}, expected at most {MOST_SAMPLE:,} playouts"
        raise ValueError(message)
    found = find_row(result.table(table), table, wanted)
    if result.fingerprint != jit.source_hash():
        note(f"the result was made by other sources ({result.fingerprint}); its playouts may have been others")
    prepare(games.get(result.plan.game))
    rows = interrupts.out_of_reach(lambda: exemplars(result.plan, table, found, n_sample or SAMPLE))
    interrupts.check()
    sampled = f"the first {n_sample or SAMPLE:,} of the plan, seed {result.plan.seed}"
    says = f"{len(rows)} playouts out of {sampled}" if rows else f"none of {sampled}, shows it; --sample takes more"
    tables = {table: [found], "exemplars": rows}
    more = {"game": result.plan.game, "table": table}
    report = output.Report("show", tables, [result.plan.question, says], result.plan.seed, jit.source_hash(), more)
    output.show(report, form)
