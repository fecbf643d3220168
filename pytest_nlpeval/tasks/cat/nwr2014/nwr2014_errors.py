"""What is not right by the profile `nwr2014`, for the reports."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_nlpeval.explanations import Difference, Explanation, explain_each
from pytest_nlpeval.shelf import Shelf
from pytest_nlpeval.tasks.cat.annotation_errors import (
    TLINK_MEASURES,
    Against,
    Differences,
    Explained,
    MarkableExplainer,
    RelationExplainer,
    disagreeing,
    explain_tlink,
)
from pytest_nlpeval.tasks.cat.configuration import AnnotationType, Configuration
from pytest_nlpeval.tasks.cat.describing import NO_TYPE, Describer
from pytest_nlpeval.tasks.cat.nwr2014.matching import Matching
from pytest_nlpeval.tasks.cat.nwr2014.tempeval import IntervalLink, Tempeval
from pytest_nlpeval.tasks.cat.rows import is_tlink
from pytest_nlpeval.tasks.cat.standard.selection import BinaryRelation
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Relation


def explain_nwr2014(matching: Matching, configuration: Configuration, gold: Document, system: Document) -> Explained:
    """Yield why the annotations of a document are not right; of several partners the first is named.

    What the document's shelf has no room for is counted.
    """
    shelf = Shelf()
    ours, theirs = Describer.both(gold, system, configuration)
    for line in configuration.markables:
        yield from MarkableExplainer(line, ours, theirs, shelf).explain(_markables(matching, line))
    for line in configuration.one2one:
        yield from RelationExplainer(line, ours, theirs, shelf).explain(_relations(matching, line))
        if matching.tempeval and is_tlink(line):
            yield from _explain_tlinks(line, matching.tempeval, ours, shelf)


def _markables(matching: Matching, line: AnnotationType) -> Differences[Markable]:
    name = line.name
    strict, relaxed = matching.markables[name, "strict"], matching.markables[name, "relaxed"]
    exact = {markable.id for markable, _ in strict.pairs}
    matched = {markable.id for markable, _ in (*relaxed.pairs, *relaxed.instances)}
    back = {markable.id for markable, _ in relaxed.back} | {markable.id for _, markable in relaxed.instances}
    ours, theirs = ([*side.spans[name], *side.instances[name]] for side in (matching.gold, matching.system))
    return Differences(
        [pair for pair in (*strict.pairs, *strict.instances) if disagreeing(*pair, line)],
        [pair for pair in relaxed.pairs if pair[0].id not in exact],
        [markable for markable in ours if markable.id not in matched],
        [markable for markable in theirs if markable.id not in back],
    )


def _relations(matching: Matching, line: AnnotationType) -> Differences[BinaryRelation]:
    strict, relaxed = matching.relations[line.name, "strict"], matching.relations[line.name, "relaxed"]
    exact = {id(relation) for relation, _ in strict.hits}
    matched = {id(relation) for relation, _ in relaxed.hits}
    back = {id(relation) for _, hits in relaxed.hits for relation in hits}
    overlapping = [(relation, hits[0]) for relation, hits in relaxed.hits if id(relation) not in exact]
    return Differences(
        [],
        [(_binary_of(line, relation), _binary_of(line, hit)) for relation, hit in overlapping],
        _binary(line, [relation for relation in relaxed.gold if id(relation) not in matched]),
        _binary(line, [relation for relation in relaxed.system if id(relation) not in back]),
    )


def _binary(line: AnnotationType, relations: Iterable[Relation]) -> list[BinaryRelation]:
    return [_binary_of(line, relation) for relation in relations]


def _binary_of(line: AnnotationType, relation: Relation) -> BinaryRelation:
    return BinaryRelation.of(line, relation.sources[0], relation.targets[0], relation)


def _explain_tlinks(line: AnnotationType, tempeval: Tempeval, gold: Describer, shelf: Shelf) -> Explained:
    """Yield gold's reduced TLINKs that do not follow from the system's, each with what the system has between its ends."""

    def explain(missed: tuple[IntervalLink, Relation]) -> Explanation:
        link, relation = missed[0], _binary_of(line, missed[1])
        label, instead = relation.type or NO_TYPE, tempeval.said.instead(link)
        if instead == label:  # such as DURING, which the graph reads as SIMULTANEOUS
            instead = ""
        said = gold.short_tlink(relation._replace(type=instead)) if instead else ""
        why = f"does not follow from the system's TLINKs{f', which have {said}' if said else ''}"
        kind: Difference = "wrong-value" if said else "missed"
        return explain_tlink(gold, relation, "tlink-not-entailed", why, kind, Against(said, pair=(label, instead)))

    yield from explain_each("tlink-not-entailed", tempeval.missed, explain, shelf, lambda _: TLINK_MEASURES)
