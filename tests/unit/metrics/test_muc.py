from __future__ import annotations

import itertools
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.muc import MucCounts, chain_of, heaviest_links, muc, partition
from tests.work import calls_of

Chains = list[list[int]]


@st.composite
def disjoint(draw: st.DrawFn, most: int = 12) -> Chains:
    """Chains over some of the numbers below `most`, in any order."""
    owners = draw(st.lists(st.integers(-2, 4), min_size=most, max_size=most))
    chains: dict[int, list[int]] = {}
    for mention in draw(st.permutations(range(most))):
        if owners[mention] >= 0:
            chains.setdefault(owners[mention], []).append(mention)
    return list(chains.values())


def components(mentions: Iterable[int], links: Iterable[tuple[int, int]]) -> int:
    """How many connected components the mentions form, by merging one link after the other."""
    group = {mention: mention for mention in mentions}
    for one, other in links:
        if one in group and other in group and group[one] != group[other]:
            old, new = group[one], group[other]
            group = {mention: new if name == old else name for mention, name in group.items()}
    return len(set(group.values()))


def by_the_paper(key: Chains, response: Chains) -> int:
    """Correct links of the key: what of each chain's links remains when only the response's links are left."""
    links = [pair for chain in response for pair in itertools.combinations(chain, 2)]
    return sum(len(chain) - components(chain, links) for chain in key)


# Vilain et al. (1995), table 1: key and response, with recall and precision
PAPER = [
    ("A-B-C-D", "A-B C-D", 2 / 3, 2 / 2),
    ("A-B C-D", "A-B-C-D", 2 / 2, 2 / 3),
    ("A-B-C-D", "A-B-C-D", 3 / 3, 3 / 3),
    ("A-B-C-D", "A-B C D", 1 / 3, 1 / 1),
    ("A-B-C", "A-C", 1 / 2, 1 / 1),
    ("A-B-C D-E-F-G", "A-B C-D F-G-H-I", 2 / 5, 2 / 5),
]


@pytest.mark.parametrize(("key", "response", "recall", "precision"), PAPER)
def test_by_hand(key: str, response: str, recall: float, precision: float) -> None:
    counts = muc(*([chain.split("-") for chain in side.split()] for side in (key, response)))
    assert (counts.correct / counts.gold, counts.correct / counts.system) == (recall, precision)


def test_the_counts_are_whole_numbers() -> None:
    counts = muc([[1, 2, 3]], [[1, 2]])
    assert counts == MucCounts(correct=1, gold=2, system=1)
    assert all(type(number) is int for number in counts)


@pytest.mark.parametrize(
    ("gold", "system", "counts"),
    [
        ([], [], (0, 0, 0)),
        ([[1]], [[2], []], (0, 0, 0)),
        ([[1, 2]], [], (0, 1, 0)),
        ([[1, 2]], [[1], [2]], (0, 1, 0)),
        ([], [[1, 2, 3]], (0, 0, 2)),
        ([{1, 2}], [frozenset((2, 1))], (1, 1, 1)),
        ([[(1, 2), "a"]], iter([[(1, 2), "a"]]), (1, 1, 1)),
    ],
)
def test_chains_without_links_and_collections_of_all_kinds(
    gold: Iterable[Collection[Hashable]], system: Iterable[Collection[Hashable]], counts: tuple[int, int, int]
) -> None:
    assert muc(gold, system) == counts


@pytest.mark.parametrize("twice", [[[1, 2], [2, 3]], [[1, 1]]])
def test_a_mention_twice_is_refused_on_either_side(twice: Chains) -> None:
    with pytest.raises(ValueError, match=r"1 of \d mentions are in a chain already"):
        muc(twice, [])
    with pytest.raises(ValueError, match="chains are disjoint"):
        muc([], twice)


@given(disjoint(), disjoint())
def test_it_is_what_the_paper_says_from_either_side(gold: Chains, system: Chains) -> None:
    counts = muc(gold, system)
    assert counts.correct == by_the_paper(gold, system) == by_the_paper(system, gold)
    assert counts.gold == sum(len(chain) - 1 for chain in gold)
    assert counts == muc(system, gold)._replace(gold=counts.gold, system=counts.system)


@given(disjoint(), disjoint(), st.randoms(use_true_random=False))
def test_order_and_names_change_nothing(gold: Chains, system: Chains, random: Random) -> None:
    expected = muc(gold, system)
    for chains in (gold, system):
        random.shuffle(chains)
        for chain in chains:
            random.shuffle(chain)
    assert muc(gold, system) == expected
    assert muc(*([[str(mention) for mention in chain] for chain in side] for side in (gold, system))) == expected


@given(disjoint(), disjoint(), disjoint(), disjoint())
def test_counts_of_documents_add_up(gold: Chains, system: Chains, more_gold: Chains, more_system: Chains) -> None:
    def marked(chains: Chains, document: int) -> list[list[tuple[int, int]]]:
        return [[(document, mention) for mention in chain] for chain in chains]

    whole = muc(marked(gold, 1) + marked(more_gold, 2), marked(system, 1) + marked(more_system, 2))
    assert whole == tuple(map(sum, zip(muc(gold, system), muc(more_gold, more_system), strict=True)))


@given(disjoint())
def test_perfect_chains_and_none(gold: Chains) -> None:
    links = sum(len(chain) - 1 for chain in gold)
    assert muc(gold, gold) == (links, links, links)
    assert muc(gold, [[mention] for chain in gold for mention in chain]) == (0, links, 0)


@given(disjoint(), disjoint())
def test_parts_of_a_chain(gold: Chains, system: Chains) -> None:
    owners = chain_of(system)
    for chain in gold:
        parts = partition(chain, owners)
        assert sorted(mention for part in parts for mention in part) == sorted(chain)
        assert all(len({owners.get(mention, -1 - mention) for mention in part}) == 1 for part in parts)
        assert [part[0] for part in parts] == sorted((part[0] for part in parts), key=chain.index)
    assert sum(len(chain) - len(partition(chain, owners)) for chain in gold) == muc(gold, system).correct


def heaviest_tree(weights: Sequence[float]) -> float:
    """The maximum over all spanning trees, by their Prüfer sequences: a mention stands in one as often as it has ends, less one."""
    size = len(weights)
    if size < 2:
        return 0
    sequences = itertools.product(range(size), repeat=size - 2)
    return max(sum((1 + found.count(place)) * weights[place] for place in range(size)) / 2 for found in sequences)


@given(st.lists(st.sampled_from((1 / 4, 1 / 3, 1 / 2, 2 / 3, 1.0)), max_size=5))
def test_the_star_of_the_heaviest_is_a_maximum_spanning_tree(weights: list[float]) -> None:
    assert heaviest_links(weights) == pytest.approx(heaviest_tree(weights), abs=1e-12)
    assert heaviest_links(reversed(weights)) == heaviest_links(weights)


@pytest.mark.parametrize("size", [0, 1, 2, 7])
def test_with_weights_of_1_links_are_counted(size: int) -> None:
    assert heaviest_links([1.0] * size) == max(size - 1, 0)


@dataclass(frozen=True)
class Named:
    """A mention that every look at it is a call of."""

    number: int


def test_twice_the_mentions_are_twice_the_work() -> None:
    def work(size: int) -> int:
        gold, system = ([list(map(Named, range(part, size, step))) for part in range(step)] for step in (7, 11))
        return calls_of(lambda: muc(gold, system))

    assert work(1000) > 1000
    assert work(2000) < 2.5 * work(1000)
