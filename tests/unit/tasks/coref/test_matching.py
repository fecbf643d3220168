"""Which mentions are the same, by the three steps of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.muc import correct_links
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref import TASK
from pytest_nlpeval.tasks.coref.document import Side
from pytest_nlpeval.tasks.coref.gathering import Gathering
from pytest_nlpeval.tasks.coref.matching import NOBODY, greatest_overlaps, match
from pytest_nlpeval.tasks.coref.mentions import STEP, Mention, Mentions, Zero, order_of, places_of
from pytest_nlpeval.tasks.coref.options import Match, Options
from pytest_nlpeval.tasks.coref.pairing import Pairing, Sides, numbers_of_zeros, pair

Words = tuple[int, int, int]
"""First word, last word, head."""

HOWS: tuple[Match, Match, Match] = ("exact", "partial", "head")


def mentions(*words: Words) -> list[Mention]:
    return [Mention(range(first * STEP, last * STEP + 1, STEP), head * STEP, 1) for first, last, head in words]


def columns(*documents: Sequence[Sequence[Mention]]) -> Mentions:
    """Return the entities of documents as a file's mentions."""
    gathering = Gathering(Options(profile="corefud-1.2"), ProblemLog("gold", TASK.problems))
    for entities in documents:
        for rank, entity in enumerate(entities):
            for mention in entity:
                gathering.add_mention(rank, mention)
        gathering.end_document()
    return gathering.in_order()


def matched(gold: Sequence[Mention], system: Sequence[Mention], how: Match) -> dict[int, int]:
    """Return the pairs of mentions of one document by their ranks in the lists, which may be in any order."""
    ranks = [np.array([side.index(mention) for mention in columns([side]).each()], np.int64) for side in (gold, system)]
    partners = match(columns([gold]), columns([system]), how).tolist()
    return {int(ranks[0][own]): int(ranks[1][other]) for own, other in enumerate(partners) if other != NOBODY}


def paired(gold: Sequence[Sequence[Mention]], system: Sequence[Sequence[Mention]], options: Options) -> tuple[Sides, Pairing]:
    """Return the mentions of one document and how its entities meet."""
    sides = columns(gold), columns(system)
    return sides, pair(sides, 1, options)


def each_document(mentions: Mentions, number: int) -> list[Mentions]:
    return [mentions.picked(slice(start, end)) for start, end in pairwise(mentions.bounds(number).tolist())]


@pytest.mark.parametrize(
    ("gold", "system", "exact", "partial", "head"),
    [
        ([(1, 3, 2)], [(1, 3, 2)], {0: 0}, {0: 0}, {0: 0}),
        ([(1, 3, 2)], [(1, 3, 3)], {0: 0}, {0: 0}, {}),  # the same places with another head
        ([(1, 3, 2)], [(2, 2, 2)], {}, {0: 0}, {0: 0}),
        ([(1, 3, 2)], [(3, 3, 3)], {}, {}, {}),  # in the gold mention, without its head
        ([(1, 3, 2)], [(2, 4, 2)], {}, {}, {0: 0}),  # beyond the gold mention
        ([(1, 3, 2)], [(2, 2, 2), (2, 3, 2)], {}, {0: 1}, {0: 1}),  # of two the one that shares more
        ([(1, 2, 1)], [(1, 2, 1), (1, 4, 1)], {0: 0}, {0: 0}, {0: 0}),  # equal mentions have their partners already
        ([(1, 2, 1), (1, 3, 1)], [(1, 2, 1)], {0: 0}, {0: 0}, {0: 0}),
        ([(1, 4, 1), (1, 5, 1)], [(1, 2, 1)], {}, {0: 0}, {0: 0}),  # 2/4 is more than 2/5
        ([(1, 5, 1), (1, 4, 1)], [(1, 2, 1)], {}, {1: 0}, {1: 0}),
        ([(1, 4, 1), (5, 8, 5)], [(1, 2, 1), (1, 3, 1), (5, 6, 5)], {}, {0: 1, 1: 2}, {0: 1, 1: 2}),
    ],
)
def test_mentions_of_words(
    gold: Sequence[Words], system: Sequence[Words], exact: Mapping[int, int], partial: Mapping[int, int], head: Mapping[int, int]
) -> None:
    for how, expected in zip(HOWS, (exact, partial, head), strict=True):
        assert matched(mentions(*gold), mentions(*system), how) == expected, how


def zero(place: int, sentence: int, *dependencies: tuple[str, str]) -> Mention:
    at = place * STEP + 1
    return Mention((at,), at, 1, Zero(sentence, frozenset(dependencies)))


WORD = mentions((1, 1, 1))[0]
SUBJECT = ("2", "nsubj")
OBJECT = ("2", "obj")
OTHER = ("5", "conj")


@pytest.mark.parametrize(
    ("gold", "system", "pairs"),
    [
        ([zero(1, 0, SUBJECT)], [zero(3, 0, SUBJECT)], {0: 0}),  # wherever they stand in the sentence
        ([zero(1, 0, SUBJECT)], [zero(9, 1, SUBJECT)], {}),
        ([zero(1, 0, SUBJECT)], [], {}),
        ([zero(1, 0, SUBJECT)], [zero(3, 0, OBJECT)], {0: 0}),  # the parents agree: 0 + 1
        ([zero(1, 0, SUBJECT)], [zero(3, 0, OTHER)], {}),
        ([zero(1, 0, SUBJECT)], [zero(3, 0)], {}),
        ([zero(1, 0)], [zero(3, 0)], {}),
        ([zero(1, 0)], [zero(1, 0)], {0: 0}),  # of the same place
        ([WORD, zero(1, 0, SUBJECT)], [zero(3, 0, SUBJECT)], {1: 0}),
        ([zero(1, 0, SUBJECT)], [WORD, zero(3, 0, SUBJECT)], {0: 1}),
        (
            [zero(1, 0, SUBJECT)],
            [zero(1, 0, OBJECT), zero(3, 0, SUBJECT)],
            {0: 1},
        ),  # 10 + 1 is more than 1, at the same place, too
        ([zero(1, 0, SUBJECT), zero(3, 0)], [zero(3, 0, SUBJECT)], {0: 0}),  # the place is that of a zero that has its partner
        # 10 * 2/3 + 2/3 is more than 10 * 1/2 + 1
        ([zero(1, 0, SUBJECT, OTHER)], [zero(2, 0, SUBJECT, ("5", "obj")), zero(3, 0, SUBJECT)], {0: 1}),
    ],
)
@pytest.mark.parametrize("how", HOWS)
def test_zeros_by_their_dependencies(
    gold: Sequence[Mention], system: Sequence[Mention], pairs: Mapping[int, int], how: Match
) -> None:
    assert matched(gold, system, how) == pairs


def overlap(gold: Sequence[Mention], system: Sequence[Mention]) -> list[int]:
    """Return the overlap of mentions each of which is an entity."""
    overlaps = greatest_overlaps(columns([[mention] for mention in gold]), columns([[mention] for mention in system]), 1)
    return [int(overlap) for overlap in overlaps]


def test_the_overlap_pairs_mentions_of_the_same_places_first() -> None:
    gold, system = mentions((1, 4, 1), (1, 4, 1), (6, 9, 6)), mentions((1, 4, 1), (3, 6, 3), (8, 9, 8))
    assert overlap(gold, system) == [4 + 2 + 2]
    assert overlap(gold[:1] * 2, system[:1] * 2) == [2 * 4]


def test_the_overlap_is_the_same_whatever_the_heads_are() -> None:
    gold, system = mentions((1, 4, 1), (1, 4, 2), (6, 9, 6)), mentions((1, 4, 1), (1, 5, 3), (6, 9, 8))
    assert overlap(gold, system) == [4 + 4 + 4]


def test_mentions_of_different_documents_are_no_pairs() -> None:
    """Neither if they have the same places, nor the same heads, nor overlap."""
    gold = columns([mentions((1, 1, 1))], [mentions((1, 3, 2))], [], [mentions((2, 2, 2)), mentions((4, 9, 4))])
    system = columns([mentions((1, 3, 2))], [mentions((1, 1, 1))], [mentions((2, 2, 2))], [mentions((4, 8, 4))])
    for how in HOWS:
        assert match(gold, system, how).tolist() == [NOBODY] * 3 + [NOBODY if how == "exact" else 3], how
    assert greatest_overlaps(gold, system, 4).tolist() == [1, 1, 0, 5]


def test_mentions_of_a_side_are_in_order_of_their_places() -> None:
    """Those of equal ends and size are in the order of their places, whatever their heads are."""

    def gapped(head: int, *words: int) -> Mention:
        return Mention(tuple(word * STEP for word in words), head * STEP, 1)

    first, second = gapped(4, 1, 2, 4), gapped(1, 1, 3, 4)
    word, early = mentions((9, 9, 9), (1, 1, 1))
    side = Side.of(columns([[word, second], [first], [early]]))
    assert side.mentions == [early, first, second, word]
    assert side.owners == [0, 1, 2, 2]
    assert side.entities == [[early], [first], [second, word]]
    assert columns([[first], [word, second], [early]]).settled("keep").each() == side.mentions
    assert columns([[first], [word, second], [early]]).settled("remove").each() == [second, word]


PLACES = st.lists(st.tuples(st.integers(0, 4), st.sampled_from([0, 0, 1])), min_size=1, max_size=4, unique=True)


@given(st.lists(st.tuples(PLACES, st.integers(0, 2), st.integers(0, 2)), max_size=9, unique_by=str))
def test_columns_have_the_order_of_mentions(drawn: list[tuple[list[tuple[int, int]], int, int]]) -> None:
    documents: list[list[list[Mention]]] = [[], [], []]
    for nodes, head, document in drawn:
        places = places_of(sorted(word * STEP + empty for word, empty in nodes))
        documents[document].append([Mention(places, head, 1)])
    expected = [sorted((mention for (mention,) in entities), key=partial(order_of, has_gaps=True)) for entities in documents]
    found = columns(*documents)
    assert [mentions.each() for mentions in each_document(found, 3)] == expected
    assert found.lengths().tolist() == [len(mention.places) for mention in found.each()]
    assert [sides.owners.tolist() for sides in each_document(found, 3)] == [list(range(len(own))) for own in expected]


@pytest.mark.parametrize(
    ("gold", "system", "numbers"),
    [
        (["1 2z 7z", "5z 6"], ["1 2z 7z", "5z 6"], {"tp": 2}),  # the first mention of an entity refers to nothing
        (["1 2z 7z", "5z 6"], [], {"fn": 2}),
        (["1 2z 7z", "5z 6"], ["1 2z", "5z 6 7z"], {"tp": 1, "wl": 1}),
        (["1 2z 7z", "5z 6"], ["1 7z", "2z 6"], {"tp": 1, "fn": 1}),  # 2z refers to nothing
        (["1 2z 7z"], ["1 2z", "3 7z"], {"tp": 1, "wl": 1}),
        (["1 2z 7z"], ["2z 7z"], {"tp": 1, "fn": 1}),
        (["1 6 7z"], ["1 6", "2 7z"], {"wl": 1}),
        (["1 6"], ["1 6 7z 8z"], {"fp": 2}),
        (["1 6", "5z 7"], ["1 5z", "6 7"], {"fp": 1}),  # in gold 5z refers to nothing
        (["1 6", "5z 7z"], ["1 5z 7z"], {"tp": 1, "fp": 1}),
        (["1 6"], ["5z 6"], {}),
    ],
)
def test_zeros_are_right_wrongly_linked_missed_or_spurious(
    gold: Sequence[str], system: Sequence[str], numbers: Mapping[str, int]
) -> None:
    """A zero is linked right if an earlier mention of its gold entity is of its system entity, too."""

    def side(entities: Sequence[str]) -> list[list[Mention]]:
        return [
            [
                zero(int(word[:-1]), 0, (word, "dep")) if word.endswith("z") else mentions((int(word),) * 3)[0]
                for word in words.split()
            ]
            for words in entities
        ]

    sides, pairing = paired(side(gold), side(system), Options(singletons="keep"))
    found = numbers_of_zeros(sides, pairing.partners, 1)
    assert {name: int(number) for name, (number,) in found.items()} == {"tp": 0, "wl": 0, "fn": 0, "fp": 0} | dict(numbers)


@pytest.mark.parametrize(
    ("gold", "system", "links"),
    [
        ([[1, 2, 3], [5, 6]], [[1, 2, 7], [3, 5, 6]], 1 + 1),
        ([[1, 2, 3]], [[1, 2, 3]], 2),
        ([[3, 7]], [[1, 7, 8]], 0),  # a mention that has no partner is nobody's
        ([[1, 2], [3, 4]], [[1, 3], [2, 4]], 0),
    ],
)
def test_links_of_both_sides(gold: Sequence[Sequence[int]], system: Sequence[Sequence[int]], links: int) -> None:
    options = Options(singletons="keep")
    one, other = ([mentions(*((word,) * 3 for word in entity)) for entity in side] for side in (gold, system))
    _, found = paired(one, other, options)
    for shared in (found.gold, found.system):
        assert correct_links(sum(shared.counts), len(shared.counts)) == links
    assert found.numbers == len({word for entity in gold for word in entity} & {word for entity in system for word in entity})


def test_the_option_says_how_mentions_are_matched() -> None:
    gold, system = mentions((1, 3, 2)), mentions((2, 4, 2))
    numbers = {}
    for how in (None, *HOWS):
        options = Options(singletons="keep", match=how)
        numbers[how] = int(paired([gold], [system], options)[1].numbers[0])
    assert numbers == {None: 0, "exact": 0, "partial": 0, "head": 1}
