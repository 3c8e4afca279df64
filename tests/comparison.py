"""Compares a game's kernels with its referee, event by event: what `python -m tests.<game>_referee` does."""

from __future__ import annotations

import importlib
import itertools
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

from sim.components import Ruleset
from sim.engine.blocks import Grant, count_jobs
from sim.engine.contract import Game, ItemFamily
from tests.support import SEED, first_difference, record, referee_draw, referee_order, stream_choose

PLAYOUTS_PER_VERSION = 1000
MIX, BOX = "mix_", "box_"
COVERING = "covering"
FEWEST_VARIANTS = 40
NEVER_MIXED = ("movement", "sight")  # for exact tests: they switch the board or the walls off
CHANGED_IN_A_MIX = (True, True, False)  # two of three switches have any of their readings

PLAYOUTS_PER_GRANT = 5
FIRST_DRAW_OF_BOX = 1_000_000

OneOf = Callable[[Sequence[Any]], Any]
MOST_COPIES = 4
Below = Callable[[int], int]
Granted = tuple[Grant, tuple[str, int, int]]
Tables = Mapping[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Comparison:
    """One game, its referee, and the variants in which both are compared.

    `decks` names for each deck the physical cards' field of a rules record; `readings` are the switches
    of the game; `more_changes` draws what else a mix of readings changes; `numbers` are the ranges of the
    numbers in another box, whose components `other_components` draws from the printed ones; `parts` names
    for each table of components the column whose words have all to be used. Every second playout is random,
    since random seats reach the rare options, the others go round the policies.
    """

    game: Game
    referee: Callable[..., Any]
    purposes: Any
    deck_numbers: Any
    decks: Mapping[str, str]
    readings: Mapping[str, Any]
    more_changes: Callable[[OneOf], dict[str, Any]]
    numbers: Mapping[str, tuple[int, int]]
    other_components: Callable[[Below, Tables], dict[str, Any]]
    parts: Mapping[str, str]
    seat_counts: Sequence[int]
    policies: Sequence[str]
    n_mixes: int
    n_boxes: int

    @property
    def first_playout(self) -> int:
        """Return the first playout that is compared; each version of the game has others."""
        return PLAYOUTS_PER_VERSION * self.game.version

    def mix(self, number: int) -> Ruleset:
        """Return many readings at once: two can disagree with the referee where each by itself agrees."""
        draw, places = referee_draw(self.purposes, SEED, number), itertools.count()

        def one_of(choices: Sequence[Any]) -> Any:
            return choices[draw("CHOICE", 0, 0, next(places), len(choices))]

        changes: dict[str, Any] = {
            key: one_of([reading.name.lower() for reading in readings])
            for key, readings in self.readings.items()
            if key not in NEVER_MIXED and one_of(CHANGED_IN_A_MIX)
        }
        return self.game.load().resolve(changes | self.more_changes(one_of))

    def other_box(self, number: int) -> Ruleset:
        """Return another box: any readings, numbers and components."""
        components = self.game.load()
        draw, places = referee_draw(self.purposes, SEED, number), itertools.count(FIRST_DRAW_OF_BOX)

        def below(n: int) -> int:
            return draw("CHOICE", 0, 0, next(places), n)

        changes: dict[str, Any] = {
            key: readings(below(len(readings))).name.lower()
            for key, readings in self.readings.items()
            if key not in NEVER_MIXED and below(2)
        }
        changes |= {
            key: least + below(most - least + 1) for key, (least, most) in self.numbers.items() if below(3) == 0
        }
        return components.resolve(changes | self.other_components(below, components.resolve({}).tables))

    def compare(self, ruleset: Ruleset, n_seats: int, playouts: range) -> str:
        """Return the first difference between kernel and referee over playouts, or nothing."""
        rules = self.game.pack(ruleset)
        for playout in playouts:
            policy = "random" if playout % 2 == 0 else self.policies[playout // 2 % len(self.policies)]
            grants = self.grants_of(rules, n_seats, playout)
            difference = self.compare_one(ruleset, rules, n_seats, policy, playout, grants)
            if difference:
                return f"playout {playout}, {n_seats} seats, {policy}: {difference}"
        return ""

    def compare_one(
        self,
        ruleset: Ruleset,
        rules: Any,
        n_seats: int,
        policy: str,
        playout: int,
        grants: Sequence[Granted] = (),
    ) -> str:
        """Return the difference between kernel and referee in one playout, or nothing, given the packed rules too."""
        told = record(self.game, rules, [policy], n_seats, playout, [grant for grant, _ in grants])
        draw = referee_draw(self.purposes, SEED, playout)
        cards = {deck: rules[field][0] for deck, field in self.decks.items()}
        order = referee_order(self.deck_numbers, cards, SEED, playout)
        choose = stream_choose(self.game, told.events)
        try:
            verdict = self.referee(ruleset.as_plain(), n_seats, draw, order, choose, [granted for _, granted in grants])
        except (AssertionError, ValueError) as fault:
            return f"{fault}; kernel ends {told.events[-12:]}"
        difference = first_difference(told.events, verdict.events)
        if not difference and list(told.row.payoff[:n_seats]) != verdict.payoff:
            return f"payoffs {told.row.payoff} and {verdict.payoff}"
        return difference

    def grants_of(self, rules: Any, n_seats: int, playout: int) -> list[Granted]:
        """Return the cards that seats are given in every fifth playout, for the kernel and for the referee.

        In every second of these it is two cards: half of those go to one seat, the others to two.
        """
        turn, is_none = divmod(playout, PLAYOUTS_PER_GRANT)
        if is_none:
            return []
        families = self.game.families
        family, (n_pairs, is_single) = families[turn % len(families)], divmod(turn // len(families), 2)
        n_cards, n_loot = (int(rules[self.decks[one.name.upper()]]["size"][0]) for one in (family, families[0]))
        if n_cards == 0:
            return []
        first = grant_to(family, turn % n_cards, turn // n_cards % n_seats)
        if is_single or n_loot == 0:
            return [first]
        second = grant_to(families[0], (turn + 1 + n_pairs) % n_loot, (first[0].seat + n_pairs % 2) % n_seats)
        return [first] if first[1][:2] == second[1][:2] else [first, second]

    def ruleset_of(self, name: str) -> Ruleset:
        """Return a named variant, a mix of readings or another box."""
        if name.startswith(MIX):
            return self.mix(int(name.removeprefix(MIX)))
        if name.startswith(BOX):
            return self.other_box(int(name.removeprefix(BOX)))
        return self.game.load().resolve({}, name)

    def used(self, ruleset: Ruleset) -> set[tuple[str, Any]]:
        """Return the readings, the layout and the parts of components that a ruleset uses."""
        found = {(key, ruleset.rules[key]) for key in self.readings} | {("layout", ruleset.changes.get("layout"))}
        for table, column in self.parts.items():
            found |= {(table, row[column]) for row in ruleset.tables[table] if row.get("copies", 1)}
        return found

    def variants_and_mixes(self) -> list[str]:
        """Return the variants, the default first, and the mixes."""
        return [*self.game.load().variants, *(f"{MIX}{number}" for number in range(self.n_mixes))]

    def covering(self) -> list[str]:
        """Return the default and the mixes and variants that it takes to use whatever any uses, 40 mixes at least."""
        names = self.variants_and_mixes()
        uses = {name: self.used(self.ruleset_of(name)) for name in names}
        left = set().union(*uses.values()) - uses[names[0]]
        chosen = names[:1]
        for name in sorted(names, key=lambda name: not name.startswith(MIX)):
            found = uses[name] & left
            if found or (name.startswith(MIX) and len(chosen) <= FEWEST_VARIANTS):
                chosen.append(name)
                left -= found
        return chosen

    def first_of_variant(self, name: str, n_seats: int, n_playouts: int) -> str:
        """Return the first difference of a variant at a number of seats, or nothing."""
        playouts = range(self.first_playout, self.first_playout + n_playouts)
        return self.compare(self.ruleset_of(name), n_seats, playouts)

    def main(self, arguments: Sequence[str]) -> int:
        """Play all variants, those named, or those of `covering`, and print the first difference of each."""
        n_playouts = int(arguments[0]) if arguments else 2000
        boxes = [f"{BOX}{number}" for number in range(self.n_boxes)]
        names = list(arguments[1:]) or [*self.variants_and_mixes(), *boxes]
        if names == [COVERING]:
            names = self.covering()
        started = time.monotonic()
        bad = set()
        with ProcessPoolExecutor(count_jobs(None)) as pool:
            calls = {
                pool.submit(first_of_variant, self.game.name, name, n_seats, n_playouts): (name, n_seats)
                for name in names
                for n_seats in self.seat_counts
            }
            for n_done, call in enumerate(as_completed(calls), 1):
                name, n_seats = calls[call]
                if found := call.result():
                    bad.add(name)
                    print(f"{name}: {found}", flush=True)
                seconds = time.monotonic() - started
                print(
                    f"{n_done} of {len(calls)}: {name}, {n_seats} seats ({seconds:.0f} s)", file=sys.stderr, flush=True
                )
        seconds = time.monotonic() - started
        seats = tuple(self.seat_counts)
        print(f"{len(names)} variants x {seats} seats x {n_playouts} playouts: {len(bad)} differ ({seconds:.0f} s)")
        return 1 if bad else 0


def grant_to(family: ItemFamily, card: int, seat: int) -> Granted:
    """Return a grant as the kernel and as the referee has it."""
    return Grant(family, card, seat), (family.name.upper(), card, seat)


def other_stacks(below: Below, printed: Tables, keys: Mapping[str, str]) -> dict[str, Any]:
    """Draw how many copies some cards of another box have, of tables given with their key columns."""
    changes: dict[str, Any] = {}
    for table, key in keys.items():
        changes |= {f"{table}.{row[key]}.copies": below(MOST_COPIES) for row in printed[table] if below(3) == 0}
    return changes


def other_locations(below: Below, printed: Tables) -> dict[str, Any]:
    """Draw sets and costs of some locations of another box."""
    changes: dict[str, Any] = {}
    for row in printed["locations"]:
        place = f"locations.{row['location']}"
        changes |= {f"{place}.set": 1 + below(9), f"{place}.cost": below(6)} if below(6) == 0 else {}
    return changes


def first_of_variant(game: str, name: str, n_seats: int, n_playouts: int) -> str:
    """Compare one variant of a game at a number of seats in a process of its own."""
    comparison: Comparison = importlib.import_module(f"tests.{game}_referee").COMPARISON
    return comparison.first_of_variant(name, n_seats, n_playouts)
