"""Finds out what files are: which belong together, which task they are of, and with which options."""
