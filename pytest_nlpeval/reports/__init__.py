"""Reports: one module per format, each a pure function of suite results, or of the JSON report alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pytest_nlpeval.files import write_atomically
from pytest_nlpeval.reports.csv import csv_report
from pytest_nlpeval.reports.json import json_report, report_document
from pytest_nlpeval.reports.markdown import markdown_report
from pytest_nlpeval.reports.native import native_report
from pytest_nlpeval.reports.text import text_report
from pytest_nlpeval.run.results import SuiteResult

FROM_JSON: Mapping[str, Callable[[Mapping[str, Any], int], str]] = {
    "markdown": markdown_report,
    "native": lambda report, _limit: native_report(report),
}
"""The formats that are functions of the JSON report, be it new or stored, and of the bytes that there is room for."""

FORMATS: Mapping[str, Callable[[Sequence[SuiteResult]], str]] = {
    "csv": csv_report,
    "json": json_report,
    "markdown": lambda results: markdown_report(report_document(results)),
    "native": lambda results: native_report(report_document(results)),
    "text": partial(text_report, scores=True),
}


@dataclass(frozen=True, slots=True)
class ReportTarget:
    """A report that was asked for: its format and the file it goes to."""

    format: str
    path: Path

    def write(self, results: Sequence[SuiteResult]) -> None:
        """Write the report, its folder included; `OSError` if that fails."""
        write_atomically(self.path, FORMATS[self.format](results))


def report_target(text: str) -> ReportTarget:
    """Read `FORMAT:PATH`; `ValueError` with a helpful message if it is something else."""
    name, colon, path = text.partition(":")
    if name not in FORMATS or not colon or not path:
        raise ValueError(f'"{text}" is no report; expected FORMAT:PATH with FORMAT one of {", ".join(sorted(FORMATS))}')
    return ReportTarget(name, Path(path))
