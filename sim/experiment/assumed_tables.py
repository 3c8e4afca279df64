"""What the points of an assumed run say: bands with verdicts, and the ranking of the assumptions.

A sign is *robust* if at least 95 % of the draws of all assumptions have it, in every policy profile, also when what
luck may have done to their mean is allowed for (method.md, decision 13). It *depends on* an assumption if knowing that
one alone would make it robust, whatever its value turned out to be. Otherwise it is *not decidable from public data*.
Where the noise of the points could hide draws of the other sign, it is undecided, and more playouts of each point or
more draws are needed.

The value of learning an assumption is the share of the variance that would go with it (`learning_removes`), told of
every assumption from the same draws. Assumptions are ranked by what is sure of it (`learning_lower`, right of all of
them together at 95 %), or by what is sure of a leader's total share if that is more, then by what the screening found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pandas as pd

from sim.experiment.plan import Plan
from sim.statistics.distributions import student_quantile
from sim.statistics.sensitivity import KnownShare, base_draws, noise_of, share_if_known, without_noise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sim.experiment.assumed import Findings, FloatArray, IntArray
    from sim.experiment.headlines import Headline
    from sim.statistics.sensitivity import VarianceShare

ROBUST_SHARE: Final = 0.95
LEVEL: Final = 0.95
ALL_PROFILES: Final = "all profiles"
MOST_TRUNCATED_POINTS: Final = 0.01
MOST_TRUNCATED: Final = 0.01
ROBUST: Final = "robust"
DEPENDS: Final = "depends on"
UNDECIDABLE: Final = "not decidable from public data"
UNSURE: Final = "undecided: more playouts of each point or more draws are needed"
CUT: Final = "no verdict: too many playouts were truncated"
NO_CLAIM: Final = "a value, no claim"
ON_PROFILE: Final = f"{DEPENDS} the policy profile"
QUANTILES: Final = {"quantile_5": 0.05, "median": 0.5, "quantile_95": 0.95}
OTHERS: Final = "all others together"
LEARNING_OF_ALL: Final = {"removes": "first", "lower": "first_lower", "upper": "first_upper"}
N_NAMED: Final = 3

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Sample:
    """The draws of one number: one value per independent draw of all assumptions.

    Attributes:
        values: Values without their noise, shape (n_draws,).
        widest: The same with the largest spread that they are compatible with; verdicts are told from these.
        levels: Levels of the assumptions, shape (n_draws, n_assumptions).
        reach: How far luck may have moved the mean of the draws.
        mcse: Standard error of the value at one point.

    """

    values: FloatArray
    widest: FloatArray
    levels: IntArray
    reach: float
    mcse: float

    @classmethod
    def of(cls, parts: FloatArray, levels: IntArray) -> Sample:
        """Return the sample of a number by point and part."""
        noise, means = noise_of(parts), parts.mean(axis=1)
        values, widest = without_noise(means, noise), without_noise(means, noise, LEVEL)
        reach = student_quantile(LEVEL, parts.size - len(parts)) * math.sqrt(noise / len(parts))
        return cls(values, widest, levels, reach, math.sqrt(noise))

    def sign(self, chosen: NDArray[np.bool_] | None = None) -> int:
        """Return the robust sign of some draws, 1 or -1, or 0 if there is none."""
        return sign_of(self.widest if chosen is None else self.widest[chosen], self.reach)

    def signs_if_known(self, factor: int) -> dict[int, tuple[float, int]]:
        """Return, by level of an assumption, the share of draws with it and their robust sign."""
        mine = self.levels[:, factor]
        return {int(level): (float((mine == level).mean()), self.sign(mine == level)) for level in np.unique(mine)}

    def changes_if_known(self, factor: int) -> float:
        """Return the chance that learning an assumption changes what is said of the sign."""
        now = self.sign()
        return sum(share for share, sign in self.signs_if_known(factor).values() if sign != now)

    def share_if_known(self, factor: int) -> KnownShare:
        """Return the share of the variance that goes if an assumption is known; all intervals hold together."""
        level = 1 - (1 - LEVEL) / self.levels.shape[1]
        return share_if_known(self.values, self.levels[:, factor], self.mcse**2, level)

    def decides(self, factor: int) -> bool:
        """Tell whether the sign would be robust if an assumption were known, whatever its value."""
        known = self.signs_if_known(factor)
        return sum(share for share, sign in known.values() if sign) >= ROBUST_SHARE

    @property
    def verdict(self) -> tuple[str, int | None]:
        """The verdict on the sign, and the assumption that it depends on."""
        if self.sign():
            return ROBUST, None
        if sign_of(self.values, 0.0):
            return UNSURE, None
        deciding = [factor for factor in range(self.levels.shape[1]) if self.decides(factor)]
        if not deciding:
            return UNDECIDABLE, None
        return DEPENDS, max(deciding, key=lambda factor: (self._spread_of_means(factor), -factor))

    def _spread_of_means(self, factor: int) -> float:
        means = level_means(self.values, self.levels[:, factor])
        return max(means.values()) - min(means.values())


def sign_of(values: FloatArray, slack: float) -> int:
    """Return the sign that nearly all values have, even if all are moved by up to `slack`; 0 if there is none."""
    if float((values - slack > 0).mean()) >= ROBUST_SHARE:
        return 1
    return -1 if float((values + slack < 0).mean()) >= ROBUST_SHARE else 0


def level_means(values: FloatArray, levels: IntArray) -> dict[int, float]:
    """Return the mean of values by level of one assumption."""
    return {int(level): float(values[levels == level].mean()) for level in np.unique(levels)}


def make_tables(findings: Findings) -> dict[str, pd.DataFrame]:
    """Return tables `assumed_band` and `assumptions`.

    Args:
        findings: All that was played.

    """
    bands: Rows = []
    ranking: Rows = []
    for number, headline in enumerate(findings.player.headlines):
        for seats in findings.plan.seat_counts:
            columns = findings.columns_of(number, seats)
            about = {"quantity": headline.quantity, "variant": headline.variant, "seats": seats}
            bands += _bands(findings, headline, columns, about)
            ranking += _ranking(findings, headline, columns, about)
    return {"assumed_band": pd.DataFrame(bands), "assumptions": pd.DataFrame(ranking)}


def _draws(findings: Findings) -> IntArray:
    """Return the points that are independent draws of all assumptions."""
    return findings.shared[base_draws(len(findings.shared), findings.design.n_groups)]


def _sample(findings: Findings, columns: slice) -> Sample:
    """Return the draws of the mean over some columns."""
    points = _draws(findings)
    return Sample.of(findings.explored.parts(points, columns), points[:, 1:])


def _bands(findings: Findings, headline: Headline, columns: slice, about: dict[str, Any]) -> Rows:
    """Return a row per profile, and one for all profiles first."""
    profiles = [profile.name for profile in findings.plan.profiles]
    names = [one.key for one in findings.design.assumptions]
    is_cut = _is_cut(findings)
    rows: Rows = []
    judged: list[tuple[str, int | None, int]] = []
    for place, profile in enumerate(profiles):
        sample = _sample(findings, slice(columns.start + place, columns.start + place + 1))
        verdict, factor = sample.verdict
        judged.append((verdict, factor, sample.sign()))
        told = _told(headline, verdict, factor, names, is_cut)
        rows.append(
            {**about, "profile": profile, "unit": headline.unit, **_numbers(findings, sample, columns, place), **told}
        )
    whole = _sample(findings, columns)
    verdict, factor = _over_profiles(judged)
    told = _told(headline, verdict, factor, names, is_cut)
    first = {**about, "profile": ALL_PROFILES, "unit": headline.unit, **_numbers(findings, whole, columns), **told}
    return [first, *rows] if len(profiles) > 1 else rows


def _is_cut(findings: Findings) -> bool:
    """Tell whether too many points had too many truncated playouts."""
    parts = findings.explored.parts(_draws(findings), -1)
    return float((parts.mean(axis=1) > MOST_TRUNCATED).mean()) > MOST_TRUNCATED_POINTS


def _over_profiles(judged: list[tuple[str, int | None, int]]) -> tuple[str, int | None]:
    """Return the verdict over all profiles from verdict, deciding assumption and sign in each."""
    for worst in (UNDECIDABLE, DEPENDS, UNSURE):
        found = [(verdict, factor) for verdict, factor, _ in judged if verdict == worst]
        if found:
            same = {factor for _, factor in found}
            return (worst, found[0][1]) if len(same) == 1 else (UNDECIDABLE, None)
    return (ROBUST, None) if len({sign for _, _, sign in judged}) == 1 else (ON_PROFILE, None)


def _told(headline: Headline, verdict: str, factor: int | None, names: list[str], is_cut: bool) -> dict[str, Any]:
    """Return a verdict in words."""
    if not headline.has_sign:
        return {"verdict": NO_CLAIM, "depends_on": ""}
    if is_cut:
        return {"verdict": CUT, "depends_on": ""}
    if factor is None:
        return {"verdict": verdict, "depends_on": ""}
    return {"verdict": f"{verdict} {names[factor]}", "depends_on": names[factor]}


def _numbers(findings: Findings, sample: Sample, columns: slice, place: int | None = None) -> dict[str, Any]:
    """Return what a sample says about its number."""
    chosen = columns if place is None else slice(columns.start + place, columns.start + place + 1)
    default = findings.explored.parts(findings.design.default(), chosen)
    values = sample.values
    quantiles = {name: float(np.quantile(values, part)) for name, part in QUANTILES.items()}
    return {
        "at_default": float(default.mean()),
        "mean": float(values.mean()),
        "sd": float(values.std()),
        "lowest": float(values.min()),
        **quantiles,
        "highest": float(values.max()),
        "mcse": sample.mcse,
        "luck": sample.reach,
        "n_draws": len(values),
        "positive": float((values > 0).mean()),
        "beyond_margin": float((np.abs(values) > findings.plan.margin).mean()),
    }


def _ranking(findings: Findings, headline: Headline, columns: slice, about: dict[str, Any]) -> Rows:
    """Return a row per assumption, the most influential first, and one of all that are no leaders together."""
    design, sample = findings.design, _sample(findings, columns)
    effects, shares = findings.effects(columns), findings.shares(columns)
    everywhere = np.concatenate([findings.screened, findings.shared])
    values = findings.explored.parts(everywhere, columns).mean(axis=1)
    rows: Rows = []
    for factor, (one, effect) in enumerate(zip(design.assumptions, effects, strict=True)):
        means = level_means(values, everywhere[:, 1 + factor])
        ranked = sorted(means, key=lambda level: (means[level], level))
        share = shares[findings.leaders.index(factor)] if factor in findings.leaders else None
        known = sample.share_if_known(factor)
        rows.append(
            {
                **about,
                "assumption": one.key,
                "certainty": one.certainty,
                "n_levels": one.n_levels,
                "size": effect.size,
                "sure": max(effect.sure, _sure_spread(known, sample)),
                "mu_star": effect.mu_star,
                "mu_star_lower": effect.lower,
                "mu_star_upper": effect.upper,
                "sigma": effect.sigma,
                "noise": effect.noise,
                **_shares(share),
                "learning_removes": known.value,
                "learning_lower": known.lower,
                "learning_upper": known.upper,
                "verdict_changes": sample.changes_if_known(factor) if headline.has_sign else math.nan,
                "lowest": means[ranked[0]],
                "lowest_at": one.titles[ranked[0]],
                "at_default": means.get(one.default, math.nan),
                "default": one.titles[one.default],
                "highest": means[ranked[-1]],
                "highest_at": one.titles[ranked[-1]],
                "unit": headline.unit,
            }
        )
    rows.sort(key=_by_influence)
    if len(shares) > len(findings.leaders):
        whole = _shares(shares[-1])
        learning = {f"learning_{name}": whole[of] for name, of in LEARNING_OF_ALL.items()}
        rows.append({**about, "assumption": OTHERS, "unit": headline.unit, **whole, **learning})
    return [{"rank": rank, **row} for rank, row in enumerate(rows, 1)]


def _sure_spread(known: KnownShare, sample: Sample) -> float:
    """Return the standard deviation of the means by value of an assumption, as far as noise hardly explains it."""
    return math.sqrt(known.lower * float(sample.values.var())) if known.lower > 0 else 0.0


def _by_influence(row: dict[str, Any]) -> tuple[float, ...]:
    """Return what ranks assumptions: what is sure of their share of the variance, then of their effect."""
    sure = max((row[name] for name in ("learning_lower", "total_lower") if row[name] > 0), default=0.0)
    return -sure, -row["sure"], -row["size"]


def _shares(share: VarianceShare | None) -> dict[str, float]:
    """Return the columns of shares of variance; not a number for who has none of its own."""
    if share is None:
        names = ("first", "first_lower", "first_upper", "total", "total_lower", "total_upper")
        return dict.fromkeys(names, math.nan)
    return {
        "first": share.first,
        "first_lower": share.first - share.first_reach,
        "first_upper": share.first + share.first_reach,
        "total": share.total,
        "total_lower": share.total - share.total_reach,
        "total_upper": share.total + share.total_reach,
    }


def _by_profile(rows: pd.DataFrame) -> str:
    """Return verdict and share of positive draws of each profile, if there are several."""
    told = [
        f"{row['verdict'].partition(':')[0]} under {row['profile']} with {row['positive']:.0%} of the draws above 0"
        for _, row in rows.iloc[1:].iterrows()
    ]
    return f" ({'; '.join(told).replace('%', ' %')})" if told else ""


def _moves(row: pd.Series) -> str:
    """Return an assumption with how far it moves a headline: as a share of the variance, or as the screening found."""
    if row["learning_lower"] > 0:
        return f"{row['assumption']} ({row['learning_removes']:.0%} of the variance)".replace("%", " %")
    return f"{row['assumption']} ({row['size']:.1f} {row['unit']})"


def answer(plan: Plan, tables: dict[str, pd.DataFrame], n_assumptions: int) -> str:
    """Return what public data decide about a plan, in one sentence.

    Args:
        plan: The plan.
        tables: What `make_tables` returned.
        n_assumptions: How many assumptions were varied.

    """
    band, ranking = tables["assumed_band"], tables["assumptions"]
    parts = []
    for (quantity, variant, seats), rows in band.groupby(["quantity", "variant", "seats"], sort=False):
        row = rows.iloc[0]
        where = f" at {seats} seats" if len(plan.seat_counts) > 1 else ""
        ends = f"{row['quantile_5']:+.1f} to {row['quantile_95']:+.1f} {row['unit']}"
        named = str(quantity).replace("_", " ")
        claim = f", {row['verdict']}{_by_profile(rows)}" if row["verdict"] != NO_CLAIM else ""
        parts.append(f"{named} under {variant}{where} is {ends} in 90 % of the draws{claim}")
    first = ranking.iloc[0]
    mine = ranking[
        (ranking["quantity"] == first["quantity"])
        & (ranking["variant"] == first["variant"])
        & (ranking["seats"] == first["seats"])
        & (ranking["assumption"] != OTHERS)
    ]
    leaders = ", ".join(_moves(one) for _, one in mine.head(N_NAMED).iterrows())
    told = f"over {n_assumptions} assumptions, {'; '.join(parts)}; what moves the first of these most: {leaders}"
    n = plan.assumed.playouts
    profiles = ", ".join(profile.name for profile in plan.profiles)
    return (
        f"{told[:1].upper()}{told[1:]} (profiles {profiles}; {n:,} playouts of each arm and point; seed {plan.seed})."
    )
