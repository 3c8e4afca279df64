"""The action die: Bandages, Crosshairs, Boogie Bomb, Brick."""

from __future__ import annotations

from tests.referees.fortnite.health import collect, pay
from tests.referees.fortnite.loot import may_use_items, use
from tests.referees.fortnite.pieces import Item, Player, Square
from tests.referees.fortnite.table import Table, item_numbers
from tests.referees.fortnite.walls import is_sheltered, take_wall, within_reach
from tests.referees.fortnite.words import FIRST_CARD, FIRST_WALL, LET_LAPSE, NONE, TAKE, Down, Event, Source


def use_action_die(table: Table, player: Player, face: str, rolled: int) -> None:
    """Carry out the action of the face, with the number that the other die shows."""
    may_lapse = face in {"bandages", "boogie_bomb"} and table.reads("action_duty", "may_lapse")
    if may_lapse and table.ask("ACTION", player, [LET_LAPSE, TAKE]) == LET_LAPSE:  # N-R12
        return
    if face == "bandages":
        collect(table, player, table.number("bandages_heal"), Source.BANDAGES)  # N-R52
    elif face == "crosshairs":
        use_crosshairs(table, player)
    elif face == "boogie_bomb":
        set_off_boogie_bomb(table, player)
    elif face == "brick":
        place_wall(table, player, rolled)


def use_crosshairs(table: Table, player: Player) -> None:
    """Choose a player or a wall to shoot at, with items that modify the shot (N-R39, N-R50, N-R53)."""
    weapons: list[Item] = []
    while offered := weapons_for(table, player, weapons):
        answer = table.ask("MODIFIER", player, [*item_numbers(offered), NONE])
        if answer == NONE:
            break
        weapon = table.box.items[answer - FIRST_CARD]
        weapons.append(weapon)
        use(table, player, weapon)
        if weapon.effect == "area_damage":
            throw_stink_bomb(table, player, weapon)
            if table.reads("stink_add", "instead"):
                return
    shoot(table, player, weapons)


def weapons_for(table: Table, player: Player, weapons: list[Item]) -> list[Item]:
    """Return the items that may still modify this shot: those that help it to hit something."""
    if not may_use_items(table, player):
        return []
    is_blind = not any(reach_of_shot(table, player, weapons))
    return [
        item
        for item in player.items
        if item.is_weapon and item not in weapons and (item.shoots_anywhere or not is_blind)
    ]


def reach_of_shot(table: Table, player: Player, weapons: list[Item]) -> tuple[list[Player], list[Square]]:
    """Return the players and walls that a shot with these items can hit."""
    return within_reach(table, player, anywhere=any(weapon.shoots_anywhere for weapon in weapons))


def shoot(table: Table, player: Player, weapons: list[Item]) -> None:
    """Hit one player or one wall; a wall need not be shot (N-R50, N-XHAIR-OPTIONAL)."""
    targets, walled = reach_of_shot(table, player, weapons)
    if not targets and not walled:
        table.tell(Event.NO_TARGET, player)
        return
    options = [target.chair for target in targets] + [FIRST_WALL + square.number for square in walled]
    if not targets or table.reads("crosshairs_duty", "may_pass"):
        options.append(NONE)
    answer = table.ask("TARGET", player, options)
    if answer == NONE:
        return
    if answer >= FIRST_WALL:
        take_wall(table, table.board[answer - FIRST_WALL], Down.ATTACKED)
    else:
        pay(table, table.players[answer], damage(table, weapons), Source.CROSSHAIRS)


def damage(table: Table, weapons: list[Item]) -> int:
    """Return how many HP a shot costs (N-R53, N-XHAIR-STACK)."""
    printed = [weapon.amount for weapon in weapons if weapon.effect == "damage"]
    if table.reads("crosshairs_stack", "sum"):
        printed = [sum(printed)]
    return max([table.number("crosshairs_damage"), *printed])


def throw_stink_bomb(table: Table, player: Player, bomb: Item) -> None:
    """Harm all players in sight, then attack walls there."""
    targets, walled = within_reach(table, player)
    for target in targets:
        pay(table, target, bomb.amount, Source.CROSSHAIRS)
    if table.reads("stink_walls", "all_but_own"):
        walled = [square for square in walled if square is not player.at]
    if not table.reads("stink_walls", "chosen"):
        for square in walled:
            take_wall(table, square, Down.ATTACKED)
        return
    while walled:
        answer = table.ask("STINK_WALL", player, [*(square.number for square in walled), NONE])
        if answer == NONE:
            return
        take_wall(table, table.board[answer], Down.ATTACKED)
        walled.remove(table.board[answer])


def set_off_boogie_bomb(table: Table, player: Player) -> None:
    """All other players lose HP and all walls are destroyed (N-R55, N-WALL-VS-BOOGIE, N-BUSH)."""
    for other in table.others(player):
        is_safe = other.has("bush") or (is_sheltered(other) and table.reads("wall_boogie", "protects"))
        if not is_safe:
            pay(table, other, table.number("boogie_bomb_damage"), Source.BOOGIE_BOMB)
    for square in table.squares_with_walls():
        if table.reads("bush", "keeps_walls") and is_bush_on(table, square):
            continue
        for _ in range(square.walls):
            take_wall(table, square, Down.BOOGIE_BOMB)


def is_bush_on(table: Table, square: Square) -> bool:
    """Tell whether a player with a Bush is on a space."""
    return any(player.is_in_game and player.at is square and player.has("bush") for player in table.players)


def place_wall(table: Table, player: Player, rolled: int) -> None:
    """Place a wall on a space of the path (N-R56, N-WALL-MANDATORY, N-WALL-SUPPLY)."""
    squares = [square for square in path(table, player, rolled) if may_take_a_wall(table, square)]
    if not squares:
        return
    options = {square.number for square in squares}
    answer = table.ask("WALL", player, options | ({NONE} if table.reads("wall_duty", "may_build") else set()))
    if answer == NONE:
        return
    square = table.board[answer]
    if table.walls_in_pile == 0:
        take_wall(table, table.ask_square("WALL_TAKE", player, walls_elsewhere(table, square)), Down.TAKEN)
    table.walls_in_pile -= 1
    square.walls += 1
    table.tell(Event.WALL, player, square.number)


def walls_elsewhere(table: Table, square: Square) -> list[Square]:
    """Return the other spaces that hold a wall."""
    return [other for other in table.squares_with_walls() if other is not square]


def may_take_a_wall(table: Table, square: Square) -> bool:
    """Tell whether a wall can come to stand on a space (N-WALL-STACK, N-WALL-SUPPLY)."""
    if square.walls and table.reads("wall_stack", "one"):
        return False
    can_be_moved = table.reads("wall_supply", "move_old") and bool(walls_elsewhere(table, square))
    return table.walls_in_pile > 0 or can_be_moved


def path(table: Table, player: Player, rolled: int) -> list[Square]:
    """Return the spaces along which the numbered die has led or will lead (N-R56, N-WALL-LANDING, N-BRICK-JAIL)."""
    walk = table.turn.walk
    if walk is None:
        return path_to_come(table, player, rolled)
    if walk.led_to_jail and table.reads("brick_jail", "none"):
        return []
    after = [table.jail] if walk.led_to_jail and table.reads("brick_jail", "jail_too") else []
    return [walk.start, *but_for_landing(table, walk.entered), *after]


def path_to_come(table: Table, player: Player, rolled: int) -> list[Square]:
    """Return the path of a move that is still to be made (N-BRICK-ORDER)."""
    can_still_move = not table.turn.is_number_die_used and not player.in_jail and table.reads("movement", "printed")
    if not can_still_move or table.reads("brick_order", "move_first"):
        return []
    ahead: list[Square] = []
    while len(ahead) < rolled and not (ahead and ahead[-1].walls):
        ahead.append(table.ahead(player.at, len(ahead) + 1))
    return [player.at, *but_for_landing(table, ahead)]


def but_for_landing(table: Table, squares: list[Square]) -> list[Square]:
    """Leave out the space that is landed on, where no wall may be placed there (N-WALL-LANDING)."""
    return squares[:-1] if table.reads("wall_landing", "not_on_landing") else squares
