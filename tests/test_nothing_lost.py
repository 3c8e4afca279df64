"""Nothing lost, nothing hidden: results folders, checkpoints, names, output, signals, the kernel cache."""

from __future__ import annotations

import hashlib
import importlib
import io
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numba
import numpy as np
import pytest

from sim import jit
from sim.cli import interrupts, main, output
from sim.cli.exits import ExitCode
from sim.engine.blocks import CELL
from sim.experiment import checkpoint, folder
from sim.experiment.plan import ESTIMANDS, check_plan
from sim.experiment.results import Result
from sim.experiment.rows import folder_name
from sim.experiment.run import run_plan
from sim.experiment.standing import Kind, Wanted, look
from sim.notices import Notice
from tests import fuzz
from tests.killer import stopped_at
from tests.support import pig_keys

PLAN = 'schema = 1\nquestion = "Who wins?"\ngame = "pig"\nseats = 2\nplayouts = 100\n'
PLAN += 'estimands = ["length", "win_share"]\n'
TWO = '[[profile]]\nname = "calm"\npolicies = ["hold_20"]\n[[profile]]\nname = "wild"\npolicies = ["random"]\n'
BAND = '[[band]]\nname = "short"\ntable = "length"\nupper = 30.0\n'
Told = Callable[..., tuple[int, str, str]]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """Run a command; return its exit code and what it printed on both outputs."""

    def run(*words: object) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        found = capsys.readouterr()
        return int(code), found.out, found.err

    return run


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "who.toml"
    path.write_text(PLAN + TWO + BAND)
    return path


@pytest.fixture
def saved(told: Told, plan: Path, tmp_path: Path) -> Path:
    """Return the folder of a result; its check fails, as one of two profiles takes too long."""
    assert told("check", plan, "--out", tmp_path / "out")[0] == ExitCode.CHECK_FAILED
    return tmp_path / "out"


def lose_a_line(path: Path) -> None:
    path.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if "wild" not in line))


@pytest.mark.parametrize(
    ("name", "damage", "says"),
    [
        ("length.csv", lose_a_line, "length.csv is not what was saved; all is played anew"),
        ("win_share.csv", Path.unlink, "win_share.csv is missing; all is played anew"),
        ("win_share.csv", lambda path: path.write_bytes(path.read_bytes()[:40]), "is not what was saved"),
        ("figures/length.svg", Path.unlink, "length.svg is missing; all is played anew"),
    ],
)
def test_a_result_that_is_not_whole_is_played_anew(
    told: Told, plan: Path, saved: Path, name: str, damage: Callable[[Path], object], says: str
) -> None:
    whole = (saved / name).read_bytes()
    damage(saved / name)
    code, _, err = told("check", plan, "--out", saved)
    assert (code, says in err) == (ExitCode.CHECK_FAILED, True)
    assert (saved / name).read_bytes() == whole


@pytest.mark.parametrize("names", [("2", "3"), ("007", "1e5"), ("True", "nan"), ("pri|nted", "NA"), ("$_$", "$x^$")])
def test_names_are_text_and_a_result_reads_as_it_was(told: Told, tmp_path: Path, names: tuple[str, str]) -> None:
    first, second = names
    path = tmp_path / "named.toml"
    variants = f"[[variant]]\nname = '{first}'\n[[variant]]\nname = '{second}'\nchanges = {{ goal = 50 }}\n"
    path.write_text(PLAN.replace('estimands = ["length", "win_share"]\n', "") + variants)
    words = ("run", path, "--out", tmp_path / "out", "--json")
    once, again = told(*words), told(*words)
    assert once[0] == again[0] == ExitCode.FINE
    assert once[1] == again[1]
    assert told("show", tmp_path / "out")[0] == ExitCode.FINE
    back = Result.load(tmp_path / "out")
    assert list(back.length()["variant"].unique()) == [first, second]


def test_the_result_of_another_plan_and_things_of_ones_own_are_refused_and_stay(
    told: Told, plan: Path, saved: Path, tmp_path: Path
) -> None:
    before = {path: path.read_bytes() for path in saved.rglob("*") if path.is_file()}
    for words in (
        ("-n", "40"),
        ("--seed", "5"),
        ("-S", "margin=3"),
        ("-n", "40", "--fresh"),
        ("-n", "40", "--dry-run"),
    ):
        code, out, err = told("run", plan, "--out", saved, *words)
        assert (code, out, "--replace puts the new one in its place" in err) == (ExitCode.USAGE, "", True)
    assert {path: path.read_bytes() for path in saved.rglob("*") if path.is_file()} == before
    (saved / "figures" / "mine.svg").write_text("mine")
    (saved / "extra.csv").write_bytes(b"a,b\n1,2,3\n\xff")
    (saved / "deep").mkdir()
    assert told("run", plan, "--out", saved, "-n", "40", "--replace")[0] == ExitCode.FINE
    assert (saved / "figures" / "mine.svg").read_text() == "mine"
    assert (saved / "deep").is_dir()
    assert told("show", saved)[0] == ExitCode.FINE  # whatever lies beside
    own = tmp_path / "own"
    own.mkdir()
    (own / "notes.txt").write_text("mine")
    code, _, err = told("play", "pig", "-n", "20", "--out", own)
    assert (code, "other things in it (notes.txt)" in err) == (ExitCode.USAGE, True)
    assert told("play", "pig", "-n", "20", "--out", own, "--replace")[0] == ExitCode.FINE
    assert (own / "notes.txt").read_text() == "mine"


def test_an_edited_plan_keeps_the_earlier_result_in_a_folder_of_its_own(
    told: Told, plan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "files: results/who\n" in told("run", plan)[2]
    assert "this one goes to results/who-2" in told("run", plan, "-n", "40")[2]
    assert "files: results/who-3\n" in told("run", plan, "-n", "30")[2]
    assert "using the result that is there already" in told("run", plan, "-n", "40")[2]
    rows = json.loads(told("show", "--json")[1])["tables"]["results"]
    assert [(row["folder"], row["state"]) for row in rows] == [
        (f"results/{name}", "finished") for name in ("who", "who-2", "who-3")
    ]
    assert "beside it: results/who-2, results/who-3" in told("show", "results/who")[2]


@pytest.mark.parametrize("moment", [0, 2, 5, 8, 11, 14, 17, 20, 24, 28, 32, 40, 60])
def test_a_save_that_is_killed_at_any_moment_loses_nothing(told: Told, plan: Path, saved: Path, moment: int) -> None:
    (saved / "notes.txt").write_text("mine")
    result = replace(Result.load(saved), n_rows=1)
    with stopped_at(moment):
        result.save(saved)
    assert (saved / "notes.txt").read_text() == "mine"
    assert Result.load(saved).n_rows in {1, 100}  # the earlier one or the new one, whole
    assert told("run", plan, "--out", saved, "--fresh")[0] == ExitCode.FINE
    assert look(saved, result.wanted).kind is Kind.WHOLE


@pytest.mark.compiled_only("it takes a minute interpreted, and gains nothing")
def test_odd_input_is_answered_with_a_line() -> None:
    assert list(fuzz.tried(range(2400), seed=3, seconds=60.0)) == []


def test_links_and_folders_in_parents_that_may_not_be_written_work(told: Told, plan: Path, tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    assert told("run", plan, "--out", link)[0] == ExitCode.FINE
    assert link.is_symlink()
    assert (real / "manifest.json").exists()
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    assert told("run", plan, "--out", tmp_path / "nowhere")[0] == ExitCode.FINE
    assert (tmp_path / "gone" / "manifest.json").exists()


def test_the_masks_of_the_user_hold(told: Told, plan: Path, tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        assert told("run", plan, "--out", tmp_path / "out")[0] == ExitCode.FINE
    finally:
        os.umask(before)
    assert all(path.stat().st_mode & 0o077 == 0 for path in [tmp_path / "out", *(tmp_path / "out").rglob("*")])


def test_what_was_played_is_printed_although_it_cannot_be_saved(
    told: Told, plan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(folder, "_make", fail)
    code, out, err = told("run", plan, "--out", tmp_path / "out")
    assert (code, "Who wins?" in out, "Input/output error" in err) == (ExitCode.USAGE, True, True)
    monkeypatch.undo()
    monkeypatch.setattr("sim.experiment.run.play_call", lambda *given: given[3])  # plays nothing
    assert told("run", plan, "--out", tmp_path / "out")[0] == ExitCode.FINE


def test_a_figure_that_fails_takes_no_table_with_it(
    told: Told, plan: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.plots.length", lambda _frame: 1 / 0)
    code, _, err = told("run", plan, "--out", tmp_path / "out")
    assert (code, "length: the figure cannot be drawn: ZeroDivisionError" in err) == (ExitCode.FINE, True)
    assert (tmp_path / "out" / "length.csv").exists()


@pytest.mark.parametrize("content", [b"", b"half", b"\x93NUMPY\x01\x00v\x00{'x': 1}", b"PK\x03\x04" + b"\0" * 90])
def test_a_damaged_checkpoint_is_told_and_all_is_played_anew(
    told: Told, plan: Path, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / checkpoint.UNFINISHED).write_bytes(content)
    code, _, err = told("run", plan, "--out", tmp_path / "out")
    assert (code, "are damaged" in err) == (ExitCode.FINE, True)


def test_totals_that_were_changed_are_not_gone_on_with(tmp_path: Path) -> None:
    one = check_plan(pig_keys(playouts=CELL))
    run_plan(one, 1, folder=tmp_path)
    path = tmp_path / checkpoint.UNFINISHED
    arrays = dict(np.load(path))
    arrays["3"] = arrays["3"] + 1
    with path.open("wb") as file:
        np.savez(file, **arrays)
    with pytest.warns(Notice, match="they are not what was written"):
        assert checkpoint.load_totals(path) is None


def test_an_interrupted_folder_says_how_to_go_on_and_adds_up_its_seconds(told: Told, tmp_path: Path) -> None:
    one = check_plan(pig_keys(playouts=4 * CELL))
    seen: list[int] = []

    def stop(done: int, _total: int) -> None:
        seen.append(done)
        if len(seen) == 2:
            raise KeyboardInterrupt

    run_plan(one, 1, stop, folder=tmp_path / "out", command="sim run one.toml")
    code, _, err = told("show", tmp_path / "out")
    assert code == ExitCode.USAGE
    assert "playouts are kept; 'sim run one.toml' goes on from there" in err
    kept = checkpoint.load_totals(tmp_path / "out" / checkpoint.UNFINISHED)
    assert kept is not None
    checkpoint.save_totals(
        tmp_path / "out" / checkpoint.UNFINISHED, checkpoint.Kept(kept.key, kept.played, 100.0, kept.command)
    )
    assert run_plan(one, 1, folder=tmp_path / "out").seconds > 100


def test_rows_of_an_interrupted_run_are_as_many_as_are_told(told: Told, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is an extra")
    seen: list[int] = []

    def stop(done: int, _total: int) -> None:
        seen.append(done)
        if len(seen) == 3:
            raise KeyboardInterrupt

    result = run_plan(check_plan(pig_keys(playouts=8 * CELL)), 1, stop, folder=tmp_path / "out", keep="rows")
    files = (tmp_path / "out" / "rows").rglob("*.parquet")
    assert sum(parquet.read_metadata(file).num_rows for file in files) == result.n_rows
    assert "its rows are kept; the same run plays them anew" in told("show", tmp_path / "out")[2]


@pytest.mark.parametrize("name", ["../../escaped", "/absolute/here", "..", ".", "goal 50", "goal+50", "a" * 500, "零"])
def test_a_name_is_no_path_and_no_two_share_a_folder(name: str) -> None:
    found = folder_name(name)
    assert "/" not in found
    assert found.strip(".")
    assert len(found.encode()) < 100
    assert len({folder_name(one) for one in (name, f"{name} ", f"{name}_", name.upper() + "x")}) == 4


@pytest.mark.parametrize("name", ["a\\u001b[2J", "a\\u202eb", "a\\u0007", "b\\n", "c\\uffff", "d" * 1001])
@pytest.mark.parametrize("kind", ["variant", "profile"])
def test_names_that_no_line_can_have_are_refused_and_told_harmlessly(
    told: Told, tmp_path: Path, kind: str, name: str
) -> None:
    path = tmp_path / "plan.toml"
    more = 'policies = ["random"]\n' if kind == "profile" else ""
    path.write_text(f'{PLAN}[[{kind}]]\nname = "{name}"\n{more}')
    code, _, err = told("run", path, "--out", tmp_path / "out")
    assert (code, f"{kind}.0.name: found" in err) == (ExitCode.USAGE, True)
    assert err.strip("\n").isprintable()


@pytest.mark.parametrize("form", ["table", "md", "csv", "json"])
def test_no_control_character_reaches_the_terminal(told: Told, tmp_path: Path, form: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN.replace("Who wins?", "\\u001b]0;PWNED\\u0007\\u001b[2J \\u009b2J \\u202e?"))
    assert told("run", path, "--out", tmp_path / "out", "--format", form)[0] == ExitCode.FINE
    code, out, err = told("show", tmp_path / "out", "--format", form)
    assert code == ExitCode.FINE
    assert all(one.isprintable() for one in (out + err).replace("\n", ""))


@pytest.mark.parametrize("coding", ["ascii", "latin-1", "cp1252"])
def test_what_a_code_page_lacks_costs_no_result(told: Told, coding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = io.TextIOWrapper(io.BytesIO(), encoding=coding)
    monkeypatch.setattr(sys, "stdout", page)
    for words in (("play", "pig", "-n", "20", "--seed", "1"), ("rules", "pig"), ("replay", "pig", "--seed", "1")):
        assert main(words) == ExitCode.FINE
    page.flush()
    text = page.buffer.getvalue().decode(coding)  # type: ignore[attr-defined]
    assert "----" in text


def test_every_form_prints_what_is_missing() -> None:
    estimate = dict.fromkeys(("value", "mcse", "lower", "upper", "level", "n_playouts"))
    for name in ESTIMANDS:
        for gap in (None, float("nan")):
            about = {"variant": "a", "profile": "b", "estimand": "grant lift", "verdict": None, "n_more_upper": gap}
            row = {**about, **dict.fromkeys(estimate, gap)}
            report = output.Report("run", {name: [row, {**row, "profile": "c"}]})
            for printed in (output.as_text(report, None), output.as_markdown(report, None), output.as_csv(report)):
                assert "nan" not in printed.replace("\n", " ").split(",")
                assert printed


@pytest.mark.parametrize("form", ["table", "md", "json", "csv"])
def test_a_band_without_an_estimate_is_undecided_in_every_form(told: Told, tmp_path: Path, form: str) -> None:
    path = tmp_path / "cut.toml"
    path.write_text(PLAN + '[[variant]]\nname = "v"\nchanges = { turn_limit = 1 }\n' + BAND)
    assert told("check", path, "--out", tmp_path / "out", "--format", form)[0] == ExitCode.PARTIAL


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("manifest.json", lambda _text: '{"plan": null}'),
        ("manifest.json", lambda _text: "[]"),
        ("manifest.json", lambda _text: '{"a":' * 5000),
        ("manifest.json", lambda text: text.replace('"n_rows": 100', '"n_rows": "x"')),
        ("length.csv", lambda text: text.replace("variant", "x")),
        ("length.csv", lambda text: text.replace("calm", "1,2,3")),
    ],
)
def test_a_damaged_result_is_told_and_is_no_fault_of_ours(
    told: Told, plan: Path, saved: Path, name: str, change: Callable[[str], str]
) -> None:
    text = (saved / name).read_text()
    (saved / name).write_text(change(text))
    code, _, err = told("show", saved)
    assert (code, str(saved) in err) == (ExitCode.USAGE, True)
    if name != "manifest.json":  # somebody makes the hash fit, too
        papers = json.loads((saved / "manifest.json").read_text())
        papers["files"][name] = hashlib.sha256((saved / name).read_bytes()).hexdigest()
        (saved / "manifest.json").write_text(json.dumps(papers))
        assert told("show", saved)[0] in {ExitCode.FINE, ExitCode.USAGE}
    assert told("run", plan, "--out", saved)[0] in {ExitCode.FINE, ExitCode.USAGE}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders")
@pytest.mark.parametrize("name", ["manifest.json", "length.csv", "extra.csv", checkpoint.UNFINISHED])
def test_a_pipe_in_a_results_folder_hangs_nothing(told: Told, plan: Path, saved: Path, name: str) -> None:
    (saved / name).unlink(missing_ok=True)
    os.mkfifo(saved / name)
    assert told("show", saved)[0] in {ExitCode.FINE, ExitCode.USAGE}
    assert told("run", plan, "--out", saved)[0] in {ExitCode.FINE, ExitCode.USAGE}


def test_devices_and_deep_nesting_are_refused(told: Told, tmp_path: Path, saved: Path) -> None:
    (saved / "manifest.json").unlink()
    (saved / "manifest.json").symlink_to("/dev/zero")
    assert told("show", saved)[0] == ExitCode.USAGE
    assert told("run", "/dev/zero")[0] == ExitCode.USAGE
    deep = tmp_path / "deep.toml"
    deep.write_text("x = " + "[" * 3000)
    assert "nested too deep" in told("run", deep)[2]
    long = tmp_path / "long.toml"
    long.write_text(f"{PLAN}seed = {'9' * 5000}\n")
    assert "too many digits" in told("run", long)[2]
    assert "nested too deep" in told("play", "pig", "-S", f"goal={'[' * 1500}")[2]
    assert "5,000 letters" in told("play", "pig", "-S", f"goal={'9' * 5000}")[2]
    assert "dots" in told("play", "pig", "-S", f"{'a.' * 3000}b=1")[2]
    assert len(told("play", "x" * 100_000)[2]) < 2000


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("play", "pig", "-S", "goal=3", "-S", "goal=4"), "--set: found 'goal' twice"),
        (("play", "pig", "--vs", "goal=3", "--vs", "goal=4"), "--vs: found 'goal' twice"),
        (("play", "pig", "--policy", "random", "--policy=hold_20"), "--policy: found it twice, with 'random'"),
        (("play", "pig", "-n", "3", "-n4"), "-n: found it twice, with '3' and '4'"),
        (("play", "pig", "--table", "comparisons"), "would not have; it takes two variants"),
        (("play", "pig", "--jobs", "20000"), "--jobs"),
        (("play", "pig", "-S", "GOAL=3"), "did you mean 'goal'?"),
        (("replay", "pig", "-S", "goal=0"), "sim: --set: goal: found 0"),
        (("bench", "pig", "-S", "goal=0"), "sim: --set: goal: found 0"),
        (("replay", "pig", "--policy", "hold20"), "sim: --policy: found 'hold20'"),
    ],
)
def test_what_can_be_refused_is_refused_before_anything_is_played(
    told: Told, words: tuple[str, ...], says: str
) -> None:
    code, out, err = told(*words)
    assert (code, out) == (ExitCode.USAGE, "")
    assert says in err


@pytest.mark.parametrize("key", ["margin = inf", "minutes_per_turn = [1.0, inf]", "level = nan", "margin = 1e-320"])
def test_numbers_beyond_numbers_are_refused(told: Told, tmp_path: Path, key: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(f"{PLAN}{key}\n")
    assert told("run", path, "--out", tmp_path / "out")[0] == ExitCode.USAGE


def test_a_byte_order_mark_is_read(told: Told, tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text("\ufeff" + PLAN, encoding="utf-8")
    assert told("run", path, "--dry-run")[0] == ExitCode.FINE


@pytest.mark.parametrize("number", interrupts.ENDINGS)
def test_other_endings_are_answered_as_ctrl_c_is(number: signal.Signals) -> None:
    with pytest.raises(KeyboardInterrupt), interrupts.answered():
        signal.raise_signal(number)


def test_a_cache_that_is_damaged_or_open_to_others_is_not_read(tmp_path: Path) -> None:
    mine = tmp_path / "kernels"
    assert jit._trouble_with(mine, "one") == ""
    assert (mine / "one").stat().st_mode & 0o077 == 0
    (mine / "one" / "old").touch()
    (mine / "one").chmod(0o777)
    assert jit._trouble_with(mine, "one") == ""
    assert not (mine / "one" / "old").exists()
    mine.chmod(0o777)
    assert "others may change" in jit._trouble_with(mine, "one")
    mine.chmod(0o1777)
    assert jit._trouble_with(mine, "one") == ""
    (tmp_path / "file").touch()
    assert "cannot be written" in jit._trouble_with(tmp_path / "file", "one")
    if os.geteuid() == 0:
        os.chown(mine / "one", 65534, 65534)
        assert "another user's" in jit._trouble_with(mine, "one")


@pytest.mark.compiled_only("interpreted kernels are in no cache")
@pytest.mark.parametrize("damage", ["empty", "cut", "garbled", "folder"])
def test_a_damaged_kernel_is_compiled_anew(tmp_path: Path, damage: str) -> None:
    source = tmp_path / "small.py"
    source.write_text("from sim.jit import entry\n\n\n@entry\ndef double(x):\n    return 2 * x\n")
    sys.path.insert(0, str(tmp_path))
    try:
        small = importlib.import_module("small")

        assert small.double(4) == 8
        place = small.double._cache._cache_file
        for path in Path(place._cache_path).glob(f"{Path(place._index_path).stem}*.nb[ic]"):
            content = path.read_bytes()
            path.unlink()
            if damage == "folder":
                path.mkdir()
            else:
                path.write_bytes({"empty": b"", "cut": content[:50], "garbled": content[:-9] + b"123456789"}[damage])
        again = jit._checked(numba.njit(error_model="numpy", nogil=True, cache=True)(small.double.py_func))
        assert again(4) == 8
        assert all(path.is_file() for path in Path(place._cache_path).glob(f"{Path(place._index_path).stem}*.nb[ic]"))
        shutil.rmtree(place._cache_path)
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("small", None)


def test_what_stands_in_a_folder_is_told(saved: Path, plan: Path) -> None:
    one = Result.load(saved)
    assert look(saved, one.wanted).kind is Kind.WHOLE
    assert look(saved, Wanted(one.plan, "other")).kind is Kind.OTHER
    assert look(saved / "new", one.wanted).kind is Kind.NOTHING
