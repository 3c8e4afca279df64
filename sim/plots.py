"""Figures: estimates as marks with their intervals, one row per thing, one mark per policy profile.

All figures are dot-and-interval plots, because position on a common scale is what eyes compare best, and an
estimate never travels without its interval. Colours are those of Okabe and Ito, and profiles differ in shape too,
so that neither colour vision nor a colour printer is needed. What a mark is compared with (the fair share, a lift
of 0) is always drawn. Figures are made without pyplot and saved as bytes that depend on the data alone.

Source: Cleveland and McGill, Graphical perception, JASA 1984; Okabe and Ito, Color universal design, 2008.
"""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

COLORS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKS: Final = ("o", "s", "^", "D", "v", "P", "X")
INK: Final = "#333333"
FAINT: Final = "#E4E4E4"
ROW_INCHES: Final = 0.24
MARK_INCHES: Final = 0.085
PANEL_INCHES: Final = 2.9
LABEL_INCHES: Final = 1.9
FRAME_INCHES: Final = 0.55  # title of a panel and the gap below it
AXIS_INCHES: Final = 0.45  # label of the axis
SQUARE_INCHES: Final = 3.0  # side of a panel of two scales
TOP_INCHES: Final = 0.1
TITLE_LINE_INCHES: Final = 0.2
LEGEND_LINE_INCHES: Final = 0.24
LETTERS_PER_INCH: Final = 11.5  # of a bold title
MOST_COLUMNS: Final = 3
MOST_IN_LEGEND_LINE: Final = 5
SPREAD: Final = 0.68  # part of a row's height over which its marks are spread
PERCENT: Final = 100
NO_LIFT: Final = ("held", "draw lift by known chances", "ban", "head to head", "interaction")
"""How estimands begin whose rows are no lift of an item, or not one a row of the picture."""
MOST_BARS: Final = 15  # assumptions of a panel
LOOK: Final[dict[Any, Any]] = {
    "font.size": 9.0,
    "axes.titlesize": 9.5,
    "axes.titlelocation": "left",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "ytick.major.size": 0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "svg.hashsalt": "sim",
    "svg.fonttype": "path",
    "savefig.dpi": 200,
}
"""What every figure looks like; the salt makes the ids in an SVG depend on nothing else."""


class Picture(Figure):
    """A figure that notebooks show by themselves; without pyplot they know those of matplotlib by name only."""

    def _repr_png_(self) -> tuple[bytes, dict[str, float]]:
        """Return the picture, and the size at which it is shown."""
        found = io.BytesIO()
        with mpl.rc_context(LOOK):
            self.savefig(found, format="png", metadata={"Software": None})
        width, height = self.get_size_inches() * self.get_dpi()
        return found.getvalue(), {"width": float(width), "height": float(height)}


class NothingToDraw(ValueError):  # noqa: N818  (it is no fault of anybody)
    """A table has no row that its figure shows."""


@dataclass(frozen=True)
class Panel:
    """One set of axes.

    Attributes:
        title: What its rows have in common; empty if there is but one panel.
        labels: Names of the rows, top to bottom.
        frame: Estimates with columns `row`, `profile`, `value`, `lower`, `upper`, in the unit of the axis;
            `low` and `high`, where there, are drawn as a thin line.
        reference: Where the line of comparison stands, or None.

    """

    title: str
    labels: Sequence[str]
    frame: pd.DataFrame
    reference: float | None


def win_share(frame: pd.DataFrame) -> Figure:
    """Draw the win share of each seat, against the fair share.

    Args:
        frame: Table `win_share`; a panel per variant and number of seats, a row per seat.

    Raises:
        ValueError: The table is empty or lacks a column.

    """
    shares = prepared(frame, ["variant", "seats", "profile", "seat"], PERCENT)
    shares["row"] = "seat " + shares["seat"].astype(str)
    panels = [
        Panel(title, sorted(part["row"].unique()), part, PERCENT / int(part["seats"].iloc[0]))
        for title, part in parts(shares, ["variant", "seats"])
    ]
    title = f"Share of the win by seat, {interval_of(frame)}; line: fair share"
    return paint(panels, profiles_of(frame), title, "win share, per cent")


def seat_advantage(frame: pd.DataFrame) -> Figure:
    """Draw how far each place in turn order is from a fair share.

    Args:
        frame: Table `seat_advantage`; a panel per variant and number of seats, a row per place.

    Raises:
        ValueError: The table is empty or lacks a column.

    """
    places = prepared(frame, ["variant", "seats", "profile", "place"])
    places["row"] = "place " + places["place"].astype(str)
    panels = [
        Panel(title, sorted(part["row"].unique()), part, 0.0) for title, part in parts(places, ["variant", "seats"])
    ]
    title = f"Advantage by place in turn order, {interval_of(frame)}; line: fair"
    return paint(panels, profiles_of(frame), title, "win share minus fair share, percentage points")


def advice(frame: pd.DataFrame) -> Figure:
    """Draw what following a piece of advice is worth to the one seat that does, among others of each profile.

    Args:
        frame: Table `advice`; a panel per number of seats, a row per variant.

    Raises:
        ValueError: The table is empty or lacks a column.

    """
    gains = prepared(frame, ["variant", "seats", "profile", "follows", "against"])
    gains["row"] = gains["variant"].map(words)
    order = list(dict.fromkeys(gains["row"]))
    panels = [Panel(title, order, part, 0.0) for title, part in parts(gains, ["seats"])]
    pair = f"{words(str(gains['follows'].iloc[0]))} instead of {words(str(gains['against'].iloc[0]))}"
    title = f"Gain of one seat as {pair}, {interval_of(frame)}; line: no gain"
    return paint(panels, profiles_of(frame), title, "change of its win share, percentage points")


def item_balance(frame: pd.DataFrame) -> Figure:
    """Draw the lift of each item by each estimand, strongest first.

    Args:
        frame: Table `item_balance`; a panel per family and estimand, a row per item. The confounded held win
            rate, bans, items head to head and interactions are left to the table.

    Raises:
        NothingToDraw: It has no lift of an item.
        ValueError: The table is empty or lacks a column.

    """
    keys = ["variant", "seats", "profile", "family", "item", "estimand"]
    lifts = prepared(frame, keys)
    lifts = lifts[~lifts["estimand"].str.startswith(NO_LIFT)]
    if lifts.empty:
        message = "nothing to draw: the table has no lift of an item"
        raise NothingToDraw(message)
    lifts["row"] = lifts["item"].str.replace("_", " ")
    panels = []
    for _, family in parts(lifts, ["variant", "seats", "family"]):
        strength = family.groupby("row")["value"].mean().sort_values(ascending=False)
        for title, part in parts(family, ["family", "estimand"], within=lifts):
            panels.append(Panel(title, list(strength.index), part, 0.0))
    title = f"What an item adds to its holder's win share, {interval_of(frame)}; line: nothing"
    return paint(panels, profiles_of(frame), title, "lift, percentage points")


def comparisons(frame: pd.DataFrame) -> Figure:
    """Draw the paired lift of each variant over the baseline.

    Args:
        frame: Table `comparisons`, or part of it; a panel per quantity and number of seats, a row per variant.

    Raises:
        ValueError: The table is empty or lacks a column, or mixes units.

    """
    lifts = prepared(frame, ["variant", "baseline", "seats", "profile", "quantity", "unit"])
    units = list(lifts["unit"].unique())
    if len(units) > 1:
        message = f"a figure has one axis; found quantities in {', '.join(units)}: pass those of one unit"
        raise ValueError(message)
    lifts["row"] = lifts["variant"].map(words)
    order = list(dict.fromkeys(lifts["row"]))
    panels = [Panel(title, order, part, 0.0) for title, part in parts(lifts, ["quantity", "seats"])]
    baseline = words(str(lifts["baseline"].iloc[0]))
    title = f"Paired lift over {baseline}, {interval_of(frame)}; line: nothing"
    return paint(panels, profiles_of(frame), title, f"lift, {units[0]}")


def length(frame: pd.DataFrame) -> Figure:
    """Draw the mean length of a playout of each variant.

    Args:
        frame: Table `length`; a panel per number of seats, a row per variant. A thin line spans the lengths
            from the first to the last quantile of the table.

    Raises:
        ValueError: The table is empty or lacks a column.

    """
    lengths = prepared(frame, ["variant", "seats", "profile", "quantile_5", "quantile_95"])
    lengths["row"] = lengths["variant"].map(words)
    lengths["low"], lengths["high"] = lengths["quantile_5"], lengths["quantile_95"]
    order = list(dict.fromkeys(lengths["row"]))
    panels = [Panel(title, order, part, None) for title, part in parts(lengths, ["seats"])]
    title = f"Length of a playout: mean, {interval_of(frame)}; thin: 5 to 95 % of playouts"
    return paint(panels, profiles_of(frame), title, "length, turns of all seats")


def assumptions(frame: pd.DataFrame) -> Figure:
    """Draw how far each assumption moves each headline, the most influential first (a tornado).

    Args:
        frame: Table `assumptions`; a panel per headline, a row per assumption.

    Raises:
        ValueError: The table is empty or lacks a column.

    """
    needed = ("quantity", "variant", "seats", "rank", "assumption", "lowest", "at_default", "highest", "unit")
    missing = [name for name in needed if name not in frame.columns]
    if frame.empty or missing:
        message = f"nothing to draw: {'the table is empty' if frame.empty else 'no column ' + missing[0]}"
        raise ValueError(message)
    bars = frame[frame["lowest"].notna()].copy()
    bars["value"], bars["lower"], bars["upper"] = bars["at_default"], bars["lowest"], bars["highest"]
    bars["profile"] = "at its default"
    panels = []
    for title, part in parts(bars, ["quantity", "variant", "seats"]):
        first = part.nsmallest(MOST_BARS, "rank")
        first = first.assign(row=[words(name) for name in first["assumption"]])
        named = title or words(str(first["quantity"].iloc[0]))
        panels.append(Panel(f"{named}, {first['unit'].iloc[0]}", list(first["row"]), first, None))
    title = "How far each assumption moves the headline: mean over all others, from its lowest to its highest value"
    return paint(panels, ["at its default"], title, "headline, mean over policy profiles")


def calibration(frame: pd.DataFrame) -> Figure:
    """Draw what came of the chances that value functions told: on the diagonal they were right.

    Args:
        frame: Table `calibration`; a panel per variant and number of seats, a mark per bin of chances and profile.

    Raises:
        ValueError: The table is empty or lacks a column.

    """
    found = prepared(frame, ["variant", "seats", "profile", "predicted"])
    panels = parts(found, ["variant", "seats"])
    profiles = profiles_of(frame)
    n_lines = math.ceil(len(panels) / MOST_COLUMNS)
    n_columns = math.ceil(len(panels) / n_lines)
    width = SQUARE_INCHES * max(n_columns, 1.6)
    title = f"Chances to win as told and as they came, {interval_of(frame)}; line: as told"
    header = Header(textwrap.wrap(title, int(width * LETTERS_PER_INCH)), profiles)
    height = header.inches + AXIS_INCHES + SQUARE_INCHES * n_lines
    with mpl.rc_context(LOOK):
        figure = Picture(figsize=(width, height), layout="constrained")
        layout = {"h_pad": 0.06, "w_pad": 0.06, "rect": (0, 0, 1, 1 - header.inches / height)}
        figure.set_layout_engine("constrained", **layout)
        grid = figure.subplots(n_lines, n_columns, squeeze=False, sharex=True, sharey=True)
        for place, axes in enumerate(grid.flat):
            if place < len(panels):
                paint_calibration(axes, *panels[place], profiles)
            axes.set_visible(place < len(panels))
        figure.supxlabel("chance that was told", fontsize=9)
        figure.supylabel("share of the win", fontsize=9)
        header.paint(figure)
    return figure


def paint_calibration(axes: Axes, title: str, frame: pd.DataFrame, profiles: Sequence[str]) -> None:
    """Draw one panel of told chances and what came of them."""
    axes.plot([0, 1], [0, 1], color=INK, linewidth=0.9, zorder=1)
    for number, profile in enumerate(profiles):
        part = frame[frame["profile"] == profile]
        color = COLORS[number % len(COLORS)]
        axes.vlines(part["predicted"], part["lower"], part["upper"], color=color, linewidth=1.6, zorder=2)
        axes.plot(part["predicted"], part["value"], **mark(number), zorder=3)
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.set_aspect("equal")
    axes.grid(color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_title(title)


def save(figure: Figure, path: Path) -> None:
    """Write a figure; the same figure gives the same bytes on any day.

    Args:
        figure: What one of the functions above returned.
        path: A file whose name ends in `.svg` or `.png`.

    """
    undated = {"Date": None} if path.suffix == ".svg" else {"Software": None}
    with mpl.rc_context(LOOK):
        figure.savefig(path, metadata=undated)


def prepared(frame: pd.DataFrame, columns: Sequence[str], factor: float = 1) -> pd.DataFrame:
    """Return a copy with the estimates in the unit of the axis.

    Raises:
        ValueError: The table is empty or lacks a column.

    """
    missing = [name for name in (*columns, "value", "lower", "upper", "level") if name not in frame.columns]
    if frame.empty or missing:
        message = f"nothing to draw: {'the table is empty' if frame.empty else 'no column ' + missing[0]}"
        raise ValueError(message)
    copy = frame.copy()
    copy[["value", "lower", "upper"]] *= factor
    return copy


def words(name: str) -> str:
    """Return a key as words."""
    return name.replace("_", " ")


def interval_of(frame: pd.DataFrame) -> str:
    """Return how sure the intervals of a table are, in words."""
    levels = frame["level"].dropna().unique()
    each = "" if len(levels) == 1 and levels[0] * PERCENT == round(levels[0] * PERCENT) else "simultaneous "
    shown = 95 if each else round(PERCENT * levels[0])
    return f"with {each}{shown} % intervals"


def profiles_of(frame: pd.DataFrame) -> list[str]:
    """Return the policy profiles in the order of the table."""
    return [str(name) for name in frame["profile"].unique()]


def parts(
    frame: pd.DataFrame, keys: Sequence[str], within: pd.DataFrame | None = None
) -> list[tuple[str, pd.DataFrame]]:
    """Return the parts of a table by some of its columns, each with a title of what tells it apart.

    Args:
        frame: The table.
        keys: Columns to part by.
        within: Whole table that titles tell apart from; `frame` if None.

    """
    whole = frame if within is None else within
    telling = [key for key in keys if len(set(whole[key])) > 1 or key == "estimand"]
    found = []
    for values, part in frame.groupby(list(keys), sort=False):
        named = dict(zip(keys, values, strict=True))
        title = ", ".join(f"{named[key]} seats" if key == "seats" else words(str(named[key])) for key in telling)
        found.append((title, part))
    return found


def paint(panels: Sequence[Panel], profiles: Sequence[str], title: str, axis: str) -> Figure:
    """Return a figure of panels with one horizontal scale; all rows have the same height."""
    n_lines = math.ceil(len(panels) / MOST_COLUMNS)
    n_columns = math.ceil(len(panels) / n_lines)
    lines = [panels[first : first + n_columns] for first in range(0, len(panels), n_columns)]
    row_inches = ROW_INCHES + MARK_INCHES * (len(profiles) - 1)
    heights = [row_inches * max(len(panel.labels) for panel in line) for line in lines]
    width = LABEL_INCHES + PANEL_INCHES * max(n_columns, 1.6)
    header = Header(textwrap.wrap(title, int(width * LETTERS_PER_INCH)), profiles)
    height = header.inches + AXIS_INCHES + sum(heights) + FRAME_INCHES * n_lines
    with mpl.rc_context(LOOK):
        figure = Picture(figsize=(width, height), layout="constrained")
        layout = {"h_pad": 0.06, "w_pad": 0.06, "rect": (0, 0, 1, 1 - header.inches / height)}
        figure.set_layout_engine("constrained", **layout)
        grid = figure.subplots(n_lines, n_columns, squeeze=False, sharex=True, height_ratios=heights)
        for place, axes in enumerate(grid.flat):
            if place < len(panels):
                paint_panel(axes, panels[place], profiles, shows_labels(panels, place, n_columns))
                axes.tick_params(labelbottom=place + n_columns >= len(panels))
            axes.set_visible(place < len(panels))
        figure.supxlabel(axis, fontsize=9)
        header.paint(figure)
    return figure


def shows_labels(panels: Sequence[Panel], place: int, n_columns: int) -> bool:
    """Return whether a panel names its rows: the first of a line, and who differs from the one before."""
    return place % n_columns == 0 or list(panels[place].labels) != list(panels[place - 1].labels)


def paint_panel(axes: Axes, panel: Panel, profiles: Sequence[str], has_labels: bool) -> None:
    """Draw one panel: bands, line of comparison, intervals, marks."""
    n_rows = len(panel.labels)
    for row in range(0, n_rows, 2):
        axes.axhspan(row - 0.5, row + 0.5, color=FAINT, alpha=0.45, linewidth=0)
    if panel.reference is not None:
        axes.axvline(panel.reference, color=INK, linewidth=0.9, zorder=1)
    rows = {label: row for row, label in enumerate(panel.labels)}
    offsets = np.linspace(-SPREAD / 2, SPREAD / 2, len(profiles)) if len(profiles) > 1 else [0.0]
    for number, profile in enumerate(profiles):
        part = panel.frame[panel.frame["profile"] == profile]
        height = part["row"].map(rows).to_numpy(float) + offsets[number]
        paint_estimates(axes, part, height, number)
    axes.set_ylim(n_rows - 0.5, -0.5)
    axes.set_yticks(range(n_rows), panel.labels if has_labels else [""] * n_rows)
    axes.set_title(panel.title)
    axes.margins(x=0.06)


def paint_estimates(axes: Axes, part: pd.DataFrame, height: Any, number: int) -> None:
    """Draw one profile's estimates: spread of playouts thin, interval thick, value as a mark."""
    color = COLORS[number % len(COLORS)]
    if "low" in part.columns:
        axes.hlines(height, part["low"], part["high"], color=color, linewidth=0.7, alpha=0.6)
    axes.hlines(height, part["lower"], part["upper"], color=color, linewidth=1.6, zorder=2)
    axes.plot(part["value"], height, **mark(number), zorder=3)


def mark(number: int) -> dict[str, Any]:
    """Return colour and shape of a profile's marks."""
    return {
        "color": COLORS[number % len(COLORS)],
        "marker": MARKS[number % len(MARKS)],
        "linestyle": "none",
        "markersize": 4.2,
        "markeredgecolor": "white",
        "markeredgewidth": 0.4,
    }


@dataclass(frozen=True)
class Header:
    """What stands above the panels: the title, and what the marks mean.

    Attributes:
        title: Lines of the title.
        profiles: Names of the policy profiles.

    """

    title: Sequence[str]
    profiles: Sequence[str]

    @property
    def legend_lines(self) -> int:
        """Lines that the profiles need."""
        return math.ceil(len(self.profiles) / MOST_IN_LEGEND_LINE)

    @property
    def inches(self) -> float:
        """Height of title and legend."""
        return TOP_INCHES + TITLE_LINE_INCHES * len(self.title) + LEGEND_LINE_INCHES * self.legend_lines

    def paint(self, figure: Figure) -> None:
        """Draw title and legend at the top left."""
        height = figure.get_figheight()
        figure.text(0.012, 1 - TOP_INCHES / height, "\n".join(self.title), va="top", fontsize=10.5, fontweight="bold")
        top = 1 - (TOP_INCHES + TITLE_LINE_INCHES * len(self.title)) / height
        figure.legend(
            handles=[Line2D([], [], **mark(number), label=name) for number, name in enumerate(self.profiles)],
            loc="upper left",
            bbox_to_anchor=(0.0, top),
            ncols=min(MOST_IN_LEGEND_LINE, len(self.profiles)),
            frameon=False,
            handletextpad=0.2,
            columnspacing=1.4,
            borderaxespad=0.0,
            borderpad=0.2,
        )
