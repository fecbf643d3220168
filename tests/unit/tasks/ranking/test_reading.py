from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.ranking.ids import Ids, changes, keys_of
from pytest_nlpeval.tasks.ranking.numbers import GREATEST_RANK, floats_of, integers_of
from pytest_nlpeval.tasks.ranking.options import Options, options
from pytest_nlpeval.tasks.ranking.trec import _BYTES_AT_ONCE, first_line
from tests.unit.tasks.ranking.files import codes, counted, read, trec, values_of

TEXTS = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)
    | st.sampled_from(["a", "aa", "a" * 8, "a" * 9, "é" * 8])
)


@given(TEXTS)
def test_ids_are_what_they_were(names: list[str]) -> None:
    ids = Ids.of(names)
    assert ids.names() == names
    assert ids.equal(Ids.of(names)).all()
    number = len(names)
    first, second = np.divmod(np.arange(number * number), max(1, number))
    same = ids.at(first).equal(ids.at(second))
    assert same.tolist() == [names[a] == names[b] for a, b in zip(first, second, strict=True)]
    hashes = ids.hashes()
    assert all(hashes[a] == hashes[b] for a, b in zip(first, second, strict=True) if names[a] == names[b])
    assert changes(ids).tolist() == [row for row in range(number) if not row or names[row] != names[row - 1]]


def test_keys_are_in_the_order_of_topics() -> None:
    topics = np.array([0, 1, 2, 3])
    keys = keys_of(topics, 4, Ids.of(["d", "c", "b", "a"]))
    assert (np.diff(keys.astype(object)) > 0).all()


NUMBERS = (
    st.floats(allow_nan=False, allow_infinity=False).map(repr)
    | st.from_regex(r"\A[+-]?([0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})([eE][+-]?[0-9]{1,2})?\Z")
    | st.integers().map(str)
)


@given(st.lists(NUMBERS, min_size=1))
def test_numbers_are_rounded_as_python_rounds_them(texts: list[str]) -> None:
    texts = [text.strip() for text in texts]
    values, faults = floats_of(Ids.of(texts))
    assert not faults
    assert values.tolist() == list(map(float, texts))


@given(st.lists(NUMBERS | st.text("0123456789.-+eE_ naifx\x0b", min_size=1, max_size=6), min_size=1))
def test_what_is_no_number_is_told(texts: list[str]) -> None:
    import re

    pattern = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
    values, faults = floats_of(Ids.of(texts))
    good = [bool(pattern.fullmatch(text)) and math.isfinite(float(text)) for text in texts]
    assert [row for row, _ in faults] == [row for row, is_good in enumerate(good) if not is_good]
    assert np.isfinite(values).tolist() == good


@given(
    st.lists(
        st.integers(-GREATEST_RANK, GREATEST_RANK).map(str)
        | st.sampled_from(["+1", "-0", "007", "1.0", "x", "1e3", "", "-", str(2**60)]),
        min_size=1,
    )
)
def test_ranks_are_whole_numbers(texts: list[str]) -> None:
    values, is_whole = integers_of(Ids.of(texts))
    wanted = [int(text) if text.strip("+-").isdigit() and abs(int(text)) <= GREATEST_RANK else None for text in texts]
    assert is_whole.tolist() == [value is not None for value in wanted]
    assert values.tolist() == [value or 0 for value in wanted]


def test_a_file_of_several_pieces_is_read_as_one() -> None:
    number = _BYTES_AT_ONCE // 20
    run = (
        "".join(f"q{row // 1000} Q0 d{row} 1 {row} t\n" for row in range(number))
        + "q0 Q0 last 1 1 t\nq0 Q0 bad\n# end\nq0 Q0 x 1 nan t"
    )
    assert len(run) > _BYTES_AT_ONCE
    system, problems = read("system", run)
    assert system is None
    assert codes(problems) == [f"{number + 2}: fields", f"{number + 4}: score"]
    system, problems = read("system", run.replace(" bad", " bad 1 0 t").replace("nan", "-1"))
    assert len(system.lists.topic) == number + 3
    assert system.lists.lines[-1] == number + 4
    assert system.lists.documents.names([0, number - 1, number]) == ["d0", f"d{number - 1}", "last"]
    assert system.lists.topic[[0, number, number + 2]].tolist() == [0, 0, 0]


def test_a_tolerated_document_has_its_best_place() -> None:
    run = "1 Q0 b 2 5 t\n1 Q0 a 3 1 t\n1 Q0 a 1 9 t\n1 Q0 c 4 0 t\n"
    chosen = options(measures=["RR", "P@2", "AP"])
    found, problems = counted("1 0 a 1\n1 0 c 1\n", run, chosen, {"ranking.duplicate-document": "warning"})
    assert codes(problems) == ["3: duplicate-document"]
    assert values_of(found.evidence, chosen)["AP"] == (1 + 2 / 3) / 2  # a, b, c: what was behind closes up


def test_a_tolerated_document_of_gold_has_its_first_grade() -> None:
    chosen = options(measures=["RR"])
    found, _ = counted("1 0 a 0\n1 0 a 1\n1 0 b 1\n", "1 Q0 a 1 9 t\n", chosen, {"ranking.duplicate-document": "off"})
    assert values_of(found.evidence, chosen)["RR"] == 0


def test_colliding_hashes_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    gold, run = "1 0 a 1\n1 0 b 0\n2 0 a 1\n", "1 Q0 b 1 9 t\n1 Q0 a 2 8 t\n1 Q0 c 3 7 t\n2 Q0 c 3 7 t\n"
    chosen = options(measures=["RR", "Judged@3"])
    expected = values_of(counted(gold, run, chosen)[0].evidence, chosen)
    monkeypatch.setattr(Ids, "hashes", lambda ids: np.zeros(len(ids), np.uint64))
    assert values_of(counted(gold, run, chosen)[0].evidence, chosen) == expected
    assert codes(read("system", run + "1 Q0 c 4 1 t\n")[1]) == ["5: duplicate-document"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"id": 1, "ranking": []}\n', "jsonl"),
        ('{"q1": {"d": 1}}', "json"),
        ('\n {"id": {"d": 1}, "x": []}', "jsonl"),
        ('{\n"id": {"d": 1}}', "json"),
        ("query-id\tcorpus-id\tscore\nq\td\t1\n", "tsv"),
        ("# x\n\nscore,corpus-id,query-id\n1,d,q\n", "csv"),
        ("q Q0 d 1 1 t\n", "trec"),
        ("", "trec"),
        ("query-id\tcorpus-id\nq\td\n", "trec"),
    ],
)
def test_the_format_is_seen_from_the_content(text: str, name: str) -> None:
    from pytest_nlpeval.tasks.ranking.detecting import format_of
    from pytest_nlpeval.tasks.ranking.options import SYSTEM

    data = text.encode() if text.endswith("\n") or not text else f"{text}\n".encode()
    assert format_of(data, Options(), SYSTEM) == name
    assert format_of(data, options(format={"system": "csv"}), SYSTEM) == "csv"


def test_at_line_1_the_other_formats_are_named() -> None:
    _, problems = read("system", "query-id\tcorpus-id\nq\td\n")
    assert "other formats have a header" in problems[0].message
    assert "other formats" not in problems[1].message


def test_problems_of_json_name_topic_and_document() -> None:
    _, problems = read("system", '{"q1": {"d1": "x"}, "q2": 5}')
    assert [problem.where for problem in problems] == ["topic q1, document d1", "topic q2"]


def test_the_first_line_is_no_comment() -> None:
    assert first_line(b"#\n \t\n#x\n") == ""
    assert first_line(b" # x\n") == " # x"


def test_warnings_are_told_once_with_five_ids() -> None:
    gold = "".join(f"q{number} 0 a 1\n" for number in range(9))
    documents = {"gold": read("gold", gold)[0]}
    _, problems = read("system", "q0 Q0 a 1 1 t\n", documents)
    assert codes(problems) == ["missing-topic"]
    assert problems[0].message == '8 topics ("q1", "q2", "q3", "q4", "q5", …) of gold do not occur: they have no results'


@given(
    st.dictionaries(
        st.text("qé ", min_size=1, max_size=3),
        st.dictionaries(st.text("ab", min_size=1, max_size=2), st.integers(-5, 5), min_size=1),
        min_size=1,
    )
)
def test_json_is_read_alike_in_both_forms(run: dict[str, dict[str, Any]]) -> None:
    lines = "".join(json.dumps({"id": topic, "ranking": own}) + "\n" for topic, own in run.items())
    one, several = (
        read("system", text, options=options(format=kind))[0] for text, kind in ((json.dumps(run), "json"), (lines, "jsonl"))
    )
    for name in ("topic", "values"):
        assert getattr(one.lists, name).tolist() == getattr(several.lists, name).tolist()
    assert one.lists.topics == several.lists.topics
    assert one.lists.documents.names() == several.lists.documents.names()


def test_a_run_is_read_whatever_the_order_of_its_lines() -> None:
    lines = trec({"1": {"a": 1.0, "b": 2.0}, "2": {"a": 3.0}}).splitlines(keepends=True)
    chosen = options(measures=["AP"])
    values = {
        tuple(values_of(counted("1 0 a 1\n2 0 b 1\n", "".join(order), chosen)[0].evidence, chosen).items())
        for order in (lines, lines[::-1], [lines[0], lines[2], lines[1]])
    }
    assert len(values) == 1
