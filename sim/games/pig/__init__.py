"""Pig, the folk dice game: the smallest complete game, and an exact check of everything above the games."""
