"""Metrics of a whole ruleset, one row each for every variant and profile; changes against the baseline are paired.

P is the number of seats, L the length of a playout in turns, w_i the win share of place i in turn order, V_i(t) the
chance of seat i after turn t. Those marked V need chances; they and those marked * come from a sample of recorded
playouts (`metric_playouts`), the others from all. Chances come from rollouts of every position of some of them
(8 of 100, `sim.engine.rollouts`), joined with value functions that were fitted to other playouts
(`sim.experiment.course_metrics`). Rows `..., by V` are by value functions alone, rows `..., V less rollouts` say what
these are off by: calibration does not (a duel of four seats has a drama of .098, by a V of perfect calibration .081).
With fewer than 250 recorded playouts there are no rollouts, and the rows are by V. Errors hold that of the fitted value
functions, by leaving out a twentieth of the playouts at a time from fits, rollouts and metrics alike, and what finitely
many rollouts may be off by; the column `note` says where a row is from and what is in no error.

In a minute of one core: 2,000 recorded playouts of flip with 160 of them rolled out take some 17 s of it, of which
rollouts of courses and choices take half; two cores share them.

| metric | formula |
| --- | --- |
| seat fairness | `D = max |w_i - 1/P|` beside what it is on average and at 95 % in a fair game (the noise floor); `Q = sum (w_i - 1/P)^2` without its noise; Ludii's balance `1 - max |w_i - w_j|`; chi-square test; `exp(-sum w ln w)` effective seats |
| item spread | tau: standard deviation of the true deal lifts of a family; Gini of the shares of who was dealt each item |
| length, minutes | mean, standard deviation, mean logarithm and quantiles of L; L times an assumed range of minutes |
| completion | share of playouts that ended by the rules; share of them that several seats won |
| idle time * | share of the playout that a seat sits out after it fell; the same of who fell first |
| lead changes V | how often the set of seats with the largest V changes, the winners at the end included; the same per turn |
| drama V | mean over t of `max_j V_j(t) - V_winner(t)` |
| comeback V | win share of the seat, still in, with the lowest V at half time; `1 - corr(rank by V at half time, final rank)` |
| decisiveness V | largest V that somebody reached who did not win; `(L - t)/L` for the first t from which on V of the winner stays at .8 or more |
| stability V | variance of V_i over the turns, mean over seats |
| uncertainty V | mean over t of the entropy of V in units of ln P |
| runaway leader V | slope of logit V(t + P) on logit V(t) |
| interaction * | resource lost in others' doing over all lost; such losses per turn |
| decision density * | share of turns in which somebody has a choice; mean logarithm of the number of options |
| action gap * | `V(best) - V(random)` and `V(chosen) - V(random)` of a decision, by rollouts (`choices`); the best is never worth less than the chosen one |
| drift * | change of the first resource of all seats per round of n turns, by source and n seats alive |
| skill share | `(w - 1/P) / (1 - 1/P)` for the best built-in policy alone among random ones, found and judged on other playouts |

Source: section 3 of the method, after Ludii (lead change, drama, decisiveness threshold, stability, balance), Browne
and Maire (2010), Jaffe et al. (2012).
"""  # noqa: E501  (a table)

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.blocks import Arm, play_rows
from sim.engine.contract import DEALT, RANDOM_POLICY, WHOLE_WIN, Termination
from sim.engine.lineup import rotations
from sim.engine.totals import finished
from sim.experiment.bands import UNCOMPARED
from sim.experiment.choices import MOST_OPTIONS, N_JUDGED, Gaps, sample_gaps
from sim.experiment.course_metrics import CourseMetric, course_metrics, roll_course
from sim.experiment.intervention_tables import deal_lifts
from sim.experiment.item_tables import share_of
from sim.experiment.sample import Meter, Sample, take_sample
from sim.experiment.verdicts import LEVEL, POINTS, is_cut_short, row_of
from sim.statistics import spread
from sim.statistics.balance import (
    SeatSums,
    fairness_test,
    largest_deviation,
    seat_score,
)
from sim.statistics.estimate import Estimate, SampleSums, mean, wilson
from sim.statistics.items import item_spread_estimate
from sim.statistics.sampled import difference_of_ratios, jackknife, mean_of, ratio_of_sums
from sim.statistics.values import N_LEFT_OUT, Bin, calibration, calibration_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sim.engine.blocks import Played
    from sim.engine.contract import Game
    from sim.engine.moments import Totals
    from sim.experiment.arms import Setting
    from sim.experiment.plan import Plan

FEWEST: Final = 2
MOST_GAPS: Final = 600
FEWEST_OF_KIND: Final = 30
SKILL_PLAYOUTS: Final = 1_000
WORK_OF_FIT: Final = 1
WORK_OF_LEFT_OUT: Final = 2
WORK_OF_ROLLOUTS: Final = 10
WORK_OF_METRICS: Final = 20
"""How often the playouts of a sample could be recorded while value functions are fitted to it, while groups are left
out, while positions are rolled out, and while all of its metrics are told; of 2,000 playouts of flip on two busy cores,
2026-12-01."""
QUANTILES: Final = (0.05, 0.5, 0.95)
DIGITS: Final = 8  # what sums of real numbers agree on, on any machine, with room to spare
SKILL_PROFILE: Final = "one against random"
ALL_SOURCES: Final = "all sources"
PER_TURN: Final = "per turn"

Array = np.ndarray[Any, Any]
Rows = list[dict[str, Any]]
LUCK: Final = "luck alone makes it more than 0"
KNOWN: Final = "no estimate: what luck does in a fair game of as many playouts, worked out"
OF_A_TEST: Final = "no estimate: how likely luck alone is to look so unfair in a fair game"
BEST_NOTE: Final = (
    f"the best of at most {MOST_OPTIONS} drawn options; error holds what {N_JUDGED} rollouts of an option may be off by"
)


@dataclass(frozen=True)
class Metric:
    """A metric of recorded playouts: a ratio of sums over playouts.

    Attributes:
        name: What it measures.
        part: Which of several forms it is.
        unit: Its unit.
        above: What each playout adds above the line, shape (n_playouts,).
        below: What each adds below, shape (n_playouts,).
        note: What its error does not hold.

    """

    name: str
    part: str
    unit: str
    above: Array
    below: Array
    note: str = ""

    @property
    def is_told(self) -> bool:
        """Whether playouts enough contribute."""
        return int(np.count_nonzero(self.below)) >= FEWEST

    def goes_with(self, other: Told) -> bool:
        """Tell whether another metric is of the same playouts."""
        return isinstance(other, Metric) and len(other.above) == len(self.above)

    def estimate(self) -> Estimate:
        """Return the metric with its error."""
        return ratio_of_sums(self.above, self.below)

    def change_from(self, other: Any) -> Estimate:
        """Return the paired change from the same metric of other rules over the same playouts."""
        return difference_of_ratios((self.above, self.below), (other.above, other.below))


Told = Metric | CourseMetric


def metric_rows(plan: Plan, setting: Setting, outcome: Played, meter: Meter) -> dict[str, Rows]:
    """Return the rows of `ruleset_metrics` and `calibration` of one setting.

    Args:
        plan: The plan.
        setting: The setting.
        outcome: Totals of all its arms.
        meter: Takes note of how far it is.

    """
    rows: dict[str, Rows] = {"ruleset_metrics": [], "calibration": []}
    n_playouts = plan.recorded_playouts
    if not n_playouts:
        return rows
    game = setting.call.game
    by_name = {arm.name: arm for arm in setting.call.arms}
    baseline: list[Told] = []
    for variant in plan.variants:
        labels = {"variant": variant.name, **setting.labels}
        arm, totals = by_name[variant.name], outcome.arms.get(variant.name, {})
        table = _Table(labels)
        if totals and int(totals["n_finished"]) >= FEWEST:
            _whole_metrics(table, plan, setting, totals)
        with meter.stage(WORK_OF_METRICS * n_playouts):
            sample = take_sample(game, arm, setting.rulesets[variant.name], plan.seed, n_playouts, meter)
            metrics: list[Told] = [*story_metrics(game, sample), *_course_metrics(game, arm, plan.seed, sample, meter)]
            table.add_metrics(metrics, baseline, plan.variants[0].name)
            baseline = baseline or metrics
            if sample.can_tell:
                rows["calibration"] += _value_metrics(table, sample)
            _gap_metrics(table, sample_gaps(game, arm, plan.seed, min(MOST_GAPS, n_playouts), meter.look), game)
            if setting.profile.name == plan.profiles[0].name:
                _skill_metrics(table, game, arm, plan.seed, min(SKILL_PLAYOUTS, n_playouts))
        rows["ruleset_metrics"] += table.rows
    return rows


@dataclass(frozen=True)
class _Table:
    """Rows of one variant under one profile."""

    labels: dict[str, Any]
    rows: Rows = field(default_factory=list)

    def add(
        self,
        metric: str,
        part: str,
        unit: str,
        value: Estimate | float,
        n_playouts: int = 0,
        against: str = UNCOMPARED,
        note: str = "",
    ) -> None:
        """Add a row; a number without an error has no interval."""
        about = {**self.labels, "metric": metric, "part": part, "unit": unit, "against": against}
        if isinstance(value, Estimate):
            told = row_of(value, value.n_playouts, value.level)
        else:
            told = {**row_of(None, n_playouts), "value": value}
        self.rows.append({**about, **rounded(told), "note": note})

    def add_metrics(self, metrics: Sequence[Told], baseline: Sequence[Told], base: str) -> None:
        """Add metrics of recorded playouts, each with its paired change against the baseline."""
        before = {(one.name, one.part): one for one in baseline if one.is_told}
        for one in metrics:
            if one.is_told:
                self.add(one.name, one.part, one.unit, one.estimate(), note=one.note)
                other = before.get((one.name, one.part))
                if other is not None and one.goes_with(other):
                    self.add(one.name, one.part, one.unit, one.change_from(other), against=base, note=one.note)


def rounded(told: dict[str, Any]) -> dict[str, Any]:
    """Return a row with so many digits of its largest number as are the same on any machine."""
    real = [abs(number) for number in told.values() if isinstance(number, float) and math.isfinite(number)]
    largest = max(real, default=0.0)
    if largest == 0:
        return told
    digits = DIGITS - 1 - math.floor(math.log10(largest))
    return {key: round(number, digits) if isinstance(number, float) else number for key, number in told.items()}


def _whole_metrics(table: _Table, plan: Plan, setting: Setting, totals: Totals) -> None:
    """Add what the totals of all playouts tell: fairness, items, length, completion."""
    n = int(totals["n_finished"])
    _fairness_metrics(table, setting, totals)
    for family in setting.call.game.families:
        if DEALT in family.under(setting.rulesets[table.labels["variant"]].rules).acquired:
            lifts = deal_lifts(family, totals)
            if len(lifts) >= FEWEST:
                table.add("item spread", f"tau of {family.name}", "points", item_spread_estimate(lifts).scaled(POINTS))
            shares = [share_of(moments, n, LEVEL) for moments in totals[f"dealt_{family.name}"]]
            told = [share for share in shares if share is not None]
            if len(told) >= FEWEST:
                found = spread.gini_estimate(told, n)
                table.add("item spread", f"Gini of {family.name}", "0 equal, 1 unequal", found, note=LUCK)
    _length_metrics(table, plan, setting, totals)


def _fairness_metrics(table: _Table, setting: Setting, totals: Totals) -> None:
    """Add how fair the places in turn order are, in several forms."""
    n, n_seats = int(totals["n_finished"]), setting.seats
    sums, squares = totals["payoff_by_order"][:, :n_seats]
    products = totals["order_products"][:n_seats, :n_seats] + np.diag(squares)
    seats = SeatSums(n, tuple(sums), tuple(map(tuple, products)), WHOLE_WIN * setting.n_rotations)
    largest, test = largest_deviation(seats), fairness_test(seats)
    add = partial(table.add, "seat fairness", n_playouts=n)
    add("largest advantage", "points", spread.largest_advantage(seats).scaled(POINTS))
    add("noise floor, mean", "points", POINTS * largest.noise_mean, note=KNOWN)
    add("noise floor, 95 %", "points", POINTS * largest.noise_limit, note=KNOWN)
    add("chi-square, p", "probability", test.p_value, note=OF_A_TEST)
    add("sum of squared advantages", "squared proportion", seat_score(seats))
    add("Ludii balance", "1 fair", spread.share_balance(seats))
    add("effective seats", "seats", spread.effective_seats_estimate(seats))
    add("entropy ratio", "1 fair", spread.entropy_ratio_estimate(seats))


def _length_metrics(table: _Table, plan: Plan, setting: Setting, totals: Totals) -> None:
    """Add length in turns and in minutes, and how playouts end."""
    n, n_finished, n_rows = (int(totals[name]) for name in ("n_playouts", "n_finished", "n_rows"))
    table.add("completion", "ended by the rules", "share", wilson(n_finished, n))
    drawn = int(totals["terminations"][Termination.DRAWN])
    table.add("completion", "won by several", "share", wilson(round(drawn * n / n_rows), n))
    if is_cut_short(n - n_finished, n):
        return
    total, square = (int(number) for number in totals["length"])
    length = mean(SampleSums(n, total, square, setting.n_rotations))
    counts = np.asarray(totals["length_of"], np.float64)
    lengths = spread.Histogram(counts, n)
    alone = lengths.standard_deviation().value / math.sqrt(counts.sum())  # the error of the mean of rows on their own
    if alone > 0:
        lengths = replace(lengths, design=(length.mcse / alone) ** 2)
    table.add("length", "mean", "turns", length)
    table.add("length", "standard deviation", "turns", lengths.standard_deviation())
    table.add("length", "mean logarithm", "ln turns", lengths.mean_logarithm())
    points = {part: lengths.quantile(part) for part in QUANTILES}
    for part, found in points.items():
        table.add("length", f"quantile {part:g}", "turns", found)
    for minutes in plan.minutes_per_turn:
        at = f"at {minutes:g} minutes a turn (assumed)"
        table.add("minutes", f"mean {at}", "minutes", length.scaled(minutes))
        for part, found in points.items():
            table.add("minutes", f"quantile {part:g} {at}", "minutes", found.scaled(minutes))


def story_metrics(game: Game, sample: Sample) -> Iterator[Metric]:
    """Yield what the events tell without chances: idle time, interaction, density of decisions, drift."""
    positions, happened = sample.positions, sample.happened
    done = sample.is_finished.astype(np.float64)
    is_open = positions.is_open
    where = positions.playout[is_open]
    out = ~positions.alive[is_open]
    length = np.maximum(1, positions.length)
    idle = np.bincount(where, out.mean(axis=1), sample.n_playouts) / length
    longest = np.bincount(where, out.any(axis=1), sample.n_playouts) / length
    if game.story is not None and game.story.fall:
        yield Metric("idle time", "mean of all seats", "share of the playout", idle * done, done)
        yield Metric("idle time", "who fell first", "share of the playout", longest * done, done)
    turns = happened.turns.sum(axis=1)
    if game.story is not None and game.story.change:
        yield Metric("interaction", "lost by others' doing", "share", happened.lost_to_others, happened.lost)
        yield Metric("interaction", "attacks", PER_TURN, happened.attacks, turns)
        yield from _drift_metrics(game, sample)
    yield Metric("decision density", "turns with a choice", "share", happened.turns_with_choice, turns)
    yield Metric("decision density", "decisions", PER_TURN, happened.decisions, turns)
    yield Metric("decision density", "options", "ln options", happened.log_options, happened.decisions)


def _drift_metrics(game: Game, sample: Sample) -> Iterator[Metric]:
    """Yield the change of the first resource per round, by source and by seats alive."""
    happened, what = sample.happened, f"{game.resources[0]} drift"
    for n_alive in range(sample.n_seats, 1, -1):
        turns = happened.turns[:, n_alive]
        by_source = happened.drift[:, :, n_alive]
        told = {ALL_SOURCES: by_source.sum(axis=1)} | dict(zip(game.sources, by_source.T, strict=False))
        for source, moved in told.items():
            if source == ALL_SOURCES or moved.any():
                yield Metric(what, f"{source}, {n_alive} alive", "per round", n_alive * moved, turns)


def _course_metrics(game: Game, arm: Arm, seed: int, sample: Sample, meter: Meter) -> Iterator[CourseMetric]:
    """Yield the metrics that take chances to win, if there are playouts enough to tell them."""
    if sample.can_tell:
        each = WORK_OF_LEFT_OUT * sample.n_playouts / N_LEFT_OUT
        played = sample.course
        meter.add(WORK_OF_FIT * sample.n_playouts)
        rolled = roll_course(game, arm, seed, sample, meter, WORK_OF_ROLLOUTS * sample.n_playouts)
        finished_ones = np.flatnonzero(sample.is_finished)
        yield from course_metrics(played, sample.fit, finished_ones, rolled, lambda: meter.add(each))


def _value_metrics(table: _Table, sample: Sample) -> Rows:
    """Add how far the chances are off; return the calibration table."""
    played = sample.course
    bins = calibration(played.chances, played.is_in, played.payoff[played.playout], played.playout)

    def error_of(kept: Array) -> float:
        some = kept[played.playout]
        where = played.playout[some]
        return calibration_error(calibration(played.chances[some], played.is_in[some], played.payoff[where], where))

    found = jackknife(error_of, int(sample.is_finished.sum()), n_groups=N_LEFT_OUT)
    table.add("value function", "calibration error", "chance", found, note=LUCK)
    return [_bin_row(table.labels, one) for one in bins]


def _bin_row(labels: dict[str, Any], one: Bin) -> dict[str, Any]:
    """Return a row of the calibration table: the chance that was told, and the share of the win that came of it."""
    told = {"chance_from": one.lower, "chance_to": one.upper, "predicted": one.predicted, "n_chances": one.n_chances}
    return {**labels, **rounded({**told, **one.observed.as_row()})}


def _gap_metrics(table: _Table, gaps: Gaps, game: Game) -> None:
    """Add whether choices matter, all together and by kind."""
    kinds = {"all decisions": np.ones(len(gaps.kind), bool)}
    kinds |= {name.lower(): gaps.kind == number for number, name in enumerate(game.decisions)}
    for name, some in kinds.items():
        if int(some.sum()) >= (FEWEST_OF_KIND if name != "all decisions" else FEWEST):
            best, chosen = (one(some).scaled(POINTS) for one in (gaps.best_over_random, gaps.chosen_over_random))
            table.add("action gap", f"best over random, {name}", "points", best, note=BEST_NOTE)
            table.add("action gap", f"chosen over random, {name}", "points", chosen)


def _skill_metrics(table: _Table, game: Game, arm: Arm, seed: int, n_playouts: int) -> None:
    """Add the skill share of the best built-in policy: found on half of the playouts, judged on the other half."""
    n_seats = len(arm.lineup)
    random = next(policy for policy in game.policies if policy.code == RANDOM_POLICY)
    others = [policy for policy in game.usual_policies if policy.code != RANDOM_POLICY]
    if not others:
        return
    shares = {}
    for one in others:
        alone = replace(arm, lineup=(one, *[random] * (n_seats - 1)))
        shares[one.name] = _shares_alone(game, alone, seed, n_playouts)
    half = n_playouts // 2
    best = max(shares, key=lambda name: float(shares[name][:half].mean()))
    found = mean_of(shares[best][half:]).shifted(-1 / n_seats).scaled(1 / (1 - 1 / n_seats))
    other = _Table({**table.labels, "profile": SKILL_PROFILE}, table.rows)
    other.add("skill share", best, "0 luck, 1 skill", found)


def _shares_alone(game: Game, arm: Arm, seed: int, n_playouts: int) -> Array:
    """Return the win share of the first policy of a line-up in each playout, over all of its rotations."""
    rows, _ = play_rows(game, arm, seed, 0, n_playouts)
    chairs = [turned.index(arm.lineup[0]) for turned in rotations(arm.lineup)]
    payoff = np.stack([rows["payoff"][rotation, :, chair] for rotation, chair in enumerate(chairs)])
    return np.asarray(np.where(finished(rows), payoff.mean(axis=0) / WHOLE_WIN, 0.0))
