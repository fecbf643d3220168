"""Fuzzing: targets that take any bytes and raise where the program breaks a promise; `python -m tests.fuzz` runs them, `make fuzz` all."""
