"""The part of CAT XML whose element names are fixed: `Document`, `token`, `Markables`, `Relations`, and what annotations may hold.

The tags of annotations are the user's, so no DTD can list them: what a DTD would check is checked here.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from lxml import etree

from pytest_nlpeval.formats.xml import line_of, tag_of
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.wording import quoted

ROOT = "Document"
TOKEN = "token"  # noqa: S105 - the element
PARTS = {"Markables": ("token_anchor",), "Relations": ("source", "target")}
"""The sections, and what their annotations may hold."""

RESERVED = frozenset((ROOT, TOKEN, *PARTS, *(name for names in PARTS.values() for name in names)))
"""Names that no annotation can have."""

_TEXT = etree.XPath("string()", smart_strings=False)
_IN_TOKENS = etree.XPath("token/*")


class Names(NamedTuple):
    """The attributes that hold the ids of tokens, markables and relations."""

    token: str
    markable: str
    relation: str


LABELLED = Names("t_id", "m_id", "r_id")
UNLABELLED = Names("id", "id", "id")


class Annotation(NamedTuple):
    """A markable with its anchors, or a relation with its sources and targets."""

    element: etree._Element
    children: list[etree._Element]


class Skeleton(NamedTuple):
    """The tokens with their texts and the annotations of a file, in document order, and how the file names its ids."""

    names: Names
    tokens: list[etree._Element]
    texts: tuple[str, ...]
    markables: list[Annotation]
    relations: list[Annotation]


class Stranger(NamedTuple):
    """An element that does not belong where it is, and why; what is inside it is not looked at."""

    element: etree._Element
    why: str


def read_skeleton(root: etree._Element, log: ProblemLog) -> Skeleton:
    """Return the tokens and annotations of a document; log whatever else is in it."""
    tokens, parts = list(root.iterchildren(TOKEN)), list(root.iterchildren(*PARTS))
    strangers = [Stranger(inner, f"<{tag_of(inner)}> in a <token>; expected text alone") for inner in _IN_TOKENS(root)]
    if len(tokens) + len(parts) < len(root):
        strangers += [
            Stranger(child, f"<{tag_of(child)}> in <{ROOT}>; expected <token>, <Markables> and <Relations> only")
            for child in root
            if child.tag not in (TOKEN, *PARTS)
        ]
    sections: dict[str, list[Annotation]] = {}
    for part in parts:
        tag = tag_of(part)
        if tag in sections:
            strangers.append(Stranger(part, f"a second <{tag}>; expected at most one, with all annotations inside"))
        else:
            sections[tag] = _annotations(part, strangers)
    if strangers:
        _log_strangers(root, strangers, log)
    texts = tuple([token.text or "" for token in tokens])
    _log_texts(root, texts, log)
    return Skeleton(names_of(tokens[0].keys() if tokens else ()), tokens, texts, *(sections.get(part, []) for part in PARTS))


def names_of(attributes: Collection[str]) -> Names:
    """Return how a file names its ids; the attributes of its first token tell."""
    return UNLABELLED if "id" in attributes and "t_id" not in attributes else LABELLED


def _annotations(section: etree._Element, strangers: list[Stranger]) -> list[Annotation]:
    name = tag_of(section)
    allowed = PARTS[name]
    expected = " and ".join(f"<{part}>" for part in allowed)
    annotations: list[Annotation] = []
    for element in section:
        if element.tag in RESERVED:
            message = f"<{tag_of(element)}> directly in <{name}>; expected annotations there, with {expected} inside"
            strangers.append(Stranger(element, message))
            continue
        children = [child for child in element[:] if child.tag in allowed]  # an iterator would take twice the time of a slice
        if len(children) < len(element):
            message = f"in <{tag_of(element)}>, an annotation among the {name}; expected {expected} only"
            strangers += [Stranger(child, f"<{tag_of(child)}> {message}") for child in element if child.tag not in allowed]
        for child in children:
            if len(child):
                strangers += [Stranger(inner, f"<{tag_of(inner)}> in a <{tag_of(child)}>, which is empty") for inner in child]
        annotations.append(Annotation(element, children))
    return annotations


def _log_strangers(root: etree._Element, strangers: list[Stranger], log: ProblemLog) -> None:
    """Log each stranger and the text after it, in document order, and remove it from the document."""
    ranks = {element: rank for rank, element in enumerate(root.iter())}
    for element, message in sorted(strangers, key=lambda stranger: ranks[stranger.element]):
        log.add("xml.invalid", message, line_of(element))
        parent = element.getparent()
        if parent is not None:
            if parent.tag != TOKEN:
                _log_text(element.tail, f"after <{tag_of(element)}>", line_of(element), log)
            parent.remove(element)


def _log_texts(root: etree._Element, texts: tuple[str, ...], log: ProblemLog) -> None:
    """Log text outside tokens, for which elements are looked at one by one only if the document has more text than its tokens."""
    if "".join(_TEXT(root).split()) == "".join("".join(texts).split()):
        return
    for element in root.iter():
        tag = tag_of(element)
        if tag != TOKEN:
            _log_text(element.text, f"in <{tag}>", line_of(element), log)
        _log_text(element.tail, f"after <{tag}>", line_of(element), log)


def _log_text(text: str | None, where: str, line: int | None, log: ProblemLog) -> None:
    stray = " ".join((text or "").split())
    if stray:
        log.add("xml.invalid", f"text {quoted(stray)} {where}; only tokens have text", line)
