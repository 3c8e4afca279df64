"""The parts of the house style that a program can check.

Each test asks one check of one file, so a failure names both; `FORBIDDEN` at the end shows that
every check sees what it forbids.
"""

import ast
from pathlib import Path

import pytest

from tests import style
from tests.mutations import entries, mutated
from tests.style import CHECKS, ROOT, RULE_ID, Check, files, name_of, parse, rules_of


@pytest.mark.parametrize(
    ("check", "path"),
    [pytest.param(check, path, id=f"{check.__name__}-{name_of(path)}") for check, paths in CHECKS for path in paths],
)
def test_source_keeps_the_style(check: Check, path: Path) -> None:
    broken = check(*parse(path))
    assert not broken, f"{name_of(path)}: {check.__doc__}\n" + "\n".join(broken)


TESTED = style.rules_with_tests()
CARRIED_OUT = {game: style.carried_out(game) for game in style.GAMES}
EVERY_RULE = [
    pytest.param(game, rule, id=f"{game.name}-{rule}")
    for game in style.GAMES
    if (game / "RULES.md").exists()
    for rule in rules_of(game)
]


@pytest.mark.parametrize("game", style.GAMES, ids=lambda game: game.name)
def test_game_lists_each_rule_once(game: Path) -> None:
    rules = rules_of(game)
    assert rules, f"{name_of(game)}/RULES.md lists no rule as `- X-R1 ...`"
    assert sorted(set(rules)) == sorted(rules)


@pytest.mark.parametrize(("game", "rule"), EVERY_RULE)
def test_rule_is_carried_out_by_a_function_that_cites_it(game: Path, rule: str) -> None:
    assert rule in CARRIED_OUT[game], f"no function under {name_of(game)} cites {rule}"


@pytest.mark.parametrize(("game", "rule"), EVERY_RULE)
def test_rule_has_a_test_named_with_it(game: Path, rule: str) -> None:
    name = f"test_{rule.replace('-', '_')}_..."
    assert rule in TESTED, f"no test of {game.name} is named {name}"


@pytest.mark.parametrize(
    "path",
    files("sim/**/*.py", "sim/games/*/data/*.toml", "tests/referees/**/*.py", "tests/games/*.py"),
    ids=name_of,
)
def test_cited_rules_exist(path: Path) -> None:
    known = style.rules_of_all_games()
    parts = path.relative_to(ROOT).parts
    game = ROOT.joinpath(*parts[:3])
    if parts[:2] == ("sim", "games") and (game / "RULES.md").exists():
        known = set(rules_of(game))
    lines = path.read_text(encoding="utf-8").splitlines()
    unknown = [
        f"{number}: {rule}"
        for number, line in enumerate(lines, start=1)
        for rule in RULE_ID.findall(line)
        if rule not in known
    ]
    assert not unknown, f"{name_of(path)} cites rules that no RULES.md lists: {unknown}"


PROJECT_FILES = style.project_files()


@pytest.mark.parametrize("path", PROJECT_FILES, ids=name_of)
def test_file_names_no_machine(path: Path) -> None:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        return  # a picture
    found = [
        f"{number}: {line.strip()}"
        for number, line in enumerate(lines, start=1)
        if style.MACHINE_PATH.search(line) or style.REGISTRY_HOST.search(line)
    ]
    assert not found, f"{name_of(path)} names a machine's path or a registry's host: {found}"


@pytest.mark.parametrize(
    "path",
    [path for path in PROJECT_FILES if path.suffix in {".py", ".md", ".toml"}],
    ids=name_of,
)
def test_file_is_at_most_1000_lines_or_1500_of_data(path: Path) -> None:
    n_lines = len(path.read_text(encoding="utf-8").splitlines())
    is_data = path.parent.name == "data" and path.suffix == ".toml"
    most = style.MOST_DATA_LINES if is_data else style.MOST_FILE_LINES
    assert n_lines <= most, f"{name_of(path)} has {n_lines} lines, expected at most {most}"


@pytest.mark.parametrize("mutation", entries(), ids=lambda mutation: mutation["rule"])
def test_mutation_still_applies(mutation: dict[str, str]) -> None:
    text = (ROOT / mutation["file"]).read_text(encoding="utf-8")
    assert mutated(text, mutation) != text
    path, _, test = mutation["test"].partition("::")
    tree, _ = parse(ROOT / path)
    assert test.partition("[")[0] in {function.name for function in style.functions(tree)}


@pytest.mark.parametrize("folder", style.GAMES, ids=name_of)
def test_every_rule_of_a_game_has_a_mutation(folder: Path) -> None:
    named = {mutation["rule"] for mutation in entries(folder.name)}
    assert {rule for rule in named if RULE_ID.fullmatch(rule)} == set(rules_of(folder))


LONG = "\n".join(f"    turn = {n % 2}" for n in range(41))
FORBIDDEN: list[tuple[Check, str]] = [
    (style.long_kernels, f'@cold\ndef move():\n    """Move."""\n{LONG}'),
    (style.wide_kernels, "@jit.hot\ndef move(state, seat, space, card, die, rules, key): ..."),
    (style.disordered_kernels, "@hot\ndef move(state, key, rules): ..."),
    (style.disordered_kernels, "@hot\ndef move(rules, state): ..."),
    (style.bare_numbers, "@hot\ndef move(state):\n    state.space += 3"),
    (style.bare_numbers, "@hot\ndef move(state):\n    state.space += np.int64(-40)"),
    (style.loud_kernels, "@hot\ndef move(state):\n    assert state"),
    (style.loud_kernels, "@entry\ndef move(state):\n    print(state)"),
    (style.loud_kernels, "@hot\ndef move(state):\n    path = np.zeros(2)"),
    (style.silent_publics, "def move(): ..."),
    (style.silent_publics, "class Table:\n    def seats(self): ..."),
    (style.numba_imports, "import numba.core"),
    (style.numba_imports, "def late():\n    from numba import njit"),
    (style.foreign_words, "def winrate(): ..."),
    (style.foreign_words, "def play(n_episodes): ..."),
    (style.foreign_words, "class RandomBot: ..."),
    (style.foreign_words, "for chunk in blocks: ..."),
    (style.single_letters, "for i in seats: ..."),
    (style.single_letters, "shares = [p for p in seats]"),
    (style.banners, "# ----------- state"),
    (style.sim_imports, "import sim.rng"),
    (style.sim_imports, "from sim import rng"),
    (style.sim_imports, "from tests import conftest"),
]


@pytest.mark.parametrize(("check", "source"), FORBIDDEN)
def test_check_sees_what_it_forbids(check: Check, source: str) -> None:
    assert check(ast.parse(source), source)


@pytest.mark.parametrize("check", [check for check, _ in CHECKS], ids=lambda check: check.__name__)
def test_check_passes_what_is_allowed(check: Check) -> None:
    source = (
        "from tests.referees import pig\n"
        '@hot\ndef move(state, rules, key):\n    """Move."""\n'
        "    for seat in range(state.n_seats):\n        state.score[seat] = -1 + FACES\n"
    )
    assert not check(ast.parse(source), source)


@pytest.mark.parametrize("path", files("tests/referees/**/*.py"), ids=name_of)
def test_a_referee_imports_nothing_of_another_game(path: Path) -> None:
    own = style.referee_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
    names = [name for _, name in style.imports(style.parse(path)[0]) if style.is_in(name, "tests")]
    assert {style.referee_of(name) for name in names} <= {own}


def test_referees_of_different_games_are_told_apart() -> None:
    names = ["tests.referees.flip", "tests.referees.flip_table.items", "tests.referees.fortnite.play", "tests.support"]
    assert [style.referee_of(name) for name in names] == ["flip", "flip", "fortnite", ""]


def test_machine_paths_are_seen() -> None:
    someones, ours, here = ["", "home", "someone", "sim"], ["tests", "work", "notes"], [".", "tmp", "x"]
    assert style.MACHINE_PATH.search("see " + "/".join(someones))
    assert style.MACHINE_PATH.search("see " + "/".join(["", *ours[1:]]))
    assert not style.MACHINE_PATH.search("see " + "/".join(ours) + " and " + "/".join(here))
    assert not style.MACHINE_PATH.search("#!/usr/bin/env python3")
