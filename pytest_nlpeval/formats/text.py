"""UTF-8 text files made of lines: run files and tab-separated tables."""

from __future__ import annotations

import codecs
import io

from pytest_nlpeval.files import Source, nature
from pytest_nlpeval.problems import Kind, ProblemLog, Rule
from pytest_nlpeval.wording import plural


def text_kinds(tolerated: Rule) -> dict[str, Kind]:
    """Return the kinds of problems of text files. Those that can be put right have the severity `tolerated`."""
    return {
        "text.encoding": Kind("error", "the file is not UTF-8 text", fixed=True),
        "text.nul": Kind("error", "the file holds NUL bytes", fixed=True),
        "text.byte-order-mark": Kind(tolerated, "the file begins with a byte order mark"),
        "text.line-ends": Kind(tolerated, "lines end in CR LF instead of LF"),
        "text.blank-end": Kind(tolerated, "the file ends in blank lines"),
    }


def read_text(source: Source, log: ProblemLog, *, keeps_blank_end: bool = False) -> bytes | None:
    r"""Return the file's lines as UTF-8 bytes, each ended by one LF; None with problems in the log if it is not UTF-8 text.

    A byte order mark, CR LF, blank lines at the end and a missing last line end are put right; all but the missing line end are logged.
    Lines keep their numbers. With `keeps_blank_end`, for files whose lines are items, blank lines at the end are lines like any other.

    >>> log = ProblemLog("f", text_kinds("warning"))
    >>> read_text(Source("f", b"a\r\nb\n\n"), log)
    b'a\nb\n'
    >>> print(*log.problems(), sep="\n")
    f:1: text.line-ends: 1 line ends in CR LF; expected LF alone
    f:3: text.blank-end: 1 blank line at the end; expected none
    """
    data = source.data
    kind = nature(data)
    if kind or not _is_utf_8(data):
        _log_encoding(data, kind, log)
        return None
    if b"\0" in data:
        line, column = _place(data, data.index(b"\0"))
        log.add("text.nul", f"{plural(data.count(0), 'NUL byte')}; text has none (is it UTF-16?)", line, column)
        return None
    if data.startswith(codecs.BOM_UTF8):
        data = data.removeprefix(codecs.BOM_UTF8)
        log.add("text.byte-order-mark", "begins with a byte order mark; save as UTF-8 without", 1, 1)
    if b"\r" in data and b"\r\n" in data:  # one byte is found much faster than two
        lines, first = data.count(b"\r\n"), data[: data.index(b"\r\n")].count(b"\n") + 1
        data = data.replace(b"\r\n", b"\n")
        ending = "line ends" if lines == 1 else "lines end"
        log.add("text.line-ends", f"{lines:,} {ending} in CR LF; expected LF alone", first)
    if keeps_blank_end:
        return data if data.endswith(b"\n") or not data else data + b"\n"
    return _without_blank_end(data, log)


def decoded(source: Source, log: ProblemLog) -> str | None:
    """Return the file's text without byte order mark, and otherwise as it is; None with problems in the log if it is not UTF-8."""
    kind = nature(source.data)
    if not kind:
        try:
            return source.data.decode().removeprefix("\ufeff")
        except UnicodeDecodeError:
            pass
    _log_encoding(source.data, kind, log)
    return None


_BYTES_AT_ONCE = 1 << 20
_TAIL = 1 << 10
"""In how many bytes the end of the content is looked for first."""


def _is_utf_8(data: bytes) -> bool:
    """Whether bytes are UTF-8. They are decoded piece by piece: a large text would take up to four times its room."""
    if data.isascii():
        return True
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _BYTES_AT_ONCE):
            decoder.decode(data[start : start + _BYTES_AT_ONCE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _without_blank_end(data: bytes, log: ProblemLog) -> bytes:
    if data.endswith(b"\n") and data[-2:-1].strip(b" \t\n"):
        return data  # nearly every file: none of it is copied
    size = _TAIL
    while size < len(data) and not data[-size:].strip(b" \t\n"):
        size *= 2
    end = max(len(data) - size, 0)
    content = end + len(data[end:].rstrip(b" \t\n"))  # how many bytes it has: none of it is copied, but for the result
    rest_of_line, _, rest = data[content:].partition(b"\n")
    blank = rest.count(b"\n") + bool(rest and not rest.endswith(b"\n"))
    if not content and data:  # the first line is blank, too
        rest_of_line, blank = b"", blank + 1
    if blank and log.enabled("text.blank-end"):  # counting the lines of a large file takes time
        first = data.count(b"\n", 0, content) + bool(content) + 1
        log.add("text.blank-end", f"{plural(blank, 'blank line')} at the end; expected none", first)
    if not content:
        return b""
    end = content + len(rest_of_line) + 1
    return data[:end] if end <= len(data) else data + b"\n"


def lines_of(text: bytes) -> list[str]:
    """Return the lines of what `read_text` returned, without their ends.

    The text is decoded piece by piece, each a number of whole lines: there is no second copy of all of it beside its lines.
    """
    lines: list[str] = []
    start = 0
    while start < len(text):
        end = text.find(b"\n", start + _BYTES_AT_ONCE - 1) + 1 or len(text)
        lines += text[start:end].decode().split("\n")[:-1]
        start = end
    return lines


def _log_encoding(data: bytes, kind: str, log: ProblemLog) -> None:
    if kind:
        log.add("text.encoding", f"is {kind}")
        return
    for number, line in enumerate(io.BytesIO(data), 1):  # which copies nothing but the line
        try:
            line.decode()
        except UnicodeDecodeError as error:
            column = len(line[: error.start].decode()) + 1
            message = f"byte 0x{line[error.start]:02x} is not UTF-8; save the file as UTF-8"
            log.add("text.encoding", message, number, column)


def _place(data: bytes, offset: int) -> tuple[int, int]:
    start = data.rfind(b"\n", 0, offset) + 1
    return data.count(b"\n", 0, offset) + 1, len(data[start:offset].decode()) + 1
