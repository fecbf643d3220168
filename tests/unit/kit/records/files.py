"""Reads files that are written as text here, by the kit alone."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from pytest_nlpeval.files import Source
from pytest_nlpeval.kit.records import Conventions, Field, File, Ids, Records, layouts, read_ids, read_records, record_kinds
from pytest_nlpeval.problems import ProblemLog

KINDS = record_kinds("t")


def file_of(text: str | bytes, label: str, side: int = 1, **given: Any) -> File:
    """A file of a task `t` with these options."""
    data = text if isinstance(text, bytes) else text.encode()
    return File(Source(label, data), layouts(given)[side], Conventions.of("t"), ProblemLog(label, KINDS))


def told(file: File) -> list[str]:
    """The problems of a file: line, name of the code, where."""
    problems = file.log.problems()
    return [f"{problem.line or ''}:{problem.code.removeprefix('t.')}:{problem.where}" for problem in problems]


def read(
    text: str | bytes,
    label: str,
    fields: Sequence[Field] = (),
    lists: Collection[Field] = (),
    needed: Collection[Field] = (),
    **given: Any,
) -> tuple[Records | None, File]:
    file = file_of(text, label, **given)
    return read_records(file, fields, lists=lists, needed=needed), file


def ids_of(text: str | bytes, label: str, **given: Any) -> tuple[Ids, File]:
    records, file = read(text, label, **given)
    assert records is not None, told(file)
    return read_ids(records, file), file


def lines(*values: Any) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)
