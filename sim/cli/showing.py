"""`sim show`: a result once more, one row of it, and the playouts behind that row."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli import assuming, options, output, playing
from sim.cli.progress import note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sim.experiment.results import Result

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="Results of `sim run`.", show_default=False)]
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
        help="Playouts that are played again to choose from; 2000 if not given.",
        show_default=False,
    ),
]


def show(
    folder: Folder,
    table: Table = None,
    row: RowWanted = None,
    sample: Sample = None,
    form: options.Form = output.Format.TABLE,
    as_json: options.AsJson = False,
) -> None:
    """Print a result again; with --row, playouts behind one row, each with the command that replays it."""
    from sim.experiment.assumed_result import AssumedResult  # noqa: PLC0415
    from sim.experiment.results import Result, is_assumed  # noqa: PLC0415

    chosen = options.form_of(form, as_json)
    if is_assumed(folder):
        refuse_rows_of_points(row)
        assuming.show(AssumedResult.load(folder), chosen, [table] if table else [])
        return
    result = Result.load(folder)
    if row:
        wanted = dict(read_wanted(text) for text in row)
        named = named_table(result, table or only_table_with(result, wanted))
        show_exemplars(result, named, wanted, sample, chosen)
        return
    playing.show_result(result, playing.Printing("show", chosen, [named_table(result, table)] if table else []))


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

    found = find_row(result.table(table), table, wanted)
    if result.fingerprint != jit.source_hash():
        note(f"the result was made by other sources ({result.fingerprint}); its playouts may have been others")
    prepare(games.get(result.plan.game))
    rows = exemplars(result.plan, table, found, n_sample or SAMPLE)
    sampled = f"the first {n_sample or SAMPLE:,} of the plan, seed {result.plan.seed}"
    says = f"{len(rows)} playouts out of {sampled}" if rows else f"none of {sampled}, shows it; --sample takes more"
    tables = {table: [found], "exemplars": rows}
    more = {"game": result.plan.game, "table": table}
    report = output.Report("show", tables, [result.plan.question, says], result.plan.seed, jit.source_hash(), more)
    output.show(report, form)
