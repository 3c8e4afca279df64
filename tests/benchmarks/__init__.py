"""Benchmarks: run by hand, never part of a pass."""
