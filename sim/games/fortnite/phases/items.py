"""One-time items: windows, refills, Clingers, Bouncers (N-R39 to N-R41)."""

from __future__ import annotations

from typing import Any

from sim.engine.playing import settle
from sim.games.fortnite import policies
from sim.games.fortnite.phases.loot import usable
from sim.games.fortnite.phases.moving import finish_move, travel
from sim.games.fortnite.phases.walls import take_down
from sim.games.fortnite.reach import STRIDE_BITS, bounced_steps, bounces
from sim.games.fortnite.words import (
    ClingerSelf,
    ClingerWall,
    Decision,
    Loot,
    Purpose,
    Rule,
    Source,
    Symbol,
    WallDown,
)
from sim.jit import cold, hot
from sim.mechanics.health import collect, lose_together, refill
from sim.mechanics.jail import set_free
from sim.mechanics.loot import use_card
from sim.mechanics.ring import pawns_on
from sim.mechanics.targets import best_area
from sim.mechanics.trading import offer_trades, trades_later
from sim.mechanics.windows import items_by
from sim.mechanics.words import Freed


@cold
def use_item(state: Any, seat: int, card: int, rules: Any) -> None:
    """Put the card under the deck and do what it says (N-R40)."""
    amount = rules.loot_amount[card]
    use_card(state, seat, card, rules)
    effect = rules.loot_effect[card]
    if effect == Loot.REFILL:
        refill(state, seat, Source.ITEM, rules)
    elif effect == Loot.HEAL:
        collect(state, seat, amount, Source.ITEM, rules)
    elif effect == Loot.CLINGER:
        throw_clinger(state, seat, amount, rules)
    elif effect == Loot.BOUNCER:
        bounce(state, seat, amount, rules)


@cold
def throw_clinger(state: Any, seat: int, amount: int, rules: Any) -> None:
    """Make everybody on a chosen space pay at once; a wall there protects them and goes down (N-R49, N-R50)."""
    table = state.table
    wish = best_area(table, seat, table.walls, amount, rules)
    options = (1 << rules.n_spaces) - 1
    space = settle(state, Decision.CLINGER_SPACE, seat, options, wish, Purpose.CHOICE)
    if table.walls >> space & 1:
        take_down(state, space, WallDown.ATTACKED)
        if rules.value[Rule.CLINGER_WALL] == ClingerWall.PROTECTS:
            return
    targets = table.alive & pawns_on(table, 1 << space)
    if rules.value[Rule.CLINGER_SELF] == ClingerSelf.SPARED:
        targets &= ~(1 << seat)
    lose_together(state, targets, amount, Source.ITEM, rules)


@cold
def bounce(state: Any, seat: int, amount: int, rules: Any) -> None:
    """Move a pawn of choice; it does what its landing space says (N-R39, N-R47)."""
    table = state.table
    options = bounces(table, seat, amount, rules)
    if options == 0:
        return
    wish = policies.best_bounce(table, seat, options, rules)
    option = settle(state, Decision.BOUNCER, seat, options, wish, Purpose.CHOICE)
    target = option >> STRIDE_BITS
    steps = bounced_steps(option)
    if table.jailed[target] != 0:
        set_free(state, target, Freed.CARD, rules)
    travel(state, target, abs(steps), 1 if steps > 0 else -1, 1, rules)
    finish_move(state, target, rules)


@cold
def usable_items(table: Any, seat: int, rules: Any) -> int:
    """Return the mask of one-time cards that may be used now (N-R40)."""
    return usable(table, seat, Symbol.OWN_TURN, rules)


use_items = items_by(usable_items, policies.choose_item, use_item)
"""Ask for one item after another until the seat has enough."""


@hot
def open_window(state: Any, seat: int, rules: Any) -> None:
    """Let a seat use one-time items at this point of its turn (N-R39, N-R40)."""
    if state.table.hand[seat] & rules.triggered[Symbol.OWN_TURN] != 0:
        use_items(state, seat, rules)


@hot
def open_later_window(state: Any, seat: int, rules: Any) -> None:
    """Let a seat trade and use one-time items after the roll (N-R14, N-R39)."""
    if trades_later(rules) and state.table.turn_over == 0:
        offer_trades(state, seat, rules)
    open_window(state, seat, rules)
