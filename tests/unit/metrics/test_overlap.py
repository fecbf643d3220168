from __future__ import annotations

from itertools import permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.metrics.overlap import Extent, Part, overlaps, pair_extents, pair_spans

PLACES = st.integers(0, 12)


@st.composite
def parts(draw: st.DrawFn) -> Part:
    start = draw(PLACES)
    return start, start + draw(st.integers(1, 5))


@st.composite
def extents(draw: st.DrawFn) -> Extent:
    cuts = sorted(draw(st.sets(PLACES, min_size=2, max_size=6)))
    return tuple(zip(cuts[::2], cuts[1::2], strict=False))


def greatest(gold: list[Extent], system: list[Extent]) -> int:
    """The greatest number of pairs, by trying all ways to order the longer side."""
    few, many = sorted((gold, system), key=len)
    return max(sum(overlaps(*pair) for pair in zip(few, order, strict=False)) for order in permutations(many))


def is_matching(pairs: list[tuple[int, int]], gold: list[Extent], system: list[Extent]) -> bool:
    each_once = all(len(set(side)) == len(pairs) for side in zip(*pairs, strict=True))
    return each_once and pairs == sorted(pairs) and all(overlaps(gold[one], system[other]) for one, other in pairs)


def test_touching_is_no_overlap() -> None:
    assert pair_spans([(0, 5)], [(5, 9)]) == []
    assert pair_extents([((0, 5), (9, 10))], [((5, 9),)]) == []


def test_what_ends_first_goes_first() -> None:
    # Paired in the order of the lists, the long span would take what the short one needs.
    assert pair_spans([(0, 10), (0, 2)], [(1, 2), (5, 6)]) == [(0, 1), (1, 0)]


def test_a_path_of_exchanges_makes_room() -> None:
    gold: list[Extent] = [((0, 1), (8, 9)), ((2, 3),), ((5, 6),)]
    system: list[Extent] = [((2, 3), (8, 9)), ((0, 1), (5, 6)), ((5, 6),)]
    assert len(pair_extents(gold, system)) == greatest(gold, system) == 3


@settings(max_examples=300)
@given(st.lists(parts(), max_size=5), st.lists(parts(), max_size=5))
def test_the_matching_of_spans_is_greatest(gold: list[Part], system: list[Part]) -> None:
    ours: list[Extent] = [(part,) for part in gold]
    theirs: list[Extent] = [(part,) for part in system]
    pairs = pair_spans(gold, system)
    assert is_matching(pairs, ours, theirs)
    assert len(pairs) == greatest(ours, theirs) == len(pair_extents(ours, theirs))


@settings(max_examples=300)
@given(st.lists(extents(), max_size=5), st.lists(extents(), max_size=5))
def test_the_matching_of_extents_is_greatest(gold: list[Extent], system: list[Extent]) -> None:
    pairs = pair_extents(gold, system)
    assert is_matching(pairs, gold, system)
    assert len(pairs) == greatest(gold, system)


@given(st.lists(parts(), max_size=6, unique=True), st.lists(parts(), max_size=6, unique=True))
def test_the_order_of_spans_does_not_matter(gold: list[Part], system: list[Part]) -> None:
    def found(ours: list[Part], theirs: list[Part]) -> set[tuple[Part, Part]]:
        return {(ours[one], theirs[other]) for one, other in pair_spans(ours, theirs)}

    shuffled = [sorted(side, key=lambda part: (part[1] % 3, part)) for side in (gold, system)]
    assert found(gold, system) == found(*shuffled)
    assert len(pair_spans(system, gold)) == len(pair_spans(gold, system))


@given(
    st.lists(extents(), max_size=6, unique=True), st.lists(extents(), max_size=6, unique=True), st.randoms(use_true_random=False)
)
def test_the_order_of_extents_does_not_matter(gold: list[Extent], system: list[Extent], chance: Random) -> None:
    def found(ours: list[Extent], theirs: list[Extent]) -> set[tuple[Extent, Extent]]:
        return {(ours[one], theirs[other]) for one, other in pair_extents(ours, theirs)}

    assert found(gold, system) == found(chance.sample(gold, len(gold)), chance.sample(system, len(system)))


def test_thousands_that_all_overlap() -> None:
    ours = [(rank, 5_000 + rank) for rank in range(2_000)]
    theirs = [(4_000 - rank, 9_000 - rank) for rank in range(1_500)]
    assert len(pair_spans(ours, theirs)) == 1_500
    assert len(pair_spans(ours, [(0, 1)])) == 1
