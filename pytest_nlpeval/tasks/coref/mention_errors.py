"""Why a document is not right: mentions missed and spurious, entities split and merged, with their texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from pytest_nlpeval.explanations import Difference, Explanation, Omitted, explain_in_order
from pytest_nlpeval.tasks.coref.document import Document
from pytest_nlpeval.tasks.coref.mentions import STEP, Key, Mention, order_of
from pytest_nlpeval.tasks.coref.pairing import Pairing, Side
from pytest_nlpeval.wording import plural

Reason = Literal["missing-mention", "spurious-mention", "split-entity", "merged-entities"]

_KINDS: dict[Reason, Difference] = {
    "missing-mention": "missed",
    "spurious-mention": "spurious",
    "split-entity": "partial",
    "merged-entities": "partial",
}

SHOWN = 8
"""How many parts of an entity a message shows."""


class Error(NamedTuple):
    """A mention, or the first mention of an entity, with the first mention of each part."""

    mention: Mention
    parts: tuple[Mention, ...]


def explain(documents: Iterable[tuple[Document, Document | None, Pairing]]) -> Iterator[Explanation | Omitted]:
    """Yield the explanations in the order of documents and mentions; a document that the system lacks has none of its own."""

    def wrong() -> Iterator[tuple[Reason, str, tuple[Document, Document | None, Error]]]:
        for gold, system, pairing in documents:
            for reason, error in sorted(_errors(pairing), key=_place):
                yield reason, "", (gold, system, error)

    yield from explain_in_order(wrong(), lambda reason, item: _WRITERS[reason](*item))


def _place(error: tuple[Reason, Error]) -> tuple[Key, int]:
    reason, (mention, _) = error
    return order_of(mention, has_gaps=False), list(_KINDS).index(reason)


def _errors(pairing: Pairing) -> Iterator[tuple[Reason, Error]]:
    gold, system = pairing.sides
    partners = {other: own for own, other in pairing.pairs.items()}
    for side, own, alone in ((gold, pairing.pairs, "missing-mention"), (system, partners, "spurious-mention")):
        for rank, (mention, owner) in enumerate(zip(side.mentions, side.owners, strict=True)):
            if rank not in own:
                reason: Reason = "missing-mention" if alone == "missing-mention" else "spurious-mention"
                yield reason, Error(mention, (side.entities[owner][0],))
    for side, other, own, of_parts in ((gold, system, pairing.pairs, True), (system, gold, partners, False)):
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


def _missing(gold: Document, _system: Document | None, error: Error) -> Explanation:
    text, first = gold.text(error.mention), gold.text(error.parts[0])
    of = "it begins an entity" if error.parts[0] == error.mention else f"its entity begins with {first}"
    missed = _explanation("missing-mention", gold, error.mention, f"{text} is missed; {of}", (text, ""))
    return missed._replace(gold_line=error.mention.line)


def _spurious(gold: Document, system: Document | None, error: Error) -> Explanation:
    text = (system or gold).text(error.mention)
    message = f"{text} is no mention in gold"
    return _explanation("spurious-mention", gold, error.mention, message, ("", text), error.mention.line)


def _split(gold: Document, system: Document | None, error: Error) -> Explanation:
    text, parts = gold.text(error.mention), _listed(system or gold, error.parts)
    message = f"the entity of {text} is split into {plural(len(error.parts), 'part')}, which begin with {parts}"
    return _explanation("split-entity", gold, error.mention, message, (text, parts), error.parts[0].line)


def _merged(gold: Document, system: Document | None, error: Error) -> Explanation:
    text, parts = (system or gold).text(error.mention), _listed(gold, error.parts)
    message = f"the entity of {text} merges {len(error.parts):,} of gold, which begin with {parts}"
    return _explanation("merged-entities", gold, error.mention, message, (parts, text), error.mention.line)


_WRITERS = {"missing-mention": _missing, "spurious-mention": _spurious, "split-entity": _split, "merged-entities": _merged}


def _explanation(
    reason: Reason, document: Document, mention: Mention, message: str, sides: tuple[str, str], line: int | None = None
) -> Explanation:
    item = f"{document.name} {_extent(mention)} {reason}"
    return Explanation(document.name, reason, message, line, _KINDS[reason], item, *sides)


def _extent(mention: Mention) -> str:
    first, last = (divmod(place, STEP) for place in (mention.places[0], mention.places[-1]))
    return "-".join(f"{word}.{empty}" if empty else str(word) for word, empty in (first, last))


def _listed(document: Document, mentions: Sequence[Mention]) -> str:
    shown = ", ".join(map(document.text, mentions[:SHOWN]))
    return shown + (f", … ({len(mentions)} in all)" if len(mentions) > SHOWN else "")
