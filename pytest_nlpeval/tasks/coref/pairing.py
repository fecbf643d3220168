"""How a document's entities meet: the pairs of mentions, and what each side's entities find of the other's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pytest_nlpeval.metrics.coreference import Shared
from pytest_nlpeval.metrics.muc import correct_links
from pytest_nlpeval.tasks.coref.document import Side
from pytest_nlpeval.tasks.coref.matching import match
from pytest_nlpeval.tasks.coref.options import Options

Counts = Mapping[tuple[int, int], int]


@dataclass(frozen=True, slots=True, eq=False)
class Pairing:
    """What measures are made of: pairs of mentions, links that each side finds, and numbers of shared mentions.

    `pairs` has the rank of the partner of each gold mention. `recalled` and `precise` are gold's links that the system has, and the
    system's that gold has. `gold` has what gold's entities find in the system's, `system` the reverse; `both` is what CEAF pairs entities
    by. In `standard` all of these are the same numbers, since pairs are pairs.
    """

    sides: tuple[Side, Side]
    pairs: Mapping[int, int]
    number: int
    recalled: int
    precise: int
    gold: Shared
    system: Shared
    both: Shared

    def numbers_of_zeros(self) -> Counter[str]:
        """Return how many anaphoric zeros are right (`tp`), wrongly linked (`wl`), missed (`fn`) and spurious (`fp`)."""
        gold, system = self.sides
        numbers: Counter[str] = Counter()
        if not any(mention.zero for side in self.sides for mention in side.mentions):
            return numbers
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


def pair(gold: Side, system: Side, options: Options) -> Pairing:
    """Return how the entities of two sides meet."""
    pairs = match(gold.mentions, system.mentions, options.match or "exact")
    counts = Counter((gold.owners[own], system.owners[other]) for own, other in pairs.items())
    shared = Shared(gold.sizes, system.sizes, counts)
    links = correct_links(counts.values())
    return Pairing((gold, system), pairs, len(pairs), links, links, shared, shared.exchanged(), shared)
