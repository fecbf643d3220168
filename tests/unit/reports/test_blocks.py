"""Lines and tables: as plain text, and as Markdown."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from pytest_nlpeval.metrics.intervals import Interval
from pytest_nlpeval.reports.blocks import PROSE, Block, Said, Table, joined, look_of, numbers, plain, table_lines, text_of
from pytest_nlpeval.reports.history.blocks import chart_line
from pytest_nlpeval.reports.markdown import of_blocks
from pytest_nlpeval.reports.table import SIGNS
from tests.support import assert_clean, assert_harmless

VALUE, LOW = numbers("value", "low")
TABLE = Table(("system", VALUE, Said("0  1", "chart"), LOW), [["a|b", "1", Said(" o ", "chart"), "-"], ["c", "10", "", "-"]])


def test_numbers_end_at_the_right_and_no_line_in_blanks() -> None:
    assert table_lines(TABLE) == ["system  value  0  1  low", "a|b         1   o      -", "c          10          -"]


def test_wide_characters_take_two_columns_and_accents_none() -> None:
    rows = [["ab", "x"], ["東京", "x"], ["e\u0301", "x"]]
    assert table_lines(Table(("k", "v"), rows)) == ["k     v", "ab    x", "東京  x", "e\u0301     x"]


def test_signs_of_tables_take_one_column_each() -> None:
    assert {sign: cell_len(sign, "latest") for sign in SIGNS} == dict.fromkeys(SIGNS, 1)
    assert table_lines(Table(("k", "v"), [["✓ a", "x"], ["東 ✓", "x"]])) == ["k     v", "✓ a   x", "東 ✓  x"]


def test_a_compact_table_has_no_columns_that_say_nothing() -> None:
    assert TABLE.compact(LOW, VALUE).names == ["system", "value", "0  1"]
    assert Table((VALUE, LOW), []).compact(LOW).names == ["value"]
    assert TABLE.without(["system", "nowhere"]).rows[1] == ["10", "", "-"]


@given(st.lists(st.sampled_from(["p", "value", "document", "low", "verdict", "explanations", "f1"]), min_size=1, unique=True))
def test_no_name_of_a_measure_decides_how_its_column_is_laid_out(names: list[str]) -> None:
    """A measure's column is one of numbers, escaped in its heading, and no other column goes where the measure's is spared."""
    columns = [Said(name, "measure") for name in names]
    block = Table(("document", *columns, *numbers("explanations")), [["d", *("1" for _ in names), "2"]])
    header, row = ([word.end() for word in re.finditer(r"\S+", line)] for line in table_lines(block))
    assert header[1:] == row[1:]
    heading, rules, _ = of_blocks([block]).splitlines()[:3]
    assert all(f"<code>{name}</code>" in heading for name in names)
    assert rules == f"| {' | '.join(['---', *['--:'] * (len(names) + 1)])} |"
    assert block.without(columns).names == ["document", "explanations"]


def test_what_the_first_column_says_may_stand_above_its_rows() -> None:
    outlined = Table(("suite", "measure", VALUE), [["s", Said("f1"), "1"], ["", "recall", "2"], ["t", "f1", "3"]]).outlined()
    assert table_lines(outlined) == ["measure   value", "s", "  f1          1", "  recall      2", "t", "  f1          3"]
    assert look_of(outlined.rows[0]) == "title"


def test_of_a_narrower_chart_the_marks_that_say_most_are_seen() -> None:
    table = Table((Said("1     2", "chart"), "subject"), [[Said(" |---o-|", "chart"), "a long text"], ["", ""]])
    assert table.narrowed(8).rows == table.rows
    narrow = table.narrowed(4)
    assert narrow.rows == [[Said("|-o|", "chart"), "a long text"], ["", ""]]  # of each two marks one
    assert narrow.header == [Said("1  2", "chart"), "subject"]


@given(st.integers(1, 40), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_narrower_chart_shows_the_value_where_it_is(width: int, low: float, value: float, high: float) -> None:
    low, value, high = sorted((low, value, high))
    drawn = chart_line(value, Interval(low, high), (0, 1))
    ((cell,),) = Table(("",), [[Said(drawn, "chart")]]).narrowed(width).rows
    assert text_of(cell).index("o") == ((drawn.index("o") + 1) * width - 1) // len(drawn)
    assert len(text_of(cell)) == width


def test_prose_is_folded_in_plain_text_too() -> None:
    words = " ".join(["word"] * 40)
    lines = plain([Said(f"  {words}", hang=3), Said("", hang=0)]).splitlines()
    assert [line[: line.index("w")] for line in lines] == [" " * 2, " " * 5, " " * 5]
    header, *rows = plain([Table(("k", "text"), [["a", words], ["b", "x"]], prose=True)]).splitlines()
    assert (header, rows[-1]) == ("  k  text", "  b  x")
    assert [row[:5] for row in rows[:-1]] == ["  a  ", *[" " * 5] * (len(rows) - 2)]
    assert all(PROSE - len(" word") < len(line) <= PROSE for line in (*lines[:-1], *rows[:-2]))


def test_parts_have_an_empty_line_between_them() -> None:
    one, two = Said("1"), Said("2")
    assert joined([[], [one, two], [], [two]]) == [one, two, Said(""), two]
    assert joined([]) == joined([[]]) == []


def test_a_row_looks_as_its_first_cell_that_has_a_look() -> None:
    assert look_of(["a", Said("b"), Said("c", "bad"), Said("d", "good")]) == "bad"
    assert look_of(["a"]) == ""


def test_markdown_has_headings_tables_and_lines_in_which_nothing_is_markdown() -> None:
    blocks: list[Block] = [Said("dev <b>", "title"), Said("*one*"), Said("  <i>", "bad"), Said(""), TABLE, Said("")]
    assert of_blocks(blocks).splitlines() == [
        "### <code>dev &#60;b&#62;</code>",
        "",
        "<pre>",
        "*one*",
        "  &lt;i&gt;",
        "</pre>",
        "",
        "| system | value | <code>0&#160;&#160;1</code> | low |",
        "| --- | --: | --- | --: |",
        "| <code>a&#124;b</code> | 1 | <code>&#160;o&#160;</code> | - |",
        "| <code>c</code> | 10 |  | - |",
    ]


@given(st.lists(st.text(st.characters()), min_size=1))
def test_any_text_is_harmless_and_on_a_line_of_its_own(texts: list[str]) -> None:
    shown = plain([*map(Said, texts), Table(("a",), [[text] for text in texts])])
    assert_clean(shown)
    assert shown.count("\n") == 2 * len(texts) + 1
    table = of_blocks([Table(("a",), [[text] for text in texts])])
    assert_harmless(table)
    assert table.count("\n") == len(texts) + 2
