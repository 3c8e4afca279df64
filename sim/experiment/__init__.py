"""Experiments: a plan becomes arms, arms become integer totals, totals become tables with errors."""
