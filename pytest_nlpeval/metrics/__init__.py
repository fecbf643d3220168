"""The internal metrics module: pure algorithms on numbers, without files, tasks or suites."""
