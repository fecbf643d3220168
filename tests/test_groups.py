"""Groups, for every task: a measure of a group is what the task gives for the rows of the group alone."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from shutil import copyfile, copytree
from typing import Any

import numpy as np
import pytest
import yaml

from pytest_nlpeval import Evidence, Measure, SuiteResult, Task, evaluate, load_suites, score
from pytest_nlpeval.columns import GROUP, Categorical
from pytest_nlpeval.config.document_groups import DocumentGroups
from pytest_nlpeval.config.suite import Statistics
from pytest_nlpeval.group_measures import rows_of
from pytest_nlpeval.measures import ByDocument, Sample
from pytest_nlpeval.metrics.weighting import Plan
from pytest_nlpeval.tasks import TASKS, load_task
from tests.support import write

ROOT = Path(__file__).parent.parent


@pytest.fixture(params=TASKS, scope="module")
def results(request: pytest.FixtureRequest) -> list[SuiteResult]:
    """Return the results of a task's examples, without intervals."""
    suites = load_suites(ROOT / "examples" / request.param / "nlpeval.yaml")
    return [evaluate(replace(suite, statistics=Statistics(confidence=None))) for suite in suites]


def grouped(evidence: Evidence, seed: int) -> Evidence:
    """Return evidence whose rows are in the groups a and b, or in none, by chance."""
    chance = random.Random(seed)
    groups = Categorical.of([chance.choice(["a", "b", "b", None]) for _ in evidence.units])
    return replace(evidence, columns={**evidence.columns, GROUP: groups})


def of_groups(result: SuiteResult, evidence: Evidence) -> Iterator[tuple[Evidence, list[tuple[Measure, Measure]]]]:
    """Yield for each group the evidence of its rows alone, and its measures, each with the measure that it is of."""
    of_all = {measure.name: measure for measure in result.suite.measures(evidence.columns)}
    pairs: dict[str, list[tuple[Measure, Measure]]] = {}
    for measure in result.suite.measures_of(evidence):
        if measure.of_group and not measure.of_group.column:
            pairs.setdefault(measure.of_group.group, []).append((measure, of_all[measure.of_group.measure]))
    for measures in pairs.values():
        rows = rows_of(evidence, measures[0][0])
        documents = np.isin(np.arange(len(evidence.documents)), evidence.document_ranks()[rows])
        yield evidence.where(rows, documents), measures


def test_a_measure_of_a_group_is_that_of_its_rows_alone(results: list[SuiteResult]) -> None:
    for result in results:
        assert result.evidence is not None
        evidence = grouped(result.evidence, 1)
        sample = Sample(evidence)
        for alone, measures in of_groups(result, evidence):
            own = Sample(alone)
            for measure, of_all in measures:
                assert measure.of_group is not None
                assert measure.name == f"group.{measure.of_group.group}.{of_all.name}"
                assert measure.score(sample).value == of_all.score(own).value, measure.name
                assert (measure.range, measure.better, measure.needs) == (of_all.range, of_all.better, of_all.needs)


def test_weights_of_rows_outside_a_group_change_none_of_its_measures(results: list[SuiteResult]) -> None:
    chance = np.random.default_rng(7)
    for result in results:
        assert result.evidence is not None
        evidence = grouped(result.evidence, 3)
        weights = chance.integers(0, 3, size=(3, len(evidence.units)))
        sample = Sample(evidence, weights)
        for alone, measures in of_groups(result, evidence):
            own = Sample(alone, weights[:, rows_of(evidence, measures[0][0])])
            for measure, of_all in measures:
                assert measure.values(sample) == pytest.approx(of_all.values(own), abs=1e-12, nan_ok=True), measure.name


def test_a_measure_of_a_group_is_additive_if_it_is(results: list[SuiteResult]) -> None:
    for result in results:
        assert result.evidence is not None
        evidence = grouped(result.evidence, 4)
        groups = list(of_groups(result, evidence))
        plan = Plan.of([measure for _, measures in groups for measure, _ in measures], evidence)
        every = ByDocument(evidence)
        for alone, measures in groups:
            own_plan, own = Plan.of([of_all for _, of_all in measures], alone), ByDocument(alone)
            ranks = [evidence.documents.index(name) for name in alone.documents]
            for measure, of_all in measures:
                assert (measure.name in plan.additive) == (of_all.name in own_plan.additive), measure.name
                of_documents, expected = measure.of_documents(every), of_all.of_documents(own)
                assert (of_documents is None) == (expected is None), measure.name
                if of_documents is not None and expected is not None:
                    assert np.array_equal(of_documents[ranks], expected, equal_nan=True), measure.name


def test_groups_of_documents_score_what_their_documents_score_alone(results: list[SuiteResult]) -> None:
    for result in results:
        names = [case.name for case in result.suite.cases]
        groups = {name: "even" if rank % 2 == 0 else "odd" for rank, name in enumerate(names)}
        by_group = evaluate(replace(result.suite, layers=(), groups=DocumentGroups(given=groups)))
        assert by_group.outcome == "ok", by_group.problems
        for group in sorted(set(groups.values())):
            cases = tuple(case for case in result.suite.cases if groups[case.name] == group)
            alone = evaluate(replace(result.suite, layers=(), cases=cases))
            wholes = [measure.name for measure in alone.measures if not measure.of_group]
            for name in wholes:
                if by_group.scores.get(f"group.{group}.{name}") is None:  # a label, say, that no document of the group has
                    assert alone.scores[name].value is None, name
                else:
                    assert by_group.scores[f"group.{group}.{name}"].value == alone.scores[name].value, name


def test_explanations_of_every_task_tell_the_group_of_their_document(results: list[SuiteResult]) -> None:
    for result in results:
        groups = {case.name: f"group {number % 2}" for number, case in enumerate(result.suite.cases)}
        by_group = evaluate(replace(result.suite, layers=(), groups=DocumentGroups(given=groups)), explain=True)
        for case in by_group.cases:
            assert case.explanations is not None
            assert {entry.group for entry in case.explanations.first} <= {groups[case.name]}
            assert result.outcome != "ok" or case.explanations.first or not case.explanations.counts


@pytest.mark.parametrize("name", ["labels", "ranking", "records", "scores", "text"])
def test_explanations_tell_the_group_that_the_task_counts(name: str) -> None:
    """The group of an explanation is that of the rows which the group's measures are of."""
    suites = load_suites(ROOT / "examples" / name / "nlpeval.yaml", statistics={"confidence": None})
    results = [evaluate(suite, explain=True) for suite in suites if suite.given.get("group")]
    told = 0
    for result in results:
        assert result.evidence is not None
        units = np.array(result.evidence.units)
        of_group = {measure.of_group.group: measure for measure in result.measures if measure.of_group}
        members = {group: set(units[rows_of(result.evidence, measure)].tolist()) for group, measure in of_group.items()}
        for entry in (entry for case in result.cases if case.explanations for entry in case.explanations.first):
            assert entry.unit in members[entry.group]
            told += 1
    assert told


def test_every_task_has_groups_of_documents() -> None:
    for name in TASKS:
        task: Task = load_task(name)
        suite = load_suites(ROOT / "examples" / name / "nlpeval.yaml", statistics={"confidence": None})[0]
        files = {role: file.path for role, file in suite.cases[0].files.items()}
        document = Path(files["gold"]).stem
        options: Mapping[str, object] = {**suite.given, "group": {"documents": {document: "all of it"}}}
        asked: dict[str, Any] = {**files, "options": options}
        result = score(task, **asked)
        wholes = {measure.name for measure in result.measures if not measure.of_group}
        for measure in wholes:
            assert result.scores[f"group.all of it.{measure}"].value == result.scores[measure].value


def test_the_example_of_groups_passes_and_names_the_group_that_falls(tmp_path: Path) -> None:
    folder = copytree(ROOT / "examples/groups", tmp_path / "groups")
    page = (ROOT / "docs/groups.md").read_text(encoding="utf-8")
    assert all(f"```text\n{(folder / name).read_text(encoding='utf-8')}```" in page for name in ("gold.csv", "system.csv"))
    (suite,) = load_suites(folder / "nlpeval.yaml")
    assert evaluate(suite).outcome == "ok"
    assert {verdict.verdict for verdict in evaluate(suite).verdicts} == {"passed"}
    copyfile(folder / "next.csv", folder / "system.csv")
    (failed,) = (verdict for verdict in evaluate(suite).verdicts if verdict.verdict == "failed")
    assert "group hotels: 0.500, was 1.000" in failed.reason


@pytest.mark.parametrize("name", TASKS)
def test_every_task_has_gates_on_groups_by_a_file_that_maps_documents(name: str, tmp_path: Path) -> None:
    """The example of each task, with a file of groups and a gate on every group of one of its gates' measures."""
    folder = copytree(ROOT / "examples" / name, tmp_path / name)
    cases = load_suites(folder / "nlpeval.yaml")[0].cases
    (entry, *_) = yaml.safe_load((folder / "nlpeval.yaml").read_text())["suites"]
    measure = next(gate for gate in entry["gates"] if "*" not in gate)
    entry["options"] = {**entry.get("options", {}), "group": {"documents": "groups.tsv"}}
    entry["gates"] = {f"group.*.{measure}": {"min": 0}}
    groups = "".join(f"{case.name}\tgroup {place % 2}\n" for place, case in enumerate(cases))
    write(
        folder,
        {
            "groups.tsv": f"document\tgroup\n{groups}",
            "grouped.nlpeval.yaml": yaml.safe_dump({"version": 1, "suites": [entry]}),
        },
    )
    result = evaluate(load_suites(folder / "grouped.nlpeval.yaml", statistics={"confidence": None})[0])
    gated = {verdict.measure: verdict.verdict for verdict in result.verdicts}
    assert gated.keys() >= {f"group.group {place}.{measure}" for place in range(min(2, len(cases)))}
    assert set(gated.values()) == {"passed"}, result.all_problems()
