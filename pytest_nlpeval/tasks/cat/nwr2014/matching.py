"""Counts as scorer_CAT_NWR.py of 2014-06-18 does (profile `nwr2014`).

Not one-to-one: several gold markables may have the same partner, and a gold relation may hit several system relations, so there can
be more hits than the system has markables or relations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pytest_nlpeval.tasks.cat.configuration import AnnotationType, Configuration
from pytest_nlpeval.tasks.cat.nwr2014.kept import Kept, keep, type_attribute
from pytest_nlpeval.tasks.cat.nwr2014.markables import Correspondence, Ends, MarkableRow, correspondences, pair_up
from pytest_nlpeval.tasks.cat.nwr2014.tempeval import Tempeval, inverse_of, match_tempeval, number_added
from pytest_nlpeval.tasks.cat.rows import STRICTNESS, TEMPEVAL, TLINK, Counts, Strictness, attribute_name
from pytest_nlpeval.tasks.cat.xml.document import Document, Relation


class RelationRow(NamedTuple):
    """The counted relations of a NAME, in document order, and for each gold relation with hits the system relations that it hits."""

    gold: list[Relation]
    system: list[Relation]
    hits: list[tuple[Relation, Sequence[Relation]]]


class Matching(NamedTuple):
    """The counts of a document and how they came about; rows by NAME and strictness.

    `tempeval` is None without a TLINK line, and where equal instances add more than `MOST_ADDED` relations to the system's TLINKs:
    `excess` then says how many.
    """

    counts: dict[str, int]
    gold: Kept
    system: Kept
    markables: dict[tuple[str, Strictness], MarkableRow]
    relations: dict[tuple[str, Strictness], RelationRow]
    tempeval: Tempeval | None = None
    excess: int = 0


MOST_ADDED = 5_000
"""How many relations equal instances may add: a file of 10 KB could make 100,000, and their graph costs more than their number."""


def match_nwr2014(gold: Document, system: Document, configuration: Configuration, sentences: int | None) -> Matching:
    """Return the counts of a document and what gives them. Counts add up over documents; every line has its own, zero or not.

    For each markable NAME the rows `NAME.strict` and `NAME.relaxed` (see `rows.Counts`): `gold` and `system` are kept markables,
    comparable instances included; matched are those with a partner, in the strict row instance pairs, too; `tp` are gold's with a
    partner, and instance pairs. For each one2one NAME `tp` are the pairs of relations that match. `TLINK.tempeval` counts the
    reduced relations.

    `sentences` N keeps the sentences numbered 0 to N - 1, None all. Costs time linear in tokens, markables and relations, but for the
    temporal closure. Source: the behaviour of scorer_CAT_NWR.py (A.-L. Minard).
    """
    ours, theirs = keep(gold, configuration, sentences), keep(system, configuration, sentences)
    matching = Matching({}, ours, theirs, {}, {})
    ends: dict[Strictness, Ends] = {row: Ends() for row in STRICTNESS}
    instances = {line.name: line for line in configuration.instances}
    for line in configuration.markables:
        equal = correspondences(ours.instances[line.name], theirs.instances[line.name], line, instances.get(line.name))
        _add_markables(matching, line, equal, ends)
    attribute = type_attribute(configuration)
    for line in configuration.one2one:
        _add_relations(matching, line, attribute, ends)
    if TLINK not in ours.relations:
        return matching
    added = number_added(theirs, ends["strict"], attribute)
    if added > MOST_ADDED:
        matching.counts.update(Counts.of(0, 0, 0).columns(TEMPEVAL))
        return matching._replace(excess=added)
    tempeval = match_tempeval(ours, theirs, ends["strict"], attribute)
    matching.counts.update(Counts.of(tempeval.hits, tempeval.gold, tempeval.system).columns(TEMPEVAL))
    return matching._replace(tempeval=tempeval)


def _add_markables(
    matching: Matching, line: AnnotationType, equal: Sequence[Correspondence], ends: Mapping[Strictness, Ends]
) -> None:
    name, counts = line.name, matching.counts
    ours, theirs = matching.gold.spans[name], matching.system.spans[name]
    gold, system = len(ours) + len(matching.gold.instances[name]), len(theirs) + len(matching.system.instances[name])
    instances = [pair for together in equal for pair in zip(together.gold, together.system, strict=False)]
    for row, pairs, back in zip(STRICTNESS, pair_up(ours, theirs), pair_up(theirs, ours), strict=True):
        made = matching.markables[name, row] = MarkableRow(pairs, instances, back)
        ends[row].add(pairs, equal)
        tp = len(pairs) + len(instances)
        of_row = Counts.of(tp, gold, system) if row == "strict" else Counts(tp, gold, system, len(pairs), len(back))
        counts.update(of_row.columns(f"{name}.{row}"))
        counts.update({attribute_name(f"{name}.{row}", attribute): made.agreeing(attribute) for attribute in line.attributes})


def _add_relations(matching: Matching, line: AnnotationType, attribute: str, ends: Mapping[Strictness, Ends]) -> None:
    name = line.name
    gold, system = matching.gold.counted(name), matching.system.counted(name)
    if name == TLINK:
        timexes = matching.system.timexes()
        system = [link for link in system if not (link.sources[0] in timexes and link.targets[0] in timexes)]
    for row, of_row in ends.items():
        hits = _hits(gold, system, line, attribute, of_row)
        matching.relations[name, row] = RelationRow(gold, system, hits)
        number = sum(len(hit) for _, hit in hits)
        matching.counts.update(Counts.of(number, len(gold), len(system)).columns(f"{name}.{row}"))


def _hits(
    gold: Sequence[Relation], system: Sequence[Relation], line: AnnotationType, attribute: str, ends: Ends
) -> list[tuple[Relation, Sequence[Relation]]]:
    """Return each gold relation that has hits, with all system relations that join the partners of its ends.

    Types count for TLINK alone, ignoring case. An undirectional relation also joins its ends swapped, with the inverse type.
    """

    def type_of(relation: Relation) -> str:
        return relation.attributes.get(attribute, "").upper() if line.name == TLINK else ""

    joining: defaultdict[tuple[str | None, str | None, str], list[Relation]] = defaultdict(list)
    for relation in system:
        source, target = ends.place_of(relation.sources[0]), ends.place_of(relation.targets[0])
        joining[source, target, type_of(relation)].append(relation)
        if line.specificity == "undirectional" and source != target:
            joining[target, source, inverse_of(type_of(relation))].append(relation)
    hits: list[tuple[Relation, Sequence[Relation]]] = []
    for relation in gold:
        partners = ends.partner.get(relation.sources[0]), ends.partner.get(relation.targets[0])
        if hit := joining.get((*partners, type_of(relation))):
            hits.append((relation, hit))
    return hits
