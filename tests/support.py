"""Builds small suites as text, and runs the command and pytest on them, watching what reaches the terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest

from pytest_nlpeval import SuiteResult, cli, evaluate, tasks
from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.pytest_plugin import fixture
from pytest_nlpeval.run.case import WORTH_STORING

LOADED = (fixture, *(import_module(module.name) for module in walk_packages(tasks.__path__, f"{tasks.__name__}.")))
"""So that pytest runs inside this process find numpy, lxml and all tasks loaded, and leave them so.

pytester forgets what such a run imports. A task that is imported in part before has classes of its modules twice then, and takes what one
half reads for something else: a gold file without wrong pairs.
"""

WARNINGS = "NLPEVAL_TEST_WARNINGS"
"""The environment variable that says what processes of tests make of warnings; `make warnings` sets it."""

THREADS = "OPENBLAS_NUM_THREADS"
"""The environment variable that says in how many threads NumPy multiplies matrices.

Tests give their processes one. NumPy alone starts a thread for each processor. A thread without work spins: with two processors, importing
NumPy takes nearly twice the processor's time that it takes with one thread.
"""

HANG = 900
"""Seconds after which a process, or a page in a browser, is taken to hang: a guard, no measurement, and far more than any takes."""

Pair = tuple[str, str, str]

FOUR: tuple[Pair, ...] = (("1", "IR", "TRUE"), ("2", "IR", "FALSE"), ("3", "QA", "TRUE"), ("4", "QA", "FALSE"))
"""Pairs as (id, task, value)."""

RIGHT = "1 TRUE 0.9\n2 FALSE 0.8\n3 TRUE 0.7\n4 FALSE 0.6\n"
HALF = "1 TRUE 0.9\n2 TRUE 0.8\n3 TRUE 0.7\n4 TRUE 0.6\n"
"""Runs on FOUR: accuracy 1, and 2/4."""

GATE = "accuracy: 0.25"

GOLD, SYSTEM = "gold/{doc}.xml", "system/{doc}.txt"


def gold_xml(pairs: Iterable[Pair] = FOUR) -> str:
    """A gold file of edition 1, so large that its evidence is stored; the first pair is on line 2."""
    lines = (
        f'<pair id="{name}" task="{task}" value="{value}"><t>A text.</t><h>A claim.</h></pair>' for name, task, value in pairs
    )
    return "\n".join(["<entailment-corpus>", *lines, f"</entailment-corpus><!--{' ' * WORTH_STORING}-->"]) + "\n"


def config_text(*gates: str, **entries: str) -> str:
    """A configuration of one suite, `dev` of the task rte unless `entries` (YAML by key) say otherwise, with one gate per argument.

    Its entries begin on line 3; further ones follow on line 7. Without them the first gate is on line 8.
    """
    every = {"name": "dev", "task": "rte", "gold": GOLD, "system": SYSTEM} | entries
    lines = [f"{key}: {value}" for key, value in every.items()]
    lines += ["gates:", *(f"  {gate}" for gate in gates)] if gates else []
    return "version: 1\nsuites:\n  - " + "\n    ".join(lines) + "\n"


def score_quickly(task: str, options: Mapping[str, Any], *, explain: bool = False, **files: Path) -> SuiteResult:
    """As `score`, without intervals, which take longer than all else; those of all cases are made by `tests/tasks/test_cases.py`."""
    suite = suite_of_paths(task, files, options, Path.cwd())
    return evaluate(replace(suite, statistics=replace(suite.statistics, confidence=None)), explain=explain)


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files with their folders; return `folder`."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def make_suite(
    folder: Path,
    *gates: str,
    runs: Mapping[str, str | bytes] | None = None,
    golds: Mapping[str, str | bytes] | None = None,
    config: str | bytes | None = None,
    **entries: str,
) -> Path:
    """Write a suite, its files by document's name, and return `folder`.

    Without `golds`, FOUR is the gold of each run. Without `config`, the configuration is `config_text` of gates and entries.
    """
    runs = {"a": RIGHT, "b": HALF} if runs is None else runs
    golds = dict.fromkeys(runs, gold_xml()) if golds is None else golds
    sides = (entries.get("gold", GOLD), golds), (entries.get("system", SYSTEM), runs)
    write(folder, {path.replace("{doc}", name): text for path, texts in sides for name, text in texts.items()})
    return write(folder, {"nlpeval.yaml": config_text(*(gates or (GATE,)), **entries) if config is None else config})


@dataclass(frozen=True)
class Ended:
    """How a run of the command or of pytest ended."""

    code: int
    out: str
    err: str = ""

    @property
    def all(self) -> str:
        return self.out + self.err


_RAW = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)


def assert_harmless(text: str) -> None:
    """No traceback, nothing that a terminal would obey."""
    for sign in ("Traceback (most recent call last)", "INTERNALERROR", "NotImplementedError"):
        assert sign not in text, text[-4000:]
    raw = _RAW.search(text)
    assert raw is None, f"{raw!r} in {text[max(0, raw.start() - 200) : raw.end() + 50]!r}"


def assert_clean(text: str) -> None:
    """No traceback, nothing that a terminal or a CI runner would obey."""
    assert_harmless(text)
    assert "##[" not in text
    assert not [line for line in text.splitlines() if line.lstrip().startswith("::")]


def command(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> Ended:
    """Run the command in this process, in the current folder."""
    capfd.readouterr()
    try:
        code = cli.main([str(argument) for argument in arguments])
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    captured = capfd.readouterr()
    assert_clean(captured.out)
    assert_clean(captured.err)
    return Ended(code, captured.out, captured.err)


COMMAND = (sys.executable, "-c", "import sys; from pytest_nlpeval.cli import main; sys.exit(main())")
"""The command as a process of its own."""
_EAGER = (
    "import sys; from pytest_nlpeval.cli import main, pool; assert {*vars(pool)} >= {'TRIAL', 'LEAST_GAIN', '_start_up'}; "
    "pool.TRIAL = pool.LEAST_GAIN = -1; pool._start_up = lambda: -1; sys.exit(main())"
)
EAGER_COMMAND = (sys.executable, "-c", _EAGER)
"""The command, with workers that start however little there is to do."""


def command_apart(folder: Path, *arguments: str) -> Ended:
    """Run the command as a process of its own in `folder`."""
    return apart(folder, [*COMMAND, *arguments])


def apart(folder: Path, arguments: Sequence[str], environment: Mapping[str, str] | None = None) -> Ended:
    """Run a program in `folder`."""
    variables = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONWARNINGS": os.environ.get(WARNINGS, ""), **(environment or {})}
    done = subprocess.run(
        arguments, cwd=folder, env=variables, capture_output=True, timeout=HANG, check=False, stdin=subprocess.DEVNULL
    )
    ended = Ended(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert_clean(ended.out)
    assert_clean(ended.err)
    return ended


def run_pytest(pytester: pytest.Pytester, *arguments: str, flag: str = "--nlpeval") -> Ended:
    """Run pytest with the plugin in this process, in pytester's folder."""
    result = pytester.runpytest_inprocess(flag, "-p", "no:randomly", "-p", "no:xdist", "-p", "no:hypothesispytest", *arguments)
    return _ended(result)


def run_pytest_apart(pytester: pytest.Pytester, *arguments: str) -> Ended:
    """Run pytest with the plugin as a process of its own: for xdist."""
    result = pytester.runpytest_subprocess(
        "--nlpeval", "-p", "no:randomly", "-p", "no:hypothesispytest", *arguments, timeout=HANG
    )
    return _ended(result)


def run_pytest_with(pytester: pytest.Pytester, workers: Sequence[str], *arguments: str) -> Ended:
    """Run pytest with xdist's workers as a process of its own, and without any in this process, which takes less time."""
    return run_pytest_apart(pytester, *workers, *arguments) if workers else run_pytest(pytester, *arguments)


def _ended(result: pytest.RunResult) -> Ended:
    ended = Ended(int(result.ret), "\n".join(result.outlines) + "\n", "\n".join(result.errlines) + "\n")
    assert_clean(ended.out)
    assert_clean(ended.err)
    return ended


_OUTCOME = re.compile(r"^(\S+::.*?) (PASSED|FAILED|XFAIL|XPASS|ERROR|SKIPPED)\b")
_XDIST = re.compile(r"^\[gw\d+\] \[[ \d]+%\] (PASSED|FAILED|XFAIL|XPASS|ERROR|SKIPPED) (\S.*)$")


def outcomes(text: str) -> dict[str, str]:
    """The outcome of each item in the output of `pytest -v`, in the order in which they ran."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        if match := _OUTCOME.match(line):
            found[match[1]] = match[2].lower()
        elif match := _XDIST.match(line):
            found[match[2].partition(" <- ")[0].strip()] = match[1].lower()
    return found


def files_below(folder: Path) -> dict[str, bytes | None]:
    """What lies in and below a folder: the content of regular files that this user may read, None for the rest."""
    found: dict[str, bytes | None] = {}
    for top, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(top, name)
            is_read = path.is_file() and not path.is_symlink() and os.access(path, os.R_OK)
            found[str(path.relative_to(folder))] = path.read_bytes() if is_read else None
    return found
