"""Compares flip's kernels with its referee, event by event: `python -m tests.flip_referee [playouts] [variant ...]`.

`covering` stands for the default and 30 or more variants that between them use every reading, layout and card.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from sim.components import Ruleset
from sim.engine.blocks import count_jobs
from sim.games.flip.game import GAME
from sim.games.flip.words import READINGS, Deck, Loadout, Purpose
from tests.referees.flip import referee
from tests.support import SEED, first_difference, record, referee_draw, referee_order, stream_choose

SEAT_COUNTS = (2, 3, 4)
LINEUPS = (("random",), ("leader",), ("threat",), ("weakest",), ("next",))
FIRST_PLAYOUT = 1000 * GAME.version
N_MIXES = 60
MIX, BOX = "mix_", "box_"
COVERING = "covering"
FEWEST_VARIANTS = 30
N_BOXES = 40
MOST_COPIES = 4
BACKS = ("flip", "wall", "campfire", "trap", "chest", "blank")
LOADOUTS = tuple(effect.name.lower() for effect in Loadout)
NUMBERS = {
    "start_hp": (1, 15),
    "go_bonus": (0, 4),
    "go_storm_cost": (0, 4),
    "corner_storm_cost": (0, 4),
    "set_bonus": (0, 4),
    "campfire_heal": (0, 3),
    "jail_cost": (0, 4),
    "jail_roll": (1, 7),
    "jail_tries": (1, 4),
    "med_mist_heal": (0, 4),
    "crosshairs_damage": (0, 3),
    "boogie_bomb_damage": (0, 3),
    "honey_hitters_take": (0, 4),
    "storage_limit": (0, 3),
    "number_die_faces": (1, 8),
}
"""Ranges of the numbers in another box."""
NEVER_MIXED = ("movement", "sight")  # for exact tests: they switch the board or the walls off
CHANGED_IN_A_MIX = (True, True, False)  # two of three switches have any of their readings
ALL_MODES = {
    "modes.heal_all.copies": 2,
    "modes.lose_all.copies": 2,
    "modes.flip_choice.copies": 2,
    "modes.draw_loot.copies": 1,
    "modes.move_to_go.copies": 3,
    "modes.roll_loss.copies": 2,
    "modes.unknown.copies": 0,
}
ONE_MORE_MOVER = {
    "cards.placebo.copies": 1,
    "cards.placebo.effect": "mover",
    "cards.placebo.trigger": "own_turn",
    "cards.placebo.one_time": 1,
    "cards.placebo.amount": 6,
}


def mix(number: int) -> Ruleset:
    """Return many readings at once: two can disagree with the referee where each by itself agrees."""
    components = GAME.load()
    draw, places = referee_draw(Purpose, SEED, number), itertools.count()

    def one_of(choices: Sequence[Any]) -> Any:
        return choices[draw("CHOICE", 0, 0, next(places), len(choices))]

    changes: dict[str, Any] = {
        key: one_of([reading.name.lower() for reading in readings])
        for key, readings in READINGS.items()
        if key not in NEVER_MIXED and one_of(CHANGED_IN_A_MIX)
    }
    changes |= one_of([ALL_MODES, {}]) | one_of([ONE_MORE_MOVER, {}])
    changes |= one_of([{"loadouts.crosshairs_plus.effect": "storm_discount"}, {}])
    changes |= {"layout": one_of(["ring32", "ring36", "ring40", "few_flips", "one_way"])}
    return components.resolve(changes)


def other_box(number: int) -> Ruleset:
    """Return another box: any readings, numbers, stacks of cards, spaces, sets and costs."""
    components = GAME.load()
    draw, places = referee_draw(Purpose, SEED, number), itertools.count(1_000_000)

    def below(n: int) -> int:
        return draw("CHOICE", 0, 0, next(places), n)

    printed = components.resolve({}).tables
    changes: dict[str, Any] = {
        key: readings(below(len(readings))).name.lower()
        for key, readings in READINGS.items()
        if key not in NEVER_MIXED and below(2)
    }
    changes |= {key: least + below(most - least + 1) for key, (least, most) in NUMBERS.items() if below(3) == 0}
    for table, key in (("cards", "card"), ("loadouts", "loadout"), ("modes", "mode")):
        changes |= {f"{table}.{row[key]}.copies": below(MOST_COPIES) for row in printed[table] if below(3) == 0}
    for row in printed["cards"]:
        place = f"cards.{row['card']}"
        changes |= {f"{place}.{column}": below(2) for column in ("ignores_sight", "stored") if below(8) == 0}
    for row in printed["loadouts"]:
        if below(4) == 0:
            place = f"loadouts.{row['loadout']}"
            changes |= {f"{place}.effect": LOADOUTS[below(len(LOADOUTS))], f"{place}.amount": below(3)}
    for row in printed["board"]:
        place, is_fixed = f"board.{row['space']}", row["tile"] is None
        if row["front"] not in ("go", "jail", "location") and below(6) == 0:
            fronts = (*BACKS, "free_parking", "go_to_jail") if is_fixed else BACKS
            changes |= {f"{place}.front": fronts[below(len(fronts))], f"{place}.front_amount": below(4)}
        if not is_fixed and below(8) == 0:
            changes |= {f"{place}.back": BACKS[below(len(BACKS))], f"{place}.back_amount": below(6)}
    for row in printed["locations"]:
        place = f"locations.{row['location']}"
        changes |= {f"{place}.set": 1 + below(9), f"{place}.cost": below(6)} if below(6) == 0 else {}
    return components.resolve(changes)


def compare(ruleset: Ruleset, n_seats: int, playouts: range) -> str:
    """Return the first difference between kernel and referee over playouts, or nothing.

    Every second playout is random, since random seats reach the rare options.
    """
    rules = GAME.pack(ruleset)
    cards = {"LOOT": rules["loot"][0], "MODE": rules["mode"][0], "LOADOUT": rules["loadout"][0]}
    for playout in playouts:
        policies = LINEUPS[0] if playout % 2 == 0 else LINEUPS[playout // 2 % len(LINEUPS)]
        told = record(GAME, rules, policies, n_seats, playout)
        draw = referee_draw(Purpose, SEED, playout)
        order = referee_order(Deck, cards, SEED, playout)
        try:
            verdict = referee(ruleset.as_plain(), n_seats, draw, order, stream_choose(GAME, told.events))
        except (AssertionError, ValueError) as fault:
            return f"playout {playout}, {n_seats} seats, {policies}: {fault}; kernel ends {told.events[-12:]}"
        difference = first_difference(told.events, verdict.events)
        if difference:
            return f"playout {playout}, {n_seats} seats, {policies}: {difference}"
        if list(told.row.payoff[:n_seats]) != verdict.payoff:
            return f"playout {playout}: payoffs {told.row.payoff} and {verdict.payoff}"
    return ""


def ruleset_of(name: str) -> Ruleset:
    """Return a named variant, a mix of readings or another box."""
    if name.startswith(MIX):
        return mix(int(name.removeprefix(MIX)))
    if name.startswith(BOX):
        return other_box(int(name.removeprefix(BOX)))
    return GAME.load().resolve({}, name)


def used(ruleset: Ruleset) -> set[tuple[str, Any]]:
    """Return the readings, layout, cards, loadouts and modes that a ruleset takes."""
    found = {(key, ruleset.rules[key]) for key in READINGS} | {("layout", ruleset.changes.get("layout"))}
    for table, key in (("cards", "card"), ("loadouts", "effect"), ("modes", "effect")):
        found |= {(table, row[key]) for row in ruleset.tables[table] if row["copies"]}
    return found


def covering() -> list[str]:
    """Return the default and the mixes and variants that it takes to use whatever any variant uses, 30 at least."""
    variants = list(GAME.load().variants)
    left = set().union(*(used(ruleset_of(name)) for name in variants)) - used(ruleset_of(variants[0]))
    chosen = variants[:1]
    for name in (*(f"{MIX}{number}" for number in range(N_MIXES)), *variants):
        found = used(ruleset_of(name)) & left
        if found or (name.startswith(MIX) and len(chosen) <= FEWEST_VARIANTS):
            chosen.append(name)
            left -= found
    return chosen


def first_of_variant(name: str, n_playouts: int) -> str:
    """Return the first difference of a variant at any number of seats, or nothing."""
    ruleset = ruleset_of(name)
    playouts = range(FIRST_PLAYOUT, FIRST_PLAYOUT + n_playouts)
    return next((found for n_seats in SEAT_COUNTS if (found := compare(ruleset, n_seats, playouts))), "")


def main(arguments: Sequence[str]) -> int:
    """Play all variants, those named, or those of `covering`, and print the first difference of each."""
    n_playouts = int(arguments[0]) if arguments else 2000
    mixes, boxes = (f"{MIX}{number}" for number in range(N_MIXES)), (f"{BOX}{number}" for number in range(N_BOXES))
    names = list(arguments[1:]) or [*GAME.load().variants, *mixes, *boxes]
    if names == [COVERING]:
        names = covering()
    started = time.monotonic()
    with ProcessPoolExecutor(count_jobs(None)) as pool:
        differences = dict(zip(names, pool.map(first_of_variant, names, itertools.repeat(n_playouts)), strict=True))
    bad = {name: difference for name, difference in differences.items() if difference}
    for name, difference in bad.items():
        print(f"{name}: {difference}")
    seconds = time.monotonic() - started
    print(f"{len(names)} variants x {SEAT_COUNTS} seats x {n_playouts} playouts: {len(bad)} differ ({seconds:.0f} s)")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
