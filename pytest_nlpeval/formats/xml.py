"""Reads XML that may be hostile, validated against a DTD of this project.

The parser fetches nothing (no network, no external entities, no external DTDs), expands entities declared in the file itself within
libxml2's limit of amplification, and refuses huge trees. A DOCTYPE in the file is allowed and ignored; DTDs come from `schemas/` only.
Comments and processing instructions are dropped, so the text around them is one string.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, cached_property, lru_cache
from threading import local
from typing import TypeVar

from pytest_nlpeval.files import Source, nature, schema_path
from pytest_nlpeval.libraries import etree
from pytest_nlpeval.problems import Kind, ProblemLog
from pytest_nlpeval.wording import quoted

XML_KINDS = {
    "xml.syntax": Kind(
        "error", "the file is not well-formed XML, refers to an entity it does not declare, or is too deep", fixed=True
    ),
    "xml.root": Kind("error", "the root element, or what it holds, is not the format's", fixed=True),
    "xml.invalid": Kind("error", "elements or attributes break the format's DTD", fixed=True),
}

P = TypeVar("P")

WINDOW_BYTES = 1 << 18


def read_xml(source: Source, schema: str, roots: Collection[str], log: ProblemLog) -> etree._Element | None:
    """Return the root element if the file is well-formed and valid, otherwise None with all problems in the log.

    `schema` names a DTD in `schemas/`, `roots` the elements that it may begin with.
    """
    root = read_open_xml(source, roots, log)
    return root if root is not None and _is_valid(root, schema, log) else None


def read_open_xml(source: Source, roots: Collection[str], log: ProblemLog) -> etree._Element | None:
    """Return the root element if the file is well-formed and the root one of `roots`, otherwise None with problems in the log.

    For formats whose element names are the user's, which no DTD can list: the caller checks what is inside the root.
    """
    root = _parsed(source, log)
    return root if root is not None and _has_root(root, roots, log) else None


def read_xml_of_any_root(source: Source, schema: str, parts: Collection[str], log: ProblemLog) -> etree._Element | None:
    """Do as `read_xml` does, for a format that leaves the name and attributes of its root element open; the one returned is `root`.

    Its content is validated as that of the DTD's element `root`. `parts` are the elements that it may hold. A file that holds none of
    them is another kind of file, which is said once, instead of once per element.
    """
    root = _parsed(source, log)
    if root is None:
        return None
    names = dict.fromkeys(map(tag_of, root))
    if names and not names.keys() & set(parts):
        shown = "> and <".join([*names][:3])
        log.add("xml.root", f"the root element holds <{shown}>; expected <{'> or <'.join(parts)}>", line_of(root))
        return None
    root.tag = "root"
    root.attrib.clear()
    etree.cleanup_namespaces(root)
    return root if _is_valid(root, schema, log) else None


def _parsed(source: Source, log: ProblemLog) -> etree._Element | None:
    parser = _PARSER.own
    try:
        parser.feed(source.data)
        return parser.close()
    except etree.XMLSyntaxError as error:
        _log_syntax(error, parser.feed_error_log, source, log)
        return None


def read_records(
    source: Source, schema: str, root: str, record: str, log: ProblemLog, pieces: Iterable[bytes] | None = None
) -> Iterator[tuple[int, etree._Element]]:
    """Yield the valid `record` children of the root with their ranks (from 0, the invalid ones counted), in document order.

    For formats whose root is a long list of small records: memory is bounded by a window of the file. An element is only valid
    until the next one is asked for. Elements are yielded before the rest of the file is read: what was made of them is void if
    the log has errors in the end. `pieces` are the file's bytes where the source has none, as lines are of no matter.
    """
    parser: etree.XMLPullParser[etree._Element] = _made(etree.XMLPullParser, events=("end",), tag=record)
    done = 0
    waiting: list[etree._Element] = []
    try:
        for piece in source.pieces(WINDOW_BYTES) if pieces is None else pieces:
            parser.feed(piece)
            waiting += [element for _, element in parser.read_events() if _is_child_of_root(element)]
            # The last one stays in the tree: libxml2 may still be adding to the text after it.
            window, waiting = waiting[:-1], waiting[-1:]
            yield from _valid_records(window, done, schema, root, source, log)
            done += len(window)
        rest = parser.close()
    except etree.XMLSyntaxError as error:
        _log_syntax(error, parser.feed_error_log, source, log)
        return
    yield from _valid_records(waiting, done, schema, root, source, log)
    if _has_root(rest, (root,), log):
        _is_valid(rest, schema, log)


def _valid_records(
    records: list[etree._Element], done: int, schema: str, root: str, source: Source, log: ProblemLog
) -> Iterator[tuple[int, etree._Element]]:
    """Yield the valid records with their ranks, the first of which is `done`. To validate them together is faster than one by one."""
    holder = etree.Element(root)
    holder.extend(records)
    dtd = _dtd(schema)
    if dtd.validate(holder):
        yield from enumerate(records, done)
        return
    for rank, record in enumerate(records, done):
        tail = (record.tail or "").strip()
        if tail:
            message = f"text {quoted(tail)} after this <{tag_of(record)}>; only elements may appear there"
            log.add("xml.invalid", message, _line_of_record(source, record, rank))
        if dtd.validate(record):
            yield rank, record
        else:
            _log_invalid(dtd, schema, log, _line_of_record(source, record, rank))


def _line_of_record(source: Source, record: etree._Element, rank: int) -> int | None:
    lines = record_lines(source, tag_of(record))
    return lines[rank] if rank < len(lines) else line_of(record)


EXACT_LINES = 65_535


def line_of(element: etree._Element) -> int | None:
    """Return the line on which an element begins, from 1; None beyond the lines that libxml2 knows exactly."""
    line = element.sourceline
    return line if line and line < EXACT_LINES else None


@lru_cache(maxsize=1)
def record_lines(source: Source, record: str) -> list[int]:
    """Return the lines on which elements of this name begin, in order; libxml2 knows the first 65,534 lines only.

    Looks at the bytes, outside comments, instructions and CDATA sections, so that a file without problems pays nothing for its lines.
    Of a file that is damaged, or neither UTF-16 with a byte order mark nor like ASCII, lines may be missing.
    """
    data = source.data.decode("utf-16", "replace").encode() if source.data.startswith((b"\xff\xfe", b"\xfe\xff")) else source.data
    expression = rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|(<" + re.escape(record.encode()) + rb"(?=[\s/>]))"
    lines: list[int] = []
    line, before = 1, 0
    for match in re.finditer(expression, data, re.DOTALL):
        if match[1]:
            line += data.count(b"\n", before, match.start())
            before = match.start()
            lines.append(line)
    return lines


def _is_child_of_root(element: etree._Element) -> bool:
    parent = element.getparent()
    return parent is not None and parent.getparent() is None


def _made(kind: Callable[..., P], **more: object) -> P:
    """Return a parser that is as safe as the module promises."""
    return kind(
        **more,
        resolve_entities="internal",
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        recover=False,
        remove_comments=True,
        remove_pis=True,
    )


class _Parser(local):
    """The parser of each thread, used again and again: to make one takes as long as to parse a small file."""

    @cached_property
    def own(self) -> etree.XMLParser[etree._Element]:
        """The parser."""
        return _made(etree.XMLParser)


_PARSER = _Parser()


@cache
def _dtd(schema: str) -> etree.DTD:
    with schema_path(schema).open("rb") as stream:
        return etree.DTD(stream)


def _has_root(element: etree._Element, roots: Collection[str], log: ProblemLog) -> bool:
    if element.tag in roots:
        return True
    log.add("xml.root", f"the root element is <{tag_of(element)}>; expected <{'> or <'.join(roots)}>", element.sourceline)
    return False


def _is_valid(element: etree._Element, schema: str, log: ProblemLog) -> bool:
    dtd = _dtd(schema)
    if dtd.validate(element):
        return True
    _log_invalid(dtd, schema, log, None)
    return False


def _log_invalid(dtd: etree.DTD, schema: str, log: ProblemLog, line: int | None) -> None:
    for entry in dtd.error_log:
        exact = entry.line if 0 < entry.line < EXACT_LINES else line or entry.line or None
        log.add("xml.invalid", f"{' '.join(entry.message.split())}; see schemas/{schema}", exact)


def tag_of(element: etree._Element) -> str:
    """Return an element's tag, with its namespace as lxml writes it."""
    return element.tag if isinstance(element.tag, str) else str(element.tag)


def _log_syntax(error: etree.XMLSyntaxError, entries: etree._ListErrorLog, source: Source, log: ProblemLog) -> None:
    kind = nature(source.data)
    if kind and not kind.startswith("UTF-16"):
        log.add("xml.syntax", f"is not XML but {kind}")
        return
    if not source.data.strip():
        log.add("xml.syntax", "is empty; expected an XML document")
        return
    logged = [(entry.line, entry.column, entry.message) for entry in entries]
    raised = (error.lineno or 0, error.offset or 0, error.msg or "is not well-formed")
    for line, column, message in dict.fromkeys(logged or [raised]):
        log.add("xml.syntax", _plain(message), line or None, column or None)


_TOO_LARGE = ("Buffer size limit exceeded", "Huge input lookup")
"""What libxml2 says, by its version, where a document, a text or an attribute has more than its ten million bytes."""


def _plain(message: str) -> str:
    text = " ".join(message.split())
    if any(said in text for said in _TOO_LARGE):
        what = "the document, or one text or attribute of it, has more than 10,000,000 bytes"
        return f"Resource limit exceeded: {what}; split it into documents, one file each"
    if text.startswith("Entity "):
        return f"{text} in this file (external entities and DTDs are never read); write the character itself or declare it"
    return text
