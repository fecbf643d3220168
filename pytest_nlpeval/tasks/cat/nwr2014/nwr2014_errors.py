"""What is not right by the profile `nwr2014`, for the reports."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_nlpeval.explanations import Explanation, explain_each
from pytest_nlpeval.tasks.cat.annotation_errors import (
    Differences,
    Explained,
    MarkableExplainer,
    RelationExplainer,
    disagreeing,
    explain_tlink,
)
from pytest_nlpeval.tasks.cat.configuration import AnnotationType, Configuration
from pytest_nlpeval.tasks.cat.describing import Describer
from pytest_nlpeval.tasks.cat.nwr2014.matching import Matching
from pytest_nlpeval.tasks.cat.rows import is_tlink
from pytest_nlpeval.tasks.cat.standard.selection import BinaryRelation
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Relation


def explain_nwr2014(found: Matching, configuration: Configuration, gold: Document, system: Document) -> Explained:
    """Yield why the annotations of a document are not right; of several partners the first is named."""
    ours, theirs = Describer.of("gold", gold, configuration), Describer.of("system", system, configuration)
    for line in configuration.markables:
        yield from MarkableExplainer(line, ours, theirs).explain(_markables(found, line))
    for line in configuration.one2one:
        yield from RelationExplainer(line, ours, theirs).explain(_relations(found, line))
        if found.tempeval and is_tlink(line):
            yield from _explain_tlinks(_binary(line, found.tempeval.missed), ours)


def _markables(found: Matching, line: AnnotationType) -> Differences[Markable]:
    name = line.name
    strict, relaxed = found.markables[name, "strict"], found.markables[name, "relaxed"]
    exact = {one.id for one, _ in strict.pairs}
    matched = {one.id for one, _ in (*relaxed.pairs, *relaxed.instances)}
    back = {other.id for other, _ in relaxed.back} | {other.id for _, other in relaxed.instances}
    ours, theirs = ([*side.spans[name], *side.instances[name]] for side in (found.gold, found.system))
    return Differences(
        [(one, other) for one, other in (*strict.pairs, *strict.instances) if disagreeing(one, other, line)],
        [(one, other) for one, other in relaxed.pairs if one.id not in exact],
        [one for one in ours if one.id not in matched],
        [other for other in theirs if other.id not in back],
    )


def _relations(found: Matching, line: AnnotationType) -> Differences[BinaryRelation]:
    strict, relaxed = found.relations[line.name, "strict"], found.relations[line.name, "relaxed"]
    exact = {id(one) for one, _ in strict.hits}
    matched = {id(one) for one, _ in relaxed.hits}
    back = {id(other) for _, others in relaxed.hits for other in others}
    overlapping = [(one, others[0]) for one, others in relaxed.hits if id(one) not in exact]
    return Differences(
        [],
        [(_binary_of(line, one), _binary_of(line, other)) for one, other in overlapping],
        _binary(line, [one for one in relaxed.gold if id(one) not in matched]),
        _binary(line, [other for other in relaxed.system if id(other) not in back]),
    )


def _binary(line: AnnotationType, relations: Iterable[Relation]) -> list[BinaryRelation]:
    return [_binary_of(line, relation) for relation in relations]


def _binary_of(line: AnnotationType, relation: Relation) -> BinaryRelation:
    return BinaryRelation.of(line, relation.sources[0], relation.targets[0], relation)


def _explain_tlinks(missed: list[BinaryRelation], gold: Describer) -> Explained:
    def explain(relation: BinaryRelation) -> Explanation:
        why = "does not follow from the system's TLINKs"
        return explain_tlink(gold, relation, "tlink-not-entailed", why, "missed")

    yield from explain_each("tlink-not-entailed", missed, explain)
