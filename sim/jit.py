"""The one door to numba: three kernel decorators, records that kernels read by attribute, bit intrinsics.

A *record* is one element of a padded, aligned numpy structured dtype; it reaches a compiled kernel as a
bare pointer, so passing it costs nothing. Interpreted (`NUMBA_DISABLE_JIT=1`) a kernel gets a plain object
of field views over the same memory instead: its attributes behave the same and every number it reads is a
Python int, as every number in compiled code is a signed 64-bit one.

Compiled code is cached in a folder named by a hash of the sources that kernels are made of, because numba looks
only at the file of the entry when it decides whether a cached kernel is still right.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import platform
import shutil
import stat
import sys
import tempfile
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from sim.notices import tell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Function = TypeVar("Function", bound="Callable[..., Any]")

PACKAGE_FOLDER = Path(__file__).resolve().parent
HASH_DIGITS = 16
RECORD_ALIGNMENT = 256  # two records never share a cache line nor its prefetched neighbour
PAGE = 4096  # bytes
PRIVATE = 0o700
LARGEST_32_BIT = 2**32
CACHE_VARIABLE = "NUMBA_CACHE_DIR"
KERNEL_FLOORS = ("jit.py", "rng.py", "decks.py", "engine", "mechanics", "games")  # what kernels are made of


SOURCES = {".py", ".toml", ".csv", ".md"}
_outside: list[Path] = []
"""Folders of games outside of the package."""


@lru_cache(maxsize=1)
def source_hash() -> str:
    """Return the hash of every source and data file, of games outside of the package too: they make a result."""
    folders = (PACKAGE_FOLDER, *_outside)
    return _hash_of(path for folder in folders for path in folder.rglob("*") if path.suffix in SOURCES)


@lru_cache(maxsize=1)
def kernel_hash() -> str:
    """Return the hash of the code that kernels can be made of: what stands above games, and data, compile nothing."""
    floors = (*(PACKAGE_FOLDER / name for name in KERNEL_FLOORS), *_outside)
    return _hash_of(path for floor in floors for path in ([floor] if floor.is_file() else floor.rglob("*.py")))


def _hash_of(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        if "__pycache__" not in path.parts:
            is_ours = path.is_relative_to(PACKAGE_FOLDER)
            name = path.relative_to(PACKAGE_FOLDER).as_posix() if is_ours else path.name
            digest.update(name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:HASH_DIGITS]


def _user_cache_folder() -> Path:
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "sim"


@lru_cache(maxsize=1)
def cache_folder() -> Path:
    """Return the folder of compiled kernels, made if need be; one in the temporary folder where none can be used.

    numba reads what it finds there as it would read a program: a folder that others own or may write is not used.
    """
    flags = "checked" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else "plain"
    name = f"{flags}-{kernel_hash()}"
    chosen = os.environ.get("SIM_CACHE_DIR")
    base = Path(chosen) if chosen else _user_cache_folder()
    trouble = _trouble_with(base, name)
    if not trouble:
        return base / name
    user = os.geteuid() if hasattr(os, "geteuid") else 0
    spare = Path(tempfile.gettempdir()) / f"sim-kernels-{user}"
    what = f"{base}: {trouble}"
    if _trouble_with(spare, name):
        spare = Path(tempfile.mkdtemp(prefix="sim-kernels-"))
        atexit.register(shutil.rmtree, spare, ignore_errors=True)
        (spare / name).mkdir()
        what += ", so they are compiled in each process"
    tell(f"kernels are kept in {spare}, as {what} (SIM_CACHE_DIR names another folder)")
    return spare / name


def _trouble_with(base: Path, name: str) -> str:
    """Make a folder of kernels that is this user's alone; return what is wrong where that cannot be, else nothing."""
    folder = base / name
    try:
        folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        if _is_open_to_others(base, may_be_sticky=True):
            return "others may change what is in it"
        if _is_open_to_others(folder) or any(_is_anothers(path) for path in folder.rglob("*")):
            if _is_anothers(folder):
                return "its kernels are another user's"
            shutil.rmtree(folder)  # ours, but others may have written there
            folder.mkdir(mode=PRIVATE)
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as fault:
        return f"it cannot be written ({fault.strerror})"


def _is_anothers(path: Path) -> bool:
    return hasattr(os, "geteuid") and path.lstat().st_uid != os.geteuid()


def _is_open_to_others(folder: Path, *, may_be_sticky: bool = False) -> bool:
    """Tell whether others could replace what is in a folder; in one as `/tmp` they cannot what is not theirs."""
    if not hasattr(os, "geteuid"):
        return False
    mode = folder.stat().st_mode
    if may_be_sticky:
        return bool(mode & stat.S_IWOTH) and not mode & stat.S_ISVTX
    return bool(mode & (stat.S_IWGRP | stat.S_IWOTH)) or _is_anothers(folder)


os.environ[CACHE_VARIABLE] = str(cache_folder())

import numba  # noqa: E402  (numba reads the cache folder from the environment when it is imported)
from llvmlite import binding, ir  # noqa: E402
from numba import types  # noqa: E402
from numba.core import cgutils, codegen  # noqa: E402
from numba.extending import intrinsic  # noqa: E402

numba.config.CACHE_DIR = os.environ[CACHE_VARIABLE]  # in case somebody imported numba first
INTERPRETED = bool(numba.config.DISABLE_JIT)


@contextmanager
def outside_sources(folder: Path) -> Iterator[None]:
    """Count a game's folder among the sources, and file what is compiled meanwhile under a hash that knows them."""
    if folder not in _outside:
        _outside.append(folder)
        source_hash.cache_clear()
        kernel_hash.cache_clear()
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder())
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


_HELPERS: set[str] = set()
"""Full names of hot and cold kernels, which only ever run inside an entry."""


def _mark_helper(function: Function) -> Function:
    """Note a helper under its full name, which no entry or typed kernel of another module can share.

    numba names compiled code by the qualified name alone; an entry `play` would else be taken for a helper `play`
    of another file, never be given native code, and end the process when called.
    """
    function.__qualname__ = f"{function.__module__}.{function.__qualname__}"
    _HELPERS.add(function.__qualname__)
    return function


def _hide_helpers(module: Any) -> None:
    """Let the optimiser change, inline and drop the helpers of a whole program, as no other code can call them.

    Measured on flip on 2026-11-30, on a busy machine: 200 instead of 240 ns per turn, and a smaller kernel.
    """
    for function in module.functions:
        if not function.is_declaration and function.linkage == codegen.ll.Linkage.linkonce_odr:
            function.linkage = "internal"


def _optimise_entries_only() -> None:
    """Leave optimising and native code to the entry that a kernel ends in.

    numba optimises and emits every helper again at each level of calls. Measured on flip on 2026-11-30: a cold
    compile takes 12 s instead of 31 s, and the result runs at 200 instead of 245 ns per turn, since the final
    optimisation sees all helpers as they were written. Where numba's inner names differ, nothing is changed.
    """
    library, engine = codegen.JITCodeLibrary, codegen.JITCPUCodegen
    needed = ("_optimize_final_module", "_finalize_final_module", "get_pointer_to_function")
    if not all(hasattr(library, name) for name in needed) or not hasattr(engine, "set_env"):
        return
    optimise, finalise, point = (getattr(library, name) for name in needed)
    set_env = engine.set_env

    def optimise_entry(self: Any) -> None:
        if self.name not in _HELPERS:
            _hide_helpers(self._final_module)
            optimise(self)

    def finalise_entry(self: Any) -> None:
        if self.name not in _HELPERS:
            finalise(self)
            return
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def point_to_entry(self: Any, name: str) -> Any:
        if self.name not in _HELPERS:
            return point(self, name)
        self._ensure_finalized()
        return 0

    def set_known_env(self: Any, name: str, env: Any) -> None:
        if self._engine.get_global_value_address(name):
            set_env(self, name, env)

    library._optimize_final_module = optimise_entry
    library._finalize_final_module = finalise_entry
    library.get_pointer_to_function = point_to_entry
    engine.set_env = set_known_env


LLVM_OPTIONS = (
    "-x86-cmov-converter=0",  # a choice stays a choice: as a branch on dice it would be guessed wrong half of the time
    "-min-jump-table-entries=999",  # few kinds of cards and spaces are told apart by comparing, not by a jump
    "-enable-ext-tsp-block-placement=1",  # what follows in most turns lies side by side
)
"""Options that LLVM knows on x86-64; a wrong or unknown one would end the process, so others get none."""


def _tune_code() -> None:
    """Ask for code that suits kernels whose branches are dice.

    Measured on flip on 2026-11-30: 87 instead of 91 ns per turn; 88.5 without the first of the options. Calls by
    address distance (small code model) need code side by side, which position independent code keeps to. On other
    processors, where none of this was measured, and where numba's inner names differ, nothing is changed.
    """
    engine = codegen.JITCPUCodegen
    is_known = platform.machine().lower() in {"x86_64", "amd64"} and sys.maxsize > LARGEST_32_BIT
    if not is_known or not hasattr(engine, "_customize_tm_options"):
        return
    customise = engine._customize_tm_options

    def customise_small(self: Any, options: dict[str, Any]) -> None:
        customise(self, options)
        options["codemodel"], options["reloc"] = "small", "pic"

    engine._customize_tm_options = customise_small
    for option in LLVM_OPTIONS:
        binding.set_option("sim", option)


_optimise_entries_only()
_tune_code()
_FAST = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def entry(function: Function) -> Function:
    """Compile the kernel that plays a block: cached, and free of the interpreter lock."""
    if INTERPRETED:  # unsigned arithmetic wraps by intent, and compiled code does not warn either
        return cast("Function", np.errstate(over="ignore")(function))
    return cast("Function", _checked(numba.njit(error_model="numpy", nogil=True, cache=True)(function)))


def _checked(kernel: Any) -> Any:
    """Let a kernel whose files in the cache are damaged be compiled anew: numba would read, and run, whatever is there.

    The hash of each file stands in one beside them. A folder in the place of a file is taken away, too.
    """
    kept, place = kernel._cache, kernel._cache._cache_file
    load, save = kept.load_overload, kept.save_overload
    sums = Path(f"{place._index_path}.json")

    def files() -> dict[str, str]:
        found = Path(place._cache_path).glob(f"{Path(place._index_path).stem}*.nb[ic]")
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in found}

    def load_whole(*arguments: Any) -> Any:
        try:
            found = files()
            if not found:
                return None
            if found == json.loads(sums.read_bytes()):
                return load(*arguments)
        except Exception:  # noqa: BLE001, S110  (whatever a damaged file makes pickle and LLVM raise)
            pass
        _discard(Path(place._cache_path), Path(place._index_path).stem)
        return None

    def save_whole(*arguments: Any) -> None:
        save(*arguments)
        with contextlib.suppress(OSError):
            new = sums.with_name(f"{sums.name}.{os.getpid()}")
            new.write_text(json.dumps(files()), encoding="utf-8")
            new.replace(sums)

    kept.load_overload, kept.save_overload = load_whole, save_whole
    return kernel


def _discard(folder: Path, stem: str) -> None:
    """Take away the files of one kernel."""
    with contextlib.suppress(OSError):
        for path in folder.glob(f"{stem}*.nb*"):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()


def hot(function: Function) -> Function:
    """Compile a small kernel that is always inlined; for leaves only, as each use is compiled again."""
    return cast("Function", _refused_outside(numba.njit(forceinline=True, **_FAST)(_mark_helper(function))))


def cold(function: Function) -> Function:
    """Compile a kernel that is inlined where the optimiser sees fit, which keeps compiling short."""
    options = {"forceinline": False, **_FAST}  # named, because else a hot caller hands down its own
    return cast("Function", _refused_outside(numba.njit(**options)(_mark_helper(function))))


def _refused_outside(helper: Any) -> Any:
    """Let a call from plain Python be an error: a helper has no native code, so that it would end the process."""
    if INTERPRETED:
        return helper

    def refuse(*_arguments: Any, **_keywords: Any) -> Any:
        message = (
            f"{helper.py_func.__qualname__} runs inside compiled kernels only; "
            "to call it from Python, start Python with NUMBA_DISABLE_JIT=1"
        )
        raise TypeError(message)

    def keep(compiled: Any) -> None:  # not told to numba's dispatcher, which would call what is not there
        helper.overloads[tuple(compiled.signature.args)] = compiled

    helper._compile_for_args, helper.add_overload = refuse, keep
    return helper


def typed(signature: str) -> Callable[[Function], Function]:
    """Compile a hot kernel for exactly one signature, as all random-number kernels must be, once it is needed.

    numba compiles what has a signature when it is declared; a start with kernels from the cache needs none of these.
    """

    def decorate(function: Function) -> Function:
        kernel = numba.njit(forceinline=True, error_model="numpy", cache=True)(function)
        return cast("Function", kernel if INTERPRETED else _compiled_when_asked(_checked(kernel), signature))

    return decorate


def _compiled_when_asked(kernel: Any, signature: str) -> Any:
    """Let a kernel be compiled for its signature by the first kernel or caller that asks for it."""
    find_template, compile_for = kernel.get_call_template, kernel._compile_for_args

    def compile_once() -> Any:
        compiled = kernel.compile(signature)
        kernel.disable_compile()
        return compiled

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        if not kernel.signatures:
            compile_once()
        return find_template(arguments, keywords)

    def compile_for_args(*arguments: Any, **keywords: Any) -> Any:  # returns what numba calls then
        return compile_for(*arguments, **keywords) if kernel.signatures else compile_once()

    kernel.get_call_template = get_call_template
    kernel._compile_for_args = compile_for_args
    return kernel


def padded(fields: list[tuple[Any, ...]]) -> np.dtype[np.void]:
    """Return an aligned record dtype padded to a multiple of 256 bytes."""
    bare = np.dtype(fields, align=True)
    missing = -bare.itemsize % RECORD_ALIGNMENT
    return np.dtype([*fields, ("padding", np.int8, (missing,))], align=True) if missing else bare


def make_records(dtype: np.dtype[np.void], n_records: int = 1) -> np.recarray[Any, Any]:
    """Return zeroed records whose fields read as attributes, compiled or interpreted, from the start of a page on."""
    size = dtype.itemsize * n_records
    memory = np.zeros(size + PAGE, np.uint8)
    start = -memory.ctypes.data % PAGE
    return memory[start : start + size].view(dtype).view(np.recarray)


class _Numbers:
    """A view of an integer field that reads Python ints and writes through to the record."""

    __slots__ = ("_view",)

    def __init__(self, view: np.ndarray[Any, Any]) -> None:
        self._view = view

    def __getitem__(self, index: Any) -> Any:
        found = self._view[index]
        return _Numbers(found) if isinstance(found, np.ndarray) else found.item()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._view[index] = value

    def __len__(self) -> int:
        return len(self._view)


class _Unsigned(_Numbers):
    """As `_Numbers`, for unsigned 64-bit fields, which stay unsigned numpy scalars."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        found = self._view[index]
        return _Unsigned(found) if isinstance(found, np.ndarray) else found


def _scalar_property(name: str, unsigned: bool) -> property:
    def read(record: Any) -> Any:
        view = record._views[name]
        return view[()] if unsigned else view.item()

    def write(record: Any, value: Any) -> None:
        record._views[name][()] = value

    return property(read, write)


@cache
def _record_class(dtype: np.dtype[np.void]) -> type:
    members: dict[str, Any] = {"__slots__": ("_views", *_array_names(dtype))}
    for name in dtype.names or ():
        kind = dtype[name]
        if kind.subdtype is None and kind.names is None:
            members[name] = _scalar_property(name, kind.kind == "u" and kind.itemsize == np.uint64().itemsize)
    return type("Record", (), members)


def _array_names(dtype: np.dtype[np.void]) -> list[str]:
    names = dtype.names or ()
    return [name for name in names if dtype[name].subdtype is not None or dtype[name].names is not None]


def _interpreted_record(array: np.ndarray[Any, Any]) -> Any:
    """Return the plain object of field views over one record given as a 0-d array."""
    dtype = array.dtype
    record = _record_class(dtype)()
    record._views = {}
    for name in dtype.names or ():
        view = np.asarray(array[name])
        kind = dtype[name]
        if kind.subdtype is None and kind.names is not None:
            setattr(record, name, _interpreted_record(view))
        elif kind.subdtype is None:
            record._views[name] = view
        elif kind.subdtype[0].names is not None:
            setattr(record, name, [_interpreted_record(view[index, ...]) for index in range(len(view))])
        elif kind.subdtype[0] == np.uint64:
            setattr(record, name, _Unsigned(view))
        else:
            setattr(record, name, _Numbers(view))
    return record


def _take_interpreted(records: np.ndarray[Any, Any], index: int) -> Any:
    return _interpreted_record(np.asarray(records).view(np.ndarray)[index, ...])


def _take_compiled(records: Any, index: Any) -> Any:
    return records[index]


record_of = _take_interpreted if INTERPRETED else numba.njit(forceinline=True, **_FAST)(_take_compiled)
"""record_of(records, index): the record that a kernel reads by attribute."""


@intrinsic
def _compiled_popcount(_context: Any, _mask: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _compiled_trailing_zeros(_context: Any, _mask: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.false_bit)

    return types.int64(types.int64), generate


@intrinsic
def _compiled_leading_zeros(_context: Any, _mask: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], cgutils.false_bit)

    return types.int64(types.int64), generate


LANES = 16
"""How many numbers `count_below` looks at together: two or four instructions on processors of this decade."""


@intrinsic
def _compiled_count_below(_context: Any, _numbers: Any, _first: Any, _word: Any) -> Any:
    """Compare a word with 16 neighbours in one vector; numba's own loop over them is one comparison at a time."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.VectorType(ir.IntType(64), LANES)
        start = builder.gep(target.make_array(signature.args[0])(target, builder, arguments[0]).data, [arguments[1]])
        numbers = builder.load(builder.bitcast(start, wide.as_pointer()), align=8)
        undefined = ir.Constant(wide, ir.Undefined)
        one = builder.insert_element(undefined, arguments[2], ir.Constant(ir.IntType(32), 0))
        word = builder.shuffle_vector(one, undefined, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))
        below = builder.bitcast(builder.icmp_unsigned("<", numbers, word), ir.IntType(LANES))
        return builder.zext(builder.ctpop(below), ir.IntType(64))

    return types.int64(_numbers, types.int64, types.uint64), generate


LAST_BIT = 63


def _plain_popcount(mask: int) -> int:
    return int(mask).bit_count()


def _plain_lowest_bit(mask: int) -> int:
    return int(mask & -mask).bit_length() - 1


def _plain_highest_bit(mask: int) -> int:
    return int(mask).bit_length() - 1


def _plain_count_below(numbers: Any, first: int, word: Any) -> int:
    return sum(int(numbers[first + lane] < word) for lane in range(LANES))


def _count_below(numbers: Any, first: int, word: Any) -> Any:
    return _compiled_count_below(numbers, first, word)


def _popcount(mask: Any) -> Any:
    return _compiled_popcount(mask)


def _lowest_bit(mask: Any) -> Any:
    return _compiled_trailing_zeros(mask)


def _highest_bit(mask: Any) -> Any:
    return LAST_BIT - _compiled_leading_zeros(mask)


popcount = _plain_popcount if INTERPRETED else hot(_popcount)
"""popcount(mask): how many bits of a non-negative mask are set."""
lowest_bit = _plain_lowest_bit if INTERPRETED else hot(_lowest_bit)
"""lowest_bit(mask): the place of the lowest set bit; the mask must not be 0."""
highest_bit = _plain_highest_bit if INTERPRETED else hot(_highest_bit)
"""highest_bit(mask): the place of the highest set bit; the mask must not be 0."""
count_below = _plain_count_below if INTERPRETED else hot(_count_below)
"""count_below(numbers, first, word): how many of the 16 unsigned numbers from place `first` on are less than a word."""
