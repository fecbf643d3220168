from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.reports.blocks import Block, Said, Table
from pytest_nlpeval.reports.markdown import OPEN_LINES, SUMMARY_LIMIT, of_blocks
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.view import Setting
from tests.unit.reports.documents import document, full_of, gate, problem, render, suite

COMMENT_LIMIT = 65_536
TAG = re.compile(r"<[^>]*>?")
HOSTILE = (
    "<script>alert(1)</script>",
    "</pre></details><img src=x onerror=y>",
    "| a | b |",
    "\\| a",
    "`code` ``` more",
    "[text](https://example.org) ![i](x)",
    "https://example.org www.example.org someone@example.org mailto:a@b.c",
    "@someone #1 :tada: $x$ **b** _i_ ~~s~~",
    "a\n\n# heading\n- item\r\n> quote",
    "\x1b[31m\u202e\u2028::error::x ##[error]",
    "&lt;b&gt; &#60;",
    "<!-- comment",
    "\udcff",
)


def skeleton(text: str) -> list[tuple[list[str], int]]:
    """What is markup in each line: its tags, and the cells of a row."""
    text = re.sub(r"(?s)<pre>\n(.*?)\n</pre>", lambda match: "<pre>" + "\nline" * (match[1].count("\n") + 1) + "\n</pre>", text)
    return [
        (TAG.findall(line.replace("<!-- -->", "")), line.count("|") if line.startswith("|") else 0) for line in text.split("\n")
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_from_files_stays_text(text: str) -> None:
    shown = render("markdown", full_of(text))
    assert skeleton(shown) == skeleton(render("markdown", full_of("plain")))
    shown.encode()
    outside = re.sub(r"(?s)<pre>.*?</pre>|<summary>.*?</summary>", "", shown)
    raw = re.sub(r"&#\d+;|##+|\[!CAUTION\]|\*\*", "", outside)
    for sign in ("`", "[", "]", "*", "~", "@", "$", "#", "\\", "://", "www.", "&", "mailto:"):
        assert sign not in raw, sign


@given(st.text(st.characters(exclude_categories=()), min_size=1))
def test_no_text_changes_the_structure(text: str) -> None:
    assert skeleton(render("markdown", full_of(text))) == skeleton(render("markdown", full_of("plain")))


def test_what_is_shown_of_a_text_is_the_text() -> None:
    text = "a_b <c> | d*e* www.x.y"
    shown = render("markdown", document(suite(name=text)))
    heading = next(line for line in shown.splitlines() if line.startswith("###"))
    assert html.unescape(TAG.sub("", heading.replace("<!-- -->", ""))).startswith(f"### {text}: 2 documents")


def test_the_verdict_comes_first() -> None:
    good = document(suite(outcome="ok", gates=[gate(verdict="passed", value=0.75, reason="")]))
    assert render("markdown", good).startswith("> [!NOTE]\n> ✅ **the one gate passed**\n")
    bad = document(suite(cases={"total": 2, "failed": 1}))
    assert render("markdown", bad).startswith(
        "> [!CAUTION]\n> ❌ **1 of 1 gate failed; 1 of 2 documents with errors in files**. Worst: <code>dev</code>: 1 of 2 documents"
    )
    none = document(passed=False, problems=[problem(path="")])
    assert render("markdown", none).startswith("> [!CAUTION]\n> ❌ **1 error of the run itself; no suite was run**. wrong\n")
    assert "\nt.bad: wrong\n" in render("markdown", none)


def test_rows() -> None:
    gates = [
        gate(measure="b", condition="max", threshold=3, value=5, line=10, informational=True),
        gate(measure="a", value=None, verdict="unjudged", reason="why"),
        gate(measure="c", value=1.0, verdict="passed", reason="", line=11),
    ]
    shown = render("markdown", document(suite(gates=gates)))
    assert [line for line in shown.splitlines() if line.startswith(("| ❌", "| ⚠️", "| ✅"))] == [
        "| ❌ unjudged | <code>dev</code> | <code>a</code> | **–** | – | – |  | ≥ 0.5 |",
        "| ⚠️ informational | <code>dev</code> | <code>b</code> | 5 | – | – |  | ≤ 3, over by 2 |",
    ]
    assert "nlpeval.yaml:9: a ≥ 0.5: unjudged: why" in html.unescape(shown).replace("<!-- -->", "")


def test_a_suite_without_gates_or_scores() -> None:
    shown = render("markdown", document(suite(outcome="ok", gates=[], scores={})))
    assert shown.startswith("> [!NOTE]\n> ✅ **2 documents valid**\n")
    assert "all scores" not in shown


def test_the_first_problems_are_open_and_the_others_folded() -> None:
    problems = [
        problem(line=line, message=f"wrong {line}", severity="warning" if line < 5 else "error")
        for line in range(1, OPEN_LINES + 21)
    ]
    shown = render("markdown", document(suite(problems=problems)))
    head, _, tail = shown.partition("<details><summary>20 more lines</summary>")
    assert "system/a.txt:5:7: t.bad: wrong 5\n" in head
    assert "[warning]" not in head
    alert, _, listed = head.partition("<pre>")
    assert "(system/a.txt:5:7: t.bad, system/a.txt:6:7: t.bad, system/a.txt:7:7: t.bad, …)" in alert
    assert (listed.count("t.bad"), tail.count("t.bad")) == (OPEN_LINES, 20)


LARGE: dict[str, Callable[[], dict[str, Any]]] = {
    "suites": lambda: document(
        *(suite(name=f"s{number}", outcome="ok" if number else "failed") for number in reversed(range(400)))
    ),
    "gates": lambda: document(suite(gates=[gate(measure=f"m{number}", reason="ä" * 500) for number in range(1_500)])),
    "problems": lambda: document(
        suite(problems=[problem(code=f"t.bad{number}", message=f"{number}{'<' * 900}", line=number + 1) for number in range(300)])
    ),
    "scores": lambda: document(suite(scores={f"m{number}": {"value": 1.0} for number in range(4_000)})),
    "configurations": lambda: document(
        passed=False, problems=[problem(code=f"t.bad{number}", message=f"{number}{'&' * 5_000}") for number in range(300)]
    ),
    "summary": lambda: document(suite(gates=[gate(measure=f"m{number}") for number in range(12_000)])),
}
"""Each is larger than a comment may be, and the last one is larger than a summary."""


@pytest.fixture(scope="module", params=LARGE)
def large(request: pytest.FixtureRequest) -> tuple[Report, int]:
    """A large report, made and validated for the tests that run, not by every process that collects them; and a limit below its size."""
    report, limit = Report.from_json(LARGE[request.param]()), SUMMARY_LIMIT if request.param == "summary" else COMMENT_LIMIT
    assert len(render("markdown", report, Setting(limit=10**9)).encode()) > limit
    return report, limit


@pytest.mark.parametrize("share", [1, 0.08, 0])
def test_no_size_cap_loses_the_verdict(large: tuple[Report, int], share: float) -> None:
    report, largest = large
    limit = int(largest * share)
    shown = render("markdown", report, Setting(limit=limit))
    verdict = "\n".join(shown.split("\n")[:2])
    assert verdict.startswith("> [!CAUTION]\n> ❌ **")
    assert len(shown.encode()) <= max(limit, len(verdict.encode()) + 200)
    assert shown.count("<details>") == shown.count("</details>")
    assert shown.count("<pre>") == shown.count("</pre>")
    if limit >= 5_000 and report.suites:
        assert "❌ failed |" in shown or "- ❌ <code>" in shown


def many_failures() -> dict[str, object]:
    """44 suites, 10 of which fail, the last ones of the configuration, each with two failed and 50 passed gates; and many warnings."""
    passed = [gate(measure=f"m{number}", value=1.0, verdict="passed", reason="") for number in range(50)]
    scores = {f"m{number}": {"value": 1.0} for number in range(50)}
    warnings = [problem(severity="warning", message="é" * 900, line=line) for line in range(1, 40)]
    fine = (suite(name=f"fine{number}", outcome="ok", gates=passed, scores=scores, problems=warnings) for number in range(34))
    bad = (
        suite(name=f"bad{number}", gates=[*passed, gate(measure="worse"), gate(measure="less", condition="max", value=0.75)])
        for number in range(10)
    )
    return document(*fine, *bad)


@pytest.mark.parametrize("limit", [1_500, 4_000, 65_536, 600_000])
def test_no_failed_gate_is_lost(limit: int) -> None:
    shown = render("markdown", many_failures(), Setting(limit=limit))
    assert len(shown.encode()) <= limit
    assert "**20 of 2,220 gates failed in 10 of 44 suites**" in shown
    for number in range(10):
        lines = [line for line in shown.splitlines() if f"<code>bad{number}" in line and line.startswith(("| ❌", "- ❌"))]
        assert {"worse", "less"} <= set(re.findall(r"\w+", " ".join(lines)))
    assert "not named" not in shown
    assert ("| ❌ failed | <code>bad0</code> | <code>worse</code> | **0.250** | – | – |  | ≥ 0.5, short by 0.250 |" in shown) == (
        limit > 1_500
    )


@pytest.mark.parametrize(("suites", "gates"), [(44, 240), (44, 400), (1, 400), (400, 400)])
@pytest.mark.parametrize("limit", [65_536, 4_000])
def test_what_there_is_no_room_for_is_counted(suites: int, gates: int, limit: int) -> None:
    """All of 400 failed gates stand in a comment. In 4,000 bytes each of 44 failed suites does, with as many as there is room for."""
    shares = [gates // suites + (rank < gates % suites) for rank in range(suites)]
    measures = [[f"group.domain-{number}.f1" for number in range(share)] for share in shares]
    entries = [
        suite(
            name=f"suite-{rank:03}",
            gates=[gate(measure=name) for name in names],
            scores={name: {"value": 0.25} for name in names},
        )
        for rank, names in enumerate(measures)
    ]
    shown = render("markdown", document(*entries), Setting(limit=limit))
    assert len(shown.encode()) <= limit
    assert f"{gates} of {gates} gates failed" in shown
    lines = [line for line in shown.splitlines() if line.startswith(("| ❌", "- ❌"))]
    named = sum(len(re.findall(r"\bdomain-\d+", line)) for line in lines)
    told = re.search(r"(\d+) of (\d+) failed measures not named, ", shown)
    if limit == 65_536:
        assert (named, told) == (gates, None)
    else:
        assert told is not None
        assert (int(told[1]), int(told[2])) == (gates - named, gates)
        assert named > 40
    if suites < 400:
        assert len({match[1] for line in lines if (match := re.search("suite-([0-9]+)", line))}) == suites
        more = sum(int(match[1]) for line in lines if (match := re.search(r" and (\d+) more$", line)))
        assert named + more == gates


def test_names_that_are_long_cost_no_other_name() -> None:
    """Of ten names of 10,000 characters each has its beginning, in little room as in much."""
    names = [f"{letter}{'x' * 10_000}" for letter in "abcdefghij"]
    entry = suite(gates=[gate(measure=name) for name in names], scores={name: {"value": 0.25} for name in names})
    for limit in (4_000, 65_536):
        shown = render("markdown", document(entry), Setting(limit=limit))
        assert len(shown.encode()) <= limit
        assert [
            letter for letter in "abcdefghij" if f"{letter}xxx" not in shown.partition("| ❌")[2] + shown.partition("- ❌")[2]
        ] == []
        assert "not named" not in shown


def test_what_failed_comes_before_what_passed_whatever_the_configurations_order() -> None:
    shown = render("markdown", many_failures())
    assert shown.index("<code>bad9</code>") < 10_000 < len(shown)
    assert shown.index("<code>bad9</code>") < shown.index("<code>fine0")


def test_of_a_run_that_passed_only_items_that_are_newly_wrong_are_open() -> None:
    """A value that is among the worst is no news, and neither is what was wrong before."""
    wrong = {"case": "d1", "unit": "u1", "reason": "low", "message": "p: 0.1", "line": 3, "item": "u1"}
    fine = {"outcome": "ok", "gates": [gate(value=1.0, verdict="passed", reason="")]}
    for change in ({}, {"change": "newly_wrong"}):
        counts = {"newly_wrong": len(change), "newly_right": 0, "otherwise_wrong": 0, "still_wrong": 0}
        changes = {"counts": counts, "first": []}
        entry = suite(**fine, explanations={"counts": {"low": 1}, "first": [{**wrong, **change}]}, changes=changes)
        shown = render("markdown", document(entry)).partition("<details>")[0]
        assert ("p: 0.1" in shown) == bool(change)


def test_a_suite_without_gates_tells_its_documents_once() -> None:
    lines = render("markdown", document(suite(), suite(name="bare", outcome="ok", gates=[])))
    assert "- ✅ <code>bare</code>, 2 documents valid" in lines


def test_open_tables_keep_their_heading() -> None:
    blocks: list[Block] = [Said("dev", "title"), Table(("a",), [("1",)]), Said("more:", "fold"), Table(("b",), [("2",)] * 99)]
    for limit in range(230, 2_500, 50):
        shown = of_blocks(blocks, limit)
        assert shown.startswith("### <code>dev</code>\n\n| a |") or "| a |" not in shown
