"""From cell to game: for a row of a table, playouts that show what it is about, each with the command that tells it.

The playouts are found by playing a sample again: the first playout numbers of the plan, with its seed, so the same
ones every time. Out of those that fit (a place that won, an item that was dealt to a loser, two variants that ended
differently) stand the one of the middle length, the shortest and the longest.
"""

from __future__ import annotations

import json
import math
import shlex
import tomllib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.components import nearest
from sim.components.values import flat
from sim.engine.blocks import Arm, make_assignment, play_numbers, refuse_lost_rows
from sim.engine.contract import NOBODY, WHOLE_WIN, Termination
from sim.engine.lineup import rotations
from sim.engine.totals import masks_of
from sim.experiment import arms
from sim.experiment.advice import ADVISED, QUANTITY, seated
from sim.experiment.claims import ADVANTAGE
from sim.experiment.estimands import TITLES, Estimand
from sim.experiment.interventions import BLANK
from sim.experiment.tables import places
from sim.jit import make_records
from sim.statistics.estimate import COLUMNS_OF_ESTIMATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd

    from sim.engine.blocks import Array
    from sim.engine.lineup import Lineup
    from sim.experiment.plan import Plan

SAMPLE: Final = 2000
TYPICAL: Final = "typical"
TALLIES: Final = {"flows": "flow", "uses": "uses", "decisions": "decisions", "spaces": ""}
DEALT: Final = "was dealt"
HELD: Final = "ever held"
DREW: Final = "drew"
DEALT_ONLY: Final = TITLES[Estimand.DEAL][0]
BANNED: Final = TITLES[Estimand.BAN][0]
AGAINST_BLANK: Final = (*TITLES[Estimand.GRANT], *TITLES[Estimand.ABLATION])
HAD: Final = {
    DEALT_ONLY: DEALT,
    TITLES[Estimand.HELD][0]: HELD,
    TITLES[Estimand.DRAW][0]: DREW,
    TITLES[Estimand.IPW][0]: DREW,
}
"""By estimand, how a seat came by the item that a row is about."""
SHOWN: Final = (*HAD, *AGAINST_BLANK, BANNED)

Rows = list[dict[str, Any]]


class RowError(ValueError):
    """No row, or more than one, is meant; the message says what there is."""


def find_row(frame: pd.DataFrame, table: str, wanted: Mapping[str, str]) -> dict[str, Any]:
    """Return the one row of a table whose columns have the wanted values.

    Args:
        frame: The table.
        table: Its name, for errors.
        wanted: Values by column, as text.

    Raises:
        RowError: There is no such column, no such row, or more than one.

    """
    columns = [str(column) for column in frame.columns if column not in COLUMNS_OF_ESTIMATE]
    left = frame
    for column, value in wanted.items():
        if column not in columns:
            message = f"row: found no column '{column}' in {table}, expected one of {', '.join(columns)}"
            raise RowError(message + nearest(column, columns))
        known = [str(one) for one in dict.fromkeys(left[column])]
        left = left[left[column].map(str) == str(value)]
        if left.empty:
            message = f"row: {column}: found '{value}', expected one of {', '.join(known)}{nearest(str(value), known)}"
            raise RowError(message)
    if len(left) > 1:
        telling = [column for column in columns if left[column].dtype.kind != "f" and len(set(left[column])) > 1]
        options = "; ".join(f"{column}: {', '.join(left[column].map(str).unique()[:8])}" for column in telling[:4])
        message = f"row: {len(left)} rows of {table} fit, expected one; tell them apart by {options}"
        raise RowError(message)
    return {str(key): value for key, value in left.iloc[0].to_dict().items()}


def exemplars(plan: Plan, table: str, row: Mapping[str, Any], n_sample: int = SAMPLE) -> Rows:
    """Return playouts that show what a row is about.

    Args:
        plan: The plan of the result that the table is of.
        table: Name of the table.
        row: One of its rows.
        n_sample: Playouts that are played again to choose from.

    Returns:
        A row per playout: what it shows, variant, playout, rotation, the chairs that it is about, length in turns,
        share of the win by chair, and the command that tells it. Two rows of one playout are two variants of it.

    Raises:
        RowError: Rows of this table have no playouts to show.

    """
    if table not in _TELLERS:
        known = ", ".join(_TELLERS)
        message = f"table: found '{table}', expected one whose rows are about playouts: {known}"
        raise RowError(message + nearest(table, list(_TELLERS)))
    return _TELLERS[table](_Sampler(plan, row, n_sample), row)


@dataclass(frozen=True)
class _Sample:
    """A variant played over the sample.

    Attributes:
        sampler: What all samples of a row share.
        variant: What rows call it.
        changes: Its changes by dotted key.
        lineup: One policy per seat.
        repeats: How many times the rotations of the line-up are told, to stand beside one that has more of them.

    """

    sampler: _Sampler
    variant: str
    changes: dict[str, Any]
    lineup: Lineup
    repeats: int = 1

    @cached_property
    def arm(self) -> Arm:
        """The rules and the line-up."""
        game = self.sampler.setting.call.game
        ruleset = game.load().resolve(self.changes)
        return Arm(self.variant, game.pack(ruleset), self.lineup, self.sampler.n_sample)

    @property
    def turned(self) -> list[Lineup]:
        """The line-up of each rotation."""
        return rotations(self.lineup) * self.repeats

    @cached_property
    def rows(self) -> Array:
        """Rows of shape (n_rotations, n_sample)."""
        setting = self.sampler.setting
        states = make_records(setting.call.game.state)
        numbers = np.arange(self.sampler.n_sample)
        rows = play_numbers(setting.call.game, self.arm, setting.call.seed, numbers, states)[0]
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
            assignment = make_assignment(lineup, seed)
            for playout in range(self.sampler.n_sample):
                states["tallies"] = blank
                game.entry(states, self.arm.rules, assignment, row, np.array([playout], np.int64))
                found[rotation, playout] = np.sum(states["tallies"][0][name][place])
        refuse_lost_rows(row["termination"])
        return found

    def row(self, shows: str, where: tuple[int, int], chairs: Array | None, **more: Any) -> dict[str, Any]:
        """Return the row of one playout."""
        rotation, playout = where
        names = [policy.name for policy in self.turned[rotation]]
        payoff = self.payoff[rotation, playout, : len(names)]
        about = [] if chairs is None else [int(chair) for chair in np.flatnonzero(chairs[rotation, playout])]
        return {
            "shows": shows,
            "variant": self.variant,
            "playout": playout,
            "rotation": rotation,
            "seats_meant": about,
            "length_turns": int(self.rows["length_turns"][rotation, playout]),
            "win_share": [int(part) / WHOLE_WIN for part in payoff],
            **more,
            "command": self.sampler.command(names, playout, self.changes),
        }


class _Sampler:
    """What the samples of one row share: the plan's setting, and how a playout is called.

    Attributes:
        plan: The plan.
        setting: Number of seats and profile of the row.
        n_sample: Playouts of a sample.

    """

    def __init__(self, plan: Plan, row: Mapping[str, Any], n_sample: int) -> None:
        profile = row.get("profile", row.get("largest_in"))
        chosen = [one for one in arms.settings(plan) if one.profile.name == profile and one.seats == int(row["seats"])]
        self.plan = plan
        self.setting = chosen[0]
        self.n_sample = n_sample
        self.lineup = self.setting.call.arms[0].lineup

    def of_variant(self, name: str) -> _Sample:
        """Return the sample of a variant of the plan."""
        changes = next(one.changes for one in self.plan.variants if one.name == name)
        return _Sample(self, name, dict(flat(changes)), self.lineup)

    def advised(self, name: str) -> tuple[_Sample, _Sample]:
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

    def blanked(self, item: str) -> _Sample:
        """Return the sample of the baseline with an item that does nothing."""
        return self._with(item, "effect", BLANK, "blank")

    def banned(self, item: str) -> _Sample:
        """Return the sample of the baseline without an item."""
        return self._with(item, "copies", 0, "banned")

    def _with(self, item: str, column: str, value: Any, says: str) -> _Sample:
        """Return the sample of the baseline with one cell of an item changed."""
        base = self.of_variant(self.plan.variants[0].name)
        key = f"{self.item(item).family.table}.{item}.{column}"
        return _Sample(self, f"{base.variant}, {item} {says}", {**base.changes, key: value}, self.lineup)

    def item(self, name: str) -> arms.Item:
        """Return an item of the baseline."""
        game = self.setting.call.game
        ruleset = self.setting.rulesets[self.plan.variants[0].name]
        return arms.items_of(game, game.load(), ruleset, [name])[0]

    def command(self, policies: Sequence[str], playout: int, changes: Mapping[str, Any]) -> str:
        """Return the command that tells one playout."""
        shown = policies[:1] if len(set(policies)) == 1 else policies
        words = ["sim", "replay", self.plan.game, "--seed", str(self.plan.seed), "--playout", str(playout)]
        words += ["--seats", str(len(policies)), "--policy", ",".join(shown)]
        for key, value in changes.items():
            words += ["-S", f"{key}={_written(value)}"]
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


def _three(mask: Array, measure: Array) -> dict[str, tuple[int, int]]:
    """Return the places of the middle, the least and the greatest measure among those that fit, each place once."""
    fitting = np.argwhere(mask)
    if not len(fitting):
        return {}
    rotation, playout = fitting.T
    ranked = fitting[np.lexsort((rotation, playout, measure[rotation, playout]))]
    chosen = {"typical": ranked[(len(ranked) - 1) // 2], "shortest": ranked[0], "longest": ranked[-1]}
    found: dict[str, tuple[int, int]] = {}
    for name, place in chosen.items():
        where = int(place[0]), int(place[1])
        if where not in found.values():
            found[name] = where
    return found


def _by_length(sample: _Sample, says: str, mask: Array, chairs: Array | None, kinds: Sequence[str] = ()) -> Rows:
    """Return exemplars of the playouts that fit, by length."""
    chosen = _three(mask & sample.is_finished, sample.rows["length_turns"])
    return [
        sample.row(f"{says}, {kind}", where, chairs) for kind, where in chosen.items() if not kinds or kind in kinds
    ]


def _won_and_lost(sample: _Sample, who: str, chairs: Array) -> Rows:
    """Return exemplars in which one of the chairs won alone, and in which none of them won anything."""
    won = ((sample.payoff == WHOLE_WIN) & chairs).any(axis=-1)
    lost = np.asarray(chairs.any(axis=-1) & ~((sample.payoff > 0) & chairs).any(axis=-1))
    return [
        *_by_length(sample, f"{who} wins", won, chairs),
        *_by_length(sample, f"{who} loses", lost, chairs, (TYPICAL,)),
    ]


def _lineup_seats(sample: _Sample) -> Array:
    """Return which place of the line-up sits in each chair, `NOBODY` where nobody sits."""
    order = sample.rows["order"]
    n_seats = len(sample.arm.lineup)
    turned = (np.arange(order.shape[-1])[None, :] - np.arange(order.shape[0])[:, None]) % n_seats
    return np.where(order == NOBODY, NOBODY, turned[:, None, :])


def _of_seat(sampler: _Sampler, row: Mapping[str, Any]) -> Rows:
    sample = sampler.of_variant(row["variant"])
    return _won_and_lost(sample, f"place {row['seat']} of the line-up", _lineup_seats(sample) == int(row["seat"]))


def _of_order(sampler: _Sampler, row: Mapping[str, Any]) -> Rows:
    sample = sampler.of_variant(row["variant"])
    return _won_and_lost(sample, f"order {row['order']}", np.asarray(sample.rows["order"] == int(row["order"])))


def _of_policy(sampler: _Sampler, row: Mapping[str, Any]) -> Rows:
    sample = sampler.of_variant(row["variant"])
    return _won_and_lost(sample, row["policy"], _has_policy(sample, row["policy"]))


def _has_policy(sample: _Sample, name: str) -> Array:
    code = sample.sampler.setting.call.game.policy(name).code
    return np.asarray((sample.rows["policy"] == code) & (sample.rows["order"] != NOBODY))


def _of_length(sampler: _Sampler, row: Mapping[str, Any]) -> Rows:
    sample = sampler.of_variant(row["variant"])
    rows = _by_length(sample, "a playout", sample.is_finished, None)
    cut = np.argwhere(~sample.is_finished)[:1]
    return [*rows, *(sample.row("stopped by the turn limit", (int(one[0]), int(one[1])), None) for one in cut)]


def _of_count(sampler: _Sampler, row: Mapping[str, Any]) -> Rows:
    sample = sampler.of_variant(row["variant"])
    counts = sample.rows[row["count"]].sum(axis=-1)
    reached = np.asarray(counts >= int(row["at_least"]))
    what = f"{row['at_least']} {row['count']} or more"
    counted = np.asarray(sample.rows[row["count"]] > 0)
    return [
        *_by_length(sample, what, reached, counted),
        *_by_length(sample, f"less than {row['at_least']} {row['count']}", ~reached, None, (TYPICAL,)),
    ]


def _of_item(sampler: _Sampler, row: Mapping[str, Any]) -> Rows:
    """Tell an item's row: who had it won or lost, or what it decided against a blank or a deck without it."""
    name, estimand = row["item"], row.get("estimand", DEALT_ONLY)
    if estimand not in HAD and estimand not in {*AGAINST_BLANK, BANNED}:
        message = f"row: '{estimand}' compares playouts with decks of their own, expected one of {', '.join(SHOWN)}"
        raise RowError(message)
    sample = sampler.of_variant(row["variant"])
    if estimand == BANNED:
        return _that_compare(sampler, sampler.banned(name), sample, str(row["quantity"]))
    if estimand in AGAINST_BLANK:
        chairs = _has_item(sampler, sample, name, "dealt")
        return _that_differ(sample, sampler.blanked(name), f"{name} (instead of a blank) gives its holder", chairs)
    chairs = _has_item(sampler, sample, name, "dealt" if HAD[estimand] == DEALT else "held")
    if HAD[estimand] == DREW:
        chairs = chairs & ~_has_item(sampler, sample, name, "dealt")
    return _won_and_lost(sample, f"a seat that {HAD[estimand]} {name}", chairs)


def _has_item(sampler: _Sampler, sample: _Sample, name: str, how: str) -> Array:
    """Return which chairs had an item, shape (n_rotations, n_sample, n_chairs)."""
    item = sampler.item(name)
    masks = masks_of(sample.rows, item.family, how)
    return np.asarray((masks >= 0) & (masks >> item.row & 1 == 1))


def _that_differ(sample: _Sample, other: _Sample, what: str, chairs: Array, other_chairs: Array | None = None) -> Rows:
    """Return pairs of exemplars in which the chairs win more, and less, in `sample` than in `other`."""
    theirs = chairs if other_chairs is None else other_chairs
    change = (sample.payoff * chairs).sum(axis=-1) - (other.payoff * theirs).sum(axis=-1)
    both = sample.is_finished & other.is_finished
    rows: Rows = []
    for says, mask in ((f"{what} more", change > 0), (f"{what} less", change < 0)):
        for kind, where in _three(mask & both, sample.rows["length_turns"]).items():
            rows += [one.row(f"{says}, {kind}", where, mine) for one, mine in ((sample, chairs), (other, theirs))]
    return rows


def _of_comparison(sampler: _Sampler, row: Mapping[str, Any]) -> Rows:
    """Tell a paired lift: playouts that the two variants end differently."""
    sample, base = sampler.of_variant(row["variant"]), sampler.of_variant(row["baseline"])
    return _that_compare(sampler, sample, base, str(row["quantity"]))


def _of_claim(sampler: _Sampler, row: Mapping[str, Any]) -> Rows:
    """Tell a claim over all profiles, in the profile where it is largest."""
    quantity = str(row["quantity"])
    if quantity.startswith(ADVANTAGE):
        return _of_order(sampler, {**row, "order": quantity.rpartition(" ")[2]})
    if quantity == QUANTITY:
        return _of_advice(sampler, row)
    return _of_comparison(sampler, row)


def _of_advice(sampler: _Sampler, row: Mapping[str, Any]) -> Rows:
    """Tell what following a piece of advice did: playouts in which the seat wins more, or less, than against it."""
    follows, against = sampler.advised(row["variant"])
    chairs = np.asarray(_lineup_seats(follows) == ADVISED)
    return _that_differ(follows, against, "following the advice wins", chairs)


def _that_compare(sampler: _Sampler, sample: _Sample, base: _Sample, quantity: str) -> Rows:
    """Return pairs of exemplars that two samples end differently, by what is compared."""
    kind, _, name = quantity.partition(", ")
    if kind == "length":
        return _that_lengthen(sample, base)
    what = f"{sample.variant} gives"
    if kind in {"share when dealt", DEALT_ONLY}:
        return _that_differ(sample, base, f"{what} who was dealt {name}", _has_item(sampler, base, name, "dealt"))
    if kind != "win share":
        message = f"row: '{quantity}' is about all playouts together, expected a win share, a length or an item's share"
        raise RowError(message)
    slot, _, place = name.partition(" ")
    ours, theirs = (_chairs_of(one, slot, place) for one in (sample, base))
    return _that_differ(sample, base, f"{what} {name}", ours, theirs)


def _chairs_of(sample: _Sample, kind: str, place: str) -> Array:
    if kind == "policy":
        return _has_policy(sample, place)
    seats = _lineup_seats(sample) if kind == "seat" else sample.rows["order"]
    return np.asarray(seats == int(place))


def _that_lengthen(sample: _Sample, base: _Sample) -> Rows:
    """Return pairs of exemplars by how much longer the variant takes."""
    change = sample.rows["length_turns"].astype(np.int64) - base.rows["length_turns"]
    titles = {
        "typical": "the middle change",
        "shortest": "the largest shortening",
        "longest": "the largest lengthening",
    }
    rows: Rows = []
    for kind, where in _three(sample.is_finished & base.is_finished, change).items():
        turns = f"{titles[kind]}, {change[where]:+d} turns"
        rows += [one.row(turns, where, None) for one in (sample, base)]
    return rows


def _of_tally(table: str) -> Callable[[_Sampler, Mapping[str, Any]], Rows]:
    """Return what tells the rows of a table of tallies."""

    def tell(sampler: _Sampler, row: Mapping[str, Any]) -> Rows:
        sample = sampler.of_variant(row["variant"])
        name = TALLIES[table] or str(row["quantity"])
        place = next(
            where
            for where, about in places(sampler.setting, name, row["variant"])
            if all(str(row[key]) == str(value) for key, value in about.items())
        )
        amount = sample.tallied(name, place)
        titles = {"typical": "the middle amount", "shortest": "the least", "longest": "the most"}
        chosen = _three(sample.is_finished, amount)
        return [sample.row(titles[kind], where, None, amount=int(amount[where])) for kind, where in chosen.items()]

    return tell


_TELLERS: Final[dict[str, Callable[[_Sampler, Mapping[str, Any]], Rows]]] = {
    "win_share": _of_seat,
    "policy_share": _of_policy,
    "seat_advantage": _of_order,
    "length": _of_length,
    "comparisons": _of_comparison,
    "claims": _of_claim,
    "advice": _of_advice,
    "item_balance": _of_item,
    "item_summary": _of_item,
    "item_share": _of_item,
    "counts": _of_count,
    **{table: _of_tally(table) for table in TALLIES},
}
