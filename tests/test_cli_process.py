"""The command line as a process of its own: streams, signals, colours, what it imports."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SIM = (sys.executable, "-m", "sim")
HEAVY = ("numba", "pandas", "matplotlib", "scipy", "numpy", "rich")


def start(*words: str, **streams: object) -> subprocess.Popen[str]:
    return subprocess.Popen([*SIM, *words], cwd=ROOT, text=True, **streams)  # type: ignore[call-overload,no-any-return]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*SIM, *words], cwd=ROOT, text=True, capture_output=True, check=False)


def run_well(*words: str) -> subprocess.CompletedProcess[str]:
    done = run(*words)
    assert done.returncode == 0, done.stderr
    return done


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from sim.cli import main; code = main(['--help']); "
        f"print(code, [name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, text=True, capture_output=True, check=True)
    assert told.stderr == "0 []\n"


def test_what_plays_a_plan_does_not_wait_for_scipy_stats() -> None:
    code = "import sys, sim.experiment.run, sim.cli.playing; print('scipy.stats' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], cwd=ROOT, text=True, capture_output=True, check=True)
    assert told.stdout == "False\n"


def test_standard_output_is_one_document_and_notes_go_elsewhere(tmp_path: Path) -> None:
    told = run("play", "pig", "-n", "50", "--seed", "7", "--json", "--out", str(tmp_path / "results"))
    assert told.returncode == 0
    assert json.loads(told.stdout)["seed"] == 7
    assert "files:" in told.stderr


def test_faults_and_interrupts_have_their_codes() -> None:
    assert run("play", "flap").returncode == 2
    assert run("nonsense").returncode == 2
    assert run().returncode == 2


def test_a_broken_pipe_is_no_error() -> None:
    process = start("rules", "flip", "--format", "csv", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_full_standard_output_is_told() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        process = start("games", stdout=full, stderr=subprocess.PIPE)
        _, told = process.communicate()
    assert process.returncode == 2
    assert told == "sim: cannot write: No space left on device\n"


def test_closed_streams_are_no_reason_to_fail() -> None:
    shell = f"{sys.executable} -m sim games >&- 2>&-"
    assert subprocess.run(["sh", "-c", shell], cwd=ROOT, check=False).returncode == 0


def interrupted(*words: str, after: float, **streams: object) -> tuple[int, str, str]:
    process = start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **streams)
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    out, told = process.communicate(timeout=60)
    return process.returncode, out, told


@pytest.mark.parametrize("after", [0.3, 0.8, 4.0])
def test_ctrl_c_at_any_moment_gives_one_line_and_130(after: float, tmp_path: Path) -> None:
    words = ("play", "pig", "-n", "1e9", "--json", "--out", str(tmp_path / "results"))
    code, out, told = interrupted(*words, after=after)
    lines = [line for line in told.splitlines() if not line.startswith("compiling")]
    assert (code, out) == (130, "")
    assert len(lines) == 1
    assert lines[0].startswith("sim: interrupted; ")
    kept = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()]
    assert kept in ([], ["results/unfinished.npz"])
    assert ("are kept in" in lines[0]) is bool(kept)
    assert kept or not list(tmp_path.iterdir())


@pytest.mark.compiled_only("nothing is compiled")
def test_ctrl_c_while_kernels_are_compiled_leaves_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "SIM_CACHE_DIR": str(tmp_path / "cold")}
    words = ("play", "flip", "-n", "100", "--out", str(tmp_path / "results"))
    for after in (5.0, 9.0, 14.0):  # however slow the machine, one of them is amid the compiling
        code, out, told = interrupted(*words, after=after, env=environment)
        if "compiling" in told:
            break
    assert (code, out) == (130, "")
    assert told.splitlines()[1:] == ["sim: interrupted; nothing was left half-written"]
    assert not (tmp_path / "results").exists()


@pytest.mark.compiled_only("ten million playouts take an hour interpreted")
def test_an_interrupted_run_goes_on_and_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    words = ("play", "pig", "-n", "1e7", "--seed", "5", "--json")

    def played(place: str) -> str:
        command = [*SIM, *words, "--out", str(tmp_path / place)]
        done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        return str(json.loads(done.stdout)["result_hash"])

    whole = played("whole")  # first, so that the kernels are compiled when the other is interrupted
    for after in (2.0, 3.0, 5.0, 9.0, 15.0, 25.0):  # however fast the machine, one of them is amid the playouts
        code, _, told = interrupted(*words, "--out", str(tmp_path / "cut"), after=after)
        if "are kept in" in told:
            break
    assert (code, "are kept in" in told) == (130, True)
    assert played("cut") == whole
    assert not list((tmp_path / "cut").glob("unfinished*"))


def on_terminal(*words: str, **variables: str) -> bytes:
    """Run a command, which has to end well, with a terminal for both its outputs; return what it shows."""
    ours, theirs = pty.openpty()
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    environment = {**kept, "TERM": "xterm", **variables}
    process = subprocess.Popen([*SIM, *words], cwd=ROOT, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert process.wait() == 0, shown
    return shown


def test_a_terminal_gets_colours_unless_asked_against() -> None:
    assert b"\x1b[" in on_terminal("games")
    assert b"\x1b[" not in on_terminal("games", NO_COLOR="1")
    assert b"\x1b[" not in on_terminal("games", "--color", "never")
    assert "\x1b[" in run_well("games", "--color", "always").stdout
    assert "\x1b[" not in run_well("games").stdout


@pytest.mark.compiled_only("thousands of playouts are rolled out")
def test_recording_of_playouts_has_a_progress_of_its_own() -> None:
    words = ("play", "pig", "-n", "400", "--seats", "2", "--seed", "7", "--table", "ruleset_metrics", "--json")
    shown = on_terminal(*words)
    assert b"recording" in shown
    assert b"of 8,000" in shown  # 400 recorded playouts, and what they are rolled out and judged by


@pytest.mark.compiled_only("80,000 playouts take a minute interpreted")
def test_progress_is_shown_on_a_terminal_only() -> None:
    words = ("play", "pig", "-n", "40000", "--seats", "2", "--seed", "7", "--json")
    shown, piped = on_terminal(*words), run_well(*words)
    assert b"of 40,000" in shown
    assert "of 40,000" not in piped.stderr
    assert json.loads(piped.stdout)["result_hash"].encode() in shown


def test_the_shell_can_complete_commands() -> None:
    environment = {**os.environ, "_SIM_COMPLETE": "complete_bash", "COMP_WORDS": "sim re", "COMP_CWORD": "1"}
    told = subprocess.run(SIM, cwd=ROOT, text=True, capture_output=True, check=False, env=environment)
    assert told.stdout.split() == ["replay"]


@pytest.mark.compiled_only("400,000 playouts take minutes interpreted")
def test_shares_and_their_sequences_are_shown_on_a_terminal_only() -> None:
    words = ("play", "pig", "-n", "100000", "--seats", "2", "--vs", "goal=50", "--seed", "7", "--json")
    shown, plain, piped = on_terminal(*words), on_terminal(*words, NO_COLOR="1"), run_well(*words)
    assert b"seat 1 hold_20" in shown
    assert b"win share, per cent, 2 seats, hold_20" in shown
    assert b"win share, per cent, 2 seats, hold_20" in plain
    assert "win share, per cent" not in piped.stderr
    result_hash = json.loads(piped.stdout)["result_hash"].encode()
    assert result_hash in shown
    assert result_hash in plain
    assert re.search(rb"\x1b\[[39]\dm", shown)
    assert not re.search(rb"\x1b\[[39]\dm", plain)


@pytest.mark.compiled_only("interpreted, a run until decided takes minutes")
def test_ctrl_c_leaves_a_run_that_looks_where_the_same_command_goes_on(tmp_path: Path) -> None:
    words = ("play", "pig", "--precision", "0.02", "--seed", "7", "--out", str(tmp_path / "results"))
    code, _, told = interrupted(*words, after=6.0)
    assert code == 130
    assert "the same command goes on from there" in told
    assert (tmp_path / "results" / "unfinished.npz").exists()
