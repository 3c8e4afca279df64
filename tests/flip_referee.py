"""Compares flip's kernels with its referee, event by event: `python -m tests.flip_referee [playouts] [variant ...]`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from sim.components import Ruleset
from sim.games.flip.game import GAME
from sim.games.flip.words import Deck, Purpose
from tests.referees.flip import referee
from tests.support import SEED, first_difference, record, referee_draw, referee_order, stream_choose

SEAT_COUNTS = (2, 3, 4)
LINEUPS = (("random",), ("leader",), ("threat",), ("weakest",), ("next",))
FIRST_PLAYOUT = 1000 * GAME.version


def compare(ruleset: Ruleset, n_seats: int, playouts: range) -> str:
    """Return the first difference between kernel and referee over playouts, or nothing.

    Every second playout is random, since random seats reach the rare options.
    """
    rules = GAME.pack(ruleset)
    cards = {"LOOT": rules["loot"][0], "MODE": rules["mode"][0], "LOADOUT": rules["loadout"][0]}
    for playout in playouts:
        policies = LINEUPS[0] if playout % 2 == 0 else LINEUPS[playout // 2 % len(LINEUPS)]
        told = record(GAME, rules, policies, n_seats, playout)
        draw = referee_draw(Purpose, SEED, playout)
        order = referee_order(Deck, cards, SEED, playout)
        try:
            verdict = referee(ruleset.as_plain(), n_seats, draw, order, stream_choose(GAME, told.events))
        except (AssertionError, ValueError) as fault:
            return f"playout {playout}, {n_seats} seats, {policies}: {fault}; kernel ends {told.events[-12:]}"
        difference = first_difference(told.events, verdict.events)
        if difference:
            return f"playout {playout}, {n_seats} seats, {policies}: {difference}"
        if list(told.row.payoff[:n_seats]) != verdict.payoff:
            return f"playout {playout}: payoffs {told.row.payoff} and {verdict.payoff}"
    return ""


def main(arguments: Sequence[str]) -> int:
    """Play all variants, or those named, and print the first difference of each."""
    n_playouts = int(arguments[0]) if arguments else 2000
    components = GAME.load()
    names = list(arguments[1:]) or list(components.variants)
    started, bad = time.monotonic(), 0
    for name in names:
        ruleset = components.resolve({}, name)
        for n_seats in SEAT_COUNTS:
            difference = compare(ruleset, n_seats, range(FIRST_PLAYOUT, FIRST_PLAYOUT + n_playouts))
            if difference:
                bad += 1
                print(f"{name}: {difference}", flush=True)
                break
    seconds = time.monotonic() - started
    print(f"{len(names)} variants x {SEAT_COUNTS} seats x {n_playouts} playouts: {bad} differ ({seconds:.0f} s)")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
