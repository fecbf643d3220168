"""Records: what the summary at the end of a run needs of an item, or of a suite that a test judged. Plain values: workers send them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.problems import MOST_ALIKE, Problem, texts_of_alike
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.wording import printable

CASE = "CaseItem"
"""The kind of the record of a document, or of a batch of them."""

Record = Mapping[str, Any]
"""What `record_of` returns."""

_Place = tuple[str, int | None, int | None, str]
"""The path, line and column of a problem, and what names the element or field."""

JUDGED = "Judged"
"""The kind of the record of a suite that a test judged."""


def record_of(
    kind: str,
    suite: Suite,
    *,
    result: SuiteResult | None = None,
    measures: Collection[str] = (),
    problems: Iterable[Problem] = (),
    ran: int = 0,
) -> dict[str, Any]:
    """Return a record: of some gates with the suite's result and their measures, of documents with how many were done.

    `ranks` are the places of measures that fail in the order of the digest, as far as anybody has worked that out. `warnings` are
    the problems that are warnings, as JSON: code and message, and the places of all that say the same; their paths are relative to `root`.
    """
    return {
        "kind": kind,
        "config": str(suite.config) if suite.config else suite.label,
        "label": suite.label,
        "suite": suite.name,
        "line": suite.line,
        "documents": len(suite.cases),
        "is_gated": any(suite.layers),
        "gates": [verdict.to_json() for name in measures for verdict in result.verdicts_on(name)] if result else [],
        "scores": {name: result.score_json(name) for name in measures if name in result.scores} if result else {},
        "ranks": {},
        "root": str(suite.root),
        "warnings": _sent(problem for problem in problems if problem.severity == "warning"),
        "may_have_notes": bool(suite.recipe.task.notes or suite.only_validates),
        "notes": list(result.notes) if result else None,
        "ran": ran,
    }


def by_suite(records: Iterable[Record]) -> dict[tuple[str, int, str], list[Record]]:
    """Return the records of each suite, by configuration, line and name, in this order."""
    suites: dict[tuple[str, int, str], list[Record]] = {}
    for record in records:
        suites.setdefault((record["config"], record["line"], record["suite"]), []).append(record)
    return dict(sorted(suites.items()))


def in_order(records: Mapping[tuple[str, str], dict[str, Any]]) -> list[dict[str, Any]]:
    """Return records by the id of their node and their kind; those of documents come last, by their ids: workers end in any order."""
    return [record for _, record in sorted(records.items(), key=lambda entry: _id_of_documents(*entry))]


def _id_of_documents(key: tuple[str, str], record: Mapping[str, Any]) -> str:
    return key[0] if record["kind"] == CASE else ""


def _sent(warnings: Iterable[Problem]) -> str:
    """Return warnings as JSON in ASCII: a list of codes and messages with their places, which `warning_lines` reads.

    Workers send very many. execnet would write a list value by value, in Python, and cannot write half a surrogate pair, which a path may
    have.
    """
    places: dict[tuple[str, str], list[_Place]] = {}
    for each in warnings:
        places.setdefault((each.code, each.message), []).append((each.path, each.line, each.column, each.where))
    return json.dumps([(code, message, of_message) for (code, message), of_message in places.items()])


def warning_lines(records: Iterable[Record]) -> list[str]:
    """Return a line for each warning of records, each once, and of many that say the same the first few: as the command tells them."""
    by_root: dict[str, dict[tuple[str, str], dict[_Place, None]]] = {}
    for record in records:
        places = by_root.setdefault(record["root"], {})
        for code, message, of_message in json.loads(record["warnings"]):
            places.setdefault((code, message), {}).update(dict.fromkeys(map(tuple, of_message)))
    return [
        printable(text)
        for root, places in by_root.items()
        for (code, message), alike in places.items()
        for text in _texts(code, message, list(alike), Path(root))
    ]


def _texts(code: str, message: str, places: Sequence[_Place], root: Path) -> Iterator[str]:
    told = [Problem(code, "warning", path, line, column, where, message) for path, line, column, where in places[:MOST_ALIKE]]
    return texts_of_alike(told, [path for path, *_ in places[MOST_ALIKE:]], root)
