"""Set-up: loadouts, loot, start roll, placement (F-R3 to F-R14, F-R86)."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.decks import LAST_SLOT, NO_CARD, draw_top, shuffle, take_out
from sim.engine.playing import is_granted, record, settle, take_out_granted
from sim.games.flip import policies
from sim.games.flip.phases.go import GO
from sim.games.flip.phases.loot import storage_limit
from sim.games.flip.sight import spaces_in_sight
from sim.games.flip.state import NO_LOADOUT
from sim.games.flip.words import (
    Decision,
    Deck,
    Event,
    Family,
    LoadoutPick,
    Placement,
    Purpose,
    Rule,
    StartInJail,
)
from sim.jit import cold
from sim.mechanics.jail import put_in_jail
from sim.mechanics.loot import deal, deal_granted
from sim.mechanics.ring import wrap
from sim.mechanics.start import roll_for_start, space_by_lot
from sim.mechanics.table import clear_table, seat_players


@cold
def clear(state: Any, rules: Any) -> None:
    """Clear the table, the loadouts and the tiles (F-R6)."""
    table = state.table
    clear_table(table, rules)
    table.turned = table.landed = table.fresh = table.cards_used = table.go_drawn = table.is_die_move = 0
    for seat in range(len(table.hp)):
        table.effect[seat] = table.bonus[seat] = table.mode_draws[seat] = 0
        table.loadout[seat] = NO_LOADOUT
        table.storage[seat] = storage_limit(table, seat, rules)
    for space in range(rules.n_spaces):
        table.under_tile[space] = 0


@cold
def set_up(state: Any, assignment: Any, rules: Any) -> int:
    """Set the table up, the Game Mode deck shuffled, and return the seat that starts (F-R10, F-R86)."""
    table = state.table
    seat_players(table, rules.value[Rule.START_HP])
    deal_loadouts(state, assignment, rules)
    deal_loot(state, assignment, rules)
    shuffle(state.hidden.mode, rules.mode, rng.deck_key(state.hidden.playout_key, Deck.MODE, 0, 0))
    first = roll_for_start(state, rules)
    seen = placed = 0
    for place in range(table.n_seats):
        seat = wrap(first + place, table.n_seats)
        table.order[seat] = place
        place_pawn(state, seat, placed, seen, rules)
        seen |= spaces_in_sight(table, table.space[seat], rules)
        placed |= 1 << seat
    return first


@cold
def deal_loadouts(state: Any, assignment: Any, rules: Any) -> None:
    """Deal a loadout to each chair, or let the chairs choose (F-R7)."""
    deck = state.hidden.loadouts
    shuffle(deck, rules.loadout, rng.deck_key(state.hidden.playout_key, Deck.LOADOUT, 0, 0))
    take_out_granted(deck, assignment, Family.LOADOUT)
    for seat in range(state.table.n_seats):
        card = NO_CARD + 0
        for number in range(assignment.n_grants):
            if is_granted(state, assignment, number, Family.LOADOUT, seat):
                card = assignment.grant_card[number]
        if card == NO_CARD and rules.value[Rule.LOADOUT_PICK] == LoadoutPick.DRAFT:
            card = draft_loadout(state, seat, rules)
        elif card == NO_CARD:
            card = draw_top(deck)
        if card != NO_CARD:
            receive_loadout(state, seat, card, rules)


@cold
def draft_loadout(state: Any, seat: int, rules: Any) -> int:
    """Let a chair choose one of the loadouts left (F-R7, `loadout_pick`)."""
    deck = state.hidden.loadouts
    options = 0
    for place in range(deck.size):
        options |= 1 << deck.order[(deck.top + place) & LAST_SLOT]
    if options == 0:
        return NO_CARD
    wish = policies.choose_loadout(state.table, seat, options, rules)
    card = settle(state, Decision.LOADOUT, seat, options, wish, Purpose.CHOICE)
    take_out(deck, card)
    return card


@cold
def receive_loadout(state: Any, seat: int, card: int, rules: Any) -> None:
    """Lay a loadout in front of a seat (F-R7)."""
    table = state.table
    table.loadout[seat] = card
    table.effect[seat] = rules.loadout_effect[card]
    table.bonus[seat] = rules.loadout_amount[card]
    table.kit_danger[seat] = rules.loadout_danger[card]
    table.storage[seat] = storage_limit(table, seat, rules)
    table.dealt[Family.LOADOUT, seat] = 1 << rules.loadout.card[card]
    table.held[Family.LOADOUT, seat] = 1 << rules.loadout.card[card]
    record(state, Event.LOADOUT, seat, card, 0, 0)


@cold
def deal_loot(state: Any, assignment: Any, rules: Any) -> None:
    """Deal one loot card to each chair, or the granted ones instead; the rest is the deck (F-R8, F-R9)."""
    table = state.table
    deck = state.hidden.loot
    shuffle(deck, rules.loot, rng.deck_key(state.hidden.playout_key, Deck.LOOT, 0, 0))
    take_out_granted(deck, assignment, Family.LOOT)
    for seat in range(table.n_seats):
        deal_granted(state, assignment, seat, rules)
        card = NO_CARD + 0
        if table.hand[seat] == 0:
            card = draw_top(deck)
        if card != NO_CARD:
            deal(state, seat, card, rules)


@cold
def place_pawn(state: Any, seat: int, placed: int, seen: int, rules: Any) -> None:
    """Place a pawn on a space of choice, whose action is not carried out, after those `placed` (F-R13, F-R14)."""
    table = state.table
    space = GO + 0
    if rules.value[Rule.PLACEMENT] == Placement.CHOOSE:
        options = (1 << rules.n_spaces) - 1
        wish = policies.choose_start(table, seat, placed, seen, options, rules)
        space = settle(state, Decision.START_SPACE, seat, options, wish, Purpose.CHOICE)
    elif rules.value[Rule.PLACEMENT] == Placement.RANDOM:
        space = space_by_lot(state, seat, rules)
    table.space[seat] = space
    record(state, Event.PLACED, seat, space, 0, 0)
    if space == rules.jail and rules.value[Rule.START_IN_JAIL] == StartInJail.IN_JAIL:
        put_in_jail(state, seat, rules)
