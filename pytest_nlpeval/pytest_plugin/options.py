"""What the user asked of the plugin."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pytest_nlpeval.reports import ReportTarget, report_target
from pytest_nlpeval.wording import printable


@dataclass(frozen=True, slots=True)
class Options:
    """The options and the ini setting: `patterns` are the names of configurations, `targets` the reports to write."""

    profile: str | None
    informational: bool
    no_cache: bool
    patterns: tuple[str, ...]
    targets: tuple[ReportTarget, ...]

    @classmethod
    def of(cls, config: pytest.Config) -> Options:
        """Return the options of a run; `pytest.UsageError` if a report cannot be what was asked for."""
        return cls(
            config.getoption("nlpeval_profile"),
            config.getoption("nlpeval_informational"),
            config.getoption("nlpeval_no_cache"),
            tuple(config.getini("nlpeval_files")),
            tuple(map(_target, config.getoption("nlpeval_report"))),
        )


def _target(text: str) -> ReportTarget:
    try:
        target = report_target(text)
    except ValueError as error:
        raise pytest.UsageError(printable(f"--nlpeval-report: {error}")) from None
    if target.is_stdout:
        raise pytest.UsageError("--nlpeval-report: the standard output is pytest's own; give a file")
    return target
