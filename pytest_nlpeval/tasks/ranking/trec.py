"""Reads the files of trec_eval: judgements (qrels) and results (runs), whose fields stand between runs of spaces and tabs.

A file is read piece by piece, and a piece as arrays: no line of it becomes an object. What is wrong with a line is looked at line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.ranking.ids import Flags, Ids, Integers, changes
from pytest_nlpeval.tasks.ranking.lists import Lists, Values
from pytest_nlpeval.tasks.ranking.numbers import floats_of, integers_of
from pytest_nlpeval.tasks.ranking.options import GOLD, Side
from pytest_nlpeval.wording import plural

Codes: TypeAlias = NDArray[np.uint8]

_BYTES_AT_ONCE = 1 << 22
_LINE_FEED, _SPACE, _TAB, _HASH = b"\n \t#"

FIELDS = ("the 4 fields topic, iteration, document, grade", "the 6 fields topic, Q0, document, rank, score, tag")
_OTHERS = "; other formats have a header (query-id, corpus-id, score) or are JSON: see the option `format`"


class Row(NamedTuple):
    """The pieces of a file's rows: each is an array with an entry for each row of a piece of the file."""

    topic: Integers
    starts: Integers
    lengths: Integers
    values: Values
    ranks: Integers
    is_ranked: Flags
    lines: Integers


@light_dataclass(frozen=True, slots=True, eq=False)
class Trec:
    """What a file holds. `ranks` is the column of ranks, of a run, and `is_ranked` flags the rows whose rank is a whole number."""

    lists: Lists
    ranks: Integers
    is_ranked: Flags


def read_trec(data: bytes, side: Side, log: ProblemLog) -> Trec:
    """Return what a file holds that `read_text` returned; what is wrong with its lines goes to the log."""
    topics: dict[bytes, int] = {}
    pieces = [_piece_rows(piece, data, topics, side, log) for piece in _pieces(data)]
    columns: Any = zip(_NOTHING, *pieces, strict=True)
    row = Row(*(np.concatenate(column) for column in columns))
    del columns, pieces
    names = tuple(name.decode() for name in topics)
    documents = Ids(data, row.starts, row.lengths)
    lists = Lists(names, row.topic, documents, row.values, row.lines, np.zeros(len(names), np.bool_))
    return Trec(lists, row.ranks, row.is_ranked)


_NO_PLACES = np.zeros(0, np.int32)
_NOTHING = Row(_NO_PLACES, _NO_PLACES, _NO_PLACES, np.zeros(0), np.zeros(0, np.int64), np.zeros(0, np.bool_), _NO_PLACES)


class _Piece(NamedTuple):
    """A piece of a file: the offset of its first byte, its bytes, and how many lines are before it."""

    offset: int
    codes: Codes
    lines: int


def _pieces(data: bytes) -> Iterator[_Piece]:
    """Yield the pieces of a text: whole lines, nearly all of them of the same number of bytes."""
    start = lines = 0
    while start < len(data):
        end = data.rfind(b"\n", start, start + _BYTES_AT_ONCE) + 1 or data.index(b"\n", start) + 1
        codes = np.frombuffer(data, np.uint8, end - start, start)
        yield _Piece(start, codes, lines)
        lines += int(np.count_nonzero(codes == _LINE_FEED))
        start = end


class _Fields(NamedTuple):
    """The fields of a piece: where each begins and ends in it; of each row the first of its fields, and its line in the piece, from 0."""

    starts: Integers
    ends: Integers
    first: Integers
    lines: Integers


def _piece_rows(piece: _Piece, data: bytes, topics: dict[bytes, int], side: Side, log: ProblemLog) -> Row:
    fields = _fields_of(piece, side, log)

    def ids(place: int) -> Ids:
        starts, ends = fields.starts[fields.first + place], fields.ends[fields.first + place]
        return Ids(data, (starts + piece.offset).astype(np.int32), (ends - starts).astype(np.int32))

    lines = fields.lines + piece.lines + 1
    documents, code = ids(2), "grade" if side == GOLD else "score"
    values, faults = floats_of(ids(3 if side == GOLD else 4))
    for row, text in faults:
        log.add(f"ranking.{code}", f"{text} is no {code}; expected a number such as 12.5 or -1e-3", int(lines[row]))
    ranks, is_ranked = (_NOTHING.ranks, _NOTHING.is_ranked) if side == GOLD else integers_of(ids(3))
    return Row(_topics(ids(0), topics), documents.starts, documents.lengths, values, ranks, is_ranked, lines.astype(np.int32))


def _fields_of(piece: _Piece, side: Side, log: ProblemLog) -> _Fields:
    """Return the fields of the lines that have enough; others are nothing or, unless they are blank or comments, in the log."""
    codes = piece.codes
    is_end = codes == _LINE_FEED
    is_blank = is_end | (codes == _SPACE) | (codes == _TAB)
    bounds = np.flatnonzero(is_blank[1:] != is_blank[:-1]) + 1
    if not is_blank[0]:
        bounds = np.append(0, bounds)
    starts, ends = bounds[0::2], bounds[1::2]  # the last byte is a line feed
    begins = np.append(0, np.flatnonzero(is_end)[:-1] + 1)
    first = np.searchsorted(starts, begins)
    numbers = np.diff(first, append=len(starts))
    is_line = (numbers > 0) & (codes[begins] != _HASH)
    is_right = numbers == 4 if side == GOLD else numbers >= 6
    for line in np.flatnonzero(is_line & ~is_right).tolist():
        number = piece.lines + line + 1
        message = f"expected {FIELDS[side]}, found {plural(int(numbers[line]), 'field')}"
        log.add("ranking.fields", message + (_OTHERS if number == 1 else ""), number)
    kept = np.flatnonzero(is_line & is_right)
    return _Fields(starts, ends, first[kept], kept)


def _topics(ids: Ids, topics: dict[bytes, int]) -> Integers:
    """Return the place of each row's topic among all; new ones are added."""
    rows = changes(ids)
    places = [topics.setdefault(name, len(topics)) for name in ids.encoded(rows.tolist())]
    return np.repeat(np.array(places, np.int32), np.diff(rows, append=len(ids)))


_COMMENT = re.compile(rb"[ \t]*\n|#[^\n]*\n")


def first_line(data: bytes) -> str:
    r"""Return the first line that is neither blank nor a comment, "" if there is none.

    >>> first_line(b"# a run\n\nq1 Q0 d1 1 2.5 x\n")
    'q1 Q0 d1 1 2.5 x'
    """
    start = 0
    while match := _COMMENT.match(data, start):
        start = match.end()
    return data[start : data.find(b"\n", start)].decode() if start < len(data) else ""
