"""The one checked door for rules and component data: what a variant may change, and every error told in words.

A game's `data/` folder holds `rules.toml` (an entry per number and per switch), `policies.toml` (what policies think
of things), component tables as CSV files described by `tables.toml` and vouched for by `SOURCES.toml`, and
`variants.toml` (named sets of changes). A *change* is a dotted key with a value:

    start_hp = 20                               a number
    policy.danger_of_sightless = 0              a number of policies
    honey_hitters_at_cap = "bank"               a reading of a switch
    cards.slones_pulse_rifle.damage = 3         a cell of a table; `damage` is another word for `amount`
    cards.my_card.effect = "heal"               a new row, when its key is new: it comes after the others
    action_die.crosshairs = 3                   short for `action_die.crosshairs.copies`
    board.17.storm_cost = 5                     a cell of the location on that space
    layout = "ring36"                           another file for a table
    variant = "modes_mild"                      a named set of changes, applied first

`Components.load` reads and checks a game's data, `Components.resolve` turns changes into a `Ruleset`. What is
wrong is one `ComponentError` with a line per fault: where, key, what was found and expected, the nearest name.
"""

from sim.components.catalogue import Components
from sim.components.faults import ComponentError, nearest
from sim.components.models import Column, Number, Row, Switch, Table, Value, Variant
from sim.components.reading import renew_hashes
from sim.components.resolution import Ruleset

__all__ = [
    "Column",
    "ComponentError",
    "Components",
    "Number",
    "Row",
    "Ruleset",
    "Switch",
    "Table",
    "Value",
    "Variant",
    "nearest",
    "renew_hashes",
]
