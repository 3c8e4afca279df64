"""Health points: collecting them, paying them to the Bank, and running out of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from tests.referees.fortnite.pieces import Player
from tests.referees.fortnite.table import PlayoutOver, Table
from tests.referees.fortnite.words import WHOLE_WIN, Ending, Event, Source


def collect(table: Table, player: Player, hp: int, source: Source) -> None:
    """Collect HP from the Bank, never beyond the most that one may have (N-R2, N-R3, N-CAP)."""
    short_of_most = table.number("hp_cap") - player.hp
    if hp > short_of_most:
        hp = 0 if table.reads("cap", "all_or_nothing") else short_of_most
    _change(table, player, hp, source)


def fill_up(table: Table, player: Player, source: Source) -> None:
    """Collect as many HP as one may have."""
    _change(table, player, table.number("hp_cap") - player.hp, source)


def pay(table: Table, player: Player, hp: int, source: Source) -> None:
    """Pay HP to the Bank; who loses the last one is out of the game at once (N-R57)."""
    pay_together(table, {player: hp}, source)


def pay_together(table: Table, owed: Mapping[Player, int], source: Source) -> None:
    """Have several players pay by one effect; then those without HP are out, then a winner is looked for."""
    payers = [player for player in table.players_from(table.turn.player) if player in owed]
    debts = {}
    for player in payers:
        debts[player] = owed[player] - player.hp
        _change(table, player, -min(owed[player], player.hp), source)
    ruined = [player for player in payers if player.hp == 0]
    for player in ruined:
        run_out(table, player)
    look_for_winner(table, {player: debts[player] for player in ruined})


def _change(table: Table, player: Player, change: int, source: Source) -> None:
    """Move chips between a player and the Bank."""
    if change:
        player.hp += change
        table.tell(Event.HP, player, change, source, table.turn.player.chair)


def run_out(table: Table, player: Player) -> None:
    """Take a player without HP out of the game: character, items, locations (N-R57 to N-R59)."""
    here = player.at
    table.n_fallen += 1
    table.tell(Event.FALL, player, table.n_fallen, here.number)
    lies_in_cell = player.in_jail and table.reads("drop_in_jail", "jailed_only")
    heap = table.loot_in_cell if lies_in_cell else here.loot
    for item in sorted(player.items, key=lambda item: item.number):
        table.tell(Event.DROP, player, item.number, here.number)
        heap.append(item)
    player.items = []
    player.is_in_game = player.in_jail = False
    player.square = None
    for card in table.box.locations:
        if card.owner is player:
            card.owner = None
            square = table.square_of(card)
            if square is not None and not square.in_storm:
                square.in_storm = True
                table.tell(Event.STORM, player, square.number, 1)


def look_for_winner(table: Table, debts: Mapping[Player, int]) -> None:
    """End the playout when one player is left, or none (N-R1, N-R60).

    Args:
        table: The table.
        debts: For those who ran out of HP just now, what each owed beyond its HP.

    """
    left = [player for player in table.players if player.is_in_game]
    if len(left) > 1:
        return
    winners = left or winners_of_the_ruined(table, debts)
    for player in winners:
        table.payoff[player.chair] = WHOLE_WIN // len(winners)
    end(table, Ending.WON if len(winners) == 1 else Ending.DRAWN, winners)


def winners_of_the_ruined(table: Table, debts: Mapping[Player, int]) -> list[Player]:
    """Return who wins when the last players ran out of HP together (N-DOUBLE-KO)."""
    everybody = list(debts)
    if table.reads("double_knock_out", "turn_player_loses"):
        return [player for player in everybody if player is not table.turn.player] or everybody
    if table.reads("double_knock_out", "lowest_debt"):
        least = min(debts.values())
        return [player for player in everybody if debts[player] == least]
    return everybody


def end(table: Table, ending: Ending, winners: list[Player]) -> NoReturn:
    """End the playout at once."""
    table.termination = ending.name.lower()
    winner = winners[0] if ending == Ending.WON else None
    table.tell(Event.END, winner, ending)
    raise PlayoutOver
