"""Plans: the question of an experiment, read from TOML and checked before anything is played."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sim import games
from sim.components import ComponentError, nearest
from sim.engine.lineup import make_lineup
from sim.statistics.estimate import playouts_for_half_width

SCHEMA: Final = 1
MOST_PLAYOUTS: Final = 10**10
POINTS: Final = 100
DEFAULT_PAIRED: Final = 50_000


class PlanError(ValueError):
    """A plan is wrong; the message names file, key, what was found and what was expected."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Profile(_Model):
    """A named line-up: one policy for all seats, or one per seat.

    Attributes:
        name: What tables call it.
        policies: Names of policies.

    """

    name: str
    policies: list[str]


class Variant(_Model):
    """A named set of changes.

    Attributes:
        name: What tables call it.
        says: What it changes, in words.
        changes: Values by dotted key.

    """

    name: str
    says: str = ""
    changes: dict[str, Any] = {}


class Answer(_Model):
    """What the one-sentence answer is about.

    Attributes:
        kind: `item`: one item's strength; `order`: the advantage of each place in turn order; `count`: how often
            a counted column reaches a number; `win_share`: the widest seat share.
        item: Row of a component table, for `item`.
        count: Counted column, for `count`.
        at_least: The number to reach, for `count`.

    """

    kind: Literal["item", "order", "count", "win_share"] = "win_share"
    item: str = ""
    count: str = ""
    at_least: int = 0


class Plan(_Model):
    """An experiment.

    Attributes:
        schema_version: Version of this format.
        question: What is asked, in a sentence.
        game: Name of the game.
        seats: Seats at the table, or several numbers of seats.
        seed: Seed of all draws.
        playouts: Playouts of the baseline over all profiles.
        precision: Half-width wanted of each seat's share, in points; sets `playouts` if those are not given.
        paired_playouts: Paired playouts of each other arm and profile.
        profile: Line-ups under which everything is repeated; self-play of each policy if empty.
        variant: Variants; the first is the baseline.
        items: Whether item balance is measured by granting and blanking: all, only those named, or none.
        margin: Half-width of what counts as balanced, in points.
        answer: What the sentence is about.

    """

    schema_version: int = Field(alias="schema")
    question: str
    game: str
    seats: int | list[int] = 4
    seed: int = 1
    playouts: int | None = None
    precision: float | None = None
    paired_playouts: int = DEFAULT_PAIRED
    profile: list[Profile] = []
    variant: list[Variant] = []
    items: Literal["all", "none"] | list[str] = "none"
    margin: float = 2.0
    answer: Answer = Answer()

    @property
    def seat_counts(self) -> list[int]:
        """Numbers of seats to play."""
        return [self.seats] if isinstance(self.seats, int) else list(self.seats)

    @property
    def variants(self) -> list[Variant]:
        """Variants, `printed` if none is named."""
        return list(self.variant) or [Variant(name="printed")]

    @property
    def profiles(self) -> list[Profile]:
        """Line-ups, one of self-play per built-in policy if none is named."""
        own = [Profile(name=one.name, policies=[one.name]) for one in games.get(self.game).policies]
        return list(self.profile) or own

    @property
    def baseline_playouts(self) -> int:
        """Playouts of the baseline in each profile."""
        total = self.playouts
        if total is None:
            half_width = (self.precision or self.margin) / POINTS
            fewest = min(self.seat_counts)
            return playouts_for_half_width(half_width, 1 / fewest)
        return max(1, total // len(self.profiles))


def read_plan(path: str | Path) -> Plan:
    """Read and check a plan.

    Args:
        path: A TOML file.

    Raises:
        PlanError: It cannot be read or something in it is wrong; all faults are told at once.

    """
    file = Path(path)
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as fault:
        message = f"{file}: there is no such plan"
        raise PlanError(message) from fault
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        message = f"{file}: {fault}"
        raise PlanError(message) from fault
    return check_plan(found, str(file))


def check_plan(found: dict[str, Any], where: str = "plan") -> Plan:
    """Check the contents of a plan.

    Args:
        found: Keys and values.
        where: What to call the plan in an error.

    Raises:
        PlanError: Something in it is wrong.

    """
    schema = found.get("schema")
    if isinstance(schema, int) and schema > SCHEMA:
        message = f"{where}: schema: found {schema}, this sim reads plans up to schema {SCHEMA}; update sim"
        raise PlanError(message)
    try:
        plan = Plan.model_validate(found)
    except ValidationError as fault:
        raise PlanError("\n".join(_told(where, error) for error in fault.errors())) from fault
    faults = _faults(plan)
    if faults:
        raise PlanError("\n".join(f"{where}: {told}" for told in faults))
    return plan


def _told(where: str, error: Any) -> str:
    """Return one fault in words, with the nearest key for an unknown one."""
    place = [str(part) for part in error["loc"]]
    known = ["schema", *Plan.model_fields, *Variant.model_fields, *Profile.model_fields]
    hint = nearest(place[-1], known) if error["type"] == "extra_forbidden" else ""
    told = "found an unknown key" if error["type"] == "extra_forbidden" else str(error["msg"])
    found = "" if error["type"] == "missing" else f", found {error['input']!r}"
    return f"{where}: {'.'.join(place)}: {told}{hint}{found}"


def _faults(plan: Plan) -> list[str]:
    """Return what is wrong in a plan of the right form."""
    try:
        game = games.get(plan.game)
    except ValueError as fault:
        return [str(fault)]
    faults = [
        f"seats: found {seats}, expected {game.fewest_seats} to {game.most_seats}"
        for seats in plan.seat_counts
        if not game.fewest_seats <= seats <= game.most_seats
    ]
    for name, number in (("playouts", plan.playouts), ("paired_playouts", plan.paired_playouts)):
        if number is not None and not 1 <= number <= MOST_PLAYOUTS:
            faults.append(f"{name}: found {number:,}, expected 1 to {MOST_PLAYOUTS:,}")
    if plan.precision is not None and not 0 < plan.precision < POINTS:
        faults.append(f"precision: found {plan.precision}, expected points above 0 and below {POINTS}")
    if not 0 < plan.margin < POINTS:
        faults.append(f"margin: found {plan.margin}, expected points above 0 and below {POINTS}")
    components = game.load()
    for variant in plan.variants:
        try:
            components.resolve(variant.changes, where=f"variant {variant.name}")
        except ComponentError as fault:
            faults += str(fault).splitlines()
    if faults:
        return faults
    for profile in plan.profiles:
        for seats in plan.seat_counts:
            try:
                make_lineup(game, profile.policies, seats)
            except ValueError as fault:
                faults.append(f"profile {profile.name}: {fault}")
    return faults
