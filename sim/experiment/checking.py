"""Balance as a test: judges the tables of a result by the bands of its plan, and tells a build server.

All rows of all bands are one family: with m rows, each is judged by an interval of level 1 - (1 - level) / m, so that
no verdict is wrong, with the level of the bands, however many there are (Bonferroni). A band is broken when one of its
rows lies wholly outside, and holds when all lie wholly inside.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

from sim.experiment.bands import COLUMNS
from sim.experiment.checkpoint import written_whole
from sim.experiment.verdicts import ALIKE, N_MORE, TOO_FEW, estimate_of
from sim.statistics.bounded import FEWEST_JUDGED
from sim.statistics.checks import MOST_TRUNCATED_FOR_VERDICT
from sim.statistics.estimate import COLUMNS_OF_ESTIMATE
from sim.statistics.families import simultaneous_level
from sim.statistics.further import Further, in_words, most_of
from sim.statistics.limits import Judged, Place, judge, mean_at_level, share_at_level, widened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas as pd

    from sim.experiment.bands import Band
    from sim.experiment.results import Result
    from sim.statistics.estimate import Estimate

PERCENT: Final = 100.0
OF_SHARES: Final = ("win_share", "policy_share", "counts")
NO_ROW: Final = "the table has no such row"
NO_ESTIMATE: Final = "there is no estimate: too many playouts were truncated, or none is about it"
TRUNCATED: Final = "too many playouts were truncated for a verdict"


@dataclass(frozen=True)
class RowCheck:
    """One row judged by a band.

    Attributes:
        band: The band.
        labels: What the row is, by column.
        estimate: Its estimate at the level that all rows together ask for; None if there is none.
        judged: The verdict.
        reason: Why there is none, in words; empty if there is one.

    """

    band: Band
    labels: dict[str, Any]
    estimate: Estimate | None
    judged: Judged
    reason: str = ""

    @property
    def name(self) -> str:
        """The row in words."""
        return ", ".join(f"{column} {value}" for column, value in self.labels.items()) or self.band.table

    @property
    def told(self) -> str:
        """The row's verdict in a sentence."""
        if self.estimate is None:
            return f"{self.name}: {self.judged.place}, {self.reason}"
        found = self.estimate
        told = f"{self.name}: {found.value:.6g} [{found.lower:.6g}, {found.upper:.6g}] {self.judged.place}"
        if self.judged.place is not Place.UNDECIDED:
            return f"{told} against {limits_of(self.band)}"
        more = self.judged.n_more
        needed = f"needs {in_words(more)} more playouts" if more else "too close to a limit to tell how many more"
        return f"{told} against {limits_of(self.band)}, {self.reason or needed}"


@dataclass(frozen=True)
class BandCheck:
    """One band judged: all of its rows.

    Attributes:
        band: The band.
        rows: Its rows, judged.

    """

    band: Band
    rows: tuple[RowCheck, ...]

    @property
    def place(self) -> Place:
        """Fail if one row does, pass if all do, else undecided."""
        places = {row.judged.place for row in self.rows}
        if Place.FAIL in places:
            return Place.FAIL
        return Place.PASS if places == {Place.PASS} else Place.UNDECIDED

    @property
    def n_more(self) -> Further | None:
        """How many more playouts its undecided rows need, if that is known of all."""
        return most_of([row.judged.n_more for row in self.rows if row.judged.place is Place.UNDECIDED])


def limits_of(band: Band) -> str:
    """Return the limits of a band in words."""
    if band.lower is None:
        return f"at most {band.upper:g}"
    return f"at least {band.lower:g}" if band.upper is None else f"{band.lower:g} to {band.upper:g}"


def check(result: Result) -> list[BandCheck]:
    """Judge a result by the bands of its plan.

    Args:
        result: A result whose plan has bands.

    """
    bands = result.plan.band
    chosen = [_rows_of(band, result.tables.get(band.table)) for band in bands]
    n_rows = max(1, sum(max(1, len(rows)) for rows in chosen))
    return [
        BandCheck(
            band, _without_common([_judged(result, band, row, n_rows) for row in rows] or [_missing(band, NO_ROW)])
        )
        for band, rows in zip(bands, chosen, strict=True)
    ]


def overall(checks: Sequence[BandCheck]) -> Place:
    """Return the verdict on all bands together."""
    places = {one.place for one in checks}
    return next((place for place in (Place.FAIL, Place.UNDECIDED) if place in places), Place.PASS)


def _rows_of(band: Band, frame: pd.DataFrame | None) -> list[dict[str, Any]]:
    """Return the rows of a table that a band is about; none of a table that is not there."""
    if frame is None:
        return []
    for column, wanted in band.selection().items():
        frame = frame[frame[column].isin(wanted)]
    return [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]


def _without_common(rows: list[RowCheck]) -> tuple[RowCheck, ...]:
    """Return rows whose labels only say what tells them apart; a single row keeps all of them."""
    telling = {column for row in rows for column in row.labels if len({one.labels[column] for one in rows}) > 1}
    short = [{column: value for column, value in row.labels.items() if column in telling} for row in rows]
    return tuple(replace(row, labels=labels or row.labels) for row, labels in zip(rows, short, strict=True))


def _missing(band: Band, reason: str, labels: dict[str, Any] | None = None) -> RowCheck:
    return RowCheck(band, labels or {}, None, Judged(Place.UNDECIDED), reason)


def _judged(result: Result, band: Band, row: dict[str, Any], n_rows: int) -> RowCheck:
    """Return one row's verdict, at a level that is right for all `n_rows` rows together."""
    labels = {column: row[column] for column in COLUMNS[band.table] if column in row}
    if not all(math.isfinite(row[name]) for name in ("value", "mcse", "lower", "upper")):
        return _missing(band, NO_ESTIMATE, labels)
    found = estimate_of(row)
    level = simultaneous_level(n_rows, band.level)
    if result.plan.is_stopped:
        estimate = widened(found, level)
    elif band.table in OF_SHARES:
        estimate = share_at_level(found, level)
    else:
        estimate = mean_at_level(found, level, _limits(row))
    against = _objection(result, band, row)
    if against:
        return RowCheck(band, labels, estimate, Judged(Place.UNDECIDED), against)
    return RowCheck(band, labels, estimate, judge(estimate, band.lower, band.upper))


def _limits(row: dict[str, Any]) -> tuple[float, float] | None:
    """Return the lowest and highest value that a lift in points can have."""
    return (-PERCENT, PERCENT) if row.get("unit") == "points" or "place" in row or "follows" in row else None


def _objection(result: Result, band: Band, row: dict[str, Any]) -> str:
    """Return what stands against a verdict on a row, empty if nothing does.

    A share has an exact interval and needs no spread: that something never happened is told by how often it could have.
    """
    if _share_truncated(result, row) > MOST_TRUNCATED_FOR_VERDICT:
        return TRUNCATED
    if min(row["n_playouts"], row.get("n_with_item", row["n_playouts"])) < FEWEST_JUDGED:
        return TOO_FEW
    return ALIKE if row["mcse"] == 0 and band.table not in OF_SHARES else ""


def _share_truncated(result: Result, row: dict[str, Any]) -> float:
    """Return the largest share of truncated playouts behind a row: of its variant, its baseline, its profile."""
    frame = result.tables.get("length")
    if frame is None:
        return float(row.get("truncated", 0.0))
    variants = [row[key] for key in ("variant", "baseline") if key in row]
    mine = frame[frame["variant"].isin(variants) & (frame["seats"] == row["seats"])]
    if "profile" in row:
        mine = mine[mine["profile"] == row["profile"]]
    return float(mine["truncated"].max()) if len(mine) else 0.0


def tables_of(checks: Sequence[BandCheck]) -> dict[str, list[dict[str, Any]]]:
    """Return tables `bands`, one row each, and `band_rows`, one row for each row that a band is about."""
    bands = [
        {
            "band": one.band.name,
            "table": one.band.table,
            "limits": limits_of(one.band),
            "n_rows": len(one.rows),
            "n_pass": sum(row.judged.place is Place.PASS for row in one.rows),
            "n_fail": sum(row.judged.place is Place.FAIL for row in one.rows),
            "verdict": str(one.place),
            **_ends(one.n_more),
        }
        for one in checks
    ]
    rows = [
        {
            "band": one.band.name,
            "row": row.name,
            **(dict.fromkeys(COLUMNS_OF_ESTIMATE) if row.estimate is None else row.estimate.as_row()),
            "at_least": one.band.lower,
            "at_most": one.band.upper,
            "verdict": str(row.judged.place),
            **_ends(row.judged.n_more),
            "reason": row.reason,
        }
        for one in checks
        for row in one.rows
    ]
    return {"bands": bands, "band_rows": rows}


def _ends(n_more: Further | None) -> dict[str, int | None]:
    """Return the columns that tell how many more playouts would settle a row."""
    return dict(zip(N_MORE, (None, None) if n_more is None else n_more, strict=True))


def sentence(checks: Sequence[BandCheck]) -> str:
    """Return what became of all bands."""
    counts = {place: sum(one.place is place for one in checks) for place in Place}
    words = {Place.PASS: "hold", Place.FAIL: "broken", Place.UNDECIDED: "undecided"}
    told = ", ".join(f"{counts[place]} {words[place]}" for place in Place if counts[place])
    needed = most_of([one.n_more for one in checks if one.place is Place.UNDECIDED])
    if needed is not None:
        told += f" ({in_words(needed)} more playouts of the arm would settle all)"
    return f"{overall(checks)}: of {len(checks)} bands {told}"


def junit(result: Result, checks: Sequence[BandCheck], name: str) -> ET.ElementTree[ET.Element]:
    """Return the checks in the form that build servers read: a suite per band, a case per row.

    Undecided rows are skipped cases, since neither did they pass nor was anything found broken.

    Args:
        result: The result that was judged.
        checks: Its bands.
        name: Name of the plan.

    """
    root = ET.Element("testsuites", _counts(name, [row for one in checks for row in one.rows], result.seconds))
    for one in checks:
        suite = ET.SubElement(root, "testsuite", _counts(f"{name}.{one.band.name}", one.rows, 0))
        if result.started:
            suite.set("timestamp", result.started.partition("+")[0])
        properties = ET.SubElement(suite, "properties")
        about = {"seed": result.plan.seed, "fingerprint": result.fingerprint, "limits": limits_of(one.band)}
        for key, value in about.items():
            ET.SubElement(properties, "property", {"name": key, "value": str(value)})
        for row in one.rows:
            _add_case(suite, row, f"{name}.{one.band.name}")
    ET.indent(root)
    return ET.ElementTree(root)


def _counts(name: str, rows: Sequence[RowCheck], seconds: float) -> dict[str, str]:
    """Return the attributes that suites have."""
    places = [row.judged.place for row in rows]
    counts = {"tests": len(rows), "failures": places.count(Place.FAIL), "errors": 0}
    return {
        "name": name,
        **{key: str(count) for key, count in counts.items()},
        "skipped": str(places.count(Place.UNDECIDED)),
        "time": f"{seconds:.3f}",
    }


def _add_case(suite: ET.Element, row: RowCheck, suite_name: str) -> None:
    case = ET.SubElement(suite, "testcase", {"name": row.name, "classname": suite_name, "time": "0.000"})
    if row.judged.place is Place.FAIL:
        failure = ET.SubElement(case, "failure", {"message": row.told, "type": "band"})
        failure.text = row.told
    elif row.judged.place is Place.UNDECIDED:
        ET.SubElement(case, "skipped", {"message": row.told})
    ET.SubElement(case, "system-out").text = row.told


def write_junit(path: Path, tree: ET.ElementTree[ET.Element]) -> None:
    """Write a report; an older file is replaced whole or left alone.

    Args:
        path: File to write.
        tree: What `junit` returned.

    Raises:
        OSError: It cannot be written there.

    """
    with written_whole(path) as file:
        tree.write(file, encoding="utf-8", xml_declaration=True)
