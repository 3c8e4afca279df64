"""Game Mode cards (F-R62, F-R65 to F-R72)."""

from __future__ import annotations

from typing import Any

from sim.decks import NO_CARD, draw_top, put_under
from sim.engine.contract import NOBODY, Termination
from sim.engine.playing import record, settle
from sim.games.flip import policies
from sim.games.flip.phases.go import GO, pass_go
from sim.games.flip.phases.loot import draw_loot, pick_up
from sim.games.flip.phases.tiles import turn_tile
from sim.games.flip.phases.trade import can_force_trade, forced_trade
from sim.games.flip.words import (
    Decision,
    Event,
    ForcedTradeNone,
    GoDrawTiming,
    Mode,
    Purpose,
    Rule,
    Source,
    StormCardReuse,
    StormClaimed,
    StormFlipped,
    StormNoneUnclaimed,
)
from sim.jit import cold, hot
from sim.mechanics.claims import of_extreme_cost, storm_location, storm_space
from sim.mechanics.health import collect, lose_together, stands
from sim.mechanics.jail import free_all, set_free
from sim.mechanics.landing import drawer_for_go
from sim.mechanics.ring import wrap
from sim.mechanics.rolls import roll_loss
from sim.mechanics.words import Freed, GoCards, StormedBy

MOST_GO_CARDS = 8  # drawn for GO in a turn, since a card may itself move a pawn to GO; no text sets a bound


@cold
def draw_mode(state: Any, seat: int, rules: Any) -> None:
    """Draw a Game Mode card, and by one reading another after a forced trade that nobody can carry out (F-R72)."""
    card = turn_over_mode(state, seat, rules)
    if rules.value[Rule.FORCED_TRADE_NONE] == ForcedTradeNone.SKIP or card == NO_CARD:
        return
    if rules.mode_effect[card] == Mode.FORCED_TRADE and not can_force_trade(state.table, seat):
        turn_over_mode(state, seat, rules)


@cold
def turn_over_mode(state: Any, seat: int, rules: Any) -> int:
    """Turn over the top Game Mode card and resolve it; other cards go under the deck (F-R62, F-R71); return it."""
    card = draw_top(state.hidden.mode)
    if card == NO_CARD:
        return card
    state.table.mode_draws[seat] += 1
    record(state, Event.MODE, seat, card, 0, 0)
    effect = rules.mode_effect[card]
    if Mode.STORM_LOWEST <= effect <= Mode.STORM_CHOICE:
        storm_by_criterion(state, seat, effect, rules)
        if rules.value[Rule.STORM_CARD_REUSE] == StormCardReuse.OUT_OF_GAME:
            return card
    elif effect == Mode.STORM_GO:
        storm_space(state, GO, rules)
        return card
    elif effect == Mode.STORM_JAIL:
        storm_space(state, rules.jail, rules)
        free_all(state, rules)
        return card
    else:
        resolve(state, seat, card, rules)
    put_under(state.hidden.mode, card)
    return card


@cold
def draw_for_go(state: Any, rules: Any) -> None:
    """Draw what is due for GO and not drawn yet; the next to the left may draw for the fallen (F-R34, F-R65)."""
    table = state.table
    most = 1 if rules.value[Rule.GO_CARDS] == GoCards.ONE else MOST_GO_CARDS + 0
    while table.go_drawn < min(table.go_due, most) and table.termination == Termination.NOT_PLAYED:
        drawer = drawer_for_go(table, table.seat, rules)
        if drawer == NOBODY:
            return
        table.go_drawn += 1
        draw_mode(state, drawer, rules)


@hot
def draw_for_go_at_once(state: Any, rules: Any) -> None:
    """Draw GO's card right after the move if `go_draw_timing` says so."""
    if state.table.go_due != 0 and rules.value[Rule.GO_DRAW_TIMING] == GoDrawTiming.AT_ONCE:
        draw_for_go(state, rules)


@cold
def resolve(state: Any, seat: int, card: int, rules: Any) -> None:
    """Do what a card other than Storm Rages says (F-R71, F-R72)."""
    effect = rules.mode_effect[card]
    amount = rules.mode_amount[card]
    if effect == Mode.FORCED_TRADE:
        forced_trade(state, seat, rules)
    elif effect == Mode.HEAL_ALL:
        heal_all(state, seat, amount, rules)
    elif effect == Mode.LOSE_ALL:
        lose_together(state, state.table.alive, amount, Source.GAME_MODE, rules)
    elif effect == Mode.ROLL_LOSS:
        roll_loss(state, seat, Purpose.GAME_MODE_DIE, Source.GAME_MODE, rules)
    elif effect == Mode.FLIP_CHOICE:
        flip_choice(state, seat, rules)
    elif effect == Mode.DRAW_LOOT:
        if stands(state, seat):
            draw_loot(state, seat, rules)
    elif effect == Mode.MOVE_TO_GO:
        move_to_go(state, seat, rules)


@cold
def candidates(table: Any, rules: Any) -> int:
    """Return the mask of locations that a Storm Rages card may take (F-R66)."""
    free = ((1 << rules.n_locations) - 1) & ~table.stormed
    if rules.value[Rule.STORM_FLIPPED] == StormFlipped.MAY_NOT:
        for location in range(rules.n_locations):
            if table.turned >> rules.home[location] & 1:
                free &= ~(1 << location)
    if rules.value[Rule.STORM_CLAIMED] == StormClaimed.ANY:
        return free
    unclaimed = free & ~table.claimed
    if unclaimed == 0 and rules.value[Rule.STORM_NONE_UNCLAIMED] == StormNoneUnclaimed.TAKE_CLAIMED:
        return free
    return unclaimed


@cold
def storm_by_criterion(state: Any, seat: int, effect: int, rules: Any) -> None:
    """Find the location by the card's criterion and let the Storm take it (F-R66)."""
    options = candidates(state.table, rules)
    if options == 0:
        return
    if effect != Mode.STORM_CHOICE:
        options = of_extreme_cost(options, effect == Mode.STORM_LOWEST, rules)
    chooser = seat
    wish = policies.choose_storm_location(state.table, chooser, options, rules)
    location = settle(state, Decision.STORM_LOCATION, chooser, options, wish, Purpose.CHOICE)
    storm_location(state, location, StormedBy.CARD, NOBODY, rules)


@cold
def heal_all(state: Any, seat: int, amount: int, rules: Any) -> None:
    """Let every living seat collect, in seat order from the drawer."""
    table = state.table
    for distance in range(table.n_seats):
        other = wrap(seat + distance, table.n_seats)
        if table.alive >> other & 1:
            collect(state, other, amount, Source.GAME_MODE, rules)


@cold
def flip_choice(state: Any, seat: int, rules: Any) -> None:
    """Turn a tile of the drawer's choice (F-R71)."""
    options = (1 << rules.n_tiles) - 1
    if options == 0:
        return
    wish = policies.choose_tile(state.table, seat, options, rules)
    tile = settle(state, Decision.FLIP_TILE, seat, options, wish, Purpose.CHOICE)
    turn_tile(state, seat, tile, rules)


@cold
def move_to_go(state: Any, seat: int, rules: Any) -> None:
    """Move the drawer's pawn to GO, out of Jail if need be (F-R33, F-R34)."""
    table = state.table
    if not stands(state, seat):
        return
    record(state, Event.MOVE, seat, table.space[seat], GO, 0)
    if table.jailed[seat] != 0:
        set_free(state, seat, Freed.CARD, rules)
    table.landed |= 1 << seat
    table.space[seat] = GO
    if table.dropped_at >> GO & 1:
        pick_up(state, seat, GO, rules)
    pass_go(state, seat, 1 if seat == table.seat else 0, rules)
