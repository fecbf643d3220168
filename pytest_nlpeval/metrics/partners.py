"""Which items of two golds ask the same, so that an answer to the earlier one is an answer to today's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pytest_nlpeval.libraries import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

NO_PARTNER = -1

DIGEST = 11
"""How many characters the digest of a question or an answer has: 64 bits in base 64."""


class Items(NamedTuple):
    """The items of a document: for each its unit's name, what it asks, and the right answer.

    A question is all that the system is shown of the item, and not the answer; "" where nothing is known of it. With `by_place`, names
    only say where an item stands, and say nothing of which it is. With `by_answer`, where no question is known, the answer tells that,
    if none occurs twice. `unasked` are names that the system answered though this gold did not ask them: if a later gold asks one, that
    was answered, too.
    """

    names: Sequence[str]
    questions: Sequence[str]
    answers: Sequence[str]
    by_place: bool = False
    unasked: Collection[str] = ()
    by_answer: bool = False


def partners(before: Items, now: Items) -> NDArray[np.int64]:
    """Return for each of today's items the rank of the earlier one that asks the same, `NO_PARTNER` for none.

    Items with names of their own are the same if name and question are. Others are the same in place if the golds have equally many, and
    no item that changed stands elsewhere in the other gold. Else a question that occurs once in both pairs wherever it stands, and one that
    occurs several times pairs in order if both have equally many of it. Items without any question pair in place or not at all.

    >>> [partners(Items("12", *earlier), Items("23", "ac", "xy")).tolist() for earlier in (["ba", "xx"], ["bc", "xx"])]
    [[1, -1], [-1, -1]]
    >>> partners(Items("12", "ab", "xy", by_place=True), Items("123", "cab", "zxy", by_place=True)).tolist()
    [-1, 0, 1]
    """
    if not (before.by_place or now.by_place):
        rank_of = {name: rank for rank, name in enumerate(before.names)}
        ranks = [rank_of.get(name, NO_PARTNER) for name in now.names]
    elif _is_in_place(before, now):
        ranks = list(range(len(now.names)))
    elif before.by_answer and now.by_answer:
        is_distinct = all(len(set(items.answers)) == len(items.answers) for items in (before, now))
        ranks = list(_by_question(before.answers, now.answers)) if is_distinct else [NO_PARTNER] * len(now.names)
    else:
        ranks = list(_by_question(before.questions, now.questions))
    same = (
        rank if rank >= 0 and before.questions[rank] == asked else NO_PARTNER
        for rank, asked in zip(ranks, now.questions, strict=True)
    )
    return np.fromiter(same, np.int64, len(ranks))


def successors(ranks: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """Return for each of `number` earlier items the rank of today's one that it is, from the `partners` of these.

    >>> successors(np.array([1, -1, 0]), 3).tolist()
    [2, 0, -1]
    """
    later = np.full(number, NO_PARTNER)
    later[ranks[ranks >= 0]] = np.flatnonzero(ranks >= 0)
    return later


def _is_in_place(before: Items, now: Items) -> bool:
    """Whether both sides have equally many items, and no item that changed stands at another place on the other side."""
    sides = [list(zip(items.questions, items.answers, strict=True)) for items in (before, now)]
    if len(sides[0]) != len(sides[1]):
        return False
    items_of = [set(side) for side in sides]
    return not any(first in items_of[1] or second in items_of[0] for first, second in zip(*sides, strict=True) if first != second)


def _by_question(before: Sequence[str], now: Sequence[str]) -> Iterator[int]:
    """Yield, for each question of now, the rank that the same question had before."""
    numbers = Counter(before), Counter(now)
    usable = {question for question, number in numbers[0].items() if question and numbers[1][question] == number}
    rank_of = {key: rank for rank, key in enumerate(_counted(before))}
    for key in _counted(now):
        yield rank_of[key] if key[0] in usable else NO_PARTNER


def _counted(questions: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield each question, and how many before it are the same."""
    seen: Counter[Hashable] = Counter()
    for question in questions:
        yield question, seen[question]
        seen[question] += 1


class Doubles(NamedTuple):
    """The first content of items that occurs twice, a question or where there is none an answer, and the names of the first two items."""

    content: str
    first: str
    second: str

    @classmethod
    def of(cls, items: Items) -> Doubles | None:
        """Return what occurs twice in a gold; None if nothing does.

        >>> Doubles.of(Items("123", "aba", "xxx"))
        Doubles(content='a', first='1', second='3')
        """
        earlier: dict[str, str] = {}
        for name, content in zip(items.names, items.questions if any(items.questions) else items.answers, strict=True):
            if content in earlier:
                return cls(content, earlier[content], name)
            earlier[content] = name
        return None


class GoldChange(NamedTuple):
    """How the gold of a document changed.

    Of its `before` earlier items, `paired` are compared, `corrected` of these with another answer; `outdated` are still asked and have
    another answer too, but nothing is left of the output that could be scored with it; and `gone` have no successor at all. Of today's
    items, `added` are not compared. `doubles` is what occurs twice, if places say which item is which and less than half are paired.
    """

    before: int = 0
    paired: int = 0
    corrected: int = 0
    gone: int = 0
    added: int = 0
    outdated: int = 0
    doubles: Doubles | None = None

    @classmethod
    def of(cls, before: Items, now: Items, ranks: NDArray[np.int64]) -> GoldChange:
        """Count what changed, from the `partners` of two golds."""
        paired = int(np.count_nonzero(ranks >= 0))
        corrected = sum(before.answers[rank] != now.answers[place] for place, rank in enumerate(ranks.tolist()) if rank >= 0)
        gone = len(before.names) - len(now.names) if before.by_place else len(set(before.names) - set(now.names))
        is_told = (before.by_place or now.by_place) and 2 * paired < len(before.names)
        doubles = (Doubles.of(now) or Doubles.of(before)) if is_told else None
        return cls(len(before.names), paired, corrected, max(0, gone), len(now.names) - paired, 0, doubles)

    def __add__(self, other: GoldChange) -> GoldChange:  # type: ignore[override]
        """Return the changes of two documents together."""
        numbers = {name: getattr(self, name) + getattr(other, name) for name in self._fields if name != "doubles"}
        return GoldChange(**numbers, doubles=self.doubles or other.doubles)
