"""Throws odd words, plans, names, rules, boards and folders at the command line: `python -m tests.fuzz -n 100000`.

Every input is made from a seed and its number, so that one is tried again alone (`--only NUMBER`). Whatever it is, the
command ends soon with an exit code that is not an internal error, without a traceback, leaves nothing half-made and
prints nothing that does something to a terminal.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random  # noqa: TID251  (what is tried comes from a seed, no playout does)
import shlex
import signal
import string
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim import games
from sim.cli import main
from sim.experiment.plan import ESTIMANDS

SECONDS = 60  # in which every input has to end, on a busy machine
FINE = {0, 1, 2, 4}
BASE = 'schema = 1\nquestion = "Q?"\ngame = "pig"\nseats = 2\nplayouts = 40\nestimands = ["length", "win_share"]\n'
ODD = (
    "", " ", "0", "-1", "1e309", "nan", "inf", "-inf", "1e-320", "9" * 40, "9" * 5000, "True", "None", "null", "[]",
    "{}", "[[[[", "a" * 3000, "..", "../..", "/", "\x1b[2J", "\u202e", "\U0001f600", "ß", "%s", "$x^$", "|", ":",
    '"', "'", "\\", "=", ",", "a=b", "--", "-", "@", "\ufeff", "e\u0301", "\u0000",
)  # fmt: skip
COMMANDS = ("run", "check", "show", "play", "replay", "games", "rules", "schema", "bench", "warm", "nonsense")
OPTIONS = (
    "--seats", "--policy", "--set", "-S", "--vs", "--seed", "-n", "--playouts", "--precision", "--margin", "--level",
    "--until-decided", "--table", "--row", "--sample", "--format", "--json", "--jobs", "-j", "--grant", "--playout",
    "--keep", "--assumed", "--replace", "--fresh", "--junit", "--events", "--switches", "--color", "--help",
)  # fmt: skip
KEYS = (
    "seats", "seed", "playouts", "precision", "until_decided", "most_playouts", "paired_playouts", "estimands",
    "items",
    "item_estimands", "metric_playouts", "minutes_per_turn", "margin", "level", "population", "answer", "advice",
    "band",
    "variant", "profile", "assumed", "schema", "question", "game", "nonsense",
)  # fmt: skip


@dataclass
class Input:
    """One thing to try.

    Attributes:
        words: The words of the command.
        files: What to write first, by name.

    """

    words: list[str]
    files: dict[str, bytes] = field(default_factory=dict)


def odd(luck: random.Random) -> str:
    """Return an odd value: a listed one, or letters of any kind."""
    if luck.random() < 0.7:
        return luck.choice(ODD)
    return "".join(
        chr(luck.choice((luck.randrange(32, 127), luck.randrange(1, 0xD7FF)))) for _ in range(luck.randrange(12))
    )


def sane(luck: random.Random) -> str:
    """Return a value that some option or key may well have."""
    return luck.choice(
        ("1", "2", "3", "0.5", "random", "hold_20", "pig", "flip", "leader", "length", "json", "goal=50")
    )


def value(luck: random.Random) -> str:
    """Return a value, odd or not."""
    return odd(luck) if luck.random() < 0.5 else sane(luck)


def of_words(luck: random.Random) -> Input:
    """Return a command line that is put together from what there is, and some odd words."""
    words = [luck.choice(COMMANDS)]
    if luck.random() < 0.8:
        words.append(luck.choice(("pig", "flip", "plan.toml", "out", value(luck))))
    for _ in range(luck.randrange(4)):
        words += [luck.choice(OPTIONS), *([value(luck)] if luck.random() < 0.8 else [])]
    return Input(tamed(words), {"plan.toml": BASE.encode()})


def tamed(words: list[str]) -> list[str]:
    """Return words that play next to nothing: others are for the tests of what is played."""
    if words[0] in {"run", "check", "play"}:
        return [*words, "--dry-run"]
    return words if words[0] not in {"bench", "warm", "replay"} else [words[0], "pgi", *words[2:]]


def of_changes(luck: random.Random) -> Input:
    """Return changes of rules and boards at and beyond their ranges."""
    game = games.get(luck.choice(games.NAMES))
    entries = game.load().describe()
    words = ["play", game.name, "-n", "20", "--dry-run"]
    for _ in range(luck.randrange(1, 4)):
        if luck.random() < 0.6 or not game.families:
            key = luck.choice(entries)["key"]
        else:
            key = (
                f"board.{luck.randrange(-1, 42)}.{luck.choice(('front', 'back', 'kind', 'location', 'tile', 'amount'))}"
            )
        known = (0, 1, 2, 15, 65535, 65536, "location", "chest", "wall", "")
        words += [luck.choice(("-S", "--vs")), f"{key}={luck.choice((*known, odd(luck)))}"]
    return Input(words)


def of_plan(luck: random.Random) -> Input:
    """Return a plan with odd keys, values and names, or with bytes changed."""
    text = BASE
    for _ in range(luck.randrange(1, 4)):
        shown = luck.choice(
            (value(luck), f'"{value(luck)}"', "[1, 2]", f'["{value(luck)}"]', "{ a = 1 }", "1e400", "-0.0")
        )
        kind = luck.randrange(4)
        if kind == 0:
            text += f"{luck.choice(KEYS)} = {shown}\n"
        elif kind == 1:
            text += f'[[variant]]\nname = "{value(luck)}"\nchanges = {{ goal = {luck.choice((10, 50, shown))} }}\n'
        elif kind == 2:
            policy = luck.choice(("random", "hold_20", value(luck)))
            text += f'[[profile]]\nname = "{value(luck)}"\npolicies = ["{policy}"]\n'
        else:
            table = luck.choice((*ESTIMANDS, value(luck)))
            key = luck.choice(("lower", "upper", "seat"))
            text += f'[[band]]\nname = "{value(luck)}"\ntable = "{table}"\n{key} = {shown}\n'
    raw = bytearray(text.encode("utf-8", "surrogatepass"))
    if luck.random() < 0.3:
        for _ in range(luck.randrange(1, 5)):
            raw[luck.randrange(len(raw))] = luck.randrange(256)
    command = luck.choice(("run", "check"))
    return Input(
        [command, "plan.toml", "--dry-run", "--format", luck.choice(("table", "json", "csv", "md"))],
        {"plan.toml": bytes(raw)},
    )


def of_names(luck: random.Random) -> Input:
    """Return a plan with odd names that is played, saved and told."""
    name = "".join(
        luck.choice(string.ascii_letters + "$^_{}\\|:%#&<>/.,+- 零😀e\u0301") for _ in range(luck.randrange(1, 9))
    )
    text = f"{BASE}[[profile]]\nname = '{name}'\npolicies = ['random']\n[[variant]]\nname = '{name}'\n"
    command = luck.choice(("run", "check"))
    more = "[[band]]\nname = 'b'\ntable = 'length'\nupper = 30.0\n" if command == "check" else ""
    words = [command, "plan.toml", "--out", "new", "--format", luck.choice(("table", "json", "csv", "md"))]
    return Input(words, {"plan.toml": f"{text}{more}".encode()})


def of_folder(luck: random.Random, whole: dict[str, bytes]) -> Input:
    """Return a results folder in which files are cut, changed, lost or made up."""
    files = dict(whole)
    for _ in range(luck.randrange(1, 3)):
        name = luck.choice(sorted(whole))
        raw = bytearray(whole[name])
        kind = luck.randrange(5)
        if kind == 0:
            files.pop(name, None)
            continue
        if kind == 1:
            raw = raw[: luck.randrange(len(raw))]
        elif kind == 2:
            for _ in range(luck.randrange(1, 6)):
                raw[luck.randrange(len(raw))] = luck.randrange(256)
        elif kind == 3:
            raw = bytearray(odd(luck).encode("utf-8", "surrogatepass"))
        else:
            raw = raw.replace(
                luck.choice((b"variant", b"null", b"1", b"{", b'"')), luck.choice((b"x", b"null", b"[]", b""))
            )
        files[name] = bytes(raw)
    words = luck.choice((["show", "out"], ["show", "out", "--json"], ["show"], ["show", "out", "--table", "length"]))
    return Input(words, {f"out/{name}": raw for name, raw in files.items()} | {"plan.toml": BASE.encode()})


def made(number: int, seed: int, whole: dict[str, bytes]) -> Input:
    """Return the input of a number."""
    luck = random.Random(f"{seed} {number}")  # noqa: S311  (no secret)
    kinds: list[Callable[[random.Random], Input]] = [of_words, of_changes, of_plan, lambda one: of_folder(one, whole)]
    return of_names(luck) if number % 50 == 49 else kinds[number % len(kinds)](luck)


def result_of_base() -> dict[str, bytes]:
    """Return the files of a small result."""
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        Path("plan.toml").write_text(BASE)
        code, told = run(["run", "plan.toml", "--out", "out"])
        assert code == 0, told
        return {str(path.relative_to("out")): path.read_bytes() for path in Path("out").rglob("*") if path.is_file()}


def run(words: list[str]) -> tuple[int, str]:
    """Run a command; return its exit code and all that it printed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    return int(code), out.getvalue() + err.getvalue()


@contextlib.contextmanager
def ended_within(seconds: int) -> Iterator[None]:
    """Stop what does not end."""

    def stop(_number: int, _frame: Any) -> None:
        message = f"it did not end within {seconds} s"
        raise TimeoutError(message)

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def fault_of(one: Input) -> str:
    """Try an input; return what is wrong with what came of it, or nothing."""
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        for name, raw in one.files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(raw)
        before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
        with ended_within(SECONDS):
            code, told = run(one.words)
        if code not in FINE or "Traceback" in told or "internal error" in told:
            return f"exit code {code}: {told[-300:]}"
        harmful = [mark for mark in told if not mark.isprintable() and mark != "\n" and not is_harmless(mark)]
        if harmful:
            return f"printed {harmful[0]!r}"
        halves = [str(path) for path in Path().rglob(".sav*")]
        changed = [str(path) for path, raw in before.items() if not path.exists() or path.read_bytes() != raw]
        return f"left {halves}, changed {changed}" if halves or changed else ""


def is_harmless(mark: str) -> bool:
    """Tell whether a character that is not called printable is nevertheless a letter or a space of some script."""
    return (
        ord(mark) > 0xA0
        and mark not in "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    )


def tried(numbers: range, seed: int, seconds: float | None = None) -> Iterator[tuple[int, Input, str]]:
    """Try inputs by number; yield those with a fault, and stop when the time is over."""
    whole = result_of_base()
    started = time.monotonic()
    os.environ["COLUMNS"] = "100"
    for number in numbers:
        if seconds is not None and time.monotonic() - started > seconds:
            return
        one = made(number, seed, whole)
        try:
            fault = fault_of(one)
        except Exception as raised:  # noqa: BLE001  (that is what is looked for)
            fault = f"{type(raised).__name__}: {raised}"
        if fault:
            yield number, one, fault


def start() -> int:
    """Try as many inputs as are asked for and tell the faults."""
    reader = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.splitlines()[0])
    reader.add_argument("-n", type=int, default=2000, help="inputs to try")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--only", type=int, help="number of the one input to try")
    asked = reader.parse_args()
    numbers = range(asked.n) if asked.only is None else range(asked.only, asked.only + 1)
    n_faults = 0
    for number, one, fault in tried(numbers, asked.seed):
        n_faults += 1
        sys.stdout.write(f"{number}: sim {shlex.join(one.words)[:300]}\n    {fault}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{len(numbers):,} inputs of seed {asked.seed}, {n_faults:,} faults\n")
    return min(n_faults, 1)


if __name__ == "__main__":
    sys.exit(start())
