"""Progress on standard error: a bar with an honest time left on a terminal, otherwise nothing."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

from sim.cli.plain import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def note(message: str) -> None:
    """Say a line on standard error."""
    sys.stderr.write(f"{visible(message)}\n")
    sys.stderr.flush()


@contextlib.contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None] | None]:
    """Give a function that is called with what is done and the total, or None without a terminal.

    The time left is the work left divided by the speed of the last half minute.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(*columns(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None, visible=False)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, visible=True)

        yield show


def columns() -> tuple[Any, ...]:
    """Return the columns of a progress bar; the time left is the work left over the speed of the last half minute."""
    from rich import progress as bars  # noqa: PLC0415

    return (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
        bars.TimeRemainingColumn(compact=True, elapsed_when_finished=True),
    )
