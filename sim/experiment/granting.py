"""Grants by words: `cards.bush`, or `bush@2` for the second seat, as `sim replay --grant` and notebooks say them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from sim.components import nearest
from sim.engine.blocks import Grant
from sim.engine.contract import MOST_GRANTS, ROTATING_SEAT
from sim.engine.seating import FIRST, index_of, numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sim.components import Ruleset
    from sim.engine.contract import Game, ItemFamily

SEAT_MARK: Final = "@"
TABLE_MARK: Final = "."


def word_of(family: ItemFamily, item: str) -> str:
    """Return the word that grants an item to the seat of an experiment: playout number modulo the seats."""
    return f"{family.table}{TABLE_MARK}{item}"


def read_grants(game: Game, ruleset: Ruleset, n_seats: int, words: Sequence[str]) -> tuple[Grant, ...]:
    """Return the grants that words name.

    Args:
        game: The game.
        ruleset: Its rules, with the rows of its component tables.
        n_seats: Seats at the table.
        words: Item or `table.item`, each with `@seat` (from 1) or without; without it the seats take turns from
            playout to playout, as in experiments. An item named again is another of its copies.

    Raises:
        ValueError: There is no such item or seat, no copy is left, or a seat would have two of what it has one of.

    """
    if len(words) > MOST_GRANTS:
        message = f"grant: found {len(words)} cards, expected at most {MOST_GRANTS}"
        raise ValueError(message)
    granted: list[Grant] = []
    named: Counter[tuple[str, int]] = Counter()
    for word in words:
        family, row = item_named(game, ruleset, word)
        copies = [int(values["copies"]) for values in game.items(family, ruleset)]
        place = named[family.name, row]
        if place >= copies[row]:
            message = f"grant: found '{word}' {place + 1} times, expected at most {copies[row]}, as many as there are"
            raise ValueError(message)
        named[family.name, row] += 1
        granted.append(Grant(family, sum(copies[:row]) + place, seat_named(word, n_seats)))
    refuse_two_of_one(granted, n_seats)
    return tuple(granted)


def item_named(game: Game, ruleset: Ruleset, word: str) -> tuple[ItemFamily, int]:
    """Return family and row of the item that a word names.

    Raises:
        ValueError: There is none, or several tables have it.

    """
    item = word.partition(SEAT_MARK)[0].strip()
    known = dict(_named_items(game, ruleset))
    fitting = [key for key in known if item in (key, key.partition(TABLE_MARK)[2])]
    if len(fitting) > 1:
        message = f"grant: found '{item}', expected one of {' or '.join(fitting)}"
        raise ValueError(message)
    if not fitting:
        expected = f"one of {', '.join(known)}" if known else f"none, {game.name} has no cards to grant"
        names = [key.partition(TABLE_MARK)[2] for key in known]
        message = f"grant: found '{item}', expected {expected}{nearest(item, [*known, *names])}"
        raise ValueError(message)
    return known[fitting[0]]


def _named_items(game: Game, ruleset: Ruleset) -> Iterator[tuple[str, tuple[ItemFamily, int]]]:
    """Yield the items that can be granted by table and key, with family and row."""
    for family in game.families:
        for row, values in enumerate(game.items(family, ruleset)):
            if family.deal_event and int(values["copies"]):
                yield word_of(family, str(values[family.key])), (family, row)


def seat_named(word: str, n_seats: int) -> int:
    """Return the seat that a word names, as kernels count, `ROTATING_SEAT` where it names none.

    Raises:
        ValueError: It is no seat of the table.

    """
    _, mark, seat = word.partition(SEAT_MARK)
    if not mark:
        return ROTATING_SEAT
    number = seat.strip()
    if not (number.isascii() and number.isdecimal()) or int(number) not in numbers(n_seats):
        expected = f"expected {FIRST} to {n_seats} behind the {SEAT_MARK}; seats count from {FIRST}"
        message = f"grant: found seat '{seat}' in '{word}', {expected}"
        raise ValueError(message)
    return index_of(int(number))


def refuse_two_of_one(granted: Sequence[Grant], n_seats: int) -> None:
    """Stop if one seat would have two items of a family of which a seat has one.

    Raises:
        ValueError: It would.

    """
    for place, one in enumerate(granted):
        for other in granted[:place]:
            may_meet = one.seat == other.seat or ROTATING_SEAT in (one.seat, other.seat)
            if one.family.is_single and one.family.name == other.family.name and may_meet:
                told = f"found two of {one.family.table} for one seat, of which it has one"
                message = f"grant: {told}; name another seat for one of them, such as {SEAT_MARK}{n_seats}"
                raise ValueError(message)
