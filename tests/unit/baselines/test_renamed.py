"""A suite that is new by its name only is no new suite: it has no accepted run that its gates could pass without."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.run.results import SuiteResult
from tests.support import HALF, RIGHT, config_text, make_suite, write
from tests.unit.baselines.repositories import start
from tests.unit.baselines.test_like_with_like import GATE, SOURCES, accept

RENAMED = "baseline.renamed"
ONE = {"system": "{ours: 'system/{doc}.txt'}", "name": "dev"}
TWO = {"system": "{ours: 'system/{doc}.txt', old: 'old/{doc}.txt'}"}


@pytest.fixture(params=SOURCES)
def source(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def folder(tmp_path: Path, source: str) -> Path:
    """A repository whose suite `dev` was right everywhere, and is right in half by now."""
    make_suite(start(tmp_path), GATE, baseline=source, runs={"a": RIGHT})
    accept(tmp_path, source)
    return write(tmp_path, {"system/a.txt": HALF, "old/a.txt": RIGHT})


def results(folder: Path, source: str, **entries: str) -> dict[str, SuiteResult]:
    write(folder, {"nlpeval.yaml": config_text(GATE, baseline=source, **entries)})
    return {suite.name: evaluate(suite) for suite in load_suites(folder / "nlpeval.yaml")}


def codes(result: SuiteResult) -> list[str]:
    return [problem.code for problem in result.problems]


def test_a_suite_under_another_name_is_named(folder: Path, source: str) -> None:
    (result,) = results(folder, source, name="test").values()
    assert (codes(result), result.outcome) == ([RENAMED], "set-up")
    assert "write `was: dev`" in result.problems[0].message


def test_rules_accept_it(folder: Path, source: str) -> None:
    (result,) = results(folder, source, name="test", rules=f"{{{RENAMED}: warning}}").values()
    assert (codes(result), result.outcome) == ([RENAMED], "ok")


def test_was_compares_it_with_the_old_name(folder: Path, source: str) -> None:
    (result,) = results(folder, source, name="test", was="dev").values()
    assert (codes(result), result.outcome) == ([], "failed")
    assert result.comparison is not None
    assert result.comparison.standings["accuracy"].drop == 1 / 2


def test_a_path_that_becomes_a_system_of_several(folder: Path, source: str) -> None:
    ours, old = results(folder, source, **TWO).values()
    assert (codes(ours), ours.outcome) == ([RENAMED], "set-up")
    assert codes(old) in ([], [RENAMED]), "a file of results does not know whose they are"
    assert [result.outcome for result in results(folder, source, **TWO, was="dev").values()] == ["failed", "ok"]


def test_a_path_that_becomes_the_only_system_keeps_its_name(folder: Path, source: str) -> None:
    (result,) = results(folder, source, **ONE).values()
    assert (codes(result), result.outcome) == ([], "failed")


def test_a_suite_beside_the_old_one_is_new(folder: Path, source: str) -> None:
    text = config_text(GATE, baseline=source)
    entry = text.partition("suites:\n")[2]
    write(folder, {"nlpeval.yaml": text + entry.replace("name: dev", "name: more").replace("system/", "old/")})
    more = load_suites(folder / "nlpeval.yaml")[1]
    assert (codes(evaluate(more)), evaluate(more).outcome) == ([], "ok")
