"""Advice as a hypothesis: pairs of policies on the same luck, gains that are exact, verdicts, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from sim.engine.blocks import Arm, Call, Pair, play_call, play_rows
from sim.engine.contract import Termination
from sim.engine.lineup import make_lineup
from sim.experiment import Plan, PlanError, check_plan
from sim.experiment.advice import HELPS, HURTS, MAY_HELP, NO_HELP, NOTHING, TOO_LITTLE, UNKNOWN, effect_of
from sim.experiment.results import Result
from sim.experiment.run import run_plan
from sim.experiment.verdicts import NO_VERDICT
from sim.games.pig.game import GAME
from tests.support import SEED, pig_keys

SAYS = "hold at 20 rather than at 15"
ADVICE = {"says": SAYS, "follows": "hold_20", "against": "hold_15"}
FAST = [{"name": "five", "says": "up to 25", "changes": {"goal": 25}}]


def advised(**keys: Any) -> Plan:
    profile = [{"name": "twins", "policies": ["hold_20"]}, {"name": "others", "policies": ["hold_25"]}]
    found = pig_keys(profile=profile, variant=FAST, playouts=1200, margin=0.5, advice=ADVICE, answer={"kind": "advice"})
    return check_plan(found | keys, "plan.toml")


def fault(**keys: Any) -> str:
    with pytest.raises(PlanError) as caught:
        advised(**keys)
    return str(caught.value)


@pytest.fixture(scope="module")
def result() -> Result:
    return run_plan(advised())


def test_the_gain_among_twins_is_what_the_one_who_goes_against_it_falls_short_of_a_fair_share(result: Result) -> None:
    """Two line-ups on the same luck: among twins the follower's share is one half, whatever the draws are."""
    profile = [{"name": "mixed", "policies": ["hold_15", "hold_20"]}]
    mixed = run_plan(check_plan(pig_keys(profile=profile, variant=FAST, playouts=600))).policy_share()
    share = mixed.set_index("policy").loc["hold_15", "value"]
    gain = result.advice().set_index("profile").loc["twins", "value"]
    assert gain == pytest.approx(100 * (0.5 - share), abs=1e-12)


def test_the_gain_is_the_same_from_the_other_side(result: Result) -> None:
    turned = {"says": SAYS, "follows": "hold_15", "against": "hold_20"}
    other = run_plan(advised(advice=turned)).advice()
    for column, end in (("value", "value"), ("lower", "upper"), ("upper", "lower")):
        assert other[column].to_numpy() == pytest.approx(-result.advice()[end].to_numpy(), abs=1e-12)
    assert (other["differing"].to_numpy() == result.advice()["differing"].to_numpy()).all()


def test_line_ups_with_fewer_rotations_are_paired_rotation_by_rotation() -> None:
    """Alike seats are played in one rotation, and one that differs in three: place 0 sits in chair r of rotation r."""
    rules = GAME.pack(GAME.load().resolve({"goal": 40, "turn_limit": 14}))
    lineups = {"follows": ["hold_20"], "against": ["hold_15", "hold_20", "hold_20"]}
    arms = tuple(Arm(name, rules, make_lineup(GAME, names, 3), 80) for name, names in lineups.items())
    totals = play_call(Call(GAME, arms, (Pair("pair", "follows", "against"),), SEED, {}), 1).pairs["pair"]
    (ours, _), (theirs, _) = (play_rows(GAME, arm, SEED, 0, 80) for arm in arms)
    assert (len(ours), len(theirs)) == (1, 3)
    finished = [
        n
        for n in range(80)
        if all((rows["termination"][:, n] != Termination.TURN_LIMIT).all() for rows in (ours, theirs))
    ]
    pairs = [
        (
            sum(int(ours[0, n]["payoff"][chair]) for chair in range(3)),
            sum(int(theirs[chair, n]["payoff"][chair]) for chair in range(3)),
        )
        for n in finished
    ]
    assert totals["n_both"] == len(finished)
    sums = [sum(column) for column in zip(*((a, b, a * a, b * b, a * b, a != b) for a, b in pairs), strict=True)]
    assert totals["by_seat"][:, 0].tolist() == sums
    lengths = [(3 * int(ours[0, n]["length_turns"]), int(theirs["length_turns"][:, n].sum())) for n in finished]
    assert totals["length"][:2].tolist() == [sum(column) for column in zip(*lengths, strict=True)]


def test_the_verdict_over_all_profiles_stands_among_the_claims_and_first_in_the_answer(result: Result) -> None:
    claims = result.table("claims")
    claim = claims[claims["quantity"] == "gain by advice"].iloc[0]
    assert (claim["baseline"], claim["n_profiles"]) == ("going against it", 2)
    assert claim["value"] == pytest.approx(result.advice()["value"].mean())
    assert result.answer.startswith(claim["verdict"].partition(" (")[0].capitalize())
    assert f"to {SAYS} moves the win share of who does so (hold_20 instead of hold_15 in one seat) by" in result.answer
    assert "(600 playouts behind each number unless told otherwise, " in result.answer


@pytest.mark.parametrize(
    ("value", "half", "told", "effect"),
    [
        (2.0, 1.0, "Holds: to hold", "which helps under every profile (margin of 0.5 points)"),
        (-2.0, 1.0, "Does not: to hold", "which hurts under every profile"),
        (0.3, 0.1, "Does not: to hold", "which helps too little to matter under every profile"),
        (0.6, 0.2, "Undecided (1,000 to 9,000 more): to", "which may help under"),
    ],
)
def test_the_answer_moves_with_the_gains(result: Result, value: float, half: float, told: str, effect: str) -> None:
    tables = {name: frame.copy() for name, frame in result.tables.items()}
    tables["advice"][["value", "lower", "upper"]] = value, value - half, value + half
    claim = tables["claims"]["quantity"] == "gain by advice"
    verdicts = {"H": "holds", "D": "does not", "U": "undecided"}
    tables["claims"].loc[claim, "verdict"] = verdicts[told[0]]
    tables["claims"].loc[claim, ["n_more_lower", "n_more_upper"]] = 1000.0, 9000.0
    answer = Result(result.plan, tables, "", "", 0, 0).answer
    assert answer.startswith(told)
    assert effect in answer
    assert f"by {value:+.1f} points [{value - half:+.1f}, {value + half:+.1f}]" in answer


def test_profiles_that_differ_are_named_by_what_the_advice_does_under_them(result: Result) -> None:
    tables = {name: frame.copy() for name, frame in result.tables.items()}
    tables["advice"].loc[0, ["value", "lower", "upper"]] = 2.0, 1.0, 3.0
    tables["advice"].loc[1, ["value", "lower", "upper"]] = -2.0, -3.0, -1.0
    assert "which helps under twins, hurts under others" in Result(result.plan, tables, "", "", 0, 0).answer


@pytest.mark.parametrize(
    ("lower", "upper", "effect"),
    [
        (0.6, 0.9, HELPS),
        (0.4, 0.9, MAY_HELP),
        (0.1, 0.4, TOO_LITTLE),
        (-0.1, 0.4, NOTHING),
        (-0.9, 0.4, NO_HELP),
        (-0.9, -0.1, HURTS),
    ],
)
def test_the_effect_says_on_which_side_of_nothing_and_of_the_margin_a_gain_lies(
    lower: float, upper: float, effect: str
) -> None:
    assert effect_of({"verdict": "", "lower": lower, "upper": upper}, 0.5) == effect
    assert effect_of({"verdict": NO_VERDICT, "lower": lower, "upper": upper}, 0.5) == UNKNOWN


def test_several_seats_and_variants_are_told_one_by_one() -> None:
    variants = [*FAST, {"name": "six", "says": "up to 30", "changes": {"goal": 30}}]
    result = run_plan(advised(seats=[2, 3], variant=variants, playouts=400))
    told = result.advice()
    assert len(told) == 2 * 2 * 2
    for part in ("at 2 seats, under 'up to 25', to ", "at 3 seats, under 'up to 30', to "):
        assert part in result.answer
    assert result.answer.count("moves the win share") == 4


def test_truncation_takes_the_verdict_and_then_the_gain() -> None:
    result = run_plan(advised(variant=[{"name": "cut", "changes": {"goal": 60, "turn_limit": 8}}]))
    assert result.advice()["value"].isna().all()
    assert set(result.advice()["verdict"]) == {NO_VERDICT}
    assert result.answer.startswith("No verdict")


def test_a_precision_is_asked_of_the_gains_alone() -> None:
    found = advised(playouts=None, precision=6.0)
    result = run_plan(found, 1)
    gains = result.advice()
    assert (gains["upper"] - gains["lower"]).max() <= 2 * 6.0
    assert set(result.table("stops")["reason"]) == {"the precision is reached"}
    assert len(set(gains["n_playouts"])) == 1


def test_the_figure_draws_every_gain_against_no_gain(result: Result) -> None:
    figure = result.plot_advice()
    assert len(figure.axes) == 1
    assert "hold 20 instead of hold 15" in figure.texts[-1].get_text().replace("\n", " ")
    marks = [line for line in figure.axes[0].lines if line.get_linestyle() == "None"]
    drawn = np.concatenate([mark.get_xdata() for mark in marks])
    assert drawn == pytest.approx(result.advice()["value"].to_numpy())


def test_a_band_can_be_about_the_gain() -> None:
    band = {"name": "helps", "table": "advice", "profile": "twins", "lower": -50.0}
    assert advised(band=[band]).band[0].table == "advice"
    with pytest.raises(PlanError, match="'advice' needs a piece of advice; the plan has none"):
        check_plan(pig_keys(band=[band]))


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"advice": None}, "plan.toml: advice: found nothing, expected a table with says, follows and against"),
        (
            {"advice": None, "answer": {}, "estimands": ["advice"]},
            "plan.toml: advice: found nothing, expected a table with says, follows and against",
        ),
        ({"advice": {"says": "x", "follows": "hold_20"}}, "plan.toml: advice.against: found nothing, expected a value"),
        ({"advice": ADVICE | {"says": ""}}, "advice.says: found '', expected at least one character"),
        (
            {"advice": ADVICE | {"follow": "x"}},
            "advice.follow: found an unknown key, expected one of says, follows, against (did you mean 'follows'?)",
        ),
        ({"advice": ADVICE | {"against": "hold_51"}}, "advice.against: found 'hold_51', expected one of random"),
        ({"advice": ADVICE | {"follows": "hold20"}}, "(did you mean 'hold_20'?)"),
        ({"advice": ADVICE | {"against": "hold_20"}}, "found 'hold_20', expected another policy than follows"),
        ({"estimands": ["win_share"]}, "plan.toml: estimands: 'advice' is missing, its arms would be played for"),
        (
            {"profile": [{"name": "x", "policies": ["hold_25", "hold_20"]}]},
            "profile.0.policies: found 'hold_25' in the first seat, expected 'hold_20', who follows the advice",
        ),
        ({"answer": {"kind": "advise"}}, "answer.kind: found 'advise', expected 'item', 'order'"),
    ],
)
def test_wrong_advice_is_told_with_file_key_found_and_expected(keys: dict[str, Any], told: str) -> None:
    assert told in fault(**keys)


def test_the_first_seat_of_a_profile_is_the_advised_one_and_the_others_are_as_named(result: Result) -> None:
    share = result.win_share()
    others = share[share["profile"] == "others"]
    assert list(others["policy"]) == ["hold_20", "hold_25"]
    assert isinstance(result.advice(), pd.DataFrame)
    assert list(result.advice()["follows"].unique()) == ["hold_20"]
