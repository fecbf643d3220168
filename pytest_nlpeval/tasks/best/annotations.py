"""Reads `best.xml`: beliefs and sentiments of source mentions towards target mentions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat
from typing import Literal

from lxml import etree

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import EXACT_LINES, line_of, read_xml, tag_of
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.best.ere import Ere, Mention
from pytest_nlpeval.tasks.best.options import Options
from pytest_nlpeval.wording import quoted

Attitude = Literal["belief", "sentiment"]
ATTITUDES: tuple[Attitude, ...] = ("belief", "sentiment")
ROOTS = ("committed_belief_doc", "belief_sentiment_doc")
VALUES = {"belief": frozenset(("cb", "ncb", "rob", "na")), "sentiment": frozenset(("pos", "neg", "none"))}
SOURCE_TYPES = frozenset(("PER", "ORG", "GPE"))

_SECTIONS: dict[str, Attitude] = {"belief_annotations": "belief", "sentiment_annotations": "sentiment"}
_TAGS = ("entity", "relation", "event", "belief", "sentiment", "source", "trigger", "text")
_KEYS = {"belief": "type", "sentiment": "polarity"}
_AS_WRITTEN = {attitude: {value: value for value in values} for attitude, values in VALUES.items()}
_NO_MENTION = Mention("", "entity", "", "", "", "", "", None)


Annotation = tuple[Attitude, str, str, str, int | None]
"""One belief or sentiment as annotated: attitude, value in lower case, source and target mention ids, line.

The source is "" if there is none; lines count from 1, None where the file is too long to know.
"""


def read_annotations(source: Source, documents: Documents, _options: Options, log: ProblemLog) -> list[Annotation] | None:
    """Return all annotations of a file in both layouts, or None with all problems in the log.

    Without ERE among the documents, references are not checked.
    """
    root = read_xml(source, "best.dtd", ROOTS, log)
    if root is None:
        return None
    found = _Reader(documents.get("ere"), log).read(root)
    _log_duplicates(found, log)
    return None if log.has_errors else found


def _log_duplicates(annotations: list[Annotation], log: ProblemLog) -> None:
    if len({annotation[:4] for annotation in annotations}) == len(annotations):
        return
    seen: dict[tuple[str, ...], int | None] = {}
    for annotation in annotations:
        attitude, _, _, target, line = annotation
        if annotation[:4] in seen:
            message = f"the same {attitude} stands on line {seen[annotation[:4]] or '?'} already; it counts once"
            log.add("best.duplicate", message, line, where=f"target {target}")
        seen.setdefault(annotation[:4], line)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Goes through a document; what looks right at a glance is not looked at twice."""

    ere: Ere | None
    log: ProblemLog

    def read(self, root: etree._Element) -> list[Annotation]:
        """Return all annotations; those of arguments are never scored."""
        etree.strip_elements(root, "arguments")
        return [annotation for section in root for annotation in self._section(section, _SECTIONS[tag_of(section)])]

    def _section(self, section: etree._Element, attitude: Attitude) -> Iterator[Annotation]:
        """Return the annotations of a section in document order. One flat loop: this is where the time goes."""
        values: list[str] = []
        sources: list[str] = []
        targets: list[str] = []
        lines: list[int | None] = []
        key, as_written = _KEYS[attitude], _AS_WRITTEN[attitude]
        mentions = self.ere.mentions if self.ere else {}
        target: etree._Element | None = None  # until it was checked
        target_name = ""
        is_open = False  # whether a <source> belongs to the last annotation
        for element in section.iter(*_TAGS):
            tag, get = element.tag, element.get
            if tag == "source":
                name, offset, length, text = get("ere_id", ""), get("offset"), get("length"), element.text
                mention = mentions.get(name, _NO_MENTION)
                if mention.entity_type not in SOURCE_TYPES or not _agrees(mention, offset, length, text):
                    name = self._source(element, name)
                if is_open:
                    sources[-1] = name
            elif tag == attitude:
                if target is not None:
                    self._check_target(target, target_name, attitude)
                    target = None
                values.append(as_written.get(get(key, "")) or self._value(element, attitude, target_name))
                sources.append("")
                targets.append(target_name)
                lines.append(element.sourceline)
                is_open = True
            elif tag in ("trigger", "text"):
                self._check_repeated(target_name, element, get("offset"), get("length"), element.text)
            elif tag in ("belief", "sentiment"):
                self._log_misplaced(element, attitude)
                is_open = False
            else:
                target_name, offset, length = get("ere_id", ""), get("offset"), get("length")
                mention = mentions.get(target_name, _NO_MENTION)
                if mention is _NO_MENTION or not _agrees(mention, offset, length, None):
                    target_name = self._target(element, target_name)
                target = None if mention.kind == tag != "entity" else element
        exact = (line if line and line < EXACT_LINES else None for line in lines)
        return zip(repeat(attitude), values, sources, targets, exact, strict=False)

    def _source(self, element: etree._Element, name: str) -> str:
        """Return the mention that a source names, after logging what is wrong with it."""
        name = name or _other_id(element, self.log)
        self._check_source(element, name)
        self._check_repeated(name, element, element.get("offset"), element.get("length"), element.text)
        return name

    def _target(self, element: etree._Element, name: str) -> str:
        """Return the mention that a target names, after logging what is wrong with it."""
        name = name or _other_id(element, self.log)
        self._check_known(element, name)
        self._check_repeated(name, element, element.get("offset"), element.get("length"), None)
        return name

    def _value(self, element: etree._Element, attitude: Attitude, target: str) -> str:
        value = element.get(_KEYS[attitude], "").lower()
        if value not in VALUES[attitude]:
            message = f"{_KEYS[attitude]} {quoted(value)} of a {attitude}; expected one of {', '.join(sorted(VALUES[attitude]))}"
            self.log.add("best.value", message, line_of(element), where=f"target {target}")
        return value

    def _log_misplaced(self, element: etree._Element, attitude: Attitude) -> None:
        message = f"<{tag_of(element)}> among the {attitude} annotations; it belongs into the other section"
        self.log.add("best.section", message, line_of(element))

    def _check_known(self, element: etree._Element, name: str) -> None:
        """Log it if the ERE file has no such mention as an element names."""
        if self.ere is None or not name or name in self.ere.mentions:
            return
        hint = self.ere.hint(name) if self.log.keeps("best.unknown-id") else ""
        message = f"the ERE file has no mention {quoted(name)}; {hint}"
        self.log.add("best.unknown-id", message, line_of(element), where=f"<{tag_of(element)}>")

    def _check_target(self, element: etree._Element, name: str, attitude: Attitude) -> None:
        """Log it if a target that gets an annotation is of the wrong kind."""
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
        """Log it if a source is no mention of an entity of the right type."""
        self._check_known(element, name)
        mention = self.ere.mentions.get(name) if self.ere else None
        if mention is None or mention.entity_type in SOURCE_TYPES:
            return
        if mention.kind != "entity":
            message = f"the source {quoted(name)} is a mention of kind {mention.kind}; expected an entity mention"
            self.log.add("best.source", message, line_of(element))
        else:
            message = f"the source {quoted(name)} is of type {quoted(mention.entity_type)}; expected PER, ORG or GPE"
            self.log.add("best.source-type", message, line_of(element))

    def _check_repeated(
        self, name: str, element: etree._Element, offset: str | None, length: str | None, text: str | None
    ) -> None:
        """Log it if what an element repeats of a mention does not agree with the ERE file."""
        mention = self.ere.mentions.get(name) if self.ere else None
        if mention is None or _agrees(mention, offset, length, text):
            return
        said = f"offset {offset or '-'}, length {length or '-'}, text {quoted(' '.join((text or '').split()))}"
        known = f"offset {mention.offset or '-'}, length {mention.length or '-'}, text {quoted(mention.text)}"
        message = f"repeats {said}, but the ERE file has {known}"
        self.log.add("best.repeated", message, line_of(element), where=f"mention {name}")


def _other_id(element: etree._Element, log: ProblemLog) -> str:
    name = element.get("id")
    if not name:
        log.add("best.no-id", f"<{tag_of(element)}> names no mention; give `ere_id`", line_of(element))
    return name or ""


def _agrees(mention: Mention, offset: str | None, length: str | None, text: str | None) -> bool:
    """Whether what an element repeats of a mention, as far as it repeats anything, is what the ERE file says."""
    return (
        (offset is None or offset == mention.offset)
        and (length is None or length == mention.length)
        and (not text or text == mention.text or " ".join(text.split()) in ("", mention.text))
    )
