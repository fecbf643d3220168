"""Reads a system's predictions, and how sure it is of each question that it has no answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import read_json, read_json_lines
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.qa.gold import Gold
from pytest_nlpeval.tasks.qa.options import Options
from pytest_nlpeval.tasks.qa.records import IDS, LINES, Node, is_json_lines, where
from pytest_nlpeval.wording import quoted

Value = TypeVar("Value")

_PREDICTIONS = ("prediction", "prediction_text")
_NUMBER = "no_answer_probability"

Numbers = Mapping[str, float]
"""No-answer numbers by question's id, in the order of their file."""


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """The predictions of a file by question's id, without those of questions that gold has not.

    `lines` are the lines of JSON Lines, `numbers` the no-answer numbers in them, in their order.
    """

    texts: dict[str, str]
    lines: dict[str, int]
    numbers: dict[str, float]


def read_numbers(source: Source, documents: Documents, _options: Options, log: ProblemLog) -> Numbers | None:
    """Return the no-answer numbers of a file of their own, or None with all problems in the log.

    Without gold among the documents, ids are not compared with it.
    """
    nodes = _nodes_by_id(source, "a number", log)
    numbers = {name: node.number() for name, node in nodes.items()}
    _log_unknown(nodes, documents, log)
    return None if log.has_errors else _known(numbers, documents)


def read_system(source: Source, documents: Documents, _options: Options, log: ProblemLog) -> System | None:
    """Return the predictions of a file, or None with all problems in the log.

    Without gold among the documents, ids are not compared with it.
    """
    if is_json_lines(source, _PREDICTIONS):
        nodes = _nodes_of_lines(source, log)
        texts = {name: _prediction(node) for name, node in nodes.items()}
    else:
        nodes = _nodes_by_id(source, "text", log)
        texts = {name: node.text() for name, node in nodes.items()}
    if log.count("qa.json", "text.encoding", "text.nul"):
        return None
    _log_unknown(nodes, documents, log)
    _log_missing(nodes, documents, log)
    lines = {name: node.line for name, node in nodes.items()}
    numbers = {name: nodes[name][_NUMBER].number() for name in nodes if lines[name] and _NUMBER in nodes[name].value}
    system = System(_known(texts, documents), _known(lines, documents), _known(numbers, documents))
    _check_numbers(system, numbers, documents.get("na_prob"), log)
    return None if log.has_errors else system


def _nodes_by_id(source: Source, what: str, log: ProblemLog) -> dict[str, Node]:
    """Return the values of an object of ids."""
    entry = read_json(source, log, IDS)
    if entry is None:
        return {}
    node = Node(entry.value, log)
    if isinstance(entry.value, dict):
        return {name: node[name] for name in entry.value}
    node.refuse(f"an object of question ids, with {what} for each, or JSON Lines")
    return {}


def _nodes_of_lines(source: Source, log: ProblemLog) -> dict[str, Node]:
    """Return the records of JSON Lines by question's id; of one id the first, the others are logged."""
    nodes: dict[str, Node] = {}
    for line, value in read_json_lines(source, log, LINES):
        node = Node(value, log, line)
        name = node["id"].name() if node.has("id") else None
        if name is None:
            continue
        first = nodes.setdefault(name, node)
        if first is not node:
            message = f"the question {quoted(name)} has a prediction on line {first.line} already; keep one of the two"
            log.add("qa.duplicate-id", message, line, where=where(name))
    return nodes


def _prediction(node: Node) -> str | None:
    first, second = _PREDICTIONS
    if second not in node.value:
        return node[first].text() if node.has(first) else None
    if first in node.value:
        node.refuse(f"`{first}` or, its other name, `{second}`, not both")
    return node[second].text()


def _known(found: Mapping[str, Value | None], documents: Documents) -> dict[str, Value]:
    """Return what there is, of questions that gold has, if there is gold."""
    gold: Gold | None = documents.get("gold")
    return {name: value for name, value in found.items() if value is not None and (gold is None or name in gold.questions)}


def _log_unknown(nodes: Mapping[str, Node], documents: Documents, log: ProblemLog) -> None:
    gold: Gold | None = documents.get("gold")
    for name, node in nodes.items():
        if gold is not None and name not in gold.questions:
            message = f"gold has no question {quoted(name)}; are both files of the same data?"
            log.add("qa.unknown-id", message, node.line, where=where(name))


def _log_missing(nodes: Collection[str], documents: Documents, log: ProblemLog) -> None:
    gold: Gold | None = documents.get("gold")
    for name in gold.questions if gold else ():
        if name not in nodes:
            message = f"the question {quoted(name)} has no prediction; write the empty text where the system finds no answer"
            log.add("qa.missing-id", message, where=where(name))


def _check_numbers(system: System, own: Collection[str], given: Numbers | None, log: ProblemLog) -> None:
    """Log numbers in both places, or predicted questions without one though others have one; `own` are those of JSON Lines."""
    if own and given:
        message = f"has `{_NUMBER}`, and there is a file `na_prob`, too; keep the numbers in one place"
        log.add("qa.na-prob", message, system.lines.get(next(iter(own))))
        return
    numbered, place = (own, f"the line has no `{_NUMBER}`") if own else (given or (), "the file `na_prob` has none")
    for name in system.texts if numbered else ():
        if name not in numbered:
            message = f"the question {quoted(name)} has no no-answer number, though others have: {place}; give all or none"
            log.add("qa.na-prob", message, system.lines.get(name), where=where(name))
