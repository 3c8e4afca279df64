"""The answer in one sentence, composed from the tables and their verdicts alone.

It says what, how much, how sure, under which policies, what it depends on, and how many more playouts would settle
what is undecided.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import pandas as pd

from sim.engine.seating import FIRST
from sim.experiment import surveys
from sim.experiment.advice import QUANTITY, effect_of
from sim.experiment.claims import ADVANTAGE, EQUAL
from sim.experiment.item_tables import ABLATION_LIFT, GRANT_LIFT
from sim.experiment.verdicts import BEYOND, NO_VERDICT, NONE, UNDECIDED, WITHIN, hint_of
from sim.statistics.balance import Balance
from sim.statistics.checks import MOST_TRUNCATED_FOR_VERDICT

if TYPE_CHECKING:
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
    "items": "item_summary",
    "metrics": "ruleset_metrics",
    "advice": "advice",
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
        return UNANSWERED if plan.estimands is not None else _cut_short(tables) or NOTHING
    tellers = {
        "item": _about_item,
        "order": _about_order,
        "count": _about_count,
        "length": _about_length,
        "win_share": _about_shares,
        "items": surveys.about_items,
        "metrics": surveys.about_metrics,
        "advice": _about_advice,
    }
    told = tellers[plan.answer.kind](plan, tables)
    return " ".join([f"{told[:1].upper()}{told[1:]} ({_basis(plan, tables)}).", _cut_short(tables)]).strip()


def _cut_short(tables: Tables) -> str:
    """Return what stands against a verdict if too many playouts were truncated, and what would do; else nothing."""
    if "length" not in tables:
        return ""
    frame = tables["length"]
    cut = frame[frame["truncated"] > MOST_TRUNCATED_FOR_VERDICT]
    if cut.empty:
        return ""
    worst, needed = cut.loc[cut["truncated"].idxmax()], cut["limit_needed"]
    hint = "raise it" if needed.isna().any() else f"a limit of about {needed.max():,.0f} turns would do"
    return (
        f"{PERCENT * worst['truncated']:.3g} % of the playouts of {worst['variant']} under {worst['profile']} hit the "
        f"turn limit, expected at most {PERCENT * MOST_TRUNCATED_FOR_VERDICT:g} % for a verdict; {hint}."
    )


def _basis(plan: Plan, tables: Tables) -> str:
    """Return under which policies and from how many playouts an answer is told, and what ended them."""
    names = [profile.name for profile in plan.profiles]
    profiles = f"policy profiles {', '.join(names)}" if len(names) > 1 else f"policy profile {names[0]}"
    counts = f"{_count(plan, tables)} playouts of the baseline"
    if plan.is_stopped and len(plan.variants) > 1:
        counts += " and of each variant"
    elif plan.plays_other_arms:
        counts += f" and {min(plan.paired_playouts, plan.baseline_playouts):,} paired ones of each arm"
    each = " per profile" if len(names) > 1 else ""
    looks = " that hold at every look" if plan.until_decided else ""
    return f"{profiles}; {counts}{each}{_ended(tables)}; {PERCENT * plan.level:g} % intervals{looks}; seed {plan.seed}"


def _count(plan: Plan, tables: Tables) -> str:
    """Return how many playouts the baseline of a profile has; a range if they differ."""
    if "length" not in tables:
        return f"{plan.baseline_playouts:,}"
    frame = tables["length"]
    n = frame.loc[frame["variant"] == plan.variants[0].name, "n_playouts"]
    return f"{n.max():,}" if n.min() == n.max() else f"{n.min():,} to {n.max():,}"


def _ended(tables: Tables) -> str:
    """Return what ended a run that looks at what it has played."""
    if "stops" not in tables:
        return ""
    frame = tables["stops"]
    failed = frame[frame["n_more"] != 0]
    if failed.empty:
        return f", until {frame['reason'].iloc[0]}"
    reasons = " and ".join(dict.fromkeys(failed["reason"]))
    if failed["n_more"].isna().any():
        return f", {reasons}"
    return f", {reasons}, about {failed['n_more'].max():,.0f} more would reach what is wanted"


def _judged(plan: Plan, tables: Tables, claim: pd.Series) -> str:
    """Return the verdict on a claim in words: on which side of the margin, in which profiles, how stable its sign."""
    told, margin = str(claim["verdict"]), f"the margin of {plan.margin:g} points"
    each = " of each profile" if claim["n_profiles"] > 1 else ""
    if told == UNDECIDED:
        told = f"undecided against {margin}, {hint_of(claim.to_dict())}{each}"
    elif not told.startswith(NONE):
        words = {str(Balance.BALANCED): "balanced, within", WITHIN: "within", BEYOND: "beyond"}
        told = f"{words.get(told, 'unbalanced, beyond')} {margin}{_in_which(tables, claim)}"
    signs = {"stable": "its sign is the same", "unstable": "its sign depends on the policies"}
    return f"{told}, {signs[claim['sign']]}" if claim["sign"] in signs else told


def _in_which(tables: Tables, claim: pd.Series) -> str:
    """Return in which profiles a claim lies beyond the margin, if that depends on the profile."""
    if str(claim["verdict"]) in {str(Balance.BALANCED), WITHIN}:
        return " under every profile" if claim["n_profiles"] > 1 else ""
    quantity = str(claim["quantity"])
    name = "seat_advantage" if quantity.startswith(ADVANTAGE) else "comparisons"
    frame = tables.get(name)
    if frame is None:
        return ""
    if name == "seat_advantage":
        frame = frame[frame["place"] == int(quantity.rsplit(maxsplit=1)[-1])]
    else:
        frame = frame[frame["quantity"] == quantity]
    frame = frame[(frame["variant"] == claim["variant"]) & (frame["seats"] == claim["seats"])]
    beyond = frame.loc[frame["verdict"].isin([str(Balance.UNBALANCED), BEYOND]), "profile"].tolist()
    if len(frame) == 1:
        return ""
    return " under every profile" if len(beyond) == len(frame) else f" under {', '.join(beyond)} only"


def _claims(tables: Tables, variant: str, seats: int, quantity: str) -> pd.DataFrame:
    """Return the claims on one quantity."""
    frame = tables.get("claims")
    if frame is None:
        return pd.DataFrame()
    return frame[(frame["variant"] == variant) & (frame["seats"] == seats) & (frame["quantity"] == quantity)]


def _says(plan: Plan, variant: str) -> str:
    """Return what a variant is, in words."""
    says = {one.name: one.says for one in plan.variants}.get(variant, "")
    return f"'{says}'" if says else variant.replace("_", " ")


def _at_seats(plan: Plan, seats: int) -> str:
    return f"at {seats} seats " if len(plan.seat_counts) > 1 else ""


def _range(low: float, high: float, unit: str, sign: str = "+", digits: int = 1) -> str:
    """Return a range of values, or the one value if both ends read the same."""
    ends = [f"{low:{sign}.{digits}f}", f"{high:{sign}.{digits}f}"]
    return f"{ends[0]}{unit}" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}{unit}"


def _span(frame: pd.DataFrame, unit: str = " points", factor: float = 1, sign: str = "+") -> str:
    """Return the range of values with the outermost ends of their intervals."""
    low, high = factor * frame["value"].min(), factor * frame["value"].max()
    ends = _range(factor * frame["lower"].min(), factor * frame["upper"].max(), "", sign)
    return f"{_range(low, high, unit, sign)} [{ends}]"


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
    told = f"{surveys.title_of(plan, name)} instead of a blank card changes its holder's win share {'; '.join(parts)}"
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
    judged = row["verdict"]
    if judged == UNDECIDED:
        judged = f"undecided, {hint_of(row.to_dict())}"
    if len(mine) == 1:
        return f"by {_span(mine)}, {many}: {judged}"
    mean = f"{row['value']:+.1f} points as the mean over {_population(row)}"
    return f"by {_span(mine)}{where}, {mean}, {many}: {judged}, its sign {row['sign']} over the profiles"


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
    first = frame[frame["place"] == FIRST]
    parts = []
    for (variant, seats), group in first.groupby(["variant", "seats"], sort=False):
        told = f"{_at_seats(plan, seats)}{_span(group)} under {_says(plan, variant)}"
        claim = _claims(tables, variant, seats, f"{ADVANTAGE}, place {FIRST}")
        parts.append(told if claim.empty else f"{told} ({_judged(plan, tables, claim.iloc[0])})")
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
    """Tell how long a playout takes, which variants make it shortest and longest, and the largest paired change."""
    frame = tables["length"]
    if frame["value"].isna().any():
        return "too many playouts were truncated for a mean length"
    parts = []
    for seats, group in frame.groupby("seats", sort=False):
        base = group[group["variant"] == plan.variants[0].name]
        told = f"{_at_seats(plan, int(seats))}a playout takes {_span(base, ' turns', sign='')}"
        means = group.groupby("variant", sort=False)["value"].mean()
        if len(means) > 1:
            for word, variant in (("shortest", means.idxmin()), ("longest", means.idxmax())):
                some = group[group["variant"] == variant]
                told += f", {word} under {_says(plan, str(variant))} with {_span(some, ' turns', sign='')}"
        parts.append(told + _largest_change_of_length(plan, tables, seats))
    return "; ".join(parts)


def _largest_change_of_length(plan: Plan, tables: Tables, seats: Any) -> str:
    """Return which variant changes the length most on the same luck, and by how much over the profiles."""
    frame = tables.get("comparisons")
    if frame is None:
        return ""
    mine = frame[(frame["quantity"] == "length") & (frame["seats"] == seats) & frame["value"].notna()]
    if mine.empty:
        return ""
    variant = str(mine.groupby("variant", sort=False)["value"].mean().abs().idxmax())
    some = mine[mine["variant"] == variant]
    return f"; on the same luck {_says(plan, variant)} changes that most, by {_span(some, ' turns')}"


def _about_shares(plan: Plan, tables: Tables) -> str:
    """Tell the widest seat share of the baseline, the mean length, who starts, and the largest change."""
    frame = tables["win_share"]
    base = frame[frame["variant"] == frame["variant"].iloc[0]]
    top = base.loc[base["value"].idxmax()]
    ends = f"[{PERCENT * top['lower']:.2f}, {PERCENT * top['upper']:.2f}]"
    told = f"seat {top['seat']} ({top['policy']}) wins the largest share, {PERCENT * top['value']:.2f} % {ends}"
    if "length" in tables:
        mean = tables["length"].iloc[0]
        if not math.isnan(mean["value"]):
            told += f", and a playout takes {mean['value']:.1f} turns on average"
    if "claims" not in tables:
        return told
    claims = tables["claims"]
    order = claims[claims["quantity"].str.startswith(ADVANTAGE) & (claims["variant"] == plan.variants[0].name)]
    if not order.empty:
        most = order.loc[_furthest(order)]
        told += f"; {_in_words(most['quantity'])} is furthest from a fair share, {_moved(most)}: "
        told += _judged(plan, tables, most)
    changes = claims[claims["quantity"].str.startswith("win share")]
    if changes.empty:
        return told
    most = changes.loc[_furthest(changes)]
    whose = _in_words(most["quantity"])
    moved = f"{_says(plan, most['variant'])} changes a share most by {_moved(most)}, that of {whose}"
    return f"{told}; {moved}: {_judged(plan, tables, most)}"


def _about_advice(plan: Plan, tables: Tables) -> str:
    """Tell whether a piece of advice holds: its verdict first, then what it is worth and under whom."""
    if plan.advice is None:
        return NOTHING
    pair = f"{plan.advice.follows} instead of {plan.advice.against} in one seat"
    what = f"to {plan.advice.says} moves the win share of who does so ({pair}) "
    parts: list[str] = []
    for (variant, seats), group in tables["advice"].groupby(["variant", "seats"], sort=False):
        where = f" at {seats} seats" if len(plan.seat_counts) > 1 else ""
        where += f" under {_says(plan, str(variant))}" if len(plan.variants) > 1 else ""
        told = _claim_on_advice(tables, str(variant), int(seats))
        if group["value"].isna().any():
            parts.append(f"{told}{where}")
            continue
        parts.append(f"{told}{where}: {'' if parts else what}by {_gains(group)}, {_effects(plan, group)}")
    return "; ".join(parts)


def _claim_on_advice(tables: Tables, variant: str, seats: int) -> str:
    """Return the verdict on a piece of advice over all profiles, with what would settle an open one."""
    claims = _claims(tables, variant, seats, QUANTITY).to_dict("records")
    told = str(claims[0]["verdict"]) if claims else NO_VERDICT
    return (
        f"{UNDECIDED} ({hint_of({str(key): value for key, value in claims[0].items()})})" if told == UNDECIDED else told
    )


def _gains(group: pd.DataFrame) -> str:
    """Return the range of the gains over the profiles with the outermost ends of their intervals."""
    ends = f"[{group['lower'].min():+.2f} to {group['upper'].max():+.2f}]"
    return f"{_range(group['value'].min(), group['value'].max(), ' points', digits=2)} {ends}"


def _effects(plan: Plan, group: pd.DataFrame) -> str:
    """Return on which side of the margin the gains lie, and under which profiles if that depends on them."""
    found: dict[str, list[str]] = {}
    for row in group.to_dict("records"):
        found.setdefault(effect_of(row, plan.margin), []).append(str(row["profile"]))
    if len(found) == 1:
        told = f"{next(iter(found))}{' under every profile' if len(group) > 1 else ''}"
    else:
        told = ", ".join(f"{effect} under {', '.join(names)}" for effect, names in found.items())
    return f"which {told} (margin of {plan.margin:g} points)"


def _in_words(quantity: str) -> str:
    """Return whose share a quantity is: tables count the places in turn order from 0, people from 1."""
    return f"place {int(quantity.rsplit(maxsplit=1)[-1])} in turn order"


def _furthest(claims: pd.DataFrame) -> Any:
    """Return the label of the claim that lies furthest from 0 under some profile."""
    return claims[["smallest", "largest"]].abs().max(axis=1).idxmax()


def _moved(claim: pd.Series) -> str:
    """Return a claim's mean over the profiles with its interval, and its range where there are several."""
    told = f"{claim['value']:+.2f} points [{claim['lower']:+.2f}, {claim['upper']:+.2f}]"
    if claim["n_profiles"] == 1:
        return told
    least, most = (f"{claim[end]:+.2f} under {claim[f'{end}_in']}" for end in ("smallest", "largest"))
    return f"{told} as the mean over {_population(claim)}, {least} to {most}"


def _population(claim: pd.Series) -> str:
    """Return over whom a mean is taken."""
    return "profiles of equal weight" if claim["population"] == EQUAL else f"a population of {claim['population']}"
