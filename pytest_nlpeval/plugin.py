"""The pytest plugin's entry point: options, ini, marker, fixture. Imports nothing heavy.

Without `--nlpeval` it does nothing; with it, `pytest_nlpeval.pytest_plugin` takes part in the run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_nlpeval.pytest_plugin.fixture import Scorer


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options and the ini setting."""
    group = parser.getgroup("nlpeval", "regression tests of NLP systems")
    group.addoption("--nlpeval", action="store_true", help="collect nlpeval.yaml files and run their suites")
    group.addoption("--nlpeval-profile", metavar="NAME", help="choose a set of gates of the configuration")
    group.addoption(
        "--nlpeval-report",
        action="append",
        default=[],
        metavar="FORMAT:PATH",
        help="write a report (csv, json, markdown, native, text); may be repeated",
    )
    group.addoption("--nlpeval-informational", action="store_true", help="report gates, but do not fail")
    group.addoption("--nlpeval-no-cache", action="store_true", help="keep evidence for this run only, not in pytest's cache")
    parser.addini(
        "nlpeval_files",
        "file name patterns of configurations",
        type="args",
        default=["nlpeval.yaml", "nlpeval.yml", "*.nlpeval.yaml", "*.nlpeval.yml"],
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker; with `--nlpeval`, take part in the run."""
    config.addinivalue_line("markers", "nlpeval: cases and gates that pytest-nlpeval collects")
    if config.getoption("nlpeval"):
        from pytest_nlpeval.pytest_plugin.hooks import Hooks

        config.pluginmanager.register(Hooks(config), "nlpeval-session")


@pytest.fixture(scope="session")
def nlpeval(request: pytest.FixtureRequest) -> Scorer:
    """Scores files in hand-written tests: `nlpeval.score(task, gold=…, system=…)`, paths relative to the rootdir.

    The result's values are `result["accuracy"]`; `result.scores` and `result.all_problems()` tell the rest.
    """
    from pytest_nlpeval.pytest_plugin.fixture import scorer_of

    return scorer_of(request.config)
