"""A result that is explained later is the one that is explained at once; nothing is scored, tested or judged for it again."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import Suite, evaluate, load_suites
from pytest_nlpeval.cli.workers import evaluate_all
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.foreign import TaskError
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.run import case, chance, conclusion, postponed
from pytest_nlpeval.run.baseline_update import updates
from pytest_nlpeval.run.counting import FEW
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.run.store import EvidenceStore
from tests.support import HALF, RIGHT, make_suite, write
from tests.unit.baselines.repositories import commit, start
from tests.unit.run.outputs import GOLD, run_wrong_on

GATES = ("accuracy: {min: 0.99, max_drop: 0.01, alpha: 0.05}", "coverage: 0.5")
BASELINES = ("none", "git:HEAD", "git:nowhere", "main.json", "absent.json")


def repository(folder: Path) -> Path:
    """A suite of three documents, of which two are worse than in the commit and in the baseline file."""
    make_suite(start(folder), *GATES, runs=dict.fromkeys("abc", RIGHT))
    suite = suite_of(folder, "main.json")
    for update in updates([evaluate(replace(suite, layers=(), baseline=suite.baseline), explain=True)]):
        update.write()
    commit(folder)
    return write(folder, {"system/b.txt": HALF, "system/c.txt": HALF})


def suite_of(folder: Path, baseline: str) -> Suite:
    """The suite of the folder; a baseline file is in the folder too."""
    (suite,) = load_suites(folder / "nlpeval.yaml", baseline=str(folder / baseline) if baseline.endswith(".json") else baseline)
    return suite


@pytest.mark.parametrize("baseline", BASELINES)
@pytest.mark.parametrize("broken", [False, True])
def test_explaining_later_gives_the_result_of_explaining_at_once(tmp_path: Path, baseline: str, broken: bool) -> None:
    suite = suite_of(repository(tmp_path), baseline)
    if broken:
        write(tmp_path, {"system/c.txt": "1 PERHAPS\n"})
    plain = evaluate(suite)
    explained = Engine().explained(plain)
    assert report_of([explained]) == report_of([evaluate(suite, explain=True)])
    assert [verdict.to_json() for verdict in explained.verdicts] == [verdict.to_json() for verdict in plain.verdicts]
    assert (explained.scores, explained.intervals) == (plain.scores, plain.intervals)
    assert explained.is_explained
    assert not plain.is_explained


@pytest.mark.parametrize("baseline", ["git:HEAD", "main.json"])
def test_what_changed_is_told_with_the_explanations(tmp_path: Path, baseline: str) -> None:
    plain = evaluate(suite_of(repository(tmp_path), baseline))
    explained = Engine().explained(plain)
    assert plain.comparison is not None
    assert plain.comparison.changes is None
    assert explained.comparison is not None
    assert explained.comparison.changes is not None
    assert explained.comparison.changes.counts["newly_wrong"] == 4  # two of four pairs in two documents
    assert not any("newly wrong" in note for note in plain.notes)
    assert any("4 newly wrong" in note for note in explained.notes)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often files are counted, and what chance can do is worked out and judged."""
    counts: Counter[str] = Counter()

    def note(module: Any, name: str) -> None:
        function = getattr(module, name)

        def noting(*arguments: Any, **named: Any) -> Any:
            counts[name] += 1
            return function(*arguments, **named)

        monkeypatch.setattr(module, name, noting)

    for module, names in ((case, ["_count"]), (chance, ["bootstrap", "bootstrap_drops", "randomise"]), (conclusion, ["judge"])):
        for name in names:
            note(module, name)
    return counts


def test_a_suite_with_a_baseline_is_explained_at_once_and_without_one_if_it_fails(
    tmp_path: Path, done: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = suite_of(repository(tmp_path), "main.json")
    passing, failing = replace(suite, layers=()), suite
    without = replace(passing, baseline=None), replace(failing, baseline=None)

    def counted(suite: Suite) -> tuple[bool, bool, int]:
        done.clear()
        (result,) = evaluate_all([suite], 1, None)
        return result.outcome == "ok", result.is_explained, done["_count"]

    assert counted(passing) == (True, True, 3), "what is newly wrong is told of a suite that passes, too"
    assert counted(failing) == (False, True, 3)
    assert counted(without[0]) == (True, False, 3), "nothing is told of items"
    assert counted(without[1]) == (False, True, 3)
    monkeypatch.setattr(postponed, "MOST_BYTES", 0)
    assert counted(without[1]) == (False, True, 2 * 3), "once plain, once for the explanations"


def test_a_failing_suite_is_scored_tested_and_judged_once(tmp_path: Path, done: Counter[str]) -> None:
    suite = suite_of(repository(tmp_path), "main.json")
    done.clear()
    evaluate_all([replace(suite, layers=())], 1, None)
    once = Counter(done)
    done.clear()
    evaluate_all([suite], 1, None)
    assert done.pop("judge") == 2, "the gates on two measures"
    # the distribution of a gated score is one more bootstrap: it says which drop the suite can show
    assert done == once | {"bootstrap": once["bootstrap"] + 1}


def test_explanations_in_the_store_are_not_counted_again(
    tmp_path: Path, done: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(case, "WORTH_STORING", 0)
    suite, store = suite_of(repository(tmp_path), "none"), EvidenceStore()
    done.clear()
    results = [evaluate_all([suite], 1, store) for _ in range(2)]
    assert done["_count"] == 2, "two of the three documents have the same content"
    assert report_of(results[0]) == report_of(results[1])


@pytest.mark.parametrize("wrong", [0, 1, FEW, FEW + 1, 16])
def test_a_report_after_a_plain_run_counts_only_what_has_many_explanations(
    tmp_path: Path, done: Counter[str], monkeypatch: pytest.MonkeyPatch, wrong: int
) -> None:
    monkeypatch.setattr(case, "WORTH_STORING", 0)
    runs = {"a": run_wrong_on(), "b": run_wrong_on(range(1, wrong + 1))}
    (suite,) = load_suites(make_suite(tmp_path, golds=dict.fromkeys(runs, GOLD), runs=runs) / "nlpeval.yaml")
    store = EvidenceStore()
    plain = evaluate(suite, store=store)
    assert plain.run.wrong is None
    assert not any(each.explanations for each in plain.cases), "a plain result tells nothing that the store happens to have"
    done.clear()
    explained = evaluate(suite, explain=True, store=store)
    assert done["_count"] == (wrong > FEW)
    assert report_of([explained]) == report_of([evaluate(suite, explain=True)])
    assert report_of([evaluate(suite, store=store)]) == report_of([plain])


def test_a_document_that_is_what_it_was_in_the_baseline_has_its_explanations_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(case, "WORTH_STORING", 0)
    suite, folder = suite_of(repository(tmp_path), "git:HEAD"), tmp_path / "store"
    alone = report_of([evaluate(suite, explain=True)])
    for _ in ("counted", "from the file"):
        with closing(EvidenceStore(folder)) as store:
            result = evaluate(suite, explain=True, store=store)
            assert report_of([result]) == alone
            assert result.comparison is not None
            assert result.comparison.baseline.wrong is not None
            today = {each.name: each.explanations for each in result.cases}
            assert today["a"] != today["b"]
            # in the commit all three documents are what the first is today
            assert all(before is today["a"] for before in result.comparison.baseline.wrong.values())


def test_a_store_keeps_explanations_only_as_long_as_a_result_has_them() -> None:
    store, key, explanations = EvidenceStore(), b"key", Explanations({"missed": 1})
    store.keep_explanations({key: explanations})
    assert store.explanations_of([key, b"other"]) == {key: explanations}
    del explanations
    assert store.explanations_of([key]) == {}


def test_what_a_task_could_not_explain_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case, "WORTH_STORING", 0)
    runs, golds = {"a": run_wrong_on(range(1, FEW + 2))}, {"a": GOLD}
    (suite,) = load_suites(make_suite(tmp_path, golds=golds, runs=runs) / "nlpeval.yaml")
    store = EvidenceStore()
    evaluate(suite, store=store)  # the store has its evidence then, and no explanations: there are too many

    def fail(*_: object) -> None:
        raise TaskError((Problem("task.failed", "error", "", None, None, "", "it cannot explain"),))

    with monkeypatch.context() as patch:
        patch.setattr(Explanations, "of", fail)
        failed = evaluate(suite, explain=True, store=store)
    assert failed.outcome == "set-up"
    assert report_of([evaluate(suite, explain=True, store=store)]) == report_of([evaluate(suite, explain=True)])
