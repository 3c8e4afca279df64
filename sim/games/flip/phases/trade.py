"""Trades: the forced swap of a Game Mode card, and free trades on one's own turn (F-R21, F-R72)."""

from __future__ import annotations

from typing import Any

from sim.engine.contract import NONE_OPTION
from sim.engine.playing import record, settle
from sim.games.flip import policies
from sim.games.flip.phases.loot import hold, storage_limit
from sim.games.flip.rules import FIRST_CARD_ITEM
from sim.games.flip.sight import others
from sim.games.flip.words import (
    Answer,
    Decision,
    Event,
    ForcedTradeChoice,
    Purpose,
    Rule,
    Trade,
)
from sim.jit import cold, lowest_bit, popcount


@cold
def owner_of(table: Any, item: int) -> int:
    """Return the seat that has an item."""
    if item < FIRST_CARD_ITEM:
        return table.owner[item]
    for seat in range(table.n_seats):
        if table.hand[seat] >> (item - FIRST_CARD_ITEM) & 1:
            return seat
    return 0


@cold
def hand_over(state: Any, giver: int, item: int, receiver: int, rules: Any) -> None:
    """Move one item from a seat to another."""
    table = state.table
    record(state, Event.SWAP, giver, item, receiver, 0)
    if item < FIRST_CARD_ITEM:
        table.own[giver] &= ~(1 << item)
        table.own[receiver] |= 1 << item
        table.owner[item] = receiver
        return
    card = item - FIRST_CARD_ITEM
    table.hand[giver] &= ~(1 << card)
    hold(table, receiver, card, rules)


@cold
def swap(state: Any, seat: int, given: int, gotten: int, rules: Any) -> None:
    """Exchange an item of `seat` for one of another seat."""
    partner = owner_of(state.table, gotten)
    hand_over(state, seat, given, partner, rules)
    hand_over(state, partner, gotten, seat, rules)


@cold
def seats_with_cards(table: Any, seat: int) -> int:
    """Return the mask of other living seats that hold a loot card."""
    seats = 0
    for other in range(table.n_seats):
        if others(table, seat) >> other & 1 and table.hand[other] != 0:
            seats |= 1 << other
    return seats


@cold
def forced_trade(state: Any, seat: int, rules: Any) -> None:
    """Swap one own loot card for another player's (F-R72); skipped where somebody has none."""
    table = state.table
    partners = seats_with_cards(table, seat)
    if not table.alive >> seat & 1 or table.hand[seat] == 0 or partners == 0:
        return
    own = table.hand[seat] << FIRST_CARD_ITEM
    if rules.value[Rule.FORCED_TRADE_CHOICE] == ForcedTradeChoice.DRAWER_PICKS:
        offered = 0
        for other in range(table.n_seats):
            if partners >> other & 1:
                offered |= table.hand[other] << FIRST_CARD_ITEM
        wish = policies.most_worth(offered, rules)
        gotten = settle(state, Decision.TAKE, seat, offered, wish, Purpose.CHOICE)
        wish = policies.least_worth(own, rules)
        given = settle(state, Decision.GIVE, seat, own, wish, Purpose.CHOICE)
    else:
        wish = policies.best_target(table, seat, partners, rules)
        partner = settle(state, Decision.PARTNER, seat, partners, wish, Purpose.CHOICE)
        wish = policies.least_worth(own, rules)
        given = settle(state, Decision.GIVE, seat, own, wish, Purpose.CHOICE)
        offered = table.hand[partner] << FIRST_CARD_ITEM
        wish = policies.least_worth(offered, rules)
        gotten = settle(state, Decision.TAKE, partner, offered, wish, Purpose.CHOICE)
    swap(state, seat, given, gotten, rules)


@cold
def tradeable(table: Any, seat: int) -> int:
    """Return the mask of items that a seat may trade: locations not stormed, loot cards."""
    return table.own[seat] & ~table.stormed | table.hand[seat] << FIRST_CARD_ITEM


@cold
def completes_set(table: Any, seat: int, given: int, gotten: int, rules: Any) -> bool:
    """Return whether a swap of locations gives a seat a complete set that it did not have."""
    partners = rules.set_mask[gotten]
    after = table.own[seat] & ~(1 << given) | 1 << gotten
    return after & partners == partners


@cold
def fits_after(table: Any, seat: int, given: int, gotten: int, rules: Any) -> bool:
    """Return whether a seat's stored cards keep to its limit after a swap (F-R75)."""
    hand = table.hand[seat] << FIRST_CARD_ITEM
    after = (hand & ~(1 << given) | 1 << gotten) >> FIRST_CARD_ITEM
    return popcount(after & rules.stored) <= storage_limit(table, seat, rules)


@cold
def is_legal(table: Any, seat: int, given: int, gotten: int, rules: Any) -> bool:
    """Return whether a pair of items may be swapped: no hand beyond its limit, and what `trade` asks."""
    partner = owner_of(table, gotten)
    if not fits_after(table, seat, given, gotten, rules) or not fits_after(table, partner, gotten, given, rules):
        return False
    if rules.value[Rule.TRADE] != Trade.FAIR_SETS:
        return True
    if given >= FIRST_CARD_ITEM or gotten >= FIRST_CARD_ITEM:
        return False
    completes = completes_set(table, seat, given, gotten, rules)
    return completes and completes_set(table, partner, gotten, given, rules)


@cold
def counterparts(table: Any, seat: int, gotten: int, rules: Any) -> int:
    """Return the mask of own items that may be given for a wanted one."""
    own = tradeable(table, seat)
    legal = 0
    while own != 0:
        given = lowest_bit(own)
        own &= own - 1
        if is_legal(table, seat, given, gotten, rules):
            legal |= 1 << given
    return legal


@cold
def wanted(table: Any, seat: int, rules: Any) -> int:
    """Return the mask of the others' items that have at least one legal counterpart."""
    legal = 0
    for other in range(table.n_seats):
        if others(table, seat) >> other & 1:
            items = tradeable(table, other)
            while items != 0:
                item = lowest_bit(items)
                items &= items - 1
                if counterparts(table, seat, item, rules) != 0:
                    legal |= 1 << item
    return legal


@cold
def best_offer(table: Any, seat: int, gotten: int, offers: int, rules: Any) -> int:
    """Return the own item that leaves most to oneself while the other gains too, or NONE_OPTION."""
    partner = owner_of(table, gotten)
    best = NONE_OPTION
    most = 0
    while offers != 0:
        given = lowest_bit(offers)
        offers &= offers - 1
        gain = policies.trade_gain(table, seat, given, gotten, rules)
        if gain > most and policies.trade_gain(table, partner, gotten, given, rules) > 0:
            best = given
            most = gain
    return best


@cold
def wish_to_want(table: Any, seat: int, items: int, rules: Any) -> int:
    """Return the item for which the best trade is possible, or NONE_OPTION."""
    best = NONE_OPTION
    most = 0
    while items != 0:
        item = lowest_bit(items)
        items &= items - 1
        given = best_offer(table, seat, item, counterparts(table, seat, item, rules), rules)
        if given != NONE_OPTION and policies.trade_gain(table, seat, given, item, rules) > most:
            best = item
            most = policies.trade_gain(table, seat, given, item, rules)
    return best


@cold
def offer_trade(state: Any, seat: int, rules: Any) -> None:
    """Let a seat propose one trade on its turn, and the other accept or refuse it (F-R21)."""
    table = state.table
    items = wanted(table, seat, rules)
    if items == 0:
        return
    wish = wish_to_want(table, seat, items, rules)
    options = items | 1 << NONE_OPTION
    gotten = settle(state, Decision.TRADE_WANT, seat, options, wish, Purpose.CHOICE)
    if gotten == NONE_OPTION:
        return
    offers = counterparts(table, seat, gotten, rules)
    wish = best_offer(table, seat, gotten, offers, rules)
    given = settle(state, Decision.TRADE_OFFER, seat, offers | 1 << NONE_OPTION, wish, Purpose.CHOICE)
    if given == NONE_OPTION:
        return
    partner = owner_of(table, gotten)
    answer = policies.choose_answer(table, partner, gotten, given, rules)
    both = 1 << Answer.REFUSE | 1 << Answer.ACCEPT
    if settle(state, Decision.TRADE_ANSWER, partner, both, answer, Purpose.CHOICE) == Answer.ACCEPT:
        state.tallies.trades += 1
        table.n_trades += 1
        swap(state, seat, given, gotten, rules)
