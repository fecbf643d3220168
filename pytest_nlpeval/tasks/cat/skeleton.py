"""The part of CAT XML whose element names are fixed: `Document`, `token`, `Markables`, `Relations` and what stands in annotations.

The tags of annotations are the user's, so no DTD can list them: what a DTD would check is checked here, in XPath where all is well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from lxml import etree

from pytest_nlpeval.escape import quoted
from pytest_nlpeval.formats.xml import line_of, tag_of
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.cat.document import Tokens

ROOT = "Document"
TOKEN = "token"  # noqa: S105 - the element
PARTS = {"Markables": ("token_anchor",), "Relations": ("source", "target")}
"""The sections, and what may stand in their annotations."""

RESERVED = frozenset((ROOT, TOKEN, *PARTS, *(name for names in PARTS.values() for name in names)))
"""Names that no annotation can have."""

_START, _END = b"<token ", b"</token>"
_UTF8 = (None, "UTF-8", "utf-8", "ASCII")
_NUMBER = etree.XPath("count(//*)")
_TOKENS = etree.XPath("count(token)")
_TOKEN_TEXTS = etree.XPath("token/text()", smart_strings=False)
_TOKEN_ATTRIBUTES = {name: etree.XPath(f"token/@{name}", smart_strings=False) for name in ("t_id", "id", "sentence")}
_TEXT = etree.XPath("string()", smart_strings=False)
_ANCHORS = etree.XPath("Markables/*/token_anchor")
_ANCHOR_NUMBER = etree.XPath("count(Markables/*/token_anchor)")
_ANCHOR_ATTRIBUTES = {name: etree.XPath(f"Markables/*/token_anchor/@{name}", smart_strings=False) for name in ("t_id", "id")}
_ENDS = etree.XPath("Relations/*/*")


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The elements of a file by what they are, in document order, and the texts of the tokens.

    Tokens and anchors are most of a file, and an object for each would cost more than parsing it: what is needed of them comes as
    columns. `roles` are the tags of `ends`.
    """

    root: etree._Element
    sections: list[etree._Element]
    texts: tuple[str, ...]
    markables: list[etree._Element]
    relations: list[etree._Element]
    ends: list[etree._Element]
    roles: list[str]

    @property
    def tokens(self) -> list[etree._Element]:
        """The tokens, for messages about them."""
        return list(self.root.iterchildren(TOKEN))

    @property
    def anchors(self) -> list[etree._Element]:
        """The anchors of all markables, for messages about them."""
        found: list[etree._Element] = _ANCHORS(self.root)
        return found

    def token_column(self, name: Literal["t_id", "id", "sentence"]) -> list[str]:
        """Return an attribute of all tokens, "" where there is none."""
        found: list[str] = _TOKEN_ATTRIBUTES[name](self.root)
        return found if len(found) == len(self.texts) else [token.get(name, "") for token in self.tokens]

    def anchor_column(self, name: Literal["t_id", "id"]) -> list[str]:
        """Return an attribute of all anchors, "" where there is none."""
        found: list[str] = _ANCHOR_ATTRIBUTES[name](self.root)
        return found if len(found) == sum(map(len, self.markables)) else [anchor.get(name, "") for anchor in self.anchors]


def token_part(data: bytes, root: etree._Element, known: Tokens | None) -> bytes:
    """Return the part of a file that holds all its tokens, if any file with the same part has the same tokens, otherwise b"".

    That is so where bytes mean the same everywhere: in UTF-8, without DOCTYPE before the part, and without anything but tokens
    inside. A part that differs from that of the `known` tokens only in how they are indented is theirs, and need not be looked through
    again.
    """
    start = data.find(_START)
    prolog = data[:start]
    if b"<!" in prolog or b"<?" in prolog[1:] or root.getroottree().docinfo.encoding not in _UTF8:
        return b""
    part = data[start : data.rfind(_END) + len(_END)]
    number = _TOKENS(root)
    if known is not None and (part == known.written or _packed(part) == _packed(known.written)):
        return known.written if number == len(known.ids) else b""
    return part if (part.count(_END), part.count(b"<")) == (number, 2 * number) else b""


def _packed(part: bytes) -> list[bytes]:
    """Return the tokens of a part without the space between each and the next, where that is always the same."""
    end = part.find(_END) + len(_END)
    space = part[end : part.find(_START, end)]
    return [part] if space.strip() else part.split(_END + space + _START)


def read_skeleton(root: etree._Element, log: ProblemLog, texts: tuple[str, ...] | None = None) -> Skeleton:
    """Return what stands in a document; logs and leaves out what does not belong there. `texts` are the tokens' if known."""
    found, has_other_text = _gather(root, texts)
    if _is_sound(found) and not has_other_text:
        return found
    for element, message in list(_strangers(root)):
        log.add("xml.invalid", message, line_of(element))
        parent = element.getparent()
        if parent is not None:
            if parent.tag != TOKEN:
                _log_text(element.tail, f"behind <{tag_of(element)}>", line_of(element), log)
            parent.remove(element)
    _log_texts(root, log)
    return _gather(root, None)[0]


def _gather(root: etree._Element, texts: tuple[str, ...] | None) -> tuple[Skeleton, bool]:
    """Return what stands in a document, and whether there is text outside tokens."""
    sections, ends = list(root.iterchildren(*PARTS)), _ENDS(root)
    texts, has_other_text = _texts(root, texts, len(root) - len(sections))
    markables, relations = ([child for section in sections if section.tag == part for child in section] for part in PARTS)
    return Skeleton(root, sections, texts, markables, relations, ends, [end.tag for end in ends]), has_other_text


def _texts(root: etree._Element, known: tuple[str, ...] | None, number: int) -> tuple[tuple[str, ...], bool]:
    """Return the text of each of a number of tokens, and whether there is text outside tokens.

    The text nodes of tokens are their texts if there are as many of them as tokens, and each is a word of the document's whole
    text: two nodes of one token would be one word.
    """
    everything = _TEXT(root)
    words = everything.split()
    texts = _TOKEN_TEXTS(root) if known is None else list(known)
    if words == texts and len(texts) == number:
        return tuple(texts), False
    if known is None:
        texts = [token.text or "" for token in root.iterchildren(TOKEN)]
    return tuple(texts), "".join(words) != "".join("".join(texts).split())


def _is_sound(found: Skeleton) -> bool:
    """Whether a document holds no elements but those that belong there."""
    tags = [section.tag for section in found.sections]
    annotations = [*found.markables, *found.relations]
    expected = 1 + len(found.root) + len(annotations) + _ANCHOR_NUMBER(found.root) + len(found.ends)
    return (
        len(found.texts) == len(found.root) - len(tags)
        and len(set(tags)) == len(tags)
        and _NUMBER(found.root) == expected
        and set(found.roles).issubset(PARTS["Relations"])
        and RESERVED.isdisjoint([element.tag for element in annotations])
    )


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
