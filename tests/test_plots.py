"""Figures: everything that a table says is drawn, intervals and line of comparison too, in the same bytes each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from matplotlib.figure import Figure

from sim import plots

PROFILES = ("random", "leader", "threat")


def estimate(value: float, width: float = 0.01, level: float = 0.95) -> dict[str, Any]:
    ends = {"lower": value - width, "upper": value + width}
    return {"value": value, "mcse": width / 2, **ends, "level": level, "n_playouts": 100}


def shares() -> pd.DataFrame:
    rows = [
        {"variant": variant, "seats": 4, "profile": profile, "seat": seat + 1, **estimate(0.2 + seat / 30)}
        for variant in ("printed", "banned")
        for profile in PROFILES
        for seat in range(4)
    ]
    return pd.DataFrame(rows)


def items() -> pd.DataFrame:
    strengths = {"weak_card": -3.0, "strong_card": 9.0, "fair_card": 0.5}
    rows = [
        {"variant": "printed", "seats": 4, "profile": profile, "family": "loot", "item": item, "estimand": estimand}
        | estimate(strength, 1.0, 0.9975)
        for profile in PROFILES
        for item, strength in strengths.items()
        for estimand in ("deal lift", "grant lift", "held win rate (confounded)")
    ]
    return pd.DataFrame(rows)


def lengths() -> pd.DataFrame:
    quantiles = {"quantile_5": 30, "quantile_50": 50, "quantile_95": 75}
    rows = [
        {"variant": variant, "seats": 4, "profile": profile, **estimate(52.0, 0.5), **quantiles}
        for variant in ("printed", "damage_3")
        for profile in PROFILES
    ]
    return pd.DataFrame(rows)


def lifts() -> pd.DataFrame:
    rows = [
        {"variant": "banned", "baseline": "printed", "seats": 4, "profile": profile, "quantity": quantity}
        | {"unit": unit, **estimate(1.5, 0.5)}
        for profile in PROFILES
        for quantity, unit in (("length", "turns"), ("win share, place 1", "points"))
    ]
    return pd.DataFrame(rows)


def advantages() -> pd.DataFrame:
    rows = [
        {"variant": "printed", "seats": 4, "profile": profile, "place": order + 1, **estimate(order - 1.5, 0.4, 0.9875)}
        for profile in PROFILES
        for order in range(4)
    ]
    return pd.DataFrame(rows)


def gains() -> pd.DataFrame:
    pair = {"follows": "hold_20", "against": "hold_15"}
    return pd.DataFrame(
        [{"variant": "printed", "seats": 4, "profile": name, **pair, **estimate(0.4, 0.2)} for name in PROFILES]
    )


def title(figure: Figure) -> str:
    return figure.texts[-1].get_text().replace("\n", " ")


def drawn(figure: Figure) -> list[tuple[float, float, float]]:
    """Return lower end, value and upper end of everything that is drawn with an interval."""
    found = []
    for axes in figure.axes:
        marks = [line for line in axes.lines if line.get_linestyle() == "None"]
        spans = [spans for spans in axes.collections if spans.get_linewidths()[0] > 1]
        assert len(marks) == len(spans)
        for mark, intervals in zip(marks, spans, strict=True):
            for value, segment in zip(mark.get_xdata(), intervals.get_segments(), strict=True):
                found.append((segment[0][0], value, segment[1][0]))
    return found


def references(figure: Figure) -> set[float]:
    return {line.get_xdata()[0] for axes in figure.axes for line in axes.lines if line.get_linestyle() == "-"}


def test_win_share_draws_every_row_with_its_interval_against_the_fair_share() -> None:
    figure = plots.win_share(shares())
    assert len(drawn(figure)) == len(shares())
    assert sorted(value for _, value, _ in drawn(figure)) == pytest.approx(sorted(100 * shares()["value"]))
    assert all(lower < value < upper for lower, value, upper in drawn(figure))
    assert references(figure) == {25.0}
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["printed", "banned"]
    assert title(figure) == "Share of the win by seat, with 95 % intervals; line: fair share"


def test_a_table_without_a_lift_of_an_item_has_no_figure() -> None:
    bans = items().assign(estimand="ban")
    with pytest.raises(plots.NothingToDraw, match="no lift of an item"):
        plots.item_balance(bans)


def test_item_balance_has_one_row_per_item_strongest_first_and_leaves_out_what_is_confounded() -> None:
    figure = plots.item_balance(items())
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["deal lift", "grant lift"]
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["strong card", "fair card", "weak card"]
    assert len(drawn(figure)) == 2 * 3 * len(PROFILES)
    assert references(figure) == {0.0}
    assert "simultaneous 95 % intervals" in title(figure)
    assert figure.get_supxlabel() == "lift, percentage points"


def test_length_draws_the_spread_of_playouts_besides_the_interval_of_the_mean() -> None:
    figure = plots.length(lengths())
    (axes,) = figure.axes
    thin = [spans for spans in axes.collections if spans.get_linewidths()[0] < 1]
    assert {(segment[0][0], segment[1][0]) for spans in thin for segment in spans.get_segments()} == {(30, 75)}
    assert [label.get_text() for label in axes.get_yticklabels()] == ["printed", "damage 3"]


def test_seat_advantage_and_comparisons_stand_against_nothing() -> None:
    assert references(plots.seat_advantage(advantages())) == {0.0}
    assert references(plots.advice(gains())) == {0.0}
    assert len(drawn(plots.advice(gains()))) == len(PROFILES)
    assert "with 99 % intervals" in title(plots.advice(gains().assign(level=0.99)))
    frame = lifts()
    figure = plots.comparisons(frame[frame["unit"] == "turns"])
    assert references(figure) == {0.0}
    assert title(figure) == "Paired lift over printed, with 95 % intervals; line: nothing"


def test_quantities_of_two_units_do_not_share_an_axis() -> None:
    with pytest.raises(ValueError, match="one axis"):
        plots.comparisons(lifts())


def test_profiles_differ_in_colour_and_in_shape() -> None:
    marks = [plots.mark(number) for number in range(len(plots.COLORS))]
    assert len({mark["color"] for mark in marks}) == len(marks)
    assert len({mark["marker"] for mark in marks}) == len(marks)
    (legend,) = plots.win_share(shares()).legends
    assert [text.get_text() for text in legend.get_texts()] == list(PROFILES)


@pytest.mark.parametrize("name", ["figure.svg", "figure.png"])
def test_the_same_table_gives_the_same_bytes(tmp_path: Path, name: str) -> None:
    found = []
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        plots.save(plots.item_balance(items()), tmp_path / folder / name)
        found.append((tmp_path / folder / name).read_bytes())
    assert found[0] == found[1]
    assert b"dc:date" not in found[0]


def test_a_mean_that_is_not_known_leaves_a_gap_and_no_warning(tmp_path: Path) -> None:
    frame = lengths()
    frame.loc[0, ["value", "mcse", "lower", "upper", "level"]] = float("nan")
    plots.save(plots.length(frame), tmp_path / "length.svg")


def test_an_empty_or_foreign_table_is_refused() -> None:
    with pytest.raises(ValueError, match="the table is empty"):
        plots.win_share(shares()[:0])
    with pytest.raises(ValueError, match="no column seat"):
        plots.win_share(shares().drop(columns="seat"))
