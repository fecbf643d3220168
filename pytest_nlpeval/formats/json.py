"""JSON documents and JSON Lines, read with the standard library's parser and the limits that it lacks.

Refused, each with line and column: NaN and Infinity, numbers beyond a limit, half surrogate pairs, a key twice in an object, nesting
beyond `MAX_DEPTH`. The parser's hooks only note that a text has such a fault, which costs little. Where the fault is, a second look
at the tokens finds out, which only files with faults pay for.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json_faults import (
    MAX_DEPTH,
    Dialect,
    Fault,
    faults,
    has_half_pair,
    is_beyond,
    is_beyond_decimals,
    line_breaks,
    place_of_depth,
)
from pytest_nlpeval.formats.json_together import (
    SURELY_EXACT,
    Bytes,
    bytes_of,
    has_braces_at_ends,
    has_short_numbers,
    number_of,
)
from pytest_nlpeval.formats.text import read_text, text_kinds
from pytest_nlpeval.problems import Kind, ProblemLog

__all__ = [
    "JSON_KINDS",
    "MAX_DEPTH",
    "STANDARD",
    "Block",
    "Dialect",
    "Entry",
    "Repeated",
    "read_json",
    "read_json_blocks",
    "read_json_lines",
]

JSON_KINDS = {
    **text_kinds("off"),
    "json.syntax": Kind("error", "the file, or a line of it, is not JSON", fixed=True),
    "json.duplicate-key": Kind("error", "a key appears twice in an object", fixed=True),
    "json.number": Kind("error", "NaN, Infinity, or a number beyond what can be read exactly", fixed=True),
    "json.text": Kind("error", "a string holds half a surrogate pair, which is not a character", fixed=True),
    "json.limit": Kind("error", f"lists and objects are nested more than {MAX_DEPTH} deep", fixed=True),
}


class Entry(NamedTuple):
    """A value and the line it begins on, from 1."""

    line: int
    value: Any


class Block(NamedTuple):
    """Values that follow one another, and the line that each begins on, from 1."""

    lines: Sequence[int]
    values: Sequence[Any]


class Repeated(dict[str, Any]):
    """An object with a key twice: the first values of its keys, and all `pairs` as they stand in the file."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(reversed(pairs))
        self.pairs = pairs


STANDARD = Dialect()


def read_json(source: Source, log: ProblemLog, dialect: Dialect = STANDARD) -> Entry | None:
    r"""Return the value of a JSON document; None with all problems in the log if it has faults.

    The log knows `JSON_KINDS`, or the kinds of the dialect and `text_kinds`.

    >>> log = ProblemLog("f.json", JSON_KINDS)
    >>> read_json(Source("f.json", b'{"a": 1,\n "a": NaN}'), log)
    >>> print(*log.problems(), sep="\n")
    f.json:2:2: json.duplicate-key: the key "a" appears on line 1 already; keep one of the two
    f.json:2:7: json.number: NaN is not a number in JSON
    """
    data = read_text(source, log)
    if data is None:
        return None
    text = data.decode().removesuffix("\n")
    line = text.count("\n", 0, len(text) - len(text.lstrip(_BLANKS))) + 1
    return next((Entry(line, value) for value in _Reader(log, dialect).values(text, 1)), None)


def read_json_lines(source: Source, log: ProblemLog, dialect: Dialect = STANDARD) -> Iterator[Entry]:
    r"""Yield the value of each line that has no fault; each line that has one gives one problem, as it is reached.

    A line ends at LF or CR LF and at no other character. Blank lines at the end of the file are nothing.

    >>> log = ProblemLog("f.jsonl", JSON_KINDS)
    >>> list(read_json_lines(Source("f.jsonl", b'{"a": 1}\n{"a": }\n[2]\n'), log))
    [Entry(line=1, value={'a': 1}), Entry(line=3, value=[2])]
    >>> print(*log.problems())
    f.jsonl:2:7: json.syntax: is not JSON: expected a value
    """
    for block in read_json_blocks(source, log, dialect):
        yield from map(Entry, block.lines, block.values)


def read_json_blocks(source: Source, log: ProblemLog, dialect: Dialect = STANDARD) -> Iterator[Block]:
    """Yield the values of lines as `read_json_lines` does, those of many plain lines together, which takes less time."""
    data = read_text(source, log) or b""
    reader = _Reader(log, dialect, by_line=True)
    may_be_blank = dialect.blank_lines or dialect.blank_start
    start, first = 0, 1
    while start < len(data):
        end = data.find(b"\n", start + _BYTES_TOGETHER - 1) + 1 or len(data)
        lines = data[start : end - 1]
        behind = first + lines.count(b"\n") + 1
        objects = reader.plain_objects(lines)
        if objects is not None:
            may_be_blank = dialect.blank_lines
            yield Block(range(first, behind), objects)
        for line, text in enumerate(_texts_of(lines) if objects is None else (), first):
            if may_be_blank and not text.strip(_BLANKS):
                continue
            may_be_blank = dialect.blank_lines
            for value in reader.values(text, line):
                if dialect.objects and not isinstance(value, dict):
                    kind = "a list" if isinstance(value, list) else "a single value"
                    log.add(dialect.syntax, f"expected an object, got {kind}", line, 1)
                else:
                    yield Block((line,), (value,))
        start, first = end, behind


def _texts_of(lines: bytes) -> list[str]:
    """Return lines one by one."""
    return lines.decode().split("\n")


_BLANKS = " \t\r\n"

_BYTES_TOGETHER = 1 << 17
"""How many bytes of lines are parsed at once if they are plain: equal keys are one text then, which saves room and time."""


class _Reader:
    """Parses texts. Its hooks note whether the last text has a fault that the standard parser does not mind.

    With `by_line` a text is a line of JSON Lines, and only its first error is logged.
    """

    def __init__(self, log: ProblemLog, dialect: Dialect, *, by_line: bool = False) -> None:
        self.log = log
        self.dialect = dialect
        self.by_line = by_line
        self._has_fault = False
        parse_float = self._decimal if dialect.decimals else self._float
        decoder = partial(json.JSONDecoder, parse_int=self._int, parse_float=parse_float, parse_constant=self._constant)
        self._decode = decoder(object_pairs_hook=self._object).decode
        self._decode_plain = decoder().raw_decode
        exact = Decimal if dialect.decimals else None
        self._decode_short = json.JSONDecoder(parse_float=exact, parse_constant=self._constant).raw_decode

    def plain_objects(self, lines: bytes) -> list[dict[str, Any]] | None:
        """Return the objects that lines are if they plainly have no fault, and no objects in them; None if that takes a closer look.

        Line feeds stand between the lines, in UTF-8. They are parsed as one list: there are as many objects in it as lines, and each line
        has a brace at either end and no other. So each line is one object. No hook is called for objects: that no key stands twice, the
        colons show. Nor is one called for numbers where all are short.
        """
        data = bytes_of(lines)
        if not has_braces_at_ends(data) or (b"\\" in lines and b"\\u" in lines):
            return None
        if number_of("[", data) >= MAX_DEPTH and not all(line.count(b"[") < MAX_DEPTH for line in lines.split(b"\n")):
            return None
        self._has_fault = False
        inner = lines.decode().replace("\n", ",")
        text = f"[{inner}]"
        try:
            objects, end = (self._decode_short if has_short_numbers(data) else self._decode_plain)(text)
        except (ValueError, RecursionError):
            return None
        if self._has_fault or end != len(text) or {dict}.symmetric_difference(map(type, objects)):
            return None
        return objects if len(objects) == number_of("\n", data) + 1 and _have_distinct_keys(objects, lines, data) else None

    def values(self, text: str, line: int) -> Iterator[Any]:
        """Log the faults of a text that begins on `line`; yield its value unless one of them is an error."""
        self._has_fault = False
        try:
            value = self._decode(text)
        except json.JSONDecodeError as error:
            self._log_syntax(error, text, line)
        except RecursionError:
            self._log([(self.dialect.limit, place_of_depth(text), _TOO_DEEP)], text, line)
        else:
            if _is_deep(text, value):
                self._log([(self.dialect.limit, place_of_depth(text), _TOO_DEEP)], text, line)
            elif not (self._has_fault or has_half_pair(text)) or not self._log(faults(text, line, self.dialect), text, line):
                yield value

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values = dict(pairs)
        if len(values) != len(pairs):
            self._has_fault |= bool(self.dialect.duplicate)
            return Repeated(pairs)
        return values

    def _int(self, digits: str) -> int | float:
        if len(digits) <= SURELY_EXACT:
            return int(digits)
        if is_beyond(digits, self.dialect.greatest):
            self._has_fault |= not self.dialect.overflows
            return -math.inf if digits.startswith("-") else math.inf
        return int(digits)

    def _float(self, digits: str) -> float:
        number = float(digits)
        self._has_fault |= math.isinf(number) and not self.dialect.overflows
        return number

    def _decimal(self, digits: str) -> Decimal:
        if (len(digits) > SURELY_EXACT or "e" in digits or "E" in digits) and is_beyond_decimals(digits):
            self._has_fault = True
            return Decimal()
        return Decimal(digits)

    def _constant(self, word: str) -> float:
        self._has_fault |= not self.dialect.constants
        return float(word)

    def _log(self, faults: Iterable[Fault], text: str, line: int) -> bool:
        """Log the faults of a text, or of a line up to its first error; return whether there is an error."""
        has_error = False
        breaks = line_breaks(text)
        for code, offset, message in faults:
            lines = bisect_left(breaks, offset)
            self.log.add(code, message, line + lines, offset - (breaks[lines - 1] if lines else -1))
            has_error = has_error or self.log.is_error(code)
            if has_error and self.by_line:
                break
        return has_error

    def _log_syntax(self, error: json.JSONDecodeError, text: str, line: int) -> None:
        error = _as_ever(error)
        if not text.strip(_BLANKS):
            empty = "the line" if self.by_line else "the file"
            self.log.add(self.dialect.syntax, f"{empty} is empty; expected a JSON value", line, 1)
            return
        reason = next((reason for start, reason in _REASONS.items() if error.msg.startswith(start)), error.msg)
        rest = text[error.pos : error.pos + 5]
        hint = next((hint for start, hint in _HINTS.items() if rest.startswith(start)), "")
        if rest[:1] in {"]", "}"} and text[: error.pos].rstrip(_BLANKS).endswith(","):
            hint = "; the comma before it is one too many"
        if not self.by_line and error.msg == "Extra data":
            hint = "; is it JSON Lines?"
        if self.by_line and not text[error.pos :].strip(_BLANKS):
            hint = "; the value does not end on this line, as it must in JSON Lines"
        self.log.add(self.dialect.syntax, f"is not JSON: {reason}{hint}", line + error.lineno - 1, error.colno)


def _as_ever(error: json.JSONDecodeError) -> json.JSONDecodeError:
    """Return a fault as Python told it up to 3.12: of a comma before the end, later versions tell at the comma, in words of its own."""
    if not error.msg.startswith("Illegal trailing comma"):
        return error
    end = len(error.doc) - len(error.doc[error.pos + 1 :].lstrip(_BLANKS))
    return json.JSONDecodeError("Expecting value" if "array" in error.msg else "Expecting property name", error.doc, end)


_REASONS = {  # what begins the standard library's message, and what is said instead; another message is shown as it is
    "Expecting value": "expected a value",
    "Expecting property name": "expected a key in double quotation marks",
    "Expecting ':'": "expected a colon after the key",
    "Expecting ','": "expected a comma, or the end of the list or object",
    "Extra data": "expected nothing after the end of the value",
    "Unterminated string": "the string has no closing quotation mark",
    "Invalid control character": r"a string holds a control character; write it as \n, \t or \u00…",
    "Invalid \\escape": "the backslash does not begin an escape",
    "Invalid \\uXXXX": r"expected four hexadecimal digits after \u",
}

_HINTS = {
    "'": "; strings have double quotation marks",
    "\n": "; is the closing quotation mark missing?",
    "None": "; write null",
    "True": "; write true",
    "False": "; write false",
}


_TOO_DEEP = f"nested more than {MAX_DEPTH} deep"


def _have_distinct_keys(objects: Sequence[dict[str, Any]], lines: bytes, data: Bytes) -> bool:
    """Whether no object has a key twice, given the lines that the objects are, and their bytes once more."""
    if number_of(":", data) == sum(map(len, objects)):  # no string has a colon
        return True
    return all(_most_keys(line, len(held)) == len(held) for line, held in zip(_texts_of(lines), objects, strict=True))


def _most_keys(text: str, least: int) -> int:
    """Return how many keys the objects of a JSON text have at most: as many as it has colons.

    Where these are more than the `least` number, only those count that stand behind a quotation mark or white space, as behind a key.
    """
    colons = text.count(":")
    return colons if colons <= least else sum(text.count(f"{before}:") for before in f'"{_BLANKS}')


def _is_deep(text: str, value: Any) -> bool:
    """Whether lists and objects are nested too deep in the value of a text."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:  # which nearly always settles it
        return False
    level = [value]
    for _ in range(MAX_DEPTH):
        inner = chain.from_iterable(outer.values() if isinstance(outer, dict) else outer for outer in level)
        level = [part for part in inner if isinstance(part, dict | list)]
    return bool(level)
