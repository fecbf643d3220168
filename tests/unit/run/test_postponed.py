"""What fails is explained without being counted again, as far as what explains it was kept; the explanations are the same."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import Counted, load_suites
from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.config.suite import Case, Recipe, Suite
from pytest_nlpeval.explanations import Entry, Explanation
from pytest_nlpeval.foreign_tasks import guarded
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.run import case, postponed
from pytest_nlpeval.run.case import evaluate_cases
from pytest_nlpeval.run.counting import FEW
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.run.postponed import Postponed
from pytest_nlpeval.run.reading import Read, read_all
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.tasks import TASKS
from tests.support import command, gold_xml, make_suite, run_pytest
from tests.tasks.cases import CASES, files_of, options_of

DOCUMENTS = [f"d{rank}" for rank in range(6)]

FAILING = ("accuracy: 0.9", "task.IR.accuracy: {min: 0.9, informational: true}")

MOST_CASES = 12
"""How many of the cases of a task are tried, about."""


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The documents whose files were read to be counted, in order."""
    names: list[str] = []

    def noting(recipe: Recipe, cases: Sequence[Case]) -> list[Read]:
        names.extend(each.name for each in cases)
        return read_all(recipe, cases)

    monkeypatch.setattr(case, "read_all", noting)
    return names


def _suite(folder: Path, wrong: int = 2) -> Suite:
    """Return a suite that fails, with so many wrong pairs in each document; a document is a batch of its own, and like no other."""
    pairs = [(str(rank), "IR" if rank % 2 else "QA", "FALSE") for rank in range(1, wrong + 1)]
    runs = {name: "".join(f"{pair[0]} TRUE 0.{rank}\n" for pair in pairs) for rank, name in enumerate(DOCUMENTS, 1)}
    make_suite(folder, *FAILING, runs=runs, golds=dict.fromkeys(DOCUMENTS, gold_xml(pairs)))
    (suite,) = load_suites(folder / "nlpeval.yaml")
    return suite


def _explained(suite: Suite, engine: Engine) -> SuiteResult:
    return engine.explained(engine.evaluate(suite))


@pytest.mark.parametrize("task", TASKS)
def test_what_was_kept_gives_the_same_explanations(task: str, counted: list[str]) -> None:
    folders = [folder for folder in CASES if folder.parts[-3] == task]
    assert {folder.parts[-2] for folder in folders} == {"valid", "invalid"}
    for folder in folders[:: len(folders) // MOST_CASES or 1]:
        suite = suite_of_paths(task, files_of(folder), options_of(folder), Path.cwd())
        again = Engine(explain=True).count(suite)
        counted.clear()
        engine = Engine(postponed=Postponed())
        assert engine.count(suite).evidence == again.evidence
        assert replace(engine, explain=True).count(suite) == again
        assert len(counted) == len(suite.cases)


@pytest.mark.parametrize("wrong", [2, FEW + 2])
def test_a_store_changes_nothing_but_the_work(wrong: int, tmp_path: Path, counted: list[str]) -> None:
    suite = _suite(tmp_path, wrong)
    wanted = _explained(suite, Engine())
    for documents in (DOCUMENTS, DOCUMENTS * 2):  # the second time, nothing was counted from which explanations could be made
        store = EvidenceStore(tmp_path / "store")
        counted.clear()
        assert _explained(suite, Engine(store=store, postponed=Postponed())) == wanted
        assert counted == documents
        store.close()


def test_only_the_last_documents_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counted: list[str]) -> None:
    suite = _suite(tmp_path)
    size = sum(file.size for file in suite.cases[0].files.values())
    wanted = _explained(suite, Engine())
    for number in range(len(DOCUMENTS) + 1):
        monkeypatch.setattr(postponed, "MOST_BYTES", number * size + size // 2)
        counted.clear()
        assert _explained(suite, Engine(postponed=Postponed())) == wanted
        assert counted == DOCUMENTS + DOCUMENTS[: len(DOCUMENTS) - number]


def test_what_is_kept_explains_once_and_only_the_very_documents(tmp_path: Path, counted: list[str]) -> None:
    suite, same = (_suite(tmp_path / name) for name in ("one", "other"))
    engine = Engine(postponed=Postponed())
    result = engine.evaluate(suite)
    for number, explain in ((2, replace(result, suite=same)), (2, result), (3, result)):
        engine.explained(explain)
        assert counted == DOCUMENTS * number


def test_documents_that_are_counted_again_take_no_more_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counted: list[str]
) -> None:
    suite = _suite(tmp_path)
    monkeypatch.setattr(postponed, "MOST_BYTES", sum(file.size for each in suite.cases for file in each.files.values()))
    engine = Engine(postponed=Postponed())
    for _ in range(3):
        result = engine.evaluate(suite)
    counted.clear()
    engine.explained(result)
    assert counted == []


def test_a_baseline_takes_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counted: list[str]) -> None:
    suite = _suite(tmp_path)
    monkeypatch.setattr(postponed, "MOST_BYTES", sum(file.size for each in suite.cases for file in each.files.values()))
    engine = Engine(postponed=Postponed())
    result = engine.evaluate(suite)
    engine.run(replace(suite, cases=tuple(replace(each) for each in suite.cases)))
    counted.clear()
    engine.explained(result)
    assert counted == []


Explain = Callable[[Counted, ProblemLog], Iterator[Entry]]


def _failing(counted: Counted, _log: ProblemLog) -> Iterator[Entry]:
    yield from counted.explanations
    raise RuntimeError("no more")


def _erring(counted: Counted, log: ProblemLog) -> Iterator[Entry]:
    yield from counted.explanations
    log.add("line.label", "told late", 1)


def _odd(counted: Counted, _log: ProblemLog) -> Iterator[Any]:
    yield from counted.explanations
    yield Explanation("nobody", "wrong", 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("explain", [_failing, _erring, _odd])
@pytest.mark.parametrize("stores", [False, True])
def test_a_task_that_fails_in_explaining_is_told_of_as_ever(
    explain: Explain, stores: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_nlpeval.run.case.WORTH_STORING", 0)
    suite = _suite(tmp_path)
    count, code = suite.recipe.task.count, next(iter(suite.recipe.task.problems))

    def counting(documents: Mapping[str, Any], options: Any, log: ProblemLog) -> Counted:
        its = count(documents, options, log)
        return Counted(its.evidence, explain(its, _Coded(log, code)))  # type: ignore[arg-type]

    task = guarded(replace(suite.recipe.task, count=counting))
    suite = replace(suite, recipe=replace(suite.recipe, task=task))
    results = []
    for rank, kept in enumerate((None, Postponed())):
        store = EvidenceStore(tmp_path / str(rank)) if stores else None
        results.append(_explained(suite, Engine(store=store, postponed=kept)))
        if store:
            store.close()
    assert results[0] == results[1]
    assert {each.outcome for each in results[0].cases} == {"failed" if explain is _erring else "set-up"}


class _Coded:
    """A log that adds what it is told under a code that the task has."""

    def __init__(self, log: ProblemLog, code: str) -> None:
        self._log, self._code = log, code

    def add(self, _code: str, message: str, line: int) -> None:
        self._log.add(self._code, message, line)


@pytest.mark.parametrize(("keeps", "stores"), [(False, False), (False, True), (True, False)])
def test_documents_are_dropped_at_once_where_nobody_will_ask(keeps: bool, stores: bool, tmp_path: Path) -> None:
    """Python's collector would walk all that is kept: of a passing run of pytest, where nothing is, that took a quarter."""
    suite = _suite(tmp_path)
    count, explaining = suite.recipe.task.count, list[weakref.ref[Iterator[Entry]]]()
    alive: list[int] = []

    def counting(documents: Mapping[str, Any], options: Any, log: ProblemLog) -> Counted:
        alive.append(sum(each() is not None for each in explaining))
        its = count(documents, options, log)
        explanations = (entry for entry in its.explanations)
        explaining.append(weakref.ref(explanations))
        return Counted(its.evidence, explanations)

    suite = replace(suite, recipe=replace(suite.recipe, task=guarded(replace(suite.recipe.task, count=counting))))
    store = EvidenceStore(tmp_path / "store") if stores else None
    evaluate_cases(suite.recipe, suite.cases, store, postponed=Postponed() if keeps else None)
    assert alive == ([*range(len(DOCUMENTS))] if keeps else [0] * len(DOCUMENTS))
    if store:
        store.close()


def test_a_command_counts_what_fails_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], counted: list[str]
) -> None:
    _suite(tmp_path)
    monkeypatch.chdir(tmp_path)
    once = command(capfd, "run", "--no-cache")
    assert counted == DOCUMENTS
    monkeypatch.setattr(postponed, "MOST_BYTES", 0)
    assert command(capfd, "run", "--no-cache") == once
    assert counted == DOCUMENTS * 3


def test_what_a_test_has_judged_is_counted_once_while_the_collector_pauses(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, counted: list[str]
) -> None:
    _suite(pytester.path)
    pytester.makepyfile(
        """
        def test_it(nlpeval):
            nlpeval.judge("dev", config="nlpeval.yaml")
        """
    )
    evaluate, collects = Engine.evaluate, list[bool]()

    def noting(engine: Engine, suite: Suite) -> SuiteResult:
        collects.append(gc.isenabled())
        return evaluate(engine, suite)

    monkeypatch.setattr(Engine, "evaluate", noting)
    assert gc.isenabled()
    run_pytest(pytester, "-k", "test_it")
    assert counted == DOCUMENTS
    assert [*collects, gc.isenabled()] == [False, True]
