"""A referee by itself: rulesets from a game's files, random draws and choices, and what every end has to be."""

from __future__ import annotations

import csv
import random  # noqa: TID251  (a referee stands apart from sim and its draws)
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

GAMES = Path(__file__).resolve().parent.parent / "sim" / "games"
WHOLE_WIN = 840
LAST_OPTION = 62

Tables = dict[str, list[dict[str, Any]]]


def read_switches(game: str) -> dict[str, list[str]]:
    """Return the readings of each switch in a game's RULES.md, the default first."""
    text = (GAMES / game / "RULES.md").read_text(encoding="utf-8")
    text = text[text.index("## 2. ") : text.index("## 3. ")]
    rows = re.findall(r"^\| `(\w+)` \| [^|]* \| ([^|]*) \|", text, re.MULTILINE)
    switches = {key: re.findall(r"`(\w+)`", readings) for key, readings in rows}
    return {key: readings for key, readings in switches.items() if len(readings) > 1}


def read_table(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a table of components, numbers as numbers."""
    with path.open(newline="", encoding="utf-8") as lines:
        return [{key: as_number(value) for key, value in row.items()} for row in csv.DictReader(lines)]


def as_number(value: str) -> int | str | None:
    """Read a number where there is one; nothing is nothing."""
    if value == "":
        return None
    return int(value) if re.fullmatch(r"-?\d+", value) else value


class RandomHands:
    """Random draws, deck orders and choices for one playout; no address may be drawn at twice."""

    def __init__(self, seed: int, n_cards: Mapping[str, int]) -> None:
        self.generator = random.Random(seed)  # noqa: S311  (nothing is secret)
        self.n_cards = n_cards
        self.drawn: set[tuple[str, int, int, int]] = set()

    def draw(self, purpose: str, active_seat: int, turn: int, k: int, n: int) -> int:
        """Draw below n at an address."""
        address = (purpose, active_seat, turn, k)
        assert address not in self.drawn
        self.drawn.add(address)
        return self.generator.randrange(n)

    def order(self, deck: str, _reshuffle: int = 0) -> list[int]:
        """Shuffle a deck."""
        return self.generator.sample(range(self.n_cards[deck]), self.n_cards[deck])

    def choose(self, _kind: str, _seat: int, options: list[int]) -> int:
        """Choose, of options that are worth asking for."""
        assert len(options) > 1
        assert options == sorted(set(options))
        assert options[0] >= 0
        assert options[-1] <= LAST_OPTION
        return self.generator.choice(options)


def check_verdict(verdict: Any, n_seats: int, words: Any, after_fall: Collection[int]) -> None:
    """Look whether the end is an end, and nobody acts who has fallen but in the events after a fall."""
    fallen: set[int] = set()
    for kind, seat, *_ in verdict.events:
        if kind == words.FALL:
            assert seat not in fallen
            fallen.add(seat)
        elif kind not in after_fall:
            assert seat not in fallen
    ending = verdict.events[-1]
    assert ending[0] == words.END
    assert sum(event[0] == words.END for event in verdict.events) == 1
    living = set(range(n_seats)) - fallen
    assert living == {seat for seat, hp in enumerate(verdict.hp) if hp > 0}
    winners = {seat for seat, part in enumerate(verdict.payoff) if part > 0}
    if verdict.termination == "won":
        assert verdict.payoff[ending[1]] == WHOLE_WIN
        assert living <= {ending[1]}
        assert len(winners) == 1
    elif verdict.termination == "drawn":
        assert len(winners) > 1
        assert not living
        assert {verdict.payoff[seat] for seat in winners} == {WHOLE_WIN // len(winners)}
    else:
        assert verdict.termination == "turn_limit"
        assert verdict.payoff == [0] * n_seats
        assert len(living) > 1
    assert verdict.length_turns == sum(event[0] == words.TURN for event in verdict.events)
