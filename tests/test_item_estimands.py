"""Estimands of items: which fit, what a plan may ask, and that arms and recorded draws are what they say."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.engine.blocks import CELL, play_call, play_rows
from sim.engine.lineup import make_lineup
from sim.engine.recording import FIRST, RECORDED_AT_ONCE, SEAT, record_playouts
from sim.engine.replay import replay
from sim.experiment import PlanError, check_plan, checkpoint, interventions
from sim.experiment.arms import settings
from sim.experiment.draws import unseen
from sim.experiment.interventions import hand_label
from sim.experiment.run import run_plan
from sim.statistics.estimate import Estimate
from sim.statistics.items import item_spread, item_spread_estimate, shapley_main, spread_difference, spread_sd
from tests.toys.support import add_duel, duel_plan

ESTIMATES = ["value", "mcse"]
AXE = {"effect": "sword", "amount": 3, "copies": 1}


def flip_plan(**keys: Any) -> Any:
    found: dict[str, Any] = {
        "schema": 1,
        "question": "How strong is it?",
        "game": "flip",
        "seats": 4,
        "seed": 7,
        "profile": [{"name": "leader", "policies": ["leader"]}],
    }
    return check_plan(found | keys, "plan.toml")


def fault(**keys: Any) -> str:
    with pytest.raises(PlanError) as caught:
        flip_plan(**keys)
    return str(caught.value)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"items": "all", "item_estimands": ["draws"]}, "found 'draws', expected one of held, deal, draw, ipw"),
        ({"items": "all", "item_estimands": ["draws"]}, "(did you mean 'draw'?)"),
        (
            {"items": ["honey_hitters"], "item_estimands": ["draw"]},
            "found 'draw' for 'honey_hitters', a loadout that is never drawn; expected one of held, deal, grant, abl",
        ),
        ({"items": "all", "item_estimands": ["head_to_head"]}, "with 20 items that make 126 pairs of a family"),
        ({"items": ["bush"], "item_estimands": ["head_to_head"]}, "expected at least 2 items of one family"),
        (
            {"items": ["honey_hitters", "extra_storage"], "item_estimands": ["shapley"]},
            "found 'shapley' with 2 items that make 0 hands of two, expected two items that a seat can have together",
        ),
        ({"items": ["bush"], "item_estimands": ["head_to_head_dealt"]}, "expected at least 2 items of one family"),
        ({"item_estimands": ["ban"]}, 'item_estimands: found ban without items; say items = "all" or name some'),
        (
            {"items": ["bush"], "item_estimands": ["ban"], "answer": {"kind": "item", "item": "bush"}},
            "item_estimands: 'grant' is missing, the answer is told from it",
        ),
    ],
)
def test_an_estimand_that_does_not_fit_is_told_with_what_does(keys: dict[str, Any], told: str) -> None:
    assert told in fault(**keys)


def test_all_items_may_be_asked_for_draws_and_those_that_are_never_drawn_are_left_out() -> None:
    assert flip_plan(items="all", item_estimands=["draw"]).measured == {"draw"}


def test_only_the_arms_of_the_estimands_that_are_asked_are_played() -> None:
    def arms(*names: str) -> list[str]:
        plan = flip_plan(items=["bush", "med_kit", "honey_hitters"], item_estimands=list(names))
        return [arm.name for arm in settings(plan)[0].call.arms]

    assert arms("held", "deal") == ["printed"]
    assert arms("ban") == ["printed", "ban:loot:bush", "ban:loot:med_kit", "ban:loadout:honey_hitters"]
    assert arms("head_to_head") == ["printed", "rivals:med_kit:loot:bush"]
    assert len(arms("ablation")) == 1 + 3
    assert len(arms("grant")) == 1 + 3 * 3
    assert arms("head_to_head_dealt") == ["printed"]
    assert len(arms("shapley")) == 1 + 2 * 3 + 4  # two hands that are dealt, and one that is granted in all four arms


def test_two_loot_cards_are_granted_to_one_seat_and_blank_in_turn() -> None:
    plan = flip_plan(playouts=40, paired_playouts=40, items=["bush", "med_kit"], item_estimands=["shapley"])
    setting = settings(plan)[0]
    arms = {arm.name: arm for arm in setting.call.arms[1:]}
    assert all([grant.card for grant in arm.grants] == [5, 10] for arm in arms.values())
    effects = {name: arm.rules["loot_effect"][0, [5, 10]].tolist() for name, arm in arms.items()}
    bush, med_kit = setting.call.arms[0].rules["loot_effect"][0, [5, 10]].tolist()
    assert list(effects.values()) == [[bush, med_kit], [bush, 0], [0, med_kit], [0, 0]]
    totals = play_call(setting.call, 1).pairs[hand_label(*setting.items)]
    assert totals["n_holders"] == totals["n_both"] == 40


def test_the_worth_of_an_item_in_granted_hands_is_the_mean_over_them_in_each_playout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Hands are granted in the same playouts: the error is that of the sums over hands, not of hands apart."""
    add_duel(monkeypatch)
    changes = {f"cards.{name}.{column}": value for name in ("axe", "lance") for column, value in AXE.items()}
    variant = [{"name": "duel", "changes": {**changes, "hit_faces": 3, "prize_faces": 0, "start_hp": 5}}]
    names = ["sword", "axe", "lance"]
    plan = duel_plan(seats=3, playouts=150, paired_playouts=150, variant=variant, items=names)
    plan = plan.model_copy(update={"item_estimands": ["shapley"]})
    setting = settings(plan)[0]
    arms = {arm.name: arm for arm in setting.call.arms}
    sword, axe, lance = setting.items
    worth = np.zeros(150)
    for one, other in ((sword, axe), (axe, lance)):  # the axe stands behind the sword and before the lance
        for gone in ((), (other,), (one,), (one, other)):
            rows = play_rows(setting.call.game, arms[hand_label(one, other, *gone)], 11, 0, 150)[0][0]
            share = rows["payoff"][np.arange(150), np.arange(150) % 3] / 840
            worth += (-1 if axe in gone else 1) * share / 4
    frame = run_plan(plan, 1).item_balance().set_index(["item", "estimand"])
    row = frame.loc[("axe", "shapley value")]
    assert row["value"] == pytest.approx(100 * worth.mean())
    assert row["mcse"] == pytest.approx(100 * worth.std(ddof=1) / np.sqrt(150))
    assert row["n_playouts"] == row["n_with_item"] == 150


def test_a_hand_of_items_with_several_copies_grants_a_twin_of_each() -> None:
    changes = {"cards.bush.copies": 3, "cards.med_kit.copies": 2}
    variant = [{"name": "more", "changes": changes}]
    plan = flip_plan(playouts=40, variant=variant, items=["bush", "med_kit", "clinger"], item_estimands=["shapley"])
    bush, med_kit, clinger = (item for item in settings(plan)[0].items)
    assert [grant.card for grant in interventions.grants_of(bush, med_kit)] == [17, 18]
    assert [grant.card for grant in interventions.grants_of(bush, clinger)] == [18, 13]  # a bush less before it
    assert [interventions.granted_row(item, bush, med_kit) for item in (bush, med_kit)] == [17, 18]
    rules = {arm.name: arm.rules for arm in settings(plan)[0].call.arms}
    whole, without = (rules[hand_label(bush, med_kit, *gone)]["loot_effect"][0] for gone in ((), (bush,)))
    assert list(np.flatnonzero(whole != without)) == [17]


@pytest.mark.compiled_only(reason="thousands of playouts in each arm")
def test_a_ban_is_the_variant_without_the_item() -> None:
    variants = [{"name": "printed"}, {"name": "banned", "changes": {"cards.bush.copies": 0}}]
    found = run_plan(flip_plan(variant=variants, playouts=2000, items=["bush"], item_estimands=["ban"]))
    rows = found.item_balance().set_index("quantity")
    lifts = found.compare().set_index("quantity")
    for quantity in ("win share, place 1", "win share, place 4", "length"):
        assert rows.loc[quantity, "value"] == lifts.loc[quantity, "value"]
        assert rows.loc[quantity, "mcse"] == pytest.approx(lifts.loc[quantity, "mcse"])
    assert rows.loc["length", "unit"] == "turns"
    assert rows.loc["spread of the other items", "verdict"] == "not judged"


@pytest.mark.compiled_only(reason="thousands of playouts in each arm")
def test_a_card_that_does_nothing_is_worth_nothing_in_any_hand() -> None:
    changes = {"cards": {"placebo": {"copies": 1}}}
    items = ["placebo", "bush", "honey_hitters"]
    plan = flip_plan(variant=[{"name": "with", "changes": changes}], playouts=8000, items=items)
    found = run_plan(plan.model_copy(update={"item_estimands": ["shapley"], "paired_playouts": 8000}))
    frame = found.item_balance()
    values = frame[frame["estimand"] == "shapley value"].set_index(["item", "against"])
    assert len(values) == 2 + 2 + 1  # two cards beside the other card and beside the loadout, and the loadout
    assert (values.loc["placebo", ESTIMATES] == 0).all(axis=None)
    assert (values.loc["bush", "mcse"] > 0).all()
    hands_of = frame[frame["estimand"] == "interaction"]
    idle = hands_of[(hands_of[["item", "against"]] == "placebo").any(axis=1)]
    assert len(idle) == 2  # granted with the bush, dealt with the loadout
    assert (idle[ESTIMATES] == 0).all(axis=None)
    assert idle["verdict"].str.contains("no interaction shown").all()
    assert "interaction" not in set(found.item_summary()["estimand"])


@pytest.mark.compiled_only(reason="thousands of playouts in each arm")
def test_a_hand_is_dealt_to_one_seat_and_its_worth_is_that_of_the_arms() -> None:
    plan = flip_plan(playouts=4000, paired_playouts=4000, items=["bush", "honey_hitters"], item_estimands=["shapley"])
    setting = settings(plan)[0]
    bush, honey = setting.items
    totals = play_call(setting.call, 2).pairs[hand_label(bush, honey)]
    assert 200 <= int(totals["n_holders"]) <= 300  # one deal in sixteen
    both, bush_only, honey_only, none = (int(number) for number in totals["hand"])
    assert both > max(bush_only, honey_only) > none
    assert (totals["hand_products"] == totals["hand_products"].T).all()
    frame = run_plan(plan).item_balance().set_index(["item", "estimand"])
    n, whole = int(totals["n_holders"]), 840
    assert frame.loc[("bush", "shapley value"), "value"] == pytest.approx(
        100 * (both - honey_only + bush_only - none) / 2 / n / whole
    )
    assert frame.loc[("bush", "interaction"), "value"] == pytest.approx(
        100 * (both - bush_only - honey_only + none) / n / whole
    )


def test_in_the_ordinary_deal_only_playouts_count_in_which_one_seat_has_each_of_the_two(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    add_duel(monkeypatch)
    changes = {"cards.sword.copies": 2, "cards.plain.copies": 2, "cards.idle.copies": 1, "cards.idle.effect": "blank"}
    keys = {"seats": 3, "playouts": 200, "items": ["sword", "plain"], "item_estimands": ["head_to_head_dealt"]}
    setting = settings(duel_plan(variant=[{"name": "duel", "changes": changes}], **keys))[0]
    sword, plain = setting.items
    totals = play_call(setting.call, 1).pairs[interventions.meeting_label(sword, plain)]
    rows = play_rows(setting.call.game, setting.call.arms[0], 11, 0, 200)[0][0]
    holders = [(rows["dealt_card"] == 1 << row).sum(axis=1) for row in (0, 1)]
    met = (holders[0] == 1) & (holders[1] == 1)
    assert 0 < int(totals["n_both"]) == met.sum() < ((holders[0] > 0) & (holders[1] > 0)).sum()


def test_threads_and_blocks_change_no_byte_of_interventions(monkeypatch: pytest.MonkeyPatch) -> None:
    add_duel(monkeypatch)
    plan = duel_plan(playouts=CELL + 60, variant=[{"name": "duel"}], items=["sword", "plain"])
    plan = plan.model_copy(update={"item_estimands": ["ban", "head_to_head", "head_to_head_dealt", "grant", "shapley"]})
    call = settings(plan)[0].call
    assert checkpoint.digest([play_call(call, 1)]) == checkpoint.digest([play_call(call, 2)])


def test_a_recorded_playout_is_the_replayed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    add_duel(monkeypatch)
    setting = settings(duel_plan(seats=3, playouts=5, variant=[{"name": "duel"}], items="none"))[0]
    game, arm = setting.call.game, setting.call.arms[0]
    (recorded,) = record_playouts(game, arm, 11, 2, 3)
    for place, playout in enumerate(recorded.playouts):
        told = replay(game, arm.rules, make_lineup(game, ["random"], 3), 11, int(playout))
        assert [tuple(event) for event in recorded.events[recorded.place == place]] == told.events
        assert recorded.rows[place] == told.row
    assert recorded.of_kind("DEAL", "").sum() == 3 * 3
    assert set(recorded.events[recorded.of_kind("DEAL"), SEAT]) == {0, 1, 2}


def test_playouts_are_recorded_some_hundreds_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    add_duel(monkeypatch)
    setting = settings(duel_plan(playouts=5, variant=[{"name": "duel"}], items="none"))[0]
    parts = list(record_playouts(setting.call.game, setting.call.arms[0], 11, 0, RECORDED_AT_ONCE + 1))
    assert [len(part.playouts) for part in parts] == [RECORDED_AT_ONCE, 1]
    assert (parts[0].events[parts[0].of_kind("DEAL"), FIRST] < 4).all()


def test_what_was_not_seen_is_what_may_come() -> None:
    place = np.array([0, 0, 0, 1, 1])
    card = np.array([2, 0, 2, 1, 0])
    fresh, left = unseen(place, card, 3)
    assert fresh.tolist() == [True, True, False, True, True]
    assert left.tolist() == [
        [True, True, True],
        [True, True, False],
        [False, True, False],
        [True, True, True],
        [True, False, True],
    ]


def lift(value: float, mcse: float = 0.01, n: int = 1000) -> Estimate:
    return Estimate(value, mcse, value - 2 * mcse, value + 2 * mcse, 0.95, n)


def test_spread_of_items_has_an_interval_round_it() -> None:
    lifts = [lift(0.05), lift(-0.03), lift(-0.02)]
    estimate = item_spread_estimate(lifts)
    assert estimate.value == spread_sd(item_spread(lifts))
    assert estimate.lower < estimate.value < estimate.upper
    assert item_spread_estimate([lift(0.0), lift(0.001)]).value == 0


def test_the_spread_covers_the_truth_as_often_as_told() -> None:
    true = np.array([0.06, 0.02, -0.01, -0.03, -0.04, 0.0])
    tau = float(np.sqrt(np.mean(true**2)))
    inside = []
    for seen in true + stats.norm.rvs(scale=0.01, size=(1000, len(true)), random_state=5):
        estimate = item_spread_estimate([lift(float(value)) for value in seen])
        inside.append(estimate.lower <= tau <= estimate.upper)
    assert 0.93 <= np.mean(inside) <= 0.97


def test_the_difference_of_spreads_is_as_unsure_as_both() -> None:
    change = spread_difference(lift(0.05, 0.03), lift(0.02, 0.04))
    assert (change.value, change.mcse) == (pytest.approx(0.03), pytest.approx(0.05))


def test_a_shapley_value_is_the_mean_over_partners() -> None:
    whole = shapley_main([lift(0.04, 0.03, 10), lift(0.02, 0.04, 20)])
    assert (whole.value, whole.mcse, whole.n_playouts) == (pytest.approx(0.03), pytest.approx(0.025), 30)
    with pytest.raises(ValueError, match="no lift was given"):
        shapley_main([])


def test_a_result_with_bans_only_is_saved_without_a_figure_of_lifts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    add_duel(monkeypatch)
    plan = duel_plan(playouts=100, variant=[{"name": "duel"}], items=["sword"], item_estimands=["ban"])
    result = run_plan(plan, 1)
    folder = result.save(tmp_path / "results")
    assert not (folder / "figures" / "item_balance.svg").exists()
    assert (folder / "figures" / "length.svg").exists()
    assert "item_summary" not in result.tables
