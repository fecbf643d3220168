"""Exit codes, and what a call that cannot be carried out raises."""

from __future__ import annotations

import os
import shlex

TYPE_CHECKING = False  # nothing more is imported before signals have their handlers
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_nlpeval.runs import Outcome

USAGE = 2
"""The exit code for usage, the configuration, and files on the gold side."""

EXIT_CODES: Mapping[Outcome, int] = {"ok": 0, "failed": 1, "set-up": USAGE}
"""The exit code to which the outcome of a suite or document leads; the highest of a run counts."""

INTERRUPTED = 130
"""The exit code after an interrupt."""


class UsageError(Exception):
    """A call that cannot be carried out; its text says what to do, and `details` are further lines."""

    def __init__(self, text: str, details: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.details = details


def system_missing(command: str, gold: str, instead: str) -> UsageError:
    """Return the error where a path stands alone in place of a task or folder: gold's, without the system's, or a file with both."""
    calls = [f"nlpeval {command} {shlex.quote(gold)} SYSTEM"]
    if os.path.isfile(gold):  # noqa: PTH113 - never raises
        calls.append(
            f"nlpeval {command} {shlex.quote(gold)} {shlex.quote(gold)}   if it holds gold and the system's in columns or keys"
        )
    return UsageError(f"{gold} is no {instead} but a path; name the system's, too:", calls)
