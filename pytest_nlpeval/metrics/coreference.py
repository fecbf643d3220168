"""B-cubed, CEAF, BLANC and LEA from how many mentions each gold entity shares with each system entity.

An entity is a set of mentions. All of these measures follow from the sizes of entities and from m(k, s), the number of mentions that
gold entity k shares with system entity s. Nearly all m are 0: only the others are kept, and every sum goes over them.

Sources: B-cubed: Bagga and Baldwin, 1998; CEAF: Luo, On coreference resolution performance metrics, 2005; BLANC: Recasens and Hovy,
2011, as Luo, Pradhan, Recasens and Hovy, 2014, extend it to mentions of one side; LEA: Moosavi and Strube, 2016.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pytest_nlpeval.metrics.assignment import any_greatest_assignment


class Shared(NamedTuple):
    """The sizes of the entities of two sides, and `counts`: for (own entity, other's entity) how many mentions they share, if any.

    >>> example = Shared([3, 2], [2, 3], {(0, 0): 2, (0, 1): 1, (1, 1): 1})
    >>> example.exchanged().counts
    {(0, 0): 2, (1, 0): 1, (1, 1): 1}
    """

    sizes: Sequence[int]
    others: Sequence[int]
    counts: Mapping[tuple[int, int], int]

    def exchanged(self) -> Shared:
        """Return the same with the sides exchanged."""
        return Shared(self.others, self.sizes, {(second, first): number for (first, second), number in self.counts.items()})


def b_cubed(shared: Shared) -> float:
    """Return the sum of m² / |k| over all entities k of the first side: how much of its entity each of its mentions finds again.

    Divided by the number of the side's mentions it is B-cubed's recall, if that side is gold, else its precision.

    >>> b_cubed(Shared([3, 2], [2, 3], {(0, 0): 2, (0, 1): 1, (1, 1): 1})) == 13 / 6  # 5/3 + 1/2
    True
    """
    return _sum_of_quotients((number**2, shared.sizes[own]) for (own, _), number in shared.counts.items())


def lea(shared: Shared) -> float:
    """Return the sum of |k| · c(m) / c(|k|) over all entities k of the first side, c(n) = n(n - 1) / 2: links found, weighted by size.

    An entity of one mention has one link, to itself, which is found if the mention is alone on the other side, too.

    >>> lea(Shared([3, 2, 1], [2, 3, 1], {(0, 0): 2, (0, 1): 1, (1, 1): 1, (2, 2): 1}))  # 3 · 1/3 + 0 + 1
    2.0
    """
    return _sum_of_quotients(
        (number * (number - 1), shared.sizes[own] - 1) if shared.sizes[own] > 1 else (int(shared.others[other] == 1), 1)
        for (own, other), number in shared.counts.items()
    )


def ceaf_m(shared: Shared) -> int:
    """Return the greatest number of shared mentions over all one-to-one pairings of entities (CEAF-m's similarity).

    >>> ceaf_m(Shared([3, 2], [2, 3], {(0, 0): 2, (0, 1): 1, (1, 1): 1}))
    3
    """
    return sum(shared.counts[pair] for pair in any_greatest_assignment(shared.counts).items())


def ceaf_e(shared: Shared) -> float:
    """Return the greatest sum of 2m / (|k| + |s|) over all one-to-one pairings of entities (CEAF-e's similarity).

    >>> ceaf_e(Shared([3, 2], [2, 3], {(0, 0): 2, (0, 1): 1, (1, 1): 1})) == 6 / 5  # 4/5 + 2/5
    True
    """
    parts = {
        (own, other): (2 * number, shared.sizes[own] + shared.others[other]) for (own, other), number in shared.counts.items()
    }
    factor = math.lcm(*(denominator for _, denominator in parts.values()))
    pairing = any_greatest_assignment(
        {pair: numerator * (factor // denominator) for pair, (numerator, denominator) in parts.items()}
    )
    return _sum_of_quotients(parts[pair] for pair in pairing.items())


class Links(NamedTuple):
    """Numbers of pairs of mentions: of one entity (`coreferent`), and of different entities (`other`)."""

    coreferent: int
    other: int


def links_of(sizes: Iterable[int]) -> Links:
    """Return the links of one side.

    >>> links_of([3, 2])
    Links(coreferent=4, other=6)
    """
    numbers = list(sizes)
    coreferent = sum(map(_pairs, numbers))
    return Links(coreferent, _pairs(sum(numbers)) - coreferent)


def common_links(counts: Mapping[tuple[int, int], int]) -> Links:
    """Return the links that both sides have: both ends are shared, and are of one (or of different) entities on both sides.

    Of the pairs of shared mentions those that are of one entity on either side are taken off, and those of one entity on both are put back.

    >>> common_links({(0, 0): 2, (0, 1): 1, (1, 1): 1})
    Links(coreferent=1, other=2)
    """
    gold: defaultdict[int, int] = defaultdict(int)
    system: defaultdict[int, int] = defaultdict(int)
    for (own, other), number in counts.items():
        gold[own] += number
        system[other] += number
    coreferent = sum(map(_pairs, counts.values()))
    of_one = sum(map(_pairs, gold.values())) + sum(map(_pairs, system.values()))
    return Links(coreferent, _pairs(sum(gold.values())) - of_one + coreferent)


def _pairs(number: int) -> int:
    return number * (number - 1) // 2


def _sum_of_quotients(quotients: Iterable[tuple[int, int]]) -> float:
    """Return the sum of numerators over denominators, added exactly and rounded once."""
    numerators: defaultdict[int, int] = defaultdict(int)
    for numerator, denominator in quotients:
        numerators[denominator] += numerator
    factor = math.lcm(*numerators)
    return sum(numerator * (factor // denominator) for denominator, numerator in numerators.items()) / factor  # rounded once
