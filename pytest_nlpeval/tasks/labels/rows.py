"""The rows of a file: how they are read, their cells as text, and what a format has room for."""

from __future__ import annotations

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import Dialect
from pytest_nlpeval.kit.records import BLANKS, FAULT, Conventions, Field, File, Records, kind_of, read_records, text_of
from pytest_nlpeval.kit.records.layout import LINES
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.labels.options import GOLD, Options, Side

SCORES = "scores"
"""The field of a record that is a list alone, as a pipeline returns the scores of all labels for each text."""

CONVENTIONS = Conventions(
    "labels",
    Dialect.of("labels.json", objects=True, greatest=10**100),
    item="row",
    answer="row",
    advice="give each item an answer",
    codes={"wrong-id": "value"},
    keeps_blank_end=False,
    list_field=SCORES,
)


def file_of(source: Source, options: Options, side: Side, log: ProblemLog) -> File:
    """Return a file with how it is read."""
    return File(source, options.layouts[side], CONVENTIONS, log)


def read_rows(file: File, fields: list[Field], options: Options, side: Side) -> Records | None:
    """Return the rows of a file with some fields; a set of labels is a list, of anything else a list of one element is the element."""
    answers = options.answers[side]
    is_list = options.is_set and not options.is_indicated[side]
    return read_records(file, fields, lists=answers if is_list else (), needed=fields)


def has_room(file: File, options: Options, side: Side) -> bool:
    """Whether the format of a file has room for what the options ask for; what it has none for goes to the log."""
    if file.format != LINES:
        return True
    advice = "name the format in the options, or the file *.tsv"
    if options.is_set:
        file.add("format", f"is read as lines, which have no sets of labels; {advice}")
    of_gold = {"group": options.group is not None, "text": bool(options.text)}
    asked = of_gold if side == GOLD else {"probability": options.has_probabilities}
    for option in (option for option, is_asked in asked.items() if is_asked):
        file.add("column", f"is read as lines, which have no column {option}; {advice}")
    return not file.log.has_errors


def texts_of(rows: Records, field: Field, what: str, log: ProblemLog) -> list[str]:
    """Return the cells of a field as they are compared, "" for nothing; of JSON a whole number or a truth value counts as its text."""
    cells = rows.cells(field)
    if rows.is_json:
        return [label_of(cell, what, line, log) for cell, line in zip(cells, rows.lines, strict=True)]
    return [cell.strip(BLANKS) for cell in cells]


def label_of(cell: object, what: str, line: int, log: ProblemLog) -> str:
    """Return a value of JSON as text; `FAULT` with a problem in the log if it is no label."""
    text = text_of(cell) if cell is None or isinstance(cell, str | int) else FAULT
    if text != FAULT:
        return text
    log.add("labels.value", f"the {what} is {kind_of(cell)}; expected a string, a whole number, true or false", line)
    return FAULT
