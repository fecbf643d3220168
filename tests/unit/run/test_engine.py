"""The engine on the small exemplar format: rows `Entity1 Relation Entity2 …`, one sentence each."""

from __future__ import annotations

import gc
import pickle
import re
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import SuiteResult, evaluate, load_suites, score
from pytest_nlpeval.config.suite import Case, Recipe
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.run import case as case_module
from pytest_nlpeval.run.case import evaluate_cases
from pytest_nlpeval.run.conclusion import known_gates
from pytest_nlpeval.run.engine import batches
from pytest_nlpeval.run.store import Entry, EvidenceStore
from pytest_nlpeval.runs import Part
from tests.support import make_suite, write

HEADER = "Entity1\tRelation\tEntity2\tTrigger\tAnnotated Sentence\n"
ROW = "Ann\tfounded\tAcme\tfounded\t[[[Ann]]] --->{{{founded}}}<--- [[[Acme]]]\n"
RIGHT, WRONG, NONE = "Ann\tfounded\tAcme\n", "Ann\tsold\tAcme\n", "Ann\t---\tAcme\n"
SYSTEM_HEADER = "Entity1\tRelation\tEntity2\n"
EXEMPLAR = {"task": "exemplar", "gold": "gold/{doc}.tsv", "system": "system/{doc}.tsv"}
GATES = ("f1: 0.5", "recall: {max: 0.9}")


def gold(rows: int) -> str:
    return HEADER + ROW * rows


def system(*rows: str) -> str:
    return SYSTEM_HEADER + "".join(rows)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    golds = {"a": gold(2), "b": gold(1), "c": gold(1)}
    runs = {"a": system(RIGHT, WRONG), "b": system(NONE), "c": system(RIGHT)}
    return make_suite(tmp_path, *GATES, golds=golds, runs=runs, **EXEMPLAR) / "nlpeval.yaml"


def run(config: Path, **options: object) -> SuiteResult:
    (suite,) = load_suites(config)
    store = options.get("store")
    return evaluate(suite, explain=True, store=store if isinstance(store, EvidenceStore) else None)


def test_counts_are_pooled_over_cases(config: Path) -> None:
    result = run(config)
    assert result["precision"] == 2 / 3
    assert result["recall"] == 2 / 4
    assert result["f1"] == 2 * 2 / (3 + 4)
    assert result.outcome == "ok"
    assert [verdict.verdict for verdict in result.verdicts] == ["passed", "passed"]
    assert str(result.signature).startswith("exemplar|ignore_case:")
    assert sum(sum(case.explanations.counts.values()) for case in result.cases if case.explanations) == 2


def test_how_much_is_held_at_once_changes_nothing(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = report_of([run(config)])
    monkeypatch.setattr("pytest_nlpeval.run.chance.MOST_VALUES", 1)
    monkeypatch.setattr("pytest_nlpeval.metrics.weighting._MOST_KEPT", 1)
    assert report_of([run(config)]) == plain


def test_any_executor_gives_the_same_report(config: Path) -> None:
    (suite,) = load_suites(config)
    alone = report_of([evaluate(suite)])
    with ThreadPoolExecutor(2) as threads:
        assert report_of([evaluate(suite, threads)]) == alone
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert report_of([evaluate(suite, processes, store=EvidenceStore())]) == alone


@pytest.fixture
def store_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store also what is quickly counted."""
    monkeypatch.setattr("pytest_nlpeval.run.case.WORTH_STORING", 0)


def test_the_store_changes_nothing_but_the_work(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store_all: None
) -> None:
    store = EvidenceStore(tmp_path / "store")
    fresh = report_of([run(config)])
    assert report_of([run(config, store=store)]) == fresh
    monkeypatch.setattr("pytest_nlpeval.run.case._count", None)  # counting would be a TypeError
    assert report_of([run(config, store=EvidenceStore(tmp_path / "store"))]) == fresh


def test_what_is_quicker_to_count_than_to_look_up_is_not_stored(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = EvidenceStore()
    run(config, store=store)
    monkeypatch.setattr("pytest_nlpeval.run.case._count", None)
    with pytest.raises(TypeError):
        run(config, store=store)


def test_a_store_without_explanations_is_filled_up_when_they_are_wanted(config: Path, store_all: None) -> None:
    store = EvidenceStore()
    (suite,) = load_suites(config)
    assert not evaluate(suite, store=store).is_explained
    explained = evaluate(suite, explain=True, store=store)
    assert report_of([explained]) == report_of([run(config)])
    assert report_of([evaluate(suite, explain=True, store=store)]) == report_of([explained])


@pytest.mark.parametrize(
    "change",
    [
        {"evidence": {"documents": 1}},
        {"evidence": None},
        {"evidence": 3},
        {"problems": []},
        {"problems": {}},
        {"problems": [{}, {}, {}, {}]},
        {"problems": [{"nobody": [{}]}] * 3},
        {"problems": [{"system": [{"code": 1}]}] * 3},
        {"explanations": {"counts": {}}},
        {"explanations": [{"counts": {}}] * 3},
        {"explanations": [{}]},
    ],
)
def test_an_entry_of_another_shape_is_not_trusted(
    config: Path, monkeypatch: pytest.MonkeyPatch, store_all: None, change: dict[str, object]
) -> None:
    store = EvidenceStore()
    (suite,) = load_suites(config)
    fresh = report_of([run(config, store=store)])
    together = evaluate_cases(suite.recipe, suite.cases, store)
    get = EvidenceStore.get

    def changed(self: EvidenceStore, keys: Sequence[bytes], *, explain: bool = False) -> dict[bytes, Entry]:
        return {key: entry | change for key, entry in get(self, keys, explain=explain).items()}

    monkeypatch.setattr(EvidenceStore, "get", changed)
    assert report_of([run(config, store=store)]) == fresh
    assert evaluate_cases(suite.recipe, suite.cases, store) == together


def test_unchanged_documents_are_looked_up_together_and_the_rest_one_by_one(
    config: Path, monkeypatch: pytest.MonkeyPatch, store_all: None
) -> None:
    (suite,) = load_suites(config)
    store = EvidenceStore()
    first = evaluate_cases(suite.recipe, suite.cases, store)
    asked: list[int] = []
    counted: list[str] = []
    get, count = EvidenceStore.get, case_module._count

    def get_and_note(self: EvidenceStore, keys: Sequence[bytes], *, explain: bool = False) -> dict[bytes, Entry]:
        asked.append(len(keys))
        return get(self, keys, explain=explain)

    def count_and_note(recipe: Recipe, case: Case, *files: Any, **keywords: Any) -> Part:
        counted.append(case.name)
        return count(recipe, case, *files, **keywords)

    monkeypatch.setattr(EvidenceStore, "get", get_and_note)
    monkeypatch.setattr(case_module, "_count", count_and_note)
    assert evaluate_cases(suite.recipe, suite.cases, store) == first
    assert (asked, counted) == ([1], [])
    write(config.parent / "system", {"b.tsv": system(WRONG)})
    changed = evaluate_cases(suite.recipe, suite.cases, store)
    assert (asked, counted) == ([1, 1, 3], ["b"])
    assert changed == evaluate_cases(suite.recipe, suite.cases)
    assert changed != first


def test_documents_that_are_too_small_alone_are_stored_together(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (suite,) = load_suites(config)
    total = sum(Path(file.path).stat().st_size for case in suite.cases for file in case.files.values())
    monkeypatch.setattr(case_module, "WORTH_STORING", total)
    store = EvidenceStore()
    first = evaluate_cases(suite.recipe, suite.cases, store)
    monkeypatch.setattr(case_module, "_count", None)  # counting would be a TypeError
    assert evaluate_cases(suite.recipe, suite.cases, store) == first
    with pytest.raises(TypeError):
        evaluate_cases(suite.recipe, suite.cases[:2], store)


def test_batches_have_a_bounded_size_and_follow_the_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{rank:03}" for rank in range(130)]
    golds, runs = (dict.fromkeys(names, text) for text in (gold(1), system(RIGHT)))
    make_suite(tmp_path, *GATES, golds=golds, runs=runs, **EXEMPLAR)
    (suite,) = load_suites(tmp_path / "nlpeval.yaml")
    assert [len(batch) for batch in batches(suite.cases[:63])] == [1] * 63
    assert [len(batch) for batch in batches(suite.cases)] == [130 // 64] * 65
    two = sum(Path(file.path).stat().st_size for case in suite.cases[:2] for file in case.files.values())
    monkeypatch.setattr("pytest_nlpeval.run.engine.MOST_BYTES", two - 1)
    assert [case.name for batch in batches(suite.cases[::-1]) for case in batch] == [case.name for case in suite.cases]
    assert {len(batch) for batch in batches(suite.cases)} == {1}


def test_problems_from_the_store_name_the_file_as_it_is_called_now(tmp_path: Path, store_all: None) -> None:
    store = EvidenceStore()
    golds, runs = (dict.fromkeys("ab", text) for text in (gold(1), system("Ann\n")))
    make_suite(tmp_path, *GATES, golds=golds, runs=runs, **EXEMPLAR)
    (suite,) = load_suites(tmp_path / "nlpeval.yaml")
    first, second = (evaluate_cases(suite.recipe, [case], store).cases[0] for case in suite.cases)
    assert [problem.path for problem in first.all_problems()] == ["system/a.tsv"]
    assert [problem.path for problem in second.all_problems()] == ["system/b.tsv"]


@pytest.mark.parametrize(
    ("golds", "runs", "outcome", "codes"),
    [
        ({"b": gold(1)}, {}, "failed", {"file.missing"}),
        ({}, {"b": system(RIGHT)}, "set-up", {"file.missing"}),
        ({"b": gold(1)}, {"b": system("x")}, "failed", {"exemplar.fields"}),
        ({"b": HEADER + "x\n"}, {"b": system(RIGHT)}, "set-up", {"exemplar.fields"}),
    ],
)
def test_a_bad_file_leaves_the_suite_unjudged(
    tmp_path: Path, golds: dict[str, str], runs: dict[str, str], outcome: str, codes: set[str]
) -> None:
    golds, runs = {"a": gold(1)} | golds, {"a": system(RIGHT)} | runs
    result = run(make_suite(tmp_path, *GATES, golds=golds, runs=runs, **EXEMPLAR) / "nlpeval.yaml")
    assert result.outcome == outcome
    assert codes <= {problem.code for problem in result.all_problems()}
    assert [verdict.verdict for verdict in result.verdicts] == ["unjudged", "unjudged"]
    (reason,) = {verdict.reason for verdict in result.verdicts}
    assert re.fullmatch(r"1 of 2 documents has errors in its files \((gold|system)/b.tsv(:\d+)?: [a-z.-]+\)", reason)
    assert [case.name for case in result.failed_cases] == ["b"]
    with pytest.raises(ValueError, match="f1 has no value: 1 of 2 documents"):
        assert result["f1"]


def test_order_of_files_changes_nothing(config: Path, tmp_path: Path) -> None:
    before = run(config).scores
    for role in ("gold", "system"):  # swap the names of two documents
        a, c = tmp_path / role / "a.tsv", tmp_path / role / "c.tsv"
        texts = a.read_text(), c.read_text()
        a.write_text(texts[1])
        c.write_text(texts[0])
    assert run(config).scores == before


def test_progress_counts_documents(config: Path) -> None:
    (suite,) = load_suites(config)
    seen: list[tuple[int, int]] = []
    evaluate(suite, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_what_crosses_to_a_worker_can_be_pickled(config: Path) -> None:
    (suite,) = load_suites(config)
    result = evaluate(suite)
    assert pickle.loads(pickle.dumps(suite.cases)) == suite.cases
    (sent,) = pickle.loads(pickle.dumps([result.evidence]))
    assert sent == result.evidence


PAIRS = '<entailment-corpus><pair id="1" task="IR" value="TRUE"><t>a</t><h>b</h></pair></entailment-corpus>'


def rte(folder: Path, *gates: str, run_file: str = "1 TRUE\n") -> SuiteResult:
    make_suite(folder, *gates, golds={"a": PAIRS}, runs={"a": run_file})
    (suite,) = load_suites(folder / "nlpeval.yaml")
    return evaluate(suite)


def test_a_pattern_makes_one_gate_for_each_measure_that_the_files_have(tmp_path: Path) -> None:
    result = rte(tmp_path, "'task.*.accuracy': 0.5", "'*.f1': {max: 1}")
    assert known_gates(result.suite, result.measures) == result.gates
    assert [gate.measure for gate in result.gates] == ["task.IR.accuracy", "TRUE.f1", "FALSE.f1"]
    assert {verdict.measure: verdict.verdict for verdict in result.verdicts}["FALSE.f1"] == "unjudged"


def test_a_measure_that_the_files_do_not_have_is_a_mistake_of_the_set_up(tmp_path: Path) -> None:
    found = rte(tmp_path, "YES.f1: 0.5", "accuracy: 0.5")
    assert found.outcome == "set-up"
    (problem,) = found.problems
    assert (problem.code, problem.path, problem.line) == ("config.measure", "nlpeval.yaml", 8)
    assert "TRUE.f1" in problem.message or "FALSE.f1" in problem.message
    assert [verdict.verdict for verdict in found.verdicts] == ["passed"]


def test_unread_files_leave_every_entry_as_an_unjudged_gate(tmp_path: Path) -> None:
    result = rte(tmp_path, "'task.*.accuracy': 0.5", "accuracy: 0.5", run_file="nonsense\n")
    assert known_gates(result.suite, result.measures) == result.gates
    assert {verdict.measure: verdict.verdict for verdict in result.verdicts} == {
        "accuracy": "unjudged",
        "task.*.accuracy": "unjudged",
    }
    assert not result.problems


def test_score_needs_no_configuration(config: Path, tmp_path: Path) -> None:
    folders = score("exemplar", gold=tmp_path / "gold", system=tmp_path / "system")
    patterns = score("exemplar", gold=tmp_path / "gold/{doc}.tsv", system=str(tmp_path / "system/{doc}.tsv"))
    assert folders.scores == patterns.scores == run(config).scores
    assert not folders.gates
    assert score("exemplar", gold=tmp_path / "gold/c.tsv", system=tmp_path / "system/c.tsv")["f1"] == 1


def test_public_names_are_what_they_say_whatever_was_imported_before() -> None:
    import pytest_nlpeval

    for name in pytest_nlpeval.__all__:
        assert not hasattr(getattr(pytest_nlpeval, name), "__path__"), name
        assert type(getattr(pytest_nlpeval, name)).__name__ != "module", name
    with pytest.raises(AttributeError):
        assert pytest_nlpeval.nothing


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_left_as_it_was(config: Path, enabled: bool) -> None:
    was_enabled = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        run(config)
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if was_enabled else gc.disable)()


def test_what_is_wrong_in_a_file_of_all_documents_is_told_once(tmp_path: Path) -> None:
    documents = {f"{side}/{name}.xml": "<Document/>" for side in ("gold", "system") for name in "ab"}
    write(tmp_path, {"config.txt": "EVENT\tmarkabel\t0\n", **documents})
    found = score("cat", config=tmp_path / "config.txt", gold=tmp_path / "gold", system=tmp_path / "system")
    assert [case.outcome for case in found.cases] == ["set-up"] * 2
    assert [(problem.code, problem.line) for problem in found.all_problems()] == [("cat.config", 1)]
    assert render("text", report_of([found])).count("cat.config") == 1
