"""Outputs that are the same bytes are not worse, by whatever margin and however few; equal scores alone do not show that."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.gates import Verdict
from pytest_nlpeval.run.baseline_update import updates
from tests.support import RIGHT, make_suite
from tests.unit.baselines.repositories import commit, start

GATE = "accuracy: {non_inferior: 0.001}"
SOURCES = ("git:HEAD", "kept.json")


def judged(folder: Path, source: str, now: str) -> Verdict:
    """The verdict on an output, where that of two documents was RIGHT."""
    make_suite(folder, GATE, baseline=source, runs={"a": RIGHT, "b": RIGHT})
    if source.endswith(".json"):
        (suite,) = load_suites(folder / "nlpeval.yaml")
        for update in updates([evaluate(suite, explain=True)]):
            update.write()
    commit(folder)
    make_suite(folder, GATE, baseline=source, runs={"a": RIGHT, "b": now})
    (suite,) = load_suites(folder / "nlpeval.yaml")
    (verdict,) = evaluate(suite).verdicts
    return verdict


@pytest.mark.parametrize("source", SOURCES)
def test_the_same_bytes_pass_and_the_reason_says_so(tmp_path: Path, source: str) -> None:
    verdict = judged(start(tmp_path), source, RIGHT)
    assert (verdict.verdict, verdict.reason) == ("passed", "the outputs are identical")
    assert verdict.to_json()["upper"] == 0


@pytest.mark.parametrize("source", SOURCES)
def test_other_bytes_that_score_the_same_prove_nothing(tmp_path: Path, source: str) -> None:
    verdict = judged(start(tmp_path), source, RIGHT.replace("4 FALSE 0.6", "4 FALSE 0.60"))
    assert verdict.standing.drop == 0
    assert verdict.verdict == "failed"
    assert verdict.reason.startswith("too few units")
