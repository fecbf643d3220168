"""B-cubed, CEAF, BLANC and LEA from how many mentions each gold entity shares with each system entity, of many documents at once.

An entity is a set of mentions. All of these measures follow from the sizes of entities and from m(k, s), the number of mentions that
gold entity k shares with system entity s. Nearly all m are 0: only the others are kept, and every sum goes over them.

Sources: B-cubed: Bagga and Baldwin, 1998; CEAF: Luo, On coreference resolution performance metrics, 2005; BLANC: Recasens and Hovy,
2011, as Luo, Pradhan, Recasens and Hovy, 2014, extend it to mentions of one side; LEA: Moosavi and Strube, 2016.

One document, whose mentions are 1 to 6: gold {1 2 3} {4 5} against {1 2} {3 4 6}.

>>> gold, system = (Entities(np.zeros(2, np.int64), np.array(sizes)) for sizes in ([3, 2], [2, 3]))
>>> shared = Shared.of(1, (gold, system), np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]))  # of mentions 1 to 4
>>> shared.counts, shared.exchanged().sizes
(array([2, 1, 1]), array([2, 3, 3]))
>>> b_cubed(shared) == 13 / 6, ceaf_m(shared), ceaf_e(shared) == 6 / 5  # 13/6 is 5/3 + 1/2, 6/5 is 4/5 + 2/5
(array([ True]), array([3]), array([ True]))
>>> lea(shared), links_of(1, gold), common_links(shared)  # 3 · 1/3 + 0
(array([1.]), Links(coreferent=array([4]), other=array([6])), Links(coreferent=array([1]), other=array([2])))
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.metrics.assignment import any_greatest_pairs

Numbers: TypeAlias = NDArray[np.int64]


class Entities(NamedTuple):
    """The entities of one side: the document of each, and how many mentions it has. One that has none is no entity."""

    documents: Numbers
    sizes: Numbers


class Shared(NamedTuple):
    """The pairs of entities that share mentions, in so many documents.

    `documents` has the document of each pair, `own` and `other` the ranks of its entities among those of their sides, `sizes` and `others`
    how many mentions these have, and `counts` how many they share.
    """

    number: int
    documents: Numbers
    own: Numbers
    other: Numbers
    sizes: Numbers
    others: Numbers
    counts: Numbers

    @classmethod
    def of(cls, number: int, sides: tuple[Entities, Entities], own: Numbers, other: Numbers) -> Self:
        """Return the pairs, given for each mention that is shared the ranks of its entities."""
        first, second = sides
        width = len(second.sizes)
        codes, counts = np.unique(own * width + other, return_counts=True)
        own, other = np.divmod(codes, width)
        return cls(number, first.documents[own], own, other, first.sizes[own], second.sizes[other], counts)

    def exchanged(self) -> Shared:
        """Return the same with the sides exchanged."""
        return self._replace(own=self.other, other=self.own, sizes=self.others, others=self.sizes)


def b_cubed(shared: Shared) -> NDArray[np.float64]:
    """Return for each document the sum of m² / |k| over all entities k of the first side: how much its mentions find of their entities.

    Divided by the number of the side's mentions it is B-cubed's recall, if that side is gold, else its precision.
    """
    return _sums_of_quotients(shared.number, shared.documents, shared.counts**2, shared.sizes)


def lea(shared: Shared) -> NDArray[np.float64]:
    """Return for each document the sum of |k| · c(m) / c(|k|) over all entities k of the first side, c(n) = n(n - 1) / 2.

    These are the links that are found, weighted by size. An entity of one mention has one link, to itself, which is found if the mention
    is alone on the other side, too.
    """
    has_links = shared.sizes > 1
    numerators = np.where(has_links, shared.counts * (shared.counts - 1), shared.others == 1)
    return _sums_of_quotients(shared.number, shared.documents, numerators, np.where(has_links, shared.sizes - 1, 1))


def ceaf_m(shared: Shared) -> Numbers:
    """Return for each document the greatest number of shared mentions over all one-to-one pairings of entities (CEAF-m's similarity)."""
    pairs = any_greatest_pairs(shared.own, shared.other, shared.counts, np.ones_like(shared.counts))
    return sums_of_each(shared.counts[pairs], shared.documents[pairs], shared.number)


def ceaf_e(shared: Shared) -> NDArray[np.float64]:
    """Return for each document the greatest sum of 2m / (|k| + |s|) over all one-to-one pairings of entities (CEAF-e's similarity)."""
    numerators, denominators = 2 * shared.counts, shared.sizes + shared.others
    pairs = any_greatest_pairs(shared.own, shared.other, numerators, denominators)
    return _sums_of_quotients(shared.number, shared.documents[pairs], numerators[pairs], denominators[pairs])


class Links(NamedTuple):
    """For each document the numbers of pairs of mentions: of one entity (`coreferent`), and of different entities (`other`)."""

    coreferent: Numbers
    other: Numbers


def links_of(number: int, entities: Entities) -> Links:
    """Return the links of one side of so many documents."""
    documents, sizes = entities
    coreferent = sums_of_each(_pairs(sizes), documents, number)
    return Links(coreferent, _pairs(sums_of_each(sizes, documents, number)) - coreferent)


def common_links(shared: Shared) -> Links:
    """Return the links that both sides have: both ends are shared, and are of one (or of different) entities on both sides.

    Of the pairs of shared mentions those that are of one entity on either side are taken off, and those of one entity on both are put back.
    """
    number, documents, own, other, *_, counts = shared
    coreferent = sums_of_each(_pairs(counts), documents, number)
    ends_of_one = (sums_of_each(counts, side, side.max(initial=0) + 1)[side] - 1 for side in (own, other))
    of_one = sum(sums_of_each(counts * ends, documents, number) // 2 for ends in ends_of_one)
    return Links(coreferent, _pairs(sums_of_each(counts, documents, number)) - of_one + coreferent)


def sums_of_each(numbers: Numbers, owners: Numbers, size: int) -> Numbers:
    """Return the sum of the numbers of each of so many owners."""
    sums = np.zeros(size, np.int64)
    np.add.at(sums, owners, numbers)
    return sums


def _pairs(numbers: Numbers) -> Numbers:
    return numbers * (numbers - 1) // 2


def _sums_of_quotients(number: int, documents: Numbers, numerators: Numbers, denominators: Numbers) -> NDArray[np.float64]:
    """Return for each of so many documents the sum of its numerators over denominators, added exactly and rounded once."""
    width = denominators.max(initial=0) + 1
    codes, ranks = np.unique(documents * width + denominators, return_inverse=True)
    sums = sums_of_each(numerators, ranks, len(codes)).tolist()
    different = (codes % width).tolist()
    bounds = np.searchsorted(codes, np.arange(number + 1) * width).tolist()
    return np.array([_quotient(sums[begin:end], different[begin:end]) for begin, end in pairwise(bounds)], np.float64)


def _quotient(numerators: list[int], denominators: list[int]) -> float:
    """Return the sum of fractions; integers have no bounds here, and their quotient is rounded once."""
    factor = math.lcm(*denominators)
    terms = zip(numerators, denominators, strict=True)
    return sum(numerator * (factor // denominator) for numerator, denominator in terms) / factor
