from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.yaml import MAX_ALIASES, MAX_BYTES, MAX_DEPTH, YAML_KINDS, Marked, Place, read_yaml
from pytest_nlpeval.problems import ProblemLog


def read(text: str | bytes) -> tuple[Marked | None, list[str]]:
    log = ProblemLog("f", YAML_KINDS)
    found = read_yaml(Source("f", text.encode() if isinstance(text, str) else text), log)
    return found, [f"{problem.line}:{problem.column} {problem.code.removeprefix('yaml.')}" for problem in log.problems()]


def value(text: str) -> Any:
    found, problems = read(text)
    assert found is not None, problems
    return found.value


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"))).filter(lambda text: "Infinity" not in text),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abcxyz", min_size=1), inner, max_size=3),
    max_leaves=8,
)


@given(plain)
def test_json_is_read_as_json(document: Any) -> None:
    text = json.dumps(document, ensure_ascii=False).replace("Infinity", ".inf").replace("\x7f", r"\u007f")
    if not any(mark in text for mark in ("\ufeff", "\u2028", "\u2029", "\x85", "\ufffe", "\uffff")):
        assert value(text) == document


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("off", "off"),
        ("no", "no"),
        ("12:30", "12:30"),
        ("2026-01-01", "2026-01-01"),
        ("010", 10),
        ("1e-3", 0.001),
        (".5", 0.5),
        ("~", None),
        ("True", True),
        ("'1'", "1"),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
    ],
)
def test_scalars_are_those_of_yaml_1_2(text: str, expected: object) -> None:
    assert value(text) == expected


def test_places_are_those_of_keys_and_items() -> None:
    found, _ = read("a: 1\nb:\n  - x\n  - {c: 2, d: 3}\n")
    assert found is not None
    assert found.places == {
        (): Place(1, 1),
        ("a",): Place(1, 1),
        ("b",): Place(2, 1),
        ("b", 0): Place(3, 5),
        ("b", 1): Place(4, 5),
        ("b", 1, "c"): Place(4, 6),
        ("b", 1, "d"): Place(4, 12),
    }
    assert found.place(("b", 1, "d", "e")) == Place(4, 12)


def test_aliases_and_merges_are_followed() -> None:
    assert value("x: &a {p: 1}\ny: *a\nz: {<<: *a, q: 2}\nw: {<<: *a, p: 3}") == {
        "x": {"p": 1},
        "y": {"p": 1},
        "z": {"p": 1, "q": 2},
        "w": {"p": 3},
    }


def test_duplicate_keys_are_all_told() -> None:
    assert read("a: 1\na: 2\nb: {c: 1, c: 2, c: 3}") == (None, ["2:1 duplicate-key", "3:11 duplicate-key", "3:17 duplicate-key"])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: [1", "1:6 syntax"),
        ("a: b: c", "1:5 syntax"),
        ("a: !!python/object:os.system x", "1:4 syntax"),
        ("? [1]\n: 2", "1:3 syntax"),
        ("a\n---\nb", "2:1 syntax"),
        ("\tx", "1:1 syntax"),
        ("&a [*a]", "1:1 limit"),
        ("[" * 100_000, f"1:{MAX_DEPTH + 1} limit"),
        ("- x\n" * 70_000, "None:None limit"),
        ("[&a x" + ",*a" * (MAX_ALIASES + 1) + "]", None),
    ],
)
def test_what_is_refused_has_its_place(text: str, problem: str | None) -> None:
    found, problems = read(text)
    assert found is None
    assert len(problems) == 1
    assert problems == [problem] if problem else problems[0].endswith("limit")


def test_an_alias_bomb_is_refused() -> None:
    lines = ["a: &a [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"{name}: &{name} [{','.join(['*' + before] * 10)}]" for before, name in zip("abcdefgh", "bcdefghi", strict=True)]
    found, problems = read("\n".join(lines))
    assert found is None
    assert problems[0].endswith("limit")


@pytest.mark.parametrize("data", [b"a: \0", b"a: caf\xe9", b"\xff\xfe\xff", b'"a\x01": 1'])
def test_bytes_that_are_no_text_are_told(data: bytes) -> None:
    found, problems = read(data)
    assert found is None
    assert problems == ["1:None syntax"]


def test_sizes_and_digits_have_limits() -> None:
    assert read("#" * (MAX_BYTES + 1))[1] == ["None:None limit"]
    assert value("9" * 5000) == float("inf")


def test_nothing_is_none() -> None:
    assert value("") is None
    assert value("# only a comment") is None


def test_a_bar_in_braces_is_told_to_need_quotation_marks() -> None:
    log = ProblemLog("f", YAML_KINDS)
    read_yaml(Source("f", b"options: {separator: |}\n"), log)
    assert log.problems()[0].message.endswith('a value that begins with | needs quotation marks: "|"')
