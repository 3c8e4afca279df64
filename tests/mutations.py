"""Show that the tests notice when a rule is broken: one wrong line per rule.

    python -m tests.mutations                 every mutation of tests/**/*mutations.toml
    python -m tests.mutations --game flip     those of one game
    python -m tests.mutations --rule F-R25    those of one rule
    python -m tests.mutations --missing       the rules that have none (runs nothing)

Each mutation is made in a temporary copy of the tree, where its test must fail. Exit code 1 when a
mutation survives, 2 when an entry is broken: its line is not found, or its test fails even
without it, or cannot be run. Without a mutation, each test runs once. Kernels run interpreted unless
the entry says `compiled = true`.
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


def entries(game: str | None = None) -> list[Mutation]:
    """Return the mutations of a game, or all: every game's, then those of what games share."""
    paths = files(f"tests/games/{game or '*'}_mutations.toml")
    if game is None:
        paths.append(ROOT / "tests" / "mutations.toml")
    tables = [tomllib.loads(path.read_text(encoding="utf-8")) for path in paths]
    return [entry for table in tables for entry in table["mutation"]]


def main() -> int:
    """Run the chosen mutations and report."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutations",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    games = [path.parent.name for path in files("sim/games/*/RULES.md")]
    parser.add_argument("--game", choices=games, help="only the mutations of this game")
    parser.add_argument("--rule", help="only this rule")
    parser.add_argument("--missing", action="store_true", help="list rules without a mutation")
    options = parser.parse_args()
    chosen = [entry for entry in entries(options.game) if options.rule in {None, entry["rule"]}]
    if options.missing:
        return report_missing({entry["rule"] for entry in chosen}, options)
    if not chosen:
        print("there is no such mutation; `--missing` lists the rules without one", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder, "tree"))
        verdicts = []
        for place, entry in enumerate(chosen, start=1):
            verdicts.append(verdict_on(entry, bench))
            print(f"{place}/{len(chosen)} {entry['rule']:8} {entry['file']}: {verdicts[-1]}", flush=True)
    return report(verdicts)


def report_missing(covered: set[str], options: argparse.Namespace) -> int:
    """Print the rules that no mutation breaks."""
    folders = [path.parent for path in files(f"sim/games/{options.game or '*'}/RULES.md")]
    every = [rule for folder in folders for rule in rules_of(folder)]
    missing = [rule for rule in every if options.rule in {None, rule} and rule not in covered]
    print("\n".join([*missing, f"{len(missing)} rules without a mutation"]))
    return 1 if missing else 0


class Bench:
    """A copy of the tree to run tests in; it remembers which of them pass there without a mutation."""

    def __init__(self, tree: Path) -> None:
        """Copy what is or would be committed."""
        self.tree = tree
        self._codes: dict[tuple[str, bool], int] = {}
        for path in project_files():
            place = tree / path.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)

    def code_without_mutation(self, entry: Mutation) -> int:
        """Return pytest's exit code for the entry's test in the tree as it is; a test runs once for all its entries."""
        key = entry["test"], bool(entry.get("compiled"))
        if key not in self._codes:
            self._codes[key] = run_test(entry, self.tree)
        return self._codes[key]


def verdict_on(entry: Mutation, bench: Bench) -> str:
    """Break one line in the copy, run its test, mend the line; return what was seen."""
    path = bench.tree / entry["file"]
    text = path.read_text(encoding="utf-8")
    try:
        broken = mutated(text, entry)
    except ValueError as error:
        return f"broken entry: {error}"
    if bench.code_without_mutation(entry) != ALL_PASSED:
        return "broken entry: its test does not pass without the mutation"
    path.write_text(broken, encoding="utf-8")
    try:
        code = run_test(entry, bench.tree)
    finally:
        path.write_text(text, encoding="utf-8")
    if code == ALL_PASSED:
        return "SURVIVED"
    return "noticed" if code == SOME_FAILED else f"broken entry: pytest ended with {code}"


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


def report(verdicts: list[str]) -> int:
    """Print the sums and return the exit code."""
    survivors = verdicts.count("SURVIVED")
    faults = len(verdicts) - survivors - verdicts.count("noticed")
    print(f"{len(verdicts)} mutations: {survivors} survived, {faults} broken entries")
    return 2 if faults else int(bool(survivors))


if __name__ == "__main__":
    sys.exit(main())
