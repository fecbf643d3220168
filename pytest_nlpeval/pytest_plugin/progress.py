"""The progress of an item that works on a whole suite: a few words behind pytest's own line, removed before pytest goes on.

They are shown on a terminal only, and only by pytest's own process: of xdist's workers, pytest tells how many items are done.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from shutil import get_terminal_size
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

import pytest

from pytest_nlpeval.wording import printable

if TYPE_CHECKING:
    from _pytest._io import TerminalWriter  # what pytest gives; it has no public name

PATIENCE = 1.0
"""How many seconds pass before anything is shown."""

PAUSE = 0.1
"""How many seconds there are at least between two changes of what is shown."""

TICK = 1.0
"""How many seconds there are between two changes of what is shown once all documents are done."""

_SAVE, _RESTORE, _ERASE = "\x1b7", "\x1b8", "\x1b[K"
"""Tell a terminal to remember where the cursor is, to go back there, and to erase from there to the end of the line."""


class Progress:
    """The words behind pytest's line. `of` names the suite that is worked on, `tell` says how many of its documents are done."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._name = ""
        self._done = self._total = 0
        self._began = self._changed = self._counted = 0.0
        self._is_shown = False
        self._lock = Lock()

    @contextmanager
    def of(self, name: str, total: int) -> Generator[None]:
        """Show, from the first second on, how many of a suite's `total` documents are done; remove the words in the end."""
        if not self._has_terminal():
            yield
            return
        self._name, self._done, self._total = printable(name), 0, total
        self._began = self._counted = time.monotonic()
        ended = Event()
        thread = Thread(target=self._keep_showing, args=(ended,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            self._take_away()

    def _keep_showing(self, ended: Event) -> None:
        """Show the words when the patience is over, and then, while nothing else is told, how long scores, intervals and tests take."""
        if ended.wait(PATIENCE):
            return
        self._show()
        while not ended.wait(TICK):
            if self._done == self._total:
                self._show()

    def tell(self, done: int, total: int) -> None:
        """Say how many documents are done, of how many."""
        if done <= self._done:  # those of the baseline, from the first on
            self._began = time.monotonic()
        self._done, self._total = done, total
        if done == total:
            self._counted = time.monotonic()
        if self._is_shown and (done == self._total or time.monotonic() - self._changed > PAUSE):
            self._show()

    def _has_terminal(self) -> bool:
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        return reporter is not None and bool(reporter.isatty) and os.environ.get("TERM") != "dumb"

    def _show(self) -> None:
        from rich.cells import cell_len, set_cell_size

        with self._lock, self._released() as writer:
            self._is_shown, self._changed = True, time.monotonic()
            room = get_terminal_size().columns - writer.width_of_current_line - 2
            words = self._words()
            _send(writer, f"{_SAVE}{_ERASE} {set_cell_size(words, min(cell_len(words), room))}{_RESTORE}")

    def _words(self) -> str:
        if self._done == self._total:
            waited = int(time.monotonic() - self._counted)
            return f"{self._name}: scores, intervals, tests" + (f", {waited // 60}:{waited % 60:02}" if waited else "")
        seconds = time.monotonic() - self._began
        left = round(seconds / self._done * (self._total - self._done)) if self._done else 0
        pace = f", {self._done / seconds:,.0f}/s, {left // 60}:{left % 60:02} left" if self._done else ""
        return f"{self._name}: {self._done:,} of {self._total:,} documents{pace}"

    def _take_away(self) -> None:
        if self._is_shown:
            self._is_shown = False
            with self._released() as writer:
                _send(writer, _ERASE)

    @contextmanager
    def _released(self) -> Generator[TerminalWriter]:
        """Give the terminal's writer while pytest's capture is off: within an item, pytest captures the terminal, its width too."""
        capture = self._config.pluginmanager.get_plugin("capturemanager")
        with capture.global_and_fixture_disabled() if capture else nullcontext():
            yield self._config.get_terminal_writer()


def _send(writer: TerminalWriter, text: str) -> None:
    file = writer._file  # noqa: SLF001 - its `write` would count the words as part of pytest's line
    file.write(text)
    file.flush()
