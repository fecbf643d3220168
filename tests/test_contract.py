"""What every task and every measure must keep, found by iterating the table: a new task is tested by being in it."""

from __future__ import annotations

import inspect
import pickle
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from jsonschema import Draft202012Validator

from pytest_nlpeval import Evidence, Measure, Suite, SuiteResult, Task, evaluate, load_suites, score
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.measures import ByDocument, Sample
from pytest_nlpeval.reports.blocks import plain
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.run.document_figures import cases_report
from pytest_nlpeval.reports.starter import template
from pytest_nlpeval.reports.tasks import task_blocks
from pytest_nlpeval.tasks import TASKS, load_task, task_names

ROOT = Path(__file__).parent.parent
NAME = re.compile(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*")


def tasks() -> list[Task]:
    return [load_task(name) for name in TASKS]


def cases_of(task: Task, kind: str) -> list[Path]:
    return sorted((ROOT / "tests/tasks" / task.name / kind).iterdir())


def result_of(folder: Path) -> SuiteResult:
    expected = yaml.safe_load((folder / "expected.yaml").read_text()) or {}
    files = {path.stem: path for path in folder.iterdir() if path.name != "expected.yaml"}
    return score(folder.parent.parent.name, options=expected.get("options") or {}, explain=True, **files)


def valid_results(task: Task) -> Iterator[SuiteResult]:
    return (result_of(folder) for folder in cases_of(task, "valid"))


def measures_of(task: Task) -> dict[str, Measure]:
    """Return all measures of a task that any of its valid cases or its options alone bring forth."""
    found = {
        measure.name: measure
        for result in valid_results(task)
        for measure in result.suite.measures(list(result.evidence.columns if result.evidence else ()))
    }
    if not task.options_schema.get("required"):
        found |= {measure.name: measure for measure in task.measures(task.options(), None) or ()}
    return found


@pytest.fixture(params=tasks(), ids=lambda task: task.name)
def task(request: pytest.FixtureRequest) -> Task:
    found = request.param
    assert isinstance(found, Task)
    return found


def test_the_table_is_what_there_is(task: Task) -> None:
    assert task.name in task_names()
    assert load_task(task.name) is task


def test_a_task_is_documented(task: Task) -> None:
    page = (ROOT / "docs" / f"{task.name}.md").read_text()
    for measure in measures_of(task):
        general = re.sub(r"^task\.[A-Z]+\.", "task.<T>.", measure)
        assert f"`{measure}`" in page or f"`{general}`" in page or measure.rsplit(".", 1)[-1] in page, measure
    for code in task.problems:
        if code.startswith(f"{task.name}."):
            assert f"`{code}`" in page, code
    assert task.summary
    module = inspect.getmodule(task.count)
    assert module is not None
    assert module.__doc__
    assert inspect.getdoc(task.count)
    assert all(inspect.getdoc(role.read) for role in task.roles)


def test_roles_are_gold_and_system_and_more(task: Task) -> None:
    names = [role.name for role in task.roles]
    assert len(set(names)) == len(names)
    assert {"gold", "system"} <= set(names)
    assert names[-1] == "system"
    assert [role.side for role in task.roles] == sorted(role.side for role in task.roles)  # gold's before the system's
    assert task.role("gold").side == "gold"
    own = set(json_schema("nlpeval.schema.json")["$defs"]["suite"]["properties"])
    assert not (set(names) - {"gold", "system"}) & own


def test_a_task_crosses_to_a_worker(task: Task) -> None:
    assert pickle.loads(pickle.dumps(task)).name == task.name


def test_options_have_a_schema(task: Task) -> None:
    Draft202012Validator.check_schema(task.options_schema)
    assert task.options_schema["additionalProperties"] is False
    for name, schema in task.options_schema["properties"].items():
        assert schema["description"], name


def test_problems_have_codes_severities_and_meanings(task: Task) -> None:
    for code, kind in task.problems.items():
        assert re.fullmatch(r"[a-z]+\.[a-z0-9-]+", code), code
        assert kind.summary
        assert kind.severity in ("error", "warning", "off")
        assert not (kind.fixed and kind.severity != "error")


def test_every_problem_of_the_task_is_shown_by_a_case(task: Task) -> None:
    shown = {
        problem.code
        for kind in ("valid", "invalid")
        for folder in cases_of(task, kind)
        for problem in result_of(folder).all_problems()
    }
    assert {code for code in task.problems if code.startswith(f"{task.name}.")} <= shown


def test_measures_have_names_definitions_and_formulas(task: Task) -> None:
    for measure in measures_of(task).values():
        assert NAME.fullmatch(measure.name)
        assert measure.definition.endswith(".")
        assert measure.formula
        assert not measure.definition.startswith(measure.name)


def test_what_is_said_of_a_task_can_be_shown(task: Task) -> None:
    text = plain(task_blocks(task))
    assert all(code in text for code in task.problems)
    document = yaml.safe_load(template(task))
    assert document["suites"][0]["task"] == task.name


def test_scores_are_in_their_range_or_have_a_reason(task: Task) -> None:
    for result in valid_results(task):
        assert result.evidence is not None
        measures = {measure.name: measure for measure in result.suite.measures(list(result.evidence.columns))}
        assert list(measures) == list(result.scores)
        for name, found in result.scores.items():
            if found.value is None:
                assert found.reason, name
            else:
                low, high, _ = measures[name].range
                assert low <= found.value <= high, name


def test_perfect_output_scores_1(task: Task) -> None:
    folders = [folder for folder in cases_of(task, "valid") if folder.name.startswith("perfect")]
    assert folders
    for result in map(result_of, folders):
        assert result.evidence is not None
        measures = result.suite.measures(list(result.evidence.columns))
        whole = {measure.name for measure in measures if measure.range.is_whole or measure.name.startswith("half_")}
        shares = {measure.name for measure in measures if measure.better == "higher"} - whole
        shares = {name for name in shares if not name.endswith(".threshold")}
        values = {name: found.value for name, found in result.scores.items() if name in shares and found.value is not None}
        assert values
        assert all(value == pytest.approx(1, abs=1e-12) for value in values.values()), values


def test_empty_output_is_valid_and_scores_nothing(task: Task) -> None:
    folders = [folder for folder in cases_of(task, "valid") if folder.name.startswith(("empty-output", "empty-run"))]
    assert folders
    for result in map(result_of, folders):
        assert result.evidence is not None
        measures = result.suite.measures(list(result.evidence.columns))
        shares = {measure.name for measure in measures if not measure.range.is_whole and measure.better == "higher"}
        # Precision of nothing is 1 where the task's source says so, and an empty set of labels is an answer.
        others = {name for name in shares if not name.endswith(".precision") and name != "coverage"}
        assert not any(found.value for name, found in result.scores.items() if name in others)


def regrouped(evidence: Evidence, seed: int) -> Evidence:
    """Return the rows of the evidence as documents of their own, each of some consecutive rows, handed over in any order."""
    chance = random.Random(seed)
    pieces: list[Evidence] = []
    start = 0
    while start < len(evidence.units):
        end = start + chance.randint(1, 3)
        part = Evidence.of(
            evidence.units[start:end], {name: column[start:end] for name, column in evidence.columns.items()}, f"{start:04}"
        )
        pieces.append(part)
        start = end
    chance.shuffle(pieces)
    return Evidence.merge(pieces)


@pytest.mark.parametrize("seed", range(3))
def test_splitting_documents_changes_no_measure(task: Task, seed: int) -> None:
    for result in valid_results(task):
        assert result.evidence is not None
        sample, split = Sample(result.evidence), Sample(regrouped(result.evidence, seed))
        for measure in result.suite.measures(list(result.evidence.columns)):
            whole, parts = measure.score(sample), measure.score(split)
            if parts.reason == "several rankings":
                continue
            if measure.name == "cws" or measure.name.endswith(".cws"):
                continue  # ties go by document, then by line: an order that splitting changes on purpose
            assert parts.value == pytest.approx(whole.value, abs=1e-12) if whole.value is not None else parts.value is None, (
                measure.name
            )


def test_weights_repeat_units(task: Task) -> None:
    chance = np.random.default_rng(1)
    for result in valid_results(task):
        evidence = result.evidence
        assert evidence is not None
        weights = chance.integers(0, 3, size=(2, len(evidence.units)))
        for measure in result.suite.measures(list(evidence.columns)):
            values = measure.values(Sample(evidence, weights))
            assert values.shape == (2,), measure.name
            ones = measure.values(Sample(evidence, np.ones((1, len(evidence.units)), np.int64)))
            assert ones == pytest.approx(measure.values(Sample(evidence)), abs=1e-12, nan_ok=True), measure.name


def alone(suite: Suite, document: str) -> SuiteResult:
    """Return the result of a suite of which the document is the only one."""
    return evaluate(replace(suite, cases=tuple(case for case in suite.cases if case.name == document)))


def test_the_figures_of_a_document_are_what_it_scores_alone(task: Task) -> None:
    for suite in load_suites(ROOT / "examples" / task.name / "nlpeval.yaml"):
        found = cases_report(evaluate(suite)).listed
        assert {document.name for document in found} == {case.name for case in suite.cases}
        for document in found:
            scores = alone(suite, document.name).scores
            assert document.values is not None
            assert document.values.keys() >= scores.keys()
            for name, scored in scores.items():
                assert document.values[name] == scored.value, name


@pytest.mark.parametrize("seed", range(2))
def test_the_figures_of_all_documents_at_once_are_those_of_each(task: Task, seed: int) -> None:
    for result in valid_results(task):
        assert result.evidence is not None
        split = regrouped(result.evidence, seed)
        sample, parts = ByDocument(split), [Sample(part) for part in split.split()]
        for measure in result.suite.measures(list(split.columns)):
            at_once = measure.of_documents(sample)
            if at_once is None:
                # They rank pairs or items, or are of a group of them.
                assert (
                    task.name == "labels"
                    or measure.name.startswith("best.")
                    or "cws" in measure.name
                    or measure.name == "average_precision"
                )
                continue
            assert np.array_equal(at_once, [measure.values(part)[0] for part in parts], equal_nan=True), measure.name


def test_examples_pass_and_teach(task: Task) -> None:
    folder = ROOT / "examples" / task.name
    assert (folder / "README.md").read_text()
    suites = load_suites(folder / "nlpeval.yaml")
    assert {suite.recipe.task.name for suite in suites} == {task.name}
    assert len({suite.system for suite in suites}) > 1
    results = [evaluate(suite) for suite in suites]
    assert all(result.outcome == "ok" and result.verdicts for result in results)
    Draft202012Validator(json_schema("report.schema.json")).validate(report_of(results).to_json())


def test_evidence_survives_json(task: Task) -> None:
    for result in valid_results(task):
        assert result.evidence is not None
        assert Evidence.from_json(result.evidence.to_json()) == result.evidence
