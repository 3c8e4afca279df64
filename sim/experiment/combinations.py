"""Combinations of numbers that obey what is known of them together, counted and picked without listing them.

The combinations stand in the order of their numbers, the first number counting most. How many there are from a number
on, given what the numbers before it came to, is counted once; so any of them is found by its place in the order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

State = tuple[int, ...]


@dataclass(frozen=True)
class Condition:
    """What some of the numbers obey together.

    Attributes:
        members: Which numbers, by their place.
        totals: What they may add up to; anything if empty.
        holds: A number that at least one of them has; None if none must be there.

    """

    members: frozenset[int]
    totals: tuple[int, ...] = ()
    holds: int | None = None

    def start(self) -> int:
        """Return the state before the first number."""
        return 0

    def after(self, state: int, place: int, number: int) -> int:
        """Return the state after one more number: the sum so far, or 1 once the wanted number was there."""
        if place not in self.members:
            return state
        if self.holds is not None:
            return max(state, int(number == self.holds))
        return state + number

    def is_met(self, state: int) -> bool:
        """Return whether the state after the last number obeys."""
        return state == 1 if self.holds is not None else not self.totals or state in self.totals


@dataclass(frozen=True)
class Combinations:
    """All combinations of numbers within ranges that meet conditions.

    Attributes:
        ranges: Lowest and highest value of each number.
        conditions: What they obey together.

    """

    ranges: Sequence[tuple[int, int]]
    conditions: Sequence[Condition]
    _counts: dict[tuple[int, State], int] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        """Return how many there are."""
        return self._count(0, self._start())

    def at(self, place: int) -> tuple[int, ...]:
        """Return a combination by its place in the order.

        Args:
            place: From 0 on.

        Raises:
            IndexError: There are not so many.

        """
        if not 0 <= place < len(self):
            message = f"found place {place}, expected one of {len(self)} combinations"
            raise IndexError(message)
        picked: list[int] = []
        state = self._start()
        for which, (low, high) in enumerate(self.ranges):
            for number in range(low, high + 1):
                following = self._after(state, which, number)
                count = self._count(which + 1, following)
                if place < count:
                    break
                place -= count
            picked.append(number)
            state = following
        return tuple(picked)

    def spread(self, most: int) -> list[tuple[int, ...]]:
        """Return all of them, or as many as `most` in even steps from the first to the last.

        Args:
            most: At least 2.

        """
        total = len(self)
        places = range(total) if total <= most else {step * (total - 1) // (most - 1) for step in range(most)}
        return [self.at(place) for place in sorted(places)]

    def _start(self) -> State:
        return tuple(condition.start() for condition in self.conditions)

    def _after(self, state: State, place: int, number: int) -> State:
        return tuple(one.after(so_far, place, number) for one, so_far in zip(self.conditions, state, strict=True))

    def _count(self, place: int, state: State) -> int:
        """Return how many ways there are to go on from a place."""
        if place == len(self.ranges):
            return int(all(one.is_met(so_far) for one, so_far in zip(self.conditions, state, strict=True)))
        known = self._counts.get((place, state))
        if known is None:
            low, high = self.ranges[place]
            known = sum(self._count(place + 1, self._after(state, place, number)) for number in range(low, high + 1))
            self._counts[place, state] = known
        return known
