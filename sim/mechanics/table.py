"""What lies on a table with locations, loot, Jail and a Storm: the fields that shared mechanisms use, cleared."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from sim.engine.contract import NOBODY, Termination
from sim.jit import cold, hot

UNROLLED: Final = -1  # symbol of an action die that has not been rolled this turn


def table_fields(most_seats: int, most_spaces: int, most_locations: int, n_families: int) -> list[tuple[Any, ...]]:
    """Return the fields of a table record for at most so many seats, spaces and locations."""
    seats = (most_seats,)
    return [
        ("alive", np.int64),  # mask of living seats
        ("fell_now", np.int64),  # seats that fell by the effect being resolved (F-R81, N-R60)
        ("winners", np.int64),  # mask of seats that share the win (F-R1, N-R1)
        ("n_fallen", np.int64),
        ("eliminated", np.int64, seats),  # order of elimination from 1
        ("hp", np.int64, seats),  # health points (F-R3, F-R4, N-R2)
        ("debt", np.int64, seats),  # what the last loss took beyond the HP held
        ("space", np.int64, seats),  # where the pawn is
        ("jailed", np.int64, seats),  # 0 free, else 1 + tries used (F-R46, N-R35)
        ("kit_danger", np.int64, seats),  # how dangerous policies think what lies before a seat besides its loot
        ("storage", np.int64, seats),  # stored cards that the hand may hold (F-R75)
        ("hand", np.int64, seats),  # mask of physical loot cards (F-R8)
        ("own", np.int64, seats),  # mask of locations claimed (F-R23, N-R15)
        ("owner", np.int64, (most_locations,)),  # seat or NOBODY
        ("claimed", np.int64),  # mask of claimed locations
        ("stormed", np.int64),  # mask of stormed locations (F-R30, N-R42)
        ("storm", np.int64),  # mask of stormed spaces (F-R68, N-R45)
        ("dropped_at", np.int64),  # mask of spaces with dropped loot (F-R78, N-R58)
        ("dropped", np.int64, (most_spaces,)),  # mask of physical loot cards
        ("dropped_in_jail", np.int64),  # loot only for who is sent to Jail
        ("dealt", np.int64, (n_families, most_seats)),  # masks of items (rows of the component table)
        ("held", np.int64, (n_families, most_seats)),
        ("n_trades", np.int64),  # accepted free trades
        # of the turn that is being played
        ("number", np.int64),  # the number die, 0 unrolled
        ("symbol", np.int64),  # the action die's face
        ("turn_over", np.int64),  # 1: nothing more but the cards that are due
        ("go_due", np.int64),  # whether, or for whom, a card is due for GO (F-R34, N-R13)
        ("jailed_now", np.int64),  # mask of seats that were jailed in this turn (F-R44, N-R32)
        ("n_proposals", np.int64),  # trades proposed in this turn (F-R21, N-R14)
        ("jail_due", np.int64),  # 1: a card is due for Go to Jail (F-R39, N-R29)
    ]


@cold
def clear_table(table: Any, rules: Any) -> None:
    """Clear the table for a playout: nobody has HP or anything else (F-R5, F-R11, N-R5)."""
    table.termination = Termination.NOT_PLAYED
    table.length_turns = table.seat = table.n_fallen = table.winners = table.n_trades = 0
    table.fell_now = table.claimed = table.stormed = table.storm = table.dropped_at = table.dropped_in_jail = 0
    for seat in range(len(table.hp)):
        table.hp[seat] = table.debt[seat] = table.own_turn[seat] = table.eliminated[seat] = 0
        table.space[seat] = table.jailed[seat] = table.hand[seat] = table.own[seat] = 0
        table.storage[seat] = table.kit_danger[seat] = 0
        for family in range(len(table.dealt)):
            table.dealt[family, seat] = table.held[family, seat] = 0
    for location in range(len(table.owner)):
        table.owner[location] = NOBODY
    for space in range(rules.n_spaces):
        table.dropped[space] = 0
    clear_turn(table)


@hot
def clear_turn(table: Any) -> None:
    """Clear what belongs to one turn; what was not used is lost (F-R20, N-R12)."""
    table.number = table.turn_over = table.go_due = table.jail_due = table.jailed_now = table.n_proposals = 0
    table.symbol = UNROLLED


@cold
def seat_players(table: Any, hp: int) -> None:
    """Let everybody live, with so many HP (F-R3, N-R2)."""
    table.alive = (1 << table.n_seats) - 1
    table.standing = table.alive
    for seat in range(table.n_seats):
        table.hp[seat] = hp
