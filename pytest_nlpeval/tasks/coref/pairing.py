"""How a document's entities meet: the pairs of mentions, and what each side's entities find of the other's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from pytest_nlpeval.metrics.coreference import Shared
from pytest_nlpeval.metrics.muc import correct_links
from pytest_nlpeval.tasks.coref.document import Side
from pytest_nlpeval.tasks.coref.matching import NOBODY, match
from pytest_nlpeval.tasks.coref.mentions import Mentions
from pytest_nlpeval.tasks.coref.options import Options

Counts = Mapping[tuple[int, int], int]


@dataclass(frozen=True, eq=False)
class Pairing:
    """What measures are made of: pairs of mentions, links that each side finds, and numbers of shared mentions.

    `pairs` has the rank of the partner of each gold mention. `recalled` and `precise` are gold's links that the system has, and the
    system's that gold has. `gold` has what gold's entities find in the system's, `system` the reverse; `both` is what CEAF pairs entities
    by. In `standard` all of these are the same numbers, since pairs are pairs.
    """

    mentions: tuple[Mentions, Mentions]
    pairs: Mapping[int, int]
    number: int
    recalled: int
    precise: int
    gold: Shared
    system: Shared
    both: Shared

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        """The mentions and entities of gold and the system, each by itself."""
        gold, system = self.mentions
        return Side.of(gold), Side.of(system)

    def numbers_of_zeros(self) -> Counter[str]:
        """Return how many anaphoric zeros are right (`tp`), wrongly linked (`wl`), missed (`fn`) and spurious (`fp`)."""
        numbers: Counter[str] = Counter()
        if not any(side.zeros.any() for side in self.mentions):
            return numbers
        gold, system = self.sides
        answered: set[int] = set()
        firsts = set(_firsts(system))
        earlier: set[tuple[int, int]] = set()
        begun: set[int] = set()
        for rank, (mention, owner) in enumerate(zip(gold.mentions, gold.owners, strict=True)):
            partner = self.pairs.get(rank)
            entity = -1 if partner is None else system.owners[partner]
            if mention.zero and owner in begun:
                if partner is None or partner in firsts:
                    numbers["fn"] += 1
                else:
                    numbers["tp" if (owner, entity) in earlier else "wl"] += 1
                if partner is not None:
                    answered.add(partner)
            begun.add(owner)
            if partner is not None:
                earlier.add((owner, entity))
        zeros = (rank for rank, mention in enumerate(system.mentions) if mention.zero)
        numbers["fp"] = sum(rank not in firsts and rank not in answered for rank in zeros)
        return numbers


def _firsts(side: Side) -> Iterator[int]:
    """Yield the rank of the first mention of each entity."""
    begun: set[int] = set()
    for rank, owner in enumerate(side.owners):
        if owner not in begun:
            begun.add(owner)
            yield rank


def pairings(gold: Mentions, system: Mentions, number: int, options: Options) -> Iterator[Pairing]:
    """Yield how the entities of two sides meet in each of so many documents."""
    partners = match(gold, system, options.match or "exact")
    rows = np.flatnonzero(partners != NOBODY)
    others, documents = partners[rows], gold.documents[rows]
    starts = gold.bounds(number), system.bounds(number)
    own, other = (rows - starts[0][documents]).tolist(), (others - starts[1][documents]).tolist()
    entities = list(zip(gold.owners[rows].tolist(), system.owners[others].tolist(), strict=True))
    sides = each_document(gold, number), each_document(system, number)
    for (begin, end), mentions in zip(
        pairwise(np.searchsorted(documents, np.arange(number + 1)).tolist()), zip(*sides, strict=True), strict=True
    ):
        counts = Counter(entities[begin:end])
        sizes, other_sizes = (np.bincount(side.owners).tolist() for side in mentions)
        shared = Shared(sizes, other_sizes, counts)
        links = correct_links(counts.values())
        pairs = dict(zip(own[begin:end], other[begin:end], strict=True))
        yield Pairing(mentions, pairs, len(pairs), links, links, shared, shared.exchanged(), shared)


def each_document(mentions: Mentions, number: int) -> Iterator[Mentions]:
    """Yield the mentions of each of so many documents."""
    for begin, end in pairwise(mentions.bounds(number).tolist()):
        yield mentions.picked(slice(begin, end))
