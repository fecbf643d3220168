"""Reads which group each document of a suite is in, and checks the groups."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_nlpeval.config.checks import SUITE_KINDS
from pytest_nlpeval.config.document_groups import KEY, DocumentGroups
from pytest_nlpeval.config.suite import File, Suite
from pytest_nlpeval.files import FILE_KINDS
from pytest_nlpeval.kit import records
from pytest_nlpeval.kit.groups import GroupCodes, groups_of
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.run.grouping import Told
from pytest_nlpeval.wording import plural, quoted

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

_KINDS = {**FILE_KINDS, **records.record_kinds("group"), **SUITE_KINDS}


def groups_of_documents(suite: Suite, groups: DocumentGroups, evidence: Evidence | None) -> Told:
    """Return the groups of the documents of a suite, from the file or the names given; without evidence nobody knows of its units."""
    log = ProblemLog(groups.file.label if groups.file else suite.label, _KINDS, suite.recipe.rules)
    line = None if groups.file else suite.line or None
    if groups.file:
        of_names = _read(groups.file, suite, log)
    else:
        of_names = _named(list(groups.given), list(groups.given.values()), [line] * len(groups.given), log)
    documents = [case.name for case in suite.cases]
    by_unit = len(documents) == 1 and documents[0] not in of_names
    if log.has_errors:
        return Told({}, log.problems())
    if not by_unit or evidence:
        _check_names(of_names, evidence.units if by_unit and evidence else documents, line, log)
    return Told(of_names, log.problems(), by_unit)


def _read(file: File, suite: Suite, log: ProblemLog) -> dict[str, str]:
    source = file.read(log, root=suite.recipe.root)
    if source is None:
        return {}
    items = (".",) if source.suffix == ".json" else ()
    layout = records.Layout(id=("document",), items=items)
    listed = records.File(source, layout, replace(records.Conventions.of("group"), has_options=False), log)
    if listed.format == "lines":
        listed.add("format", "is none of .tsv, .csv, .json and .jsonl; expected the columns document and group")
        return {}
    read = records.read_records(listed, ["group", *(["value"] if items else [])])
    if read is None:
        return {}
    ids = records.read_ids(read, listed)
    cells = read.cells("group")
    if items:  # an object of documents has each one's group as the value of its key
        cells = [cell if value is None else value for cell, value in zip(cells, read.cells("value"), strict=True)]
    return _named([name or "" for name in ids.names], cells, read.lines, log)


def _named(names: Sequence[str], cells: Sequence[object], lines: Sequence[int | None], log: ProblemLog) -> dict[str, str]:
    texts = [records.text_of(cell) for cell in cells]
    groups = groups_of(texts, lines, GroupCodes.of("group", unfit="group.reserved"), log)
    places = zip(names, groups.of_rows.tolist(), strict=True)
    return {name: groups.names[place] for name, place in places if place >= 0}


def _check_names(of_names: Collection[str], names: Collection[str], line: int | None, log: ProblemLog) -> None:
    """Log the documents that only the groups have, and those that have no group."""
    if unknown := sorted(set(of_names) - set(names)):
        log.add("group.unknown-document", f"{_said(unknown)} not in the suite", line, where=KEY)
    if lacking := sorted(set(names) - set(of_names)):
        log.add("group.no-group", f"{_said(lacking)} of the suite without a group, and in none", line, where=KEY)


def _said(names: Sequence[str]) -> str:
    more = ", …" if len(names) > 3 else ""
    return f"{plural(len(names), 'document')} ({', '.join(map(quoted, names[:3]))}{more})"
