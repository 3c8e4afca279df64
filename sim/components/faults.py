"""Faults in words: what was found, what was expected, and the nearest name that exists."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any, Final

from pydantic import BaseModel, ValidationError

LIKENESS: Final = 0.55  # below it a name is no help; 1 is the same name
SHORTEST_PART: Final = 3  # letters of a name that point to a longer one
MOST_NAMES_SHOWN: Final = 12


class ComponentError(ValueError):
    """A change or a data file is wrong; the message has one line per fault.

    Attributes:
        faults: The lines, each with the file or flag, the key, what was found and expected.

    """

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


class Misfit(ValueError):  # noqa: N818  (no error yet: a place and a key make it one)
    """A value does not fit; says what was found and expected, not where."""


MOST_LETTERS: Final = 200  # of a name that others are compared with; what is longer is like none


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint with the nearest valid name, else one that has this name in it, or nothing."""
    names = list(known)
    name = name[:MOST_LETTERS]
    same = [one for one in names if one.casefold() == name.casefold()]
    found = same or difflib.get_close_matches(name, names, n=1, cutoff=LIKENESS)
    if not found and len(name) >= SHORTEST_PART:
        found = [one for one in names if name in one][:1]
    return f" (did you mean '{found[0]}'?)" if found else ""


def one_of(found: object, known: Iterable[str], kind: str = "") -> str:
    """Return what was found and which names are allowed, with the nearest."""
    names = list(known)
    hint = nearest(str(found), names)
    wanted = f"{kind}: {listed(names, hint)}" if kind else listed(names, hint)
    return f"found {found!r}, expected {wanted}{hint}"


def listed(names: Sequence[str], hint: str = "") -> str:
    """Return names for a sentence: all if they are few, else some, or none where a hint helps."""
    if len(names) <= MOST_NAMES_SHOWN:
        return f"one of {', '.join(names)}"
    if hint:
        return f"one of {len(names)} names"
    return f"one of {', '.join(names[:MOST_NAMES_SHOWN])}, ... ({len(names)} in all)"


def span(limits: tuple[int, int]) -> str:
    """Return limits for a sentence."""
    return str(limits[0]) if limits[0] == limits[1] else f"{limits[0]} to {limits[1]}"


def told(error: ValidationError, where: str, key: str, model: type[BaseModel]) -> list[str]:
    """Return one line per fault that pydantic found in the entry `key` of a file."""
    return [f"{where}: {_place(key, fault)}: {_what(fault, model)}" for fault in error.errors()]


def _place(key: str, fault: Any) -> str:
    return ".".join([key, *(str(part) for part in fault["loc"])])


def _what(fault: Any, model: type[BaseModel]) -> str:
    name = str(fault["loc"][-1]) if fault["loc"] else ""
    if fault["type"] == "extra_forbidden":
        fields = model.model_fields if len(fault["loc"]) == 1 else ()
        return one_of(name, fields, "a field") if fields else f"found the unknown field {name!r}"
    if fault["type"] == "missing":
        return "found nothing, expected a value"
    if fault["type"] == "value_error":
        return str(fault["ctx"]["error"])
    text = str(fault["msg"]).removeprefix("Input should be ")
    return f"found {fault['input']!r}, expected {text}"
