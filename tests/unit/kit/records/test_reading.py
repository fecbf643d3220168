"""Files to records: formats, items, fields, `where`, and every problem with its place."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.kit.records import FAULT, read_records
from tests.unit.kit.records.files import file_of, ids_of, lines, read, told

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r\0\ufeff"), max_size=5)
TEXTS = WORDS | st.sampled_from(['"', 'a"b', "a,b", ",", "\x0c", "\x85", "\u2028"])


@given(st.lists(TEXTS, max_size=6), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_lines_end_in_lf_or_cr_lf_and_blank_ones_count(texts: list[str], end: str, is_ended: bool) -> None:
    """A file that ends in a line break has no further line."""
    content = end.join(texts) + (end if is_ended and texts else "")
    records, _ = read(content, "a.txt")
    expected = texts if is_ended or not texts or texts[-1] else texts[:-1]
    assert records is not None
    assert records.cells("") == expected
    assert list(records.lines) == list(range(1, len(expected) + 1))


def csv_of(rows: list[list[str]]) -> str:
    return "".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) + "\n" for row in rows)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5))
def test_tables_and_json_say_the_same(rows: list[tuple[str, str]]) -> None:
    named = [("a", "b"), *rows, ("last", "last")]
    contents = {
        "f.tsv": "".join(f"{first}\t{second}\n" for first, second in named),
        "f.csv": csv_of([list(row) for row in named]),
        "f.jsonl": lines(*({"a": first, "b": second} for first, second in named[1:])),
        "f.json": json.dumps([{"b": second, "a": first} for first, second in named[1:]]),
    }
    for label, content in contents.items():
        records, file = read(content, label, ["a", "b"], pair="line")
        assert records is not None, told(file)
        assert list(zip(records.cells("a"), records.cells("b"), strict=True)) == named[1:]


def test_columns_by_number_have_no_header() -> None:
    records, _ = read("1\tx\n2\ty\n", "a.tab", [2], id=1)
    assert records is not None
    assert (records.cells(2), records.cells(1), list(records.lines)) == (["x", "y"], ["1", "2"], [1, 2])


@pytest.mark.parametrize(
    ("label", "content", "given", "problems"),
    [
        ("a.tsv", "", {}, [":header:"]),
        ("a.tsv", "id\tb\tb\n", {"fields": ["b"]}, ["1:header:"]),
        ("a.tsv", "id\tb\n1\n2\tx\n", {"fields": ["b"]}, ["2:fields:"]),
        ("a.tsv", "id\tb\n", {"fields": ["a", "c"]}, ["1:column:", "1:column:"]),
        ("a.tsv", "id\tb\n", {"fields": [1]}, ["1:column:"]),
        ("a.tsv", "1\tb\n", {"fields": [3], "id": 1}, ["1:column:"]),
        ("a.csv", 'id,b\n1,"x\n', {"fields": ["b"]}, ["2:quotes:"]),
        ("a.json", '{"id": 1}\n', {"fields": ["b"], "needed": ["b"]}, [":column:"]),
        ("a.json", '{"id": 1}\n', {"fields": [2]}, [":column:"]),
        ("a.json", '{"id": 1}\n\n{"id": NaN}\n[]\n{"id": 1, "id": 2}\n{"id": 1}', {}, ["2:json:", "3:json:", "4:json:", "5:json:"]),
        ("a.json", '{"a": {\n"samples": [1]}}\n', {}, ["1:json:"]),
        ("a.json", '{"a": [{"id": 1}]}', {"items": "b"}, [":items:"]),
        ("a.json", '{"a": [{"id": 1},\n null, true,\n 1.5]}', {"items": "a"}, ["2:items:a[1]", "2:items:a[2]", "3:items:a[3]"]),
        ("a.json", lines({"id": 1, "m": [{"k": 1}, {"k": 1}]}), {"fields": ["m[k=1].v"]}, ["1:path:"]),
        ("a.json", lines({"id": 1, "s": "a"}, {"id": 2, "s": "b"}), {"where": {"s": "c"}}, [":where:"]),
        ("a.json", lines({"id": 1, "s": "a"}), {"where": {"t": "c"}}, [":where:"]),
        ("a.json", lines({"id": 1, "s": 1, "t": 2}, {"id": 2, "s": 2, "t": 1}), {"where": {"s": 1, "t": 1}}, [":where:"]),
        ("a.tsv", "id\ts\n1\ta\n", {"where": {"s": "b"}}, [":where:"]),
    ],
)  # fmt: skip
def test_every_problem_has_its_place(label: str, content: str, given: dict[str, Any], problems: list[str]) -> None:
    _, file = read(content, label, **given)
    assert told(file) == problems


@pytest.mark.parametrize(
    ("content", "given", "hint"),
    [
        ('{"results": {"rows": [],\n "other": []}}', {}, "`items: results.rows` or `items: results.other`"),
        ('{"a": 1,\n "b": 2}', {}, "`items: .`"),
        ('{"a": [], "b": {"c": []}}', {"items": "d"}, "has no list or object at `d`; the lists in it are: `a`, `b.c`"),
        ('{"a": 1}', {"items": ["d", "e"]}, "at `d` or `e`; the lists in it are: none"),
        ('{"id": 1, "text": ""}\n', {"needed": ["txt"], "fields": ["txt"]}, 'did you mean "text"?'),
        ('{"id": 1, "split": "dev"}\n', {"where": {"split": ["test", "tst"]}}, '"test" or "tst" in the field "split"; there are "dev"'),
        ('{"id": 1, "split": "dev"}\n', {"where": {"spilt": "dev"}}, 'did you mean "split"?'),
    ],
)  # fmt: skip
def test_messages_say_what_to_do(content: str, given: dict[str, Any], hint: str) -> None:
    _, file = read(content, "a.json", **given)
    (problem,) = file.log.problems()
    assert hint in problem.message


def test_a_row_with_a_wrong_number_of_fields_has_a_fault_in_each() -> None:
    records, _ = read("id\tb\n1\n2\tx\n", "a.tsv", ["b"])
    assert records is not None
    assert records.cells("b") == [FAULT, "x"]


DOCUMENT = '{"run": {"samples": [\n {"id": 1, "x": [7]},\n "two",\n 3], "more": {"a":\n {"x": null}, "b": 5}}}'


def test_lists_and_objects_of_a_document_follow_one_another() -> None:
    ids, file = ids_of(DOCUMENT, "a.json", items=["run.samples", "gone", "run.more"], fields=["x", "value"])
    assert told(file) == []
    assert ids.names == ["1", "two", "3", "a", "b"]
    assert list(ids.lines) == [2, 3, 4, 5, 5]
    assert ids.places == ["run.samples[0]", "run.samples[1]", "run.samples[2]", "run.more[a]", "run.more[b]"]
    records, _ = read(DOCUMENT, "a.json", ["x", "value"], items=["run.samples", "run.more"])
    assert records is not None
    assert (records.cells("x"), records.cells("value")) == ([7, None, None, None, None], [None, None, None, None, 5])


@given(st.lists(st.dictionaries(st.text(max_size=3), st.integers() | st.lists(st.text(max_size=2), max_size=2), max_size=2)))
def test_the_lines_of_a_document_are_those_of_its_text(elements: list[dict[str, Any]]) -> None:
    text = json.dumps({"first": [{}], "list": elements}, indent=1)
    records, _ = read(text, "a.json", items="list", pair="line")
    assert records is not None
    starts = [line for line, content in enumerate(text.split("\n"), 1) if content.startswith("  {")]
    assert list(records.lines) == starts[1:] if elements else records.lines == []


def test_a_document_and_its_lines_are_the_same_records() -> None:
    one, _ = read('\ufeff [{"id": 1, "a": {"b": 2}}]', "a.json", ["a.b"])
    other, _ = read('{"id": 1, "a": {"b": 2}}\n', "a.jsonl", ["a.b"])
    assert one is not None
    assert other is not None
    assert one.cells("a.b") == other.cells("a.b") == [2]


def test_lists_by_type() -> None:
    records, _ = read(lines({"id": 1, "a": ["x"], "b": ["x"]}), "a.json", ["a", "b"], lists=["b"])
    assert records is not None
    assert (records.cells("a"), records.cells("b")) == (["x"], [["x"]])


def test_what_where_leaves_out_is_counted() -> None:
    content = lines(*({"id": k, "n": k % 3, "ok": k > 2} for k in range(6)))
    records, _ = read(content, "a.json", ["n"], where={"n": [1, "2"], "ok": True})
    assert records is not None
    assert (records.cells("id"), list(records.ranks), records.left_out) == ([4, 5], [4, 5], 4)
    everything, _ = read(content, "a.json", where={"gold": {"n": 1}})  # the system's has none then
    assert everything is not None
    assert everything.left_out == 0


@pytest.mark.parametrize("name", ["f.tsv", "f.csv"])
@pytest.mark.parametrize("start", ["# made by hand\n", "\n \n#\n"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_table_may_begin_with_comments(name: str, start: str, quote: str) -> None:
    mark = "," if name.endswith("csv") else "\t"
    quote = quote if mark == "," else ""
    text = f"{start}id{mark}x\n1{mark}{quote}2{quote}\n#{mark}3\n"
    file = file_of(text, name)
    file = replace(file, conventions=replace(file.conventions, has_comments=True))
    records = read_records(file, ["id", "x"])
    assert records is not None
    assert (records.cells("id"), records.cells("x")) == (["1", "#"], ["2", "3"])
    assert list(records.lines) == [start.count("\n") + 2, start.count("\n") + 3]
    assert read_records(file_of(text, name), ["id", "x"]) is None


@pytest.mark.parametrize("value", ["5", '"x"', "null", "true"])
def test_a_line_among_lists_is_a_list_or_an_object(value: str) -> None:
    """Where a list is a record, it stands beside objects; anything else is told with its place."""
    file = file_of(f'[[1]]\n[]\n{value}\n{{"l": [2]}}\n', "a.jsonl", pair="line")
    file = replace(file, conventions=replace(file.conventions, list_field="l"))
    records = read_records(file, ["l"], lists=["l"])
    assert records is not None
    assert records.cells("l") == [[[1]], [], [2]]
    assert told(file) == ["3:json:"]
