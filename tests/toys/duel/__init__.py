"""A duel of two to four seats: a die that hits, draws or does nothing; cards that are dealt, prizes that are drawn."""
