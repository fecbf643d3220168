"""What evaluation tools write, read by mapping alone: their figures, and those over all items."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import SuiteResult, score

ROOT = Path(__file__).parents[4]
FOLDER = Path(os.environ.get("NLPEVAL_SCORES") or ROOT / "../shared/data/scores")

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no copy of the tools' exports")

INSPECT = {
    "items": {"gold": "eval.dataset.sample_ids", "system": "samples"},
    "repeats": 2,
    "error": "error",
}
MATCH = {"field": "scores.match.value", "values": {"C": 1, "P": 0.5, "I": 0, "N": 0}, "pass": 1}
PYDANTIC = {
    "items": {"gold": "cases", "system": ["cases", "failures"]},
    "id": {"gold": "name", "system": "source_case_name"},
    "repeats": 2,
    "error": "error_message",
}
DEEPEVAL = {"items": {"system": "testCases"}, "id": "name"}
CORRECT = {"field": "metricsData[name=Correctness [GEval]].score", "pass": 0.5}
PROMPTFOO = {
    "id": {"gold": "id", "system": "vars.id"},
    "where": {"promptIdx": 2},
    "repeats": 2,
    "error": {"failureReason": 2},
    "results": {
        "success": {"pass": True, "missing": 0},
        "has_x": {"field": "namedScores.has.x", "missing": 0},
        "ms": {"field": "latencyMs", "better": "lower", "missing": 30000, "measures": ["p95"]},
    },
}


def result(gold: str, system: str, **options: Any) -> SuiteResult:
    found = score("scores", options=options, gold=FOLDER / gold, system=FOLDER / system)
    assert found.outcome == "ok", found.all_problems()
    return found


def as_there(file: str) -> SuiteResult:
    """Score an export with the options that give the tool's own figures."""
    skip = {"skip": 0.99}
    match file:
        case "inspect.json":
            results = {
                "match": {**MATCH, **skip, "measures": ["mean", "pass@1"]},
                "length": {"field": "scores.length.value", **skip},
            }
            return result(file, file, **INSPECT, results=results)
        case "pydantic-evals.json":
            return result("pydantic-dataset.json", file, **PYDANTIC, results={"near": {"field": "scores.near.value", **skip}})
        case "deepeval.json":
            results = {"correct": {**CORRECT, **skip}, "exact": {"field": "metricsData[name=Exact Match].score", **skip}}
            return result("deepeval-items.json", file, **DEEPEVAL, results=results)
        case _:
            options = {"items": "results.results", "repeats": "any", "id": ["testIdx", "promptIdx"]}
            return result(file, file, **options, results={"success": {"pass": True}})


def test_every_figure_of_the_tools() -> None:
    with (FOLDER / "expected.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    for row in rows:
        figure = float(row["the tool's figure"].split()[0])
        assert as_there(row["file"])[row["measure"]] == pytest.approx(figure, abs=1e-12), row
    assert len(rows) == 7


def test_with_all_items_inspect_has_three_of_eight() -> None:
    found = result("inspect.json", "inspect.json", **INSPECT, results={"match": {**MATCH, "missing": 0}})
    assert found["match.pass_rate"] == 3 / 8
    assert found["errors"] == 1 / 4


def test_with_all_items_pydantic_evals_has_both_figures() -> None:
    results = {
        "near": {"field": "scores.near.value", "missing": 0},
        "equal": {"field": "assertions.EqualsExpected.value", "missing": 0},
    }
    found = result("pydantic-dataset.json", "pydantic-evals.json", **PYDANTIC, results=results)
    assert found["near.mean"] == 3 / 8
    assert found["equal.mean"] == 1 / 2


def test_with_all_items_deepeval_has_a_third() -> None:
    found = result("deepeval-items.json", "deepeval.json", **DEEPEVAL, results={"correct": {**CORRECT, "missing": 0}})
    assert found["correct.mean"] == pytest.approx((0.75 + 0.25) / 3, abs=1e-12)


def test_documents_and_lines_of_promptfoo_are_the_same() -> None:
    whole = result("promptfoo-tests.csv", "promptfoo.json", **PROMPTFOO, items={"system": "results.results"})
    lines = result("promptfoo-tests.csv", "promptfoo.jsonl", **PROMPTFOO)
    assert whole.scores == lines.scores
    assert (whole["success.pass_rate"], whole["has_x.mean"], whole["ms.p95"], whole["errors"]) == (0.5, 0.5, 30000, 0.5)


def test_a_filter_of_lm_eval() -> None:
    options = {"id": {"gold": "#0", "system": "doc_id"}, "results": ["exact_match"]}
    dataset, samples = "lm-eval-dataset.jsonl", "lm-eval-samples.jsonl"
    assert result(dataset, samples, **options, where={"filter": "strict-match"})["exact_match.mean"] == 1 / 2
    assert result(dataset, samples, **options, where={"filter": "flexible-extract"})["exact_match.mean"] > 1 / 2


def test_tables_of_ragas_and_documents_of_comet_pair_by_line() -> None:
    relevancy = {"field": "answer_relevancy", "skip": 0.34}
    found = result("ragas-items.csv", "ragas.csv", pair="line", results={"faithfulness": "faithfulness", "relevancy": relevancy})
    assert found["faithfulness.mean"] == (0.5 + 1 + 0) / 3
    assert found["relevancy.mean"] == (0.875 + 0.25) / 2
    comet = result("comet.src", "comet.json", pair="line", items={"system": "out/hyp.de"}, results={"comet": "COMET"})
    assert comet["comet.mean"] == (0.9375 + 0.25) / 2
