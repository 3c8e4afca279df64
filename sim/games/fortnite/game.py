"""Fortnite as the engine sees it."""

from sim.engine.contract import Game
from sim.games.fortnite.narration import narrate
from sim.games.fortnite.phases.turn import play_block
from sim.games.fortnite.policies import POLICIES
from sim.games.fortnite.rules import FOLDER, load, pack
from sim.games.fortnite.state import FAMILIES, FEWEST_SEATS, MOST_SEATS, ROW, STATE
from sim.games.fortnite.words import Decision, Event, Source
from sim.mechanics.telling import STORY, name_spaces

GAME = Game(
    name="fortnite",
    title="Monopoly: Fortnite (2018)",
    version=2,
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
    counted=("storm_draws",),
    story=STORY,
)
