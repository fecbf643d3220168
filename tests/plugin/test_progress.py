"""What pytest shows on a terminal while a gate evaluates a suite and that lasts: words behind pytest's line, which are gone in the end."""

from __future__ import annotations

import re
import sys
import time
from io import StringIO
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import cast

import pytest
from _pytest._io import TerminalWriter

from pytest_nlpeval.pytest_plugin import progress
from tests.cli.terminals import on_terminal
from tests.support import RIGHT, make_suite
from tests.unit.baselines.repositories import commit, start

PROGRAM = """
import math, sys, threading, pytest
import _pytest.terminal
_pytest.terminal.REPORT_COLLECTING_RESOLUTION = math.inf  # on a busy machine, pytest counts what it collects more than once
from pytest_nlpeval.pytest_plugin import progress
from pytest_nlpeval.run import case
progress.PATIENCE, progress.PAUSE, progress.TICK = 0, -1, 1000
shown, show, evaluate_cases = threading.Event(), progress.Progress._show, case.evaluate_cases
def noting(self):
    show(self)
    shown.set()
def waiting(*arguments, **keywords):
    assert not WAITS or shown.wait(100)
    return evaluate_cases(*arguments, **keywords)
progress.Progress._show, case.evaluate_cases = noting, waiting
arguments = ["--nlpeval", "-p", "no:randomly", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "no:xdist"]
sys.exit(pytest.main([*arguments, "-W", "ignore", *sys.argv[1:]]))
"""
WORDS = re.compile(r"\x1b7\x1b\[K ([^\x1b]*)\x1b8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_suite(start(tmp_path), "accuracy: 0.5", runs={f"d{number}": RIGHT for number in range(5)})
    commit(tmp_path)
    return tmp_path


def run(folder: Path, *arguments: str, columns: int = 80, waits: bool = True, environment: dict[str, str] | None = None) -> str:
    program = (sys.executable, "-c", PROGRAM.replace("WAITS", str(waits)))
    code, text = on_terminal(folder, *arguments, columns=columns, program=program, environment=environment)
    assert code == 0, text
    return re.sub(r"=+", "=", re.sub(r"\d+\.\d\ds", "0.00s", text))  # a rule is as long as the time beside it leaves room


@pytest.mark.parametrize("arguments", [[], ["-v"], ["-q"], ["-s"]])
def test_it_tells_how_far_a_suite_is_and_leaves_no_trace(folder: Path, arguments: list[str]) -> None:
    text = run(folder, "-k", "accuracy", *arguments)
    told = WORDS.findall(text)
    assert told[0] == "dev: 0 of 5 documents"
    assert re.fullmatch(r"dev: 4 of 5 documents, [\d,]+/s, 0:00 left", told[-2])
    assert re.fullmatch(r"dev: scores, intervals, tests(, \d:\d\d)?", told[-1])
    plain = run(folder, "-k", "accuracy", *arguments, waits=False, environment={"TERM": "dumb", "PY_COLORS": "1"})
    assert not WORDS.search(plain)
    assert WORDS.sub("", text).replace("\x1b[K", "") == plain


def test_documents_of_the_baseline_are_counted_again(folder: Path) -> None:
    told = WORDS.findall(run(folder, "-k", "accuracy", "--nlpeval-baseline=git:HEAD"))
    assert [words.split(",")[0] for words in told].count("dev: 1 of 5 documents") == 2
    assert sum(words.startswith("dev: scores, intervals, tests") for words in told) == 2


@pytest.mark.parametrize("columns", [20, 40, 60])
def test_the_words_stay_on_pytests_line(folder: Path, columns: int) -> None:
    text = run(folder, "-k", "accuracy", columns=columns)
    assert all(len("nlpeval.yaml  ") + len(words) <= columns for words in WORDS.findall(text))


def test_the_time_moves_while_intervals_are_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, clock, shown = StringIO(), [0.0], Event()
    monkeypatch.setattr(progress, "PATIENCE", 0)
    monkeypatch.setattr(progress, "TICK", 0.001)
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    monkeypatch.delenv("TERM", raising=False)
    writer = TerminalWriter(terminal)
    plugins = {"terminalreporter": SimpleNamespace(isatty=True)}
    config = SimpleNamespace(pluginmanager=SimpleNamespace(get_plugin=plugins.get), get_terminal_writer=lambda: writer)
    words = progress.Progress(cast("pytest.Config", config))
    show = words._show

    def noting() -> None:
        show()
        if "0:07" in terminal.getvalue():
            shown.set()

    monkeypatch.setattr(words, "_show", noting)
    with words.of("dev", 5):
        words.tell(5, 5)
        clock[0] = 7.0
        assert shown.wait(100)
    assert WORDS.findall(terminal.getvalue())[-1] == "dev: scores, intervals, tests, 0:07"
    assert terminal.getvalue().endswith("\x1b[K")


def test_nothing_is_told_where_there_is_no_terminal(folder: Path, pytester: pytest.Pytester) -> None:
    result = pytester.run(
        sys.executable, "-c", PROGRAM.replace("WAITS", "False"), "--rootdir", str(folder), str(folder), "-k", "accuracy"
    )
    assert result.ret == 0
    assert "\x1b" not in result.stdout.str()
    assert "documents, " not in result.stdout.str()
