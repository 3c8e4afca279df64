"""The answer in one sentence: composed from the tables, never written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pandas as pd

    from sim.experiment.plan import Plan

Tables = dict[str, "pd.DataFrame"]
PERCENT: Final = 100


def answer(plan: Plan, tables: Tables) -> str:
    """Return the answer that the plan asks for.

    Args:
        plan: The plan, whose `answer` says what the sentence is about.
        tables: The tables of its result.

    """
    if not tables or tables["win_share"].empty:
        return "Nothing was finished, so there is no answer."
    if plan.answer.kind == "item" and "item_balance" in tables:
        return _about_item(plan, tables)
    if plan.answer.kind == "order":
        return _about_order(tables)
    if plan.answer.kind == "count" and "counts" in tables:
        return _about_count(plan, tables)
    return _about_shares(tables)


def _span(frame: pd.DataFrame) -> str:
    """Return the range of values with the outermost interval ends."""
    low, high = frame["value"].min(), frame["value"].max()
    return (
        f"{low:+.1f} to {high:+.1f} points "
        f"(intervals within {frame['lower'].min():+.1f} to {frame['upper'].max():+.1f})"
    )


def _about_item(plan: Plan, tables: Tables) -> str:
    """Tell an item's strength against a blank, whether all profiles agree, and what each variant does to it."""
    frame = tables["item_balance"]
    name = plan.answer.item
    mine = frame[(frame["item"] == name) & (frame["estimand"] == "grant lift")]
    if mine.empty:
        return _about_shares(tables)
    n_profiles = mine["profile"].nunique()
    too_strong = int((mine["lower"] > plan.margin).sum())
    told = (
        f"Holding {name} from the start instead of a blank card is worth {_span(mine)} of win share over {n_profiles} "
        f"policy profiles, clearly more than the margin of {plan.margin:g} points in {too_strong} of them"
    )
    changed = _changes_of_lift(tables, name)
    return f"{told}; {changed}." if changed else f"{told}."


def _changes_of_lift(tables: Tables, item: str) -> str:
    """Return how each variant changes the deal lift of an item, as ranges over profiles."""
    if "comparisons" not in tables:
        return ""
    frame = tables["comparisons"]
    mine = frame[frame["quantity"] == f"deal lift, {item}"]
    parts = [
        f"{variant} moves its deal lift by {group['value'].min():+.1f} to {group['value'].max():+.1f}"
        for variant, group in mine.groupby("variant", sort=False)
    ]
    return "; ".join(parts)


def _about_order(tables: Tables) -> str:
    """Tell the advantage of starting, by variant, as a range over profiles."""
    frame = tables["seat_advantage"]
    first = frame[frame["order"] == 0]
    parts = [
        f"{variant} at {seats} seats: {_span(group)}"
        for (variant, seats), group in first.groupby(["variant", "seats"], sort=False)
    ]
    n_profiles = first["profile"].nunique()
    return f"The first player's win share against a fair share, over {n_profiles} policy profiles: {'; '.join(parts)}."


def _about_count(plan: Plan, tables: Tables) -> str:
    """Tell how often a counted number is reached, by variant."""
    frame = tables["counts"]
    reached = frame[(frame["count"] == plan.answer.count) & (frame["at_least"] == plan.answer.at_least)]
    parts = [
        f"{variant}: {PERCENT * group['value'].min():.1f} to {PERCENT * group['value'].max():.1f} % "
        f"(intervals within {PERCENT * group['lower'].min():.1f} to {PERCENT * group['upper'].max():.1f})"
        for variant, group in reached.groupby("variant", sort=False)
    ]
    what = plan.answer.count.replace("_", " ")
    return f"Playouts with at least {plan.answer.at_least} {what}, over policy profiles: {'; '.join(parts)}."


def _about_shares(tables: Tables) -> str:
    """Tell the widest seat share of the baseline and the mean length."""
    frame = tables["win_share"]
    base = frame[frame["variant"] == frame["variant"].iloc[0]]
    top = base.loc[base["value"].idxmax()]
    length = tables["length"].iloc[0]
    told = (
        f"Seat {top['seat']} ({top['policy']}) wins the largest share, {PERCENT * top['value']:.2f} % "
        f"[{PERCENT * top['lower']:.2f}, {PERCENT * top['upper']:.2f}]; "
        f"a playout takes {length['value']:.1f} turns on average"
    )
    if "comparisons" not in tables:
        return f"{told}."
    changed = tables["comparisons"]
    shares = changed[changed["quantity"].str.startswith("win share, seat")]
    most = shares.loc[shares["value"].abs().idxmax()]
    return (
        f"{told}; {most['variant']} changes a seat's share most by {most['value']:+.2f} points "
        f"[{most['lower']:+.2f}, {most['upper']:+.2f}] ({most['quantity']}, profile {most['profile']})."
    )
