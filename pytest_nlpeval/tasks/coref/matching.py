"""Which mentions of gold and system are the same: one-to-one pairs within a document, found in three steps."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction

from pytest_nlpeval.metrics.assignment import any_greatest_assignment, greatest_assignment
from pytest_nlpeval.tasks.coref.mentions import Mention, overlapping, shared_places
from pytest_nlpeval.tasks.coref.options import Match

Weights = dict[tuple[int, int], Fraction]


def match(gold: Sequence[Mention], system: Sequence[Mention], how: Match) -> dict[int, int]:
    """Return the rank of the system mention that each gold mention is paired with, by ranks; both sides are in order.

    1. Zeros of one sentence: maximum weight 10 · F(a, b) + F(a', b') of their heads' dependencies and parents.
    2. Mentions of the same places, with `head` also of the same head.
    3. `head`: mentions of the same head, maximum weight |g & s| / |g|; `partial`: the same weight where s lies in g and has g's head.

    Each step is on what the former ones left. Among equal weights the first gold mention has the earliest partner.
    """
    pairs = greatest_assignment(_weights_of_zeros(gold, system))
    _add_same(gold, system, how, pairs)
    if how != "exact":
        paired = set(pairs.values())
        left = [rank for rank in range(len(gold)) if rank not in pairs]
        free = [rank for rank in range(len(system)) if rank not in paired]
        weigh = _weights_of_heads if how == "head" else _weights_of_parts
        pairs |= greatest_assignment(weigh(gold, system, left, free))
    return pairs


def _weights_of_zeros(gold: Sequence[Mention], system: Sequence[Mention]) -> Weights:
    of_sentence: defaultdict[int, list[int]] = defaultdict(list)
    for rank, mention in enumerate(system):
        if mention.zero:
            of_sentence[mention.zero.sentence].append(rank)
    weights: Weights = {}
    for rank, mention in enumerate(gold):
        if mention.zero is None:
            continue
        own = mention.zero.dependencies
        for other in of_sentence.get(mention.zero.sentence, ()):
            zero = system[other].zero
            theirs = zero.dependencies if zero else frozenset()
            weights[rank, other] = 10 * _f(own, theirs) + _f(_parents(own), _parents(theirs))
    return weights


def _f(
    one: frozenset[Hashable] | frozenset[tuple[str, str]], other: frozenset[Hashable] | frozenset[tuple[str, str]]
) -> Fraction:
    """Return 2 |a & b| / (|a| + |b|), 0 if either set is empty."""
    return Fraction(2 * len(one & other), len(one) + len(other)) if one and other else Fraction(0)


def _parents(dependencies: frozenset[tuple[str, str]]) -> frozenset[Hashable]:
    return frozenset(parent for parent, _ in dependencies)


def _add_same(gold: Sequence[Mention], system: Sequence[Mention], how: Match, pairs: dict[int, int]) -> None:
    def key(mention: Mention) -> Hashable:
        return (mention.places, mention.head) if how == "head" else mention.places

    paired = set(pairs.values())
    rank_of = {key(mention): rank for rank, mention in enumerate(system) if rank not in paired}
    for rank, mention in enumerate(gold):
        if rank not in pairs and (other := rank_of.get(key(mention))) is not None:
            pairs[rank] = other


def _weights_of_heads(gold: Sequence[Mention], system: Sequence[Mention], left: Iterable[int], free: Iterable[int]) -> Weights:
    of_head: defaultdict[int, list[int]] = defaultdict(list)
    for other in free:
        of_head[system[other].head].append(other)
    return {
        (rank, other): Fraction(shared_places(gold[rank].places, system[other].places), len(gold[rank].places))
        for rank in left
        for other in of_head.get(gold[rank].head, ())
    }


def _weights_of_parts(gold: Sequence[Mention], system: Sequence[Mention], left: Sequence[int], free: Sequence[int]) -> Weights:
    near = overlapping([gold[rank].places for rank in left], [system[rank].places for rank in free])
    weights: Weights = {}
    for own, other, shared in near:
        whole, part = gold[left[own]], system[free[other]].places
        if shared == len(part) and whole.head in part:
            weights[left[own], free[other]] = Fraction(shared, len(whole.places))
    return weights


def greatest_overlap(gold: Sequence[Mention], system: Sequence[Mention], pairs: Mapping[int, int]) -> int:
    """Return the greatest number of places that mentions share in one-to-one pairs, whatever else pairs them.

    Mentions of the same places are paired first, which never costs any: a mention g equal to s loses at most |g & s'| + |g' & s| <=
    |g| + |g' & s'| if both are paired otherwise. Which of several equal ones are paired does not matter. Most are in `pairs`, by ranks,
    which may pair a system mention several times.
    """
    paired = {other: own for own, other in pairs.items() if gold[own].places == system[other].places}
    same = set(paired.values())
    left = (
        Counter(mention.places for rank, mention in enumerate(gold) if rank not in same),
        Counter(mention.places for rank, mention in enumerate(system) if rank not in paired),
    )
    others = left[0] & left[1]
    near = [list((side - others).elements()) for side in left]
    weights = {(rank, other): shared for rank, other, shared in overlapping(*near)}
    total = sum(len(gold[own].places) for own in same) + sum(len(places) * number for places, number in others.items())
    return total + sum(weights[pair] for pair in any_greatest_assignment(weights).items())


def number_of_places(mentions: Iterable[Mention]) -> int:
    """Return the sum of the mentions' numbers of places."""
    return sum(len(mention.places) for mention in mentions)
