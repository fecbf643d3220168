"""The report of `nlpeval history`: scores over commits."""
