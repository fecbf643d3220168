"""The pytest plugin's entry point: options, ini, marker, fixture. Imports nothing heavy.

Without `--nlpeval` it does nothing; with it, `pytest_nlpeval.pytest_plugin` takes part in the run.
"""

from __future__ import annotations

import os
import sys
from fnmatch import fnmatch
from typing import TYPE_CHECKING

import pytest

from pytest_nlpeval.pytest_plugin.own_modules import import_as_python_does

import_as_python_does()

from pytest_nlpeval.pytest_plugin import interrupts  # noqa: E402

interrupts.begin()  # until it is known whether there is --nlpeval, and then with it: also while the rest is imported

from pytest_nlpeval.reports import EVIDENCE  # noqa: E402
from pytest_nlpeval.reports.formats import formats_of  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Generator

    from pytest_nlpeval.pytest_plugin.fixture import Scorer


_running: list[pytest.Config] = []
"""The runs of pytest in this process that are not over: one inside another is a test's."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options and the ini setting."""
    group = parser.getgroup("nlpeval", "regression tests of NLP systems")
    group.addoption("--nlpeval", action="store_true", help="collect nlpeval.yaml files and run their suites")
    group.addoption("--nlpeval-profile", metavar="NAME", help="choose a set of gates of the configuration")
    group.addoption(
        "--nlpeval-suite",
        action="append",
        default=[],
        metavar="NAME[/SYSTEM]",
        help="collect this suite alone, or those of a pattern with *; may be repeated",
    )
    group.addoption(
        "--nlpeval-report",
        action="append",
        default=[],
        metavar="FORMAT:PATH",
        help=f"write a report, FORMAT one of {', '.join((*formats_of('run'), EVIDENCE))}; may be repeated",
    )
    group.addoption(
        "--nlpeval-shard",
        metavar="I/N",
        help="count share I of N of the documents, for `nlpeval merge`: with --nlpeval-report evidence:FILE",
    )
    group.addoption(
        "--nlpeval-baseline", metavar="B", help="compare with git:REVISION, git:merge-base(REVISION), a baseline file, or none"
    )
    group.addoption("--nlpeval-default-baseline", metavar="B", help="the same, for suites whose configuration names no baseline")
    group.addoption("--nlpeval-update-baseline", action="store_true", help="accept the results: write the baseline files")
    group.addoption("--nlpeval-save-baseline", metavar="FILE", help="write the evidence of the run to a baseline file")
    group.addoption("--nlpeval-confidence", metavar="C", help="confidence of the intervals of scores, or off (default: 0.95)")
    group.addoption("--nlpeval-resamples", metavar="N", help="resamples for intervals and tests (default: 10,000)")
    group.addoption("--nlpeval-seed", metavar="N", help="seed of their random numbers (default: 12345)")
    group.addoption("--nlpeval-informational", action="store_true", help="report gates, but do not fail")
    group.addoption("--nlpeval-produce", action="store_true", help="make the systems' files first, by the commands of `produce`")
    group.addoption("--nlpeval-no-cache", action="store_true", help="keep evidence for this run only, not in pytest's cache")
    group.addoption(
        "--nlpeval-outside",
        action="append",
        metavar="CONFIG",
        help="allow_outside counts in this configuration only (may be repeated; none: in none)",
    )
    parser.addini("nlpeval_order", "where the items of suites run: last, behind all tests, or first", default="last")
    parser.addini(
        "nlpeval_files",
        "file name patterns of configurations",
        type="args",
        default=["nlpeval.yaml", "nlpeval.yml", "*.nlpeval.yaml", "*.nlpeval.yml"],
    )


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """With `--nlpeval`, run code of other packages in a child process, which begins before output is captured and threads are started."""
    if not _running:
        if early_config.known_args_namespace.nlpeval:
            from pytest_nlpeval.pytest_plugin import streams
            from pytest_nlpeval.pytest_plugin.first_process import go_on_apart

            streams.begin()
            go_on_apart()
        else:
            interrupts.give_back()
    yield


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> Generator[None, int, int]:
    """Tell the process that waits for this one, if there is one, how pytest ends."""
    _running.append(config)
    try:
        code = yield
        _check_output(config)
    except OSError:
        _check_output(config, "\n")  # it may be what failed, and have kept nothing of it
        raise
    finally:
        _running.pop()
    if not _running:
        interrupts.end()
        if apart := sys.modules.get("pytest_nlpeval.cli.apart"):
            apart.tell(int(code))
    return code


def _check_output(config: pytest.Config, text: str = "") -> None:
    if config.getoption("nlpeval") and _running == [config]:
        from pytest_nlpeval.pytest_plugin import streams

        streams.check(text)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker; with `--nlpeval`, take part in the run."""
    config.addinivalue_line("markers", "nlpeval: cases and gates that pytest-nlpeval collects")
    if config.getoption("nlpeval"):
        from pytest_nlpeval.pytest_plugin import workers

        if worker := getattr(config, "workerinput", None):
            workers.end_with(int(worker["nlpeval_controller"]))
        from pytest_nlpeval.pytest_plugin.hooks import Hooks

        config.pluginmanager.register(workers.Interrupts(config), "nlpeval-interrupts")
        config.pluginmanager.register(Hooks(config), "nlpeval-session")
        return
    given = [name for name, value in vars(config.option).items() if name.startswith("nlpeval_") and value]
    if given:
        raise pytest.UsageError(f"--{given[0].replace('_', '-')} needs --nlpeval: without it no suite is run")


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: pytest.ExitCode, config: pytest.Config
) -> None:
    """Without `--nlpeval`, show what tests judged, or hint at it where an argument names a configuration that only the plugin collects."""
    if config.getoption("nlpeval"):
        return
    reports = [report for reports in terminalreporter.stats.values() for report in reports if hasattr(report, "nlpeval_judged")]
    if reports:
        from pytest_nlpeval.pytest_plugin.table import write_judged

        write_judged(terminalreporter, reports)
    if exitstatus not in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED):
        return
    patterns = config.getini("nlpeval_files")
    names = [argument.partition("::")[0] for argument in config.args]
    if any(fnmatch(os.path.basename(name), pattern) for name in names for pattern in patterns):  # noqa: PTH119 - text
        terminalreporter.write_line("hint: add --nlpeval to run the suites of nlpeval.yaml")


@pytest.fixture(scope="session")
def nlpeval(request: pytest.FixtureRequest) -> Scorer:
    """Scores and judges in hand-written tests, files or output in memory: `score`, `judge` a suite of a configuration, `check`, `report`.

    Paths are relative to the rootdir. A result's values are `result["accuracy"]`; its `scores` and `all_problems()` tell the rest.
    """
    from pytest_nlpeval.pytest_plugin.fixture import scorer_of

    return scorer_of(request.session)
