"""The narration of fortnite: every event is told, every turn has its line, the end names the winner."""

from __future__ import annotations

import pytest

from sim.games.fortnite.game import GAME
from sim.games.fortnite.narration import narrate
from sim.games.fortnite.words import Decision, Event, Source, WallDown
from tests.games.narration import check_nobody_wins, check_turns_and_end, kinds_told

COMPONENTS = GAME.load()
CHANGES = {
    "trade": "valued",
    "action_duty": "may_lapse",
    "jail_stay": "may_stay",
    "set_bonus_duty": "optional",
    "wall_supply": "move_old",
    "n_walls": 3,
    "action_die.brick": 3,
    "action_die.bandages": 1,
    "action_die.crosshairs": 1,
    "cards.bouncer.copies": 6,
}
RULESETS = [COMPONENTS.resolve({}), COMPONENTS.resolve(CHANGES)]
N_PLAYOUTS = 30


def test_every_kind_of_event_and_of_decision_is_told() -> None:
    kinds, decisions = kinds_told(GAME, narrate, Event, RULESETS, N_PLAYOUTS)
    assert kinds == set(Event) - {Event.DEAL}
    assert decisions == set(Decision)


@pytest.mark.parametrize("n_seats", [2, 5, 7])
def test_each_turn_has_a_line_and_the_last_line_names_the_winner(n_seats: int) -> None:
    check_turns_and_end(GAME, narrate, Event, n_seats, N_PLAYOUTS // 3)


def test_what_is_told_reads_as_it_should() -> None:
    events = [
        (Event.DEAL, 0, 0, 0, 0),
        (Event.TURN, 1, 22, 0, 0),
        (Event.ROLL, 1, 5, 1, 0),
        (Event.MOVE, 1, 0, 5, 0),
        (Event.STOPPED, 1, 3, 0, 0),
        (Event.WALL_DOWN, 1, 3, WallDown.REACHED, 0),
        (Event.HP, 0, -4, 7, 1),
        (Event.DECISION, 1, Decision.BOUNCER, 8 + 4 + 1, 0),
        (Event.DECISION, 1, Decision.TARGET, 8 + 31, 0),
        (Event.END, 1, 0, 0, 0),
    ]
    assert narrate(RULESETS[0], 2, events) == [
        "Set-up: 2 seats with 15 HP each",
        "  seat 1 is granted Rare weapon",
        "Turn 1, seat 2 (its 22nd): rolls 5 and Crosshairs",
        "  seat 2 moves from GO (0) to Tomato Town (5)",
        "  seat 2 is stopped by the wall on Dusty Divot (3)",
        "  the wall on Dusty Divot (3) is removed, having been reached",
        "  seat 1 loses 4 HP (Crosshairs, by seat 2): 11 HP left",
        "  seat 2 chooses to move seat 2 by 2 spaces backwards",
        "  seat 2 chooses the wall on Tilted Towers (31) as the target",
        "Seat 2 wins with 15 HP",
    ]


@pytest.mark.parametrize(
    ("reading", "start", "target", "named"),
    [("on_it", 0, 5, "Dusty Divot (3)"), ("before_it", 0, 5, "Campfire (2)"), ("before_it", 5, 1, "Loot Chest (4)")],
)
def test_the_storm_is_told_by_the_space_landed_on(reading: str, start: int, target: int, named: str) -> None:
    events = [(Event.MOVE, 1, start, target, 0), (Event.STOPPED, 1, 3, 0, 0), (Event.HP, 1, -2, Source.STORM, 1)]
    told = narrate(COMPONENTS.resolve({"wall_space": reading}), 2, events)
    assert told[-1] == f"  seat 2 loses 2 HP (the Storm on {named}): 13 HP left"


def test_a_draw_and_a_turn_limit_are_won_by_nobody() -> None:
    check_nobody_wins(GAME, narrate, Event)
