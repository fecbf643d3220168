"""Reads `best.xml`: beliefs and sentiments of source mentions towards target mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import line_of, read_xml, tag_of
from pytest_nlpeval.libraries import etree
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.best.ere import Ere, Mention
from pytest_nlpeval.tasks.best.options import Options
from pytest_nlpeval.wording import quoted

Attitude = Literal["belief", "sentiment"]
ATTITUDES: tuple[Attitude, ...] = ("belief", "sentiment")
ROOTS = ("committed_belief_doc", "belief_sentiment_doc")
VALUES = {"belief": frozenset(("cb", "ncb", "rob", "na")), "sentiment": frozenset(("pos", "neg", "none"))}
UNSCORED = {"belief": {"polarity": ("pos", "neg"), "sarcasm": ("yes", "no")}, "sentiment": {"sarcasm": ("yes", "no")}}
"""The attributes that no score depends on, and their values."""

SOURCE_TYPES = frozenset(("PER", "ORG", "GPE"))

_SECTIONS: dict[str, Attitude] = {"belief_annotations": "belief", "sentiment_annotations": "sentiment"}
_LISTS = frozenset(("beliefs", "sentiments"))
_KEYS = {"belief": "type", "sentiment": "polarity"}
_DECIMAL = re.compile(r"[+-]?(?=\.?[0-9])[0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]+)?")

Annotation = tuple[Attitude, str, str, str, int | None, float | None]
"""One belief or sentiment as annotated: attitude, value in lower case, source and target mention ids, line, confidence.

The source is "" if there is none. Lines count from 1; the line is None where the file is too long to know. The confidence is in [0, 1], or
None where the file gives no such number.
"""


def read_annotations(source: Source, documents: Documents, _options: Options, log: ProblemLog) -> list[Annotation] | None:
    """Return all annotations of a file in both layouts, or None with all problems in the log.

    Without ERE among the documents, references are not checked.
    """
    root = read_xml(source, "best.dtd", ROOTS, log)
    if root is None:
        return None
    annotations = list(_Reader(documents.get("ere"), log).read(root))
    _log_duplicates(annotations, log)
    return None if log.has_errors else annotations


def _log_duplicates(annotations: list[Annotation], log: ProblemLog) -> None:
    if len({annotation[:4] for annotation in annotations}) == len(annotations):
        return
    seen: dict[tuple[str, ...], int | None] = {}
    for annotation in annotations:
        attitude, _, _, target, line, _ = annotation
        if annotation[:4] in seen:
            message = f"line {seen[annotation[:4]] or '?'} has the same {attitude}; it counts once"
            log.add("best.duplicate", message, line, where=f"target {target}")
        seen.setdefault(annotation[:4], line)


@light_dataclass(frozen=True, slots=True)
class _Reader:
    """Goes through a document and logs what is wrong with it."""

    ere: Ere | None
    log: ProblemLog

    def read(self, root: etree._Element) -> Iterator[Annotation]:
        """Yield all annotations in document order."""
        for section in root:
            attitude = _SECTIONS[tag_of(section)]
            for group in section:
                for target in group:
                    yield from self._of_target(target, attitude)

    def _of_target(self, target: etree._Element, attitude: Attitude) -> Iterator[Annotation]:
        name = self._named(target)
        self._check_repeated(name, target, None)
        is_checked = False
        for part in _parts(target):
            if part.tag == attitude:
                if not is_checked:
                    self._check_target(target, name, attitude)
                    is_checked = True
                value, confidence = self._value(part, attitude, name), self._confidence(part, name)
                self._check_unscored(part, attitude, name)
                yield attitude, value, self._source(part), name, line_of(part), confidence
            elif part.tag in VALUES:
                self._log_misplaced(part, attitude)
                self._source(part)
            else:
                self._check_repeated(name, part, part.text)

    def _source(self, annotation: etree._Element) -> str:
        """Return the mention that holds the belief or sentiment, "" if none is named."""
        for element in annotation:
            name = self._named(element)
            self._check_source(element, name)
            self._check_repeated(name, element, element.text)
            return name
        return ""

    def _named(self, element: etree._Element) -> str:
        """Return the mention that a target or source names."""
        name = element.get("ere_id") or element.get("id")
        if not name:
            self.log.add("best.no-id", f"<{tag_of(element)}> names no mention; give `ere_id`", line_of(element))
            return ""
        if self.ere is not None and name not in self.ere.mentions:
            hint = self.ere.hint(name) if self.log.keeps("best.unknown-id") else ""
            message = f"the ERE file has no mention {quoted(name)}; {hint}"
            self.log.add("best.unknown-id", message, line_of(element), where=f"<{tag_of(element)}>")
        return name

    def _value(self, element: etree._Element, attitude: Attitude, target: str) -> str:
        value = element.get(_KEYS[attitude], "").lower()
        if value not in VALUES[attitude]:
            message = f"{_KEYS[attitude]} {quoted(value)} of a {attitude}; expected one of {', '.join(sorted(VALUES[attitude]))}"
            self.log.add("best.value", message, line_of(element), where=f"target {target}")
        return value

    def _confidence(self, element: etree._Element, target: str) -> float | None:
        text = element.get("confidence")
        if text is None:
            return None
        value = float(text) if _DECIMAL.fullmatch(text) else -1.0
        if 0 <= value <= 1:
            return abs(value)
        message = f"confidence {quoted(text)}; expected a number from 0 to 1, such as 0.8, or no confidence; it is not scored"
        self.log.add("best.confidence", message, line_of(element), where=f"target {target}")
        return None

    def _check_unscored(self, element: etree._Element, attitude: Attitude, target: str) -> None:
        """Log values that the task does not list, of attributes that no score depends on."""
        for key, values in UNSCORED[attitude].items():
            value = element.get(key)
            if value is not None and value.lower() not in values:
                message = f"{key} {quoted(value)} of a {attitude}; expected {' or '.join(values)}; it is not scored"
                self.log.add("best.attribute", message, line_of(element), where=f"target {target}")

    def _log_misplaced(self, element: etree._Element, attitude: Attitude) -> None:
        message = f"<{tag_of(element)}> among the {attitude} annotations; it belongs in the other section"
        self.log.add("best.section", message, line_of(element))

    def _check_target(self, element: etree._Element, name: str, attitude: Attitude) -> None:
        """Log a target that has an annotation and is of the wrong kind."""
        mention = self.ere.mentions.get(name) if self.ere else None
        if mention is None:
            return
        if attitude == "belief" and mention.kind == "entity":
            message = f"the belief's target {quoted(mention.id)} is an entity mention; expected a relation or event mention"
            self.log.add("best.target", message, line_of(element), where=f"<{tag_of(element)}>")
        elif element.tag != mention.kind:
            message = f"<{tag_of(element)}> names {quoted(mention.id)}, which is a mention of kind {mention.kind}"
            self.log.add("best.target-kind", message, line_of(element))

    def _check_source(self, element: etree._Element, name: str) -> None:
        """Log a source that is not a mention of an entity of the right type."""
        mention = self.ere.mentions.get(name) if self.ere else None
        if mention is None or mention.entity_type in SOURCE_TYPES:
            return
        if mention.kind != "entity":
            message = f"the source {quoted(name)} is a mention of kind {mention.kind}; expected an entity mention"
            self.log.add("best.source", message, line_of(element))
        else:
            message = f"the source {quoted(name)} is of type {quoted(mention.entity_type)}; expected PER, ORG or GPE"
            self.log.add("best.source-type", message, line_of(element))

    def _check_repeated(self, name: str, element: etree._Element, text: str | None) -> None:
        """Log an element whose offset, length or text differ from those of the ERE file."""
        mention = self.ere.mentions.get(name) if self.ere else None
        offset, length = element.get("offset"), element.get("length")
        if mention is None or _agrees(mention, offset, length, text):
            return
        said = f"offset {offset or '-'}, length {length or '-'}, text {quoted(' '.join((text or '').split()))}"
        in_ere = f"offset {mention.offset or '-'}, length {mention.length or '-'}, text {quoted(mention.text)}"
        message = f"repeats {said}, but the ERE file has {in_ere}"
        self.log.add("best.repeated", message, line_of(element), where=f"mention {name}")


def _parts(target: etree._Element) -> Iterator[etree._Element]:
    """Yield the annotations of a target, and the elements that repeat its mention; annotations of its arguments are never scored."""
    for child in target:
        if child.tag in _LISTS:
            yield from child
        elif child.tag != "arguments":
            yield child


def _agrees(mention: Mention, offset: str | None, length: str | None, text: str | None) -> bool:
    """Whether the offset, length and text that an element repeats are the mention's own; what it leaves out agrees."""
    return (
        (offset is None or offset == mention.offset)
        and (length is None or length == mention.length)
        and (not text or text == mention.text or " ".join(text.split()) in ("", mention.text))
    )
