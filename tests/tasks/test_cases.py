"""The folders `<task>/valid/*` and `<task>/invalid/*` are the cases: adding a folder adds a test.

A case holds one file per role (`gold.xml`, `system.txt`, …) and `expected.yaml`: `options`, `problems` as `role:line: code` (the exact
list), and for valid ones `scores`, as fractions in which integers may stand for themselves, or null for no value, and
`explanations`, the number for each reason, and `notes`, the words that the notes to the scores hold, in their order.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from pytest_nlpeval import SuiteResult, evaluate
from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.runs import misfit
from pytest_nlpeval.tasks import TASKS
from tests.tasks.cases import CASES, FOLDER, expected_of, files_of, options_of


def value_of(text: object) -> Fraction:
    """Return the value of `2/3` or of a derivation such as `(1 + 1/2) / 2`, exactly."""
    return _value(ast.parse(str(text), mode="eval").body)


def _value(node: ast.expr) -> Fraction:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return Fraction(str(node.value))
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left), _value(node.right)
        match node.op:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.Div():
                return left / right
    raise ValueError(f"no derivation of a value: {ast.unparse(node)}")


def _result(folder: Path) -> SuiteResult:
    """Return the result of a case, with intervals, of few resamples: they must come to be, and no case says what they are."""
    suite = suite_of_paths(folder.parent.parent.name, files_of(folder), options_of(folder), Path.cwd())
    return evaluate(replace(suite, statistics=replace(suite.statistics, resamples=100)), explain=True)


def _problems(result: SuiteResult) -> list[str]:
    return [
        f"{role}:{problem.line}: {problem.code}" if problem.line else f"{role}: {problem.code}"
        for case in result.cases
        for role, problems in case.problems.items()
        for problem in problems
    ]


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.relative_to(FOLDER).as_posix())
def test_case(folder: Path) -> None:
    expected, result = expected_of(folder), _result(folder)
    assert _problems(result) == (expected.get("problems") or [])
    assert (result.outcome == "ok") == (folder.parent.name == "valid")
    assert result.evidence is None or not misfit(result.suite, result.evidence), "counts that a file could not bring"
    for measure, value in (expected.get("scores") or {}).items():
        if value is None:
            assert result.scores[measure].value is None
            assert result.scores[measure].reason
        else:
            assert result[measure] == pytest.approx(float(value_of(value)), abs=1e-12), measure
    if "notes" in expected:
        assert len(result.notes) == len(expected["notes"])
        assert all(words in note for words, note in zip(expected["notes"], result.notes, strict=True))
    if "explanations" in expected:
        assert [case.explanations and case.explanations.counts for case in result.cases] == [expected["explanations"]]


def test_there_are_cases_of_every_kind() -> None:
    kinds = {(folder.parent.parent.name, folder.parent.name) for folder in CASES}
    assert kinds >= {(task, kind) for task in TASKS for kind in ("valid", "invalid")}
