"""Numbers as text: scores, grades and ranks, each of very many at once."""

from __future__ import annotations

import math
import re

import numpy as np

from pytest_nlpeval.tasks.ranking.ids import Flags, Ids, Integers
from pytest_nlpeval.tasks.ranking.lists import Values
from pytest_nlpeval.wording import quoted

_NUMBER = re.compile(rb"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(rb"[+-]?0*([0-9]{1,16})")
_MOST_DIGITS = 9

Faults = list[tuple[int, str]]
"""Rows that are no numbers, each with what stands there, as messages quote it."""


def floats_of(texts: Ids) -> tuple[Values, Faults]:
    """Return decimal numbers as doubles; what is no finite one is a fault, and NaN.

    >>> floats_of(Ids.of(["1.5", "-2e1", ".5", "nan", "1_0", "1e999"]))
    (array([  1.5, -20. ,   0.5,   nan,   nan,   nan]), [(3, '"nan"'), (4, '"1_0"'), (5, '"1e999"')])
    """
    starts = texts.starts.tolist()
    ends = (texts.starts + texts.lengths).tolist()
    cells = map(texts.text.__getitem__, map(slice, starts, ends))
    try:
        values = np.fromiter(map(float, cells), np.float64, len(starts))
    except ValueError:
        values = np.full(len(starts), np.nan)
    doubtful = np.flatnonzero(~np.isfinite(values) | _has_other_characters(texts)).tolist()
    faults: Faults = []
    for row, text in zip(doubtful, texts.encoded(doubtful), strict=True):
        values[row] = float(text) if _NUMBER.fullmatch(text) else np.nan
        if not math.isfinite(values[row]):
            values[row] = np.nan
            faults.append((row, quoted(text.decode())))
    return values, faults


def _has_other_characters(texts: Ids) -> Flags:
    """Return which texts hold what `float` reads, and a number may not have: `_`, and blanks other than spaces."""
    if not len(texts):
        return np.zeros(0, np.bool_)
    first, last = int(texts.starts.min()), int((texts.starts + texts.lengths).max())
    codes = np.frombuffer(texts.text, np.uint8, last - first, first)
    places = np.flatnonzero(_OTHERS[codes]) + first
    has_others = np.zeros(len(texts), np.bool_)
    rows = np.searchsorted(texts.starts, places, "right") - 1  # the texts stand in the order of the file
    inside = rows >= 0
    inside[inside] = places[inside] < (texts.starts + texts.lengths)[rows[inside]]
    has_others[rows[inside]] = True
    return has_others


_OTHERS = np.zeros(256, np.bool_)
_OTHERS[list(b"_\x0b\x0c\r\x1c\x1d\x1e\x1f")] = True


def integers_of(texts: Ids) -> tuple[Integers, Flags]:
    """Return whole numbers, and which texts are some, of at most 2**53; others are 0.

    >>> integers_of(Ids.of(["12", "-7", "1.0", "x"]))
    (array([12, -7,  0,  0]), array([ True,  True, False, False]))
    """
    codes = np.frombuffer(texts.text, np.uint8)
    lengths, starts = texts.lengths, texts.starts.astype(np.int64)
    values, is_whole = np.zeros(len(texts), np.int64), lengths <= _MOST_DIGITS
    for place in range(min(_MOST_DIGITS, int(lengths.max(initial=0)))):
        has_more = lengths > place
        digits = codes[np.where(has_more, starts + place, starts)] - np.uint8(ord("0"))
        values = np.where(has_more, 10 * values + digits, values)
        is_whole &= ~has_more | (digits <= 9)
    doubtful = np.flatnonzero(~is_whole).tolist()
    for row, text in zip(doubtful, texts.encoded(doubtful), strict=True):
        match = _WHOLE.fullmatch(text)
        number = int(match[1]) if match else GREATEST_RANK + 1
        is_whole[row] = number <= GREATEST_RANK
        values[row] = (-number if text.startswith(b"-") else number) if is_whole[row] else 0
    return values, is_whole


GREATEST_RANK = 2**53
"""Beyond, a double holds not every whole number."""
