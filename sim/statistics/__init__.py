"""Estimates with their errors, paired lifts, families of tests, balance scores and stopping rules.

This floor knows samples, seats and items as numbers only: no game, no file, no table. All functions
take the integer tallies that blocks of playouts merge exactly, so the answer is the same however
the work was split. The unit of analysis is one playout (or one block of rotations), never a seat's
row. Shares and lifts are proportions throughout; a caller who wants percentage points scales the
estimate with `Estimate.scaled`.
"""
