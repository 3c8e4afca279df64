"""Choices as arithmetic: where dice decide, a processor guesses a branch wrong and waits, which a choice costs not."""

from __future__ import annotations

from sim.jit import hot


@hot
def number_if(number: int, condition: bool) -> int:
    """Return a number or mask if a condition holds, else 0, without a branch."""
    return number & -int(condition)


@hot
def halved_if(number: int, condition: bool) -> int:
    """Return half a number, rounded up, if a condition holds, else the number, without a branch."""
    return (number + int(condition)) >> int(condition)
