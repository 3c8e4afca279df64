"""Every number of every answer stands in the row that its words name, with its interval and its count.

Some three hundred small plans are drawn: mixed line-ups and self-play, 2 to 7 seats, several variants and profiles,
every kind of answer. Their numbers are luck; what is looked at is where they come from.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from typing import Any

import pytest

from sim import games
from sim.experiment import answers
from sim.experiment.parts import Book, Fact, HowMany, Number, Part
from sim.experiment.plan import Plan, check_plan
from sim.experiment.results import Result
from sim.experiment.run import run_plan
from sim.experiment.surveys import METRICS_TOLD, TALES, title_of
from tests.toys.support import add_duel

SEED = 20261201
CHANGES: dict[str, list[dict[str, Any]]] = {
    "pig": [{"goal": 12}, {"goal": 20}, {"goal": 15, "losing_roll": 2}],
    "duel": [{"hit_faces": 4}, {"cards.sword.amount": 1}, {"start_hp": 3}],
    "flip": [{"start_hp": 5}, {"cards.bush.effect": "blank"}, {"honey_hitters_at_cap": "bank"}],
    "fortnite": [{"start_hp": 5}],
}
BASE = {"pig": {"goal": 16}, "duel": {}, "flip": {"start_hp": 4}, "fortnite": {"start_hp": 4}}
ITEMS = {"duel": ["sword", "plain"], "flip": ["bush", "slones_pulse_rifle"]}
KINDS = {
    "pig": ["win_share", "win_share", "order", "length", "advice"] * 2 + ["metrics"],
    "duel": ["win_share", "order", "length", "item", "items"],
    "flip": ["win_share", "count", "item", "items", "advice"],
    "fortnite": ["win_share", "order", "length"],
}
NUMBER = re.compile(
    r"^(?P<value>[+-]?[\d,.]+)(?P<unit>[ %a-z]*) (?:\[(?P<lower>[+-]?[\d,.]+), (?P<upper>[+-]?[\d,.]+)|\(no interval)"
    r"(?:; (?P<n>[\d,]+) playouts)?[\])]$"
)
USUAL = re.compile(r"\((?P<n>[\d,]+) playouts behind each number unless told otherwise, ")
FACTORS = {" %": 100.0}
PLAIN_NUMBERS = re.compile(
    r"place \d\b|of \d+ (?:places|variants|changes|policies)|at \d seats|margin (?:of )?[\d.]+|\d+ [a-z ]+ or more"
    r"|fair share is [\d.]+ %|[\d.]+ minutes a turn|[\d,]+(?: to [\d,]+)? more|fewer than \d+ playouts|0 luck, 1 skill"
)
BENCHMARKS = {
    "deal lift": "against the average other card in its place",
    "grant lift": "against a blank card, granted at the start to a random seat",
    "ablation lift": "against a blank card",
}


class Draws:
    """Draws choices of a plan, the same ones every time.

    Attributes:
        name: What they are for.

    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._n_drawn = 0

    def below(self, n: int) -> int:
        """Return a number from 0 up to n."""
        self._n_drawn += 1
        found = hashlib.sha256(f"{SEED} {self.name} {self._n_drawn}".encode()).digest()
        return int.from_bytes(found[:8]) % n

    def choice(self, options: Sequence[Any]) -> Any:
        """Return one of the options."""
        return options[self.below(len(options))]

    def sample(self, options: Sequence[Any], n: int) -> list[Any]:
        """Return some of the options, each once."""
        left = list(options)
        return [left.pop(self.below(len(left))) for _ in range(n)]


def line_up(draw: Draws, names: list[str], seats: int) -> list[str]:
    """Return one policy for all seats, or one for each."""
    return [draw.choice(names)] if draw.below(5) < 2 else [draw.choice(names) for _ in range(seats)]


def drawn_plan(number: int, game_name: str) -> Plan:
    """Return one of the plans."""
    draw = Draws(f"{game_name} {number}")
    game = games.get(game_name)
    names = [policy.name for policy in game.policies]
    kind = KINDS[game_name][number % len(KINDS[game_name])]
    counts = draw.sample(range(game.fewest_seats, game.most_seats + 1), draw.choice([1, 1, 2]))
    profiles = [line_up(draw, names, counts[0]) for _ in range(draw.choice([1, 1, 2, 3]))]
    if len(counts) > 1:
        profiles = [one[:1] for one in profiles]
    others = draw.sample(CHANGES[game_name], draw.below(len(CHANGES[game_name]) + 1))
    variants = [{"name": "base", "changes": BASE[game_name]}]
    variants += [{"name": f"v {place}", "changes": BASE[game_name] | one} for place, one in enumerate(others)]
    found: dict[str, Any] = {
        "schema": 1,
        "question": "Where do the numbers come from?",
        "game": game_name,
        "seats": sorted(counts),
        "seed": number,
        "playouts": draw.choice([30, 45, 60]) * len(profiles),
        "paired_playouts": 40,
        "profile": [{"name": f"p{place}", "policies": one} for place, one in enumerate(profiles)],
        "variant": variants,
        "answer": {"kind": kind},
    }
    if kind in ("item", "items"):
        found["items"] = ITEMS[game_name]
        found["answer"] |= {"item": draw.choice(ITEMS[game_name])} if kind == "item" else {}
    if kind == "count":
        found["answer"] |= {"count": game.counted[0], "at_least": draw.choice([1, 2, 90])}
    if kind == "advice":
        follows, against = draw.sample(names, 2)
        found["advice"] = {"says": "do so", "follows": follows, "against": against}
        for one in found["profile"]:
            one["policies"] = [follows, *one["policies"][1:]]
    if kind == "metrics":
        found |= {"metric_playouts": 50, "seats": counts[0]}
        found["profile"] = found["profile"][:2]
        found["playouts"] = 50 * len(found["profile"])
        found["variant"] = variants[:1]
    return check_plan(found)


def row_of(book: Book, piece: Number | Fact) -> dict[str, Any]:
    """Return the one row that a number names."""
    rows = book.rows(piece.table, **piece.keys)
    assert len(rows) == 1, (piece.table, piece.keys)
    return rows[0]


def is_rounded(text: str, value: float) -> bool:
    """Tell whether a written number is this value, to the decimals that it has."""
    decimals = len(text.partition(".")[2])
    return abs(float(text.replace(",", "")) - value) <= 0.5 * 10.0**-decimals * (1 + 1e-6)


def assert_written(book: Book, text: str, piece: Number) -> None:
    """Check value, interval and count of a number against its row; `text` is the whole answer."""
    row = row_of(book, piece)
    found = NUMBER.match(str(piece))
    assert found, str(piece)
    factor = FACTORS.get(found["unit"], 1.0)
    assert is_rounded(found["value"], factor * row["value"]), (str(piece), row)
    for end in ("lower", "upper"):
        if found[end] is None:
            assert math.isnan(row["lower"]) or math.isnan(row["upper"]), (str(piece), row)
        else:
            assert is_rounded(found[end], factor * row[end]), (str(piece), row)
    usual = USUAL.search(text)
    assert usual
    assert int((found["n"] or usual["n"]).replace(",", "")) == int(row["n_playouts"])


def assert_named(plan: Plan, words: str, behind: str, piece: Number) -> None:
    """Check that the words round a number say what its row is of: place, policy, profile, variant, item.

    Args:
        plan: The plan.
        words: The sentence up to the number.
        behind: What stands right behind the number.
        piece: The number.

    """
    keys = dict(piece.keys)
    assert "seat" not in keys
    _, _, whom = str(keys.get("quantity", "")).partition(", ")
    if whom.startswith("seat "):
        pytest.fail(f"a seat is told of: {keys}")
    if whom.startswith(("place ", "policy ")):
        assert whom in words.rpartition(" largest ")[2], words
    if "place" in keys:
        assert re.findall(r"place (\d)", words)[-1] == str(keys["place"])
    if "policy" in keys:
        assert words.endswith(f"{keys['policy']} ")
    if "item" in keys:
        assert title_of(plan, keys["item"]) in words or plan.answer.kind == "item"
    if "profile" in keys and len(plan.profiles) > 1 and piece.table != "policy_share":
        one_only = keys["profile"] == "one against random" or not behind
        assert one_only or behind.startswith(f" under {keys['profile']}"), (words, behind)
    if piece.table == "policy_share" and len(plan.profiles) > 1:
        assert f"under {keys['profile']}, " in words
    if keys.get("variant", plan.variants[0].name) != plan.variants[0].name:
        assert keys["variant"] in words
    if len(plan.seat_counts) > 1:
        assert re.findall(r"at (\d) seats", words, re.IGNORECASE)[-1:] in ([], [str(keys["seats"])])
        assert re.findall(r"at (\d) seats", words, re.IGNORECASE) or plan.answer.kind == "items"


def assert_no_other_number(plan: Plan, one: Part) -> None:
    """Check that a sentence's words have no number but names and what the plan itself says."""
    words = "|".join(piece for piece in one.pieces if isinstance(piece, str))
    names = [variant.name for variant in plan.variants] + [profile.name for profile in plan.profiles]
    names += [name for profile in plan.profiles for name in profile.policies] + [plan.answer.count]
    names += [plan.advice.follows, plan.advice.against] if plan.advice else []
    rest = PLAIN_NUMBERS.sub("", words)
    for name in sorted(filter(None, names), key=len, reverse=True):
        rest = rest.replace(name, "").replace(name.replace("_", " "), "")
    assert not re.search(r"\d", rest), (words, rest)
    assert not re.search(r"\bchair|\bseat \d", words)


def walk(plan: Plan) -> list[Part]:
    """Play a plan and check every part of its answer."""
    result = run_plan(plan, 1)
    text, book = result.answer, Book(result.tables)
    told = answers.parts(plan, result.tables)
    assert told, plan
    for one in told:
        assert one.text in text
        assert_no_other_number(plan, one)
        words = ""
        for place, piece in enumerate(one.pieces):
            behind = next(iter(one.pieces[place + 1 :]), "")
            if isinstance(piece, Number):
                assert_written(book, text, piece)
                assert_named(plan, words, behind if isinstance(behind, str) else "", piece)
            if isinstance(piece, HowMany):
                assert piece.n == len(book.rows(piece.table, **piece.keys))
            if isinstance(piece, Fact):
                assert piece.value == row_of(book, piece)[piece.column]
            words += str(piece)
    return told


@pytest.mark.compiled_only("where numbers come from does not hang on how kernels run")
@pytest.mark.parametrize("game_name", ["pig", "duel"])
@pytest.mark.parametrize("part_of_ten", range(10))
def test_every_number_of_an_answer_stands_in_the_row_that_its_words_name(
    game_name: str, part_of_ten: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_duel(monkeypatch)
    for number in range(part_of_ten, 130, 10):
        walk(drawn_plan(number, game_name))


@pytest.mark.compiled_only("dozens of plans of the large games")
@pytest.mark.parametrize(("game_name", "n_plans"), [("flip", 30), ("fortnite", 9)])
def test_every_number_of_an_answer_about_a_large_game_stands_in_its_row(game_name: str, n_plans: int) -> None:
    for number in range(n_plans):
        walk(drawn_plan(number, game_name))


def shares_plan(**keys: Any) -> Plan:
    found: dict[str, Any] = {
        "schema": 1,
        "question": "Who wins?",
        "game": "pig",
        "seats": 2,
        "seed": 7,
        "playouts": 400,
        "profile": [{"name": "mixed", "policies": ["hold_25", "hold_15"]}],
        "variant": [{"name": "printed", "changes": {"goal": 30}}, {"name": "short", "changes": {"goal": 12}}],
    }
    return check_plan(found | keys)


def test_in_a_mixed_line_up_policies_are_told_of_first_then_places_and_never_chairs() -> None:
    result = run_plan(shares_plan(), 1)
    tables = [number.table for one in answers.parts(result.plan, result.tables) for number in one.numbers]
    assert tables == ["policy_share", "policy_share", "claims", "claims", "claims", "length"]
    moved = [
        str(number.keys["quantity"])
        for one in answers.parts(result.plan, result.tables)
        for number in one.numbers
        if number.table == "claims"
    ]
    assert [label.rpartition(" ")[0] for label in moved] == [
        "seat advantage, place",
        "win share, policy",
        "win share, place",
    ]


def test_in_self_play_no_seat_is_told_of() -> None:
    result = run_plan(shares_plan(profile=[{"name": "alike", "policies": ["hold_20"]}]), 1)
    tables = [number.table for one in answers.parts(result.plan, result.tables) for number in one.numbers]
    assert tables == ["claims", "claims", "length"]
    assert not re.search(r"\bseat\b|chair", result.answer.lower())


@pytest.mark.parametrize("name", METRICS_TOLD)
def test_every_metric_that_an_answer_can_tell_is_found_in_its_table(metrics: Result, name: str) -> None:
    """A label that was reworded would leave its sentence out without a word."""
    plan = metrics.plan.model_copy(update={"answer": metrics.plan.answer.model_copy(update={"metrics": [name]})})
    told = answers.parts(plan, metrics.tables)
    assert TALES[name].before.lower().strip() in told[0].text.lower()


@pytest.fixture(scope="module")
def metrics() -> Result:
    """Two seats of the large game, whose every metric there is."""
    return run_plan(
        check_plan(
            {
                "schema": 1,
                "question": "How does it go?",
                "game": "flip",
                "seats": 3,
                "seed": 7,
                "playouts": 60,
                "metric_playouts": 60,
                "profile": [{"name": "random", "policies": ["random"]}],
                "variant": [{"name": "short", "changes": {"start_hp": 3}}],
                "answer": {"kind": "metrics"},
            }
        ),
        1,
    )
