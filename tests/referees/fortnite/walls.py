"""What walls do, and who is in whose line of sight."""

from __future__ import annotations

from tests.referees.fortnite.pieces import Player, Square
from tests.referees.fortnite.table import Table
from tests.referees.fortnite.words import Down, Event


def take_wall(table: Table, square: Square, cause: Down) -> None:
    """Put a wall of this space, if there is one, back on the pile."""
    if square.walls:
        square.walls -= 1
        table.walls_in_pile += 1
        table.tell(Event.WALL_DOWN, table.turn.player, square.number, cause)


def reach_wall(table: Table, player: Player, square: Square) -> None:
    """Remove a wall that a character reached, now or as its next turn begins (N-R48, N-WALL-STOP-PROTECT)."""
    if table.reads("wall_stop", "stays"):
        player.stopped_on = square
    else:
        take_wall(table, square, Down.REACHED)


def leave(table: Table, square: Square) -> None:
    """Leave a space; its wall may fall (N-WALL-LEAVE)."""
    if table.reads("wall_leave", "falls"):
        take_wall(table, square, Down.LEFT)


def is_sheltered(player: Player) -> bool:
    """Tell whether a wall stands on the player's space: no attack harms there (N-R49)."""
    return player.at.walls > 0


def line_of_sight(table: Table, player: Player) -> list[Square]:
    """Return the spaces that a player sees: to the next corner, both ways (N-R54)."""
    if table.reads("sight", "everybody"):
        return table.board
    if player.in_jail and table.reads("jail_sight", "hidden"):
        return []
    seen = [player.at] if table.reads("sight_same_space", "visible") else []
    for way in (1, -1):
        square = table.ahead(player.at, way)
        seen.append(square)
        while not (square.is_corner or (square.walls and table.reads("wall_sight", "blocks"))):
            square = table.ahead(square, way)
            seen.append(square)
    return sorted(set(seen), key=lambda square: square.number)


def within_reach(table: Table, player: Player, *, anywhere: bool = False) -> tuple[list[Player], list[Square]]:
    """Return the players and the walls that an attack can meet, in sight or anywhere (N-R49, N-R50, N-R53)."""
    squares = table.board if anywhere else line_of_sight(table, player)
    jail_hides = table.reads("jail_sight", "hidden") and not (anywhere or table.reads("sight", "everybody"))
    players = [
        other
        for other in table.others(player)
        if other.at in squares and not is_sheltered(other) and not (other.in_jail and jail_hides)
    ]
    return players, [square for square in squares if square.walls]
