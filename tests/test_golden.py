"""Golden transcripts: did anything move?"""

import pytest

from sim import games
from tests.golden.__main__ import FOLDER, TRANSCRIPTS, transcript


@pytest.mark.parametrize("name", sorted(TRANSCRIPTS))
def test_transcript_has_not_moved(name: str) -> None:
    assert transcript(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_game_has_a_transcript() -> None:
    told = {game for game, *_ in TRANSCRIPTS.values()}
    assert told == set(games.NAMES), "add the game to TRANSCRIPTS, then run `python -m tests.golden`"


def test_the_trades_transcript_shows_a_proposal_a_refusal_and_an_acceptance() -> None:
    text = transcript("flip_trades")
    for words in ("accept", "refuse"):
        assert words in text
