"""Checks of the house style, over the text and the syntax trees of the tree's files.

Each check takes a parsed file and returns the places that break it, as `line: what`.
"""

import ast
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNEL_DECORATORS = {"entry", "hot", "cold", "typed"}
MOST_KERNEL_LINES = 40
MOST_KERNEL_ARGUMENTS = 6
MOST_FILE_LINES = 1000
MOST_DATA_LINES = 1500  # an entry per number and per switch, which is read entry by entry, never whole
BARE_NUMBERS = {0, 1, 2}  # -1 is a minus and a 1
ALLOCATORS = {"array", "empty", "empty_like", "full", "ones", "ones_like", "zeros", "zeros_like"}
ARGUMENT_ORDER = ["state", "seat", "rules", "key"]
FOREIGN_WORDS = {
    "bot": "policy",
    "bots": "policies",
    "cfg": "variant",
    "chunk": "block or shard",
    "chunks": "blocks or shards",
    "episode": "playout",
    "episodes": "playouts",
    "idx": "the name of what is counted",
    "matchup": "line-up",
    "param": "rule or policy parameter",
    "params": "rules or policy parameters",
    "winrate": "win share",
    "winrates": "win shares",
}
SINGLE_LETTERS = {"n", "k", "_"}  # a sample size in a formula; the last part of a draw's address
RULE_ID = re.compile(r"\b[A-Z]+-R\d+[a-z]?\b")
LISTED_RULE = re.compile(r"^\s*(?:[-*]|\d+\.)\s+\**([A-Z]+-R\d+[a-z]?)\b", re.MULTILINE)
BANNER = re.compile(r"^\s*#\s*[-=*#~]{5,}")
# In two pieces so that this file passes.
MACHINE_PATH = re.compile(r"(?<![\w.~*}])/(?:home|root|work|Users|opt|mnt|tmp|srv)" + r"/\w")
REGISTRY_HOST = re.compile(r"pypi" + r"\.org|python" + r"hosted\.org")

Function = ast.FunctionDef | ast.AsyncFunctionDef
Check = Callable[[ast.Module, str], list[str]]


def files(*patterns: str) -> list[Path]:
    """Return the files of the tree that match, sorted."""
    found = {path for pattern in patterns for path in ROOT.glob(pattern)}
    return sorted(path for path in found if "__pycache__" not in path.parts)


def name_of(path: Path) -> str:
    """Return a path as it reads in a test's id."""
    return path.relative_to(ROOT).as_posix()


def parse(path: Path) -> tuple[ast.Module, str]:
    """Return the syntax tree and the text of a file."""
    text = path.read_text(encoding="utf-8")
    return ast.parse(text), text


def project_files() -> list[Path]:
    """Return what is or would be committed; where git does not tell, all that could be."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = None
    if (ROOT / ".git").exists() and shutil.which("git"):
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
    if listed is None or listed.returncode != 0:
        folders = ("sim", "tests", "experiments", "notebooks")
        found = files("*.md", "*.toml", ".ci/*", *(f"{folder}/**/*.*" for folder in folders))
    else:
        found = sorted(ROOT / name for name in listed.stdout.split("\0") if name)
    return [path for path in found if path.is_file()]


PYTHON = files("sim/**/*.py")
KERNEL_FILES = [path for path in PYTHON if path.name != "jit.py"]
GAME_KERNEL_FILES = files("sim/games/**/*.py", "sim/mechanics/**/*.py", "sim/mechanics.py")
GAMES = [path.parent for path in files("sim/games/*/game.py")]


def functions(tree: ast.AST) -> Iterator[Function]:
    """Yield every function, however deep."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


def kernels(tree: ast.AST) -> Iterator[Function]:
    """Yield the functions that numba compiles."""
    for function in functions(tree):
        if any(decorator_name(node) in KERNEL_DECORATORS for node in function.decorator_list):
            yield function


def decorator_name(node: ast.expr) -> str:
    """Return the last part of a decorator's name."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def length(function: Function) -> int:
    """Return the lines of a function without decorators and docstring."""
    lines = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is not None:
        docstring = function.body[0]
        lines -= docstring.end_lineno - docstring.lineno + 1
    return lines


def arguments(function: Function) -> list[str]:
    """Return the names of a function's arguments in order."""
    every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return [argument.arg for argument in every]


def long_kernels(tree: ast.Module, _text: str) -> list[str]:
    """A kernel has at most 40 lines without its docstring."""
    return [
        f"{kernel.lineno}: {kernel.name} has {length(kernel)} lines"
        for kernel in kernels(tree)
        if length(kernel) > MOST_KERNEL_LINES
    ]


def wide_kernels(tree: ast.Module, _text: str) -> list[str]:
    """A kernel has at most six arguments."""
    return [
        f"{kernel.lineno}: {kernel.name} has {len(arguments(kernel))} arguments"
        for kernel in kernels(tree)
        if len(arguments(kernel)) > MOST_KERNEL_ARGUMENTS
    ]


def disordered_kernels(tree: ast.Module, _text: str) -> list[str]:
    """State, seat, rules and key stand in this order among the arguments."""
    found = []
    for kernel in kernels(tree):
        names = [name for name in arguments(kernel) if name in ARGUMENT_ORDER]
        if names != sorted(names, key=ARGUMENT_ORDER.index):
            found.append(f"{kernel.lineno}: {kernel.name}({', '.join(arguments(kernel))})")
    return found


def bare_numbers(tree: ast.Module, _text: str) -> list[str]:
    """A kernel of a game knows no numbers but 0, 1, 2 and -1; others have names."""
    return [
        f"{node.lineno}: {node.value} in {kernel.name}"
        for kernel in kernels(tree)
        for node in ast.walk(kernel)
        if isinstance(node, ast.Constant) and type(node.value) in {int, float} and node.value not in BARE_NUMBERS
    ]


def loud_kernels(tree: ast.Module, _text: str) -> list[str]:
    """A kernel does not raise, assert, try or print, nor allocate unless it is an entry."""
    found = []
    for kernel in kernels(tree):
        is_entry = any(decorator_name(node) == "entry" for node in kernel.decorator_list)
        for node in ast.walk(kernel):
            called = decorator_name(node) if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Raise | ast.Assert | ast.Try) or called == "print":
                found.append(f"{node.lineno}: {kernel.name} raises, asserts, tries or prints")
            elif called in ALLOCATORS and not is_entry:
                found.append(f"{node.lineno}: {kernel.name} allocates with {called}")
    return found


def silent_publics(tree: ast.Module, _text: str) -> list[str]:
    """Every public function has a docstring."""
    owners = [tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))]
    return [
        f"{node.lineno}: {node.name} has no docstring"
        for owner in owners
        for node in owner.body
        if isinstance(node, Function) and not node.name.startswith("_") and ast.get_docstring(node) is None
    ]


def numba_imports(tree: ast.Module, _text: str) -> list[str]:
    """Nothing of numba is imported outside of sim/jit.py."""
    return [f"{line}: {name}" for line, name in imports(tree) if is_in(name, "numba", "llvmlite")]


def sim_imports(tree: ast.Module, _text: str) -> list[str]:
    """A referee imports nothing from sim, and from the tests nothing but referees."""
    return [
        f"{line}: {name}"
        for line, name in imports(tree)
        if is_in(name, "sim", "tests") and not is_in(name, "tests.referees")
    ]


def referee_of(module: str) -> str:
    """Return of which game's referee a module under tests/referees is a part, or nothing."""
    parts = module.removeprefix("tests.referees.").split(".")
    return parts[0].split("_")[0] if module.startswith("tests.referees.") else ""


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and full name of everything imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node.lineno, f"{node.module or '.'}.{alias.name}"


def is_in(name: str, *packages: str) -> bool:
    """Tell whether a dotted name is one of the packages or lies in one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def defined_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and name of everything that a file names itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def words(name: str) -> list[str]:
    """Split a name of either style into lower-case words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")


def foreign_words(tree: ast.Module, _text: str) -> list[str]:
    """Names use the project's words."""
    return [
        f"{line}: {name}: say {FOREIGN_WORDS[word]} for {word}"
        for line, name in defined_names(tree)
        for word in words(name)
        if word in FOREIGN_WORDS
    ]


def single_letters(tree: ast.Module, _text: str) -> list[str]:
    """Names are words."""
    return [f"{line}: {name}" for line, name in defined_names(tree) if len(name) == 1 and name not in SINGLE_LETTERS]


def banners(_tree: ast.Module, text: str) -> list[str]:
    """A file that needs section banners is two files."""
    return [f"{number}: {line.strip()}" for number, line in enumerate(text.splitlines(), start=1) if BANNER.match(line)]


def rules_of(game: Path) -> list[str]:
    """Return the ids in the numbered list of a game's RULES.md."""
    return LISTED_RULE.findall((game / "RULES.md").read_text(encoding="utf-8"))


def rules_of_all_games() -> set[str]:
    """Return the ids of every RULES.md, of unfinished games too."""
    return {rule for path in files("sim/games/*/RULES.md") for rule in rules_of(path.parent)}


def carried_out(game: Path) -> set[str]:
    """Return the rules that some function of the game, or of what games share, cites."""
    found: set[str] = set()
    for path in files(f"{name_of(game)}/**/*.py", "sim/mechanics/*.py"):
        tree, text = parse(path)
        for function in functions(tree):
            found.update(RULE_ID.findall(ast.get_source_segment(text, function) or ""))
    return found


def names_of_tests() -> list[str]:
    """Return the names of all test functions."""
    return [
        function.name
        for path in files("tests/**/test_*.py")
        for function in functions(parse(path)[0])
        if function.name.startswith("test_")
    ]


def rules_with_tests() -> set[str]:
    """Return the rules that some test is named with (test_F_R3_... tests F-R3)."""
    return {
        f"{prefix}-{number}"
        for name in names_of_tests()
        for prefix, number in re.findall(r"(?<![A-Z])([A-Z]+)_(R\d+[a-z]?)(?=_|$)", name)
    }


CHECKS: list[tuple[Check, list[Path]]] = [
    (long_kernels, KERNEL_FILES),
    (wide_kernels, KERNEL_FILES),
    (disordered_kernels, GAME_KERNEL_FILES),
    (loud_kernels, KERNEL_FILES),
    (bare_numbers, GAME_KERNEL_FILES),
    (silent_publics, PYTHON),
    (numba_imports, KERNEL_FILES),
    (foreign_words, PYTHON),
    (single_letters, PYTHON),
    (banners, PYTHON),
    (sim_imports, files("tests/referees/**/*.py")),
]
