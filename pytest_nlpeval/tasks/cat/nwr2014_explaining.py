"""What the profile `nwr2014` found, for the reports."""

from __future__ import annotations

from pytest_nlpeval.task import Explanations
from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.document import Document, Markable, Relation
from pytest_nlpeval.tasks.cat.explaining import Explainer, Outcome
from pytest_nlpeval.tasks.cat.nwr2014 import Matching
from pytest_nlpeval.tasks.cat.selection import Link


def explain_nwr2014(found: Matching, configuration: Configuration, gold: Document, system: Document) -> Explanations:
    """Return why the document scores as it does; of several partners the first is named."""
    explainer = Explainer(gold, system)
    for line in configuration.of_kind("markable"):
        explainer.add_markables(line, _markables(found, line.name))
    for line in configuration.of_kind("one2one"):
        explainer.add_relations(line, _relations(found, line.name))
    for relation in found.tempeval.missed if found.tempeval else ():
        explainer.add_tlink("tlink-not-entailed", "gold", _link(relation), "does not follow from the system's TLINKs")
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


def _relations(found: Matching, name: str) -> Outcome[Link]:
    strict, relaxed = found.relations[name, "strict"], found.relations[name, "relaxed"]
    exact = {id(one) for one, _ in strict.hits}
    matched = {id(one) for one, _ in relaxed.hits}
    back = {id(other) for _, others in relaxed.hits for other in others}
    return Outcome(
        [(_link(one), _link(others[0])) for one, others in strict.hits],
        [(_link(one), _link(others[0])) for one, others in relaxed.hits if id(one) not in exact],
        [_link(one) for one in relaxed.gold if id(one) not in matched],
        [_link(other) for other in relaxed.system if id(other) not in back],
    )


def _link(relation: Relation) -> Link:
    return Link(relation.sources[0], relation.targets[0], relation)
