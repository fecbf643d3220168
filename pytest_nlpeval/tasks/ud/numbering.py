"""IDs: which rows are words, ranges and empty nodes, and whether each stands where it should."""

from __future__ import annotations

import re

import numpy as np

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.ud.table import Flags, Integers, Table
from pytest_nlpeval.wording import quoted

WORD, RANGE, EMPTY, NONE = range(4)

MOST = 10**9
"""Greater numbers in IDs are this one: no sentence is so long."""

_ID = re.compile(r"([1-9][0-9]*)(?:-([1-9][0-9]*))?|(0|[1-9][0-9]*)\.([1-9][0-9]*)")


@light_dataclass(frozen=True, slots=True, eq=False)
class Numbering:
    """The rows of each kind, ascending, and the two numbers of each row's ID, 0 for one that it does not have.

    `empty` leaves out an empty node whose ID a later one of its sentence has. `range_of` gives for each word the rank of the range that it
    is in, -1 for none. `is_sound` says of each sentence that its IDs are right, `sizes` how many words it has.
    """

    words: Integers
    ranges: Integers
    empty: Integers
    low: Integers
    high: Integers
    range_of: Integers
    sizes: Integers
    is_sound: Flags


def parse_id(text: str) -> tuple[int, int, int]:
    """Return the kind of an ID and its numbers, 0 for one that it does not have.

    >>> [parse_id(text) for text in ("3", "1-2", "0.1", "01")] == [(WORD, 3, 0), (RANGE, 1, 2), (EMPTY, 0, 1), (NONE, 0, 0)]
    True
    """
    match = _ID.fullmatch(text)
    if match is None:
        return NONE, 0, 0
    low, high, before, place = match.groups()
    if place:
        return EMPTY, _number(before), _number(place)
    return (RANGE, _number(low), _number(high)) if high else (WORD, _number(low), 0)


def _number(digits: str) -> int:
    return int(digits) if len(digits) < 10 else MOST


def number_rows(table: Table, log: ProblemLog) -> Numbering:
    """Return the rows by kind, with all problems of IDs in the log."""
    ids = table.columns["ID"]
    parsed = np.array([parse_id(name) for name in ids.names], np.int64).reshape(-1, 3)[ids.codes]
    kind, low, high = parsed[:, 0], parsed[:, 1], parsed[:, 2]
    sound = table.is_sound.copy()
    for row in np.flatnonzero(kind == NONE).tolist():
        message = f"{quoted(ids[row])} is no ID; expected a word such as 3, a range such as 3-4, or an empty node such as 3.1"
        table.log(log, "ud.id", row, message, "ID")
        sound[table.sentence[row]] = False
    words, ranges, empty = (np.flatnonzero(kind == wanted) for wanted in (WORD, RANGE, EMPTY))
    sizes = np.bincount(table.sentence[words], minlength=len(sound))
    told = sound.copy()
    _check_order(table, words, low, told, sound, log)
    before = np.cumsum(kind == WORD) - (kind == WORD)  # words before each row, in the file
    passed = before - (np.cumsum(sizes) - sizes)[table.sentence]  # and in its sentence
    _check_ranges(table, (ranges, low, high), passed, sizes, (told, sound), log)
    kept = _check_empty(table, (empty, low, high), passed, (kind, told), log)
    return Numbering(words, ranges, kept, low, high, _range_of(words, ranges, low, high), sizes, sound)


def _check_order(table: Table, words: Integers, low: Integers, told: Flags, sound: Flags, log: ProblemLog) -> None:
    sentence, numbers = table.sentence[words], low[words]
    expected = np.append(0, numbers[:-1]) + 1 if len(words) else numbers
    expected[np.diff(sentence, prepend=-1) != 0] = 1
    for place in np.flatnonzero((numbers != expected) & told[sentence]).tolist():
        message = f"the ID {numbers[place]} is not the next number; expected {expected[place]}"
        table.log(log, "ud.id-order", int(words[place]), message, "ID")
        sound[sentence[place]] = False


def _check_ranges(
    table: Table,
    rows: tuple[Integers, Integers, Integers],
    passed: Integers,
    sizes: Integers,
    soundness: tuple[Flags, Flags],
    log: ProblemLog,
) -> None:
    told, sound = soundness
    ranges, lows, highs = rows
    sentence_before, end_before = -1, 0
    sides = (ranges, table.sentence[ranges], lows[ranges], highs[ranges], passed[ranges] + 1)
    for row, sentence, low, high, following in zip(*(side.tolist() for side in sides), strict=True):
        end_before = end_before if sentence == sentence_before else 0
        fault = _fault_of_range(low, high, end_before, following, int(sizes[sentence]))
        if fault and told[sentence]:
            table.log(log, "ud.range", row, fault, "ID")
            sound[sentence] = False
        sentence_before, end_before = sentence, max(end_before, high)


def _fault_of_range(low: int, high: int, end_before: int, following: int, size: int) -> str:
    """Return what is wrong with a range, "" for nothing; `following` is the next word, `size` the last one of the sentence."""
    if low > high:
        return f"the range ends before it begins; expected {high}-{low} or so"
    if low <= end_before:
        return f"the range overlaps the one before, which ends at {end_before}"
    if low != following:
        return f"the range does not stand right before word {low}; the next word is {following}"
    return f"the range ends at {high}, the sentence at word {size}" if high > size else ""


def _check_empty(
    table: Table, rows: tuple[Integers, Integers, Integers], passed: Integers, known: tuple[Integers, Flags], log: ProblemLog
) -> Integers:
    """Log empty nodes that are out of order; return those that count."""
    empty, lows, highs = rows
    kind, told = known
    last_other = np.maximum.accumulate(np.where(kind == EMPTY, 0, np.arange(len(kind))))  # up to each row, that is no empty node
    latest: dict[tuple[int, int, int], int] = {}
    run = (-1, -1, 0)
    for row in empty.tolist():
        sentence, before, place = int(table.sentence[row]), int(lows[row]), int(highs[row])
        expected = (sentence, int(passed[row]), 1)
        if run[:2] == expected[:2]:
            expected = (*expected[:2], run[2] + 1)
        message = ""
        if (sentence, before, place) != expected:
            message = f"the empty node {before}.{place} is out of order; expected {expected[1]}.{expected[2]} here"
        elif row and kind[last_other[row - 1]] == RANGE and table.sentence[row - 1] == sentence:
            message = f"the empty node {before}.{place} stands between a range and its first word; put it before the range"
        if message and told[sentence]:
            table.log(log, "ud.empty-node", row, message, "ID")
        if (sentence, before) == expected[:2]:
            run = (sentence, before, place)
        latest[sentence, before, place] = row
    return np.array(sorted(latest.values()), np.int64)


def _range_of(words: Integers, ranges: Integers, low: Integers, high: Integers) -> Integers:
    """Return the rank of the range of each word, as its own row says: so many words from the next one on."""
    rank_of = np.full(len(words), -1)
    starts = np.searchsorted(words, ranges)
    lengths = np.clip(high[ranges] - low[ranges] + 1, 0, len(words))
    ends = np.minimum(starts + lengths, len(words))
    sizes = np.maximum(ends - starts, 0)
    if int(sizes.sum()) <= len(words):  # more only where ranges overlap, which nobody scores
        places = np.repeat(starts - np.cumsum(sizes) + sizes, sizes) + np.arange(int(sizes.sum()))
        rank_of[places] = np.repeat(np.arange(len(ranges)), sizes)
    return rank_of
