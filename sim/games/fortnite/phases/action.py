"""The action die (N-R12, N-R31, N-R39, N-R49 to N-R56)."""

from __future__ import annotations

from typing import Any

from sim.decks import NO_CARD
from sim.engine.contract import NONE_OPTION
from sim.engine.playing import record, settle
from sim.games.fortnite import policies
from sim.games.fortnite.phases.loot import usable
from sim.games.fortnite.phases.walls import attack_walls, bomb_walls, take_down, use_brick
from sim.games.fortnite.policies import FIRST_WALL
from sim.games.fortnite.sight import in_sight, is_protected, seen_by, unprotected
from sim.games.fortnite.words import (
    Bush,
    CrosshairsDuty,
    CrosshairsStack,
    Decision,
    Event,
    Loot,
    Purpose,
    Rule,
    Source,
    StinkAdd,
    StinkWalls,
    Symbol,
    WallBoogie,
    WallDown,
)
from sim.jit import cold, lowest_bit
from sim.mechanics.health import collect, pay, stands
from sim.mechanics.loot import choose_card, use_card
from sim.mechanics.ring import others, turned_to, wrap
from sim.mechanics.windows import lets_lapse


@cold
def act(state: Any, seat: int, symbol: int, rules: Any) -> None:
    """Carry out the face rolled, or let it lapse (N-R12, N-R52 to N-R56)."""
    may_lapse = symbol in (Symbol.BANDAGES, Symbol.BOOGIE_BOMB)
    if may_lapse and lets_lapse(state, seat, rules):
        return
    if symbol == Symbol.BANDAGES:
        collect(state, seat, rules.value[Rule.BANDAGES_HEAL], Source.BANDAGES, rules)
    elif symbol == Symbol.CROSSHAIRS:
        use_crosshairs(state, seat, rules)
    elif symbol == Symbol.BOOGIE_BOMB:
        use_boogie_bomb(state, seat, rules)
    elif symbol == Symbol.BRICK:
        use_brick(state, seat, rules)


@cold
def seats_within_reach(table: Any, seat: int, rules: Any) -> int:
    """Return the seats that the shot may hit: those in sight, or all with a card that ignores it (N-R49, N-R53)."""
    if table.is_sightless != 0:
        return unprotected(table, seat)
    return in_sight(table, seat, table.space[seat], rules)


@cold
def walls_within_reach(table: Any, seat: int, rules: Any) -> int:
    """Return the spaces of the walls that the shot may hit (N-R50)."""
    if table.is_sightless != 0 or table.walls == 0:
        return table.walls
    return table.walls & seen_by(table, seat, table.space[seat], rules)


@cold
def use_crosshairs(state: Any, seat: int, rules: Any) -> None:
    """Let loot modify the shot, then shoot at one player or wall within reach (N-R39, N-R50, N-R53)."""
    table = state.table
    table.damage = table.is_sightless = 0
    cards = usable(table, seat, Symbol.CROSSHAIRS, rules)
    while cards != 0 and stands(state, seat):
        offered = cards
        if seats_within_reach(table, seat, rules) | walls_within_reach(table, seat, rules) == 0:
            offered &= rules.sightless
        if offered == 0:
            break
        wish = policies.choose_modifier(table, seat, offered, rules)
        card = choose_card(state, Decision.MODIFIER, seat, offered, wish, rules)
        if card == NO_CARD:
            break
        cards &= ~(1 << card)
        use_card(state, seat, card, rules)
        if rules.loot_effect[card] == Loot.AREA_DAMAGE:
            strike_all_in_sight(state, seat, rules.loot_amount[card], rules)
            if rules.value[Rule.STINK_ADD] == StinkAdd.INSTEAD:
                return
        else:
            modify_shot(table, card, rules)
    if stands(state, seat):
        shoot(state, seat, rules)


@cold
def modify_shot(table: Any, card: int, rules: Any) -> None:
    """Add a damage card to the shot (N-R39)."""
    amount = rules.loot_amount[card]
    if rules.value[Rule.CROSSHAIRS_STACK] == CrosshairsStack.MAX:
        table.damage = max(table.damage, amount)
    else:
        table.damage += amount
    if rules.sightless >> card & 1:
        table.is_sightless = 1


@cold
def strike_all_in_sight(state: Any, seat: int, amount: int, rules: Any) -> None:
    """Make everybody in sight pay, in seat order; walls in sight may go down (N-R49, N-R50)."""
    table = state.table
    spaces = seen_by(table, seat, table.space[seat], rules)
    targets = in_sight(table, seat, table.space[seat], rules)
    left = turned_to(targets, seat, table.n_seats)
    while left != 0:
        target = wrap(seat + lowest_bit(left), table.n_seats)
        left &= left - 1
        if stands(state, target):
            pay(state, target, amount, Source.CROSSHAIRS, rules)
    bomb_walls_in_sight(state, seat, table.walls & spaces, rules)


@cold
def bomb_walls_in_sight(state: Any, seat: int, walls: int, rules: Any) -> None:
    """Take down the walls in sight of a Stink Bomb: all, or those that its thrower chooses (N-R50)."""
    reading = rules.value[Rule.STINK_WALLS]
    if reading == StinkWalls.ALL_BUT_OWN:
        walls &= ~(1 << state.table.space[seat])
    if reading != StinkWalls.CHOSEN:
        attack_walls(state, walls)
        return
    while walls != 0 and stands(state, seat):
        wish = policies.choose_wall_to_bomb(state.table, seat, walls)
        space = settle(state, Decision.STINK_WALL, seat, walls | 1 << NONE_OPTION, wish, Purpose.CHOICE)
        if space == NONE_OPTION:
            return
        take_down(state, space, WallDown.ATTACKED)
        walls &= ~(1 << space)


@cold
def shoot(state: Any, seat: int, rules: Any) -> None:
    """Choose a player, who pays, or a wall, which goes down; no wall need be shot (N-R31, N-R50, N-R53)."""
    table = state.table
    seats = seats_within_reach(table, seat, rules)
    options = seats | walls_within_reach(table, seat, rules) << FIRST_WALL
    if options == 0:
        record(state, Event.NO_TARGET, seat, 0, 0, 0)
        return
    if seats == 0 or rules.value[Rule.CROSSHAIRS_DUTY] == CrosshairsDuty.MAY_PASS:
        options |= 1 << NONE_OPTION
    wish = policies.choose_target(table, seat, options, rules)
    target = settle(state, Decision.TARGET, seat, options, wish, Purpose.CHOICE)
    if target == NONE_OPTION:
        return
    if target >= FIRST_WALL:
        take_down(state, target - FIRST_WALL, WallDown.ATTACKED)
    else:
        amount = max(rules.value[Rule.CROSSHAIRS_DAMAGE], table.damage)
        pay(state, target, amount, Source.CROSSHAIRS, rules)


@cold
def use_boogie_bomb(state: Any, seat: int, rules: Any) -> None:
    """Make all others pay but those whom a Bush or a wall protects; all walls go to the pile (N-R49, N-R55)."""
    table = state.table
    walls_protect = rules.value[Rule.WALL_BOOGIE] == WallBoogie.PROTECTS
    left = turned_to(others(table, seat), seat, table.n_seats)
    while left != 0:
        target = wrap(seat + lowest_bit(left), table.n_seats)
        left &= left - 1
        is_safe = table.hand[target] & rules.bush != 0 or (walls_protect and is_protected(table, target))
        if stands(state, target) and not is_safe:
            pay(state, target, rules.value[Rule.BOOGIE_BOMB_DAMAGE], Source.BOOGIE_BOMB, rules)
    if table.walls != 0:
        bomb_walls(state, walls_of_bushes(table, rules))


@cold
def walls_of_bushes(table: Any, rules: Any) -> int:
    """Return the spaces whose walls a Bush saves from a Boogie Bomb (`bush`)."""
    spaces = 0
    if rules.value[Rule.BUSH] == Bush.KEEPS_WALLS:
        alive = table.alive
        while alive != 0:
            seat = lowest_bit(alive)
            alive &= alive - 1
            if table.hand[seat] & rules.bush != 0:
                spaces |= 1 << table.space[seat]
    return spaces
