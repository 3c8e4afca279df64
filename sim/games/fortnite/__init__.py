"""Monopoly: Fortnite, 2018."""
