"""Show that the tests notice when a rule is broken: one wrong line per rule.

    python -m tests.mutations                 every mutation of tests/mutations.toml
    python -m tests.mutations --game flip     those of one game
    python -m tests.mutations --rule F-R25    those of one rule
    python -m tests.mutations --missing       the rules that have none (runs nothing)

Each mutation is made in a temporary copy of the tree, where its test must fail. Exit code 1 when a
mutation survives, 2 when an entry is broken: its line is not found, or its test fails even
without it, or cannot be run. Kernels run interpreted unless the entry says `compiled = true`.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from tests.style import ROOT, files, project_files, rules_of

Mutation = dict[str, Any]
PYTEST = ["-m", "pytest", "-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider"]
ALL_PASSED, SOME_FAILED = 0, 1  # pytest's exit codes


def mutated(text: str, mutation: Mutation) -> str:
    """Return a file's text with the mutation in it.

    Raises:
        ValueError: The old line is not found, or found more than once below `after`.

    """
    lines = text.splitlines(keepends=True)
    first = 0
    if "after" in mutation:
        first = next((n for n, line in enumerate(lines) if mutation["after"] in line), len(lines))
    places = [n for n in range(first, len(lines)) if lines[n].strip() == mutation["old"]]
    if not places or (len(places) > 1 and "after" not in mutation):
        message = (
            f"{mutation['rule']}: {mutation['file']} has the line {mutation['old']!r} "
            f"{len(places)} times; expected it once, or give `after`"
        )
        raise ValueError(message)
    lines[places[0]] = lines[places[0]].replace(mutation["old"], mutation["new"])
    return "".join(lines)


def main() -> int:
    """Run the chosen mutations and report."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutations",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    games = [path.parent.name for path in files("sim/games/*/RULES.md")]
    parser.add_argument("--game", choices=games, help="only rules of this game's RULES.md")
    parser.add_argument("--rule", help="only this rule")
    parser.add_argument("--missing", action="store_true", help="list rules without a mutation")
    options = parser.parse_args()
    listed = tomllib.loads((ROOT / "tests" / "mutations.toml").read_text(encoding="utf-8"))
    chosen = [entry for entry in listed.get("mutation", []) if is_chosen(entry["rule"], options)]
    if options.missing:
        return report_missing({entry["rule"] for entry in chosen}, options)
    if not chosen:
        print("no such mutation in tests/mutations.toml", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_tree(Path(folder, "tree"))
        return report([verdict_on(entry, copy) for entry in chosen])


def is_chosen(rule: str, options: argparse.Namespace) -> bool:
    """Tell whether the command line asks for this rule."""
    if options.game and rule not in rules_of(ROOT / "sim" / "games" / options.game):
        return False
    return options.rule in {None, rule}


def report_missing(covered: set[str], options: argparse.Namespace) -> int:
    """Print the rules that no mutation breaks."""
    every = [rule for path in files("sim/games/*/RULES.md") for rule in rules_of(path.parent)]
    missing = [rule for rule in every if is_chosen(rule, options) and rule not in covered]
    print("\n".join([*missing, f"{len(missing)} rules without a mutation"]))
    return 1 if missing else 0


def copy_tree(target: Path) -> Path:
    """Copy what is or would be committed."""
    for path in project_files():
        place = target / path.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)
    return target


def verdict_on(entry: Mutation, copy: Path) -> str:
    """Break one line in the copy, run its test, mend the line; return what was seen."""
    path = copy / entry["file"]
    text = path.read_text(encoding="utf-8")
    try:
        broken = mutated(text, entry)
    except ValueError as error:
        return told(entry, f"broken entry: {error}")
    if run_test(entry, copy) != ALL_PASSED:
        return told(entry, "broken entry: its test does not pass without the mutation")
    path.write_text(broken, encoding="utf-8")
    try:
        code = run_test(entry, copy)
    finally:
        path.write_text(text, encoding="utf-8")
    if code == ALL_PASSED:
        return told(entry, "SURVIVED")
    if code != SOME_FAILED:
        return told(entry, f"broken entry: pytest ended with {code}")
    return told(entry, "noticed")


def run_test(entry: Mutation, copy: Path) -> int:
    """Return pytest's exit code for the entry's test in the copy."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy),
        "PYTHONDONTWRITEBYTECODE": "1",  # two versions of a line within a second look alike
        "SIM_CACHE_DIR": str(copy.parent / "kernels"),
        "SIM_SHRINK": "0",  # a failing example is enough
        "NUMBA_DISABLE_JIT": "0" if entry.get("compiled") else "1",
    }
    command = [sys.executable, *PYTEST, entry["test"]]
    return subprocess.run(command, cwd=copy, env=environment, stdout=subprocess.DEVNULL, check=False).returncode


def told(entry: Mutation, verdict: str) -> str:
    """Print a verdict as soon as it is known, and return it."""
    print(f"{entry['rule']:8} {entry['file']}: {verdict}", flush=True)
    return verdict


def report(verdicts: list[str]) -> int:
    """Print the sums and return the exit code."""
    survivors = verdicts.count("SURVIVED")
    faults = len(verdicts) - survivors - verdicts.count("noticed")
    print(f"{len(verdicts)} mutations: {survivors} survived, {faults} broken entries")
    return 2 if faults else int(bool(survivors))


if __name__ == "__main__":
    sys.exit(main())
