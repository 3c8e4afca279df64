"""One-time items: windows, refills, bombs, movers (F-R74)."""

from __future__ import annotations

from typing import Any

from sim.engine.playing import record, settle
from sim.games.flip import policies
from sim.games.flip.phases.action import spend_card
from sim.games.flip.phases.board import land
from sim.games.flip.phases.go import enter
from sim.games.flip.phases.modes import draw_for_go_at_once
from sim.games.flip.policies import MOVER_BITS, MOVER_STRIDE
from sim.games.flip.words import (
    Decision,
    Event,
    Loot,
    OneTimeLimit,
    Purpose,
    Rule,
    Source,
)
from sim.jit import cold, hot
from sim.mechanics.arithmetic import number_if
from sim.mechanics.health import collect, lose_together, refill, stands
from sim.mechanics.ring import pawns_on, wrap
from sim.mechanics.trading import offer_trades, trades_later
from sim.mechanics.windows import items_by


@hot
def usable_items(table: Any, seat: int, rules: Any) -> int:
    """Return the mask of one-time cards that may be used now (F-R41, F-R74)."""
    if rules.value[Rule.ONE_TIME_LIMIT] == OneTimeLimit.COUNTS and table.cards_used > 0:
        return 0
    return number_if(table.hand[seat] & rules.own_turn_items & ~table.fresh, table.jailed[seat] == 0)


@cold
def use_item(state: Any, seat: int, card: int, rules: Any) -> None:
    """Put the card under the deck and do what it says (F-R74, F-R88)."""
    amount = rules.loot_amount[card]
    spend_card(state, seat, card, rules)
    effect = rules.loot_effect[card]
    if effect == Loot.REFILL:
        refill(state, seat, Source.ITEM, rules)
    elif effect == Loot.HEAL:
        collect(state, seat, amount, Source.ITEM, rules)
    elif effect == Loot.BOMB:
        throw_bomb(state, seat, amount, rules)
    elif effect == Loot.MOVER:
        move_somebody(state, seat, amount, rules)


@cold
def throw_bomb(state: Any, seat: int, amount: int, rules: Any) -> None:
    """Make everybody on a chosen space pay at once, the thrower too if there."""
    table = state.table
    wish = policies.choose_bomb_space(table, seat, amount, rules)
    options = (1 << rules.n_spaces) - 1
    space = settle(state, Decision.BOMB_SPACE, seat, options, wish, Purpose.CHOICE)
    lose_together(state, table.alive & pawns_on(table, 1 << space), amount, Source.ITEM, rules)


@cold
def move_somebody(state: Any, seat: int, steps: int, rules: Any) -> None:
    """Move any pawn that is not jailed; it does the landing space's action."""
    table = state.table
    options = policies.moves(table, steps)
    if options == 0:
        return
    wish = policies.best_mover(table, seat, options, rules)
    option = settle(state, Decision.MOVER, seat, options, wish, Purpose.CHOICE)
    walk_moved(state, option >> MOVER_BITS, (option & MOVER_STRIDE - 1) + 1, rules)


@cold
def walk_moved(state: Any, target: int, steps: int, rules: Any) -> None:
    """Walk the moved pawn; GO's card is due only for the active seat."""
    table = state.table
    start = table.space[target]
    record(state, Event.MOVE, target, start, wrap(start + steps, rules.n_spaces), 0)
    is_active = 1 if target == table.seat else 0
    for _step in range(steps):
        if stands(state, target):
            enter(state, target, wrap(table.space[target] + 1, rules.n_spaces), is_active, rules)
    if stands(state, target):
        land(state, target, rules)
    draw_for_go_at_once(state, rules)


use_items = items_by(usable_items, policies.choose_item, use_item)
"""Ask for one item after another until the seat has enough."""


@hot
def open_window(state: Any, seat: int, rules: Any) -> None:
    """Let a seat use one-time items at this point of its turn (F-R74)."""
    if state.table.hand[seat] & rules.items != 0:
        use_items(state, seat, rules)


@hot
def open_later_window(state: Any, seat: int, rules: Any) -> None:
    """Let a seat trade and use one-time items after the roll (F-R21, F-R74)."""
    if trades_later(rules):
        offer_trades(state, seat, rules)
    open_window(state, seat, rules)
