"""Set-up: HP, decks, start roll, placement (N-R2 to N-R9)."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.decks import shuffle
from sim.engine.contract import NOBODY
from sim.engine.playing import record, settle, take_out_granted
from sim.games.fortnite import policies
from sim.games.fortnite.phases.moving import GO
from sim.games.fortnite.words import (
    Decision,
    Deck,
    Event,
    Family,
    Kind,
    Placement,
    Purpose,
    Rule,
)
from sim.jit import cold
from sim.mechanics.loot import deal_granted
from sim.mechanics.ring import wrap
from sim.mechanics.start import roll_for_start, seats_before, space_by_lot
from sim.mechanics.table import clear_table, seat_players


@cold
def clear(state: Any, rules: Any) -> None:
    """Clear the table, all walls in the pile (N-R9)."""
    table = state.table
    clear_table(table, rules)
    table.walls = table.storm_out = table.n_reshuffles = 0
    table.pile = rules.value[Rule.N_WALLS]
    for seat in range(len(table.hp)):
        table.storm_draws[seat] = 0
        table.stopped_at[seat] = NOBODY
    for space in range(rules.n_spaces):
        table.wall_count[space] = 0
    clear_moves(table)


@cold
def clear_moves(table: Any) -> None:
    """Clear what moves and shots leave for the rest of a turn."""
    table.walked = table.moved = table.entered = table.jumped = table.damage = table.is_sightless = 0
    table.wall_hit = NOBODY


@cold
def set_up(state: Any, assignment: Any, rules: Any) -> int:
    """Give everybody HP, shuffle the decks, and return the seat that places and starts first (N-R2, N-R4, N-R7)."""
    table = state.table
    seat_players(table, rules.value[Rule.START_HP])
    key = state.hidden.playout_key
    shuffle(state.hidden.loot, rules.loot, rng.deck_key(key, Deck.LOOT, 0, 0))
    shuffle(state.hidden.storm, rules.storm, rng.deck_key(key, Deck.STORM, 0, 0))
    take_out_granted(state.hidden.loot, assignment, Family.LOOT)
    for seat in range(table.n_seats):
        deal_granted(state, assignment, seat, rules)
    first = roll_for_start(state, rules)
    for place in range(table.n_seats):
        seat = wrap(first + place, table.n_seats)
        table.order[seat] = place
        place_pawn(state, seat, place, first, rules)
    return first


@cold
def place_pawn(state: Any, seat: int, place: int, first: int, rules: Any) -> None:
    """Place a pawn on a space of choice, whose action is skipped (N-R6, N-R8)."""
    table = state.table
    space = GO + 0
    reading = rules.value[Rule.PLACEMENT]
    if reading == Placement.RANDOM:
        space = space_by_lot(state, seat, rules)
    elif reading != Placement.ALL_ON_GO:
        placed = seats_before(table, first, place)
        options = (1 << rules.n_spaces) - 1
        if reading == Placement.LOCATIONS_ONLY:
            options = rules.spaces_of[Kind.LOCATION]
        wish = policies.choose_start(table, seat, placed, options, rules)
        space = settle(state, Decision.START_SPACE, seat, options, wish, Purpose.CHOICE)
    table.space[seat] = space
    record(state, Event.PLACED, seat, space, 0, 0)
