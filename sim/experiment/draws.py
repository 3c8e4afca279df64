"""Draw lifts: recorded draws from the deck that is left after the deal, and their rows of the item table.

A draw is random while cards lie in the deck that nobody has seen since it was shuffled: the top one is any of them
alike. Cards that were put under the deck come later, in an order that everybody could know; such draws are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sim.engine.blocks import Arm
from sim.engine.contract import WHOLE_WIN
from sim.engine.recording import FIRST, SEAT, record_playouts
from sim.engine.totals import finished
from sim.experiment.estimands import FROM_DRAWS, TITLES, Estimand, fits
from sim.experiment.item_tables import Named, item_row
from sim.statistics.draws import DrawLift, Draws, draw_lift

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sim.engine.contract import ItemFamily
    from sim.engine.recording import Recorded
    from sim.experiment.arms import Item, Setting
    from sim.experiment.plan import Plan
    from sim.experiment.sample import Meter

REST: Final = "the rest of the deck"
AGREES: Final = "agrees with the draw lift"
DIFFERS: Final = "differs from the draw lift"

Array = np.ndarray[Any, Any]
Rows = list[dict[str, Any]]


def drawn_items(plan: Plan, setting: Setting) -> list[Item]:
    """Return the items whose draw lift is wanted."""
    wanted = plan.measured & FROM_DRAWS
    return [item for item in setting.items if wanted and fits(Estimand.DRAW, item.family)]


def n_recorded_for_draws(plan: Plan, setting: Setting) -> int:
    """Return how many playouts of a setting are recorded for draw lifts."""
    return min(plan.paired_playouts, setting.call.arms[0].n_playouts) if drawn_items(plan, setting) else 0


def draw_rows(plan: Plan, setting: Setting, meter: Meter) -> Rows:
    """Return the draw lifts of a setting's items in the baseline, from playouts recorded for them.

    Args:
        plan: The plan.
        setting: The setting.
        meter: Takes note of what is recorded.

    """
    wanted, items = plan.measured & FROM_DRAWS, drawn_items(plan, setting)
    if not items:
        return []
    base = setting.call.arms[0]
    n_playouts = n_recorded_for_draws(plan, setting)
    families = {item.family.name: item.family for item in items}
    collected = {name: _Collected(family, setting.copies_of(family)) for name, family in families.items()}
    n_cut = 0
    for recorded in record_playouts(setting.call.game, base, plan.seed, 0, n_playouts):
        n_cut += int((~finished(recorded.rows[None, :])).sum())
        meter.add(len(recorded.playouts))
        for one in collected.values():
            one.add(recorded)
    level = setting.intervals.of_several(len(items))
    rows: Rows = []
    for item in items:
        found = draw_lift(collected[item.family.name].draws(), item.row, 1 / setting.seats, level)
        rows += [] if found is None else _rows_of(wanted, setting, base, item, (found, n_cut))
    return rows


def _rows_of(wanted: Iterable[Estimand], setting: Setting, base: Arm, item: Item, found: tuple[DrawLift, int]) -> Rows:
    """Return the rows of one item: the lift, and whether known chances alone tell the same."""
    lifts, n_cut = found
    verdict = AGREES if lifts.agree else DIFFERS
    lift, check = (setting.intervals.within(one, lifts.n_drawn) for one in (lifts.lift, lifts.check))
    told = {Estimand.DRAW: ("", lift), Estimand.IPW: (verdict, check)}
    counts = lifts.n_drawn, n_cut
    return [
        item_row(setting, base.name, item, Named(TITLES[estimand][0], REST, verdict=said), estimate, counts)
        for estimand, (said, estimate) in told.items()
        if estimand in wanted
    ]


@dataclass
class _Collected:
    """Random draws of one family over all blocks of recorded playouts."""

    family: ItemFamily
    copies: list[int]
    n_playouts: int = 0
    parts: list[tuple[Array, Array, Array, Array]] = field(default_factory=list)

    @property
    def item_of(self) -> Array:
        """Row of the component table of each physical card."""
        return np.repeat(np.arange(len(self.copies)), self.copies)

    def add(self, recorded: Recorded) -> None:
        """Take the draws of some recorded playouts; those that hit the turn limit do not count."""
        counts = finished(recorded.rows[None, :])
        number_of = self.n_playouts + np.cumsum(counts) - 1
        self.n_playouts += int(counts.sum())
        is_seen = recorded.of_kind(self.family.deal_event, self.family.draw_event)
        is_draw = recorded.of_kind(self.family.draw_event)[is_seen]
        place, events = recorded.place[is_seen], recorded.events[is_seen]
        fresh, left = unseen(place, events[:, FIRST], len(self.item_of))
        if (is_draw & ~fresh & left.any(axis=1)).any():
            message = f"a {self.family.name} was drawn again before all of its deck was seen, so its chance is unknown"
            raise RuntimeError(message)
        random = is_draw & fresh & (left.sum(axis=1) > 1) & counts[place]
        members = np.zeros((len(self.item_of), len(self.copies)))
        members[np.arange(len(self.item_of)), self.item_of] = 1
        chance = left[random] @ members / left[random].sum(axis=1, keepdims=True)
        payoff = recorded.rows["payoff"][place[random], events[random, SEAT]] / WHOLE_WIN
        item = self.item_of[events[random, FIRST]]
        self.parts.append((number_of[place[random]], item, payoff, chance))

    def draws(self) -> Draws:
        """Return all draws."""
        return Draws(self.n_playouts, *(np.concatenate(part) for part in zip(*self.parts, strict=True)))


def unseen(place: Array, card: Array, n_cards: int) -> tuple[Array, Array]:
    """Return of each card that is dealt or drawn whether it was never seen before, and which cards were not.

    Args:
        place: Playout of each card, in order.
        card: The physical card.
        n_cards: Physical cards in all.

    Returns:
        Whether it is fresh, shape (n_events,), and which cards were unseen just before, shape (n_events, n_cards).

    """
    shown = np.zeros((len(card), n_cards), bool)
    shown[np.arange(len(card)), card] = True
    seen = np.zeros_like(shown)
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    for start, stop in zip(starts, [*starts[1:], len(card)], strict=True):
        seen[start + 1 : stop] = np.logical_or.accumulate(shown[start : stop - 1], axis=0)
    return ~seen[np.arange(len(card)), card], ~seen
