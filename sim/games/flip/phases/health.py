"""What stormed spaces and traps cost: loadouts and cards make it less."""

from __future__ import annotations

from typing import Any

from sim.games.flip.words import Loadout
from sim.jit import cold, hot
from sim.mechanics.arithmetic import halved_if, number_if
from sim.mechanics.health import pay


@hot
def storm_price(table: Any, seat: int, amount: int, rules: Any) -> int:
    """Return what a stormed space costs a seat: less by a loadout, then halved by a card (F-R41)."""
    is_less = (table.effect[seat] == Loadout.STORM_DISCOUNT) & (table.jailed[seat] == 0)
    return halved(table, seat, max(0, amount - number_if(table.bonus[seat], is_less)), rules)


@hot
def halved(table: Any, seat: int, amount: int, rules: Any) -> int:
    """Return what a stormed space or trap costs a seat that may hold a card that halves it, rounded up."""
    return halved_if(amount, (table.hand[seat] & rules.halve & ~table.fresh != 0) & (table.jailed[seat] == 0))


@cold
def pay_storm(state: Any, seat: int, amount: int, source: int, rules: Any) -> None:
    """Pay for a stormed space (F-R31, F-R35, F-R83)."""
    pay(state, seat, storm_price(state.table, seat, amount, rules), source, rules)
