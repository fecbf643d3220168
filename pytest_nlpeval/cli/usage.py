"""What a call that cannot be carried out raises."""

from __future__ import annotations

USAGE = 2
"""The exit code for usage, the configuration, and files on the gold side."""


INTERRUPTED = 130
"""The exit code after an interrupt."""


class UsageError(Exception):
    """A call that cannot be carried out; its text says what to do."""
