"""What samples make of the first bytes of a file, hostile ones included."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.formats.samples import Element, Sample

names = st.sampled_from(["a.tsv", "a.csv", "a.json", "a.jsonl", "a.xml", "a.txt", "a"])
cells = st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=5)


@given(names, st.binary(max_size=200))
def test_no_bytes_are_too_strange(name: str, data: bytes) -> None:
    sample = Sample(name, data)
    assert isinstance(sample.rows, list)
    assert isinstance(sample.elements, list)
    assert len(sample.fields) == len(set(sample.fields))
    assert all(len(sample.column(field)) == len(sample.rows) for field in sample.fields)


@given(st.lists(st.fixed_dictionaries({"id": cells, "label": cells}), min_size=1, max_size=5))
def test_records_are_the_same_in_all_formats(records: list[dict[str, str]]) -> None:
    table = [["id", "label"], *([record["id"], record["label"]] for record in records)]
    texts = {
        "a.tsv": "\n".join("\t".join(row) for row in table),
        "a.csv": "\r\n".join(",".join(f'"{cell}"' for cell in row) for row in table) + "\r\n",
        "a.jsonl": "\n\n".join(map(json.dumps, records)),
        "a.json": json.dumps(records, indent=1),
        "b.json": json.dumps({"version": 1, "data": {"items": records}}, indent=1),
    }
    for name, text in texts.items():
        assert Sample(name, text.encode()).rows == records
    assert {name: Sample(name, text.encode()).items for name, text in texts.items() if text and name == "b.json"} == {
        "b.json": "data.items"
    }


@given(st.integers(1, 30))
def test_of_a_part_of_a_file_the_last_line_does_not_count(size: int) -> None:
    data = b"id\tlabel\n1\ta\n2\tb\n3\tc\n"
    rows = Sample("a.tsv", data[:size], is_whole=False).rows
    assert rows == Sample("a.tsv", data).rows[: max(0, data[:size].count(b"\n") - 1)]


def test_the_start_tags_of_xml_are_in_their_order() -> None:
    text = """<?xml version="1.0"?><!-- <no/> --><!DOCTYPE a [<!ENTITY e "x">]><a><b id="1" t='x'/><![CDATA[<c>]]></a>"""
    assert Sample("a", text.encode()).elements == [Element("a", {}), Element("b", {"id": "1", "t": "x"})]
    assert Sample("a", text.encode()).root == "a"
    assert Sample("a", b"no xml <a>").root == ""


@pytest.mark.parametrize("piece", ["<?", "<!--", "<![CDATA[", '<a b="', "<a ", "<", "<a b='\""])
def test_hostile_xml_is_gone_through_once(piece: str) -> None:
    assert len(Sample("a.xml", (piece * 50_000).encode()).elements) <= 50_000


def test_tables_that_are_none_have_no_rows() -> None:
    assert Sample("a.tsv", b"id\tid\n1\t2\n").rows == []
    assert Sample("a.tsv", b"id\tlabel\n1\n").rows == []
    assert Sample("a.json", b"[" * 10_000).rows == []
    assert Sample("a.json", b'{"a": [{"x": 1}], "b": [{"x": 1}]}').items == ""
