"""Games so small that what the estimators should find is known exactly."""
