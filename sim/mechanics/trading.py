"""Free trades of locations and loot cards, one for one, and what items are worth to who trades them."""

from __future__ import annotations

from typing import Any

from sim.engine.contract import NONE_OPTION
from sim.engine.playing import record, settle
from sim.jit import cold, lowest_bit, popcount
from sim.mechanics.choosing import card_worth
from sim.mechanics.loot import hold
from sim.mechanics.ring import others
from sim.mechanics.ties import Lot, by_lot
from sim.mechanics.weights import Weight
from sim.mechanics.words import FIRST_CARD_ITEM, Answer, Common, Trade


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
    record(state, rules.common[Common.EVENT_SWAP], giver, item, receiver, 0)
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
    """Return whether a seat's stored cards keep to its limit after a swap."""
    hand = table.hand[seat] << FIRST_CARD_ITEM
    after = (hand & ~(1 << given) | 1 << gotten) >> FIRST_CARD_ITEM
    return popcount(after & rules.stored) <= table.storage[seat]


@cold
def is_legal_swap(table: Any, seat: int, given: int, gotten: int, rules: Any) -> bool:
    """Return whether a pair of items may be swapped: no hand beyond its limit, and what `trade` asks."""
    partner = owner_of(table, gotten)
    if not fits_after(table, seat, given, gotten, rules) or not fits_after(table, partner, gotten, given, rules):
        return False
    if rules.common[Common.TRADE] != Trade.FAIR_SETS:
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
        if is_legal_swap(table, seat, given, gotten, rules):
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
    tied = 0
    most = 0
    while offers != 0:
        given = lowest_bit(offers)
        offers &= offers - 1
        gain = trade_gain(table, seat, given, gotten, rules)
        if gain > 0 and gain >= most and trade_gain(table, partner, gotten, given, rules) > 0:
            if gain > most:
                most = gain
                tied = 0
            tied |= 1 << given
    return NONE_OPTION if tied == 0 else by_lot(table, seat, Lot.ITEM, tied)


@cold
def wish_to_want(table: Any, seat: int, items: int, rules: Any) -> int:
    """Return the item for which the best trade is possible, or NONE_OPTION."""
    tied = 0
    most = 0
    while items != 0:
        item = lowest_bit(items)
        items &= items - 1
        given = best_offer(table, seat, item, counterparts(table, seat, item, rules), rules)
        if given != NONE_OPTION:
            gain = trade_gain(table, seat, given, item, rules)
            if gain > most:
                most = gain
                tied = 0
            if gain == most:
                tied |= 1 << item
    return NONE_OPTION if tied == 0 else by_lot(table, seat, Lot.ITEM, tied)


@cold
def ask(state: Any, seat: int, decision: int, options: int, wish: int, rules: Any) -> int:
    """Ask a seat one of the decisions that games share."""
    return settle(state, rules.common[decision], seat, options, wish, rules.common[Common.PURPOSE_CHOICE])


@cold
def offer_trade(state: Any, seat: int, rules: Any) -> None:
    """Let a seat propose one trade on its turn, and the other accept or refuse it (F-R21, N-R14)."""
    table = state.table
    items = wanted(table, seat, rules)
    if items == 0:
        return
    wish = wish_to_want(table, seat, items, rules)
    options = items | 1 << NONE_OPTION
    gotten = ask(state, seat, Common.DECISION_TRADE_WANT, options, wish, rules)
    if gotten == NONE_OPTION:
        return
    offers = counterparts(table, seat, gotten, rules)
    wish = best_offer(table, seat, gotten, offers, rules)
    given = ask(state, seat, Common.DECISION_TRADE_OFFER, offers | 1 << NONE_OPTION, wish, rules)
    if given == NONE_OPTION:
        return
    partner = owner_of(table, gotten)
    answer = choose_answer(table, partner, gotten, given, rules)
    both = 1 << Answer.REFUSE | 1 << Answer.ACCEPT
    if ask(state, partner, Common.DECISION_TRADE_ANSWER, both, answer, rules) == Answer.ACCEPT:
        state.tallies.trades += 1
        table.n_trades += 1
        swap(state, seat, given, gotten, rules)


@cold
def item_worth(table: Any, seat: int, item: int, rules: Any) -> int:
    """Return what an item is worth to a seat that has it or would have it, colour sets apart."""
    if item >= FIRST_CARD_ITEM:
        card = item - FIRST_CARD_ITEM
        return card_worth(table, seat, card, table.hand[seat] | 1 << card, rules)
    return rules.weight[Weight.WORTH_OF_LOCATION] + rules.cost[item]


@cold
def worth_of_set(own: int, item: int, rules: Any) -> int:
    """Return what the whole set of an item is worth among some locations, 0 if it is not whole or no location."""
    if item >= FIRST_CARD_ITEM:
        return 0
    partners = rules.set_mask[item]
    return rules.weight[Weight.WORTH_OF_SET] if own & partners == partners else 0


@cold
def trade_gain(table: Any, seat: int, given: int, gotten: int, rules: Any) -> int:
    """Return what a seat gains by giving one item for another: a set is complete only once the given one has left."""
    gain = item_worth(table, seat, gotten, rules) - item_worth(table, seat, given, rules)
    after = table.own[seat]
    if gotten < FIRST_CARD_ITEM:
        after |= 1 << gotten
    if given < FIRST_CARD_ITEM:
        after &= ~(1 << given)
    return gain + worth_of_set(after, gotten, rules) - worth_of_set(table.own[seat], given, rules)


@cold
def choose_answer(table: Any, seat: int, given: int, gotten: int, rules: Any) -> int:
    """Accept what one values higher than what one gives."""
    if trade_gain(table, seat, given, gotten, rules) > 0:
        return Answer.ACCEPT
    return Answer.REFUSE
