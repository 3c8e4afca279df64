"""Moving over the board, and what each board space does to who lands on it."""

from __future__ import annotations

from tests.referees.fortnite.health import collect, pay
from tests.referees.fortnite.loot import draw_loot, pick_up
from tests.referees.fortnite.pieces import LocationCard, Player, Square
from tests.referees.fortnite.storm import draw_storm_card
from tests.referees.fortnite.table import Table, Walk
from tests.referees.fortnite.walls import leave, reach_wall
from tests.referees.fortnite.words import CLAIM, COLLECT, DECLINE, LEAVE, Event, Source


def move_by_numbered_die(table: Table, player: Player, rolled: int) -> None:
    """Move as many spaces forward as were rolled (N-R11, N-WALL-ENDS-TURN)."""
    if table.reads("movement", "none"):
        return
    table.turn.walk = Walk(player.at)
    if move(table, player, rolled, table.turn.walk) and table.reads("wall_turn", "whole_turn"):
        table.turn.is_over = True


def move(table: Table, player: Player, steps: int, walk: Walk | None) -> bool:
    """Move a character and carry out the space where it ends.

    Args:
        table: The table.
        player: Whose character moves.
        steps: How many spaces; below 0 it moves back.
        walk: What remembers the spaces if the numbered die moves the character, and nothing else does.

    Returns:
        Whether a wall ended the movement.

    """
    start = player.at
    table.tell(Event.MOVE, player, start.number, table.ahead(start, steps).number)
    leave(table, start)
    wall = go_on_foot(table, player, steps, walk)
    if player.at is start and wall is not None and table.reads("wall_space", "before_it"):
        return True  # stopped before the first step: no space was reached
    land(table, player, walk)
    if wall is not None and table.reads("wall_space", "on_it") and table.reads("wall_stop", "removed"):
        reach_wall(table, player, wall)
    return wall is not None


def go_on_foot(table: Table, player: Player, steps: int, walk: Walk | None) -> Square | None:
    """Enter space after space; return the space of the wall that ends the movement (N-R47, N-WALL-SPACE-VS-BEFORE)."""
    way = 1 if steps > 0 else -1
    walls_stop = walk is not None or table.reads("bouncer_wall_stop", "stops")
    stops_before = walls_stop and table.reads("wall_space", "before_it")
    stops_on = walls_stop and table.reads("wall_space", "on_it")
    for left in reversed(range(abs(steps))):
        square = table.ahead(player.at, way)
        if stops_before and square.walls:
            table.tell(Event.STOPPED, player, square.number)
            reach_wall(table, player, square)
            return square
        is_wall_next = stops_before and table.ahead(square, way).walls > 0
        ends_here = left == 0 or is_wall_next or (stops_on and square.walls > 0)
        enter(table, player, square, walk, counts_as_go=way > 0 or ends_here)
        if stops_on and square.walls:
            table.tell(Event.STOPPED, player, square.number)
            if table.reads("wall_stop", "stays"):
                reach_wall(table, player, square)
            return square
    return None


def enter(table: Table, player: Player, square: Square, walk: Walk | None, *, counts_as_go: bool) -> None:
    """Pass or land on a space: GO's HP, and items that lie there (N-R21, N-R58)."""
    player.square = square
    if walk is not None:
        walk.entered.append(square)
    if square is table.go and counts_as_go:
        pass_or_land_on_go(table, player, is_by_die=walk is not None)
    pick_up(table, player, square.loot)


def pass_or_land_on_go(table: Table, player: Player, *, is_by_die: bool) -> None:
    """Collect HP at GO unless the Storm has it; a Storm card is to be drawn (N-R13, N-R21, N-R22, N-BOUNCER-GO)."""
    if not is_by_die and table.reads("bouncer_go", "nothing"):
        return
    if not table.go.in_storm:
        collect(table, player, table.number("go_bonus"), Source.GO)
    if is_by_die or player is table.turn.player or table.reads("bouncer_go", "bonus_and_card"):
        player.times_at_go += 1


def land(table: Table, player: Player, walk: Walk | None) -> None:
    """Follow the rules of the space where a character landed (N-R11); the Storm voids its action (N-R44)."""
    square = player.at
    if square.kind == "go_to_jail":
        land_on_go_to_jail(table, player, walk)
    elif square.in_storm:
        pay(table, player, price_of_storm(table, square), Source.STORM)
    elif square.location is not None:
        land_on_location(table, player, square.location)
    elif square.kind == "campfire":
        collect(table, player, table.number("campfire_heal"), Source.CAMPFIRE)  # N-R24
    elif square.kind == "trap":
        pay(table, player, square.amount, Source.TRAP)  # N-R25
    elif square.kind == "chest":
        draw_loot(table, player)


def price_of_storm(table: Table, square: Square) -> int:
    """Return what landing on a space in the Storm costs (N-R18, N-R43, N-GO-STORM, N-JAIL-SCOPE)."""
    if square.location is not None:
        return square.location.storm_cost
    is_free = (square is table.go and table.reads("go_storm", "free")) or (
        square is table.jail and table.reads("jail_scope", "in_jail_only")
    )
    return 0 if is_free else table.number("storm_loss")


def land_on_location(table: Table, player: Player, card: LocationCard) -> None:
    """Take the card, pay for somebody else's, or collect for a colour set (N-R15 to N-R17, N-R20)."""
    if card.owner not in {None, player}:
        pay(table, player, card.cost, Source.TOLL)
        return
    is_new = card.owner is None
    if is_new:
        may_refuse = table.reads("claim", "optional")
        if may_refuse and table.ask("CLAIM", player, [LEAVE, CLAIM]) == LEAVE:
            return
        card.owner = player
        table.tell(Event.CLAIM, player, card.number)
    if table.owns_set(player, card.colour) and not (is_new and table.reads("set_on_claim", "no_bonus")):
        may_refuse = table.reads("set_bonus_duty", "optional")
        if not may_refuse or table.ask("SET_BONUS", player, [DECLINE, COLLECT]) == COLLECT:
            collect(table, player, table.number("set_bonus"), Source.SET_BONUS)


def land_on_go_to_jail(table: Table, player: Player, walk: Walk | None) -> None:
    """Go to Jail, or lose HP instead if the Storm has "the space" (N-R28 to N-R30, N-JAIL-STORM-SPACE)."""
    speaks_of_jail = table.reads("jail_storm_space", "jail_space")
    if speaks_of_jail and player.at.in_storm:
        pay(table, player, table.number("storm_loss"), Source.STORM)  # any space in the Storm (N-R43, N-R44)
    elif speaks_of_jail and table.jail.in_storm:
        lose_hp_instead(table, player, walk, as_in_s001=True)
    elif not speaks_of_jail and player.at.in_storm:
        lose_hp_instead(table, player, walk, as_in_s001=False)
    else:
        go_to_jail(table, player, walk)


def go_to_jail(table: Table, player: Player, walk: Walk | None) -> None:
    """Move into Jail and draw a Storm card; a Jail in the Storm costs HP once (N-R28, N-R29, N-R37)."""
    jump_to_jail(table, player, walk)
    is_locked = True
    if table.jail.in_storm:
        pay(table, player, table.number("storm_loss"), Source.STORM)
        is_locked = table.reads("jail_in_storm", "jailed_once")
    if player.is_in_game and is_locked:
        lock_up(table, player)
    draw_for_go_to_jail(table, player)


def lose_hp_instead(table: Table, player: Player, walk: Walk | None, *, as_in_s001: bool) -> None:
    """Lose HP instead of being in Jail (N-R30, N-JAIL-STORM-MOVE, N-JAIL-STORM-DRAW, N-JAIL-STORM-CONTRA)."""
    moves = table.reads("jail_storm_move", "moves") or (as_in_s001 and table.reads("jail_storm_move", "by_space"))
    draws = table.reads("jail_storm_draw", "draw") or (as_in_s001 and table.reads("jail_storm_draw", "by_space"))
    if moves:
        jump_to_jail(table, player, walk)
    pay(table, player, table.number("storm_loss"), Source.STORM)
    if player.is_in_game and as_in_s001 and moves and table.reads("jail_in_storm", "jailed_once"):
        lock_up(table, player)
    if draws:
        draw_for_go_to_jail(table, player)


def jump_to_jail(table: Table, player: Player, walk: Walk | None) -> None:
    """Put the character on the Jail corner at once, past no space; a wall there is reached."""
    left = player.at
    table.tell(Event.MOVE, player, left.number, table.jail.number)
    leave(table, left)
    player.square = table.jail
    if walk is not None:
        walk.led_to_jail = True
    pick_up(table, player, table.jail.loot)
    pick_up(table, player, table.loot_in_cell)
    if table.jail.walls:
        reach_wall(table, player, table.jail)


def lock_up(table: Table, player: Player) -> None:
    """Be in Jail; it may end the turn (N-GTJ-ENDS-TURN)."""
    player.in_jail = True
    player.failed_rolls = 0
    table.turn.was_sent_to_jail |= player is table.turn.player
    table.tell(Event.JAILED, player)
    if player is table.turn.player and table.reads("go_to_jail_turn", "turn_ends"):
        table.turn.is_over = True


def draw_for_go_to_jail(table: Table, player: Player) -> None:
    """Draw the Storm card of Go to Jail, unless who landed there is out of the game (N-R29, N-GTJ-DRAW-TIMING)."""
    if not player.is_in_game:
        return
    if player is table.turn.player and table.reads("jail_draw_timing", "end_of_turn"):
        table.turn.n_jail_cards_due += 1
    else:
        draw_storm_card(table, player)
