"""The counts of each segment, for each family of measures."""
