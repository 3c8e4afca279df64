"""Answers that survey a whole table, from tables small enough to be read."""

from typing import Any

import pandas as pd
import pytest

from sim.experiment import PlanError, check_plan
from sim.experiment.answers import answer, parts


def plan(**keys: Any) -> Any:
    found: dict[str, Any] = {
        "schema": 1,
        "question": "How is it?",
        "game": "flip",
        "seats": 4,
        "seed": 7,
        "profile": [{"name": name, "policies": [name]} for name in ("leader", "threat")],
        "items": "all",
        "answer": {"kind": "items"},
    }
    return check_plan(found | keys)


def summary(*items: tuple[str, float, str, str], estimand: str = "grant lift") -> pd.DataFrame:
    return pd.DataFrame(
        {
            "variant": "printed",
            "seats": 4,
            "item": name,
            "estimand": estimand,
            "value": value,
            "lower": value - 1,
            "upper": value + 1,
            "n_playouts": 900,
            "n_profiles": 2,
            "smallest": value - 3,
            "largest": value + 3,
            "sign": sign,
            "verdict": verdict,
        }
        for name, value, sign, verdict in items
    )


def told_of(plan: Any, **tables: pd.DataFrame) -> str:
    """Return the sentences of an answer without what it rests on."""
    return " ".join(one.text for one in parts(plan, tables))


def test_items_are_told_by_the_strongest_the_weakest_and_those_without_a_sign() -> None:
    frame = summary(
        ("bush", 4.0, "stable", "overpowered"),
        ("pizza_party", 8.0, "unstable", "overpowered"),
        ("mk_seven", -3.0, "undecided", "underpowered"),
    )
    told = told_of(plan(), item_summary=frame)
    assert told.startswith(
        "Against a blank card, granted at the start to a random seat, of 3 items 2 are overpowered in"
    )
    assert "and 1 underpowered in every profile (margin 2 points)" in told
    assert "The strongest of them is Pizza Party, +8.0 points [+7.0, +9.0] on average over the profiles" in told
    assert "the weakest MK-Seven, -3.0 points [-4.0, -2.0]" in told
    assert told.endswith("Whether it helps depends on the policies for Pizza Party.")


def test_what_an_item_is_worth_against_another_leads_and_against_a_blank_stands_beside_it() -> None:
    frames = [summary(("bush", 4.0, "stable", "overpowered"), estimand=name) for name in ("grant lift", "deal lift")]
    told = told_of(plan(), item_summary=pd.concat(frames))
    assert told.index("average other card in its place") < told.index("a blank card, granted at the start")
    banned = summary(("bush", 4.0, "stable", "x"), estimand="ban")
    assert told_of(plan(), item_summary=banned).startswith("No item")


def metrics(**values: list[float]) -> pd.DataFrame:
    names_of_parts = {
        "length": "mean",
        "log_length": "mean logarithm",
        "comeback": "last at half time wins",
        "interaction": "lost by others' doing",
        "skill": "leader",
        "largest": "largest advantage",
        "floor": "noise floor, mean",
    }
    width = 0.1
    names = {"log_length": "length", "skill": "skill share", "largest": "seat fairness", "floor": "seat fairness"}
    return pd.DataFrame(
        {
            "variant": "printed",
            "seats": 4,
            "metric": names.get(key, key),
            "part": names_of_parts[key],
            "against": "nothing",
            "profile": profile,
            "value": one,
            "lower": one - width * one,
            "upper": one + width * one,
            "n_playouts": 900,
        }
        for key, several in values.items()
        for profile, one in zip(("leader", "threat"), several, strict=False)
    )


ASKED: dict[str, Any] = {"items": "none", "metric_playouts": 100}


def test_a_playout_is_told_in_ranges_over_the_profiles_and_what_is_missing_is_left_out() -> None:
    frame = metrics(length=[50.2, 60.4], log_length=[3.9], comeback=[0.11, 0.16], skill=[0.48])
    told = told_of(plan(**ASKED, answer={"kind": "metrics"}), ruleset_metrics=frame)
    assert told == (
        "A playout takes 50.2 turns [45.2, 55.2] under leader to 60.4 turns [54.4, 66.4] under threat. "
        "Who is last at half time wins 11.0 % [9.9, 12.1] under leader to 16.0 % [14.4, 17.6] under threat. "
        "The best policy alone among random ones has a skill share (0 luck, 1 skill) of 0.48 [0.43, 0.53]."
    )


def test_metrics_with_the_same_range_are_both_told() -> None:
    told = told_of(
        plan(**ASKED, answer={"kind": "metrics"}), ruleset_metrics=metrics(comeback=[0.2], interaction=[0.2])
    )
    assert "Who is last at half time wins 20.0 % [18.0, 22.0]." in told
    assert "Others cause 20.0 % [18.0, 22.0] of what is lost." in told


def test_the_answer_tells_the_metrics_that_are_asked_for_in_their_order() -> None:
    frame = metrics(length=[50.0], skill=[0.48], largest=[1.04], floor=[0.6])
    asked = {"kind": "metrics", "metrics": ["seat fairness", "length", "idle time"]}
    told = told_of(plan(**ASKED, answer=asked), ruleset_metrics=frame)
    assert [sentence.split(" ")[1] for sentence in told.split(". ")] == ["place", "chance", "playout"]


def test_changes_against_the_baseline_are_no_part_of_the_answer() -> None:
    frame = pd.concat([metrics(length=[50.0]), metrics(length=[2.0]).assign(against="printed")])
    told = told_of(plan(**ASKED, answer={"kind": "metrics"}), ruleset_metrics=frame)
    assert told == "A playout takes 50.0 turns [45.0, 55.0]."


def test_the_answer_names_its_basis() -> None:
    frame = summary(("bush", 4.0, "stable", "overpowered"))
    told = answer(plan(), {"item_summary": frame})
    assert told.startswith("Against a blank card")
    assert "(900 playouts behind each number unless told otherwise, 95 % intervals; policy profiles leader, " in told
    assert told.endswith("The policies are simple scripts, so expert players may fare differently.")


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"items": "none"}, "items: found none, the answer is about items"),
        ({"answer": {"kind": "metrics"}}, "estimands: 'ruleset_metrics' is missing, the answer is about it"),
        (
            {"answer": {"kind": "metrics", "metrics": ["lenght"]}, "metric_playouts": 100},
            "answer.metrics: found 'lenght', expected one of length, seat fairness, idle time, lead changes",
        ),
    ],
)
def test_an_answer_that_could_not_be_told_is_refused(keys: dict[str, Any], told: str) -> None:
    with pytest.raises(PlanError) as caught:
        plan(**keys)
    assert told in str(caught.value)
