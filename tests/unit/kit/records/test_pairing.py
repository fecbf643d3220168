"""Ids, and which record answers which: pairing is the inverse of a permutation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.kit.records import distinct_ids, pair_by_id, pair_by_line, rows_in_gold
from tests.unit.kit.records.files import file_of, ids_of, lines, told


@given(st.permutations(range(8)))
def test_pairing_is_the_inverse_of_a_permutation(order: list[int]) -> None:
    file = file_of("", "s.tsv")
    gold = distinct_ids([f"id {k}" for k in range(8)], range(8), file)
    system = distinct_ids([f"id {k}" for k in order], range(8), file)
    rows = pair_by_id(gold, system, file)
    assert rows.tolist() == order
    assert np.argsort(order).tolist() == pair_by_id(system, gold, file).tolist()
    assert told(file) == []


@given(st.lists(st.sampled_from([None, "a", "b", "c"]), max_size=6), st.lists(st.sampled_from([None, "a", "b", "x"]), max_size=6))
def test_every_id_is_paired_or_told(gold: list[str | None], system: list[str | None]) -> None:
    """Of equal ids the first counts; each of the others is a duplicate."""
    files = file_of("", "g.tsv"), file_of("", "s.tsv")
    gold_ids, ids = (
        distinct_ids(names, range(1, len(names) + 1), file) for names, file in zip((gold, system), files, strict=True)
    )
    rows = pair_by_id(gold_ids, ids, files[1]).tolist()
    paired = {name: (gold.index(name), system.index(name)) for name in {*gold} & {*system} if name}
    assert {(row, place) for place, row in enumerate(rows) if row >= 0} == set(paired.values())
    problems = [line.split(":")[1] for line in told(files[1])]
    assert problems.count("duplicate-id") == sum(name is not None for name in system) - len({*system} - {None})
    assert problems.count("unknown-id") == len({*system} - {*gold} - {None})
    assert problems.count("missing-id") == len({*gold} - {*system} - {None})
    assert len(told(files[0])) == sum(name is not None for name in gold) - len({*gold} - {None})


def test_messages_tell_both_places() -> None:
    gold, _ = ids_of("id\na\nb\n", "g.tsv")
    system, file = ids_of("id\nb\nc\nb\n", "s.tsv")
    pair_by_id(gold, system, file)
    assert [str(problem) for problem in file.log.problems()] == [
        's.tsv: t.missing-id: has no record for the id "a" (line 2 of gold); give each an answer',
        's.tsv:3: t.unknown-id: gold has no record with the id "c"; are both files of the same data?',
        's.tsv:4: t.duplicate-id: the id "b" stands on line 2 already; ids are unique',
    ]


def test_in_documents_places_are_told_too() -> None:
    gold, _ = ids_of('["a"]', "g.json")
    system, file = ids_of('["a", {"id": "a"},\n "b", {}, {"id": 1.5}]', "s.json")
    rows_in_gold(gold, system, file)
    assert told(file) == ["1:duplicate-id:[1]", "2:no-id:[4]", "2:no-id:[3]", "2:unknown-id:[2]"]
    assert "stands at [0] already" in file.log.problems()[0].message


def test_what_cannot_be_read_is_not_missing() -> None:
    gold, _ = ids_of("id\na\nb\n", "g.tsv")
    system, file = ids_of('{"id": "a"}\n{"id": "b",\n', "s.jsonl")
    pair_by_id(gold, system, file)
    pair_by_line(2, 1, file)
    assert told(file) == ["2:json:"]


def test_gold_that_needs_no_answer_is_known_all_the_same() -> None:
    gold, _ = ids_of("id\na\nb\n", "g.tsv")
    system, file = ids_of("id\nb\n", "s.tsv")
    assert pair_by_id(gold, system, file, needs_answer=np.array([False, True])).tolist() == [1]
    assert told(file) == []


@pytest.mark.parametrize(("gold", "system", "problems"), [(2, 2, []), (2, 3, [":length:"]), (3, 2, [":length:"])])
def test_by_line(gold: int, system: int, problems: list[str]) -> None:
    file = file_of("", "s.txt")
    assert pair_by_line(gold, system, file).tolist() == [row if row < gold else -1 for row in range(system)]
    assert told(file) == problems


@pytest.mark.parametrize(
    ("records", "given", "names"),
    [
        ([{"id": 7}, {"id": " x\t"}, {"id": ["y"]}], {}, ["7", "x", "y"]),
        ([{"k": {"l": 1}}], {"id": "k.l"}, ["1"]),
        ([{"a": 1, "b": "x"}, {"a": 1}, {"b": "x"}], {"id": ["a", "b"]}, ["1|x", None, None]),
        ([{}, {}], {"id": "#0"}, ["0", "1"]),
        ([{}, {}], {"id": {"system": "#1"}}, ["1", "2"]),
        ([{"s": 1}, {"s": 2}, {"s": 2}], {"id": "#0", "where": {"s": 2}}, ["1", "2"]),
        ([{"id": None}, {"id": ""}, {"id": True}, {"id": 7.0}, {"id": {}}], {}, [None] * 5),
    ],
)
def test_ids(records: list[dict[str, Any]], given: dict[str, Any], names: list[str | None]) -> None:
    ids, file = ids_of(lines(*records), "a.jsonl", **given)
    assert list(ids.names) == names
    assert told(file) == [f"{row}:no-id:" for row, name in enumerate(names, 1) if name is None]


def test_a_row_with_too_few_fields_has_no_id_and_is_told_once() -> None:
    ids, file = ids_of("id\tb\n1\n", "a.tsv")
    assert (list(ids.names), told(file)) == ([None], ["2:fields:"])


def test_a_system_pairs_as_gold_does() -> None:
    by_id = file_of("a\n", "s.txt").paired_like(gold_has_ids=True)
    assert told(by_id) == [":format:"]
    by_line = file_of("id\na\n", "s.tsv").paired_like(gold_has_ids=False)
    assert (by_line.has_ids, told(by_line)) == (False, [])


def test_ids_that_may_repeat_are_no_duplicates_and_all_count() -> None:
    file = file_of("", "s.tsv")
    gold = distinct_ids(["a", "b"], [1, 2], file)
    system = distinct_ids(["b", "a", "b", "x", "x", None], range(1, 7), file, may_repeat=True)
    assert rows_in_gold(gold, system, file).tolist() == [1, 0, 1, -1, -1, -1]
    assert system.is_first.tolist() == [True, True, False, True, False, False]
    assert [line.split(":")[1] for line in told(file)] == ["unknown-id"]
