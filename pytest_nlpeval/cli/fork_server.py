"""What the process that forks workers imports before all else: a worker whose parent process has ended begins in silence.

A worker takes its semaphores by name and its work from a pipe. A parent process that is interrupted, or killed, while the worker begins
takes both away. Python would print the worker's `FileNotFoundError` or `EOFError`, after the parent's "interrupted".
No file is lost without a word: a parent process that goes on sees that a worker has died, and says so.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType


def tell(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """Print why a worker could not begin, unless what it was to have from its parent process is gone."""
    if not issubclass(kind, (OSError, EOFError)):
        sys.__excepthook__(kind, error, traceback)


sys.excepthook = tell  # to import this module is to install it: the server imports, and calls nothing
