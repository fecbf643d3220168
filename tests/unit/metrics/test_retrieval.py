"""Measures of blocks too large for all orders to be tried, from the probabilities of their places."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, log2
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics import retrieval
from pytest_nlpeval.metrics.retrieval import Blocks, Rankings, Topics


class Block(NamedTuple):
    """Level documents: how many unjudged ones stand between them and the block before, and how many of each kind there are.

    Each relevant one has the same `gain`, the others have none.
    """

    gap: int
    relevant: int
    other: int
    unjudged: int
    gain: float

    @property
    def size(self) -> int:
        return self.relevant + self.other + self.unjudged


class Topic(NamedTuple):
    """The blocks of a topic; how many relevant documents of gain 1 and how many others no block has, and how many more results follow."""

    blocks: list[Block]
    relevant: int
    other: int
    unjudged: int

    @property
    def all_relevant(self) -> int:
        return sum(block.relevant for block in self.blocks) + self.relevant

    @property
    def all_others(self) -> int:
        return sum(block.other for block in self.blocks) + self.other

    @property
    def gains(self) -> list[float]:
        found = [block.gain for block in self.blocks for _ in range(block.relevant)] + [1.0] * self.relevant
        return sorted((gain for gain in found if gain), reverse=True)

    @property
    def results(self) -> int:
        return sum(block.gap + block.size for block in self.blocks) + self.unjudged

    def before(self) -> Iterator[tuple[Block, int, int, int]]:
        """Yield each block, with how many documents, relevant ones and others stand before it."""
        documents = relevant = other = 0
        for block in self.blocks:
            yield block, documents + block.gap, relevant, other
            documents, relevant, other = documents + block.gap + block.size, relevant + block.relevant, other + block.other


NUMBERS = st.integers(0, 3) | st.integers(0, 12) | st.integers(0, 40)
GAPS, GAINS = st.integers(0, 3), st.sampled_from([0.0, 1.0, 2.5])
LEVEL = st.builds(Block, GAPS, NUMBERS, NUMBERS, NUMBERS, GAINS).filter(lambda block: block.relevant + block.other > 0)
ALONE = st.builds(Block, GAPS, st.just(1), st.just(0), st.just(0), GAINS) | st.builds(
    Block, GAPS, st.just(0), st.just(1), st.just(0), GAINS
)
TOPIC = st.builds(Topic, st.lists(LEVEL | ALONE, max_size=4), NUMBERS, NUMBERS, NUMBERS)


def rankings(topics: list[Topic]) -> Rankings:
    """Return the blocks of topics as arrays."""
    rows = [
        (number, before, block.size, block.relevant, block.other, block.relevant + block.other)
        for number, topic in enumerate(topics)
        for block, before, _, _ in topic.before()
    ]
    numbers = np.array(rows, np.int64).reshape(-1, 6).T
    gain = np.array([block.gain * block.relevant for topic in topics for block in topic.blocks])
    totals = np.array([(topic.all_relevant, topic.all_others, topic.results) for topic in topics], np.int64).reshape(-1, 3).T
    gains = [(number, each) for number, topic in enumerate(topics) for each in topic.gains]
    gain_topics = np.array([number for number, _ in gains], np.int64)
    of_gold = Topics(totals[0], totals[1], totals[2], np.array([each for _, each in gains]), gain_topics)
    return Rankings.of(of_gold, Blocks(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], gain))


def within(block: Block, before: int, cut: int | None) -> int:
    """Return how many places of a block are among the first."""
    return block.size if cut is None else sum(place <= cut for place in range(before + 1, before + block.size + 1))


def success(topic: Topic, cut: int | None) -> Fraction:
    """1 - the probability that none of the relevant documents of any block is at one of its first t places."""
    failure = Fraction(1)
    for block, before, _, _ in topic.before():
        places = within(block, before, cut)
        failure *= Fraction(comb(block.size - block.relevant, places), comb(block.size, places))
    return 1 - failure


def reciprocal_rank(topic: Topic, cut: int | None) -> Fraction:
    """Of the first block with relevant documents, the sum over its places of the probability that the first of them is there."""
    for block, before, _, _ in topic.before():
        m, r = block.size, block.relevant
        if r:
            return sum(
                (
                    Fraction(comb(m - place, r - 1), comb(m, r) * (before + place))
                    for place in range(1, within(block, before, cut) + 1)
                ),
                Fraction(0),
            )
    return Fraction(0)


def average_precision(topic: Topic, cut: int | None) -> Fraction:
    """The sum over places of the probability that a relevant document is there, times how many are then expected up to there."""
    total = Fraction(0)
    for block, before, found, _ in topic.before():
        for place in range(1, within(block, before, cut) + 1):
            others = Fraction((place - 1) * (block.relevant - 1), block.size - 1) if place > 1 else 0
            total += Fraction(block.relevant, block.size) * (found + 1 + others) / (before + place)
    return total / topic.all_relevant if topic.all_relevant else total


def bpref(topic: Topic) -> Fraction:
    """Of each relevant result, the mean over how many of the others in its block stand before it: all numbers are equally likely."""
    total = Fraction(0)
    for block, _, _, others in topic.before():
        above = [Fraction(min(others + number, topic.all_relevant)) for number in range(block.other + 1)]
        least = min(topic.all_relevant, topic.all_others)
        total += block.relevant * (1 - (sum(above, Fraction(0)) / len(above) / least if least else 0))
    return total / topic.all_relevant if topic.all_relevant else total


def ndcg(topic: Topic, cut: int | None) -> float:
    """The sum over places of the mean gain of their block, discounted; divided by that of the gains of gold in falling order."""
    found = sum(
        block.gain * block.relevant / block.size / log2(before + place + 1)
        for block, before, _, _ in topic.before()
        for place in range(1, within(block, before, cut) + 1)
    )
    best = sum(gain / log2(place + 1) for place, gain in enumerate(topic.gains[:cut], 1))
    return found / best if best else 0.0


def expected_number(topic: Topic, cut: int | None, kinds: tuple[str, ...]) -> Fraction:
    """The sum over blocks of the share of their places among the first, times how many documents of these kinds they have."""
    return sum(
        (
            Fraction(within(block, before, cut) * sum(getattr(block, kind) for kind in kinds), block.size)
            for block, before, _, _ in topic.before()
        ),
        Fraction(0),
    )


def share(part: Fraction, whole: int) -> Fraction:
    """0 of nothing."""
    return part / whole if whole else Fraction(0)


OF_ALL_LENGTHS = [
    Topic([Block(0, relevant, other, 0, 1.0)], 1, 1, 1)
    for number in range(1, 10)
    for relevant, other in ((number, 20), (1, number), (number, 0))
]

KINDS = [Block(gap, *numbers, 1.0) for gap, numbers in enumerate([(1, 0, 0), (0, 1, 0), (0, 9, 0), (3, 1, 2), (4, 0, 4)])]
IN_ALL_ORDERS = [Topic([], 1, 2, 1), *(Topic([*blocks], 1, 2, 1) for blocks in product(KINDS, repeat=3))]


@settings(deadline=None)
@example(OF_ALL_LENGTHS, 12, 1 << 20)  # three and four steps have one table, five to eight have one
@example(IN_ALL_ORDERS, 8, 1 << 20)
@given(st.lists(TOPIC, max_size=12), st.integers(1, 8) | st.integers(1, 200), st.sampled_from([1, 5, 1 << 20]))
def test_measures_are_their_definitions(topics: list[Topic], cut: int, cells: int) -> None:
    """However many cells a table may have."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retrieval, "_CELLS", cells)
        ranked = rankings(topics)
        found = {
            "P": ranked.precision(cut),
            "R": ranked.recall(cut),
            "R of all": ranked.recall(None),
            "Rprec": ranked.recall(ranked.topics.relevant),
            "Judged": ranked.judged_share(cut),
            "Success": ranked.success(cut),
            "RR": ranked.reciprocal_rank(),
            "RR@k": ranked.reciprocal_rank(cut),
            "AP": ranked.average_precision(),
            "AP@k": ranked.average_precision(cut),
            "nDCG": ranked.ndcg(),
            "nDCG@k": ranked.ndcg(cut),
            "Bpref": ranked.bpref(),
            "SetP": ranked.set_precision(),
            "SetF": ranked.set_f(),
        }
    for number, topic in enumerate(topics):
        all_found, relevant = expected_number(topic, None, ("relevant",)), topic.all_relevant
        expected: dict[str, Fraction | float] = {
            "P": expected_number(topic, cut, ("relevant",)) / cut,
            "R": share(expected_number(topic, cut, ("relevant",)), relevant),
            "R of all": share(all_found, relevant),
            "Rprec": share(expected_number(topic, relevant, ("relevant",)), relevant),
            "Judged": share(expected_number(topic, cut, ("relevant", "other")), min(cut, topic.results)),
            "Success": success(topic, cut),
            "RR": reciprocal_rank(topic, None),
            "RR@k": reciprocal_rank(topic, cut),
            "AP": average_precision(topic, None),
            "AP@k": average_precision(topic, cut),
            "nDCG": ndcg(topic, None),
            "nDCG@k": ndcg(topic, cut),
            "Bpref": bpref(topic),
            "SetP": share(all_found, topic.results),
            "SetF": share(2 * all_found, topic.results + relevant),
        }
        assert {name: values[number] for name, values in found.items()} == pytest.approx(
            {name: float(value) for name, value in expected.items()}, abs=1e-12
        )


def test_a_perfect_list_of_level_documents_has_exactly_1() -> None:
    (value,) = rankings([Topic([Block(0, 3, 0, 0, 0.1)], 0, 0, 0)]).ndcg()  # the sum of their gains is rounded up
    assert value == 1


@example([0, 1, 0, 3, 1, 2], 16)
@given(st.lists(st.integers(0, 5) | st.integers(0, 40), max_size=30), st.sampled_from([1, 16, 100]))
def test_tables_have_all_steps_and_are_half_full(lengths: list[int], cells: int) -> None:
    """In each row, and no table has more cells than it may, unless one row alone has."""
    steps: dict[int, int] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retrieval, "_CELLS", cells)
        for rows, step, is_inside in retrieval._steps(np.array(lengths, np.int64)):
            assert step.tolist() == list(range(is_inside.shape[1]))
            assert is_inside.tolist() == [[number < lengths[row] for number in step] for row in rows]
            assert all(is_inside.sum(axis=1) * 2 >= len(step))
            assert len(rows) == 1 or is_inside.size <= cells
            assert steps.keys().isdisjoint(rows.tolist())
            steps |= {row: lengths[row] for row in rows.tolist()}
    assert steps == {row: length for row, length in enumerate(lengths) if length}
