"""Storm cards (N-R13, N-R29, N-R36, N-R42 to N-R46)."""

from __future__ import annotations

from typing import Any

from sim import rng
from sim.decks import LAST_SLOT, NO_CARD, draw_top, put_under, shuffle, take_out
from sim.engine.contract import NOBODY, Termination
from sim.engine.playing import record, settle
from sim.games.fortnite import policies
from sim.games.fortnite.words import (
    Decision,
    Deck,
    Event,
    Purpose,
    Rule,
    Source,
    StormClaimed,
    StormDice,
    StormEffect,
    StormEmpty,
    StormNone,
)
from sim.jit import cold, lowest_bit
from sim.mechanics.claims import of_extreme_cost, storm_location, storm_space
from sim.mechanics.health import stands
from sim.mechanics.jail import free_all
from sim.mechanics.landing import drawer_for_go
from sim.mechanics.ring import turned_to, wrap
from sim.mechanics.rolls import roll_loss
from sim.mechanics.words import GoCards, StormedBy


@cold
def draw_storm(state: Any, seat: int, rules: Any) -> None:
    """Turn over the top Storm card and do what it says; one that finds nothing may be followed by another (N-R13)."""
    table = state.table
    may_reshuffle = rules.value[Rule.STORM_EMPTY] == StormEmpty.RESHUFFLE
    while True:
        if state.hidden.storm.size == 0 and may_reshuffle:
            may_reshuffle = False
            cards = table.storm_out
            table.storm_out = 0
            order_anew(state, cards, rules)
        card = draw_top(state.hidden.storm)
        if card == NO_CARD:
            return
        table.storm_draws[seat] += 1
        record(state, Event.STORM_CARD, seat, card, 0, 0)
        effect = rules.storm_effect[card]
        if effect == StormEffect.DICE:
            roll_for_storm(state, seat, card, rules)
            return
        spaces = candidates(table, seat, effect, rules)
        if spaces != 0:
            take_space(state, seat, card, spaces, rules)
            return
        table.storm_out |= 1 << card
        if effect == StormEffect.BLANK or rules.value[Rule.STORM_NONE] == StormNone.SKIP:
            return


@cold
def order_anew(state: Any, cards: int, rules: Any) -> None:
    """Shuffle some Storm cards into the deck, in place of what it was (N-R4)."""
    deck = state.hidden.storm
    state.table.n_reshuffles += 1
    shuffle(deck, rules.storm, rng.deck_key(state.hidden.playout_key, Deck.STORM, 0, state.table.n_reshuffles))
    for card in range(rules.storm.size):
        if not cards >> card & 1:
            take_out(deck, card)


@cold
def cards_of(deck: Any) -> int:
    """Return the mask of the cards in a deck."""
    cards = 0
    for place in range(deck.size):
        cards |= 1 << deck.order[(deck.top + place) & LAST_SLOT]
    return cards


@cold
def roll_for_storm(state: Any, seat: int, card: int, rules: Any) -> None:
    """Let everyone roll and pay that much; the card stays in play (`storm_dice`)."""
    reading = rules.value[Rule.STORM_DICE]
    if reading == StormDice.BLANK:
        state.table.storm_out |= 1 << card
        return
    if reading == StormDice.UNDER_DECK:
        put_under(state.hidden.storm, card)
    else:
        order_anew(state, cards_of(state.hidden.storm) | 1 << card, rules)
    roll_loss(state, seat, Purpose.STORM_DIE, Source.STORM_CARD, rules)


@cold
def candidates(table: Any, seat: int, effect: int, rules: Any) -> int:
    """Return the mask of spaces that a Storm card may take (N-R42)."""
    if effect == StormEffect.BLANK:
        return 0
    if effect <= StormEffect.CHEST and effect != StormEffect.LOCATION:
        return rules.spaces_of[effect] & ~table.storm
    free = ((1 << rules.n_locations) - 1) & ~table.stormed
    if rules.value[Rule.STORM_CLAIMED] == StormClaimed.UNCLAIMED_ONLY:
        free &= ~table.claimed
    if effect == StormEffect.OWN_LOCATION and free & table.own[seat] != 0:
        free &= table.own[seat]
    elif effect == StormEffect.HIGHEST:
        free = of_extreme_cost(free, False, rules)
    elif effect == StormEffect.LOWEST:
        free = of_extreme_cost(free, True, rules)
    return homes(free, rules)


@cold
def homes(locations: int, rules: Any) -> int:
    """Return the mask of the spaces of some locations."""
    spaces = 0
    while locations != 0:
        spaces |= 1 << rules.home[lowest_bit(locations)]
        locations &= locations - 1
    return spaces


@cold
def take_space(state: Any, seat: int, card: int, spaces: int, rules: Any) -> None:
    """Let the Storm take one of some spaces, of the drawer's choice; a stormed Jail frees all (N-R36, N-R42, N-R45)."""
    wish = policies.choose_storm_space(state.table, seat, spaces, rules)
    space = settle(state, Decision.STORM_SPACE, seat, spaces, wish, Purpose.CHOICE)
    location = rules.location_at[space]
    if location >= 0:
        state.table.storm_out |= 1 << card
        storm_location(state, location, StormedBy.CARD, NOBODY, rules)
        return
    storm_space(state, space, rules)
    if space == rules.jail:
        free_all(state, rules)


@cold
def draw_what_is_due(state: Any, seat: int, rules: Any) -> None:
    """Draw the Storm cards due at the end of the turn: Go to Jail's, then GO's (N-R13, N-R22, N-R29)."""
    table = state.table
    due = turned_to(table.go_due, seat, table.n_seats)
    is_due_for_jail = table.jail_due != 0
    table.jail_due = table.go_due = 0
    if is_due_for_jail and stands(state, seat):
        draw_storm(state, seat, rules)
    while due != 0:
        draw_for_go(state, wrap(seat + lowest_bit(due), table.n_seats), rules)
        due &= due - 1


@cold
def draw_for_go(state: Any, seat: int, rules: Any) -> None:
    """Draw what is due for a seat's passing GO, one card or one each time (N-R13, N-R22)."""
    table = state.table
    n_cards = 1 if rules.value[Rule.GO_CARDS] == GoCards.ONE else table.go_passes[seat]
    for _card in range(n_cards):
        drawer = drawer_for_go(table, seat, rules)
        if table.termination == Termination.NOT_PLAYED and drawer != NOBODY:
            draw_storm(state, drawer, rules)
