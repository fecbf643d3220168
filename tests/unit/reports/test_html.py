from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest
from lxml import etree, html

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.reports.drawing import Picture
from pytest_nlpeval.reports.items import FEWEST, OPEN_ROWS
from pytest_nlpeval.reports.judged import measure_rows
from pytest_nlpeval.reports.limit_pictures import limit_pictures
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.run.page import page_of
from pytest_nlpeval.wording import printable
from tests.test_contract import ROOT
from tests.unit.reports.documents import document, full_of, gate, problem, render, report, suite
from tests.unit.reports.test_drawing import dots, graph, line
from tests.work import calls_of

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


def items_in(found: Any) -> list[str]:
    return [words(item) for item in found.xpath(".//article")]


def test_the_header_counts_what_failed() -> None:
    found = page(suite(gates=[gate(), gate(verdict="passed"), gate(informational=True)]))
    assert words(found.xpath("//h1")[0]) == "✗ 1 of 2 gates failed"
    assert words(found.xpath("//header//p")[0]) == "1 informational gate failed"
    assert words(page(suite(outcome="ok", gates=[gate(verdict="passed")])).xpath("//h1")[0]) == "✓ the one gate passed"


def test_the_overview_has_a_row_for_each_suite_that_failed_the_worst_first() -> None:
    small = {"f1": {"value": 0.45, "baseline": 0.5, "drop": 0.05}}
    great = {"f1": {"value": 0.25, "baseline": 0.75, "drop": 0.5}}
    broken = suite(name="broken", outcome="set-up", gates=[], cases={"total": 3, "failed": 1})
    suites = [
        suite(name="small", scores=small, gates=[gate(value=0.45)]),
        broken,
        suite(name="fine", outcome="ok", gates=[]),
        suite(name="great", scores=great),
    ]
    found = page(*suites, passed=False, problems=[problem(message="no such file")])
    (overview,) = found.xpath("//section[@id='overview']")
    assert "no such file" in words(overview)
    assert cells(overview.xpath(".//tbody/tr")) == [
        "✗ failed: great rte 1 of 1 f1 ✗ ≥ 0.5 short by 0.250 0.250 0.750 0.500 –",
        "✗ failed: small rte 1 of 1 f1 ✗ ≥ 0.5 short by 0.050 0.450 0.500 0.050 –",
        "✗ failed: broken rte 1 of 3 documents with errors in files –",
    ]
    sections = found.xpath("//main/section[contains(@class, 'suite')]/@id")
    assert sections == ["great", "small", "broken", "fine"]
    nav = [words(link) for link in found.xpath("//nav//a")]
    assert nav == ["✗ 2 of 2 gates failed in 3 of 4 suites", "great", "small", "broken", "1 passed"]
    nexts = [words(link) for link in found.xpath("//a[starts-with(., 'next failed')]")]
    assert nexts == ["next failed: small", "next failed: broken"]


def test_one_suite_needs_no_overview() -> None:
    found = page(suite())
    assert not found.xpath("//nav | //section[@id='overview']//table | //section[@id='passed']")


def test_suites_that_passed_are_folded_unless_there_is_only_one() -> None:
    scores = {"f1": {"value": 0.75}}
    good = {"outcome": "ok", "scores": scores, "gates": [gate(verdict="passed", value=0.75, reason="")]}
    assert not page(suite(**good)).xpath("//section[@id='dev']/details[starts-with(., 'gates')]")
    found = page(suite(**good), suite(name="other"))
    assert found.xpath("//section[@id='dev']/details/summary[starts-with(., 'gates')]")
    assert cells(found.xpath("//section[@id='passed']//tbody/tr")) == ["dev rte 2 1 f1 0.750 ≥ 0.5, 0.250 to spare –"]
    assert [words(part) for part in found.xpath("//section[@id='passed']//h2")] == ["✓ 1 suite passed"]


def test_gates_and_measures_are_one_table_failing_first() -> None:
    scores = {
        "good": {"value": 0.75},
        "bad": {
            "value": 0.25,
            "low": 0.2,
            "high": 0.3,
            "baseline": 0.5,
            "drop": 0.25,
            "drop_low": 0.125,
            "drop_high": 0.375,
            "p": 0.012,
        },
        "goal": {"value": 0.5},
        "none": {"value": None, "reason": "nothing there"},
    }
    gates = [
        gate(measure="good", value=0.75, verdict="passed", reason="", line=1),
        gate(measure="goal", value=0.5, threshold=0.75, informational=True, line=2),
        gate(measure="bad", line=3),
        gate(measure="bad", condition="max_drop", threshold=0.01, baseline=0.5, drop=0.25, line=3),
        gate(measure="none", value=None, verdict="unjudged", reason="nothing there", line=4),
    ]
    found = page(suite(scores=scores, gates=gates))
    (table,) = found.xpath("//table[@class='gates']")
    assert cells(table.xpath("./tbody/tr")) == [
        "✗ failed: bad 0.250 0.500 0.250 [0.125, 0.375] ✗ ≥ 0.5 short by 0.250 ✗ drop ≤ 0.01 over by 0.240 0.012",
        "? unjudged: none – – ? ≥ 0.5 unjudged nothing there",
        "! informational: goal informational 0.500 – ✗ ≥ 0.75 short by 0.250",
        "✓ passed: good 0.750 – ✓ ≥ 0.5 0.250 to spare",
    ]
    assert table.xpath("./tbody/tr/@id") == ["dev.bad", "dev.none", "dev.goal", "dev.good"]
    pictures = table.xpath("./tbody/tr/td[@class='c5']")
    assert [bool(picture.xpath(".//*[local-name()='circle']")) for picture in pictures] == [True, False, True, True]


def test_measures_within_their_limits_are_folded_if_they_are_many() -> None:
    scores = {f"m{place}": {"value": 0.75} for place in range(4)}
    gates = [gate(measure=name, value=0.75, verdict="passed", reason="") for name in scores]
    folded = page(suite(outcome="ok", scores=scores, gates=gates))
    assert words(folded.xpath("//details[.//table[@class='gates']]/summary")[0]) == "4 measures within their limits"
    few = page(suite(outcome="ok", scores=scores, gates=gates[:2]))
    assert not few.xpath("//details//table[@class='gates']")
    assert "No gates: the files are checked, nothing is judged." in words(page(suite(outcome="ok", gates=[])))


def test_what_limits_let_pass_is_drawn_on_one_axis() -> None:
    scores = {
        "f1": {"value": 0.5, "low": 0.4, "high": 0.6, "baseline": 0.8, "drop": 0.3},
        "ece": {"value": 0.3, "better": "lower", "baseline": 0.1, "drop": 0.2},
    }
    gates = [
        gate(value=0.5, threshold=0.7),
        gate(condition="max_drop", threshold=0.1, value=0.5, baseline=0.8, drop=0.3),
        gate(measure="ece", condition="max", threshold=0.2, value=0.3),
    ]
    rows = measure_rows(report(suite(scores=scores, gates=gates)).suites[0])
    ticks, (f1, ece) = limit_pictures(rows)
    assert f1 is not None
    assert ece is not None
    places = {float(tick.label): float(tick.place) for tick in ticks}

    def at(place: str) -> float:
        """The value at a place of the common axis."""
        (low, start), (high, end) = min(places.items()), max(places.items())
        return low + (float(place) - start) / (end - start) * (high - low)

    drawn = [at(place) for place in (f1.low, f1.today, f1.high, f1.baseline)]
    assert drawn == pytest.approx([0.4, 0.5, 0.6, 0.8], abs=0.001)
    bound, drop = f1.limits
    assert [at(limit.x) for limit in f1.limits] == pytest.approx([0.7, 0.7], abs=0.001)  # 0.8 - 0.1
    assert (bound.is_of_drop, at(bound.zone) < 0.5) == (False, True)
    assert (drop.is_of_drop, drop.zone) == (True, "")
    assert not f1.has_own_axis
    assert ece.has_own_axis
    (most,) = ece.limits
    assert float(most.zone) == float(most.x) < float(ece.today)  # more is worse: the right side fails
    alone = report(suite(scores={"f1": {"value": 0.25}}, gates=[gate(condition="max_drop")]))
    assert limit_pictures(measure_rows(alone.suites[0])).pictures == [None]  # a single point shows nothing


def test_a_suite_shows_notes_problems_and_all_measures() -> None:
    scores = {"f1": {"value": 0.25, "low": 0.2, "high": 0.3}, "tp": {"value": 3}, "p": {"value": None, "reason": "nothing there"}}
    problems = [problem(severity="warning", message=f"w{place}") for place in range(OPEN_ROWS)] + [
        problem(message="e", where="here")
    ]
    found = page(suite(notes=["half of it is missing"], problems=problems, scores=scores))
    assert words(found.xpath("//ul[@class='notes']/li")[0]) == "half of it is missing"
    lists = found.xpath("//ul[@class='lines']")
    assert words(lists[0]).startswith("system/a.txt:3:7 t.bad: e (here) system/a.txt:3:7 t.bad [warning]: w0")
    assert "1 more problem" in [words(summary) for summary in found.xpath("//summary")]
    (table,) = found.xpath("//table[@class='measures']")
    assert cells(table.xpath(".//tbody/tr[not(@class)]")) == ["f1 0.2500 0.2000 to 0.3000 ✗ ≥ 0.5", "tp 3", "p - nothing there"]
    assert words(found.xpath("//p[contains(@class, 'signature')]")[0]) == "signature rte|v:1"


def test_the_footer_says_what_made_the_report_and_how_to_make_it_again() -> None:
    statistics = {"confidence": 0.95, "resamples": 10_000, "seed": 12345}
    found = page(suite(config="a b.yaml", statistics=statistics), python="3.13.1")
    facts = dict(zip(map(words, found.xpath("//footer//dt")), map(words, found.xpath("//footer//dd")), strict=True))
    assert facts == {
        "made by": "t, Python 3.13.1",
        "statistics": "95 % intervals, 10,000 draws, seed 12345",
        "again": "nlpeval run 'a b.yaml' --report html:report.html",
    }


def test_the_footers_command_has_the_options_of_the_run() -> None:
    found = page(suite(config="nlpeval.yaml"), arguments=["--profile", "release", "--suite", "dev/*"])
    facts = dict(zip(map(words, found.xpath("//footer//dt")), map(words, found.xpath("//footer//dd")), strict=True))
    assert facts["again"] == "nlpeval run nlpeval.yaml --profile release --suite 'dev/*' --report html:report.html"


def test_what_became_worse_leads_to_the_items() -> None:
    tallies = {
        "reason": [
            {"name": "label", "then": 1, "today": 5, "newly_wrong": 4, "newly_right": 0},
            {"name": "missed", "then": 2, "today": 1, "newly_wrong": 0, "newly_right": 1},
        ]
    }
    changes = {"counts": {"newly_wrong": 4, "newly_right": 1, "otherwise_wrong": 0}, "first": [], "by": tallies}
    found = page(suite(explanations=explained(4), changes=changes))
    (table,) = found.xpath("//table[@class='kinds']")
    assert cells(table.xpath("./tbody/tr")) == ["label 1 5 +4 4 0", "missed 2 1 −1 0 1"]
    assert [(link.get("href"), link.get("data-k"), link.get("data-v")) for link in table.xpath(".//a")] == [
        ("#dev.items", "r", "label"),
        ("#dev.items", "r", "missed"),
    ]
    assert (
        words(found.xpath("//*[@id='dev.worse']")[0]) == "What became worse 4 newly wrong, 1 newly right, 0 wrong in another way"
    )


def test_five_items_are_open_and_the_others_are_folded_by_kind() -> None:
    entries = explained(12)["first"] + explained(3, reason="spurious", pair=["", "LOC"])["first"]
    entries = [{**entry, "unit": f"u{place}"} for place, entry in enumerate(entries)]
    found = page(suite(outcome="ok", explanations={"counts": {"missed": 12, "spurious": 8}, "first": entries, "cut": 5}))
    (box,) = found.xpath("//*[@class='itembox']")
    assert words(box.xpath("./h3")[0]).startswith("Items 20 wrong today; 15 are on this page")
    assert len(box.xpath("./div[@class='items']/article")) == 5
    folds = [words(summary) for summary in box.xpath(".//summary")]
    assert folds[0].startswith("missed (")
    assert sum(int(fold.rpartition("(")[2].strip(")")) for fold in folds) == 10
    assert any(fold.startswith("nothing → LOC · spurious (") for fold in folds) or len(box.xpath("./div/article[@data-p]")) == 3
    assert "5 more items in the JSON report." in words(box)
    keys = [item.get("id") for item in box.xpath(".//article")]
    assert sorted(keys) == sorted(f"dev.a.u{place}" for place in range(15))


def test_anchors_are_names_that_do_not_depend_on_the_order() -> None:
    suites = [suite(name="news/ours", explanations=explained(1)), suite(name="a b")]
    ids = set(page(*suites).xpath("//@id"))
    assert {"news/ours", "news/ours.gates", "news/ours.f1", "news/ours.items", "news/ours.a.u", "a_b", "a_b.f1"} <= ids
    assert ids == set(page(*suites[::-1]).xpath("//@id"))


def test_anchors_tell_configurations_apart() -> None:
    """Suites of one name in two configurations each keep an anchor of their own, whichever comes first."""
    suites = [suite(explanations=explained(1)), suite(config="x.yaml", gates=[gate(measure="p")], scores={"p": {"value": 0.25}})]
    ids = set(page(*suites).xpath("//@id"))
    first, second = "dev__nlpeval.yaml_", "dev__x.yaml_"
    assert {first, f"{first}.gates", f"{first}.f1", f"{first}.items", f"{first}.a.u", second, f"{second}.p"} <= ids
    assert ids.isdisjoint({"dev", "dev~2", f"{first}.p", f"{second}.f1", f"{second}.items"})
    assert ids == set(page(*suites[::-1]).xpath("//@id"))


def test_documents_come_with_bars_and_their_items() -> None:
    found = page(suite(cases=cases(20, cut=1000), explanations=explained(3)))
    first, folded = (table.getparent() for table in found.xpath("//thead[starts-with(., 'document')]"))
    assert cells(first.xpath(".//tbody/tr"))[:3] == ["d0 0.000 7 2", "d1 0.050 7 2", "d2 0.100 7 2"]
    assert [bar.get("width") for bar in first.xpath(".//*[local-name()='rect'][not(@class)]")] == [
        f"{5 * k:.1f}" for k in range(OPEN_ROWS)
    ]
    assert next((link.get("data-k"), link.get("data-v")) for link in first.xpath(".//a")) == ("d", "d0")
    assert len(folded.xpath(".//tbody/tr")) == 20 - OPEN_ROWS
    assert "1,000 better documents are left out." in words(found)
    assert not first.xpath(".//th[.='errors']")
    bad = {**cases(3), "documents": [{"name": "b", "problems": ["b.txt:3: x.bad", "c"]}, row("a", 0.5)]}
    (table,) = page(suite(cases=bad)).xpath("//thead[starts-with(., 'document')]/..")
    assert cells(table.xpath(".//tbody/tr")) == ["b – – – b.txt:3: x.bad; c", "a 0.500 7 2"]


def test_many_suites_share_the_room() -> None:
    (few,) = page_of(report(suite(cases=cases(1000), explanations=explained(300)))).suites
    assert len(few.documents.rows) == 1000
    assert (few.items.shown, few.items.unshown) == (300, 5)
    many = page_of(report(*[suite(name=f"s{place}", cases=cases(50), explanations=explained(50)) for place in range(400)]))
    assert [len(shown.documents.rows) for shown in many.suites] == [FEWEST] * 400
    assert {shown.items.shown for shown in many.suites} == {2 * FEWEST}  # of each reason 20, if there is room for 10


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
    found = page(suite(outcome="ok", explanations=explained(1, passage=passage, gold="a", system="", kind="boundary")))
    (text,) = found.xpath("//p[contains(@class, 'text')]")
    assert [
        [(part.get("class"), part.text_content()) for part in mark] for mark in text.xpath(".//span[starts-with(@class, 'seg')]")
    ] == [
        [("chip g", "gold"), ("t", "ferr")],
        [("t", "y"), ("chip x", "✗ system, shifted")],
        [("t", "sank")],
    ]
    assert len(text.xpath(".//br")) == 1
    assert words(found.xpath("//p[@class='ans']")[0]) == "gold a system ✗ nothing"
    unmarked = page(suite(explanations=explained(1, passage={"text": "T ⊢ H", "gold": [], "system": []})))
    assert not unmarked.xpath("//span[starts-with(@class, 'seg')]")
    assert [words(part) for part in unmarked.xpath("//p[@class='text'] | //p[@class='hyp']")] == ["T", "H"]


def test_the_systems_of_a_suite_are_in_one_picture() -> None:
    both = [graph(line((0, 0), (0.5, 1)), dots((0.5, 1)))]
    systems = [suite(name=f"dev/{name}", system=name, graphs=both) for name in ("ours", "old")]
    found = page(*systems, suite(name="dev", config="other.yaml", graphs=[graph(*[dots((0, 0))] * 300)]))
    (first,) = found.xpath("//section[@class='graphs']")
    (second,) = found.xpath("//*[@id='dev__other.yaml_.graphs']/following-sibling::div[@class='pictures']")
    assert words(first.xpath(".//h2")[0]) == "dev (nlpeval.yaml): all systems"
    (svg,) = first.xpath(".//*[local-name()='svg'][@role='img']")
    names = [part.get("class") for part in svg.iter() if isinstance(part.tag, str) and " s" in part.get("class", "")]
    assert names == ["line s0", "line s1", "dot s0", "dot s1"]
    assert [words(item) for item in first.xpath(".//ul[@class='legend']/li")] == ["ours", "old"]
    assert cells(first.xpath(".//tbody/tr")) == [
        "ours line 0 0",
        "ours line 0.500 1",
        "ours dots 0.500 1",
        "old line 0 0",
        "old line 0.500 1",
        "old dots 0.500 1",
    ]
    assert "100 more points in the JSON report." in words(second)
    assert len(second.xpath(".//tbody/tr")) == 200


def test_the_graphs_of_rte_end_where_the_scores_say(examples: Report) -> None:
    groups = {group.name: group for group in page_of(examples).systems}
    scores = {found.name: found.scores for found in examples.suites}
    accuracy, precision = (drawn for drawn in groups["rte-dev"].drawings[:2] if isinstance(drawn, Picture))
    for system in ("ours", "overlap"):
        for picture, measure in ((accuracy, "accuracy"), (precision, "cws")):
            own = [fact for fact in picture.facts if fact.system == system]
            ends = [(fact.x, fact.y) for fact in {fact.series: fact for fact in own}.values()]  # the last of each series
            values = scores[f"rte-dev/{system}"]
            assert ends == [pytest.approx((values["coverage"].value, values[measure].value), abs=1e-12)] * 2


def test_more_systems_than_looks_can_be_told_apart() -> None:
    systems = [
        suite(name=f"dev/s{place}", system=f"s{place}", graphs=[graph(line((0, 0), (1, place / 20)))]) for place in range(20)
    ]
    found = page(*systems)
    looks = found.xpath("//section[@class='graphs']//*[local-name()='svg'][@role='img']//*[starts-with(@class, 'line ')]/@class")
    assert len(set(looks)) == len(looks) == 20


def test_a_report_without_suites_is_a_page() -> None:
    found = page(passed=False, problems=[problem()])
    assert words(found.xpath("//h1")[0]) == "✗ 1 error of the run itself"
    assert not found.xpath("//tbody")
    etree.tostring(found)


def test_work_for_a_page_grows_with_its_measures() -> None:
    """Whether any measure has a baseline is looked up once for their table: looked up for each row it would be four times the work."""

    def work(number: int) -> int:
        told = report(suite(scores={f"m{rank}": {"value": 0.25} for rank in range(number)}))
        return calls_of(lambda: render("html", told))

    work(1)  # what is made once in a process
    assert work(800) < 3 * work(400)
