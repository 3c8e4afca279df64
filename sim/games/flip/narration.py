"""Tells a playout of flip turn by turn, in sentences."""


def narrate(r, n, e):
    return []
