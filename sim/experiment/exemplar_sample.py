"""Playouts of a plan played again to choose exemplars from, and the command that tells each of them."""

from __future__ import annotations

import json
import math
import shlex
import tomllib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.components.values import flat
from sim.engine.blocks import Arm, make_assignment, play_numbers, refuse_lost_rows
from sim.engine.contract import NOBODY, RANDOM_POLICY, WHOLE_WIN, Termination
from sim.engine.lineup import make_lineup, rotations
from sim.engine.seating import number_of
from sim.engine.totals import masks_of
from sim.experiment import arms
from sim.experiment.advice import seated
from sim.experiment.estimands import Estimand
from sim.experiment.granting import word_of
from sim.experiment.interventions import TWIN, grants_of
from sim.experiment.ruleset_metrics import SKILL_PROFILE
from sim.jit import make_records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.components import Ruleset
    from sim.engine.blocks import Array, Grant
    from sim.engine.lineup import Lineup
    from sim.experiment.plan import Plan

TYPICAL: Final = "typical"
AMOUNTS: Final = {TYPICAL: "the middle amount", "shortest": "the least", "longest": "the most"}

Rows = list[dict[str, Any]]


class RowError(ValueError):
    """No row, or more than one, is meant, or it has no playouts; the message says what there is."""


@dataclass(frozen=True)
class Sampled:
    """A variant played over the sample.

    Attributes:
        sampler: What all samples of a row share.
        variant: What rows call it.
        changes: Its changes by dotted key.
        lineup: One policy per seat.
        repeats: How many times the rotations of the line-up are told, to stand beside one that has more of them.
        grants: Cards that are granted.
        granted: The words that name them, of items of the changed rules.
        first: Number of the first playout.
        most: Playouts at the most, or None for as many as a sample has.

    """

    sampler: Sampler
    variant: str
    changes: dict[str, Any]
    lineup: Lineup
    repeats: int = 1
    grants: tuple[Grant, ...] = ()
    granted: tuple[str, ...] = ()
    first: int = 0
    most: int | None = None

    @property
    def numbers(self) -> Array:
        """Numbers of the playouts."""
        n_sample = self.sampler.n_sample
        return self.first + np.arange(n_sample if self.most is None else min(n_sample, self.most))

    @cached_property
    def ruleset(self) -> Ruleset:
        """The rules."""
        found: Ruleset = self.sampler.setting.call.game.load().resolve(self.changes)
        return found

    @cached_property
    def arm(self) -> Arm:
        """The rules, the line-up and the grants."""
        game = self.sampler.setting.call.game
        return Arm(self.variant, game.pack(self.ruleset), self.lineup, len(self.numbers), self.grants)

    @property
    def turned(self) -> list[Lineup]:
        """The line-up of each rotation."""
        return rotations(self.lineup) * self.repeats

    @cached_property
    def rows(self) -> Array:
        """Rows of shape (n_rotations, n_sample)."""
        setting = self.sampler.setting
        states = make_records(setting.call.game.state)
        rows = play_numbers(setting.call.game, self.arm, setting.call.seed, self.numbers, states)[0]
        return np.concatenate([rows] * self.repeats).view(np.recarray)

    @cached_property
    def is_finished(self) -> Array:
        """Which playouts ended by the rules, shape (n_rotations, n_sample)."""
        return np.asarray(self.rows["termination"] != Termination.TURN_LIMIT)

    @cached_property
    def payoff(self) -> Array:
        """Payoff by chair in 1/840 of a win, shape (n_rotations, n_sample, n_chairs)."""
        return np.asarray(self.rows["payoff"], np.int64)

    def tallied(self, name: str, place: Any) -> Array:
        """Return a tally of each playout, shape (n_rotations, n_sample)."""
        setting = self.sampler.setting
        game, seed = setting.call.game, setting.call.seed
        states = make_records(game.state)
        blank = np.zeros((), game.state["tallies"])
        found = np.zeros(self.rows.shape, np.int64)
        row = np.zeros(1, game.row).view(np.recarray)
        for rotation, lineup in enumerate(self.turned):
            assignment = make_assignment(lineup, seed, grants=self.grants)
            for place_in_sample, playout in enumerate(self.numbers):
                states["tallies"] = blank
                game.entry(states, self.arm.rules, assignment, row, np.array([playout], np.int64))
                found[rotation, place_in_sample] = np.sum(states["tallies"][0][name][place])
        refuse_lost_rows(row["termination"])
        return found

    def row(self, shows: str, where: tuple[int, ...], chairs: Array | None, **more: Any) -> dict[str, Any]:
        """Return the row of one playout."""
        rotation, playout = where
        number = int(self.numbers[playout])
        names = [policy.name for policy in self.turned[rotation]]
        payoff = self.payoff[rotation, playout, : len(names)]
        about = [] if chairs is None else [number_of(int(chair)) for chair in np.flatnonzero(chairs[rotation, playout])]
        return {
            "shows": shows,
            "variant": self.variant,
            "playout": number,
            "rotation": rotation,
            "seats_meant": about,
            "length_turns": int(self.rows["length_turns"][rotation, playout]),
            "win_share": [int(part) / WHOLE_WIN for part in payoff],
            **more,
            "command": self.sampler.command(names, number, self.changes, self.granted),
        }


class Sampler:
    """What the samples of one row share: the plan's setting, and how a playout is called.

    Attributes:
        plan: The plan.
        setting: Number of seats and profile of the row.
        n_sample: Playouts of a sample.

    """

    def __init__(self, plan: Plan, row: Mapping[str, Any], n_sample: int) -> None:
        profile = row.get("profile", row.get("largest_in"))
        is_alone = profile == SKILL_PROFILE and profile not in [one.name for one in plan.profiles]
        name = plan.profiles[0].name if is_alone else profile
        lean = plan.model_copy(update={"item_estimands": [Estimand.HELD.value]})  # needs no arms but the variants
        chosen = [one for one in arms.settings(lean) if one.profile.name == name and one.seats == int(row["seats"])]
        self.plan = plan
        self.setting = chosen[0]
        self.n_sample = n_sample
        self.lineup = self.setting.call.arms[0].lineup
        if is_alone:
            game = self.setting.call.game
            random = next(policy.name for policy in game.policies if policy.code == RANDOM_POLICY)
            self.lineup = make_lineup(game, [row["part"], *[random] * (self.setting.seats - 1)], self.setting.seats)

    @property
    def base(self) -> Sampled:
        """The sample of the baseline."""
        return self.of_variant(self.plan.variants[0].name)

    def of_variant(self, name: str) -> Sampled:
        """Return the sample of a variant of the plan."""
        changes = next(one.changes for one in self.plan.variants if one.name == name)
        return Sampled(self, name, dict(flat(changes)), self.lineup)

    def changed(self, says: str, changes: Mapping[str, Any], hand: Sequence[arms.Item] = ()) -> Sampled:
        """Return the sample of the baseline with changes on top and perhaps a hand that is granted.

        Args:
            says: What is changed, in words.
            changes: The changes.
            hand: Items that are granted together, under the changes that `hand_changes` makes of them.

        """
        base = self.base
        variant = f"{base.variant}, {says}" if says else base.variant
        granted: dict[str, Any] = {"grants": grants_of(*hand), "granted": words_of(hand)}
        return replace(base, variant=variant, changes={**base.changes, **changes}, **granted)

    def advised(self, name: str) -> tuple[Sampled, Sampled]:
        """Return the samples in which a seat follows the plan's advice and goes against it, as many rotations of each.

        Raises:
            RowError: The plan has no advice.

        """
        if self.plan.advice is None:
            message = "row: the plan gives no advice that could be followed"
            raise RowError(message)
        follows = self.of_variant(name)
        lineup = seated(self.setting.call.game, self.lineup, self.plan.advice.against)
        against = replace(follows, variant=f"{name}, going against it", lineup=lineup)
        counts = [len(rotations(one.lineup)) for one in (follows, against)]
        ours, theirs = (math.lcm(*counts) // count for count in counts)
        return replace(follows, repeats=ours), replace(against, repeats=theirs)

    @cached_property
    def items(self) -> tuple[arms.Item, ...]:
        """Items of the baseline that the plan asks for; all that a row names are among them."""
        game = self.setting.call.game
        return arms.items_of(game, game.load(), self.setting.rulesets[self.plan.variants[0].name], self.plan.items)

    def item(self, name: str, family: str | None = None) -> arms.Item:
        """Return an item of the baseline, of a family if it is named."""
        game = self.setting.call.game
        ruleset = self.setting.rulesets[self.plan.variants[0].name]
        found = arms.items_of(game, game.load(), ruleset, [name])
        return next(item for item in found if family in (None, item.family.name))

    def granted_chairs(self, sample: Sampled) -> Array:
        """Return which chair a grant goes to, shape (n_rotations, n_sample, n_chairs)."""
        chairs = np.zeros(sample.payoff.shape, bool)
        numbers = sample.numbers
        chairs[:, np.arange(len(numbers)), numbers % self.setting.seats] = True
        return chairs

    def command(
        self, policies: Sequence[str], playout: int, changes: Mapping[str, Any], granted: Sequence[str] = ()
    ) -> str:
        """Return the command that tells one playout."""
        shown = policies[:1] if len(set(policies)) == 1 else policies
        words = ["sim", "replay", self.plan.game, "--seed", str(self.plan.seed), "--playout", str(playout)]
        words += ["--seats", str(len(policies)), "--policy", ",".join(shown)]
        for key, value in changes.items():
            words += ["-S", f"{key}={_written(value)}"]
        for word in granted:
            words += ["--grant", word]
        return shlex.join(words)


def _written(value: Any) -> str:
    """Return a value as `-S key=value` reads it back: bare text where that is not taken for something else."""
    if not isinstance(value, str):
        return json.dumps(value)
    try:
        tomllib.loads(f"value = {value}")
    except tomllib.TOMLDecodeError:
        return value if value == value.strip() and value else json.dumps(value)
    return json.dumps(value)


def words_of(hand: Sequence[arms.Item]) -> tuple[str, ...]:
    """Return the words that grant a hand; of an item with several copies its twin is granted."""
    return tuple(word_of(item.family, item.name if item.copies == 1 else f"{TWIN}_of_{item.name}") for item in hand)


def three(mask: Array, measure: Array) -> dict[str, tuple[int, ...]]:
    """Return the places of the middle, the least and the greatest measure among those that fit, each place once."""
    fitting = np.argwhere(mask)
    if not len(fitting):
        return {}
    ranked = fitting[np.lexsort((*fitting.T, measure[tuple(fitting.T)]))]
    chosen = {TYPICAL: ranked[(len(ranked) - 1) // 2], "shortest": ranked[0], "longest": ranked[-1]}
    found: dict[str, tuple[int, ...]] = {}
    for name, place in chosen.items():
        where = tuple(int(part) for part in place)
        if where not in found.values():
            found[name] = where
    return found


def by_length(sample: Sampled, says: str, mask: Array, chairs: Array | None, kinds: Sequence[str] = ()) -> Rows:
    """Return exemplars of the playouts that fit, by length."""
    chosen = three(mask & sample.is_finished, sample.rows["length_turns"])
    return [
        sample.row(f"{says}, {kind}", where, chairs) for kind, where in chosen.items() if not kinds or kind in kinds
    ]


def won_and_lost(sample: Sampled, who: str, chairs: Array) -> Rows:
    """Return exemplars in which one of the chairs won alone, and in which none of them won anything."""
    won = ((sample.payoff == WHOLE_WIN) & chairs).any(axis=-1)
    lost = np.asarray(chairs.any(axis=-1) & ~((sample.payoff > 0) & chairs).any(axis=-1))
    return [
        *by_length(sample, f"{who} wins", won, chairs),
        *by_length(sample, f"{who} loses", lost, chairs, (TYPICAL,)),
    ]


def lineup_seats(sample: Sampled) -> Array:
    """Return which place of the line-up sits in each chair, `NOBODY` where nobody sits."""
    order = sample.rows["order"]
    n_seats = len(sample.arm.lineup)
    turned = (np.arange(order.shape[-1])[None, :] - np.arange(order.shape[0])[:, None]) % n_seats
    return np.where(order == NOBODY, NOBODY, turned[:, None, :])


def has_item(sample: Sampled, item: arms.Item, how: str) -> Array:
    """Return which chairs had an item, shape (n_rotations, n_sample, n_chairs)."""
    masks = masks_of(sample.rows, item.family, how)
    return np.asarray((masks >= 0) & (masks >> item.row & 1 == 1))


@dataclass(frozen=True)
class Side:
    """A sample, the chairs in it that are meant, and what they count.

    Attributes:
        sample: The sample.
        chairs: Which chairs, shape (n_rotations, n_sample, n_chairs).
        weight: What their payoff counts in the comparison.

    """

    sample: Sampled
    chairs: Array
    weight: int = 1

    @property
    def worth(self) -> Array:
        """What its chairs win, as it counts, shape (n_rotations, n_sample)."""
        return np.asarray(self.weight * (self.sample.payoff * self.chairs).sum(axis=-1))


def that_differ(what: str, cases: Sequence[Sequence[Side]], is_meant: Array | None = None) -> Rows:
    """Return exemplars in which the sides of a comparison are worth more, and less, than nothing together.

    Args:
        what: What the comparison is of, in words.
        cases: The comparisons that a row is the mean of: their sides, over the same playouts.
        is_meant: Which playouts of each case count, shape (n_cases, n_rotations, n_sample), or None for all.

    """
    change = np.stack([np.sum([side.worth for side in sides], axis=0) for sides in cases])
    length = np.stack([sides[0].sample.rows["length_turns"] for sides in cases])
    done = np.stack([np.all([side.sample.is_finished for side in sides], axis=0) for sides in cases])
    counts = done if is_meant is None else done & is_meant
    rows: Rows = []
    for says, mask in ((f"{what} more", change > 0), (f"{what} less", change < 0)):
        for kind, (case, *where) in three(mask & counts, length).items():
            told = {id(side.sample): side for side in reversed(cases[case])}  # a sample whose two chairs meet once
            rows += [
                side.sample.row(f"{says}, {kind}", tuple(where), side.chairs) for side in reversed(list(told.values()))
            ]
    return rows
