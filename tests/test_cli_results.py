"""What commands print: the same rows in every form, one JSON document, always the seed."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from sim import games, mechanics
from sim.cli import main
from sim.cli.app import EXAMPLES, app
from sim.cli.exits import ExitCode
from sim.cli.guard import color_first
from sim.cli.options import read_changes
from sim.experiment import answers, kernels
from sim.experiment.verdicts import TOO_FEW

PIG = ("play", "pig", "-n", "200", "--seats", "2", "--seed", "7")
ESTIMATE = {"value", "mcse", "lower", "upper", "level", "n_playouts"}
PLAN = 'schema = 1\nquestion = "Who wins?"\ngame = "pig"\nseats = 2\nplayouts = 90\nseed = 3\n'
PLAN += '[[profile]]\nname = "careful"\npolicies = ["hold_15"]\n[[profile]]\nname = "bold"\npolicies = ["hold_25"]\n'
Say = Callable[..., str]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Run a command that must succeed and return its standard output."""

    def run(*words: str) -> str:
        code = main(words)
        told = capsys.readouterr()
        assert code == ExitCode.FINE, told.err
        return told.out

    return run


def document(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    return found


@pytest.mark.parametrize("name", [None, *EXAMPLES])
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_every_command_explains_itself_with_an_example(name: str | None, flag: str) -> None:
    result = CliRunner().invoke(app, [name, flag] if name else [flag])
    assert result.exit_code == 0
    assert f"Example: {EXAMPLES[name or 'run']}" in " ".join(result.stdout.split())


def test_the_version_is_that_of_the_package() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.stdout.startswith("sim 0.")


def test_without_a_command_the_help_goes_to_standard_error() -> None:
    result = CliRunner().invoke(app, [])
    assert result.exit_code == ExitCode.USAGE
    assert result.stdout == ""
    assert "Commands:" in result.stderr


def test_games_lists_all_games_with_their_policies(say: Say) -> None:
    rows = document(say("games", "--json"))["tables"]["games"]
    assert [row["game"] for row in rows] == list(games.names())
    assert "hold_20" in next(row["policies"] for row in rows if row["game"] == "pig")


def test_json_is_one_document_of_the_promised_shape(say: Say) -> None:
    found = document(say(*PIG, "--json"))
    assert found["schema"] == 2
    assert (found["command"], found["seed"]) == ("play", 7)
    assert len(found["fingerprint"]) == 16
    shares = found["tables"]["win_share"]
    assert {"variant", "profile", "seat", "policy", *ESTIMATE} <= set(shares[0])
    assert [row["seat"] for row in shares] == [1, 2]
    assert math.isclose(sum(row["value"] for row in shares), 1)
    assert all(0 <= row["lower"] <= row["value"] <= row["upper"] <= 1 for row in shares)


def test_csv_has_the_rows_of_json(say: Say) -> None:
    found = document(say(*PIG, "--json"))["tables"]["win_share"]
    text = say(*PIG, "--format", "csv", "--table", "win_share")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [float(row["value"]) for row in rows] == [row["value"] for row in found]
    assert "\r" not in text


def test_several_tables_of_csv_are_named(say: Say) -> None:
    text = say(*PIG, "--format", "csv")
    assert text.startswith("# win_share\n")
    assert "\n\n# length\n" in text


def test_markdown_and_table_show_value_interval_and_seed(say: Say) -> None:
    assert "| seat | policy | value | interval |" in say(*PIG, "--format", "md")
    text = say(*PIG)
    assert "seed 7, fingerprint" in text
    assert "win share, per cent, 95 % intervals, 200 playouts" in text
    assert "\x1b" not in text


def test_the_same_seed_gives_the_same_output_with_any_number_of_threads(say: Say) -> None:
    assert say(*PIG, "--json", "--jobs", "1") == say(*PIG, "--json", "--jobs", "2")


def test_a_seed_is_drawn_and_shown_and_gives_the_same_again(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("play", "pig", "-n", "50", "--seats", "2", "--json")
    first = document(say(*words))
    again = document(say(*words, "--seed", str(first["seed"])))
    assert first == again
    monkeypatch.setenv("SIM_SEED", "11")
    assert document(say(*words))["seed"] == 11


def test_vs_gives_the_paired_lift_of_a_change(say: Say) -> None:
    found = document(say(*PIG, "--vs", "goal=50", "--json"))["tables"]
    assert {row["variant"] for row in found["win_share"]} == {"printed", "goal=50"}
    (length,) = [row for row in found["comparisons"] if row["quantity"] == "length"]
    assert length["baseline"] == "printed"
    assert length["upper"] < 0


def test_set_changes_the_baseline_and_vs_comes_on_top(say: Say) -> None:
    found = document(say(*PIG, "-S", "goal=50", "--vs", "losing_roll=0", "--json"))["tables"]
    assert {row["variant"] for row in found["win_share"]} == {"goal=50", "goal=50, losing_roll=0"}


def test_a_line_up_of_two_fills_two_seats(say: Say) -> None:
    found = document(say("play", "pig", "-n", "50", "--policy", "hold_20,random", "--seed", "7", "--json"))
    assert len(found["tables"]["win_share"]) == 2


def test_a_single_playout_is_no_fault(say: Say) -> None:
    assert document(say("play", "pig", "-n", "1", "--seed", "7", "--json"))["command"] == "play"


def test_dry_run_says_what_would_be_played_and_plays_nothing(say: Say, tmp_path: Path) -> None:
    found = document(say(*PIG, "--vs", "goal=50", "--dry-run", "--json", "--out", str(tmp_path / "results")))
    assert found["n_rows"] == 400
    assert [row["arm"] for row in found["tables"]["arms"]] == ["printed", "goal=50"]
    assert not (tmp_path / "results").exists()
    assert "would play 400 playouts in 2 arms" in say(*PIG, "--vs", "goal=50", "--dry-run")


def test_out_gets_the_files_of_what_was_played(say: Say, tmp_path: Path) -> None:
    found = document(say(*PIG, "--json", "--out", str(tmp_path / "results")))
    manifest = json.loads((tmp_path / "results" / "manifest.json").read_text())
    assert manifest["result_hash"] == found["result_hash"]
    assert (tmp_path / "results" / "figures" / "win_share.svg").exists()


def test_run_answers_writes_files_and_reuses_them(
    say: Say, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("who.toml").write_text(PLAN)
    first = say("run", "who.toml")
    assert "Who wins?" in first
    assert "careful" in first
    assert {"manifest.json", "win_share.csv", "figures"} <= {path.name for path in Path("results/who").iterdir()}
    assert main(["run", "who.toml"]) == ExitCode.FINE
    again = capsys.readouterr()
    assert again.out == first
    assert "--fresh plays again" in again.err
    document_again = say("run", "who.toml", "--json")
    assert say("run", "who.toml", "--fresh") == first
    assert say("run", "who.toml", "--fresh", "--json") == document_again


def test_a_plan_can_be_changed_from_the_command_line(say: Say, tmp_path: Path) -> None:
    plan = tmp_path / "who.toml"
    plan.write_text(PLAN)
    words = ("run", str(plan), "--seed", "5", "-n", "40", "-S", "answer.kind=order", "--dry-run", "--json")
    found = document(say(*words))
    assert found["seed"] == 5
    assert found["plan"]["answer"]["kind"] == "order"
    assert found["n_rows"] == 40


def test_profiles_stand_side_by_side(say: Say, tmp_path: Path) -> None:
    plan = tmp_path / "who.toml"
    plan.write_text(PLAN)
    text = say("run", str(plan), "--format", "md", "--out", str(tmp_path / "results"))
    assert "| seat | careful | bold |" in text


def test_replay_tells_the_playout_that_play_counted(say: Say) -> None:
    words = ("--seats", "2", "--seed", "7")
    text = say("replay", "pig", *words, "--playout", "3")
    assert text.startswith("Pig, 2 seats\nSeat 1 takes its turn 1\n")
    found = document(say("replay", "pig", *words, "--playout", "3", "--json"))
    assert found["playout"] == 3
    assert found["tables"]["events"][0] == {"number": 0, "event": "TURN", "seat": 1, "a": 1, "b": 0, "c": 0}
    wins = [0.0, 0.0]
    for playout in range(4):
        outcome = document(say("replay", "pig", *words, "--playout", str(playout), "--json"))["tables"]["outcome"]
        wins = [total + row["win_share"] for total, row in zip(wins, outcome, strict=True)]
    shares = document(say("play", "pig", "-n", "4", *words, "--json"))["tables"]["win_share"]
    assert [row["value"] for row in shares] == [total / 4 for total in wins]


def test_replay_tells_raw_events_and_changed_rules(say: Say) -> None:
    text = say("replay", "pig", "--seed", "7", "--events", "-S", "goal=5", "--policy", "hold_15")
    assert "END" in text
    assert "takes its turn" not in text


def test_rules_have_sentences_numbers_and_papers(say: Say) -> None:
    text = say("rules", "pig")
    assert "P-R3 A roll of 1 ends the turn" in text
    (goal,) = [row for row in document(say("rules", "pig", "--json"))["tables"]["rules"] if row["key"] == "goal"]
    assert goal["default"] == 100
    assert goal["certainty"] == "confirmed"
    assert goal["source"] == "folk game"


def test_switches_assumed_values_and_components_can_be_asked_for_alone(say: Say) -> None:
    switches = document(say("rules", "flip", "--switches", "--json"))["tables"]
    assert list(switches) == ["rules"]
    (row,) = [row for row in switches["rules"] if row["key"] == "honey_hitters_at_cap"]
    assert row["expected"] == "partial, bank, all_or_nothing"
    assumed = document(say("rules", "flip", "--assumed", "--json"))["tables"]
    assert {row["certainty"] for rows in assumed.values() for row in rows} == {"assumed"}
    (weapon,) = [row for row in assumed["components"] if row["key"] == "cards.mk_seven"]
    assert weapon["expected"] == "2 to 4"
    assert list(document(say("rules", "flip", "--components", "--json"))["tables"]) == ["components"]


def test_schemas_are_json_schemas(say: Say) -> None:
    assert "question" in json.loads(say("schema"))["properties"]
    claim = json.loads(say("schema", "flip"))["properties"]["claim"]
    assert [reading["const"] for reading in claim["oneOf"]] == ["mandatory", "optional"]


@pytest.mark.compiled_only("speed of interpreted kernels has no meaning")
def test_bench_measures_every_configuration(say: Say) -> None:
    rows = document(say("bench", "pig", "-n", "9000", "--repeats", "1", "--json"))["tables"]["bench"]
    assert [(row["tallies"], row["threads"]) for row in rows] == [
        ("with", 1),
        ("with", 2),
        ("without", 1),
        ("without", 2),
    ]
    assert len({row["turns_per_playout"] for row in rows}) == 1
    assert all(row["playouts_per_second"] > 0 and row["ns_per_turn"] > 0 for row in rows)


def test_warm_leaves_nothing_to_compile(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warm", "pig"]) == ExitCode.FINE
    capsys.readouterr()
    assert main(["play", "pig", "-n", "10"]) == ExitCode.FINE
    assert "compiling" not in capsys.readouterr().err


def test_color_may_stand_anywhere() -> None:
    assert color_first(["games", "--color", "never"]) == ["--color", "never", "games"]
    assert color_first(["games", "--color=never"]) == ["--color=never", "games"]
    assert color_first(["games", "--json"]) == ["games", "--json"]


def test_changes_are_read_as_toml_or_as_bare_words() -> None:
    words = ["goal=50", "claim=optional", "b.0='x'", "precision=0.5", "seats=[2, 3]"]
    read = {"goal": 50, "claim": "optional", "b.0": "x", "precision": 0.5, "seats": [2, 3]}
    assert read_changes(words) == read


def test_play_goes_on_to_a_precision_or_until_decided(say: Say) -> None:
    words = ("play", "pig", "--seats", "2", "-S", "goal=5", "--seed", "7", "--json")
    found = document(say(*words, "--precision", "3"))["tables"]
    assert all(100 * (row["upper"] - row["lower"]) / 2 <= 3 for row in found["win_share"])
    assert found["stops"][0]["reason"] == "the precision is reached"
    decided = document(say(*words, "--until-decided", "--margin", "10", "--level", "0.99"))
    assert decided["tables"]["stops"][0]["reason"] == "every verdict is decided"
    assert decided["tables"]["win_share"][0]["level"] == 0.99
    assert "99 % intervals that hold at every look" in decided["answer"]
    capped = document(say(*words, "--precision", "3", "-n", "700"))["tables"]
    assert capped["stops"][0]["stopped_at"] == 700


def test_run_takes_its_stop_from_the_command_line_in_place_of_the_plans(say: Say, tmp_path: Path) -> None:
    plan = tmp_path / "who.toml"
    plan.write_text(PLAN + '[[variant]]\nname = "five"\nchanges = { goal = 5 }\n')
    words = ("run", str(plan), "--json")
    found = document(say(*words, "--precision", "4", "--out", str(tmp_path / "results")))
    assert {row["reason"] for row in found["tables"]["stops"]} == {"the precision is reached"}
    assert document((tmp_path / "results" / "manifest.json").read_text())["plan"]["precision"] == 4
    intent = document(say(*words, "--until-decided", "--margin", "5", "-n", "5000", "--dry-run"))["plan"]
    assert (intent["until_decided"], intent["margin"], intent["most_playouts"]) == (True, 5, 5000)
    assert intent["playouts"] is None
    assert "would play about" in say("run", str(plan), "--precision", "4", "--dry-run")


def test_the_time_of_a_first_compile_counts_the_kernels_that_a_game_has_and_those_that_it_shares(
    tmp_path: Path,
) -> None:
    def expected(text: str) -> int:
        (tmp_path / "phases.py").write_text(text, encoding="utf-8")
        game: Any = SimpleNamespace(folder=tmp_path)
        return kernels.expected_seconds(game)

    trading = Path(mechanics.__file__).with_name("trading.py").read_text(encoding="utf-8")
    shared, words = "from sim.mechanics.trading import trade\n", "from sim.mechanics.words import Path\n"
    assert expected(words) == expected("\n") == kernels.BASE_SECONDS
    n_lines = 1 + len(trading.splitlines())
    assert expected(shared) == round(kernels.BASE_SECONDS + kernels.SECONDS_PER_LINE * n_lines)
    assert expected("\n" * n_lines) == expected(shared) > expected(words)


def numbers_told(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of all tables that are estimates within limits, in per cent or points."""
    rows = [{**row, "scale": 100} for name in ("win_share", "policy_share") for row in found["tables"].get(name, [])]
    rows += [{**row, "scale": 1} for row in found["tables"]["seat_advantage"]]
    rows += [{**row, "scale": 1} for row in found["tables"].get("comparisons", []) if row["unit"] == "points"]
    return rows


@pytest.mark.compiled_only("what is told does not hang on how kernels run")
@pytest.mark.parametrize(
    "words",
    [
        ("-n", "2", "--policy", "leader", "--seed", "11"),
        ("-n", "2", "--seed", "1", "--vs", "honey_hitters_at_cap=bank"),
        ("-n", "3", "--seed", "5", "--policy", "leader,random,random,random"),
    ],
)
def test_a_handful_of_playouts_gives_no_verdict_and_no_interval_without_width(say: Say, words: tuple[str, ...]) -> None:
    text = say("play", "flip", *words, "--json")
    found = document(text)
    rows = numbers_told(found)
    assert {row["verdict"] for row in rows if "verdict" in row} == {TOO_FEW}
    for row in rows:
        assert row["upper"] - row["lower"] > 50 / row["scale"], row
        assert -100 <= row["scale"] * row["lower"] <= row["scale"] * row["value"] <= row["scale"] * row["upper"] <= 100
    for row in found["tables"]["seat_advantage"]:
        assert row["lower"] >= -25
        assert row["upper"] <= 75
    assert not re.search(r"\b(un)?balanced|(within|beyond) the margin", found["answer"])
    assert TOO_FEW in found["answer"]


@pytest.mark.compiled_only("what is told does not hang on how kernels run")
def test_a_single_playout_tells_that_it_is_too_few(say: Say) -> None:
    for words in (("--policy", "leader", "--seed", "11"), ("--seed", "1", "--vs", "honey_hitters_at_cap=bank")):
        found = document(say("play", "flip", "-n", "1", *words, "--json"))
        assert found["answer"] == answers.NOTHING
        assert not found["tables"]


@pytest.mark.compiled_only("5,000 playouts of a large game")
def test_the_change_of_a_place_is_never_that_of_a_seat(say: Say) -> None:
    """The policy in the first seat loses by a lower start; the first place in turn order gains."""
    words = ("--vs", "start_hp=5", "-n", "5000", "--seed", "3", "--policy", "leader,random,random,random")
    found = document(say("play", "flip", *words, "--json"))
    change = {row["quantity"]: row["value"] for row in found["tables"]["comparisons"]}
    assert change["win share, place 1"] > 0 > change["win share, policy leader"]
    place, policy = (
        re.search(rf"is that of {whom}, ([+-][\d.]+) points", found["answer"])
        for whom in ("place 1 in turn order", "policy leader")
    )
    assert place is not None
    assert policy is not None
    assert float(place[1]) == pytest.approx(change["win share, place 1"], abs=0.051)
    assert float(policy[1]) == pytest.approx(change["win share, policy leader"], abs=0.051)
