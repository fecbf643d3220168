"""Reads the input: the candidates of a text, or its words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from lxml import etree

from pytest_nlpeval.explanations import LONGEST_PASSAGE, Passage
from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import line_of, read_xml_of_any_root, tag_of
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.alignment import Span
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.are.options import Options
from pytest_nlpeval.wording import nearest, quoted

SHOWN = 10
"""How many words of a span a message shows."""

BEFORE = 250
"""How many code points a passage has before what it shows."""

WORDS_BEFORE, WORDS_AFTER = 40, 20
"""How many words a passage has before the start of the span that it shows, and how many from there on."""


@light_dataclass(frozen=True, slots=True)
class Entities:
    """The candidates of a text: the range of code points of each, by id; and the `pronouns` to be resolved, in the file's order."""

    whole: str
    spans: dict[str, Span]
    pronouns: tuple[str, ...]

    def text(self, name: str) -> str:
        """Return an entity's words, in one line."""
        start, end = self.spans[name]
        return " ".join(self.whole[start:end].split())

    def name(self, name: str) -> str:
        """Return what identifies an entity: its id."""
        return name

    def label(self, name: str) -> str:
        """Return what a message calls an entity."""
        return f"{name} {quoted(self.text(name), 40)}" if name in self.spans else name

    def passage(self, at: str, gold: Iterable[str], system: Iterable[str]) -> Passage | None:
        """Return the text around an entity with those of gold and system that are near it; None if the input lacks it."""
        if at not in self.spans:
            return None
        low = max(self.spans[at][0] - BEFORE, 0)
        text = self.whole[low : low + LONGEST_PASSAGE]

        def near(names: Iterable[str]) -> Iterator[Span]:
            places = (_inside(self.spans[name], low, len(text)) for name in names if name in self.spans)
            return ((start, end) for start, end in places if start < end)

        return Passage.cut(text, near(gold), near(system))


NO_ENTITIES = Entities("", {}, ())
"""Stands for an input that is not given: ids have no words."""


@light_dataclass(frozen=True, slots=True)
class Words:
    """The words of a text: `ids` are the nodes' ids in order, `ranks` the number of each node from 0 on; `words[i]` follows node i."""

    ids: tuple[str, ...]
    ranks: dict[str, int]
    words: tuple[str, ...]

    def text(self, span: Span) -> str:
        """Return a span's words, joined by blanks."""
        return " ".join(self.words[span[0] : span[1]])

    def name(self, span: Span) -> str:
        """Return what identifies a span: its nodes."""
        start, end = span
        return f"{self.ids[start]}-{self.ids[end]}"

    def label(self, span: Span) -> str:
        """Return what a message calls a span: its nodes, and its first words."""
        start, end = span
        text = self.text(span) if end - start <= SHOWN else f"{self.text((start, start + SHOWN))} …"
        return f"{self.name(span)} {quoted(text)}"

    def passage(self, at: Span, gold: Iterable[Span], system: Iterable[Span]) -> Passage:
        """Return the words around a span with those spans of gold and system that are near it."""
        low = max(at[0] - WORDS_BEFORE, 0)
        words = self.words[low : min(at[0] + WORDS_AFTER, len(self.words) - 1)]
        starts = [0, *accumulate(len(word) + 1 for word in words)]

        def near(spans: Iterable[Span]) -> Iterator[Span]:
            places = (_inside(span, low, len(words)) for span in spans)
            return ((starts[start], starts[end] - 1) for start, end in places if start < end)

        return Passage.cut(" ".join(words), near(gold), near(system))


def _inside(span: Span, low: int, size: int) -> Span:
    """Return the part of a span that lies in the `size` places from `low` on, counted from `low`.

    Of a span outside them, the start is not below the end.

    >>> _inside((3, 9), low=5, size=10), _inside((3, 9), low=20, size=10)
    ((0, 4), (0, -11))
    """
    return max(span[0] - low, 0), min(span[1] - low, size)


def read_input(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Entities | Words | None:
    """Return the candidates (subtasks 1, 2) or words (3, 4) of an input file, or None with all problems in the log."""
    root = read_xml_of_any_root(source, "are_words.dtd" if options.has_spans else "are_entities.dtd", ("text",), log)
    if root is None:
        return None
    text = _words(root, log) if options.has_spans else _entities(root, log, needs_pronouns=options.subtask == 1)
    return None if log.has_errors else text


def _entities(root: etree._Element, log: ProblemLog, *, needs_pronouns: bool) -> Entities:
    whole, spans = _spans(root, log)
    if needs_pronouns and root.find("anaphoric_pronouns") is None:
        log.add("are.no-pronouns", "has no <anaphoric_pronouns>; expected the list of the pronouns to be resolved")
    pronouns: dict[str, None] = {}
    for element in root.iter("pronoun"):
        name = element.get("id", "")
        if is_new(element, pronouns, log) and is_known(element, name, spans, log):
            pronouns[name] = None
    return Entities(whole, spans, tuple(pronouns))


def _spans(root: etree._Element, log: ProblemLog) -> tuple[str, dict[str, Span]]:
    """Return the text, with a blank for each white space, and the range of each entity; of entities with the same id the first counts."""
    parts: list[str] = []
    size = 0
    begins: dict[etree._Element, int] = {}
    spans: dict[str, Span] = {}
    for event, element in etree.iterwalk(root, events=("start", "end"), tag=("text", "p", "entity")):
        if event == "start" and element.tag == "entity" and is_new(element, spans, log):
            begins[element] = size
            spans[element.get("id", "")] = size, size
        elif event == "end" and element in begins:
            spans[element.get("id", "")] = begins.pop(element), size
        text = (element.text if event == "start" else element.tail) or ""
        parts.append(text)
        size += len(text)
    return re.sub(r"\s", " ", "".join(parts)), spans


def _words(root: etree._Element, log: ProblemLog) -> Words:
    ranks: dict[str, int] = {}
    nodes: list[etree._Element] = []
    texts: list[list[str]] = [[]]
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "end":
            texts[-1].append(element.tail or "")
        elif element.tag != "node":
            texts[-1].append(element.text or "")
        elif is_new(element, ranks, log):
            ranks[element.get("id", "")] = len(ranks)
            nodes.append(element)
            texts.append([])
    before, *words = [" ".join("".join(text).split()) for text in texts]
    if not log.has_errors:
        _log_not_one_word(before, words, nodes, log)
    return Words(tuple(ranks), ranks, tuple(words))


def _log_not_one_word(before: str, words: Sequence[str], nodes: Sequence[etree._Element], log: ProblemLog) -> None:
    """Log words before the first node or after the last, and places between two nodes without exactly one word."""
    if before:
        log.add("are.words", f"{quoted(before)} before the first node belongs to no position; expected a node before each word")
    last = len(words) - 1
    for rank, (word, node) in enumerate(zip(words, nodes, strict=True)):
        where = f"node {node.get('id', '')}"
        if rank == last and word:
            log.add("are.words", f"{quoted(word)} after the last node belongs to no span; add a node", line_of(node), where=where)
        elif rank < last and (not word or " " in word):
            message = f"{quoted(word)} between this node and the next; expected one word, which counts as one"
            log.add("are.words", message, line_of(node), where=where)


def is_new(element: etree._Element, seen: Collection[str], log: ProblemLog) -> bool:
    """Whether an element's id is new; if it is not, that is logged."""
    name = element.get("id", "")
    if name in seen:
        log.add(
            "are.duplicate-id", f"id {quoted(name)} appears twice; ids are unique", line_of(element), where=f"<{tag_of(element)}>"
        )
    return name not in seen


def is_known(element: etree._Element, name: str, known: Mapping[str, object], log: ProblemLog) -> bool:
    """Whether the input has an entity of this id; if it has not, that is logged."""
    if name not in known:
        hint = nearest(name, known) if log.keeps("are.unknown-id") else ""
        message = f"the input has no entity {quoted(name)}; {hint}"
        log.add("are.unknown-id", message, line_of(element), where=f"<{tag_of(element)}>")
    return name in known
