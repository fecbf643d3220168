"""What every task and every measure must keep, found by iterating the table: a new task is tested by being in it."""

from __future__ import annotations

import inspect
import pickle
import random
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import yaml
from jsonschema import Draft202012Validator

from pytest_nlpeval import Evidence, Measure, Suite, SuiteResult, Task, evaluate, load_suites
from pytest_nlpeval.files import json_schema
from pytest_nlpeval.kit.prf import FIGURES
from pytest_nlpeval.measures import ByDocument, Sample
from pytest_nlpeval.reports.blocks import plain
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.run.document_figures import cases_report
from pytest_nlpeval.reports.starter import template
from pytest_nlpeval.reports.tasks import task_blocks
from pytest_nlpeval.tasks import TASKS, load_task, task_names
from tests.support import score_quickly
from tests.tasks.cases import files_of, options_of

ROOT = Path(__file__).parent.parent
NAME = re.compile(r"[A-Za-z0-9_@^+-]+([.:][A-Za-z0-9_@^+-]+)*")


def tasks() -> list[Task]:
    return [load_task(name) for name in TASKS]


def cases_of(task: Task, kind: str) -> list[Path]:
    return sorted((ROOT / "tests/tasks" / task.name / kind).iterdir())


def result_of(folder: Path) -> SuiteResult:
    return score_quickly(folder.parent.parent.name, options_of(folder), explain=True, **files_of(folder))


@cache
def results_of(name: str, kind: str) -> dict[str, SuiteResult]:
    """Return the result of each case of a task, by the name of its folder."""
    return {folder.name: result_of(folder) for folder in cases_of(load_task(name), kind)}


def valid_results(task: Task, *starts: str) -> list[SuiteResult]:
    """Return the results of the valid cases, of those alone whose names start so."""
    return [result for name, result in results_of(task.name, "valid").items() if name.startswith(starts or "")]


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
        form = re.sub("@[0-9]+$", "@k", measure)  # of measures with a cut-off the page has the form
        assert f"`{measure}`" in page or form.rsplit(".", 1)[-1] in page, measure
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
    results = (result for kind in ("valid", "invalid") for result in results_of(task.name, kind).values())
    shown = {problem.code for result in results for problem in result.all_problems()}
    assert {code for code, kind in task.problems.items() if code.startswith(f"{task.name}.") and kind.severity != "off"} <= shown


def test_measures_have_names_definitions_and_formulas(task: Task) -> None:
    for measure in measures_of(task).values():
        # Before the figure stands a label or a path, which files may choose.
        own = measure.triple.figure if measure.triple else measure.name.removeprefix(f"{measure.group}.")
        assert NAME.fullmatch(own)
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
        measures = {measure.name: measure for measure in result.suite.measures_of(result.evidence)}
        assert list(measures) == list(result.scores)
        for name, found in result.scores.items():
            if found.value is None:
                assert found.reason, name
            else:
                low, high, *_ = measures[name].range
                assert low <= found.value <= high, name


def test_perfect_output_scores_what_its_measures_say(task: Task) -> None:
    """Which is 1 for at least one of them."""
    results = valid_results(task, "perfect")
    assert results
    for result in results:
        assert result.evidence is not None
        goals = {measure.name: measure.goal for measure in result.suite.measures(list(result.evidence.columns))}
        values = {name: found.value for name, found in result.scores.items() if found.value is not None}
        assert 1.0 in [goals[name] for name in values]
        wrong = {name: value for name, value in values.items() if goals[name] not in (None, pytest.approx(value, abs=1e-12))}
        assert not wrong


def test_empty_output_is_valid_and_scores_nothing(task: Task) -> None:
    results = valid_results(task, "empty-output", "empty-run")
    assert results
    for result in results:
        assert result.evidence is not None
        measures = result.suite.measures(list(result.evidence.columns))
        shares = [measure for measure in measures if not measure.range.is_whole and measure.better == "higher"]
        wrong = {measure.name for measure in shares if result.scores[measure.name].value not in (None, measure.empty)}
        assert not wrong


def test_precision_recall_and_f_are_triples(task: Task) -> None:
    """F is at most the mean of the other two, wherever it is the harmonic mean of them, or a mean of such."""
    for result in valid_results(task):
        assert result.evidence is not None
        triples: dict[str, dict[str, str]] = {}
        for measure in result.suite.measures(list(result.evidence.columns)):
            last = measure.name.rpartition(".")[2]
            assert measure.triple is not None or last not in {"precision", "recall"}, measure.name
            if measure.triple is not None:  # an F may have the name of its triple
                assert measure.triple.figure == last or (measure.triple.figure, measure.triple.name) == ("f1", measure.name)
                triples.setdefault(measure.triple.name, {})[measure.triple.figure] = measure.name
        for name, members in triples.items():
            assert set(members) == set(FIGURES), name
            precision, recall, f = (result.scores[members[figure]].value for figure in FIGURES)
            assert f is None or f <= ((precision or 0) + (recall or 0)) / 2 + 1e-12, name


def test_former_names_are_free(task: Task) -> None:
    measures = measures_of(task)
    former = [name for measure in measures.values() for name in measure.was]
    assert len({*former, *measures}) == len(former) + len(measures)
    assert all(NAME.fullmatch(name) for name in former)


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


def test_splitting_documents_changes_no_measure(task: Task) -> None:
    for result in valid_results(task):
        assert result.evidence is not None
        sample, splits = Sample(result.evidence), [Sample(regrouped(result.evidence, seed)) for seed in range(3)]
        for measure in result.suite.measures(list(result.evidence.columns)):
            whole, parts = measure.score(sample).value, [measure.score(split).value for split in splits]
            if measure.needs == "documents":
                continue  # splitting them changes it on purpose
            assert parts == [None if whole is None else pytest.approx(whole, abs=1e-12)] * len(splits), measure.name


def test_weights_repeat_units(task: Task) -> None:
    chance = np.random.default_rng(1)
    for result in valid_results(task):
        evidence = result.evidence
        assert evidence is not None
        weights = chance.integers(0, 3, size=(2, len(evidence.units)))
        weighted, plain = Sample(evidence, weights), Sample(evidence)
        once = Sample(evidence, np.ones((1, len(evidence.units)), np.int64))
        for measure in result.suite.measures(list(evidence.columns)):
            assert measure.values(weighted).shape == (2,), measure.name
            assert measure.values(once) == pytest.approx(measure.values(plain), abs=1e-12, nan_ok=True), measure.name


def alone(suite: Suite, document: str) -> SuiteResult:
    """Return the result of a suite of which the document is the only one."""
    return evaluate(replace(suite, cases=tuple(case for case in suite.cases if case.name == document)))


def test_the_figures_of_a_document_are_what_it_scores_alone(task: Task) -> None:
    for with_intervals in load_suites(ROOT / "examples" / task.name / "nlpeval.yaml"):
        suite = replace(with_intervals, statistics=replace(with_intervals.statistics, confidence=None))
        result = evaluate(suite)
        found, gated = cases_report(result).listed, {gate.measure for gate in result.gates}
        assert {document.name for document in found} == {case.name for case in suite.cases}
        for document in found:
            assert document.values is not None
            by_itself = alone(suite, document.name)
            assert by_itself.evidence is not None
            of_group = {measure.name for measure in suite.measures_of(by_itself.evidence) if measure.of_group}
            scores = {name: scored for name, scored in by_itself.scores.items() if name not in of_group or name in gated}
            assert document.values.keys() >= scores.keys()
            assert not document.values.keys() & of_group - gated
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
            assert (at_once is not None) == (measure.needs == "totals"), measure.name
            if at_once is None:
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
