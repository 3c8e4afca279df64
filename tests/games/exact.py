"""What tests of whole games share: rows under changed rules, shares against exact values, hand-drawn readings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from sim.components import Components
from sim.engine.blocks import Arm, Array, Grant, play_rows
from sim.engine.contract import WHOLE_WIN, Game, Termination
from sim.engine.lineup import make_lineup
from sim.engine.replay import Recording
from tests.support import SEED

JAIL = 8
ERRORS = 4  # standard errors that an exact value may be missed by


def played(
    game: Game, changes: Mapping[str, Any], policy: str, n_seats: int, n_playouts: int, *grants: Grant
) -> tuple[Array, Any]:
    """Return rows, shape (n_playouts,), and tallies of self-play under changed rules."""
    rules = game.pack(game.load().resolve(dict(changes)))
    arm = Arm("test", rules, make_lineup(game, [policy], n_seats), n_playouts, grants)
    rows, states = play_rows(game, arm, SEED, 0, n_playouts)
    return rows[0], states[0].tallies


def assert_share(count: float, n: int, exact: float) -> None:
    """Compare a share with its exact value, four standard errors wide."""
    assert abs(count / n - exact) < ERRORS * math.sqrt(exact * (1 - exact) / n), (count / n, exact)


@dataclass(frozen=True)
class Chain:
    """What the stationary chain of a pawn that only moves says, per turn.

    Attributes:
        spaces: Share of turns that end on a space, by space.
        visiting: Share of turns that end on the jail's space, outside.
        jailed: Share of turns that end inside.
        sent: Chance of being sent to jail.
        go: Chance of passing GO.

    """

    spaces: Mapping[int, float]
    visiting: float
    jailed: float
    sent: float
    go: float


def check_chain(later: tuple[Array, Any], earlier: tuple[Array, Any], exact: Chain) -> None:
    """Compare where two pawns stand, and what their last turns did, with the exact chain.

    Args:
        later: Rows and tallies of playouts that the turn limit stopped.
        earlier: Those of the same playouts with one turn less for each pawn.
        exact: The chain.

    """
    rows, tallies = later
    n = len(rows)
    assert (rows.termination == Termination.TURN_LIMIT).all()
    for space, share in exact.spaces.items():
        assert_share((rows.space[:, 0] == space).sum(), n, share)
    in_jail = rows.jailed[:, 0] > 0
    assert_share(((rows.space[:, 0] == JAIL) & ~in_jail).sum(), n, exact.visiting)
    assert_share(in_jail.sum(), n, exact.jailed)
    assert_share(int(tallies.jailings) - int(earlier[1].jailings), 2 * n, exact.sent)
    assert_share(int(tallies.go_passes) - int(earlier[1].go_passes), 2 * n, exact.go)


@st.composite
def changes_of_rules(draw: st.DrawFn, components: Components, readings: Mapping[str, Any]) -> dict[str, Any]:
    """Draw a few switches at random readings."""
    keys = draw(st.lists(st.sampled_from(sorted(readings)), max_size=6, unique=True))
    return {key: draw(st.sampled_from(list(components.rules[key].readings))) for key in keys}


def check_hp(game: Game, recording: Recording, n_seats: int, cap: int) -> None:
    """Follow the HP of a playout: within the cap, nothing happens to the fallen, and the win is shared out whole."""
    kinds = {name: number for number, name in enumerate(game.events)}
    fallen: set[int] = set()
    hp = [cap] * n_seats
    for kind, seat, first, _second, _third in recording.events:
        if kind == kinds["HP"]:
            assert seat not in fallen
            hp[seat] += first
            assert 0 <= hp[seat] <= cap
        if kind == kinds["FALL"]:
            fallen.add(seat)
        if kind == kinds["TURN"]:
            assert seat not in fallen
    assert hp == list(recording.row.final_hp[:n_seats])
    assert recording.row.payoff.sum() == (recording.row.termination != Termination.TURN_LIMIT) * WHOLE_WIN
    assert recording.events[-1][0] == kinds["END"]
