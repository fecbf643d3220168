"""The part of CAT XML whose element names are fixed: `Document`, `token`, `Markables`, `Relations` and what stands in annotations.

The tags of annotations are the user's, so no DTD can list them: what a DTD would check is checked here, in XPath where all is well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

from lxml import etree

from pytest_nlpeval.formats.xml import line_of, tag_of
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.wording import quoted

ROOT = "Document"
TOKEN = "token"  # noqa: S105 - the element
PARTS = {"Markables": ("token_anchor",), "Relations": ("source", "target")}
"""The sections, and what may stand in their annotations."""

RESERVED = frozenset((ROOT, TOKEN, *PARTS, *(name for names in PARTS.values() for name in names)))
"""Names that no annotation can have."""

_NUMBER = etree.XPath("count(//*)")
_TOKEN_TEXTS = etree.XPath("token/text()", smart_strings=False)
_TOKEN_ATTRIBUTES = {name: etree.XPath(f"token/@{name}", smart_strings=False) for name in ("t_id", "id", "sentence")}
_TEXT = etree.XPath("string()", smart_strings=False)
_ANCHORS = etree.XPath("*/token_anchor")
_ANCHOR_ATTRIBUTES = {name: etree.XPath(f"*/token_anchor/@{name}", smart_strings=False) for name in ("t_id", "id")}
_ENDS = etree.XPath("*/*")


class Names(NamedTuple):
    """The attributes that hold the ids of tokens, markables and relations."""

    token: Literal["t_id", "id"]
    markable: str
    relation: str


LABELLED = Names("t_id", "m_id", "r_id")
UNLABELLED = Names("id", "id", "id")


def names_of(attributes: Collection[str]) -> Names:
    """Return how a file names its ids: what attributes its first token has tells."""
    return UNLABELLED if "id" in attributes and "t_id" not in attributes else LABELLED


class Annotations(NamedTuple):
    """The annotations of the sections of one kind in document order, their tags, and how many elements stand in each."""

    sections: list[etree._Element]
    elements: list[etree._Element]
    tags: list[str]
    sizes: list[int]

    @property
    def extents(self) -> Iterator[tuple[int, int]]:
        """Where the elements in each annotation begin and end among those in all."""
        return pairwise(accumulate(self.sizes, initial=0))


class Skeleton(NamedTuple):
    """The elements of a file by what they are, in document order, and the texts of the tokens.

    Tokens and anchors are most of a file, and an object for each would cost more than parsing it: what is needed of them comes as
    columns. `anchored` are the ids of the tokens that the anchors name, "" where there is none; `roles` are the tags of `ends`.
    """

    root: etree._Element
    names: Names
    texts: tuple[str, ...]
    markables: Annotations
    anchored: list[str]
    relations: Annotations
    ends: list[etree._Element]
    roles: list[str]

    @property
    def tokens(self) -> list[etree._Element]:
        """The tokens, for messages about them."""
        return list(self.root.iterchildren(TOKEN))

    @property
    def anchors(self) -> list[etree._Element]:
        """The anchors of all markables, for messages about them."""
        return [anchor for section in self.markables.sections for anchor in _ANCHORS(section)]

    def token_column(self, name: Literal["t_id", "id", "sentence"]) -> list[str]:
        """Return an attribute of all tokens, "" where there is none."""
        found: list[str] = _TOKEN_ATTRIBUTES[name](self.root)
        return found if len(found) == len(self.texts) else [token.get(name, "") for token in self.tokens]


def read_skeleton(root: etree._Element, log: ProblemLog) -> Skeleton:
    """Return what stands in a document; logs and leaves out what does not belong there."""
    found, is_sound = _gather(root)
    if is_sound:
        return found
    for element, message in list(_strangers(root)):
        log.add("xml.invalid", message, line_of(element))
        parent = element.getparent()
        if parent is not None:
            if parent.tag != TOKEN:
                _log_text(element.tail, f"behind <{tag_of(element)}>", line_of(element), log)
            parent.remove(element)
    _log_texts(root, log)
    return _gather(root)[0]


def _gather(root: etree._Element) -> tuple[Skeleton, bool]:
    """Return what stands in a document, and whether nothing else does: other elements, text outside tokens."""
    first = next(root.iterchildren(TOKEN), None)
    names, sections = names_of([] if first is None else first.keys()), list(root.iterchildren(*PARTS))
    markables, relations = (_annotations([section for section in sections if section.tag == part]) for part in PARTS)
    anchored, ends = _anchored(markables, names.token), [end for section in relations.sections for end in _ENDS(section)]
    roles = [end.tag for end in ends]
    others = 1 + len(sections) + len(markables.elements) + len(anchored) + len(relations.elements) + len(ends)
    texts, is_sound = _texts(root, int(_NUMBER(root)) - others)
    is_sound = (
        is_sound
        and max(len(markables.sections), len(relations.sections)) <= 1
        and set(roles).issubset(PARTS["Relations"])
        and RESERVED.isdisjoint(markables.tags)
        and RESERVED.isdisjoint(relations.tags)
    )
    return Skeleton(root, names, texts, markables, anchored, relations, ends, roles), is_sound


def _annotations(sections: list[etree._Element]) -> Annotations:
    elements = [child for section in sections for child in section]
    return Annotations(sections, elements, list(map(tag_of, elements)), list(map(len, elements)))


def _anchored(markables: Annotations, name: Literal["t_id", "id"]) -> list[str]:
    """Return what the anchors name."""
    found: list[str] = [token for section in markables.sections for token in _ANCHOR_ATTRIBUTES[name](section)]
    if len(found) == sum(markables.sizes):
        return found
    return [anchor.get(name, "") for section in markables.sections for anchor in _ANCHORS(section)]


def _texts(root: etree._Element, elements: int) -> tuple[tuple[str, ...], bool]:
    """Return the text of each token, and whether there is neither text outside tokens nor another one of the `elements` left.

    The text nodes of tokens are their texts if there are as many of them as tokens, and each is a word of the document's whole
    text: two nodes of one token would be one word.
    """
    words = _TEXT(root).split()
    texts = _TOKEN_TEXTS(root)
    if words == texts and len(texts) == elements:
        return tuple(texts), True
    texts = [token.text or "" for token in root.iterchildren(TOKEN)]
    return tuple(texts), "".join(words) == "".join("".join(texts).split()) and len(texts) == elements


def _strangers(root: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    """Yield the elements that stand where they do not belong, and why; not what is inside of those."""
    seen: set[str] = set()
    for child in root:
        tag = tag_of(child)
        if tag == TOKEN:
            yield from ((inner, f"<{tag_of(inner)}> in a <token>; expected text alone") for inner in child)
        elif tag not in PARTS:
            yield child, f"<{tag}> in <{ROOT}>; expected <token>, <Markables> and <Relations> only"
        elif tag in seen:
            yield child, f"a second <{tag}>; expected at most one, with all annotations inside"
        else:
            seen.add(tag)
            yield from _strangers_in_section(child, tag)


def _strangers_in_section(section: etree._Element, name: str) -> Iterator[tuple[etree._Element, str]]:
    allowed = PARTS[name]
    expected = " and ".join(f"<{part}>" for part in allowed)
    for annotation in section:
        tag = tag_of(annotation)
        if tag in RESERVED:
            yield annotation, f"<{tag}> directly in <{name}>; expected annotations there, with {expected} inside"
            continue
        for child in annotation:
            if child.tag not in allowed:
                yield child, f"<{tag_of(child)}> in <{tag}>, an annotation among the {name}; expected {expected} only"
            else:
                yield from ((inner, f"<{tag_of(inner)}> in a <{tag_of(child)}>, which is empty") for inner in child)


def _log_texts(root: etree._Element, log: ProblemLog) -> None:
    for element in root.iter():
        tag = tag_of(element)
        if tag != TOKEN:
            _log_text(element.text, f"in <{tag}>", line_of(element), log)
        _log_text(element.tail, f"behind <{tag}>", line_of(element), log)


def _log_text(text: str | None, where: str, line: int | None, log: ProblemLog) -> None:
    stray = " ".join((text or "").split())
    if stray:
        log.add("xml.invalid", f"text {quoted(stray)} {where}; only tokens have text", line)
