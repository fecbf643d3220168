"""Finds the mentions of plain sentences of CorefUD (`plain_rows`), all of a piece of a file together.

A sentence stays plain if each `Entity` is made of chunks that `entity_chunks` reads without a problem, none is a part of a mention, and
all mentions that begin in it end in it, each with places of its own. The others are read by `entity_chunks`, whose rules these are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pytest_nlpeval.tasks.coref.entity_chunks import Fields
from pytest_nlpeval.tasks.coref.plain_chunks import Chunks, Found, mentions_of
from pytest_nlpeval.tasks.coref.plain_rows import NOWHERE, Bytes, Numbers, Rows, Truths

_ATTRIBUTE = b"Entity="


class _Attributes(NamedTuple):
    """Texts, and the attributes in them: the row of each, and where it begins and ends."""

    codes: Bytes
    rows: Numbers
    starts: Numbers
    ends: Numbers


def find_mentions(rows: Rows, fields: Fields | None) -> Found:
    """Return the mentions of all blocks that are plain and remain so; without fields, none that has an `Entity` does."""
    is_plain = rows.is_plain.copy()
    attributes = _attributes(rows)
    if fields is None:
        is_plain[rows.block_of[attributes.rows]] = False
        attributes = _Attributes(attributes.codes, *(column[:0] for column in attributes[1:]))
        fields = Fields(0, None)
    chunks = _chunks(attributes, rows.block_of, is_plain)
    chunks, heads = _columns(attributes.codes, chunks, fields, rows.block_of, is_plain)
    return mentions_of(rows, attributes.codes, chunks, heads, is_plain)


def _attributes(rows: Rows) -> _Attributes:
    """Return the first attribute `Entity` of each row that has one."""
    of_cell, codes, borders = rows.last_columns(rows.last_ends - rows.last_starts >= len(_ATTRIBUTE), "\n")
    firsts, behind = borders[:-1], borders[1:] - 1
    ends = np.flatnonzero(codes == ord("=")) + 1
    ends = ends[ends >= len(_ATTRIBUTE)]
    for place, code in enumerate(reversed(_ATTRIBUTE), 1):
        ends = ends[codes[ends - place] == code]
    cells = np.searchsorted(firsts, ends, "right") - 1
    starts = ends - len(_ATTRIBUTE)
    is_one = (starts == firsts[cells]) | (codes[starts - 1] == ord("|"))
    ends, cells = ends[is_one], cells[is_one]
    is_first = np.diff(cells, prepend=-1) > 0
    ends, cells = ends[is_first], cells[is_first]
    bars = np.append(np.flatnonzero(codes == ord("|")), NOWHERE)
    return _Attributes(codes, of_cell[cells], ends, np.minimum(bars[np.searchsorted(bars, ends)], behind[cells]))


def _chunks(attributes: _Attributes, block_of: Numbers, is_plain: Truths) -> Chunks:
    """Return the chunks of attributes; blocks with an attribute that is not made of chunks alone are no longer plain."""
    codes, of_row, starts, ends = attributes
    places = np.flatnonzero((codes == ord("(")) | (codes == ord(")")))
    of = np.searchsorted(starts, places, "right") - 1
    inside = of >= 0
    inside[inside] = places[inside] < ends[of[inside]]
    places, of = places[inside], of[inside]
    opens = codes[places] == ord("(")
    is_first = np.diff(of, prepend=-1) > 0
    is_last = np.diff(of, append=len(starts)) > 0
    behind_open = ~is_first & np.roll(opens, 1)
    before_close = ~is_last & ~np.roll(opens, -1)
    previous = np.where(is_first, starts[of] - 1, np.roll(places, 1))
    following = np.where(is_last, ends[of], np.roll(places, -1))
    is_wrong = opens & (following == places + 1)  # nothing in it
    is_wrong |= opens & ~behind_open & (previous != places - 1)  # text before it
    is_wrong |= ~opens & (previous == places - 1)
    is_wrong |= ~opens & is_last & (following != places + 1)  # text behind it
    is_plain[block_of[of_row[of[is_wrong]]]] = False
    is_plain[block_of[of_row[np.bincount(of, minlength=len(starts)) == 0]]] = False
    is_chunk = opens | ~behind_open
    whole = opens & before_close
    return Chunks(
        of_row[of], np.where(opens, places, previous) + 1, np.where(opens, following, places), opens, ~opens | whole
    ).where(is_chunk)


def _columns(codes: Bytes, chunks: Chunks, fields: Fields, block_of: Numbers, is_plain: Truths) -> tuple[Chunks, Numbers]:
    """Return chunks that begin and end where their ids do, and the head of each, 0 if it has none; -1 is no number from 1."""
    dashes = np.flatnonzero(codes == ord("-"))
    next_dash = np.searchsorted(dashes, chunks.starts)
    dashes = np.concatenate((dashes, np.full(max(fields.id, fields.head or 0) + 1, NOWHERE)))
    starts, ends = _field(chunks, dashes, next_dash, fields.id)
    starts, ends = np.where(chunks.begins, starts, chunks.starts), np.where(chunks.begins, ends, chunks.ends)
    is_wrong = ~chunks.begins & (dashes[next_dash] < chunks.ends)
    is_wrong |= (starts >= ends) | (codes[ends - 1] == ord("]"))
    is_plain[block_of[chunks.rows[is_wrong]]] = False
    named = chunks._replace(starts=starts, ends=ends)
    if fields.head is None:
        return named, np.zeros(len(starts), np.int64)
    return named, _numbers(codes, *_field(chunks, dashes, next_dash, fields.head))


def _field(chunks: Chunks, dashes: Numbers, next_dash: Numbers, rank: int) -> tuple[Numbers, Numbers]:
    """Return where a field of each chunk begins and ends; where there is none, it ends where it begins, with the chunk."""
    starts = chunks.starts if rank == 0 else dashes[next_dash + rank - 1] + 1
    return np.minimum(starts, chunks.ends), np.minimum(dashes[next_dash + rank], chunks.ends)


_LONGEST_HEAD = 9


def _numbers(codes: Bytes, starts: Numbers, ends: Numbers) -> Numbers:
    """Return the numbers that stand between starts and ends: 0 for nothing, and -1 for what is no number from 1 of a few digits."""
    lengths = ends - starts
    numbers = np.zeros(len(starts), np.int64)
    is_wrong = lengths > _LONGEST_HEAD
    for place in range(min(int(lengths.max(initial=0)), _LONGEST_HEAD)):
        some = np.flatnonzero(lengths > place)
        digits = codes[starts[some] + place].astype(np.int64) - ord("0")
        is_wrong[some] |= (digits < 0) | (digits > 9)
        numbers[some] = 10 * numbers[some] + digits
    return np.where(is_wrong | ((lengths > 0) & (numbers == 0)), -1, numbers)
