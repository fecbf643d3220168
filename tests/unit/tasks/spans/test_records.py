from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_nlpeval.tasks.spans.options import make_options
from tests.unit.tasks.spans.files import json_lines, read, scored

JSONL = make_options(format="jsonl")


def problems_of(*records: Any, gold: list[Any] | None = None, **rules: Any) -> list[str]:
    """The problems of a gold file, or of a system file against gold, without their lines."""
    documents = {"gold": read("gold", json_lines(*gold), JSONL)[0]} if gold is not None else {}
    role = "gold" if gold is None else "system"
    _, problems = read(role, json_lines(*records), JSONL, documents, {f"spans.{code}": rule for code, rule in rules.items()})
    return [problem.split(": ", 1)[1] for problem in problems]


def spans_of(record: Any) -> list[tuple[int, int, str]]:
    document, problems = read("gold", json_lines({"text": "0123456789", **record}), JSONL)
    assert document is not None, problems
    spans = document.spans
    return [(int(spans.start[rank]), int(spans.end[rank]), spans.name(rank)) for rank in range(len(spans))]


@pytest.mark.parametrize("key", ["spans", "entities", "label", "labels"])
@pytest.mark.parametrize(
    "item",
    [
        [1, 3, "A"],
        {"start": 1, "end": 3, "label": "A"},
        {"start_offset": 1, "end_offset": 3, "label": "A"},
        {"start": 1, "end": 3, "start_offset": 7, "end_offset": 8, "labels": ["A"]},
        {"start": 1, "end_offset": 9, "start_offset": 1, "end": 3, "label": "A", "labels": ["B"]},
        {"start": 1, "end": 3, "label": None, "labels": ["A"], "id": 3, "text": None},
    ],
)
def test_spellings(key: str, item: Any) -> None:
    assert spans_of({key: [item]}) == [(1, 3, "A")]


def test_several_labels_are_several_spans() -> None:
    assert spans_of({"spans": [{"start": 1, "end": 3, "labels": ["B", "A"]}], "label": "x", "entities": None}) == [
        (1, 3, "A"),
        (1, 3, "B"),
    ]
    assert spans_of({"spans": [{"start": 1, "end": 3, "labels": []}]}) == []


def test_offsets_are_shown_as_they_are_written() -> None:
    said = problems_of({"text": "abc", "spans": [[1.0, 2, "A"], [True, 2, "A"], ["1", 2, "A"], [[1], 2, "A"]]})
    assert [problem.removeprefix("spans.offset: ").split(" is no")[0] for problem in said] == [
        "1.0",
        "true",
        '"1"',
        "a list or object",
    ]


def test_large_ids_are_read_as_they_are() -> None:
    assert problems_of({"id": 2**63 + 1, "spans": []}, gold=[{"id": str(2**63 + 1), "text": "", "spans": []}]) == []


def test_a_rejected_record_that_is_tolerated_counts() -> None:
    assert problems_of({"text": "a", "answer": "reject", "spans": []}, answer="off") == []
    assert len(problems_of({"text": "a", "answer": "ignore", "spans": []})) == 1
    assert problems_of({"text": "a", "answer": "accept", "spans": []}) == []


def test_what_is_tolerated_still_has_a_meaning() -> None:
    gold, _ = read(
        "gold",
        json_lines({"id": 1, "text": "ab", "spans": [[0, 1, "A"]]}, {"id": 2, "text": "ab"}),
        JSONL,
        rules={"spans.no-list": "off"},
    )
    assert gold is not None
    rules = {"spans.missing": "off", "spans.unknown-id": "off", "spans.text": "off"}
    record = {"id": 2, "spans": [{"start": 0, "end": 1, "label": "A", "text": "z"}]}
    system, problems = read("system", json_lines({"id": 3, "spans": [[7, 9, "B"]]}, record), JSONL, {"gold": gold}, rules)
    assert problems == []
    assert system is not None
    assert [(system.spans.name(0), system.unit_of(system.spans.start).tolist())] == [("A", [1])]


def test_records_without_all_ids_go_by_place() -> None:
    gold = [{"id": "a", "text": "ab", "spans": []}, {"text": "cd", "spans": []}]
    assert problems_of({"id": "z", "spans": []}, {"id": "a", "spans": []}, gold=gold) == []
    assert [problem.split(":")[0] for problem in problems_of({"id": "z", "spans": []}, gold=gold)] == ["spans.records"]


def test_the_first_difference_of_texts_is_shown() -> None:
    (problem,) = problems_of({"text": "Ann left", "spans": []}, gold=[{"text": "Anna left", "spans": []}])
    assert 'from offset 3 on, " left" instead of "a left"' in problem


def test_a_system_file_alone_is_compared_with_its_own_texts() -> None:
    _, problems = read("system", json_lines({"text": "abc", "spans": [[0, 4, "A"]]}, {"spans": [[0, 4, "A"]]}), JSONL)
    assert [problem.split(": ")[:2] for problem in problems] == [["1:None", "spans.offset"]]
    _, problems = read("system", json_lines({"spans": [[0, 2**40, "A"]]}), JSONL)
    assert problems[0].endswith("is beyond any text")


def test_order_of_records_and_items_does_not_matter() -> None:
    gold: list[dict[str, Any]] = [
        {"id": k, "text": "0123456789", "spans": [[0, k, "A"], [1, 5, "B"], [0, k, "C"]]} for k in (1, 4, 7)
    ]
    system: list[dict[str, Any]] = [{"id": k, "spans": [[0, 5, "A"], [1, k + 1, "B"]]} for k in (1, 4, 7)]
    backwards = [[{**record, "spans": record["spans"][::-1]} for record in side[::-1]] for side in (gold, system)]
    assert scored(json_lines(*gold), json_lines(*system), format="jsonl") == scored(
        *(json_lines(*side) for side in backwards), format="jsonl"
    )


def test_a_byte_order_mark_and_cr_lf_say_nothing() -> None:
    text = "\ufeff" + json.dumps({"text": "a", "spans": [[0, 1, "A"]]}) + "\r\n\r\n"
    assert scored(text, text, format="jsonl")["micro.tp"] == 1
