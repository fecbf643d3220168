"""Reads XML that may be hostile, validated against a DTD of this project.

The parser fetches nothing (no network, no external entities, no external DTDs), expands entities declared in the file itself within
libxml2's limit of amplification, and refuses huge trees. A DOCTYPE in the file is allowed and ignored; DTDs come from `schemas/` only.
Comments and processing instructions are dropped, so the text around them is one string.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from lxml import etree

from pytest_nlpeval.formats.source import Source, nature
from pytest_nlpeval.problems import Kind, ProblemLog
from pytest_nlpeval.resources import schema_path

XML_KINDS = {
    "xml.syntax": Kind(
        "error", "the file is not well-formed XML, refers to an entity it does not declare, or is too deep", fixed=True
    ),
    "xml.root": Kind("error", "the root element is not the format's", fixed=True),
    "xml.invalid": Kind("error", "elements or attributes break the format's DTD", fixed=True),
}

WINDOW_BYTES = 1 << 18


def read_xml(source: Source, schema: str, root: str, log: ProblemLog) -> etree._Element | None:
    """Return the root element if the file is well-formed and valid, otherwise None with all problems in the log.

    `schema` names a DTD in `schemas/`, `root` the element it must begin with.
    """
    parser = _parser()
    try:
        parser.feed(source.data)
        found = parser.close()
    except etree.XMLSyntaxError as error:
        _log_syntax(error, source, log)
        return None
    return found if _is_valid(found, schema, root, log) else None


def read_records(source: Source, schema: str, root: str, record: str, log: ProblemLog) -> Iterator[etree._Element]:
    """Yield the valid `record` children of the root in document order, in memory bounded by a window of the file.

    For formats whose root is a long list of small records. Each window's records are validated together; those of a window with
    problems are not yielded, its problems are logged. An element is only good until the next one is asked for.
    """
    parser = _parser(record)
    try:
        for start in range(0, max(len(source.data), 1), WINDOW_BYTES):
            parser.feed(source.data[start : start + WINDOW_BYTES])
            yield from _valid_records(parser, schema, root, log)
        rest = parser.close()
    except etree.XMLSyntaxError as error:
        _log_syntax(error, source, log)
        return
    yield from _valid_records(parser, schema, root, log)
    _is_valid(rest, schema, root, log)


def _valid_records(parser: etree.XMLPullParser, schema: str, root: str, log: ProblemLog) -> Iterator[etree._Element]:
    window = etree.Element(root)
    records = [record for _, record in parser.read_events() if _is_child_of_root(record)]
    window.extend(records)
    if _is_valid(window, schema, root, log):
        yield from records


def _is_child_of_root(element: etree._Element) -> bool:
    parent = element.getparent()
    return parent is not None and parent.getparent() is None


def _parser(record: str | None = None) -> etree.XMLPullParser:
    return etree.XMLPullParser(
        events=("end",) if record else (),
        tag=record,
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


@cache
def _dtd(schema: str) -> etree.DTD:
    with schema_path(schema).open("rb") as stream:
        return etree.DTD(stream)


def _is_valid(element: etree._Element, schema: str, root: str, log: ProblemLog) -> bool:
    if element.tag != root:
        log.add("xml.root", f"the root element is <{tag_of(element)}>; expected <{root}>", element.sourceline)
        return False
    dtd = _dtd(schema)
    if dtd.validate(element):
        return True
    for entry in dtd.error_log:
        log.add("xml.invalid", f"{' '.join(entry.message.split())}; see schemas/{schema}", entry.line or None)
    return False


def tag_of(element: etree._Element) -> str:
    """Return an element's tag, with its namespace as lxml writes it."""
    return element.tag if isinstance(element.tag, str) else str(element.tag)


def _log_syntax(error: etree.XMLSyntaxError, source: Source, log: ProblemLog) -> None:
    kind = nature(source.data)
    if kind and not kind.startswith("UTF-16"):
        log.add("xml.syntax", f"is no XML but {kind}")
    elif not source.data.strip():
        log.add("xml.syntax", "is empty; expected an XML document")
    elif len(error.error_log):
        for entry in error.error_log:
            log.add("xml.syntax", _plain(entry.message), entry.line or None, entry.column or None)
    else:
        log.add("xml.syntax", _plain(error.msg or "is not well-formed"), error.lineno or None)


def _plain(message: str) -> str:
    text = " ".join(message.split())
    if text.startswith("Entity "):
        return f"{text} in this file (external entities and DTDs are never read); write the character itself or declare it"
    return text
