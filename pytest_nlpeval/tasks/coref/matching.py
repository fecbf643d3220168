"""Which mentions of gold and system are the same: one-to-one pairs within a document, found in three steps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from fractions import Fraction

import numpy as np

from pytest_nlpeval.metrics.assignment import any_greatest_assignment, greatest_assignment
from pytest_nlpeval.tasks.coref.mentions import Mentions, Numbers, identical, overlapping, shared_places
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
    if how != "exact":
        left, free = _unpaired(partners, len(system.firsts))
        weigh = _weights_of_heads if how == "head" else _weights_of_parts
        _assign(partners, weigh(gold.picked(left), system.picked(free)), left, free)
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


def _weights_of_heads(gold: Mentions, system: Mentions) -> Weights:
    of_head = _by_head(system)
    weights: dict[tuple[int, int], Fraction | int] = {}
    for head, own in _by_head(gold).items():
        others = of_head.get(head, ())
        if len(own) == len(others) == 1:
            weights[own[0], others[0]] = 1  # whatever the pair weighs
            continue
        places = [system.mention(other).places for other in others]
        for rank in own if others else ():
            whole = gold.mention(rank).places
            weights |= {
                (rank, other): Fraction(shared_places(whole, part), len(whole))
                for other, part in zip(others, places, strict=True)
            }
    return weights


def _by_head(mentions: Mentions) -> dict[tuple[int, int], list[int]]:
    ranks: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for rank, head in enumerate(zip(mentions.documents.tolist(), mentions.heads.tolist(), strict=True)):
        ranks[head].append(rank)
    return ranks


def _weights_of_parts(gold: Mentions, system: Mentions) -> Weights:
    wholes, parts = gold.each(), system.each()
    weights: dict[tuple[int, int], Fraction | int] = {}
    for (own, other), shared in overlapping(gold, system).items():
        whole, part = wholes[own], parts[other].places
        if shared == len(part) and whole.head in part:
            weights[own, other] = Fraction(shared, len(whole.places))
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
    weights = overlapping(gold.picked(left), system.picked(free))
    overlaps = sum_of_each(gold.lengths()[own], gold.documents[own], number)
    pairs = any_greatest_assignment(weights)
    shared = np.array([weights[pair] for pair in pairs.items()], np.int64)
    return overlaps + sum_of_each(shared, gold.documents[left[np.array(list(pairs), np.int64)]], number)


def sum_of_each(numbers: Numbers, documents: Numbers, number: int) -> Numbers:
    """Return the sum of the numbers of each of so many documents."""
    sums = np.zeros(number, np.int64)
    np.add.at(sums, documents, numbers)
    return sums
