"""What is not right by the profile `standard`, for the reports."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pytest_nlpeval.explanations import Difference, Explanation, Link, explain_each
from pytest_nlpeval.metrics.muc import chain_of, partition
from pytest_nlpeval.metrics.temporal import TemporalGraph, TemporalLink
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
    measures_named,
)
from pytest_nlpeval.tasks.cat.configuration import AnnotationType, Configuration
from pytest_nlpeval.tasks.cat.describing import NO_TYPE, Describer
from pytest_nlpeval.tasks.cat.rows import Strictness
from pytest_nlpeval.tasks.cat.standard.matching import Standard, Standings, place_of
from pytest_nlpeval.tasks.cat.standard.pairing import Pairs
from pytest_nlpeval.tasks.cat.standard.selection import BinaryRelation, Group
from pytest_nlpeval.tasks.cat.xml.document import Markable

SHOWN = 5
"""How many parts of a group, mentions of a part, or TLINKs of a chain an explanation shows."""

MOST_LINKS = 12
"""Of the chain of an explanation."""


def explain_standard(standard: Standard, configuration: Configuration) -> Explained:
    """Yield why the annotations of a document are not right; what the document's shelf has no room for is counted."""
    shelf = Shelf()
    gold, system = Describer.both(standard.gold.document, standard.system.document, configuration)
    for line in configuration.markables:
        yield from MarkableExplainer(line, gold, system, shelf).explain(_markables(standard, line))
    for line in configuration.relations:
        yield from RelationExplainer(line, gold, system, shelf).explain(_relations(standard, line.name))
        yield from _explain_groups(standard, line.name, gold, shelf)
        yield from _explain_groups(standard, line.name, system, shelf)
    if standard.tempeval:
        tempeval = standard.tempeval
        ours = _Graph(gold, tempeval.gold, tempeval.gold_links)
        theirs = _Graph(system, tempeval.system, tempeval.system_links)
        yield from _explain_tlinks(ours, theirs, tempeval.gold_standings, shelf)
        told = {frozenset(link[:2]) for link, standing in tempeval.gold_standings if standing in ("contradicted", "open")}
        yield from _explain_tlinks(theirs, ours, tempeval.system_standings, shelf, told)


def _markables(standard: Standard, line: AnnotationType) -> Differences[Markable]:
    name = line.name
    gold, system = ([*side.spans.get(name, ()), *side.instances.get(name, ())] for side in (standard.gold, standard.system))
    pairs = standard.pairs.get(name, Pairs([], []))
    relaxed = pairs.of("relaxed")
    ours, theirs = {markable.id for markable, _ in relaxed}, {markable.id for _, markable in relaxed}
    return Differences(
        [pair for pair in pairs.strict if disagreeing(*pair, line)],
        pairs.overlapping,
        [markable for markable in gold if markable.id not in ours],
        [markable for markable in system if markable.id not in theirs],
    )


def _relations(standard: Standard, name: str) -> Differences[BinaryRelation]:
    strict, relaxed = standard.links[name, "strict"], standard.links[name, "relaxed"]
    matched = set(strict.matched)
    taken = {id(relaxed.system[key]) for key in relaxed.matched}
    return Differences(
        [],
        [(relaxed.gold[key], relaxed.system[key]) for key in relaxed.matched if key not in matched],
        [link for key, link in relaxed.gold.items() if key not in relaxed.system],
        [link for link in standard.system.links[name].values() if id(link) not in taken],
    )


Parts = Sequence[Sequence[str]]
"""The mentions (ids) of a group, as the other side's groups part them."""


def _explain_groups(standard: Standard, name: str, side: Describer, shelf: Shelf) -> Explained:
    """Yield the groups of one side that the other side's groups part, mentions matched strictly."""
    strict = {rank: entry for rank, entry in enumerate(_parts(standard, name, side.side, "strict")) if len(entry[1]) > 1}
    relaxed = list(_parts(standard, name, side.side, "relaxed")) if strict else []

    def explain(rank: int) -> Explanation:
        return _group(name, side, *strict[rank])._replace(measures=measures_of(rank))

    def measures_of(rank: int) -> tuple[str, ...]:
        return measures_named(name) if len(relaxed[rank][1]) > 1 else measures_named(name)[:1]

    yield from explain_each(
        "mentions-missed" if side.side == "gold" else "mentions-spurious", list(strict), explain, shelf, measures_of
    )


def _parts(standard: Standard, name: str, side: str, row: Strictness) -> Iterator[tuple[Group, Parts]]:
    """Yield the groups of one side with their parts."""
    ends = standard.ends[row]
    gold: list[list[Hashable]] = [[*group.mentions] for group in standard.gold.groups[name]]
    system = [[place_of(mention, ends) for mention in group.mentions] for group in standard.system.groups[name]]
    groups = standard.gold.groups[name] if side == "gold" else standard.system.groups[name]
    own, owners = (gold, chain_of(system)) if side == "gold" else (system, chain_of(gold))
    for group, chain in zip(groups, own, strict=True):
        names = dict(zip(chain, group.mentions, strict=True))
        yield group, [[names[place] for place in part] for part in partition(chain, owners)]


def _group(name: str, side: Describer, group: Group, parts: Parts) -> Explanation:
    """Explain a group that is parted: a system's `"storm", "hits", "it"` may be `"storm", "it" | "hits"` by gold's groups."""
    markables, is_gold = side.document.markables, side.side == "gold"
    first = [[markables[mention] for mention in part[:SHOWN]] for part in parts[:SHOWN]]
    named = " | ".join(", ".join(f"{mention.id} {side.extent(mention)}" for mention in part) for part in first)
    mentions = [mention for part in first for mention in part][:SHOWN]
    whole = ", ".join(map(side.extent, mentions))
    parted = " | ".join(", ".join(map(side.extent, part)) for part in first)
    links, right = len(group.mentions) - 1, len(group.mentions) - len(parts)
    other = "the system's" if is_gold else "gold's"
    said = f"{other} groups part it at |, and have {right} of its {links} links"
    leader = min((markables[mention] for mention in group.mentions), key=_place)
    return Explanation(
        name,
        "mentions-missed" if is_gold else "mentions-spurious",
        f"{side.whose}group of {group.relation.targets[0]} ({named}): {said}",
        side.line_of(group.relation),
        kind="partial",
        item=f"{name} {side.side}'s group of {side.item(leader)}",
        gold=whole if is_gold else parted,
        system=parted if is_gold else whole,
        passage=side.text.passage(**{side.side: mentions}),
        group=name,
        gold_line=side.gold_line_of(group.relation),
    )


def _place(markable: Markable) -> tuple[bool, Sequence[int]]:
    """Return what sorts the mentions of a group: by text, empty ones last."""
    return not markable.tokens, sorted(markable.tokens)


class _Graph(NamedTuple):
    """The temporal graph of one side, and the TLINK from which each of its links comes."""

    side: Describer
    graph: TemporalGraph
    relations: Mapping[TemporalLink, BinaryRelation]

    @property
    def whose(self) -> str:
        """Whose it is, as a message says it."""
        return "gold's" if self.side.side == "gold" else "the system's"

    def tlinks(self, chain: Iterable[int]) -> list[BinaryRelation]:
        """Return the TLINKs of these indices."""
        return [self.relations[self.graph.links[index]] for index in chain]

    def ids(self, chain: Iterable[int]) -> str:
        """Return the first ids of the TLINKs of a chain, as the file has them; `TLINKs` if none is known."""
        ids = [relation.relation.id or "?" for relation in self.tlinks(sorted(set(chain)))]
        return ", ".join(ids[:8]) + (", …" if len(ids) > 8 else "") if ids else "TLINKs"

    def shown(self, chain: Sequence[int]) -> str:
        """Return the first TLINKs of a chain."""
        return "; ".join(map(self.side.short_tlink, self.tlinks(chain[:SHOWN]))) + ("; …" if len(chain) > SHOWN else "")

    def links(self, chain: Sequence[int]) -> tuple[Link, ...]:
        """Return the first TLINKs of a chain, for pictures of it."""
        return tuple(map(self.side.link, self.tlinks(chain[:MOST_LINKS])))


def _explain_tlinks(
    own: _Graph, other: _Graph, standings: Standings, shelf: Shelf, told: Collection[frozenset[Hashable]] = frozenset()
) -> Explained:
    """Yield the reduced TLINKs of one side that contradict their own file, and those that do not follow from the other side's.

    TLINKs between ends that are `told` of already have no pair of types, so that a pair counts once what both sides relate.
    """

    def inconsistent(link: TemporalLink) -> Explanation:
        chain = own.graph.contradiction(link) or ()
        why = f"contradicts its own file's {own.ids(chain)}"
        against = Against(chain=own.links(chain))
        return explain_tlink(own.side, own.relations[link], "tlink-inconsistent", why, "other", against)

    def contradicted(link: TemporalLink) -> Explanation:
        return _explain_tlink(own, other, link, "tlink-contradicted", "contradicts", is_told=is_told(link))

    def not_entailed(link: TemporalLink) -> Explanation:
        return _explain_tlink(own, other, link, "tlink-not-entailed", "does not follow from", is_told=is_told(link))

    def is_told(link: TemporalLink) -> bool:
        return frozenset(link[:2]) in told

    own.graph.foresee(own.graph.violated)
    of_reason = {
        "tlink-inconsistent": (list(filter(own.graph.contradicts, own.graph.violated)), inconsistent),
        "tlink-contradicted": ([link for link, standing in standings if standing == "contradicted"], contradicted),
        "tlink-not-entailed": ([link for link, standing in standings if standing == "open"], not_entailed),
    }
    for reason, (links, explain) in of_reason.items():
        yield from explain_each(reason, links, explain, shelf, lambda _: TLINK_MEASURES)


def _explain_tlink(own: _Graph, other: _Graph, link: TemporalLink, reason: str, verb: str, *, is_told: bool) -> Explanation:
    """Return why a TLINK does not hold on the other side: by what the other side entails instead, or else by what the TLINK contradicts.

    One that `is_told` of already has no pair of types.
    """
    relation, instead = own.relations[link], other.graph.relation(link.source, link.target)
    chain = (other.graph.explain(instead) if instead else other.graph.contradiction(link)) or ()
    why, said = f"{verb} {other.whose} {other.ids(chain)}", other.shown(chain)
    if instead:
        entailed = own.side.short_tlink(relation._replace(type=instead.type))
        why += f", which {'entails' if len(chain) == 1 else 'entail'} {entailed}"
        said = f"{entailed} ({said})" if len(chain) > 1 else entailed
    is_gold, label = own.side.side == "gold", relation.type.upper() or NO_TYPE
    kind: Difference = "wrong-value" if said else "missed" if is_gold else "spurious"
    label_there = instead.type if instead else f"not {label}" if reason == "tlink-contradicted" else ""
    pair = None if is_told else (label, label_there) if is_gold else (label_there, label)
    return explain_tlink(own.side, relation, reason, why, kind, Against(said, other.links(chain), pair))
