"""Reads a system's predictions, and how sure it is of each question that it has no answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import compress
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import read_json, read_json_lines
from pytest_nlpeval.kit.records import File, Ids, distinct_ids, pair_by_id, rows_in_gold
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.qa.gold import Gold
from pytest_nlpeval.tasks.qa.mapped import counting_rows, is_mapped, mapped_records
from pytest_nlpeval.tasks.qa.options import Options
from pytest_nlpeval.tasks.qa.records import CONVENTIONS, IDS, LINES, Node, file_of, is_json_lines
from pytest_nlpeval.wording import quoted

Value = TypeVar("Value")

_PREDICTIONS = ("prediction", "prediction_text")
_NUMBER = "no_answer_probability"

Numbers = Mapping[str, float]
"""No-answer numbers by question's id, in the order of their file."""


@light_dataclass(frozen=True, slots=True, eq=False)
class System:
    """The predictions of a file by question's id, without those of questions that gold has not.

    `lines` are the lines of JSON Lines, `numbers` the no-answer numbers in them, in their order; `left_out` is how many records
    `where` left out.
    """

    texts: dict[str, str]
    lines: dict[str, int]
    numbers: dict[str, float]
    left_out: int = 0


def read_numbers(source: Source, documents: Documents, _options: Options, log: ProblemLog) -> Numbers | None:
    """Return the no-answer numbers of a file of their own, or None with all problems in the log.

    Without gold among the documents, ids are not compared with it.
    """
    file = file_of(source, log)
    node = _object_of_ids(file, "a number")
    if node is None:
        return None
    ids = distinct_ids(list(node.value), [None] * len(node.value), file)
    numbers = {name: node.number(name) for name in node.value}
    gold: Gold | None = documents.get("gold")
    names = node.value.keys() if gold is None else _answered(ids, rows_in_gold(gold.ids, ids, file))
    return None if log.has_errors else _of(names, numbers)


def read_system(source: Source, documents: Documents, options: Options, log: ProblemLog) -> System | None:
    """Return the predictions of a file, or None with all problems in the log.

    Without gold among the documents, ids are not compared with it.
    """
    file = file_of(source, log)
    left_out = 0
    if is_mapped(source, options.system):
        mapped = mapped_records(source, options.system, ("prediction",), log)
        left_out = mapped.left_out if mapped else 0
        predictions = mapped and _of_records(mapped.ids, dict(counting_rows(mapped)))
    else:
        predictions = _of_lines(file) if is_json_lines(source, _PREDICTIONS) else _of_object(file)
    if predictions is None:
        return None
    ids, texts, lines, numbers = predictions
    gold: Gold | None = documents.get("gold")
    names = texts.keys() if gold is None else _answered(ids, pair_by_id(gold.ids, ids, file))
    system = System(_of(names, texts), _of(names, lines), _of(names, numbers), left_out)
    _check_numbers(system, numbers, documents.get("na_prob"), log)
    return None if log.has_errors else system


class _Predictions(NamedTuple):
    """All ids of a file; and by id the prediction, its line and its no-answer number, those that are malformed as None."""

    ids: Ids
    texts: Mapping[str, str | None]
    lines: Mapping[str, int | None]
    numbers: Mapping[str, float | None]


def _of_object(file: File) -> _Predictions | None:
    node = _object_of_ids(file, "text")
    if node is None:
        return None
    ids = distinct_ids(list(node.value), [None] * len(node.value), file)
    return _Predictions(ids, {name: node.text(name) for name in node.value}, {}, {})


def _of_lines(file: File) -> _Predictions:
    """Return the predictions of JSON Lines; of one id the first."""
    nodes = [Node(value, file.log, line) for line, value in read_json_lines(file.source, file.log, LINES)]
    named = [(name, node) for node in nodes if node.has("id") and (name := node.name("id")) is not None]
    ids = distinct_ids([name for name, _ in named], [node.line for _, node in named], file)
    return _of_records(ids, dict(compress(named, ids.is_first.tolist())))


def _of_records(ids: Ids, records: Mapping[str, Node]) -> _Predictions:
    """Return the predictions of records, given all ids of the file and, by id, the records that count."""
    texts = {name: _prediction(record) for name, record in records.items()}
    numbers = {name: record.number(_NUMBER) for name, record in records.items() if _NUMBER in record.value}
    return _Predictions(ids, texts, {name: record.line for name, record in records.items()}, numbers)


def _answered(ids: Ids, rows: NDArray[np.int64]) -> list[str]:
    """Return the ids of the records that answer a question of gold, given this question for each, -1 for none."""
    return [name for name, row in zip(ids.names, rows.tolist(), strict=True) if name is not None and row >= 0]


def _of(names: Iterable[str], values: Mapping[str, Value | None]) -> dict[str, Value]:
    """Return the values that some ids have."""
    return {name: value for name in names if (value := values.get(name)) is not None}


def _object_of_ids(file: File, what: str) -> Node | None:
    """Return an object of ids, None with the problem in the log if the file has something else."""
    source, log = file.source, file.log
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


def _prediction(record: Node) -> str | None:
    first, second = _PREDICTIONS
    if first in record.value and second in record.value:
        record.say(f"has both `{first}` and its other name `{second}`; keep one of the two")
        return None
    if second in record.value:
        return record.text(second)
    return record.text(first) if record.has(first) else None


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
            log.add("qa.na-prob", message, system.lines.get(name), where=CONVENTIONS.where(name))
