"""The lines and columns of a CoNLL file as arrays: which lines are tokens, and what their columns hold.

Lines end in LF or CR LF and at no other character, so that all of it is done on bytes. A file is worked through in pieces whose arrays stay
in the cache of a core: in one piece, asking for memory takes longer than the work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.spans.options import LAST
from pytest_nlpeval.tasks.spans.strings import WORD, Strings

Integers = NDArray[np.int64]
Small = NDArray[np.int32]
Flags = NDArray[np.bool_]

TAB, LINE_FEED, BLANK = b"\t\n "
BOUNDARY = b"-DOCSTART-"

_PIECE = 1 << 18
_LINE_ENDS = re.compile(rb"[ \t]+(?=\n)")
_COLUMNS = {TAB: re.compile(rb"[^\t]*+(?:\t|$)"), BLANK: re.compile(rb"[^ ]++")}


@light_dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """What is known of each line of a file, one entry of each array per line.

    `data` is the file without blanks at line ends, with as many bytes behind it as `Strings` needs. `starts` says where each line starts,
    `counts` how many columns it has, with a `separator` between two of them; a plain line has `number`, 0 if there is none. `tokens` and
    `lengths` say where the column of the token is, `tags` gives the place of the tag in `names`; a column that a line does not have is "".
    """

    data: bytes
    separator: int
    number: int
    starts: Small
    counts: Small
    tokens: Small
    lengths: Small
    tags: Small
    names: tuple[str, ...]

    def initials(self) -> NDArray[np.uint8]:
        """Return the first byte of each line."""
        return np.frombuffer(self.data, np.uint8)[self.starts]

    def line(self, number: int) -> bytes:
        """Return a line, counted from 0, without its end."""
        start = int(self.starts[number])
        return self.data[start : self.data.index(b"\n", start)]

    def fields(self, number: int) -> list[str]:
        """Return the columns of a line, counted from 0."""
        line = self.line(number).decode()
        return line.split("\t") if self.separator == TAB else [field for field in line.split(" ") if field]

    def place(self, number: int, column: int) -> int:
        """Return where a column of a line begins, in code points from 1."""
        line = self.line(number)
        begins = [match.start() for match in _COLUMNS[self.separator].finditer(line)][: int(self.counts[number])]
        return len(line[: begins[column - 1 if column else -1]].decode()) + 1


def without_blank_ends(data: bytes) -> bytes:
    """Return lines without the spaces and TABs at their ends."""
    for start, end in _pieces(data):
        buffer = np.frombuffer(data, np.uint8, end - start, start)
        last = buffer[np.maximum(np.flatnonzero(buffer == LINE_FEED) - 1, 0)]
        if ((last == BLANK) | (last == TAB)).any():
            return _LINE_ENDS.sub(b"", data)
    return data


def is_boundary(line: bytes) -> bool:
    """Whether a line without blanks at its end separates sentences."""
    return not line or (line.startswith(BOUNDARY) and line[len(BOUNDARY) :][:1] in {b"", b" ", b"\t"})


def read_lines(data: bytes, token: int, tag: int) -> Lines:
    """Return what is known of the lines of a file without blanks at line ends; `token` and `tag` are columns, from 1, or `LAST`."""
    separator, number = shape_of(data)
    padded = data + bytes(WORD)
    names: dict[str, int] = {}
    parts = [_read_piece(padded, start, end, separator, (token, tag), names) for start, end in _pieces(data)]
    columns = [np.concatenate(part) for part in zip(*parts, strict=True)] or [np.zeros(0, np.int32)] * 5
    starts, counts, tokens, lengths, tags = columns
    return Lines(padded, separator, number, starts, counts, tokens, lengths, tags, tuple(names))


def shape_of(data: bytes) -> tuple[int, int]:
    """Return what stands between the columns of a file without blanks at line ends, and how many its first plain line has, if any."""
    plain = _first_plain_line(data)
    if b"\t" in plain:
        return TAB, plain.count(b"\t") + 1
    return BLANK, len([column for column in plain.split(b" ") if column])


def _first_plain_line(data: bytes) -> bytes:
    start = 0
    while start < len(data):
        end = data.index(b"\n", start)
        line = data[start:end]
        if not is_boundary(line) and not line.startswith(b"#"):
            return line
        start = end + 1
    return b""


def _pieces(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where pieces of whole lines start and end."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", min(start + _PIECE, len(data) - 1)) + 1
        yield start, end
        start = end


def _read_piece(
    data: bytes, start: int, end: int, separator: int, columns: tuple[int, int], names: dict[str, int]
) -> tuple[Small, ...]:
    """Return where the lines of a piece start, how many columns they have, where the token is, how long, and the tag's place in `names`."""
    buffer = np.frombuffer(data, np.uint8, end - start, start)
    ends = np.flatnonzero((buffer == separator) | (buffer == LINE_FEED))
    starts = np.empty_like(ends)
    starts[:1], starts[1:] = 0, ends[:-1] + 1
    last = np.flatnonzero(buffer[ends] == LINE_FEED)
    counts = np.diff(last, prepend=-1)
    first = last - counts + 1
    lines = starts[first] + start
    if separator == BLANK:
        filled = starts < ends
        of_line = np.repeat(np.arange(len(counts)), counts)
        counts = np.bincount(of_line[filled], minlength=len(counts))
        starts, ends, first = np.append(starts[filled], 0), np.append(ends[filled], 0), np.cumsum(counts) - counts
    tokens, tags = (_column(number, first, counts, (starts, ends), (data, start)) for number in columns)
    codes, written = tags.codes()
    table = np.array([names.setdefault(name, len(names)) for name in written], np.int32)
    return *(part.astype(np.int32) for part in (lines, counts, tokens.starts, tokens.lengths)), table[codes]


def _column(
    number: int, first: Integers, counts: Integers, fields: tuple[Integers, Integers], origin: tuple[bytes, int]
) -> Strings:
    """Return a column of all lines; `first` and `counts` say which of the `fields` are a line's, `origin` where these start."""
    starts, ends = fields
    data, start = origin
    number = min(number, len(starts) + 1)  # which no line has; a greater one may be no integer of NumPy
    places = first + np.maximum((counts if number == LAST else np.minimum(counts, number)) - 1, 0)
    begins = starts[places]
    lengths = ends[places] - begins
    lengths[counts < max(number, 1)] = 0
    return Strings(data, begins + start, lengths)


@light_dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The tokens of a file: the line of each, counted from 0, and the rank of the first token of each sentence."""

    lines: Integers
    first: Integers


def tokens_of(lines: Lines, bad: Flags) -> Table:
    """Return which lines are tokens, in sentences; `bad` says which of the names are no tags."""
    initials = lines.initials()
    is_end = initials == LINE_FEED
    for line in np.flatnonzero(initials == BOUNDARY[0]).tolist():
        is_end[line] = is_boundary(lines.line(line))
    is_hash = initials == ord("#")
    is_token = ~is_end & ~is_hash
    if lines.number:
        hashes = np.flatnonzero(is_hash)
        _admit(hashes, (lines.counts[hashes] == lines.number) & ~bad[lines.tags[hashes]], is_token, is_end)
    tokens = np.flatnonzero(is_token)
    sentence = np.cumsum(is_end)[tokens]
    return Table(tokens, np.flatnonzero(np.diff(sentence, prepend=-1)))


def _admit(hashes: Integers, fits: Flags, is_token: Flags, is_end: Flags) -> None:
    """Flag each line with `#` that is a token: one that looks like it (`fits`), or that stands behind a token of its sentence."""
    plain, ends = np.flatnonzero(is_token), np.flatnonzero(is_end)
    before = np.append(-1, plain)[np.searchsorted(plain, hashes)]
    end = np.append(-1, ends)[np.searchsorted(ends, hashes)]
    latest = -1
    for line, token, boundary, is_one in zip(*(part.tolist() for part in (hashes, before, end, fits)), strict=True):
        if max(token, latest) > boundary or is_one:
            is_token[line] = True
            latest = line
