"""The duel, whole in one file; RULES.md beside it says how it goes."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from sim import rng
from sim.components import Components, Ruleset
from sim.decks import DECK, NO_CARD, PHYSICAL_CARDS, draw_top, pack_physical_cards, put_under, shuffle
from sim.engine.contract import (
    Counter,
    Game,
    ItemFamily,
    Policy,
    Story,
    Termination,
    hidden_dtype,
    row_dtype,
    state_dtype,
    table_dtype,
    tallies_dtype,
)
from sim.engine.playing import (
    begin_playout,
    begin_turn,
    finish_row,
    goes_on,
    is_granted,
    next_living,
    record,
    roll,
    share_win,
    take_out_granted,
)
from sim.engine.seating import seat_name
from sim.jit import cold, entry, make_records, padded, popcount, record_of

FOLDER = Path(__file__).parent
MOST_SEATS = 4
MOST_CARDS = 64
N_FAMILIES = 2
DAMAGE = 1


class Rule(IntEnum):
    """Numbers of `data/rules.toml`."""

    START_HP = 0
    DIE_FACES = 1
    HIT_FACES = 2
    PRIZE_FACES = 3
    PRIZES_RETURN = 4
    TURN_LIMIT = 5


class Purpose(IntEnum):
    """What a draw is for."""

    DIE = 0


class Event(IntEnum):
    """Kinds of events."""

    DECISION = 0
    TURN = 1
    DEAL = 2
    PRIZE = 3
    HP = 4
    FALL = 5
    END = 6


class Source(IntEnum):
    """Why HP change."""

    HIT = 0
    HEAL = 1


class Family(IntEnum):
    """Item families, and their decks."""

    CARD = 0
    PRIZE = 1


class Effect(IntEnum):
    """What cards and prizes do."""

    BLANK = 0
    SWORD = 1
    HEAL = 2


FAMILIES = (
    ItemFamily("card", "cards", Family.CARD, "card", ("dealt",), "DEAL"),
    ItemFamily("prize", "prizes", Family.PRIZE, "prize", ("drawn",), draw_event="PRIZE"),
)
RULES = padded(
    [
        ("value", np.int64, (len(Rule),)),
        ("card", PHYSICAL_CARDS),
        ("prize", PHYSICAL_CARDS),
        ("effect", np.int64, (N_FAMILIES, MOST_CARDS)),
        ("amount", np.int64, (N_FAMILIES, MOST_CARDS)),
    ]
)
SEATS = (MOST_SEATS,)
TABLE = table_dtype(
    MOST_SEATS,
    [
        ("alive", np.int64),
        ("hp", np.int64, SEATS),
        ("damage", np.int64, SEATS),
        ("n_fallen", np.int64),
        ("eliminated", np.int64, SEATS),
        ("dealt", np.int64, SEATS),
        ("held", np.int64, SEATS),  # prizes ever drawn
    ],
)
HIDDEN = hidden_dtype([("card", DECK), ("prize", DECK)], len(Purpose))
TALLIES = tallies_dtype([("flow", np.int64, (1, len(Source), MOST_SEATS))])
STATE = state_dtype(TABLE, HIDDEN, TALLIES)
ROW = row_dtype(MOST_SEATS, FAMILIES, ("hp",), ())
TABLES = {Family.CARD: "cards", Family.PRIZE: "prizes"}


def load() -> Components:
    """Read and check the rules."""
    return Components.load(FOLDER)


def pack(ruleset: Ruleset) -> Any:
    """Turn a resolved ruleset into a rules record."""
    records = make_records(RULES)
    rules = records.view(np.ndarray)[0, ...]
    for rule in Rule:
        rules["value"][rule] = ruleset.rules[rule.name.lower()]
    for family, table in TABLES.items():
        rows = ruleset.tables[table]
        cards = rules[family.name.lower()]
        pack_physical_cards(cards, [int(row["copies"]) for row in rows])
        for card in range(int(cards["size"])):
            row = rows[int(cards["card"][card])]
            rules["effect"][family, card] = Effect[str(row["effect"]).upper()]
            rules["amount"][family, card] = row["amount"]
    return records


@entry
def play_block(states: Any, rules_records: Any, assignments: Any, rows: Any, playouts: Any) -> None:
    """Play the playouts of the given numbers, one per row."""
    state = record_of(states, 0)
    rules = record_of(rules_records, 0)
    assignment = record_of(assignments, 0)
    for place in range(len(rows)):
        play(state, record_of(rows, place), rules, assignment, int(playouts[place]))


@cold
def play(state: Any, row: Any, rules: Any, assignment: Any, playout: int) -> None:
    """Play from the deal until one seat is left."""
    table = state.table
    set_up(state, rules, assignment, playout)
    seat = 0
    while goes_on(state, rules.value[Rule.TURN_LIMIT], Event.END, 0):
        take_turn(state, seat, rules)
        seat = next_living(table.alive, seat)
    finish(state, row)


@cold
def set_up(state: Any, rules: Any, assignment: Any, playout: int) -> None:
    """Clear the table, order both decks, deal a card to each seat."""
    table = state.table
    table.termination = Termination.NOT_PLAYED
    table.length_turns = table.n_fallen = 0
    begin_playout(state, assignment, playout)
    table.alive = (1 << table.n_seats) - 1
    key = state.hidden.playout_key
    shuffle(state.hidden.card, rules.card, rng.deck_key(key, Family.CARD, 0, 0))
    shuffle(state.hidden.prize, rules.prize, rng.deck_key(key, Family.PRIZE, 0, 0))
    take_out_granted(state.hidden.card, assignment, Family.CARD)
    for seat in range(len(table.hp)):
        table.own_turn[seat] = table.eliminated[seat] = table.dealt[seat] = table.held[seat] = 0
        table.order[seat] = seat
        table.hp[seat] = rules.value[Rule.START_HP]
        table.damage[seat] = DAMAGE + 0
    for seat in range(table.n_seats):
        deal(state, seat, rules, assignment)


@cold
def deal(state: Any, seat: int, rules: Any, assignment: Any) -> None:
    """Deal a seat the granted cards, or the top one of the deck."""
    for number in range(assignment.n_grants):
        if is_granted(state, assignment, number, Family.CARD, seat):
            receive(state, seat, assignment.grant_card[number], rules)
    card = NO_CARD + 0
    if state.table.dealt[seat] == 0:
        card = draw_top(state.hidden.card)
    if card != NO_CARD:
        receive(state, seat, card, rules)


@cold
def receive(state: Any, seat: int, card: int, rules: Any) -> None:
    """Give a seat a card; what swords add to a bare hit is added up."""
    table = state.table
    table.dealt[seat] |= 1 << rules.card.card[card]
    record(state, Event.DEAL, seat, card, 0, 0)
    if rules.effect[Family.CARD, card] == Effect.SWORD:
        table.damage[seat] += rules.amount[Family.CARD, card] - DAMAGE


@cold
def take_turn(state: Any, seat: int, rules: Any) -> None:
    """Roll once: hit the next seat, draw a prize, or nothing."""
    begin_turn(state, seat)
    record(state, Event.TURN, seat, state.table.own_turn[seat], 0, 0)
    face = roll(state, Purpose.DIE, rules.value[Rule.DIE_FACES])
    if face <= rules.value[Rule.HIT_FACES]:
        hit(state, seat)
    elif face <= rules.value[Rule.HIT_FACES] + rules.value[Rule.PRIZE_FACES]:
        draw_prize(state, seat, rules)


@cold
def change_hp(state: Any, seat: int, change: int, source: int) -> None:
    """Change HP, counted by source."""
    state.table.hp[seat] += change
    state.tallies.flow[0, source, seat] += change
    record(state, Event.HP, seat, change, source, state.table.seat)


@cold
def hit(state: Any, seat: int) -> None:
    """Hit the next living seat; the last one standing wins."""
    table = state.table
    target = next_living(table.alive, seat)
    change_hp(state, target, -min(table.hp[target], table.damage[seat]), Source.HIT)
    if table.hp[target] > 0:
        return
    table.alive &= ~(1 << target)
    table.n_fallen += 1
    table.eliminated[target] = table.n_fallen
    record(state, Event.FALL, target, table.n_fallen, 0, 0)
    if popcount(table.alive) == 1:
        table.termination = Termination.WON
        record(state, Event.END, seat, 0, 0, 0)


@cold
def draw_prize(state: Any, seat: int, rules: Any) -> None:
    """Draw the top prize and use it."""
    prize = draw_top(state.hidden.prize)
    if prize == NO_CARD:
        return
    record(state, Event.PRIZE, seat, prize, 0, 0)
    state.table.held[seat] |= 1 << rules.prize.card[prize]
    if rules.effect[Family.PRIZE, prize] == Effect.HEAL:
        change_hp(state, seat, rules.amount[Family.PRIZE, prize], Source.HEAL)
    if rules.value[Rule.PRIZES_RETURN] != 0:
        put_under(state.hidden.prize, prize)


@cold
def finish(state: Any, row: Any) -> None:
    """Leave the row."""
    table = state.table
    finish_row(state, row)
    share_win(row, table.alive if table.termination == Termination.WON else 0)
    for seat in range(len(row.final_hp)):
        row.eliminated[seat] = table.eliminated[seat]
        row.final_hp[seat] = table.hp[seat]
        row.dealt_card[seat] = row.held_card[seat] = table.dealt[seat]
        row.dealt_prize[seat] = 0
        row.held_prize[seat] = table.held[seat]


def narrate(_ruleset: Ruleset, _n_seats: int, events: Any) -> list[str]:
    """Return one line per event."""
    return [f"{seat_name(seat)}: {Event(kind).name} {first}" for kind, seat, first, _, _ in events]


GAME = Game(
    name="duel",
    title="The duel",
    version=1,
    fewest_seats=2,
    most_seats=MOST_SEATS,
    folder=FOLDER,
    load=load,
    pack=pack,
    state=STATE,
    row=ROW,
    entry=play_block,
    policies=(Policy("random", 0, "has nothing to decide"),),
    narrate=narrate,
    families=FAMILIES,
    resources=("hp",),
    sources=tuple(source.name.lower() for source in Source),
    events=tuple(kind.name for kind in Event),
    story=Story(
        turn="TURN",
        fall="FALL",
        change="HP",
        counters=(Counter("hp", {"HP": "first"}, "start_hp"),),
        other_seats={"HP": "third"},
    ),
)
