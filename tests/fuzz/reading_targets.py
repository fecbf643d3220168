"""Targets that only read, from memory, and are therefore fast: the readers of each task, and those of the formats that they are made of.

What a format's reader takes for right is compared with what another reader of that format makes of it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET
from xml.parsers.expat import errors

import yaml

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats import CSV_KINDS, JSON_KINDS, read_csv, read_json, read_json_lines
from pytest_nlpeval.formats.xml import XML_KINDS, read_records, read_xml
from pytest_nlpeval.formats.yaml import YAML_KINDS, read_yaml
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.run.counting import Reading, read_documents
from pytest_nlpeval.run.reading import read_all
from tests.fuzz.parts import split
from tests.fuzz.task_targets import CASES, by_role, check_problems, lines_of, seeds_of_task, suite_of_input

MOST_BYTES = 2048
"""How long an input of these targets is at most: of short ones more can be tried."""

INVALID_TOKEN = errors.codes[errors.XML_ERROR_INVALID_TOKEN]

_NAME = "f"


def run_readers(task: str, data: bytes) -> None:
    """Read the files of an input in the order of the task's roles: each gives a document, or an error that says why not."""
    suite = suite_of_input(task, data)
    if suite is None:
        return
    (case,) = suite.cases
    (files,) = read_all(suite.recipe, suite.cases)
    reading = read_documents(suite.recipe, case, files)
    contents = by_role(split(data))
    for problems in reading.problems.values():
        check_problems(problems, contents)
    errors = [problem for problems in reading.problems.values() for problem in problems if problem.severity == "error"]
    if not isinstance(reading, Reading):
        if not errors and suite.recipe.task.needed(suite.recipe.options, case.files.keys()) <= tuple(case.files):
            raise AssertionError("not read, without an error")
    elif reading.documents.keys() != case.files.keys():
        raise AssertionError("counted without all documents")


def seeds_of_readers(task: str) -> Iterator[bytes]:
    """Yield the test cases of a task that are short."""
    return (seed for seed in seeds_of_task(task) if len(seed) <= MOST_BYTES)


def seeds_of_files(*ends: str) -> Iterator[bytes]:
    """Yield the short files of the test cases whose names end so, each content once."""
    contents = {path.read_bytes() for end in ends for path in sorted(CASES.glob(f"*/*/*/*{end}"))}
    return (content for content in sorted(contents, key=lambda content: (len(content), content)) if len(content) <= MOST_BYTES)


def run_json(data: bytes) -> None:
    """Read a JSON document, which the standard library must read alike."""
    log = ProblemLog(_NAME, JSON_KINDS)
    entry = read_json(Source(_NAME, data), log)
    _check(data, log, is_read=entry is not None)
    if entry is not None and not _are_equal(entry.value, json.loads(data.decode("utf-8-sig"))):
        raise AssertionError("another value than the standard library's")
    if log.count("json.syntax") and _is_json(data):
        raise AssertionError("the standard library reads what is said to be no JSON")


def run_json_lines(data: bytes) -> None:
    """Read JSON Lines, each of which the standard library must read alike."""
    log = ProblemLog(_NAME, JSON_KINDS)
    entries = list(read_json_lines(Source(_NAME, data), log))
    _check(data, log, is_read=not log.has_errors)
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for entry in entries:
        if not _are_equal(entry.value, json.loads(lines[entry.line - 1].decode())):
            raise AssertionError("another value than the standard library's")
    if len(entries) > len(lines):
        raise AssertionError("more values than lines")


def run_csv(data: bytes) -> None:
    """Read a table of comma-separated values, which the standard library must read alike where a carriage return stands only in CR LF."""
    log = ProblemLog(_NAME, CSV_KINDS)
    rows = list(read_csv(Source(_NAME, data), log))
    _check(data, log, is_read=not log.has_errors)
    if log.has_errors or b"\r" in data.replace(b"\r\n", b""):
        return
    expected = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True))
    if [row.fields for row in rows] != [fields or [""] for fields in expected[: len(rows)]]:
        raise AssertionError("other rows than the standard library's")
    if any(field.strip(" \t") for fields in expected[len(rows) :] for field in fields):
        raise AssertionError("rows are left out")


def run_yaml(data: bytes) -> None:
    """Read YAML: each place is that of a value, on a line of the file, and PyYAML finds the same keys and texts."""
    log = ProblemLog(_NAME, YAML_KINDS)
    document = read_yaml(Source(_NAME, data), log)
    _check(data, log, is_read=document is not None)
    if document is None:
        return
    last = lines_of(data)
    for steps, place in document.places.items():
        if not 1 <= place.line <= last or place.column < 1:
            raise AssertionError(f"{steps} at {place}")
    json.dumps(document.value)
    if b"<<" not in data and not _says_the_same(document.value, yaml.load(data, Loader=yaml.BaseLoader)):
        raise AssertionError("other values than PyYAML's")


def _says_the_same(value: Any, texts: Any) -> bool:
    """Whether a value is what `texts` says, in which all scalars are strings."""
    if isinstance(value, dict):
        return isinstance(texts, dict) and list(value) == list(texts) and all(map(_says_the_same, value.values(), texts.values()))
    if isinstance(value, list):
        return isinstance(texts, list) and len(value) == len(texts) and all(map(_says_the_same, value, texts))
    if value is None:
        return texts in (None, "", "~", "null", "Null", "NULL")
    if isinstance(value, bool):
        return bool(texts.casefold() == str(value).casefold())
    if isinstance(value, str):
        return bool(value == texts)
    if isinstance(value, int):
        return int(texts) == value
    return repr(float(texts.casefold().replace(".inf", "inf").replace(".nan", "nan"))) == repr(value)


def run_xml(data: bytes) -> None:
    """Read a file of pairs as a whole, record by record in pieces of a few bytes, and with the standard library: all find the same."""
    log, whole_log = ProblemLog(_NAME, XML_KINDS), ProblemLog(_NAME, XML_KINDS)
    source = Source(_NAME, data)
    pieces = (data[start : start + 61] for start in range(0, max(len(data), 1), 61))
    records = [dict(record.attrib) for _, record in read_records(source, _SCHEMA, _ROOT, _RECORD, log, pieces)]
    _check(data, log, is_read=not log.has_errors)
    root = read_xml(source, _SCHEMA, (_ROOT,), whole_log)
    _check(data, whole_log, is_read=root is not None)
    if (root is None) != log.has_errors:
        raise AssertionError(f"as a whole {whole_log.problems()}, by record {log.problems()}")
    if root is None:
        return
    if records != [dict(record.attrib) for record in root]:
        raise AssertionError("other records than in the whole")
    try:
        expected = ET.fromstring(data)
    except ET.ParseError as error:
        if data.isascii() or error.code != INVALID_TOKEN:
            raise
        return  # expat knows the letters that the fourth edition of XML allows in names, of which the fifth allows more
    if [*map(_record, expected)] != [*map(_record, root)]:
        raise AssertionError("other records than the standard library's")


def _record(element: Any) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return the attributes of an element, and the names and texts of those in it."""
    return dict(element.attrib), [(part.tag, "".join(part.itertext())) for part in element if isinstance(part.tag, str)]


_SCHEMA, _ROOT, _RECORD = "rte.dtd", "entailment-corpus", "pair"


def _check(data: bytes, log: ProblemLog, *, is_read: bool) -> None:
    check_problems(log.problems(), {_NAME: data})
    if is_read == log.has_errors:
        raise AssertionError(f"{is_read=} with {log.problems()}")


def _are_equal(value: Any, expected: Any) -> bool:
    """Whether two values of JSON are equal and of the same types."""
    return repr(value) == repr(expected)


def _refuse(word: str) -> None:
    raise ValueError(word)


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return True
