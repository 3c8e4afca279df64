"""Names the commands and what is said about them; each group of commands has a file of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sim.cli import checking, measuring, output, playing, showing, telling

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = {
    "run": "sim run experiments/flip/pulse_rifle.toml",
    "check": "sim check experiments/flip/check.toml --junit bands.xml",
    "show": "sim show results/pulse_rifle --table item_balance --row item=bush --row profile=leader",
    "play": "sim play flip -n 1e6 --policy leader --vs honey_hitters_at_cap=bank --seed 7",
    "replay": "sim replay flip --seed 7 --playout 1234",
    "games": "sim games --json",
    "rules": "sim rules flip --assumed",
    "schema": "sim schema flip > flip.schema.json",
    "bench": "sim bench flip --policy leader",
    "warm": "sim warm flip",
}

app = typer.Typer(
    name="sim",
    help="Monte Carlo balance simulator for tabletop games.",
    epilog=f"Example: {EXAMPLES['run']}",
    rich_markup_mode=None,  # plain help starts twice as fast and has no escape bytes when piped
    context_settings={"help_option_names": ["-h", "--help"]},
)


def print_version(is_wanted: bool) -> None:
    """Print the version and leave."""
    if is_wanted:
        from sim import __version__  # noqa: PLC0415

        typer.echo(f"sim {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    color: Annotated[
        output.Color, typer.Option("--color", help="When output is coloured; NO_COLOR is honoured.")
    ] = output.Color.AUTO,
    folders: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            metavar="FOLDER",
            help="A game that lies outside of sim: its folder, as a game of sim has one. Can be repeated.",
            show_default=False,
        ),
    ] = None,
    _version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Settle what holds for all commands; without a command, show what there is."""
    output.choose_color(color)
    if folders:
        from sim import games  # noqa: PLC0415

        for folder in folders:
            games.add(folder)
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


def add(name: str, command: Callable[..., None]) -> None:
    """Give the app a command with its example."""
    app.command(name, epilog=f"Example: {EXAMPLES[name]}")(command)


add("run", playing.run)
add("check", checking.check)
add("show", showing.show)
add("play", playing.play)
add("replay", telling.replay)
add("games", telling.list_games)
add("rules", telling.list_rules)
add("schema", telling.print_schema)
add("bench", measuring.bench)
add("warm", measuring.warm)
