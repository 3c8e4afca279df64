"""A table turned by some chairs gives the playout turned by so many chairs, event by event."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from sim import games
from sim.engine.lineup import make_lineup
from sim.jit import lowest_bit
from tests.games.scenes import interpreted_only
from tests.turning import difference_of_turned

ROLLED = ("flip", "fortnite")  # who starts is rolled for; in Pig it is chair 0 by rule P-R1
CASES = [(name, policy.name) for name in ROLLED for policy in games.get(name).policies]
MIXED = ("leader", "weakest", "threat", "next", "random", "leader", "threat")


@interpreted_only
@pytest.mark.parametrize(("name", "policy"), CASES)
def test_whoever_sits_where_has_the_same_luck(name: str, policy: str) -> None:
    for playout in range(3):
        lineup = make_lineup(games.get(name), [policy], 4)
        assert difference_of_turned(games.get(name), {}, lineup, playout, 1 + playout % 3) == ""


@interpreted_only
@pytest.mark.parametrize(
    ("name", "n_seats", "changes"),
    [
        ("flip", 2, {}),
        ("flip", 3, {"honey_hitters_at_cap": "bank"}),
        ("flip", 4, {"cards.bouncer.copies": 8, "cards.clinger.copies": 4}),
        ("flip", 4, {"trade": "valued", "sight": "everybody"}),
        ("fortnite", 2, {}),
        ("fortnite", 7, {}),
        ("fortnite", 5, {"trade": "valued"}),
        ("fortnite", 7, {"cards.bouncer.copies": 8, "cards.clinger.copies": 8}),
    ],
)
def test_nor_is_a_chair_favoured_at_other_tables(name: str, n_seats: int, changes: dict[str, Any]) -> None:
    game = games.get(name)
    for names in (["leader"], MIXED[:n_seats]):
        for playout in range(10, 12):
            assert difference_of_turned(game, changes, make_lineup(game, names, n_seats), playout, n_seats - 1) == ""


@interpreted_only
@pytest.mark.parametrize("name", ROLLED)
def test_a_policy_that_favours_a_chair_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.get(name)

    def lowest_chair(_table: Any, _seat: int, targets: int, _amount: int, _rules: Any) -> int:
        return lowest_bit(targets) if targets else -1

    monkeypatch.setattr(import_module(f"sim.games.{name}.policies"), "best_target", lowest_chair)
    lineup = make_lineup(game, ["leader"], 4)
    assert any(difference_of_turned(game, {}, lineup, playout) for playout in range(3))
