"""How a worker of xdist ends: with its controller, however that ended, and with the place where it was interrupted.

By itself it would finish the test that it is in: xdist interrupts that after five seconds, and ends the worker after fifteen. Of an
interrupt, which a task may raise, xdist says that the worker crashed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from contextlib import nullcontext, suppress
from threading import Thread
from typing import Any

import pytest

from pytest_nlpeval.cli.process import leave
from pytest_nlpeval.foreign import failure_of
from pytest_nlpeval.pytest_plugin.interrupts import stop_if_lost, unfinished_removed
from pytest_nlpeval.wording import printable

INTERVAL = 0.1
"""After how many seconds a worker looks again whether its controller lives."""

_INTERRUPTED = "nlpeval_interrupted"


def end_with(controller: int) -> None:
    """End this process as soon as its parent has ended, if that is the controller: of one on another machine nothing is known here."""
    if os.getppid() == controller:
        Thread(target=_end_after, args=(controller,), daemon=True).start()


def _end_after(controller: int) -> None:
    while os.getppid() == controller:
        time.sleep(INTERVAL)
    leave(1)


def lose_what_is_sent_behind_its_end(node: Any) -> None:
    """Let the controller go on where it sends items to a worker that has just ended.

    xdist learns of the end from the next event in its queue, and then gives the items to others. If it sends before, it fails with an
    error of its own (INTERNALERROR): so it does where two workers end in one moment.
    """
    send = node.sendcommand

    def send_if_open(name: str, **given: object) -> None:
        with suppress(OSError):
            send(name, **given)

    node.sendcommand = send_if_open


class Interrupts:
    """Hears of interrupts that would be lost, and carries the places where workers were interrupted to the controller, which tells them.

    No signal leaves an unfinished file.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._output = config.__dict__.get("workeroutput")
        self._places: dict[str, None] = {}

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Lose no interrupt from now on."""
        stop_if_lost(session)

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self) -> Generator[None]:
        """Leave no half report, whatever ends this process while it writes one; workers write none."""
        with unfinished_removed() if self._output is None else nullcontext():
            yield

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Note where this worker was interrupted; of any other process pytest tells that itself."""
        if self._output is not None and isinstance(excinfo.value, KeyboardInterrupt):
            self._output[_INTERRUPTED] = failure_of(excinfo.value)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Note where a worker was interrupted; several may have been in the same place."""
        if place := getattr(node, "workeroutput", {}).get(_INTERRUPTED):
            self._places[place] = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say where workers were interrupted, before the notes of suites are asked for, which may interrupt this process as well."""
        for place in self._places:
            terminalreporter.write_line(
                f"ERROR: a worker was interrupted, by a signal or by the code that it ran: {printable(place)}; run again",
                red=True,
            )
