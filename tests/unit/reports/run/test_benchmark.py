"""Measures for github-action-benchmark: lists of name, unit, value, range and extra, one for each direction."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pytest_nlpeval.reports.model import GateReport, Report
from pytest_nlpeval.reports.run.benchmark import benchmark
from tests.unit.reports.documents import document, full_of, gate, render, suite


def entries(report: dict[str, Any], name: str = "benchmark") -> list[dict[str, Any]]:
    found = json.loads(render(name, report))
    assert isinstance(found, list)
    for entry in found:
        assert set(entry) <= {"name", "unit", "value", "range", "extra"}
        assert all(isinstance(entry[key], str) for key in set(entry) - {"value"})
        assert isinstance(entry["value"], int | float)
    return found


SCORES = {
    "f1": {"value": 0.25, "low": 0.125, "high": 0.5},
    "wer": {"value": 1.5, "better": "lower"},
    "errors": {"value": 7, "low": 3.0, "high": 9.0, "better": "lower"},
    "LOC.f1": {"value": 0.75, "group": "LOC"},
    "none": {"value": None, "reason": "no gold"},
}


def test_each_direction_has_its_list() -> None:
    gates = [gate(measure=name) for name in SCORES]
    report = document(suite(scores=SCORES, gates=gates))
    assert [entry["name"] for entry in entries(report)] == ["dev: f1", "dev: LOC.f1"]
    assert [entry["name"] for entry in entries(report, "benchmark-smaller")] == ["dev: wer", "dev: errors"]


def test_an_entry_has_the_value_the_interval_and_what_became_of_the_gates() -> None:
    gates = [gate(), gate(condition="max", threshold=0.9, verdict="passed", reason="")]
    (entry,) = entries(document(suite(scores=SCORES, gates=gates, notes=["half\x1b of it"])))
    assert entry == {
        "name": "dev: f1",
        "unit": "f1",
        "value": 0.25,
        "range": "0.1250 to 0.5000",
        "extra": "≥ 0.5: failed\n≤ 0.9: passed\nhalf\\x1b of it",
    }


def test_counts_are_whole_and_their_intervals_too() -> None:
    (entry,) = entries(document(suite(scores=SCORES, gates=[gate(measure="errors")])), "benchmark-smaller")
    assert (entry["value"], entry["range"]) == (7, "3 to 9")


def test_a_suite_without_gates_has_its_measures_of_everything() -> None:
    """A measure without value is none: a benchmark of 0 would be a drop that nobody saw."""
    report = document(suite(scores=SCORES, gates=[]))
    assert [entry["unit"] for entry in entries(report)] == ["f1"]
    assert [entry["unit"] for entry in entries(report, "benchmark-smaller")] == ["wer", "errors"]


def test_a_gate_on_units_is_no_measure() -> None:
    assert entries(document(suite(scores=SCORES, gates=[gate(measure="items", condition="max_newly_wrong", threshold=0)]))) == [
        *entries(document(suite(scores=SCORES, gates=[])))
    ]


def test_names_are_told_apart() -> None:
    """Two systems, and two configurations that call a suite alike."""
    report = document(suite(name="dev/a"), suite(name="dev/b"), suite(config="x.yaml"), suite(config="y.yaml"))
    assert [entry["name"] for entry in entries(report)] == ["dev/a: f1", "dev/b: f1", "x.yaml::dev: f1", "y.yaml::dev: f1"]


def test_no_suites() -> None:
    assert entries(document()) == []


def test_any_text_is_a_line() -> None:
    for entry in entries(full_of("a\nb\u202e::error::c")):
        assert "\n" not in entry["name"]
        assert "\u202e" not in json.dumps(entry, ensure_ascii=False)


def test_no_measure_looks_at_the_gates_of_all_others() -> None:
    looks: list[str] = []

    class Watched(tuple[GateReport, ...]):
        __slots__ = ()

        def __iter__(self) -> Iterator[GateReport]:
            looks.append("all gates")
            return super().__iter__()

    names = [f"m{rank}" for rank in range(50)]
    scores = {name: {"value": 0.5} for name in names}
    report = Report.from_json(document(suite(scores=scores, gates=[gate(measure=name) for name in names])))
    (only,) = report.suites
    assert len(benchmark(replace(report, suites=(replace(only, gates=Watched(only.gates)),)), "higher")) == 50
    assert len(looks) == 1
