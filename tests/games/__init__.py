"""One file of rule tests per game."""
