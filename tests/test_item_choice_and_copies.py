"""Items that seats choose, and items with several copies: what can be told of them, and what a grant compares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim import jit
from sim.engine.blocks import Arm, play_rows
from sim.experiment.arms import CONTROL, GRANT, Item, Setting, settings
from sim.experiment.plan import PlanError, check_plan
from sim.experiment.run import run_plan
from sim.games.flip.game import GAME
from tests.support import SEED

N_PLAYOUTS = 24 if jit.INTERPRETED else 60
DRAFT = {"loadout_pick": "draft"}
QUESTION = {"schema": 1, "question": "How strong?", "game": "flip", "seats": 3, "seed": SEED, "items": "all"}


def asked(changes: dict[str, Any], policy: str = "random", **keys: Any) -> dict[str, Any]:
    """Return the keys of a plan about the items of one variant."""
    profile, variant = {"name": policy, "policies": [policy]}, {"name": "base", "changes": changes}
    about = {"playouts": N_PLAYOUTS, "paired_playouts": N_PLAYOUTS, "profile": [profile], "variant": [variant]}
    return {**QUESTION, **about, **keys}


def told_of(table: Any, family: str) -> set[str]:
    """Return the estimands that a table tells of a family."""
    return set(table[table["family"] == family]["estimand"])


def test_F_R7_what_is_chosen_has_no_deal_and_no_ablation_lift() -> None:
    items = ["slones_pulse_rifle", "honey_hitters", "med_mist_plus"]
    dealt, chosen = (run_plan(check_plan(asked(changes, items=items)), 1) for changes in ({}, DRAFT))
    everything = {"held win rate (confounded)", "deal lift", "grant lift", "ablation lift"}
    assert told_of(dealt.item_balance(), "loadout") == everything
    assert told_of(chosen.item_balance(), "loadout") == {"held win rate (confounded)", "grant lift"}
    assert told_of(chosen.item_balance(), "loot") == everything
    assert set(dealt.table("item_share")["family"]) == {"loot", "loadout"}
    assert set(chosen.table("item_share")["family"]) == {"loot"}
    grants = chosen.item_balance().query("family == 'loadout' and estimand == 'grant lift'")
    assert (grants["n_with_item"] == N_PLAYOUTS).all()  # each playout grants anew, none is taken from the draft


@pytest.mark.parametrize("changes", [({}, DRAFT), (DRAFT, {}), (DRAFT, {**DRAFT, "claim": "optional"})])
def test_F_R7_variants_are_not_compared_by_what_is_chosen_in_one_of_them(changes: tuple[Any, Any]) -> None:
    variants = [{"name": name, "changes": found} for name, found in zip(("base", "other"), changes, strict=True)]
    result = run_plan(check_plan(asked({}, items=["bush", "honey_hitters"], variant=variants)), 1)
    quantities = set(result.compare()["quantity"])
    assert "deal lift, bush" in quantities
    assert not any("honey_hitters" in quantity for quantity in quantities)


def test_F_R7_an_estimand_that_a_choice_takes_away_is_refused_by_name() -> None:
    with pytest.raises(PlanError, match="'deal' for 'honey_hitters', a loadout that is never dealt at random"):
        check_plan(asked(DRAFT, items=["honey_hitters"], item_estimands=["deal"]))


def setting_of(changes: dict[str, Any], policy: str = "random") -> Setting:
    """Return the one setting of a plan about all items."""
    return settings(check_plan(asked(changes, policy)))[0]


def arms_of(setting: Setting, name: str) -> tuple[Item, Arm, Arm]:
    """Return an item with its grant and its control arm."""
    item = next(item for item in setting.items if item.name == name)
    arms = {arm.name: arm for arm in setting.call.arms}
    return item, arms[item.label(GRANT)], arms[item.label(CONTROL)]


@pytest.mark.parametrize(
    ("table", "name", "column"),
    [("cards", "chug_cannon", "loot_effect"), ("loadouts", "med_mist_plus", "loadout_effect")],
)
def test_the_control_of_a_grant_blanks_the_one_copy_that_is_granted(table: str, name: str, column: str) -> None:
    item, granted, control = arms_of(setting_of({f"{table}.{name}.copies": 3}), name)
    assert granted.grants == control.grants
    (grant,) = granted.grants
    ours, theirs = granted.rules[column][0][: item.n_cards], control.rules[column][0][: item.n_cards]
    assert list(np.flatnonzero(ours != theirs)) == [grant.card] == [item.n_cards - 1]
    assert (ours == ours[item.card]).sum() == item.copies
    rows = [play_rows(GAME, arm, SEED, 0, 40)[0][0] for arm in (granted, control)]
    for family in ("loot", "loadout"):
        assert (rows[0][f"dealt_{family}"] == rows[1][f"dealt_{family}"]).all()
    assert (rows[0]["payoff"] != rows[1]["payoff"]).any()


@pytest.mark.parametrize("policy", ["random", "threat"])
def test_granting_one_of_several_placebos_is_worth_nothing_to_the_byte(policy: str) -> None:
    changes = {"cards.placebo.copies": 3, "loadouts.placebo.copies": 2}
    plan = check_plan(asked(changes, policy, items=["placebo"]))
    grants = run_plan(plan, 1).item_balance().query("estimand == 'grant lift'")
    assert list(grants["family"]) == ["loot", "loadout"]
    assert (grants["value"] == 0).all()
    assert (grants["mcse"] == 0).all()


def test_one_copy_is_granted_by_the_deal_itself_and_needs_no_twin() -> None:
    item, granted, control = arms_of(setting_of({}), "bush")
    assert granted.only is not None
    assert len(granted.rules["loot_effect"][0]) == len(control.rules["loot_effect"][0])
    assert [grant.card for grant in granted.grants] == [item.card]
