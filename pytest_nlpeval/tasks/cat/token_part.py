"""The tokens that both files of a document write alike are parsed once."""

from __future__ import annotations

import re

from lxml import etree

_START, _END = b"<token ", b"</token>"
_UTF8 = (None, "UTF-8", "utf-8", "ASCII")
_PROLOG = re.compile(rb"(\xef\xbb\xbf)?(<\?xml [^<>]*\?>)?\s*<Document(\s[^<>]*)?>\s*")


def token_part(data: bytes, root: etree._Element, number: int) -> bytes:
    """Return the part of a parsed file that holds its tokens, if any file with the same part has the same tokens, otherwise b"".

    That is so where bytes mean the same everywhere, in UTF-8, without DOCTYPE or namespaces before the part, and where it holds nothing
    but the root's tokens, whose `number` is known.
    """
    start, end = _extent(data)
    part = data[start:end]
    return part if is_plain(root) and (part.count(_END), part.count(b"<")) == (number, 2 * number) else b""


def is_plain(root: etree._Element) -> bool:
    """Whether the bytes of the parsed file mean what they mean in UTF-8."""
    return root.getroottree().docinfo.encoding in _UTF8


def without_tokens(data: bytes, known: bytes) -> bytes:
    """Return a file without its tokens but the first, in as many lines, if it has those of a known `token_part`, otherwise b"".

    The space between the tokens may be another. What is returned is well-formed exactly if the file is, as long as it `is_plain`; it
    can have further tokens, empty ones.
    """
    start, end = _extent(data)
    if not known or (data[start:end] != known and _respaced(data[start:end], known) != known):
        return b""
    first = data.find(_END, start) + len(_END)
    return b"".join((data[:first], b"\n" * data.count(b"\n", first, end), data[end:]))


def _extent(data: bytes) -> tuple[int, int]:
    """Return where the part with all tokens begins and ends; nowhere if anything but the root's start stands before it."""
    start = data.find(_START)
    prolog = data[: max(start, 0)]
    if not _PROLOG.fullmatch(prolog) or b"xmlns" in prolog:
        return 0, 0
    return start, data.rfind(_END) + len(_END)


def _respaced(part: bytes, known: bytes) -> bytes:
    """Return a part with the known one's space between tokens; b"" where tokens have anything else between them, or are just one."""
    ours, theirs = (_END + text[text.find(_END) + len(_END) : text.find(_START, 1)] + _START for text in (part, known))
    return part.replace(ours, theirs) if ours.split() == [_END, _START.strip()] else b""
