"""The answer in one sentence: what, how much, how sure, under which policies; composed from the tables alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sim import games
from sim.experiment.arms import items_of
from sim.experiment.item_tables import ABLATION_LIFT, GRANT_LIFT

if TYPE_CHECKING:
    import pandas as pd

    from sim.experiment.plan import Plan

Tables = dict[str, "pd.DataFrame"]
PERCENT: Final = 100
NOTHING: Final = "Nothing was finished, so there is no answer."
UNANSWERED: Final = "The plan asks for no table that its answer could be told from."
NEEDED: Final = {
    "item": "item_summary",
    "order": "seat_advantage",
    "count": "counts",
    "length": "length",
    "win_share": "win_share",
}


def answer(plan: Plan, tables: Tables) -> str:
    """Return the answer that the plan asks for.

    Args:
        plan: The plan, whose `answer` says what the sentence is about.
        tables: The tables of its result.

    """
    if not tables:
        return NOTHING
    if NEEDED[plan.answer.kind] not in tables:
        return UNANSWERED if plan.estimands is not None else NOTHING
    tellers = {
        "item": _about_item,
        "order": _about_order,
        "count": _about_count,
        "length": _about_length,
        "win_share": _about_shares,
    }
    told = tellers[plan.answer.kind](plan, tables)
    return f"{told[:1].upper()}{told[1:]} ({_basis(plan)})."


def _basis(plan: Plan) -> str:
    """Return under which policies and from how many playouts an answer is told."""
    names = [profile.name for profile in plan.profiles]
    profiles = f"policy profiles {', '.join(names)}" if len(names) > 1 else f"policy profile {names[0]}"
    counts = f"{plan.baseline_playouts:,} playouts of the baseline"
    if len(plan.variants) > 1 or plan.items != "none":
        counts += f" and {min(plan.paired_playouts, plan.baseline_playouts):,} paired ones of each arm"
    each = " per profile" if len(names) > 1 else ""
    return f"{profiles}; {counts}{each}; 95 % intervals; seed {plan.seed}"


def _says(plan: Plan, variant: str) -> str:
    """Return what a variant is, in words."""
    says = {one.name: one.says for one in plan.variants}.get(variant, "")
    return f"'{says}'" if says else variant.replace("_", " ")


def _at_seats(plan: Plan, seats: int) -> str:
    return f"at {seats} seats " if len(plan.seat_counts) > 1 else ""


def _range(low: float, high: float, unit: str, sign: str = "+") -> str:
    """Return a range of values, or the one value if both ends read the same."""
    ends = [f"{low:{sign}.1f}", f"{high:{sign}.1f}"]
    return f"{ends[0]}{unit}" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}{unit}"


def _span(frame: pd.DataFrame, unit: str = " points", factor: float = 1, sign: str = "+") -> str:
    """Return the range of values with the outermost ends of their intervals."""
    low, high = factor * frame["value"].min(), factor * frame["value"].max()
    ends = _range(factor * frame["lower"].min(), factor * frame["upper"].max(), "", sign)
    return f"{_range(low, high, unit, sign)} [{ends}]"


def _title(plan: Plan, name: str) -> str:
    """Return what the component table calls an item."""
    game = games.get(plan.game)
    components = game.load()
    found = items_of(game, components, components.resolve(plan.variants[0].changes), [name])
    return found[0].title if found else name


def _about_item(plan: Plan, tables: Tables) -> str:
    """Tell an item's strength against a blank, whether all profiles agree, and what each variant does to it."""
    summary, name = tables["item_summary"], plan.answer.item
    base = plan.variants[0].name
    mine = summary[(summary["item"] == name) & (summary["variant"] == base)]
    parts = []
    for seats in plan.seat_counts:
        here = mine[mine["seats"] == seats]
        strong = here[here["estimand"] == GRANT_LIFT]
        if not strong.empty:
            parts.append(f"{_at_seats(plan, seats)}{_strength(plan, tables, strong.iloc[0])}")
    if not parts:
        return NOTHING
    told = f"{_title(plan, name)} instead of a blank card changes its holder's win share {'; '.join(parts)}"
    changed = _changes_of_item(plan, tables, name)
    return f"{told}; {changed}" if changed else told


def _strength(plan: Plan, tables: Tables, row: pd.Series) -> str:
    """Return an item's grant lift over the profiles, with its verdict."""
    frame = tables.get("item_balance")
    if frame is None:
        return f"by {_range(row['smallest'], row['largest'], ' points')}, {row['verdict']}"
    same = (frame["item"] == row["item"]) & (frame["estimand"] == GRANT_LIFT)
    mine = frame[same & (frame["variant"] == row["variant"]) & (frame["seats"] == row["seats"])]
    n_over = int((mine["lower"] > plan.margin).sum())
    least, most = row["smallest_in"], row["largest_in"]
    where = f" (least for {least}, most for {most})" if len(mine) > 1 else ""
    many = f"above the margin of {plan.margin:g} points in {n_over} of {len(mine)} profiles"
    judged = row["verdict"] if len(mine) == 1 else f"{row['verdict']}, its sign {row['sign']} over the profiles"
    return f"by {_span(mine)}{where}, {many}: {judged}"


def _changes_of_item(plan: Plan, tables: Tables, name: str) -> str:
    """Return what each variant leaves of an item's strength or how it moves its holder's share, over the profiles."""
    summary, compared = tables["item_summary"], tables.get("comparisons")
    parts = []
    for variant in plan.variants[1:]:
        kept = summary[
            (summary["item"] == name) & (summary["variant"] == variant.name) & (summary["estimand"] == ABLATION_LIFT)
        ]
        if not kept.empty:
            rest = _range(kept["smallest"].min(), kept["largest"].max(), " points")
            parts.append(f"{_says(plan, variant.name)} leaves {rest}")
        elif compared is not None:
            same = (compared["variant"] == variant.name) & (compared["quantity"] == f"share when dealt, {name}")
            if same.any():
                parts.append(f"{_says(plan, variant.name)} moves the holder's share by {_span(compared[same])}")
    return "; ".join(parts)


def _about_order(plan: Plan, tables: Tables) -> str:
    """Tell the advantage of starting, by variant, as a range over profiles."""
    frame = tables["seat_advantage"]
    first = frame[frame["order"] == 0]
    parts = [
        f"{_at_seats(plan, seats)}{_span(group)} under {_says(plan, variant)}"
        for (variant, seats), group in first.groupby(["variant", "seats"], sort=False)
    ]
    return f"who starts wins more than a fair share by {'; '.join(parts)}"


def _about_count(plan: Plan, tables: Tables) -> str:
    """Tell how often a counted number is reached, by variant."""
    frame, asked = tables["counts"], plan.answer
    mine = frame[frame["count"] == asked.count]
    reached = mine[mine["at_least"] == asked.at_least]
    parts = [
        f"{_at_seats(plan, seats)}{_span(group, ' %', PERCENT, '')} under {_says(plan, variant)}"
        for (variant, seats), group in reached.groupby(["variant", "seats"], sort=False)
    ]
    what = asked.count.replace("_", " ")
    if not parts:
        return f"no playout has {asked.at_least} {what} or more"
    return f"the share of playouts with {asked.at_least} {what} or more is {'; '.join(parts)}"


def _about_length(plan: Plan, tables: Tables) -> str:
    """Tell how long a playout takes, and which variants make it shortest and longest."""
    frame = tables["length"]
    parts = []
    for seats, group in frame.groupby("seats", sort=False):
        base = group[group["variant"] == plan.variants[0].name]
        told = f"{_at_seats(plan, int(seats))}a playout takes {_span(base, ' turns', sign='')}"
        means = group.groupby("variant", sort=False)["value"].mean()
        if len(means) > 1:
            for word, variant in (("shortest", means.idxmin()), ("longest", means.idxmax())):
                some = group[group["variant"] == variant]
                told += f", {word} under {_says(plan, str(variant))} with {_span(some, ' turns', sign='')}"
        parts.append(told)
    return "; ".join(parts)


def _about_shares(plan: Plan, tables: Tables) -> str:
    """Tell the widest seat share of the baseline, the mean length, and the largest change."""
    frame = tables["win_share"]
    base = frame[frame["variant"] == frame["variant"].iloc[0]]
    top = base.loc[base["value"].idxmax()]
    ends = f"[{PERCENT * top['lower']:.2f}, {PERCENT * top['upper']:.2f}]"
    told = f"seat {top['seat']} ({top['policy']}) wins the largest share, {PERCENT * top['value']:.2f} % {ends}"
    if "length" in tables:
        mean = tables["length"].iloc[0]
        told += f", and a playout takes {mean['value']:.1f} turns on average"
    if "comparisons" not in tables:
        return told
    changed = tables["comparisons"]
    shares = changed[changed["quantity"].str.startswith("win share") & changed["value"].notna()]
    if shares.empty:
        return told
    most = shares.loc[shares["value"].abs().idxmax()]
    quantity = most["quantity"].removeprefix("win share, ")
    moved = f"{most['value']:+.2f} points [{most['lower']:+.2f}, {most['upper']:+.2f}]"
    return f"{told}; {_says(plan, most['variant'])} changes a share most by {moved}, that of {quantity}"
