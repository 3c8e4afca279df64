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
from sim.experiment.assumed import Explored, Findings, Progress, explore, hash_of, key_of_points, now
from sim.experiment.assumed_tables import OTHERS, answer, make_tables
from sim.experiment.folder import ASSUMED_TABLES, POINTS, ResultsError, path_of
from sim.experiment.kernels import announce
from sim.experiment.plan import Plan
from sim.experiment.results import Result, read_papers, read_tables
from sim.experiment.standing import Kind, Wanted, is_assumed, look
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

    @property
    def wanted(self) -> Wanted:
        """What wants a folder: the plan over its assumptions, and the sources that made this."""
        return wanted_by(self.plan, self.fingerprint)

    @property
    def figures(self) -> list[str]:
        """Names of the figures that are saved."""
        return [FIGURE]

    def _write_more(self, folder: Path) -> None:
        """Write the points and the ranking."""
        if self.explored is not None:
            self.explored.save(folder / POINTS, self.result_hash)
        (folder / INFLUENCE).write_text(self.influence(), encoding="utf-8")

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
        told, plan, kept = read_papers(place)
        answered, points = told.get("answer"), told.get("n_points")
        if not is_assumed(place, told) or not isinstance(answered, str) or not isinstance(points, int):
            message = f"{place}: found a result that is none of --assumed band"
            raise ResultsError(message)
        return cls(plan, read_tables(place, told, ASSUMED_TABLES), **kept, told=answered, points=points)


def wanted_by(plan: Plan, fingerprint: str) -> Wanted:
    """Return what wants a folder when a plan is run over its assumptions.

    Args:
        plan: The plan.
        fingerprint: Hash of the sources.

    """
    return Wanted(plan, fingerprint, is_assumed=True, key=key_of_points(plan, fingerprint))


def find_finished(plan: Plan, folder: Path) -> AssumedResult | None:
    """Return the result that stands in a folder if it is whole, and of the same plan, budget and sources."""
    try:
        if look(folder, wanted_by(plan, source_hash())).kind is not Kind.WHOLE:
            return None
        return AssumedResult.load(folder)
    except ResultsError:
        return None


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
        n_rows=n_rows_of(findings),
        started=started,
        command=command,
        told=answer(plan, tables, len(findings.design.assumptions)),
        points=len(findings.explored.values),
        explored=findings.explored,
    )


def n_rows_of(findings: Findings) -> int:
    """Return about how many rows were played."""
    return findings.rows_of_point * len(findings.explored.values)
