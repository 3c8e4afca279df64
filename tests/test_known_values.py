"""Every exact value of `known/reference_values.json`, met by small games on sim's draws with sim's estimators.

The values were computed exactly by others; the games are in `toys/known.py`. Those of the Sword and of the placebo
trophy go the whole way from plan to table in `test_exact_controls.py`.
"""

from __future__ import annotations

import json
import math
import os
from functools import cache
from typing import Any

import numpy as np
import pytest

from sim.statistics.estimate import Estimate, SampleSums, mean, wilson
from tests.style import ROOT
from tests.toys import known

VALUES: dict[str, Any] = {
    entry["id"]: entry["value"] for entry in json.loads((ROOT / "tests/known/reference_values.json").read_text())
}
INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}
SEED = 20261201
FAR = 4  # standard errors
LEVEL = 0.95
N_CASH, N_BANKRUPT, N_LUCKY, N_NEUTRAL = 11, 4, 2, 3
N_CARDS = N_CASH + N_BANKRUPT + N_LUCKY + N_NEUTRAL
LONGEST = "duelA.2p.15"
CONTROLS = ("sword.", "placebo.")


def size(compiled: int, interpreted: int) -> int:
    return interpreted if INTERPRETED else compiled


def agrees(found: Estimate, exact: float) -> bool:
    """Tell whether an estimate is as near as its error says; a share that is sure must be exact."""
    return abs(found.value - exact) <= FAR * found.mcse + 1e-12


def shares_agree(wins: np.ndarray, exact: list[float]) -> bool:
    n = len(wins)
    error = [math.sqrt(share * (1 - share) / n) for share in exact]
    found = [wilson(int(count), n, LEVEL).value for count in wins.sum(axis=0)]
    return all(abs(one - other) <= FAR * far for one, other, far in zip(found, exact, error, strict=True))


def ids(*prefixes: str) -> list[str]:
    return [name for name in VALUES if name.startswith(prefixes)]


@cache
def orders() -> np.ndarray:
    return np.asarray(known.deck_orders(size(100_000, 400), N_CARDS, SEED))


@cache
def turns() -> tuple[np.ndarray, np.ndarray]:
    """Return the cash after each flip and the number of the flip that busts, shapes (n, 20) and (n,)."""
    cards = orders()
    cash = np.cumsum(np.where(cards < N_CASH, cards + 2, 0), axis=1)
    guards = np.zeros(len(cards), np.int64)
    bust = np.full(len(cards), N_CARDS + 1)
    for place in range(N_CARDS):
        card = cards[:, place]
        is_bankrupt = (card >= N_CASH) & (card < N_CASH + N_BANKRUPT)
        bust = np.where(is_bankrupt & (guards == 0) & (bust > N_CARDS), place + 1, bust)
        guards += (card >= N_CASH + N_BANKRUPT) & (card < N_CASH + N_BANKRUPT + N_LUCKY)
        guards -= is_bankrupt & (guards > 0)
    return cash, bust


def mean_of(values: np.ndarray) -> Estimate:
    return mean(SampleSums.of_sample(values.astype(np.int64)), LEVEL)


@pytest.mark.parametrize("name", ids("chance.survive."))
def test_flips_survived(name: str) -> None:
    flips = int(name.rsplit(".", 1)[1])
    assert shares_agree((turns()[1] > flips)[:, None], [VALUES[name]["float"]])


def test_the_flip_that_busts() -> None:
    assert agrees(mean_of(turns()[1]), VALUES["chance.E_bust_index"]["float"])


@pytest.mark.parametrize("name", ids("chance.flipexactly."))
def test_cash_of_a_fixed_number_of_flips(name: str) -> None:
    flips = int(name.rsplit(".", 1)[1])
    cash, bust = turns()
    assert agrees(mean_of(np.where(bust > flips, cash[:, flips - 1], 0)), VALUES[name]["float"])


@pytest.mark.parametrize("name", ids("chance.thr."))
def test_cash_busts_and_flips_of_a_threshold(name: str) -> None:
    threshold, most = (int(part) for part in name.split(".")[2:])
    cash, bust = turns()
    enough = cash[:, :most] >= threshold
    stop = np.where(enough.any(axis=1), enough.argmax(axis=1) + 1, most)
    is_bust = bust <= stop
    kept, chance, flips = VALUES[name]["floats"]
    assert agrees(mean_of(np.where(is_bust, 0, cash[np.arange(len(cash)), stop - 1])), kept)
    assert shares_agree(is_bust[:, None], [chance])
    assert agrees(mean_of(np.minimum(stop, bust)), flips)


class Stopper:
    """The best stopping by all that was flipped: expected cash kept of going on, by dynamic programming."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.known: dict[tuple[int, ...], float] = {}

    def worth(self, cash: int, bankrupt: int, lucky: int, neutral: int, guards: int) -> float:
        """Return what a position is worth; the cards are those still in the deck, cash ones as a mask."""
        place = cash, bankrupt, lucky, neutral, guards
        if place not in self.known:
            self.known[place] = max(self.kept(cash), self.going_on(*place))
        return self.known[place]

    @staticmethod
    def kept(cash: int) -> float:
        return float(sum(card + 2 for card in range(N_CASH) if not cash >> card & 1))

    def going_on(self, cash: int, bankrupt: int, lucky: int, neutral: int, guards: int) -> float:
        """Return what another flip is worth; nothing when there may be none."""
        left = cash.bit_count() + bankrupt + lucky + neutral
        if left == 0 or N_CARDS - left >= self.most:
            return 0.0
        total = sum(
            self.worth(cash & ~(1 << card), bankrupt, lucky, neutral, guards)
            for card in range(N_CASH)
            if cash >> card & 1
        )
        if bankrupt and guards:
            total += bankrupt * self.worth(cash, bankrupt - 1, lucky, neutral, guards - 1)
        if lucky:
            total += lucky * self.worth(cash, bankrupt, lucky - 1, neutral, guards + 1)
        if neutral:
            total += neutral * self.worth(cash, bankrupt, lucky, neutral - 1, guards)
        return total / left

    def play(self, cards: list[int]) -> int:
        """Return the cash that is kept of a deck in this order."""
        deck = [(1 << N_CASH) - 1, N_BANKRUPT, N_LUCKY, N_NEUTRAL, 0]
        for card in cards:
            if self.going_on(*deck) <= self.kept(deck[0]):
                break
            if card < N_CASH:
                deck[0] &= ~(1 << card)
            elif card < N_CASH + N_BANKRUPT:
                if deck[4] == 0:
                    return 0
                deck[1], deck[4] = deck[1] - 1, deck[4] - 1
            elif card < N_CASH + N_BANKRUPT + N_LUCKY:
                deck[2], deck[4] = deck[2] - 1, deck[4] + 1
            else:
                deck[3] -= 1
        return int(self.kept(deck[0]))


@pytest.mark.parametrize("name", ids("chance.opt.cash."))
def test_cash_of_the_best_stopping(name: str) -> None:
    stopper = Stopper(int(name.rsplit(".", 1)[1]))
    exact = VALUES[name]["float"]
    assert stopper.worth((1 << N_CASH) - 1, N_BANKRUPT, N_LUCKY, N_NEUTRAL, 0) == pytest.approx(exact, rel=1e-12)
    kept = np.array([stopper.play(cards) for cards in orders()[: size(4000, 400)].tolist()])
    assert agrees(mean_of(kept), exact)


HEAL_TWO, HEAL_ONE, HIT, BOOGIE, BLANK = (2, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)
DICE = {
    "duelA": [HEAL_TWO, HEAL_TWO, HIT, HIT, BOOGIE, BLANK],
    "duelB": [HEAL_ONE, HIT, HIT, BOOGIE, BLANK, BLANK],
}


def told(winners: np.ndarray, lengths: np.ndarray, exact: list[float]) -> None:
    *shares, length = exact
    assert shares_agree(winners, shares)
    assert agrees(mean_of(lengths), length)


TOO_LONG = pytest.mark.compiled_only("hundreds of playouts of 2,421 turns on average")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=TOO_LONG if name == LONGEST else ()) for name in ids("duel")]
)
def test_duels_of_dice_without_a_board(name: str) -> None:
    die, players, health, *rule = name.split(".")
    n = 500 if name == LONGEST else size(50_000, 150)
    winners, lengths = np.zeros((n, int(players[0])), np.int64), np.zeros(n, np.int64)
    target = known.Target[rule[0].upper()] if rule else known.Target.LOW
    known.duels(np.array(DICE[die], np.int64), int(health), int(target), SEED, winners, lengths)
    told(winners, lengths, VALUES[name]["floats"])


@pytest.mark.parametrize("name", ids("claim4."))
def test_claims_on_a_ring_of_four(name: str) -> None:
    n = size(200_000, 500)
    winners, lengths = np.zeros((n, 2), np.int64), np.zeros(n, np.int64)
    known.claims(int(name.rsplit(".", 1)[1]), SEED, winners, lengths)
    told(winners, lengths, VALUES[name]["floats"])


def visits_agree(visits: np.ndarray, n_each: int, exact: list[float]) -> None:
    """Compare shares of turns, each playout being one cluster."""
    for place, share in enumerate(exact):
        sums = SampleSums.of_sample(visits[:, place], n_each)
        assert agrees(mean(sums, LEVEL), share), (place, sums.mean, share)


@pytest.mark.parametrize("name", ids("ring."))
def test_turns_of_a_ring_with_a_jail(name: str) -> None:
    n, n_turns = size(4000, 300), size(200, 10)
    visits = np.zeros((n, known.RING + known.TRIES), np.int64)
    freeing = known.Freeing[name.rsplit(".", 1)[1].upper()]
    known.ring_walks(int(freeing), n_turns, SEED, visits)
    visits_agree(visits, n_turns, VALUES[name]["pi"])


BOARDS = {
    "classic.short": known.Board.SHORT,
    "classic.long.collins": known.Board.LONG,
    "classic.short.pe84": known.Board.PE84,
    "tropical.long": known.Board.TROPICAL,
}


@pytest.mark.parametrize("name", ids("classic.", "tropical."))
def test_rolls_on_the_board_of_forty(name: str) -> None:
    n, n_rolls = size(5_000, 300), size(12_000, 10)  # so many, that the conventions differ by eight standard errors
    visits = np.zeros((n, known.SQUARES + 1), np.int64)
    known.board_walks(int(BOARDS[name]), n_rolls, SEED, visits)
    value = VALUES[name]
    jailed = value.get("in_jail", value.get("in_jail_percent", 0) / 100)
    squares = value["pi"] if "pi" in value else [share / 100 for share in value["pi_percent"]]
    if "pi" not in value:  # its square 10 holds both
        squares = [share - jailed * (place == known.JAIL) for place, share in enumerate(squares)]
    visits_agree(visits, n_rolls, [*squares, jailed])


def test_no_value_is_left_out() -> None:
    met = [*ids("chance.survive.", "chance.flipexactly.", "chance.thr.", "chance.opt.cash."), "chance.E_bust_index"]
    met += ids("duel", "claim4.", "ring.", *BOARDS, *CONTROLS)
    assert sorted(met) == sorted(VALUES)
    text = (ROOT / "tests/test_exact_controls.py").read_text()
    assert all(name in text for prefix in CONTROLS for name in (ids(prefix)[0], ids(prefix)[-1]))
