"""Problems, gates and notes for GitLab's widget: entries with all that it wants, and fingerprints that stay."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.reports.documents import document, full_of, gate, problem, render, suite


def entries(report: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries; each has what GitLab demands, and no two have one fingerprint."""
    found = json.loads(render("codequality", report))
    assert isinstance(found, list)
    for entry in found:
        assert set(entry) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert entry["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert entry["location"]["path"]
        assert entry["location"]["lines"]["begin"] >= 1
    assert len({entry["fingerprint"] for entry in found}) == len(found)
    return found


def shown(entry: dict[str, Any]) -> tuple[str, str, str, int]:
    place = entry["location"]
    return entry["check_name"], entry["severity"], place["path"], place["lines"]["begin"]


def test_what_fails_the_run_is_critical() -> None:
    gates = [
        gate(),
        gate(measure="b", line=10, verdict="unjudged", value=None, reason="no gold"),
        gate(measure="c", line=11, informational=True),
        gate(measure="d", line=12, verdict="passed", reason=""),
    ]
    problems = [problem(), problem(code="t.odd", severity="warning", line=4)]
    report = document(suite(gates=gates, problems=problems, notes=["half of it"]))
    assert list(map(shown, entries(report))) == [
        ("nlpeval: gate failed", "critical", "nlpeval.yaml", 9),
        ("nlpeval: gate failed", "info", "nlpeval.yaml", 11),
        ("nlpeval: t.bad", "critical", "system/a.txt", 3),
        ("nlpeval: t.odd", "minor", "system/a.txt", 4),
        ("nlpeval: gate unjudged", "critical", "nlpeval.yaml", 10),
        ("nlpeval: note", "info", "nlpeval.yaml", 3),
    ]
    assert entries(report)[0]["description"] == "f1 ≥ 0.5 failed for dev: 0.250 is short by 0.250"


def test_a_run_that_passed_has_no_entry() -> None:
    assert entries(document(suite(outcome="ok", gates=[gate(verdict="passed", reason="")]))) == []


NOWHERE = {"code": "t.bad", "severity": "error", "path": "", "message": "wrong"}


def test_what_belongs_to_no_file_has_a_place() -> None:
    (entry,) = entries(document(problems=[NOWHERE]))
    assert shown(entry) == ("nlpeval: t.bad", "critical", "nlpeval.yaml", 1)
    entry, *_ = entries(document(suite(config="x.yaml"), problems=[NOWHERE]))
    assert shown(entry) == ("nlpeval: t.bad", "critical", "x.yaml", 1)


def fingerprints(*gates: dict[str, Any], **fields: Any) -> list[str]:
    return [entry["fingerprint"] for entry in entries(document(suite(gates=list(gates), **fields)))]


@pytest.mark.parametrize("change", [{"value": 0.3, "reason": "0.300 is short by 0.200"}, {"line": 99}, {"threshold": 0.6}])
def test_a_gate_is_the_same_one_with_another_value_line_or_limit(change: dict[str, Any]) -> None:
    """GitLab tells by the fingerprint what a merge request adds and what it mends."""
    assert fingerprints(gate()) == fingerprints(gate(**change))


@pytest.mark.parametrize("change", [{"measure": "recall"}, {"condition": "max"}])
def test_another_gate_is_another_one(change: dict[str, Any]) -> None:
    assert fingerprints(gate()) != fingerprints(gate(**change))
    assert fingerprints(gate()) != fingerprints(gate(), name="other")
    assert fingerprints(gate()) != fingerprints(gate(), config="other.yaml")


def test_suites_of_one_name_tell_their_configurations() -> None:
    both = [suite(gates=[gate()], notes=["half"], config=config) for config in ("a.yaml", "b.yaml")]
    described = [entry["description"] for entry in entries(document(*both))]
    assert described[0].startswith("f1 ≥ 0.5 failed for dev (a.yaml):")
    assert described[1].startswith("f1 ≥ 0.5 failed for dev (b.yaml):")
    assert described[2:] == ["dev (a.yaml): half", "dev (b.yaml): half"]
    alone = {entry["fingerprint"] for entry in entries(document(both[0]))}
    assert alone < {entry["fingerprint"] for entry in entries(document(*both))}


def test_a_problem_is_the_same_one_on_another_line() -> None:
    """Of several that say the same, each is one."""
    before = fingerprints(problems=[problem(line=3), problem(line=5)])
    after = fingerprints(problems=[problem(line=4), problem(line=6), problem(line=8)])
    assert len(after) == 3
    assert set(before) < set(after)


def test_any_text_is_a_line() -> None:
    for entry in entries(full_of("a\nb\u202e::error::c")):
        assert "\n" not in entry["description"] + entry["check_name"] + entry["location"]["path"]
