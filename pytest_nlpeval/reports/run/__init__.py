"""The report of a run: suites, scores, gates, and what is wrong."""
