"""Monopoly Flip Edition: Fortnite (2023)."""
