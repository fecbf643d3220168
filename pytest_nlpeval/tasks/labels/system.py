"""Reads a system's output: the label, set or score of each item, and perhaps probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat

import numpy as np

from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.labels.answers import Answers, Rows, read_answers
from pytest_nlpeval.tasks.labels.gold import Gold
from pytest_nlpeval.tasks.labels.options import SYSTEM, Options
from pytest_nlpeval.tasks.labels.probabilities import Probabilities, check_probabilities, read_probabilities
from pytest_nlpeval.tasks.labels.rows import Ids, check_number, check_pairs, has_room, is_by_line, pairs_of, read_ids
from pytest_nlpeval.tasks.labels.table import FAULT, read_table
from pytest_nlpeval.wording import plural, quoted


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """The answers of a system's file for the items of gold, in their order; without gold, those of its rows.

    `lines` gives the line of each item, 0 where the file has none.
    """

    answers: Answers
    lines: Rows
    probabilities: Probabilities


def read_system(source: Source, documents: Documents, options: Options, log: ProblemLog) -> System | None:
    """Return the answers of a system's file, or None with all problems in the log.

    Without gold among the documents, whatever needs it is not checked.
    """
    gold: Gold | None = documents.get("gold")
    by_line = gold.ids is None if gold else is_by_line(source.label, options, SYSTEM)
    if not by_line and is_by_line(source.label, options, SYSTEM):
        log.add(
            "labels.format",
            "is read as lines, which have no ids, but gold has ids; name the format in the options, or set pair: line",
        )
    if not has_room(source.label, options, SYSTEM, log) or log.count("labels.format"):
        return None
    columns = [column for _, column in options.probabilities]
    columns += [] if options.probability is None else [options.probability]
    wanted = [*options.answers[SYSTEM], *([] if by_line else [options.ids[SYSTEM]]), *columns]
    table = read_table(source, options, SYSTEM, wanted, log)
    if table is None:
        return None
    answers = read_answers(table, options, SYSTEM, log)
    rows = np.array(table.lines, np.int64)
    ids = None if by_line else read_ids(table, options.ids[SYSTEM], log)
    places = np.arange(len(rows)) if gold is None else _places(gold, ids, rows, log)
    del ids  # of a large file they take as much room as the probabilities, and the text more than all that was read from it
    probabilities = read_probabilities(table, answers.given, options, log)
    del table
    number = len(answers.given) if gold is None else len(gold.units)
    has_errors = log.has_errors
    if has_errors or places is None:
        return None
    lines = np.zeros(number, np.int64)
    lines[places[places >= 0]] = rows[places >= 0]
    system = System(answers.at(places, number), lines, probabilities.at(places, number))
    _check_labels(gold, system, options, log)
    return None if log.has_errors else system


def _places(gold: Gold, ids: Ids | None, lines: Rows, log: ProblemLog) -> Rows | None:
    """Return the item of each row, which begin on these lines, -1 where the row is left out."""
    rows = len(lines)
    if ids is None or gold.ids is None:
        if rows != len(gold.places):
            if not log.count("labels.quotes", "labels.json"):
                log.add("labels.length", f"has {plural(rows, 'row')}, gold has {len(gold.places):,}; row k answers gold's row k")
            return None
        return gold.places
    found = np.fromiter(map(gold.ids.get, ids.names, repeat(_UNKNOWN)), np.int64, rows)
    for row in np.flatnonzero(found == _UNKNOWN).tolist():
        if ids.names[row] not in ("", FAULT):
            log.add("labels.unknown-id", f"the id {quoted(ids.names[row])} is not in gold", int(lines[row]))
    places = np.where(ids.is_first & (found >= 0), found, -1)
    is_there = np.zeros(len(gold.units), np.bool_)
    is_there[places[places >= 0]] = True
    for item in np.flatnonzero(~is_there).tolist():
        log.add("labels.missing-id", f"has no row for the id {quoted(gold.units[item])} of gold; give each item an answer")
    return places


_UNKNOWN = -2


def _check_labels(gold: Gold | None, system: System, options: Options, log: ProblemLog) -> None:
    """Log what all labels together show, those of gold included if it is there."""
    names = {*(gold.answers.names if gold else ()), *system.answers.names}
    check_number({*names, *system.probabilities.columns}, log)
    if gold is None:
        return
    check_pairs(pairs_of(gold.answers, gold.group) | pairs_of(system.answers, gold.group), log)
    for label in options.averaged:
        if label not in names:
            log.add("labels.averaged", f"the label {quoted(label)} of the option averaged is in neither file")
    check_probabilities(system.probabilities, gold.answers, system.answers, system.lines, options, log)
