"""What a notebook asks for besides experiments: one playout told, and the rules with their papers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from sim import games
from sim.engine.lineup import make_lineup
from sim.engine.replay import Recording
from sim.engine.replay import replay as play_again
from sim.experiment.asking import changes_of, names_of
from sim.experiment.granting import read_grants
from sim.experiment.kernels import announce
from sim.experiment.plan import MOST_SEED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_PLAYOUT: Final = (1 << 62) - 1  # a playout's number; far more than a plan may play


@dataclass(frozen=True)
class Told:
    """One playout, told; it prints as its lines.

    Attributes:
        lines: One sentence per event.
        recording: Events, row and final table, for programs.

    """

    lines: tuple[str, ...]
    recording: Recording

    def __str__(self) -> str:
        """Return the whole story."""
        return "\n".join(self.lines)

    __repr__ = __str__


def replay(
    game: str,
    seed: int = 1,
    playout: int = 0,
    seats: int | None = None,
    policies: str | Sequence[str] | None = None,
    changes: Mapping[str, Any] | None = None,
    *,
    grants: str | Sequence[str] = (),
) -> Told:
    """Tell one playout turn by turn; the same arguments give the same playout, also within `play` and `run`.

    Args:
        game: Name of the game.
        seed: Seed of all draws.
        playout: Number of the playout.
        seats: Seats at the table; as many as policies are named, or the most that the game takes, if None.
        policies: One policy for all seats, or one per seat; the game's default if None.
        changes: Changes of the rules by dotted key.
        grants: Items that seats have instead of what they are dealt, such as `bush@1`; seats count from 1, and without
            one they take turns from playout to playout.

    Raises:
        ValueError: Something asked for does not exist or is out of range.

    """
    described = games.get(game)
    names = names_of(policies, described.default_policy)
    if seats is None:
        seats = len(names) if len(names) > 1 else described.most_seats
    refuse_outside("seats", seats, described.fewest_seats, described.most_seats)
    refuse_outside("seed", seed, 0, MOST_SEED)
    refuse_outside("playout", playout, 0, MOST_PLAYOUT)
    ruleset = described.load().resolve(changes_of(changes, "changes"))
    given = read_grants(described, ruleset, seats, [grants] if isinstance(grants, str) else grants)
    lineup = make_lineup(described, names, seats)
    announce(described)
    recording = play_again(described, described.pack(ruleset), lineup, seed, playout, grants=given)
    return Told(tuple(described.narrate(ruleset, seats, recording.events)), recording)


def refuse_outside(key: str, found: object, least: int, most: int) -> None:
    """Stop if a value is no whole number within its limits.

    Args:
        key: Its name.
        found: The value.
        least: The least that is allowed.
        most: The most that is allowed.

    Raises:
        ValueError: It is not.

    """
    if not isinstance(found, int) or not least <= found <= most:
        message = f"{key}: found {found!r}, expected a whole number from {least} to {most:,}"
        raise ValueError(message)


def rules(game: str) -> pd.DataFrame:
    """Return every number and switch of a game with default, range or readings, certainty, source and reason.

    Args:
        game: Name of the game.

    Raises:
        ValueError: There is no such game.

    """
    return pd.DataFrame(games.get(game).load().describe())
