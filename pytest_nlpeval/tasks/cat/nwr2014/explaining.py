"""What the profile `nwr2014` found, for the reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.metrics.temporal import TemporalLink
from pytest_nlpeval.tasks.cat.configuration import AnnotationType, Configuration
from pytest_nlpeval.tasks.cat.explaining import Explainer, Outcome
from pytest_nlpeval.tasks.cat.nwr2014.matching import Matching
from pytest_nlpeval.tasks.cat.rows import is_tlink
from pytest_nlpeval.tasks.cat.standard.selection import Link
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Relation


def explain_nwr2014(found: Matching, configuration: Configuration, gold: Document, system: Document) -> Explanations:
    """Return why the document scores as it does; of several partners the first is named."""
    explainer = Explainer(gold, system)
    for line in configuration.markables:
        explainer.add_markables(line, _markables(found, line.name))
    for line in configuration.one2one:
        explainer.add_relations(line, _relations(found, line))
        if found.tempeval and is_tlink(line):
            missed = [(link, TemporalLink(link.source, link.target, link.type)) for link in _links(line, found.tempeval.missed)]
            explainer.add_tlinks("tlink-not-entailed", "gold", missed, "does not follow from the system's TLINKs")
    return explainer.explanations()


def _markables(found: Matching, name: str) -> Outcome[Markable]:
    strict, relaxed = found.markables[name, "strict"], found.markables[name, "relaxed"]
    exact = {one.id for one, _ in strict.pairs}
    matched = {one.id for one, _ in (*relaxed.pairs, *relaxed.instances)}
    back = {other.id for other, _ in relaxed.back} | {other.id for _, other in relaxed.instances}
    ours, theirs = ([*side.spans[name], *side.instances[name]] for side in (found.gold, found.system))
    return Outcome(
        [*strict.pairs, *strict.instances],
        [(one, other) for one, other in relaxed.pairs if one.id not in exact],
        [one for one in ours if one.id not in matched],
        [other for other in theirs if other.id not in back],
    )


def _relations(found: Matching, line: AnnotationType) -> Outcome[Link]:
    strict, relaxed = found.relations[line.name, "strict"], found.relations[line.name, "relaxed"]
    exact = {id(one) for one, _ in strict.hits}
    matched = {id(one) for one, _ in relaxed.hits}
    back = {id(other) for _, others in relaxed.hits for other in others}
    overlapping = [(one, other) for one, other in relaxed.hits if id(one) not in exact]
    return Outcome(
        _pairs(line, strict.hits),
        _pairs(line, overlapping),
        _links(line, [one for one in relaxed.gold if id(one) not in matched]),
        _links(line, [other for other in relaxed.system if id(other) not in back]),
    )


def _pairs(line: AnnotationType, hits: Iterable[tuple[Relation, Sequence[Relation]]]) -> list[tuple[Link, Link]]:
    return [(_link(line, one), _link(line, others[0])) for one, others in hits]


def _links(line: AnnotationType, relations: Iterable[Relation]) -> list[Link]:
    return [_link(line, relation) for relation in relations]


def _link(line: AnnotationType, relation: Relation) -> Link:
    return Link.of(line, relation.sources[0], relation.targets[0], relation)
