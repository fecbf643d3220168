from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import (
    COUNT,
    Evidence,
    Explanations,
    Measure,
    Problem,
    Sample,
    Starter,
    StarterGate,
    SuiteResult,
    Task,
    evaluate,
    load_suites,
    score,
)
from pytest_nlpeval.conditions import Min
from pytest_nlpeval.config.suite import Case, Recipe, Statistics, Suite
from pytest_nlpeval.gates import Entry
from pytest_nlpeval.measures import Values
from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.reports.json_forms import encoded
from pytest_nlpeval.reports.run import document_figures
from pytest_nlpeval.reports.run.document import suite_report
from pytest_nlpeval.reports.run.document_figures import MOST_DOCUMENTS, cases_report
from pytest_nlpeval.run.conclusion import conclude
from pytest_nlpeval.runs import CaseResult, Part
from pytest_nlpeval.tasks import load_task
from tests.support import FOUR, HALF, RIGHT, gold_xml, write
from tests.unit.baselines.repositories import commit, start


def cases_json(result: SuiteResult) -> Any:
    return encoded(cases_report(result))


Counts = tuple[int, int]
"""Of a document: right ones, and all."""


def number(sample: Sample) -> Values:
    return sample.total(np.ones(len(sample.evidence.units), np.int8))


def longest_run(sample: Sample) -> Values:
    """Not additive: how many right ones come one after the other, at most."""
    right = sample.evidence.column("right")
    return np.array(
        [
            max(map(len, "".join(map(str, np.repeat(right, counts).tolist())).split("0")))
            for counts in sample.counts(np.arange(len(right)))
        ]
    )


MEASURES = (
    Measure("right", "Right ones.", "right", lambda sample: sample.total("right"), range=COUNT),
    Measure(
        "wrong",
        "Wrong ones.",
        "all - right",
        lambda sample: sample.total(1 - sample.evidence.column("right")),
        range=COUNT,
        better="lower",
    ),
    Measure("share", "Share.", "right / all", lambda sample: ratio(sample.total("right"), number(sample))),
    Measure("run", "Longest run.", "max", longest_run, range=COUNT),
)


def task(measures: Sequence[Measure], *leading: str) -> Task:
    starter = Starter(gates=tuple(StarterGate(name, 0.5, "") for name in leading))
    return replace(
        load_task("rte"), measures=lambda _options, _columns: measures, signature=lambda _options, _columns: {}, starter=starter
    )


def case(name: str, counts: Counts | None, explained: int | None = None) -> Part:
    explanations = None if explained is None else Explanations({"missed": explained} if explained else {})
    if counts is None:
        error = Problem("x.bad", "error", f"{name}.txt", 3, None, "", "is bad")
        problems = {"system": (error, replace(error, message="too"), replace(error, severity="warning"))}
        return Part((CaseResult(name, problems, explanations, "failed"),), None)
    flags = np.array([1] * counts[0] + [0] * (counts[1] - counts[0]), np.int8)
    evidence = Evidence.of([""] * counts[1], {"right": flags}, name)
    return Part((CaseResult(name, {}, explanations, "ok"),), evidence)


def result(
    parts: Sequence[Part], *gated: str, measures: Sequence[Measure] = MEASURES, leading: Sequence[str] = ()
) -> SuiteResult:
    layer = tuple(Entry(name, line, 1, {"min": Min(0.0)}) for line, name in enumerate(gated, 1))
    recipe = Recipe(task(measures, *leading), None)
    cases = tuple(Case(found.name, {}) for part in parts for found in part.cases)
    without_intervals = Statistics(confidence=None)
    return conclude(Suite("s", "", recipe, cases, Path(), layers=(layer,), statistics=without_intervals), Part.of(parts))


def names(found: Mapping[str, Any]) -> list[str]:
    return [entry["name"] for entry in found["documents"]]


THREE = [case("a", (3, 4)), case("b", (0, 1)), case("c", (2, 9))]


def test_the_worst_come_first_by_the_first_gated_measure() -> None:
    found = cases_json(result(THREE, "share", "right"))
    assert found == {
        "total": 3,
        "failed": 0,
        "by": "share",
        "documents": [
            {"name": "b", "values": {"share": 0 / 1, "right": 0, "wrong": 1, "run": 0}},
            {"name": "c", "values": {"share": 2 / 9, "right": 2, "wrong": 9 - 2, "run": 2}},
            {"name": "a", "values": {"share": 3 / 4, "right": 3, "wrong": 4 - 3, "run": 3}},
        ],
        "cut": 0,
    }
    assert list(found["documents"][0]["values"]) == ["share", "right", "wrong", "run"]
    assert isinstance(found["documents"][0]["values"]["right"], int)


def test_a_measure_whose_gate_fails_comes_before_other_gated_ones() -> None:
    judged = result(THREE, "right", "share")
    assert cases_json(judged)["by"] == "right"
    failing = tuple(replace(verdict, verdict="failed") if verdict.measure == "share" else verdict for verdict in judged.verdicts)
    assert cases_json(replace(judged, verdicts=failing))["by"] == "share"


def test_of_the_measures_whose_gates_fail_they_go_by_that_which_dropped_most(tmp_path: Path) -> None:
    """Everything is judged TRUE: TRUE.precision fell from 1 to 2/4, FALSE.recall from 1 to 0."""
    gates = "{TRUE.precision: {max_drop: 0.01}, FALSE.recall: {max_drop: 0.01}}"
    entry = f"{{name: dev, task: rte, gold: gold.xml, system: run.txt, baseline: 'git:HEAD', gates: {gates}}}"
    start(tmp_path)
    write(tmp_path, {"gold.xml": gold_xml(FOUR), "run.txt": RIGHT, "nlpeval.yaml": f"version: 1\nsuites: [{entry}]\n"})
    commit(tmp_path)
    write(tmp_path, {"run.txt": RIGHT.replace("FALSE", "TRUE")})
    (found,) = map(evaluate, load_suites(tmp_path / "nlpeval.yaml", root=tmp_path))
    assert suite_report(found).cases.by == "FALSE.recall"


def test_a_failing_measure_in_which_no_document_can_be_better_is_passed_over() -> None:
    """The share of each is 1; the longest run has no best value."""
    judged = result([case("a", (3, 3)), case("b", (1, 1)), case("c", (0, 0))], "share", "wrong", "run")
    assert cases_json(judged)["by"] == "share", "no gate fails"

    def by(*failing: str, of: SuiteResult = judged) -> str:
        verdicts = (replace(each, verdict="failed") if each.measure in failing else each for each in of.verdicts)
        return str(cases_json(replace(of, verdicts=tuple(verdicts)))["by"])

    assert by("share") == "wrong"
    assert by("share", "wrong") == "run"
    assert by("run") == "run"
    assert by("share", of=result([case("a", (3, 3)), case("b", (1, 2))], "share", "run")) == "share"
    assert by("share", of=result([case("a", (3, 3))], "share", measures=MEASURES[2:3])) == "share", "there is no other"


def test_without_gates_they_go_by_what_the_starter_names_first() -> None:
    assert cases_json(result(THREE, leading=("share",)))["by"] == "share"
    assert cases_json(result(THREE, leading=("elsewhere", "wrong")))["by"] == "wrong"
    assert cases_json(result(THREE))["by"] == "right"


def test_less_may_be_better() -> None:
    assert names(cases_json(result(THREE, "wrong"))) == ["c", "a", "b"]


def test_equal_ones_go_by_explanations_then_by_name_and_those_without_a_figure_are_last() -> None:
    cases = [case("a", (0, 0), 9), case("b", (1, 2), 1), case("c", (1, 2), 4), case("d", (2, 2), 0), case("e", (2, 4), 4)]
    found = cases_json(result(cases, "share"))
    assert names(found) == ["c", "e", "b", "d", "a"]
    assert [entry["explanations"] for entry in found["documents"]] == [4, 4, 1, 0, 9]
    assert found["documents"][-1]["values"]["share"] is None


def test_documents_with_bad_files_come_first_and_are_named_by_their_errors() -> None:
    found = cases_json(result([*THREE, case("d", None)], "share"))
    assert (found["total"], found["failed"]) == (4, 1)
    assert found["documents"][0] == {"name": "d", "problems": ["d.txt:3: x.bad"]}
    assert names(found) == ["d", "b", "c", "a"]
    everything = cases_json(result([case("d", None)], "share"))
    assert everything == {"total": 1, "failed": 1, "documents": [{"name": "d", "problems": ["d.txt:3: x.bad"]}], "cut": 0}


def test_a_suite_that_only_checks_files_has_no_figures() -> None:
    checked = replace(case("a", (1, 1)), evidence=None)
    assert cases_json(result([checked])) == {"total": 1, "failed": 0, "documents": [], "cut": 0}


def test_a_measure_that_has_no_figure_of_any_document_says_nothing_about_them() -> None:
    empty = [case("b", (0, 0)), case("a", (0, 0))]
    assert cases_json(result(empty, "share"))["by"] == "right"
    nothing = cases_json(result(empty, "share", measures=MEASURES[2:3]))
    assert "by" not in nothing
    assert names(nothing) == ["a", "b"]


def test_of_very_many_the_worst_are_listed_and_the_others_counted() -> None:
    number = MOST_DOCUMENTS + 500
    order = random.Random(1).sample(range(number), number)
    cases = [case(f"{name:05}", (right, number)) for name, right in enumerate(order)]
    found = cases_json(result(cases, "share"))
    assert found["cut"] == 500
    assert [entry["values"]["right"] for entry in found["documents"]] == list(range(MOST_DOCUMENTS))
    assert all(entry["values"]["run"] == entry["values"]["right"] for entry in found["documents"])
    by_run = cases_json(result([*cases, case("x", None)], "run"))
    assert by_run["by"] == "right"  # a measure that is not additive cannot say which of so many are the worst
    assert names(by_run) == ["x", *names(found)[:-1]]
    assert by_run["cut"] == 501


def test_only_bad_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_figures, "MOST_DOCUMENTS", 2)
    found = cases_json(result([case("d", None), case("e", None), case("f", None), *THREE]))
    assert names(found) == ["d", "e"]
    assert found["cut"] == 1 + 3


def test_the_later_measures_of_many_documents_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_figures, "MOST_FIGURES", 7)
    (first, *_) = cases_json(result(THREE, "run", leading=("wrong",)))["documents"]
    assert list(first["values"]) == ["run", "wrong"]
    monkeypatch.setattr(document_figures, "MOST_FIGURES", 100)
    assert len(cases_json(result(THREE))["documents"][0]["values"]) == len(MEASURES)


@cache
def values_alone(right: int, wrong: int) -> Mapping[str, float | None]:
    """The values of a suite of one document."""
    return {name: score.value for name, score in result([case("d", (right, right + wrong))]).scores.items()}


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=6), st.sampled_from(MEASURES))
def test_a_figure_is_what_the_document_scores_alone(counts: list[Counts], by: Measure) -> None:
    cases = [case(f"d{rank}", (right, right + wrong)) for rank, (right, wrong) in enumerate(counts)]
    found = cases_json(result(cases, by.name))
    alone = {f"d{rank}": values_alone(right, wrong) for rank, (right, wrong) in enumerate(counts)}
    for entry in found["documents"]:
        assert entry["values"] == alone[entry["name"]]
    sign = 1 if by.better == "higher" else -1
    values = [entry["values"][by.name] for entry in found["documents"]]
    listed = [value * sign for value in values if value is not None]
    assert listed == sorted(listed)
    assert values[len(listed) :] == [None] * (len(values) - len(listed))


def test_a_task_of_one_ranking_each(tmp_path: Path) -> None:
    """The suite has no cws of its own documents, each document does: rte's figures by document, from files."""
    write(tmp_path, {f"gold/{name}.xml": gold_xml(FOUR) for name in "ab"} | {"system/a.txt": HALF, "system/b.txt": RIGHT})
    found = score("rte", gold=tmp_path / "gold/{doc}.xml", system=tmp_path / "system/{doc}.txt", explain=True)
    first, second = suite_report(found).cases.listed
    assert (first.name, first.explanations) == ("a", 2)
    assert first.value("cws") == pytest.approx((1 + 1 / 2 + 2 / 3 + 2 / 4) / 4, abs=1e-15)
    assert (second.name, second.explanations, second.value("cws")) == ("b", 0, 1)
