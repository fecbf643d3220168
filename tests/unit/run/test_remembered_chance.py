"""What chance says of commits is worked out once: the second history draws nothing, and says the same."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import load_suites
from pytest_nlpeval.config.suite import Statistics, Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.run.chance import Chance
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.run.history import History
from pytest_nlpeval.run.past import history_of
from pytest_nlpeval.run.remembered_chance import RememberedChance
from pytest_nlpeval.run.store import EvidenceStore
from tests.support import make_suite, write
from tests.unit.baselines.repositories import commit, start
from tests.unit.run.outputs import GOLD, run_wrong_on

FEW = Statistics(resamples=200)


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What chance works out: the names of the functions called."""
    done: list[str] = []
    for name in ("intervals", "tests"):
        monkeypatch.setattr(Chance, name, _noting(done, name, getattr(Chance, name)))
    return done


def _noting(done: list[str], name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def noted(*arguments: Any, **keywords: Any) -> Any:
        done.append(name)
        return function(*arguments, **keywords)

    return noted


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    """A suite whose system got worse twice."""
    top = make_suite(start(tmp_path / "repo"), golds={"a": GOLD}, runs={"a": run_wrong_on()})
    commit(top)
    for last in (4, 7):
        write(top, {"system/a.txt": run_wrong_on(range(1, last))})
        commit(top)
    return replace(load_suites(top / "nlpeval.yaml", baseline="none")[0], statistics=FEW)


def read(suite: Suite, folder: Path | None) -> History:
    store = EvidenceStore(folder)
    try:
        return history_of(suite, Engine(store=store).run, store, ("accuracy", "cws"), last=9)
    finally:
        store.close()


def readings(history: History) -> list[Any]:
    return [repr(point.readings) for point in history.points]  # repr: NaN equals nothing


def test_the_second_history_draws_nothing_and_says_the_same(suite: Suite, tmp_path: Path, worked_out: list[str]) -> None:
    first = read(suite, tmp_path / "store")
    assert worked_out == ["tests", "tests", "intervals", "intervals", "intervals"]
    worked_out.clear()
    assert readings(read(suite, tmp_path / "store")) == readings(first)
    assert worked_out == []
    assert readings(read(suite, None)) == readings(first)


def test_a_new_commit_costs_its_own_interval_and_test(suite: Suite, tmp_path: Path, worked_out: list[str]) -> None:
    read(suite, tmp_path / "store")
    worked_out.clear()
    write(suite.root, {"system/a.txt": run_wrong_on(range(1, 9))})
    commit(suite.root)
    assert len(read(suite, tmp_path / "store").points) == 4
    assert worked_out == ["tests", "intervals"]


@pytest.mark.parametrize("changed", [{"seed": 1}, {"resamples": 201}, {"confidence": 0.9}, {"resample": "documents"}])
def test_other_statistics_are_worked_out_anew(
    suite: Suite, tmp_path: Path, worked_out: list[str], changed: dict[str, Any]
) -> None:
    read(suite, tmp_path / "store")
    worked_out.clear()
    other = replace(suite, statistics=replace(FEW, **changed))
    assert readings(read(other, tmp_path / "store")) == readings(read(other, None))
    assert worked_out


@pytest.mark.parametrize("kept", [{}, {"intervals": None}, {"intervals": {"accuracy": 1}}, {"intervals": {"accuracy": [1, 2]}}])
def test_an_entry_that_cannot_be_read_is_worked_out_again(
    suite: Suite, monkeypatch: pytest.MonkeyPatch, kept: dict[str, Any]
) -> None:
    evidence, measures = _evidence_and_measures(suite)
    chance = Chance.of(evidence, FEW)
    remembered = RememberedChance(chance, suite.recipe, EvidenceStore())
    monkeypatch.setattr(EvidenceStore, "get", lambda _store, keys: dict.fromkeys(keys, kept))
    assert remembered.scored(evidence, measures) == chance.scored(evidence, measures)


def test_what_is_kept_depends_on_evidence_measures_and_options(suite: Suite, worked_out: list[str]) -> None:
    evidence, measures = _evidence_and_measures(suite)
    store = EvidenceStore()
    remembered = RememberedChance(Chance.of(evidence, FEW), suite.recipe, store)
    remembered.scored(evidence, measures)
    remembered.scored(evidence, measures)
    assert worked_out == ["intervals"]
    remembered.scored(evidence.named("other"), measures)
    remembered.scored(evidence, measures[:1])
    recipe = replace(suite.recipe, options=replace(suite.recipe.options, edition=1))
    RememberedChance(remembered.chance, recipe, store).scored(evidence, measures)
    assert worked_out == ["intervals"] * 4


def test_a_run_takes_the_intervals_of_unchanged_files_from_the_store(suite: Suite, worked_out: list[str], tmp_path: Path) -> None:
    alone = Engine().evaluate(suite)
    assert alone.intervals
    worked_out.clear()
    with closing(EvidenceStore(tmp_path / "store")) as store:
        assert Engine(store=store).evaluate(suite).intervals == alone.intervals
        assert len(worked_out) == 1
        again = Engine(store=store).evaluate(suite)
        assert again.intervals == alone.intervals
        assert len(worked_out) == 1
        Engine(store=store, only_gated=True).evaluate(suite)  # which shows other measures


def test_what_a_store_keeps_tells_the_intervals_of_fewer_resamples(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence, measures = _evidence_and_measures(suite)
    monkeypatch.setattr("pytest_nlpeval.run.chance.MOST_DRAWN", 2 * len(evidence.units))
    monkeypatch.setattr("pytest_nlpeval.run.chance.LEAST_RESAMPLES", 1)
    chance = Chance.of(evidence, FEW)
    intervals = chance.intervals(evidence, measures)
    assert {interval.resamples for interval in intervals.values()} == {None, 2}  # shares of units have Wilson's
    with closing(EvidenceStore()) as store:
        remembered = RememberedChance(chance, suite.recipe, store)
        assert remembered.intervals(evidence, measures) == remembered.intervals(evidence, measures) == intervals


def _evidence_and_measures(suite: Suite) -> tuple[Evidence, tuple[Measure, ...]]:
    evidence = Engine().run(suite).evidence
    assert evidence is not None
    return evidence, suite.measures(tuple(evidence.columns))
