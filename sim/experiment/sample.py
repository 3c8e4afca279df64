"""A sample of recorded playouts of one variant under one profile, with every seat's chances told after every turn.

The playouts are the first ones of the plan, the same in every variant, so that changes are paired. Features of a seat
are what the game's story counts, with squares; how many of those still in move before it, alone and times each count;
which items it was dealt; and its policy where the line-up mixes them.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.contract import WHOLE_WIN
from sim.engine.lineup import rotations
from sim.engine.positions import Happened, Positions, positions_of
from sim.engine.recording import record_playouts
from sim.statistics.course import Course
from sim.statistics.values import N_LEFT_OUT, CrossFit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sim.components import Ruleset
    from sim.engine.blocks import Arm
    from sim.engine.contract import Game, Story

MOST_POSITIONS: Final = 400_000  # a sample of very long playouts has fewer of them

Array = np.ndarray[Any, Any]


@dataclass
class Meter:
    """How far the recording of a run is, in playouts; other work counts as the playouts that take as long.

    Attributes:
        total: Playouts in all.
        progress: Called with what is done and the total, or None.
        done: Playouts done.

    """

    total: int
    progress: Callable[[int, int], None] | None = None
    done: float = 0.0

    def add(self, n_playouts: float) -> None:
        """Take note of work that is done."""
        self.done += n_playouts
        if self.progress is not None:
            self.progress(min(round(self.done), self.total), self.total)

    def look(self, _n_done: int = 0) -> None:
        """Let the caller look at whether to stop, in the middle of a stage."""
        self.add(0)

    @contextlib.contextmanager
    def stage(self, n_playouts: float) -> Iterator[None]:
        """Do a piece of work of a given size; what it has not noted by its end is noted then."""
        end = self.done + n_playouts
        yield
        self.add(end - self.done)


@dataclass(frozen=True)
class Sample:
    """Recorded playouts of one variant under one profile.

    Attributes:
        n_seats: Seats at the table.
        positions: Positions after set-up and after every turn.
        happened: What happened in turns, by playout.
        n_rotations: Rotations of the line-up, which playouts take by turns.

    """

    n_seats: int
    positions: Positions
    happened: Happened
    n_rotations: int = 1

    @property
    def n_playouts(self) -> int:
        """Playouts, those too that hit the turn limit."""
        return self.positions.n_playouts

    @property
    def is_finished(self) -> Array:
        """Which playouts ended by the rules, shape (n_playouts,)."""
        return self.positions.is_finished

    @cached_property
    def told(self) -> Array:
        """Positions before the end of finished playouts: those whose chances are told."""
        return np.flatnonzero(self.positions.is_open & self.is_finished[self.positions.playout])

    @cached_property
    def fit(self) -> CrossFit:
        """Value functions of the told positions, fitted to other playouts."""
        some, positions = self.told, self.positions
        payoff = positions.payoff[positions.playout[some]] / WHOLE_WIN
        return CrossFit(features_of(positions, some), positions.alive[some], payoff, positions.playout[some])

    @property
    def can_tell(self) -> bool:
        """Whether there are playouts enough to fit value functions to, and to leave some out."""
        return len(np.unique(self.positions.playout[self.told] % N_LEFT_OUT)) == N_LEFT_OUT

    @cached_property
    def course(self) -> Course:
        """Chances over the turns of the finished playouts."""
        positions, done = self.positions, self.is_finished
        length = positions.length[done]
        first = np.concatenate([[0], np.cumsum(length)[:-1]]).astype(np.int64)
        payoff = positions.payoff[done] / WHOLE_WIN
        alive = positions.alive[self.told]
        return Course(self.fit.chances, alive, first, length, payoff, positions.eliminated[done])

    def by_playout(self, of_finished: Array) -> Array:
        """Return a number of each finished playout as one of every playout, 0 for the others."""
        spread = np.zeros(self.n_playouts)
        spread[self.is_finished] = of_finished
        return spread


def take_sample(
    game: Game, arm: Arm, ruleset: Ruleset, seed: int, n_playouts: int, meter: Meter | None = None
) -> Sample:
    """Record the first playouts of an arm.

    Args:
        game: The game; it has a story.
        arm: Variant and line-up.
        ruleset: The variant's rules.
        seed: Seed of all draws.
        n_playouts: How many playouts; fewer if they are very long.
        meter: Takes note of what is recorded, or None.

    Raises:
        ValueError: The game has no story.

    """
    story = story_of(game)
    starts = [int(ruleset.rules[one.start]) if one.start else 0 for one in story.counters]
    parts: list[tuple[Positions, Happened]] = []
    n_positions = 0
    for recorded in record_playouts(game, arm, seed, 0, n_playouts):
        parts.append(positions_of(recorded, story, starts))
        n_positions += len(parts[-1][0].playout)
        if meter is not None:
            meter.add(len(recorded.playouts))
        if n_positions > MOST_POSITIONS:
            break
    whole = joined([one for one, _ in parts]), added([one for _, one in parts])
    return Sample(len(arm.lineup), *whole, len(rotations(arm.lineup)))


def story_of(game: Game) -> Story:
    """Return a game's story.

    Raises:
        ValueError: It has none.

    """
    if game.story is None:
        message = f"estimands: 'ruleset_metrics' is not offered for {game.name}, which tells no story of its playouts"
        raise ValueError(message)
    return game.story


def joined(parts: Sequence[Positions]) -> Positions:
    """Return the positions of several blocks as one."""
    offsets = np.cumsum([0, *(part.n_playouts for part in parts)])
    found: dict[str, Any] = {"n_playouts": int(offsets[-1])}
    for field in fields(Positions)[1:]:
        found[field.name] = np.concatenate([getattr(part, field.name) for part in parts])
    found["playout"] = np.concatenate([part.playout + start for part, start in zip(parts, offsets, strict=False)])
    return Positions(**found)


def added(parts: Sequence[Happened]) -> Happened:
    """Return what happened in several blocks as one."""
    return Happened(
        **{field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Happened)}
    )


def features_of(positions: Positions, some: Array) -> Array:
    """Return what each seat's chances are told from, shape (n_some, n_seats, n_features).

    Args:
        positions: All positions.
        some: Numbers of the wanted ones.

    """
    playout = positions.playout[some]
    values = positions.values[some]
    before = moves_before(positions, some)
    counted = [values[:, :, place] for place in range(values.shape[2])]
    counted += [before, *(before * one for one in counted), *(one**2 for one in counted if np.ptp(one) > 1)]
    fixed = [positions.policy == code for code in np.unique(positions.policy)[1:]]
    for family in range(positions.dealt.shape[2]):
        masks = positions.dealt[:, :, family]
        items = range(int(masks.max(initial=0)).bit_length())
        fixed += [has for has in ((masks >> item & 1).astype(bool) for item in items) if has.any() and not has.all()]
    features = np.empty((*values.shape[:2], len(counted) + len(fixed)), np.float32)
    for place, one in enumerate(counted):
        features[:, :, place] = one
    for place, one in enumerate(fixed, len(counted)):
        features[:, :, place] = one[playout]
    return features


def moves_before(positions: Positions, some: Array) -> Array:
    """Return how many of those still in move before each seat, clockwise from who moves next."""
    alive = positions.alive[some]
    n_seats = alive.shape[1]
    distance = (np.arange(n_seats)[None, :] - positions.next_seat[some, None]) % n_seats
    before = distance[:, None, :] < distance[:, :, None]
    return np.asarray((before & alive[:, None, :]).sum(axis=2))
