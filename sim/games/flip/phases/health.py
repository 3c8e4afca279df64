"""What stormed spaces and traps cost: loadouts and cards make it less."""

from __future__ import annotations

from typing import Any

from sim.games.flip.words import Loadout
from sim.jit import cold, hot
from sim.mechanics.health import pay


@hot
def storm_price(table: Any, seat: int, amount: int, rules: Any) -> int:
    """Return what a stormed space costs a seat: less by a loadout, then halved by a card (F-R41)."""
    works = int(table.effect[seat] == Loadout.STORM_DISCOUNT) & int(table.jailed[seat] == 0)
    return halved(table, seat, max(0, amount - (table.bonus[seat] & -works)), rules)


@hot
def halved(table: Any, seat: int, amount: int, rules: Any) -> int:
    """Return what a stormed space or trap costs a seat that may hold a card that halves it, rounded up."""
    works = int(table.hand[seat] & rules.halve & ~table.fresh != 0) & int(table.jailed[seat] == 0)
    return (amount + works) >> works


@cold
def pay_storm(state: Any, seat: int, amount: int, source: int, rules: Any) -> None:
    """Pay for a stormed space (F-R31, F-R35, F-R83)."""
    pay(state, seat, storm_price(state.table, seat, amount, rules), source, rules)
