"""What a call that cannot be carried out raises."""

from __future__ import annotations

from collections.abc import Sequence

USAGE = 2
"""The exit code for usage, the configuration, and files on the gold side."""


INTERRUPTED = 130
"""The exit code after an interrupt."""


class UsageError(Exception):
    """A call that cannot be carried out; its text says what to do, and `details` are further lines."""

    def __init__(self, text: str, details: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.details = details
