"""Reads tables: a row for each document of a topic, between tabs or commas."""

from __future__ import annotations

import numpy as np

from pytest_nlpeval.files import Source
from pytest_nlpeval.kit.records import BLANKS, FAULT, File, Layout, read_records
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.ranking.ids import Ids
from pytest_nlpeval.tasks.ranking.lists import Lists
from pytest_nlpeval.tasks.ranking.numbers import floats_of, integers_of
from pytest_nlpeval.tasks.ranking.options import GOLD, Options, Side
from pytest_nlpeval.tasks.ranking.records import CONVENTIONS


def read_table_file(source: Source, kind: str, options: Options, side: Side, log: ProblemLog) -> Lists | None:
    """Return what a table holds, None if it lacks a column; what is wrong with it goes to the log.

    By `order: rank` the values of a run are its negative ranks.
    """
    columns = options.columns(side)
    file = File(source, Layout(format=kind, id=()), CONVENTIONS, log)
    records = read_records(file, columns)
    if records is None:
        return None
    topics, documents, numbers = ([cell.strip(BLANKS) for cell in records.cells(column)] for column in columns)
    lines = np.array(records.lines, np.int32)
    if FAULT in topics:
        kept = [row for row, topic in enumerate(topics) if topic != FAULT]
        topics, documents, numbers = ([cells[row] for row in kept] for cells in (topics, documents, numbers))
        lines = lines[kept]
    for what, cells in (("topic", topics), ("document", documents)):
        for row in (row for row, cell in enumerate(cells) if not cell) if "" in cells else ():
            log.add("ranking.shape", f"the id of the {what} is empty", int(lines[row]))
    places = {topic: place for place, topic in enumerate(dict.fromkeys(topics))}
    return Lists(
        tuple(places),
        np.fromiter(map(places.__getitem__, topics), np.int32, len(topics)),
        Ids.of(documents),
        _values(Ids.of(numbers), lines.tolist(), options, side, log),
        lines,
        np.zeros(len(places), np.bool_),
    )


def _values(texts: Ids, lines: list[int], options: Options, side: Side, log: ProblemLog) -> np.ndarray:
    if side != GOLD and options.order == "rank":
        ranks, is_whole = integers_of(texts)
        for row in np.flatnonzero(~is_whole).tolist():
            log.add("ranking.rank", "the rank is no whole number of at most 2^53; expected 1, 2, …", lines[row])
        return -ranks.astype(np.float64)
    values, faults = floats_of(texts)
    code = "grade" if side == GOLD else "score"
    for row, text in faults:
        log.add(f"ranking.{code}", f"{text} is no {code}; expected a number such as 12.5 or -1e-3", lines[row])
    return values
