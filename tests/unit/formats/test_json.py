from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import (
    JSON_KINDS,
    MAX_DEPTH,
    STANDARD,
    Dialect,
    Entry,
    Repeated,
    _Reader,
    read_json,
    read_json_lines,
)
from pytest_nlpeval.problems import Kind, ProblemLog, Rule

Problems = list[str]


def shown(log: ProblemLog) -> Problems:
    return [f"{problem.line}:{problem.column} {problem.code.removeprefix('json.')}" for problem in log.problems()]


def read(text: str | bytes, dialect: Dialect = STANDARD) -> tuple[Entry | None, Problems]:
    log = ProblemLog("f", JSON_KINDS)
    found = read_json(Source("f", text if isinstance(text, bytes) else text.encode()), log, dialect)
    return found, shown(log)


def read_lines(text: str | bytes, dialect: Dialect = STANDARD) -> tuple[list[Entry], Problems]:
    log = ProblemLog("f", JSON_KINDS)
    found = list(read_json_lines(Source("f", text if isinstance(text, bytes) else text.encode()), log, dialect))
    return found, shown(log)


def message(text: str, *, by_line: bool = False) -> str:
    log = ProblemLog("f", JSON_KINDS)
    source = Source("f", text.encode())
    assert not (list(read_json_lines(source, log)) if by_line else read_json(source, log))
    return log.problems()[0].message


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3),
    max_leaves=8,
)
styles = st.fixed_dictionaries({"ensure_ascii": st.booleans(), "indent": st.none() | st.integers(0, 2)})


@given(plain, styles, st.sampled_from(["", "\n", " \r\n\t"]))
def test_json_is_read_as_it_was_written(value: Any, style: dict[str, Any], before: str) -> None:
    text = before + json.dumps(value, **style)
    for end in ("\n", "\r\n"):
        assert read(text.replace("\n", end)) == (Entry(1 + before.count("\n"), value), [])


@given(st.lists(plain), st.booleans(), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_json_lines_are_read_as_they_were_written(values: list[Any], ascii_: bool, end: str, last: bool) -> None:
    text = end.join(json.dumps(value, ensure_ascii=ascii_) for value in values)
    found, problems = read_lines(text + end if last else text)
    assert problems == []
    assert found == [Entry(line, value) for line, value in enumerate(values, 1)]


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\xa0", "\x1c", "\x0b", "\x0c", "\r"])
def test_only_line_feeds_end_lines(mark: str) -> None:
    """Control characters are faults inside a string, but they do not end the line."""
    found, problems = read_lines(f'"a{mark}b"\n1\n')
    if mark < " ":
        assert (found, problems) == ([Entry(2, 1)], ["1:3 syntax"])
    else:
        assert (found, problems) == ([Entry(1, f"a{mark}b"), Entry(2, 1)], [])


deep = "[" * MAX_DEPTH + "]" * MAX_DEPTH
too_deep = f"[{deep}]"
mixed = '{"a":[' * (MAX_DEPTH // 2)

FAULTS = [
    ("", "1:1 syntax"),
    ("é", "1:1 syntax"),
    ("{'a': 1}", "1:2 syntax"),
    ('["é" 1]', "1:6 syntax"),
    ('{"a" 1}', "1:6 syntax"),
    ("[1, 2,]", "1:7 syntax"),
    ('{"a": 1} x', "1:10 syntax"),
    ('"abc', "1:1 syntax"),
    ('"\\x"', "1:2 syntax"),
    ('"\t"', "1:2 syntax"),
    ("01", "1:2 syntax"),
    ("[1,,2]", "1:4 syntax"),
    ('{"é": NaN}', "1:7 number"),
    ("[-Infinity]", "1:2 number"),
    (f"[{2**53 + 1}]", "1:2 number"),
    (f"[{-(2**53) - 1}]", "1:2 number"),
    ("[" + "9" * 5000 + "]", "1:2 number"),
    ("[1e400]", "1:2 number"),
    ("[1" + "0" * 400 + ".5]", "1:2 number"),
    ('["\\ud83d"]', "1:3 text"),
    ('{"\\uDE00": 1}', "1:3 text"),
    ('["\\ud83d\\ud83d\\ude00"]', "1:3 text"),
    ('["\\\\\\ud83d"]', "1:5 text"),
    ('{"a": 1, "\\u0061": 2}', "1:10 duplicate-key"),
    ('[{"b": {"a": 1, "c": {"a": 1}, "a": 1}}]', "1:32 duplicate-key"),
    ('[1.5, {"a": 1, "a": 2}]', "1:16 duplicate-key"),
    (too_deep, f"1:{MAX_DEPTH + 1} limit"),
    (mixed + "{}" + "]}" * (MAX_DEPTH // 2), f"1:{len(mixed) + 1} limit"),
    ('{"x": "[[", "y": ' + deep + "}", f"1:{17 + MAX_DEPTH} limit"),
    ("[" * 100_000, f"1:{MAX_DEPTH + 1} limit"),
    ("[" * 100_000 + "]" * 100_000, f"1:{MAX_DEPTH + 1} limit"),
    ('{"a":' * 100_000, f"1:{5 * MAX_DEPTH + 1} limit"),
]


@pytest.mark.parametrize(("text", "problem"), FAULTS)
def test_each_fault_has_its_place(text: str, problem: str) -> None:
    assert read(text) == (None, [problem])
    if text:
        column, code = problem.removeprefix("1:").split()
        assert read_lines(f"1\n{text}\n2\n{text}\n") == ([Entry(1, 1), Entry(3, 2)], [f"2:{column} {code}", f"4:{column} {code}"])
        assert read(f"[1,\n\n [{text}]]")[1][0].startswith("3:")


@pytest.mark.parametrize(
    "text",
    [
        deep,
        str(2**53),
        str(-(2**53)),
        "1e308",
        '"\\ud83d\\ude00"',
        '"\\\\ud83d"',
        '["[[[", {"a": 1}, {"a": 1}]',
        '"NaN"',
        "-0",
        json.dumps([[]] * 1000),
        json.dumps({"a": "NaN, -Infinity, 1e999, {[" * 100}),
    ],
)
def test_what_is_not_a_fault(text: str) -> None:
    assert read(text) == (Entry(1, json.loads(text)), [])


def test_a_document_tells_all_its_faults_and_a_line_its_first() -> None:
    faults = '{"a": NaN, "a": 1e999, "b": "\\udfff"}'
    assert read(faults.replace(",", ",\n"))[1] == ["1:7 number", "2:2 duplicate-key", "2:7 number", "3:8 text"]
    assert read_lines(faults)[1] == ["1:7 number"]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b'"\xe9"', "1:2 text.encoding"),
        ('"a"'.encode("utf-16"), "None:None text.encoding"),
        (b"\x1f\x8b\x08", "None:None text.encoding"),
        (b'"\0"', "1:2 text.nul"),
    ],
)
def test_bytes_that_are_not_text(data: bytes, problem: str) -> None:
    assert read(data) == (None, [problem])
    assert read_lines(data) == ([], [problem])


def test_a_byte_order_mark_is_tolerated() -> None:
    assert read(b"\xef\xbb\xbf[1]") == (Entry(1, [1]), [])
    assert read_lines(b"\xef\xbb\xbf1\n") == ([Entry(1, 1)], [])


def test_blank_lines() -> None:
    text = "\n1\n \t\r\n2\n\n"
    assert read_lines(text) == ([Entry(2, 1), Entry(4, 2)], ["1:1 syntax", "3:1 syntax"])
    assert read_lines(text, Dialect(blank_lines=True)) == ([Entry(2, 1), Entry(4, 2)], [])
    assert read_lines(f"\n \n{text}", Dialect(blank_start=True)) == ([Entry(4, 1), Entry(6, 2)], ["5:1 syntax"])
    assert read_lines("") == read_lines("\n \n") == ([], [])
    assert read("\n \n")[1] == ["1:1 syntax"]


def test_lines_of_objects() -> None:
    assert read_lines('{}\n[1]\n3\nnull\n{"a": 1}\n', Dialect(objects=True)) == (
        [Entry(1, {}), Entry(5, {"a": 1})],
        ["2:1 syntax", "3:1 syntax", "4:1 syntax"],
    )


def test_both_halves_of_what_is_not_a_pair_are_faults() -> None:
    assert read('["\\ud83dx\\ude00"]')[1] == ["1:3 text", "1:10 text"]
    assert read('{"\\uDE00\\uD83D": 1}')[1] == ["1:3 text", "1:9 text"]


def test_null_is_a_value() -> None:
    assert read("null") == (Entry(1, None), [])


def test_the_greatest_number_is_the_dialects() -> None:
    wide = Dialect(greatest=2**63)
    assert read(str(2**63), wide) == (Entry(1, 2**63), [])
    assert read(str(2**63 + 1), wide) == (None, ["1:1 number"])
    assert read("1000000000000000", Dialect(greatest=10**14))[1] == ["1:1 number"]


def test_half_surrogate_pairs_may_be_allowed() -> None:
    assert read('["\\udcff\\ud83d\\ude00"]', Dialect(text="")) == (Entry(1, ["\udcff\U0001f600"]), [])
    assert read('["\\udcff"]') == (None, ["1:3 text"])


@pytest.mark.parametrize(
    ("rule", "values"), [("error", []), ("warning", [Entry(1, {"a": 1, "b": 3})]), ("off", [Entry(1, {"a": 1, "b": 3})])]
)
def test_a_task_names_its_problems(rule: Rule, values: list[Entry]) -> None:
    """All faults have the task's one code, but duplicates their own, which may be tolerated: then the first counts."""
    kinds = JSON_KINDS | {"qa.json": Kind("error", "", fixed=True), "qa.duplicate-id": Kind(rule, "")}
    dialect = Dialect.of("qa.json", "qa.duplicate-id")
    log = ProblemLog("f", kinds)
    assert list(read_json_lines(Source("f", b'{"a": 1, "a": 2, "b": 3}\nNaN\n{"a": 1, "a": Infinity}\n'), log, dialect)) == values
    codes = [problem.code.removeprefix("qa.") for problem in log.problems()]
    assert (
        codes
        == {
            "error": ["duplicate-id", "json", "duplicate-id"],
            "warning": ["duplicate-id", "json", "duplicate-id", "json"],
            "off": ["json", "json"],
        }[rule]
    )
    assert Dialect.of("qa.json").duplicate == "qa.json"


def test_messages_say_what_to_do() -> None:
    assert message("{'a': 1}").endswith("expected a key in double quotation marks; strings have double quotation marks")
    assert message("[None]").endswith("expected a value; write null")
    assert message("[1,\n]").endswith("; the comma before it is one too many")
    assert message('{"a": 1}\n{"a": 2}\n').endswith("; is it JSON Lines?")
    assert message('{"a":\n1}\n', by_line=True).endswith("as it must in JSON Lines")
    assert message("9" * 5000) == f"{'9' * 40}… is beyond 9,007,199,254,740,992, the greatest whole number; write it as a string"
    assert message('["a,\n1]').endswith("; is the closing quotation mark missing?")
    assert message("") == "the file is empty; expected a JSON value"
    assert message('{"a": 1,\n"b": 2,\n"a": 3}') == 'the key "a" appears on line 1 already; keep one of the two'


@pytest.mark.parametrize(
    "text", ["[" + '"\\ud800",' * 30_000 + "1]", "{" + '"a": 1,\n' * 100_000 + '"b": 1}', "[" + "NaN," * 100_000 + "1]"]
)
def test_many_faults_cost_no_more_each_than_few(text: str) -> None:
    """Were each place counted from the start of the text, these would take minutes."""
    log = ProblemLog("f", JSON_KINDS)
    assert read_json(Source("f", text.encode()), log) is None
    assert log.count(*JSON_KINDS) >= 30_000 - 1


def test_constants_are_read_where_a_dialect_has_them() -> None:
    log = ProblemLog("f", JSON_KINDS)
    entry = read_json(Source("f", b"[NaN, Infinity, -Infinity, 1]"), log, Dialect(constants=True))
    assert entry is not None
    assert list(map(repr, entry.value)) == ["nan", "inf", "-inf", "1"]
    faulty = b'{"a": NaN,\n"a": 1e999}'
    assert read_json(Source("f", faulty), log, Dialect(constants=True)) is None
    assert [(problem.line, problem.code) for problem in log.problems()] == [(2, "json.duplicate-key"), (2, "json.number")]


def test_keys_that_stand_twice_may_be_the_tasks() -> None:
    dialect = replace(STANDARD, duplicate="")
    found, problems = read('{"a": 1, "b": {"c": 2, "c": 3}, "a": 4}', dialect)
    assert not problems
    assert found is not None
    assert isinstance(found.value, Repeated)
    assert found.value == {"a": 1, "b": {"c": 2}}
    assert found.value.pairs == [("a", 1), ("b", {"c": 2}), ("a", 4)]
    assert found.value["b"].pairs == [("c", 2), ("c", 3)]


def test_numbers_that_are_too_great_may_be_the_tasks() -> None:
    dialect = replace(STANDARD, overflows=True)
    found, problems = read(f"[1e999, -1e999, {10**20}, -{10**20}, {2**53}]", dialect)
    assert not problems
    assert found is not None
    assert found.value == [math.inf, -math.inf, math.inf, -math.inf, 2**53]
    assert read("[NaN]", dialect)[1] == ["1:2 number"]
    assert read('{"a": 1e999, "a": 1}', dialect)[1] == ["1:14 duplicate-key"]


PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        '"',
        '"a":',
        '"a" :',
        '"b":',
        ":",
        ",",
        '"x:y"',
        "1",
        "1e999",
        "NaN",
        "12345678901234567890",
        '\\"',
        "\\ud83d",
        " ",
    ]
)
OBJECTS_OF_SCALARS = st.dictionaries(
    st.sampled_from(["a", "b", "c:", 'd"']), st.sampled_from([1, 1.5, "x:y", ":", None, "}{"])
).map(json.dumps)
DOUBTFUL = st.lists(PIECES, max_size=9).map("".join)
STRADDLING = st.sampled_from(
    ['{"a":"}', '{"}', '{"a":[{"b":1}', '{"a":1,"a":2}', '{"a" :1,"a":":"}', '{"a":[1,}', "{]}", '{"a":1},{"b":2}']
)
LINES = st.lists(st.one_of(OBJECTS_OF_SCALARS, DOUBTFUL, STRADDLING), min_size=1, max_size=4)


@given(LINES, st.sampled_from([STANDARD, Dialect(objects=True, decimals=True), Dialect(duplicate="", overflows=True)]))
def test_lines_that_are_parsed_together_are_what_each_is_alone(lines: list[str], dialect: Dialect) -> None:
    """Neither a string nor a list that one line leaves open goes on in the next."""
    logs = [ProblemLog("f", JSON_KINDS), ProblemLog("f", JSON_KINDS)]
    text = "\n".join([*lines, "{}"]).encode()  # the end is no blank line
    whole = list(read_json_lines(Source("f", text), logs[0], dialect))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pytest_nlpeval.formats.json._Reader.plain_objects", lambda *_: None)
        alone = list(read_json_lines(Source("f", text), logs[1], dialect))
    assert whole == alone
    assert [type(entry.value) for entry in whole] == [type(entry.value) for entry in alone]
    assert logs[0].problems() == logs[1].problems()


@pytest.mark.parametrize(
    ("lines", "are_plain"),
    [
        (['{"a": 1}', '{"a": "x:y", "b": [1]}'], True),
        (['{"a":"}', '{"}'], False),
        (['{"a":1}', '{"a" :1,"a" :2}'], False),
        (['{"a": {"b": 1}}'], False),
        (['{"a": 1234567890123456, "b": -1234567890123456.5}', '{"a": 15e2, "b": "0e1"}'], True),
        (['{"a": 123456789012345, "b": -0, "c": "1234567890123456"}', '{"a": 0.123456789012345, "b": -0.0}'], True),
        (['{"a": 12345678901234567890}'], False),
        (['{"a": 1e999}'], False),
        (['{"a": NaN}'], False),
        (['{"a": 1},{"b": 2', '"c": 3}'], False),
        (['{"a": 1} '], False),
    ],
)
def test_plain_lines_take_the_short_way(lines: list[str], are_plain: bool) -> None:
    objects = _Reader(ProblemLog("f", JSON_KINDS), STANDARD).plain_objects("\n".join(lines).encode())
    assert objects == ([json.loads(line) for line in lines] if are_plain else None)
