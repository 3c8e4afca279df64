"""Ctrl-C at any moment: it is answered where Python would ignore it, and remembered where Python would lose it.

A KeyboardInterrupt that comes while compiled code calls back into Python (a kernel taken from its cache, say) is
printed and dropped by Python; an import that is hit may turn it into an error of its own. So the handler also
remembers, and whoever spends a while between two such moments asks.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Found = TypeVar("Found")

INTERRUPTED: Final = 130  # exit code of an interrupted command
ENDINGS: Final = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_seen = threading.Event()


@contextlib.contextmanager
def answered() -> Iterator[None]:
    """Answer SIGINT in here, even where a script that runs us in the background has it ignored, and other endings.

    Who ends a run by a signal (a container that is stopped, a terminal that is closed) gets what was finished, as after
    Ctrl-C; what ignores SIGHUP, such as nohup, goes on to do so.
    """
    _seen.clear()
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    hook = sys.unraisablehook
    before = {one: signal.getsignal(one) for one in ENDINGS}

    def keep_quiet(lost: sys.UnraisableHookArgs) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            hook(lost)

    sys.unraisablehook = keep_quiet
    for one, handler in before.items():
        if one is signal.SIGINT or handler is signal.SIG_DFL:
            signal.signal(one, _interrupt)
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
        sys.unraisablehook = hook


def _interrupt(_number: int, _frame: Any) -> None:
    _seen.set()
    raise KeyboardInterrupt


def was_seen() -> bool:
    """Return whether Ctrl-C was pressed since the command began."""
    return _seen.is_set()


def check() -> None:
    """Stop now if Ctrl-C was pressed and got lost.

    Raises:
        KeyboardInterrupt: It was pressed.

    """
    if was_seen():
        raise KeyboardInterrupt


def out_of_reach(work: Callable[[], Found]) -> Found:
    """Do in a thread what Ctrl-C must not come into, and wait for it where Ctrl-C is answered at once.

    Ctrl-C reaches the main thread only. There, one of twenty that came while numba compiled was lost, so that the
    command went on to the end of the compiling (2026-11-30), and one ended the process with a segmentation fault. What
    is abandoned goes on until the process ends, which after Ctrl-C is soon (`leave`).

    Args:
        work: What to do.

    """
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(work).result()
    finally:
        pool.shutdown(wait=False)


def leave() -> NoReturn:
    """End the process at once with the code of an interrupted command.

    Python itself would end it by the signal if Ctrl-C had come while a string was executed, as imports do.
    """
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(INTERRUPTED)
