"""Reads a system's output: the relation it extracted between the entity pair of each gold line."""

from __future__ import annotations

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import lines_of, read_text
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.exemplar.gold import Gold
from pytest_nlpeval.tasks.exemplar.options import Options
from pytest_nlpeval.tasks.exemplar.table import (
    ABSENT,
    FIELDS,
    FIRST_ROW,
    QUOTED,
    RELATION,
    field_column,
    first_row,
    log_empty,
)
from pytest_nlpeval.wording import quoted

_FIELDS = 3


@light_dataclass(frozen=True, slots=True, eq=False)
class System:
    """The rows of a system file: what was extracted, "" for nothing. The first row is line 2."""

    extractions: tuple[str, ...]


def read_system(source: Source, documents: Documents, _options: Options, log: ProblemLog) -> System | None:
    """Return the rows of a system file, or None with all problems in the log.

    Without gold among the documents, number and entity pairs of the lines are not checked, nor whether the first line is a
    header.
    """
    text = read_text(source, log)
    if text is None:
        return None
    lines = lines_of(text)
    gold: Gold | None = documents.get("gold")
    is_row = gold is not None and _pair("".join(lines[:1]).split("\t")) in gold.pairs[:1]
    first = first_row(lines, is_row, ", ".join(FIELDS[:_FIELDS]), log)
    rows = [_row(line, number, log) for number, line in enumerate(lines[first - 1 :], first)]
    if gold:
        _check_lines([pair for pair, _ in rows], gold, lines, first, log)
    return None if log.has_errors else System(tuple(extraction for _, extraction in rows))


def _pair(fields: list[str]) -> str | None:
    """Return the entity pair, as in `Gold.pairs`; None if there are too few fields."""
    return f"{fields[0].strip()}\t{fields[2].strip()}" if len(fields) >= _FIELDS else None


def _row(line: str, number: int, log: ProblemLog) -> tuple[str | None, str]:
    fields = line.split("\t", _FIELDS)
    pair = _pair(fields)
    if pair is None:
        wanted = ", ".join(FIELDS[:_FIELDS])
        message = f"expected at least 3 fields separated by tabs ({wanted}), found {len(fields)}: {quoted(line, QUOTED)}"
        log.add("exemplar.fields", message, number)
        return None, ""
    extraction = fields[RELATION].strip()
    if not extraction:
        log_empty(line, number, RELATION, log)
    return pair, "" if extraction == ABSENT else extraction


def _check_lines(pairs: list[str | None], gold: Gold, lines: list[str], first: int, log: ProblemLog) -> None:
    """Log lines that answer another pair than gold's; where lines are missing or too many, only the first of them."""
    others = [rank for rank, (own, its) in enumerate(zip(pairs, gold.pairs, strict=False)) if own not in (its, None)]
    same_number = len(pairs) == len(gold.pairs)
    if not others and same_number:
        return
    gold_lines = lines_of(gold.text)
    if not same_number:
        _log_number(len(pairs), lines, gold_lines, first, log)
    for rank in others if same_number else others[:1]:
        _log_pair(lines[rank + first - 1], rank + first, gold_lines[rank + 1], rank + FIRST_ROW, log)


def _log_number(rows: int, lines: list[str], gold_lines: list[str], first: int, log: ProblemLog) -> None:
    wanted = len(gold_lines) - 1
    what = f"has {rows:,} lines below the header, the gold file {wanted:,}; line k must answer the gold file's line k"
    if rows > wanted:
        number = wanted + first
        message = f"{what}: gold has no line for {quoted(lines[number - 1], QUOTED)}"
    else:
        number = max(len(lines), 1)
        message = f"{what}: nothing answers {quoted(gold_lines[rows + 1], QUOTED)}, line {rows + FIRST_ROW} there"
    log.add("exemplar.line-count", message, number)


def _log_pair(line: str, number: int, gold_line: str, gold_number: int, log: ProblemLog) -> None:
    fields, wanted = line.split("\t"), gold_line.split("\t")
    ranks = [rank for rank in (0, 2) if fields[rank].strip() != wanted[rank].strip()]
    what = f"the entity pair is not that of the gold file's line {gold_number}; answer the same pairs in the same order"
    message = f"{what}: expected {quoted(gold_line, QUOTED)}, got {quoted(line, QUOTED)}"
    log.add("exemplar.pair", message, number, field_column(line, ranks[0]), ", ".join(FIELDS[rank] for rank in ranks))
