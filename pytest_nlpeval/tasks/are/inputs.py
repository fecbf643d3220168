"""Reads the input: the candidates of a text, or its words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from lxml import etree

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import line_of, read_xml_of_any_root, tag_of
from pytest_nlpeval.metrics.alignment import Span
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.are.options import Options
from pytest_nlpeval.wording import nearest, quoted

SHOWN = 10
"""How many words of a span a message shows."""


@dataclass(frozen=True, slots=True)
class Entities:
    """The candidates of a text: the words of each, in one line, by id; and the `pronouns` to be resolved, in the file's order."""

    texts: dict[str, str]
    pronouns: tuple[str, ...]

    def text(self, name: str) -> str:
        """Return an entity's words."""
        return self.texts[name]

    def label(self, name: str) -> str:
        """Return what a message calls an entity."""
        return f"{name} {quoted(self.texts[name], 40)}" if name in self.texts else name


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text: `ids` are those of the nodes in order, `ranks` where each stands; `words[i]` follows node i."""

    ids: tuple[str, ...]
    ranks: dict[str, int]
    words: tuple[str, ...]

    def text(self, span: Span) -> str:
        """Return a span's words, joined by blanks."""
        return " ".join(self.words[span[0] : span[1]])

    def label(self, span: Span) -> str:
        """Return what a message calls a span: its nodes, and its first words."""
        start, end = span
        text = self.text(span) if end - start <= SHOWN else f"{self.text((start, start + SHOWN))} …"
        return f"{self.ids[start]}-{self.ids[end]} {quoted(text)}"


def read_input(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Entities | Words | None:
    """Return the candidates (subtasks 1, 2) or words (3, 4) of an input file, or None with all problems in the log."""
    root = read_xml_of_any_root(source, "are_words.dtd" if options.has_spans else "are_entities.dtd", ("text",), log)
    if root is None:
        return None
    found = _words(root, log) if options.has_spans else _entities(root, log, needs_pronouns=options.subtask == 1)
    return None if log.has_errors else found


def _entities(root: etree._Element, log: ProblemLog, *, needs_pronouns: bool) -> Entities:
    texts: dict[str, str] = {}
    for element in root.iter("entity"):
        if is_new(element, texts, log):
            texts[element.get("id", "")] = " ".join("".join(map(str, element.itertext())).split())
    if needs_pronouns and root.find("anaphoric_pronouns") is None:
        log.add("are.no-pronouns", "has no <anaphoric_pronouns>; expected the list of the pronouns to be resolved")
    pronouns: dict[str, None] = {}
    for element in root.iter("pronoun"):
        name = element.get("id", "")
        if is_new(element, pronouns, log) and is_known(element, name, texts, log):
            pronouns[name] = None
    return Entities(texts, tuple(pronouns))


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
    """Log what stands before the first node or behind the last, and where there is not one word between two nodes."""
    if before:
        log.add("are.words", f"{quoted(before)} before the first node belongs to no position; expected a node before each word")
    last = len(words) - 1
    for rank, (word, node) in enumerate(zip(words, nodes, strict=True)):
        where = f"node {node.get('id', '')}"
        if rank == last and word:
            log.add(
                "are.words", f"{quoted(word)} behind the last node belongs to no span; add a node", line_of(node), where=where
            )
        elif rank < last and (not word or " " in word):
            message = f"{quoted(word)} between this node and the next; expected one word, which counts as one"
            log.add("are.words", message, line_of(node), where=where)


def is_new(element: etree._Element, seen: Collection[str], log: ProblemLog) -> bool:
    """Whether an element's id is none of those seen before, after logging if it is."""
    name = element.get("id", "")
    if name in seen:
        log.add(
            "are.duplicate-id", f"id {quoted(name)} stands twice; ids are unique", line_of(element), where=f"<{tag_of(element)}>"
        )
    return name not in seen


def is_known(element: etree._Element, name: str, texts: dict[str, str], log: ProblemLog) -> bool:
    """Whether the input has an entity of this id, after logging if it has not."""
    if name not in texts:
        hint = nearest(name, texts) if log.keeps("are.unknown-id") else ""
        message = f"the input has no entity {quoted(name)}; {hint}"
        log.add("are.unknown-id", message, line_of(element), where=f"<{tag_of(element)}>")
    return name in texts
