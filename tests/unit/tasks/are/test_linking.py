from __future__ import annotations

import itertools
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.alignment import Span, align
from pytest_nlpeval.tasks.are.chains import Chain
from pytest_nlpeval.tasks.are.linking import link_ids, link_spans
from tests.unit.tasks.are.files import MENTIONS, PLACES, counted, disjoint_ids, disjoint_spans, id_chains, row, span_chains, words

Edge = tuple[Fraction, Span, Span]


def forest(edges: list[Edge]) -> Fraction:
    """The weight of a maximum spanning forest, by Kruskal's algorithm."""
    group: dict[Span, Span] = {}
    total = Fraction(0)
    for weight, one, other in sorted(edges, reverse=True):
        first, second = group.get(one, one), group.get(other, other)
        if first == second:
            continue
        total += weight
        for span in {one, other, first, second, *group}:
            if group.get(span, span) == first:
                group[span] = second
    return total


def by_the_rule(chains: list[list[Span]], others: list[list[Span]], partners: dict[Span, tuple[Span, Fraction]]) -> Fraction:
    """Σ correct(C): edges between mentions whose partners are in one chain, their weights, a maximum spanning forest."""
    edges: list[Edge] = []
    for chain in chains:
        for one, other in itertools.combinations([span for span in chain if span in partners], 2):
            (first, share), (second, other_share) = partners[one], partners[other]
            if any(first in found and second in found for found in others):
                edges.append(((share + other_share) / 2, one, other))
    return forest(edges)


@given(disjoint_spans(), disjoint_spans())
def test_subtask_4_is_its_rule_from_either_side(gold: list[list[Span]], system: list[list[Span]]) -> None:
    found = row(counted(4, span_chains(gold), span_chains(system), words(PLACES)).evidence)
    gold, system = ([chain for chain in chains if len(chain) > 1] for chains in (gold, system))
    ours, theirs = ([span for chain in chains for span in chain] for chains in (gold, system))
    aligned = align(ours, theirs)
    shares = {one: (other, Fraction(share).limit_denominator(PLACES)) for one, other, share in aligned}
    back = {other: (one, share) for one, (other, share) in shares.items()}
    expected = by_the_rule(gold, system, shares)
    assert by_the_rule(system, gold, back) == expected
    assert found == {
        "correct": pytest.approx(float(expected), abs=1e-12),
        "gold": sum(len(chain) - 1 for chain in gold),
        "system": sum(len(chain) - 1 for chain in system),
    }


WHOLE = st.permutations(MENTIONS).flatmap(
    lambda names: st.sampled_from(((2, 4, 6), (4,), (3, 5), (2,), ())).map(
        lambda cuts: [list(names[low:high]) for low, high in itertools.pairwise((0, *cuts, len(names)))]
    )
)
"""All mentions in chains of two or more."""


@given(WHOLE, WHOLE)
def test_with_exact_mentions_subtask_4_is_subtask_2(gold: list[list[str]], system: list[list[str]]) -> None:
    """The mentions overlap each other, but each has its equal."""

    def spans(chains: list[list[str]]) -> list[list[Span]]:
        return [[(MENTIONS.index(name), MENTIONS.index(name) + 3) for name in chain] for chain in chains]

    by_id = row(counted(2, id_chains(gold), id_chains(system)).evidence)
    assert row(counted(4, span_chains(spans(gold)), span_chains(spans(system)), words(len(MENTIONS) + 2)).evidence) == by_id


@given(disjoint_ids(), disjoint_ids())
def test_with_mentions_that_are_equal_or_apart_subtask_4_is_subtask_2(gold: list[list[str]], system: list[list[str]]) -> None:
    """Here either side may lack mentions: those left over overlap nothing."""

    def apart(chains: list[list[str]]) -> list[list[Span]]:
        return [[(MENTIONS.index(name), MENTIONS.index(name) + 1) for name in chain] for chain in chains]

    by_id = row(counted(2, id_chains(gold), id_chains(system)).evidence)
    assert row(counted(4, span_chains(apart(gold)), span_chains(apart(system)), words(PLACES)).evidence) == by_id
    chains = [[Chain(str(rank), None, tuple(chain)) for rank, chain in enumerate(side)] for side in (gold, system)]
    assert link_ids(*chains).correct == by_id["correct"]


@given(disjoint_spans(), disjoint_spans(), st.randoms(use_true_random=False))
def test_the_order_of_chains_and_mentions_changes_nothing(
    gold: list[list[Span]], system: list[list[Span]], random: Random
) -> None:
    before = counted(4, span_chains(gold), span_chains(system), words(PLACES)).evidence
    for chains in (gold, system):
        random.shuffle(chains)
        for entries in chains:
            random.shuffle(entries)
    assert counted(4, span_chains(gold), span_chains(system), words(PLACES)).evidence == before


def test_parts_and_weights_of_chains() -> None:
    gold = [Chain("g", 1, ((0, 4), (6, 7), (8, 10)))]
    system = [Chain("s", 2, ((0, 2), (6, 7))), Chain("t", 3, ((8, 9), (4, 5)))]
    linking = link_spans(gold, system)
    (comparison,) = linking.gold
    assert comparison.links == 2
    assert comparison.parts == [[(0, 4), (6, 7)], [(8, 10)]]
    assert comparison.weights == [(1 + 2 / 4) / 2]
    assert [found.parts for found in linking.system] == [[[(0, 2), (6, 7)]], [[(8, 9)], [(4, 5)]]]
    assert linking.partners_of_gold[8, 10] == ((8, 9), 1 / 2)
    assert linking.partners_of_system[0, 2] == ((0, 4), 2 / 4)
    assert linking.correct == 3 / 4
