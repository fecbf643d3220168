"""N-grams in common, against counting them one by one."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics.ngrams import Tokens, blocks, matches, totals

SEGMENTS = st.lists(st.lists(st.text("abc", max_size=9), min_size=2, max_size=4), min_size=1, max_size=5)
WIDE = st.lists(st.lists(st.text(max_size=9), min_size=2, max_size=3), min_size=1, max_size=5)


def by_counting(segment: list[str], order: int) -> list[int]:
    found = []
    for size in range(1, order + 1):
        own, *others = (Counter(text[place : place + size] for place in range(len(text) - size + 1)) for text in segment)
        found.append(sum(min(number, max(other[gram] for other in others)) for gram, number in own.items()))
    return found


@given(SEGMENTS | WIDE, st.sampled_from([2, 4, 6]))
@settings(deadline=None)
def test_matches_are_clipped_by_the_reference_that_has_most(segments: list[list[str]], order: int) -> None:
    texts = [text for segment in segments for text in segment]
    places = np.repeat(np.arange(len(segments)), [len(segment) for segment in segments])
    ranks = np.concatenate([np.arange(len(segment)) for segment in segments])
    found = matches(Tokens.of_characters(texts), places, ranks, order)
    assert found.tolist() == [by_counting(segment, order) for segment in segments]


@given(SEGMENTS, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_texts_does_not_matter(segments: list[list[str]], chance: np.random.RandomState) -> None:
    texts = [(text, place, rank) for place, segment in enumerate(segments) for rank, text in enumerate(segment)]
    chance.shuffle(texts)
    words, places, ranks = zip(*texts, strict=True)
    found = matches(Tokens.of_words([list(text) for text in words]), np.array(places), np.array(ranks), 4)
    assert found.tolist() == [by_counting(segment, 4) for segment in segments]


@pytest.mark.parametrize("order", [4, 6])
def test_many_different_tokens_are_ranked(order: int) -> None:
    """Of 3,000 tokens a number takes 12 bits, and half a window of six 36: two of them do not fit into the sorting key."""
    text = "".join(map(chr, range(200, 3_200)))
    segments = [[text, text[:1_700] + text[::2] + text[1_700:]], [text[::-1], text[:9] + text[2_000:1_000:-1]]]
    texts = [text for segment in segments for text in segment]
    found = matches(Tokens.of_words(texts), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), order)
    assert found.tolist() == [by_counting(segment, order) for segment in segments]


@given(st.lists(st.integers(0, 9)), st.integers(0, 12))
@settings(deadline=None)
def test_blocks_hold_everything_once(sizes: list[int], most: int) -> None:
    found = list(blocks(sizes, most))
    assert [place for block in found for place in range(len(sizes))[block]] == list(range(len(sizes)))
    assert all(block.stop - block.start == 1 or sum(sizes[block]) <= most for block in found)
    assert all(sum(sizes[one]) + sizes[other.start] > most for one, other in pairwise(found)), "none could hold one more"
    assert all(block.start < block.stop for block in found)


def test_no_segments_have_no_matches() -> None:
    none = np.zeros(0, np.int64)
    assert matches(Tokens.of_characters([]), none, none, 4).shape == (0, 4)


def test_totals() -> None:
    assert totals(np.array([0, 1, 5]), 4).tolist() == [[0, 0, 0, 0], [1, 0, 0, 0], [5, 4, 3, 2]]
