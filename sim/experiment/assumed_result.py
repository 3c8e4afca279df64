"""The result of a plan over its assumptions: tables, the tornado, and the ranking as data for `sim rules`."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from sim import games
from sim.components.influence import INFLUENCE
from sim.experiment.assumed import Explored, Findings, Progress, explore, hash_of, now
from sim.experiment.assumed_tables import OTHERS, answer, make_tables
from sim.experiment.kernels import announce
from sim.experiment.plan import Plan, check_plan
from sim.experiment.results import (
    ASSUMED_TABLES,
    FIGURE_FOLDER,
    KEPT_OF_MANIFEST,
    MANIFEST,
    POINTS,
    Result,
    ResultsError,
    path_of,
    read_manifest,
    read_table,
)
from sim.jit import source_hash

FIGURE: Final = "assumptions"


@dataclass(frozen=True, repr=False)
class AssumedResult(Result):
    """What public data decide about a plan.

    Attributes:
        told: The answer.
        points: Points that were played.
        explored: The points themselves, in a result that was just made.

    """

    told: str = ""
    points: int = 0
    explored: Explored | None = field(default=None, repr=False)

    @property
    def answer(self) -> str:
        """The answer in one sentence."""
        return self.told

    def plot_assumptions(self) -> Any:
        """Return a figure of how far each assumption moves each headline."""
        return import_module("sim.plots").assumptions(self.table(FIGURE))

    def manifest(self) -> dict[str, Any]:
        """Return what is needed to repeat and to trust the result."""
        return {**super().manifest(), "n_points": self.points}

    def _write(self, folder: Path) -> None:
        folder.chmod(0o755)
        for name, frame in self.tables.items():
            frame.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")
        (folder / FIGURE_FOLDER).mkdir()
        import_module("sim.plots").save(self.plot_assumptions(), folder / FIGURE_FOLDER / f"{FIGURE}.svg")
        if self.explored is not None:
            self.explored.save(folder / POINTS, self.result_hash)
        (folder / INFLUENCE).write_text(self.influence(), encoding="utf-8")
        (folder / MANIFEST).write_text(json.dumps(self.manifest(), indent=1) + "\n", encoding="utf-8")

    def influence(self) -> str:
        """Return the ranking of the main headline in the form that a game's data folder keeps it in."""
        ranking = self.table("assumptions")
        main = ranking.iloc[0]
        mine = ranking[(ranking["quantity"] == main["quantity"]) & (ranking["variant"] == main["variant"])]
        mine = mine[(mine["seats"] == main["seats"]) & (mine["assumption"] != OTHERS)]
        about = {"command": self.command, "seed": self.plan.seed, "headline": main["quantity"], "unit": main["unit"]}
        lines = [
            "# How far each assumption moves a headline, as far as noise hardly explains it; written by the command",
            "# below, see CONTRIBUTING.md.",
        ]
        lines += ["[measured]", *(f"{key} = {json.dumps(value)}" for key, value in about.items())]
        lines += ["", "[size]", *(f"{json.dumps(row['assumption'])} = {row['sure']:.4f}" for _, row in mine.iterrows())]
        return "\n".join(lines) + "\n"

    @classmethod
    def load(cls, folder: str | Path) -> AssumedResult:
        """Read a result back.

        Args:
            folder: What `save` wrote.

        Raises:
            ResultsError: There is no whole result there.

        """
        place = path_of(folder, "folder")
        try:
            told = read_manifest(place)
            tables = {name: read_table(place / f"{name}.csv") for name in ASSUMED_TABLES}
            plan = check_plan(told["plan"], str(place / MANIFEST))
            kept = {name: told[name] for name in KEPT_OF_MANIFEST}
            return cls(plan, tables, **kept, told=told["answer"], points=told["n_points"])
        except (OSError, ValueError, KeyError, TypeError) as fault:
            message = f"{place}: no whole result is there: {fault}"
            raise ResultsError(message) from fault


def find_finished(plan: Plan, folder: Path) -> AssumedResult | None:
    """Return the result that stands in a folder if it is of the same plan, budget and sources."""
    try:
        found = AssumedResult.load(folder)
    except ResultsError:
        return None
    is_same = found.plan.model_copy(update={"band": []}) == plan.model_copy(update={"band": []})
    return found if is_same and found.fingerprint == source_hash() else None


def run_assumed(
    plan: Plan,
    jobs: int | None = None,
    progress: Progress | None = None,
    *,
    folder: Path | None = None,
    command: str = "",
    is_fresh: bool = False,
) -> AssumedResult:
    """Play a plan over the assumptions of its game and return what public data decide.

    Args:
        plan: A checked plan.
        jobs: Threads; one per core if None.
        progress: Called with rows finished and about how many there are in all.
        folder: Folder of the results, or None. A finished result of the same plan, budget and sources there is
            returned at once; after Ctrl-C the points that were finished are there, and the same call goes on.
        command: The command line, for the manifest.
        is_fresh: True to play all anew.

    Raises:
        AssumedError: There is nothing to vary, or a point has too few playouts.
        KeyboardInterrupt: It was interrupted.

    """
    if folder is not None and not is_fresh:
        same = find_finished(plan, folder)
        if same is not None:
            return same
    announce(games.get(plan.game))
    started, clock = now(), time.monotonic()
    findings = explore(plan, jobs, progress, folder, is_fresh)
    tables = make_tables(findings)
    return AssumedResult(
        plan=plan,
        tables=tables,
        result_hash=hash_of(findings.explored),
        fingerprint=source_hash(),
        seconds=time.monotonic() - clock,
        n_playouts=n_rows_of(findings),
        started=started,
        command=command,
        told=answer(plan, tables, len(findings.design.assumptions)),
        points=len(findings.explored.values),
        explored=findings.explored,
    )


def n_rows_of(findings: Findings) -> int:
    """Return about how many rows were played."""
    return findings.rows_of_point * len(findings.explored.values)
