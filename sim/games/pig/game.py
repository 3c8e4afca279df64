"""Pig as the engine sees it."""

from sim.engine.contract import Counter, Game, Story
from sim.games.pig.narration import narrate
from sim.games.pig.phases import play_block
from sim.games.pig.policies import POLICIES
from sim.games.pig.rules import FOLDER, Decision, Event, load, pack
from sim.games.pig.state import FEWEST_SEATS, MOST_SEATS, ROW, STATE

GAME = Game(
    name="pig",
    title="Pig",
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
    resources=("score",),
    decisions=tuple(kind.name for kind in Decision),
    events=tuple(kind.name for kind in Event),
    default_policy="hold_20",
    story=Story(turn="TURN", counters=(Counter("score", {"HOLD": "first"}),)),
)
