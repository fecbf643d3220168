"""What every format tells of a run: verdict, rows, sentences, growth and examples, worked out from small reports by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.reports.digest import digest_of, suite_digest
from pytest_nlpeval.reports.examples import examples_of, said_of
from pytest_nlpeval.reports.growth import growth_of
from pytest_nlpeval.reports.model import ExplanationReport
from tests.unit.reports.documents import gate, problem, render, report, suite, suite_report
from tests.work import calls_of

BEFORE, NOW = 0.877, 0.654


def score(value: float, baseline: float, **fields: Any) -> dict[str, Any]:
    return {"value": value, "baseline": baseline, "drop": baseline - value, "p": 0.0001, **fields}


def max_drop(**fields: Any) -> dict[str, Any]:
    reason = "worse than allowed"
    return gate(condition="max_drop", threshold=0.01, value=NOW, baseline=BEFORE, drop=BEFORE - NOW, reason=reason, **fields)


def wrong(item: str, gold: str, system: str, **fields: Any) -> dict[str, Any]:
    usual = {
        "case": "n00",
        "unit": item,
        "reason": "label",
        "message": f"gold {gold}, system {system}",
        "line": 3,
        "pair": [gold, system],
        "item": item,
        "gold": gold,
        "system": system,
        "change": "newly_wrong",
    }
    return {name: value for name, value in {**usual, **fields}.items() if name != "change" or value}


def tally(name: str, then: int, today: int) -> dict[str, Any]:
    return {"name": name, "then": then, "today": today, "newly_wrong": max(0, today - then), "newly_right": max(0, then - today)}


def fallen(**fields: Any) -> dict[str, Any]:
    usual = {
        "scores": {"f1": score(NOW, BEFORE, drop_low=0.197, drop_high=0.248)},
        "gates": [gate(value=NOW, threshold=0.8), max_drop()],
        "statistics": {"confidence": 0.95, "resamples": 1000, "seed": 1},
        "baseline": {
            "source": "git:HEAD",
            "commit": "a32c40b" + "0" * 33,
            "subject": "Good",
            "author": "Ann",
            "date": "2026-11-01",
        },
    }
    return suite(**usual | fields)


def test_the_verdict_counts_what_failed() -> None:
    informational = gate(informational=True)
    gates = [gate(), gate(verdict="unjudged", value=None), gate(verdict="passed", value=0.75), informational]
    found = digest_of(report(suite(gates=gates), suite(name="other", outcome="ok", gates=[gate(verdict="passed", value=0.75)])))
    assert found.verdict.text == "2 of 4 gates failed, 1 unjudged in 1 of 2 suites; 1 informational gate failed"
    assert [digest.verdict.text for digest in found.suites] == [
        "2 of 3 gates failed, 1 unjudged; 1 informational gate failed",
        "the one gate passed",
    ]


def test_what_fails_besides_gates_is_in_the_verdict() -> None:
    broken = suite(gates=[], cases={"total": 3, "failed": 1}, problems=[problem()])
    found = digest_of(report(broken, passed=False, problems=[problem()]))
    assert found.verdict.text == "1 error of the run itself; 1 of 3 documents with errors in files"
    assert digest_of(report(passed=False, problems=[problem()])).verdict.text == "1 error of the run itself; no suite was run"
    assert digest_of(report(suite(gates=[], outcome="ok"))).verdict.text == "2 documents valid"


def test_errors_of_the_run_lead_where_no_gate_failed_and_follow_where_one_did() -> None:
    fine = suite(outcome="ok", gates=[gate(verdict="passed", value=0.75)])
    error, warning = problem(code="comment.conclusion", message="the workflow ended with `failure`"), problem(severity="warning")
    found = report(fine, passed=False, problems=[error, warning])
    assert digest_of(found).verdict.text == "1 error of the run itself; the one gate passed; 1 warning of the run itself"
    alert = "> ❌ **1 error of the run itself; the one gate passed; 1 warning of the run itself**. the workflow ended with"
    assert render("markdown", found).splitlines()[1].startswith(alert)
    failed = report(suite(gates=[gate()]), passed=False, problems=[error])
    assert digest_of(failed).verdict.text == "1 of 1 gate failed; 1 error of the run itself"


def test_errors_of_a_suite_lead_where_all_of_its_gates_passed() -> None:
    passed = [gate(measure=name, verdict="passed", value=0.75) for name in ("f1", "recall")]
    entry = problem(code="config.measure", path="nlpeval.yaml")
    told = "1 error in the configuration; all 2 gates passed"
    found = report(suite(gates=passed, problems=[entry, entry | {"severity": "warning"}]))
    assert [digest_of(found).verdict.text, suite_digest(found.suites[0]).verdict.text] == [told, told]
    assert suite_digest(found.suites[0]).sentence == "1 error in the configuration (nlpeval.yaml:3:7: config.measure)."
    assert suite_digest(found.suites[0]).closing == told
    assert render("text", found).splitlines()[-3:] == [f"✗ dev: {told}", "", f"✗ {told}"]
    assert render("markdown", found).splitlines()[1].startswith(f"> ❌ **{told}**. Worst: <code>dev</code>: 1 error in the")

    failed = report(suite(gates=[*passed, gate(measure="precision")], problems=[entry]))
    assert digest_of(failed).verdict.text == "1 of 3 gates failed; 1 error in the configuration"
    two = report(suite(gates=passed, problems=[entry, problem(code="task.failed")]), suite(name="ok", outcome="ok", gates=passed))
    assert digest_of(two).verdict.text == (
        "1 error in the configuration; 1 error of suites themselves; all 4 gates passed; 1 of 2 suites failed"
    )
    vanished = suite(gates=passed, problems=[problem(code="baseline.vanished", path="nlpeval.yaml")])
    assert digest_of(report(vanished)).verdict.text == "1 error of the suite itself; all 2 gates passed"
    told = digest_of(report(vanished, passed=False, problems=[problem(code="config.syntax"), problem()])).verdict.text
    assert told == "1 error in the configuration; 1 error of the run itself; 1 error of the suite itself; all 2 gates passed"


def test_errors_in_files_are_counted_by_documents() -> None:
    gates = [gate(verdict="unjudged", value=None, reason="1 of 2 documents has errors in its files (a.txt:3: t.bad)")]
    found = report(suite(gates=gates, cases={"total": 2, "failed": 1}, problems=[problem()]))
    assert digest_of(found).verdict.text == "1 of 1 gate failed, 1 unjudged; 1 of 2 documents with errors in files"


@pytest.mark.parametrize("code", ["config.none", "config.syntax"])
def test_an_error_without_a_place_is_of_the_run(code: str) -> None:
    nowhere = report(passed=False, problems=[problem(code=code, path="")])
    assert digest_of(nowhere).verdict.text == "1 error of the run itself; no suite was run"
    placed = report(passed=False, problems=[problem(code=code, path="nlpeval.yaml")])
    assert digest_of(placed).verdict.text == "1 error in the configuration; no suite was run"


def test_why_gates_are_unjudged_is_told_once() -> None:
    reason = "base.json: file.missing: does not exist"
    gates = [
        gate(measure=name, condition="max_drop", threshold=0.1, value=0.75, verdict="unjudged", reason=reason)
        for name in ("a", "b")
    ]
    baseline = {"source": "base.json", "reason": reason}
    notes = [f"not compared with the baseline: {reason}", "another note"]
    told = render("text", report(suite(gates=gates, baseline=baseline, notes=notes)))
    assert " ".join(told.split()).count(reason) == 1
    assert f"a, b are unjudged: {reason}." in " ".join(told.split())
    assert "another note" in told


def test_a_measure_is_one_row_with_all_its_limits() -> None:
    (row,) = suite_digest(suite_report(fallen())).rows
    assert (row.verdict, row.value, row.baseline, row.drop, row.interval, row.p) == (
        "failed",
        "0.654",
        "0.877",
        "0.223",
        "[0.197, 0.248]",
        "< 0.001",
    )
    assert [limit.told for limit in row.limits] == ["≥ 0.8, short by 0.146", "drop ≤ 0.01, over by 0.213"]


def test_the_sentence_says_by_how_much_against_baseline_and_limit_and_whether_by_chance() -> None:
    assert suite_digest(suite_report(fallen())).sentence == (
        "f1 fell from 0.877 to 0.654: a drop of 0.223 (95 % interval 0.197 to 0.248; 0.01 is allowed), more than chance explains "
        "(p < 0.001). It is short by 0.146 of the limit ≥ 0.8."
    )


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"scores": {"f1": {"value": 0.25}}, "gates": [gate()]}, "f1 is 0.250: ≥ 0.5, short by 0.250."),
        ({"scores": {"f1": score(0.25, 0.25)}, "gates": [gate()]}, "f1 is 0.250 as in the baseline: ≥ 0.5, short by 0.250."),
        (
            {"scores": {"f1": score(0.25, 0.125)}, "gates": [gate()]},
            "f1 went from 0.125 to 0.250, which is better, but ≥ 0.5, short by 0.250.",
        ),
        (
            {"scores": {"f1": score(NOW, BEFORE, p=0.5)}, "gates": [max_drop()]},
            "f1 fell from 0.877 to 0.654: a drop of 0.223 (0.01 is allowed), which may be chance (p = 0.500).",
        ),
        (
            {
                "scores": {"wer": {"value": 0.5, "baseline": 0.25, "drop": 0.25, "better": "lower"}},
                "gates": [gate(measure="wer")],
            },
            "wer rose from 0.250 to 0.500: a drop of 0.250. It is short by 0.250 of the limit ≥ 0.5.",
        ),
        (
            {
                "scores": {"wer": {"value": 0.5, "baseline": 0.25, "drop": 0.25, "better": "lower"}},
                "gates": [gate(measure="wer", condition="max", threshold=0.375, value=0.5)],
            },
            "wer rose from 0.250 to 0.500: a drop of 0.250. It is over by 0.125; the limit is ≤ 0.375.",
        ),
        (
            {"gates": [gate(verdict="unjudged", value=None, reason="there is no baseline")]},
            "f1 is unjudged: there is no baseline.",
        ),
        (
            {"gates": [gate(condition="max_newly_wrong", threshold=0, value=2, reason="q1, q2")]},
            "f1: newly wrong units ≤ 0, over by 2: q1, q2.",
        ),
        (
            {"outcome": "ok", "gates": [gate(verdict="passed", value=0.75)]},
            "All gates passed; the nearest to its limit is f1, 0.250 to spare (≥ 0.5).",
        ),
        ({"gates": [], "cases": {"total": 2, "failed": 1}}, "1 of 2 documents has errors in files."),
    ],
)
def test_sentences(fields: dict[str, Any], sentence: str) -> None:
    assert suite_digest(suite_report(suite(**fields))).sentence == sentence


def test_a_drop_over_a_part_of_the_items_is_told() -> None:
    fields = {"scores": {"f1": score(NOW, BEFORE, drop=0.1)}, "gates": [max_drop()]}
    assert "a drop of 0.100 over what both runs have" in suite_digest(suite_report(suite(**fields))).sentence


def test_the_worst_comes_first_whatever_the_order_of_the_configuration() -> None:
    small = fallen(name="small", scores={"f1": score(0.8, 0.85)}, gates=[max_drop()])
    undropped = suite(name="a", scores={"f1": {"value": 0.25}})
    fine = suite(name="fine", outcome="ok", gates=[])
    found = digest_of(report(fine, undropped, small, fallen(name="worst")))
    assert [digest.name for digest in found.suites] == ["worst", "small", "a", "fine"]
    assert found.worst is found.failed[0]


def test_rows_go_by_verdict_then_by_what_they_are_of_then_by_drop() -> None:
    names = {"f1": 0.1, "accuracy": 0.2, "ORG.f1": 0.3, "macro.f1": 0.05, "recall": 0.4}
    scores = {name: score(0.5, 0.5 + drop, group="ORG" if "ORG" in name else "") for name, drop in names.items()}
    gates = [gate(measure=name) for name in ("f1", "ORG.f1", "accuracy")]
    gates += [gate(measure="macro.f1", informational=True), gate(measure="recall", verdict="passed", value=0.75)]
    explained = {"counts": {"label": 1}, "first": [wrong("1", "ORG", "PER")]}
    found = suite_digest(suite_report(suite(scores=scores, gates=gates, explanations=explained)))
    assert [row.measure for row in found.rows] == ["accuracy", "f1", "ORG.f1", "macro.f1", "recall"]
    assert [row.verdict for row in found.rows] == ["failed", "failed", "failed", "informational", "passed"]


def test_growth_tells_kinds_with_counts_of_then_and_today() -> None:
    by = {
        "reason": [tally("label", 0, 73), tally("missed", 58, 73)],
        "pair": [
            {"gold": "ORG", "system": "", "then": 15, "today": 27, "newly_wrong": 14, "newly_right": 2},
            tally("", 0, 0) | {"name": "x"},
        ],
        "document": [tally("n00", 1, 2)],
        "group": [tally("news", 1, 2)],
    }
    changes = {"counts": {"newly_wrong": 2, "newly_right": 0, "otherwise_wrong": 0}, "first": [], "by": by}
    found = suite_digest(suite_report(fallen(changes=changes)))
    assert [(growth.title, [kind.text for kind in growth.grown]) for growth in found.growth] == [
        ("group", ["news 1 → 2"]),
        ("gold → system", ["ORG → nothing 15 → 27"]),
        ("reason", ["label 0 → 73", "missed 58 → 73"]),
    ]


def test_without_a_comparison_growth_is_the_counts_of_today() -> None:
    found = suite_digest(suite_report(suite(explanations={"counts": {"label": 1, "missed": 2}, "first": []})))
    assert [kind.text for kind in found.growth[0].kinds] == ["missed 2", "label 1"]


def test_examples_share_the_places_by_the_method_of_dhondt() -> None:
    growth = {"label": 73, "label-and-boundary": 36, "missed": 15}
    entries = [
        wrong(f"{reason}{number}", "LOC", "ORG", reason=reason, case=f"n{number:02}")
        for reason in reversed(growth)
        for number in range(9)
    ]
    changes = {
        "counts": {"newly_wrong": 27, "newly_right": 1, "otherwise_wrong": 0},
        "first": [],
        "by": {"reason": [tally(reason, 0, number) for reason, number in growth.items()]},
    }
    found = suite_digest(suite_report(fallen(changes=changes, explanations={"counts": growth, "first": entries})))
    five = found.examples[:5]
    assert Counter(example.entry.explanation.reason for example in five) == {"label": 4, "label-and-boundary": 1}
    assert len({example.entry.case for example in five}) == 5
    assert found.examples_title() == "Newly wrong, 5 of 27 (1 newly right)"


def test_examples_are_newly_wrong_bear_on_what_fails_and_are_no_known_failures() -> None:
    entries = [
        wrong("old", "A", "B", change=""),
        wrong("other", "A", "B", measures=["recall"]),
        wrong("mine", "A", "B", measures=["f*"]),
        wrong("known", "A", "B"),
        wrong("guarded", "A", "B", change=""),
    ]
    guarded = gate(
        condition="must_pass", threshold=0, value=1, units=[{"case": "n00", "unit": "guarded", "before": None, "now": 0}]
    )
    known = guarded | {
        "verdict": "passed",
        "value": 0,
        "units": [],
        "known": [{"case": "n00", "unit": "known", "before": None, "now": 0}],
    }
    found = suite_digest(
        suite_report(fallen(gates=[gate(), guarded, known], explanations={"counts": {"label": 5}, "first": entries}))
    )
    assert [example.entry.explanation.unit for example in found.examples] == ["guarded", "mine"]


@pytest.mark.parametrize(
    ("gold", "system", "words"),
    [
        ([[0, 4]], [[0, 2]], ", too short"),
        ([[0, 2]], [[0, 4]], ", too long"),
        ([[0, 2]], [[1, 3]], ", other place"),
        ([[0, 2]], [[0, 2]], ""),
    ],
)
def test_an_example_says_what_both_sides_have(gold: list[list[int]], system: list[list[int]], words: str) -> None:
    entry = ExplanationReport.from_json(wrong("1", "LOC", "ORG", passage={"text": "Senn", "gold": gold, "system": system}))
    assert said_of(entry.explanation) == f"gold LOC, system ORG{words}"


def test_an_example_of_a_relation_says_its_ends_and_not_its_types_alone() -> None:
    sides = {"gold": 'TLINK "storm" BEFORE "damage"', "system": 'TLINK "storm" AFTER "damage"'}
    entry = ExplanationReport.from_json({**wrong("1", "BEFORE", "AFTER"), **sides})
    assert said_of(entry.explanation) == f"gold {sides['gold']}, system {sides['system']}"


def test_an_example_of_a_side_without_label_says_nothing() -> None:
    assert said_of(ExplanationReport.from_json(wrong("1", "LOC", "")).explanation) == "gold LOC, system nothing"


@pytest.mark.parametrize(
    ("message", "gold", "system", "said"),
    [
        ("date: gold 3 May, system 4 May", "3 May", "4 May", "date: gold 3 May, system 4 May"),
        ("date: gold 3 May", "3 May", "", "date: gold 3 May"),
        ("the dates differ", "3 May", "4 May", "gold 3 May, system 4 May"),
        (f"{'a long way ' * 20}to 3 May from 4 May", "3 May", "4 May", "gold 3 May, system 4 May"),
    ],
)
def test_a_short_message_that_names_both_sides_is_told(message: str, gold: str, system: str, said: str) -> None:
    data = {"unit": "1", "reason": "wrong", "kind": "wrong-value" if system else "missed", "item": "1"}
    entry = ExplanationReport.from_json({**data, "case": "", "line": 1, "message": message, "gold": gold, "system": system})
    assert said_of(entry.explanation) == said


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.sampled_from("12")), max_size=60))
def test_examples_are_distinct_and_spread(facts: list[tuple[str, str, str]]) -> None:
    entries = [wrong(str(rank), reason, label, reason=reason, case=case) for rank, (reason, label, case) in enumerate(facts)]
    counts = Counter(reason for reason, _, _ in facts)
    found = suite_digest(suite_report(suite(explanations={"counts": counts, "first": entries}))).examples
    chosen = [example.entry.explanation.item for example in found]
    assert len(set(chosen)) == len(chosen) == min(20, len(facts))
    reasons = Counter(example.entry.explanation.reason for example in found)
    shares = {reason: counts[reason] * len(chosen) / len(facts) for reason in counts}
    assert all(reasons[reason] >= int(share) for reason, share in shares.items())  # D'Hondt never gives less than the lower quota


def test_since_when_names_commit_subject_author_and_day() -> None:
    found = suite_digest(suite_report(fallen()))
    assert found.baseline == "a32c40b Good, Ann, 1 Nov 2026 (git:HEAD)"
    checkout = {"commit": "c" * 40, "subject": "Bad", "author": "Bo", "date": "2026-11-02T10:00:00+01:00", "branch": "main"}
    told = digest_of(report(fallen(), checkout=checkout))
    assert told.today == "working copy on ccccccc Bad, Bo, 2 Nov 2026 (main)"
    assert [suite.baseline for suite in told.suites] == ["a32c40b Good, Ann, 1 Nov 2026 (git:HEAD), 1 day before today's commit"]
    baseline = {"source": "git:main", "commit": "a" * 40}
    for then, apart in (("2026-11-22", "20 days after today's commit"), ("2026-11-02", ""), ("soon", ""), ("", "")):
        (suite,) = digest_of(report(fallen(baseline={**baseline, "date": then}), checkout=checkout)).suites
        assert suite.baseline.rpartition("(git:main)")[2].strip(", ") == apart
    since = {"commit": "d" * 40, "subject": "Worse", "measure": "f1", "before": BEFORE, "value": NOW}
    assert suite_digest(suite_report(fallen(since=since))).since == "f1 went from 0.877 to 0.654 at ddddddd Worse"


def test_work_for_examples_grows_with_the_number_of_reasons() -> None:
    """A task of another package may have a reason for each item: whether any became more frequent is looked up once for all."""

    def work(number: int) -> int:
        counts = {f"reason {rank}": 1 for rank in range(number)}
        first = [
            {"case": "a", "unit": reason, "reason": reason, "message": "m", "line": None, "kind": "other"} for reason in counts
        ]
        told = suite_report(suite(explanations={"counts": counts, "first": first}))
        growths = growth_of(told)
        return calls_of(lambda: examples_of(told, growths))

    assert work(400) < 3 * work(200)
