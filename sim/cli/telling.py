"""`sim games`, `sim rules`, `sim replay` and `sim schema`: what there is, and one playout told turn by turn."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from sim.cli import options, output

if TYPE_CHECKING:
    from sim.engine.contract import Game
    from sim.engine.replay import Recording

EVENT_NUMBERS: Final = ("a", "b", "c")
NUMBERS_OF_EVENT: Final = ("first", "second", "third")  # what games call them
ASSUMED: Final = "assumed"
RULE_COLUMNS: Final = ("key", "default", "expected", "unit", "rules", "certainty", "source", "why")
RULE_LINE: Final = re.compile(r"- [A-Z]+-R\d+")

OnlySwitches = Annotated[bool, typer.Option("--switches", help="Only the questions that the rulebook leaves open.")]
OnlyAssumed = Annotated[bool, typer.Option("--assumed", help="Only values that are assumed, with their ranges.")]
OnlyComponents = Annotated[bool, typer.Option("--components", help="Only boards, cards and dice.")]
SchemaGame = Annotated[
    str | None,
    typer.Argument(
        metavar="[GAME]", help="Schema of the changes to this game; of plans if not given.", show_default=False
    ),
]
Playout = Annotated[
    int, typer.Option("--playout", min=0, max=options.MOST_PLAYOUT, help="Number of the playout to tell.")
]
Granted = Annotated[
    list[str] | None,
    typer.Option(
        "--grant",
        metavar="ITEM[@SEAT]",
        help="Give a seat (from 1) an item instead of what it is dealt; if none is named, the seats take turns from "
        "playout to playout. May be repeated: --grant bush@1 --grant cards.med_kit@1.",
        show_default=False,
    ),
]
RawEvents = Annotated[bool, typer.Option("--events", help="Raw events instead of sentences.")]


def list_games(form: options.Form = output.Format.TABLE, as_json: options.AsJson = False) -> None:
    """List the games, their seats and their policies."""
    from sim import games  # noqa: PLC0415

    rows = [describe_game(games.get(name)) for name in games.names()]
    output.show(output.Report("games", {"games": rows}), options.form_of(form, as_json))


def describe_game(game: Game) -> output.Row:
    """Return one game's row."""
    return {
        "game": game.name,
        "title": game.title,
        "seats": f"{game.fewest_seats}-{game.most_seats}",
        "policies": [policy.name for policy in game.policies],
        "version": game.version,
    }


def list_rules(
    game_name: options.GameName,
    switches: OnlySwitches = False,
    assumed: OnlyAssumed = False,
    components: OnlyComponents = False,
    form: options.Form = output.Format.TABLE,
    as_json: options.AsJson = False,
) -> None:
    """Print every rule, switch and number of a game with its source and certainty."""
    from sim import games, jit  # noqa: PLC0415

    game = games.get(game_name)
    found = game.load()
    wanted = {"rules": not components, "components": components or assumed or not switches}
    tables = {
        "rules": [rule_row(entry) for entry in found.describe() if entry["is_switch"] or not switches],
        "components": [component_row(entry) for entry in found.describe_components()],
    }
    tables = {name: rows for name, rows in tables.items() if wanted[name] and rows}
    chosen = options.form_of(form, as_json)
    is_whole = not (switches or assumed or components)
    sentences = rulebook(game) if is_whole and chosen in {output.Format.TABLE, output.Format.MD} else []
    if assumed:
        tables = {name: [row for row in rows if row["certainty"] == ASSUMED] for name, rows in tables.items()}
        tables, sentences = most_influential_first(game, tables)
    report = output.Report("rules", tables, sentences, fingerprint=jit.source_hash(), more={"game": game.name})
    output.show(report, chosen)


def most_influential_first(
    game: Game, tables: dict[str, list[output.Row]]
) -> tuple[dict[str, list[output.Row]], list[str]]:
    """Return tables ranked by how far each row moves a headline, and how that was measured; as they are if it was not.

    Args:
        game: The game.
        tables: Rows with a `key`.

    """
    from sim.components.influence import read_influence  # noqa: PLC0415

    found = read_influence(Path(game.folder))
    if not found.size:
        return tables, []
    ranked = {}
    for name, rows in tables.items():
        sized = [{"influence": found.of(row["key"]), **row} for row in rows]
        ranked[name] = sorted(sized, key=lambda row: (row["influence"] is None, -(row["influence"] or 0)))
    about = found.measured
    told = f"Most influential first: {about['unit']} by which each moves '{about['headline']}', measured by"
    return ranked, [f"{told} `{about['command']}` (seed {about['seed']})."]


def rulebook(game: Game) -> list[str]:
    """Return the numbered sentences of the rulebook as RULES.md has them."""
    text = (Path(game.folder) / "RULES.md").read_text(encoding="utf-8")
    title, *_ = text.splitlines()
    return [title.lstrip("# "), *(line.removeprefix("- ") for line in text.splitlines() if RULE_LINE.match(line))]


def rule_row(entry: output.Row) -> output.Row:
    """Return a number's or switch's row: what it is first, why it is so last."""
    return {name: entry[name] for name in RULE_COLUMNS}


def component_row(entry: output.Row) -> output.Row:
    """Return a component's row: what it does in one cell, its assumed range in another."""
    _key, *values = entry["values"].items()
    ranges = [
        f"{name}{entry[low]} to {entry[high]}"
        for low, high, name in (("low", "high", ""), ("storm_low", "storm_high", "storm_cost "))
        if entry.get(low) is not None and entry.get(high) is not None
    ]
    return {
        "key": f"{entry['table']}.{entry['key']}",
        "values": ", ".join(f"{name} {value}" for name, value in values if value != ""),
        "expected": ", ".join(ranges),
        "certainty": entry.get("certainty", ""),
        "source": entry.get("source", ""),
    }


def print_schema(game_name: SchemaGame = None) -> None:
    """Print JSON schemas for editors: of a plan, or of the changes that a game's variants may make."""
    import json  # noqa: PLC0415

    if game_name is None:
        from sim.experiment.plan import Plan  # noqa: PLC0415

        schema = Plan.model_json_schema(by_alias=True)
    else:
        from sim import games  # noqa: PLC0415

        schema = games.get(game_name).load().schema()
    sys.stdout.write(json.dumps(schema, indent=1, ensure_ascii=False) + "\n")


def replay(
    game_name: options.GameName,
    playout: Playout = 0,
    seed: options.Seed = None,
    seats: options.Seats = None,
    policy: options.Policies = None,
    changes: options.Changes = None,
    granted: Granted = None,
    raw_events: RawEvents = False,
    form: options.Form = output.Format.TABLE,
    as_json: options.AsJson = False,
) -> None:
    """Tell one playout turn by turn."""
    from sim import games, jit  # noqa: PLC0415
    from sim.cli.kernels import prepare  # noqa: PLC0415
    from sim.engine.replay import replay as play_again  # noqa: PLC0415
    from sim.experiment.granting import read_grants  # noqa: PLC0415

    game = games.get(game_name)
    ruleset = game.load().resolve(options.read_changes(changes))
    lineup = options.lineup_of(game, seats, policy)
    grants = read_grants(game, ruleset, len(lineup), granted or [])
    seed = options.drawn_seed(seed)
    prepare(game)
    recording = play_again(game, game.pack(ruleset), lineup, seed, playout, grants=grants)
    told = game.narrate(ruleset, len(lineup), recording.events)
    chosen = options.form_of(form, as_json)
    tables = {"events": name_events(game, recording), "outcome": outcome(game, recording, lineup)}
    if chosen is output.Format.TABLE and not raw_events:
        del tables["events"]
    report = output.Report(
        "replay",
        tables,
        sentences=() if raw_events else told,
        seed=seed,
        fingerprint=jit.source_hash(),
        more={"game": game.name, "playout": playout, "granted": list(granted or []), "narration": told},
    )
    output.show(report, chosen)


def name_events(game: Game, recording: Recording) -> list[output.Row]:
    """Return the raw events, a row each; seats count from 1, also those among an event's numbers."""
    from sim.engine.seating import number_of  # noqa: PLC0415

    others = {} if game.story is None else game.story.other_seats
    rows = []
    for number, (kind, seat, *rest) in enumerate(recording.events):
        event = game.events[kind]
        shown = zip(EVENT_NUMBERS, NUMBERS_OF_EVENT, rest, strict=True)
        told = {name: number_of(value) if others.get(event) == which else value for name, which, value in shown}
        rows.append({"number": number, "event": event, "seat": number_of(seat), **told})
    return rows


def outcome(game: Game, recording: Recording, lineup: Any) -> list[output.Row]:
    """Return how the playout ended, a row for each seat."""
    from sim.engine.contract import WHOLE_WIN, Termination  # noqa: PLC0415
    from sim.engine.seating import number_of  # noqa: PLC0415

    row = recording.row
    return [
        {
            "seat": number_of(seat),
            "place": number_of(int(row["order"][seat])),
            "policy": policy.name,
            "win_share": int(row["payoff"][seat]) / WHOLE_WIN,
            "eliminated": int(row["eliminated"][seat]),
            **{f"final_{name}": int(row[f"final_{name}"][seat]) for name in game.resources},
            "termination": Termination(int(row["termination"])).name.lower(),
            "length_turns": int(row["length_turns"]),
        }
        for seat, policy in enumerate(lineup)
    ]
