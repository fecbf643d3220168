"""Reads a JSON report back, whoever wrote it: what does not follow the schema is told, and nothing else comes through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from pytest_nlpeval import __version__
from pytest_nlpeval.files import json_schema, label, read_source
from pytest_nlpeval.formats.json import Dialect, read_json
from pytest_nlpeval.formats.sight import Sight
from pytest_nlpeval.problems import NlpevalError, ProblemLog
from pytest_nlpeval.reports import VERSION
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.report_kinds import REPORT_KINDS
from pytest_nlpeval.wording import quoted

MOST_MISTAKES = 1_000
"""After how many mistakes nothing more of a report is checked: a few megabytes of nothing else would take minutes."""

DIALECT = replace(Dialect.of("report.invalid"), text="")
"""Documents may be called like files whose names are not UTF-8."""


def stored_report(path: Path) -> Report:
    """Return the report in a JSON file.

    Raises:
        NlpevalError: if the file cannot be read, is not JSON, is of another version, does not follow schemas/report.schema.json, or has a
            drawing that cannot be drawn.
    """
    log = ProblemLog(label(path, Path.cwd()), REPORT_KINDS)
    source = read_source(path, log)
    entry = read_json(source, log, DIALECT) if source else None
    if entry and not log.has_errors:
        for code, message, where in _mistakes(entry.value):
            log.add(code, message, where=where)
    if not log.has_errors and entry:
        try:
            return Report.from_json(entry.value)
        except ValueError as error:
            log.add("report.invalid", str(error))
    raise NlpevalError(log.problems())


def _mistakes(report: Any) -> Iterator[tuple[str, str, str]]:
    """Yield what is wrong with a report: code, message, place. Of one of another version nothing else is told."""
    facts = report if isinstance(report, dict) else {}
    version, tool = facts.get("version"), facts.get("tool")
    writer = quoted(tool, 100) if isinstance(tool, str) else "an unknown program"
    if isinstance(version, int) and version != VERSION:
        ours = f"pytest-nlpeval {__version__} reads version {VERSION}"
        remedy = "make the report anew, or use the program that wrote it"
        yield "report.version", f"is of version {version}, written by {writer}; {ours}: {remedy}", "version"
        return
    if command := _command(facts):
        yield (
            "report.invalid",
            f"is a report of `nlpeval {command}`, which writes other formats itself: `--report FORMAT:PATH`",
            "",
        )
        return
    schema = json_schema("report.schema.json")
    if Sight(schema).is_right(report, schema):
        return
    from pytest_nlpeval.reports.quick_validator import quick_validator  # the library takes a fifth of a small report's time

    mistakes = quick_validator(schema).iter_errors(report)
    wrong = False
    for error in islice(mistakes, MOST_MISTAKES):
        wrong = True
        yield "report.invalid", quoted(error.message, 200), ".".join(map(str, error.absolute_path))
    if next(mistakes, None):
        yield "report.more", f"has more than {MOST_MISTAKES:,} mistakes; no more are looked for", ""
    if wrong and isinstance(tool, str) and tool != f"pytest-nlpeval {__version__}":
        message = f"was written by {writer}, and this is pytest-nlpeval {__version__}: what is not read here may be new there"
        yield "report.version", message, "tool"


def _command(facts: Mapping[str, Any]) -> str:
    """Return which other command wrote a report, if one did."""
    suites = facts.get("suites")
    if "pairs" in facts:
        return "compare"
    has_points = isinstance(suites, list) and any(isinstance(suite, dict) and "points" in suite for suite in suites)
    return "history" if has_points else ""
