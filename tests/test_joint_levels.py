"""What a table promises of all of its intervals at once is kept: over variants, seats, places and profiles.

Pig between two seats that both hold at one number is solved exactly, so every row of these tables has a known truth:
the first seat starts, so that its place is 1.
"""

from __future__ import annotations

import math
from functools import cache

import pytest
from scipy import stats

from sim.experiment.plan import check_plan
from sim.experiment.run import run_plan
from sim.experiment.verdicts import Intervals
from sim.statistics.estimate import Estimate
from sim.statistics.items import Power, power_verdict

FACES = 6
GOALS = {"short": 25, "middle": 40, "long": 50}
HOLDS = (15, 20, 25)
LEVEL = 0.95
N_RUNS = 60


@cache
def turn(hold: int, left: int) -> dict[int, float]:
    """Return the chance of what a turn adds if a seat holds at `hold` or at what is left to the goal."""
    chances: dict[int, float] = {}
    pending = {0: 1.0}
    while pending:
        total, chance = pending.popitem()
        for rolled in range(1, FACES + 1):
            gained = 0 if rolled == 1 else total + rolled
            if rolled == 1 or gained >= min(hold, left):
                chances[gained] = chances.get(gained, 0.0) + chance / FACES
            else:
                pending[gained] = pending.get(gained, 0.0) + chance / FACES
    return chances


@cache
def chance_to_win(hold: int, mine: int, other: int, goal: int) -> float:
    """Return the chance of who is to move; both may add nothing in a turn, so that two positions are solved at once."""

    def moving_on(mine: int, other: int) -> tuple[float, float]:
        chances = turn(hold, goal - mine)
        won = sum(
            chance * (1.0 if mine + gained >= goal else 1 - chance_to_win(hold, other, mine + gained, goal))
            for gained, chance in chances.items()
            if gained
        )
        return won, chances.get(0, 0.0)

    (ours, stuck), (theirs, other_stuck) = moving_on(mine, other), moving_on(other, mine)
    return (ours + stuck - stuck * (theirs + other_stuck)) / (1 - stuck * other_stuck)


def truths() -> dict[tuple[str, str], float]:
    """Return the chance of who starts, by variant and profile."""
    return {(name, f"hold_{hold}"): chance_to_win(hold, 0, 0, goal) for name, goal in GOALS.items() for hold in HOLDS}


def test_the_chance_to_win_at_pig_is_the_published_one() -> None:
    assert chance_to_win(20, 0, 0, 100) == pytest.approx(0.534698, abs=1e-6)


@pytest.mark.compiled_only("60 plans of nine settings")
def test_all_intervals_of_a_table_hold_together_as_often_as_it_says() -> None:
    """A level for each variant and profile of its own held all intervals of a table in .87 to .91 of the runs."""
    exact = truths()
    missed = dict.fromkeys(("win_share", "seat_advantage", "comparisons", "claims"), 0)
    for seed in range(N_RUNS):
        plan = check_plan(
            {
                "schema": 1,
                "question": "Does a table keep what it says?",
                "game": "pig",
                "seats": 2,
                "seed": seed,
                "playouts": 3 * 200,
                "paired_playouts": 200,
                "level": LEVEL,
                "profile": [{"name": f"hold_{hold}", "policies": [f"hold_{hold}"]} for hold in HOLDS],
                "variant": [{"name": name, "changes": {"goal": goal}} for name, goal in GOALS.items()],
            }
        )
        tables = run_plan(plan, 1).tables
        for name, key, unit in (("seat_advantage", "place", 100), ("win_share", "seat", 1)):
            for row in tables[name].to_dict("records"):
                share = exact[row["variant"], row["profile"]]
                true = unit * ((share if row[key] == 1 else 1 - share) - (0.5 if name == "seat_advantage" else 0.0))
                if not row["lower"] <= true <= row["upper"]:
                    missed[name] += 1
                    break
        for name in ("comparisons", "claims"):
            for row in tables[name].to_dict("records"):
                if not str(row["quantity"]).startswith("win share"):
                    continue
                profiles = [row["profile"]] if "profile" in row else [f"hold_{hold}" for hold in HOLDS]
                changes = [exact[row["variant"], one] - exact[row["baseline"], one] for one in profiles]
                points = 100 * math.fsum(changes) / len(changes)
                true = points if str(row["quantity"]).endswith("1") else -points
                if not row["lower"] <= true <= row["upper"]:
                    missed[name] += 1
                    break
    allowed = (1 - LEVEL) * N_RUNS + 2 * math.sqrt(LEVEL * (1 - LEVEL) * N_RUNS)
    assert all(number <= allowed for number in missed.values()), missed


def test_overpowered_under_any_profile_is_said_wrongly_no_more_often_than_the_level_allows() -> None:
    """An item exactly at the margin under five independent profiles; without a correction .121 of the runs say it."""
    n_runs, n_profiles, margin, error = 4000, 5, 0.02, 0.003
    level = Intervals(LEVEL, n_settings=n_profiles).of_several(1)
    reach = float(stats.norm.ppf(1 - (1 - level) / 2)) * error
    values = stats.norm.rvs(margin, error, size=(n_runs, n_profiles), random_state=9)
    n_wrong = sum(
        power_verdict([Estimate(one, error, one - reach, one + reach, level, 1000) for one in run], margin).power
        is Power.OVERPOWERED
        for run in values.tolist()
    )
    assert n_wrong <= 0.05 * n_runs


def test_the_level_of_one_interval_goes_with_the_size_of_its_table() -> None:
    assert Intervals(LEVEL, n_settings=3).of_several(4) == pytest.approx(1 - 0.05 / 12)
