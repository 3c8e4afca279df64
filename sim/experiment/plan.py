"""Plans: the question of an experiment, read from TOML and checked before anything is played.

A plan names a game, variants (the first is the baseline) and *profiles*: line-ups under which everything is
repeated, because what holds under one policy only is no finding. A fault is told with file, key, what was found,
what was expected and the nearest valid name; all faults are told at once.
"""

from __future__ import annotations

import math
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sim import games
from sim.components import ComponentError, Components, nearest
from sim.engine.contract import Game
from sim.engine.lineup import make_lineup
from sim.experiment import estimands as item_measures
from sim.experiment.bands import LEAST_LEVEL, MOST_LEVEL, Band, band_faults
from sim.experiment.estimands import DEFAULT_ESTIMANDS, Estimand
from sim.experiment.files import read_text
from sim.experiment.verdicts import Intervals, n_free
from sim.statistics.estimate import DEFAULT_LEVEL, playouts_for_half_width

SCHEMA: Final = 1
MOST_PLAYOUTS: Final = 10**10
MOST_SEED: Final = (1 << 64) - 1
POINTS: Final = 100
DEFAULT_PAIRED: Final = 50_000
DEFAULT_PLAYOUTS: Final = 1_000_000
DEFAULT_MARGIN: Final = 2.0
LEAST_POINTS: Final = 0.0001  # of a margin or a precision; no plan could play what less would take
DEFAULT_METRIC_PLAYOUTS: Final = 2_000
FEWEST_METRIC_PLAYOUTS: Final = 50
MOST_METRIC_PLAYOUTS: Final = 100_000
MINUTES_PER_TURN: Final = (0.5, 1.5)
RECORDED_TABLES: Final = ("ruleset_metrics", "calibration")
"""Tables from recorded playouts, made only if they are asked for."""
MOST_UNTIL_DECIDED: Final = 10_000_000
WEIGHT_TOLERANCE: Final = 1e-9
LIMIT_HINTS: Final = {
    "margin": "; no sample can show a margin of exactly 0, write 2 for 2 points",
    "level": "; write 0.95 for 95 %",
    "precision": "; write 0.2 for a fifth of a point",
}
PRINTED: Final = "printed"
ALL: Final = "all"
NONE: Final = "none"
ADVICE: Final = "advice"
ARM_MARK: Final = ":"  # parts of an arm's name, so no variant may have it in its own
ESTIMANDS: Final = (
    "win_share",
    "policy_share",
    "seat_advantage",
    "length",
    "comparisons",
    "claims",
    "stops",
    "advice",
    "item_balance",
    "item_summary",
    "item_share",
    "counts",
    "flows",
    "spaces",
    "uses",
    "decisions",
    "ruleset_metrics",
    "calibration",
)
"""Tables that a plan may ask for, in the order in which they are told."""
METRICS_TOLD: Final = (
    "length",
    "seat fairness",
    "idle time",
    "lead changes",
    "comeback",
    "interaction",
    "action gap",
    "skill share",
)
"""Metrics that a sentence about the ruleset can tell, in its order."""
TableName = Annotated[str, Field(json_schema_extra={"enum": list(ESTIMANDS)})]
EstimandName = Annotated[str, Field(json_schema_extra={"enum": [str(one) for one in Estimand]})]
MetricName = Annotated[str, Field(json_schema_extra={"enum": list(METRICS_TOLD)})]
"""Names that editors offer; what is wrong with one is told with the nearest by `_faults`."""


MOST_LETTERS: Final = 1000  # of a name
MOST_SHOWN: Final = 200  # letters of a value in an error
UNPRINTABLE: Final = frozenset({"Cc", "Cn", "Cs", "Zl", "Zp"})
TURNING: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of writing, and so can show another name than there is."""


class PlanError(ValueError):
    """A plan is wrong; the message names file, key, what was found and what was expected."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Profile(_Model):
    """A named line-up: one policy for all seats, or one per seat.

    Attributes:
        name: What tables call it.
        policies: Names of policies.

    """

    name: str = Field(min_length=1)
    policies: list[str] = Field(min_length=1)


class Variant(_Model):
    """A named set of changes.

    Attributes:
        name: What tables call it.
        says: What it changes, in words.
        changes: Values by dotted key; `variant` starts from a named variant of the game.

    """

    name: str = Field(min_length=1)
    says: str = ""
    changes: dict[str, Any] = {}


class Advice(_Model):
    """A piece of advice, put as a pair of policies that differ in one choice.

    In every profile the first seat of the line-up follows it in one arm and goes against it in another, on the same
    luck; the profile says who sits in the others.

    Attributes:
        says: The advice in words, such as `keep one-time cards`.
        follows: Policy that follows it.
        against: Policy that is the same but for this one choice.

    """

    says: str = Field(min_length=1)
    follows: str
    against: str


class Answer(_Model):
    """What the one-sentence answer is about.

    Attributes:
        kind: `item`: one item's strength and what each variant does to it; `order`: the advantage of starting;
            `count`: how often a counted column reaches a number; `length`: how long a playout takes;
            `win_share`: the widest seat share; `items`: the strongest and the weakest of all items; `metrics`: how
            a playout goes; `advice`: whether a piece of advice holds.
        item: Row of a component table, for `item`.
        count: Counted column, for `count`.
        at_least: The number to reach, for `count`.
        metrics: Which metrics are told, for `metrics`; all that the sentence knows if empty.

    """

    kind: Literal["item", "order", "count", "length", "win_share", "items", "metrics", "advice"] = "win_share"
    item: str = ""
    count: str = ""
    at_least: int = Field(default=0, ge=0)
    metrics: list[MetricName] = []


class Assumed(_Model):
    """How a plan is run over the assumptions of its game (`sim run --assumed band`).

    Attributes:
        playouts: Playouts of each arm at each point, over all profiles.
        trajectories: Walks of the screening; each has one point more than there are assumptions.
        base: Base points of the second design, a power of two; each makes as many points as there are leaders, and 3.
        leaders: Assumptions that get shares of the variance of their own.

    """

    playouts: int = Field(default=1000, ge=1, le=MOST_PLAYOUTS)
    trajectories: int = Field(default=20, ge=2, le=1000)
    base: Literal[16, 32, 64, 128, 256, 512, 1024] = 128
    leaders: int = Field(default=6, ge=1, le=50)


class Plan(_Model):
    """An experiment.

    Attributes:
        schema_version: Version of this format; `schema` in the file.
        question: What is asked, in a sentence.
        game: Name of the game.
        seats: Seats at the table, or several numbers of seats; the most that the game takes if None.
        seed: Seed of all draws.
        playouts: Playouts of the baseline over all profiles (for each number of seats).
        precision: Half-width wanted of every headline number (win shares, and lifts of the comparisons), in points;
            each profile is played until it is reached, instead of a number of `playouts`.
        until_decided: True to play each profile until every verdict against the margin is decided.
        most_playouts: Where `precision` or `until_decided` gives up: playouts of the baseline over all profiles.
        paired_playouts: Paired playouts of each other arm and profile; never more than the baseline has.
        profile: Line-ups under which everything is repeated; self-play of each policy if empty.
        variant: Variants; the first is the baseline.
        estimands: Tables to make; all but those from recorded playouts (`ruleset_metrics`, `calibration`) if None.
        items: Whose strength is measured by granting and blanking: all items, those named, or none.
        item_estimands: What is measured of them: `held` (confounded), `deal`, `draw`, `ipw`, `grant`, `ablation`,
            `ban`, `head_to_head` (all else blank), `head_to_head_dealt` (in the ordinary deal), `shapley`; `held`,
            `deal`, `grant` and `ablation` if None. The arms that an estimand needs are played by themselves.
        metric_playouts: Playouts of each variant and profile that are recorded for the tables `ruleset_metrics` and
            `calibration`, 2,000 if those are named in `estimands`; to give the number asks for the tables, too.
        minutes_per_turn: Shortest and longest turn that is thought likely, in minutes, to tell minutes from turns.
        margin: Half-width of what counts as balanced, in points.
        level: Joint confidence level of the intervals of a table.
        population: Weight of each profile in the mean over profiles; equal weights if empty.
        answer: What the sentence is about.
        advice: A piece of advice that one seat follows or goes against; no such arms if None.
        band: Limits between which estimates have to lie, for `sim check`.
        assumed: How the plan is run over the assumptions of its game.

    """

    schema_version: int = Field(alias="schema")
    question: str = Field(min_length=1)
    game: str
    seats: int | list[int] | None = None
    seed: int = Field(default=1, ge=0, le=MOST_SEED)
    playouts: int | None = Field(default=None, ge=1, le=MOST_PLAYOUTS)
    precision: float | None = Field(default=None, ge=LEAST_POINTS, lt=POINTS)
    until_decided: bool = False
    most_playouts: int | None = Field(default=None, ge=1, le=MOST_PLAYOUTS)
    paired_playouts: int = Field(default=DEFAULT_PAIRED, ge=1, le=MOST_PLAYOUTS)
    profile: list[Profile] = []
    variant: list[Variant] = []
    estimands: list[TableName] | None = None
    items: Literal["all", "none"] | list[str] = NONE
    item_estimands: list[EstimandName] | None = None
    metric_playouts: int | None = Field(default=None, ge=FEWEST_METRIC_PLAYOUTS, le=MOST_METRIC_PLAYOUTS)
    minutes_per_turn: list[float] = Field(default=list(MINUTES_PER_TURN), min_length=2, max_length=2)
    margin: float = Field(default=DEFAULT_MARGIN, ge=LEAST_POINTS, lt=POINTS)
    level: float = Field(default=DEFAULT_LEVEL, ge=LEAST_LEVEL, le=MOST_LEVEL)
    population: dict[str, float] = {}
    answer: Answer = Answer()
    advice: Advice | None = None
    band: list[Band] = []
    assumed: Assumed = Assumed()

    @property
    def seat_counts(self) -> list[int]:
        """Numbers of seats to play."""
        if self.seats is None:
            return [games.get(self.game).most_seats]
        return [self.seats] if isinstance(self.seats, int) else list(self.seats)

    @property
    def variants(self) -> list[Variant]:
        """Variants, `printed` if none is named."""
        return list(self.variant) or [Variant(name=PRINTED)]

    @property
    def profiles(self) -> list[Profile]:
        """Line-ups, one of self-play per usual policy if none is named."""
        own = [Profile(name=one.name, policies=[one.name]) for one in games.get(self.game).usual_policies]
        return list(self.profile) or own

    @property
    def baseline_playouts(self) -> int:
        """Playouts of the baseline in each profile; the most of them where a precision or verdicts stop it."""
        whole = self.most_of_all if self.is_stopped else self.playouts or DEFAULT_PLAYOUTS
        return max(1, whole // len(self.profiles))

    @property
    def is_stopped(self) -> bool:
        """Whether looks at what was played decide when it stops."""
        return self.precision is not None or self.until_decided

    @property
    def most_of_all(self) -> int:
        """Playouts of the baseline over all profiles at which a run that looks gives up."""
        return self.most_playouts or (MOST_UNTIL_DECIDED if self.until_decided else MOST_PLAYOUTS)

    @property
    def weights(self) -> dict[str, float]:
        """Weight of each profile in the mean over profiles."""
        names = [profile.name for profile in self.profiles]
        return dict(self.population) or dict.fromkeys(names, 1 / len(names))

    def intervals(self, seats: int) -> Intervals:
        """Return which intervals the tables tell: right at every look if verdicts stop the run."""
        n_settings = len(self.seat_counts) * len(self.profiles)
        if not self.until_decided:
            return Intervals(self.level, n_settings=n_settings)
        tightest_at = playouts_for_half_width(self.margin / POINTS, 1 / seats, self.level)
        return Intervals(self.level, tightest_at, n_settings)

    def playouts_expected(self, seats: int) -> int:
        """Return about how many playouts of a profile the plan takes, as foreseen before any is played."""
        if not self.is_stopped:
            return self.baseline_playouts
        points = self.margin if self.precision is None else self.precision
        each = self.intervals(seats).of_several(n_free(seats) * len(self.variants))
        return min(self.baseline_playouts, playouts_for_half_width(points / POINTS, 1 / seats, each))

    @property
    def plays_other_arms(self) -> bool:
        """Whether anything is played besides the baseline: other variants, advice, or items given and taken."""
        has_items = self.items != NONE and bool(self.measured - item_measures.FROM_THE_DEAL)
        return len(self.variants) > 1 or self.advice is not None or has_items

    @property
    def measured(self) -> frozenset[Estimand]:
        """Estimands of the items."""
        named = DEFAULT_ESTIMANDS if self.item_estimands is None else self.item_estimands
        return frozenset(Estimand(name) for name in named)

    def wants(self, table: str) -> bool:
        """Tell whether a table is asked for; bands ask for the length, which tells what was truncated."""
        if self.estimands is None:
            return table not in RECORDED_TABLES or self.metric_playouts is not None
        return table in self.estimands or (bool(self.band) and table == "length")

    def telling(self, tables: Iterable[str]) -> Plan:
        """Return the plan that also makes those of these tables that come from recorded playouts.

        Args:
            tables: Names of tables.

        Raises:
            PlanError: The game tells no story, or there are too few playouts.

        """
        if not set(tables) & set(RECORDED_TABLES) or self.recorded_playouts:
            return self
        return check_plan({**self.model_dump(by_alias=True), "metric_playouts": DEFAULT_METRIC_PLAYOUTS}, self.game)

    @property
    def recorded_playouts(self) -> int:
        """Playouts of each variant and profile that metrics are told from; none if no table asks for them."""
        if not any(self.wants(table) for table in RECORDED_TABLES):
            return 0
        return min(self.metric_playouts or DEFAULT_METRIC_PLAYOUTS, self.baseline_playouts)

    def without_bands(self) -> Plan:
        """Return all of the plan that decides what is played: bands judge it, assumptions are a run of their own."""
        return self.model_copy(update={"band": [], "assumed": Assumed()})


def plan_schema() -> dict[str, Any]:
    """Return the JSON schema of plans, for editors."""
    return Plan.model_json_schema(by_alias=True)


def read_plan(path: str | Path) -> Plan:
    """Read and check a plan.

    Args:
        path: A TOML file.

    Raises:
        PlanError: It cannot be read or something in it is wrong; all faults are told at once.

    """
    file = Path(path)
    try:
        found = tomllib.loads(read_text(file))
    except FileNotFoundError as fault:
        message = f"{file}: there is no such plan"
        raise PlanError(message) from fault
    except UnicodeDecodeError as fault:
        message = f"{file}: found bytes that are no UTF-8 text, expected a plan in TOML"
        raise PlanError(message) from fault
    except OSError as fault:
        message = f"{file}: cannot be read: {fault.strerror or fault}"
        raise PlanError(message) from fault
    except tomllib.TOMLDecodeError as fault:
        message = f"{file}: not a whole TOML file: {fault}"
        raise PlanError(message) from fault
    except RecursionError as fault:
        message = f"{file}: found values nested too deep, expected a few levels"
        raise PlanError(message) from fault
    except ValueError as fault:  # Python reads no longer number
        message = f"{file}: found a number of too many digits, expected at most 4,300: {fault}"
        raise PlanError(message) from fault
    return check_plan(found, str(file))


def plan_of(found: object) -> Plan:
    """Return the plan that a notebook hands over: a file, a plan as it is, or its keys and values.

    Args:
        found: Any of these.

    Raises:
        PlanError: It is none of them, or something in it is wrong.

    """
    if isinstance(found, Plan):
        return check_plan(found.model_dump(by_alias=True))  # a copy may have been changed without checks
    if isinstance(found, Mapping):
        return check_plan(found)
    if not isinstance(found, (str, Path)):
        message = f"plan: found {found!r}, expected the path of a TOML file, a plan, or keys and values of one"
        raise PlanError(message)
    return read_plan(found)


FORMS: Final = {
    "int_type": "a whole number, such as 1000000 or 1_000_000",
    "int_from_float": "a whole number, such as 1000000 or 1_000_000",
    "float_type": "a number",
    "string_type": "text",
    "string_too_short": "at least one character",
    "bool_type": "true or false",
    "list_type": "a list",
    "too_short": "a list of one or more",
    "dict_type": "a table",
    "model_type": "a table",
    "finite_number": "a finite number",
}
"""What pydantic's faults say, in our words."""
UNIONS: Final = {
    "seats": "a number of seats, or a list of them",
    "items": "'all', 'none' or a list of names",
}
"""Keys that have several forms."""
LEVELS_OF_BAND: Final = 3
COUNTS: Final = ("playouts", "most_playouts", "paired_playouts")


def check_plan(found: Mapping[str, Any], where: str = "plan") -> Plan:
    """Check the contents of a plan.

    Args:
        found: Keys and values.
        where: What to call the plan in an error.

    Raises:
        PlanError: Something in it is wrong.

    """
    schema = found.get("schema")
    if isinstance(schema, int) and schema > SCHEMA:
        message = f"{where}: schema: found {schema}, expected at most {SCHEMA}; the plan is for a newer sim; update sim"
        raise PlanError(message)
    try:
        plan = Plan.model_validate({key: _whole(value) if key in COUNTS else value for key, value in found.items()})
    except ValidationError as fault:
        told = dict.fromkeys(_told(where, error) for error in fault.errors())  # a union has one for each of its forms
        raise PlanError("\n".join(told)) from fault
    faults = list(_faults(plan))
    if faults:
        raise PlanError("\n".join(f"{where}: {told}" for told in faults))
    return plan


def _whole(value: object) -> object:
    """Return a whole number that TOML reads as a float, such as 1e6, as the whole number that it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _told(where: str, error: Any) -> str:
    """Return one fault of the form in words, with the nearest key for an unknown one."""
    place = [str(part) for part in error["loc"]]
    if place[0] in UNIONS:
        return f"{where}: {place[0]}: found {_shown(error['input'])}, expected {UNIONS[place[0]]}"
    if place[0] == "band":
        place = place[:LEVELS_OF_BAND]  # what follows is a form that the key may have
    key = ".".join(place)
    if error["type"] == "extra_forbidden":
        known = _keys_beside(place)
        hint = nearest(place[-1], known)
        return f"{where}: {key}: found an unknown key, expected one of {', '.join(known)}{hint}"
    if error["type"] == "missing":
        return f"{where}: {key}: found nothing, expected a value"
    limits = _limits(place)
    told = FORMS.get(error["type"]) or str(error["msg"]).removeprefix("Input should be ")
    expected = limits + LIMIT_HINTS.get(key, "") if limits and error["type"].startswith(("greater", "less")) else told
    return f"{where}: {key}: found {_shown(error['input'])}, expected {expected}"


def _limits(place: Sequence[str]) -> str:
    """Return between which numbers a key of the plan lies, in words; empty if it has no limits."""
    names = {field.alias or name: name for name, field in Plan.model_fields.items()}
    if len(place) > 1 or place[0] not in names:
        return ""
    found = Plan.model_fields[names[place[0]]].metadata
    at = {kind: getattr(one, kind) for one in found for kind in ("ge", "le", "gt", "lt") if hasattr(one, kind)}
    if {"ge", "le"} <= set(at):
        return f"{at['ge']:,} to {at['le']:,}"
    if {"ge", "lt"} <= set(at):
        return f"{at['ge']:,} or more and less than {at['lt']:,}"
    return f"more than {at['gt']:,} and less than {at['lt']:,}" if {"gt", "lt"} <= set(at) else ""


def _shown(found: object) -> str:
    """Return a value for an error, whole numbers with their thousands set apart."""
    is_number = isinstance(found, int) and not isinstance(found, bool)
    told = f"{found:,}" if is_number else repr(found)
    return told if len(told) <= MOST_SHOWN else f"{told[:MOST_SHOWN]}... ({len(told):,} letters)"


def _keys_beside(place: Sequence[str]) -> list[str]:
    """Return the keys that are known where an unknown one was found."""
    inner: dict[str, type[BaseModel]] = {
        "profile": Profile,
        "variant": Variant,
        "answer": Answer,
        "advice": Advice,
        "band": Band,
        "assumed": Assumed,
    }
    model = inner.get(place[0], Plan) if len(place) > 1 else Plan
    return [field.alias or name for name, field in model.model_fields.items()]


def _faults(plan: Plan) -> Iterator[str]:
    """Yield what is wrong in a plan of the right form."""
    if plan.schema_version < SCHEMA:
        yield f"schema: found {plan.schema_version}, expected {SCHEMA}"
    try:
        game = games.get(plan.game)
    except ValueError as fault:
        yield str(fault)
        return
    yield from _seat_faults(plan, game)
    yield from _advice_faults(plan, game)
    yield from _name_faults(plan)
    yield from _metric_faults(plan, game)
    yield from _stopping_faults(plan)
    yield from _population_faults(plan)
    components = game.load()
    is_resolved = True
    for number, variant in enumerate(plan.variants):
        try:
            components.resolve(variant.changes, where=f"variant.{number}.changes")
        except ComponentError as fault:
            is_resolved = False
            yield from str(fault).splitlines()
    if is_resolved:
        yield from _item_faults(plan, game, components)
        yield from band_faults(plan, game, components)


def _seat_faults(plan: Plan, game: Game) -> Iterator[str]:
    """Yield what is wrong with seats and the line-ups that sit there."""
    fitting = []
    if not plan.seat_counts:
        yield "seats: found an empty list, expected at least one number of seats"
    for seats, count in Counter(plan.seat_counts).items():
        if count > 1:
            yield f"seats: found {seats} {count} times, expected numbers that differ"
        if game.fewest_seats <= seats <= game.most_seats:
            fitting.append(seats)
        else:
            yield f"seats: found {seats:,}, expected {game.fewest_seats} to {game.most_seats}"
    known = [policy.name for policy in game.policies]
    for number, profile in enumerate(plan.profile):
        unknown = [name for name in profile.policies if name not in known]
        for name in unknown:
            expected = f"one of {', '.join(known)}{nearest(name, known)}"
            yield f"profile.{number}.policies: found '{name}', expected {expected}"
        for seats in fitting if not unknown else []:
            try:
                make_lineup(game, profile.policies, seats)
            except ValueError as fault:
                yield f"profile.{number}.{fault}"


def _advice_faults(plan: Plan, game: Game) -> Iterator[str]:
    """Yield what is wrong with a piece of advice, and line-ups in which nobody follows it."""
    advice = plan.advice
    if advice is None:
        if plan.answer.kind == ADVICE or ADVICE in (plan.estimands or ()):
            yield "advice: found nothing, expected a table with says, follows and against"
        return
    known = [policy.name for policy in game.policies]
    for key, name in (("follows", advice.follows), ("against", advice.against)):
        if name not in known:
            yield f"advice.{key}: found '{name}', expected one of {', '.join(known)}{nearest(name, known)}"
    if advice.follows == advice.against:
        yield f"advice.against: found '{advice.against}', expected another policy than follows"
    if not plan.wants(ADVICE):
        yield f"estimands: '{ADVICE}' is missing, its arms would be played for nothing; name it or leave advice out"
    for number, profile in enumerate(plan.profile):
        if len(profile.policies) > 1 and profile.policies[0] != advice.follows:
            found = f"found '{profile.policies[0]}' in the first seat"
            yield f"profile.{number}.policies: {found}, expected '{advice.follows}', who follows the advice"


def _name_faults(plan: Plan) -> Iterator[str]:
    """Yield names that are there twice or cannot be told apart, and unknown tables."""
    named = {
        "variant": [variant.name for variant in plan.variants],
        "profile": [profile.name for profile in plan.profile],
    }
    for key, names in named.items():
        for name, count in Counter(names).items():
            if count > 1:
                yield f"{key}: found '{name}' {count} times, expected names that differ"
    yield from _odd_names({**named, "band": [band.name for band in plan.band]})
    for number, name in enumerate(named["variant"]):
        if ARM_MARK in name:
            yield f"variant.{number}.name: found '{name}', expected a name without '{ARM_MARK}'"
    for name in plan.estimands or []:
        if name not in ESTIMANDS:
            expected = f"one of {', '.join(ESTIMANDS)}{nearest(name, list(ESTIMANDS))}"
            yield f"estimands: found '{name}', expected {expected}"


def _odd_names(named: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield names that no line of a table, no file and no XML can have as they are."""
    for key, names in named.items():
        for number, name in enumerate(names):
            odd = [one for one in name if unicodedata.category(one) in UNPRINTABLE or one in TURNING]
            if odd:
                yield f"{key}.{number}.name: found {name!r}, expected a name without {odd[0]!r}"
            if len(name) > MOST_LETTERS:
                yield f"{key}.{number}.name: found {len(name):,} letters, expected at most {MOST_LETTERS:,}"


def _stopping_faults(plan: Plan) -> Iterator[str]:
    """Yield what is wrong with when the run stops."""
    if plan.band and plan.until_decided:
        yield "until_decided: found together with bands, whose intervals are not for looks, expected precision instead"
    if plan.precision is not None and plan.until_decided:
        yield "until_decided: found together with precision, expected one of the two"
    for key, other in (("precision", plan.precision is not None), ("until_decided", plan.until_decided)):
        if other and plan.playouts is not None:
            yield f"playouts: found together with {key}, expected one of the two; most_playouts says where it gives up"
    if plan.most_playouts is not None and not plan.is_stopped:
        yield "most_playouts: found without precision or until_decided, expected playouts for a fixed number"
    wanted = {"precision": plan.precision} if plan.precision is not None else {}
    if plan.until_decided:
        wanted["margin"] = plan.margin
    seats = min(plan.seat_counts, default=0)
    if seats > 1:
        for key, points in wanted.items():
            yield from _reach_faults(plan, key, points, seats)


def _reach_faults(plan: Plan, key: str, points: float, seats: int) -> Iterator[str]:
    """Yield a half-width that takes more playouts than any plan may play, with one that would do."""
    each = plan.intervals(seats).of_several(n_free(seats) * len(plan.variants))
    needed = playouts_for_half_width(points / POINTS, 1 / seats, each) * len(plan.profiles)
    if needed > MOST_PLAYOUTS:
        least = points * math.sqrt(needed / MOST_PLAYOUTS)
        digits = 1 - math.floor(math.log10(least))
        enough = math.ceil(least * 10**digits) / 10**digits
        yield (
            f"{key}: found {points:g} points, which takes about {needed:.1e} playouts, "
            f"expected at most {MOST_PLAYOUTS:,} of them; {enough:g} points would do"
        )


def _population_faults(plan: Plan) -> Iterator[str]:
    """Yield weights of profiles that do not exist or do not add up."""
    if not plan.population:
        return
    known = [profile.name for profile in plan.profiles]
    for name, weight in plan.population.items():
        if name not in known:
            yield f"population: found '{name}', expected one of {', '.join(known)}{nearest(name, known)}"
        if not 0 <= weight <= 1:
            yield f"population.{name}: found {weight:g}, expected 0 to 1"
    total = math.fsum(plan.population.values())
    if abs(total - 1) > WEIGHT_TOLERANCE:
        yield f"population: found weights that sum to {total:g}, expected a sum of 1"
    missing = [name for name in known if name not in plan.population]
    if missing:
        yield f"population: found no weight for {', '.join(missing)}, expected one for each profile; 0 leaves it out"


def _metric_faults(plan: Plan, game: Game) -> Iterator[str]:
    """Yield what is wrong with the metrics of a whole ruleset."""
    shortest, longest = plan.minutes_per_turn
    if not 0 < shortest <= longest:
        yield f"minutes_per_turn: found {plan.minutes_per_turn}, expected two numbers above 0, the shorter first"
    for name in plan.answer.metrics:
        if name not in METRICS_TOLD:
            expected = f"one of {', '.join(METRICS_TOLD)}{nearest(name, METRICS_TOLD)}"
            yield f"answer.metrics: found '{name}', expected {expected}"
    if not plan.recorded_playouts:
        if plan.answer.kind == "metrics":
            yield f"estimands: '{RECORDED_TABLES[0]}' is missing, the answer is about it; name it or metric_playouts"
        return
    if game.story is None:
        yield f"estimands: '{RECORDED_TABLES[0]}' is not offered for {game.name}, which tells no story of its playouts"
    if plan.recorded_playouts < FEWEST_METRIC_PLAYOUTS:
        found = f"found {plan.baseline_playouts:,} for each profile"
        yield f"playouts: {found}, expected at least {FEWEST_METRIC_PLAYOUTS} for '{RECORDED_TABLES[0]}'"


def _item_faults(plan: Plan, game: Game, components: Components) -> Iterator[str]:
    """Yield items and counted columns that the game does not have."""
    ruleset = components.resolve(plan.variants[0].changes)
    found = [
        (family.under(ruleset.rules), str(row[components.specs[family.table].key]))
        for family in game.families
        for row in game.items(family, ruleset)
        if int(row["copies"])
    ]
    known = [name for _, name in found]
    listed = list(plan.items) if isinstance(plan.items, list) else []
    wanted = {"items": listed}
    if plan.answer.kind == "item":
        wanted["answer.item"] = [plan.answer.item]
        if plan.answer.item in known and plan.items != ALL and plan.answer.item not in listed:
            yield f"items: '{plan.answer.item}' is missing, the answer is about it"
    for key, names in wanted.items():
        for name in names:
            if name not in known:
                expected = f"one of {', '.join(known)}" if known else "none, the game has no items"
                yield f"{key}: found '{name}', expected {expected}{nearest(name, known)}"
    asked = [(family, name) for family, name in found if plan.items == ALL or name in listed]
    yield from item_measures.faults(plan.item_estimands or (), asked, listed, "item_estimands")
    if plan.item_estimands and plan.items == NONE:
        yield f'item_estimands: found {", ".join(plan.item_estimands)} without items; say items = "all" or name some'
    if plan.answer.kind == "item" and Estimand.GRANT not in (plan.item_estimands or DEFAULT_ESTIMANDS):
        yield f"item_estimands: '{Estimand.GRANT}' is missing, the answer is told from it"
    if plan.answer.kind == "items" and plan.items == NONE:
        yield 'items: found none, the answer is about items; say items = "all" or name some'
    if plan.answer.kind == "count" and plan.answer.count not in game.counted:
        counted = f"one of {', '.join(game.counted)}" if game.counted else "none, nothing is counted"
        yield f"answer.count: found '{plan.answer.count}', expected {counted}"
