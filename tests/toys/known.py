"""Small games with exact answers, played on the addressed draws and decks of sim: decks, duels, rings, old boards."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

import numpy as np

from sim import rng
from sim.decks import DECK, PHYSICAL_CARDS, pack_physical_cards, shuffle
from sim.jit import cold, entry, make_records, record_of

DIE: Final = 0
SECOND_DIE: Final = 1
CARD: Final = 2
FREE_DIE: Final = 3
FACES: Final = 6
SQUARES: Final = 40
GO_TO_JAIL: Final = 30
JAIL: Final = 10
IN_JAIL: Final = 40  # counted apart from visiting
RING: Final = 32
RING_JAIL: Final = 8
RING_GO_TO_JAIL: Final = 24
TRIES: Final = 3
BURN_IN: Final = 100


class Target(IntEnum):
    """Whom a hit goes to; ties go to the next living seat clockwise."""

    NEXT = 0
    LOW = 1
    HIGH = 2


class Freeing(IntEnum):
    """How a token leaves the jail of the ring."""

    NONE = 0
    STORM = 1
    PAY = 2
    FLIP = 3
    Y2018 = 4


class Board(IntEnum):
    """Conventions of the board of 40."""

    SHORT = 0
    LONG = 1
    PE84 = 2
    TROPICAL = 3


def deck_orders(n_playouts: int, n_cards: int, seed: int) -> Any:
    """Return the order of a deck of single cards in each playout, shape (n_playouts, n_cards)."""
    cards = make_records(PHYSICAL_CARDS)
    pack_physical_cards(cards[0], [1] * n_cards)
    orders = np.zeros((n_playouts, n_cards), np.int64)
    order_decks(make_records(DECK), cards, seed, orders)
    return orders


@entry
def order_decks(decks: Any, cards: Any, seed: int, orders: Any) -> None:
    """Shuffle one deck per playout."""
    deck = record_of(decks, 0)
    made_of = record_of(cards, 0)
    for playout in range(orders.shape[0]):
        root = rng.playout_key(np.uint64(seed), 0, playout)
        shuffle(deck, made_of, rng.deck_key(root, 0, 0, 0))
        for place in range(orders.shape[1]):
            orders[playout, place] = deck.order[place]


@entry
def duels(faces: Any, health: int, target: int, seed: int, winners: Any, turns: Any) -> None:
    """Fight a duel per playout: faces have what they heal, how hard they hit, and whether they hit all."""
    n_seats = winners.shape[1]
    left = np.zeros(n_seats, np.int64)
    for playout in range(winners.shape[0]):
        root = rng.playout_key(np.uint64(seed), 0, playout)
        left[:] = health
        seat = 0
        while (left > 0).sum() > 1:
            if left[seat] > 0:
                key = rng.turn_key(root, seat, turns[playout])
                strike(faces[rng.index(key, DIE, seat, FACES)], health, target, seat, left)
                turns[playout] += 1
            seat = (seat + 1) % n_seats
        for other in range(n_seats):
            winners[playout, other] = int(left[other] > 0)


@cold
def strike(face: Any, health: int, target: int, seat: int, left: Any) -> None:
    """Carry out one face: heal the roller, hit one other, or hit all others."""
    left[seat] = min(health, left[seat] + face[0])
    if face[2] > 0:
        for other in range(len(left)):
            if other != seat:
                left[other] = max(0, left[other] - 1)
    if face[1] > 0:
        found = -1
        for step in range(1, len(left)):
            other = (seat + step) % len(left)
            if left[other] > 0 and (found < 0 or is_better(left[other], left[found], target)):
                found = other
        left[found] = max(0, left[found] - face[1])


@cold
def is_better(mine: int, best: int, target: int) -> bool:
    """Return whether a seat with this health is hit rather than the best one so far."""
    return (target == Target.LOW and mine < best) or (target == Target.HIGH and mine > best)


@entry
def claims(health: int, seed: int, winners: Any, turns: Any) -> None:
    """Play CLAIM-4: a ring of four, two places to claim with tolls of 1 and 2, a trap, and a salary of one health."""
    left = np.zeros(2, np.int64)
    place = np.zeros(2, np.int64)
    owner = np.zeros(4, np.int64)
    for playout in range(winners.shape[0]):
        root = rng.playout_key(np.uint64(seed), 0, playout)
        left[:] = health
        place[:] = 0
        owner[:] = -1
        seat = 1
        while left[0] > 0 and left[1] > 0:
            seat = 1 - seat
            steps = rng.die(rng.turn_key(root, seat, turns[playout]), DIE, seat, 3)
            if place[seat] + steps >= len(owner):
                left[seat] = min(health, left[seat] + 1)
            place[seat] = (place[seat] + steps) % len(owner)
            settle(place[seat], health, seat, owner, left)
            turns[playout] += 1
        winners[playout, 0] = int(left[0] > 0)
        winners[playout, 1] = int(left[1] > 0)


@cold
def settle(space: int, health: int, seat: int, owner: Any, left: Any) -> None:
    """Carry out where a token has landed: the trap, a claim, its own place, a toll."""
    if space == 2:
        left[seat] -= 1
    elif space != 0 and owner[space] < 0:
        owner[space] = seat
    elif space != 0 and owner[space] == seat:
        if owner[1] == owner[3]:
            left[seat] = min(health, left[seat] + 1)
    elif space != 0:
        left[seat] -= 1 if space == 1 else 2


@entry
def ring_walks(freeing: int, n_turns: int, seed: int, visits: Any) -> None:
    """Walk the ring of 32 and count where turns end: 32 spaces, then in jail after 0, 1 and 2 tries."""
    for playout in range(visits.shape[0]):
        root = rng.playout_key(np.uint64(seed), 0, playout)
        place = 0
        tries = -1  # not in jail
        for turn in range(BURN_IN + n_turns):
            key = rng.turn_key(root, 0, turn)
            steps = rng.die(key, DIE, 0, FACES)
            if tries >= 0 and freeing in (Freeing.FLIP, Freeing.Y2018) and tries < TRIES - 1 and steps < FACES:
                tries += 1
            else:
                if tries >= 0 and freeing == Freeing.FLIP and steps == FACES:
                    steps = rng.die(key, FREE_DIE, 0, FACES)
                if tries >= 0 and freeing == Freeing.Y2018 and tries < TRIES - 1:
                    steps = rng.die(key, FREE_DIE, 0, FACES)
                tries = -1
                place = (place + steps) % RING
                if place == RING_GO_TO_JAIL and freeing != Freeing.NONE:
                    place = RING_JAIL
                    tries = -1 if freeing == Freeing.STORM else 0
            if turn >= BURN_IN:
                visits[playout, place if tries < 0 else RING + tries] += 1


@entry
def board_walks(board: int, n_rolls: int, seed: int, visits: Any) -> None:
    """Walk the board of 40 and count where rolls end: 40 squares, then in jail."""
    for playout in range(visits.shape[0]):
        root = rng.playout_key(np.uint64(seed), 0, playout)
        state = np.zeros(3, np.int64)  # square, doubles in a row, rolls missed in jail (-1 when free)
        state[2] = -1
        for turn in range(BURN_IN + n_rolls):
            roll_once(board, rng.turn_key(root, 0, turn), state)
            if turn >= BURN_IN:
                visits[playout, state[0] if state[2] < 0 else IN_JAIL] += 1


@cold
def roll_once(board: int, key: np.uint64, state: Any) -> None:
    """Roll two dice and move, by the convention of a board."""
    one, two = rng.die(key, DIE, 0, FACES), rng.die(key, SECOND_DIE, 0, FACES)
    is_tropical = board == Board.TROPICAL
    steps = one if is_tropical and two == 1 else one + two  # the face 1 of the second die shows TV
    is_double = one == two and not (is_tropical and two == 1)
    was_in_jail = state[2] >= 0
    if was_in_jail and not is_double and state[2] < TRIES - 1 and board not in (Board.SHORT, Board.PE84):
        state[2] += 1
        return
    state[2] = -1
    if was_in_jail and is_tropical:
        is_double = False
    state[1] = state[1] + 1 if is_double else 0
    if state[1] == TRIES:
        state[1] = 0
        go_to_jail(board, state)
        return
    state[0] = (state[0] + steps) % SQUARES
    if state[0] == GO_TO_JAIL:
        jail(board, state)
    elif not is_tropical:
        draw_card(board, key, 0, state)


@cold
def jail(board: int, state: Any) -> None:
    """Send a token to jail by a square or a card; only one convention keeps the doubles."""
    if board != Board.PE84:
        state[1] = 0
    go_to_jail(board, state)


@cold
def go_to_jail(board: int, state: Any) -> None:
    """Put a token in jail; where it leaves at once it is only counted there."""
    state[0] = JAIL
    if board in (Board.LONG, Board.TROPICAL):
        state[2] = 0


@cold
def draw_card(board: int, key: np.uint64, k: int, state: Any) -> None:
    """Draw on Chance (7, 22, 36) and Community Chest (2, 17, 33), each of 16 cards alike."""
    square = state[0]
    card = rng.index(key, CARD, k, 16)
    if square in (2, 17, 33):
        if card == 0:
            state[0] = 0
        elif card == 1:
            jail(board, state)
    elif square in (7, 22, 36):
        if card == 1:
            jail(board, state)
        else:
            state[0] = by_chance(square, card)
            if state[0] == 33:
                draw_card_of_chest(board, key, state)


@cold
def draw_card_of_chest(board: int, key: np.uint64, state: Any) -> None:
    """Draw on the Community Chest that three steps back from the last Chance lead to."""
    card = rng.index(key, CARD, 1, 16)
    if card == 0:
        state[0] = 0
    elif card == 1:
        jail(board, state)


@cold
def by_chance(square: int, card: int) -> int:
    """Return where a card of Chance leads."""
    if card == 0:
        return 0
    if card == 2:
        return 11
    if card == 3:
        return 24
    if card == 4:
        return 39
    if card == 5:
        return 5
    if card in (6, 7):
        return (square + 5) // 10 * 10 % SQUARES + 5
    if card == 8:
        return 28 if square == 22 else 12
    return square - 3 if card == 9 else square
