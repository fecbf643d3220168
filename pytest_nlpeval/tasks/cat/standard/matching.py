"""Counts by the profile `standard`: one-to-one, whatever the order of a file."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.muc import muc
from pytest_nlpeval.metrics.temporal import Standing, TemporalGraph, TemporalLink
from pytest_nlpeval.tasks.cat.configuration import AnnotationType, Configuration
from pytest_nlpeval.tasks.cat.rows import STRICTNESS, TEMPEVAL, Counts, Strictness, attribute_name, is_tlink
from pytest_nlpeval.tasks.cat.standard.pairing import Pairs, pair_markables
from pytest_nlpeval.tasks.cat.standard.selection import BinaryRelation, Key, Selection, key_of
from pytest_nlpeval.tasks.cat.xml.document import agree

_READ_AS = {"IDENTITY": "SIMULTANEOUS"}

Ends = Mapping[str, str]
"""From the id of a system's markable to that of its gold partner."""

Standings = Sequence[tuple[TemporalLink, Standing]]
"""The reduced links of one side, each with what the other side's graph says of it."""


class LinkRow(NamedTuple):
    """The links of a relation's NAME by their keys, in gold's ids; a system link is left out if an end has no partner.

    Links with equal keys match: `matched` are these keys, in gold's order.
    """

    gold: Mapping[Key, BinaryRelation]
    system: Mapping[Key, BinaryRelation]
    matched: list[Key]


class Tempeval(NamedTuple):
    """The temporal graphs of a document, in gold's ids; the TLINK that each link comes from; and what becomes of the reduced links."""

    gold: TemporalGraph
    system: TemporalGraph
    gold_links: dict[TemporalLink, BinaryRelation]
    system_links: dict[TemporalLink, BinaryRelation]
    gold_standings: Standings
    system_standings: Standings


@light_dataclass(frozen=True, slots=True)
class Standard:
    """A document's counts by column, and the pairs, relations and graphs that give them, by NAME and row."""

    gold: Selection
    system: Selection
    counts: dict[str, int] = field(default_factory=dict)
    pairs: dict[str, Pairs] = field(default_factory=dict)
    ends: dict[Strictness, Ends] = field(default_factory=dict)
    links: dict[tuple[str, Strictness], LinkRow] = field(default_factory=dict)
    tempeval: Tempeval | None = None


def count_standard(gold: Selection, system: Selection, configuration: Configuration) -> Standard:
    """Return the counts of all rows of the configuration, relaxed ones included (see `rows.Counts`), and what gives them."""
    pairs = pair_markables(gold, system, configuration)
    ends: dict[Strictness, Ends] = {
        row: {theirs.id: ours.id for of_name in pairs.values() for ours, theirs in of_name.of(row)} for row in STRICTNESS
    }
    has_tempeval = any(map(is_tlink, configuration.one2one))
    tempeval = _tempeval(gold.tlinks, system.tlinks, ends["strict"]) if has_tempeval else None
    standard = Standard(gold, system, pairs=pairs, ends=ends, tempeval=tempeval)
    for line in configuration.markables:
        _count_markables(standard, line)
    for line in configuration.relations:
        for row in STRICTNESS:
            _count_relations(standard, line, row)
    if tempeval:
        standard.counts.update(_tempeval_counts(tempeval).columns(TEMPEVAL))
    return standard


def _count_markables(standard: Standard, line: AnnotationType) -> None:
    name = line.name
    gold, system = (
        len(side.spans.get(name, ())) + len(side.instances.get(name, ())) for side in (standard.gold, standard.system)
    )
    for row in STRICTNESS:
        pairs = standard.pairs[name].of(row) if name in standard.pairs else []
        standard.counts.update(Counts.of(len(pairs), gold, system).columns(f"{name}.{row}"))
        for attribute in line.attributes:
            number = sum(agree(ours, theirs, attribute) for ours, theirs in pairs)
            standard.counts[attribute_name(f"{name}.{row}", attribute)] = number


def _count_relations(standard: Standard, line: AnnotationType, row: Strictness) -> None:
    name, ends = line.name, standard.ends[row]
    ours, theirs = standard.gold.links[name], standard.system.links[name]
    system = {
        key_of(line, ends[source], ends[target], values): link
        for (source, target, values), link in theirs.items()
        if source in ends and target in ends
    }
    links = standard.links[name, row] = LinkRow(ours, system, [key for key in ours if key in system])
    coreference = muc(
        [group.mentions for group in standard.gold.groups[name]],
        [[place_of(mention, ends) for mention in group.mentions] for group in standard.system.groups[name]],
    )
    standard.counts.update(
        Counts.of(
            len(links.matched) + coreference.correct, len(ours) + coreference.gold, len(theirs) + coreference.system
        ).columns(f"{name}.{row}")
    )


def place_of(end: str, ends: Ends) -> Hashable:
    """Return the id of the gold partner of a system's markable; without partner, return a key that gold does not have."""
    return ends.get(end) or ("system", end)


def _tempeval(gold: Iterable[BinaryRelation], system: Iterable[BinaryRelation], ends: Ends) -> Tempeval:
    ours: dict[TemporalLink, BinaryRelation] = {}
    theirs: dict[TemporalLink, BinaryRelation] = {}
    for link in gold:
        ours.setdefault(TemporalLink(link.source, link.target, _READ_AS.get(link.type, link.type)), link)
    for link in system:
        source, target = place_of(link.source, ends), place_of(link.target, ends)
        theirs.setdefault(TemporalLink(source, target, _READ_AS.get(link.type, link.type)), link)
    of_gold, of_system = TemporalGraph(ours), TemporalGraph(theirs)
    gold_standings, system_standings = (
        list(zip(asked.canonical, told.verdicts(asked.canonical), strict=True))
        for asked, told in ((of_gold, of_system), (of_system, of_gold))
    )
    return Tempeval(of_gold, of_system, ours, theirs, gold_standings, system_standings)


def _tempeval_counts(tempeval: Tempeval) -> Counts:
    """Return the counts of temporal awareness (UzZaman and Allen, 2011): each side's reduced relations that the other entails."""
    ours, theirs = tempeval.gold_standings, tempeval.system_standings
    matched, back = (sum(standing in ("stated", "entailed") for _, standing in side) for side in (ours, theirs))
    return Counts(matched, len(ours), len(theirs), matched, back)
