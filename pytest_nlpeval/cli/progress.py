"""A progress bar on the terminal for whatever lasts: documents done, documents per second, the time left.

It is on the standard error, from the first second of a command until something is printed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from pytest_nlpeval.cli.streams import err
from pytest_nlpeval.wording import printable

if TYPE_CHECKING:
    from threading import Timer

    from rich.progress import Progress

PATIENCE = 1.0
"""How many seconds pass before there is a bar."""

DUMB = ("dumb", "unknown")
"""What `TERM` is where a cursor cannot be moved."""


class Bar:
    """A progress bar: `watch` shows a further suite on it, `finish` takes it away."""

    def __init__(self) -> None:
        self._timer: Timer | None = None
        self._shown: Progress | None = None
        self._name = ""
        self._done = self._total = 0

    def watch(self, name: str) -> Callable[[int, int], None] | None:
        """Return what takes the numbers of documents done and in all, for a suite that begins now; None if nobody sees the bar."""
        if not err().isatty() or os.environ.get("TERM") in DUMB:
            return None
        if self._timer is None:
            from threading import Timer

            self._timer = Timer(PATIENCE, self._show)
            self._timer.daemon = True
            self._timer.start()
        self._name, self._done, self._total = printable(name), 0, 0
        return self._advance

    def finish(self) -> None:
        """Take the bar away, and show none that is due."""
        timer, self._timer = self._timer, None
        if timer is None:
            return
        timer.cancel()
        timer.join()  # it may be about to show the bar
        if self._shown:
            self._shown.stop()
            self._shown = None

    def _show(self) -> None:
        from pytest_nlpeval.cli.terminal import progress

        shown = progress(err())
        shown.add_task(self._name, total=None, documents="")
        shown.start()
        self._shown = shown
        self._update()

    def _advance(self, done: int, total: int) -> None:
        if self._shown and (not self._done or done <= self._done):  # another suite, or an earlier state of this one
            self._shown.reset(self._shown.task_ids[0])
        self._done, self._total = done, total
        self._update()

    def _update(self) -> None:
        """Show the numbers; once all documents are done, the bar has no end and moves by itself until the suite is judged."""
        if self._shown:
            is_counted = self._done == self._total > 0
            more = ": scores, intervals, tests" if is_counted else ""
            documents = f"{self._done:,} of {self._total:,} documents" if self._total else ""
            task = self._shown.task_ids[0]
            self._shown.update(task, description=self._name + more, completed=self._done, documents=documents)
            self._shown.tasks[0].total = None if is_counted else self._total or None  # `update` takes None for no change

    @property
    def is_shown(self) -> bool:
        """Whether the bar is on the terminal."""
        return self._shown is not None


BAR = Bar()
"""The bar of this process, which has one terminal."""


def wipe() -> None:
    """Clear the line of the bar and show the cursor, without asking the bar: a thread may be in the middle of drawing it."""
    if BAR.is_shown:
        with suppress(OSError):
            os.write(2, b"\r\x1b[2K\x1b[?25h")
