"""Reads a system's output: the label, set or score of each item, and perhaps probabilities."""

from __future__ import annotations

import numpy as np

from pytest_nlpeval.files import Source
from pytest_nlpeval.kit.records import File, Ids, pair_by_id, pair_by_line, read_ids
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.labels.answers import Answers, Rows, read_answers
from pytest_nlpeval.tasks.labels.gold import Gold
from pytest_nlpeval.tasks.labels.limits import check_number, check_pairs, pairs_of
from pytest_nlpeval.tasks.labels.options import SYSTEM, Options
from pytest_nlpeval.tasks.labels.probabilities import Probabilities, check_probabilities, read_probabilities
from pytest_nlpeval.tasks.labels.rows import file_of, has_room, read_rows
from pytest_nlpeval.tasks.labels.written_sets import check_common_labels
from pytest_nlpeval.wording import quoted


@light_dataclass(frozen=True, slots=True, eq=False)
class System:
    """The answers of a system's file for the items of gold, in their order; without gold, those of its rows.

    `lines` gives the line of each item, 0 where the file has none. `left_out` is how many records `where` left out.
    """

    answers: Answers
    lines: Rows
    probabilities: Probabilities
    left_out: int = 0


def read_system(source: Source, documents: Documents, options: Options, log: ProblemLog) -> System | None:
    """Return the answers of a system's file, or None with all problems in the log.

    Without gold among the documents, whatever needs it is not checked.
    """
    gold: Gold | None = documents.get("gold")
    file = file_of(source, options, SYSTEM, log)
    if gold:
        file = file.paired_like(gold_has_ids=gold.ids is not None)
    if not has_room(file, options, SYSTEM) or log.count("labels.format"):
        return None
    fields = [*options.answers[SYSTEM], *(field for _, field in options.probabilities)]
    table = read_rows(file, [*fields, *([] if options.probability is None else [options.probability])], options, SYSTEM)
    if table is None:
        return None
    answers = read_answers(table, options, SYSTEM, log)
    rows = np.array(table.lines, np.int64)
    ids = read_ids(table, file) if file.has_ids else None
    places = np.arange(len(rows)) if gold is None else _items(gold, ids, len(rows), file)
    del ids  # of a large file they take as much room as the probabilities, and the text more than all that was read from it
    probabilities = read_probabilities(table, answers.given, options, log)
    left_out = table.left_out
    del table
    number = len(answers.given) if gold is None else len(gold.units)
    has_errors = log.has_errors
    if has_errors:
        return None
    lines = np.zeros(number, np.int64)
    lines[places[places >= 0]] = rows[places >= 0]
    system = System(answers.at(places, number), lines, probabilities.at(places, number), left_out)
    _check_labels(gold, system, options, log)
    return None if log.has_errors else system


def _items(gold: Gold, ids: Ids | None, number: int, file: File) -> Rows:
    """Return the item that each row answers, given their ids and number, -1 where the row is left out."""
    if ids is None or gold.ids is None:
        rows = pair_by_line(len(gold.places), number, file)
    else:
        rows = pair_by_id(gold.ids, ids, file, needs_answer=gold.places >= 0)
    return np.where(rows >= 0, gold.places[rows], -1)


def _check_labels(gold: Gold | None, system: System, options: Options, log: ProblemLog) -> None:
    """Log what all labels together show, those of gold included if it is there."""
    names = {*(gold.answers.names if gold else ()), *system.answers.names}
    check_number({*names, *system.probabilities.columns}, log)
    if gold is None:
        return
    check_pairs(pairs_of(gold.answers, gold.group) | pairs_of(system.answers, gold.group), log)
    check_common_labels(gold.answers.names, system.answers.names, int(system.answers.given.sum()), options, log)
    for label in options.averaged:
        if label not in names:
            log.add("labels.averaged", f"the label {quoted(label)} of the option averaged is in neither file")
    check_probabilities(system.probabilities, gold.answers, system.answers, system.lines, options, log)
