"""Whether choices matter: what the best option is worth over a random one, by rollouts from sampled decisions.

Of each recorded playout one decision is drawn. Each of its options (a few drawn ones, where there are many) is forced
by the tape and the playout goes on under the policies, several times in worlds of draws of its own and the same worlds
for all options. `V(o)` is the mean share of the win of who decides.

* *policy gap*: `V(chosen) - V(random)`: what the policy makes of the choice; 0 for the policy `random`.
* *gain*: `V(best) - V(chosen)`, which is never less than nothing. The options that look best in a first trial are
  judged in fresh worlds (as in sequential halving: Karnin, Koren and Somekh 2013). The best of noisy means is too large
  there: what all worlds, each half and each quarter of them tell is extrapolated to no noise (`sim.statistics.rolled`),
  and what that may leave goes into the error.
* *action gap*: `V(best) - V(random)`, the sum of both, so that the best option is never worth less than the chosen one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim import rng
from sim.engine.contract import DECISION_EVENT, NONE_OPTION, TAPE_LENGTH, WHOLE_WIN
from sim.engine.recording import FIRST, KIND, SEAT, SECOND, THIRD, record_playouts
from sim.engine.rollouts import Position, Worlds, roll_out
from sim.rng import Namespace
from sim.statistics.estimate import Estimate
from sim.statistics.rolled import extrapolate
from sim.statistics.sampled import mean_of, widened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sim.engine.blocks import Arm
    from sim.engine.contract import Game

N_TRIALS: Final = 16  # worlds in which each option is tried
N_JUDGED: Final = 128  # fresh worlds for the chosen option and those that looked best
MOST_JUDGED: Final = 3
MOST_OPTIONS: Final = 8
SET_UP: Final = 0

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Gaps:
    """Sampled decisions, one a playout.

    Attributes:
        kind: Kind of each decision, shape (n_decisions,).
        policy: Its policy gap, a proportion, shape (n_decisions,).
        gain: What the best option is worth over the chosen one, shape (n_decisions,).
        moved: How much more worlds last moved the gain, shape (n_decisions,).
        playout: Number of its playout, shape (n_decisions,).
        number: How many decisions come before it there, shape (n_decisions,).
        seat: Who decides, shape (n_decisions,).

    """

    kind: Array
    policy: Array
    gain: Array
    moved: Array
    playout: Array
    number: Array
    seat: Array

    @property
    def action(self) -> Array:
        """The action gap of each decision; the means of many have an error, one alone is noise."""
        return np.asarray(self.policy + self.gain)

    def chosen_over_random(self, some: Array) -> Estimate:
        """Estimate the mean policy gap of some decisions."""
        return mean_of(self.policy[some])

    def best_over_random(self, some: Array) -> Estimate:
        """Estimate the mean action gap of some decisions; it is never below the policy gap."""
        gain = float(self.gain[some].mean())
        found = mean_of(self.policy[some] + self.gain[some]).shifted(max(0.0, -gain))
        return widened(found, abs(float(self.moved[some].mean())))


@dataclass(frozen=True)
class _Decision:
    """A decision of a recorded playout."""

    playout: int
    rotation: int
    number: int
    seat: int
    kind: int
    before: tuple[int, ...]
    tried: tuple[int, ...]  # options, the chosen one first
    n_options: int

    def position(self, option: int) -> Position:
        """Return where the playout is left when an option is chosen."""
        return Position(self.playout, tape=(*self.before, option), rotation=self.rotation)


def sample_gaps(
    game: Game, arm: Arm, seed: int, n_playouts: int, progress: Callable[[int], None] | None = None
) -> Gaps:
    """Sample a decision of each of the first playouts and tell what its options are worth.

    Args:
        game: The game.
        arm: Variant and line-up.
        seed: Seed of all draws.
        n_playouts: Playouts; those in which nobody has a choice give nothing.
        progress: Called with the number of positions rolled out, or None.

    """
    decisions = _drawn(game, arm, seed, n_playouts)

    def worth(options: Sequence[Sequence[int]], n_worlds: int, offset: int) -> list[Array]:
        positions = [one.position(option) for one, some in zip(decisions, options, strict=True) for option in some]
        payoff = roll_out(game, arm, seed, positions, n_worlds, offset=offset, progress=progress).payoff
        found, start = [], 0
        for one, some in zip(decisions, options, strict=True):
            found.append(payoff[start : start + len(some), :, one.seat] / WHOLE_WIN)
            start += len(some)
        return found

    trials = worth([one.tried for one in decisions], N_TRIALS, Worlds.TRIAL)
    best = [_best(trial) for trial in trials]
    judged = worth(
        [[one.tried[place] for place in places] for one, places in zip(decisions, best, strict=True)],
        N_JUDGED,
        Worlds.JUDGE,
    )
    policy = [
        policy_gap(one.n_options, trial, some) for one, trial, some in zip(decisions, trials, judged, strict=True)
    ]
    gains = np.array([gain_of(some) for some in judged]).reshape(-1, 2)
    about = np.array([(one.kind, one.playout, one.number, one.seat) for one in decisions], int).reshape(-1, 4)
    kind, playout, number, seat = about.T
    return Gaps(kind, np.array(policy, float), gains[:, 0], gains[:, 1], playout, number, seat)


def _drawn(game: Game, arm: Arm, seed: int, n_playouts: int) -> list[_Decision]:
    """Return a decision of each of the first playouts that has one."""
    found = []
    for recorded in record_playouts(game, arm, seed, 0, n_playouts):
        is_decision = recorded.events[:, KIND] == DECISION_EVENT
        for place, playout in enumerate(recorded.playouts.tolist()):
            decisions = recorded.events[is_decision & (recorded.place == place)]
            if len(decisions):
                found.append(_draw(seed, playout, int(recorded.rotation[place]), decisions))
    return found


def _draw(seed: int, playout: int, rotation: int, decisions: Array) -> _Decision:
    """Draw one of a playout's decisions, and which of its options are tried."""
    number = draw(seed, playout, 0, min(len(decisions), TAPE_LENGTH))
    before = tuple(int(option) for option in decisions[:number, SECOND])
    seat, kind, chosen, mask = (int(decisions[number, column]) for column in (SEAT, FIRST, SECOND, THIRD))
    left = [option for option in range(NONE_OPTION + 1) if mask >> option & 1 and option != chosen]
    n_options, tried = len(left) + 1, [chosen]
    while left and len(tried) < MOST_OPTIONS:
        tried.append(left.pop(draw(seed, playout, len(tried), len(left))))
    return _Decision(playout, rotation, number, seat, kind, before, tuple(tried), n_options)


def draw(seed: int, playout: int, k: int, n: int) -> int:
    """Draw a number below n, the same for the same playout and k."""
    with np.errstate(over="ignore"):  # unsigned arithmetic wraps by intent
        key = rng.playout_key(np.uint64(seed), int(Namespace.ROLLOUT), playout)
        return int(rng.index(rng.turn_key(key, SET_UP, SET_UP), SET_UP, k, n))


def chances_of(n_tried: int, n_options: int) -> Array:
    """Return how likely a random option is each of those tried; the drawn ones stand for those not drawn."""
    others = (n_options - 1) / n_options / (n_tried - 1)
    return np.array([1 / n_options, *[others] * (n_tried - 1)])


def _best(trial: Array) -> list[int]:
    """Return the places of the options to be judged: the chosen one first, then those that did best."""
    others = 1 + np.argsort(-trial[1:].mean(axis=1), kind="stable")
    return [0, *others[: MOST_JUDGED - 1].tolist()]


def policy_gap(n_options: int, trial: Array, judged: Array) -> float:
    """Return what the chosen option is worth over a random one.

    Args:
        n_options: Options there were.
        trial: Share of the win by option, the chosen one first, and world, shape (n_tried, n_worlds).
        judged: The same in fresh worlds; counted where no option is missing there, else looks would decide.

    """
    random = chances_of(len(trial), n_options)
    if len(judged) < len(trial):
        return float(trial[0].mean() - random @ trial.mean(axis=1))
    order = np.argsort([0, *(1 + np.argsort(-trial[1:].mean(axis=1), kind="stable"))], kind="stable")
    worlds = np.concatenate([trial, judged[order]], axis=1)
    return float(worlds[0].mean() - random @ worlds.mean(axis=1))


def gain_of(judged: Array) -> tuple[float, float]:
    """Return how much more the best option is worth than the chosen one, and how much more worlds last moved that.

    Args:
        judged: Share of the win by option, the chosen one first, and world, shape (n_options, n_worlds).

    """
    told = []
    for n_parts in (1, 2, 4):
        means = judged.reshape(len(judged), n_parts, -1).mean(axis=2)
        told.append(np.asarray((means.max(axis=0) - means[0]).mean()))
    value, moved = extrapolate(*told)
    return float(value), float(moved)
