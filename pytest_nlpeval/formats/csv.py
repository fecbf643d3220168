"""Tables: comma-separated values (RFC 4180), and fields between tabs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.text import lines_of, read_text, text_kinds
from pytest_nlpeval.problems import Kind, ProblemLog

CSV_KINDS = {
    **text_kinds("off"),
    "csv.quotes": Kind("error", "a quotation mark where none may be, or one without its partner", fixed=True),
}


class Row(NamedTuple):
    """The fields of a row and the line it begins on, from 1."""

    line: int
    fields: list[str]


def read_tsv(source: Source, log: ProblemLog) -> Iterator[Row]:
    r"""Yield the rows of a file whose fields are separated by tabs; quotation marks are characters like all others.

    A line ends at LF or CR LF. Blank lines at the end of the file are nothing; any other is a row of one field.
    The log knows `text_kinds`.

    >>> list(read_tsv(Source("f.tsv", b'id\tlabel\n1\t"a\n'), ProblemLog("f.tsv", CSV_KINDS)))
    [Row(line=1, fields=['id', 'label']), Row(line=2, fields=['1', '"a'])]
    """
    data = read_text(source, log)
    for line, text in enumerate(lines_of(data) if data else (), 1):
        yield Row(line, text.split("\t"))


def read_csv(source: Source, log: ProblemLog, code: str = "csv.quotes") -> Iterator[Row]:
    r"""Yield the rows of a file whose fields are separated by commas, as RFC 4180 says; a malformed row is a problem, and left out.

    A field that begins with `"` ends at the next single `"`; in it `""` is one `"`, and commas and line ends are kept as they are.
    The log knows `text_kinds` and `code`.

    >>> log = ProblemLog("f.csv", CSV_KINDS)
    >>> list(read_csv(Source("f.csv", b'id,text\n1,"one, ""two""\nthree"\n2,"a"b\n3,\n'), log))
    [Row(line=1, fields=['id', 'text']), Row(line=2, fields=['1', 'one, "two"\nthree']), Row(line=5, fields=['3', ''])]
    >>> print(*log.problems())
    f.csv:4:6: csv.quotes: expected a comma or the line's end after the closing quotation mark; write a " inside a field as ""
    """
    data = read_text(source, log)
    if not data:
        return
    text = _text_with_its_line_ends(source) if b'"' in data and b"\r\n" in source.data else data.decode()
    line, start = 1, 0
    while start < len(text):
        end = text.find("\n", start)
        if text.find('"', start, end) < 0:  # most rows
            yield Row(line, text[start:end].removesuffix("\r").split(","))
        else:
            fields, end = _quoted_row(text, start)
            if fields is None:
                offset, message = _fault(text, end)
                end = text.index("\n", offset)
                start_of_line = text.rfind("\n", start, offset) + 1 or start
                log.add(code, message, line + text.count("\n", start, offset), offset - start_of_line + 1)
            else:
                yield Row(line, fields)
            line += text.count("\n", start, end)
        line += 1
        start = end + 1


def _text_with_its_line_ends(source: Source) -> str:
    """Return the text without blank lines at its end, but with its own line ends, which are part of a quoted field."""
    text = source.data.decode().removeprefix("\ufeff")
    content = text.rstrip(" \t\r\n")
    return content + text[len(content) :].partition("\n")[0] + "\n"


_QUOTED = re.compile(r'"([^"]*+(?:""[^"]*+)*+)"')


def _quoted_row(text: str, start: int) -> tuple[list[str] | None, int]:
    """Return the fields of a row with quotation marks and the offset of its end, or None and the offset of its malformed field."""
    fields: list[str] = []
    line_end = text.find("\n", start)
    while True:
        quote = text.find('"', start, line_end)
        if quote < 0:
            return fields + text[start:line_end].removesuffix("\r").split(","), line_end
        *plain, rest = text[start:quote].split(",")
        fields += plain
        closed = _QUOTED.match(text, quote) if not rest else None
        if closed is None:
            return None, quote - len(rest)
        fields.append(closed[1].replace('""', '"'))
        start = closed.end()
        if start > line_end:  # the field has line ends of its own
            line_end = text.find("\n", start)
        if text[start] != ",":
            is_whole = text[start:line_end] in {"", "\r"}
            return (fields, line_end) if is_whole else (None, quote)
        start += 1


def _fault(text: str, start: int) -> tuple[int, str]:
    """Return where and why a field that begins at `start` is malformed."""
    if text[start] != '"':
        return text.index('"', start), 'a quotation mark in a field that does not begin with one; write "…""…" for it'
    if closed := _QUOTED.match(text, start):
        message = 'expected a comma or the line\'s end after the closing quotation mark; write a " inside a field as ""'
        return closed.end(), message
    return start, "the quotation mark has no partner"
