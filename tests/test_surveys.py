"""Answers that survey a whole table, from tables small enough to be read."""

from typing import Any

import pandas as pd
import pytest

from sim.experiment import PlanError, check_plan
from sim.experiment.answers import answer
from sim.experiment.surveys import about_items, about_metrics


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
            "n_profiles": 2,
            "smallest": value - 3,
            "largest": value + 3,
            "sign": sign,
            "verdict": verdict,
        }
        for name, value, sign, verdict in items
    )


def test_items_are_told_by_the_strongest_the_weakest_and_those_without_a_sign() -> None:
    frame = summary(
        ("bush", 4.0, "stable", "overpowered"),
        ("pizza_party", 8.0, "unstable", "overpowered"),
        ("mk_seven", -3.0, "undecided", "underpowered"),
    )
    told = about_items(plan(), {"item_summary": frame})
    assert told.startswith("of 3 items 2 are overpowered in some profile and 1 underpowered in all (margin 2 points)")
    assert "Pizza Party moves its holder's win share by +8.0 points (+5.0 to +11.0 over the profiles, [+7.0, " in told
    assert "MK-Seven moves its holder's win share by -3.0 points" in told
    assert told.endswith("whether it helps depends on the policies for Pizza Party")


def test_without_a_grant_the_next_best_estimand_tells() -> None:
    told = about_items(plan(), {"item_summary": summary(("bush", 4.0, "stable", "overpowered"), estimand="deal lift")})
    assert "instead of another item Bush" in told
    assert about_items(plan(), {"item_summary": summary(("bush", 4.0, "stable", "x"), estimand="ban")}).startswith(
        "no item"
    )


def metrics(**values: list[float]) -> pd.DataFrame:
    parts = {
        "length": "mean",
        "log_length": "mean logarithm",
        "comeback": "last at half time wins",
        "interaction": "lost by others' doing",
        "skill": "leader",
        "largest": "largest advantage",
        "floor": "noise floor, mean",
    }
    names = {"log_length": "length", "skill": "skill share", "largest": "seat fairness", "floor": "seat fairness"}
    return pd.DataFrame(
        {
            "variant": "printed",
            "seats": 4,
            "metric": names.get(key, key),
            "part": parts[key],
            "against": "nothing",
            "value": one,
        }
        for key, several in values.items()
        for one in several
    )


def test_a_playout_is_told_in_ranges_over_the_profiles_and_what_is_missing_is_left_out() -> None:
    frame = metrics(length=[50.2, 60.4], log_length=[3.9], comeback=[0.11, 0.16], skill=[0.48])
    told = about_metrics(plan(items="none", answer={"kind": "length"}), {"ruleset_metrics": frame})
    assert told == (
        "a playout takes 50 to 60 turns, who is last at half time wins 11 to 16 % (a fair share is 25 %), "
        "the best policy alone among random ones has a skill share of 0.48"
    )


def test_metrics_with_the_same_range_are_both_told() -> None:
    frame = metrics(comeback=[0.2], interaction=[0.2])
    told = about_metrics(plan(items="none", answer={"kind": "length"}), {"ruleset_metrics": frame})
    assert "who is last at half time wins 20 %" in told
    assert "others cause 20 % of what is lost" in told


def test_the_answer_tells_the_metrics_that_are_asked_for_in_their_order() -> None:
    frame = metrics(length=[50.0], skill=[0.48], largest=[1.04, 2.26], floor=[0.6])
    asked = {"kind": "metrics", "metrics": ["seat fairness", "length", "idle time"]}
    found = plan(items="none", answer=asked, metric_playouts=100)
    assert about_metrics(found, {"ruleset_metrics": frame}) == (
        "the place in turn order furthest from a fair share is 1.0 to 2.3 points off it (0.6 by chance alone), "
        "a playout takes 50 turns"
    )


def test_changes_against_the_baseline_are_no_part_of_the_answer() -> None:
    frame = pd.concat([metrics(length=[50.0]), metrics(length=[2.0]).assign(against="printed")])
    told = about_metrics(plan(items="none", answer={"kind": "length"}), {"ruleset_metrics": frame})
    assert told == "a playout takes 50 turns"


def test_the_answer_names_its_basis() -> None:
    frame = summary(("bush", 4.0, "stable", "overpowered"))
    told = answer(plan(), {"item_summary": frame})
    assert told.startswith("Of 1 items")
    assert told.endswith("95 % intervals; seed 7).")


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
