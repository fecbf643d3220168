"""Why a document is not right: mentions missed and spurious, entities split and merged, with their texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from pytest_nlpeval.explanations import Difference, Explanation, Omitted, Passage, explain_in_order
from pytest_nlpeval.tasks.coref.context import words_around
from pytest_nlpeval.tasks.coref.document import Document, Side
from pytest_nlpeval.tasks.coref.mentions import STEP, Key, Mention, order_of
from pytest_nlpeval.wording import plural

Reason = Literal["missing-mention", "spurious-mention", "split-entity", "merged-entities"]

_KINDS: dict[Reason, Difference] = {
    "missing-mention": "missed",
    "spurious-mention": "spurious",
    "split-entity": "partial",
    "merged-entities": "partial",
}

_MEASURES: tuple[str, ...] = ()
"""Whatever is wrong bears on all measures."""

SHOWN = 8
"""How many parts of an entity a message shows."""


class Error(NamedTuple):
    """A mention, or the first mention of an entity, with the first mention of each part."""

    mention: Mention
    parts: tuple[Mention, ...]


class Compared(NamedTuple):
    """A document of gold and the system's, if it has it, with the mentions of both; `pairs` has the rank of each gold mention's partner."""

    gold: Document
    system: Document | None
    mentions: Side
    answers: Side
    pairs: Mapping[int, int]


def explain(documents: Iterable[Compared]) -> Iterator[Explanation | Omitted]:
    """Yield the explanations in the order of documents and mentions; a document that the system lacks has none of its own."""

    def wrong() -> Iterator[tuple[Reason, str, tuple[Document, Document | None, Error]]]:
        for gold, system, mentions, answers, pairs in documents:
            for reason, error in sorted(_errors(mentions, answers, pairs), key=_place):
                yield reason, "", (gold, system, error)

    yield from explain_in_order(wrong(), lambda reason, item: _WRITERS[reason](*item), lambda *_: _MEASURES)


def _place(error: tuple[Reason, Error]) -> tuple[Key, int]:
    reason, (mention, _) = error
    return order_of(mention, has_gaps=False), list(_KINDS).index(reason)


def _errors(gold: Side, system: Side, pairs: Mapping[int, int]) -> Iterator[tuple[Reason, Error]]:
    partners = {other: own for own, other in pairs.items()}
    for side, own, alone in ((gold, pairs, "missing-mention"), (system, partners, "spurious-mention")):
        for rank, (mention, owner) in enumerate(zip(side.mentions, side.owners, strict=True)):
            if rank not in own:
                reason: Reason = "missing-mention" if alone == "missing-mention" else "spurious-mention"
                yield reason, Error(mention, (side.entities[owner][0],))
    for side, other, own, of_parts in ((gold, system, pairs, True), (system, gold, partners, False)):
        for mention, parts in _divided(side, other, own):
            yield "split-entity" if of_parts else "merged-entities", Error(mention, parts)


def _divided(side: Side, other: Side, partners: Mapping[int, int]) -> Iterator[tuple[Mention, tuple[Mention, ...]]]:
    """Yield the first mention of each entity whose partners are in two entities or more, and the first mention of each of these."""
    parts: list[dict[int, None]] = [{} for _ in side.entities]
    for rank, owner in enumerate(side.owners):
        if rank in partners:
            parts[owner][other.owners[partners[rank]]] = None
    for entity, owners in zip(side.entities, parts, strict=True):
        if len(owners) > 1:
            yield entity[0], tuple(other.entities[owner][0] for owner in owners)


def _quoting(gold: Document, system: Document | None, mention: Mention) -> Document:
    """Return the document whose words a mention of the system has: the system's own, gold's where that does not know them."""
    return system if system is not None and system.word(mention.places[0]) is not None else gold


def _missing(gold: Document, _system: Document | None, error: Error) -> Explanation:
    text = gold.text(error.mention)
    if error.parts[0] == error.mention:
        side, message = text, f"{text} is missed; it begins an entity"
    else:
        side = f"{text} of the entity of {gold.text(error.parts[0])}"
        message = f"{side} is missed"
    words, spans = words_around(gold, error.mention)
    missed = _explanation("missing-mention", gold, error.mention, message, (side, ""))
    return missed._replace(gold_line=error.mention.line, passage=Passage.cut(words, gold=spans) if words else None)


def _spurious(gold: Document, system: Document | None, error: Error) -> Explanation:
    document = _quoting(gold, system, error.mention)
    text = document.text(error.mention)
    words, spans = words_around(document, error.mention)
    spurious = _explanation(
        "spurious-mention", gold, error.mention, f"{text} is no mention in gold", ("", text), error.mention.line
    )
    return spurious._replace(passage=Passage.cut(words, system=spans) if words else None)


def _split(gold: Document, system: Document | None, error: Error) -> Explanation:
    text, parts = gold.text(error.mention), _listed([(_quoting(gold, system, part), part) for part in error.parts])
    message = f"the entity of {text} is split into {plural(len(error.parts), 'part')}, which begin with {parts}"
    return _explanation("split-entity", gold, error.mention, message, (text, parts), error.parts[0].line)


def _merged(gold: Document, system: Document | None, error: Error) -> Explanation:
    text = _quoting(gold, system, error.mention).text(error.mention)
    parts = _listed([(gold, part) for part in error.parts])
    message = f"the entity of {text} merges {len(error.parts):,} of gold, which begin with {parts}"
    return _explanation("merged-entities", gold, error.mention, message, (parts, text), error.mention.line)


_WRITERS = {"missing-mention": _missing, "spurious-mention": _spurious, "split-entity": _split, "merged-entities": _merged}


def _explanation(
    reason: Reason, document: Document, mention: Mention, message: str, sides: tuple[str, str], line: int | None = None
) -> Explanation:
    item = f"{document.name} {_extent(mention)} {reason}"
    return Explanation(document.name, reason, message, line, _KINDS[reason], item, *sides, _MEASURES)


def _extent(mention: Mention) -> str:
    first, last = (divmod(place, STEP) for place in (mention.places[0], mention.places[-1]))
    return "-".join(f"{word}.{empty}" if empty else str(word) for word, empty in (first, last))


def _listed(mentions: Sequence[tuple[Document, Mention]]) -> str:
    shown = ", ".join(document.text(mention) for document, mention in mentions[:SHOWN])
    return shown + (f", … ({len(mentions)} in all)" if len(mentions) > SHOWN else "")
