"""From `nlpeval.yaml`, or from paths alone, to suites: every mistake at once, each with its place."""
