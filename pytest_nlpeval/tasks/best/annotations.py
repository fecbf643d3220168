"""Reads `best.xml`: beliefs and sentiments of source mentions towards target mentions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import Literal

from lxml import etree

from pytest_nlpeval.escape import quoted
from pytest_nlpeval.formats.source import Source
from pytest_nlpeval.formats.xml import EXACT_LINES, line_of, read_xml, tag_of
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.best.ere import Ere, Mention
from pytest_nlpeval.tasks.best.options import Options

Attitude = Literal["belief", "sentiment"]
ATTITUDES: tuple[Attitude, ...] = ("belief", "sentiment")
ROOTS = ("committed_belief_doc", "belief_sentiment_doc")
VALUES = {"belief": frozenset(("cb", "ncb", "rob", "na")), "sentiment": frozenset(("pos", "neg", "none"))}
SOURCE_TYPES = frozenset(("PER", "ORG", "GPE"))

_SECTIONS: dict[str, Attitude] = {"belief_annotations": "belief", "sentiment_annotations": "sentiment"}
_TAGS = ("entity", "relation", "event", "belief", "sentiment", "source", "trigger", "text")
_KEYS = {"belief": "type", "sentiment": "polarity"}


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
    """Goes through a document; `good` holds what elements said of mentions, once it was found to be right."""

    ere: Ere | None
    log: ProblemLog
    good: set[tuple[object, ...]] = field(default_factory=set)

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
        target: etree._Element | None = None  # until it was checked
        target_name = ""
        is_open = False  # whether a <source> belongs to the last annotation
        for element in section.iter(*_TAGS):
            tag = element.tag
            if tag == attitude:
                if target is not None:
                    self._check_target(target, target_name, attitude)
                    target = None
                values.append(self._value(element, attitude, target_name))
                sources.append("")
                targets.append(target_name)
                lines.append(element.sourceline)
                is_open = True
            elif tag == "source":
                source = self._named(element, "source")
                if is_open:
                    sources[-1] = source
            elif tag == "trigger":
                self._check_repeated(target_name, element, element.get("offset"), element.get("length"), element.text)
            elif tag == "text":
                self._check_repeated(target_name, element, None, None, element.text)
            elif tag in ("belief", "sentiment"):
                self._log_misplaced(element, attitude)
                is_open = False
            else:
                target, target_name = element, self._named(element, "target")
        exact = (line if line and line < EXACT_LINES else None for line in lines)
        return zip(repeat(attitude), values, sources, targets, exact, strict=False)

    def _named(self, element: etree._Element, part: Literal["source", "target"]) -> str:
        """Return the mention that a source or target names, after logging what is wrong with it."""
        name = element.get("ere_id") or _other_id(element, self.log)
        offset, length = element.get("offset"), element.get("length")
        text = element.text if part == "source" else None
        said = (part, name, offset, length, text)
        if said not in self.good:
            known = self._is_source(element, name) if part == "source" else self._is_known(element, name)
            if self._check_repeated(name, element, offset, length, text) and known:
                self.good.add(said)
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

    def _is_known(self, element: etree._Element, name: str) -> bool:
        """Whether the ERE file has the mention that an element names, after logging it if not."""
        if self.ere is None or not name or name in self.ere.mentions:
            return bool(name)
        hint = self.ere.hint(name) if self.log.keeps("best.unknown-id") else ""
        message = f"the ERE file has no mention {quoted(name)}; {hint}"
        self.log.add("best.unknown-id", message, line_of(element), where=f"<{tag_of(element)}>")
        return False

    def _check_target(self, element: etree._Element, name: str, attitude: Attitude) -> None:
        """Log it if a target that gets an annotation is of the wrong kind."""
        mention = self.ere.mentions.get(name) if self.ere else None
        if mention is None or mention.kind == element.tag != "entity":
            return
        if attitude == "belief" and mention.kind == "entity":
            message = f"the belief's target {quoted(mention.id)} is an entity mention; expected a relation or event mention"
            self.log.add("best.target", message, line_of(element), where=f"<{tag_of(element)}>")
        elif element.tag != mention.kind:
            message = f"<{tag_of(element)}> names {quoted(mention.id)}, which is a mention of kind {mention.kind}"
            self.log.add("best.target-kind", message, line_of(element))

    def _is_source(self, element: etree._Element, name: str) -> bool:
        """Whether a source is a mention of an entity of the right type, after logging why not."""
        if not self._is_known(element, name):
            return False
        mention = self.ere.mentions[name] if self.ere else None
        if mention is None or mention.entity_type in SOURCE_TYPES:
            return True
        if mention.kind != "entity":
            message = f"the source {quoted(name)} is a mention of kind {mention.kind}; expected an entity mention"
            self.log.add("best.source", message, line_of(element))
        else:
            message = f"the source {quoted(name)} is of type {quoted(mention.entity_type)}; expected PER, ORG or GPE"
            self.log.add("best.source-type", message, line_of(element))
        return False

    def _check_repeated(
        self, name: str, element: etree._Element, offset: str | None, length: str | None, text: str | None
    ) -> bool:
        """Whether what an element repeats of a mention agrees with the ERE file, after logging what does not."""
        mention = self.ere.mentions.get(name) if self.ere else None
        if mention is None or _agrees(mention, offset, length, text):
            return True
        said = f"offset {offset or '-'}, length {length or '-'}, text {quoted(' '.join((text or '').split()))}"
        known = f"offset {mention.offset or '-'}, length {mention.length or '-'}, text {quoted(mention.text)}"
        message = f"repeats {said}, but the ERE file has {known}"
        self.log.add("best.repeated", message, line_of(element), where=f"mention {name}")
        return False


def _other_id(element: etree._Element, log: ProblemLog) -> str:
    name = element.get("id")
    if not name:
        log.add("best.no-id", f"<{tag_of(element)}> names no mention; give `ere_id`", line_of(element))
    return name or ""


def _agrees(mention: Mention, offset: str | None, length: str | None, text: str | None) -> bool:
    """Whether what an element repeats of a mention, as far as it repeats anything, is what the ERE file says."""
    same_text = not text or text == mention.text or " ".join(text.split()) in ("", mention.text)
    return same_text and offset in (None, mention.offset) and length in (None, mention.length)
