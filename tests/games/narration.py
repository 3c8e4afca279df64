"""What every narration has to keep to: each event is told, every turn has its line, the end names who won."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from sim.components import Ruleset
from sim.engine.contract import NOBODY, WHOLE_WIN, Game, Termination
from sim.engine.replay import Event
from sim.mechanics.words import End
from tests.support import record

N_SEATS = 4

Narrate = Callable[[Ruleset, int, Sequence[Event]], list[str]]


def kinds_told(
    game: Game, narrate: Narrate, words: Any, rulesets: Iterable[Ruleset], n_playouts: int
) -> tuple[set[int], set[int]]:
    """Follow playouts of random seats, each event of which has a line; return what kinds of events and decisions came.

    Args:
        game: The game.
        narrate: Its narration.
        words: Its kinds of events.
        rulesets: Rulesets to play.
        n_playouts: Playouts of each.

    """
    kinds: set[int] = set()
    decisions: set[int] = set()
    for ruleset in rulesets:
        for playout in range(n_playouts):
            events = record(game, game.pack(ruleset), ["random"], N_SEATS, playout).events
            lines = narrate(ruleset, N_SEATS, events)
            in_header = [(event[0], after[0]) for event, after in pairwise(events)].count((words.TURN, words.ROLL))
            assert len(lines) == 1 + len(events) - in_header
            assert all(line.strip() for line in lines)
            kinds |= {event[0] for event in events}
            decisions |= {event[2] for event in events if event[0] == words.DECISION}
    return kinds, decisions


def check_turns_and_end(game: Game, narrate: Narrate, words: Any, n_seats: int, n_playouts: int) -> None:
    """Look whether each turn of printed playouts has its line and the last line names who won, if somebody did."""
    ruleset = game.load().resolve({})
    for playout in range(n_playouts):
        told = record(game, game.pack(ruleset), ["random"], n_seats, playout)
        lines = narrate(ruleset, n_seats, told.events)
        n_turns = sum(event[0] == words.TURN for event in told.events)
        headers = [line.split(",")[0] for line in lines if line.startswith("Turn ")]
        assert headers == [f"Turn {turn + 1}" for turn in range(n_turns)]
        if told.row.termination == Termination.WON:
            winner = list(told.row.payoff).index(WHOLE_WIN)
            assert lines[-1] == f"Seat {winner + 1} wins with {told.row.final_hp[winner]} HP"
        else:
            assert lines[-1].startswith("Nobody wins")


def check_nobody_wins(game: Game, narrate: Narrate, words: Any) -> None:
    """Look whether a draw and a turn limit are told as ends that nobody wins."""
    for how in (End.DRAWN, End.TURN_LIMIT):
        ending = (int(words.END), NOBODY, int(how), 0, 0)
        assert narrate(game.load().resolve({}), 2, [ending])[-1].startswith("Nobody wins")
