"""The slow, plain referee of `fortnite`: a second, independent reading of its rulebook.

It plays one playout from draws, deck orders and decisions that it is handed, computes by itself which
options are legal, and tells events in the order in which they happen. A module is a chapter of the
rulebook, a function one of its rules; where the rulebook is silent a switch of the ruleset decides.
It shares nothing with the referee of another game. For reading along start at `play`.
"""

from tests.referees.fortnite.play import Verdict, play, referee, take_turn
from tests.referees.fortnite.table import Table

__all__ = ["Table", "Verdict", "play", "referee", "take_turn"]
