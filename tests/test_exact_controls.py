"""Exact controls through the whole way from plan to table: the Sword duel, the placebo trophy, A/A runs.

Exact values are those of `reference_values.json` of the method (sword.3, sword.4, placebo.2p.2 to placebo.4p.2).
"""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.engine.blocks import play_rows
from sim.experiment.arms import settings
from sim.experiment.run import run_plan
from tests.toys.support import add_duel, duel_plan

ESTIMATES = ["value", "mcse"]
FAR = 4  # standard errors
SWORD = {"hit_faces": 3, "prize_faces": 0}
POTIONS = {
    "cards.sword.effect": "blank",
    "prizes_return": 0,
    "hit_faces": 3,
    "prize_faces": 2,
    "prizes.potion.copies": 1,
    "prizes.trophy.copies": 2,
}


@pytest.fixture(autouse=True)
def duel(monkeypatch: pytest.MonkeyPatch) -> None:
    add_duel(monkeypatch)


def told(changes: dict[str, Any], **keys: Any) -> Any:
    variant = [{"name": "duel", "changes": changes}]
    return run_plan(duel_plan(variant=variant, **keys), 2)


def lifts_of(result: Any, item: str) -> Any:
    frame = result.item_balance()
    return frame[frame["item"] == item].set_index("estimand")


@pytest.mark.compiled_only(reason="200,000 playouts in each arm")
@pytest.mark.parametrize(
    ("health", "deal", "ablation"),
    [(3, Fraction(28, 81), Fraction(7, 27)), (4, Fraction(128, 243), Fraction(32, 81))],
)
def test_the_sword_has_its_exact_deal_grant_and_ablation_lift(health: int, deal: Fraction, ablation: Fraction) -> None:
    found = lifts_of(told({**SWORD, "start_hp": health}, playouts=200_000, items=["sword"]), "sword")
    exact = {"deal lift": deal, "grant lift": ablation, "ablation lift": ablation}
    for estimand, value in exact.items():
        row = found.loc[estimand]
        assert row["mcse"] < 0.5
        assert abs(row["value"] - 100 * float(value)) < FAR * row["mcse"], estimand


@pytest.mark.compiled_only(reason="100,000 playouts")
def test_the_sword_head_to_head_with_a_plain_card_wins_twice_its_ablation() -> None:
    """All seats but two hold blanks, so in the duel the rival's share is one minus the holder's: 2 (P - 1/2)."""
    wanted = {"items": "all", "item_estimands": ["head_to_head"]}
    frame = told({**SWORD, "start_hp": 3, "cards.plain.copies": 3}, playouts=100_000, **wanted).item_balance()
    row = frame[(frame["item"] == "sword") & (frame["against"] == "plain")].iloc[0]
    assert abs(row["value"] - 100 * 2 * 7 / 27) < FAR * row["mcse"]
    mirrored = frame[(frame["item"] == "plain") & (frame["against"] == "sword")].iloc[0]
    assert mirrored["value"] == -row["value"]


@pytest.mark.compiled_only(reason="300,000 playouts each")
@pytest.mark.parametrize(
    ("seats", "held", "never"),
    [
        (2, Fraction(56, 131), Fraction(88, 157)),
        (3, Fraction(3399172, 9742639), Fraction(2824220, 8927537)),
        (4, Fraction(113115610918072, 393795128975749), Fraction(67135873991480, 327210810662459)),
    ],
)
def test_a_trophy_that_does_nothing_has_the_exact_held_win_rate_that_only_luck_gives(
    seats: int, held: Fraction, never: Fraction
) -> None:
    """-13.3, +3.3 and +8.2 points: the held rate is confounded, and not even its sign means anything."""
    result = told(
        {"cards.sword.effect": "blank"}, seats=seats, playouts=300_000, items=["trophy"], item_estimands=["held"]
    )
    row = lifts_of(result, "trophy").iloc[0]
    assert row["mcse"] < 0.2
    assert abs(row["value"] - 100 * float(held - never)) < FAR * row["mcse"]
    assert row["verdict"] == "confounded"


def test_the_trophy_changes_no_playout_when_it_is_blank_or_when_it_is_a_card_that_is_dealt() -> None:
    """Ablation is exactly 0, playout by playout."""
    setting = settings(duel_plan(seats=4, playouts=200, items="none", variant=[{"name": "duel"}]))[0]
    game, arm = setting.call.game, setting.call.arms[0]
    rows, _ = play_rows(game, arm, 11, 0, 200)
    assert rows["held_prize"].any()
    dealt = told({"prizes.trophy.copies": 0}, seats=4, playouts=200, items=["plain"])
    for estimand in ("grant lift", "ablation lift"):
        assert (lifts_of(dealt, "plain").loc[estimand, ESTIMATES] == 0).all()


@pytest.mark.compiled_only(reason="60,000 recorded playouts")
def test_the_draw_lift_of_a_potion_is_exact_and_known_chances_agree() -> None:
    keys = {"playouts": 60_000, "paired_playouts": 60_000, "items": ["potion"], "item_estimands": ["draw", "ipw"]}
    found = lifts_of(told(POTIONS, **keys), "potion")
    exact = 100 * exact_draw_lift()
    for _, row in found.iterrows():
        assert row["mcse"] < 0.5
        assert abs(row["value"] - exact) < FAR * row["mcse"]
    assert found.loc["draw lift by known chances", "verdict"] == "agrees with the draw lift"


def exact_draw_lift() -> float:
    """Return the draw lift of the only potion among two blanks: 2 HP, half of the faces hit, a third draw.

    Over all draws at which both can come: the chance to win after the potion minus that after a blank.
    """
    hit, draw = 3 / 6, 2 / 6
    most = 3  # HP with the potion
    states = [
        (mine, theirs, potions, blanks)
        for mine in range(1, most + 1)
        for theirs in range(1, most + 1)
        for potions in (0, 1)
        for blanks in (0, 1, 2)
    ]
    wins = dict.fromkeys(states, 0.5)  # of the seat to move
    value = {state: np.zeros(2) for state in states}  # lifts and draws still to come
    for _ in range(300):
        new_wins, new_value = {}, {}
        for mine, theirs, potions, blanks in states:
            after = (theirs, mine, potions, blanks)
            stay = 1 - hit - draw if potions + blanks else 1 - hit
            win = stay * (1 - wins[after])
            total = stay * value[after]
            if theirs == 1:
                win += hit
            else:
                hurt = (theirs - 1, mine, potions, blanks)
                win += hit * (1 - wins[hurt])
                total = total + hit * value[hurt]
            n_left = potions + blanks
            healed = (theirs, min(mine + 1, most), 0, blanks)
            nothing = (theirs, mine, potions, max(0, blanks - 1))
            if n_left:
                chance = potions / n_left
                win += draw * (chance * (1 - wins[healed]) + (1 - chance) * (1 - wins[nothing]))
                total = total + draw * (chance * value[healed] + (1 - chance) * value[nothing])
            if potions and blanks:
                total = total + draw * np.array([wins[nothing] - wins[healed], 1.0])
            new_wins[mine, theirs, potions, blanks] = win
            new_value[mine, theirs, potions, blanks] = total
        wins, value = new_wins, new_value
    lifts, draws = value[2, 2, 1, 2]
    return float(lifts / draws)


@pytest.mark.compiled_only(reason="400 runs of 1,000 playouts")
def test_equal_rules_under_two_seeds_give_uniform_p_values() -> None:
    """A/A: seat 0 of one run against seat 0 of the next; 200 p-values, Kolmogorov-Smirnov."""
    setting = settings(duel_plan(seats=2, playouts=1000, items="none", variant=[{"name": "duel"}]))[0]
    game, arm = setting.call.game, setting.call.arms[0]
    chances = []
    for seed in range(200):
        wins = [
            int((play_rows(game, arm, 1000 * side + seed, 0, 1000)[0]["payoff"][0, :, 0] > 0).sum()) for side in (1, 2)
        ]
        table = [[wins[0], 1000 - wins[0]], [wins[1], 1000 - wins[1]]]
        chances.append(stats.chi2_contingency(table, correction=False).pvalue)
    assert stats.kstest(chances, "uniform").pvalue > 0.01
    assert 0.02 <= np.mean(np.array(chances) < 0.05) <= 0.09


@pytest.mark.compiled_only(reason="200 runs of 1,000 playouts")
def test_deal_lifts_of_cards_that_do_nothing_are_as_sure_as_they_say() -> None:
    """A/A: the deal lift of a plain card among plain ones is 0; 200 runs, z uniform and intervals cover as told."""
    changes = {"cards.sword.effect": "blank", "prizes.trophy.copies": 0}
    inside = []
    chances = []
    for seed in range(200):
        result = told(changes, seed=seed, playouts=1000, items=["sword"], item_estimands=["deal"])
        row = result.item_balance().iloc[0]
        chances.append(2 * stats.norm.sf(abs(row["value"]) / row["mcse"]))
        inside.append(row["lower"] <= 0 <= row["upper"])
    assert stats.kstest(chances, "uniform").pvalue > 0.01
    assert 0.91 <= np.mean(inside) <= 0.985


def win_of_two(mine: int, theirs: int, health: int, is_first: bool) -> Fraction:
    """Return the chance to win a duel of two that hit half of the time, by the damage of both and who begins."""
    hit = Fraction(1, 2)
    chance: dict[tuple[int, int, bool], Fraction] = {}

    def wins(left: int, other: int, is_mine: bool) -> Fraction:
        """Return my chance with so much health left, by whose turn it is."""
        if left <= 0 or other <= 0:
            return Fraction(int(left > 0))
        key = left, other, is_mine
        if key not in chance:
            after = {True: wins(left, other - mine, False), False: wins(left - theirs, other, True)}
            # a miss hands the turn over: mine = hit a + (1 - hit) theirs, theirs = hit b + (1 - hit) mine
            whole = 1 - (1 - hit) ** 2
            for turn in (True, False):
                chance[left, other, turn] = hit * (after[turn] + (1 - hit) * after[not turn]) / whole
        return chance[key]

    return wins(health, health, is_first)


def worth_of(damage: int, left: list[int]) -> Fraction:
    """Return the share of a seat with a damage, beginning or not, against cards dealt alike, by their damage."""
    cases = [win_of_two(damage, theirs, HEALTH, is_first) for theirs in left for is_first in (True, False)]
    return sum(cases, Fraction(0)) / len(cases)


HEALTH = 6
SWORDS = {"sword": 2, "lance": 3, "axe": 5}


@pytest.mark.compiled_only(reason="60,000 playouts in each of 12 arms")
@pytest.mark.parametrize("n_swords", [1, 2])
def test_hands_of_two_cards_have_their_exact_shapley_values_and_interactions(n_swords: int) -> None:
    """The damage of two swords adds up; the other seat is dealt one of the cards that are left."""
    changes = {**SWORD, "start_hp": HEALTH, "cards.sword.copies": n_swords, "cards.plain.copies": 2}
    for name in ("lance", "axe"):
        changes |= {f"cards.{name}.effect": "sword", f"cards.{name}.amount": SWORDS[name], f"cards.{name}.copies": 1}
    keys = {"playouts": 60_000, "paired_playouts": 60_000, "items": list(SWORDS), "item_estimands": ["shapley"]}
    frame = told(changes, **keys).item_balance()
    values: dict[str, list[Fraction]] = {name: [] for name in SWORDS}
    together: dict[frozenset[str], Fraction] = {}
    for one, other in (("sword", "lance"), ("sword", "axe"), ("lance", "axe")):
        (third,) = set(SWORDS) - {one, other}
        n_third = n_swords if third == "sword" else 1
        left = [1, 1, *[SWORDS[third]] * n_third, *[2] * (n_swords - 1 if third != "sword" else 0)]
        none, first, second = (worth_of(damage, left) for damage in (1, SWORDS[one], SWORDS[other]))
        both = worth_of(SWORDS[one] + SWORDS[other] - 1, left)
        interaction = both - first - second + none
        together[frozenset({one, other})] = interaction
        values[one].append(first - none + interaction / 2)
        values[other].append(second - none + interaction / 2)
    shapley = frame[frame["estimand"] == "shapley value"].set_index("item")
    assert set(shapley["against"]) == {"blank, beside each card"}
    for name, found in values.items():
        assert shapley.loc[name, "mcse"] < 0.2
        assert abs(shapley.loc[name, "value"] - 100 * float(sum(found) / 2)) < FAR * shapley.loc[name, "mcse"], name
    interactions = frame[frame["estimand"] == "interaction"]
    assert len(interactions) == 3
    for _, row in interactions.iterrows():
        exact = 100 * float(together[frozenset({row["item"], row["against"]})])
        assert abs(row["value"] - exact) < FAR * row["mcse"]


@pytest.mark.compiled_only(reason="200,000 playouts")
def test_the_sword_in_the_ordinary_deal_beats_a_plain_card_as_head_to_head_when_nothing_else_is_dealt() -> None:
    """At two seats the other seat is the rival, so both readings of I6 are one; their intervals are not."""
    changes = {**SWORD, "start_hp": 3, "cards.plain.copies": 3}
    keys = {"items": "all", "item_estimands": ["head_to_head", "head_to_head_dealt"]}
    frame = told(changes, playouts=200_000, **keys).item_balance()
    for estimand in ("head to head", "head to head, ordinary deal"):
        row = frame[(frame["estimand"] == estimand) & (frame["item"] == "sword") & (frame["against"] == "plain")].iloc[
            0
        ]
        assert abs(row["value"] - 100 * 2 * 7 / 27) < FAR * row["mcse"], estimand
