"""A plan over its game's assumptions: points, bands, verdicts, ranking, interruption, and what is printed."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sim import plots
from sim.cli import main
from sim.cli.exits import ExitCode
from sim.engine.blocks import play_here
from sim.experiment import assumed, assumed_tables
from sim.experiment.assumed import AssumedError, Design, Explored, Player, design_of, explore, player_of
from sim.experiment.assumed_result import AssumedResult, run_assumed
from sim.experiment.assumed_tables import DEPENDS, ROBUST, UNDECIDABLE, UNSURE, Sample
from sim.experiment.assumptions import Assumption
from sim.experiment.checkpoint import UNFINISHED
from sim.experiment.headlines import headlines
from sim.experiment.item_tables import compare_items, item_rows
from sim.experiment.plan import Plan, PlanError, check_plan
from sim.experiment.results import ResultsError
from sim.experiment.run import run_plan
from sim.notices import Notice
from sim.statistics.sensitivity import FloatArray, IntArray
from tests.conftest import INTERPRETED

GOAL = Assumption("goal", "assumed", ("50", "100"), ({"goal": 50}, {}), 1, is_ordered=True)
FACES = Assumption("die_faces", "silent", ("4", "6", "8"), ({"die_faces": 4}, {}, {"die_faces": 8}), 1, is_ordered=True)
LIMIT = Assumption("turn_limit", "assumed", ("2000", "3000"), ({}, {"turn_limit": 3000}), 0, is_ordered=True)
PIG: dict[str, Any] = {
    "schema": 1,
    "question": "How long does it take?",
    "game": "pig",
    "seats": 2,
    "playouts": 400,
    "seed": 5,
    "profile": [{"name": "steady", "policies": ["hold_20"]}, {"name": "mixed", "policies": ["hold_15", "hold_25"]}],
    "variant": [{"name": "printed"}, {"name": "rough", "changes": {"losing_roll": 2}}],
    "answer": {"kind": "length"},
    "assumed": {"playouts": 160, "trajectories": 4, "base": 16, "leaders": 1},
}
FLIP: dict[str, Any] = {
    "schema": 1,
    "question": "How strong is it?",
    "game": "flip",
    "seats": 2,
    "seed": 7,
    "items": ["bush"],
    "profile": [{"name": "leader", "policies": ["leader"]}],
    "variant": [
        {"name": "printed"},
        {"name": "alone", "changes": {"cards.mk_seven.copies": 1, "cap": "all_or_nothing"}},
    ],
    "answer": {"kind": "item", "item": "bush"},
    "assumed": {"playouts": 80 if INTERPRETED else 400},
}
slow = pytest.mark.compiled_only("hundreds of points of 160 playouts each")


@pytest.fixture
def _open_pig(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give Pig three assumptions: one that moves its length, one that moves it less, one that does nothing."""
    monkeypatch.setattr(assumed, "assumptions_of", lambda _: [GOAL, FACES, LIMIT])


def pig(**more: Any) -> Plan:
    return check_plan({**PIG, **more})


def found_by_tables(plan: Plan, player: Player) -> list[float]:
    """Return the headlines of the plan as the tables of an ordinary run have them."""
    n = plan.assumed.playouts
    items = [plan.answer.item] if plan.answer.kind == "item" else "none"
    counts = {"playouts": n, "paired_playouts": n // len(plan.profiles), "items": items}
    tables = run_plan(plan.model_copy(update=counts)).tables
    found = []
    for headline, seats, profile in player.columns:
        name = headline.quantity.partition(",")[0]
        table = {"seat advantage": "seat_advantage", "grant lift": "item_balance", "gain by advice": "advice"}.get(
            name, "comparisons"
        )
        if name == "length" and headline.variant == plan.variants[0].name:
            table = "length"
        frame = tables[table]
        mine = frame[(frame["variant"] == headline.variant) & (frame["profile"] == profile) & (frame["seats"] == seats)]
        if table == "comparisons":
            mine = mine[mine["quantity"] == headline.quantity]
        if table == "item_balance":
            mine = mine[mine["estimand"] == name]
        found.append(float(mine["value"].iloc[0]))
    return found


@pytest.mark.usefixtures("_open_pig")
@pytest.mark.parametrize("kind", ["length", "order", "advice"])
def test_the_headlines_of_a_point_are_the_numbers_of_the_tables(kind: str) -> None:
    advice = {"says": "hold at 15", "follows": "hold_15", "against": "hold_25"}
    plan = pig(answer={"kind": kind}, **({"advice": advice} if kind == "advice" else {}))
    design = design_of(plan)
    player = player_of(plan, design)
    values = player.play(design.default()[0].tolist())
    assert values[:-1].mean(axis=1) == pytest.approx(found_by_tables(plan, player))
    assert values[-1] == pytest.approx([0, 0, 0, 0])


def test_the_item_headlines_of_a_point_are_the_numbers_of_the_tables() -> None:
    plan = check_plan(FLIP)
    design = design_of(plan)
    player = Player(plan, design, tuple(headlines(plan)))
    values = player.play(design.default()[0].tolist())
    whole = replace(player, plan=plan)
    parts = [found_of_part(whole, part) for part in range(values.shape[1])]
    assert values[0] == pytest.approx([part["grant lift"] for part in parts], nan_ok=True)
    assert values[1] == pytest.approx([part["share when dealt"] for part in parts], nan_ok=True)


def found_of_part(player: Player, part: int) -> dict[str, float]:
    """Return the two lifts of the item in one part, as the tables compute them from its totals."""
    default = player.design.default()[0, 1:].tolist()
    plan = player.plan_at(default)
    ((setting, call),) = player.calls(default)
    arms = (replace(call.arms[0], is_described=True), *call.arms[1:])
    played = play_here(replace(call, arms=arms, first=part * call.n_playouts))
    grants = [row["value"] for row in item_rows(plan, setting, played) if row["estimand"] == "grant lift"]
    lifts = compare_items({"variant": "alone"}, setting, played.pairs["alone"], 1)
    holders = [row["value"] for row in lifts if row["quantity"].startswith("share when dealt")]
    return {"grant lift": grants[0], "share when dealt": holders[0] if holders else math.nan}


@pytest.mark.usefixtures("_open_pig")
def test_points_of_the_same_luck_differ_by_their_assumptions_only() -> None:
    player = player_of(pig(), design_of(pig()))
    points = [0, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 0], [1, 1, 1, 0]
    default, same, other, later = (player.play(point) for point in points)
    assert np.array_equal(default, same)
    assert (other[:2] < default[:2]).all()
    assert not np.array_equal(later, default)


def test_points_that_are_compared_share_their_luck_and_no_others_do() -> None:
    design = Design((GOAL, FACES, LIMIT), 4, 16, 2, 7)
    walks = design.screening()[:, 0].reshape(4, 4)
    blocks = design.shares([1, 0])[:, 0].reshape(16, 5)
    assert (walks == walks[:, :1]).all()
    assert (blocks[:, :4] == blocks[:, :1]).all()
    lucks = [*design.default()[:, 0], *walks[:, 0], *blocks[:, 0], *blocks[:, -1]]
    assert sorted(lucks) == list(range(16 + 4 + 32))
    assert (design.default()[:, 1:] == [1, 1, 0]).all()


@slow
@pytest.mark.parametrize("order", [(GOAL, FACES, LIMIT), (LIMIT, FACES, GOAL), (FACES, LIMIT, GOAL)])
def test_the_ranking_finds_what_moves_the_headline_and_shares_add_up(
    order: tuple[Assumption, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assumed, "assumptions_of", lambda _: list(order))
    result = run_assumed(pig(assumed={**PIG["assumed"], "base": 64, "leaders": 2}))
    ranking = result.table("assumptions")
    mine = ranking[(ranking["quantity"] == "length") & (ranking["variant"] == "printed")]
    assert list(mine["assumption"]) == ["die_faces", "goal", "turn_limit", "all others together"]
    shares = exact_first_shares(result, [one.key for one in order])
    for _, row in mine.iloc[:2].iterrows():
        assert abs(row["first"] - shares[row["assumption"]]) < row["first_upper"] - row["first"]
    faces, goal, limit, others = (mine.iloc[place] for place in range(4))
    reach = math.hypot(*(row["first_upper"] - row["first"] for row in (faces, goal)))
    assert abs(faces["first"] + goal["first"] - 1) < reach < 0.4
    assert others["total"] == pytest.approx(0, abs=1e-12)
    assert (limit["mu_star"], limit["size"]) == (0, 0)
    assert math.isnan(limit["first"])
    for _, row in mine.iloc[:2].iterrows():
        assert row["learning_lower"] <= shares[row["assumption"]] <= row["learning_upper"]
        assert 0 < row["learning_lower"] < row["learning_removes"]
    assert limit["learning_lower"] == 0
    assert (goal["lowest_at"], goal["highest_at"], goal["default"]) == ("50", "100", "100")


def exact_first_shares(result: AssumedResult, keys: list[str]) -> dict[str, float]:
    """Return the share of the variance of the mean length that goes when an assumption is known, from all points."""
    assert result.explored is not None
    points = np.array(list(result.explored.values))
    lengths = np.array([values[:2].mean() for values in result.explored.values.values()])
    assert len(np.unique(points[:, 1:], axis=0)) == 12
    shares = {}
    for place, key in enumerate(keys, 1):
        levels = points[:, place]
        means = np.array([lengths[levels == level].mean() for level in np.unique(levels)])
        shares[key] = float(means.var() / lengths.var())
    return shares


@pytest.mark.usefixtures("_open_pig")
@slow
def test_a_band_spans_the_points_and_a_value_makes_no_claim() -> None:
    result = run_assumed(pig())
    band = result.table("assumed_band")
    assert list(band["profile"].unique()) == ["all profiles", "steady", "mixed"]
    for _, row in band.iterrows():
        ordered = [row[name] for name in ("lowest", "quantile_5", "median", "quantile_95", "highest")]
        assert ordered == sorted(ordered)
        assert row["lowest"] <= row["mean"] <= row["highest"]
        assert row["n_draws"] == 32
    length, lift = (band[band["variant"] == name].iloc[0] for name in ("printed", "rough"))
    assert (length["verdict"], length["unit"]) == ("a value, no claim", "turns")
    assert lift["verdict"] != "a value, no claim"


@pytest.mark.usefixtures("_open_pig")
@slow
def test_the_same_plan_gives_the_same_bytes_whatever_the_threads() -> None:
    one, two = run_assumed(pig(), jobs=1), run_assumed(pig(), jobs=2)
    assert one.result_hash == two.result_hash
    for name, frame in one.tables.items():
        assert frame.to_csv() == two.tables[name].to_csv()
    assert run_assumed(pig(seed=6)).result_hash != one.result_hash


@pytest.mark.usefixtures("_open_pig")
@slow
def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run_assumed(pig())
    calls = 0

    def stop_after(done: int, total: int) -> None:
        nonlocal calls
        assert 0 < done <= total
        calls += 1
        if calls == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        explore(pig(), 2, stop_after, tmp_path)
    kept = np.load(tmp_path / UNFINISHED)["points"]
    assert len(kept) >= 3
    played: list[tuple[int, ...]] = []
    original = Player.play
    monkeypatch.setattr(Player, "play", lambda self, point: played.append(tuple(point)) or original(self, point))
    result = run_assumed(pig(), folder=tmp_path)
    again = {tuple(map(int, point)) for point in kept} & set(played[1:])  # the default finds the headlines
    assert not again
    assert result.result_hash == whole.result_hash


@pytest.mark.usefixtures("_open_pig")
def test_points_of_another_plan_or_of_other_sources_are_not_taken_up(tmp_path: Path) -> None:
    explored = Explored({(0, 1, 1, 0): np.ones((3, 4))})
    explored.save(tmp_path / UNFINISHED, "key")
    assert list(Explored.load(tmp_path / UNFINISHED, "key").values) == [(0, 1, 1, 0)]
    assert not Explored.load(tmp_path / UNFINISHED, "other").values
    (tmp_path / UNFINISHED).write_bytes(b"half")
    with pytest.warns(Notice, match="are damaged"):
        assert not Explored.load(tmp_path / UNFINISHED, "key").values
    assert not Explored.load(tmp_path / "none", "key").values


def sample(values: FloatArray, levels: IntArray, noise: float = 0.0) -> Sample:
    parts = np.stack([values + noise, values - noise, values + noise, values - noise], axis=1)
    return Sample.of(parts, levels)


LEVELS = np.array([[one, other] for one in range(2) for other in range(2)] * 50, np.int64)
UP, DOWN = 3.0 + 0.01 * np.arange(200) / 200, -3.0 - 0.01 * np.arange(200) / 200


def test_a_sign_that_nearly_all_draws_have_is_robust() -> None:
    assert sample(UP, LEVELS).verdict == (ROBUST, None)
    few = np.where(np.arange(200) < 6, DOWN, UP)
    assert sample(few, LEVELS).verdict == (ROBUST, None)
    assert sample(np.where(np.arange(200) < 12, DOWN, UP), LEVELS).verdict[0] != ROBUST


def test_a_sign_depends_on_the_assumption_that_alone_would_settle_it() -> None:
    values = np.where(LEVELS[:, 1] == 1, UP, DOWN)
    found = sample(values, LEVELS)
    assert found.verdict == (DEPENDS, 1)
    assert found.changes_if_known(1) == 1
    assert found.changes_if_known(0) == 0


def test_a_sign_that_no_single_assumption_settles_is_not_decidable() -> None:
    values = np.where(LEVELS[:, 0] == LEVELS[:, 1], UP, DOWN)
    assert sample(values, LEVELS).verdict == (UNDECIDABLE, None)


def test_a_mean_that_luck_could_turn_needs_more_playouts() -> None:
    shifts = np.array([9.0, -9.0, 8.0, -8.0])
    assert Sample.of(UP[:, None] + shifts, LEVELS).verdict == (ROBUST, None)
    assert Sample.of(UP[:, None] + 10 * shifts, LEVELS).verdict == (UNSURE, None)


def test_noise_that_could_hide_draws_of_the_other_sign_leaves_it_undecided() -> None:
    rows = np.arange(200)
    noise = 12.0 * np.stack([np.sin(rows * k) for k in (1.0, 2.3, 3.7, 5.1)], axis=1)
    noise -= noise.mean(axis=0)
    found = Sample.of(2.0 + noise, LEVELS)
    assert found.values.std() < found.widest.std()
    assert found.verdict[0] == UNSURE


def test_profiles_that_differ_in_sign_are_told() -> None:
    over = assumed_tables._over_profiles
    assert over([(ROBUST, None, 1), (ROBUST, None, 1)]) == (ROBUST, None)
    assert over([(ROBUST, None, 1), (ROBUST, None, -1)]) == ("depends on the policy profile", None)
    assert over([(ROBUST, None, 1), (DEPENDS, 4, 0)]) == (DEPENDS, 4)
    assert over([(DEPENDS, 3, 0), (DEPENDS, 4, 0)]) == (UNDECIDABLE, None)
    assert over([(ROBUST, None, 1), (UNSURE, None, 0), (UNDECIDABLE, None, 0)]) == (UNDECIDABLE, None)


def test_the_answer_tells_the_verdict_under_each_profile() -> None:
    rows = [
        {"profile": "all profiles", "verdict": "undecided: more draws", "positive": 0.7},
        {"profile": "leader", "verdict": "robust", "positive": 0.98},
        {"profile": "threat", "verdict": "undecided: more draws", "positive": 0.05},
    ]
    told = assumed_tables._by_profile(pd.DataFrame(rows))
    leader = "robust under leader with 98 % of the draws above 0"
    assert told == f" ({leader}; undecided under threat with 5 % of the draws above 0)"
    assert assumed_tables._by_profile(pd.DataFrame(rows[:1])) == ""


@pytest.mark.usefixtures("_open_pig")
@slow
def test_a_result_is_saved_whole_and_read_back(tmp_path: Path) -> None:
    made = run_assumed(pig(), command="sim run x --assumed band")
    folder = made.save(tmp_path / "out")
    names = {path.name for path in folder.iterdir()}
    assert names == {"assumed_band.csv", "assumptions.csv", "figures", "influence.toml", "manifest.json", "points.npz"}
    assert (folder / "figures" / "assumptions.svg").stat().st_size > 1000
    found = AssumedResult.load(folder)
    assert (found.answer, found.points, found.result_hash) == (made.answer, made.points, made.result_hash)
    assert found.plan == made.plan
    again = run_assumed(pig(), folder=folder)
    assert again.started == made.started
    with pytest.raises(ResultsError, match="no whole result"):
        AssumedResult.load(tmp_path)


@pytest.mark.usefixtures("_open_pig")
@slow
def test_the_figure_has_a_panel_per_headline_with_the_most_influential_first() -> None:
    ranking = run_assumed(pig()).table("assumptions")
    figure = plots.assumptions(ranking)
    panels = [axes for axes in figure.axes if axes.get_visible()]
    assert len(panels) == 2
    shown = [label.get_text() for label in panels[0].get_yticklabels()]
    assert shown == [name.replace("_", " ") for name in ranking["assumption"].iloc[:3]]
    assert set(shown) == {"goal", "die faces", "turn limit"}
    with pytest.raises(ValueError, match="nothing to draw"):
        plots.assumptions(ranking.iloc[:0])


Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Run the plan from the command line; return exit code, standard output and standard error."""

    def run(*words: str) -> tuple[int, str, str]:
        file = tmp_path / "plan.toml"
        lines = [f"{key} = {json.dumps(PIG[key])}" for key in ("schema", "question", "game", "seats", "seed")]
        tables = [
            "[answer]",
            'kind = "length"',
            "[assumed]",
            *(f"{key} = {value}" for key, value in PIG["assumed"].items()),
        ]
        file.write_text("\n".join([*lines, *tables]) + '\n[[profile]]\nname = "one"\npolicies = ["hold_20"]\n', "utf-8")
        code = main(["run", str(file), "--assumed", "band", "--out", str(tmp_path / "out"), *words])
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


@pytest.mark.usefixtures("_open_pig")
@slow
def test_the_command_prints_answer_band_and_ranking_and_takes_the_result_that_is_there(say: Say) -> None:
    code, out, err = say("--json")
    assert code == ExitCode.FINE, err
    found = json.loads(out)
    assert set(found["tables"]) == {"assumed_band", "assumptions"}
    assert found["n_points"] > 10
    code, out, err = say()
    assert code == ExitCode.FINE
    assert "using the result that is there already" in err
    assert found["answer"] in out
    assert "goal" in out
    assert say("--table", "assumption")[0] == ExitCode.USAGE


@pytest.mark.usefixtures("_open_pig")
@slow
def test_show_prints_the_result_again(say: Say, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(say("--json")[1])["answer"]
    assert main(["show", str(tmp_path / "out")]) == ExitCode.FINE
    assert answer in capsys.readouterr().out
    assert main(["show", str(tmp_path / "out"), "--table", "assumptions", "--row", "rank=1"]) == ExitCode.USAGE
    assert "--row: found the result of --assumed band" in capsys.readouterr().err


@pytest.mark.usefixtures("_open_pig")
def test_a_dry_run_tells_points_playouts_and_time_and_leaves_nothing(say: Say, tmp_path: Path) -> None:
    code, out, _ = say("--dry-run", "--json")
    assert code == ExitCode.FINE
    rows = json.loads(out)["tables"]["points"]
    assert [row["points"] for row in rows] == [4 * 4, 16 * (2 + 2)]
    assert rows[0]["n_rows"] == 16 * 160
    assert json.loads(out)["seconds"] > 0
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("_open_pig")
def test_playouts_of_the_command_line_are_those_of_each_point(say: Say) -> None:
    code, out, _ = say("--dry-run", "--json", "-n", "320", "-S", "assumed.trajectories=2")
    assert code == ExitCode.FINE
    rows = json.loads(out)["tables"]["points"]
    assert (rows[0]["points"], rows[0]["n_rows"]) == (2 * 4, 2 * 4 * 320)


def test_a_game_without_open_values_has_nothing_to_vary(say: Say) -> None:
    code, _, err = say()
    assert code == ExitCode.USAGE
    assert "pig: found no assumed or silent value" in err
    assert len(err.splitlines()) == 1


@pytest.mark.usefixtures("_open_pig")
def test_too_few_playouts_of_a_point_are_told_with_how_many_there_must_be(say: Say) -> None:
    code, _, err = say("-n", "10")
    assert code == ExitCode.USAGE
    assert "assumed.playouts: found 10, which is 2 for each of 4 parts of 1 profiles, expected at least 80" in err


@pytest.mark.parametrize("words", [("--precision", "1"), ("--until-decided",), ("--keep", "rows")])
def test_what_has_no_meaning_for_a_band_is_refused(say: Say, words: tuple[str, ...]) -> None:
    code, _, err = say(*words)
    assert code == ExitCode.USAGE
    assert f"{words[0]}: has no meaning with --assumed band" in err


@pytest.mark.usefixtures("_open_pig")
def test_a_table_that_a_band_does_not_have_is_told_before_anything_is_played(
    say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.experiment.assumed_result.run_assumed", lambda *_, **__: pytest.fail("it was played"))
    code, _, err = say("--table", "asumptions")
    assert code == ExitCode.USAGE
    assert "--table: found 'asumptions', expected one of assumed_band, assumptions (did you mean 'assumptions'?)" in err


def test_another_word_than_band_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(tmp_path / "plan.toml"), "--assumed", "bnad"]) == ExitCode.USAGE
    assert "'bnad' is not one of 'band'" in capsys.readouterr().err


@pytest.mark.parametrize(("key", "value"), [("base", 100), ("trajectories", 1), ("leaders", 0), ("walks", 3)])
def test_a_wrong_budget_is_told(key: str, value: int) -> None:
    with pytest.raises(PlanError, match=rf"assumed\.{key}: found"):
        pig(assumed={key: value})


def test_the_design_counts_its_points() -> None:
    design = Design((GOAL, FACES, LIMIT), 4, 16, 2, 7)
    assert design.n_points == (len(design.screening()), len(design.shares([0, 1])))
    everything = replace(design, n_leaders=3)
    assert everything.n_groups == 3
    assert everything.n_points[1] == len(everything.shares([2, 0, 1])) == 16 * 5
    with pytest.raises(AssumedError, match="nothing to vary"):
        design_of(pig())
