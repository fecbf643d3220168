"""What the official scorer counts for extracts of two treebanks, which are not part of the repository."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import copytree

import pytest

from pytest_nlpeval import SuiteResult, evaluate, load_suites, score

ROOT = Path(__file__).parents[4]
FOLDER = Path(os.environ.get("NLPEVAL_UD") or ROOT / "../shared/data/ud")

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no copy of the treebanks' extracts")

FIGURES = ("precision", "recall", "f1", "aligned_accuracy")
COUNTS = ("gold", "system", "correct", "aligned")


def rows() -> Iterator[dict[str, str]]:
    with (FOLDER / "expected.tsv").open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream, delimiter="\t")


@cache
def result(document: str) -> SuiteResult:
    return score("ud", gold=FOLDER / f"gold/{document}.conllu", system=FOLDER / f"system/{document}.conllu")


def test_every_figure_of_the_official_scorer() -> None:
    checked = 0
    for row in rows():
        found = result(row["document"])
        for figure in FIGURES:
            if not row[figure]:
                continue
            value = found.scores[f"{row['metric']}.{figure}"].value
            if row["gold"] == row["system"] == "0":
                assert value is None
            else:
                assert value == pytest.approx(float(row[figure]), abs=1e-12), row
            checked += 1
    assert checked == 2 * (5 * 3 + 10 * 4)


def test_both_documents_are_pooled(tmp_path: Path) -> None:
    sums: dict[str, Counter[str]] = {}
    for row in rows():
        sums.setdefault(row["metric"], Counter()).update({count: int(row[count] or 0) for count in COUNTS})
    (tmp_path / "nlpeval.yaml").write_text(
        "version: 1\nsuites:\n  - {name: x, task: ud, gold: 'gold/{doc}.conllu', system: 'system/{doc}.conllu'}\n"
    )
    for side in ("gold", "system"):
        copytree(FOLDER / side, tmp_path / side)
    (suite,) = load_suites(tmp_path / "nlpeval.yaml")
    found = evaluate(suite)
    for metric, counts in sums.items():
        assert found[f"{metric}.f1"] == pytest.approx(2 * counts["correct"] / (counts["gold"] + counts["system"]), abs=1e-12)
        if counts["aligned"]:
            assert found[f"{metric}.aligned_accuracy"] == pytest.approx(counts["correct"] / counts["aligned"], abs=1e-12)


@pytest.mark.parametrize("document", ["en_pud", "de_pud"])
def test_no_file_has_an_error(document: str) -> None:
    assert {problem.severity for problem in result(document).all_problems()} <= {"warning"}
