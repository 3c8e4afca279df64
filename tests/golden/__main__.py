"""Writes the golden transcripts anew: `python -m tests.golden`; read the diff before it is committed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sim import games
from tests.support import record

FOLDER = Path(__file__).parent
TRANSCRIPTS: dict[str, tuple[str, dict[str, Any], str, int, int]] = {
    "pig_hold_20": ("pig", {}, "hold_20", 2, 0),
    "flip_printed": ("flip", {}, "leader", 4, 1000),
    "flip_random": ("flip", {}, "random", 3, 1001),
    "flip_trades": ("flip", {"trade": "valued"}, "random", 4, 1002),
    "fortnite_printed": ("fortnite", {}, "leader", 4, 1000),
    "fortnite_random": ("fortnite", {}, "random", 7, 1001),
    "fortnite_trades": ("fortnite", {"trade": "valued"}, "random", 3, 1002),
}
"""By file: game, changes, policy in every seat, seats, playout."""


def transcript(name: str) -> str:
    """Return the text of one transcript as the project tells it now."""
    game_name, changes, policy, n_seats, playout = TRANSCRIPTS[name]
    game = games.get(game_name)
    ruleset = game.load().resolve(changes)
    told = record(game, game.pack(ruleset), [policy], n_seats, playout)
    return "\n".join(game.narrate(ruleset, n_seats, told.events)) + "\n"


def main() -> None:
    """Write all transcripts."""
    for name in TRANSCRIPTS:
        (FOLDER / f"{name}.txt").write_text(transcript(name), encoding="utf-8")


if __name__ == "__main__":
    main()
