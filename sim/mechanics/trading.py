"""Free trades of locations and loot cards, and what items are worth to who trades them.

A trade is two masks of items: those that the proposer wants, all of one other seat, and those that it offers.
"""

from __future__ import annotations

from typing import Any

from sim.engine.contract import NONE_OPTION, RANDOM_POLICY
from sim.engine.playing import record, settle
from sim.jit import cold, hot, lowest_bit, popcount
from sim.mechanics.choosing import card_worth
from sim.mechanics.health import stands
from sim.mechanics.loot import hold
from sim.mechanics.ring import others, wrap
from sim.mechanics.ties import Lot, lot
from sim.mechanics.weights import Weight
from sim.mechanics.words import FIRST_CARD_ITEM, Answer, Common, Trade, TradeCount, TradeItems, TradeMoments

MOST_PROPOSALS = 4  # trades that one proposes in a turn; no text sets a bound
MOST_ITEMS = 2  # that each side gives
ENOUGH = 1 << NONE_OPTION


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
def hand_over_all(state: Any, giver: int, items: int, receiver: int, rules: Any) -> None:
    """Move items from a seat to another, in ascending order."""
    while items != 0:
        hand_over(state, giver, lowest_bit(items), receiver, rules)
        items &= items - 1


@cold
def swap(state: Any, seat: int, given: int, gotten: int, rules: Any) -> None:
    """Exchange items of `seat` for those of another seat."""
    partner = owner_of(state.table, lowest_bit(gotten))
    hand_over_all(state, seat, given, partner, rules)
    hand_over_all(state, partner, gotten, seat, rules)


@cold
def tradeable(table: Any, seat: int) -> int:
    """Return the mask of items that a seat may trade: locations not stormed, loot cards."""
    return table.own[seat] & ~table.stormed | table.hand[seat] << FIRST_CARD_ITEM


@cold
def completes_set(table: Any, seat: int, given: int, gotten: int, rules: Any) -> bool:
    """Return whether a trade gives a seat a complete set that it did not have."""
    after = table.own[seat] & ~given | gotten
    gotten &= (1 << FIRST_CARD_ITEM) - 1
    while gotten != 0:
        partners = rules.set_mask[lowest_bit(gotten)]
        gotten &= gotten - 1
        if after & partners == partners:
            return True
    return False


@cold
def fits_after(table: Any, seat: int, given: int, gotten: int, rules: Any) -> bool:
    """Return whether a seat's stored cards keep to its limit after a trade."""
    hand = table.hand[seat] << FIRST_CARD_ITEM
    after = (hand & ~given | gotten) >> FIRST_CARD_ITEM
    return popcount(after & rules.stored) <= table.storage[seat]


@cold
def is_legal(table: Any, seat: int, given: int, gotten: int, rules: Any) -> bool:
    """Return whether items may be exchanged: no hand beyond its limit, and what `trade` asks."""
    partner = owner_of(table, lowest_bit(gotten))
    if not fits_after(table, seat, given, gotten, rules) or not fits_after(table, partner, gotten, given, rules):
        return False
    if rules.common[Common.TRADE] != Trade.FAIR_SETS:
        return True
    if (given | gotten) >> FIRST_CARD_ITEM != 0:
        return False
    completes = completes_set(table, seat, given, gotten, rules)
    return completes and completes_set(table, partner, gotten, given, rules)


@cold
def most_items(rules: Any) -> int:
    """Return how many items a side may give (`trade_items`)."""
    return 1 if rules.common[Common.TRADE_ITEMS] == TradeItems.ONE else MOST_ITEMS + 0


@cold
def can_pay(table: Any, seat: int, given: int, gotten: int, rules: Any) -> bool:
    """Return whether some legal trade gives the named items, and perhaps more, for exactly the wanted ones."""
    if given != 0 and is_legal(table, seat, given, gotten, rules):
        return True
    room = most_items(rules) - popcount(given)
    left = tradeable(table, seat) & ~given
    while left != 0 and room > 0:
        item = left & -left
        left &= left - 1
        if is_legal(table, seat, given | item, gotten, rules):
            return True
        more = left if room > 1 else 0
        while more != 0:
            if is_legal(table, seat, item | more & -more, gotten, rules):
                return True
            more &= more - 1
    return False


@cold
def can_want(table: Any, seat: int, gotten: int, rules: Any) -> bool:
    """Return whether some legal trade gets the named items, and perhaps more."""
    if can_pay(table, seat, 0, gotten, rules):
        return True
    left = tradeable(table, owner_of(table, lowest_bit(gotten))) & ~gotten
    while left != 0 and popcount(gotten) < most_items(rules):
        if can_pay(table, seat, 0, gotten | left & -left, rules):
            return True
        left &= left - 1
    return False


@cold
def wanted(table: Any, seat: int, rules: Any) -> int:
    """Return the mask of the others' items that some legal trade gets."""
    legal = 0
    for other in range(table.n_seats):
        if others(table, seat) >> other & 1:
            items = tradeable(table, other)
            while items != 0:
                if can_want(table, seat, items & -items, rules):
                    legal |= items & -items
                items &= items - 1
    return legal


@cold
def wanted_besides(table: Any, seat: int, gotten: int, rules: Any) -> int:
    """Return what may be named after the first wanted item: another of the same seat, or that it is enough."""
    legal = ENOUGH if can_pay(table, seat, 0, gotten, rules) else 0
    items = tradeable(table, owner_of(table, lowest_bit(gotten))) & ~gotten
    while items != 0:
        if can_pay(table, seat, 0, gotten | items & -items, rules):
            legal |= items & -items
        items &= items - 1
    return legal


@cold
def offered(table: Any, seat: int, gotten: int, rules: Any) -> int:
    """Return the mask of own items that some legal trade gives for the wanted ones."""
    legal = 0
    items = tradeable(table, seat)
    while items != 0:
        if can_pay(table, seat, items & -items, gotten, rules):
            legal |= items & -items
        items &= items - 1
    return legal


@cold
def offered_besides(table: Any, seat: int, given: int, gotten: int, rules: Any) -> int:
    """Return what may be named after the first offered item: another own one, or that it is enough."""
    legal = ENOUGH if is_legal(table, seat, given, gotten, rules) else 0
    items = tradeable(table, seat) & ~given
    while items != 0:
        if is_legal(table, seat, given | items & -items, gotten, rules):
            legal |= items & -items
        items &= items - 1
    return legal


@cold
def best_payment(table: Any, seat: int, gotten: int, rules: Any) -> int:
    """Return the own items that leave most to oneself while the other gains too, 0 if there are none."""
    partner = owner_of(table, lowest_bit(gotten))
    best = 0
    most = 0
    firsts = tradeable(table, seat)
    while firsts != 0:
        first = firsts & -firsts
        firsts &= firsts - 1
        seconds = firsts if most_items(rules) > 1 else 0
        given = first
        while given != 0:
            gain = trade_gain(table, seat, given, gotten, rules)
            is_wished = is_better(table, seat, gain, given, most, best)
            is_wished = is_wished and trade_gain(table, partner, gotten, given, rules) > 0
            if is_wished and is_legal(table, seat, given, gotten, rules):
                best = given
                most = gain
            given = first | seconds & -seconds if seconds != 0 else 0
            seconds &= seconds - 1
    return best


@cold
def best_wants(table: Any, seat: int, partner: int, rules: Any) -> int:
    """Return the items of one seat for which the best trade with it is possible, 0 if there is none."""
    best = 0
    most = 0
    firsts = tradeable(table, partner)
    while firsts != 0:
        first = firsts & -firsts
        firsts &= firsts - 1
        seconds = firsts if most_items(rules) > 1 else 0
        gotten = first
        while gotten != 0:
            given = best_payment(table, seat, gotten, rules)
            if given != 0:
                gain = trade_gain(table, seat, given, gotten, rules)
                if is_better(table, seat, gain, gotten, most, best):
                    best = gotten
                    most = gain
            gotten = first | seconds & -seconds if seconds != 0 else 0
            seconds &= seconds - 1
    return best


@cold
def wish_to_want(table: Any, seat: int, rules: Any) -> int:
    """Return the items for which the best trade is possible, the next seat's of equals, 0 if there are none."""
    best = 0
    most = 0
    for distance in range(1, table.n_seats):
        partner = wrap(seat + distance, table.n_seats)
        if table.alive >> partner & 1:
            gotten = best_wants(table, seat, partner, rules)
            if gotten != 0:
                gain = trade_gain(table, seat, best_payment(table, seat, gotten, rules), gotten, rules)
                if gain > most:
                    best = gotten
                    most = gain
    return best


@cold
def ask(state: Any, seat: int, decision: int, options: int, wish: int, rules: Any) -> int:
    """Ask a seat one of the decisions that games share."""
    return settle(state, rules.common[decision], seat, options, wish, rules.common[Common.PURPOSE_CHOICE])


@hot
def wishes(table: Any, seat: int) -> bool:
    """Return whether a seat's wish can matter: what a random one wants is drawn, and to look for a trade takes long."""
    return bool(table.policy[seat] != RANDOM_POLICY)


@cold
def wish_besides(wished: int, named: int, options: int) -> int:
    """Return what to name after the first item: the other one wished, or that it is enough where it may be."""
    if wished & named != 0 and wished & ~named != 0:
        return lowest_bit(wished & ~named)
    return NONE_OPTION if options & ENOUGH != 0 else lowest_bit(options)


@cold
def ask_for_items(state: Any, seat: int, rules: Any) -> int:
    """Ask what a seat wants from another, one item or two; return them, 0 for no trade."""
    items = wanted(state.table, seat, rules)
    if items == 0:
        return 0
    wished = wish_to_want(state.table, seat, rules) if wishes(state.table, seat) else 0
    wish = lowest_bit(wished | ENOUGH)
    item = ask(state, seat, Common.DECISION_TRADE_WANT, items | ENOUGH, wish, rules)
    if item == NONE_OPTION:
        return 0
    gotten = 1 << item
    if most_items(rules) == 1:
        return gotten
    options = wanted_besides(state.table, seat, gotten, rules)
    wish = wish_besides(wished, gotten, options)
    return gotten | 1 << ask(state, seat, Common.DECISION_TRADE_WANT, options, wish, rules) & ~ENOUGH


@cold
def ask_for_payment(state: Any, seat: int, gotten: int, rules: Any) -> int:
    """Ask what a seat gives for what it wants, one item or two; return them, 0 to withdraw."""
    wished = best_payment(state.table, seat, gotten, rules) if wishes(state.table, seat) else 0
    options = offered(state.table, seat, gotten, rules) | ENOUGH
    item = ask(state, seat, Common.DECISION_TRADE_OFFER, options, lowest_bit(wished | ENOUGH), rules)
    if item == NONE_OPTION:
        return 0
    given = 1 << item
    if most_items(rules) == 1:
        return given
    options = offered_besides(state.table, seat, given, gotten, rules)
    wish = wish_besides(wished, given, options)
    return given | 1 << ask(state, seat, Common.DECISION_TRADE_OFFER, options, wish, rules) & ~ENOUGH


@cold
def propose_trade(state: Any, seat: int, rules: Any) -> None:
    """Let a seat propose a trade, and the other accept or refuse it (F-R21, N-R14)."""
    table = state.table
    gotten = ask_for_items(state, seat, rules)
    given = ask_for_payment(state, seat, gotten, rules) if gotten != 0 else 0
    if given == 0:
        return
    table.n_proposals += 1
    partner = owner_of(table, lowest_bit(gotten))
    answer = choose_answer(table, partner, gotten, given, rules)
    both = 1 << Answer.REFUSE | 1 << Answer.ACCEPT
    if ask(state, partner, Common.DECISION_TRADE_ANSWER, both, answer, rules) == Answer.ACCEPT:
        state.tallies.trades += 1
        table.n_trades += 1
        swap(state, seat, given, gotten, rules)


@cold
def offer_trades(state: Any, seat: int, rules: Any) -> None:
    """Let a seat propose trades, as many as it may in a turn, until it wants none (F-R21, N-R14)."""
    table = state.table
    most = 1 if rules.common[Common.TRADE_COUNT] == TradeCount.ONE else MOST_PROPOSALS + 0
    before = -1
    while before < table.n_proposals < most and stands(state, seat):
        before = table.n_proposals
        propose_trade(state, seat, rules)


@hot
def trades_later(rules: Any) -> bool:
    """Return whether trades are possible after the first window of a turn (`trade_moments`)."""
    may_trade = rules.common[Common.TRADE] != Trade.NEVER
    return may_trade and rules.common[Common.TRADE_MOMENTS] == TradeMoments.ANY_TIME


@cold
def item_worth(table: Any, seat: int, item: int, rules: Any) -> int:
    """Return what an item is worth to a seat that has it or would have it, colour sets apart."""
    return worth_of_items(table, seat, 1 << item, table.hand[seat] << FIRST_CARD_ITEM | 1 << item, rules)


@cold
def worth_of_items(table: Any, seat: int, items: int, among: int, rules: Any) -> int:
    """Return what items are worth to a seat, each beside the others that it has or would have."""
    worth = 0
    while items != 0:
        item = lowest_bit(items)
        items &= items - 1
        if item >= FIRST_CARD_ITEM:
            worth += card_worth(table, seat, item - FIRST_CARD_ITEM, among >> FIRST_CARD_ITEM, rules)
        else:
            worth += rules.weight[Weight.WORTH_OF_LOCATION] + rules.cost[item]
    return worth


@cold
def worth_of_sets(own: int, touched: int, rules: Any) -> int:
    """Return what the complete sets among some locations are worth that one of `touched` belongs to."""
    worth = 0
    left = touched & (1 << FIRST_CARD_ITEM) - 1
    while left != 0:
        partners = rules.set_mask[lowest_bit(left)]
        left &= ~partners
        if own & partners == partners:
            worth += rules.weight[Weight.WORTH_OF_SET]
    return worth


@cold
def trade_gain(table: Any, seat: int, given: int, gotten: int, rules: Any) -> int:
    """Return what a seat gains by giving items for others: their own worth, and complete sets won or lost."""
    before = table.hand[seat] << FIRST_CARD_ITEM | table.own[seat]
    after = before & ~given | gotten
    gain = worth_of_items(table, seat, gotten, after, rules) - worth_of_items(table, seat, given, before, rules)
    return gain + worth_of_sets(after, given | gotten, rules) - worth_of_sets(before, given | gotten, rules)


@cold
def is_better(table: Any, seat: int, gain: int, items: int, most: int, best: int) -> bool:
    """Return whether some items gain more than the best so far, or as much with the higher lot."""
    if gain != most or best == 0:
        return gain > most
    return lot_of(table, seat, items) > lot_of(table, seat, best)


@cold
def lot_of(table: Any, seat: int, items: int) -> int:
    """Draw the lot of one item or several together."""
    together = 0
    while items != 0:
        together ^= lot(table, seat, Lot.ITEM, lowest_bit(items))
        items &= items - 1
    return together


@cold
def choose_answer(table: Any, seat: int, given: int, gotten: int, rules: Any) -> int:
    """Accept what one values higher than what one gives."""
    if trade_gain(table, seat, given, gotten, rules) > 0:
        return Answer.ACCEPT
    return Answer.REFUSE
