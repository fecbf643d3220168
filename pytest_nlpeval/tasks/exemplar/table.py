"""What gold and system files share: tab-separated rows below a header, and how absence is written."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_nlpeval.problems import ProblemLog

ABSENT = "---"
"""The content of Relation and Trigger where there is no relation."""

FIELDS = ("Entity1", "Relation", "Entity2", "Trigger", "Annotated Sentence")
RELATION, TRIGGER, SENTENCE = 1, 3, 4

FIRST_ROW = 2
"""The line of the first row in a file that has its header."""

QUOTED = 120
"""How many code points of a line a message quotes."""


def first_row(lines: Sequence[str], is_row: bool, fields: str, log: ProblemLog) -> int:  # noqa: FBT001 - what line 1 is
    """Return the line number of the first row: 2, or 1 where the first line `is_row`. Logs a missing header."""
    if not is_row and "".join(lines[:1]).strip():
        return FIRST_ROW
    state = "the first line is a row" if is_row else "the first line is blank" if lines else "the file is empty"
    log.add("exemplar.header", f"{state}; expected a header line: {fields}, separated by tabs", 1, 1 if lines else None)
    return 1 if is_row else FIRST_ROW


def field_column(line: str, rank: int) -> int:
    """Return the column, from 1, at which the field of that rank begins."""
    return sum(len(field) + 1 for field in line.split("\t")[:rank]) + 1


def log_empty(line: str, number: int, rank: int, log: ProblemLog) -> None:
    """Log that the field of that rank is empty."""
    name = FIELDS[rank]
    message = f"{name} is empty; write `{ABSENT}` where there is no relation"
    log.add("exemplar.empty", message, number, field_column(line, rank), name)
