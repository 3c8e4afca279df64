"""Rule mechanisms that games share, typed by record field names."""
