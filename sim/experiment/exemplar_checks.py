"""Exemplars of metrics that take chances to win: chosen by the metric, and rolled out once more before they are shown.

Whoever is chosen for the largest of many noisy numbers is chosen for its noise, too. What is shown therefore comes from
rollouts in worlds that had no part in the choice, and a comeback is shown only if the later winner was last at half
time by more than the noise of those.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.contract import WHOLE_WIN
from sim.engine.rollouts import Position, Worlds, roll_out
from sim.experiment.course_metrics import by_chances, course_positions, plain_part, roll_course
from sim.experiment.exemplar_sample import RowError
from sim.experiment.sample import Meter, Sample
from sim.statistics.course import Course

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.engine.blocks import Arm
    from sim.engine.contract import Game
    from sim.experiment.exemplar_sample import Rows, Sampled

N_CHECKED: Final = 256
N_AT_HALF_TIME: Final = 1_000
MOST_CHECKED: Final = 40
MOST_SHOWN: Final = 3
SURELY: Final = 2.0  # standard errors
DIGITS: Final = 4

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Rolled:
    """Recorded playouts of a variant whose positions can be rolled out.

    Attributes:
        game: The game.
        arm: What was recorded.
        seed: Its seed.
        recorded: The playouts.

    """

    game: Game
    arm: Arm
    seed: int
    recorded: Sample

    def course(self) -> tuple[Course, Array]:
        """Return the course that exemplars are chosen by and its playouts; by rollouts if there are enough."""
        finished = np.flatnonzero(self.recorded.is_finished)
        rolled = roll_course(self.game, self.arm, self.seed, self.recorded, Meter(0), 0.0)
        if rolled is None:
            return self.recorded.course, finished
        return rolled.leaning(rolled.played.chances), finished[: len(rolled.played.length)]

    def checked(self, playouts: Sequence[int], key: tuple[str, str]) -> dict[int, float]:
        """Return a metric of some playouts by rollouts in fresh worlds."""
        some = sorted(set(playouts))
        where = course_positions(self.recorded, np.array(some), N_CHECKED)
        found = roll_out(self.game, self.arm, self.seed, where, N_CHECKED, offset=Worlds.CHECK)
        positions = self.recorded.positions
        told = np.flatnonzero(np.isin(positions.playout, some) & positions.is_open)
        length = positions.length[some]
        played = Course(
            found.chances(),
            positions.alive[told],
            np.concatenate([[0], np.cumsum(length)[:-1]]).astype(np.int64),
            length,
            positions.payoff[some] / WHOLE_WIN,
            positions.eliminated[some],
        )
        return dict(zip(some, by_chances(played, key).tolist(), strict=True))

    def at_half_time(self, playouts: Sequence[int]) -> tuple[Array, Array]:
        """Return the chances at half time of some playouts in fresh worlds, and who is still in then."""
        positions, n_rotations = self.recorded.positions, self.recorded.n_rotations
        turns = (positions.length[list(playouts)] // 2).tolist()
        where = [Position(one, turn, rotation=one % n_rotations) for one, turn in zip(playouts, turns, strict=True)]
        found = roll_out(self.game, self.arm, self.seed, where, N_AT_HALF_TIME, offset=Worlds.CHECK)
        first = np.flatnonzero(positions.turn == 0)[list(playouts)]
        return found.chances(), positions.alive[first + turns]


def comebacks(sample: Sampled, rolled: Rolled) -> Rows:
    """Return playouts that who was surely last at half time won, and one that such a seat lost.

    Raises:
        RowError: No playout of the sample is surely a comeback.

    """
    played, playouts = rolled.course()
    half = played.half_time()
    chances = np.where(played.is_in[half], played.chances[half], np.inf)
    last = chances.argmin(axis=1)
    ahead = np.partition(chances, 1, axis=1)
    order = np.argsort(ahead[:, 0] - ahead[:, 1], kind="stable")
    share = played.payoff[np.arange(len(half)), last]
    rows: Rows = []
    for says, is_meant, most in (("wins", share == 1, MOST_SHOWN), ("loses", share == 0, 1)):
        some = order[is_meant[order]][:MOST_CHECKED]
        rows += _surely_last(sample, rolled, says, [(int(playouts[one]), int(last[one])) for one in some])[:most]
    if not any(" wins" in row["shows"] for row in rows):
        message = (
            f"row: of {len(half)} playouts none is surely won by who was last at half time, by {N_AT_HALF_TIME:,} "
            "rollouts; --sample looks through more"
        )
        raise RowError(message)
    return rows


def _surely_last(sample: Sampled, rolled: Rolled, says: str, candidates: Sequence[tuple[int, int]]) -> Rows:
    """Return the rows of the playouts whose seat was last at half time by more than the noise of rollouts."""
    if not candidates:
        return []
    chances, is_in = rolled.at_half_time([playout for playout, _ in candidates])
    rows: Rows = []
    for (playout, seat), one, alive in zip(candidates, chances, is_in, strict=True):
        ahead = one - one[seat]
        error = np.sqrt(np.maximum(0.0, one + one[seat] - ahead**2) / N_AT_HALF_TIME)
        others = alive & (np.arange(len(one)) != seat)
        if (ahead[others] > SURELY * error[others]).all():
            chairs = np.zeros(sample.payoff.shape, bool)
            where = playout % len(chairs), playout
            chairs[*where, seat] = True
            mcse = float(np.sqrt(one[seat] * (1 - one[seat]) / N_AT_HALF_TIME))
            shows = f"who is last at half time, with a chance of {one[seat]:.2f} ± {mcse:.2f}, {says}"
            told: dict[str, Any] = {"amount": round(float(one[seat]), DIGITS), "mcse": round(mcse, DIGITS)}
            told["chances"] = [round(chance, DIGITS) for chance in one.tolist()]
            rows.append(sample.row(shows, where, chairs, **told))
    return rows


def is_comeback(key: tuple[str, str]) -> bool:
    """Tell whether a row is about who is last at half time."""
    return (key[0], plain_part(key[1])) == ("comeback", "last at half time wins")
