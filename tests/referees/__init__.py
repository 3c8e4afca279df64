"""Second readings of the rulebooks in plain Python; nothing here imports `sim`."""
