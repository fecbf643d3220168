"""Which mentions of gold and system are the same: one-to-one pairs within a document, found in three steps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from fractions import Fraction

import numpy as np

from pytest_nlpeval.metrics.assignment import any_greatest_pairs, greatest_assignment
from pytest_nlpeval.metrics.coreference import sums_of_each
from pytest_nlpeval.tasks.coref.mentions import Mentions, Numbers, identical, joined, overlapping, shared_places
from pytest_nlpeval.tasks.coref.options import Match

Weights = Mapping[tuple[int, int], Fraction | int]


NOBODY = -1


def match(gold: Mentions, system: Mentions, how: Match) -> Numbers:
    """Return the row of the system mention that each gold mention is paired with, `NOBODY` for none.

    1. Zeros of one sentence: maximum weight 10 · F(a, b) + F(a', b') of their heads' dependencies and parents.
    2. Mentions of the same places, with `head` also of the same head.
    3. `head`: mentions of the same head, maximum weight |g & s| / |g|; `partial`: the same weight where s lies in g and has g's head.

    Each step is on what the former ones left. Among equal weights the first gold mention has the earliest partner. Both sides are in
    order, and mentions of different documents are no pairs.
    """
    partners = np.full(len(gold.firsts), NOBODY)
    _assign(partners, _weights_of_zeros(gold, system))
    left, free = _unpaired(partners, len(system.firsts))
    own, other = identical(gold.picked(left), system.picked(free), with_heads=how == "head")
    partners[left[own]] = free[other]
    if how == "head":
        _assign_by_heads(partners, gold, system)
    elif how == "partial":
        left, free = _unpaired(partners, len(system.firsts))
        _assign(partners, _weights_of_parts(gold.picked(left), system.picked(free)), left, free)
    return partners


def _unpaired(partners: Numbers, number: int) -> tuple[Numbers, Numbers]:
    """Return the rows of both sides that are in no pair."""
    is_free = np.ones(number, np.bool_)
    is_free[partners[partners != NOBODY]] = False
    return np.flatnonzero(partners == NOBODY), np.flatnonzero(is_free)


def _assign(partners: Numbers, weights: Weights, left: Numbers | None = None, free: Numbers | None = None) -> None:
    """Note the greatest assignment of rows, or of ranks among those that are left."""
    if pairs := greatest_assignment(weights):
        own, other = np.array(list(pairs.items())).T
        partners[own if left is None else left[own]] = other if free is None else free[other]


def _weights_of_zeros(gold: Mentions, system: Mentions) -> Weights:
    of_sentence: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for rank in np.flatnonzero(system.zeros).tolist():
        of_sentence[system.documents[rank], system.zeros[rank].sentence].append(rank)
    weights: dict[tuple[int, int], Fraction | int] = {}
    for rank in np.flatnonzero(gold.zeros).tolist():
        own = gold.zeros[rank].dependencies
        for other in of_sentence.get((gold.documents[rank], gold.zeros[rank].sentence), ()):
            theirs = system.zeros[other].dependencies
            weights[rank, other] = 10 * _f(own, theirs) + _f(_parents(own), _parents(theirs))
    return weights


def _f(
    one: frozenset[Hashable] | frozenset[tuple[str, str]], other: frozenset[Hashable] | frozenset[tuple[str, str]]
) -> Fraction:
    """Return 2 |a & b| / (|a| + |b|), 0 if either set is empty."""
    return Fraction(2 * len(one & other), len(one) + len(other)) if one and other else Fraction(0)


def _parents(dependencies: frozenset[tuple[str, str]]) -> frozenset[Hashable]:
    return frozenset(parent for parent, _ in dependencies)


def _assign_by_heads(partners: Numbers, gold: Mentions, system: Mentions) -> None:
    """Pair mentions of the same head: two that are alone with it whatever they weigh, the others by the greatest assignment."""
    left, free = _unpaired(partners, len(system.firsts))
    documents = np.concatenate((gold.documents[left], system.documents[free]))
    heads = np.concatenate((gold.heads[left], system.heads[free]))
    names, ranks = np.unique(joined(documents, heads), return_inverse=True)
    own, other = np.split(ranks, [len(left)])
    numbers, others = (np.bincount(side, minlength=len(names)) for side in (own, other))
    rows = np.zeros(len(names), np.int64)
    rows[other] = free
    are_alone = (numbers == 1) & (others == 1)
    partners[left[are_alone[own]]] = rows[own[are_alone[own]]]
    are_several = (numbers > 0) & (others > 0) & ~are_alone
    left, free = left[are_several[own]], free[are_several[other]]
    _assign(partners, _weights_of_heads(gold.picked(left), system.picked(free)), left, free)


def _weights_of_heads(gold: Mentions, system: Mentions) -> Weights:
    of_head: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for rank, head in enumerate(zip(system.documents.tolist(), system.heads.tolist(), strict=True)):
        of_head[head].append(rank)
    wholes, parts = ([mention.places for mention in side.each()] for side in (gold, system))
    return {
        (rank, other): Fraction(shared_places(whole, parts[other]), len(whole))
        for rank, (whole, *head) in enumerate(zip(wholes, gold.documents.tolist(), gold.heads.tolist(), strict=True))
        for other in of_head[head[0], head[1]]
    }


def _weights_of_parts(gold: Mentions, system: Mentions) -> Weights:
    own, other, shared = overlapping(gold, system)
    are_parts = shared == system.lengths()[other]
    weights: dict[tuple[int, int], Fraction | int] = {}
    for one, another, number in zip(*(column[are_parts].tolist() for column in (own, other, shared)), strict=True):
        whole = gold.mention(one)
        if whole.head in system.mention(another).places:
            weights[one, another] = Fraction(number, len(whole.places))
    return weights


def greatest_overlaps(gold: Mentions, system: Mentions, number: int) -> Numbers:
    """Return for each of so many documents the greatest number of places that mentions share in one-to-one pairs, whatever else pairs them.

    Mentions of the same places are paired first, which never costs any: a mention g equal to s loses at most |g & s'| + |g' & s| <=
    |g| + |g' & s'| if both are paired otherwise. Which of several equal ones are paired does not matter.
    """
    own, other = identical(gold, system, with_heads=False)
    partners = np.full(len(gold.firsts), NOBODY)
    partners[own] = other
    left, free = _unpaired(partners, len(system.firsts))
    rows, columns, shared = overlapping(gold.picked(left), system.picked(free))
    pairs = any_greatest_pairs(rows, columns, shared, np.ones_like(shared))
    others = sums_of_each(shared[pairs], gold.documents[left[rows[pairs]]], number)
    return sums_of_each(gold.lengths()[own], gold.documents[own], number) + others
