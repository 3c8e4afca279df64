"""What happens in a playout of fortnite, one module per part of the rulebook."""
