"""Combinations of bounded numbers: counted and picked as if all of them were listed."""

from __future__ import annotations

from itertools import product

import pytest

from sim.components.known import faults_of_known, keys_of
from sim.components.models import Known, Table
from sim.experiment.combinations import Combinations, Condition

RANGES = [(0, 2), (1, 3), (0, 4), (2, 2)]
CONDITIONS = [Condition(frozenset({0, 1, 3}), totals=(4, 6)), Condition(frozenset({1, 2}), holds=3)]


def listed() -> list[tuple[int, ...]]:
    """Return what the conditions let through, by looking at everything."""
    everything = product(*(range(low, high + 1) for low, high in RANGES))
    return [one for one in everything if one[0] + one[1] + one[3] in {4, 6} and 3 in one[1:3]]


def test_combinations_are_those_that_meet_all_conditions_in_the_order_of_their_numbers() -> None:
    found = Combinations(RANGES, CONDITIONS)
    assert len(found) == len(listed()) > 0
    assert [found.at(place) for place in range(len(found))] == listed()
    assert found.spread(len(found)) == listed()


def test_some_of_them_are_in_even_steps_from_the_first_to_the_last() -> None:
    every = listed()
    assert Combinations(RANGES, CONDITIONS).spread(3) == [every[0], every[(len(every) - 1) // 2], every[-1]]


def test_a_place_that_there_is_not_is_refused() -> None:
    found = Combinations(RANGES, CONDITIONS)
    for place in (-1, len(found)):
        with pytest.raises(IndexError, match=f"found place {place}, expected one of {len(listed())} combinations"):
            found.at(place)


def test_millions_of_combinations_are_counted_without_a_list() -> None:
    assert len(Combinations([(0, 9)] * 12, [Condition(frozenset(range(12)), totals=(54,))])) == 39581170420


COLUMNS = {"card": {"type": "key"}, "copies": {"type": "int", "range": (0, 9)}}
ROWS = [{"card": "a", "copies": 2}, {"card": "b", "copies": 3}, {"card": "c", "copies": 1}]
PAPERS = [{"low": 1, "high": 4}, {"low": None, "high": None}, {"low": 0, "high": 2}]


def table(**known: object) -> Table:
    """Return a table of cards with one thing that is known of their copies."""
    entry = {"column": "copies", "source": "the box", **known}
    return Table.model_validate(
        {"key": "card", "columns": COLUMNS, "ranges": {"copies": ("low", "high")}, "known": [entry]}
    )


@pytest.mark.parametrize(
    ("known", "fault"),
    [
        ({"totals": [6], "rows": ["a", "b", "c"]}, None),
        ({"totals": [3]}, None),
        ({"holds": 1}, None),
        ({"totals": [5, 7]}, "known.0: found 3 copies in all, expected 5 or 7 (the box)"),
        ({"holds": 3}, "known.0: found no copies of 3, expected one (the box)"),
        ({"totals": [5], "rows": ["a", "b", "d"]}, "known.0.rows: found 'd', expected one of a, b, c"),
    ],
)
def test_defaults_that_break_what_is_known_are_told(known: dict[str, object], fault: str | None) -> None:
    assert list(faults_of_known(table(**known), ROWS, PAPERS)) == ([] if fault is None else [fault])


def test_an_entry_without_rows_is_about_those_that_have_a_range() -> None:
    spec = table(totals=[3])
    assert keys_of(spec, spec.known[0], ROWS, PAPERS) == ["a", "c"]


def test_an_entry_that_says_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="found neither totals nor holds, expected one of them"):
        Known(column="copies", source="the box")
