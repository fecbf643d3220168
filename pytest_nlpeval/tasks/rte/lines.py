"""Splits the lines of a run into id, judgment and confidence: whole blocks of well-formed lines at once, the others one by one.

`scan_block` recognises the lines that are exactly `id word` or `id word confidence` with plain decimals, by arithmetic on bytes; every
other line goes to `parse_line`, which reads what is tolerated and says what is wrong. On a line that both can read they agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.rte.confidence import MAX_LENGTH, NONE, confidence_key, keys_of_decimals
from pytest_nlpeval.tasks.rte.ids import MAX_DIGITS, keys_of_digits
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Edition
from pytest_nlpeval.wording import quoted

_LF, _BLANK, _ZERO, _POINT = 10, 32, 48, 46
BLOCK_BYTES = 1 << 21

Bytes = NDArray[np.uint8]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Line:
    """A single judgment: pair id, whether it says that entailment holds, and the confidence's key or `NONE`."""

    id: str
    positive: bool
    confidence: int


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The well-formed lines of a block: their rank in it, the id's key, judgment and confidence; `others` are the ranks of the rest."""

    ranks: Integers
    keys: Integers
    positive: NDArray[np.int8]
    confidence: Integers
    others: list[int]


def blocks(text: bytes) -> Iterator[bytes]:
    """Yield `text`, which ends in LF or is empty, in pieces of whole lines."""
    start = 0
    while start < len(text):
        end = text.find(b"\n", min(start + BLOCK_BYTES, len(text)) - 1) + 1
        yield text[start:end]
        start = end


def scan_block(text: bytes, edition: Edition) -> Block:
    """Return the judgments of all lines that are exactly as an edition's format has them."""
    data = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(data == _LF)
    starts = np.concatenate(([0], ends[:-1] + 1))
    blanks = np.append(np.flatnonzero(data == _BLANK), [len(text), len(text)])
    count = np.bincount(np.searchsorted(ends, blanks[:-2]), minlength=ends.size)
    first = np.cumsum(count) - count
    has_confidence = count == 2
    after_id = np.where(count > 0, blanks[first], starts)
    after_word = np.where(has_confidence, blanks[np.minimum(first + 1, blanks.size - 1)], ends)

    digits, good = _numeral(data, starts, after_id - starts)
    positive = _is_word(data, after_id + 1, after_word - after_id - 1, edition.positive)
    good &= positive | _is_word(data, after_id + 1, after_word - after_id - 1, edition.negative)
    confidence = np.full(ends.size, NONE)
    if edition.has_confidence:
        keys = _confidence(data, after_word + 1, ends - after_word - 1)
        confidence[has_confidence] = keys[has_confidence]
        good &= (count == 1) | (has_confidence & (keys != NONE))
    else:
        good &= count == 1
    keys = keys_of_digits(digits, after_id - starts)
    return Block(
        np.flatnonzero(good),
        keys[good],
        positive[good].astype(np.int8),
        confidence[good],
        np.flatnonzero(~good).tolist(),
    )


def _bytes_at(data: Bytes, places: Integers) -> Integers:
    return data[np.minimum(places, data.size - 1)].astype(np.int64)


def _numeral(data: Bytes, starts: Integers, lengths: Integers) -> tuple[Integers, Booleans]:
    good = (lengths >= 1) & (lengths <= MAX_DIGITS)
    value = np.zeros(starts.size, np.int64)
    for place in range(min(MAX_DIGITS, int(lengths.max(initial=0)))):
        inside = lengths > place
        digit = _bytes_at(data, starts + place) - _ZERO
        good &= ~inside | ((digit >= 0) & (digit <= 9))
        value = np.where(inside & good, value * 10 + digit, value)
    return value, good


def _is_word(data: Bytes, starts: Integers, lengths: Integers, word: str) -> Booleans:
    same: Booleans = lengths == len(word)
    for place, character in enumerate(word.encode()):
        same &= _bytes_at(data, starts + place) == character
    return same


def _confidence(data: Bytes, starts: Integers, lengths: Integers) -> Integers:
    good = (lengths >= 1) & (lengths <= MAX_LENGTH)
    mantissa, digits, points, decimals = (np.zeros(starts.size, np.int64) for _ in range(4))
    for place in range(MAX_LENGTH):
        inside = lengths > place
        character = _bytes_at(data, starts + place)
        digit = character - _ZERO
        is_digit = inside & (digit >= 0) & (digit <= 9)
        is_point = inside & (character == _POINT)
        good &= ~inside | is_digit | is_point
        mantissa = np.where(is_digit, mantissa * 10 + digit, mantissa)
        digits += is_digit
        decimals += is_digit & (points > 0)
        points += is_point
    good &= (digits >= 1) & (points <= 1)
    return np.where(good, keys_of_decimals(np.where(good, mantissa, 0), np.where(good, decimals, 0)), NONE)


_SEPARATOR = re.compile(r"[ \t]+")


def parse_line(text: str, number: int, edition: Edition, log: ProblemLog) -> Line | None:
    """Return the judgment of one line, with a warning for what is tolerated; None with its errors in the log."""
    fields = _SEPARATOR.split(text.strip(" \t"))
    most = 3 if edition.has_confidence else 2
    if not 2 <= len(fields) <= most or fields[0] == "ranked:":
        log.add("rte.line", _expected(text, fields, edition), number)
        return None
    if text != " ".join(fields):
        log.add("rte.blanks", "tabs, several blanks or blanks at an end; expected single blanks between fields", number)
    name, word = fields[:2]
    good = _check_id(name, number, log) & _check_word(word, number, edition, log)
    confidence: int | None = NONE
    if len(fields) == 3:
        confidence = confidence_key(fields[2])
        if confidence is None:
            message = f"confidence {quoted(fields[2])} is no decimal from 0 to 1 of at most {MAX_LENGTH} characters, such as 0.75"
            log.add("rte.confidence", message, number, where=f"pair {name}")
    return Line(name, word == edition.positive, confidence) if good and confidence is not None else None


def _check_id(name: str, number: int, log: ProblemLog) -> bool:
    good = name.isascii() and name.isdigit()
    if not good:
        log.add("rte.line", f"{quoted(name)} is no pair id; expected a numeral", number)
    return good


def _check_word(word: str, number: int, edition: Edition, log: ProblemLog) -> bool:
    if word in (edition.positive, edition.negative):
        return True
    other = LATER if edition is FIRST else FIRST
    hint = f" ({word} belongs to edition {other.name})" if word in (other.positive, other.negative) else ""
    message = f"judgment {quoted(word)}; expected exactly {edition.positive} or {edition.negative}{hint}"
    log.add("rte.judgment", message, number)
    return False


def _expected(text: str, fields: list[str], edition: Edition) -> str:
    if fields == [""]:
        return "the line is blank; expected a judgment on every line"
    if fields[0] == "ranked:" and edition is FIRST:
        return '"ranked:" opens a run of editions 2 and 3, but this is edition 1: leave the line out, or set the option edition'
    form = "id TRUE|FALSE [confidence]" if edition.has_confidence else "id YES|NO"
    return f"{len(fields)} fields in {quoted(text)}; expected `{form}`"
