"""From cell to game: for a row of a table, playouts that show what it is about, each with the command that tells it.

The playouts are found by playing a sample again: the first playout numbers of the plan, with its seed, so the same
ones every time. Out of those that fit (a place that won, an item that was dealt to a loser, two variants that ended
differently) stand the one of the middle length, the shortest and the longest; of a metric the middle, the least and
the most.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.components import nearest
from sim.engine.contract import NOBODY
from sim.engine.seating import index_of
from sim.experiment.advice import ADVISED, QUANTITY
from sim.experiment.bands import UNCOMPARED
from sim.experiment.exemplar_items import DEALT_ONLY, banned, is_ban, of_item
from sim.experiment.exemplar_metrics import of_bin, of_metric, refuse
from sim.experiment.exemplar_sample import (
    AMOUNTS,
    TYPICAL,
    RowError,
    Sampled,
    Sampler,
    Side,
    by_length,
    has_item,
    lineup_seats,
    that_differ,
    three,
    won_and_lost,
)
from sim.experiment.quantities import ADVANTAGE, LENGTH, POLICY, SEAT, WIN_SHARE, read
from sim.experiment.tables import places
from sim.statistics.estimate import COLUMNS_OF_ESTIMATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pandas as pd

    from sim.engine.blocks import Array
    from sim.experiment.exemplar_sample import Rows
    from sim.experiment.plan import Plan

__all__ = ["SAMPLE", "RowError", "exemplars", "find_row"]

SAMPLE: Final = 2000
TALLIES: Final = {"flows": "flow", "uses": "uses", "decisions": "decisions", "spaces": ""}


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
    if table == "ruleset_metrics" and "metric" in wanted:
        left = _first_part(left, wanted)
    if len(left) > 1:
        telling = [column for column in columns if left[column].dtype.kind != "f" and len(set(left[column])) > 1]
        options = "; ".join(f"{column}: {', '.join(left[column].map(str).unique()[:8])}" for column in telling[:4])
        message = f"row: {len(left)} rows of {table} fit, expected one; tell them apart by {options}"
        raise RowError(message)
    return {str(key): value for key, value in left.iloc[0].to_dict().items()}


def _first_part(left: pd.DataFrame, wanted: Mapping[str, str]) -> pd.DataFrame:
    """Return the first of the parts of a metric where nothing else is open: its main form, by the best source."""
    plain = left if "against" in wanted else left[left["against"] == UNCOMPARED]
    about = plain[["variant", "profile", "seats", "metric"]].drop_duplicates()
    return plain.iloc[:1] if len(about) == 1 and "part" not in wanted else left


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
    if table not in TELLERS:
        known = ", ".join(TELLERS)
        message = f"table: found '{table}', expected one whose rows are about playouts: {known}"
        raise RowError(message + nearest(table, list(TELLERS)))
    return TELLERS[table](Sampler(plan, row, n_sample), row)


def _of_seat(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
    sample = sampler.of_variant(row["variant"])
    seat = int(row["seat"])
    return won_and_lost(sample, f"seat {seat} of the line-up", lineup_seats(sample) == index_of(seat))


def _of_order(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
    sample = sampler.of_variant(row["variant"])
    place = int(row["place"])
    return won_and_lost(sample, f"place {place}", np.asarray(sample.rows["order"] == index_of(place)))


def _of_policy(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
    sample = sampler.of_variant(row["variant"])
    return won_and_lost(sample, row["policy"], _has_policy(sample, row["policy"]))


def _has_policy(sample: Sampled, name: str) -> Array:
    code = sample.sampler.setting.call.game.policy(name).code
    return np.asarray((sample.rows["policy"] == code) & (sample.rows["order"] != NOBODY))


def _of_length(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
    sample = sampler.of_variant(row["variant"])
    rows = by_length(sample, "a playout", sample.is_finished, None)
    cut = np.argwhere(~sample.is_finished)[:1]
    return [*rows, *(sample.row("stopped by the turn limit", (int(one[0]), int(one[1])), None) for one in cut)]


def _of_metric(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
    return of_metric(sampler, row, _of_length)


def _of_stop(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
    """Show what a profile plays that was played until its numbers were sure enough, and its last playout."""
    base = sampler.base
    last = replace(base, first=int(row["stopped_at"]) - 1, most=1)
    rows = by_length(base, "a playout of the baseline", base.is_finished, None)
    return [*rows, last.row("the last playout before it stopped", (0, 0), None)]


def _of_count(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
    sample = sampler.of_variant(row["variant"])
    counts = sample.rows[row["count"]].sum(axis=-1)
    reached = np.asarray(counts >= int(row["at_least"]))
    what = f"{row['at_least']} {row['count']} or more"
    counted = np.asarray(sample.rows[row["count"]] > 0)
    return [
        *by_length(sample, what, reached, counted),
        *by_length(sample, f"less than {row['at_least']} {row['count']}", ~reached, None, (TYPICAL,)),
    ]


def _of_item(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
    """Tell an item's row; a ban is told as the variant that it is."""
    if is_ban(row):
        return _that_compare(banned(sampler, row), sampler.base, str(row["quantity"]))
    return of_item(sampler, row)


def _of_comparison(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
    """Tell a paired lift: playouts that the two variants end differently."""
    sample, base = sampler.of_variant(row["variant"]), sampler.of_variant(row["baseline"])
    return _that_compare(sample, base, str(row["quantity"]))


def _of_claim(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
    """Tell a claim over all profiles, in the profile where it is largest."""
    quantity = str(row["quantity"])
    if read(quantity).what == ADVANTAGE:
        return _of_order(sampler, {**row, "place": read(quantity).of})
    if quantity == QUANTITY:
        return _of_advice(sampler, row)
    return _of_comparison(sampler, row)


def _of_advice(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
    """Tell what following a piece of advice did: playouts in which the seat wins more, or less, than against it."""
    follows, against = sampler.advised(row["variant"])
    chairs = np.asarray(lineup_seats(follows) == ADVISED)
    return _that_pair("following the advice wins", follows, against, (chairs, chairs))


def _that_compare(sample: Sampled, base: Sampled, quantity: str) -> Rows:
    """Return pairs of exemplars that two samples end differently, by what is compared."""
    kind, by, name = read(quantity)
    if kind == LENGTH:
        return _that_lengthen(sample, base)
    what = f"{sample.variant} gives"
    if kind in {"share when dealt", DEALT_ONLY}:
        chairs = has_item(base, base.sampler.item(name), "dealt")
        return _that_pair(f"{what} who was dealt {name}", sample, base, (chairs, chairs))
    if kind != WIN_SHARE:
        refuse(quantity, "rows about a win share, a length or an item's share have playouts")
    ours, theirs = (_chairs_of(one, by, name) for one in (sample, base))
    return _that_pair(f"{what} {by} {name}", sample, base, (ours, theirs))


def _that_pair(what: str, sample: Sampled, base: Sampled, chairs: tuple[Array, Array]) -> Rows:
    """Return pairs of exemplars in which chairs win more, and less, in `sample` than in `base`."""
    ours, theirs = chairs
    return that_differ(what, [[Side(sample, ours), Side(base, theirs, -1)]])


def _chairs_of(sample: Sampled, kind: str, place: str) -> Array:
    if kind == POLICY:
        return _has_policy(sample, place)
    seats = lineup_seats(sample) if kind == SEAT else sample.rows["order"]
    return np.asarray(seats == index_of(int(place)))


def _that_lengthen(sample: Sampled, base: Sampled) -> Rows:
    """Return pairs of exemplars by how much longer the variant takes."""
    change = sample.rows["length_turns"].astype(np.int64) - base.rows["length_turns"]
    titles = {
        "typical": "the middle change",
        "shortest": "the largest shortening",
        "longest": "the largest lengthening",
    }
    rows: Rows = []
    for kind, where in three(sample.is_finished & base.is_finished, change).items():
        turns = f"{titles[kind]}, {change[where]:+d} turns"
        rows += [one.row(turns, where, None) for one in (sample, base)]
    return rows


def _of_tally(table: str) -> Callable[[Sampler, Mapping[str, Any]], Rows]:
    """Return what tells the rows of a table of tallies."""

    def tell(sampler: Sampler, row: Mapping[str, Any]) -> Rows:
        sample = sampler.of_variant(row["variant"])
        name = TALLIES[table] or str(row["quantity"])
        place = next(
            where
            for where, about in places(sampler.setting, name, row["variant"])
            if all(str(row[key]) == str(value) for key, value in about.items())
        )
        amount = sample.tallied(name, place)
        chosen = three(sample.is_finished, amount)
        return [sample.row(AMOUNTS[kind], where, None, amount=int(amount[where])) for kind, where in chosen.items()]

    return tell


TELLERS: Final[dict[str, Callable[[Sampler, Mapping[str, Any]], Rows]]] = {
    "win_share": _of_seat,
    "policy_share": _of_policy,
    "seat_advantage": _of_order,
    "length": _of_length,
    "comparisons": _of_comparison,
    "claims": _of_claim,
    "advice": _of_advice,
    "stops": _of_stop,
    "item_balance": _of_item,
    "item_summary": _of_item,
    "item_share": _of_item,
    "counts": _of_count,
    "ruleset_metrics": _of_metric,
    "calibration": of_bin,
    **{table: _of_tally(table) for table in TALLIES},
}
