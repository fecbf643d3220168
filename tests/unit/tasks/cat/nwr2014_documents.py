"""Builds documents and configurations from short texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pytest_nlpeval.tasks.cat.configuration import AnnotationType, Configuration
from pytest_nlpeval.tasks.cat.nwr2014.matching import match_nwr2014
from pytest_nlpeval.tasks.cat.nwr2014.tempeval import IntervalLink
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Relation, Tokens

TWENTY = tuple(str(number) for number in range(1, 21))


def config(*lines: str) -> Configuration:
    """Lines as `NAME type specificity attribute…`, separated by spaces."""
    rows = (line.split() for line in lines)
    fields: list[Any] = [(name, kind, specificity, tuple(attributes)) for name, kind, specificity, *attributes in rows]
    return Configuration(tuple(AnnotationType(*row) for row in fields))


def document(
    marks: Iterable[str] = (), links: Iterable[str] = (), sentences: Sequence[int] = (), ids: Sequence[str] = TWENTY
) -> Document:
    """Markables as `id NAME 3,4 att=value…` (`-` for none) by ranks of tokens from 1, relations as `NAME a,b>c att=value…`.

    The tokens have these ids, and the sentence numbers given for the first of them, then 0.
    """
    numbers = (*sentences, *(0 for _ in ids[len(sentences) :]))
    tokens = Tokens(tuple(ids), tuple("w" for _ in ids), numbers)
    markables: dict[str, Markable] = {}
    for mark in marks:
        name, tag, anchors, *attributes = mark.split(" ")
        places = () if anchors == "-" else tuple(int(rank) - 1 for rank in anchors.split(","))
        markables[name] = Markable(name, tag, places, _attributes(attributes), None)
    relations: list[Relation] = []
    for number, link in enumerate(links):
        tag, ends, *attributes = link.split(" ")
        sources, targets = (tuple(filter(None, side.split(","))) for side in ends.split(">"))
        relations.append(Relation(f"r{number}", tag, sources, targets, _attributes(attributes), None))
    return Document(tokens, markables, tuple(relations))


def _attributes(written: Iterable[str]) -> dict[str, str]:
    return {name: value for name, _, value in (text.partition("=") for text in written)}


def counts(configuration: Configuration, gold: Document, system: Document, sentences: int | None = None) -> dict[str, int]:
    """The counts without those that are 0."""
    found = match_nwr2014(gold, system, configuration, sentences).counts
    return {name: value for name, value in found.items() if value}


def links(*written: str) -> list[IntervalLink]:
    """Links as `X TYPE Y`."""
    return [IntervalLink(source, target, link_type) for source, link_type, target in (text.split() for text in written)]
