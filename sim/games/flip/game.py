"""Flip as the engine sees it."""

from sim.components import Ruleset
from sim.engine.contract import Counter, Game, Story
from sim.games.flip.narration import narrate
from sim.games.flip.phases.turn import play_block
from sim.games.flip.policies import POLICIES
from sim.games.flip.rules import FOLDER, load, pack
from sim.games.flip.state import FAMILIES, FEWEST_SEATS, MOST_SEATS, ROW, STATE
from sim.games.flip.words import Decision, Event, Source


def name_spaces(ruleset: Ruleset) -> list[str]:
    """Return the names of the spaces, a location's being its card's."""
    locations = ruleset.tables["locations"]
    return [str(row["name"] or locations[int(row["location"])]["name"]) for row in ruleset.tables["board"]]


STORY = Story(
    turn="TURN",
    fall="FALL",
    change="HP",
    counters=(
        Counter("hp", {"HP": "first"}, "start_hp"),
        Counter("locations", {"CLAIM": 1, "STORM": -1}),  # a stormed one is no longer its owner's, or worth nothing
        Counter("cards", {"DEAL": 1, "LOOT": 1, "PICK_UP": 1, "UNDER": -1, "DROP": -1}),
        Counter("in_jail", {"JAILED": 1, "FREED": -1}),
    ),
)
"""How a playout goes, for metrics; loot cards swapped one for one leave the count alone."""

GAME = Game(
    name="flip",
    title="Monopoly Flip Edition: Fortnite",
    version=1,
    fewest_seats=FEWEST_SEATS,
    most_seats=MOST_SEATS,
    folder=FOLDER,
    load=load,
    pack=pack,
    state=STATE,
    row=ROW,
    entry=play_block,
    policies=POLICIES,
    narrate=narrate,
    families=FAMILIES,
    resources=("hp",),
    sources=tuple(source.name.lower() for source in Source),
    decisions=tuple(kind.name for kind in Decision),
    events=tuple(kind.name for kind in Event),
    spaces=name_spaces,
    default_policy="leader",
    counted=("mode_draws",),
    story=STORY,
)
