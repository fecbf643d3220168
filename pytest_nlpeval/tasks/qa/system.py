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
    ids = _object_of_ids(source, "a number", log)
    if ids is None:
        return None
    numbers = {name: ids.number(name) for name in ids.value}
    _log_unknown(dict.fromkeys(numbers), documents, log)
    return None if log.has_errors else _known(numbers, documents)


def read_system(source: Source, documents: Documents, _options: Options, log: ProblemLog) -> System | None:
    """Return the predictions of a file, or None with all problems in the log.

    Without gold among the documents, ids are not compared with it.
    """
    found = _of_lines(source, log) if is_json_lines(source, _PREDICTIONS) else _of_object(source, log)
    if found is None:
        return None
    texts, lines, numbers = found
    _log_unknown({name: lines.get(name) for name in texts}, documents, log)
    if not log.count("qa.json", "text.encoding", "text.nul"):  # what cannot be read is not missing
        _log_missing(texts, documents, log)
    system = System(_known(texts, documents), _known(lines, documents), _known(numbers, documents))
    _check_numbers(system, numbers, documents.get("na_prob"), log)
    return None if log.has_errors else system


_Found = tuple[Mapping[str, str | None], Mapping[str, int | None], Mapping[str, float | None]]
"""By question's id the prediction, its line and its no-answer number, those that are malformed as None."""


def _of_object(source: Source, log: ProblemLog) -> _Found | None:
    ids = _object_of_ids(source, "text", log)
    return None if ids is None else ({name: ids.text(name) for name in ids.value}, {}, {})


def _of_lines(source: Source, log: ProblemLog) -> _Found:
    records = _records(source, log)
    texts = {name: _prediction(record) for name, record in records.items()}
    numbers = {name: record.number(_NUMBER) for name, record in records.items() if _NUMBER in record.value}
    return texts, {name: record.line for name, record in records.items()}, numbers


def _object_of_ids(source: Source, what: str, log: ProblemLog) -> Node | None:
    """Return an object of ids, None with the problem in the log if the file has something else."""
    entry = read_json(source, log, IDS)
    if entry is None and log.count("qa.duplicate-id") and not log.count("qa.json"):  # the first values can be looked at
        entry = read_json(source, ProblemLog(log.path, log.kinds, {"qa.duplicate-id": "off"}), IDS)
    if entry is None:
        return None
    node = Node(entry.value, log)
    if isinstance(entry.value, dict):
        return node
    node.refuse(f"an object of question ids, with {what} for each")
    return None


def _records(source: Source, log: ProblemLog) -> dict[str, Node]:
    """Return the records of JSON Lines by question's id; of one id the first, the others are logged."""
    records: dict[str, Node] = {}
    for line, value in read_json_lines(source, log, LINES):
        record = Node(value, log, line)
        name = record.name("id") if record.has("id") else None
        if name is None:
            continue
        first = records.setdefault(name, record)
        if first is not record:
            message = f"the question {quoted(name)} has a prediction on line {first.line} already; keep one of the two"
            log.add("qa.duplicate-id", message, line, where=where(name))
    return records


def _prediction(record: Node) -> str | None:
    first, second = _PREDICTIONS
    if first in record.value and second in record.value:
        record.say(f"has both `{first}` and its other name `{second}`; keep one of the two")
        return None
    if second in record.value:
        return record.text(second)
    return record.text(first) if record.has(first) else None


def _known(found: Mapping[str, Value | None], documents: Documents) -> dict[str, Value]:
    """Return what there is, of questions that gold has, if there is gold."""
    gold: Gold | None = documents.get("gold")
    return {name: value for name, value in found.items() if value is not None and (gold is None or name in gold.questions)}


def _log_unknown(lines: Mapping[str, int | None], documents: Documents, log: ProblemLog) -> None:
    gold: Gold | None = documents.get("gold")
    for name, line in lines.items() if gold else ():
        if gold and name not in gold.questions:
            message = f"gold has no question {quoted(name)}; are both files of the same data?"
            log.add("qa.unknown-id", message, line, where=where(name))


def _log_missing(names: Collection[str], documents: Documents, log: ProblemLog) -> None:
    gold: Gold | None = documents.get("gold")
    for name in gold.questions if gold else ():
        if name not in names:
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
