"""The forced swap of a Game Mode card (F-R72)."""

from __future__ import annotations

from typing import Any

from sim.engine.playing import settle
from sim.games.flip import policies
from sim.games.flip.words import Decision, ForcedTradeChoice, Purpose, Rule
from sim.jit import cold
from sim.mechanics.ring import others
from sim.mechanics.trading import swap
from sim.mechanics.words import FIRST_CARD_ITEM


@cold
def seats_with_cards(table: Any, seat: int) -> int:
    """Return the mask of other living seats that hold a loot card."""
    seats = 0
    for other in range(table.n_seats):
        if others(table, seat) >> other & 1 and table.hand[other] != 0:
            seats |= 1 << other
    return seats


@cold
def can_force_trade(table: Any, seat: int) -> bool:
    """Return whether a seat and another one both hold a loot card."""
    return table.alive >> seat & 1 != 0 and table.hand[seat] != 0 and seats_with_cards(table, seat) != 0


@cold
def forced_trade(state: Any, seat: int, rules: Any) -> None:
    """Swap one own loot card for another player's (F-R72); skipped where somebody has none."""
    table = state.table
    if not can_force_trade(table, seat):
        return
    partners = seats_with_cards(table, seat)
    own = table.hand[seat] << FIRST_CARD_ITEM
    if rules.value[Rule.FORCED_TRADE_CHOICE] == ForcedTradeChoice.DRAWER_PICKS:
        offered = 0
        for other in range(table.n_seats):
            if partners >> other & 1:
                offered |= table.hand[other] << FIRST_CARD_ITEM
        wish = policies.most_worth(table, seat, offered, rules)
        gotten = settle(state, Decision.TAKE, seat, offered, wish, Purpose.CHOICE)
        wish = policies.least_worth(table, seat, own, rules)
        given = settle(state, Decision.GIVE, seat, own, wish, Purpose.CHOICE)
    else:
        wish = policies.choose_partner(table, seat, partners, rules)
        partner = settle(state, Decision.PARTNER, seat, partners, wish, Purpose.CHOICE)
        wish = policies.least_worth(table, seat, own, rules)
        given = settle(state, Decision.GIVE, seat, own, wish, Purpose.CHOICE)
        offered = table.hand[partner] << FIRST_CARD_ITEM
        wish = policies.least_worth(table, partner, offered, rules)
        gotten = settle(state, Decision.TAKE, partner, offered, wish, Purpose.CHOICE)
    swap(state, seat, 1 << given, 1 << gotten, rules)
