"""What the profile `standard` found, for the reports."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial

from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.metrics.muc import chain_of, partition
from pytest_nlpeval.metrics.temporal import Standing as Verdict
from pytest_nlpeval.metrics.temporal import TemporalGraph, TemporalLink
from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.explaining import Explainer, Outcome, Side
from pytest_nlpeval.tasks.cat.standard.matching import Standard, Tempeval, place_of
from pytest_nlpeval.tasks.cat.standard.selection import Group, Link
from pytest_nlpeval.tasks.cat.xml.document import Markable


def explain_standard(found: Standard, configuration: Configuration) -> Explanations:
    """Return why the document scores as it does."""
    explainer = Explainer(found.gold.document, found.system.document)
    for line in configuration.markables:
        explainer.add_markables(line, _markables(found, line.name))
    for line in configuration.relations:
        explainer.add_relations(line, _relations(found, line.name))
        explainer.add_groups(line.name, "gold", _groups(found, line.name, "gold"))
        explainer.add_groups(line.name, "system", _groups(found, line.name, "system"))
    if found.tempeval:
        _add_tlinks(explainer, "gold", found.tempeval)
        _add_tlinks(explainer, "system", found.tempeval)
    return explainer.explanations()


def _markables(found: Standard, name: str) -> Outcome[Markable]:
    gold, system = ([*side.spans.get(name, ()), *side.instances.get(name, ())] for side in (found.gold, found.system))
    pairs = found.pairs.get(name)
    if pairs is None:
        return Outcome((), (), gold, system)
    relaxed = pairs.of("relaxed")
    ours, theirs = {one.id for one, _ in relaxed}, {other.id for _, other in relaxed}
    missed, spurious = [one for one in gold if one.id not in ours], [other for other in system if other.id not in theirs]
    return Outcome(pairs.strict, pairs.overlapping, missed, spurious)


def _relations(found: Standard, name: str) -> Outcome[Link]:
    strict, relaxed = found.links[name, "strict"], found.links[name, "relaxed"]
    matched = set(strict.matched)
    taken = {id(relaxed.system[key]) for key in relaxed.matched}
    return Outcome(
        [(strict.gold[key], strict.system[key]) for key in strict.matched],
        [(relaxed.gold[key], relaxed.system[key]) for key in relaxed.matched if key not in matched],
        [link for key, link in relaxed.gold.items() if key not in relaxed.system],
        [link for link in found.system.links[name].values() if id(link) not in taken],
    )


def _groups(found: Standard, name: str, side: Side) -> Iterator[tuple[Group, Sequence[Sequence[str]]]]:
    """Yield the groups of one side with their parts by the other's, mentions matched strictly."""
    ends = found.ends["strict"]
    gold: list[list[Hashable]] = [[*group.mentions] for group in found.gold.groups[name]]
    system = [[place_of(mention, ends) for mention in group.mentions] for group in found.system.groups[name]]
    groups = found.gold.groups[name] if side == "gold" else found.system.groups[name]
    own, owners = (gold, chain_of(system)) if side == "gold" else (system, chain_of(gold))
    for group, chain in zip(groups, own, strict=True):
        names = dict(zip(chain, group.mentions, strict=True))
        if len(chain) > 1:
            yield group, [[names[place] for place in part] for part in partition(chain, owners)]


def _add_tlinks(explainer: Explainer, side: Side, found: Tempeval) -> None:
    """Add the reduced TLINKs of one side: whether the other side's graph entails them, and what decides about it there.

    A link that stands in the other list, too, is only counted: its relation is matched.
    """
    sides = (found.gold, found.gold_links), (found.system, found.system_links)
    (own, links), (other, other_links) = sides if side == "gold" else reversed(sides)
    whose = "the system's" if side == "gold" else "gold's"
    verdicts: dict[Verdict, list[tuple[Link, TemporalLink]]] = {"stated": [], "entailed": [], "contradicted": [], "open": []}
    for link, verdict in found.gold_verdicts if side == "gold" else found.system_verdicts:
        verdicts[verdict].append((links[link], link))
    inconsistent = [(links[link], link) for link in own.violated if own.contradicts(link)]
    own_chain = partial(_chain, own, links, own.contradiction)
    explainer.add_tlinks("tlink-inconsistent", side, inconsistent, "contradicts its own file's ", own_chain)
    explainer.count("tlink-stated", len(verdicts["stated"]))
    chain = partial(_chain, other, other_links, other.explain)
    explainer.add_tlinks("tlink-entailed", side, verdicts["entailed"], f"follows from {whose} ", chain)
    chain = partial(_chain, other, other_links, other.contradiction)
    explainer.add_tlinks("tlink-contradicted", side, verdicts["contradicted"], f"contradicts {whose} ", chain)
    explainer.add_tlinks("tlink-not-entailed", side, verdicts["open"], f"does not follow from {whose} TLINKs")


def _chain(
    graph: TemporalGraph,
    links: Mapping[TemporalLink, Link],
    find: Callable[[TemporalLink], tuple[int, ...] | None],
    link: TemporalLink,
) -> list[Link]:
    """Return the TLINKs of a graph that `find` names for a link."""
    return [links[graph.links[index]] for index in find(link) or ()]
