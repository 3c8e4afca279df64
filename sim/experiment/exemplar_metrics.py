"""Exemplars of rows about a whole ruleset: the recorded playouts in which a metric is least, in the middle, and most.

What is told from the totals of all playouts, such as a noise floor, has no playout of its own; the error says which
table has.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np

from sim.experiment.bands import UNCOMPARED
from sim.experiment.choices import sample_gaps
from sim.experiment.course_metrics import VALUE_FUNCTION, by_chances, is_rolled
from sim.experiment.exemplar_checks import Rolled, comebacks, is_comeback
from sim.experiment.exemplar_sample import AMOUNTS, RowError, by_length, three, won_and_lost
from sim.experiment.ruleset_metrics import MOST_GAPS, story_metrics
from sim.experiment.sample import take_sample

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sim.engine.blocks import Array
    from sim.experiment.exemplar_sample import Rows, Sampled, Sampler
    from sim.experiment.sample import Sample

Teller = Callable[[Any, Any], Any]
DIGITS: Final = 6
OVER_ALL: Final = {
    "seat fairness": "a row of seat_advantage has playouts that a place won or lost",
    "item spread": "a row of item_balance has playouts of one item",
    "value function": "a row of calibration has playouts with a chance of its bin",
}
"""Metrics of all playouts together, and whose rows have playouts to show."""


def refuse(what: str, instead: str) -> NoReturn:
    """Stop because a row is about all playouts together.

    Raises:
        RowError: Always.

    """
    message = f"row: '{what}' is about all playouts together and none is its own; {instead}"
    raise RowError(message)


def of_metric(sampler: Sampler, row: Mapping[str, Any], of_length: Teller) -> Rows:
    """Tell a row of the metrics of a ruleset.

    Args:
        sampler: The plan's setting.
        row: The row.
        of_length: What tells rows about lengths.

    Raises:
        RowError: The metric is one of all playouts together.

    """
    metric, part = str(row["metric"]), str(row["part"])
    if metric in OVER_ALL and (metric, part) != VALUE_FUNCTION[:2]:
        refuse(f"{metric}, {part}", OVER_ALL[metric])
    if metric in ("length", "minutes"):
        rows: Rows = of_length(sampler, row)
        return rows
    sample = sampler.of_variant(row["variant"])
    if metric == "completion":
        return _of_completion(sample, part)
    if metric == "skill share":
        game = sampler.setting.call.game
        chairs = np.asarray(sample.rows["policy"] == game.policy(part).code)
        return won_and_lost(sample, f"{part}, alone among random ones,", chairs)
    if metric == "action gap":
        return _of_gap(sample, part)
    return _of_recorded(sampler, sample, row)


def _of_completion(sample: Sampled, part: str) -> Rows:
    """Show playouts that ended by the rules and that did not, or those that several seats won."""
    if part == "won by several":
        chairs = sample.payoff > 0
        return by_length(sample, part, chairs.sum(axis=-1) > 1, chairs)
    cut = np.argwhere(~sample.is_finished)[:1]
    rows = by_length(sample, part, sample.is_finished, None)
    return [*rows, *(sample.row("stopped by the turn limit", tuple(map(int, one)), None) for one in cut)]


def _recorded(sampler: Sampler, sample: Sampled) -> Sample:
    """Return the recorded playouts of a variant, as the table has them or as many as are sampled."""
    setting = sampler.setting
    n_playouts = min(sampler.n_sample, sampler.plan.recorded_playouts)
    return take_sample(setting.call.game, sample.arm, sample.ruleset, sampler.plan.seed, n_playouts)


def _of_recorded(sampler: Sampler, sample: Sampled, row: Mapping[str, Any]) -> Rows:
    """Show where a metric of recorded playouts is least and most, or where a variant changes it so."""
    key = str(row["metric"]), str(row["part"])
    shown = [sample]
    if row["against"] != UNCOMPARED:
        shown.append(sampler.of_variant(str(row["against"])))
    elif is_comeback(key):
        return comebacks(sample, _rolled(sampler, sample, key))
    says = ", ".join(key) if len(shown) == 1 else f"change of {', '.join(key)}"
    if is_rolled(key):
        return _by_rollouts(sampler, says, key, shown)
    amounts = [_amounts(sampler, one, key) for one in shown]
    return _by_amount(sample, says, *_change(amounts), shown)


def _change(amounts: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Return the amounts of one sample, or how much more they are than those of another, and which have a value."""
    n = min(len(amount) for amount, _ in amounts)
    change = amounts[0][0][:n] - sum(amount[:n] for amount, _ in amounts[1:])
    return change, np.all([is_told[:n] for _, is_told in amounts], axis=0)


def _by_rollouts(sampler: Sampler, says: str, key: tuple[str, str], shown: list[Sampled]) -> Rows:
    """Return the playouts with the middle, the least and the greatest amount, told in worlds that had no part in it."""
    rolled = [_rolled(sampler, one, key) for one in shown]
    amounts = []
    for one in rolled:
        played, playouts = one.course()
        amount, is_told = np.zeros(one.recorded.n_playouts), np.zeros(one.recorded.n_playouts, bool)
        amount[playouts], is_told[playouts] = by_chances(played, key), True
        amounts.append((amount, is_told))
    amount, is_told = _change(amounts)
    chosen = [where[1] for where in three(_spread(shown[0], is_told), _spread(shown[0], amount)).values()]
    checked = [one.checked(chosen, key) for one in rolled]
    for playout in chosen:
        amount[playout] = checked[0][playout] - sum(other[playout] for other in checked[1:])
    is_told[:] = False
    is_told[chosen] = True
    return _by_amount(shown[0], f"{says}, by rollouts", amount, is_told, shown)


def _rolled(sampler: Sampler, sample: Sampled, key: tuple[str, str]) -> Rolled:
    """Return the recorded playouts of a variant, to be rolled out.

    Raises:
        RowError: There are too few playouts to fit chances to.

    """
    recorded = _recorded(sampler, sample)
    if not recorded.can_tell:
        refuse(", ".join(key), "its chances need more playouts than --sample says")
    return Rolled(sampler.setting.call.game, sample.arm, sampler.plan.seed, recorded)


def _by_amount(sample: Sampled, says: str, amount: Array, is_told: Array, shown: list[Sampled]) -> Rows:
    """Return the recorded playouts with the middle, the least and the greatest amount, in each of the samples shown."""
    spread, mask = _spread(sample, amount), _spread(sample, is_told)
    return [
        one.row(f"{says}: {AMOUNTS[kind]}", where, None, amount=round(float(spread[where]), DIGITS))
        for kind, where in three(mask, spread).items()
        for one in shown
    ]


def _spread(sample: Sampled, by_playout: Array) -> Array:
    """Return a value of each recorded playout at the rotation that was recorded, shape (n_rotations, n_sample)."""
    n_rotations, n_sample = sample.rows.shape
    some = by_playout[:n_sample]
    found = np.zeros((n_rotations, n_sample), some.dtype)
    playouts = np.arange(len(some))
    found[playouts % n_rotations, playouts] = some
    return found


def _amounts(sampler: Sampler, sample: Sampled, key: tuple[str, str]) -> tuple[Array, Array]:
    """Return a metric in each recorded playout, and in which it has a value.

    Raises:
        RowError: There are too few playouts to fit chances to.

    """
    recorded = _recorded(sampler, sample)
    for one in story_metrics(sampler.setting.call.game, recorded):
        if (one.name, one.part) == key:
            return one.above / np.where(one.below == 0, 1, one.below), one.below != 0
    if not recorded.can_tell:
        refuse(", ".join(key), "its chances need more playouts than --sample says")
    return recorded.by_playout(by_chances(recorded.course, key)), recorded.is_finished


def _of_gap(sample: Sampled, part: str) -> Rows:
    """Show the sampled decisions whose options differ least and most, and who decides."""
    sampler = sample.sampler
    game = sampler.setting.call.game
    n_playouts = min(MOST_GAPS, sampler.n_sample, sampler.plan.recorded_playouts)
    gaps = sample_gaps(game, sample.arm, sampler.plan.seed, n_playouts)
    what, _, kind = part.partition(", ")
    names = np.array([name.lower() for name in game.decisions])
    some = np.flatnonzero((names[gaps.kind] == kind) | (kind == "all decisions"))
    values = (gaps.action if what.startswith("best") else gaps.policy)[some]
    amount, number = np.zeros(n_playouts), np.zeros(n_playouts, np.int64)
    is_told = np.zeros(n_playouts, bool)
    chairs = np.zeros(sample.payoff.shape, bool)
    for place, value in zip(some, values, strict=True):
        playout = int(gaps.playout[place])
        amount[playout], number[playout], is_told[playout] = value, gaps.number[place], True
        chairs[playout % len(chairs), playout, gaps.seat[place]] = True
    spread = _spread(sample, amount)
    return [
        sample.row(
            f"{what} at decision {int(number[where[1]])}: {AMOUNTS[one]}",
            where,
            chairs,
            amount=round(float(spread[where]), DIGITS),
        )
        for one, where in three(_spread(sample, is_told), spread).items()
    ]


def of_bin(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
    """Tell a bin of the calibration: seats that had such a chance after some turn, and won or did not.

    Raises:
        RowError: There are too few playouts to fit chances to.

    """
    sample = sampler.of_variant(row["variant"])
    recorded = _recorded(sampler, sample)
    if not recorded.can_tell:
        refuse(f"chances from {row['chance_from']:g}", "chances need more playouts than --sample says")
    chances, played = recorded.fit.chances, recorded.course
    is_last = float(row["chance_to"]) >= 1
    has_chance = played.is_in & (chances >= row["chance_from"]) & ((chances < row["chance_to"]) | is_last)
    at_some_turn = np.logical_or.reduceat(has_chance, played.first, axis=0)
    chairs = np.zeros(sample.payoff.shape, bool)
    playouts = np.flatnonzero(recorded.is_finished)
    chairs[playouts % len(chairs), playouts, : recorded.n_seats] = at_some_turn
    who = f"a seat with a chance of {row['chance_from']:g} to {row['chance_to']:g} after some turn"
    return won_and_lost(sample, who, chairs)
