"""Results as a report of a run: shown as text, or written to a file in any format."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from pytest_nlpeval.reports import ReportTarget, render
from pytest_nlpeval.reports.formats import formats_of
from pytest_nlpeval.reports.kinds import RUN
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.run.results import SuiteResult


def text_of(results: Sequence[SuiteResult]) -> str:
    """Return the text report of results, with paths as seen from the current folder."""
    return render("text", report_of(results), Setting([result.suite.root for result in results]))


def write(results: Sequence[SuiteResult], format: str, path: str | os.PathLike[str]) -> None:  # noqa: A002 - as above
    """Write a report of results; see `run.results.SuiteResult.write`."""
    if format not in formats_of(RUN.name):
        raise ValueError(f'no report has the format "{format}"; expected one of {", ".join(formats_of(RUN.name))}')
    ReportTarget(format, Path(path)).write(RUN, report_of(results))
