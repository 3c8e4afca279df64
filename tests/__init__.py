"""Tests; commands beside them run as modules, e.g. `python -m tests.mutations`."""
