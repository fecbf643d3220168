"""Reads CAT XML: tokens, markables and relations, labelled (`t_id`, `m_id`, `r_id`) or unlabelled (`id` everywhere)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from lxml import etree

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import EXACT_LINES, line_of, read_open_xml, tag_of
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.cat.config_file import check_annotations, configuration_of
from pytest_nlpeval.tasks.cat.options import Options
from pytest_nlpeval.tasks.cat.rows import TLINK
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Relation, Tokens, named, sentence_numbers
from pytest_nlpeval.tasks.cat.xml.plain_tokens import is_plain, take_tokens
from pytest_nlpeval.tasks.cat.xml.skeleton import LABELLED, ROOT, UNLABELLED, Annotations, Skeleton, read_skeleton
from pytest_nlpeval.wording import nearest, quoted

_PAIR = ["source", "target"]
_NO_ATTRIBUTES: dict[str, str] = {}


def read_gold(source: Source, documents: Documents, options: Options, log: ProblemLog) -> Document | None:
    """Return the document, or None with all problems in the log; those of `options.annotations` are logged here, too."""
    check_annotations(options, log)
    return _read(source, None, _scored(documents, options), options, log)


def read_system(source: Source, documents: Documents, options: Options, log: ProblemLog) -> Document | None:
    """Return the document, or None with all problems in the log; its tokens are those of the gold file, if that is there."""
    return _read(source, documents.get("gold"), _scored(documents, options), options, log)


def _scored(documents: Documents, options: Options) -> frozenset[str] | None:
    """Return the NAMEs whose attributes are scored, TLINK for its type; None where there is no configuration."""
    configuration = configuration_of(documents, options)
    return None if configuration is None else configuration.with_attributes | {TLINK}


def _read(
    source: Source, gold: Document | None, scored: frozenset[str] | None, options: Options, log: ProblemLog
) -> Document | None:
    checks_case = options.profile != "nwr2014"
    known = gold.tokens if gold else None
    attempt = log.emptied()
    found = _read_plain(source, known, scored, attempt, checks_case=checks_case)
    if found is not None and not attempt.problems():
        return found
    root = read_open_xml(source, (ROOT,), log)
    if root is None:
        return None
    reader = _Reader(read_skeleton(root, log), log, scored, checks_case)
    return reader.document(reader.tokens(known))


def _read_plain(
    source: Source, known: Tokens | None, scored: frozenset[str] | None, log: ProblemLog, *, checks_case: bool
) -> Document | None:
    """Return the document of a file with plain tokens, the `known` ones if these are given; None if it is anything else."""
    taken = take_tokens(source.data, known)
    if taken is None or (known is not None and taken[0] != known):
        return None
    tokens, rest = taken
    root = read_open_xml(Source(source.label, rest), (ROOT,), log, keeps_blanks=False)
    if root is None or not is_plain(root):
        return None
    skeleton = read_skeleton(root, log)
    return _Reader(skeleton, log, scored, checks_case).document(known or tokens) if len(skeleton.texts) == 1 else None


class _Reader(NamedTuple):
    """Goes through a file's elements. Attributes are read of the `scored` NAMEs only, of all if that is None."""

    skeleton: Skeleton
    log: ProblemLog
    scored: frozenset[str] | None
    checks_case: bool

    def tokens(self, gold: Tokens | None) -> Tokens:
        """Return the tokens: the gold file's own if they are the same, so that they are held once."""
        name = self.skeleton.names.token
        ids, written = self.skeleton.token_column(name), self.skeleton.token_column("sentence")
        numbers = sentence_numbers(written)
        found = Tokens(tuple(ids), self.skeleton.texts, tuple([numbers.get(text, 0) for text in written]))
        if not numbers.keys() >= set(written):
            self._log_sentences(ids, written, numbers)
        elif found == gold:
            return gold
        self._check_ids(found.ranks, lambda: self.skeleton.tokens, ids, name, "cat.no-id", "cat.duplicate-id")
        if gold is not None and not self.log.count("cat.no-id", "cat.duplicate-id", "cat.sentence", "xml.invalid"):
            self._log_difference(found, gold)
        return found

    def _log_sentences(self, ids: Sequence[str], written: Sequence[str], numbers: Collection[str]) -> None:
        for element, name, text in zip(self.skeleton.tokens, ids, written, strict=True):
            if text not in numbers:
                what = f"sentence {quoted(text)} is no integer" if text else "there is no `sentence`"
                message = f"{what}; expected the number of the token's sentence"
                self.log.add("cat.sentence", message, line_of(element), where=f"token {name}")

    def _log_difference(self, system: Tokens, gold: Tokens) -> None:
        """Log the first token that is not the gold file's."""
        ours, theirs = _rows(system), _rows(gold)
        rank = next((rank for rank, (our, their) in enumerate(zip(ours, theirs, strict=False)) if our != their), None)
        if rank is None:
            rank = min(len(ours), len(theirs))
        elements = self.skeleton.tokens
        line = line_of(elements[min(rank, len(elements) - 1)]) if elements else None
        message = f"here {_shown(ours, rank)}, in the gold file {_shown(theirs, rank)}; both must have the same tokens"
        self.log.add("cat.tokens", message, line, where=f"token {rank + 1:,} of the file")

    def document(self, tokens: Tokens) -> Document | None:
        """Return what was read, if there are no errors."""
        markables = self.markables(tokens)
        relations = self.relations(markables.keys())
        return None if self.log.has_errors else Document(tokens, markables, relations)

    def markables(self, tokens: Tokens) -> dict[str, Markable]:
        annotations, wanted, names = self.skeleton.markables, self.skeleton.anchored, self.skeleton.names
        places = tuple([tokens.ranks.get(name, -1) for name in wanted])
        if -1 in places or "" in tokens.ranks:
            self._log_references(self.skeleton.anchors, wanted, names.token, "token", tokens.ranks)
        ids, lines, attributes = self._heads(annotations, names.markable)
        extents = [places[start:end] for start, end in annotations.extents]
        found = list(named(Markable, ids, annotations.tags, extents, attributes, lines))
        by_id = dict(zip(ids, found, strict=True))
        self._check_ids(by_id, lambda: annotations.elements, ids, names.markable, "cat.no-id", "cat.duplicate-id")
        self._check_attributes(found, attributes)
        return by_id

    def relations(self, known: Collection[str]) -> tuple[Relation, ...]:
        annotations, ends, names = self.skeleton.relations, self.skeleton.ends, self.skeleton.names
        wanted = [end.get(names.markable, "") for end in ends]
        if not set(wanted).issubset(known) or "" in known:
            self._log_references(ends, wanted, names.markable, "markable", known)
        ids, lines, attributes = self._heads(annotations, names.relation)
        sources, targets = self._sides(wanted)
        found = tuple(named(Relation, ids, annotations.tags, sources, targets, attributes, lines))
        self._check_ids(set(ids), lambda: annotations.elements, ids, names.relation, "cat.relation-id", "cat.relation-id")
        self._check_attributes(found, attributes)
        return found

    def _sides(self, wanted: Sequence[str]) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
        """Return the sources and the targets of each relation."""
        roles, relations = self.skeleton.roles, self.skeleton.relations
        if relations.sizes == [2] * len(relations.sizes) and roles == _PAIR * len(relations.sizes):
            return [(end,) for end in wanted[::2]], [(end,) for end in wanted[1::2]]
        sources: list[tuple[str, ...]] = []
        targets: list[tuple[str, ...]] = []
        for start, end in relations.extents:
            sources.append(tuple([wanted[rank] for rank in range(start, end) if roles[rank] == "source"]))
            targets.append(tuple([wanted[rank] for rank in range(start, end) if roles[rank] == "target"]))
        return sources, targets

    def _heads(self, annotations: Annotations, name: str) -> tuple[list[str], list[int | None], list[dict[str, str]]]:
        """Return the ids and lines of annotations, and the other attributes where they matter."""
        elements, scored = annotations.elements, self.scored
        attributes = [
            dict(element.items()) if scored is None or tag in scored else _NO_ATTRIBUTES
            for element, tag in zip(elements, annotations.tags, strict=True)
        ]
        ids = [
            found.pop(name, "") if found else element.get(name, "") for element, found in zip(elements, attributes, strict=True)
        ]
        lines = [line if (line := element.sourceline) and line < EXACT_LINES else None for element in elements]
        return ids, lines, attributes

    def _check_attributes(self, annotations: Sequence[Markable | Relation], attributes: Sequence[Mapping[str, str]]) -> None:
        """Log attributes whose names differ only in case, if the profile does not look at case."""
        if not self.checks_case or not _same_but_for_case(list(set[str]().union(*attributes))):
            return
        for annotation in annotations:
            if twice := _same_but_for_case(list(annotation.attributes)):
                message = f"the attributes {' and '.join(twice)} differ only in case; only one of them can count"
                self.log.add("cat.attribute", message, annotation.line, where=f"{annotation.name} {annotation.id}")

    def _check_ids(
        self,
        distinct: Collection[str],
        elements: Callable[[], Sequence[etree._Element]],
        ids: Sequence[str],
        name: str,
        no_id: str,
        duplicate: str,
    ) -> None:
        """Log elements without id, and with that of an earlier one."""
        if len(distinct) == len(ids) and "" not in distinct:
            return
        lines: dict[str, int | None] = {}
        for element, found in zip(elements(), ids, strict=True):
            if not found:
                self._log_no_id(element, name, no_id)
            elif found in lines:
                message = f"the {name} {quoted(found)} stands on line {lines[found] or '?'} already; ids are unique in the file"
                self.log.add(duplicate, message, line_of(element), where=f"<{tag_of(element)}>")
            else:
                lines[found] = line_of(element)

    def _log_no_id(self, element: etree._Element, name: str, code: str) -> None:
        other = next((other for other in dict.fromkeys((*LABELLED, *UNLABELLED)) if element.get(other)), None)
        hint = f"it has `{other}`, but the file's first token tells how all ids are called" if other else f"give `{name}`"
        self.log.add(code, f"<{tag_of(element)}> has no `{name}`; {hint}", line_of(element))

    def _log_references(
        self, elements: Sequence[etree._Element], wanted: Sequence[str], name: str, what: str, known: Collection[str]
    ) -> None:
        """Log anchors, sources and targets that name nothing, or something that does not exist."""
        for element, found in zip(elements, wanted, strict=True):
            if not found:
                self._log_no_id(element, name, "cat.no-id")
            elif found not in known:
                hint = nearest(found, known) if self.log.keeps("cat.reference") else ""
                where = f"<{tag_of(element)}> of {_owner(element)}"
                self.log.add("cat.reference", f"no {what} {quoted(found)}; {hint}", line_of(element), where=where)


def _same_but_for_case(names: Sequence[str]) -> list[str]:
    numbers = Counter(map(str.lower, names))
    return [name for name in names if numbers[name.lower()] > 1]


def _owner(element: etree._Element) -> str:
    """Return the annotation that an anchor or end stands in, with its id."""
    parent = element.getparent()
    if parent is None:
        return "nothing"
    name = next((parent.get(key) for key in ("m_id", "r_id", "id") if parent.get(key)), "")
    return f"{tag_of(parent)} {name}".rstrip()


def _rows(tokens: Tokens) -> list[tuple[str, int, str]]:
    return list(zip(tokens.ids, tokens.sentences, tokens.texts, strict=True))


def _shown(rows: Sequence[tuple[str, int, str]], rank: int) -> str:
    """Describe a token for a message."""
    if rank >= len(rows):
        return f"no token after {len(rows):,}"
    name, sentence, text = rows[rank]
    return f"{quoted(text)} with the id {quoted(name)} in sentence {sentence}"
