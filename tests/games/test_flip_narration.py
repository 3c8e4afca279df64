"""The narration of flip: every event is told, every turn has its line, the end names the winner."""

from __future__ import annotations

from itertools import pairwise

from sim.components import Ruleset
from sim.engine.contract import NOBODY, WHOLE_WIN, Termination
from sim.engine.lineup import make_lineup
from sim.engine.replay import Recording, replay
from sim.games.flip.game import GAME
from sim.games.flip.narration import narrate
from sim.games.flip.words import Decision, Event
from sim.mechanics.words import End
from tests.support import SEED

COMPONENTS = GAME.load()
MODES = ("draw_loot", "forced_trade", "heal_all", "flip_choice", "move_to_go", "roll_loss")
CHANGES = {
    **{f"modes.{mode}.copies": 6 for mode in MODES},
    "modes.unknown.copies": 0,
    "modes.forced_trade.copies": 20,
    "claim": "optional",
    "loadout_pick": "draft",
    "trade": "valued",
    "jail_try_dice": "action_too",
    "forced_trade_choice": "partner_picks",
}
RULESETS = [COMPONENTS.resolve({}), COMPONENTS.resolve(CHANGES)]
N_PLAYOUTS = 40


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
    assert kinds == set(Event)
    assert decisions == set(Decision)


def test_each_turn_has_a_line_and_the_last_line_names_the_winner() -> None:
    for n_seats in (2, 3, 4):
        for playout in range(N_PLAYOUTS):
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
        "Turn 1, seat 1 (its 22nd): rolls 5 and Crosshairs",
        f"  seat 1 flips tile 0, which now shows {campfire}, Flip (2), {trap}",
        f"  seat 1 moves from GO (0) to {campfire}",
        "  seat 0 loses 4 HP (Crosshairs, by seat 1): 11 HP left",
        "  seat 1 chooses to move seat 1 by 3 spaces",
        "Seat 1 wins with 15 HP",
    ]
    for how in (End.DRAWN, End.TURN_LIMIT):
        ending = (Event.END, NOBODY, how, 0, 0)
        assert narrate(RULESETS[0], 2, [ending])[-1].startswith("Nobody wins")
