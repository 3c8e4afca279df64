"""How flip is played, a file per part of the turn; `turn` holds the entry."""
