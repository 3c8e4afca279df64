"""The command line: results on standard output, everything else on standard error.

This module imports next to nothing, so that Ctrl-C is answered from the first moment on and `sim --help`
is quick. `guard` turns whatever goes wrong into one line and an exit code; `app` names the commands; each
group of commands has a file of its own, which imports the simulator only when a command runs.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Final

from sim.cli import interrupts

if TYPE_CHECKING:
    from collections.abc import Sequence

OBJECTS_PER_COLLECTION: Final = 100_000  # a start makes many objects that live on; looking at them all costs a tenth


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: Words behind `sim`; those of the process if None.

    Returns:
        Exit code: 0 fine, 1 a check failed, 2 usage or plan, 3 internal, 4 partial, 130 interrupted.

    """
    gc.set_threshold(OBJECTS_PER_COLLECTION)
    try:
        with interrupts.answered():
            from sim.cli.guard import run  # noqa: PLC0415  (Ctrl-C may come while this is imported)

            code = run(arguments)
    except KeyboardInterrupt:
        code = interrupts.INTERRUPTED
    if arguments is None and code == interrupts.INTERRUPTED:
        interrupts.leave()
    return code
