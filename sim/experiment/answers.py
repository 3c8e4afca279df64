"""The answer to a plan's question: a few sentences whose every number is one row of one table.

An answer leads with what can be said aloud, then tells how much and how sure, and ends with what it rests on. It never
tells of seats: where policies are the same, seats are alike, and where they differ, it is the policies that do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sim.engine.seating import FIRST, numbers
from sim.experiment import surveys
from sim.experiment.advice import FEWEST, QUANTITY, effect_of
from sim.experiment.claims import EQUAL
from sim.experiment.item_tables import ABLATION_LIFT, ATTRIBUTION, DEAL_LIFT, GRANT_LIFT, SHARE_WHEN_DEALT
from sim.experiment.parts import (
    MORE_TURNS,
    POINTS,
    SHARE,
    TURNS,
    Book,
    Number,
    Part,
    part,
    spread,
    usual_count,
    with_counts,
)
from sim.experiment.quantities import ADVANTAGE, LENGTH, PLACE, POLICY, WIN_SHARE, label
from sim.experiment.verdicts import BEYOND, UNDECIDED, WITHIN, hint_of
from sim.statistics.balance import Balance
from sim.statistics.checks import MOST_TRUNCATED_FOR_VERDICT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd

    from sim.experiment.parts import Piece, Row
    from sim.experiment.plan import Plan

Tables = dict[str, "pd.DataFrame"]
PERCENT: Final = 100
NOTHING: Final = f"Fewer than {FEWEST} playouts were finished, so there is no answer."
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
BENCHMARKS: Final = {
    DEAL_LIFT: "against the average other card in its place",
    GRANT_LIFT: "against a blank card, granted at the start to a random seat",
}
"""What an item is compared with: another item first, which is what its strength is judged by; then a dud."""
STABLE: Final = "stable"
UNSTABLE: Final = "unstable"
MOST_LISTED: Final = 4
SCRIPTED: Final = "The policies are simple scripts, so expert players may fare differently."


def answer(plan: Plan, tables: Tables) -> str:
    """Return the answer that the plan asks for.

    Args:
        plan: The plan, whose `answer` says what it is about.
        tables: The tables of its result.

    """
    if not tables:
        return NOTHING
    if NEEDED[plan.answer.kind] not in tables:
        return UNANSWERED if plan.estimands is not None else _cut_short(tables) or NOTHING
    found = parts(plan, tables)
    if not found:
        return NOTHING
    sentences = [one.text for one in found]
    return " ".join([*sentences, *_basis(plan, tables, found), _cut_short(tables)]).strip()


def parts(plan: Plan, tables: Tables) -> list[Part]:
    """Return the sentences of an answer that carry numbers of its tables.

    Args:
        plan: The plan.
        tables: The tables of its result.

    """
    tellers = {
        "item": _about_item,
        "order": _about_start,
        "count": _about_count,
        "length": _about_length,
        "win_share": _about_shares,
        "items": surveys.about_items,
        "metrics": surveys.about_metrics,
        "advice": _about_advice,
    }
    book = Book(tables)
    return with_counts([one for seats in plan.seat_counts for one in tellers[plan.answer.kind](plan, book, seats)])


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


def _basis(plan: Plan, tables: Tables, found: Sequence[Part]) -> Iterator[str]:
    """Yield what an answer rests on: playouts, policies, how sure its intervals are, the seed."""
    names = [profile.name for profile in plan.profiles]
    profiles = f"policy profiles {', '.join(names)}" if len(names) > 1 else f"policy profile {names[0]}"
    looks = " that hold at every look" if plan.until_decided else ""
    usual = usual_count(found)
    counts = "" if usual is None else f"{usual:,} playouts behind each number unless told otherwise, "
    yield f"({counts}{PERCENT * plan.level:g} % intervals{looks}{_ended(tables)}; {profiles}; seed {plan.seed}.)"
    alike = dict.fromkeys(row["same_play"] for row in Book(tables).rows("length") if row.get("same_play"))
    if alike:
        yield f"Profiles that play the same count once: {'; '.join(map(str, alike))}."
    yield SCRIPTED


def _ended(tables: Tables) -> str:
    """Return what ended a run that looks at what it has played."""
    if "stops" not in tables:
        return ""
    frame = tables["stops"]
    failed = frame[frame["n_undecided"] > 0] if "n_undecided" in frame else frame
    reasons = dict.fromkeys((failed if len(failed) else frame)["reason"])
    return f", played until {' and '.join(reasons)}"


def says(plan: Plan, variant: str) -> str:
    """Return what a variant is, in words."""
    said = {one.name: one.says for one in plan.variants}.get(variant, "")
    return f"'{said}'" if said else variant.replace("_", " ")


def where(plan: Plan, seats: int) -> str:
    """Return at how many seats something holds, if the plan has several numbers of them."""
    return f"at {seats} seats, " if len(plan.seat_counts) > 1 else ""


def is_mixed(plan: Plan) -> bool:
    """Tell whether some profile seats different policies at one table."""
    return plan.advice is not None or any(len(set(one.policies)) > 1 for one in plan.profiles)


def policies(plan: Plan) -> list[str]:
    """Return the policies of all line-ups that mix some."""
    return list(dict.fromkeys(name for one in plan.profiles if len(set(one.policies)) > 1 for name in one.policies))


def judged(plan: Plan, row: Mapping[str, Any]) -> str:
    """Return the verdict of a row in words."""
    words = {
        str(Balance.BALANCED): f"within the margin of {plan.margin:g} points",
        str(Balance.UNBALANCED): f"beyond the margin of {plan.margin:g} points",
        WITHIN: f"within the margin of {plan.margin:g} points",
        BEYOND: f"beyond the margin of {plan.margin:g} points",
    }
    if row["verdict"] == UNDECIDED:
        return f"undecided against the margin of {plan.margin:g} points ({hint_of(row)})"
    return words.get(str(row["verdict"]), str(row["verdict"]))


def agreement(row: Mapping[str, Any]) -> str:
    """Return whether all profiles agree on the sign of a claim, where that is known."""
    if row["n_profiles"] == 1:
        return ""
    words = {STABLE: ", with the same sign under every profile", UNSTABLE: ", with a sign that depends on the policies"}
    return words.get(str(row["sign"]), "")


def over_profiles(book: Book, claim: Number, table: str, **keys: Any) -> list[Piece]:
    """Return a claim over all profiles, and between which profiles it moves.

    Args:
        book: The tables.
        claim: The claim, from a table of all profiles.
        table: The table that has it for each profile.
        **keys: Columns that name it there, but for the profile.

    """
    if claim.row["n_profiles"] == 1:
        return [claim]
    found: list[Piece] = [claim, f" on average over {population(claim.row)}"]
    ends = [(claim.row[f"{end}_in"], end) for end in ("smallest", "largest")]
    for profile, end in ends:
        number = book.number(table, claim.unit, profile=profile, **keys)
        if number is not None:
            found += [", from " if end == "smallest" else " to ", number, f" under {profile}"]
    return found


def population(claim: Mapping[str, Any]) -> str:
    """Return over whom a mean is taken."""
    return "the profiles" if claim["population"] == EQUAL else f"a population of {claim['population']}"


def furthest(claims: Sequence[Number]) -> Number | None:
    """Return the claim that lies furthest from 0 under some profile."""

    def reach(claim: Number) -> float:
        return max(abs(float(claim.row["smallest"])), abs(float(claim.row["largest"])))

    return max(claims, key=reach, default=None)


def _about_item(plan: Plan, book: Book, seats: int) -> Iterator[Part]:
    """Tell an item's strength against another and against a blank, and what each variant does to it."""
    name, base = plan.answer.item, plan.variants[0].name
    title = surveys.title_of(plan, name)
    for estimand, benchmark in BENCHMARKS.items():
        keys = {"variant": base, "seats": seats, "item": name, "estimand": estimand}
        claim = book.number("item_summary", POINTS, **keys)
        if claim is None:
            continue
        word = str(claim.row["verdict"])
        open_ = f"; {hint_of(claim.row)}" if word == UNDECIDED else ""
        yield part(
            f"{where(plan, seats)}{title} is {word} {benchmark} (margin {plan.margin:g} points{open_}): it moves its "
            "holder's win share by ",
            over_profiles(book, claim, "item_balance", **keys),
            agreement(claim.row),
        )
    yield from _changes_of_item(plan, book, seats, name)


def _changes_of_item(plan: Plan, book: Book, seats: int, name: str) -> Iterator[Part]:
    """Tell what each variant does to the share of an item's holder, and what it leaves of the item's worth."""
    base = plan.variants[0].name
    for variant in plan.variants[1:]:
        keys = {"variant": variant.name, "seats": seats}
        said = f"{where(plan, seats)}{says(plan, variant.name)}"
        attributed = {**keys, "baseline": base, "quantity": label(ATTRIBUTION, of=name)}
        moved = {**keys, "baseline": base, "quantity": label(SHARE_WHEN_DEALT, of=name)}
        worth = book.numbers("comparisons", POINTS, "profile", **attributed)
        change = book.numbers("comparisons", POINTS, "profile", **moved)
        left = book.numbers("item_balance", POINTS, "profile", **keys, item=name, estimand=ABLATION_LIFT)
        pieces: list[Piece] = []
        if worth:
            pieces += ["costs whoever was dealt it ", *spread(worth), f" ({base} minus this, on the same luck)"]
        elif change:
            pieces += ["moves the share of whoever was dealt it by ", *spread(change)]
        if left:
            pieces += [" and " if pieces else "", "leaves it worth ", *spread(left), " against a blank card"]
        if pieces:
            yield part(f"{said} ", pieces)


def _about_start(plan: Plan, book: Book, seats: int) -> Iterator[Part]:
    """Tell the advantage of starting, by variant, over the profiles."""
    for variant in plan.variants:
        keys = {"variant": variant.name, "seats": seats}
        claim = book.number("claims", POINTS, **keys, quantity=label(ADVANTAGE, PLACE, FIRST))
        said = f"{where(plan, seats)}under {says(plan, variant.name)}, place {FIRST} in turn order"
        if claim is not None:
            told = over_profiles(book, claim, "seat_advantage", **keys, place=FIRST)
            verdict = f", {judged(plan, claim.row)}{agreement(claim.row)}"
            yield part(f"{said} wins ", told, f" against a fair share{verdict}")
            continue
        found = book.numbers("seat_advantage", POINTS, "profile", **keys, place=FIRST)
        if found:
            yield part(f"{said} wins ", spread(found), " against a fair share")


def _about_count(plan: Plan, book: Book, seats: int) -> Iterator[Part]:
    """Tell how often a counted number is reached, by variant."""
    asked = plan.answer
    what = f"{asked.at_least} {asked.count.replace('_', ' ')} or more"
    found = False
    for variant in plan.variants:
        keys = {"variant": variant.name, "seats": seats, "count": asked.count, "at_least": asked.at_least}
        shares = book.numbers("counts", SHARE, "profile", **keys)
        if shares:
            found = True
            said = f"{where(plan, seats)}under {says(plan, variant.name)}, the share of playouts with {what} is "
            yield part(said, spread(shares))
    if not found:
        yield part(f"{where(plan, seats)}no playout has {what}")


def _about_length(plan: Plan, book: Book, seats: int) -> Iterator[Part]:
    """Tell how long a playout takes, which variants make it shortest and longest, and the largest paired change."""
    lengths = {
        variant.name: book.numbers("length", TURNS, "profile", variant=variant.name, seats=seats)
        for variant in plan.variants
    }
    base = lengths[plan.variants[0].name]
    if len(base) < len(book.rows("length", variant=plan.variants[0].name, seats=seats)):
        yield part("too many playouts were truncated for a mean length")
        return
    if base:
        yield part(f"{where(plan, seats)}a playout takes ", spread(base))
    means = {
        name: sum(float(one.row["value"]) for one in found) / len(found) for name, found in lengths.items() if found
    }
    for word, choose in (("shortest", min), ("longest", max)):
        if len(means) > 1:
            variant = choose(means, key=lambda name: means[name])
            yield part(
                f"{where(plan, seats)}of {len(means)} variants it is {word} under {says(plan, variant)}, with ",
                spread(lengths[variant]),
            )
    yield from _largest_change_of_length(plan, book, seats)


def _largest_change_of_length(plan: Plan, book: Book, seats: int) -> Iterator[Part]:
    """Tell which variant changes the length most on the same luck, and by how much over the profiles."""
    changes = {
        one.name: book.numbers("comparisons", MORE_TURNS, "profile", variant=one.name, seats=seats, quantity=LENGTH)
        for one in plan.variants[1:]
    }
    means = {
        name: abs(sum(float(one.row["value"]) for one in found) / len(found))
        for name, found in changes.items()
        if found
    }
    if means:
        variant = max(means, key=lambda name: means[name])
        yield part(
            f"{where(plan, seats)}on the same luck {says(plan, variant)} changes it most, by ", spread(changes[variant])
        )


def _about_shares(plan: Plan, book: Book, seats: int) -> Iterator[Part]:
    """Tell who wins by policy where policies differ, the place furthest from fair, the largest change, and the length.

    The largest of several rows is told as such; the intervals of a table hold for all of its rows together.
    """
    base = plan.variants[0].name
    yield from _by_policy(plan, book, seats)
    claims = [
        number
        for place in numbers(seats)
        if (number := book.number("claims", POINTS, variant=base, seats=seats, quantity=label(ADVANTAGE, PLACE, place)))
    ]
    most = furthest(claims)
    if most is not None:
        place = numbers(seats)[claims.index(most)]
        told = over_profiles(book, most, "seat_advantage", variant=base, seats=seats, place=place)
        yield part(
            f"{where(plan, seats)}{_fairness(claims)}: of {len(claims)} places in turn order ",
            f"place {place} is furthest from a fair share, by ",
            told,
            f", {judged(plan, most.row)}{agreement(most.row)}",
        )
    for by, things in ((POLICY, policies(plan)), (PLACE, numbers(seats))):
        yield from _largest_change(plan, book, seats, by, things)
    lengths = book.numbers("length", TURNS, "profile", variant=base, seats=seats)
    if lengths:
        yield part(f"{where(plan, seats)}a playout takes ", spread(lengths), " on average")


def _fairness(claims: Sequence[Number]) -> str:
    """Return in a word or two whether all places are fair."""
    words = {str(claim.row["verdict"]) for claim in claims}
    if words == {str(Balance.BALANCED)}:
        return "fair"
    if str(Balance.UNBALANCED) in words:
        return "not fair"
    return "whether this is fair is still open"


def _by_policy(plan: Plan, book: Book, seats: int) -> Iterator[Part]:
    """Tell the share of a seat by policy in each line-up that mixes some: all, or the largest and the smallest."""
    base = plan.variants[0].name
    for profile in plan.profiles:
        found = book.numbers("policy_share", SHARE, "policy", variant=base, seats=seats, profile=profile.name)
        if not found:
            continue
        ranked = sorted(found, key=lambda one: -float(one.row["value"]))
        shown = ranked if len(ranked) <= MOST_LISTED else [ranked[0], ranked[-1]]
        among = "" if len(ranked) <= MOST_LISTED else f" (the most and the least of {len(ranked)} policies)"
        under = f"under {profile.name}, " if len(plan.profiles) > 1 else ""
        pieces: list[Piece] = []
        for number in shown:
            pieces += [", " if pieces else "", f"{number.row['policy']} ", number]
        fair = f"; a fair share is {PERCENT / seats:.1f} %"
        yield part(f"{where(plan, seats)}{under}a seat wins by policy{among} ", pieces, fair)


def _largest_change(plan: Plan, book: Book, seats: int, by: str, things: Sequence[Any]) -> Iterator[Part]:
    """Tell which variant changes the share of a place, or of a policy, most."""
    found = {
        (variant.name, thing): number
        for variant in plan.variants[1:]
        for thing in things
        if (
            number := book.number(
                "claims", POINTS, variant=variant.name, seats=seats, quantity=label(WIN_SHARE, by, thing)
            )
        )
    }
    most = furthest(list(found.values()))
    if most is None:
        return
    variant, thing = next(key for key, number in found.items() if number is most)
    told = over_profiles(book, most, "comparisons", variant=variant, seats=seats, quantity=label(WIN_SHARE, by, thing))
    whom = f"place {thing} in turn order" if by == PLACE else f"policy {thing}"
    of = f"of {len(found)} changes by {by} the largest is that of " if len(found) > 1 else "the change of "
    verdict = f"{judged(plan, most.row)}{agreement(most.row)}"
    yield part(f"{where(plan, seats)}under {says(plan, variant)}, {of}{whom}, ", told, f": {verdict}")


def _about_advice(plan: Plan, book: Book, seats: int) -> Iterator[Part]:
    """Tell whether a piece of advice holds: its verdict first, then what it is worth and under whom."""
    if plan.advice is None:
        return
    pair = f"{plan.advice.follows} instead of {plan.advice.against} in one seat"
    for variant in plan.variants:
        keys = {"variant": variant.name, "seats": seats}
        rows = book.rows("advice", **keys)
        if not rows:
            continue
        under = f"under {says(plan, variant.name)}, " if len(plan.variants) > 1 else ""
        claims = book.rows("claims", **keys, quantity=QUANTITY)
        verdict = _claim_on_advice(claims[0]) if claims else ""
        gains = book.numbers("advice", POINTS, "profile", **keys)
        if len(gains) < len(rows):
            yield part(f"{verdict or rows[0]['verdict']} ({where(plan, seats)}{under}to {plan.advice.says})")
            continue
        lead = f"{verdict}: " if verdict else ""
        yield part(
            f"{lead}{where(plan, seats)}{under}to {plan.advice.says} moves the win share of who does so ({pair}) by ",
            spread(gains),
            f", which {_effects(plan, rows)} (margin of {plan.margin:g} points)",
        )


def _claim_on_advice(claim: Row) -> str:
    """Return the verdict on a piece of advice over all profiles, with what would settle an open one."""
    return f"{UNDECIDED} ({hint_of(claim)})" if claim["verdict"] == UNDECIDED else str(claim["verdict"])


def _effects(plan: Plan, rows: Sequence[Row]) -> str:
    """Return on which side of the margin the gains lie, and under which profiles if that depends on them."""
    found: dict[str, list[str]] = {}
    for row in rows:
        found.setdefault(effect_of(row, plan.margin), []).append(str(row["profile"]))
    if len(found) == 1:
        return f"{next(iter(found))}{' under every profile' if len(rows) > 1 else ''}"
    return ", ".join(f"{effect} under {', '.join(names)}" for effect, names in found.items())
