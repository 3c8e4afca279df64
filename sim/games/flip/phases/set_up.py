"""Set-up: loadouts, loot, start roll, placement (F-R3 to F-R14, F-R86)."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.decks import LAST_SLOT, NO_CARD, draw_top, shuffle, take_out
from sim.engine.contract import NOBODY, Termination
from sim.engine.playing import SET_UP_TURN, is_granted, record, settle, take_out_granted
from sim.games.flip import policies
from sim.games.flip.phases.go import GO
from sim.games.flip.phases.loot import storage_limit
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
from sim.mechanics.start import roll_for_start


@cold
def clear(state: Any, rules: Any) -> None:
    """Clear the table: HP, tiles, locations, loot (F-R3, F-R5, F-R6, F-R11)."""
    table = state.table
    table.termination = Termination.NOT_PLAYED
    table.length_turns = table.seat = table.n_fallen = table.winners = table.n_trades = 0
    table.fell_now = table.landed = table.claimed = table.stormed = table.storm = 0
    table.turned = table.dropped_at = table.dropped_in_jail = table.fresh = table.cards_used = 0
    table.go_due = table.go_drawn = table.jail_due = table.is_die_move = 0
    for seat in range(len(table.hp)):
        table.hp[seat] = 0
        table.own_turn[seat] = table.eliminated[seat] = table.space[seat] = table.jailed[seat] = 0
        table.effect[seat] = table.bonus[seat] = table.hand[seat] = table.own[seat] = 0
        table.mode_draws[seat] = 0
        table.loadout[seat] = NO_LOADOUT
        table.kit_worth[seat] = table.debt[seat] = 0
        table.storage[seat] = storage_limit(table, seat, rules)
        for family in range(len(table.dealt)):
            table.dealt[family, seat] = 0
            table.held[family, seat] = 0
    for location in range(len(table.owner)):
        table.owner[location] = NOBODY
    for space in range(rules.n_spaces):
        table.dropped[space] = 0
        table.under_tile[space] = 0


@cold
def set_up(state: Any, assignment: Any, rules: Any) -> int:
    """Set the table up, the Game Mode deck shuffled, and return the seat that starts (F-R10, F-R86)."""
    table = state.table
    table.alive = (1 << table.n_seats) - 1
    for seat in range(table.n_seats):
        table.hp[seat] = rules.value[Rule.START_HP]
    deal_loadouts(state, assignment, rules)
    deal_loot(state, assignment, rules)
    shuffle(state.hidden.mode, rules.mode, rng.deck_key(state.hidden.playout_key, Deck.MODE, 0, 0))
    first = roll_for_start(state, rules)
    for place in range(table.n_seats):
        seat = wrap(first + place, table.n_seats)
        table.order[seat] = place
        place_pawn(state, seat, place, first, rules)
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
    wish = policies.choose_loadout(options, rules)
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
    table.kit_worth[seat] = rules.loadout_worth[card]
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
def place_pawn(state: Any, seat: int, place: int, first: int, rules: Any) -> None:
    """Place a pawn on a space of choice, whose action is not carried out (F-R13, F-R14)."""
    table = state.table
    space = GO + 0
    if rules.value[Rule.PLACEMENT] == Placement.CHOOSE:
        placed = 0
        for earlier in range(place):
            placed |= 1 << wrap(first + earlier, table.n_seats)
        options = (1 << rules.n_spaces) - 1
        wish = policies.choose_start(table, placed, options, rules)
        space = settle(state, Decision.START_SPACE, seat, options, wish, Purpose.CHOICE)
    elif rules.value[Rule.PLACEMENT] == Placement.RANDOM:
        key = rng.turn_key(state.hidden.playout_key, seat, SET_UP_TURN)
        space = rng.index(key, Purpose.PLACEMENT, seat, rules.n_spaces)
    table.space[seat] = space
    record(state, Event.PLACED, seat, space, 0, 0)
    if space == rules.jail and rules.value[Rule.START_IN_JAIL] == StartInJail.IN_JAIL:
        put_in_jail(state, seat, rules)
