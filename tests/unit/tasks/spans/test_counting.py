"""Counts against counts by brute force, on records with spans that nest, cross and share extents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.evidence import Categorical, Evidence, Sparse
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.tasks.spans.options import make_options
from tests.unit.tasks.spans.files import evidence_of, json_lines, scores_of, tagged

JSONL = make_options(format="jsonl")
TEXT = "0123456789"

Item = tuple[int, int, str]


@st.composite
def items(draw: st.DrawFn) -> Item:
    start = draw(st.integers(0, 8))
    return start, draw(st.integers(start + 1, min(start + 4, 10))), draw(st.sampled_from("AB"))


SIDES = st.lists(items(), max_size=4, unique=True)
RECORDS = st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=3)


def overlap(one: Item, other: Item) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def further(gold: Sequence[Item], system: Sequence[Item]) -> int:
    few, many = sorted((gold, system), key=len)
    return max(sum(overlap(*pair) for pair in zip(few, order, strict=False)) for order in permutations(many))


def left_over(gold: Sequence[Item], system: Sequence[Item]) -> tuple[int, list[Item], list[Item]]:
    """The pairs of one extent, and what is left of either side; labels do not matter."""
    ours, theirs = (Counter(item[:2] for item in side) for side in (gold, system))
    common = ours & theirs
    left = [[(*extent, "") for extent in (side - common).elements()] for side in (ours, theirs)]
    return common.total(), left[0], left[1]


def greatest(gold: Sequence[Item], system: Sequence[Item]) -> int:
    same, *left = left_over(gold, system)
    return same + further(*left)


def evidence(records: list[tuple[list[Item], list[Item]]]) -> Evidence:
    gold = json_lines(*({"text": TEXT, "spans": ours} for ours, _ in records))
    return evidence_of(gold, json_lines(*({"spans": theirs} for _, theirs in records)), JSONL)


@given(RECORDS)
def test_counts(records: list[tuple[list[Item], list[Item]]]) -> None:
    found = evidence(records)
    for rank, (gold, system) in enumerate(records):
        by_label = {}
        for label in "AB":
            ours, theirs = ([item for item in side if item[2] == label] for side in (gold, system))
            by_label[label] = greatest(ours, theirs)
            counts = [int(found.column(f"{name}.{label}")[rank]) for name in ("gold", "system", "correct", "overlap")]
            assert counts == [len(ours), len(theirs), len(set(ours) & set(theirs)), by_label[label]]
        b = greatest(gold, system)
        counts = [int(found.column(name)[rank]) for name in ("extents", "pairs", "typed")]
        assert counts == [left_over(gold, system)[0], b, max(b, sum(by_label.values()))]


@given(RECORDS)
def test_cutting_a_file_changes_nothing(records: list[tuple[list[Item], list[Item]]]) -> None:
    parts = [evidence([record]).named(f"{rank:03}") for rank, record in enumerate(records)]
    assert scores_of(Evidence.merge(parts), JSONL) == scores_of(evidence(records), JSONL)


@given(RECORDS)
def test_confusions_add_up_to_the_pairs_that_are_not_right(records: list[tuple[list[Item], list[Item]]]) -> None:
    found = evidence(records)
    total = Sample(found).total
    confused = sum(int(total(name)[0]) for name in found.columns if name.startswith("confused."))
    assert confused == int(total("pairs")[0] - total("correct.A")[0] - total("correct.B")[0])


def test_one_row_per_sentence_named_by_its_line() -> None:
    text = tagged("a/O b/O", "c/B-X", "d/O")
    assert evidence_of(text, text).units == ("1", "4", "6")


def test_one_row_per_record_named_by_id_or_line() -> None:
    gold = json_lines({"id": 7, "text": "", "spans": []}) + "\n" + json_lines({"text": "", "spans": []})
    assert evidence_of(gold, json_lines({"spans": []}, {"spans": []}), JSONL).units == ("7", "3")


def test_columns_are_small() -> None:
    labels = [f"L{rank}" for rank in range(60)]
    sentences = [f"a/B-{labels[rank % 60]} b/O" for rank in range(300)]
    found = evidence_of(tagged(*sentences), tagged(*sentences))
    assert not any(isinstance(column, Categorical) for column in found.columns.values())
    dense = {name for name, column in found.columns.items() if not isinstance(column, Sparse)}
    assert dense == {"tokens", "same"}
    assert (
        sum(
            len(column.values)
            for name, column in found.columns.items()
            if isinstance(column, Sparse) and name.startswith("gold.")
        )
        == 300
    )


def test_long_sentences_have_room() -> None:
    text = tagged(" ".join(["a/B-X"] * 200))
    found = evidence_of(text, text)
    assert found.column("tokens").tolist() == found.column("gold.X").tolist() == [200]


def test_labels_that_are_not_scored_are_left_out_and_counted() -> None:
    options = make_options(labels=["X"])
    gold, system = tagged("a/B-X b/B-Y c/B-Z", "d/B-Y"), tagged("a/B-X b/O c/B-Q", "d/B-X")
    found = evidence_of(gold, system, options)
    assert found.column("left_out.gold").tolist() == [2, 1]
    assert found.column("left_out.system").tolist() == [1, 0]
    assert scores_of(found, options)["micro.fp"] == 1
    assert "gold.Y" not in found.columns
