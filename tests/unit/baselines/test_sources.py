"""Where baselines come from: a source is added in one place, and every way to a baseline knows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_nlpeval import Suite, entry_points, evaluate, load_suites
from pytest_nlpeval.baselines import Source, run_of
from pytest_nlpeval.config import meaning
from pytest_nlpeval.config.meaning import SOURCES, source_of
from pytest_nlpeval.config.suite import Baseline
from pytest_nlpeval.problems import NlpevalError
from pytest_nlpeval.runs import Evaluate, Run
from tests.support import HALF, RIGHT, command, make_suite, run_pytest, write

OUTPUTS: dict[str, str] = {}
"""What the source below has: the system's output for every document, by name."""


def memory(suite: Suite, baseline: Baseline, evaluate: Evaluate) -> Run:
    """A source of outputs that are kept in memory."""
    output = OUTPUTS.get(baseline.name)
    if output is None:
        return Run(baseline.text, reason=f"{baseline.text}: nothing is kept by this name")
    for case in suite.cases:
        Path(case.files["system"].path).write_text(output)
    return evaluate(suite)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite whose baseline is of a source that was just added: of four pairs two were right, and now all are."""
    monkeypatch.setitem(SOURCES, "memory", f"{__name__}:memory")
    monkeypatch.setitem(OUTPUTS, "x", HALF)
    monkeypatch.chdir(tmp_path)
    return make_suite(tmp_path, "accuracy: {max_drop: 0}", runs={"a": RIGHT}, baseline="memory:x")


def test_a_source_is_added_in_one_place(folder: Path) -> None:
    (suite,) = load_suites(folder / "nlpeval.yaml")
    assert suite.baseline == Baseline("memory:x", "memory")
    comparison = evaluate(suite).comparison
    assert comparison
    standing = comparison.standings["accuracy"]
    assert (standing.score.value, standing.baseline.value, standing.drop) == (1, 1 / 2, -1 / 2)


def test_a_source_says_what_it_does_not_have(folder: Path) -> None:
    (suite,) = load_suites(folder / "nlpeval.yaml", baseline="memory:y")
    (verdict,) = evaluate(suite).verdicts
    assert (verdict.verdict, verdict.reason) == ("unjudged", "memory:y: nothing is kept by this name")


def test_the_command_compares_with_what_a_source_gives(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ended = command(capfd, "compare", "dev", "memory:x", "--no-cache")
    assert (ended.code, "memory:x" in ended.out) == (0, True)
    assert command(capfd, "baseline", "show").out == "dev: memory:x\n"


def test_what_no_source_knows_is_the_path_of_a_file(tmp_path: Path) -> None:
    assert [source_of(text) for text in ("git:HEAD", "memory:x", "none.json", "git", ":x")] == ["git", "", "", "", ""]
    write(tmp_path, {"memory:x": "{"})
    make_suite(tmp_path, "accuracy: {max_drop: 0}", baseline="memory:x")
    (suite,) = load_suites(tmp_path / "nlpeval.yaml")
    assert suite.baseline
    assert suite.baseline.file
    assert suite.baseline.file.path == str(tmp_path / "memory:x")


def test_a_file_may_be_called_like_what_a_source_has(folder: Path) -> None:
    (suite,) = load_suites(folder / "nlpeval.yaml", baseline="./memory:x")
    assert suite.baseline
    assert (suite.baseline.source, suite.baseline.file and suite.baseline.file.label) == ("", "memory:x")


def _install(monkeypatch: pytest.MonkeyPatch, load: Callable[[], Source]) -> None:
    """Let a package add a source, under whatever name."""
    points = SimpleNamespace(entry_points=lambda **_: [SimpleNamespace(value="theirs:run_of", module="theirs", load=load)])
    for module in (meaning, entry_points):
        monkeypatch.setattr(module, "metadata", points)


@pytest.mark.usefixtures("no_end")
@pytest.mark.parametrize(
    ("failure", "said"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("__import__('os')._exit(0)", "SystemExit: 0"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("return None", "it gives NoneType, expected Run"),
    ],
)
def test_a_source_of_another_package_that_fails_is_a_reason(
    folder: Path,
    capfd: pytest.CaptureFixture[str],
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    failure: str,
    said: str,
) -> None:
    """What needs no baseline is judged all the same; neither the command nor pytest ends as if all had passed."""
    namespace: dict[str, Any] = {}
    exec(f"def fail(*_): {failure}", namespace)
    monkeypatch.delitem(SOURCES, "memory")
    _install(monkeypatch, lambda: namespace["fail"])
    monkeypatch.chdir(folder)  # `pytester` has a folder of its own
    make_suite(folder, "accuracy: {max_drop: 0}", "coverage: 1", runs={"a": RIGHT}, baseline="memory:x")
    ended = command(capfd, "run", "--no-cache")
    told = " ".join(ended.all.split())
    assert ended.code == 1, ended.all
    assert f"the source of memory:x fails: {said}" in told
    assert "1 of 2 gates failed, 1 unjudged" in told
    run = run_pytest(pytester, f"--rootdir={folder}", str(folder))
    assert run.code == 1, run.all
    assert said in run.all


def test_what_evaluating_raises_is_no_fault_of_the_source(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An executor that is gone, say."""
    (suite,) = load_suites(folder / "nlpeval.yaml")
    assert suite.baseline
    monkeypatch.delitem(SOURCES, "memory")
    _install(monkeypatch, lambda: memory)

    def fail(_: Suite) -> Run:
        raise NlpevalError(())

    with pytest.raises(NlpevalError):
        run_of(suite, suite.baseline, fail)
