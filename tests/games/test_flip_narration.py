"""The narration of flip: every event is told, every turn has its line, the end names the winner."""

from __future__ import annotations

import pytest

from sim.games.flip.game import GAME
from sim.games.flip.narration import narrate
from sim.games.flip.words import Decision, Event, Source
from tests.games.narration import check_nobody_wins, check_turns_and_end, kinds_told

COMPONENTS = GAME.load()
MODES = ("draw_loot", "forced_trade", "heal_all", "flip_choice", "move_to_go", "roll_loss")
CHANGES = {
    **{f"modes.{mode}.copies": 6 for mode in MODES},
    "modes.unknown.copies": 0,
    "modes.forced_trade.copies": 20,
    "claim": "optional",
    "loadout_pick": "draft",
    "trade": "valued",
    "action_duty": "may_lapse",
    "jail_try_dice": "action_too",
    "forced_trade_choice": "partner_picks",
}
RULESETS = [COMPONENTS.resolve({}), COMPONENTS.resolve(CHANGES)]
N_PLAYOUTS = 40


def test_every_kind_of_event_and_of_decision_is_told() -> None:
    kinds, decisions = kinds_told(GAME, narrate, Event, RULESETS, N_PLAYOUTS)
    assert kinds == set(Event)
    assert decisions == set(Decision)


@pytest.mark.parametrize("n_seats", [2, 3, 4])
def test_each_turn_has_a_line_and_the_last_line_names_the_winner(n_seats: int) -> None:
    check_turns_and_end(GAME, narrate, Event, n_seats, N_PLAYOUTS)


def test_what_is_told_reads_as_it_should() -> None:
    events = [
        (Event.TURN, 1, 22, 0, 0),
        (Event.ROLL, 1, 5, 1, 0),
        (Event.FLIP, 1, 0, 1, 0),
        (Event.MOVE, 1, 0, 1, 0),
        (Event.HP, 0, -4, 7, 1),
        (Event.DECISION, 1, Decision.MOVER, 8 + 2, 0),
        (Event.END, 1, 0, 0, 0),
    ]
    campfire = "Cozy Campfire (1, back of Condo Canyon)"
    trap = "Damage Trap (3, back of Location 1)"
    assert narrate(RULESETS[0], 2, events) == [
        "Set-up: 2 seats with 15 HP each",
        "Turn 1, seat 2 (its 22nd): rolls 5 and Crosshairs",
        f"  seat 2 flips tile 0, which now shows {campfire}, Flip (2), {trap}",
        f"  seat 2 moves from GO (0) to {campfire}",
        "  seat 1 loses 4 HP (Crosshairs, by seat 2): 11 HP left",
        "  seat 2 chooses to move seat 2 by 3 spaces",
        "Seat 2 wins with 15 HP",
    ]


def test_the_storm_is_told_by_where_it_is_and_a_shot_without_a_target_is_told() -> None:
    events = [
        (Event.MOVE, 1, 31, 1, 0),
        (Event.HP, 1, -2, Source.GO_STORM, 1),
        (Event.HP, 1, -3, Source.STORM, 1),
        (Event.NO_TARGET, 1, 0, 0, 0),
    ]
    assert narrate(RULESETS[0], 2, events)[2:] == [
        "  seat 2 loses 2 HP (the Storm on GO): 13 HP left",
        "  seat 2 loses 3 HP (the Storm on Condo Canyon (1)): 10 HP left",
        "  seat 2 has no target for Crosshairs",
    ]


def test_what_is_named_after_a_first_item_of_a_trade_is_told_as_more() -> None:
    asked = [(Decision.TRADE_WANT, 4), (Decision.TRADE_WANT, 62), (Decision.TRADE_OFFER, 2), (Decision.TRADE_OFFER, 3)]
    events = [(Event.DECISION, 0, decision, option, 0) for decision, option in [*asked, (Decision.TRADE_WANT, 62)]]
    names = COMPONENTS.resolve({}).tables["locations"]
    assert narrate(RULESETS[0], 2, events)[1:] == [
        f"  seat 1 chooses to ask for {names[4]['name']}",
        "  seat 1 chooses to ask for nothing more",
        f"  seat 1 chooses to offer {names[2]['name']}",
        f"  seat 1 chooses to offer {names[3]['name']} too",
        "  seat 1 chooses to ask for no trade",
    ]


def test_a_draw_and_a_turn_limit_are_won_by_nobody() -> None:
    check_nobody_wins(GAME, narrate, Event)
