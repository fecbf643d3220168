"""How gold and system files name a mention: by the id of an entity, or by the nodes around its words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from itertools import count
from typing import Any, TypeVar

from lxml import etree

from pytest_nlpeval.formats.xml import line_of, tag_of
from pytest_nlpeval.metrics.alignment import Span
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.are.inputs import Entities, Words, is_known
from pytest_nlpeval.tasks.are.options import Options
from pytest_nlpeval.wording import quoted

M = TypeVar("M", bound=Hashable)
"""A mention: the id of an entity, or a span."""


def finder(documents: Documents, options: Options, log: ProblemLog) -> Callable[[etree._Element], Any]:
    """Return what finds the mention that an element names, of the kind that the options' subtask has."""
    text = documents.get("input")
    return _finder_of_spans(text, log) if options.has_spans else _finder_of_entities(text, log)


def _finder_of_entities(entities: Entities | None, log: ProblemLog) -> Callable[[etree._Element], str | None]:
    """Return what finds entities by `id`; without the input, any id will do."""

    def find(element: etree._Element) -> str | None:
        name = element.get("id", "")
        return name if entities is None or is_known(element, name, entities.spans, log) else None

    return find


def _finder_of_spans(words: Words | None, log: ProblemLog) -> Callable[[etree._Element], Span | None]:
    """Return what finds spans by `start` and `end`; without the input, any nodes will do, in any order."""
    ranks: Mapping[str, int] = defaultdict(count().__next__) if words is None else words.ranks

    def find(element: etree._Element) -> Span | None:
        start, end = element.get("start", ""), element.get("end", "")
        if words is not None and not _are_nodes(element, (start, end), words, log):
            return None
        if words is not None and ranks[start] >= ranks[end]:
            message = f"starts at node {quoted(start)}, which is not before its end {quoted(end)}; a mention has a word or more"
            log.add("are.span", message, line_of(element), where=f"<{tag_of(element)}>")
            return None
        return ranks[start], ranks[end]

    return find


def _are_nodes(element: etree._Element, names: tuple[str, str], words: Words, log: ProblemLog) -> bool:
    unknown = [name for name in dict.fromkeys(names) if name not in words.ranks]
    for name in unknown:
        nodes = f"its nodes run from {quoted(words.ids[0])} to {quoted(words.ids[-1])}" if words.ids else "it has no nodes at all"
        message = f"the input has no node {quoted(name)}; {nodes}"
        log.add("are.unknown-id", message, line_of(element), where=f"<{tag_of(element)}>")
    return not unknown


def said(element: etree._Element) -> str:
    """Return how an element names its mention."""
    return quoted(element.get("id", "")) if "id" in element.attrib else f"{element.get('start', '')}-{element.get('end', '')}"
