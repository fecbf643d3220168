"""Text made to break a report, in every format, on a terminal, and in JUnit's XML: it appears literally, and does nothing."""

from __future__ import annotations

import csv
import html
import io
import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html

from pytest_nlpeval.cli.output import show_report
from pytest_nlpeval.cli.terminal import coloured
from pytest_nlpeval.reports import pieces
from pytest_nlpeval.reports.blocks import OUTLINE, Said, Table
from pytest_nlpeval.reports.formats import formats_of
from pytest_nlpeval.reports.kinds import RUN
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.table import COLUMNS
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.wording import harmless, printable
from tests.cli.terminals import bare, on_terminal
from tests.support import COMMAND, HALF, apart, assert_clean, assert_harmless, config_text, gold_xml, make_suite, run_pytest
from tests.unit.reports.documents import full_of, render

HOSTILE = {
    "image": "<img src=x onerror=alert(1)>",
    "script": "</script><script>alert(1)</script>",
    "cdata": "]]>",
    "elements": "</pre></code></details></td></table>",
    "entity": "&lt;b&gt;",
    "table": "| a | b |\n|---|---|\n| 1 | 2 |",
    "markdown": "[a](http://x) ![i](y) `code` **b** # h\n```",
    "colours": "\x1b[31mred\x1b[0m\x1b]0;title\x07\x9b2J",
    "directions": "\u202ereversed\u202c \u2066isolated\u2069\u200f",
    "a long word": "w" * 10_000,
    "lone surrogates": "\ud800 \udcff",
    "a formula": "=cmd|' /C calc'!A1",
    "workflow commands": "::error file=x::y\n##[error]z",
    "rich's markup": "[bold red]x[/bold red] [link=http://x]y[/] :smile:",
    "a template": "{{ 7 * 7 }}{% if x %}",
    "controls": "a\x00b\rc\x08\x7f\u2028d",
    "quotes": "\"a\",'b'\tc",
    "wide": "東京 e\u0301 \U0001f600",
}
ESCAPED = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)


@ESCAPED
@pytest.mark.parametrize("name", formats_of("run"))
def test_a_report_is_the_same_bytes_whenever_it_is_made(name: str, text: str) -> None:
    report = full_of(text)
    first = render(name, report)
    assert render(name, json.loads(json.dumps(report))) == first
    first.encode()
    if name in ("native", "text"):  # which are made to be printed
        assert_clean(first)
    elif name != "json":  # there it is in a string, which nobody obeys
        assert_harmless(first)


@ESCAPED
@pytest.mark.parametrize("name", formats_of("run"))
def test_a_runner_that_reads_a_printed_report_finds_no_command(capsys: pytest.CaptureFixture[str], name: str, text: str) -> None:
    report = full_of(text)
    show_report(pieces(name, RUN, Report.from_json(report)))
    printed = capsys.readouterr().out
    assert "##[" not in printed
    assert not re.search(r"(?m)^\s*::", printed)
    if name == "json":
        assert json.loads(printed) == json.loads(render(name, report))


def test_colons_in_names_are_what_they_are_where_no_runner_reads() -> None:
    report = full_of("std::vector")
    assert "std::vector" in json.loads(render("json", report))["suites"][0]["scores"]
    assert "std::vector" in {row["measure"] for row in csv.DictReader(io.StringIO(render("csv", report)))}
    assert "<code>std::vector</code>" in render("markdown", report)
    page = lxml_html.document_fromstring(render("html", report)).text_content()
    assert ("std::vector" in page, r"std:\x3avector" in page) == (True, False)
    assert r"std:\x3avector" in render("text", report)


@ESCAPED
def test_text_has_it_as_it_is(text: str) -> None:
    lines = render("text", full_of(text)).splitlines()
    assert printable(f"{text}:3:7: t.bad: {text}") in lines  # a problem; the note says what the reason of a gate says already
    assert lines[-1].startswith("✗ 2 of 2 gates failed")


@ESCAPED
def test_a_terminal_gets_colours_and_nothing_else(text: str) -> None:
    told = RUN.blocks(Report.from_json(full_of(text)), Setting())
    shown, sent = coloured(told, io.StringIO()), coloured(told, _Terminal())
    assert bare(sent) == shown
    assert_clean(shown)
    assert not re.search(r"\x1b(?!\[[\d;]*m)", sent)
    assert re.sub(r"\s", "", printable(text)) in re.sub(r"\s", "", shown)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@ESCAPED
def test_csv_has_it_in_cells_of_their_own(text: str) -> None:
    rows = list(csv.reader(io.StringIO(render("csv", full_of(text)))))
    assert {len(row) for row in rows} == {len(COLUMNS)}
    cells = {row[0] for row in rows[1:]}
    assert cells == {harmless(text) if text[0] != "=" else f"'{text}"}


COLUMNS_OF_GATES = ("verdict", "suite", "measure", "today", "baseline", "drop", "p", "limit")


@ESCAPED
def test_markdown_has_it_where_nothing_is_markdown(text: str) -> None:
    shown = render("markdown", full_of(text))
    row = next(line for line in shown.splitlines() if line.startswith("| ❌"))
    assert row.count("|") == len(COLUMNS_OF_GATES) + 1
    cell = re.sub(r"</?code>|<!-- -->", "", row.split(" | ")[1])
    assert html.unescape(cell).rstrip("…") == harmless(text)[:1_000]
    assert not re.search(r"(?i)<(script|img|b|a)\b", shown)


@ESCAPED
def test_html_has_it_as_text(text: str) -> None:
    tree = lxml_html.document_fromstring(render("html", full_of(text)))
    assert harmless(text) in tree.text_content()
    assert not tree.xpath("//img | //@onerror | //a[starts-with(@href, 'http')]")


@ESCAPED
def test_json_has_the_very_text(text: str) -> None:
    assert json.loads(render("json", full_of(text)))["suites"][0]["name"] == text


@ESCAPED
def test_native_says_so_on_one_line(text: str) -> None:
    assert render("native", full_of(text)).splitlines() == [
        f"# {printable(text)}",
        f"# the task {printable(text)} is not installed here",
    ]


NAMES = [
    b"<img src=x onerror=alert(1)>",
    b"]]>",
    b"| a | b |",
    b"\x1b[31mred",
    "\u202ereversed".encode(),
    b"w" * 240,
    b"\xff lone",
    b"=cmd|calc",
    b"::error::x",
    b"[bold red]x",
    b"{{ 7 * 7 }}",
]
CLAIM = "</h> ]]> \u202e [red]x[/red] | y |"


@pytest.fixture
def folder(pytester: pytest.Pytester) -> Path:
    """A suite with such names of documents, and such texts in their files; no gate holds."""
    make_suite(pytester.path, "accuracy: 0.9", config=config_text("accuracy: 0.9"), runs={})
    gold = gold_xml().replace("A claim.", CLAIM.replace("<", "&lt;").replace(">", "&gt;"))
    for side, text, end in (("gold", gold, b".xml"), ("system", HALF, b".txt")):
        (pytester.path / side).mkdir()
        for name in NAMES:
            Path(os.fsdecode(bytes(pytester.path / side) + b"/" + name + end)).write_text(text, "utf-8")
    return pytester.path


def test_names_of_files_in_every_report_of_a_run(folder: Path) -> None:
    targets = [argument for name in formats_of("run") for argument in ("--report", f"{name}:out.{name}")]
    ended = apart(folder, [*COMMAND, "run", *targets])
    assert ended.code == 1
    report = json.loads((folder / "out.json").read_bytes())
    names = {os.fsdecode(name) for name in NAMES}
    assert {entry["name"] for entry in report["suites"][0]["cases"]["documents"]} == names
    for name in formats_of("run"):
        text = (folder / f"out.{name}").read_text("utf-8")
        if name != "json":
            assert_harmless(text)
        assert text == render(name, report)
    shown = lxml_html.document_fromstring((folder / "out.html").read_text("utf-8")).text_content()
    assert all(harmless(name) in shown for name in names)
    assert harmless(CLAIM) in shown
    stored = apart(folder, [*COMMAND, "report", "csv", "out.json"]).out
    assert {row[6] for row in csv.reader(io.StringIO(stored)) if row[6]} - {"document"} == {
        f"'{name}" if name.startswith("=") else harmless(name) for name in names
    }


def test_names_of_files_on_a_terminal(folder: Path) -> None:
    code, text = on_terminal(folder, "run", columns=100)
    assert code == 1
    assert_clean(bare(text))
    assert printable(CLAIM) in re.sub(r"\n +", " ", bare(text))


def test_names_of_files_in_junits_xml(folder: Path, pytester: pytest.Pytester) -> None:
    assert run_pytest(pytester, "--junitxml=junit.xml").code == 1
    cases = list(ET.parse(folder / "junit.xml").iter("testcase"))
    names = {printable(os.fsdecode(name)) for name in NAMES}
    assert {str(case.get("name")).rstrip("]") for case in cases} == {name.rstrip("]") for name in names} | {
        "accuracy"
    }  # pytest adds one
    (failure,) = (found for case in cases if (found := case.find("failure")) is not None)
    assert printable(CLAIM) in (failure.text or "")


@given(st.lists(st.text(st.characters(exclude_categories=())), min_size=1, max_size=4))
def test_a_terminal_gets_any_text_harmlessly(texts: list[str]) -> None:
    rows: list[list[Said | str]] = [[text, Said(text, "bad"), text] for text in texts]
    sent = coloured([*map(Said, texts), Table(("measure", "value", "verdict"), rows, (OUTLINE, ("value",)))], _Terminal())
    assert_clean(bare(sent))
    assert all(printable(text).strip() in re.sub(r"\s*\n\s*", " ", bare(sent)) or len(text) > 20 for text in texts)
