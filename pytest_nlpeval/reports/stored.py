"""Reads a JSON report back, whoever wrote it: what does not follow the schema is told, and nothing else comes through."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

from jsonschema import Draft202012Validator

from pytest_nlpeval.files import FILE_KINDS, Source, json_schema, label, read_source
from pytest_nlpeval.problems import Kind, NlpevalError, ProblemLog
from pytest_nlpeval.wording import quoted

REPORT_KINDS = {**FILE_KINDS, "report.invalid": Kind("error", "the file is no JSON report of this program", fixed=True)}

_GREATEST = 2**53


def stored_report(path: Path) -> dict[str, Any]:
    """Return the JSON report in a file.

    Raises:
        NlpevalError: if the file cannot be read, is no JSON, or does not follow schemas/report.schema.json.
    """
    log = ProblemLog(label(path, Path.cwd()), REPORT_KINDS)
    source = read_source(path, log)
    document = _parsed(source, log) if source else None
    if log.has_errors or not isinstance(document, dict):
        raise NlpevalError(log.problems())
    return document


def _parsed(source: Source, log: ProblemLog) -> Any:
    try:
        document = json.loads(source.data, parse_constant=_no_number, parse_int=_whole)
        for error in Draft202012Validator(json_schema("report.schema.json")).iter_errors(document):
            log.add("report.invalid", quoted(error.message, 200), where=".".join(map(str, error.absolute_path)))
    except json.JSONDecodeError as error:
        log.add("report.invalid", f"is no JSON: {error.msg}", error.lineno, error.colno)
    except (ValueError, RecursionError) as error:  # not UTF-8, a number that no report has, nested beyond reason
        log.add("report.invalid", f"is no JSON report: {error}")
    else:
        return document
    return None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number in JSON")


def _whole(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > _GREATEST:
        raise ValueError("a whole number is too great")
    return int(text)
