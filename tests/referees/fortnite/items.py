"""Items that are played by themselves in one's own turn."""

from __future__ import annotations

from tests.referees.fortnite.health import collect, fill_up, pay_together
from tests.referees.fortnite.loot import may_use_items, use
from tests.referees.fortnite.pieces import Item, Player
from tests.referees.fortnite.spaces import move
from tests.referees.fortnite.storm import leave_jail
from tests.referees.fortnite.table import Table, item_numbers
from tests.referees.fortnite.walls import is_sheltered, take_wall
from tests.referees.fortnite.words import BACKWARDS, FIRST_CARD, NONE, STEPS_PER_SEAT, Down, Freed, Source


def play_items(table: Table, player: Player) -> None:
    """Play items, one after another, as long as one may and wants to (N-R39, N-R40)."""
    while player.is_in_game and not table.turn.is_over and may_use_items(table, player):
        playable = [item for item in player.items if item.is_played]
        if not playable:
            return
        answer = table.ask("USE_ITEM", player, [*item_numbers(playable), NONE])
        if answer == NONE:
            return
        item = table.box.items[answer - FIRST_CARD]
        use(table, player, item)
        play(table, player, item)


def play(table: Table, player: Player, item: Item) -> None:
    """Do what an item says."""
    if item.effect == "refill":
        fill_up(table, player, Source.ITEM)
    elif item.effect == "heal":
        collect(table, player, item.amount, Source.ITEM)
    elif item.effect == "clinger":
        throw_clinger(table, player, item.amount)
    elif item.effect == "bouncer":
        bounce(table, player, item.amount)


def throw_clinger(table: Table, player: Player, hp: int) -> None:
    """Attack all on a space, or the wall that shelters them (N-R49, N-R50, N-CLINGER-SELF, N-CLINGER-WALL)."""
    square = table.ask_square("CLINGER_SPACE", player, table.board)
    if square.walls:
        take_wall(table, square, Down.ATTACKED)
        if table.reads("clinger_wall", "protects"):
            return
    spares_thrower = table.reads("clinger_self", "spared")
    hit = [other for other in table.players_from(player) if other.at is square]
    owed = {other: hp for other in hit if other is not player or not spares_thrower}
    pay_together(table, owed, Source.ITEM)


def bounce(table: Table, player: Player, most: int) -> None:
    """Move a character some spaces, for which the space where it lands is carried out (N-BOUNCER-DIR)."""
    options = set()
    for moved in table.players_from(player):
        if may_be_bounced(table, player, moved):
            forwards = [moved.chair * STEPS_PER_SEAT + steps for steps in range(most)]
            options.update(forwards)
            if table.reads("bouncer_direction", "both"):
                options.update(option + BACKWARDS for option in forwards)
    if not options:
        return
    chair, code = divmod(table.ask("BOUNCER", player, options), STEPS_PER_SEAT)
    moved = table.players[chair]
    if moved.in_jail:
        leave_jail(table, moved, Freed.CARD)
    move(table, moved, code + 1 if code < BACKWARDS else BACKWARDS - code - 1, None)


def may_be_bounced(table: Table, player: Player, moved: Player) -> bool:
    """Tell whether a player may move this character (N-BOUNCER-SELF, N-BOUNCER-JAILED, N-BOUNCER-WALL)."""
    if moved is player and table.reads("bouncer_self", "others_only"):
        return False
    if moved.in_jail and table.reads("bouncer_jailed", "not_movable"):
        return False
    return not is_sheltered(moved) or table.reads("bouncer_wall_target", "not_immune")
