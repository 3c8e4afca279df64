"""Runs a plan: plays its arms on common random numbers, keeps what is finished, and makes tables of the totals."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pandas as pd

from sim import games
from sim.engine.blocks import Played, play_call
from sim.experiment import checkpoint
from sim.experiment.arms import Setting, settings
from sim.experiment.asking import Stopping, asked_plan, changes_of, renamed
from sim.experiment.folder import ROWS, ResultsError, open_folder, remove_if_empty, remove_rows
from sim.experiment.kernels import announce
from sim.experiment.plan import RECORDED_TABLES, Plan, PlanError
from sim.experiment.recorded import recorded_rows
from sim.experiment.results import Result, find_finished
from sim.experiment.rows import RowWriter, refuse_missing_parquet
from sim.experiment.standing import Kind, Wanted, claim
from sim.experiment.stopping import Rule, stop_rows
from sim.experiment.tables import make_tables
from sim.jit import source_hash
from sim.notices import tell

Progress = Callable[[int, int], None]
Watch = Callable[[Setting, Played], None]
SECONDS_BETWEEN_SAVES: Final = 10.0
ARGUMENT_OF: Final = {
    "play: profile.0.policies": "policies",
    "play: variant.0.changes": "changes",
    "play: variant.1.changes": "vs",
    "play: playouts": "playouts",
    "play: paired_playouts": "playouts",
    "play: most_playouts": "playouts",
    "--vs": "vs",
    "play: ": "",
}
"""The argument of `play` behind each key of the plan that a question becomes."""
__all__ = ["play", "run_plan", "settings"]


@dataclass
class _Run:
    """A plan being played: settings finished, the one in play, and where totals are kept meanwhile."""

    plan: Plan
    todo: list[Setting]
    progress: Progress | None
    folder: Path | None
    keeps_rows: bool
    played: list[Played] = field(default_factory=list)
    now: Played | None = None
    saved: float = field(default_factory=time.monotonic)
    is_partial: bool = False
    watch: Watch | None = None
    command: str = ""
    before: float = 0.0
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        """Make the rule that tells when a setting is done."""
        self.rule = Rule(self.plan)
        self.whole = list(self.todo)

    @property
    def total(self) -> int:
        """About how many rows the plan plays; foretold from what was seen so far where looks decide it."""
        n_done = len(self.played)
        expected = [self.rule.expected(place, one, place < n_done) for place, one in enumerate(self.todo)]
        return round(sum(one.call.work(n) for one, n in zip(self.whole, expected, strict=True)))

    @property
    def so_far(self) -> list[Played]:
        """Totals of every setting that was begun."""
        return [*self.played, *([] if self.now is None else [self.now])]

    def resume(self) -> None:
        """Take what an interrupted run of the same plan and sources has left."""
        if self.folder is None or self.keeps_rows:
            return
        kept = checkpoint.load_totals(self.folder / checkpoint.UNFINISHED, self.key())
        if kept is None or kept.has_rows:
            return
        found, self.before = list(kept.played), kept.seconds
        while found and (len(found) > 1 or found[0].n_playouts >= self.todo[len(self.played)].call.n_playouts):
            place = len(self.played)
            self.todo[place] = self.todo[place].cut_to(found[0].n_playouts)
            self.played.append(found.pop(0))
        self.now = found[0] if found else None

    @property
    def seconds(self) -> float:
        """How long it took, with what went before an interruption."""
        return self.before + time.monotonic() - self.began

    def key(self) -> str:
        """Return the hash of plan and sources."""
        return checkpoint.key_of(self.plan, source_hash())

    def report(self, now: Played) -> None:
        """Take note of a finished block: tell the progress, and keep the totals now and then."""
        self.now = now
        if self.progress is not None:
            pairs = zip(self.todo, self.so_far, strict=False)
            done = sum(setting.call.work(one.n_playouts) for setting, one in pairs)
            self.progress(round(done), max(round(done), self.total))
        if self.watch is not None:
            self.watch(self.todo[len(self.played)], now)
        if time.monotonic() - self.saved > SECONDS_BETWEEN_SAVES:
            self.save()

    def save(self) -> None:
        """Keep the totals of all finished blocks; beside rows they only tell how far those go."""
        if self.folder is not None and any(one.n_playouts for one in self.so_far):
            kept = checkpoint.Kept(self.key(), self.so_far, self.seconds, self.command, self.keeps_rows)
            checkpoint.save_totals(self.folder / checkpoint.UNFINISHED, kept)
            self.saved = time.monotonic()

    def play(self, jobs: int | None) -> None:
        """Play every setting that is not finished."""
        for place in range(len(self.played), len(self.todo)):
            with self._kept(self.whole[place]) as setting:
                self._play_setting(place, setting, jobs)
            if self.is_partial or self.now is None:
                return
            self.played, self.now = [*self.played, self.now], None

    def _play_setting(self, place: int, whole: Setting, jobs: int | None) -> None:
        """Play one setting to its end, look after look where they decide it."""
        for count in self.rule.counts(whole, 0 if self.now is None else self.now.n_playouts):
            setting = whole.cut_to(count)
            self.todo[place] = setting
            self.now = play_call(setting.call, jobs, self.report, self.now)
            if self.now.is_partial:
                self.is_partial = True
                return
            if self.rule.may_stop(place, setting, self.now):
                return

    @contextlib.contextmanager
    def _kept(self, setting: Setting) -> Any:
        """Give a setting, with its rows going to files if they are kept."""
        if self.folder is None or not self.keeps_rows:
            yield setting
            return
        writer = RowWriter(self.folder / ROWS, setting)
        try:
            yield replace(setting, call=replace(setting.call, keep=writer.keep))
        except KeyboardInterrupt:
            writer.close()
            raise
        writer.close()


def run_plan(
    plan: Plan,
    jobs: int | None = None,
    progress: Progress | None = None,
    *,
    folder: str | Path | None = None,
    keep: str | None = None,
    command: str = "",
    is_fresh: bool = False,
    is_replacing: bool = False,
    watch: Watch | None = None,
    recording: Progress | None = None,
) -> Result:
    """Play a plan and return its tables.

    Args:
        plan: A checked plan.
        jobs: Threads; one per core if None.
        progress: Called with rows finished and rows in all; both are honest measures of work.
        folder: Folder of the results, or None. A finished result of the same plan and sources there is returned at
            once, an interrupted one goes on where it stopped, and this run leaves its totals there if it is
            interrupted. The tables are written by `Result.save`.
        keep: `rows` to write every row as Parquet to the folder.
        command: The command line, for the manifest.
        is_fresh: True to play all anew, even if the same result is there.
        is_replacing: True to take the place of another result, or to stand among other files.
        watch: Called after each block with the setting in play and all that was played of it so far.
        recording: Called like `progress` while playouts are recorded, after all were played, for tables that take it.

    Returns:
        The result; after Ctrl-C a partial one, made of the blocks that were finished.

    Raises:
        ValueError: The folder cannot be written or holds something else, rows are to be kept without a folder or
            without pyarrow, or what would stop the run can never be reached.

    """
    target = None if folder is None else Path(folder)
    if keep is not None:
        refuse_keep(keep, target)
    if target is not None:
        found = claim(target, Wanted(plan, source_hash()), is_replacing=is_replacing, is_numbered=False)[1]
        same = find_finished(plan, target, source_hash()) if keep is None and not is_fresh else None
        if same is not None:
            return same
        if found.kind is Kind.SAME and found.says:
            tell(f"{found.says}; all is played anew")
    announce(games.get(plan.game))
    started = datetime.now(UTC)
    run = _Run(plan, settings(plan), progress, target, keep is not None, watch=watch, command=command)
    if target is not None:
        open_folder(target)
        if keep is not None:
            remove_rows(target)
        elif not is_fresh:
            run.resume()
    recorded = _played(run, jobs, recording)
    pairs = [(one, done) for one, done in zip(run.todo, run.so_far, strict=False) if done.n_playouts]
    return Result(
        plan=plan,
        tables=tables_of(plan, pairs, recorded),
        result_hash=checkpoint.digest(run.so_far),
        fingerprint=source_hash(),
        seconds=run.seconds,
        n_rows=sum(int(totals["n_rows"]) for done in run.so_far for totals in done.arms.values()),
        is_partial=run.is_partial,
        started=started.isoformat(timespec="seconds"),
        command=command,
    )


def _played(run: _Run, jobs: int | None, recording: Progress | None) -> dict[str, list[dict[str, Any]]]:
    """Play all of a run and keep its totals; return the rows that come from recorded playouts.

    Raises:
        ResultsError: The disk is full, or the like.

    """
    recorded: dict[str, list[dict[str, Any]]] = {}
    try:
        try:
            run.play(jobs)
            if not run.is_partial:
                run.save()  # so that nothing is lost while tables and figures are made
                recorded = recorded_rows(run.plan, run.todo, run.so_far, recording)
        except KeyboardInterrupt:
            run.is_partial = True
        if run.is_partial:
            run.save()
    except OSError as fault:
        message = f"{run.folder}: cannot keep what was played: {fault.strerror or fault}"
        raise ResultsError(message) from fault
    finally:
        if run.folder is not None:
            remove_if_empty(run.folder)
    return recorded


def tables_of(
    plan: Plan, pairs: Sequence[tuple[Setting, Played]], recorded: Mapping[str, list[dict[str, Any]]] | None = None
) -> dict[str, pd.DataFrame]:
    """Return all tables of what was played, with where each setting stopped if looks decided that."""
    tables = make_tables(plan, pairs, recorded)
    stops = [row for setting, outcome in pairs for row in stop_rows(plan, setting, outcome)]
    return tables | ({"stops": pd.DataFrame(stops)} if stops and plan.wants("stops") else {})


def refuse_keep(keep: str, folder: Path | None) -> None:
    """Stop if what is to be kept cannot be.

    Raises:
        ValueError: It is not `rows`, there is no folder for them, or pyarrow is missing.

    """
    if keep != ROWS:
        message = f"keep: found '{keep}', expected '{ROWS}'"
        raise ValueError(message)
    if folder is None:
        message = "keep: rows are kept in the results folder; name one"
        raise ValueError(message)
    refuse_missing_parquet()


def play(  # noqa: PLR0913  (the face of notebooks names everything that can be asked)
    game: str,
    playouts: float | None = None,
    seats: int | None = None,
    policies: str | Sequence[str] | None = None,
    changes: Mapping[str, Any] | None = None,
    vs: Mapping[str, Any] | None = None,
    seed: int = 1,
    jobs: int | None = None,
    progress: Progress | None = None,
    *,
    precision: float | None = None,
    until_decided: bool = False,
    margin: float | None = None,
    level: float | None = None,
    metrics: bool = False,
) -> Result:
    """Play a game and return its tables.

    Args:
        game: Name of the game.
        playouts: Playouts of each variant, a whole number such as 1e6, 100,000 if None; with `precision` or
            `until_decided` the most of them.
        seats: Seats at the table; as many as policies are named, or the most that the game takes, if None.
        policies: One policy for all seats, or one per seat; the game's default if None.
        changes: Changes of the rules by dotted key.
        vs: Changes of a second variant, on top of `changes`, played on the same luck and compared.
        seed: Seed of all draws.
        jobs: Threads; one per core if None.
        progress: Called with rows finished and rows in all.
        precision: Half-width wanted of every win share and lift, in points; plays until it is reached.
        until_decided: True to play until every verdict against the margin is decided.
        margin: Half-width of what counts as balanced, in points; 2 if None.
        level: Joint confidence level of the intervals of a table; 0.95 if None.
        metrics: True to tell metrics of the whole ruleset, too, from recorded playouts.

    Raises:
        PlanError: Something asked for does not exist or is out of range.

    """
    refuse_no_function(progress)
    variants = [changes_of(changes, "changes")]
    variants += [] if vs is None else [variants[0] | changes_of(vs, "vs")]
    stopping = Stopping(playouts, precision, until_decided, margin, level)
    try:
        plan = asked_plan(game, variants, seats, policies, seed, stopping)
        plan = plan.telling(RECORDED_TABLES if metrics else ())
    except PlanError as fault:
        raise PlanError(renamed(fault, ARGUMENT_OF)) from fault
    return run_plan(plan, jobs, progress)


def refuse_no_function(found: object) -> None:
    """Stop if a notebook hands over something else than a function that progress is told to.

    Raises:
        PlanError: It does.

    """
    if found is not None and not callable(found):
        message = f"progress: found {found!r}, expected a function of rows finished and rows in all, or None"
        raise PlanError(message)
