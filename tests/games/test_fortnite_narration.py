"""The narration of fortnite: every event is told, every turn has its line, the end names the winner."""

from __future__ import annotations

from itertools import pairwise

from sim.components import Ruleset
from sim.engine.contract import NOBODY, WHOLE_WIN, Termination
from sim.engine.lineup import make_lineup
from sim.engine.replay import Recording, replay
from sim.games.fortnite.game import GAME
from sim.games.fortnite.narration import narrate
from sim.games.fortnite.words import Decision, Event, WallDown
from sim.mechanics.words import End
from tests.support import SEED

COMPONENTS = GAME.load()
CHANGES = {
    "trade": "valued",
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


def recorded(ruleset: Ruleset, playout: int, n_seats: int = 4) -> Recording:
    """Return one recorded playout of the policy that chooses at random."""
    return replay(GAME, GAME.pack(ruleset), make_lineup(GAME, ["random"], n_seats), SEED, playout)


def test_every_kind_of_event_and_of_decision_is_told() -> None:
    kinds: set[int] = set()
    decisions: set[int] = set()
    for ruleset in RULESETS:
        for playout in range(N_PLAYOUTS):
            events = recorded(ruleset, playout).events
            lines = narrate(ruleset, 4, events)
            pairs = [(event[0], after[0]) for event, after in pairwise(events)]
            in_header = pairs.count((Event.TURN, Event.ROLL))
            assert len(lines) == 1 + len(events) - in_header
            assert all(line.strip() for line in lines)
            kinds |= {event[0] for event in events}
            decisions |= {event[2] for event in events if event[0] == Event.DECISION}
    assert kinds == set(Event) - {Event.DEAL}
    assert decisions == set(Decision)


def test_each_turn_has_a_line_and_the_last_line_names_the_winner() -> None:
    for n_seats in (2, 5, 7):
        for playout in range(N_PLAYOUTS // 3):
            told = recorded(RULESETS[0], playout, n_seats)
            lines = narrate(RULESETS[0], n_seats, told.events)
            n_turns = sum(event[0] == Event.TURN for event in told.events)
            headers = [line.split(",")[0] for line in lines if line.startswith("Turn ")]
            assert headers == [f"Turn {turn + 1}" for turn in range(n_turns)]
            if told.row.termination == Termination.WON:
                winner = list(told.row.payoff).index(WHOLE_WIN)
                assert lines[-1] == f"Seat {winner} wins with {told.row.final_hp[winner]} HP"
            else:
                assert lines[-1].startswith("Nobody wins")


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
        "  seat 0 is granted Rare weapon",
        "Turn 1, seat 1 (its 22nd): rolls 5 and Crosshairs",
        "  seat 1 moves from GO (0) to Tomato Town (5)",
        "  seat 1 is stopped by the wall on Dusty Divot (3)",
        "  the wall on Dusty Divot (3) is removed, having been reached",
        "  seat 0 loses 4 HP (Crosshairs, by seat 1): 11 HP left",
        "  seat 1 chooses to move seat 1 by 2 spaces backwards",
        "  seat 1 chooses the wall on Tilted Towers (31) as the target",
        "Seat 1 wins with 15 HP",
    ]
    for how in (End.DRAWN, End.TURN_LIMIT):
        ending = (Event.END, NOBODY, how, 0, 0)
        assert narrate(RULESETS[0], 2, [ending])[-1].startswith("Nobody wins")
