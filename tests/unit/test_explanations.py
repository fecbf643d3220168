from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.explanations import (
    LONGEST_PASSAGE,
    Explanation,
    Explanations,
    Omitted,
    Passage,
    Right,
    explain_each,
    explain_in_order,
    explain_together,
)
from pytest_nlpeval.shelf import ROOM, SURE, Shelf


def plain(unit: str, reason: str = "missed", **fields: object) -> Explanation:
    return Explanation(unit, reason, f"{unit} is {reason}", **fields)  # type: ignore[arg-type]


def test_the_plain_form_is_completed() -> None:
    found = Explanations.of([plain("3"), plain("4", "too-long"), plain("3", "spurious")]).numbered()
    assert [(entry.kind, entry.item) for entry in found.first] == [("missed", "3"), ("other", "4"), ("spurious", "3#2")]
    assert found.counts == {"missed": 1, "spurious": 1, "too-long": 1}
    assert found.cut == 0


def test_what_is_given_is_kept() -> None:
    (entry,) = Explanations.of([plain("3", kind="boundary", item="x")]).first
    assert (entry.kind, entry.item) == ("boundary", "x")


def test_an_explanation_bears_on_the_measures_that_it_names() -> None:
    assert plain("3").bears_on("f1")
    named = plain("3", measures=("CLINK.*", "coverage"))
    assert named.bears_on("CLINK.strict.f1")
    assert named.bears_on("coverage")
    assert not named.bears_on("TLINK.strict.f1")


def test_all_are_counted_the_first_are_kept_and_the_rest_is_told() -> None:
    found = Explanations.of(plain(str(rank)) for rank in range(3 * ROOM))
    assert found.counts == {"missed": 3 * ROOM}
    assert [entry.unit for entry in found.first] == [str(rank) for rank in range(ROOM)]
    assert found.cut == 2 * ROOM


def test_of_each_sort_the_first_are_kept_in_any_case() -> None:
    many = [plain(str(rank)) for rank in range(2 * ROOM)]
    late = [plain(str(rank), "missed", measures=("CLINK.*",)) for rank in range(SURE + 5)]
    found = Explanations.of([*many, *late])
    assert sum(entry.measures == ("CLINK.*",) for entry in found.first) == SURE
    assert found.cut == sum(found.counts.values()) - ROOM - SURE


def test_memory_is_bounded_however_many_sorts_there_are() -> None:
    found = Explanations.of(plain("1", f"r{rank}") for rank in range(5 * ROOM))
    assert len(found.first) == 2 * ROOM
    assert found.cut == 3 * ROOM


def test_what_is_omitted_is_counted() -> None:
    found = Explanations.of([plain("1"), Omitted("missed", 7), Omitted("spurious", 2)])
    assert found.counts == {"missed": 8, "spurious": 2}
    assert found.cut == 9


def test_what_is_told_of_right_items_is_kept_beside_explanations_and_counted_nowhere() -> None:
    told = [Right("1", f"1 d{rank}", f"is at place {rank}") for rank in range(ROOM + 1)]
    found = Explanations.of([*told, plain("2")])
    assert (found.counts, found.cut, found.right) == ({"missed": 1}, 0, tuple(told[:ROOM]))
    assert Explanations.from_json(json.loads(json.dumps(found.to_json()))) == found
    assert Explanations.of_few([*told, plain("2")], 1) == found
    assert Explanations.of_few([plain("1"), *told, plain("2")], 1) is None


def test_only_the_first_are_written() -> None:
    written: list[int] = []

    def write(rank: int) -> Explanation:
        written.append(rank)
        return plain(str(rank))

    found = Explanations.of(explain_each("missed", range(10 * ROOM), write))
    assert found.counts == {"missed": 10 * ROOM}
    assert len(written) == len(found.first) == ROOM


MEASURES = st.lists(st.sampled_from("xyz"), min_size=1, max_size=5)
CALLS = st.lists(
    st.tuples(st.sampled_from(["missed", "spurious"]), MEASURES, st.sampled_from([1, SURE, ROOM // 2])),
    max_size=4,
)
"""For each call its reason, and the measures of its items, with how often they are repeated."""


@settings(max_examples=30)
@given(CALLS)
def test_calls_that_share_a_shelf_write_what_is_kept_and_nothing_else(calls: list[tuple[str, list[str], int]]) -> None:
    written: list[Explanation] = []

    def write(explanation: Explanation) -> Explanation:
        written.append(explanation)
        return explanation

    def entries(shelf: Shelf) -> Iterator[Explanation | Omitted]:
        for (reason, _, _), items in zip(calls, of_calls, strict=True):
            yield from explain_each(reason, items, write, shelf, lambda explanation: explanation.measures)

    of_calls = [
        [plain(str(rank), reason, measures=(measure,)) for rank, measure in enumerate(measures * number)]
        for reason, measures, number in calls
    ]
    kept = Explanations.of(entries(Shelf()))
    assert len(written) == len(kept.first)
    every = [entry for (reason, _, _), items in zip(calls, of_calls, strict=True) for entry in _cut(reason, items)]
    assert kept == Explanations.of(every)


def _cut(reason: str, items: list[Explanation]) -> list[Explanation | Omitted]:
    """Return the first explanations of a call, whether there is room for them or not."""
    return [*items[:ROOM], Omitted(reason, max(0, len(items) - ROOM))] if items else []


def test_nothing_is_done_before_somebody_reads() -> None:
    def write(_: int) -> Explanation:
        raise AssertionError

    differences = explain_each("missed", [1], write)
    with pytest.raises(AssertionError):
        Explanations.of(differences)


spans = st.lists(st.tuples(st.integers(0, 900), st.integers(1, 50)).map(lambda pair: (pair[0], sum(pair))), max_size=4)


@given(st.text(min_size=950, max_size=1200), spans, spans)
def test_a_passage_shows_what_the_spans_mark(text: str, gold: list[tuple[int, int]], system: list[tuple[int, int]]) -> None:
    passage = Passage.cut(text, gold, system)
    assert len(passage.text) == LONGEST_PASSAGE
    assert passage.text in text
    for spans, whole in ((passage.gold, gold), (passage.system, system)):
        assert len(spans) <= len(whole)
        for start, end in spans:
            assert 0 <= start < end <= LONGEST_PASSAGE
            assert any(passage.text[start:end] in text[low:high] for low, high in whole)
    first = min((start for start, _ in (*gold, *system)), default=None)
    assert first is None or any(
        start == min(min(side, default=(LONGEST_PASSAGE, 0))[0] for side in (passage.gold, passage.system))
        for start, _ in (*passage.gold, *passage.system)
    )


@given(st.text(max_size=50))
def test_a_short_text_is_a_passage_as_it_is(text: str) -> None:
    assert Passage.cut(text) == (text, (), ())


full = st.builds(
    Explanation,
    st.text(),
    st.sampled_from(["missed", "odd"]),
    st.text(),
    st.none() | st.integers(1, 9),
    st.sampled_from(["boundary", "other"]),
    st.text(min_size=1),
    st.text(),
    st.text(),
    st.lists(st.text(min_size=1), max_size=2).map(tuple),
    st.none() | st.builds(Passage, st.text(), st.just(((0, 1),)), st.just(())),
    gold_line=st.none() | st.integers(1, 9),
)


@given(st.lists(full, max_size=5))
def test_json_gives_back_the_same(entries: list[Explanation]) -> None:
    found = Explanations.of(entries)
    assert Explanations.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_json_leaves_out_what_is_not_there() -> None:
    assert plain("3").to_json() == {"unit": "3", "reason": "missed", "message": "3 is missed", "line": None}


def test_of_many_reasons_each_has_its_first_items() -> None:
    wrong = [("a", "", number) for number in range(ROOM + 100)] + [("b", sort, 0) for sort in "xy" for _ in range(SURE + 1)]
    found = list(explain_in_order(wrong, lambda reason, item: plain(str(item), reason)))
    written = Counter(entry.reason for entry in found if isinstance(entry, Explanation))
    assert written == {"a": ROOM, "b": 2 * SURE}
    assert [entry for entry in found if isinstance(entry, Omitted)] == [Omitted("a", 100), Omitted("b", 2)]


def test_in_order_only_what_the_report_has_room_for_is_written_and_the_rest_is_told_one_by_one() -> None:
    written: list[tuple[str, int]] = []

    def write(reason: str, rank: int) -> Explanation:
        written.append((reason, rank))
        return plain(str(rank), reason, measures=measures_of(reason, rank))

    def measures_of(_: str, rank: int) -> tuple[str, ...]:
        return (f"m{rank % 2}",)

    wrong = [(reason, rank % 2, rank) for rank in range(6) for reason in "ab"]
    full = frozenset((("a", measures_of("a", 0)), ("b", measures_of("b", 1))))
    kept = Explanations.of(explain_in_order(wrong, write, measures_of), full)
    assert written == [("b", 0), ("a", 1), ("b", 2), ("a", 3), ("b", 4), ("a", 5)]
    assert kept == Explanations.of(explain_in_order(wrong, write), full)
    assert (kept.counts, kept.unkept) == ({"a": 6, "b": 6}, full)


def test_in_order_nothing_is_asked_before_it_is_written_where_a_report_has_room_for_all() -> None:
    def measures_of(reason: str, item: int) -> tuple[str, ...]:
        raise AssertionError(reason, item)

    wrong = [("missed", "", 1)]
    assert Explanations.of(explain_in_order(wrong, lambda _, item: plain(str(item)), measures_of)).cut == 0
    with pytest.raises(AssertionError):
        Explanations.of(explain_in_order(wrong, lambda _, item: plain(str(item)), measures_of), {"another"})


def written_together(sorts: Sequence[str]) -> tuple[list[int], int]:
    """Return which of very many items of one reason are written, and how many are left."""
    entries = [*explain_together("missed", range(len(sorts)), sorts, lambda _, items: map(plain, map(str, items)), lambda *_: ())]
    written = [int(entry.unit) for entry in entries if isinstance(entry, Explanation)]
    return written, sum(entry.number for entry in entries if isinstance(entry, Omitted))


def test_of_very_many_the_first_and_some_of_each_sort_are_written_together() -> None:
    assert written_together(["x"] * (ROOM + 2 * SURE)) == ([*range(ROOM)], 2 * SURE)
    assert written_together(["x"] * ROOM + ["y"] * 2 * SURE) == ([*range(ROOM + SURE)], SURE)
    assert written_together([*map(str, range(3 * ROOM))]) == ([*range(2 * ROOM)], ROOM)
