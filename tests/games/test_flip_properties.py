"""What holds in every playout of flip, whatever the variant, the seats, the policies and the luck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim import jit
from sim.components import Ruleset
from sim.decks import DECK_CAPACITY
from sim.engine.blocks import CELL, Arm, Array, Call, make_assignment, play_call, play_rows
from sim.engine.contract import WHOLE_WIN, Termination
from sim.engine.lineup import make_lineup
from sim.engine.replay import Recording, replay
from sim.games.flip.game import GAME
from sim.games.flip.state import FAMILIES
from sim.games.flip.words import READINGS, Event, Source
from sim.jit import make_records
from sim.mechanics.words import End
from tests.flip_referee import ALL_MODES, SEAT_COUNTS
from tests.games.flip_ledger import Ledger
from tests.games.flip_support import LOADOUTLESS, LOOTLESS, MODELESS, NAMES
from tests.support import SEED

COMPONENTS = GAME.load()
N_EXAMPLES = 20 if jit.INTERPRETED else 120
N_ROWS = 10 if jit.INTERPRETED else 300
POLICIES = [policy.name for policy in GAME.policies]
LAYOUTS = ["ring32", "ring36", "ring40", "few_flips", "one_way", "flat_traps"]
ON_ONE_SPACE = {"placement": "all_on_go", "movement": "none"}  # loot is dropped upon loot
NUMBERS = ("go_bonus", "campfire_heal", "med_mist_heal", "boogie_bomb_damage", "honey_hitters_take", "storage_limit")


@st.composite
def changes_of_rules(draw: st.DrawFn) -> dict[str, Any]:
    """Draw switches, numbers, a layout and a different stack of cards."""
    keys = draw(st.lists(st.sampled_from(sorted(READINGS)), max_size=12, unique=True))
    changes: dict[str, Any] = {key: draw(st.sampled_from(list(COMPONENTS.rules[key].readings))) for key in keys}
    changes |= {key: draw(st.integers(0, 4)) for key in draw(st.lists(st.sampled_from(NUMBERS), max_size=2))}
    changes |= draw(st.sampled_from([{}, ALL_MODES, MODELESS])) | draw(st.sampled_from([{}, {}, ON_ONE_SPACE]))
    changes["layout"] = draw(st.sampled_from(LAYOUTS))
    for table, most in (("cards", 2), ("loadouts", 2)):
        for name in draw(st.lists(st.sampled_from(NAMES[table]), max_size=4, unique=True)):
            changes[f"{table}.{name}.copies"] = draw(st.integers(0, most))
    return changes


variants = changes_of_rules()
tables = st.sampled_from(SEAT_COUNTS).flatmap(
    lambda n_seats: st.lists(st.sampled_from(POLICIES), min_size=n_seats, max_size=n_seats)
)
playouts = st.integers(0, 100_000)
examples = settings(max_examples=N_EXAMPLES, deadline=None)


def recorded(ruleset: Ruleset, policies: Sequence[str], playout: int) -> Recording:
    """Return one recorded playout."""
    return replay(GAME, GAME.pack(ruleset), make_lineup(GAME, policies, len(policies)), SEED, playout)


def state_left(ruleset: Ruleset, policies: Sequence[str], playout: int) -> Any:
    """Return the state that one playout leaves: table, decks, tallies."""
    states = make_records(GAME.state)
    assignment = make_assignment(make_lineup(GAME, policies, len(policies)), SEED)
    rows = np.zeros(1, GAME.row).view(np.recarray)
    GAME.entry(states, GAME.pack(ruleset), assignment, rows, np.array([playout], np.int64))
    return states[0]


def rows_of(changes: dict[str, Any], policy: str = "random", n_seats: int = 4, n: int = N_ROWS) -> Array:
    """Return the rows of self-play, shape (n,)."""
    arm = Arm("test", GAME.pack(COMPONENTS.resolve(changes)), make_lineup(GAME, [policy], n_seats), n)
    return play_rows(GAME, arm, SEED, 0, n)[0][0]


@examples
@given(changes=variants, policies=tables, playout=playouts)
def test_chips_and_cards_are_each_in_one_place_at_every_event_and_tallies_say_the_same(
    changes: dict[str, Any], policies: list[str], playout: int
) -> None:
    ruleset = COMPONENTS.resolve(changes)
    told = recorded(ruleset, policies, playout)
    ledger = Ledger(ruleset, len(policies), playout)
    ledger.follow(told.events)
    left = state_left(ruleset, policies, playout)
    ledger.assert_same_state(left)
    ledger.assert_same_tallies(left.tallies)


@examples
@given(changes=variants, policies=tables, playout=playouts)
def test_one_seat_wins_or_a_draw_or_the_turn_limit_is_recorded(
    changes: dict[str, Any], policies: list[str], playout: int
) -> None:
    told = recorded(COMPONENTS.resolve({**changes, "turn_limit": 200}), policies, playout)
    kind, winner, ending, _, _ = told.events[-1]
    assert kind == Event.END
    assert sum(event[0] == Event.END for event in told.events) == 1
    payoff = [int(part) for part in told.row.payoff[: len(policies)]]
    fallen = [event[1] for event in told.events if event[0] == Event.FALL]
    standing = [seat for seat in range(len(policies)) if seat not in fallen]
    if ending == End.TURN_LIMIT:
        assert (told.row.termination, sum(payoff), told.row.length_turns) == (Termination.TURN_LIMIT, 0, 200)
        assert len(standing) > 1
    elif ending == End.DRAWN:
        assert (told.row.termination, standing) == (Termination.DRAWN, [])
        shares = [part for part in payoff if part]
        assert len(shares) > 1
        assert set(shares) == {WHOLE_WIN // len(shares)}
    else:
        assert told.row.termination == Termination.WON
        assert payoff == [WHOLE_WIN * (seat == winner) for seat in range(len(policies))]
        assert standing == [winner] or changes["double_knock_out"] == "turn_player_loses"


@examples
@given(changes=variants, policies=tables, playout=playouts)
def test_honey_hitters_pass_on_all_that_they_take_unless_it_goes_to_the_bank(
    changes: dict[str, Any], policies: list[str], playout: int
) -> None:
    ruleset = COMPONENTS.resolve({**changes, "loadouts.honey_hitters.copies": 4})
    events = [event for event in recorded(ruleset, policies, playout).events if event[0] == Event.HP]
    passed_on = sum(change for _, _, change, source, _ in events if source == Source.HONEY_HITTERS)
    assert passed_on <= 0
    assert passed_on == 0 or ruleset.rules["honey_hitters_at_cap"] == "bank"


CARD_COLUMNS = ("effect", "amount", "trigger", "ignores_sight", "one_time", "stored")
MOST_CUTS = 6


def turned(ruleset: Ruleset, table: str, unseen: Sequence[str], columns: Sequence[str]) -> dict[str, Any]:
    """Return changes that give each of some cards what the next one of them says."""
    rows = dict(zip(NAMES[table], ruleset.tables[table], strict=True))
    return {
        f"{table}.{name}.{column}": rows[unseen[(place + 1) % len(unseen)]][column]
        for place, name in enumerate(unseen)
        for column in columns
    }


def unseen_names(ruleset: Ruleset, table: str, seen: set[int]) -> list[str]:
    """Return the cards of which no copy was turned over."""
    copies = np.repeat(NAMES[table], [int(row["copies"]) for row in ruleset.tables[table]])
    known = {str(copies[card]) for card in seen}
    return [name for name in dict.fromkeys(str(name) for name in copies) if name not in known]


@examples
@given(changes=variants, policies=tables, playout=playouts)
def test_cards_that_nobody_has_drawn_change_no_decision(
    changes: dict[str, Any], policies: list[str], playout: int
) -> None:
    changes = {**changes, "turn_limit": 16, "storage_limit": 1}  # every chest has a choice, and cards stay unseen
    ruleset = COMPONENTS.resolve(changes)
    told = recorded(ruleset, policies, playout)
    turned_over = [place for place, event in enumerate(told.events) if event[0] in (Event.LOOT, Event.MODE)]
    for end in [*turned_over[:MOST_CUTS], len(told.events)]:
        before = told.events[:end]
        drawn = {event[2] for event in before if event[0] in (Event.DEAL, Event.LOOT)}
        resolved = {event[2] for event in before if event[0] == Event.MODE}
        loot, modes = unseen_names(ruleset, "cards", drawn), unseen_names(ruleset, "modes", resolved)
        others = turned(ruleset, "cards", loot, CARD_COLUMNS) | turned(ruleset, "modes", modes, CARD_COLUMNS[:2])
        again = recorded(COMPONENTS.resolve({**changes, **others}), policies, playout)
        assert again.events[:end] == before


@examples
@given(changes=variants, n_seats=st.sampled_from(SEAT_COUNTS), policy=st.sampled_from(POLICIES))
def test_blanking_a_placebo_changes_no_byte(changes: dict[str, Any], n_seats: int, policy: str) -> None:
    with_placebo = {**changes, "cards.placebo.copies": 2, "loadouts.placebo.copies": 2}
    other = {**with_placebo, "cards.placebo.amount": 9, "cards.placebo.trigger": "crosshairs"}
    other |= {"cards.placebo.ignores_sight": 1, "loadouts.placebo.amount": 9}
    n = max(1, N_ROWS // 10)
    assert rows_of(with_placebo, policy, n_seats, n).tobytes() == rows_of(other, policy, n_seats, n).tobytes()


NO_MIST = {"action_die.med_mist": 0, "action_die.blank": 2}
NO_SHOT = {"action_die.crosshairs": 0, "action_die.blank": 2}
NO_BOMB = {"action_die.boogie_bomb": 0, "action_die.blank": 1}


@pytest.mark.parametrize(
    ("card", "changes"),
    [
        ("chug_cannon", NO_MIST),
        ("mk_seven", NO_SHOT),
        ("stink_bomb", NO_SHOT),
        ("bush", NO_BOMB),
        ("big_boogie_bomb", NO_BOMB),
    ],
)
def test_blanking_a_card_that_cannot_work_changes_no_byte(card: str, changes: dict[str, Any]) -> None:
    changes, n = {**changes, "storage_limit": 1}, max(N_ROWS, 50)  # with room to spare nobody has to choose
    printed = rows_of(changes, n=n)
    assert (printed.held_loot >> NAMES["cards"].index(card) & 1).any()
    assert printed.tobytes() == rows_of({**changes, f"cards.{card}.effect": "blank"}, n=n).tobytes()


HONEY = [key for key in READINGS if key.startswith("honey_hitters")]
OF_LOOT = ("one_time_limit", "limit_at_pickup", "pickup_use", "flip_loot", "drop_in_jail", "jail_passive")
OF_MODES = ("storm_card_reuse", "storm_none_unclaimed", "storm_claimed", "storm_flipped", "storm_owner", "value_tie")
OF_DRAWS = ("jail_draw_timing", "go_draw_timing", "go_draw_dead", "forced_trade_choice")
OF_STORMS = ("jail_storm_cost", "jail_scope")
OF_SHOTS = ("wall_out", "wall_corner", "wall_without_landing", "sight_same_space", "jail_sight", "crosshairs_duty")
OF_JAIL = [key for key in READINGS if key.startswith("jail") and key != "jail_scope"]
NO_JAIL = {"board.24.front": "free_parking"}
IDLE = {
    "no loadouts": (LOADOUTLESS, (*HONEY, "permanent_stack", "loadout_pick")),
    "no loot": (LOOTLESS, (*OF_LOOT, "honey_hitters_loot", "forced_trade_choice")),
    "no Game Mode cards": (MODELESS, (*OF_MODES, *OF_DRAWS, *OF_STORMS)),
    "no Crosshairs": (NO_SHOT, (*OF_SHOTS, "sight", "wall_stormed")),
    "no Go to Jail": (NO_JAIL, tuple(OF_JAIL)),
}
"""Switches that cannot fire for want of something."""


@pytest.mark.parametrize("want", IDLE)
@pytest.mark.parametrize("place", [1, 2])
def test_a_switch_that_cannot_fire_changes_no_byte(want: str, place: int) -> None:
    changes, keys = IDLE[want]
    readings = {key: list(COMPONENTS.rules[key].readings) for key in keys}
    others = {key: names[min(place, len(names) - 1)] for key, names in readings.items()}
    n = max(40, N_ROWS)
    assert rows_of(changes, n=n).tobytes() == rows_of({**changes, **others}, n=n).tobytes()


def test_threads_and_block_sizes_change_no_byte() -> None:
    n = CELL + 8 if jit.INTERPRETED else 3 * CELL + 8
    changes = {"turn_limit": 4} if jit.INTERPRETED else {}
    lineup = make_lineup(GAME, ["threat", "leader"], 2)
    arm = Arm("one", GAME.pack(COMPONENTS.resolve(changes)), lineup, n)
    n_items = {family.name: DECK_CAPACITY for family in FAMILIES}
    whole, *others = [
        play_call(Call(GAME, (arm,), (), SEED, n_items, block_size=size), jobs)
        for jobs, size in ((1, None), (3, CELL), (2, 2 * CELL))
    ]
    for other in others:
        assert {name: values.tobytes() for name, values in other.arms["one"].items()} == {
            name: values.tobytes() for name, values in whole.arms["one"].items()
        }
