"""`sim run --assumed band`: what public data decide, over all values that no source does."""

from __future__ import annotations

import shlex
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from sim.cli import output
from sim.cli.exits import NOTHING_LEFT
from sim.cli.progress import note, progress

if TYPE_CHECKING:
    from sim.cli.playing import Keeping
    from sim.experiment.plan import Plan

SECONDS_IN_A_MINUTE: Final = 60
MOST_SHOWN: Final = 15


class Assumed(StrEnum):
    """What `--assumed` can ask for."""

    BAND = "band"


AssumedOption = Annotated[
    Assumed | None,
    typer.Option(
        "--assumed",
        help="'band': run the plan over all values that no source decides; tells which answers hold whatever they are.",
        show_default=False,
    ),
]


def refuse_meaningless(given: dict[str, Any]) -> None:
    """Stop if options were given that a band has no use for.

    Args:
        given: Options by name, with what was given.

    Raises:
        ValueError: One was given.

    """
    for name, value in given.items():
        if value:
            message = f"{name}: has no meaning with --assumed band, whose budget is [assumed] in the plan, or -n"
            raise ValueError(message)


def changes_of_budget(changes: dict[str, Any], n_playouts: int | None) -> dict[str, Any]:
    """Return the changes of a plan with the playouts of each point."""
    return changes if n_playouts is None else {**changes, "assumed.playouts": n_playouts}


def run_band(
    plan: Plan,
    keeping: Keeping,
    form: output.Format,
    *,
    jobs: int | None = None,
    dry_run: bool = False,
    tables: list[str] | None = None,
) -> None:
    """Run a plan over its assumptions, save what was found and print it.

    Raises:
        KeyboardInterrupt: It was interrupted; the message says what was kept.

    """
    from sim import games  # noqa: PLC0415
    from sim.cli import playing  # noqa: PLC0415  (which imports this)
    from sim.cli.kernels import prepare  # noqa: PLC0415
    from sim.experiment.assumed import design_of  # noqa: PLC0415
    from sim.experiment.assumed_result import find_finished, run_assumed  # noqa: PLC0415
    from sim.experiment.checkpoint import UNFINISHED  # noqa: PLC0415

    design_of(plan)
    refuse_tables(tables or [])
    folder = keeping.folder or Path()
    if dry_run:
        prepare(games.get(plan.game))
        show_intent(plan, folder, form, jobs)
        return
    found = None if keeping.is_fresh else find_finished(plan, folder)
    is_new = found is None
    if found is not None:
        note("using the result that is there already (same plan, same sources); --fresh plays again")
    else:
        prepare(games.get(plan.game))
        command = shlex.join(["sim", *sys.argv[1:]])
        try:
            with progress("playing points") as tell:
                found = run_assumed(plan, jobs, tell, folder=folder, command=command, is_fresh=keeping.is_fresh)
        except KeyboardInterrupt:
            is_kept = (folder / UNFINISHED).exists()
            kept = f"the points that were finished are kept in {folder}; the same command goes on from there"
            raise KeyboardInterrupt(kept if is_kept else NOTHING_LEFT) from None
    with playing.saved(found if is_new else None, keeping):
        show(found, form, tables or [])
    note(f"files: {folder}")


def refuse_tables(names: list[str]) -> None:
    """Stop before anything is played if a table is asked for that a result over assumptions does not have.

    Raises:
        ValueError: There is no such table; the nearest is offered.

    """
    from sim.components import nearest  # noqa: PLC0415
    from sim.experiment.folder import ASSUMED_TABLES  # noqa: PLC0415

    for name in names:
        if name not in ASSUMED_TABLES:
            known = ", ".join(ASSUMED_TABLES)
            message = f"--table: found '{name}', expected one of {known}{nearest(name, ASSUMED_TABLES)}"
            raise ValueError(message)


def show_intent(plan: Plan, folder: Path, form: output.Format, jobs: int | None) -> None:
    """Print what would be played, and about how long it takes at the speed of one point, which is timed."""
    from sim import jit  # noqa: PLC0415
    from sim.engine.blocks import count_jobs  # noqa: PLC0415
    from sim.experiment.assumed import design_of, player_of  # noqa: PLC0415

    design = design_of(plan)
    player = player_of(plan, design)
    walk = design.screening()[:1]
    started = time.perf_counter()
    with ThreadPoolExecutor(1) as pool:
        pool.submit(player.play, walk[0].tolist()).result()
    seconds = (time.perf_counter() - started) * sum(design.n_points) / count_jobs(jobs)
    rows_of_point = player.rows_of_point()
    n_arms = sum(len(call.arms) for _, call in player.calls(design.default()[0, 1:].tolist()))
    stages = ("screening", "shares of variance")
    rows: list[output.Row] = [
        {"design": name, "points": n, "arms": n * n_arms, "n_rows": n * rows_of_point}
        for name, n in zip(stages, design.n_points, strict=True)
    ]
    total = sum(row["n_rows"] for row in rows)
    minutes = max(1, round(seconds / SECONDS_IN_A_MINUTE))
    told = (
        f"would vary {len(design.assumptions)} assumptions over {sum(design.n_points):,} points of about "
        f"{rows_of_point:,} playouts, {total:,} in all, in about {minutes:,} minutes; files in {folder}"
    )
    more = {"plan": plan.model_dump(by_alias=True), "n_rows": total, "seconds": seconds, "dry_run": True}
    output.show(output.Report("run", {"points": rows}, [plan.question, told], plan.seed, jit.source_hash(), more), form)


def show(result: Any, form: output.Format, wanted: list[str]) -> None:
    """Print a result: for people only the leaders of the ranking."""
    refuse_tables(wanted)
    found = result.as_rows()
    tables = {name: rows for name, rows in found.items() if not wanted or name in wanted}
    if form in {output.Format.TABLE, output.Format.MD} and not wanted:
        tables = shortened(tables)
        note("--table assumptions has all of them; --format csv or json has all columns")
    more = {
        "question": result.plan.question,
        "answer": result.answer,
        "game": result.plan.game,
        "result_hash": result.result_hash,
        "n_rows": result.n_rows,
        "n_points": result.points,
    }
    sentences = [result.plan.question, result.answer]
    output.show(output.Report("run", tables, sentences, result.plan.seed, result.fingerprint, more), form)


BAND_SHOWN: Final = (
    "quantity", "variant", "profile", "unit", "lowest", "quantile_5", "median", "quantile_95", "highest", "mcse",
    "positive", "verdict",
)  # fmt: skip
RANKING_SHOWN: Final = (
    "rank", "assumption", "learning_removes", "learning_lower", "learning_upper", "verdict_changes", "lowest",
    "lowest_at", "highest", "highest_at", "size", "mu_star", "sigma", "noise", "first", "total",
)  # fmt: skip


def shortened(tables: dict[str, list[output.Row]]) -> dict[str, list[output.Row]]:
    """Return what people are shown: some columns, and of the main headline the most influential assumptions."""
    band = [{name: row[name] for name in BAND_SHOWN} for row in tables["assumed_band"]]
    main = tables["assumptions"][0]
    headline = (main["quantity"], main["variant"], main["seats"])
    mine = [row for row in tables["assumptions"] if (row["quantity"], row["variant"], row["seats"]) == headline]
    title = f"assumptions that move {main['quantity']} under {main['variant']}"
    ranking = [{name: row.get(name) for name in RANKING_SHOWN} for row in [*mine[:MOST_SHOWN], *mine[-1:]]]
    return {"assumed_band": band, title: ranking}
