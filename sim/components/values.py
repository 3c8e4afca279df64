"""Values as their column or rule wants them, and sets of changes as flat dotted keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from operator import index
from typing import Final

from sim.components.faults import Misfit, one_of
from sim.components.models import Column, Number, Switch, Value

KEY: Final = re.compile(r"[a-z][a-z0-9_]*")
WHOLE: Final = re.compile(r"[+-]?\d+(_\d+)*")
YES_OR_NO: Final = (0, 1)
TRUTHS: Final = {"true": 1, "false": 0}
EMPTY: Final = ""
"""How a change says that an optional cell is to be empty."""


def flat(changes: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Yield dotted keys with their values; the nested tables of TOML are the same thing."""
    for key, value in changes.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping):
            yield from flat(value, f"{name}.")
        else:
            yield name, value


def rule_value(rule: Number | Switch, found: object) -> Value:
    """Return a number or a reading.

    Raises:
        Misfit: It is neither a number in the range nor a reading.

    """
    if isinstance(rule, Number):
        return whole_number(found, rule.range)
    if found not in rule.readings:
        raise Misfit(one_of(found, rule.readings))
    return str(found)


def cell(column: Column, found: object) -> Value | None:
    """Return a value as its column wants it; an empty one is None.

    Raises:
        Misfit: It does not fit.

    """
    if found is None or found == EMPTY:
        if column.optional:
            return None if column.type != "text" else EMPTY
        message = f"found nothing, expected {_wanted(column)}"
        raise Misfit(message)
    if column.type == "int":
        return whole_number(found, column.range or YES_OR_NO)
    if column.type == "name" and found not in column.names:
        raise Misfit(one_of(found, column.names))
    if not isinstance(found, str) or (column.type == "key" and not KEY.fullmatch(found)):
        message = f"found {found!r}, expected {_wanted(column)}"
        raise Misfit(message)
    return found


def _wanted(column: Column) -> str:
    if column.type == "key":
        return "a name of small letters, digits and underscores"
    if column.type == "name":
        return f"one of {', '.join(column.names)}"
    if column.range is not None:
        return f"a whole number from {column.range[0]} to {column.range[1]}"
    return "text"


def whole_number(found: object, limits: tuple[int, int]) -> int:
    """Return a whole number within limits, also when it was typed as text.

    Raises:
        Misfit: It is none, or outside.

    """
    least, most = limits
    wanted = str(least) if least == most else f"a whole number from {least} to {most}"
    message = f"found {found!r}, expected {wanted}"
    if limits == YES_OR_NO:
        found = int(found) if isinstance(found, bool) else TRUTHS.get(str(found), found)
    if isinstance(found, str) and WHOLE.fullmatch(found.strip()):
        found = int(found)
    if isinstance(found, str | bool) or not hasattr(found, "__index__"):
        raise Misfit(message)
    number = index(found)
    if not least <= number <= most:
        raise Misfit(message)
    return number
