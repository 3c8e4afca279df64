"""Runs a command and turns whatever goes wrong into one line on standard error and an exit code."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING

from sim.cli import interrupts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer

TRACEBACK_VARIABLE = "SIM_TRACEBACK"
COMPLETION_VARIABLE = "_SIM_COMPLETE"
COLOR_OPTION = "--color"
PROGRAM = "sim"
IN_OUR_WORDS = {
    "Value error, ": "",
    "Input should be a valid integer, unable to parse string as an integer": "expected a whole number",
    "Input should be a valid number, unable to parse string as a number": "expected a number",
    "Input should be greater than or equal to": "expected at least",
    "Input should be less than or equal to": "expected at most",
}
NOTHING_LEFT = "nothing was left half-written"


class ExitCode(IntEnum):
    """What a command hands back to the shell."""

    FINE = 0
    CHECK_FAILED = 1
    USAGE = 2
    INTERNAL = 3
    PARTIAL = 4
    INTERRUPTED = interrupts.INTERRUPTED


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; nothing is raised."""
    reopen_closed()
    words = color_first(list(sys.argv[1:] if arguments is None else arguments))
    try:
        code = invoke(words)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our results has seen enough
        abandon_output()
        return ExitCode.FINE
    except KeyboardInterrupt as pressed:
        return explain(interruption(str(pressed)), ExitCode.INTERRUPTED)
    except Exception as error:  # noqa: BLE001  (the last line of defence: never a traceback)
        return explain(interruption(), ExitCode.INTERRUPTED) if interrupts.was_seen() else blame(error)
    return code


def interruption(kept: str = "") -> str:
    """Return what to say after Ctrl-C: what was kept, if a command said so."""
    return f"interrupted; {kept or NOTHING_LEFT}"


def invoke(words: list[str]) -> int:
    """Hand the words to the app and return the exit code that the command asked for."""
    import typer  # noqa: PLC0415

    from sim.cli.app import app  # noqa: PLC0415

    command = typer.main.get_command(app)
    if os.environ.get(COMPLETION_VARIABLE):
        command.main(args=words, prog_name=PROGRAM)  # answers the shell and exits
    try:
        with command.make_context(PROGRAM, words) as context:
            command.invoke(context)
    except typer.Exit as wish:
        return wish.exit_code
    except typer.Abort:
        return ExitCode.INTERRUPTED
    except typer.TyperException as error:
        return explain(usage_line(error), ExitCode.USAGE)
    return ExitCode.FINE


def usage_line(error: typer.TyperException) -> str:
    """Return what was wrong with the words of the command, and where its options are listed."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else PROGRAM
    told = error.format_message()
    for theirs, ours in IN_OUR_WORDS.items():
        told = told.replace(theirs, ours)
    return f"{told} ('{path} --help' lists what there is)"


def blame(error: Exception) -> int:
    """Tell what went wrong: the user's part (a file, a value) as it is, ours as internal."""
    if os.environ.get(TRACEBACK_VARIABLE):
        traceback.print_exception(error)
    if isinstance(error, OSError):
        abandon_output()
        place = f"{error.filename}: " if error.filename is not None else "cannot write: "
        return explain(f"{place}{error.strerror or error}", ExitCode.USAGE)
    if isinstance(error, ValueError):
        return explain(str(error), ExitCode.USAGE)
    name = type(error).__name__
    hint = f"this is a fault of sim, please report it; {TRACEBACK_VARIABLE}=1 shows where"
    return explain(f"internal error, {name}: {error} ({hint})", ExitCode.INTERNAL)


def explain(message: str, code: ExitCode) -> ExitCode:
    """Say one line on standard error and return the code."""
    line = "; ".join(" ".join(part.split()) for part in message.splitlines() if part.strip())
    with contextlib.suppress(OSError):  # nobody may be there to read it
        sys.stderr.write(f"{PROGRAM}: {line}\n")
        sys.stderr.flush()
    return code


def abandon_output() -> None:
    """Point standard output to nowhere, so that nothing more fails when Python flushes it at its end."""
    with contextlib.suppress(OSError, ValueError):  # in tests it is no file
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def reopen_closed() -> None:
    """Give the process somewhere to write to if it was started with closed streams."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  (stays open)


def color_first(words: list[str]) -> list[str]:
    """Move `--color` in front, where the app reads it, wherever it was written."""
    for place, word in enumerate(words):
        if word == "--":
            break
        if word.startswith(f"{COLOR_OPTION}="):
            return [word, *words[:place], *words[place + 1 :]]
        if word == COLOR_OPTION:
            end = place + 2
            return [*words[place:end], *words[:place], *words[end:]]
    return words
