"""Moments of a turn at which one-time items are used, and actions that may be let lapse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sim.decks import NO_CARD
from sim.engine.playing import settle
from sim.jit import cold
from sim.mechanics.health import stands
from sim.mechanics.loot import choose_card
from sim.mechanics.words import BOTH_ACTIONS, ActionDuty, ActionOption, Common

if TYPE_CHECKING:
    from collections.abc import Callable


def items_by(
    usable: Callable[[Any, int, Any], int],
    choose: Callable[[Any, int, int, Any], int],
    use: Callable[[Any, int, int, Any], None],
) -> Callable[[Any, int, Any], None]:
    """Return a kernel that asks a seat for one item after another until it has enough.

    Args:
        usable: A kernel that returns the mask of cards that may be used now: `usable(table, seat, rules)`.
        choose: A kernel of the policies: `choose(table, seat, cards, rules)` returns a card or NO_CARD.
        use: A kernel that does what a card says: `use(state, seat, card, rules)`.

    Returns:
        A kernel `use_items(state, seat, rules)`.

    """

    @cold
    def use_items(state: Any, seat: int, rules: Any) -> None:
        """Ask for one item after another until the seat has enough (F-R74, N-R39)."""
        table = state.table
        while stands(state, seat) and table.turn_over == 0:
            cards = usable(table, seat, rules)
            if cards == 0:
                return
            wish = choose(table, seat, cards, rules)
            card = choose_card(state, rules.common[Common.DECISION_USE_ITEM], seat, cards, wish, rules)
            if card == NO_CARD:
                return
            use(state, seat, card, rules)

    return use_items


@cold
def lets_lapse(state: Any, seat: int, rules: Any) -> bool:
    """Return whether a seat lets the face rolled lapse, where it may (F-R20, N-R12)."""
    if rules.common[Common.ACTION_DUTY] == ActionDuty.MUST_TAKE:
        return False
    decision, purpose = rules.common[Common.DECISION_ACTION], rules.common[Common.PURPOSE_CHOICE]
    option = settle(state, decision, seat, BOTH_ACTIONS, ActionOption.TAKE + 0, purpose)
    return bool(option == ActionOption.LAPSE)
