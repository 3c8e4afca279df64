"""Loot chest items as pieces: drawn, picked up, used."""

from __future__ import annotations

from tests.referees.fortnite.pieces import Item, Player
from tests.referees.fortnite.table import Table
from tests.referees.fortnite.words import Event


def draw_loot(table: Table, player: Player) -> None:
    """Draw a loot chest card, if there is one (N-R26)."""
    if table.loot_deck:
        item = table.loot_deck.pop(0)
        table.tell(Event.LOOT, player, item.number)
        player.items.append(item)


def pick_up(table: Table, player: Player, heap: list[Item]) -> None:
    """Pick up the items of a player who ran out of HP here (N-R58, N-LOOT-PICKUP)."""
    if table.reads("loot_pickup", "own_turn") and player is not table.turn.player:
        return
    for item in sorted(heap, key=lambda item: item.number):
        table.tell(Event.PICK_UP, player, item.number, player.at.number)
    player.items += heap
    heap.clear()


def use(table: Table, player: Player, item: Item) -> None:
    """Use an item; one for one-time use goes to the bottom of the loot chest deck (N-R38, N-R40)."""
    table.tell(Event.USE, player, item.number)
    if item.one_time:
        player.items.remove(item)
        table.loot_deck.append(item)
        table.tell(Event.UNDER, player, item.number)


def may_use_items(table: Table, player: Player) -> bool:
    """Tell whether a player may use items where it is (N-JAIL-ITEMS)."""
    return table.reads("jail_items", "allowed") or not player.in_jail
