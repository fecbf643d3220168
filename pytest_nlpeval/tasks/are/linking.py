"""Compares the chains of gold and system, by equal mentions (subtask 2) or by overlapping ones (subtask 4)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Generic

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.metrics.alignment import Span, align
from pytest_nlpeval.metrics.muc import chain_of, heaviest_links, partition
from pytest_nlpeval.tasks.are.chains import Chain
from pytest_nlpeval.tasks.are.mentions import M

Partners = Mapping[M, tuple[M, float]]
"""For each mention that has one, its partner on the other side and their overlap in (0, 1]."""


@light_dataclass(frozen=True, slots=True)
class Comparison(Generic[M]):
    """A chain, and the `parts` into which the other side's chains divide it.

    `weights` has the weight of the correct links inside each part of two mentions or more.
    """

    chain: Chain[M]
    parts: list[list[M]]
    weights: list[float]

    @property
    def links(self) -> int:
        """The number of links that hold the chain together."""
        return len(self.chain.mentions) - 1


@light_dataclass(frozen=True, slots=True)
class Linking(Generic[M]):
    """The chains of both sides compared, and the partners of both sides' mentions."""

    gold: list[Comparison[M]]
    system: list[Comparison[M]]
    partners_of_gold: Partners[M]
    partners_of_system: Partners[M]

    @property
    def correct(self) -> float:
        """The weight of the correct links; the same for both sides. Added exactly and rounded once: no order matters."""
        return math.fsum(weight for comparison in self.gold for weight in comparison.weights)


def link_ids(gold: Sequence[Chain[str]], system: Sequence[Chain[str]]) -> Linking[str]:
    """Compare chains of ids: a mention's partner is itself."""
    ours = {mention for chain in gold for mention in chain.mentions}
    partners = {mention: (mention, 1.0) for chain in system for mention in chain.mentions if mention in ours}
    return Linking(_compare(gold, system, partners), _compare(system, gold, partners), partners, partners)


def link_spans(gold: Sequence[Chain[Span]], system: Sequence[Chain[Span]]) -> Linking[Span]:
    """Compare chains of spans, whose mentions are aligned one to one."""
    aligned = align(spans_of(gold), spans_of(system))
    of_gold = {ours: (theirs, share) for ours, theirs, share in aligned}
    of_system = {theirs: (ours, share) for ours, theirs, share in aligned}
    return Linking(_compare(gold, system, of_gold), _compare(system, gold, of_system), of_gold, of_system)


def spans_of(chains: Iterable[Chain[Span]]) -> list[Span]:
    """Return the mentions of all chains."""
    return [span for chain in chains for span in chain.mentions]


def _compare(chains: Sequence[Chain[M]], others: Sequence[Chain[M]], partners: Partners[M]) -> list[Comparison[M]]:
    owners = chain_of(chain.mentions for chain in others)
    owned = {mention: owners[partner] for mention, (partner, _) in partners.items()}
    comparisons = []
    for chain in chains:
        parts = partition(chain.mentions, owned)
        weights = [heaviest_links(partners[mention][1] for mention in part) for part in parts if len(part) > 1]
        comparisons.append(Comparison(chain, parts, weights))
    return comparisons
