"""MUC: how many coreference links of gold and system chains agree.

A chain (an equivalence class of mentions) C is held together by |C| - 1 links. `p(C)` is the partition of C by the other side's
chains, in which a mention without chain is a part by itself. The other side has `|C| - |p(C)|` of C's links. With K and S the gold and
the system chains, recall = `sum_K (|C| - |p(C)|) / sum_K (|C| - 1)`, precision the same with the sides exchanged
(Vilain, Burger, Aberdeen, Connolly, Hirschman: A model-theoretic coreference scoring scheme, MUC-6, 1995).

Both numerators are the same number. A part of C by system chain D is their intersection, so each numerator is the sum of
`|C & D| - 1` over all pairs of chains that share a mention.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

M = TypeVar("M", bound=Hashable)
N = TypeVar("N", int, NDArray[np.int64])


class MucCounts(NamedTuple):
    """Numbers of links: `correct` are those that both sides have, `gold` and `system` those of each side.

    Recall is `correct / gold`, precision `correct / system`, F `2 * correct / (gold + system)` (`metrics.prf`). `correct` is at most
    the smaller of the others. Counts of several documents add up.
    """

    correct: int
    gold: int
    system: int


def muc(gold_chains: Iterable[Collection[Hashable]], system_chains: Iterable[Collection[Hashable]]) -> MucCounts:
    """Return the link counts of gold and system chains, in time linear in the number of mentions.

    Mentions are equal if they compare equal; a side may have mentions that the other has not. The order of chains and mentions has no
    influence; chains of one mention, and empty ones, have no links.

    Raises:
        ValueError: if a mention appears twice on one side, in one chain or in two.
    """
    gold, system = list(gold_chains), list(system_chains)
    owners = chain_of(gold)
    chain_of(system)
    shared = (Counter(owners[mention] for mention in chain if mention in owners) for chain in system)
    correct = sum(correct_links(sum(numbers.values()), len(numbers)) for numbers in shared)
    return MucCounts(correct, _links(gold), _links(system))


def correct_links(mentions: N, pairs: N) -> N:
    """Return the number of links that both sides have: the sum of |C & D| - 1 over the pairs of chains that share mentions.

    So many mentions are shared, by so many pairs of chains; both may be arrays of documents.

    >>> correct_links(4, 3)  # {1 2 3} {4 5} against {1 2} {3 4}
    1
    """
    return mentions - pairs


def chain_of(chains: Iterable[Collection[M]]) -> dict[M, int]:
    """Return the rank of each mention's chain, from 0; `ValueError` if a mention appears twice."""
    owners: dict[M, int] = {}
    mentions = 0
    for rank, chain in enumerate(chains):
        owners.update(dict.fromkeys(chain, rank))
        mentions += len(chain)
    if len(owners) != mentions:
        raise ValueError(f"{mentions - len(owners)} of {mentions} mentions are in a chain already; chains are disjoint")
    return owners


def partition(chain: Iterable[M], owners: Mapping[M, int]) -> list[list[M]]:
    """Return p(chain): its mentions grouped by their chain on the other side, each mention without one by itself.

    `owners` is `chain_of` of the other side. Parts and their mentions are in the order of `chain`; there are `|chain| - |p(chain)|`
    common links.

    >>> partition("abcde", {"a": 0, "c": 0, "d": 1})
    [['a', 'c'], ['b'], ['d'], ['e']]
    """
    parts: dict[int | tuple[M], list[M]] = {}
    for mention in chain:
        parts.setdefault(owners.get(mention, (mention,)), []).append(mention)
    return list(parts.values())


def heaviest_links(weights: Iterable[float]) -> float:
    """Return the weight of a maximum spanning tree of weighted mentions, where a link weighs the mean of its two mentions.

    The k - 1 links have 2k - 2 ends. Each mention needs one of them, and the tree is heaviest if the other k - 2 are all at the heaviest
    mention: a star. So it weighs `(sum of weights + (k - 2) * greatest weight) / 2`, which is k - 1 if all weights are 1
    and 0 for fewer than two mentions. The weights are added exactly and rounded once, so that their order does not matter.
    """
    mentions = list(weights)
    return (math.fsum(mentions) + (len(mentions) - 2) * max(mentions)) / 2 if len(mentions) > 1 else 0.0


def _links(chains: Iterable[Collection[Hashable]]) -> int:
    return sum(len(chain) - 1 for chain in chains if chain)
