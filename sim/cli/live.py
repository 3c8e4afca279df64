"""What a terminal shows while a plan is played: progress with an honest time left, and shares as they tighten.

The intervals are those of confidence sequences, which may be looked at all the time; each look is kept within the
ones before it. Everything is on standard error, and nothing at all without a terminal there.
"""

from __future__ import annotations

import contextlib
import sys
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from sim.cli.progress import columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sim.engine.blocks import Played
    from sim.experiment.arms import Setting
    from sim.experiment.plan import Plan
    from sim.experiment.run import Progress, Watch
    from sim.statistics.estimate import Estimate

SECONDS_BETWEEN_LOOKS: Final = 0.25
MOST_LINES: Final = 8
PERCENT: Final = 100


@dataclass(frozen=True)
class Telling:
    """What `run_plan` calls.

    Attributes:
        progress: With the rows played and in all.
        watch: With what was played of a setting.
        recording: With the playouts recorded and in all, once everything is played.

    """

    progress: Progress | None = None
    watch: Watch | None = None
    recording: Progress | None = None


@contextlib.contextmanager
def live(plan: Plan) -> Iterator[Telling]:
    """Give the functions that `run_plan` calls while it plays and records; none without a terminal.

    Args:
        plan: The plan that is played.

    """
    if not sys.stderr.isatty():
        yield Telling()
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.live import Live  # noqa: PLC0415
    from rich.progress import Progress as Bars  # noqa: PLC0415

    bars = Bars(*columns())
    task, second = (bars.add_task(title, total=None, visible=False) for title in ("playing", "recording"))
    board = Board(plan)
    with Live(bars, console=Console(stderr=True), transient=True, refresh_per_second=4) as screen:

        def tell(done: int, total: int) -> None:
            bars.update(task, completed=done, total=total, visible=True)

        def watch(setting: Setting, played: Played) -> None:
            if board.is_due():
                screen.update(board.drawn(bars, setting, played))

        def record(done: int, total: int) -> None:
            bars.update(task, visible=False)
            bars.update(second, completed=done, total=total, visible=True)
            screen.update(bars)

        yield Telling(tell, watch, record)


@dataclass
class Board:
    """The win shares of the setting in play, look after look.

    Attributes:
        plan: The plan.
        looked: When they were looked at last, on the monotonic clock.
        seen: The last look at each share.

    """

    plan: Plan
    looked: float = 0.0
    seen: dict[tuple[str, ...], Estimate] = field(default_factory=dict)

    def is_due(self) -> bool:
        """Tell whether it is time for another look, and take note if so."""
        now = time.monotonic()
        if now - self.looked < SECONDS_BETWEEN_LOOKS:
            return False
        self.looked = now
        return True

    def drawn(self, bars: Any, setting: Setting, played: Played) -> Any:
        """Return progress and shares, one under the other.

        Args:
            bars: The progress bar.
            setting: What is being played.
            played: All that was played of it.

        """
        from rich.console import Group  # noqa: PLC0415
        from rich.table import Table  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        from sim.engine.seating import numbered  # noqa: PLC0415

        title = f"win share, per cent, {setting.seats} seats, {setting.profile.name}, {played.n_playouts:,} playouts"
        table = Table(box=None, pad_edge=False)
        table.add_column("")
        for seat, policy in numbered(setting.policies):
            table.add_column(f"seat {seat} {policy}", justify="right")
        for variant in self.plan.variants[:MOST_LINES]:
            shares = self.shares(variant.name, setting, played)
            if shares:
                table.add_row(variant.name, *(in_words(share) for share in shares))
        return Group(bars, Text(title), table)

    def shares(self, variant: str, setting: Setting, played: Played) -> list[Estimate]:
        """Return the share of each seat with the interval that all looks so far leave; none before two playouts."""
        from sim.experiment.tables import FEWEST, share_samples  # noqa: PLC0415

        totals = played.arms.get(variant, {})
        if not totals or int(totals["n_finished"]) < FEWEST:
            return []
        tightest_at = setting.intervals.tightest_at or self.plan.playouts_expected(setting.seats)
        intervals = replace(setting.intervals, tightest_at=tightest_at)
        estimates = intervals.shares(share_samples(setting, totals), setting.n_rotations)
        place = (str(setting.seats), setting.profile.name, variant)
        return [self.kept((*place, str(seat)), estimate) for seat, estimate in enumerate(estimates)]

    def kept(self, place: tuple[str, ...], estimate: Estimate) -> Estimate:
        """Return a look kept within the ones before it."""
        from sim.statistics.sequential import narrowed  # noqa: PLC0415

        with contextlib.suppress(ValueError, KeyError):  # by chance, looks may not overlap
            estimate = narrowed(self.seen[place], estimate)
        self.seen[place] = estimate
        return estimate


def in_words(share: Estimate) -> str:
    """Return a share with its interval, in per cent."""
    return f"{PERCENT * share.value:.2f} [{PERCENT * share.lower:.2f}, {PERCENT * share.upper:.2f}]"
