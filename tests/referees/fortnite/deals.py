"""Location deals: trades of locations and items in one's own turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from tests.referees.fortnite.pieces import Player
from tests.referees.fortnite.table import Table, item_numbers
from tests.referees.fortnite.words import ACCEPT, FIRST_CARD, MOST_ITEMS, MOST_PROPOSALS, NONE, REFUSE, Event

Bundle = frozenset[int]


@dataclass
class Deal:
    """What may be traded between two players, and which trades may be proposed."""

    table: Table
    proposer: Player
    partner: Player

    def __post_init__(self) -> None:
        self.most = MOST_ITEMS if self.table.reads("trade_items", "up_to_two") else 1
        self.is_about_sets = self.table.reads("trade", "fair_sets")
        self.wanted = tradeable(self.table, self.partner)
        self.offered = tradeable(self.table, self.proposer)
        if self.is_about_sets:  # what cannot complete a set even as a gift need not be looked at again
            self.good_wants = {each for each in self.wants() if self.completes_a_set(self.proposer, each, Bundle())}
            self.good_gives = {each for each in self.gives() if self.completes_a_set(self.partner, each, Bundle())}

    def is_possible(self, wants: Iterable[Bundle], gives: Iterable[Bundle]) -> bool:
        """Tell whether some trade of these may be proposed (N-TRADE)."""
        if not self.is_about_sets:
            return any(wants) and any(gives)
        if not self.good_wants or not self.good_gives:
            return False
        good_gives = self.good_gives.intersection(gives)
        return any(
            self.completes_a_set(self.proposer, want, give) and self.completes_a_set(self.partner, give, want)
            for want in self.good_wants.intersection(wants)
            for give in good_gives
        )

    def completes_a_set(self, player: Player, gets: Bundle, loses: Bundle) -> bool:
        """Tell whether a player has a whole colour set after a trade that it does not have now."""
        cards = self.table.box.locations
        now = {card.number for card in cards if card.owner is player}
        later = (now - loses) | gets
        for colour in {cards[item].colour for item in gets}:
            whole = {card.number for card in cards if card.colour == colour}
            if whole <= later and not whole <= now:
                return True
        return False

    def wants(self, *named: int) -> Iterator[Bundle]:
        """Yield the bundles of the partner's items that hold these."""
        return bundles_with(named, self.wanted, self.most)

    def gives(self, *named: int) -> Iterator[Bundle]:
        """Yield the bundles of one's own items that hold these."""
        return bundles_with(named, self.offered, self.most)


def bundles_with(named: Iterable[int], items: list[int], most: int) -> Iterator[Bundle]:
    """Yield all bundles of at most so many items that hold the named ones, small ones first."""
    core = Bundle(named)
    others = [item for item in items if item not in core]
    for n_more in range(most - len(core) + 1):
        for more in combinations(others, n_more):
            yield core.union(more)


def tradeable(table: Table, player: Player) -> list[int]:
    """Return what a player may trade: locations out of the Storm, and items where they may be swapped (N-R14)."""
    locations = []
    for card in table.box.locations:
        square = table.square_of(card)
        if card.owner is player and not (square is not None and square.in_storm):
            locations.append(card.number)
    return locations if table.reads("trade", "fair_sets") else locations + sorted(item_numbers(player.items))


def make_deals(table: Table, player: Player) -> None:
    """Propose trades to other players (N-R14)."""
    most = MOST_PROPOSALS if table.reads("trade_count", "several") else 1
    while not table.reads("trade", "never") and table.turn.n_proposals < most:
        deal, wants = choose_wants(table, player)
        gives = choose_gives(deal, wants) if deal else Bundle()
        if deal is None or not gives:
            return
        table.turn.n_proposals += 1
        if table.ask("TRADE_ANSWER", deal.partner, [REFUSE, ACCEPT]) == ACCEPT:
            hand_over(table, player, gives, deal.partner)
            hand_over(table, deal.partner, wants, player)


def choose_wants(table: Table, player: Player) -> tuple[Deal | None, Bundle]:
    """Choose what one wants, and thereby of whom."""
    deals = {}
    for other in table.others(player):
        deal = Deal(table, player, other)
        for item in deal.wanted:
            if deal.is_possible(deal.wants(item), deal.gives()):
                deals[item] = deal
    first = table.ask("TRADE_WANT", player, [*deals, NONE])
    if first == NONE:
        return None, Bundle()
    deal, wants = deals[first], Bundle([first])
    if deal.most == 1:
        return deal, wants
    more = [item for item in deal.wanted if item != first and deal.is_possible(deal.wants(first, item), deal.gives())]
    enough = [NONE] if deal.is_possible([wants], deal.gives()) else []
    second = table.ask("TRADE_WANT", player, [*more, *enough])
    return deal, wants if second == NONE else wants | {second}


def choose_gives(deal: Deal, wants: Bundle) -> Bundle:
    """Choose what one offers for it, or nothing."""
    fitting = [item for item in deal.offered if deal.is_possible([wants], deal.gives(item))]
    first = deal.table.ask("TRADE_OFFER", deal.proposer, [*fitting, NONE])
    if first == NONE:
        return Bundle()
    gives = Bundle([first])
    if deal.most == 1:
        return gives
    more = [item for item in deal.offered if item != first and deal.is_possible([wants], deal.gives(first, item))]
    enough = [NONE] if deal.is_possible([wants], [gives]) else []
    second = deal.table.ask("TRADE_OFFER", deal.proposer, [*more, *enough])
    return gives if second == NONE else gives | {second}


def hand_over(table: Table, giver: Player, bundle: Bundle, receiver: Player) -> None:
    """Give somebody what was traded."""
    for number in sorted(bundle):
        table.tell(Event.SWAP, giver, number, receiver.chair)
        if number < FIRST_CARD:
            table.box.locations[number].owner = receiver
        else:
            item = table.box.items[number - FIRST_CARD]
            giver.items.remove(item)
            receiver.items.append(item)
