"""What the profile `standard` scores of a file, and what it leaves out with a warning."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.temporal import inverse
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.cat.configuration import AnnotationType, Configuration
from pytest_nlpeval.tasks.cat.rows import TLINK, is_tlink
from pytest_nlpeval.tasks.cat.standard.left_out import log_cut, log_incomparable
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Relation, value_of

TYPE = "relType"
"""The attribute of a TLINK that holds its type; in what case it is written does not matter."""

Key = tuple[str, str, tuple[str, ...]]
"""Source, target and the values that must agree; the same for relations that match."""


class BinaryRelation(NamedTuple):
    """A relation between two markables, or one source of a relation with several; the ends are ids.

    `values` are those of the attributes that must agree, as the file writes them; `type` is that of a one2one TLINK (see `type_of`).
    """

    source: str
    target: str
    relation: Relation
    values: tuple[str, ...]
    type: str

    @classmethod
    def of(cls, line: AnnotationType, source: str, target: str, relation: Relation) -> BinaryRelation:
        """Return a link of a relation of the line's NAME."""
        values = tuple([value_of(relation.attributes, name) for name in line.attributes])
        return cls(source, target, relation, values, type_of(relation) if is_tlink(line) else "")


class Group(NamedTuple):
    """The mentions (ids) that many2one relations tie to one empty markable; `relation` is the first of them."""

    mentions: list[str]
    relation: Relation


@light_dataclass(frozen=True, slots=True)
class Selection:
    """The part of a file that is scored, in document order, by NAME.

    `spans` are markables with an extent, of all NAMEs in the file, `instances` the empty ones that are comparable. `links` are
    one2one relations and the pairs of many2one relations, without repeats, by what must agree (`key_of`), `groups` the other many2one
    relations. `tlinks` are the one2one relations TLINK with their repeats.
    """

    document: Document
    spans: dict[str, list[Markable]] = field(default_factory=dict)
    instances: dict[str, list[Markable]] = field(default_factory=dict)
    links: dict[str, dict[Key, BinaryRelation]] = field(default_factory=dict)
    groups: dict[str, list[Group]] = field(default_factory=dict)
    tlinks: list[BinaryRelation] = field(default_factory=list)


def select(document: Document, configuration: Configuration, sentences: int | None, log: ProblemLog) -> Selection:
    """Return what is scored of a file; what cannot be scored, or is cut, is logged.

    `sentences` N cuts markables whose first token's sentence number is N or above, and relations with an end on one of them.
    """
    comparable = {line.name for line in configuration.instances if line.specificity == "comparable"}
    spans: defaultdict[str, list[Markable]] = defaultdict(list)
    instances: defaultdict[str, list[Markable]] = defaultdict(list)
    relations: defaultdict[str, list[Relation]] = defaultdict(list)
    cut: dict[str, Markable] = {}
    cut_relations: list[Relation] = []
    unidentifiable: dict[str, Markable] = {}
    for markable in document.markables.values():
        tokens = markable.tokens
        if not tokens:
            if markable.name in comparable:
                instances[markable.name].append(markable)
            else:
                unidentifiable[markable.id] = markable
        elif sentences is not None and document.tokens.sentences[tokens[0]] >= sentences:
            cut[markable.id] = markable
        else:
            spans[markable.name].append(markable)
    for relation in document.relations:
        is_kept = not cut or cut.keys().isdisjoint((*relation.sources, *relation.targets))
        (relations[relation.name] if is_kept else cut_relations).append(relation)
    log_cut(list(cut.values()), cut_relations, configuration, sentences, log)
    log_incomparable(list(unidentifiable.values()), document.relations, configuration, log)
    selection = Selection(document, dict(spans), dict(instances))
    scored = document.markables.keys() - (cut.keys() | unidentifiable.keys())
    for line in configuration.relations:
        _Selector(line, selection, scored, log).select(relations[line.name])
    return selection


class _Selector(NamedTuple):
    """Sorts the relations of one NAME."""

    line: AnnotationType
    selection: Selection
    scored: set[str]
    log: ProblemLog

    def select(self, relations: Iterable[Relation]) -> None:
        links: list[BinaryRelation] = []
        groups: dict[str, Group] = {}
        owners: dict[str, Relation] = {}
        unidentifiable: list[Relation] = []
        line, scored, is_single = self.line, self.scored, self.line.kind == "one2one"
        for relation in relations:
            sources, targets = relation.sources, relation.targets
            if len(targets) != 1 or (len(sources) != 1 and (is_single or not sources)):
                self._log_arity(relation)
                continue
            target = targets[0]
            identified = [source for source in sources if source in scored]
            if len(identified) < len(sources) or (is_single and target not in scored):
                unidentifiable.append(relation)
            if target in scored:
                links += [BinaryRelation.of(line, source, target, relation) for source in identified]
            elif not is_single:
                groups.setdefault(target, Group([], relation)).mentions.extend(self._own_mentions(relation, identified, owners))
        self._log_unidentifiable(unidentifiable)
        if is_tlink(line):
            self.selection.tlinks.extend(links)
        self.selection.links[line.name] = self._without_repeats(links)
        self.selection.groups[line.name] = list(groups.values())

    def _log_arity(self, relation: Relation) -> None:
        needed = "one source and one target" if self.line.kind == "one2one" else "one target and at least one source"
        numbers = f"sources: {len(relation.sources)}, targets: {len(relation.targets)}"
        self._log("cat.arity", f"{numbers}; a {self.line.kind} relation has {needed}; it is not scored", relation)

    def _log_unidentifiable(self, relations: list[Relation]) -> None:
        if relations:
            first = relations[0]
            number = f"{len(relations):,} {self.line.name} relation" + ("s end" if len(relations) > 1 else " ends")
            message = f"{number} on an empty markable that is not a comparable instance, here for the first time; not scored"
            markables = self.selection.document.markables
            name = next(markables[end].name for end in (*first.sources, *first.targets) if end not in self.scored)
            advice = f"a line `{name} instance comparable` in the configuration, with attributes, would tell it by these"
            self._log("cat.unidentifiable-end", f"{message}; {advice}", first)

    def _without_repeats(self, links: list[BinaryRelation]) -> dict[Key, BinaryRelation]:
        seen: dict[Key, BinaryRelation] = {}
        for link in links:
            first = seen.setdefault(key_of(self.line, link.source, link.target, tuple(map(str.casefold, link.values))), link)
            if first is not link:
                self._log("cat.duplicate", f"says what {_named(first.relation)} says; it counts once", link.relation)
        return seen

    def _own_mentions(self, relation: Relation, mentions: Iterable[str], owners: dict[str, Relation]) -> Iterator[str]:
        """Yield the mentions that no earlier relation has put into a group; `owners` maps each mention to the relation that did."""
        for mention in mentions:
            if owner := owners.get(mention):
                message = f"{mention} is in the group of {owner.targets[0]} already, put there by {_named(owner)}"
                self._log("cat.duplicate", f"{message}; here it is left out", relation)
            else:
                owners[mention] = relation
                yield mention

    def _log(self, code: str, message: str, relation: Relation) -> None:
        self.log.add(code, message, relation.line, where=f"{relation.name} {relation.id}".rstrip())


def _named(relation: Relation) -> str:
    """Return a relation's id and place for a message."""
    return f"{relation.id or 'another relation'} {f'on line {relation.line}' if relation.line else 'earlier in the file'}"


def type_of(relation: Relation) -> str:
    """Return a temporal relation's type, in upper case; "" if it has none."""
    return value_of(relation.attributes, TYPE).upper()


def key_of(line: AnnotationType, source: str, target: str, values: tuple[str, ...]) -> Key:
    """Return what two relations of a NAME have in common exactly if they match.

    The key has the ends in their roles, and the values of the line's attributes, without case. An undirectional relation is the same with
    its ends swapped, where a TLINK has the inverse type; a TLINK whose type has no inverse has one direction only.
    """
    straight = source, target, values
    if line.specificity == "directional":
        return straight
    swapped = _inverted(line, values)
    return straight if swapped is None else min(straight, (target, source, swapped))


def _inverted(line: AnnotationType, values: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the values of a relation with its ends swapped, None if it has no such form."""
    if line.name != TLINK:
        return values
    is_type = [name.lower() == TYPE.lower() for name in line.attributes]
    inverses = [inverse(value) if is_its else value for is_its, value in zip(is_type, values, strict=True)]
    return None if None in inverses else tuple([(value or "").casefold() for value in inverses])
