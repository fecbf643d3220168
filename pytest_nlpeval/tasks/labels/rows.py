"""How rows are told apart, and what a format has room for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.labels.answers import MOST_LABELS, MOST_PAIRS, Answers, Flags, Rows
from pytest_nlpeval.tasks.labels.options import GOLD, Column, Options, Side
from pytest_nlpeval.tasks.labels.table import FAULT, LINES, Table, format_of, texts_of
from pytest_nlpeval.wording import quoted


@dataclass(frozen=True, slots=True, eq=False)
class Ids:
    """The ids of rows, and which rows are the first with theirs."""

    names: list[str]
    is_first: Flags


def read_ids(table: Table, column: Column, log: ProblemLog) -> Ids:
    """Return the ids of all rows; each should be there, and once."""
    names = texts_of(table, column, "id", log)
    is_first = np.ones(len(names), np.bool_)
    distinct = set(names)
    if len(distinct) == len(names) and not distinct & {"", FAULT}:
        return Ids(names, is_first)
    first: dict[str, int] = {}
    for row, name in enumerate(names):
        line = table.lines[row]
        if not name:
            log.add("labels.no-id", "has no id; expected one, or pair: line in the options for files without ids", line)
        elif name != FAULT and first.setdefault(name, line) != line:
            is_first[row] = False
            log.add("labels.duplicate-id", f"the id {quoted(name)} stands on line {first[name]:,} already; ids are unique", line)
    return Ids(names, is_first)


def is_by_line(label: str, options: Options, side: Side) -> bool:
    """Whether the rows of a file have no ids, as far as the file itself can tell."""
    return options.by_line or format_of(label, options, side) == LINES


def has_room(label: str, options: Options, side: Side, log: ProblemLog) -> bool:
    """Whether the format of a file has room for what the options ask for; what it has none for goes to the log."""
    if format_of(label, options, side) != LINES:
        return True
    if options.is_set:
        log.add(
            "labels.format", "is read as lines, which have no sets of labels; name the format in the options, or the file *.tsv"
        )
    of_gold = {"group": options.group is not None, "text": bool(options.text)}
    asked = of_gold if side == GOLD else {"probability": options.has_probabilities}
    for option in (option for option, is_asked in asked.items() if is_asked):
        log.add(
            "labels.column", f"is read as lines, which have no column {option}; name the format in the options, or the file *.tsv"
        )
    return not log.has_errors


def check_number(names: set[str], log: ProblemLog) -> None:
    """Log that there are too many labels."""
    if len(names) > MOST_LABELS:
        message = f"there are {len(names):,} labels, at most {MOST_LABELS:,} are allowed; is it a column of texts or ids?"
        log.add("labels.too-many", message)


def pairs_of(answers: Answers, group: Rows) -> set[tuple[int, str]]:
    """Return the pairs of a group, by its place, and a label that occur."""
    of_entries = group[answers.rows]
    codes = np.unique(of_entries[of_entries >= 0] * len(answers.names) + answers.codes[of_entries >= 0]).tolist()
    return {(code // len(answers.names), answers.names[code % len(answers.names)]) for code in codes}


def check_pairs(pairs: set[tuple[int, str]], log: ProblemLog) -> None:
    """Log that there are too many pairs of group and label."""
    if len(pairs) > MOST_PAIRS:
        message = f"there are {len(pairs):,} pairs of group and label, at most {MOST_PAIRS:,} are allowed; is it a column of texts or ids?"
        log.add("labels.too-many", message)
