"""The options that several commands share, and how their words become values."""

from __future__ import annotations

import contextlib
import secrets
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from sim.cli.output import Format

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sim.engine.contract import Game
    from sim.engine.lineup import Lineup

MOST_DRAWN_SEED: Final = 1 << 32  # short enough to copy by hand
MOST_SEED: Final = (1 << 64) - 1
MOST_PLAYOUT: Final = (1 << 62) - 1
MOST_JOBS: Final = 1024
MOST_DOTS: Final = 8  # of a dotted key; the longest there is has three
OPTION_OF_KEY: Final = {"changes: ": "--set: ", "policies: ": "--policy: ", "grant: ": "--grant: "}
"""The option behind each key by which a single playout or a measurement is asked for."""


def count_of_playouts(text: str | int) -> int:
    """Return a number of playouts written as 1000000, 1_000_000 or 1e6."""
    from sim.experiment.plan import MOST_PLAYOUTS  # noqa: PLC0415

    try:
        value = float(text) if "e" in str(text).lower() else int(text)
    except ValueError:
        value = 0
    if not 1 <= value <= MOST_PLAYOUTS or value != int(value):
        message = f"found '{text}', expected 1 to {MOST_PLAYOUTS:,} playouts, such as 1000000 or 1e6"
        raise typer.BadParameter(message)
    return int(value)


def split_pair(text: str, place: str, expected: str) -> tuple[str, str]:
    """Return what stands before and behind the first `=`.

    Raises:
        ValueError: There is no `=`, or nothing before it; `place` and `expected` are its words.

    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        message = f"{place}: found '{text}', expected {expected}"
        raise ValueError(message)
    return key.strip(), value.strip()


def read_change(text: str) -> tuple[str, Any]:
    """Return key and value of `key=value`; a value is read as in TOML, and as bare text where it is none.

    Raises:
        ValueError: There is no `=`, or nothing before it.

    """
    key, value = split_pair(text, "change", "key=value, such as 'goal=50'")
    if key.count(".") > MOST_DOTS:
        message = f"change: found a key with {key.count('.'):,} dots, expected at most {MOST_DOTS}"
        raise ValueError(message)
    try:
        parsed = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = value
    except RecursionError as fault:
        message = f"{key}: found a value nested too deep, expected a few levels"
        raise ValueError(message) from fault
    except ValueError as fault:  # Python reads no longer number
        message = f"{key}: found a number of {len(value):,} letters, expected one of at most 4,300"
        raise ValueError(message) from fault
    return key, parsed


def read_changes(texts: list[str] | None, option: str = "--set") -> dict[str, Any]:
    """Return the changes of a variant from the words of `--set`.

    Raises:
        ValueError: A key is there twice, the second value of which would win without a word.

    """
    found: dict[str, Any] = {}
    for text in texts or []:
        key, value = read_change(text)
        if key in found:
            message = f"{option}: found '{key}' twice, with {found[key]!r} and {value!r}, expected it once"
            raise ValueError(message)
        found[key] = value
    return found


@contextlib.contextmanager
def named_by(option_of: Mapping[str, str]) -> Iterator[None]:
    """Let faults name the options that something was asked by, not the keys that they stand for.

    Args:
        option_of: Option by how the lines of a fault begin.

    Raises:
        ValueError: There is a fault.

    """
    try:
        yield
    except ValueError as fault:
        from sim.experiment.asking import renamed  # noqa: PLC0415

        raise ValueError(renamed(fault, option_of)) from fault


def read_names(text: str | None) -> list[str] | None:
    """Return names set apart by commas, or None where nothing was given.

    Raises:
        ValueError: There is nothing before, between or behind the commas.

    """
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        message = f"--policy: found '{text}', expected a name, or names set apart by commas, such as 'random,random'"
        raise ValueError(message)
    return names


def drawn_seed(seed: int | None) -> int:
    """Return the seed that was given, or draw one; it is shown with every result."""
    return secrets.randbelow(MOST_DRAWN_SEED) if seed is None else seed


def lineup_of(game: Game, seats: int | None, policy: str | None) -> Lineup:
    """Return one policy per seat.

    Raises:
        ValueError: The game has no such number of seats, or a policy is unknown.

    """
    from sim.engine.lineup import make_lineup  # noqa: PLC0415

    names = read_names(policy) or [game.default_policy]
    n_seats = seats if seats is not None else (len(names) if len(names) > 1 else game.most_seats)
    if not game.fewest_seats <= n_seats <= game.most_seats:
        message = f"seats: found {n_seats}, expected {game.fewest_seats} to {game.most_seats} for {game.name}"
        raise ValueError(message)
    return make_lineup(game, names, n_seats)


def form_of(form: Format, as_json: bool) -> Format:
    """Return how to print, `--json` being short for `--format json`."""
    return Format.JSON if as_json else form


GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="Name of a game; 'sim games' lists them.", show_default=False)
]
Form = Annotated[Format, typer.Option("--format", help="How results are printed.")]
AsJson = Annotated[bool, typer.Option("--json", help="Short for --format json.")]
Seats = Annotated[
    int | None,
    typer.Option("--seats", help="Number of players; as many as the game takes if not given.", show_default=False),
]
Policies = Annotated[
    str | None,
    typer.Option(
        "--policy", metavar="NAME[,NAME...]", help="One policy for all seats, or one per seat.", show_default=False
    ),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        "-S",
        metavar="KEY=VALUE",
        help="Change a rule, switch or component; may be repeated.",
        show_default=False,
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        min=0,
        max=MOST_SEED,
        envvar="SIM_SEED",
        help="Seed of all draws; drawn and shown if not given.",
        show_default=False,
    ),
]
PlanSeed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        min=0,
        max=MOST_SEED,
        envvar="SIM_SEED",
        help="Seed of all draws; that of the plan if not given.",
        show_default=False,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, max=MOST_JOBS, help="Threads; one per core if not given.", show_default=False),
]
Count = Annotated[
    int | None,
    typer.Option(
        "-n",
        "--playouts",
        parser=count_of_playouts,
        metavar="N",
        help="Playouts of each variant, such as 1000000 or 1e6, 100,000 if not given; with --precision or "
        "--until-decided the most of them.",
        show_default=False,
    ),
]
Precision = Annotated[
    float | None,
    typer.Option(
        "--precision",
        metavar="POINTS",
        help="Play until every win share and lift has this half-width.",
        show_default=False,
    ),
]
UntilDecided = Annotated[
    bool,
    typer.Option("--until-decided", help="Play until every verdict is decided; the intervals then hold at every look."),
]
Margin = Annotated[
    float | None,
    typer.Option(
        "--margin",
        metavar="POINTS",
        help="How far from fair still counts as balanced, in points; 2 if not given.",
        show_default=False,
    ),
]
Level = Annotated[
    float | None,
    typer.Option(
        "--level", metavar="SHARE", help="Confidence level; 0.95 if nothing says otherwise.", show_default=False
    ),
]
Out = Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="Folder for the files.", show_default=False)]
Replace = Annotated[
    bool,
    typer.Option("--replace", help="Take the place of another result in --out, or stand among other files."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Check everything and say what would be played; play nothing.")]
