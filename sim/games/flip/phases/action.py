"""The action die (F-R57 to F-R64)."""

from __future__ import annotations

from typing import Any

from sim.decks import NO_CARD
from sim.engine.contract import NONE_OPTION
from sim.engine.playing import record, settle
from sim.games.flip import policies
from sim.games.flip.phases.modes import draw_for_go_at_once, draw_mode
from sim.games.flip.sight import in_sight
from sim.games.flip.words import (
    CrosshairsDuty,
    Decision,
    Event,
    JailPassive,
    Loadout,
    Loot,
    OneTimeLimit,
    PermanentStack,
    Purpose,
    Rule,
    Source,
    Symbol,
)
from sim.jit import cold, hot, lowest_bit
from sim.mechanics.arithmetic import number_if
from sim.mechanics.health import collect, pay, stands
from sim.mechanics.loot import choose_card, use_card
from sim.mechanics.ring import others, turned_to, wrap
from sim.mechanics.windows import lets_lapse


@cold
def act(state: Any, seat: int, symbol: int, rules: Any) -> None:
    """Carry out the face rolled, or let it lapse (F-R20, F-R57 to F-R62)."""
    may_lapse = symbol in (Symbol.MED_MIST, Symbol.BOOGIE_BOMB)
    if may_lapse and lets_lapse(state, seat, rules):
        return
    if symbol == Symbol.MED_MIST:
        use_med_mist(state, seat, rules)
    elif symbol == Symbol.CROSSHAIRS:
        use_crosshairs(state, seat, rules)
    elif symbol == Symbol.BOOGIE_BOMB:
        use_boogie_bomb(state, seat, rules)
    elif symbol == Symbol.STORM_SURGE:
        draw_mode(state, seat, rules)
        draw_for_go_at_once(state, rules)


@hot
def usable_modifiers(table: Any, seat: int, symbol: int, rules: Any) -> int:
    """Return the mask of loot cards that may modify a face now (F-R41, F-R63)."""
    if rules.value[Rule.ONE_TIME_LIMIT] == OneTimeLimit.COUNTS and table.cards_used > 0:
        return 0
    return number_if(table.hand[seat] & rules.modifiers[symbol] & ~table.fresh, table.jailed[seat] == 0)


@cold
def modify(state: Any, seat: int, cards: int, sees: int, rules: Any) -> int:
    """Let the seat use one of the cards, or none (F-R63); return the card or NO_CARD."""
    wish = policies.choose_modifier(state.table, seat, cards, sees, rules)
    card = choose_card(state, Decision.MODIFIER, seat, cards, wish, rules)
    if card != NO_CARD:
        spend_card(state, seat, card, rules)
    return card


@hot
def spend_card(state: Any, seat: int, card: int, rules: Any) -> None:
    """Use a loot card, which counts towards what a turn allows (F-R63)."""
    state.table.cards_used += 1
    use_card(state, seat, card, rules)


@hot
def amount_of(card: int, base: int, rules: Any) -> int:
    """Return the amount of an action: the card's or the base, before the loadout's bonus."""
    if card == NO_CARD:
        return base
    return rules.loot_amount[card]


@hot
def bonus_of(table: Any, seat: int, card: int, effect: int, rules: Any) -> int:
    """Return what the loadout adds (F-R41, F-R64)."""
    if card != NO_CARD and rules.value[Rule.PERMANENT_STACK] == PermanentStack.CARD_STANDS:
        return 0
    works = (table.effect[seat] == effect) & (table.jailed[seat] == 0)
    return number_if(table.bonus[seat], works)


@cold
def use_med_mist(state: Any, seat: int, rules: Any) -> None:
    """Collect HP (F-R57)."""
    table = state.table
    cards = usable_modifiers(table, seat, Symbol.MED_MIST, rules)
    card = NO_CARD
    if cards != 0:
        card = modify(state, seat, cards, 0, rules)
    amount = amount_of(card, rules.value[Rule.MED_MIST_HEAL], rules)
    amount += bonus_of(table, seat, card, Loadout.MED_MIST_BONUS, rules)
    collect(state, seat, amount, Source.MED_MIST, rules)


@cold
def use_crosshairs(state: Any, seat: int, rules: Any) -> None:
    """Make one player in line of sight pay, or whom a card reaches (F-R50, F-R58)."""
    table = state.table
    sees = in_sight(table, seat, table.space[seat], rules)
    cards = usable_modifiers(table, seat, Symbol.CROSSHAIRS, rules)
    if sees == 0:
        cards &= rules.sightless & ~rules.area
    card = NO_CARD
    if cards != 0:
        card = modify(state, seat, cards, sees, rules)
    amount = amount_of(card, rules.value[Rule.CROSSHAIRS_DAMAGE], rules)
    amount += bonus_of(table, seat, card, Loadout.CROSSHAIRS_BONUS, rules)
    reach = sees
    if card != NO_CARD:
        if rules.loot_effect[card] == Loot.AREA_DAMAGE:
            shoot_all(state, seat, sees, amount, rules)
            return
        if rules.sightless >> card & 1:
            reach = others(table, seat)
    if reach == 0:
        record(state, Event.NO_TARGET, seat, 0, 0, 0)
        return
    shoot(state, seat, reach, amount, rules)


@hot
def shoot(state: Any, seat: int, reach: int, amount: int, rules: Any) -> None:
    """Choose a target, jailed ones too, or let the shot lapse; the target pays (F-R42, F-R58)."""
    options = reach
    if rules.value[Rule.CROSSHAIRS_DUTY] == CrosshairsDuty.MAY_PASS:
        options |= 1 << NONE_OPTION
    wish = policies.choose_target(state.table, seat, options, amount, rules)
    target = settle(state, Decision.TARGET, seat, options, wish, Purpose.CHOICE)
    if target != NONE_OPTION:
        pay(state, target, amount, Source.CROSSHAIRS, rules)


@cold
def shoot_all(state: Any, seat: int, targets: int, amount: int, rules: Any) -> None:
    """Make everybody in sight pay, in seat order."""
    for distance in range(1, state.table.n_seats):
        target = wrap(seat + distance, state.table.n_seats)
        if targets >> target & 1 and stands(state, target):
            pay(state, target, amount, Source.CROSSHAIRS, rules)


@hot
def immune_seats(table: Any, rules: Any) -> int:
    """Return the mask of seats that a Bush protects from Boogie Bombs (F-R41, F-R88)."""
    works_in_jail = rules.value[Rule.JAIL_PASSIVE] == JailPassive.WORKS
    immune = 0
    for seat in range(len(table.hand)):  # as many as there can be, so that the loop is unrolled
        is_immune = (table.hand[seat] & rules.bush & ~table.fresh != 0) & ((table.jailed[seat] == 0) | works_in_jail)
        immune |= int(is_immune) << seat
    return immune


@cold
def use_boogie_bomb(state: Any, seat: int, rules: Any) -> None:
    """Make all others pay; Walls do not protect (F-R51, F-R61)."""
    table = state.table
    cards = usable_modifiers(table, seat, Symbol.BOOGIE_BOMB, rules)
    card = NO_CARD
    if cards != 0:
        card = modify(state, seat, cards, 0, rules)
    amount = amount_of(card, rules.value[Rule.BOOGIE_BOMB_DAMAGE], rules)
    amount += bonus_of(table, seat, card, Loadout.BOOGIE_BOMB_BONUS, rules)
    left = turned_to(others(table, seat) & ~immune_seats(table, rules), seat, table.n_seats)
    while left != 0:
        target = wrap(seat + lowest_bit(left), table.n_seats)
        left &= left - 1
        if stands(state, target):
            pay(state, target, amount, Source.BOOGIE_BOMB, rules)
