"""Reads CAT XML: tokens, markables and relations, labelled (`t_id`, `m_id`, `r_id`) or unlabelled (`id` everywhere)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from lxml import etree

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import line_of, read_open_xml, tag_of
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Relation, Tokens, sentence_numbers
from pytest_nlpeval.tasks.cat.xml.plain_tokens import is_plain, take_tokens
from pytest_nlpeval.tasks.cat.xml.skeleton import LABELLED, ROOT, UNLABELLED, Annotation, Skeleton, read_skeleton
from pytest_nlpeval.wording import nearest, quoted


def read_document(
    source: Source,
    log: ProblemLog,
    gold: Tokens | None = None,
    scored: Collection[str] | None = None,
    *,
    checks_case: bool = True,
) -> Document | None:
    """Return what a file holds, or None with all problems in the log.

    The file must have the tokens `gold`; if that is None, it may have any. Only annotations of the NAMEs in `scored` keep their
    attributes; if that is None, all do. With `checks_case`, attributes of an element that differ only in case get a warning.
    """
    attempt = log.for_attempt()
    document = _read_plain(source, attempt, gold, scored, checks_case=checks_case)
    if document is not None and attempt.is_empty:
        return document
    root = read_open_xml(source, (ROOT,), log)
    if root is None:
        return None
    reader = _Reader(read_skeleton(root, log), log, scored, checks_case)
    return reader.document(reader.tokens(gold))


def _read_plain(
    source: Source, log: ProblemLog, gold: Tokens | None, scored: Collection[str] | None, *, checks_case: bool
) -> Document | None:
    """Return what a file with plain tokens holds, those of `gold` if it is given; None if the file is anything else."""
    taken = take_tokens(source.data, gold)
    if taken is None or gold not in (None, taken[0]):
        return None
    tokens, rest = taken
    root = read_open_xml(Source(source.label, rest), (ROOT,), log)
    if root is None or not is_plain(root):
        return None
    skeleton = read_skeleton(root, log)
    return _Reader(skeleton, log, scored, checks_case).document(gold or tokens) if len(skeleton.tokens) == 1 else None


class _Reader(NamedTuple):
    """Reads the elements of a file; see `read_document` for the fields."""

    skeleton: Skeleton
    log: ProblemLog
    scored: Collection[str] | None
    checks_case: bool

    def document(self, tokens: Tokens) -> Document | None:
        """Return the document with these tokens; None if there are errors in the log."""
        markables = self.markables(tokens)
        relations = self.relations(markables.keys())
        return None if self.log.has_errors else Document(tokens, markables, relations)

    def tokens(self, gold: Tokens | None) -> Tokens:
        """Return the tokens; if they equal `gold`, return that very object, and memory holds them once."""
        elements, name, texts = self.skeleton.tokens, self.skeleton.names.token, self.skeleton.texts
        ids = tuple([element.get(name, "") for element in elements])
        written = [element.get("sentence", "") for element in elements]
        numbers = sentence_numbers(written)
        sentences = tuple([numbers.get(text, 0) for text in written])
        if len(numbers) < len(set(written)):
            self._log_sentences(ids, written, numbers)
        elif gold is not None and (ids, texts, sentences) == (gold.ids, gold.texts, gold.sentences):
            return gold
        tokens = Tokens(ids, texts, sentences)
        self._check_ids(elements, ids, name, "cat.no-id", "cat.duplicate-id")
        if gold is not None and not self.log.count("cat.no-id", "cat.duplicate-id", "cat.sentence", "xml.invalid"):
            self._log_difference(tokens, gold)
        return tokens

    def _log_sentences(self, ids: Sequence[str], written: Sequence[str], numbers: Collection[str]) -> None:
        for element, name, text in zip(self.skeleton.tokens, ids, written, strict=True):
            if text not in numbers:
                what = f"sentence {quoted(text)} is not an integer" if text else "there is no `sentence`"
                message = f"{what}; expected the number of the token's sentence"
                self.log.add("cat.sentence", message, line_of(element), where=f"token {name}")

    def _log_difference(self, system: Tokens, gold: Tokens) -> None:
        """Log the first token that is not the gold file's."""
        ours, theirs = _rows(system), _rows(gold)
        shorter = min(len(ours), len(theirs))
        rank = next((rank for rank in range(shorter) if ours[rank] != theirs[rank]), shorter)
        elements = self.skeleton.tokens
        line = line_of(elements[min(rank, len(elements) - 1)]) if elements else None
        message = f"here {_shown(ours, rank)}, in the gold file {_shown(theirs, rank)}; both must have the same tokens"
        self.log.add("cat.tokens", message, line, where=f"token {rank + 1:,} of the file")

    def markables(self, tokens: Tokens) -> dict[str, Markable]:
        """Return the markables by id."""
        annotations, names, ranks = self.skeleton.markables, self.skeleton.names, tokens.ranks
        extents = self._references(annotations, names.token, "token", ranks)
        elements = [element for element, _ in annotations]
        ids = [element.get(names.markable, "") for element in elements]
        self._check_ids(elements, ids, names.markable, "cat.no-id", "cat.duplicate-id")
        tokens_of = [tuple([ranks.get(token, -1) for token in extent]) for extent in extents]
        attributes = [self._attributes(element, names.markable) for element in elements]
        columns = ids, map(tag_of, elements), tokens_of, attributes, map(line_of, elements)
        return dict(zip(ids, map(Markable._make, zip(*columns, strict=True)), strict=True))

    def relations(self, known: Collection[str]) -> tuple[Relation, ...]:
        """Return the relations; `known` are the ids of the markables."""
        annotations, names = self.skeleton.relations, self.skeleton.names
        ends = self._references(annotations, names.markable, "markable", known)
        elements = [element for element, _ in annotations]
        ids = [element.get(names.relation, "") for element in elements]
        self._check_ids(elements, ids, names.relation, "cat.relation-id", "cat.relation-id")
        relations: list[Relation] = []
        for name, (element, children), of_element in zip(ids, annotations, ends, strict=True):
            sources: list[str] = []
            targets: list[str] = []
            for child, end in zip(children, of_element, strict=True):
                (sources if child.tag == "source" else targets).append(end)
            attributes = self._attributes(element, names.relation)
            relations.append(Relation(name, tag_of(element), tuple(sources), tuple(targets), attributes, line_of(element)))
        return tuple(relations)

    def _attributes(self, element: etree._Element, id_name: str) -> dict[str, str]:
        """Return an annotation's attributes without its id, if they are scored; log those that differ only in case."""
        if self.scored is not None and element.tag not in self.scored:
            return {}
        attributes = dict(element.items())
        name = attributes.pop(id_name, "")
        if self.checks_case and (twice := _same_but_for_case(tuple(attributes))):
            message = f"the attributes {' and '.join(twice)} differ only in case; only one of them can count"
            self.log.add("cat.attribute", message, line_of(element), where=f"{tag_of(element)} {name}")
        return attributes

    def _check_ids(self, elements: Iterable[etree._Element], ids: Iterable[str], name: str, no_id: str, duplicate: str) -> None:
        """Log an element without id, and one with the id of an earlier element."""
        seen: dict[str, etree._Element] = {}
        for element, own_id in zip(elements, ids, strict=True):
            if not own_id:
                self._log_no_id(element, name, no_id)
            elif own_id in seen:
                line = line_of(seen[own_id]) or "?"
                message = f"the {name} {quoted(own_id)} appears on line {line} already; ids are unique in the file"
                self.log.add(duplicate, message, line_of(element), where=f"<{tag_of(element)}>")
            else:
                seen[own_id] = element

    def _log_no_id(self, element: etree._Element, name: str, code: str) -> None:
        written = next((written for written in dict.fromkeys((*LABELLED, *UNLABELLED)) if element.get(written)), None)
        hint = f"it has `{written}`, but the file's first token tells how all ids are called" if written else f"give `{name}`"
        self.log.add(code, f"<{tag_of(element)}> has no `{name}`; {hint}", line_of(element))

    def _references(self, annotations: Sequence[Annotation], name: str, what: str, known: Collection[str]) -> list[list[str]]:
        """Return the ids that each annotation's children name; log a child that names none, or something that does not exist."""
        named: list[list[str]] = []
        for element, children in annotations:
            ids: list[str] = []
            for child in children:
                wanted = child.get(name, "")
                ids.append(wanted)
                if not wanted:
                    self._log_no_id(child, name, "cat.no-id")
                elif wanted not in known:
                    hint = nearest(wanted, known) if self.log.keeps("cat.reference") else ""
                    where = f"<{tag_of(child)}> of {_described(element)}"
                    self.log.add("cat.reference", f"no {what} {quoted(wanted)}; {hint}", line_of(child), where=where)
            named.append(ids)
        return named


@lru_cache(maxsize=256)
def _same_but_for_case(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names that differ from another name only in case; cached, because thousands of annotations have the same few names."""
    numbers = Counter(map(str.lower, names))
    return tuple([name for name in names if numbers[name.lower()] > 1])


def _described(annotation: etree._Element) -> str:
    """Return an annotation's NAME and id for a message."""
    name = next((own_id for key in ("m_id", "r_id", "id") if (own_id := annotation.get(key))), "")
    return f"{tag_of(annotation)} {name}".rstrip()


def _rows(tokens: Tokens) -> list[tuple[str, int, str]]:
    return list(zip(tokens.ids, tokens.sentences, tokens.texts, strict=True))


def _shown(rows: Sequence[tuple[str, int, str]], rank: int) -> str:
    """Describe a token for a message."""
    if rank >= len(rows):
        return f"no token after {len(rows):,}"
    name, sentence, text = rows[rank]
    return f"{quoted(text)} with the id {quoted(name)} in sentence {sentence}"
