"""Whether choices matter: what the best option is worth over a random one, by rollouts from sampled decisions.

Of each recorded playout one decision is drawn. Each of its options (a few drawn ones, where there are many) is forced
by the tape and the playout goes on under the policies, several times in worlds of draws of its own and the same worlds
for all options. The order of the decks stays as it lies. `V(o)` is the mean share of the win of who decides.

* *action gap*: `V(best) - V(random)`; the best option is found in one half of the worlds and judged in the other, both
  ways round, so that luck is not taken for skill. What few worlds cannot tell apart makes the gap too small, not large.
* *policy gap*: `V(chosen) - V(random)`: what the policy makes of the choice; 0 for the policy `random`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim import rng
from sim.engine.blocks import make_assignment
from sim.engine.contract import DECISION_EVENT, NONE_OPTION, TAPE_LENGTH, WHOLE_WIN, AfterTape
from sim.engine.lineup import rotations
from sim.engine.recording import FIRST, KIND, SEAT, SECOND, THIRD, record_playouts
from sim.jit import make_records
from sim.rng import Namespace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.engine.blocks import Arm
    from sim.engine.contract import Game

N_WORLDS: Final = 16
MOST_OPTIONS: Final = 8
WORLD_STRIDE: Final = 1024  # namespaces of rollouts, apart from all that have a name
SET_UP: Final = 0

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Gaps:
    """Sampled decisions, one a playout.

    Attributes:
        kind: Kind of each decision, shape (n_decisions,).
        action: Its action gap, a proportion, shape (n_decisions,).
        policy: Its policy gap, shape (n_decisions,).
        playout: Number of its playout, shape (n_decisions,).
        number: How many decisions come before it there, shape (n_decisions,).
        seat: Who decides, shape (n_decisions,).

    """

    kind: Array
    action: Array
    policy: Array
    playout: Array
    number: Array
    seat: Array


def sample_gaps(game: Game, arm: Arm, seed: int, n_playouts: int) -> Gaps:
    """Sample a decision of each of the first playouts and tell what its options are worth.

    Args:
        game: The game.
        arm: Variant and line-up.
        seed: Seed of all draws.
        n_playouts: Playouts; those in which nobody has a choice give nothing.

    """
    found: list[_Found] = []
    for recorded in record_playouts(game, arm, seed, 0, n_playouts):
        is_decision = recorded.events[:, KIND] == DECISION_EVENT
        events, place = recorded.events[is_decision], recorded.place[is_decision]
        starts = np.searchsorted(place, np.arange(len(recorded.playouts) + 1))
        for number, playout in enumerate(recorded.playouts):
            decisions = events[starts[number] : starts[number + 1]]
            if len(decisions):
                lineup = rotations(arm.lineup)[recorded.rotation[number]]
                assignment = make_assignment(lineup, seed)
                found.append(_gap(_Playout(game, arm.rules, assignment, seed, int(playout)), decisions))
    forms = (int, float, float, int, int, int)
    columns = list(zip(*found, strict=True)) or [()] * len(forms)
    return Gaps(*(np.asarray(column, form) for column, form in zip(columns, forms, strict=True)))


@dataclass(frozen=True)
class _Playout:
    """One playout that can go on in other worlds from any of its decisions."""

    game: Game
    rules: Any
    assignment: Any
    seed: int
    number: int

    def draw(self, k: int, n: int) -> int:
        """Draw a number below n, the same for the same playout and k."""
        key = rng.playout_key(np.uint64(self.seed), int(Namespace.ROLLOUT), self.number)
        return int(rng.index(rng.turn_key(key, SET_UP, SET_UP), SET_UP, k, n))

    def worth(self, tape: Sequence[int], seat: int, states: Any) -> Array:
        """Return the share of the win of a seat in each world after a tape of choices."""
        rows = np.zeros(1, self.game.row).view(np.recarray)
        numbers = np.array([self.number], np.int64)
        self.assignment["tape_size"] = len(tape)
        self.assignment["tape"][0, : len(tape)] = tape
        self.assignment["after_tape"] = AfterTape.POLICIES
        shares = np.empty(N_WORLDS)
        for world in range(N_WORLDS):
            self.assignment["tape_namespace"] = Namespace.ROLLOUT + WORLD_STRIDE * (world + 1)
            self.game.entry(states, self.rules, self.assignment, rows, numbers)
            shares[world] = rows["payoff"][0, seat] / WHOLE_WIN
        return shares


_Found = tuple[int, float, float, int, int, int]


def _gap(playout: _Playout, decisions: Array) -> _Found:
    """Return kind, action gap and policy gap of one decision drawn from a playout, its place there and who decides."""
    number = playout.draw(0, min(len(decisions), TAPE_LENGTH))
    before = [int(option) for option in decisions[:number, SECOND]]
    seat, kind, chosen, mask = (int(decisions[number, column]) for column in (SEAT, FIRST, SECOND, THIRD))
    options = [option for option in range(NONE_OPTION + 1) if mask >> option & 1]
    tried = _some_of(playout, options, chosen)
    states = make_records(playout.game.state)
    worth = np.stack([playout.worth([*before, option], seat, states) for option in tried])
    random = chances_of(len(tried), len(options))
    gap = float(worth[0].mean() - random @ worth.mean(axis=1))
    return kind, action_gap(worth, random), gap, playout.number, number, seat


def _some_of(playout: _Playout, options: list[int], chosen: int) -> list[int]:
    """Return the options that are tried, the chosen one first: all, or where there are many, some drawn ones."""
    left = [option for option in options if option != chosen]
    tried = [chosen]
    while left and len(tried) < MOST_OPTIONS:
        tried.append(left.pop(playout.draw(len(tried), len(left))))
    return tried


def chances_of(n_tried: int, n_options: int) -> Array:
    """Return how likely a random option is each of those tried; the drawn ones stand for those not drawn."""
    others = (n_options - 1) / n_options / (n_tried - 1)
    return np.array([1 / n_options, *[others] * (n_tried - 1)])


def action_gap(worth: Array, random: Array) -> float:
    """Return how much more the best option is worth than a random one.

    Args:
        worth: Share of the win by option and world, shape (n_options, n_worlds).
        random: Chance of each option at random, shape (n_options,).

    """
    half = worth.shape[1] // 2
    first, second = worth[:, :half].mean(axis=1), worth[:, half:].mean(axis=1)
    found = second[first.argmax()] - random @ second, first[second.argmax()] - random @ first
    return float(np.mean(found))
