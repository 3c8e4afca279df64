"""The engine on Pig: blocks, threads, rotations, paired sums, tapes, Ctrl-C, and records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sim import jit, rng
from sim.engine import blocks
from sim.engine.blocks import (
    Arm,
    Array,
    Call,
    Pair,
    Played,
    count_jobs,
    play_call,
    play_rows,
    refuse_lost_rows,
)
from sim.engine.contract import EVENT_WINDOW, TAPE_LENGTH, AfterTape, Termination
from sim.engine.lineup import make_lineup, rotations
from sim.engine.moments import N_MOMENTS, PAIRS, item_moments
from sim.engine.replay import Recording, replay
from sim.games.pig.game import GAME
from sim.games.pig.rules import Event, Purpose
from sim.jit import entry, hot, make_records, padded, record_of
from sim.rng import Namespace
from tests.referees.pig import referee
from tests.support import SEED, first_difference, referee_draw, stream_choose

N_PLAYOUTS = 200
ROLL, HOLD = 0, 1


def rules_of(**changes: int) -> Any:
    """Return packed rules of Pig."""
    return GAME.pack(GAME.load().resolve(changes))


def arms(n_playouts: int = N_PLAYOUTS) -> tuple[Arm, Arm]:
    """Return a baseline and a variant that plays fewer playouts."""
    lineup = make_lineup(GAME, ["hold_20", "hold_15", "random"], 3)
    baseline = Arm("baseline", rules_of(goal=60, turn_limit=18), lineup, n_playouts)
    return baseline, Arm("variant", rules_of(goal=50), lineup, n_playouts * 3 // 4)


def call(n_playouts: int = N_PLAYOUTS, keep: Callable[[Arm, Array, Array], None] | None = None) -> Call:
    """Return a call of two paired arms."""
    pair = Pair("variant", "variant", "baseline")
    return Call(GAME, arms(n_playouts), (pair,), SEED, {}, first=5, keep=keep)


def as_bytes(played: Played) -> dict[str, bytes]:
    """Return all totals as bytes, without the unused end of the histogram."""
    named = {}
    for sums in (played.arms, played.pairs):
        for name, totals in sums.items():
            for key, values in totals.items():
                used = np.trim_zeros(values, "b") if key == "length_of" else values
                named[f"{name}.{key}"] = np.asarray(used).tobytes()
    return named


@pytest.fixture
def small_cells(monkeypatch: pytest.MonkeyPatch) -> int:
    """Make cells so small that a short call has many blocks."""
    monkeypatch.setattr(blocks, "CELL", 8)
    return 8


@pytest.mark.bounds
@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("n_cells", [1, 3, 8, 1000])
def test_blocks_and_threads_change_no_byte(small_cells: int, jobs: int, n_cells: int) -> None:
    expected = play_call(call(), jobs=1)
    assert expected.arms["baseline"]["n_cells"] == N_PLAYOUTS // small_cells
    split = replace(call(), block_size=n_cells * small_cells)
    assert as_bytes(play_call(split, jobs=jobs)) == as_bytes(expected)


def test_the_number_of_threads_is_as_asked_or_one_per_core() -> None:
    assert count_jobs(3) == 3
    assert count_jobs(None) >= 1
    with pytest.raises(ValueError, match="jobs: found 0"):
        count_jobs(0)


def kept_rows(n_playouts: int = N_PLAYOUTS) -> tuple[Played, dict[str, Array]]:
    """Return what a call played and all its rows by arm, shape (n_rotations, n_playouts)."""
    kept: dict[str, list[Array]] = {"baseline": [], "variant": []}
    firsts: list[int] = []

    def keep(arm: Arm, numbers: Array, rows: Array) -> None:
        kept[arm.name].append(rows)
        firsts.append(int(numbers[0]))
        assert numbers.tolist() == list(range(firsts[-1], firsts[-1] + rows.shape[1]))

    played = play_call(call(n_playouts, keep), jobs=2)
    assert firsts == sorted(firsts)
    return played, {name: np.concatenate(rows, axis=1) for name, rows in kept.items()}


def payoff_of_place(rows: Array, playout: int, place: int) -> int:
    """Return what a place of the line-up won over three rotations; in rotation r it sits r chairs further."""
    return sum(int(rows[turn, playout]["payoff"][(place + turn) % 3]) for turn in range(3))


def test_rows_are_kept_whole_and_in_order() -> None:
    _, kept = kept_rows()
    for arm in arms():
        rows, _ = play_rows(GAME, arm, SEED, 5, arm.n_playouts)
        assert np.array_equal(kept[arm.name], rows)


def test_totals_are_what_plain_sums_over_rows_give() -> None:
    played, kept = kept_rows()
    for name, rows in kept.items():
        totals = played.arms[name]
        counts = (rows["termination"] != Termination.TURN_LIMIT).all(axis=0)
        assert 0 < counts.sum() <= rows.shape[1]
        payoff = [
            [payoff_of_place(rows, n, place) * int(counts[n]) for place in range(3)] + [0] for n in range(rows.shape[1])
        ]
        assert totals["payoff_by_seat"].tolist() == [
            [sum(one[seat] for one in payoff) for seat in range(4)],
            [sum(one[seat] ** 2 for one in payoff) for seat in range(4)],
        ]
        assert totals["n_playouts"] == rows.shape[1]
        assert totals["n_rows"] == rows.size
        assert totals["n_finished"] == counts.sum()
        lengths = [int(length) for length in rows["length_turns"].ravel()]
        assert totals["tally_n_turns"] == sum(lengths)
        assert [totals["length_of"][n] for n in range(max(lengths) + 1)] == [
            lengths.count(n) for n in range(max(lengths) + 1)
        ]
        by_code = [
            sum(int(row["payoff"][row["policy"] == code].sum()) for row in rows[:, counts].ravel())
            for code in range(len(GAME.policies))
        ]
        assert totals["payoff_by_policy"][0].tolist() == by_code


def plain_pair_sums(pairs: list[tuple[int, ...]]) -> list[int]:
    """Return sums of A, B, AA, BB and AB, and how many pairs differ."""
    return [sum(column) for column in zip(*((a, b, a * a, b * b, a * b, a != b) for a, b in pairs), strict=True)]


def test_paired_sums_are_what_plain_sums_over_rows_give() -> None:
    played, kept = kept_rows()
    totals = played.pairs["variant"]
    ours = kept["variant"]
    theirs = kept["baseline"][:, : ours.shape[1]]
    limit = Termination.TURN_LIMIT
    both = [
        n for n in range(ours.shape[1]) if all((rows["termination"][:, n] != limit).all() for rows in (ours, theirs))
    ]
    assert totals["n_playouts"] == ours.shape[1]
    assert totals["n_both"] == len(both)
    assert 0 < len(both) < ours.shape[1]
    for seat in range(3):
        places = [tuple(payoff_of_place(rows, n, seat) for rows in (ours, theirs)) for n in both]
        assert totals["by_seat"][:, seat].tolist() == plain_pair_sums(places)
        chairs = [tuple(int(rows["payoff"][:, n, seat].sum()) for rows in (ours, theirs)) for n in both]
        assert totals["by_order"][:, seat].tolist() == plain_pair_sums(chairs)  # in Pig, order is chair
    differ = [n for n in both if (ours["payoff"][:, n] != theirs["payoff"][:, n]).any()]
    assert totals["n_discordant"] == len(differ)


def test_rotations_move_a_lineup_round_the_seats_once_each() -> None:
    names = [policy.name for policy in GAME.policies]
    first, second, third = (GAME.policy(name) for name in names[:3])
    assert rotations((first, second, third)) == [
        (first, second, third),
        (third, first, second),
        (second, third, first),
    ]
    assert rotations((first, second, first, second)) == [
        (first, second, first, second),
        (second, first, second, first),
    ]
    assert rotations((first,) * 4) == [(first,) * 4]
    assert call().work(N_PLAYOUTS) == 3 * (N_PLAYOUTS + N_PLAYOUTS * 3 // 4)


@pytest.mark.parametrize(
    ("names", "told"),
    [(["hold_21"], "found 'hold_21', expected one of random"), (["random"] * 2, "found 2 names for 3 seats")],
)
def test_lineups_that_fit_no_table_are_refused(names: list[str], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        make_lineup(GAME, names, 3)


def test_item_moments_are_what_plain_integers_give() -> None:
    shape, n_items = (2, 30, 3), 5
    numbers = np.arange(np.prod(shape)).reshape(shape)
    payoff = (numbers * 37) % 841 - 200
    masks = (numbers * 11 + numbers // 7) % 33 - 1
    counts = (np.arange(30) % 4 != 0).astype(np.int64)
    for needs_other in (0, 1):
        moments = np.zeros((n_items, N_MOMENTS), np.int64)
        item_moments(payoff, masks, counts, needs_other, moments)
        for item in range(n_items):
            expected = [0] * N_MOMENTS
            for playout in np.flatnonzero(counts):
                sums = [0, 0, 0, 0]
                for rotation, seat in np.ndindex(2, 3):
                    mask = int(masks[rotation, playout, seat])
                    if mask > 0 or (mask == 0 and not needs_other):
                        side = 0 if mask >> item & 1 else 2
                        sums[side] += 1
                        sums[side + 1] += int(payoff[rotation, playout, seat])
                products = [sums[one] * sums[other] for one, other in PAIRS]
                expected = [old + new for old, new in zip(expected, sums + products, strict=True)]
            assert moments[item].tolist() == expected


def told(names: list[str], playout: int, n_seats: int = 2, **options: Any) -> Recording:
    """Record one playout of Pig."""
    return replay(GAME, rules_of(), make_lineup(GAME, names, n_seats), SEED, playout, **options)


def choices(recording: Recording) -> list[int]:
    """Return the options taken, in order."""
    return [event[3] for event in recording.events if event[0] == Event.DECISION]


@pytest.mark.bounds
def test_a_tape_that_stops_reports_the_next_decision() -> None:
    whole = told(["random"], 3)
    decisions = [event for event in whole.events if event[0] == Event.DECISION]
    for n_forced in range(len(decisions)):
        tape = choices(whole)[:n_forced]
        part = told(["random"], 3, tape=tape, after_tape=AfterTape.STOP)
        _, seat, kind, _, options = decisions[n_forced]
        assert part.pending == (kind, seat, options)
        assert part.row.termination == Termination.PENDING
        assert part.events == whole.events[: whole.events.index(decisions[n_forced])] or n_forced > 0
        assert part.events == whole.events[: len(part.events)]
        assert choices(part) == tape


def test_a_tape_to_the_end_leaves_nothing_pending() -> None:
    whole = told(["random"], 3)
    again = told(["hold_20"], 3, tape=choices(whole), after_tape=AfterTape.STOP)
    assert again.pending is None
    assert again.events == whole.events
    assert again.row.termination == Termination.WON


def test_forced_choices_are_obeyed_and_policies_go_on() -> None:
    forced = told(["hold_20"], 4, tape=[HOLD] * 5)
    assert choices(forced)[:5] == [HOLD] * 5
    free = told(["hold_20"], 4)
    assert choices(free)[:5] != [HOLD] * 5
    draw = referee_draw(Purpose, SEED, 4)
    numbers = {key: int(value) for key, value in GAME.load().resolve({}).rules.items()}
    verdict = referee(numbers, 2, draw, stream_choose(GAME, forced.events))
    assert first_difference(forced.events, verdict.events) == ""


def test_policies_that_go_on_after_all_choices_give_the_same_events() -> None:
    for n_seats, playout in ((2, 6), (3, 7), (4, 8)):
        whole = told(["random"], playout, n_seats)
        assert told(["hold_20"], playout, n_seats, tape=choices(whole)).events == whole.events
        half = choices(whole)[: len(choices(whole)) // 2]
        assert told(["hold_20"], playout, n_seats, tape=half).events[:3] == whole.events[:3]


def test_another_namespace_after_the_tape_leaves_what_came_before() -> None:
    whole = told(["hold_20"], 9)
    tape = choices(whole)[:6]
    place = [n for n, event in enumerate(whole.events) if event[0] == Event.DECISION][5]
    same = told(["hold_20"], 9, tape=tape)
    other = told(["hold_20"], 9, tape=tape, tape_namespace=Namespace.ROLLOUT)
    assert same.events == whole.events
    assert other.events[: place + 1] == whole.events[: place + 1]
    assert other.events != whole.events


def test_a_choice_that_is_not_legal_is_refused() -> None:
    for option in (2, 62, 63, 64, -1, 1 << 40):
        with pytest.raises(ValueError, match=f"choice 1 of the tape is {option}.*legal.*0, 1"):
            told(["hold_20"], 9, tape=[ROLL, option, HOLD])


def test_a_tape_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match=f"{TAPE_LENGTH} is the most"):
        told(["hold_20"], 9, tape=[ROLL] * (TAPE_LENGTH + 1))


def test_events_beyond_the_window_are_recorded_page_by_page() -> None:
    changes = {"goal": 10_000, "turn_limit": 1_500}
    ruleset = GAME.load().resolve(changes)
    long = replay(GAME, GAME.pack(ruleset), make_lineup(GAME, ["hold_25"], 2), SEED, 1)
    assert len(long.events) > EVENT_WINDOW
    draw = referee_draw(Purpose, SEED, 1)
    numbers = {key: int(value) for key, value in ruleset.rules.items()}
    verdict = referee(numbers, 2, draw, stream_choose(GAME, long.events))
    assert first_difference(long.events, verdict.events) == ""


@pytest.mark.parametrize("n_reports", [1, 4])
@pytest.mark.usefixtures("small_cells")
def test_ctrl_c_keeps_whole_blocks(n_reports: int) -> None:
    reports: list[int] = []

    def progress(so_far: Played) -> None:
        reports.append(so_far.n_playouts)
        if len(reports) == n_reports:
            raise KeyboardInterrupt

    played = play_call(call(), jobs=2, progress=progress)
    assert played.is_partial
    assert played.n_playouts == reports[-1] < N_PLAYOUTS
    short = [replace(arm, n_playouts=min(arm.n_playouts, played.n_playouts)) for arm in arms()]
    whole = play_call(replace(call(), arms=tuple(short)), jobs=1)
    assert as_bytes(played) == as_bytes(whole)


@pytest.mark.usefixtures("small_cells")
def test_ctrl_c_amid_a_block_leaves_no_half_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    add, calls = blocks.added_totals, []

    def interrupted(total: Any, more: Any) -> Any:
        calls.append(1)
        if len(calls) == 5:  # the second arm of the second block
            raise KeyboardInterrupt
        return add(total, more)

    with monkeypatch.context() as patched:
        patched.setattr(blocks, "added_totals", interrupted)
        played = play_call(call(), jobs=1)
    assert played.is_partial
    short = [replace(arm, n_playouts=played.n_playouts) for arm in arms()]
    assert as_bytes(played) == as_bytes(play_call(replace(call(), arms=tuple(short)), jobs=1))


def test_lost_rows_are_refused() -> None:
    with pytest.raises(RuntimeError, match="2 of 3 playouts were lost"):
        refuse_lost_rows(np.array([Termination.WON, Termination.NOT_PLAYED, Termination.NOT_PLAYED]))
    idle = replace(GAME, entry=lambda *_records: None)
    with pytest.raises(RuntimeError, match="playouts were lost in a kernel"):
        play_call(replace(call(), game=idle), jobs=2)


INNER = np.dtype([("cards", np.int64, (3,)), ("small", np.int8), ("word", np.uint64)], align=True)
RECORD = padded(
    [
        ("number", np.int32),
        ("word", np.uint64),
        ("grid", np.int64, (2, 3)),
        ("words", np.uint64, (2,)),
        ("inner", INNER),
        ("many", INNER, (2,)),
    ]
)


@hot
def exercise(record: Any, number: int) -> int:
    """Read and write every kind of field; return what depends on all of them."""
    record.number = number + 1
    record.number += record.grid[1, 2]
    record.grid[0, 1] = record.number * 2
    row = record.grid[0]
    row[2] = len(record.grid) + len(row)
    record.word = rng.mix(record.word)
    record.words[1] = record.words[0] >> rng.HALF_WORD
    record.inner.cards[1] = record.grid[0, 1] - 5
    record.inner.small -= 3
    record.many[1].word = record.word
    for place in range(len(record.many)):
        record.many[place].cards[place] += record.number
    return record.inner.cards[1] + record.many[1].cards[1] + row[2]


@entry
def exercise_compiled(records: Any, number: int, answers: Any) -> None:
    """Run `exercise` on the first record."""
    answers[0] = exercise(record_of(records, 0), number)


def filled() -> Any:
    """Return records with something in them."""
    records = make_records(RECORD)
    records["word"] = np.uint64(2**63 + 5)
    records["words"] = np.array([[2**64 - 1, 0]], np.uint64)
    records["grid"][0, 1, 2] = 40
    records["many"]["cards"][0] = [[1, 2, 3], [4, 5, 6]]
    return records


def test_interpreted_records_behave_as_compiled_ones() -> None:
    ours, theirs = filled(), filled()
    answers = np.zeros(1, np.int64)
    exercise_compiled(ours, 7, answers)
    plain = getattr(exercise, "py_func", exercise)
    with np.errstate(over="ignore"):
        found = plain(jit._take_interpreted(theirs, 0), 7)
    assert found == answers[0]
    assert ours.tobytes() == theirs.tobytes()


def test_interpreted_records_read_python_integers() -> None:
    record = jit._take_interpreted(filled(), 0)
    assert [type(record.number), type(record.grid[1, 2]), type(record.inner.cards[0])] == [int] * 3
    assert type(record.word) is type(record.words[0]) is type(record.many[1].word) is np.uint64
    assert len(record.many) == 2
    with pytest.raises(AttributeError):
        record.nothing = 1


def test_records_are_padded_to_whole_lines() -> None:
    assert RECORD.itemsize % jit.RECORD_ALIGNMENT == 0
    assert padded([("whole", np.int64, (32,))]).itemsize == jit.RECORD_ALIGNMENT


@entry
def count_bits(masks: Any, found: Any) -> None:
    """Write number, lowest and highest place of the bits of each mask."""
    for place in range(len(masks)):
        found[place, 0] = jit.popcount(masks[place])
        found[place, 1] = jit.lowest_bit(masks[place])
        found[place, 2] = jit.highest_bit(masks[place])


def test_bits_are_counted_as_plain_integers_count_them() -> None:
    masks = [1, 2, 3, 6, 40, (1 << 62) | 1, 1 << 62, (1 << 63) - 1, 0x5A5A5A5A]
    found = np.zeros((len(masks), 3), np.int64)
    count_bits(np.array(masks, np.int64), found)
    for mask, row in zip(masks, found.tolist(), strict=True):
        places = [bit for bit in range(63) if mask >> bit & 1]
        assert row == [len(places), places[0], places[-1]]
        plain = [jit._plain_popcount(mask), jit._plain_lowest_bit(mask), jit._plain_highest_bit(mask)]
        assert row == plain


@hot
def shared_name(number: int) -> int:
    """Add one."""
    return number + 1


def _entry_of_the_same_name() -> Any:
    helper = shared_name

    def shared_name_entry(numbers: Any) -> None:
        numbers[0] = helper(numbers[0])

    shared_name_entry.__qualname__ = "shared_name"
    return jit.numba.njit(shared_name_entry)


def test_a_helper_may_have_the_name_of_an_entry() -> None:
    numbers = np.zeros(1, np.int64)
    _entry_of_the_same_name()(numbers)
    assert numbers[0] == 1


@pytest.mark.compiled_only("interpreted helpers are plain functions and may be called from anywhere")
def test_a_helper_that_is_called_from_plain_python_says_so_before_and_after_an_entry_has_it() -> None:
    numbers = np.zeros(1, np.int64)
    for _ in range(2):
        with pytest.raises(
            TypeError, match=r"test_engine\.shared_name runs inside compiled kernels only.*DISABLE_JIT=1"
        ):
            shared_name(1)
        _entry_of_the_same_name()(numbers)
    with pytest.raises(TypeError, match="popcount runs inside compiled kernels only"):
        jit.popcount(5)
