from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest
from lxml import etree, html

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.explanations import Passage
from pytest_nlpeval.reports.drawing import Picture
from pytest_nlpeval.reports.explanation_views import Piece, pieces
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.run.page import OPEN_ROWS, page_of
from pytest_nlpeval.wording import printable
from tests.test_contract import ROOT
from tests.unit.reports.documents import document, full_of, gate, problem, render, report, suite
from tests.unit.reports.test_drawing import dots, graph, line

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "</title></style><b>",
    '"><svg onload=alert(1)>',
    "{{ 7 * 7 }}{% raw %}",
    "\x1b[31m\u202egnp.exe\u2066",
    "\ud800 lone",
    "]]> &amp; &lt;",
    "x" * 10_000,
    "javascript:alert(1)",
)


def page(*suites: dict[str, Any], **fields: Any) -> Any:
    return tree_of(render("html", document(*suites, **fields)))


def tree_of(text: str) -> Any:
    """The page without its script, of which there is one."""
    found = html.document_fromstring(text)
    (script,) = found.xpath("//script")
    script.getparent().remove(script)
    return found


def words(found: Any) -> str:
    return " ".join(found.text_content().split())


def cells(rows: Any) -> list[str]:
    """The rows of a table, a blank between two cells and between two lines of a cell."""
    return [
        " ".join(" ".join(text for cell in row for text in (cell.itertext() if cell.xpath("br") else [words(cell)])).split())
        for row in rows
    ]


def row(name: str, value: float) -> dict[str, Any]:
    return {"name": name, "explanations": 2, "values": {"f1": value, "tp": 7}}


def cases(number: int, cut: int = 0) -> dict[str, Any]:
    documents = [row(f"d{place}", place / number) for place in range(number)]
    return {"total": number + cut, "failed": 0, "by": "f1", "documents": documents, "cut": cut}


def explained(number: int, **fields: Any) -> dict[str, Any]:
    entry = {"case": "a", "unit": "u", "reason": "missed", "line": None, "kind": "missed", **fields}
    return {"counts": {"missed": number + 5}, "first": [{**entry, "message": f"m{place}"} for place in range(number)], "cut": 5}


@pytest.fixture(scope="module")
def examples() -> Report:
    """The report of all examples, with explanations."""
    configs = sorted((ROOT / "examples").glob("*/nlpeval.yaml"))
    return report_of([evaluate(suite, explain=True) for config in configs for suite in load_suites(config)])


def test_the_page_needs_nothing_else(examples: Report) -> None:
    found = html.document_fromstring(render("html", examples))
    (policy,) = found.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    (style,), (script,) = found.xpath("//style/text()"), found.xpath("//script/text()")
    digests = [b64encode(sha256(text.encode()).digest()).decode() for text in (style, script)]
    own = "style-src 'sha256-{}'; script-src 'sha256-{}'".format(*digests)
    assert policy == f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"
    assert not found.xpath("//link | //img | //iframe | //object | //embed | //form | //base | //@style | //@src")
    assert not [name for node in found.iter() if isinstance(node.tag, str) for name in node.attrib if name.startswith("on")]
    assert all(target.startswith("#") for target in found.xpath("//@href"))
    assert not re.search(r"url\(|@import|https?:", style + script)
    assert not re.search(
        r"</|<!--|innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(|fetch|Storage|cookie", script
    )


def test_equal_reports_give_equal_bytes(examples: Report) -> None:
    assert render("html", examples) == render("html", examples)


def test_people_who_do_not_see_the_page_find_their_way(examples: Report) -> None:
    found = html.document_fromstring(render("html", examples))
    assert found.get("lang") == "en"
    assert len(found.xpath("//main")) == len(found.xpath("//h1")) == 1
    ids = found.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert {target[1:] for target in found.xpath("//@href")} <= set(ids)
    assert {name for names in found.xpath("//@aria-labelledby") for name in names.split()} <= set(ids)
    assert not found.xpath("//th[not(@scope)]")
    assert not found.xpath("//*[local-name() = 'svg'][not(@aria-hidden) and not(@role='img')]")
    for picture in found.xpath("//*[local-name() = 'svg'][@role='img']"):
        assert [part.text_content().strip() != "" for part in picture[:2]] == [True, True]
    levels = [int(heading.tag[1]) for heading in found.xpath("//h1 | //h2 | //h3")]
    assert levels[0] == 1
    assert all(second - first <= 1 for first, second in pairwise(levels))


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_text_from_files_appears_literally_and_harmlessly(text: str) -> None:
    found = render("html", full_of(text))
    found.encode()
    tree = tree_of(found)
    assert not tree.xpath("//script | //img | //b | //@onerror | //@onload")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", found)
    shown = tree.text_content()
    assert printable(text) in shown
    assert "49" not in shown
    assert [printable(text) in cell.text_content() for cell in tree.xpath("//tbody//th[@scope='row']")].count(True) >= 4
    plain = tree_of(render("html", full_of("plain")))
    assert [node.tag for node in tree.iter("*")] == [node.tag for node in plain.iter("*")] or "\n" in text


def test_the_overview_has_the_verdicts_first() -> None:
    gates = [gate(measure=f"m{place}") for place in range(5)]
    bad = suite(gates=gates, cases={"total": 3, "failed": 1})
    found = page(bad, suite(name="fine", outcome="ok", gates=[]), passed=False, problems=[problem(message="no such file")])
    assert words(found.xpath("//h1")[0]).startswith("FAILED: ")
    (overview,) = found.xpath("//section[@id='overview']")
    assert "no such file" in words(overview)
    rows = cells(overview.xpath(".//tbody/tr"))
    assert rows == ["dev ✗ failed rte 3 5", "fine ✓ passed rte 2 0"]
    assert [words(item) for item in overview.xpath(".//ul[@class='failures']//ul/li")] == [
        "1 document with errors",
        *(f"m{place}: 0.25 is 0.25 below the minimum 0.5" for place in range(3)),
        "2 more gates",
    ]


def test_the_overview_says_since_when_and_where() -> None:
    scores = {"f1": {"value": 0.25, "baseline": 0.75, "drop": 0.5}}
    baseline = {"source": "git:main", "resampled": "units", "units": {"paired": 3, "differing": 1}}
    gates = [gate(), gate(condition="max_drop", baseline=0.75, drop=0.5, reason="0.25 is 0.5 worse than 0.75"), gate(reason="")]
    changes = {"counts": {"newly_wrong": 2, "newly_right": 0, "otherwise_wrong": 1}, "first": []}
    facts = {"baseline": baseline, "scores": scores, "gates": gates, "changes": changes}
    found = page(suite(**facts, cases=cases(5), explanations=explained(4)))
    assert [words(item) for item in found.xpath("//ul[@class='failures']//ul/li")] == [
        "f1: 0.25 is 0.25 below the minimum 0.5; it was 0.7500 at git:main",
        "f1: 0.25 is 0.5 worse than 0.75",
        "f1: 0.2500, >= 0.5 wanted; it was 0.7500 at git:main",
        "worst documents by f1: d0 0.0000, d1 0.2000, d2 0.4000",
        "9 missed: 2 newly wrong, 1 wrong in another way, such as missed a, unit u m0 missed a, unit u m1",
    ]
    (link,) = found.xpath("//ul[@class='failures']//ul//a/@href")
    assert words(found.xpath(f"//*[@id='{link[1:]}']")[0]) == "Explanations"


def test_of_many_suites_that_failed_the_first_say_why() -> None:
    found = page(*[suite(name=f"s{place}") for place in range(OPEN_ROWS + 2)])
    assert len(found.xpath("//ul[@class='failures']/li")) == OPEN_ROWS
    assert "And 2 more suites." in words(found)
    assert not page(suite(outcome="ok")).xpath("//ul[@class='failures']")


def test_a_suite_shows_notes_problems_gates_and_scores() -> None:
    scores = {"f1": {"value": 0.25, "low": 0.2, "high": 0.3}, "tp": {"value": 3}, "p": {"value": None, "reason": "nothing there"}}
    problems = [problem(severity="warning", message=f"w{place}") for place in range(OPEN_ROWS)] + [
        problem(message="e", where="here")
    ]
    gates = [
        gate(),
        gate(verdict="passed", reason="", informational=True),
        gate(verdict="unjudged", value=None, informational=True),
    ]
    found = page(suite(notes=["half of it is missing"], problems=problems, scores=scores, gates=gates))
    (shown,) = found.xpath("//section[@class='suite']")
    assert words(shown.xpath(".//p[@class='remark']")[0]) == "half of it is missing"
    lists = shown.xpath(".//ul[@class='lines']")
    assert words(lists[0]).startswith("system/a.txt:3:7 t.bad: e (here) system/a.txt:3:7 t.bad [warning]: w0")
    assert "1 more problem" in words(shown.xpath(".//summary")[0])
    assert [" ".join(cell.itertext()) for cell in shown.xpath(".//td[@class='verdict']")] == [
        "✗ failed 0.25 is 0.25 below the minimum 0.5",
        "✓ passed (informational)",
        "? unjudged (informational) 0.25 is 0.25 below the minimum 0.5",
    ]
    table, gated, others = shown.xpath(".//table")
    assert [line.get("class") for line in table.xpath(".//tr[@class]")] == ["bad", "ok", "warn"]
    assert cells(gated.xpath("./tbody/tr")) == ["with gates", "f1 0.2500 0.2000 to 0.3000 ✗ >= 0.5; >= 0.5; >= 0.5, failed"]
    assert cells(others.xpath("./tbody/tr")) == ["tp 3", "p - nothing there"]
    assert "2 more measures" in words(shown.xpath(".//summary")[1])


def test_documents_come_with_bars() -> None:
    found = page(suite(cases=cases(20, cut=1000)))
    first, folded = (table.getparent() for table in found.xpath("//thead[starts-with(., 'document')]"))
    assert cells(first.xpath(".//tbody/tr"))[:3] == ["d0 0.0000 7 2", "d1 0.0500 7 2", "d2 0.1000 7 2"]
    assert [bar.get("width") for bar in first.xpath(".//*[local-name()='rect'][not(@class)]")] == [
        f"{5 * k:.1f}" for k in range(10)
    ]
    assert len(folded.xpath(".//tbody/tr")) == 10
    assert "1,000 better documents are left out." in words(found)
    assert not first.xpath(".//th[.='errors']")
    bad = {**cases(3), "documents": [{"name": "b", "problems": ["b.txt:3: x.bad", "c"]}, row("a", 0.5)]}
    (table,) = page(suite(cases=bad)).xpath("//thead[starts-with(., 'document')]/..")
    assert cells(table.xpath(".//tbody/tr")) == ["b - - - b.txt:3: x.bad; c", "a 0.5000 7 2"]


def test_many_suites_share_the_room() -> None:
    few = page_of(report(suite(cases=cases(1000), explanations=explained(300))))
    assert len(few.groups[0].suites[0].documents.rows) == 1000
    assert (len(few.groups[0].suites[0].explained.entries), few.groups[0].suites[0].explained.unshown) == (300, 5)
    many = page_of(report(*[suite(name=f"s{place}", cases=cases(50), explanations=explained(50)) for place in range(1000)]))
    assert [len(group.suites[0].documents.rows) for group in many.groups] == [OPEN_ROWS] * 1000
    assert {len(group.suites[0].explained.entries) for group in many.groups} == {
        2 * OPEN_ROWS
    }  # of each reason 20, if there is room for 10


@pytest.mark.parametrize("letter", ["<", "語"])
def test_the_page_of_two_systems_with_a_thousand_documents_is_below_5_megabytes(letter: str) -> None:
    passage = {"text": 400 * letter, "gold": [[0, 9]], "system": [[5, 50]]}
    listed = [
        {"name": f"document{place:04}", "explanations": 2, "values": dict.fromkeys(("f1", "muc.f1", "recall", "cws"), 1 / 3)}
        for place in range(1000)
    ]
    fields = {"cases": {**cases(1), "total": 1000, "documents": listed}, "explanations": explained(1500, passage=passage)}
    text = render("html", document(*[suite(name=f"dev/{name}", system=name, **fields) for name in ("ours", "old")]))
    assert 1_000_000 < len(text.encode()) < 5_000_000


def test_passages_are_marked() -> None:
    passage = {"text": "The ferry\nsank.", "gold": [[4, 9]], "system": [[8, 14]]}
    found = page(suite(outcome="ok", explanations=explained(12, passage=passage, gold="a", system="")))
    first = found.xpath("//p[@class='passage']")[0]
    assert [(mark.get("class"), mark.text_content()) for mark in first.xpath(".//mark")] == [
        ("gold", "[gold: ferr]"),
        ("both", "[gold and system: y]"),
        ("system", "[system: sank]"),
    ]
    assert len(first.xpath(".//br")) == 1
    assert found.xpath("//dl")[0].xpath(".//dd/bdi/text()") == ["a", "–"]
    assert [item.get("start") for item in found.xpath("//ol")] == ["1", "11"]
    assert "5 more explanations left out here." in words(found)
    unmarked = page(suite(explanations=explained(1, passage={"text": "T ⊢ H", "gold": [], "system": []})))
    assert not unmarked.xpath("//mark")


def test_pieces_make_the_text_again() -> None:
    text = "abcdefghij"
    found = list(pieces(Passage(text, gold=((0, 3), (2, 5), (9, 99)), system=((4, 6),))))
    assert "".join(piece.text for piece in found) == text
    assert found == [
        Piece("ab", "gold"),
        Piece("c", "gold"),
        Piece("d", "gold"),
        Piece("e", "both"),
        Piece("f", "system"),
        Piece("ghi", ""),
        Piece("j", "gold"),
    ]
    assert list(pieces(Passage(""))) == []


def test_the_systems_of_a_suite_are_in_one_picture() -> None:
    both = [graph(line((0, 0), (0.5, 1)), dots((0.5, 1)))]
    systems = [suite(name=f"dev/{name}", system=name, graphs=both) for name in ("ours", "old")]
    found = page(*systems, suite(name="dev", config="other.yaml", graphs=[graph(*[dots((0, 0))] * 300)]))
    first, second = found.xpath("//section[@class='graphs']")
    assert words(first.xpath("./h2")[0]) == "dev: all systems"
    assert words(second.xpath("./h2")[0]) == "dev: graphs"
    (svg,) = first.xpath(".//*[local-name()='svg'][@role='img']")
    names = [part.get("class") for part in svg.iter() if isinstance(part.tag, str) and " s" in part.get("class", "")]
    assert names == ["line s0", "line s1", "dot s0", "dot s1"]
    assert [words(item) for item in first.xpath(".//ul[@class='legend']/li")] == ["ours", "old"]
    assert cells(first.xpath(".//tbody/tr")) == [
        "ours line 0.5000 1",
        "ours dots 0.5000 1",
        "old line 0.5000 1",
        "old dots 0.5000 1",
    ]
    assert "100 more points in the JSON report." in words(second)
    assert len(second.xpath(".//tbody/tr")) == 200


def test_the_graphs_of_rte_end_where_the_scores_say(examples: Report) -> None:
    groups = {group.name: group for group in page_of(examples).groups}
    scores = {found.name: found.scores for found in examples.suites}
    accuracy, precision = (drawn for drawn in groups["rte-dev"].drawings[:2] if isinstance(drawn, Picture))
    for system in ("ours", "overlap"):
        for picture, measure in ((accuracy, "accuracy"), (precision, "cws")):
            ends = [(fact.x, fact.y) for fact in picture.facts if fact.system == system]
            values = scores[f"rte-dev/{system}"]
            assert ends == [pytest.approx((values["coverage"].value, values[measure].value), abs=1e-12)] * 2


def test_a_report_without_suites_is_a_page() -> None:
    found = page(passed=False, problems=[problem()])
    assert "FAILED" in words(found)
    assert not found.xpath("//tbody")
    etree.tostring(found)
