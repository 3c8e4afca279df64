"""Exit codes, and what all commands say when nothing was kept."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from sim.cli import interrupts

NOTHING_LEFT: Final = "nothing was left half-written"


class ExitCode(IntEnum):
    """What a command hands back to the shell."""

    FINE = 0
    CHECK_FAILED = 1
    USAGE = 2
    INTERNAL = 3
    PARTIAL = 4
    INTERRUPTED = interrupts.INTERRUPTED
