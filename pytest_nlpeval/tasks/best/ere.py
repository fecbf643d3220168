"""Reads `rich_ere.xml`: entities, relations and hoppers, and the mentions that beliefs and sentiments refer to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Literal, NamedTuple

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import line_of, read_xml, tag_of
from pytest_nlpeval.libraries import etree
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.best.options import Options
from pytest_nlpeval.wording import nearest, quoted

MentionKind = Literal["entity", "relation", "event"]


class Mention(NamedTuple):
    """A mention of an entity, relation or event.

    `owner` is the id of its object: entity, relation or hopper. `offset` and `length` are in code points of the source text, as the file
    writes them, "" if it does not; a relation or event has those of its trigger. `begin` is where the mention begins, None if the file
    does not say; a relation or event without trigger begins at the smallest offset of its arguments. `entity_type` is upper-case, and ""
    for relations and events.
    """

    id: str
    kind: MentionKind
    owner: str
    entity_type: str
    offset: str
    length: str
    text: str
    begin: int | None

    @property
    def span(self) -> tuple[int, int] | None:
        """The half-open range of code points from `offset`, `length` long; None if the file does not write both."""
        return (int(self.offset), int(self.offset) + int(self.length)) if self.offset and self.length else None


@light_dataclass(frozen=True, slots=True)
class Ere:
    """The mentions of a document by id."""

    mentions: dict[str, Mention]

    def hint(self, name: str) -> str:
        """Return the known mention ids nearest to an unknown one."""
        return nearest(name, self.mentions)


@light_dataclass(frozen=True, slots=True)
class _Builder:
    """What was read of the file so far; `seen` holds every id."""

    log: ProblemLog
    mentions: dict[str, Mention] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    fillers: dict[str, int | None] = field(default_factory=dict)
    entities: set[str] = field(default_factory=set)

    def own_id(self, element: etree._Element) -> str:
        """Return the element's id; one that another element has is logged."""
        name = element.get("id", "")
        if name in self.seen:
            message = f"the id {quoted(name)} appears twice; ids are unique in the file"
            self.log.add("best.ere-id", message, line_of(element), where=f"<{tag_of(element)}>")
        self.seen.add(name)
        return name

    def offset_of(self, element: etree._Element, offset: str | None, length: str | None) -> int | None:
        """Return the offset as a number, None if there is none. An offset or length that is not a number is logged."""
        if offset and length and _is_number(offset + length):
            return int(offset)
        for attribute, text in (("offset", offset), ("length", length)):
            if text is not None and not _is_number(text):
                message = f"{attribute} {quoted(text)} is not a number; expected code points from the start of the source"
                self.log.add("best.ere-offset", message, line_of(element), where=f"<{tag_of(element)}>")
        return int(offset) if offset is not None and _is_number(offset) else None


def _is_number(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) < 18


def read_ere(source: Source, _documents: Documents, _options: Options, log: ProblemLog) -> Ere | None:
    """Return the mentions of a `deft_ere` document, or None with all problems in the log."""
    root = read_xml(source, "rich_ere.dtd", ("deft_ere",), log)
    if root is None:
        return None
    builder = _Builder(log)
    for entity in root.iterfind("entities/entity"):
        _read_entity(entity, builder)
    for filler in root.iterfind("fillers/filler"):
        builder.fillers[builder.own_id(filler)] = builder.offset_of(filler, filler.get("offset"), filler.get("length"))
    for relation in root.iterfind("relations/relation"):
        _read_object(relation, "relation", builder)
    for hopper in root.iterfind("hoppers/hopper"):
        _read_object(hopper, "event", builder)
    return None if log.has_errors else Ere(builder.mentions)


def _read_entity(entity: etree._Element, builder: _Builder) -> None:
    owner, entity_type = builder.own_id(entity), entity.get("type", "").upper()
    builder.entities.add(owner)
    for element in entity:
        name, offset, length = builder.own_id(element), element.get("offset", ""), element.get("length", "")
        begin = builder.offset_of(element, offset, length)
        text = ""
        for child in element:
            if child.tag == "mention_text":
                text = " ".join((child.text or "").split())
        builder.mentions[name] = Mention(name, "entity", owner, entity_type, offset, length, text, begin)


def _read_object(element: etree._Element, kind: MentionKind, builder: _Builder) -> None:
    owner = builder.own_id(element)
    for mention in element:
        name = builder.own_id(mention)
        offset = length = None
        text = ""
        begin = first = None
        for child in mention:
            if child.tag == "trigger":
                offset, length = child.get("offset"), child.get("length")
                text = " ".join((child.text or "").split())
                begin = builder.offset_of(child, offset, length)
            else:
                argument = _begin_of(child, builder)
                first = argument if first is None or (argument is not None and argument < first) else first
        begin = first if begin is None else begin
        builder.mentions[name] = Mention(name, kind, owner, "", offset or "", length or "", text, begin)


def _begin_of(argument: etree._Element, builder: _Builder) -> int | None:
    """Return where an argument begins: the mention or the filler that it names, or the earlier of both; None if the file does not say.

    Names that do not exist or do not fit together are logged.
    """
    name, filler = argument.get("entity_mention_id"), argument.get("filler_id")
    mention = None if name is None else builder.mentions.get(name)
    _check_mention(argument, mention, builder)
    if filler is not None and filler not in builder.fillers:
        _log_reference(argument, filler, "filler", builder.fillers, builder.log)
    begins = (mention.begin if mention else None, builder.fillers.get(filler) if filler else None)
    return min((begin for begin in begins if begin is not None), default=None)


def _check_mention(argument: etree._Element, mention: Mention | None, builder: _Builder) -> None:
    """Log what is wrong with the entity and the mention that an argument names: either may not exist, or they do not belong together."""
    name, entity = argument.get("entity_mention_id"), argument.get("entity_id")
    if entity is not None and entity not in builder.entities:
        _log_reference(argument, entity, "entity", builder.entities, builder.log)
    if name is not None and (mention is None or mention.kind != "entity"):
        _log_reference(argument, name, "entity mention", builder.mentions, builder.log)
    elif mention is not None and entity in builder.entities and entity != mention.owner:
        message = f"the mention {quoted(mention.id)} belongs to the entity {quoted(mention.owner)}, not to {quoted(entity or '')}"
        builder.log.add("best.ere-reference", message, line_of(argument), where=f"<{tag_of(argument)}>")


def _log_reference(argument: etree._Element, name: str, what: str, known: Iterable[str], log: ProblemLog) -> None:
    hint = nearest(name, known) if log.keeps("best.ere-reference") else ""
    log.add("best.ere-reference", f"no {what} {quoted(name)}; {hint}", line_of(argument), where=f"<{tag_of(argument)}>")
