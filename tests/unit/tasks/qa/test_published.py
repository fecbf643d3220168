"""What the official scripts print for an article of SQuAD 2.0, where it is at hand: it is under a licence of its own."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import pytest

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.run.document import report_of
from tests.support import write

DATA = Path(os.environ.get("NLPEVAL_SQUAD") or Path(__file__).parents[5] / "shared/data/qa")

RUNS = {
    "2.0, no numbers": "gold: gold.json, options: {profile: squad2}",
    "2.0, na.json": "gold: gold.json, na_prob: na.json, options: {profile: squad2}",
    "2.0, na.json, threshold 0.5": "gold: gold.json, na_prob: na.json, options: {profile: squad2, threshold: 0.5}",
    "1.1, gold-1.1.json": "gold: gold-1.1.json, options: {profile: squad1}, rules: {qa.unknown-id: off}",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path, {path.name: path.read_bytes() for path in DATA.glob("*.json")})


def figures(folder: Path, entries: str) -> dict[str, float]:
    """Return what the native report has for a suite."""
    text = f"version: 1\nsuites:\n  - {{name: normans, task: qa, system: system.json, {entries}}}\n"
    (suite,) = load_suites(write(folder, {"nlpeval.yaml": text}) / "nlpeval.yaml", root=folder)
    found: dict[str, float] = json.loads(render("native", report_of([evaluate(suite)])))
    return found


@pytest.mark.skipif(not DATA.is_dir(), reason="the article is not at hand")
@pytest.mark.parametrize("run", RUNS)
def test_the_official_figures(folder: Path, run: str) -> None:
    with (DATA / "expected.tsv").open(encoding="utf-8", newline="") as stream:
        expected = {row["figure"]: float(row["value"]) for row in csv.DictReader(stream, delimiter="\t") if row["run"] == run}
    assert figures(folder, RUNS[run]) == pytest.approx(expected, rel=1e-15, abs=0)


@pytest.mark.skipif(not DATA.is_dir(), reason="the article is not at hand")
def test_what_a_threshold_can_reach(folder: Path) -> None:
    """42 of 70 questions have no answer; the original's 43 right ones lie between questions of equal numbers."""
    found = figures(folder, "gold: gold.json, na_prob: na.json")
    assert found["best_exact"] == found["best_f1"] == 100 * 42 / 70
    assert found["best_exact_thresh"] is None
