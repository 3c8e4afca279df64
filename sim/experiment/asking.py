"""One question without a file: a line-up, one variant or two, and how long it is played."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sim import games
from sim.experiment.plan import ARM_MARK, PRINTED, SCHEMA, PlanError, check_plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.experiment.plan import Plan

DEFAULT_PLAYOUTS: Final = 100_000


@dataclass(frozen=True)
class Stopping:
    """How long something is played, and what its verdicts are against; None leaves a plan's own key alone.

    Attributes:
        n_playouts: Playouts of the baseline over all profiles, a whole number; with a precision or until decided, the
            most of them.
        precision: Half-width wanted of every headline number, in points.
        until_decided: True to play until every verdict is decided.
        margin: Half-width of what counts as balanced, in points.
        level: Joint confidence level of the intervals of a table.

    """

    n_playouts: float | None = None
    precision: float | None = None
    until_decided: bool = False
    margin: float | None = None
    level: float | None = None

    def changed(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Return the keys of a plan with these in the place of its own.

        Args:
            found: Keys and values of a plan.

        """
        keys = {name: value for name, value in found.items() if value is not None}
        keys |= {name: value for name in ("margin", "level") if (value := getattr(self, name)) is not None}
        if self.precision is not None or self.until_decided:
            keys = {name: value for name, value in keys.items() if name not in {"playouts", "precision"}}
            keys["until_decided"] = self.until_decided
            keys |= {} if self.precision is None else {"precision": self.precision}
        if self.n_playouts is not None:
            looks = keys.get("until_decided") or "precision" in keys
            keys["most_playouts" if looks else "playouts"] = self.n_playouts
        return keys


def asked_plan(
    game: str,
    variants: Sequence[Mapping[str, Any]],
    seats: int | None,
    policies: str | Sequence[str] | None,
    seed: int,
    stopping: Stopping,
) -> Plan:
    """Return the plan of one question.

    Args:
        game: Name of the game.
        variants: Changes of each variant; the first is the baseline.
        seats: Seats at the table; as many as policies are named, or the most that the game takes, if None.
        policies: One policy for all seats, or one per seat; the game's default if None.
        seed: Seed of all draws.
        stopping: How long it is played; 100,000 playouts if it says nothing.

    Raises:
        PlanError: Something asked for does not exist or is out of range.
        ValueError: The second variant is the first one again, or the game is unknown.

    """
    described = games.get(game)
    names = names_of(policies, described.default_policy)
    if seats is None:
        seats = len(names) if len(names) > 1 else described.most_seats
    titles = [title_of(changes) for changes in variants]
    if len(set(titles)) < len(titles):
        message = f"--vs: changes nothing, {titles[0]} is what --set makes already"
        raise ValueError(message)
    keys = stopping.changed(
        {
            "schema": SCHEMA,
            "question": f"How does {described.title} play?",
            "game": game,
            "seats": seats,
            "seed": seed,
            "playouts": DEFAULT_PLAYOUTS,
            "profile": [{"name": "+".join(names), "policies": names}],
            "variant": [
                {"name": title, "changes": dict(changes)} for title, changes in zip(titles, variants, strict=True)
            ],
        }
    )
    return check_plan(keys | ({"paired_playouts": keys["playouts"]} if "playouts" in keys else {}), "play")


def sized(plan: Plan, stopping: Stopping, where: str, changes: Mapping[str, Any] | None = None) -> Plan:
    """Return a plan that is played for another while; with fewer playouts paired arms shrink alike.

    Args:
        plan: The plan.
        stopping: How long it is played.
        where: What to call the plan in an error.
        changes: Further keys and values in the place of its own.

    Raises:
        PlanError: Something in it is wrong then.

    """
    found = stopping.changed({**plan.model_dump(by_alias=True), **(changes or {})})
    n = stopping.n_playouts
    is_number = isinstance(n, (int, float)) and math.isfinite(n)  # what else it may be is told by the check
    if n is not None and is_number and "playouts" in found and "paired_playouts" not in (changes or {}):
        before = plan.baseline_playouts * len(plan.profiles)
        fewer = int(plan.paired_playouts * n) // before
        found["paired_playouts"] = min(plan.paired_playouts, max(1, fewer))
    return check_plan(found, where)


def renamed(fault: ValueError, names: Mapping[str, str]) -> str:
    """Return what a fault in a plan says, with names of whoever asked in the place of the plan's keys.

    Args:
        fault: What is wrong with the plan that a question became.
        names: Name of the asker's by the beginning of a line, where and key; the first that fits counts.

    """
    lines: dict[str, str] = {}
    for line in str(fault).splitlines():
        key = next((key for key in names if line.startswith(key)), None)
        told = line if key is None else line.removeprefix(key)
        lines.setdefault(told, names.get(key or "", ""))  # several keys may come of one word, and tell its fault twice
    return "\n".join(name + told for told, name in lines.items())


def names_of(policies: Any, default: str) -> list[str]:
    """Return names of policies as a list.

    Args:
        policies: One name, several, or None for the default.
        default: Name of the game's default policy.

    Raises:
        PlanError: There are none, or they are no names.

    """
    names = [default] if policies is None else [policies] if isinstance(policies, str) else list(policies)
    if not names or not all(isinstance(name, str) and name for name in names):
        message = f"policies: found {policies!r}, expected the name of a policy, or one name per seat"
        raise PlanError(message)
    return names


def changes_of(found: Any, key: str) -> dict[str, Any]:
    """Return changes of the rules, none for None.

    Args:
        found: Values by dotted key.
        key: What to call them in an error.

    Raises:
        PlanError: They are no values by key.

    """
    if found is not None and not isinstance(found, Mapping):
        message = f"{key}: found {found!r}, expected values by key, such as {{'claim': 'optional'}}"
        raise PlanError(message)
    for name in found or {}:
        if not isinstance(name, str):
            message = f"{key}: found the key {name!r}, expected the name of a rule, switch or table"
            raise PlanError(message)
    return dict(found or {})


def title_of(changes: Mapping[str, Any]) -> str:
    """Return the name of a variant: its changes, or `printed`."""
    return ", ".join(f"{key}={value}".replace(ARM_MARK, " =") for key, value in changes.items()) or PRINTED
