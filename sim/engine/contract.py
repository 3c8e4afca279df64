"""What a game is to the engine: its records, its rows, its decisions, and the face that the floors above see.

A playout's state is one record of three: `table` (what everybody at the table sees, with each seat's private
part; policies get this and nothing else), `hidden` (deck orders, keys, the tape, the recording) and
`tallies` (integer counts that merge exactly in any order). `rules` and `assignment` are records of their own:
the values of a variant, and what one call is to play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, Final

import numpy as np

from sim.decks import DECK
from sim.jit import padded

WHOLE_WIN: Final = 840  # payoff of a sole winner: divisible by 1 to 8, so that ties split exactly
MOST_SEATS: Final = 8
NOBODY: Final = -1
NONE_OPTION: Final = 62  # the option "none of them"; options are bits 0 to 62 of a signed mask
MOST_ITEMS: Final = 64
TAPE_LENGTH: Final = 4096
EVENT_WINDOW: Final = 8192
MOST_KINDS: Final = 32  # kinds of decisions of a game
N_PARAMETERS: Final = 4
MOST_GRANTS: Final = MOST_SEATS  # cards that one call may put into hands
ROTATING_SEAT: Final = -1
RANDOM_POLICY: Final = 0
DECISION_EVENT: Final = 0
DEALT: Final = "dealt"  # how a seat comes by an item
DRAWN: Final = "drawn"
CHOSEN: Final = "chosen"


class Termination(IntEnum):
    """Why a playout stopped."""

    NOT_PLAYED = 0
    WON = 1
    DRAWN = 2
    TURN_LIMIT = 3
    PENDING = 4  # the tape ended; the next decision is reported


class AfterTape(IntEnum):
    """What happens when the tape of forced choices has ended."""

    POLICIES = 0
    STOP = 1


def table_dtype(n_seats: int, fields: Sequence[tuple[Any, ...]]) -> np.dtype[np.void]:
    """Return the dtype of a table: a game's fields behind those that every table has."""
    common: list[tuple[Any, ...]] = [
        ("n_seats", np.int64),
        ("policy", np.int64, (n_seats,)),  # code of the policy in each seat
        ("parameter", np.int64, (n_seats, N_PARAMETERS)),  # its parameters, fixed-point
        ("termination", np.int64),
        ("standing", np.int64),  # mask of the seats that live while the playout goes on: who may act, in one word
        ("length_turns", np.int64),  # turns begun by all seats together
        ("luck", np.uint64),  # root of the lots that break ties
        ("seat", np.int64),  # the active seat
        ("own_turn", np.int64, (n_seats,)),  # turns begun by each seat
        ("order", np.int64, (n_seats,)),  # place in turn order, 0 starts
    ]
    return padded([*common, *fields])


def hidden_dtype(fields: Sequence[tuple[Any, ...]], n_purposes: int) -> np.dtype[np.void]:
    """Return the dtype of what nobody at the table sees.

    The decks among the fields come first; together they are the field `decks`, a second name of the same memory, so
    that one kernel finds those of any game.
    """
    common: list[tuple[Any, ...]] = [
        ("playout_key", np.uint64),
        ("turn_key", np.uint64),
        ("occurrence", np.int64, (n_purposes,)),  # uses of each purpose in this turn
        ("ahead_turn", np.int64, (MOST_SEATS,)),  # own turn for which a seat's dice are rolled already, 0 for none
        ("ahead_number", np.int64, (MOST_SEATS,)),  # what its number die shows then
        ("ahead_symbol", np.int64, (MOST_SEATS,)),  # and its action die
        ("asked", np.int64),  # mask of seats whose policy's wish is not simply done: random ones; all if watched
        ("n_decisions", np.int64),  # decisions asked in this playout if it is watched
        ("n_events", np.int64),  # events of this playout, recorded or not
        ("is_pending", np.int64),  # 1: the tape ended and the rest of the turn does not count
        ("pending", np.int64, (3,)),  # kind, seat and legal options of the pending decision
    ]
    tail: list[tuple[Any, ...]] = [
        ("is_watched", np.int64),  # 1: recorded, or played from a tape
        ("is_recording", np.int64),
        ("first_event", np.int64),  # events before this one are counted only
        ("tape_size", np.int64),
        ("after_tape", np.int64),
        ("tape_namespace", np.int64),  # namespace of the draws after the tape
        ("new_turn", np.int64),  # turn from which on draws come from there, too; 0 for none
        ("seed", np.uint64),
        ("playout", np.int64),
        ("tape", np.int64, (TAPE_LENGTH,)),  # forced choices
        ("event", np.int64, (EVENT_WINDOW, 5)),  # kind, seat and three numbers
    ]
    decks = [field for field in fields if field[1] == DECK]
    others = [field for field in fields if field[1] != DECK]
    return _with_decks(padded([*common, *decks, *others, *tail]), [str(name) for name, *_ in decks])


def _with_decks(dtype: np.dtype[np.void], decks: Sequence[str]) -> np.dtype[np.void]:
    """Return a record dtype in which decks that lie side by side have one more name together."""
    about = dict(dtype.fields or {})
    start = about[decks[0]][1] if decks else 0
    names, together = list(dtype.names or ()), np.dtype((DECK, (len(decks),)))
    formats, offsets = [about[name][0] for name in names], [about[name][1] for name in names]
    form: Any = {
        "names": [*names, "decks"],
        "formats": [*formats, together],
        "offsets": [*offsets, start],
        "itemsize": dtype.itemsize,
    }
    return np.dtype(form, align=True)


def tallies_dtype(fields: Sequence[tuple[Any, ...]]) -> np.dtype[np.void]:
    """Return the dtype of a block's tallies; every field is summed over blocks."""
    common: list[tuple[Any, ...]] = [
        ("n_turns", np.int64),
        ("decisions", np.int64, (MOST_KINDS,)),  # by kind; a choice of one is not asked
    ]
    return padded([*common, *fields])


def state_dtype(table: np.dtype[np.void], hidden: np.dtype[np.void], tallies: np.dtype[np.void]) -> np.dtype[np.void]:
    """Return the dtype of the one record that kernels hand on: table, tallies, hidden."""
    return padded([("table", table), ("tallies", tallies), ("hidden", hidden)])


ASSIGNMENT = padded(
    [
        ("seed", np.uint64),
        ("namespace", np.int64),
        ("n_seats", np.int64),
        ("policy", np.int64, (MOST_SEATS,)),
        ("parameter", np.int64, (MOST_SEATS, N_PARAMETERS)),
        ("n_grants", np.int64),  # cards at the head of seats' deals
        ("grant_family", np.int64, (MOST_GRANTS,)),  # family whose deal is changed
        ("grant_card", np.int64, (MOST_GRANTS,)),  # physical card
        ("grant_seat", np.int64, (MOST_GRANTS,)),  # chair, or ROTATING_SEAT: playout number modulo the seats
        ("is_recording", np.int64),
        ("first_event", np.int64),
        ("tape_size", np.int64),
        ("after_tape", np.int64),
        ("tape_namespace", np.int64),  # of the draws after the tape or from the new turn on
        ("tape_step", np.int64),  # what each playout of the call adds to it, so that all go on in worlds of their own
        ("new_turn", np.int64),  # turn from which on draws come from there; 0 for none
        ("tape", np.int64, (TAPE_LENGTH,)),
    ]
)
"""What one call plays: seeds, seats, interventions, tape."""


def row_dtype(
    n_seats: int, families: Sequence[ItemFamily], resources: Sequence[str], extra: Sequence[str]
) -> np.dtype[np.void]:
    """Return the dtype of the row that a playout leaves.

    Args:
        n_seats: Most seats of the game.
        families: Item families; each gives a mask of items dealt and one of items ever held, by seat.
        resources: Final amounts by seat, one column each.
        extra: Further integer columns by seat that the game declares.

    """
    fields: list[tuple[Any, ...]] = [
        ("termination", np.int8),
        ("length_turns", np.int32),
        ("payoff", np.int32, (n_seats,)),  # in 1/840 of a win
        ("order", np.int8, (n_seats,)),
        ("policy", np.int8, (n_seats,)),
        ("eliminated", np.int8, (n_seats,)),  # order of elimination from 1, 0 for who stayed
    ]
    fields += [(f"final_{name}", np.int32, (n_seats,)) for name in resources]
    fields += [(name, np.int32, (n_seats,)) for name in extra]
    for family in families:
        fields += [(f"{how}_{family.name}", np.int64, (n_seats,)) for how in ("dealt", "held")]
    return np.dtype(fields, align=True)


@dataclass(frozen=True)
class ItemFamily:
    """A kind of item whose balance can be asked for.

    Attributes:
        name: Singular noun, also the suffix of the row's columns.
        table: Component table that lists the items, one row each.
        number: Number of the family in an assignment's `grant_family`.
        key: Column of the table that names an item.
        acquired: How a seat comes by an item: of `dealt`, `drawn`, `bought`, `assigned`, `chosen`.
        deal_event: Kind of event with which a seat is dealt a physical card, its first number; empty if the game's
            kernels take no grants of the family.
        draw_event: Kind of event with which a seat draws one from the deck that is left after the deal.
        chosen_when: Switch and reading under which seats choose what they are else dealt.
        is_single: Whether a seat has one item of the family at the most.

    """

    name: str
    table: str
    number: int
    key: str
    acquired: tuple[str, ...]
    deal_event: str = ""
    draw_event: str = ""
    chosen_when: tuple[str, str] = ("", "")
    is_single: bool = False

    def under(self, readings: Mapping[str, Any]) -> ItemFamily:
        """Return the family as it is acquired under the rules of a variant.

        Args:
            readings: Numbers and readings by key.

        """
        switch, reading = self.chosen_when
        if not switch or readings[switch] != reading:
            return self
        return replace(self, acquired=tuple(CHOSEN if how == DEALT else how for how in self.acquired))


@dataclass(frozen=True)
class Policy:
    """A built-in policy.

    Attributes:
        name: What the command line calls it.
        code: Its number in a table's `policy`.
        says: What it does, in a sentence.
        parameters: Fixed-point parameters, the same for all variants.

    """

    name: str
    code: int
    says: str
    parameters: tuple[int, ...] = ()


@dataclass(frozen=True)
class Counter:
    """A number of each seat that events move, so that a position can be read from the story of a playout.

    Attributes:
        name: What tables call it.
        moves: By kind of event how much it moves the number of the event's seat: a whole number, or which number of
            the event tells (`first`, `second`, `third`).
        start: Key of the rule that every seat starts with; 0 if empty.

    """

    name: str
    moves: Mapping[str, int | str]
    start: str = ""


@dataclass(frozen=True)
class Story:
    """Which events tell how a playout goes, for the metrics of a whole ruleset.

    Attributes:
        turn: Event that begins a turn, of the active seat.
        counters: What each seat has: what its chances are told from.
        fall: Event with which a seat is out; empty if nobody ever is.
        change: Event that changes the first resource of a seat: by `first`, from source `second`, caused by the seat
            `third`; empty if there is none.
        other_seats: Kinds of events that name another seat besides their own, and which of their numbers does.

    """

    turn: str
    counters: tuple[Counter, ...]
    fall: str = ""
    change: str = ""
    other_seats: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Game:
    """One title, as the floors above the games see it.

    Attributes:
        name: What the command line calls it.
        title: Its full name.
        version: Raised when outcomes move for a fixed seed.
        fewest_seats: Fewest seats.
        most_seats: Most seats; arrays by seat have this length.
        folder: Where `RULES.md` and `data/` lie.
        load: Reads the checked components; `components.Components`.
        pack: Turns a resolved ruleset into rules records.
        state: dtype of the state record.
        row: dtype of a row.
        entry: The compiled kernel that plays a block: (states, rules, assignments, rows, playout numbers).
        policies: Built-in policies.
        usual: Names of those that a plan without profiles plays; all if empty.
        families: Item families.
        resources: Names of the resources whose flow is tallied.
        sources: Names of the sources of a flow, in order of their numbers.
        decisions: Names of the kinds of decisions, in order of their numbers.
        events: Names of the kinds of events, in order of their numbers.
        spaces: Names the spaces of a ruleset, for tables; empty if the game has no board.
        default_policy: Policy of every seat where none is asked for.
        counted: By-seat columns of a row whose sum over seats is counted per playout.
        story: Which events tell how a playout goes; None if metrics of a whole ruleset are not offered.
        narrate: Tells the events of one playout, a line each, given ruleset, seats and events.

    """

    name: str
    title: str
    version: int
    fewest_seats: int
    most_seats: int
    folder: Any
    load: Callable[[], Any]
    pack: Callable[[Any], Any]
    state: np.dtype[np.void]
    row: np.dtype[np.void]
    entry: Callable[..., None]
    policies: tuple[Policy, ...]
    narrate: Callable[[Any, int, Any], list[str]]
    families: tuple[ItemFamily, ...] = ()
    resources: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    spaces: Callable[[Any], list[str]] = field(default=lambda _ruleset: [])
    default_policy: str = "random"
    counted: tuple[str, ...] = ()
    story: Story | None = None
    usual: tuple[str, ...] = ()

    @property
    def usual_policies(self) -> tuple[Policy, ...]:
        """Those that a plan without profiles plays."""
        return tuple(policy for policy in self.policies if not self.usual or policy.name in self.usual)

    def policy(self, name: str) -> Policy:
        """Return a built-in policy by name.

        Raises:
            KeyError: The game has no such policy.

        """
        return {policy.name: policy for policy in self.policies}[name]

    def items(self, family: ItemFamily, ruleset: Any) -> list[Mapping[str, Any]]:
        """Return the rows of the component table that lists a family's items."""
        return list(ruleset.tables[family.table])
