"""What a plan plays: for each number of seats and profile the arms, their pairs and the items they measure.

Item strength is measured by intervention. The *blank* arm plays again the playouts in which the baseline dealt the
item to somebody, with the item's effect removed and every place in every order kept: the holder's loss is the
ablation lift. The *grant* arm puts the item at the head of a seat's deal and its *control* arm does the same with the
item blank. Where somebody was dealt the only copy anyway, the grant is given to that seat: then the grant arm is
the baseline and the control arm is the blank arm, row for row, and these playouts need not be played twice. (The deal
is random, so whoever was dealt the item is a random seat, and the rest of the deal is random either way.) So most
pairs of a grant lift come from there, and the others from grants in playouts without the item.

Of an item with several copies one is granted, in every playout, and in the control arm this one copy is blank: it has
a row of its own in both arms, a *twin* at the end of the table, so that the other copies stay what they are and every
place stays the same. (The ablation lift is about the item, so it blanks all copies.) Where seats choose an item
instead of being dealt it, its holder is no random seat: it has no ablation lift, and is granted in every playout too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from sim import games
from sim.engine.blocks import Arm, Call, Held, Pair, Selection
from sim.engine.contract import CHOSEN, DEALT, DRAWN
from sim.engine.lineup import make_lineup, rotations
from sim.experiment import advice, interventions
from sim.experiment.estimands import FROM_BLANKS, Estimand, fits
from sim.experiment.interventions import BLANK
from sim.experiment.plan import ALL, ARM_MARK, NONE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sim.components import Components, Ruleset
    from sim.engine.blocks import Played
    from sim.engine.contract import Game, ItemFamily
    from sim.experiment.plan import Plan, Profile
    from sim.experiment.verdicts import Intervals

GRANT: Final = "grant"
CONTROL: Final = "control"
ABLATION: Final = "ablation"
PART_DEALT: Final = 0.9  # of the pairs of a grant lift; the others cost twice as many playouts
SAFE_DEVIATIONS: Final = 5  # so that chance never leaves fewer pairs than asked for


@dataclass(frozen=True)
class Item:
    """An item whose balance is measured.

    Attributes:
        family: Its family.
        row: Its row in the component table.
        name: Its key there.
        title: What the table calls it.
        card: Its first physical card.
        copies: How many copies there are.
        n_cards: Physical cards of the family together.
        siblings: Keys of all rows of its table.
        cells: Column and value of its row, but for its key.

    """

    family: ItemFamily
    row: int
    name: str
    title: str
    card: int
    copies: int
    n_cards: int
    siblings: tuple[str, ...] = ()
    cells: tuple[tuple[str, Any], ...] = ()

    def label(self, kind: str, *more: str) -> str:
        """Return the name of an arm or pair about this item, with what else tells it from others."""
        return ARM_MARK.join((kind, *more, self.family.name, self.name))

    @property
    def is_replayed(self) -> bool:
        """Whether a playout in which somebody was dealt it is a random grant of it."""
        return self.copies == 1 and DEALT in self.family.acquired

    @property
    def held(self) -> Held:
        """Family and row, as the engine names an item."""
        return self.family, self.row

    def share_dealt(self, seats: int) -> float:
        """Return about how often somebody is dealt it."""
        return min(1.0, seats * self.copies / max(1, self.n_cards))

    def n_playouts(self, seats: int, n_pairs: int, n_most: int) -> tuple[int, int]:
        """Return how many playouts the blank arm and the grant arm reach over, to give `n_pairs` pairs together.

        Args:
            seats: Seats at the table.
            n_pairs: Pairs wanted of the grant lift.
            n_most: Playouts of the baseline, which no arm exceeds.

        """
        share = self.share_dealt(seats)
        if not self.is_replayed or share in (0, 1):
            return n_pairs, n_pairs
        n_blank = min(n_most, math.ceil(PART_DEALT * n_pairs / share))
        n_dealt = n_blank * share - SAFE_DEVIATIONS * math.sqrt(n_blank * share * (1 - share))
        n_grant = min(n_most, math.ceil((n_pairs - max(0.0, n_dealt)) / (1 - share)))
        return max(n_blank, min(n_pairs, n_most)), n_grant


@dataclass(frozen=True)
class Setting:
    """One number of seats under one profile: what is played and what it means.

    Attributes:
        seats: Seats at the table.
        profile: The line-up.
        call: Arms and pairs; the first arm is the baseline.
        items: Items that have arms of their own.
        rulesets: Resolved rules by variant.
        keys: Which column of each component table names its rows.
        margin: Half-width of what counts as balanced, in points.
        intervals: Which intervals the tables tell.

    """

    seats: int
    profile: Profile
    call: Call
    items: tuple[Item, ...]
    rulesets: dict[str, Ruleset]
    keys: dict[str, str]
    margin: float
    intervals: Intervals

    @property
    def labels(self) -> dict[str, Any]:
        """Columns that every table has."""
        return {"seats": self.seats, "profile": self.profile.name}

    @property
    def policies(self) -> list[str]:
        """Policy of each seat of the line-up."""
        return [policy.name for policy in self.call.arms[0].lineup]

    def is_dealt(self, family: ItemFamily, variant: str) -> bool:
        """Tell whether items of a family are dealt at random in a variant, not chosen."""
        return CHOSEN not in family.under(self.rulesets[variant].rules).acquired

    def copies_of(self, family: ItemFamily) -> list[int]:
        """Return the copies of each item of a family in the baseline."""
        ruleset = next(iter(self.rulesets.values()))
        return [int(row["copies"]) for row in self.call.game.items(family, ruleset)]

    def n_reached(self, outcome: Played, *names: str) -> int:
        """Return how many playout numbers all of these arms have reached."""
        planned = [arm.n_playouts for arm in self.call.arms if arm.name in names]
        return min(outcome.n_playouts, *planned)

    def cut_to(self, n_playouts: int) -> Setting:
        """Return the same with no arm longer than `n_playouts`."""
        arms = tuple(replace(arm, n_playouts=min(arm.n_playouts, n_playouts)) for arm in self.call.arms)
        return replace(self, call=replace(self.call, arms=arms))

    @property
    def n_rotations(self) -> int:
        """Rotations that count as one playout."""
        return len(rotations(self.call.arms[0].lineup))


def settings(plan: Plan) -> list[Setting]:
    """Return everything that a plan plays, a call per number of seats and profile."""
    game = games.get(plan.game)
    components = game.load()
    rulesets = {one.name: components.resolve(one.changes) for one in plan.variants}
    wanted = plan.items if plan.wants("item_balance") or plan.wants("item_summary") else NONE
    items = items_of(game, components, rulesets[plan.variants[0].name], wanted)
    keys = {name: spec.key for name, spec in components.specs.items()}
    maker = _Maker(plan, game, components, rulesets, items)
    return [
        Setting(seats, profile, maker.call(seats, profile), items, rulesets, keys, plan.margin, plan.intervals(seats))
        for seats in plan.seat_counts
        for profile in plan.profiles
    ]


def items_of(game: Game, components: Components, ruleset: Ruleset, wanted: str | Sequence[str]) -> tuple[Item, ...]:
    """Return the items of a ruleset that are dealt, drawn or chosen, have copies and are asked for."""
    found: list[Item] = []
    for family in (one.under(ruleset.rules) for one in game.families):
        if wanted == NONE or not {DEALT, DRAWN, CHOSEN} & set(family.acquired):
            continue
        key = components.specs[family.table].key
        rows = game.items(family, ruleset)
        copies = [int(values["copies"]) for values in rows]
        siblings = tuple(str(values[key]) for values in rows)
        for row, values in enumerate(rows):
            name = str(values[key])
            if copies[row] and (wanted == ALL or name in wanted):
                title = str(values.get("name") or name)
                cells = tuple(
                    (column, value) for column, value in values.items() if column != key and value is not None
                )
                card = sum(copies[:row])
                found.append(Item(family, row, name, title, card, copies[row], sum(copies), siblings, cells))
    return tuple(found)


@dataclass(frozen=True)
class _Maker:
    """What the calls of all settings have in common; rules that several of them play are packed once."""

    plan: Plan
    game: Game
    components: Components
    rulesets: dict[str, Ruleset]
    items: tuple[Item, ...]
    packed: dict[tuple[tuple[str, Any], ...], Any] = field(default_factory=dict)

    def call(self, seats: int, profile: Profile) -> Call:
        """Return the arms and pairs of one setting; the first arm is the baseline."""
        lineup = make_lineup(self.game, profile.policies, seats)
        if self.plan.advice is not None:
            lineup = advice.seated(self.game, lineup, self.plan.advice.follows)
        base, *others = self.rulesets
        n_most = self.plan.baseline_playouts
        first = Arm(base, self.rules_of(base), lineup, n_most)
        n_items = min(self.plan.paired_playouts, n_most)
        n_paired = n_most if self.plan.is_stopped else n_items
        arms = [first, *(Arm(name, self.rules_of(name), lineup, n_paired) for name in others)]
        pairs = [Pair(name, name, base, self.same_deals(base, name)) for name in others]
        if self.plan.advice is not None:
            against, beside = advice.arms_against(self.game, self.plan.advice, tuple(arms), n_paired)
            arms, pairs = [*arms, *against], [*pairs, *beside]
        for item in self.items:
            if any(fits(one, item.family) for one in self.plan.measured & FROM_BLANKS):
                is_answer = self.plan.answer.kind == "item" and item.name == self.plan.answer.item
                arms += self.item_arms(first, item, n_paired if is_answer else n_items)
                pairs += self.item_pairs(item)
        for more in interventions.of(self.plan.measured, self.items, first, n_items):
            arms += [replace(first, rules=self.changed(changes), **about) for changes, about in more.arms]
            pairs.append(more.pair)
        families = self.game.families
        rows_of = {family.name: len(self.game.items(family, self.rulesets[base])) for family in families}
        return Call(self.game, tuple(arms), tuple(pairs), self.plan.seed, rows_of)

    def rules_of(self, variant: str) -> Any:
        """Return the packed rules of a variant."""
        return self._pack((("", variant),), self.rulesets[variant])

    def changed(self, changes: dict[str, Any]) -> Any:
        """Return the packed rules of the baseline with changes on top, in plain keys."""
        name, base = next(iter(self.rulesets.items()))
        if not changes:
            return self.rules_of(name)
        key = tuple(sorted(changes.items()))
        return self.packed[key] if key in self.packed else self._pack(key, self.resolve(base, changes))

    def resolve(self, base: Ruleset, changes: dict[str, Any]) -> Ruleset:
        """Return a ruleset with changes on top."""
        return self.components.resolve({**base.changes, **changes})

    def _pack(self, key: tuple[tuple[str, Any], ...], ruleset: Ruleset) -> Any:
        if key not in self.packed:
            self.packed[key] = self.game.pack(ruleset)
        return self.packed[key]

    def item_arms(self, base: Arm, item: Item, n_paired: int) -> list[Arm]:
        """Return the blank arm of an item, and where the grant lift is asked for, the grant and control arms."""
        seats = len(base.lineup)
        share = item.share_dealt(seats)
        n_blank, n_grant = item.n_playouts(seats, n_paired, base.n_playouts)
        blank = self.changed(interventions.blanked(item))
        dealt = Selection(base.name, item.family, item.row, is_dealt=True, share=share)
        others = Selection(base.name, item.family, item.row, is_dealt=False, share=1 - share)
        arms: list[Arm] = []
        if fits(Estimand.ABLATION, item.family):
            arms.append(Arm(item.label(BLANK), blank, base.lineup, n_blank, only=dealt, is_described=False))
        if Estimand.GRANT in self.plan.measured:
            given, control = (self.changed(interventions.hand_changes([item], gone)) for gone in ((), (item,)))
            grants = interventions.grants_of(item)
            granted: dict[str, Any] = {"grants": grants, "only": others if item.is_replayed else None}
            arms.append(Arm(item.label(GRANT), given, base.lineup, n_grant, is_described=False, **granted))
            arms.append(Arm(item.label(CONTROL), control, base.lineup, n_grant, is_described=False, **granted))
        return arms

    def item_pairs(self, item: Item) -> list[Pair]:
        """Return the pairs of one item: ablation, also in variants that change nothing else, and grant."""
        base, *others = self.rulesets
        holder = item.family, item.row
        blank = item.label(BLANK)
        named = {item.label(ABLATION): base}
        named |= {item.label(ABLATION, name): name for name in others if self.changes_only(item, base, name)}
        pairs: list[Pair] = []
        if fits(Estimand.ABLATION, item.family):
            pairs = [Pair(label, name, blank, holder=holder) for label, name in named.items()]
        if Estimand.GRANT in self.plan.measured:
            pairs.append(Pair(item.label(GRANT), item.label(GRANT), item.label(CONTROL), granted=True))
        return pairs

    def same_deals(self, one: str, other: str) -> tuple[ItemFamily, ...]:
        """Return the families dealt from the same cards and copies in two variants, so that deals are the same too."""

        def copies(name: str, family: ItemFamily) -> list[int]:
            return [int(row["copies"]) for row in self.game.items(family, self.rulesets[name])]

        families = self.game.families
        return tuple(
            family
            for family in families
            if copies(one, family) == copies(other, family)
            and all(CHOSEN not in family.under(self.rulesets[name].rules).acquired for name in (one, other))
        )

    def changes_only(self, item: Item, one: str, other: str) -> bool:
        """Tell whether two variants differ in one item's own row and deal alike."""
        before, after = self.rulesets[one], self.rulesets[other]
        table = item.family.table
        if before.rules != after.rules or item.family not in self.same_deals(one, other):
            return False
        if any(before.tables[name] != after.tables[name] for name in before.tables if name != table):
            return False
        rows = enumerate(zip(before.tables[table], after.tables[table], strict=True))
        return all(old == new or row == item.row for row, (old, new) in rows)
