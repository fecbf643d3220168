"""Reads a JSON report back, whoever wrote it: what does not follow the schema is told, and nothing else comes through."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from pytest_nlpeval.files import FILE_KINDS, json_schema, label, read_source
from pytest_nlpeval.formats.json import Dialect, read_json
from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.problems import Kind, NlpevalError, ProblemLog
from pytest_nlpeval.wording import quoted

REPORT_KINDS = {
    **FILE_KINDS,
    **text_kinds("off"),
    "report.invalid": Kind("error", "the file is not a JSON report of this program", fixed=True),
}


def stored_report(path: Path) -> dict[str, Any]:
    """Return the JSON report in a file.

    Raises:
        NlpevalError: if the file cannot be read, is not JSON, or does not follow schemas/report.schema.json.
    """
    log = ProblemLog(label(path, Path.cwd()), REPORT_KINDS)
    source = read_source(path, log)
    entry = read_json(source, log, Dialect.of("report.invalid")) if source else None
    if entry:
        for error in Draft202012Validator(json_schema("report.schema.json")).iter_errors(entry.value):
            log.add("report.invalid", quoted(error.message, 200), where=".".join(map(str, error.absolute_path)))
    if log.has_errors or not entry:
        raise NlpevalError(log.problems())
    report: dict[str, Any] = entry.value
    return report
