"""The command line: results on standard output, everything else on standard error.

This module imports next to nothing, so that Ctrl-C is answered from the first moment on and `sim --help`
is quick. `guard` turns whatever goes wrong into one line and an exit code; `app` names the commands; each
group of commands has a file of its own, which imports the simulator only when a command runs.
"""

from __future__ import annotations

import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130


def answer_interrupts() -> None:
    """Let SIGINT stop the command even where a script that runs it in the background has it ignored."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: Words behind `sim`; those of the process if None.

    Returns:
        Exit code: 0 fine, 1 a check failed, 2 usage or plan, 3 internal, 4 partial, 130 interrupted.

    """
    try:
        answer_interrupts()
        from sim.cli.guard import run  # noqa: PLC0415  (Ctrl-C may come while this is imported)

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
