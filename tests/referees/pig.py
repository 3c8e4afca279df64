"""The slow, plain referee of Pig: one playout from draws and decisions, told event by event."""

from collections.abc import Callable
from dataclasses import dataclass

DECISION, TURN, ROLL, HOLD, END = range(5)
NOBODY = -1
WON, TURN_LIMIT = 0, 2
BOTH = 3
WHOLE_WIN = 840
SEATS_PER_ROLL = 8

EventRow = tuple[int, int, int, int, int]


@dataclass
class Verdict:
    """What the referee says of one playout."""

    events: list[EventRow]
    payoff: list[int]
    score: list[int]


def referee(
    rules: dict[str, int],
    n_seats: int,
    draw: Callable[[str, int, int, int, int], int],
    choose: Callable[[str, int, list[int]], int],
) -> Verdict:
    """Play one playout (P-R1 to P-R5)."""
    events: list[EventRow] = []
    score = [0] * n_seats
    turns = [0] * n_seats
    seat = 0
    while sum(turns) < rules["turn_limit"]:
        turns[seat] += 1
        events.append((TURN, seat, turns[seat], 0, 0))
        score[seat] += take_turn(rules, seat, turns[seat], score[seat], events, draw, choose)
        if score[seat] >= rules["goal"]:
            events.append((END, seat, WON, 0, 0))
            return Verdict(events, [WHOLE_WIN * (other == seat) for other in range(n_seats)], score)
        seat = (seat + 1) % n_seats
    events.append((END, NOBODY, TURN_LIMIT, 0, 0))
    return Verdict(events, [0] * n_seats, score)


def take_turn(
    rules: dict[str, int],
    seat: int,
    turn: int,
    score: int,
    events: list[EventRow],
    draw: Callable[[str, int, int, int, int], int],
    choose: Callable[[str, int, list[int]], int],
) -> int:
    """Return what a turn adds to the score (P-R2 to P-R4)."""
    total, n_rolls = 0, 0
    while True:
        number = draw("DIE", seat, turn, n_rolls * SEATS_PER_ROLL + seat, rules["die_faces"]) + 1
        n_rolls += 1
        if number == rules["losing_roll"]:
            events.append((ROLL, seat, number, 0, 0))
            return 0
        total += number
        events.append((ROLL, seat, number, total, 0))
        option = choose("ROLL_OR_HOLD", seat, [0, 1])
        events.append((DECISION, seat, 0, option, BOTH))
        if option == 1:
            events.append((HOLD, seat, total, score + total, 0))
            return total
