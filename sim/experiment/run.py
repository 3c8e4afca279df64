"""Runs a plan: builds its arms, plays them on common random numbers, and makes tables of the totals."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from sim import games
from sim.components import Ruleset
from sim.engine.blocks import Arm, Call, Grant, Pair, Played, arm_sizes, play_call
from sim.engine.contract import Game, ItemFamily
from sim.engine.lineup import make_lineup
from sim.experiment import tables
from sim.experiment.plan import Plan, Profile, check_plan
from sim.experiment.results import Result
from sim.jit import source_hash

Progress = Callable[[int, int], None]
BLANK: Final = "blank"


@dataclass(frozen=True)
class Item:
    """An item whose balance is measured.

    Attributes:
        family: Its family.
        row: Its row in the component table.
        name: Its key there.
        card: Its first physical card.

    """

    family: ItemFamily
    row: int
    name: str
    card: int


def items_of(game: Game, ruleset: Ruleset, wanted: str | list[str]) -> list[Item]:
    """Return the items of a ruleset that have copies and are asked for."""
    found = []
    for family in game.families:
        card = 0
        rows = ruleset.tables[family.table]
        for row, values in enumerate(rows):
            key, copies = str(values[family.key]), int(values["copies"])
            if copies and (wanted == "all" or key in wanted):
                found.append(Item(family, row, key, card))
            card += copies
    return found


@dataclass
class Setting:
    """One number of seats under one profile: what is played and what it means."""

    seats: int
    profile: Profile
    call: Call
    items: list[Item]


def settings(plan: Plan) -> list[Setting]:
    """Return everything that a plan plays, a call per number of seats and profile."""
    game = games.get(plan.game)
    components = game.load()
    rulesets = {one.name: components.resolve(one.changes) for one in plan.variants}
    base = plan.variants[0]
    items = items_of(game, rulesets[base.name], [] if plan.items == "none" else plan.items)
    return [
        Setting(seats, profile, _call(plan, game, rulesets, seats, profile, items), items)
        for seats in plan.seat_counts
        for profile in plan.profiles
    ]


def _call(
    plan: Plan,
    game: Game,
    rulesets: dict[str, Ruleset],
    seats: int,
    profile: Profile,
    items: list[Item],
) -> Call:
    """Return the arms and pairs of one profile; the first arm is the baseline."""
    lineup = make_lineup(game, profile.policies, seats)
    base, *others = rulesets
    arms = [Arm(base, game.pack(rulesets[base]), lineup, plan.baseline_playouts)]
    fewer = min(plan.paired_playouts, plan.baseline_playouts)
    pairs = []
    for name in others:
        arms.append(Arm(name, game.pack(rulesets[name]), lineup, fewer))
        pairs.append(Pair(name, name, base, _same_deals(game, rulesets[base], rulesets[name])))
    changes = plan.variants[0].changes
    for item in items:
        blank = game.load().resolve({**changes, f"{item.family.table}.{item.name}.effect": BLANK})
        rules, grant = game.pack(blank), Grant(item.family, item.card)
        names = {kind: f"{kind}:{item.family.name}:{item.name}" for kind in ("ablation", "grant", "control")}
        arms.append(Arm(names["ablation"], rules, lineup, fewer))
        arms.append(Arm(names["grant"], arms[0].rules, lineup, fewer, grant))
        arms.append(Arm(names["control"], rules, lineup, fewer, grant))
        pairs.append(Pair(names["ablation"], base, names["ablation"], (item.family,)))
        pairs.append(Pair(names["grant"], names["grant"], names["control"], granted=True))
    n_items = {family.name: len(rulesets[base].tables[family.table]) for family in game.families}
    return Call(game, tuple(arms), tuple(pairs), plan.seed, n_items)


def _same_deals(game: Game, one: Ruleset, other: Ruleset) -> tuple[ItemFamily, ...]:
    """Return the families that are dealt alike on both sides."""

    def copies(ruleset: Ruleset, family: ItemFamily) -> list[Any]:
        return [row["copies"] for row in ruleset.tables[family.table]]

    return tuple(family for family in game.families if copies(one, family) == copies(other, family))


def run_plan(plan: Plan, jobs: int | None = None, progress: Progress | None = None) -> Result:
    """Play a plan and return its tables.

    Args:
        plan: A checked plan.
        jobs: Threads; one per core if None.
        progress: Called with playouts finished and playouts in all.

    Returns:
        The result; partial after Ctrl-C, with whole blocks only.

    """
    started = time.monotonic()
    todo = settings(plan)
    total = sum(arm_sizes(setting.call.arms) for setting in todo)
    done = 0
    played: list[tuple[Setting, Played]] = []
    for setting in todo:
        size = arm_sizes(setting.call.arms)
        outcome = play_call(setting.call, jobs, _scaled(progress, setting.call, done, total))
        played.append((setting, outcome))
        done += size
        if outcome.is_partial:
            break
    is_partial = any(outcome.is_partial for _, outcome in played)
    finished = [(setting, outcome) for setting, outcome in played if outcome.n_playouts > 1]
    made = tables.make_tables(plan, finished)
    seconds = time.monotonic() - started
    return Result(plan, made, tables.digest(finished), source_hash(), seconds, total, is_partial)


def _scaled(progress: Progress | None, call: Call, done: int, total: int) -> Callable[[int], None] | None:
    """Return a function that turns playout numbers of one call into playouts of the whole plan."""
    if progress is None:
        return None

    def report(number: int) -> None:
        progress(done + sum(min(number, arm.n_playouts) for arm in call.arms), total)

    return report


def play(
    game: str,
    playouts: int = 100_000,
    seats: int | None = None,
    policies: str | list[str] | None = None,
    changes: dict[str, Any] | None = None,
    vs: dict[str, Any] | None = None,
    seed: int = 1,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Play a game and return its tables.

    Args:
        game: Name of the game.
        playouts: Playouts of each variant.
        seats: Seats at the table; the most that the game takes if None.
        policies: One policy for all seats, or one per seat; the game's default if None.
        changes: Changes of the rules by dotted key.
        vs: Changes of a second variant, compared on the same luck; on top of `changes`.
        seed: Seed of all draws.
        jobs: Threads; one per core if None.
        progress: Called with playouts finished and playouts in all.

    Raises:
        PlanError: Something asked for does not exist or is out of range.

    """
    described = games.get(game)
    names = [policies] if isinstance(policies, str) else policies or [described.default_policy]
    variants: list[dict[str, Any]] = [{"name": "baseline", "changes": dict(changes or {})}]
    if vs is not None:
        variants.append({"name": "changed", "changes": {**(changes or {}), **vs}})
    plan = check_plan(
        {
            "schema": 1,
            "question": f"How does {described.title} play?",
            "game": game,
            "seats": described.most_seats if seats is None else seats,
            "seed": seed,
            "playouts": playouts,
            "paired_playouts": playouts,
            "profile": [{"name": "+".join(names), "policies": list(names)}],
            "variant": variants,
        },
        "play",
    )
    return run_plan(plan, jobs, progress)
