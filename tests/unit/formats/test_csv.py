from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.csv import CSV_KINDS, Row, read_csv, read_tsv
from pytest_nlpeval.problems import Kind, ProblemLog

Reader = Callable[[Source, ProblemLog], Iterator[Row]]


def read(data: str | bytes, reader: Reader = read_csv) -> tuple[list[Row], list[str]]:
    log = ProblemLog("f", CSV_KINDS)
    rows = list(reader(Source("f", data if isinstance(data, bytes) else data.encode()), log))
    return rows, [f"{problem.line}:{problem.column} {problem.code}" for problem in log.problems()]


def fields(data: str, reader: Reader = read_csv) -> list[list[str]]:
    rows, problems = read(data, reader)
    assert problems == []
    return [row.fields for row in rows]


texts = st.text(st.sampled_from('a",\n\r\t é\u2028\u2029\x85\x0b\x0c\x1c\U0001f600'), max_size=6)
tables = st.lists(st.lists(texts, min_size=1, max_size=4), max_size=5)
marked = tables.map(lambda rows: [["x", *row, "x"] for row in rows])
"""Tables without blank rows, the last of which would be nothing."""


@given(marked, st.sampled_from(["\n", "\r\n"]), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]), st.booleans())
def test_what_csv_writes_comes_back_with_its_lines(rows: list[list[str]], end: str, quoting: int, last: bool) -> None:
    written, lines = io.StringIO(), []
    writer = csv.writer(written, lineterminator=end, quoting=quoting)  # type: ignore[arg-type]
    for row in rows:
        lines.append(written.getvalue().count("\n") + 1)
        writer.writerow(row)
    text = written.getvalue()
    found, problems = read(text if last else text.removesuffix(end))
    assert problems == []
    assert [row.fields for row in found] == rows
    assert [row.line for row in found] == lines


@given(marked, st.data())
def test_a_malformed_row_is_told_and_hides_no_other(rows: list[list[str]], data: st.DataObject) -> None:
    bad = data.draw(st.sampled_from([('a"b', 2), ('"a"b', 4), ('x,"a" ', 6), ('x,y"', 4), ('""a', 3), (' "a"', 2)]))
    place = data.draw(st.integers(0, len(rows)))
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows[:place])
    line = written.getvalue().count("\n") + 1
    written.write(f"{bad[0]}\n")
    csv.writer(written, lineterminator="\n").writerows(rows[place:])
    found, problems = read(written.getvalue())
    assert [row.fields for row in found] == rows
    assert problems == [f"{line}:{bad[1]} csv.quotes"]


@given(st.text(st.sampled_from('a",\n')))
def test_the_reader_agrees_with_the_standard_library(text: str) -> None:
    """Whose strict reader lets quotation marks inside a field pass, and has no field in a blank row."""
    rows, problems = read(text)
    content = text.rstrip("\n")  # blank lines at the end are nothing
    try:
        expected = [row or [""] for row in csv.reader(io.StringIO(content, newline=""), strict=True)]
    except csv.Error:
        assert problems
    else:
        assert problems or [row.fields for row in rows] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("a", [["a"]]),
        ("a,b\n", [["a", "b"]]),
        (",\n", [["", ""]]),
        ("a\n\nb\n", [["a"], [""], ["b"]]),
        ("a\n\n\n", [["a"]]),
        ('""\n', [[""]]),
        ('"a\r\nb",c\r\nd,e\r\n', [["a\r\nb", "c"], ["d", "e"]]),
        ('"a\n\n"\n', [["a\n\n"]]),
        ('"a"\r\n\r\n', [["a"]]),
        ("a\rb,c\n", [["a\rb", "c"]]),
        ('a\rb,"c"\r\nd\r\n', [["a\rb", "c"], ["d"]]),
        ('""""\n', [['"']]),
        ("a , b\n", [["a ", " b"]]),
        ("x,\n", [["x", ""]]),
        ("'a,b'\n", [["'a", "b'"]]),
        ('\ufeff"a",b\n', [["a", "b"]]),
        ('\ufeff"a",b\r\n', [["a", "b"]]),
    ],
)
def test_fields(text: str, expected: list[list[str]]) -> None:
    assert fields(text) == expected


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ('"a', ["1:1"]),
        ('a\nb,"c\nd\n', ["2:3"]),
        ('"', ["1:1"]),
        ('"a""', ["1:1"]),
        ('a,b"c\nd"\n"e"f\n', ["1:4", "2:2", "3:4"]),
        ('"a\nb" c\nd\n', ["2:3"]),
        ('"a\r\nb" c\r\nd\r\n', ["2:3"]),
        ('"é"x\n', ["1:4"]),
    ],
)
def test_every_malformed_quotation_mark_has_its_place(text: str, problems: list[str]) -> None:
    assert read(text)[1] == [f"{problem} csv.quotes" for problem in problems]


def test_a_field_without_end_hides_none_of_the_rows_below() -> None:
    assert read('a,"b\nc,d\n') == ([Row(2, ["c", "d"])], ["1:3 csv.quotes"])


def test_tabs_separate_and_quotation_marks_are_characters() -> None:
    assert fields('a\t"b\n"\tc"\r\n\nd\n\n', read_tsv) == [["a", '"b'], ['"', 'c"'], [""], ["d"]]
    assert fields("", read_tsv) == []
    assert fields("a,b\tc\t\n", read_tsv) == [["a,b", "c", ""]]


@pytest.mark.parametrize("reader", [read_csv, read_tsv])
@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\r"])
def test_only_line_feeds_end_lines(reader: Reader, mark: str) -> None:
    assert fields(f"a{mark}b\nc\n", reader) == [[f"a{mark}b"], ["c"]]


@pytest.mark.parametrize("reader", [read_csv, read_tsv])
@pytest.mark.parametrize(
    ("data", "problem"), [(b"a\n\xe9", "2:1 text.encoding"), (b"a\0", "1:2 text.nul"), (b"PK\x03\x04", "None:None text.encoding")]
)
def test_bytes_that_are_not_text(reader: Reader, data: bytes, problem: str) -> None:
    assert read(data, reader) == ([], [problem])


def test_a_task_names_its_problem() -> None:
    log = ProblemLog("f", CSV_KINDS | {"labels.quotes": Kind("error", "")})
    assert list(read_csv(Source("f", b'"a"b\n'), log, "labels.quotes")) == []
    assert [problem.code for problem in log.problems()] == ["labels.quotes"]


@pytest.mark.parametrize("line", ['"', '"a""\n', '"a"b\n', 'a"\n', '""\n', '"\n"\n', '"a\n'])
def test_time_grows_with_the_text_only(line: str) -> None:
    """Were each row looked for from the start, or up to the end, of the text, these would take minutes."""
    log = ProblemLog("f", CSV_KINDS)
    assert len(list(read_csv(Source("f", line.encode() * 40_000), log))) + log.count("csv.quotes") > 0
