from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any
from unittest.mock import ANY

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.yaml import MAX_ALIASES, MAX_BYTES, MAX_DEPTH, MAX_DIGITS, YAML_KINDS, Marked, Place, read_yaml
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
    assert value("9" * MAX_DIGITS) == int("9" * MAX_DIGITS)
    assert read("9" * 5000) == (None, ["1:1 number"])


FRACTIONS = st.builds(
    "{}{}.{}{}".format,
    st.sampled_from(["", "-", "+"]),
    st.text("0123456789", max_size=30),
    st.text("0123456789", min_size=1, max_size=30),
    st.sampled_from(["", "e5", "E-7", "e+400", "e-400"]),
)


@given(st.one_of(FRACTIONS, st.floats(allow_nan=False, allow_infinity=False).map(repr)))
def test_a_number_is_what_is_written_or_refused(text: str) -> None:
    """A number is read if its shortest form has the value that is written, and then has that value."""
    is_exact = Fraction(repr(float(text))) == Fraction(text) if math.isfinite(float(text)) else False
    assert read(f"a: [1, {text}]") == ((Marked({"a": [1, float(text)]}, ANY), []) if is_exact else (None, ["1:8 number"]))


@pytest.mark.parametrize("text", ["1e99999999999999999999", "0.1234567890123456789012", "-1e999", "1e-400"])
def test_what_would_be_rounded_is_refused_as_a_number_and_read_as_a_text(text: str) -> None:
    assert read(f"a:\n  b: {text}") == (None, ["2:6 number"])
    assert value(f"'{text}'") == text


def test_infinity_is_what_is_written() -> None:
    assert [*map(repr, value("[.inf, -.Inf, +.INF, .nan]"))] == ["inf", "-inf", "inf", "nan"]


def test_nothing_is_none() -> None:
    assert value("") is None
    assert value("# only a comment") is None


def test_a_bar_in_braces_is_told_to_need_quotation_marks() -> None:
    log = ProblemLog("f", YAML_KINDS)
    read_yaml(Source("f", b"options: {separator: |}\n"), log)
    assert log.problems()[0].message.endswith('a value that begins with | needs quotation marks: "|"')
