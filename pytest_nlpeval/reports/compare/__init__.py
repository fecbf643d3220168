"""The report of `nlpeval compare`: outputs of a suite side by side."""
