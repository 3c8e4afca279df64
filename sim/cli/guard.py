"""Runs a command and turns whatever goes wrong into one line on standard error and an exit code."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import traceback
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.cli import interrupts
from sim.cli.exits import NOTHING_LEFT, ExitCode
from sim.cli.plain import answer_any_code_page, one_line
from sim.cli.progress import note
from sim.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
MOST_LETTERS = 1500  # of a line; who echoes a value of a megabyte hides what is said about it


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; nothing is raised."""
    reopen_closed()
    answer_any_code_page()
    with notices_told():
        return run_told(arguments)


@contextlib.contextmanager
def notices_told() -> Iterator[None]:
    """Say notices in one line on standard error; other warnings, which users can do nothing about, are not said."""

    def tell(message: Warning | str, category: type[Warning], *_place: Any) -> None:
        if issubclass(category, Notice):
            note(str(message))

    with warnings.catch_warnings():
        warnings.filterwarnings("always", category=Notice)
        setattr(warnings, "showwarning", tell)  # noqa: B010  (of its six arguments two are needed)
        yield


def run_told(arguments: Sequence[str] | None) -> int:
    """Run one command and return its exit code; nothing is raised."""
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
        refuse_twice(command, words)
        with command.make_context(PROGRAM, words) as context:
            command.invoke(context)
    except typer.Exit as wish:
        return wish.exit_code
    except typer.Abort:
        return ExitCode.INTERRUPTED
    except typer.TyperException as error:
        return explain(usage_line(error, words), ExitCode.USAGE)
    return ExitCode.FINE


def refuse_twice(command: Any, words: Sequence[str]) -> None:
    """Stop if an option that has one value is given two: the last one would win without a word.

    Raises:
        ValueError: One is.

    """
    name = next((word for word in words if word in command.commands), None)
    if name is None:
        return
    single = [one for one in command.commands[name].params if getattr(one, "opts", None) and not one.multiple]
    names = {word: one for one in single for word in one.opts if word.startswith("-") and not one.is_flag}
    seen: dict[str, str] = {}
    left = iter(words[words.index(name) + 1 :])
    for word in left:
        if word == "--":
            return
        key = word.partition("=")[0] if word.startswith("--") else word[:2]
        if key in names:
            value = word.partition("=")[2] if "=" in word else word[2:] if key != word else next(left, "")
            if names[key].name in seen:
                message = f"{key}: found it twice, with '{seen[names[key].name]}' and '{value}', expected it once"
                raise ValueError(message)
            seen[names[key].name] = value


def usage_line(error: typer.TyperException, words: Sequence[str] = ()) -> str:
    """Return what was wrong with the words of the command, and where its options are listed."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else PROGRAM
    told = error.format_message()
    for theirs, ours in IN_OUR_WORDS.items():
        if theirs in told and ours.startswith("expected"):
            ours = f"{found_behind(told, words)}{ours}"  # noqa: PLW2901  (said once)
        told = told.replace(theirs, ours)
    return f"{told} ('{path} --help' lists what there is)"


def found_behind(told: str, words: Sequence[str]) -> str:
    """Return which value was given to the option that a message is about."""
    named = re.search("'(--?[a-z-]+)'", told)
    for place, word in enumerate(words):
        if named is not None and word == named[1] and place + 1 < len(words):
            return f"found '{words[place + 1]}', "
        if named is not None and word.startswith(f"{named[1]}="):
            return f"found '{word.partition('=')[2]}', "
    return ""


def blame(error: Exception) -> int:
    """Tell what went wrong: the user's part (a file, a value) as it is, ours as internal."""
    if os.environ.get(TRACEBACK_VARIABLE):
        traceback.print_exception(error)
    if isinstance(error, OSError):
        abandon_output()
        place = f"{error.filename}: " if error.filename is not None else f"{place_of_no_name()}: "
        return explain(f"{place}{error.strerror or error}", ExitCode.USAGE)
    if isinstance(error, ValueError):
        return explain(str(error), ExitCode.USAGE)
    if isinstance(error, RecursionError):
        return explain("found values nested too deep, expected a few levels", ExitCode.USAGE)
    if isinstance(error, MemoryError):
        return explain(f"this takes more memory than there is; ask for less at once {error}", ExitCode.USAGE)
    name = type(error).__name__
    hint = f"this is a fault of sim, please report it; {TRACEBACK_VARIABLE}=1 shows where"
    return explain(f"internal error, {name}: {error} ({hint})", ExitCode.INTERNAL)


def place_of_no_name() -> str:
    """Return what a fault of the disk is about that does not say so: the folder that one is in, if that is gone."""
    try:
        Path.cwd()
    except OSError:
        return "the folder that you are in"
    return "cannot write"


def explain(message: str, code: ExitCode) -> ExitCode:
    """Say one line on standard error and return the code."""
    line = "; ".join(" ".join(part.split()) for part in message.splitlines() if part.strip())
    if len(line) > MOST_LETTERS:
        line = f"{line[: MOST_LETTERS * 2 // 3]} ... {line[-MOST_LETTERS // 3 :]}"
    with contextlib.suppress(OSError):  # nobody may be there to read it
        sys.stderr.write(f"{PROGRAM}: {one_line(line)}\n")
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
