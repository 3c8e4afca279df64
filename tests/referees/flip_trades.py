"""Trades of `flip`: the free ones of one's own turn, and the forced one of a Game Mode card."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.referees.flip_table import Table, items
from tests.referees.flip_words import ACCEPT, FIRST_CARD, MOST_ITEMS, MOST_PROPOSALS, NOBODY, NONE, REFUSE, Event


@dataclass(frozen=True)
class Proposal:
    """A trade as far as it has been put in words; a side that is open may still grow."""

    seat: int
    other: int
    wants: tuple[int, ...] = ()
    offers: tuple[int, ...] = ()
    is_want_open: bool = True
    is_offer_open: bool = True


class Trades(Table):
    """Who may give what to whom."""

    def trade(self, seat: int) -> None:
        """Propose trades, one after another (F-R21)."""
        most = MOST_PROPOSALS if self.reads("trade_count", "several") else 1
        while self.n_proposed < most and not self.reads("trade", "never"):
            proposal = self.say_what_is_offered(self.say_what_is_wanted(Proposal(seat, NOBODY)))
            if not proposal.offers:
                return
            self.n_proposed += 1
            if self.ask("TRADE_ANSWER", proposal.other, [REFUSE, ACCEPT]) == ACCEPT:
                self.swap(seat, proposal.offers, proposal.other, proposal.wants)

    def say_what_is_wanted(self, proposal: Proposal) -> Proposal:
        """Name an item of somebody else, and perhaps another of the same seat."""
        others = [other for other in self.others_from(proposal.seat) if self.may_trade(proposal.seat, other)]
        begun = [replace(proposal, other=other) for other in others]
        longer = {each.wants[-1]: each for start in begun for each in self.with_one_more_want(start)}
        first = self.ask("TRADE_WANT", proposal.seat, [*sorted(longer), NONE])
        if first == NONE:
            return proposal
        proposal, longer = longer[first], {each.wants[-1]: each for each in self.with_one_more_want(longer[first])}
        closed = replace(proposal, is_want_open=False)
        if not longer:
            return closed
        enough = [NONE] if self.can_be_legal(closed) else []
        second = self.ask("TRADE_WANT", proposal.seat, [*sorted(longer), *enough])
        return closed if second == NONE else replace(longer[second], is_want_open=False)

    def say_what_is_offered(self, proposal: Proposal) -> Proposal:
        """Name an own item, and perhaps another; nothing withdraws."""
        if not proposal.wants:
            return proposal
        longer = {each.offers[-1]: each for each in self.with_one_more_offer(proposal)}
        first = self.ask("TRADE_OFFER", proposal.seat, [*sorted(longer), NONE])
        if first == NONE:
            return proposal
        proposal, longer = longer[first], {each.offers[-1]: each for each in self.with_one_more_offer(longer[first])}
        if not longer:
            return proposal
        enough = [NONE] if self.is_legal(proposal) else []
        second = self.ask("TRADE_OFFER", proposal.seat, [*sorted(longer), *enough])
        return proposal if second == NONE else longer[second]

    def with_one_more_want(self, proposal: Proposal) -> Iterator[Proposal]:
        """Yield the proposals with one more wanted item that can become legal."""
        if proposal.is_want_open and len(proposal.wants) < self.most_items():
            for item in self.tradeable_items(proposal.other):
                longer = replace(proposal, wants=(*proposal.wants, item))
                if item not in proposal.wants and self.can_be_legal(longer):
                    yield longer

    def with_one_more_offer(self, proposal: Proposal) -> Iterator[Proposal]:
        """Yield the proposals with one more offered item that can become legal."""
        if proposal.is_offer_open and len(proposal.offers) < self.most_items():
            for item in self.tradeable_items(proposal.seat):
                longer = replace(proposal, offers=(*proposal.offers, item))
                if item not in proposal.offers and self.can_be_legal(longer):
                    yield longer

    def most_items(self) -> int:
        """Return how many items a side may give."""
        return MOST_ITEMS if self.reads("trade_items", "up_to_two") else 1

    def can_be_legal(self, proposal: Proposal) -> bool:
        """Tell whether a proposal is legal or becomes so by naming more items."""
        if self.is_pointless(proposal):
            return False
        if proposal.wants and proposal.offers and self.is_legal(proposal):
            return True
        if any(self.with_one_more_offer(proposal)):
            return True
        return not proposal.offers and any(self.with_one_more_want(proposal))

    def is_pointless(self, proposal: Proposal) -> bool:
        """Tell whether a side that cannot grow does not even as a gift complete the set that it must."""
        if self.reads("trade", "valued"):
            return False
        most = self.most_items()
        for receiver, traded, is_open in (
            (proposal.seat, proposal.wants, proposal.is_want_open),
            (proposal.other, proposal.offers, proposal.is_offer_open),
        ):
            owner = [receiver if location in traded else held for location, held in enumerate(self.owner)]
            if (len(traded) == most or not is_open) and not self.has_new_set(receiver, owner):
                return True
        return False

    def may_trade(self, seat: int, other: int) -> bool:
        """Tell whether each seat lacks nothing of some set but a few cards that the other one has, where it must."""
        return self.reads("trade", "valued") or (self.is_near_set(seat, other) and self.is_near_set(other, seat))

    def is_near_set(self, seat: int, other: int) -> bool:
        """Tell whether a seat could complete a set by cards of one other seat."""
        for colour_set in self.components.sets:
            lacking = [location for location in colour_set if self.owner[location] != seat]
            if 1 <= len(lacking) <= self.most_items() and all(self.owner[each] == other for each in lacking):
                return True
        return False

    def is_legal(self, proposal: Proposal) -> bool:
        """Tell whether a trade keeps to the limits and to the switch (F-R75, F-TRADE)."""
        comes = self.n_stored_of(proposal.wants) - self.n_stored_of(proposal.offers)
        if self.n_stored(proposal.seat) + comes > self.limit(proposal.seat):
            return False
        if self.n_stored(proposal.other) - comes > self.limit(proposal.other):
            return False
        return self.reads("trade", "valued") or self.is_fair(proposal)

    def is_fair(self, proposal: Proposal) -> bool:
        """Tell whether a swap of locations completes a set for each of the two seats."""
        owner = list(self.owner)
        for item in proposal.wants:
            owner[item] = proposal.seat
        for item in proposal.offers:
            owner[item] = proposal.other
        return self.has_new_set(proposal.seat, owner) and self.has_new_set(proposal.other, owner)

    def has_new_set(self, seat: int, owner: list[int]) -> bool:
        """Tell whether a seat would own a whole set that it does not own now."""
        return any(
            all(owner[each] == seat for each in colour_set) and any(self.owner[each] != seat for each in colour_set)
            for colour_set in self.components.sets
        )

    def tradeable_items(self, seat: int) -> list[int]:
        """Return the items a seat may trade: locations without Storm, and loot unless trades are about sets alone."""
        locations = [
            location
            for location, owner in enumerate(self.owner)
            if owner == seat and not self.stormed[self.components.space_of[location]]
        ]
        return locations if self.reads("trade", "fair_sets") else locations + items(self.hand[seat])

    def n_stored_of(self, traded: tuple[int, ...]) -> int:
        """Count the loot cards among some items that need room on a Loadout."""
        return sum(item >= FIRST_CARD and self.components.loot[item - FIRST_CARD].stored for item in traded)

    def swap(self, seat: int, offers: tuple[int, ...], other: int, wants: tuple[int, ...]) -> None:
        """Change items over (F-R21, F-R72)."""
        for giver, given, receiver in ((seat, offers, other), (other, wants, seat)):
            for item in sorted(given):
                self.record(Event.SWAP, giver, item, receiver)
                if item < FIRST_CARD:
                    self.owner[item] = receiver
                else:
                    self.hand[giver].remove(item - FIRST_CARD)
                    self.hand[receiver].append(item - FIRST_CARD)

    def forced_trade(self, seat: int) -> bool:
        """Swap a loot card with another player's, and tell whether both had one (F-R72)."""
        partners = [other for other in self.others_from(seat) if self.hand[other]]
        if not self.hand[seat] or not partners:
            return False
        if self.reads("forced_trade_choice", "partner_picks"):
            partner = self.ask("PARTNER", seat, sorted(partners))
            give = self.ask("GIVE", seat, items(self.hand[seat]))
            take = self.ask("TAKE", partner, items(self.hand[partner]))
        else:
            held = [card for partner in partners for card in self.hand[partner]]
            take = self.ask("TAKE", seat, items(held))
            partner = self.holder(take)
            give = self.ask("GIVE", seat, items(self.hand[seat]))
        self.swap(seat, (give,), partner, (take,))
        return True
