"""Flip as the engine sees it."""

from sim.engine.contract import Game
from sim.games.flip.narration import narrate
from sim.games.flip.phases.turn import play_block
from sim.games.flip.policies import POLICIES, USUAL
from sim.games.flip.rules import FOLDER, load, pack
from sim.games.flip.state import FAMILIES, FEWEST_SEATS, MOST_SEATS, ROW, STATE
from sim.games.flip.words import Decision, Event, Source
from sim.mechanics.telling import STORY, name_spaces

GAME = Game(
    name="flip",
    title="Monopoly Flip Edition: Fortnite",
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
    usual=USUAL,
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
