"""Storm cards: where they come from, and which space the Storm takes."""

from __future__ import annotations

from tests.referees.fortnite.health import pay_together
from tests.referees.fortnite.pieces import LocationCard, Player, Square
from tests.referees.fortnite.table import Table
from tests.referees.fortnite.words import Event, Freed, Source


def leave_jail(table: Table, player: Player, how: Freed) -> None:
    """Get out of Jail."""
    player.in_jail = False
    player.failed_rolls = 0
    table.tell(Event.FREED, player, how)


def draw_storm_card(table: Table, player: Player) -> None:
    """Turn over the top Storm card, or more until one finds its space (N-R13, N-STORM-CHOICE-NONE)."""
    has_refilled = False
    while True:
        if not table.storm_deck and not has_refilled and table.reads("storm_empty", "reshuffle"):
            has_refilled = True
            shuffle(table, table.storm_out)
            table.storm_out = set()
        if not table.storm_deck:
            return
        card = table.storm_deck.pop(0)
        table.tell(Event.STORM_CARD, player, card)
        if carry_out(table, player, card) or table.reads("storm_none", "skip"):
            return


def shuffle(table: Table, cards: set[int]) -> None:
    """Shuffle these Storm cards into a deck, if there are any."""
    if cards:
        table.n_reshuffles += 1
        table.storm_deck = [card for card in table.order("STORM", table.n_reshuffles) if card in cards]


def carry_out(table: Table, drawer: Player, card: int) -> bool:
    """Do what a Storm card says; tell whether there was something for it to do."""
    effect = table.box.storm_cards[card]
    if effect == "dice" and not table.reads("storm_dice", "blank"):
        everyone_rolls(table, drawer, card)
        return True
    if effect in {"dice", "blank"}:
        table.storm_out.add(card)
        return True
    squares = squares_for(table, drawer, effect)
    if not squares:
        table.storm_out.add(card)
        return False
    square = table.ask_square("STORM_SPACE", drawer, squares)
    if square.location is not None:  # the location's own card is laid, not this one (N-R42)
        table.storm_out.add(card)
    take(table, square)
    return True


def everyone_rolls(table: Table, drawer: Player, card: int) -> None:
    """Have everyone roll the numbered die and lose as much (N-STORM-DICE)."""
    if table.reads("storm_dice", "reshuffle"):
        shuffle(table, {card, *table.storm_deck})
    else:
        table.storm_deck.append(card)
    rolled = {}
    for player in table.players_from(drawer):
        rolled[player] = table.roll_numbered_die("STORM_DIE", player, table.turn.n_dice_cards)
        table.tell(Event.TABLE_ROLL, player, rolled[player])
    table.turn.n_dice_cards += 1
    pay_together(table, rolled, Source.STORM_CARD)


def squares_for(table: Table, drawer: Player, effect: str) -> list[Square]:
    """Return the spaces that are meant by a Storm card and not taken yet."""
    calm = [square for square in table.board if not square.in_storm]
    if effect not in {"location", "own_location", "highest", "lowest"}:
        return [square for square in calm if square.kind == effect]
    open_cards = {
        square.location: square
        for square in calm
        if square.location is not None
        and (square.location.owner is None or not table.reads("storm_claimed", "unclaimed_only"))
    }
    return [open_cards[card] for card in meant(table, drawer, effect, list(open_cards))]


def meant(table: Table, drawer: Player, effect: str, cards: list[LocationCard]) -> list[LocationCard]:
    """Return which of these locations a Storm card means; they are given in the order of the board."""
    if effect == "location" or not cards:
        return cards
    if effect == "own_location":
        return [card for card in cards if card.owner is drawer] or cards
    pick = max if effect == "highest" else min
    value = pick(card.cost for card in cards)
    tied = [card for card in cards if card.cost == value]
    if table.reads("value_tie", "drawer"):
        return tied
    return tied[-1:] if effect == "highest" else tied[:1]


def take(table: Table, square: Square) -> None:
    """Let the Storm take a space; who is on it loses nothing, who is in a taken Jail is out (N-R36, N-R42, N-R46)."""
    card = square.location
    square.in_storm = True
    table.tell(Event.STORM, card.owner if card else None, square.number, 0)
    if card and not table.reads("storm_claimed", "owner_keeps"):
        card.owner = None
    if square is table.jail:
        for player in table.players:
            if player.in_jail:
                leave_jail(table, player, Freed.STORM)
